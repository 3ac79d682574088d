"""Everything that a comparison of selectors found so far: what each method made of each split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings
from engine.comparison.selectors.methods import CLCD_FS
from engine.comparison.selectors.prediction import PredictionFigures


@dataclass(frozen=True, slots=True)
class SelectionOutcome:
    """The selection of one method in one split, and how well labels are predicted from it."""

    data_set: str
    split: int  # its number, from 0
    method: str
    order: tuple[int, ...]  # positions of features, best first; those that it leaves out are absent
    has_own_number: bool  # the method chose how many there are
    options: Mapping[str, float]  # those it was called with
    # pairs of a feature and a label that it serves; empty when the method does not say
    served: tuple[tuple[int, int], ...]
    # of one selection with these options, on the clock and of the processor; tuning not counted
    seconds: float
    processor_seconds: float
    figures: Mapping[int, PredictionFigures]  # by number of features

    @property
    def own_number(self) -> int | None:
        """How many features it chose; None when it leaves their number open."""
        return len(self.order) if self.has_own_number else None


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What is compared on."""

    name: str
    rows: int
    features: tuple[str, ...]
    labels: tuple[str, ...]
    cardinality: float
    is_filled: bool = False


@dataclass(frozen=True)
class SelectionComparison:
    """Results of a comparison of feature selectors.

    Attributes
    ----------
    settings : SelectionComparisonSettings
        Settings of the comparison.
    tables : tuple of TableFacts
        The tables, in the order given.
    methods : tuple of str
        Names of the methods, in the order shown.
    outcomes : tuple of SelectionOutcome
        One per finished combination of table, method and split.

    Examples
    --------
    >>> SelectionComparison(SelectionComparisonSettings(), (), ("clcd-fs",), ()).is_partial
    False
    """

    settings: SelectionComparisonSettings
    tables: tuple[TableFacts, ...]
    methods: tuple[str, ...]
    outcomes: tuple[SelectionOutcome, ...]

    @property
    def planned(self) -> int:
        """Number of outcomes of the whole comparison."""
        return len(self.tables) * len(self.methods) * self.settings.splits

    @property
    def is_partial(self) -> bool:
        """Whether some outcomes are missing."""
        return len(self.outcomes) < self.planned

    def of(self, table: str, method: str) -> tuple[SelectionOutcome, ...]:
        """Return the outcomes of a method on a table, by split."""
        return self._by_kind.get((table, method), ())

    def figures(self, table: str, method: str, metric: str, size: int | None = None) -> dict[int, float]:
        """Return a figure by split.

        Parameters
        ----------
        table, method, metric : str
        size : int, optional
            Number of features. By default as many as CLCD-FS has in that split, or as many as the method
            itself chooses.

        Returns
        -------
        dict of int to float
            Without splits in which there is none.
        """
        by_split: dict[int, float] = {}
        for outcome in self.of(table, method):
            wanted = size if size is not None else self.compared_size(outcome)
            if wanted is not None and wanted in outcome.figures:
                by_split[outcome.split] = getattr(outcome.figures[wanted], metric)
        return by_split

    def equal_size(self, table: str, split: int) -> int | None:
        """Return the number of features that CLCD-FS selected in a split; None when it is not known."""
        return next(
            (outcome.own_number for outcome in self.of(table, CLCD_FS) if outcome.split == split), None
        )

    def compared_size(self, outcome: SelectionOutcome) -> int | None:
        """Return the number of features at which a method is compared: its own, or else that of CLCD-FS."""
        own = outcome.own_number
        return own if own is not None else self.equal_size(outcome.data_set, outcome.split)

    def served(self, table: str) -> dict[tuple[int, int], int]:
        """Count in how many splits CLCD-FS selected a feature for a label, by their positions."""
        return dict(Counter(pair for outcome in self.of(table, CLCD_FS) for pair in outcome.served))

    @cached_property
    def _by_kind(self) -> dict[tuple[str, str], tuple[SelectionOutcome, ...]]:
        by_kind: dict[tuple[str, str], tuple[SelectionOutcome, ...]] = {}
        for outcome in sorted(self.outcomes, key=lambda finished: finished.split):
            kind = (outcome.data_set, outcome.method)
            by_kind[kind] = (*by_kind.get(kind, ()), outcome)
        return by_kind
