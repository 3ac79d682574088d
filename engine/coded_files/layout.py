"""What stands where in a file of a coded table.

All numbers are little-endian. The file holds, one after the other:

1. eight bytes that tell the format, and the length of the header in eight more;
2. the header, JSON in UTF-8: format, version, name, number of rows, and each variable with its role, its
   levels and whether they are ordered;
3. from the next multiple of 4096 bytes, the codes: one variable after the other, one signed integer a row,
   as narrow as the variable with most levels allows;
4. from the next multiple of 4096 bytes, the sets: for every level of every variable the rows that have it,
   and in the last one all rows, one bit a row in words of 64.

The sets follow from the codes. They are there so that a search can count in them without holding them in
memory, and they tell whether the file is whole.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.codes import code_dtype
from engine.errors import InvalidData
from engine.independence.level_sets import words_needed
from engine.variable import Kind, Role, Variable

MAGIC = b"CLCDcod\n"
VERSION = 1
FORMAT = "clcd-coded-table"
PAGE = 4096
START = len(MAGIC) + 8
"""Bytes before the header."""

SETS_DTYPE = np.dtype("<u8")


@dataclass(frozen=True)
class Layout:
    """Variables of a coded table, and where their codes and sets stand in its file.

    Attributes
    ----------
    variables : tuple of Variable
        Labels and features, all nominal.
    rows : int
        Number of rows.
    name : str
        What the table is called.
    """

    variables: tuple[Variable, ...]
    rows: int
    name: str = ""

    def __post_init__(self) -> None:
        if not self.variables or self.rows < 1:
            raise InvalidData("a coded table needs at least one column and one row.", place=self.name)
        seen: set[str] = set()
        for variable in self.variables:
            _check(variable, seen)
            seen.add(variable.name)

    @cached_property
    def header(self) -> bytes:
        """The header as it is written."""
        variables = [
            {"name": each.name, "role": each.role, "levels": each.levels, "ordered": each.ordered}
            for each in self.variables
        ]
        content = {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "rows": self.rows,
            "variables": variables,
        }
        return json.dumps(content, ensure_ascii=True).encode()

    @cached_property
    def level_counts(self) -> np.ndarray:
        """Number of levels of each variable, int64 of shape (variables,)."""
        return np.array([each.level_count for each in self.variables], dtype=np.int64)

    @cached_property
    def set_starts(self) -> np.ndarray:
        """First set of each variable, and behind the last the number of all, shape (variables + 1,)."""
        return np.concatenate(([0], np.cumsum(self.level_counts)))

    @cached_property
    def dtype(self) -> np.dtype:
        """Type of the codes."""
        return code_dtype(int(self.level_counts.max())).newbyteorder("<")

    @property
    def codes_shape(self) -> tuple[int, int]:
        """Variables and rows."""
        return len(self.variables), self.rows

    @property
    def sets_shape(self) -> tuple[int, int]:
        """Levels of all variables and one more, and words."""
        return int(self.set_starts[-1]) + 1, words_needed(self.rows)

    def codes_at(self, variable: int = 0) -> int:
        """Give the place in the file where the codes of a variable begin."""
        return _next_page(START + len(self.header)) + variable * self.rows * self.dtype.itemsize

    def sets_at(self, variable: int = 0) -> int:
        """Give the place in the file where the sets of a variable begin."""
        words = int(self.set_starts[variable]) * self.sets_shape[1]
        return _next_page(self.codes_at(len(self.variables))) + words * SETS_DTYPE.itemsize

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return self.sets_at(len(self.variables)) + self.sets_shape[1] * SETS_DTYPE.itemsize


def layout_of(header: bytes) -> Layout:
    """Read a header.

    Raises
    ------
    ValueError, KeyError, TypeError, InvalidData
        When it is not as :attr:`Layout.header` writes it.
    """
    content: dict[str, Any] = json.loads(header)
    if content["format"] != FORMAT or content["version"] != VERSION:
        raise ValueError("another format or version")
    layout = Layout(tuple(_variables(content["variables"])), int(content["rows"]), str(content["name"]))
    if layout.header != header:
        raise ValueError("not as it is written")
    return layout


def _variables(written: Sequence[dict[str, Any]]) -> list[Variable]:
    return [
        Variable(
            str(each["name"]),
            Kind.NOMINAL,
            Role(each["role"]),
            tuple(str(level) for level in each["levels"]),
            bool(each["ordered"]),
        )
        for each in written
    ]


def _check(variable: Variable, seen: set[str]) -> None:
    place = f"column '{variable.name}'"
    if not variable.name or variable.name in seen:
        raise InvalidData("a column has no name, or that of another.", place=place, remedy="Rename it.")
    if variable.kind is Kind.CONTINUOUS:
        raise InvalidData(
            "a coded table holds categories, and this column numbers.",
            place=place,
            remedy="Prepare the table first, so that numbers are cut into bins.",
        )
    if not variable.role.takes_part:
        raise InvalidData("a coded table holds labels and features only.", place=place)
    if not variable.levels:
        raise InvalidData("it has no levels.", place=place)


def _next_page(place: int) -> int:
    return -(-place // PAGE) * PAGE
