"""How often each test rejects where nothing is there, and beside it how often where something is.

Run by hand, from the project's folder::

    python -m tests.benchmarks.calibration --pairs 2000

It prints a table in Markdown: for every registered test and every case that suits it the share of p-values
of at most .05 and of at most .001 under independence given the set, and the share of at most .05 where y
follows x in some of the rows. A test that refuses a table says so instead.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import engine
from engine.errors import EngineError
from engine.independence.arranging import make_test_data
from engine.independence.batch import ask
from engine.variable import Kind
from tests.engine.independence.calibration import NO_STOP, dataset_of

Draw = Callable[[np.random.Generator, int], np.ndarray]
LEVELS = (0.05, 0.001)


@dataclass(frozen=True)
class Case:
    """Independent columns: how one is drawn, how many are held fixed, how many rows there are.

    `followed` is the share of rows in which y is x where power is measured.
    """

    name: str
    draw: Draw
    held: int
    rows: int
    followed: float
    kind: Kind = Kind.NOMINAL


def _categories(*chances: float) -> Draw:
    return lambda generator, rows: generator.choice(len(chances), rows, p=chances)


_FOUR, _SKEWED = _categories(0.25, 0.25, 0.25, 0.25), _categories(0.9, 0.07, 0.03)
_NUMBERS: dict[str, Draw] = {
    "normal": lambda generator, rows: generator.normal(size=rows),
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
        Case(name, draw, held, 500, 0.1, Kind.CONTINUOUS)
        for name, draw in _NUMBERS.items()
        for held in (0, 2)
    ),
)


def p_values(case: Case, test: str, pairs: int, seed: int, followed: float) -> np.ndarray:
    """Test pairs of columns given shared ones; y is x in a share of the rows."""
    generator = np.random.default_rng(seed)
    columns = {f"s{place}": case.draw(generator, case.rows) for place in range(case.held)}
    for pair in range(pairs):
        x, y = case.draw(generator, case.rows), case.draw(generator, case.rows)
        columns[f"x{pair}"] = x
        columns[f"y{pair}"] = np.where(generator.random(case.rows) < followed, x, y)
    data = make_test_data(dataset_of(columns), test, alpha=0.05)
    at = data.positions
    given = tuple(at[f"s{place}"] for place in range(case.held))
    answers = ask(data, [(at[f"x{pair}"], at[f"y{pair}"], given) for pair in range(pairs)], NO_STOP)
    p: np.ndarray = np.exp(answers.log_p)
    return p


def lines(tests: list[str], pairs: int, seed: int) -> Iterator[str]:
    """Give the lines of the table."""
    yield "| case | test | p ≤ .05 | p ≤ .001 | power at .05 |"
    yield "| --- | --- | ---: | ---: | ---: |"
    for case in CASES:
        for test in tests:
            description = engine.ci_tests()[test]
            if case.kind not in description.data:
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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Level and power of every test.")
    parser.add_argument("--pairs", type=int, default=2000, help="independent pairs of each case")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument(
        "--tests", nargs="+", choices=list(engine.ci_tests()), default=list(engine.ci_tests())
    )
    asked = parser.parse_args()
    for line in lines(asked.tests, asked.pairs, asked.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
