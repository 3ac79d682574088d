"""The panel that answers "why?" for whatever is selected."""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QResizeEvent, QTextBlock, QTextCursor
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from clcd_gui.document.listing import is_of_same_table
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.document.notes import Subject, title_of
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.evidence.answers import EvidenceText, SelectedText
from clcd_gui.plots.chart_view import ChartView
from clcd_gui.run.running import SelectingState
from clcd_gui.style.themes import FollowsLook
from clcd_gui.widgets.labels import LinkedText
from clcd_gui.widgets.layouts import column
from clcd_gui.widgets.note_editor import NoteStrip
from clcd_gui.widgets.window_page import Workspace
from clcd_gui.wording.text import BREAK, NUMBERS
from engine.discovery.effects.estimates import Size
from engine.discovery.findings import Findings
from engine.discovery.result import DiscoveryResult
from engine.reporting.figures.chart import Chart
from engine.reporting.finding_charts import pair_chart
from engine.translation import N_, _

PLACE = BREAK
"""All that the paragraph holds below which the chart stands; it is not seen, and not copied."""


class PicturedText(LinkedText):
    """A text that has a chart, if there is one, in place of a paragraph of :data:`PLACE` alone."""

    # The text is written while it is being made.
    chart: ChartView | None = None

    def __init__(self, write: Callable[[], str], parent: QWidget) -> None:
        super().__init__(write, "panel", parent)
        self.chart = ChartView(self.viewport(), is_narrow=True)
        self.chart.hide()
        self._has_chart = False
        self.chart.installEventFilter(self)
        self.verticalScrollBar().valueChanged.connect(self._put_chart)
        self.document().documentLayout().documentSizeChanged.connect(self._put_chart)

    def set_chart(self, chart: Chart | None) -> None:
        """Show another chart; None shows none."""
        assert self.chart is not None
        self._has_chart = chart is not None
        if chart is not None:
            self.chart.set_chart(chart)
        self._make_room()

    def refresh(self, stays: bool = False) -> None:
        """Write the text anew."""
        super().refresh(stays)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the chart the new width."""
        super().resizeEvent(event)
        self._make_room()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make room when the chart has become higher or lower."""
        if watched is self.chart and event.type() == QEvent.Type.LayoutRequest:
            self._make_room()
        return super().eventFilter(watched, event)

    def _make_room(self) -> None:
        """Leave as much room in the text as the chart is high."""
        if self.chart is None:
            return
        block = self._place()
        is_shown = self._has_chart and block is not None
        self.chart.setVisible(is_shown)
        if not is_shown or block is None:
            return
        width = self.viewport().width() - round(2 * self.document().documentMargin())
        height = self.chart.height_for(width)
        self.chart.resize(width, height)
        if block.blockFormat().bottomMargin() != height:
            cursor = QTextCursor(block)
            changed = block.blockFormat()
            changed.setBottomMargin(height)
            cursor.setBlockFormat(changed)
        self._put_chart()

    def _put_chart(self) -> None:
        """Move the chart to where the text leaves room."""
        if self.chart is None or not self.chart.isVisibleTo(self):
            return
        block = self._place()
        if block is not None:
            room = self.document().documentLayout().blockBoundingRect(block)
            scrolled = self.verticalScrollBar().value()
            self.chart.move(round(self.document().documentMargin()), round(room.bottom()) - scrolled)

    def _place(self) -> QTextBlock | None:
        """Return the paragraph below which the chart stands; None where the text has none."""
        block = self.document().begin()
        while block.isValid():
            if block.text() == PLACE:
                return block
            block = block.next()
        return None


_NARROWEST = 260
_LETTERS = 32


_NO_RESULT = N_(
    "After a run, choose a variable or a label. This panel then shows by which rule the variable is "
    "linked to the label, and the tests behind it."
)
_NOTHING_CHOSEN = N_(
    "Choose a variable or a label in a table, in the grid or in the graph. This panel then shows by "
    "which rule the variable is linked to the label, and the tests behind it."
)
_NONE_SELECTED = N_(
    "Choose a feature or a label in the table or in the grid. This panel then shows why the feature "
    "was selected: for which labels, by which rule, and what it replaces."
)


def _explained(message: str) -> str:
    """Say what will be shown here; jinja2, which takes a moment, need not be loaded for it."""
    title, text = html.escape(_("Why?")), html.escape(_(message))
    return f'<p class="title">{title}</p><p class="muted">{text}</p>'


class EvidencePanel(FollowsLook, QWidget):
    """Shows why the shared selection was found, or why it was selected, as the step that is shown says."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        session = workspace.session
        self._document, self._selecting = session.document, session.selecting
        self._highlight = workspace.highlight
        self._findings: Findings | None = None
        self._text: EvidenceText | None = None
        self._selected: SelectedFeatures | None = None
        self._selected_text: SelectedText | None = None
        self._asks_why_selected = False
        self._came_from: QWidget | None = None
        self._at_levels: dict[float, DiscoveryResult] | None = None
        self._preferred, self._live = workspace.preferred, session.live
        self.browser = PicturedText(self._html, self)
        self.browser.setAccessibleName(_("Why?"))
        self.browser.setAccessibleDescription(_("The evidence for the selected variable and label."))
        self.browser.followed.connect(self._follow)
        self.browser.preferred.connect(self._on_preferred)
        self.browser.left.connect(self._go_back)
        self.note = NoteStrip(self._document.notes.cleared, self)
        column((self.browser, 1), self.note, on=self, spacing=0)
        self._follow_font()
        self._highlight.changed.connect(self._on_selection)
        workspace.navigation.changed.connect(self._on_step)
        for signal in (self._document.result_changed, self._document.refined, self._document.rearranged):
            signal.connect(self._on_result)
        self._document.names_changed.connect(self._on_names)
        self._live.looked_ahead.connect(self._on_levels)
        self._document.features_selected.connect(self._answer_from_selected)
        self._selecting.changed.connect(self._on_selecting)
        session.controller.selection.noticed.connect(self._set_selected)
        for changed in (self._document.notes.changed, self._highlight.changed, self._document.result_changed):
            changed.connect(self._show_note)
        self._show_note()

    def _follow_font(self) -> None:
        """Keep room enough for the figures of a test in one line."""
        letters = _LETTERS * self.fontMetrics().averageCharWidth()
        self.setMinimumWidth(max(_NARROWEST, letters + self.browser.verticalScrollBar().sizeHint().width()))

    def _on_result(self) -> None:
        """Answer from another result, or from none."""
        before, result = self._findings, self._document.result
        self._findings = result.counted_findings if result is not None else None
        # Asked for once a result, and not at each selection.
        self._at_levels = None
        self._text = EvidenceText(result, self._levels, self._preferred.among) if result is not None else None
        self.browser.refresh(stays=is_of_same_table(before, self._findings))
        self._show_size()

    def _on_names(self) -> None:
        """Say the same with variables called otherwise."""
        self.browser.refresh(stays=True)
        self._show_size()
        self._show_note()

    def _levels(self) -> dict[float, DiscoveryResult]:
        if self._at_levels is None:
            self._at_levels = self._live.at_levels
        return self._at_levels

    def _on_levels(self) -> None:
        """Say what is known now of other levels."""
        before, self._at_levels = self._at_levels, None
        # Where no answer has spoken of them, there is nothing to be written anew.
        if before is None or self._asks_why_selected or self._levels().keys() == before.keys():
            return
        self.browser.refresh(stays=True)

    def _on_preferred(self, feature: str) -> None:
        highlighted = self._highlight.feature
        if highlighted is None:
            return
        names = self._preferred.among(highlighted)
        if feature:
            self._preferred.prefer(feature, names)
        else:
            self._preferred.leave_to_data(names)

    def _answer_from_selected(self) -> None:
        self._set_selected(self._document.selected_features)

    def _on_selecting(self) -> None:
        if self._selecting.state not in (SelectingState.DONE, SelectingState.WORKING):
            self._set_selected()

    def _set_selected(self, selected: SelectedFeatures | None = None) -> None:
        """Answer from another selection of features, or from none."""
        self._selected = selected
        self._selected_text = SelectedText(selected) if selected is not None else None
        if self._asks_why_selected:
            self.browser.refresh(stays=True)

    def _on_step(self, step: str) -> None:
        """Say why something was selected instead of why it was found, where features are selected."""
        asks_why_selected = step == "selection"
        if asks_why_selected != self._asks_why_selected:
            self._asks_why_selected = asks_why_selected
            self.browser.refresh()
            self._show_size()

    def focus_text(self) -> None:
        """Put the keyboard into the text; Esc leads back to where it was."""
        before = QApplication.focusWidget()
        if before is not self.browser:
            self._came_from = before
        self.browser.setFocus()

    def _go_back(self) -> None:
        if self._came_from is not None and isValid(self._came_from) and self._came_from.isVisible():
            self._came_from.setFocus()

    def _on_selection(self, _pair: SelectedPair) -> None:
        self.browser.refresh()
        self._show_size()

    @property
    def subject(self) -> Subject | None:
        """What a note would be about: the pair or the variable that is asked about; None where none is."""
        pair, document = self._highlight.pair, self._document
        names = tuple(name for name in (pair.feature, pair.label) if name is not None)
        return names if names and document.result is not None else None

    def _show_note(self) -> None:
        """Show what a person wrote about what is asked about."""
        subject, notes = self.subject, self._document.notes
        if subject is None:
            self.note.set_note("", "", None)
        else:
            self.note.set_note(title_of(subject), notes.text(subject), partial(notes.write, subject))
            # Of a finding, what was written on its variable is told as well.
            on_variable = subject[:1]
            about = title_of(on_variable) if len(subject) > 1 else ""
            self.note.show_other(about, notes.text(on_variable) if about else "")

    def _show_size(self) -> None:
        """Draw how large the finding is that is asked about, where it was measured."""
        pair, findings = self._highlight.pair, self._findings
        sizes: tuple[Size, ...] = ()
        if findings is not None and findings.effects is not None and pair.feature and pair.label:
            sizes = tuple(findings.effects.of(pair.feature, pair.label).values())
        drawn = [size for size in sizes if size.points]
        self.browser.set_chart(pair_chart(drawn, NUMBERS) if drawn else None)

    def _html(self) -> str:
        if self._asks_why_selected and self._selected_text is not None:
            pair = self._highlight.pair
            return _explained(_NONE_SELECTED) if pair.is_empty else self._selected_text.write(pair)
        if self._text is None:
            return _explained(_NO_RESULT)
        if self._highlight.pair.is_empty:
            return _explained(_NOTHING_CHOSEN)
        return self._text.write(self._highlight.pair)

    def _follow(self, pair: SelectedPair) -> None:
        label = self._highlight.label
        if pair.label is None and pair.feature is not None and label in self._labels_of(pair.feature):
            pair = SelectedPair(pair.feature, label)
        self._highlight.select(pair.feature, pair.label)

    def _labels_of(self, feature: str) -> tuple[str, ...]:
        """Return the labels that a feature counts for, or was selected for."""
        if self._asks_why_selected and self._selected is not None:
            selected = self._selected.selected(feature)
            return selected.labels if selected is not None else ()
        finding = self._findings.finding(feature) if self._findings is not None else None
        return finding.labels if finding is not None else ()
