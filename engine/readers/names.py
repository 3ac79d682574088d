"""Column names that are unique and not empty."""

from __future__ import annotations

from collections.abc import Sequence

from engine.wording.notes import Note


def usable_names(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """Give every column a name of its own.

    Parameters
    ----------
    names : sequence of str
        Names as they stand in the file; some may be empty or repeat.

    Returns
    -------
    names : tuple of str
        An empty name becomes ``"V3"`` for the third column; the second ``"dose"`` ``"dose (2)"``.
    notes : tuple of Note
        One for every column that was named or renamed.

    Examples
    --------
    >>> usable_names(["dose", "", "dose"])[0]
    ('dose', 'V2', 'dose (2)')
    """
    taken = {name for name in names if name}
    seen: set[str] = set()
    result: list[str] = []
    notes: list[Note] = []
    for position, original in enumerate(names, start=1):
        name = original
        if not name:
            name = _free_name(f"V{position}", taken)
            message = f"Column {position} has no name; it is called '{name}' here."
            notes.append(Note("unnamed-column", message, name))
        elif name in seen:
            name = _free_name(name, taken)
            message = f"Two columns are named '{original}'; column {position} is called '{name}' here."
            notes.append(Note("duplicate-name", message, name))
        seen.add(name)
        taken.add(name)
        result.append(name)
    return tuple(result), tuple(notes)


def numbered_names(count: int) -> tuple[str, ...]:
    """Name the columns of a table without a header: V1, V2, …"""
    return tuple(f"V{position}" for position in range(1, count + 1))


def _free_name(wanted: str, taken: set[str]) -> str:
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted} ({number})" in taken:
        number += 1
    return f"{wanted} ({number})"
