"""The kinds of networks that the paper compares methods on, and the tables in which it shows them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of network.

    Attributes
    ----------
    label_causality : float
        Share of labels with a direct relation to another label, the paper's p_c.
    multiple_boundaries : float
        Share of labels with several Markov boundaries, the paper's p_m.

    Examples
    --------
    >>> Cell(0.5, 1.0).name, Cell(0.5, 1.0).title
    ('0.5/1', 'p_c 0.5, p_m 1')
    """

    label_causality: float
    multiple_boundaries: float

    @property
    def name(self) -> str:
        """What the cell is called in the terminal and in files."""
        return f"{self.label_causality:g}/{self.multiple_boundaries:g}"

    @property
    def title(self) -> str:
        """What the cell is called in words."""
        return f"p_c {self.label_causality:g}, p_m {self.multiple_boundaries:g}"


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One table of the paper.

    Attributes
    ----------
    number : int
        Its number there.
    title : str
        What varies in it.
    cells : tuple of str
        Names of its cells, top to bottom.
    """

    number: int
    title: str
    cells: tuple[str, ...]


_CELLS = (Cell(0.5, 0.0), Cell(0.5, 0.5), Cell(0.5, 1.0), Cell(0.0, 0.5), Cell(1.0, 0.5))

PAPER_TABLES = (
    PaperTable(2, "by the share of labels with several Markov boundaries", ("0.5/0", "0.5/0.5", "0.5/1")),
    PaperTable(3, "by the share of labels with a direct relation to another", ("0/0.5", "0.5/0.5", "1/0.5")),
)


def cells() -> dict[str, Cell]:
    """Give every cell by name, in the order in which they are shown.

    Examples
    --------
    >>> list(cells())
    ['0.5/0', '0.5/0.5', '0.5/1', '0/0.5', '1/0.5']
    """
    return {each.name: each for each in _CELLS}
