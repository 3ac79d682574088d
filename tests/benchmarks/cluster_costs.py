"""What a search on a cluster costs by the size of its table: a model of costs, fitted to measured runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from scipy.optimize import least_squares, nnls

from tests.benchmarks.cluster_simulation import RunCosts

_EXACT, _NOTHING = 1e-14, 1e-9
# What is searched grows with the rows by itself; bytes and what is read do not.
_POWERS = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6)
_OF_SEARCHES = ("a label", "after, a label")

Size = tuple[float, float]


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
    """How a quantity grows: constant + by_variable · V + by_row · Rᵖ + by_cell · V · Rᵖ.

    Attributes
    ----------
    constant, by_variable, by_row, by_cell : float
        None is negative.
    power : float
        Above 1 where more rows show more relations, so that more tests are made beside each taking longer.
    """

    constant: float
    by_variable: float
    by_row: float
    by_cell: float
    power: float = 1.0

    def at(self, variables: float, rows: float) -> float:
        """Return the quantity of a table."""
        of_rows = rows**self.power
        return (
            self.constant
            + self.by_variable * variables
            + self.by_row * of_rows
            + self.by_cell * variables * of_rows
        )


def fitted_law(sizes: Sequence[Size], measured: Sequence[float], powers: Sequence[float] = (1.0,)) -> Law:
    """Return the law whose logarithm has the least squared errors: twice too much is as wrong as half.

    Parameters
    ----------
    sizes : sequence of (float, float)
        Variables and rows of each measured table.
    measured : sequence of float
        Positive.
    powers : sequence of float
        Of the rows, of which the best is taken.

    Returns
    -------
    Law
    """
    laws = [_fitted(sizes, np.asarray(measured, dtype=float), power) for power in powers]
    return min(laws, key=lambda law: _squared_errors(law, sizes, measured))


def _squared_errors(law: Law, sizes: Sequence[Size], measured: Sequence[float]) -> float:
    return sum(math.log(law.at(*size) / value) ** 2 for size, value in zip(sizes, measured, strict=True))


def _fitted(sizes: Sequence[Size], measured: np.ndarray, power: float) -> Law:
    terms = np.array([[1.0, variables, rows**power, variables * rows**power] for variables, rows in sizes])
    relative = terms / measured[:, None]
    # Columns of one length, so that no term is lost to rounding.
    lengths = np.linalg.norm(relative, axis=0)
    scaled = relative / lengths
    # The least squares of relative errors are near.
    start, _ = nnls(scaled, np.ones(len(sizes)))
    fit = least_squares(
        lambda shares: np.log(scaled @ shares),
        start,
        jac=lambda shares: scaled / (scaled @ shares)[:, None],
        bounds=(0.0, np.inf),
        xtol=_EXACT,
        ftol=_EXACT,
        gtol=_EXACT,
    )
    # The search for the least does not quite reach its bound.
    shares = np.where(fit.x > _NOTHING, fit.x, 0.0)
    return Law(*(shares / lengths).tolist(), power)


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
        name: fitted_law(
            sizes, [quantity(point) for point in points], _POWERS if name in _OF_SEARCHES else (1.0,)
        )
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
