"""Why a variable counts for a label: the rule, the partner, the child, and the tests that say so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeVar

from engine.independence.record import TestRecord as TestRecord

Pair = tuple[str, str]

Key = TypeVar("Key")
Known = TypeVar("Known")

_ARROW_IN_NAME = re.compile(r"(\\*)→")
_ESCAPED_ARROW = re.compile(r"(\\*)\\→")
_BETWEEN = " → "


def evidence_key(feature: str, label: str) -> str:
    r"""Write a pair as one text, as the tables of a result hold it: no two pairs have the same text.

    >>> evidence_key("sleep", "pain")
    'sleep → pain'
    >>> print(evidence_key("a → b", "c"))
    a \→ b → c
    """
    return _BETWEEN.join(_ARROW_IN_NAME.sub(r"\1\1\\→", name) for name in (feature, label))


def pair_of(key: str) -> Pair | None:
    """Read what :func:`evidence_key` wrote; None where that is no such text."""
    # Within a name a backslash stands before each arrow, and a space before the one between the names.
    names = key.split(_BETWEEN)
    if len(names) != 2:
        return None
    feature, label = (_ESCAPED_ARROW.sub(_without_escape, name) for name in names)
    return feature, label


def _without_escape(match: re.Match[str]) -> str:
    return "\\" * (len(match[1]) // 2) + "→"


class Lookup(Mapping[Key, Known]):
    """What is known by name: equal to a dictionary of the same, but it cannot be altered."""

    def __init__(self, entries: Mapping[Key, Known]) -> None:
        self._known = dict(entries)

    def __getitem__(self, key: Key) -> Known:
        return self._known[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __repr__(self) -> str:
        return repr(self._known)


class ByPair(Lookup[Pair, Known]):
    """What is known of each pair: by (feature, label), and also by the key that tables hold.

    >>> found = ByPair({("sleep", "pain"): 0.3})
    >>> found["sleep", "pain"], found["sleep → pain"], list(found)
    (0.3, 0.3, [('sleep', 'pain')])
    """

    def __getitem__(self, key: Pair | str) -> Known:
        pair = pair_of(key) if isinstance(key, str) else key
        if pair is None:
            raise KeyError(key)
        return super().__getitem__(pair)


class Verdict(StrEnum):
    """What is known of two sets of which neither is seen to tell more than the other."""

    INTERCHANGEABLE = "interchangeable"
    NOT_TOLD_APART = "not told apart"


class MissedShare(NamedTuple):
    """What share of what one set of variables tells about a target another one misses."""

    estimate: float  # at least 0; infinite where nothing is told that could be missed
    limit: float  # upper confidence limit; infinite where it is not known that anything is told


class Rule(StrEnum):
    """The three rules of Equation 9 of the paper, with neighbours and spouses told apart."""

    NEIGHBOUR = "neighbour"
    SPOUSE = "spouse"
    NEIGHBOUR_EQUIVALENT = "neighbour-equivalent"
    SPOUSE_EQUIVALENT = "spouse-equivalent"

    @property
    def symbol(self) -> str:
        """Symbol of the rule in the paper: θ1, θ2 or θ3."""
        return _SYMBOLS[self]

    @property
    def is_equivalent(self) -> bool:
        """Whether the variable stands in for a member instead of being one."""
        return self in (Rule.NEIGHBOUR_EQUIVALENT, Rule.SPOUSE_EQUIVALENT)


_SYMBOLS = {
    Rule.NEIGHBOUR: "θ1",
    Rule.SPOUSE: "θ1",
    Rule.NEIGHBOUR_EQUIVALENT: "θ2",
    Rule.SPOUSE_EQUIVALENT: "θ3",
}


class Relation(StrEnum):
    """How a feature stands to a label; another label's stand-in, or one preferred by hand, if selected."""

    NEIGHBOUR = "neighbour"
    IN_PLACE = "in place of a label"
    SPOUSE = "spouse"
    INTERCHANGEABLE = "interchangeable"
    PREFERRED = "preferred by you"
    THROUGH_LABELS = "through labels"


def relation_of(rule: Rule) -> Relation:
    """Return the relation that a rule amounts to."""
    if rule.is_equivalent:
        return Relation.INTERCHANGEABLE
    return Relation.NEIGHBOUR if rule is Rule.NEIGHBOUR else Relation.SPOUSE


# At most, of the whole of a link through other labels whose steps the search found one by one.
LEVEL_OF_WHOLE = 0.05


class DecidedBy(StrEnum):
    """What decided: tests (or steps, see :data:`LEVEL_OF_WHOLE`), the regression, or the score of graphs."""

    TESTS = "tests"
    REGRESSION = "regression"
    SCORE = "score"
    STEPS = "steps"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason why a feature counts for a label."""

    feature: str
    label: str
    rule: Rule
    partner: tuple[str, ...] = ()  # members of the boundary that the feature stands in for; empty under θ1
    together_with: tuple[str, ...] = ()  # other features of a set that stands in jointly
    # of a spouse or its equivalent: the shared effects that connect it with the label
    children: tuple[str, ...] = ()
    # of a neighbour the marginal and the weakest test; of a spouse one a child; of equivalents four
    tests: tuple[TestRecord, ...] = ()
    recovered: bool = False  # it came in through Phase 2 (labels that mask each other)
    # with an empty conditioning set; None where an earlier version did not keep it
    marginal: TestRecord | None = None
    decided_by: DecidedBy = DecidedBy.TESTS

    @property
    def pair(self) -> Pair:
        """Feature and label: the key in ``DiscoveryResult.evidence``."""
        return self.feature, self.label

    @property
    def strength(self) -> float:
        """Effect of the deciding test, between 0 and 1; 0 when there is none."""
        deciding = self.deciding
        return 0.0 if deciding is None else deciding.effect

    @property
    def deciding(self) -> TestRecord | None:
        """The one test whose p-value and strength stand for the reason; None when there is none.

        Of a neighbour the test with the largest p-value, of a spouse the test given its strongest connecting
        child, of an equivalent its marginal test. Where a regression or a score let the feature in, that
        comparison; a score weighs a spouse as a parent of the child: tested is the child, given the label.
        """
        if not self.tests:
            return None
        if self.rule.is_equivalent:
            return self.tests[0]
        if self.rule is Rule.SPOUSE:
            return min(self.tests, key=lambda test: test.log_p)
        if self.decided_by is not DecidedBy.TESTS:
            return self.tests[-1]
        return max(self.tests, key=lambda test: test.log_p)


@dataclass(frozen=True, slots=True)
class LinkThroughLabels:
    """Why a feature is linked to a label through other labels."""

    reasons: tuple[Evidence, ...]  # without the other labels, the strongest rule first; at least one
    # given the smallest separating set with another label in it; None where none separates
    separated: TestRecord | None = None
    through: tuple[str, ...] = ()  # the labels of that set, in column order
    # where steps decided: the labels on the way from the feature, each linked to the next
    steps: tuple[str, ...] = ()

    @property
    def pair(self) -> Pair:
        """Feature and label."""
        return self.reasons[0].pair

    @property
    def effects(self) -> tuple[str, ...]:
        """The shared effects given which the two are linked; empty where they are linked anyway."""
        children = self.reasons[0].children
        if self.separated is None:
            return children
        # Any one of several children links a spouse; that which the set holds is named.
        return tuple(child for child in children if child in self.separated.given)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two sets of variables of which neither is seen to tell more about a target (Statnikov et al. 2013)."""

    target: str
    in_boundary: tuple[str, ...]  # S, within the parents and children of the target
    equivalent: tuple[str, ...]  # Z, outside of them
    target_in_boundary: TestRecord  # marginal dependence of the target on S, then on Z
    target_equivalent: TestRecord
    equivalent_given_boundary: TestRecord  # the target and Z given S; then the target and S given Z
    boundary_given_equivalent: TestRecord
    # the published procedure, of two independences, calls every pair interchangeable
    verdict: Verdict = Verdict.INTERCHANGEABLE
    # of Z by S, with limit at α; None under the published procedure or in old files
    missed_by_boundary: MissedShare | None = None
    missed_by_equivalent: MissedShare | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the two are interchangeable, and not merely not told apart."""
        return self.verdict is Verdict.INTERCHANGEABLE

    @property
    def is_measured(self) -> bool:
        """Whether it is measured how much each may miss."""
        return self.missed_by_boundary is not None and self.missed_by_equivalent is not None
