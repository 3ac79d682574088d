"""Errors of the engine speak of settings; those that a terminal shows name the options that set them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from engine.errors import EngineError
from engine.wording.phrases import either
from engine.wording.setting_names import SettingName, named_by


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
