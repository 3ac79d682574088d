"""The test that never errs: d-separation in a causal graph that is known.

Searches run on it must find the true boundaries exactly, which is how they are proved right.
The reachability procedure is that of Koller and Friedman (2009), Probabilistic Graphical Models,
algorithm 3.1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.chi_squared import CriticalValues
from engine.independence.interface import Hypothesis, register_test

# As a chi-squared statistic with one degree of freedom: certain.
_CONNECTED = 1e6


class CausalGraph(NamedTuple):
    """A directed acyclic graph.

    Attributes
    ----------
    children : ndarray of bool, shape (variables, variables)
        Row causes column.
    variable_count : int
        Number of variables.
    """

    children: np.ndarray
    variable_count: int


class SeparationWorkspace(NamedTuple):
    """Working memory: marks and a stack of visits."""

    above_given: np.ndarray
    in_given: np.ndarray
    visited: np.ndarray
    stack: np.ndarray


def causal_graph(children: np.ndarray) -> CausalGraph:
    """Make test data from an adjacency matrix, bool of shape (variables, variables), row → column."""
    matrix = np.ascontiguousarray(children, dtype=np.bool_)
    return CausalGraph(matrix, matrix.shape[0])


def new_separation_workspace(data: CausalGraph, max_conditioning: int) -> SeparationWorkspace:
    """Allocate working memory."""
    count = data.variable_count
    return SeparationWorkspace(
        np.zeros(count, np.bool_),
        np.zeros(count, np.bool_),
        np.zeros((count, 2), np.bool_),
        np.empty((4 * count * count + 4, 2), np.int64),
    )


@inlined_part
def _mark_ancestors(data: CausalGraph, workspace: SeparationWorkspace, given: np.ndarray, size: int) -> None:
    above, inside, stack = workspace.above_given, workspace.in_given, workspace.stack
    above[:] = False
    inside[:] = False
    height = 0
    for place in range(size):
        inside[given[place]] = True
        above[given[place]] = True
        stack[height, 0] = given[place]
        height += 1
    while height > 0:
        height -= 1
        node = stack[height, 0]
        for parent in range(data.variable_count):
            if data.children[parent, node] and not above[parent]:
                above[parent] = True
                stack[height, 0] = parent
                height += 1


@kernel_part
def test_separation(
    data: CausalGraph,
    workspace: SeparationWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Tell whether an active path joins two variables given a set, in the shape of a test outcome."""
    x, y, given, size = hypothesis
    _mark_ancestors(data, workspace, given, size)
    visited, stack = workspace.visited, workspace.stack
    visited[:, :] = False
    # The second entry of a visit: 0 when it came from a child (upwards), 1 when from a parent.
    stack[0, 0], stack[0, 1] = x, 0
    height = 1
    while height > 0:
        height -= 1
        node, downwards = stack[height, 0], stack[height, 1]
        if visited[node, downwards]:
            continue
        visited[node, downwards] = True
        if node == y:
            return _CONNECTED, 1.0, 2.0, True
        inside = workspace.in_given[node]
        to_parents = (not inside) if downwards == 0 else workspace.above_given[node]
        to_children = not inside
        for neighbour in range(data.variable_count):
            if to_parents and data.children[neighbour, node] and not visited[neighbour, 0]:
                stack[height, 0], stack[height, 1] = neighbour, 0
                height += 1
            if to_children and data.children[node, neighbour] and not visited[neighbour, 1]:
                stack[height, 0], stack[height, 1] = neighbour, 1
                height += 1
    return 0.0, 1.0, 0.0, True


test_separation.__test__ = False  # type: ignore[attr-defined]


register_test(CausalGraph, new_separation_workspace, test_separation)
