"""What is interchangeable with what, once features have taken the place of labels: line 9 of CLCD-FS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.equivalence import EquivalenceSearch
from engine.selection.boundaries import FeatureBoundary

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult

Names = tuple[str, ...]


def interchangeable_about(
    result: DiscoveryResult, boundaries: Sequence[FeatureBoundary], search: Neighbourhoods
) -> dict[str, list[tuple[Names, Names]]]:
    """Give, by target, the sets of its neighbours or spouses and the sets of features that tell the same.

    For a label from whose neighbours no label left, and for the children that connect spouses, that is what
    CLCD found. The other labels have other neighbours now, so equivalences are looked for among these.

    Parameters
    ----------
    result : DiscoveryResult
        What CLCD found.
    boundaries : sequence of FeatureBoundary
        One a label, without labels in them.
    search : Neighbourhoods
        Data, settings and stop.

    Returns
    -------
    dict of str to list of (inside, outside)

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    labels = frozenset(result.dataset.labels)
    found: dict[str, list[tuple[Names, Names]]] = {}
    for record in result.equivalence_records:
        if labels.isdisjoint(record.in_boundary):
            found.setdefault(record.target, []).append((record.in_boundary, record.equivalent))
    for boundary in boundaries:
        if boundary.in_place_of:
            known = found.setdefault(boundary.label, [])
            anew = _about_label(result, boundary, search)
            known += [pair for pair in anew if pair not in known]
    return found


def _about_label(
    result: DiscoveryResult, boundary: FeatureBoundary, search: Neighbourhoods
) -> list[tuple[Names, Names]]:
    names, position = search.data.names, search.data.positions
    features = [position[name] for name in result.dataset.features if name not in boundary.neighbours]
    members = [position[name] for name in boundary.neighbours]
    pairs = EquivalenceSearch(search, position[boundary.label], members, features).pairs(
        result.settings.max_equivalence
    )
    return [
        (tuple(names[each] for each in pair.in_boundary), tuple(names[each] for each in pair.equivalent))
        for pair in pairs
        if pair.is_shown
    ]
