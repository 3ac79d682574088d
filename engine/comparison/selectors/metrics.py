"""How well predicted labels agree with the true ones: the paper's four metrics, and subset accuracy.

The paper's formulas of micro- and macro-averaged F1 are swapped against the definitions that everyone else
uses, and its ranking loss divides by predicted labels. Here the standard definitions hold (Tsoumakas,
Katakis, Vlahavas 2010, Mining multi-label data): *macro* is the mean of the F1 of each label, *micro* the F1
of all (row, label) cells together, and ranking loss compares each true label of a row with each absent one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from engine.errors import InvalidParameter


@dataclass(frozen=True, slots=True)
class Metric:
    """One way to judge predictions.

    Attributes
    ----------
    name : str
        Field of :class:`Agreement`.
    title : str
        What a person reads.
    larger_is_better : bool
    """

    name: str
    title: str
    larger_is_better: bool

    def signed(self, figure: float) -> float:
        """Return a figure so that a larger one is better."""
        return figure if self.larger_is_better else -figure


_METRICS = (
    Metric("hamming_loss", "Hamming loss", False),
    Metric("ranking_loss", "Ranking loss", False),
    Metric("macro_f1", "Macro-F1", True),
    Metric("micro_f1", "Micro-F1", True),
    Metric("subset_accuracy", "Subset accuracy", True),
)

# What the paper shows.
PAPER_METRICS = ("hamming_loss", "ranking_loss", "macro_f1", "micro_f1")


def metrics() -> dict[str, Metric]:
    """Return every metric by name.

    Examples
    --------
    >>> metrics()["macro_f1"].title
    'Macro-F1'
    """
    return {each.name: each for each in _METRICS}


@dataclass(frozen=True, slots=True)
class Agreement:
    """Figures of one set of predictions, each between 0 and 1.

    Attributes
    ----------
    hamming_loss : float
        Share of (row, label) cells that are predicted wrongly.
    ranking_loss : float
        Mean over rows of the share of pairs of a true and an absent label of which the true one has no
        higher score; a tie counts as wrong.
    macro_f1 : float
        Mean over labels of F1. A label that is true in no row and predicted in none counts as 0.
    micro_f1 : float
        F1 of all cells together; 0 when nothing is true and nothing predicted.
    subset_accuracy : float
        Share of rows with every label right.
    """

    hamming_loss: float
    ranking_loss: float
    macro_f1: float
    micro_f1: float
    subset_accuracy: float

    def as_dict(self) -> dict[str, float]:
        """Return the figures by name of the metric."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @staticmethod
    def from_dict(values: Mapping[str, float]) -> Agreement:
        """Return the figures that stand under their names."""
        return Agreement(**values)


def agreement(
    truth: np.ndarray, predicted: np.ndarray, scores: np.ndarray, *, skip_unrankable: bool = False
) -> Agreement:
    """Compare predictions with the truth.

    Parameters
    ----------
    truth, predicted : ndarray of bool, shape (rows, labels)
        At least one row and two labels.
    scores : ndarray of float64, shape (rows, labels)
        Finite; a larger one says that a label is more likely.
    skip_unrankable : bool
        Rows with no label, and with all, have no pair to rank. By default such a row counts as a loss of 0,
        which is scikit-learn's convention; with True it does not count at all.

    Returns
    -------
    Agreement

    Raises
    ------
    InvalidParameter
        When shapes differ.

    Examples
    --------
    >>> truth = np.array([[True, False], [True, True]])
    >>> agreement(truth, truth, truth.astype(float)).ranking_loss
    0.0
    """
    from sklearn.metrics import accuracy_score, f1_score, hamming_loss

    if not truth.shape == predicted.shape == scores.shape or truth.ndim != 2:
        raise InvalidParameter(
            f"truth, predictions and scores have shapes {truth.shape}, {predicted.shape} and {scores.shape}.",
            remedy="Give one row an observation and one column a label in all three.",
        )
    return Agreement(
        hamming_loss=float(hamming_loss(truth, predicted)),
        ranking_loss=_ranking_loss(truth, scores, skip_unrankable),
        macro_f1=float(f1_score(truth, predicted, average="macro", zero_division=0.0)),
        micro_f1=float(f1_score(truth, predicted, average="micro", zero_division=0.0)),
        subset_accuracy=float(accuracy_score(truth, predicted)),
    )


def _ranking_loss(truth: np.ndarray, scores: np.ndarray, skip_unrankable: bool) -> float:
    from sklearn.metrics import label_ranking_loss

    if skip_unrankable:
        present = truth.sum(axis=1)
        rankable = (present > 0) & (present < truth.shape[1])
        if not rankable.any():
            return 0.0
        truth, scores = truth[rankable], scores[rankable]
    return float(label_ranking_loss(truth, scores))
