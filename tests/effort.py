"""What a call costs, to be compared with what another costs in the same process."""

from __future__ import annotations

import time
from collections.abc import Callable


def effort(call: Callable[[], object], repeats: int = 3) -> float:
    """Return the least processor time of some calls, in seconds; what else the machine does takes no part."""
    seconds = []
    for _ in range(repeats):
        started = time.process_time()
        call()
        seconds.append(time.process_time() - started)
    return min(seconds)
