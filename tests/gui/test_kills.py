"""Killed while it saves, the program loses nothing; ``tests/gui/kills.py`` does this as often as is asked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.atomic import remove_abandoned
from tests.gui.kills import DONE, KEPT, PROJECT, RECORD, kills


@pytest.mark.skipif(os.name != "posix", reason="elsewhere nothing can be killed at once")
@pytest.mark.parametrize("times", [3, pytest.param(40, marks=pytest.mark.long)])
def test_nothing_is_lost_when_it_is_killed(tmp_path: Path, times: int) -> None:
    all_killed = list(kills(tmp_path, times))
    assert len(all_killed) == times and all(killed.is_well for killed in all_killed), all_killed
    # What the killed ones left is removed by whoever writes next.
    for path in tmp_path.iterdir():
        os.utime(path, (0, 0))
    remove_abandoned(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} - {PROJECT} == {KEPT, DONE, RECORD}
