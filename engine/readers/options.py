"""How a file is read: each setting written once; None means "find out"."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Any

from engine.errors import InvalidParameter
from engine.parameters import Choice, Settings, check_parameters, described, parameter
from engine.wording.sentences import choose_one
from engine.wording.setting_names import SettingName, naming_settings, the_setting

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " ", "none": ""}
"""Character between two cells, by the name of the choice; a space stands for any run of blanks."""

DECIMAL_MARKS = {"point": ".", "comma": ","}
QUOTES = {"double": '"', "single": "'", "none": ""}

_ENCODINGS = (
    Choice("utf-8", "UTF-8", "Unicode, the usual one."),
    Choice("utf-16-le", "UTF-16 LE", "Unicode text as Excel saves it."),
    Choice("utf-16-be", "UTF-16 BE"),
    Choice("utf-32-le", "UTF-32 LE"),
    Choice("utf-32-be", "UTF-32 BE"),
    Choice("cp1252", "Windows-1252", "Western Europe, Windows."),
    Choice("iso-8859-1", "Latin-1", "Western Europe, older Unix."),
    Choice("iso-8859-15", "Latin-9", "Western Europe with the euro sign."),
    Choice("cp1250", "Windows-1250", "Central Europe."),
    Choice("cp1251", "Windows-1251", "Cyrillic."),
    Choice("cp1253", "Windows-1253", "Greek."),
    Choice("cp1254", "Windows-1254", "Turkish."),
    Choice("cp1255", "Windows-1255", "Hebrew."),
    Choice("cp1256", "Windows-1256", "Arabic."),
    Choice("cp1257", "Windows-1257", "Baltic languages."),
    Choice("cp1258", "Windows-1258", "Vietnamese."),
    Choice("cp874", "Windows-874", "Thai."),
    Choice("iso-8859-2", "Latin-2", "Central Europe, older Unix."),
    Choice("iso-8859-5", "ISO 8859-5", "Cyrillic, older Unix."),
    Choice("koi8-r", "KOI8-R", "Russian, older Unix."),
    Choice("koi8-u", "KOI8-U", "Ukrainian, older Unix."),
    Choice("mac-roman", "Mac Roman", "Western Europe, old Macintosh."),
    Choice("cp437", "DOS 437", "DOS, United States."),
    Choice("cp850", "DOS 850", "DOS, Western Europe."),
    Choice("cp852", "DOS 852", "DOS, Central Europe."),
    Choice("cp866", "DOS 866", "DOS, Cyrillic."),
    Choice("gb18030", "GB 18030", "Chinese, simplified."),
    Choice("big5", "Big5", "Chinese, traditional."),
    Choice("cp950", "Windows-950", "Chinese, traditional, Windows."),
    Choice("shift_jis", "Shift JIS", "Japanese."),
    Choice("cp932", "Windows-932", "Japanese, Windows."),
    Choice("euc_jp", "EUC-JP", "Japanese, older Unix."),
    Choice("euc-kr", "EUC-KR", "Korean."),
    Choice("cp949", "Windows-949", "Korean, Windows."),
)


FORMAT_CHOICES = {
    choice.value: choice
    for choice in (
        Choice(
            "arff",
            "ARFF (Weka, Mulan, MEKA)",
            "Typed columns, dense or sparse; labels come from a Mulan XML file or a MEKA header.",
        ),
        Choice(
            "delimited",
            "Text table (CSV, TSV)",
            "One row a line; separator, decimal mark, encoding, header and missing codes are found out.",
        ),
        Choice(
            "spreadsheet",
            "Workbook (Excel, LibreOffice)",
            "One sheet of it: the first that holds a table, or the one that is named.",
        ),
        Choice(
            "statistics",
            "SPSS, Stata, SAS",
            "With the names of values as categories; what the file declares missing is missing.",
        ),
        Choice("columnar", "Parquet, Feather", "Typed columns, as data frames are saved."),
        Choice(
            "matlab",
            "MATLAB",
            "A matrix of features and one of labels; labels × rows and -1/1 are recognised.",
        ),
        Choice("sparse-lines", "LIBSVM (sparse text)", "Labels in front of number:value, one row a line."),
        Choice("json", "JSON records", "A list of records, an object of columns, or one record a line."),
        Choice("r", "R data", "A data frame; factors are categories."),
        Choice("project", "Project (CLCD)", "The table of a whole analysis that was saved."),
        Choice(
            "coded",
            "Coded table (larger than memory)",
            "Categories as numbers, mapped from the file instead of read; made by engine.write_coded.",
        ),
    )
}
"""What a person needs to know about each format, in the order in which they are offered."""


_ALL_HIDDEN = "drop-hidden"
"""What earlier versions wrote as `other_rows` where hidden rows and columns are left out."""


@described
@dataclass(frozen=True, slots=True)
class ReadingOptions(Settings):
    """How a file is to be read.

    Every option left at None is inferred from the content, and the inference is reported.
    The separator, decimal mark and quotation mark may also be given as the character itself.
    """

    format: str | None = parameter(
        None,
        "Format",
        "Kind of file; normally known from its extension and content.",
        choices=tuple(FORMAT_CHOICES.values()),
        advanced=True,
    )
    delimiter: str | None = parameter(
        None,
        "Separator",
        "What stands between two cells of a text table.",
        choices=(
            Choice("comma", "Comma"),
            Choice("semicolon", "Semicolon"),
            Choice("tab", "Tab"),
            Choice("bar", "Vertical bar"),
            Choice("space", "Blanks", "One or more spaces or tabs."),
            Choice("none", "Nothing", "The table has a single column."),
        ),
    )
    decimal: str | None = parameter(
        None,
        "Decimal mark",
        "Whether numbers are written 1.5 or 1,5.",
        choices=(Choice("point", "Point (1.5)"), Choice("comma", "Comma (1,5)")),
    )
    quote: str | None = parameter(
        None,
        "Quotation mark",
        "The mark around cells that hold a separator or a line break.",
        choices=(
            Choice("double", 'Double (")'),
            Choice("single", "Single (')"),
            Choice("none", "None", "Quotation marks are ordinary characters."),
        ),
        advanced=True,
    )
    encoding: str | None = parameter(
        None,
        "Encoding",
        "How letters are stored; change it when accents or symbols look wrong.",
        choices=_ENCODINGS,
    )
    sheet: str | None = parameter(
        None, "Sheet", "Which sheet of a workbook, or which table of a file that holds several."
    )
    second_sheet: str | None = parameter(
        None,
        "Sheet to join",
        "Which sheet is joined by what names the rows: of the workbook, or of the second file.",
        advanced=True,
    )
    cells: str | None = parameter(
        None,
        "Range of cells",
        "Which cells of the sheet hold the table, with the names of its columns, such as B3:H200.",
        advanced=True,
    )
    header: bool | None = parameter(
        None, "First row holds names", "Whether the first row names the columns or is already data."
    )
    skip_lines: int | None = parameter(
        None, "Lines to skip", "Lines of titles or remarks before the table begins.", minimum=0
    )
    missing_codes: tuple[str, ...] | None = parameter(
        None,
        "Missing values",
        "Exactly what is written where a value is missing, instead of what is found; an empty cell "
        "always counts, and an empty text alone says that nothing else does.",
    )
    also_missing: tuple[str, ...] | None = parameter(
        None,
        "Also missing",
        "What else is written where a value is missing; COLUMN=TEXT for one column, as in trust=99.",
    )
    not_missing: tuple[str, ...] | None = parameter(
        None,
        "Not missing",
        "What is a value though it often means missing; COLUMN=TEXT for one column, as in region=NA.",
        advanced=True,
    )
    categories: tuple[str, ...] | None = parameter(
        None,
        "Columns of categories",
        "Name of a column whose numbers are codes of categories.",
        advanced=True,
    )
    numbers: tuple[str, ...] | None = parameter(
        None,
        "Columns of numbers",
        "Name of a column whose few whole numbers count or measure something, or whose numbers have a unit "
        "or marks, as 12 h and ca. 40.",
        advanced=True,
    )
    empty_means_no: tuple[str, ...] | None = parameter(
        None,
        "Empty means no",
        "Name of a column of ticks, such as x or nothing, in which an empty cell means no, or of one with "
        "several answers in a cell, in which it means none of them.",
        advanced=True,
    )
    several_answers: tuple[str, ...] | None = parameter(
        None,
        "Several answers in a cell",
        "Name of a column whose cells hold several answers; each answer becomes a column of yes and no.",
        advanced=True,
    )
    ordered: tuple[str, ...] | None = parameter(
        None,
        "Ordered categories",
        "Name of a column whose categories have the order that their words say, as never to always.",
        advanced=True,
    )
    limits: tuple[str, ...] | None = parameter(
        None,
        "Numbers with limits",
        "Name of a column of numbers in which <0.5 is read as half the limit, and >300 as the limit; "
        "COLUMN=NUMBER states another value below the limit.",
        advanced=True,
    )
    ragged: str = parameter(
        "error",
        "Rows of another length",
        "What happens to rows that have more or fewer cells than the table has columns.",
        choices=(
            Choice("error", "Refuse the file", "Say which row it is, so that it can be corrected."),
            Choice("drop", "Leave out the rows", "And report how many."),
        ),
        advanced=True,
    )
    other_rows: str = parameter(
        "drop",
        "Rows that are no cases",
        "What happens to totals, means, repeated headers, rows that a filter hides, repeating "
        "instruments of REDCap, and cells of a sheet that are far away or merged.",
        choices=(
            Choice("drop", "Leave out the rows", "And report which ones."),
            Choice("keep", "Keep the rows", "As rows of data."),
        ),
        advanced=True,
    )
    hidden_rows: str | None = parameter(
        None,
        "Hidden rows",
        "What happens to rows that the workbook hides; by itself, those that a filter hides are left out.",
        choices=(Choice("drop", "Leave out"), Choice("keep", "Read")),
        advanced=True,
    )
    hidden_columns: str | None = parameter(
        None,
        "Hidden columns",
        "What happens to columns that the workbook hides; by itself, they are read.",
        choices=(Choice("drop", "Leave out"), Choice("keep", "Read")),
        advanced=True,
    )
    unfinished: str = parameter(
        "keep",
        "Unfinished answers",
        "What happens to answers that a survey program marks as not finished.",
        choices=(
            Choice("keep", "Keep the rows", "They count as cases, and CLCD reports how many there are."),
            Choice("drop", "Leave out the rows", "CLCD reports how many rows it left out."),
        ),
        advanced=True,
    )
    shape: str = parameter(
        "as-written",
        "Shape of the table",
        "What stands in a row: a case, a gene or other feature, a visit, or a case with all its visits.",
        choices=(
            Choice("as-written", "Not changed", "Each row that is read is a case."),
            Choice("turned", "Turn rows and columns", "Each column is a case, as where genes stand in rows."),
            Choice(
                "long",
                "One row per visit",
                "Columns of one thing at several visits become one column; in REDCap's repeating instruments "
                "each repetition becomes a row.",
            ),
            Choice(
                "wide", "One row per case", "Several rows of a case become one, with a column for each visit."
            ),
        ),
        advanced=True,
    )
    code_book: str | None = parameter(
        None,
        "Sheet with meanings of codes",
        "Which sheet of a workbook says what the codes in columns of the table mean.",
        advanced=True,
    )

    def __post_init__(self) -> None:
        self._translate("delimiter", DELIMITERS)
        self._translate("decimal", DECIMAL_MARKS)
        self._translate("quote", QUOTES)
        if isinstance(self.encoding, str):
            object.__setattr__(self, "encoding", _codec_name(self.encoding))
        if self.other_rows == _ALL_HIDDEN:
            object.__setattr__(self, "other_rows", "drop")
            for name in ("hidden_rows", "hidden_columns"):
                object.__setattr__(self, name, getattr(self, name) or "drop")
        check_parameters(self)
        if self.missing_codes is not None:
            # An empty cell counts anyway, so that a single empty text says that nothing else does.
            object.__setattr__(self, "missing_codes", tuple(filter(None, self.missing_codes)))
            for code in self.missing_codes:
                if code.find("=") > 0:
                    raise InvalidParameter(
                        f"{code!r} names one column, and these stand for missing in all.",
                        place=the_setting("missing_codes"),
                        remedy=naming_settings(
                            "Use {setting} instead.", setting=SettingName("also_missing", code)
                        ),
                    )

    def _translate(self, name: str, characters: dict[str, str]) -> None:
        """Accept the character itself in place of the name of the choice."""
        value = getattr(self, name)
        for choice, character in characters.items():
            if value is not None and value == character:
                object.__setattr__(self, name, choice)


def make_options(values: dict[str, Any]) -> ReadingOptions:
    """Make options from keyword arguments."""
    fields_by_name = ReadingOptions.__dataclass_fields__
    for name in values:
        if name not in fields_by_name:
            raise InvalidParameter(
                "there is no such option for reading a file.",
                place=the_setting(name),
                remedy=choose_one(fields_by_name),
            )
    return ReadingOptions(**values)


def _codec_name(name: str) -> str:
    """Return the name under which a codec is offered; unknown names stay, for the check to refuse."""
    try:
        canonical = codecs.lookup(name).name
    except LookupError:
        return name
    offered = {codecs.lookup(choice.value).name: choice.value for choice in _ENCODINGS}
    return offered.get(canonical, name)
