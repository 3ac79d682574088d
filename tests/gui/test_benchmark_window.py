"""The comparison of methods by clicks: run, look, stop, export."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QSpinBox, QWidget

from clcd_gui.comparison.benchmark_window import BenchmarkWindow
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.text import scaled
from clcd_gui.style.themes import Scheme
from clcd_gui.style.tokens import SPACE, TEXT_SMALL
from clcd_gui.widgets.dialogs import ExportDialogs
from engine.comparison.networks.benchmark_settings import PAPER_CELLS, SMALL, BenchmarkSettings
from engine.comparison.networks.methods import methods
from engine.simulation import score

pytestmark = pytest.mark.one_window


class OneFolder(ExportDialogs):
    """Answers with a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def choose_folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        return self.folder


@pytest.fixture
def benchmark(
    window: MainWindow, qtbot, tmp_path: Path, nothing_is_drawn_here: None
) -> Iterator[BenchmarkWindow]:
    """The window as the menu opens it."""
    assert window.commands.actions.benchmark in window.commands.actions.menus["Help"].actions()
    window.commands.actions.benchmark.trigger()
    benchmark_window = window.commands.windows.benchmark
    benchmark_window.dialogs = OneFolder(tmp_path / "out")
    qtbot.waitUntil(benchmark_window.isActiveWindow)
    yield benchmark_window
    benchmark_window.close()


def click(button: QPushButton) -> None:
    assert button.isVisible() and button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def tick(benchmark: BenchmarkWindow, wanted: tuple[str, ...], setting: str) -> None:
    """Leave only the wanted names ticked."""
    boxes = getattr(benchmark.settings, setting)
    for name in boxes.chosen:
        if name not in wanted:
            box = boxes.box(name)
            benchmark.settings.ensureWidgetVisible(box)
            QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(10, box.height() // 2))


def choose_tiny(benchmark: BenchmarkWindow) -> None:
    for name, value in {"labels": 3, "features": 20, "rows": 400, "seeds": 1}.items():
        spin = benchmark.settings.form.editor(name)
        assert isinstance(spin, QSpinBox)
        spin.setValue(value)
    tick(benchmark, ("clcd", "hiton-mb"), "methods")
    tick(benchmark, ("0.5/0.5",), "cells")


def test_it_begins_small_and_shows_the_papers_figures(benchmark: BenchmarkWindow) -> None:
    benchmark.tabs.setCurrentWidget(benchmark.table)
    assert benchmark.settings.settings == BenchmarkSettings(**SMALL)
    assert not benchmark.export.isEnabled()
    assert "There are no measurements yet" in benchmark.table.verdict.text()
    model = benchmark.table.model
    column = 2 + list(methods()).index("clcd")
    assert model.data(model.index(0, column)) == "–\npaper 0.915"
    benchmark.tabs.setCurrentWidget(benchmark.settings)
    click(benchmark.settings.large)
    assert benchmark.settings.settings == BenchmarkSettings()
    click(benchmark.settings.small)
    assert benchmark.settings.settings == BenchmarkSettings(**SMALL)


def test_both_lines_of_a_figure_have_room_in_larger_text(
    window: MainWindow, benchmark: BenchmarkWindow, qtbot
) -> None:
    benchmark.tabs.setCurrentWidget(benchmark.table)
    table = benchmark.table.table
    usual = table.fontMetrics().height()
    window.theme.set_zoom(1.5)
    qtbot.waitUntil(lambda: table.fontMetrics().height() > 1.2 * usual)
    lines = [table.font(), scaled(table.font(), TEXT_SMALL)]
    needed = sum(QFontMetrics(font).height() for font in lines) + 2 * SPACE
    qtbot.waitUntil(lambda: table.rowHeight(0) >= needed)
    window.theme.set_zoom(1.0)


def test_a_tiny_comparison_by_clicks(benchmark: BenchmarkWindow, qtbot, tmp_path: Path) -> None:
    choose_tiny(benchmark)
    early = []
    benchmark.lane.given_early.connect(lambda result: early.append(len(result.outcomes)))
    with qtbot.waitSignal(benchmark.lane.ended, timeout=240_000):
        click(benchmark.page.primary)
        assert benchmark.tabs.currentWidget() is benchmark.table
        assert not benchmark.page.primary.isEnabled()
        assert benchmark.run_bar.stop.isVisible()
    result = benchmark.result
    assert not result.is_partial
    assert [outcome.method for outcome in result.outcomes] == ["hiton-mb", "clcd"] * 2
    assert "4 searches" in benchmark.run_bar.activity.text()
    assert early, "figures come while it works"

    import engine

    network = engine.simulate(
        labels=3, features=20, rows=400, label_causality=0.5, multiple_boundaries=0.5, seed=0
    )
    truth = score(engine.discover(network.dataset).label_sets, network.truth)
    model = benchmark.table.model
    assert model.data(model.index(0, 3)) == f"{truth.precision:.3f}\npaper 0.909"
    assert model.data(model.index(1, 3)) == f"{truth.recall:.3f}\npaper 0.973"
    benchmark.table.table.setFocus()
    QTest.keyClick(benchmark.table.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(benchmark.table.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[0] == "Metric\tNetworks\t∩HITON-MB\tCLCD"
    assert len(copied) == 1 + model.rowCount()

    click(benchmark.export)
    qtbot.waitUntil(lambda: "files written to" in benchmark.notice.text)
    summary = pandas.read_csv(tmp_path / "out" / "benchmark.csv")
    row = summary[(summary["variant"] == "default") & (summary["method"] == "clcd")].iloc[0]
    assert row["precision_mean"] == truth.precision
    assert (tmp_path / "out" / "benchmark.html").is_file()


def test_stop_keeps_what_is_measured(benchmark: BenchmarkWindow, qtbot) -> None:
    choose_tiny(benchmark)
    benchmark.settings.form.editor("seeds").setValue(500)
    click(benchmark.page.primary)
    qtbot.waitUntil(lambda: len(benchmark.result.outcomes) >= 2, timeout=240_000)
    click(benchmark.run_bar.stop)
    done = len(benchmark.result.outcomes)
    assert benchmark.result.is_partial
    assert benchmark.run_bar.activity.text().startswith(f"Stopped: {done} of 2,000")
    assert benchmark.page.primary.isEnabled() and benchmark.export.isEnabled()
    qtbot.waitUntil(lambda: benchmark.lane.live_threads == 0, timeout=60_000)
    assert len(benchmark.result.outcomes) == done, "late results are dropped"


def test_nothing_ticked_is_explained(benchmark: BenchmarkWindow) -> None:
    tick(benchmark, (), "methods")
    assert not benchmark.page.primary.isEnabled()
    assert benchmark.page.reason.text() == "Tick at least one method"


def test_marks_of_the_chart_say_what_they_are(benchmark: BenchmarkWindow, qtbot) -> None:
    benchmark.tabs.setCurrentIndex(2)
    view = benchmark.accuracy.view
    qtbot.waitUntil(lambda: view.canvas is not None and bool(view.canvas.plots))
    mark = next(spot for spot in view.canvas.spots() if spot.words.startswith("CLCD, in the paper"))
    assert view.canvas.spot_at(QPointF(mark.x, mark.y)) == mark
    assert view.canvas.spot_at(QPointF(0.0, 0.0)) is None


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_charts_are_drawn_in_both_themes(
    window: MainWindow, benchmark: BenchmarkWindow, scheme: Scheme, qtbot
) -> None:
    window.theme.set_scheme(scheme)
    # Nothing is painted until all that is seen has the new look.
    qtbot.waitUntil(benchmark.updatesEnabled)
    for place in (2, 3):
        benchmark.tabs.setCurrentIndex(place)
        view = (benchmark.accuracy if place == 2 else benchmark.time).view
        qtbot.waitUntil(lambda view=view: view.is_drawn)
        picture = view.grab().toImage()
        seen = {picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in range(picture.height())}
        assert len(seen) > 5
        assert view.width() <= benchmark.width()
    window.theme.set_scheme(Scheme.SYSTEM)


def test_closing_stops_and_opening_shows_the_same(window: MainWindow, benchmark: BenchmarkWindow) -> None:
    benchmark.close()
    assert not benchmark.isVisible()
    window.commands.actions.benchmark.trigger()
    assert window.commands.windows.benchmark is benchmark
    assert benchmark.isVisible()
    assert benchmark.settings.cells.chosen == PAPER_CELLS
