"""What a reader must know before a finding is believed: few rows, rows that are no cases of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from engine.execution.remembering import ComputedOnce
from engine.independence.reflective import ReflectiveBlock
from engine.preparation.dependence import DEPENDENT_ROWS
from engine.preparation.made_from_labels import MADE_FROM_LABELS
from engine.table.dataset import Dataset
from engine.table.repeated_rows import REPEATED_ROWS
from engine.table.row_weights import COUNTS, SAMPLING
from engine.table.variable import missing_mask
from engine.translation import N_, _, for_count
from engine.wording.numbers import ENGLISH, count_text
from engine.wording.phrases import plain_listing

# A level, or a side of a label, that fewer rows have is rare.
_FEWEST_ROWS = 20
# Share of rows without a value from which others may differ from those that are left.
_HEAVY_LOSS = 0.3
_MOST_NAMES = 8
# Variances from sums over groups are too small with fewer (Cameron and Miller 2015, A practitioner's guide to
# cluster-robust inference, Journal of Human Resources 50:317-372).
_FEWEST_GROUPS = 40


class FlagKind(StrEnum):
    """Of which kind a doubt is."""

    MADE_FROM_LABELS = "made from labels"
    RARE_LABEL = "rare label"
    RARE_VARIABLE = "rare level"
    DEPENDENT_ROWS = "dependent rows"
    REPEATED_ROWS = "repeated rows"
    FEW_GROUPS = "few groups of rows"
    ROWS_LOST = "rows lost"
    ITEM = "item of a block"


FLAG_WORDS = {
    FlagKind.MADE_FROM_LABELS: N_("linked exactly"),
    FlagKind.RARE_LABEL: N_("rare label"),
    FlagKind.RARE_VARIABLE: N_("rare level"),
    FlagKind.DEPENDENT_ROWS: N_("dependent rows"),
    FlagKind.REPEATED_ROWS: N_("repeated rows"),
    FlagKind.FEW_GROUPS: N_("few groups of rows"),
    FlagKind.ROWS_LOST: N_("rows lost"),
    FlagKind.ITEM: N_("item of a block"),
}


@dataclass(frozen=True, slots=True)
class Flag:
    """A doubt about a finding."""

    kind: FlagKind
    sentence: str

    @property
    def questions_link(self) -> bool:
        """Whether the link itself is in doubt, and not only what changing the variable would do."""
        return self.kind is not FlagKind.ITEM


_RARE_IN_ROWS = (
    N_("Only {count} row differs from the most frequent value of “{name}”, so findings on it are uncertain."),
    N_("Only {count} rows differ from the most frequent value of “{name}”, so findings on it are uncertain."),
)
_RARE_IN_GROUPS = (
    N_(
        "Only {count} group of rows differs from the most frequent value of “{name}”, so findings "
        "on it are uncertain."
    ),
    N_(
        "Only {count} groups of rows differ from the most frequent value of “{name}”, so findings "
        "on it are uncertain."
    ),
)


_LEFT_OUT = N_(
    "{share} of the rows lack “{feature}” or “{label}” and are left out. The other rows may differ from them."
)
_ITEM = N_(
    "“{name}” is one of {count} columns that reflect one thing: {members}. Changing one item alone does not "
    "change what they reflect. So CLCD states the link, but no causal direction and no effect of changing it."
)
_PERHAPS_ITEM = N_(
    "“{name}” may be one of {count} columns that reflect one thing: {members}. These rows do not "
    "show whether they are such items, or causes with links of their own. So CLCD states no causal "
    "direction and no effect of changing it."
)
_DRAWN = N_("{share} of the rows lack “{feature}” or “{label}”, so the finding depends on imputed values.")


class Flags:
    """Doubts about the pairs of a table; what they rest on is counted once for each variable."""

    def __init__(
        self, dataset: Dataset, row_weights: str = SAMPLING, blocks: Sequence[ReflectiveBlock] = ()
    ) -> None:
        self._dataset = dataset
        self._block_of = {name: block for block in blocks for name in block.members}
        self._groups = dataset.row_groups
        self._counts = dataset.row_weights if row_weights == COUNTS else None
        self._rows_beside: ComputedOnce[str, int] = ComputedOnce()
        self._rows_missing: ComputedOnce[str, np.ndarray | None] = ComputedOnce()

    def of(self, feature: str, label: str) -> tuple[Flag, ...]:
        """Return the doubts about a variable and a label, the gravest first; none where all is well."""
        flags = [
            self._made(feature),
            self._rare(FlagKind.RARE_LABEL, label),
            self._rare(FlagKind.RARE_VARIABLE, feature),
            self._dependent(feature, label),
            self._of_rows,
            self._lost(feature, label),
            self._item(feature),
        ]
        return tuple(flag for flag in flags if flag is not None)

    def _made(self, feature: str) -> Flag | None:
        """Tell whether a feature is made from labels."""
        for note in self._dataset.notes:
            names = (note.variable,) if note.variable else note.columns
            if note.topic == MADE_FROM_LABELS and feature in names:
                return Flag(FlagKind.MADE_FROM_LABELS, note.text)
        return None

    def _rare(self, kind: FlagKind, name: str) -> Flag | None:
        count = self._rows_beside.value(name, self._beside_most_frequent)
        if count >= _FEWEST_ROWS:
            return None
        sentence = for_count(count, *(_RARE_IN_ROWS if self._groups is None else _RARE_IN_GROUPS))
        return Flag(kind, sentence.format(count=count_text(count), name=name))

    def _beside_most_frequent(self, name: str) -> int:
        """Count rows, or groups, without a variable's most frequent value; if many, never too few."""
        values, missing = self._dataset.column(name), self._missing(name)
        present = slice(None) if missing is None else ~missing
        values = values[present]
        if self._groups is None and self._counts is None:
            # A value that all rows have but a few is that of the middle of any few more than twice as many.
            some = np.sort(values[: 2 * _FEWEST_ROWS + 1])
            beside = int((values != some[len(some) // 2]).sum()) if len(some) else 0
            if beside >= _FEWEST_ROWS and len(values) > 2 * _FEWEST_ROWS:
                return beside
        _, codes = np.unique(values, return_inverse=True)
        if not len(codes):
            return 0
        own = None if self._counts is None else self._counts[present]
        is_beside = codes != np.bincount(codes, own).argmax()
        if self._groups is not None:
            return len(np.unique(self._groups[present][is_beside]))
        return int(is_beside.sum() if own is None else own[is_beside].sum())

    def _missing(self, name: str) -> np.ndarray | None:
        """Tell which rows miss a value; None where none does."""
        return self._rows_missing.value(name, self._find_missing)

    def _find_missing(self, name: str) -> np.ndarray | None:
        missing = missing_mask(self._dataset.variable(name), self._dataset.column(name))
        return missing if missing.any() else None

    def _dependent(self, feature: str, label: str) -> Flag | None:
        """Tell whether rows that are alike in both may have made the finding."""
        for note in self._dataset.notes:
            if note.topic == DEPENDENT_ROWS and {feature, label} <= set(note.columns):
                return Flag(FlagKind.DEPENDENT_ROWS, note.text)
        return None

    @cached_property
    def _of_rows(self) -> Flag | None:
        """What is wrong with the rows of the whole table."""
        note = next(
            (table_note for table_note in self._dataset.notes if table_note.topic == REPEATED_ROWS), None
        )
        if note is not None:
            return Flag(FlagKind.REPEATED_ROWS, note.text)
        count = _FEWEST_GROUPS if self._groups is None else int(self._groups.max(initial=-1)) + 1
        if count >= _FEWEST_GROUPS:
            return None
        return Flag(
            FlagKind.FEW_GROUPS,
            _(
                "There are only {count:,} groups of rows, so p-values and stability are less reliable.",
                count=count,
            ),
        )

    def _item(self, name: str) -> Flag | None:
        """Say that a variable is one of several that reflect one thing."""
        block = self._block_of.get(name)
        if block is None:
            return None
        members = plain_listing([f"“{member}”" for member in block.members], _MOST_NAMES)
        sentence = _ITEM if block.is_shown else _PERHAPS_ITEM
        return Flag(FlagKind.ITEM, _(sentence, name=name, count=len(block.members), members=members))

    def _lost(self, feature: str, label: str) -> Flag | None:
        missing = [mask for mask in map(self._missing, (feature, label)) if mask is not None]
        share = float(np.average(np.logical_or.reduce(missing), weights=self._counts)) if missing else 0.0
        if share < _HEAVY_LOSS:
            return None
        sentence = _LEFT_OUT if self._dataset.imputed is None else _DRAWN
        text = _(sentence, share=ENGLISH.share(share), feature=feature, label=label)
        return Flag(FlagKind.ROWS_LOST, text)
