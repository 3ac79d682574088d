"""The overview: the first findings as a picture that can be clicked, and below it the sentences."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from clcd_gui.document.navigation import Highlight
from clcd_gui.plots.grid_data import GridData
from clcd_gui.plots.heat_grid import HeatGrid
from clcd_gui.plots.legend import LegendStrip, relation_legend
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.controls import FocusLeader
from clcd_gui.widgets.labels import LinkedText
from clcd_gui.widgets.layouts import column
from clcd_gui.wording.text import count_text, counted
from engine.discovery.finding_words import absence_text
from engine.discovery.findings import Finding, Findings
from engine.translation import N_, _

_MOST_ROWS, _MOST_LABELS = 12, 20
_SHARE_OF_PICTURE = 0.78
_MORE = N_("The first {shown} of {total}. The grid shows all.")


def first_findings(findings: Findings, most: int = _MOST_ROWS) -> GridData:
    """Return the beginning of the grid: first variables, none that others lead, and the labels they have."""
    leading = _leading(findings)[:most]
    served = {label for finding in leading for label in finding.labels}
    labels = findings.finished_labels
    if len(labels) > _MOST_LABELS:
        labels = tuple(label for label in labels if label in served)[:_MOST_LABELS]
    return GridData(leading, labels, partial(absence_text, findings))


def _leading(findings: Findings) -> list[Finding]:
    return [finding for finding in findings.all if finding.led_by is None]


class OverviewPanel(QWidget):
    """Shows the first findings as a grid, above a text about all of them."""

    def __init__(self, highlight: Highlight, text: LinkedText, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = text
        self.picture = HeatGrid(highlight, self)
        self.picture.setAccessibleName(_("First findings"))
        set_look(self.picture, "card")
        self.more = muted("", self)
        self.legend = LegendStrip(relation_legend(), self)
        column(self.picture, self.more, self.legend, (text, 1), on=self, margins=(0, SPACE, 0, 0))
        self._findings: Findings | None = None
        self._beginnings: dict[int, GridData] = {}
        self._fit()
        FocusLeader(self, text)

    def set_findings(self, findings: Findings | None) -> None:
        """Show the first findings of a result; where there are none, no picture."""
        self._findings = findings
        self._beginnings.clear()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the text its share of the room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show as many variables as have room above the text."""
        findings, height = self._findings, round(_SHARE_OF_PICTURE * self.height())
        leading = 0 if findings is None else len(_leading(findings))
        for part in (self.picture, self.legend):
            part.setVisible(leading > 0)
        height -= self.legend.heightForWidth(self.width()) + SPACE
        if findings is None or not leading:
            # What was shown holds a table.
            self.picture.set_data(GridData((), ()))
            self.more.hide()
            return
        self._show_first(findings, _MOST_ROWS)
        shown = min(self.picture.rows_within(height), _MOST_ROWS, leading)
        self.more.setVisible(shown < leading)
        if shown < leading:
            self._tell_more(shown, leading)
            shown = min(self.picture.rows_within(height - self.more.sizeHint().height() - SPACE), shown)
            self._tell_more(shown, leading)
            self._show_first(findings, shown)
        self.picture.fit_within(self.width(), height)

    def _show_first(self, findings: Findings, most: int) -> None:
        """Show so many variables; their cells are filled once, as each resize asks for them."""
        if most not in self._beginnings:
            self._beginnings[most] = first_findings(findings, most)
        if self.picture.grid is not self._beginnings[most]:
            self.picture.set_data(self._beginnings[most])

    def _tell_more(self, shown: int, leading: int) -> None:
        self.more.setText(_(_MORE, shown=count_text(shown), total=counted(leading, "variable")))
