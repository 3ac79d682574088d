"""CLCD-FS as one of the methods that are compared: what it may choose among, and how it is called."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.errors import Cancelled
from engine.progress import ProgressEvent

if TYPE_CHECKING:
    import numpy as np

    from engine.evaluation.selection.methods import Chosen, TrainingRows

# What CLCD-FS may choose among when it is tuned: the level of its tests, the bins of numeric features, and
# what share of the features it keeps, first those that serve most labels.
GRIDS = {"alpha": (0.01, 0.05), "bins": (2.0, 3.0, 4.0), "share": (0.5, 1.0)}


def defaults() -> dict[str, float]:
    """Give what can be tuned as it is when it is not.

    Examples
    --------
    >>> defaults()
    {'alpha': 0.01, 'bins': 2.0, 'share': 1.0}
    """
    from engine.boundaries.settings import DiscoverySettings
    from engine.preparation.settings import PreparationSettings

    return {"alpha": DiscoverySettings().alpha, "bins": float(PreparationSettings().bins), "share": 1.0}


class _Stoppable:
    """Progress that nobody watches, stopped by an array."""

    def __init__(self, stop: np.ndarray) -> None:
        self._stop = stop

    def report(self, event: ProgressEvent) -> None:
        """Ignore the event."""

    def should_stop(self) -> bool:
        """Tell whether the array was set."""
        return bool(self._stop[0])


def select(rows: TrainingRows, seed: int, options: Mapping[str, float], stop: np.ndarray) -> Chosen:
    """Select features as CLCD-FS does; nothing about it is random.

    Raises
    ------
    Cancelled
        Soon after `stop` was set.
    """
    from engine.boundaries.settings import DiscoverySettings
    from engine.evaluation.selection.methods import Chosen
    from engine.preparation import prepare
    from engine.selection.select import select_features

    # Few training rows may lack a rare label altogether.
    prepared = prepare(
        rows.dataset, constant_labels="set-aside", discretise="quantile", bins=int(options["bins"])
    )
    settings = DiscoverySettings(alpha=options["alpha"], workers=1)
    selection = select_features(prepared, settings, _Stoppable(stop))
    if selection.is_partial:
        raise Cancelled("the selection was stopped.")
    features = {name: place for place, name in enumerate(rows.dataset.features)}
    labels = {name: place for place, name in enumerate(rows.dataset.labels)}
    kept = selection.features[: math.ceil(options["share"] * len(selection.features))]
    return Chosen(
        tuple(features[name] for name in kept),
        has_own_number=True,
        served=tuple((features[name], labels[label]) for name in kept for label in selection.labels_of(name)),
    )
