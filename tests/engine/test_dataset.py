"""The table: typed, checked, unchangeable, and known by the hash of its content."""

from __future__ import annotations

import dataclasses
import hashlib
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidData, InvalidParameter
from engine.table.dataset import Dataset, Note
from engine.table.variable import Kind, Role, Variable, code_dtype, missing_mask

AGE = Variable("age", Kind.CONTINUOUS)
SEX = Variable("sex", Kind.NOMINAL, levels=("f", "m"))
ILL = Variable("ill", Kind.NOMINAL, Role.LABEL, ("no", "yes"))


def table(**changes: Any) -> Dataset:
    parts: dict[str, Any] = {
        "variables": (AGE, SEX, ILL),
        "columns": (np.array([30.5, np.nan, 41.0]), np.array([0, 1, -1]), np.array([1, 0, 1])),
        "name": "patients",
    }
    return Dataset(**(parts | changes))


def test_what_it_holds() -> None:
    dataset = table()
    assert dataset.row_count == 3
    assert (dataset.features, dataset.labels, dataset.ignored) == (("age", "sex"), ("ill",), ())
    assert dataset.variable("sex") is dataset.variables[1]
    assert dataset.column("ill").tolist() == [1, 0, 1]
    assert dataset.missing_count("age") == dataset.missing_count("sex") == 1
    assert dataset.missing_count("ill") == 0
    assert dataset.has_missing
    assert repr(dataset) == "<Dataset patients: 3 rows, 2 features, 1 label>"


def test_a_column_is_looked_through_once_for_missing_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window asks at each change whether settings and gaps go together."""
    looked: list[str] = []

    def noted(variable: Variable, column: np.ndarray) -> np.ndarray:
        looked.append(variable.name)
        return missing_mask(variable, column)

    monkeypatch.setattr("engine.table.dataset.missing_mask", noted)
    dataset = table()
    assert [dataset.missing_count("age") for _ in range(3)] == [1, 1, 1]
    assert dataset.with_labels(["sex"]).missing_count("age") == 1
    # With other roles, the cells are the same.
    assert looked == ["age", "sex", "ill"]
    age = Variable("age", Kind.CONTINUOUS)
    replaced = dataset.with_column(age, np.array([1.0, 2.0, 3.0]))
    assert replaced.missing_count("age") == 0
    assert looked == ["age", "sex", "ill"] * 2


def test_missing_values_of_ignored_columns_do_not_count() -> None:
    assert not table().with_roles({"age": Role.IGNORED, "sex": Role.IGNORED}).has_missing


def test_codes_take_as_little_room_as_they_need() -> None:
    assert table().column("sex").dtype == np.int8
    assert [code_dtype(count).name for count in (0, 2, 128, 129, 32768, 32769)] == [
        "int8", "int8", "int8", "int16", "int16", "int32",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "place", "problem"),
    [
        ({"columns": ()}, "", "3 variables but 0 columns"),
        (
            {"variables": (AGE, SEX, Variable("age", Kind.CONTINUOUS))},
            "column 'age'",
            "two columns have this name",
        ),
        ({"variables": (AGE, SEX, Variable("", Kind.CONTINUOUS))}, "column 3", "no name"),
        (
            {"columns": (np.zeros(3), np.zeros(2, int), np.zeros(3, int))},
            "column 'sex'",
            r"shape \(2,\), expected \(3,\)",
        ),
        (
            {"columns": (np.zeros(3), np.array([0, 2, 0]), np.zeros(3, int))},
            "column 'sex', row 2",
            "code 2 fits none of 2 levels",
        ),
        (
            {"columns": (np.zeros(3), np.array([0, 0, -2]), np.zeros(3, int))},
            "column 'sex', row 3",
            "code -2 fits none",
        ),
        (
            {"columns": (np.array([0, np.inf, 1]), np.zeros(3, int), np.zeros(3, int))},
            "column 'age', row 2",
            "infinite",
        ),
        (
            {"columns": (np.array(["1", "two", "3"], object), np.zeros(3, int), np.zeros(3, int))},
            "column 'age'",
            "not everything in it is a number",
        ),
        (
            {"columns": (np.zeros(3), np.zeros(3), np.zeros(3, int))},
            "column 'sex'",
            "codes must be whole numbers, not float64",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    changes: dict[str, Any], place: str, problem: str
) -> None:
    with pytest.raises(InvalidData, match=problem) as caught:
        table(**changes)
    assert caught.value.place == place


def test_levels_may_be_listed_in_any_way() -> None:
    listed: Any = ["f", "m"]
    assert Variable("sex", Kind.NOMINAL, levels=listed) == SEX
    assert hash(Variable("sex", Kind.NOMINAL, levels=listed)) == hash(SEX)


def test_levels_are_unique_and_only_for_categories() -> None:
    with pytest.raises(InvalidData, match="column 'x': two levels have the same name"):
        Variable("x", Kind.NOMINAL, levels=("a", "a"))
    with pytest.raises(InvalidData, match="column 'x': a continuous variable has no levels"):
        Variable("x", Kind.CONTINUOUS, levels=("a",))


# --- never changes ----------------------------------------------------------------------------------------


def test_columns_cannot_be_written_to() -> None:
    dataset = table()
    for column in dataset.columns:
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        dataset.name = "other"  # type: ignore[misc]


def test_the_arrays_that_were_given_stay_writable_and_apart() -> None:
    ages = np.array([1.0, 2.0, 3.0])
    frozen_view = ages.view()
    frozen_view.setflags(write=False)
    datasets = [table(columns=(given, np.zeros(3, int), np.ones(3, int))) for given in (ages, frozen_view)]
    ages[0] = 99.0
    for dataset in datasets:
        assert dataset.column("age").tolist() == [1.0, 2.0, 3.0]


def test_memory_that_others_may_write_to_is_copied() -> None:
    memory = bytearray(np.array([1.0, 2.0, 3.0]).tobytes())
    view = np.frombuffer(memory)
    view.setflags(write=False)
    dataset = table(columns=(view, np.zeros(3, int), np.ones(3, int)))
    memory[:8] = np.array([99.0]).tobytes()
    assert dataset.column("age")[0] == 1.0


def test_changed_tables_share_their_columns() -> None:
    dataset = table()
    for changed in (
        dataset.with_labels(["sex"]),
        dataset.with_notes([Note("x", "y")]),
        dataset.select_rows([0]),
    ):
        assert changed is not dataset
    relabelled = dataset.with_labels(["sex"])
    assert all(old is new for old, new in zip(dataset.columns, relabelled.columns, strict=True))
    assert dataset.labels == ("ill",)


# --- changes that make another table ----------------------------------------------------------------------


def test_labels_are_replaced() -> None:
    dataset = table().with_labels(["sex"])
    assert (dataset.labels, dataset.features) == (("sex",), ("age", "ill"))
    assert table().with_labels("sex").labels == ("sex",)
    assert table().with_labels([]).labels == ()


def test_an_ignored_column_can_become_a_label() -> None:
    assert table().with_roles({"sex": Role.IGNORED}).with_labels(["sex"]).labels == ("sex",)


def test_roles_may_be_given_by_name() -> None:
    assert table().with_roles({"sex": "ignored"}).ignored == ("sex",)  # type: ignore[dict-item]
    with pytest.raises(
        InvalidParameter,
        match=r"'lable' is not a role\. Choose one of: label, feature, ignored, weight, groups\.",
    ):
        table().with_roles({"sex": "lable"})  # type: ignore[dict-item]


def test_kinds_and_roles_may_be_texts() -> None:
    plain: Any = Variable
    given = plain("ill", "nominal", "label", ("no", "yes"))
    assert (given.kind, given.role) == (Kind.NOMINAL, Role.LABEL)
    assert given.kind is Kind.NOMINAL
    assert given.role is Role.LABEL
    dataset = table(variables=(plain("age", "continuous"), SEX, given))
    assert dataset.labels == ("ill",)
    assert dataset.content_hash == table().content_hash
    with pytest.raises(
        InvalidParameter,
        match=r"column 'g': 'numeric' is not a kind of variable\. Choose one of: nominal, continuous",
    ):
        plain("g", "numeric")
    with pytest.raises(InvalidParameter, match=r"column 'g': 'lable' is not a role\. Choose one of: label"):
        plain("g", "nominal", "lable")


def test_the_kind_of_a_column_may_be_asked_for_by_its_text() -> None:
    graded = table(variables=(AGE, Variable("sex", Kind.NOMINAL, levels=("1", "2")), ILL))
    for kind in ("nominal", Kind.NOMINAL):
        assert graded.with_kind("sex", kind).variable("sex").levels == ("1", "2")  # type: ignore[arg-type]
        assert graded.with_kind("age", kind).variable("age").levels == ("30.5", "41")  # type: ignore[arg-type]
    assert graded.with_kind("sex", "continuous").column("sex").tolist()[:2] == [1.0, 2.0]  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="'number' is not a kind of variable"):
        graded.with_kind("age", "number")  # type: ignore[arg-type]


def test_rows_and_variables_are_selected() -> None:
    dataset = table()
    assert dataset.select_rows(np.array([True, False, True])).column("ill").tolist() == [1, 1]
    assert dataset.select_rows(np.array([2, 0])).column("age").tolist() == [41.0, 30.5]
    assert dataset.select_variables(["ill", "age"]).names == ("ill", "age")


def test_a_column_is_replaced_in_its_place() -> None:
    cut = Variable("age", Kind.NOMINAL, levels=("young", "old"))
    dataset = table().with_column(cut, np.array([0, -1, 1]))
    assert dataset.names == ("age", "sex", "ill")
    assert dataset.variable("age").levels == ("young", "old")


def test_notes_are_kept_in_order() -> None:
    first, second = Note("a", "First."), Note("b", "Second.", "age")
    assert table().with_notes([first]).with_notes([second]).notes == (first, second)


# --- near misses ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("agee", "Did you mean 'age'?"),
        ("ils", "Did you mean 'ill'?"),
        ("xylophone", "The columns of the table are 'age', 'sex' and 'ill'."),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(name: str, remedy: str) -> None:
    for use in (table().index, table().column, table().variable, table().missing_count):
        with pytest.raises(InvalidParameter) as caught:
            use(name)
        assert caught.value.problem == f"no column is named {name!r}."
        assert caught.value.remedy == remedy
    with pytest.raises(InvalidParameter):
        table().with_labels([name])
    with pytest.raises(InvalidParameter):
        table().select_variables([name])


# --- the hash ---------------------------------------------------------------------------------------------


def test_the_hash_is_the_same_in_every_process_and_on_every_machine() -> None:
    """It is written into result files and compared years later: a layout written out byte by byte."""
    content = (
        b'["age", "continuous", "feature", false, [], 3]'
        + struct.pack("<d", 30.5)
        + bytes.fromhex("000000000000f87f")
        + struct.pack("<d", 41.0)
        + b'["sex", "nominal", "feature", false, ["f", "m"], 3]'
        + struct.pack("<iii", 0, 1, -1)
        + b'["ill", "nominal", "label", false, ["no", "yes"], 3]'
        + struct.pack("<iii", 1, 0, 1)
    )
    assert table().content_hash == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8])
def test_equal_values_have_equal_hashes_whatever_their_type(dtype: type) -> None:
    codes = np.array([0, 1, 1], dtype=dtype)
    ages = np.array([0.0, np.nan, 4.0])
    other_nan = ages.copy()
    other_nan.view(np.uint64)[1] = 0x7FF8000000000123
    expected = table(columns=(ages, np.array([0, 1, 1]), codes)).content_hash
    assert table(columns=(other_nan, codes, codes)).content_hash == expected
    assert table(columns=(np.array([-0.0, np.nan, 4.0]), codes, codes)).content_hash == expected
    assert table(columns=(np.repeat(ages, 2)[::2], codes, codes)).content_hash == expected


def test_name_and_notes_do_not_count() -> None:
    assert table(name="other", notes=(Note("a", "b"),)).content_hash == table().content_hash


def test_everything_else_counts() -> None:
    dataset = table()
    others = [
        dataset.with_labels(["sex"]),
        dataset.select_rows(np.array([0, 1])),
        dataset.select_rows(np.array([1, 0, 2])),
        dataset.select_variables(["sex", "age", "ill"]),
        dataset.with_column(dataclasses.replace(SEX, levels=("m", "f")), dataset.column("sex")),
        dataset.with_column(dataclasses.replace(SEX, ordered=True), dataset.column("sex")),
        dataset.with_column(SEX, np.array([0, 1, 1])),
        dataset.with_column(AGE, np.array([30.5, np.nan, np.nextafter(41, 42)])),
        table(variables=(dataclasses.replace(AGE, name="Age"), SEX, ILL)),
    ]
    hashes = {dataset.content_hash, *(other_dataset.content_hash for other_dataset in others)}
    assert len(hashes) == len(others) + 1


@given(
    st.lists(st.text(st.sampled_from("a,\x1f\x1e\"'é\n"), min_size=1), min_size=1, max_size=4, unique=True),
    st.lists(st.text(st.sampled_from("a,\x1f\x1e\"'é\n"), min_size=1), min_size=1, max_size=4, unique=True),
)
def test_no_level_names_can_be_mistaken_for_others(first: list[str], second: list[str]) -> None:
    hashes = [
        Dataset((Variable("x", Kind.NOMINAL, levels=tuple(levels)),), (np.zeros(2, int),)).content_hash
        for levels in (first, second)
    ]
    assert (hashes[0] == hashes[1]) == (first == second)


def test_missing_mask_knows_both_kinds() -> None:
    assert missing_mask(AGE, np.array([np.nan, 1.0])).tolist() == [True, False]
    assert missing_mask(SEX, np.array([0, -1])).tolist() == [False, True]


def test_a_table_without_columns_is_said_to_have_none() -> None:
    with pytest.raises(InvalidParameter, match="The table has no columns"):
        Dataset((), ()).index("age")
