"""What one method made of one split of one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.evaluation.selection.metrics import Agreement


@dataclass(frozen=True, slots=True)
class SelectionOutcome:
    """The selection of one method in one split, and how well labels are predicted from it.

    Attributes
    ----------
    data_set, method : str
        By name.
    split : int
        Number of the split, from 0.
    order : tuple of int
        Positions of features, best first; those that it leaves out are absent.
    has_own_number : bool
        The method chose how many there are.
    options : mapping of str to float
        Those it was called with.
    served : tuple of (int, int)
        Pairs of a feature and a label that it serves; empty when the method does not say.
    seconds, processor_seconds : float
        Time of one selection with these options, on the clock and of the processor; tuning not counted.
    figures : mapping of int to Agreement
        By number of features.
    """

    data_set: str
    split: int
    method: str
    order: tuple[int, ...]
    has_own_number: bool
    options: Mapping[str, float]
    served: tuple[tuple[int, int], ...]
    seconds: float
    processor_seconds: float
    figures: Mapping[int, Agreement]

    @property
    def own_number(self) -> int | None:
        """How many features it chose; None when it leaves their number open."""
        return len(self.order) if self.has_own_number else None

    def as_dict(self) -> dict[str, Any]:
        """Give it as plain values."""
        return {
            "data_set": self.data_set,
            "split": self.split,
            "method": self.method,
            "order": list(self.order),
            "has_own_number": self.has_own_number,
            "options": dict(self.options),
            "served": [list(pair) for pair in self.served],
            "seconds": self.seconds,
            "processor_seconds": self.processor_seconds,
            "figures": {str(size): figures.as_dict() for size, figures in self.figures.items()},
        }

    @staticmethod
    def from_dict(values: dict[str, Any]) -> SelectionOutcome:
        """Make it of plain values.

        Raises
        ------
        KeyError, TypeError, ValueError
            When something is missing or of another kind.
        """
        return SelectionOutcome(
            **(
                values
                | {
                    "order": tuple(values["order"]),
                    "served": tuple((feature, label) for feature, label in values["served"]),
                    "figures": {
                        int(size): Agreement.from_dict(figures) for size, figures in values["figures"].items()
                    },
                }
            )
        )
