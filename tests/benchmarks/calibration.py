"""How often each test rejects where nothing is there, and beside it how often where something is.

Run by hand, from the project's folder::

    python -m tests.benchmarks.calibration --pairs 2000

It prints two tables in Markdown. The first has for every registered test and every case that suits it the
share of p-values of at most .05 and of at most .001 under independence given the set, and the share of at
most .05 where y follows x in some of the rows; with 30 groups of 10 rows and with weights for the tests that
take them. The second has the mean number of findings a table of 300 rows, 500 independent columns and 20
labels with the settings at their defaults but for the test. A test that refuses a table says so instead.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

import engine
from engine.dataset import Dataset
from engine.errors import EngineError
from engine.independence.arranging import make_test_data
from engine.independence.batch import ask
from engine.variable import Kind, Role, Variable
from tests.engine.independence.calibration import NO_STOP, dataset_of

Draw = Callable[[np.random.Generator, int], np.ndarray]
LEVELS = (0.05, 0.001)


@dataclass(frozen=True)
class Case:
    """Independent columns: how one is drawn, how many are held fixed, how many rows there are.

    `followed` is the share of rows in which y is x where power is measured; in `groups` of rows half of what
    makes a value is shared, and `is_weighted` rows have lognormal weights that go with x and y.
    """

    name: str
    draw: Draw
    held: int
    rows: int
    followed: float
    kind: Kind = Kind.NOMINAL
    groups: int = 0
    is_weighted: bool = False


def _categories(*chances: float) -> Draw:
    return lambda generator, rows: generator.choice(len(chances), rows, p=chances)


def _normal(generator: np.random.Generator, rows: int) -> np.ndarray:
    return generator.normal(size=rows)


def _halves(generator: np.random.Generator, rows: int) -> np.ndarray:
    return (generator.normal(size=rows) > 0).astype(np.int64)


_FOUR, _SKEWED = _categories(0.25, 0.25, 0.25, 0.25), _categories(0.9, 0.07, 0.03)
_NUMBERS: dict[str, Draw] = {
    "normal": _normal,
    "t(2)": lambda generator, rows: generator.standard_t(2, rows),
    "lognormal": lambda generator, rows: np.exp(generator.normal(size=rows)),
    "Cauchy": lambda generator, rows: generator.standard_cauchy(rows),
    "nine zeros in ten": lambda generator, rows: (
        (generator.random(rows) < 0.1) * np.exp(generator.normal(size=rows))
    ),
}
CASES = (
    *(Case(f"four levels, {held} held fixed", _FOUR, held, 500, 0.15) for held in range(4)),
    *(Case(f"skewed levels, {held} held fixed", _SKEWED, held, 500, 0.15) for held in range(3)),
    Case("rare levels", _categories(0.97, 0.03), 0, 500, 0.15),
    Case("two levels, 3 held fixed", _categories(0.6, 0.4), 3, 200, 0.15),
    *(
        Case(f"{name}, {held} held fixed", draw, held, 500, 0.1, Kind.CONTINUOUS)
        for name, draw in _NUMBERS.items()
        for held in (0, 2)
    ),
    *(
        Case(f"{name}, {held} held fixed, 30 groups of 10", drawn, held, 300, 0.3, kind, groups=30)
        for name, drawn, kind in (
            ("normal", _normal, Kind.CONTINUOUS),
            ("two levels", _halves, Kind.NOMINAL),
        )
        for held in (0, 1)
    ),
    *(
        Case(f"{name}, {held} held fixed, weights", drawn, held, 500, 0.15, kind, is_weighted=True)
        for name, drawn, kind in (
            ("normal", _normal, Kind.CONTINUOUS),
            ("two levels", _halves, Kind.NOMINAL),
        )
        for held in (0, 1)
    ),
)


def p_values(case: Case, test: str, pairs: int, seed: int, followed: float) -> np.ndarray:
    """Test pairs of columns given shared ones; y is x in a share of the rows."""
    generator = np.random.default_rng(seed)
    columns = {f"s{place}": _drawn(case, generator) for place in range(case.held)}
    for pair in range(pairs):
        x, y = _drawn(case, generator), _drawn(case, generator)
        columns[f"x{pair}"] = x
        columns[f"y{pair}"] = np.where(generator.random(case.rows) < followed, x, y)
    if case.is_weighted:
        return np.concatenate(
            [_weighted_p_values(case, test, columns, pair, generator) for pair in range(pairs)]
        )
    return _p_values(case, test, _with_groups(case, dataset_of(columns)), range(pairs))


def _drawn(case: Case, generator: np.random.Generator) -> np.ndarray:
    """Draw a column; in groups of rows a half of the rows of each has one value."""
    column = case.draw(generator, case.rows)
    if case.groups:
        group = np.arange(case.rows) % case.groups
        shared = case.draw(generator, case.groups)[group]
        column = np.where(generator.random(case.rows) < 0.5, shared, column)
    return column


def _with_groups(case: Case, dataset: Dataset) -> Dataset:
    if not case.groups:
        return dataset
    variable = Variable("group", Kind.CONTINUOUS, Role.GROUPS)
    column = (np.arange(case.rows) % case.groups).astype(np.float64)
    return replace(dataset, variables=(*dataset.variables, variable), columns=(*dataset.columns, column))


def _weighted_p_values(
    case: Case, test: str, columns: dict[str, np.ndarray], pair: int, generator: np.random.Generator
) -> np.ndarray:
    """Test one pair with weights that go with both of its columns, and so are the sample's own."""
    names = [f"s{place}" for place in range(case.held)] + [f"x{pair}", f"y{pair}"]
    x = columns[f"x{pair}"] - columns[f"x{pair}"].mean()
    variable = Variable("weight", Kind.CONTINUOUS, Role.WEIGHT)
    weights = np.exp(0.5 * x + 0.5 * generator.normal(size=case.rows))
    dataset = dataset_of({name: columns[name] for name in names})
    dataset = replace(dataset, variables=(*dataset.variables, variable), columns=(*dataset.columns, weights))
    return _p_values(case, test, dataset, range(pair, pair + 1))


def _p_values(case: Case, test: str, dataset: Dataset, pairs: range) -> np.ndarray:
    data = make_test_data(dataset, test, alpha=0.05)
    at = data.positions
    given = tuple(at[f"s{place}"] for place in range(case.held))
    answers = ask(data, [(at[f"x{pair}"], at[f"y{pair}"], given) for pair in pairs], NO_STOP)
    p: np.ndarray = np.exp(answers.log_p)
    return p


def lines(tests: list[str], pairs: int, seed: int) -> Iterator[str]:
    """Give the lines of the table."""
    yield "| case | test | p ≤ .05 | p ≤ .001 | power at .05 |"
    yield "| --- | --- | ---: | ---: | ---: |"
    for case in CASES:
        for test in tests:
            description = engine.ci_tests()[test]
            is_taken = (description.takes_groups or not case.groups) and (
                description.takes_weights or not case.is_weighted
            )
            if case.kind not in description.data or not is_taken:
                continue
            many = pairs if not description.permutes else max(pairs // 10, 100)
            try:
                null = p_values(case, test, many, seed, 0.0)
                power = p_values(case, test, max(many // 4, 100), seed + 1, case.followed)
            except EngineError as refusal:
                yield f"| {case.name} | {test} | refused: {str(refusal).split(':')[-1].strip()} | | |"
                continue
            shares = " | ".join(f"{(null <= level).mean():.4f}" for level in LEVELS)
            yield f"| {case.name} | {test} | {shares} | {(power <= 0.05).mean():.2f} |"


TABLE_ROWS, TABLE_COLUMNS, TABLE_LABELS = 300, 500, 20


def findings(test: str, draw: Draw, tables: int, seed: int) -> float:
    """Give the mean number of pairs of a feature and a label that are found in independent columns."""
    generator = np.random.default_rng(seed)
    found = 0
    for _ in range(tables):
        columns = {f"c{place}": draw(generator, TABLE_ROWS) for place in range(TABLE_COLUMNS)}
        labels = [f"c{place}" for place in range(TABLE_LABELS)]
        result = engine.discover(
            engine.prepare(dataset_of(columns, labels)), engine.DiscoverySettings(test=test)
        )
        found += sum(len(each) for each in result.label_sets.values())
    return found / tables


def lines_of_findings(tests: list[str], tables: int, seed: int) -> Iterator[str]:
    """Give the lines of the second table."""
    kinds = {
        **{name: (Kind.CONTINUOUS, draw) for name, draw in _NUMBERS.items()},
        "skewed levels": (Kind.NOMINAL, _SKEWED),
    }
    yield f"| test | {' | '.join(kinds)} |"
    yield f"| --- |{' ---: |' * len(kinds)}"
    for test in tests:
        cells = []
        for kind, draw in kinds.values():
            try:
                suits = kind in engine.ci_tests()[test].data
                cells.append(f"{findings(test, draw, tables, seed):.1f}" if suits else "")
            except EngineError:
                cells.append("refused")
        yield f"| {test} | {' | '.join(cells)} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Level and power of every test.")
    parser.add_argument("--pairs", type=int, default=2000, help="independent pairs of each case")
    parser.add_argument("--tables", type=int, default=5, help="tables of independent columns; 0 for none")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument(
        "--tests", nargs="+", choices=list(engine.ci_tests()), default=list(engine.ci_tests())
    )
    asked = parser.parse_args()
    for line in lines(asked.tests, asked.pairs, asked.seed):
        print(line, flush=True)
    if asked.tables:
        print()
        for line in lines_of_findings(asked.tests, asked.tables, asked.seed):
            print(line, flush=True)


if __name__ == "__main__":
    main()
