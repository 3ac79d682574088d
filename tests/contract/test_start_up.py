"""Nothing heavy is loaded before it is needed: the engine is imported, and the window seen, at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest

from tests.contract.project_files import PROJECT

HEAVY = (
    "cattrs",
    "jinja2",
    "matplotlib",
    "networkx",
    "numba",
    "openpyxl",
    "pandas",
    "pyqtgraph",
    "scipy",
    "sklearn",
    "statsmodels",
)


ENGINE = ("engine", "engine.terminal")
WINDOW = (
    "app",
    "comparison.benchmark_window",
    "comparison.panel",
    "data.data_page",
    "data.import_page",
    "history.runs_page",
    "method.method_page",
    "report.report_page",
    "results.results_page",
    "selection.selection_page",
)


def loaded_by(modules: Sequence[str]) -> list[str]:
    """Heavy libraries that a new process has loaded after each of some modules, which it imports in turn."""
    question = f"""
import importlib, sys
for module in {list(modules)}:
    importlib.import_module(module)
    for name in {HEAVY}:
        if name in sys.modules:
            print(module, name)
"""
    command = [sys.executable, "-c", question]
    finished = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True)
    return finished.stdout.splitlines()


def test_the_engine_is_light_to_import() -> None:
    assert loaded_by(ENGINE) == []


def test_no_window_waits_for_a_heavy_library() -> None:
    pytest.importorskip("PySide6.QtWidgets", reason="Qt is not installed here")
    assert loaded_by([f"clcd_gui.{module}" for module in WINDOW]) == []


def test_the_selection_waits_for_nothing_of_the_comparison() -> None:
    pytest.importorskip("PySide6.QtWidgets", reason="Qt is not installed here")
    question = """
import sys
from clcd_gui.shell.steps import STEPS
next(step for step in STEPS if step.name == "selection").load()
print(*(name for name in sys.modules if name.startswith("engine.comparison")), sep="\\n")
"""
    command = [sys.executable, "-c", question]
    finished = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True)
    assert not finished.stdout.split()


def test_qt_reads_no_sources_of_what_the_window_loads() -> None:
    pytest.importorskip("PySide6.QtWidgets", reason="Qt is not installed here")
    question = """
import linecache, sys, types
from clcd_gui import __main__
__main__.obstacle = lambda _: ""
sys.modules["clcd_gui.app"] = types.SimpleNamespace(main=lambda _: 0)
__main__.main(["clcd-gui"])
del sys.modules["clcd_gui.app"]
already = set(linecache.cache)
import clcd_gui.app, jinja2
print(*(set(linecache.cache) - already))
"""
    finished = subprocess.run(
        [sys.executable, "-c", question], cwd=PROJECT, check=True, capture_output=True, text=True
    )
    assert [name for name in finished.stdout.split() if "dataclass" not in name] == []


def test_who_loads_a_heavy_library_is_named() -> None:
    assert loaded_by(["json", "jinja2"]) == ["jinja2 jinja2"]
