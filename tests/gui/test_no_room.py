"""Where there is no room the window says so in a sentence, and what was there before stays as it was."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter

from clcd_gui.document.recovery import RecoveryStore
from clcd_gui.plots.figure import FIGURE_FORMATS, Figure
from engine.errors import UnwritableFile


def _paint(painter: QPainter) -> None:
    for number in range(200):
        painter.fillRect(QRectF(number, number / 2, 3, 2), QColor(number, 255 - number, number % 7 * 30))


PICTURE = Figure("Some squares", QSizeF(300, 200), _paint)


@contextmanager
def no_room() -> Iterator[None]:
    """Let the system refuse what is written into files, beyond a few bytes, as a full disk does."""
    resource = pytest.importorskip("resource", reason="the size of files is limited by the system")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


@pytest.mark.parametrize("ending", FIGURE_FORMATS)
def test_a_picture_that_finds_no_room_leaves_the_earlier_one(
    qapp: object, ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"graph{ending}"
    write = FIGURE_FORMATS[ending][1](PICTURE)
    write(path)
    before = path.read_bytes()
    assert len(before) > 500
    with no_room(), pytest.raises(UnwritableFile, match="does not allow files of this size"):
        write(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_work_that_cannot_be_kept_leaves_no_lock(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk an empty file can often be made and a folder cannot."""
    store, folder, mkdir = RecoveryStore(tmp_path / "kept"), tmp_path / "kept", Path.mkdir

    def refuse(self: Path, *arguments: object, **options: object) -> None:
        if self.parent == folder:
            raise OSError(number, os.strerror(number))
        mkdir(self, *arguments, **options)

    with monkeypatch.context() as context:
        context.setattr(Path, "mkdir", refuse)
        for _ in range(2):
            with pytest.raises(UnwritableFile, match="no room left"):
                store.begin("visits.csv", None)
            assert not folder.exists()
    assert store.begin("visits.csv", None).is_dir()
    store.clear()
