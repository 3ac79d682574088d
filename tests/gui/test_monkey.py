"""Used at random, the window fails nowhere; ``tests/gui/monkey.py`` does this as long as is asked."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6 import QtWidgets

from clcd_gui.shell.main_window import MainWindow
from tests.gui.monkey import CRASH, start
from tests.gui.monkey_record import recorded, summary
from tests.gui.reachable import USED, widgets_by_kind
from tests.gui.resting import slope
from tests.gui.stall_watch import LONGEST_STALL, StallWatch


@pytest.mark.parametrize("actions", [25, pytest.param(3000, marks=pytest.mark.long)])
def test_nothing_goes_wrong_where_it_is_used_at_random(tmp_path: Path, actions: int) -> None:
    status = start(tmp_path, seed=7, seconds=30.0 + actions / 10, actions=actions)
    assert status == 0, (tmp_path / CRASH).read_text()
    (part,) = recorded(tmp_path)
    assert not part["wrong"], summary(part)


def test_the_slope_is_that_of_what_comes_after_the_first_thousand() -> None:
    memory = [(100 * step, 200.0 + (300.0 if step > 9 else 0.0) + 0.2 * step) for step in range(1, 41)]
    assert slope(memory) == pytest.approx(2.0)


def test_what_the_monkey_does_for_itself_is_no_work_of_the_window() -> None:
    watch = StallWatch()
    with watch.beside():
        _work(1.5 * LONGEST_STALL)
    _work(0.3 * LONGEST_STALL)
    watch.beat("use a button")
    watch.end()
    (stall,) = watch.stalls
    assert stall.beside > LONGEST_STALL > stall.worked > 0.2 * LONGEST_STALL


def _work(seconds: float) -> None:
    over = time.thread_time() + seconds
    while time.thread_time() < over:
        pass


def test_what_nobody_sees_is_not_used(window: MainWindow) -> None:
    window.pages.make_all()
    window.show()
    seen = [widget for kind in widgets_by_kind(window) for widget in kind]
    assert window.start_page.primary in seen
    everything = [widget for kind in USED for widget in window.findChildren(getattr(QtWidgets, kind))]
    can_be_used = {widget for widget in everything if widget.isEnabled() and widget.isVisibleTo(window)}
    assert set(seen) == can_be_used
