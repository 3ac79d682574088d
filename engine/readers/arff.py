"""ARFF files, dense and sparse, as Weka, Mulan and MEKA write them."""

from __future__ import annotations

from engine.dataset import Note
from engine.errors import InvalidData
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


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read an ARFF file.

    Parameters
    ----------
    source : Source
    options : ReadingOptions
        Only the encoding and what happens to ragged rows apply.
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
    raw, _ = source.read()
    text = decode(raw, options.encoding, source.place)
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
        rows.complete,
    )


def _date_notes(names: tuple[str, ...], header: ArffHeader) -> list[Note]:
    return [
        Note("dates", f"Column '{name}' holds dates; each is read as a category of its own.", name)
        for name, attribute in zip(names, header.attributes, strict=True)
        if attribute.type == "date"
    ]
