"""Every feature selector that CLCD-FS is compared with, described once."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from engine.parameters import Parameter, parameters_of
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
from engine.selection.rankers.problem import FeatureRanking


class FeatureRanker(Protocol):
    """How every method is called."""

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
        """Rank the features; see :class:`engine.selection.rankers.calling.CheckedRanker`."""


@dataclass(frozen=True, slots=True)
class RankerDescription:
    """What a person needs to know to choose a method, and where it is.

    Attributes
    ----------
    name : str
        What ``clcd benchmark --selection`` knows it by.
    title : str
        Name in the literature.
    help : str
        One sentence on what distinguishes it.
    source : str
        Reference.
    home : str
        Module below ``engine.selection.rankers`` and function ``(problem, options)``, as
        ``"module:function"``.
    options : type
        Class of its settings.
    takes_unlabelled : bool
        It learns from rows whose labels are not known too.
    is_random : bool
        Its scores follow from the seed.
    is_reconstruction : bool
        No formula or program of its authors is public.
    """

    name: str
    title: str
    help: str
    source: str
    home: str
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
        return {each.name: each.steps for each in self.parameters if each.steps}

    @property
    def formula(self) -> str:
        """What the method computes, in words and symbols, with its source."""
        return inspect.getdoc(self._function()) or ""

    def load(self) -> FeatureRanker:
        """Import the method; its module is imported no earlier.

        Returns
        -------
        callable
            See :class:`engine.selection.rankers.calling.CheckedRanker`.
        """
        calling = import_module("engine.selection.rankers.calling")
        ranker: FeatureRanker = calling.CheckedRanker(self, self._function())
        return ranker

    def _function(self) -> Any:
        module, function = self.home.split(":")
        return getattr(import_module(f"engine.selection.rankers.{module}"), function)


_RANKERS = (
    RankerDescription(
        "sfus",
        "SFUS",
        "Row-sparse robust regression of all labels that share a subspace.",
        "Ma, Nie, Yang, Uijlings, Sebe (2012), Web image annotation via subspace-sparsity collaborated "
        "feature selection, IEEE Transactions on Multimedia 14:1021-1030",
        "sparse_regression:rank_by_sfus",
        SfusOptions,
    ),
    RankerDescription(
        "csfs",
        "CSFS",
        "Row-sparse regression of all labels; labels that are not known are estimated along with it.",
        "Chang, Nie, Yang, Huang (2014), A convex formulation for semi-supervised multi-label feature "
        "selection, AAAI 2014, 1171-1177",
        "sparse_regression:rank_by_csfs",
        CsfsOptions,
        takes_unlabelled=True,
    ),
    RankerDescription(
        "mifs",
        "MIFS",
        "Row-sparse regression of a few hidden causes of the labels that neighbouring rows share.",
        "Jian, Li, Shu, Liu (2016), Multi-label informed feature selection, IJCAI 2016, 1627-1633",
        "sparse_regression:rank_by_mifs",
        MifsOptions,
    ),
    RankerDescription(
        "mcls",
        "MCLS",
        "Prefers features that are alike among rows near in features and labels, and unlike elsewhere.",
        "Huang, Jiang, Sun (2018), Manifold-based constraint Laplacian score for multi-label feature "
        "selection, Pattern Recognition Letters 112:346-352",
        "mcls:rank_by_mcls",
        MclsOptions,
    ),
    RankerDescription(
        "cmfs",
        "CMFS (reconstruction)",
        "Factorises features and labels over common non-negative parts; reconstructed from its abstract.",
        "Braytee, Liu, Catchpoole, Kennedy (2017), Multi-label feature selection using correlation "
        "information, CIKM 2017, 1649-1656",
        "cmfs:rank_by_cmfs",
        CmfsOptions,
        is_reconstruction=True,
    ),
    RankerDescription(
        "mb-mcf",
        "MB-MCF (reconstruction)",
        "CLCD-FS without spouses and retrieval of hidden variables; chooses its number of features itself.",
        "Wu, Jiang, Yu, Miao, Chen (2020), Multi-label causal feature selection, AAAI 2020, 6430-6437",
        "mb_mcf:rank_by_mb_mcf",
        MbMcfOptions,
        is_reconstruction=True,
    ),
    RankerDescription(
        "mutual-information",
        "Mutual information",
        "How much a feature by itself tells of a label, averaged over the labels.",
        "Shannon (1948), A mathematical theory of communication, Bell System Technical Journal 27:379-423",
        "univariate:rank_by_mutual_information",
        MutualInformationOptions,
    ),
    RankerDescription(
        "nearest-information",
        "Mutual information by nearest values",
        "As mutual information, but numbers are not cut into bins.",
        "Ross (2014), Mutual information between discrete and continuous data sets, PLoS ONE 9:e87357",
        "univariate:rank_by_nearest_information",
        NearestInformationOptions,
    ),
    RankerDescription(
        "anova-f",
        "ANOVA F",
        "How far the means of a feature with and without a label lie apart, averaged over the labels.",
        "Fisher (1925), Statistical Methods for Research Workers, Oliver and Boyd, chapter 7",
        "univariate:rank_by_anova",
    ),
    RankerDescription(
        "random",
        "Random order",
        "A floor: the features in a random order.",
        "Fisher, Yates (1938), Statistical Tables, Oliver and Boyd, example 12",
        "univariate:rank_at_random",
        is_random=True,
    ),
    RankerDescription(
        "all",
        "All features",
        "No selection: every feature, none before another.",
        "None: the classifier is left to choose.",
        "univariate:rank_all_alike",
    ),
)


def feature_rankers() -> dict[str, RankerDescription]:
    """Return every feature selector to compare with by name, in the order in which they are offered.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[0.0, 5.0], [1.0, 4.0], [10.0, 5.0], [11.0, 4.0]])
    >>> labels = np.array([[False], [False], [True], [True]])
    >>> feature_rankers()["anova-f"].load()(values, labels).order.tolist()
    [0, 1]
    """
    return {description.name: description for description in _RANKERS}
