"""The parser of arguments, whose errors are those of the engine."""

from __future__ import annotations

import argparse
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

    def error(self, message: str) -> NoReturn:
        """Raise the error that `message` describes."""
        sentence = message.removeprefix("argument ").rstrip(".")
        raise InvalidParameter(f"{sentence}.", remedy=f"See '{self.prog} --help'.")
