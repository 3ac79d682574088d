"""Names of variables that are tested as one: every list has a text of its own, and is read back from it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.independence.record import joined_names, names_joined

# What names are made of where it is hard to tell them from what stands between them.
NAMES = st.lists(st.text(" +\\a", max_size=7), min_size=1, max_size=4)


@given(names=NAMES)
def test_names_are_read_back(names: list[str]) -> None:
    assert names_joined(joined_names(names)) == tuple(names)


def test_ordinary_names_are_written_as_they_are() -> None:
    assert joined_names(["12+", "a+b", "C:\\data", "dose (mg)"]) == "12+ + a+b + C:\\data + dose (mg)"


def test_one_name_that_is_held_is_a_name_and_not_its_letters() -> None:
    network = engine.simulate(labels=2, features=3, rows=100, seed=0)
    x, y, held = network.dataset.names[:3]
    assert engine.ci_test("g2", network.dataset, x, y, held).given == (held,)
