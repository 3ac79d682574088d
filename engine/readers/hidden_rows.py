"""Rows of a sheet that cannot be seen in the workbook, because a filter or a person hides them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from xml.sax.saxutils import escape
from zipfile import ZipFile

from engine.readers.formulas import sheet_text
from engine.table.zip_damage import DAMAGED_ENTRY
from engine.wording.notes import Note
from engine.wording.phrases import for_count, plain_listing

HIDDEN_ROWS = "hidden-rows"
"""Topic of the note about rows that are left out because they are hidden."""

SEEN_ROWS = "seen-rows"
"""Topic of the note about rows that are read although the workbook hides them."""

_MOST_NAMED = 6
_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
_HIDDEN = re.compile(rb'\shidden="(?:1|true)"')
_NUMBER = re.compile(rb'\sr="([0-9]{1,7})"')
_HIDDEN_IN_ODS = re.compile(rb'\stable:visibility="(filter|collapse)"')
_ROW_OF_ODS = re.compile(rb"<table:table-row\b([^>]*)>")
_REPEATED = re.compile(rb'number-rows-repeated="([0-9]{1,7})"')
_MOST_ROWS = 1 << 20

_LEFT_OUT = "Left out: {count} row that is hidden in the workbook (row {where})."
_ALL_LEFT_OUT = "Left out: {count} rows that are hidden in the workbook (rows {where})."
_KEPT = "{count} row is hidden in the workbook (row {where}) and read all the same."
_ALL_KEPT = "{count} rows are hidden in the workbook (rows {where}) and read all the same."


def hidden_rows(content: bytes, sheet: str) -> tuple[frozenset[int], bool]:
    """Find the hidden rows of a sheet.

    Returns
    -------
    rows : frozenset of int
        Counted from 1; none for a workbook of another kind than xlsx and ods.
    is_filtered : bool
        The sheet has a filter.
    """
    if not content.startswith(b"PK"):
        return frozenset(), False
    try:
        with ZipFile(BytesIO(content)) as archive:
            if "content.xml" in archive.namelist():
                return _hidden_in_ods(archive.read("content.xml"), sheet)
            tables = [name for name in archive.namelist() if name.startswith("xl/tables/")]
            has_filter = any(b"filterColumn" in archive.read(name) for name in tables)
    except DAMAGED_ENTRY:
        return frozenset(), False
    text = sheet_text(content, sheet)
    if b"hidden=" not in text:
        return frozenset(), False
    hidden = (_NUMBER.search(attributes) for attributes in _ROW.findall(text) if _HIDDEN.search(attributes))
    return frozenset(int(row[1]) for row in hidden if row), has_filter or b"autoFilter" in text


def _hidden_in_ods(text: bytes, sheet: str) -> tuple[frozenset[int], bool]:
    if _HIDDEN_IN_ODS.search(text) is None:
        return frozenset(), False
    start = text.find(b'table:name="%b"' % escape(sheet, {'"': "&quot;"}).encode())
    part = text[start : text.find(b"</table:table>", start)]
    rows: set[int] = set()
    is_filtered = False
    line = 1
    for attributes in _ROW_OF_ODS.findall(part):
        repeated = _REPEATED.search(attributes)
        count = int(repeated[1]) if repeated else 1
        visibility = _HIDDEN_IN_ODS.search(attributes)
        if visibility is not None and line <= _MOST_ROWS:
            rows.update(range(line, line + min(count, _MOST_ROWS)))
            is_filtered = is_filtered or visibility[1] == b"filter"
        line += count
    return frozenset(rows), is_filtered


def note_about_hidden(rows: Sequence[int], is_left_out: bool) -> Note:
    """Say which rows of a table are hidden, and whether they are read.

    Examples
    --------
    >>> note_about_hidden([2, 3, 4, 9], True).message
    'Left out: 4 rows that are hidden in the workbook (rows 2 to 4 and 9).'
    """
    sentences = (_LEFT_OUT, _ALL_LEFT_OUT) if is_left_out else (_KEPT, _ALL_KEPT)
    topic = HIDDEN_ROWS if is_left_out else SEEN_ROWS
    return Note(topic, for_count(len(rows), *sentences).format(count=len(rows), where=_listed(rows)))


def _listed(rows: Sequence[int]) -> str:
    """Name rows, ascending, those that follow each other by the first and the last."""
    runs: list[list[int]] = []
    for row in rows:
        if runs and row == runs[-1][-1] + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    named: list[str] = []
    for run in runs:
        named += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return plain_listing(named, _MOST_NAMED)
