"""ARFF: quoting, sparse rows, types, weights, and errors that name the line."""

from __future__ import annotations

import gzip
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import scipy.io.arff

import engine
from engine.errors import InvalidData, UnreadableFile
from engine.readers import read_preview, read_table
from tests.effort import relative_effort


def _write(folder: Path, text: str, name: str = "table.arff") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _values(dataset: engine.Dataset, name: str) -> list[str | float | None]:
    """Level names or numbers of a column, None for missing."""
    variable, column = dataset.variable(name), dataset.column(name)
    if variable.kind is engine.Kind.CONTINUOUS:
        return [None if np.isnan(value) else float(value) for value in column]
    return [None if code < 0 else variable.levels[code] for code in column]


def test_quotes_escapes_comments_and_spacing(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        "% a remark\n"
        "@RELATION 'a b'\n\n"
        "@attribute 'Stellar\\'s Jay' {no, yes}\n"
        "@ATTRIBUTE \"in, quotes\" {'a,b',\"c d\", 'it\\'s'}\n"
        "@attribute\tdose\tREAL % not in Weka, but seen\n"
        "@attribute kind{x,y}\n"
        "\n@DATA\n"
        "% another remark\n"
        "yes , 'a,b', 1.5, x\n"
        "\n"
        "no,'it\\'s',?,y % behind a row\n"
        'yes,"c d",-2e3,?\n',
    )
    dataset = read_table(path).dataset
    assert dataset.names == ("Stellar's Jay", "in, quotes", "dose", "kind")
    assert _values(dataset, "Stellar's Jay") == ["yes", "no", "yes"]
    assert _values(dataset, "in, quotes") == ["a,b", "it's", "c d"]
    assert _values(dataset, "kind") == ["x", "y", None]
    assert dataset.variable("in, quotes").levels == ("a,b", "c d", "it's")


def test_numeric_attribute_with_two_values_is_nominal(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        "@relation r\n@attribute flag numeric\n@attribute size integer\n@data\n0,1\n1,2\n1,3\n",
    )
    dataset = read_table(path).dataset
    assert dataset.variable("flag").levels == ("0", "1")
    assert dataset.variable("size").kind is engine.Kind.CONTINUOUS


def test_sparse_rows_fill_in_zero_and_the_first_level(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        "@relation r\n@attribute colour {red,green,blue}\n@attribute n numeric\n"
        "@attribute label {0,1}\n@data\n"
        "{0 blue, 1 2.5}\n{}\n{1 ?, 2 1}\n{ 0 'green' , 1 -1 }\n",
    )
    dataset = read_table(path).dataset
    assert _values(dataset, "colour") == ["blue", "red", "red", "green"]
    assert _values(dataset, "n") == [2.5, 0.0, None, -1.0]
    assert _values(dataset, "label") == ["0", "0", "1", "0"]


def test_sparse_and_dense_writing_of_one_table_agree(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    header = "@relation r\n" + "".join(f"@attribute a{place} numeric\n" for place in range(6)) + "@data\n"
    table = np.where(rng.random((40, 6)) < 0.7, 0, rng.integers(-3, 9, (40, 6)))
    dense = "\n".join(",".join(map(str, row)) for row in table)
    sparse = "\n".join(
        "{" + ",".join(f"{place} {row[place]}" for place in np.flatnonzero(row)) + "}" for row in table
    )
    first = read_table(_write(tmp_path, header + dense, "dense.arff")).dataset
    second = read_table(_write(tmp_path, header + sparse, "sparse.arff")).dataset
    assert first.content_hash == second.content_hash


def test_weights_are_reported_and_not_used(tmp_path: Path) -> None:
    header = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n"
    dense = read_table(_write(tmp_path, header + "1,x,{2}\n2,y\n3,x, {0.5}\n"))
    assert dense.dataset.row_count == 3
    assert [note.topic for note in dense.issues] == ["weights"]
    assert "The weights of" in dense.issues[0].message
    sparse = read_table(_write(tmp_path, header + "{0 1}, {2}\n{1 y}\n{0 3,1 y},{4}\n"))
    assert _values(sparse.dataset, "b") == ["x", "y", "y"]
    assert [note.topic for note in sparse.issues] == ["weights"]


def test_braces_inside_quotes_are_no_weight(tmp_path: Path) -> None:
    levels = "@relation r\n@attribute a {'x,{','y {2}'}\n@attribute b {x,y}\n@data\n"
    path = _write(tmp_path, levels + "{0 'x,{'}\n{0 'y {2}'}\n")
    assert _values(read_table(path).dataset, "a") == ["x,{", "y {2}"]


def test_text_and_dates_become_categories_with_a_word(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        "@relation r\n@attribute name string\n@attribute day date 'yyyy-MM-dd'\n@attribute n numeric\n@data\n"
        "'Ann, B',2020-01-02,1\nBob,?,2\n?,2020-01-03,3\n",
    )
    reading = read_table(path)
    assert _values(reading.dataset, "name") == ["Ann, B", "Bob", None]
    assert _values(reading.dataset, "day") == ["2020-01-02", None, "2020-01-03"]
    assert [(note.topic, note.variable) for note in reading.issues] == [("dates", "day")]


def test_tabs_and_blanks_may_separate(tmp_path: Path) -> None:
    header = "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c {x,y}\n@data\n"
    for rows in ("1\t2\tx\n3\t4\ty\n5\t6\tx\n", "1 2 x\n3  4 y\n5 6  x\n"):
        dataset = read_table(_write(tmp_path, header + rows)).dataset
        assert _values(dataset, "b") == [2.0, 4.0, 6.0]


def test_level_written_as_another_number(tmp_path: Path) -> None:
    path = _write(tmp_path, "@relation r\n@attribute a {0,1}\n@attribute b numeric\n@data\n1.0,1\n0.0,2\n")
    assert _values(read_table(path).dataset, "a") == ["1", "0"]


ID_HEADER = "@relation r\n@attribute id numeric\n@attribute other {a,b}\n@attribute size real\n@data\n"


@pytest.mark.parametrize(
    "rows",
    [
        "9007199254740993,a,1e300\n9007199254740992,b,2\n?,a,3\n0,a,9007199254740992\n",
        '"9007199254740993",a,1e300\n9007199254740992,b,2\n?,a,3\n0,a,9007199254740992\n',
        "{0 9007199254740993,2 1e300}\n{0 9007199254740992,1 b,2 2}\n{0 ?,2 3}\n{2 9007199254740992}\n",
    ],
    ids=["dense", "quoted", "sparse"],
)
def test_long_identifiers_stay_apart(tmp_path: Path, rows: str) -> None:
    """Of neighbours beyond 2**53 a float64 makes one number."""
    reading = read_table(_write(tmp_path, ID_HEADER + rows))
    assert _values(reading.dataset, "id") == ["9007199254740993", "9007199254740992", None, "0"]
    assert _values(reading.dataset, "size") == [1e300, 2, 3, 2.0**53]
    assert [note.variable for note in reading.issues if note.topic == "digit-codes"] == ["id"]


def test_long_identifiers_of_many_columns_stay_apart(tmp_path: Path) -> None:
    names = "".join(f"@attribute v{number} numeric\n" for number in range(1500))
    cells = ",".join(["9007199254740993", *["1.5"] * 1499])
    path = _write(tmp_path, f"@relation r\n{names}@data\n{cells}\n{cells.replace('3', '2', 1)}\n")
    assert _values(read_table(path).dataset, "v0") == ["9007199254740993", "9007199254740992"]


def test_a_long_identifier_is_no_level_beside_it(tmp_path: Path) -> None:
    declared = "@relation r\n@attribute id {9007199254740992,7}\n@attribute n numeric\n@data\n"
    with pytest.raises(InvalidData, match="is not a level"):
        read_table(_write(tmp_path, f"{declared}9007199254740993,1\n7,2\n"))


def test_duplicate_names_are_told_apart(tmp_path: Path) -> None:
    path = _write(tmp_path, "@relation r\n@attribute a numeric\n@attribute a numeric\n@data\n1,2\n")
    reading = read_table(path)
    assert reading.dataset.names == ("a", "a (2)")
    assert reading.issues[0].topic == "duplicate-name"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("1,x\n2\n", "line 6: the row has 1 value, expected 2"),
        ("1,x\n2,y,x\n", "line 6: the row has 3 values, expected 2"),
        ("1,x\n2,z\n", "line 6: 'z' is not a level of attribute 'b'"),
        ("1,x\nabc,y\n", "line 6: 'abc' is not a number, but attribute 'a' is numeric"),
        ("1,x\n1_0,y\n", "line 6: '1_0' is not a number"),
        ("1,'x'\nabc,'y'\n", "line 6: 'abc' is not a number"),
        ("{0 1}\n{0 1, 2 x}\n", "line 6: index 2 is too large"),
        ("{0 1}\n{0 1, 0 2}\n", "line 6: index 0 stands twice"),
        ("{0 1}\n{1 z}\n", "line 6: 'z' is not a level"),
        ("{0 1}\n{0 abc}\n", "line 6: 'abc' is not a number"),
        ("{0 1}\n{zero 1}\n", "line 6: 'zero 1' is not a pair of index and value"),
        ("{0 1}\n{0 1, 1 x\n", "line 6: this row is not closed in braces"),
        ("{0 1}\n1,x\n", "line 6: this row is not closed in braces"),
        ("", "declares columns but holds no rows"),
        ("% only a remark\n", "declares columns but holds no rows"),
    ],
)
def test_bad_rows_are_named_by_line(tmp_path: Path, body: str, message: str) -> None:
    header = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n"
    with pytest.raises(InvalidData) as caught:
        read_table(_write(tmp_path, header + body))
    assert message in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@relation r\n@attribute a numeric\n1\n2\n", "line 3: this line belongs to no ARFF header"),
        ("@relation r\n@attribute a numeric\n", "the line '@data' is missing"),
        ("@relation r\n@data\n1\n", "no attribute is declared"),
        ("@relation r\n@attribute a {x,y\n@data\nx\n", "line 2: the list of levels is not closed"),
        ("@relation r\n@attribute a\n@data\nx\n", "line 2: this attribute cannot be understood"),
        ("@relation r\n@attribute 'a numeric\n@data\n1\n", "line 2: this attribute cannot be understood"),
        ("@relation r\n@attribute a relational\n@data\n1\n", "line 2: attributes of type 'relational'"),
    ],
)
def test_bad_headers_are_named_by_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read_table(_write(tmp_path, text))
    assert message in str(caught.value)
    assert caught.value.remedy


def test_arff_is_known_by_its_content(tmp_path: Path) -> None:
    path = _write(tmp_path, "% x\n@relation r\n@attribute a numeric\n@data\n1\n", "table.txt")
    assert read_table(path).format == "arff"


def test_preview_holds_the_first_rows(shared_data: Path) -> None:
    path = shared_data / "emotions" / "emotions.arff"
    preview = read_preview(path, shared_data / "emotions" / "emotions.xml", rows=10)
    assert preview.dataset.row_count == 10
    assert not preview.complete
    assert len(preview.dataset.labels) == 6


@pytest.mark.parametrize("name", ["emotions/emotions.arff", "flags/flags.arff", "meka/thyroid-L7.arff"])
def test_dense_files_agree_with_scipy(name: str, shared_data: Path) -> None:
    path = shared_data / name
    text = path.read_text(encoding="utf-8").replace("\t", " ")
    rows, meta = scipy.io.arff.loadarff(StringIO(text))
    dataset = read_table(path).dataset
    assert dataset.names == tuple(meta.names())
    for column in meta.names():
        expected = rows[column]
        if expected.dtype.kind == "f":
            numbers = [np.nan if value is None else float(value) for value in _values(dataset, column)]
            np.testing.assert_array_equal(numbers, expected)
        else:
            assert [value or "?" for value in _values(dataset, column)] == [
                value.decode() for value in expected
            ]


def test_large_files_cost_no_more_than_some_times_taking_their_rows_apart(shared_data: Path) -> None:
    path = shared_data / "tmc2007-500" / "tmc2007-500-train.arff.gz"
    dataset = read_table(path).dataset
    assert dataset.row_count == 21519
    assert {column.dtype for column in dataset.columns} == {np.dtype(np.int8)}

    def take_apart() -> int:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return sum(len([cell.split() for cell in row.strip("{}\n").split(",")]) for row in file)

    assert relative_effort(lambda: read_table(path), take_apart) < 10


def test_sparse_attribute_without_levels_is_missing(tmp_path: Path) -> None:
    path = _write(tmp_path, "@relation r\n@attribute a {}\n@attribute b numeric\n@data\n{1 2}\n{1 3}\n{}\n")
    assert _values(read_table(path).dataset, "a") == [None, None, None]


@pytest.mark.parametrize("cells", [["inf"] * 8, ["0.5", "-1e999"] * 4, ["'inf'", "0.5"] * 4])
@pytest.mark.parametrize("is_sparse", [False, True])
def test_an_infinite_number_is_refused_with_its_line(
    cells: list[str], is_sparse: bool, tmp_path: Path
) -> None:
    template = "{{0 {size}, 1 {cell}}}\n" if is_sparse else "{size},{cell}\n"
    rows = "".join(template.format(size=1 + row / 7, cell=cell) for row, cell in enumerate(cells))
    path = _write(tmp_path, f"@relation r\n@attribute size numeric\n@attribute dose numeric\n@data\n{rows}")
    line = 6 if cells[0] == "0.5" else 5
    with pytest.raises(
        InvalidData, match=rf"table\.arff', line {line}, column 'dose': the number is infinite"
    ):
        read_table(path)
