"""How strongly features are associated with labels, nothing held fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.independence.record import make_records
from engine.selection.boundaries import FeatureBoundary

if TYPE_CHECKING:
    from engine.independence.joint import JointQuestion

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
        data = search.data
        features = dict.fromkeys(name for each in boundaries for name in each.members)
        features |= dict.fromkeys(
            name for pairs in interchangeable.values() for _, outside in pairs for name in outside
        )
        pairs = [(feature, each.label) for each in boundaries for feature in features]
        questions: list[JointQuestion] = [
            (data.positions[label], (data.positions[feature],), ()) for feature, label in pairs
        ]
        records = make_records(data, questions, search.settings.alpha, search.stop)
        search.check_stop()
        self._records = dict(zip(pairs, records, strict=True))

    def log_p(self, feature: str, label: str) -> float:
        """Give the natural logarithm of the p-value."""
        return self._records[feature, label].log_p

    def strength(self, feature: str, label: str) -> float:
        """Give the effect, between 0 and 1."""
        return self._records[feature, label].effect
