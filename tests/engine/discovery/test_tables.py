"""Tables of findings: every column is declared once and stands wherever it says."""

from __future__ import annotations

import csv
import gc
import json
import weakref
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import engine
from engine.discovery import tables
from engine.discovery.columns import ContentKind, FindingColumn, Output, PValue, ResultTable
from engine.discovery.effects.estimates import Contrast, Estimand, Measure, Sign, Size
from engine.discovery.effects.size_words import SIGN_HELP
from engine.discovery.evidence import Rule
from engine.discovery.finding_words import (
    difference_details,
    difference_lines,
    differences_tooltip,
    event_details,
    grade_lines,
    sign_details,
    sign_lines,
    signs_in_words,
    signs_text,
    signs_tooltip,
)
from engine.discovery.findings import Finding
from engine.discovery.orientation.direction import Direction, Grade
from engine.discovery.result import DiscoveryResult
from engine.discovery.stability.result import FoundAgain
from engine.reporting.tables import file_table, records
from engine.selection import result as selection_result

DECLARED: dict[str, ResultTable[Any, Any]] = {
    f"{module.__name__}.{name}": table
    for module in (tables, selection_result)
    for name, table in vars(module).items()
    if isinstance(table, ResultTable)
}
ADDED: FindingColumn[Finding] = FindingColumn(
    "spouses",
    lambda finding: finding.rules.count("spouse"),
    ContentKind.COUNT,
    "Spouses",
    "Of how many labels.",
)


@pytest.fixture(scope="module")
def result() -> DiscoveryResult:
    network = engine.simulate(labels=5, features=40, rows=3000, seed=4)
    return engine.discover(network.dataset)


@pytest.mark.parametrize(
    ("others", "is_told"), [((5.0, 1.0), False), (("much", "none"), True), ((3.0, 1.0), True)]
)
def test_labels_compared_at_other_values_are_said_to_be(
    result: DiscoveryResult, others: tuple[float | str, float | str], is_told: bool
) -> None:
    def size(label: str, estimate: float, at: float | str, reference: float | str) -> Size:
        figures = (estimate, estimate - 0.01, estimate + 0.01, estimate, estimate)
        contrast = Contrast(Measure.RATE_DIFFERENCE, at, reference, "yes", *figures)
        return Size(
            Estimand.ASSOCIATION, "dose", label, (), False, (contrast,), Sign.MORE, (), (), 100, 0, 0.95
        )

    finding = next(candidate for candidate in result.findings.all if len(candidate.labels) == 2)
    sizes = (size("ill", 0.12, 5.0, 1.0), size("dead", -0.05, *others))
    both = replace(finding, sizes=tuple({Estimand.ASSOCIATION: size} for size in sizes))
    assert difference_lines(both) == ("+12 points", "−5.0 points")
    assert difference_details(both) == ("(+11 to +13)", "(−6.0 to −4.0)")
    assert ("compared at different values" in differences_tooltip(both)) is is_told


def test_a_direction_that_differs_when_adjusted_says_so(result: DiscoveryResult) -> None:
    def size(estimand: Estimand, sign: Sign) -> Size:
        return Size(estimand, "dose", "ill", (), False, (), sign, (), (), 100, 0, 0.95)

    held = {
        Estimand.ASSOCIATION: size(Estimand.ASSOCIATION, Sign.UNCLEAR),
        Estimand.ADJUSTED: size(Estimand.ADJUSTED, Sign.LESS),
    }
    alone = {Estimand.ASSOCIATION: size(Estimand.ASSOCIATION, Sign.LESS)}
    only_alone = {**alone, Estimand.ADJUSTED: size(Estimand.ADJUSTED, Sign.UNCLEAR)}
    turned = {**alone, Estimand.ADJUSTED: size(Estimand.ADJUSTED, Sign.MORE)}
    finding = next(candidate for candidate in result.findings.all if len(candidate.labels) == 2)
    one = replace(finding, labels=("ill",), reasons=finding.reasons[:1], sizes=(held,))
    assert sign_lines(one) == ("(↘ lower)",)
    assert signs_tooltip(one).startswith(SIGN_HELP[Sign.LESS]) and "only when adjusted" in signs_tooltip(one)
    assert sign_lines(replace(one, sizes=(alone,))) == ("↘ lower",)
    for sizes, words in ((only_alone, "unclear when adjusted"), (turned, "higher when adjusted")):
        assert sign_lines(replace(one, sizes=(sizes,))) == ("↘ lower†",)
        assert "unadjusted" in signs_tooltip(replace(one, sizes=(sizes,)))
        # A copied row has no legend.
        assert signs_in_words(replace(one, sizes=(sizes,))) == f"↘ lower ({words})"
        both = ("↘ lower†", "↘ lower")
        assert sign_lines(replace(finding, sizes=(sizes, alone))) == both
        assert f"↘ ill: lower ({words})" in signs_tooltip(replace(finding, sizes=(sizes, alone)))
    both = ("(↘ lower)", "↘ lower")
    assert sign_lines(replace(finding, sizes=(held, alone))) == both
    assert "↘ ill: lower (only when adjusted)" in signs_tooltip(replace(finding, sizes=(held, alone)))


@pytest.mark.parametrize("name", DECLARED)
def test_columns_have_keys_of_their_own_and_words_where_they_are_seen(name: str) -> None:
    table = DECLARED[name]
    keys = [column.key for column in table.columns]
    assert len(keys) == len(set(keys))
    if table.essential:
        shown = table.columns_in(Output.WINDOW)
        assert all(column.title and column.help for column in shown)
        assert 0 < table.essential <= len(shown)
    for output, leading in table.leading.items():
        assert [column.key for column in table.columns_in(output)][: len(leading)] == list(leading)


def test_a_column_that_is_added_follows_those_that_were_there_in_every_output(
    result: DiscoveryResult,
) -> None:
    longer = replace(tables.COMMON, columns=(*tables.COMMON.columns, ADDED))
    expected = [
        sum(reason.rule is Rule.SPOUSE for reason in finding.reasons) for finding in result.findings.common
    ]
    assert expected
    frame = longer.frame(result.findings)
    assert list(frame.columns) == [*result.common.columns, "spouses"]
    assert frame["spouses"].tolist() == expected
    before, after = (file_table(table, result.findings) for table in (tables.COMMON, longer))
    assert after.columns == (*before.columns, "spouses")
    assert [row[-1] for row in after.rows] == expected
    assert [record["spouses"] for record in records(longer, result.findings)] == expected
    assert longer.columns_in(Output.WINDOW)[-1] is ADDED
    first = replace(tables.COMMON, columns=(ADDED, *tables.COMMON.columns))
    for output, leading in first.leading.items():
        assert first.columns_in(output)[len(leading)] is ADDED, "what was there before keeps its place"


def test_files_hold_the_declared_columns(result: DiscoveryResult, tmp_path: Path) -> None:
    engine.export(result, tmp_path)
    for name, table in (("common", tables.COMMON), ("label_specific", tables.LABEL_SPECIFIC)):
        keys = [column.key for column in table.columns_in(Output.FILE, result.findings)]
        with (tmp_path / f"{name}.csv").open(encoding="utf-8") as file:
            assert next(csv.reader(file)) == keys
        written = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))[name]
        keys = [column.key for column in table.columns_in(Output.JSON, result.findings)]
        assert written and all(list(record) == keys for record in written)


def test_findings_do_not_keep_their_result_alive() -> None:
    network = engine.simulate(labels=3, features=12, rows=500, seed=0)
    result = engine.discover(network.dataset)
    assert len(result.common) + len(result.label_specific) == len(result.findings.all)
    reference = weakref.ref(result)
    gc.disable()
    try:
        del result
        assert reference() is None
    finally:
        gc.enable()


def test_what_is_not_known_is_empty_and_sorts_last() -> None:
    p: FindingColumn[float | None] = FindingColumn(
        "q",
        lambda value: None if value is None else PValue(value, -1.0),
        ContentKind.P_VALUE,
        "q",
        "How sure.",
    )
    assert p.cell_text(None) == p.cell_tooltip(None) == ""
    assert p.cell_text(0.03) == "0.030"
    assert p.cell_tooltip(0.03) == "How sure.\nHere 0.030."
    assert p.cell_order(None) < p.cell_order(0.03)
    assert FoundAgain((3, 9), 10).share == 0.3


def test_what_a_feature_is_to_each_label_is_said_in_words() -> None:
    grades = (Grade.NOT_EFFECT, Grade.UNDECIDED, Grade.NOT_EFFECT)
    finding: Any = SimpleNamespace(directions=(Direction.UNDECIDED,) * len(grades), grades=grades)
    assert grade_lines(finding) == ("not an effect", "undecided", "not an effect")


def test_a_direction_of_several_levels_names_the_two_that_differ(result: DiscoveryResult) -> None:
    figures = (-0.17, -0.25, -0.09, -0.17, -0.17)
    contrast = Contrast(Measure.RATE_DIFFERENCE, "new", "none", "yes", *figures)
    unsure = replace(contrast, high=0.01)
    size = Size(
        Estimand.ASSOCIATION, "arm", "ill", (), False, (contrast,), Sign.LEVELS_DIFFER, (), (), 100, 0, 0.95
    )
    finding = next(candidate for candidate in result.findings.all if len(candidate.labels) == 2)
    of_one_label = replace(finding, feature="arm", labels=("ill",), reasons=finding.reasons[:1])

    def shown(size: Size) -> str:
        measured = replace(of_one_label, sizes=({Estimand.ASSOCIATION: size},))
        # The event stands with the label there, and the levels below the direction.
        assert sign_lines(measured) == ("≠ levels differ",)
        return signs_text(measured)

    assert shown(size) == "≠ yes: levels differ, less likely if new than if none"
    assert shown(replace(size, contrasts=(unsure,))) == "≠ yes: levels differ"
    of_other_level = {Estimand.ASSOCIATION: replace(size, contrasts=(replace(contrast, label_level="no"),))}
    two = replace(finding, sizes=({Estimand.ASSOCIATION: size}, of_other_level))
    assert signs_text(two) == (
        "≠ yes: levels differ, less likely if new than if none; "
        "≠ no: levels differ, less likely if new than if none"
    )
    assert sign_details(two) == ("less likely if new than if none",) * 2
    assert event_details(two) == ("= yes", "= no")
