"""Effects of changing a cause: adjusted for its parents, or a range over the sets that these may be."""

from __future__ import annotations

from itertools import combinations, product

import networkx
import numpy as np
import pandas
import pytest

import engine
from engine.discovery.effects import all_effects
from engine.discovery.effects.all_effects import (
    MEASURING,
    LocalCauses,
    ParentSearch,
    adjusted_association,
    association,
    effect_of_changing,
)
from engine.discovery.effects.estimates import Estimand, Measure, Sign
from engine.discovery.effects.size_words import size_sentences
from engine.errors import Cancelled
from engine.simulation import StructuralNetwork
from engine.simulation.structural_network import InfluenceTerm, NumberCurve, NumberEquation
from engine.wording.phrases import plain
from tests.engine.discovery.effects.made_tables import table
from tests.progress_watcher import ProgressWatcher
from tests.with_each import with_each


def test_adjusted_for_known_parents_it_is_the_standardised_difference() -> None:
    data = table(500, 0)
    effect = effect_of_changing(data, "c", "two", [["z"]])
    assert effect.contrasts == adjusted_association(data, "c", "two", ["z"]).contrasts
    assert (effect.estimand, effect.adjusted_for, effect.is_range) == (Estimand.EFFECT, ("z",), False)


def test_without_parents_it_is_the_association() -> None:
    data = table(500, 1)
    effect = effect_of_changing(data, "x", "number", [[]])
    assert effect.contrasts == association(data, "x", "number").contrasts


def test_several_sets_of_parents_give_a_range() -> None:
    data = table(500, 2)
    sets = [[], ["z"], ["z", "c"]]
    whole = effect_of_changing(data, "x", "number", sets)
    alone = [effect_of_changing(data, "x", "number", [causes_changed]) for causes_changed in sets]
    for place, contrast in enumerate(whole.contrasts):
        same = [effect.contrasts[place] for effect in alone]
        assert {estimate.measure for estimate in same} == {contrast.measure}
        estimates = [estimate.estimate for estimate in same]
        assert (contrast.least, contrast.most) == (min(estimates), max(estimates))
        assert contrast.estimate == min(estimates, key=abs)
        assert (contrast.low, contrast.high) == (min(e.low for e in same), max(e.high for e in same))
    assert whole.is_range and whole.adjusted_for == () and whole.sign is Sign.MORE
    assert whole.e_value is not None and whole.e_value.estimate == min(e.e_value.estimate for e in alone)


def test_sets_that_disagree_on_the_sign_need_nothing_hidden() -> None:
    generator = np.random.default_rng(3)
    z = generator.normal(size=800)
    x = z + 0.5 * generator.normal(size=800)
    y = 2 * z - x + 0.5 * generator.normal(size=800)
    data = engine.Dataset.from_frame(pandas.DataFrame({"x": x, "y": y, "z": z}), labels=["y"])
    whole = effect_of_changing(data, "x", "y", [[], ["z"]])
    (slope,) = (contrast for contrast in whole.contrasts if contrast.measure is Measure.SLOPE)
    assert slope.least < 0 < slope.most and slope.estimate == 0.0
    assert whole.sign is Sign.UNCLEAR
    assert whole.e_value is not None and (whole.e_value.estimate, whole.e_value.limit) == (1.0, 1.0)


def test_no_set_of_parents_gives_no_figure() -> None:
    size = effect_of_changing(table(100, 4), "x", "two", [])
    assert size.contrasts == () and size.e_value is None and not size.is_range


def equivalent_graphs(graph: networkx.DiGraph) -> list[networkx.DiGraph]:
    """Every acyclic graph with the same neighbours and the same v-structures, by trying all directions."""
    edges = list(graph.edges)
    wanted = colliders(graph)
    graphs = []
    for turned in product((False, True), repeat=len(edges)):
        turned_graph = networkx.DiGraph()
        turned_graph.add_nodes_from(graph)
        turned_graph.add_edges_from(
            (b, a) if turn else (a, b) for (a, b), turn in zip(edges, turned, strict=True)
        )
        if networkx.is_directed_acyclic_graph(turned_graph) and colliders(turned_graph) == wanted:
            graphs.append(turned_graph)
    return graphs


def colliders(graph: networkx.DiGraph) -> set[tuple[str, frozenset[str]]]:
    return {
        (node, frozenset(pair))
        for node in graph
        for pair in combinations(graph.predecessors(node), 2)
        if not graph.has_edge(*pair) and not graph.has_edge(*pair[::-1])
    }


@with_each("seed", range(60))
def test_every_set_that_an_equivalent_graph_has_is_told(seed: int) -> None:
    """The sets of Maathuis and others, by listing the graphs that no data tell apart."""
    generator = np.random.default_rng(seed)
    names = [f"v{place}" for place in range(5)]
    graph = networkx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(pair for pair in combinations(names, 2) if generator.random() < 0.5)
    cause = names[int(generator.integers(5))]
    same = equivalent_graphs(graph)
    around = [set(extension.predecessors(cause)) for extension in same]
    neighbours = list(networkx.all_neighbors(graph, cause))
    parents = tuple(
        neighbour
        for neighbour in neighbours
        if all(neighbour in parents_in_graph for parents_in_graph in around)
    )
    undecided = tuple(
        neighbour
        for neighbour in neighbours
        if neighbour not in parents and any(neighbour in parents_in_graph for parents_in_graph in around)
    )
    adjacent = frozenset(
        frozenset(pair)
        for pair in combinations(names, 2)
        if graph.has_edge(*pair) or graph.has_edge(*pair[::-1])
    )
    parent_sets = {
        frozenset(parent_set) for parent_set in LocalCauses(parents, undecided, adjacent).parent_sets("")
    }
    assert parent_sets >= {frozenset(parents_in_graph) for parents_in_graph in around}
    # The local rule of the paper allows no set that no equivalent graph has.
    assert parent_sets == {frozenset(parents_in_graph) for parents_in_graph in around}
    every = {frozenset(parent_set) for parent_set in LocalCauses(parents, undecided).parent_sets("")}
    assert every >= parent_sets and len(every) == 2 ** len(undecided)


def test_an_effect_is_never_a_parent() -> None:
    local_causes = LocalCauses(("a", "y"), ("b",), frozenset({frozenset({"a", "b"})}))
    assert list(local_causes.parent_sets("y")) == [("a",), ("a", "b")]


@pytest.fixture(scope="module")
def confounded() -> StructuralNetwork:
    """A number that two others cause, and that with one of them and a third causes a label: all is told."""

    def line(*causes: str) -> NumberEquation:
        terms = tuple(InfluenceTerm((NumberCurve(cause),)) for cause in causes)
        return NumberEquation(terms, tuple(1 / np.sqrt(len(causes)) for _ in causes), strength=0.8)

    sources = {name: NumberEquation() for name in "abd"}
    return StructuralNetwork({**sources, "x": line("a", "b"), "y": line("x", "a", "d")})


def test_parents_are_searched_for_and_adjusted_for(confounded: StructuralNetwork) -> None:
    columns = confounded.sample(3000, np.random.default_rng(5))
    data = engine.Dataset.from_frame(pandas.DataFrame(columns), labels=["y"])
    result = engine.discover(data)
    assert str(result.direction("x", "y")) == "cause"
    sizes = engine.effects(data, result, pairs=[("x", "y")]).of("x", "y")
    effect = sizes[Estimand.EFFECT]
    assert set(effect.adjusted_for) == {"a", "b"} and not effect.is_range
    (slope,) = (contrast for contrast in effect.contrasts if contrast.measure is Measure.SLOPE)
    # 0.8 / √3 of y is x; the association is larger, since a goes into both.
    assert slope.low < 0.8 / np.sqrt(3) < slope.high
    assert sizes[Estimand.ASSOCIATION].contrasts[-1].low > slope.high


@with_each("sets", [[["z"]], [[], ["z"]]])
def test_what_may_be_an_effect_may_change_nothing(sets: list[list[str]]) -> None:
    data = table(500, 6)
    settled = effect_of_changing(data, "x", "two", sets)
    open_ = effect_of_changing(data, "x", "two", sets, may_be_effect=True)
    assert open_.is_range and open_.may_be_effect and not settled.may_be_effect
    assert open_.points == () and open_.parent_sets == settled.parent_sets
    assert open_.adjusted_for == settled.adjusted_for and open_.e_value == settled.e_value
    for before, after in zip(settled.contrasts, open_.contrasts, strict=True):
        none = 1.0 if "ratio" in before.measure else 0.0
        assert (after.least, after.most) == (min(before.least, none), max(before.most, none))
        assert (after.low, after.high) == (min(before.low, none), max(before.high, none))
        assert after.estimate == none
    sentences = [plain(sentence) for sentence in size_sentences([open_])]
    assert any("changing it has no effect, so the range includes 0" in sentence for sentence in sentences)
    assert not any(
        "The range includes no change" in plain(sentence) for sentence in size_sentences([settled])
    )


def test_sets_that_disagree_say_that_nothing_may_change() -> None:
    """In a table where the sign turns once z is held."""
    generator = np.random.default_rng(3)
    z = generator.normal(size=800)
    x = z + 0.5 * generator.normal(size=800)
    y = 2 * z - x + 0.5 * generator.normal(size=800)
    data = engine.Dataset.from_frame(pandas.DataFrame({"x": x, "y": y, "z": z}), labels=["y"])
    text = " ".join(
        plain(sentence) for sentence in size_sentences([effect_of_changing(data, "x", "y", [[], ["z"]])])
    )
    assert "disagree on the direction" in text


def test_a_weak_direction_lets_the_effect_be_none(confounded: StructuralNetwork) -> None:
    """The same table, of few rows and of many: with many the direction is confirmed."""
    may_be_effect = {}
    for rows in (250, 3000):
        columns = confounded.sample(rows, np.random.default_rng(7))
        data = engine.Dataset.from_frame(pandas.DataFrame(columns), labels=["y"])
        result = engine.discover(data, engine.DiscoverySettings(test="fisher-z"))
        orientation = result.orientation("d", "y")
        assert orientation is not None and str(orientation.direction) == "cause"
        effect = engine.effects(data, result, pairs=[("d", "y")]).of("d", "y")[Estimand.EFFECT]
        may_be_effect[rows] = effect.may_be_effect
        assert effect.may_be_effect is not orientation.confirmed
    assert not may_be_effect[3000]


def test_what_was_found_around_one_cause_serves_the_next(confounded: StructuralNetwork) -> None:
    """Each search is as it would be alone, also after one that was broken off."""
    columns = confounded.sample(1000, np.random.default_rng(8))
    data = engine.Dataset.from_frame(pandas.DataFrame(columns), labels=["y"])
    result = engine.discover(data)
    search = ParentSearch(result)
    with pytest.raises(Cancelled):
        search.around("x", ProgressWatcher(stop_after=0))
    for cause in ("x", "d", "a"):
        assert search.around(cause) == ParentSearch(result).around(cause)


def test_searches_for_parents_do_not_tell_of_stages_of_their_own(confounded: StructuralNetwork) -> None:
    columns = confounded.sample(1000, np.random.default_rng(8))
    data = engine.Dataset.from_frame(pandas.DataFrame(columns), labels=["y"])
    result = engine.discover(data)
    progress = ProgressWatcher()
    effects = engine.effects(data, result, progress=progress)
    assert any(size.estimand is Estimand.EFFECT for size in effects.sizes)
    assert {event.stage for event in progress.events} == {MEASURING}
    assert [event.done for event in progress.events] == list(range(1, progress.events[-1].total + 1))


def test_nothing_is_fitted_for_findings_that_are_no_causes(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = engine.simulate(labels=3, features=12, rows=1000, seed=0).dataset
    result = engine.discover(dataset, directions=False)
    monkeypatch.setattr(all_effects, "SuitedPair", None)
    assert engine.effects(dataset, result, estimands=["effect of changing it"]).sizes == ()
