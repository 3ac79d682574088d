"""What was found, arranged for looking at: one entry a feature, with its labels, relations and strengths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Protocol

from engine.discovery.evidence import Equivalence, Evidence, Rule
from engine.discovery.orientation.direction import Direction, joint_direction
from engine.discovery.result import DiscoveryResult
from engine.reporting.sentences.directions import NOT_TOLD_APART
from engine.wording.phrases import listing, plain


class Relation(StrEnum):
    """How a feature stands to a label, as far as pictures tell it apart.

    A feature stands in the place of another label only among selected features.
    """

    NEIGHBOUR = "neighbour"
    IN_PLACE = "in place of a label"
    SPOUSE = "spouse"
    INTERCHANGEABLE = "interchangeable"


def relation_of(rule: Rule) -> Relation:
    """Return the relation that a rule amounts to."""
    if rule.is_equivalent:
        return Relation.INTERCHANGEABLE
    return Relation.NEIGHBOUR if rule is Rule.NEIGHBOUR else Relation.SPOUSE


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

    def absence(self, feature: str, label: str) -> str:
        """Say in a few words why a feature does not stand with a label."""


@dataclass(frozen=True, slots=True)
class Again:
    """In how many repetitions of the search a feature was found again.

    Attributes
    ----------
    times : tuple of int
        Repetitions that found it for each of its labels, in the order of these.
    finished : int
        Repetitions in all.
    """

    times: tuple[int, ...]
    finished: int

    @property
    def share(self) -> float:
        """The fewest times as a share, between 0 and 1."""
        return min(self.times) / self.finished


@dataclass(frozen=True, slots=True)
class Finding:
    """One causal feature.

    Attributes
    ----------
    feature : str
        Its name.
    labels : tuple of str
        Labels it counts for, in column order.
    reasons : tuple of Evidence
        The strongest reason for each of them.
    interchangeable : tuple of str
        Variables that tell the same as it, in column order.
    not_told_apart : tuple of str
        Variables that the rows do not tell apart from it, in column order.
    directions : tuple of Direction
        Of each of its labels, whether it is a cause, an effect, a spouse, or undecided.
    again : Again, optional
        How often it was found again; None where the search was not repeated.
    """

    feature: str
    labels: tuple[str, ...]
    reasons: tuple[Evidence, ...]
    interchangeable: tuple[str, ...] = ()
    directions: tuple[Direction, ...] = ()
    again: Again | None = None
    not_told_apart: tuple[str, ...] = ()

    @property
    def direction(self) -> str:
        """What it is to its labels, in the words of the engine; empty when nothing was examined."""
        if not self.directions:
            return ""
        return str(joint_direction(self.directions) if self.is_common else self.directions[0])

    @property
    def is_common(self) -> bool:
        """Whether it counts for two or more labels."""
        return len(self.labels) > 1

    @property
    def strength(self) -> float:
        """Greatest strength over its labels, between 0 and 1."""
        return max(self.strengths)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """How it stands to each of its labels."""
        return tuple(relation_of(reason.rule) for reason in self.reasons)

    @property
    def strengths(self) -> tuple[float, ...]:
        """How much it tells about each of its labels, between 0 and 1."""
        return tuple(reason.strength for reason in self.reasons)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which it is looked for."""
        return (self.feature, *self.labels, *self.interchangeable)


class Findings:
    """A discovery result as the views read it; everything is computed once, when first asked for.

    Parameters
    ----------
    result : DiscoveryResult
        What the engine found.
    """

    def __init__(self, result: DiscoveryResult) -> None:
        self.result = result

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label of the analysis, in column order."""
        return self.result.dataset.labels

    @cached_property
    def finished_labels(self) -> tuple[str, ...]:
        """Labels whose search was finished, in column order."""
        unfinished = set(self.result.unfinished_labels)
        return tuple(label for label in self.labels if label not in unfinished)

    @cached_property
    def all(self) -> tuple[Finding, ...]:
        """Common features first (most labels, then strongest), then label-specific ones by label."""
        return self.common + self.label_specific

    @cached_property
    def common(self) -> tuple[Finding, ...]:
        """Features that count for two or more labels: most labels first, then the strongest."""
        common = [finding for finding in self._by_feature.values() if finding.is_common]
        return tuple(sorted(common, key=lambda finding: (-len(finding.labels), -finding.strength)))

    @cached_property
    def label_specific(self) -> tuple[Finding, ...]:
        """Features that count for one label: in label order, the strongest of each first."""
        specific = [finding for finding in self._by_feature.values() if not finding.is_common]
        order = self._label_order
        return tuple(sorted(specific, key=lambda finding: (order[finding.labels[0]], -finding.strength)))

    def finding(self, feature: str) -> Finding | None:
        """Return the entry of a feature, or None when it counts for no label."""
        return self._by_feature.get(feature)

    def is_label(self, name: str) -> bool:
        """Tell whether a name is that of a label."""
        return name in self._label_order

    def is_known(self, name: str) -> bool:
        """Tell whether a name is that of any variable of the analysed table."""
        return name in self._column_order

    def of_label(self, label: str) -> tuple[Finding, ...]:
        """Features that count for one label, the strongest for it first."""
        return self._by_label.get(label, ())

    @cached_property
    def label_pairs(self) -> tuple[tuple[str, str, tuple[Evidence, ...]], ...]:
        """Pairs of labels of which one is in the boundary of the other, with the evidence of both ways."""
        pairs: dict[tuple[str, str], list[Evidence]] = {}
        order = self._label_order
        for record in self.result.label_evidence.values():
            first, second = sorted((record.feature, record.label), key=order.__getitem__)
            pairs.setdefault((first, second), []).append(record)
        return tuple((first, second, tuple(records)) for (first, second), records in pairs.items())

    def related_labels(self, label: str) -> tuple[Evidence, ...]:
        """Return the evidence for the labels that are in the boundary of a label, strongest first."""
        records = [record for record in self.result.label_evidence.values() if record.label == label]
        return tuple(sorted(records, key=lambda record: -record.strength))

    def label_reason(self, other: str, label: str) -> Evidence | None:
        """Return the evidence that one label is in the boundary of another."""
        for record in self.related_labels(label):
            if record.feature == other:
                return record
        return None

    def in_column_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Sort names of variables as the columns of the table are."""
        order = self._column_order
        return tuple(sorted(names, key=lambda name: order.get(name, len(order))))

    @cached_property
    def _label_order(self) -> dict[str, int]:
        return {label: place for place, label in enumerate(self.labels)}

    @cached_property
    def _column_order(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.result.dataset.names)}

    @cached_property
    def _by_feature(self) -> dict[str, Finding]:
        found: dict[str, list[Evidence]] = {}
        for reasons in self.result.evidence.values():
            found.setdefault(reasons[0].feature, []).append(reasons[0])
        twins, order = self._interchangeable, self._label_order
        entries = {}
        for feature in self.in_column_order(found):
            strongest = tuple(sorted(found[feature], key=lambda reason: order[reason.label]))
            labels = tuple(reason.label for reason in strongest)
            same = self.in_column_order(twins[feature]) if feature in twins else ()
            directions = tuple(self.result.direction(feature, label) for label in labels)
            again = self._again(feature, labels)
            alike = self.not_told_apart_from(feature)
            entries[feature] = Finding(feature, labels, strongest, same, directions, again, alike)
        return entries

    def _again(self, feature: str, labels: tuple[str, ...]) -> Again | None:
        stability = self.result.stability
        if stability is None:
            return None
        times = tuple(stability.times_found(feature, label) for label in labels)
        return Again(times, stability.finished)

    @cached_property
    def _by_label(self) -> dict[str, tuple[Finding, ...]]:
        found: dict[str, list[tuple[float, Finding]]] = {}
        for finding in self._by_feature.values():
            for label, reason in zip(finding.labels, finding.reasons, strict=True):
                found.setdefault(label, []).append((reason.strength, finding))
        return {
            label: tuple(finding for _, finding in sorted(entries, key=lambda entry: -entry[0]))
            for label, entries in found.items()
        }

    def not_told_apart_from(self, name: str) -> tuple[str, ...]:
        """Name the variables that the rows do not tell apart from one, in column order."""
        others: set[str] = set()
        for record in self._pairs_with.get(name, ()):
            if not record.is_shown:
                others.update(record.equivalent if name in record.in_boundary else record.in_boundary)
        return self.in_column_order(others)

    def absence(self, feature: str, label: str) -> str:
        """Say in a few words why a feature does not stand with a label."""
        alike = {
            name
            for record in self.pairs_about(feature, label)
            if feature in record.equivalent
            for name in record.in_boundary
        }
        if not alike:
            return "does not count for this label"
        return f"{NOT_TOLD_APART} from {plain(listing(self.in_column_order(alike)))}"

    def pairs_about(self, name: str, label: str) -> tuple[Equivalence, ...]:
        """Return what is interchangeable with a variable, or not told apart from it, as far as a label goes.

        About the label itself, or about an effect that it shares with a spouse.
        """
        return tuple(
            record
            for record in self._pairs_with.get(name, ())
            if record.target == label or self._bears_through(record, label)
        )

    def _bears_through(self, record: Equivalence, label: str) -> bool:
        boundary = self.result.boundaries.get(label)
        return boundary is not None and any(
            record.target in boundary.spouses.get(name, ()) for name in record.in_boundary
        )

    @cached_property
    def _pairs_with(self) -> dict[str, list[Equivalence]]:
        found: dict[str, list[Equivalence]] = {}
        for record in (*self.result.equivalence_records, *self.result.undistinguished_records):
            for name in (*record.in_boundary, *record.equivalent):
                found.setdefault(name, []).append(record)
        return found

    @cached_property
    def _interchangeable(self) -> dict[str, set[str]]:
        twins: dict[str, set[str]] = {}
        for reasons in self.result.evidence.values():
            for reason in reasons:
                for member in reason.partner:
                    twins.setdefault(reason.feature, set()).add(member)
                    twins.setdefault(member, set()).add(reason.feature)
        return twins


def is_of_same_table(before: Findings | None, after: Findings | None) -> bool:
    """Tell whether two results are of the same columns and labels, so that views stay as they are."""
    if before is None or after is None:
        return False
    return before.result.dataset.names == after.result.dataset.names and before.labels == after.labels


@lru_cache(maxsize=2)
def findings_of(result: DiscoveryResult) -> Findings:
    """Return the findings of a result; views that show the same result share them.

    Those of the result that is shown and of the one before it are remembered.
    """
    return Findings(result)
