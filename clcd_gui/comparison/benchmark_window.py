"""The comparison of CLCD with other methods, in a window of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import QScrollArea, QWidget

from clcd_gui.comparison.comparison_form import ExportButton, NameBoxes
from clcd_gui.run.comparing import RunBenchmark, WriteComparison, benchmark_charts, write_benchmark
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.lane import Lane, Standing, WritingLane
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.searcher import MeasurementFolder
from clcd_gui.style.text import body, muted, plain, set_tooltip
from clcd_gui.style.themes import follow_theme
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.chart_panel import ChartPanel
from clcd_gui.widgets.controls import choice, push_button
from clcd_gui.widgets.dialogs import SAVE_FOLDER, ExportDialogs
from clcd_gui.widgets.figure_table import FigureCell, FigureModel, FigureTable
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.notices import Notice, show_written
from clcd_gui.widgets.page import Page, Tabs, scroll_column, titled_card
from clcd_gui.widgets.run_bar import RunBar
from clcd_gui.widgets.settings_form import SettingsForm
from clcd_gui.widgets.side_window import SideWindow
from clcd_gui.wording.text import counted, duration_text
from engine.comparison.networks.benchmark_settings import (
    SMALL,
    BenchmarkSettings,
    cells,
    tables_with,
    variants,
)
from engine.comparison.networks.methods import methods
from engine.comparison.networks.report import caution_sentences, verdict_sentences
from engine.comparison.networks.result import (
    METRICS,
    TIMES,
    BenchmarkResult,
    ShownFigure,
    accuracy_figures,
    time_figures,
)
from engine.translation import N_, _


class BenchmarkSettingsView(QScrollArea):
    """Edits the settings of a comparison, small sizes first."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._settings = BenchmarkSettings(**SMALL)
        self.form = SettingsForm(BenchmarkSettings, beside=True)
        self.form.edited.connect(self._on_edited)
        self.small = push_button(_("Small sizes"), self._on_small, _("A quick look: a few minutes."))
        hours = _("50 labels, 1000 features, 5000 rows: some hours.")
        self.large = push_button(_("The paper’s sizes"), self._on_large, hours)
        self.methods = _boxes(_("Methods"), methods())
        self.cells = _boxes(_("Kinds of networks"), cells(), ticked=self._settings.cells)
        self.variants = _boxes(_("Settings"), variants())
        for boxes in (self.methods, self.cells, self.variants):
            boxes.changed.connect(self.changed)
        self._lay_out()
        self.form.set_values(self._settings)

    @property
    def hindrance(self) -> str:
        """Why a comparison cannot start; empty when it can."""
        needed = (
            (self.methods, _("Tick at least one method")),
            (self.cells, _("Tick at least one kind of network")),
            (self.variants, _("Tick at least one setting")),
        )
        return next((hindrance for boxes, hindrance in needed if not boxes.chosen), "")

    @property
    def settings(self) -> BenchmarkSettings:
        """What is asked for now; there must be no hindrance."""
        return replace(
            self._settings,
            methods=self.methods.chosen,
            cells=self.cells.chosen,
            variants=self.variants.chosen,
        )

    def _lay_out(self) -> None:
        scroll_column(
            self,
            titled_card(_("Size and time limit"), row(self.small, self.large, 1), self.form),
            titled_card(
                _("What is compared"),
                plain(_("Methods")),
                self.methods,
                plain(_("Kinds of networks")),
                self.cells,
                muted(
                    _(
                        "“p_c” is the share of labels with a direct link to another label. “p_m” is "
                        "the share of labels with several Markov boundaries."
                    )
                ),
                plain(_("Under the settings")),
                self.variants,
            ),
        )

    def _on_edited(self, name: str, value: Any) -> None:
        self._settings = replace(self._settings, **{name: value})
        self.changed.emit()

    def _on_small(self) -> None:
        self._take(BenchmarkSettings(**SMALL))

    def _on_large(self) -> None:
        self._take(BenchmarkSettings())

    def _take(self, sizes: BenchmarkSettings) -> None:
        self._settings = replace(sizes, margin=self._settings.margin, workers=self._settings.workers)
        self.form.set_values(self._settings)
        self.changed.emit()


def _boxes(title: str, described: Mapping[str, Any], ticked: Collection[str] | None = None) -> NameBoxes:
    choices = [(entry.name, _(entry.title), _(entry.help)) for entry in described.values()]
    return NameBoxes(title, choices, ticked=ticked)


def method_headings(result: BenchmarkResult) -> tuple[FigureCell, ...]:
    """Return the headings of the table: what a row is about, and the methods."""
    chosen = [methods()[name] for name in result.settings.methods]
    return (
        FigureCell(_("Metric")),
        FigureCell(_("Networks")),
        *(
            FigureCell(
                _(method.title),
                f"{_(method.help)} ({_(method.options)})" if method.options else _(method.help),
            )
            for method in chosen
        ),
    )


def figure_rows(result: BenchmarkResult, variant: str) -> tuple[tuple[FigureCell, ...], ...]:
    """Return the rows of the table under one variant; beneath each figure the paper's."""
    rows = [
        (_(title), _(cells()[cell].title), accuracy_figures(result, cell, variant, metric))
        for metric, title in METRICS
        for cell in result.settings.cells
    ]
    rows += [
        (_("Time"), f"{_(title)}, {table.name}", time_figures(result, table, variant, measure))
        for table in tables_with(result.settings.cells)
        for measure, title in TIMES
    ]
    return tuple(
        (FigureCell(metric), FigureCell(networks), *map(_figure, figures))
        for metric, networks, figures in rows
    )


def _figure(shown: ShownFigure) -> FigureCell:
    measured = (
        _("Measured: {measured}, the best in the row", measured=shown.measured)
        if shown.is_best
        else _("Measured: {measured}", measured=shown.measured)
    )
    if not shown.paper:
        return FigureCell(f"{shown.measured}\n", measured, shown.is_best, f"{shown.measured} ")
    return FigureCell(
        _("{measured}\npaper {paper}", measured=shown.measured, paper=shown.paper),
        _("{measured}\nIn the paper: {paper}", measured=measured, paper=shown.paper),
        shown.is_best,
        _("{measured} paper {paper}", measured=shown.measured, paper=shown.paper),
    )


_BEFORE = N_("There are no measurements yet. The table shows the figures of the paper. Press Run to measure.")
_LEGEND = N_(
    "Mean over the networks ± standard deviation. The best of a row is bold. Accuracy is the mean "
    "for common and for label-specific pairs of a feature and a label. The column “lg s” is the "
    "decimal logarithm of the seconds for one network."
)


class BenchmarkTable(QWidget):
    """Shows a result under the variant that is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self._result: BenchmarkResult | None = None
        self.verdict = body(_(_BEFORE))
        self.variant = choice(_("Settings"), {})
        self.variant.currentIndexChanged.connect(self._refresh)
        self.model = FigureModel(self, name_columns=2)
        self.table = FigureTable(self.model, _("Results of the methods"), two_lines=True)
        self.caution = muted("")
        self.export = ExportButton(_("Write the report, tables and charts into a folder (Ctrl+E)"))
        caption = plain(_("Measured with"))
        caption.setBuddy(self.variant)
        head = row(caption, self.variant, 1, self.export)
        parts = self.verdict, head, (self.table, 1), muted(_(_LEGEND)), self.caution
        column(*parts, on=self, margins=(0, SPACE, 0, 0))

    def set_result(self, result: BenchmarkResult) -> None:
        """Show figures; the variant that is looked at stays."""
        self._result = result
        offered = [self.variant.itemData(index) for index in range(self.variant.count())]
        if offered != list(result.settings.variants):
            self.variant.clear()
            for name in result.settings.variants:
                self.variant.addItem(_(variants()[name].title), name)
        self._refresh()

    def _refresh(self) -> None:
        result, variant = self._result, self.variant.currentData()
        if result is None or variant is None:
            return
        set_tooltip(self.variant, _(variants()[variant].help))
        self.model.set_figures(method_headings(result), figure_rows(result, variant))
        self.table.fit(range(self.model.name_columns, self.model.columnCount()))
        if not result.outcomes:
            self.verdict.setText(_(_BEFORE))
            self.caution.setText("")
            return
        sentences = verdict_sentences(result)
        index = result.settings.variants.index(variant)
        self.verdict.setText(sentences[index] if sentences else "")
        self.caution.setText(caution_sentences(result)[0])


_WIDTH, _HEIGHT = 1024, 700
_SUBTITLE = N_(
    "Compares CLCD with other methods on simulated tables with known causes, as in Tables 2 and 3 "
    "of the paper."
)
_CHART_CAPTION = N_(
    "The table has the same figures. Rest the pointer on a mark to read its figure. Ctrl and the "
    "mouse wheel zoom."
)


class BenchmarkWindow(SideWindow):
    """Runs a comparison, goes on from searches that were kept, and shows the figures as they come."""

    def __init__(
        self, lane: Lane, files: WritingLane, measurements: MeasurementFolder, drawing: DrawingProcess
    ) -> None:
        super().__init__()
        self.setWindowTitle(_("Benchmark – CLCD"))
        self.resize(_WIDTH, _HEIGHT)
        self.dialogs = ExportDialogs()
        self.lane, self._files, self._measurements = lane, files, measurements
        self._drawing = drawing
        self.page = Page(_("Benchmark"))
        self.page.subtitle.setText(_(_SUBTITLE))
        self.notice = Notice()
        self.settings = BenchmarkSettingsView()
        self.table = BenchmarkTable()
        self.accuracy = ChartPanel("accuracy", drawing, _(_CHART_CAPTION), dialogs=self.dialogs)
        self.time = ChartPanel("time", drawing, _(_CHART_CAPTION), dialogs=self.dialogs)
        self.tabs = Tabs()
        self.tabs.setAccessibleName(_("Views of the comparison"))
        self.export = self.table.export
        self.run_bar = RunBar()
        self.result = BenchmarkResult(self.settings.settings, (), workers=1)
        self._lay_out()
        follow_theme(self.run_bar)
        self._connect()
        self._show(self.result)
        self._refresh()

    def run(self) -> None:
        """Begin a comparison."""
        if self.settings.hindrance or self.lane.is_busy:
            return
        self.notice.hide_text()
        self._show(BenchmarkResult(self.settings.settings, (), workers=1))
        self.tabs.setCurrentWidget(self.table)
        self.lane.start(RunBenchmark(self.settings.settings, self._measurements))

    def stop(self) -> None:
        """Stop; what was measured stays."""
        self.lane.abandon()

    def shut_down(self) -> None:
        """Wait until files that are being written are whole."""
        self._files.shut_down()
        for panel in (self.accuracy, self.time):
            panel.shut_down()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop what is running; the figures are there when the window is opened again."""
        self.stop()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        self.page.set_primary(_("Run"), True, by_enter=False)
        self.page.body.addWidget(self.notice)
        self.page.body.addWidget(self.tabs, 1)
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.settings, _("Settings"))
        self.tabs.addTab(self.table, _("Table"))
        self.tabs.addTab(self.accuracy, _("Accuracy"))
        self.tabs.addTab(self.time, _("Time"))
        column((self.page, 1), self.run_bar, on=self)

    def _connect(self) -> None:
        self.page.primary.clicked.connect(self.run)
        self.export.clicked.connect(self._on_export)
        self.run_bar.stop_requested.connect(self.stop)
        self.settings.changed.connect(self._refresh)
        for panel in (self.accuracy, self.time):
            panel.written.connect(self._on_written)
            panel.failed.connect(self.notice.show_failure)
        self.lane.started.connect(self._on_started)
        self.lane.progressed.connect(self._on_progressed)
        self.lane.given_early.connect(self._show)
        self.lane.succeeded.connect(self._on_succeeded)
        self.lane.stopped.connect(self._on_stopped)
        self.lane.failed.connect(self._on_failed)
        self.lane.ended.connect(self._refresh)
        self._files.started.connect(self._allow_export)
        self._files.succeeded.connect(self._on_written)
        self._files.failed.connect(self.notice.show_failure)
        self._files.ended.connect(self._allow_export)
        for keys, act in (("Ctrl+R", self.run), ("Esc", self._on_escape), ("Ctrl+E", self._on_export)):
            action = QAction(self)
            action.setShortcut(QKeySequence(keys))
            action.triggered.connect(act)
            self.addAction(action)

    def _show(self, result: BenchmarkResult) -> None:
        self.result = result
        self.table.set_result(result)
        for panel, chart in zip((self.accuracy, self.time), benchmark_charts(result), strict=True):
            panel.set_chart(chart)
        self._allow_export()

    def _allow_export(self) -> None:
        self.export.allow(bool(self.result.outcomes), self._files.is_busy)

    def _refresh(self) -> None:
        reason = _("A comparison is running") if self.lane.is_busy else self.settings.hindrance
        self.page.set_primary(_("Run"), not reason, reason, by_enter=False)

    def _on_started(self) -> None:
        self.run_bar.set_working(_("Preparing"))
        self._refresh()

    def _on_progressed(self, standing: Standing) -> None:
        self.run_bar.set_standing(standing)

    def _on_succeeded(self, result: BenchmarkResult) -> None:
        self._show(result)
        seconds = sum(outcome.seconds for outcome in result.outcomes)
        searches = counted(len(result.outcomes), "search", "searches")
        self.run_bar.set_idle(
            _("Done: {searches} in {seconds}", searches=searches, seconds=duration_text(seconds))
        )

    def _on_written(self, paths: tuple[Path, ...]) -> None:
        show_written(self.notice, paths)

    def _on_stopped(self) -> None:
        self.run_bar.set_idle(
            _(
                "Stopped: {done:,} of {planned:,} searches are kept; Run continues from there",
                done=len(self.result.outcomes),
                planned=self.result.planned,
            )
        )

    def _on_failed(self, failure: RunFailure) -> None:
        self.run_bar.set_idle(_("The run ended without a result"))
        self.notice.show_failure(failure)

    def _on_escape(self) -> None:
        if self.lane.is_busy:
            self.stop()
        else:
            self.close()

    def _on_export(self) -> None:
        if not self.export.isEnabled():
            return
        folder = self.dialogs.choose_folder(
            self, _("Report, tables and charts into a folder"), SAVE_FOLDER.path
        )
        if folder is not None:
            SAVE_FOLDER.remember(folder)
            self._files.start(WriteComparison(write_benchmark, self.result, folder, self._drawing))
