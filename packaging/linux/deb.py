"""Pack the frozen program as a package of Debian and Ubuntu: ``.venv/bin/python packaging/linux/deb.py``.

It holds no script: the menu, the icons and the types of files are renewed by the system itself, when the
package comes and when it goes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from installed_tree import PROJECT, lay_out, needed_glibc, packed

from clcd_gui.system_libraries import SYSTEM_LIBRARIES
from engine.version import __version__

CONTROL = """\
Package: clcd
Version: {version}
Section: science
Priority: optional
Architecture: {architecture}
Maintainer: The CLCD authors <clcd@localhost.localdomain>
Installed-Size: {kilobytes}
Depends: libc6 (>= {glibc}), {libraries}
Recommends: fonts-dejavu-core, shared-mime-info, desktop-file-utils, xdg-utils
Description: common and label-specific causal variables of multi-label tables
 CLCD finds out from a table which variables are linked to several outcomes
 at once, and which to one alone, tells causes from effects where the data
 allow it, and shows why. It has a window and the terminal command clcd.
"""
RUNNABLE_MODE = 0o755
FILE_MODE = 0o644


def control(frozen: Path, kilobytes: int) -> str:
    """Return the description that the package manager reads."""
    return CONTROL.format(
        version=__version__,
        architecture=_output_of("dpkg", "--print-architecture"),
        kilobytes=kilobytes,
        glibc=needed_glibc(frozen),
        libraries=", ".join(each.package for each in SYSTEM_LIBRARIES),
    )


def build(frozen: Path, folder: Path) -> Path:
    """Write the package into a folder and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    # Beside the frozen program, so that its files can be linked.
    with tempfile.TemporaryDirectory(dir=frozen.parent) as scratch:
        root = Path(scratch, "clcd")
        lay_out(frozen, root)
        _write_documents(frozen, root / "usr/share/doc/clcd")
        _set_modes(root)
        kilobytes = sum(path.lstat().st_size for path in root.rglob("*")) // 1024
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(control(frozen, kilobytes), encoding="utf-8")
        path = folder / f"clcd_{__version__}_{_output_of('dpkg', '--print-architecture')}.deb"
        pack = ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z19", "--build", str(root), str(path)]
        subprocess.run(pack, check=True, stdout=subprocess.DEVNULL)
    return path


def _write_documents(frozen: Path, documents: Path) -> None:
    """Write what Debian asks for: the licences, and what changed."""
    documents.mkdir(parents=True)
    licences = sorted((frozen / "_internal" / "licences").glob("*.txt"))
    shutil.copyfile(PROJECT / "LICENSE", documents / "copyright")
    with (documents / "copyright").open("a", encoding="utf-8") as copyright_file:
        copyright_file.write("\nThe package holds further parts under licences of their own, which are in\n")
        copyright_file.write("/usr/lib/clcd/_internal/licences:\n\n")
        copyright_file.writelines(f"  {path.stem}\n" for path in licences)
    changes = (PROJECT / "resources/help/changes.md").read_text(encoding="utf-8")
    (documents / "changelog.gz").write_bytes(packed(changes))


def _set_modes(root: Path) -> None:
    """Let everybody read everything and nobody but the administrator write."""
    for path in root.rglob("*"):
        if path.is_symlink():
            continue
        runs = path.is_dir() or os.access(path, os.X_OK)
        path.chmod(RUNNABLE_MODE if runs else FILE_MODE)


def _output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main(frozen: str = str(PROJECT / "dist" / "clcd"), folder: str = str(PROJECT / "dist")) -> None:
    """Build the package and say how large it is."""
    path = build(Path(frozen).resolve(), Path(folder).resolve())
    print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
