"""From plain dictionaries back to a result, with every member checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from engine.boundaries.markov_boundary import MarkovBoundary
from engine.boundaries.settings import AS_PUBLISHED, CONTROLLED, DiscoverySettings
from engine.discovery.evidence import (
    DecidedBy,
    Equivalence,
    Evidence,
    LinkThroughLabels,
    MissedShare,
    Pair,
    Rule,
    TestRecord,
    Verdict,
)
from engine.discovery.label_groups import LabelGroup
from engine.discovery.leaders import check_preferred
from engine.discovery.orientation.direction import Because, Direction, Orientation
from engine.discovery.orientation.grades import Grade
from engine.discovery.result import DiscoveryResult
from engine.discovery.row_split import RowSplit
from engine.discovery.stability.result import PairCount, StabilityResult, StabilitySettings, TypeCount
from engine.errors import InvalidData, InvalidParameter, UnreadableFile
from engine.independence.record import names_joined
from engine.independence.reflective import ReflectiveBlock
from engine.knowledge.files import knowledge_from_object
from engine.preparation.settings import PreparationSettings
from engine.reporting.result_encoding import (
    EQUIVALENCE_TESTS,
    decode_claim,
    decode_edge,
    decode_effects,
    decode_marks,
    decode_objection,
)
from engine.table.dataset import Dataset
from engine.table.event_choice import saved_event
from engine.table.variable import Kind, Role, Variable, code_dtype
from engine.wording.sentences import OPEN_EARLIER_COPY

Record = Mapping[str, Any]


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


def described_table(value: Record, place: str) -> DescribedTable:
    """Return the table of a result as the file describes it, without its values."""
    try:
        data = value["data"]
        variables = tuple(
            Variable(
                _name(each["name"]),
                Kind(each["kind"]),
                Role(each["role"]),
                _names(each["levels"]),
                _flag(each["ordered"]),
                **saved_event(each),
            )
            for each in data["variables"]
        )
        columns = tuple(
            np.empty(0, float if each.kind is Kind.CONTINUOUS else code_dtype(each.level_count))
            for each in variables
        )
        return DescribedTable(
            variables,
            columns,
            _name(data["name"]),
            rows=_whole(data["rows"]),
            saved_hash=_name(data["content_hash"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, InvalidParameter, InvalidData) as error:
        raise UnreadableFile(
            f"what the file says of its table is damaged ({type(error).__name__}: {error}).",
            place=place,
            remedy=OPEN_EARLIER_COPY,
        ) from error


def decode_result(value: Record, dataset: Dataset, place: str) -> DiscoveryResult:
    """Make a result of what a file of schema version 1 or 2 holds."""
    try:
        if value["data"]["content_hash"] != dataset.content_hash:
            raise UnreadableFile(
                "the result belongs to another table, or to the same table prepared in another way.",
                place=place,
                remedy="Read it with the table that was searched, prepared as it was then.",
            )
        result = _result(value, dataset)
        _check_names(result, frozenset(dataset.names), frozenset(dataset.labels))
        return result
    except UnreadableFile as error:
        error.place = error.place or place
        raise
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, InvalidParameter) as error:
        raise UnreadableFile(
            f"the file is damaged ({type(error).__name__}: {error}).",
            place=place,
            remedy=OPEN_EARLIER_COPY,
        ) from error


def decode_preparation(value: Record, place: str) -> PreparationSettings | None:
    """Return how the table was made ready; None where the file does not say it."""
    try:
        given = value["settings"]["preparation"]
        known = {field.name for field in fields(PreparationSettings)}
        return given and PreparationSettings(**{name: each for name, each in given.items() if name in known})
    except (KeyError, TypeError, ValueError, AttributeError, InvalidParameter) as error:
        raise UnreadableFile(
            f"what the file says of the preparation is damaged ({error}).",
            place=place,
            remedy=OPEN_EARLIER_COPY,
        ) from error


def _result(value: Record, dataset: Dataset) -> DiscoveryResult:
    run, summary = value["run"], value["summary"]
    known = frozenset(dataset.names)
    evidence: dict[Pair, list[Evidence]] = {}
    for each in value["evidence"]:
        reason = _evidence(each, known)
        evidence.setdefault(reason.pair, []).append(reason)
    relations = [_evidence(each, known) for each in value["label_relations"]]
    boundaries = [_boundary(each) for each in value["boundaries"]]
    settings = _settings(value["settings"]["discovery"], run["workers"])
    # Absent from files written before directions were told.
    orientations = [_orientation(each, known) for each in value.get("orientations", ())]
    directions_finished = _flag(summary.get("directions_finished", True))
    return DiscoveryResult(
        dataset=dataset,
        settings=settings,
        boundaries={each.target: each for each in boundaries},
        equivalence_records=tuple(_equivalence(each, known) for each in value["equivalences"]),
        # Absent from files of version 1.
        undistinguished_records=tuple(_equivalence(each, known) for each in value.get("undistinguished", ())),
        evidence={key: tuple(reasons) for key, reasons in evidence.items()},
        label_evidence={each.pair: each for each in relations},
        unfinished_labels=_names(summary["unfinished_labels"]),
        tests_made=_whole(summary["tests_made"]),
        unreliable_tests=_whole(summary["unreliable_tests"]),
        seconds=_number(run["seconds"]),
        stability=_stability(value, settings, dataset),
        orientation_records={each.pair: each for each in orientations},
        directions_finished=directions_finished,
        bounded_labels=_names(summary.get("bounded_labels", [])),
        departures=tuple(_test(each, known) for each in value.get("departures", ())),
        unconfirmed_labels=_names(summary.get("unconfirmed_labels", [])),
        determined_labels=_names(summary.get("determined_labels", [])),
        log_q_values={
            (_name(each["feature"]), _name(each["label"])): _number(each["log_q"])
            for each in value.get("q_values", ())
        },
        blocks=tuple(
            ReflectiveBlock(
                _names(each["members"]), tuple(map(_number, each["loadings"])), _flag(each["is_shown"])
            )
            for each in value.get("blocks", ())
        ),
        # Absent from files of programs that did not look for them.
        links_through_labels={
            link.pair: link
            for each in value.get("links_through_labels", ())
            for link in [_link_through_labels(each, known)]
        },
        # Absent from files of earlier programs, some of which looked for direct links alone.
        searched_through_labels=_flag(
            value.get("searched_through_labels", settings.is_controlled and "links_through_labels" in value)
        ),
        # Absent from files of programs that did not look for groups of labels.
        label_groups=tuple(_label_group(each, known) for each in value.get("label_groups", ())),
        groups_finished=_flag(summary.get("groups_finished", True)),
        split=_split(value.get("split")),
        preferred=_preferred(value, dataset),
        counts_through_labels=_flag(value.get("counts_through_labels", True)),
        local_edges=tuple(decode_edge(each) for each in value.get("local_edges", ())),
        knowledge=None if value.get("knowledge") is None else knowledge_from_object(value["knowledge"]),
        objections=tuple(
            decode_objection(each, partial(_test, known=known)) for each in value.get("objections", ())
        ),
        # Absent from files of programs that measured again whatever was opened.
        effects=decode_effects(value.get("effects")),
    )


def _check_names(result: DiscoveryResult, known: frozenset[str], labels: frozenset[str]) -> None:
    """Refuse findings on variables that the table does not have: whoever shows them would look them up."""
    found = {label for _, label in (*result.evidence, *result.label_evidence, *result.links_through_labels)}
    found.update(*(link.through for link in result.links_through_labels.values()))
    found.update(*(group.members for group in result.label_groups))
    if not found <= labels:
        raise ValueError(f"{min(found - labels)!r} is no label of its table")
    named: set[str] = {
        *result.unfinished_labels,
        *result.bounded_labels,
        *result.unconfirmed_labels,
        *result.determined_labels,
    }
    for boundary in result.boundaries.values():
        named.update((boundary.target, *boundary.members), *boundary.spouses.values())
    for pairs in (
        result.evidence,
        result.label_evidence,
        result.links_through_labels,
        result.orientation_records,
        result.log_q_values,
    ):
        named.update(*pairs)
    through = (link.reasons for link in result.links_through_labels.values())
    of_groups = tuple(group.reasons for group in result.label_groups)
    named.update(*(group.features for group in result.label_groups))
    for reasons in (*result.evidence.values(), *through, tuple(result.label_evidence.values()), *of_groups):
        for reason in reasons:
            named.update(reason.partner, reason.together_with, reason.children)
    for each in (*result.equivalence_records, *result.undistinguished_records):
        named.update((each.target,), each.in_boundary, each.equivalent)
    for block in result.blocks:
        named.update(block.members)
    for edge in result.local_edges:
        named.update((edge.first, edge.second))
    if not named <= known:
        raise ValueError(f"its table has no column {min(named - known)!r}")


def _preferred(value: Record, dataset: Dataset) -> tuple[str, ...]:
    names = _names(value.get("preferred", []))
    check_preferred(names, dataset)
    return names


def _split(value: Record | None) -> RowSplit | None:
    return None if value is None else RowSplit(_number(value["share"]), _whole(value["seed"]))


def _settings(values: Record, workers: int | None) -> DiscoverySettings:
    """Take settings by name; those that a newer program added are unknown here and left out."""
    known = {field.name for field in fields(DiscoverySettings)}
    given = {name: value for name, value in values.items() if name in known}
    if "procedure" not in given:
        # Before it was a setting of its own, the plain level implied it.
        given["procedure"] = AS_PUBLISHED if given["false_discovery"] == "none" else CONTROLLED
    return DiscoverySettings(**given, workers=workers)


def _boundary(value: Record) -> MarkovBoundary:
    return MarkovBoundary(
        target=_name(value["target"]),
        parents_children=_names(value["parents_children"]),
        spouses={_name(each["spouse"]): frozenset(_names(each["children"])) for each in value["spouses"]},
        tests_made=_whole(value["tests_made"]),
    )


def _equivalence(value: Record, known: frozenset[str]) -> Equivalence:
    # Files of version 1 call every pair an equivalence that was not told apart.
    verdict = Verdict(value.get("verdict", Verdict.NOT_TOLD_APART))
    tests = {name: _test(value[name], known) for name in EQUIVALENCE_TESTS}
    return Equivalence(
        target=_name(value["target"]),
        in_boundary=_names(value["in_boundary"]),
        equivalent=_names(value["equivalent"]),
        verdict=verdict,
        missed_by_boundary=_missed(value.get("missed_by_boundary")),
        missed_by_equivalent=_missed(value.get("missed_by_equivalent")),
        **tests,
    )


def _missed(value: Record | None) -> MissedShare | None:
    return None if value is None else MissedShare(_number(value["estimate"]), _number(value["limit"]))


def _evidence(value: Record, known: frozenset[str]) -> Evidence:
    feature, label = _name(value["feature"]), _name(value["label"])
    tests = tuple(_test(each, known) for each in value["tests"])
    if "marginal" not in value:
        # Earlier programs kept it of neighbours and single equivalents, among their tests.
        marginal = next((each for each in tests if _is_marginal(each, feature, label)), None)
    else:
        marginal = None if value["marginal"] is None else _test(value["marginal"], known)
    return Evidence(
        feature=feature,
        label=label,
        rule=Rule(value["rule"]),
        partner=_names(value["partner"]),
        together_with=_names(value["together_with"]),
        children=_names(value["children"]),
        tests=tests,
        recovered=_flag(value["recovered"]),
        marginal=marginal,
        # Absent from files of programs that did not say.
        decided_by=DecidedBy(value.get("decided_by", DecidedBy.TESTS)),
    )


def _link_through_labels(value: Record, known: frozenset[str]) -> LinkThroughLabels:
    reasons = tuple(_evidence(each, known) for each in value["reasons"])
    if not reasons or len({each.pair for each in reasons}) > 1:
        raise ValueError("a link through other labels has no reason, or several pairs")
    separated = value["separated"]
    return LinkThroughLabels(
        reasons, None if separated is None else _test(separated, known), _names(value["through"])
    )


def _label_group(value: Record, known: frozenset[str]) -> LabelGroup:
    group = LabelGroup(
        _names(value["members"]),
        tuple(map(_number, value["loadings"])),
        tuple(_evidence(each, known) for each in value["reasons"]),
        _whole(value["tests"]),
    )
    if len(group.members) != len(group.loadings):
        raise ValueError("a group of labels has not one loading a label")
    return group


def _is_marginal(test: TestRecord, feature: str, label: str) -> bool:
    return not test.given and test.x == label and test.others == (feature,)


def _orientation(value: Record, known: frozenset[str]) -> Orientation:
    test = partial(_test, known=known)
    because = value["because"]
    return Orientation(
        feature=_name(value["feature"]),
        label=_name(value["label"]),
        direction=Direction(value["direction"]),
        because=None if because is None else Because(because),
        others=_names(value["others"]),
        tests=tuple(test(each) for each in value["tests"]),
        # Absent from files written before best graphs were asked.
        log_ratio=None if value.get("log_ratio") is None else _number(value["log_ratio"]),
        # Absent from files of programs that had no grades.
        marks=decode_marks(value),
        claims=tuple(decode_claim(each, test) for each in value.get("claims", ())),
        # Absent from files of programs that did not ask.
        confirmed=_flag(value.get("confirmed", False)),
    )


def _test(value: Record, known: frozenset[str]) -> TestRecord:
    return TestRecord(
        x=_name(value["x"]),
        others=_others(_name(value["y"]), known),
        given=_names(value["given"]),
        statistic=_number(value["statistic"]),
        dof=_number(value["dof"]),
        p_value=_number(value["p_value"]),
        log_p=_number(value["log_p"]),
        effect=_number(value["effect"]),
        rows=_whole(value["rows"]),
        reliable=_flag(value["reliable"]),
        between_share=_number(value.get("between_share", 0.0)),
    )


def _others(text: str, known: frozenset[str]) -> tuple[str, ...]:
    """Take apart the names of variables tested as one; a plus within a name once had no backslash."""
    names = names_joined(text)
    return names if known.issuperset(names) else (text,)


def _stability(value: Record, settings: DiscoverySettings, dataset: Dataset) -> StabilityResult | None:
    """Take repetitions; files of earlier programs have none."""
    found = value.get("stability")
    if found is None:
        return None
    scheme, finished = found["settings"], _whole(found["finished"])
    if finished < 1:
        raise ValueError("no repetition is finished")
    return StabilityResult(
        settings=StabilitySettings(scheme["resamples"], scheme["share"], scheme["seed"]),
        discovery=settings,
        content_hash=dataset.content_hash,
        finished=finished,
        pairs=_pair_counts(found["pairs"]),
        types=_type_counts(found["types"]),
        relations=_pair_counts(found["relations"]),
        seconds=_number(value["run"]["stability_seconds"]),
        # Absent from files of programs that had no grades.
        grades={
            (_name(each["feature"]), _name(each["label"])): {
                Grade(grade): _whole(times) for grade, times in each["times"].items()
            }
            for each in found.get("grades", ())
        },
        # Absent from files of programs that did not look for links through other labels.
        through_labels={
            (_name(each["feature"]), _name(each["label"])): _whole(each["found"])
            for each in found.get("through_labels", ())
        },
        total_types=_type_counts(found.get("total_types", [])),
    )


def _type_counts(values: list[Record]) -> dict[str, TypeCount]:
    counts = [
        TypeCount(_name(each["feature"]), _whole(each["common"]), _whole(each["label_specific"]))
        for each in values
    ]
    return {each.feature: each for each in counts}


def _pair_counts(values: list[Record]) -> dict[Pair, PairCount]:
    counts = [
        PairCount(
            _name(each["feature"]),
            _name(each["label"]),
            _whole(each["found"]),
            {rule: _whole(each["rules"][str(rule)]) for rule in Rule},
        )
        for each in values
    ]
    return {(each.variable, each.label): each for each in counts}


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a name")
    return value


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list of names")
    return tuple(_name(each) for each in value)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value
