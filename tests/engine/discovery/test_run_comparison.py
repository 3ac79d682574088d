"""Two runs side by side: against sets worked out by hand, and against what both runs themselves say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.effects.estimates import AssociationSign, Sign
from engine.discovery.evidence import Equivalence, Evidence, Rule, Verdict
from engine.discovery.orientation.direction import Direction, EdgeMarks, EndMark, Orientation
from engine.discovery.run_comparison import Absence
from engine.errors import InvalidParameter, UnreadableFile
from engine.independence.record import TestRecord
from engine.reporting.run_comparison import comparison_lines
from engine.terminal import main

NAMES = ("before", "after")
DIRECTIONS = {
    EndMark.TAIL: Direction.CAUSE,
    EndMark.ARROWHEAD: Direction.EFFECT,
    EndMark.CIRCLE: Direction.UNDECIDED,
}


def record_of(x: str, y: str, effect: float = 0.5) -> TestRecord:
    return TestRecord(x, (y,), (), 9.0, 1.0, 0.003, -5.8, effect, 40)


def table_of(features: str, labels: str, rows: int = 40, ignored: str = "") -> engine.Dataset:
    chance = np.random.default_rng(rows)
    columns = chance.integers(0, 2, size=(len(features + labels + ignored), rows), dtype=np.int8)
    roles = dict.fromkeys(features, engine.Role.FEATURE) | dict.fromkeys(labels, engine.Role.LABEL)
    roles |= dict.fromkeys(ignored, engine.Role.IGNORED)
    variables = [
        engine.Variable(name, engine.Kind.NOMINAL, role, ("no", "yes")) for name, role in roles.items()
    ]
    return engine.Dataset(tuple(variables), tuple(columns))


def result_of(
    links: str,
    table: engine.Dataset,
    marks: dict[str, EdgeMarks] | None = None,
    alike: str = "",
    **others: object,
) -> engine.DiscoveryResult:
    """A run that found links such as ``"aX bX bY"``: feature and label, a letter each."""
    pairs = [(feature, label) for feature, label in links.split()]
    orientations = {
        (feature, label): Orientation(feature, label, DIRECTIONS[mark.at_feature], None, (), (), marks=mark)
        for (feature, label), mark in (marks or {}).items()
    }
    records = tuple(
        Equivalence("X", (left,), (right,), *(record_of("X", left) for _ in range(4)), Verdict.NOT_TOLD_APART)
        for left, right in alike.split()
    )
    return engine.DiscoveryResult(
        dataset=table,
        settings=engine.DiscoverySettings(workers=1),
        boundaries={},
        equivalence_records=(),
        undistinguished_records=records,
        evidence={
            pair: (Evidence(*pair, Rule.NEIGHBOUR, tests=(record_of(pair[1], pair[0], (1 + place) / 20),)),)
            for place, pair in enumerate(pairs)
        },
        label_evidence={},
        orientation_records=orientations,
        **others,
    )


def changed(comparison: engine.RunComparison) -> dict[str, set[str]]:
    names_by_change: dict[str, set[str]] = {}
    for feature_change in comparison.feature_changes:
        for change in feature_change.changes:
            names_by_change.setdefault(str(change), set()).add(feature_change.feature)
    return names_by_change


def test_sets_worked_out_by_hand() -> None:
    """A went, b came; c is common and then label-specific; d served X and serves Y; e is the same."""
    table = table_of("abcdefg", "XYZ")
    first = result_of("aX cX cY dX eX eY fX", table)
    second = result_of("bX bY cX dY eX eY fX fY fZ", table)
    comparison = engine.compare_runs(first, second, NAMES)
    assert changed(comparison) == {
        "went": {"a"},
        "came": {"b"},
        "type": {"c", "f"},
        "labels": {"d"},
        "same": {"e"},
    }
    rows = {row.feature: row for row in comparison.features.itertuples()}
    assert (rows["c"].type_first, rows["c"].type_second) == ("common", "label-specific")
    assert (rows["a"].labels_first, rows["a"].labels_second, rows["a"].type_second) == (("X",), (), "")
    assert np.isnan(rows["b"].strength_first) and rows["b"].strength_second == pytest.approx(2 / 20)
    links = {(row.feature, row.label): row.changes for row in comparison.links.itertuples()}
    before, after = set(first.evidence), set(second.evidence)
    assert {pair for pair, its in links.items() if its == ("came",)} == after - before
    assert {pair for pair, its in links.items() if its == ("went",)} == before - after
    assert {pair for pair, its in links.items() if its == ("same",)} == before & after
    # The other way round, what came went.
    turned = engine.compare_runs(second, first)
    assert changed(turned)["came"] == {"a"} and changed(turned)["went"] == {"b"}
    assert comparison.is_same_rows and comparison.setting_values == {} and comparison.roles == {}


def test_signs_and_grades_of_links_in_both() -> None:
    circle, head, tail = EndMark.CIRCLE, EndMark.ARROWHEAD, EndMark.TAIL
    table = table_of("abcd", "X")
    first = result_of(
        "aX bX cX dX",
        table,
        {"aX": EdgeMarks(tail, head), "bX": EdgeMarks(circle, head), "cX": EdgeMarks(tail, head, True)},
    )
    second = result_of(
        "aX bX cX dX",
        table,
        {"aX": EdgeMarks(head, tail), "bX": EdgeMarks(tail, head), "cX": EdgeMarks(tail, head, True)},
    )
    signs = ({"aX": Sign.MORE, "bX": Sign.LESS, "dX": Sign.MORE}, {"aX": Sign.MORE, "bX": Sign.MORE})

    class Signs:
        def __init__(self, sign_of: dict[str, Sign]) -> None:
            self.known = sign_of

        def association_sign(self, feature: str, label: str) -> AssociationSign:
            return AssociationSign(self.known.get(feature + label, Sign.UNCLEAR), label, feature, "yes")

    for result, sign in zip((first, second), signs, strict=True):
        object.__setattr__(result, "effects", Signs(sign))
    comparison = engine.compare_runs(first, second, NAMES)
    # Of d the sign is unclear in the second run, which says nothing.
    assert changed(comparison) == {"grade": {"a", "b"}, "sign": {"b"}, "same": {"c", "d"}}
    contrary = {link.feature for link in comparison.link_changes if link.is_contrary}
    assert contrary == {"a"}
    assert any(
        line.startswith("Not both runs can be right about the direction of 1")
        for line in comparison_lines(comparison)
    )
    row = next(row for row in comparison.links.itertuples() if row.feature == "b")
    assert (row.grade_first, row.grade_second) == ("not an effect", "cause")
    assert (row.sign_first, row.sign_second) == ("less with more", "more with more")


def test_signs_are_compared_as_of_the_same_event() -> None:
    """Exposure makes "ill" more likely in both runs; the second speaks of "well", and of the unexposed."""
    random = np.random.default_rng(0)
    exposed = random.random(800) < 0.5
    ill = random.random(800) < 0.2 + 0.4 * exposed
    frame = pandas.DataFrame(
        {
            "exposed": np.where(exposed, "yes", "no"),
            "state": np.where(ill, "ill", "well"),
            "x": random.random(800),
        }
    )
    results = []
    for events in ({}, {"state": "well"}, {"state": "well", "exposed": "no"}):
        table = engine.Dataset.from_frame(frame, labels=["state"], events=events)
        result = engine.discover(table)
        results.append(result.with_effects(engine.effects(table, result)))
    for later in results[1:]:
        comparison = engine.compare_runs(results[0], later)
        assert changed(comparison) == {"same": {"exposed"}}
    (row,) = engine.compare_runs(results[0], results[1]).links.itertuples()
    assert row.association_first == "state = ill: more likely with exposed = yes"
    assert row.association_second == "state = well: less likely with exposed = yes"


def test_what_a_run_cannot_have_found_neither_came_nor_went() -> None:
    first = result_of("aX aY bX cX dX eX", table_of("abcdefg", "XYZ", ignored="h"))
    second = result_of(
        "aX fX hX gW", table_of("acfgh", "XZWe", rows=30, ignored="d"), unfinished_labels=("Z",)
    )
    comparison = engine.compare_runs(first, second, NAMES)
    absences = {(change.feature, change.label): change.absence for change in comparison.link_changes}
    assert absences == {
        ("a", "X"): None,
        ("a", "Y"): Absence.NO_LABEL,
        ("b", "X"): Absence.NO_VARIABLE,
        ("c", "X"): Absence.NOT_FOUND,
        ("d", "X"): Absence.NO_VARIABLE,
        ("e", "X"): Absence.IS_LABEL,
        ("f", "X"): Absence.NOT_FOUND,
        ("h", "X"): Absence.NO_VARIABLE,
        ("g", "W"): Absence.NO_LABEL,
    }
    # Of the labels that both have, a serves the same one: that it was common makes no difference.
    assert changed(comparison) == {
        "same": {"a"},
        "went": {"c"},
        "came": {"f"},
        "not compared": {"b", "d", "e", "g", "h"},
    }
    text = "\n".join(comparison_lines(comparison))
    assert "“after” searched 30 rows, and “before” 40." in text and "in “after” for lack of rows" in text
    assert "need not itself be significant" in text and "“after” was stopped" in text
    assert comparison.rows == (40, 30) and comparison.is_same_rows is False
    unfinished = engine.compare_runs(result_of("aZ", first.dataset), second)
    absences = {change.label: change.absence for change in unfinished.link_changes if change.feature == "a"}
    assert absences["Z"] is Absence.UNFINISHED


def test_what_stands_in_the_place_of_what_went() -> None:
    table = table_of("abcd", "XY")
    comparison = engine.compare_runs(
        result_of("aX bY", table), result_of("cX dY", table, alike="ac bd"), NAMES
    )
    instead = {change.feature: change.in_its_place for change in comparison.feature_changes}
    assert instead == {"a": ("c",), "b": ("d",), "c": ("a",), "d": ("b",)}
    assert "a (c)" in "\n".join(comparison_lines(comparison))


def test_rows_are_told_apart_by_labels() -> None:
    table = engine.simulate(labels=2, features=6, rows=300, seed=1).dataset
    women, men = table.select_rows(range(150)), table.select_rows(range(150, 300))
    of_women, of_men, whole = (engine.discover(subgroup) for subgroup in (women, men, table))
    assert engine.compare_runs(of_women, of_men).is_same_rows is False
    assert engine.compare_runs(of_women, of_men).rows == (150, 150)
    assert engine.compare_runs(whole, of_women).is_same_rows is False
    narrower = engine.discover(table.with_roles({table.features[0]: engine.Role.IGNORED}))
    comparison = engine.compare_runs(whole, narrower)
    assert comparison.is_same_rows is True
    assert comparison.roles == {table.features[0]: ("feature", "ignored")}
    with pytest.raises(InvalidParameter, match="no column in common"):
        engine.compare_runs(whole, result_of("", table_of("ab", "Q")))
    with pytest.raises(InvalidParameter, match="both runs are called"):
        engine.compare_runs(whole, of_women, ("a", "a"))


def test_the_command_compares_files_folders_and_projects(tmp_path: Path, capsys) -> None:
    table = engine.simulate(labels=3, features=10, rows=400, seed=2).dataset
    settings = [engine.DiscoverySettings(alpha=level) for level in (0.001, 0.2)]
    strict, lenient = (engine.discover(table, setting) for setting in settings)
    for name, result in (("strict", strict), ("lenient", lenient)):
        engine.export(result, tmp_path / name, preparation=engine.PreparationSettings())
    runs = [engine.Run("α 0.2", settings[1], lenient, engine.PreparationSettings())]
    (tmp_path / "b#2").mkdir()
    for name in ("a.clcd", "b#2/a.clcd"):
        engine.save_project(tmp_path / name, engine.Project(dataset=table, runs=runs))
    before, after = (
        set(zip(run.links["feature"], run.links["label"], strict=True)) for run in (strict, lenient)
    )
    assert after - before
    out = tmp_path / "out"
    projects = ("a.clcd", "a.clcd#α 0.2", "b#2/a.clcd", "b#2/a.clcd#α 0.2")
    for second in ("lenient", "lenient/result.json", *projects):
        words = [str(tmp_path / "strict"), str(tmp_path / second)]
        assert main(["compare", *words, "--out", str(out)]) == 0
        output = capsys.readouterr().out
        assert "Significance level (α) is 0.001" in output and "appeared" in output
        content = json.loads((out / "comparison.json").read_text(encoding="utf-8"))
        pairs = {(link["feature"], link["label"]): link["changes"] for link in content["links"]}
        assert {pair for pair, changes in pairs.items() if changes == ["came"]} == after - before
        assert content["settings"] == [{"setting": "alpha", "first": 0.001, "second": 0.2}]
        assert content["same_rows"] is True
    page = (out / "comparison.html").read_text(encoding="utf-8")
    assert "Significance level (α) is 0.001 in “strict” and 0.2 in “α 0.2”." in page
    assert all(feature in page for feature, _ in after)
    assert (out / "variables.csv").read_text(encoding="utf-8").startswith("feature,changes,type_first")
    for words, message in (
        (["nowhere", "strict"], "there is no such file. Check the path."),
        (["strict", "a.clcd#none"], "The runs are: α 0.2."),
        (["strict", "strict/common.csv"], "Name a result.json that this program wrote."),
        (["strict", "strict"], "this is the same run twice. Name another run to compare with."),
    ):
        paths = [str(tmp_path / word) for word in words]
        assert main(["compare", *paths, "--out", str(out)]) == 2
        errors = capsys.readouterr().err
        assert len(errors.splitlines()) == 1 and message in errors
    damaged = json.loads((tmp_path / "strict/result.json").read_text(encoding="utf-8"))
    damaged["data"]["variables"][0]["kind"] = "colour"
    (tmp_path / "damaged.json").write_text(json.dumps(damaged))
    with pytest.raises(UnreadableFile, match="damaged"):
        engine.compare_runs(strict, _read(tmp_path / "damaged.json"))


def _read(path: Path) -> engine.DiscoveryResult:
    from engine.reporting.result_file import read_result

    return read_result(path)
