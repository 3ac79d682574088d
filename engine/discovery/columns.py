"""What a column of a table of findings is: declared once, read by data frames, files and the window.

:mod:`engine.discovery.tables` declares the tables. A column says where it stands (:class:`Output`), what it
holds (`value`) and of which :class:`ContentKind` that is, from which follows how it is written, sorted and
drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from engine.discovery.evidence import Evidence
from engine.discovery.findings import Findings
from engine.independence.record import TestRecord
from engine.translation import N_, _
from engine.wording.glossary import term
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.shown_names import shown_name, whole_name

if TYPE_CHECKING:
    import pandas

Row = TypeVar("Row")
Source = TypeVar("Source")


class PValue(NamedTuple):
    """A p-value, which may have underflowed, and its natural logarithm, which does not."""

    p_value: float
    log_p: float


class Output(Flag):
    """Where a column stands: data frames of the result, CSV and Excel files, ``result.json``, the window."""

    FRAME = auto()
    FILE = auto()
    JSON = auto()
    WINDOW = auto()
    EVERYWHERE = FRAME | FILE | JSON | WINDOW


class ContentKind(Enum):
    """What a column holds; None stands for what is not known or does not apply."""

    TEXT = auto()
    NAME = auto()
    NAMES = auto()
    LABELS = auto()
    COUNT = auto()
    NUMBER = auto()
    SHARE = auto()
    P_VALUE = auto()
    FLAG = auto()

    @property
    def is_number(self) -> bool:
        """Whether it stands at the right, and the greatest comes first when sorted by a click."""
        return self in (ContentKind.COUNT, ContentKind.NUMBER, ContentKind.SHARE, ContentKind.P_VALUE)


def always(source: object) -> bool:
    """Tell that a column is there whatever the table is made of."""
    return True


def was_repeated(findings: Findings) -> bool:
    """Tell whether it is known how often findings were found again."""
    return findings.stability is not None


def was_measured(findings: Findings) -> bool:
    """Tell whether it is known how large findings are."""
    return findings.effects is not None


@dataclass(frozen=True, slots=True)
class FindingColumn(Generic[Row]):
    """One column of a table of findings; `text` to `copied` take a row and (except `order`) a writer."""

    key: str  # its name in data frames and files
    # a text, names, a number, a flag or a :class:`PValue`; None where it is not known
    value: Callable[[Row], Any]
    kind: ContentKind = ContentKind.TEXT  # a share is between 0 and 1, and the window draws it as a bar
    title: str = ""  # its heading in the window; `help` is the sentence, or sentences, that say what it means
    help: str | tuple[str, ...] = ""
    outputs: Output = Output.EVERYWHERE
    # whether a result has it, as that needs a search that was repeated
    is_known: Callable[[Any], bool] = always
    # of a cell in the window, where that is not the plain value of its kind
    text: Callable[[Row, NumberWriter], str] | None = None
    # of a cell that says something of each label, a text a label: each stands in a line of its own
    lines: Callable[[Row, NumberWriter], tuple[str, ...]] | None = None
    # of what stands smaller behind or below each line: the event of a label, the interval of an estimate
    details: Callable[[Row, NumberWriter], tuple[str, ...]] | None = None
    shares: Callable[[Row], tuple[float, ...]] | None = None  # of a share that each label has
    order: Callable[[Row], float | str] | None = None  # what the window sorts by, where that is not the value
    tooltip: Callable[[Row, NumberWriter], str] | None = None  # of a cell, where that is not its whole text
    # the longest text that the column of a share may hold: bars have one length
    longest: Callable[[Row, NumberWriter], str] | None = None
    copied: Callable[[Row, NumberWriter], str] | None = None  # of a cell, where it has no room for the whole

    @property
    def heading(self) -> str:
        """The title in the language of the person."""
        return _(self.title)

    @property
    def meaning(self) -> str:
        """The help in the language of the person."""
        return " ".join(map(_, (self.help,) if isinstance(self.help, str) else self.help))

    def cell_text(self, row: Row, numbers: NumberWriter = ENGLISH) -> str:
        """Return the text of a cell, as a person reads it; empty where nothing is known."""
        if self.text is not None:
            return self.text(row, numbers)
        if self.lines is not None and self.kind not in (ContentKind.LABELS, ContentKind.SHARE):
            return "; ".join(self.whole_lines(row, numbers))
        value = self.value(row)
        return "" if value is None else _written(value, self.kind, numbers)

    def cell_lines(self, row: Row, numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
        """Return the lines of a cell, one a label; empty where the cell is one text."""
        return () if self.lines is None else self.lines(row, numbers)

    def cell_details(self, row: Row, numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
        """Return what stands smaller with each line of a cell, empty texts among it; empty where nothing."""
        details = () if self.details is None else self.details(row, numbers)
        return details if any(details) else ()

    def whole_lines(self, row: Row, numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
        """Return the lines of a cell, each with what stands smaller with it."""
        lines, details = self.cell_lines(row, numbers), self.cell_details(row, numbers)
        if self.kind is ContentKind.LABELS:
            lines = tuple(map(shown_name, lines))
        if not details or not lines:
            return lines
        return tuple(f"{line} {detail}".rstrip() for line, detail in zip(lines, details, strict=True))

    def copied_text(self, row: Row, numbers: NumberWriter = ENGLISH) -> str:
        """Return the text of a cell as it is copied."""
        return self.cell_text(row, numbers) if self.copied is None else self.copied(row, numbers)

    def cell_order(self, row: Row) -> float | str:
        """Return the number or text by which rows are sorted; what is not known is the least."""
        if self.order is not None:
            return self.order(row)
        if not self.kind.is_number:
            return self.cell_text(row)
        value = self.value(row)
        if value is None:
            return -math.inf
        return float(value.log_p if self.kind is ContentKind.P_VALUE else value)

    def cell_tooltip(self, row: Row, numbers: NumberWriter = ENGLISH) -> str:
        """Return the whole of a cell, and of a number what it means."""
        if self.tooltip is not None:
            return self.tooltip(row, numbers)
        text = self.cell_text(row, numbers)
        if self.kind.is_number:
            return f"{self.meaning}\n{_('Here {text}.', text=text)}" if text else ""
        value = self.value(row)
        if self.kind is ContentKind.NAME:
            return whole_name(str(value))
        return "\n".join(map(whole_name, value)) if isinstance(value, tuple) else text

    def cell_share(self, row: Row) -> float | None:
        """Return how full the bar of a cell is, from 0 to 1; None where no bar is drawn."""
        value = self.value(row) if self.kind is ContentKind.SHARE else None
        return None if value is None else float(value)

    def line_shares(self, row: Row) -> tuple[float, ...]:
        """Return how full the bar of each label is; empty where the row has one bar."""
        return () if self.shares is None else self.shares(row)

    def longest_text(self, row: Row, numbers: NumberWriter = ENGLISH) -> str:
        """Return the longest text beside a bar."""
        return numbers.strength(0.88) if self.longest is None else self.longest(row, numbers)


def _written(value: Any, kind: ContentKind, numbers: NumberWriter) -> str:
    if kind is ContentKind.P_VALUE:
        return numbers.p(*value)
    if kind is ContentKind.FLAG:
        return _("yes") if value else _("no")
    writers = {
        ContentKind.COUNT: numbers.count,
        ContentKind.NUMBER: numbers.statistic,
        ContentKind.SHARE: numbers.strength,
    }
    if kind in writers:
        return writers[kind](value)
    if kind in (ContentKind.NAME, ContentKind.NAMES, ContentKind.LABELS):
        return ", ".join(map(shown_name, (value,) if isinstance(value, str) else value))
    return ", ".join(value) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True, slots=True)
class ResultTable(Generic[Source, Row]):
    """A table of findings, or of what else a source gives rows of."""

    title: str  # of a sheet that shows it, in English as all names in files
    # of :class:`engine.discovery.findings.Findings`, or selected features
    rows: Callable[[Source], Iterable[Row]]
    # in the window's order; elsewhere after `leading`, so that a new one moves none
    columns: tuple[FindingColumn[Row], ...]
    # keys of the columns that come first in an output
    leading: Mapping[Output, tuple[str, ...]] = field(default_factory=dict)
    essential: int = 0  # columns that a person should see in the window without scrolling

    def columns_in(self, output: Output, source: Source | None = None) -> tuple[FindingColumn[Row], ...]:
        """Return the columns of one output, in its order; with `source` only those that are known there."""
        leading = {key: number for number, key in enumerate(self.leading.get(output, ()))}
        chosen = (column for column in self.columns if output in column.outputs)
        known_columns = (column for column in chosen if source is None or column.is_known(source))
        return tuple(sorted(known_columns, key=lambda column: leading.get(column.key, len(leading))))

    def frame(self, source: Source) -> pandas.DataFrame:
        """Return the table as a data frame; numbers that are not known are NaN, and texts empty."""
        import pandas

        columns = self.columns_in(Output.FRAME, source)
        cells = [[_frame_cell(column, row) for column in columns] for row in self.rows(source)]
        table = pandas.DataFrame(cells, columns=[column.key for column in columns])
        numbers = (ContentKind.NUMBER, ContentKind.SHARE, ContentKind.P_VALUE)
        return table.astype({column.key: "float64" for column in columns if column.kind in numbers})


def _frame_cell(column: FindingColumn[Row], row: Row) -> Any:
    value = column.value(row)
    if value is None:
        return "" if column.kind in (ContentKind.TEXT, ContentKind.NAME) else None
    return value.p_value if column.kind is ContentKind.P_VALUE else value


def p_value_of(test: TestRecord) -> PValue:
    """Return the p-value of a test with its logarithm."""
    return PValue(test.p_value, test.log_p)


def test_column(
    key: str,
    kind: ContentKind,
    test_of: Callable[[Row], TestRecord | None],
    value: Callable[[TestRecord], object] = p_value_of,
    title: str = "",
    help_text: str | tuple[str, ...] = "",
    outputs: Output = Output.FILE,
    without: object = None,
) -> FindingColumn[Row]:
    """Return the column of what a test of each row says; `without` stands where a row has none."""

    def of_row(row: Row) -> object:
        test = test_of(row)
        return without if test is None else value(test)

    return FindingColumn(key, of_row, kind, title, help_text, outputs)


def given_of(test: TestRecord) -> tuple[str, ...]:
    """Return what a test conditions on."""
    return test.given


def figures_of_deciding_test(
    reason_of: Callable[[Row], Evidence | None], outputs: Output = Output.FILE
) -> tuple[FindingColumn[Row], ...]:
    """Return the columns of the deciding test, if any; p-value and conditioning set in `outputs`."""

    def deciding(row: Row) -> TestRecord | None:
        reason = reason_of(row)
        return None if reason is None else reason.deciding

    return (
        test_column("statistic", ContentKind.NUMBER, deciding, attrgetter("statistic")),
        test_column("dof", ContentKind.NUMBER, deciding, attrgetter("dof")),
        test_column("p_value", ContentKind.P_VALUE, deciding, p_value_of, "p", _DECIDING_HELP, outputs),
        test_column("log_p", ContentKind.NUMBER, deciding, attrgetter("log_p")),
        test_column("rows", ContentKind.COUNT, deciding, attrgetter("rows")),
        test_column("given", ContentKind.NAMES, deciding, given_of, N_("Given"), _GIVEN_HELP, outputs),
    )


def figures_of_marginal_test(
    reason_of: Callable[[Row], Evidence],
    log_q_of: Callable[[Row], float | None],
    outputs: Output = Output.FILE,
) -> tuple[FindingColumn[Row], ...]:
    """Return the columns of the test with an empty conditioning set; all but the log q-value in `outputs`."""

    def marginal(row: Row) -> TestRecord | None:
        return reason_of(row).marginal

    def q_value(row: Row) -> PValue | None:
        log_q = log_q_of(row)
        return None if log_q is None else PValue(math.exp(log_q), log_q)

    p, strength = (ContentKind.P_VALUE, marginal, p_value_of), (ContentKind.SHARE, marginal)
    effect = attrgetter("effect")
    return (
        test_column("marginal_p_value", *p, N_("Marginal p"), _MARGINAL_HELP, outputs),
        test_column("marginal_log_p", ContentKind.NUMBER, marginal, attrgetter("log_p")),
        FindingColumn("q_value", q_value, ContentKind.P_VALUE, N_("Marginal q"), _Q_VALUE_HELP, outputs),
        test_column(
            "marginal_strength", *strength, effect, N_("Marginal strength"), MARGINAL_STRENGTH_HELP, outputs
        ),
    )


_DECIDING_HELP = term("deciding-test").definition
_GIVEN_HELP = N_(
    "The variables that the deciding test conditions on; empty for the marginal test. If a score "
    "added a spouse, the label is among them, because that test is about the variable between them."
)
_MARGINAL_HELP = N_("p-value of the association of the two without conditioning.")
_Q_VALUE_HELP = N_(
    "Marginal p, corrected for all variables tested with the label (Benjamini and Hochberg's false discovery "
    "rate)."
)
MARGINAL_STRENGTH_HELP = N_(
    "Strength of the association of the two without conditioning, from 0 (none) to 1."
)
