"""What the rows of a grid are, and the words that go with them: variables found, or features selected."""

from __future__ import annotations

from dataclasses import dataclass

from clcd_gui.graphs.legend import LegendEntry, grid_legend, selected_legend


@dataclass(frozen=True, slots=True)
class GridContent:
    """One kind of grid.

    Attributes
    ----------
    noun : str
        What one row is.
    title : str
        Title of its picture.
    orders : tuple of (str, str)
        Title and name of every order of the rows; see :func:`clcd_gui.graphs.grid_data.grid_data`.
    legend : tuple of LegendEntry
        What its marks mean.
    nothing : str
        Said when there is no row.
    """

    noun: str
    title: str
    orders: tuple[tuple[str, str], ...]
    legend: tuple[LegendEntry, ...]
    nothing: str


FOUND = GridContent(
    noun="variable",
    title="Variables and labels",
    orders=(("Most labels first", "given"), ("Strongest first", "strength"), ("As in the table", "name")),
    legend=grid_legend(),
    nothing="No variable counts for any label.",
)
SELECTED = GridContent(
    noun="feature",
    title="Selected features and labels",
    orders=(("As chosen", "given"), ("Strongest first", "strength"), ("As in the table", "name")),
    legend=selected_legend(),
    nothing="No feature was selected.",
)
"""The grid of Figure 8 of the paper, turned so that long names of features can be read."""
