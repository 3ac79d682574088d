"""How a file is read: each setting written once; None means "find out"."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Any

from engine.errors import InvalidParameter
from engine.parameters import Choice, Settings, check_parameters, described, parameter
from engine.translation import N_, _
from engine.wording.sentences import choose_one
from engine.wording.setting_names import SettingName, naming_settings, the_setting

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " ", "none": ""}
"""Character between two cells, by the name of the choice; a space stands for any run of blanks."""

DECIMAL_MARKS = {"point": ".", "comma": ","}
QUOTES = {"double": '"', "single": "'", "none": ""}

_ENCODINGS = (
    Choice("utf-8", "UTF-8", N_("Unicode, the usual one.")),
    Choice("utf-16-le", "UTF-16 LE", N_("Unicode text as Excel saves it.")),
    Choice("utf-16-be", "UTF-16 BE"),
    Choice("utf-32-le", "UTF-32 LE"),
    Choice("utf-32-be", "UTF-32 BE"),
    Choice("cp1252", "Windows-1252", N_("Western Europe, Windows.")),
    Choice("iso-8859-1", "Latin-1", N_("Western Europe, older Unix.")),
    Choice("iso-8859-15", "Latin-9", N_("Western Europe with the euro sign.")),
    Choice("cp1250", "Windows-1250", N_("Central Europe.")),
    Choice("cp1251", "Windows-1251", N_("Cyrillic.")),
    Choice("cp1253", "Windows-1253", N_("Greek.")),
    Choice("cp1254", "Windows-1254", N_("Turkish.")),
    Choice("cp1255", "Windows-1255", N_("Hebrew.")),
    Choice("cp1256", "Windows-1256", N_("Arabic.")),
    Choice("cp1257", "Windows-1257", N_("Baltic languages.")),
    Choice("cp1258", "Windows-1258", N_("Vietnamese.")),
    Choice("cp874", "Windows-874", N_("Thai.")),
    Choice("iso-8859-2", "Latin-2", N_("Central Europe, older Unix.")),
    Choice("iso-8859-5", "ISO 8859-5", N_("Cyrillic, older Unix.")),
    Choice("koi8-r", "KOI8-R", N_("Russian, older Unix.")),
    Choice("koi8-u", "KOI8-U", N_("Ukrainian, older Unix.")),
    Choice("mac-roman", "Mac Roman", N_("Western Europe, old Macintosh.")),
    Choice("cp437", "DOS 437", N_("DOS, United States.")),
    Choice("cp850", "DOS 850", N_("DOS, Western Europe.")),
    Choice("cp852", "DOS 852", N_("DOS, Central Europe.")),
    Choice("cp866", "DOS 866", N_("DOS, Cyrillic.")),
    Choice("gb18030", "GB 18030", N_("Chinese, simplified.")),
    Choice("big5", "Big5", N_("Chinese, traditional.")),
    Choice("cp950", "Windows-950", N_("Chinese, traditional, Windows.")),
    Choice("shift_jis", "Shift JIS", N_("Japanese.")),
    Choice("cp932", "Windows-932", N_("Japanese, Windows.")),
    Choice("euc_jp", "EUC-JP", N_("Japanese, older Unix.")),
    Choice("euc-kr", "EUC-KR", N_("Korean.")),
    Choice("cp949", "Windows-949", N_("Korean, Windows.")),
)


FORMAT_CHOICES = {
    choice.value: choice
    for choice in (
        Choice(
            "arff",
            "ARFF (Weka, Mulan, MEKA)",
            N_("Typed columns, dense or sparse; labels come from a Mulan XML file or a MEKA header."),
        ),
        Choice(
            "delimited",
            N_("Text table (CSV, TSV)"),
            N_(
                "One row per line. CLCD recognises separator, decimal mark, encoding, header and "
                "missing codes."
            ),
        ),
        Choice(
            "spreadsheet",
            N_("Workbook (Excel, LibreOffice)"),
            N_("One sheet of it: the first that holds a table, or the one that is named."),
        ),
        Choice(
            "statistics",
            "SPSS, Stata, SAS",
            N_("Value labels become categories. Values declared as missing are missing."),
        ),
        Choice("columnar", "Parquet, Feather", N_("Typed columns, as data frames are saved.")),
        Choice(
            "matlab",
            "MATLAB",
            N_("A matrix of features and one of labels; labels × rows and -1/1 are recognised."),
        ),
        Choice(
            "sparse-lines", N_("LIBSVM (sparse text)"), N_("Labels in front of number:value, one row a line.")
        ),
        Choice(
            "json", N_("JSON records"), N_("A list of records, an object of columns, or one record a line.")
        ),
        Choice("r", N_("R data"), N_("A data frame; factors are categories.")),
        Choice("project", N_("Project (CLCD)"), N_("The table of a whole analysis that was saved.")),
        Choice(
            "coded",
            N_("Coded table (larger than memory)"),
            N_("Categories as numbers, mapped from the file instead of read; made by engine.write_coded."),
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
        N_("Format"),
        N_("Kind of file. CLCD recognises it from the extension and the content."),
        choices=tuple(FORMAT_CHOICES.values()),
        advanced=True,
    )
    delimiter: str | None = parameter(
        None,
        N_("Separator"),
        N_("The character between two cells of a text table."),
        choices=(
            Choice("comma", N_("Comma")),
            Choice("semicolon", N_("Semicolon")),
            Choice("tab", N_("Tab")),
            Choice("bar", N_("Vertical bar")),
            Choice("space", N_("Blanks"), N_("One or more spaces or tabs.")),
            Choice("none", N_("Nothing"), N_("The table has a single column.")),
        ),
    )
    decimal: str | None = parameter(
        None,
        N_("Decimal mark"),
        N_("Whether numbers are written 1.5 or 1,5."),
        choices=(Choice("point", N_("Point (1.5)")), Choice("comma", N_("Comma (1,5)"))),
    )
    quote: str | None = parameter(
        None,
        N_("Quotation mark"),
        N_("The mark around cells that hold a separator or a line break."),
        choices=(
            Choice("double", N_('Double (")')),
            Choice("single", N_("Single (')")),
            Choice("none", N_("None"), N_("Quotation marks are ordinary characters.")),
        ),
        advanced=True,
    )
    encoding: str | None = parameter(
        None,
        N_("Encoding"),
        N_("How letters are stored. Change it if accents or symbols look wrong."),
        choices=_ENCODINGS,
    )
    sheet: str | None = parameter(
        None, N_("Sheet"), N_("Which sheet of a workbook, or which table of a file that holds several.")
    )
    second_sheet: str | None = parameter(
        None,
        N_("Sheet to join"),
        N_(
            "The sheet to join, from the workbook or the second file. CLCD matches rows by their identifiers."
        ),
        advanced=True,
    )
    cells: str | None = parameter(
        None,
        N_("Range of cells"),
        N_("Which cells of the sheet hold the table, with the names of its columns, such as B3:H200."),
        advanced=True,
    )
    header: bool | None = parameter(
        None, N_("First row holds names"), N_("Whether the first row names the columns or is already data.")
    )
    skip_lines: int | None = parameter(
        None, N_("Lines to skip"), N_("Lines of titles or remarks before the table begins."), minimum=0
    )
    missing_codes: tuple[str, ...] | None = parameter(
        None,
        N_("Missing values"),
        N_(
            "Texts that mean missing, instead of those that CLCD recognises. An empty cell always "
            "means missing. One empty text means that nothing else does."
        ),
    )
    also_missing: tuple[str, ...] | None = parameter(
        None,
        N_("Also missing"),
        N_("Further texts that mean missing; COLUMN=TEXT for one column, as in trust=99."),
    )
    not_missing: tuple[str, ...] | None = parameter(
        None,
        N_("Not missing"),
        N_(
            "Texts that are values although they often mean missing; COLUMN=TEXT for one column, as in "
            "region=NA."
        ),
        advanced=True,
    )
    categories: tuple[str, ...] | None = parameter(
        None,
        N_("Columns of categories"),
        N_("Name of a column whose numbers are codes of categories."),
        advanced=True,
    )
    numbers: tuple[str, ...] | None = parameter(
        None,
        N_("Columns of numbers"),
        N_(
            "Name of a column to read as numbers: few whole numbers that count or measure "
            "something, or numbers with a unit or marks, such as 12 h."
        ),
        advanced=True,
    )
    empty_means_no: tuple[str, ...] | None = parameter(
        None,
        N_("Empty means no"),
        N_(
            "Name of a column in which an empty cell is an answer. In a column of ticks, such as x "
            "or empty, it means “no”. In a column with several answers in a cell, it means none of "
            "them."
        ),
        advanced=True,
    )
    filled_down: tuple[str, ...] | None = parameter(
        None,
        N_("Groups named once"),
        N_(
            "Name of a column that names a group in its first row alone; each empty cell below takes the "
            "value above it."
        ),
        advanced=True,
    )
    several_answers: tuple[str, ...] | None = parameter(
        None,
        N_("Several answers in a cell"),
        N_("Name of a column whose cells hold several answers; each answer becomes a column of yes and no."),
        advanced=True,
    )
    ordered: tuple[str, ...] | None = parameter(
        None,
        N_("Ordered categories"),
        N_("Name of a column whose categories have the order of their words, such as never to always."),
        advanced=True,
    )
    limits: tuple[str, ...] | None = parameter(
        None,
        N_("Numbers with limits"),
        N_(
            "Name of a column of numbers in which <0.5 is read as half the limit, and >300 as the "
            "limit. COLUMN=NUMBER states another value for numbers below the limit."
        ),
        advanced=True,
    )
    ragged: str = parameter(
        "error",
        N_("Rows of another length"),
        N_("What happens to rows that have more or fewer cells than the table has columns."),
        choices=(
            Choice("error", N_("Refuse the file"), N_("The error names the row.")),
            Choice("drop", N_("Leave out the rows"), N_("And report how many.")),
        ),
        advanced=True,
    )
    other_rows: str = parameter(
        "drop",
        N_("Rows that are not cases"),
        N_(
            "What happens to totals, means, repeated headers, rows hidden by a filter, and "
            "repeating instruments of REDCap. Also to cells of a sheet that are far away or merged."
        ),
        choices=(
            Choice("drop", N_("Leave out the rows"), N_("And report which ones.")),
            Choice("keep", N_("Keep the rows"), N_("As rows of data.")),
        ),
        advanced=True,
    )
    hidden_rows: str | None = parameter(
        None,
        N_("Hidden rows"),
        N_("What happens to rows that the workbook hides. By default, rows hidden by a filter are left out."),
        choices=(Choice("drop", N_("Leave out")), Choice("keep", N_("Read"))),
        advanced=True,
    )
    hidden_columns: str | None = parameter(
        None,
        N_("Hidden columns"),
        N_("What happens to columns that the workbook hides. By default, they are read."),
        choices=(Choice("drop", N_("Leave out")), Choice("keep", N_("Read"))),
        advanced=True,
    )
    unfinished: str = parameter(
        "keep",
        N_("Unfinished answers"),
        N_("What happens to answers that a survey program marks as not finished."),
        choices=(
            Choice(
                "keep", N_("Keep the rows"), N_("They count as cases, and CLCD reports how many there are.")
            ),
            Choice("drop", N_("Leave out the rows"), N_("CLCD reports how many rows it left out.")),
        ),
        advanced=True,
    )
    shape: str = parameter(
        "as-written",
        N_("Shape of the table"),
        N_("What stands in a row: a case, a gene or other feature, a visit, or a case with all its visits."),
        choices=(
            Choice("as-written", N_("Not changed"), N_("Each row that is read is a case.")),
            Choice(
                "turned",
                N_("Turn rows and columns"),
                N_("Each column is a case, as where genes stand in rows."),
            ),
            Choice(
                "long",
                N_("One row per visit"),
                N_(
                    "Columns of one thing at several visits become one column; in REDCap's repeating "
                    "instruments each repetition becomes a row."
                ),
            ),
            Choice(
                "wide",
                N_("One row per case"),
                N_("Several rows of a case become one, with a column for each visit."),
            ),
        ),
        advanced=True,
    )
    code_book: str | None = parameter(
        None,
        N_("Sheet with meanings of codes"),
        N_("Which sheet of a workbook says what the codes in columns of the table mean."),
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
                        _(
                            "{code!r} names one column, but these codes mean missing in all columns.",
                            code=code,
                        ),
                        place=the_setting("missing_codes"),
                        remedy=naming_settings(
                            _("Set {setting} instead."), setting=SettingName("also_missing", code)
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
                _("there is no such option for reading a file."),
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
