"""Compile every kernel ahead of time, for the program that is shipped: ``python compile_kernels.py FOLDER``.

The bundled example is analysed with every test and every algorithm, so that what an analysis needs is
compiled; numba stores it. The folder then holds one folder, to be shipped as ``engine/shipped_kernels``.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "resources" / "examples"


def processor() -> str:
    """Name the processor to compile for: one that nearly every machine of this kind can stand in for."""
    return "x86-64-v3" if platform.machine().lower() in ("x86_64", "amd64") else "generic"


def compile_into(folder: Path) -> None:
    """Analyse the example in every way; numba writes what it compiles into the folder."""
    # Numba reads these when it is imported.
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    os.environ["NUMBA_CPU_NAME"] = processor()
    os.environ["NUMBA_CPU_FEATURES"] = ""

    import engine

    table, labels = EXAMPLES / "hospital-survey.csv", EXAMPLES / "hospital-survey.xml"
    survey = engine.read_dataset(table, labels=labels)
    for test, description in engine.ci_tests().items():
        dataset = engine.prepare(survey, discretise="none" if description.takes_numbers else "quantile")
        if not description.takes_categories:
            dataset = engine.Dataset.from_frame(_as_numbers(dataset.frame), labels=dataset.labels)
        for algorithm in engine.algorithms().values():
            if algorithm.needs_rows:
                continue
            if algorithm.separates_spouses:
                engine.discover(dataset, engine.DiscoverySettings(test=test, algorithm=algorithm.name))
            elif not algorithm.finds_several:
                settings = engine.DiscoverySettings(test=test)
                engine.markov_boundary(dataset, dataset.labels[0], settings, algorithm=algorithm.name)
        engine.ci_test(test, dataset, dataset.features[0], dataset.labels[0])


def _as_numbers(frame: object) -> object:
    return frame.apply(lambda column: column if column.dtype.kind == "f" else column.cat.codes.astype(float))


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
