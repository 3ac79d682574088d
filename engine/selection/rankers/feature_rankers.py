"""Every feature selector that CLCD-FS is compared with, described once, and called with what is checked.

Constant columns are kept from a selector.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.parameters import Parameter, impossible_value, parameters_of
from engine.selection.rankers.options import (
    CmfsOptions,
    CsfsOptions,
    MbMcfOptions,
    MclsOptions,
    MifsOptions,
    MutualInformationOptions,
    NearestInformationOptions,
    NoOptions,
    SfusOptions,
)
from engine.selection.rankers.problem import FeatureRanking, RankingProblem, checked_labels, checked_values
from engine.translation import N_, _
from engine.wording.sentences import choose_one
from engine.wording.setting_names import the_setting


@dataclass(frozen=True, slots=True)
class RankerDescription:
    """What a person needs to know to choose a method, and where it is."""

    name: str
    title: str
    help: str
    source: str
    entry_point: str
    options: type = NoOptions
    takes_unlabelled: bool = False
    is_random: bool = False
    is_reconstruction: bool = False

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its settings with titles, defaults and ranges."""
        return parameters_of(self.options)

    @property
    def grids(self) -> dict[str, tuple[float, ...]]:
        """Values to try of each setting that is worth tuning."""
        return {parameter.name: parameter.steps for parameter in self.parameters if parameter.steps}

    @property
    def formula(self) -> str:
        """What the method computes, in words and symbols, with its source."""
        return inspect.getdoc(resolve_name(self.entry_point)) or ""

    def load(self) -> CheckedRanker:
        """Import the method; its module is imported no earlier."""
        return CheckedRanker(self, resolve_name(self.entry_point))


_RANKERS = (
    RankerDescription(
        "sfus",
        "SFUS",
        N_("Row-sparse robust regression of all labels that share a subspace."),
        "Ma, Nie, Yang, Uijlings, Sebe (2012), Web image annotation via subspace-sparsity collaborated "
        "feature selection, IEEE Transactions on Multimedia 14:1021-1030",
        "engine.selection.rankers.sparse_regression:rank_by_sfus",
        SfusOptions,
    ),
    RankerDescription(
        "csfs",
        "CSFS",
        N_("Row-sparse regression of all labels; labels that are not known are estimated along with it."),
        "Chang, Nie, Yang, Huang (2014), A convex formulation for semi-supervised multi-label feature "
        "selection, AAAI 2014, 1171-1177",
        "engine.selection.rankers.sparse_regression:rank_by_csfs",
        CsfsOptions,
        takes_unlabelled=True,
    ),
    RankerDescription(
        "mifs",
        "MIFS",
        N_("Row-sparse regression of a few hidden causes of the labels that neighbouring rows share."),
        "Jian, Li, Shu, Liu (2016), Multi-label informed feature selection, IJCAI 2016, 1627-1633",
        "engine.selection.rankers.sparse_regression:rank_by_mifs",
        MifsOptions,
    ),
    RankerDescription(
        "mcls",
        "MCLS",
        N_("Prefers features that are alike among rows near in features and labels, and unlike elsewhere."),
        "Huang, Jiang, Sun (2018), Manifold-based constraint Laplacian score for multi-label feature "
        "selection, Pattern Recognition Letters 112:346-352",
        "engine.selection.rankers.graph_regularised:rank_by_mcls",
        MclsOptions,
    ),
    RankerDescription(
        "cmfs",
        N_("CMFS (reconstruction)"),
        N_("Factorises features and labels over common non-negative parts; reconstructed from its abstract."),
        "Braytee, Liu, Catchpoole, Kennedy (2017), Multi-label feature selection using correlation "
        "information, CIKM 2017, 1649-1656",
        "engine.selection.rankers.graph_regularised:rank_by_cmfs",
        CmfsOptions,
        is_reconstruction=True,
    ),
    RankerDescription(
        "mb-mcf",
        N_("MB-MCF (reconstruction)"),
        N_(
            "CLCD-FS without spouses and retrieval of hidden variables; chooses its number of "
            "features itself."
        ),
        "Wu, Jiang, Yu, Miao, Chen (2020), Multi-label causal feature selection, AAAI 2020, 6430-6437",
        "engine.selection.rankers.mb_mcf:rank_by_mb_mcf",
        MbMcfOptions,
        is_reconstruction=True,
    ),
    RankerDescription(
        "mutual-information",
        N_("Mutual information"),
        N_("How much information a single feature has about a label, averaged over the labels."),
        "Shannon (1948), A mathematical theory of communication, Bell System Technical Journal 27:379-423",
        "engine.selection.rankers.univariate:rank_by_mutual_information",
        MutualInformationOptions,
    ),
    RankerDescription(
        "nearest-information",
        N_("Mutual information by nearest values"),
        N_("As mutual information, but numbers are not cut into bins."),
        "Ross (2014), Mutual information between discrete and continuous data sets, PLoS ONE 9:e87357",
        "engine.selection.rankers.univariate:rank_by_nearest_information",
        NearestInformationOptions,
    ),
    RankerDescription(
        "anova-f",
        N_("ANOVA F"),
        N_("How far the means of a feature with and without a label lie apart, averaged over the labels."),
        "Fisher (1925), Statistical Methods for Research Workers, Oliver and Boyd, chapter 7",
        "engine.selection.rankers.univariate:rank_by_anova",
    ),
    RankerDescription(
        "random",
        N_("Random order"),
        N_("For comparison: the features in a random order."),
        "Fisher, Yates (1938), Statistical Tables, Oliver and Boyd, example 12",
        "engine.selection.rankers.univariate:rank_at_random",
        is_random=True,
    ),
    RankerDescription(
        "all",
        N_("All features"),
        N_("For comparison: all features, without selection."),
        "None: the classifier is left to choose.",
        "engine.selection.rankers.univariate:rank_all_alike",
    ),
)


def feature_rankers() -> dict[str, RankerDescription]:
    """Return all feature selectors for comparisons by name, in the order shown to people.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[0.0, 5.0], [1.0, 4.0], [10.0, 5.0], [11.0, 4.0]])
    >>> labels = np.array([[False], [False], [True], [True]])
    >>> feature_rankers()["anova-f"].load()(values, labels).order.tolist()
    [0, 1]
    """
    return {description.name: description for description in _RANKERS}


class CheckedRanker:
    """A feature selector that checks what it is given."""

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
        """Rank the features: finite `values` (rows, features) against `labels` (rows, labels).

        Methods scale features as their formula says; a constant feature comes last. A label that is constant
        over the labelled rows plays no part. `stop`, set to 1, stops between two iterations. What `labels`
        holds in `unlabelled` rows is not looked at; only where ``takes_unlabelled``. `options` are fields of
        ``RankerDescription.options``.
        """
        chosen = self._options(options)
        table = checked_values(values)
        outcomes = checked_labels(labels, len(table))
        labelled = ~self._unlabelled(unlabelled, len(table))
        is_one = outcomes[labelled]
        varying_labels = is_one.any(axis=0) & ~is_one.all(axis=0)
        varying = np.ptp(table, axis=0) > 0
        _require(varying, "features", _("No feature varies, so none can be preferred."))
        _require(varying_labels, "labels", _("No label varies, so there is nothing to learn."))
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
        option_names = [field.name for field in dataclasses.fields(self._description.options)]
        for name in options:
            if name not in option_names:
                raise InvalidParameter(
                    _("{title} has no such setting.", title=self._description.title),
                    place=the_setting(name),
                    remedy=choose_one(option_names) if option_names else _("Leave it out."),
                )
        return self._description.options(**options)

    def _unlabelled(self, unlabelled: np.ndarray | None, rows: int) -> np.ndarray:
        if unlabelled is None:
            return np.zeros(rows, dtype=np.bool_)
        if not self._description.takes_unlabelled:
            raise InvalidParameter(
                _("{title} learns from labelled rows alone.", title=self._description.title),
                place=the_setting("unlabelled"),
                remedy=_("Leave out the rows whose labels are not known."),
            )
        mask = np.asarray(unlabelled)
        if mask.shape != (rows,) or mask.dtype != np.bool_ or mask.all():
            raise InvalidData(
                _("The mask of unlabelled rows must hold one truth value a row, and not all of them True."),
                place="unlabelled",
                remedy=_("Mark at least one row as labelled."),
            )
        return mask


def _require(varying: np.ndarray, place: str, problem: str) -> None:
    if not varying.any():
        raise InvalidData(
            problem, place=place, remedy=_("Look whether the right rows and columns were given.")
        )


def _checked_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise impossible_value(seed, the_setting("seed"), _("Use a whole number from 0."))
    return int(seed)


def _with_constant_features(ranking: FeatureRanking, varying: np.ndarray) -> FeatureRanking:
    """Put constant features back in their places, scored just below all others."""
    scores = np.empty(len(varying))
    scores[varying] = ranking.scores
    scores[~varying] = np.nextafter(ranking.scores.min(), -np.inf)
    subset = ranking.subset
    if subset is not None:
        positions = np.flatnonzero(varying)
        subset = tuple(int(positions[column]) for column in subset)
    scores.flags.writeable = ranking.objective.flags.writeable = False
    return FeatureRanking(scores, ranking.objective, ranking.converged, subset)
