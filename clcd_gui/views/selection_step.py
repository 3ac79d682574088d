"""Ties the page of selected features to the session: they are selected when somebody looks at the page."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from clcd_gui.core.selected_features import SelectedFeatures
from clcd_gui.run.selecting import SelectingState
from clcd_gui.run.session import Session
from clcd_gui.views.evidence_panel import EvidencePanel
from clcd_gui.views.selection_page import SelectionPage


class SelectionStep(QObject):
    """Fills the page of selected features, and the panel that answers questions about them.

    Parameters
    ----------
    session : Session
    page : SelectionPage
    why : EvidencePanel
    parent : QObject
        Takes this along when it goes.
    """

    shown = Signal()
    """Something else is shown."""

    def __init__(self, session: Session, page: SelectionPage, why: EvidencePanel, parent: QObject) -> None:
        super().__init__(parent)
        self._page = page
        self._why = why
        self._selecting = session.selecting
        self._document = session.document
        self._document.features_selected.connect(self._on_selected)
        self._selecting.changed.connect(self._on_changed)
        self._selecting.failed.connect(self._page.show_failure)
        session.controller.selection.noticed.connect(self._on_noticed)
        self._page.select_requested.connect(self._selecting.start)

    def set_shown(self, shown: bool) -> None:
        """Say whether the page is looked at."""
        self._selecting.set_wanted(shown)
        self._why.ask_why_selected(shown)

    def _on_selected(self) -> None:
        selection = self._document.feature_selection
        if selection is not None:
            self._show(SelectedFeatures(selection))

    def _on_changed(self) -> None:
        state = self._selecting.state
        if state not in (SelectingState.DONE, SelectingState.WORKING):
            self._show(None)
        self._page.set_state(state)

    def _on_noticed(self) -> None:
        """Take away what was selected from another result, once it takes long to select from this one."""
        self._show(None)
        self._page.show_working()

    def _show(self, selected: SelectedFeatures | None) -> None:
        self._page.set_selected(selected, self._document.searched)
        self._why.set_selected(selected)
        self.shown.emit()
