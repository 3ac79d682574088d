"""What is said of variables by position, before names: claims, objections, and what people know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.discovery.orientation.ancestry import Pair
from engine.discovery.orientation.grades import Because, ClaimKind, KnowledgePart
from engine.independence.batch import Question
from engine.knowledge.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A claim by position, with tests that are still to be made in full."""

    kind: ClaimKind
    cause: int
    effect: int
    because: Because
    others: tuple[int, ...]
    questions: tuple[Question, ...]
    uses_knowledge: bool


@dataclass(frozen=True, slots=True)
class DraftObjection:
    """What tests say against what a person said, by position."""

    part: KnowledgePart
    cause: int
    effect: int
    claim: DraftClaim | None
    questions: tuple[Question, ...]
    is_possible: bool


@dataclass(frozen=True)
class Known:
    """What a person said, by position; names that no position has are left out."""

    knowledge: Knowledge
    positions: Mapping[str, int]
    names: tuple[str, ...]

    def excludes(self, pair: Pair) -> KnowledgePart | None:
        """Tell by which part of what is known the first of two is no cause of the second."""
        cause, effect = self.names[pair[0]], self.names[pair[1]]
        if not self.knowledge.excludes(cause, effect):
            return None
        return KnowledgePart.TIERS if self.knowledge.is_later(cause, effect) else KnowledgePart.NOT_EFFECTS

    def pairs(self, named: Iterable[tuple[str, str]]) -> Iterator[Pair]:
        """Return pairs of names by position."""
        for first, second in named:
            if first in self.positions and second in self.positions:
                yield self.positions[first], self.positions[second]
