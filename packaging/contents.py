"""What of the libraries goes into the frozen program: the spec asks for each file that PyInstaller collected.

Left out is what the program never loads, each with its reason, and on Linux what belongs to the system: its
own copy is kept up to date by the system, fits the screen drivers, and is declared by the package.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

# Patterns of the place in the frozen folder, with / between folders.
_NEVER_LOADED = {
    "sources for those who compile a library, or against it": (
        r"^(?:sklearn|scipy)/.*(?:\.(?:pyx|pxd|pxi|tp|c|cpp|h|build)|Makefile|README\.txt)$",
        r"^pyarrow/(?:include|includes|src|tests)/",
        r"^pyarrow/[^/]+\.(?:pxd|pxi|pyx|h)$",
    ),
    "Arrow's ways to servers and clouds, its plans, keys, and data sets of many files": (
        r"^pyarrow/(?:lib)?arrow_(?:flight|python_flight|s3|python_parquet_encryption)\b",
        r"^pyarrow/_(?:flight|s3fs|gcsfs|azurefs|hdfs|substrait|dataset\w*|pyarrow_cpp_tests|cuda|orc)\.",
        r"^pyarrow/_(?:parquet_encryption|dataset_parquet_encryption)\.",
    ),
    "one library under further names": (
        r"^pyarrow/libarrow_python\.so$",
        r"^pyarrow/libarrow_python\.so\.\d+\.\d+",
    ),
    "hyphenation of other languages than that of the report": (r"^pyphen/dictionaries/hyph_(?!en_)",),
    "words of Qt in other languages": (r"^PySide6/(?:Qt/)?translations/",),
    "screens without a desktop, secure connections, and pictures that Qt need not read": (
        r"^PySide6/(?:Qt/)?plugins/(?:egldeviceintegrations|tls|networkinformation|qmltooling)/",
        r"^PySide6/(?:Qt/)?plugins/platforms/libq(?:eglfs|linuxfb|minimalegl|vnc|vkkhrdisplay)",
        r"^PySide6/(?:Qt/)?lib/libQt6Egl",
        r"^PySide6/(?:Qt/)?plugins/imageformats/(?:lib)?q(?:tiff|webp|icns|tga|wbmp|pdf)",
        r"^PySide6/(?:Qt/)?(?:lib/)?(?:libQt6|Qt6?)(?:Network|Test)\b",
    ),
    "examples and tables of libraries": (
        r"^sklearn/datasets/(?:data|descr|images|tests)/",
        r"^matplotlib/mpl-data/(?:sample_data|plot_directive|images)/",
        r"^docx/templates/default-docx-template/",
        r"^pyqtgraph/icons/peegee/.*\.png$",
        r"^resources/pictures/",
        r"^distributed/(?:http|dashboard)/static/",
        r"/tests/",
    ),
    "fonts of formulas, of which charts have none": (
        r"^matplotlib/mpl-data/fonts/(?:afm|pdfcorefonts)/",
        r"^matplotlib/mpl-data/fonts/ttf/STIX",
    ),
    "pictures that no report has": (
        r"^PIL/_(?:avif|webp|imagingcms|imagingtk)\.",
        r"^pillow\.libs/lib(?:avif|webp|sharpyuv|lcms2)",
    ),
    "lists of the files of installed packages": (
        r"\.dist-info/(?:RECORD|INSTALLER|REQUESTED|direct_url\.json)$",
    ),
}
_LEFT_OUT = re.compile("|".join(f"(?:{each})" for patterns in _NEVER_LOADED.values() for each in patterns))

# What Python's own modules are linked to comes along: not every system has these versions.
_OF_PYTHON = re.compile(
    r"^lib(?:python|ssl|crypto|sqlite3|readline|ncursesw|tinfo|lzma|bz2|ffi|uuid|gdbm|expat|zstd|z)\b"
)
_SYSTEM_FOLDERS = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")

# Patched after they were linked: cutting symbols out of these breaks them.
_PATCHED = re.compile(r"\.libs/")
_NATIVE = re.compile(r"\.so(?:\.|$)")


def is_wanted(target: str, source: str, kind: str = "DATA") -> bool:
    """Tell whether a file belongs into the frozen program.

    Parameters
    ----------
    target : str
        Its place there.
    source : str
        Where it was found; of a link, what it leads to.
    kind : str
        PyInstaller's word for it.

    Examples
    --------
    >>> is_wanted("pyarrow/libarrow_flight.so.2600", "site-packages/pyarrow/libarrow_flight.so.2600")
    False
    >>> is_wanted("libX11.so.6", "/usr/lib/x86_64-linux-gnu/libX11.so.6")
    False
    """
    place = target.replace("\\", "/")
    if _LEFT_OUT.search(place) or (kind == "SYMLINK" and _LEFT_OUT.search(source)):
        return False
    is_of_system = sys.platform.startswith("linux") and source.startswith(_SYSTEM_FOLDERS)
    return not is_of_system or bool(_OF_PYTHON.match(place.rpartition("/")[2]))


def strip(frozen: Path) -> int:
    """Cut out of native libraries what only debuggers read, where the tool for it is there.

    Returns
    -------
    int
        How many bytes that saved.
    """
    tool = shutil.which("strip")
    if tool is None or not sys.platform.startswith("linux"):
        return 0
    saved = 0
    for path in frozen.rglob("*"):
        if _NATIVE.search(path.name) and path.is_file() and not path.is_symlink():
            if _PATCHED.search(path.as_posix()):
                continue
            before = path.stat().st_size
            subprocess.run([tool, "--strip-unneeded", str(path)], check=False, stderr=subprocess.DEVNULL)
            saved += before - path.stat().st_size
    return saved
