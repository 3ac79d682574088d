"""Where the processor's time of a piece of work goes: each compiled kernel, and each file in Python."""

from __future__ import annotations

import cProfile
import pstats
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numba.core.dispatcher import Dispatcher

_PROJECT = Path(__file__).resolve().parents[2]
_BUILT_IN = "functions in C, of Python and numpy"
_LIBRARY = "Python's library"


@dataclass
class Spent:
    """Seconds by part, the calls of each kernel, and the whole.

    Attributes
    ----------
    kernels : dict of str to float
        Seconds in each kernel that Python calls, kernels inside it included.
    calls : dict of str to int
        How often Python called it.
    python : dict of str to float
        Seconds outside kernels, by file of the program; shared out as a profiler sees them.
    whole : float
        All seconds, without a profiler.
    """

    kernels: dict[str, float] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    python: dict[str, float] = field(default_factory=dict)
    whole: float = 0.0

    @property
    def in_kernels(self) -> float:
        """Seconds in compiled code of the engine."""
        return sum(self.kernels.values())


def where_time_goes(work: Callable[[], Any]) -> Spent:
    """Divide the processor's time of some work that was done before, so that nothing is left to compile.

    Kernels are timed in a run without a profiler, which would slow Python down and not them; what is left of
    this run is Python's, and is shared out in proportion to a second run with a profiler.
    """
    spent = Spent()
    with _timed_kernels(spent):
        started = time.process_time()
        work()
        spent.whole = time.process_time() - started
    seen = _profiled(work)
    outside = (spent.whole - spent.in_kernels) / sum(seen.values())
    spent.python = {part: seconds * outside for part, seconds in seen.items()}
    return spent


@contextmanager
def _timed_kernels(spent: Spent) -> Iterator[None]:
    """Put a clock around every kernel that modules of the engine call."""
    put_back = list(_kernels())
    clocks: dict[Any, Callable[..., Any]] = {}
    try:
        for variables, name, kernel in put_back:
            variables[name] = clocks.setdefault(kernel, _with_clock(kernel, spent))
        yield
    finally:
        for variables, name, kernel in put_back:
            variables[name] = kernel


def _kernels() -> Iterator[tuple[dict[str, Any], str, Any]]:
    """List every name in a module of the engine that stands for a kernel."""
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] == "engine":
            for name, value in list(vars(module).items()):
                if isinstance(value, Dispatcher):
                    yield vars(module), name, value


def _with_clock(kernel: Any, spent: Spent) -> Callable[..., Any]:
    function = kernel.py_func
    name = f"{_part(function.__code__.co_filename)}: {function.__name__.lstrip('_')}"

    def call(*arguments: Any) -> Any:
        started = time.thread_time()
        outcome = kernel(*arguments)
        spent.kernels[name] = spent.kernels.get(name, 0.0) + time.thread_time() - started
        spent.calls[name] = spent.calls.get(name, 0) + 1
        return outcome

    return call


def _profiled(work: Callable[[], Any]) -> dict[str, float]:
    """Give the seconds in each file outside kernels, in all threads that the work starts."""
    profiles: list[cProfile.Profile] = []

    def begin(*_: Any) -> None:
        profiles.append(cProfile.Profile(time.thread_time))
        profiles[-1].enable()

    # The profiler sees a kernel as the Python function that it was compiled from.
    kernels = {kernel.py_func.__code__ for _, _, kernel in _kernels()}
    compiled = {(code.co_filename, code.co_firstlineno, code.co_name) for code in kernels}
    threading.setprofile(begin)
    begin()
    try:
        work()
    finally:
        profiles[0].disable()
        threading.setprofile(None)
    seconds: dict[str, float] = {}
    for profile in profiles:
        for function, (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
            if function not in compiled:
                part = _part(function[0])
                seconds[part] = seconds.get(part, 0.0) + own
    return seconds


def _part(file: str) -> str:
    """Name a file of the program from its top, one of a library by the library."""
    path = Path(file)
    if path.is_relative_to(_PROJECT):
        return path.relative_to(_PROJECT).as_posix()
    if "site-packages" in path.parts:
        return path.parts[path.parts.index("site-packages") + 1]
    return _BUILT_IN if file.startswith(("~", "<")) else _LIBRARY
