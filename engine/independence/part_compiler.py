"""How parts of kernels are compiled: to code that is handed on, and not to code for the processor.

Numba optimises every function by itself, makes machine code of it, and does both again in each function that
takes it in. Only Python's kernels are ever called, so that for their parts all this is done in vain: it was
two fifths of the time that a first run spends on compiling.
"""

from __future__ import annotations

from typing import Any

# Numba has this maker of functions in C, and uses it for every function that it compiles.
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

_NO_ADDRESS = 0


class _PartLibrary(JITCodeLibrary):
    """The code of one part, which is optimised together with the kernel that it becomes part of."""

    def _optimize_final_module(self) -> None:
        """Leave it as it is."""

    def _finalize_final_module(self) -> None:
        """Be ready to be linked, and make no machine code."""
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _PartLowering(NativeLowering):
    """Translates a part for the compiler behind numba, and does no more with it."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Put the translation into a library that kernels link."""
        name = state.func_id.func_qualname
        state.library = _PartLibrary(state.targetctx.codegen(), name)  # type: ignore[no-untyped-call]
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


class PartCompiler(CompilerBase):
    """Numba's compiler with another last step; for ``pipeline_class`` of functions that only kernels call."""

    def define_pipelines(self) -> list[Any]:
        """Give numba's steps."""
        steps: Any = DefaultPassBuilder.define_nopython_pipeline(self.state)  # type: ignore[no-untyped-call]
        steps.passes = [
            (_PartLowering, "part lowering") if step is NativeLowering else (step, why)
            for step, why in steps.passes
        ]
        steps.finalize()
        return [steps]
