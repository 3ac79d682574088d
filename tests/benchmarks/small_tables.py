"""What the default test says where rows are few: false findings, p beside Fisher's exact test, and power.

Run by hand, from the project's folder::

    python -m tests.benchmarks.small_tables --seed 1000
    python -m tests.benchmarks.small_tables --parts null --columns 10 50 --tables 20
    python -m tests.benchmarks.small_tables --parts screens --rows 40 --columns 5000 --tables 30
    python -m tests.benchmarks.small_tables --parts tails --rows 40 --millions 40

*Null*: tables of independent columns (yes/no, several levels, rare levels; normal, lognormal, heavy-tailed,
counted and nearly constant numbers; both together), searched with the default settings. *Screens*: the first
step of that search alone, of up to 60 columns of a table of numbers against all others: how many have a
finding, by their law. *Tails*: how many permutations of the rows of a category and a number, or of two
numbers, have a p-value of 10⁻³ to 10⁻⁷ at most, over that level. *Fisher*: p of pairs of yes/no columns by
``engine.ci_test("auto")``, alone and beside a number, over that of Fisher's exact test. *Power*: a cause with
odds ratio 20 in 40 rows among independent columns, beside Fisher's test with the false-discovery rate of
Benjamini and Hochberg.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import stats

import engine
from engine.boundaries.discovery_settings import arranged
from engine.discovery.discover import suited_table
from engine.independence.basis.arranging import basis_table
from engine.independence.basis.blocks import category_block, number_block
from engine.independence.basis.data import marginal_tests
from engine.independence.chi_squared import NO_LEVEL, log_chi2_sf_values
from engine.independence.false_discovery import discoveries
from engine.table.dataset import Dataset
from tests.engine.independence.calibration import dataset_of

Draw = Callable[[np.random.Generator, int], np.ndarray]

ROWS, COLUMNS, LABELS = (6, 8, 12, 20, 40), (10, 50, 500, 5000), 3
# Tables of a cell by their columns, so that wide ones do not take all the time.
TABLES = {10: 200, 50: 100, 500: 30, 5000: 6}


def _levels(*chances: float) -> Draw:
    return lambda generator, rows: generator.choice(len(chances), rows, p=chances)


def _with_chances(chances: np.ndarray) -> Draw:
    return lambda generator, rows: (generator.random(rows) < chances).astype(np.int64)


CATEGORIES: tuple[Draw, ...] = (
    _levels(0.5, 0.5),
    _levels(0.5, 0.5),
    _levels(0.85, 0.15),
    _levels(0.4, 0.3, 0.3),
    _levels(0.4, 0.2, 0.2, 0.1, 0.1),
)
NUMBERS: tuple[Draw, ...] = (
    lambda generator, rows: generator.normal(size=rows),
    lambda generator, rows: generator.normal(size=rows),
    lambda generator, rows: np.exp(generator.normal(size=rows)),
    lambda generator, rows: generator.standard_t(2, rows),
    lambda generator, rows: generator.poisson(2.0, rows).astype(np.float64),
    lambda generator, rows: (generator.random(rows) < 0.3) * np.exp(generator.normal(size=rows)),
)
LAWS = ("normal", "normal", "lognormal", "t2", "counts", "zeros")
SCREENED = 60
# Laws of the pairs whose far tails are looked at, and how often each column is permuted.
TAILS: dict[str, tuple[Draw, Draw]] = {
    "yes/no, normal": (CATEGORIES[0], NUMBERS[0]),
    "three levels, normal": (CATEGORIES[3], NUMBERS[0]),
    "five levels, normal": (CATEGORIES[4], NUMBERS[0]),
    "five levels, counts": (CATEGORIES[4], NUMBERS[4]),
    "normal, normal": (NUMBERS[0], NUMBERS[0]),
}
TAIL_LEVELS, PERMUTED, DEGREE = 10.0 ** -np.arange(3, 8), 700, 3
KINDS = {"categories": CATEGORIES, "numbers": NUMBERS, "both": CATEGORIES + NUMBERS}


def varying(draw: Draw, generator: np.random.Generator, rows: int) -> np.ndarray:
    """Draw a column until it varies, as columns of one value are set aside before a search."""
    while True:
        column = draw(generator, rows)
        if (column != column[0]).any():
            return column


def null_table(kind: str, rows: int, columns: int, generator: np.random.Generator) -> Dataset:
    """Draw a table of independent columns, of which the first few are labels."""
    laws = KINDS[kind]
    drawn = {
        f"c{place}": varying(laws[generator.integers(len(laws))], generator, rows) for place in range(columns)
    }
    if kind == "both":
        drawn["c3"], drawn["c4"] = generator.normal(size=rows), varying(CATEGORIES[0], generator, rows)
    return dataset_of(drawn, [f"c{place}" for place in range(LABELS)])


def labels_with_findings(dataset: Dataset, settings: engine.DiscoverySettings) -> int:
    """Search a table, and count the labels that have a finding."""
    result = engine.discover(engine.prepare(dataset), settings)
    features_found: set[str] = set().union(*result.label_sets.values()) if result.label_sets else set()
    return len(features_found)


class Share(NamedTuple):
    """How many labels have a finding, of how many."""

    with_findings: int
    labels: int

    def __str__(self) -> str:
        return f"{self.with_findings / self.labels:.3f} ({self.with_findings} of {self.labels})"


def null_share(
    kind: str,
    rows: int,
    columns: int,
    tables: int,
    seed: int,
    settings: engine.DiscoverySettings | None = None,
) -> Share:
    """Search independent columns."""
    generator = np.random.default_rng([seed, rows, columns, list(KINDS).index(kind)])
    settings = replace(settings or engine.DiscoverySettings(), workers=1)
    with_findings = sum(
        labels_with_findings(null_table(kind, rows, columns, generator), settings) for _ in range(tables)
    )
    return Share(with_findings, LABELS * tables)


def screen_shares(rows: int, columns: int, tables: int, seed: int) -> dict[str, Share]:
    """Test some of many independent numbers against all others; count those with a finding, by their law."""
    generator = np.random.default_rng([seed, rows, columns])
    settings, stop = engine.DiscoverySettings(), np.zeros(1, dtype=np.uint8)
    shares = dict.fromkeys(LAWS, Share(0, 0))
    for _ in range(tables):
        laws = generator.integers(len(LAWS), size=columns)
        drawn = {f"c{place}": varying(NUMBERS[law], generator, rows) for place, law in enumerate(laws)}
        table = suited_table(engine.prepare(dataset_of(drawn, ["c0"])), settings.test)
        data = arranged(table, settings)
        for place in range(min(SCREENED, columns)):
            x = table.names.index(f"c{place}")
            others = np.delete(np.arange(len(table.names)), x)
            log_p = data.ask_marginal(x, others, stop).log_p
            law = LAWS[laws[place]]
            has_finding = bool(discoveries(log_p, settings.alpha, "bh").any())
            shares[law] = Share(shares[law].with_findings + has_finding, shares[law].labels + 1)
    return shares


def tail_ratios(laws: tuple[Draw, Draw], rows: int, permutations: float, seed: int) -> np.ndarray:
    """Return shares of permutations with p at most each level, over the level."""
    generator, stop = np.random.default_rng([seed, rows]), np.zeros(1, dtype=np.uint8)
    others = np.arange(PERMUTED, 2 * PERMUTED)
    rejected, tests = np.zeros(len(TAIL_LEVELS)), 0
    while tests < permutations:
        drawn = [varying(law, generator, rows) for law in laws]
        blocks = [
            category_block(values, int(values.max()) + 1)
            if values.dtype.kind == "i"
            else number_block(values, DEGREE)
            for values in drawn
        ]
        if min(block.tested for block in blocks) == 0:
            continue
        permuted = [
            block._replace(columns=block.columns[:, generator.permutation(rows)])
            for block in blocks
            for _ in range(PERMUTED)
        ]
        room = [(block.tested, len(block.columns) - block.tested) for block in permuted]
        table = basis_table(permuted, room, with_products=False)
        for x in range(PERMUTED):
            statistic, dof, *_ = marginal_tests(table, NO_LEVEL, x, others, stop)
            log_p = log_chi2_sf_values(statistic, dof)
            rejected += (log_p[:, np.newaxis] <= np.log(TAIL_LEVELS)).sum(axis=0)
            tests += PERMUTED
    return rejected / tests / TAIL_LEVELS


def two_by_two(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Write a table of two yes/no columns as columns."""
    where = np.repeat(np.arange(4), np.ravel(cells))
    return where // 2, where % 2


def fisher_ratio(cells: np.ndarray, beside: bool) -> tuple[float, float]:
    """Return p over that of Fisher's exact test, and the latter.

    Parameters
    ----------
    cells : ndarray of int, shape (2, 2)
    beside : bool
        A number is in the table, too.
    """
    x, y = two_by_two(cells)
    columns = {"x": x, "y": y}
    if beside:
        columns["z"] = np.random.default_rng(0).normal(size=len(x))
    dataset = dataset_of(columns, ["x"])
    log_p = engine.ci_test("auto", dataset, "x", "y").log_p
    fisher = float(stats.fisher_exact(cells).pvalue)
    return math.exp(log_p - math.log(fisher)), fisher


def drawn_cells(generator: np.random.Generator) -> np.ndarray:
    """Draw a table of 6 to 400 rows in which both columns vary."""
    while True:
        rows = int(np.exp(generator.uniform(np.log(6), np.log(400))))
        x = generator.random(rows) < generator.uniform(0.05, 0.5)
        follows = generator.random(rows) < generator.random()
        y = np.where(follows, x, generator.random(rows) < generator.uniform(0.05, 0.5))
        cells = np.histogram2d(x, y, bins=((0, 0.5, 1.5), (0, 0.5, 1.5)))[0].astype(int)
        if cells.sum(axis=0).all() and cells.sum(axis=1).all():
            return cells


def power(tables: int, seed: int) -> dict[str, tuple[int, int]]:
    """Count the tables in which a cause with odds ratio 20 is found: by the search, and by Fisher's test."""
    generator = np.random.default_rng(seed)
    settings = engine.DiscoverySettings(workers=1)
    counts_found = {}
    for name, number in (("categories", False), ("beside a number", True)):
        ours = theirs = 0
        for _ in range(tables):
            columns = {f"c{place}": varying(CATEGORIES[0], generator, 40) for place in range(20)}
            odds = math.sqrt(20.0)
            chances = np.where(columns["c0"] == 1, odds / (1.0 + odds), 1.0 / (1.0 + odds))
            label = varying(_with_chances(chances), generator, 40)
            extra = {"number": generator.normal(size=40)} if number else {}
            dataset = dataset_of({"label": label, **columns, **extra}, ["label"])
            result = engine.discover(engine.prepare(dataset), settings)
            ours += bool(result.label_sets.get("c0"))
            log_p = np.log(
                [
                    stats.fisher_exact(np.histogram2d(label, column, bins=2)[0].astype(int)).pvalue
                    for column in columns.values()
                ]
            )
            if number:
                correlated = stats.pearsonr(label, extra["number"]).pvalue
                log_p = np.append(log_p, math.log(correlated))
            theirs += bool(discoveries(log_p, settings.alpha, "bh")[0])
        counts_found[name] = (ours, theirs)
    return counts_found


def _null_lines(arguments: argparse.Namespace) -> Iterator[str]:
    yield "| columns | kind | " + " | ".join(f"{rows} rows" for rows in arguments.rows) + " |"
    yield "| ---: | --- |" + " --- |" * len(arguments.rows)
    for columns in arguments.columns:
        for kind in arguments.kinds:
            cells = []
            for rows in arguments.rows:
                cells.append(
                    null_share(
                        kind, rows, columns, arguments.tables or TABLES.get(columns, 50), arguments.seed
                    )
                )
                print(kind, rows, columns, cells[-1], flush=True)
            yield f"| {columns} | {kind} | " + " | ".join(map(str, cells)) + " |"


def _screen_lines(arguments: argparse.Namespace) -> Iterator[str]:
    for rows in arguments.rows:
        for columns in arguments.columns:
            shares = screen_shares(rows, columns, arguments.tables or TABLES.get(columns, 50), arguments.seed)
            with_findings, labels = (
                sum(counts_of_laws) for counts_of_laws in zip(*shares.values(), strict=True)
            )
            by_law = ", ".join(f"{law} {share}" for law, share in shares.items() if share.labels)
            yield f"screens, {rows} rows, {columns} columns: {Share(with_findings, labels)}; {by_law}"


def _tail_lines(arguments: argparse.Namespace) -> Iterator[str]:
    for rows in arguments.rows:
        for name, laws in TAILS.items():
            ratios = tail_ratios(laws, rows, 1e6 * arguments.millions, arguments.seed)
            yield f"{rows} rows, {name}: " + ", ".join(f"{ratio:.2f}" for ratio in ratios)


def _fisher_lines(arguments: argparse.Namespace) -> Iterator[str]:
    generator = np.random.default_rng(arguments.seed)
    tables = [drawn_cells(generator) for _ in range(arguments.pairs)]
    for beside in (False, True):
        ratios, exact = np.array([fisher_ratio(cells, beside) for cells in tables]).T
        counted = exact >= 1e-12
        yield (
            f"{'beside a number' if beside else 'alone'}: {counted.sum()} tables, p over Fisher's "
            f"{ratios[counted].min():.2f} to {ratios[counted].max():.2f}; "
            f"within a factor of 3: {(np.abs(np.log(ratios[counted])) <= math.log(3.0)).mean():.3f}"
        )


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description="Few rows: false findings, Fisher's test, power.")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument(
        "--parts",
        nargs="+",
        choices=("null", "screens", "tails", "fisher", "power"),
        default=("null", "fisher", "power"),
    )
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--columns", type=int, nargs="+", default=COLUMNS)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=tuple(KINDS))
    parser.add_argument("--tables", type=int, default=0, help="of each cell; fewer of wide ones by default")
    parser.add_argument("--millions", type=float, default=40.0, help="of permutations of each pair")
    parser.add_argument("--pairs", type=int, default=500, help="tables of two yes/no columns")
    arguments = parser.parse_args()
    if "null" in arguments.parts:
        print(*list(_null_lines(arguments)), sep="\n")
    if "screens" in arguments.parts:
        for line in _screen_lines(arguments):
            print(line, flush=True)
    if "tails" in arguments.parts:
        for line in _tail_lines(arguments):
            print(line, flush=True)
    if "fisher" in arguments.parts:
        print(*_fisher_lines(arguments), sep="\n")
    if "power" in arguments.parts:
        for name, (ours, theirs) in power(arguments.tables or 200, arguments.seed).items():
            print(f"odds ratio 20 in 40 rows, {name}: found {ours}, by Fisher's test {theirs}")


if __name__ == "__main__":
    main()
