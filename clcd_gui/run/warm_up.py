"""What takes time only once, done while the person is still choosing a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clcd_gui.run.kernels import Kernels
from clcd_gui.run.shared_progress import SharedProgress

if TYPE_CHECKING:
    from engine.table.dataset import Dataset


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
        from clcd_gui.core.templates import load_templates
        from engine.boundaries.settings import DiscoverySettings
        from engine.independence.traits import traits_of

        load_templates()
        # Most tables have numbers, so their test comes first.
        for are_numbers in (True, False):
            table = _tiny_table(are_numbers)
            self.kernels.ensure(DiscoverySettings(), traits_of(table), progress)
            if progress.should_stop():
                return
            engine.discover(engine.prepare(table, discretise="none"), DiscoverySettings(), progress)


def _tiny_table(are_numbers: bool) -> Dataset:
    """Make a label that goes along with one of two features, which are numbers or categories."""
    from engine.table.dataset import Dataset
    from engine.table.variable import Kind, Role, Variable

    source = np.random.default_rng(0)
    label = source.integers(0, 2, 64)
    features = [np.where(source.random(64) < 0.9, label, 1 - label), source.integers(0, 2, 64)]
    variables = [Variable("label", Kind.NOMINAL, Role.LABEL, ("a", "b"))]
    for place in range(len(features)):
        if are_numbers:
            features[place] = features[place] + source.normal(size=64)
        kind, levels = (Kind.CONTINUOUS, ()) if are_numbers else (Kind.NOMINAL, ("a", "b"))
        variables.append(Variable(f"feature {place}", kind, levels=levels))
    return Dataset(tuple(variables), (label, *features))
