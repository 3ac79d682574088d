"""What came of a method on one table: counts, which add up."""

from __future__ import annotations

from dataclasses import dataclass, fields

import networkx

from engine.simulation import score
from tests.benchmarks.mixed_networks.methods import Found
from tests.benchmarks.odd_categories.tables import Drawn


@dataclass(frozen=True)
class Counts:
    """Counts of (feature, label) pairs, and of directions next to labels.

    Attributes
    ----------
    found_true, found_false, missed : int
        Pairs.
    common_true, common_false, common_missed, specific_true, specific_false, specific_missed : int
        Pairs by type, as :func:`engine.simulation.score` counts them.
    stated, right, reversed : int
        Directions stated; those whose cause is an ancestor of the effect, and those that run the other way.
    """

    found_true: int = 0
    found_false: int = 0
    missed: int = 0
    common_true: int = 0
    common_false: int = 0
    common_missed: int = 0
    specific_true: int = 0
    specific_false: int = 0
    specific_missed: int = 0
    stated: int = 0
    right: int = 0
    reversed: int = 0
    seconds: float = 0.0

    def __add__(self, other: Counts) -> Counts:
        """Add up."""
        return Counts(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(Counts)))


def compared(findings: Found, table: Drawn) -> Counts:
    """Compare what a method found with the truth."""
    scores = score(findings.label_sets, table.label_sets)
    graph = networkx.DiGraph(table.edges)
    graph.add_nodes_from(table.frame)
    kinds = (scores.pairs, scores.common, scores.label_specific)
    pairs = [
        (kind_score.true_positives, kind_score.false_positives, kind_score.false_negatives)
        for kind_score in kinds
    ]
    return Counts(
        *(count for counts_of_kind in pairs for count in counts_of_kind),
        stated=len(findings.stated),
        right=sum(networkx.has_path(graph, *edge) for edge in findings.stated),
        reversed=sum(networkx.has_path(graph, effect, cause) for cause, effect in findings.stated),
        seconds=findings.seconds,
    )


def shares(true: int, false: int, missed: int) -> str:
    """Write precision and recall."""
    return f"{true / max(true + false, 1):.2f} / {true / max(true + missed, 1):.2f}"
