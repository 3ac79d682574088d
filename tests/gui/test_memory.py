"""The memory of a window goes back to the system when it is no longer needed."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

from clcd_gui import app
from clcd_gui.app import give_memory_back, make_application

# Large pieces between small ones that stay, as tables between widgets: what does the process hold after them?
_LARGE_BETWEEN_SMALL = """
import ctypes, os, sys
from pathlib import Path
from clcd_gui.app import give_memory_back

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

if sys.argv[1] == "gives back":
    assert give_memory_back()
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


def _megabytes_used_and_left(habit: str) -> tuple[float, float]:
    command = [sys.executable, "-c", _LARGE_BETWEEN_SMALL, habit]
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


@pytest.mark.usefixtures("qapp")
def test_the_program_begins_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bool] = []
    monkeypatch.setattr("clcd_gui.app.give_memory_back", lambda: begun.append(True))
    monkeypatch.setattr("clcd_gui.app.QApplication", _Stop)
    with pytest.raises(_Stopped):
        make_application(["clcd-gui"])
    assert begun == [True]


def test_another_system_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.sys, "platform", "darwin")
    assert not give_memory_back()


class _Stopped(Exception):
    pass


class _Stop:
    def __init__(self, _: list[str]) -> None:
        raise _Stopped
