"""A coded table in the window: opened and searched like any other, and never read into memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from clcd_gui.shell.main_window import MainWindow


def test_it_offers_its_labels_and_is_searched(
    opened: Callable[[Path], MainWindow], qtbot, tmp_path: Path
) -> None:
    simulated = engine.simulate(labels=2, features=12, rows=800, seed=1).dataset
    engine.write_coded(simulated, tmp_path / "table.coded")
    window = opened(tmp_path / "table.coded")
    document = window.session.document
    document.set_labels(document.offer.names)
    dataset = document.analysis.dataset
    assert dataset.labels == simulated.labels
    assert dataset.coded is not None
    assert all(np.shares_memory(dataset.coded.codes, column) for column in dataset.columns)
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    label_sets = document.result.label_sets
    assert label_sets == engine.discover(simulated).label_sets
