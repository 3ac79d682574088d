"""What tables and grids ask of features, whether they were found or selected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from engine.discovery.evidence import Relation
from engine.discovery.findings import Findings


class Listed(Protocol):
    """A feature as tables and grids show it, whether it was found or selected."""

    @property
    def feature(self) -> str:
        """Its name."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that it counts for, in column order; one at least."""

    @property
    def relations(self) -> tuple[Relation, ...]:
        """How it stands to each of them."""

    @property
    def strengths(self) -> tuple[float, ...]:
        """How much it tells about each of them, between 0 and 1."""

    @property
    def strength(self) -> float:
        """The greatest of these strengths."""

    @property
    def is_common(self) -> bool:
        """Whether it counts for two or more labels."""

    @property
    def led_by(self) -> str | None:
        """The interchangeable feature under which it is shown, if any."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which it is looked for."""


class Listing(Protocol):
    """Features with the labels that they count for, as the grid shows them."""

    @property
    def all(self) -> Sequence[Listed]:
        """Every feature, in the order that matters."""

    @property
    def finished_labels(self) -> tuple[str, ...]:
        """Labels whose search was finished, in column order."""

    def in_column_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Sort names of variables as the columns of the table are."""


def is_of_same_table(before: Findings | None, after: Findings | None) -> bool:
    """Tell whether two results are of the same columns and labels, so that views stay as they are."""
    if before is None or after is None:
        return False
    return (before.columns, before.labels) == (after.columns, after.labels)
