"""How the counting and searching kernels are compiled: one decorator, so that all agree.

Kernels release the GIL, so that threads run them side by side and a window stays alive, and they are
kept on disk, so that only the first run on a machine compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from engine import kernel_cache

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function when it is first called; it releases the GIL and is cached on disk."""
    kernel_cache.activate()
    return cast(Function, numba.njit(nogil=True, cache=True, error_model="numpy")(function))
