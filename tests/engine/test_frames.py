"""From pandas to a dataset and back."""

from __future__ import annotations

import datetime
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.errors import InvalidData, InvalidParameter
from engine.table.dataset import Dataset
from engine.table.frames import column_from_series
from engine.table.variable import Kind, Variable
from engine.terminal import main


def typed(values: Any, **options: Any) -> tuple[Variable, list[Any]]:
    column_read = column_from_series("x", pandas.Series(values, **options))
    return column_read.variable, column_read.column.tolist()


@pytest.mark.parametrize(
    "series",
    [
        pandas.Series([1.5, 2.5, np.nan, 4.0]),
        pandas.Series([1.5, 2.5, None, 4.0], dtype="float32"),
        pandas.Series([15, 25, None, 40], dtype="Int64") / 10,
        pandas.Series([1.5, 2.5, None, 4], dtype=object),
        pandas.Series([Decimal("1.5"), Decimal("2.5"), None, Decimal(4)], dtype=object),
    ],
    ids=["float64", "float32", "nullable", "objects", "decimals"],
)
def test_numbers_of_any_type_are_continuous(series: pandas.Series) -> None:
    column_read = column_from_series("x", series)
    assert column_read.variable == Variable("x", Kind.CONTINUOUS)
    assert column_read.column.dtype == np.float64
    np.testing.assert_array_equal(column_read.column, [1.5, 2.5, np.nan, 4.0])


@pytest.mark.parametrize(
    ("values", "levels", "codes"),
    [
        ([1, 0, 1], ("0", "1"), [1, 0, 1]),
        ([1.0, -1.0, np.nan], ("-1", "1"), [1, 0, -1]),
        ([0.5, 2.0], ("0.5", "2"), [0, 1]),
        ([True, False, True], ("False", "True"), [1, 0, 1]),
        ([True, None, False], ("False", "True"), [1, -1, 0]),
        (["b", "a", None], ("a", "b"), [1, 0, -1]),
        (["10", "9", "x", "nan", "inf"], ("9", "10", "inf", "nan", "x"), [1, 0, 4, 3, 2]),
        ([1, "1", 1.0, "a"], ("1", "a"), [0, 0, 0, 1]),
        ([7, 7, 7], ("7",), [0, 0, 0]),
        ([None, None], (), [-1, -1]),
        ([np.nan, np.nan], (), [-1, -1]),
        ([], (), []),
        (["", " ", "é"], ("", " ", "é"), [0, 1, 2]),
    ],
)
def test_categories(values: list[Any], levels: tuple[str, ...], codes: list[int]) -> None:
    variable, column = typed(values, dtype=object if not values else None)
    assert variable.kind is Kind.NOMINAL
    assert (variable.levels, column) == (levels, codes)


@pytest.mark.parametrize(
    ("dtype", "absent"),
    [("int64", 5), ("Int64", None), (object, None), (object, np.nan)],
    ids=["whole", "nullable", "objects", "objects and nan"],
)
def test_long_identifiers_stay_apart(dtype: Any, absent: Any) -> None:
    """Of neighbours beyond 2**53 a float64 makes one number, and of their patients one group."""
    longs = [2**53 + 1, 2**53, -(2**53) - 1, absent]
    frame = pandas.DataFrame({"patient": pandas.Series(longs, dtype=dtype), "dose": [1.5, 2.5, 3.5, 4.0]})
    dataset = Dataset.from_frame(frame)
    levels = (*dataset.variable("patient").levels, None)
    expected = [*map(str, longs[:-1]), "5" if absent == 5 else None]
    assert [levels[code] for code in dataset.column("patient")] == expected
    assert [(note.topic, note.variable) for note in dataset.notes] == [("digit-codes", "patient")]
    whole = Dataset.from_frame(frame.dropna(), groups="patient")
    assert len(np.unique(whole.row_groups)) == whole.row_count


def test_whole_numbers_up_to_the_longest_exact_one_are_numbers() -> None:
    assert typed([2**53, 4, 7, 9])[0].kind is Kind.CONTINUOUS
    assert typed([None, None], dtype="Int64")[0].levels == ()


def test_levels_do_not_depend_on_the_order_of_the_rows() -> None:
    assert typed(["1", "1.0", "01"])[0] == typed(["01", "1", "1.0"])[0]


def test_pandas_categories_keep_their_order_and_unused_levels() -> None:
    series = pandas.Series(pandas.Categorical(["low", None, "high"], ["low", "middle", "high"], ordered=True))
    column_read = column_from_series("x", series)
    assert column_read.variable.levels == ("low", "middle", "high")
    assert column_read.variable.ordered
    assert column_read.column.tolist() == [0, -1, 2]


@pytest.mark.parametrize(
    "values",
    [
        pandas.to_datetime(["2024-01-01", "2024-01-02"]),
        pandas.to_datetime(["2024-01-01", "2024-01-02"]).tz_localize("UTC"),
        pandas.to_timedelta([1, 2], unit="D"),
        pandas.period_range("2024-01", periods=2, freq="M"),
        [datetime.date(2024, 1, 1), None],
        [datetime.datetime(2024, 1, 1), None],
        [datetime.time(9), datetime.time(10)],
    ],
)
def test_dates_and_times_are_refused_with_the_remedy(values: Any) -> None:
    with pytest.raises(InvalidData, match=r"column 'x': dates and times .* days since a start"):
        typed(values)


def test_complex_numbers_are_refused() -> None:
    with pytest.raises(InvalidData, match="column 'x': complex numbers"):
        typed([1 + 2j, 3j])


@pytest.mark.parametrize("values", [[[1], [2], None], [{"a": 1}, {}], [np.array([1, 2]), np.array([1])]])
def test_values_made_of_parts_are_refused(values: list[Any]) -> None:
    with pytest.raises(InvalidData, match="column 'x': it holds values that are made of parts") as caught:
        typed(pandas.Series(values, dtype=object))
    assert caught.value.remedy


@pytest.mark.parametrize("given", [np.eye(3), {"x": [1, 2]}, [[1, 2]], None, pandas.Series([1], name="x")])
def test_what_is_no_frame_is_answered_with_how_to_make_one(given: Any) -> None:
    with pytest.raises(InvalidParameter, match=r"Make one with `pandas\.DataFrame`"):
        Dataset.from_frame(given)


@pytest.mark.parametrize("labels", [None, 3])
def test_labels_that_are_no_names_are_answered_with_a_list_of_names(labels: Any) -> None:
    with pytest.raises(InvalidParameter, match="Use a list of names"):
        Dataset.from_frame(pandas.DataFrame({"ill": [0, 1]}), labels=labels)


def test_names_that_repeat_are_refused() -> None:
    frame = pandas.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])
    with pytest.raises(InvalidData, match="column 'a': two columns have this name"):
        Dataset.from_frame(frame)
    with pytest.raises(InvalidData, match="column '1': two columns have this name"):
        Dataset.from_frame(pandas.DataFrame([[1, 2]], columns=[1, "1"]))


def test_the_row_index_is_ignored() -> None:
    frame = pandas.DataFrame({"x": [1.0, 2.0, 3.0]}, index=["c", "a", "b"])
    assert Dataset.from_frame(frame).column("x").tolist() == [1.0, 2.0, 3.0]


def test_a_label_that_is_no_column_is_answered_with_the_nearest() -> None:
    with pytest.raises(InvalidParameter, match=r"no column is named 'il'\. Did you mean 'ill'\?"):
        Dataset.from_frame(pandas.DataFrame({"ill": [0, 1]}), labels=["il"])


def test_a_frame_that_changes_later_changes_nothing() -> None:
    frame = pandas.DataFrame({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]})
    dataset = Dataset.from_frame(frame)
    before = dataset.content_hash
    frame.loc[0, "x"] = 99.0
    frame.loc[0, "y"] = "b"
    assert dataset.column("x")[0] == 1.0
    assert Dataset(dataset.variables, dataset.columns).content_hash == before


def test_the_frame_of_a_dataset_is_what_a_person_would_expect() -> None:
    frame = pandas.DataFrame({"x": [0.5, np.nan, 2.0, 7.0], "y": ["b", None, "a", "b"]})
    back = Dataset.from_frame(frame).frame
    assert back["x"].dtype == np.float64
    assert list(back["y"].cat.categories) == ["a", "b"]
    assert back["y"].tolist()[2:] == ["a", "b"] and pandas.isna(back["y"][1])
    np.testing.assert_array_equal(back["x"], frame["x"])


NUMBERS = st.one_of(st.just(np.nan), st.floats(allow_nan=False, allow_infinity=False))
TEXTS = st.one_of(st.none(), st.text("ab1. é\t", max_size=4))


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    rows = draw(st.integers(1, 12))
    kinds = draw(st.lists(st.sampled_from(["number", "text", "category", "flag"]), min_size=1, max_size=5))
    data: dict[str, Any] = {}
    for place, kind in enumerate(kinds):
        if kind == "number":
            data[f"v{place}"] = draw(st.lists(NUMBERS, min_size=rows, max_size=rows))
        elif kind == "text":
            data[f"v{place}"] = draw(st.lists(TEXTS, min_size=rows, max_size=rows))
        elif kind == "flag":
            data[f"v{place}"] = draw(st.lists(st.booleans(), min_size=rows, max_size=rows))
        else:
            codes = draw(st.lists(st.integers(-1, 2), min_size=rows, max_size=rows))
            ordered = draw(st.booleans())
            data[f"v{place}"] = pandas.Categorical.from_codes(codes, ["p", "q", "r"], ordered=ordered)
    return Dataset.from_frame(pandas.DataFrame(data), labels=draw(st.sampled_from([[], ["v0"]])))


@given(datasets())
def test_round_trip(dataset: Dataset) -> None:
    back = Dataset.from_frame(dataset.frame, labels=dataset.labels)
    assert back.names == dataset.names
    for name in dataset.names:
        before, after = dataset.variable(name), back.variable(name)
        if before.kind is Kind.NOMINAL:
            assert after == before
            assert (back.column(name) == dataset.column(name)).all()
    if all(_has_three_values(dataset, name) for name in dataset.names):
        assert back.content_hash == dataset.content_hash


def _has_three_values(dataset: Dataset, name: str) -> bool:
    column = dataset.column(name)
    if dataset.variable(name).kind is Kind.NOMINAL:
        return True
    return len(np.unique(column[~np.isnan(column)])) > 2


def test_lists_of_arrow_and_intervals_are_refused_with_what_to_do() -> None:
    lists = pandas.Series([[1, 2]] * 9, dtype=pandas.ArrowDtype(pyarrow.list_(pyarrow.int64())))
    for column, message in ((lists, "made of parts"), (pandas.interval_range(0, 9), "intervals cannot")):
        with pytest.raises(InvalidData, match=message) as caught:
            Dataset.from_frame(pandas.DataFrame({"x": column}))
        assert caught.value.remedy


VISITS = pandas.DataFrame(
    {
        "patient_id": [4711 + row // 6 for row in range(480)],
        "age": [20 + row * row % 61 for row in range(480)],
        "ill": [0, 1] * 240,
    }
)


def test_an_identifier_that_repeats_warns_once_and_changes_nothing() -> None:
    with pytest.warns(engine.DataWarning) as warned:
        dataset = engine.Dataset.from_frame(VISITS, ["ill"])
    assert [str(warning.message) for warning in warned] == [
        "'patient_id' has 80 different values in 480 rows, as an identifier, and is a feature. If rows with "
        "one value belong together, set groups='patient_id'. Otherwise, leave the column out."
    ]
    assert warned[0].filename == __file__
    assert dataset.features == ("patient_id", "age") and dataset.groups is None


def test_who_says_what_an_identifier_is_for_is_not_warned(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    VISITS.to_csv(path, index=False)
    with pytest.warns(engine.DataWarning):
        unanswered = engine.Dataset.from_frame(VISITS, ["ill"])
    with warnings.catch_warnings(action="error"):
        engine.Dataset.from_frame(VISITS, ["ill"], groups="patient_id")
        engine.Dataset.from_frame(VISITS, ["ill", "patient_id"])
        engine.Dataset.from_frame(VISITS.drop(columns="patient_id"), ["ill"])
        engine.prepare(unanswered)
        engine.read_dataset(path, labels=["ill"], groups="patient_id")
        assert main(["inspect", str(path), "--labels", "ill"]) == 0
