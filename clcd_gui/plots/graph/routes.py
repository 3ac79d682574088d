"""The way of every line, past the nodes that it does not connect.

A line that ran through a node would seem to end there. One that would is bent: in the flattest arc that keeps
clear of all other nodes, and where there is none, along the shortest way past their corners.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from clcd_gui.plots.graph.content import Edge, EdgeKind, GraphContent, NodeKind

Way = tuple[tuple[float, float], ...]
"""Places that a line passes, from the middle of one node to that of another."""

DIAMETER = 20.0
"""Of the disc or ring that stands for a feature."""
NAME_GAP = 3.0
"""Between a disc and the name below it."""
BESIDE = 5.0
"""How far a spouse's line keeps from the line of the child to the label."""

_CLEARANCES = (5.0, 2.0)
_DOUBLE_LINE = 3.0
_DOUBLED = (EdgeKind.LABEL_RELATION, EdgeKind.SAME)
_ARC_POINTS = 25
_HEIGHTS = (0.12, 0.2, 0.3, 0.42)
_SKEWS = (0.5, 0.32, 0.68)
_LEAST_HEIGHT = 24.0
_CORNER = 2.0
_ROUNDING = 7.0
_MOST_PASSED = 24


@dataclass(frozen=True)
class Obstacles:
    """The boxes that nodes fill: a label one, a feature its disc and its name.

    Attributes
    ----------
    boxes : ndarray of float64, shape (boxes, 4)
        Left, top, right and bottom.
    owners : ndarray of int, shape (boxes,)
        Place of the node that fills each.
    """

    boxes: np.ndarray
    owners: np.ndarray

    def without(self, nodes: tuple[int, ...], clearance: float) -> np.ndarray:
        """Return the boxes of all other nodes, larger by a clearance."""
        foreign: np.ndarray = self.boxes[~np.isin(self.owners, nodes)]
        foreign = foreign + np.array([-clearance, -clearance, clearance, clearance])
        return foreign


def route_edges(
    content: GraphContent,
    positions: Mapping[str, tuple[float, float]],
    sizes: Mapping[str, tuple[float, float]],
) -> tuple[tuple[Way, ...], ...]:
    """Find the way of every line.

    Parameters
    ----------
    content : GraphContent
        Nodes and lines.
    positions : mapping of str to (float, float)
        Centre of each node.
    sizes : mapping of str to (float, float)
        Width and height that each node needs with its name.

    Returns
    -------
    tuple of tuple of Way
        For each line of `content` its way; two, one after the other, for a spouse's through the child.
    """
    number_of = {node.name: number for number, node in enumerate(content.nodes)}
    obstacles = _obstacles(content, positions, sizes)

    def way(start: np.ndarray, end: np.ndarray, ends: tuple[str, str], extra: float) -> Way:
        own = tuple(number_of[name] for name in ends)
        return _way(start, end, obstacles, own, extra)

    return tuple(
        tuple(
            way(start, end, ends, _DOUBLE_LINE if edge.kind in _DOUBLED else 0.0)
            for start, end, ends in _legs(edge, positions)
        )
        for edge in content.edges
    )


def _legs(
    edge: Edge, positions: Mapping[str, tuple[float, float]]
) -> list[tuple[np.ndarray, np.ndarray, tuple[str, str]]]:
    start, end = np.array(positions[edge.start]), np.array(positions[edge.end])
    if not edge.through:
        return [(start, end, (edge.start, edge.end))]
    child = np.array(positions[edge.through])
    # Past the child the line keeps beside the child's own line to the label.
    aside = _across(child, end) * BESIDE
    return [
        (start, child, (edge.start, edge.through)),
        (child + aside, end + aside, (edge.through, edge.end)),
    ]


def _obstacles(
    content: GraphContent,
    positions: Mapping[str, tuple[float, float]],
    sizes: Mapping[str, tuple[float, float]],
) -> Obstacles:
    boxes, owners = [], []
    for number, node in enumerate(content.nodes):
        (x, y), (width, height) = positions[node.name], sizes[node.name]
        if node.kind is NodeKind.LABEL:
            boxes.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))
            owners.append(number)
            continue
        radius = DIAMETER / 2
        boxes.append((x - radius, y - radius, x + radius, y + radius))
        boxes.append((x - width / 2, y + radius, x + width / 2, y + height / 2))
        owners += [number, number]
    return Obstacles(np.array(boxes).reshape(-1, 4), np.array(owners, dtype=np.intp))


def _way(start: np.ndarray, end: np.ndarray, obstacles: Obstacles, own: tuple[int, ...], extra: float) -> Way:
    straight = np.array([start, end])
    for clearance in _CLEARANCES:
        boxes = obstacles.without(own, clearance + extra)
        if not len(boxes) or not crosses(straight[None], boxes)[0]:
            return _as_way(straight)
        arc = _flattest_arc(start, end, boxes)
        if arc is not None:
            return _as_way(arc)
        around = _around_corners(start, end, boxes)
        if around is not None:
            return _as_way(_rounded(around))
    return _as_way(straight)


def crosses(lines: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Tell of lines which ones touch a box.

    Parameters
    ----------
    lines : ndarray of float64, shape (lines, points, 2)
        Each goes straight from point to point.
    boxes : ndarray of float64, shape (boxes, 4)
        Left, top, right and bottom.

    Returns
    -------
    ndarray of bool, shape (lines,)
    """
    return np.asarray(_meets(lines, boxes).any(axis=(1, 2)))


def _touched(line: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Tell of boxes which ones a line touches."""
    return np.asarray(_meets(line[None], boxes).any(axis=(0, 1)))


def _meets(lines: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Tell of every step of every line and every box whether they touch, shape (lines, steps, boxes)."""
    enters, leaves = np.zeros((1, 1, 1)), np.ones((1, 1, 1))
    for axis in (0, 1):
        start, step = lines[:, :-1, axis, None], np.diff(lines[:, :, axis], axis=1)[:, :, None]
        # A step that does not move along an axis is in the box's band for all of its length, or never.
        pace = 1.0 / np.where(step == 0, 1e-12, step)
        first, second = (boxes[:, axis] - start) * pace, (boxes[:, axis + 2] - start) * pace
        enters = np.maximum(enters, np.minimum(first, second))
        leaves = np.minimum(leaves, np.maximum(first, second))
    met: np.ndarray = enters <= leaves
    return met


def _flattest_arc(start: np.ndarray, end: np.ndarray, boxes: np.ndarray) -> np.ndarray | None:
    """Return the flattest quadratic curve that touches no box; None where each does."""
    across, length = _across(start, end), float(np.hypot(*(end - start)))
    share = np.linspace(0.0, 1.0, _ARC_POINTS)[:, None]
    for height in _HEIGHTS:
        reach = max(height * length, _LEAST_HEIGHT * (height / _HEIGHTS[0]) ** 0.5)
        controls = [
            start + skew * (end - start) + side * 2 * reach * across
            for skew in _SKEWS
            for side in (1.0, -1.0)
        ]
        arcs = np.array(
            [
                (1 - share) ** 2 * start + 2 * share * (1 - share) * control + share**2 * end
                for control in controls
            ]
        )
        free = np.flatnonzero(~crosses(arcs, _near(arcs, boxes)))
        if free.size:
            return np.asarray(arcs[free[0]])
    return None


def _near(lines: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Return the boxes that lines can touch."""
    low, high = lines.min(axis=(0, 1)), lines.max(axis=(0, 1))
    return np.asarray(boxes[((boxes[:, :2] <= high) & (boxes[:, 2:] >= low)).all(axis=1)])


def _around_corners(start: np.ndarray, end: np.ndarray, boxes: np.ndarray) -> np.ndarray | None:
    """Return the shortest way past the corners of the boxes that are in the way; None where there is none.

    Only boxes that a way has met are looked at: a shorter way past few of them is a shortest way past all,
    once it meets no other.
    """
    way = np.array([start, end])
    met = np.zeros(len(boxes), dtype=bool)
    while True:
        hit = _touched(way, boxes) & ~met
        if not hit.any():
            return way
        met |= hit
        if met.sum() > _MOST_PASSED:
            return None
        shorter = _shortest(start, end, boxes[met])
        if shorter is None:
            return None
        way = shorter


def _shortest(start: np.ndarray, end: np.ndarray, boxes: np.ndarray) -> np.ndarray | None:
    """Return the shortest way that touches no box, by Dijkstra between the corners that see one another."""
    left, top, right, bottom = (boxes + _CORNER * np.array([-1.0, -1.0, 1.0, 1.0])).T
    corners = [
        np.stack(each, axis=1) for each in ((left, top), (right, top), (left, bottom), (right, bottom))
    ]
    points = np.concatenate([start[None], end[None], *corners])
    count = len(points)
    first, second = np.triu_indices(count, 1)
    lines = np.stack([points[first], points[second]], axis=1)
    free = ~crosses(lines, boxes)
    lengths = np.full((count, count), math.inf)
    lengths[first[free], second[free]] = np.hypot(*(lines[free, 0] - lines[free, 1]).T)
    lengths = np.minimum(lengths, lengths.T)
    travelled, before = lengths[0].copy(), np.zeros(count, dtype=np.intp)
    waiting = np.ones(count, dtype=bool)
    waiting[0] = False
    while waiting[1]:
        here = int(np.where(waiting, travelled, math.inf).argmin())
        if not waiting[here] or math.isinf(travelled[here]):
            return None
        waiting[here] = False
        through = travelled[here] + lengths[here]
        better = waiting & (through < travelled)
        travelled[better], before[better] = through[better], here
    chain = [1]
    while chain[-1] != 0:
        chain.append(int(before[chain[-1]]))
    return points[chain[::-1]]


def _rounded(corners: np.ndarray) -> np.ndarray:
    """Round the corners of a way, by less than the clearance."""
    points = [corners[0]]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        near, far = (
            corner + (other - corner) * min(_ROUNDING / max(float(np.hypot(*(other - corner))), 1e-9), 0.5)
            for other in (before, after)
        )
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            points.append((1 - share) ** 2 * near + 2 * share * (1 - share) * corner + share**2 * far)
    return np.array([*points, corners[-1]])


def _across(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    along = end - start
    length = float(np.hypot(*along)) or 1.0
    return np.array([-along[1], along[0]]) / length


def _as_way(points: np.ndarray) -> Way:
    return tuple((float(x), float(y)) for x, y in points)
