"""What differs of a link, and of a feature, between two runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.boundaries.link_kind import LinkKind
from engine.discovery.effects.estimates import AssociationSign, Sign
from engine.discovery.evidence import Relation, Rule, relation_of
from engine.discovery.finding_words import grade_text
from engine.discovery.findings import COMMON, LABEL_SPECIFIC
from engine.discovery.orientation.direction import Direction
from engine.discovery.orientation.grades import Grade
from engine.independence.record import TestRecord


class Change(StrEnum):
    """What differs of a feature, or of a link, between two runs; the most telling first."""

    CAME = "came"
    WENT = "went"
    TYPE = "type"
    LABELS = "labels"
    KIND = "kind"
    SIGN = "sign"
    GRADE = "grade"
    NOT_COMPARED = "not compared"
    SAME = "same"


class Absence(StrEnum):
    """Why a run does not have a link."""

    NOT_FOUND = "not found"
    NO_VARIABLE = "variable takes no part"
    IS_LABEL = "variable is a label"
    NO_LABEL = "label takes no part"
    UNFINISHED = "label not finished"


_OPPOSITE = {Sign.MORE: Sign.LESS, Sign.LESS: Sign.MORE}


@dataclass(frozen=True, slots=True)
class Link:
    """A feature that counts for a label, as one run found it."""

    rule: Rule
    strength: float  # how much it tells about the label in the deciding test, between 0 and 1
    direction: Direction  # to the label if nothing is hidden
    grade: Grade  # even if something is hidden
    association: AssociationSign | None = None  # None where it was not measured
    deciding: TestRecord | None = None
    # the other level of the label and of the feature, of two
    levels_beside: tuple[str | None, str | None] = (None, None)
    kind: LinkKind = LinkKind.DIRECT
    through: tuple[str, ...] = ()  # labels that explain a link through other labels

    @property
    def relation(self) -> Relation:
        """How the feature stands to the label."""
        return relation_of(self.rule) if self.kind is LinkKind.DIRECT else Relation.THROUGH_LABELS

    @property
    def sign(self) -> Sign | None:
        """Which way the label goes with it, of the levels that :attr:`association` names."""
        return None if self.association is None else self.association.sign

    def sign_as_of(self, other: Link) -> Sign | None:
        """Return the sign that it would have if it spoke of the levels that another run spoke of."""
        mine, its = self.association, other.association
        if mine is None or its is None:
            return self.sign
        pairs = ((mine.event, its.event), (mine.feature_level, its.feature_level))
        turns = sum(
            one != the_other and the_other is not None and the_other == beside
            for (one, the_other), beside in zip(pairs, self.levels_beside, strict=True)
        )
        return _OPPOSITE.get(mine.sign, mine.sign) if turns % 2 else mine.sign

    @property
    def statement(self) -> str:
        """What is said of the direction, in words."""
        return grade_text(self.direction, self.grade)

    def differs_in(self, other: Link) -> tuple[Change, ...]:
        """Return what is said otherwise of the same link, of the same event; an unclear sign says nothing."""
        signs = {self.sign_as_of(other), other.sign}
        is_turned = len(signs) == 2 and not signs & {None, Sign.UNCLEAR}
        is_other_kind = (self.kind, frozenset(self.through)) != (other.kind, frozenset(other.through))
        changed = {
            Change.KIND: is_other_kind,
            Change.SIGN: is_turned,
            # Of a link through other labels no direction is told.
            Change.GRADE: not is_other_kind and self.statement != other.statement,
        }
        return tuple(change for change, is_so in changed.items() if is_so)

    def contradicts(self, other: Link) -> bool:
        """Tell whether not both can be true of the direction of the same link."""
        opposite = {self.direction, other.direction} == {Direction.CAUSE, Direction.EFFECT}
        return opposite or self.grade.contradicts(other.grade)


@dataclass(frozen=True, slots=True)
class LinkChange:
    """A link that one run found, or both."""

    feature: str
    label: str
    first: Link | None  # None where the run did not find it
    second: Link | None
    absence: Absence | None  # why one of them does not have it
    changes: tuple[Change, ...]  # the most telling first; one at least
    # features linked to it in the run that lacks it, which a run holds to be equivalent
    in_its_place: tuple[str, ...] = ()

    @property
    def is_compared(self) -> bool:
        """Whether both runs could have found it."""
        return self.absence in (None, Absence.NOT_FOUND)

    @property
    def is_contrary(self) -> bool:
        """Whether both runs have it, and not both can be right about its direction."""
        return self.first is not None and self.second is not None and self.first.contradicts(self.second)

    @property
    def latest(self) -> Link:
        """The link as the second run found it, or else the first."""
        found = self.second or self.first
        assert found is not None
        return found

    @property
    def strength(self) -> float:
        """The greater of its strengths."""
        return max(each.strength for each in (self.first, self.second) if each is not None)


@dataclass(frozen=True, slots=True)
class FeatureChange:
    """A feature that counts for a label in one run, or in both."""

    feature: str
    links: tuple[LinkChange, ...]
    changes: tuple[Change, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that it counts for in either run, in column order."""
        return tuple(each.label for each in self.links)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """How it stands to each of them: in the second run, or else in the first."""
        return tuple(each.latest.relation for each in self.links)

    @property
    def strengths(self) -> tuple[float, ...]:
        """How much it tells about each of them, in the run where that is more."""
        return tuple(each.strength for each in self.links)

    @property
    def is_common(self) -> bool:
        """Whether it counts for two or more labels: in the second run, or else in the first."""
        return len(self.labels_second or self.labels_first) > 1

    @property
    def led_by(self) -> str | None:
        """None: whatever differs is shown in its own right."""
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which it is looked for."""
        return (self.feature, *self.labels)

    @property
    def labels_first(self) -> tuple[str, ...]:
        """Labels that it counts for in the first run, in column order."""
        return tuple(each.label for each in self.links if each.first is not None)

    @property
    def labels_second(self) -> tuple[str, ...]:
        """Labels that it counts for in the second run, in column order."""
        return tuple(each.label for each in self.links if each.second is not None)

    @property
    def types(self) -> tuple[str, str]:
        """``"common"``, ``"label-specific"`` or nothing, in each run."""
        return type_of(self.labels_first), type_of(self.labels_second)

    @property
    def compared_types(self) -> tuple[str, str]:
        """The same over the labels for which both runs could have found it."""
        compared = [each for each in self.links if each.is_compared]
        return type_of(each.first for each in compared if each.first), type_of(
            each.second for each in compared if each.second
        )

    @property
    def strength(self) -> float:
        """The greatest strength of its links."""
        return max(each.strength for each in self.links)

    @property
    def in_its_place(self) -> tuple[str, ...]:
        """What stands in its place for any of its labels, each once."""
        return tuple(dict.fromkeys(name for each in self.links for name in each.in_its_place))

    def labels_with(self, change: Change) -> tuple[str, ...]:
        """Return the labels of which the link differs in a way."""
        return tuple(each.label for each in self.links if change in each.changes)


def type_of(labels: Iterable[object]) -> str:
    """Return what a feature is that counts for so many labels: common, label-specific, or nothing."""
    count = len(tuple(labels))
    if not count:
        return ""
    return COMMON if count > 1 else LABEL_SPECIFIC
