"""Whether a table has rows enough for a test to count as evidence of independence."""

from __future__ import annotations

from typing import Any

from engine.compiled.decorators import inlined_part


@inlined_part
def bears(data: Any, observations: float, nominal_dof: float, cells: float) -> bool:
    """Tell whether the rows a degree of freedom and the rows a cell are as many as the rules ask.

    `data` is a table with ``min_rows_per_dof`` and ``min_rows_per_cell``; 0 switches a rule off.
    """
    return (  # type: ignore[no-any-return]
        observations >= data.min_rows_per_dof * nominal_dof and observations >= data.min_rows_per_cell * cells
    )
