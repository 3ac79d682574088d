"""The engine's advice in the words of the window, with the settings that it names ready to be changed.

The engine names settings as a program or a terminal would: ``set 'missing' to 'most-frequent'`` or
``(ragged: drop)``. The registries know how the window calls them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from clcd_gui.core.settings_words import value_text
from engine.boundaries.settings import DiscoverySettings
from engine.errors import InvalidParameter
from engine.parameters import Parameter, parameters_of
from engine.preparation.settings import PreparationSettings
from engine.readers.registry import ReadingOptions

_ASSIGNMENT = re.compile(r"'(?P<name>[a-z_]+)' to (?P<values>'[\w-]+'(?:(?:,| or) '[\w-]+')*)")
_IN_BRACKETS = re.compile(r"\((?P<name>[a-z_]+): (?P<values>[\w-]+)\)")
_QUOTED = re.compile(r"'(?P<name>[a-z]+(?:_[a-z]+)*)'")
_FLAGS = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting that the advice names, and the value that it advises.

    Attributes
    ----------
    settings_class : type
        PreparationSettings, DiscoverySettings or ReadingOptions.
    name : str
    value : object
    title : str
        What a button says.
    """

    settings_class: type
    name: str
    value: Any
    title: str


def advised_changes(text: str) -> tuple[SettingChange, ...]:
    """List the changes of settings that a sentence advises, in its order.

    Examples
    --------
    >>> [each.title for each in advised_changes("Or set 'missing' to 'most-frequent' or 'own-level'.")]
    ['Missing values: fill in', 'Missing values: a category of their own']
    """
    changes = []
    for pattern in (_ASSIGNMENT, _IN_BRACKETS):
        for match in pattern.finditer(text):
            changes += _changes(match["name"], re.findall(r"[\w-]+", match["values"].replace(" or ", " ")))
    return tuple(changes)


def in_window_words(text: str) -> str:
    """Name settings and values as the window does.

    Examples
    --------
    >>> in_window_words("set 'missing' to 'most-frequent' or 'own-level'.")
    'set “Missing values” to “Fill in” or “A category of their own”.'
    >>> in_window_words("take it out, or raise 'max_levels'.")
    'take it out, or raise “Most categories”.'
    """
    text = _ASSIGNMENT.sub(_written_assignment, text)
    text = _IN_BRACKETS.sub(_written_in_brackets, text)
    return _QUOTED.sub(_written_name, text)


def _changes(name: str, values: list[str]) -> list[SettingChange]:
    settings_class, parameter = _find(name)
    if settings_class is None or parameter is None:
        return []
    changes = []
    for written in values:
        value: Any = _FLAGS.get(written, written) if parameter.kind == "flag" else written
        try:
            parameter.check(value)
        except InvalidParameter:
            continue
        words = value_text(parameter, value)
        title = f"{parameter.title}: {words[:1].lower()}{words[1:]}"
        changes.append(SettingChange(settings_class, name, value, title))
    return changes


def _find(name: str) -> tuple[type | None, Parameter | None]:
    for settings_class in (PreparationSettings, DiscoverySettings, ReadingOptions):
        for parameter in parameters_of(settings_class):
            if parameter.name == name:
                return settings_class, parameter
    return None, None


def _written_assignment(match: re.Match[str]) -> str:
    _, parameter = _find(match["name"])
    if parameter is None:
        return match[0]
    values = [_written_value(parameter, value) for value in re.findall(r"'([\w-]+)'", match["values"])]
    return f"“{parameter.title}” to {' or '.join(values)}"


def _written_in_brackets(match: re.Match[str]) -> str:
    _, parameter = _find(match["name"])
    if parameter is None:
        return match[0]
    return f"(“{parameter.title}”: {_written_value(parameter, match['values'])})"


def _written_name(match: re.Match[str]) -> str:
    _, parameter = _find(match["name"])
    return match[0] if parameter is None or "_" not in match["name"] else f"“{parameter.title}”"


def _written_value(parameter: Parameter, value: str) -> str:
    if parameter.kind == "flag":
        return f"“{value}”"
    return f"“{value_text(parameter, value)}”"
