"""Sentences that name settings: as a program calls them, until a front end puts its own names in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.translation import _
from engine.wording.phrases import either, pieces_of


@dataclass(frozen=True, slots=True, init=False)
class SettingName:
    """A setting where a sentence names it, the values, as written, one of which is advised, and its columns.

    >>> str(SettingName("max_levels")), str(SettingName("missing", "per-test", "own-level"))
    ("setting 'max_levels'", "'missing' to 'per-test' or 'own-level'")
    """

    name: str
    values: tuple[str, ...]
    columns: tuple[str, ...]

    def __init__(self, name: str, *values: str, columns: Sequence[str] = ()) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "columns", tuple(columns))

    def __str__(self) -> str:
        if not self.values:
            return _("setting '{name}'", name=self.name)
        values = either([repr(value) for value in self.values])
        return _("'{name}' to {values}", name=self.name, values=values)


class SettingText(str):
    """Text in the words of a program that names settings, and remembers where.

    Its methods give plain text.
    """

    parts: tuple[str | SettingName, ...]

    def __new__(cls, *parts: str | SettingName) -> SettingText:
        """Put the parts together."""
        text = super().__new__(cls, "".join(map(str, parts)))
        text.parts = tuple(one for part in parts for one in _parts_of(part))
        return text

    def __getnewargs__(self) -> tuple[str | SettingName, ...]:  # type: ignore[override]
        """Tell what it is put together from, for processes that hand it on."""
        return self.parts

    @property
    def settings(self) -> tuple[SettingName, ...]:
        """The settings that it names, in their order."""
        return tuple(part for part in self.parts if isinstance(part, SettingName))

    def named_by(self, called: Callable[[SettingName], str | SettingName]) -> SettingText:
        """Return the text with what `called` gives for each setting, words or the setting as it is."""
        return SettingText(*(called(part) if isinstance(part, SettingName) else part for part in self.parts))


def naming_settings(sentence: str, **parts: str | SettingName) -> SettingText:
    """Fill a sentence with settings, and with further words.

    >>> text = naming_settings("Fill it, or set {others}.", others=SettingName("missing", "per-test"))
    >>> text
    "Fill it, or set 'missing' to 'per-test'."
    >>> text.named_by(lambda setting: f"--{setting.name} {setting.values[0]}")
    'Fill it, or set --missing per-test.'
    """
    return SettingText(*pieces_of(sentence, parts))


def the_setting(name: str) -> SettingText:
    """Name a setting as the place of an error."""
    return SettingText(SettingName(name))


def named_by(text: str, called: Callable[[SettingName], str | SettingName]) -> str:
    """Return a text with other names for the settings in it; one that names none stays."""
    return text.named_by(called) if isinstance(text, SettingText) else text


def settings_in(text: str) -> tuple[SettingName, ...]:
    """Return the settings that a text names."""
    return text.settings if isinstance(text, SettingText) else ()


def _parts_of(text: str | SettingName) -> tuple[str | SettingName, ...]:
    return text.parts if isinstance(text, SettingText) else (text,)


# What is added is what a person asks for most, so it has the shorter name.
_OPTIONS = {
    "missing_codes": "only_missing_codes",
    "also_missing": "missing_codes",
    "weights": "weight_column",
}


def option_of(name: str) -> str:
    """Return what a terminal calls a setting.

    >>> option_of("max_conditioning"), option_of("also_missing"), option_of("missing_codes")
    ('--max-conditioning', '--missing-codes', '--only-missing-codes')
    """
    return f"--{_OPTIONS.get(name, name).replace('_', '-')}"
