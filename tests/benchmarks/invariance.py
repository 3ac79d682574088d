"""Whether findings heed what they must not: units, origins, names, the order of rows and of columns.

Run by hand, from the project's folder::

    python -m tests.benchmarks.invariance --seed 1000 --tables 300
    python -m tests.benchmarks.invariance --tests basis rcot --tables 20

Small tables of numbers, categories and both, in which columns hang together by straight lines, curves and
factors, are searched as they are and after each change. For tests that draw random numbers, as permutations
do, p-values of all pairs with a label are compared, which may differ by Monte Carlo error. Exact copies and
ties between columns are not in the tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import engine
from engine.errors import EngineError
from engine.independence.arranging import make_test_data
from engine.table.dataset import Dataset
from engine.table.variable import Kind
from tests.engine.independence.calibration import dataset_of

LABELS, FEATURES = 2, 7
_PERMUTATIONS = 199
# So many standard errors of a share of permutations may two of them differ.
_ERRORS = 5.0

Change = Callable[[Dataset, np.random.Generator], Dataset]


def drawn_table(kinds: frozenset[Kind], generator: np.random.Generator) -> Dataset:
    """Draw a table in which each column follows up to two before it."""
    rows = int(generator.integers(60, 250))
    both = len(kinds) > 1
    columns: dict[str, np.ndarray] = {}
    strengths: list[np.ndarray] = []
    for place in range(LABELS + FEATURES):
        strength = generator.normal(size=rows)
        for earlier in generator.permutation(len(strengths))[:2]:
            if generator.random() < 0.6:
                cause = strengths[earlier]
                strength = strength + (cause if generator.random() < 0.7 else np.abs(cause) - 0.8)
        strengths.append(strength / strength.std())
        if Kind.NOMINAL in kinds and (not both or generator.random() < 0.5):
            # Of equal margins, tests of two columns would tie.
            cuts = np.sort(generator.uniform(0.2, 0.8, 1 if generator.random() < 0.5 else 2))
            edges = np.quantile(strength, cuts)
            columns[f"v{place}"] = np.searchsorted(edges, strength)
        else:
            laws = (lambda line: line, np.exp, lambda line: 20.0 + line, lambda line: np.floor(3.0 * line))
            columns[f"v{place}"] = laws[generator.integers(4)](strengths[-1])
    names = list(columns)
    return dataset_of({name: columns[name] for name in names}, names[-LABELS:])


def _with_numbers(dataset: Dataset, changed: Callable[[np.ndarray], np.ndarray]) -> Dataset:
    """Change every number."""
    columns = [
        changed(values) if variable.kind is Kind.CONTINUOUS else values
        for variable, values in zip(dataset.variables, dataset.columns, strict=True)
    ]
    return replace(dataset, columns=tuple(columns))


def _renamed(dataset: Dataset, generator: np.random.Generator) -> Dataset:
    order = generator.permutation(len(dataset.variables))
    variables = [
        replace(variable, name=f"n{place}") for variable, place in zip(dataset.variables, order, strict=True)
    ]
    return replace(dataset, variables=tuple(variables))


def _other_rows(dataset: Dataset, generator: np.random.Generator) -> Dataset:
    return dataset.select_rows(generator.permutation(dataset.row_count))


def _other_columns(dataset: Dataset, generator: np.random.Generator) -> Dataset:
    names = [variable.name for variable in dataset.variables]
    return dataset.select_variables([names[place] for place in generator.permutation(len(names))])


def _shifted(dataset: Dataset, generator: np.random.Generator) -> Dataset:
    return _with_numbers(dataset, lambda values: values + 1e6 * values.std())


def _in_unit(unit: float) -> Change:
    def change(dataset: Dataset, generator: np.random.Generator) -> Dataset:
        return _with_numbers(dataset, lambda values: values * unit)

    return change


CHANGES: dict[str, Change] = {
    "× 1e-12": _in_unit(1e-12),
    "× 1e12": _in_unit(1e12),
    "+ 1e6 SD": _shifted,
    "renamed": _renamed,
    "rows reordered": _other_rows,
    "columns reordered": _other_columns,
}


def findings(dataset: Dataset, test: str) -> frozenset[tuple[str, str]]:
    """Search a table; give the pairs of a feature and a label that are found."""
    settings = engine.DiscoverySettings(test=test, workers=1, permutations=_PERMUTATIONS, alpha=0.05)
    label_sets = engine.discover(dataset, settings).label_sets
    return frozenset((feature, label) for feature, labels in label_sets.items() for label in labels)


def p_values(dataset: Dataset, test: str) -> dict[tuple[str, str], float]:
    """Test each feature with each label."""
    data = make_test_data(dataset, test, permutations=_PERMUTATIONS).at_level(0.05)
    features = np.array([data.positions[name] for name in dataset.features])
    p = {}
    for label in dataset.labels:
        answers = data.ask_marginal(data.positions[label], features, np.zeros(1, dtype=np.uint8))
        for feature, log_p in zip(dataset.features, answers.log_p, strict=True):
            p[feature, label] = float(np.exp(log_p))
    return p


def same_names(dataset: Dataset, changed: Dataset) -> dict[str, str]:
    """Say what each column of a changed table was called before, where only names changed."""
    old, new = ([variable.name for variable in table.variables] for table in (dataset, changed))
    return {name: name for name in new} if set(old) == set(new) else dict(zip(new, old, strict=True))


def is_same(dataset: Dataset, changed: Dataset, test: str, before: object) -> bool:
    """Tell whether a changed table has the findings of the table, or p-values within Monte Carlo error."""
    names = same_names(dataset, changed)
    if not engine.ci_tests()[test].permutes:
        return {(names[feature], names[label]) for feature, label in findings(changed, test)} == before
    assert isinstance(before, dict)
    after = {(names[feature], names[label]): p for (feature, label), p in p_values(changed, test).items()}
    close = [
        abs(p - before[pair])
        <= _ERRORS * np.sqrt(2.0 * max(p, before[pair], 1.0 / _PERMUTATIONS) / _PERMUTATIONS)
        for pair, p in after.items()
    ]
    return all(close)


def differences(test: str, tables: int, seed: int) -> dict[str, int]:
    """Count the tables in which a change changes what is found."""
    generator = np.random.default_rng([seed, *test.encode()])
    counts = dict.fromkeys(CHANGES, 0)
    drawn_tables = 0
    kinds = set(engine.ci_tests()[test].data)
    choices = [frozenset({kind}) for kind in sorted(kinds, key=lambda kind: kind.name)]
    choices += [frozenset(kinds)] if len(kinds) > 1 else []
    permutes = engine.ci_tests()[test].permutes
    while drawn_tables < tables:
        dataset = drawn_table(choices[drawn_tables % len(choices)], generator)
        try:
            before = p_values(dataset, test) if permutes else findings(dataset, test)
        except EngineError:
            # Tails that the test does not bear.
            continue
        drawn_tables += 1
        for name, change in CHANGES.items():
            changed = change(dataset, generator)
            counts[name] += not is_same(dataset, changed, test, before)
    return counts


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description="Findings after changes that must not matter.")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument(
        "--tests", nargs="+", choices=list(engine.ci_tests()), default=list(engine.ci_tests())
    )
    arguments = parser.parse_args()
    print(f"| test | {' | '.join(CHANGES)} |", "| --- |" + " ---: |" * len(CHANGES), sep="\n")
    for test in arguments.tests:
        counts = differences(test, arguments.tables, arguments.seed)
        print(f"| {test} | {' | '.join(map(str, counts.values()))} |", flush=True)


if __name__ == "__main__":
    main()
