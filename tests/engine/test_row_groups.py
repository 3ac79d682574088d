"""Which columns can say what rows belong together, and that a table carries them along."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.row_split import Subsamples
from engine.discovery.stability.result import StabilitySettings
from engine.errors import InvalidData, InvalidParameter
from engine.table.dataset import Dataset
from engine.table.numbered_within import grouped_by_identifier
from engine.table.variable import Kind, Role
from engine.terminal import main


def _frame(groups: list[object]) -> pandas.DataFrame:
    rows = len(groups)
    return pandas.DataFrame(
        {
            "dose": np.arange(rows) * 1.5,
            "ill": ["n", "y"] * (rows // 2) + ["n"] * (rows % 2),
            "patient": groups,
            "weight": np.arange(1.0, rows + 1.0),
        }
    )


def test_groups_are_neither_feature_nor_label() -> None:
    dataset = Dataset.from_frame(_frame(["b", "a", "b", "c"]), labels=["ill"], groups="patient")
    assert (dataset.groups, dataset.labels, dataset.features) == ("patient", ("ill",), ("dose", "weight"))
    assert dataset.row_groups is not None
    assert dataset.row_groups.tolist() == [1, 0, 1, 2]
    assert dataset.row_groups.dtype == np.int64
    assert not dataset.variable("patient").role.takes_part


def test_numbers_name_groups_too_and_kept_rows_number_theirs_without_gaps() -> None:
    dataset = Dataset.from_frame(_frame([17, 4, 17, 230, 4]), labels=["ill"], groups="patient")
    assert dataset.row_groups is not None and dataset.row_groups.tolist() == [1, 0, 1, 2, 0]
    selected = dataset.select_rows(np.array([0, 2, 3]))
    assert selected.row_groups is not None and selected.row_groups.tolist() == [0, 0, 1]


def test_a_table_without_groups_has_none() -> None:
    dataset = Dataset.from_frame(_frame([1, 2, 3]), labels=["ill"])
    assert dataset.groups is None and dataset.row_groups is None
    assert dataset.with_row_roles() is dataset


def test_weights_and_groups_together() -> None:
    dataset = Dataset.from_frame(_frame([1, 2, 2]), labels=["ill"], weights="weight", groups="patient")
    assert (dataset.weight, dataset.groups, dataset.features) == ("weight", "patient", ("dose",))


@pytest.mark.parametrize(
    ("groups", "problem"),
    [
        (["a", None, "b", None], r"the group of 2 rows is missing; the first is in row 2"),
        ([1.0, 1.0, np.nan, 2.0], r"the group of 1 rows is missing; the first is in row 3"),
        (["a", "a", "a", "a"], r"every row is in the same group"),
    ],
)
def test_what_cannot_group_rows_is_refused(groups: list[object], problem: str) -> None:
    with pytest.raises(InvalidData, match=problem) as caught:
        Dataset.from_frame(_frame(groups), labels=["ill"], groups="patient")
    assert caught.value.place == "column 'patient'"


def test_a_column_has_one_purpose() -> None:
    dataset = Dataset.from_frame(_frame([1, 2, 2]), labels=["ill"])
    with pytest.raises(InvalidParameter, match="'ill' is a label already"):
        dataset.with_row_roles(groups="ill")
    with pytest.raises(InvalidParameter, match="'weight' is the column of weights already"):
        dataset.with_row_roles(weights="weight", groups="weight")
    with pytest.raises(InvalidParameter, match="no column is named 'patiant'"):
        dataset.with_row_roles(groups="patiant")
    with pytest.raises(InvalidData, match="two columns are groups of rows"):
        dataset.with_roles({"patient": Role.GROUPS, "dose": Role.GROUPS})


def test_a_file_is_read_with_weights_and_groups(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    _frame(["p1", "p1", "p2", "p3"]).to_csv(path, index=False)
    dataset = engine.read_dataset(path, labels=["ill"], weights="weight", groups="patient")
    assert (dataset.weight, dataset.groups, dataset.features) == ("weight", "patient", ("dose",))


def test_the_command_names_the_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "visits.csv"
    _frame(["p1", "p1", "p2", "p3"]).to_csv(path, index=False)
    assert main(["inspect", str(path), "--labels", "ill", "--groups", "patient"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("patient"))
    assert line.split()[1] == "groups"
    for options in (
        ["--labels", "patient"],
        ["--labels", "ill", "--ignore", "patient"],
        ["--labels", "ill", "--weight-column", "patient"],
    ):
        assert main(["inspect", str(path), *options, "--groups", "patient"]) == 2
        assert "--groups" in capsys.readouterr().err


def test_preparing_says_what_groups_do() -> None:
    frame = _frame([*"aabbccdd", *"eeffgghh"])
    prepared = engine.prepare(Dataset.from_frame(frame, labels=["ill"], groups="patient"))
    (note,) = (note for note in prepared.notes if note.topic == "row-groups")
    assert note.message.startswith("'patient' says which rows belong together: 8 groups of 2 rows.")
    assert prepared.groups == "patient"
    alone = engine.prepare(Dataset.from_frame(_frame([*"abcdefgh"]), labels=["ill"], groups="patient"))
    assert any("differs in every row" in note.message for note in alone.notes)


def test_parts_of_the_rows_hold_whole_groups() -> None:
    generator = np.random.default_rng(0)
    patients = generator.integers(0, 40, 300)
    frame = pandas.DataFrame(
        {"dose": generator.normal(size=300), "ill": generator.integers(0, 2, 300), "patient": patients}
    )
    dataset = Dataset.from_frame(frame, labels=["ill"], groups="patient")
    assert dataset.variable("patient").kind is Kind.CONTINUOUS
    parts = Subsamples(dataset, StabilitySettings(), are_counts=False)
    assert parts.size == 20
    first, second, third = (parts.part(number) for number in range(3))
    seen = [set(part.column("patient").tolist()) for part in (first, second, third)]
    assert len(seen[0]) == len(seen[1]) == 20 and not seen[0] & seen[1]
    assert first.row_count + second.row_count == 300
    assert seen[2] != seen[0]
    whole = np.isin(patients, list(seen[0]))
    np.testing.assert_array_equal(first.column("dose"), frame["dose"][whole])


def test_counts_are_drawn_by_group_as_well() -> None:
    frame = pandas.DataFrame(
        {
            "dose": np.arange(40.0),
            "ill": [0, 1] * 20,
            "patient": np.repeat(np.arange(20), 2),
            "n": [3.0] * 40,
        }
    )
    dataset = Dataset.from_frame(frame, labels=["ill"], weights="n", groups="patient")
    part = Subsamples(dataset, StabilitySettings(), are_counts=True).part(0)
    assert part.row_count == 20
    assert part.row_weights is not None and set(part.row_weights) == {3.0}


def test_groups_are_part_of_what_a_table_says() -> None:
    plain = Dataset.from_frame(_frame([1, 2, 2]), labels=["ill"])
    assert plain.with_row_roles(groups="patient").content_hash != plain.content_hash


@pytest.mark.parametrize("form", ["{}-41", "10.0.{}.7", "10.{}.1.7", "41/{}"])
@pytest.mark.parametrize("first", [1, 8001])
def test_codes_of_numbers_with_marks_between_bind_rows(form: str, first: int) -> None:
    generator = np.random.default_rng(first)
    person = generator.permutation(np.repeat(np.arange(70), 4))
    trait = generator.normal(size=70)[person]
    frame = pandas.DataFrame(
        {
            "who": [form.format(first + number) for number in person],
            "weight": (30 + 4 * trait + generator.normal(size=280)).round(1),
            "dose": generator.normal(size=280).round(2),
            "ill": (trait + generator.normal(size=280) > 0).astype(int),
        }
    )
    assert grouped_by_identifier(engine.Dataset.from_frame(frame)).groups == "who"


@pytest.mark.parametrize(
    "form", ["{site}-{within}", "{site:02d}/{within:03d}", "{within}-{site}", "{site}-1-{person}"]
)
def test_codes_of_a_site_and_a_number_bind_rows(form: str) -> None:
    generator = np.random.default_rng(8)
    codes = [
        form.format(site=1 + person // 25, within=1 + person % 25, person=100 + person)
        for person in range(500)
    ]
    person_of = generator.permutation(np.repeat(np.arange(500), 3))
    trait = generator.normal(size=500)[person_of]
    frame = pandas.DataFrame(
        {
            "who": [codes[person] for person in person_of],
            "weight": (30 + 4 * trait + generator.normal(size=1500)).round(1),
            "ill": (trait + generator.normal(size=1500) > 0).astype(int),
        }
    )
    assert grouped_by_identifier(engine.Dataset.from_frame(frame)).groups == "who"


@pytest.mark.parametrize("years", [("2019", "2023"), ("81", "99")])
@pytest.mark.parametrize("form", ["{day}-{month}", "{month:02d}/{year}", "{year}-{month:02d}", "{up}/{low}"])
def test_dates_and_pressures_of_two_numbers_bind_no_rows(form: str, years: tuple[str, str]) -> None:
    generator = np.random.default_rng(9)
    first, last = map(int, years)
    trait = generator.integers(0, 60, 1500)
    frame = pandas.DataFrame(
        {
            "who": [
                form.format(
                    day=1 + value % 28,
                    month=1 + value % 12,
                    year=first + value % (last - first),
                    up=110 + value,
                    low=60 + generator.integers(0, 30),
                )
                for value in trait.tolist()
            ],
            "weight": (30 + trait + generator.normal(size=1500)).round(1),
            "pulse": (60 + trait / 2 + generator.normal(size=1500)).round(1),
            "ill": (trait / 20 + generator.normal(size=1500) > 1.5).astype(int),
        }
    )
    assert grouped_by_identifier(engine.Dataset.from_frame(frame)).groups != "who"


@pytest.mark.parametrize("form", ["{}-03", "{}/12", "1.{},5", "{}:30"])
def test_days_times_and_amounts_bind_no_rows(form: str) -> None:
    generator = np.random.default_rng(4)
    number = generator.permutation(np.repeat(np.arange(1, 25), 6))
    trait = generator.normal(size=25)[number]
    frame = pandas.DataFrame(
        {
            "who": [form.format(f"{value:03d}" if "," in form else value) for value in number],
            "weight": (30 + 4 * trait + generator.normal(size=144)).round(1),
            "ill": (trait + generator.normal(size=144) > 0).astype(int),
        }
    )
    assert grouped_by_identifier(engine.Dataset.from_frame(frame)).groups != "who"
