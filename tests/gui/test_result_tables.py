"""The tables of findings: order, filter, copying, keys, and the one selection."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem, QTableView

import engine
from clcd_gui.document.document import Document, PreferredVariables
from clcd_gui.document.navigation import Highlight, SelectedPair
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.selection.selection_page import SelectedPanel
from clcd_gui.style.text import scaled
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets import table_delegates
from clcd_gui.widgets.finding_table_model import LINES_ROLE, FindingTableModel, window_model
from clcd_gui.widgets.findings_panel import FindingsPanel
from clcd_gui.wording.text import BREAK
from engine.discovery import tables
from engine.discovery.columns import ContentKind, ResultTable
from tests.gui.results_factory import SHAPES, make_result
from tests.gui.selection_factory import selection_by_hand


@pytest.fixture
def highlight(qapp: QApplication) -> Highlight:
    return Highlight()


@pytest.fixture
def panel(qtbot, highlight: Highlight) -> Iterator[FindingsPanel]:
    findings_panel = FindingsPanel(
        window_model(tables.COMMON), highlight, PreferredVariables(Document()), "Common variables"
    )
    qtbot.addWidget(findings_panel)
    findings_panel.resize(900, 500)
    findings_panel.set_findings(SHAPES["many labels"]().findings.common, "Nothing.")
    with qtbot.waitExposed(findings_panel):
        findings_panel.show()
    yield findings_panel


def place_of(model: FindingTableModel, title: str) -> int:
    return [column.title for column in model.columns].index(title)


def column(model: FindingTableModel, place: int | str) -> list[str]:
    number = place if isinstance(place, int) else place_of(model, place)
    return [model.index(row, number).data() for row in range(model.rowCount())]


def click_header(table: QTableView, section: int) -> None:
    header = table.horizontalHeader()
    x = header.sectionViewportPosition(section) + 20
    QTest.mouseClick(
        header.viewport(), Qt.MouseButton.LeftButton, pos=header.rect().center().__class__(x, 10)
    )


@pytest.mark.parametrize("table", [tables.COMMON, tables.LABEL_SPECIFIC])
def test_models_keep_qts_rules(qapp: QApplication, table: ResultTable) -> None:
    model = window_model(table)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    findings = SHAPES["usual"]().findings
    model.set_findings(list(table.rows(findings)))
    for section in range(model.columnCount()):
        model.sort(section, Qt.SortOrder.DescendingOrder)
    model.set_filter("mfcc")
    model.sort(-1)
    model.set_filter("")
    assert model.rowCount() + model.folded == len(model.findings)
    assert tester.model() is model


def test_given_order_is_the_engines(qapp: QApplication) -> None:
    result = SHAPES["many labels"]()
    model, specific = window_model(tables.COMMON), window_model(tables.LABEL_SPECIFIC)
    model.set_findings(result.findings.common)
    specific.set_findings(result.findings.label_specific)
    for finding in result.findings.all:
        model.unfold(finding.feature)
        specific.unfold(finding.feature)
    assert column(model, 0) == list(result.common["feature"])
    assert column(specific, 0) == list(result.label_specific["feature"])
    assert column(model, "Linked to") == [", ".join(labels) for labels in result.common["labels"]]


def test_click_on_headings_sorts_and_a_third_click_brings_the_order_back(panel: FindingsPanel) -> None:
    before = column(panel.model, 0)
    click_header(panel.table, 0)
    natural = sorted(before, key=lambda name: int(name.split()[1]))
    assert column(panel.model, 0) == natural
    click_header(panel.table, 0)
    assert column(panel.model, 0) == natural[::-1]
    click_header(panel.table, 0)
    assert column(panel.model, 0) == before
    click_header(panel.table, place_of(panel.model, "Strength"))
    strengths = [float(text) for text in column(panel.model, "Strength")]
    assert strengths == sorted(strengths)


def test_filter_by_variable_and_by_label(panel: FindingsPanel) -> None:
    QTest.keyClicks(panel.filter_box, "feature 13")
    names = column(panel.model, 0)
    assert names
    assert all(
        "feature 13" in panel.model.finding_at(row).feature
        or "feature 13" in " ".join(panel.model.finding_at(row).interchangeable)
        for row in range(len(names))
    )
    panel.filter_box.clear()
    wanted = panel.model.finding_at(0).labels[0]
    QTest.keyClicks(panel.filter_box, wanted)
    # By every name it is looked for, and what is interchangeable with a variable may be a label.
    shown = [panel.model.finding_at(row) for row in range(panel.model.rowCount())]
    assert shown and all(wanted in " ".join(finding.names) for finding in shown)
    assert any(wanted in text for text in column(panel.model, "Linked to"))
    QTest.keyClicks(panel.filter_box, " nothing is called so")
    assert panel.model.rowCount() == 0
    assert not panel.table.isVisible()


def test_copy_gives_what_a_spreadsheet_takes(panel: FindingsPanel) -> None:
    panel.table.setFocus()
    panel.table.selectRow(1)
    QTest.keyClick(panel.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(panel.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["Variable", *column(panel.model, 0)[1:3]]
    assert {line.count("\t") for line in lines} == {panel.model.columnCount() - 1}


def test_keys_move_the_selection_and_space_asks_why(
    panel: FindingsPanel, highlight: Highlight, qtbot
) -> None:
    panel.table.setFocus()
    panel.table.selectRow(0)
    QTest.keyClick(panel.table, Qt.Key.Key_Down)
    second = panel.model.finding_at(1)
    assert highlight.pair == SelectedPair(second.feature, None)
    with qtbot.waitSignal(highlight.why_requested) as why_requested:
        QTest.keyClick(panel.table, Qt.Key.Key_Space)
    assert why_requested.args == [SelectedPair(second.feature, None)]


def test_every_label_has_a_chip_that_can_be_clicked(panel: FindingsPanel, highlight: Highlight) -> None:
    table, place = panel.table, place_of(panel.model, "Linked to")
    table.setColumnWidth(place, 150)
    table.fit_rows()
    finding = panel.model.finding_at(0)
    assert len(finding.labels) > 2
    rect = table.visualRect(panel.model.index(0, place))
    labels_shown = []
    for down in range(4, rect.height(), 8):
        for across in range(4, rect.width(), 8):
            position = rect.topLeft() + rect.topLeft().__class__(across, down)
            QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=position)
            assert highlight.feature == finding.feature
            labels_shown.append(highlight.label)
    assert [label for label in dict.fromkeys(labels_shown) if label is not None] == list(finding.labels)


def test_what_is_said_of_a_label_stands_in_its_line(panel: FindingsPanel) -> None:
    table, model = panel.table, panel.model
    for row in range(model.rowCount()):
        finding = model.finding_at(row)
        spans = set()
        for place, column in enumerate(model.columns[: model.essential_columns]):
            index = model.index(row, place)
            lines = index.data(LINES_ROLE)
            if not lines:
                continue
            assert len(lines) == len(finding.labels), column.key
            placed = table.itemDelegate().lines_in(table.visualRect(index), index, lines)
            assert [text for _, text in placed] == list(lines)
            spans.add(tuple((rect.top(), rect.bottom()) for rect, _ in placed))
            metrics = table.fontMetrics()
            for rect, text in placed if column.kind is ContentKind.TEXT else ():
                room = QRect(0, 0, rect.width() - 2 * SPACE, 0)
                needed = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text)
                assert needed.height() <= rect.height(), text
        # Every column has the line of a label at the same height.
        assert len(spans) == 1


def test_the_line_that_counts_further_labels_chooses_none(
    panel: FindingsPanel, highlight: Highlight, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_delegates, "MOST_LINES", 4)
    table, place, chosen = panel.table, place_of(panel.model, "Linked to"), []
    table.fit_rows()
    finding = panel.model.finding_at(0)
    assert len(finding.labels) > 4
    index = panel.model.index(0, place)
    lines = table.itemDelegate().lines_in(table.visualRect(index), index, finding.labels)
    assert len(lines) == 4
    for line, _text in lines:
        highlight.select(finding.feature, None)
        position = QPoint(line.left() + 2 * SPACE, line.center().y())
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=position)
        chosen.append(highlight.label)
    assert chosen == [*finding.labels[:3], None]


def test_selection_from_elsewhere_is_followed_without_an_echo(
    panel: FindingsPanel, highlight: Highlight
) -> None:
    signalled: list[SelectedPair] = []
    highlight.changed.connect(signalled.append)
    finding = panel.model.finding_at(40)
    highlight.select(finding.feature, finding.labels[1])
    assert panel.table.currentIndex().row() == 40
    assert signalled == [SelectedPair(finding.feature, finding.labels[1])]
    highlight.select("not in this table", None)
    assert not panel.table.selectionModel().hasSelection()


def test_new_findings_keep_the_selected_row(panel: FindingsPanel, highlight: Highlight) -> None:
    finding = panel.model.finding_at(7)
    highlight.select(finding.feature, None)
    panel.set_findings(SHAPES["many labels"]().findings.common, "Nothing.")
    assert highlight.pair == SelectedPair(finding.feature, None)
    assert panel.table.currentIndex().row() == 7


def test_columns_fit_what_they_hold(qtbot, highlight: Highlight) -> None:
    panel = FindingsPanel(
        window_model(tables.LABEL_SPECIFIC),
        highlight,
        PreferredVariables(Document()),
        "Label-specific variables",
    )
    qtbot.addWidget(panel)
    panel.resize(620, 400)
    panel.set_findings(SHAPES["long names"]().findings.label_specific, "Nothing.")
    with qtbot.waitExposed(panel):
        panel.show()
    shown = [number for number in range(6) if not panel.table.isColumnHidden(number)]
    widths = [panel.table.columnWidth(number) for number in shown[:4]]
    assert sum(widths) <= panel.table.viewport().width()
    assert min(widths) >= 72


LONG_WORDS = tuple(f"Antidepressants {number}" for number in range(20))
MUSIC_NAMES = tuple(
    f"{which}_Acc1298_{what}_Mem40_MFCC_{number}"
    for which in ("Mean", "Std")
    for what in ("Mean", "Std")
    for number in range(13)
)


@pytest.mark.parametrize(
    ("names", "size", "width"),
    [(MUSIC_NAMES, 1.0, 560), (MUSIC_NAMES, 1.5, 560), (MUSIC_NAMES, 1.5, 470), (LONG_WORDS, 1.5, 380)],
)
def test_a_name_goes_on_in_the_next_line_and_loses_nothing(
    qtbot, highlight: Highlight, names: tuple[str, ...], size: float, width: int
) -> None:
    panel = FindingsPanel(window_model(tables.COMMON), highlight, PreferredVariables(Document()), "Common")
    qtbot.addWidget(panel)
    panel.table.setFont(scaled(panel.table.font(), size))
    panel.resize(width, 500)
    findings = make_result(features=names, common=20, specific=0).findings.common
    panel.set_findings(findings, "Nothing.")
    with qtbot.waitExposed(panel):
        panel.show()
    written: list[str] = []

    class Watched(QPainter):
        def drawText(self, _box: QRect, _flags: int, text: str) -> None:
            written.append(text.replace(BREAK, ""))

    painter = Watched(picture := QPixmap(600, 400))
    for row in range(len(findings)):
        index = panel.model.index(row, 0)
        option = QStyleOptionViewItem()
        panel.table.initViewItemOption(option)
        option.rect = panel.table.visualRect(index)
        panel.table.itemDelegate().paint(painter, option, index)
    painter.end()
    assert not picture.isNull()
    assert written == [finding.feature for finding in findings]


def test_a_name_that_fits_in_its_line_makes_no_row_higher(qtbot, highlight: Highlight) -> None:
    panel = FindingsPanel(
        window_model(tables.LABEL_SPECIFIC), highlight, PreferredVariables(Document()), "Label-specific"
    )
    qtbot.addWidget(panel)
    findings = make_result(features=MUSIC_NAMES).findings.label_specific
    panel.set_findings([finding for finding in findings if not finding.interchangeable], "Nothing.")
    panel.show()
    table = panel.table
    assert panel.model.rowCount() and not panel.model.has_folds
    for place in range(panel.model.columnCount()):
        table.setColumnWidth(place, max(table.sizeHintForColumn(place), 100))
    table.fit_rows()
    heights = {table.rowHeight(row) for row in range(panel.model.rowCount())}
    assert heights == {table.verticalHeader().defaultSectionSize()}


def test_larger_text_is_measured_when_the_table_is_seen(
    panel: FindingsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, measured = panel.table, []
    as_it_measures = table.sizeHintForIndex

    def measure(index: QModelIndex) -> QSize:
        measured.append(index.row())
        return as_it_measures(index)

    monkeypatch.setattr(table, "sizeHintForIndex", measure)
    before = [table.columnWidth(column) for column in range(panel.model.columnCount())]
    panel.hide()
    table.setFont(scaled(table.font(), 1.4))
    assert measured == []
    panel.show()
    hidden_meanwhile = [table.columnWidth(column) for column in range(panel.model.columnCount())]
    assert measured and hidden_meanwhile != before
    table.setFont(scaled(table.font(), 1 / 1.4))
    table.setFont(scaled(table.font(), 1.4))
    assert [table.columnWidth(column) for column in range(panel.model.columnCount())] == hidden_meanwhile


def test_what_is_said_of_a_selected_feature_has_room_beside_its_name(qtbot, highlight: Highlight) -> None:
    panel = SelectedPanel(highlight, PreferredVariables(Document()))
    qtbot.addWidget(panel)
    panel.resize(568, 500)
    result = make_result(features=MUSIC_NAMES)
    panel.set_selected(SelectedFeatures(selection_by_hand(result)))
    with qtbot.waitExposed(panel):
        panel.show()
    table = panel.findings.table
    assert table.horizontalScrollBar().maximum() == 0


def test_what_is_mostly_empty_gives_way_to_what_is_said(qtbot, highlight: Highlight) -> None:
    network = engine.simulate(labels=6, features=40, rows=2000, seed=1)
    selection = engine.select_features(network.dataset, engine.DiscoverySettings(workers=1))
    panel = SelectedPanel(highlight, PreferredVariables(Document()))
    qtbot.addWidget(panel)
    panel.resize(568, 500)
    panel.set_selected(SelectedFeatures(selection))
    with qtbot.waitExposed(panel):
        panel.show()
    table, model = panel.findings.table, panel.findings.model
    alternatives = column(model, "Alternatives")
    assert 0 < sum(map(bool, alternatives)) < len(alternatives) / 2
    why = place_of(model, "Why")
    assert table.columnWidth(why) > table.columnWidth(place_of(model, "Alternatives"))
    assert table.horizontalScrollBar().maximum() == 0


def test_five_thousand_rows_are_sorted_and_filtered_without_asking_for_one_cell(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What asks a model for each cell that it compares takes seconds for as many."""
    result = make_result(labels=174, features=5000, common=4000, specific=1000)
    model = window_model(tables.COMMON)
    model.set_findings(result.findings.common)
    model.sort(0)
    first, last = column(model, 0)[0], column(model, 0)[-1]
    cells = []
    monkeypatch.setattr(FindingTableModel, "data", lambda *index: cells.append(index))
    model.sort(0, Qt.SortOrder.DescendingOrder)
    model.set_filter("feature 12")
    monkeypatch.undo()
    assert cells == []
    assert 0 < model.rowCount() < 4000
    model.set_filter("")
    assert (column(model, 0)[0], column(model, 0)[-1]) == (last, first)
