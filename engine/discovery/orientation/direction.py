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
    """Which way the relation between a variable and a label runs.

    Attributes
    ----------
    feature, label : str
        The pair that it speaks of; `feature` may be another label.
    direction : Direction
        What `feature` is to `label` if nothing is hidden: a cause, an effect, or undecided.
    because : Because, optional
        What tells it; None when undecided.
    others : tuple of str
        The variables that tell it. Of a shared effect: its other cause. Of several causes: another
        cause of the label. Of the rules: the variables that they go through. Of a best graph: the variables
        that were weighed together with the two.
    tests : tuple of TestRecord
        The tests that it rests on. Of a v-structure the independence of its ends, and their dependence with
        the middle held fixed too. Of the rules about colliders the independence of the ends given the middle
        and perhaps others, and their dependence without it; and then, of every rule, the tests of the
        directions that it follows from.
    log_ratio : float, optional
        Where the best graph tells it: natural logarithm of how many times likelier that graph is than the
        best one with the opposite arrow, after what each costs for its parameters.
    marks : EdgeMarks
        What holds even if something is hidden.
    claims : tuple of Claim
        What tells the marks.
    confirmed : bool
        More than one weak finding tells the direction, so that it may be relied upon if nothing is hidden.
    """

    feature: str
    label: str
    direction: Direction
    because: Because | None = None
    others: tuple[str, ...] = ()
    tests: tuple[TestRecord, ...] = ()
    log_ratio: float | None = None
    marks: EdgeMarks = OPEN_EDGE
    claims: tuple[Claim, ...] = ()
    confirmed: bool = False

    @property
    def grade(self) -> Grade:
        """What is known of `feature` as to `label` even if something is hidden."""
        return self.marks.grade

    @property
    def pair(self) -> Pair:
        """Feature and label: the key in ``DiscoveryResult.orientation_records``."""
        return self.feature, self.label

    def turned(self) -> Orientation:
        """Return the same from the side of the other label.

        Examples
        --------
        >>> Orientation("pain", "stress", Direction.EFFECT).turned().direction
        <Direction.CAUSE: 'cause'>
        """
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
    """Return what a variable is to a label if nothing is hidden.

    From what tells it, unless the grade of the two speaks against it.

    Examples
    --------
    >>> from engine.discovery.orientation.grades import EdgeMarks, EndMark
    >>> marks = EdgeMarks(EndMark.ARROWHEAD, EndMark.ARROWHEAD)
    >>> direction_of(Orientation("dust", "cough", Direction.CAUSE, marks=marks))
    <Direction.UNDECIDED: 'undecided'>
    """
    if orientation is None:
        return Direction.UNDECIDED
    claimed = _AS_GRADES.get(orientation.direction)
    if claimed is not None and orientation.grade.contradicts(claimed):
        return Direction.UNDECIDED
    return orientation.direction


def leading_to(direction: Direction, grade: Grade) -> Direction:
    """Return which way an arrow between a variable and a label leads, which is read as: if nothing is hidden.

    The grade decides where it is stated, and the direction elsewhere.

    Examples
    --------
    >>> leading_to(Direction.UNDECIDED, Grade.NOT_EFFECT)
    <Direction.CAUSE: 'cause'>
    >>> leading_to(Direction.UNDECIDED, Grade.HIDDEN_IN_COMMON)
    <Direction.UNDECIDED: 'undecided'>
    """
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

    Attributes
    ----------
    orientations : mapping of (str, str) to Orientation
        By feature and label, one a neighbour, labels among them; undecided where nothing
        tells. Of a neighbour with a stand-in, and of one that is not told apart from another variable, only
        the grade is told, for it may be the other that is next to the label.
    local_edges : tuple of LocalEdge
        Every edge of the labels and of their neighbours, in column order, with its marks.
    objections : tuple of Objection
        What the data say against what a person said.
    tests : int
        Tests made.
    """

    orientations: Mapping[Pair, Orientation]
    local_edges: tuple[LocalEdge, ...] = ()
    objections: tuple[Objection, ...] = ()
    tests: int = 0


def joint_direction(directions: Iterable[Direction]) -> CommonDirection:
    """Sum up what a common variable is to its labels.

    Two different roles make it mixed, whatever is undecided besides; one role counts when it holds for
    every label.

    Examples
    --------
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
