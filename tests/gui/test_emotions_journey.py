"""Emotions by clicks: what was found, which way, how large, what is known, and pictures in files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from clcd_gui.resource_path import resource_path
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.wording.text import BREAK, NO_BREAK, NUMBERS
from engine.boundaries.markov_boundary import LinkKind
from engine.discovery.effects.estimates import Estimand
from engine.discovery.effects.size_words import SIGN_SYMBOLS, amount_text, figure_text
from engine.discovery.orientation.direction import Because, Grade
from engine.reporting.figures.chart import CurvePanel
from engine.reporting.figures.graph import EdgeKind
from tests.gui.test_journey import EMOTIONS_LABELS, click
from tests.gui.test_knowledge import type_into
from tests.gui.test_sizes import IntoFolder


@pytest.fixture
def searched_window(window: MainWindow, dialogs, qtbot, shared_data: Path) -> MainWindow:
    """Opened, its labels taken over, searched and measured by three clicks."""
    dialogs.table = shared_data / "emotions" / "emotions.arff"
    with qtbot.waitSignal(window.session.opening.opened):
        click(window.start_page.primary)
    click(window.page("data").primary)
    run(window, qtbot)
    session = window.session
    qtbot.waitUntil(lambda: session.document.result.effects is not None, timeout=120_000)
    qtbot.waitUntil(lambda: not session.controller.sizes.is_busy, timeout=120_000)
    qtbot.waitUntil(lambda: window.page("results").is_filled)
    return window


def run(window: MainWindow, qtbot) -> None:
    window.go("data")
    with qtbot.waitSignal(window.session.running.finished, timeout=180_000):
        click(window.page("data").primary)
    qtbot.waitUntil(lambda: window.page("results").is_filled)


def why(window: MainWindow) -> str:
    return window.why.browser.toPlainText().replace(BREAK, "").replace(NO_BREAK, " ")


def test_what_was_found_is_shown_and_a_tier_is_set_and_undone(
    searched_window: MainWindow, tmp_path: Path, qtbot
) -> None:
    check_sign_size_interval_picture_and_grade(searched_window, tmp_path, qtbot)
    check_what_the_guide_says_of_opposite_moods(searched_window, qtbot)
    set_and_undo_a_tier(searched_window, qtbot)


def check_sign_size_interval_picture_and_grade(searched_window: MainWindow, tmp_path: Path, qtbot) -> None:
    page, result = searched_window.page("results"), searched_window.session.document.result
    page.tabs.setCurrentWidget(page.label_specific)
    table, model = page.label_specific.table, page.label_specific.model
    titles = [column.title for column in model.columns]
    for row in range(min(model.rowCount(), 5)):
        place = table.visualRect(model.index(row, 0)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        finding = model.finding_at(row)
        assert searched_window.highlight.pair.feature == finding.feature
        label = finding.labels[0]
        size = finding.sizes[0][Estimand.ASSOCIATION]
        sign, leading = SIGN_SYMBOLS[finding.signs[0]], size.leading
        amount = amount_text(leading.estimate, leading.measure, NUMBERS)
        ends = [figure_text(end, leading.measure, NUMBERS) for end in (leading.low, leading.high)]
        assert model.index(row, titles.index("Sign")).data().lstrip("(").startswith(sign)
        shown = model.index(row, titles.index("Estimate")).data()
        assert amount in shown and all(end in shown for end in ends)
        answer = why(searched_window)
        # Direction and estimate come first, before the picture, and all else behind it.
        beginning = answer[: answer.index("Estimated from")]
        assert sign == "?" or f"{sign} {label} = {leading.label_level}" in beginning
        figures = [figure.strip("+−").split()[0] for figure in (amount, *ends)]
        assert all(figure in beginning for figure in figures)
        if finding.kinds[0] is LinkKind.DIRECT:
            assert "What would change it" in answer and finding.reasons[0].rule.symbol in answer
        else:
            assert f"{finding.feature} is linked to {label}" in answer.replace(BREAK, "")
        chart = searched_window.why.browser.chart
        assert chart.isVisible() and isinstance(chart.chart.panels[0], CurvePanel)
        qtbot.waitUntil(lambda chart=chart: chart.is_drawn)
        assert chart.canvas is not None and chart.canvas.plots
    graded = [
        orientation
        for orientation in result.orientation_records.values()
        if orientation.grade is not Grade.UNDECIDED
    ]
    for orientation in graded[:3]:
        searched_window.highlight.select(orientation.feature, orientation.label)
        assert "Even if a common cause is unmeasured" in why(searched_window)
    assert searched_window.why.isVisible()

    charts = page.charts
    page.tabs.setCurrentWidget(charts)
    for view, chart in (("sizes", charts.forest), ("sets", charts.label_sets)):
        click(charts.views.buttons[view])
        chart.dialogs = IntoFolder(tmp_path)
        with qtbot.waitSignal(chart.written, timeout=60_000):
            chart.actions_by_ending[".pdf"].trigger()
        text = PdfReader(tmp_path / f"{chart.file_name}.pdf").pages[0].extract_text()
        assert sum(label in text for label in EMOTIONS_LABELS) >= 3


def check_what_the_guide_says_of_opposite_moods(searched_window: MainWindow, qtbot) -> None:
    guide = resource_path("help", "guide", "links-through-labels.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S+), (\S+) \| (Mean_.*) \|$", guide, re.MULTILINE)
    page, result = searched_window.page("results"), searched_window.session.document.result
    size = (result.dataset.row_count, len(result.dataset.features), len(result.dataset.labels))
    assert "{} songs, {} features of sound and {} moods".format(*size) in guide
    linked = {(name, mood) for *moods, names in rows for name in names.split(", ") for mood in moods}
    assert len(rows) == 2 and len(linked) == 6
    through = {pair for pair in linked if pair in result.links_through_labels}
    short = {pair: pair[0].rpartition("Mem40_")[2].replace("_", " ") for pair in through}
    assert sorted((short[pair], pair[1]) for pair in through) == [
        ("MFCC 0", "amazed-suprised"),
        ("MFCC 1", "angry-aggresive"),
        ("MFCC 1", "relaxing-calm"),
        ("Rolloff", "amazed-suprised"),
    ]
    overview = page.overview.toPlainText().replace(BREAK, "")
    page.tabs.setCurrentWidget(page.grid)
    grid = page.grid.grid
    places = ((row, column) for row in range(grid.grid.row_count) for column in range(grid.grid.column_count))
    cells = [grid.describe(*place) for place in places]
    page.tabs.setCurrentWidget(page.graph)
    qtbot.waitUntil(lambda: bool(page.graph.view.graph.edges))
    lines = {(line.edge.start, line.edge.end): line.edge.kind for line in page.graph.view.graph.edges}
    for name, mood in linked:
        assert name in result.total_label_sets and mood in result.total_label_sets[name]
        (kind,) = {lines[pair] for pair in ((name, mood), (mood, name)) if pair in lines}
        assert (kind is EdgeKind.THROUGH_LABELS) is ((name, mood) in through)
        (cell,) = (words for words in cells if words.startswith(f"{name}\n{mood}\n"))
        assert ("linked, without the other labels" in cell) is ((name, mood) in through)
        assert (name, mood) not in through or not result.links_through_labels[name, mood].through
    assert "no tested set of labels explains it" in overview


def set_and_undo_a_tier(searched_window: MainWindow, qtbot) -> None:
    document, page = searched_window.session.document, searched_window.page("results")
    before = document.result
    searched_window.session.live.set_wanted(False)
    searched_window.go("data")
    searched_window.page("data").tabs.setCurrentWidget(searched_window.page("data").knowledge)
    panel = searched_window.page("data").knowledge
    type_into(panel.patterns[1], "Mean_*")
    type_into(panel.patterns[2], ", ".join(sorted(EMOTIONS_LABELS)))
    assert len(document.analysis.knowledge.tiers) == 2
    searched_window.go("results")
    assert page.stale_notice.isVisible() and "background knowledge" in page.stale_notice.text.lower()
    run(searched_window, qtbot)
    with_knowledge = document.result
    assert with_knowledge.evidence == before.evidence, "knowledge changes directions, and not who is found"
    before_moods = [
        orientation
        for orientation in with_knowledge.orientation_records.values()
        if orientation.feature.startswith("Mean_")
    ]
    # What comes before a mood is no effect of it.
    effects = (Grade.EFFECT, Grade.EFFECT_NOTHING_HIDDEN, Grade.NOT_CAUSE)
    assert not [mood for mood in before_moods if mood.grade in effects]
    known_directions = [mood for mood in before_moods if mood.because is Because.KNOWLEDGE]
    assert known_directions and all(direction.grade is not Grade.UNDECIDED for direction in known_directions)
    searched_window.highlight.select(known_directions[0].feature, known_directions[0].label)
    assert "background knowledge given with this run" in why(searched_window)
    assert "before the data" not in why(searched_window), "runs came before it"
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.analysis.knowledge.is_empty
    run(searched_window, qtbot)
    again = document.result
    assert again.knowledge is None
    assert {pair: orientation.grade for pair, orientation in again.orientation_records.items()} == {
        pair: orientation.grade for pair, orientation in before.orientation_records.items()
    }
