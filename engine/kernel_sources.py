"""Which source files decide what the kernels compile to, and one fingerprint over all of them.

Numba's own cache looks only at the file in which a kernel stands. A kernel that calls one of another
file is stored with that other code inside, and would stay in use when the other file changes.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_ENGINE = Path(__file__).resolve().parent
_KERNEL_HELPER = "engine.independence.compiled"
_IMPORTED_NAMES = re.compile(r"^from\s+(engine[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_IMPORTED_MODULE = re.compile(r"^import\s+(engine[\w.]*)", re.MULTILINE)


@functools.cache
def kernel_fingerprint() -> str:
    """Give a SHA-256, as hexadecimal digits, over all that decides what the kernels compile to.

    The versions of Python and of the compiling libraries count as well as the sources.
    """
    import llvmlite
    import numba
    import numpy

    digest = hashlib.sha256()
    versions = (numba.__version__, llvmlite.__version__, numpy.__version__, sys.implementation.cache_tag)
    digest.update(" ".join(versions).encode())
    for path in kernel_sources():
        digest.update(f"\0{path.relative_to(_ENGINE).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


@functools.cache
def kernel_sources() -> tuple[Path, ...]:
    """List the files that hold kernels and every engine file that these import, directly or not.

    Numba writes the value of an imported constant into the code, so files without a kernel count too.
    The result is empty where the program was installed without its sources.
    """
    texts = {path: path.read_text(encoding="utf-8") for path in _ENGINE.rglob("*.py")}
    wanted = [path for path, text in texts.items() if _KERNEL_HELPER in _imported_modules(text)]
    found: set[Path] = set()
    while wanted:
        path = wanted.pop()
        if path not in found:
            found.add(path)
            modules = _imported_modules(texts[path])
            wanted += [file for module in modules for file in _files_of(module) if file in texts]
    return tuple(sorted(found))


def _imported_modules(text: str) -> set[str]:
    """Name what a source imports at its top level: modules, and names that may be modules."""
    modules = set(_IMPORTED_MODULE.findall(text))
    for origin, names in _IMPORTED_NAMES.findall(text):
        modules.add(origin)
        modules.update(f"{origin}.{name}" for name in re.findall(r"\w+", names))
    return modules


def _files_of(module: str) -> Iterator[Path]:
    inside = _ENGINE.joinpath(*module.split(".")[1:])
    yield inside.with_suffix(".py")
    yield inside / "__init__.py"
