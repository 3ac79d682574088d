"""The parser of arguments, whose errors are those of the engine and name the options of the terminal."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from engine.errors import EngineError, InvalidParameter
from engine.wording.phrases import either
from engine.wording.sentences import nearest_or
from engine.wording.setting_names import SettingName, named_by


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Breaks no line within a name, such as ``hiton-mb``: it can be searched for and copied."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """Parser that raises InvalidParameter instead of printing how it is used and ending the program."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            allow_abbrev=False,
            formatter_class=HelpFormatter,
            **options,
        )

    @property
    def options(self) -> dict[str, str]:
        """The option that sets each argument, by the name of the argument."""
        return {each.dest: each.option_strings[0] for each in self._actions if each.option_strings}

    def parse_args(self, words: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Return the arguments that words give."""
        arguments, unknown = self.parse_known_args(words, namespace)
        if unknown:
            word, see = unknown[0].partition("=")[0], f"See '{self.prog} --help'."
            if not word.startswith("-"):
                raise InvalidParameter(f"'{unknown[0]}' is one word too many.", remedy=see)
            known = [each for action in self._actions for each in action.option_strings]
            raise InvalidParameter(f"there is no option '{word}'.", remedy=nearest_or(word, known, see))
        return arguments

    def error(self, message: str) -> NoReturn:
        """Raise the error that `message` describes."""
        sentence = message.removeprefix("argument ").rstrip(".")
        raise InvalidParameter(f"{sentence}.", remedy=f"See '{self.prog} --help'.")


def given_path(text: str) -> Path:
    """Return the file or folder that a word names."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)


@contextmanager
def naming_options(options: Mapping[str, str]) -> Iterator[None]:
    """Let an error name the options that set what it speaks of."""

    def called(setting: SettingName) -> str | SettingName:
        option = options.get(setting.name)
        return setting if option is None else _option_with(option, setting.values)

    try:
        yield
    except EngineError as error:
        error.problem, error.place, error.remedy = (
            named_by(each, called) for each in (error.problem, error.place, error.remedy)
        )
        raise


def _option_with(option: str, values: tuple[str, ...]) -> str:
    """Return an option with the values that are advised; a flag has its value in its name."""
    if values == ("no",):
        return f"--no-{option.removeprefix('--')}"
    return f"{option} to {either(values)}" if values else option
