"""The page of the open table: its columns with their roles above its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QStackedWidget, QTabWidget, QWidget

from clcd_gui.data.columns_model import Field
from clcd_gui.data.columns_view import RoleBar
from clcd_gui.data.knowledge_panel import KnowledgePanel
from clcd_gui.data.names_panel import NamesPanel
from clcd_gui.data.steps_panel import StepsPanel
from clcd_gui.data.table_views import TableViews
from clcd_gui.document.analysis import Analysis
from clcd_gui.document.checks import Offer
from clcd_gui.document.columns import LabelOffer, feature_figures, named_few
from clcd_gui.document.compatibility import number_label
from clcd_gui.document.doubts import (
    NOTHING_IN_DOUBT,
    automatic_words,
    chosen_options,
    option_title,
    value_words,
)
from clcd_gui.document.examples import example_at
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.table_reading import OpenedTable
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.check_cards import NOT_LOOKED_YET, NOTHING_TO_CHECK, TO_CHECK, CheckCards, CheckNotice
from clcd_gui.widgets.controls import FocusLeader, push_button
from clcd_gui.widgets.help_links import show_help
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import column, row, scroll_only_down
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.page import Folded, Page
from clcd_gui.widgets.settings_form import editor_for
from clcd_gui.widgets.window_page import Workspace
from clcd_gui.wording.setting_values import lower_first
from clcd_gui.wording.text import count_text, counted, in_curved_marks
from engine.errors import EngineError
from engine.parameters import parameters_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.readers.data_dictionary import LABELS_READ
from engine.readers.formats import formats
from engine.readers.options import ReadingOptions
from engine.readers.reading import Guess, Reading
from engine.recipe.column_steps import ReadAs
from engine.table.dataset import Dataset
from engine.table.identifiers import JOINED
from engine.table.variable import Role
from engine.translation import N_, _, for_count
from engine.wording.phrases import ended

if TYPE_CHECKING:
    from clcd_gui.data.column_page import ColumnPage


_MOST_ISSUES = 30
_GREATEST_HEIGHT = 260
_IN_SUMMARY = ("delimiter", "decimal", "encoding", "sheet", "skip_lines", "missing_codes")


class ReadingPanel(Folded):
    """Folded to one quiet line, with a button beside it; unfolded it lists every remark."""

    change_requested = Signal()

    def __init__(self) -> None:
        self._inner = QWidget()
        self._area = _LowArea(self._inner)
        super().__init__(_("How the file was read"), self._area)
        tooltip = _("Look at the first rows as they are written, and at every guess")
        self.change = push_button(_("Change how it is read…"), self.change_requested, tooltip, "quiet")
        self.add_beside(self.change)
        self._issues = body("")
        self._issues.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column(self._issues, 1, on=self._inner, margins=(0, 0, SPACE, SPACE), spacing=None)

    def set_reading(self, reading: Reading, options: ReadingOptions) -> None:
        """Show how a file was read, and what of it a person chose."""
        chosen = chosen_options(reading, options)
        self.set_summary(reading_summary(reading, [name for name, _ in chosen]))
        lines = [sentence for _, sentence in chosen]
        lines += [_guessed(guess) for guess in reading.guesses if not guess.certain]
        lines += [note.text for note in reading.issues[:_MOST_ISSUES]]
        if len(reading.issues) > _MOST_ISSUES:
            lines.append(
                _("And {count:,} more remarks of this kind.", count=len(reading.issues) - _MOST_ISSUES)
            )
        text = "\n".join(f"• {line}" for line in lines)
        self._issues.setText(in_curved_marks(text) or _(NOTHING_IN_DOUBT))
        # What a project holds was read once; its file is no table.
        self.change.setVisible(reading.format != "project")
        self._area.updateGeometry()


class _LowArea(QScrollArea):
    """Scrolls rather than taking the page away from the table."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFrameShape(QFrame.Shape.NoFrame)
        scroll_only_down(self)
        self.setWidget(content)
        self._content = content

    def sizeHint(self) -> QSize:
        """Ask for the height that the content needs in this width, up to a limit."""
        width = self.viewport().width()
        return QSize(width, min(self._content.heightForWidth(width), _GREATEST_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for another height in another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Do not let the page squeeze it."""
        return QSize(0, self.sizeHint().height())


def reading_summary(reading: Reading, chosen: Sequence[str] = ()) -> str:
    """Say in one line how a file was read, which options were chosen, and how much there is to know."""
    parts = [_(formats()[reading.format].title)]
    if chosen:
        parts.append(_("chosen: {titles}", titles=_titles(chosen)))
    if reading.issues:
        parts.append(counted(len(reading.issues), "remark"))
    doubtful = [guess for guess in reading.guesses if not guess.certain]
    if doubtful:
        parts.append(_("to be checked: {titles}", titles=_titles([guess.name for guess in doubtful])))
    for guess in reading.guesses:
        if guess.name in _IN_SUMMARY and guess.certain:
            parts.append(f"{option_title(guess.name)} {automatic_words(guess.name, guess.value)}")
    return " · ".join(parts)


def _titles(options: Sequence[str]) -> str:
    return ", ".join(lower_first(option_title(name)) for name in options)


def _guessed(guess: Guess) -> str:
    """Say what was guessed, and why."""
    value = value_words(guess.name, guess.value)
    return f"{option_title(guess.name)}: {value}. {guess.reason}"


class GapsBar(QWidget):
    """Says how many values are missing, and what becomes of them; not there where none is."""

    edited = Signal(str, object)  # name and value of a setting of the preparation

    def __init__(self) -> None:
        super().__init__()
        offered = {parameter.name: parameter for parameter in parameters_of(PreparationSettings)}
        self.summary = ElidedLabel()
        self._editors = {name: editor_for(offered[name]) for name in ("missing", "imputations")}
        self.choice, self.draws = (editor.widget for editor in self._editors.values())
        self._draws_title = QLabel(_(offered["imputations"].title))
        self._draws_title.setBuddy(self.draws)
        title = QLabel(_(offered["missing"].title))
        title.setBuddy(self.choice)
        set_look(self.summary, "muted")
        settings = (title, self.choice, self._draws_title, self.draws)
        row((self.summary, 1), *settings, on=self, spacing=SPACE_SMALL)
        for name, editor in self._editors.items():
            editor.edited.connect(lambda value, name=name: self.edited.emit(name, value))
        self.setVisible(False)

    def set_gaps(self, gaps: Mapping[str, int], settings: PreparationSettings) -> None:
        """Show what is missing, by column that lacks some, and what becomes of it."""
        self.setVisible(bool(gaps))
        if not gaps:
            return
        cells, worst = sum(gaps.values()), max(gaps, key=lambda name: gaps[name])
        in_one, in_several = (
            for_count(cells, _ONE, _IN_ONE_COLUMN),
            for_count(cells, _ONE, _IN_SEVERAL_COLUMNS),
        )
        summary = (in_one if len(gaps) == 1 else in_several).format(
            cells=count_text(cells),
            columns=counted(len(gaps), "column"),
            worst=worst,
            most=count_text(gaps[worst]),
        )
        self.summary.setText(summary)
        for name, editor in self._editors.items():
            value = getattr(settings, name)
            editor.set_value(value)
            if explained := editor.explanation(value):
                editor.widget.setAccessibleDescription(explained)
                editor.widget.setToolTip(explained)
        for widget in (self._draws_title, self.draws):
            widget.setVisible(settings.missing == "imputed")


_ONE = N_("{cells} value is missing, in “{worst}”.")
_IN_ONE_COLUMN = N_("{cells} values are missing, all in “{worst}”.")
_IN_SEVERAL_COLUMNS = N_("{cells} values are missing in {columns}, most in “{worst}” ({most}).")
_LEFT_OUT_OR_IGNORED = N_(
    "CLCD leaves out columns that a search cannot use. Ignored columns are your choice."
)
_AS_BEFORE = N_("CLCD read the table with the choices that you made when you last opened it.")
_ROLES_AS_BEFORE = N_("The columns have the roles that you gave them then.")
_TEACH = N_(
    "Mark the columns that you want to explain as labels. Select them in the list, then press L or "
    "the button Label. The other columns are the features that may explain them."
)


class DataPage(Page):
    """Shows the document's table and changes roles and types through it."""

    can_find = True

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(_("Data"), parent)
        self._session, self._files = workspace.session, workspace.files
        self._document = workspace.session.document
        self._navigation = workspace.navigation
        self.notice, self.offer_notice, self.lesson_notice = Notice(), Notice(), Notice()
        self.check_notice = CheckNotice(workspace)
        self.checks = CheckCards()
        self.reading = ReadingPanel()
        self.tools = RoleBar()
        self.names = NamesPanel()
        self.names.setVisible(False)
        self.gaps = GapsBar()
        self.views = TableViews()
        self.columns_model, self.columns = self.views.columns_model, self.views.columns
        self.preview_model, self.preview = self.views.preview_model, self.views.preview
        self.knowledge = KnowledgePanel(self._document)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(_("The table and background knowledge"))
        self._column: ColumnPage | None = None
        self.steps = StepsPanel(self._session)
        # What holds others is put in its place before it is filled: each move dresses all that is in it anew.
        self.columns_stack = QStackedWidget()
        self.tabs.addTab(self.columns_stack, _("Columns"))
        self._fill_columns()
        self.columns_stack.currentChanged.connect(self._make_room)
        self.tabs.addTab(self.steps, _("Steps"))
        self.tabs.addTab(self.knowledge, _("Background knowledge"))
        self.tabs.addTab(self.checks, _(TO_CHECK))
        self.body.addWidget(self.reading)
        self.body.addWidget(self.tabs, 1)
        # Below all else, so that nothing moves when one comes or goes.
        for notice in (self.notice, self.offer_notice, self.lesson_notice):
            self.body.addWidget(notice)
        FocusLeader(self, self.columns)
        # Labels that stay numbers, as a person knows.
        self._settled_labels: set[str] = set()
        self._path: Path | None = None
        self._shown: Reading | None = None
        self._connect()
        self._set_primary()
        if self._document.analysis is not None:
            self._on_opened()
            self._on_analysis()
            self._show_checks()

    @property
    def column(self) -> ColumnPage:
        """The page of one column, which is made when one is opened first."""
        if self._column is None:
            from clcd_gui.data.column_page import ColumnPage

            self._column = ColumnPage(self._session, self.columns_stack)
            self._column.left.connect(lambda: self._show_in_list(self.column.name))
            self._column.step_left.connect(self._close_step)
            self.columns_stack.addWidget(self._column)
            self.part_made.emit(self._column)
        return self._column

    def _fill_columns(self) -> None:
        columns = QWidget(self.columns_stack)
        self.columns_stack.addWidget(columns)
        parts = (self.tools, self.names, self.gaps, (self.views, 1), self.check_notice)
        column(*parts, on=columns, margins=(0, SPACE, 0, 0))

    def _forget(self) -> None:
        self.views.clear()
        self._shown = None

    def find_text(self) -> None:
        """Put the keyboard where a column is looked for."""
        self.tabs.setCurrentIndex(0)
        self.columns_stack.setCurrentIndex(0)
        self.tools.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.tools.filter.selectAll()

    def open_column(self, name: str) -> None:
        """Show the page of a column."""
        self.tabs.setCurrentWidget(self.columns_stack)
        self.column.show_column(name)
        self.columns_stack.setCurrentWidget(self.column)
        self.column.back.setFocus()

    def show_failure(self, failure: RunFailure) -> None:
        """Say what went wrong with the table, its label file or a run, and offer what helps."""
        self.notice.show_failure(failure, self._session.take_advice)

    def tell_as_before(self, table: OpenedTable) -> None:
        """Say that a table was read as a person chose before, and offer to read it as a new one."""
        said = (_(_AS_BEFORE), _(_ROLES_AS_BEFORE)) if table.roles else (_(_AS_BEFORE),)
        self.notice.show_text(" ".join(said))
        self.notice.add_action(_("Read it without my choices"), partial(self._files.open_afresh, table))

    def _connect(self) -> None:
        self.primary.clicked.connect(self._on_primary)
        self.tools.labels_file_requested.connect(lambda: self._files.ask_for_labels(self.window()))
        self._navigation.checks_wanted.connect(self.show_checks)
        checking = self._session.checking
        checking.changed.connect(self._show_checks)
        self.checks.event_chosen.connect(self._document.set_events)
        self.checks.offer_taken.connect(self._take_offer)
        self.checks.left.connect(checking.confirm)
        self.checks.wanted_back.connect(checking.bring_back)
        self.reading.change_requested.connect(self._session.opening.look_again)
        self._session.changed.connect(self._set_primary)
        self._session.controller.discovery.started.connect(self.notice.hide_text)
        self.tools.role_requested.connect(self._on_role_button)
        self.tools.by_name.toggled.connect(self._on_by_name)
        self.names.role_requested.connect(self._set_roles)
        self.gaps.edited.connect(self._document.change_preparation)
        self.tools.filter.textChanged.connect(self.columns_model.set_filter)
        self.columns.role_requested.connect(self._set_roles)
        self.columns.kind_requested.connect(self._session.steps.read_as)
        self.columns.current_changed.connect(self._on_current)
        self.columns.selectionModel().selectionChanged.connect(self._on_selection)
        self.columns_model.modelReset.connect(self._on_selection)
        self.columns.open_requested.connect(self.open_column)
        self.offer_notice.closed.connect(self._on_notice_closed)
        self.steps.edit_wanted.connect(self._edit_step)
        self._session.steps.failed.connect(self.notice.show_failure)
        self._session.steps.changed.connect(self.notice.hide_text)
        self._document.opened.connect(self._on_opened)
        # What the table takes of memory is free once it is closed.
        self._document.closed.connect(self._forget)
        self._document.analysis_changed.connect(self._on_analysis)
        self._document.notes.changed.connect(self._show_notes)
        self._document.names_changed.connect(self.columns_model.show_names_anew)
        down = QShortcut(QKeySequence(Qt.Key.Key_Down), self.tools.filter)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        down.activated.connect(self._leave_filter)

    def _make_room(self) -> None:
        """Leave the room to the page of a column while it is shown."""
        is_list = self.columns_stack.currentIndex() == 0
        self.reading.setVisible(is_list)
        self.lesson_notice.setVisible(is_list and bool(self.lesson_notice.text))

    def show_checks(self) -> None:
        """Show the cards of what to check."""
        self.tabs.setCurrentWidget(self.checks)

    def _show_checks(self) -> None:
        checks, dataset = self._session.checking.checks, self._document.dataset
        nothing = _(NOTHING_TO_CHECK) if dataset.labels else _(NOT_LOOKED_YET)
        self.checks.set_checks(checks, nothing, len(self._session.checking.confirmed))
        self.columns_model.set_left_out(self._session.checking.left_out)
        if self._document.analysis is not None:
            self._show_figures(dataset)
        self._count_in_tab(self.checks, _(TO_CHECK), sum(not check.is_settled for check in checks))

    def _count_in_tab(self, page: QWidget, title: str, count: int) -> None:
        text = f"{title} ({count_text(count)})" if count else title
        self.tabs.setTabText(self.tabs.indexOf(page), text)

    def _take_offer(self, offer: Offer) -> None:
        with self._telling_errors():
            self._session.checking.take(offer)

    @contextmanager
    def _telling_errors(self) -> Iterator[None]:
        try:
            yield
        except EngineError as error:
            self.notice.show_failure(failure_of(error))

    def _show_in_list(self, name: str) -> None:
        self.columns_stack.setCurrentIndex(0)
        if name:
            self.columns.select_name(name)
        self.columns.setFocus()

    def _edit_step(self, position: int) -> None:
        """Show a step on the page of its column; how columns are read is changed in the list of columns."""
        analysis = self._document.analysis
        if analysis is None:
            return
        step = analysis.recipe.steps[position]
        self.tabs.setCurrentWidget(self.columns_stack)
        if step.kind == ReadAs.kind:
            self._show_in_list(step.uses[0])
            return
        self.column.edit_step(position)
        self.columns_stack.setCurrentWidget(self.column)
        self.column.tabs.setFocus()

    def _close_step(self, position: int) -> None:
        self.columns_stack.setCurrentIndex(0)
        self.tabs.setCurrentWidget(self.steps)
        self.steps.show_step(position)

    def _on_opened(self) -> None:
        reading, analysis = self._document.reading, self._document.analysis
        if reading is None or analysis is None:
            return
        self.notice.hide_text()
        self._settled_labels.clear()
        self._tell_joined(reading)
        self._shown = reading
        if self._path != reading.path:
            self._path = reading.path
            self.reading.unfold(False)
            self.tabs.setCurrentWidget(self.columns_stack)
        self.heading.setText(reading.path.name)
        set_tooltip(self.heading, str(reading.path))
        self._show_reading(reading, analysis)
        self._offer_lesson(reading.path)
        self.tools.filter.clear()
        self.tools.by_name.setChecked(False)
        self.columns_stack.setCurrentIndex(0)
        self.views.set_table(analysis.dataset, self._document.summaries)
        self._show_notes()

    def _show_reading(self, reading: Reading, analysis: Analysis) -> None:
        """Show how the table was read; steps may have settled some remarks."""
        if analysis.recipe.steps:
            reading = replace(reading, issues=analysis.dataset.notes)
        self.reading.set_reading(reading, self._document.options)

    def _tell_joined(self, reading: Reading) -> None:
        """Say what a second table brought, and by what it was joined, when it was just added."""
        before = self._shown
        if before is None or before.path != reading.path or before.labels_path == reading.labels_path:
            return
        if described := next((issue for issue in reading.issues if issue.topic == LABELS_READ), None):
            self.notice.show_text(in_curved_marks(described.text))
            return
        note = next((issue for issue in reading.issues if issue.topic == JOINED), None)
        if note is None or reading.labels_path is None:
            return
        count = len(set(reading.dataset.names) - set(before.dataset.names))
        what = counted(count, "column") if self._document.offer is None else counted(count, "label")
        added = _("{columns} added from “{name}”.", columns=what, name=reading.labels_path.name)
        self.notice.show_text(f"{added} {in_curved_marks(note.text)}")

    def _on_analysis(self) -> None:
        analysis = self._document.analysis
        self._show_checks()
        if analysis is None:
            return
        dataset = analysis.dataset
        if self._shown is not None:
            self._show_reading(self._shown, analysis)
        self.views.update_table(dataset, self._document.summaries)
        if not self.names.isHidden():
            self.names.set_names(dataset.names)
        self._show_figures(dataset)
        self._count_in_tab(self.steps, _("Steps"), len(analysis.recipe.steps))
        self._show_offer()
        pairs = zip(dataset.variables, self._document.summaries, strict=True)
        gaps = {
            variable.name: summary.missing
            for variable, summary in pairs
            if summary.missing and variable.role.takes_part
        }
        self.gaps.set_gaps(gaps, analysis.preparation)

    def _show_figures(self, dataset: Dataset) -> None:
        """Count rows and columns by role; a feature that a search leaves out is not counted among them."""
        parts = [
            counted(dataset.row_count, "row"),
            counted(len(dataset.labels), "label"),
            *feature_figures(dataset.features, self._session.checking.left_out),
        ]
        if dataset.ignored:
            parts.append(_("{count:,} ignored", count=len(dataset.ignored)))
        if dataset.weight is not None:
            parts.append(_("weighted by “{weight}”", weight=dataset.weight))
        if dataset.groups is not None:
            parts.append(_("grouped by “{groups}”", groups=dataset.groups))
        self.subtitle.setText(" · ".join(parts))
        set_tooltip(self.subtitle, _(_LEFT_OUT_OR_IGNORED) if dataset.ignored else "")

    def _offer_lesson(self, path: Path) -> None:
        """Say of a bundled table what it shows, and lead to what is true of it."""
        example = example_at(path)
        if example is None:
            self.lesson_notice.hide_text()
            return
        self.lesson_notice.show_text(_(example.summary))
        self.lesson_notice.add_action(_("Read its lesson"), partial(show_help, example.topic))

    def _show_notes(self) -> None:
        self.columns_model.set_notes(self._document.notes.beside_names)

    def _show_offer(self) -> None:
        offer = self._offer
        if self._document.dataset.labels:
            self._show_number_label()
        elif offer is not None:
            text = _(
                "{labels} named by {source}: {names}.",
                labels=counted(len(offer.names), "label"),
                source=offer.source,
                names=named_few(offer.names),
            )
            self.offer_notice.show_text(ended(text), closable=False)
        else:
            self.offer_notice.show_text(_(_TEACH), closable=False)

    def _show_number_label(self) -> None:
        """Say what becomes of a label that is a number, and offer its cut: it is never made in silence."""
        analysis = self._document.analysis
        label = None if analysis is None else number_label(analysis)
        if label is None or (label.name in self._settled_labels and not label.levels):
            self.offer_notice.hide_text()
            return
        self.offer_notice.show_text(label.sentence, "warning" if label.levels else "info")
        self.offer_notice.add_action(_("Cut…"), partial(self.open_column, label.name))

    def _on_notice_closed(self) -> None:
        self._settled_labels.update(self._document.dataset.labels)

    @property
    def _offer(self) -> LabelOffer | None:
        """Labels that a file names, where none is chosen yet."""
        return None if self._document.dataset.labels else self._document.offer

    def _set_primary(self) -> None:
        offer = self._offer
        if offer is not None:
            self.set_primary(_("Use {labels}", labels=counted(len(offer.names), "label")), True)
        else:
            self.set_run(self._session.running.hindrance, self._session.live.is_following)

    def _on_primary(self) -> None:
        offer = self._offer
        if offer is not None:
            self._document.set_labels(offer.names)
            # The labels come first, so that they are seen.
            self.columns.sortByColumn(Field.ROLE, Qt.SortOrder.AscendingOrder)
            self.columns.scrollToTop()
        else:
            self._session.running.start()

    def _on_role_button(self, role: Role) -> None:
        self._set_roles(self.columns.selected_names(), role)
        self.columns.setFocus()

    def _set_roles(self, names: list[str], role: Role) -> None:
        with self._telling_errors():
            self._document.set_roles(names, role)

    def _on_current(self, name: str) -> None:
        if self._document.analysis is not None:
            self.preview.show_column(self._document.dataset, name)

    def _on_selection(self) -> None:
        self.tools.set_selected(len(self.columns.selectionModel().selectedRows()))

    def _on_by_name(self, wanted: bool) -> None:
        self.names.set_names(self._document.dataset.names)
        self.names.setVisible(wanted)
        # The list needs the room, so that what is named can be seen there.
        self.views.preview.setHidden(wanted)
        if wanted:
            self.names.text.setFocus()

    def _leave_filter(self) -> None:
        if self.columns_model.rowCount():
            self.columns.setFocus()
            self.columns.selectRow(0)
