"""A window killed while it exports leaves whole files; ``killed_exports.py`` does this by hundreds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.gui.killed_exports import EXPORTS, kills


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the system of Linux for processes")
@pytest.mark.parametrize(
    ("times", "exports"), [(1, ["common", "grid.png"]), pytest.param(20, EXPORTS, marks=pytest.mark.long)]
)
def test_an_export_that_is_killed_leaves_whole_files(times: int, exports: list[str], tmp_path: Path) -> None:
    all_killed = list(kills(tmp_path, times, exports, longest=0.5 if len(exports) < len(EXPORTS) else 5.0))
    assert len(all_killed) == times and all(killed.is_well for killed in all_killed), all_killed
