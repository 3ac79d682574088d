"""The page of the method: every setting with one line of help, from what the settings say of themselves."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QWidget

from clcd_gui.document.compatibility import Problem, WayOut, idle_settings, problems, remarks
from clcd_gui.run.failure import RunFailure
from clcd_gui.style.tokens import SPACE, SPACE_LARGE
from clcd_gui.widgets.check_cards import CheckNotice
from clcd_gui.widgets.layouts import column, scroll_only_down
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.page import Folded, Page, titled_card
from clcd_gui.widgets.settings_form import SettingsForm, editor_for
from clcd_gui.widgets.window_page import ForTable, Workspace
from clcd_gui.wording.setting_values import lower_first, search_details, search_summary, summary
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.row_split import SPLIT, RowSplit
from engine.preparation.preparation_settings import PreparationSettings
from engine.translation import N_, _

_WIDE_LETTERS = 160
_NOT_SPLIT = N_("All rows are searched and used for estimates, so this setting has no effect.")


class MethodPage(Page, ForTable):
    """Edits the document's settings."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(_("Method"), parent)
        self._session = workspace.session
        self._document = workspace.session.document
        self.primary.clicked.connect(self._session.running.start)
        self.notice = Notice()
        self.problem_notice = Notice()
        self.search, self.advanced_search, self.more_search = _forms(DiscoverySettings)
        self.preparation, self.advanced_preparation, self.more_preparation = _forms(PreparationSettings)
        self.split, self.advanced_split, self.more_split = _forms(RowSplit)
        self.split.add_editor(editor_for(SPLIT))
        for form in (self.search, self.advanced_search):
            form.edited.connect(self._document.change_discovery)
            form.slid.connect(self._on_slid)
        for form in (self.preparation, self.advanced_preparation):
            form.edited.connect(self._document.change_preparation)
        self.split.edited.connect(self._on_split)
        self.advanced_split.edited.connect(self._document.change_split_setting)
        self.check_notice = CheckNotice(workspace)
        self.body.addWidget(self._cards(), 1)
        # Below all else, so that nothing moves when one comes or goes.
        for notice in (self.notice, self.check_notice, self.problem_notice):
            self.body.addWidget(notice)
        self._document.analysis_changed.connect(self._on_analysis)
        self._session.changed.connect(self._show_run)
        self._session.controller.discovery.started.connect(self.notice.hide_text)
        self._document.opened.connect(self.notice.hide_text)
        self._show_run()
        self._on_analysis()

    def show_failure(self, failure: RunFailure) -> None:
        """Say why a run ended without a result, and offer what helps."""
        self.notice.show_failure(failure, self._session.take_advice)

    def forget_table(self) -> None:
        """Say no more how a run of the table before ended."""
        self.notice.hide_text()

    def _show_run(self) -> None:
        self.set_run(self._session.running.hindrance, self._session.live.is_following)

    def _cards(self) -> QScrollArea:
        # What holds others is put in its place before it is filled: each move dresses all that is in it anew.
        area = QScrollArea(self)
        scroll_only_down(area)
        cards = _Cards()
        area.setWidget(cards)
        beside = QWidget(cards)
        below = column(on=beside, spacing=SPACE_LARGE)
        for holder, add, caption, parts in (
            (cards, cards.add, _("How the search is done"), (self.search, self.more_search)),
            (
                beside,
                below.addWidget,
                _("How the table is prepared"),
                (self.preparation, self.more_preparation),
            ),
            (beside, below.addWidget, _("How estimates are computed"), (self.split, self.more_split)),
        ):
            add(titled_card(caption, *parts, spacing=SPACE_LARGE, parent=holder))
        cards.add(beside)
        return area

    def _on_analysis(self) -> None:
        analysis = self._document.analysis
        if analysis is None:
            return
        idle = idle_settings(analysis)
        for form in (self.search, self.advanced_search):
            form.set_values(self._document.discovery_shown, idle)
        for form in (self.preparation, self.advanced_preparation):
            form.set_values(analysis.preparation, idle)
        # A split is a tick here, and nothing is no tick.
        self.split.set_values(analysis)
        split = analysis.split or RowSplit()
        idle_split = {} if analysis.split else dict.fromkeys(("share", "seed"), _(_NOT_SPLIT))
        self.advanced_split.set_values(split, idle_split)
        self.more_split.set_summary(summary(split, advanced=True))
        self.more_search.set_summary(summary(analysis.discovery, advanced=True))
        self.more_preparation.set_summary(summary(analysis.preparation, advanced=True))
        self.set_subtitle(
            f"{search_summary(analysis.discovery, analysis.split)}.", search_details(analysis.discovery)
        )
        self.notice.hide_text()
        in_the_way = [problem for problem in problems(analysis) if not problem.on_data_page]
        if in_the_way:
            self._show_problem(in_the_way[0], "warning")
        else:
            self._show_problem(next(iter(remarks(analysis)), None), "info")

    def _show_problem(self, problem: Problem | None, tone: str) -> None:
        if problem is None:
            self.problem_notice.hide_text()
            return
        self.problem_notice.show_text(problem.reason, tone, closable=False)
        for way_out in problem.ways_out:
            self.problem_notice.add_action(_(way_out.title), partial(self._take, way_out))

    def _take(self, way_out: WayOut) -> None:
        """Take a way out of a problem."""
        analysis = self._document.analysis
        if analysis is not None:
            self._document.change(way_out.applied_to(analysis), lower_first(_(way_out.title)))

    def _on_slid(self, _name: str, value: float, gesture: str) -> None:
        self._document.change_discovery("alpha", value, gesture)

    def _on_split(self, _name: str, is_split: bool) -> None:
        split, what = (RowSplit(), _("split the rows")) if is_split else (None, _("search all rows"))
        self._document.change_split(split, what)


def _forms(settings_class: type) -> tuple[SettingsForm, SettingsForm, Folded]:
    """Make the form of the usual settings of a class, that of the advanced ones, and what folds this."""
    usual, advanced = (SettingsForm(settings_class, advanced=is_advanced) for is_advanced in (False, True))
    return usual, advanced, Folded(_("More"), advanced)


class _Cards(QWidget):
    """Cards side by side where there is room, else one below the other."""

    def __init__(self) -> None:
        super().__init__()
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._box.setContentsMargins(0, 0, SPACE, 0)
        self._box.setSpacing(SPACE_LARGE)
        self._box.addStretch(0)

    def add(self, card: QWidget) -> None:
        """Put a card behind the others."""
        self._box.insertWidget(self._box.count() - 1, card, 1, Qt.AlignmentFlag.AlignTop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn the direction when the width asks for it."""
        super().resizeEvent(event)
        is_wide = self.width() > _WIDE_LETTERS * self.fontMetrics().averageCharWidth()
        wanted = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if self._box.direction() is not wanted:
            self._box.setDirection(wanted)
