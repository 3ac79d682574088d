"""Everything that a comparison found so far."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.evaluation.benchmark.outcome import Outcome
from engine.evaluation.benchmark.settings import BenchmarkSettings


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
        """Give the outcomes of a method on one kind of network, by seed."""
        return self._by_kind.get((cell, variant, method), ())

    @cached_property
    def _by_kind(self) -> dict[tuple[str, str, str], tuple[Outcome, ...]]:
        found: dict[tuple[str, str, str], tuple[Outcome, ...]] = {}
        for each in sorted(self.outcomes, key=lambda each: each.seed):
            kind = (each.cell, each.variant, each.method)
            found[kind] = (*found.get(kind, ()), each)
        return found
