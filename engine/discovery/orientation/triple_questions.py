"""The tests of many triples as arrays, each different one once."""

from __future__ import annotations

from itertools import chain

import numpy as np

from engine.discovery.orientation.triples import Indices, Triple
from engine.independence.answers import Answers
from engine.independence.batch import Question
from engine.independence.data import TestData

# After the last variable of every set, so that it stays behind when sets are sorted.
_NOBODY = np.iinfo(np.int64).max


class TripleQuestions:
    """The ends of each triple given each of its sets, without the centre and with it.

    Parameters
    ----------
    triples : dict of Triple to tuple of sets
        At least one triple; each with at least one set, in column order.

    Attributes
    ----------
    free, held : ndarray of int64, shape (all sets,)
        Numbers of the questions without and with the centre, triple after triple.
    sizes : ndarray of int64, shape (questions,)
        Number of variables that each question holds fixed.
    """

    def __init__(self, triples: dict[Triple, tuple[Indices, ...]]) -> None:
        counts = np.array([len(sets) for sets in triples.values()])
        self._starts = np.cumsum(counts) - counts
        self._ends = np.cumsum(counts)
        ends_and_centre = np.array([(each.first, each.second, each.centre) for each in triples])
        rows = _rows(np.repeat(ends_and_centre, counts, axis=0), list(chain.from_iterable(triples.values())))
        self._rows, numbers = _each_once(rows)
        self.free, self.held = np.split(numbers, 2)
        self.sizes = (self._rows[:, 2:] != _NOBODY).sum(axis=1)

    @property
    def count(self) -> int:
        """Number of different questions."""
        return len(self._rows)

    def ask(self, data: TestData, stop: np.ndarray) -> Answers:
        """Make every test; after a stop the answers must not be used."""
        given = np.where(self._rows[:, 2:] == _NOBODY, 0, self._rows[:, 2:])
        return data.ask_rows(self._rows[:, 0].copy(), self._rows[:, 1].copy(), given, self.sizes, stop)

    def question(self, number: int) -> Question:
        """Give a question by its number."""
        first, second, *given = self._rows[number, : 2 + self.sizes[number]].tolist()
        return first, second, tuple(given)

    def rows_of(self, place: int) -> slice:
        """Tell where in `free` and `held` the sets of a triple are."""
        return slice(self._starts[place], self._ends[place])

    def any_of(self, marks: np.ndarray) -> np.ndarray:
        """Tell for each triple whether any of its sets is marked."""
        found: np.ndarray = np.logical_or.reduceat(marks, self._starts)
        return found


def _rows(ends_and_centre: np.ndarray, sets: list[Indices]) -> np.ndarray:
    """Write each question as its two ends and what is held fixed, first all without the centre."""
    sizes = np.array([len(each) for each in sets])
    given = np.full((len(sets), int(sizes.max()) + 1), _NOBODY)
    given[np.arange(given.shape[1]) < sizes[:, None]] = list(chain.from_iterable(sets))
    with_centre = given.copy()
    with_centre[np.arange(len(sets)), sizes] = ends_and_centre[:, 2]
    with_centre.sort(axis=1)
    fixed = np.concatenate((given, with_centre))
    return np.hstack((np.tile(ends_and_centre[:, :2], (2, 1)), fixed))


def _each_once(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the different rows, and for each row the number of its equal among them."""
    order = np.lexsort(rows.T)
    ordered = rows[order]
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    numbers = np.empty(len(rows), dtype=np.int64)
    numbers[order] = np.cumsum(is_new) - 1
    return ordered[is_new], numbers
