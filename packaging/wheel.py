"""Build a wheel that brings its compiled kernels along: ``.venv/bin/python packaging/wheel.py``.

They are used where NumPy, Numba and Python are those of ``requirements.lock`` and of this machine, and the
first result then takes seconds; elsewhere kernels are compiled at first use, as from the plain wheel. With
``--kernels FOLDER`` they are taken from an earlier run of ``compile_kernels.py``.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
DIST = PROJECT / "dist"

# Compiled kernels call nothing of the system, so that the oldest system that pip knows will do.
_PLATFORMS = {
    ("Linux", "x86_64"): "manylinux2014_x86_64",
    ("Linux", "aarch64"): "manylinux2014_aarch64",
    ("Darwin", "arm64"): "macosx_11_0_arm64",
    ("Darwin", "x86_64"): "macosx_11_0_x86_64",
    ("Windows", "AMD64"): "win_amd64",
}


def run(*command: str | Path) -> str:
    """Run a Python module or script with this interpreter and return what it says."""
    done = subprocess.run(
        [sys.executable, *command], cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def build(kernels: Path, folder: Path) -> Path:
    """Write the wheel into a folder and return its path."""
    with tempfile.TemporaryDirectory() as scratch:
        # Modules that are gone since an earlier build would still be there.
        shutil.rmtree(PROJECT / "build" / "lib", ignore_errors=True)
        run("-m", "pip", "wheel", "-q", "--no-deps", "-w", scratch, PROJECT)
        (plain,) = Path(scratch).glob("*.whl")
        unpacked, packed = Path(scratch, "unpacked"), Path(scratch, "packed")
        run("-m", "wheel", "unpack", "-d", unpacked, plain)
        (root,) = unpacked.iterdir()
        shutil.copytree(kernels / "shipped_kernels", root / "engine" / "shipped_kernels")
        packed.mkdir()
        run("-m", "wheel", "pack", "-d", packed, root)
        (whole,) = packed.iterdir()
        version = f"cp{sys.version_info.major}{sys.version_info.minor}"
        system = _PLATFORMS[platform.system(), platform.machine()]
        tags = ("--python-tag", version, "--abi-tag", "none", "--platform-tag", system)
        run("-m", "wheel", "tags", "--remove", *tags, whole)
        (tagged,) = packed.iterdir()
        folder.mkdir(exist_ok=True)
        return Path(shutil.copy(tagged, folder))


def main() -> None:
    """Compile the kernels where none are given, and build the wheel."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", metavar="FOLDER", type=Path)
    kernels = parser.parse_args().kernels
    if kernels is None:
        kernels = PROJECT / "build" / "kernels"
        run(PROJECT / "packaging" / "compile_kernels.py", kernels)
    path = build(kernels, DIST)
    print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
