"""What a search on a cluster costs by the size of its table: a model of costs, fitted to measured runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from scipy.optimize import nnls

from tests.benchmarks.cluster_simulation import RunCosts


@dataclass(frozen=True)
class Point:
    """A search that was measured; times are those of the processor.

    Attributes
    ----------
    labels, variables, rows : int
        Labels are among the variables.
    reading_seconds : float
        Opening the table, which was written in codes.
    arranging_seconds : float
        Making of it what tests work on.
    together_seconds : float
        Searching around all labels by one worker, which finds nothing twice.
    alone_seconds : sequence of float
        Searching around each label by a worker that has found nothing before.
    after_seconds : float
        All that comes after the labels: directions, and putting the result together.
    order_bytes, result_bytes : int
        What each worker is sent, and what comes back of all labels.
    """

    labels: int
    variables: int
    rows: int
    reading_seconds: float
    arranging_seconds: float
    together_seconds: float
    alone_seconds: Sequence[float]
    after_seconds: float
    order_bytes: int
    result_bytes: int


# What is fitted, and how it is had from a point.
QUANTITIES: dict[str, Callable[[Point], float]] = {
    "reading": lambda point: point.reading_seconds,
    "arranging": lambda point: point.arranging_seconds,
    "a label": lambda point: sum(point.alone_seconds) / point.labels,
    "after, a label": lambda point: point.after_seconds / point.labels,
    "bytes sent to a worker": lambda point: point.order_bytes,
    "bytes of a result": lambda point: point.result_bytes / point.labels,
}


@dataclass(frozen=True)
class Law:
    """How a quantity grows: constant + by_variable · V + by_row · R + by_cell · V · R.

    Attributes
    ----------
    constant, by_variable, by_row, by_cell : float
        None is negative.
    """

    constant: float
    by_variable: float
    by_row: float
    by_cell: float

    def at(self, variables: float, rows: float) -> float:
        """Return the quantity of a table."""
        return (
            self.constant
            + self.by_variable * variables
            + self.by_row * rows
            + self.by_cell * variables * rows
        )


def fitted_law(sizes: Sequence[tuple[float, float]], measured: Sequence[float]) -> Law:
    """Return the law whose relative errors have the least squares.

    Parameters
    ----------
    sizes : sequence of (float, float)
        Variables and rows of each measured table.
    measured : sequence of float
        Positive.

    Returns
    -------
    Law
    """
    terms = np.array([[1.0, variables, rows, variables * rows] for variables, rows in sizes])
    relative = terms / np.asarray(measured, dtype=float)[:, None]
    # Columns of one length, so that no term is lost to rounding.
    lengths = np.linalg.norm(relative, axis=0)
    shares, _ = nnls(relative / lengths, np.ones(len(sizes)))
    return Law(*(shares / lengths).tolist())


@dataclass(frozen=True)
class CostModel:
    """What a search costs by the size of its table.

    Attributes
    ----------
    laws : dict of str to Law
        One for each of `QUANTITIES`.
    shared : float
        Share of the work around labels that one worker saves, since it finds nothing twice.
    spread : tuple of float
        How much labels cost, as multiples of the mean in their tables.
    """

    laws: dict[str, Law]
    shared: float
    spread: tuple[float, ...]

    def costs(self, labels: int, variables: int, rows: int, workers: int) -> RunCosts:
        """Return what a run costs.

        A label finds searched already what it shares with another one where the same worker had that one,
        which is so once in `workers` times.
        """
        at = {name: law.at(variables, rows) for name, law in self.laws.items()}
        mean = at["a label"] * (1.0 - self.shared / workers)
        return RunCosts(
            before=at["reading"] + at["arranging"],
            labels=tuple(mean * self.spread[place % len(self.spread)] for place in range(labels)),
            after=at["after, a label"] * labels,
            order_bytes=at["bytes sent to a worker"],
            result_bytes=at["bytes of a result"] * labels,
        )


def fitted_model(points: Sequence[Point]) -> CostModel:
    """Return the model of some measured runs."""
    sizes = [(point.variables, point.rows) for point in points]
    laws = {
        name: fitted_law(sizes, [quantity(point) for point in points])
        for name, quantity in QUANTITIES.items()
    }
    spread = [
        seconds * point.labels / sum(point.alone_seconds)
        for point in points
        for seconds in point.alone_seconds
    ]
    # The order says nothing of a table, and is the same each time.
    shuffled = np.random.default_rng(0).permutation(spread)
    saved = [1.0 - point.together_seconds / sum(point.alone_seconds) for point in points]
    return CostModel(laws, max(0.0, median(saved)), tuple(shuffled.tolist()))


def predicted_by_measured(model: CostModel, point: Point) -> dict[str, float]:
    """Return of each quantity how many times as large as measured a model takes it for."""
    return {
        name: model.laws[name].at(point.variables, point.rows) / quantity(point)
        for name, quantity in QUANTITIES.items()
    }


def cells(point: Point) -> int:
    """Return the size of a table."""
    return point.variables * point.rows
