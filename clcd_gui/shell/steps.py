"""The steps at the left: where one is, what is ready, what waits for what, and what selection waits for."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clcd_gui.document.compatibility import problems
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.evidence.panel import EvidencePanel
from clcd_gui.run.selecting import SelectingState
from clcd_gui.run.session import Session
from clcd_gui.selection.selection_page import SelectionPage
from clcd_gui.style import icons, themes
from clcd_gui.style.text import plain, set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.wording.text import counted

_RAIL_LETTERS = 27
_ICON_SIZE = 22


@dataclass(frozen=True, slots=True)
class StepDescription:
    """One step of the way.

    Attributes
    ----------
    name : str
        Key.
    title : str
        Caption.
    icon : str
        Name of its icon.
    """

    name: str
    title: str
    icon: str


class StepButton(QPushButton):
    """One step, with a line that says how it stands."""

    def __init__(self, step: StepDescription, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step = step
        self._ready = False
        self.setCheckable(True)
        self.setProperty("look", "step")
        self.setAccessibleName(step.title)
        self._mark = plain()
        self._title = ElidedLabel(step.title)
        self._standing = ElidedLabel()
        self._standing.setProperty("look", "muted")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self._standing)
        self._lines = layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        layout.setSpacing(SPACE)
        layout.addWidget(self._mark)
        layout.addLayout(words, 1)
        for child in (self._mark, self._title, self._standing):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._paint_mark()

    def set_standing(self, text: str, ready: bool) -> None:
        """Say how the step stands, and whether it is done."""
        if (text, ready) == (self._standing.text(), self._ready):
            return
        self._ready = ready
        self._standing.setText(text)
        self.setAccessibleDescription(text)
        set_tooltip(self, f"{self.step.title}: {text}" if text else self.step.title)
        self._paint_mark()

    def sizeHint(self) -> QSize:
        """Ask for the room that the two lines need."""
        return self._lines.sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_mark()

    def _paint_mark(self) -> None:
        chosen = themes.colours(self.palette())
        colour = chosen.accent if self._ready else chosen.muted
        name = "done" if self._ready else self.step.icon
        self._mark.setPixmap(icons.pixmap(name, colour, _ICON_SIZE, self.devicePixelRatioF()))
        self._mark.setFixedSize(QSize(_ICON_SIZE, _ICON_SIZE))


class StepRail(QFrame):
    """All steps, one of them current.

    Parameters
    ----------
    steps : tuple of StepDescription
    """

    chosen = Signal(str)

    def __init__(self, steps: tuple[StepDescription, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "rail")
        self._fit()
        self.setAccessibleName("Steps")
        self._group = QButtonGroup(self)
        self._buttons: dict[str, StepButton] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        layout.setSpacing(SPACE_SMALL)
        for step in steps:
            button = StepButton(step)
            self._buttons[step.name] = button
            self._group.addButton(button)
            layout.addWidget(button)
        layout.addStretch(1)
        self._group.buttonClicked.connect(self._on_clicked)

    def button(self, name: str) -> StepButton:
        """Return the button of a step."""
        return self._buttons[name]

    def set_current(self, name: str) -> None:
        """Mark where one is; a name that is no step marks none."""
        if name in self._buttons:
            self._buttons[name].setChecked(True)
            return
        self._group.setExclusive(False)
        for button in self._buttons.values():
            button.setChecked(False)
        self._group.setExclusive(True)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        self.setFixedWidth(self.fontMetrics().averageCharWidth() * _RAIL_LETTERS)

    def _on_clicked(self, button: StepButton) -> None:
        self.chosen.emit(button.step.name)


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
