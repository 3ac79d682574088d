"""Where the keys lead from one cell of the grid to another."""

from __future__ import annotations

from PySide6.QtCore import Qt

from clcd_gui.graphs.grid_data import GridData

Cell = tuple[int, int]
_STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
_PAGES = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)


def leads_somewhere(key: Qt.Key) -> bool:
    """Tell whether a key moves the cursor."""
    return key in _STEPS or key in _PAGES or key in _ENDS


def cell_after(data: GridData, cell: Cell, key: Qt.Key, has_control: bool, page: int) -> Cell | None:
    """Give the cell that a key leads to.

    Parameters
    ----------
    data : GridData
        The grid.
    cell : (int, int)
        Row and column now; -1 where none is selected.
    key : Qt.Key
        One of those that `leads_somewhere` knows.
    has_control : bool
        Ctrl is held: an arrow goes to the next cell that holds something, Home and End to a corner.
    page : int
        Rows that are seen at once.

    Returns
    -------
    (int, int) or None
        None when the grid is empty.
    """
    if not data.row_count or not data.column_count:
        return None
    row, column = cell
    if key in _ENDS:
        at_end = key is Qt.Key.Key_End
        if has_control:
            row = data.row_count - 1 if at_end else 0
        return max(row, 0), data.column_count - 1 if at_end else 0
    if row < 0 or column < 0:
        return max(row, 0), max(column, 0)
    down, right = _STEPS.get(key, (0, 0))
    if key in _PAGES:
        down = _PAGES[key] * page
    elif has_control:
        return data.next_tick(row, column, down, right) or cell
    row = min(max(row + down, 0), data.row_count - 1)
    return row, min(max(column + right, 0), data.column_count - 1)
