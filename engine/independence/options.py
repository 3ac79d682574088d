"""What is to be decided about a test besides which one it is, and what a table is like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import product
from typing import TYPE_CHECKING

from engine.table.row_weights import SAMPLING

if TYPE_CHECKING:
    from engine.table.dataset import Dataset


@dataclass(frozen=True, slots=True)
class TestOptions:
    """Options of all tests; each reads what concerns it."""

    __test__ = False

    dof: str = "effective"  # "effective", "adjusted" or "nominal" degrees of freedom
    min_rows_per_dof: float = 0.0  # reliability rules; 0 switches one off
    min_rows_per_cell: float = 0.0
    row_weights: str = SAMPLING  # what a weight column says: "sampling" or "counts"
    permutations: int = 999  # most permutations of a test
    permutation_seed: int = 0
    degree: int | None = None  # of the polynomials of a number; None: more with more rows

    @property
    def weights_are_of_a_sample(self) -> bool:
        """Whether weights say how a population was sampled, and not how often a row occurred."""
        return self.row_weights == SAMPLING

    @property
    def rules(self) -> dict[str, float]:
        """The reliability rules by name."""
        return {"min_rows_per_dof": self.min_rows_per_dof, "min_rows_per_cell": self.min_rows_per_cell}


@dataclass(frozen=True, slots=True)
class TableTraits:
    """Traits for which tests and searches are compiled on their own, when a table first has them."""

    incomplete: bool = False
    weighted: bool = False
    numbers: bool = False
    grouped: bool = False
    imputed: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The traits in words; none for a usual table."""
        return tuple(field.name for field in fields(self) if getattr(self, field.name))

    @classmethod
    def all_kinds(cls) -> Iterator[TableTraits]:
        """Yield the traits of every kind of table; values are imputed only where some are missing."""
        for incomplete, weighted, numbers, grouped, imputed in product((False, True), repeat=5):
            if incomplete or not imputed:
                yield cls(incomplete, weighted, numbers, grouped, imputed)


USUAL_TRAITS = TableTraits()


def traits_of(dataset: Dataset) -> TableTraits:
    """Tell what a table is like."""
    return TableTraits(
        incomplete=dataset.has_missing,
        weighted=dataset.weight is not None,
        numbers=dataset.has_numbers,
        grouped=dataset.groups is not None,
        imputed=dataset.imputed is not None and dataset.has_missing,
    )
