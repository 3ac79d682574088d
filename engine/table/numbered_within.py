"""Numbers that are given anew in each site, plate or country: rows with one number are different persons.

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
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.table.dataset import Dataset
from engine.table.identifier_words import TIME
from engine.table.variable import Kind, Role, Variable, missing_mask

_WORDS = re.compile(r"[^\W\d_]+")
# More values are no sites; a date or an age may tell the rows of a person apart by chance.
_MOST_SITES = 100
# So many pairs of rows with one identifier would be of one site by chance, and none is.
_FEWEST_PAIRS_EXPECTED = 7.0
_FEWEST_COLUMNS = 2
# In standard errors: what chance gives in one of 2000 columns, and in none.
_ALIKE, _SURELY_ALIKE = 3.3, 5.0
# In some column rows of one person resemble each other by at least so large a correlation.
_CORRELATION_OF_PERSONS = 0.5
_LIMIT_OF_CONFIDENCE = 2.0
# So much of a column's variance must be left when its trend along the identifier is taken out.
_LEAST_LEFT = 0.2


@dataclass(frozen=True, slots=True)
class NumberedWithin:
    """A column with few values within each of which the values of an identifier all differ.

    Attributes
    ----------
    name : str
        Of the sites, plates or countries.
    is_certain : bool
        Whether rows with one value are seen to be no more alike than others.
    """

    name: str
    is_certain: bool


def numbered_within(dataset: Dataset, name: str) -> NumberedWithin | None:
    """Return within what an identifier that repeats may number persons anew; None where they are the same.

    Parameters
    ----------
    dataset : Dataset
    name : str
        An identifier that has no missing value.

    Examples
    --------
    >>> import pandas
    >>> generator = np.random.default_rng(3)
    >>> frame = pandas.DataFrame({"centre": np.repeat([1, 2, 3], 50), "patient": [*range(1, 51)] * 3})
    >>> frame = frame.assign(age=generator.integers(20, 80, 150), weight=generator.normal(75, 9, 150))
    >>> numbered_within(Dataset.from_frame(frame), "patient")
    NumberedWithin(name='centre', is_certain=True)
    >>> same = frame.assign(age=frame["patient"] % 37, visit=frame["centre"])
    >>> numbered_within(Dataset.from_frame(same), "patient") is None
    True
    """
    person_of = np.unique(dataset.column(name), return_inverse=True)[1]
    tells_apart = list(_telling_apart(dataset, name, person_of))
    if not tells_apart or any(is_time_name(variable.name) for variable, _ in tells_apart):
        return None
    site, site_of = min(tells_apart, key=lambda pair: (int(pair[1].max()), pair[0].name))
    number = _ranked_within(dataset.column(name).astype(float), site_of)
    alike = []
    for variable, column in zip(dataset.variables, dataset.columns, strict=True):
        if variable.name not in (name, site.name) and not _is_copy(variable, column, person_of):
            alike += _likeness(variable, column, person_of, site_of, number)
    most = max(alike, default=0.0)
    if most > _SURELY_ALIKE:
        return None
    shown = _CORRELATION_OF_PERSONS * np.sqrt(_pairs(person_of)) - _LIMIT_OF_CONFIDENCE
    return NumberedWithin(site.name, len(alike) >= _FEWEST_COLUMNS and bool(most <= min(_ALIKE, shown)))


def is_time_name(name: str) -> bool:
    """Tell whether a column is called as visits, weeks and the like are.

    Examples
    --------
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


def _likeness(
    variable: Variable, column: np.ndarray, person_of: np.ndarray, site_of: np.ndarray, number: np.ndarray
) -> list[float]:
    """Return how many standard errors rows with one identifier are alike; nothing where it cannot be told.

    The products of all pairs of rows with one identifier are added up. As these rows are of different sites,
    the sum has a mean of 0 and the variance of the number of pairs if they are different persons.
    """
    is_present = ~missing_mask(variable, column)
    persons = person_of[is_present]
    pairs = _pairs(persons)
    if not pairs:
        return []
    ranks = _ranked_within(column[is_present].astype(float), site_of[is_present])
    along = number[is_present]
    left = ranks - along * ((ranks * along).sum() / max((along * along).sum(), 1.0))
    variance = left.var()
    if variance <= _LEAST_LEFT:
        return []
    left /= np.sqrt(variance)
    sums, squares = np.bincount(persons, left), np.bincount(persons, left * left)
    return [float((sums * sums - squares).sum()) / 2 / float(np.sqrt(pairs))]


def _ranked_within(values: np.ndarray, site_of: np.ndarray) -> np.ndarray:
    """Rank values within each site, equal ones by their mean, with a mean of 0 and a variance of 1."""
    ranked = np.zeros(len(values))
    for site in np.unique(site_of):
        rows = np.flatnonzero(site_of == site)
        _, place, counts = np.unique(values[rows], return_inverse=True, return_counts=True)
        ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
        spread = ranks.std()
        if spread > 0:
            ranked[rows] = (ranks - ranks.mean()) / spread
    return ranked
