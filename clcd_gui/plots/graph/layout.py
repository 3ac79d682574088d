"""A start layout that can be read untouched: labels on a ring; large ones are computed beside the window.

Everything is decided by the order of the nodes, so that the same result always looks the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from clcd_gui.plots.graph.content import GraphContent, Node, NodeKind
from clcd_gui.plots.graph.routes import Way, route_edges

Positions = dict[str, tuple[float, float]]
Sizes = Mapping[str, tuple[float, float]]

# The head of an arrow has room between two nodes.
_GAP = 17.0
_LABEL_GAP = 24.0
_SMALLEST_RADIUS = 130.0
_OUTSIDE = 1.35
_STEPS = 900
_STEPS_PULLED = 250
_STEPS_A_SEARCH = 6
_NEAR = 40.0
_TOLERANCE = 0.5
_ANCHOR_PULL = 0.015
_LABEL_PULL = 0.12
_LABEL_WEIGHT = 0.08
_MANY_EDGES = 150


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything is drawn.

    Attributes
    ----------
    positions : dict of str to (float, float)
        Centre of each node.
    ways : tuple of tuple of Way
        For each line of the content how it runs; empty draws all of them straight.
    """

    positions: Positions
    ways: tuple[tuple[Way, ...], ...] = ()


def lay_out(
    content: GraphContent, sizes: Sizes, fixed: Mapping[str, tuple[float, float]], shape: float = 0.66
) -> Positions:
    """Place every node.

    Parameters
    ----------
    content : GraphContent
        Nodes and lines.
    sizes : mapping of str to (float, float)
        Width and height that each node needs with its name.
    fixed : mapping of str to (float, float)
        Nodes that a person has put somewhere; they stay there.
    shape : float
        Height by width of the picture that is aimed at.

    Returns
    -------
    dict of str to (float, float)
        Centre of each node.
    """
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
    return _pull_apart(content, anchors, sizes, set(fixed), (across, down) if len(labels) > 2 else None)


def lay_out_beside(
    content: GraphContent, sizes: Sizes, previous: Positions, fixed: Positions, shape: float = 0.66
) -> Positions:
    """Place new nodes beside those that were there, which stay; all anew where that is too tight.

    Parameters
    ----------
    content, sizes, fixed, shape
        As of :func:`lay_out`.
    previous : dict of str to (float, float)
        Where nodes were before.
    """
    places = lay_out(content, sizes, previous | fixed, shape)
    if not previous or not places:
        return places
    half = np.array([sizes[name] for name in places]) / 2
    if _overlaps(np.array(list(places.values())), half):
        return lay_out(content, sizes, fixed, shape)
    return places


def layouts(
    content: GraphContent, sizes: Sizes, previous: Positions, fixed: Positions, shape: float = 0.66
) -> Iterator[Layout]:
    """Place nodes as :func:`lay_out_beside` does, then lead every line past those that it does not connect.

    Where that takes a while, the nodes are given first, with straight lines between them.
    """
    positions = lay_out_beside(content, sizes, previous, fixed, shape)
    if len(content.edges) > _MANY_EDGES:
        yield Layout(positions)
    yield Layout(positions, route_edges(content, positions, sizes))


def routed(content: GraphContent, positions: Positions, sizes: Sizes) -> Iterator[Layout]:
    """Lead every line past nodes that stay where they are."""
    yield Layout(positions, route_edges(content, positions, sizes))


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
) -> Positions:
    """Push overlapping nodes apart, names included, while each is drawn back to where it belongs."""
    names = [node.name for node in content.nodes]
    anchor_points = np.array([anchors[name] for name in names])
    half = np.array([sizes[name] for name in names]) / 2 + _GAP / 2
    is_label = np.array([node.kind is NodeKind.LABEL for node in content.nodes])
    weight = np.where(is_label, _LABEL_WEIGHT, 1.0)
    weight[[number for number, name in enumerate(names) if name in fixed]] = 0.0
    outer = np.array([node.kind is NodeKind.LABEL_SPECIFIC for node in content.nodes])
    pull_back = np.where(is_label, _LABEL_PULL, _ANCHOR_PULL)[:, None] * (weight > 0)[:, None]
    centres = anchor_points.copy()
    pairs = _near_pairs(centres, half)
    for step in range(_STEPS):
        if step % _STEPS_A_SEARCH == 0:
            pairs = _near_pairs(centres, half)
        pull = step < _STEPS_PULLED
        if pull:
            centres += pull_back * (anchor_points - centres)
        moved = _separate(centres, half, weight, pairs)
        if ring is not None and pull:
            _keep_outside(centres, outer & (weight > 0), ring)
        if not moved and not pull and not _overlaps(centres, half):
            break
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, centres, strict=True)}


def _near_pairs(centres: np.ndarray, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """List the pairs that may touch within the next steps."""
    apart = np.abs(centres[:, None, :] - centres[None, :, :])
    near = (apart < half[:, None, :] + half[None, :, :] + _NEAR).all(axis=2)
    first, second = np.nonzero(np.triu(near, 1))
    return first, second


def _overlaps(centres: np.ndarray, half: np.ndarray) -> bool:
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
        other = np.where(total > 0, 1.0 - share, 0.0)
        shift = np.bincount(first, along * share, count) - np.bincount(second, along * other, count)
        centres[:, side] += shift * damping
    return True


def _keep_outside(centres: np.ndarray, outer: np.ndarray, ring: tuple[float, float]) -> None:
    scaled = centres[outer] / np.array(ring)
    distance = np.sqrt((scaled**2).sum(axis=1))
    inside = (distance < 1.12) & (distance > 0)
    factor = np.where(inside, 1.12 / np.maximum(distance, 1e-9), 1.0)
    centres[outer] *= factor[:, None]
