"""Tables as CSV and Excel files, in which no name can act as a formula; and what TeX is told: names, BibTeX.

Lines end with a line feed. A missing value is an empty cell. Several names in one cell are separated as
:mod:`engine.reporting.tables` says. In CSV an apostrophe goes before what a spreadsheet would compute,
unless a person wants every name to the letter; Excel files can say that a text is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.atomic import TemporaryFolder, no_temporary_file
from engine.discovery import tables
from engine.discovery.columns import ResultTable
from engine.errors import InvalidData
from engine.reporting.sentences.method import references
from engine.reporting.tables import (
    USUAL_OPTIONS,
    Cell,
    DrawnFile,
    ExportOptions,
    ResultContext,
    WrittenTable,
    doubly_quoted,
    file_table,
    guarded,
    join_names,
    stability_table,
)
from engine.translation import _
from engine.wording.phrases import visible

if TYPE_CHECKING:
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

    from engine.discovery.result import DiscoveryResult


_NEEDS_QUOTES = re.compile('[,"\\r\\n]')


def csv_writer_of(
    table: ResultTable[Any, Any],
    findings_of: Callable[[DiscoveryResult], Any] = attrgetter("findings"),
) -> Callable[[ResultContext, Path], None]:
    """Return the function that writes one of the tables of a result, of direct links unless said."""
    return table_writer_of(lambda result: file_table(table, findings_of(result)))


def table_writer_of(
    table_of: Callable[[DiscoveryResult], WrittenTable],
) -> Callable[[ResultContext, Path], None]:
    """Return the function that writes a table that is made of a result."""

    def write(analysis: ResultContext, path: Path) -> None:
        write_table(table_of(analysis.result), path, analysis.options)

    return write


def write_table(table: WrittenTable, path: Path, options: ExportOptions = USUAL_OPTIONS) -> None:
    """Write a table."""
    write_rows(path, table.columns, (map(_text, row) for row in table.rows), options)


def write_rows(
    path: Path,
    columns: Iterable[str],
    rows: Iterable[Iterable[str]],
    options: ExportOptions = USUAL_OPTIONS,
) -> None:
    """Write a header and rows of texts."""
    to_text = guarded if options.guard_formulas else str
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        for row in chain((columns,), rows):
            # A row of one empty cell would else be a blank line, which readers skip.
            file.write((",".join(_quoted(to_text(cell)) for cell in row) or '""') + "\n")


def _quoted(cell: str) -> str:
    """Quote a cell where needed; the csv module would leave a lone carriage return bare."""
    return doubly_quoted(cell) if _NEEDS_QUOTES.search(cell) else cell


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, tuple):
        return join_names(cell)
    if isinstance(cell, float):
        return repr(float(cell))
    return str(cell)


MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = 1_048_576, 16_384, 32_767
_LOOKS_LIKE_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_WIDEST_COLUMN, _NARROWEST_COLUMN = 60, 9
_ROWS_THAT_SET_THE_WIDTH = 200

Sheet = tuple[str, Iterable[Sequence[Any]]]

# Links are the one table that counts those through other labels too.
_SHEETS: tuple[ResultTable[Any, Any], ...] = (
    tables.COMMON,
    tables.LABEL_SPECIFIC,
    tables.ALL_EQUIVALENCES,
    tables.LABEL_RELATIONS,
    tables.DIRECTIONS,
    tables.EVIDENCE,
    tables.FEATURES,
)


def _sheets_of_tables(analysis: ResultContext) -> list[Sheet]:
    """Return every table as a sheet of its own, after one that says what the file holds."""
    from engine.reporting.sentences.method import about_rows

    sheets = [file_table(table, analysis.result.findings) for table in _SHEETS]
    sheets.append(file_table(tables.LINKS, analysis.result.total_findings))
    if analysis.result.label_groups:
        sheets.append(file_table(tables.LABEL_GROUPS, analysis.result.label_groups))
    if analysis.result.stability is not None:
        sheets.append(stability_table(analysis.result))
    return [("About", about_rows(analysis)), *map(as_sheet, sheets)]


def _sheet_of_features(analysis: ResultContext) -> list[Sheet]:
    """Return the causal features with their labels as one sheet."""
    return [as_sheet(file_table(tables.FEATURES, analysis.result.findings))]


def write_workbook(sheets: Sequence[Sheet], path: Path) -> None:
    """Write sheets, each a title and rows of texts, numbers, flags or names; the first is the header."""
    from lxml.etree import LxmlError
    from openpyxl import Workbook

    workbook = Workbook(write_only=True)
    # What cannot be written is then an error of this file alone: a half-written archive complains once more.
    content = BytesIO()
    try:
        with TemporaryFolder() as folder:
            try:
                for number, (title, rows) in enumerate(sheets):
                    sheet = workbook.create_sheet(title)
                    _write_sheet(sheet, title, list(rows), folder / f"{number}.xml")
                workbook.save(content)
            except BaseException:
                _let_go(workbook.worksheets)
                raise
    except (OSError, LxmlError) as error:
        raise no_temporary_file(error) from error
    path.write_bytes(content.getbuffer())


TABLES_WORKBOOK = DrawnFile(_sheets_of_tables, write_workbook)
FEATURE_WORKBOOK = DrawnFile(_sheet_of_features, write_workbook)
"""How the Excel files of an analysis are made."""


def _let_go(sheets: Iterable[WriteOnlyWorksheet]) -> None:
    """Close sheets that cannot be written, which would complain of it when they are forgotten."""
    for sheet in sheets:
        for part in (sheet, sheet._writer):
            with suppress(Exception):
                part.close()


def as_sheet(table: WrittenTable) -> Sheet:
    """Return a table as a sheet."""
    return table.title, [table.columns, *table.rows]


def _write_sheet(sheet: WriteOnlyWorksheet, title: str, rows: list[Sequence[Any]], draft: Path) -> None:
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet._writer import ALL_TEMP_FILES, WorksheetWriter

    _check_size(title, rows)
    for position, width in enumerate(_widths(rows), start=1):
        sheet.column_dimensions[get_column_letter(position)].width = width
    sheet.freeze_panes = "B2"
    if len(rows) > 1:
        sheet.auto_filter.ref = f"A1:{get_column_letter(len(rows[0]))}{len(rows)}"
    # A file of its own choice would lie about for ever after this process is killed.
    ALL_TEMP_FILES.append(str(draft))
    sheet._writer = WorksheetWriter(sheet, str(draft))
    sheet._writer.write_top()
    for position, row in enumerate(rows):
        sheet.append([_cell(sheet, value, header=position == 0) for value in row])


def _cell(sheet: WriteOnlyWorksheet, value: Any, *, header: bool) -> Any:
    """Make a cell; a text stays a text, even when it begins like a formula or looks like an error."""
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    if isinstance(value, tuple):
        value = join_names(value)
    if isinstance(value, float) and not -float("inf") < value < float("inf"):
        value = str(value)
    if not isinstance(value, str):
        return value
    text = visible(value)
    if len(text) > MOST_CHARACTERS:
        text = text[: MOST_CHARACTERS - 1] + "…"
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    if text.startswith(_LOOKS_LIKE_A_FORMULA):
        cell.quotePrefix = True
    if header:
        cell.font = Font(bold=True)
    return cell


def _widths(rows: list[Sequence[Any]]) -> list[int]:
    widths = [_NARROWEST_COLUMN] * len(rows[0])
    for row in rows[:_ROWS_THAT_SET_THE_WIDTH]:
        for position, value in enumerate(row):
            text = join_names(value) if isinstance(value, tuple) else str(value)
            length = 10 if isinstance(value, float) else len(text) + 2
            widths[position] = min(max(widths[position], length), _WIDEST_COLUMN)
    return widths


def _check_size(title: str, rows: list[Sequence[Any]]) -> None:
    columns = len(rows[0])
    if len(rows) > MOST_ROWS or columns > MOST_COLUMNS:
        raise InvalidData(
            _(
                "{count:,} rows and {columns:,} columns are more than Excel holds ({most_rows:,} and "
                "{most_columns:,}).",
                count=len(rows),
                columns=columns,
                most_rows=MOST_ROWS,
                most_columns=MOST_COLUMNS,
            ),
            place=_("sheet '{title}'", title=title),
            remedy=_("Export it as CSV."),
        )


# "Meek (1995), Title, Where": family names, a year, and a title without commas.
_NAME = r"[A-ZÀ-Þ][\w'’.-]*"
_SOURCE = re.compile(
    rf"(?P<authors>{_NAME}(?:(?:, | and ){_NAME}| and others)*) \((?P<year>\d{{4}})\)"
    r"(?:, (?P<title>.+?), (?P<where>.+))?$"
)
_KEY = re.compile(r"[^a-z0-9]+")
_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # The fonts of old have other signs in the places of these: an exclamation mark on its head for "<".
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def in_tex(text: str) -> str:
    r"""Write a text so that TeX shows it and runs nothing in it.

    >>> print(in_tex("50 % of a_b & {c} > 60"))
    50 \% of a\_b \& \{c\} \textgreater{} 60
    """
    return "".join(_TEX.get(letter, letter) for letter in text)


def bibtex(source: str) -> str:
    """Write a source, as this program cites it, as an entry of BibTeX.

    >>> print(bibtex("Meek (1995), Causal inference, UAI, 403-410"))
    @misc{meek1995causal,
      author = {Meek},
      year = {1995},
      title = {{Causal inference}},
      howpublished = {UAI, 403-410},
    }
    """
    match = _SOURCE.search(source)
    if match is None:
        authors, _, title = source.partition(", Multi-label")
        fields = (
            {"note": source} if not title else {"author": _authors(authors), "title": f"Multi-label{title}"}
        )
        words = source
    else:
        fields = {"author": _authors(match["authors"]), "year": match["year"]}
        if match["title"]:
            fields |= {"title": match["title"], "howpublished": match["where"]}
        first, *_ = re.split(r"[, ]", match["authors"])
        words = f"{first}{match['year']}{(match['title'] or '').partition(' ')[0]}"
    key = _KEY.sub("", words.lower())[:_LONGEST_KEY]
    lines = [f"  {name} = {{{_field(name, value)}}}," for name, value in fields.items()]
    return "\n".join((f"@misc{{{key},", *lines, "}"))


_LONGEST_KEY = 40


def _field(name: str, value: str) -> str:
    # Titles keep their capitals between a second pair of braces.
    return f"{{{in_tex(value)}}}" if name == "title" else in_tex(value)


def _authors(listed: str) -> str:
    return " and ".join(re.split(r", | and ", listed)).replace("and others and ", "and ")


def write_bibtex(analysis: ResultContext, path: Path) -> None:
    """Write the literature that the method rests on as entries of BibTeX, each once."""
    sources = [
        source for cited in references(analysis.result) for source in re.split(r"; (?=[^;]*\(\d{4}\))", cited)
    ]
    entries = dict.fromkeys(map(bibtex, sources))
    path.write_text("\n\n".join(entries) + "\n", encoding="utf-8", newline="\n")
