"""How much memory a process may ask for, where the system lets it say so.

A library that believes a damaged file about its size then fails at once. Otherwise it fills the memory, until
the system ends this program or another one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# What libraries reserve and hardly ever fill: stacks and arenas of threads, and mapped files.
_RESERVED = 4 << 30
_IN_USE = Path("/proc/self/statm")

Limits = tuple[int, int]


def limit_memory(more: int | None = None) -> Limits | None:
    """Let this process and its children take `more` bytes, or what the machine has; return earlier limits."""
    if sys.platform == "win32":
        return None
    import resource

    # Not every system has these, or keeps to them.
    with suppress(OSError, ValueError, AttributeError):
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if more is None:
            more = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") + _RESERVED
        most = _in_use() + more
        if soft == resource.RLIM_INFINITY or soft > most:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
            return soft, hard
    return None


@contextmanager
def limited_memory(more: int | None = None) -> Iterator[None]:
    """Limit the memory of this process for the time of a block."""
    before = limit_memory(more)
    try:
        yield
    finally:
        if before is not None and sys.platform != "win32":
            import resource

            resource.setrlimit(resource.RLIMIT_AS, before)


def _in_use() -> int:
    """Return the bytes that this process has asked for; 0 where the system does not tell."""
    try:
        return int(_IN_USE.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
