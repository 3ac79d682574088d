"""How the C library holds the memory of the window: it gives back to the system what is no longer needed.

The GNU C library opens further pools of memory, eight for each processor, when threads ask for memory at the
same time, and keeps in them, between whatever small piece is still in use, the room of large tables that are
gone. A window that is open for days and works in many threads would hold twice what it needs.
"""

from __future__ import annotations

import ctypes
import sys

# Parameters of mallopt(3), by their numbers in malloc.h of the GNU C library.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
MOST_POOLS = 2
LARGE_BYTES = 4 * 1024 * 1024
"""From this size on a piece of memory is the system's own, and goes back to it at once.

The library would raise its own bound to 32 MB with the pieces that it sees. A lower one costs searches time,
since what comes from the system is emptied first: a tenth to a fifth at 128 kB.
"""
_FREE_BYTES = 2 * LARGE_BYTES


def give_memory_back() -> bool:
    """Have the C library hold few pools, and nothing large that is not in use.

    Returns
    -------
    bool
        Whether it does; False where the system has another C library, which has no such habits.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    wanted = {_ARENA_MAX: MOST_POOLS, _MMAP_THRESHOLD: LARGE_BYTES, _TRIM_THRESHOLD: _FREE_BYTES}
    return all(mallopt(parameter, value) == 1 for parameter, value in wanted.items())
