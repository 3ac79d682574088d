"""What an export speaks of, and its tables as plain cells: what CSV files and spreadsheets hold.

:mod:`engine.discovery.tables` says which columns they have. Several names in one cell
are separated by ``"; "``. A name that itself holds a semicolon, a double quote
or a line break, begins or ends with a space, or is empty, stands between double quotes, and a double
quote inside it is doubled, as RFC 4180 does for cells. :func:`split_names` reads such a cell back.

What is in a file that a large library makes, such as a figure, a workbook or a network, is put together
first, and made into a file apart, in any process: a window in which no such
library was loaded holds some 10 to 50 MB less of each.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.boundaries.markov_boundary import LinkKind
from engine.discovery import columns
from engine.discovery.columns import FindingColumn, Output, ResultTable, Row, Source
from engine.parameters import Choice, Settings, described, parameter
from engine.translation import N_, _
from engine.wording.numbers import exact_p
from engine.wording.shown_names import NAMING_WORDS, USUAL_NAMING, Naming, ShownName, names_shown, shown_names

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.preparation.preparation_settings import PreparationSettings
    from engine.readers.options import ReadingOptions
    from engine.table.dataset import Dataset


@dataclass(frozen=True, slots=True)
class DrawnFile:
    """How such a file is made."""

    # of an analysis or a selection: plain, so that it travels to another process
    content: Callable[[Any], Any]
    draw: Callable[[Any, Path], None]  # writes that to a path; a function of a module, or a part of one

    def write(self, source: Any, path: Path) -> None:
        """Write the file of an analysis or a selection, all of it here."""
        self.draw(self.content(source), path)


@described
@dataclass(frozen=True, slots=True)
class ExportOptions(Settings):
    """Options for all files that are exported.

    Raises
    ------
    InvalidParameter
        If a value is impossible. The message names the setting and the allowed values.

    Examples
    --------
    >>> ExportOptions().guard_formulas
    True
    """

    guard_formulas: bool = parameter(
        True,
        N_("Keep spreadsheets from computing"),
        N_(
            "A spreadsheet treats texts that begin with =, +, -, @ or a tab as formulas. In CSV "
            "files, CLCD puts an apostrophe before such names and texts. Numbers such as -0.5 do "
            "not change."
        ),
    )
    dots_per_inch: int = parameter(
        300,
        N_("Dots per inch"),
        N_("Resolution of the PNG files of figures. Journals ask for 300 to 600."),
        minimum=72,
        maximum=1200,
    )
    figure_width: float | None = parameter(
        None,
        N_("Width of figures (cm)"),
        N_("Printed width of the PNG files of figures: 8.5 fills a column of many journals, 17 a page."),
        minimum=3.0,
        maximum=60.0,
    )
    variable_names: str = parameter(
        USUAL_NAMING.value,
        N_("Names of variables"),
        N_("What reports and figures show of a variable that has a label. Tables for programs have names."),
        choices=tuple(Choice(naming.value, title) for naming, title in NAMING_WORDS.items()),
    )


USUAL_OPTIONS = ExportOptions()


@dataclass(frozen=True, eq=False)
class TableOrigin:
    """Where a table came from, and what was made of it before it was prepared."""

    path: str
    options: ReadingOptions | None = None  # as asked for; without them everything was found out
    recipe: Sequence[Mapping[str, Any]] = ()  # steps that were made in it, as plain values
    labels_path: str | None = None  # a second table that holds the labels


@dataclass(frozen=True, eq=False)
class NamedRun:
    """A run that is put beside another one."""

    name: str
    result: DiscoveryResult
    preparation: PreparationSettings | None = None


@dataclass(frozen=True, eq=False)
class ResultContext:
    """A result, and what it does not hold itself."""

    result: DiscoveryResult
    preparation: PreparationSettings | None = None  # left out of the files when it is not known
    source: Dataset | None = None  # as it was read, for data files; without it the prepared table is written
    report_parts: tuple[str, ...] = ()  # names in their order; empty for the usual ones
    options: ExportOptions = USUAL_OPTIONS
    origin: TableOrigin | None = None  # a script that makes the analysis again needs it
    notes: tuple[tuple[str, str], ...] = ()  # what a person wrote, in Markdown, each with what it is about
    # where variables and labels stand in the graph, as far as chosen
    graph_places: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    compared: tuple[NamedRun, NamedRun] | None = None  # two runs that the report puts side by side
    # of the project, without its background knowledge; None where the order is not known
    earlier_runs: int | None = None

    @property
    def shown_names(self) -> dict[str, ShownName]:
        """What reports and figures show of variables that have a label."""
        return shown_names(self.result.dataset.variables, Naming(self.options.variable_names))

    @property
    def title(self) -> str:
        """What the table is called."""
        return self.result.dataset.name or _("unnamed table")

    @property
    def table(self) -> Dataset:
        """The table whose values go into data files."""
        return self.source or self.result.dataset


Cell = str | int | float | bool | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table ready to be written: texts, numbers, flags, or several names in a cell.

    None is an empty cell.
    """

    title: str  # of a sheet or a section that shows it
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def file_table(table: ResultTable[Source, Row], source: Source) -> WrittenTable:
    """Return a table of a result as it stands in files, in full precision."""
    columns = table.columns_in(Output.FILE, source)
    # Who reads it by a program looks for names.
    with names_shown({}):
        rows = tuple(tuple(file_cell(column, row) for column in columns) for row in table.rows(source))
    return WrittenTable(table.title, tuple(column.key for column in columns), rows)


def file_cell(column: FindingColumn[Row], row: Row) -> Cell:
    """Return what a cell of a file holds: a p-value that underflowed as decimal text."""
    value: Any = column.value(row)
    return exact_p(*value) if column.kind is columns.ContentKind.P_VALUE and value is not None else value


def records(table: ResultTable[Source, Row], source: Source) -> list[dict[str, Any]]:
    """List the rows of a table, a member a column."""
    from engine.codec import number

    def plain(cell: Cell) -> Any:
        if isinstance(cell, tuple):
            return list(cell)
        return number(cell) if isinstance(cell, float) else cell

    columns = table.columns_in(Output.JSON, source)
    with names_shown({}):
        return [
            {column.key: plain(file_cell(column, row)) for column in columns} for row in table.rows(source)
        ]


def stability_table(result: DiscoveryResult) -> WrittenTable:
    """One row for each feature and label found, and for each near miss, with how often they came back."""
    frame = result.found_again
    rows = frame.astype(object).itertuples(index=False, name=None)
    return WrittenTable("Found again", tuple(frame.columns), tuple(rows))


def effect_table(result: DiscoveryResult) -> WrittenTable:
    """One row for each finding, estimand and measure, with its interval and the kind of link."""
    from engine.discovery.effects.size_table import Effects

    frame = (result.effects or Effects(())).table().astype(object)
    kinds = dict.fromkeys((*result.evidence, *result.label_evidence), str(LinkKind.DIRECT))
    kinds |= dict.fromkeys(result.links_through_labels, str(LinkKind.THROUGH_LABELS))
    frame["link"] = [kinds.get(pair) for pair in zip(frame["feature"], frame["label"], strict=True)]
    rows = frame.where(frame.notna(), None).itertuples(index=False, name=None)
    return WrittenTable("Sizes", tuple(frame.columns), tuple(rows))


SEPARATOR = "; "

_NEEDS_QUOTES = re.compile(r'[;"\r\n]|^\s|\s$|^$')


def join_names(names: Iterable[str]) -> str:
    """Put several names into one cell.

    >>> join_names(["happy", "quiet; still"])
    'happy; "quiet; still"'
    """
    return SEPARATOR.join(doubly_quoted(name) if _NEEDS_QUOTES.search(name) else name for name in names)


def split_names(cell: str) -> tuple[str, ...]:
    """Read the names of a cell that :func:`join_names` wrote.

    >>> split_names('happy; "quiet; still"')
    ('happy', 'quiet; still')
    """
    if not cell:
        return ()
    (names,) = csv.reader([unguarded(cell)], delimiter=";", skipinitialspace=True, strict=True)
    return tuple(names)


_COMPUTED = re.compile(r"\'*[=+\-@\t\r].", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def guarded(text: str) -> str:
    """Keep a spreadsheet from computing a text: an apostrophe goes before it. Numbers stay as they are.

    >>> guarded("=1+1"), guarded("-0.5"), guarded("-"), guarded("dose")
    ("'=1+1", '-0.5', '-', 'dose')
    """
    return f"'{text}" if _COMPUTED.match(text) and not _NUMBER.fullmatch(text) else text


def unguarded(text: str) -> str:
    """Return the text that :func:`guarded` was given.

    >>> unguarded(guarded("=1+1")), unguarded(guarded("'=1+1")), unguarded("'dose'")
    ('=1+1', "'=1+1", "'dose'")
    """
    return text[1:] if text.startswith("'") and _COMPUTED.match(text) else text


def doubly_quoted(text: str) -> str:
    """Put a text between double quotes, and double those in it."""
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
