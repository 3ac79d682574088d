"""Counts intervals that hold the truth, of pairs that were selected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np

import engine
from engine.discovery.effects.all_effects import (
    ParentSearch,
    adjusted_association,
    association,
    effect_of_changing,
    is_confirmed,
    rest_of_boundary,
    rows_to_measure,
)
from engine.discovery.effects.estimates import Contrast, Measure, Size
from engine.discovery.orientation.direction import Direction
from tests.benchmarks.effects.worlds import (
    PublishedWorld,
    World,
    lines,
    logits,
    noisy,
    products,
    published,
)

CELLS: Mapping[str, Callable[[int], World]] = {
    "categories": logits,
    "numbers": lines,
    "groups, categories": partial(logits, by_persons=True),
    "groups, numbers": partial(lines, by_persons=True),
    "weights, categories": partial(logits, by_chance=True),
    "weights, numbers": partial(lines, by_chance=True),
    "noisy or": noisy,
    "numbers that act together": products,
    "weak, categories": partial(logits, strength=0.25),
    "weak, numbers": partial(lines, strength=0.25),
}

ASSOCIATION, ADJUSTED = "association", "adjusted association"
KNOWN_PARENTS = "effect, parents known"
FOUND_PARENTS = "effect, parents found"
ONE_SET = "of these, one set of parents"
TRUE_CAUSES = "of these, true causes"
CONFIRMED = "of these, confirmed"
WITH_NONE = "of these, no effect is possible"
ESTIMANDS = (ASSOCIATION, ADJUSTED, KNOWN_PARENTS, FOUND_PARENTS)

Key = tuple[str, str, str]

_ROUNDING = 1e-9


def counted(
    cell: str,
    seed: int,
    tables: int,
    rows: int,
    *,
    split: bool,
    estimands: Collection[str] = ESTIMANDS,
    folder: Path | None = None,
) -> Counter[Key]:
    """Count, by estimand and measure, intervals that hold the truth, lie below, or above it.

    Parameters
    ----------
    cell : str
        A key of CELLS, or the name of a network of the folder.
    seed : int
        Of the network and of its tables.
    tables, rows : int
        Number of tables, and rows of each.
    split : bool
        Measure in other rows than those that were searched.
    estimands : collection of str
        Those of ESTIMANDS that are measured.
    folder : Path, optional
        Where published networks are.
    """
    world = CELLS[cell](seed) if folder is None else published(folder / f"{cell}.bif.gz", seed)
    counts: Counter[Key] = Counter()
    for number in range(tables):
        dataset = world.table(rows, seed * 1000 + number)
        # The one test that heeds rows of one person, whatever the columns are.
        settings = engine.DiscoverySettings(test="basis" if world.by_persons else "auto")
        halves = engine.RowSplit(seed=number) if split else None
        result = engine.discover(dataset, settings, split=halves)
        measured = rows_to_measure(dataset, result)
        search = ParentSearch(result)
        for feature, label in result.evidence:
            for estimand, size, truth in sizes(world, measured, result, search, feature, label, estimands):
                counts.update(outcomes(estimand, size, truth))
    return counts


def sizes(
    world: World | PublishedWorld,
    dataset: engine.Dataset,
    result: engine.DiscoveryResult,
    search: ParentSearch,
    feature: str,
    label: str,
    estimands: Collection[str],
) -> Iterator[tuple[str, Size, Callable[[Contrast], float]]]:
    """Measure a pair by each estimand, each with its truth."""
    truth = world.truth

    def standardised(held: tuple[str, ...], contrast: Contrast) -> float:
        return truth.standardised(contrast, feature, label, held)

    def intervened(contrast: Contrast) -> float:
        return truth.intervened(contrast, feature, label)

    if ASSOCIATION in estimands:
        yield ASSOCIATION, association(dataset, feature, label), partial(standardised, ())
    if ADJUSTED in estimands:
        held, acting = rest_of_boundary(result, feature, label)
        size = adjusted_association(dataset, feature, label, held, acting=acting)
        yield ADJUSTED, size, partial(standardised, size.adjusted_for)
    is_cause = truth.is_cause(feature, label)
    if is_cause and KNOWN_PARENTS in estimands:
        known_parents = [truth.parents(feature)]
        yield KNOWN_PARENTS, effect_of_changing(dataset, feature, label, known_parents), intervened
    if FOUND_PARENTS in estimands and result.direction(feature, label) is Direction.CAUSE:
        size = effect_of_changing(
            dataset,
            feature,
            label,
            search.parent_sets(feature, label),
            may_be_effect=not is_confirmed(result, feature, label),
        )
        yield FOUND_PARENTS, size, intervened
        if not size.is_range:
            yield ONE_SET, size, intervened
        if is_cause:
            yield TRUE_CAUSES, size, intervened
        if not size.may_be_effect:
            yield CONFIRMED, size, intervened
        leading = size.leading
        if leading is not None and leading.low <= leading.measure.without_link <= leading.high:
            yield WITH_NONE, size, intervened


def outcomes(estimand: str, size: Size, truth: Callable[[Contrast], float]) -> Iterator[Key]:
    """Tell of the comparison of each measure whether it holds the truth."""
    leading = size.leading
    for contrast in size.contrasts:
        is_slope = contrast.measure is Measure.SLOPE
        if leading is None or (
            not is_slope and (contrast.at, contrast.label_level) != (leading.at, leading.label_level)
        ):
            continue
        true = truth(contrast)
        if np.isfinite(true):
            # What rounding leaves of no effect at all.
            low, high = contrast.low - _ROUNDING, contrast.high + _ROUNDING
            what = "below" if high < true else "above" if low > true else "held"
            yield estimand, str(contrast.measure), what
