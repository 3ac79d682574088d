"""Labels from a Mulan XML file, a MEKA header, a second table or a list of names."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine.errors import InvalidData, InvalidParameter, UnreadableFile
from engine.readers import find_label_file, read_table
from engine.readers.labels import meka_label_count

_HEADER = "@attribute a {0,1}\n@attribute b {0,1}\n@attribute c {0,1}\n@data\n0,1,0\n1,0,1\n"


def _arff(folder: Path, relation: str = "r", name: str = "table.arff") -> Path:
    path = folder / name
    path.write_text(f"@relation {relation}\n{_HEADER}", encoding="utf-8")
    return path


def _xml(folder: Path, content: str, name: str = "table.xml") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def _labels(*names: str) -> str:
    inner = "".join(f'<label name="{name}"/>' for name in names)
    return f'<labels xmlns="http://mulan.sourceforge.net/labels">{inner}</labels>'


@pytest.mark.parametrize(
    ("relation", "count"),
    [
        ("'Music: -C 6'", 6),
        ("'thyroid: -C -7 -split-percentage 50'", -7),
        ("'x: -split-number 3 -C 2'", 2),
        ("'MEDC: -C 45 -I 0-weka.filters.Remove-R1-45_MEDC: -C 45 -I 0'", 45),
        ("no-options", 0),
        ("'a -C 3'", 0),
        ("'x: -C three'", 0),
    ],
)
def test_meka_option(relation: str, count: int) -> None:
    assert meka_label_count(relation.strip("'")) == count


def test_meka_labels_at_either_end(tmp_path: Path) -> None:
    assert engine.read_dataset(_arff(tmp_path, "'r: -C 2'")).labels == ("a", "b")
    assert engine.read_dataset(_arff(tmp_path, "'r: -C -1'")).labels == ("c",)


def test_meka_header_is_reported_as_a_guess(tmp_path: Path) -> None:
    guess = read_table(_arff(tmp_path, "'r: -C 2'")).guess("labels")
    assert guess is not None and guess.value == "a, b" and guess.certain


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("1", "the first column is the label"),
        ("2", "the first 2 columns are the labels"),
        ("-1", "the last column is the label"),
        ("-2", "the last 2 columns are the labels"),
    ],
)
def test_a_meka_header_is_told_in_a_sentence(tmp_path: Path, option: str, reason: str) -> None:
    guess = read_table(_arff(tmp_path, f"'r: -C {option}'")).guess("labels")
    assert guess is not None and guess.reason == f"The header says '-C {option}': {reason}."


@pytest.mark.parametrize(
    ("row", "reason"),
    [("{0},x", "above 1 column of numbers"), ("{0},{0}", "above 2 columns of numbers")],
)
def test_how_a_header_was_told_is_a_sentence(tmp_path: Path, row: str, reason: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("first,second\n" + "".join(row.format(number) + "\n" for number in range(9)))
    guess = read_table(path).guess("header")
    assert guess is not None and reason in guess.reason


def test_impossible_meka_header_is_set_aside(tmp_path: Path) -> None:
    reading = read_table(_arff(tmp_path, "'r: -C 3'"))
    assert reading.dataset.labels == ()
    assert [note.topic for note in reading.issues] == ["stale-header"]


def test_explicit_labels_win_over_the_header(tmp_path: Path) -> None:
    path = _arff(tmp_path, "'r: -C 2'")
    xml = _xml(tmp_path, _labels("c"), "other.xml")
    for labels in (xml, str(xml), ["c"], ("c",), iter(["c"])):
        reading = read_table(path, labels)
        assert reading.dataset.labels == ("c",)
        assert reading.guess("labels") is None


def test_medical_xml_wins_over_its_stale_header(shared_data: Path) -> None:
    path = shared_data / "medical" / "medical.arff"
    stale = read_table(path)
    assert stale.guess("labels") is not None
    assert not stale.guess("labels").certain
    assert "stale-header" in {note.topic for note in stale.issues}
    right = read_table(path, shared_data / "medical" / "medical.xml")
    assert right.dataset.labels[0] == "Class-0-593_70"
    assert right.dataset.labels == right.dataset.names[-45:]


def test_nested_labels_are_all_found(shared_data: Path) -> None:
    folder = shared_data / "mulan-edge-cases"
    dataset = engine.read_dataset(folder / "hierarchical-train.arff.gz", folder / "hierarchical.xml")
    assert len(dataset.labels) == 364
    assert {"01", "01/01", "01/01/03/01/01"} <= set(dataset.labels)


def test_names_with_quotes_match(shared_data: Path) -> None:
    dataset = engine.read_dataset(
        shared_data / "birds" / "birds-train.arff.gz", shared_data / "birds" / "birds.xml"
    )
    assert "Stellar's Jay" in dataset.labels


def test_label_order_is_that_of_the_columns(tmp_path: Path) -> None:
    dataset = engine.read_dataset(_arff(tmp_path), _xml(tmp_path, _labels("c", "a")))
    assert dataset.labels == ("a", "c")
    assert dataset.names == ("a", "b", "c")


def test_multi_class_labels(shared_data: Path) -> None:
    dataset = engine.read_dataset(shared_data / "meka" / "thyroid-L7.arff")
    assert dataset.variable("class_hyperthyroid").levels == ("A", "B", "C", "D", "NEG")
    assert len(dataset.labels) == 7


def test_second_table_of_labels(shared_data: Path) -> None:
    folder = shared_data / "csv-emotions"
    dataset = engine.read_dataset(folder / "train.csv", folder / "train_labels.csv")
    assert (dataset.row_count, len(dataset.features)) == (391, 72)
    assert dataset.labels == ("L1", "L2", "L3", "L4", "L5", "L6")
    arff = engine.read_dataset(
        shared_data / "emotions" / "emotions-train.arff", shared_data / "emotions" / "emotions.xml"
    )
    for place, name in enumerate(arff.labels):
        assert (arff.column(name) == dataset.column(f"L{place + 1}")).all()


def test_a_missing_outcome_is_a_row_of_the_second_table(tmp_path: Path) -> None:
    features, outcomes = tmp_path / "fg.csv", tmp_path / "lg.csv"
    features.write_text("age,dose\n" + "".join(f"{30 + row},{row / 2}\n" for row in range(20)))
    cells = [str(row % 2) for row in range(20)]
    cells[7] = ""
    outcomes.write_text("ill\n" + "\n".join(cells) + "\n")
    dataset = engine.read_dataset(features, labels=outcomes)
    assert dataset.labels == ("ill",) and dataset.row_count == 20
    assert dataset.column("ill").tolist() == [int(cell) if cell else -1 for cell in cells]
    cells[0] = ""
    outcomes.write_text("ill\n" + "\n".join(cells) + "\n")
    with pytest.raises(InvalidData, match="19 rows of labels") as caught:
        engine.read_dataset(features, labels=outcomes)
    assert "Blank lines" in caught.value.remedy


def test_row_names_of_the_second_table_are_no_label(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("age\n" + "".join(f"{row + 0.5}\n" for row in range(30)), "utf-8")
    labels = tmp_path / "labels.csv"
    for first, names in (("{row}", ("ill",)), ("p{row}", ("ill",)), ("{third}", ("V1", "ill"))):
        rows = (f"{first},{{ill}}\n".format(row=row, third=row // 3, ill=row % 2) for row in range(30))
        labels.write_text(",ill\n" + "".join(rows), "utf-8")
        reading = read_table(tmp_path / "data.csv", labels)
        assert reading.dataset.labels == names
        topics = [note.topic for note in reading.issues]
        assert topics == ["row-names" if names == ("ill",) else "unnamed-column", "joined"]


def test_second_table_must_fit(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "csv-emotions"
    with pytest.raises(InvalidData, match="holds 202 rows of labels, but the data have 391"):
        engine.read_dataset(folder / "train.csv", folder / "test_labels.csv")
    features, labels = tmp_path / "x.csv", tmp_path / "y.csv"
    features.write_text("dose,a\n" + "".join(f"{row / 7},{row}\n" for row in range(9)), encoding="utf-8")
    labels.write_text("dose,b\n" + "".join(f"{row / 9},{row % 2}\n" for row in range(9)), encoding="utf-8")
    with pytest.raises(InvalidData, match="both tables have a column named 'dose'"):
        engine.read_dataset(features, labels)


def test_absent_label_names_its_neighbours(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("smoker,age,cough\n1,30,0\n0,40,1\n", encoding="utf-8")
    with pytest.raises(InvalidParameter, match=r"'smokers' is not a column.*'smoker'"):
        engine.read_dataset(path, labels=["smokers"])
    xml = _xml(tmp_path, _labels("cough", "smokr", "nothing"))
    with pytest.raises(InvalidParameter) as caught:
        engine.read_dataset(path, labels=xml)
    assert caught.value.place == "file 'table.xml'"
    assert "2 labels are absent" in str(caught.value)
    assert "'smoker'" in caught.value.remedy


def test_no_label_and_no_feature(tmp_path: Path) -> None:
    path = _arff(tmp_path)
    with pytest.raises(InvalidParameter, match="no label is named"):
        engine.read_dataset(path, labels=[])
    with pytest.raises(InvalidData, match="every column is a label"):
        engine.read_dataset(path, labels=["a", "b", "c"])


_BOMB = (
    '<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefgh", "bcdefghi", strict=True))
    + ']><labels><label name="&i;"/></labels>'
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<labels><label name='a'></labels>", "not well-formed at line 1"),
        ("<labels>\n<label name='a'/>\n", "not well-formed at line 3"),
        (_BOMB, "declares entities"),
        (
            '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><labels><label name="&e;"/></labels>',
            "declares entities",
        ),
        ("<html><body/></html>", "holds 'html', not a list of labels"),
        ("<labels></labels>", "names no label"),
        ("<labels><label/></labels>", "a label has no name"),
        ('<?xml version="1.0" encoding="no-such"?><labels/>', "are not accepted"),
    ],
)
def test_bad_xml(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        engine.read_dataset(_arff(tmp_path), _xml(tmp_path, content))
    assert message in str(caught.value)
    assert caught.value.place == "file 'table.xml'"
    assert caught.value.remedy


def test_plain_doctype_is_harmless(tmp_path: Path) -> None:
    xml = _xml(tmp_path, "<!DOCTYPE labels>" + _labels("a"))
    assert engine.read_dataset(_arff(tmp_path), xml).labels == ("a",)


def test_label_file_beside_the_data(shared_data: Path, tmp_path: Path) -> None:
    assert find_label_file(shared_data / "birds" / "birds.orig.arff.gz").name == "birds.xml"
    assert find_label_file(shared_data / "enron" / "enron-test.arff").name == "enron.xml"
    assert find_label_file(shared_data / "meka" / "Music.arff") is None
    assert find_label_file(tmp_path / "absent" / "x.arff") is None


def test_a_damaged_neighbour_does_no_harm(tmp_path: Path) -> None:
    path = _arff(tmp_path, "'r: -C 1'")
    _xml(tmp_path, "<labels>")
    assert engine.read_dataset(path).labels == ("a",)
