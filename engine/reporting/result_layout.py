"""How a result stands in a file, and how files of earlier programs are brought to that.

:mod:`engine.reporting.result_file` says what a person reads there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from cattrs import Converter
from cattrs.cols import namedtuple_dict_structure_factory, namedtuple_dict_unstructure_factory
from cattrs.gen import override

from engine.boundaries.discovery_settings import AS_PUBLISHED, CONTROLLED, DiscoverySettings
from engine.boundaries.markov_boundary import MarkovBoundary
from engine.codec import (
    DAMAGE,
    by_pair,
    damage,
    describe,
    exact,
    grouped,
    keyed,
    new_converter,
    number,
    read_number,
    read_place,
    write_place,
)
from engine.discovery import tables
from engine.discovery.effects.estimates import Point, Size
from engine.discovery.effects.size_table import Effects
from engine.discovery.evidence import Evidence, LinkThroughLabels, MissedShare, Rule, TestRecord, Verdict
from engine.discovery.flags import Flag
from engine.discovery.label_groups import LabelGroup
from engine.discovery.leaders import check_preferred
from engine.discovery.orientation.direction import Claim, Grade, LocalEdge, Objection, Orientation
from engine.discovery.result import DiscoveryResult
from engine.discovery.stability.result import PairCount, StabilityResult, TypeCount
from engine.errors import UnreadableFile
from engine.independence.record import joined_names, names_joined
from engine.knowledge.knowledge import Knowledge
from engine.knowledge.knowledge_files import knowledge_from_object, knowledge_object
from engine.preparation.preparation_settings import PreparationSettings
from engine.reporting.tables import records
from engine.selection.result import Reason
from engine.table.dataset import Dataset
from engine.table.event_choice import saved_event
from engine.table.variable import Kind, Variable, code_dtype
from engine.translation import _, message_of, message_values
from engine.version import __version__
from engine.wording.notes import Note
from engine.wording.sentences import DAMAGED_FILE, OPEN_EARLIER_COPY

Record = dict[str, Any]

# The members of a file that hold fields of a result, in the order of the file.
_HEAD = "split preferred searched_through_labels counts_through_labels"
_COUNTS = "tests_made unreliable_tests"
_HOW_FAR = (
    "unfinished_labels directions_finished groups_finished bounded_labels unconfirmed_labels "
    "determined_labels"
)
_FINDINGS = (
    "boundaries equivalences undistinguished evidence label_relations links_through_labels label_groups "
    "q_values departures stability orientations blocks local_edges knowledge objections effects"
)


@lru_cache(maxsize=4)
def result_converter(names: tuple[str, ...]) -> Converter:
    """Return what writes and reads the records of a result and a selection, by columns of the table."""
    all_names, place = frozenset(names), {name: position for position, name in enumerate(names)}
    converter = new_converter()
    layout, spare = partial(describe, converter), override(omit_if_default=True)
    converter.register_unstructure_hook(Dataset, partial(_encode_table, converter=converter))
    converter.register_structure_hook(Dataset, lambda table, _: table)
    converter.register_unstructure_hook(Knowledge, knowledge_object)
    converter.register_structure_hook(Knowledge, lambda value, _: knowledge_from_object(value))
    converter.register_unstructure_hook(Point, _write_point)
    converter.register_structure_hook(Point, _read_point)
    converter.register_unstructure_hook(
        MissedShare, namedtuple_dict_unstructure_factory(MissedShare, converter)
    )
    converter.register_structure_hook(MissedShare, namedtuple_dict_structure_factory(MissedShare, converter))
    layout(Variable, "name kind role levels ordered event event_from")
    layout(
        Note,
        "topic message variable columns",
        message=override(unstruct_hook=message_values, struct_hook=lambda values, _kind: message_of(values)),
        columns=spare,
    )
    layout(
        TestRecord,
        "x y given statistic dof p_value log_p effect rows reliable between_share",
        others=override(
            rename="y",
            unstruct_hook=joined_names,
            struct_hook=lambda text, _: _others(exact(text, str), all_names),
        ),
        # Of tests in tables that multiple imputation completed.
        between_share=spare,
    )
    layout(
        Evidence,
        "feature label rule symbol partner together_with children recovered decided_by strength tests "
        "marginal",
        shown={"symbol": "rule.symbol", "strength": "strength"},
    )
    layout(LinkThroughLabels, "through separated reasons steps", steps=spare)
    layout(LabelGroup, "name members loadings reasons tests", shown={"name": "name"})
    layout(
        MarkovBoundary,
        "target parents_children spouses tests_made",
        spouses=override(
            unstruct_hook=lambda spouses: [
                {"spouse": spouse, "children": sorted(children, key=place.__getitem__)}
                for spouse, children in spouses.items()
            ],
            struct_hook=lambda values, _: {
                exact(record["spouse"], str): frozenset(
                    converter.structure(record["children"], tuple[str, ...])
                )
                for record in values
            },
        ),
    )
    layout(Claim, "kind cause effect because others uses_knowledge tests")
    layout(
        Orientation,
        "feature label direction because others tests log_ratio grade mark_at_feature mark_at_label "
        "nothing_hidden claims confirmed",
        shown={"grade": "grade"},
        inside={
            "mark_at_feature": "marks.at_feature",
            "mark_at_label": "marks.at_label",
            "nothing_hidden": "marks.nothing_hidden",
        },
    )
    layout(
        LocalEdge,
        "first second mark_at_first mark_at_second nothing_hidden",
        inside={
            "mark_at_first": "marks.at_feature",
            "mark_at_second": "marks.at_label",
            "nothing_hidden": "marks.nothing_hidden",
        },
    )
    layout(Objection, "part cause effect is_possible claim tests")
    layout(
        Size,
        "estimand feature label is_curve points contrasts sign adjusted_for left_out rows rows_lost "
        "confidence e_value parent_sets assumes_nothing_hidden may_be_effect between_share instead_of "
        "quantiles",
        between_share=spare,
        instead_of=spare,
        quantiles=spare,
    )
    layout(Effects, "sizes flags", flags=by_pair(converter, tuple[Flag, ...], "flags"))
    layout(
        PairCount,
        "feature label found rules",
        variable=override(rename="feature"),
        by_rule=override(
            rename="rules",
            struct_hook=lambda times, _: {rule: exact(times[str(rule)], int) for rule in Rule},
        ),
    )
    pairs, types = keyed(converter, PairCount, "variable label"), keyed(converter, TypeCount, "feature")
    layout(
        StabilityResult,
        "settings discovery content_hash finished pairs types relations seconds grades through_labels "
        "total_types",
        pairs=pairs,
        types=types,
        relations=pairs,
        grades=by_pair(converter, Mapping[Grade, int], "times"),
        through_labels=by_pair(converter, int, "found"),
        total_types=types,
    )
    layout(
        DiscoveryResult,
        f"dataset settings seconds {_HEAD} {_COUNTS} {_HOW_FAR} {_FINDINGS}",
        boundaries=keyed(converter, MarkovBoundary, "target"),
        equivalence_records=override(rename="equivalences"),
        undistinguished_records=override(rename="undistinguished"),
        evidence=grouped(converter, Evidence, "pair"),
        label_evidence=keyed(converter, Evidence, "pair", "label_relations"),
        links_through_labels=keyed(converter, LinkThroughLabels, "pair"),
        log_q_values=by_pair(converter, float, "log_q", "q_values"),
        orientation_records=keyed(converter, Orientation, "pair", "orientations"),
    )
    layout(
        Reason,
        "label rule symbol stands_for together_with children in_place_of alternatives strength log_p "
        "is_assumed",
        shown={"symbol": "rule.symbol"},
    )
    return converter


def _write_point(point: Point) -> list[Any]:
    """Many, so each without names."""
    figures = map(number, (point.estimate, point.low, point.high))
    return [write_place(point.at), point.label_level, *figures, point.rows]


def _read_point(row: Any, _: Any) -> Point:
    at, level, estimate, low, high, rows = exact(row, list)
    return Point(
        read_place(at),
        None if level is None else exact(level, str),
        read_number(estimate),
        read_number(low),
        read_number(high),
        None if rows is None else exact(rows, int),
    )


def _others(text: str, all_names: frozenset[str]) -> tuple[str, ...]:
    """Take apart the names of variables tested as one; a plus within a name once had no backslash."""
    names = names_joined(text)
    return names if all_names.issuperset(names) else (text,)


def _encode_table(dataset: Dataset, converter: Converter) -> Record:
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
        "variables": converter.unstructure(dataset.variables),
        "notes": converter.unstructure(dataset.notes),
    }


def encode_settings(settings: DiscoverySettings, preparation: PreparationSettings | None) -> Record:
    """Describe settings; who does the work makes no difference, and where machines stand concerns nobody."""
    discovery = settings.as_dict()
    del discovery["workers"], discovery["cluster"]
    return {"preparation": preparation and preparation.as_dict(), "discovery": discovery}


def encode_result(result: DiscoveryResult, preparation: PreparationSettings | None) -> Record:
    """Return a result as plain values."""
    converter = result_converter(result.dataset.names)
    encoded, stability = converter.unstructure(result, DiscoveryResult), result.stability
    if stability is not None:
        for name in ("discovery", "content_hash", "seconds"):
            del encoded["stability"][name]
        for name, pairs in (("pairs", result.evidence), ("relations", result.label_evidence)):
            for count in encoded["stability"][name]:
                count["in_result"] = (count["feature"], count["label"]) in pairs
    return {
        "run": {
            "program_version": __version__,
            "workers": result.settings.workers,
            "seconds": result.seconds,
            "stability_seconds": None if stability is None else stability.seconds,
        },
        **{name: encoded[name] for name in _HEAD.split()},
        "data": encoded["dataset"],
        "settings": encode_settings(result.settings, preparation),
        "summary": {
            "common": len(result.findings.common),
            "label_specific": len(result.findings.label_specific),
            "equivalences": len(result.equivalence_records),
            "undistinguished": len(result.undistinguished_records),
            "label_relations": len(result.label_evidence),
            **{name: encoded[name] for name in _COUNTS.split()},
            "partial": result.is_partial,
            **{name: encoded[name] for name in _HOW_FAR.split()},
        },
        "common": records(tables.COMMON, result.findings),
        "label_specific": records(tables.LABEL_SPECIFIC, result.findings),
        **{name: encoded[name] for name in _FINDINGS.split()},
    }


@dataclass(frozen=True, eq=False)
class DescribedTable(Dataset):
    """A table of which only the description is at hand: its columns are empty."""

    rows: int = 0
    saved_hash: str = ""

    @property
    def row_count(self) -> int:
        """Number of rows that it had."""
        return self.rows

    @property
    def content_hash(self) -> str:
        """The hash of what it held."""
        return self.saved_hash


def described_table(value: Record) -> DescribedTable:
    """Return the table of a result as the file describes it, without its values."""
    described = value["data"]
    variables = result_converter(()).structure(
        [variable | saved_event(variable) for variable in described["variables"]], tuple[Variable, ...]
    )
    columns = tuple(
        np.empty(0, float if variable.kind is Kind.CONTINUOUS else code_dtype(variable.level_count))
        for variable in variables
    )
    name, content_hash = exact(described["name"], str), exact(described["content_hash"], str)
    rows = exact(described["rows"], int)
    return DescribedTable(variables, columns, name, rows=rows, saved_hash=content_hash)


def decode_preparation(value: Record) -> PreparationSettings | None:
    """Return how the table was made ready; None where the file does not say it."""
    given = value["settings"]["preparation"]
    return given and PreparationSettings.from_dict(given)


def decode_result(value: Record, dataset: Dataset, place: str) -> DiscoveryResult:
    """Make a result of what a file of schema version 1 or 2 holds."""
    try:
        if value["data"]["content_hash"] != dataset.content_hash:
            raise UnreadableFile(
                "the result belongs to another table, or to the same table prepared in another way.",
                place=place,
                remedy="Read it with the table that was searched, prepared as it was then.",
            )
        converter = result_converter(dataset.names)
        result = converter.structure(_gathered(_upgraded(value), dataset), DiscoveryResult)
        _check(result, frozenset(dataset.names), frozenset(dataset.labels))
        return result
    except UnreadableFile:
        raise
    except DAMAGE as error:
        raise UnreadableFile(
            _(DAMAGED_FILE, reason=damage(error)), place=place, remedy=OPEN_EARLIER_COPY
        ) from error


def _gathered(value: Record, dataset: Dataset) -> Record:
    """Put beside the findings what stands elsewhere in the file."""
    run, stability = value["run"], value.get("stability")
    settings = value["settings"]["discovery"] | {"workers": run["workers"]}
    if stability is not None:
        stability = stability | {
            "discovery": settings,
            "content_hash": dataset.content_hash,
            "seconds": run["stability_seconds"],
        }
    own = {"dataset": dataset, "settings": settings, "seconds": run["seconds"], "stability": stability}
    told = f"{_COUNTS} {_HOW_FAR}".split()
    summary = {name: figure for name, figure in value["summary"].items() if name in told}
    return {**value, **summary, **own}


def _upgraded(value: Record) -> Record:
    """Bring a file of an earlier program to the present form; what else is absent has its default value."""
    settings = value["settings"]["discovery"]
    if "procedure" not in settings:
        # Before it was a setting of its own, the plain level implied it.
        procedure = AS_PUBLISHED if settings["false_discovery"] == "none" else CONTROLLED
        settings = settings | {"procedure": procedure}
    # Earlier programs looked for such links where the file has them, unless they followed the paper.
    looked_for = settings["procedure"] == CONTROLLED and "links_through_labels" in value
    # Version 1 calls every pair an equivalence that was not told apart.
    verdict = {"verdict": str(Verdict.NOT_TOLD_APART)}
    return {
        "searched_through_labels": looked_for,
        **value,
        "settings": {**value["settings"], "discovery": settings},
        "equivalences": [verdict | equivalence for equivalence in value["equivalences"]],
        "evidence": [_with_marginal(evidence) for evidence in value["evidence"]],
        "label_relations": [_with_marginal(relation) for relation in value["label_relations"]],
    }


def _with_marginal(reason: Record) -> Record:
    """Add the marginal test, which earlier programs kept of neighbours and equivalents among their tests."""
    if "marginal" in reason:
        return reason
    sides = reason["label"], joined_names([reason["feature"]])
    tests = (test for test in reason["tests"] if not test["given"] and (test["x"], test["y"]) == sides)
    return reason | {"marginal": next(tests, None)}


def _check(result: DiscoveryResult, all_names: frozenset[str], labels: frozenset[str]) -> None:
    """Refuse variables that the table does not have, which would be looked up, and contradictions."""
    links, groups = result.links_through_labels.values(), result.label_groups
    named_labels = {
        label for _, label in (*result.evidence, *result.label_evidence, *result.links_through_labels)
    }
    named_labels.update(*(link.through for link in links), *(group.members for group in groups))
    if not named_labels <= labels:
        raise ValueError(_("{name!r} is not a label of its table", name=min(named_labels - labels)))
    reasons = [
        *result.label_evidence.values(),
        *(
            reason
            for some in (*result.evidence.values(), *(link.reasons for link in links))
            for reason in some
        ),
        *(reason for group in groups for reason in group.reasons),
    ]
    named: set[str] = set().union(
        result.unfinished_labels,
        result.bounded_labels,
        result.unconfirmed_labels,
        result.determined_labels,
        result.boundaries,
        *(boundary.members for boundary in result.boundaries.values()),
        *(children for boundary in result.boundaries.values() for children in boundary.spouses.values()),
        *result.evidence,
        *result.label_evidence,
        *result.links_through_labels,
        *result.orientation_records,
        *result.log_q_values,
        *(group.features for group in groups),
        *((*reason.partner, *reason.together_with, *reason.children) for reason in reasons),
        *(
            (equivalence_record.target, *equivalence_record.in_boundary, *equivalence_record.equivalent)
            for equivalence_record in (*result.equivalence_records, *result.undistinguished_records)
        ),
        *(block.members for block in result.blocks),
        *((edge.first, edge.second) for edge in result.local_edges),
    )
    if not named <= all_names:
        raise ValueError(_("its table has no column {name!r}", name=min(named - all_names)))
    check_preferred(result.preferred, result.dataset)
    if any(len({reason.pair for reason in link.reasons}) > 1 for link in links):
        raise ValueError(_("a link through other labels is of several pairs"))
    if any(len(group.members) != len(group.loadings) for group in groups):
        raise ValueError(_("a group of labels does not have one loading per label"))
    if result.stability is not None and result.stability.finished < 1:
        raise ValueError(_("no repetition is finished"))
