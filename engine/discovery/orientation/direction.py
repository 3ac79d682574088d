"""Whether a variable is a cause or an effect of a label, what says so, and how much when something is hidden.

The three questions are whether the variable is a cause of the label, whether the label is a cause of it,
and whether something hidden is a cause of both. Each answer is a mark of the edge between the two, as
ancestral graphs have them (Zhang 2008, Causal reasoning with ancestral graphs, JMLR 9:1437-1474); rows that
were selected by what they hold are ruled out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.discovery.evidence import Pair
from engine.independence.record import TestRecord


class Because(StrEnum):
    """What tells a direction.

    V-structures: a third variable is a cause of neither (Pearl 1988, Probabilistic Reasoning in Intelligent
    Systems, section 8.2). Their counterpart: it is a cause of one. Deductions: no cycles and no
    contradictions (Meek 1995, UAI, 403-410; Zhang 2008). Best graph: it is clearly likelier than the best
    with the opposite arrow.
    """

    SHARED_EFFECT = "shared effect"
    SEVERAL_CAUSES = "several causes"
    NO_FURTHER_COLLIDER = "no further collider"
    NO_CYCLE = "no cycle"
    NO_CYCLE_OR_COLLIDER = "no cycle or collider"
    BEST_GRAPH = "best graph"
    KNOWLEDGE = "knowledge"


class EndMark(StrEnum):
    """What stands at one end of an edge: the variable there is a cause of the other, is none, or is open."""

    TAIL = "tail"
    ARROWHEAD = "arrowhead"
    CIRCLE = "circle"


class Grade(StrEnum):
    """What is known of a variable as to a label; "nothing hidden": no unmeasured common cause."""

    CAUSE_NOTHING_HIDDEN = "cause, nothing hidden"
    CAUSE = "cause"
    NOT_EFFECT = "not an effect"
    HIDDEN_IN_COMMON = "something hidden in common"
    NOT_CAUSE = "not a cause"
    EFFECT = "effect"
    EFFECT_NOTHING_HIDDEN = "effect, nothing hidden"
    UNDECIDED = "undecided"

    def implies(self, other: Grade) -> bool:
        """Tell whether all that another grade says is said by this one too."""
        return _ASSERTIONS[self] >= _ASSERTIONS[other]

    def contradicts(self, other: Grade) -> bool:
        """Tell whether not both can be true: what one says to be a cause, the other says to be none.

        >>> Grade.CAUSE.contradicts(Grade.NOT_CAUSE), Grade.CAUSE.contradicts(Grade.NOT_EFFECT)
        (True, False)
        """
        return any(assertion.swapcase() in _ASSERTIONS[other] for assertion in _ASSERTIONS[self])


# What each grade says: the variable is a cause (c) of the label or none (C), an effect (e) or none (E), and
# nothing is hidden (n).
_ASSERTIONS = {
    Grade.CAUSE_NOTHING_HIDDEN: frozenset("cEn"),
    Grade.CAUSE: frozenset("cE"),
    Grade.NOT_EFFECT: frozenset("E"),
    Grade.HIDDEN_IN_COMMON: frozenset("CE"),
    Grade.NOT_CAUSE: frozenset("C"),
    Grade.EFFECT: frozenset("Ce"),
    Grade.EFFECT_NOTHING_HIDDEN: frozenset("Cen"),
    Grade.UNDECIDED: frozenset(""),
}


class CommonGrade(StrEnum):
    """What is known of a common variable as to all of its labels."""

    CAUSE_OF_ALL = "cause of all"
    EFFECT_OF_ALL = "effect of all"
    EFFECT_OF_NONE = "effect of none"
    CAUSE_OF_NONE = "cause of none"
    MIXED = "mixed"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class EdgeMarks:
    """The two ends of the edge between a variable and a label."""

    # a tail: a cause of the label, directly or through others; an arrowhead: it is none
    at_feature: EndMark = EndMark.CIRCLE
    at_label: EndMark = EndMark.CIRCLE
    # one is a cause of the other, and nothing hidden is a cause of both: the edge is visible
    nothing_hidden: bool = False

    @property
    def grade(self) -> Grade:
        """What the marks say of the variable as to the label."""
        if self.at_feature is EndMark.TAIL:
            return Grade.CAUSE_NOTHING_HIDDEN if self.nothing_hidden else Grade.CAUSE
        if self.at_label is EndMark.TAIL:
            return Grade.EFFECT_NOTHING_HIDDEN if self.nothing_hidden else Grade.EFFECT
        return _GRADES[self.at_feature is EndMark.ARROWHEAD, self.at_label is EndMark.ARROWHEAD]

    def turned(self) -> EdgeMarks:
        """Return the same from the side of the other label."""
        return EdgeMarks(self.at_label, self.at_feature, self.nothing_hidden)


OPEN_EDGE = EdgeMarks()
"""Of this edge nothing is known."""

# By arrowheads at the variable and at the label.
_GRADES = {
    (False, False): Grade.UNDECIDED,
    (False, True): Grade.NOT_EFFECT,
    (True, False): Grade.NOT_CAUSE,
    (True, True): Grade.HIDDEN_IN_COMMON,
}
_CAUSES = frozenset({Grade.CAUSE, Grade.CAUSE_NOTHING_HIDDEN})
_EFFECTS = frozenset({Grade.EFFECT, Grade.EFFECT_NOTHING_HIDDEN})
_NO_EFFECTS = _CAUSES | {Grade.NOT_EFFECT, Grade.HIDDEN_IN_COMMON}
_NO_CAUSES = _EFFECTS | {Grade.NOT_CAUSE, Grade.HIDDEN_IN_COMMON}


def joint_grade(grades: Iterable[Grade]) -> CommonGrade:
    """Sum up what is known of a common variable as to its labels.

    >>> print(joint_grade([Grade.CAUSE, Grade.CAUSE_NOTHING_HIDDEN]))
    cause of all
    >>> print(joint_grade([Grade.CAUSE, Grade.NOT_EFFECT]))
    effect of none
    >>> print(joint_grade([Grade.CAUSE, Grade.EFFECT, Grade.UNDECIDED]))
    mixed
    >>> print(joint_grade([Grade.CAUSE, Grade.UNDECIDED]))
    open
    """
    all_grades = frozenset(grades)
    if all_grades & _CAUSES and all_grades & _EFFECTS:
        return CommonGrade.MIXED
    for whole, summed in (
        (_CAUSES, CommonGrade.CAUSE_OF_ALL),
        (_EFFECTS, CommonGrade.EFFECT_OF_ALL),
        (_NO_EFFECTS, CommonGrade.EFFECT_OF_NONE),
        (_NO_CAUSES, CommonGrade.CAUSE_OF_NONE),
    ):
        if all_grades and all_grades <= whole:
            return summed
    return CommonGrade.OPEN


@dataclass(frozen=True, slots=True)
class LocalEdge:
    """Two neighbours, in column order, among the labels and what is next to them, with their marks."""

    first: str
    second: str
    marks: EdgeMarks  # that at `first` is the one at the feature, that at `second` the one at the label


class ClaimKind(StrEnum):
    """What is said of two variables."""

    CAUSE = "is a cause"
    NO_CAUSE = "is no cause"
    NOTHING_HIDDEN = "nothing hidden in common"


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is said of two variables, and what says so."""

    kind: ClaimKind
    cause: str
    effect: str
    because: Because
    others: tuple[str, ...] = ()  # the variables that tell it
    tests: tuple[TestRecord, ...] = ()  # its own first, then those of what it follows from
    uses_knowledge: bool = False  # what a person said enters, by itself or together with tests


class KnowledgePart(StrEnum):
    """Part of what a person said."""

    TIERS = "tiers"
    FORBIDDEN = "forbidden"
    REQUIRED = "required"
    NOT_EFFECTS = "not_effects"
    UNCONFOUNDED = "unconfounded"


@dataclass(frozen=True, slots=True)
class Objection:
    """What the data say against what a person said, which is kept; what contradicts it is not used."""

    part: KnowledgePart  # what the person said it by
    cause: str
    effect: str
    # what the tests say; None: that the two, required to be cause and effect, are independent
    claim: Claim | None
    tests: tuple[TestRecord, ...]
    is_possible: bool  # both can be true, but only if something hidden is a cause of both variables


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
    """Causes and effects around the labels; of variables with equivalents only the grade is known."""

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
    all_directions = set(directions)
    if len(all_directions - {Direction.UNDECIDED}) > 1:
        return CommonDirection.MIXED
    if len(all_directions) != 1:
        return CommonDirection.UNDECIDED
    return _SUMS[all_directions.pop()]


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
