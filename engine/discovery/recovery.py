"""Phase 2 of CLCD: variables that two neighbouring labels hide from each other.

When labels Ti and Tj tell the same about Z, each search can drop Z because of the other label
(Theorem 7, case 2, of the paper). Where it is shown that they do, such Z join the neighbours of Tj unless
its other neighbours explain them. They are a family of discoveries of their own: under false-discovery
control, the least significant test of each against Tj must pass among all features that could have been
hidden.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.boundaries.separators import separation
from engine.discovery.equivalence_test import compare, not_told_apart
from engine.discovery.verdict import Verdict
from engine.independence.batch import Question, ask
from engine.independence.multiple_testing import discoveries


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
        eligible[members] = False
        candidates = np.flatnonzero(eligible).tolist()
        given_each: list[Question] = [(each, other, (label,)) for each in candidates]
        given_each += [(each, label, (other,)) for each in candidates]
        answers = ask(search.data, given_each, search.stop)
        search.check_stop()
        tests += len(given_each)
        kept = not_told_apart(answers, search.settings.alpha)
        both_ways = np.all(kept.reshape(2, -1), axis=0)
        possible = list(compress(candidates, both_ways.tolist()))
        compared, made = compare(search, [(each, (label,), (other,)) for each in possible])
        tests += made
        suspects = [
            each
            for each, comparison in zip(possible, compared, strict=True)
            if comparison.verdict is Verdict.INTERCHANGEABLE
        ]
        pool = [member for member in members if member != other]
        log_p = np.zeros(int(features.sum()))
        for place, suspect in enumerate(suspects):
            looked_for = separation(
                search.data, suspect, label, pool, search.settings.max_conditioning, search.stop
            )
            tests += looked_for.tests
            # What is not significant by itself is none among others either.
            log_p[place] = 0.0 if looked_for.is_found else looked_for.log_p
        found = discoveries(log_p, search.settings.alpha, search.settings.false_discovery)
        joining = [suspect for place, suspect in enumerate(suspects) if found[place]]
        hidden += joining
        members += joining
    return hidden, tests
