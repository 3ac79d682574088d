"""Call any feature selector: check what it is given, and keep constant columns from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.parameters import impossible_value
from engine.selection.rankers.problem import FeatureRanking, RankingProblem, checked_labels, checked_values
from engine.selection.rankers.registry import RankerDescription
from engine.wording.choices import choose_one


class CheckedRanker:
    """A feature selector that checks what it is given.

    Parameters
    ----------
    description : RankerDescription
        The method.
    rank : callable
        Its function ``rank(problem, options) -> FeatureRanking``.

    Examples
    --------
    >>> from engine.selection.rankers.registry import feature_rankers
    >>> values = np.array([[0.0, 5.0], [1.0, 4.0], [10.0, 5.0], [11.0, 4.0]])
    >>> labels = np.array([[False], [False], [True], [True]])
    >>> feature_rankers()["csfs"].load()(values, labels, mu=0.1).order.tolist()
    [0, 1]
    """

    def __init__(
        self, description: RankerDescription, rank: Callable[[RankingProblem, Any], FeatureRanking]
    ) -> None:
        self._description = description
        self._rank = rank

    def __call__(
        self,
        values: np.ndarray,
        labels: np.ndarray,
        *,
        seed: int = 0,
        stop: np.ndarray | None = None,
        unlabelled: np.ndarray | None = None,
        **options: Any,
    ) -> FeatureRanking:
        """Rank the features.

        Parameters
        ----------
        values : ndarray of float64, shape (rows, features)
            Finite. Methods scale them as their formula says; a constant feature comes last.
        labels : ndarray of bool, shape (rows, labels)
            A label that is constant over the labelled rows plays no part.
        seed : int, default 0
            Number from which draws follow, at least 0.
        stop : ndarray of uint8, shape (1,), optional
            Set to 1 by anyone to stop between two iterations.
        unlabelled : ndarray of bool, shape (rows,), optional
            True for rows whose labels are not known; what `labels` holds there is not looked at. Only where
            ``takes_unlabelled``.
        **options
            Fields of ``RankerDescription.options``.

        Returns
        -------
        FeatureRanking

        Raises
        ------
        InvalidData
            When a value is missing or infinite, shapes do not agree, or no feature or no label varies.
        InvalidParameter
            When an option is unknown or out of its range.
        Cancelled
            When `stop` was set.
        """
        chosen = self._options(options)
        table = checked_values(values)
        outcomes = checked_labels(labels, len(table))
        labelled = ~self._unlabelled(unlabelled, len(table))
        known = outcomes[labelled]
        varying_labels = known.any(axis=0) & ~known.all(axis=0)
        varying = np.ptp(table, axis=0) > 0
        _require(varying, "features", "No feature varies, so none can be preferred.")
        _require(varying_labels, "labels", "No label varies, so there is nothing to learn.")
        problem = RankingProblem(
            values=table[:, varying],
            labels=outcomes[:, varying_labels].astype(np.float64),
            labelled=labelled,
            seed=_checked_seed(seed),
            stop=np.zeros(1, dtype=np.uint8) if stop is None else stop,
        )
        problem.check_stop()
        return _with_constant_features(self._rank(problem, chosen), varying)

    def _options(self, options: dict[str, Any]) -> Any:
        known = [field.name for field in dataclasses.fields(self._description.options)]
        for name in options:
            if name not in known:
                raise InvalidParameter(
                    f"{self._description.title} has no such setting.",
                    place=f"setting '{name}'",
                    remedy=choose_one(known) if known else "Leave it out.",
                )
        return self._description.options(**options)

    def _unlabelled(self, unlabelled: np.ndarray | None, rows: int) -> np.ndarray:
        if unlabelled is None:
            return np.zeros(rows, dtype=np.bool_)
        if not self._description.takes_unlabelled:
            raise InvalidParameter(
                f"{self._description.title} learns from labelled rows alone.",
                place="setting 'unlabelled'",
                remedy="Leave out the rows whose labels are not known.",
            )
        mask = np.asarray(unlabelled)
        if mask.shape != (rows,) or mask.dtype != np.bool_ or mask.all():
            raise InvalidData(
                "The mask of unlabelled rows must hold one truth value a row, and not all of them True.",
                place="unlabelled",
                remedy="Mark at least one row as labelled.",
            )
        return mask


def _require(varying: np.ndarray, place: str, problem: str) -> None:
    if not varying.any():
        raise InvalidData(problem, place=place, remedy="Look whether the right rows and columns were given.")


def _checked_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise impossible_value(seed, "setting 'seed'", "Use a whole number from 0.")
    return int(seed)


def _with_constant_features(found: FeatureRanking, varying: np.ndarray) -> FeatureRanking:
    """Put constant features back in their places, scored just below all others."""
    scores = np.empty(len(varying))
    scores[varying] = found.scores
    scores[~varying] = np.nextafter(found.scores.min(), -np.inf)
    subset = found.subset
    if subset is not None:
        positions = np.flatnonzero(varying)
        subset = tuple(int(positions[column]) for column in subset)
    scores.flags.writeable = found.objective.flags.writeable = False
    return FeatureRanking(scores, found.objective, found.converged, subset)
