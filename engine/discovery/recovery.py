"""Phase 2 of CLCD: variables that two neighbouring labels hide from each other.

When labels Ti and Tj tell the same about Z, each search can drop Z because of the other label
(Theorem 7, case 2, of the paper). Such Z join the neighbours of Tj unless its other neighbours explain
them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.independence.batch import Question, ask


def hidden_by_labels(
    search: Neighbourhoods, neighbourhood: Neighbourhood, labels: Iterable[int], features: np.ndarray
) -> tuple[list[int], int]:
    """Find the features that neighbouring labels hid from the search of one label.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    neighbourhood : Neighbourhood
        Neighbours of the label Tj.
    labels : iterable of int
        The other labels.
    features : ndarray of bool, shape (variables,)
        Which variables are features.

    Returns
    -------
    hidden : list of int
        Features to add, in the order found.
    tests : int
        Tests made.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    label = neighbourhood.target
    members = list(neighbourhood.members)
    hidden: list[int] = []
    tests = 0
    for other in labels:
        if other not in neighbourhood.member_set:
            continue
        eligible = features & search.screen(label).passed & search.screen(other).passed
        candidates = [int(each) for each in np.flatnonzero(eligible) if int(each) not in members]
        given_each: list[Question] = [(each, other, (label,)) for each in candidates]
        given_each += [(each, label, (other,)) for each in candidates]
        answers = ask(search.data, given_each, search.stop)
        search.check_stop()
        tests += len(given_each)
        from_label, from_other = answers.independent.reshape(2, -1)
        independent = from_label & from_other
        for candidate in [each for each, both in zip(candidates, independent, strict=True) if both]:
            pool = [member for member in members if member != other]
            separated, asked = _is_separated(search, candidate, label, pool)
            tests += asked
            if not separated:
                hidden.append(candidate)
                members.append(candidate)
    return hidden, tests


def _is_separated(search: Neighbourhoods, x: int, y: int, pool: list[int]) -> tuple[bool, int]:
    """Tell whether a subset of `pool` separates x and y; the second value counts the tests."""
    questions: list[Question] = [
        (x, y, subset)
        for size in range(min(search.settings.max_conditioning, len(pool)) + 1)
        for subset in combinations(pool, size)
    ]
    answers = ask(search.data, questions, search.stop)
    search.check_stop()
    return bool(answers.independent.any()), len(questions)
