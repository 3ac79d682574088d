"""ARFF files, dense and sparse, as Weka, Mulan and MEKA write them."""

from __future__ import annotations

from engine.errors import InvalidData
from engine.notes import Note
from engine.readers.arff_columns import typed_column
from engine.readers.arff_dense import read_dense
from engine.readers.arff_header import ArffHeader, parse_header
from engine.readers.arff_rows import split_rows
from engine.readers.arff_sparse import read_sparse
from engine.readers.encoding import decode
from engine.readers.meka_header import declared_labels
from engine.readers.names import usable_names
from engine.readers.options import ReadingOptions
from engine.readers.reading import Table
from engine.readers.source import Source

_HEADER_LINES = 5000
"""Lines of header that a preview reads in addition to its rows; longer ones cost a second reading."""


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read an ARFF file.

    Parameters
    ----------
    source : Source
    options : ReadingOptions
        Only the encoding applies; ARFF says everything else itself.
    row_limit : int, optional
        Read only the first rows.

    Returns
    -------
    Table

    Raises
    ------
    UnreadableFile, InvalidData
        With the line at fault.
    """
    raw, complete = _read_bytes(source, row_limit)
    text = decode(raw, options.encoding, source.place, complete)
    content = text.content.replace("\r\n", "\n").replace("\r", "\n")
    header = parse_header(content, source.place)
    rows = split_rows(content, header, row_limit)
    if not rows.lines:
        raise InvalidData(
            "the file declares columns but holds no rows.",
            place=source.place,
            remedy="Choose a file with data.",
        )
    parse = read_sparse if rows.sparse else read_dense
    values, value_notes = parse(rows, header.attributes, source.place)
    names, name_notes = usable_names([attribute.name for attribute in header.attributes])
    typed = [
        typed_column(name, attribute, column)
        for name, attribute, column in zip(names, header.attributes, values, strict=True)
    ]
    labels, label_guesses, label_notes = declared_labels(header.relation, names)
    return Table(
        tuple(variable for variable, _ in typed),
        tuple(column for _, column in typed),
        labels,
        (*text.guesses, *label_guesses),
        (*name_notes, *rows.issues, *value_notes, *_date_notes(names, header), *label_notes),
        rows.complete and complete,
    )


def _read_bytes(source: Source, row_limit: int | None) -> tuple[bytes, bool]:
    """Read the file, or so much of it that the header and the wanted rows are in it."""
    if row_limit is None:
        return source.read()
    raw, complete = source.read(row_limit + _HEADER_LINES)
    data = raw.lower().find(b"@data")
    if complete or (data >= 0 and raw.count(b"\n", data) > row_limit):
        return raw, complete
    return source.read()


def _date_notes(names: tuple[str, ...], header: ArffHeader) -> list[Note]:
    return [
        Note("dates", f"Column '{name}' holds dates; each is read as a category of its own.", name)
        for name, attribute in zip(names, header.attributes, strict=True)
        if attribute.type == "date"
    ]
