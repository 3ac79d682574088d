"""When Python looks through all objects for rubbish: some time after a table or a result is gone."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from pathlib import Path

from clcd_gui.run import memory
from clcd_gui.run.memory import QuietCollector
from clcd_gui.shell.main_window import MainWindow
from engine.collecting import collect_old_seldom


class _Ring:
    """Refers to itself, so that nothing but the collector lets go of it."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_old_is_looked_through_when_a_table_is_gone_and_nothing_goes_on(
    opened: Callable[[Path], MainWindow], small_table: Path, qtbot, monkeypatch
) -> None:
    monkeypatch.setattr(memory, "QUIET_MILLISECONDS", 50)
    window = opened(small_table)
    at_work = [True]
    calls = []
    collector = QuietCollector(window.session.document, lambda: bool(calls.append(1)) or at_work[0], window)
    ring = weakref.ref(_Ring())
    gc.disable()
    try:
        window.workspace.files.close()
        qtbot.waitUntil(lambda: len(calls) >= 3)
        assert ring() is not None, "it does not hold up what goes on"
        at_work[0] = False
        qtbot.waitUntil(lambda: ring() is None)
        times = len(calls)
        qtbot.wait(200)
        assert len(calls) == times, "it is done once"
    finally:
        gc.enable()
        collector.deleteLater()


def test_what_is_young_is_looked_through_as_ever() -> None:
    before = gc.get_threshold()
    try:
        gc.set_threshold(700, 10, 10)
        collect_old_seldom()
        assert gc.get_threshold() == (700, 10, 100)
    finally:
        gc.set_threshold(*before)
