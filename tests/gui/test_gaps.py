"""Empty cells in the window: chosen where they are shown, and nothing that needs every cell gets stuck."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from clcd_gui.document.compatibility import problems
from clcd_gui.shell.main_window import MainWindow
from engine.comparison.selectors.data_sets import without_gaps
from engine.preparation.preparation_settings import PreparationSettings
from engine.progress import SilentProgress
from engine.table.dataset import Dataset
from engine.table.variable import Role


def gappy(path: Path) -> Path:
    random = np.random.default_rng(0)
    dose, old = random.normal(size=80), random.integers(0, 2, 80)
    ill = (dose + old + random.normal(size=80) > 0.5).astype(int)
    frame = pandas.DataFrame({"dose": dose, "old": old, "ill": ill, "worse": random.integers(0, 2, 80)})
    frame.loc[::5, "dose"] = np.nan
    frame.loc[3, "old"] = np.nan
    frame.to_csv(path, index=False)
    return path


def test_what_becomes_of_empty_cells_is_chosen_where_they_are_shown(
    opened: Callable[[Path], MainWindow], tmp_path: Path, qtbot
):
    window = opened(gappy(tmp_path / "clinic.csv"))
    document, gaps = window.session.document, window.page("data").gaps
    assert gaps.isVisible() and not gaps.draws.isVisible()
    assert gaps.summary.text() == "17 values are missing in 2 columns, most in “dose” (16)."
    assert gaps.choice.accessibleName() == "Missing values"
    gaps.choice.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(gaps.choice, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: document.analysis.preparation.missing == "imputed")
    assert gaps.draws.isVisible() and gaps.draws.value() == 10
    document.undo_stack.undo()
    assert document.analysis.preparation.missing == "per-test" and not gaps.draws.isVisible()
    document.set_roles(["dose", "old"], Role.IGNORED)
    assert not gaps.isVisible()


def test_a_test_that_cannot_pool_is_told_before_the_run(opened: Callable[[Path], MainWindow], tmp_path: Path):
    window = opened(gappy(tmp_path / "clinic.csv"))
    document = window.session.document
    document.set_labels(["ill"])
    document.change_preparation("missing", "imputed")
    assert not problems(document.analysis)
    document.change_discovery("test", "fisher-z")
    (problem,) = problems(document.analysis)
    assert "cannot pool" in problem.reason
    assert not problems(problem.ways_out[0].applied_to(document.analysis))


def test_selectors_are_compared_on_a_table_that_was_completed(tmp_path: Path):
    reading = engine.read_dataset(gappy(tmp_path / "clinic.csv"), labels=["ill", "worse"])
    assert without_gaps(reading, PreparationSettings(), SilentProgress()) is reading
    for way in ("imputed", "drop-rows", "most-frequent"):
        done = without_gaps(reading, PreparationSettings(missing=way), SilentProgress())
        assert isinstance(done, Dataset) and not done.has_missing
        assert done.row_count == (63 if way == "drop-rows" else 80)
