"""Addresses of links that select something or lead to a step."""

from __future__ import annotations

from urllib.parse import quote, unquote

from clcd_gui.core.selection import SelectedPair

_SCHEME = "select:"
_STEP_SCHEME = "step:"
_SEPARATOR = "/"


def anchor(pair: SelectedPair) -> str:
    """Give the address of a link that selects a pair.

    Examples
    --------
    >>> anchor(SelectedPair("blood pressure", "ill"))
    'select:blood%20pressure/ill'
    """
    parts = (quote(part or "", safe="") for part in (pair.feature, pair.label))
    return _SCHEME + _SEPARATOR.join(parts)


def pair_of_anchor(address: str) -> SelectedPair | None:
    """Give the pair that a link selects, or None when it is a link to something else.

    Examples
    --------
    >>> pair_of_anchor("select:blood%20pressure/")
    SelectedPair(feature='blood pressure', label=None)
    """
    if not address.startswith(_SCHEME):
        return None
    feature, _, label = address[len(_SCHEME) :].partition(_SEPARATOR)
    return SelectedPair(unquote(feature) or None, unquote(label) or None)


def step_anchor(step: str) -> str:
    """Give the address of a link that leads to a step.

    Examples
    --------
    >>> step_of_anchor(step_anchor("method"))
    'method'
    """
    return _STEP_SCHEME + step


def step_of_anchor(address: str) -> str | None:
    """Give the step that a link leads to, or None when it is a link to something else."""
    return address.removeprefix(_STEP_SCHEME) if address.startswith(_STEP_SCHEME) else None
