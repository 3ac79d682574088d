"""One table of findings with its filter, and a word where there is nothing to show."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedLayout, QVBoxLayout, QWidget

from clcd_gui.core.findings import Listed
from clcd_gui.core.number_format import count_text, counted
from clcd_gui.core.selection import Selection
from clcd_gui.models.finding_table_model import FindingTableModel
from clcd_gui.style import icons
from clcd_gui.style.text import muted, plain
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE, SPACE_LARGE
from clcd_gui.views.finding_table import FindingTable


class FindingsPanel(QWidget):
    """A filter, a count, and the table.

    Parameters
    ----------
    model : FindingTableModel
        What is shown.
    selection : Selection
        Shared with the other views.
    name : str
        What the table is called to a person who hears it.
    noun : str
        What one row is.
    """

    def __init__(
        self,
        model: FindingTableModel,
        selection: Selection,
        name: str,
        parent: QWidget | None = None,
        noun: str = "variable",
    ) -> None:
        super().__init__(parent)
        self._noun = noun
        self.model = model
        model.setParent(self)
        self.filter_box = QLineEdit(self)
        self.filter_box.setPlaceholderText(f"Filter by {noun} or label")
        self.filter_box.setAccessibleName(f"Filter {name}")
        self.filter_box.setClearButtonEnabled(True)
        self.filter_box.setMaximumWidth(320)
        self.filter_box.textChanged.connect(self._on_filter)
        search = self.filter_box.addAction(
            icons.icon("search", colours().muted), QLineEdit.ActionPosition.LeadingPosition
        )
        icons.assign(search, "search", colours(), "muted")
        self._count = muted("", self)
        self._count.setWordWrap(False)
        self.table = FindingTable(model, selection, self)
        self.table.setAccessibleName(name)
        self._empty = plain("", self)
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setContentsMargins(SPACE_LARGE, SPACE_LARGE, SPACE_LARGE, SPACE_LARGE)
        self._empty_text = ""
        self._stack = QStackedLayout()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self._empty)
        head = QHBoxLayout()
        head.addWidget(self.filter_box, 1)
        head.addWidget(self._count)
        head.addStretch(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(head)
        layout.addLayout(self._stack, 1)
        QShortcut(
            QKeySequence.StandardKey.Find,
            self,
            self.find,
            context=Qt.ShortcutContext.WidgetWithChildrenShortcut,
        )

    def set_findings(self, findings: Sequence[Listed], empty_text: str) -> None:
        """Show findings; `empty_text` is said when there are none."""
        self._empty_text = empty_text
        scrolled = self.table.scrolled()
        self.model.set_findings(findings)
        for number, column in enumerate(self.model.columns):
            is_empty = bool(findings) and not any(column.text(finding) for finding in findings)
            self.table.setColumnHidden(number, is_empty)
        self.table.fit_columns()
        self.filter_box.setEnabled(bool(findings))
        self._tell_count()
        self.table.scroll_back(scrolled)

    def find(self) -> None:
        """Put the keyboard into the filter."""
        self.filter_box.setFocus()
        self.filter_box.selectAll()

    def reveal(self, feature: str) -> None:
        """Make sure that a feature is not filtered away."""
        if self.model.row_of(feature) < 0:
            self.filter_box.clear()

    def _on_filter(self, text: str) -> None:
        self.model.set_filter(text)
        self._tell_count()

    def _tell_count(self) -> None:
        shown, total = self.model.rowCount(), self.model.total
        filtered = shown != total
        everything = counted(total, self._noun)
        self._count.setText(f"{count_text(shown)} of {everything}" if filtered else everything)
        self._empty.setText(self._empty_text if not total else f"No {self._noun} or label fits the filter.")
        self._stack.setCurrentWidget(self.table if shown else self._empty)
