"""Lay out the frozen program as Linux has it installed: program, menu entry, file type, icons, manual."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
sys.path[:0] = [str(PROJECT), str(HERE.parent), str(HERE)]

from icons import DOCUMENT, LINUX_SIZES, PROGRAM, png  # noqa: E402
from manual import pages  # noqa: E402

FILE_TYPE = "application-x-clcd"
COMMANDS = ("clcd", "clcd-gui")
_GLIBC = re.compile(rb"GLIBC_2\.(\d+)")


def lay_out(frozen: Path, root: Path) -> None:
    """Write all files of an installation below a folder.

    Parameters
    ----------
    frozen : Path
        Folder that PyInstaller made; its files are linked, not copied.
    root : Path
        Stands for the root of the file system.
    """
    program, commands = root / "usr/lib/clcd", root / "usr/bin"
    shutil.copytree(frozen, program, copy_function=os.link, symlinks=True)
    commands.mkdir(parents=True)
    for command in COMMANDS:
        (commands / command).symlink_to(f"../lib/clcd/{command}")
    write_desktop_files(root / "usr/share")
    write_manual(root / "usr/share/man/man1")


def write_desktop_files(share: Path) -> None:
    """Write menu entry, file type and icons below ``share``."""
    _copy(HERE / "clcd.desktop", share / "applications/clcd.desktop")
    _copy(HERE / "clcd.xml", share / "mime/packages/clcd.xml")
    icons = share / "icons/hicolor"
    for drawing, name in ((PROGRAM, "apps/clcd"), (DOCUMENT, f"mimetypes/{FILE_TYPE}")):
        _copy(drawing, icons / f"scalable/{name}.svg")
        for size in LINUX_SIZES:
            path = icons / f"{size}x{size}/{name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(png(drawing, size))


def write_manual(folder: Path) -> None:
    """Write the manual pages, packed as every system has them."""
    folder.mkdir(parents=True)
    for name, text in pages().items():
        (folder / f"{name}.gz").write_bytes(packed(text))


def packed(text: str) -> bytes:
    """Pack a text so that the same text gives the same bytes."""
    return gzip.compress(text.encode(), mtime=0)


def needed_glibc(frozen: Path) -> str:
    """Return the oldest version of the C library with which the program runs."""
    found = {int(minor) for path in _native_files(frozen) for minor in _GLIBC.findall(path.read_bytes())}
    return f"2.{max(found)}"


def _native_files(frozen: Path) -> Iterator[Path]:
    for path in frozen.rglob("*"):
        if path.is_file() and not path.is_symlink() and (".so" in path.name or path.parent == frozen):
            yield path


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
