"""Compile beforehand what many tests need: ``python -m tests.first_kernels categories``, or ``numbers``.

Most of the work is the same for all kernels of one kind of values, so that one process needs far less time
for them than several. Otherwise each process that makes tests would compile them, often two the same at the
same time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

import engine
from engine.boundaries.warm_up import compile_all, compile_search
from engine.compiled.cache import compile_sooner
from engine.independence.options import TableTraits

_NUMBERS = "numbers"
# Each is compiled for on its own.
_OTHERWISE: tuple[dict[str, bool], ...] = (
    {},
    {"incomplete": True},
    {"incomplete": True, "imputed": True},
    {"weighted": True},
)


def main(values: str) -> None:
    """Compile for one kind of values, and with numbers the search, while another process has the other."""
    compile_sooner()
    if values == _NUMBERS:
        compile_search(engine.DiscoverySettings())
        _compile(("basis", "fisher-z", "mixed"), numbers=True)
        return
    _compile(("g2", "rcot", "g2-permutation"), numbers=False)
    compile_search(engine.DiscoverySettings(algorithm="mmmb"))
    # Tests many variables at once.
    dataset = engine.simulate(labels=2, features=10, rows=200, seed=0).dataset
    engine.markov_boundary(dataset, dataset.labels[0], engine.DiscoverySettings(test="g2"), algorithm="iamb")


def _compile(tests: Iterable[str], *, numbers: bool) -> None:
    for test in tests:
        for others in _OTHERWISE:
            compile_all(engine.DiscoverySettings(test=test), TableTraits(numbers=numbers, **others))


if __name__ == "__main__":
    main(*sys.argv[1:])
