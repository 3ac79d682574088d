"""How each step stands, in a word: what is ready, and what waits for what."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from clcd_gui.core.compatibility import problems
from clcd_gui.core.number_format import counted
from clcd_gui.run.selecting import SelectingState
from clcd_gui.run.session import Session


@dataclass(frozen=True, slots=True)
class Standing:
    """How one step stands.

    Attributes
    ----------
    text : str
        A few words.
    ready : bool
        It is done, or needs nothing.
    reachable : bool
        It can be gone to.
    """

    text: str
    ready: bool
    reachable: bool = True


class Standings(QObject):
    """Follows the session and tells when any step stands otherwise.

    Parameters
    ----------
    session : Session
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        document = session.document
        for signal in (
            document.opened,
            document.closed,
            document.analysis_changed,
            document.result_changed,
        ):
            signal.connect(self.refresh)
        session.opening.begun.connect(self.refresh)
        controller = session.controller
        for lane in (controller.files, controller.discovery, controller.repetition):
            for signal in (lane.started, lane.noticed, lane.stopping, lane.ended):
                signal.connect(self.refresh)
        for signal in (controller.selection.noticed, session.selecting.changed):
            signal.connect(self.refresh)
        for signal in (controller.live.noticed, controller.live.ended, session.live.changed):
            signal.connect(self.refresh)

    def refresh(self) -> None:
        """Tell that something may stand otherwise."""
        self.changed.emit()

    def of(self, step: str) -> Standing:
        """Say how a step stands."""
        if step == "data" and self._session.opening.first_rows is not None:
            return Standing("reading the rest", False)
        if self._session.document.analysis is None:
            words = "open a table" if step == "data" else "waits for a table"
            return Standing(words, False, step == "data")
        standings = {
            "data": self._data,
            "method": self._method,
            "results": self._results,
            "selection": self._selection,
        }
        return standings[step]()

    @property
    def figures(self) -> str:
        """Size of the table in one line; empty while only its beginning is there."""
        analysis = self._session.document.analysis
        if analysis is None or self._session.opening.first_rows is not None:
            return ""
        dataset = analysis.dataset
        return " · ".join(
            (
                counted(dataset.row_count, "row"),
                counted(len(dataset.features), "feature"),
                counted(len(dataset.labels), "label"),
            )
        )

    def _data(self) -> Standing:
        analysis = self._session.document.analysis
        if analysis is None or not analysis.dataset.labels:
            return Standing("choose labels", False)
        return Standing(counted(len(analysis.dataset.labels), "label"), True)

    def _method(self) -> Standing:
        analysis = self._session.document.analysis
        if analysis is not None and any(not each.on_data_page for each in problems(analysis)):
            return Standing("needs a change", False)
        return Standing("ready", True)

    def _results(self) -> Standing:
        document, lane = self._session.document, self._session.controller.discovery
        live = self._session.controller.live
        if lane.is_noticed or live.is_noticed:
            return Standing("stopping" if lane.is_stopping else "running", False)
        if document.result is not None:
            if self._session.live.is_following and (live.is_busy or document.stale_reason is None):
                return Standing("live", True)
            if document.stale_reason is not None:
                return Standing("earlier settings", False)
            return Standing("stopped early" if document.result.is_partial else "ready", True)
        found = problems(document.analysis) if document.analysis is not None else ()
        if not found:
            return Standing("not run yet", False)
        return Standing("waits for labels" if found[0].on_data_page else "waits for Method", False)

    def _selection(self) -> Standing:
        document, state = self._session.document, self._session.selecting.state
        if state is SelectingState.NO_RESULT:
            return Standing("waits for Results", False)
        if state is SelectingState.WORKING:
            is_noticed = self._session.controller.selection.is_noticed
            return Standing("selecting" if is_noticed else "", False)
        if document.feature_selection is None:
            return Standing("stopped" if state is SelectingState.STOPPED else "not made yet", False)
        if document.stale_reason is not None:
            return Standing("earlier settings", False)
        return Standing(counted(len(document.feature_selection.features), "feature"), True)
