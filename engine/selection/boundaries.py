"""Boundaries in which features take the place of labels: lines 3 to 8 of CLCD-FS.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery, Algorithm 2. A label is not known when
another label is to be predicted, so it leaves the boundary, and what it told is sought among its own
neighbours: each of them joins that no set of the neighbours that are left separates from the label. A label
may join in this way; it leaves in the next round.

What the paper leaves open is decided thus:

- The labels that leave are noted before they leave (line 5 of the paper empties what line 6 reads).
- A label that left once does not come back, nor does a label join its own boundary, so the rounds end.
- The neighbours of a label are those that CLCD found, whichever label is treated first.
- Labels leave the spouses as well. Features that are spouses through a child that is a label stay: they are
  no less tied to the label.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.boundaries.markov_boundary import MarkovBoundary

# ``(label, candidates, neighbours)`` to those candidates that no set of neighbours separates from the label.
Inseparable = Callable[[str, Sequence[str], Sequence[str]], Sequence[str]]


@dataclass(frozen=True, slots=True)
class FeatureBoundary:
    """Boundary of a label in which there are features only.

    Attributes
    ----------
    label : str
        The label.
    neighbours : tuple of str
        Features next to it; those that came in the place of labels last.
    spouses : mapping of str to frozenset of str
        Features that share an effect with it, each with these effects, labels among them.
    in_place_of : mapping of str to tuple of str
        By neighbour that came in the place of labels: these labels.
    removed_labels : tuple of str
        Labels that left the neighbours, in the order in which they left.
    """

    label: str
    neighbours: tuple[str, ...]
    spouses: Mapping[str, frozenset[str]] = field(default_factory=dict)
    in_place_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    removed_labels: tuple[str, ...] = ()

    @property
    def members(self) -> tuple[str, ...]:
        """Neighbours, then spouses, each once."""
        return tuple(dict.fromkeys([*self.neighbours, *self.spouses]))


def without_labels(
    boundary: MarkovBoundary,
    neighbours_of: Mapping[str, Sequence[str]],
    labels: frozenset[str],
    inseparable: Inseparable,
) -> FeatureBoundary:
    """Replace the labels in the boundary of one label by features.

    Parameters
    ----------
    boundary : MarkovBoundary
        As CLCD found it.
    neighbours_of : mapping of str to sequence of str
        The neighbours that CLCD found for each label, labels among them.
    labels : frozenset of str
        All labels.
    inseparable : callable
        ``(label, candidates, neighbours)`` to the candidates that no set of `neighbours` separates from the
        label.

    Returns
    -------
    FeatureBoundary

    Examples
    --------
    Of two labels next to each other, the first one takes over what the second one stood for:

    >>> found = MarkovBoundary("T1", ("A", "T2"))
    >>> neighbours = {"T1": ("A", "T2"), "T2": ("T1", "B")}
    >>> without_labels(found, neighbours, frozenset(neighbours), lambda label, others, given: others)
    ... # doctest: +NORMALIZE_WHITESPACE
    FeatureBoundary(label='T1', neighbours=('A', 'B'), spouses={}, in_place_of={'B': ('T2',)},
        removed_labels=('T2',))
    """
    kept = [name for name in boundary.parents_children if name not in labels]
    leaving = [name for name in boundary.parents_children if name in labels]
    removed: list[str] = []
    in_place_of: dict[str, tuple[str, ...]] = {}
    while leaving:
        removed += leaving
        passed_over = {boundary.target, *removed, *kept}
        offered: dict[str, list[str]] = {}
        for label in leaving:
            for name in neighbours_of.get(label, ()):
                if name not in passed_over:
                    offered.setdefault(name, []).append(label)
        joining = inseparable(boundary.target, list(offered), kept) if offered else ()
        in_place_of |= {name: tuple(offered[name]) for name in joining if name not in labels}
        kept += [name for name in joining if name not in labels]
        leaving = [name for name in joining if name in labels]
    spouses = {name: found for name, found in boundary.spouses.items() if name not in labels}
    return FeatureBoundary(boundary.target, tuple(kept), spouses, in_place_of, tuple(removed))
