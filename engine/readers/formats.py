"""Every file format that can be read, and the module that reads it.

A new format is one module with a function ``read(source, options, row_limit) -> Table``, one entry here and
one choice of :class:`~engine.readers.options.ReadingOptions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from engine.execution.memory import limited_memory
from engine.readers.options import FORMAT_CHOICES, ReadingOptions
from engine.translation import _

if TYPE_CHECKING:
    from engine.readers.reading import Beginning, Table
    from engine.readers.source import Source


@dataclass(frozen=True, slots=True)
class Format:
    """What a person needs to know about a format, and where its reader is."""

    name: str  # value of `ReadingOptions.format`
    extensions: tuple[str, ...]  # lower case with the dot; each may be followed by .gz, .bz2, .xz or .zip
    entry_point: str  # module and function of the reader, with a colon between; imported when first used
    # one of which every file has, or it is of another format; empty where that cannot be told
    beginnings: tuple[bytes, ...] = ()
    # fields of ReadingOptions that decide how it is read, besides those of every format
    options: tuple[str, ...] = ()
    may_crash: bool = False  # a library reads it, which a damaged file may end, or have ask for all memory

    @property
    def title(self) -> str:
        """Name for a person."""
        return FORMAT_CHOICES[self.name].title

    @property
    def help(self) -> str:
        """One sentence."""
        return FORMAT_CHOICES[self.name].help

    def read(self, source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
        """Read a file of this format, or its first `row_limit` rows."""
        module, function = self.entry_point.split(":")
        reader = cast("Callable[..., Table]", getattr(import_module(module), function))
        with limited_memory() if self.may_crash else nullcontext():
            return reader(source, options, row_limit)

    def first_rows(self, source: Source, options: ReadingOptions) -> Beginning | None:
        """Give the first rows as they are written; None where a format has no rows that could be shown so."""
        reader = getattr(import_module(self.entry_point.partition(":")[0]), "first_rows", None)
        return None if reader is None else cast("Callable[..., Beginning]", reader)(source, options)


_MISSING = ("missing_codes", "also_missing", "not_missing")

_FORMATS = (
    Format(
        "arff",
        (".arff",),
        "engine.readers.arff:read",
        options=("encoding", "other_rows"),
    ),
    Format(
        "delimited",
        (".csv", ".tsv", ".tab", ".txt", ".data", ".dat"),
        "engine.readers.delimited:read",
        options=(
            "delimiter",
            "decimal",
            "quote",
            "encoding",
            "header",
            "skip_lines",
            *_MISSING,
            "ragged",
            "other_rows",
        ),
    ),
    Format(
        "spreadsheet",
        (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
        "engine.readers.spreadsheets:read",
        (b"PK\x03\x04", b"\xd0\xcf\x11\xe0"),
        (
            *("sheet", "cells", "header", "skip_lines", "decimal", *_MISSING),
            *("other_rows", "hidden_rows", "hidden_columns", "code_book"),
        ),
        may_crash=True,
    ),
    Format(
        "statistics",
        (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"),
        "engine.readers.statistics_files:read",
        options=("encoding", "decimal", *_MISSING, "other_rows"),
        may_crash=True,
    ),
    Format(
        "columnar",
        (".parquet", ".pq", ".feather", ".arrow"),
        "engine.readers.columnar:read",
        (b"PAR1", b"ARROW1", b"FEA1"),
        ("decimal", *_MISSING, "other_rows"),
        may_crash=True,
    ),
    Format(
        "matlab",
        (".mat",),
        "engine.readers.matlab:read",
        options=("sheet", "decimal", *_MISSING),
        may_crash=True,
    ),
    Format(
        "sparse-lines",
        (".svm", ".libsvm", ".svmlight"),
        "engine.readers.sparse_lines:read",
        options=_MISSING,
    ),
    Format(
        "json",
        (".json", ".jsonl", ".ndjson"),
        "engine.readers.json_records:read",
        options=("encoding", "decimal", *_MISSING, "other_rows"),
    ),
    Format(
        "r",
        (".rds", ".rdata", ".rda"),
        "engine.readers.r_data:read",
        options=("sheet", "decimal", *_MISSING, "other_rows"),
        may_crash=True,
    ),
    Format(
        "project",
        (".clcd",),
        "engine.readers.own_files:read_project",
    ),
    Format(
        "coded",
        (".coded",),
        "engine.readers.own_files:read_coded",
    ),
)


def formats() -> dict[str, Format]:
    """Return every format by name, in the order in which they are offered."""
    return {file_format.name: file_format for file_format in _FORMATS}


def format_of(source: Source, options: ReadingOptions) -> Format:
    """Tell the format of a file: as told, by its extension, or by how it begins."""
    if options.format is not None:
        return formats()[options.format]
    beginning = source.beginning()
    for file_format in _FORMATS:
        is_so_named = source.extension in file_format.extensions and file_format.name != "delimited"
        if is_so_named and (not file_format.beginnings or beginning.startswith(file_format.beginnings)):
            return file_format
    for file_format in _FORMATS:
        if file_format.beginnings and beginning.startswith(file_format.beginnings):
            return file_format
    content, _ = source.read(line_limit=1)
    _refuse_other_kinds(source, content)
    return formats()[_format_of_text(content)]


_OF_WORKBOOKS = (".xls", ".xlsx", ".xlsm")
_WEB_ARCHIVE = b"mime-version:"


def _refuse_other_kinds(source: Source, content: bytes) -> None:
    """Say what a file is that this program knows, and that holds no table."""
    from engine.errors import UnreadableFile
    from engine.readers.source import begins_like_markup

    # Without the zeros of UTF-16.
    start = content.lstrip(b"\xef\xbb\xbf\xff\xfe").replace(b"\0", b"").lstrip()
    if source.extension == ".bif" or re.match(rb"network\s+\S{1,200}\s*\{", start):
        raise UnreadableFile(
            _("this is a Bayesian network without rows."),
            place=source.place,
            remedy=_("Draw rows from it with clcd simulate, and open these."),
        )
    if source.extension in _OF_WORKBOOKS and (
        begins_like_markup(start) or start[: len(_WEB_ARCHIVE)].lower() == _WEB_ARCHIVE
    ):
        raise UnreadableFile(
            _(
                "this is a web page or XML with the name ending {extension}, not a workbook.",
                extension=source.extension,
            ),
            place=source.place,
            remedy=_("Open it in a spreadsheet program, save it as .xlsx or CSV, and open that."),
        )
    if begins_like_markup(start):
        is_label_file = b"<labels" in start[: 1 << 16]
        raise UnreadableFile(
            _("this file names labels, but holds no rows.")
            if is_label_file
            else _("this is XML or HTML, not a table."),
            place=source.place,
            remedy=_("Open the table that belongs to it; the labels are then offered.")
            if is_label_file
            else _("Save the table as CSV or as a workbook and open that."),
        )


def _format_of_text(content: bytes) -> str:
    content = content.removeprefix(b"\xef\xbb\xbf")
    lines = (line.lstrip().lower() for line in content[: 1 << 16].splitlines())
    if next((line for line in lines if line and not line.startswith(b"%")), b"").startswith(b"@relation"):
        return "arff"
    if content.lstrip()[:2].rstrip() in (b"[{", b"[", b'{"'):
        return "json"
    first = content.split(b"\n", 1)[0].strip()
    is_sparse = len(first) < 1 << 20 and _SPARSE_LINE.fullmatch(first) is not None
    return "sparse-lines" if is_sparse else "delimited"


_SPARSE_LINE = re.compile(rb"[-+0-9.,eE]*(?: [0-9]+:[-+0-9.eE]+)+ *(?:#.*)?")
