"""Remedies that name what there is to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

CHOOSE_ONE = "Choose one of: {names}."
CHOOSE_AMONG = "Choose among: {names}."
DID_YOU_MEAN = "Did you mean {names}?"


def choose_one(names: Iterable[str]) -> str:
    """Name everything of which one can be chosen.

    Examples
    --------
    >>> choose_one(["g2", "x2"])
    'Choose one of: g2, x2.'
    """
    return CHOOSE_ONE.format(names=", ".join(names))


def choose_among(names: Iterable[str]) -> str:
    """Name everything of which several can be chosen.

    Examples
    --------
    >>> choose_among(["precision", "recall"])
    'Choose among: precision, recall.'
    """
    return CHOOSE_AMONG.format(names=", ".join(names))


def nearest_or(name: str, known: Iterable[str], otherwise: str) -> str:
    """Ask whether a known name was meant that is like the given one; say something else when none is.

    Parameters
    ----------
    name : str
        As it was given.
    known : iterable of str
        The names there are.
    otherwise : str
        The remedy when none of them is like it.

    Examples
    --------
    >>> nearest_or("mising", ["missing", "bins"], "Leave it out.")
    "Did you mean 'missing'?"
    >>> nearest_or("colour", ["missing", "bins"], "Leave it out.")
    'Leave it out.'
    """
    near = get_close_matches(name, list(known), n=1)
    return DID_YOU_MEAN.format(names=f"'{near[0]}'") if near else otherwise
