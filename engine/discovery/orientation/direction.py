"""Whether a variable is a cause or an effect of a label, and what says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.discovery.evidence import Pair
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


class Because(StrEnum):
    """What tells a direction.

    The first two are v-structures: two variables that are independent become dependent when a third is held
    fixed, so that this third one is a cause of neither (Pearl 1988, Probabilistic Reasoning in Intelligent
    Systems, section 8.2). Next come the rules of Meek (1995), Causal inference and causal explanation with
    background knowledge, UAI, 403-410. The last is no single test: of all graphs of the variables around a
    label the best one with the arrow is clearly likelier than the best one with the opposite arrow.
    """

    SHARED_EFFECT = "shared effect"
    SEVERAL_CAUSES = "several causes"
    NO_FURTHER_COLLIDER = "no further collider"
    NO_CYCLE = "no cycle"
    NO_CYCLE_OR_COLLIDER = "no cycle or collider"
    BEST_GRAPH = "best graph"


@dataclass(frozen=True, slots=True)
class Orientation:
    """Which way the relation between a variable and a label runs.

    Attributes
    ----------
    feature, label : str
        The pair that it speaks of; `feature` may be another label.
    direction : Direction
        What `feature` is to `label`: a cause, an effect, or undecided.
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
    """

    feature: str
    label: str
    direction: Direction
    because: Because | None = None
    others: tuple[str, ...] = ()
    tests: tuple[TestRecord, ...] = ()
    log_ratio: float | None = None

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
        )


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
