"""The steps: what there are, how each stands, and the rail at the left that says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QWidget

from clcd_gui.document.compatibility import problems
from clcd_gui.document.navigation import Navigation
from clcd_gui.run.running import SelectingState
from clcd_gui.run.session import Session
from clcd_gui.shell import comparison
from clcd_gui.style import icons, themes
from clcd_gui.style.text import plain, scaled, set_tooltip
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import SPACE, SPACE_SMALL, TEXT_SMALL
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.window_page import WindowPage, Workspace
from clcd_gui.wording.text import counted
from engine.translation import N_, _

# No step says more than this of how it stands.
_LONGEST_STATE = N_("waits for Results")
_ICON_SIZE = 22


PageMaker = Callable[[Workspace, QWidget], WindowPage]


@dataclass(frozen=True, slots=True)
class StepState:
    """How a step stands."""

    text: str
    is_ready: bool


@dataclass(frozen=True, slots=True)
class StepDescription:
    """One step of the way."""

    name: str
    title: str
    icon: str
    load: Callable[[], PageMaker]  # loads its page, and gives what makes it
    # How it stands while a table is open, whether its page was made or not.
    state: Callable[[Session], StepState] = lambda _session: StepState("", True)
    menus: tuple[str, ...] = ()  # titles of those in which its page has commands of its own
    # Modules that its page is made of, loaded one by one, as together they take a while.
    parts: tuple[str, ...] = ()


def _data_state(session: Session) -> StepState:
    """Tell whether labels are chosen."""
    labels = session.document.dataset.labels
    return StepState(counted(len(labels), "label") if labels else _("choose labels"), bool(labels))


def _method_state(session: Session) -> StepState:
    """Tell whether the settings go together with the table."""
    analysis = session.document.analysis
    if analysis is not None and any(not problem.on_data_page for problem in problems(analysis)):
        return StepState(_("needs a change"), False)
    return StepState(_("ready"), True)


def _results_state(session: Session) -> StepState:
    """Tell whether there is a result, and of which settings."""
    document, live = session.document, session.live
    lane, live_lane = session.controller.discovery, session.controller.live
    if lane.is_noticed or live_lane.is_noticed:
        return StepState(_("stopping") if lane.is_stopping else _("running"), False)
    if document.result is not None:
        if live.is_following and (live_lane.is_busy or document.stale_reason is None):
            return StepState(_("live"), True)
        if document.stale_reason is not None:
            return StepState(_("earlier settings"), False)
        return StepState(_("stopped early") if document.result.is_partial else _("ready"), True)
    open_problems = problems(document.analysis) if document.analysis is not None else ()
    if not open_problems:
        return StepState(_("not run yet"), False)
    return StepState(_("waits for labels") if open_problems[0].on_data_page else _("waits for Method"), False)


def _selection_state(session: Session) -> StepState:
    """Tell whether features are selected, and from which result."""
    document, state = session.document, session.selecting.state
    if state is SelectingState.NO_RESULT:
        return StepState(_(_LONGEST_STATE), False)
    if state is SelectingState.WORKING:
        return StepState(_("selecting") if session.controller.selection.is_noticed else "", False)
    if document.feature_selection is None:
        return StepState(_("stopped") if state is SelectingState.STOPPED else _("not made yet"), False)
    if document.stale_reason is not None:
        return StepState(_("earlier settings"), False)
    return StepState(counted(len(document.feature_selection.features), "feature"), True)


def _report_state(session: Session) -> StepState:
    """Tell whether there is something to report."""
    if session.controller.report.is_noticed:
        return StepState(_("writing"), False)
    if session.document.result is None:
        return StepState(_(_LONGEST_STATE), False)
    return StepState(_("ready"), True)


def _runs_state(session: Session) -> StepState:
    """Tell how many runs there are."""
    count = len(session.document.history.runs)
    return StepState(counted(count, "run") if count else _("not run yet"), count > 1)


def named_page(entry_point: str) -> Callable[[], PageMaker]:
    """Return what loads a page, given by module and class, when it is seen: the start waits for none."""
    module, _, name = entry_point.partition(":")
    return lambda: cast("PageMaker", getattr(import_module(module), name))


def _selection_page() -> PageMaker:
    from clcd_gui.selection.selection_page import SelectionPage

    def make(workspace: Workspace, parent: QWidget) -> SelectionPage:
        page = SelectionPage(workspace, parent)
        page.add_panel(comparison.comparison_tab(workspace), _("Comparison"))
        return page

    return make


STEPS = (
    StepDescription(
        Navigation.FIRST,
        N_("Data"),
        "data",
        named_page("clcd_gui.data.data_page:DataPage"),
        _data_state,
        parts=(
            "clcd_gui.data.value_editors",
            "clcd_gui.data.column_page",
            "clcd_gui.data.knowledge_panel",
            "clcd_gui.data.steps_panel",
        ),
    ),
    StepDescription(
        "method", N_("Method"), "method", named_page("clcd_gui.method.method_page:MethodPage"), _method_state
    ),
    StepDescription(
        "results",
        N_("Results"),
        "results",
        named_page("clcd_gui.results.results_page:ResultsPage"),
        _results_state,
        ("File", "Run"),
        (
            "clcd_gui.results.charts_panel",
            "clcd_gui.plots.graph_view",
            "clcd_gui.results.graph_panel",
            "clcd_gui.widgets.grid_panel",
            "clcd_gui.widgets.findings_panel",
            "clcd_gui.widgets.export_actions",
        ),
    ),
    StepDescription(
        "selection",
        N_("Selection"),
        "selection",
        _selection_page,
        _selection_state,
        ("File",),
        comparison.PARTS,
    ),
    StepDescription(
        "report", N_("Report"), "report", named_page("clcd_gui.report.report_page:ReportPage"), _report_state
    ),
    StepDescription(
        "runs", N_("Runs"), "recent", named_page("clcd_gui.history.runs_page:RunsPage"), _runs_state, ("Run",)
    ),
)


class StepButton(FollowsLook, QPushButton):
    """One step, with a line that says how it stands."""

    def __init__(self, step: StepDescription) -> None:
        super().__init__()
        self.step = step
        self._ready = False
        self.setCheckable(True)
        self.setProperty("look", "step")
        self.setAccessibleName(_(step.title))
        self._mark = plain()
        self._title = ElidedLabel(_(step.title))
        self._standing = ElidedLabel()
        self._standing.setProperty("look", "muted")
        words = column(self._title, self._standing, spacing=0)
        self._lines = row(self._mark, (words, 1), on=self, margins=SPACE)
        for child in (self._mark, self._title, self._standing):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._follow_colours()

    def set_standing(self, text: str, ready: bool) -> None:
        """Say how the step stands, and whether it is done."""
        if (text, ready) == (self._standing.text(), self._ready):
            return
        self._ready = ready
        self._standing.setText(text)
        self.setAccessibleDescription(text)
        title = _(self.step.title)
        set_tooltip(self, f"{title}: {text}" if text else title)
        self._follow_colours()

    def sizeHint(self) -> QSize:
        """Ask for the room that the two lines need."""
        return self._lines.sizeHint()

    def _follow_colours(self) -> None:
        chosen = themes.colours(self.palette())
        colour = chosen.accent if self._ready else chosen.muted
        name = "done" if self._ready else self.step.icon
        self._mark.setPixmap(icons.pixmap(name, colour, _ICON_SIZE, self.devicePixelRatioF()))
        self._mark.setFixedSize(QSize(_ICON_SIZE, _ICON_SIZE))


class StepRail(FollowsLook, QFrame):
    """All steps, one of them current."""

    def __init__(self, steps: Sequence[StepDescription], workspace: Workspace) -> None:
        super().__init__()
        self._session, self._navigation = workspace.session, workspace.navigation
        self.setProperty("look", "rail")
        self._follow_font()
        self.setAccessibleName(_("Steps"))
        self._group = QButtonGroup(self)
        self._buttons = {step.name: StepButton(step) for step in steps}
        for button in self._buttons.values():
            self._group.addButton(button)
        column(*self._buttons.values(), 1, on=self, margins=SPACE, spacing=SPACE_SMALL)
        self._group.buttonClicked.connect(self._on_clicked)
        self._navigation.changed.connect(self._on_step)
        opening = self._session.opening
        for signal in (self._session.changed, opening.previewed, opening.given_up, opening.opened):
            signal.connect(self._show_states)
        self._show_states()

    def button(self, name: str) -> StepButton:
        """Return the button of a step."""
        return self._buttons[name]

    def _follow_font(self) -> None:
        # The words grow with the text, and what stands around them does not.
        around = _ICON_SIZE + 5 * SPACE
        small = QFontMetrics(scaled(self.font(), TEXT_SMALL))
        texts = [self.fontMetrics().horizontalAdvance(_(step.title)) for step in STEPS]
        self.setFixedWidth(max(*texts, small.horizontalAdvance(_(_LONGEST_STATE))) + SPACE_SMALL + around)

    def _on_clicked(self, button: StepButton) -> None:
        self._navigation.go(button.step.name)

    def _on_step(self, name: str) -> None:
        self._buttons[name].setChecked(True)

    def _show_states(self) -> None:
        has_table = self._session.document.analysis is not None
        for name, button in self._buttons.items():
            state = self._state(button.step)
            button.set_standing(state.text, state.is_ready)
            button.setEnabled(has_table or name == Navigation.FIRST)

    def _state(self, step: StepDescription) -> StepState:
        is_first = step.name == Navigation.FIRST
        opening = self._session.opening
        if is_first and opening.first_rows is not None:
            return StepState(_("reading the rest"), False)
        if is_first and opening.preview is not None:
            return StepState(_("check the file"), False)
        if self._session.document.analysis is None:
            return StepState(_("open a table") if is_first else _("waits for a table"), False)
        if opening.preview is not None:
            # How they stand would be taken for what is true of the file that is looked at.
            return StepState(_("of the open table"), False)
        return step.state(self._session)
