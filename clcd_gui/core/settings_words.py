"""Settings in one line, and what changed between two of them, in the words of the registry."""

from __future__ import annotations

from typing import Any

from clcd_gui.core.number_format import NUMBERS, counted
from clcd_gui.core.rich_text import NO_BREAK
from engine.discovery.result import DiscoveryResult
from engine.parameters import Parameter, parameters_of
from engine.reporting.sentences.method import value_in_words


def value_text(parameter: Parameter, value: Any) -> str:
    """Write the value of a setting as a person reads it."""
    return value_in_words(parameter, value, NUMBERS)


def summary(settings: Any, advanced: bool) -> str:
    """Write the plain or the advanced settings in one line.

    Examples
    --------
    >>> from engine.boundaries.settings import DiscoverySettings
    >>> summary(DiscoverySettings(), advanced=False)
    'HITON-MB · Suited to the table · Level α 0.01 · Conditioning size 3 · Benjamini-Hochberg'
    """
    parts = [
        _part(parameter, getattr(settings, parameter.name))
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


def rests_on(result: DiscoveryResult) -> str:
    """Say on how many rows and by which settings something was found, in one line."""
    rows = counted(result.dataset.row_count, "row")
    # A line must not begin with the dot between two settings.
    settings = summary(result.settings_used, advanced=False).replace(" · ", f"{NO_BREAK}· ")
    return f"{rows}. {settings}."


def lower_first(text: str) -> str:
    """Write a title inside a sentence; words that are capitals throughout stay."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def _part(parameter: Parameter, value: Any) -> str:
    text = value_text(parameter, value)
    if parameter.kind == "choice" and not parameter.advanced:
        return text
    return f"{parameter.title} {lower_first(text)}"
