"""Pack the frozen program so that it runs from any folder: ``.venv/bin/python packaging/linux/archive.py``.

The archive has one folder, with both programs, the manual, and what a desktop needs for a menu entry.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from installed_tree import COMMANDS, PROJECT, write_desktop_files, write_manual

from clcd_gui.system_libraries import SYSTEM_LIBRARIES, Purpose
from engine.version import __version__

READ_ME = """\
CLCD {version}

Start the window:    ./clcd-gui
Start the terminal:  ./clcd --help

Nothing needs to be installed, and the folder can lie anywhere. Where a library of the system is missing, the
program names it. On Debian and Ubuntu all of them are installed by

    sudo apt-get install {window}

and what reports as PDF need besides by

    sudo apt-get install {pdf}

The folder share holds a menu entry, icons and the type of .clcd files; copied into ~/.local/share, with this
folder on the PATH, they make the program appear in the menu.
"""


def read_me() -> str:
    """Return the text that lies beside the programs."""
    window = [each.package for each in SYSTEM_LIBRARIES if each.purpose is not Purpose.PDF]
    pdf = [each.package for each in SYSTEM_LIBRARIES if each.purpose is Purpose.PDF]
    return READ_ME.format(version=__version__, window=" ".join(window), pdf=" ".join(pdf))


def build(frozen: Path, folder: Path) -> Path:
    """Write the archive into a folder and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"clcd-{__version__}-linux-{platform.machine()}"
    # Beside the frozen program, so that its files can be linked.
    with tempfile.TemporaryDirectory(dir=frozen.parent) as scratch:
        root = Path(scratch, name)
        shutil.copytree(frozen, root, copy_function=os.link, symlinks=True)
        (root / "README.txt").write_text(read_me(), encoding="utf-8")
        write_desktop_files(root / "share")
        write_manual(root / "share/man/man1")
        path = folder / f"{name}.tar.zst"
        order = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]
        pack = ["tar", *order, "-I", "zstd -19 -T0 -q", "-C", scratch, "-cf", str(path), name]
        subprocess.run(pack, check=True)
    return path


def main(frozen: str = str(PROJECT / "dist" / "clcd"), folder: str = str(PROJECT / "dist")) -> None:
    """Build the archive and say how large it is."""
    source = Path(frozen).resolve()
    if not all((source / command).is_file() for command in COMMANDS):
        raise SystemExit(f"{source} holds no frozen program: run packaging/build.py first.")
    path = build(source, Path(folder).resolve())
    print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
