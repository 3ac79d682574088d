"""The methods that are compared: CLCD-FS, which chooses its own number of features, and others."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import Cancelled
from engine.progress import SilentProgress
from engine.selection.rankers.feature_rankers import RankerDescription, feature_rankers
from engine.translation import N_, _

if TYPE_CHECKING:
    from engine.table.dataset import Dataset


CLCD_FS = "clcd-fs"
ALL_FEATURES = "all"

_OF_SEARCHES = (
    "boundaries",
    "compiled",
    "discovery",
    "independence",
    "preparation",
    "selection",
    "table",
)
_OF_CLCD = (*_OF_SEARCHES, "comparison/selectors/methods.py")
_OF_RIVALS = ("selection/rankers",)
# Rivals that search as CLCD-FS does: the same sources decide what they select, and they say how much.
_SEARCHING_RIVALS = ("mb-mcf",)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows:
    """What a selector may see."""

    dataset: Dataset
    values: np.ndarray  # the features as numbers, shape (rows, features)
    labels: np.ndarray  # bool, shape (rows, labels)


@dataclass(frozen=True, slots=True)
class SelectorOutput:
    """What a selector selected, by position."""

    order: tuple[int, ...]  # best first; features that it leaves out are absent
    has_own_number: bool = False  # it chose how many there are, so that it is judged at that number alone
    # pairs of a feature and a label that it serves; empty when the method does not say
    served: tuple[tuple[int, int], ...] = ()


# Takes rows, a seed, options, and an array that is set to 1 to stop.
Select = Callable[[TrainingRows, int, Mapping[str, float], np.ndarray], SelectorOutput]


@dataclass(frozen=True, slots=True)
class SelectionMethod:
    """One way to select features."""

    name: str
    title: str
    help: str
    source: str  # in the literature
    select: Select
    defaults: Mapping[str, float]  # options that can be tuned, as they are when they are not
    grids: Mapping[str, tuple[float, ...]]  # values to try of each
    code: tuple[str, ...]  # sources below `engine` that decide what it selects
    is_reconstruction: bool = False  # no formula or program of its authors is public
    chooses_number: bool = False  # it says itself how many features there are

    def candidates(self, most: int, seed: int) -> tuple[dict[str, float], ...]:
        """List options to choose among, the defaults first (Bergstra, Bengio 2012, Random search)."""
        combinations = itertools.product(*self.grids.values())
        others = (
            [dict(zip(self.grids, combination, strict=True)) for combination in combinations]
            if self.grids
            else []
        )
        others = [options for options in others if options != dict(self.defaults)]
        if len(others) >= most:
            generator = np.random.default_rng(seed)
            chosen = np.sort(generator.choice(len(others), size=most - 1, replace=False))
            others = [others[position] for position in chosen]
        return (dict(self.defaults), *others)


@functools.cache
def selection_methods() -> dict[str, SelectionMethod]:
    """Return every method by name: the rivals as they are offered, CLCD-FS last."""
    methods = {name: _of_ranker(description) for name, description in feature_rankers().items()}
    methods[CLCD_FS] = SelectionMethod(
        CLCD_FS,
        "CLCD-FS",
        N_("Selects common and label-specific causal features, and chooses their number itself."),
        "Wu, Jiang, Zhong, Chen, Multi-label causal variable discovery, Algorithm 2",
        select_by_clcd,
        clcd_defaults(),
        CLCD_GRIDS,
        _OF_CLCD,
        chooses_number=True,
    )
    return methods


def _of_ranker(description: RankerDescription) -> SelectionMethod:
    return SelectionMethod(
        description.name,
        description.title,
        description.help,
        description.source,
        functools.partial(_select_by_ranking, description.name),
        {
            parameter.name: parameter.default
            for parameter in description.parameters
            if parameter.name in description.grids
        },
        description.grids,
        _OF_SEARCHES if description.name in _SEARCHING_RIVALS else _OF_RIVALS,
        description.is_reconstruction,
        description.name in _SEARCHING_RIVALS,
    )


def _select_by_ranking(
    name: str, rows: TrainingRows, seed: int, options: Mapping[str, float], stop: np.ndarray
) -> SelectorOutput:
    rank = functools.partial(feature_rankers()[name].load(), seed=seed, stop=stop)
    ranking = rank(rows.values, rows.labels, **dict[str, Any](options))
    if ranking.subset is not None:
        return SelectorOutput(tuple(map(int, ranking.subset)), has_own_number=True)
    return SelectorOutput(tuple(ranking.order.tolist()))


# What CLCD-FS may choose among when it is tuned: the level of its tests, the bins of numeric features, and
# what share of the features it keeps, first those that serve most labels.
CLCD_GRIDS = {"alpha": (0.01, 0.05), "bins": (2.0, 3.0, 4.0), "share": (0.5, 1.0)}


def clcd_defaults() -> dict[str, float]:
    """Return what can be tuned as it is when it is not."""
    from engine.boundaries.discovery_settings import DiscoverySettings
    from engine.preparation.preparation_settings import PreparationSettings

    return {"alpha": DiscoverySettings().alpha, "bins": float(PreparationSettings().bins), "share": 1.0}


class _Stoppable(SilentProgress):
    """Progress that nobody watches, stopped by an array."""

    def __init__(self, stop: np.ndarray) -> None:
        self._stop = stop

    def should_stop(self) -> bool:
        """Tell whether the array was set."""
        return bool(self._stop[0])


def select_by_clcd(
    rows: TrainingRows, seed: int, options: Mapping[str, float], stop: np.ndarray
) -> SelectorOutput:
    """Select features as CLCD-FS does; nothing about it is random."""
    from engine.boundaries.discovery_settings import DiscoverySettings
    from engine.preparation import prepare
    from engine.selection.select import select_features

    # Few training rows may lack a rare label altogether.
    prepared = prepare(
        rows.dataset, constant_labels="set-aside", discretise="quantile", bins=int(options["bins"])
    )
    settings = DiscoverySettings(alpha=options["alpha"], workers=1)
    selection = select_features(prepared, settings, _Stoppable(stop))
    if selection.is_partial:
        raise Cancelled(_("the selection was stopped."))
    features = {name: position for position, name in enumerate(rows.dataset.features)}
    labels = {name: position for position, name in enumerate(rows.dataset.labels)}
    chosen = selection.features[: math.ceil(options["share"] * len(selection.features))]
    return SelectorOutput(
        tuple(features[name] for name in chosen),
        has_own_number=True,
        served=tuple(
            (features[name], labels[label]) for name in chosen for label in selection.labels_of(name)
        ),
    )
