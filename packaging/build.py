"""Freeze the program into ``dist/clcd``: ``.venv/bin/python packaging/build.py``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent
PROJECT = PACKAGING.parent


def run(*command: str | Path, **environment: str) -> None:
    """Run a Python module or script with this interpreter; its failure is ours."""
    subprocess.run([sys.executable, *command], cwd=PROJECT, env=os.environ | environment, check=True)


def main() -> None:
    """Compile the kernels, then freeze everything."""
    kernels = PROJECT / "build" / "kernels"
    run(PACKAGING / "compile_kernels.py", kernels, PYTHONPATH=str(PROJECT))
    freeze = ("-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN")
    folders = ("--distpath", PROJECT / "dist", "--workpath", PROJECT / "build" / "pyinstaller")
    run(*freeze, *folders, PACKAGING / "clcd.spec", CLCD_KERNELS=str(kernels / "shipped_kernels"))
    frozen = PROJECT / "dist" / "clcd"
    size = sum(path.stat().st_size for path in frozen.rglob("*") if path.is_file() and not path.is_symlink())
    print(f"{frozen}: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
