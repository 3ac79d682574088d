"""Rows below the names that survey programs write: questions, keys, and answers that may be ticked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from engine.readers.cell_text import parse_number
from engine.readers.reading import Record
from engine.translation import N_, _
from engine.wording.notes import Note

# What stands there below a question without choices, in the languages of SurveyMonkey.
_RESPONSE = re.compile(
    r"(?:open[- ]ended |offene |freie |open |öppet |åben |åpent |avoin |otwarta |открытый |açık uçlu )?"
    r"(?:response|antwort|réponse|respuesta|resposta|risposta|antwoord|odpowiedź|odpověď|svar|vastaus|ответ|yanıt)"
    r"(?: libre| ouverte| abierta| aberta| aperta| otwarta| mit offenem ende)?"
    r"|回答|自由回答|自由記述|回复|开放式回复|开放式回答|答复|응답|개방형 응답"
)
_OTHER = re.compile(
    r"other\b|andere|sonstige|autre|otr[oa]|outr[oa]|altro|anders|inn[ey]|jin[éý]|annat|andet|annet"
    r"|muu|друго|diğer|その他|其他|기타"
)
_FEWEST_ROWS, _FEWEST_EMPTY, _FEWEST_TICKED = 4, 2, 2


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """The names that questions and the answers below them give together."""

    names: tuple[str, ...]
    example: str  # a name with an answer, or what stands below a question without choices
    has_answers: bool

    @property
    def note(self) -> Note:
        """Say what became of the row."""
        sentence = _ANSWERS if self.has_answers else _RESPONSES
        return Note("headings", _(sentence, example=self.example))


_ANSWERS = N_(
    "Below the questions stands a row of their answers. It is part of the names, as in '{example}'."
)
_RESPONSES = N_("Left out: a second row of names with words such as '{example}' below the questions.")


def question_row(table: Sequence[Record], width: int) -> QuestionRow | None:
    """Find a second row that holds an answer above each column of ticks, or the word response; None without.

    >>> rows = (("ID", "Day", "Age", "Signs", ""), ("", "", "Response", "Cough", "Rash"))
    >>> rows += (("1", "2", "40", "Cough", ""), ("2", "3", "31", "", "Rash"), ("3", "5", "57", "", ""))
    >>> question_row([Record(line, cells) for line, cells in enumerate(rows)], 5).names
    ('ID', 'Day', 'Age', 'Signs Cough', 'Signs Rash')
    """
    if len(table) < _FEWEST_ROWS:
        return None
    above, below = ([cell.strip() for cell in (*row.cells, *[""] * width)[:width]] for row in table[:2])
    if not above[0] or below[0] or any(parse_number(cell) is not None for cell in (*above, *below)):
        return None
    responses, ticked = [], []
    for place in range(width):
        cells = {row.cells[place].strip() for row in table[2:] if place < len(row.cells)} - {""}
        if not below[place]:
            if not above[place]:
                return None
        elif _RESPONSE.fullmatch(below[place].casefold()):
            responses.append(place)
        elif cells <= {below[place]}:
            ticked.append(place)
        elif _OTHER.match(below[place].casefold()) is None or below[place] in cells:
            return None
    if len({below[place] for place in ticked}) < len(ticked):
        # A row of cases, whose ticks are all the same.
        return None
    if below.count("") < _FEWEST_EMPTY or not (responses or len(ticked) >= _FEWEST_TICKED):
        return None
    heading, names, joined = "", [], []
    for place, (upper, lower) in enumerate(zip(above, below, strict=True)):
        heading = upper or heading
        names.append(heading if not lower or place in responses else f"{heading} {lower}")
        if place in ticked:
            joined.append(names[-1])
    example = joined[0] if joined else below[responses[0]]
    return QuestionRow(tuple(names), example, bool(joined))


_MOST_HEADER_ROWS = 5
_SURVEY_KEY = '{"ImportId":'


def survey_rows_of(table: Sequence[Record]) -> int:
    """Count the rows below the names up to the keys that Qualtrics writes; 0 where there are none."""
    for position, record in enumerate(table[1:_MOST_HEADER_ROWS], start=1):
        filled = [cell for cell in record.cells if cell.strip()]
        if filled and all(cell.lstrip().startswith(_SURVEY_KEY) for cell in filled):
            return position
    return 0


def questions_below(names: Record, below: Record) -> tuple[str, ...]:
    """Return the questions below the names, each in one line; empty where one says what the name says."""
    lines = (" ".join(cell.split()) for cell in below.cells)
    pairs = zip_longest(names.cells, lines, fillvalue="")
    return tuple("" if question == name.strip() else question for name, question in pairs)
