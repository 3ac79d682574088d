"""Headers of tables that ask one section for their size."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtWidgets import QTableView

from clcd_gui.data.preview import EvenHeader


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
