"""The page of selected features: what was selected and why, over the selection shared with the results."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.document.selection import Selection
from clcd_gui.plots.figure import Figure
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.selecting import SelectingState
from clcd_gui.selection.export import SelectionExport
from clcd_gui.selection.selected_panel import SelectedGrid, SelectedPanel
from clcd_gui.style import icons
from clcd_gui.style.text import set_tooltip
from clcd_gui.style.themes import colours
from clcd_gui.widgets.empty_page import EmptyPage
from clcd_gui.widgets.notices import Notice, StaleNotice, show_written
from clcd_gui.widgets.page import GradualFilling, Page
from clcd_gui.wording.settings import rests_on

_WHAT = (
    "This page will show the few features that together tell about every label: which labels each of them "
    "serves and why, what it stands for, and what could be taken instead. The table that is cut down to them "
    "can be exported."
)
_WORDS = {
    SelectingState.NO_RESULT: ("No selection yet", _WHAT, "Run"),
    SelectingState.NOT_BEGUN: ("No selection yet", _WHAT, "Select features"),
    SelectingState.STOPPED: ("The selection was stopped", _WHAT, "Select features"),
    SelectingState.FAILED: ("Nothing could be selected", _WHAT, "Try again"),
}
_SILENCE = ("", "", "")


class SelectionPage(QWidget):
    """Shows one selection of features; further panels may be added as tabs, and can be seen without one.

    Parameters
    ----------
    selection : Selection
        What is highlighted; shared with the other pages.
    """

    run_requested = Signal()
    select_requested = Signal()

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self._selected: SelectedFeatures | None = None
        self._state = SelectingState.NO_RESULT
        self._can_run, self._why_not = True, ""
        self._stale_reason: str | None = None
        self.empty = EmptyPage("", "", self)
        self.empty.requested.connect(self._on_requested)
        self.notice = Notice(self)
        self.stale_notice = StaleNotice("These features are", self)
        self.stale_notice.run_requested.connect(self.run_requested)
        self.features = SelectedPanel(selection, self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Views of the selection")
        self.grid = SelectedGrid(selection, self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.features)
        self.add_panel(self._stack, "Features")
        self.add_panel(self.grid, "Grid")
        self._filling = GradualFilling(self.tabs, self._fill)
        self.tabs.currentChanged.connect(self._arrange)
        self._filled = Page("Selection", self)
        self._filled.set_primary("Export…", enabled=True)
        set_tooltip(self._filled.primary, "Write the reduced table, the reasons and the picture of the grid")
        icons.assign(self._filled.primary, "export", colours(), "accent_text")
        self.export_button = self._filled.primary
        self.export = SelectionExport(self, self._figure)
        self.export_button.clicked.connect(self.export.ask)
        self.export.written.connect(partial(show_written, self.notice))
        self.export.failed.connect(self.show_failure)
        for notice in (self.stale_notice, self.notice):
            self._filled.body.addWidget(notice)
        self._filled.body.addWidget(self.tabs, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._filled)
        self.set_state(SelectingState.NO_RESULT)

    def add_panel(self, panel: QWidget, title: str) -> None:
        """Add a tab behind those that are there."""
        self.tabs.addTab(panel, title)

    def set_selected(self, selected: SelectedFeatures | None, searched: Analysis | None = None) -> None:
        """Show other features; None shows the empty page again.

        Parameters
        ----------
        selected : SelectedFeatures or None
        searched : Analysis, optional
            What they were selected from.
        """
        self._selected = selected
        self.export.set_selected(selected, searched)
        self._filling.begin([self._stack, self.grid])
        self._arrange()
        self.set_stale(self._stale_reason)
        self._filled.subtitle.setText("" if selected is None else rests_on(selected.result))
        if selected is not None:
            self.notice.hide_text()

    def set_state(self, state: SelectingState) -> None:
        """Say how the selection stands, while there is none to be shown.

        Most selections are made in a moment, so nothing is said of one at work before :meth:`show_working`.
        """
        self._state = state
        if state is not SelectingState.FAILED:
            self.empty.notice.hide_text()
        self.empty.set_words(*_WORDS.get(state, _SILENCE))
        self._allow_request()
        self._arrange()

    def show_working(self) -> None:
        """Say that features are being selected, in the place of any that are shown."""
        self.set_selected(None)
        self.set_state(SelectingState.WORKING)
        self.empty.set_words("Selecting features", _WHAT, "")

    def set_stale(self, reason: str | None) -> None:
        """Mark the features as selected by earlier settings, and say which; None takes the mark away."""
        self._stale_reason = reason
        self.stale_notice.set_reason(reason if self._selected is not None else None)

    def set_can_run(self, possible: bool, reason: str = "") -> None:
        """Allow Run on this page, or say what it waits for."""
        self._can_run, self._why_not = possible, reason
        self.stale_notice.set_can_run(possible, reason)
        self._allow_request()

    def show_failure(self, failure: RunFailure) -> None:
        """Say why something that was asked for on this page did not work."""
        notice = self.empty.notice if self._selected is None else self.notice
        notice.show_failure(failure)

    def find_text(self) -> None:
        """Put the keyboard where something is looked for in the current view."""
        if self.tabs.currentWidget() is self.grid:
            self.grid.find_text()
        else:
            self.tabs.setCurrentWidget(self._stack)
            self.features.find_text()

    @property
    def is_filled(self) -> bool:
        """Whether every view holds the selection; those that are not looked at are filled a moment later."""
        return self._filling.is_done

    def _fill(self, panel: QWidget) -> None:
        """Hand the features to a panel."""
        (self.grid if panel is self.grid else self.features).set_selected(self._selected)

    def _arrange(self) -> None:
        """Show the features or what is missing; the export belongs to the features and their grid."""
        has_any = self._selected is not None
        self._stack.setCurrentWidget(self.features if has_any else self.empty)
        if not has_any and self.tabs.currentWidget() is self.grid:
            self.tabs.setCurrentWidget(self._stack)
        self.tabs.setTabEnabled(self.tabs.indexOf(self.grid), has_any)
        if self._selected is None or self.tabs.currentWidget() not in (self._stack, self.grid):
            self._filled.hide_primary()
            return
        hindrance = "" if self._selected.all else "Nothing was selected"
        self._filled.set_primary("Export…", not hindrance, hindrance)

    def _figure(self) -> Figure | None:
        self._filling.fill(self.grid)
        return self.grid.figure()

    def _allow_request(self) -> None:
        waits_for_run = self._state is SelectingState.NO_RESULT
        self.empty.set_possible(self._can_run or not waits_for_run, self._why_not)

    def _on_requested(self) -> None:
        if self._state is SelectingState.NO_RESULT:
            self.run_requested.emit()
        else:
            self.select_requested.emit()
