"""Parquet and Feather files, which keep a table by columns with the type of each."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from engine.errors import InvalidData
from engine.readers.options import ReadingOptions
from engine.readers.reading import Table
from engine.readers.source import Source
from engine.readers.typed_files import check_size, columns_of_frame, needed, raising_as_damaged, table_of
from engine.table.column_kinds import LARGEST_EXACT
from engine.translation import N_, _
from engine.wording.sentences import DAMAGED_FILE, FETCH_AGAIN

if TYPE_CHECKING:
    import pyarrow

_PARQUET = b"PAR1"
_NAMELESS_INDEX = "__index_level_"
_ROW_NAMES = "row names"


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read a Parquet or a Feather file."""
    needed(
        "pyarrow",
        N_("Parquet and Feather files are read with {library}, which is not installed."),
        source.place,
    )
    content, _is_whole = source.read()
    with raising_as_damaged(_(DAMAGED_FILE), source.place, _(FETCH_AGAIN)):
        table, rows = (_parquet if content.startswith(_PARQUET) else _feather)(content, row_limit, source)
        _refuse_nested(table, source.place)
        # What a damaged file says of its own buffers would otherwise be believed, to the end of the program.
        table.validate(full=True)
        # What pandas noted for itself is left out: columns that named rows there are columns like others.
        frame = _with_codes_as_text(table.replace_schema_metadata(None)).to_pandas()
    columns = [
        replace(column, name=_ROW_NAMES) if column.name.startswith(_NAMELESS_INDEX) else column
        for column in columns_of_frame(frame)
    ]
    return table_of(columns, options, source.place, complete=len(frame) == rows)


def _parquet(content: bytes, row_limit: int | None, source: Source) -> tuple[pyarrow.Table, int]:
    import pyarrow
    from pyarrow import parquet

    file = parquet.ParquetFile(BytesIO(content))
    rows = file.metadata.num_rows
    check_size(min(rows, row_limit or rows), file.metadata.num_columns, source.place)
    if row_limit is None:
        return file.read(), rows
    batches = list(islice(file.iter_batches(batch_size=max(row_limit, 1)), 1))
    return pyarrow.Table.from_batches(batches, schema=file.schema_arrow).slice(0, row_limit), rows


def _feather(content: bytes, row_limit: int | None, source: Source) -> tuple[pyarrow.Table, int]:
    from pyarrow import feather

    table = feather.read_table(BytesIO(content), memory_map=False)
    check_size(table.num_rows, table.num_columns, source.place)
    return table.slice(0, row_limit) if row_limit is not None else table, table.num_rows


def _with_codes_as_text(table: pyarrow.Table) -> pyarrow.Table:
    """Write whole numbers as text where some are beyond 2**53: pandas makes floats of those with gaps."""
    from pyarrow import compute, types

    for position, column in enumerate(table.schema):
        if types.is_int64(column.type) or types.is_uint64(column.type):
            ends = compute.min_max(table.column(position)).as_py()
            if max(ends["max"] or 0, -(ends["min"] or 0)) > LARGEST_EXACT:
                texts = table.column(position).cast("string")
                table = table.set_column(position, column.name, texts)
    return table


def _refuse_nested(table: pyarrow.Table, place: str) -> None:
    from pyarrow import types

    for column in table.schema:
        if types.is_nested(column.type):
            raise InvalidData(
                _("its cells hold lists or records."),
                place=_("{place}, column '{name}'", place=place, name=column.name),
                remedy=_("Write what matters of them into columns of their own."),
            )
