"""The grid with its filter, order, zoom and legend."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QWidget

from clcd_gui.document.listing import Listing
from clcd_gui.document.navigation import Highlight
from clcd_gui.plots.beside import PictureThread
from clcd_gui.plots.figure import Figure
from clcd_gui.plots.grid_data import (
    BLOCKS,
    FOUND,
    MOST_EMPTY_COLUMNS,
    GridContent,
    GridData,
    grid_data,
    labels_with_columns,
)
from clcd_gui.plots.heat_grid import HeatGrid, grid_figure
from clcd_gui.plots.legend import LegendStrip
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, plain
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.controls import FilterBox, FocusLeader, choice_box
from clcd_gui.widgets.layouts import column, row, stacked
from clcd_gui.widgets.page import add_zoom_buttons
from clcd_gui.widgets.window_page import ForTable
from clcd_gui.wording.text import counted
from engine.translation import N_, _
from engine.wording.sentences import NOTHING_FITS_FILTER

_FEWEST_FILTERED = 12
_LEFT_OUT = N_("{labels} without findings are not shown.")
_ORDERS = {"variable": N_("Order of the variables"), "feature": N_("Order of the features")}


class GridPanel(QWidget, ForTable):
    """Shows every finding at once."""

    def __init__(
        self, highlight: Highlight, parent: QWidget | None = None, content: GridContent = FOUND
    ) -> None:
        super().__init__(parent)
        self._content = content
        self._findings: Listing | None = None
        self._request = 0
        self._in_the_making: Callable[[], GridData] | None = None
        self._has_own_order = False
        self.grid = HeatGrid(highlight, self)
        noun = _(content.noun)
        self.filter_box = FilterBox(
            _("Filter by {noun}", noun=noun), _("Filter the grid by {noun}", noun=noun), self
        )
        self.label_filter_box = FilterBox(_("Filter by label"), _("Filter the grid by label"), self, 240)
        for box in (self.filter_box, self.label_filter_box):
            box.textChanged.connect(self._arrange)
        # Room for every order as it is written, and for no letter more: the filter needs the rest.
        self.order_box = choice_box(_(_ORDERS[content.noun]), self)
        for title, order in content.orders:
            self.order_box.addItem(_(title), order)
        self.order_box.currentIndexChanged.connect(self._arrange)
        self.order_box.activated.connect(self._on_own_order)
        self.filter_box.setMinimumWidth(self.fontMetrics().averageCharWidth() * 9)
        set_look(self.grid, "card")
        self._empty = plain("", self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.left_out = muted("", self)
        self.left_out.hide()
        self._stack = stacked(self.grid, self._empty)
        head = row((self.filter_box, 1), (self.label_filter_box, 1), self.order_box, 0)
        add_zoom_buttons(head, self.grid.zoom, (_("Reset"), _("Fit the cells to the window"), self.grid.fit))
        legend = LegendStrip(content.legend, self)
        column(head, (self._stack, 1), self.left_out, legend, on=self, margins=(0, SPACE, 0, 0))
        FocusLeader(self, self.grid)

    def set_findings(self, findings: Listing | None) -> None:
        """Show another result."""
        self._findings = findings
        for box in (self.filter_box, self.label_filter_box):
            box.setEnabled(findings is not None and bool(findings.all))
        # Among few labels one is found by looking, and there may be no room for another box.
        columns = () if findings is None else labels_with_columns(findings)
        self.label_filter_box.setVisible(len(columns) > _FEWEST_FILTERED)
        if len(columns) <= _FEWEST_FILTERED:
            self.label_filter_box.clear()
        if not self._has_own_order:
            self._choose_order()
        self._arrange()

    def find_text(self) -> None:
        """Put the keyboard into the filter."""
        self.filter_box.take_focus()

    def forget_table(self) -> None:
        """Filter nothing, and choose the order by the number of labels."""
        self.filter_box.clear()
        self.label_filter_box.clear()
        self._has_own_order = False
        self._choose_order()

    def figure(self) -> Figure | None:
        """Return the grid as a picture, as it is filtered and ordered now; None when it is empty."""
        data = self.grid.grid
        if self._in_the_making is not None:
            data = self._in_the_making()
        return grid_figure(data, self._content, self.font()) if data.row_count else None

    def _on_own_order(self) -> None:
        self._has_own_order = True

    def _choose_order(self) -> None:
        """Of many labels show first which ones are alike."""
        columns = () if self._findings is None else labels_with_columns(self._findings)
        position = self.order_box.findData(BLOCKS) if len(columns) > MOST_EMPTY_COLUMNS else 0
        with QSignalBlocker(self.order_box):
            self.order_box.setCurrentIndex(position)

    def _arrange(self) -> None:
        self._request += 1
        self._in_the_making = None
        if self._findings is None:
            self.grid.set_data(GridData((), ()))
            return
        order = str(self.order_box.currentData())
        if order != BLOCKS:
            self._show(self._request, self._arranged(order)())
            return
        shown = self.grid.grid
        if not shown.row_count or not set(shown.labels) <= set(self._findings.finished_labels):
            # Of another table nothing may stay; of the same one the rows should not jump twice.
            self._show(self._request, self._arranged("given")())
        # Finding out what is alike takes longer than a window may wait.
        self._in_the_making = compute = self._arranged(order)
        thread = PictureThread(lambda: [compute()], self._request)
        thread.answered.connect(self._show)
        thread.start()

    def _arranged(self, order: str) -> Callable[[], GridData]:
        assert self._findings is not None
        words, label_words = self.filter_box.text(), self.label_filter_box.text()
        return partial(grid_data, self._findings, order, words, self._content, label_words)

    def _show(self, request: int, data: GridData) -> None:
        if request != self._request or self._findings is None:
            return
        if self._in_the_making is not None and data.row_count:
            self._in_the_making = None
        self.grid.set_data(data)
        left_out = len(self._findings.finished_labels) - len(labels_with_columns(self._findings))
        self.left_out.setVisible(left_out > 0)
        self.left_out.setText(_(_LEFT_OUT, labels=counted(left_out, "label")))
        noun = _(self._content.noun)
        filtered = _(NOTHING_FITS_FILTER, noun=noun)
        nothing = filtered if self._findings.all else _(self._content.nothing)
        self._empty.setText(nothing)
        self._stack.setCurrentWidget(self.grid if data.row_count else self._empty)
