"""Steps of columns and rows: beside pandas, as plain values, in files, projects and the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.errors import EngineError, InvalidData, InvalidParameter
from engine.recipe import STEP_KINDS
from engine.recipe.table_steps import MONTHS, WEEKDAYS, dates_of
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role
from engine.terminal import main

ROWS = 400


@pytest.fixture(scope="module")
def frame() -> pandas.DataFrame:
    random = np.random.default_rng(3)
    days = pandas.Timestamp("2019-06-01") + pandas.to_timedelta(random.integers(0, 1500, ROWS), unit="D")
    return pandas.DataFrame(
        {
            "age": np.where(random.random(ROWS) < 0.1, np.nan, random.integers(0, 90, ROWS) + 0.25),
            "dose": np.where(random.random(ROWS) < 0.1, 0.0, random.lognormal(size=ROWS)),
            "arm": random.choice(np.array(["1", "2", "3", "9", None]), ROWS),
            "visit": np.where(random.random(ROWS) < 0.1, None, days.strftime("%d.%m.%Y")),
            "patient": random.integers(0, 60, ROWS) + 0.5,
            "weight": random.random(ROWS) + 0.1,
            "ill": random.choice(np.array(["no", "yes"]), ROWS),
        }
    )


@pytest.fixture(scope="module")
def dataset(frame: pandas.DataFrame) -> Dataset:
    return Dataset.from_frame(frame, labels=["ill"], weights="weight", groups="patient").with_kind(
        "arm", Kind.NOMINAL
    )


def made_by_step(dataset: Dataset, **step: object) -> pandas.DataFrame:
    return engine.Recipe([step]).apply(dataset).frame


def test_recoding_is_replacing(dataset: Dataset, frame: pandas.DataFrame) -> None:
    levels = {"1": "placebo", "2": "drug", "3": "drug", "9": None, "4": "never there"}
    recipe = engine.Recipe([{"step": "recode", "column": "arm", "levels": levels}])
    table, (report,) = recipe.followed(dataset)
    expected = frame["arm"].map(levels)
    assert table.frame["arm"].astype(object).where(table.frame["arm"].notna(), None).tolist() == [
        None if pandas.isna(expected_value) else expected_value for expected_value in expected
    ]
    assert dict(report.counts) == expected.value_counts().to_dict()
    assert report.unfit == (frame["arm"] == "9").sum()
    assert "'4'" in report.remarks[0]
    assert table.variable("arm").levels == ("placebo", "drug")
    assert table.column("dose") is dataset.column("dose")


def test_a_number_stands_for_missing(dataset: Dataset, frame: pandas.DataFrame) -> None:
    got = made_by_step(dataset, step="recode", column="dose", levels={"0": None})["dose"]
    pandas.testing.assert_series_equal(got, frame["dose"].replace(0.0, np.nan))
    with pytest.raises(InvalidData, match="'low' is not a number"):
        made_by_step(dataset, step="recode", column="dose", levels={"0": "low"})


def test_merging_neighbours_keeps_an_order() -> None:
    stage = pandas.Categorical(["I", "II", "III", "IV"], ["I", "II", "III", "IV"], ordered=True)
    table = Dataset.from_frame(pandas.DataFrame({"stage": stage}))
    for levels, ordered in (({"III": "late", "IV": "late"}, True), ({"I": "odd", "III": "odd"}, False)):
        again = engine.Recipe([{"step": "recode", "column": "stage", "levels": levels}]).apply(table)
        assert again.variable("stage").ordered is ordered


def test_an_order_of_categories(dataset: Dataset, frame: pandas.DataFrame) -> None:
    table = engine.Recipe([{"step": "order", "column": "arm", "levels": ["9", "2"]}]).apply(dataset)
    assert table.variable("arm").levels == ("9", "2", "1", "3")
    assert table.variable("arm").ordered
    got = table.frame["arm"].astype(object)
    pandas.testing.assert_series_equal(got, frame["arm"].astype(object), check_dtype=False)


@pytest.mark.parametrize("equal", ["below", "above"])
def test_cutting_is_that_of_pandas(dataset: Dataset, frame: pandas.DataFrame, equal: str) -> None:
    points = [18.25, 40, 65.25]
    recipe = engine.Recipe([{"step": "cut", "column": "age", "points": points, "equal": equal}])
    table, (report,) = recipe.followed(dataset)
    bins = [-np.inf, *points, np.inf]
    expected = pandas.cut(frame["age"], bins, right=equal == "below", labels=False)
    np.testing.assert_array_equal(table.column("age"), expected.fillna(-1))
    assert table.variable("age").ordered and table.variable("age").is_cut
    assert [count for _, count in report.counts] == expected.value_counts().sort_index().tolist()


def test_scales_are_those_of_pandas(dataset: Dataset, frame: pandas.DataFrame) -> None:
    dose = frame["dose"]
    expected = {
        "log": np.log(dose.where(dose > 0)),
        "log10": np.log10(dose.where(dose > 0)),
        "log1p": np.log1p(dose),
        "sqrt": np.sqrt(dose),
        "rank": dose.rank(),
        "standard": (dose - dose.mean()) / dose.std(ddof=0),
    }
    for scale, wanted in expected.items():
        table, (report,) = engine.Recipe([{"step": "scale", "column": "dose", "scale": scale}]).followed(
            dataset
        )
        np.testing.assert_allclose(table.column("dose"), wanted, err_msg=scale)
        assert report.unfit == int(wanted.isna().sum())


def test_filtering_is_that_of_pandas_and_tells_what_is_left(
    dataset: Dataset, frame: pandas.DataFrame
) -> None:
    recipe = engine.Recipe([{"step": "filter", "expression": 'age >= 40 and arm in ["1", "2"]'}])
    table, (report,) = recipe.followed(dataset)
    wanted = frame[(frame["age"] >= 40) & frame["arm"].isin(["1", "2"])]
    np.testing.assert_array_equal(table.column("dose"), wanted["dose"])
    assert (report.rows, report.left_out) == (len(wanted), ROWS - len(wanted))
    assert table.row_weights is not None and len(table.row_weights) == len(wanted)
    assert any(f"{len(wanted)} rows are left" in note.message for note in table.notes)


def test_parts_of_dates_are_those_of_pandas(dataset: Dataset, frame: pandas.DataFrame) -> None:
    days = pandas.to_datetime(frame["visit"], format="%d.%m.%Y")
    np.testing.assert_array_equal(
        made_by_step(dataset, step="date", column="visit", part="year")["visit"], days.dt.year
    )
    for part, levels, wanted in (
        ("month", MONTHS, days.dt.month - 1),
        ("weekday", WEEKDAYS, days.dt.day_of_week),
    ):
        table = engine.Recipe([{"step": "date", "column": "visit", "part": part}]).apply(dataset)
        assert table.variable("visit").levels == levels
        np.testing.assert_array_equal(table.column("visit"), wanted.fillna(-1))
    for since, start in (("", days.min()), ("2020-02-29", pandas.Timestamp("2020-02-29"))):
        step = {"step": "date", "column": "visit", "part": "weeks", "since": since, "into": "weeks"}
        np.testing.assert_allclose(made_by_step(dataset, **step)["weeks"], (days - start).dt.days / 7)


@pytest.mark.parametrize(
    ("texts", "order", "expected", "is_ambiguous"),
    [
        (("03/04/2024", "12/11/2023"), "found-out", ("2024-04-03", "2023-11-12"), True),
        (("03/04/2024", "12/11/2023"), "month-first", ("2024-03-04", "2023-12-11"), False),
        (("03/04/2024", "12/31/2023"), "found-out", ("2024-03-04", "2023-12-31"), False),
        (("1.2.98", "31.12.05"), "found-out", ("1998-02-01", "2005-12-31"), False),
        (("20240229", "20230229"), "found-out", ("2024-02-29", "NaT"), False),
        (("3 Mar 2024", "4-APR-24"), "found-out", ("2024-03-03", "2024-04-04"), False),
        (("03MAR2024", "4apr2024:07:15:00"), "found-out", ("2024-03-03", "2024-04-04"), False),
        (("March 3, 2024", "never"), "found-out", ("2024-03-03", "NaT"), False),
        (("2024-03-10T18:00:00Z", "2024-03-11 07:15"), "found-out", ("2024-03-10", "2024-03-11"), False),
    ],
)
def test_dates_as_people_write_them(
    texts: tuple[str, ...], order: str, expected: tuple[str, ...], is_ambiguous: bool
) -> None:
    dates = dates_of(texts, order)
    assert tuple(dates.days.astype(str)) == expected
    assert dates.is_ambiguous is is_ambiguous


def test_time_from_one_column_of_dates_to_another() -> None:
    frame = pandas.DataFrame({"born": ["1.2.1980", "5.6.1990"], "seen": ["2020-02-01", "2020-06-05"]})
    step = {"step": "date", "column": "seen", "part": "years", "since": "born", "into": "age"}
    recipe = engine.Recipe([step])
    assert recipe.steps[0].uses == ("seen", "born")
    np.testing.assert_allclose(recipe.apply(Dataset.from_frame(frame)).column("age"), [40, 30], atol=0.01)


def test_what_is_guessed_about_dates_is_told_of_both_columns() -> None:
    frame = pandas.DataFrame({"born": ["1.2.58", "5.6.90"], "seen": ["2020-02-13", "2020-06-05"]})
    step = {"step": "date", "column": "seen", "part": "years", "since": "born"}
    _, (report,) = engine.Recipe([step]).followed(Dataset.from_frame(frame))
    assert [remark.split("“")[1].split("”")[0] for remark in report.remarks] == ["born", "born"]
    assert "1969 to 2068" in report.remarks[1]
    assert dates_of(("1.2.68", "1.2.69")).days.astype(str).tolist() == ["2068-02-01", "1969-02-01"]


EVERY_KIND = [
    {"step": "recode", "column": "arm", "levels": {"9": None, "3": "2"}},
    {"step": "order", "column": "arm", "levels": ["2", "1"], "ordered": False},
    {"step": "filter", "expression": "age is not missing"},
    {"step": "cut", "column": "age", "points": [40.0], "names": ["young", "old"], "into": "old"},
    {"step": "scale", "column": "dose", "scale": "log1p", "on": False},
    {"step": "compute", "column": "risk", "expression": 'count(old = "old", dose > 1)'},
    {"step": "score", "column": "burden", "columns": ["age", "dose"], "reversed": ["dose"]},
    {"step": "date", "column": "visit", "part": "days", "since": "2019-01-01", "order": "day-first"},
    {"step": "read-as", "columns": ["risk"], "values": "categories"},
    {"step": "describe", "column": "dose", "unit": "mg", "description": "A day"},
    {"step": "rename", "column": "ill", "name": "sick"},
    {"step": "row-blocks", "rows": 20, "along": "dose", "series": ["arm"]},
]


def test_every_kind_comes_back_from_plain_values_and_files(dataset: Dataset, tmp_path: Path) -> None:
    recipe = engine.Recipe(EVERY_KIND)
    assert {step["step"] for step in EVERY_KIND} == set(STEP_KINDS)
    assert recipe.as_plain() == EVERY_KIND
    engine.write_recipe(tmp_path / "recipe.json", recipe)
    again = engine.read_recipe(tmp_path / "recipe.json")
    assert again == recipe
    table, reports = recipe.followed(dataset)
    assert again.apply(dataset).content_hash == table.content_hash
    # Made in two parts it is the same.
    begun = engine.Recipe(EVERY_KIND[:5])
    assert recipe.begins_with(begun) and not begun.begins_with(recipe)
    assert recipe.followed(begun.apply(dataset), 5)[0].content_hash == table.content_hash
    assert [report.is_on for report in reports] == [step.get("on", True) for step in EVERY_KIND]
    assert table.labels == ("sick",)
    assert (table.variable("dose").unit, table.variable("dose").description) == ("mg", "A day")
    assert table.column("dose").tolist() == dataset.column("dose")[~np.isnan(dataset.column("age"))].tolist()
    sentences = recipe.sentences()
    assert len(sentences) == len(EVERY_KIND) - 1
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in sentences)
    # What was read is as it was.
    assert dataset.labels == ("ill",) and dataset.row_count == ROWS


def test_steps_are_put_in_moved_left_out_and_switched() -> None:
    steps = [{"step": "rename", "column": name, "name": name.upper()} for name in "abcd"]
    recipe = engine.Recipe(steps, off=[1])

    def shown(recipe_shown: engine.Recipe) -> str:
        return "".join(
            step.column if recipe_shown.is_on(position) else f"({step.column})"
            for position, step in enumerate(recipe_shown.steps)
        )

    assert shown(recipe) == "a(b)cd"
    assert shown(recipe.moved(1, 3)) == "acd(b)"
    assert shown(recipe.moved(3, 0)) == "da(b)c"
    assert shown(recipe.without(0)) == "(b)cd"
    assert shown(recipe.without(1)) == "acd"
    assert shown(recipe.with_step(steps[3], 0)) == "da(b)cd"
    assert shown(recipe.switched(1, True).switched(0, False)) == "(a)bcd"
    assert shown(recipe.with_replaced(1, recipe.steps[0])) == "a(a)cd"
    assert shown(recipe.with_replaced(1, steps[2], steps[3])) == "a(c)(d)cd"
    assert shown(recipe.with_replaced(0, steps[2], steps[3])) == "cd(b)cd"
    assert shown(recipe.before(2)) == "a(b)"
    assert recipe.switched(1, True) == engine.Recipe(steps)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"step": "cutt", "column": "age"}, "no kind of step 'cutt'"),
        ({"step": "cut", "column": "age"}, "'points' is not there"),
        ({"step": "cut", "column": "age", "points": "40"}, "a list of numbers"),
        ({"step": "cut", "column": "age", "points": [1, 1]}, "the same"),
        ({"step": "cut", "column": "age", "points": [float("nan")]}, "a number is needed"),
        ({"step": "cut", "column": "age", "points": [1], "names": ["a"]}, "2 different names"),
        ({"step": "cut", "column": "age", "points": [1], "colour": "red"}, "no value 'colour'"),
        ({"step": "scale", "column": "age", "scale": "cube"}, "not a choice"),
        ({"step": "recode", "column": "arm", "levels": {}}, "what replaces"),
        ({"step": "recode", "column": "arm", "levels": {"1": 2}}, "a text is needed"),
        ({"step": "rename", "column": "age", "name": " "}, "the name of a column"),
        ({"step": "filter", "expression": 3}, "a text is needed"),
        ({"step": "filter", "expression": "age > 1", "on": "no"}, "neither true nor false"),
        ({}, "no kind of step None"),
    ],
)
def test_impossible_steps_are_refused(step: dict[str, object], message: str) -> None:
    with pytest.raises(EngineError, match=message) as raised:
        engine.Recipe([{"step": "filter", "expression": "age > 1"}, step])
    assert raised.value.place.startswith("step 2")
    assert raised.value.remedy


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"step": "cut", "column": "ages", "points": [1]}, "no column is named"),
        ({"step": "cut", "column": "ill", "points": [1]}, "is not a number"),
        ({"step": "order", "column": "age", "levels": ["1"]}, "holds numbers"),
        ({"step": "date", "column": "ill", "part": "year"}, "holds no dates"),
        ({"step": "date", "column": "age", "part": "year"}, "not dates"),
        ({"step": "filter", "expression": "age > 200"}, "in no row"),
        ({"step": "filter", "expression": "patient = 0.5"}, "same group"),
        ({"step": "rename", "column": "age", "name": "dose"}, "two columns have this name"),
        ({"step": "cut", "column": "weight", "points": [0.5]}, "must be numbers"),
        ({"step": "recode", "column": "patient", "levels": {"0.5": None}}, "is missing"),
    ],
)
def test_steps_that_do_not_fit_say_which_and_what_to_do(
    dataset: Dataset, step: dict[str, object], message: str
) -> None:
    with pytest.raises(EngineError, match=message) as raised:
        engine.Recipe([step]).apply(dataset)
    assert raised.value.place.startswith("step 1 (")
    assert raised.value.remedy
    # Switched off, it is in nobody's way.
    assert engine.Recipe([step], off=[0]).apply(dataset) is dataset


def test_a_copy_of_a_label_is_a_feature(dataset: Dataset) -> None:
    labelled = dataset.with_roles({"age": Role.LABEL})
    table = engine.Recipe([{"step": "cut", "column": "age", "points": [40], "into": "old"}]).apply(labelled)
    assert table.labels == ("age", "ill")
    assert table.variable("old").role is Role.FEATURE


def test_a_table_that_is_read_in_place_is_not_changed(tmp_path: Path) -> None:
    network = engine.simulate(labels=2, features=5, rows=100, seed=0)
    engine.write_coded(network.dataset, tmp_path / "table.coded")
    table = engine.read_dataset(tmp_path / "table.coded")
    with pytest.raises(InvalidData, match="reads it in place"):
        engine.Recipe([{"step": "rename", "column": table.names[0], "name": "first"}]).apply(table)


def test_every_step_is_linear_and_quick(dataset: Dataset) -> None:
    """200 000 rows: whole columns are computed, so that no row costs a call."""
    many = dataset.select_rows(np.arange(200_000) % ROWS)
    table, _ = engine.Recipe(EVERY_KIND).followed(many)
    assert table.row_count == 200_000 - np.isnan(many.column("age")).sum()


def test_a_recipe_of_a_file_in_python_and_in_the_terminal(
    dataset: Dataset, frame: pandas.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame.to_csv(tmp_path / "table.csv", index=False)
    # The last step groups the rows, as a column does here.
    steps = EVERY_KIND[:-1]
    engine.write_recipe(tmp_path / "recipe.json", engine.Recipe(steps))
    table = engine.read_dataset(
        tmp_path / "table.csv", labels=["sick"], recipe=tmp_path / "recipe.json", groups="patient"
    )
    assert table.labels == ("sick",) and table.groups == "patient"
    assert (
        table.content_hash
        == engine.read_dataset(
            tmp_path / "table.csv", labels=["sick"], recipe=steps, groups="patient"
        ).content_hash
    )
    words = [str(tmp_path / "table.csv"), "--recipe", str(tmp_path / "recipe.json"), "--labels", "sick"]
    assert main(["inspect", *words, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["labels"] == ["sick"] and shown["rows"] == table.row_count
    assert "“ill” is called “sick”." in [issue["message"] for issue in shown["issues"]]
    assert main(["inspect", *words[:2], str(tmp_path / "table.csv")]) == 2
    (tmp_path / "list.json").write_text("[3]")
    with pytest.raises(InvalidParameter, match="a list of steps"):
        engine.read_recipe(tmp_path / "list.json")
    (tmp_path / "bad.json").write_text('[{"step": "filter", "expression": "age >"}]')
    assert main(["inspect", *words[:2], str(tmp_path / "bad.json")]) == 2
    error = capsys.readouterr().err.strip().splitlines()
    assert len(error) == 2
    assert "step 1 (Keep some rows), position 6" in error[1]


def test_a_project_keeps_the_recipe_and_what_was_read(dataset: Dataset, tmp_path: Path) -> None:
    recipe = engine.Recipe(EVERY_KIND)
    steps = [{"step": "read", "options": {}}, *recipe.as_plain(), {"step": "prepare", "settings": {}}]
    project = engine.Project(recipe.apply(dataset), steps, source=dataset)
    engine.save_project(tmp_path / "study.clcd", project)
    again = engine.open_project(tmp_path / "study.clcd")
    assert again.column_recipe == recipe
    assert again.source is not None and again.source.content_hash == dataset.content_hash
    table = again.column_recipe.apply(again.source)
    assert table.content_hash == again.dataset.content_hash
    assert again.dataset.variable("dose").unit == "mg"
    # A column that no step changed is one array in the file and in memory.
    assert again.dataset.column("weight").dtype == np.float64
    with pytest.raises(InvalidParameter):
        _ = engine.Project(dataset, [{"step": "cut"}]).column_recipe


def test_two_numbers_with_a_line_below_are_no_number() -> None:
    table = Dataset.from_frame(pandas.DataFrame({"cage": ["1_2", "12", "1_2"]}))
    with pytest.raises(InvalidData, match="'1_2' is not a number"):
        engine.Recipe([{"step": "read-as", "columns": ["cage"], "values": "numbers"}]).apply(table)
