"""Exit statuses of the command, as scripts see them."""

from __future__ import annotations

DONE = 0
INTERNAL_ERROR = 1
BAD_INPUT = 2
INTERRUPTED = 130
