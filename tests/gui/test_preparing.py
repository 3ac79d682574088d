"""Where kernels are not compiled yet, the window's thread compiles and loads nothing, and says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.compiled.cache import cache_folder
from tests.kept_kernels import copy_all_but_the_tails

PROJECT = Path(__file__).resolve().parents[2]
# To compile everything takes most of a minute; in the short form every run lacks what its tests end with.
TAILS_ALONE, EVERYTHING = "tails of chi-squared are not compiled", "nothing is compiled"
COMPILING = "Preparing: the first run on a machine takes longer"


@pytest.fixture(
    scope="module", params=[TAILS_ALONE, pytest.param(EVERYTHING, marks=pytest.mark.long)], ids=str
)
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a first run looked like."""
    folder = tmp_path_factory.mktemp("first-run")
    if request.param == TAILS_ALONE:
        copy_all_but_the_tails(cache_folder(), folder / "kernels" / "clcd-kernels")
    table = folder / "small.csv"
    table.write_text("\n".join(["smoker,dose,age,cough,ill", *map(_row, range(60))]) + "\n", encoding="utf-8")
    finished = subprocess.run(
        [sys.executable, "-m", "tests.gui.first_run", str(table), str(folder / "settings.ini")],
        cwd=PROJECT,
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder / "kernels")},
        check=True,
        capture_output=True,
        text=True,
    )
    report: dict[str, Any] = json.loads(finished.stdout)
    return report


def _row(number: int) -> str:
    """Smokers are mostly ill, and who is ill mostly coughs."""
    smoker, ill = number % 2, int(number % 2 and number % 5 > 0)
    return f"{smoker},{number % 3},{number % 5},{ill ^ (number % 11 == 0)},{ill}"


def test_the_windows_thread_neither_compiles_nor_loads_kernels(seen: dict[str, Any]) -> None:
    assert seen["loaded_elsewhere"] > 0, "what happens on other threads is seen"
    assert seen["window_kernels"] == []


def test_the_window_compiles_on_no_thread_of_its_process(seen: dict[str, Any]) -> None:
    assert seen["compiled_here"] == []


def test_the_windows_thread_loads_no_heavy_library(seen: dict[str, Any]) -> None:
    assert seen["window_imports"] == []


def test_types_of_qt_are_made_on_the_windows_thread_alone(seen: dict[str, Any]) -> None:
    """Made elsewhere, they crash what the window's thread does meanwhile, though seldom."""
    assert seen["qt_elsewhere"] == []


def test_a_person_sees_that_something_is_prepared(seen: dict[str, Any]) -> None:
    assert seen["said"]["start"] == [COMPILING]
    assert COMPILING in seen["said"]["run"]
    assert any(text.startswith("Preparing") for text in seen["said"]["comparison"])
    assert seen["outcomes"] > 0


def test_the_run_had_labels_to_replace(seen: dict[str, Any]) -> None:
    assert seen["selected"] > 0
    assert seen["removed_labels"] > 0, "selecting features needed tests of its own"
