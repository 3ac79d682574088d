"""Compile beforehand what many tests need: ``python -m tests.first_kernels categories``, or ``numbers``.

Most of the work is the same for all kernels of one kind of values, so that one process needs far less time
for them than several. Otherwise each process that makes tests would compile them, often two the same at the
same time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from unittest.mock import patch

import numpy as np

import engine
from engine.boundaries.warm_up import compile_all, compile_beside, compile_search
from engine.compiled.cache import compile_sooner
from engine.independence.basis import arranging
from engine.independence.discrete.contingency import discrete_table
from engine.independence.discrete.table import new_discrete_workspace
from engine.independence.options import TableTraits
from tests.engine.independence.both_ways import both_ways

_USUAL, _INCOMPLETE, _WEIGHTED = TableTraits(), TableTraits(incomplete=True), TableTraits(weighted=True)
_KINDS = (_USUAL, _INCOMPLETE, replace(_INCOMPLETE, imputed=True), _WEIGHTED)
_CATEGORIES = {"g2": _KINDS, "g2-permutation": (_USUAL,)}
_NUMBERS = {"fisher-z": (_USUAL, _WEIGHTED), "mixed": (_USUAL,), "rcot": (_USUAL,)}
_NUMBERS_WITH_CATEGORIES = {"basis": _KINDS}


def main(values: str) -> None:
    """Compile for one kind of values, and with numbers the search, while another process has the other."""
    compile_sooner()
    if values == "numbers":
        compile_search(engine.DiscoverySettings())
        compile_search(engine.DiscoverySettings(algorithm="mmmb"))
        # Their tables hold categories too: these come last, when the other process has stored what they need.
        for traits in _KINDS:
            numbers = replace(traits, numbers=True)
            compile_beside(engine.DiscoverySettings(test="basis"), numbers, only_search=True)
        _compile(_NUMBERS, numbers=True)
        # Wide tables are screened in a way of their own.
        with patch.multiple(arranging, _MOST_MULTIPLICATIONS=0, _MOST_MULTIPLICATIONS_A_LABEL=0):
            _compile({"basis": (_USUAL,)}, numbers=True)
        _compile_direct_calls()
        _compile(_NUMBERS_WITH_CATEGORIES, numbers=True)
        return
    _compile(_CATEGORIES, numbers=False)
    compile_all(engine.DiscoverySettings(test="g2", row_weights="counts"), _WEIGHTED)


def _compile_direct_calls() -> None:
    """Compile tests of categories that kernels call otherwise than by their address."""
    # Tests many variables at once.
    dataset = engine.simulate(labels=2, features=10, rows=200, seed=0).dataset
    engine.markov_boundary(dataset, dataset.labels[0], engine.DiscoverySettings(test="g2"), algorithm="iamb")
    table = discrete_table([np.arange(8) % 2] * 3, [2, 2, 2])
    both_ways(table, new_discrete_workspace(table, 1), 0, 1, np.array([2]), 1)


def _compile(wanted: Mapping[str, Iterable[TableTraits]], *, numbers: bool) -> None:
    for test, kinds in wanted.items():
        for traits in kinds:
            compile_all(engine.DiscoverySettings(test=test), replace(traits, numbers=numbers))


if __name__ == "__main__":
    main(*sys.argv[1:])
