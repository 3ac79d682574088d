"""How the counting and searching kernels are compiled: a few decorators, so that all agree.

Kernels release the GIL, so that threads run them side by side and a window stays alive, and they are
kept on disk, so that only the first run on a machine compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from engine import kernel_cache
from engine.independence.part_compiler import PartCompiler

# Before anything is compiled: it decides for which processor.
kernel_cache.activate()

Function = TypeVar("Function", bound=Callable[..., Any])

# Wrappers that nobody calls would double the time to compile.
_OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
_WHOLE_PART_OPTIONS: Any = {**_OPTIONS, "no_cpython_wrapper": True, "_nrt": True}
PART_OPTIONS: Any = {**_WHOLE_PART_OPTIONS, "pipeline_class": PartCompiler}
# Without arrays of their own, parts need not count references, which took longer than counting rows did.
COUNTING_OPTIONS: Any = {**PART_OPTIONS, "_nrt": False}
MERGED_OPTIONS: Any = {**COUNTING_OPTIONS, "forceinline": True}
# Optimised by itself: the order of its sums must not hang on the kernel that it becomes part of.
_SUMMING_OPTIONS: Any = {**_WHOLE_PART_OPTIONS, "_nrt": False, "fastmath": {"reassoc", "contract", "nsz"}}


def kernel(function: Function) -> Function:
    """Compile a function that Python calls, when it is first called, and keep it on disk.

    Parameters
    ----------
    function : callable
        Within numba's subset of Python.

    Returns
    -------
    callable
        Releases the GIL while it runs.
    """
    return _kept_on_disk(function, _OPTIONS)


def kernel_part(function: Function) -> Function:
    """Compile a function that only kernels call; it is kept as a part of them."""
    return cast(Function, numba.njit(**PART_OPTIONS)(function))


def inlined_part(function: Function) -> Function:
    """Put the text of a function where kernels call it: compiles faster when that is one place."""
    return cast(Function, numba.njit(**PART_OPTIONS, inline="always")(function))


def counting_part(function: Function) -> Function:
    """Compile a part of a kernel that works on arrays it is given and makes none."""
    return cast(Function, numba.njit(**COUNTING_OPTIONS)(function))


def merged_part(function: Function) -> Function:
    """Compile a small counting part that is merged into its callers, so that nothing is handed over."""
    return cast(Function, numba.njit(**MERGED_OPTIONS)(function))


def summing_part(function: Function) -> Function:
    """Compile a counting part whose sums may be added up in the order that suits the processor.

    It is the same order each time. Nothing in it may hang on infinities or on what is no number.
    """
    return cast(Function, numba.njit(**_SUMMING_OPTIONS)(function))


def counting_kernel(function: Function) -> Function:
    """Compile a function that Python calls and that makes no arrays; it is kept on disk."""
    return _kept_on_disk(function, {**_OPTIONS, "_nrt": False})


def _kept_on_disk(function: Function, options: Any) -> Function:
    compiled = numba.njit(**options, cache=True)(function)
    kernel_cache.name_files_by_process(compiled)
    return cast(Function, compiled)
