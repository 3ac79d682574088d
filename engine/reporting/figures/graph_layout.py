"""Where a graph's nodes stand and how its lines run, so that it can be read untouched.

A line that ran through a node would seem to end there. One that would is bent: in the flattest arc that keeps
clear of all other nodes, and where there is none, along the shortest way past their corners. Everything is
decided by the order of the nodes, so that the same result always looks the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from engine.reporting.figures.graph import (
    BESIDE,
    DIAMETER,
    Edge,
    EdgeKind,
    GraphContent,
    Node,
    NodeKind,
    Positions,
    Sizes,
    Way,
)

# The head of an arrow has room between two nodes.
_GAP, _LEAST_GAP = 24.0, 17.0
_LABEL_GAP = 24.0
_SMALLEST_RADIUS = 130.0
_OUTSIDE = 1.35
_DRAWN_TOGETHER = 10
_LEAST_STEP, _LARGEST_STEP = 0.88, 1.15
_STRETCH, _MOST_STRETCH = 16, 4.0
_STEPS = 900
_STEPS_PULLED = 250
_STEPS_A_SEARCH = 6
_NEAR = 40.0
_TOLERANCE = 0.5
_ANCHOR_PULL = 0.015
_LABEL_PULL = 0.12
_LABEL_WEIGHT = 0.08

_CLEARANCES = (5.0, 2.0)
_DOUBLE_LINE = 3.0
_DOUBLED = (EdgeKind.LABEL_RELATION, EdgeKind.SAME)
_ARC_POINTS = 25
_HEIGHTS = (0.12, 0.2, 0.3, 0.42)
_SKEWS = (0.5, 0.32, 0.68)
_LEAST_HEIGHT = 24.0
_CORNER = 2.0
_ROUNDING = 7.0
_MOST_PASSED = 48


def lay_out(
    content: GraphContent, sizes: Sizes, fixed: Mapping[str, tuple[float, float]], shape: float = 0.66
) -> Positions:
    """Place every node; `shape` is the height by width of the picture that is aimed at."""
    if not content.nodes:
        return {}
    labels = [node for node in content.nodes if node.kind is NodeKind.LABEL]
    angles = _label_angles(content, labels)
    across, down = _ring(content, labels, sizes, min(max(shape, 0.5), 1.0))
    anchors: Positions = {
        name: (across * math.cos(angle), down * math.sin(angle)) for name, angle in angles.items()
    }
    if len(labels) == 1:
        anchors = {labels[0].name: (0.0, 0.0)}
    anchors |= _inside(content, anchors)
    anchors |= _outside(content, angles, across, down, len(labels) == 1)
    anchors |= {name: centre for name, centre in fixed.items() if name in anchors}
    ring = (across, down) if len(labels) > 2 else None
    return _pull_apart(content, anchors, sizes, set(fixed), ring, shape)


def drawn_together(
    content: GraphContent, positions: Positions, sizes: Sizes, room: tuple[float, float]
) -> Positions:
    """Bring nodes nearer to each other where they need more than a room, and none over another."""
    if not positions:
        return positions
    offset, half = _boxes(content, sizes)
    names = [node.name for node in content.nodes]
    size, everything = np.array(room), np.ones(len(names))

    def extent(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        low, high = (places - half).min(axis=0), (places + half).max(axis=0)
        return (low + high) / 2, (high - low) / size

    nearest = np.array([positions[name] for name in names]) + offset
    for _step in range(_DRAWN_TOGETHER):
        middle, beyond = extent(nearest)
        if (beyond <= 1.0).all():
            break
        closer = middle + (nearest - middle) * np.clip(1.0 / beyond, _LEAST_STEP, _LARGEST_STEP)
        # As if the room were square, and more so: nodes give way where there is most room.
        more = np.clip((beyond[1] / beyond[0]) ** _STRETCH, 1 / _MOST_STRETCH, _MOST_STRETCH)
        stretch = np.array([1.0, size[0] / size[1] * more])
        pull = np.full((len(names), 1), _ANCHOR_PULL)
        boxes = (half + _LEAST_GAP / 2) * stretch
        places = _pushed_apart(closer * stretch, boxes, everything, pull) / stretch
        if _overlap(places, half) or _excess(extent(places)[1]) >= _excess(beyond):
            break
        nearest = places
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, nearest - offset, strict=True)}


def _excess(beyond: np.ndarray) -> float:
    """Return how much larger than its room a graph is, in both directions together."""
    return float(np.maximum(beyond, 1.0).sum())


def overlap(content: GraphContent, positions: Positions, sizes: Sizes) -> bool:
    """Tell whether any two nodes touch, names included."""
    offset, half = _boxes(content, sizes)
    return _overlap(np.array([positions[node.name] for node in content.nodes]).reshape(-1, 2) + offset, half)


def _boxes(content: GraphContent, sizes: Sizes) -> tuple[np.ndarray, np.ndarray]:
    """Return how far below its disc the middle of each node is, and the halves of its size.

    The name of a feature is below its disc, while its size reaches as far up as down.
    """
    half = np.array([sizes[node.name] for node in content.nodes]).reshape(-1, 2) / 2
    is_label = np.array([node.kind is NodeKind.LABEL for node in content.nodes], dtype=bool)
    above = np.where(is_label, half[:, 1], np.minimum(DIAMETER / 2, half[:, 1]))
    offset = np.column_stack((np.zeros(len(half)), (half[:, 1] - above) / 2))
    half[:, 1] = (half[:, 1] + above) / 2
    return offset, half


def _label_angles(content: GraphContent, labels: list[Node]) -> dict[str, float]:
    """Put labels that share most beside each other on the ring."""
    names = [node.name for node in labels]
    number_of = {name: number for number, name in enumerate(names)}
    shared = np.zeros((len(names), len(names)))
    for node in content.nodes:
        served = [number_of[label] for label in node.labels if label in number_of]
        for first in served:
            shared[first, served] += 1.0
    for edge in content.edges:
        if edge.start in number_of and edge.end in number_of:
            shared[number_of[edge.start], number_of[edge.end]] += 2.0
            shared[number_of[edge.end], number_of[edge.start]] += 2.0
    np.fill_diagonal(shared, 0.0)
    order = _chain(shared)
    start = -math.pi / 2 if len(names) != 2 else math.pi
    return {names[number]: start + 2 * math.pi * turn / len(names) for turn, number in enumerate(order)}


def _chain(shared: np.ndarray) -> list[int]:
    count = shared.shape[0]
    order = [int(shared.sum(axis=1).argmax())]
    left = set(range(count)) - set(order)
    while left:
        nearest = max(sorted(left), key=lambda number: shared[order[-1], number])
        order.append(nearest)
        left.remove(nearest)
    return order


def _ring(content: GraphContent, labels: list[Node], sizes: Sizes, shape: float) -> tuple[float, float]:
    around = sum(max(sizes[node.name]) * 0.75 + _LABEL_GAP for node in labels)
    inner = [sizes[node.name] for node in content.nodes if node.kind is NodeKind.COMMON]
    area = sum((width + _GAP) * (height + _GAP) for width, height in inner)
    by_area = math.sqrt(1.6 * area / (math.pi * shape))
    by_length = around / (2 * math.pi * math.sqrt((1 + shape**2) / 2))
    across = max(_SMALLEST_RADIUS, by_area + 20.0, by_length)
    return across, across * shape


def _inside(content: GraphContent, anchors: Positions) -> Positions:
    """Put a common feature between the labels that it serves."""
    places: Positions = {}
    for number, node in enumerate(content.nodes):
        if node.kind is not NodeKind.COMMON:
            continue
        served = np.array([anchors[label] for label in node.labels if label in anchors])
        centre = served.mean(axis=0) * (0.8 if len(served) > 1 else 0.55)
        # A golden-angle spiral tells apart those that serve the same labels.
        turn, reach = number * 2.399963, 6.0 + 3.0 * math.sqrt(number)
        places[node.name] = (
            float(centre[0] + reach * math.cos(turn)),
            float(centre[1] + reach * math.sin(turn)),
        )
    return places


def _outside(
    content: GraphContent, angles: dict[str, float], across: float, down: float, alone: bool
) -> Positions:
    """Put label-specific features outside the ring, in a fan around their label."""
    by_label: dict[str, list[Node]] = {}
    for node in content.nodes:
        if node.kind is NodeKind.LABEL_SPECIFIC and node.labels[0] in angles:
            by_label.setdefault(node.labels[0], []).append(node)
    places: Positions = {}
    opening = 2 * math.pi if alone else min(2 * math.pi / max(len(angles), 1), 1.3) * 0.95
    for label, nodes in by_label.items():
        for number, node in enumerate(nodes):
            share = 0.5 if len(nodes) == 1 else number / (len(nodes) - (0 if alone else 1))
            angle = angles[label] + opening * (share - 0.5)
            reach = _OUTSIDE + 0.14 * (number % 2) * (len(nodes) > 3)
            if alone:
                reach = 0.8 + 0.25 * (number % 2) * (len(nodes) > 6)
            places[node.name] = (across * reach * math.cos(angle), down * reach * math.sin(angle))
    return places


def _pull_apart(
    content: GraphContent,
    anchors: Positions,
    sizes: Sizes,
    fixed: set[str],
    ring: tuple[float, float] | None,
    shape: float,
) -> Positions:
    """Push overlapping nodes apart, names included, while each is drawn back to where it belongs."""
    # As if the picture were square: nodes give way where there is most room.
    stretch = np.array([1.0, 1.0 / shape])
    names = [node.name for node in content.nodes]
    anchor_points = np.array([anchors[name] for name in names])
    offset, half = _boxes(content, sizes)
    half += _GAP / 2
    is_label = np.array([node.kind is NodeKind.LABEL for node in content.nodes])
    weight = np.where(is_label, _LABEL_WEIGHT, 1.0)
    weight[[number for number, name in enumerate(names) if name in fixed]] = 0.0
    outer = np.array([node.kind is NodeKind.LABEL_SPECIFIC for node in content.nodes])
    pull_back = np.where(is_label, _LABEL_PULL, _ANCHOR_PULL)[:, None] * (weight > 0)[:, None]

    def keep_outside(centres: np.ndarray) -> None:
        if ring is not None:
            places = centres / stretch - offset
            _keep_outside(places, outer & (weight > 0), ring)
            centres[:] = (places + offset) * stretch

    anchored = (anchor_points + offset) * stretch
    centres = _pushed_apart(anchored, half * stretch, weight, pull_back, keep_outside) / stretch - offset
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, centres, strict=True)}


def _pushed_apart(
    anchors: np.ndarray,
    half: np.ndarray,
    weight: np.ndarray,
    pull_back: np.ndarray,
    keep_outside: Callable[[np.ndarray], None] = lambda _centres: None,
) -> np.ndarray:
    """Push boxes apart by their weight, while each is drawn back to where it belongs."""
    centres = anchors.copy()
    pairs = _near_pairs(centres, half)
    for step in range(_STEPS):
        if step % _STEPS_A_SEARCH == 0:
            pairs = _near_pairs(centres, half)
        pull = step < _STEPS_PULLED
        if pull:
            centres += pull_back * (anchors - centres)
        moved = _separate(centres, half, weight, pairs)
        if pull:
            keep_outside(centres)
        if not moved and not pull and not _overlap(centres, half):
            break
    return centres


def _near_pairs(centres: np.ndarray, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """List the pairs that may touch within the next steps."""
    apart = np.abs(centres[:, None, :] - centres[None, :, :])
    near = (apart < half[:, None, :] + half[None, :, :] + _NEAR).all(axis=2)
    first, second = np.nonzero(np.triu(near, 1))
    return first, second


def _overlap(centres: np.ndarray, half: np.ndarray) -> bool:
    """Tell whether any two nodes touch, by their centres and the halves of their sizes."""
    apart = np.abs(centres[:, None, :] - centres[None, :, :])
    touching = (half[:, None, :] + half[None, :, :] - apart > _TOLERANCE).all(axis=2)
    return bool(np.triu(touching, 1).any())


def _separate(
    centres: np.ndarray, half: np.ndarray, weight: np.ndarray, pairs: tuple[np.ndarray, np.ndarray]
) -> bool:
    first, second = pairs
    apart = centres[first] - centres[second]
    overlap = half[first] + half[second] - np.abs(apart)
    touching = (overlap > _TOLERANCE).all(axis=1)
    if not touching.any():
        return False
    first, second, apart, overlap = first[touching], second[touching], apart[touching], overlap[touching]
    axis = (overlap[:, 1] < overlap[:, 0]).astype(np.intp)
    rows = np.arange(len(axis))
    direction = np.where(apart[rows, axis] < 0, -1.0, 1.0)
    total = weight[first] + weight[second]
    share = np.divide(weight[first], total, out=np.zeros_like(total), where=total > 0)
    push = direction * overlap[rows, axis]
    count = len(centres)
    touches = np.bincount(first, minlength=count) + np.bincount(second, minlength=count)
    damping = 0.9 / np.sqrt(np.maximum(touches, 1))
    for side in (0, 1):
        along = np.where(axis == side, push, 0.0)
        # What cannot move (weight 0) leaves all of the way to the other.
        share_of_second = np.where(total > 0, 1.0 - share, 0.0)
        shift = np.bincount(first, along * share, count) - np.bincount(second, along * share_of_second, count)
        centres[:, side] += shift * damping
    return True


def _keep_outside(centres: np.ndarray, outer: np.ndarray, ring: tuple[float, float]) -> None:
    scaled = centres[outer] / np.array(ring)
    distance = np.sqrt((scaled**2).sum(axis=1))
    inside = (distance < 1.12) & (distance > 0)
    factor = np.where(inside, 1.12 / np.maximum(distance, 1e-9), 1.0)
    centres[outer] *= factor[:, None]


@dataclass(frozen=True)
class Obstacles:
    """The boxes that nodes fill: a label one, a feature its disc and its name."""

    boxes: np.ndarray  # left, top, right and bottom, shape (boxes, 4)
    owners: np.ndarray  # place of the node that fills each, shape (boxes,)

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
    """Find the way of every line; two, one after the other, for a spouse's through the child."""
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
    # What is linked to the label itself has a line to it, beside which this one runs.
    before = _across(start, child) * BESIDE if edge.kind is EdgeKind.THROUGH_LABELS else 0.0
    return [
        (start + before, child + before, (edge.start, edge.through)),
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
    """Tell which lines (lines, points, 2), straight from point to point, touch one of the boxes."""
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
        np.stack(corner, axis=1) for corner in ((left, top), (right, top), (left, bottom), (right, bottom))
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
            corner
            + (neighbour - corner) * min(_ROUNDING / max(float(np.hypot(*(neighbour - corner))), 1e-9), 0.5)
            for neighbour in (before, after)
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
