"""How labels are predicted from selected features, and how well predicted labels agree with the true ones.

Binary relevance: each label has a classifier of its own, blind to the others. The paper predicts so because
the classifier adds nothing of its own about relations between labels: what is compared is what the features
know (Zhang, Zhou 2014, A review on multi-label learning algorithms). It does not name the kernel of its
support vector machine, which matters; here it is a setting.

Agreement is told by the paper's four metrics, and subset accuracy. The paper's formulas of micro- and
macro-averaged F1 are swapped against the definitions that everyone else uses, and its ranking loss divides by
predicted labels. Here the standard definitions hold (Tsoumakas, Katakis, Vlahavas 2010, Mining multi-label
data): *macro* is the mean of the F1 of each label, *micro* the F1 of all (row, label) cells together, and
ranking loss compares each true label of a row with each absent one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import InvalidParameter
from engine.translation import N_, _

# So much does a label that was never seen stand beneath all others, and one that was always seen above.
_APART = 1.0
_MOST_ITERATIONS = 1000


@dataclass(frozen=True, slots=True)
class Predictions:
    """What a classifier predicts for some rows, as arrays (rows, labels).

    A label constant in training has the row's lowest score (false) or highest (true).
    """

    labels: np.ndarray
    scores: np.ndarray  # distance from the decision boundary


@dataclass(frozen=True, slots=True)
class Classifier:
    """A kind of binary classifier."""

    name: str  # for files; `title` and `help` are for a person
    title: str
    help: str
    make: Callable[[float], Any]  # takes the cost C, gives an estimator of scikit-learn
    # of two arrays (rows, features), shared by all labels; None: the estimator takes features
    kernel: Callable[[np.ndarray, np.ndarray], np.ndarray] | None


def classifiers() -> Mapping[str, Classifier]:
    """Return every classifier by name."""
    return {classifier.name: classifier for classifier in _CLASSIFIERS}


def predict(
    name: str,
    training: np.ndarray,
    training_labels: np.ndarray,
    testing: np.ndarray,
    *,
    cost: float = 1.0,
    scale: bool = True,
) -> Predictions:
    """Predict the labels of test rows with a classifier; `scale` standardises by the training rows."""
    shares = training_labels.mean(axis=0)
    scores = np.broadcast_to(shares - 0.5, (len(testing), len(shares))).copy()
    varying = np.flatnonzero((shares > 0.0) & (shares < 1.0))
    if training.shape[1] and len(varying):
        if scale:
            training, testing = _scaled(training, testing)
        scores[:, varying] = _scores(
            classifiers()[name], training, training_labels[:, varying], testing, cost
        )
    return Predictions(scores > 0.0, _with_constant(scores, shares))


def _scaled(training: np.ndarray, testing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(training)
    return scaler.transform(training), scaler.transform(testing)


def _scores(
    classifier: Classifier, training: np.ndarray, labels: np.ndarray, testing: np.ndarray, cost: float
) -> np.ndarray:
    """Return the distances of test rows from the boundaries of labels that vary."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.multiclass import OneVsRestClassifier

    if classifier.kernel is not None:
        training, testing = classifier.kernel(training, training), classifier.kernel(testing, training)
    # A single column is to scikit-learn a binary target, not a table of labels.
    target = labels if labels.shape[1] > 1 else labels[:, 0]
    with warnings.catch_warnings():
        # Slow convergence costs a little accuracy, alike for all methods that are compared.
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = OneVsRestClassifier(classifier.make(cost)).fit(training, target.astype(np.int64))
    scores: np.ndarray = fitted.decision_function(testing).reshape(len(testing), labels.shape[1])
    return scores


def _with_constant(scores: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Put labels that did not vary where their share in the training rows puts them."""
    never, always = shares == 0.0, shares == 1.0
    varying = ~(never | always)
    if varying.all():
        return scores
    varying_scores = scores[:, varying] if varying.any() else np.zeros((len(scores), 1))
    ranked = scores.copy()
    ranked[:, never] = varying_scores.min(axis=1, keepdims=True) - _APART
    ranked[:, always] = varying_scores.max(axis=1, keepdims=True) + _APART
    return ranked


def _radial_kernel(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    from sklearn.metrics.pairwise import rbf_kernel

    # Its width is scikit-learn's gamma="auto": one over the number of features.
    kernel: np.ndarray = rbf_kernel(first, second)
    return kernel


def _linear_kernel(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    kernel: np.ndarray = first @ second.T
    return kernel


def _support_vectors(cost: float) -> Any:
    from sklearn.svm import SVC

    return SVC(C=cost, kernel="precomputed")


def _logistic_regression(cost: float) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=cost, max_iter=_MOST_ITERATIONS)


_CLASSIFIERS = (
    Classifier(
        "svm-rbf",
        N_("SVM, radial kernel"),
        N_("A support vector machine with a radial kernel of width 1 / number of features."),
        _support_vectors,
        _radial_kernel,
    ),
    Classifier(
        "svm-linear",
        N_("SVM, linear"),
        N_("A linear support vector machine."),
        _support_vectors,
        _linear_kernel,
    ),
    Classifier("logistic", N_("Logistic regression"), N_("Logistic regression."), _logistic_regression, None),
)


@dataclass(frozen=True, slots=True)
class Metric:
    """One way to judge predictions."""

    name: str
    title: str
    larger_is_better: bool
    help: str

    def signed(self, figure: float) -> float:
        """Return a figure so that a larger one is better."""
        return figure if self.larger_is_better else -figure


_METRICS = (
    Metric(
        "hamming_loss",
        N_("Hamming loss"),
        False,
        N_("Share of the labels of all rows that are predicted wrongly."),
    ),
    Metric(
        "ranking_loss",
        N_("Ranking loss"),
        False,
        N_(
            "The share of pairs of a true and an absent label of a row in which the true label does "
            "not get the higher score."
        ),
    ),
    Metric(
        "macro_f1",
        "Macro-F1",
        True,
        N_(
            "Mean over labels of F1, the harmonic mean of precision and recall: rare labels count as much as "
            "frequent ones."
        ),
    ),
    Metric(
        "micro_f1",
        "Micro-F1",
        True,
        N_("F1 of the labels of all rows together: frequent labels count for more."),
    ),
    Metric("subset_accuracy", N_("Subset accuracy"), True, N_("Share of the rows with all labels right.")),
)

# What the paper shows.
PAPER_METRICS = ("hamming_loss", "ranking_loss", "macro_f1", "micro_f1")


def metrics() -> dict[str, Metric]:
    """Return every metric by name."""
    return {metric.name: metric for metric in _METRICS}


@dataclass(frozen=True, slots=True)
class PredictionFigures:
    """Figures of one set of predictions, each between 0 and 1."""

    hamming_loss: float  # share of (row, label) cells that are predicted wrongly
    # mean over rows of the share of (true, absent) pairs of labels in wrong order, or tied
    ranking_loss: float
    macro_f1: float  # mean over labels; a label that is true in no row and predicted in none counts as 0
    micro_f1: float  # of all cells together; 0 when nothing is true and nothing predicted
    subset_accuracy: float  # share of rows with every label right


def agreement(
    truth: np.ndarray, predicted: np.ndarray, scores: np.ndarray, *, skip_unrankable: bool = False
) -> PredictionFigures:
    """Compare predictions (rows, labels; two labels or more) with the truth.

    Rows with no label or all have no pair to rank: a loss of 0, as in scikit-learn, or left out if
    `skip_unrankable`.
    """
    from sklearn.metrics import accuracy_score, f1_score, hamming_loss

    if not truth.shape == predicted.shape == scores.shape or truth.ndim != 2:
        raise InvalidParameter(
            _(
                "truth, predictions and scores have shapes {truth}, {predicted} and {scores}.",
                truth=truth.shape,
                predicted=predicted.shape,
                scores=scores.shape,
            ),
            remedy=_("Give one row an observation and one column a label in all three."),
        )
    return PredictionFigures(
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
