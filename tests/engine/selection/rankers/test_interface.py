"""What holds for every feature selector, whatever it computes."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.errors import Cancelled, InvalidData, InvalidParameter
from engine.parameters import parameters_of
from tests.with_each import with_each

from .planted import planted

NAMES = tuple(engine.feature_rankers())
LEARNING = tuple(name for name in NAMES if name not in ("random", "all"))
ITERATIVE = ("sfus", "csfs", "mifs", "mcls", "cmfs")


def rank(name: str, values: np.ndarray, labels: np.ndarray, **options):
    return engine.feature_rankers()[name].load()(values, labels, **options)


def close(actual: np.ndarray, expected: np.ndarray) -> bool:
    return np.allclose(actual, expected, rtol=1e-6, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("name", NAMES)
def test_scores_are_finite_and_one_a_feature(name):
    values, labels = planted()
    ranking = rank(name, values, labels)
    assert ranking.scores.dtype == np.float64
    assert ranking.scores.shape == (20,)
    assert np.isfinite(ranking.scores).all()
    assert sorted(ranking.order) == list(range(20))


@pytest.mark.parametrize("name", LEARNING)
def test_features_that_carry_the_labels_come_first(name):
    values, labels = planted(rows=300)
    assert set(rank(name, values, labels).order[:3]) == {0, 1, 2}


@pytest.mark.parametrize("name", LEARNING)
@with_each(("rows", "features"), [(80, 12), (25, 40)])
def test_permuted_columns_permute_the_scores(name, rows, features):
    values, labels = planted(rows=rows, features=features)
    order = np.random.default_rng(1).permutation(features)
    permuted = rank(name, values[:, order], labels).scores
    assert close(permuted, rank(name, values, labels).scores[order])


@pytest.mark.parametrize("name", LEARNING)
def test_order_of_rows_and_labels_does_not_matter(name):
    values, labels = planted(rows=80, features=12)
    source = np.random.default_rng(2)
    rows, columns = source.permutation(80), source.permutation(3)
    permuted = rank(name, values[rows], labels[rows][:, columns]).scores
    assert close(permuted, rank(name, values, labels).scores)


@pytest.mark.parametrize("name", LEARNING)
def test_units_of_measure_do_not_matter(name):
    values, labels = planted(rows=80, features=12)
    scale = 10.0 ** np.linspace(-6, 6, 12)
    assert close(rank(name, values * scale + 5 * scale, labels).scores, rank(name, values, labels).scores)


@pytest.mark.parametrize("name", NAMES)
def test_constant_features_come_last_and_change_nothing(name):
    values, labels = planted(features=12)
    with_constant = np.insert(values, [0, 5], [7.0, 0.1], axis=1)
    ranking = rank(name, with_constant, labels)
    assert set(ranking.order[-2:]) == {0, 6}
    assert ranking.scores[[0, 6]].max() < np.delete(ranking.scores, [0, 6]).min()
    assert np.array_equal(np.delete(ranking.scores, [0, 6]), rank(name, values, labels).scores)


@pytest.mark.parametrize("name", NAMES)
def test_constant_labels_play_no_part(name):
    values, labels = planted(features=12)
    extended = np.column_stack([np.ones(len(labels), bool), labels, np.zeros(len(labels), bool)])
    assert np.array_equal(rank(name, values, extended).scores, rank(name, values, labels).scores)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_call_gives_the_same_scores(name):
    values, labels = planted()
    first, second = (rank(name, values, labels, seed=7) for _ in range(2))
    assert np.array_equal(first.scores, second.scores)
    assert np.array_equal(first.objective, second.objective)


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_matters_where_the_method_is_random_alone(name):
    values, labels = planted()
    same = np.array_equal(
        rank(name, values, labels, seed=1).scores, rank(name, values, labels, seed=2).scores
    )
    assert same != engine.feature_rankers()[name].is_random


@pytest.mark.parametrize("name", NAMES)
def test_what_is_given_is_not_changed(name):
    values, labels = planted()
    copies = values.copy(), labels.copy()
    values.flags.writeable = labels.flags.writeable = False
    rank(name, values, labels)
    assert np.array_equal(values, copies[0]) and np.array_equal(labels, copies[1])


@pytest.mark.parametrize("name", LEARNING)
def test_very_large_small_and_close_values_are_ranked_as_others(name):
    values, labels = planted(rows=60, features=6)
    values[:, 5] = values[:, 5] > 1
    extreme = values * np.array([1e150, 1e-150, 1.0, 1e-300, 1e300, np.finfo(float).eps])
    extreme[:, 2] += 1e9
    extreme[:, 5] += 1.0
    assert np.allclose(rank(name, extreme, labels).scores, rank(name, values, labels).scores, rtol=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_a_ranking_cannot_be_changed(name):
    ranking = rank(name, *planted())
    with pytest.raises(ValueError, match="read-only"):
        ranking.scores[0] = 1.0


@pytest.mark.parametrize("name", NAMES)
@with_each("wrong", [np.nan, np.inf, -np.inf])
def test_missing_and_infinite_values_are_refused(name, wrong):
    values, labels = planted()
    values[3, 4] = wrong
    with pytest.raises(InvalidData, match="column 5"):
        rank(name, values, labels)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (np.ones((3, 2)), np.eye(3, dtype=bool)),
        (np.eye(3), np.ones((3, 2), dtype=bool)),
        (np.eye(3), np.ones((4, 2), dtype=bool)),
        (np.eye(3), np.ones(3, dtype=bool)),
        (np.eye(3), np.full((3, 1), 2)),
        (np.eye(3), np.empty((3, 0), dtype=bool)),
        (np.empty((3, 0)), np.eye(3, dtype=bool)),
        (np.ones((1, 3)), np.eye(1, dtype=bool)),
        (np.array([["a"], ["b"], ["c"]]), np.eye(3, dtype=bool)),
    ],
)
def test_tables_that_cannot_be_ranked_are_refused(values, labels):
    with pytest.raises(InvalidData):
        rank("anova-f", values, labels)


@pytest.mark.parametrize("name", NAMES)
def test_unknown_and_impossible_settings_are_refused(name):
    values, labels = planted()
    with pytest.raises(InvalidParameter, match="no such setting"):
        rank(name, values, labels, nonsense=1)
    with pytest.raises(InvalidParameter):
        rank(name, values, labels, seed=-1)
    for parameter in engine.feature_rankers()[name].parameters:
        for wrong in (-1, "much", float("nan")):
            with pytest.raises(InvalidParameter, match=parameter.name):
                rank(name, values, labels, **{parameter.name: wrong})


@pytest.mark.parametrize("name", NAMES)
def test_a_stop_that_is_set_ends_the_ranking(name):
    values, labels = planted()
    with pytest.raises(Cancelled):
        rank(name, values, labels, stop=np.ones(1, dtype=np.uint8))


@pytest.mark.parametrize("name", ITERATIVE)
def test_a_stop_is_noticed_between_iterations(name):
    class StopAtTheThirdLook:
        looks = 0

        def __getitem__(self, place):
            self.looks += 1
            return self.looks >= 3

    values, labels = planted()
    stop = StopAtTheThirdLook()
    with pytest.raises(Cancelled):
        rank(name, values, labels, stop=stop, tolerance=0.0)
    assert stop.looks == 3


@pytest.mark.parametrize("name", ITERATIVE)
def test_iterations_end_by_the_tolerance_or_by_their_bound(name):
    values, labels = planted()
    bounded = rank(name, values, labels, max_iterations=2, tolerance=0.0)
    assert len(bounded.objective) == 3
    assert not bounded.converged
    free = rank(name, values, labels, tolerance=1e-3)
    changes = -np.diff(free.objective) / free.objective[:-1]
    assert free.converged
    assert changes[-1] <= 1e-3 < changes[:-1].min(initial=np.inf)


@pytest.mark.parametrize("name", NAMES)
def test_descriptions_are_complete(name):
    description = engine.feature_rankers()[name]
    assert description.name == name
    assert description.title and description.help.endswith(".") and description.source
    assert len(description.formula) > 100
    for parameter in parameters_of(description.options):
        for step in parameter.steps:
            parameter.check(int(step) if parameter.kind == "integer" else step)


def test_only_methods_without_formula_or_program_are_called_reconstructions():
    marked = {
        name for name, feature_ranker in engine.feature_rankers().items() if feature_ranker.is_reconstruction
    }
    assert marked <= {"cmfs", "mb-mcf"}
    assert all("reconstruction" in engine.feature_rankers()[name].title for name in marked)


def test_all_features_are_selected_in_column_order_except_constant_ones():
    values, labels = planted(features=4)
    values[:, 1] = 3.0
    ranking = rank("all", values, labels)
    assert ranking.subset == (0, 2, 3)
    assert ranking.order.tolist() == [0, 2, 3, 1]


def test_random_orders_are_all_about_equally_frequent():
    values, labels = planted(rows=10, features=3)
    orders = [tuple(rank("random", values, labels, seed=seed).order) for seed in range(600)]
    counts = [orders.count(order) for order in set(orders)]
    # 6 orders, 100 expected of each: the 99.9 % quantile of the statistic with 5 degrees of freedom is 20.5.
    assert len(counts) == 6
    assert sum((count - 100) ** 2 / 100 for count in counts) < 20.5
