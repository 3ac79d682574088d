"""Where compiled kernels are kept between runs, and the fingerprint of the sources that they are made of.

Each version of the kernels has a folder of its own, named by their fingerprint: a kernel is never taken
from a folder that another version filled.

Numba's own cache looks only at the file in which a kernel stands. A kernel that calls one of another
file is stored with that other code inside, and would stay in use when the other file changes.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.atomic import new_folder
from engine.errors import UnwritableFile

_ENGINE = Path(__file__).resolve().parent.parent
_DECORATORS = Path(__file__).resolve().with_name("decorators.py")
_IMPORTED_NAMES = re.compile(r"^from\s+(engine[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_IMPORTED_MODULE = re.compile(r"^import\s+(engine[\w.]*)", re.MULTILINE)


@functools.cache
def kernel_fingerprint() -> str:
    """Return a SHA-256, in hexadecimal, over the sources and versions of Python and compiling libraries."""
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
    """List the files that hold kernels and every engine file that these import; () without sources.

    Numba writes the value of an imported constant into the code, so files without a kernel count too.
    """
    texts = {path: path.read_text(encoding="utf-8") for path in _ENGINE.rglob("*.py")}
    naming = (path for path, text in texts.items() if _DECORATORS.stem in text)
    wanted = [path for path in naming if _DECORATORS in _imported_files(texts[path])]
    paths: set[Path] = set()
    while wanted:
        path = wanted.pop()
        if path not in paths:
            paths.add(path)
            wanted += [file for file in _imported_files(texts[path]) if file in texts]
    return tuple(sorted(paths))


def _imported_files(text: str) -> set[Path]:
    """Files that may hold what a source imports at its top level: modules, and names that may be modules."""
    modules = set(_IMPORTED_MODULE.findall(text))
    for origin, names in _IMPORTED_NAMES.findall(text):
        modules.add(origin)
        modules.update(f"{origin}.{name}" for name in re.findall(r"\w+", names))
    places = [_ENGINE.joinpath(*module.split(".")[1:]) for module in modules]
    return {path for place in places for path in (place.with_suffix(".py"), place / "__init__.py")}


_SHIPPED = Path(__file__).resolve().parent.parent / "shipped_kernels"
_FOLDERS_KEPT = 8
_SECONDS_IN_USE = 24 * 3600.0
_SECONDS_TO_STORE = 600.0
_PROCESS = uuid.uuid4().hex

_OWN_LOCATOR = f"{__name__}.KernelCacheLocator"
_NUMBAS_LOCATORS = (
    "UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator,IPythonCacheLocator,ZipCacheLocator"
)

# What LLVM calls the instruction sets that "x86-64-v3" stands for.
_X86_64_V3 = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")


def activate() -> None:
    """Make numba keep the engine's kernels in :func:`cache_folder`; call it before a kernel is declared."""
    config = _numba_config()
    locators = config.CACHE_LOCATOR_CLASSES or _NUMBAS_LOCATORS
    if _OWN_LOCATOR not in locators:
        config.CACHE_LOCATOR_CLASSES = f"{_OWN_LOCATOR},{locators}"
    processor = _shipped_processor()
    if processor and config.CPU_NAME is None:
        config.CPU_NAME = processor
        # The name says it all; this machine's further features would make the kernels differ.
        config.CPU_FEATURES = ""


def compile_sooner() -> None:
    """Have this process compile a sixth faster, unless a level is set; call it before numba is imported.

    Searches were measured to run no faster by numba's third level of optimisation than by its second.
    """
    os.environ.setdefault("NUMBA_OPT", "2")


def load_without_declarations(dispatcher: Any) -> None:
    """Load a stored kernel without declaring all that numba could compile.

    The declarations took half of the time in which the first kernels are loaded; compiling makes them by
    itself.
    """
    from numba.core.runtime.nrt import rtsys

    stored = dispatcher._cache

    def load(signature: Any, target: Any) -> Any:
        # Arrays that kernels make need it.
        rtsys.initialize(target)
        with stored._guard_against_spurious_io_errors():
            return stored._load_overload(signature, target)

    stored.load_overload = load


def name_files_by_process(dispatcher: Any) -> None:
    """Give what this process stores of a kernel file names that no other process uses.

    Else two processes that compile one kernel for different data could load each other's code.
    """
    file = dispatcher._cache._cache_file
    file._data_name_pattern = file._data_name_pattern.replace(".nbc", f"-{_PROCESS}.nbc")


def keep_where_there_is_room(dispatcher: Any) -> None:
    """Store what a kernel is compiled to where that can be written; else it is compiled again next time."""
    store = dispatcher._cache.save_overload

    def store_if_possible(signature: Any, compiled: Any) -> None:
        with suppress(OSError):
            store(signature, compiled)

    dispatcher._cache.save_overload = store_if_possible


def keep_for_engine_types_alone(dispatcher: Any) -> None:
    """Store of a kernel what it is compiled to for types of the engine, and for no others.

    A type of an added test could not be read without its module, and the fingerprint misses changes of that.
    """
    store = dispatcher._cache.save_overload

    def store_if_of_engine(signature: Any, compiled: Any) -> None:
        if all(map(_is_of_engine, compiled.signature.args)):
            store(signature, compiled)

    dispatcher._cache.save_overload = store_if_of_engine


def keep_machine_code_alone(dispatcher: Any) -> None:
    """Store a kernel without its form for inlining: two thirds of a file, and half of the loading time."""
    store = dispatcher._cache.save_overload

    def store_machine_code(signature: Any, compiled: Any) -> None:
        library = compiled.library
        to_be_taken_in = library._get_module_for_linking()
        library._shared_module = _names_alone(to_be_taken_in)
        try:
            store(signature, compiled)
        finally:
            library._shared_module = to_be_taken_in

    dispatcher._cache.save_overload = store_machine_code


def _names_alone(module: Any) -> Any:
    """Return a module of the compiler that defines the names of another, with nothing behind them."""
    import llvmlite.binding

    functions = [function.name for function in module.functions if not function.is_declaration]
    variables = [
        global_variable.name
        for global_variable in module.global_variables
        if not global_variable.is_declaration
    ]
    lines = [f'define void @"{name}"() {{ unreachable }}' for name in functions]
    lines += [f'@"{name}" = global i8 0' for name in variables]
    return llvmlite.binding.parse_assembly("\n".join(lines))


def _is_of_engine(numba_type: Any) -> bool:
    """Tell whether no class from outside the engine is within a type; arrays and numbers have no class."""
    named_tuple = getattr(numba_type, "instance_class", None)
    if named_tuple is not None and named_tuple.__module__.partition(".")[0] != "engine":
        return False
    return all(map(_is_of_engine, getattr(numba_type, "types", ())))


def _numba_config() -> Any:
    """Return numba's settings, which it makes as it is imported and no type checker can see."""
    import numba

    return numba.config


class KernelCacheLocator:
    """Tells numba (``NUMBA_CACHE_LOCATOR_CLASSES``) where a kernel is kept, and when it is out of date."""

    def __init__(self, function: Callable[..., Any], path: str, folder: Path) -> None:
        self._py_file = path  # Numba reads this name when it warns.
        self._line = function.__code__.co_firstlineno
        self._folder = folder / function.__module__

    @classmethod
    def from_function(cls, function: Callable[..., Any], path: str) -> KernelCacheLocator | None:
        """Take charge of a function of the engine, and of no other."""
        if function.__module__.partition(".")[0] != "engine":
            return None
        folder = cache_folder()
        return cls(function, path, folder) if folder else None

    def ensure_cache_path(self) -> None:
        """Create the folder; numba asks for it whenever it is about to store something there."""
        self._folder.mkdir(parents=True, exist_ok=True)
        _remove_unfinished(self._folder)

    def get_cache_path(self) -> str:
        """Return the folder of the module of the kernel."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return what must be unchanged for a stored kernel to be used."""
        return kernel_fingerprint()

    def get_disambiguator(self) -> str:
        """Return what tells functions of the same name in one module apart."""
        return str(self._line)


@functools.cache
def cache_folder() -> Path | None:
    """Return the folder of compiled kernels of exactly this version, or None where no source can be read.

    ``NUMBA_CACHE_DIR`` if set, else the user's cache folder, else a private temporary one; kernels that came
    with the program are copied.
    """
    if not kernel_sources():
        return None
    name = f"{kernel_fingerprint()[:24]}-{_shipped_processor() or 'host'}"
    for parent in (_chosen_parent, _temporary_parent):
        try:
            return _prepared(parent() / name)
        except (OSError, UnwritableFile):
            # A folder that cannot be written is no fault: the next one serves as well.
            continue
    return None


def _chosen_parent() -> Path:
    import platformdirs

    folder = _numba_config().CACHE_DIR
    if folder:
        return Path(folder).resolve() / "clcd-kernels"
    return platformdirs.user_cache_path("clcd", appauthor=False) / "kernels"


def _temporary_parent() -> Path:
    """Return a folder for temporary files that nobody else can write: what is loaded from it is run."""
    if not hasattr(os, "getuid"):
        return Path(tempfile.gettempdir(), "clcd-kernels")
    folder = Path(tempfile.gettempdir(), f"clcd-kernels-{os.getuid()}")
    if not folder.is_symlink() and not folder.exists():
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    private = stat.S_ISDIR(status.st_mode) and not stat.S_IMODE(status.st_mode) & 0o077
    if private and status.st_uid == os.getuid():
        return folder
    return _folder_of_this_process()


def _folder_of_this_process() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="clcd-kernels-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _prepared(folder: Path) -> Path:
    """Create the folder, whole or not at all, and make sure that it can be written."""
    if not folder.is_dir():
        with new_folder(folder) as draft:
            _remove_oldest(folder.parent)
            shipped = _SHIPPED / folder.name
            if shipped.is_dir():
                shutil.copytree(shipped, draft, dirs_exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()
    os.utime(folder)
    return folder


def _remove_oldest(parent: Path) -> None:
    """Keep the kernels of the versions used last, and of every one that may be in use at this moment."""
    every = sorted((path for path in parent.iterdir() if path.is_dir()), key=_modified)
    folders = [path for path in every if not path.name.startswith(".")]
    # Hidden ones are drafts, of which a process that was killed may have left some.
    drafts = [path for path in every if path not in folders]
    for folder in (*folders[: 1 - _FOLDERS_KEPT], *drafts):
        if _modified(folder) < time.time() - _SECONDS_IN_USE:
            shutil.rmtree(folder, ignore_errors=True)


def _remove_unfinished(folder: Path) -> None:
    """Remove what numba had begun to store in a process that was killed; to store something takes moments."""
    for path in folder.glob("*.tmp.*"):
        if _modified(path) < time.time() - _SECONDS_TO_STORE:
            with suppress(OSError):
                path.unlink()


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        # Another process is removing it.
        return 0.0


@functools.cache
def _shipped_processor() -> str:
    """Name the processor for which kernels came with the program; empty when none came or none fits."""
    if not _SHIPPED.is_dir():
        return ""
    import llvmlite.binding

    prefix = f"{kernel_fingerprint()[:24]}-"
    processors = [path.name.removeprefix(prefix) for path in _SHIPPED.glob(f"{prefix}*")]
    features = llvmlite.binding.get_host_cpu_features()
    for processor in processors:
        needed = _X86_64_V3 if processor == "x86-64-v3" else ()
        if all(features.get(feature) for feature in needed):
            return processor
    return ""
