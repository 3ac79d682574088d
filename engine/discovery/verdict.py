"""What is said of two sets of variables that may tell the same about a target."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Verdict(StrEnum):
    """What is known of two sets of which neither is seen to tell more than the other."""

    INTERCHANGEABLE = "interchangeable"
    NOT_TOLD_APART = "not told apart"


class MissedShare(NamedTuple):
    """What share of what one set of variables tells about a target another one misses.

    Attributes
    ----------
    estimate : float
        The share, at least 0; infinite where nothing is told that could be missed.
    limit : float
        Upper confidence limit of it; infinite where it is not known that anything is told.
    """

    estimate: float
    limit: float
