"""Kernels that are compiled for the tests alone, kept for later runs beside those of the engine.

The engine keeps nothing that holds code from outside it, since its fingerprint knows nothing of that. Here it
is kept in a folder that is named by the engine's fingerprint and by a digest of all files of the tests that
speak of kernels.
"""

from __future__ import annotations

import functools
import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from engine.compiled import cache

_TESTS = Path(__file__).resolve().parent


def activate() -> None:
    """Keep what the engine's kernels are compiled to for types of the tests; before they are declared."""
    of_the_engine = cache.keep_for_engine_types_alone

    def keep_by_types(dispatcher: Any) -> None:
        of_the_engine(dispatcher)
        store = dispatcher._cache
        ours = _cache_of(dispatcher.py_func)
        if ours is None:
            return
        save, load = store.save_overload, store.load_overload

        def save_by_types(signature: Any, compiled: Any) -> None:
            (save if _is_of_engine(compiled.signature.args) else ours.save_overload)(signature, compiled)

        def load_by_types(signature: Any, context: Any) -> Any:
            return (load if _is_of_engine(signature) else ours.load_overload)(signature, context)

        store.save_overload, store.load_overload = save_by_types, load_by_types

    cache.keep_for_engine_types_alone = keep_by_types


def kept_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function of a test that calls parts of the engine's kernels, and keep it."""
    import numba

    from engine.compiled.decorators import collect_afterwards

    # As the engine's: wrappers that nobody calls would double the time to compile.
    compiled = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    collect_afterwards(compiled)
    compiled._cache = _cache_of(function) or compiled._cache
    return compiled


def copy_all_but_the_tails(compiled: Path | None, to: Path) -> None:
    """Leave out the tails of chi-squared and the marks that say what is there: each run has to compile.

    And what another process is storing at this moment.
    """
    assert compiled is not None
    missing = shutil.ignore_patterns("*.compiled", "*.tmp.*", "engine.independence.chi_squared")
    shutil.copytree(compiled, to / compiled.name, ignore=missing)


def _is_of_engine(signature: Any) -> bool:
    return all(map(cache._is_of_engine, getattr(signature, "args", signature)))


def _cache_of(function: Callable[..., Any]) -> Any:
    """Return numba's store of a function, in the folder of the tests; None where nothing can be kept."""
    from numba.core.caching import FunctionCache, IndexDataCacheFile

    of_the_engine = cache.cache_folder()
    if of_the_engine is None:
        return None
    folder = of_the_engine.with_name(f"{of_the_engine.name}-tests-{_digest()[:24]}") / function.__module__
    folder.mkdir(parents=True, exist_ok=True)
    function_cache = FunctionCache(function)
    function_cache._cache_path = str(folder)
    function_cache._cache_file = IndexDataCacheFile(
        str(folder), function_cache._impl.filename_base, _digest()
    )
    cache.name_files_by_process(SimpleNamespace(_cache=function_cache))
    return function_cache


@functools.cache
def _digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(_TESTS.rglob("*.py")):
        content = path.read_bytes()
        if b"kernel" in content:
            digest.update(f"\0{path.relative_to(_TESTS).as_posix()}\0".encode() + content)
    return digest.hexdigest()
