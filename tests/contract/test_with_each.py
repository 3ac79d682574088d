"""A test that is run with each of many values fails when it fails with one of them, and names these."""

from __future__ import annotations

import pytest

from tests.with_each import with_each


def test_every_value_is_tried_and_those_that_fail_are_named() -> None:
    tried = []

    @with_each("step", [1, 2])
    @with_each(("name", "size"), [("a", 3), ("b", 5), ("c", 7)])
    def is_small(size: int, name: str, step: int, limit: int) -> None:
        tried.append((step, name))
        assert size + step < limit

    with pytest.raises(AssertionError) as caught:
        is_small(limit=7)
    assert len(tried) == 6
    assert caught.value.__notes__ == [
        "Fails with 1 of 3, and this is the first: name='c', size=7",
        "Fails with 2 of 2, and this is the first: step=1; step=2",
    ]
    is_small(limit=10)


def test_no_value_is_no_test() -> None:
    with pytest.raises(AssertionError, match="no value for seed"):
        with_each("seed", [])
