"""What is not said of a single item, where a block of columns reflects one thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.discovery.orientation.direction import Direction, Directions, Orientation
from engine.discovery.orientation.grades import (
    OPEN_EDGE,
    Because,
    Claim,
    ClaimKind,
    EdgeMarks,
    LocalEdge,
    Mark,
)
from engine.independence.reflective import ReflectiveBlock, reflective_blocks
from engine.table.dataset import Dataset


def blocks_among(dataset: Dataset, found: Iterable[str]) -> tuple[ReflectiveBlock, ...]:
    """Return the blocks of features that hold a feature which was found, and what may be one.

    Examples
    --------
    >>> import engine
    >>> table = engine.simulate(labels=2, features=8, rows=500, seed=0).dataset
    >>> blocks_among(table, table.features)
    ()
    """
    holding = [name for name in dict.fromkeys(found) if name in set(dataset.features)]
    if not holding:
        return ()
    return reflective_blocks(dataset, outcomes=dataset.labels, holding=holding, only_shown=False)


def without_single_items(directions: Directions, blocks: Sequence[ReflectiveBlock]) -> Directions:
    """Take back what is said of single members of blocks, but for what a person said.

    That an item is a cause of a label, or an effect of it, would be true of what all items reflect at most.

    Examples
    --------
    >>> marks = EdgeMarks(Mark.CIRCLE, Mark.ARROWHEAD)
    >>> found = Orientation("item", "ill", Direction.CAUSE, marks=marks)
    >>> block = ReflectiveBlock(("item", "b", "c", "d"), (0.6, 0.6, 0.6, 0.6))
    >>> changed = without_single_items(Directions({found.pair: found}), [block])
    >>> print(changed.orientations["item", "ill"].grade)
    undecided
    """
    items = {name for block in blocks for name in block.members}
    if not items:
        return directions
    orientations = {
        pair: _as_said(found) if items.intersection(pair) else found
        for pair, found in directions.orientations.items()
    }

    def edge_of(edge: LocalEdge) -> LocalEdge:
        pair = edge.first, edge.second
        if not items.intersection(pair):
            return edge
        if pair in orientations:
            return replace(edge, marks=orientations[pair].marks)
        turned = orientations.get(pair[::-1])
        return replace(edge, marks=OPEN_EDGE if turned is None else turned.marks.turned())

    return replace(
        directions, orientations=orientations, local_edges=tuple(map(edge_of, directions.local_edges))
    )


def _as_said(found: Orientation) -> Orientation:
    """Return what a person said of a direction, and nothing of what tests tell."""
    said = tuple(claim for claim in found.claims if claim.uses_knowledge and not claim.tests)
    pair = found.pair
    marks = EdgeMarks(
        _mark_of_cause(said, *pair),
        _mark_of_cause(said, *pair[::-1]),
        any(claim.kind is ClaimKind.NOTHING_HIDDEN for claim in said),
    )
    direction = Direction.UNDECIDED
    if Mark.TAIL in (marks.at_feature, marks.at_label):
        direction = Direction.CAUSE if marks.at_feature is Mark.TAIL else Direction.EFFECT
    is_settled = direction is not Direction.UNDECIDED
    return Orientation(
        *pair,
        direction,
        because=Because.KNOWLEDGE if is_settled else None,
        marks=marks,
        claims=said,
        confirmed=is_settled,
    )


def _mark_of_cause(said: Sequence[Claim], first: str, second: str) -> Mark:
    """Return the mark at `first` of two: whether it was said to be a cause of `second`, or to be none."""
    for claim in said:
        if claim.kind is ClaimKind.CAUSE and (claim.cause, claim.effect) == (first, second):
            return Mark.TAIL
        opposite = claim.kind is ClaimKind.CAUSE and (claim.cause, claim.effect) == (second, first)
        if opposite or (claim.kind is ClaimKind.NO_CAUSE and (claim.cause, claim.effect) == (first, second)):
            return Mark.ARROWHEAD
    return Mark.CIRCLE
