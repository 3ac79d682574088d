"""Headers of tables that ask one section for their size, and none for what is selected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView

from clcd_gui.data.columns_model import ColumnsModel
from clcd_gui.data.columns_view import ColumnsView
from clcd_gui.data.table_views import EvenHeader, PreviewModel, PreviewView
from clcd_gui.document.column_summary import summarise
from clcd_gui.widgets.finding_table_model import window_model
from clcd_gui.widgets.findings_panel import FindingsPanel
from engine.discovery import tables
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Variable
from tests.gui.workspaces import make_workspace


class Squares(QAbstractTableModel):
    """As many rows as columns, with heads of as many letters."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count, self.asked = count, set[int]()

    def change(self, count: int) -> None:
        self.beginResetModel()
        self.count = count
        self.endResetModel()

    def rowCount(self, parent: Any = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else self.count

    def columnCount(self, parent: Any = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else self.count

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        self.asked.add(section)
        return "x" * (section + 1) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Any, role: int = 0) -> Any:
        return None


@pytest.fixture
def shown(qtbot) -> tuple[QTableView, Squares]:
    model, view = Squares(40), QTableView()
    qtbot.addWidget(view)
    view.setModel(model)
    for orientation, put in (
        (Qt.Orientation.Horizontal, view.setHorizontalHeader),
        (Qt.Orientation.Vertical, view.setVerticalHeader),
    ):
        put(EvenHeader(orientation))
    view.show()
    return view, model


def test_the_last_section_alone_says_how_much_room_there_is_to_be(shown: tuple[QTableView, Squares]) -> None:
    view, model = shown
    model.asked.clear()
    width = view.verticalHeader().sizeHint().width()
    assert model.asked == {39}
    assert width == view.verticalHeader().sectionSizeFromContents(39).width()
    assert view.horizontalHeader().sizeHint().height() > 0


def test_no_section_is_asked_that_another_table_does_not_have(shown: tuple[QTableView, Squares]) -> None:
    view, model = shown
    model.asked.clear()
    model.change(5)
    assert max(model.asked) == 4
    model.change(0)
    assert view.verticalHeader().sizeHint().isValid()
    model.change(7)
    assert view.verticalHeader().count() == 7


class CountedRows(PreviewModel):
    """Counts how often its rows are asked for, which Qt does for each cell that it looks up."""

    def __init__(self) -> None:
        super().__init__()
        self.row_counts = self.texts = 0

    def rowCount(self, parent: Any = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        self.row_counts += 1
        return super().rowCount(parent)

    def data(self, index: Any, role: int = 0) -> Any:
        self.texts += role == Qt.ItemDataRole.DisplayRole
        return super().data(index, role)


@pytest.fixture
def long_table(qtbot) -> tuple[PreviewView, CountedRows]:
    model = CountedRows()
    view = PreviewView(model)
    qtbot.addWidget(view)
    numbers = np.arange(5000.0)
    variables = tuple(Variable(f"column {number}", Kind.CONTINUOUS) for number in range(4))
    model.set_dataset(Dataset(variables, (numbers,) * 4))
    view.resize(600, 300)
    view.show()
    view.setCurrentIndex(model.index(0, 0))
    return view, model


def test_headers_do_not_look_through_the_selected_rows(long_table: tuple[PreviewView, CountedRows]) -> None:
    view, model = long_table
    view.selectAll()
    assert len(view.selectionModel().selectedColumns()) == 4
    model.row_counts = 0
    for header in (view.horizontalHeader(), view.verticalHeader()):
        header.viewport().repaint()
    assert model.row_counts < 500


def test_a_click_on_a_header_selects_as_ever(long_table: tuple[PreviewView, CountedRows]) -> None:
    view, _ = long_table
    header = view.horizontalHeader()
    place = header.viewport().rect().center()
    place.setX(header.sectionViewportPosition(1) + 20)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [index.column() for index in view.selectionModel().selectedColumns()] == [1]


def test_typing_over_the_rows_does_not_look_through_them(long_table: tuple[PreviewView, CountedRows]) -> None:
    view, model = long_table
    view.setFocus()
    model.texts = 0
    QTest.keyClicks(view, "x7")
    assert model.texts < 500 and view.currentIndex().row() == 0


def test_long_lists_have_such_headers_too(qtbot) -> None:
    workspace = make_workspace()
    panel = FindingsPanel(window_model(tables.COMMON), workspace.highlight, workspace.preferred, "Common")
    model = ColumnsModel()
    columns = ColumnsView(model)
    for widget in (panel, columns):
        qtbot.addWidget(widget)
    values = np.arange(3.0)
    variable = Variable("column", Kind.CONTINUOUS)
    model.set_table([variable], [summarise(variable, values)])
    columns.selectAll()
    assert columns.selectionModel().hasSelection()
    for view in (panel.table, columns):
        header = view.horizontalHeader()
        assert header.model() is view.model() and not header.selectionModel().hasSelection()
        assert header.selectionModel() is not view.selectionModel()
