"""A table of findings with a filter above it, and a word when it is empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from clcd_gui.document.document import PreferredVariables
from clcd_gui.document.listing import Listed
from clcd_gui.document.navigation import Highlight
from clcd_gui.style import icons
from clcd_gui.style.text import muted, plain
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE, SPACE_LARGE
from clcd_gui.widgets.controls import FilterBox
from clcd_gui.widgets.finding_table import FindingTable
from clcd_gui.widgets.finding_table_model import FindingTableModel
from clcd_gui.widgets.layouts import column, row, stacked
from clcd_gui.widgets.window_page import ForTable
from clcd_gui.wording.text import count_text, counted
from engine.discovery.effects.size_words import adjustment_legend
from engine.discovery.findings import Finding
from engine.translation import N_, _
from engine.wording.sentences import NOTHING_FITS_FILTER

_INTERVALS = N_("Unadjusted estimate with 95% confidence interval")
_THROUGH_LABELS = N_("dashed box: linked through other labels")


class FindingsPanel(QWidget, ForTable):
    """A filter, a count, and the table."""

    def __init__(
        self,
        model: FindingTableModel,
        highlight: Highlight,
        preferred: PreferredVariables,
        name: str,
        parent: QWidget | None = None,
        noun: str = N_("variable"),
    ) -> None:
        super().__init__(parent)
        self._noun = noun
        self.model = model
        model.setParent(self)
        self.filter_box = FilterBox(
            _("Filter by {noun} or label", noun=_(noun)), _("Filter {name}", name=name), self
        )
        self.filter_box.textChanged.connect(self._on_filter)
        for changed in (model.rowsInserted, model.rowsRemoved):
            changed.connect(self._tell_count)
        search = self.filter_box.addAction(
            icons.icon("search", colours().muted), QLineEdit.ActionPosition.LeadingPosition
        )
        icons.assign(search, "search", colours(), "muted")
        self._count = muted("", self)
        self._count.setWordWrap(False)
        self.table = FindingTable(model, highlight, preferred, self)
        self.table.setAccessibleName(name)
        self._empty = plain("", self)
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setContentsMargins(SPACE_LARGE, SPACE_LARGE, SPACE_LARGE, SPACE_LARGE)
        self._empty_text = ""
        self._stack = stacked(self.table, self._empty)
        self.legend = muted("", self)
        self.legend.hide()
        head = row((self.filter_box, 1), self._count, 0)
        column(head, (self._stack, 1), self.legend, on=self, margins=(0, SPACE, 0, 0))

    def set_findings(self, findings: Sequence[Listed], empty_text: str) -> None:
        """Show findings; `empty_text` is said when there are none."""
        self._empty_text = empty_text
        self.table.set_findings(findings)
        self.filter_box.setEnabled(bool(findings))
        self.legend.setText(" · ".join(_legend([one for one in findings if isinstance(one, Finding)])))
        self.legend.setVisible(bool(self.legend.text()))
        self._tell_count()

    def set_notes(self, notes: Mapping[str, str]) -> None:
        """Mark the features on which something was written."""
        # To fit the columns takes long, and with every result this is said again.
        if notes != self.model.notes:
            self.model.set_notes(notes)
            self.table.make_room()

    def find_text(self) -> None:
        """Put the keyboard into the filter."""
        self.filter_box.take_focus()

    def forget_table(self) -> None:
        """Filter nothing."""
        self.filter_box.clear()

    def reveal(self, feature: str) -> None:
        """Make sure that a feature is neither folded nor filtered away."""
        self.model.unfold(feature)
        if self.model.row_of(feature) < 0:
            self.filter_box.clear()

    def _on_filter(self, text: str) -> None:
        self.model.set_filter(text)
        self._tell_count()

    def _tell_count(self) -> None:
        shown, total = self.model.fitting, len(self.model.findings)
        everything = counted(total, self._noun)
        if shown != total:
            self._count.setText(_("{shown} of {everything}", shown=count_text(shown), everything=everything))
        elif self.model.folded:
            self._count.setText(
                _(
                    "{everything}, {folded} folded under others",
                    everything=everything,
                    folded=count_text(self.model.folded),
                )
            )
        else:
            self._count.setText(everything)
        self._empty.setText(self._empty_text if not total else _(NOTHING_FITS_FILTER, noun=_(self._noun)))
        self._stack.setCurrentWidget(self.table if shown else self._empty)


def _legend(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Explain the marks of a table, and how its estimates are made."""
    signs = [sign for finding in findings for sign in finding.association_signs]
    is_through = any(link is not None for finding in findings for link in finding.through_labels)
    return (
        *((_(_INTERVALS),) if signs else ()),
        *adjustment_legend(signs),
        *((_(_THROUGH_LABELS),) if is_through else ()),
    )
