"""Binary relevance: a classifier for every label on its own, blind to the others.

The paper predicts so because the classifier adds nothing of its own about relations between labels: what is
compared is what the features know (Zhang, Zhou 2014, A review on multi-label learning algorithms). It does
not name the kernel of its support vector machine, which matters; here it is a setting.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

# So much does a label that was never seen stand beneath all others, and one that was always seen above.
_APART = 1.0
_MOST_ITERATIONS = 1000


@dataclass(frozen=True, slots=True)
class Predictions:
    """What a classifier says of some rows.

    Attributes
    ----------
    labels : ndarray of bool, shape (rows, labels)
    scores : ndarray of float64, shape (rows, labels)
        Distance from the decision boundary; a label that was false in all training rows has the lowest
        score of its row, one that was true in all the highest.
    """

    labels: np.ndarray
    scores: np.ndarray


@dataclass(frozen=True, slots=True)
class Classifier:
    """A kind of binary classifier.

    Attributes
    ----------
    name, title, help : str
        For files, for a person, and in one sentence.
    make : callable
        Takes the cost C, gives an estimator of scikit-learn.
    kernel : callable or None
        Takes two arrays of shape (rows, features), gives their kernel, which all labels share; None when the
        estimator takes the features themselves.
    """

    name: str
    title: str
    help: str
    make: Callable[[float], Any]
    kernel: Callable[[np.ndarray, np.ndarray], np.ndarray] | None


def classifiers() -> Mapping[str, Classifier]:
    """Return every classifier by name.

    Examples
    --------
    >>> list(classifiers())
    ['svm-rbf', 'svm-linear', 'logistic']
    """
    return {each.name: each for each in _CLASSIFIERS}


def predict(
    name: str,
    training: np.ndarray,
    training_labels: np.ndarray,
    testing: np.ndarray,
    *,
    cost: float = 1.0,
    scale: bool = True,
) -> Predictions:
    """Learn from training rows and predict the labels of test rows.

    Parameters
    ----------
    name : str
        One of :func:`classifiers`.
    training : ndarray of float64, shape (training rows, features)
    training_labels : ndarray of bool, shape (training rows, labels)
    testing : ndarray of float64, shape (test rows, features)
    cost : float
        The constant C: how much a training row on the wrong side counts.
    scale : bool
        Give every feature mean 0 and variance 1 in the training rows; the test rows are shifted likewise.

    Returns
    -------
    Predictions
        Of the test rows.

    Examples
    --------
    >>> values = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> predict("svm-linear", values, values > 1.5, values).labels.ravel()
    array([False, False,  True,  True])
    """
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
    known = scores[:, varying] if varying.any() else np.zeros((len(scores), 1))
    ranked = scores.copy()
    ranked[:, never] = known.min(axis=1, keepdims=True) - _APART
    ranked[:, always] = known.max(axis=1, keepdims=True) + _APART
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
        "SVM, radial kernel",
        "A support vector machine with a radial kernel of width 1 / number of features.",
        _support_vectors,
        _radial_kernel,
    ),
    Classifier(
        "svm-linear", "SVM, linear", "A linear support vector machine.", _support_vectors, _linear_kernel
    ),
    Classifier("logistic", "Logistic regression", "Logistic regression.", _logistic_regression, None),
)
