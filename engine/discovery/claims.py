"""By which functions of Equation 9 of the paper variables count for a label: line 19 of Algorithm 1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.boundaries.neighbourhoods import Indices
from engine.discovery.equivalence import EquivalentPair
from engine.discovery.evidence import DecidedBy, Rule
from engine.independence.batch import JointQuestion

if TYPE_CHECKING:
    from engine.boundaries.search import SpouseLink
    from engine.discovery.label_findings import LabelFindings


@dataclass(frozen=True)
class Claim:
    """That a variable counts for a label, by one rule, and the tests that are to show it.

    Attributes
    ----------
    feature : int
        The variable, which may be another label.
    rule : Rule
        Why it counts.
    questions : tuple of JointQuestion
        The tests, which are still to be made.
    partner : tuple of int
        Members of the boundary that it stands in for.
    together_with : tuple of int
        The rest of the set that stands in for them.
    children : tuple of int
        Children of the label that connect it, or its partner, with the label.
    recovered : bool
        Phase 2 brought it in.
    decided_by : DecidedBy
        What let it in.
    """

    feature: int
    rule: Rule
    questions: tuple[JointQuestion, ...]
    partner: Indices = ()
    together_with: Indices = ()
    children: Indices = ()
    recovered: bool = False
    decided_by: DecidedBy = DecidedBy.TESTS


def claims(findings: LabelFindings) -> list[Claim]:
    """Return by which functions of Equation 9 which variables count for a label.

    A variable of a set that counts has a claim of its own, which names the rest of the set.
    """
    return [*_neighbours(findings), *_spouses(findings), *_stand_ins(findings)]


def _neighbours(findings: LabelFindings) -> list[Claim]:
    """θ₁ of Equation 9: a part of the Markov boundary, by its neighbours."""
    label = findings.neighbourhood.target
    drafts = []
    for member in findings.neighbourhood.members:
        questions: list[JointQuestion] = [(label, (member,), ())]
        weakest = findings.neighbourhood.weakest.get(member)
        if weakest is not None:
            questions.append((label, (member,), weakest))
        drafts.append(
            Claim(
                member,
                Rule.NEIGHBOUR,
                tuple(questions),
                recovered=member in findings.recovered,
                decided_by=_decided_by(findings, member, (weakest or (),)),
            )
        )
    return drafts


def _decided_by(findings: LabelFindings, variable: int, sets: Iterable[Indices]) -> DecidedBy:
    """Return what let a variable in, given the sets that its tests hold fixed."""
    compared = {(variable, given) for given in sets}
    if compared & findings.by_score:
        return DecidedBy.SCORE
    if compared & {(each.variable, each.given) for each in findings.arrivals}:
        return DecidedBy.REGRESSION
    return DecidedBy.TESTS


def _spouses(findings: LabelFindings) -> list[Claim]:
    """θ₁ of Equation 9: a part of the Markov boundary, by its spouses."""
    links: dict[int, list[SpouseLink]] = {}
    for link in findings.links:
        links.setdefault(link.spouse, []).append(link)
    return [
        Claim(
            spouse,
            Rule.SPOUSE,
            tuple(_spouse_question(findings, link) for link in connecting),
            children=tuple(link.child for link in connecting),
            decided_by=_decided_by(findings, spouse, (link.given for link in connecting)),
        )
        for spouse, connecting in links.items()
    ]


def _spouse_question(findings: LabelFindings, link: SpouseLink) -> JointQuestion:
    """Return the test of a spouse and the label given the child; where the score decided, its comparison.

    The score weighs a spouse as a parent of the child, beside the label and the child's other parents.
    """
    label = findings.neighbourhood.target
    if _decided_by(findings, link.spouse, (link.given,)) is not DecidedBy.SCORE:
        return label, (link.spouse,), link.given
    return link.child, (link.spouse,), (label, *(each for each in link.given if each != link.child))


def _stand_ins(findings: LabelFindings) -> list[Claim]:
    """θ₂ and θ₃ of Equation 9: equivalent to neighbours about the label, to spouses about their child."""
    drafts = []
    for pair in findings.about_label:
        drafts += _for_each_variable(pair, Rule.NEIGHBOUR_EQUIVALENT, ())
    for pair in findings.about_children:
        drafts += _for_each_variable(pair, Rule.SPOUSE_EQUIVALENT, (pair.target,))
    return drafts


def _for_each_variable(pair: EquivalentPair, rule: Rule, children: Indices) -> list[Claim]:
    _, to_outsider, _, _ = questions = pair_questions(pair)
    strongest_first = (to_outsider, *(each for each in questions if each != to_outsider))
    return [
        Claim(
            variable,
            rule,
            strongest_first,
            partner=pair.in_boundary,
            together_with=tuple(other for other in pair.equivalent if other != variable),
            children=children,
        )
        for variable in pair.equivalent
    ]


def pair_questions(
    pair: EquivalentPair,
) -> tuple[JointQuestion, JointQuestion, JointQuestion, JointQuestion]:
    """List the four tests of an equivalence, in the order of the fields of Equivalence."""
    target, inside, outside = pair.target, pair.in_boundary, pair.equivalent
    return (
        (target, inside, ()),
        (target, outside, ()),
        (target, outside, inside),
        (target, inside, outside),
    )
