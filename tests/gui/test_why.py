"""Why?: one text with its picture, what tells the same from either side, and what would change a finding."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor, QTextDocument, QTextTable
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from scipy.stats import chi2_contingency, false_discovery_control

import engine
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.document.templates import _environment
from clcd_gui.evidence.answers import EvidenceText, is_found, what_would_change
from clcd_gui.evidence.explanation import Explainer
from clcd_gui.evidence.panel import EvidencePanel
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.text import scaled
from clcd_gui.widgets.labels import LinkedText
from clcd_gui.wording.text import BREAK, NO_BREAK, NUMBERS
from engine.discovery.effects.estimates import Estimand
from engine.discovery.evidence import DecidedBy, Rule
from engine.discovery.result import DiscoveryResult
from engine.independence.record import TestRecord
from engine.wording.phrases import plain
from tests.gui.results_factory import make_result
from tests.gui.workspaces import make_workspace, show_result

SURVEY = Path(__file__).resolve().parents[2] / "resources" / "examples" / "hospital-survey.csv"
LEVELS = (0.0001, 0.001, 0.01, 0.05, 0.2)


@pytest.fixture(scope="module")
def at_levels() -> dict[float, DiscoveryResult]:
    """Weak links among categories, so that findings come and go with the level."""
    table = engine.simulate(labels=3, features=14, rows=250, seed=5).dataset
    session = engine.DiscoverySession(table)
    return {level: session.discover(engine.DiscoverySettings(alpha=level)) for level in LEVELS}


def changes(result: DiscoveryResult, at_levels: dict[float, DiscoveryResult], pair: tuple[str, str]) -> str:
    return " ".join(plain(phrase) for phrase in what_would_change(result, at_levels, *pair))


def test_levels_at_which_a_finding_comes_or_goes_are_those_that_were_searched(
    at_levels: dict[float, DiscoveryResult],
) -> None:
    result = at_levels[0.01]
    pairs = {pair for result in at_levels.values() for pair in result.evidence}
    kinds = set()
    for pair in sorted(pairs):
        truth = {level: pair in result.evidence for level, result in at_levels.items()}
        assert truth == {level: is_found(result, *pair) for level, result in at_levels.items()}
        words = changes(result, at_levels, pair)
        present = [level for level, is_present in truth.items() if is_present]
        absent = [level for level, is_present in truth.items() if not is_present]
        if not absent:
            assert "All 4 searches at other levels, from 0.0001 to 0.2, find it too." in words
        elif max(absent) < min(present):
            below = " and below" if len(absent) > 1 else ""
            assert f"Searches at α = {max(absent):g}{below} do not find it" in words
            assert f"those from {min(present):g} on do" in words
        elif max(present) < min(absent):
            assert f"Searches up to α = {max(present):g} find it" in words
            assert f"those at {min(absent):g}" in words
        else:
            assert f"it is not found at {', '.join(f'{level:g}' for level in absent)}" in words
        kinds.add((not absent, pair in result.evidence))
    assert {(True, True), (False, True), (False, False)} <= kinds
    never = next(
        (feature, label)
        for label in result.dataset.labels
        for feature in result.dataset.features
        if (feature, label) not in pairs
    )
    assert "None of 4 searches at other levels" in changes(result, at_levels, never)
    # Without other searches nothing is claimed of other levels.
    assert changes(result, {}, never) == (
        "To see at which significance level it is found, move the slider of α."
    )
    assert changes(result, {0.01: result}, never) == changes(result, {}, never)


def test_the_level_down_to_which_tests_stand_is_their_own(at_levels: dict[float, DiscoveryResult]) -> None:
    result = at_levels[0.2]
    dataset, checked = result.dataset, 0
    frame = dataset.frame
    for pair, (reason, *_) in result.evidence.items():
        if reason.rule is not Rule.NEIGHBOUR or reason.recovered:
            continue
        feature, label = pair
        others = [name for name in dataset.names if name != label]
        p_values = []
        for variable in others:
            counts = frame.groupby([variable, label], observed=True).size().unstack(fill_value=0)
            p_values.append(chi2_contingency(counts, correction=False, lambda_="log-likelihood").pvalue)
        q_value = false_discovery_control(p_values)[others.index(feature)]
        given = max((test.p_value for test in reason.tests if test.given), default=0.0)
        level = max(q_value, given)
        words = changes(result, {}, pair).replace(NO_BREAK, " ")
        if 0.0001 <= level <= 0.2:
            assert (
                f"remains down to a significance level of about {NUMBERS.p(level, math.log(level))}" in words
            )
            assert ("the q of its association" in words) == (q_value > given)
            checked += 1
        elif level < 0.0001:
            assert "far from the limit" in words
    assert checked >= 3


def test_a_label_says_how_many_are_linked_to_it_and_how_many_to_it_alone(qapp: QApplication) -> None:
    result = make_result()
    with_own = 0
    for label in result.dataset.labels:
        of_label = [labels for labels in result.label_sets.values() if label in labels]
        count, alone = len(of_label), sum(len(labels) == 1 for labels in of_label)
        text = EvidenceText(result).write(SelectedPair(None, label))
        assert " on it alone" not in text
        assert (f", {alone} of them to no other label" in text) is (0 < alone < count)
        with_own += alone > 0
    assert with_own


def test_what_a_column_holds_stands_below_its_name(qapp: QApplication) -> None:
    result = make_result()
    told = {name: f"Question on <{name}>?" for name in result.dataset.names}
    variables = tuple(
        replace(variable, description=told[variable.name]) for variable in result.dataset.variables
    )
    result = replace(result, dataset=replace(result.dataset, variables=variables))
    feature, label = next((name, min(labels)) for name, labels in result.label_sets.items())
    for feature_asked, label_asked in ((feature, None), (None, label), (feature, label)):
        page = EvidenceText(result).write(SelectedPair(feature_asked, label_asked))
        document = QTextDocument()
        document.setHtml(page)
        text = document.toPlainText().replace(BREAK, "")
        for name in filter(None, (feature_asked, label_asked)):
            assert told[name] in text


def test_figures_of_a_test_stand_apart_in_a_narrow_panel(qtbot) -> None:
    """A p-value has spaces in it: degrees of freedom before it must not look like a part of it."""
    result = make_result()
    text = EvidenceText(result)
    feature, label = next(iter(result.evidence))
    browser = LinkedText(lambda: text.write(SelectedPair(feature, label)))
    qtbot.addWidget(browser)
    browser.resize(120, 600)
    browser.show()
    space = browser.fontMetrics().horizontalAdvance(" ")
    tables = [
        frame for frame in browser.document().rootFrame().childFrames() if isinstance(frame, QTextTable)
    ]
    rows = [(table, row) for table in tables for row in range(2, table.rows(), 2) if table.columns() == 4]
    assert rows
    for table, row in rows:
        degrees, p_value = (table.cellAt(row, column) for column in (1, 2))
        before = browser.cursorRect(degrees.lastCursorPosition())
        behind = browser.cursorRect(p_value.firstCursorPosition())
        assert before.top() == behind.top()
        assert behind.left() - before.left() > 2 * space


@pytest.mark.parametrize("size", [1.0, 1.5])
def test_figures_of_a_test_have_room_in_the_narrowest_panel(qtbot, size: float) -> None:
    workspace, result = make_workspace(), make_result()
    pair, reasons = next(iter(result.evidence.items()))
    test = replace(reasons[0].tests[0], statistic=144.5, dof=3.0, p_value=4e-31, log_p=math.log(4e-31))
    changed_reasons = (replace(reasons[0], tests=(test, *reasons[0].tests[1:])), *reasons[1:])
    result = replace(result, evidence={**result.evidence, pair: changed_reasons})
    panel = EvidencePanel(workspace)
    qtbot.addWidget(panel)
    panel.setFont(scaled(panel.font(), size))
    show_result(workspace, result)
    panel.show()
    panel.resize(panel.minimumWidth(), 700)
    workspace.highlight.select(*pair)
    qtbot.waitUntil(lambda: panel.browser.document().blockCount() > 5)
    qtbot.waitUntil(lambda: panel.browser.horizontalScrollBar().maximum() == 0)


def test_either_of_two_names_the_other_with_every_figure(qapp: QApplication) -> None:
    result = make_result()
    text = EvidenceText(result)
    for record in (*result.equivalence_records, *result.undistinguished_records):
        tests = (
            record.target_in_boundary,
            record.target_equivalent,
            record.equivalent_given_boundary,
            record.boundary_given_equivalent,
        )
        for members, others in (
            (record.in_boundary, record.equivalent),
            (record.equivalent, record.in_boundary),
        ):
            page = (
                text.write(SelectedPair(members[0], record.target)).replace(NO_BREAK, " ").replace(BREAK, "")
            )
            assert all(name in page for name in others)
            for test in tests:
                assert NUMBERS.p(test.p_value, test.log_p) in page
                assert NUMBERS.statistic(test.statistic) in page


def test_sets_that_stand_jointly_are_named_as_sets(qapp: QApplication) -> None:
    result = make_result()
    record = result.equivalence_records[0]
    unused = [name for name in result.dataset.features if name not in result.label_sets][:2]
    joint = replace(record, equivalent=(record.equivalent[0], unused[0]))
    page = EvidenceText(replace(result, equivalence_records=(joint,)))
    for member in (record.in_boundary[0], record.equivalent[0], unused[0]):
        answer = re.sub("<[^>]*>", "", page.write(SelectedPair(member, record.target))).replace(BREAK, "")
        assert (
            f"{record.equivalent[0]} and {unused[0]}"
            in answer.split("Interchangeable or not distinguishable")[1]
        )


def click_after(window: MainWindow, before: str, words: str) -> None:
    """Click on words of the panel that come after others."""
    browser = window.why.browser
    start = browser.document().find(before)
    assert not start.isNull()
    passage = browser.document().find(words.split()[-1], start)
    browser.setTextCursor(passage)
    browser.ensureCursorVisible()
    cursor = QTextCursor(passage)
    cursor.setPosition(passage.position() - 1)
    QTest.mouseClick(browser.viewport(), Qt.MouseButton.LeftButton, pos=browser.cursorRect(cursor).center())


def test_another_one_is_preferred_where_it_is_explained_and_back(surveyed: MainWindow, qtbot) -> None:
    document, browser = surveyed.session.document, surveyed.why.browser
    surveyed.highlight.select("Shift allowance", "Trouble sleeping")
    answer = browser.toPlainText().replace(BREAK, "")
    assert "Prefer: Shift allowance, Night shifts, none" in answer or (
        "Prefer: Night shifts, Shift allowance, none" in answer
    )
    click_after(surveyed, "Prefer:", "Night shifts")
    assert document.analysis.preferred == ("Night shifts",)
    assert document.result.findings.by_feature["Shift allowance"].led_by == "Night shifts"
    click_after(surveyed, "Prefer:", "none")
    assert document.analysis.preferred == ()
    document.undo_stack.undo()
    assert document.result.preferred == ("Night shifts",)
    document.undo_stack.undo()
    assert document.result.preferred == ()
    # What was shown anew is searched at other levels meanwhile.
    qtbot.waitUntil(lambda: not surveyed.session.controller.ahead.live_threads)


def test_the_picture_is_scrolled_with_the_text_and_hides_none_of_it(surveyed: MainWindow, qtbot) -> None:
    browser = surveyed.why.browser
    surveyed.highlight.select("Night shifts", "Trouble sleeping")
    chart, document = browser.chart, browser.document()
    qtbot.waitUntil(lambda: chart.isVisible() and chart.height() > 60)
    for width in (1100, 1400):
        surveyed.resize(width, 720)
        QApplication.processEvents()
        bar = browser.verticalScrollBar()
        bar.setValue(0)
        assert chart.width() <= browser.viewport().width()
        top = chart.y()
        above, below = (document.find(words) for words in ("points", "Estimated from"))
        assert browser.cursorRect(above).bottom() <= top
        assert browser.cursorRect(below).top() >= chart.geometry().bottom() - 1
        assert bar.maximum() > 0
        bar.setValue(40)
        assert chart.y() == top - bar.value()
    surveyed.highlight.select("Night shifts")
    assert not chart.isVisible(), "a variable alone has no picture"


def test_counts_beside_the_picture_are_those_of_the_table(surveyed: MainWindow) -> None:
    dataset = surveyed.session.document.result.dataset
    surveyed.highlight.select("Night shifts", "Trouble sleeping")
    lines = surveyed.why.browser.toPlainText().replace(BREAK, "").split("\n")
    start = lines.index("of these yes")
    frame = dataset.frame
    for place, level in enumerate(("no", "yes")):
        has = (frame["Night shifts"] == level).to_numpy()
        ill = (frame["Trouble sleeping"] == "yes").to_numpy()
        row = [level, str(has.sum()), str(np.logical_and(has, ill).sum())]
        assert lines[start + 1 + 3 * place : start + 4 + 3 * place] == row
    assert "Estimated from the same 800 rows as the search" in " ".join(lines)


def test_a_finding_whose_interval_includes_no_difference_says_why_it_stands(surveyed: MainWindow) -> None:
    result = surveyed.session.document.result
    text = EvidenceText(result)
    told = set()
    for pair, reasons in result.findings.evidence.items():
        page = text.write(SelectedPair(*pair))
        size = result.effects.of(*pair)[Estimand.ASSOCIATION]
        includes = size.leading.low <= size.leading.measure.without_link <= size.leading.high
        assert ("includes no difference" in page) == (includes and reasons[0].deciding is not None), pair
        curve = "from a curve fitted to the rows" if size.is_curve else "from the rows with each level"
        assert curve in page
        told.add(includes)
    assert told == {True, False}


def test_no_test_is_named_if_a_score_decided(surveyed: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    result = surveyed.session.document.result
    pairs = [pair for pair in result.findings.evidence if _includes_no_difference(EvidenceText(result), pair)]
    by_tests = type(result).reasons
    monkeypatch.setattr(
        type(result),
        "reasons",
        lambda *pair: tuple(replace(reason, decided_by=DecidedBy.SCORE) for reason in by_tests(*pair)),
    )
    assert pairs and not any(_includes_no_difference(EvidenceText(result), pair) for pair in pairs)


def _includes_no_difference(text: EvidenceText, pair: tuple[str, str]) -> bool:
    return "includes no difference" in text.write(SelectedPair(*pair))


def test_degrees_of_freedom_that_are_no_count_are_said_to_be_effective(surveyed: MainWindow) -> None:
    explainer = Explainer(surveyed.session.document.result)
    test = TestRecord("ill", ("dose",), (), 11.4, 1.2, 7e-4, -7.26, 0.2, 400)
    assert "1.2 effective degrees of freedom" in explainer.figures(test)
    assert "1 degree of freedom" in explainer.figures(replace(test, dof=1.0))
    assert "3 degrees of freedom" in explainer.figures(replace(test, dof=3.0))


def test_counts_of_five_levels_stand_in_lines_that_are_read() -> None:
    """Beside each other their names had a few letters a line in the panel."""
    levels = ("strongly disagree", "somewhat disagree", "neither", "somewhat agree", "strongly agree")
    titles = tuple(f"of these {level}" for level in levels)
    counted = (titles, [(f"level {row}", "160", ["30", "35", "40", "45", "10"]) for row in "ab"])
    page = _environment().from_string('{% import "pieces.html" as write %}{{ write.counts(counted) }}')
    panel = LinkedText(lambda: page.render(counted=counted))
    panel.document().setTextWidth(230)
    assert panel.document().size().width() <= 230
    block, lines = panel.document().begin(), {}
    while block.isValid():
        lines[block.text().replace(BREAK, "")] = block.layout().lineCount()
        block = block.next()
    assert {lines[title] for title in titles} == {1}
