"""A tour of two minutes on the bundled example: quiet steps that point at the controls of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget

from clcd_gui.document.examples import examples
from clcd_gui.shell.pages import Pages
from clcd_gui.style import themes
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, muted, title
from clcd_gui.style.tokens import FOCUS_WIDTH, RADIUS, SPACE_LARGE
from clcd_gui.turns import single_shot
from clcd_gui.widgets.controls import push_button
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.window_page import Workspace
from engine.translation import N_, _

if TYPE_CHECKING:
    from clcd_gui.data.data_page import DataPage
    from clcd_gui.method.method_page import MethodPage
    from clcd_gui.results.results_page import ResultsPage

_LETTERS = 46


@dataclass(frozen=True, slots=True)
class TourPlaces:
    """What the tour leads through."""

    workspace: Workspace
    pages: Pages
    why: QWidget


@dataclass(frozen=True, slots=True)
class TourStep:
    """One stop of the tour."""

    title: str
    text: str
    target: Callable[[TourPlaces], QWidget | None]
    prepare: Callable[[TourPlaces], object]
    is_ready: Callable[[TourPlaces], bool]


def _data(places: TourPlaces) -> DataPage:
    return cast("DataPage", places.pages.page("data"))


def _results(places: TourPlaces) -> ResultsPage:
    return cast("ResultsPage", places.pages.page("results"))


def _is_example_open(places: TourPlaces) -> bool:
    reading = places.workspace.session.document.reading
    return reading is not None and reading.path == examples()[0].path


def _has_example(places: TourPlaces) -> bool:
    return _is_example_open(places) and places.workspace.session.opening.first_rows is None


def _has_labels(places: TourPlaces) -> bool:
    return bool(places.workspace.session.document.dataset.labels) and _has_example(places)


def _has_result(places: TourPlaces) -> bool:
    return places.workspace.session.document.result is not None and _has_example(places)


def _take_labels(places: TourPlaces) -> None:
    offer = places.workspace.session.document.offer
    places.workspace.navigation.go("data")
    if _has_example(places) and not _has_labels(places) and offer is not None:
        places.workspace.session.document.set_labels(offer.names)


def _run(places: TourPlaces) -> None:
    session = places.workspace.session
    is_possible = _has_example(places) and not session.running.hindrance
    if is_possible and not _has_result(places) and not session.live.is_following:
        session.running.start()
    places.workspace.navigation.go("results")
    _results(places).tabs.setCurrentIndex(0)


def _show_common(places: TourPlaces) -> None:
    places.workspace.navigation.go("results")
    results = _results(places)
    results.tabs.setCurrentWidget(results.common)


def _ask_why(places: TourPlaces) -> None:
    _show_common(places)
    places.workspace.settings.shows_why = True
    result = places.workspace.session.document.result if _has_example(places) else None
    findings = result.counted_findings.common if result is not None else ()
    if places.workspace.highlight.feature is None and findings:
        places.workspace.highlight.select(findings[0].feature, findings[0].labels[0])


STEPS = (
    TourStep(
        N_("One row per person, one column per variable"),
        N_(
            "This is a simulated survey of hospital staff. You see its columns and their values. To "
            "open your own file, drop it on the window."
        ),
        lambda places: _data(places).columns,
        lambda places: places.workspace.navigation.go("data"),
        _has_example,
    ),
    TourStep(
        N_("Labels are the outcomes to explain"),
        N_(
            "Five complaints are now marked as labels. In your own table, select columns and press "
            "L. All other columns are features, which may explain the labels. Ctrl+Z undoes each "
            "change."
        ),
        lambda places: _data(places).tools,
        _take_labels,
        _has_labels,
    ),
    TourStep(
        N_("Settings that suit most tables"),
        N_(
            "The significance level (α) limits false findings. The sign ? beside a setting opens "
            "its help. You do not need to change anything here."
        ),
        lambda places: cast("MethodPage", places.pages.page("method")).search.editor("alpha"),
        lambda places: places.workspace.navigation.go("method"),
        _has_labels,
    ),
    TourStep(
        N_("The answer, in sentences first"),
        N_(
            "The Overview says which variables are linked to several complaints, and which to one "
            "only. Click a blue name to select it. If a search does not start by itself, press "
            "Ctrl+R. Esc stops it."
        ),
        lambda places: _results(places).overview,
        _run,
        _has_result,
    ),
    TourStep(
        N_("Common variables"),
        N_(
            "One row for each variable that is linked to two or more labels, those with most labels "
            "first. The sign ▸ shows interchangeable variables, which carry the same information."
        ),
        lambda places: _results(places).common.table,
        _show_common,
        _has_result,
    ),
    TourStep(
        N_("Why?"),
        N_(
            "This panel shows by which rule and tests the selected variable was found, and what "
            "would change that. Press Space to move here from a row, node or cell."
        ),
        lambda places: places.why,
        _ask_why,
        _has_result,
    ),
    TourStep(
        N_("The same as grid, graph and charts"),
        N_(
            "All views share one selection. A blue disc is a common variable. A green ring is "
            "linked to one label only."
        ),
        lambda places: _results(places).tabs.tabBar(),
        lambda places: places.workspace.navigation.go("results"),
        _has_result,
    ),
    TourStep(
        N_("Take it with you"),
        N_(
            "Export writes tables and figures. Save project (Ctrl+S) saves everything in one file. "
            "The help has the lesson of this example, with the correct answer."
        ),
        lambda places: _results(places).export_button,
        lambda places: places.workspace.navigation.go("results"),
        _has_result,
    ),
)


class _Outline(QWidget):
    """A frame around what is pointed at; the pointer goes through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(themes.colours(self.palette()).accent), FOCUS_WIDTH + 1))
        inset = FOCUS_WIDTH
        painter.drawRoundedRect(self.rect().adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)
        painter.end()


class TourBubble(QFrame):
    """Says what a step is about, beside what it points at, with Back, Next and End."""

    ended = Signal()
    turned = Signal(int)
    focus_taken = Signal()
    """The program itself took the keys away; a person who leaves by Tab or by a click is let go."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_look(self, "bubble")
        self._title = title("")
        self._title.setWordWrap(True)
        self._text = body("")
        self._progress = muted("")
        self._progress.setWordWrap(False)
        self.end = push_button(_("End tour"), self.ended, look="quiet")
        self.back = push_button(_("Back"), lambda: self.turned.emit(-1))
        self.next = push_button(_("Next"), lambda: self.turned.emit(1), look="primary")
        for button in (self.end, self.back, self.next):
            button.installEventFilter(self)
        buttons = row(self._progress, 1, self.end, self.back, self.next)
        self._column = column(self._title, self._text, buttons, on=self, margins=SPACE_LARGE)
        themes.follow_theme(self)

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def show_step(self, step: TourStep, number: int, total: int, is_ready: bool) -> None:
        """Say what a step is about."""
        step_title, text = _(step.title), _(step.text)
        self._title.setText(step_title)
        self._text.setText(text)
        progress = _("{number} of {total}", number=number, total=total)
        self._progress.setText(progress if is_ready else _("One moment…"))
        self.setAccessibleName(_("Tour, {progress}: {title}", progress=progress, title=step_title))
        self.setAccessibleDescription(text)
        self.next.setAccessibleDescription(f"{step_title}. {text}")
        self.back.setEnabled(number > 1)
        self.next.setEnabled(is_ready)
        self.next.setText(_("Done") if number == total else _("Next"))
        self.fit()

    def fit(self) -> None:
        """Take the room that its words need in the size of the text."""
        width = _LETTERS * self.fontMetrics().averageCharWidth() + 2 * SPACE_LARGE
        self.setFixedWidth(width)
        for words in (self._title, self._text):
            words.ensurePolished()
        self.resize(width, self.heightForWidth(width))
        self._column.activate()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Turn the steps by the arrows, which a button would take for itself, and end by Esc."""
        if isinstance(event, QFocusEvent) and event.lostFocus():
            if event.reason() == Qt.FocusReason.OtherFocusReason:
                self.focus_taken.emit()
            return False
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        turns = {Qt.Key.Key_Left: self.back, Qt.Key.Key_Right: self.next, Qt.Key.Key_Escape: self.end}
        button = turns.get(Qt.Key(event.key()))
        if button is None:
            return False
        button.click()
        return True


class Tour(QObject):
    """Leads through the window and the example, step by step, until another table is open."""

    def __init__(self, window: QWidget, places: TourPlaces) -> None:
        super().__init__(window)
        self._window, self.places = window, places
        self._number = -1
        self._takes_focus = False
        self._is_opening = False
        self.bubble: TourBubble | None = None
        self._outline: _Outline | None = None
        self._later = single_shot(self, 0, self._place)

    @property
    def step(self) -> TourStep | None:
        """Where it is; None when it is not under way."""
        return STEPS[self._number] if self._number >= 0 else None

    def start(self) -> None:
        """Begin, with the bundled example."""
        if self.bubble is None:
            self.bubble, self._outline = TourBubble(self._window), _Outline(self._window)
            self.bubble.ended.connect(self.end)
            self.bubble.turned.connect(self._turn)
            self.bubble.focus_taken.connect(self._want_focus)
            self._window.installEventFilter(self)
            for signal, slot in self._followed():
                signal.connect(slot)
        self._go(0)

    def _followed(self) -> Iterator[tuple[SignalInstance, Callable[[], None]]]:
        """Yield what is heard while the tour is under way."""
        workspace = self.places.workspace
        session, document = workspace.session, workspace.session.document
        for signal in (session.changed, workspace.navigation.changed, document.result_changed):
            yield signal, self._follow
        for signal in (document.opened, session.opening.failed, session.opening.given_up):
            yield signal, self._end_without_example

    def end(self) -> None:
        """Vanish."""
        if self.bubble is None or self._outline is None:
            return
        self._window.removeEventFilter(self)
        for signal, slot in self._followed():
            signal.disconnect(slot)
        self._later.stop()
        for part in (self.bubble, self._outline):
            part.hide()
            part.deleteLater()
        self.bubble = self._outline = None
        self._number = -1

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay beside what is pointed at when the window changes its size."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.FontChange):
            self._later.start()
        return False

    def _turn(self, by: int) -> None:
        if self._number + by >= len(STEPS):
            self.end()
        else:
            self._go(max(self._number + by, 0))

    def _open_example(self) -> None:
        if not _is_example_open(self.places):
            # What is being read is given up for it, which is no reason to end.
            self._is_opening = True
            self.places.workspace.files.open(examples()[0].path, self.end)
            self._is_opening = False

    def _end_without_example(self) -> None:
        if not self._is_opening and not _is_example_open(self.places):
            self.end()

    def _go(self, number: int) -> None:
        self._number = number
        if number == 0:
            self._open_example()
        if self.step is None:
            return
        STEPS[number].prepare(self.places)
        self._follow()
        if self.bubble is not None:
            self.bubble.show()
            self.bubble.end.setFocus()
            self._want_focus()

    def _want_focus(self) -> None:
        """Take the keys once the step can be seen: what opens or ends meanwhile takes them for itself."""
        self._takes_focus = True
        self._later.start()

    def _follow(self) -> None:
        """Say whether the step can be seen by now, once everything else has heard of the change."""
        step = self.step
        if step is not None and self.bubble is not None:
            is_ready = step.is_ready(self.places)
            if not is_ready and self.bubble.next.hasFocus():
                self.bubble.end.setFocus()
            self.bubble.show_step(step, self._number + 1, len(STEPS), is_ready)
            self._later.start()

    def _place(self) -> None:
        step, bubble, outline = self.step, self.bubble, self._outline
        if step is None or bubble is None or outline is None:
            return
        window = self._window
        target = step.target(self.places) if step.is_ready(self.places) else None
        around = QRect()
        if target is not None and target.isVisible():
            around = QRect(target.mapTo(window, QPoint(0, 0)), target.size()).intersected(window.rect())
        outline.setGeometry(around.adjusted(-4, -4, 4, 4))
        outline.setVisible(not around.isNull())
        outline.raise_()
        bubble.fit()
        bubble.move(place_beside(around, bubble.size(), window.rect()))
        bubble.raise_()
        if self._takes_focus and bubble.next.isEnabled():
            self._takes_focus = False
            bubble.next.setFocus()


def place_beside(target: QRect, size: QSize, room: QRect) -> QPoint:
    """Return where a bubble hides nothing of what it points at, or else the lower right corner."""
    gap = SPACE_LARGE
    inside = room.adjusted(gap, gap, -gap, -gap)
    corner = QPoint(inside.right() - size.width() + 1, inside.bottom() - size.height() + 1)
    if target.isNull():
        return corner
    left = min(max(target.left(), inside.left()), corner.x())
    top = min(max(target.top(), inside.top()), corner.y())
    places = (
        QPoint(left, target.bottom() + 1 + gap),
        QPoint(left, target.top() - gap - size.height()),
        QPoint(target.right() + 1 + gap, top),
        QPoint(target.left() - gap - size.width(), top),
    )
    return next((place for place in places if inside.contains(QRect(place, size))), corner)
