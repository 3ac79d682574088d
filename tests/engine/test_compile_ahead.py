"""Kernels compiled by a second process are found by the next one."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

import engine
from engine.boundaries import parents_children, separators
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.warm_up import compile_all
from engine.compiled.cache import cache_folder
from engine.execution.helper_process import HelperKind, HelperProcess
from engine.independence import interface
from engine.independence.options import TableTraits
from tests.kept_kernels import copy_all_but_the_tails

PROJECT = Path(__file__).resolve().parents[2]

# Of all tests, this one is compiled soonest.
QUICK = """
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.independence.options import TableTraits
QUICK = DiscoverySettings(test="fisher-z")
NUMBERS = TableTraits(numbers=True)
"""
COMPILE = f"""
{QUICK}
from engine.boundaries.warm_up import start_compiling
compilation = start_compiling(QUICK, NUMBERS, calmly=True)
print("needed" if compilation else "there")
if compilation:
    assert not compilation.wait(0.01)
    assert compilation.wait()
"""
USE = f"""
{QUICK}
import gc, engine
from numba.core.dispatcher import Dispatcher
from engine.boundaries.warm_up import compile_all
network = engine.simulate(labels=2, features=20, rows=800, seed=0, variables="numbers")
def loaded():
    kernels = (each for each in gc.get_objects() if isinstance(each, Dispatcher))
    return {{(each.py_func.__name__, types) for each in kernels for types in each.overloads}}
compile_all(QUICK, NUMBERS)
ahead = loaded()
engine.discover(network.dataset, QUICK)
print(*sorted({{name for name, _ in ahead}}))
print("besides", *sorted(name for name, _ in loaded() - ahead))
"""
STOP = """
from engine.boundaries.warm_up import start_compiling
compilation = start_compiling()
print(compilation.wait(0.01))
compilation.end()
print(compilation.wait(0.01))
"""


def _run(code: str, folder: Path) -> list[str]:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(PROJECT)}
    finished = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return finished.stdout.splitlines()


def _kernels(folder: Path) -> set[Path]:
    return set(folder.rglob("*.nbc"))


def test_second_process_compiles_and_the_next_one_loads(tmp_path: Path) -> None:
    """The tails of chi-squared, and what is not there yet; a search uses nothing besides, there or not."""
    copy_all_but_the_tails(cache_folder(), tmp_path / "clcd-kernels")
    before = _kernels(tmp_path)
    assert _run(COMPILE, tmp_path) == ["needed"]
    compiled = _kernels(tmp_path)
    assert any("log_chi2_sf" in path.name for path in compiled - before)
    state, ahead, besides = _run(COMPILE + USE, tmp_path)
    assert (state, besides) == ("there", "besides")
    assert {"_search", "_answer", "log_chi2_sf"} <= set(ahead.split())
    assert _kernels(tmp_path) == compiled, "nothing was left to be compiled"


def test_what_goes_from_candidate_to_candidate_is_compiled_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """MMMB asks of subsets in a loop: with the stop mark set, it would never come to the kernel for that."""
    called: list[tuple[str, ...]] = []
    separate_each = separators._separate_each

    def record(*arguments: object) -> None:
        called.append(tuple(str(numba.typeof(argument)) for argument in arguments))
        separate_each(*arguments)

    monkeypatch.setattr(separators, "_separate_each", record)
    settings = DiscoverySettings(algorithm="mmmb", test="fisher-z")
    assert compile_all(settings, TableTraits(numbers=True))
    ahead = {*called}
    network = engine.simulate(labels=2, features=8, rows=300, seed=0, variables="numbers")
    engine.markov_boundary(network.dataset, network.dataset.labels[0], settings)
    assert ahead
    assert len(called) > 1
    assert {*called} == ahead


def test_a_table_with_numbers_needs_its_own_test_and_that_of_categories(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Searches are compiled once, whatever they test; no test is compiled within another."""
    called: list[tuple[str, ...]] = []
    placed: list[str] = []
    address_of = interface.address_of

    def recorded(kernel: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            called.append((kernel.__name__, *(str(numba.typeof(argument)) for argument in arguments)))
            return kernel(*arguments)

        return call

    def record(kernel: object, arguments: tuple[object, ...], result: object) -> int:
        placed.append(str(arguments[0]))
        return address_of(kernel, arguments, result)

    for module, name in ((parents_children, "_search"), (interface, "_run_tests")):
        monkeypatch.setattr(module, name, recorded(getattr(module, name)))
    monkeypatch.setattr(interface, "address_of", record)
    monkeypatch.setattr(interface, "_BEGINS", {})
    assert compile_all(DiscoverySettings(), TableTraits(numbers=True))
    ahead = {*called}
    network = engine.simulate(labels=2, features=8, rows=300, seed=0, variables="mixed")
    engine.markov_boundary(network.dataset, network.dataset.labels[0])
    assert len(called) > len(ahead)
    assert {*called} == ahead
    assert {kernel for kernel, *_ in ahead} == {"_search", "_run_tests"}
    assert len(placed) == 2
    assert sorted("DiscreteTable" in argument_types for argument_types in placed) == [False, True]


def test_it_can_be_stopped(tmp_path: Path) -> None:
    assert _run(STOP, tmp_path) == ["False", "True"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system lists no processes in files")
def test_it_ends_with_its_parent(tmp_path: Path) -> None:
    """Also where that is killed and can do nothing about it."""
    code = (
        "from engine.execution.helper_process import HelperProcess; import os, signal, time\n"
        "helper = HelperProcess()\n"
        "helper.begin(time.sleep, 600)\n"
        "print(helper._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    killed = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    child = int(killed.stdout)
    for _ in range(200):
        if not _is_running(child):
            break
        time.sleep(0.1)
    assert not _is_running(child)


def _is_running(child: int) -> bool:
    try:
        # One that has ended stays listed until somebody asks how.
        return Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_nothing_beside_a_persons_table_is_run(tmp_path: Path) -> None:
    """A file of the name of a library, in the folder in which the program is used, is no part of it."""
    trap = "from pathlib import Path\nPath('ran').touch()\nraise SystemExit\n"
    for name in ("platformdirs", "numba", "numpy", "engine", "runpy"):
        (tmp_path / f"{name}.py").write_text(trap)
    # What is shown to do nothing does something where nobody takes care.
    without_care = [sys.executable, "-m", "engine.execution.helper_process"]
    subprocess.run(without_care, cwd=tmp_path, capture_output=True, check=False)
    assert (tmp_path / "ran").exists()
    (tmp_path / "ran").unlink()
    code = (
        "from engine.compiled.cache import cache_folder; "
        "from engine.execution.helper_process import HelperProcess; "
        "print(HelperProcess().ask(cache_folder))"
    )
    environment = os.environ | {"PYTHONPATH": str(PROJECT), "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, env=environment, check=True)
    assert not (tmp_path / "ran").exists()


def test_a_process_that_is_done_ends_in_order() -> None:
    helper = HelperProcess(HelperKind(idle_seconds=0.0))
    helper.begin(platform.platform)
    assert helper._process is not None and helper._process.wait(30) == 0
    assert helper.wait()
