"""The ``clcd`` command: arguments in, the public API, files and plain sentences out."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from types import FrameType

from engine.compiled.configuration import compile_always
from engine.terminal.interruption import INTERRUPTED, STOPPED_EARLY
from engine.translation import _

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the ``clcd`` command; Ctrl+C ends it quietly while its modules are still being loaded, too."""
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        raise KeyboardInterrupt

    # Only of a process of its own, and not where it was started to ignore the signal.
    if argv is None and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, note)
    if argv is None:
        compile_always()
    try:
        from engine.terminal.command_line import main as run

        return run(argv)
    except (Exception, KeyboardInterrupt) as error:
        # Libraries that are stopped while they are loaded say that they are not installed well.
        if not noted and not isinstance(error, KeyboardInterrupt):
            raise
        if sys.stderr is not None:
            # The console may not be there yet.
            sys.stderr.write(f"clcd: {_(STOPPED_EARLY)}\n")
        return INTERRUPTED
