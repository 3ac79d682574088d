"""A classifier for each label, trained on the variables of that label alone.

The second outlook of Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery: common variables go to
every label that they serve, label-specific ones to their label. Otherwise it is binary relevance (Boutell,
Luo, Shen and Brown 2004, Learning multi-label scene classification, Pattern Recognition 37:1757-1771).
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils import assert_all_finite
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from engine.errors import InvalidData, InvalidParameter
from engine.selection.estimators import CLCDSelector
from engine.wording.setting_names import the_setting


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


def _offers(name: str) -> Any:
    """Make the test whether the classifiers of the labels have a method."""

    def check(self: LabelwiseClassifier) -> bool:
        getattr(self._base(), name)
        return True

    return check


class LabelwiseClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts each label from its own variables: the common ones that serve it, and its specific ones.

    A label with one value in all rows, or without a variable that tells about it, is predicted from its
    frequency alone.

    Parameters
    ----------
    estimator : classifier, optional
        Trained once a label, on a copy; ``LogisticRegression()`` when left out. It may be a pipeline.
    selector : CLCDSelector, optional
        Finds the variables of each label, on the rows given to :meth:`fit`; ``CLCDSelector()`` when left
        out. Any selector with ``label_support_`` will do.

    Attributes
    ----------
    estimators_ : list of classifiers
        One a label.
    selector_ : CLCDSelector
        As fitted; None when every label has one value in all rows.
    label_support_ : ndarray of bool, shape (labels, features)
        Which columns each label uses.
    classes_ : ndarray
        Values of the one label when `y` has shape (rows,); numbers of the labels for an indicator matrix.
    multilabel_ : bool
        Whether `y` was an indicator matrix.
    n_features_in_ : int
        Number of columns seen by :meth:`fit`.
    feature_names_in_ : ndarray of str
        Their names, when all of them are texts.

    Examples
    --------
    >>> import engine
    >>> table = engine.simulate(labels=3, features=12, rows=1000, seed=0).dataset
    >>> numbers = table.frame.apply(lambda column: column.cat.codes)
    >>> X, y = numbers[list(table.features)], numbers[list(table.labels)] > 0
    >>> engine.LabelwiseClassifier().fit(X, y).predict(X).shape
    (1000, 3)
    """

    def __init__(self, estimator: Any = None, selector: Any = None) -> None:
        self.estimator = estimator
        self.selector = selector

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803
        """Select the variables of each label and train a classifier on them.

        Parameters
        ----------
        X : DataFrame, ndarray or sparse matrix, shape (rows, features)
            Numbers, or what the classifier takes.
        y : indicator matrix, shape (rows, labels), or array of shape (rows,)
            Several labels that are there or not, or one label of any few values.

        Returns
        -------
        LabelwiseClassifier
            This classifier.
        """
        values = self._checked(X, reset=True)
        labels, targets = self._labels(y)
        check_consistent_length(values, targets)
        selector = CLCDSelector() if self.selector is None else self.selector
        if not self.multilabel_ and len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs a label with at least two classes, but the data have one class."
            )
        self.selector_ = clone(selector).fit(values, labels) if _differs(targets) else None
        self.label_support_ = self._support(targets.shape[1])
        self.estimators_ = [
            self._trained(values, targets[:, position], own)
            for position, own in enumerate(self.label_support_)
        ]
        return self

    def predict(self, X: Any) -> np.ndarray:  # noqa: N803
        """Predict every label.

        Parameters
        ----------
        X : as for :meth:`fit`

        Returns
        -------
        ndarray of int, shape (rows, labels), or of classes, shape (rows,)
        """
        predicted = self._of_each_label(X, lambda trained, own: trained.predict(own))
        if not self.multilabel_:
            return np.asarray(predicted[0])
        return np.column_stack(predicted).astype(np.int64)

    @available_if(_offers("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> np.ndarray:  # noqa: N803
        """Return the probability of every label.

        Parameters
        ----------
        X : as for :meth:`fit`

        Returns
        -------
        ndarray of float, shape (rows, labels), or (rows, classes) when there is one label
        """
        chances = self._of_each_label(X, lambda trained, own: (trained.classes_, trained.predict_proba(own)))
        if not self.multilabel_:
            return np.asarray(chances[0][1])
        return np.column_stack([_chance_of_one(*each) for each in chances])

    @available_if(_offers("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> np.ndarray:  # noqa: N803
        """Return a score of every label, above 0 where it is predicted.

        For labels that are predicted from their frequency it is the logarithm of their odds.

        Parameters
        ----------
        X : as for :meth:`fit`

        Returns
        -------
        ndarray of float, shape (rows, labels); for one label as the classifier itself gives it
        """
        scores = self._of_each_label(X, lambda trained, own: trained.decision_function(own))
        return np.column_stack(scores) if self.multilabel_ else np.asarray(scores[0])

    def features_of(self, label: int) -> np.ndarray:
        """Return the columns on which the classifier of one label was trained, by the number of the label."""
        check_is_fitted(self)
        columns: np.ndarray = np.flatnonzero(self.label_support_[label])
        return columns

    def _support(self, labels: int) -> np.ndarray:
        """Return the columns that serve each label; none when all labels have one value."""
        if self.selector_ is None:
            return np.zeros((labels, self.n_features_in_), dtype=bool)
        support: np.ndarray | None = getattr(self.selector_, "label_support_", None)
        if support is None:
            raise InvalidParameter(
                f"{type(self.selector_).__name__} does not say which columns serve which label.",
                place=the_setting("selector"),
                remedy="Use CLCDSelector, or a selector with the attribute 'label_support_'.",
            )
        return support

    def _base(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _trained(self, values: Any, target: np.ndarray, own: np.ndarray) -> Any:
        if not own.any() or np.all(target == target[0]):
            return PriorClassifier().fit(_columns(values, own), target)
        return clone(self._base()).fit(_columns(values, own), target)

    def _of_each_label(self, values: Any, ask: Any) -> list[Any]:
        check_is_fitted(self)
        checked = self._checked(values, reset=False)
        return [
            ask(trained, _columns(checked, own))
            for trained, own in zip(self.estimators_, self.label_support_, strict=True)
        ]

    def _checked(self, values: Any, *, reset: bool) -> Any:
        if hasattr(values, "columns") and hasattr(values, "iloc"):
            validate_data(self, values, reset=reset, skip_check_array=True)
            return values
        return validate_data(self, values, reset=reset, accept_sparse=["csr", "csc"])

    def _labels(self, given: Any) -> tuple[Any, np.ndarray]:
        """Return the labels with their names, and as a matrix; note what they are."""
        if given is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: it learns labels."
            )
        array = np.asarray(given.toarray() if hasattr(given, "toarray") else given)
        assert_all_finite(array, input_name="y")
        check_classification_targets(given)
        self.multilabel_ = array.ndim == 2 and (array.shape[1] > 1 or array.dtype.kind == "b")
        if not self.multilabel_:
            array = column_or_1d(array, warn=True)
        if self.multilabel_:
            if type_of_target(array) not in ("multilabel-indicator", "binary"):
                raise InvalidData(
                    "the labels are not 0 and 1.",
                    place="y",
                    remedy="Give an indicator matrix: a column a label, 1 where the row has it.",
                )
            self.classes_ = np.arange(array.shape[1])
            matrix = array.astype(np.int64)
            return (given if hasattr(given, "iloc") else matrix), matrix
        self.classes_ = np.unique(array)
        return (given if hasattr(given, "iloc") else array), array.reshape(-1, 1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.input_tags.sparse = True
        return tags


def _differs(targets: np.ndarray) -> bool:
    """Tell whether any label has two values."""
    return bool((targets != targets[:1]).any())


def _columns(values: Any, own: np.ndarray) -> Any:
    positions = np.flatnonzero(own)
    return values.iloc[:, positions] if hasattr(values, "iloc") else values[:, positions]


def _chance_of_one(classes: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """Return the probability that a label is there, 0 where it never was."""
    position = np.flatnonzero(classes == 1)
    return chances[:, position[0]] if position.size else np.zeros(len(chances))
