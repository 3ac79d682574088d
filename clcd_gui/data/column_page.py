"""The page for a column: how its values are spread, by label, and everything that can be made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QPushButton, QScrollArea, QTabWidget, QWidget

from clcd_gui.data.cut_editor import CutEditor, points_of
from clcd_gui.data.value_editors import (
    AboutEditor,
    DateEditor,
    LevelsEditor,
    MissingNumbersEditor,
    ScaleEditor,
    ValueEditor,
)
from clcd_gui.document.column_summary import ColumnDistribution
from clcd_gui.document.columns import event_tooltip, number_text
from clcd_gui.plots.loading import load_charts
from clcd_gui.run.session import Session
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, plain, set_tooltip
from clcd_gui.style.themes import FollowsLook, colours
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.controls import NamedComboBox, choice, offer
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import column, row
from clcd_gui.wording.text import OwnKeys, count_text, counted, share_text
from engine.recipe.column_steps import Rename
from engine.recipe.step import Step
from engine.reporting.figures.chart import Series
from engine.reporting.figures.looks import series_look
from engine.table.dataset import Dataset
from engine.table.variable import EventFrom, Kind, Role, Variable
from engine.translation import N_, _

if TYPE_CHECKING:
    from clcd_gui.plots.histogram import Histogram
    from clcd_gui.plots.pens import SeriesLegend


_QUESTION = N_("What counts as the event")
_UNKNOWN = N_("Not chosen")
_NOT_KNOWN = N_("The names of the levels do not show which is the event.")


class EventChoiceRow(QWidget):
    """Offers the two levels of a column; hidden for any other column."""

    chosen = Signal(str)  # the level; empty lets the names of the levels decide

    def __init__(self) -> None:
        super().__init__()
        self.box = NamedComboBox()
        self.box.setAccessibleName(_(_QUESTION))
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.reason = muted("")
        self.reason.setWordWrap(False)
        name = plain(_(_QUESTION))
        name.setBuddy(self.box)
        row(name, self.box, (self.reason, 1), on=self)
        self.box.activated.connect(lambda: self.chosen.emit(str(self.box.currentData())))
        self.setVisible(False)

    def set_variable(self, variable: Variable | None) -> None:
        """Show the event of a column; None hides the choice."""
        has_two = variable is not None and len(variable.levels) == 2
        self.setVisible(has_two)
        if variable is None or not has_two:
            return
        unknown = [(_(_UNKNOWN), "")] if variable.event is None else []
        named = [(_("As the names of the levels show"), "")] if variable.event_from is EventFrom.GIVEN else []
        levels = [(level, level) for level in variable.levels]
        offer(self.box, [*unknown, *levels, *named], variable.event or "")
        self.reason.setText(_(_NOT_KNOWN) if variable.event is None else event_tooltip(variable))
        set_tooltip(self.box, _("Directions and estimates refer to this level"))


_PICTURE_LINES = 7
_Editor = CutEditor | LevelsEditor | ValueEditor


class ColumnPage(FollowsLook, QWidget):
    """Shows one column of the open table and changes it by steps of the recipe."""

    OWN_KEYS = OwnKeys(N_("On the page of a column"), (("Esc", N_("Back to the list")),))

    left = Signal()  # the person goes back to the list of columns
    step_left = Signal(int)  # a step was changed or is left as it is; its position

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._document = session, session.document
        self._found: ColumnDistribution | None = None
        self.name = ""
        # The label that a person chose to divide the bars by; empty for none, None where nobody chose.
        self._label: str | None = None
        # The step that is edited, with its position; the page shows the column as it is before it.
        self._edited: tuple[int, Any] | None = None
        self.histogram: Histogram | None = None
        self.legend: SeriesLegend | None = None
        self.back = QPushButton(_("Back"))
        self.title = ElidedLabel("", mode=Qt.TextElideMode.ElideMiddle)
        set_look(self.title, "title")
        self.label = choice(_("Divided by label"), {})
        set_tooltip(self.label, _("Divide the bars by the categories of a label"))
        self.facts = muted("")
        self.event_row = EventChoiceRow()
        self.cut, self.levels = CutEditor(), LevelsEditor()
        self.scale, self.missing = ScaleEditor(), MissingNumbersEditor()
        self.dates, self.about = DateEditor(), AboutEditor()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(_("What you can do with the column"))
        self._editors: dict[_Editor, str] = {
            self.cut: _("Cut"),
            self.scale: _("Scale"),
            self.missing: _("Missing"),
            self.levels: _("Categories"),
            self.dates: _("Dates"),
            self.about: _("Name and unit"),
        }
        self._picture = column(spacing=None)
        self._lay_out()
        for editor, title in self._editors.items():
            self.tabs.addTab(editor, title)
        self._connect()

    def show_column(self, name: str) -> None:
        """Show a column."""
        self._show(name, None)

    def edit_step(self, position: int) -> None:
        """Show a step of the recipe with its values, to be changed in its place."""
        analysis = self._document.analysis
        if analysis is not None:
            step = analysis.recipe.steps[position]
            self._show(step.uses[0], (position, step))

    def _show(self, name: str, edited: tuple[int, Any] | None) -> None:
        if self._edited is not None:
            for editor in self._editors:
                editor.leave_step()
        self.name, self._found, self._edited = name, None, edited
        set_tooltip(
            self.back, _("Back to all columns (Esc)") if edited is None else _("Back to the steps (Esc)")
        )
        self.label.setVisible(edited is None)
        self._clear()
        self._fill_labels()
        self._describe()

    def _clear(self) -> None:
        """Show nothing of the column before, as this one may be described late or never."""
        self.title.setText(self.name if self._edited is None else f"{self._step_title} · {self.name}")
        self.facts.setText("")
        self.event_row.set_variable(None)
        for part in (self.legend, self.histogram):
            if part is not None:
                part.hide()
        for editor in self._editors:
            editor.setEnabled(False)

    @property
    def _step_title(self) -> str:
        return "" if self._edited is None else _("Step {number}", number=self._edited[0] + 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back by Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
            return
        super().keyPressEvent(event)

    def _follow_look(self) -> None:
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what was not drawn while nobody saw it."""
        super().showEvent(event)
        self._draw()

    def _lay_out(self) -> None:
        # With large text there is more than a small window can hold.
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        content = QWidget()
        scroll.setWidget(content)
        column((self._picture, 1), (self.tabs, 1), on=content, spacing=SPACE_SMALL)
        head = row(self.back, (self.title, 1), self.label)
        parts = (head, self.facts, self.event_row, (scroll, 1))
        column(*parts, on=self, margins=(0, SPACE, 0, 0), spacing=SPACE_SMALL)

    def _connect(self) -> None:
        self.back.clicked.connect(self._leave)
        self.label.activated.connect(self._on_label)
        self.event_row.chosen.connect(lambda level: self._document.set_events([self.name], level))
        self.cut.points_changed.connect(self._on_points)
        for editor in self._editors:
            editor.steps_wanted.connect(self._on_steps)
        self._session.steps.described.connect(self._on_described)
        for not_made in (self._session.steps.failed, self._session.steps.stopped):
            not_made.connect(self.levels.go_on)
        self._document.analysis_changed.connect(self._on_analysis)

    def _fill_labels(self) -> None:
        names = [name for name in self._document.dataset.labels if name != self.name]
        # The first label is what most people want to see.
        wanted = self._label if self._label in names else (names[0] if names and self._label is None else "")
        offer(self.label, [(_("Not divided by a label"), ""), *((name, name) for name in names)], wanted)
        self.label.setEnabled(bool(names))

    def _on_label(self) -> None:
        self._label = str(self.label.currentData() or "")
        self._describe()

    def _describe(self) -> None:
        if self._edited is None:
            self._session.steps.describe(self.name, str(self.label.currentData() or ""))
        else:
            self._session.steps.describe(self.name, step=self._edited[0])

    def _leave(self) -> None:
        if self._edited is None:
            self.left.emit()
            return
        position = self._edited[0]
        self._show("", None)
        self.step_left.emit(position)

    def _on_analysis(self) -> None:
        analysis = self._document.analysis
        if not self.name or analysis is None:
            return
        if self._edited is not None:
            position, step = self._edited
            if step not in analysis.recipe.steps[position : position + 1]:
                self._leave()
            else:
                self._describe()
            return
        if self.name not in analysis.dataset.names:
            renamed = self._now_called()
            if renamed is None:
                self.name = ""
                self.left.emit()
                return
            self.name = renamed
        self._fill_labels()
        self._describe()

    def _now_called(self) -> str | None:
        """Return the name that the column has after a step that named it otherwise; None where it is gone."""
        analysis = self._document.analysis
        if analysis is None or self._found is None:
            return None
        for step in reversed(analysis.recipe.active):
            if isinstance(step, Rename) and step.uses == (self.name,):
                return step.name if step.name in analysis.dataset.names else None
        return None

    def _on_described(self, distribution: ColumnDistribution) -> None:
        if distribution.variable.name != self.name:
            return
        before, self._found = self._found, distribution
        shape = (distribution.variable.kind, distribution.is_dates)
        is_other = before is None or (before.variable.kind, before.is_dates) != shape
        self.title.setText(self._titled(distribution))
        self.facts.setText(" · ".join(_facts(distribution)))
        self.event_row.set_variable(distribution.variable if self._edited is None else None)
        if is_other:
            self._choose_editors(distribution)
        for editor in self._editors:
            editor.setEnabled(True)
            if self.tabs.isTabVisible(self.tabs.indexOf(editor)):
                editor.set_distribution(distribution)
        self._draw()
        if self._edited is not None:
            self._editor_of(self._edited[1], distribution).take(self._edited[1])

    def _titled(self, distribution: ColumnDistribution) -> str:
        variable = distribution.variable
        if self._edited is None:
            return f"{variable.name} · {_(_ROLES[variable.role])}, {_(_KINDS[variable.kind])}"
        return _(
            "{step} · {name}, {kind} before this step",
            step=self._step_title,
            name=variable.name,
            kind=_(_KINDS[variable.kind]),
        )

    def _editor_of(self, step: Step, distribution: ColumnDistribution) -> Any:
        editors = {
            "cut": self.cut,
            "scale": self.scale,
            "order": self.levels,
            "recode": self.missing if distribution.variable.kind is Kind.CONTINUOUS else self.levels,
            "date": self.dates,
            "describe": self.about,
            "rename": self.about,
        }
        return editors[step.kind]

    def _choose_editors(self, distribution: ColumnDistribution) -> None:
        """Show the tabs of what can be made of such a column; dates begin with theirs."""
        is_number = distribution.variable.kind is Kind.CONTINUOUS
        shown: tuple[_Editor, ...] = (self.levels, self.dates, self.about)
        if is_number:
            shown = (self.cut, self.scale, self.missing, self.about)
        if self._edited is not None:
            shown = (self._editor_of(self._edited[1], distribution),)
        current = self.tabs.currentWidget()
        for place, editor in enumerate(self._editors):
            self.tabs.setTabVisible(place, editor in shown)
        if current not in shown:
            begins_with_dates = distribution.is_dates and self.dates in shown
            self.tabs.setCurrentWidget(self.dates if begins_with_dates else shown[0])

    def _draw(self) -> None:
        if self._found is None or not self.isVisible():
            return
        if self.histogram is None or self.legend is None:
            load_charts()
            from clcd_gui.plots.histogram import Histogram
            from clcd_gui.plots.pens import SeriesLegend

            self.histogram, self.legend = Histogram(), SeriesLegend(is_of_bars=True)
            self._picture.addWidget(self.legend)
            self._picture.addWidget(self.histogram, 1)
            self.histogram.cuts_dragged.connect(self.cut.set_points)
            self.histogram.cut_wanted.connect(self._on_cut_wanted)
        chosen, font = colours(self.palette()), self.font()
        line = self.fontMetrics().height()
        for part in (self.legend, self.histogram):
            part.show()
        self.histogram.setMinimumHeight(round(_PICTURE_LINES * line))
        series = [Series(name, series_look(place)) for place, (name, _) in enumerate(self._found.classes)]
        self.legend.set_series(series, chosen, font)
        self.histogram.set_distribution(self._found, chosen, font)
        if len(self._found.values):
            self.histogram.set_cuts(points_of(self.cut.points.text()) or ())
        self.histogram.setAccessibleName(_("Distribution of {name}", name=self._found.variable.name))
        self.histogram.setAccessibleDescription(self.facts.text())

    def _on_points(self, points: tuple[float, ...]) -> None:
        if self.histogram is not None:
            self.histogram.set_cuts(points)

    def _on_cut_wanted(self, point: float) -> None:
        if self._found is not None and len(self._found.values):
            self.tabs.setCurrentWidget(self.cut)
            self.cut.add_point(point)

    def _on_steps(self, steps: list[Step], text: str, roles: dict[str, Role]) -> None:
        analysis = self._document.analysis
        if analysis is None:
            return
        recipe = analysis.recipe
        if self._edited is None:
            for step in steps:
                recipe = recipe.with_step(step)
            self._session.steps.change(recipe, text, roles)
            return
        position, edited = self._edited
        recipe = recipe.with_replaced(position, *steps)
        if recipe == analysis.recipe:
            self._leave()
        else:
            moved = _roles_moved(analysis.dataset, edited, steps[0])
            self._session.steps.change(recipe, _("change a step"), moved)


def _roles_moved(dataset: Dataset, before: Any, after: Any) -> dict[str, Role]:
    """Return the roles of columns where a step puts what it makes elsewhere than before."""
    old = getattr(before, "into", "") or before.column
    new = getattr(after, "into", "") or after.column
    if old == new or old not in dataset.names:
        return {}
    role = dataset.variable(old).role
    if role is Role.LABEL and old == before.column:
        # What a label was made of says everything of it, and explains nothing.
        return {new: role, old: Role.IGNORED}
    return {new: role}


_ROLES: dict[Any, str] = {
    Role.LABEL: N_("label"),
    Role.FEATURE: N_("feature"),
    Role.IGNORED: N_("ignored"),
    Role.WEIGHT: N_("row weight"),
    Role.GROUPS: N_("groups of rows"),
}
_KINDS = {Kind.NOMINAL: N_("categories"), Kind.CONTINUOUS: N_("numbers")}


def _facts(distribution: ColumnDistribution) -> list[str]:
    """Say in a few words each what holds of the values."""
    facts = [counted(distribution.rows, "row")]
    if distribution.missing:
        missing, share = (
            count_text(distribution.missing),
            share_text(distribution.missing / distribution.rows),
        )
        facts.append(_("{missing} missing ({share})", missing=missing, share=share))
        shares = [
            _("{share} in “{level}”", share=share_text(of_level), level=level)
            for level, of_level in distribution.missing_in
            if of_level
        ]
        facts += shares[:3]
    else:
        facts.append(_("none missing"))
    unit = f" {distribution.variable.unit}" if distribution.variable.unit else ""
    if len(distribution.values):
        lower, middle, upper = (number_text(quartile) for quartile in distribution.quartiles)
        low, high = number_text(float(distribution.values[0])), number_text(float(distribution.values[-1]))
        facts.append(_("{low} to {high}{unit}", low=low, high=high, unit=unit))
        facts.append(
            _(
                "median {middle}, half of the rows from {lower} to {upper}",
                middle=middle,
                lower=lower,
                upper=upper,
            )
        )
        below, above = distribution.far_out
        low_edge, high_edge = distribution.edges[0], distribution.edges[-1]
        if below:
            facts.append(
                _(
                    "{count} outliers below {fence}",
                    count=count_text(below),
                    fence=number_text(distribution.fences[0]),
                )
            )
        if above:
            facts.append(
                _(
                    "{count} outliers above {fence}",
                    count=count_text(above),
                    fence=number_text(distribution.fences[1]),
                )
            )
        if low_edge > distribution.values[0] or high_edge < distribution.values[-1]:
            facts.append(_("the outer bars include all values beyond them"))
    elif distribution.variable.kind is Kind.NOMINAL:
        facts.append(counted(int((distribution.counts > 0).sum()), "category"))
    if distribution.variable.description:
        facts.append(distribution.variable.description)
    return facts
