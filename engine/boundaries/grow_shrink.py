"""Grow-Shrink: whatever depends on the target given the members comes in; then all are re-tested.

Margaritis and Thrun (1999), Bayesian network induction via local neighborhoods, NIPS 12:505-511, Figure 2.
"""

from __future__ import annotations

from engine.boundaries.growth import Growth
from engine.boundaries.search import SearchTask, UndividedSearch


def search(task: SearchTask) -> UndividedSearch:
    """Find a Markov boundary, trying variables in the fixed order of their association with the target."""
    growth = Growth(task)
    while (dependent := growth.dependent()).size:
        growth.members.append(int(dependent[0]))
    growth.shrink()
    return growth.result()
