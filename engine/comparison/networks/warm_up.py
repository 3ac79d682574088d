"""Running a method once on a tiny network: whatever is compiled on first use is compiled then."""

from __future__ import annotations

import functools
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.boundaries.settings import DiscoverySettings
from engine.comparison.networks.methods import Method, methods
from engine.compiled.ahead import Compilation, be_calm, start_module
from engine.discovery.discover import suited_table
from engine.progress import SilentProgress

if TYPE_CHECKING:
    from engine.table.dataset import Dataset

_NUMBERS = ".numbers"


def warm_up(method: Method, settings: DiscoverySettings, has_numbers: bool = False) -> None:
    """Run a method on a tiny network, of categories or of both, and forget what it finds."""
    method.find(suited_table(_tiny_table(has_numbers), settings.test), settings, SilentProgress())


def start_compiling_methods(names: Sequence[str], kinds: Collection[bool]) -> Compilation | None:
    """Compile what methods need in a calm process, so that a window stays lively.

    Parameters
    ----------
    names : sequence of str
        Names of ``engine.comparison.networks.methods.methods()``.
    kinds : collection of bool
        Of the networks that they will be run on: whether these have numbers.

    Returns
    -------
    Compilation or None
        None when all is compiled, and in a frozen program, which brings its kernels along.
    """
    missing = [
        _word(name, has_numbers)
        for name in names
        for has_numbers in sorted(kinds)
        if not _is_compiled(name, has_numbers)
    ]
    if getattr(sys, "frozen", False) or not missing:
        return None
    return start_module(__name__, missing, calmly=True)


@functools.cache
def _tiny_table(has_numbers: bool) -> Dataset:
    from engine.simulation.simulated import simulate

    variables = "mixed" if has_numbers else "categories"
    return simulate(
        labels=4, features=30, rows=300, multiple_boundaries=1.0, seed=0, variables=variables
    ).dataset


def _word(name: str, has_numbers: bool) -> str:
    """Name a method on one kind of networks."""
    return name + _NUMBERS if has_numbers else name


def _is_compiled(name: str, has_numbers: bool) -> bool:
    marker = _marker(name, has_numbers)
    return marker is not None and marker.exists()


def _marker(name: str, has_numbers: bool) -> Path | None:
    """Name the empty file that says, beside the kernels, that those of a method are there."""
    from engine.compiled.cache import cache_folder

    folder = cache_folder()
    return None if folder is None else folder / f"benchmark.{_word(name, has_numbers)}.compiled"


def warm_up_and_mark(name: str, has_numbers: bool) -> None:
    """Compile what a method needs on one kind of networks, and leave the mark that says so."""
    warm_up(methods()[name], DiscoverySettings(), has_numbers)
    marker = _marker(name, has_numbers)
    if marker is not None:
        marker.touch()


def _main(words: Sequence[str]) -> None:
    be_calm()
    for word in words:
        warm_up_and_mark(word.removesuffix(_NUMBERS), word.endswith(_NUMBERS))


if __name__ == "__main__":
    _main(sys.argv[1:])
