"""Previews: the first rows of any file at once, typed as the whole would be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

from engine.errors import InvalidParameter
from engine.readers import read_preview, read_table
from tests.effort import relative_effort


@pytest.fixture(scope="module")
def large_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    rows = 100_000
    frame = pandas.DataFrame({f"number {place}": rng.normal(size=rows).round(4) for place in range(16)})
    for place in range(4):
        frame[f"word {place}"] = rng.choice(["low", "middle", "high, very"], rows)
    path = tmp_path_factory.mktemp("large") / "large.csv"
    frame.to_csv(path, index=False)
    return path


def test_first_rows(large_table: Path) -> None:
    preview = read_preview(large_table, labels=["word 0"], rows=100)
    assert preview.dataset.row_count == 100
    assert not preview.complete
    assert preview.dataset.labels == ("word 0",)
    whole = read_table(large_table).dataset
    assert preview.dataset.names == whole.names
    for name in whole.names:
        assert preview.dataset.variable(name).kind == whole.variable(name).kind
    np.testing.assert_array_equal(preview.dataset.column("number 3"), whole.column("number 3")[:100])


def test_first_rows_cost_a_small_part_of_the_whole(large_table: Path) -> None:
    few, many = (read_preview(large_table, rows=rows).dataset for rows in (1000, 100_000))
    assert (few.row_count, many.row_count) == (1000, 100_000)

    def effort(rows: int) -> float:
        return relative_effort(
            lambda: read_preview(large_table, rows=rows), lambda: read_table(large_table), repeats=2
        )

    # A tenth of it when measured.
    assert effort(1000) < 1 / 3
    assert effort(100_000) < 2


def test_reading_costs_no_more_than_some_times_what_pandas_takes(large_table: Path) -> None:
    # Three times when measured: types, levels and what was guessed are found out as well.
    assert relative_effort(lambda: read_table(large_table), lambda: pandas.read_csv(large_table)) < 10


def test_short_file_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n2,y\n3,z\n", encoding="utf-8")
    for rows, complete in ((2, False), (3, True), (1000, True)):
        preview = read_preview(path, rows=rows)
        assert preview.complete == complete
        assert preview.dataset.row_count == min(rows, 3)


def test_cut_inside_a_quoted_cell(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    cell = "\n".join(f"line {line}" for line in range(300))
    path.write_text("a,b\n" + "".join(f'{row},"{cell}"\n' for row in range(500)), encoding="utf-8")
    preview = read_preview(path, rows=100)
    assert 0 < preview.dataset.row_count <= 100
    assert not preview.complete
    assert preview.dataset.variable("b").levels == (cell,)


def test_rows_must_be_positive(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n", encoding="utf-8")
    with pytest.raises(InvalidParameter, match="rows"):
        read_preview(path, rows=0)


def test_the_first_rows_may_all_have_fewer_cells_than_a_later_one(tmp_path: Path) -> None:
    """With codes among them, which are looked at as text, it ended in an error of the library that parses."""
    lines = [
        "Datum;CO;C6;;",
        *["10;2,6;-200;;", "04;1,5;9,4;;"] * 10,
        "11;1,0;9,0;;;",
        *["04;2,6;-200;;"] * 5,
    ]
    path = tmp_path / "air.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    dataset = read_preview(path, rows=10).dataset
    assert [variable.name for variable in dataset.variables] == ["Datum", "CO", "C6"]
    assert dataset.variables[0].levels == ("04", "10")
