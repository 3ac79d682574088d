"""Graded directions, local edges and objections as plain dictionaries for ``result.json``, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

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
from engine.reporting.result_encoding import Record, test

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


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a name")
    return value
