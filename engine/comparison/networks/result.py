"""Everything that a comparison found so far: what each method made of each network."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from engine.comparison.networks.cells import harmonic_mean
from engine.comparison.networks.settings import BenchmarkSettings
from engine.simulation.truth import PairScore, Scores


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
        """Return the outcome that plain values describe.

        Raises
        ------
        KeyError, TypeError
            When something is missing or of another kind.
        """
        scores = values["scores"]
        if scores is not None:
            scores = Scores(**{name: PairScore(**counts) for name, counts in scores.items()})
        return Outcome(**(values | {"scores": scores}))


@dataclass(frozen=True)
class BenchmarkResult:
    """Outcomes of a comparison.

    Attributes
    ----------
    settings : BenchmarkSettings
        What was compared, on which networks.
    outcomes : tuple of Outcome
        One a network, variant and method, in the order in which they were made.
    workers : int
        Number of searches at once.

    Examples
    --------
    >>> BenchmarkResult(BenchmarkSettings(seeds=1), (), workers=2).is_partial
    True
    """

    settings: BenchmarkSettings
    outcomes: tuple[Outcome, ...]
    workers: int

    @property
    def planned(self) -> int:
        """Number of outcomes of the whole comparison."""
        settings = self.settings
        kinds = len(settings.cells) * len(settings.variants) * len(settings.methods)
        return kinds * settings.seeds

    @property
    def is_partial(self) -> bool:
        """Whether some outcomes are missing."""
        return len(self.outcomes) < self.planned

    def of(self, cell: str, variant: str, method: str) -> tuple[Outcome, ...]:
        """Return the outcomes of a method on one kind of network, by seed."""
        return self._by_kind.get((cell, variant, method), ())

    @cached_property
    def _by_kind(self) -> dict[tuple[str, str, str], tuple[Outcome, ...]]:
        found: dict[tuple[str, str, str], tuple[Outcome, ...]] = {}
        for each in sorted(self.outcomes, key=lambda each: each.seed):
            kind = (each.cell, each.variant, each.method)
            found[kind] = (*found.get(kind, ()), each)
        return found
