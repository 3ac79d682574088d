"""What a table is like, as far as it decides which kernels a run needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.table.dataset import Dataset


@dataclass(frozen=True, slots=True)
class TableTraits:
    """Traits for which tests and searches are compiled on their own, when a table first has them.

    Attributes
    ----------
    incomplete : bool
        Labels or features have missing values.
    weighted : bool
        Rows have weights.
    numbers : bool
        A label or feature is continuous.
    grouped : bool
        Rows come in groups.
    """

    incomplete: bool = False
    weighted: bool = False
    numbers: bool = False
    grouped: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The traits in words; none for a usual table."""
        return tuple(each.name for each in fields(self) if getattr(self, each.name))

    @classmethod
    def of_words(cls, words: Iterable[str]) -> TableTraits:
        """Make traits of their words.

        Examples
        --------
        >>> TableTraits.of_words(["incomplete"]).words
        ('incomplete',)
        """
        return cls(**dict.fromkeys(words, True))


USUAL_TRAITS = TableTraits()


def traits_of(dataset: Dataset) -> TableTraits:
    """Tell what a table is like."""
    return TableTraits(
        incomplete=dataset.has_missing,
        weighted=dataset.weight is not None,
        numbers=dataset.has_numbers,
        grouped=dataset.groups is not None,
    )
