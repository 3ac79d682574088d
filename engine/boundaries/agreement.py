"""Whether a neighbour must be found from both sides, from one, or from the side of the target."""

from __future__ import annotations

from enum import Enum


class Agreement(Enum):
    """What it takes for X to be a neighbour of T."""

    OWN_SIDE = "own side"
    """The search of T finds X."""

    BOTH_SIDES = "both sides"
    """The search of T finds X, and the search of X finds T."""

    EITHER_SIDE = "either side"
    """The search of T finds X, or the search of X finds T."""
