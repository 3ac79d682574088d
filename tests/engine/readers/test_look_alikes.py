"""Names and categories that are different texts but look alike are pointed out, and nothing is merged."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from engine.readers import read_table
from engine.recipe import as_recipe
from tests.engine.readers.written_tables import topics_of

COMPOSED = unicodedata.normalize("NFC", "Größe")
DECOMPOSED = unicodedata.normalize("NFD", "Größe")


def table_of(path: Path, answers: list[str], names: str = "dose,ill") -> Path:
    rows = [f"{number / 7:.3f},{answers[number % len(answers)]}" for number in range(60)]
    path.write_text("\n".join([names, *rows]), encoding="utf-8")
    return path


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
@pytest.mark.parametrize("name", ["Müdigkeit", "niño", "d\u00e9\u00e7u", "wiek \u2265 60"])
def test_letters_that_were_decoded_wrongly_before_are_pointed_out(
    encoding: str, name: str, tmp_path: Path
) -> None:
    path = table_of(tmp_path / "a.csv", ["yes", "no"], f"dose,{name}")
    assert "garbled" not in topics_of(read_table(path))
    path.write_text(path.read_bytes().decode(encoding), encoding="utf-8")
    assert "garbled" in topics_of(read_table(path))


def test_categories_that_differ_only_in_how_they_are_written(tmp_path: Path) -> None:
    path = table_of(tmp_path / "a.csv", ["Yes", "yes ", "No", "yes", "New  York", "new york", "nowhere"])
    reading = read_table(path)
    assert reading.dataset.variable("ill").levels == ("New  York", "No", "Yes", "new york", "nowhere", "yes")
    (note,) = (issue for issue in reading.issues if issue.topic == "similar-categories")
    assert "'New  York' and 'new york'; 'Yes' and 'yes'." in note.message and note.variable == "ill"
    step = {"step": "recode", "column": "ill", "levels": {"yes": "Yes", "new york": "New  York"}}
    merged = read_table(path, recipe=as_recipe([step]))
    assert merged.dataset.variable("ill").levels == ("New  York", "No", "Yes", "nowhere")
    assert "similar-categories" not in topics_of(merged)
    partly = read_table(path, recipe=as_recipe([step | {"levels": {"yes": "Yes"}}]))
    (note,) = (issue for issue in partly.issues if issue.topic == "similar-categories")
    assert "'New  York' and 'new york'." in note.message


def test_merged_categories_of_one_column_among_many_are_no_longer_pointed_out(tmp_path: Path) -> None:
    rows = [",".join(["Yes", "yes", "no"][(row + place) % 3] for place in range(4)) for row in range(60)]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["a,b,c,d", *rows]), encoding="utf-8")
    assert topics_of(read_table(path)).count("similar-categories") == 1
    step = {"step": "recode", "column": "b", "levels": {"yes": "Yes"}}
    notes = read_table(path, recipe=as_recipe([step])).issues
    assert [note.variable for note in notes if note.topic == "similar-categories"] == ["a", "c", "d"]


def test_categories_that_are_others_are_not_pointed_out(tmp_path: Path) -> None:
    reading = read_table(table_of(tmp_path / "a.csv", ["yes", "no", "yes once", "y"]))
    assert "similar-categories" not in topics_of(reading)


def test_names_that_differ_only_in_their_encoding(tmp_path: Path) -> None:
    reading = read_table(table_of(tmp_path / "a.csv", ["yes", "no"], f"{COMPOSED},{DECOMPOSED}"))
    assert reading.dataset.names == (COMPOSED, DECOMPOSED)
    assert topics_of(reading).count("similar-names") == 1
    table = read_table(table_of(tmp_path / "b.csv", ["yes", "no"], f"{COMPOSED},grosse"))
    assert "similar-names" not in topics_of(table)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_a_mark_that_is_written_twice_is_no_part_of_a_name(encoding: str, tmp_path: Path) -> None:
    path = table_of(tmp_path / "a.csv", ["yes", "no"])
    path.write_bytes(("\ufeff\ufeff" + path.read_text(encoding="utf-8")).encode(encoding))
    assert read_table(path).dataset.names == ("dose", "ill")


def test_nor_in_a_file_that_stays_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.readers.encodings._LEAST_LEFT_IN_FILE", 1)
    path = table_of(tmp_path / "a.csv", ["yes", "no"])
    path.write_bytes(2 * b"\xef\xbb\xbf" + path.read_bytes())
    assert read_table(path).dataset.names == ("dose", "ill")
