"""Directions in every file: words, tables, the network, and files from before there were any."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import ModuleType

import networkx
import pytest

from engine.discovery import tables
from engine.discovery.finding_words import statement
from engine.discovery.orientation.direction import (
    Because,
    Claim,
    ClaimKind,
    Direction,
    Orientation,
    direction_of,
    leading_to,
)
from engine.discovery.result import DiscoveryResult
from engine.independence.record import TestRecord
from engine.reporting.export_formats import export_file
from engine.reporting.graph_file import graph_of
from engine.reporting.result_file import read_result
from engine.reporting.sentences.directions import because, claim, claim_phrase, direction_sentences
from engine.reporting.tables import ResultContext, file_table
from engine.wording.phrases import plain, visible

EDGE = "{http://graphml.graphdrawing.org/xmlns}edge"


def _test(x: str, y: str, *given: str) -> TestRecord:
    return TestRecord(x, (y,), given, 1.0, 1.0, 0.5, -0.7, 0.1, 100)


@pytest.mark.parametrize(
    ("orientation", "words"),
    [
        (
            Orientation("c", "t", Direction.EFFECT, Because.SHARED_EFFECT, ("s",), (_test("s", "t"),)),
            "c is an effect of t: t and s are independent, and become associated once c is conditioned on; "
            "so c is a cause of neither",
        ),
        (
            Orientation("a", "t", Direction.CAUSE, Because.SEVERAL_CAUSES, ("b",), (_test("a", "b", "z"),)),
            "a is a cause of t: a and b are independent given z, and become associated once t is "
            "conditioned on too; so t is a cause of neither",
        ),
        (
            # The label itself is conditioned on.
            Orientation(
                "c", "t", Direction.EFFECT, Because.SHARED_EFFECT, ("a", "b"), (_test("a", "b", "t"),)
            ),
            "c is an effect of t: a and b are independent given t, and become associated once c is "
            "conditioned on too; so c is not a cause of t either",
        ),
        (
            Orientation(
                "t2", "t", Direction.CAUSE, Because.SEVERAL_CAUSES, ("a", "b"), (_test("a", "b", "t2", "z"),)
            ),
            "t2 is a cause of t: a and b are independent given t2 and z, and become associated once "
            "t is conditioned on too; so t is not a cause of t2 either",
        ),
        (
            # Several triples, each with a set of its own.
            Orientation(
                "c",
                "t",
                Direction.EFFECT,
                Because.SHARED_EFFECT,
                ("a", "b"),
                (_test("a", "t"), _test("a", "t", "c"), _test("b", "t", "z"), _test("b", "t", "c", "z")),
            ),
            "c is an effect of t: t is independent of a and b given the sets tested, and becomes associated "
            "with each once c is conditioned on; so c is a cause of none of them",
        ),
        (
            Orientation(
                "c", "t", Direction.CAUSE, Because.NO_FURTHER_COLLIDER, ("a",), (_test("a", "t", "c"),)
            ),
            "c is a cause of t: a and t are independent given c, and not without c; so c is a cause of one "
            "of these, and a is not its effect",
        ),
        (
            Orientation(
                "e", "t", Direction.EFFECT, Because.NO_FURTHER_COLLIDER, ("a",), (_test("a", "e", "t", "z"),)
            ),
            "e is an effect of t: a and e are independent given t and z, and not without t; so t is a cause "
            "of one of these, and a is not its effect",
        ),
        (
            # The effect is conditioned on beside the cause; of those at the ends neither can be meant.
            Orientation(
                "c",
                "t",
                Direction.CAUSE,
                Because.NO_FURTHER_COLLIDER,
                ("a", "b"),
                (_test("a", "b", "c", "t"),),
            ),
            "c is a cause of t: a and b are independent given c and t, and not without c; so c is a cause "
            "of one of these, and a and b are not its effects",
        ),
        (
            Orientation("c", "t", Direction.CAUSE, Because.NO_CYCLE, ()),
            "c is a cause of t: causes of causes are causes, and never run in a circle",
        ),
        (
            Orientation("a", "t", Direction.CAUSE, Because.NO_CYCLE, ("b",)),
            "a is a cause of t: a is a cause of b, and b of t; if t were a cause of a, causes would run in a "
            "circle",
        ),
        (
            Orientation("a", "t", Direction.EFFECT, Because.BEST_GRAPH, ("b", "c"), log_ratio=5.0),
            "a is an effect of t: of all graphs of the two together with b and c, the best in which t is a "
            "cause of a makes the rows 150 times as likely as the best in which a is a cause of t, after "
            "a penalty for the parameters of each",
        ),
    ],
)
def test_what_tells_it_in_words(orientation: Orientation, words: str) -> None:
    said = f"{plain(claim(orientation, ['t']))}: {plain(because(orientation, ['t']))}"
    assert said == f"If no common cause is unmeasured, {words}"


@pytest.mark.parametrize(
    ("log_ratio", "times"),
    [(2.1, " 8 times"), (4.0, " 55 times"), (10.0, " 22,000 times"), (99.0, " more than 1,000,000 times")],
)
def test_how_much_likelier_in_two_digits(log_ratio: float, times: str) -> None:
    orientation = Orientation("a", "t", Direction.CAUSE, Because.BEST_GRAPH, ("b",), log_ratio=log_ratio)
    assert times in plain(because(orientation, ["t"]))


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (
            Claim(ClaimKind.NO_CAUSE, "c", "t", Because.SHARED_EFFECT, ("a", "b"), (_test("a", "b", "t"),)),
            "c is not a cause of t: a and b are independent given t, and become associated once c "
            "is conditioned on too; so c is not a cause of t either",
        ),
        (
            Claim(ClaimKind.NO_CAUSE, "c", "t", Because.SHARED_EFFECT, ("a",), (_test("a", "t"),)),
            "c is not a cause of t: t and a are independent, and become associated once c is "
            "conditioned on; so c is a cause of neither",
        ),
        (
            Claim(ClaimKind.CAUSE, "c", "t", Because.NO_FURTHER_COLLIDER, ("a",), (_test("a", "t", "c"),)),
            "c is a cause of t: a and t are independent given c, and not without c; so c is a cause of one "
            "of these, and a is not its effect",
        ),
        (
            Claim(
                ClaimKind.NOTHING_HIDDEN,
                "c",
                "t",
                Because.NO_FURTHER_COLLIDER,
                ("a",),
                (_test("a", "t", "c", "z"),),
            ),
            "c and t have no unmeasured common cause: a leads into c, and is independent of t given c and z; "
            "an unmeasured common cause would join the two then",
        ),
    ],
)
def test_what_tells_a_grade_in_words(claim: Claim, words: str) -> None:
    assert plain(claim_phrase(claim, ["t"])) == words


def test_nothing_is_claimed_where_nothing_is_known() -> None:
    undecided = Orientation("a", "t", Direction.UNDECIDED)
    assert claim(undecided, ["t"]) == because(undecided, ["t"]) == ()


def test_every_way_to_tell_has_words() -> None:
    for way in Because:
        assert plain(because(Orientation("a", "t", Direction.CAUSE, way, ("b", "c")), ["t"]))


def test_the_network_begins_an_edge_at_its_cause(discovered: DiscoveryResult, tmp_path: Path) -> None:
    path = export_file(discovered, tmp_path / "graph.graphml", "graph")
    ends = [
        (edge.attrib["source"], edge.attrib["target"])
        for edge in ElementTree.parse(path).getroot().iter(EDGE)
    ]
    graph = networkx.read_graphml(path)
    leading = {
        pair: leading_to(direction_of(orientation), orientation.grade)
        for pair, orientation in discovered.orientation_records.items()
    }
    decided = [pair for pair, direction in leading.items() if direction is not Direction.UNDECIDED]
    assert decided
    for feature, label in decided:
        pair = [visible(feature), visible(label)]
        if leading[feature, label] is Direction.EFFECT:
            pair.reverse()
        assert tuple(pair) in ends
        edge = graph.edges[pair]
        assert (edge["arrow"], edge["cause"]) == ("target", pair[0])
        ends_of_arrow = (feature, label) if leading[feature, label] is Direction.CAUSE else (label, feature)
        told = discovered.direction(*ends_of_arrow), discovered.grade(*ends_of_arrow)
        assert edge["statement"] == statement(*told) != "undecided"
    arrows = sum(arrow == "target" for *_, arrow in graph.edges(data="arrow"))
    assert arrows == len({frozenset(pair) for pair in decided})


def test_the_table_has_a_row_for_every_neighbour(discovered: DiscoveryResult, tmp_path: Path) -> None:
    with export_file(discovered, tmp_path / "directions.csv", "directions").open(
        encoding="utf-8-sig"
    ) as file:
        rows = list(csv.DictReader(file))
    assert [(row["feature"], row["label"], row["direction"]) for row in rows] == [
        (orientation.feature, orientation.label, direction_of(orientation))
        for orientation in discovered.orientation_records.values()
    ]
    for row in rows:
        if row["because"] in ("shared effect", "several causes", "no further collider"):
            assert float(row["p_independent"]) > 0.1 > 0.05 > float(row["p_dependent"])
        else:
            assert row["p_independent"] == row["p_dependent"] == ""


def test_awkward_names_go_through(hand_made: ModuleType) -> None:
    result = hand_made.make_result()
    table = file_table(tables.DIRECTIONS, result.findings)
    assert [row[0] for row in table.rows] == [
        orientation.feature for orientation in result.orientation_records.values()
    ]
    edge = graph_of(ResultContext(result)).edges[visible(hand_made.FORMULA), visible(hand_made.HAPPY)]
    assert edge["cause"] == visible(hand_made.FORMULA)


def test_sentences_count_what_could_be_told(hand_made: ModuleType) -> None:
    result = hand_made.make_result()
    assert direction_sentences(result)[0] == (
        "If no common cause is unmeasured, the direction of 3 of 4 direct neighbours is known: 2 "
        "causes and 1 effect."
    )
    assert direction_sentences(hand_made.empty_result()) == ()


def test_a_file_from_before_directions_still_opens(hand_made: ModuleType, tmp_path: Path) -> None:
    result = hand_made.make_result()
    path = export_file(result, tmp_path / "result.json", "result")
    value = json.loads(path.read_text("utf-8"))
    del value["orientations"]
    path.write_text(json.dumps(value))
    read = read_result(path, result.dataset)
    assert read.orientation_records == {}
    assert read.evidence == result.evidence
    assert set(read.label_specific["direction"]) <= {"spouse", "undecided"}
