"""Compile beforehand what many tests of categories need: ``python -m tests.first_kernels``.

Most of the work is the same for all of these kernels, so that one process needs far less time for them than
several. Otherwise each process that makes tests would compile them, often two the same at the same time.
"""

from __future__ import annotations

import engine
from engine.boundaries.warm_up import compile_all
from engine.compiled.cache import compile_sooner


def main() -> None:
    """Compile the usual search, one that tests many sets in one call, and one that tests many variables."""
    compile_sooner()
    for algorithm in ("hiton-mb", "mmmb"):
        compile_all(engine.DiscoverySettings(test="g2", algorithm=algorithm))
    dataset = engine.simulate(labels=2, features=10, rows=200, seed=0).dataset
    engine.markov_boundary(dataset, dataset.labels[0], engine.DiscoverySettings(test="g2"), algorithm="iamb")


if __name__ == "__main__":
    main()
