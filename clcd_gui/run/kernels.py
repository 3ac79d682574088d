"""The compiled searches, made once on a machine by a calm process, and what else takes time only once."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from clcd_gui.document.templates import SHOWN_WITH_A_RESULT, load_templates
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.errors import Cancelled
from engine.independence.options import TableTraits, traits_of
from engine.progress import ProgressEvent, SharedProgress
from engine.translation import N_, _
from engine.wording.sentences import FIRST_RUN_TAKES_LONGER

if TYPE_CHECKING:
    from engine.table.dataset import Dataset


PREPARING = ProgressEvent(N_("Preparing"), 0, 1)
"""Said before a search; what is compiled already is there in a moment."""

COMPILING = ProgressEvent(N_("Preparing"), 0, 1, detail=FIRST_RUN_TAKES_LONGER)
"""Said as long as something has to be compiled, so that nobody wonders about the seconds that it takes."""

_PATIENCE_SECONDS = 0.05


class Kernels:
    """Has what a run needs compiled before it starts, in another process, and once for all who wait."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._seen: set[tuple[str, str, str, TableTraits]] = set()
        self._is_compiling = False

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits for a compilation."""
        return self._turn.locked()

    def ensure(self, settings: DiscoverySettings, traits: TableTraits, progress: SharedProgress) -> None:
        """Wait until everything is compiled; at once when it was compiled before."""
        if self._is_there(settings, traits):
            # What others have compiled at this moment is not waited for.
            return
        while not self._turn.acquire(timeout=_PATIENCE_SECONDS):
            if self._is_compiling:
                progress.report(COMPILING)
            _heed_stop(progress)
        try:
            self._compile(settings, traits, progress)
        finally:
            self._turn.release()

    def _is_there(self, settings: DiscoverySettings, traits: TableTraits) -> bool:
        from engine.boundaries.warm_up import is_compiled

        return _needed(settings, traits) in self._seen or is_compiled(settings, traits)

    def _compile(self, settings: DiscoverySettings, traits: TableTraits, progress: SharedProgress) -> None:
        from engine.boundaries.warm_up import start_compiling

        if _needed(settings, traits) in self._seen:
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
                compilation.end()
        # Not asked again, even where the machine has no place to keep what was compiled.
        self._seen.add(_needed(settings, traits))


def _needed(settings: DiscoverySettings, traits: TableTraits) -> tuple[str, str, str, TableTraits]:
    return settings.algorithm, settings.test, settings.row_weights, traits


def _heed_stop(progress: SharedProgress) -> None:
    if progress.should_stop():
        raise Cancelled(_("the compilation was stopped."))


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Loads modules, gives out their names, and has searches compiled and loaded by tiny tables."""

    kernels: Kernels
    modules: tuple[str, ...]
    is_at_work: Callable[[], bool]

    def __call__(self, progress: SharedProgress) -> None:
        """Load, compile and search, until asked to stop."""
        try:
            for _ in self._steps(progress):
                while self.is_at_work() and not progress.should_stop():
                    time.sleep(_PATIENCE_SECONDS)
                if progress.should_stop():
                    return
        finally:
            # What is loaded stays. To look through all of it for rubbish holds the window up for a third of
            # a second, whichever thread happens to begin it.
            gc.freeze()

    def _steps(self, progress: SharedProgress) -> Iterator[None]:
        import engine
        from engine.boundaries.warm_up import is_compiled

        for name in self.modules:
            import_module(name)
            yield
        load_templates(SHOWN_WITH_A_RESULT)
        progress.give_early(self.modules)
        yield
        settings = DiscoverySettings()
        # Most tables have numbers, so their test comes first.
        for are_numbers, has_gaps in ((True, True), (True, False), (False, False)):
            table = _tiny_table(are_numbers, has_gaps)
            if has_gaps and not is_compiled(settings, traits_of(table)):
                # It is compiled for whoever opens such a table.
                continue
            self.kernels.ensure(settings, traits_of(table), progress)
            yield
            engine.discover(engine.prepare(table, discretise="none"), settings, progress)
            yield
        load_templates()


def _tiny_table(are_numbers: bool, has_gaps: bool) -> Dataset:
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
            if has_gaps:
                features[number][0] = np.nan
        kind, levels = (Kind.CONTINUOUS, ()) if are_numbers else (Kind.NOMINAL, ("a", "b"))
        variables.append(Variable(f"feature {number}", kind, levels=levels))
    return Dataset(tuple(variables), (label, *features))
