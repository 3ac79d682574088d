"""Where a table begins among the lines of a file or the rows of a sheet, and what names its columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.readers.case_rows import are_words_but_for_the_first, plain_name
from engine.readers.cell_text import ALWAYS_MISSING, is_missing, is_number
from engine.readers.dialect import usual_width
from engine.readers.near_numbers import marks_on_number
from engine.readers.options import ReadingOptions
from engine.readers.orange_header import Declared, declared_columns, declared_in_names
from engine.readers.question_rows import QuestionRow, question_row, questions_below, survey_rows_of
from engine.readers.reading import NO_CASES, TITLES, UNITS, Beginning, Guess, Record, numbered_names
from engine.readers.summary_words import names_summary
from engine.translation import N_, _, for_count
from engine.wording.notes import Note
from engine.wording.numbers import counted
from engine.wording.phrases import plain_listing

_AROUND = "\ufeff \t"
_MOST_HEADER_ROWS = 5
_ROWS_COMPARED = 200
_MARKS_OF_REMARKS = ("#", "!")
_ROWS_FOR_SURE = 10
_LONGEST_COUNT = 9
"""Digits beyond which a cell is no number of a column; also keeps the conversion cheap."""


@dataclass(frozen=True, slots=True)
class TextLayout:
    """Where things stand in a text table."""

    names: tuple[str, ...]  # possibly empty or repeated
    first_line: int  # line in the file on which the table begins, with its header
    first_data_line: int  # line on which the first row of data begins; 0 when there is none
    has_header: bool
    least_cells: int  # that a row must have; those beyond hold nothing in the rows looked at
    row_names: bool = False  # the first column has no name because it holds names of rows, as R writes them
    survey_rows: int = 0  # below the names, in which a survey program repeats its questions and keys
    header: tuple[tuple[str, ...], ...] = ()  # rows of the header as they are written
    odd_row: str = ""  # what stands in the first row of data where that may be a second row of names
    leaves_odd_row: bool = False  # it is left out, because several columns of numbers have text there
    declared: tuple[Declared, ...] = ()  # what two rows below the names, or the names, say of each column
    titles: tuple[str, ...] = ()  # what stands above the table where that is no table for certain
    declares_in_names: bool = False  # the names say so, and not two rows below
    # names without what a row of units adds to them; empty where there is no such row
    without_units: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()  # what stands above the names, over several columns each
    question_row: QuestionRow | None = None
    questions: tuple[str, ...] = ()  # what a survey program repeats below the names; empty where it is a name

    def question(self, position: int) -> str:
        """Return what a survey program asks in a column; empty where nothing says so."""
        return self.questions[position] if position < len(self.questions) else ""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is left out above and below the names, and what should be."""
        notes = []
        if self.titles:
            written = plain_listing([f"'{title}'" for title in self.titles])
            notes.append(Note(TITLES, for_count(len(self.titles), _TITLE, _TITLES).format(titles=written)))
        if self.headings:
            are_part = any(name.startswith(f"{self.headings[0]} ") for name in self.names)
            sentence = _(_HEADINGS_JOINED) if are_part else _(_HEADINGS)
            notes.append(Note("headings", sentence.format(example=self.headings[0])))
        if self.question_row is not None:
            notes.append(self.question_row.note)
        pairs = zip(self.without_units, self.names, strict=False)
        changed = [(plain, name) for plain, name in pairs if plain and plain != name]
        if changed:
            plain, named = zip(*changed, strict=True)
            notes.append(Note(UNITS, _(_UNITS, example=named[0]), "", plain, named))
        if self.survey_rows:
            left_out = for_count(self.survey_rows, _SURVEY_ROW, _SURVEY_ROWS)
            notes.append(Note("survey-rows", left_out.format(count=self.survey_rows)))
        if self.leaves_odd_row:
            notes.append(Note(NO_CASES, _(_SECOND_NAMES_LEFT_OUT, example=self.odd_row)))
        elif self.odd_row:
            notes.append(Note("second-names", _(_SECOND_NAMES, example=self.odd_row)))
        return tuple(notes)


_TITLE = N_("Above the names of the columns stands {titles}. It is taken for a title.")
_TITLES = N_("Above the names of the columns stand {titles}. They are taken for titles.")
_HEADINGS = N_(
    "Above the names stand headings over several columns, such as '{example}'. They are left out, as the "
    "names below differ."
)
_HEADINGS_JOINED = N_(
    "Above the names stand headings over several columns, such as '{example}'. They are part of the names."
)
_SECOND_NAMES = N_(
    "The first row below the names, with '{example}', has no number in any column that holds numbers but for "
    "it. If it is a second row of names or questions, take it out of the file: such columns are read as "
    "categories because of it."
)
_SECOND_NAMES_LEFT_OUT = N_(
    "Left out: the first row below the names, with '{example}', as a second row of names or units. It has "
    "text in all columns that hold numbers but for it."
)
_UNITS = N_("Below the names stands a row of units. Each unit becomes part of its name, as in '{example}'.")
_SURVEY_ROW = N_("Below the names, {count} row with the keys of Qualtrics is left out.")
_SURVEY_ROWS = N_(
    "Below the names, {count} rows with the questions and keys of Qualtrics are left out. The questions "
    "describe the columns."
)


def sniff_layout(records: Sequence[Record], options: ReadingOptions) -> tuple[TextLayout, tuple[Guess, ...]]:
    """Find the beginning of the table and its header."""
    full_width = usual_width(records)
    width = _used_width(records, full_width)
    first = 0 if options.skip_lines is not None else _first_row(records, width)
    start = first if options.skip_lines is not None else _behind_marked_lines(records, first, width)
    are_marked = start > first
    lacks_name = start > 0 and not all(map(str.strip, records[start].cells[:width]))
    if lacks_name and _headings_over_several(records[start - 1 : start + _ROWS_COMPARED], width):
        # A name stands beside the headings, in their row.
        start -= 1
    start, row_names = _include_short_header(records, start, width)
    table = _without_repeats(_without_rule(_without_summaries(records[start : start + _ROWS_COMPARED])))
    titles: tuple[str, ...] = ()
    guesses: list[Guess] = []
    if start > 0:
        skipped = table[0].line - 1
        reason = (
            _("The first line is a title or remark: the table begins on line 2.")
            if skipped == 1
            else _(
                "The first {count} lines are remarks: the table begins on line {line}.",
                count=skipped,
                line=skipped + 1,
            )
        )
        titles = _titles(records[:start], table[0], width)
        guesses.append(Guess("skip_lines", str(skipped), reason, certain=bool(titles) or are_marked))
    survey_rows = 0 if options.header is False else survey_rows_of(table)
    declared = () if options.header is False or row_names else declared_columns(table, width)
    may_have_headings = not (options.header is False or row_names or survey_rows or declared)
    answers = question_row(table, width) if may_have_headings else None
    headings = _headings_over_several(table, width) if may_have_headings and answers is None else None
    if options.header is None:
        if row_names:
            reason = _("The first row is one cell shorter, so the first column holds row names.")
            has_header, certain = True, True
        elif declared:
            has_header, reason, certain = True, _("Types and roles stand below the first row."), True
        elif survey_rows:
            has_header, reason, certain = True, _("Keys of Qualtrics stand below the first row."), True
        elif answers is not None:
            has_header, reason, certain = True, _("Answers stand below the row with the questions."), True
        elif headings:
            has_header, reason, certain = True, _("Headings stand above the row with the names."), True
        else:
            has_header, reason, certain = _judge_header(table, width)
        guesses.append(Guess("header", "yes" if has_header else "no", reason, certain))
    else:
        has_header = options.header
    if not has_header:
        first = table[0].line
        return TextLayout(numbered_names(full_width), first, first, False, width, titles=titles), tuple(
            guesses
        )
    above_names = headings or (answers is not None and answers.names)
    rows = 1 if survey_rows or declared else 2 if above_names else _header_row_count(table, width)
    has_units = rows > 1 and not survey_rows and not above_names and _is_row_of_units(table, width)
    names = _join_names([table[0], _units_of(table[1])] if has_units else table[:rows], full_width)
    if above_names:
        names = (*above_names, *[""] * (full_width - width))
    without_units = _join_names(table[:1], full_width) if has_units and not row_names else ()
    header = tuple(row.cells for row in table[:rows])
    rows += 2 if declared else survey_rows
    in_names = not declared and not row_names
    if in_names:
        names, declared = declared_in_names(names)
    if row_names:
        names = ("row names", *names[: full_width - 1])
        header = tuple(("", *cells) for cells in header)
    odd = _texts_above_numbers(table[rows:], width)
    # Where cases stand in columns, a row of texts holds what group each is of.
    are_groups = bool(odd) and _are_groups_of_columns(table[rows], odd, width)
    keeps_odd = options.other_rows == "keep" or options.shape == "turned" or are_groups
    leaves_odd = len(odd) >= _FEWEST_TEXTS and not keeps_odd
    rows += leaves_odd
    first_line = table[rows].line if len(table) > rows else 0
    layout = TextLayout(
        names,
        table[0].line,
        first_line,
        True,
        width,
        row_names,
        survey_rows,
        header,
        odd[0] if odd and not are_groups else "",
        leaves_odd,
        declared,
        titles,
        in_names and bool(declared),
        without_units,
        _headings_in(table, width) if headings else (),
        answers,
        questions_below(table[0], table[1]) if survey_rows > 1 else (),
    )
    return layout, tuple(guesses)


def _headings_in(table: Sequence[Record], width: int) -> tuple[str, ...]:
    """Return what stands in the first row above a name, and is none itself."""
    pairs = zip(table[0].cells[:width], table[1].cells, strict=False)
    return tuple(above.strip() for above, below in pairs if above.strip() and below.strip())


def _headings_over_several(table: Sequence[Record], width: int) -> tuple[str, ...] | None:
    """Return the names of columns under headings that each stand over several; None without such."""
    if len(table) <= _MOST_HEADER_ROWS:
        return None
    above, below = ([cell.strip(_AROUND) for cell in row.cells[:width]] for row in table[:2])
    if len(above) < width or len(below) < width or any(map(is_number, (*below, *above))):
        return None
    has_name = [bool(upper or lower) for upper, lower in zip(above, below, strict=True)]
    spans = [not upper and bool(lower) for upper, lower in zip(above, below, strict=True)]
    begins_span = any(above[place] and below[place] and spans[place + 1] for place in range(width - 1))
    if not all(has_name) or not begins_span:
        return None
    columns = [[row.cells[place] for row in table[2:] if place < len(row.cells)] for place in range(width)]
    # Below a question of SurveyMonkey stand the answers that may be ticked, which come back in the rows.
    are_answers = any(_column_vote(*pair) == -1 for pair in zip(below, columns, strict=True) if pair[0])
    names = _names_below_headings(above, below)
    if are_answers or len(set(names)) < width:
        return None
    has_header, _, is_certain = _judge_header([Record(table[1].line, names), *table[2:]], width)
    return names if has_header and is_certain else None


def _names_below_headings(above: Sequence[str], below: Sequence[str]) -> tuple[str, ...]:
    """Return the names below headings, or beside them, with the headings before them where names repeat."""
    names = [lower or upper for upper, lower in zip(above, below, strict=True)]
    if len(set(names)) == len(names):
        return tuple(names)
    heading, joined = "", []
    for upper, lower in zip(above, below, strict=True):
        heading = upper or heading
        joined.append(f"{heading} {lower}".strip() if lower else upper)
        if not lower:
            heading = ""
    return tuple(joined)


_RULE = re.compile(r"[-=+:|]+")


def _without_rule(table: Sequence[Record]) -> Sequence[Record]:
    """Leave out a line of dashes below the names, as databases and Markdown draw it."""
    cells = [cell.strip() for cell in table[1].cells if cell.strip()] if len(table) > 2 else []
    lengths = [len(cell) for cell in cells if _RULE.fullmatch(cell)]
    is_rule = len(lengths) == len(cells) > 0 and 2 * sum(length > 1 for length in lengths) >= len(cells)
    return [table[0], *table[2:]] if is_rule else table


def _without_summaries(table: Sequence[Record]) -> Sequence[Record]:
    """Leave out last rows of totals, means or remarks, in which 53.4 ± 18.0 is no number of a column."""
    end = len(table)
    while end > _MOST_HEADER_ROWS:
        filled = [cell.strip() for cell in table[end - 1].cells if cell.strip()]
        if len(filled) > 1 and not names_summary(filled[0]):
            break
        end -= 1
    return table[:end]


def _without_repeats(table: Sequence[Record]) -> Sequence[Record]:
    """Leave out rows that repeat the first one where that has a word above numbers, as a header does."""
    first = [cell.strip(_AROUND) for cell in table[0].cells]
    start = int(are_words_but_for_the_first(first))
    names = list(map(plain_name, first[start:]))
    repeats = [
        place
        for place, record in enumerate(table)
        if place > 0
        and len(record.cells) == len(first)
        and all(plain_name(cell) == name for cell, name in zip(record.cells[start:], names, strict=True))
    ]
    # Titles above repeated names and units below them are as little to judge by.
    beside = [
        place
        for place in {repeat + step for repeat in repeats for step in (-1, 1)}
        if _MOST_HEADER_ROWS < place < len(table) and not any(map(is_number, table[place].cells))
    ]
    left_out = {0, *repeats, *beside}
    others = [record for place, record in enumerate(table) if place not in left_out]
    if not repeats or not others:
        return table
    columns = (
        [row.cells[place] for row in others if place < len(row.cells)] for place in range(len(table[0].cells))
    )
    is_header = any(
        _column_vote(name.strip(), cells) == 1 for name, cells in zip(table[0].cells, columns, strict=True)
    )
    return [table[0], *others] if is_header else table


def _used_width(records: Sequence[Record], width: int) -> int:
    """Leave out columns at the end that hold nothing or a remark: some programs end rows in separators."""
    rows = [record.cells for record in records if len(record.cells) >= width]
    width = _end_of_filled(rows, width)
    while (before := _before_remark(rows, width)) < width:
        width = before
    return width


def _end_of_filled(rows: Sequence[Sequence[str]], width: int) -> int:
    while width > 1 and not any(row[width - 1].strip() for row in rows):
        width -= 1
    return width


def _before_remark(rows: Sequence[Sequence[str]], width: int) -> int:
    """Return the width without a last column of one cell, right of an empty one and below a full row."""
    filled = [place for place, row in enumerate(rows) if row[width - 1].strip()]
    before = _end_of_filled(rows, width - 1) if len(filled) == 1 else width
    if not 1 < before < width - 1 or len(rows) < _FEWEST_BESIDE_REMARK:
        return width
    is_below_names = any(all(map(str.strip, row[:before])) for row in rows[: filled[0]])
    return before if is_below_names else width


_FEWEST_BESIDE_REMARK = 5


def _first_row(records: Sequence[Record], width: int) -> int:
    """Skip titles: rows of another width, or with little but their first cells."""
    for position, record in enumerate(records):
        surplus = record.cells[width:]
        if len(record.cells) >= width and not any(map(str.strip, surplus)) and not _is_title(record, width):
            return position
    return 0


def _behind_marked_lines(records: Sequence[Record], first: int, width: int) -> int:
    """Skip lines that begin with # or ! above the names; a single one only if numbers follow them."""
    start = first
    while start < len(records) and _is_marked_or_blank(records[start]):
        start += 1
    if start in (first, len(records)):
        return first
    names = [cell.strip() for cell in records[start].cells[:width]]
    if len(names) < width or any(not name or is_number(name) for name in names):
        return first
    if start - first > 1:
        return start
    has_header, _, is_certain = _judge_header(records[start : start + _ROWS_COMPARED], width)
    return start if has_header and is_certain else first


def _is_marked_or_blank(record: Record) -> bool:
    begins = record.cells[0].strip(_AROUND) if record.cells else ""
    return begins.startswith(_MARKS_OF_REMARKS) or not any(map(str.strip, record.cells))


def _is_title(record: Record, width: int) -> bool:
    """Tell whether a row of the right width is text that a spreadsheet filled up with separators."""
    if width == 1:
        return record.cells[0].startswith("#")
    filled = [bool(cell.strip()) for cell in record.cells[:width]]
    count = sum(filled)
    if count == 1 and width > 2:
        return not is_number(record.cells[filled.index(True)])
    return count < max(2, (width + 1) // 2) and all(filled[:count]) and not is_number(record.cells[0])


def _titles(above: Sequence[Record], header: Record, width: int) -> tuple[str, ...]:
    """Return one or two lines that are titles for certain: names or a blank line must follow."""
    if len(above) > _MOST_TITLES or width < 2:
        return ()
    texts = []
    for record in above:
        filled = [place for place, cell in enumerate(record.cells) if cell.strip()]
        first = next((place for place, cell in enumerate(header.cells) if cell.strip()), 0)
        if len(filled) != 1 or filled[0] > first or is_number(record.cells[filled[0]].strip()):
            return ()
        texts.append(record.cells[filled[0]].strip(_AROUND))
    names = [cell.strip(_AROUND) for cell in header.cells[:width]]
    are_names = all(names[first:]) and len(set(names)) == len(names) and not any(map(is_number, names))
    return tuple(texts) if are_names or header.line > above[-1].line + 1 else ()


_MOST_TITLES = 2


def _include_short_header(records: Sequence[Record], start: int, width: int) -> tuple[int, bool]:
    """Return the first row of a table, and whether it is a header one cell short, as R writes it."""
    if start == 0 or width < 3:
        return start, False
    cells = records[start - 1].cells
    if len(cells) != width - 1 or not all(cell.strip() and not is_number(cell) for cell in cells):
        return start, False
    return start - 1, True


_SPEAKS_FOR_NAMES = N_("{count} column suggests that the first row holds names; {against} suggest otherwise.")
_SPEAK_FOR_NAMES = N_("{count} columns suggest that the first row holds names; {against} suggest otherwise.")


def _judge_header(table: Sequence[Record], width: int) -> tuple[bool, str, bool]:
    """Compare the first row with the rows below: (has a header, reason, certain)."""
    first, body = _filled_columns(table, width)
    if not body:
        has_numbers = any(is_number(cell) for cell in first)
        return not has_numbers, _("There is only one row."), False
    if _is_numbering(first) and not _continues_numbering(first, body):
        return True, _("The first row counts up, as names of columns can."), len(first) > 5
    if _is_scale(first, body):
        return True, _("The first row has numbers in regular steps; the rows below do not."), True
    if _are_all_names(table, width):
        return True, _("The first rows have text above columns of numbers."), True
    if _names_all_but_row_names(first, body):
        return True, _("The first row names every column but the first, which names the rows."), True
    votes = [_column_vote(first[place], [row[place] for row in body]) for place in range(len(first))]
    ticks = _ticked_with_names(first, body) if -1 in votes else []
    for place in ticks:
        votes[place] = 0
    in_favour, against = votes.count(1), votes.count(-1)
    if against == 0 and in_favour > 0:
        return (
            True,
            _("The first row has text above {columns} of numbers.", columns=counted(in_favour, "column")),
            True,
        )
    if ticks and against == 0:
        return True, _(_TICKED, name=first[ticks[0]]), len(body) >= _ROWS_FOR_SURE
    in_favour += len(ticks)
    if against > 0 and in_favour == 0:
        return False, _("The first row looks like the rows below it."), True
    if in_favour or against:
        speak = for_count(in_favour, _SPEAKS_FOR_NAMES, _SPEAK_FOR_NAMES)
        return in_favour >= against, speak.format(count=in_favour, against=against), False
    if _stands_beside_numbers(first, body):
        return True, _("The first row has words, and no number above columns of numbers."), False
    if len(set(first)) < len(first) or not all(first):
        return False, _("The cells of the first row are not distinct names."), False
    reason = _("The cells of the first row are distinct and do not recur below.")
    is_certain = _all_come_back(body, len(first)) or _is_unlike_rows(first, body)
    return True, reason, len(body) >= _ROWS_FOR_SURE and is_certain


_TICKED = N_("Columns such as '{name}' hold nothing below the first row but what stands there, or no value.")


def _ticked_with_names(first: Sequence[str], body: Sequence[Sequence[str]]) -> list[int]:
    """Return the columns below distinct words that hold their own name or nothing, as survey tools tick."""
    if len(set(first)) < len(first) or any(not name or is_number(name) or is_missing(name) for name in first):
        return []
    columns = ({row[place].strip() for row in body} for place in range(len(first)))
    # A column without gaps may be one that does not vary, in a table without names.
    return [
        place
        for place, (name, cells) in enumerate(zip(first, columns, strict=True))
        if name in cells and len(cells) > 1 and all(cell == name or is_missing(cell) for cell in cells)
    ]


def _names_all_but_row_names(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row is as R and pandas write it: no name above the names of rows."""
    names, row_names = first[1:], [row[0].strip() for row in body]
    if first[0] or not names or not all(row_names) or len(set(row_names)) < len(row_names):
        return False
    if names == [_NAME_OF_A_SERIES]:
        is_numbered = row_names == [str(number) for number in range(1, len(body) + 1)]
        return is_numbered and all(is_number(row[1].strip()) for row in body)
    if len(set(names)) < len(names) or (len(names) == 1 and not _are_numbered_alike(row_names)):
        return False
    return not any(not name or is_number(name) or is_missing(name) for name in names)


def _are_numbered_alike(texts: Sequence[str]) -> bool:
    """Tell whether several texts are the same but for a number at their end, as V1 and V2 are."""
    stems = {text.rstrip("0123456789") for text in texts}
    return len(texts) > 2 and len(stems) == 1 and all(text[-1].isdecimal() for text in texts)


_NAME_OF_A_SERIES = "x"
"""What R calls the only column that it writes."""


def _filled_columns(table: Sequence[Record], width: int) -> tuple[list[str], list[Sequence[str]]]:
    """Return the first row and the long enough ones below, without columns that hold nothing."""
    rows = [record.cells for record in table if len(record.cells) >= width]
    used = [place for place in range(width) if any(row[place].strip() for row in rows)]
    first = [table[0].cells[place].strip() if place < len(table[0].cells) else "" for place in used]
    body: list[Sequence[str]] = [record.cells for record in table[1:] if len(record.cells) >= width]
    if len(used) == width:
        return first, body
    return first, [[row[place] for place in used] for row in body]


def _are_all_names(table: Sequence[Record], width: int) -> bool:
    """Tell whether the first two rows have texts and no number above columns of numbers."""
    if _has_number_above_numbers((*table[1:2], table[0]), table[_MOST_HEADER_ROWS:], width):
        return False
    numeric = _numeric_columns(table, width)
    for row in ([cell.strip() for cell in record.cells] for record in table[:2]):
        filled = [row[position] for position in numeric if position < len(row) and row[position]]
        if len(filled) < 2 or any(is_number(cell) or is_missing(cell) for cell in filled):
            return False
    return True


def _all_come_back(body: Sequence[Sequence[str]], width: int) -> bool:
    """Tell whether every column holds few values over and over: another word in the first row is a name."""
    return all(2 * len({row[position] for row in body}) <= len(body) for position in range(width))


def _is_unlike_rows(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Tell whether a data row would hardly ever hold new words where the first row does.

    Chances of new values: the share of values that occur once (Good and Turing), columns taken as
    independent.
    """
    chance = 1.0
    for place, name in enumerate(first):
        if is_number(name) or is_missing(name):
            continue
        counts = Counter(row[place].strip() for row in body)
        new = sum(count == 1 for count in counts.values())
        words = sum(count for cell, count in counts.items() if not is_number(cell))
        chance *= max(_LEAST_CHANCE, (1 + min(new, words)) / (1 + len(body)))
        if chance < _HARDLY_EVER:
            return True
    return False


# Two columns alone do not decide: their values may be linked.
_LEAST_CHANCE = 0.05
_HARDLY_EVER = 0.001


def _stands_beside_numbers(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Tell whether words stand in the first row, and nothing above some columns of numbers."""
    filled = [place for place, cell in enumerate(first) if cell]
    if not filled or any(_may_be_value(first[place], [row[place] for row in body]) for place in filled):
        return False
    unnamed = [place for place, cell in enumerate(first) if not cell]
    return any(all(is_number(row[place]) for row in body) for place in unnamed)


def _may_be_value(cell: str, column: Sequence[str]) -> bool:
    """Tell whether a cell is a number or means missing; R calls a column "x", which may mean missing too."""
    if is_number(cell) or cell in ALWAYS_MISSING:
        return True
    return is_missing(cell) and (not cell.isalpha() or cell in {text.strip() for text in column})


def _column_vote(name: str, cells: Sequence[str]) -> int:
    """1 when the first cell cannot be a value of its column, -1 when it looks like one, else 0."""
    others = [cell for cell in cells if not is_number(cell)]
    if all(map(is_missing, others)):
        if len(others) == len(cells):
            return 0
        if is_number(name):
            whole = name.lstrip("+-").isdecimal()
            return 0 if whole and not any(cell.strip().isdecimal() for cell in cells) else -1
        return 0 if is_missing(name) else 1
    return -1 if name in {cell.strip() for cell in cells if not is_missing(cell)} else 0


_FEWEST_STEPS = 4
_FEWEST_ASCENDING = 8
_ROWS_BESIDE_SCALE = 20


def _is_scale(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Tell whether some columns are named by wavelengths, years or the like, and others by words."""
    places = [place for place, cell in enumerate(first) if is_number(cell)]
    if len(places) < _FEWEST_STEPS or not _have_equal_places(places):
        return False
    others = [place for place, cell in enumerate(first) if cell and not places[0] <= place <= places[-1]]
    steps = np.diff([_number(first[place]) for place in places])
    is_regular = _are_equal_steps(steps, [first[place] for place in places])
    if not is_regular and (len(places) < _FEWEST_ASCENDING or not _have_one_sign(steps)):
        return False
    if not any(_column_vote(first[place], [row[place] for row in body]) == 1 for place in others) and (
        not is_regular or len(places) < _FEWEST_ASCENDING
    ):
        return False
    rows = [[row[place].strip() for place in places] for row in body[:_ROWS_BESIDE_SCALE]]
    numbers = [[_number(cell) for cell in row] for row in rows if all(map(is_number, row))]
    return bool(numbers) and not any(_have_one_sign(np.diff(row)) for row in numbers)


def _number(cell: str) -> float:
    return float(cell.replace(",", "."))


def _have_equal_places(places: Sequence[int]) -> bool:
    """Tell whether columns stand beside each other."""
    return places[-1] - places[0] == len(places) - 1


def _have_one_sign(steps: np.ndarray) -> bool:
    return bool((steps > 0).all() or (steps < 0).all())


def _are_equal_steps(steps: np.ndarray, cells: Sequence[str]) -> bool:
    """Tell whether steps are equal but for rounding."""
    places = max(len(cell.replace(",", ".").partition(".")[2]) for cell in cells)
    return _have_one_sign(steps) and bool(np.ptp(steps) <= 2.01 * 10.0**-places * (places > 0))


def _is_numbering(cells: Sequence[str]) -> bool:
    """Whether the cells are 0, 1, 2, 3 … or 1, 2, 3, 4 …, or names followed by years."""
    digits = [cell for cell in cells if cell.isdecimal()]
    if len(digits) < len(cells):
        others_named = all(cell and not is_number(cell) for cell in cells if not cell.isdecimal())
        return others_named and len(digits) >= 2 and _counts_up(digits) and _are_years(digits)
    return len(cells) >= 4 and cells[0] in ("0", "1") and _counts_up(cells)


def _continues_numbering(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether rows below are such numbers as well, as in a table that is itself a numbering."""
    positions = [position for position, cell in enumerate(first) if cell.isdecimal()]
    rows = [[row[position].strip() for position in positions] for row in body]
    if _are_years([first[position] for position in positions]):
        return any(_are_years(row) for row in rows)
    return any(_counts_up(row) for row in rows)


def _are_years(cells: Sequence[str]) -> bool:
    return all(len(cell) == 4 and cell.isdecimal() and "1800" <= cell <= "2100" for cell in cells)


def _counts_up(cells: Sequence[str]) -> bool:
    if not all(cell.isdecimal() and len(cell) <= _LONGEST_COUNT for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _header_row_count(table: Sequence[Record], width: int) -> int:
    """Count the rows of the header: units and second lines of names may follow the first row."""
    numeric: set[int] | None = None
    rows = 1
    while rows < min(_MOST_HEADER_ROWS, len(table) - 1):
        if rows == 1 and _is_row_of_units(table, width):
            return rows + 1
        filled = [position for position, cell in enumerate(table[rows].cells[:width]) if cell.strip()]
        if len(filled) < 2 or any(is_number(table[rows].cells[position]) for position in filled):
            break
        if numeric is None:
            numeric = _numeric_columns(table, width)
        if not set(filled) <= numeric:
            break
        if any(is_missing(table[rows].cells[position]) for position in filled):
            break
        rows += 1
    return rows


_UNIT = re.compile(
    r"[\[(]?\s*(?:%|‰|°[CFK]?|[€$£¥]|EUR|USD|mm ?Hg|bpm|[0-9]+ ?(?:-|–|to|bis|à|a) ?[0-9]+|0/1|1/0"
    r"|years?|yrs?|months?|weeks?|days?|hours?|min(?:utes?)?|score|points?|count"
    r"|Jahre?|Monate?|Wochen?|Tage?|Stunden?|Punkte?|ans?|années?|mois|jours?|heures?|años?|meses|días|horas"
    r"|anni|mesi|giorni|ore|lat|dni|jaren|dagen|лет|годы?|дней|часов|мес|歳|年|日|点|岁|yıl|gün|saat"
    r"|(?:[µμumkcdnpfMG]?(?:g|l|L|m|s|h|d|mol|M|U|IU|Pa|Hz|J|W|V|A|K|cal|B|eq|ppm|ppb)|cells|Eq)"
    r"(?:[²³]|\^?-?[0-9])?"
    r"(?: ?[/·*] ?[0-9]*[µμumkcdnpMG]?(?:g|l|L|m|s|h|d|mol|min|kg|day|week|hpf)(?:[²³]|\^?-?[0-9])?)*"
    r")\s*[\])]?"
)


def _is_row_of_units(table: Sequence[Record], width: int) -> bool:
    """Tell whether the row below the names has units above numbers, and nothing else there but dashes."""
    # Most tables are settled by their first column of numbers, which has a number there.
    if _has_number_above_numbers(table[1:2], table[2:], width):
        return False
    cells = [cell.strip() for cell in table[1].cells[:width]]
    if not any(map(_UNIT.fullmatch, cells)):
        return False
    above = [cells[place] for place in _numeric_columns(table, width, first=2) if place < len(cells)]
    texts = [cell for cell in above if not is_missing(cell)]
    units = sum(_UNIT.fullmatch(cell) is not None for cell in texts)
    return bool(texts) and 2 * units >= len(texts)


def _units_of(row: Record) -> Record:
    """Keep the units of a row of them, and not what it is called itself."""
    return Record(row.line, tuple(cell if _UNIT.fullmatch(cell.strip()) else "" for cell in row.cells))


# A word above a single column of numbers may mean missing there.
_FEWEST_TEXTS = 2


def _texts_above_numbers(body: Sequence[Record], width: int) -> list[str]:
    """Return the texts of the first row of data where all columns of numbers hold text or nothing there."""
    if len(body) <= _ROWS_FOR_SURE:
        return []
    if _has_number_above_numbers(body[:1], body[1:], width):
        return []
    numeric = _numeric_columns(body, width, first=1)
    cells = [body[0].cells[position].strip() for position in sorted(numeric) if position < len(body[0].cells)]
    texts = [cell for cell in cells if not is_missing(cell)]
    return [] if any(is_number(text) or marks_on_number(text, ".") for text in texts) else texts


def _are_groups_of_columns(row: Record, texts: Sequence[str], width: int) -> bool:
    """Tell whether a row says of which group each column is, as where cases stand in columns."""
    is_called = bool(row.cells[0].strip()) and len(texts) >= _FEWEST_IN_GROUPS
    return is_called and len(texts) >= width // 2 and 3 * len(set(texts)) <= len(texts)


_FEWEST_IN_GROUPS = 6


def _numeric_columns(table: Sequence[Record], width: int, first: int = _MOST_HEADER_ROWS) -> set[int]:
    """Return the columns that hold numbers and nothing else from one row on."""
    body = [record.cells for record in table[first:] if len(record.cells) >= width]
    return {position for position in range(width) if _is_numeric(body, position)}


def _is_numeric(body: Sequence[Sequence[str]], position: int) -> bool:
    return (
        bool(body)
        and all(is_number(row[position]) or is_missing(row[position]) for row in body)
        and any(is_number(row[position]) for row in body)
    )


def _has_number_above_numbers(rows: Sequence[Record], below: Sequence[Record], width: int) -> bool:
    """Tell whether some rows have a number above a column of numbers: in most tables the first cell has."""
    body = [record.cells for record in below if len(record.cells) >= width]
    return any(
        is_number(cell) and _is_numeric(body, position)
        for row in rows
        for position, cell in enumerate(row.cells[:width])
    )


def _join_names(rows: Sequence[Record], width: int) -> tuple[str, ...]:
    names = []
    for position in range(width):
        parts = [row.cells[position].strip() for row in rows if position < len(row.cells)]
        names.append(
            " ".join(
                part for part in [*parts[:1], *(part for part in parts[1:] if not is_missing(part))] if part
            )
        )
    return tuple(names)


MOST_ROWS_KEPT = 500
"""Rows that are kept as they are written."""

_WIDE = 2000
_MOST_CELLS_OF_WIDE = 200_000
_FEWEST_OF_WIDE = 10


def shown_rows(wanted: int, width: int) -> int:
    """Return how many rows of a table a preview takes: fewer of a wide one, so that it is there at once."""
    return wanted if width <= _WIDE else min(wanted, max(_FEWEST_OF_WIDE, _MOST_CELLS_OF_WIDE // width))


def beginning_of(
    records: Sequence[Record],
    layout: TextLayout,
    columns: Sequence[str | None],
    data_lines: Sequence[int],
) -> Beginning:
    """Keep the first rows as written, with the variable made of each column by position, and their lines."""
    position_of = {record.line: position for position, record in enumerate(records)}
    data_rows = []
    for line in data_lines:
        if line not in position_of:
            break
        data_rows.append(position_of[line])
    return Beginning(
        tuple(records),
        layout.first_line,
        tuple(columns),
        tuple(data_rows),
        first_data_line=layout.first_data_line,
    )
