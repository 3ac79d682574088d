"""The open table: what was read, what a run would use, what was found, and the steps that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from clcd_gui.document.analysis import Analysis, begun_on, other_names, stale_reason
from clcd_gui.document.column_summary import ColumnSummaries, ColumnSummary
from clcd_gui.document.columns import LabelOffer
from clcd_gui.document.events import given_events, told_of_events, with_given_events
from clcd_gui.document.history import RunHistory
from clcd_gui.document.notes import Notes
from clcd_gui.document.presentation import Presentation, origin_of
from clcd_gui.document.project import OpenProject, SavedState
from clcd_gui.document.replacement import Replacement
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.wording.setting_values import lower_first
from clcd_gui.wording.text import counted
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.result import DiscoveryResult
from engine.discovery.row_split import RowSplit
from engine.knowledge.knowledge import Knowledge
from engine.parameters import parameter_of
from engine.project.project import Origin
from engine.readers.options import ReadingOptions
from engine.readers.reading import Reading
from engine.recipe import Recipe
from engine.reporting.tables import ResultContext as ReportedAnalysis
from engine.selection.result import Selection as FeatureSelection
from engine.table.dataset import Dataset
from engine.table.variable import Role
from engine.translation import N_, _
from engine.wording.shown_names import USUAL_NAMING, Naming, show_names, shown_names

_ROLE_WORDS = {
    Role.LABEL: (N_("make {what} a label"), N_("make {what} labels")),
    Role.FEATURE: (N_("make {what} a feature"), N_("make {what} features")),
    Role.IGNORED: (N_("make {what} ignored"), N_("make {what} ignored")),
    Role.WEIGHT: (N_("make {what} the row weight"), N_("make {what} row weights")),
    Role.GROUPS: (N_("make {what} the groups of rows"), N_("make {what} groups of rows")),
}


NO_TABLE = Dataset((), ())


class Document(QObject):
    """Holds immutable states and tells when they are replaced; QtCore and the undo stack only.

    Where no table is open, nothing that would change one does anything: an editor tells its value when it is
    left, and it may be left only when the table was closed over it.
    """

    replaced = Signal()
    """A table is opened in place of another; nothing that was chosen for the one before goes on."""

    opened = Signal()
    closed = Signal()
    analysis_changed = Signal()
    result_changed = Signal()
    refined = Signal()
    """More is known of the findings of the same result: how often they came back, or how large they are."""

    rearranged = Signal()
    """Of interchangeable findings of the same result others lead."""

    names_changed = Signal()
    """Variables are shown in another way: by label or name, or with another label."""

    features_selected = Signal()
    modified_changed = Signal()
    """There is something that is not saved, or no more."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.history = RunHistory(self.undo_stack, self)
        self.presentation = Presentation(self.undo_stack, self)
        self.notes = Notes(self.undo_stack, self)
        self.reading: Reading | None = None
        self.options = ReadingOptions()
        self.offer: LabelOffer | None = None
        self.analysis: Analysis | None = None
        self._summaries = ColumnSummaries()
        self.feature_selection: FeatureSelection | None = None
        self.selected_features: SelectedFeatures | None = None
        # What was compared last, and what differed: it is asked for often.
        self._compared: tuple[Analysis, Analysis, str | None] | None = None
        self.naming = USUAL_NAMING
        # Before all others, which show names.
        for signal in (self.opened, self.closed, self.analysis_changed):
            signal.connect(self._follow_names)
        self.project_path: Path | None = None
        self.origin: Origin | None = None
        self.is_data_beside = False
        self._saved = self.state
        self._was_modified = False
        self.history.shown_changed.connect(self._on_shown)
        self.history.refined.connect(self._on_refined)
        own = (self.opened, self.closed, self.analysis_changed, self.result_changed, self.refined)
        for signal in (*own, self.history.changed, self.presentation.changed, self.notes.changed):
            signal.connect(self._follow_modified)

    @property
    def dataset(self) -> Dataset:
        """The table that is analysed; one without columns when no file is open."""
        return NO_TABLE if self.analysis is None else self.analysis.dataset

    @property
    def result(self) -> DiscoveryResult | None:
        """What the run that is shown found."""
        shown = self.history.shown
        return None if shown is None else shown.result

    @property
    def searched(self) -> Analysis | None:
        """The analysis that the result was computed from."""
        shown = self.history.shown
        return None if shown is None else shown.searched

    @property
    def reported(self) -> ReportedAnalysis | None:
        """The result with all that a report says of it; None when there is none."""
        if self.result is None or self.searched is None:
            return None
        history, presentation, searched = self.history, self.presentation, self.searched
        shown = history.shown
        return ReportedAnalysis(
            self.result,
            searched.preparation,
            searched.dataset,
            presentation.report_parts,
            replace(presentation.export_options, variable_names=str(self.naming)),
            None if self.reading is None else origin_of(self.reading, self.options, searched),
            self.notes.in_report("" if shown is None else shown.note),
            presentation.graph_places,
            history.named(presentation.compared),
            history.earlier_runs,
        )

    @property
    def stale_reason(self) -> str | None:
        """What changed since the run that is shown; None when nothing did or there was none."""
        searched = self.searched
        if searched is None or self.analysis is None:
            return None
        if self._compared is None or self._compared[:2] != (searched, self.analysis):
            self._compared = searched, self.analysis, stale_reason(searched, self.analysis)
        return self._compared[2]

    @property
    def state(self) -> SavedState:
        """What there is to be saved now."""
        others = self.history.saved_part, self.presentation.saved_part, self.notes.saved_part
        return SavedState(self.analysis, *others)

    @property
    def is_modified(self) -> bool:
        """Whether anything was done that is not saved."""
        return self.analysis is not None and not self.state.is_same_as(self._saved)

    @property
    def is_kept_when_read_again(self) -> bool:
        """Whether nothing is lost where the table is read again: all but the analysis goes then."""
        return self.project_path is None and self.state.is_same_as(
            replace(self._saved, analysis=self.analysis)
        )

    def mark_saved(self, path: Path | None, state: SavedState) -> None:
        """Remember what was saved, such as nothing at all, and where."""
        self.project_path, self._saved = path, state
        self._follow_modified()

    def take_project(self, project: OpenProject, path: Path) -> None:
        """Take over the analysis and the runs of a project whose table was just opened."""
        self.analysis, saved = project.analysis, project.saved
        self.analysis_changed.emit()
        self.origin, self.is_data_beside = saved.origin, saved.is_data_beside
        self.presentation.take(saved.view, saved.report)
        self.notes.take(saved.notes, saved.variable_notes, saved.finding_notes)
        self.history.take(project.runs, saved.shown)
        self.mark_saved(path, self.state)

    def set_naming(self, naming: Naming) -> None:
        """Show variables that have a label in another way."""
        self.naming = naming
        self._follow_names()

    def _follow_names(self) -> None:
        if show_names(shown_names(self.dataset.variables, self.naming)):
            self.names_changed.emit()

    def _follow_modified(self) -> None:
        if self.is_modified != self._was_modified:
            self._was_modified = self.is_modified
            self.modified_changed.emit()

    @property
    def summaries(self) -> tuple[ColumnSummary, ...]:
        """A description of every column, in column order."""
        return self._summaries.of_all(self._required().dataset)

    def summary(self, name: str) -> ColumnSummary:
        """Describe a column."""
        return self._summaries.of(self._required().dataset, name)

    def take_summaries(self, dataset: Dataset, summaries: Mapping[str, ColumnSummary]) -> None:
        """Take over descriptions of columns that were made elsewhere."""
        self._summaries.take(dataset, summaries)

    def open(
        self,
        reading: Reading,
        summaries: Sequence[ColumnSummary],
        offer: LabelOffer | None = None,
        options: ReadingOptions | None = None,
        goes_on: bool = True,
    ) -> None:
        """Show another table; what was open is forgotten, unless it is the same that is read again."""
        again = self.reading is not None and reading.path == self.reading.path
        previous = self.analysis if goes_on or not again else None
        self._forget()
        self.options = options or ReadingOptions()
        self._summaries.begin(reading.dataset.columns, summaries)
        self.analysis = begun_on(reading.dataset, previous, again)
        self.reading, self.offer = reading, offer
        self._saved = self.state
        if previous is None or not again:
            self.replaced.emit()
        self.opened.emit()
        self.analysis_changed.emit()
        self.result_changed.emit()

    def close(self) -> None:
        """Forget the table and everything about it."""
        self._forget()
        self._summaries.begin((), ())
        self._saved = self.state
        self.closed.emit()
        self.result_changed.emit()

    def _forget(self) -> None:
        self.undo_stack.clear()
        self.reading = self.offer = self.analysis = None
        self.history.clear()
        self.presentation.clear()
        self.origin, self.is_data_beside = None, False
        self.notes.clear()
        self.project_path = self.feature_selection = self.selected_features = self._compared = None

    def set_offer(self, offer: LabelOffer | None) -> None:
        """Offer labels that another file names."""
        self.offer = offer
        self.analysis_changed.emit()

    def set_result(self, result: DiscoveryResult, searched: Analysis, follows: bool = False) -> None:
        """Keep and show what a run found; every other run stays in the history."""
        if self.analysis is not None:
            # The event may have been changed while it was searched.
            result = told_of_events(result, self.analysis.dataset)
            searched = searched.told_of_events(self.analysis.dataset)
        self.history.add(result, searched, follows)

    def start_from(self, number: int) -> None:
        """Take over roles, knowledge and settings of a run, as one step that can be undone."""
        run = self.history.run(number)

        def started(now: Analysis) -> Analysis:
            return replace(
                run.searched,
                preferred=now.preferred,
                counts_through_labels=now.counts_through_labels,
                confirmed=now.confirmed,
            )

        self._change(started, _("start from “{name}”", name=run.name))

    def refine_result(self, result: DiscoveryResult) -> None:
        """Keep what more is known of the findings of the result that is shown: their stability or sizes."""
        shown = self.history.shown
        if shown is not None:
            self.history.refine(shown.number, result)

    def set_feature_selection(self, selection: FeatureSelection) -> None:
        """Keep the features that were selected from the result, whatever its stability."""
        self.feature_selection, self.selected_features = selection, SelectedFeatures(selection)
        self.features_selected.emit()

    def set_roles(self, names: Iterable[str], role: Role) -> None:
        """Give some columns a role, as one step; one column alone holds row weights, and one the groups."""
        analysis = self.analysis
        if analysis is None:
            return
        changed = [name for name in names if analysis.dataset.variable(name).role is not role]
        if changed:
            one, many = _ROLE_WORDS[role]
            text = _(one if len(changed) == 1 else many, what=_what(changed))
            previous = {Role.WEIGHT: analysis.dataset.weight, Role.GROUPS: analysis.dataset.groups}.get(role)
            freed = [] if previous is None else [previous]
            after = analysis.with_roles(freed, Role.IGNORED).with_roles(changed, role)
            # Raises when the column holds neither weights nor groups.
            after.dataset.with_row_roles(after.dataset.weight, after.dataset.groups)
            self._push(analysis, after, text)

    def set_labels(self, names: Sequence[str]) -> None:
        """Make exactly these columns the labels, as one step that can be undone."""
        self._change(
            lambda now: now.with_labels(names), _("choose {labels}", labels=counted(len(names), "label"))
        )

    def set_events(self, names: Sequence[str], level: str) -> None:
        """Say which level of some columns is the event, as one step; an empty one lets their names decide."""
        text = _("count “{level}” as the event of {what}", level=level, what=_what(names))
        if not level:
            text = _("let the names of the levels decide the event of {what}", what=_what(names))
        self._change(lambda now: now.with_events(dict.fromkeys(names, level or None)), text)

    def take_events(self, events: Mapping[str, str]) -> None:
        """Take events that were chosen of the first rows of a table; what it does not hold is left out."""
        if self.analysis is None:
            return
        dataset = self.analysis.dataset
        fitting = given_events(with_given_events(dataset, events))
        chosen = {name: level for name, level in events.items() if fitting.get(name) == level}
        if chosen:
            text = _("choose the event of {what}", what=_what(list(chosen)))
            self._change(lambda now: now.with_events(chosen), text)

    def change_recipe(self, recipe: Recipe, text: str, roles: Mapping[str, Role] | None = None) -> None:
        """Make other steps in the table that was read, and give columns roles behind the last one."""
        self._change(lambda now: now.with_recipe(recipe, roles), text)

    def change_preparation(self, name: str, value: Any) -> None:
        """Change one setting of the preparation."""
        self._change_setting("preparation", name, value)

    @property
    def discovery_shown(self) -> DiscoverySettings:
        """How is searched; of an automatic level the one that was used, or else that all rows get."""
        analysis, result = self.analysis, self.result
        if analysis is None or not analysis.discovery.automatic_alpha:
            return DiscoverySettings() if analysis is None else analysis.discovery
        if result is not None and result.settings.automatic_alpha:
            return replace(analysis.discovery, alpha=result.settings.alpha)
        return analysis.discovery.for_table(analysis.dataset)

    def change_discovery(self, name: str, value: Any, gesture: str = "") -> None:
        """Change one setting of the search (a level that is chosen is no longer automatic).

        Changes in a row of one gesture, such as a drag, are undone together, and those of another apart.
        """
        self._change_setting(
            "discovery", name, value, gesture, also={"automatic_alpha": False} if name == "alpha" else None
        )

    def change_split(self, split: RowSplit | None, text: str) -> None:
        """Search in other rows, as one step that can be undone."""
        self._change(lambda now: replace(now, split=split), text)

    def change_split_setting(self, name: str, value: Any) -> None:
        """Change how the rows are split; where they are not split, nothing."""
        self._change_setting("split", name, value)

    def change_knowledge(self, knowledge: Knowledge, text: str) -> None:
        """Replace what is known of causes and effects, as one step that can be undone."""
        self._change(lambda now: replace(now, knowledge=knowledge), text)

    def prefer(self, feature: str | None, rather_than: Iterable[str]) -> None:
        """Prefer a variable to those that are interchangeable with it, as one step that can be undone."""
        first = () if feature is None else (feature,)
        others = {*rather_than, *first}
        text = _("prefer {what}", what=_what(first)) if first else _("prefer no interchangeable variable")

        def preferring(now: Analysis) -> Analysis:
            return replace(now, preferred=(*first, *(name for name in now.preferred if name not in others)))

        self._change(preferring, text)

    def count_links_through_labels(self, counted: bool) -> None:
        """Count links through other labels where findings are shown, or leave them out, as one step."""
        text = _("count links through other labels") if counted else _("leave out links through other labels")
        self._change(lambda now: replace(now, counts_through_labels=counted), text)

    def change(self, analysis: Analysis, text: str) -> None:
        """Replace the whole analysis, as one step that can be undone."""
        self._change(lambda _: analysis, text)

    def _apply(self, analysis: Analysis) -> None:
        """Take over an analysis; only the commands on the undo stack do this."""
        self.analysis = analysis
        self.analysis_changed.emit()
        self.history.tell_events(analysis.dataset)
        if self._arrange():
            self.feature_selection = self.selected_features = None
            self.rearranged.emit()

    def _on_shown(self) -> None:
        self._arrange()
        self.feature_selection = self.selected_features = None
        self.result_changed.emit()

    def _on_refined(self, number: int) -> None:
        # What is known more may have been found while results were arranged in another way.
        self._arrange()
        if self.history.shown is not None and self.history.shown.number == number:
            self.refined.emit()

    def _arrange(self) -> bool:
        """Show the result as the person wants it arranged; tell whether anything changed."""
        before = self.history.shown
        self.history.count_links_through_labels(self.analysis is None or self.analysis.counts_through_labels)
        shown = self.history.shown
        if shown is None or before is None:
            return False
        if (arranged := self._arranged(shown.result)) is not shown.result:
            self.history.arrange(arranged)
        return arranged is not before.result

    def _arranged(self, result: DiscoveryResult) -> DiscoveryResult:
        """Let what is preferred lead; the same result where it leads already."""
        features = set(result.dataset.features)
        wanted = self.analysis.preferred if self.analysis is not None else ()
        preferred = tuple(name for name in wanted if name in features)
        return result if result.preferred == preferred else result.with_preferred(preferred)

    def _change_setting(
        self, part: str, name: str, value: Any, gesture: str = "", also: Mapping[str, Any] | None = None
    ) -> None:
        """Change one setting of a part of the analysis, where it has that part."""
        analysis = self.analysis
        settings = None if analysis is None else getattr(analysis, part)
        if analysis is not None and settings is not None:
            title = _(parameter_of(type(settings), name).title)
            after = replace(analysis, **{part: replace(settings, **{name: value}, **(also or {}))})
            merge_key = f"{type(settings).__name__}.{name}{gesture}"
            self._push(analysis, after, _("change {title}", title=lower_first(title)), merge_key)

    def _change(self, changed: Callable[[Analysis], Analysis], text: str) -> None:
        """Replace the analysis, where there is one, by another that is made of it."""
        if self.analysis is not None:
            self._push(self.analysis, changed(self.analysis), text)

    def _push(self, before: Analysis, after: Analysis, text: str, merge_key: str = "") -> None:
        if before.is_unchanged(after):
            return
        change = Replacement(self._apply, before, after, text, merge_key, Analysis.is_unchanged)
        names = other_names(before, after)
        if names:
            self._push_with_names(change, names)
        else:
            self.undo_stack.push(change)

    def _push_with_names(self, change: Replacement[Analysis], names: Mapping[str, str]) -> None:
        """Let notes and places of the graph follow columns that are called otherwise, in the same step."""
        self.undo_stack.beginMacro(change.text())
        self.undo_stack.push(change)
        self.notes.rename(names)
        self.presentation.rename(names)
        self.undo_stack.endMacro()

    def _required(self) -> Analysis:
        if self.analysis is None:
            raise RuntimeError("no table is open")
        return self.analysis


def _what(names: Sequence[str]) -> str:
    return f"“{names[0]}”" if len(names) == 1 else counted(len(names), "column")


class PreferredVariables(QObject):
    """The choice among interchangeable variables, as tables and "Why?" offer it; the document holds it."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document

    def alternatives(self, feature: str) -> tuple[str, ...]:
        """Return the variables that are interchangeable with one, in column order."""
        result = self._document.result
        return () if result is None else result.findings.alternatives(feature)

    def not_told_apart(self, feature: str) -> tuple[str, ...]:
        """Return the variables that the rows do not tell apart from one, in column order."""
        result = self._document.result
        return () if result is None else result.findings.not_told_apart_one_for_one(feature)

    def is_preferred(self, feature: str) -> bool:
        """Tell whether a person prefers a variable."""
        analysis = self._document.analysis
        return analysis is not None and feature in analysis.preferred

    def among(self, feature: str) -> tuple[str, ...]:
        """Return a variable and what can be preferred to it, interchangeable first; empty for no choice."""
        others = (*self.alternatives(feature), *self.not_told_apart(feature))
        return (feature, *dict.fromkeys(others)) if others else ()

    def prefer(self, feature: str, among: Sequence[str]) -> None:
        """Prefer a variable to others."""
        self._document.prefer(feature, rather_than=among)

    def leave_to_data(self, among: Sequence[str]) -> None:
        """Prefer none of some variables."""
        self._document.prefer(None, rather_than=among)
