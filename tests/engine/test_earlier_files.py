"""What an earlier program wrote opens with the values that it read itself, and is written as it was.

The files of 2026-11-28 are those of commit f3cf583f, those of 2026-11-29 of the last one before results,
selections and projects had one codec. Each program wrote every kind of record of its time, of a result made
by hand, and into ``…-values.json`` what it read in its own files.
"""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine.errors import UnreadableFile
from engine.project.project_files import save_project
from engine.reporting.result_file import json_lines, read_analysis, result_object
from engine.reporting.selection_formats import selection_object
from engine.reporting.tables import ResultContext

FILES = Path(__file__).parent / "projects"
LAST = "2026-11-29"


@pytest.fixture(scope="module", params=["2026-11-28", LAST])
def date(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def project(date: str) -> engine.Project:
    return engine.open_project(FILES / f"{date}-project.clcd")


@pytest.fixture(scope="module")
def analysis(date: str, project: engine.Project) -> ResultContext:
    return read_analysis(FILES / f"{date}-result.json", project.dataset)


@pytest.fixture(scope="module")
def values(date: str) -> Any:
    return json.loads((FILES / f"{date}-values.json").read_text("utf-8"))


def plain(value: Any) -> Any:
    """Write a value down with the fields of every class in it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, bytes):
        return value.hex()
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return [[plain(key), plain(part)] for key, part in value.items()]
    if isinstance(value, (list, tuple)):
        return [plain(member) for member in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(member) for member in value)
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def assert_holds(actual: Any, earlier: Any, place: str = "") -> None:
    """Later programs may add members; what was there before is the same."""
    if isinstance(earlier, dict):
        assert isinstance(actual, dict), place
        for name, part in earlier.items():
            assert_holds(actual[name], part, f"{place}.{name}")
    elif isinstance(earlier, list):
        assert isinstance(actual, list) and len(actual) == len(earlier), place
        for position, (first, second) in enumerate(zip(actual, earlier, strict=True)):
            assert_holds(first, second, f"{place}[{position}]")
    else:
        assert actual == earlier, place


def test_a_result_holds_what_it_held(analysis: ResultContext, values: Any) -> None:
    assert_holds(plain(analysis.result), values["result"])
    assert_holds(plain(analysis.preparation), values["preparation"])


def test_the_table_of_a_result_is_described_as_it_was(date: str, values: Any) -> None:
    described = read_analysis(FILES / f"{date}-result.json").result.dataset
    assert_holds(plain(described), values["described table"])


def test_a_project_holds_what_it_held(project: engine.Project, values: Any) -> None:
    assert_holds(plain(project), values["project"])


def test_a_selection_holds_what_it_held(date: str, analysis: ResultContext) -> None:
    earlier = json.loads((FILES / f"{date}-selection.json").read_text("utf-8"))
    for reason in (reason for feature in earlier["features"] for reason in feature["reasons"]):
        # Both are measured when features are selected, and the test of numbers has changed.
        del reason["strength"], reason["log_p"]
    assert_holds(selection_object(engine.selection_of(analysis.result), analysis.preparation), earlier)


def test_files_of_today_are_laid_out_as_before(tmp_path: Path) -> None:
    project = engine.open_project(FILES / f"{LAST}-project.clcd")
    analysis = read_analysis(FILES / f"{LAST}-result.json", project.dataset)
    written = "".join(json_lines(result_object(analysis)))
    assert written == (FILES / f"{LAST}-result.json").read_text("utf-8")
    selection = selection_object(engine.selection_of(analysis.result), analysis.preparation)
    assert "".join(json_lines(selection)) == (FILES / f"{LAST}-selection.json").read_text("utf-8")
    save_project(tmp_path / "again.clcd", project)
    with (
        zipfile.ZipFile(tmp_path / "again.clcd") as again,
        zipfile.ZipFile(FILES / f"{LAST}-project.clcd") as before,
    ):
        assert again.namelist() == before.namelist()
        assert all(again.read(name) == before.read(name) for name in before.namelist())


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ("evidence", 3, "tests", 0, "rows"),
            1.5,
            r"1\.5 is not a whole number in evidence\[3\]\.tests\[0\]\.rows",
        ),
        (("evidence", 0, "partner"), "abc", r"'abc' is not a list in evidence\[0\]\.partner"),
        (("orientations", 0, "mark_at_label"), "point", r"'point' is not a valid EndMark"),
        (("orientations", 0, "claims"), [7], r"claims\[0\]"),
        (("effects", "sizes", 0, "points", 0), ["no", None, 0.5], r"sizes\[0\]\.points\[0\]"),
        (("effects", "sizes", 0, "contrasts", 0, "low"), "0.5", r"'0\.5' is not a number"),
        (("stability", "pairs", 0, "rules"), {}, r"'neighbour' is absent in stability\.pairs\[0\]"),
    ],
)
def test_a_damaged_member_is_named(
    path: tuple[str | int, ...], value: object, message: str, tmp_path: Path
) -> None:
    content = json.loads((FILES / f"{LAST}-result.json").read_text("utf-8"))
    inner = content
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    (tmp_path / "result.json").write_text(json.dumps(content), "utf-8")
    with pytest.raises(UnreadableFile, match=message) as raised:
        read_analysis(tmp_path / "result.json")
    assert "result.json" in raised.value.place and raised.value.remedy
