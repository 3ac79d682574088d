"""Cut points and bins against numpy, pandas and scikit-learn, and what must hold for any column."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from engine.preparation.discretisation_methods import (
    discretisation_choices,
    discretisation_methods,
)
from engine.preparation.discretise import (
    CutColumn,
    bin_names,
    cut_column,
    number_text,
    separating_cuts,
)
from tests.with_each import with_each

UNSUPERVISED = ["quantile", "median", "mean", "width"]

ANY_COLUMN = arrays.arrays(
    np.float64,
    st.integers(2, 40),
    elements=st.one_of(
        st.integers(-3, 3).map(float),
        st.floats(allow_nan=False, allow_infinity=False, width=64),
        st.floats(-1, 1, width=32),
    ),
)


def cut(values: object, method: str, bins: int = 2, classes: tuple[np.ndarray, ...] = ()) -> CutColumn:
    return cut_column(np.asarray(values, dtype=float), discretisation_methods()[method], bins, classes)


@with_each("bins", [2, 3, 4, 7, 20])
@with_each("seed", range(5))
def test_quantile_bins_are_those_of_pandas(bins: int, seed: int) -> None:
    values = np.random.default_rng(seed).gamma(2, size=199 + seed)
    expected, edges = pandas.qcut(values, bins, labels=False, retbins=True)
    cut_values = cut(values, "quantile", bins)
    assert (cut_values.codes == expected).all()
    assert cut_values.cuts == pytest.approx(edges[1:-1], rel=1e-14)


def test_quantile_bins_with_ties_are_those_of_pandas() -> None:
    values = np.random.default_rng(1).poisson(6, 300).astype(float)
    expected = pandas.qcut(values, 10, labels=False, duplicates="drop")
    assert expected.max() < 9
    assert (cut(values, "quantile", 10).codes == expected).all()


def test_the_smallest_value_is_a_bin_when_a_quantile_falls_on_it() -> None:
    """Here pandas joins it with the next bin, and leaves but one of [0, 0, 0, 5]."""
    values = np.random.default_rng(1).poisson(1.5, 300).astype(float)
    edges = np.unique(np.quantile(values, np.arange(1, 6) / 6))
    assert edges[0] == 0
    assert (cut(values, "quantile", 6).codes == np.searchsorted(edges, values)).all()


@pytest.mark.parametrize("bins", [2, 3, 5, 7])
@with_each("weight", [0.1, 0.3, 1 / 3, 1.1])
def test_quantile_bins_of_equal_weights_are_those_without(bins: int, weight: float) -> None:
    methods = discretisation_methods()
    for rows in range(20, 80):
        values = np.random.default_rng(rows).normal(size=rows)
        cut_values = cut_column(values, methods["quantile"], bins, (), weights=np.full(rows, weight))
        assert cut_values.cuts == pytest.approx(np.quantile(values, np.arange(1, bins) / bins), rel=1e-9)


@pytest.mark.parametrize("bins", [2, 3, 5, 10])
def test_equal_width_bins_are_those_of_pandas(bins: int) -> None:
    values = np.random.default_rng(bins).uniform(-3, 9, 400)
    cut_values = cut(values, "width", bins)
    assert (cut_values.codes == pandas.cut(values, bins, labels=False)).all()
    # pandas stretches the range by a thousandth; scikit-learn gives the edges as they are
    sklearn_preprocessing = pytest.importorskip("sklearn.preprocessing")
    edges = sklearn_preprocessing.KBinsDiscretizer(
        bins, encode="ordinal", strategy="uniform", subsample=None
    ).fit(values[:, None])
    assert cut_values.cuts == pytest.approx(edges.bin_edges_[0][1:-1], rel=1e-13)


@pytest.mark.parametrize("rows", [10, 11, 500])
def test_median_and_mean_split_where_numpy_says(rows: int) -> None:
    values = np.random.default_rng(rows).lognormal(size=rows)
    assert cut(values, "median").cuts == pytest.approx([np.median(values)], rel=1e-15)
    assert cut(values, "mean").cuts == pytest.approx([np.mean(values)], rel=1e-14)
    assert (cut(values, "median").codes == cut(values, "quantile").codes).all()


@given(ANY_COLUMN, st.sampled_from(UNSUPERVISED), st.integers(2, 6))
def test_no_bin_is_empty_and_none_torn(values: np.ndarray, method: str, bins: int) -> None:
    cut_values = cut(values, method, bins)
    distinct = np.unique(values)
    assert np.bincount(cut_values.codes, minlength=len(cut_values.levels)).min() > 0
    assert len(cut_values.levels) == len(set(cut_values.levels)) == len(cut_values.cuts) + 1
    assert min(len(distinct), 2) <= len(cut_values.levels) <= max(bins, 2)
    # order is kept, equal values stay together, and a value equal to a cut lies below it
    order = np.argsort(values, kind="stable")
    assert (np.diff(cut_values.codes[order]) >= 0).all()
    assert len(np.unique(np.stack([values + 0.0, cut_values.codes]), axis=1).T) == len(distinct)
    assert (cut_values.codes == (values[:, None] > cut_values.cuts).sum(axis=1)).all()


@given(ANY_COLUMN, st.sampled_from(["mdl", "mdl-joint"]), st.randoms())
def test_no_bin_is_empty_under_mdl(values: np.ndarray, method: str, random: object) -> None:
    classes = (np.array([random.randrange(3) for _ in values]),)  # type: ignore[attr-defined]
    cut_values = cut(values, method, 2, classes)
    assert np.bincount(cut_values.codes, minlength=len(cut_values.levels)).min() > 0
    assert len(cut_values.levels) >= min(len(np.unique(values)), 2)


@given(ANY_COLUMN, st.sampled_from(UNSUPERVISED), st.integers(2, 6))
def test_level_names_are_true_for_every_row(values: np.ndarray, method: str, bins: int) -> None:
    cut_values = cut(values, method, bins)
    for value, code in zip(values, cut_values.codes, strict=True):
        name = cut_values.levels[code]
        if cut_values.by_value:
            assert float(name) == value or value == 0 == float(name)
        elif name.startswith("≤"):
            assert value <= float(name[2:])
        elif name.startswith(">"):
            assert value > float(name[2:])
        else:
            low, high = name.split(" – ")
            assert float(low) < value <= float(high)


@given(ANY_COLUMN, st.sampled_from(UNSUPERVISED), st.data())
def test_the_order_of_the_rows_does_not_matter(values: np.ndarray, method: str, data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(range(len(values)))))
    first, second = cut(values, method, 3), cut(values[order], method, 3)
    assert first.cuts.tolist() == second.cuts.tolist()
    assert (first.codes[order] == second.codes).all()


@pytest.mark.parametrize(
    ("values", "levels", "counts"),
    [
        ([0.0] * 90 + [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10], ("≤ 0", "> 0"), [90, 10]),
        ([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10] + [100.0] * 90, ("≤ 10", "> 10"), [10, 90]),
        ([-1.0, 0, 0, 0, 0, 0, 0, 0, 0, 1], ("≤ 0", "> 0"), [9, 1]),
        ([1.0, 1, 1, 2, 2, 3], ("≤ 1.5", "> 1.5"), [3, 3]),
        ([0.0, 1, 1, 0], ("0", "1"), [2, 2]),
        ([0.25, 0.25, 7], ("0.25", "7"), [2, 1]),
        ([4.0, 4.0], ("4",), [2]),
    ],
)
@pytest.mark.parametrize("method", ["quantile", "median"])
def test_ties(values: list[float], levels: tuple[str, ...], counts: list[int], method: str) -> None:
    cut_values = cut(values, method)
    assert cut_values.levels == levels
    assert np.bincount(cut_values.codes).tolist() == counts


def test_a_column_of_values_near_the_largest_float_is_still_split() -> None:
    values = np.array([-1.7e308, -1.6e308, 1.6e308, 1.7e308, 1.75e308])
    for method in UNSUPERVISED:
        assert len(cut(values, method).levels) == 2


def test_missing_values_are_a_level_of_their_own() -> None:
    cut_values = cut([1, np.nan, 3, 5, np.nan, 9], "median")
    assert cut_values.levels == ("≤ 4", "> 4", "missing")
    assert cut_values.codes.tolist() == [0, 2, 0, 1, 2, 1]


def test_missing_values_play_no_part_in_mdl() -> None:
    values = np.concatenate([np.arange(40.0), np.full(40, np.nan)])
    classes = np.concatenate([np.repeat([0, 1], 20), np.tile([1, 0], 20)])
    cut_values = cut(values, "mdl", 2, (classes,))
    assert cut_values.levels == ("≤ 19.5", "> 19.5", "missing")


def test_mdl_takes_the_cuts_of_every_label() -> None:
    values = np.arange(60.0)
    first, second = (values >= 20).astype(int), (values >= 40).astype(int)
    assert cut(values, "mdl", 2, (first, second)).cuts.tolist() == [19.5, 39.5]
    assert cut(values, "mdl", 2, (first, first)).cuts.tolist() == [19.5]


def test_mdl_without_a_cut_that_pays_splits_at_the_median() -> None:
    values = np.arange(50.0)
    cut_values = cut(values, "mdl", 2, (np.tile([0, 1], 25),))
    assert cut_values.by_median
    assert cut_values.levels == ("≤ 24.5", "> 24.5")


def test_separating_cuts_ignore_what_is_no_number() -> None:
    cuts = np.array([np.nan, np.inf, -np.inf, 1.5])
    assert separating_cuts(cuts, np.array([1.0, 2.0])).tolist() == [1.5]


@pytest.mark.parametrize(
    ("cuts", "values", "names"),
    [
        ([2.45], [1.9, 3.0], ("≤ 2.45", "> 2.45")),
        ([0.123456789], [0.1, 0.2], ("≤ 0.123", "> 0.123")),
        ([0.123456789], [0.12345, 0.12346], ("≤ 0.123457", "> 0.123457")),
        ([1234567.5], [1234567, 1234568], ("≤ 1234567.5", "> 1234567.5")),
        ([1234567.5], [1e6, 2e6], ("≤ 1230000", "> 1230000")),
        ([-0.5, 0], [-1, -0.2, 3], ("≤ -0.5", "-0.5 – 0", "> 0")),
        ([1e-9], [0, 2e-9], ("≤ 1e-09", "> 1e-09")),
        ([-0.0], [-1, 1], ("≤ 0", "> 0")),
    ],
)
def test_bin_names(cuts: list[float], values: list[float], names: tuple[str, ...]) -> None:
    assert bin_names(np.array(cuts), np.array(values, dtype=float)) == names


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_in_full_reads_back_as_itself(value: float) -> None:
    assert float(number_text(value)) == value


def test_every_method_says_what_it_is_and_is_offered_once() -> None:
    names = [choice.value for choice in discretisation_choices()]
    assert len(names) == len(set(names))
    assert set(names) == {"quantile", "median", "mean", "width", "mdl", "mdl-joint", "none"}
    for method in discretisation_methods().values():
        assert method.title and method.help.endswith(".") and method.source
