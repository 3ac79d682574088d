"""Limits in seconds are stretched by what else a machine does, and by nothing else."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from tests import deadline
from tests.deadline import Deadline, slowness


def test_a_limit_is_as_many_times_as_long_as_work_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: now))
    limit = Deadline(5.0)
    for taken, factor, is_over in ((4.9, 1.0, False), (5.1, 1.0, True), (9.9, 2.0, False), (10.1, 2.0, True)):
        now = 100.0 + taken
        monkeypatch.setattr(deadline, "slowness", lambda factor=factor: factor)
        assert limit.has_passed() is is_over, (taken, factor)


def test_other_work_is_noticed() -> None:
    """Threads of Python take turns, so that beside three others a fourth has a quarter of the time."""
    is_over = threading.Event()

    def keep_busy() -> None:
        while not is_over.is_set():
            pass

    others = [threading.Thread(target=keep_busy) for _ in range(3)]
    for thread in others:
        thread.start()
    try:
        assert slowness() > 2.0
    finally:
        is_over.set()
        for thread in others:
            thread.join()
