"""Settings in one line, what changed between two of them, and the engine's advice in the window's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clcd_gui.wording.text import NUMBERS, counted, in_curved_marks
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.result import DiscoveryResult
from engine.discovery.row_split import RowSplit
from engine.errors import InvalidParameter
from engine.parameters import Parameter, parameter_of, parameters_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.readers.options import ReadingOptions
from engine.reporting.sentences.method import value_in_words
from engine.translation import N_, _
from engine.wording.numbers import written_out
from engine.wording.phrases import either, plain_listing
from engine.wording.setting_names import SettingName, named_by, settings_in

_FOUND = N_("Result from {rows}. {searched}.")
_FOUND_AT_LEVEL = N_("Result from {rows} at α {level}. {searched}.")


def value_text(parameter: Parameter, value: Any) -> str:
    """Write the value of a setting as a person reads it."""
    return value_in_words(parameter, value, NUMBERS)


def setting_text(parameter: Parameter, value: Any) -> str:
    """Write the value of a setting with its title, unless the value speaks for itself.

    >>> [setting_text(each, each.default) for each in parameters_of(DiscoverySettings)[:3]]
    ['HITON-MB', 'Suited to the table', 'Significance level (α) 0.01']
    """
    text = value_text(parameter, value)
    if parameter.kind == "choice" and not parameter.advanced:
        return text
    return f"{_(parameter.title)} {lower_first(text)}"


def summary(settings: Any, advanced: bool) -> str:
    """Write the plain or the advanced settings in one line.

    >>> from engine.boundaries.discovery_settings import DiscoverySettings
    >>> summary(DiscoverySettings(), advanced=False)
    'HITON-MB · Suited to the table · Significance level (α) 0.01 · Conditioning size 3 · Benjamini-Hochberg'
    """
    parts = [
        setting_text(parameter, getattr(settings, parameter.name))
        for parameter in parameters_of(type(settings))
        if parameter.advanced == advanced
    ]
    return " · ".join(parts)


def changes(before: Any, after: Any) -> list[str]:
    """Say for every setting that differs what it was and what it is.

    >>> from engine.boundaries.discovery_settings import DiscoverySettings
    >>> changes(DiscoverySettings(), DiscoverySettings(alpha=0.05))
    ['significance level (α) was 0.01 and is now 0.05']
    """
    sentences = []
    for parameter in parameters_of(type(before)):
        old, new = getattr(before, parameter.name), getattr(after, parameter.name)
        if old != new:
            sentences.append(
                _(
                    "{title} was {before} and is now {after}",
                    title=lower_first(_(parameter.title)),
                    before=value_text(parameter, old),
                    after=value_text(parameter, new),
                )
            )
    return sentences


def search_summary(settings: DiscoverySettings, split: RowSplit | None) -> str:
    """Say in plain words how is searched, and in which part of the rows; no term but the level.

    >>> from engine.boundaries.discovery_settings import DiscoverySettings
    >>> search_summary(DiscoverySettings(), None)
    'Significance level (α) 0.01, other settings at their defaults'
    >>> search_summary(DiscoverySettings(alpha=0.05, max_conditioning=2), None)
    'Significance level (α) 0.05, 1 other setting changed'
    >>> search_summary(DiscoverySettings(automatic_alpha=True), None)
    'Automatic α, other settings at their defaults'
    """
    usual = DiscoverySettings(
        alpha=settings.alpha, automatic_alpha=settings.automatic_alpha, workers=settings.workers
    )
    changed = len(changes(usual, settings))
    others = (
        _("{settings} changed", settings=counted(changed, "other setting"))
        if changed
        else _("other settings at their defaults")
    )
    if settings.automatic_alpha:
        level = _(parameter_of(DiscoverySettings, "automatic_alpha").title)
    else:
        level = setting_text(parameter_of(DiscoverySettings, "alpha"), settings.alpha)
    text = f"{level}, {others}"
    if split is not None:
        text = _(
            "{text}; {share} of the rows searched, estimates from the others",
            text=text,
            share=NUMBERS.share(split.share),
        )
    return text


def search_details(settings: DiscoverySettings) -> str:
    """Write how is searched in the terms of those who know them, for a tooltip."""
    return "\n".join(
        part for in_detail in (False, True) for part in summary(settings, in_detail).split(" · ")
    )


def rests_on(result: DiscoveryResult) -> str:
    """Say on how many rows something was found, and how was searched, in one line."""
    return _(
        _FOUND_AT_LEVEL if result.settings.automatic_alpha else _FOUND,
        rows=counted(result.dataset.row_count, "row"),
        level=written_out(result.settings.alpha),
        searched=search_summary(result.settings, result.split),
    )


def lower_first(text: str) -> str:
    """Write a title inside a sentence; words that are capitals throughout stay."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


_FLAGS = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting that the advice names, and the value that it advises."""

    settings_class: type
    name: str
    value: Any
    title: str


def advised_changes(text: str) -> tuple[SettingChange, ...]:
    """List the changes of settings that a text advises, in its order.

    >>> from engine.wording.setting_names import naming_settings
    >>> advice = naming_settings("Or set {it}.", it=SettingName("missing", "most-frequent", "own-level"))
    >>> [each.title for each in advised_changes(advice)]
    ['Missing values: fill in', 'Missing values: a category of their own']
    """
    return tuple(change for setting in settings_in(text) for change in _changes(setting))


def in_window_words(text: str) -> str:
    """Name the settings in a text, their values and the columns as the window does.

    >>> from engine.wording.setting_names import naming_settings
    >>> in_window_words(naming_settings("set {it}.", it=SettingName("missing", "most-frequent", "own-level")))
    'set “Missing values” to “Fill in” or “A category of their own”.'
    >>> in_window_words(naming_settings("take it out, or raise {it}.", it=SettingName("max_levels")))
    'take it out, or raise “Most categories”.'
    >>> in_window_words("the label 'ill' has one value.")
    'the label “ill” has one value.'
    """
    return in_curved_marks(str(named_by(text, _called_in_window)))


def _called_in_window(setting: SettingName) -> str | SettingName:
    class_and_parameter = _find(setting.name)
    if class_and_parameter is None:
        return setting
    _settings_class, parameter = class_and_parameter
    title = f"“{_(parameter.title)}”"
    if not setting.values:
        return title
    values = either([_written_value(parameter, value) for value in setting.values])
    return _("{title} to {values}", title=title, values=values)


def _changes(setting: SettingName) -> list[SettingChange]:
    class_and_parameter = _find(setting.name)
    if class_and_parameter is None:
        return []
    settings_class, parameter = class_and_parameter
    changes = []
    for written in setting.values:
        value: Any = _FLAGS.get(written, written) if parameter.kind == "flag" else written
        try:
            parameter.check(value)
        except InvalidParameter:
            continue
        words = value_text(parameter, value)
        title = f"{_(parameter.title)}: {words[:1].lower()}{words[1:]}"
        changes.append(SettingChange(settings_class, setting.name, value, title))
    if setting.columns:
        named = plain_listing([f"“{name}”" for name in setting.columns], _MOST_COLUMNS)
        title = _(_IN_COLUMNS, title=_(parameter.title), columns=named)
        changes.append(SettingChange(settings_class, setting.name, setting.columns, title))
    return changes


_MOST_COLUMNS = 3
_IN_COLUMNS = N_("{title} in {columns}")


def _find(name: str) -> tuple[type, Parameter] | None:
    """Return a setting that the window offers, with its class; None where it is none of these."""
    for settings_class in (PreparationSettings, DiscoverySettings, ReadingOptions):
        for parameter in parameters_of(settings_class):
            if parameter.name == name:
                return settings_class, parameter
    return None


def _written_value(parameter: Parameter, value: str) -> str:
    if parameter.kind == "flag":
        return f"“{_(value)}”"
    return f"“{value_text(parameter, value)}”"
