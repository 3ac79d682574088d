"""Texts within each of which rows are more alike, as those of one school or teacher are, whatever they say.

A text with many values in few rows each is too wide to be a feature. Rows with the same value may resemble
each other all the same, so that they are not independent. Each further column is ranked, and the products of
all pairs of rows with one text are added up: the sum has a mean of 0 and the variance of the number of pairs
if the rows are no more alike than others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

import numpy as np

from engine.table.identifier_words import (
    BESIDE,
    BESIDE_OTHER,
    BESIDE_SHARED,
    EAST_ASIAN_SHARED,
    ENDS_OF_SHARED,
    NUMBER,
    REMARK,
    SHARED,
    TIME,
)
from engine.table.number_names import plain_text, words_of
from engine.table.variable import Kind, Role, Variable, missing_mask

# Fewer values, or more rows of each, are a category that takes part in a search.
_FEWEST_TEXTS, _FEWEST_ROWS, _MOST_ROWS = 20, 1.3, 10.0
# One column must be alike by so many standard errors. As the text may be its cause, so must another one, by
# as many as chance gives any of the others in one of so many tables. A name such as teacher spares that.
_STANDARD_ERRORS, _BY_CHANCE = 4.0, 1e-3
_MOST_CANDIDATES, _MOST_COMPARED = 8, 200

_QUANTITY = re.compile(r"[<>≤≥~]? ?[-+]?\d[\d.,]*(?P<unit>\s+[^\W\d]\S*|[^\W\d_]{2,}|\s*[%°$€£¥]\S*)")
# Three parts and more are a number between thousands only: 10.0.8.7 is a code.
_NUMBER = re.compile(r"[<>≤≥~]?=? ?[-+−]?(?:\d+(?:[.,]\d+)?|\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?)")
# Days, times of day, spans and versions; addresses in the internet have four parts.
_DATE = re.compile(r"\d+([-./:]\d+){1,2}([ T].*)?")


def are_dates(levels: Sequence[str]) -> bool:
    """Tell whether most texts are dates or times.

    >>> are_dates(["2021-05-01", "2021-05-02"]), are_dates(["10.0.0.7", "10.0.0.8"])
    (True, False)
    >>> are_dates([f"{site}-{patient}" for site in range(1, 5) for patient in range(1, 60)])
    False
    """
    return _fits_most(_DATE, levels) and not _are_codes_of_numbers(levels)


_NUMBERS_BETWEEN_MARKS = re.compile(r"\d{1,9}(?:[-/]\d{1,9}){1,2}")
_MARK = re.compile("[-/]")
_MOST_DATES = 0.9
_MONTHS, _DAYS, _WEEKS = 12, 31, 53
_WHOLE_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_DIGITS_OF_DATE = 2


def _are_codes_of_numbers(levels: Sequence[str]) -> bool:
    """Tell whether texts are two or three numbers of which the first or the last counts within the others.

    So do 1-41 and 12-7 of sites and patients, of which some can be no dates.
    """
    codes = [_MARK.split(level) for level in levels if _NUMBERS_BETWEEN_MARKS.fullmatch(level)]
    if len(set(map(len, codes))) != 1 or sum(map(_may_be_date, codes)) > _MOST_DATES * len(codes):
        return False
    return _count_within([(tuple(code[:-1]), int(code[-1])) for code in codes]) or _count_within(
        [(tuple(code[1:]), int(code[0])) for code in codes]
    )


def _may_be_date(numbers: Sequence[str]) -> bool:
    """Tell whether numbers may be a day and a month, a year with a month or a week, or all of a date."""
    rest = [number for number in numbers if not _WHOLE_YEAR.fullmatch(number)]
    if not rest or max(map(len, rest)) > _DIGITS_OF_DATE:
        return False
    least, *others = sorted(map(int, rest))
    if not others:
        return 1 <= least <= _WEEKS
    return 1 <= least <= _MONTHS and (others[0] <= _DAYS or set(map(len, numbers)) == {_DIGITS_OF_DATE})


def _count_within(numbers: Sequence[tuple[tuple[str, ...], int]]) -> bool:
    """Tell whether numbers count within groups of several, from 1 on in most, or on from group to group."""
    of_group: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for group, number in numbers:
        of_group[group].append(number)
    if len(numbers) < 2 * len(of_group):
        return False
    from_one_on = sum(max(own) <= 2 * len(own) for own in of_group.values())
    return 2 * from_one_on > len(of_group) or len({number for _, number in numbers}) == len(numbers)


def _fits_most(pattern: re.Pattern[str], levels: Sequence[str]) -> bool:
    """Tell whether more than half of some texts are of a form; no more are looked at than it takes."""
    fitting = filter(None, map(pattern.fullmatch, levels))
    return next(islice(fitting, len(levels) // 2, None), None) is not None


def are_quantities(levels: Sequence[str]) -> bool:
    """Tell whether most texts are numbers with one and the same unit.

    >>> are_quantities(["10 mg", "15 mg", "2.5 mg"]), are_quantities(["12-B", "13-B"])
    (True, False)
    """
    units = [match["unit"].strip() for level in levels if (match := _QUANTITY.fullmatch(level))]
    return 2 * len(units) > len(levels) and len(set(units)) == 1


def are_numbers(levels: Sequence[str]) -> bool:
    """Tell whether most texts are numbers, or numbers behind a sign such as <, and none is a code as 007 is.

    Such a column was measured; some of its cells hold something else.

    >>> are_numbers(["45", "46", "~47", "unknown"]), are_numbers(["045", "046"]), are_numbers(["10.0.1.7"])
    (True, False, False)
    """
    if any(len(level) > 1 and level[0] == "0" and level[1].isdigit() for level in levels):
        return False
    return _fits_most(_NUMBER, levels)


def are_measured(levels: Sequence[str]) -> bool:
    """Tell whether most texts are dates, quantities or numbers, so that none of them is a code.

    >>> are_measured(["45", "46", "~47"]), are_measured(["AB-12", "AB-13"])
    (True, False)
    """
    return are_dates(levels) or are_quantities(levels) or are_numbers(levels)


def text_of_alike_rows(variables: Sequence[Variable], columns: Sequence[np.ndarray]) -> str | None:
    """Return the feature of many texts within each of which rows are more alike; None where there is none."""
    from scipy.special import ndtri

    pairs = list(zip(variables, columns, strict=True))
    candidates = [pair for pair in pairs if _may_bind_rows(*pair)][:_MOST_CANDIDATES]
    for variable, column in candidates:
        compared = [pair for pair in pairs if pair[0] is not variable and _can_be_alike(*pair, variable)]
        errors = sorted(
            _standard_errors(column, values, ~missing_mask(compared_variable, values))
            for compared_variable, values in compared[:_MOST_COMPARED]
        )
        if len(errors) < 2 or errors[-1] < _STANDARD_ERRORS:
            continue
        if _is_shared(variable.name) or errors[-2] >= -ndtri(_BY_CHANCE / (len(errors) - 1)):
            return variable.name
    return None


@lru_cache(maxsize=4096)
def _is_shared(name: str) -> bool:
    """Tell whether a name is that of people or places that several rows share, as teachers or schools are."""
    if _EAST_ASIAN_SHARED.search(name):
        return True
    words = [word for word in words_of(name) if word not in _BESIDE_SHARED]
    if not words or not (REMARK | BESIDE_OTHER).isdisjoint(words):
        return False
    return not _SHARED.isdisjoint((words[0], words[-1])) or words[-1].endswith(ENDS_OF_SHARED)


_SHARED = frozenset(map(plain_text, SHARED))
_BESIDE_SHARED = frozenset(map(plain_text, BESIDE_SHARED | NUMBER | BESIDE))
_EAST_ASIAN_SHARED = re.compile(f"(?:{EAST_ASIAN_SHARED})(?:名|名称|の名前|コード|代码|编号|番号)?$")


def _may_bind_rows(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column holds many texts that repeat, and neither dates nor quantities."""
    if variable.kind is not Kind.NOMINAL or variable.role is not Role.FEATURE:
        return False
    count = variable.level_count
    if count <= _FEWEST_TEXTS:
        return False
    if not _FEWEST_ROWS <= len(column) / count < _MOST_ROWS or missing_mask(variable, column).any():
        return False
    words = words_of(variable.name)
    is_other = bool(words) and (words[-1] in TIME | REMARK or words[0] in TIME)
    return not (is_other or variable.ordered or are_measured(variable.levels))


def _can_be_alike(variable: Variable, column: np.ndarray, texts: Variable) -> bool:
    """Tell whether a column is no other name of the texts, and does not number the rows."""
    if variable.kind is Kind.NOMINAL:
        return 2 * variable.level_count <= texts.level_count
    steps = np.diff(column)
    return not ((steps >= 0).all() or (steps <= 0).all())


def _standard_errors(text_of: np.ndarray, values: np.ndarray, is_present: np.ndarray) -> float:
    """Return by how many standard errors rows with one text are more alike than others."""
    from scipy.stats import rankdata

    ranks = rankdata(values[is_present])
    if not len(ranks):
        return 0.0
    ranks -= ranks.mean()
    variance = float((ranks * ranks).mean())
    of_text = text_of[is_present]
    counts = np.bincount(of_text)
    pairs = float((counts * (counts - 1.0)).sum()) / 2
    if not variance or not pairs:
        return 0.0
    products = float((np.bincount(of_text, ranks) ** 2).sum() - (ranks * ranks).sum()) / 2
    return float(products / (variance * np.sqrt(pairs)))
