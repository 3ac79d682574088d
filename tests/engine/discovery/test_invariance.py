"""Units, origins, names and order change no finding, in the short form of a benchmark."""

from __future__ import annotations

import pytest

from tests.benchmarks.invariance import differences


@pytest.mark.parametrize("test", ["basis", "rcot", "mixed", "fisher-z", "fisher-z-rank", "g2"])
def test_units_origins_names_and_order_change_no_finding(test: str) -> None:
    assert set(differences(test, 3, seed=45).values()) == {0}
