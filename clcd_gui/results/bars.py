"""The strips above the results: the level with its slider, and how sure the findings are."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QWidget

from clcd_gui.run.live import LiveState
from clcd_gui.style import icons
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import plain, set_tooltip
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import CONTROL_HEIGHT, SPACE, SPACE_LARGE
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.menus import Menu
from clcd_gui.widgets.setting_editors import NumberEditor, StepSlider
from clcd_gui.wording.text import count_text, duration_text
from engine.boundaries.settings import DiscoverySettings
from engine.discovery.stability.result import StabilitySettings
from engine.parameters import parameter_of

_THROUGH_LABELS = "Links through other labels"
_THROUGH_LABELS_HELP = (
    "Switched off, only direct links are counted, as the CLCD paper defines them.\n"
    "The search finds both kinds either way."
)
_LIVE_HELP = "Results follow every change of the settings by themselves (Ctrl+L)"
_SLOW = "A search of this table takes {time}. That is too long to follow every change of the settings."
_WAITS = "Waits for Run."
_LINE_LETTERS = 9
_SLIDER_LETTERS = 34


class LevelBar(QWidget):
    """Chooses the level α of the search, and which links are counted, beside what is found."""

    chosen = Signal(float, str)
    live_requested = Signal(bool)
    through_labels = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        parameter = parameter_of(DiscoverySettings, "alpha")
        caption = plain(parameter.title, self)
        self.slider = StepSlider(parameter, self)
        self._editor = NumberEditor(parameter)
        self.line = self._editor.widget
        self.live = QCheckBox("Live", self)
        self.counted = QCheckBox(_THROUGH_LABELS, self)
        set_tooltip(self.counted, _THROUGH_LABELS_HELP)
        self.counted.setAccessibleDescription(_THROUGH_LABELS_HELP)
        self.counted.clicked.connect(self.through_labels)
        self.status = ElidedLabel("", self)
        set_look(self.status, "muted")
        caption.setBuddy(self.slider)
        self.slider.chosen.connect(self._on_slid)
        self._editor.edited.connect(self._on_typed)
        self._editor.refused.connect(self._on_refused)
        self.live.clicked.connect(self.live_requested)
        self._standing = ""
        self._fit()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(caption)
        row.addWidget(self.slider, 1)
        row.addWidget(self.line)
        row.addSpacing(SPACE_LARGE)
        row.addWidget(self.live)
        row.addSpacing(SPACE)
        row.addWidget(self.counted)
        row.addWidget(self.status)
        row.addStretch()
        self.setMinimumHeight(CONTROL_HEIGHT)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """Keep room enough for the smallest level, written out."""
        letter = self.fontMetrics().averageCharWidth()
        self.line.setFixedWidth(letter * _LINE_LETTERS + 2 * SPACE)
        self.slider.setMaximumWidth(letter * _SLIDER_LETTERS)

    def set_level(self, level: float) -> None:
        """Show the level that a search would use now."""
        self.slider.set_value(level)
        self._editor.set_value(level)
        self._show_status()

    def set_counted(self, counted: bool) -> None:
        """Say whether links through other labels are counted."""
        self.counted.setChecked(counted)

    def set_has_links_through_labels(self, has_links: bool) -> None:
        """Offer the choice only where a result has such links."""
        self.counted.setVisible(has_links)

    def set_live(self, state: LiveState) -> None:
        """Say whether results follow every change, and if not, why."""
        self.live.setChecked(state.is_on)
        # Where it is wanted and waits, a click could change nothing.
        self.live.setEnabled(state.possible or (state.seconds is None and not state.wanted))
        self._standing = "" if state.is_on else _WAITS
        is_slow = not (state.is_on or state.possible or state.seconds is None)
        why = _SLOW.format(time=duration_text(state.seconds or 0.0)) if is_slow else _LIVE_HELP
        set_tooltip(self.live, why)
        self.live.setAccessibleDescription(why)
        self._show_status()

    def _on_slid(self, level: float, gesture: str) -> None:
        self._editor.set_value(level)
        self.chosen.emit(level, gesture)

    def _on_typed(self, level: float) -> None:
        self.slider.set_value(level)
        self.chosen.emit(level, "")

    def _on_refused(self, reason: str) -> None:
        self._show_status(reason)

    def _show_status(self, objection: str = "") -> None:
        self.status.setText(objection or self._standing)
        tone = "error" if objection else ""
        if (self.status.property("tone") or "") != tone:
            set_look(self.status, "muted", tone=tone)


_HELP = (
    "Search random halves of the rows again and count how often each variable is found again.\n"
    "What comes back whichever rows are drawn does not hang on a few of them."
)
_HEADING = "Search random halves of the rows again"
_CHOICES = {20: "for a first look", 50: "as usual", 200: "for fine differences"}


class HowSureButton(QPushButton):
    """Opens a menu of how often to repeat the search.

    Signals
    -------
    chosen
        With the settings of the repetition.
    """

    chosen = Signal(StabilitySettings)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("How sure?", parent)
        self.repetitions = Menu("How sure?", self)
        self.repetitions.setToolTipsVisible(True)
        heading = self.repetitions.addAction(_HEADING)
        heading.setEnabled(False)
        self.actions_by_number: dict[int, QAction] = {}
        for number, purpose in _CHOICES.items():
            action = self.repetitions.addAction(f"{count_text(number)} times, {purpose}")
            action.triggered.connect(partial(self._choose, number))
            self.actions_by_number[number] = action
        self.setMenu(self.repetitions)
        icons.assign(self, "repeat", colours(), "text")
        self.set_hindrance("")

    def set_hindrance(self, reason: str) -> None:
        """Say what it waits for; empty allows it."""
        self.setEnabled(not reason)
        set_tooltip(self, reason or _HELP)
        self.setAccessibleDescription(reason or _HELP)
        self.repetitions.setEnabled(not reason)

    def _choose(self, number: int, _checked: bool = False) -> None:
        self.chosen.emit(StabilitySettings(resamples=number))
