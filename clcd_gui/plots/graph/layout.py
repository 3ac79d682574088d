"""Layouts of a graph that is looked at: new nodes beside those that are there, lines when they are ready."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.reporting.figures.graph import GraphContent, Layout, Positions, Sizes
from engine.reporting.figures.graph_layout import lay_out, overlaps, route_edges

_MANY_EDGES = 150


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
    if overlaps(np.array(list(places.values())), half):
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
