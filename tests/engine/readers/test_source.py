"""Files that cannot be read: each gets a sentence, none a traceback from below."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import engine
from engine.errors import UnreadableFile
from engine.readers import formats, read_preview, read_table
from engine.readers import source as source_module
from tests.examples import first_of


def _fails(path: Path, message: str, labels: Path | None = None) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read_table(path, labels)
    assert message in str(caught.value)
    assert caught.value.place
    assert caught.value.remedy


def test_missing_file(tmp_path: Path) -> None:
    _fails(tmp_path / "absent.csv", "there is no such file")
    _fails(tmp_path / "absent.arff", "there is no such file")
    _fails(tmp_path / "no" / "folder.csv", "there is no such file")


def test_missing_label_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    _fails(path, "there is no such file", tmp_path / "absent.xml")


def test_directory(tmp_path: Path) -> None:
    _fails(tmp_path, "this is a directory")
    folder = tmp_path / "table.arff"
    folder.mkdir()
    _fails(folder, "this is a directory")


@pytest.mark.parametrize(
    ("code", "message"), [(errno.EACCES, "may not be read"), (errno.EIO, "it could not be read")]
)
def test_refusal_by_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, message: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")

    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Path, "open", refuse)
    _fails(path, message)


@pytest.mark.parametrize("content", [b"", b"\n\n  \n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xff\xfe\n\x00"])
@pytest.mark.parametrize("name", ["t.csv", "t.arff", "t.tsv", "t.unknown"])
def test_empty_file(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    _fails(path, "the file is empty")


def test_empty_gzip(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b""))
    _fails(path, "the file is empty")


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9, 0.999])
def test_truncated_gzip(tmp_path: Path, share: float, shared_data: Path) -> None:
    whole = (shared_data / "yeast" / "yeast.arff.gz").read_bytes()
    path = tmp_path / "yeast.arff.gz"
    path.write_bytes(whole[: int(len(whole) * share)])
    _fails(path, "damaged or cut off")


def test_damaged_gzip(tmp_path: Path, shared_data: Path) -> None:
    whole = bytearray((shared_data / "yeast" / "yeast.arff.gz").read_bytes())
    whole[5000:5100] = bytes(100)
    path = tmp_path / "yeast.arff.gz"
    path.write_bytes(bytes(whole))
    _fails(path, "damaged or cut off")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (zipfile.ZIP_DEFLATED, "damaged or cut off"),
        (zipfile.ZIP_BZIP2, "could not be read"),
        (zipfile.ZIP_LZMA, "damaged or cut off"),
    ],
)
def test_damaged_zip(tmp_path: Path, kind: int, message: str) -> None:
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w", kind) as archive:
        archive.writestr("t.csv", "a,b\n" + "".join(f"{row},{row**2}\n" for row in range(5000)))
    whole = bytearray(path.read_bytes())
    whole[200:300] = bytes(byte ^ 0xFF for byte in whole[200:300])
    path.write_bytes(whole)
    _fails(path, message)


@pytest.mark.parametrize(
    ("name", "message"),
    [("t.zip", "damaged or cut off"), ("t.xlsx", "damaged or cut off"), ("t.clcd", "or it is damaged")],
)
def test_names_in_an_archive_that_are_no_text(name: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("naïve.csv", "a,b\n1,2\n")
    # Its directory says that the name is UTF-8, which no byte 0xAD begins.
    path.write_bytes(path.read_bytes().replace("ï".encode(), b"\xad\xad"))
    _fails(path, message)


@pytest.mark.parametrize(("ending", "pack"), [("bz2", bz2.compress), ("xz", lzma.compress)])
def test_other_packed_files_are_read_as_gzip_is(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    text = b"dose,ill\n" + b"".join(b"%d.5,%d\n" % (row, row % 2) for row in range(90))
    (tmp_path / "t.csv").write_bytes(text)
    path = tmp_path / f"t.csv.{ending}"
    path.write_bytes(pack(text))
    read, plain = engine.read_dataset(path), engine.read_dataset(tmp_path / "t.csv")
    assert read.content_hash == plain.content_hash and read.names == ("dose", "ill")
    path.write_bytes(pack(text)[:-20])
    with pytest.raises(UnreadableFile, match="damaged or cut off"):
        engine.read_dataset(path)


@pytest.mark.parametrize(("name", "pack"), [("t.rds", bz2.compress), ("t.rds", lzma.compress)])
def test_what_grows_without_end_is_refused_however_it_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr("engine.readers.source.RATIO_FROM", 1 << 20)
    path = tmp_path / name
    path.write_bytes(pack(b"X\n" + bytes(64 << 20)))
    with pytest.raises(UnreadableFile, match="unpacks to more than 250 times its size"):
        engine.read_dataset(path)


def test_gzip_is_known_by_content_not_by_name(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n3,4\n5,6\n"))
    assert read_table(path).dataset.row_count == 3
    plain = tmp_path / "t.csv.gz"
    plain.write_bytes(b"a,b\n1,2\n3,4\n5,6\n")
    assert read_table(plain).dataset.row_count == 3


def test_decompression_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "RATIO_FROM", 1 << 22)
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * (3 << 20)))
    _fails(path, "unpacks to more than 250 times its size")


def test_file_beyond_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "MAX_BYTES", 1000)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 1000, encoding="utf-8")
    _fails(path, "the table is larger than")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["t.csv", "t.arff", "t.data"])
def test_binary_junk(tmp_path: Path, seed: int, name: str) -> None:
    import random

    path = tmp_path / name
    path.write_bytes(random.Random(seed).randbytes(5000))
    _fails(path, "not a text file")


@pytest.mark.parametrize("name", ["t.xlsx", "t.csv"])
def test_a_zip_file_under_another_name_is_no_workbook(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "a,b\n1,2\n")
    _fails(path, "damaged or of another kind")


def test_pickle_is_never_opened(tmp_path: Path) -> None:
    import pickle

    path = tmp_path / "t.csv"
    path.write_bytes(pickle.dumps({"a": [1, 2, 3]}, protocol=4))
    with pytest.raises(UnreadableFile, match="can run code"):
        read_table(path)


def test_truncated_text_of_every_length(tmp_path: Path, shared_data: Path) -> None:
    """However a file is cut off, it reads or gets an error of our own."""
    whole = (shared_data / "flags" / "flags-test.arff").read_bytes()
    table = (shared_data / "messy" / "giss_temperature_stars.csv").read_bytes()[:3000]
    for content, name in ((whole, "t.arff"), (table, "t.csv")):
        path = tmp_path / name
        for length in range(0, len(content), 37):
            path.write_bytes(content[:length])
            try:
                assert read_table(path).dataset.row_count > 0
            except engine.EngineError as error:
                assert error.remedy, error


def test_preview_reads_little_of_a_long_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,22222222222\n3,4\n" * 400_000))
    monkeypatch.setattr(source_module, "MAX_BYTES", 2 << 20)
    preview = read_preview(path, rows=100)
    assert preview.dataset.row_count == 100
    assert not preview.complete


def test_formats_listed_are_formats_that_work() -> None:
    from importlib import import_module

    for name, table_format in formats().items():
        assert table_format.name == name
        module, function = table_format.entry_point.split(":")
        assert callable(getattr(import_module(module), function))
        assert all(extension.startswith(".") for extension in table_format.extensions)
        assert table_format.title and table_format.help


_TOKENS = [
    b'"',
    b"'",
    b",",
    b";",
    b"\n",
    b"\r",
    b"{",
    b"}",
    b"\\",
    b"%",
    b"?",
    b"\x00",
    b"\xff",
    b"@data\n",
    b"1e999",
]


@pytest.mark.parametrize(
    "name", ["flags/flags-test.arff", "messy/giss_temperature_stars.csv", "flags/flags.xml"]
)
def test_files_damaged_at_random(name: str, tmp_path: Path, shared_data: Path) -> None:
    """Whatever happens to a file, it reads or gets an error of our own with place and remedy."""
    import random

    rng = random.Random(name)
    whole = (shared_data / name).read_bytes()[:3000]
    path = tmp_path / Path(name).name
    for _ in first_of(range(150), 50):
        content = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            start = rng.randrange(len(content))
            content[start : start + rng.choice([0, 0, 1, 30])] = rng.choice([b"", *_TOKENS])
        path.write_bytes(bytes(content))
        try:
            if path.suffix == ".xml":
                read_table(shared_data / "flags" / "flags-test.arff", path)
            else:
                read_table(path)
        except engine.EngineError as error:
            assert error.place and error.remedy, error


_PAGE = (
    "<html><body><table><tr><th>age</th><th>ill</th></tr><tr><td>31</td><td>1</td></tr></table></body></html>"
)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (_PAGE, "utf-8"),
        (_PAGE, "utf-16"),
        (f"MIME-Version: 1.0\nContent-Type: multipart/related\n\n{_PAGE}", "utf-8"),
        ('<?xml version="1.0"?>\n<Workbook><Worksheet></Worksheet></Workbook>', "utf-8"),
    ],
)
def test_a_web_page_that_is_called_a_workbook_is_refused_with_what_to_do(
    text: str, encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / "export.xls"
    path.write_text(text, encoding=encoding)
    _fails(path, "Open it in a spreadsheet program, save it as .xlsx or CSV, and open that.")


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_text_that_is_called_a_workbook_is_read(separator: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "export.xls"
    rows = [["age", "sex", "ill"], *([str(20 + row), "mf"[row % 2], str(row % 2)] for row in range(30))]
    path.write_text("".join(separator.join(row) + "\n" for row in rows), encoding=encoding)
    dataset = read_table(path).dataset
    assert (dataset.names, dataset.row_count) == (("age", "sex", "ill"), 30)
