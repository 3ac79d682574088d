"""A table that another process reads is the same table; its errors arrive, and it ends when it is stopped."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from typing import NoReturn

import numpy as np
import pandas
import pyreadstat
import pytest

from clcd_gui.document.column_summary import summarise_all
from clcd_gui.run import table_reading
from clcd_gui.run.reading_process import ReaderCrashed, ReadingProcess, Request
from engine.errors import Cancelled, InvalidData, UnreadableFile
from engine.progress import SharedProgress
from engine.readers import read_preview, read_table
from engine.readers.options import ReadingOptions
from engine.wording.setting_names import SettingName, settings_in
from tests.deadline import Deadline


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.normal(size=(400, 300)).round(3), columns=[f"n{n}" for n in range(300)])
    frame.iloc[3, 5] = -200.0
    frame.iloc[9, 5] = -200.0
    for place in range(5):
        frame[f"word {place}"] = rng.choice(["low", "middle", None], 400)
    frame["many"] = [f"level {row}" for row in range(400)]
    path = tmp_path_factory.mktemp("beside") / "table.csv"
    frame.to_csv(path, index=False)
    return path


def test_it_is_the_same_table(table: Path) -> None:
    with ReadingProcess() as process:
        reading, summaries = process.read(Request(table, None, ReadingOptions()), SharedProgress())
    here = read_table(table)
    assert reading.dataset.content_hash == here.dataset.content_hash
    assert reading.guesses == here.guesses
    assert reading.issues == here.issues
    assert repr(summaries) == repr(summarise_all(here.dataset))
    assert not any(column.flags.writeable for column in reading.dataset.columns)


def test_first_rows_are_the_same(table: Path) -> None:
    request = Request(table, None, ReadingOptions(), rows=20)
    here = read_preview(table, None, ReadingOptions(), 20)
    with ReadingProcess() as process:
        for _ in range(2):
            reading, _summaries = process.read(request, SharedProgress())
            assert reading.dataset.content_hash == here.dataset.content_hash
            assert (reading.beginning, reading.complete) == (here.beginning, False)


def test_the_table_of_labels_is_known(table: Path) -> None:
    labels = table.with_name("labels.csv")
    labels.write_text("\n".join(["ill", *("yes" if row % 3 else "no" for row in range(400))]))
    with ReadingProcess() as process:
        reading, _summaries = process.read(Request(table, labels, ReadingOptions()), SharedProgress())
    assert (reading.path, reading.labels_path) == (table, labels)
    assert reading.dataset.labels == ("ill",)


def test_its_errors_arrive(table: Path) -> None:
    ragged = table.with_name("ragged.csv")
    ragged.write_text(table.read_text() + "1,2\n")
    with pytest.raises(InvalidData) as raised, ReadingProcess() as process:
        process.read(Request(ragged, None, ReadingOptions()), SharedProgress())
    assert "line 402" in raised.value.place
    assert settings_in(raised.value.remedy) == (SettingName("ragged", "drop"),)


class Crash(Request):
    """What ends the process that reads it by the signal of its name."""

    def read(self) -> NoReturn:
        os.kill(os.getpid(), getattr(signal, self.path.name))
        raise AssertionError("the process has ended")


@pytest.mark.skipif(sys.platform == "win32", reason="signals end a process there in another way")
@pytest.mark.parametrize("crash", ["SIGABRT", "SIGSEGV"])
def test_a_file_that_ends_the_process_is_not_read_in_the_window(table: Path, crash: str) -> None:
    with pytest.raises(ReaderCrashed, match="ended the program"), ReadingProcess() as process:
        process.read(Crash(Path(crash), None, ReadingOptions()), SharedProgress())


@pytest.mark.parametrize("is_looked_at", [False, True])
def test_no_door_of_the_window_reads_what_ended_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_looked_at: bool
) -> None:
    path = tmp_path / "small.xlsx"
    pandas.DataFrame({"age": [31, 64], "ill": [0, 1]}).to_excel(path, index=False)

    def crash(*_: object) -> NoReturn:
        raise ReaderCrashed("reading it ended the program that did.")

    def read_here(*_: object) -> NoReturn:
        pytest.fail("read in the window")

    monkeypatch.setattr(ReadingProcess, "read", crash)
    monkeypatch.setattr(Request, "read", read_here)
    monkeypatch.setattr(table_reading, "read_beginning", read_here)
    if is_looked_at:
        answer = table_reading.look_at_table(path, ReadingOptions(), None, SharedProgress())
        assert answer.preview is not None and answer.preview.failure is not None
        assert "ended the program" in answer.preview.failure.message
    else:
        with pytest.raises(ReaderCrashed):
            table_reading.OpenTable(path, gives_first_rows=True, asks=True)(SharedProgress())


@pytest.mark.parametrize("name", ["t.xlsx", "t.sav", "t.parquet", "t.mat", "t.rds"])
@pytest.mark.parametrize("is_second", [False, True])
def test_what_a_library_reads_is_read_beside_the_window(
    name: str, is_second: bool, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beginnings = {".xlsx": b"PK\x03\x04", ".parquet": b"PAR1"}
    (tmp_path / name).write_bytes(beginnings.get(Path(name).suffix, b"") + bytes(100))
    requests = []

    def note(_: object, request: Request, __: object) -> NoReturn:
        requests.append(request)
        raise ReaderCrashed("reading it ended the program that did.")

    monkeypatch.setattr(ReadingProcess, "read", note)
    paths = (table, tmp_path / name) if is_second else (tmp_path / name, None)
    with pytest.raises(ReaderCrashed):
        table_reading.OpenTable(paths[0], labels=paths[1])(SharedProgress())
    assert [(request.path, request.labels) for request in requests] == [paths]


@pytest.mark.skipif(sys.platform == "win32", reason="signals end a process there in another way")
def test_a_file_of_spss_that_ends_its_library_ends_no_window(tmp_path: Path) -> None:
    path = tmp_path / "damaged.sav"
    frame = pandas.DataFrame({"group": [1.0, 2.0, 1.0], "size": [1.5, 2.5, 3.5]})
    pyreadstat.write_sav(frame, path, variable_value_labels={"group": {1.0: "low", 2.0: "high"}})
    content = bytearray(path.read_bytes())
    # A number with named values that says it is a text: the library takes a name that is not there.
    content[180] = 2
    path.write_bytes(content)
    with pytest.raises(ReaderCrashed):
        table_reading.OpenTable(path)(SharedProgress())


class NoRoom(Request):
    """What takes all memory."""

    def read(self) -> NoReturn:
        raise MemoryError


def test_what_finds_no_memory_there_is_not_read_in_the_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.xlsx"
    pandas.DataFrame({"age": [31, 64], "ill": [0, 1]}).to_excel(path, index=False)
    with (
        pytest.raises(UnreadableFile, match=r"large\.xlsx.*not enough memory") as raised,
        ReadingProcess() as process,
    ):
        process.read(NoRoom(path, None, ReadingOptions()), SharedProgress())

    def fail(*_: object) -> NoReturn:
        raise raised.value

    monkeypatch.setattr(ReadingProcess, "read", fail)
    monkeypatch.setattr(table_reading, "read_beginning", lambda *_: pytest.fail("read in the window"))
    with pytest.raises(UnreadableFile, match="not enough memory"):
        table_reading.OpenTable(path, asks=True)(SharedProgress())


def test_it_ends_when_it_is_stopped(table: Path) -> None:
    progress = SharedProgress()
    threading.Timer(0.1, progress.ask_to_stop).start()
    deadline = Deadline(30)
    with pytest.raises(Cancelled), ReadingProcess() as process:
        process.read(Request(table.parent / "pipe", None, ReadingOptions()), _after(progress, table))
    assert not deadline.has_passed()


def _after(progress: SharedProgress, table: Path) -> SharedProgress:
    """Make a table that takes longer to read than the process is left alone."""
    lines = table.read_text().splitlines()
    (table.parent / "pipe").write_text("\n".join([lines[0], *(lines[1:] * 60)]))
    return progress
