"""The quick ways of reading give what the careful ways give."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.readers.arff import read_dense_tokens, read_plain_dense, read_plain_sparse, read_sparse_tokens
from engine.readers.arff_header import Attribute, Rows
from engine.readers.records import Dialect
from engine.readers.row_lengths import BodyText, measure_bytes, measure_records

_PIECES = st.sampled_from(["a", "b c", ",", '"', "\n", " ", '""', ",,", "\n\n", '"x,y"', "é", "12"])


@settings(max_examples=500, deadline=None)
@given(st.lists(_PIECES, min_size=1, max_size=25).map("".join))
def test_row_extents(text: str) -> None:
    """Counting separators in bytes agrees with the csv module wherever it does not decline."""
    content = text.strip("\n").encode()
    if not content:
        return
    body = BodyText(content, 1, Dialect("comma"), "file", complete=False)
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


@settings(max_examples=200, deadline=None)
@given(st.lists(_ROW, min_size=1, max_size=10))
def test_dense_rows(table: list[tuple[str, ...]]) -> None:
    lines = tuple(",".join(row).strip() for row in table)
    rows = Rows(lines, tuple(range(1, len(lines) + 1)), sparse=False)
    quick = read_plain_dense("\n".join(lines), rows, _ATTRIBUTES, "file")
    careful, _ = read_dense_tokens(rows, _ATTRIBUTES, "file")
    assert quick is not None
    for first, second in zip(quick, careful, strict=True):
        if first.dtype == object:
            assert first.tolist() == second.tolist()
        else:
            np.testing.assert_array_equal(first, second)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.dictionaries(st.integers(0, 30), st.sampled_from(["1", "2.5", "?", "low"]), max_size=6),
        min_size=1,
        max_size=8,
    )
)
def test_sparse_rows(table: list[dict[int, str]]) -> None:
    insides = [", ".join(f"{place} {value}" for place, value in sorted(row.items())) for row in table]
    rows = Rows(tuple(f"{{{inside}}}" for inside in insides), tuple(range(1, len(table) + 1)), sparse=True)
    quick = read_plain_sparse(insides)
    careful = read_sparse_tokens(insides, rows, "file")
    assert quick is not None
    np.testing.assert_array_equal(quick.row, careful.row)
    np.testing.assert_array_equal(quick.attribute, careful.attribute)
    texts = [[None if code < 0 else each.texts[code] for code in each.code] for each in (quick, careful)]
    assert texts[0] == texts[1]
