"""Runs one peer from PyPI; started by ``methods.py`` in an interpreter that has it and not this program.

Reads a table of numbers, prints the learned graph as one JSON object: arrows, undirected lines, seconds.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

Graph = tuple[list[tuple[int, int]], list[tuple[int, int]]]
ALPHA = 0.01
_LARGEST = 3


def causal_learn(table: np.ndarray) -> Graph:
    """PC with Fisher's z."""
    from causallearn.search.ConstraintBased.PC import pc

    # graph[i, j] = -1 and graph[j, i] = 1: i → j; both -1: undirected; both 1: in conflict.
    graph = pc(table, ALPHA, "fisherz", show_progress=False, max_k=_LARGEST).G.graph
    tails = list(zip(*map(np.ndarray.tolist, np.nonzero(graph == -1)), strict=True))
    arrows = [(start, end) for start, end in tails if graph[end, start] == 1]
    lines = [(start, end) for start, end in tails if graph[end, start] == -1 and start < end]
    both = zip(*map(np.ndarray.tolist, np.nonzero((graph == 1) & (graph.T == 1))), strict=True)
    return arrows, lines + [(start, end) for start, end in both if start < end]


def pgmpy_pc(table: np.ndarray) -> Graph:
    """PC with the test of partial correlations."""
    from pgmpy.causal_discovery import PC

    algorithm = PC(
        ci_test="pearsonr",
        significance_level=ALPHA,
        max_cond_vars=_LARGEST,
        show_progress=False,
        n_jobs=1,
    )
    algorithm.fit(_frame(table))
    return _of_pdag(algorithm.causal_graph_)


def pgmpy_hill_climbing(table: np.ndarray) -> Graph:
    """Hill climbing by the Gaussian BIC from the empty graph, as the class of graphs.

    Its own score fits a statsmodels formula each time, minutes for a table; this one has the same values from
    the covariance matrix.
    """
    from pgmpy.causal_discovery import HillClimbSearch
    from pgmpy.structure_score import BICGauss

    covariance = np.cov(table.T, bias=True)

    class QuickBIC(BICGauss):  # type: ignore[misc]
        def _log_likelihood(self, variable: str, parents: tuple[str, ...]) -> tuple[float, int]:
            own, given = int(variable[1:]), [int(name[1:]) for name in parents]
            explained = 0.0
            if given:
                beside = covariance[given, own]
                explained = beside @ np.linalg.solve(covariance[np.ix_(given, given)], beside)
            rest = covariance[own, own] - explained
            return -len(table) / 2 * (np.log(2 * np.pi * rest) + 1), len(given)

    frame = _frame(table)
    algorithm = HillClimbSearch(scoring_method=QuickBIC(frame), return_type="pdag", show_progress=False)
    algorithm.fit(frame)
    return _of_pdag(algorithm.causal_graph_)


def _frame(table: np.ndarray) -> Any:
    """Name the columns so that a formula can hold them."""
    import pandas

    return pandas.DataFrame(table).rename(columns="v{}".format)


def _of_pdag(graph: Any) -> Graph:
    arrows = [(int(start[1:]), int(end[1:])) for start, end in graph.directed_edges]
    lines = [(int(start[1:]), int(end[1:])) for start, end in graph.undirected_edges]
    return arrows, lines


PEERS: dict[str, Callable[[np.ndarray], Graph]] = {
    "causal-learn PC": causal_learn,
    "pgmpy PC": pgmpy_pc,
    "pgmpy HillClimb": pgmpy_hill_climbing,
}


def main(peer: str, file: str) -> None:
    """Learn a graph and print it."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    with np.load(file) as arrays:
        table = arrays["table"]
    started = time.process_time()
    arrows, lines = PEERS[peer](table)
    seconds = time.process_time() - started
    sys.stdout.write(json.dumps({"arrows": arrows, "lines": lines, "seconds": seconds}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
