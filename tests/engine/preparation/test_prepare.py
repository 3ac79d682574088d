"""The whole way from a table as read to a table that can be analysed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.errors import Cancelled, InvalidData, InvalidParameter
from engine.parameters import parameters_of
from engine.preparation import FEWEST_ROWS, PreparationSettings, prepare
from engine.preparation.prepare import prepared_for_measuring
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, missing_mask
from tests.examples import examples
from tests.progress_watcher import ProgressWatcher

ROWS = 60


def table(labels: tuple[str, ...] = ("ill",), rows: int = ROWS, **columns: Any) -> Dataset:
    """A small table with one number, one category and one label, and what is given."""
    generator = np.random.default_rng(0)
    data = {
        "age": np.round(generator.normal(50, 10, rows), 1),
        "sex": generator.choice(["f", "m"], rows),
        "ill": np.where(np.arange(rows) % 3 == 0, "yes", "no"),
        **columns,
    }
    return Dataset.from_frame(pandas.DataFrame(data), labels=labels, name="patients")


def with_gaps(values: Any, places: list[int]) -> list[Any]:
    filled = list(values)
    for place in places:
        filled[place] = None
    return filled


def topics(dataset: Dataset) -> list[str]:
    return [note.topic for note in dataset.notes]


def message(dataset: Dataset, topic: str) -> str:
    (text,) = [note.message for note in dataset.notes if note.topic == topic]
    return text


def test_the_public_name_and_its_defaults() -> None:
    dataset = table(dose=with_gaps(np.arange(ROWS) / 7, [3]))
    prepared = engine.prepare(dataset)
    assert (
        prepared.content_hash == engine.prepare(dataset, discretise="none", missing="per-test").content_hash
    )
    assert prepared.content_hash == dataset.content_hash
    assert prepared.variable("age").kind is Kind.CONTINUOUS and prepared.missing_count("dose") == 1
    cut = engine.prepare(table(), discretise="quantile", bins=2, missing="drop-rows")
    assert cut.variable("age").ordered
    assert np.bincount(cut.column("age")).tolist() == [30, 30]


def test_nothing_is_done_to_a_table_that_is_ready() -> None:
    once = prepare(table())
    twice = prepare(once)
    assert twice.content_hash == once.content_hash
    assert twice.notes == once.notes


def test_settings_and_changes_go_together() -> None:
    settings = PreparationSettings(discretise="quantile", bins=4)
    assert prepare(table(), settings).variable("age").level_count == 4
    assert prepare(table(), settings, bins=3).variable("age").level_count == 3


def test_an_unknown_setting_is_named_with_the_nearest() -> None:
    with pytest.raises(InvalidParameter, match=r"setting 'discretize'.*'discretise'"):
        prepare(table(), discretize="mdl")
    with pytest.raises(InvalidParameter, match=r"setting 'missing'.*drop-rows"):
        prepare(table(), missing="drop")


def test_what_goes_in_stays_as_it_was() -> None:
    dataset = table(dose=with_gaps(np.arange(ROWS) * 0.1, [3]), same=["x"] * ROWS)
    before = dataset.content_hash
    prepare(dataset, missing="most-frequent", discretise="mdl")
    assert dataset.content_hash == before
    assert dataset.notes == ()


# --- what is set aside ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "topic", "sentence"),
    [
        (np.arange(1, ROWS + 1), "identifier", "'x' numbers the rows and was set aside."),
        (np.arange(ROWS)[::-1] * 10 + 7, "identifier", "'x' numbers the rows and was set aside."),
        (
            np.random.default_rng(1).permutation(ROWS) + 1000,
            "identifier",
            "another whole number in every row",
        ),
        ([f"P{place:03}" for place in range(ROWS)], "identifier", "'x' differs in every row"),
        (
            [f"P{place}" for place in range(ROWS - 3)] + ["P0"] * 3,
            "identifier",
            "57 different texts in 60 rows",
        ),
        (
            [f"town {place % 25}" for place in range(ROWS)],
            "many-levels",
            "'x' has 25 categories, more than 20",
        ),
        (["a"] * ROWS, "constant", "'x' has the same value in every row"),
        ([4.5] * ROWS, "constant", "'x' has the same value in every row"),
        ([None] * ROWS, "empty", "'x' is empty in every row"),
        (with_gaps([1.5] * ROWS, [0]), "constant", "'x' has only one value besides missing values"),
        (with_gaps(np.arange(ROWS) / 7, list(range(35))), "many-missing", "'x' is empty in 35 of 60 rows"),
    ],
)
def test_useless_features_are_set_aside_with_a_word(column: Any, topic: str, sentence: str) -> None:
    prepared = prepare(table(x=column))
    assert prepared.ignored == ("x",)
    assert prepared.features == ("age", "sex")
    assert prepared.row_count == ROWS
    assert sentence in message(prepared, topic)
    assert [note.variable for note in prepared.notes if note.topic == topic] == ["x"]


@pytest.mark.parametrize(
    "column",
    [
        np.random.default_rng(2).permutation(ROWS * 3)[:ROWS],  # different whole numbers, but any
        np.random.default_rng(3).normal(size=ROWS),
        np.sort(np.random.default_rng(3).normal(size=ROWS)),
        [f"town {place % 20}" for place in range(ROWS)],
        np.arange(ROWS) // 2,
        np.cumsum(np.arange(ROWS) % 4 + 1),  # sorted by what was measured
    ],
)
def test_ordinary_features_stay(column: Any) -> None:
    assert "x" in prepare(table(x=column)).features


def test_names_of_rows_without_a_name_are_set_aside_though_some_rows_are_gone(tmp_path: Path) -> None:
    frame = table().frame
    frame.index = pandas.Index(np.cumsum(np.arange(ROWS) % 4 + 1))
    frame.to_csv(tmp_path / "table.csv")
    prepared = prepare(engine.read_dataset(tmp_path / "table.csv", ["ill"]))
    assert len(prepared.ignored) == 1 and prepared.ignored[0] not in frame


@pytest.mark.parametrize(
    "name", ["id", "ID", "patient_id", "PatientID", "Case Nr", "row", "idx", "subject.id"]
)
def test_a_name_that_says_identifier_decides_for_different_whole_numbers(name: str) -> None:
    numbers = np.random.default_rng(2).permutation(ROWS * 3)[:ROWS]
    assert prepare(table(**{name: numbers})).ignored == (name,)


@pytest.mark.parametrize(
    "name", ["piano", "covid", "fluid", "casino", "arrow", "body mass index", "cell_number"]
)
def test_a_name_that_only_ends_alike_does_not(name: str) -> None:
    numbers = np.random.default_rng(2).permutation(ROWS * 3)[:ROWS]
    assert name in prepare(table(**{name: numbers})).features


def test_exact_copies_stay() -> None:
    dataset = table()
    prepared = prepare(table(age2=dataset.frame["age"], sex2=dataset.frame["sex"]))
    assert prepared.ignored == ()
    assert (prepared.column("age") == prepared.column("age2")).all()


def test_guesses_can_be_switched_off_but_not_constants() -> None:
    dataset = table(
        number=np.arange(ROWS), town=[f"t{place % 30}" for place in range(ROWS)], same=["x"] * ROWS
    )
    prepared = prepare(dataset, set_aside=False)
    assert prepared.ignored == ("same",)
    assert prepared.variable("town").level_count == 30


def test_many_notes_of_a_kind_become_one() -> None:
    prepared = prepare(table(**{f"same{place}": ["x"] * ROWS for place in range(7)}))
    assert topics(prepared) == ["constant"]
    assert message(prepared, "constant") == (
        "7 features have the same value in every row and were set aside: "
        "'same0', 'same1', 'same2' and 4 more."
    )


def test_what_is_ignored_is_left_alone() -> None:
    dataset = table(x=with_gaps(np.arange(ROWS) / 7, [1, 2])).with_roles({"x": Role.IGNORED})
    prepared = prepare(dataset)
    assert prepared.row_count == ROWS
    assert prepared.variable("x").kind is Kind.CONTINUOUS
    assert np.isnan(prepared.column("x")).sum() == 2


def test_categories_that_no_row_has_are_forgotten() -> None:
    colours = pandas.Categorical(["red", "blue"] * (ROWS // 2), categories=["green", "red", "white", "blue"])
    prepared = prepare(table(colour=colours))
    assert prepared.variable("colour").levels == ("red", "blue")
    assert prepared.frame["colour"].tolist() == list(colours)
    assert "any of the categories 'green' and 'white' of 'colour'" in message(prepared, "unused-levels")


# --- labels and features that are needed ------------------------------------------------------------------


def test_a_label_is_needed() -> None:
    with pytest.raises(InvalidData, match="Choose at least one"):
        prepare(table(labels=()))


@pytest.mark.parametrize("discretise", ["quantile", "mdl", "none"])
def test_a_label_with_one_value_is_named(discretise: str) -> None:
    dataset = table(labels=("ill", "dead"), dead=["no"] * ROWS)
    with pytest.raises(InvalidData, match=r"label 'dead': it has only the value 'no'\. Take it out"):
        prepare(dataset, discretise=discretise)
    prepared = prepare(dataset, constant_labels="set-aside", discretise=discretise)
    assert prepared.labels == ("ill",)
    assert "The label 'dead' has only the value 'no'" in message(prepared, "constant-label")


def test_an_empty_label_is_named() -> None:
    with pytest.raises(InvalidData, match="label 'x': it is empty in every row"):
        prepare(table(labels=("ill", "x"), x=[None] * ROWS))


def test_several_constant_labels_are_named_together() -> None:
    names = tuple(f"l{place}" for place in range(6))
    dataset = table(labels=("ill", *names), **{name: [0] * ROWS for name in names})
    with pytest.raises(InvalidData, match=r"6 labels .*'l0', 'l1', 'l2' and 3 more\. Take them out"):
        prepare(dataset)


def test_labels_all_set_aside_is_an_error() -> None:
    with pytest.raises(InvalidData, match="no label is left"):
        prepare(table(labels=("x",), x=["a"] * ROWS), constant_labels="set-aside")


def test_a_label_that_loses_its_second_value_with_the_rows_left_out() -> None:
    ill = ["no"] * (ROWS - 2) + ["yes"] * 2
    dataset = table(ill=ill, dose=with_gaps(np.arange(ROWS) % 7 * 1.0, [ROWS - 2, ROWS - 1]))
    with pytest.raises(InvalidData, match=r"label 'ill': .*without missing values.*'most-frequent'"):
        prepare(dataset, missing="drop-rows")
    assert prepare(dataset, missing="most-frequent").labels == ("ill",)


def test_a_label_with_too_many_categories_is_named() -> None:
    with pytest.raises(InvalidData, match=r"label 'town': it has 25 categories, more than 20"):
        prepare(table(labels=("town",), town=[f"t{place % 25}" for place in range(ROWS)]))


def many(levels: int, rows: int, word: str = "town") -> list[str]:
    return [f"{word} {place % levels}" for place in range(rows)]


def wide(levels: int, rows: int, **columns: Any) -> Dataset:
    """Return a table with a column of many categories, and two columns that vary."""
    generator = np.random.default_rng(levels)
    drawn = {"ill": generator.choice(["no", "yes"], rows), "age": generator.normal(size=rows), **columns}
    return Dataset.from_frame(pandas.DataFrame(drawn), labels=["ill"])


@pytest.mark.parametrize(("levels", "rows"), [(21, 210), (40, 400), (100, 1000)])
def test_a_feature_of_many_categories_takes_part_where_rows_bear_it(levels: int, rows: int) -> None:
    prepared = prepare(wide(levels, rows, town=many(levels, rows)))
    assert "town" in prepared.features
    assert f"'town' has {levels} categories, with 10 rows per category" in message(
        prepared, "many-levels-searched"
    )
    assert "town" in prepare(wide(levels, rows - 1, town=many(levels, rows - 1))).ignored
    assert "town" in prepare(wide(levels, rows, town=many(levels, rows)), rows_per_level=11).ignored


def test_more_than_a_hundred_categories_take_no_part_whatever_the_rows() -> None:
    prepared = prepare(wide(101, 3030, town=many(101, 3030)))
    assert "'town' has 101 categories, more than 100" in message(prepared, "many-levels")
    assert "town" in prepare(wide(101, 3030, town=many(101, 3030)), max_levels=101).features


def test_a_label_of_many_categories_is_searched_where_rows_bear_it() -> None:
    dataset = wide(40, 400, town=many(40, 400)).with_labels(["ill", "town"])
    assert prepare(dataset).labels == ("ill", "town")
    with pytest.raises(
        InvalidData, match=r"label 'town': it has 40 categories, more than 20, with fewer than"
    ):
        prepare(dataset, rows_per_level=11)


def test_identifiers_stay_out_however_often_each_occurs() -> None:
    codes = many(40, 400, "P")
    assert prepare(wide(40, 400, patient_id=codes)).ignored == ("patient_id",)
    with pytest.raises(InvalidData, match=r"label 'patient_id': it has 40 categories, like an identifier"):
        prepare(wide(40, 400, patient_id=codes).with_labels(["patient_id"]))


def test_a_rare_label_is_told() -> None:
    prepared = prepare(table(labels=("ill", "rare"), rare=["yes"] * 3 + ["no"] * (ROWS - 3)))
    assert "differs from 'no' in only 3 of 60 rows" in message(prepared, "rare-label")


def test_a_feature_is_needed() -> None:
    frame = pandas.DataFrame({"ill": ["no", "yes"] * 10, "same": [1] * 20})
    with pytest.raises(InvalidData, match="no feature is left"):
        prepare(Dataset.from_frame(frame, labels=["ill"]))
    with pytest.raises(InvalidData, match="no feature is left"):
        prepare(Dataset.from_frame(frame[["ill"]], labels=["ill"]))
    named = frame.assign(patient=[f"p{row}" for row in range(20)])
    with pytest.raises(InvalidData, match=r"set aside: 'patient'.*'set_aside' to 'no'"):
        prepare(Dataset.from_frame(named, labels=["ill"]))


def test_too_few_rows_are_refused() -> None:
    few = table(rows=FEWEST_ROWS).select_rows(np.arange(FEWEST_ROWS - 1))
    with pytest.raises(InvalidData, match="patients: the table has 4 rows; at least 5"):
        prepare(few)
    assert prepare(table(rows=FEWEST_ROWS)).row_count == FEWEST_ROWS


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(InvalidData):
        prepare(Dataset((), ()))


# --- missing values ---------------------------------------------------------------------------------------


def test_rows_left_out_are_counted_and_blamed() -> None:
    dataset = table(
        dose=with_gaps(np.arange(ROWS) % 9 * 0.5, list(range(12))),
        town=with_gaps(["a", "b"] * (ROWS // 2), [0, 20]),
    )
    prepared = prepare(dataset, missing="drop-rows")
    assert prepared.row_count == ROWS - 13
    assert not prepared.has_missing
    assert message(prepared, "rows-dropped") == (
        "13 rows of 60 had a missing value and were left out, so 47 stay. Most missing values are "
        "in 'dose' (12) and 'town' (2). Without 'dose', 11 rows would come back."
    )
    aside = prepare(dataset.with_roles({"dose": Role.IGNORED}), missing="drop-rows")
    assert aside.row_count - prepared.row_count == 11


def test_a_single_column_to_blame() -> None:
    prepared = prepare(table(town=with_gaps(["a", "b"] * (ROWS // 2), [4])), missing="drop-rows")
    assert message(prepared, "rows-dropped") == (
        "1 row of 60 had a missing value and was left out, so 59 stay. The missing values are all in 'town'."
    )


def test_hardly_any_complete_row_names_columns_and_the_other_ways() -> None:
    half = ROWS // 2
    dataset = table(
        a=with_gaps(np.arange(ROWS) / 7, list(range(half))),
        b=with_gaps(np.arange(ROWS) / 7, list(range(half, ROWS - 1))),
    )
    with pytest.raises(InvalidData, match=r"only 1 of 60 rows has .*'a' \(30\) and 'b' \(29\).*'own-level'"):
        prepare(dataset, missing="drop-rows")


def test_features_made_constant_by_leaving_out_rows_are_set_aside() -> None:
    measured = ["yes"] * (ROWS - 6) + ["no"] * 6
    dataset = table(measured=measured, dose=with_gaps(np.arange(ROWS) / 7, list(range(54, ROWS))))
    prepared = prepare(dataset, missing="drop-rows")
    assert prepared.ignored == ("measured",)
    assert (
        message(prepared, "constant") == "'measured' has one value in the rows that stayed and was set aside."
    )


def test_by_default_every_row_stays_and_what_that_assumes_is_said() -> None:
    dataset = table(
        dose=with_gaps(np.arange(ROWS) % 9 * 0.5, list(range(12))),
        town=with_gaps(["a", "b"] * (ROWS // 2), [0, 20]),
    )
    prepared = prepare(dataset)
    assert prepared.row_count == ROWS
    assert (prepared.missing_count("dose"), prepared.missing_count("town")) == (12, 2)
    assert message(prepared, "per-test") == (
        "2 columns have missing values: 'dose' (12) and 'town' (2). Each test leaves out only the "
        "rows with missing values in its own variables, so tests use 47 to 60 rows. This is valid "
        "if missingness does not depend on the variables tested."
    )


def test_filling_in_takes_the_most_frequent_category_and_the_median() -> None:
    town = with_gaps(["b", "b", "a"] * (ROWS // 3), [0, 2])
    dose = with_gaps([float(place**2) for place in range(ROWS)], [5, 50])
    prepared = prepare(table(town=town, dose=dose), missing="most-frequent", discretise="none")
    assert prepared.row_count == ROWS
    frame = prepared.frame
    assert frame["town"][0] == frame["town"][2] == "b"
    expected = float(np.median([value for value in dose if value is not None]))
    assert frame["dose"][5] == frame["dose"][50] == expected
    assert message(prepared, "filled-in").startswith("4 missing values in 2 columns were filled in")


@pytest.mark.parametrize("method", ["quantile", "median", "mean", "width", "mdl", "mdl-joint"])
def test_missing_becomes_a_level(method: str) -> None:
    town = with_gaps(["missing", "b"] * (ROWS // 2), [0])
    dose = with_gaps(np.arange(ROWS) / 7, [5, 50])
    prepared = prepare(table(town=town, dose=dose), missing="own-level", discretise=method)
    assert prepared.variable("town").levels == ("b", "missing", "missing (2)")
    assert prepared.variable("dose").levels[-1] == "missing"
    assert not prepared.variable("dose").ordered
    assert np.flatnonzero(prepared.frame["dose"] == "missing").tolist() == [5, 50]


def test_present_or_missing_is_a_difference_under_own_level() -> None:
    prepared = prepare(
        table(x=with_gaps([3.5] * ROWS, [0, 1]), y=with_gaps(["k"] * ROWS, [2])), missing="own-level"
    )
    assert prepared.variable("x").levels == ("3.5", "missing")
    assert prepared.variable("y").levels == ("k", "missing")


def test_missing_labels_are_told() -> None:
    ill = with_gaps(["no", "yes"] * (ROWS // 2), [0])
    assert "'ill'" in message(prepare(table(ill=ill), missing="most-frequent"), "label-missing")
    prepared = prepare(table(ill=ill), missing="own-level")
    assert prepared.variable("ill").levels == ("no", "yes", "missing")
    assert "'ill'" in message(prepared, "label-missing")


def test_ticks_as_labels_are_measured_with_missing_as_an_outcome() -> None:
    dataset = table(ill=with_gaps(["x"] * ROWS, range(0, ROWS, 3)), dose=np.arange(ROWS) / 7)
    settings = PreparationSettings(missing="own-level", discretise="quantile")
    measured = prepared_for_measuring(dataset, prepare(dataset, settings), settings)
    assert measured.labels == ("ill",) and measured.variable("ill").levels == ("x", "missing")
    assert measured.variable("dose").kind is Kind.CONTINUOUS


def test_a_number_that_stays_a_number_has_no_category_for_missing() -> None:
    dataset = table(dose=with_gaps(np.arange(ROWS) / 7, [5]))
    with pytest.raises(InvalidData, match=r"column 'dose'.*'most-frequent' or 'drop-rows'"):
        prepare(dataset, missing="own-level", discretise="none")


# --- numbers into categories ------------------------------------------------------------------------------


def test_left_continuous() -> None:
    dataset = table(dose=np.arange(ROWS) / 7)
    prepared = prepare(dataset, discretise="none")
    assert prepared.column("dose").dtype == np.float64
    assert (prepared.column("dose") == dataset.column("dose")).all()
    assert prepared.variable("ill").kind is Kind.NOMINAL


def test_continuous_labels_are_cut_and_told() -> None:
    dataset = table(labels=("score", "ill"), score=np.arange(ROWS) % 11 * 1.0)
    assert "about as many rows each: ≤ 3, 3 – 6.33, > 6.33." in message(
        prepare(dataset, discretise="quantile", bins=3), "discretised-label"
    )
    guided = prepare(dataset, discretise="mdl")
    assert guided.variable("score").levels == ("≤ 4.5", "> 4.5")
    assert "a label cannot guide its own cuts" in message(guided, "discretised-label")


def test_labels_with_few_values_raise_a_doubt() -> None:
    dataset = table(labels=("score",), score=np.arange(ROWS) % 6)
    halved = prepare(dataset, discretise="quantile")
    assert "If its 6 values stand for categories" in message(halved, "discretised-label")
    assert "each of its values is a category: 0, 1, 2, 3, 4, 5." in message(
        prepare(dataset, discretise="width", bins=6), "discretised-label"
    )


def test_mdl_without_cuts_is_told() -> None:
    prepared = prepare(table(), discretise="mdl")
    assert prepared.variable("age").level_count == 2
    assert "1 numeric feature, no cut has enough information about the labels" in message(
        prepared, "median-fallback"
    )


def test_progress_is_told_and_stopping_stops() -> None:
    dataset = table(**{f"x{place}": np.random.default_rng(place).normal(size=ROWS) for place in range(5)})
    watcher = ProgressWatcher(stop_after=100)
    prepare(dataset, discretise="quantile", progress=watcher)
    assert [event.done for event in watcher.events] == list(range(6))
    with pytest.raises(Cancelled):
        prepare(dataset, discretise="quantile", progress=ProgressWatcher(stop_after=2))


# --- what holds for any table -----------------------------------------------------------------------------

CELLS = {
    "number": st.one_of(st.none(), st.floats(-5, 5), st.integers(0, 3)),
    "category": st.one_of(st.none(), st.sampled_from(["a", "b", "c"])),
}


@st.composite
def tables(draw: st.DrawFn) -> Dataset:
    rows = draw(st.integers(5, 30))
    kinds = draw(st.lists(st.sampled_from(["number", "category"]), min_size=2, max_size=6))
    data = {
        f"v{place}": pandas.Series(
            draw(st.lists(CELLS[kind], min_size=rows, max_size=rows)),
            dtype="float64" if kind == "number" else "object",
        )
        for place, kind in enumerate(kinds)
    }
    return Dataset.from_frame(pandas.DataFrame(data), labels=["v0"])


@examples(200)
@given(
    tables(),
    st.sampled_from([choice.value for choice in parameters_of(PreparationSettings)[0].choices]),
    st.sampled_from(["drop-rows", "per-test", "most-frequent", "own-level"]),
    st.integers(2, 5),
)
def test_a_prepared_table_is_ready_or_the_error_says_why(
    dataset: Dataset, discretise: str, missing: str, bins: int
) -> None:
    try:
        prepared = prepare(dataset, discretise=discretise, missing=missing, bins=bins)
    except InvalidData as error:
        assert error.problem
        return
    assert prepared.names == dataset.names
    for name in (*prepared.labels, *prepared.features):
        variable, column = prepared.variable(name), prepared.column(name)
        empty = missing_mask(variable, column)
        if missing == "per-test":
            place = dataset.index(name)
            assert np.array_equal(empty, missing_mask(dataset.variables[place], dataset.columns[place]))
        else:
            assert not empty.any()
        assert len(np.unique(column[~empty])) >= 2
        if variable.kind is Kind.NOMINAL:
            assert np.bincount(column[~empty], minlength=variable.level_count).min() > 0
        else:
            assert discretise == "none"
    again = prepare(dataset, discretise=discretise, missing=missing, bins=bins)
    assert again.content_hash == prepared.content_hash
    assert again.notes == prepared.notes


def test_gaps_are_judged_among_the_rows_that_have_labels() -> None:
    rows = np.arange(90)
    has_label = rows < 30
    frame = pandas.DataFrame(
        {
            "stress": np.where(has_label, rows % 7 + rows / 100, np.nan),
            "crp": np.where(has_label & (rows > 2), np.nan, rows / 7),
            "ill": np.where(has_label, rows % 2, np.nan),
        }
    )
    prepared = prepare(Dataset.from_frame(frame, ["ill"]), max_missing=0.5)
    assert prepared.features == ("stress",)
    assert "'crp' is empty in 27 of 30 rows with a label and was set aside." in prepared.notes[0].message


def test_an_empty_column_is_told_once(tmp_path: Path) -> None:
    lines = ["age,empty,ill", *(f"{20 + row * 7 % 31},,{row % 2}" for row in range(40))]
    (tmp_path / "table.csv").write_text("\n".join(lines))
    dataset = engine.read_dataset(tmp_path / "table.csv", labels=["ill"])
    assert [note.topic for note in prepare(dataset).notes if "'empty'" in note.message] == ["empty"]
