"""What every subcommand that searches does: settings, compiling beside the reading, the search itself."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.boundaries.settings import DiscoverySettings
from engine.compile_ahead import Compilation, compile_single_tests, start_compiling
from engine.independence.registry import AUTO, test_named
from engine.independence.traits import TableTraits, traits_of
from engine.preparation.discretisation.registry import LEAVE_CONTINUOUS
from engine.preparation.settings import PreparationSettings
from engine.progress import ProgressEvent
from engine.terminal.console import Console
from engine.terminal.interruption import Interruption
from engine.terminal.progress_bar import TerminalProgress
from engine.terminal.settings_arguments import given_settings

if TYPE_CHECKING:
    from engine.dataset import Dataset
    from engine.discovery.result import DiscoveryResult


def given_preparation(
    arguments: Namespace, settings: DiscoverySettings, **fallbacks: Any
) -> PreparationSettings:
    """Leave numbers as they are when the test takes them so, unless something else was asked for."""
    if settings.test != AUTO and test_named(settings.test, has_numbers=True).takes_numbers:
        fallbacks = {**fallbacks, "discretise": "none"}
    return given_settings(arguments, PreparationSettings, **fallbacks)


@contextmanager
def compiling_beside(
    arguments: Namespace, settings: DiscoverySettings, preparation: PreparationSettings
) -> Iterator[Compilation | None]:
    """Compile half of what is needed on another core while the table is read."""
    compilation = start_compiling(settings, _expected_traits(arguments, preparation), only_search=True)
    try:
        yield compilation
    finally:
        if compilation is not None:
            compilation.stop()


def _expected_traits(arguments: Namespace, preparation: PreparationSettings) -> TableTraits:
    """Guess what the table will be like before it is read."""
    return TableTraits(
        # Most tables are complete, and what else is needed is compiled when that is known.
        incomplete=getattr(arguments, "missing", None) == "per-test",
        weighted=arguments.weight_column is not None,
        numbers=preparation.discretise == LEAVE_CONTINUOUS,
    )


def searched(
    dataset: Dataset,
    preparation: PreparationSettings,
    settings: DiscoverySettings,
    console: Console,
    interruption: Interruption,
    compilation: Compilation | None,
    *,
    directions: bool = True,
) -> DiscoveryResult:
    """Make a table ready and search it, with progress; after Ctrl+C, what was finished.

    Raises
    ------
    InvalidData
        When there is nothing to search in.
    Cancelled
        When Ctrl+C came before the search began.
    """
    from engine.discovery.discover import PREPARING, discover
    from engine.preparation import prepare

    progress = TerminalProgress(console.is_watched, interruption.is_requested)
    try:
        prepared = prepare(dataset, preparation, progress=progress)
        if compilation is not None:
            progress.report(ProgressEvent(PREPARING, 0, 1))
            compile_single_tests(settings, traits_of(prepared))
            compilation.wait()
        return discover(prepared, settings, progress, directions=directions)
    finally:
        progress.close()
