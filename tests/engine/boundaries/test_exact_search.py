"""The best graph with an arrow, against all graphs one by one."""

from __future__ import annotations

import itertools

import networkx
import numpy as np
import pytest

from engine.boundaries.exact_search import weigh_arrows
from engine.boundaries.score_search import Price
from engine.independence.set_fits import SetFits, log_principal_minors, sums_over_sets

PRICE = Price(2.0, 5.0, 9)


def _random_fits(seed: int, count: int, rows: int = 60) -> SetFits:
    values = np.random.default_rng(seed).normal(size=(rows, count))
    values[:, 0] += values[:, 1:] @ np.linspace(0.2, 0.8, count - 1)
    products = np.corrcoef(values.T)
    numbers = sums_over_sets(np.ones(count))
    return SetFits(-rows * log_principal_minors(products, [1] * count), numbers * (numbers - 1.0) / 2.0)


def _score(graph: networkx.DiGraph, fits: SetFits, price: Price) -> float:
    """Add up over a graph what the docstrings promise, variable by variable."""
    total = 0.0
    for variable in graph:
        parents = sum(1 << parent for parent in graph.predecessors(variable))
        family = parents | 1 << variable
        total += fits.statistic[family] - fits.statistic[parents]
        total -= price.of_dof * (fits.dof[family] - fits.dof[parents])
        total -= price.of_arrow * graph.in_degree(variable)
    return total


def _all_graphs(count: int) -> list[networkx.DiGraph]:
    """List every directed graph without circles, by brute force."""
    pairs = list(itertools.combinations(range(count), 2))
    graphs = []
    for ways in itertools.product((None, False, True), repeat=len(pairs)):
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(count))
        chosen = [(pair, way) for pair, way in zip(pairs, ways, strict=True) if way is not None]
        graph.add_edges_from(pair[::-1] if way else pair for pair, way in chosen)
        if networkx.is_directed_acyclic_graph(graph):
            graphs.append(graph)
    return graphs


@pytest.mark.parametrize("seed", range(6))
def test_the_best_graph_is_the_best_of_all(seed: int) -> None:
    fits = _random_fits(seed, 4)
    graphs = _all_graphs(4)
    assert len(graphs) == 543
    scores = [(graph, _score(graph, fits, PRICE)) for graph in graphs]
    best = max(score for _, score in scores)
    weighed = weigh_arrows(fits, PRICE, [1, 2, 3])
    for leaf, ratio, loss in zip((1, 2, 3), *weighed, strict=True):
        into = max(score for graph, score in scores if graph.has_edge(leaf, 0))
        out = max(score for graph, score in scores if graph.has_edge(0, leaf))
        assert ratio == pytest.approx((into - out) / 2.0, abs=1e-9)
        assert loss == pytest.approx((best - max(into, out)) / 2.0, abs=1e-9)


@pytest.mark.parametrize("count", [2, 3, 7])
def test_a_tree_of_causes_may_run_either_way(count: int) -> None:
    # Every variable follows from the one before it: graphs in which any of them comes first fit as well.
    distances = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    numbers = sums_over_sets(np.ones(count))
    fits = SetFits(
        -500.0 * log_principal_minors(0.6**distances, [1] * count), numbers * (numbers - 1.0) / 2.0
    )
    assert np.abs(weigh_arrows(fits, PRICE, range(1, count)).log_ratios).max() < 1e-6
