"""How often findings came back: a table of its own, and a further column of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.discovery.stability.result import StabilityResult
from engine.exporting.analysis import Analysis
from engine.exporting.cells import Row, Table

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult

COLUMN = "found_again"


def stability_table(analysis: Analysis) -> Table:
    """One row for each feature and label found, and for each near miss, with how often they came back."""
    frame = analysis.result.found_again
    rows = frame.astype(object).itertuples(index=False, name=None)
    return Table("Found again", tuple(frame.columns), tuple(rows))


def with_found_again(
    table: Table, result: DiscoveryResult, count: Callable[[StabilityResult, Row], int]
) -> Table:
    """Add how often each row was found again, as a share; nothing where the search was not repeated.

    Parameters
    ----------
    table : Table
    result : DiscoveryResult
    count : callable
        Gives the number of repetitions that found what a row says.
    """
    stability = result.stability
    if stability is None:
        return table
    rows = tuple((*row, stability.share(count(stability, row))) for row in table.rows)
    return replace(table, columns=(*table.columns, COLUMN), rows=rows)
