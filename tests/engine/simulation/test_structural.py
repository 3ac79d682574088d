"""Networks of numbers: rows follow the stated equations, and the truth is that of the graph."""

from __future__ import annotations

from itertools import combinations

import networkx
import numpy as np
import pytest
from scipy import stats

from engine.errors import InvalidData, InvalidParameter
from engine.simulation import SimulatedNetwork, StructuralNetwork, simulate
from engine.simulation.structural_network import (
    HEAVY_TAILED,
    CategoryEquation,
    InfluenceShape,
    InfluenceTerm,
    LevelScores,
    Noise,
    NumberCurve,
    NumberEquation,
)
from engine.table.variable import Kind
from tests.examples import first_of
from tests.with_each import with_each

KINDS = [
    {"variables": variables, "relations": relations, "noise": noise}
    for variables in ("numbers", "mixed")
    for relations in ("linear", "smooth", "interactions")
    for noise in ("gaussian", "heavy-tailed")
]


def _drawn(rows: int = 200, **more: object) -> SimulatedNetwork:
    settings = {"labels": 3, "features": 12, "graph": "random", "variables": "numbers", "seed": 4} | more
    return simulate(rows=rows, **settings)  # type: ignore[arg-type]


def _is_separated(graph: networkx.DiGraph, x: str, y: str, given: set[str]) -> bool:
    """Tell by moralising the ancestors, Lauritzen's criterion: none of the simulator's code has a part."""
    ancestors = {x, y} | given
    for node in tuple(ancestors):
        ancestors |= networkx.ancestors(graph, node)
    moral = graph.subgraph(ancestors).to_undirected()
    for node in ancestors:
        moral.add_edges_from(combinations(graph.predecessors(node), 2))
    moral.remove_nodes_from(given)
    return not networkx.has_path(moral, x, y)


@with_each("kind", KINDS)
@pytest.mark.parametrize("graph", ["random", "neighbourhoods"])
def test_truth_is_what_d_separation_says(kind: dict[str, str], graph: str) -> None:
    for seed in first_of(range(3), 1):
        simulated = _drawn(rows=5, graph=graph, seed=seed, **kind)
        arrows = networkx.DiGraph(simulated.network.edges)
        arrows.add_nodes_from(simulated.network.nodes)
        label_sets: dict[str, set[str]] = {}
        for label in simulated.truth.labels:
            others = set(arrows) - {label}
            members = {
                feature for feature in others if not _is_separated(arrows, label, feature, others - {feature})
            }
            boundary = simulated.truth.boundaries[label]
            assert boundary.members == members
            assert boundary.boundary_count == 1
            assert set(boundary.parents) == set(arrows.predecessors(label))
            assert set(boundary.children) == set(arrows.successors(label))
            for member in members - set(simulated.truth.labels):
                label_sets.setdefault(member, set()).add(label)
        assert simulated.truth.label_sets == label_sets


@with_each("kind", KINDS)
def test_kinds_of_variables(kind: dict[str, str]) -> None:
    dataset = _drawn(features=60, **kind).dataset
    assert all(dataset.variable(name).levels == ("0", "1") for name in dataset.labels)
    counts = [dataset.variable(name).level_count for name in dataset.features]
    numbers = counts.count(0)
    assert numbers == 60 if kind["variables"] == "numbers" else 30 <= numbers <= 50
    assert set(counts) <= {0, 2, 3, 4}
    for name in dataset.names:
        assert (dataset.variable(name).kind is Kind.CONTINUOUS) == (dataset.variable(name).level_count == 0)


def test_labels_may_be_numbers_or_have_several_levels() -> None:
    numbers = _drawn(numeric_labels=True).dataset
    assert all(numbers.variable(name).kind is Kind.CONTINUOUS for name in numbers.labels)
    levels = _drawn(label_levels=4).dataset
    assert all(levels.variable(name).level_count == 4 for name in levels.labels)


@with_each("kind", KINDS)
def test_same_seed_same_rows_and_rows_do_not_change_the_network(kind: dict[str, str]) -> None:
    first, second, longer, other_network = (
        _drawn(**kind),
        _drawn(**kind),
        _drawn(rows=300, **kind),
        _drawn(**kind, seed=5),
    )
    assert first.dataset.content_hash == second.dataset.content_hash
    assert first.dataset.content_hash != other_network.dataset.content_hash
    assert longer.network.equations == first.network.equations  # type: ignore[union-attr]


def test_networks_of_categories_are_those_of_before_there_were_numbers() -> None:
    """The hashes are of commit 20fcb64."""
    before = {
        "eaf20fd627d45946c6625da8dea670f977f680967679753b3095bc6766fbdab9": {
            "labels": 6,
            "features": 60,
            "rows": 200,
            "seed": 5,
        },
        "d325f047c84cf1b11f763c424f1649da02492a2e3c74295c57fdc1adab83a8c8": {"rows": 50, "seed": 3},
        "a0b8e9e9fd0daddabd4f25870b6a153349cc30a45c7991946fc752cf16cf0e09": {
            "labels": 5,
            "features": 40,
            "rows": 100,
            "seed": 9,
            "aligned": False,
            "margin": 0.0,
            "label_causality": 1.0,
            "multiple_boundaries": 1.0,
        },
    }
    for content_hash, settings in before.items():
        assert simulate(**settings).dataset.content_hash == content_hash  # type: ignore[arg-type]


def test_linear_gaussian_rows_have_the_covariance_that_the_equations_imply() -> None:
    simulated = _drawn(
        rows=200_000, features=15, labels=1, numeric_labels=True, label_causality=0, aligned=False
    )
    network = simulated.network
    assert isinstance(network, StructuralNetwork)
    place = {name: at for at, name in enumerate(network.nodes)}
    paths, noise = np.zeros((16, 16)), np.ones(16)
    for name, equation in network.equations.items():
        assert isinstance(equation, NumberEquation)
        noise[place[name]] = 1 - equation.strength**2
        for term, weight in zip(equation.terms, equation.weights, strict=True):
            (influence,) = term.influences
            assert isinstance(influence, NumberCurve)
            paths[place[name], place[influence.cause]] = (
                equation.strength * weight * influence.sign / term.scale
            )
    through = np.linalg.inv(np.eye(16) - paths)
    implied = through @ np.diag(noise) @ through.T
    assert np.diag(implied) == pytest.approx(np.ones(16), abs=0.05)
    sampled = np.cov(np.array(simulated.dataset.columns))
    standard_error = np.sqrt((np.outer(np.diag(implied), np.diag(implied)) + implied**2) / 200_000)
    assert (np.abs(sampled - implied) < 5 * standard_error).all()


def test_a_number_is_its_signal_and_noise_of_the_stated_distribution() -> None:
    for noise in HEAVY_TAILED:
        curve = InfluenceTerm((NumberCurve("x", InfluenceShape.PARABOLA, -1),), centre=1.0, scale=2.0)
        equation = NumberEquation((curve,), (1.5,), strength=0.6, noise=noise)
        x = np.random.default_rng(1).standard_normal(20_000)
        y = equation.draw({"x": x}, len(x), np.random.default_rng(2))
        clipped = np.clip(-x, -3, 3)
        rest = (y - 0.6 * 1.5 * (clipped * (clipped + 1) - 1) / 2) / 0.8
        stated = {
            Noise.STUDENT: stats.t(3, scale=1 / np.sqrt(3)),
            Noise.EXPONENTIAL: stats.expon(loc=-1),
            Noise.LOGNORMAL: stats.lognorm(0.7),
        }[noise]
        if noise is Noise.LOGNORMAL:
            rest = rest * stated.std() + stated.mean()
        assert stats.kstest(rest, stated.cdf).pvalue > 0.001


def test_two_levels_are_a_logistic_regression() -> None:
    equation = CategoryEquation((InfluenceTerm((NumberCurve("x"),)),), ((1.0,),), (0.4,), strength=0.6)
    x = np.array([-1.0, 0.0, 2.0])
    slope = 0.6 / 0.8 * np.pi / np.sqrt(3)
    expected = 1 / (1 + np.exp(-(0.4 + slope * x)))
    np.testing.assert_allclose(equation.probabilities({"x": x}, 3)[:, 1], expected)
    many = np.repeat(x, 100_000)
    drawn = equation.draw({"x": many}, len(many), np.random.default_rng(0))
    np.testing.assert_allclose(drawn.reshape(3, -1).mean(axis=1), expected, atol=0.006)


def test_several_levels_are_a_multinomial_logit() -> None:
    terms = (InfluenceTerm((LevelScores("c", (-1.0, 0.0, 2.0)),)),)
    equation = CategoryEquation(terms, ((1.0,), (-0.5,)), (0.1, -0.2), strength=0.5)
    c = np.array([0, 1, 2])
    odds = np.exp(np.array([np.zeros(3), 0.1 + equation.steepness * terms[0].values({"c": c}), [0.0] * 3]))
    odds[2] = np.exp(-0.2 - 0.5 * equation.steepness * terms[0].values({"c": c}))
    np.testing.assert_allclose(equation.probabilities({"c": c}, 3), (odds / odds.sum(axis=0)).T)
    many = np.repeat(c, 100_000)
    drawn = equation.draw({"c": many}, len(many), np.random.default_rng(0)).reshape(3, -1)
    shares = np.array([[(row == level).mean() for level in range(3)] for row in drawn])
    np.testing.assert_allclose(shares, (odds / odds.sum(axis=0)).T, atol=0.006)


def test_with_interactions_two_causes_act_only_together() -> None:
    """Seen where the two are independent of each other and the only causes, and the effect is a number."""
    simulated = _drawn(rows=100_000, features=150, max_parents=2, relations="interactions", strength=0.8)
    network, dataset = simulated.network, simulated.dataset
    assert isinstance(network, StructuralNetwork)
    arrows, columns = networkx.DiGraph(network.edges), dict(zip(dataset.names, dataset.columns, strict=True))
    seen = 0
    for name, equation in network.equations.items():
        causes = network.parents[name]
        if equation.level_count or len(causes) != 2 or not _is_separated(arrows, *causes, set()):
            continue
        seen += 1
        (together,) = equation.terms
        assert abs(np.corrcoef(together.values(columns), columns[name])[0, 1]) > 0.3
        for cause in causes:
            assert abs(np.corrcoef(columns[cause], columns[name])[0, 1]) < 0.03
    assert seen >= 3


def test_no_variance_betrays_the_causal_order() -> None:
    simulated = _drawn(rows=20_000, features=60, relations="smooth")
    deviations = [np.std(simulated.dataset.column(name)) for name in simulated.dataset.features]
    assert max(deviations) < 1.1
    assert min(deviations) > 0.9


def test_impossible_networks_and_settings_are_refused() -> None:
    arrow = NumberEquation((InfluenceTerm((NumberCurve("b"),)),), (1.0,), strength=0.5)
    with pytest.raises(InvalidData, match="no equation"):
        StructuralNetwork({"a": arrow})
    back = NumberEquation((InfluenceTerm((NumberCurve("a"),)),), (1.0,), strength=0.5)
    with pytest.raises(InvalidData, match="circle"):
        StructuralNetwork({"a": arrow, "b": back})
    with pytest.raises(InvalidParameter, match="1 row"):
        StructuralNetwork({"a": NumberEquation()}).sample(0, np.random.default_rng(0))
    with pytest.raises(InvalidParameter, match="numeric_labels"):
        simulate(numeric_labels=True)
    with pytest.raises(InvalidParameter, match="relations"):
        simulate(variables="numbers", relations="cubic")


def test_numbers_have_one_boundary_a_label_and_settings_say_so() -> None:
    assert _drawn(multiple_boundaries=0.5).settings.multiple_boundaries == 0.0  # type: ignore[union-attr]


def test_random_graphs_of_categories_have_an_exact_truth_too() -> None:
    simulated = simulate(labels=3, features=20, rows=50, graph="random", seed=2)
    assert max(len(parent) for parent in simulated.network.parents.values()) <= 3
    for label, boundary in simulated.truth.boundaries.items():
        near = {*boundary.parents, *boundary.children, *boundary.spouses}
        assert boundary.is_exact
        assert boundary.members == near, label
