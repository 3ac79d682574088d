"""Nothing that is opened runs code, reaches the network or reads other files."""

from __future__ import annotations

import ctypes
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pandas
import pytest

import engine

ROOT = Path(__file__).parents[2]
_OPENED = 0x20
_NONBLOCKING = 0x800


class Unread:
    """Files that nobody may open: the system tells who does, whatever language it is written in."""

    def __init__(self, *paths: Path) -> None:
        self._system = ctypes.CDLL(None, use_errno=True)
        self._descriptor = self._system.inotify_init1(_NONBLOCKING)
        for path in paths:
            watched = self._system.inotify_add_watch(self._descriptor, os.fsencode(path), _OPENED)
            assert watched >= 0, os.strerror(ctypes.get_errno())

    @property
    def was_opened(self) -> bool:
        try:
            return bool(os.read(self._descriptor, 4096))
        except BlockingIOError:
            return False


@pytest.fixture
def secrets(tmp_path: Path) -> tuple[Path, Path]:
    folder = tmp_path / "secrets"
    folder.mkdir()
    picture, text = folder / "secret.png", folder / "secret.txt"
    picture.write_bytes((ROOT / "resources" / "icons" / "app.svg").read_bytes())
    text.write_text("a,b\n1,2\n" * 30)
    return picture, text


def rows(names: list[str]) -> str:
    lines = [",".join(f'"{name}"' for name in names)]
    lines += [
        ",".join(str((row * (place + 3)) % (2 + place)) for place in range(len(names))) for row in range(60)
    ]
    return "\n".join(lines) + "\n"


def write_hostile(folder: Path, picture: Path, text: Path) -> None:
    """Write a file of each kind that names a secret, a host or a program."""
    image = f"<img src='{picture.as_uri()}'>"
    link = "=HYPERLINK('http://localhost:9/a')"
    (folder / "names.csv").write_text(rows([image, link, f"![x]({picture.as_uri()})", "ill"]))
    (folder / "labels.csv").write_text(rows(["a", "b", "ill"]))
    (folder / "labels.xml").write_text(
        f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "{text.as_uri()}">]>'
        '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="&e;"></label></labels>'
    )
    (folder / "relation.arff").write_text(
        f"@relation '{text}: -C 1'\n@attribute \"{image}\" {{0,1}}\n@attribute b {{0,1}}\n@data\n"
        + "0,1\n1,0\n" * 30
    )
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["a", f"='[{text}]Sheet1'!A1", "ill"])
    for row in range(40):
        sheet.append([row % 2, f'=WEBSERVICE("http://localhost:9/{row}")', row % 3])
    sheet["A2"].hyperlink = "http://localhost:9/"
    book.save(folder / "book.xlsx")
    frame = pandas.DataFrame({image: [0, 1] * 20, "ill": [0, 0, 1, 1] * 10})
    dataset = engine.Dataset.from_frame(frame, labels=["ill"])
    project = engine.Project(
        dataset=dataset, notes=f"{image} ![x]({picture.as_uri()}) <script>alert(1)</script>"
    )
    engine.save_project(folder / "notes.clcd", project)
    beside = folder / "beside"
    beside.mkdir()
    engine.save_project(beside / "study.clcd", engine.Project(dataset=dataset, is_data_beside=True))
    _rewritten(beside / "study.clcd", folder / "elsewhere.clcd", {"arrays": f"../secrets/{text.name}"}, {})
    _rewritten(
        folder / "notes.clcd", folder / "source.clcd", {"source": {"path": str(text), "hash": "0"}}, {}
    )
    pickled = io.BytesIO()
    np.save(pickled, np.array([Program()], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(folder / "notes.clcd") as archive:
        arrays = {name: pickled.getvalue() for name in archive.namelist() if name.endswith(".npy")}
    assert arrays
    _rewritten(folder / "notes.clcd", folder / "pickled.clcd", {}, {**arrays, "../../escaped.txt": b"x"})
    # Beside a table lie modules of names that the program imports.
    for name in ("platformdirs", "pandas", "numba", "json"):
        (folder / f"{name}.py").write_text("raise SystemExit('code of the folder ran')\n")


class Program:
    """Runs when it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("touch pickle-ran",)


def _rewritten(source: Path, target: Path, about: dict[str, object], members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = members.get(name, old.read(name))
            if name == "project.json":
                content = json.dumps({**json.loads(content), **about}).encode()
            new.writestr(name, content)
        for name in members.keys() - set(old.namelist()):
            new.writestr(name, members[name])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the system of Linux who opens a file")
def test_what_is_opened_reads_and_runs_nothing_else(tmp_path: Path, secrets: tuple[Path, Path]) -> None:
    folder, state = tmp_path / "given", tmp_path / "state"
    folder.mkdir()
    state.mkdir()
    write_hostile(folder, *secrets)
    before = {path for path in tmp_path.rglob("*") if state not in path.parents}
    unread = Unread(*secrets)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(state), "XDG_STATE_HOME": str(state)}
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "tests.gui.hostile_files", folder, state],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-3000:]
    seen = json.loads(ended.stdout)
    opened = {name for name, word in seen["said"].items() if word == "opened"}
    assert opened >= {"names.csv", "labels.csv", "relation.arff", "book.xlsx", "notes.clcd"}
    assert not opened & {"elsewhere.clcd", "pickled.clcd"}
    assert "nothing" not in seen["said"].values(), seen["said"]
    assert not unread.was_opened
    assert seen["network"] == [] and seen["imported"] == []
    assert all("-P" in command or "-I" in command for command in seen["processes"]), seen["processes"]
    after = {path for path in tmp_path.rglob("*") if state not in path.parents}
    assert after == before
