"""What takes time only once, done while the person is still choosing a table."""

from __future__ import annotations

import numpy as np

from clcd_gui.run.shared_progress import SharedProgress


class WarmUp:
    """Loads the libraries and compiles the searches by analysing a tiny table.

    The first run on a machine compiles, which takes seconds; every later start only loads.
    """

    def __call__(self, progress: SharedProgress) -> None:
        """Do it."""
        import engine
        from engine.dataset import Dataset
        from engine.variable import Kind, Role, Variable

        source = np.random.default_rng(0)
        first = source.integers(0, 2, 64)
        columns = [first, np.where(source.random(64) < 0.9, first, 1 - first), source.integers(0, 2, 64)]
        variables = [
            Variable(f"x{place}", Kind.NOMINAL, Role.LABEL if place == 0 else Role.FEATURE, ("a", "b"))
            for place in range(len(columns))
        ]
        prepared = engine.prepare(Dataset(tuple(variables), tuple(columns)))
        if not progress.should_stop():
            engine.discover(prepared, progress=progress)
