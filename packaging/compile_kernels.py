"""Compile every kernel ahead of time, for the program that is shipped: ``python compile_kernels.py FOLDER``.

Each test is compiled with each algorithm, for every kind of table that it takes: with gaps, weights, groups
of rows, numbers, imputed values. Beside the kernels lie the marks by which the program knows that they are
there. The folder then holds one folder, to be shipped as ``engine/shipped_kernels``.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import platform
import shutil
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

SURVEY = Path(__file__).resolve().parents[1] / "resources" / "examples" / "hospital-survey"


def processor() -> str:
    """Name the processor to compile for: one that nearly every machine of this kind can stand in for."""
    return "x86-64-v3" if platform.machine().lower() in ("x86_64", "amd64") else "generic"


def compile_into(folder: Path) -> None:
    """Compile for all settings and tables; numba writes what it compiles into the folder."""
    # Numba reads these when it is imported.
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    os.environ["NUMBA_CPU_NAME"] = processor()
    os.environ["NUMBA_CPU_FEATURES"] = ""

    from engine.compiled.cache import compile_sooner

    compile_sooner()
    _compile_searches()
    _compile_methods()
    _compile_screens()
    missing = [name for name, kernel in _kernels() if not kernel.signatures]
    if missing:
        raise SystemExit(f"Kernels that nothing here calls: {', '.join(missing)}")


def _compile_searches() -> None:
    import engine
    from engine.boundaries.warm_up import compile_all
    from engine.independence.options import TableTraits
    from engine.table.row_weights import COUNTS, SAMPLING

    algorithms = [each.name for each in engine.algorithms().values() if each.separates_spouses]
    for test, traits, algorithm in product(engine.ci_tests(), TableTraits.all_kinds(), algorithms):
        for weights in (SAMPLING, COUNTS) if traits.weighted else (SAMPLING,):
            compile_all(engine.DiscoverySettings(test=test, algorithm=algorithm, row_weights=weights), traits)


def _compile_methods() -> None:
    """Run the other algorithms, single tests and what the benchmarks compare, each on a small table."""
    import engine
    from engine.comparison.networks.methods import methods
    from engine.comparison.networks.run import warm_up as warm_up_method
    from engine.comparison.selectors.methods import selection_methods
    from engine.comparison.selectors.run import warm_up

    survey = engine.read_dataset(SURVEY.with_suffix(".csv"), labels=SURVEY.with_suffix(".xml"))
    dataset = engine.prepare(survey, discretise="quantile")
    label, feature = dataset.labels[0], dataset.features[0]
    for algorithm in engine.algorithms().values():
        if not (algorithm.separates_spouses or algorithm.finds_several or algorithm.needs_rows):
            engine.markov_boundary(dataset, label, engine.DiscoverySettings(), algorithm=algorithm.name)
    for test, description in engine.ci_tests().items():
        if description.takes_categories:
            engine.ci_test(test, dataset, feature, label)
    for method, has_numbers in product(methods().values(), (False, True)):
        warm_up_method(method, engine.DiscoverySettings(), has_numbers)
    for name in selection_methods():
        warm_up(name)
    engine.discover(engine.prepare(survey), engine.DiscoverySettings())


def _compile_screens() -> None:
    """Search a table as those are searched that are too wide for all products of columns at once."""
    import engine
    from engine.independence.basis import arranging

    arranging._MOST_MULTIPLICATIONS = arranging._MOST_MULTIPLICATIONS_A_LABEL = 0
    survey = engine.read_dataset(SURVEY.with_suffix(".csv"), labels=SURVEY.with_suffix(".xml"))
    engine.discover(engine.prepare(survey, missing="drop-rows"), engine.DiscoverySettings())


def _kernels() -> Iterator[tuple[str, Any]]:
    """Give every kernel that is kept on disk, with its name."""
    from numba.core.caching import NullCache
    from numba.core.dispatcher import Dispatcher

    import engine

    for found in pkgutil.walk_packages(engine.__path__, "engine."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            if isinstance(value, Dispatcher) and not isinstance(value._cache, NullCache):
                yield f"{found.name}.{name}", value


def main(folder: str) -> None:
    """Compile into a folder that is emptied first."""
    target = Path(folder).resolve()
    if target.exists():
        shutil.rmtree(target)
    compile_into(target)
    (made,) = (target / "clcd-kernels").iterdir()
    shipped = target / "shipped_kernels" / made.name.replace("-host", f"-{processor()}")
    shutil.copytree(made, shipped)
    print(f"{sum(1 for _ in shipped.rglob('*.nbc'))} compiled kernels for {processor()} in {shipped}")


if __name__ == "__main__":
    main(*sys.argv[1:])
