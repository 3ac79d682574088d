"""Used at random, the window fails nowhere; ``tests/gui/monkey.py`` does this as long as is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.monkey import CRASH, start
from tests.gui.monkey_record import recorded, summary
from tests.gui.resting import slope


@pytest.mark.parametrize("actions", [80, pytest.param(3000, marks=pytest.mark.long)])
def test_nothing_goes_wrong_where_it_is_used_at_random(tmp_path: Path, actions: int) -> None:
    status = start(tmp_path, seed=7, seconds=30.0 + actions / 10, actions=actions)
    assert status == 0, (tmp_path / CRASH).read_text()
    (part,) = recorded(tmp_path)
    assert not part["wrong"], summary(part)


def test_the_slope_is_that_of_what_comes_after_the_first_thousand() -> None:
    memory = [(100 * step, 200.0 + (300.0 if step > 9 else 0.0) + 0.2 * step) for step in range(1, 41)]
    assert slope(memory) == pytest.approx(2.0)
