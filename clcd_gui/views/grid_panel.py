"""The grid with its filter, order, zoom and legend."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from clcd_gui.core.findings import Findings
from clcd_gui.core.selection import Selection
from clcd_gui.graphs.figure import Figure
from clcd_gui.graphs.grid_data import GridData, grid_data
from clcd_gui.graphs.grid_figure import grid_figure
from clcd_gui.graphs.heat_grid import DEFAULT_CELL, HeatGrid
from clcd_gui.graphs.legend import LegendStrip, grid_legend
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.tokens import CONTROL_HEIGHT, SPACE

_ORDERS = (("Most labels first", "given"), ("Strongest first", "strength"), ("As in the table", "name"))


class GridPanel(QWidget):
    """Shows every finding at once.

    Parameters
    ----------
    selection : Selection
        Shared with the other views.
    """

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._findings: Findings | None = None
        self.grid = HeatGrid(selection, self)
        self.filter_box = QLineEdit(self)
        self.filter_box.setPlaceholderText("Filter by variable")
        self.filter_box.setAccessibleName("Filter the grid by variable")
        self.filter_box.setClearButtonEnabled(True)
        self.filter_box.setMaximumWidth(320)
        self.filter_box.textChanged.connect(self._arrange)
        self.order_box = QComboBox(self)
        self.order_box.setAccessibleName("Order of the variables")
        for title, order in _ORDERS:
            self.order_box.addItem(title, order)
        self.order_box.currentIndexChanged.connect(self._arrange)
        self.order_box.setMinimumHeight(CONTROL_HEIGHT)
        self.order_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        set_look(self.grid, "card")
        self._empty = QLabel("No variable fits the filter.", self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.grid)
        self._stack.addWidget(self._empty)
        head = QHBoxLayout()
        head.addWidget(self.filter_box, 1)
        head.addWidget(self.order_box)
        head.addStretch(0)
        for text, name, slot in (
            ("−", "Zoom out", lambda: self.grid.zoom(-1)),
            ("+", "Zoom in", lambda: self.grid.zoom(1)),
            ("Reset", "Usual size", lambda: self.grid.set_cell(DEFAULT_CELL)),
        ):
            button = QToolButton(self)
            button.setText(text)
            button.setToolTip(name)
            button.setAccessibleName(name)
            button.clicked.connect(slot)
            head.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(head)
        layout.addLayout(self._stack, 1)
        layout.addWidget(LegendStrip(grid_legend(), self))
        self.setFocusProxy(self.grid)
        QShortcut(
            QKeySequence.StandardKey.Find,
            self,
            self.find,
            context=Qt.ShortcutContext.WidgetWithChildrenShortcut,
        )

    def set_findings(self, findings: Findings | None) -> None:
        """Show another result."""
        self._findings = findings
        self.filter_box.setEnabled(findings is not None and bool(findings.all))
        self._arrange()

    def find(self) -> None:
        """Put the keyboard into the filter."""
        self.filter_box.setFocus()
        self.filter_box.selectAll()

    def figure(self) -> Figure | None:
        """Give the grid as a picture, as it is filtered and ordered now; None when it is empty."""
        return grid_figure(self.grid.grid, self.font()) if self.grid.grid.row_count else None

    def _arrange(self) -> None:
        if self._findings is None:
            self.grid.set_data(GridData((), ()))
            return
        data = grid_data(self._findings, str(self.order_box.currentData()), self.filter_box.text())
        self.grid.set_data(data)
        has_any = bool(self._findings.all)
        self._empty.setText(
            "No variable fits the filter." if has_any else "No variable counts for any label."
        )
        self._stack.setCurrentWidget(self.grid if data.row_count else self._empty)
