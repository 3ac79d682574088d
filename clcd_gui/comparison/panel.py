"""CLCD-FS beside other feature selectors on the open table: settings, figures and pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from clcd_gui.comparison.comparison_form import ComparisonSettingsView, ExportButton
from clcd_gui.run.comparing import (
    CompareSelectors,
    ComparisonFindings,
    TextTable,
    WriteComparison,
    write_selectors,
)
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.lane import Lane, Standing, WritingLane
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.searcher import MeasurementFolder
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, literal, muted
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.chart_panel import ChartPanel
from clcd_gui.widgets.controls import choice
from clcd_gui.widgets.dialogs import SAVE_FOLDER, ExportDialogs
from clcd_gui.widgets.figure_table import FigureCell, FigureModel, FigureTable
from clcd_gui.widgets.help_links import HeadingHelp
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.notices import Notice, show_written
from clcd_gui.widgets.page import Folded, ViewSwitch
from clcd_gui.widgets.run_bar import RunBar
from clcd_gui.wording.setting_values import value_text
from clcd_gui.wording.text import count_text, counted
from engine.comparison.selectors.methods import CLCD_FS, selection_methods
from engine.comparison.selectors.prediction import PAPER_METRICS, Metric, metrics
from engine.comparison.selectors.standings import MethodFigures
from engine.parameters import parameters_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.reporting.figures.chart import Chart
from engine.table.dataset import Dataset
from engine.translation import N_, _

_FEWEST_LABELS = 2


# What leaves no cell empty, the best first.
_WITHOUT_GAPS = ("imputed", "drop-rows")
# The engine says what CLCD-FS is; a row says what its method is.
_STANDINGS = {
    "better": N_("clearly worse"),
    "worse": N_("clearly better"),
    "no difference": N_("undecided"),
}
_LONGEST_LINE = 20
_HIGHER, _LOWER = N_("Higher is better."), N_("Lower is better.")
_BEFORE = (
    (N_("Method"), N_("The method that selects the features.")),
    (N_("Features"), N_("Number of features compared, mean over splits.")),
)
_AFTER = (
    (N_("Rank"), N_("Mean rank by the four metrics; 1 is best.")),
    (
        N_("Stability"),
        N_(
            "How similar the selected features are in all splits: 1 means always the same, 0 what "
            "chance gives."
        ),
    ),
    (N_("Seconds"), N_("Processor time of one selection, without tuning.")),
)
METRIC_COLUMNS = range(len(_BEFORE), len(_BEFORE) + len(PAPER_METRICS))
"""Places of the columns that hold a metric."""


def comparison_headings() -> tuple[FigureCell, ...]:
    """Return the headings of the table, and which way is better."""
    before, after = (
        [FigureCell(_(title), _(help_text)) for title, help_text in words] for words in (_BEFORE, _AFTER)
    )
    return (*before, *(_metric_heading(metrics()[name]) for name in PAPER_METRICS), *after)


def _metric_heading(metric: Metric) -> FigureCell:
    arrow, better = ("↑", _HIGHER) if metric.larger_is_better else ("↓", _LOWER)
    title = _(metric.title)
    return FigureCell(f"{title} {arrow}", f"{_(metric.help)}\n{_(better)}", copied=title)


def comparison_rows(findings: ComparisonFindings | None) -> tuple[tuple[FigureCell, ...], ...]:
    """Return a row a method: mean ± standard deviation, and beneath it rank and significance in words."""
    if findings is None:
        return ()
    # CLCD-FS first: the others are compared with it.
    ordered = sorted(findings.rows, key=lambda row: row.method != CLCD_FS)
    return tuple(_row(figures_of_method, findings) for figures_of_method in ordered)


def _row(row: MethodFigures, findings: ComparisonFindings) -> tuple[FigureCell, ...]:
    method = selection_methods()[row.method]
    name = _name(row, findings.result.settings.splits)
    ranks = [figure.rank for metric in PAPER_METRICS if (figure := row.figures.get(metric)) and figure.rank]
    # A clock does not tell less than a thousandth.
    seconds = f"{row.processor_seconds:.2g}" if row.processor_seconds >= 0.001 else "< 0.001"
    return (
        FigureCell(
            name,
            literal(f"{_(method.help)}\n{_(method.source)}."),
            row.method == CLCD_FS,
            name.replace("\n", ", "),
        ),
        FigureCell("" if row.features is None else f"{row.features:.1f}"),
        *(_metric_cell(row, metrics()[metric], findings.can_be_certain) for metric in PAPER_METRICS),
        FigureCell(f"{fmean(ranks):.1f}" if ranks else ""),
        FigureCell("" if row.stability is None else f"{row.stability:.2f}"),
        FigureCell(seconds),
    )


def _name(row: MethodFigures, splits: int) -> str:
    """Write a name, and beneath it how far a method is, or the rest of a long name."""
    title = _(selection_methods()[row.method].title)
    if row.splits < splits:
        done = _("{count} of {splits}", count=row.splits, splits=counted(splits, "split"))
        return f"{title}\n{done}"
    if len(title) <= _LONGEST_LINE:
        return title
    space = title.rfind(" ", 0, _LONGEST_LINE)
    return title if space < 0 else f"{title[:space]}\n{title[space + 1 :]}"


def _metric_cell(row: MethodFigures, metric: Metric, can_be_certain: bool) -> FigureCell:
    figure = row.figures.get(metric.name)
    if figure is None:
        return FigureCell("")
    spread, rank = figure.spread, _("rank {rank}", rank=figure.rank)
    lines = [
        _(
            "{method}, {metric}: {mean:.4f}, mean of {splits}",
            method=_(selection_methods()[row.method].title),
            metric=_(metric.title),
            mean=spread.mean,
            splits=counted(row.splits, "split"),
        ),
        _("lowest {lowest:.4f}, highest {highest:.4f}", lowest=spread.lowest, highest=spread.highest),
        rank if figure.rank is not None else _("It uses all features, for comparison only."),
    ]
    # Whether the difference from CLCD-FS is more than chance, or the rank where that is unknown.
    standing = rank if figure.rank is not None else _("for comparison")
    if row.method != CLCD_FS and figure.standing:
        if can_be_certain:
            standing = _(_STANDINGS[figure.standing])
            lines.append(
                _(
                    "compared with CLCD-FS: {standing} (Wilcoxon’s signed-rank test, 5% after Holm)",
                    standing=standing,
                )
            )
        else:
            lines.append(_("too few splits for a test"))
    return FigureCell(
        f"{spread.text}\n{standing}", literal("\n".join(lines)), figure.is_best, f"{spread.text}, {standing}"
    )


def _show_table(table: FigureTable, model: FigureModel, content: TextTable) -> None:
    """Show texts: the first column names the row, the others hold figures."""
    rows = (
        tuple(FigureCell(text, is_bold=number in content.strong) for text in row)
        for number, row in enumerate(content.rows)
    )
    model.set_figures(tuple(map(FigureCell, content.columns)), tuple(rows))
    table.fit()


_CURVES = N_(
    "Each line is the mean over splits as more features are selected. CLCD-FS is one point, ± one "
    "standard deviation, because it chooses its own number. Rest the pointer on a mark to read its "
    "figure. Ctrl and the mouse wheel zoom."
)
_STANDING = N_(
    "The mean of each metric, rescaled so that the best method has 0.5 and the worst 0. Losses are "
    "reversed, so further out is always better. The paper gives no formula, so CLCD uses its own."
)
_NO_CHART, _NO_TABLE = Chart("", ()), TextTable((), ())


class CurvesPanel(ChartPanel):
    """Metrics against the percentage of features selected (Figure 5 of the paper)."""

    def __init__(self, drawing: DrawingProcess, dialogs: ExportDialogs) -> None:
        super().__init__("curves", drawing, _(_CURVES), dialogs)
        self._findings: ComparisonFindings | None = None
        self.metric_box = choice(_("Metric of the table"), {})
        self.metric_box.currentIndexChanged.connect(self._fill)
        self._model = FigureModel(self)
        self.table = FigureTable(self._model, _("Means at each percentage"), is_whole=True)
        caption = QLabel(_("The same as a table:"))
        caption.setBuddy(self.metric_box)
        self.below.addLayout(row(caption, self.metric_box, 1))
        self.below.addWidget(self.table)

    def set_findings(self, findings: ComparisonFindings | None) -> None:
        """Show another state of a comparison, or none."""
        self._findings = findings
        self.set_chart(_NO_CHART if findings is None else findings.curves)
        if findings is not None and self.metric_box.count() == 0:
            self.metric_box.addItems(list(findings.curve_tables))
        self._fill()

    def _fill(self) -> None:
        tables = {} if self._findings is None else self._findings.curve_tables
        _show_table(self.table, self._model, tables.get(self.metric_box.currentText(), _NO_TABLE))


class StandingPanel(ChartPanel):
    """Spider diagram with bars beside (Figure 6 of the paper)."""

    def __init__(self, drawing: DrawingProcess, dialogs: ExportDialogs) -> None:
        super().__init__("standing", drawing, _(_STANDING), dialogs)
        self._model = FigureModel(self)
        self.table = FigureTable(self._model, _("Rescaled means"), is_whole=True)
        self.below.addWidget(self.table)

    def set_findings(self, findings: ComparisonFindings | None) -> None:
        """Show another state of a comparison, or none."""
        self.set_chart(_NO_CHART if findings is None else findings.standing)
        _show_table(self.table, self._model, _NO_TABLE if findings is None else findings.standing_table)


_NOTHING_YET = N_("There are no measurements yet. Press Compare.")
_WORKING = N_(
    "CLCD measures. CLCD-FS comes first, because the others are compared at its number of features."
)
_LEGEND = N_(
    "Mean ± standard deviation over splits, with as many features as CLCD-FS selects. The best of a "
    "column is bold. ↑ higher is better, ↓ lower is better. All features together are shown for "
    "comparison, without a rank."
)
_STANDINGS_LEGEND = N_(
    "“Clearly better” and “clearly worse” compare a method with CLCD-FS by a test over the splits."
)


class ComparisonTable(QWidget):
    """Shows a state of a comparison."""

    def __init__(self) -> None:
        super().__init__()
        self.verdict = body(_(_NOTHING_YET))
        self.model = FigureModel(self)
        self.table = FigureTable(self.model, _("Results of the methods"), two_lines=True)
        self.heading_help = HeadingHelp(self.table.horizontalHeader())
        self.legend = muted(_(_LEGEND))
        self.cautions = body("")
        self.folded = Folded(_("Limits"), self.cautions)
        parts = self.verdict, (self.table, 1), self.legend, self.folded
        column(*parts, on=self, margins=(0, SPACE, 0, 0))

    def set_findings(self, findings: ComparisonFindings | None, is_working: bool) -> None:
        """Show another state."""
        self.model.set_figures(comparison_headings(), comparison_rows(findings))
        self.table.fit(METRIC_COLUMNS)
        is_tested = findings is not None and findings.can_be_certain
        self.legend.setText(f"{_(_LEGEND)} {_(_STANDINGS_LEGEND)}" if is_tested else _(_LEGEND))
        verdicts = "\n".join(findings.verdicts) if findings is not None else ""
        self.verdict.setText(verdicts or (_(_WORKING) if is_working else _(_NOTHING_YET)))
        self.cautions.setText("\n".join(f"• {caution}" for caution in findings.cautions) if findings else "")
        self.folded.setVisible(findings is not None)
        self.folded.set_summary(findings.cautions[0] if findings else "")


def _way(missing: str) -> str:
    (parameter,) = (setting for setting in parameters_of(PreparationSettings) if setting.name == "missing")
    words: str = value_text(parameter, missing)
    return words


class ComparisonPanel(QWidget):
    """Runs a comparison in the background and shows the figures as they come."""

    step_requested = Signal(str)

    def __init__(
        self,
        lane: Lane,
        files: WritingLane,
        measurements: MeasurementFolder,
        drawing: DrawingProcess,
        dialogs: ExportDialogs | None = None,
    ) -> None:
        super().__init__()
        self.dialogs = dialogs or ExportDialogs()
        self.lane, self._files, self._measurements = lane, files, measurements
        self._drawing = drawing
        self._dataset: Dataset | None = None
        self._compared: Dataset | None = None
        self._preparation = self._compared_with = PreparationSettings()
        # How the comparison alone treats missing values; empty until a person says so.
        self._missing = ""
        self.findings: ComparisonFindings | None = None
        self.settings = ComparisonSettingsView()
        self.figures = ComparisonTable()
        self.curves = CurvesPanel(drawing, self.dialogs)
        self.standing = StandingPanel(drawing, self.dialogs)
        self.compare = QPushButton(_("Compare"))
        self.export = ExportButton(_("Write the report, tables and pictures into a folder"))
        self.reason = ElidedLabel()
        self.notice, self.stale_notice = Notice(), Notice()
        self.run_bar = RunBar()
        self.views = ViewSwitch(_("Views of the comparison"))
        self._lay_out()
        self._connect()
        self.run_bar.setVisible(False)
        self._show(None)
        self.views.show_view("settings")
        self._refresh()

    @property
    def is_busy(self) -> bool:
        """Whether a comparison is running."""
        return self.lane.is_busy

    @property
    def hindrance(self) -> str:
        """Why a comparison cannot start, in a few words; empty when it can."""
        if self._dataset is None:
            return _("Open a table first")
        if len(self._dataset.labels) < _FEWEST_LABELS:
            return _("Mark at least two columns as labels")
        if not self._dataset.features:
            return _("There is no feature to select from")
        return _("A comparison is running") if self.lane.is_busy else self.settings.hindrance

    def set_dataset(self, dataset: Dataset | None, preparation: PreparationSettings | None = None) -> None:
        """Compare on another table, or on the same one with other roles; None when no table is open."""
        preparation = preparation or PreparationSettings()
        if dataset is self._dataset and preparation.missing == self._preparation.missing:
            return
        self._dataset, self._preparation = dataset, preparation
        if self._compared is not None and not _is_of_same_file(self._compared, dataset):
            self._missing = ""
            self.lane.abandon()
            self._compared = None
            self._show(None)
            self.run_bar.setVisible(False)
            self.notice.hide_text()
            self.views.show_view("settings")
        self._tell_staleness()
        self._refresh()

    @property
    def _used(self) -> PreparationSettings:
        """How the table is prepared: as for the analysis, but without missing values where it has them."""
        if not self._missing or self._preparation.missing in _WITHOUT_GAPS:
            return self._preparation
        return replace(self._preparation, missing=self._missing)

    def _fill(self, missing: str) -> None:
        """Treat missing values otherwise in this comparison alone, and compare again."""
        self._missing = missing
        self.run()

    def run(self) -> None:
        """Begin a comparison, unless something stands in the way."""
        if self.hindrance or self._dataset is None:
            return
        self.notice.hide_text()
        if not self._compared_is_open():
            self._show(None)
        self._compared, self._compared_with = self._dataset, self._used
        self._tell_staleness()
        if self.views.currentWidget() is self.settings:
            self.views.show_view("figures")
        self.lane.start(
            CompareSelectors(self._dataset, self._compared_with, self.settings.settings, self._measurements)
        )

    def stop(self) -> None:
        """Stop; what was measured stays."""
        self.lane.stop()

    def _lay_out(self) -> None:
        self.views.add("settings", _("Settings"), self.settings)
        self.views.add("figures", _("Table"), self.figures)
        self.views.add("curves", _("Curves"), self.curves)
        self.views.add("standing", _("Ranking"), self.standing)
        set_look(self.reason, "muted")
        set_look(self.compare, "primary")
        head = row(self.views.bar, 1, self.reason, self.export, self.compare)
        # Below all else, so that nothing moves when one comes or goes.
        parts = head, (self.views, 1), self.notice, self.stale_notice, self.run_bar
        column(*parts, on=self, margins=(0, SPACE, 0, 0))

    def _connect(self) -> None:
        self.compare.clicked.connect(self.run)
        self.export.clicked.connect(self._on_export)
        self.run_bar.stop_requested.connect(self.stop)
        self.settings.changed.connect(self._refresh)
        for panel in (self.curves, self.standing):
            panel.written.connect(self._on_written)
            panel.failed.connect(self.notice.show_failure)
        lane = self.lane
        lane.started.connect(self._on_started)
        lane.progressed.connect(self._on_progressed)
        lane.given_early.connect(self._show)
        lane.stopping.connect(self.run_bar.set_stopping)
        lane.succeeded.connect(self._on_succeeded)
        lane.stopped.connect(self._on_stopped)
        lane.failed.connect(self._on_failed)
        lane.ended.connect(self._refresh)
        files = self._files
        files.started.connect(self._allow_export)
        files.succeeded.connect(self._on_written)
        files.failed.connect(self.notice.show_failure)
        files.ended.connect(self._allow_export)

    def _show(self, findings: ComparisonFindings | None) -> None:
        self.findings = findings
        self.figures.set_findings(findings, self.lane.is_busy)
        self.curves.set_findings(findings)
        self.standing.set_findings(findings)
        has_any = findings is not None and bool(findings.result.outcomes)
        for name in ("curves", "standing"):
            self.views.buttons[name].setEnabled(has_any)
        self._allow_export()

    def _allow_export(self) -> None:
        has_any = self.findings is not None and bool(self.findings.result.outcomes)
        self.export.allow(has_any, self._files.is_busy)

    def _refresh(self) -> None:
        hindrance = self.hindrance
        self.compare.setEnabled(not hindrance)
        self.compare.setAccessibleDescription(hindrance)
        self.reason.setText(hindrance if not self.lane.is_busy else "")

    def _tell_staleness(self) -> None:
        if self._compared is None or self.findings is None or self._compared_is_open():
            self.stale_notice.hide_text()
        else:
            self.stale_notice.show_text(
                _("These results are from before the table changed. Compare again."),
                "warning",
                closable=False,
            )

    def _compared_is_open(self) -> bool:
        compared, dataset = self._compared, self._dataset
        is_table = compared is dataset or (
            compared is not None
            and dataset is not None
            and compared.variables == dataset.variables
            and _have_same_values(compared, dataset)
        )
        return is_table and self._compared_with.missing == self._used.missing

    def _on_started(self) -> None:
        self.run_bar.set_working(_("Preparing"))
        self.run_bar.setVisible(True)
        self._show(self.findings)
        self._refresh()

    def _on_progressed(self, standing: Standing) -> None:
        if not self.lane.is_stopping:
            self.run_bar.set_standing(standing)

    def _on_succeeded(self, value: ComparisonFindings) -> None:
        self._show(value)
        result = value.result
        if result.is_partial:
            self._on_stopped()
        else:
            methods, splits = counted(len(result.methods), "method"), counted(result.settings.splits, "split")
            self.run_bar.set_idle(_("Done: {methods} in {splits}", methods=methods, splits=splits))

    def _on_written(self, paths: tuple[Path, ...]) -> None:
        show_written(self.notice, paths)

    def _on_stopped(self) -> None:
        self._show(self.findings)
        result = self.findings.result if self.findings is not None else None
        if result is None or not result.outcomes:
            self.run_bar.set_idle(_("Stopped before the first measurement"))
            return
        done, planned = count_text(len(result.outcomes)), count_text(result.planned)
        self.run_bar.set_idle(
            _(
                "Stopped: {done} of {planned} measurements are kept; Compare continues from there",
                done=done,
                planned=planned,
            )
        )

    def _on_failed(self, failure: RunFailure) -> None:
        self.run_bar.set_idle(_("The run ended without a result"))
        self._show(self.findings)
        self.notice.show_failure(failure)
        if self.findings is None:
            if self._dataset is not None and self._dataset.has_missing:
                for value in _WITHOUT_GAPS:
                    self.notice.add_action(_way(value), partial(self._fill, value))
            # Most likely the table cannot be compared on: empty cells, or a label of three values.
            self.notice.add_action(_("Go to Data"), partial(self.step_requested.emit, "data"))
            self.views.show_view("settings")

    def _on_export(self) -> None:
        if self.findings is None or not self.export.isEnabled():
            return
        folder = self.dialogs.choose_folder(
            self.window(), _("Report, tables and pictures into a folder"), SAVE_FOLDER.path
        )
        if folder is not None:
            SAVE_FOLDER.remember(folder)
            self._files.start(WriteComparison(write_selectors, self.findings.result, folder, self._drawing))


def _is_of_same_file(compared: Dataset, dataset: Dataset | None) -> bool:
    """Tell whether it is the same table but for roles and kinds."""
    return (
        dataset is not None
        and dataset.name == compared.name
        and dataset.names == compared.names
        and dataset.row_count == compared.row_count
    )


def _have_same_values(compared: Dataset, dataset: Dataset) -> bool:
    """Tell whether columns are the same arrays, or made with the same values by the steps of a recipe."""
    pairs = zip(compared.columns, dataset.columns, strict=True)
    return all(mine is its or np.array_equal(mine, its, equal_nan=True) for mine, its in pairs)
