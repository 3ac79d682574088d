"""Standard output and error: any letters, any terminal, and a reader that may go away."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

from engine.errors import UnwritableFile
from engine.printable import visible

ERROR_PREFIX = "clcd: "


class Console:
    """Where the command speaks to: results to standard output, messages to standard error.

    Letters that the terminal cannot show are replaced. When the program that reads the output goes away
    (``clcd inspect … | head``), the rest is dropped without a word.
    """

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")

    @property
    def is_watched(self) -> bool:
        """Whether a person sees standard error, so that progress is worth drawing."""
        return sys.stderr is not None and sys.stderr.isatty()

    def say(self, text: str = "") -> None:
        """Write a line to standard output."""
        if sys.stdout is None:
            return
        try:
            sys.stdout.write(text + "\n")
        except BrokenPipeError:
            _discard(sys.stdout)
        except OSError as error:
            raise _cannot_print(error) from error

    def message(self, text: str) -> None:
        """Write one line to standard error."""
        if sys.stderr is None:
            return
        line = ERROR_PREFIX + visible(" ".join(text.split())) + "\n"
        try:
            sys.stderr.write(line)
            sys.stderr.flush()
        except BrokenPipeError:
            _discard(sys.stderr)

    def finish(self) -> None:
        """Send everything on its way, while errors can still be reported."""
        if sys.stdout is None:
            return
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            _discard(sys.stdout)
        except OSError as error:
            _discard(sys.stdout)
            raise _cannot_print(error) from error


def _discard(stream: TextIO) -> None:
    """Send what is still buffered nowhere, so that nothing complains when the program ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _cannot_print(error: OSError) -> UnwritableFile:
    return UnwritableFile(
        f"cannot be written ({error.strerror or error}).",
        place="standard output",
        remedy="Files that were asked for are there.",
    )
