"""Ways in which rows depend on each other, and what can be done about them, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from engine.recipe.step import Step
from engine.table.dataset import Dataset
from engine.table.variable import Role
from engine.translation import N_
from engine.wording.notes import Note

if TYPE_CHECKING:
    import pandas

DEPENDENT_ROWS = "dependent-rows"
"""Topic of the note about them."""


class DependenceKind(StrEnum):
    """What makes rows alike."""

    GROUPS = "groups"
    ORDER = "order"
    COPIES = "copies"


@dataclass(frozen=True, slots=True)
class RowOffer:
    """What can be done about rows that are not independent."""

    title: str  # a verb phrase, as on a button
    sentence: str  # what it does
    option: str  # the same in a terminal
    groups: str = ""  # column by which rows are grouped; empty where a step makes it
    step: Step | None = None  # makes the groups of rows, or a column; None where a column has the groups

    def apply(self, dataset: Dataset) -> Dataset:
        """Return the table with its rows grouped, or with the further column."""
        if self.step is not None:
            return self.step.apply(dataset).dataset
        return dataset.with_roles({self.groups: Role.GROUPS})


@dataclass(frozen=True, slots=True)
class RowDependence:
    """One way in which rows depend on each other."""

    kind: DependenceKind
    # what groups or orders the rows, and what separates series; empty for the order of the rows
    columns: tuple[str, ...]
    figure: float  # median correlation of rows of a group or of neighbours; the share of copies
    inflation: float  # factor on the variance of an association, at most, over pairs of a label and a feature
    correlations: tuple[tuple[str, str, float], ...]  # name, role and correlation of each column concerned
    title: str
    sentence: str
    offers: tuple[RowOffer, ...] = ()  # the best first


@dataclass(frozen=True)
class DependentRows:
    """All dependence between the rows of a table. It is false if there is none.

    Attributes
    ----------
    dependences : tuple of RowDependence
        Each kind of dependence, the most serious first.

    Examples
    --------
    >>> bool(DependentRows()), DependentRows().notes
    (False, ())
    """

    dependences: tuple[RowDependence, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.dependences)

    def __len__(self) -> int:
        return len(self.dependences)

    def __iter__(self) -> Iterator[RowDependence]:
        return iter(self.dependences)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """One note for each way but copies, which have a note of their own."""
        return tuple(
            Note(
                DEPENDENT_ROWS,
                " ".join([dependence.sentence, *(f"{offer.title}." for offer in dependence.offers[:1])]),
                "".join(dependence.columns[:1]),
                # What numbers the persons, or the days, is linked to what is alike in them.
                columns=(*(name for name, _, _ in dependence.correlations), *dependence.columns),
            )
            for dependence in self.dependences
            if dependence.kind is not DependenceKind.COPIES
        )

    def table(self) -> pandas.DataFrame:
        """Return one row for each way and column concerned.

        Returns
        -------
        pandas.DataFrame
            Columns: kind, by, column, role, correlation.
        """
        import pandas

        rows = [
            (str(dependence.kind), " and ".join(dependence.columns), *concerned)
            for dependence in self.dependences
            for concerned in dependence.correlations
        ]
        return pandas.DataFrame(rows, columns=["kind", "by", "column", "role", "correlation"])


NOT_INDEPENDENT, PERHAPS_NOT_INDEPENDENT = N_("Rows are not independent"), N_("Rows may not be independent")
WHAT_IT_DOES = N_("Tests treat each row as an independent case, so unrelated columns can look linked.")
