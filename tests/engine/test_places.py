"""A kernel that is given an address reads what Python described there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import types

from engine.compiled.decorators import addressed_kernel, counting_kernel
from engine.compiled.places import address_of, caller, described, kind_of, parts_of, place_of

_RESULT = types.UniTuple(types.float64, 3)
_call = caller((types.int64, types.int64), _RESULT)


class _Inner(NamedTuple):
    codes: np.ndarray
    share: float
    is_counted: bool


class _Outer(NamedTuple):
    values: np.ndarray
    inner: _Inner
    count: int


@addressed_kernel
def _read(place: Any, row: int) -> Any:
    outer, sums = parts_of(place)
    inner = outer.inner
    sums[row] += 1.0
    total = 0.0
    for column in range(outer.values.shape[1]):
        total += outer.values[row, column]
    counted = outer.count if inner.is_counted else -outer.count
    return total, inner.share * inner.codes[row], float(counted)


@counting_kernel
def _ask(begin: int, place: int, row: int) -> Any:
    return _call(begin, (place, row))


def _asked(outer: _Outer, sums: np.ndarray, row: int) -> tuple[float, ...]:
    content = (outer, sums)
    begin = address_of(_read, (place_of(content), types.int64), _RESULT)
    description = described(content)
    answer: tuple[float, ...] = _ask(begin, description.ctypes.data, row)
    return answer


@pytest.mark.parametrize("layout", ["C", "F", "A"])
@pytest.mark.parametrize("is_counted", [True, False])
def test_arrays_in_any_order_numbers_and_what_is_within_are_read(layout: str, is_counted: bool) -> None:
    numbers = np.arange(24, dtype=np.float64).reshape(4, 6)
    values = {"C": numbers, "F": np.asfortranarray(numbers), "A": numbers[:, ::2]}[layout]
    inner = _Inner(np.array([3, -2, 5, 7], dtype=np.int8), 0.25, is_counted)
    sums = np.zeros(4)
    for row in range(4):
        expected = values[row].sum(), 0.25 * inner.codes[row], 9.0 if is_counted else -9.0
        assert _asked(_Outer(values, inner, 9), sums, row) == expected
    assert sums.tolist() == [1.0] * 4


def test_what_may_not_be_written_needs_no_other_kernel() -> None:
    inner, sums = _Inner(np.zeros(4, dtype=np.int8), 0.25, True), np.zeros(4)
    fixed = np.ones((4, 6))
    fixed.flags.writeable = False
    contents = [(_Outer(values, inner, 9), sums) for values in (np.ones((4, 6)), fixed)]
    assert len({kind_of(content) for content in contents}) == 1
    assert len({place_of(content) for content in contents}) == 1


def test_a_kernel_that_gives_something_else_is_refused() -> None:
    content = (_Outer(np.ones((4, 6)), _Inner(np.zeros(4, dtype=np.int8), 0.25, True), 9), np.zeros(4))
    with pytest.raises(TypeError, match="_read"):
        address_of(_read, (place_of(content), types.int64), types.float64)
