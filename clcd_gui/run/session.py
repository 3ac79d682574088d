"""The open document with everything that works on it, apart from any window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.document import Document
from clcd_gui.run.checking import Checking
from clcd_gui.run.controller import Controller
from clcd_gui.run.file_watch import FileWatch
from clcd_gui.run.lane import Lane
from clcd_gui.run.live import Live
from clcd_gui.run.opening import Opening
from clcd_gui.run.running import Measuring, Repeating, Running, Selecting
from clcd_gui.run.saving import Autosave, Saving
from clcd_gui.run.table_steps import TableSteps
from clcd_gui.wording.setting_values import SettingChange
from engine.preparation.preparation_settings import PreparationSettings
from engine.readers.options import ReadingOptions


class Session(QObject):
    """Owns document, threads, opening and running."""

    changed = Signal()
    """What is open, what was found or what is running has changed: anything may stand otherwise."""

    def __init__(self) -> None:
        super().__init__()
        self.document = Document(self)
        self.controller = Controller(self)
        self.opening = Opening(self.document, self.controller.files, self)
        self.saving = Saving(self.document, self.controller.saving, self)
        self.autosave = Autosave(self.document, self.controller.keeping, self.controller.recovery, self)
        lanes = self.controller.steps, self.controller.counting, self.controller.describing
        self.steps = TableSteps(self.document, *lanes, self)
        self.checking = Checking(self.document, self.steps, self.opening, self.controller.checking, self)
        self.files = FileWatch(
            self.document, self.opening, self.controller.recent, self.controller.source, self
        )
        self.running = Running(self.document, self.controller, self.opening, self)
        self.live = Live(self.document, self.controller, self.opening, self)
        self.selecting = Selecting(self.document, self.controller, self)
        self.repeating = Repeating(self.document, self.controller, self)
        self.measuring = Measuring(self.document, self.controller, self)
        self._follow()

    @Slot()
    def stop(self) -> None:
        """Stop what is running: searches hand over what they finished, a reading is forgotten."""
        lanes = self._can_be_stopped
        if lanes:
            # Work that the window does not show yet comes last.
            min(lanes, key=lambda lane: not lane.is_noticed).stop()
            # Changes that were being searched are not any more.
            self.live.changed.emit()

    @property
    def can_stop(self) -> bool:
        """Whether anything is running that was not told to stop."""
        return bool(self._can_be_stopped)

    @property
    def _can_be_stopped(self) -> list[Lane]:
        return [lane for lane in self.controller.stoppable if lane.is_busy and not lane.is_stopping]

    def take_advice(self, advised: SettingChange) -> None:
        """Change the setting that a remedy names, and try again."""
        if advised.settings_class is ReadingOptions:
            self.opening.take_advice(advised)
            return
        if advised.settings_class is PreparationSettings:
            self.document.change_preparation(advised.name, advised.value)
        else:
            self.document.change_discovery(advised.name, advised.value)
        self.running.start()

    def _follow(self) -> None:
        document, controller = self.document, self.controller
        signals = [
            document.opened,
            document.closed,
            document.analysis_changed,
            document.result_changed,
            document.history.changed,
            document.rearranged,
            document.modified_changed,
            document.features_selected,
            self.opening.begun,
            self.selecting.changed,
            self.live.changed,
            controller.selection.noticed,
            controller.live.noticed,
            controller.live.ended,
            controller.saving.started,
            controller.saving.ended,
            controller.report.noticed,
            controller.report.ended,
        ]
        for lane in controller.stoppable:
            # Those two begin by themselves after what is told already.
            if lane not in (controller.live, controller.selection):
                signals += [lane.started, lane.noticed, lane.stopping, lane.ended]
        for signal in signals:
            signal.connect(self.changed)
        controller.discovery.started.connect(self.opening.forget_failure)
