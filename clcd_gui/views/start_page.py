"""The first thing that is seen: open a table, drop one, try an example."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from clcd_gui.core.examples import Example
from clcd_gui.core.remedies import SettingChange
from clcd_gui.run.failure import RunFailure
from clcd_gui.style import icons, themes
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, plain, title
from clcd_gui.style.tokens import SPACE, SPACE_LARGE
from clcd_gui.views.file_row import FileRow
from clcd_gui.views.notice import Notice
from clcd_gui.views.page import Page
from clcd_gui.views.reading_panel import ReadingPanel
from clcd_gui.views.words_card import WordsCard
from engine.readers.registry import ReadingOptions, formats

_DROP_MARK = 36
_GREATEST_WIDTH = 1000


class StartPage(Page):
    """Offers the ways in; no dialog stands before it.

    Parameters
    ----------
    examples : sequence of Example
        Bundled tables.
    """

    open_requested = Signal()
    path_chosen = Signal(object)
    forget_requested = Signal(object)

    def __init__(self, examples: Sequence[Example], parent: QWidget | None = None) -> None:
        super().__init__("What bears on several outcomes, and what on one alone?", parent)
        self.subtitle.setText(
            "Open a table with one row a case and one column a variable. Say which columns are outcomes; "
            "the program finds their common and their label-specific causal variables, and says why."
        )
        self.set_primary("Open…", True)
        icons.assign(self.primary, "open", themes.colours(), "accent_text")
        self.primary.clicked.connect(self.open_requested)
        self.notice = Notice()
        self.notice.closed.connect(self.forget_failure)
        self.reading = ReadingPanel(greatest_height=340)
        self.reading.setVisible(False)
        self.drop = self._drop_area()
        self.words = WordsCard()
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        self._examples = QVBoxLayout()
        self._examples.setSpacing(0)
        self.body.addWidget(self.notice)
        self.body.addWidget(self.reading)
        self.body.addWidget(self._middle(), 1)
        for example in examples:
            row = FileRow("example", example.title, example.summary, str(example.path))
            row.clicked.connect(self._choose)
            self._examples.addWidget(row)

    def set_recent(self, paths: Sequence[Path]) -> None:
        """List the files that were open, the latest first."""
        while self._recent.count():
            widget = self._recent.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        if not paths:
            self._recent.addWidget(muted("Tables that you open will be listed here."))
        for path in paths:
            row = FileRow("recent", path.name, str(path.parent), str(path))
            row.clicked.connect(self._choose)
            self._recent.addWidget(row)

    def show_failure(
        self,
        failure: RunFailure,
        options: ReadingOptions | None = None,
        change: Callable[[SettingChange], object] | None = None,
    ) -> None:
        """Say why a table could not be opened, and offer to read it in another way.

        Parameters
        ----------
        failure : RunFailure
        options : ReadingOptions, optional
            How it was read; None when reading it otherwise cannot help.
        change : callable, optional
            Makes a change that the remedy names.
        """
        self.notice.show_failure(failure, change)
        self.reading.setVisible(options is not None)
        self.words.setVisible(options is None)
        if options is not None:
            self.reading.set_unread(options)

    def forget_failure(self) -> None:
        """Say nothing about a failure any more."""
        self.notice.hide_text()
        self.reading.setVisible(False)
        self.words.setVisible(True)

    def _choose(self) -> None:
        row = self.sender()
        if isinstance(row, FileRow):
            self.path_chosen.emit(Path(row.key))

    def _drop_area(self) -> QFrame:
        area = QFrame()
        set_look(area, "drop")
        mark = plain()
        mark.setPixmap(icons.pixmap("drop", themes.colours().muted, _DROP_MARK))
        caption = title("Drop a table anywhere in this window")
        kinds = ", ".join(each.title for each in formats().values())
        about = muted(f"{kinds}; each also compressed (.gz)")
        column = QVBoxLayout(area)
        column.setContentsMargins(SPACE_LARGE, 2 * SPACE_LARGE, SPACE_LARGE, 2 * SPACE_LARGE)
        column.setSpacing(SPACE)
        for line in (mark, caption, about):
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(line)
        self._drop_mark = mark
        return area

    def _middle(self) -> QScrollArea:
        """Lay out what scrolls where the window is low, and stays together where it is wide."""
        examples, recent = QVBoxLayout(), QVBoxLayout()
        for column, caption, rows in (
            (examples, "Try an example", self._examples),
            (recent, "Recent tables", self._recent),
        ):
            column.setSpacing(SPACE)
            column.addWidget(title(caption))
            column.addLayout(rows)
            column.addStretch(1)
        lists = QHBoxLayout()
        lists.setSpacing(2 * SPACE_LARGE)
        lists.addLayout(examples, 1)
        lists.addLayout(recent, 1)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, SPACE, 0, 0)
        column.setSpacing(2 * SPACE_LARGE)
        column.addWidget(self.drop)
        column.addLayout(lists)
        column.addWidget(self.words)
        column.addStretch(1)
        inner.setMaximumWidth(_GREATEST_WIDTH)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        area.setWidget(inner)
        return area

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            colour = themes.colours(self.palette()).muted
            self._drop_mark.setPixmap(icons.pixmap("drop", colour, _DROP_MARK, self.devicePixelRatioF()))
