"""The compiled searches, made once on a machine by a calm process, and what else takes time only once."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from clcd_gui.run.progress import SharedProgress
from engine.boundaries.settings import DiscoverySettings
from engine.errors import Cancelled
from engine.independence.options import TableTraits
from engine.progress import ProgressEvent
from engine.wording.sentences import FIRST_RUN_TAKES_LONGER

if TYPE_CHECKING:
    from engine.table.dataset import Dataset


PREPARING = ProgressEvent("Preparing", 0, 1)
"""Said before a search; what is compiled already is there in a moment."""

COMPILING = ProgressEvent("Preparing", 0, 1, detail=FIRST_RUN_TAKES_LONGER)
"""Said as long as something has to be compiled, so that nobody wonders about the seconds that it takes."""

_PATIENCE_SECONDS = 0.05


class Kernels:
    """Sees to it that what a run needs is compiled before it starts.

    Compiling within this process would hold up the window. Whoever comes while another thread already
    waits for a compilation waits for the same one.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._seen: set[tuple[str, str, TableTraits]] = set()
        self._is_compiling = False

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits for a compilation."""
        return self._turn.locked()

    def ensure(self, settings: DiscoverySettings, traits: TableTraits, progress: SharedProgress) -> None:
        """Wait until everything is compiled; at once when it was compiled before.

        Parameters
        ----------
        settings : DiscoverySettings
            Algorithm and test that will run.
        traits : TableTraits
            What the table is like.
        progress : SharedProgress
            Told when something is compiled, and asked whether to stop.

        Raises
        ------
        Cancelled
            When a stop was asked for meanwhile.
        """
        while not self._turn.acquire(timeout=_PATIENCE_SECONDS):
            if self._is_compiling:
                progress.report(COMPILING)
            _heed_stop(progress)
        try:
            self._compile(settings, traits, progress)
        finally:
            self._turn.release()

    def _compile(self, settings: DiscoverySettings, traits: TableTraits, progress: SharedProgress) -> None:
        from engine.boundaries.warm_up import start_compiling

        needed = (settings.algorithm, settings.test, traits)
        if needed in self._seen:
            return
        compilation = start_compiling(settings, traits, calmly=True)
        if compilation is not None:
            self._is_compiling = True
            progress.report(COMPILING)
            try:
                while not compilation.wait(_PATIENCE_SECONDS):
                    _heed_stop(progress)
            finally:
                self._is_compiling = False
                compilation.stop()
        # Not asked again, even where the machine has no place to keep what was compiled.
        self._seen.add(needed)


def _heed_stop(progress: SharedProgress) -> None:
    if progress.should_stop():
        raise Cancelled("the compilation was stopped.")


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
        """Load, compile and search, until asked to stop."""
        try:
            self._warm_up(progress)
        finally:
            # What is loaded stays. To look through all of it for rubbish holds the window up for a third of
            # a second, whichever thread happens to begin it.
            gc.freeze()

    def _warm_up(self, progress: SharedProgress) -> None:
        # Reading tables needs pandas, which is slow to load.
        import pandas  # noqa: F401

        import engine
        from clcd_gui.document.templates import load_templates
        from engine.boundaries.settings import DiscoverySettings
        from engine.independence.options import traits_of

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
    for number in range(len(features)):
        if are_numbers:
            features[number] = features[number] + source.normal(size=64)
        kind, levels = (Kind.CONTINUOUS, ()) if are_numbers else (Kind.NOMINAL, ("a", "b"))
        variables.append(Variable(f"feature {number}", kind, levels=levels))
    return Dataset(tuple(variables), (label, *features))
