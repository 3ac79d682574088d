"""``clcd benchmark --selection`` as a person meets it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.reporting.data_files import write_simulation
from engine.terminal import main


@pytest.mark.usefixtures("pictures_not_drawn")
def test_it_writes_and_says_what_came_out(
    tmp_path: Path, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["benchmark", "--selection", str(shared_data / "flags"), "--small", "--workers", "1"]
    words += ["--methods", "clcd-fs,mutual-information", "--out", str(tmp_path / "out")]
    assert main(words) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert "flags" in output.out and "CLCD-FS" in output.out and "summary.csv" in output.out
    summary = pandas.read_csv(tmp_path / "out" / "summary.csv")
    assert list(summary["method"]) == ["mutual-information", "clcd-fs"]
    assert list(summary["splits"]) == [2, 2]


@pytest.mark.usefixtures("pictures_not_drawn")
def test_empty_cells_are_imputed_when_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = engine.simulate(labels=2, features=6, rows=200, seed=3).dataset
    frame = table.frame.astype(float)
    frame.iloc[::9, 0] = np.nan
    frame.to_csv(tmp_path / "gaps.csv", index=False)
    names = "".join(f'<label name="{name}"/>' for name in table.labels)
    (tmp_path / "gaps.xml").write_text(f"<labels>{names}</labels>")
    words = ["benchmark", "--selection", str(tmp_path / "gaps.csv"), "--small", "--workers", "1"]
    words += ["--methods", "clcd-fs", "--out", str(tmp_path / "out")]
    assert main(words) == 2
    assert "Set --missing to imputed" in capsys.readouterr().err
    assert main([*words, "--missing", "imputed"]) == 0
    assert "before the rows were split" in capsys.readouterr().out
    assert list(pandas.read_csv(tmp_path / "out" / "summary.csv")["splits"]) == [2]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--selection"], "no table"),
        (["--selection", "absent.arff", "--rows", "5"], "--rows"),
        (["--selection", "absent.arff", "--cells", "0.5/0"], "--cells"),
        (["--selection", "absent.arff", "--methods", "magic"], "'magic'"),
        (["--selection", "absent.arff", "--percentages", "3,many"], "--percentages"),
        (["--selection", "absent.arff", "--splits", "0"], "--splits"),
        (["--selection", "absent.arff"], "absent.arff"),
        (["table.arff"], "Add --selection"),
        (["--classifier", "logistic"], "Add --selection"),
        (["--percentages", "3"], "Add --selection"),
        (["--missing", "imputed"], "Add --selection"),
    ],
)
def test_bad_options_are_refused(
    words: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["benchmark", *words, "--out", str(tmp_path / "out")]) == 2
    assert problem in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# Ctrl+C in one that searches is tried in the short form, in test_command_line.py.
@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the system of Linux for processes")
def test_a_signal_to_all_processes_is_a_stop(tmp_path: Path) -> None:
    """``timeout`` and service managers ask every process of a command to end, those that measure too."""
    table = engine.simulate(labels=2, features=6, rows=200, seed=3)
    write_simulation(table, tmp_path / "t.arff")
    words = ["benchmark", "--selection", "t.arff", "--small", "--workers", "2", "--out", "out"]
    command = subprocess.Popen(
        [sys.executable, "-m", "engine", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    tasks = Path(f"/proc/{command.pid}/task")
    try:
        deadline = time.monotonic() + 60
        # Two that measure, started by whichever thread.
        while len(" ".join(path.read_text() for path in tasks.glob("*/children")).split()) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.killpg(command.pid, signal.SIGTERM)
        _, errors = command.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(command.pid, signal.SIGKILL)
    assert "Traceback" not in errors and "unexpectedly" not in errors
    assert errors.splitlines()[-1].startswith("clcd: stopp")
    assert command.returncode in (130, 143)
