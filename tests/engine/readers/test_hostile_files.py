"""Files made to be slow or to break a reader: the work grows with the file, and every fault has its words."""

from __future__ import annotations

import contextlib
import gzip
import lzma
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pandas
import pytest

from engine import open_project
from engine.atomic import atomic_folder, write_text
from engine.errors import EngineError, InvalidData, UnreadableFile, UnwritableFile
from engine.execution import memory
from engine.knowledge.knowledge_files import read_knowledge
from engine.readers import read_preview, read_table, row_lengths, source
from engine.readers.networks import read_network
from engine.recipe import read_recipe
from engine.reporting.result_file import read_result
from engine.table.coded_files import open_coded
from tests.effort import relative_effort
from tests.fuzzing.handmade import xls_of

_ARFF = "@relation r\n@attribute a {x,y}\n@attribute b string\n@data\n"
_TWO_NUMBERS = "@attribute a numeric\n@attribute b numeric\n@data\n"

_SPARSE = f"@relation r\n{_TWO_NUMBERS}"

_SLOW: dict[str, tuple[str, Callable[[int], str]]] = {
    "digits and a letter": ("csv", lambda size: f"a,b\n{'1' * size}x,2\ny,4\nz,5\n"),
    "digits and commas": ("csv", lambda size: f"a;b\n{'1,' * (size // 2)};2\n3;4\n"),
    "groups of thousands": ("csv", lambda size: f"a;b\n1{',000' * (size // 4)}x;2\n3;4\n"),
    "blanks before a quotation mark": ("csv", lambda size: f"a b\n{' ' * size}'x' 2\n'y' 3\n'z' 4\n"),
    "blanks inside a value": ("arff", lambda size: f"{_ARFF}x, a{' ' * size}b\n"),
    "blanks inside a level": (
        "arff",
        lambda size: f"@relation r\n@attribute a {{x{' ' * size}y,z}}\n@attribute b numeric\n@data\n?,1\n",
    ),
    "escaped quotation marks": ("arff", lambda size: f"{_ARFF}x,'" + "\\'" * (size // 2) + " % c\n"),
    "blanks before braces": ("arff", lambda size: f"{_ARFF}x,{' ' * size}}}{{\nx,a {{1}}\nx,b}}\n"),
    "colons in the name": (
        "arff",
        lambda size: (
            f"@relation 'r{':' * size} -C 1'\n@attribute a numeric\n@attribute b numeric\n@data\n1,2\n"
        ),
    ),
}


@pytest.mark.parametrize("name", _SLOW)
def test_work_grows_with_the_file(name: str, tmp_path: Path) -> None:
    extension, content = _SLOW[name]

    def reading(size: int) -> Callable[[], None]:
        path = tmp_path / f"{size}.{extension}"
        path.write_text(content(size), encoding="utf-8")

        def read() -> None:
            with contextlib.suppress(EngineError):
                read_table(path)

        return read

    # Four times the size is four times the work; where it is squared, sixteen times.
    assert relative_effort(reading(100_000), reading(25_000)) < 8


@pytest.mark.parametrize(
    ("name", "rows", "words"),
    [
        ("t.csv", "1,0\n", "20 lines"),
        ("t.csv", "1,0,0,0,0,0,0,0\n", "120 cells; at most 100"),
        ("t.csv", '"1\n2",0\n', "20 lines"),
        ("t.arff", "1,0\n", "20 lines"),
        ("t.svm", "1 1:2\n", "20 lines"),
    ],
)
def test_what_unpacks_to_more_than_is_read_is_refused_at_once(
    name: str, rows: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (source, row_lengths):
        monkeypatch.setattr(module, "MAX_LINES", 20)
    monkeypatch.setattr(row_lengths, "MAX_CELLS", 100)
    path = tmp_path / f"{name}.gz"
    head = _SPARSE if name.endswith("arff") else ""
    path.write_bytes(gzip.compress((head + rows * (15 if "cells" in words else 30)).encode()))
    with pytest.raises(EngineError, match=words) as raised:
        read_table(path)
    assert raised.value.remedy


@pytest.mark.parametrize("name", ["t.csv", "t.arff", "t.svm"])
def test_a_line_further_down_that_never_ends(name: str, tmp_path: Path) -> None:
    head = {"t.csv": "a,b\n", "t.arff": _SPARSE, "t.svm": ""}[name]
    row = "1 1:2\n" if name == "t.svm" else "1,0\n"
    path = tmp_path / name
    path.write_text(head + row * 600 + "1," * (9 << 20) + "1\n" + row)
    with pytest.raises(UnreadableFile, match="longer than 16 MB"):
        read_table(path)


_MANY: dict[str, tuple[str, Callable[[int], str]]] = {
    "attributes": (
        "arff",
        lambda size: (
            "@relation r\n"
            + "".join(f"@attribute a{place} numeric\n" for place in range(size))
            + "@data\n"
            + f"{','.join(['1'] * size)}\n{','.join(['2'] * size)}\n"
        ),
    ),
    "labels": (
        "xml",
        lambda size: "<labels>" + "".join(f'<label name="{n}"/>' for n in range(10 * size)) + "</labels>",
    ),
    "short rows": ("csv", lambda size: "a\n" + "1\n0\n" * 100 * size),
}


@pytest.mark.parametrize("name", _MANY)
def test_work_grows_with_how_many_there_are(name: str, tmp_path: Path) -> None:
    extension, content = _MANY[name]
    table = tmp_path / "table.csv"
    table.write_text("a,b\n1,2\n3,4\n", encoding="utf-8")

    def reading(size: int) -> Callable[[], None]:
        path = tmp_path / f"{size}.{extension}"
        path.write_text(content(size), encoding="utf-8")

        def read() -> None:
            with contextlib.suppress(EngineError):
                read_table(table, path) if extension == "xml" else read_table(path)

        return read

    assert relative_effort(reading(2000), reading(500)) < 8


def test_work_grows_with_levels(tmp_path: Path) -> None:
    few, many = tmp_path / "few.parquet", tmp_path / "many.parquet"
    for path, size in ((few, 5_000), (many, 20_000)):
        words = pandas.Categorical([f"word {number}" for number in range(size)])
        pandas.DataFrame({"word": words}).to_parquet(path)
    assert relative_effort(lambda: read_table(many), lambda: read_table(few)) < 8


@pytest.mark.parametrize("kind", ["numeric", "{0,1}"])
def test_thousands_of_columns_of_two_rows_take_no_longer_than_their_text(kind: str, tmp_path: Path) -> None:
    names = [f"a{number}" for number in range(5000)]
    head = "".join(f"@attribute {name} {kind}\n" for name in names)
    rows = "".join(",".join(str((row + place) % 2) for place in range(len(names))) + "\n" for row in range(2))
    wide, tall = tmp_path / "wide.arff", tmp_path / "tall.arff"
    wide.write_text(f"@relation r\n{head}@data\n{rows}")
    tall.write_text(f"@relation r\n@attribute a {kind}\n@attribute b {kind}\n@data\n" + "0,1\n1,0\n" * 2500)
    reading = read_table(wide).dataset
    assert reading.names == tuple(names) and [float(column[0]) % 2 for column in reading.columns[:3]] == [
        0,
        1,
        0,
    ]
    # A column takes a tenth of a millisecond, whatever is in it; with pandas it took a whole one.
    assert relative_effort(lambda: read_table(wide), lambda: read_table(tall), 2) < 200


_WRONG = {
    "a sparse index of 21 digits": ("t.arff", _SPARSE + "{" + "1" + "0" * 20 + " 1}\n", "index"),
    "a quoted value at such an index": ("t.arff", _SPARSE + "{0 '1', " + "9" * 30 + " 1}\n", "index"),
    "a line without an end": ("t.csv", "1," * (9 << 20), "16 MB"),
    "a number of 5000 digits": ("t.json", '[{"a": ' + "1" * 5000 + "}]", "too large"),
}


@pytest.mark.parametrize("name", _WRONG)
def test_what_is_wrong_has_words(name: str, tmp_path: Path) -> None:
    file, content, words = _WRONG[name]
    path = tmp_path / file
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidData, match=words):
        read_table(path)


def test_networks_of_huge_numbers(tmp_path: Path) -> None:
    path = tmp_path / "network.json"
    path.write_text('{"states": {"a": [0, ' + "1" * 5000 + ']}, "cpt": {}}', encoding="utf-8")
    with pytest.raises(InvalidData, match="digits"):
        read_network(path)
    path = tmp_path / "network.bif"
    path.write_text(
        "variable a { type discrete [2] {n, y}; } probability (a) { table 1e400 .7; }", encoding="utf-8"
    )
    with pytest.raises(InvalidData, match=r"(no|not a) number"):
        read_network(path)


def test_a_node_of_thousands_of_parents(tmp_path: Path) -> None:
    """Its probability table has more cells than a number of the machine can count."""
    names = [f"p{number}" for number in range(3000)]
    lines = [f"variable {name} {{ type discrete [2] {{n, y}}; }}" for name in (*names, "c")]
    lines += [f"probability ({name}) {{ table .5 .5; }}" for name in names]
    lines.append(f"probability (c | {', '.join(names)}) {{ default .5 .5; }}")
    path = tmp_path / "network.bif"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InvalidData, match="cells"):
        read_network(path)


@pytest.mark.parametrize("name", ["x" * 300 + ".csv", "nul\0.csv", "nul\0.zip"])
def test_names_that_no_file_can_have(name: str, tmp_path: Path) -> None:
    for read in (read_table, read_preview):
        with pytest.raises(UnreadableFile):
            read(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("name", ["pipe.csv", "pipe.zip", "pipe.xlsx"])
def test_a_pipe_is_not_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(UnreadableFile, match="pipe"):
        read_table(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("read", [open_coded, open_project, read_knowledge, read_recipe, read_result])
def test_no_other_reader_waits_for_a_pipe(read: Callable[[Path], object], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile):
        read(tmp_path / "pipe")
    with pytest.raises(UnreadableFile):
        read(tmp_path / "nul\0")


def test_nothing_is_written_under_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="a file cannot have this name"):
        write_text(tmp_path / "nul\0", "")
    with pytest.raises(UnwritableFile, match="a file cannot"), atomic_folder(tmp_path / "nul\0"):
        pass


def test_a_list_of_labels_is_short(tmp_path: Path) -> None:
    table, labels = tmp_path / "t.csv", tmp_path / "l.xml"
    table.write_text("a,b\n1,2\n3,4\n")
    labels.write_text("<labels>" + '<label name="x"/>' * 500_000 + "</labels>")
    with pytest.raises(UnreadableFile, match="larger than 8 MB"):
        read_table(table, labels)


def test_half_letters_in_names(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_text(
        r"@relation r" + "\n" + r"@attribute 'a\ud800' numeric" + "\n" + r"@attribute '\ud83d\ude00' numeric"
        "\n@data\n1,2\n3,4\n",
        encoding="utf-8",
    )
    names = read_table(path).dataset.names
    assert names == ("a\ufffd", "\U0001f600")
    assert all(name.encode() for name in names)


def test_what_is_packed_within_a_packed_file_has_the_same_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.rds"
    path.write_bytes(lzma.compress(gzip.compress(b"X\n" + bytes(1 << 20))))
    monkeypatch.setattr(source, "RATIO_FROM", 1 << 16)
    with pytest.raises(UnreadableFile, match="more than 250 times its size"):
        read_table(path)
    path.write_bytes(lzma.compress(gzip.compress(gzip.compress(b"X\n" + bytes(1 << 20)))))
    with pytest.raises(UnreadableFile, match="packed several times"):
        read_table(path)


def test_a_workbook_that_grows_as_no_table_does_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "RATIO_FROM", 1 << 16)
    path = tmp_path / "bomb.xlsx"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", b"<si/>" * 100_000)
    with pytest.raises(UnreadableFile, match="more than 250 times its size"):
        read_table(path)


@pytest.mark.parametrize("column", [256, 16_383])
def test_an_old_workbook_has_no_cell_beyond_its_last_column(column: int, tmp_path: Path) -> None:
    path = tmp_path / "far.xls"
    path.write_bytes(xls_of([["age", "ill"], *[[31.0, 1.0]] * 40, [None] * column + [1.0]]))
    with pytest.raises(UnreadableFile, match=f"column {column + 1:,}"):
        read_table(path)


def test_a_small_file_that_says_that_it_fills_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform != "linux":
        pytest.skip("memory has no such limit here")
    import pyarrow
    from pyarrow import parquet

    rows = 20_000
    text = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * rows), pyarrow.array(["x" * 200_000]))
    table = pyarrow.table({"text": text, "ill": pyarrow.array([0, 1] * (rows // 2))})
    path = tmp_path / "bomb.parquet"
    # Without what Arrow notes for itself the texts are spread: 4 GB of a file of 10 kB.
    parquet.write_table(table, path, store_schema=False)
    pages = os.sysconf("SC_PHYS_PAGES")
    small = 1 << 28 >> 12
    monkeypatch.setattr(memory, "_RESERVED", 0)
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 1 << 12, "SC_PHYS_PAGES": min(pages, small)}.get)
    with pytest.raises(UnreadableFile, match="not enough memory"):
        read_table(path)
    # The limit is that of the reading alone.
    assert len(bytes(1 << 29)) == 1 << 29


@pytest.mark.skipif(sys.platform != "linux", reason="only there the limit of memory is kept to")
def test_a_workbook_that_says_it_has_more_cells_than_a_sheet_is_refused(tmp_path: Path) -> None:
    content = xls_of([["age", "ill"], *[[31.0, 1.0]] * 40])
    extent = struct.pack("<IIHHH", 0, 41, 0, 2, 0)
    assert content.count(extent) == 1
    path = tmp_path / "wide.xls"
    path.write_bytes(content)
    assert len(read_table(path).dataset.column("age")) == 40
    # 40 million cells, for which the library asks for 1.3 GB.
    path.write_bytes(content.replace(extent, struct.pack("<IIHHH", 0, 65536, 0, 640, 0)))
    with pytest.raises(UnreadableFile, match="damaged"):
        read_table(path)


def test_no_process_that_reads_asks_for_more_memory_than_there_is() -> None:
    pytest.importorskip("resource", reason="only there is such a limit")
    code = "from engine.execution.memory import limit_memory; import resource; limit_memory();"
    code += "print(*resource.getrlimit(resource.RLIMIT_AS))"
    words = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    soft, _ = map(int, words.split())
    if sys.platform == "linux":
        assert 0 < soft <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") + (6 << 30)
