"""Real tables without a fault are opened as they are, and hardly anything is asked about them."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest

from tests.benchmarks.harmless import Verdict, judge, write_tables

_MOST_ASKED = 0.05
# Its occupations are codes, so that it is asked about rightly.
_WITH_CODES = "fair.csv"


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    pytest.importorskip("statsmodels")
    return [judge(path) for path in write_tables(tmp_path_factory.mktemp("tables"))]


def test_real_tables_are_read_as_they_are(verdicts: list[Verdict]) -> None:
    assert len(verdicts) >= 30
    assert [verdict for verdict in verdicts if verdict.changed] == []


def test_hardly_a_real_table_is_asked_about(verdicts: list[Verdict]) -> None:
    asked = [verdict for verdict in verdicts if verdict.asked and verdict.name != _WITH_CODES]
    assert len(asked) <= _MOST_ASKED * len(verdicts), asked


def test_a_change_would_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "changed.csv"
    # Both say that -999 is missing only to this program.
    pandas.DataFrame({"age": [31, 45, -999, 52] * 9, "dose": [1, 2, 3, -999] * 9}).to_csv(path, index=False)
    assert judge(path).changed == ("age", "dose")
