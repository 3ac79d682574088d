"""Coded tables: what is written is what is found in them, and nothing damaged is taken for a table."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine.atomic import write_text
from engine.errors import InvalidData, InvalidParameter, UnreadableFile
from engine.independence.arranging import make_test_data
from engine.table.coded_files import START, CodedTableWriter, layout_of, open_coded, write_coded
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from engine.terminal import main

LEVELS = ("no", "yes")
SHAPE = (4, 300)


@pytest.fixture
def simulated() -> Dataset:
    return engine.simulate(labels=4, features=40, rows=1500, seed=2).dataset


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Give a coded table of four columns, the second of three levels."""
    path = tmp_path / "small.coded"
    with CodedTableWriter(path, variables(), SHAPE[1], "small") as writer:
        writer.write(0, codes())
    return path


def variables() -> list[Variable]:
    wide = Variable("V1", Kind.NOMINAL, levels=("a", "b", "ç \ud83d"), ordered=True)
    usual = [Variable(f"V{place}", Kind.NOMINAL, levels=LEVELS) for place in (0, 2, 3)]
    return [usual[0], wide, usual[1], dataclasses.replace(usual[2], role=Role.LABEL)]


def codes() -> np.ndarray:
    return np.random.default_rng(1).integers(0, [[2], [3], [2], [2]], SHAPE)


def test_a_table_comes_back_as_it_was(simulated: Dataset, tmp_path: Path) -> None:
    write_coded(simulated, tmp_path / "t.coded")
    opened = engine.read_dataset(tmp_path / "t.coded")
    assert opened.content_hash == simulated.content_hash
    assert (opened.labels, opened.features) == (simulated.labels, simulated.features)
    assert opened.columns[0].dtype == np.int8


def test_a_search_finds_the_same(simulated: Dataset, tmp_path: Path) -> None:
    write_coded(simulated, tmp_path / "t.coded")
    for settings in (engine.DiscoverySettings(), engine.DiscoverySettings(test="x2", workers=2)):
        in_memory = engine.discover(simulated, settings)
        mapped = engine.discover(engine.prepare(engine.read_dataset(tmp_path / "t.coded")), settings)
        assert mapped.boundaries == in_memory.boundaries
        assert mapped.evidence == in_memory.evidence
        assert mapped.equivalence_records == in_memory.equivalence_records
        assert mapped.orientation_records == in_memory.orientation_records
        assert mapped.tests_made == in_memory.tests_made


def test_changed_tables_do_not_use_sets_of_others(simulated: Dataset, tmp_path: Path) -> None:
    write_coded(simulated, tmp_path / "t.coded")
    opened = engine.read_dataset(tmp_path / "t.coded")
    name = simulated.features[3]
    changes = [
        lambda table: table.select_rows(np.arange(0, 1500, 2)),
        lambda table: table.with_roles({name: Role.IGNORED}),
        lambda table: table.select_variables([*table.names[5:20], *table.labels]),
        lambda table: table.select_variables(table.names[::-1]),
        lambda table: table.with_column(table.variable(name), np.zeros(1500, dtype=np.int8)),
    ]
    for change in changes:
        mapped, plain = (make_test_data(change(table), "g2").at_level(0.05) for table in (opened, simulated))
        np.testing.assert_array_equal(mapped.table.codes, plain.table.codes)
        np.testing.assert_array_equal(mapped.table.sets, plain.table.sets)


def test_blocks_of_columns_in_any_order(tmp_path: Path, small: Path) -> None:
    other_path = tmp_path / "other.coded"
    with CodedTableWriter(other_path, variables(), SHAPE[1], "small") as writer:
        for first, last in ((2, 4), (0, 1), (1, 2)):
            writer.write(first, codes()[first:last])
    assert other_path.read_bytes() == small.read_bytes()
    opened = open_coded(other_path)
    assert opened.variables == tuple(variables())
    np.testing.assert_array_equal(opened.columns, codes())


@pytest.mark.parametrize("levels", [128, 129, 40_000])
def test_codes_are_as_narrow_as_they_can_be(levels: int, tmp_path: Path) -> None:
    wide = Variable("wide", Kind.NOMINAL, levels=tuple(str(level) for level in range(levels)))
    values = np.arange(300) * (levels - 1) // 299
    dataset = Dataset((wide, variables()[0]), (values, codes()[0]))
    write_coded(dataset, tmp_path / "t.coded")
    opened = open_coded(tmp_path / "t.coded")
    np.testing.assert_array_equal(opened.columns[0], values)
    assert opened.columns[0].dtype == dataset.columns[0].dtype
    assert opened.content_hash == dataset.content_hash


def test_columns_that_take_no_part_are_left_out(tmp_path: Path) -> None:
    ignored = Variable("number", Kind.CONTINUOUS, Role.IGNORED)
    dataset = Dataset((ignored, *variables()), (np.linspace(0, 1, SHAPE[1]), *codes()))
    write_coded(dataset, tmp_path / "t.coded")
    assert open_coded(tmp_path / "t.coded").names == ("V0", "V1", "V2", "V3")


def test_a_preview_holds_the_first_rows(small: Path) -> None:
    from engine.readers import read_preview

    preview = read_preview(small, rows=20)
    assert not preview.complete
    np.testing.assert_array_equal(preview.dataset.columns, codes()[:, :20])
    assert read_preview(small, rows=SHAPE[1]).complete


def test_the_terminal_searches_a_coded_table(simulated: Dataset, tmp_path: Path) -> None:
    write_coded(simulated, tmp_path / "t.coded")
    assert main(["discover", str(tmp_path / "t.coded"), "--out", str(tmp_path / "out")]) == 0
    result = json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))
    assert result["data"]["content_hash"] == simulated.content_hash


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        (0, "not a coded table"),
        (8, "header"),
        (START + 3, "header"),
        (4096 + 5, "values"),
        (8192 + 9, "values"),
    ],
)
def test_damage_is_noticed(small: Path, place: int, problem: str) -> None:
    content = bytearray(small.read_bytes())
    content[place] ^= 0x41
    small.write_bytes(content)
    with pytest.raises(UnreadableFile, match=problem):
        open_coded(small)


def test_any_bit_of_codes_and_sets_counts(small: Path) -> None:
    whole = small.read_bytes()
    header = whole[START : START + int.from_bytes(whole[8:START], "little")]
    layout = layout_of(header)
    random = np.random.default_rng(0)
    codes_end = layout.codes_at(len(layout.variables))
    places = [
        *random.integers(layout.codes_at(), codes_end, 60),
        *random.integers(layout.sets_at(), layout.size, 60),
    ]
    for place in places:
        content = bytearray(whole)
        content[place] ^= 1 << random.integers(0, 8)
        small.write_bytes(content)
        with pytest.raises(UnreadableFile, match="damaged"):
            open_coded(small)


@pytest.mark.parametrize("length", [50, 8000, -1])
def test_a_file_that_was_cut_off_is_noticed(small: Path, length: int) -> None:
    small.write_bytes(small.read_bytes()[:length])
    with pytest.raises(UnreadableFile, match="damaged" if length == 50 else "bytes instead of"):
        open_coded(small)


def test_what_is_no_coded_table_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        engine.read_dataset(tmp_path / "absent.coded")
    with pytest.raises(UnreadableFile, match="could not be read"):
        open_coded(tmp_path)
    for content in ("", "a,b\n1,2\n"):
        write_text(tmp_path / "text.coded", content)
        with pytest.raises(UnreadableFile, match="not a coded table"):
            open_coded(tmp_path / "text.coded")


@pytest.mark.parametrize(
    ("values", "problem"),
    [(np.full(SHAPE, -1), "missing"), (np.full(SHAPE, 3), "fits none"), (np.zeros(SHAPE), "whole numbers")],
)
def test_codes_that_do_not_fit_are_refused(values: np.ndarray, problem: str, tmp_path: Path) -> None:
    with (
        pytest.raises(InvalidData, match=problem),
        CodedTableWriter(tmp_path / "t.coded", variables(), SHAPE[1]) as writer,
    ):
        writer.write(0, values)
    assert not list(tmp_path.iterdir())


def test_codes_may_be_lists(tmp_path: Path) -> None:
    variables = [engine.Variable(name, engine.Kind.NOMINAL, levels=("no", "yes")) for name in "ab"]
    codes: Any = [[0, 1, 0], [1, 1, 0]]
    with engine.CodedTableWriter(tmp_path / "a.coded", variables, rows=3) as writer:
        writer.write(0, codes)
    read = engine.read_dataset(tmp_path / "a.coded")
    assert [read.column(name).tolist() for name in "ab"] == codes


def test_a_table_with_gaps_is_not_written(tmp_path: Path) -> None:
    with (
        pytest.raises(InvalidData, match=r"'V2'.*never written"),
        CodedTableWriter(tmp_path / "t.coded", variables(), SHAPE[1]) as writer,
    ):
        writer.write(0, codes()[:2])
    assert not list(tmp_path.iterdir())


def test_blocks_of_another_shape_are_refused(tmp_path: Path) -> None:
    writer = CodedTableWriter(tmp_path / "t.coded", variables(), SHAPE[1])
    with pytest.raises(InvalidParameter, match="with"):
        writer.write(0, codes())
    with writer:
        for first, block in ((0, codes()[:, 1:]), (1, codes()), (-1, codes()[:1])):
            with pytest.raises(InvalidParameter, match="do not fit"):
                writer.write(first, block)
        writer.write(0, codes())


@pytest.mark.parametrize(
    ("variable", "problem"),
    [
        (Variable("x", Kind.CONTINUOUS), "numbers"),
        (Variable("x", Kind.NOMINAL, Role.IGNORED, LEVELS), "labels and features only"),
        (Variable("x", Kind.NOMINAL), "no levels"),
        (Variable("V0", Kind.NOMINAL, levels=LEVELS), "name"),
        (Variable("", Kind.NOMINAL, levels=LEVELS), "name"),
    ],
)
def test_variables_that_cannot_be_coded_are_refused(variable: Variable, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match=problem):
        CodedTableWriter(tmp_path / "t.coded", [*variables(), variable], 5)


def test_row_weights_are_refused(tmp_path: Path) -> None:
    weight = Variable("w", Kind.CONTINUOUS, Role.WEIGHT)
    dataset = Dataset((*variables(), weight), (*codes(), np.ones(SHAPE[1])))
    with pytest.raises(InvalidData, match="row weights"):
        write_coded(dataset, tmp_path / "t.coded")
