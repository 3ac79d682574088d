"""The grid: what it shows, keys, zoom, and how long it takes to paint."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionComboBox

from clcd_gui.document.navigation import Highlight, SelectedPair
from clcd_gui.plots.grid_data import RELATIONS, GridData, block_order, grid_data
from clcd_gui.plots.heat_grid import CELL_SIZES, LARGEST_CELL, GridPainter, HeatGrid
from clcd_gui.plots.legend import LegendStrip
from clcd_gui.style.themes import ThemeSwitcher, follow_theme
from clcd_gui.style.tokens import LIGHT
from clcd_gui.widgets.grid_panel import GridPanel
from engine.discovery.evidence import Relation, relation_of
from tests.effort import relative_effort
from tests.gui.results_factory import MUSIC_LABELS, SHAPES, make_result


@pytest.fixture
def highlight() -> Highlight:
    return Highlight()


def shown(qtbot, highlight: Highlight, shape: str = "usual", width: int = 800, height: int = 500) -> HeatGrid:
    grid = HeatGrid(highlight)
    qtbot.addWidget(grid)
    grid.resize(width, height)
    grid.set_data(grid_data(SHAPES[shape]().findings))
    with qtbot.waitExposed(grid):
        grid.show()
    return grid


def test_every_cell_is_the_strongest_reason() -> None:
    result = SHAPES["many labels"]()
    data = grid_data(result.findings)
    filled = 0
    for row, finding in enumerate(data.findings):
        for column, label in enumerate(data.labels):
            reasons = result.reasons(finding.feature, label)
            relation = data.relation(row, column)
            assert relation == (relation_of(reasons[0].rule) if reasons else None)
            if reasons:
                filled += 1
                assert data.strengths[row, column] == pytest.approx(reasons[0].strength)
    assert filled == len(result.evidence)
    assert len(data.ticks(slice(0, data.row_count), slice(0, data.column_count))) == filled


def test_orders_and_filter() -> None:
    result = SHAPES["usual"]()
    findings = result.findings
    by_strength = [finding.strength for finding in grid_data(findings, "strength").findings]
    assert by_strength == sorted(by_strength, reverse=True)
    names = [finding.feature for finding in grid_data(findings, "name").findings]
    order = result.dataset.names
    assert names == sorted(names, key=order.index)
    assert {finding.feature for finding in grid_data(findings, words="std mfcc").findings} == {
        name for name in names if "Std_MFCC" in name
    }


def test_keys_walk_the_cells(qtbot, highlight: Highlight) -> None:
    grid = shown(qtbot, highlight)
    grid.setFocus()
    data = grid.grid
    QTest.keyClick(grid, Qt.Key.Key_Down)
    assert highlight.pair == SelectedPair(data.findings[0].feature, data.labels[0])
    QTest.keyClick(grid, Qt.Key.Key_Right)
    QTest.keyClick(grid, Qt.Key.Key_Down)
    assert highlight.pair == SelectedPair(data.findings[1].feature, data.labels[1])
    QTest.keyClick(grid, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert highlight.pair == SelectedPair(data.findings[-1].feature, data.labels[-1])
    QTest.keyClick(grid, Qt.Key.Key_Down)
    assert highlight.pair == SelectedPair(data.findings[-1].feature, data.labels[-1])
    QTest.keyClick(grid, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    ticks = np.flatnonzero(data.relations[0] >= 0)
    QTest.keyClick(grid, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert highlight.label == data.labels[int(ticks[ticks > 0][0])]
    with qtbot.waitSignal(highlight.why_requested):
        QTest.keyClick(grid, Qt.Key.Key_Space)


def test_the_selected_cell_is_scrolled_into_view(qtbot, highlight: Highlight) -> None:
    grid = shown(qtbot, highlight, "many labels")
    data = grid.grid
    highlight.select(data.findings[300].feature, data.labels[170])
    assert grid.viewport().rect().contains(grid.cell_rect(300, 170))
    assert grid.cell_at(grid.cell_rect(300, 170).center()) == (300, 170)


def test_clicks_on_cell_name_and_heading(qtbot, highlight: Highlight) -> None:
    grid = shown(qtbot, highlight)
    data = grid.grid
    cell = grid.cell_rect(2, 3)
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=cell.center())
    assert highlight.pair == SelectedPair(data.findings[2].feature, data.labels[3])
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(10, cell.center().y()))
    assert highlight.pair == SelectedPair(data.findings[2].feature, None)
    head = QPoint(cell.center().x(), grid.cell_rect(0, 0).top() - 12)
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=head)
    assert highlight.pair == SelectedPair(None, data.labels[3])


def test_a_cell_says_in_words_what_its_shape_says(qtbot, highlight: Highlight) -> None:
    grid = shown(qtbot, highlight)
    data = grid.grid
    words = {
        Relation.NEIGHBOUR: "direct neighbour, strength",
        Relation.SPOUSE: "spouse, strength",
        Relation.INTERCHANGEABLE: "interchangeable, strength",
    }
    seen = set()
    for row, column in data.ticks(slice(0, data.row_count), slice(0, data.column_count)):
        relation = RELATIONS[data.relations[row, column]]
        assert words[relation] in grid.describe(row, column)
        seen.add(relation)
    assert seen == set(Relation) - {Relation.IN_PLACE, Relation.PREFERRED, Relation.THROUGH_LABELS}
    empty = [grid.describe(*cell).splitlines()[-1] for cell in np.argwhere(data.relations < 0)]
    assert "not linked to this label" in empty
    assert all(
        text.startswith(("not linked to this label", "not distinguishable with these data from"))
        for text in empty
    )
    highlight.select(data.findings[0].feature, data.findings[0].labels[0])
    assert data.findings[0].feature in grid.accessibleDescription()


def test_shapes_differ_without_colour(qtbot, highlight: Highlight) -> None:
    """The three relations, painted in one colour at one strength, are three different pictures."""
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QColor, QImage, QPainter

    from clcd_gui.plots.marks import draw_cell_mark

    pictures = []
    for relation in Relation:
        image = QImage(26, 26, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        draw_cell_mark(painter, QRectF(0, 0, 26, 26), relation, 0.5, QColor("black"))
        painter.end()
        pictures.append(np.frombuffer(image.constBits(), np.uint8).copy())
    for first in range(len(pictures)):
        for second in range(first):
            assert np.mean(pictures[first] != pictures[second]) > 0.08


def test_zoom_by_wheel_keys_and_buttons(qtbot, highlight: Highlight) -> None:
    panel = GridPanel(highlight)
    qtbot.addWidget(panel)
    panel.set_findings(SHAPES["many labels"]().findings)
    panel.show()
    before = panel.grid.cell
    QTest.keyClick(panel.grid, Qt.Key.Key_Plus)
    assert panel.grid.cell > before
    for _ in range(20):
        QTest.keyClick(panel.grid, Qt.Key.Key_Minus)
    assert panel.grid.cell == CELL_SIZES[0]
    QTest.keyClick(panel.grid, Qt.Key.Key_0)
    assert panel.grid.cell == before


def test_an_order_is_read_whole_in_large_letters(qtbot, qapp: QApplication, highlight: Highlight) -> None:
    """As beside "Why?" in the smallest window, with letters half as large again."""
    switcher = ThemeSwitcher(qapp, zoom=1.5)
    try:
        panel = GridPanel(highlight)
        qtbot.addWidget(panel)
        panel.resize(466, 400)
        panel.set_findings(SHAPES["usual"]().findings)
        panel.show()
        QApplication.processEvents()
        box, option = panel.order_box, QStyleOptionComboBox()
        assert panel.width() == 466
        box.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()
        assert room >= box.fontMetrics().horizontalAdvance(box.currentText())
    finally:
        switcher.set_zoom(1.0)
        switcher.deleteLater()


def test_filtering_the_panel(qtbot, highlight: Highlight) -> None:
    panel = GridPanel(highlight)
    qtbot.addWidget(panel)
    panel.set_findings(SHAPES["usual"]().findings)
    panel.show()
    QTest.keyClicks(panel.filter_box, "Std_MFCC")
    assert all("Std_MFCC" in finding.feature for finding in panel.grid.grid.findings)
    QTest.keyClicks(panel.filter_box, "zzz")
    assert not panel.grid.isVisible()
    assert panel.figure() is None


def test_only_what_is_seen_is_painted(qtbot, highlight: Highlight) -> None:
    large = shown(qtbot, highlight, "large", 1440, 900)
    assert (large.grid.row_count, large.grid.column_count) == (5000, 174)
    for size in CELL_SIZES:
        large.set_cell(size)
        rows = 2 + large.viewport().height() // size
        part = HeatGrid(highlight)
        qtbot.addWidget(part)
        part.resize(1440, 900)
        part.set_data(GridData(large.grid.findings[:rows], large.grid.labels))
        part.set_cell(size)
        with qtbot.waitExposed(part):
            part.show()
        # Of fifty times as many rows, the same are seen.
        assert relative_effort(large.viewport().repaint, part.viewport().repaint, repeats=6) < 3, size


@pytest.mark.parametrize(("width", "ending"), [(580, "1"), (1000, "of_all_that_was_heard_in_the_first_half")])
def test_names_stand_whole_where_cells_leave_room(
    qtbot, highlight: Highlight, monkeypatch: pytest.MonkeyPatch, width: int, ending: str
) -> None:
    names = tuple(f"Mean_Acc1298_Std_Mem40_MFCC_{ending}_{number}" for number in range(14))
    widths = []

    def measure(painter: GridPainter, _painter: QPainter, _rows: slice, area: QRectF, *_: object) -> None:
        widths.append((painter.names_width(free=math.inf), area.width()))

    monkeypatch.setattr(GridPainter, "paint_names", measure)
    grid = HeatGrid(highlight)
    qtbot.addWidget(grid)
    grid.resize(width, 500)
    grid.set_data(grid_data(make_result(features=names).findings))
    with qtbot.waitExposed(grid):
        grid.show()
    grid.viewport().repaint()
    assert widths and all(given >= round(wanted) for wanted, given in widths)
    assert grid.horizontalScrollBar().maximum() == 0


def test_heads_that_end_above_other_columns_leave_their_room_to_names(qapp: QApplication) -> None:
    long, short = "How_often_one_wakes_up", "ill"

    def overhang(labels: tuple[str, ...]) -> float:
        data = grid_data(make_result(labels=labels).findings)
        return GridPainter(data, 26, QApplication.font(), LIGHT).heads_overhang()

    shorts = tuple(f"{short}_{number}" for number in range(6))
    assert overhang((long, *shorts)) == overhang(shorts)
    assert overhang((*shorts, long)) > overhang(shorts)


def test_of_many_labels_those_without_a_finding_have_no_column(qtbot) -> None:
    result = SHAPES["many labels"]()
    findings = result.findings
    keep = findings.all[0]
    # Only what was found for the labels of one variable is left.
    evidence = {pair: records for pair, records in result.evidence.items() if pair[1] in keep.labels}
    fewer = replace(result, evidence=evidence).findings
    panel = GridPanel(Highlight())
    qtbot.addWidget(panel)
    panel.set_findings(fewer)
    assert panel.grid.grid.labels == keep.labels
    hidden = len(findings.finished_labels) - len(keep.labels)
    assert not panel.left_out.isHidden() and str(hidden) in panel.left_out.text()
    few = SHAPES["usual"]()
    panel.set_findings(replace(few, evidence={}).findings)
    assert panel.left_out.isHidden(), "of few labels all are shown"


def test_what_is_alike_stands_side_by_side(qtbot, highlight: Highlight) -> None:
    # Eight groups of labels, each with variables of its own, in an order that hides them.
    generator = np.random.default_rng(6)
    group_of_row, group_of_column = generator.permutation(48) % 8, generator.permutation(40) % 8
    strengths = np.where(group_of_row[:, None] == group_of_column, 0.5, 0.0)
    rows, columns = block_order(strengths)
    assert sorted(rows) == list(range(48)) and sorted(columns) == list(range(40))
    for groups in (group_of_row[rows], group_of_column[columns]):
        assert np.count_nonzero(np.diff(groups)) == 7, "each group is in one piece"
    assert list(dict.fromkeys(group_of_row[rows])) == list(dict.fromkeys(group_of_column[columns]))


def test_blocks_of_very_many_rows_follow_the_columns() -> None:
    data = grid_data(SHAPES["large"]().findings, "blocks")
    present = data.relations >= 0
    middle = (present * np.arange(data.column_count)).sum(axis=1) / present.sum(axis=1)
    assert data.row_count == 5000
    assert (np.diff(middle) >= 0).all()


def test_many_labels_begin_with_what_is_alike_and_few_do_not(qtbot, highlight: Highlight) -> None:
    panel = GridPanel(highlight)
    qtbot.addWidget(panel)
    findings = SHAPES["many labels"]().findings
    panel.set_findings(findings)
    panel.show()
    wanted = grid_data(findings, "blocks")
    qtbot.waitUntil(lambda: panel.grid.grid.labels == wanted.labels)
    assert panel.grid.grid.findings == wanted.findings
    panel.order_box.setFocus()
    QTest.keyClick(panel.order_box, Qt.Key.Key_Home)
    assert panel.grid.grid.findings == findings.all
    panel.set_findings(findings)
    assert panel.order_box.currentIndex() == 0, "a person's choice stays"
    few = GridPanel(highlight)
    qtbot.addWidget(few)
    few.set_findings(SHAPES["usual"]().findings)
    assert few.order_box.currentIndex() == 0


def test_labels_are_filtered_by_keys(qtbot, highlight: Highlight) -> None:
    panel = GridPanel(highlight)
    qtbot.addWidget(panel)
    findings = SHAPES["many labels"]().findings
    panel.set_findings(findings)
    panel.show()
    panel.order_box.setCurrentIndex(0)
    every = panel.grid.grid.labels
    QTest.keyClicks(panel.label_filter_box, "label 12")
    wanted = tuple(label for label in every if "label" in label and "12" in label)
    assert 1 < len(wanted) < len(every)
    assert panel.grid.grid.labels == wanted
    shown_features = {finding.feature for finding in panel.grid.grid.findings}
    assert shown_features == {finding.feature for label in wanted for finding in findings.of_label(label)}
    assert panel.grid.describe(0, 0)
    QTest.keyClicks(panel.label_filter_box, "zzz")
    assert not panel.grid.isVisible()
    panel.label_filter_box.clear()
    assert panel.grid.grid.labels == every
    panel.set_findings(SHAPES["usual"]().findings)
    assert panel.label_filter_box.isHidden(), "few labels are found by looking"


def test_the_legend_is_shown_whole_in_any_width_and_size_of_text(
    qtbot, qapp: QApplication, highlight: Highlight
) -> None:
    switcher = ThemeSwitcher(qapp)
    panel = GridPanel(highlight)
    qtbot.addWidget(panel)
    follow_theme(panel)
    panel.set_findings(SHAPES["usual"]().findings)
    panel.resize(800, 460)
    panel.show()
    qtbot.waitExposed(panel)
    strip = panel.findChild(LegendStrip)

    def is_shown_whole() -> bool:
        return strip.height() == strip.heightForWidth(strip.width()) and panel.rect().contains(
            strip.geometry()
        )

    usual = strip.fontMetrics().height()
    try:
        for zoom, width in ((1.0, 573), (1.5, 573), (1.5, 485), (1.5, 800), (1.5, 400), (1.0, 800)):
            panel.resize(width, 460)
            switcher.set_zoom(zoom)
            qtbot.waitUntil(lambda zoom=zoom: (strip.fontMetrics().height() > usual) is (zoom > 1.0))
            qtbot.waitUntil(is_shown_whole)
    finally:
        switcher.set_zoom(1.0)


def test_cells_take_the_room_that_there_is(qtbot, highlight: Highlight) -> None:
    findings = make_result(features=MUSIC_LABELS[:5], labels=("ill", "well", "better")).findings
    grid = HeatGrid(highlight)
    qtbot.addWidget(grid)
    grid.set_data(grid_data(findings))
    grid.show()
    cells = []
    for width, height in ((300, 260), (420, 300), (800, 600)):
        grid.resize(width, height)
        cells.append(grid.cell)
        assert grid.verticalScrollBar().maximum() == 0 and grid.horizontalScrollBar().maximum() == 0
    assert cells == sorted(cells) and cells[-1] == LARGEST_CELL and cells[0] < LARGEST_CELL
    grid.zoom(-2)
    zoomed = grid.cell
    grid.resize(300, 260)
    assert grid.cell == zoomed, "what a person chose stays"
    grid.fit()
    assert grid.cell == cells[0]
