"""What libraries raise about damaged files: there is no end to it."""

from __future__ import annotations


def is_panic(error: BaseException) -> bool:
    """Tell whether a library written in Rust gave up; to Python such an error is no `Exception`."""
    return type(error).__name__ == "PanicException"


def first_line(error: BaseException) -> str:
    r"""Return the first line of what an error says, or its kind where it says nothing.

    Examples
    --------
    >>> first_line(ValueError("it ends too early.\nRead 3 bytes")), first_line(EOFError())
    ('it ends too early', 'EOFError')
    """
    return (str(error).splitlines() or [""])[0].strip(" .") or type(error).__name__
