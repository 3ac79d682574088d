"""Cells of a workbook that read as empty: formulas that no program has computed yet, and errors."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from io import BytesIO
from xml.etree.ElementTree import ParseError
from zipfile import ZipFile

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from engine.readers.cell_errors import ErrorCell
from engine.readers.sheet_cells import column_letters
from engine.table.zip_damage import DAMAGED_ENTRY
from engine.wording.notes import Note, notes_about
from engine.wording.phrases import for_count, plain_listing

_FORMULA_WITHOUT_VALUE = (
    rb'<c r="%b[0-9]++"[^>]*+>\s*+<f[^>]*+>(?:[^<]*+</f>)?+\s*+(?:<v\s*+/>|<v>\s*+</v>)?+\s*+</c>'
)
_NOT_COMPUTED = (
    "Column '{name}' holds formulas without computed values, so it is empty here. Open the workbook in a "
    "spreadsheet program, save it there, and open it again."
)
_SEVERAL_NOT_COMPUTED = (
    "{count} columns hold formulas without computed values, so they are empty here: {names}. Open the "
    "workbook in a spreadsheet program, save it there, and open it again."
)


_ERROR_IN = "{count} cell of column '{name}' holds an error ({errors}). It is read as missing."
_ERRORS_IN = "{count} cells of column '{name}' hold an error ({errors}). They are read as missing."
_ERRORS = "Cells of {count} columns hold errors, such as #N/A. They are read as missing: {names}."


def notes_about_formulas(text: bytes, empty: Mapping[str, str]) -> list[Note]:
    """Say which empty columns of a sheet hold formulas, as programs write them that compute nothing."""
    sentences = {
        name: _NOT_COMPUTED.format(name=name)
        for letters, name in empty.items()
        if re.search(_FORMULA_WITHOUT_VALUE % letters.encode(), text)
    }
    return notes_about("formulas", sentences, _SEVERAL_NOT_COMPUTED)


def notes_about_errors(
    cells: Iterable[ErrorCell], names: Mapping[str, str], rows: Container[int]
) -> list[Note]:
    """Say in which columns of a sheet, by their letters, cells of some rows hold errors."""
    errors: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        name = names.get(column_letters(cell.column))
        if name is not None and cell.row + 1 in rows:
            errors[name].append(cell.error)
    sentences = {
        name: for_count(len(found), _ERROR_IN, _ERRORS_IN).format(
            count=len(found), name=name, errors=plain_listing(sorted(set(found)), 3)
        )
        for name, found in errors.items()
    }
    return notes_about("formula-errors", sentences, _ERRORS)


def sheet_text(content: bytes, sheet: str) -> bytes:
    """Return the XML of a sheet of Excel 2007 and later; nothing of another workbook."""
    if not content.startswith(b"PK"):
        return b""
    try:
        with ZipFile(BytesIO(content)) as archive:
            book = fromstring(archive.read("xl/workbook.xml"))
            described = next(each for each in book.iter() if each.get("name") == sheet)
            # It has a number of its own too; that of the relation is in a namespace.
            relation = next(value for key, value in described.items() if key.endswith("}id"))
            relations = fromstring(archive.read("xl/_rels/workbook.xml.rels"))
            target = next(each.get("Target", "") for each in relations if each.get("Id") == relation)
            return archive.read(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
    except (*DAMAGED_ENTRY, StopIteration, LookupError, ParseError, DefusedXmlException):
        return b""
