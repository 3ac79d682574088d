"""A sheet of a workbook that says what codes in the columns of the table mean."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.errors import InvalidParameter
from engine.readers.ordered_words import proposed_order
from engine.readers.reading import CODE_BOOK
from engine.readers.typed_files import GivenColumn, text_of
from engine.translation import N_, _
from engine.wording.notes import Note, listed
from engine.wording.setting_names import the_setting

_USED = "code-book-used"

MOST_ROWS, MOST_COLUMNS = 5000, 20
"""A larger sheet is no code book."""

_SHARE_OF_NAMES = 0.5
_PAIR = re.compile(r"\s*([^=:;,|\n]{1,20}?)\s*[=:]\s*([^=;,|\n]+?)\s*(?:[;,|\n]|$)")

Rows = Sequence[Sequence[object]]
CodeBook = Mapping[str, Mapping[str, str]]


def read_code_book(rows: Rows, names: Sequence[str]) -> CodeBook:
    """Return what each code of some columns means; empty where a sheet is no code book of a table.

    One column holds names of columns of the table, perhaps in the first row of each alone. Beside it stand
    codes and what they mean, or both in one cell, as ``1=male; 2=female``.

    >>> rows = [["variable", "code", "meaning"], ["sex", 1.0, "male"], ["", 2.0, "female"]]
    >>> read_code_book(rows, ["sex", "age"])
    {'sex': {'1': 'male', '2': 'female'}}
    >>> read_code_book([["sex", "1=male; 2=female"], ["ill", "0=no; 1=yes"]], ["sex", "ill"])["ill"]
    {'0': 'no', '1': 'yes'}
    """
    if not 0 < len(rows) <= MOST_ROWS:
        return {}
    width = max(map(len, rows))
    if not 1 < width <= MOST_COLUMNS:
        return {}
    texts = [[(text_of(cell) or "").strip() for cell in row] + [""] * (width - len(row)) for row in rows]
    original_names = {name.strip().casefold(): name for name in names}
    place = max(range(width), key=lambda at: sum(row[at].casefold() in original_names for row in texts))
    written = [row[place] for row in texts if row[place]]
    if sum(text.casefold() in original_names for text in written) < max(
        1, _SHARE_OF_NAMES * (len(written) - 1)
    ):
        return {}
    rows_of: dict[str, list[list[str]]] = defaultdict(list)
    current: str | None = None
    for row in texts:
        if row[place]:
            current = original_names.get(row[place].casefold())
        if current is not None and any(row):
            rows_of[current].append([cell for at, cell in enumerate(row) if at != place])
    return _in_cells(rows_of) or _in_columns(rows_of)


def _in_cells(rows_of: Mapping[str, list[list[str]]]) -> CodeBook:
    """Read codes and meanings that stand in one cell."""
    books = {}
    for name, rows in rows_of.items():
        pairs = next((pairs for row in rows for cell in row if len(pairs := _PAIR.findall(cell)) > 1), [])
        if len({code for code, _ in pairs}) == len(pairs) > 1:
            books[name] = dict(pairs)
    return books


def _in_columns(rows_of: Mapping[str, list[list[str]]]) -> CodeBook:
    """Read codes in the first column that has several for one name, and meanings in the next."""
    width = len(next(iter(rows_of.values()))[0]) if rows_of else 0
    for at in range(width - 1):
        books = {}
        for name, rows in rows_of.items():
            pairs = [(row[at], row[at + 1]) for row in rows if row[at] and row[at + 1]]
            if len({code for code, _ in pairs}) == len(pairs) > 1:
                books[name] = dict(pairs)
        if books and all(any(map(str.isalpha, "".join(book.values()))) for book in books.values()):
            return books
    return {}


def with_code_book(
    columns: Mapping[int, GivenColumn], books: Mapping[str, CodeBook], chosen: str | None, place: str
) -> tuple[dict[int, GivenColumn], list[Note]]:
    """Name the codes of columns as the chosen sheet does, or note which sheet could."""
    if chosen is not None and chosen not in books:
        raise InvalidParameter(
            _("sheet {chosen!r} names no codes of the table in {place}.", chosen=chosen, place=place),
            place=the_setting("code_book"),
            remedy=_("Choose the sheet that has names of columns, codes and what they mean."),
        )
    for sheet, book in books.items() if chosen is None else [(chosen, books[chosen])]:
        named = {at: _named(column, book.get(column.name, {})) for at, column in columns.items()}
        names = [column.name for column in named.values() if column.value_names]
        if not names:
            continue
        if chosen is None:
            told = _(_OFFERED, sheet=sheet, names=listed(names))
            kinds = {
                at: replace(
                    columns[at], is_of_kinds=proposed_order(tuple(column.value_names.values())) is None
                )
                for at, column in named.items()
                if column.value_names
            }
            return {**columns, **kinds}, [Note(CODE_BOOK, told, examples=(sheet,), columns=tuple(names))]
        return named, [Note(_USED, _(_TAKEN, names=listed(names), sheet=sheet), columns=tuple(names))]
    return dict(columns), []


_OFFERED = N_("Sheet '{sheet}' says what the codes of {names} mean. They can be read as its words.")
_TAKEN = N_("The codes of {names} are named as sheet '{sheet}' says.")


def _named(column: GivenColumn, book: Mapping[str, str]) -> GivenColumn:
    """Name the values of a column where each has a meaning, in the order of the book."""
    values = {value: (text_of(value) or "").strip() for value in column.values if value not in (None, "")}
    if not values or not set(values.values()) <= book.keys():
        return column
    order = list(book)
    meanings = {
        value: book[text] for value, text in sorted(values.items(), key=lambda item: order.index(item[1]))
    }
    return replace(column, value_names=meanings)
