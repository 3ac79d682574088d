"""d-separation against networkx on random graphs."""

from __future__ import annotations

from itertools import combinations

import networkx
import numpy as np

from engine.independence.interface import placed_test, run_tests
from tests.engine.separation import causal_graph
from tests.with_each import with_each


@with_each("seed", range(8))
def test_every_question_on_a_random_graph(seed: int) -> None:
    generator = np.random.default_rng(seed)
    order = generator.permutation(7)
    children = np.triu(generator.random((7, 7)) < 0.35, 1)[np.ix_(order, order)]
    graph = networkx.DiGraph(list(zip(*np.nonzero(children), strict=True)))
    graph.add_nodes_from(range(7))
    questions = [
        (x, y, given)
        for x, y in combinations(range(7), 2)
        for size in range(4)
        for given in combinations([variable for variable in range(7) if variable not in (x, y)], size)
    ]
    width = 3
    given = np.zeros((len(questions), width), dtype=np.int64)
    for place, (_, _, members) in enumerate(questions):
        given[place, : len(members)] = members
    table = causal_graph(children)
    ratio = run_tests(
        placed_test(table, width),
        np.array([x for x, _, _ in questions]),
        np.array([y for _, y, _ in questions]),
        given,
        np.array([len(members) for _, _, members in questions]),
        np.zeros(1, dtype=np.uint8),
    )[2]
    expected = [not networkx.is_d_separator(graph, {x}, {y}, set(members)) for x, y, members in questions]
    assert (ratio > 1).tolist() == expected
