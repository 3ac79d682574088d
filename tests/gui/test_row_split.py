"""Rows in two parts, by clicks: one part finds, the other measures; as the terminal does it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QSpinBox

import engine
from clcd_gui.run import live
from clcd_gui.shell.main_window import MainWindow
from engine.discovery.row_split import SPLIT, RowSplit
from engine.reporting.result_file import read_result
from engine.terminal.command_line import main

Open = Callable[[Path], MainWindow]
LABELS = ("L1", "L2", "L3")


def ready(opened: Open, path: Path) -> MainWindow:
    window = opened(path)
    window.session.document.set_labels(LABELS)
    window.go("method")
    return window


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Numbers with empty cells in some rows, so that rows may be left out before they are split."""
    frame = engine.simulate(labels=3, features=8, rows=600, seed=3, variables="numbers").dataset.frame
    frame.loc[::7, "F2"] = float("nan")
    path = tmp_path_factory.mktemp("split") / "rows.csv"
    frame.to_csv(path, index=False)
    return path


def tick(window: MainWindow) -> QCheckBox:
    box = window.page("method").split.editor("split")
    assert isinstance(box, QCheckBox)
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(10, box.height() // 2))
    return box


def run_and_measure(window: MainWindow, qtbot) -> engine.DiscoveryResult:
    document = window.session.document
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.mouseClick(window.page("method").primary, Qt.MouseButton.LeftButton)
    window.go("results")
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=60_000)
    qtbot.waitUntil(lambda: not window.session.controller.sizes.is_busy, timeout=60_000)
    return document.result


def test_a_split_is_chosen_told_and_taken_back(opened: Open, table: Path) -> None:
    window = ready(opened, table)
    document, page = window.session.document, window.page("method")
    assert document.analysis.split is None
    assert "too large and too precise" in page.split.helps["split"].text()
    assert "it finds fewer variables" in page.split.helps["split"].text()
    box = tick(window)
    assert box.isChecked() and document.analysis.split == RowSplit()
    assert "50 % of the rows searched" in page.subtitle.text()
    QTest.mouseClick(page.more_split.button, Qt.MouseButton.LeftButton)
    share, seed = (page.advanced_split.editor(name) for name in ("share", "seed"))
    assert isinstance(share, QLineEdit) and isinstance(seed, QSpinBox)
    share.setFocus()
    share.selectAll()
    QTest.keyClicks(share, "0.3")
    QTest.keyClick(share, Qt.Key.Key_Return)
    before = document.undo_stack.count()
    seed.setFocus()
    for _ in range(2):
        QTest.keyClick(seed, Qt.Key.Key_Up)
    assert document.undo_stack.count() == before + 1, "ticks of one box are one step"
    assert document.analysis.split == RowSplit(share=0.3, seed=2)
    assert "30 % of the rows searched" in page.subtitle.text()
    document.undo_stack.undo()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.analysis.split is None and not box.isChecked()
    assert "searched" not in page.subtitle.text()
    assert not share.isEnabled() and "has no effect" in page.advanced_split.helps["share"].text()


def test_the_window_finds_and_measures_what_the_terminal_does(
    opened: Open, table: Path, tmp_path: Path, qtbot
) -> None:
    window = ready(opened, table)
    document = window.session.document
    # Rows are left out before they are split, and numbers are cut; they are measured uncut all the same.
    document.change_preparation("missing", "drop-rows")
    document.change_preparation("discretise", "median")
    tick(window)
    result = run_and_measure(window, qtbot)
    words = [
        "discover",
        str(table),
        "--labels",
        ",".join(LABELS),
        "--missing",
        "drop-rows",
        "--discretise",
        "median",
    ]
    assert main([*words, "--split", "--out", str(tmp_path), "--quiet"]) == 0
    read_back = read_result(tmp_path / "result.json", result.dataset)
    assert read_back.split == result.split == RowSplit()
    assert read_back.evidence.keys() == result.evidence.keys() and result.evidence
    complete = int(document.analysis.dataset.frame.notna().all(axis=1).sum())
    assert complete < 600 and result.dataset.row_count == complete // 2
    expected, measured = pandas.read_csv(tmp_path / "effects.csv"), result.effects.table()
    assert len(expected) == len(measured)
    assert set(measured["rows"]) == {complete - complete // 2}, "the other rows measure"
    for name in ("estimate", "low", "high"):
        assert measured[name].to_numpy() == pytest.approx(expected[name].to_numpy(), rel=1e-6), name
    page = window.page("results")
    assert any("50 % of the rows searched" in label.text() for label in page.findChildren(QLabel))
    assert "had no part in the selection" in page.overview.toPlainText()
    assert "had no part in the selection" in (tmp_path / "report.html").read_text("utf-8")


def test_results_of_another_split_are_stale_and_levels_keep_it(
    opened: Open, table: Path, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # How busy the machine is must not decide what is quick.
    monkeypatch.setattr(live, "QUICK_SECONDS", 1e9)
    window = ready(opened, table)
    document, page = window.session.document, window.page("results")
    tick(window)
    whole = document.analysis.dataset.row_count
    result = run_and_measure(window, qtbot)
    assert document.stale_reason is None
    window.session.live.set_wanted(False)
    document.undo_stack.undo()
    assert document.stale_reason == "The rows are no longer split."
    assert page.stale_notice.isVisible()
    document.undo_stack.redo()
    assert document.stale_reason is None
    # Results follow the level.
    window.session.live.set_wanted(True)
    qtbot.waitUntil(lambda: window.session.live.is_following)
    QTest.keyClick(page.level_bar.slider, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: document.result is not result, timeout=60_000)
    followed = document.result
    assert followed.settings.alpha < result.settings.alpha
    assert followed.split == RowSplit() and followed.dataset.row_count == whole // 2
    alone = engine.discover(RowSplit().searched(window.session.document.analysis.dataset), followed.settings)
    assert followed.evidence == alone.evidence


def test_terminal_and_window_say_the_same_of_it() -> None:
    assert SPLIT.help.count(".") == 2 and "it finds fewer variables" in SPLIT.help
