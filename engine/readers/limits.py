"""Numbers of which some are known by a limit alone, such as "<0.5": read by a rule that a person chooses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.errors import InvalidData
from engine.readers.cell_text import parse_number
from engine.table.dataset import Dataset
from engine.table.variable import Kind
from engine.wording.notes import listed

LIMITS = "limits"
"""Topic of the notes about numbers of which some are limits."""

_LIMIT = re.compile(r"(?P<sign>[<≤⩽>≥⩾]=?)\s*(?P<limit>.+)")
_BELOW = frozenset("<≤⩽")


def is_limit(text: str) -> bool:
    """Tell whether a text is a limit, with a number or without.

    Examples
    --------
    >>> is_limit("<0.5"), is_limit("> 300"), is_limit("<LOD"), is_limit("0.5")
    (True, True, True, False)
    """
    return _LIMIT.fullmatch(text.strip()) is not None


def with_limits(dataset: Dataset, told: Sequence[str], decimal: str) -> Dataset:
    """Read columns as numbers in which some are limits.

    A value below a limit is read as half the limit, or as a number that is stated; one above as the limit. A
    limit without a number, such as ``<LOD``, is the smallest number of the column.

    Parameters
    ----------
    dataset : Dataset
    told : sequence of str
        Names of columns; ``COLUMN=NUMBER`` states what is put for values below a limit.
    decimal : str
        ``"."`` or ``","``.

    Raises
    ------
    InvalidData
        When a column holds other texts, or what is stated is no number.

    Examples
    --------
    >>> import pandas
    >>> cells = ["0.9", "<0.5", "1.4", "<LOD", ">300"]
    >>> table = Dataset.from_frame(pandas.DataFrame({"crp": cells}))
    >>> with_limits(table, ["crp"], ".").column("crp").tolist()
    [0.9, 0.25, 1.4, 0.45, 300.0]
    >>> with_limits(table, ["crp=0.1"], ".").column("crp").tolist()
    [0.9, 0.1, 1.4, 0.1, 300.0]
    """
    changed = {}
    for each in told:
        name, stated = _parts(each, dataset.names)
        variable, column = dataset.variable(name), dataset.column(name)
        below = None if stated is None else parse_number(stated, decimal)
        if stated is not None and below is None:
            raise InvalidData(f"{stated!r} is no number.", place=f"column '{name}'", remedy="State a number.")
        dataset = dataset.without_notes(LIMITS, name)
        if variable.kind is Kind.CONTINUOUS:
            continue
        numbers = _numbers(variable.levels, below, decimal)
        others = [level for level in variable.levels if level not in numbers]
        if others:
            raise InvalidData(
                f"it holds texts that are no numbers and no limits: {listed(others)}.",
                place=f"column '{name}'",
                remedy="Add these to the missing values, or leave the column as it is.",
            )
        values = np.array([*(numbers[level] for level in variable.levels), np.nan])
        made = replace(variable, kind=Kind.CONTINUOUS, levels=(), ordered=False, event=None, event_from=None)
        changed[name] = (made, values[column])
    return dataset.with_columns(changed) if changed else dataset


def _parts(told: str, names: Sequence[str]) -> tuple[str, str | None]:
    """Take apart a name and what is stated; a name may hold signs of equality."""
    if told in names:
        return told, None
    name, sign, stated = told.rpartition("=")
    return (name, stated) if sign else (told, None)


def _numbers(levels: Sequence[str], below: float | None, decimal: str) -> Mapping[str, float]:
    plain = {level: number for level in levels if (number := parse_number(level, decimal)) is not None}
    smallest = min(plain.values(), default=np.nan)
    found = dict(plain)
    for level in levels:
        limit = None if level in plain else _LIMIT.fullmatch(level.strip())
        if limit is None:
            continue
        number = parse_number(limit["limit"].strip(), decimal)
        if limit["sign"][0] in _BELOW:
            found[level] = below if below is not None else (smallest if number is None else number) / 2
        elif number is not None:
            found[level] = number
    return found
