"""The quick ways of reading give what the careful ways give."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError, UnreadableFile
from engine.readers import encodings, read_table, records, row_lengths
from engine.readers.arff import (
    Attribute,
    RowTexts,
    read_dense_tokens,
    read_plain_dense,
    read_plain_sparse,
    read_sparse_tokens,
)
from engine.readers.encodings import HeldText
from engine.readers.records import Dialect
from engine.readers.row_lengths import BodyText, measure_bytes, measure_records
from engine.readers.source import Source
from tests.examples import examples

_PIECES = st.sampled_from(["a", "b c", ",", '"', "\n", " ", '""', ",,", "\n\n", '"x,y"', "é", "12"])


@examples(500)
@given(st.lists(_PIECES, min_size=1, max_size=25).map("".join))
def test_row_extents(text: str) -> None:
    """Counting separators in bytes agrees with the csv module wherever it does not decline."""
    held = HeldText(text.strip("\n").encode())
    if not len(held):
        return
    body = BodyText(held, 1, Dialect("comma"), "file", complete=False)
    quick = measure_bytes(body)
    if quick is None:
        return
    careful = measure_records(body)
    np.testing.assert_array_equal(quick.start, careful.start)
    np.testing.assert_array_equal(quick.end, careful.end)
    np.testing.assert_array_equal(quick.cells, careful.cells)


_LEVELS = ("low", "two words", "0", "1")
_ATTRIBUTES = (
    Attribute("n", "numeric"),
    Attribute("level", "nominal", _LEVELS),
    Attribute("text", "string"),
    Attribute("m", "numeric"),
)
_ROW = st.tuples(
    st.sampled_from(["?", "1", "-2.5", " 3e5 ", "0"]),
    st.sampled_from(["?", *_LEVELS, " low "]),
    st.sampled_from(["?", "abc", "x y", "NA", "0"]),
    st.sampled_from(["?", "7", ".5"]),
)


@examples(200)
@given(st.lists(_ROW, min_size=1, max_size=10))
def test_dense_rows(table: list[tuple[str, ...]]) -> None:
    lines = tuple(",".join(row).strip() for row in table)
    rows = RowTexts(lines, tuple(range(1, len(lines) + 1)), sparse=False, file="file")
    quick = read_plain_dense("\n".join(lines), rows, _ATTRIBUTES)
    careful, _ = read_dense_tokens(rows, _ATTRIBUTES)
    assert quick is not None
    for first, second in zip(quick, careful, strict=True):
        if first.dtype == object:
            assert first.tolist() == second.tolist()
        else:
            np.testing.assert_array_equal(first, second)


@examples(200)
@given(
    st.lists(
        st.dictionaries(st.integers(0, 30), st.sampled_from(["1", "2.5", "?", "low"]), max_size=6),
        min_size=1,
        max_size=8,
    )
)
def test_sparse_rows(table: list[dict[int, str]]) -> None:
    insides = [", ".join(f"{place} {value}" for place, value in sorted(row.items())) for row in table]
    lines = tuple(f"{{{inside}}}" for inside in insides)
    rows = RowTexts(lines, tuple(range(1, len(table) + 1)), sparse=True, file="file")
    quick = read_plain_sparse(insides)
    careful = read_sparse_tokens(insides, rows)
    assert quick is not None
    np.testing.assert_array_equal(quick.row, careful.row)
    np.testing.assert_array_equal(quick.attribute, careful.attribute)
    texts = [
        [None if code < 0 else column.texts[code] for code in column.code] for column in (quick, careful)
    ]
    assert texts[0] == texts[1]


_CELLS = {
    "number": st.sampled_from(["1", "2.5", "-3e2", "", "NA", "7"]),
    "word": st.sampled_from(["low", "high", "", '"a, b"', '"x""y"', "1"]),
    "late word": st.sampled_from(["1", "2", "3", "many"]),
    "truth": st.sampled_from(["TRUE", "FALSE"]),
    "code": st.sampled_from(["9007199254740993", "12"]),
    "rare": st.sampled_from(["1e-30", "0.1234567890123456789", ".5", "5.", "-0.1", "4E2", "3"]),
    "odd": st.sampled_from(["+4", " 5", "6", "1e", "'7"]),
}


@examples(60)
@given(st.data())
def test_whole_tables_by_small_parts(data: st.DataObject) -> None:
    """A file that is read in parts from where it lies is the table that is read at once, or its error."""
    kinds = data.draw(st.lists(st.sampled_from(sorted(_CELLS)), min_size=2, max_size=5))
    rows = data.draw(st.lists(st.tuples(*(_CELLS[kind] for kind in kinds)), min_size=3, max_size=30))
    gap = data.draw(st.sampled_from(["\n", "\n", "\n\n"]))
    names = ",".join(f"{kind} {place}" for place, kind in enumerate(kinds))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        path.write_text(names + "\n" + gap.join(map(",".join, rows)) + "\n", encoding="utf-8")
        at_once = _outcome(path)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(encodings, "_LEAST_LEFT_IN_FILE", 1)
            patch.setattr(row_lengths, "_BLOCK", 40)
            for name, size in (
                ("_BLOCK", 64),
                ("_BYTES_A_COLUMN", 1),
                ("_MANY_COLUMNS", 2),
                ("_TOGETHER", 1),
            ):
                patch.setattr(records, name, size)
            assert _outcome(path) == at_once


def _outcome(path: Path) -> object:
    try:
        reading = read_table(path)
    except EngineError as error:
        return str(error)
    return reading.dataset.content_hash, reading.guesses, reading.issues


_WAYS = ("{!r}", "{:.17g}", "{:.18g}", "{:.16e}", "{:.17f}", "{:.5f}", "{:.0f}", "{:g}", "{:.25f}")


def test_every_number_is_rounded_correctly() -> None:
    """In whichever way a number is written, the nearest float64 is read, as Python reads it."""
    rng = np.random.default_rng(0)
    numbers = (rng.normal(size=8000) * 10.0 ** rng.integers(-25, 14, 8000)).tolist()
    # Halfway between two floats, and a little beside.
    halves = [f"{2**53 + 2 * place + 1}e-{place % 22 + 1}" for place in range(500)]
    near = [f"{(2**53 + 2 * place + 1) * 10 + place % 3 - 1}e-{place % 21 + 2}" for place in range(500)]
    rows = [*zip(*([way.format(number) for number in numbers] for way in _WAYS), strict=True)]
    rows += [(half, beside, *["0"] * (len(_WAYS) - 2)) for half, beside in zip(halves, near, strict=True)]
    text = "\n".join(map(",".join, rows)).encode()
    columns = records._parse(text, len(_WAYS), Dialect("comma"), (), frozenset())
    for position, column in columns.items():
        assert column.tolist() == [float(row[position]) for row in rows]
    assert list(columns) == list(range(len(_WAYS)))


def test_a_file_that_changes_meanwhile_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "1,2\n" * 50)
    monkeypatch.setattr(encodings, "_LEAST_LEFT_IN_FILE", 1)
    left, _ = encodings.left_in_file(Source(path), None)
    assert left.slice(0, 7) == b"a,b\n1,2"
    path.write_text("a,b\n")
    with pytest.raises(UnreadableFile, match="changed while it was read"):
        left.slice(0, 3)
