"""Real tables without a fault are opened as they are, and hardly anything is asked about them."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest

from clcd_gui.document.doubts import doubts_of
from engine.readers import read_table
from engine.readers.options import ReadingOptions
from tests.benchmarks.harmless import Verdict, judge, write_tables

_MOST_ASKED = 0.05
# Its occupations are codes, so that it is asked about rightly.
_WITH_CODES = "fair.csv"


# Folders of tables with a fault, or of networks, and files beside the others that are no tables of cases.
_NO_CASES = ("door", "messy", "mulan-edge-cases", "networks", "networks-bnrep")
_NO_TABLES = ("README", "INDEX", "categories", "graph")
# Sectors, and degrees of education, exercise and the like: codes, so that they are asked about rightly.
_WITH_CODES_TOO = {"plm_EmplUK.csv", "nhefs.csv.gz"}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    pytest.importorskip("statsmodels")
    return [judge(path) for path in write_tables(tmp_path_factory.mktemp("tables"))]


def test_real_tables_are_read_as_they_are(verdicts: list[Verdict]) -> None:
    assert len(verdicts) >= 30
    assert [verdict for verdict in verdicts if verdict.changed] == []


def test_hardly_a_real_table_is_asked_about(verdicts: list[Verdict]) -> None:
    asking = [verdict for verdict in verdicts if verdict.questions and verdict.name != _WITH_CODES]
    assert len(asking) <= _MOST_ASKED * len(verdicts), asking


def test_a_change_would_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "changed.csv"
    # Both say that -999 is missing only to this program.
    pandas.DataFrame({"age": [31, 45, -999, 52] * 9, "dose": [1, 2, 3, -999] * 9}).to_csv(path, index=False)
    assert judge(path).changed == ("age", "dose")


def test_hardly_a_table_of_a_study_is_asked_about(shared_data: Path) -> None:
    paths = [
        path
        for path in sorted(shared_data.rglob("*.*"))
        if path.is_file()
        and path.relative_to(shared_data).parts[0] not in _NO_CASES
        and path.suffix not in (".md", ".xml", ".json")
        and not any(word in path.name for word in _NO_TABLES)
    ]
    assert len(paths) >= 50
    questions = {
        path.name: [
            doubt.title
            for doubt in doubts_of(read_table(path), ReadingOptions())
            if doubt.is_serious or doubt.is_to_check
        ]
        for path in paths
    }
    needless = {name for name, titles in questions.items() if titles} - _WITH_CODES_TOO
    assert len(needless) <= _MOST_ASKED * len(paths), needless
