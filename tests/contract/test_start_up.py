"""Nothing heavy is loaded before it is needed: the engine is imported, and the window seen, at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.contract.project_files import PROJECT

HEAVY = (
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


def loaded_by(statement: str) -> list[str]:
    """Heavy libraries that a new process has loaded after a statement."""
    question = f"import sys; {statement}; print(*[name for name in {HEAVY} if name in sys.modules])"
    command = [sys.executable, "-c", question]
    return subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize("statement", ["import engine", "import engine.terminal"])
def test_the_engine_is_light_to_import(statement: str) -> None:
    assert loaded_by(statement) == []


@pytest.mark.parametrize(
    "module", ["app", "comparison.benchmark_window", "comparison.panel", "shell.main_window"]
)
def test_no_window_waits_for_a_heavy_library(module: str) -> None:
    pytest.importorskip("PySide6.QtWidgets", reason="Qt is not installed here")
    assert loaded_by(f"import clcd_gui.{module}") == []
