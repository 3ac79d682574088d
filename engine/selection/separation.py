"""Which candidates no set of neighbours separates from a label: the test of line 6 of CLCD-FS."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.separators import separation
from engine.independence.multiple_testing import discoveries


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
        search, settings = self._search, self._search.settings
        position = search.data.positions
        target, pool = position[label], [position[each] for each in neighbours]
        log_p = np.zeros(len(candidates))
        for place, candidate in enumerate(candidates):
            variable = position[candidate]
            found = separation(search.data, variable, target, pool, settings.max_conditioning, search.stop)
            # Of a candidate that a set separates the log p is above the level, so that it is no discovery.
            log_p[place] = found.log_p
        joining = discoveries(log_p, settings.alpha, settings.false_discovery)
        return [name for name, joins in zip(candidates, joining, strict=True) if joins]
