"""A command that is killed leaves nothing half-written; ``killed_commands.py`` does this by hundreds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.engine.killed_commands import COMMANDS, kills


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the system of Linux for processes")
@pytest.mark.parametrize(
    ("times", "names"),
    [(1, ["select"]), pytest.param(12, list(COMMANDS), marks=pytest.mark.long)],
)
def test_what_is_killed_leaves_nothing_and_spoils_nothing(
    times: int, names: list[str], tmp_path: Path
) -> None:
    all_killed = list(kills(tmp_path, times, names))
    assert len(all_killed) == times and all(killed.is_well for killed in all_killed), all_killed
