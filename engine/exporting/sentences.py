"""The findings in plain text, for the report, the terminal and the spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.exporting import phrases
from engine.exporting.overview import Overview

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult


def listing(names: Sequence[str], most: int = 0) -> str:
    """List names as a person does.

    Parameters
    ----------
    names : sequence of str
    most : int
        How many are written out; the rest is counted. 0 writes all.

    Examples
    --------
    >>> listing(["a", "b", "c"]), listing(["a", "b", "c", "d"], most=2)
    ('a, b and c', 'a, b and 2 more')
    """
    return phrases.plain(phrases.listing(names, most))


def summary_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Say what was found, after what a stopped run did not finish."""
    overview = Overview(result)
    told = (overview.partial(), *overview.summary())
    return tuple(phrases.plain(sentence) for sentence in told if sentence)


def run_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Say on what the findings rest: rows, tests, how many tests had too few rows."""
    return tuple(map(phrases.plain, Overview(result).run()))


def relation_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Say which labels are in the boundary of one another, one sentence a pair, the strongest first."""
    return tuple(map(phrases.plain, Overview(result).label_relations()))
