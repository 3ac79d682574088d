"""Fisher's z refuses columns on which it finds what is not there; its rank variant keeps its level."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas
import pytest
import scipy.stats

import engine
from engine.errors import InvalidData
from engine.independence.arranging import make_test_data
from engine.independence.tails import normal_scores

ROWS, COLUMNS = 500, 40
HEAVY = {
    "t2": lambda generator, shape: generator.standard_t(2, shape),
    "lognormal": lambda generator, shape: np.exp(generator.normal(size=shape)),
    "cauchy": lambda generator, shape: generator.standard_cauchy(shape),
    "zeros": lambda generator, shape: (generator.random(shape) < 0.1) * np.exp(generator.normal(size=shape)),
}
FIT = {
    "normal": lambda generator, shape: generator.normal(size=shape),
    "exponential": lambda generator, shape: generator.exponential(size=shape),
    "uniform": lambda generator, shape: generator.random(shape),
}


def _dataset(draw, seed: int = 0) -> engine.Dataset:  # type: ignore[no-untyped-def]
    values = draw(np.random.default_rng(seed), (ROWS, COLUMNS))
    return engine.Dataset.from_frame(pandas.DataFrame(values, columns=[f"v{x}" for x in range(COLUMNS)]))


@pytest.mark.parametrize("name", HEAVY)
def test_heavy_tails_are_refused_by_name(name: str) -> None:
    with pytest.raises(InvalidData, match="columns 'v") as refusal:
        make_test_data(_dataset(HEAVY[name]), "fisher-z").at_level(0.05)
    assert "fisher-z-rank" in str(refusal.value)


@pytest.mark.parametrize("name", FIT)
def test_usual_columns_are_not_refused(name: str) -> None:
    make_test_data(_dataset(FIT[name]), "fisher-z").at_level(0.05)


@pytest.mark.parametrize("name", HEAVY)
def test_ranks_keep_their_level(name: str) -> None:
    data = make_test_data(_dataset(HEAVY[name]), "fisher-z-rank").at_level(0.05)
    stop = np.zeros(1, dtype=np.uint8)
    p = np.concatenate(
        [np.exp(data.ask_marginal(x, np.arange(x + 1, COLUMNS), stop).log_p) for x in range(COLUMNS - 1)]
    )
    assert 0.03 < (p <= 0.05).mean() < 0.07
    assert (p <= 1e-4).sum() <= 4


def test_ranks_of_many_columns_that_lean_are_refused_where_rows_are_few() -> None:
    # 3.2 false findings for 20 labels.
    generator = np.random.default_rng(3)
    values = HEAVY["zeros"](generator, (300, 500))
    frame = pandas.DataFrame(values, columns=[f"v{x}" for x in range(500)])
    with pytest.raises(InvalidData, match="skewness") as refusal:
        make_test_data(engine.Dataset.from_frame(frame), "fisher-z-rank").at_level(0.01)
    assert "'basis'" in str(refusal.value)
    make_test_data(engine.Dataset.from_frame(frame.iloc[:, :10]), "fisher-z-rank").at_level(0.01)


@pytest.mark.parametrize("name", HEAVY)
def test_linear_models_refuse_what_correlations_do_not_bear(name: str) -> None:
    with pytest.raises(InvalidData, match="columns 'v") as refusal:
        make_test_data(_dataset(HEAVY[name]), "mixed").at_level(0.05)
    assert "'basis'" in str(refusal.value)


def test_rare_labels_are_borne_beside_usual_columns() -> None:
    generator = np.random.default_rng(5)
    rare = {f"label {place}": (generator.random(300) < 0.1) * 1.0 for place in range(20)}
    usual = {f"v{place}": generator.normal(size=300) for place in range(480)}
    frame = pandas.DataFrame(rare | usual)
    make_test_data(engine.Dataset.from_frame(frame, labels=list(rare)), "fisher-z").at_level(0.01)
    with pytest.raises(InvalidData, match="skewness"):
        make_test_data(engine.Dataset.from_frame(frame), "fisher-z").at_level(0.01)


def test_categories_are_not_beside_each_other_in_linear_models() -> None:
    generator = np.random.default_rng(4)
    rare = {f"rare {place}": np.where(generator.random(ROWS) < 0.01, "a", "b") for place in range(20)}
    usual = {f"v{place}": generator.normal(size=ROWS) for place in range(20)}
    make_test_data(engine.Dataset.from_frame(pandas.DataFrame(rare | usual)), "mixed").at_level(0.01)
    heavy = {"v0": generator.standard_cauchy(ROWS)}
    table = engine.Dataset.from_frame(pandas.DataFrame(rare | usual | heavy))
    with pytest.raises(InvalidData, match="'v0' and 'rare"):
        make_test_data(table, "mixed").at_level(0.01)


def test_one_heavy_column_among_usual_ones_is_borne() -> None:
    generator = np.random.default_rng(1)
    frame = pandas.DataFrame({"a": generator.standard_cauchy(ROWS), "b": generator.normal(size=ROWS)})
    assert 0.0 < engine.ci_test("fisher-z", engine.Dataset.from_frame(frame), "a", "b").p_value <= 1.0


def test_the_largest_numbers_have_a_p_value() -> None:
    generator = np.random.default_rng(2)
    frame = pandas.DataFrame({"a": generator.choice([-1e308, 1e308], 100), "b": generator.normal(size=100)})
    outcome = engine.ci_test("fisher-z", engine.Dataset.from_frame(frame), "a", "b")
    assert np.isfinite(outcome.log_p)
    assert outcome.reliable


def test_rows_that_count_for_several_weigh_so_much_in_the_tails() -> None:
    table = _dataset(HEAVY["zeros"])
    times = np.random.default_rng(1).integers(1, 5, ROWS)
    repeated = table.select_rows(np.repeat(np.arange(ROWS), times))
    variable = engine.Variable("w", engine.Kind.CONTINUOUS, engine.Role.WEIGHT)
    counted = engine.Dataset((*table.variables, variable), (*table.columns, times.astype(float)))
    messages = []
    for weighted_table in (repeated, counted):
        with pytest.raises(InvalidData) as refusal:
            make_test_data(weighted_table, "fisher-z", row_weights="counts").at_level(0.05)
        messages.append(str(refusal.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_scores_are_those_of_the_mean_ranks_of_scipy(missing: float) -> None:
    random = np.random.default_rng(3)
    # Some values are equal, and some are alone.
    values = np.concatenate((random.integers(0, 9, (2, 60)).astype(float), random.normal(size=(2, 60))))
    values[random.random(values.shape) < missing] = np.nan
    ranks = scipy.stats.rankdata(values, axis=1, nan_policy="omit")
    rows = (~np.isnan(values)).sum(axis=1, keepdims=True)
    wanted = scipy.stats.norm.ppf((ranks - 0.5) / rows)
    np.testing.assert_allclose(normal_scores(values), wanted, rtol=1e-12, atol=1e-12)


_SEARCH = """
import sys
import numpy, pandas, engine

frame = pandas.DataFrame(numpy.random.default_rng(0).normal(size=(200, 4)), columns=list("abcd"))
dataset = engine.Dataset.from_frame(frame, labels=["a", "b"])
engine.discover(dataset, engine.DiscoverySettings(test="fisher-z-rank", workers=1))
print("scipy.stats" in sys.modules)
"""


def test_a_search_of_ranks_does_not_load_all_of_scipys_statistics() -> None:
    """They are 400 modules and 40 MB, which a window would hold for good."""
    finished = subprocess.run([sys.executable, "-c", _SEARCH], capture_output=True, text=True, check=True)
    assert finished.stdout == "False\n"
