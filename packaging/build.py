"""Freeze the program into ``dist/clcd``: ``.venv/bin/python packaging/build.py``.

With ``--kernels FOLDER`` kernels are taken from an earlier run of ``compile_kernels.py``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from contents import strip

PACKAGING = Path(__file__).resolve().parent
PROJECT = PACKAGING.parent
FROZEN = PROJECT / "dist" / "clcd"


def run(*command: str | Path, **environment: str) -> None:
    """Run a Python module or script with this interpreter; its failure is ours."""
    subprocess.run([sys.executable, *command], cwd=PROJECT, env=os.environ | environment, check=True)


def main() -> None:
    """Compile the kernels, then freeze everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", metavar="FOLDER", type=Path)
    kernels = parser.parse_args().kernels
    if kernels is None:
        kernels = PROJECT / "build" / "kernels"
        run(PACKAGING / "compile_kernels.py", kernels, PYTHONPATH=str(PROJECT))
    made = PROJECT / "build" / "made"
    made.mkdir(parents=True, exist_ok=True)
    freeze = ("-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN")
    folders = ("--distpath", FROZEN.parent, "--workpath", PROJECT / "build" / "pyinstaller")
    places = {"CLCD_KERNELS": str(kernels.resolve() / "shipped_kernels"), "CLCD_MADE": str(made)}
    run(*freeze, *folders, PACKAGING / "clcd.spec", **places)
    if sys.platform.startswith("linux"):
        (FROZEN / "clcd-gui").symlink_to("clcd")
    saved = strip(FROZEN)
    print(f"{FROZEN}: {size_of(FROZEN) / 1e6:.0f} MB, {saved / 1e6:.0f} MB of symbols cut out")


def size_of(folder: Path) -> int:
    """Return how many bytes the files of a folder have."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


if __name__ == "__main__":
    main()
