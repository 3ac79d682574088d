"""Which candidates no set of neighbours separates from a label: the test of line 6 of CLCD-FS."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.false_discovery import discoveries
from engine.independence.batch import Question, ask

_SETS_AT_ONCE = 500


class Separation:
    """Tests candidates against one label after another.

    Sets are tried by size, up to the conditioning size of the settings, and a candidate is passed over as
    soon as one separates it. Under false-discovery control, the candidates of one round are a family: the
    least significant test of each must pass among them.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    """

    def __init__(self, search: Neighbourhoods) -> None:
        self._search = search

    def inseparable(self, label: str, candidates: Sequence[str], neighbours: Sequence[str]) -> list[str]:
        """Give the candidates that no set of `neighbours` separates from a label, in their order.

        Parameters
        ----------
        label : str
        candidates, neighbours : sequence of str
            Variables other than the label.

        Raises
        ------
        Cancelled
            When the run was stopped.
        """
        position, settings = self._search.data.positions, self._search.settings
        target, pool = position[label], [position[each] for each in neighbours]
        log_p = np.zeros(len(candidates))
        left = dict.fromkeys(range(len(candidates)), -np.inf)
        for size in range(min(settings.max_conditioning, len(pool)) + 1):
            sets = combinations(pool, size)
            while some := list(islice(sets, _SETS_AT_ONCE)):
                for place in list(left):
                    weakest = self._weakest(position[candidates[place]], target, some)
                    if weakest is None:
                        del left[place]
                    else:
                        left[place] = max(left[place], weakest)
        for place, weakest in left.items():
            # A candidate that no reliable test speaks for has log p 0.
            log_p[place] = weakest if np.isfinite(weakest) else 0.0
        found = discoveries(log_p, settings.alpha, settings.false_discovery)
        return [name for name, joins in zip(candidates, found, strict=True) if joins]

    def _weakest(self, variable: int, target: int, sets: Sequence[tuple[int, ...]]) -> float | None:
        """Give the largest log p given any of some sets; None when one of them separates."""
        questions: list[Question] = [(variable, target, given) for given in sets]
        answers = ask(self._search.data, questions, self._search.stop)
        self._search.check_stop()
        if answers.independent.any():
            return None
        return float(np.max(answers.log_p, where=answers.reliable, initial=-np.inf))
