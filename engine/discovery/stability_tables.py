"""What was found again as tables, alone and beside what the whole table gave."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pandas

from engine.discovery.evidence import Rule
from engine.discovery.stability_result import PairCount

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.stability_result import StabilityResult

NEAR_MISS_SHARE = 0.5

_RULE_COLUMNS = {rule: str(rule).replace("-", "_") for rule in Rule}
STABILITY_COLUMNS = (
    "feature",
    "label",
    "found_again",
    *_RULE_COLUMNS.values(),
    "common",
    "label_specific",
    "times",
    "finished",
)
RELATION_RULES = (Rule.NEIGHBOUR, Rule.SPOUSE)
STABILITY_RELATION_COLUMNS = (
    "label",
    "related_label",
    "found_again",
    *(_RULE_COLUMNS[rule] for rule in RELATION_RULES),
    "times",
    "finished",
)


def stability_table(stability: StabilityResult) -> pandas.DataFrame:
    """Make one row for each feature and label that some repetition found together."""
    rows = [_row(stability, each) for each in _most_often_first(stability.pairs.values())]
    return pandas.DataFrame(rows, columns=list(STABILITY_COLUMNS))


def found_again_table(result: DiscoveryResult) -> pandas.DataFrame:
    """Make one row for each finding of a result, and for each near miss."""
    columns = [*STABILITY_COLUMNS, "in_result"]
    stability = result.stability
    if stability is None:
        return pandas.DataFrame([], columns=columns)
    by_label: dict[str, list[PairCount]] = {label: [] for label in result.boundaries}
    for pair in result.evidence:
        never = PairCount(*pair, 0, dict.fromkeys(Rule, 0))
        by_label[pair[1]].append(stability.pairs.get(pair, never))
    for each in near_misses(result):
        by_label[each.label].append(each)
    rows = []
    for counts in by_label.values():
        known = [(each.variable, each.label) in result.evidence for each in counts]
        ranked = sorted(zip(counts, known, strict=True), key=lambda pair: (not pair[1], -pair[0].found))
        rows += [(*_row(stability, each), in_result) for each, in_result in ranked]
    return pandas.DataFrame(rows, columns=columns)


def near_misses(result: DiscoveryResult) -> list[PairCount]:
    """List pairs that half of the repetitions found, or more, and the whole table did not.

    Labels that a stopped run did not finish have none: what the whole table gives is not known there.
    """
    stability = result.stability
    if stability is None:
        return []
    return [
        each
        for pair, each in stability.pairs.items()
        if pair not in result.evidence
        and each.label in result.boundaries
        and stability.share(each.found) >= NEAR_MISS_SHARE
    ]


def _row(stability: StabilityResult, each: PairCount) -> tuple[str | float, ...]:
    share = stability.share
    return (
        each.variable,
        each.label,
        share(each.found),
        *(share(each.by_rule[rule]) for rule in Rule),
        share(stability.times_common(each.variable)),
        share(stability.times_label_specific(each.variable)),
        each.found,
        stability.finished,
    )


def stability_relation_table(stability: StabilityResult) -> pandas.DataFrame:
    """Make one row for each label that some repetition found in the boundary of another."""
    share = stability.share
    rows = [
        (
            each.label,
            each.variable,
            share(each.found),
            *(share(each.by_rule[rule]) for rule in RELATION_RULES),
            each.found,
            stability.finished,
        )
        for each in _most_often_first(stability.relations.values())
    ]
    return pandas.DataFrame(rows, columns=list(STABILITY_RELATION_COLUMNS))


def _most_often_first(counts: Iterable[PairCount]) -> list[PairCount]:
    """Sort within each label; labels stay in column order, and so do features that tie."""
    listed = list(counts)
    labels = {label: place for place, label in enumerate(dict.fromkeys(each.label for each in listed))}
    return sorted(listed, key=lambda each: (labels[each.label], -each.found))
