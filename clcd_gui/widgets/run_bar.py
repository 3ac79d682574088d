"""The strip under the page: the table's figures, how far the work is, what is left, and Stop."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QSizePolicy

from clcd_gui.run.lane import Standing
from clcd_gui.style import icons, themes
from clcd_gui.style.text import set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.controls import push_button
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import row
from clcd_gui.wording.text import counted, duration_text
from engine.translation import _, translated

_STEPS = 1000
BAR_WIDTH = 160


class RunBar(QFrame):
    """Says at any time what the program is doing."""

    stop_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "bar")
        self.figures = ElidedLabel()
        self.figures.setAccessibleName(_("Size of the table"))
        self.activity = ElidedLabel()
        self.activity.setProperty("look", "muted")
        self.activity.setAccessibleName(_("Activity"))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(BAR_WIDTH)
        self.bar.setAccessibleName(_("Progress"))
        self.left = ElidedLabel()
        self.left.setAccessibleName(_("Time left"))
        self.stop = push_button(_("Stop"), self.stop_requested, _("Stop, and keep what is finished (Esc)"))
        icons.assign(self.stop, "stop", themes.colours(), "text")
        parts = self.figures, 1, self.activity, self.bar, self.left, self.stop
        row(*parts, on=self, margins=(SPACE_LARGE, SPACE_SMALL, SPACE, SPACE_SMALL))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_idle()

    def sizeHint(self) -> QSize:
        """As high as with Stop, whether that is shown or not, and in any text size."""
        return QSize(super().sizeHint().width(), self.stop.sizeHint().height() + 2 * SPACE_SMALL + 1)

    def minimumSizeHint(self) -> QSize:
        """Not lower than it is meant to be."""
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def set_figures(self, text: str) -> None:
        """Say how large the table is."""
        self.figures.setText(text)

    def set_working(self, text: str) -> None:
        """Say that work has begun; how far it is comes later."""
        self.activity.setText(text)
        self._show_share(None)
        self.left.setText("")
        self._show_work(True)
        self.stop.setEnabled(True)
        self.stop.setText(_("Stop"))

    def set_standing(self, standing: Standing) -> None:
        """Say how far the work is, and that it has begun where nothing said so."""
        if self.stop.isHidden():
            self.set_working("")
        stage, detail = translated(standing.stage), translated(standing.detail)
        text = f"{stage}: {detail}" if detail else stage
        self.activity.setText(text)
        done = _("{tests} so far", tests=counted(standing.tests, "test")) if standing.tests else ""
        set_tooltip(self.activity, f"{text}\n{done}".rstrip())
        self._show_share(standing.share)
        self.left.setText(_time_left(standing.left))

    def set_stopping(self) -> None:
        """Say at once that the wish to stop was heard."""
        self.activity.setText(_("Stopping, and keeping what is finished"))
        self.left.setText("")
        self.stop.setEnabled(False)
        self.stop.setText(_("Stopping"))

    def set_idle(self, text: str = "") -> None:
        """Say that nothing is going on, and what came of the last work."""
        self._show_work(False)
        self.activity.setText(text)

    def _show_share(self, share: float | None) -> None:
        """Show which share is done; that something is, where that is not known."""
        # Else it would paint at once, and with it all of the window that is waiting to be painted.
        self.bar.setUpdatesEnabled(False)
        self.bar.setRange(0, 0 if share is None else _STEPS)
        if share is not None:
            self.bar.setValue(round(_STEPS * share))
        self.bar.setUpdatesEnabled(True)

    def _show_work(self, shown: bool) -> None:
        for widget in (self.bar, self.left, self.stop):
            widget.setVisible(shown)


def _time_left(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < 1:
        return _("nearly done")
    return _("{time} left", time=duration_text(max(round(seconds), 1) if seconds >= 10 else round(seconds)))
