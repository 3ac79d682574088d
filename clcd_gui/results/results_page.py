"""The page of results: overview, tables, grid and graph over one selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QCheckBox, QMenu, QPushButton, QWidget

from clcd_gui.document.history import KeptRun
from clcd_gui.document.listing import is_of_same_table
from clcd_gui.document.navigation import SelectedPair, group_anchor, step_anchor
from clcd_gui.document.presentation import DRAWN
from clcd_gui.document.templates import filled
from clcd_gui.plots.figure import Figure
from clcd_gui.results.charts_panel import ChartsPanel
from clcd_gui.results.graph_panel import GraphPanel
from clcd_gui.results.overview_panel import OverviewPanel
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.live import LiveState
from clcd_gui.style import icons
from clcd_gui.style.short_names import ShortNames
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import plain, set_tooltip
from clcd_gui.style.themes import FollowsLook, colours
from clcd_gui.style.tokens import CONTROL_HEIGHT, SPACE, SPACE_LARGE
from clcd_gui.widgets.controls import Menu
from clcd_gui.widgets.export_actions import ExportActions
from clcd_gui.widgets.finding_table_model import window_model
from clcd_gui.widgets.findings_panel import FindingsPanel
from clcd_gui.widgets.grid_panel import GridPanel
from clcd_gui.widgets.labels import ElidedLabel, LinkedText
from clcd_gui.widgets.layouts import row, stacked
from clcd_gui.widgets.notices import Notice, StaleNotice, show_written
from clcd_gui.widgets.page import EmptyPage, GradualFilling, Page, Tabs
from clcd_gui.widgets.settings_form import NumberEditor, StepSlider
from clcd_gui.widgets.window_page import WindowPage, Workspace
from clcd_gui.wording.setting_values import rests_on, search_details
from clcd_gui.wording.text import NUMBERS, count_text, duration_text
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery import tables
from engine.discovery.effects.estimates import Estimand
from engine.discovery.effects.size_table import Effects
from engine.discovery.effects.size_words import amount_text, association_beside_label
from engine.discovery.findings import Findings
from engine.discovery.result import DiscoveryResult
from engine.discovery.stability.result import StabilitySettings
from engine.parameters import parameter_of
from engine.reporting.run_comparison import lost_by_grouping
from engine.reporting.sentences.directions import direction_phrases, grade_phrases, objection_phrases
from engine.reporting.sentences.links import group_links, through_phrases
from engine.reporting.sentences.overview import Overview
from engine.reporting.sentences.stability import stability_phrases
from engine.table.variable import Role
from engine.translation import N_, _
from engine.wording.phrases import Phrase, names_listing
from engine.wording.shown_names import shown_name

_LEADING_SENTENCES = 3
_MOST_SENTENCES = 8
_NOTES = "notes"
_MOST_NOTES = 16
_LONGEST_UNBROKEN = 24
_LONGEST_NAME = 40
_MOST_LABELS = 40
_MOST_OFFERED = 2


@dataclass(frozen=True, slots=True)
class LabelRow:
    """What the overview says of one label."""

    label: str
    is_finished: bool = False  # False leaves the rest empty
    # Variables that count for it and others, and for it alone; or all, where there is one label.
    figures: tuple[int, ...] = ()
    strongest: str = ""  # the variable that tells most about it; empty where none was found
    strength: float = 0.0  # of that variable, between 0 and 1
    size: str = ""  # which way the label goes with it, and by how much; empty until measured
    is_doubtful: bool = False  # something must be known before this is believed

    @property
    def is_short(self) -> bool:
        """Whether the name stays on one line."""
        return len(shown_name(self.label)) <= _LONGEST_UNBROKEN


def overview_html(
    result: DiscoveryResult, is_narrow: bool = False, lost: Phrase = (), unfolds_notes: bool = True
) -> str:
    """Write the overview; what was changed or set aside is counted where it is not unfolded."""
    findings, overview = result.counted_findings, Overview(result, NUMBERS)
    unfinished = set(result.unfinished_labels)
    several = len(findings.labels) > 1
    # Labels without a finding come last: of very many, those with findings are to be seen.
    listed = sorted(findings.labels, key=lambda label: not (findings.of_label(label) or label in unfinished))
    relations = overview.label_relations() if several else ()
    through = through_phrases(result, NUMBERS) if result.counts_through_labels else ()
    groups = group_links(result, NUMBERS)
    summary = overview.summary()
    names = ShortNames(map(shown_name, (*findings.labels, *(finding.feature for finding in findings.all))))
    return filled(
        "overview.html",
        shown=partial(names.shown, room=_LONGEST_NAME),
        stopped=overview.partial(),
        lost=lost,
        lead=summary[:_LEADING_SENTENCES],
        summary=summary[_LEADING_SENTENCES:],
        is_narrow=is_narrow,
        headings=(_("common"), _("only this label")) if several else (_("variables"),),
        labels=[_label_row(result, label) for label in listed[:_MOST_LABELS]] if findings.all else (),
        more_labels=len(listed) - _MOST_LABELS,
        method_page=step_anchor("method"),
        directions=direction_phrases(result, NUMBERS),
        grades=(*grade_phrases(result, NUMBERS), *objection_phrases(result)),
        repetitions=stability_phrases(result, NUMBERS),
        several_labels=several,
        relations=relations[:_MOST_SENTENCES],
        more_relations=len(relations) - _MOST_SENTENCES,
        groups=groups[:_MOST_SENTENCES],
        more_groups=len(groups) - _MOST_SENTENCES,
        offers=[
            (group_anchor(group.name), names_listing(group.members, _MOST_OFFERED))
            for group in result.label_groups
        ],
        through=through[:_MOST_SENTENCES],
        more_through=len(through) - _MOST_SENTENCES,
        notes=result.dataset.all_notes[:_MOST_NOTES],
        more_notes=len(result.dataset.all_notes) - _MOST_NOTES,
        note_count=0 if unfolds_notes else len(result.dataset.all_notes),
        notes_address=step_anchor(_NOTES),
        run=tuple(overview.run()),
    )


def _label_row(result: DiscoveryResult, label: str) -> LabelRow:
    if label in result.unfinished_labels:
        return LabelRow(label)
    findings = result.counted_findings
    features = findings.of_label(label)
    if not features:
        return LabelRow(label, is_finished=True)
    common = sum(1 for finding in features if finding.is_common)
    # What is interchangeable with another one is shown under it in the tables, and not in its place here.
    names = {finding.feature for finding in features}
    strongest = next(finding.feature for finding in features if finding.led_by not in names)
    return LabelRow(
        label,
        is_finished=True,
        figures=(common, len(features) - common) if len(findings.labels) > 1 else (len(features),),
        strongest=strongest,
        strength=findings.reasons(strongest, label)[0].strength,
        size=_size(result, strongest, label),
        is_doubtful=label in features[0].doubtful_labels,
    )


def _size(result: DiscoveryResult, feature: str, label: str) -> str:
    if result.effects is None:
        return ""
    sizes = result.counted_findings.sizes(feature, label)
    size = sizes.get(Estimand.ASSOCIATION)
    sign_counted = result.counted_findings.association_sign(feature, label)
    sign = "" if sign_counted is None else association_beside_label(sign_counted)
    if size is None or size.leading is None:
        return sign
    return f"{sign}, {amount_text(size.leading.estimate, size.leading.measure, NUMBERS)}"


_THROUGH_LABELS = N_("Links through other labels")
_THROUGH_LABELS_HELP = N_(
    "If this is off, only direct links are counted, as in the CLCD paper.\nThe search finds both "
    "kinds in any case."
)
_LIVE_HELP = N_("Results follow each change of the settings without Run (Ctrl+L)")
_SLOW = N_("A search of this table takes {time}. That is too long to follow each change of the settings.")
_WAITS = N_("Waits for Run.")
_LINE_LETTERS = 9
_SLIDER_LETTERS = 34


class LevelBar(FollowsLook, QWidget):
    """Chooses the significance level of the search, and which links are counted, beside what is found."""

    chosen = Signal(float, str)
    live_requested = Signal(bool)
    through_labels = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        parameter = parameter_of(DiscoverySettings, "alpha")
        # The whole title would leave no room for the slider in a small window.
        caption = plain("α", self)
        set_tooltip(caption, _(parameter.title))
        self.slider = StepSlider(parameter, self)
        self._editor = NumberEditor(parameter)
        self.line = self._editor.widget
        self.live = QCheckBox(_("Live"), self)
        self.counted = QCheckBox(_(_THROUGH_LABELS), self)
        set_tooltip(self.counted, _(_THROUGH_LABELS_HELP))
        self.counted.setAccessibleDescription(_(_THROUGH_LABELS_HELP))
        self.counted.clicked.connect(self.through_labels)
        self.status = ElidedLabel("", self)
        set_look(self.status, "muted")
        caption.setBuddy(self.slider)
        self.slider.chosen.connect(self._on_slid)
        self._editor.edited.connect(self._on_typed)
        self._editor.refused.connect(self._show_status)
        self.live.clicked.connect(self.live_requested)
        self._standing = ""
        self._follow_font()
        line = row(caption, (self.slider, 1), self.line, on=self)
        line.addSpacing(SPACE_LARGE)
        line.addWidget(self.live)
        line.addSpacing(SPACE)
        line.addWidget(self.counted)
        line.addWidget(self.status)
        line.addStretch()
        self.setMinimumHeight(CONTROL_HEIGHT)

    def _follow_font(self) -> None:
        """Keep room enough for the smallest level, written out."""
        letter = self.fontMetrics().averageCharWidth()
        self.line.setFixedWidth(letter * _LINE_LETTERS + 2 * SPACE)
        self.slider.setMaximumWidth(letter * _SLIDER_LETTERS)

    def set_level(self, level: float) -> None:
        """Show the level that a search would use now."""
        self.slider.set_value(level)
        self._editor.set_value(level)
        self._show_status()

    def set_live(self, state: LiveState) -> None:
        """Say whether results follow every change, and if not, why."""
        self.live.setChecked(state.is_on)
        # Where it is wanted and waits, a click could change nothing.
        self.live.setEnabled(state.possible or (state.seconds is None and not state.wanted))
        self._standing = "" if state.is_on else _(_WAITS)
        is_slow = not (state.is_on or state.possible or state.seconds is None)
        why = _(_SLOW, time=duration_text(state.seconds or 0.0)) if is_slow else _(_LIVE_HELP)
        set_tooltip(self.live, why)
        self.live.setAccessibleDescription(why)
        self._show_status()

    def _on_slid(self, level: float, gesture: str) -> None:
        self._editor.set_value(level)
        self.chosen.emit(level, gesture)

    def _on_typed(self, level: float) -> None:
        self.slider.set_value(level)
        self.chosen.emit(level, "")

    def _show_status(self, objection: str = "") -> None:
        self.status.setText(objection or self._standing)
        tone = "error" if objection else ""
        if (self.status.property("tone") or "") != tone:
            set_look(self.status, "muted", tone=tone)


_HELP = N_(
    "Search random halves of the rows again and count how often each variable is found again.\n"
    "A variable that is found in most halves does not depend on a few rows."
)
_HEADING = N_("Search random halves of the rows again")
_CHOICES = {20: N_("for a first look"), 50: N_("recommended"), 200: N_("for fine differences")}


class HowSureButton(QPushButton):
    """Opens a menu of how often to repeat the search."""

    chosen = Signal(StabilitySettings)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Check stability"), parent)
        self.repetitions = Menu(_("Check stability"), self)
        self.repetitions.setToolTipsVisible(True)
        heading = self.repetitions.addAction(_(_HEADING))
        heading.setEnabled(False)
        self.actions_by_number: dict[int, QAction] = {}
        for number, purpose in _CHOICES.items():
            action = self.repetitions.addAction(
                _("{number} times, {purpose}", number=count_text(number), purpose=_(purpose))
            )
            action.triggered.connect(partial(self._choose, number))
            self.actions_by_number[number] = action
        self.setMenu(self.repetitions)
        icons.assign(self, "repeat", colours(), "text")
        self.set_hindrance("")

    def set_hindrance(self, reason: str) -> None:
        """Say what it waits for; empty allows it."""
        self.setEnabled(not reason)
        set_tooltip(self, reason or _(_HELP))
        self.setAccessibleDescription(reason or _(_HELP))
        self.repetitions.setEnabled(not reason)

    def _choose(self, number: int, _checked: bool = False) -> None:
        self.chosen.emit(StabilitySettings(resamples=number))


_WHAT = N_(
    "This page will show which variables are linked to several labels, and which to one label only. "
    "It has sentences, tables, a grid and a graph. “Why?” shows the tests behind each finding."
)
_RUN_SHOWN = N_("Run “{run}”. {rests_on}")
# With fewer a line, the table of labels would have to be scrolled sideways.
_NARROW_LETTERS = 100
_SEARCH_AS_ONE = N_("search {count} labels as one outcome")
_NO_COMMON = N_("No variable is linked to two or more labels, as far as these data show.")
_NONE_DIRECTLY = N_(
    "No variable is linked directly to two or more labels, as far as these data show. Links through other "
    "labels are not counted."
)
_NO_COMMON_ONE_LABEL = N_("There is one label only. A common variable is linked to two or more labels.")
_NO_SPECIFIC = N_("No variable is linked to one label only, as far as these data show.")
_NONE_SPECIFIC_DIRECTLY = N_("No variable is linked directly to one label only, as far as these data show.")


def _with_known_estimates(before: KeptRun | None, shown: KeptRun | None) -> KeptRun | None:
    """Return a run with the unadjusted estimates of one at another level, until its own are computed.

    They are of the same rows and no search decides them, so that nothing vanishes and comes back.
    """
    if before is None or shown is None or before.result.effects is None or shown.result.effects is not None:
        return shown
    first, second = before.searched, shown.searched
    at_level = replace(first.discovery, alpha=second.discovery.alpha)
    rows = (first.preparation, first.split, at_level), (second.preparation, second.split, second.discovery)
    if first.dataset is not second.dataset or rows[0] != rows[1]:
        return shown
    effects = before.result.effects
    sizes = tuple(size for size in effects.sizes if size.estimand is Estimand.ASSOCIATION)
    return replace(shown, result=shown.result.with_effects(Effects(sizes, effects.flags)))


class ResultsPage(WindowPage):
    """Shows the result of the document in five ways."""

    can_find = True
    shows_live_failures = True

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._document = workspace.session, workspace.session.document
        self._highlight, self._navigation = workspace.highlight, workspace.navigation
        self._preferred = workspace.preferred
        self._result: DiscoveryResult | None = None
        self._run: KeptRun | None = None
        self.export_actions = ExportActions(self, self._session.controller.drawing)
        self.stale_notice = StaleNotice(_("These results are from earlier settings."), self)
        self.export_notice = Notice(self)
        self.export_actions.written.connect(partial(show_written, self.export_notice))
        self.export_actions.failed.connect(self.show_failure)
        self.empty = EmptyPage(_("No results yet"), _(_WHAT), self)
        self._stays = self._unfolds_notes = False
        self._make_panels()
        self._make_page()
        self._stack = stacked(self.empty, self._page, on=self)
        self.export_actions.set_figures(
            {"graph": partial(self._figure, self.graph), "grid": partial(self._figure, self.grid)}
        )
        self._connect()
        self._on_session()
        self._on_analysis()
        self._on_live()
        self._place_nodes()
        if self._document.result is not None:
            self._on_result()
        self._show_last_view()

    @property
    def can_explain(self) -> bool:
        """Whether there is a result that can be asked."""
        return self._document.result is not None

    @property
    def can_export(self) -> bool:
        """Whether there is a result."""
        return self._document.result is not None

    @property
    def menu_entries(self) -> Mapping[str, Sequence[QAction | QMenu]]:
        """The kinds of files, and how often to search again."""
        return {"File": [self.export_actions.menu], "Run": [self.how_sure.repetitions]}

    @property
    def _findings(self) -> Findings | None:
        return self._result.counted_findings if self._result is not None else None

    @property
    def is_filled(self) -> bool:
        """Whether every view holds the result; those that are not looked at are filled a moment later."""
        return self._filling.is_done

    def show_failure(self, failure: RunFailure) -> None:
        """Say why something did not work."""
        notice = self.empty.notice if self._result is None else self.export_notice
        notice.show_failure(failure)

    def show_pair(self, pair: SelectedPair) -> None:
        """Select a pair and go to the view that shows it best."""
        findings = self._findings
        if findings is None:
            return
        finding = findings.finding(pair.feature) if pair.feature is not None else None
        if finding is not None:
            panel = self.common if finding.is_common else self.label_specific
            self._filling.fill(panel)
            panel.reveal(finding.feature)
            self.tabs.setCurrentWidget(panel)
        elif pair.label is not None:
            self.tabs.setCurrentWidget(self.grid)
        self._highlight.select(pair.feature, pair.label)
        self._highlight.ask_why()

    def ask_export(self) -> None:
        """Open the menu of what can be exported."""
        self.export_button.showMenu()

    def shut_down(self) -> None:
        """Wait until a file that is being written is whole."""
        self.export_actions.shut_down()
        self.charts.shut_down()

    def find_text(self) -> None:
        """Put the keyboard where something is looked for in the current view."""
        current = self.tabs.currentWidget()
        if isinstance(current, FindingsPanel | GridPanel | GraphPanel):
            current.find_text()
        else:
            self.tabs.setCurrentWidget(self.common)
            self.common.find_text()

    def showEvent(self, event: QShowEvent) -> None:
        """Have sizes measured once somebody looks."""
        super().showEvent(event)
        self._session.measuring.set_wanted(True)

    def _connect(self) -> None:
        session, document = self._session, self._document
        for run_asked in (self.stale_notice.run_requested, self.empty.requested):
            run_asked.connect(session.running.start)
        self.how_sure.chosen.connect(session.repeating.start)
        self.level_bar.chosen.connect(partial(document.change_discovery, "alpha"))
        self.level_bar.live_requested.connect(session.live.set_wanted)
        document.result_changed.connect(self._on_result)
        document.notes.changed.connect(self._show_notes)
        document.refined.connect(self._on_refined)
        document.history.changed.connect(self._tell_run)
        document.rearranged.connect(self._on_rearranged)
        document.names_changed.connect(self._on_names)
        self.level_bar.through_labels.connect(document.count_links_through_labels)
        document.analysis_changed.connect(self._on_analysis)
        session.live.changed.connect(self._on_live)
        session.live.failed.connect(self._on_live_failed)
        session.repeating.failed.connect(self._on_repeating_failed)
        session.measuring.failed.connect(self.show_failure)
        session.changed.connect(self._on_session)

    def _on_result(self) -> None:
        """Show another result, or the empty page."""
        before = self._findings
        self._take_run()
        self._stays = is_of_same_table(before, self._findings)
        self.level_bar.set_level(self._document.discovery_shown.alpha)
        self._set_export()
        self._show_notes()
        for notice in (self.empty.notice, self.export_notice):
            notice.hide_text()
        # Before it is filled, as what is seen is filled at once.
        self._stack.setCurrentWidget(self.empty if self._result is None else self._page)
        self._filling.begin(self._panels)
        self._tell_counts()
        self._tell_staleness()
        self.can_explain_changed.emit()

    def _show_notes(self) -> None:
        for panel in (self.common, self.label_specific):
            panel.set_notes(self._document.notes.beside_names)

    def _on_refined(self) -> None:
        """Show what more is known of the findings that are shown; the graph stays as it is."""
        self._take_result()
        panels = [panel for panel in self._panels if panel is not self.graph or self._filling.is_due(panel)]
        if self.graph not in panels:
            self.graph.show_associations(self._findings)
        self._filling.begin_in_turns(panels)

    def _on_rearranged(self) -> None:
        """Show the same findings under other ones that lead them, or with other links counted."""
        self._take_result()
        self._tell_counts()
        self._filling.begin(self._panels)

    def _on_names(self) -> None:
        """Show the same findings with variables called otherwise."""
        if self._result is not None:
            self.graph.show_names_anew()
            self.charts.show_names_anew()
            self._on_rearranged()

    def _take_result(self) -> None:
        """Take what is known now of the findings that are shown."""
        self._take_run()
        self._stays = True
        self._set_export()

    def _take_run(self) -> None:
        """Take the run that is shown, with what estimates are known before its own."""
        self._run = _with_known_estimates(self._run, self._document.history.shown)
        self._result = None if self._run is None else self._run.result

    def _set_export(self) -> None:
        self.export_actions.set_analysis(self._document.reported)

    def _on_analysis(self) -> None:
        analysis = self._document.analysis
        self.empty.notice.hide_text()
        if analysis is not None:
            self.level_bar.set_level(self._document.discovery_shown.alpha)
            self.level_bar.counted.setChecked(analysis.counts_through_labels)
        self._tell_staleness()

    def _search_as_one(self, name: str) -> None:
        """Make the score of a group of labels the label in their place, as one step that can be undone."""
        analysis, result = self._document.analysis, self._result
        group = (
            next((label_group for label_group in result.label_groups if label_group.name == name), None)
            if result
            else None
        )
        if analysis is None or group is None:
            return
        roles = {**dict.fromkeys(group.members, Role.IGNORED), name: Role.LABEL}
        recipe = analysis.recipe
        if name not in analysis.dataset.names:
            recipe = recipe.with_step(group.score_step())
        text = _(_SEARCH_AS_ONE, count=count_text(len(group.members)))
        self._session.steps.change(recipe, text, roles)

    def _on_live(self) -> None:
        self.level_bar.set_live(self._session.live.state)
        self._tell_staleness()

    def _on_live_failed(self, failure: RunFailure) -> None:
        self._tell_staleness()
        if self.isVisible():
            self.show_failure(failure)

    def _on_repeating_failed(self, failure: RunFailure) -> None:
        self._navigation.go("results")
        self.show_failure(failure)

    def _on_session(self) -> None:
        hindrance = self._session.running.hindrance
        self.empty.set_hindrance(hindrance)
        self.stale_notice.set_hindrance(hindrance)
        self.how_sure.set_hindrance(self._session.repeating.hindrance)

    def _show_last_view(self) -> None:
        """Show the view that was open when the project was saved."""
        index = self._document.presentation.opened("tab")
        if isinstance(index, int) and 0 <= index < self.tabs.count():
            self.tabs.setCurrentIndex(index)

    def _place_nodes(self) -> None:
        self.graph.place(self._session.document.presentation.places)

    def _tell_staleness(self) -> None:
        self.stale_notice.set_reason(self._session.live.stale_reason if self._result is not None else None)

    def _make_panels(self) -> None:
        self.overview = LinkedText(self._overview_html, "card", self)
        self.overview.narrow_letters = _NARROW_LETTERS
        self.overview.setAccessibleName(_("Overview of the results"))
        self.overview.followed.connect(self.show_pair)
        self.overview.step_followed.connect(self._on_step_followed)
        self.overview.group_followed.connect(self._search_as_one)
        named_tables = (
            (tables.COMMON, _("Common variables")),
            (tables.LABEL_SPECIFIC, _("Label-specific variables")),
        )
        self.common, self.label_specific = (
            FindingsPanel(window_model(table), self._highlight, self._preferred, name, self)
            for table, name in named_tables
        )
        self.overview_panel = OverviewPanel(self._highlight, self.overview, self)
        self.grid = GridPanel(self._highlight, self)
        self.graph = GraphPanel(self._highlight, self)
        presentation = self._session.document.presentation
        self.graph.moved.connect(presentation.move)
        self.graph.arranged.connect(presentation.forget_places)
        self.graph.drawn.connect(partial(presentation.remember, DRAWN))
        presentation.changed.connect(self._place_nodes)
        presentation.changed.connect(self._set_export)
        self._session.document.opened.connect(self._place_nodes)
        self._session.opening.opened.connect(self._show_last_view)
        self.charts = ChartsPanel(self._highlight, self._session.controller.drawing, self)
        self.charts.written.connect(partial(show_written, self.export_notice))
        self.charts.failed.connect(self.show_failure)

    def _on_step_followed(self, step: str) -> None:
        """Unfold the notes where they are, or show another step."""
        if step == _NOTES:
            self._unfolds_notes = True
            self.overview.refresh(stays=True)
        else:
            self._navigation.go(step)

    def _make_page(self) -> None:
        """Put the panels on a page, with what belongs to all of them."""
        self._page = Page(_("Results"), self)
        self._page.set_primary(_("Export…"), enabled=True)
        self.export_button = self._page.primary
        self.export_button.setMenu(self.export_actions.menu)
        icons.assign(self.export_button, "export", colours(), "accent_text")
        self.how_sure = HowSureButton(self)
        self._page.add_secondary(self.how_sure)
        self.level_bar = LevelBar(self)
        self.tabs = Tabs(self._page, documentMode=True)
        self.tabs.setAccessibleName(_("Views of the results"))
        panels: dict[str, QWidget] = {
            _("Overview"): self.overview_panel,
            _("Common"): self.common,
            _("Label-specific"): self.label_specific,
            _("Grid"): self.grid,
            _("Graph"): self.graph,
            _("Charts"): self.charts,
        }
        self._panels = list(panels.values())
        for title, panel in panels.items():
            self.tabs.addTab(panel, title)
        self._filling = GradualFilling(self.tabs, self._fill)
        self.tabs.currentChanged.connect(partial(self._document.presentation.remember, "tab"))
        self._page.body.addWidget(self.level_bar)
        self._page.body.addWidget(self.tabs, 1)
        # Below all else, so that nothing moves when one comes or goes.
        for notice in (self.stale_notice, self.export_notice):
            self._page.body.addWidget(notice)

    def _fill(self, panel: QWidget) -> None:
        """Hand the findings to a panel."""
        findings = self._findings
        if panel is self.overview_panel:
            self.overview_panel.set_findings(findings)
            self.overview.refresh(self._stays)
        elif panel is self.common:
            one_label = findings is not None and len(findings.labels) == 1
            empty = _(_NO_COMMON_ONE_LABEL) if one_label else self._nothing(_NO_COMMON, _NONE_DIRECTLY)
            self.common.set_findings(findings.common if findings else (), empty)
        elif panel is self.label_specific:
            empty = self._nothing(_NO_SPECIFIC, _NONE_SPECIFIC_DIRECTLY)
            self.label_specific.set_findings(findings.label_specific if findings else (), empty)
        elif isinstance(panel, GridPanel | GraphPanel | ChartsPanel):
            panel.set_findings(findings)

    def _nothing(self, nothing: str, directly: str) -> str:
        """Return what an empty table says: what is linked directly, where other links are left out."""
        result = self._result
        return _(directly if result is not None and result.holds_direct_links_alone else nothing)

    def _figure(self, panel: GraphPanel | GridPanel) -> Figure | None:
        self._filling.fill(panel)
        return panel.figure()

    def _tell_counts(self) -> None:
        findings = self._findings
        if self._result is None or findings is None:
            return
        self._tell_run()
        self.level_bar.counted.setVisible(bool(self._result.links_through_labels))
        for panel, title, findings_of_panel in (
            (self.common, _("Common"), findings.common),
            (self.label_specific, _("Label-specific"), findings.label_specific),
        ):
            self.tabs.setTabText(self.tabs.indexOf(panel), f"{title} ({count_text(len(findings_of_panel))})")

    def _tell_run(self) -> None:
        """Say which of several runs is shown, and what it rests on."""
        history, result = self._document.history, self._result
        if result is None or history.shown is None:
            return
        text = rests_on(result)
        if len(history.runs) > 1:
            text = _(_RUN_SHOWN, run=history.shown.name, rests_on=text)
        self._page.set_subtitle(text, search_details(result.settings_used))

    def _overview_html(self) -> str:
        if self._result is None:
            return ""
        before = self._document.history.before_grouping
        lost: Phrase = ()
        if before is not None:
            lost = lost_by_grouping(before.result, self._result, before.name, NUMBERS)
        return overview_html(self._result, self.overview.is_narrow, lost, self._unfolds_notes)
