"""A spouse and its label are called causes only of what both are told to be causes of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.discovery import tables
from engine.discovery.discover import SearchRequest, search_data
from engine.discovery.finding_words import statement
from engine.discovery.orientation.direction import (
    OPEN_EDGE,
    Direction,
    EdgeMarks,
    EndMark,
    LocalEdge,
    Orientation,
)
from engine.discovery.result import DiscoveryResult
from engine.progress import SilentProgress
from engine.reporting.sentences.links import spouse_claim
from engine.reporting.sentences.overview import relation_sentences
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from engine.wording.phrases import plain
from tests.engine.oracle import oracle_data

INTO_THE_CHILD = EdgeMarks(EndMark.CIRCLE, EndMark.ARROWHEAD)


def _result(*labels: str) -> DiscoveryResult:
    names = ["s", "child", "t"]
    dataset = Dataset(
        tuple(
            Variable(name, Kind.NOMINAL, Role.LABEL if name in labels else Role.FEATURE, levels=("no", "yes"))
            for name in names
        ),
        tuple(np.zeros(1, dtype=np.int8) for _ in names),
    )
    edges = [("t", "child"), ("s", "child")]
    return search_data(oracle_data(edges, names), dataset, SearchRequest(), SilentProgress())


def _with_directions(result: DiscoveryResult, of_child: Direction, at_spouse: EdgeMarks) -> DiscoveryResult:
    """Let a result tell other directions: of the child as to the label, and between spouse and child."""
    records = {("child", "t"): Orientation("child", "t", of_child)}
    if "s" in result.dataset.labels:
        turned = at_spouse.turned()
        records["child", "s"] = Orientation("child", "s", Direction.UNDECIDED, marks=turned)
    return replace(result, orientation_records=records, local_edges=(LocalEdge("s", "child", at_spouse),))


def _claim(result: DiscoveryResult) -> str:
    (reason,) = result.reasons("s", "t")
    return plain(spouse_claim(result, reason, ("s",)))


def test_both_are_causes_where_both_directions_are_told() -> None:
    result = _result("t")
    assert "if no common cause is unmeasured, both are causes of child, their shared effect." in _claim(
        result
    )
    assert result.direction("s", "t") is Direction.SPOUSE
    assert tables.LABEL_SPECIFIC.frame(result.findings).set_index("feature")["direction"]["s"] == "spouse"


@pytest.mark.parametrize(
    ("of_child", "at_spouse", "doubt"),
    [
        (Direction.UNDECIDED, INTO_THE_CHILD, "do not show whether they are causes"),
        (Direction.EFFECT, OPEN_EDGE, "do not show whether they are causes"),
        (Direction.CAUSE, INTO_THE_CHILD, "stated directions contradict this"),
        (Direction.EFFECT, INTO_THE_CHILD.turned(), "stated directions contradict this"),
        (Direction.EFFECT, EdgeMarks(EndMark.ARROWHEAD, EndMark.ARROWHEAD), "contradict this"),
    ],
)
def test_no_cause_is_claimed_beside_another_direction(
    of_child: Direction, at_spouse: EdgeMarks, doubt: str
) -> None:
    result = _with_directions(_result("t"), of_child, at_spouse)
    told = _claim(result)
    assert "causes of child" not in told
    assert "among rows alike in child the two are associated" in told
    assert doubt in told
    assert result.direction("s", "t") is Direction.UNDECIDED
    row = tables.LABEL_SPECIFIC.frame(result.findings).set_index("feature").loc["s"]
    assert row["direction"] == "undecided"
    finding = result.findings.by_feature["s"]
    assert statement(finding.directions[0], finding.grades[0]) == "undecided"


def test_labels_that_are_spouses_are_called_causes_only_where_it_is_told() -> None:
    result = _result("s", "t")
    (told,) = relation_sentences(result)
    assert "if no common cause is unmeasured, both are causes of child" in told
    (undecided,) = relation_sentences(_with_directions(result, Direction.UNDECIDED, INTO_THE_CHILD))
    assert "causes of child" not in undecided
    assert "associated among rows alike in child" in undecided
