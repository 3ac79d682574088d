"""Properties: whatever table is written, in whatever dialect, reads back equal."""

from __future__ import annotations

import csv
import gzip
import io
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.readers import ReadingOptions, read_table
from tests.examples import examples

_ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252")
_WESTERN = st.characters(codec="cp1252", exclude_categories=["Cc"])
_ANY = st.characters(exclude_categories=["Cc", "Cs"])


@dataclass(frozen=True)
class _Written:
    """A table and how it is written."""

    names: list[str]
    columns: list[list[float | str | None]]
    delimiter: str
    decimal: str
    quote: str
    quote_all: bool
    encoding: str
    line_end: str
    packed: bool


def _texts(characters: st.SearchStrategy[str], prefix: str) -> st.SearchStrategy[str]:
    """Texts that no reader could take for numbers, with whatever makes quoting necessary."""
    special = st.sampled_from(
        ["'", '"', ",", ";", "|", "\n", '""', "\\", "\\'", "%", "{", "}", "#", "=", "é"]
    )
    pieces = st.lists(special | st.text(characters, max_size=4), max_size=5)
    return pieces.map(lambda parts: (prefix + "".join(parts)).strip())


_NUMBERS = st.one_of(
    st.integers(-(10**9), 10**9).map(float),
    st.floats(-1e12, 1e12, allow_nan=False),
    st.floats(1e-300, 1e300),
)


@st.composite
def _tables(draw: st.DrawFn) -> _Written:
    encoding = draw(st.sampled_from(_ENCODINGS))
    characters = _WESTERN if encoding == "cp1252" else _ANY
    width = draw(st.integers(1, 5))
    rows = draw(st.integers(1, 8))
    names = draw(st.lists(_texts(characters, "n"), min_size=width, max_size=width, unique=True))
    columns: list[list[float | str | None]] = []
    for place in range(width):
        values = draw(st.sampled_from([_NUMBERS, _texts(characters, "x")]))
        # A first column without gaps keeps the last row from being wholly empty.
        cells = values if place == 0 else st.none() | values
        columns.append(draw(st.lists(cells, min_size=rows, max_size=rows)))
    delimiter = draw(st.sampled_from([",", ";", "\t", "|"]))
    return _Written(
        names,
        columns,
        delimiter,
        draw(st.sampled_from([".", ","])),
        draw(st.sampled_from(['"', "'"])),
        draw(st.booleans()),
        encoding,
        draw(st.sampled_from(["\n", "\r\n"])),
        draw(st.booleans()),
    )


def _cell(value: float | str | None, decimal: str) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else repr(value).replace(".", decimal)


def _write_csv(table: _Written, path: Path) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(
        text,
        delimiter=table.delimiter,
        quotechar=table.quote,
        quoting=csv.QUOTE_ALL if table.quote_all else csv.QUOTE_MINIMAL,
        lineterminator=table.line_end,
    )
    writer.writerow(table.names)
    for row in zip(*table.columns, strict=True):
        writer.writerow([_cell(value, table.decimal) for value in row])
    raw = text.getvalue().encode(table.encoding)
    path.write_bytes(gzip.compress(raw) if table.packed else raw)


def _check(dataset: engine.Dataset, table: _Written) -> None:
    assert list(dataset.names) == table.names
    for name, expected in zip(table.names, table.columns, strict=True):
        variable, column = dataset.variable(name), dataset.column(name)
        if variable.kind is engine.Kind.CONTINUOUS:
            wanted = [np.nan if value is None else value for value in expected]
            np.testing.assert_array_equal(column, wanted)
            continue
        texts = [None if code < 0 else variable.levels[code] for code in column]
        numeric = any(isinstance(value, float) for value in expected)
        if numeric:
            assert [None if text is None else float(text) for text in texts] == expected
        else:
            assert texts == expected


def _reading(table: _Written, options: ReadingOptions) -> engine.Dataset:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        _write_csv(table, path)
        return read_table(path, options=options).dataset


@examples(150)
@given(_tables())
def test_text_table_with_its_dialect_given(table: _Written) -> None:
    options = ReadingOptions(
        delimiter=table.delimiter,
        decimal=table.decimal,
        quote=table.quote,
        encoding={"utf-8-sig": "utf-8", "utf-16": None}.get(table.encoding, table.encoding),
        header=True,
        skip_lines=0,
        missing_codes=(),
    )
    _check(_reading(table, options), table)


_WORDS = st.sampled_from(
    ["low", "high", "medium, rather", 'the "big" one', "it's", "größer", "a;b", "x y", "no"]
)


@st.composite
def _ordinary_tables(draw: st.DrawFn) -> _Written:
    """Tables as people have them: several columns, some of numbers, names that are words."""
    rows = draw(st.integers(8, 30))
    columns: list[list[float | str | None]] = []
    kinds = [
        "fraction",
        *draw(st.lists(st.sampled_from(["fraction", "count", "word"]), min_size=2, max_size=5)),
    ]
    for place, kind in enumerate(kinds):
        values: st.SearchStrategy[float | str]
        if kind == "word":
            values = _WORDS
        elif kind == "count":
            values = st.integers(0, 500).map(float)
        else:
            values = (
                st.integers(-9000, 9000).filter(lambda number: number % 10).map(lambda number: number / 100)
            )
        cells = values if place == 0 else st.one_of(values, values, values, st.none())
        columns.append(draw(st.lists(cells, min_size=rows, max_size=rows)))
    names = [f"{kind} {place}" for place, kind in enumerate(kinds)]
    delimiter = draw(st.sampled_from([",", ";", "\t", "|"]))
    return _Written(
        names,
        columns,
        delimiter,
        draw(st.sampled_from([".", ","])) if delimiter in ";\t" else ".",
        '"',
        draw(st.booleans()),
        draw(st.sampled_from(_ENCODINGS)),
        draw(st.sampled_from(["\n", "\r\n"])),
        draw(st.booleans()),
    )


@examples(100)
@given(_ordinary_tables())
def test_ordinary_text_table_with_everything_sniffed(table: _Written) -> None:
    _check(_reading(table, ReadingOptions()), table)


def _arff_quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("%", "\\%")
    return f"'{escaped}'"


@examples(100)
@given(_tables(), st.booleans())
def test_arff_dense_and_sparse(table: _Written, sparse: bool) -> None:
    lines = ["@relation r"]
    for name, column in zip(table.names, table.columns, strict=True):
        levels = list(dict.fromkeys(value for value in column if isinstance(value, str)))
        declared = "{" + ",".join(map(_arff_quote, levels)) + "}" if levels else "numeric"
        lines.append(f"@attribute {_arff_quote(name)} {declared}")
    lines.append("@data")
    for row in zip(*table.columns, strict=True):
        cells = ["?" if v is None else _arff_quote(v) if isinstance(v, str) else repr(v) for v in row]
        if sparse:
            lines.append("{" + ", ".join(f"{place} {cell}" for place, cell in enumerate(cells)) + "}")
        else:
            lines.append(",".join(cells))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.arff"
        path.write_bytes("\n".join(lines).encode())
        _check(read_table(path).dataset, table)
