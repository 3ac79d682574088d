"""Sets of three and more variables are held fixed only where the rows bear the degrees of freedom."""

from __future__ import annotations

from math import prod

import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.compiled.decorators import kernel
from engine.independence.arranging import make_test_data
from engine.independence.interface import Addresses, nominal_dof, nominal_dof_of, placed_test
from engine.table.dataset import Dataset

ALGORITHMS = ("hiton-mb", "hiton-mb-semi", "mmmb", "ipcmb")


@kernel
def _compiled_nominal_dof(test: Addresses, x: int, y: int, given: np.ndarray, size: int) -> float:
    return nominal_dof(test, x, y, given, size)


def _simulated(rows: int = 1500, labels: int = 6) -> Dataset:
    return engine.simulate(labels=labels, features=10 * labels, rows=rows, seed=3).dataset


def _separators(dataset: Dataset, **settings: object) -> list[dict[int, tuple[int, ...]]]:
    chosen = DiscoverySettings(**settings)
    data = make_test_data(dataset, chosen.test).at_level(chosen.alpha)
    search = Neighbourhoods(data, chosen, np.zeros(1, dtype=np.uint8))
    return [search.neighbours(position).separators for position in range(len(data.names))]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_bound_that_no_large_set_meets_is_a_conditioning_size_of_two(algorithm: str) -> None:
    dataset = _simulated()
    bounded = _separators(dataset, algorithm=algorithm, large_set_rows=100_000)
    assert bounded == _separators(dataset, algorithm=algorithm, max_conditioning=2)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_large_set_that_separates_has_the_rows_for_it(algorithm: str) -> None:
    dataset = _simulated(8000, labels=12)
    levels = [variable.level_count for variable in dataset.variables]
    bound = 200.0
    large = [
        (levels[target] - 1) * (levels[partner] - 1) * prod(levels[variable] for variable in given)
        for target, separators in enumerate(_separators(dataset, algorithm=algorithm, large_set_rows=bound))
        for partner, given in separators.items()
        if len(given) > 2
    ]
    assert large
    assert max(large) * bound <= dataset.row_count


def test_the_published_procedure_knows_no_bound() -> None:
    dataset = _simulated(600)
    published = {"procedure": "as published", "false_discovery": "none", "alpha": 0.05}
    bounded = engine.discover(dataset, DiscoverySettings(**published, large_set_rows=100_000))
    free = engine.discover(dataset, DiscoverySettings(**published, large_set_rows=0))
    assert bounded.label_sets == free.label_sets
    assert bounded.tests_made == free.tests_made


def test_compiled_and_plain_degrees_of_freedom_are_one() -> None:
    dataset = _simulated(100)
    data = make_test_data(dataset, "g2").at_level(0.01)
    test = placed_test(data.table, 4)
    levels = [variable.level_count for variable in dataset.variables]
    random = np.random.default_rng(0)
    for size in range(5):
        x, y, *given = random.permutation(len(levels))[: size + 2].tolist()
        expected = (levels[x] - 1) * (levels[y] - 1) * prod(levels[variable] for variable in given)
        places = np.array([*given, 0], dtype=np.int64)
        assert nominal_dof_of(data.table, x, y, places, size) == expected
        assert _compiled_nominal_dof(test.at, x, y, places, size) == expected
        assert data.nominal_dof(x, y, given) == expected


def test_partial_correlations_are_tested_given_any_set() -> None:
    frame_rows = np.random.default_rng(1).normal(size=(60, 6))
    frame_rows[:, 5] = frame_rows[:, :4].sum(axis=1) + frame_rows[:, 5]
    frame = pandas.DataFrame(frame_rows, columns=list("abcdef"))
    dataset = Dataset.from_frame(frame, labels=["f"])
    bounded = engine.discover(dataset, DiscoverySettings(test="fisher-z", large_set_rows=100_000))
    free = engine.discover(dataset, DiscoverySettings(test="fisher-z", large_set_rows=0))
    assert bounded.tests_made == free.tests_made
    assert bounded.boundaries["f"].parents_children
