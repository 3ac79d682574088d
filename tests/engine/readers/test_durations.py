"""How long something took: whole days are no part of a time of day, and a number is no category."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pandas
import pytest

from engine.readers import read_table
from tests.engine.readers.written_tables import messages_of, topics_of, values_of

HOURS = [25.0, 1.0, 49.5, 0.25, 26.0] * 6
GAPS = [None if row % 5 == 1 else hours for row, hours in enumerate(HOURS)]


def frame() -> pandas.DataFrame:
    stays = pandas.to_timedelta([None if hours is None else f"{hours} hours" for hours in GAPS])
    return pandas.DataFrame({"stay": stays, "age": range(len(GAPS))})


def write_xlsx(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["stay", "age"])
    for row, hours in enumerate(GAPS):
        book.active.append([None if hours is None else timedelta(hours=hours), row])
    book.save(path)


def write_parquet(path: Path) -> None:
    pytest.importorskip("pyarrow")
    frame().to_parquet(path)


def write_spss(path: Path, shape: str) -> None:
    import pyreadstat

    seconds = [None if hours is None else 3600 * hours for hours in GAPS]
    pyreadstat.write_sav(pandas.DataFrame({"stay": seconds}), path, variable_format={"stay": shape})


WRITERS: dict[str, Callable[[Path], None]] = {
    "stay.xlsx": write_xlsx,
    "stay.parquet": write_parquet,
    "time.sav": lambda path: write_spss(path, "TIME8"),
    "days.sav": lambda path: write_spss(path, "DTIME10"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_durations_are_hours(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name)
    reading = read_table(tmp_path / name)
    assert values_of(reading, "stay") == GAPS
    assert "hours" in messages_of(reading, "durations")["stay"]


def test_times_of_day_stay_such_with_what_is_declared_missing(tmp_path: Path) -> None:
    import pyreadstat

    path = tmp_path / "seen.sav"
    table = pandas.DataFrame({"seen": [3600.0, 86_399.0, 90_000.0] * 9})
    pyreadstat.write_sav(table, path, variable_format={"seen": "TIME8"}, missing_ranges={"seen": [90_000.0]})
    reading = read_table(path)
    assert values_of(reading, "seen") == ["01:00:00", "23:59:59", None] * 9
    assert topics_of(reading)[:2] == ["declared-missing", "dates"]
