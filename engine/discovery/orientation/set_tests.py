"""The ends of triples given many sets, without the centre and with it, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.discovery.orientation.triples import Indices, Triple
from engine.independence.answers import Answers
from engine.independence.batch import Question
from engine.independence.data import TestData

# After the last variable of every set, so that it stays behind when sets are sorted.
_NOBODY = np.iinfo(np.int64).max


@dataclass(frozen=True)
class SetTests:
    """Tests of the ends of triples given one set after another.

    Attributes
    ----------
    owners : ndarray of int64, shape (sets,)
        Number of the triple that each set belongs to.
    sizes : ndarray of int64, shape (sets,)
        Variables in each set, without the centre.
    free, held : Answers
        The ends given the set, and given the set and the centre.
    """

    owners: np.ndarray
    sizes: np.ndarray
    free: Answers
    held: Answers
    _free_rows: np.ndarray
    _held_rows: np.ndarray

    def free_question(self, number: int) -> Question:
        """Give what was asked without the centre."""
        return _question(self._free_rows[number])

    def held_question(self, number: int) -> Question:
        """Give what was asked with the centre."""
        return _question(self._held_rows[number])


def try_sets(
    data: TestData, triples: Sequence[Triple], sets: Sequence[tuple[int, Indices]], stop: np.ndarray
) -> SetTests:
    """Make the two tests of every set.

    Parameters
    ----------
    data : TestData
        What is tested.
    triples : sequence of Triple
    sets : sequence of (number of the triple, variables in column order)
        At least one.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the answers must then not be used.
    """
    sizes = np.array([len(each) for _, each in sets], dtype=np.int64)
    given = np.full((len(sets), max(int(sizes.max()), 1)), _NOBODY)
    given[np.arange(given.shape[1]) < sizes[:, None]] = [each for _, found in sets for each in found]
    return _made(data, triples, np.array([owner for owner, _ in sets]), given, sizes, stop)


def try_singles(
    data: TestData, triples: Sequence[Triple], singles: Sequence[tuple[int, np.ndarray]], stop: np.ndarray
) -> SetTests:
    """Make the two tests of every set of one variable, given as an array for each triple.

    The parameters are those of :func:`try_sets`.
    """
    owners = np.repeat([owner for owner, _ in singles], [len(found) for _, found in singles])
    given = np.concatenate([found for _, found in singles])[:, None]
    return _made(data, triples, owners, given, np.ones(len(given), dtype=np.int64), stop)


def _made(
    data: TestData,
    triples: Sequence[Triple],
    owners: np.ndarray,
    given: np.ndarray,
    sizes: np.ndarray,
    stop: np.ndarray,
) -> SetTests:
    three = np.array([(each.first, each.second, each.centre) for each in triples])[owners]
    ends, centres = three[:, :2], three[:, 2]
    with_centre = np.hstack((given, np.full((len(given), 1), _NOBODY)))
    with_centre[np.arange(len(given)), sizes] = centres
    with_centre.sort(axis=1)
    return SetTests(
        owners,
        sizes,
        _ask(data, ends, given, sizes, stop),
        _ask(data, ends, with_centre, sizes + 1, stop),
        np.hstack((ends, given)),
        np.hstack((ends, with_centre)),
    )


def _ask(data: TestData, ends: np.ndarray, given: np.ndarray, sizes: np.ndarray, stop: np.ndarray) -> Answers:
    filled = np.where(given == _NOBODY, 0, given)
    return data.ask_rows(ends[:, 0].copy(), ends[:, 1].copy(), filled, sizes, stop)


def _question(row: np.ndarray) -> Question:
    first, second, *given = row[row != _NOBODY].tolist()
    return first, second, tuple(given)
