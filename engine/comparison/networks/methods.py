"""The methods that are compared: CLCD, and the paper's baselines, which intersect Markov boundaries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.boundaries.several import RepeatedKiambOptions, SearchBounds, TieStarOptions, algorithms
from engine.progress import Progress, ProgressEvent
from engine.translation import N_, Message, _

if TYPE_CHECKING:
    from engine.boundaries.discovery_settings import DiscoverySettings
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.table.dataset import Dataset


def intersected(
    boundaries: Mapping[str, Collection[str]], features: Collection[str]
) -> dict[str, frozenset[str]]:
    """Return the labels in whose boundary, or union of boundaries, each feature was found (no labels)."""
    feature_names = set(features)
    labels_of: dict[str, set[str]] = {}
    for label, members in boundaries.items():
        for member in members:
            if member in feature_names:
                labels_of.setdefault(member, set()).add(label)
    return {feature: frozenset(labels) for feature, labels in labels_of.items()}


LabelSets = Mapping[str, frozenset[str]]
Find = Callable[["Dataset", "DiscoverySettings", Progress], LabelSets | None]
MembersOf = Callable[["Neighbourhoods", int], Collection[str]]

_SEARCHING = N_("Searching")


@dataclass(frozen=True, slots=True)
class Method:
    """One way to find common and label-specific variables."""

    name: str  # in the terminal and in files; `title` in the paper
    title: str
    help: str  # one sentence on what is run
    find: Find  # the labels of each feature; None when it was stopped
    options: str = ""  # what else decides what it finds, to recognise figures that it gave


def _clcd(dataset: Dataset, settings: DiscoverySettings, progress: Progress) -> LabelSets | None:
    from engine.discovery.discover import discover

    result = discover(dataset, settings, progress)
    return None if result.is_partial else result.label_sets


def _intersection(algorithm: str) -> Find:
    """Make the baseline of an algorithm that finds one boundary."""

    def members(search: Neighbourhoods, target: int) -> Collection[str]:
        from engine.boundaries.markov_boundary import find_boundary

        return find_boundary(search, target, algorithm).members

    return _intersection_of(members)


def _intersection_of_several(algorithm: str, options: SearchBounds) -> Find:
    """Make the baseline of an algorithm that lists several boundaries; of each label their union counts."""

    def members(search: Neighbourhoods, target: int) -> Collection[str]:
        from engine.boundaries.several import boundaries_in

        boundaries_found = boundaries_in(search, target, algorithm, options)
        # A stopped search hands over what it has, which says nothing of the method.
        search.check_stop()
        return {member for boundary in boundaries_found.boundaries for member in boundary.members}

    return _intersection_of(members)


def _intersection_of(members: MembersOf) -> Find:
    """Make the baseline of a function that gives the members of all boundaries of one target."""

    def find(dataset: Dataset, settings: DiscoverySettings, progress: Progress) -> LabelSets | None:
        from engine.boundaries.discovery_settings import arranged
        from engine.boundaries.neighbourhoods import Neighbourhoods
        from engine.execution.workers import run_all

        data = arranged(dataset, settings)
        stop = np.zeros(1, dtype=np.uint8)
        search = Neighbourhoods(data, settings, stop)
        targets = [data.positions[label] for label in dataset.labels]
        boundaries: dict[str, Collection[str]] = {}
        for position, boundaries_of_label in run_all(
            lambda target: members(search, target),
            targets,
            workers=settings.workers,
            progress=progress,
            stop=stop,
        ):
            boundaries[dataset.labels[position]] = boundaries_of_label
            progress.report(ProgressEvent(_(_SEARCHING), len(boundaries), len(targets)))
        if len(boundaries) < len(targets):
            return None
        return intersected(boundaries, dataset.features)

    return find


_KIAMB = RepeatedKiambOptions(repeats=10)
_TIE_STAR = TieStarOptions()


def _named(title: str) -> Message:
    """Return a title that is translated when what holds it is shown."""
    return Message(title, title, {})


_METHODS = (
    Method("iamb", "∩IAMB", N_("Intersects boundaries found by IAMB."), _intersection("iamb")),
    Method(
        "hiton-mb", "∩HITON-MB", N_("Intersects boundaries found by HITON-MB."), _intersection("hiton-mb")
    ),
    Method("ccmb", "∩CCMB", N_("Intersects boundaries found by CCMB."), _intersection("ccmb")),
    Method(
        "kiamb",
        "∩KIAMB",
        _(
            "Intersects unions of the boundaries of IAMB and of {repeats} random runs of KIAMB, as far as "
            "they are equivalent to the first.",
            repeats=_KIAMB.repeats,
        ),
        _intersection_of_several("kiamb-repeated", _KIAMB),
        _(
            "{algorithm}, share {share:g}, seed {seed}",
            algorithm=_named(algorithms()["kiamb-repeated"].title),
            share=_KIAMB.share,
            seed=_KIAMB.seed,
        ),
    ),
    Method(
        "tie-star",
        "∩TIE*",
        N_("Intersects unions of all boundaries that TIE* finds."),
        _intersection_of_several("tie-star", _TIE_STAR),
        _(
            "searching by {algorithm}, up to {boundaries} boundaries and {searches} searches a label",
            algorithm=algorithms()[_TIE_STAR.single].title,
            boundaries=_TIE_STAR.max_boundaries,
            searches=_TIE_STAR.max_searches,
        ),
    ),
    Method("clcd", "CLCD", N_("Finds common and label-specific variables by CLCD."), _clcd),
)


def methods() -> dict[str, Method]:
    """Return every method by name, in the order of the paper's tables."""
    return {method.name: method for method in _METHODS}
