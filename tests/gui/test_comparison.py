"""The comparison of selectors by clicks: settings, figures as they come, Stop, errors, pictures as files."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
import pandas
import pytest
from defusedxml.ElementTree import parse
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton, QVBoxLayout, QWidget

import engine
from clcd_gui.comparison.comparison_form import ComparisonSettingsView
from clcd_gui.comparison.panel import ComparisonPanel
from clcd_gui.run import comparing, controller
from clcd_gui.run.lane import Lane, WritingLane
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.searcher import MeasurementFolder
from clcd_gui.shell.comparison import ComparisonTab
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.text import scaled
from clcd_gui.style.themes import Scheme
from clcd_gui.widgets.dialogs import ExportDialogs
from engine.comparison.selectors.methods import CLCD_FS, selection_methods
from engine.execution.helper_process import HelperKind, HelperProcess
from engine.table.dataset import Dataset

PATIENCE = 240_000


class IntoFolder(ExportDialogs):
    """Answers with a folder, and with files in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def choose_folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        return self.folder

    def choose_file(self, parent: QWidget, title: str, suggested: Path) -> Path | None:
        return self.folder / suggested.name


@pytest.fixture(scope="module")
def table() -> Dataset:
    return engine.simulate(labels=3, features=20, rows=300, seed=1).dataset


@pytest.fixture(scope="module")
def measurements() -> Iterator[MeasurementFolder]:
    """What one test has measured, the next one need not."""
    measurement_folder = MeasurementFolder()
    yield measurement_folder
    measurement_folder.clear()


@pytest.fixture
def drawing() -> DrawingProcess:
    """The one that tests of windows share."""
    return controller.DrawingProcess()


@pytest.fixture
def panel(
    qtbot,
    measurements: MeasurementFolder,
    drawing: DrawingProcess,
    tmp_path: Path,
    nothing_is_drawn_here: None,
) -> Iterator[ComparisonPanel]:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(QSize(864, 580))
    layout = QVBoxLayout(host)
    lane, files = Lane("comparison", host), WritingLane("files", host)
    comparison_panel = ComparisonPanel(lane, files, measurements, drawing, IntoFolder(tmp_path))
    layout.addWidget(comparison_panel)
    with qtbot.waitActive(host):
        host.show()
    yield comparison_panel
    lane.shut_down()
    files.shut_down()


class LastingProcess(HelperProcess):
    """Serves one comparison after the other: what it imports takes it seconds."""

    def end(self) -> None:
        pass

    def end_at_last(self) -> None:
        super().end()


@pytest.fixture(scope="module")
def judging() -> Iterator[LastingProcess]:
    process = LastingProcess(HelperKind(), comparing._judging_ended)
    yield process
    process.end_at_last()


@pytest.fixture
def processes(judging: LastingProcess, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Measure on a thread, as processes take seconds to begin; filled with how many were asked for.

    What was measured is judged in one process for all tests.

    That any number of them gives the same is proved where the engine's are tested.
    """
    worker_counts: list[int] = []
    compare = engine.compare_selections

    def on_a_thread(tables: Sequence[Dataset], settings: engine.SelectionComparisonSettings, **others: Any):
        worker_counts.append(settings.workers)
        return compare(tables, replace(settings, workers=1), **others)

    monkeypatch.setattr(engine, "compare_selections", on_a_thread)
    monkeypatch.setattr(comparing, "HelperProcess", lambda *_: judging)
    return worker_counts


def click(button: QPushButton | QToolButton) -> None:
    assert button.isVisible() and button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def tick_only(panel: ComparisonPanel, *wanted: str) -> None:
    panel.views.show_view("settings")
    for name in selection_methods():
        box = panel.settings.methods.box(name)
        if box.isChecked() != (name in wanted):
            panel.settings.ensureWidgetVisible(box)
            QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(10, box.height() // 2))


def choose_tiny(panel: ComparisonPanel, splits: int = 2) -> None:
    tick_only(panel, CLCD_FS, "mutual-information", "all")
    panel.settings.form.editor("splits").setValue(splits)
    # To try options for each method takes longer than all else.
    tuning = panel.settings.more.editor("tuning")
    tuning.setCurrentIndex(tuning.findData("none"))
    tuning.activated.emit(tuning.currentIndex())
    assert panel.settings.settings.tuning == "none"
    line = panel.settings.form.editor("percentages")
    line.selectAll()
    QTest.keyClicks(line, "10 30")
    QTest.keyClick(line, Qt.Key.Key_Return)


def compare(panel: ComparisonPanel, qtbot) -> None:
    with qtbot.waitSignal(panel.lane.ended, timeout=PATIENCE):
        click(panel.compare)


def shown_rows(panel: ComparisonPanel) -> dict[str, list[str]]:
    """Cells of the table of figures, by the first line of the method."""
    model = panel.figures.model
    rows = [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]
    return {row[0].splitlines()[0]: row[1:] for row in rows}


def test_it_says_what_it_waits_for(panel: ComparisonPanel, table: Dataset) -> None:
    assert not panel.compare.isEnabled() and panel.reason.text() == "Open a table first"
    panel.set_dataset(table.with_labels(table.labels[:1]))
    assert panel.reason.text() == "Mark at least two columns as labels"
    panel.set_dataset(table)
    assert panel.compare.isEnabled() and panel.reason.text() == ""
    tick_only(panel, "anova-f")
    assert panel.reason.text().startswith("Tick CLCD-FS")
    tick_only(panel, CLCD_FS)
    assert panel.reason.text().startswith("Tick another method")
    assert not panel.compare.isEnabled() and not panel.export.isEnabled()


def test_settings_are_those_of_the_engine(panel: ComparisonPanel) -> None:
    click(panel.settings.thorough)
    assert panel.settings.settings == engine.SelectionComparisonSettings(methods=tuple(selection_methods()))
    click(panel.settings.quick)
    assert panel.settings.settings.splits < engine.SelectionComparisonSettings().splits
    line = panel.settings.form.editor("percentages")
    for refused in ("", "many", "0", "5 200"):
        line.selectAll()
        QTest.keyClick(line, Qt.Key.Key_Delete)
        QTest.keyClicks(line, refused)
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert line.text() == "5, 10, 20, 30"
    line.selectAll()
    QTest.keyClicks(line, "30; 2.5")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert panel.settings.settings.percentages == (2.5, 30.0)


def test_a_tiny_comparison_by_clicks(
    panel: ComparisonPanel, table: Dataset, processes: list[int], qtbot, tmp_path: Path
) -> None:
    panel.set_dataset(table)
    choose_tiny(panel)
    early: list[int] = []
    panel.lane.given_early.connect(lambda findings: early.append(len(findings.result.outcomes)))
    compare(panel, qtbot)
    assert early and early[0] < 6, "figures come while it works"
    assert panel.run_bar.activity.text() == "Done: 3 methods in 2 splits"
    assert panel.views.currentWidget() is panel.figures
    assert processes and min(processes) >= 2, "a thread of this process would hold up the window"

    # The same by the engine alone, in this process.
    settings = panel.settings.settings
    expected = engine.compare_selections(
        [table],
        engine.SelectionComparisonSettings(
            splits=2,
            percentages=(10, 30),
            methods=settings.methods,
            tuning="none",
            workers=1,
        ),
    )
    rows = shown_rows(panel)
    assert list(rows) == ["CLCD-FS", "Mutual information", "All features"]
    for method, title in ((CLCD_FS, "CLCD-FS"), ("mutual-information", "Mutual information")):
        figures = list(expected.figures(table.name, method, "macro_f1").values())
        mean, deviation = np.mean(figures), np.std(figures, ddof=1)
        assert rows[title][3].splitlines()[0] == f"{mean:.3f} ± {deviation:.3f}"
    assert rows["All features"][3].endswith("for comparison")
    assert "2 splits, no difference" in panel.figures.verdict.text()

    panel.figures.table.setFocus()
    QTest.keyClick(panel.figures.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel.figures.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 4

    check_pictures(panel, tmp_path, qtbot)
    click(panel.export)
    qtbot.waitUntil(lambda: "files written to" in panel.notice.text, timeout=60_000)
    summary = pandas.read_csv(tmp_path / "summary.csv")
    assert list(summary["method"]) == ["mutual-information", "all", "clcd-fs"]
    for stem in ("stability", f"curves_{table.name}", "ranks", "selection_stability"):
        assert parse(tmp_path / f"{stem}.svg").getroot().tag.endswith("svg")
        assert (tmp_path / f"{stem}.pdf").read_bytes().startswith(b"%PDF")


def check_pictures(panel: ComparisonPanel, folder: Path, qtbot) -> None:
    """Each picture has its table, and is saved in every format."""
    for name, shown in (("curves", panel.curves), ("standing", panel.standing)):
        click(panel.views.buttons[name])
        assert shown.view.chart.words() and shown.table.model().rowCount() >= 2
        qtbot.waitUntil(lambda shown=shown: shown.view.is_drawn)
        assert len(list(shown.view.canvas.spots())) == len(shown.view.chart.words())
        for ending, action in shown.actions_by_ending.items():
            with qtbot.waitSignal(shown.written):
                action.trigger()
            assert f"{name}{ending}" in panel.notice.text
        assert parse(folder / f"{name}.svg").getroot().tag.endswith("svg")
        picture = QImage(str(folder / f"{name}.png"))
        assert picture.width() > 1500
        assert (folder / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    cells = panel.curves.table.model()
    assert cells.index(0, 0).data() == "Mutual information" and float(cells.index(0, 1).data()) > 0
    before = cells.index(0, 1).data()
    panel.curves.metric_box.setCurrentIndex(2)
    assert cells.index(0, 1).data() != before


@pytest.mark.usefixtures("processes")
def test_stop_keeps_what_is_finished_and_more_goes_on_from_there(
    panel: ComparisonPanel, table: Dataset, qtbot
) -> None:
    panel.set_dataset(table)
    choose_tiny(panel, splits=60)
    click(panel.compare)
    qtbot.waitUntil(
        lambda: panel.findings is not None and len(panel.findings.result.outcomes) >= 3, timeout=PATIENCE
    )
    assert not panel.compare.isEnabled() and panel.run_bar.stop.isVisible()
    with qtbot.waitSignal(panel.lane.ended, timeout=60_000):
        click(panel.run_bar.stop)
    result = panel.findings.result
    done = len(result.outcomes)
    assert result.is_partial and done >= 3
    assert panel.run_bar.activity.text().startswith(f"Stopped: {done} of 180 ")
    assert panel.compare.isEnabled() and panel.export.isEnabled()
    assert shown_rows(panel)["CLCD-FS"][2]
    # What was measured is taken from where it is kept: the first findings hold nearly all of it at once.
    first: list[int] = []
    panel.lane.given_early.connect(lambda findings: first.append(len(findings.result.outcomes)))
    click(panel.compare)
    qtbot.waitUntil(lambda: len(first) > 1, timeout=PATIENCE)
    assert max(first) >= done
    panel.lane.abandon()
    qtbot.waitUntil(lambda: panel.lane.live_threads == 0, timeout=60_000)


def test_a_table_with_gaps_is_told_where_and_what_to_do(
    panel: ComparisonPanel, table: Dataset, qtbot
) -> None:
    frame = pandas.DataFrame({"dose": [0.5, None] * 20, "ill": ["no", "yes"] * 20, "old": [0, 1, 1, 0] * 10})
    panel.set_dataset(Dataset.from_frame(frame, labels=["ill", "old"], name="clinic"))
    wanted: list[str] = []
    panel.step_requested.connect(wanted.append)
    compare(panel, qtbot)
    assert "column “dose”" in panel.notice.text and "missing values" in panel.notice.text
    assert "leave the column out" in panel.notice.text
    buttons = {button.text(): button for button in panel.notice.findChildren(QPushButton)}
    assert {"Multiple imputation", "Leave out the rows"} < set(buttons)
    qtbot.waitUntil(buttons["Go to Data"].isVisible)
    click(buttons["Go to Data"])
    assert wanted == ["data"]
    assert panel.compare.isEnabled() and panel.findings is None


def test_other_roles_make_figures_old_and_another_table_takes_them_away(
    panel: ComparisonPanel, table: Dataset, qtbot
) -> None:
    panel.set_dataset(table)
    choose_tiny(panel)
    compare(panel, qtbot)
    panel.set_dataset(table.with_labels(table.labels[:2]))
    assert "before the table changed" in panel.stale_notice.text
    panel.set_dataset(table.with_labels(table.labels))
    assert not panel.stale_notice.isVisible()
    # Other values alone, and the same ones in other arrays, as steps that are made again give them.
    first, *others = table.columns
    panel.set_dataset(replace(table, columns=(first[::-1].copy(), *others)))
    assert "before the table changed" in panel.stale_notice.text and panel.stale_notice.isVisible()
    panel.set_dataset(replace(table, columns=(first.copy(), *others)))
    assert not panel.stale_notice.isVisible() and panel.findings is not None
    panel.set_dataset(None)
    assert panel.findings is None and not panel.export.isEnabled()
    # Nothing of it is held in memory either.
    assert not panel.curves.view.chart.panels and not panel.standing.view.chart.panels
    assert panel.curves.table.model().rowCount() == panel.standing.table.model().rowCount() == 0


@pytest.mark.usefixtures("processes")
def test_it_is_a_tab_of_the_selection_step(
    opened: Callable[[Path], MainWindow], table: Dataset, tmp_path: Path, qtbot
) -> None:
    path = tmp_path / "simulated.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table.names)
        writer.writerows(zip(*(table.column(name) for name in table.names), strict=True))
    window = opened(path)
    document = window.session.document
    document.set_labels(table.labels)
    assert window.page("selection").findChild(ComparisonTab).panel is None, (
        "nothing is loaded before somebody looks"
    )
    window.go("selection")
    # No search is needed to compare.
    tabs = window.page("selection").tabs
    bar = tabs.tabBar()
    place = bar.tabRect(tabs.indexOf(window.findChild(ComparisonTab))).center()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
    panel = window.findChild(ComparisonTab).panel
    assert panel is not None
    qtbot.waitUntil(panel.isVisible)
    assert panel.compare.isEnabled()
    assert not window.why.isVisible() and not window.page("selection").export_button.isVisible()
    choose_tiny(panel, splits=60)
    click(panel.compare)
    assert window.commands.actions.stop.isEnabled()
    qtbot.waitUntil(lambda: panel.findings is not None, timeout=PATIENCE)
    with qtbot.waitSignal(panel.lane.ended, timeout=60_000):
        QTest.keyClick(window, Qt.Key.Key_Escape)
    assert panel.run_bar.activity.text().startswith("Stopped")
    # A file of the same name, columns and rows is another one all the same.
    (tmp_path / "other").mkdir()
    opened(Path(copy(path, tmp_path / "other")))
    assert panel.findings is None and not panel.run_bar.isVisible()
    window.workspace.files.close()
    assert panel.findings is None and panel.reason.text() == "Open a table first"


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_nothing_is_cut_in_a_small_window(
    window: MainWindow, panel: ComparisonPanel, table: Dataset, qtbot, scheme: Scheme
) -> None:
    window.theme.set_scheme(scheme)
    panel.set_dataset(table)
    choose_tiny(panel)
    compare(panel, qtbot)
    for name in ("figures", "curves", "standing"):
        panel.views.show_view(name)
        widget = panel.views.currentWidget()
        assert widget.width() <= panel.width()
    for shown in (panel.curves, panel.standing):
        assert shown.area.horizontalScrollBar().maximum() == 0
    assert panel.figures.table.horizontalScrollBar().maximum() == 0
    window.theme.set_scheme(Scheme.SYSTEM)


def test_help_on_settings_is_not_squeezed_in_large_text(qtbot) -> None:
    view = ComparisonSettingsView()
    qtbot.addWidget(view)
    view.resize(780, 600)
    view.show()
    editor, help_line = view.form.editor("classifier"), view.form.helps["classifier"]
    qtbot.waitUntil(lambda: help_line.geometry().left() > editor.geometry().right())
    for share in (1.5, 1 / 1.5):
        view.setFont(scaled(view.font(), share))
        is_beneath = share > 1.0
        qtbot.waitUntil(
            lambda is_low=is_beneath: (help_line.geometry().top() > editor.geometry().bottom()) == is_low
        )
        assert help_line.height() <= 3 * help_line.fontMetrics().height() + 4, "its lines are long"


@pytest.mark.usefixtures("processes")
def test_a_table_with_gaps_is_compared_on_to_the_end(
    opened: Callable[[Path], MainWindow], table: Dataset, tmp_path: Path, qtbot
) -> None:
    frame = table.frame.astype(float)
    frame.iloc[::9, 0] = np.nan
    frame.iloc[::7, -1] = np.nan
    path = tmp_path / "gaps.csv"
    frame.to_csv(path, index=False)
    window = opened(path)
    document = window.session.document
    document.set_labels(table.labels)
    document.change_preparation("imputations", 2)
    window.go("selection")
    page = window.page("selection")
    page.tabs.setCurrentWidget(window.findChild(ComparisonTab))
    panel = window.findChild(ComparisonTab).panel
    qtbot.waitUntil(panel.compare.isVisible)
    choose_tiny(panel)
    compare(panel, qtbot)
    assert "missing values" in panel.notice.text and panel.findings is None
    (fill,) = (button for button in panel.notice.findChildren(QPushButton) if "imputation" in button.text())
    qtbot.waitUntil(fill.isVisible)
    before = document.undo_stack.count()
    click(fill)
    # The analysis stays as it is: missing values are imputed for the comparison alone.
    assert document.analysis.preparation.missing == "per-test"
    assert document.undo_stack.count() == before
    qtbot.waitUntil(lambda: not panel.lane.is_busy, timeout=PATIENCE)
    result = panel.findings.result
    assert not result.is_partial and result.tables[0].rows == 300
    assert any("before the rows were split" in caution for caution in panel.findings.cautions)
    assert panel.run_bar.isVisible() and panel.export.isEnabled() and not panel.notice.isVisible()
    assert not panel.stale_notice.isVisible()
    document.change_preparation("missing", "drop-rows")
    assert panel.stale_notice.isVisible()
