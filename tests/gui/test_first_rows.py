"""A large table is seen at once; what needs all of it waits, and Stop leads back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtTest import QTest

from clcd_gui.run import table_reading
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.shell.pages import FIRST_ROWS

ROWS, COLUMNS = 100_000, 85


@pytest.fixture(scope="module")
def large_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.csv"
    cells = np.random.default_rng(0).integers(0, 1000, size=(1000, COLUMNS))
    block = "\n".join(",".join(f"{cell / 10:.1f}" for cell in row) for row in cells.tolist())
    header = ",".join(f"column {place}" for place in range(COLUMNS))
    path.write_text("\n".join([header, *[block] * (ROWS // 1000)]) + "\n", encoding="utf-8")
    return path


def test_first_rows_are_seen_while_the_rest_is_read(window: MainWindow, qtbot, large_table: Path) -> None:
    clock = QElapsedTimer()
    clock.start()
    with qtbot.waitSignal(window.session.opening.opened, timeout=60_000) as opened:
        with qtbot.waitSignal(window.session.opening.begun):
            window.open_path(large_table)
        seen_after = clock.elapsed()
        page = window.pages.page(FIRST_ROWS)
        assert page.isVisible()
        assert page.heading.text() == "large.csv"
        assert "Reading the rest" in page.subtitle.text()
        assert page.views.columns_model.rowCount() == COLUMNS
        assert page.views.preview_model.rowCount() == table_reading.FIRST_ROWS
        assert not page.primary.isEnabled()
        assert page.reason.text() == "Waits for the rest of the table"
        assert not window.commands.actions.run.isEnabled()
        assert window.rail.button("data").toolTip() == "Data: reading the rest"
        qtbot.waitUntil(window.run_bar.stop.isVisible)
    assert opened.args[0].reading.dataset.row_count == ROWS
    assert seen_after < clock.elapsed() / 2, "the first rows are seen long before the last are read"
    assert window.page("data").isVisible()
    assert window.session.opening.first_rows is None


def test_stop_leads_back_to_where_one_was(
    opened: Callable[[Path], MainWindow], qtbot, small_table: Path, large_table: Path
) -> None:
    window = opened(small_table)
    window.session.document.set_labels(["ill"])
    window.go("method")
    with qtbot.waitSignal(window.session.opening.begun):
        window.open_path(large_table)
    assert window.pages.page(FIRST_ROWS).isVisible()
    assert not window.page("method").primary.isEnabled()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.page("method").isVisible()
    assert window.page("method").primary.isEnabled()
    assert window.session.document.reading.path == small_table
    window.go("data")
    assert window.page("data").isVisible()
    assert not window.run_bar.stop.isVisible()


def test_stop_leads_back_to_the_start(window: MainWindow, qtbot, large_table: Path) -> None:
    with qtbot.waitSignal(window.session.opening.begun):
        window.open_path(large_table)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.start_page.isVisible()


def test_an_error_further_down_leads_back_and_is_told(window: MainWindow, qtbot, large_table: Path) -> None:
    broken = large_table.with_name("broken.csv")
    broken.write_text(large_table.read_text(encoding="utf-8") + "1,2,3\n", encoding="utf-8")
    with qtbot.waitSignal(window.session.opening.previewed, timeout=60_000) as signal:
        with qtbot.waitSignal(window.session.opening.begun):
            window.open_path(broken)
        assert window.pages.page(FIRST_ROWS).isVisible()
    assert f"line {ROWS + 2}" in signal.args[0].failure.sentence
    assert window.import_page.isVisible()
    assert not window.import_page.primary.isEnabled()
    QTest.mouseClick(window.import_page.cancel, Qt.MouseButton.LeftButton)
    assert window.start_page.isVisible()


def test_a_table_that_is_read_in_a_moment_is_shown_whole(
    opened: Callable[[Path], MainWindow], qtbot, small_table: Path
) -> None:
    begun = []
    window = opened(small_table)
    window.session.opening.begun.connect(begun.append)
    opened(small_table)
    assert not begun
