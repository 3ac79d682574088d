"""What came of one method on one table, and of many: counts, which add up, and intervals over seeds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import networkx
import numpy as np

from engine.simulation import SimulatedNetwork, score
from tests.benchmarks.mixed_networks.methods import Found
from tests.benchmarks.mixed_networks.networks import settled_edges

_RESAMPLES = 2000


@dataclass(frozen=True)
class Key:
    """Which network, how many rows, which seed, which method."""

    network: str
    rows: int
    seed: int
    method: str


@dataclass(frozen=True)
class Counts:
    """Counts of (feature, label) pairs and of directions next to labels.

    Attributes
    ----------
    found_true, found_false, missed : int
        Pairs.
    stated, right : int
        Directions stated between a label and another variable, and those of them whose cause is an ancestor
        of the effect in the true graph.
    reversed : int
        Those of them whose effect is an ancestor of the cause.
    settled, settled_stated : int
        Arrows next to labels that all graphs of the true equivalence class share, and those of them that
        are stated.
    seconds : float
        Processor's time.
    """

    found_true: int = 0
    found_false: int = 0
    missed: int = 0
    stated: int = 0
    right: int = 0
    reversed: int = 0
    settled: int = 0
    settled_stated: int = 0
    seconds: float = 0.0

    @property
    def precision(self) -> float:
        """Share of found pairs that are true."""
        return _share(self.found_true, self.found_true + self.found_false)

    @property
    def recall(self) -> float:
        """Share of true pairs that are found."""
        return _share(self.found_true, self.found_true + self.missed)

    @property
    def right_share(self) -> float:
        """Share of stated directions that are right."""
        return _share(self.right, self.stated)

    @property
    def reversed_share(self) -> float:
        """Share of stated directions that run the other way."""
        return _share(self.reversed, self.stated)

    @property
    def settled_share(self) -> float:
        """Share of what the class settles that is stated."""
        return _share(self.settled_stated, self.settled)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def total(counts: Iterable[Counts]) -> Counts:
    """Add up."""
    listed = list(counts)
    return Counts(**{field.name: sum(getattr(one, field.name) for one in listed) for field in fields(Counts)})


def compared(findings: Found, simulated: SimulatedNetwork) -> Counts:
    """Compare what a method found with the truth."""
    labels = set(simulated.truth.labels)
    pairs = score(findings.label_sets, simulated.truth).pairs
    arrows = networkx.DiGraph(simulated.network.edges)
    arrows.add_nodes_from(simulated.network.nodes)
    settled = {edge for edge in settled_edges(simulated.network) if set(edge) & labels}
    return Counts(
        pairs.true_positives,
        pairs.false_positives,
        pairs.false_negatives,
        stated=len(findings.stated),
        right=sum(networkx.has_path(arrows, cause, effect) for cause, effect in findings.stated),
        reversed=sum(networkx.has_path(arrows, effect, cause) for cause, effect in findings.stated),
        settled=len(settled),
        settled_stated=len(settled & findings.stated),
        seconds=findings.seconds,
    )


def difference_interval(
    before: Sequence[Counts], after: Sequence[Counts], share: Callable[[Counts], float]
) -> tuple[float, float, float]:
    """Give the difference of two pooled shares, and its 95 % interval over resampled seeds.

    Parameters
    ----------
    before, after : sequence of Counts
        Of the same seeds in the same order: pairs are resampled together (percentile bootstrap).
    share : callable
        Which share.
    """
    generator = np.random.default_rng(0)
    drawn = []
    for _ in range(_RESAMPLES):
        places = generator.integers(len(before), size=len(before))
        drawn.append(share(total(after[at] for at in places)) - share(total(before[at] for at in places)))
    low, high = np.quantile(drawn, (0.025, 0.975))
    return share(total(after)) - share(total(before)), float(low), float(high)


class OutcomeFile:
    """A file of outcomes, one a line, so that what was measured need not be measured again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.known: dict[Key, Counts | None] = {}
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            key, counts = json.loads(line)
            self.known[Key(**key)] = None if counts is None else Counts(**counts)

    def add(self, key: Key, counts: Counts | None) -> None:
        """Keep an outcome; None where the method does not apply or took too long."""
        self.known[key] = counts
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([asdict(key), None if counts is None else asdict(counts)]) + "\n")
