"""When Python looks through all objects for rubbish: some time after a table or a result is gone."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

from clcd_gui.run import memory
from clcd_gui.run.memory import QuietCollector
from clcd_gui.shell.main_window import MainWindow


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
    old = _Ring()
    gc.collect(1)  # after which it counts as old
    ring = weakref.ref(old)
    del old
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
        collector.deleteLater()


def test_rubbish_of_any_thread_is_let_go_of_on_the_thread_of_the_window(qtbot) -> None:
    """Where it holds what belongs to Qt, the program ended while a table was painted beside a picture."""
    ended_on = []

    class Ring:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            ended_on.append(threading.get_ident())

    def make_much() -> None:
        for _ in range(20):
            Ring()
            kept.append([[] for _ in range(1000)])

    kept: list[list[list[object]]] = []
    thread = threading.Thread(target=make_much)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(ended_on) == 20)
    assert set(ended_on) == {threading.get_ident()}
