"""The grid with its filter, order, zoom and legend."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from clcd_gui.document.listing import Listing
from clcd_gui.document.navigation import Highlight
from clcd_gui.plots.figure import Figure
from clcd_gui.plots.grid.data import FOUND, GridContent, GridData, grid_data
from clcd_gui.plots.grid.heat_grid import DEFAULT_CELL, HeatGrid
from clcd_gui.plots.grid.painter import grid_figure
from clcd_gui.plots.legend import LegendStrip
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, plain, set_tooltip
from clcd_gui.style.tokens import CONTROL_HEIGHT, SPACE
from clcd_gui.wording.text import counted

_LEFT_OUT = "{labels} without a finding: not shown."


class GridPanel(QWidget):
    """Shows every finding at once.

    Parameters
    ----------
    highlight : Highlight
        Shared with the other views.
    content : GridContent
        What its rows are.
    """

    def __init__(
        self, highlight: Highlight, parent: QWidget | None = None, content: GridContent = FOUND
    ) -> None:
        super().__init__(parent)
        self._content = content
        self._findings: Listing | None = None
        self.grid = HeatGrid(highlight, self)
        self.filter_box = QLineEdit(self)
        self.filter_box.setPlaceholderText(f"Filter by {content.noun}")
        self.filter_box.setAccessibleName(f"Filter the grid by {content.noun}")
        self.filter_box.setClearButtonEnabled(True)
        self.filter_box.setMaximumWidth(320)
        self.filter_box.textChanged.connect(self._arrange)
        self.order_box = QComboBox(self)
        self.order_box.setAccessibleName(f"Order of the {content.noun}s")
        # On some systems a screen reader is given the value of such a box for its name.
        self.order_box.setAccessibleDescription(f"Order of the {content.noun}s")
        for title, order in content.orders:
            self.order_box.addItem(title, order)
        self.order_box.currentIndexChanged.connect(self._arrange)
        self.order_box.setMinimumHeight(CONTROL_HEIGHT)
        self.order_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        set_look(self.grid, "card")
        self._empty = plain("", self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.left_out = muted("", self)
        self.left_out.hide()
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
            set_tooltip(button, name)
            button.setAccessibleName(name)
            button.clicked.connect(slot)
            head.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(head)
        layout.addLayout(self._stack, 1)
        layout.addWidget(self.left_out)
        layout.addWidget(LegendStrip(content.legend, self))
        self.setFocusProxy(self.grid)

    def set_findings(self, findings: Listing | None) -> None:
        """Show another result."""
        self._findings = findings
        self.filter_box.setEnabled(findings is not None and bool(findings.all))
        self._arrange()

    def find_text(self) -> None:
        """Put the keyboard into the filter."""
        self.filter_box.setFocus()
        self.filter_box.selectAll()

    def figure(self) -> Figure | None:
        """Return the grid as a picture, as it is filtered and ordered now; None when it is empty."""
        data = self.grid.grid
        return grid_figure(data, self._content, self.font()) if data.row_count else None

    def _arrange(self) -> None:
        if self._findings is None:
            self.grid.set_data(GridData((), ()))
            return
        content = self._content
        order = str(self.order_box.currentData())
        data = grid_data(self._findings, order, self.filter_box.text(), content)
        self.grid.set_data(data)
        left_out = len(self._findings.finished_labels) - data.column_count
        self.left_out.setVisible(left_out > 0)
        self.left_out.setText(_LEFT_OUT.format(labels=counted(left_out, "label")))
        has_any = bool(self._findings.all)
        self._empty.setText(f"No {content.noun} fits the filter." if has_any else content.nothing)
        self._stack.setCurrentWidget(self.grid if data.row_count else self._empty)
