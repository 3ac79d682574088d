"""Sizes of findings in the window: measured beside it, shown in tables, in the answer to why, in charts."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QRect, Qt, QUrl
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from clcd_gui.document.navigation import SelectedPair, step_anchor
from clcd_gui.plots.grid_data import DOWN, NO_WAY, UP, GridData
from clcd_gui.results import overview_panel
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.text import scaled
from clcd_gui.style.tokens import SPACE, TEXT_SMALL
from clcd_gui.widgets.dialogs import ExportDialogs
from clcd_gui.widgets.finding_table_model import DETAILS_ROLE, LINES_ROLE
from engine.discovery.effects.estimates import Estimand
from engine.discovery.findings import Findings
from engine.reporting.figures.chart import RowPanel, SetPanel
from engine.reporting.figures.graph import EdgeKind


class IntoFolder(ExportDialogs):
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def choose_file(self, parent: QWidget | None, title: str, suggested: Path) -> Path | None:
        return self.folder / suggested.name


def test_tables_overview_and_why_say_how_large(surveyed: MainWindow) -> None:
    page, result = surveyed.page("results"), surveyed.session.document.result
    model = page.label_specific.model
    titles = [column.title for column in model.columns]
    for row in range(model.rowCount()):
        finding = model.finding_at(row)
        size = result.effects.of(finding.feature, finding.labels[0])[Estimand.ASSOCIATION]
        points = round(100 * abs(size.leading.estimate))
        assert f"{points} points" in model.index(row, titles.index("Estimate")).data()
        sign = model.index(row, titles.index("Sign")).data()
        assert sign.startswith("↗") == (size.leading.estimate > 0)
    overview = page.overview.toPlainText()
    assert "points" in overview
    # The overview names none that the tables show under another one.
    by_label = overview.partition("By label")[2].partition("Causes and effects")[0]
    folded = [finding.feature for finding in result.counted_findings.all if finding.led_by is not None]
    assert folded and not any(name in by_label for name in folded)
    # The first finding is asked about at once, with its picture.
    pair = surveyed.highlight.pair
    assert pair.feature == result.findings.all[0].feature and surveyed.why.browser.chart.isVisible()
    (panel,) = surveyed.why.browser.chart.chart.panels
    assert panel.title.startswith(pair.label)


@pytest.mark.parametrize("view", ["common", "label_specific"])
def test_sizes_are_seen_whole_in_larger_text(surveyed: MainWindow, qtbot, view: str) -> None:
    surveyed.resize(1024, 700)
    page = surveyed.page("results")
    panel = getattr(page, view)
    page.tabs.setCurrentWidget(panel)
    table, model = panel.table, panel.model
    surveyed.theme.set_zoom(1.5)
    qtbot.waitUntil(lambda: not surveyed.theme._later.is_waiting)
    titles = [column.title for column in model.columns]
    size, width = titles.index("Estimate"), table.fontMetrics().horizontalAdvance
    assert surveyed.why.isVisible()
    assert table.columnViewportPosition(size) + table.columnWidth(size) <= table.viewport().width()
    room = QRect(0, 0, table.columnWidth(size) - 2 * SPACE, 0)
    for row in range(model.rowCount()):
        index = model.index(row, size)
        for text in (*index.data(LINES_ROLE), *index.data(DETAILS_ROLE)):
            box = table.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text)
            assert box.width() <= room.width() and box.height() <= 2 * table.fontMetrics().height()
        # Names are not cut for it, nor any word, which cannot be broken.
        assert width(max(str(model.index(row, 0).data()).split(), key=width)) < table.columnWidth(0)
        signs = model.index(row, titles.index("Sign"))
        words = " ".join(signs.data(LINES_ROLE)).split()
        assert max(map(width, words)) + 2 * SPACE <= table.columnWidth(titles.index("Sign"))
    surveyed.theme.set_zoom(1.0)
    qtbot.waitUntil(lambda: not surveyed.theme._later.is_waiting)


def test_forest_and_label_sets_are_looked_at_and_saved(surveyed: MainWindow, qtbot, tmp_path: Path) -> None:
    page, result = surveyed.page("results"), surveyed.session.document.result
    charts = page.charts
    page.tabs.setCurrentWidget(charts)
    leading = [size for size in result.effects.sizes if size.leading is not None]
    marks = [mark for panel in charts.forest.view.chart.panels for mark in panel.marks]
    assert len(marks) == len(leading)
    label = result.dataset.labels[2]
    charts.shown_box.setCurrentText(label)
    (panel,) = charts.forest.view.chart.panels
    assert isinstance(panel, RowPanel) and panel.title.startswith(label)
    feature = result.findings.common[0].feature
    charts.shown_box.setCurrentIndex(1)
    surveyed.highlight.select(feature)
    names = [name for panel in charts.forest.view.chart.panels for name in panel.rows]
    assert names and all(name.startswith(feature) for name in names)
    charts.shown_box.setCurrentIndex(0)
    for view, chart, kind in (("sizes", charts.forest, RowPanel), ("sets", charts.label_sets, SetPanel)):
        QTest.mouseClick(charts.views.buttons[view], Qt.MouseButton.LeftButton)
        assert isinstance(chart.view.chart.panels[0], kind)
        chart.dialogs = IntoFolder(tmp_path)
        with qtbot.waitSignal(chart.written, timeout=60_000):
            chart.actions_by_ending[".pdf"].trigger()
        text = PdfReader(tmp_path / f"{chart.file_name}.pdf").pages[0].extract_text()
        assert all(label in text for label in ("Headache", "Back pain"))
    assert page.export_notice.isVisible()


@pytest.mark.usefixtures("nothing_is_drawn_here")
@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_pictures_of_charts_are_drawn_by_another_process(
    surveyed: MainWindow, tmp_path: Path, qtbot, ending: str
) -> None:
    chart = surveyed.page("results").charts.forest
    chart.dialogs = IntoFolder(tmp_path)
    with qtbot.waitSignal(chart.written, timeout=60_000):
        chart.actions_by_ending[ending].trigger()
    assert (tmp_path / f"{chart.file_name}{ending}").stat().st_size > 0


def test_charts_say_why_there_is_no_size(surveyed: MainWindow, qtbot) -> None:
    page, result = surveyed.page("results"), surveyed.session.document.result
    charts, view = page.charts, page.charts.forest.view
    page.tabs.setCurrentWidget(charts)
    QTest.mouseClick(charts.views.buttons["sizes"], Qt.MouseButton.LeftButton)
    charts.shown_box.setCurrentIndex(1)
    surveyed.highlight.clear()
    qtbot.waitUntil(lambda: "No variable is selected" in view.note.text())
    absent = next(name for name in result.dataset.features if name not in result.label_sets)
    surveyed.highlight.select(absent)
    qtbot.waitUntil(lambda: view.is_drawn)
    assert view.note.text().startswith(f"{absent} is linked to no label") and not view.canvas.plots
    assert not charts.forest.save.isEnabled()
    label = result.dataset.labels[0]
    surveyed.highlight.select(None, label)
    qtbot.waitUntil(lambda: view.note.text().startswith(f"{label} is a label"))
    surveyed.highlight.select(result.findings.all[0].feature)
    qtbot.waitUntil(lambda: view.is_drawn)
    assert view.canvas.plots and charts.forest.save.isEnabled()


@pytest.mark.parametrize("view", ["common", "label_specific"])
def test_nothing_that_matters_is_scrolled_to_in_a_small_window(surveyed: MainWindow, view: str) -> None:
    surveyed.resize(1024, 700)
    page = surveyed.page("results")
    panel = getattr(page, view)
    page.tabs.setCurrentWidget(panel)
    table, model = panel.table, panel.model
    last = model.essential_columns - 1
    assert surveyed.why.isVisible() and model.columns[last].title == "Strength"
    assert table.columnViewportPosition(last) + table.columnWidth(last) <= table.viewport().width()
    # Labels are not cut for it.
    longest = max(
        (label for row in range(model.rowCount()) for label in model.finding_at(row).labels), key=len
    )
    around = table.sizeHintForIndex(model.index(0, 0)).height()
    assert around and table.columnWidth(1) >= table.fontMetrics().horizontalAdvance(longest) + 2 * SPACE


@pytest.mark.parametrize("view", ["common", "label_specific"])
def test_each_label_is_read_in_two_lines_in_a_small_window(surveyed: MainWindow, view: str) -> None:
    """The label above its event, and the estimate above its interval, each in one line."""
    surveyed.resize(1024, 700)
    page = surveyed.page("results")
    panel = getattr(page, view)
    page.tabs.setCurrentWidget(panel)
    table, model = panel.table, panel.model
    metrics, small = table.fontMetrics(), QFontMetrics(scaled(table.font(), TEXT_SMALL))
    titles = [column.title for column in model.columns]
    estimate, sign = titles.index("Estimate"), titles.index("Sign")
    for row in range(model.rowCount()):
        index = model.index(row, estimate)
        room = table.columnWidth(estimate) - 2 * SPACE
        assert index.data(LINES_ROLE) and len(index.data(DETAILS_ROLE)) == len(index.data(LINES_ROLE))
        assert max(map(metrics.horizontalAdvance, index.data(LINES_ROLE))) <= room
        assert max(map(small.horizontalAdvance, index.data(DETAILS_ROLE))) <= room
        beside = QRect(0, 0, table.columnWidth(sign) - 2 * SPACE, 0)
        for text in model.index(row, sign).data(LINES_ROLE):
            box = metrics.boundingRect(beside, Qt.TextFlag.TextWordWrap, text)
            assert box.height() <= 2 * metrics.height()
        events = model.index(row, 1).data(DETAILS_ROLE)
        assert events == ("= yes",) * len(model.finding_at(row).labels)


def test_cells_of_the_grid_show_the_direction_that_the_table_writes(surveyed: MainWindow) -> None:
    page = surveyed.page("results")
    arrows = {UP: "↗", DOWN: "↘"}
    seen = set()
    for view in (page.common, page.label_specific):
        titles = [column.title for column in view.model.columns]
        for row in range(view.model.rowCount()):
            finding, index = view.model.finding_at(row), view.model.index(row, titles.index("Sign"))
            for label, line in zip(finding.labels, index.data(LINES_ROLE), strict=True):
                data = page.grid.grid.grid
                place = data.row_of[finding.feature], data.column_of[label]
                way = int(data.ways[place])
                # What shows only when adjusted is in brackets.
                assert line[0] == arrows[way] if way else line[0] not in arrows.values(), (place, line)
                assert line.strip("()")[0] in page.grid.grid.describe(*place)
                seen.add(way)
    assert seen == {UP, DOWN, NO_WAY}


def test_lines_of_the_graph_show_the_direction_that_cells_of_the_grid_show(
    surveyed: MainWindow, qtbot
) -> None:
    """By an arrow, not by colour; what is not measured, and what shows only when adjusted, has none."""
    page = surveyed.page("results")
    page.tabs.setCurrentWidget(page.graph)
    qtbot.waitUntil(lambda: bool(page.graph.view.graph.edges))
    cells, seen = page.grid.grid.grid, set()
    for line in page.graph.view.graph.edges:
        edge = line.edge
        if edge.kind in (EdgeKind.LABEL_RELATION, EdgeKind.INTERCHANGEABLE):
            assert line.badge.way == NO_WAY and not line.badge.isVisible()
            continue
        way = int(cells.ways[cells.row_of[edge.start], cells.column_of[edge.label]])
        assert line.badge.way == way and line.badge.isVisible() == (way != NO_WAY)
        # In the middle of its line.
        assert line.shape().intersects(line.badge.mapRectToParent(line.badge.rect()))
        words = {UP: "↗", DOWN: "↘"}
        assert way == NO_WAY or words[way] in line.toolTip()
        seen.add(way)
    assert seen == {UP, DOWN, NO_WAY}


def test_the_overview_begins_with_the_first_cells_of_the_grid(surveyed: MainWindow, qtbot) -> None:
    page = surveyed.page("results")
    panel = page.overview_panel
    surveyed.go("results")
    surveyed.resize(1024, 700)
    page.tabs.setCurrentWidget(panel)
    first, every = panel.picture.grid, page.grid.grid.grid
    folded = [finding.feature for finding in every.findings if finding.led_by is not None]
    unfolded = [finding.feature for finding in every.findings if finding.led_by is None]
    assert folded and [finding.feature for finding in first.findings] == unfolded[: first.row_count]
    assert first.row_count > 5 and first.labels == every.labels
    assert panel.more.isVisible() == (first.row_count < len(unfolded))
    assert panel.more.isHidden() or panel.more.text().startswith(f"The first {first.row_count} of ")
    # All of it is seen at once, with three sentences below it.
    assert panel.picture.verticalScrollBar().maximum() == panel.picture.horizontalScrollBar().maximum() == 0
    assert panel.picture.geometry().bottom() < panel.text.geometry().top()
    lead = panel.text.document().firstBlock()
    assert (
        panel.text.document().documentLayout().blockBoundingRect(lead).bottom()
        < panel.text.viewport().height()
    )
    row, column = (int(place) for place in first.ticks(slice(2, 3), slice(0, first.column_count))[0])
    QTest.mouseClick(
        panel.picture.viewport(), Qt.MouseButton.LeftButton, pos=panel.picture.cell_rect(row, column).center()
    )
    assert surveyed.highlight.pair == SelectedPair(first.findings[row].feature, first.labels[column])


def test_the_overview_fills_its_cells_once_for_each_number_of_rows(
    surveyed: MainWindow, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = surveyed.page("results").overview_panel
    filled: list[int] = []
    as_it_fills = overview_panel.first_findings

    def fill(findings: Findings, most: int) -> GridData:
        filled.append(most)
        return as_it_fills(findings, most)

    monkeypatch.setattr(overview_panel, "first_findings", fill)
    panel.set_findings(surveyed.session.document.result.counted_findings)
    for height in (500, 501, 502, 500, 420, 500):
        panel.resize(600, height)
    assert filled and len(filled) == len(set(filled))


def test_notes_of_the_overview_are_one_line_until_they_are_asked_for(surveyed: MainWindow) -> None:
    text = surveyed.page("results").overview
    before = text.toPlainText()
    note = surveyed.session.document.result.dataset.all_notes[0]
    assert f"{len(surveyed.session.document.result.dataset.all_notes)} note" in before
    assert "What CLCD changed or set aside" not in before
    text.anchorClicked.emit(QUrl(step_anchor("notes")))
    assert "What CLCD changed or set aside" in text.toPlainText() and note.variable in text.toPlainText()
