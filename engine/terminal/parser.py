"""The parser of arguments, whose errors are those of the engine."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NoReturn

from engine.errors import InvalidParameter


class Parser(argparse.ArgumentParser):
    """Parser that raises InvalidParameter instead of printing how it is used and ending the program."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **options,
        )

    @property
    def options(self) -> dict[str, str]:
        """The option that sets each argument, by the name of the argument."""
        return {each.dest: each.option_strings[0] for each in self._actions if each.option_strings}

    def error(self, message: str) -> NoReturn:
        """Raise the error that `message` describes."""
        sentence = message.removeprefix("argument ").rstrip(".")
        raise InvalidParameter(f"{sentence}.", remedy=f"See '{self.prog} --help'.")


def given_path(text: str) -> Path:
    """Return the file or folder that a word names.

    Raises
    ------
    argparse.ArgumentTypeError
        When it names none, as a variable of the shell without a value does; it would be the current folder.
    """
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)
