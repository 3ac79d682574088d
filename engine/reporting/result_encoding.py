"""Records of a result as plain dictionaries; :mod:`engine.reporting.result_file` says what they hold.

Of sizes, graded directions, local edges and objections the way back is here as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from engine.discovery.columns import Output, ResultTable, Row, Source
from engine.discovery.effects.estimates import Contrast, Estimand, Measure, Point, Sign, Size
from engine.discovery.effects.intervals import EValue
from engine.discovery.effects.size_table import Effects
from engine.discovery.flags import Flag, FlagKind
from engine.discovery.orientation.direction import Orientation
from engine.discovery.orientation.grades import (
    OPEN_EDGE,
    Because,
    Claim,
    ClaimKind,
    EdgeMarks,
    KnowledgePart,
    LocalEdge,
    Mark,
    Objection,
)
from engine.independence.record import TestRecord
from engine.independence.reflective import ReflectiveBlock
from engine.reporting.tables import Cell, file_cell

if TYPE_CHECKING:
    from engine.boundaries.markov_boundary import MarkovBoundary
    from engine.discovery.evidence import Equivalence, Evidence, LinkThroughLabels, MissedShare
    from engine.discovery.label_groups import LabelGroup
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.stability.result import PairCount, TypeCount
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
                "event": variable.event,
                "event_from": variable.event_from,
            }
            for variable in dataset.variables
        ],
        "notes": [
            {
                "topic": note.topic,
                "message": note.message,
                "variable": note.variable,
                **({"columns": list(note.columns)} if note.columns else {}),
            }
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
        "groups_finished": result.groups_finished,
        "bounded_labels": list(result.bounded_labels),
        "unconfirmed_labels": list(result.unconfirmed_labels),
        "determined_labels": list(result.determined_labels),
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


def block(found: ReflectiveBlock) -> Record:
    """Describe columns that reflect one thing."""
    return {"members": list(found.members), "loadings": list(found.loadings), "is_shown": found.is_shown}


def label_group(group: LabelGroup) -> Record:
    """Describe labels that go together, and what is linked to their score."""
    return {
        "name": group.name,
        "members": list(group.members),
        "loadings": list(group.loadings),
        "reasons": [evidence(each) for each in group.reasons],
        "tests": group.tests,
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
        # Of tests in tables that multiple imputation completed.
        **({"between_share": number(record.between_share)} if record.between_share else {}),
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
        "decided_by": str(reason.decided_by),
        "strength": number(reason.strength),
        "tests": [test(each) for each in reason.tests],
        "marginal": None if reason.marginal is None else test(reason.marginal),
    }


def link_through_labels(link: LinkThroughLabels) -> Record:
    """Describe how a feature is linked to a label through other labels."""
    return {
        "through": list(link.through),
        "separated": None if link.separated is None else test(link.separated),
        "reasons": [evidence(each) for each in link.reasons],
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
        "types": _type_counts(found.types),
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
        "through_labels": [
            {"feature": feature, "label": label, "found": times}
            for (feature, label), times in found.through_labels.items()
        ],
        "total_types": _type_counts(found.total_types),
    }


def _type_counts(types: Mapping[str, TypeCount]) -> list[Record]:
    return [
        {"feature": each.feature, "common": each.common, "label_specific": each.label_specific}
        for each in types.values()
    ]


def _pair_count(each: PairCount, in_result: bool) -> Record:
    return {
        "feature": each.variable,
        "label": each.label,
        "found": each.found,
        "rules": {str(rule): times for rule, times in each.by_rule.items()},
        "in_result": in_result,
    }


Decode = Callable[[Any], TestRecord]


def encode_marks(marks: EdgeMarks) -> Record:
    """Describe the two ends of an edge, and the grade that they amount to."""
    return {
        "grade": str(marks.grade),
        "mark_at_feature": str(marks.at_feature),
        "mark_at_label": str(marks.at_label),
        "nothing_hidden": marks.nothing_hidden,
    }


def decode_marks(value: Mapping[str, Any]) -> EdgeMarks:
    """Read what :func:`encode_marks` wrote; files of earlier programs have none."""
    if "mark_at_feature" not in value:
        return OPEN_EDGE
    nothing_hidden = value["nothing_hidden"]
    if not isinstance(nothing_hidden, bool):
        raise TypeError(f"{nothing_hidden!r} is neither true nor false")
    return EdgeMarks(Mark(value["mark_at_feature"]), Mark(value["mark_at_label"]), nothing_hidden)


def encode_orientation(found: Orientation) -> Record:
    """Describe which way the relation of a label with a neighbour runs, and what tells it."""
    return {
        "feature": found.feature,
        "label": found.label,
        "direction": str(found.direction),
        "because": None if found.because is None else str(found.because),
        "others": list(found.others),
        "tests": [test(each) for each in found.tests],
        "log_ratio": found.log_ratio,
        **encode_marks(found.marks),
        "claims": [encode_claim(each) for each in found.claims],
        "confirmed": found.confirmed,
    }


def encode_claim(claim: Claim) -> Record:
    """Describe one thing that is said of two variables."""
    return {
        "kind": str(claim.kind),
        "cause": claim.cause,
        "effect": claim.effect,
        "because": str(claim.because),
        "others": list(claim.others),
        "uses_knowledge": claim.uses_knowledge,
        "tests": [test(each) for each in claim.tests],
    }


def decode_claim(value: Mapping[str, Any], decode_test: Decode) -> Claim:
    """Read what :func:`encode_claim` wrote."""
    return Claim(
        ClaimKind(value["kind"]),
        _name(value["cause"]),
        _name(value["effect"]),
        Because(value["because"]),
        tuple(_name(each) for each in value["others"]),
        tuple(decode_test(each) for each in value["tests"]),
        bool(value["uses_knowledge"]),
    )


def encode_edge(edge: LocalEdge) -> Record:
    """Describe an edge of the local graph."""
    marks = edge.marks
    return {
        "first": edge.first,
        "second": edge.second,
        "mark_at_first": str(marks.at_feature),
        "mark_at_second": str(marks.at_label),
        "nothing_hidden": marks.nothing_hidden,
    }


def decode_edge(value: Mapping[str, Any]) -> LocalEdge:
    """Read what :func:`encode_edge` wrote."""
    marks = EdgeMarks(
        Mark(value["mark_at_first"]), Mark(value["mark_at_second"]), bool(value["nothing_hidden"])
    )
    return LocalEdge(_name(value["first"]), _name(value["second"]), marks)


def encode_objection(objection: Objection) -> Record:
    """Describe what the data say against what a person said."""
    return {
        "part": str(objection.part),
        "cause": objection.cause,
        "effect": objection.effect,
        "is_possible": objection.is_possible,
        "claim": None if objection.claim is None else encode_claim(objection.claim),
        "tests": [test(each) for each in objection.tests],
    }


def decode_objection(value: Mapping[str, Any], decode_test: Decode) -> Objection:
    """Read what :func:`encode_objection` wrote."""
    return Objection(
        KnowledgePart(value["part"]),
        _name(value["cause"]),
        _name(value["effect"]),
        None if value["claim"] is None else decode_claim(value["claim"], decode_test),
        tuple(decode_test(each) for each in value["tests"]),
        bool(value["is_possible"]),
    )


def encode_effects(effects: Effects | None) -> Record | None:
    """Describe how large findings are, whole curves included; None where that was not measured."""
    if effects is None:
        return None
    return {
        "sizes": [_encode_size(each) for each in effects.sizes],
        "flags": [
            {
                "feature": feature,
                "label": label,
                "flags": [{"kind": str(each.kind), "sentence": each.sentence} for each in flags],
            }
            for (feature, label), flags in effects.flags.items()
        ],
    }


def decode_effects(value: Mapping[str, Any] | None) -> Effects | None:
    """Read what :func:`encode_effects` wrote; files of earlier programs have none."""
    if value is None:
        return None
    flags = {
        (_name(each["feature"]), _name(each["label"])): tuple(
            Flag(FlagKind(flag["kind"]), _name(flag["sentence"])) for flag in each["flags"]
        )
        for each in value["flags"]
    }
    return Effects(tuple(_decode_size(each) for each in value["sizes"]), flags)


def _encode_size(size: Size) -> Record:
    return {
        "estimand": str(size.estimand),
        "feature": size.feature,
        "label": size.label,
        "is_curve": size.is_curve,
        # Many, so each without names: at, level of the label, estimate, low, high, rows.
        "points": [
            [_place(each.at), each.label_level, *map(number, (each.estimate, each.low, each.high)), each.rows]
            for each in size.points
        ],
        "contrasts": [_encode_contrast(each) for each in size.contrasts],
        "sign": str(size.sign),
        "adjusted_for": list(size.adjusted_for),
        "left_out": list(size.left_out),
        "rows": size.rows,
        "rows_lost": size.rows_lost,
        "confidence": size.confidence,
        "e_value": None
        if size.e_value is None
        else {"estimate": number(size.e_value.estimate), "limit": number(size.e_value.limit)},
        "parent_sets": [list(each) for each in size.parent_sets],
        "assumes_nothing_hidden": size.assumes_nothing_hidden,
        "may_be_effect": size.may_be_effect,
        # Of tables that multiple imputation completed.
        **({"between_share": number(size.between_share)} if size.between_share else {}),
        # Of features that stand in for members; absent from files of earlier programs.
        **({"instead_of": list(size.instead_of)} if size.instead_of else {}),
        **({"quantiles": list(size.quantiles)} if size.quantiles else {}),
    }


def _decode_size(value: Mapping[str, Any]) -> Size:
    e_value = value["e_value"]
    return Size(
        estimand=Estimand(value["estimand"]),
        feature=_name(value["feature"]),
        label=_name(value["label"]),
        points=tuple(_decode_point(*each) for each in value["points"]),
        is_curve=bool(value["is_curve"]),
        contrasts=tuple(_decode_contrast(each) for each in value["contrasts"]),
        sign=Sign(value["sign"]),
        adjusted_for=_names(value["adjusted_for"]),
        left_out=_names(value["left_out"]),
        rows=int(value["rows"]),
        rows_lost=int(value["rows_lost"]),
        confidence=float(value["confidence"]),
        e_value=None if e_value is None else EValue(float(e_value["estimate"]), float(e_value["limit"])),
        parent_sets=tuple(_names(each) for each in value["parent_sets"]),
        assumes_nothing_hidden=bool(value["assumes_nothing_hidden"]),
        may_be_effect=bool(value["may_be_effect"]),
        between_share=float(value.get("between_share", 0.0)),
        instead_of=_names(value.get("instead_of", [])),
        quantiles=_decode_quantiles(value.get("quantiles")),
    )


def _decode_quantiles(value: Any) -> tuple[float, float] | None:
    if value is None:
        return None
    low, high = map(float, value)
    return low, high


def _decode_point(
    at: Any, label_level: str | None, estimate: Any, low: Any, high: Any, rows: int | None
) -> Point:
    level = None if label_level is None else _name(label_level)
    counted = None if rows is None else int(rows)
    return Point(_decode_place(at), level, float(estimate), float(low), float(high), counted)


_FIGURES = ("estimate", "low", "high", "least", "most", "without_alike")


def _encode_contrast(contrast: Contrast) -> Record:
    return {
        "measure": str(contrast.measure),
        "at": _place(contrast.at),
        "reference": _place(contrast.reference),
        "label_level": contrast.label_level,
        **{name: number(getattr(contrast, name)) for name in _FIGURES},
    }


def _decode_contrast(value: Mapping[str, Any]) -> Contrast:
    level = value["label_level"]
    return Contrast(
        Measure(value["measure"]),
        _decode_place(value["at"]),
        _decode_place(value["reference"]),
        None if level is None else _name(level),
        **{name: float(value[name]) for name in _FIGURES},
    )


def _place(at: str | float) -> Any:
    """Return a level or a value as JSON can hold it, so that a level called "NaN" stays one."""
    return at if isinstance(at, str) else {"value": number(at)}


def _decode_place(at: Any) -> str | float:
    return at if isinstance(at, str) else float(at["value"])


def _names(value: list[Any]) -> tuple[str, ...]:
    return tuple(_name(each) for each in value)


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a name")
    return value
