"""What one method made of one network."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from engine.evaluation.benchmark.paper import harmonic_mean
from engine.simulation.scores import PairScore, Scores


@dataclass(frozen=True, slots=True)
class Outcome:
    """Accuracy and time of one method, under one variant, on one network.

    Attributes
    ----------
    cell, method, variant : str
        By name.
    seed : int
        Seed of the network.
    scores : Scores or None
        Agreement with the truth; None when the method was cut.
    seconds : float
        Time on the clock until it was done or cut, without compiling.
    processor_seconds : float
        Time of all processor cores together, likewise.
    budget : float
        Processor seconds that it was given.
    """

    cell: str
    seed: int
    variant: str
    method: str
    scores: Scores | None
    seconds: float
    processor_seconds: float
    budget: float

    @property
    def is_cut(self) -> bool:
        """Whether the method used up its budget."""
        return self.scores is None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; None when cut."""
        return None if self.scores is None else harmonic_mean(self.scores.precision, self.scores.recall)

    def holds_for(self, budget: float) -> bool:
        """Tell whether the same would have come of another budget."""
        return self.budget >= budget if self.is_cut else self.processor_seconds <= budget

    def as_dict(self) -> dict[str, Any]:
        """Give it as plain values."""
        return asdict(self)

    @staticmethod
    def from_dict(values: dict[str, Any]) -> Outcome:
        """Make it of plain values.

        Raises
        ------
        KeyError, TypeError
            When something is missing or of another kind.
        """
        scores = values["scores"]
        if scores is not None:
            scores = Scores(**{name: PairScore(**counts) for name, counts in scores.items()})
        return Outcome(**(values | {"scores": scores}))
