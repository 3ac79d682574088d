"""A damaged file of SPSS, Stata or SAS can end the process that reads it: not the one of whoever opens it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas
import pyreadstat
import pytest

import engine
from engine.errors import UnreadableFile
from engine.execution import helper_process
from engine.readers import statistics_process
from engine.readers.statistics_process import Question, answered, ask

_CAN_BE_SIGNALLED = pytest.mark.skipif(os.name != "posix", reason="elsewhere processes end in other ways")
_TYPE_OF_FIRST_VARIABLE = 180
DATA = Path(__file__).parents[4] / "shared" / "data" / "messy"


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.sav"
    frame = pandas.DataFrame({"group": [1.0, 2.0, 1.0], "size": [1.5, 2.5, 3.5]})
    pyreadstat.write_sav(frame, path, variable_value_labels={"group": {1.0: "low", 2.0: "high"}})
    return path


@pytest.fixture
def damaged(whole: Path) -> Path:
    """A number with named values that says it is a text: the library takes a name that is not there."""
    content = bytearray(whole.read_bytes())
    content[_TYPE_OF_FIRST_VARIABLE] = 2
    path = whole.with_name("damaged.sav")
    path.write_bytes(content)
    return path


def _question(path: Path) -> Question:
    return Question(".sav", path.read_bytes(), {"encoding": None, "user_missing": True}, 0, 10**6, 10**3)


def _statuses(code: str, *words: str) -> int:
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, check=False).returncode


@_CAN_BE_SIGNALLED
def test_a_file_that_ends_the_library_is_damaged(damaged: Path, whole: Path) -> None:
    alone = _statuses("import pyreadstat, sys; pyreadstat.read_sav(sys.argv[1])", str(damaged))
    assert alone in (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS)
    with pytest.raises(UnreadableFile, match=r"damaged\.sav.*ended the program") as raised:
        engine.read_dataset(damaged)
    assert "CSV" in raised.value.remedy
    # The next file is read by another process.
    assert engine.read_dataset(whole).row_count == 3


def test_there_is_said_what_is_said_here(whole: Path) -> None:
    assert repr(ask(_question(whole))) == repr(answered(_question(whole)))


def test_what_the_library_raises_is_the_reason(whole: Path) -> None:
    whole.write_bytes(whole.read_bytes()[:200])
    with pytest.raises(pyreadstat.ReadstatError) as here:
        pyreadstat.read_sav(whole)
    with pytest.raises(UnreadableFile, match=f"{here.value}"):
        engine.read_dataset(whole)


@_CAN_BE_SIGNALLED
def test_the_system_that_ends_it_has_no_memory_left(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper_process, "command", _that("os.kill(os.getpid(), 9)"))
    with pytest.raises(MemoryError):
        _with_a_new_process(whole)
    with pytest.raises(UnreadableFile, match=f"{whole.name}.*not enough memory"):
        engine.read_dataset(whole)


@_CAN_BE_SIGNALLED
def test_a_file_that_keeps_the_library_busy_for_ever_is_damaged(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "from engine.readers import statistics_process as here; here._SECONDS_OF_ANY = 0.5;"
    code += "here.answered = lambda question: max(iter(int, 1));"
    code += "from engine.execution.helper_process import main; main()"
    monkeypatch.setattr(helper_process, "command", lambda: [sys.executable, "-c", code])
    with pytest.raises(ValueError, match="ended the program"):
        _with_a_new_process(whole)


def test_one_that_ended_for_want_of_questions_is_followed_by_another(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = iter([_that("os.read(0, 8)"), helper_process.command])
    monkeypatch.setattr(helper_process, "command", lambda: next(commands)())
    assert _with_a_new_process(whole).rows == 3


def test_where_nothing_may_be_started_the_library_is_asked_here(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helper_process, "command", lambda: [str(whole.with_name("nothing"))])
    assert _with_a_new_process(whole).rows == 3


@pytest.mark.skipif(not DATA.exists(), reason="real files are not here")
@pytest.mark.parametrize("name", ["pyreadstat_sample_missing.sav", "pyreadstat_sample.dta", "haven_iris.sav"])
def test_real_files_arrive_as_they_are(name: str) -> None:
    question = _question(DATA / name)._replace(extension=Path(name).suffix)
    if name.endswith(".dta"):
        question = question._replace(settings={"encoding": None})
    assert repr(ask(question)) == repr(answered(question))


def _that(statement: str) -> Callable[[], list[str]]:
    return lambda: [sys.executable, "-c", f"import os; {statement}"]


def _with_a_new_process(path: Path) -> statistics_process.FileContents:
    statistics_process._process.end()
    try:
        return ask(_question(path))
    finally:
        statistics_process._process.end()
