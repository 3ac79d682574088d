"""Errors of the engine speak of settings; those that a terminal shows name the options that set them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from engine.errors import EngineError


@contextmanager
def naming_options(options: Mapping[str, str]) -> Iterator[None]:
    """Let an error about a setting name the option that sets it.

    Parameters
    ----------
    options : mapping of str to str
        The option of each setting.
    """
    try:
        yield
    except EngineError as error:
        error.place, error.remedy = (_with_options(each, options) for each in (error.place, error.remedy))
        raise


def _with_options(text: str, options: Mapping[str, str]) -> str:
    for name, option in options.items():
        for written, instead in (
            (f"setting '{name}'", option),
            (f"({name}: no)", f"({_without(option)})"),
            (f"set '{name}' to", f"set {option} to"),
            (f"raise '{name}'", f"raise {option}"),
            (f"Lower '{name}'", f"Lower {option}"),
        ):
            text = text.replace(written, instead)
    return text


def _without(option: str) -> str:
    """Return the option that says no."""
    return f"--no-{option.removeprefix('--')}"
