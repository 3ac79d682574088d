"""Identifiers by which rows are grouped, and numbers that are given anew in each site, plate or country.

Of a person with several visits, as of patient 7 of several sites, each row differs by the visit or the site
together with the identifier. What the rows hold tells the two apart: those of one person have sex and year
of birth in common, and resemble each other in most of what was measured. So rows with one identifier are
compared with each other, column by column, after the column was ranked within each site and its trend along
the identifier was taken out, as sites number persons by the date of inclusion. Where no column shows that
they are more alike than by chance, they are different persons. Little is lost if that is wrong, as rows
that are no more alike need no groups. They are taken for one person where too few pairs of rows could show
it, or where a column is called as visits are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.table.dataset import Dataset
from engine.table.identifier_words import TIME
from engine.table.identifiers import (
    JOINED,
    REPEATING_IDENTIFIER,
    are_whole_numbers,
    is_cluster_name,
    is_identifier_name,
    may_be_identifier_name,
    repeating_identifier,
)
from engine.table.number_names import named_as_kinds
from engine.table.unit_numbers import FEWEST_ROWS_OF_UNIT, may_number_units
from engine.table.variable import Kind, Role, Variable, missing_mask
from engine.translation import N_, _
from engine.wording.notes import Note
from engine.wording.numbers import count_text, counted

_WORDS = re.compile(r"[^\W\d_]+")
_DIGITS_LAST = re.compile(r"\d+$")
# More values are no sites; a date or an age may tell the rows of a person apart by chance.
_MOST_SITES = 100
# So many pairs of rows with one identifier would be of one site by chance, and none is.
_FEWEST_PAIRS_EXPECTED = 7.0
_FEWEST_COLUMNS = 2
# What chance gives in one of so many tables at most, and what it does not give.
_ALIKE, _SURELY_ALIKE = 2e-3, 1e-6
# In some column rows of one person resemble each other by at least so large a correlation.
_CORRELATION_OF_PERSONS = 0.5
_LIMIT_OF_CONFIDENCE = 2.0
# So much of a column's variance must be left when its trend along the identifier is taken out.
_LEAST_LEFT = 0.2
_COLUMNS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class NumberedWithin:
    """A column, such as the site, within each value of which an identifier does not repeat."""

    name: str
    is_certain: bool  # rows with one identifier seem no more alike than others, in rows enough to show it


def numbered_within(dataset: Dataset, name: str) -> NumberedWithin | None:
    """Return within what an identifier that repeats may number persons anew; None where they are the same."""
    from scipy.special import ndtri

    person_of = np.unique(dataset.column(name), return_inverse=True)[1]
    tells_apart = list(_telling_apart(dataset, name, person_of))
    if not tells_apart or any(is_time_name(variable.name) for variable, _ in tells_apart):
        return None
    site, site_of = min(tells_apart, key=lambda pair: (int(pair[1].max()), pair[0].name))
    likeness = _SiteLikeness(dataset, name, person_of, site_of)
    compared = [
        (variable, column)
        for variable, column in zip(dataset.variables, dataset.columns, strict=True)
        if variable.name not in (name, site.name) and not _is_copy(variable, column, person_of)
    ]
    blocks = [
        compared[first : first + _COLUMNS_AT_ONCE] for first in range(0, len(compared), _COLUMNS_AT_ONCE)
    ]
    alike = np.concatenate([likeness.in_columns(block) for block in blocks] or [np.empty(0)])
    most, count = alike.max(initial=0.0), max(len(alike), 1)
    by_chance, never = -ndtri(_ALIKE / count), -ndtri(_SURELY_ALIKE / count)
    if most > never:
        return None
    shown = _CORRELATION_OF_PERSONS * np.sqrt(_pairs(person_of)) - _LIMIT_OF_CONFIDENCE
    return NumberedWithin(site.name, len(alike) >= _FEWEST_COLUMNS and bool(most <= min(by_chance, shown)))


def is_time_name(name: str) -> bool:
    """Tell whether a column is called as visits, weeks and the like are.

    >>> is_time_name("Visit"), is_time_name("study_week"), is_time_name("Besuch"), is_time_name("weight")
    (True, True, True, False)
    """
    words = [word.casefold() for word in _WORDS.findall(name)]
    return bool(words) and (words[-1] in TIME or words[0] in TIME)


def _telling_apart(
    dataset: Dataset, name: str, person_of: np.ndarray
) -> Iterator[tuple[Variable, np.ndarray]]:
    """Give the columns of few values that tell the rows of each person apart, not by chance."""
    pairs = _pairs(person_of)
    rows = np.flatnonzero(person_of == np.bincount(person_of).argmax())
    for variable, column in zip(dataset.variables, dataset.columns, strict=True):
        if variable.name == name or variable.role is Role.IGNORED:
            continue
        if len(np.unique(column[rows])) < len(rows) or missing_mask(variable, column).any():
            continue
        _, site_of, sizes = np.unique(column, return_inverse=True, return_counts=True)
        if (
            len(sizes) > _MOST_SITES
            or pairs * float(((sizes / len(column)) ** 2).sum()) < _FEWEST_PAIRS_EXPECTED
        ):
            continue
        if len(np.unique(person_of * len(sizes) + site_of)) == len(column):
            yield variable, site_of


def _pairs(person_of: np.ndarray) -> float:
    """Count the pairs of rows with one identifier."""
    counts = np.bincount(person_of)
    return float((counts * (counts - 1)).sum()) / 2


def _is_copy(variable: Variable, column: np.ndarray, person_of: np.ndarray) -> bool:
    """Tell whether a column of texts names the same as the identifier, or nearly each row."""
    if variable.kind is not Kind.NOMINAL:
        return False
    values, code_of = np.unique(column, return_inverse=True)
    persons = int(person_of.max()) + 1
    is_same = len(values) == persons == len(np.unique(code_of * persons + person_of))
    return is_same or 2 * len(values) > len(column)


class _SiteLikeness:
    """Compares rows with one identifier, which are of different sites."""

    def __init__(self, dataset: Dataset, name: str, person_of: np.ndarray, site_of: np.ndarray) -> None:
        self._person_of = person_of
        self._rows_of_sites = [np.flatnonzero(site_of == site) for site in range(int(site_of.max()) + 1)]
        number = _numbers(dataset.variable(name), dataset.column(name))[:, np.newaxis]
        # Ranks of the identifiers within their site, shape (rows, 1).
        self._number = _ranked_within(self._rows_of_sites, number, np.ones(number.shape, bool))

    def in_columns(self, columns: Sequence[tuple[Variable, np.ndarray]]) -> np.ndarray:
        """Return by how many standard errors rows with one identifier are alike, where it can be told.

        The products of all pairs of rows with one identifier are added up. The sum has a mean of 0 and the
        variance of the number of pairs if the rows are of different persons.
        """
        is_present = np.column_stack([~missing_mask(variable, column) for variable, column in columns])
        values = np.column_stack([column.astype(float) for _, column in columns])
        ranks = _ranked_within(self._rows_of_sites, values, is_present)
        along = self._number * is_present
        left = ranks - along * ((ranks * along).sum(axis=0) / np.maximum((along * along).sum(axis=0), 1.0))
        variance = (left * left).sum(axis=0) / np.maximum(is_present.sum(axis=0), 1)
        of_persons = _sums(self._person_of, left) ** 2 - _sums(self._person_of, left * left)
        counts = _sums(self._person_of, is_present.astype(float))
        pairs = (counts * (counts - 1)).sum(axis=0) / 2
        can_tell = (variance > _LEAST_LEFT) & (pairs > 0)
        errors: np.ndarray = (of_persons.sum(axis=0) / 2)[can_tell] / (variance * np.sqrt(pairs))[can_tell]
        return errors


def _numbers(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Return the numbers at the end of identifiers, or the order of these."""
    if variable.kind is not Kind.NOMINAL:
        return column
    ends = [_DIGITS_LAST.search(level) for level in variable.levels]
    numbers = [float(place) if end is None else float(end[0]) for place, end in enumerate(ends)]
    return np.array(numbers).take(column)


def _sums(person_of: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Add up the rows of each person."""
    order = np.argsort(person_of, kind="stable")
    firsts = np.flatnonzero(np.diff(person_of[order], prepend=-1))
    return np.add.reduceat(values[order], firsts, axis=0)


def _ranked_within(
    rows_of_sites: Sequence[np.ndarray], values: np.ndarray, is_present: np.ndarray
) -> np.ndarray:
    """Rank columns within each site, with a mean of 0 and a variance of 1; 0 where a value is missing."""
    from scipy.stats import rankdata

    ranked = np.zeros(values.shape)
    for rows in rows_of_sites:
        present = is_present[rows]
        ranks = rankdata(np.where(present, values[rows], np.inf), axis=0)
        count = np.maximum(present.sum(axis=0), 1)
        ranks = np.where(present, ranks - (ranks * present).sum(axis=0) / count, 0.0)
        spread = np.sqrt((ranks * ranks).sum(axis=0) / count)
        ranked[rows] = ranks / np.where(spread > 0, spread, 1.0)
    return ranked


def numbers_units_of_groups(variable: Variable, column: np.ndarray, group_of: np.ndarray) -> bool:
    """Tell whether whole numbers name units of several rows within groups, as pigs within litters.

    Each unit has its own number and these follow one another from group to group; or the column is called as
    units are, and each group numbers its own from 1.
    """
    values = _as_numbers(variable, column)
    if values is None or not values.min() >= 1:
        return False
    # Most columns are told by one number, at little cost.
    is_own = not (values[group_of != group_of[0]] == values[0]).any()
    if not is_own and (values.min() > 1 or not _is_named_as_units(variable.name)):
        return False
    if not are_whole_numbers(values):
        return False
    # Sorted by the number, then by the group.
    units = np.unique(np.column_stack([values, group_of]), axis=0)
    groups = len(np.unique(group_of))
    # A number of the group itself has hardly two values in one.
    if groups < 2 or len(units) < 2 * groups or len(column) < FEWEST_ROWS_OF_UNIT * len(units):
        return False
    if len(np.unique(units[:, 0])) == len(units):
        changes = int(np.count_nonzero(np.diff(units[:, 1])))
        return changes == groups - 1 and may_number_units(variable, column)
    if not _is_named_as_units(variable.name):
        return False
    _, of_group, counts = np.unique(units[:, 1], return_inverse=True, return_counts=True)
    greatest = np.zeros(groups)
    np.maximum.at(greatest, of_group, units[:, 0])
    return bool(units[0, 0] == 1 and (greatest == counts).all())


def _is_named_as_units(name: str) -> bool:
    return is_identifier_name(name) or is_cluster_name(name)


def _as_numbers(variable: Variable, column: np.ndarray) -> np.ndarray | None:
    """Return the numbers that a column holds, or its levels are; None of texts."""
    if variable.kind is not Kind.NOMINAL:
        return column
    try:
        return np.append(np.array(variable.levels, dtype=float), np.nan).take(column)
    except ValueError:
        return None


def grouped_by_identifier(dataset: Dataset) -> Dataset:
    """Group the rows that have one value of an identifier, before a person chose roles, and say so first.

    Where each site numbers its own persons, the identifier is set aside and groups nothing.
    """
    if dataset.groups is not None:
        return dataset
    # A join repeated the rows of one identifier, whatever it is called.
    repeated = next((note.variable for note in dataset.notes if note.topic == JOINED), "")
    name = repeating_identifier(dataset) or (repeated if repeated in dataset.names else None)
    if name is None:
        return dataset
    different = len(np.unique(dataset.column(name)))
    within = None if name == repeated else numbered_within(dataset, name)
    if within is not None and is_identifier_name(within.name):
        # Persons are numbered within their household.
        within = None
    # Of a doctor, a hospital or a teacher there are rows of several persons.
    names_persons = not named_as_kinds(name) and (is_identifier_name(name) or may_be_identifier_name(name))
    template, role = (_OF_ONE_PERSON if names_persons else _TOGETHER), Role.GROUPS
    if within is not None and within.is_certain:
        template, role = _APART, Role.IGNORED
    elif within is not None:
        template = _PERHAPS_PERSONS_APART if names_persons else _PERHAPS_APART
    message = _(
        template,
        name=name,
        different=count_text(different),
        rows=counted(dataset.row_count, "row"),
        within=within.name if within is not None else "",
    )
    if role is Role.GROUPS:
        # As what it is read says nothing of what is no feature.
        dataset = dataset.without_notes_on_kind(name)
    changed = dataset.with_roles({name: role})
    return replace(changed, notes=(Note(REPEATING_IDENTIFIER, message, name), *changed.notes))


_APART = N_(
    "'{name}' is not a feature: it has {different} different values in {rows}, all different within "
    "each value of '{within}'. Rows with the same value do not seem more alike than others. They "
    "are taken for different persons, and are not grouped."
)
_OF_ONE_PERSON = N_(
    "'{name}' is not a feature: it has {different} different values in {rows}, like an identifier. "
    "Rows with the same value are grouped, as several rows of one person are not independent."
)
_TOGETHER = N_(
    "'{name}' is not a feature: it has {different} different values in {rows}, like an identifier. "
    "Rows with the same value are grouped, as several rows that belong together are not "
    "independent."
)
_PERHAPS_PERSONS_APART = N_(
    "'{name}' is not a feature: it has {different} different values in {rows}, like an identifier. "
    "Rows with the same value are grouped, as several rows of one person are not independent. If "
    "each value of '{within}' numbers its own, do not group the rows."
)
_PERHAPS_APART = N_(
    "'{name}' is not a feature: it has {different} different values in {rows}, like an identifier. "
    "Rows with the same value are grouped, as several rows that belong together are not "
    "independent. If each value of '{within}' numbers its own, do not group the rows."
)
