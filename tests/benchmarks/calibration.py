"""How often each test rejects where nothing is there, and beside it how often where something is.

Run by hand, from the project's folder::

    python -m tests.benchmarks.calibration                   # everything; RCoT takes hours
    python -m tests.benchmarks.calibration --tests basis     # one test again, the others as they were
    python -m tests.benchmarks.calibration --pairs 0 --tables 0    # write tables and chart again

First every registered test gets pairs of columns that are independent given what is held fixed, for every
case of :data:`tests.benchmarks.level_cases.CASES` of which it takes the kinds, and pairs of which one follows
the other in some rows. Then a search gets tables of 300 rows, 500 independent columns and 20 labels, with the
settings at their defaults but for the test. Counts go to ``levels.json`` beside this file as they come, and
from there the tables to ``LEVELS.md`` and the chart to ``levels.svg``.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import engine
from engine.errors import EngineError
from engine.independence.arranging import make_test_data
from engine.independence.batch import ask
from engine.reporting.figures.figure_files import write_svg
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.benchmarks.level_cases import CASES, TABLES, WEIGHTS, Case
from tests.benchmarks.level_tables import write_tables
from tests.benchmarks.levels_chart import levels_chart
from tests.engine.independence.calibration import NO_STOP, dataset_of

HERE = Path(__file__).parent
FIGURES = HERE / "levels.json"
PICTURE = HERE / "levels.svg"
# So many pairs stand in one table, and share what is held fixed.
TABLE_PAIRS = 25
# Of weighted rows every table has one pair, since its weights go with that pair.
_POWER_SHARE, _FEWEST = 4, 100
TABLE_ROWS, TABLE_COLUMNS, TABLE_LABELS = 300, 500, 20

Figures = dict[str, Any]


def counts(case: Case, test: str, pairs: int, seed: int, followed: float, dof: str) -> Figures:
    """Count pairs by what a test says about them.

    Returns
    -------
    dict
        ``pairs`` that got an answer, ``untested`` ones that cannot be tested, ``refused`` ones in tables that
        the test does not take, with the last ``refusal``; and how many p are at most .05 and .001. What is
        0 or empty is left out.
    """
    generator = np.random.default_rng(seed)
    figures: Figures = {"pairs": 0, "untested": 0, "refused": 0, "refusal": "", "at .05": 0, "at .001": 0}
    of_table = 1 if case.weights else TABLE_PAIRS
    for _ in range(max(pairs // of_table, 1)):
        dataset = _table(case, of_table, followed, generator)
        try:
            p, is_reliable = _p_values(case, test, dataset, of_table, dof)
        except EngineError as refusal:
            figures["refused"] += of_table
            figures["refusal"] = refusal.problem
            continue
        figures["pairs"] += int(is_reliable.sum())
        figures["untested"] += int((~is_reliable).sum())
        figures["at .05"] += int((p[is_reliable] <= 0.05).sum())
        figures["at .001"] += int((p[is_reliable] <= 0.001).sum())
    return {name: value for name, value in figures.items() if value}


def _table(case: Case, pairs: int, followed: float, generator: np.random.Generator) -> Dataset:
    """Draw a table of what is held fixed and of pairs, and its groups or weights."""
    fixed = [case.column(case.fixed, generator) for _ in range(case.held)]
    columns = {f"s{place}": column for place, column in enumerate(fixed)}
    for pair in range(pairs):
        columns[f"x{pair}"], columns[f"y{pair}"] = case.pair(fixed, followed, generator)
    dataset = dataset_of(columns)
    if case.missing:
        dataset = replace(
            dataset, columns=tuple(_with_gaps(column, case.missing, generator) for column in dataset.columns)
        )
    if case.groups:
        return _beside(dataset, Role.GROUPS, case.group_of_row.astype(np.float64))
    if case.weights:
        weights = WEIGHTS[case.weights](columns["x0"], columns["y0"], generator)
        return _beside(dataset, Role.WEIGHT, weights)
    return dataset


def _with_gaps(column: np.ndarray, share: float, generator: np.random.Generator) -> np.ndarray:
    missing = generator.random(len(column)) < share
    return np.where(missing, np.nan if column.dtype.kind == "f" else -1, column)


def _beside(dataset: Dataset, role: Role, column: np.ndarray) -> Dataset:
    variable = Variable("beside", Kind.CONTINUOUS, role)
    return replace(dataset, variables=(*dataset.variables, variable), columns=(*dataset.columns, column))


def _p_values(case: Case, test: str, dataset: Dataset, pairs: int, dof: str) -> tuple[np.ndarray, np.ndarray]:
    """Test the pairs of a table; also tell which could be tested."""
    data = make_test_data(dataset, test, dof=dof).at_level(0.05)
    at = data.positions
    given = tuple(at[f"s{place}"] for place in range(case.held))
    answers = ask(data, [(at[f"x{pair}"], at[f"y{pair}"], given) for pair in range(pairs)], NO_STOP)
    p: np.ndarray = np.exp(answers.log_p)
    return p, answers.reliable & ~np.isnan(p)


def measured_case(case: Case, test: str, pairs: int, seed: int, dof: str) -> Figures:
    """Give the counts of independent pairs, and of some that are not."""
    null = counts(case, test, pairs, seed, 0.0, dof)
    power = counts(case, test, max(pairs // _POWER_SHARE, _FEWEST), seed + 1, case.followed, dof)
    return {"null": null, "power": power}


def is_for(test: str, case: Case) -> bool:
    """Tell whether a test takes the kinds of a case."""
    kinds = {case.x.kind, case.y.kind} | ({case.fixed.kind} if case.held else set())
    return kinds <= set(engine.ci_tests()[test].data)


def findings(test: str, law: str, tables: int, seed: int) -> Figures:
    """Count, table by table, the pairs of a feature and a label that are found in independent columns."""
    generator = np.random.default_rng(seed)
    figures: Figures = {"found": [], "refused": 0, "refusal": ""}
    features_law, labels_law = TABLES[law]
    for _ in range(tables):
        columns = {
            f"c{place}": (labels_law if place < TABLE_LABELS else features_law).draw(generator, TABLE_ROWS)
            for place in range(TABLE_COLUMNS)
        }
        dataset = dataset_of(columns, [f"c{place}" for place in range(TABLE_LABELS)])
        try:
            result = engine.discover(engine.prepare(dataset), engine.DiscoverySettings(test=test))
        except EngineError as refusal:
            figures["refused"] += 1
            figures["refusal"] = refusal.problem
            continue
        figures["found"].append(sum(len(label_set) for label_set in result.label_sets.values()))
    return figures


def _keep(figures_on_file: Figures) -> None:
    FIGURES.write_text(json.dumps(figures_on_file, indent=1) + "\n", "utf-8")


def _measure_levels(figures_on_file: Figures, arguments: argparse.Namespace) -> None:
    for test in arguments.tests:
        name = test if arguments.dof == engine.DiscoverySettings().dof else f"{test}, {arguments.dof}"
        for case in CASES:
            if is_for(test, case) and arguments.cases in case.name:
                figures = measured_case(case, test, arguments.pairs, arguments.seed, arguments.dof)
                figures_on_file["levels"].setdefault(name, {})[case.name] = figures
                _keep(figures_on_file)
                print(name, case.name, figures, flush=True)


def _measure_findings(figures_on_file: Figures, arguments: argparse.Namespace) -> None:
    for test in arguments.tests:
        for law in TABLES:
            figures = findings(test, law, arguments.tables, arguments.seed)
            figures_on_file["findings"].setdefault(test, {})[law] = figures
            _keep(figures_on_file)
            print(test, law, figures, flush=True)


def main() -> None:
    """Measure what is asked, and write the tables and the chart of everything that is known."""
    tests, settings = list(engine.ci_tests()), engine.DiscoverySettings()
    parser = argparse.ArgumentParser(description="Level and power of every test.")
    parser.add_argument("--pairs", type=int, default=2000, help="independent pairs of each case; 0 for none")
    parser.add_argument("--tables", type=int, default=10, help="tables of independent columns; 0 for none")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--tests", nargs="+", choices=tests, default=tests)
    parser.add_argument("--cases", default="", help="only cases whose names have this in them")
    parser.add_argument("--dof", default=settings.dof, help="degrees of freedom of tests of tables")
    arguments = parser.parse_args()
    figures_on_file: Figures = (
        json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {"levels": {}, "findings": {}}
    )
    if arguments.pairs:
        _measure_levels(figures_on_file, arguments)
    if arguments.tables:
        _measure_findings(figures_on_file, arguments)
    write_tables(figures_on_file)
    write_svg(levels_chart(figures_on_file), PICTURE)


if __name__ == "__main__":
    main()
