"""Settings in one line, what changed between two of them, and the engine's advice with the change it names.

The engine names settings as a program or a terminal would: ``set 'missing' to 'most-frequent'`` or
``(ragged: drop)``. The registries know how the window calls them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from clcd_gui.wording.text import NUMBERS, counted
from engine.boundaries.settings import DiscoverySettings
from engine.discovery.result import DiscoveryResult
from engine.discovery.row_split import RowSplit
from engine.errors import InvalidParameter
from engine.parameters import Parameter, parameters_of
from engine.preparation.settings import PreparationSettings
from engine.readers.registry import ReadingOptions
from engine.reporting.sentences.method import value_in_words


def value_text(parameter: Parameter, value: Any) -> str:
    """Write the value of a setting as a person reads it."""
    return value_in_words(parameter, value, NUMBERS)


def setting_text(parameter: Parameter, value: Any) -> str:
    """Write the value of a setting with its title, unless the value speaks for itself.

    Examples
    --------
    >>> [setting_text(each, each.default) for each in parameters_of(DiscoverySettings)[:3]]
    ['HITON-MB', 'Suited to the table', 'Level α 0.01']
    """
    text = value_text(parameter, value)
    if parameter.kind == "choice" and not parameter.advanced:
        return text
    return f"{parameter.title} {lower_first(text)}"


def summary(settings: Any, advanced: bool) -> str:
    """Write the plain or the advanced settings in one line.

    Examples
    --------
    >>> from engine.boundaries.settings import DiscoverySettings
    >>> summary(DiscoverySettings(), advanced=False)
    'HITON-MB · Suited to the table · Level α 0.01 · Conditioning size 3 · Benjamini-Hochberg'
    """
    parts = [
        setting_text(parameter, getattr(settings, parameter.name))
        for parameter in parameters_of(type(settings))
        if parameter.advanced == advanced
    ]
    return " · ".join(parts)


def changes(before: Any, after: Any) -> list[str]:
    """Say for every setting that differs what it was and what it is.

    Examples
    --------
    >>> from engine.boundaries.settings import DiscoverySettings
    >>> changes(DiscoverySettings(), DiscoverySettings(alpha=0.05))
    ['level α was 0.01 and is now 0.05']
    """
    sentences = []
    for parameter in parameters_of(type(before)):
        old, new = getattr(before, parameter.name), getattr(after, parameter.name)
        if old != new:
            sentences.append(
                f"{lower_first(parameter.title)} was {value_text(parameter, old)} "
                f"and is now {value_text(parameter, new)}"
            )
    return sentences


def search_summary(settings: DiscoverySettings, split: RowSplit | None) -> str:
    """Say in plain words how is searched, and in which part of the rows; no term but the level.

    Examples
    --------
    >>> from engine.boundaries.settings import DiscoverySettings
    >>> search_summary(DiscoverySettings(), None)
    'Level α 0.01, everything else as usual'
    >>> search_summary(DiscoverySettings(alpha=0.05, max_conditioning=2), None)
    'Level α 0.05, 1 other setting changed'
    """
    level = next(each for each in parameters_of(DiscoverySettings) if each.name == "alpha")
    usual = DiscoverySettings(alpha=settings.alpha, workers=settings.workers)
    changed = len(changes(usual, settings))
    others = f"{counted(changed, 'other setting')} changed" if changed else "everything else as usual"
    text = f"{setting_text(level, settings.alpha)}, {others}"
    if split is not None:
        text = f"{text}; {NUMBERS.share(split.share)} of the rows searched, the others measured"
    return text


def search_details(settings: DiscoverySettings) -> str:
    """Write how is searched in the terms of those who know them, for a tooltip."""
    return "\n".join(part for each in (False, True) for part in summary(settings, each).split(" · "))


def rests_on(result: DiscoveryResult) -> str:
    """Say on how many rows something was found, and how was searched, in one line."""
    rows = counted(result.dataset.row_count, "row")
    return f"Found in {rows}. {search_summary(result.settings, result.split)}."


def lower_first(text: str) -> str:
    """Write a title inside a sentence; words that are capitals throughout stay."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


_ASSIGNMENT = re.compile(r"'(?P<name>[a-z_]+)' to (?P<values>'[\w-]+'(?:(?:,| or) '[\w-]+')*)")
_IN_BRACKETS = re.compile(r"\((?P<name>[a-z_]+): (?P<values>[\w-]+)\)")
_QUOTED = re.compile(r"'(?P<name>[a-z]+(?:_[a-z]+)*)'")
_INSPECT = "'clcd inspect'"
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
    """Name settings and values as the window does, and what it has in the place of a command.

    Examples
    --------
    >>> in_window_words("set 'missing' to 'most-frequent' or 'own-level'.")
    'set “Missing values” to “Fill in” or “A category of their own”.'
    >>> in_window_words("take it out, or raise 'max_levels'.")
    'take it out, or raise “Most categories”.'
    >>> in_window_words("Check the spelling; 'clcd inspect' lists the columns.")
    'Check the spelling; “Data” lists the columns.'
    """
    text = text.replace(_INSPECT, "“Data”")
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
    choices = " or ".join(values)
    return f"“{parameter.title}” to {choices}"


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
