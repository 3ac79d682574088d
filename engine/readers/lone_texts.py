"""Rows that hold a text and nothing else: remarks below a table, and headings of its sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from engine.readers.cell_text import is_missing, parse_number
from engine.readers.missing_words import means_missing
from engine.readers.records import Cells, are_missing

_T = TypeVar("_T")

_LETTERS = re.compile(r"[^\W\d_]+")
_FEWEST_BESIDE_REMARK, _ROWS_BESIDE_REMARK, _ROWS_OF_REMARKS = 3, 40, 4


def rows_above_remark(row: int) -> list[int]:
    """Return some rows above one that may be a remark, but for the nearest, which may be of its kind."""
    most = max(row - _ROWS_OF_REMARKS, 0)
    return sorted({int(place) for place in np.linspace(0, most, min(row, _ROWS_BESIDE_REMARK))})


def is_remark(text: str, values: Sequence[str]) -> bool:
    """Tell whether a text that stands alone in the last row of a table is a remark, and no value.

    >>> is_remark("Source: ward 3", ["P01", "P02", "P03"])
    True
    >>> is_remark("Max Hill", ["Ann Lee", "Bo Ek", "Jo Sand"])
    False
    """
    text, present = text.strip(), [value.strip() for value in values if not is_missing(value.strip())]
    if (
        len(present) < _FEWEST_BESIDE_REMARK
        or is_missing(text)
        or parse_number(text.replace(",", ".")) is not None
    ):
        return False
    if all(parse_number(value.replace(",", ".")) is not None for value in present):
        return True
    if " " not in text and not text.startswith("*"):
        return False
    shapes = [_shape(value) for value in present]
    is_free_text = 2 * len(set(shapes)) > len(shapes)
    return not is_free_text and _shape(text) not in shapes


def _shape(text: str) -> str:
    """Write a text without its letters and digits, so that codes of one kind are alike."""
    return re.sub(r"\d+", "0", _LETTERS.sub("a", text))


_FEWEST_COLUMNS, _COLUMNS_OF_HEADINGS = 3, 2
_HALF = 0.5
_CASES_SEEN = 300


def section_headings(cells: Sequence[Cells], taken: Iterable[int], decimal: str) -> tuple[int, ...]:
    """Find rows above cases with nothing but a first text unlike theirs; `taken` rows are no cases."""
    if len(cells) < _FEWEST_COLUMNS:
        return ()
    is_case = np.ones(len(cells[0]), dtype=bool)
    is_case[list(taken)] = False
    rows = np.flatnonzero(is_case)
    filled = np.zeros(len(rows), dtype=np.int64)
    places = filled - 1
    for place, column in enumerate(cells):
        here = ~are_missing(column)[rows]
        filled, places = filled + here, np.where(here, place, places)
        # Most tables have no such row, which their first columns show.
        stays = filled <= 1
        rows, filled, places = rows[stays], filled[stays], places[stays]
        if not len(rows):
            return ()
    rows, places = rows[filled == 1], places[filled == 1]
    is_case[rows] = False
    cases = np.flatnonzero(is_case)
    are_above_cases = 0 < 2 * len(rows) <= len(cases) and rows[-1] < cases[-1]
    if not are_above_cases or np.ptp(places) or places[0] >= _COLUMNS_OF_HEADINGS:
        return ()
    column = cells[places[0]]
    if isinstance(column, np.ndarray):
        return ()
    headings, of_cases = set(column.iloc[rows]), _some(column.iloc[cases].dropna().tolist())
    seen = _some(cases.tolist())
    if sum(int((~are_missing(cell)[seen]).sum()) for cell in cells) < _HALF * len(seen) * len(cells):
        return ()
    if any(means_missing(text) or parse_number(text.strip(), decimal) is not None for text in headings):
        return ()
    if all(parse_number(text.strip(), decimal) is not None for text in of_cases):
        return tuple(rows.tolist())
    shapes = [_shape(text.strip()) for text in of_cases]
    is_free_text = 2 * len(set(shapes)) > len(shapes)
    are_unlike = {_shape(text.strip()) for text in headings}.isdisjoint(shapes)
    return tuple(rows.tolist()) if are_unlike and not is_free_text and len(rows) > 1 else ()


def _some(items: Sequence[_T]) -> list[_T]:
    """Return a few of many, from the first to the last."""
    places = np.linspace(0, len(items) - 1, min(len(items), _CASES_SEEN)).astype(int)
    return [items[place] for place in places]
