"""One copy of the codes: columns that lie in one array stay there, others are copied together."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from engine.independence.arranging import make_test_data
from engine.table.code_blocks import block_of, level_sets
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable

INT8 = np.dtype(np.int8)


def table(columns: list[np.ndarray], levels: int = 2) -> Dataset:
    names = tuple(str(level) for level in range(levels))
    return Dataset(
        tuple(Variable(f"v{place}", Kind.NOMINAL, levels=names) for place in range(len(columns))),
        tuple(columns),
    )


def random_codes(variables: int, rows: int, levels: int = 2) -> np.ndarray:
    return np.random.default_rng(0).integers(0, levels, (variables, rows), dtype=np.int8)


def test_rows_of_one_array_are_recognised() -> None:
    codes = random_codes(6, 10)
    block = block_of(list(codes[2:5]), INT8)
    assert np.shares_memory(block, codes)
    assert not block.flags.writeable
    np.testing.assert_array_equal(block, codes[2:5])


@pytest.mark.parametrize(
    "pick",
    [
        lambda codes: [codes[0], codes[2]],
        lambda codes: [codes[1], codes[0]],
        lambda codes: [codes[0], codes[1].copy()],
        lambda codes: [codes[0, ::2], codes[1, ::2]],
        lambda codes: [codes[0, 1:], codes[1, 1:]],
        lambda codes: [codes[0].astype(np.int16), codes[1].astype(np.int16)],
    ],
)
def test_anything_else_is_copied(pick) -> None:  # type: ignore[no-untyped-def]
    codes = random_codes(4, 11)
    columns = pick(codes)
    block = block_of(columns, INT8)
    assert not np.shares_memory(block, codes)
    assert block.flags.c_contiguous and block.dtype == INT8
    np.testing.assert_array_equal(block, np.array(columns))


@pytest.mark.parametrize("given", [np.int64, np.int8, bool])
def test_a_table_and_its_tests_share_the_codes(given: type) -> None:
    dataset = table(list(random_codes(5, 70).astype(given)))
    data = make_test_data(dataset, "g2").at_level(0.05)
    assert all(np.shares_memory(data.table.codes, column) for column in dataset.columns)


def test_codes_given_read_only_are_not_copied() -> None:
    codes = random_codes(5, 70)
    codes.setflags(write=False)
    dataset = table(list(codes))
    assert all(np.shares_memory(codes, column) for column in dataset.columns)


def test_changing_one_column_leaves_the_others_where_they_are() -> None:
    dataset = table(list(random_codes(5, 70)))
    changed = dataset.with_column(dataset.variables[2], np.ones(70, dtype=np.int8))
    assert np.shares_memory(changed.columns[0], dataset.columns[0])
    assert changed.columns[2].all()
    data = make_test_data(changed.with_roles({"v1": Role.IGNORED}), "g2").at_level(0.05)
    np.testing.assert_array_equal(data.table.codes, [changed.columns[position] for position in (0, 2, 3, 4)])


def test_selected_rows_are_those_and_lie_together() -> None:
    codes = random_codes(4, 50)
    dataset = table(list(codes))
    for rows in (np.arange(50) % 3 == 0, np.array([7, 7, 1])):
        selected = dataset.select_rows(rows)
        np.testing.assert_array_equal(selected.columns, codes[:, rows])
        assert not selected.columns[0].flags.writeable
        data = make_test_data(selected, "g2").at_level(0.05)
        assert np.shares_memory(data.table.codes, selected.columns[3])


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 300_000])
def test_sets_of_rows_hold_each_row_once(rows: int) -> None:
    counts = np.array([2, 4, 3])
    codes = np.array(
        [np.random.default_rng(count).integers(-1, count, rows) for count in counts], dtype=np.int8
    )
    sets = level_sets(codes, counts)
    bits = np.unpackbits(sets.astype("<u8").view(np.uint8), axis=1, bitorder="little")
    wanted = [codes[variable] == level for variable, count in enumerate(counts) for level in range(count)]
    np.testing.assert_array_equal(bits[:, :rows], wanted)
    assert not bits[:, rows:].any()
    more = level_sets(codes, counts, and_all_rows=True)
    np.testing.assert_array_equal(more[:-1], sets)
    assert np.bitwise_count(more[-1]).sum() == rows


def test_arranging_takes_little_besides_the_codes() -> None:
    dataset = table(list(random_codes(200, 20_000)))
    make_test_data(dataset, "g2").at_level(0.05)
    coded = 200 * 20_000
    tracemalloc.start()
    make_test_data(dataset, "g2").at_level(0.05)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # A quarter for the sets of rows of two levels, the rest in passing.
    assert peak < 0.6 * coded
