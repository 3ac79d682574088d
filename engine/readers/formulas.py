"""Formulas of a workbook that no program has computed yet: their cells read as empty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from xml.etree.ElementTree import ParseError
from zipfile import ZipFile

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from engine.table.zip_damage import DAMAGED_ENTRY
from engine.wording.notes import Note, notes_about

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


def notes_about_formulas(content: bytes, sheet: str, empty: Mapping[str, str]) -> list[Note]:
    """Say which empty columns of a sheet hold formulas, as programs write them that compute nothing.

    Returns
    -------
    list of Note
        None for a workbook of another kind than that of Excel 2007 and later.
    """
    text = sheet_text(content, sheet) if empty and content.startswith(b"PK") else b""
    sentences = {
        name: _NOT_COMPUTED.format(name=name)
        for letters, name in empty.items()
        if re.search(_FORMULA_WITHOUT_VALUE % letters.encode(), text)
    }
    return notes_about("formulas", sentences, _SEVERAL_NOT_COMPUTED)


def sheet_text(content: bytes, sheet: str) -> bytes:
    """Return the XML of a sheet; nothing where it is not found."""
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
