"""How the counting and searching kernels are compiled: a few decorators, so that all agree.

Numba optimises every function by itself, makes machine code of it, and does both again in each function that
takes it in. Only Python's kernels are ever called, so that for their parts all this is done in vain: it was
two fifths of the time that a first run spends on compiling.

Kernels release the GIL, so that threads run them side by side and a window stays alive, and they are
kept on disk, so that only the first run on a machine compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from engine.collecting import without_collecting
from engine.compiled import cache

# Numba has this maker of functions in C, and uses it for every function that it compiles.

_NO_ADDRESS = 0


class _PartLibrary(JITCodeLibrary):
    """The code of one part, which is optimised together with the kernel that it becomes part of."""

    def _optimize_final_module(self) -> None:
        """Leave it as it is."""

    def _finalize_final_module(self) -> None:
        """Be ready to be linked, and make no machine code."""
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True


class _OptimizedPartLibrary(_PartLibrary):
    """The code of a part that is optimised by itself before it becomes part of a kernel.

    It has no machine code of its own either: a kernel that was compiled just now would call that, and one
    that is loaded the code within it, which was optimised once more and may add up in another order.
    """

    def _optimize_final_module(self) -> None:
        """Optimise it as a kernel is."""
        JITCodeLibrary._optimize_final_module(self)  # type: ignore[no-untyped-call]


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _PartLowering(NativeLowering):
    """Translates a part for the compiler behind numba, and does no more with it."""

    _name = "part_lowering"
    _library: type[_PartLibrary] = _PartLibrary

    def run_pass(self, state: Any) -> bool:
        """Put the translation into a library that kernels link."""
        name = state.func_id.func_qualname
        state.library = self._library(state.targetctx.codegen(), name)
        state.library.enable_object_caching()
        state.flags.no_compile = True
        super().run_pass(state)  # type: ignore[no-untyped-call]
        state.library.finalize()
        lowered = state.cr
        # What numba knows the part by; there is nothing behind it that could be called.
        entry = _dynfunc.make_function(
            lowered.fndesc.lookup_module(),
            name,
            "part of a kernel",
            _NO_ADDRESS,
            lowered.env,
            (state.library,),
        )
        state.targetctx.insert_user_function(entry, lowered.fndesc, [state.library])
        state.cr = lowered._replace(cfunc=entry)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _OptimizedPartLowering(_PartLowering):
    """Translates a part, and has it optimised by itself.

    None of its arrays lies within another: else it would be decided by their places in memory, which are
    others each time, whether sums are added up several at once.
    """

    _name = "optimized_part_lowering"
    _library = _OptimizedPartLibrary

    def run_pass(self, state: Any) -> bool:
        """Say so, and translate it."""
        state.flags.noalias = True
        return super().run_pass(state)


class PartCompiler(CompilerBase):
    """Numba's compiler with another last step; for ``pipeline_class`` of functions that only kernels call."""

    _lowering: type[_PartLowering] = _PartLowering

    def define_pipelines(self) -> list[Any]:
        """Return numba's steps."""
        steps: Any = DefaultPassBuilder.define_nopython_pipeline(self.state)  # type: ignore[no-untyped-call]
        steps.passes = [
            (self._lowering, "part lowering") if step is NativeLowering else (step, why)
            for step, why in steps.passes
        ]
        steps.finalize()
        return [steps]


class OptimizedPartCompiler(PartCompiler):
    """The same for parts that are optimised by themselves."""

    _lowering = _OptimizedPartLowering


# Before anything is compiled: it decides for which processor.
cache.activate()

Function = TypeVar("Function", bound=Callable[..., Any])

int64 = cast("Callable[[Any], int]", np.int64)
"""Makes a whole number of NumPy's type, from which the compiler makes no version for a literal."""

# Wrappers that nobody calls would double the time to compile.
_OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
PART_OPTIONS: Any = {**_OPTIONS, "no_cpython_wrapper": True, "_nrt": True, "pipeline_class": PartCompiler}
# Without arrays of their own, parts need not count references, which took longer than counting rows did.
COUNTING_OPTIONS: Any = {**PART_OPTIONS, "_nrt": False}
MERGED_OPTIONS: Any = {**COUNTING_OPTIONS, "forceinline": True}
# Optimised by itself: the order of its sums must not hang on the kernel that it becomes part of.
_ANY_ORDER = {"reassoc", "contract", "nsz"}
_SUMMING_OPTIONS: Any = {
    **COUNTING_OPTIONS,
    "fastmath": _ANY_ORDER,
    "pipeline_class": OptimizedPartCompiler,
}


def kernel(function: Function) -> Function:
    """Compile a function that Python alone calls, when it is first called, and keep it on disk."""
    return _kept_on_disk(function, _OPTIONS)


def shared_kernel(function: Function) -> Function:
    """Compile a function that both Python and kernels call, and keep it on disk."""
    return _kept_on_disk(function, _OPTIONS, is_called_by_kernels=True)


def kernel_part(function: Function) -> Function:
    """Compile a function that only kernels call; it is kept as a part of them."""
    return cast(Function, numba.njit(**PART_OPTIONS)(function))


def inlined_part(function: Function) -> Function:
    """Put the text of a function where kernels call it: compiles faster when that is one place."""
    return cast(Function, numba.njit(**PART_OPTIONS, inline="always")(function))


def counting_part(function: Function) -> Function:
    """Compile a part of a kernel that works on arrays it is given and makes none."""
    return cast(Function, numba.njit(**COUNTING_OPTIONS)(function))


def separate_part(function: Function) -> Function:
    """Compile a counting part that kernels hold once: merged, large ones would be compiled for each call."""
    return cast(Function, numba.njit(**COUNTING_OPTIONS, forceinline=False)(function))


def merged_part(function: Function) -> Function:
    """Compile a small counting part that is merged into its callers, so that nothing is handed over."""
    return cast(Function, numba.njit(**MERGED_OPTIONS)(function))


def summing_part(function: Function) -> Function:
    """Compile a counting part whose sums may be reordered, the same each time; no infinities or NaN."""
    return cast(Function, numba.njit(**_SUMMING_OPTIONS)(function))


def merged_summing_part(function: Function) -> Function:
    """Compile a small part that is merged into summing ones."""
    return cast(Function, numba.njit(**MERGED_OPTIONS, fastmath=_ANY_ORDER)(function))


def counting_kernel(function: Function) -> Function:
    """Compile a function that Python alone calls and that makes no arrays; it is kept on disk."""
    return _kept_on_disk(function, {**_OPTIONS, "_nrt": False})


def addressed_kernel(function: Function) -> Function:
    """Compile a function that kernels call by its address, and that makes no arrays; it is kept on disk."""
    return _kept_on_disk(function, {**_OPTIONS, "_nrt": False, "no_cpython_wrapper": True})


def _kept_on_disk(function: Function, options: Any, *, is_called_by_kernels: bool = False) -> Function:
    compiled = numba.njit(**options, cache=True)(function)
    collect_afterwards(compiled)
    cache.load_without_declarations(compiled)
    cache.name_files_by_process(compiled)
    cache.keep_where_there_is_room(compiled)
    if not is_called_by_kernels:
        cache.keep_machine_code_alone(compiled)
    cache.keep_for_engine_types_alone(compiled)
    return cast(Function, compiled)


def collect_afterwards(dispatcher: Any) -> None:
    """Pause the garbage collector while a kernel is compiled: it took a quarter of the time."""
    compile_kernel = dispatcher.compile

    def compile_first(signature: Any) -> Any:
        with without_collecting():
            return compile_kernel(signature)

    dispatcher.compile = compile_first
