"""The steps: what there are, and the rail at the left that says where one is, and what waits for what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clcd_gui.comparison.panel import ComparisonTab
from clcd_gui.data.data_page import DataPage
from clcd_gui.document.navigation import Navigation
from clcd_gui.history.runs_page import RunsPage
from clcd_gui.method.method_page import MethodPage
from clcd_gui.report.report_page import ReportPage
from clcd_gui.results.results_page import ResultsPage
from clcd_gui.selection.selection_page import SelectionPage
from clcd_gui.style import icons, themes
from clcd_gui.style.text import plain, set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.window_page import StepState, WindowPage, Workspace

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
    make : callable
        Makes its page.
    """

    name: str
    title: str
    icon: str
    make: Callable[[Workspace], WindowPage]


def _selection_page(workspace: Workspace) -> SelectionPage:
    page = SelectionPage(workspace)
    page.add_panel(ComparisonTab(workspace), "Comparison")
    return page


STEPS = (
    StepDescription(Navigation.FIRST, "Data", "data", DataPage),
    StepDescription("method", "Method", "method", MethodPage),
    StepDescription("results", "Results", "results", ResultsPage),
    StepDescription("selection", "Selection", "selection", _selection_page),
    StepDescription("report", "Report", "report", ReportPage),
    StepDescription("runs", "Runs", "recent", RunsPage),
)


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
    steps : sequence of StepDescription
    workspace : Workspace
    pages : mapping of str to WindowPage
        The page of each step, which says how it stands.
    """

    def __init__(
        self,
        steps: Sequence[StepDescription],
        workspace: Workspace,
        pages: Mapping[str, WindowPage],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._navigation = workspace.session, workspace.navigation
        self._pages = pages
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
        self._navigation.changed.connect(self._on_step)
        self._session.changed.connect(self._show_states)
        self._show_states()

    def button(self, name: str) -> StepButton:
        """Return the button of a step."""
        return self._buttons[name]

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        self.setFixedWidth(self.fontMetrics().averageCharWidth() * _RAIL_LETTERS)

    def _on_clicked(self, button: StepButton) -> None:
        self._navigation.go(button.step.name)

    def _on_step(self, name: str) -> None:
        self._buttons[name].setChecked(True)

    def _show_states(self) -> None:
        has_table = self._session.document.analysis is not None
        for name, button in self._buttons.items():
            state = self._state(name)
            button.set_standing(state.text, state.is_ready)
            button.setEnabled(has_table or name == Navigation.FIRST)

    def _state(self, name: str) -> StepState:
        if name == Navigation.FIRST and self._session.opening.first_rows is not None:
            return StepState("reading the rest", False)
        if self._session.document.analysis is None:
            return StepState("open a table" if name == Navigation.FIRST else "waits for a table", False)
        return self._pages[name].state
