"""Rows that are alike in the variables of a test count once, with their number as weight."""

from __future__ import annotations

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.mixed_table import MixedTable, MixedWorkspace

_NO_GROUP = -1


@kernel_part
def group_rows(data: MixedTable, workspace: MixedWorkspace, x: int, y: int, size: int) -> int:
    """Group the rows by two nominal variables and the members of the conditioning set.

    Where a member is continuous, or there are more combinations of categories than rows, every row is a
    group of its own.

    Returns
    -------
    int
        Number of groups; their rows and weights are in the workspace.
    """
    rows = data.values.shape[1]
    cells = data.categories[x] * data.categories[y]
    for place in range(size):
        cells *= data.categories[workspace.members[place]]
        if cells > rows:
            break
    if cells == 0 or cells > rows:
        return _ungrouped(workspace, rows)
    return _grouped(data, workspace, x, y, size, cells)


@inlined_part
def _ungrouped(workspace: MixedWorkspace, rows: int) -> int:
    for row in range(rows):
        workspace.group_rows[row] = row
        workspace.group_weights[row] = 1.0
    return rows


@inlined_part
def _grouped(data: MixedTable, workspace: MixedWorkspace, x: int, y: int, size: int, cells: int) -> int:
    codes_x, codes_y = data.codes[data.code_rows[x]], data.codes[data.code_rows[y]]
    for cell in range(cells):
        workspace.group_of_cell[cell] = _NO_GROUP
    groups = 0
    for row in range(codes_x.shape[0]):
        cell = codes_x[row] * data.categories[y] + codes_y[row]
        for place in range(size):
            member = workspace.members[place]
            cell = cell * data.categories[member] + data.codes[data.code_rows[member], row]
        group = workspace.group_of_cell[cell]
        if group == _NO_GROUP:
            group = groups
            workspace.group_of_cell[cell] = group
            workspace.group_rows[group] = row
            workspace.group_weights[group] = 0.0
            groups += 1
        workspace.group_weights[group] += 1.0
    return groups
