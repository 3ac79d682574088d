"""Which of two sentences fits a number: each is written whole, since languages differ in more than an "s"."""

from __future__ import annotations


def for_count(count: int, one: str, several: str) -> str:
    """Return the sentence that fits a number of things; its places are filled by the caller.

    Parameters
    ----------
    count : int
        How many there are.
    one : str
        The sentence about a single one.
    several : str
        The sentence about any other number, none included.

    Examples
    --------
    >>> for_count(1, "{count} row was left out.", "{count} rows were left out.").format(count=1)
    '1 row was left out.'
    """
    return one if count == 1 else several
