"""Compiling the kernels in a process of its own, beside whatever else there is to do.

The first run on a machine compiles for some seconds. A second process does it on another core, and where
the first one has a window, without holding it up. What it compiled is found in the kernels' folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from engine.boundaries.settings import DiscoverySettings
from engine.compiled.cache import compile_sooner
from engine.independence.registry import CITestDescription, ci_tests, test_named
from engine.independence.traits import USUAL_TRAITS, TableTraits
from engine.table.row_weights import SAMPLING

if TYPE_CHECKING:
    from engine.independence.data import TestData

_SEARCH_ALONE = "search"
_EVERYTHING = "everything"
_CALM = "calm"
_ORDINARY = "ordinary"
_NICENESS = 10
_TINY_ROWS = 8


class Compilation:
    """A process that compiles kernels.

    Parameters
    ----------
    process : subprocess.Popen
        The running process.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def is_running(self) -> bool:
        """Tell whether it is still compiling."""
        return self._process.poll() is None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, at most `timeout` seconds; tell whether it has come."""
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """End the process; kernels that it finished are kept."""
        if self.is_running():
            self._process.terminate()
        self._process.wait()


def start_compiling(
    settings: DiscoverySettings | None = None,
    traits: TableTraits = USUAL_TRAITS,
    *,
    only_search: bool = False,
    calmly: bool = False,
) -> Compilation | None:
    """Start compiling what a run under some settings needs, unless it is compiled already.

    Parameters
    ----------
    settings : DiscoverySettings, optional
        Algorithm and test; the defaults when left out.
    traits : TableTraits
        What the table will be like.
    only_search : bool
        Compile the boundary search and leave the single tests to this process, so that two cores share
        the work.
    calmly : bool
        Give the process a low priority, so that a window stays lively on one core too.

    Returns
    -------
    Compilation or None
        None when nothing needs to be compiled, and in a frozen program, which brings its kernels along.
    """
    from engine.boundaries.warm_up import is_compiled

    settings = settings or DiscoverySettings()
    if getattr(sys, "frozen", False) or _is_refused(settings, traits) or is_compiled(settings, traits):
        return None
    part = _SEARCH_ALONE if only_search else _EVERYTHING
    priority = _CALM if calmly else _ORDINARY
    command = [
        sys.executable,
        "-m",
        "engine.compile_ahead",
        settings.algorithm,
        _test_for(settings, traits).name,
        settings.row_weights,
        part,
        priority,
        *traits.words,
    ]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=creation_flags(calmly),
    )
    return Compilation(process)


def compile_single_tests(settings: DiscoverySettings, traits: TableTraits = USUAL_TRAITS) -> None:
    """Compile, in this process, the tests that a run makes one by one on a table with these traits."""
    from engine.boundaries.warm_up import compile_tests

    if not _is_refused(settings, traits):
        compile_tests(_tiny_data(_test_for(settings, traits).name, traits, settings.row_weights))


def _is_refused(settings: DiscoverySettings, traits: TableTraits) -> bool:
    """Tell whether the test does not take such tables, so that a run ends before it needs kernels."""
    test = _test_for(settings, traits)
    return (
        (traits.incomplete and not test.takes_missing)
        or (traits.weighted and not test.takes_weights)
        or (traits.grouped and not test.takes_groups)
    )


def _test_for(settings: DiscoverySettings, traits: TableTraits) -> CITestDescription:
    return test_named(settings.test, has_numbers=traits.numbers)


def creation_flags(calmly: bool) -> int:
    """Give what starts a process: Windows lowers a priority from outside, elsewhere it does so itself."""
    if sys.platform == "win32" and calmly:
        return subprocess.BELOW_NORMAL_PRIORITY_CLASS
    return 0


def _tiny_data(test: str, traits: TableTraits, row_weights: str = SAMPLING) -> TestData:
    """Make test data of the usual types for a table with these traits, and weights that say this."""
    import numpy as np

    from engine.independence.arranging import make_test_data
    from engine.table.dataset import Dataset
    from engine.table.variable import MISSING_CODE, Kind, Role, Variable

    # Numbers are cut for a test that takes none.
    are_numbers = traits.numbers and ci_tests()[test].takes_numbers
    variables, columns = [], []
    for name in ("x", "y"):
        values: np.ndarray = np.arange(_TINY_ROWS) % 2
        if are_numbers:
            variables.append(Variable(name, Kind.CONTINUOUS))
            values = values.astype(np.float64)
        else:
            variables.append(Variable(name, Kind.NOMINAL, levels=("a", "b")))
        if traits.incomplete:
            values[0] = np.nan if are_numbers else MISSING_CODE
        columns.append(values)
    if traits.weighted:
        variables.append(Variable("weight", Kind.CONTINUOUS, Role.WEIGHT))
        columns.append(1.0 + np.arange(_TINY_ROWS) % 2)
    if traits.grouped:
        variables.append(Variable("group", Kind.CONTINUOUS, Role.GROUPS))
        columns.append(np.arange(_TINY_ROWS, dtype=np.float64))
    return make_test_data(
        Dataset(tuple(variables), tuple(columns)), test, alpha=0.05, row_weights=row_weights
    )


def _main(algorithm: str, test: str, row_weights: str, part: str, priority: str, *traits: str) -> None:
    if priority == _CALM and hasattr(os, "nice"):
        os.nice(_NICENESS)
    compile_sooner()
    from engine.boundaries.warm_up import compile_search, compile_searches

    settings = DiscoverySettings(algorithm=algorithm, test=test, row_weights=row_weights)
    data = _tiny_data(test, TableTraits.of_words(traits), row_weights)
    if part == _SEARCH_ALONE:
        compile_search(data, settings)
    else:
        compile_searches(data, settings)


if __name__ == "__main__":
    _main(*sys.argv[1:])
