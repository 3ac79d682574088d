"""CLCD-FS as a selector of scikit-learn, and the tables that its arrays become.

A classifier for each label, trained on the variables of that label alone.

The second outlook of Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery: common variables go to
every label that they serve, label-specific ones to their label. Otherwise it is binary relevance (Boutell,
Luo, Shen and Brown 2004, Learning multi-label scene classification, Pattern Recognition 37:1757-1771).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Container, Sequence
from dataclasses import fields, replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.linear_model import LogisticRegression
from sklearn.utils import assert_all_finite
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.errors import DataWarning, InvalidData, InvalidParameter
from engine.parameters import impossible_value
from engine.preparation import PreparationSettings, prepare
from engine.preparation.made_from_labels import MADE_FROM_LABELS
from engine.selection.result import Selection
from engine.selection.select import select_features
from engine.table.dataset import Dataset
from engine.table.variable import Role, Variable
from engine.translation import _
from engine.wording.setting_names import the_setting

Column = tuple[Variable, np.ndarray]


def table_of(values: Any, targets: Any) -> Dataset:
    """Make a table of features and labels: those of arrays are called ``x0``, ``x1`` … and ``y0``, ``y1`` ….

    Numbers with more than two different values are continuous. A label that is called like a feature has a
    prime added to its name.

    >>> table = table_of(np.array([[0.1], [0.2], [0.3]]), np.array([[0, 1], [1, 1], [0, 0]]))
    >>> table.features, table.labels
    (('x0',), ('y0', 'y1'))
    """
    features = _columns(values, "x", ())
    names = {variable.name for variable, _ in features}
    labels = _columns(targets, "y", names)
    if not labels:
        raise InvalidData(_("no label is given."), remedy=_("Give y at least one column."))
    described = [variable for variable, _ in features]
    described += [replace(variable, role=Role.LABEL) for variable, _ in labels]
    return Dataset(tuple(described), tuple(column for _, column in [*features, *labels]))


def _columns(values: Any, prefix: str, taken: Container[str]) -> list[Column]:
    if hasattr(values, "columns"):
        return _of_frame(values, taken)
    if getattr(values, "name", None) is not None:
        return _of_frame(values.to_frame(), taken)
    array = _array_of(values)
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    names = _free_names([f"{prefix}{position}" for position in range(array.shape[1])], taken)
    return [_of_array(name, array[:, position]) for position, name in enumerate(names)]


def _of_frame(frame: Any, taken: Container[str]) -> list[Column]:
    from engine.table.frames import column_from_series

    names = _free_names([str(name) for name in frame.columns], taken)
    typed = [column_from_series(name, frame.iloc[:, position]) for position, name in enumerate(names)]
    return [(typed_column.variable, typed_column.column) for typed_column in typed]


def _of_array(name: str, column: np.ndarray) -> Column:
    import pandas

    from engine.table.column_kinds import typed_numbers
    from engine.table.frames import column_from_series

    if column.dtype.kind in "fiu":
        typed = typed_numbers(name, column.astype(np.float64))
    else:
        typed = column_from_series(name, pandas.Series(column))
    return typed.variable, typed.column


def _free_names(names: Sequence[str], taken: Container[str]) -> list[str]:
    free = []
    for name in names:
        while name in taken:
            name += "′"
        free.append(name)
    return free


_SEARCH = DiscoverySettings()
_TABLE = PreparationSettings()
# What a share such as 0.28 of 25 features exceeds 7 by, through rounding.
_ROUNDING = 1e-9


class CLCDSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Selector of a small set of features that together carry information about every label.

    The data determine the number of features. If numbers are cut into bins, only the search uses the bins.
    The rows given to :meth:`fit` determine the cuts. :meth:`transform` returns the selected columns
    unchanged.

    Parameters
    ----------
    algorithm, test, alpha, automatic_alpha, max_conditioning, false_discovery, procedure, max_equivalence, \
equivalence_margin, dof, min_rows_per_dof, min_rows_per_cell, large_set_rows, permutations, \
permutation_seed, degree, symmetry, workers
        Settings of the search, as in :class:`engine.DiscoverySettings`.
    discretise, bins, missing, imputations, imputation_seed, max_missing, max_levels, rows_per_level, \
set_aside, keep
        Settings of the preparation, as in :class:`engine.PreparationSettings`.
    max_features : int or float, optional
        Largest number of features, or largest share of the features that the search selects, rounded up.
        Features that serve most labels are kept first. More features than the search selects are never
        returned.

    Attributes
    ----------
    selection_ : Selection
        The selected features with reasons. Features without names are called ``x0``, ``x1`` and so on, labels
        without names ``y0``, ``y1`` and so on.
    support_ : ndarray of bool, shape (features,)
        Which columns are selected.
    label_support_ : ndarray of bool, shape (labels, features)
        Which columns serve each label. None serves a label that has the same value in all rows.
    label_names_ : tuple of str
        Names of the labels, in the order of the columns of `y`.
    n_features_in_ : int
        Number of columns seen by :meth:`fit`.
    feature_names_in_ : ndarray of str
        Names of the columns, if all of them are texts.

    Raises
    ------
    InvalidParameter
        From :meth:`fit`, if a setting has an impossible value.
    InvalidData
        From :meth:`fit`, if the table leaves nothing to search.

    Notes
    -----
    To predict, start with ``CLCDSelector(**selection_presets()["predict"].parameters)`` from
    :mod:`engine.selection.presets`. To tune ``alpha``, ``bins`` and ``max_features`` (as a share), use
    ``GridSearchCV`` on the training rows only.

    Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery, Algorithm 2; see
    :func:`engine.select_features`.

    Examples
    --------
    >>> import engine
    >>> frame = engine.simulate(labels=3, features=12, rows=1000, seed=0).dataset.frame.astype(str)
    >>> labels = [name for name in frame if name.startswith("L")]
    >>> selector = engine.CLCDSelector(alpha=0.01).fit(frame.drop(columns=labels), frame[labels])
    >>> selector.transform(frame.drop(columns=labels)).shape[1] == len(selector.selection_.features)
    True
    """

    def __init__(
        self,
        *,
        algorithm: str = _SEARCH.algorithm,
        test: str = _SEARCH.test,
        alpha: float = _SEARCH.alpha,
        automatic_alpha: bool = _SEARCH.automatic_alpha,
        max_conditioning: int = _SEARCH.max_conditioning,
        false_discovery: str = _SEARCH.false_discovery,
        procedure: str = _SEARCH.procedure,
        max_equivalence: int = _SEARCH.max_equivalence,
        equivalence_margin: float = _SEARCH.equivalence_margin,
        dof: str = _SEARCH.dof,
        min_rows_per_dof: float = _SEARCH.min_rows_per_dof,
        min_rows_per_cell: float = _SEARCH.min_rows_per_cell,
        large_set_rows: float = _SEARCH.large_set_rows,
        permutations: int = _SEARCH.permutations,
        permutation_seed: int = _SEARCH.permutation_seed,
        degree: int | None = _SEARCH.degree,
        symmetry: bool = _SEARCH.symmetry,
        workers: int | None = _SEARCH.workers,
        discretise: str = _TABLE.discretise,
        bins: int = _TABLE.bins,
        missing: str = _TABLE.missing,
        imputations: int = _TABLE.imputations,
        imputation_seed: int = _TABLE.imputation_seed,
        max_missing: float = _TABLE.max_missing,
        max_levels: int = _TABLE.max_levels,
        rows_per_level: int = _TABLE.rows_per_level,
        set_aside: bool = _TABLE.set_aside,
        keep: tuple[str, ...] | None = _TABLE.keep,
        max_features: float | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.test = test
        self.alpha = alpha
        self.automatic_alpha = automatic_alpha
        self.max_conditioning = max_conditioning
        self.false_discovery = false_discovery
        self.procedure = procedure
        self.max_equivalence = max_equivalence
        self.equivalence_margin = equivalence_margin
        self.dof = dof
        self.min_rows_per_dof = min_rows_per_dof
        self.min_rows_per_cell = min_rows_per_cell
        self.large_set_rows = large_set_rows
        self.permutations = permutations
        self.permutation_seed = permutation_seed
        self.degree = degree
        self.symmetry = symmetry
        self.workers = workers
        self.discretise = discretise
        self.bins = bins
        self.missing = missing
        self.imputations = imputations
        self.imputation_seed = imputation_seed
        self.max_missing = max_missing
        self.max_levels = max_levels
        self.rows_per_level = rows_per_level
        self.set_aside = set_aside
        self.keep = keep
        self.max_features = max_features

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803
        """Search the features that tell about the labels.

        Parameters
        ----------
        X : DataFrame, ndarray or sparse matrix, shape (rows, features)
            Numbers; in a frame texts and categories as well. Where values are missing, `missing` decides.
        y : DataFrame, Series or ndarray, shape (rows,) or (rows, labels)
            Labels: an indicator matrix, or columns of any few values.

        Returns
        -------
        CLCDSelector
            This selector.

        Warns
        -----
        DataWarning
            If features determine labels, or labels determine them.
        """
        search, preparation = self._settings()
        values, targets = self._checked(X, y)
        table = table_of(values, targets)
        prepared = prepare(table, preparation)
        for note in prepared.notes:
            if note.topic == MADE_FROM_LABELS:
                warnings.warn(note.text, DataWarning, stacklevel=2)
        self.selection_: Selection = select_features(prepared, search)
        self.label_names_ = table.labels
        chosen = self.selection_.features[: self._most(len(self.selection_.features))]
        self.support_ = np.isin(table.features, chosen)
        self.label_support_ = np.array(
            [
                self.support_ & np.isin(table.features, self.selection_.features_of(label))
                if label in prepared.labels
                else np.zeros(len(table.features), dtype=bool)
                for label in table.labels
            ]
        )
        return self

    def _settings(self) -> tuple[DiscoverySettings, PreparationSettings]:
        """Make the settings, which check themselves."""
        given = self.get_params(deep=False)
        _check_limit(self.max_features)
        search = {field.name: given[field.name] for field in fields(DiscoverySettings) if field.name in given}
        table = {
            field.name: given[field.name] for field in fields(PreparationSettings) if field.name in given
        }
        # In a part of the rows a rare label can have one value: the others are still worth a search.
        return DiscoverySettings(**search), PreparationSettings(**table, constant_labels="set-aside")

    def _most(self, selected: int) -> int:
        """Return how many of the features that were found are kept."""
        if self.max_features is None:
            return selected
        if isinstance(self.max_features, int | np.integer):
            return int(self.max_features)
        return math.ceil(self.max_features * selected - _ROUNDING)

    def _checked(self, values: Any, targets: Any) -> tuple[Any, Any]:
        """Check features and labels."""
        if targets is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: it selects "
                "features for labels."
            )
        checked = _validated(self, values, ensure_all_finite="allow-nan", ensure_min_samples=2)
        labels = targets if hasattr(targets, "iloc") else _array_of(targets)
        check_consistent_length(checked, labels)
        return checked, labels

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


def _validated(estimator: BaseEstimator, values: Any, *, reset: bool = True, **checks: Any) -> Any:
    """Check shapes and note names; a frame stays one, so that its categories are kept."""
    if hasattr(values, "columns") and hasattr(values, "iloc"):
        validate_data(estimator, values, reset=reset, skip_check_array=True)
        return values
    return validate_data(estimator, values, reset=reset, accept_sparse=["csr", "csc"], **checks)


def _array_of(targets: Any) -> np.ndarray:
    return np.asarray(targets.toarray() if hasattr(targets, "toarray") else targets)


def _check_limit(limit: object) -> None:
    is_count = isinstance(limit, int | np.integer) and not isinstance(limit, bool) and limit >= 1
    is_share = isinstance(limit, float) and 0.0 < limit <= 1.0
    if not (limit is None or is_count or is_share):
        raise impossible_value(
            limit,
            the_setting("max_features"),
            _("Use a whole number of at least 1, a share above 0.0 and at most 1.0, or None."),
        )


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
    """Classifier that predicts each label from its own variables, common and label-specific.

    A label that has the same value in all rows, or no variable, is predicted from its frequency only.

    Parameters
    ----------
    estimator : classifier, optional
        Classifier of which a copy is trained for each label. Default: ``LogisticRegression()``. It may be a
        pipeline.
    selector : CLCDSelector, optional
        Selector of the variables of each label, on the rows given to :meth:`fit`. Default:
        ``CLCDSelector()``. Any selector with ``label_support_`` is accepted.

    Attributes
    ----------
    estimators_ : list of classifiers
        One per label.
    selector_ : CLCDSelector
        The fitted selector. None if every label has the same value in all rows.
    label_support_ : ndarray of bool, shape (labels, features)
        Which columns each label uses.
    classes_ : ndarray
        Values of the only label if `y` has shape (rows,), or numbers of the labels of an indicator matrix.
    multilabel_ : bool
        Whether `y` was an indicator matrix.
    n_features_in_ : int
        Number of columns seen by :meth:`fit`.
    feature_names_in_ : ndarray of str
        Names of the columns, if all of them are texts.

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
        values = _validated(self, X)
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
        return np.column_stack([_chance_of_one(*chance) for chance in chances])

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
        return np.flatnonzero(self.label_support_[label])

    def _support(self, labels: int) -> np.ndarray:
        """Return the columns that serve each label; none when all labels have one value."""
        if self.selector_ is None:
            return np.zeros((labels, self.n_features_in_), dtype=bool)
        support: np.ndarray | None = getattr(self.selector_, "label_support_", None)
        if support is None:
            raise InvalidParameter(
                _(
                    "{selector} does not say which columns serve which label.",
                    selector=type(self.selector_).__name__,
                ),
                place=the_setting("selector"),
                remedy=_("Use CLCDSelector, or a selector with the attribute 'label_support_'."),
            )
        return support

    def _base(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _trained(self, values: Any, target: np.ndarray, own: np.ndarray) -> Any:
        if not own.any() or np.all(target == target[0]):
            return PriorClassifier().fit(_columns_of_label(values, own), target)
        return clone(self._base()).fit(_columns_of_label(values, own), target)

    def _of_each_label(self, values: Any, ask: Any) -> list[Any]:
        check_is_fitted(self)
        checked = _validated(self, values, reset=False)
        return [
            ask(trained, _columns_of_label(checked, own))
            for trained, own in zip(self.estimators_, self.label_support_, strict=True)
        ]

    def _labels(self, given: Any) -> tuple[Any, np.ndarray]:
        """Return the labels with their names, and as a matrix; note what they are."""
        if given is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: it learns labels."
            )
        array = _array_of(given)
        assert_all_finite(array, input_name="y")
        check_classification_targets(given)
        self.multilabel_ = array.ndim == 2 and (array.shape[1] > 1 or array.dtype.kind == "b")
        if not self.multilabel_:
            array = column_or_1d(array, warn=True)
        if self.multilabel_:
            if type_of_target(array) not in ("multilabel-indicator", "binary"):
                raise InvalidData(
                    _("the labels are not 0 and 1."),
                    place="y",
                    remedy=_("Give an indicator matrix: a column a label, 1 where the row has it."),
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


def _columns_of_label(values: Any, own: np.ndarray) -> Any:
    positions = np.flatnonzero(own)
    return values.iloc[:, positions] if hasattr(values, "iloc") else values[:, positions]


def _chance_of_one(classes: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """Return the probability that a label is there, 0 where it never was."""
    position = np.flatnonzero(classes == 1)
    return chances[:, position[0]] if position.size else np.zeros(len(chances))
