"""The compiled searches: made once on a machine, by a calm process beside the window."""

from __future__ import annotations

from threading import Lock

from clcd_gui.run.shared_progress import SharedProgress
from engine.boundaries.settings import DiscoverySettings
from engine.errors import Cancelled
from engine.independence.traits import TableTraits
from engine.progress import ProgressEvent

PREPARING = ProgressEvent("Preparing", 0, 1)
"""Said before a search; what is compiled already is there in a moment."""

COMPILING = ProgressEvent("Preparing", 0, 1, detail="the first run on a machine takes longer")
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
