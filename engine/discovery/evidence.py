"""Why a variable counts for a label: the rule, the partner, the child, and the tests that say so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.discovery.pairs import Pair
from engine.discovery.verdict import MissedShare, Verdict
from engine.independence.single import TestRecord as TestRecord


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


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason why a feature counts for a label.

    Attributes
    ----------
    feature, label : str
        The pair that it speaks of.
    rule : Rule
        By which rule the feature counts.
    partner : tuple of str
        Members of the boundary that the feature stands in for; empty under θ1.
    together_with : tuple of str
        Other features that stand in jointly with it, when the set has more than one.
    children : tuple of str
        For a spouse or its equivalent, the shared effects that connect it with the label.
    tests : tuple of TestRecord
        The tests that decide: for a neighbour the marginal test and the weakest conditional one; for
        a spouse the test given a connecting child; for an equivalent the two marginal tests and the
        two that show that each makes the other superfluous.
    recovered : bool
        The feature came in through Phase 2 (labels that mask each other) of CLCD.
    """

    feature: str
    label: str
    rule: Rule
    partner: tuple[str, ...] = ()
    together_with: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    tests: tuple[TestRecord, ...] = ()
    recovered: bool = False

    @property
    def pair(self) -> Pair:
        """Feature and label: the key in ``DiscoveryResult.evidence``."""
        return self.feature, self.label

    @property
    def strength(self) -> float:
        """Effect of the deciding test, between 0 and 1; 0 when there is none."""
        return self.tests[0].effect if self.tests else 0.0


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two sets of variables of which neither is seen to tell more about a target (Statnikov et al. 2013).

    Attributes
    ----------
    target : str
        Label or connecting child.
    in_boundary : tuple of str
        Set S within the parents and children of the target.
    equivalent : tuple of str
        Set Z outside of them.
    target_in_boundary, target_equivalent : TestRecord
        Marginal dependence of the target on S and on Z.
    equivalent_given_boundary : TestRecord
        Test of the target and Z given S.
    boundary_given_equivalent : TestRecord
        Test of the target and S given Z.
    verdict : Verdict
        Whether it is shown that the two are interchangeable, or they are merely not told apart.
    missed_by_boundary : MissedShare, optional
        What share of what Z tells about the target S misses, with its upper confidence limit at level α.
        None where an earlier version of the program, that did not measure it, found the two.
    missed_by_equivalent : MissedShare, optional
        What share of what S tells about the target Z misses.
    """

    target: str
    in_boundary: tuple[str, ...]
    equivalent: tuple[str, ...]
    target_in_boundary: TestRecord
    target_equivalent: TestRecord
    equivalent_given_boundary: TestRecord
    boundary_given_equivalent: TestRecord
    verdict: Verdict = Verdict.INTERCHANGEABLE
    missed_by_boundary: MissedShare | None = None
    missed_by_equivalent: MissedShare | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the two are interchangeable, and not merely not told apart."""
        return self.verdict is Verdict.INTERCHANGEABLE
