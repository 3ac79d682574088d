"""How much memory a process may ask for, where the system lets it say so."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

# What libraries reserve and hardly ever fill: stacks and arenas of threads, and mapped files.
_RESERVED = 4 << 30


def limit_memory() -> None:
    """Let this process, and those that it starts, ask for no more memory than the machine has.

    A library that believes a damaged file about its size then fails at once. Otherwise it fills the memory,
    until the system ends this program or another one.
    """
    if sys.platform == "win32":
        return
    import resource

    # Not every system has these, or keeps to them.
    with suppress(OSError, ValueError, AttributeError):
        most = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") + _RESERVED
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY or soft > most:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
