"""The score against truth from outside: what an arrow adds, networks that are known, and when it is asked."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import stats

import engine
from engine.boundaries.discovery_settings import arranged
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.score_search import ArrowWorths, Climb, price_of_arrows
from engine.boundaries.second_opinion import (
    FEW_VARIABLES,
    is_asked,
    second_opinion,
)
from engine.simulation import BayesianNetwork, score
from tests.benchmarks.odd_categories.tables import drawn
from tests.engine.independence.calibration import dataset_of
from tests.examples import first_of

SETTINGS = engine.DiscoverySettings()


def search_of(dataset: engine.Dataset, **settings: object) -> Neighbourhoods:
    """Search a table."""
    chosen = engine.DiscoverySettings(**settings)  # type: ignore[arg-type]
    return Neighbourhoods(arranged(dataset, chosen), chosen, np.zeros(1, np.uint8))


def weak_parents() -> BayesianNetwork:
    """Six causes that each raise the probability of one effect a little."""
    causes = [f"c{number}" for number in range(6)]
    table = np.empty((2,) * 7)
    for levels in np.ndindex(*(2,) * 6):
        share = 0.1 + 0.13 * sum(levels)
        table[levels] = [1 - share, share]
    tables = {cause: np.array([0.5, 0.5]) for cause in causes} | {"effect": table}
    return BayesianNetwork([*causes, "effect"], {"effect": causes}, tables)


def alarm_of(causes: dict[str, float], chance: float, others: int = 0) -> BayesianNetwork:
    """An alarm that goes off by a chance where a cause is there; causes have rates, and other nodes."""
    besides = [f"n{number}" for number in range(others)]
    alarm = np.zeros((2,) * len(causes) + (2,))
    alarm[..., 0], alarm[..., 1] = 1.0 - chance, chance
    alarm[(0,) * len(causes)] = 1.0, 0.0
    tables = {name: np.array([1.0 - rate, rate]) for name, rate in causes.items()} | {"alarm": alarm}
    tables |= {name: np.array([0.5, 0.5]) for name in besides}
    return BayesianNetwork([*causes, "alarm", *besides], {"alarm": list(causes)}, tables)


def test_an_effect_of_ten_rare_causes_connects_them_all() -> None:
    network = alarm_of({f"c{number}": 0.02 for number in range(10)}, 0.9)
    dataset = engine.simulate_network(network, ["c0", "c3"], 4000, 1).dataset
    for label, boundary in engine.discover(dataset, directions=False).boundaries.items():
        assert boundary.parents_children == ("alarm",)
        assert len(boundary.spouses) >= 8, label


def test_a_rare_cause_is_found_by_what_it_adds_to_other_causes() -> None:
    """By itself it tells too little among so many variables."""
    network = alarm_of({f"c{number}": 0.02 for number in range(6)} | {"rare": 0.01}, 1.0, others=100)
    results = [
        engine.discover(engine.simulate_network(network, ["rare"], 500, seed).dataset, directions=False)
        for seed in range(8)
    ]
    members = [set(result.boundaries["rare"].members) for result in results]
    assert sum("alarm" in boundary for boundary in members) >= 7
    assert not any(name.startswith("n") for boundary in members for name in boundary)


def test_an_arrow_pays_when_its_test_is_significant_among_all_variables() -> None:
    price = price_of_arrows(50, 0.01)
    assert price.of_dof + price.of_arrow == pytest.approx(stats.chi2.isf(0.01 / 50, 1))


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_gains_add_up_to_the_likelihood_ratio_of_the_graph(seed: int) -> None:
    dataset = engine.simulate_network(weak_parents(), ["effect"], 2000, seed).dataset
    search = search_of(dataset)
    price = price_of_arrows(7, 0.01)
    here = Climb(ArrowWorths(search.data, price, search.stop), range(7))
    here.go()
    effect = dataset.column("effect")
    # At the top no arrow is worth less than its price, by the statistic that scipy gives for it alone.
    for start, to in np.argwhere(here.arrows):
        if here.arrows[:, to].sum() == 1:
            counts = np.histogram2d(dataset.columns[start], dataset.columns[to], bins=2)[0]
            expected = stats.chi2_contingency(counts, correction=False, lambda_="log-likelihood")[0]
            assert here.alone[start, to] == pytest.approx(expected - price.of_dof - price.of_arrow)
    assert (here.gains[~np.eye(7, dtype=bool)] < 1e-6).sum() >= here.arrows.sum()
    assert effect.size == 2000


def test_arrows_never_lead_round_in_circles() -> None:
    network = engine.simulate(labels=5, features=20, rows=500, seed=103)
    search = search_of(network.dataset)
    price = price_of_arrows(len(search.data.names), 0.05)
    here = Climb(ArrowWorths(search.data, price, search.stop), range(len(search.data.names)))
    here.go()
    paths = here.arrows.astype(float)
    for _ in pairwise(range(len(paths))):
        paths = np.minimum(paths @ here.arrows + here.arrows, 1.0)
    assert here.arrows.any()
    assert not np.diag(paths).any()


def test_it_finds_what_tests_drop_with_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def members_found(few_variables: int) -> tuple[int, int]:
        monkeypatch.setattr("engine.boundaries.second_opinion.MOST_AROUND", 0)
        monkeypatch.setattr("engine.boundaries.second_opinion.FEW_VARIABLES", few_variables)
        right = wrong = 0
        for seed in range(3):
            network = engine.simulate(labels=5, features=60, rows=500, seed=seed)
            for label, boundary in engine.discover(network.dataset, directions=False).boundaries.items():
                true = set(network.truth.boundaries[label].members)
                right += len(true.intersection(boundary.members))
                wrong += len(set(boundary.members) - true)
        return right, wrong

    right, wrong = members_found(FEW_VARIABLES)
    right_by_tests, wrong_by_tests = members_found(0)
    assert right > 1.1 * right_by_tests
    assert wrong <= wrong_by_tests + 3


@pytest.mark.parametrize("seed", [2, 5])
def test_what_is_shown_to_stand_in_for_a_neighbour_does_not_join_beside_it(seed: int) -> None:
    """One of two that are interchangeable by the truth is selected, and the other is no neighbour."""
    network = engine.simulate(
        labels=4, features=30, rows=1000, label_causality=0.5, multiple_boundaries=0.8, seed=seed
    )
    result = engine.discover(network.dataset, directions=False)
    selection = engine.selection_of(result)
    about_labels = [
        equivalence for equivalence in result.equivalence_records if equivalence.target in result.boundaries
    ]
    assert about_labels
    for equivalence in about_labels:
        together = {*equivalence.in_boundary, *equivalence.equivalent}
        groups = network.truth.boundaries[equivalence.target].interchangeable
        assert any(together.issuperset(group) or together.issubset(group) for group in groups)
        neighbours = result.boundaries[equivalence.target].parents_children
        assert together.intersection(neighbours) == set(equivalence.in_boundary)
        assert (
            len([name for name in together if equivalence.target in selection.label_sets.get(name, ())]) == 1
        )


def test_nothing_is_found_where_nothing_is() -> None:
    count_of_members = 0
    for seed in range(5):
        rng = np.random.default_rng(seed)
        nodes = [f"v{number}" for number in range(40)]
        tables = {node: rng.dirichlet(np.full(1 + rng.integers(1, 4), 2.0)) for node in nodes}
        network = BayesianNetwork(nodes, {}, tables)
        dataset = engine.simulate_network(network, nodes[:10], 300, seed).dataset
        count_of_members += sum(
            len(boundary.members)
            for boundary in engine.discover(dataset, directions=False).boundaries.values()
        )
    assert count_of_members <= 5


def test_it_is_asked_only_where_it_is_borne() -> None:
    small = engine.simulate(labels=3, features=12, rows=300, seed=0).dataset
    assert is_asked(search_of(small))
    assert not is_asked(search_of(small, procedure="as published"))
    assert not is_asked(search_of(small, test="x2"))
    assert not is_asked(search_of(small, max_conditioning=1))


def test_in_a_wide_table_it_is_asked_where_little_depends_on_the_target() -> None:
    rng = np.random.default_rng(0)
    target = rng.integers(0, 2, 400)
    # A crowd, each with a tenth of the rows of its own, follows the second column and not the first.
    crowd = rng.integers(0, 2, 400)
    follows = rng.random((FEW_VARIABLES, 400)) < 0.1
    columns = {
        "lonely": target,
        "effect": np.where(rng.random(400) < 0.2, 1 - target, target),
        "crowded": crowd,
        **{f"v{number}": np.where(own, 1 - crowd, crowd) for number, own in enumerate(follows)},
    }
    search = search_of(dataset_of(columns, labels=("lonely", "crowded")))
    place = {name: number for number, name in enumerate(search.data.names)}
    lonely, crowded = (second_opinion(search, place[name]) for name in ("lonely", "crowded"))
    assert lonely is not None
    assert set(lonely.neighbours) == {place["effect"]}
    assert crowded is None


def test_in_a_wide_table_of_few_rows_the_most_related_variables_are_weighed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In one table; in two with ``--long``."""
    seeds = first_of((0, 1), 1)
    networks = [engine.simulate(labels=15, features=400, rows=800, seed=seed) for seed in seeds]

    def pairs_found() -> tuple[int, int]:
        pair_scores = [
            score(
                engine.discover(network.dataset, directions=False).label_sets, network.truth.label_sets
            ).pairs
            for network in networks
        ]
        return sum(pair_score.true_positives for pair_score in pair_scores), sum(
            pair_score.false_positives for pair_score in pair_scores
        )

    right, wrong = pairs_found()
    # As with many rows: only where few variables depend on a label and its neighbours.
    monkeypatch.setattr("engine.boundaries.second_opinion.ENOUGH_ROWS", 0)
    right_of_few, wrong_of_few = pairs_found()
    assert right > 1.04 * right_of_few
    assert wrong <= wrong_of_few + len(seeds)


@pytest.mark.parametrize("seed", range(5))
def test_an_arrow_that_cannot_be_tested_any_more_stays_and_none_leads_to_where_it_starts(seed: int) -> None:
    # Rows suffice for y and x alone, and not with z held fixed.
    generator = np.random.default_rng(seed)
    x, z = generator.integers(0, 3, 350), generator.integers(0, 2, 350)
    y = (generator.random(350) < 0.15 + 0.2 * x + 0.3 * z).astype(np.int64)
    dataset = dataset_of({"y": y, "x": x, "z": z})
    search = search_of(dataset, min_rows_per_dof=100.0)
    here = Climb(ArrowWorths(search.data, price_of_arrows(3, 0.01), search.stop), range(3))
    here.go()
    assert here.arrows.any() and not here.arrows.diagonal().any()
    assert here.tests < 30


def test_what_only_many_variables_separate_from_the_target_leaves() -> None:
    # With so many rows sets of three let through what is further away: twenty others without the graph.
    table = drawn("ordered levels", 1003, 20_000)
    dataset = engine.prepare(engine.Dataset.from_frame(table.frame, labels=list(table.labels)))
    result = engine.discover(dataset, directions=False)
    pairs = score(result.label_sets, table.label_sets).pairs
    assert (pairs.precision, pairs.recall) == (1.0, 1.0)


def test_an_arrow_is_weighed_once_for_the_graphs_around_all_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    network = engine.simulate(labels=4, features=20, rows=500, seed=103)
    search = search_of(network.dataset)
    ask = type(search.data).ask_rows
    scored: list[tuple[int, ...]] = []

    def noted(data: Any, x: Any, y: Any, given: Any, sizes: Any, *others: Any) -> Any:
        for start, end, parents, size in zip(x, y, given, sizes, strict=True):
            scored.append((int(start), int(end), *parents[:size].tolist()))
        return ask(data, x, y, given, sizes, *others)

    labels = [search.data.positions[label] for label in network.dataset.labels]
    for variable in range(len(search.data.names)):
        search.screen(variable)
    monkeypatch.setattr(type(search.data), "ask_rows", noted)
    together = [second_opinion(search, label) for label in labels]
    scored_once = len(scored)
    assert scored_once == len(set(scored)) > 100
    # A graph is the same whatever was weighed before, and so is the number of tests that it rests on.
    alone = [second_opinion(search_of(network.dataset), label) for label in labels]
    assert together == alone
    assert sum(opinion.tests for opinion in together if opinion) > 2 * scored_once
