"""What takes time only once, done while the person is still choosing a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clcd_gui.run.kernels import Kernels
from clcd_gui.run.shared_progress import SharedProgress


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Loads the libraries, has the searches compiled, and loads these by analysing a tiny table.

    Attributes
    ----------
    kernels : Kernels
        Shared with the runs, which wait for the same compilation.
    """

    kernels: Kernels

    def __call__(self, progress: SharedProgress) -> None:
        """Do it."""
        # Reading tables needs pandas, which is slow to load.
        import pandas  # noqa: F401

        import engine
        from engine.boundaries.settings import DiscoverySettings
        from engine.dataset import Dataset
        from engine.independence.traits import USUAL_TRAITS
        from engine.variable import Kind, Role, Variable

        self.kernels.ensure(DiscoverySettings(), USUAL_TRAITS, progress)
        source = np.random.default_rng(0)
        first = source.integers(0, 2, 64)
        columns = [first, np.where(source.random(64) < 0.9, first, 1 - first), source.integers(0, 2, 64)]
        variables = [
            Variable(f"x{place}", Kind.NOMINAL, Role.LABEL if place == 0 else Role.FEATURE, ("a", "b"))
            for place in range(len(columns))
        ]
        prepared = engine.prepare(Dataset(tuple(variables), tuple(columns)))
        if not progress.should_stop():
            engine.discover(prepared, DiscoverySettings(), progress)
