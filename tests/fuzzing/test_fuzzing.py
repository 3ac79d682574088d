"""Damaged files are read, or refused with words; ``python -m tests.fuzzing`` tries as many as asked for."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from engine.readers.formats import formats
from tests.fuzzing.cases import LEAST_READ, Failure, file_of, has_seeds, try_case
from tests.fuzzing.handmade import xlsb_of, zipped
from tests.fuzzing.targets import TARGETS

_SEED = 15


def _needs(name: str) -> None:
    if name in ("settings", "recovery"):
        pytest.importorskip("PySide6")
    if not has_seeds(name):
        pytest.skip("the only whole files of this kind are not here")


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("cases", [25, pytest.param(2000, marks=pytest.mark.long)])
def test_no_damage_breaks_a_reader(name: str, cases: int, tmp_path: Path) -> None:
    _needs(name)
    outcomes = [try_case(name, file_of(name, _SEED, number), number, tmp_path) for number in range(cases)]
    for number, outcome in enumerate(outcomes):
        assert not isinstance(outcome, Failure), f"case {number}: {outcome.text}"
    assert outcomes.count(None) >= LEAST_READ * cases, "hardly a file is read, so that little is tried"


@pytest.mark.parametrize("name", TARGETS)
def test_each_whole_file_is_read(name: str, tmp_path: Path) -> None:
    _needs(name)
    for position, content in enumerate(TARGETS[name].seeds()):
        outcomes = [try_case(name, content, way, tmp_path) for way in range(4)]
        assert None in outcomes, f"file {position}: {outcomes[1]}"


def test_each_format_of_tables_is_tried() -> None:
    tried = {target.format for target in TARGETS.values()} - {""}
    assert tried == set(formats()), "each format has an entry in TARGETS of tests/fuzzing/targets.py"
    endings = {target.ending for target in TARGETS.values()}
    assert set(formats()["statistics"].extensions) <= endings


def _result_on(feature: str, label: str = "L1") -> bytes:
    content = json.loads(TARGETS["result"].seeds()[0])
    content["evidence"][0] |= {"feature": feature, "label": label}
    return json.dumps(content).encode()


def _ods_with(before: bytes, after: bytes) -> bytes:
    with ZipFile(BytesIO(TARGETS["ods"].seeds()[0])) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["content.xml"] = members["content.xml"].replace(before, after)
    return zipped(members)


_FOUND = {
    "UTF-8 by its mark, and not by its bytes": ("text-table", b"\xef\xbb\xbfa,b\n1,\xad\n2,x\n"),
    "a label that no number holds": ("sparse-lines", b"1 1:0.5\n1 99999999999999999999:2 1:3\n" * 2),
    "half a letter in a cell": ("json-table", b'[{"a": "x\\udc00"}, {"a": "y"}]'),
    "a kind of step that is a list": ("recipe", b'[{"step": []}]'),
    "findings on a column that is not there": ("result", _result_on("no such column")),
    "findings on a label that is none": ("result", _result_on("F2", "F3")),
    "knowledge of no known format in a result": (
        "result",
        json.dumps({**json.loads(TARGETS["result"].seeds()[0]), "knowledge": {}}).encode(),
    ),
    "a number of hundreds of digits": (
        "recipe",
        b'[{"step": "cut", "column": "age", "points": [1' + b"0" * 400 + b"]}]",
    ),
    "a tier of a quotation mark alone": ("knowledge-text", b'/knowledge\naddtemporal\n0 age\n"\n'),
    "blocks of more rows than a number of the machine holds": (
        "recipe",
        b'[{"step": "row-blocks", "rows": 100000000000000000000, "along": "age"}]',
    ),
    "a column with a number that no row explains": ("sparse-lines", b"1 900000:1\n2 1:2\n"),
    "bytes that are no text": ("settings", b"[files]\nreadings=@ByteArray(\\x1\\xd9)\n"),
    "brackets in brackets, thousands deep": ("recovery", b"[" * 100_000),
    "a probability of hundreds of digits": (
        "network",
        b'{"states": {"a": [0, 1]}, "cpt": {"a": {"parent": null, "table": {"": {"0": 1'
        + b"0" * 400
        + b"}}}}}",
    ),
    "scores that are a list": (
        "outcome",
        b'{"key": {"of": 1}, "outcome": {"scores": [1], "figures": [1], "order": [], "served": []}}',
    ),
    "a sheet that begins nowhere": ("xlsb", zipped({"xl/workbook.bin": b"\x9c\x01\xff\xff\xff\x7f" * 9})),
    "a cell that no sheet has": ("xlsb", xlsb_of([["age"], *[[]] * 20_000, [None] * 9_000 + [1.0]])),
    "a sheet that never ends": ("ods", _ods_with(b"</table:table>", b"")),
    "sheets in letters that nobody knows": ("ods", _ods_with(b"UTF-8", b"UTF-9")),
    "a text size that is no number": ("settings", b"[appearance]\nzoom=nan\n"),
}


@pytest.mark.parametrize("fault", _FOUND)
def test_what_once_broke_a_reader(fault: str, tmp_path: Path) -> None:
    name, content = _FOUND[fault]
    _needs(name)
    for way in range(2):
        outcome = try_case(name, content, way, tmp_path)
        assert not isinstance(outcome, Failure), outcome.text
