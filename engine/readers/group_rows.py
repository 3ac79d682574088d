"""Rows with the mean, median or the like of each group: found by their values, whatever they are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas

_FEWEST_OF_GROUP = 3
_MOST_GROUPS = 30
_MOST_OF_ONE_GROUP = 4
"""So many rows may summarise a group: its mean, spread, median and number."""

# How likely as many equal values are by chance, at most: where rows name a group and more, where they name
# none, and where they are called as the cases of the group are.
_CHANCE_BESIDE_NAME, _CHANCE_WITHOUT_NAME, _CHANCE_BESIDE_CASES = 1e-3, 1e-5, 1e-10

ChanceOf = Callable[[int, np.ndarray], float]
"""How likely a row holds statistics of given rows by chance; infinite if it does not."""


def summaries_of_groups(
    columns: Sequence[pandas.Series | np.ndarray], chance_of: ChanceOf, without_word: Sequence[ChanceOf]
) -> list[int]:
    """Find rows that summarise a group each, of the groups that one of some columns names.

    Rows that no word tells from cases must hold one statistic, by a chance of those `without_word`, as some
    of many statistics are soon equal by chance.
    """
    for column in columns:
        codes, texts = pandas.factorize(column)
        counts = np.bincount(codes[codes >= 0], minlength=len(texts))
        groups = np.flatnonzero(counts >= _FEWEST_OF_GROUP).tolist()
        if not 0 < len(groups) <= _MOST_GROUPS:
            continue
        rows_of = {group: np.flatnonzero(codes == group) for group in groups}
        tried = (
            _all_likely(_named_after(codes, list(map(str, texts)), rows_of), _CHANCE_BESIDE_NAME, chance_of),
            *(_without_name(codes, rows_of, chance) for chance in without_word),
            *(
                _all_likely(_called_as_cases(rows_of, part), _CHANCE_BESIDE_CASES, chance)
                for part in _PARTS
                for chance in without_word
            ),
        )
        rows = next(filter(None, tried), None)
        if rows:
            return sorted(rows)
    return []


def _all_likely(summaries: Iterator[tuple[int, np.ndarray]], least: float, chance_of: ChanceOf) -> list[int]:
    """Return the rows, each given with those of its group, if together they are no accident."""
    rows, chance = [], 1.0
    for row, base in summaries:
        chance *= chance_of(row, base)
        if not chance < np.inf:
            return []
        rows.append(row)
    return rows if chance <= least else []


def _named_after(
    codes: np.ndarray, texts: Sequence[str], rows_of: dict[int, np.ndarray]
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield rows whose text holds the name of a group and more, as "Ward A (mean)" does, with that group."""
    named = {group: words for group in rows_of if (words := _words(texts[group])).strip()}
    longest_first = sorted(named, key=lambda group: -len(named[group]))
    rare = [code for code in range(len(texts)) if code not in rows_of]
    if len(rare) > _MOST_OF_ONE_GROUP * len(rows_of):
        return
    for code in rare:
        words = _words(texts[code])
        group = next(
            (group for group in longest_first if named[group].strip() and named[group] in words), None
        )
        if group is not None:
            for row in np.flatnonzero(codes == code).tolist():
                yield row, rows_of[group]


_WORD = re.compile(r"[^\W_]+")


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _without_name(codes: np.ndarray, rows_of: dict[int, np.ndarray], chance_of: ChanceOf) -> list[int]:
    """Return the rows that name no group, if each summarises one, and each group has such a row."""
    rows = np.flatnonzero(codes < 0).tolist()
    if not len(rows_of) <= len(rows) <= _MOST_OF_ONE_GROUP * len(rows_of):
        return []
    summarised, chance = set(), 1.0
    for row in rows:
        likely, group = min((chance_of(row, base), group) for group, base in rows_of.items())
        chance *= likely * len(rows_of)
        if not chance < np.inf:
            return []
        summarised.add(group)
    return rows if len(summarised) == len(rows_of) and chance <= _CHANCE_WITHOUT_NAME else []


# Behind the cases of each group, or in front of them.
_PARTS = (slice(-1, None), slice(0, 1))


def _called_as_cases(rows_of: dict[int, np.ndarray], part: slice) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the last row, or the first, of each group, with the other rows of it."""
    if len(rows_of) < 2:
        return
    for rows in rows_of.values():
        base = np.setdiff1d(rows, rows[part])
        if len(base) < _FEWEST_OF_GROUP:
            continue
        for row in rows[part].tolist():
            yield row, base
