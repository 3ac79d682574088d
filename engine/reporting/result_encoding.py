"""Records of a result as plain dictionaries; :mod:`engine.reporting.result_file` says what they hold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from engine.discovery.columns import Output, ResultTable, Row, Source
from engine.reporting.tables import Cell, file_cell

if TYPE_CHECKING:
    from engine.boundaries.markov_boundary import MarkovBoundary
    from engine.discovery.evidence import Equivalence, Evidence, MissedShare
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.stability.result import PairCount
    from engine.independence.record import TestRecord
    from engine.table.dataset import Dataset


Record = dict[str, Any]

EQUIVALENCE_TESTS = (
    "target_in_boundary",
    "target_equivalent",
    "equivalent_given_boundary",
    "boundary_given_equivalent",
)


def number(value: float) -> float | str:
    """Return a number as JSON can hold it."""
    if math.isfinite(value):
        return float(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def data(dataset: Dataset) -> Record:
    """Describe the table."""
    return {
        "name": dataset.name,
        "content_hash": dataset.content_hash,
        "rows": dataset.row_count,
        "labels": list(dataset.labels),
        "features": list(dataset.features),
        "ignored": list(dataset.ignored),
        "weight": dataset.weight,
        "groups": dataset.groups,
        "variables": [
            {
                "name": variable.name,
                "kind": str(variable.kind),
                "role": str(variable.role),
                "levels": list(variable.levels),
                "ordered": variable.ordered,
            }
            for variable in dataset.variables
        ],
        "notes": [
            {"topic": note.topic, "message": note.message, "variable": note.variable}
            for note in dataset.notes
        ],
    }


def summary(result: DiscoveryResult) -> Record:
    """Count what was found."""
    return {
        "common": len(result.findings.common),
        "label_specific": len(result.findings.label_specific),
        "equivalences": len(result.equivalence_records),
        "undistinguished": len(result.undistinguished_records),
        "label_relations": len(result.label_evidence),
        "tests_made": result.tests_made,
        "unreliable_tests": result.unreliable_tests,
        "partial": result.is_partial,
        "unfinished_labels": list(result.unfinished_labels),
        "directions_finished": result.directions_finished,
        "bounded_labels": list(result.bounded_labels),
        "unconfirmed_labels": list(result.unconfirmed_labels),
    }


def records(table: ResultTable[Source, Row], source: Source) -> list[Record]:
    """List the rows of a table, a member a column."""
    columns = table.columns_in(Output.JSON, source)
    return [{column.key: _plain(file_cell(column, row)) for column in columns} for row in table.rows(source)]


def _plain(cell: Cell) -> Any:
    if isinstance(cell, tuple):
        return list(cell)
    return number(cell) if isinstance(cell, float) else cell


def boundary(found: MarkovBoundary, dataset: Dataset) -> Record:
    """Describe a Markov boundary; children in column order."""
    return {
        "target": found.target,
        "parents_children": list(found.parents_children),
        "spouses": [
            {"spouse": spouse, "children": sorted(children, key=dataset.index)}
            for spouse, children in found.spouses.items()
        ],
        "tests_made": found.tests_made,
    }


def test(record: TestRecord) -> Record:
    """Describe a conditional-independence test."""
    return {
        "x": record.x,
        "y": record.y,
        "given": list(record.given),
        "statistic": number(record.statistic),
        "dof": number(record.dof),
        "p_value": number(record.p_value),
        "log_p": number(record.log_p),
        "effect": number(record.effect),
        "rows": record.rows,
        "reliable": record.reliable,
    }


def equivalence(found: Equivalence) -> Record:
    """Describe two sets that tell the same, or may: their four tests, and what each misses."""
    sets = {
        "target": found.target,
        "in_boundary": list(found.in_boundary),
        "equivalent": list(found.equivalent),
    }
    verdict = {
        "verdict": str(found.verdict),
        "missed_by_boundary": _missed(found.missed_by_boundary),
        "missed_by_equivalent": _missed(found.missed_by_equivalent),
    }
    return sets | {name: test(getattr(found, name)) for name in EQUIVALENCE_TESTS} | verdict


def _missed(found: MissedShare | None) -> Record | None:
    return None if found is None else {"estimate": number(found.estimate), "limit": number(found.limit)}


def evidence(reason: Evidence) -> Record:
    """Describe one reason why a feature, or another label, counts for a label."""
    return {
        "feature": reason.feature,
        "label": reason.label,
        "rule": str(reason.rule),
        "symbol": reason.rule.symbol,
        "partner": list(reason.partner),
        "together_with": list(reason.together_with),
        "children": list(reason.children),
        "recovered": reason.recovered,
        "strength": number(reason.strength),
        "tests": [test(each) for each in reason.tests],
    }


def stability(result: DiscoveryResult) -> Record | None:
    """Describe how often findings came back; None when that was not asked."""
    found = result.stability
    if found is None:
        return None
    return {
        "settings": found.settings.as_dict(),
        "finished": found.finished,
        "pairs": [_pair_count(each, key in result.evidence) for key, each in found.pairs.items()],
        "types": [
            {"feature": each.feature, "common": each.common, "label_specific": each.label_specific}
            for each in found.types.values()
        ],
        "relations": [
            _pair_count(each, key in result.label_evidence) for key, each in found.relations.items()
        ],
        "grades": [
            {
                "feature": feature,
                "label": label,
                "times": {str(grade): times for grade, times in counted.items()},
            }
            for (feature, label), counted in found.grades.items()
        ],
    }


def _pair_count(each: PairCount, in_result: bool) -> Record:
    return {
        "feature": each.variable,
        "label": each.label,
        "found": each.found,
        "rules": {str(rule): times for rule, times in each.by_rule.items()},
        "in_result": in_result,
    }
