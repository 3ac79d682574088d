"""With tiers and the setting "Time order", nothing that is later is in a boundary, or conditioned on."""

from __future__ import annotations

from collections.abc import Sequence

import networkx
import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.discovery_settings import AS_PUBLISHED, DiscoverySettings
from engine.discovery.discover import SearchRequest, search_data
from engine.discovery.orientation.direction import Direction, EndMark
from engine.discovery.result import DiscoveryResult
from engine.errors import InvalidParameter
from engine.independence.data import TestData
from engine.independence.record import TestRecord
from engine.knowledge.knowledge import Knowledge
from engine.progress import SilentProgress
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.engine.oracle import Edges, oracle_data

IN_ORDER = DiscoverySettings(max_conditioning=6, symmetry=True, time_order=True)


def drawn(seed: int, untiered: int = 0) -> tuple[list[tuple[str, str]], list[str], list[list[str]]]:
    """Draw a graph of 11 variables in three tiers, some variables in none, and edges that follow them.

    A variable in no tier has no cause in a tier, so that nothing that comes later acts on earlier ones by it.
    """
    generator = np.random.default_rng(seed)
    names = [f"v{place}" for place in generator.permutation(11)]
    tier = np.sort(generator.integers(0, 3, size=11))
    without = set(generator.choice(names, untiered, replace=False).tolist())
    edges = [
        (names[cause], names[effect])
        for effect in range(11)
        for cause in range(effect)
        if generator.random() < 0.28 and (names[effect] not in without or names[cause] in without)
    ]
    tiers = [
        [name for name, own in zip(names, tier, strict=True) if own == number and name not in without]
        for number in range(3)
    ]
    return edges, sorted(names), tiers


def found_in(
    data: TestData, labels: Sequence[str], tiers: Sequence[Sequence[str]], settings: DiscoverySettings
) -> DiscoveryResult:
    """Make a whole run on the true graph, with tiers."""
    dataset = Dataset(
        tuple(
            Variable(name, Kind.NOMINAL, Role.LABEL if name in labels else Role.FEATURE, levels=("no", "yes"))
            for name in data.names
        ),
        tuple(np.zeros(1, dtype=np.int8) for _ in data.names),
    )
    return search_data(data, dataset, SearchRequest(settings, Knowledge(tiers=tiers)), SilentProgress())


def is_later(first: str, second: str, tiers: Sequence[Sequence[str]]) -> bool:
    number = {name: place for place, tier in enumerate(tiers) for name in tier}
    return first in number and second in number and number[first] > number[second]


def marginal_boundary(edges: Edges, label: str, among: Sequence[str]) -> set[str]:
    """Return the variables that all others together do not d-separate from a label, the rest marginalised."""
    graph = networkx.DiGraph(edges)
    graph.add_nodes_from(among)
    return {
        candidate
        for candidate in among
        if candidate != label
        and not networkx.is_d_separator(graph, {candidate}, {label}, set(among) - {candidate, label})
    }


@pytest.mark.parametrize("algorithm", ["hiton-mb", "pcmb"])
@pytest.mark.parametrize("procedure", ["controlled", AS_PUBLISHED])
def test_boundaries_are_those_among_what_is_not_later(algorithm: str, procedure: str) -> None:
    settings = DiscoverySettings(
        algorithm=algorithm, procedure=procedure, max_conditioning=6, symmetry=True, time_order=True
    )
    changed = 0
    for seed in range(12):
        edges, names, tiers = drawn(seed, untiered=seed % 3)
        labels = names[:4]
        result = found_in(oracle_data(edges, names), labels, tiers, settings)
        for label in labels:
            among = [name for name in names if not is_later(name, label, tiers)]
            right = marginal_boundary(edges, label, among)
            assert set(result.boundaries[label].members) == right
            changed += right != marginal_boundary(edges, label, names)
    assert changed > 10


def conditioned_on(result: DiscoveryResult) -> list[TestRecord]:
    """Return every test that a result shows."""
    reasons = [reason for of_pair in result.evidence.values() for reason in of_pair]
    reasons += result.label_evidence.values()
    records = [test for reason in reasons for test in reason.tests]
    records += [test for orientation in result.orientation_records.values() for test in orientation.tests]
    records += [
        test
        for orientation in result.orientation_records.values()
        for claim in orientation.claims
        for test in claim.tests
    ]
    for equivalence in (*result.equivalence_records, *result.undistinguished_records):
        records += [equivalence.equivalent_given_boundary, equivalence.boundary_given_equivalent]
    for link in result.links_through_labels.values():
        records += [link.separated] if link.separated else []
        records += [test for reason in link.reasons for test in reason.tests]
    return [record for record in records if record.given]


def test_no_test_conditions_on_what_is_later_than_both_its_variables() -> None:
    forbidden = shown = 0
    for seed in range(20):
        edges, names, tiers = drawn(seed, untiered=seed % 3)
        for settings in (IN_ORDER, DiscoverySettings(max_conditioning=6, symmetry=True)):
            result = found_in(oracle_data(edges, names), names[:4], tiers, settings)
            breaks = [
                test
                for test in conditioned_on(result)
                for partner in test.others
                if any(
                    is_later(variable, test.x, tiers) and is_later(variable, partner, tiers)
                    for variable in test.given
                )
            ]
            if settings.time_order:
                assert not breaks
                shown += len(conditioned_on(result))
            else:
                forbidden += len(breaks)
    assert shown > 100
    assert forbidden > 10


def test_what_is_earlier_is_next_to_a_label_and_no_effect_of_it() -> None:
    """The search around an earlier variable does not see the label, and does not deny the edge."""
    told = 0
    for seed in range(12):
        edges, names, tiers = drawn(seed)
        labels = names[:4]
        result = found_in(oracle_data(edges, names), labels, tiers, IN_ORDER)
        for label in labels:
            for member in result.boundaries[label].parents_children:
                if is_later(label, member, tiers):
                    orientation = result.orientation(member, label)
                    assert orientation is not None
                    assert orientation.marks.at_label is EndMark.ARROWHEAD
                    assert result.direction(member, label) is Direction.CAUSE
                    told += 1
    assert told > 20


def collider(rows: int, seed: int) -> pandas.DataFrame:
    """Draw a treatment and an outcome that have nothing to do with each other, and what comes of both."""
    generator = np.random.default_rng(seed)
    treatment, outcome = generator.normal(size=(2, rows))
    return pandas.DataFrame(
        {
            "treatment": treatment,
            "hospital stay": treatment + outcome + 0.5 * generator.normal(size=rows),
            "age": generator.normal(size=rows),
            "outcome": outcome,
        }
    )


TIERS = Knowledge(tiers=[["age", "treatment"], ["outcome"], ["hospital stay"]])


def test_conditioning_on_a_later_effect_makes_a_false_member_only_without_the_setting() -> None:
    dataset = engine.Dataset.from_frame(collider(500, seed=1), labels=["outcome"])
    usual = engine.discover(dataset, knowledge=TIERS)
    assert set(usual.boundaries["outcome"].members) == {"hospital stay", "treatment"}
    in_order = engine.discover(dataset, DiscoverySettings(time_order=True), knowledge=TIERS)
    assert not in_order.boundaries["outcome"].members


def test_a_search_in_time_order_is_a_search_in_the_table_without_what_is_later() -> None:
    network = engine.simulate(
        labels=3, features=15, rows=1500, seed=5, variables="mixed", label_causality=1.0
    )
    names = network.network.order
    tiers = [names[:6], names[6:12], names[12:]]
    in_order = engine.discover(
        network.dataset, DiscoverySettings(time_order=True), knowledge=Knowledge(tiers=tiers)
    )
    for label in network.dataset.labels:
        kept = [name for name in network.dataset.names if not is_later(name, label, tiers)]
        left = [label for label in network.dataset.labels if label in kept]
        alone = engine.Dataset.from_frame(network.dataset.frame[kept], labels=left)
        # Those earlier have no say in a search of the table without what is later.
        result = engine.discover(
            alone,
            DiscoverySettings(time_order=True),
            knowledge=Knowledge(tiers=[[name for name in tier if name in kept] for tier in tiers]),
        )
        assert result.boundaries[label].members == in_order.boundaries[label].members
        assert {
            pair: value for pair, value in result.log_q_values.items() if pair[1] == label
        } == pytest.approx({pair: value for pair, value in in_order.log_q_values.items() if pair[1] == label})


def test_without_tiers_the_setting_is_refused() -> None:
    dataset = engine.Dataset.from_frame(collider(50, seed=1), labels=["outcome"])
    in_order = DiscoverySettings(time_order=True)
    for knowledge in (None, Knowledge(forbidden=[("age", "outcome")])):
        with pytest.raises(InvalidParameter, match="no tiers are given"):
            engine.discover(dataset, in_order, knowledge=knowledge)
    with pytest.raises(InvalidParameter, match="no tiers are given"):
        engine.DiscoverySession(dataset).discover(in_order)
    with pytest.raises(InvalidParameter, match="no tiers are given"):
        engine.markov_boundary(dataset, "outcome", in_order)
    with pytest.raises(InvalidParameter, match="no tiers are given"):
        engine.select_features(dataset, in_order)


def test_selection_takes_nothing_that_is_later_in_the_place_of_a_label() -> None:
    """Death after relapse after treatment; what follows from relapse comes later than death."""
    generator = np.random.default_rng(3)
    treatment = generator.normal(size=1500)
    relapse = treatment + generator.normal(size=1500)
    frame = pandas.DataFrame(
        {
            "treatment": treatment,
            "scan": relapse + 0.3 * generator.normal(size=1500),
            "relapse": relapse,
            "death": relapse + generator.normal(size=1500),
        }
    )
    dataset = engine.Dataset.from_frame(frame, labels=["relapse", "death"])
    in_order = DiscoverySettings(time_order=True)
    # Relapse stands in no tier: what is next to it may be later than death.
    tiers = Knowledge(tiers=[["treatment"], ["death"], ["scan"]])
    usual = engine.select_features(dataset)
    assert "death" in usual.labels_of("scan")
    selection = engine.select_features(dataset, in_order, knowledge=tiers)
    assert "scan" not in selection.features or "death" not in selection.labels_of("scan")
    assert "death" in selection.labels_of("treatment")


def test_nothing_later_is_linked_to_a_group_of_labels() -> None:
    """Three scores of one illness, a treatment before them, and a hospital stay after them."""
    generator = np.random.default_rng(8)
    treatment, illness = generator.normal(size=(2, 800))
    illness = illness + treatment
    scores = {f"score {place}": illness + 0.7 * generator.normal(size=800) for place in range(4)}
    frame = pandas.DataFrame(
        {"treatment": treatment, "stay": illness + generator.normal(size=800), "noise": treatment, **scores}
    )
    frame["noise"] = generator.normal(size=800)
    dataset = engine.Dataset.from_frame(frame, labels=list(scores))
    knowledge = Knowledge(tiers=[["treatment"], list(scores), ["stay"]])
    [usual] = engine.discover(dataset, knowledge=knowledge).label_groups
    assert usual.features == ("treatment", "stay")
    in_order = engine.discover(dataset, DiscoverySettings(time_order=True), knowledge=knowledge)
    [group] = in_order.label_groups
    assert group.features == ("treatment",)


def test_the_same_comes_of_any_number_of_workers() -> None:
    network = engine.simulate(labels=4, features=20, rows=1000, seed=2, label_causality=1.0)
    names = network.network.order
    knowledge = Knowledge(tiers=[names[:8], names[8:16], names[16:]])
    results = [
        engine.discover(
            network.dataset, DiscoverySettings(time_order=True, workers=workers), knowledge=knowledge
        )
        for workers in (1, 3)
    ]
    first, second = ((result.boundaries, result.evidence, result.tests_made) for result in results)
    assert first == second
