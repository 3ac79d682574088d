"""Whether a variable is a cause or an effect of a label, and what says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.discovery.evidence import Pair
from engine.discovery.orientation.grades import (
    OPEN_EDGE,
    Claim,
    EdgeMarks,
    Grade,
    LocalEdge,
    Objection,
)
from engine.discovery.orientation.grades import Because as Because
from engine.independence.record import TestRecord


class Direction(StrEnum):
    """What a variable is to a label."""

    CAUSE = "cause"
    EFFECT = "effect"
    SPOUSE = "spouse"
    UNDECIDED = "undecided"


class CommonDirection(StrEnum):
    """What a common variable is to all of its labels."""

    COMMON_CAUSE = "common cause"
    COMMON_EFFECT = "common effect"
    COMMON_SPOUSE = "spouse"
    MIXED = "mixed"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Orientation:
    """Which way the relation between a variable and a label runs."""

    feature: str  # it may be another label
    label: str
    direction: Direction  # what `feature` is to `label` if nothing is hidden
    because: Because | None = None  # None when undecided
    # what tells it: the other cause, the variables that a rule goes through or that were weighed
    others: tuple[str, ...] = ()
    # those of a v-structure or collider rule first, then those of what it follows from
    tests: tuple[TestRecord, ...] = ()
    # how many times likelier the best graph is than the best with the opposite arrow; penalised
    log_ratio: float | None = None
    marks: EdgeMarks = OPEN_EDGE  # what holds even if something is hidden
    claims: tuple[Claim, ...] = ()  # what tells the marks
    confirmed: bool = False  # more than one weak finding tells it: it may be relied upon if nothing is hidden

    @property
    def grade(self) -> Grade:
        """What is known of `feature` as to `label` even if something is hidden."""
        return self.marks.grade

    @property
    def pair(self) -> Pair:
        """Feature and label: the key in ``DiscoveryResult.orientation_records``."""
        return self.feature, self.label

    def turned(self) -> Orientation:
        """Return the same from the side of the other label."""
        direction, because = _TURNED.get(self.direction, self.direction), self.because
        return replace(
            self,
            feature=self.label,
            label=self.feature,
            direction=direction,
            because=because if because is None else _TURNED_BECAUSE.get(because, because),
            marks=self.marks.turned(),
        )


def direction_of(orientation: Orientation | None) -> Direction:
    """Return what a variable is to a label if nothing is hidden; undecided if their grade contradicts it."""
    if orientation is None:
        return Direction.UNDECIDED
    claimed = _AS_GRADES.get(orientation.direction)
    if claimed is not None and orientation.grade.contradicts(claimed):
        return Direction.UNDECIDED
    return orientation.direction


def leading_to(direction: Direction, grade: Grade) -> Direction:
    """Return which way an arrow leads if nothing is hidden: by the grade if stated, else the direction."""
    return _LEADING.get(grade, direction)


_AS_GRADES = {Direction.CAUSE: Grade.CAUSE, Direction.EFFECT: Grade.EFFECT}
_LEADING = {
    Grade.CAUSE_NOTHING_HIDDEN: Direction.CAUSE,
    Grade.CAUSE: Direction.CAUSE,
    Grade.NOT_EFFECT: Direction.CAUSE,
    Grade.HIDDEN_IN_COMMON: Direction.UNDECIDED,
    Grade.NOT_CAUSE: Direction.EFFECT,
    Grade.EFFECT: Direction.EFFECT,
    Grade.EFFECT_NOTHING_HIDDEN: Direction.EFFECT,
}


@dataclass(frozen=True)
class Directions:
    """What is told of causes and effects around the labels.

    Of a neighbour with a stand-in, and of one that is not told apart from another variable, only the grade is
    told, for it may be the other that is next to the label.
    """

    orientations: Mapping[Pair, Orientation]  # by feature or label and label, one a neighbour
    local_edges: tuple[LocalEdge, ...] = ()  # of the labels and of their neighbours, in column order
    objections: tuple[Objection, ...] = ()  # what the data say against what a person said
    tests: int = 0


def joint_direction(directions: Iterable[Direction]) -> CommonDirection:
    """Sum up what a common variable is to its labels: one role when all agree, mixed when two differ.

    >>> print(joint_direction([Direction.CAUSE, Direction.CAUSE]))
    common cause
    >>> print(joint_direction([Direction.CAUSE, Direction.UNDECIDED]))
    undecided
    >>> print(joint_direction([Direction.CAUSE, Direction.EFFECT, Direction.UNDECIDED]))
    mixed
    """
    found = set(directions)
    if len(found - {Direction.UNDECIDED}) > 1:
        return CommonDirection.MIXED
    if len(found) != 1:
        return CommonDirection.UNDECIDED
    return _SUMS[found.pop()]


_TURNED = {Direction.CAUSE: Direction.EFFECT, Direction.EFFECT: Direction.CAUSE}
_TURNED_BECAUSE = {
    Because.SHARED_EFFECT: Because.SEVERAL_CAUSES,
    Because.SEVERAL_CAUSES: Because.SHARED_EFFECT,
}
_SUMS = {
    Direction.CAUSE: CommonDirection.COMMON_CAUSE,
    Direction.EFFECT: CommonDirection.COMMON_EFFECT,
    Direction.SPOUSE: CommonDirection.COMMON_SPOUSE,
    Direction.UNDECIDED: CommonDirection.UNDECIDED,
}
