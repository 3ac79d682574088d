"""What an end without closing left, offered above the pages: unsaved work, and a report of the fault."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QDate, QDateTime, QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clcd_gui.document.recovery import Recovery
from clcd_gui.run.failure import failure_of
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import caption, muted, set_tooltip, title
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.dialogs import ExportDialogs, documents_folder
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.notices import Notice, show_written
from clcd_gui.widgets.window_page import Workspace
from engine.atomic import write_text
from engine.errors import UnwritableFile
from engine.wording.phrases import for_count

_MOST_ROWS = 3
_CRASHED = (
    "CLCD ended by a fault the last time. A report says in which functions of the program it was, and holds "
    "nothing of your data: please send it to whoever maintains CLCD. Nothing is sent by itself."
)


class CrashNotice(Notice):
    """Offers a report where the program ended by a fault of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dialogs = ExportDialogs()
        self._report = ""

    def offer(self, reports: Sequence[str]) -> None:
        """Offer reports; nothing is said where there is none."""
        if not reports:
            return
        self._report = "\n".join(reports)
        self.show_text(_CRASHED, "warning")
        self.add_action("Copy the report", lambda: QGuiApplication.clipboard().setText(self._report))
        self.add_action("Save the report…", self._save)

    def _save(self) -> None:
        path = self.dialogs.choose_file(self, "Save the report", documents_folder() / "CLCD report.txt")
        if path is None:
            return
        try:
            write_text(path, self._report)
        except UnwritableFile as error:
            self.show_failure(failure_of(error))
            return
        show_written(self, [path])


class RecoveryRow(QWidget):
    """One analysis that was left behind, with what can be done about it."""

    def __init__(self, recovery: Recovery, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.recovery = recovery
        name = recovery.name or "An analysis"
        about = _about(recovery)
        words = QVBoxLayout()
        words.setSpacing(0)
        heading, line = ElidedLabel(name), ElidedLabel(about)
        heading.setProperty("look", "title")
        line.setProperty("look", "muted")
        words.addWidget(heading)
        words.addWidget(line)
        self.recover = QPushButton(caption("Recover"))
        self.discard = QPushButton(caption("Discard"))
        self.recover.setAccessibleName(f"Recover {name}, {about}")
        self.discard.setAccessibleName(f"Discard what was not saved of {name}")
        set_tooltip(
            self.recover, "Open it as it was, not saved yet. Your own file stays as it is until you save."
        )
        set_tooltip(self.discard, "Remove what was not saved. Your own file stays as it is.")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, SPACE_SMALL, 0, SPACE_SMALL)
        row.setSpacing(SPACE)
        row.addLayout(words, 1)
        row.addWidget(self.recover)
        row.addWidget(self.discard)


class RecoveryBar(QFrame):
    """Offers what was left behind; it is in nobody's way, and gone when all of it is decided."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._autosave, self._files = workspace.session.autosave, workspace.files
        set_look(self, "notice", tone="warning")
        self._heading = title("")
        self._more = muted("")
        self.later = QPushButton(caption("Later"))
        set_look(self.later, "quiet")
        self.later.setAccessibleName("Decide at the next start")
        set_tooltip(self.later, "Leave it where it is; it is offered again at the next start.")
        self.later.clicked.connect(self._autosave.put_off)
        head = QHBoxLayout()
        head.addWidget(self._heading, 1)
        head.addWidget(self.later, 0, Qt.AlignmentFlag.AlignTop)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_LARGE, SPACE, SPACE_LARGE, SPACE)
        layout.setSpacing(SPACE_SMALL)
        layout.addLayout(head)
        layout.addLayout(self._rows)
        layout.addWidget(self._more)
        self.setVisible(False)
        self._autosave.found.connect(self._show)

    @property
    def rows(self) -> list[RecoveryRow]:
        """What is offered, the latest first."""
        items = (self._rows.itemAt(index) for index in range(self._rows.count()))
        found = (None if item is None else item.widget() for item in items)
        return [each for each in found if isinstance(each, RecoveryRow)]

    def _show(self) -> None:
        offered = self._autosave.left_behind
        for row in self.rows:
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._heading.setText(
            for_count(
                len(offered),
                "The program ended before this was saved",
                "The program ended before these were saved",
            )
        )
        for recovery in offered[:_MOST_ROWS]:
            row = RecoveryRow(recovery)
            row.recover.clicked.connect(self._on_recover)
            row.discard.clicked.connect(self._on_discard)
            self._rows.addWidget(row)
        hidden = len(offered) - _MOST_ROWS
        self._more.setVisible(hidden > 0)
        if hidden > 0:
            self._more.setText(
                for_count(hidden, "{count} more follows.", "{count} more follow.").format(count=hidden)
            )
        self.setAccessibleName(self._heading.text())
        self.setVisible(bool(offered))

    def _on_recover(self) -> None:
        self._files.recover(self._asked())

    def _on_discard(self) -> None:
        self._autosave.discard(self._asked())

    def _asked(self) -> Recovery:
        button = self.sender()
        row = button.parent() if button is not None else None
        assert isinstance(row, RecoveryRow)
        return row.recovery


def _about(recovery: Recovery) -> str:
    """Say when it was kept, as people of this place write it, and what became of the file."""
    moment = QDateTime.fromSecsSinceEpoch(int(recovery.saved_at.timestamp()))
    is_today = moment.date() == QDate.currentDate()
    short = QLocale.FormatType.ShortFormat
    sentence = _KEPT[is_today, recovery.project is not None]
    return sentence.format(when=QLocale().toString(moment.time() if is_today else moment, short))


_KEPT = {
    (True, True): "Kept today at {when}; the file itself is as it was saved last.",
    (True, False): "Kept today at {when}; it was never saved.",
    (False, True): "Kept on {when}; the file itself is as it was saved last.",
    (False, False): "Kept on {when}; it was never saved.",
}
