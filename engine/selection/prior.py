"""A classifier that looks at no variable: for labels about which none tells anything."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class PriorClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts the most frequent class, with the frequencies as probabilities.

    Unlike ``sklearn.dummy.DummyClassifier`` it also gives scores: the logarithm of the odds, with half a row
    added to each side so that they are finite (Haldane 1956, Annals of Human Genetics 20:309-311).
    """

    def fit(self, X: Any, y: np.ndarray) -> Self:  # noqa: N803
        """Count the classes."""
        self.classes_, self.counts_ = np.unique(y, return_counts=True)
        return self

    def predict(self, X: Any) -> np.ndarray:  # noqa: N803
        """Give every row the most frequent class."""
        return np.full(X.shape[0], self.classes_[np.argmax(self.counts_)])

    def predict_proba(self, X: Any) -> np.ndarray:  # noqa: N803
        """Give every row the frequencies of the classes, shape (rows, classes)."""
        return np.tile(self.counts_ / self.counts_.sum(), (X.shape[0], 1))

    def decision_function(self, X: Any) -> np.ndarray:  # noqa: N803
        """Give every row the scores of the classes; of two, that of the second one alone.

        A label with one value in all rows is 0 or 1; its score is that of 1.
        """
        counts, total = self.counts_.astype(np.float64), self.counts_.sum()
        if len(counts) < 3:
            counts = counts[-1:] if len(counts) == 2 or self.classes_[0] else np.zeros(1)
        scores = np.log((counts + 0.5) / (total - counts + 0.5))
        return np.tile(scores, (X.shape[0], 1)) if len(counts) > 1 else np.full(X.shape[0], scores[0])
