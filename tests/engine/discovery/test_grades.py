"""Grades of directions where variables are hidden: against ancestral graphs, and against FCI."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import engine
from engine.discovery.orientation import orient
from engine.discovery.orientation.direction import ClaimKind, Direction, EndMark, Grade, KnowledgePart
from engine.discovery.result import DiscoveryResult
from engine.knowledge.knowledge import Knowledge
from engine.reporting.sentences.directions import grade_sentences
from tests.engine.ancestral_graph import ARROWHEAD, CIRCLE, TAIL, HiddenGraph, PartialGraph
from tests.engine.hidden_cases import exact_result, random_case
from tests.examples import first_of
from tests.with_each import with_each

Edge = tuple[str, str]


def _seen(edges: Iterable[Edge]) -> list[str]:
    """Return the variables but those whose names begin with "hidden"."""
    return sorted({name for edge in edges for name in edge if not name.startswith("hidden")})


def _grades(edges: list[Edge], knowledge: Knowledge | None = None) -> dict[str, Grade]:
    result = exact_result(edges, _seen(edges), ["t"], knowledge)
    return {feature: orientation.grade for (feature, _), orientation in result.orientation_records.items()}


def test_a_v_structure_excludes_an_effect_and_no_hidden_cause() -> None:
    """The same tests hold where something hidden is in common to a cause and the label."""
    plain: list[Edge] = [("a", "t"), ("b", "t")]
    hidden: list[Edge] = [("hidden", "a"), ("hidden", "t"), ("b", "t")]
    for edges in (plain, hidden):
        assert _grades(edges) == {"a": Grade.NOT_EFFECT, "b": Grade.NOT_EFFECT}


def test_a_y_structure_excludes_something_hidden() -> None:
    """Mani, Spirtes and Cooper 2006: two independent causes of the cause, separated from the label by it."""
    edges = [("a", "x"), ("b", "x"), ("x", "t")]
    assert _grades(edges) == {"x": Grade.CAUSE_NOTHING_HIDDEN}
    around = [("a", "t"), ("b", "t"), ("t", "x")]
    assert _grades(around)["x"] is Grade.EFFECT_NOTHING_HIDDEN


def test_two_v_structures_that_meet_show_something_hidden() -> None:
    edges = [("a", "x"), ("hidden", "x"), ("hidden", "t"), ("b", "t")]
    assert _grades(edges)["x"] is Grade.HIDDEN_IN_COMMON


def test_a_claim_says_what_tells_it() -> None:
    edges = [("a", "x"), ("b", "x"), ("x", "t")]
    (orientation,) = exact_result(edges, _seen(edges), ["t"]).orientation_records.values()
    claims = {claim.kind: claim for claim in orientation.claims}
    assert set(claims) == set(ClaimKind)
    cause = claims[ClaimKind.CAUSE]
    assert (cause.cause, cause.effect) == ("x", "t")
    assert {test.given for test in cause.tests} >= {(), ("x",)}
    assert orientation.marks.turned().grade is Grade.EFFECT_NOTHING_HIDDEN
    assert orientation.turned().marks.at_label is EndMark.TAIL


def _is_right(result: DiscoveryResult, truth: HiddenGraph) -> bool:
    return all(
        truth.is_visible(claim.cause, claim.effect)
        if claim.kind is ClaimKind.NOTHING_HIDDEN
        else truth.causes(claim.cause, claim.effect) is (claim.kind is ClaimKind.CAUSE)
        for orientation in result.orientation_records.values()
        for claim in orientation.claims
    )


@with_each("seed", first_of(range(5000, 5040), 15))
def test_nothing_is_wrong_on_random_graphs_with_hidden_variables(seed: int) -> None:
    edges, seen, labels = random_case(seed)
    result = exact_result(edges, seen, labels)
    truth = HiddenGraph(edges, seen)
    assert _is_right(result, truth)
    for edge in result.local_edges:
        for mark, ends in (
            (edge.marks.at_feature, (edge.first, edge.second)),
            (edge.marks.at_label, (edge.second, edge.first)),
        ):
            assert mark is EndMark.CIRCLE or truth.causes(*ends) is (mark is EndMark.TAIL)


def test_most_of_what_fci_settles_next_to_labels_is_stated() -> None:
    settled = stated = 0
    for seed in range(5040, 5070):
        edges, seen, labels = random_case(seed)
        truth = HiddenGraph(edges, seen)
        partial = PartialGraph(truth)
        result = exact_result(edges, seen, labels)
        for label in labels:
            for neighbour in truth.next_to(label):
                orientation = result.orientation(neighbour, label)
                for mark, ends in ((0, (neighbour, label)), (1, (label, neighbour))):
                    if partial.mark(*ends) != CIRCLE:
                        settled += 1
                        marks = orientation and (orientation.marks.at_feature, orientation.marks.at_label)
                        stated += bool(marks) and marks[mark] is not EndMark.CIRCLE
    assert settled > 100
    assert stated >= 0.75 * settled


@with_each("seed", first_of(range(6000, 6030), 10))
def test_true_knowledge_makes_nothing_wrong_and_tells_more(seed: int) -> None:
    edges, seen, labels = random_case(seed)
    truth = HiddenGraph(edges, seen)
    order = sorted(seen, key=lambda name: (len(truth.ancestors_of([name])), name))
    # Two tiers that no cause crosses backwards.
    half = set(order[: len(order) // 2])
    early = half | truth.ancestors_of(half)
    tiers = [sorted(early), [name for name in seen if name not in early]]
    knowledge = Knowledge(tiers=tiers, required=[edge for edge in edges if set(edge) <= set(seen)][:2])
    result = exact_result(edges, seen, labels, knowledge)
    assert _is_right(result, truth)
    assert not [objection for objection in result.objections if not objection.is_possible]
    before = exact_result(edges, seen, labels)
    assert len(_open(result)) <= len(_open(before))
    for pair, orientation in result.orientation_records.items():
        feature, label = pair
        if (
            knowledge.is_later(label, feature)
            and truth.adjacent[frozenset(pair)]
            and pair not in _open(result)
        ):
            assert orientation.marks.at_label is EndMark.ARROWHEAD


def _open(result: DiscoveryResult) -> set[Edge]:
    return {
        pair
        for pair, orientation in result.orientation_records.items()
        if orientation.grade is Grade.UNDECIDED
    }


CHAIN: list[Edge] = [("a", "t"), ("t", "b")]


@pytest.mark.parametrize(
    ("knowledge", "grades"),
    [
        (Knowledge(), {"a": Grade.UNDECIDED, "b": Grade.UNDECIDED}),
        # An arrowhead at t of its edge with a; then b cannot lead into t as well, or t would join the two.
        (Knowledge(tiers=[["a"], ["t"]]), {"a": Grade.NOT_EFFECT, "b": Grade.EFFECT_NOTHING_HIDDEN}),
        (Knowledge(not_effects=["a"]), {"a": Grade.NOT_EFFECT, "b": Grade.EFFECT_NOTHING_HIDDEN}),
        (Knowledge(required=[("a", "t")]), {"a": Grade.CAUSE, "b": Grade.EFFECT_NOTHING_HIDDEN}),
        (
            Knowledge(required=[("a", "t")], unconfounded=[("t", "a")]),
            {"a": Grade.CAUSE_NOTHING_HIDDEN, "b": Grade.EFFECT_NOTHING_HIDDEN},
        ),
        (
            Knowledge(tiers=[["a"], ["t"]], unconfounded=[("a", "t")]),
            {"a": Grade.CAUSE_NOTHING_HIDDEN, "b": Grade.EFFECT_NOTHING_HIDDEN},
        ),
        # No other way leads from b to t: what is no direct cause is none.
        (Knowledge(forbidden=[("b", "t")]), {"a": Grade.UNDECIDED, "b": Grade.NOT_CAUSE}),
    ],
)
def test_knowledge_enters_before_the_rules(knowledge: Knowledge, grades: dict[str, Grade]) -> None:
    assert _grades(CHAIN, knowledge) == grades


def test_a_forbidden_edge_leaves_ways_through_others_open() -> None:
    """In a triangle one edge of which is forbidden, a may still be a cause of t through b."""
    edges = [("a", "b"), ("b", "t"), ("a", "t")]
    assert _grades(edges, Knowledge(forbidden=[("a", "t")]))["a"] is Grade.UNDECIDED


def test_what_tests_contradict_is_said() -> None:
    edges = [("a", "t"), ("b", "t")]
    # Both causes later than the label: possible only if something hidden is in common.
    late = exact_result(edges, _seen(edges), ["t"], Knowledge(tiers=[["t"], ["a"]]))
    assert late.orientation_records["a", "t"].grade is Grade.HIDDEN_IN_COMMON
    (objection,) = late.objections
    assert (objection.part, objection.cause, objection.effect) == (KnowledgePart.TIERS, "a", "t")
    assert objection.is_possible and objection.claim is not None
    assert [test.given for test in objection.tests] == [(), ("t",)]
    # That it is a cause of one of them is what the v-structure excludes.
    required = exact_result(edges, _seen(edges), ["t"], Knowledge(required=[("t", "a")]))
    assert required.orientation_records["a", "t"].grade is Grade.EFFECT
    (objection,) = required.objections
    assert (objection.part, objection.cause, objection.effect) == (KnowledgePart.REQUIRED, "t", "a")
    assert not objection.is_possible
    # That it is a direct cause of what it is independent of.
    apart = exact_result(CHAIN, _seen(CHAIN), ["t", "b"], Knowledge(required=[("a", "b")]))
    (objection,) = apart.objections
    assert (objection.cause, objection.effect, objection.claim) == ("a", "b", None)
    assert [test.given for test in objection.tests] == [("t",)]
    # Nothing hidden in common, and no cause either way.
    both = Knowledge(tiers=[["t"], ["a"]], unconfounded=[("a", "t")])
    assert any(
        not objection.is_possible for objection in exact_result(edges, _seen(edges), ["t"], both).objections
    )


def test_knowledge_never_changes_who_belongs_to_a_boundary() -> None:
    for seed in range(7000, 7010):
        edges, seen, labels = random_case(seed)
        knowledge = Knowledge(tiers=[seen[::2], seen[1::2]])
        with_it, without = exact_result(edges, seen, labels, knowledge), exact_result(edges, seen, labels)
        assert with_it.boundaries == without.boundaries
        assert with_it.evidence == without.evidence
        assert with_it.knowledge == knowledge


# What the rules of Zhang (2008, Artificial Intelligence) give, worked out by hand.
@pytest.mark.parametrize(
    ("edges", "marks"),
    [
        # R1 and R2.
        ([("a", "x"), ("b", "x"), ("x", "t")], {("x", "t"): TAIL, ("t", "x"): ARROWHEAD}),
        # R4: a discriminating path a, c, b for b, with a and t apart.
        (
            [("a", "c"), ("hidden", "c"), ("hidden", "b"), ("c", "t"), ("b", "t"), ("d", "b")],
            {("b", "t"): TAIL, ("c", "t"): TAIL, ("c", "b"): ARROWHEAD, ("b", "c"): ARROWHEAD},
        ),
        # Nothing but the skeleton.
        ([("a", "t"), ("t", "b")], {("a", "t"): CIRCLE, ("t", "a"): CIRCLE}),
    ],
)
def test_the_reference_settles_what_is_published(edges: list[Edge], marks: dict[Edge, str]) -> None:
    partial = PartialGraph(HiddenGraph(edges, _seen(edges)))
    assert {ends: partial.mark(*ends) for ends in marks} == marks


def test_what_has_a_stand_in_has_a_grade_and_no_direction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever of two that tell the same is next to the label: who causes whom holds, and no edge does."""
    edges = [("a", "x"), ("b", "x"), ("x", "t")]
    monkeypatch.setattr(orient, "_has_stand_in", lambda *_: True)
    (orientation,) = exact_result(edges, _seen(edges), ["t"]).orientation_records.values()
    assert (orientation.grade, orientation.direction) == (Grade.CAUSE, Direction.UNDECIDED)
    assert {claim.kind for claim in orientation.claims} == {ClaimKind.CAUSE, ClaimKind.NO_CAUSE}
    assert not orientation.confirmed


def test_what_was_known_is_told_apart_from_what_the_data_tell() -> None:
    folder = Path(__file__).resolve().parents[3] / "resources" / "examples"
    table = engine.read_dataset(folder / "hospital-survey.csv", labels=folder / "hospital-survey.xml")
    assert not any("known beforehand" in sentence for sentence in grade_sentences(engine.discover(table)))
    assert not any(
        "known beforehand" in sentence
        for sentence in grade_sentences(engine.discover(table, knowledge=engine.Knowledge()))
    )
    tiers = [["Night shifts", "Shift allowance", "Coffee after 4 pm"], list(table.labels)]
    result = engine.discover(table, knowledge=engine.Knowledge(tiers=tiers))
    enters = [
        pair
        for pair, orientation in result.orientation_records.items()
        if pair in result.evidence
        and orientation.grade is not Grade.UNDECIDED
        and any(claim.uses_knowledge for claim in orientation.claims)
    ]
    assert any({*pair} & {*tiers[0]} for pair in enters)
    assert any(f"enters in {len(enters)} of these" in sentence for sentence in grade_sentences(result))
