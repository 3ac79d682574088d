"""A folder of files is written whole or not at all; formats are known by name."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from engine.errors import InvalidParameter, UnwritableFile
from engine.reporting.export_formats import export, export_file, export_formats

STANDARD = [
    "result.json",
    "common.csv",
    "label_specific.csv",
    "links.csv",
    "equivalences.csv",
    "label_relations.csv",
    "directions.csv",
    "graph.graphml",
    "report.html",
]


def test_the_standard_files(hand_made: ModuleType, tmp_path: Path) -> None:
    paths = export(hand_made.make_result(), tmp_path / "out")
    assert [path.name for path in paths] == STANDARD
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(STANDARD)


def test_every_format_at_once(hand_made: ModuleType, tmp_path: Path) -> None:
    # What does it again needs the file of the table, which a table that was made by hand does not have.
    names = [name for name in export_formats() if name not in ("script", "command")]
    paths = export(hand_made.make_result(), tmp_path / "out", also=names)
    assert [path.name for path in paths] == [export_formats()[name].file_name for name in names]
    assert all(path.is_file() for path in paths)


@pytest.mark.parametrize("name", ["script", "command"])
def test_a_script_needs_the_file_of_the_table(hand_made: ModuleType, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidParameter, match="where the table came from"):
        export(hand_made.make_result(), tmp_path / "out", also=[name])
    assert not (tmp_path / "out").exists()


def test_formats_are_described(hand_made: ModuleType) -> None:
    for name, export_format in export_formats().items():
        assert export_format.name == name
        assert (
            export_format.title
            and export_format.help.endswith(".")
            and export_format.extension.startswith(".")
        )
    names = [export_format.file_name for export_format in export_formats().values()]
    assert len(set(names)) == len(names)


def test_an_unknown_format_is_named_before_anything_is_written(hand_made: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match=r"'tabels' is not an export format\. Did you mean 'tables'"):
        export(hand_made.make_result(), tmp_path / "out", also=["tabels"])
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_way(hand_made: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(UnwritableFile, match="a file has the name of the folder"):
        export(hand_made.make_result(), tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


def test_a_folder_in_the_place_of_a_file_leaves_earlier_results(
    hand_made: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "result.json").write_text("earlier")
    (tmp_path / "report.html").mkdir()
    with pytest.raises(UnwritableFile, match=r"report\.html.*a folder has this name"):
        export(hand_made.make_result(), tmp_path)
    assert (tmp_path / "result.json").read_text() == "earlier"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "result.json"]


def test_a_format_that_fails_leaves_nothing(hand_made: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="its folder does not exist"):
        export_file(hand_made.make_result(), tmp_path / "absent" / "a.csv", "common")
    assert list(tmp_path.iterdir()) == []
