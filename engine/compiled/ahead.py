"""Compiling kernels in a process of its own, beside whatever else there is to do.

The first run on a machine compiles for some seconds. A second process does it on another core, and where
the first one has a window, without holding it up. What it compiled is found in the kernels' folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_NICENESS = 10
_PROGRAM = Path(__file__).resolve().parents[2]
"""The folder in which the program is."""

# On a thread of its own a child waits for the end of its input, which its parent holds open while it lives.
# It reads from below sys.stdin, which Python closes at its end: that would wait for a reader, and then abort.
_WAIT = (
    "import os, threading; "
    "threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start(); "
)
_RUN = (
    "import runpy, sys; place, module = sys.argv[1:3]; "
    "place in sys.path or sys.path.insert(0, place); sys.argv[1:3] = []; "
    "runpy.run_module(module, run_name='__main__', alter_sys=True)"
)


class Compilation:
    """A process that compiles kernels."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def is_running(self) -> bool:
        """Tell whether it is still compiling."""
        return self._process.poll() is None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, at most `timeout` seconds; tell whether it has come."""
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return False
        self._let_go()
        return True

    def stop(self) -> None:
        """End the process; kernels that it finished are kept."""
        if self.is_running():
            self._process.terminate()
        self._process.wait()
        self._let_go()

    def _let_go(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()


def command(module: str, words: Sequence[str], *, waits: bool = True) -> list[str]:
    """Return what runs a module of the program, and nothing that lies in the current folder.

    With ``python -m`` alone a file beside a person's table would be imported in the place of a library that
    has its name.

    Parameters
    ----------
    waits : bool
        End with the end of the input, which the parent holds open while it lives; else what is on the input
        is for the module.

    Examples
    --------
    >>> command("engine.boundaries.warm_up", ["g2"])[1:3]
    ['-P', '-c']
    """
    return [sys.executable, "-P", "-c", f"{_WAIT}{_RUN}" if waits else _RUN, str(_PROGRAM), module, *words]


def command_of_program(module: str, argument: str) -> list[str]:
    """Return what starts another process of this program, to which its input is given.

    Examples
    --------
    >>> command_of_program("engine.readers.statistics_process", "--read-statistics")[1]
    '-P'
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, argument]
    return command(module, [], waits=False)


def start_module(module: str, words: Sequence[str], *, calmly: bool = False) -> Compilation:
    """Start a module that compiles, as a process that ends with this one, however that ends.

    Parameters
    ----------
    calmly : bool
        Windows lowers the priority from outside; elsewhere the process does so by :func:`be_calm`.
    """
    flags = 0
    if sys.platform == "win32" and calmly:
        flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS
    process = subprocess.Popen(
        command(module, words),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=flags,
    )
    return Compilation(process)


def be_calm() -> None:
    """Lower the priority of this process, so that a window stays lively on one core too."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
