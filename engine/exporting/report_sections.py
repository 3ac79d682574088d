"""The parts of the report that show findings, as plain values for the template."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from engine.discovery.evidence import Evidence, Rule
from engine.discovery.result import equivalence_share
from engine.exporting.direction_words import because, relation_text
from engine.exporting.equivalence_words import missed_text
from engine.exporting.numbers import ENGLISH, NO_NUMBER, degrees_text, p_text, statistic_text
from engine.exporting.phrases import plain
from engine.exporting.sentences import listing
from engine.exporting.stability_words import times_text
from engine.exporting.tables import feature_type

if TYPE_CHECKING:
    from engine.discovery.evidence import Equivalence, MissedShare
    from engine.discovery.result import DiscoveryResult

MOST_ROWS = 200
MOST_GRID_ROWS, MOST_GRID_COLUMNS = 60, 30

_SYMBOLS = {
    Rule.NEIGHBOUR: ("●", "direct neighbour"),
    Rule.SPOUSE: ("▲", "spouse"),
    Rule.NEIGHBOUR_EQUIVALENT: ("◇", "interchangeable"),
    Rule.SPOUSE_EQUIVALENT: ("◇", "interchangeable"),
}

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Section(Generic[Item]):
    """Rows of a table, at most as many as a person reads.

    Attributes
    ----------
    rows : tuple
        What is shown.
    shown, total : int
        How many findings are shown, and how many there are.
    """

    rows: tuple[Item, ...]
    shown: int
    total: int

    @property
    def is_cut(self) -> bool:
        """Whether some findings are not shown."""
        return self.shown < self.total


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """One feature and label with the strongest reason and its figures."""

    feature: str
    label: str
    relation: str
    others: int
    statistic: str
    degrees: str
    p: str
    strength: float
    recovered: bool
    again: str


@dataclass(frozen=True, slots=True)
class CommonRow:
    """A common variable with its reasons, one a label."""

    feature: str
    reasons: tuple[ReasonRow, ...]


@dataclass(frozen=True, slots=True)
class LabelGroup:
    """A label with the variables that count for it alone."""

    label: str
    reasons: tuple[ReasonRow, ...]


@dataclass(frozen=True, slots=True)
class LabelRow:
    """How much was found for a label."""

    label: str
    common: int
    specific: int
    related: str
    finished: bool


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of the variable × label grid; `symbol` is empty when the variable does not count."""

    symbol: str
    word: str
    strength: float


@dataclass(frozen=True, slots=True)
class GridRow:
    """A variable in the grid."""

    feature: str
    type: str
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True)
class EquivalenceRow:
    """Variables that are interchangeable about a target, or not told apart."""

    target: str
    in_boundary: str
    equivalent: str
    p_values: tuple[str, ...]
    missed: tuple[str, str]
    found_again: str


@dataclass(frozen=True, slots=True)
class DirectionRow:
    """A neighbour of a label that is known to be a cause or an effect, with what tells it."""

    feature: str
    label: str
    direction: str
    because: str


def reason_row(result: DiscoveryResult, feature: str, label: str) -> ReasonRow:
    """Give the strongest reason for a pair; how many others there are is counted."""
    reason, *others = result.reasons(feature, label)
    test = reason.tests[0] if reason.tests else None
    return ReasonRow(
        feature=feature,
        label=label,
        relation=relation_text(result, reason),
        others=len(others),
        statistic=statistic_text(test.statistic) if test else "–",
        degrees=degrees_text(test.dof) if test else "–",
        p=p_text(test.p_value, test.log_p) if test else "–",
        strength=reason.strength,
        recovered=reason.recovered,
        again=_again(result, feature, label),
    )


def _again(result: DiscoveryResult, feature: str, label: str) -> str:
    """Say how often a pair was found again; empty where the search was not repeated."""
    stability = result.stability
    return "" if stability is None else times_text(stability.times_found(feature, label), stability.finished)


def common_section(result: DiscoveryResult) -> Section[CommonRow]:
    """List common variables, most labels first."""
    found = list(zip(result.common["feature"], result.common["labels"], strict=True))
    rows = tuple(
        CommonRow(feature, tuple(reason_row(result, feature, label) for label in labels))
        for feature, labels in found[:MOST_ROWS]
    )
    return Section(rows, len(rows), len(found))


def label_specific_section(result: DiscoveryResult) -> Section[LabelGroup]:
    """List label-specific variables by label; of too many, each label keeps its strongest."""
    found = list(zip(result.label_specific["feature"], result.label_specific["label"], strict=True))
    kept = _evenly(found, MOST_ROWS)
    groups: dict[str, list[ReasonRow]] = {}
    for feature, label in kept:
        groups.setdefault(label, []).append(reason_row(result, feature, label))
    rows = tuple(LabelGroup(label, tuple(reasons)) for label, reasons in groups.items())
    return Section(rows, len(kept), len(found))


def label_section(result: DiscoveryResult) -> tuple[LabelRow, ...]:
    """Count the variables of each label, and name the labels related to it."""
    rows = []
    for label in result.dataset.labels:
        own = [labels for labels in result.label_sets.values() if label in labels]
        common = sum(len(labels) > 1 for labels in own)
        related = [each.feature for each in result.label_evidence.values() if each.label == label]
        finished = label not in result.unfinished_labels
        rows.append(LabelRow(label, common, len(own) - common, listing(related), finished))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Grid:
    """The variable × label grid."""

    labels: tuple[str, ...]
    section: Section[GridRow]


def grid_section(result: DiscoveryResult) -> Grid | None:
    """Cross variables with labels; None when there are too many labels for a page."""
    labels = result.dataset.labels
    if len(labels) > MOST_GRID_COLUMNS or not result.label_sets:
        return None
    features = [*result.common["feature"], *result.label_specific["feature"]]
    rows = tuple(
        GridRow(
            feature,
            feature_type(result, feature),
            tuple(_cell(result.reasons(feature, label)) for label in labels),
        )
        for feature in features[:MOST_GRID_ROWS]
    )
    return Grid(labels, Section(rows, len(rows), len(features)))


def equivalence_section(result: DiscoveryResult) -> Section[EquivalenceRow]:
    """List interchangeable variables with the p-values of their four tests and what each misses at most."""
    return _equivalences(result, result.equivalence_records)


def undistinguished_section(result: DiscoveryResult) -> Section[EquivalenceRow]:
    """List likewise the variables that these rows do not tell apart."""
    return _equivalences(result, result.undistinguished_records)


def _equivalences(result: DiscoveryResult, records: Sequence[Equivalence]) -> Section[EquivalenceRow]:
    rows = tuple(
        EquivalenceRow(
            record.target,
            listing(record.in_boundary),
            listing(record.equivalent),
            tuple(
                p_text(test.p_value, test.log_p)
                for test in (
                    record.target_in_boundary,
                    record.target_equivalent,
                    record.equivalent_given_boundary,
                    record.boundary_given_equivalent,
                )
            ),
            (_missed(record.missed_by_boundary), _missed(record.missed_by_equivalent)),
            _equivalence_again(result, record),
        )
        for record in records[:MOST_ROWS]
    )
    return Section(rows, len(rows), len(records))


def _missed(found: MissedShare | None) -> str:
    return NO_NUMBER if found is None else missed_text(found.limit)


def _equivalence_again(result: DiscoveryResult, record: Equivalence) -> str:
    if result.stability is None:
        return ""
    share = equivalence_share(result, result.stability, record)
    return NO_NUMBER if math.isnan(share) else ENGLISH.share(share)


def direction_section(result: DiscoveryResult) -> Section[DirectionRow]:
    """List the neighbours that are known to be causes or effects, by label, with what tells it."""
    labels = result.dataset.labels
    told = [each for each in result.orientation_records.values() if each.because is not None]
    rows = tuple(
        DirectionRow(each.feature, each.label, str(each.direction), plain(because(each, labels)))
        for each in told[:MOST_ROWS]
    )
    return Section(rows, len(rows), len(told))


def _cell(reasons: tuple[Evidence, ...]) -> GridCell:
    if not reasons:
        return GridCell("", "", 0.0)
    symbol, word = _SYMBOLS[reasons[0].rule]
    return GridCell(symbol, word, reasons[0].strength)


def _evenly(found: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """Keep at most `most` pairs, the first of every label before the second of any."""
    if len(found) <= most:
        return list(found)
    seen: dict[str, int] = {}
    ranked = []
    for place, (_, label) in enumerate(found):
        seen[label] = seen.get(label, 0) + 1
        ranked.append((seen[label], place))
    return [found[place] for place in sorted(place for _, place in sorted(ranked)[:most])]
