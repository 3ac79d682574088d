"""Writing a note in Markdown with its preview, and showing it: no HTML, link or picture is followed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QUrl, SignalInstance
from PySide6.QtGui import QKeySequence, QShortcut, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QTextBrowser,
    QWidget,
)

from clcd_gui.style import icons
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, set_tooltip, title, window_title
from clcd_gui.style.themes import colours, follow_theme
from clcd_gui.style.tokens import SPACE, SPACE_LARGE
from clcd_gui.widgets.dialogs import ask_about_note
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.notices import Notice
from engine.translation import N_, _

_MOST_LINES = 9
_ON = N_("On {about}")
_SYNTAX = N_("*slanted*, **bold**, # heading, - list, 1. list, `as typed`")
_HAS_ENDED = N_("What this note is about is no longer open, so it cannot be saved. Copy the text to keep it.")
_PLAIN_MARKDOWN = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
)


class NoteText(QTextBrowser):
    """Shows a note."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setOpenLinks(False)

    def show_note(self, text: str) -> None:
        """Show a note, as Markdown without HTML."""
        self.document().setMarkdown(text, _PLAIN_MARKDOWN)

    def loadResource(self, kind: int, address: QUrl | str) -> None:
        """Open no file, and fetch nothing, whatever a note may ask for."""


class NoteEditor(QDialog):
    """Writes a note, with its preview beside it; `ending` says that what it is about is no longer open."""

    def __init__(
        self,
        about: str,
        text: str,
        write: Callable[[str], None],
        parent: QWidget | None,
        ending: SignalInstance | None = None,
    ) -> None:
        super().__init__(parent)
        self._about, self._before, self._write = about, text, write
        self._has_ended = False
        self.question: QMessageBox | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(window_title(_("Note on {about}", about=about)))
        self.resize(720, 420)
        self.edit = QPlainTextEdit(text)
        self.edit.setAccessibleName(_("Note on {about}", about=about))
        # Otherwise the keyboard could not leave it.
        self.edit.setTabChangesFocus(True)
        self.edit.setPlaceholderText(_("Write the note in Markdown."))
        self.preview = NoteText(_("Preview of the note"))
        self.edit.textChanged.connect(self._show)
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Save | buttons.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._save = self.buttons.button(buttons.Save)
        self._save.setText(_("&Save"))
        set_tooltip(self._save, _("Save the note (Ctrl+Return)"))
        self.notice = Notice()
        if ending is not None:
            ending.connect(self._on_ending)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self, self.accept)
        note, preview = (
            column(title(_("Note")), (self.edit, 1)),
            column(title(_("Preview")), (self.preview, 1)),
        )
        sides = row((note, 1), (preview, 1))
        column(self.notice, (sides, 1), muted(_(_SYNTAX)), self.buttons, on=self, margins=SPACE_LARGE)
        follow_theme(self)
        self._show()
        self.edit.setFocus()

    def accept(self) -> None:
        """Hand over what is written, to what is still open."""
        if not self._has_ended:
            self._write(self.edit.toPlainText())
            super().accept()

    def reject(self) -> None:
        """Leave the note as it was, after asking where something else was written."""
        if self._has_ended or self.edit.toPlainText() == self._before:
            super().reject()
        else:
            self.question = ask_about_note(self, self._about)
            self.question.finished.connect(self._on_answer)

    def _on_answer(self, answer: int) -> None:
        self.question = None
        if answer == QMessageBox.StandardButton.Save:
            self.accept()
        elif answer == QMessageBox.StandardButton.Discard:
            super().reject()

    def _on_ending(self) -> None:
        """Save nothing any more; close, or leave what was written to be copied."""
        self._has_ended = True
        if self.question is not None:
            self.question.reject()
        if self.edit.toPlainText() == self._before:
            super().reject()
            return
        self._save.setEnabled(False)
        self.notice.show_text(_(_HAS_ENDED), "warning", closable=False)

    def _show(self) -> None:
        self.preview.show_note(self.edit.toPlainText())


class NoteStrip(QFrame):
    """Shows a note where there is one, and a button that writes it."""

    def __init__(self, ending: SignalInstance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ending = ending
        set_look(self, "below")
        self._about, self._text = "", ""
        self._write: Callable[[str], None] | None = None
        self.editor: NoteEditor | None = None
        self.shown = NoteText(_("Note"), self)
        self.other_title = muted("", self)
        self.other = NoteText(_("Note on the variable"), self)
        for text in (self.shown, self.other):
            set_look(text, "panel")
            text.document().setDocumentMargin(0)
            text.hide()
        self.other_title.hide()
        self.button = QPushButton(self)
        set_look(self.button, "quiet")
        icons.assign(self.button, "note", colours(), "muted")
        self.button.clicked.connect(self.open_editor)
        button = self.button, 0, Qt.AlignmentFlag.AlignLeft
        column(
            self.shown,
            self.other_title,
            self.other,
            button,
            on=self,
            margins=(2 * SPACE, SPACE, SPACE, SPACE),
        )

    def set_note(self, about: str, text: str, write: Callable[[str], None] | None) -> None:
        """Show the note on something; without `write` there is nothing that could have one."""
        self._about, self._text, self._write = about, text, write
        self.setVisible(write is not None)
        self._show(self.shown, text)
        self.show_other("", "")
        self.button.setText(_("Change the note…") if text else _("Write a note…"))
        self.button.setAccessibleDescription(_(_ON, about=about))

    def show_other(self, about: str, text: str) -> None:
        """Show a note on something that it is about as well; an empty text shows none."""
        self.other_title.setText(_(_ON, about=about))
        self.other_title.setVisible(bool(text))
        self._show(self.other, text)

    def _show(self, shown: NoteText, text: str) -> None:
        shown.setVisible(bool(text))
        shown.show_note(text)
        lines = min(_MOST_LINES, max(2, round(shown.document().size().height() / self._line) + 1))
        shown.setFixedHeight(lines * self._line)

    def open_editor(self) -> None:
        """Let the note be written."""
        if self._write is not None:
            self.editor = NoteEditor(self._about, self._text, self._write, self.window(), self._ending)
            self.editor.open()

    @property
    def _line(self) -> int:
        return self.fontMetrics().lineSpacing()
