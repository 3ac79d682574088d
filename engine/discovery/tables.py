"""The findings as tables, in the order in which a person wants to read them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pandas

from engine.discovery.evidence import Equivalence
from engine.discovery.orientation.direction import joint_direction
from engine.discovery.pairs import evidence_key
from engine.discovery.stability_result import equivalence_share
from engine.discovery.verdict import MissedShare

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.stability_result import StabilityResult

COMMON_COLUMNS = ("feature", "labels", "rules", "strength", "evidence", "direction")
LABEL_SPECIFIC_COLUMNS = ("feature", "label", "rule", "strength", "evidence", "direction")
EQUIVALENCE_COLUMNS = (
    "target",
    "in_boundary",
    "equivalent",
    "p_target_in_boundary",
    "p_target_equivalent",
    "p_equivalent_given_boundary",
    "p_boundary_given_equivalent",
    "verdict",
    "missed_by_boundary",
    "missed_by_boundary_limit",
    "missed_by_equivalent",
    "missed_by_equivalent_limit",
)
FOUND_AGAIN = "found_again"
_NOT_MEASURED = MissedShare(math.nan, math.nan)
LABEL_RELATION_COLUMNS = ("label", "related_label", "relation", "children", "strength", "direction")
ORIENTATION_COLUMNS = ("feature", "label", "direction", "because", "others", "evidence")


def common_table(result: DiscoveryResult) -> pandas.DataFrame:
    """Make one row for each feature that counts for two or more labels."""
    order = {label: place for place, label in enumerate(result.dataset.labels)}
    rows = []
    for feature, label_set in result.label_sets.items():
        if len(label_set) < 2:
            continue
        labels = tuple(sorted(label_set, key=order.__getitem__))
        reasons = [result.reasons(feature, label)[0] for label in labels]
        rows.append(
            (
                feature,
                labels,
                tuple(str(reason.rule) for reason in reasons),
                max(reason.strength for reason in reasons),
                tuple(evidence_key(feature, label) for label in labels),
                str(joint_direction(result.direction(feature, label) for label in labels)),
            )
        )
    rows.sort(key=lambda row: (-len(row[1]), -row[3]))
    table = pandas.DataFrame(rows, columns=list(COMMON_COLUMNS))
    stability = result.stability
    if stability is not None:
        table[FOUND_AGAIN] = _shares(
            stability, map(stability.fewest_times, table["feature"], table["labels"])
        )
    return table


def label_specific_table(result: DiscoveryResult) -> pandas.DataFrame:
    """Make one row for each feature that counts for exactly one label."""
    order = {label: place for place, label in enumerate(result.dataset.labels)}
    rows = []
    for feature, label_set in result.label_sets.items():
        if len(label_set) == 1:
            (label,) = label_set
            reason = result.reasons(feature, label)[0]
            key, direction = evidence_key(feature, label), str(result.direction(feature, label))
            rows.append((feature, label, str(reason.rule), reason.strength, key, direction))
    rows.sort(key=lambda row: (order[row[1]], -row[3]))
    table = pandas.DataFrame(rows, columns=list(LABEL_SPECIFIC_COLUMNS))
    stability = result.stability
    if stability is not None:
        found = map(stability.times_found, table["feature"], table["label"])
        table[FOUND_AGAIN] = _shares(stability, found)
    return table


def equivalence_table(result: DiscoveryResult, records: Sequence[Equivalence]) -> pandas.DataFrame:
    """Make one row for each pair of sets, with the p-values of its four tests and what each set misses."""
    rows = [
        (
            record.target,
            record.in_boundary,
            record.equivalent,
            record.target_in_boundary.p_value,
            record.target_equivalent.p_value,
            record.equivalent_given_boundary.p_value,
            record.boundary_given_equivalent.p_value,
            str(record.verdict),
            *(record.missed_by_boundary or _NOT_MEASURED),
            *(record.missed_by_equivalent or _NOT_MEASURED),
        )
        for record in records
    ]
    table = pandas.DataFrame(rows, columns=list(EQUIVALENCE_COLUMNS))
    stability = result.stability
    if stability is not None:
        table[FOUND_AGAIN] = pandas.Series(
            [equivalence_share(result, stability, each) for each in records], dtype="float64"
        )
    return table


def label_relation_table(result: DiscoveryResult) -> pandas.DataFrame:
    """Make one row for each label that is in the boundary of another label."""
    rows = [
        (
            record.label,
            record.feature,
            str(record.rule),
            record.children,
            record.strength,
            str(result.direction(record.feature, record.label)),
        )
        for record in result.label_evidence.values()
    ]
    return pandas.DataFrame(rows, columns=list(LABEL_RELATION_COLUMNS))


def _shares(stability: StabilityResult, times: Iterable[int]) -> pandas.Series:
    """Turn counts of repetitions into a column of frequencies, which is one of floats when empty too."""
    return pandas.Series([stability.share(each) for each in times], dtype="float64")


def orientation_table(result: DiscoveryResult) -> pandas.DataFrame:
    """Make one row for each neighbour of each label."""
    rows = [
        (
            record.feature,
            record.label,
            str(record.direction),
            "" if record.because is None else str(record.because),
            record.others,
            evidence_key(*record.pair),
        )
        for record in result.orientation_records.values()
    ]
    return pandas.DataFrame(rows, columns=list(ORIENTATION_COLUMNS))
