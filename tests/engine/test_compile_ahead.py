"""Kernels compiled by a second process are found by the next one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

COMPILE = """
from engine.boundaries.warm_up import start_compiling
compilation = start_compiling(calmly=True)
print("needed" if compilation else "there")
if compilation:
    assert not compilation.wait(0.01) and compilation.is_running()
    assert compilation.wait() and not compilation.is_running()
"""
USE = """
import engine
from engine.boundaries.parents_children import _search
from engine.independence.interface import _run_tests
network = engine.simulate(labels=2, features=20, rows=800, seed=0)
engine.discover(network.dataset)
for kernel in (_run_tests, _search):
    print(sum(kernel.stats.cache_misses.values()), sum(kernel.stats.cache_hits.values()))
"""
STOP = """
from engine.boundaries.warm_up import start_compiling
compilation = start_compiling()
compilation.stop()
print(compilation.is_running())
"""


def _run(code: str, folder: Path) -> list[str]:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(PROJECT)}
    finished = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return finished.stdout.split()


def test_second_process_compiles_and_the_next_one_loads(tmp_path: Path) -> None:
    assert _run(COMPILE, tmp_path) == ["needed"]
    assert _run(COMPILE, tmp_path) == ["there"]
    misses_and_hits = _run(USE, tmp_path)
    assert misses_and_hits == ["0", "1", "0", "1"]


def test_it_can_be_stopped(tmp_path: Path) -> None:
    assert _run(STOP, tmp_path) == ["False"]
