"""The findings as tables of plain cells: what CSV files, spreadsheets and the report all show.

They are separated by ``"; "``. A name that itself holds a semicolon, a double quote
or a line break, begins or ends with a space, or is empty, stands between double quotes, and a double
quote inside it is doubled, as RFC 4180 does for cells. :func:`split_names` reads such a cell back.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.discovery.orientation.direction import Because
from engine.discovery.stability.result import StabilityResult
from engine.reporting.analysis import Analysis
from engine.wording.numbers import exact_p

if TYPE_CHECKING:
    from engine.discovery.evidence import Evidence
    from engine.discovery.result import DiscoveryResult
    from engine.independence.record import TestRecord


Cell = str | int | float | bool | tuple[str, ...] | None
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table ready to be written.

    Attributes
    ----------
    title : str
        What a sheet or a section that shows it is called.
    columns : tuple of str
        Names of the columns.
    rows : tuple of Row
        Texts, numbers, flags, or several names in one cell; None is an empty cell.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


COLUMN = "found_again"


def stability_table(analysis: Analysis) -> Table:
    """One row for each feature and label found, and for each near miss, with how often they came back."""
    frame = analysis.result.found_again
    rows = frame.astype(object).itertuples(index=False, name=None)
    return Table("Found again", tuple(frame.columns), tuple(rows))


def with_found_again(
    table: Table, result: DiscoveryResult, count: Callable[[StabilityResult, Row], int]
) -> Table:
    """Add how often each row was found again, as a share; nothing where the search was not repeated.

    Parameters
    ----------
    table : Table
    result : DiscoveryResult
    count : callable
        Gives the number of repetitions that found what a row says.
    """
    stability = result.stability
    if stability is None:
        return table
    rows = tuple((*row, stability.share(count(stability, row))) for row in table.rows)
    return replace(table, columns=(*table.columns, COLUMN), rows=rows)


COMMON = "common"
LABEL_SPECIFIC = "label-specific"

_TEST_COLUMNS = ("statistic", "dof", "p_value", "log_p", "rows")
_NO_TEST: Row = (None,) * len(_TEST_COLUMNS)


def common_table(analysis: Analysis) -> Table:
    """One row for each variable that counts for two or more labels, most labels first."""
    result = analysis.result
    rows: list[Row] = []
    for found in result.common.itertuples(index=False):
        reasons = [result.reasons(found.feature, label)[0] for label in found.labels]
        rows.append(
            (
                found.feature,
                len(found.labels),
                found.labels,
                found.rules,
                found.direction,
                float(found.strength),
                _distinct(name for reason in reasons for name in reason.partner),
                _distinct(name for reason in reasons for name in reason.children),
            )
        )
    columns = (
        "feature",
        "label_count",
        "labels",
        "rules",
        "direction",
        "strength",
        "interchangeable_with",
        "through",
    )
    table = Table("Common", columns, tuple(rows))
    return with_found_again(table, result, lambda again, row: _fewest(again, result, str(row[0])))


def label_specific_table(analysis: Analysis) -> Table:
    """One row for each variable that counts for exactly one label, by label."""
    result = analysis.result
    rows: list[Row] = []
    for found in result.label_specific.itertuples(index=False):
        reason = result.reasons(found.feature, found.label)[0]
        rows.append(
            (
                found.feature,
                found.label,
                found.rule,
                found.direction,
                float(found.strength),
                reason.partner,
                reason.children,
                *_deciding_test(reason),
            )
        )
    columns = (
        "feature",
        "label",
        "rule",
        "direction",
        "strength",
        "interchangeable_with",
        "through",
        *_TEST_COLUMNS,
    )
    table = Table("Label-specific", columns, tuple(rows))
    return with_found_again(table, result, lambda again, row: again.times_found(str(row[0]), str(row[1])))


def equivalence_table(analysis: Analysis) -> Table:
    """One row for each pair of sets that is interchangeable, or not told apart, with its four tests.

    Beside them stands what share of what the other tells about the target each set misses, and the upper
    confidence limit of that.
    """
    tests = (
        "target_in_boundary",
        "target_equivalent",
        "equivalent_given_boundary",
        "boundary_given_equivalent",
    )
    rows: list[Row] = []
    result = analysis.result
    for record in (*result.equivalence_records, *result.undistinguished_records):
        made: list[TestRecord] = [getattr(record, name) for name in tests]
        rows.append(
            (
                record.target,
                record.in_boundary,
                record.equivalent,
                *(exact_p(test.p_value, test.log_p) for test in made),
                *(test.log_p for test in made),
                str(record.verdict),
                *(record.missed_by_boundary or (None, None)),
                *(record.missed_by_equivalent or (None, None)),
            )
        )
    columns = (
        "target",
        "in_boundary",
        "equivalent",
        *(f"p_{name}" for name in tests),
        *(f"log_p_{name}" for name in tests),
        "verdict",
        "missed_by_boundary",
        "missed_by_boundary_limit",
        "missed_by_equivalent",
        "missed_by_equivalent_limit",
    )
    if result.stability is None:
        return Table("Interchangeable", columns, tuple(rows))
    shares = (*result.equivalences["found_again"], *result.undistinguished["found_again"])
    return Table(
        "Interchangeable",
        (*columns, "found_again"),
        tuple((*row, None if math.isnan(share) else share) for row, share in zip(rows, shares, strict=True)),
    )


def label_relation_table(analysis: Analysis) -> Table:
    """One row for each label that is in the boundary of another label."""
    rows: list[Row] = [
        (
            reason.label,
            reason.feature,
            str(reason.rule),
            str(analysis.result.direction(reason.feature, reason.label)),
            reason.children,
            reason.strength,
            *_deciding_test(reason),
        )
        for reason in analysis.result.label_evidence.values()
    ]
    columns = ("label", "related_label", "relation", "direction", "children", "strength", *_TEST_COLUMNS)
    table = Table("Label relations", columns, tuple(rows))
    return with_found_again(
        table, analysis.result, lambda again, row: again.times_related(str(row[1]), str(row[0]))
    )


def evidence_table(analysis: Analysis) -> Table:
    """One row for each reason why a feature counts for a label, with the test that decides."""
    result = analysis.result
    rows: list[Row] = []
    for reasons in result.evidence.values():
        for reason in reasons:
            rows.append(
                (
                    reason.feature,
                    reason.label,
                    feature_type(result, reason.feature),
                    str(reason.rule),
                    reason.rule.symbol,
                    str(result.direction(reason.feature, reason.label)),
                    reason.partner,
                    reason.together_with,
                    reason.children,
                    reason.recovered,
                    reason.strength,
                    *_deciding_test(reason),
                )
            )
    columns = (
        "feature",
        "label",
        "type",
        "rule",
        "symbol",
        "direction",
        "interchangeable_with",
        "together_with",
        "through",
        "recovered",
        "strength",
        *_TEST_COLUMNS,
    )
    table = Table("Evidence", columns, tuple(rows))
    return with_found_again(table, result, lambda again, row: again.times_found(str(row[0]), str(row[1])))


def feature_table(analysis: Analysis) -> Table:
    """One row for each causal feature, in column order: the list to take into another program."""
    result = analysis.result
    order = {label: place for place, label in enumerate(result.dataset.labels)}
    rows: list[Row] = []
    for feature, label_set in result.label_sets.items():
        labels = tuple(sorted(label_set, key=order.__getitem__))
        reasons = [result.reasons(feature, label)[0] for label in labels]
        rows.append(
            (
                feature,
                feature_type(result, feature),
                len(labels),
                labels,
                tuple(str(reason.rule) for reason in reasons),
                tuple(str(result.direction(feature, label)) for label in labels),
                max(reason.strength for reason in reasons),
            )
        )
    columns = ("feature", "type", "label_count", "labels", "rules", "directions", "strength")
    return Table("Selected features", columns, tuple(rows))


def direction_table(analysis: Analysis) -> Table:
    """One row for each neighbour of each label: cause, effect or undecided, and what tells it."""
    rows: list[Row] = []
    for found in analysis.result.orientation_records.values():
        # Where causes would run in a circle, and of a best graph, no test of the variable itself tells it.
        has_own_tests = found.because not in (None, Because.NO_CYCLE, Because.BEST_GRAPH)
        tests = found.tests[:2] if has_own_tests else ()
        told: list[Row] = [(exact_p(test.p_value, test.log_p), test.given) for test in tests]
        told = told or [(None, ()), (None, ())]
        rows.append(
            (
                found.feature,
                found.label,
                str(found.direction),
                None if found.because is None else str(found.because),
                found.others,
                *(cell for test in told for cell in test),
                found.log_ratio,
            )
        )
    columns = (
        "feature",
        "label",
        "direction",
        "because",
        "others",
        "p_independent",
        "independent_given",
        "p_dependent",
        "dependent_given",
        "log_ratio",
    )
    return Table("Directions", columns, tuple(rows))


TABLES: tuple[Callable[[Analysis], Table], ...] = (
    common_table,
    label_specific_table,
    equivalence_table,
    label_relation_table,
    direction_table,
    evidence_table,
    feature_table,
)


def feature_type(result: DiscoveryResult, feature: str) -> str:
    """Say whether a causal feature is common or label-specific."""
    return COMMON if len(result.label_sets[feature]) > 1 else LABEL_SPECIFIC


def _fewest(again: StabilityResult, result: DiscoveryResult, feature: str) -> int:
    return again.fewest_times(feature, result.label_sets[feature])


def _deciding_test(reason: Evidence) -> Row:
    if not reason.tests:
        return _NO_TEST
    test = reason.tests[0]
    return (test.statistic, test.dof, exact_p(test.p_value, test.log_p), test.log_p, test.rows)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


SEPARATOR = "; "

_NEEDS_QUOTES = re.compile(r'[;"\r\n]|^\s|\s$|^$')


def join_names(names: Iterable[str]) -> str:
    """Put several names into one cell.

    Examples
    --------
    >>> join_names(["happy", "quiet; still"])
    'happy; "quiet; still"'
    """
    return SEPARATOR.join(_quoted(name) for name in names)


def split_names(cell: str) -> tuple[str, ...]:
    """Read the names of a cell that :func:`join_names` wrote.

    Examples
    --------
    >>> split_names('happy; "quiet; still"')
    ('happy', 'quiet; still')
    """
    if not cell:
        return ()
    (names,) = csv.reader([cell], delimiter=";", skipinitialspace=True, strict=True)
    return tuple(names)


def _quoted(name: str) -> str:
    if not _NEEDS_QUOTES.search(name):
        return name
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
