"""Arrows by the best graphs, on rows where tests alone leave them open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.orientation.arrows import Arrow
from engine.discovery.orientation.best_graphs import agreed
from engine.discovery.orientation.direction import Because, Direction
from engine.discovery.result import DiscoveryResult
from engine.independence.set_fits import category_fits, log_principal_minors
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable


def test_principal_minors_are_determinants() -> None:
    generator = np.random.default_rng(3)
    widths = [1, 3, 2, 4]
    values = generator.normal(size=(40, sum(widths)))
    values[:, 4] += values[:, 0]
    products = np.corrcoef(values.T)
    starts = np.cumsum([0, *widths])
    minors = log_principal_minors(products, widths)
    for members in range(1 << len(widths)):
        chosen = [
            column
            for block in range(len(widths))
            if members >> block & 1
            for column in range(starts[block], starts[block + 1])
        ]
        assert minors[members] == pytest.approx(
            np.linalg.slogdet(products[np.ix_(chosen, chosen)])[1], abs=1e-9
        )


def test_a_column_that_others_determine_ends_nothing() -> None:
    minors = log_principal_minors(np.ones((2, 2)), [1, 1])
    assert np.isfinite(minors).all()
    assert minors[3] < -20.0


def _arrow(cause: int, effect: int, log_ratio: float | None = None) -> Arrow:
    because = Because.SHARED_EFFECT if log_ratio is None else Because.BEST_GRAPH
    return Arrow(cause, effect, because, (), (), log_ratio)


def test_what_a_better_graph_denies_is_not_told() -> None:
    by_tests = {(1, 0): _arrow(1, 0), (2, 0): _arrow(2, 0), (3, 0): _arrow(3, 0)}
    leaning = {(0, 1): _arrow(0, 1, 0.5), (0, 2): _arrow(0, 2, 9.0), (0, 4): _arrow(0, 4, 9.0)}
    clear = {(0, 2): leaning[0, 2], (0, 4): leaning[0, 4]}
    assert set(agreed(by_tests, leaning, clear)) == {(3, 0), (0, 4)}


def test_what_is_not_clear_is_not_told_by_a_graph_alone() -> None:
    assert agreed({}, {(0, 1): _arrow(0, 1, 1.0)}, {}) == {}
    assert set(agreed({(0, 1): _arrow(0, 1)}, {(0, 1): _arrow(0, 1, 1.0)}, {})) == {(0, 1)}


def test_no_arrows_lead_round_in_a_circle() -> None:
    leaning = {pair: _arrow(*pair, 9.0) for pair in ((0, 1), (1, 2), (2, 0), (0, 3))}
    assert set(agreed({}, leaning, leaning)) == {(0, 3)}


def _weak_causes(seed: int, rows: int = 400) -> Dataset:
    """Draw a label with three weak causes, numbers that are independent, and an effect of the label."""
    generator = np.random.default_rng(seed)
    causes = generator.normal(size=(3, rows))
    label = (causes.sum(axis=0) * 0.6 + generator.logistic(size=rows) > 0.0).astype(np.int8)
    effect = 1.2 * label + generator.normal(size=rows)
    names = ("a", "b", "c")
    return Dataset(
        (
            Variable("label", Kind.NOMINAL, Role.LABEL, levels=("no", "yes")),
            *(Variable(name, Kind.CONTINUOUS, Role.FEATURE) for name in (*names, "effect")),
        ),
        (label, *causes, effect),
    )


def _directions(dataset: Dataset, **settings: str) -> DiscoveryResult:
    return engine.discover(dataset, DiscoverySettings(workers=1, **settings))


def _are_right(result: DiscoveryResult) -> list[bool]:
    """Say of each direction that is told whether it is right."""
    truth = {"effect": Direction.EFFECT}
    return [
        orientation.direction is truth.get(orientation.feature, Direction.CAUSE)
        for orientation in result.orientation_records.values()
        if orientation.because is not None
    ]


def test_graphs_tell_weak_arrows_that_tests_leave_open() -> None:
    # 40 tables, at seeds that nothing was settled on.
    controlled = [_directions(_weak_causes(seed)) for seed in range(3000, 3040)]
    plain = [_directions(_weak_causes(seed), procedure="as published") for seed in range(3000, 3040)]
    right = [is_right for result in controlled for is_right in _are_right(result)]
    assert len(right) > 1.3 * sum(len(_are_right(result)) for result in plain)
    assert np.mean(right) > 0.95
    by_graphs = [
        orientation
        for result in controlled
        for orientation in result.orientation_records.values()
        if orientation.because is Because.BEST_GRAPH
    ]
    assert by_graphs
    for orientation in by_graphs:
        assert orientation.log_ratio is not None
        assert orientation.log_ratio >= np.log(5.0)
        assert not orientation.tests
        assert orientation.others
        assert orientation.feature not in orientation.others


def _many_causes_beside(seed: int, rows: int = 300) -> Dataset:
    """Draw a label with four effects, each of which has four other causes: more than one best graph holds."""
    generator = np.random.default_rng(seed)
    label = generator.integers(0, 2, rows).astype(np.int8)
    causes = generator.normal(size=(4, 4, rows))
    effects = 0.9 * label + 0.45 * causes.sum(axis=1) + generator.normal(size=(4, rows))
    names = (*(f"effect{number}" for number in range(4)), *(f"cause{number}" for number in range(16)))
    return Dataset(
        (
            Variable("label", Kind.NOMINAL, Role.LABEL, levels=("no", "yes")),
            *(Variable(name, Kind.CONTINUOUS, Role.FEATURE) for name in names),
        ),
        (label, *effects, *causes.reshape(16, rows)),
    )


def test_the_graph_around_a_neighbour_tells_what_that_around_the_label_leaves_open() -> None:
    # 20 tables, at seeds that nothing was settled on; by the graphs around the labels alone 59 are told.
    directions = [
        orientation.direction
        for seed in range(4000, 4020)
        for orientation in _directions(_many_causes_beside(seed)).orientation_records.values()
        if orientation.feature.startswith("effect") and orientation.direction is not Direction.UNDECIDED
    ]
    assert len(directions) > 70
    assert directions.count(Direction.EFFECT) > 0.95 * len(directions)


def test_a_much_better_graph_decides_about_what_one_search_alone_finds() -> None:
    # Tables in which there are such members.
    are_right = []
    for seed in (300, 320):
        network = engine.simulate(
            labels=5,
            features=60,
            rows=500,
            variables="numbers",
            relations="linear",
            noise="heavy-tailed",
            graph="random",
            max_parents=3,
            strength=0.7,
            seed=seed,
        )
        result = _directions(engine.prepare(network.dataset))
        next_to = {frozenset((edge.first, edge.second)) for edge in result.local_edges}
        for orientation in result.orientation_records.values():
            if frozenset(orientation.pair) in next_to or orientation.direction is Direction.UNDECIDED:
                continue
            assert orientation.because is Because.BEST_GRAPH
            assert orientation.log_ratio is not None
            assert orientation.log_ratio >= np.log(64.0)
            pair = orientation.pair if orientation.direction is Direction.CAUSE else orientation.pair[::-1]
            are_right.append(pair in network.network.edges)
    assert len(are_right) > 3
    assert all(are_right)


def test_gaps_leave_the_rows_that_are_complete() -> None:
    whole = _weak_causes(3, rows=3000)
    generator = np.random.default_rng(1)
    columns = (
        whole.columns[0],
        *(np.where(generator.random(3000) < 0.03, np.nan, column) for column in whole.columns[1:]),
    )
    are_right = _are_right(_directions(replace(whole, columns=columns)))
    assert are_right
    assert all(are_right)


def test_rows_in_groups_have_no_likelihood() -> None:
    from engine.independence.arranging import make_test_data

    whole = _weak_causes(3)
    groups = Variable("person", Kind.CONTINUOUS, Role.GROUPS)
    grouped = replace(
        whole, variables=(*whole.variables, groups), columns=(*whole.columns, np.arange(400.0) // 4)
    )
    variables = np.arange(5)
    assert not make_test_data(grouped, "basis").at_level(0.01).fits_sets
    fits = make_test_data(whole, "basis").at_level(0.01).fits_of_sets(variables)
    assert fits is not None
    assert len(fits.statistic) == 2**5
    # Fewer rows bear fewer variables, and many levels leave room for fewer.
    few = replace(whole, columns=tuple(column[:80] for column in whole.columns))
    borne = make_test_data(few, "basis").at_level(0.01).fits_of_sets(variables)
    assert borne is not None
    assert len(borne.statistic) < 2**5
    levels = np.random.default_rng(1).integers(0, 60, 5000)
    wide = Variable("wide", Kind.NOMINAL, Role.FEATURE, levels=tuple(map(str, range(60))))
    long = _weak_causes(3, rows=5000)
    long = replace(
        long,
        variables=(*long.variables[:2], wide, *long.variables[3:]),
        columns=(*long.columns[:2], levels, *long.columns[3:]),
    )
    borne = make_test_data(long, "basis").at_level(0.01).fits_of_sets(variables)
    assert borne is not None
    assert len(borne.statistic) == 2**3


@pytest.mark.parametrize(("test", "options"), [("basis", {"degree": 1}), ("fisher-z", {})])
def test_fits_of_straight_lines_are_those_of_a_gaussian_model(test: str, options: dict[str, int]) -> None:
    from engine.independence.arranging import make_test_data

    values = np.random.default_rng(5).normal(size=(4, 300))
    values[2] += values[0] - values[1]
    dataset = Dataset(
        (
            Variable("y", Kind.CONTINUOUS, Role.LABEL),
            *(Variable(f"x{place}", Kind.CONTINUOUS, Role.FEATURE) for place in range(3)),
        ),
        tuple(values),
    )
    fits = make_test_data(dataset, test, **options).at_level(0.01).fits_of_sets(np.arange(4))
    assert fits is not None
    # No value lies so far out that it is pulled in.
    likelihood = -300.0 * np.linalg.slogdet(np.corrcoef(values))[1]
    assert fits.statistic[-1] == pytest.approx(likelihood, rel=1e-9)
    assert fits.dof[-1] == 6.0
    gap = replace(dataset, columns=(np.where(np.arange(300) == 7, np.nan, values[0]), *dataset.columns[1:]))
    # With gaps pairs of Fisher's z rest on rows of their own.
    assert make_test_data(gap, test, **options).at_level(0.01).fits_sets == (test == "basis")


def test_fits_of_categories_are_those_of_columns_of_levels() -> None:
    """The likelihood ratio of two binary columns as numbers, whatever stands for their levels."""
    generator = np.random.default_rng(8)
    codes = generator.integers(0, [[2], [3], [4]], (3, 500))
    codes[1] = np.where(generator.random(500) < 0.4, codes[0], codes[1])
    times = generator.integers(1, 4, 500).astype(float)
    fits = category_fits(codes, times)
    assert fits is not None
    assert fits.dof.tolist() == [0, 0, 0, 2, 0, 3, 6, 11]
    repeated = np.repeat(codes, times.astype(int), axis=1)
    levels = [repeated[0] == 1, repeated[1] == 1, repeated[1] == 2]
    r = np.corrcoef(levels)
    unexplained = np.linalg.det(r) / np.linalg.det(r[1:, 1:])
    assert fits.statistic[3] == pytest.approx(-times.sum() * np.log(unexplained), rel=1e-9)
    recoded = category_fits(np.vstack([1 - codes[0], (codes[1] + 1) % 3, 3 - codes[2]]), times)
    assert recoded is not None
    assert recoded.statistic == pytest.approx(fits.statistic, rel=1e-9, abs=1e-9)


def test_columns_with_one_level_in_the_complete_rows_end_nothing() -> None:
    codes = np.array([[0, 1] * 30, [1, 1] * 30, [0, 0, 1] * 20])
    fits = category_fits(codes, np.ones(60))
    assert fits is not None
    assert np.isfinite(fits.statistic).all()
    assert category_fits(codes[:, :6], np.ones(6)) is None


def test_graphs_tell_arrows_among_categories() -> None:
    """Four causes, each of a few levels, raise the odds of a label: tests alone tell none of the arrows."""
    generator = np.random.default_rng(4)
    causes = generator.integers(0, 3, (4, 500))
    label = (generator.logistic(size=500) < 1.3 * (causes - 1).sum(axis=0)).astype(int)
    frame = pandas.DataFrame({f"cause {number}": cause for number, cause in enumerate(causes)})
    dataset = Dataset.from_frame(frame.astype(str).assign(label=label.astype(str)), labels=["label"])
    orientations = engine.discover(dataset).orientation_records.values()
    told = [orientation for orientation in orientations if orientation.direction is not Direction.UNDECIDED]
    assert len(told) >= 3
    assert all(orientation.pair[orientation.direction is Direction.CAUSE] == "label" for orientation in told)
