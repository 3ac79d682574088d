"""The memory of a window goes back to the system when it is no longer needed."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt

from clcd_gui.app import make_application
from clcd_gui.run import memory
from clcd_gui.run.lane import JobAtWork
from clcd_gui.run.memory import FreeMemory, hold_little_memory

# Large pieces between small ones that stay, as tables between widgets: what does the process hold after them?
_LARGE_BETWEEN_SMALL = """
import ctypes, os, sys
from pathlib import Path
from clcd_gui.run.memory import hold_little_memory

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

if sys.argv[1] == "gives back":
    assert hold_little_memory()
library = ctypes.CDLL(None)
library.malloc.restype = library.calloc.restype = ctypes.c_void_p
library.free.argtypes = [ctypes.c_void_p]
size = 8_000_000
# The first piece that is freed tells the library how large pieces are here.
library.free(library.calloc(1, 2 * size))
before = held()
large, small = [], []
for _ in range(20):
    large.append(library.malloc(size))
    ctypes.memset(large[-1], 1, size)
    small.append(library.malloc(50_000))
used = held() - before
for each in large:
    library.free(each)
print(used, held() - before)
"""


def _megabytes_used_and_left(habit: str, program: str = _LARGE_BETWEEN_SMALL) -> tuple[float, float]:
    command = [sys.executable, "-c", program, habit]
    # A cluster of processes in another test leaves settings of its own for the library.
    without = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=without)
    used, left = ended.stdout.split()
    return float(used), float(left)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the system has another C library")
def test_large_pieces_go_back_to_the_system_though_small_ones_between_them_stay() -> None:
    used, left = _megabytes_used_and_left("as the library has it")
    assert used > 150.0 and left > 100.0, "the library itself gives them back, and nothing need be set"
    used, left = _megabytes_used_and_left("gives back")
    assert used > 150.0 and left < 5.0


# Small pieces, of which the last stays: what is free below it does not go back by itself.
_SMALL_BELOW_ONE_THAT_STAYS = """
import ctypes, os, sys
from pathlib import Path
from clcd_gui.run.memory import FreeMemory

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
library.free.argtypes = [ctypes.c_void_p]
before = held()
pieces = []
for _ in range(1000):
    pieces.append(library.malloc(100_000))
    ctypes.memset(pieces[-1], 1, 100_000)
used = held() - before
for each in pieces[:-1]:
    library.free(each)
if sys.argv[1] == "gives back":
    FreeMemory(seconds=0.0).give_back()
    FreeMemory(seconds=60.0).give_back()
print(used, held() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the system has another C library")
def test_what_is_free_between_what_stays_goes_back_after_a_job() -> None:
    used, left = _megabytes_used_and_left("as the library has it", _SMALL_BELOW_ONE_THAT_STAYS)
    assert used > 90.0 and left > 90.0, "the library itself gives it back, and nothing need be done"
    used, left = _megabytes_used_and_left("gives back", _SMALL_BELOW_ONE_THAT_STAYS)
    assert used > 90.0 and left < 5.0


def test_it_is_given_back_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(memory, "_library", lambda: SimpleNamespace(malloc_trim=given.append))
    often, seldom = FreeMemory(seconds=0.0), FreeMemory(seconds=60.0)
    for free_memory in (often, often, seldom, seldom):
        free_memory.give_back()
    assert given == [0, 0]


def test_a_job_that_has_ended_gives_back(monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    monkeypatch.setattr("clcd_gui.run.lane._FREE_MEMORY.give_back", lambda: happened.append("free"))
    at_work = JobAtWork(lambda _: happened.append("work"), "job")
    # Here rather than in the thread of the job, which is not begun.
    at_work.ended.connect(lambda _: happened.append("ended"), Qt.ConnectionType.DirectConnection)
    at_work.work()
    assert happened == ["work", "ended", "free"]


@pytest.mark.usefixtures("qapp")
def test_the_program_begins_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bool] = []
    monkeypatch.setattr("clcd_gui.app.hold_little_memory", lambda: begun.append(True))
    monkeypatch.setattr("clcd_gui.app.QApplication", _Stop)
    with pytest.raises(_Stopped):
        make_application(["clcd-gui"])
    assert begun == [True]


# Pictures of a quarter of a megabyte, ten times as many as the icons of two themes take up.
_MANY_PICTURES = """
from PySide6.QtGui import QPixmap, QPixmapCache
from clcd_gui.app import make_application

application = make_application(["clcd-gui"])
kept = QPixmap()
for number in range(160):
    picture = QPixmap(256, 256)
    picture.fill("red")
    QPixmapCache.insert(str(number), picture)
print(sum(QPixmapCache.find(str(number), kept) for number in range(160)) * 0.262144)
"""


def test_pictures_of_earlier_themes_are_let_go() -> None:
    command = [sys.executable, "-c", _MANY_PICTURES]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 3.0 < float(ended.stdout) < 4.5


# A button of a notice that comes and goes: how many bytes more are in use after each?
_BUTTONS_THAT_COME_AND_GO = """
import ctypes
from PySide6.QtCore import QCoreApplication, QEvent
from clcd_gui.app import make_application
from clcd_gui.widgets.notices import Notice

library = ctypes.CDLL(None)
fields = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
figures = {"_fields_": [(each, ctypes.c_size_t) for each in fields]}
library.mallinfo2.restype = type("Figures", (ctypes.Structure,), figures)

def in_use():
    return library.mallinfo2().uordblks

application = make_application(["clcd-gui"])
notice = Notice()

def come_and_go(times):
    for _ in range(times):
        notice.add_action("Again", print)
        notice.clear_actions()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

growth = []
for _ in range(5):
    before = in_use()
    come_and_go(1000)
    growth.append((in_use() - before) / 1000)
# Tables of all objects grow now and then.
print(min(growth))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the system has another C library")
def test_buttons_of_notices_that_are_gone_take_no_memory() -> None:
    command = [sys.executable, "-c", _BUTTONS_THAT_COME_AND_GO]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert float(ended.stdout) < 48.0


def test_another_system_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory.sys, "platform", "darwin")
    memory._library.cache_clear()
    try:
        assert not hold_little_memory()
        FreeMemory(seconds=0.0).give_back()
    finally:
        memory._library.cache_clear()


class _Stopped(Exception):
    pass


class _Stop:
    def __init__(self, _: list[str]) -> None:
        raise _Stopped
