"""How strongly features are associated with labels, nothing held fixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.independence.single import TestRecord, make_records
from engine.selection.boundaries import FeatureBoundary

if TYPE_CHECKING:
    from engine.independence.batch import JointQuestion

Names = tuple[str, ...]


class Associations:
    """Marginal tests of every label with every feature that may be chosen.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    boundaries : sequence of FeatureBoundary
        One a label; their members may be chosen.
    interchangeable : mapping of str to sequence of (inside, outside)
        What may be chosen instead.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """

    def __init__(
        self,
        search: Neighbourhoods,
        boundaries: Sequence[FeatureBoundary],
        interchangeable: Mapping[str, Sequence[tuple[Names, Names]]],
    ) -> None:
        self._search = search
        features = dict.fromkeys(name for each in boundaries for name in each.members)
        features |= dict.fromkeys(
            name for pairs in interchangeable.values() for _, outside in pairs for name in outside
        )
        position = search.data.positions
        places = np.array([position[feature] for feature in features], dtype=np.int64)
        self._log_p: dict[str, dict[str, float]] = {}
        for each in boundaries:
            answers = search.data.ask_marginal(position[each.label], places, search.stop)
            search.check_stop()
            self._log_p[each.label] = dict(zip(features, answers.log_p.tolist(), strict=True))

    def log_p(self, feature: str, label: str) -> float:
        """Give the natural logarithm of the p-value."""
        return self._log_p[label][feature]

    def records(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], TestRecord]:
        """Make the tests of some pairs of feature and label in full.

        Raises
        ------
        Cancelled
            When the run was stopped.
        """
        wanted, search = list(dict.fromkeys(pairs)), self._search
        position = search.data.positions
        questions: list[JointQuestion] = [
            (position[label], (position[feature],), ()) for feature, label in wanted
        ]
        made = make_records(search.data, questions, search.stop)
        search.check_stop()
        return dict(zip(wanted, made, strict=True))
