"""What methods are compared on: kinds of networks, and the settings under which every method is measured."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from engine.boundaries.settings import AS_PUBLISHED, DiscoverySettings


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of network.

    Attributes
    ----------
    name : str
        What it is called in the terminal and in files.
    title, help : str
        What it is called in words, and a sentence on it.
    simulation : mapping of str to value
        Its settings of :func:`engine.simulate`, but for sizes and seed.
    in_paper : bool
        The paper has figures of such networks.

    Examples
    --------
    >>> cells()["0.5/1"].title, cells()["numbers/smooth"].in_paper
    ('p_c 0.5, p_m 1', False)
    """

    name: str
    title: str
    help: str
    simulation: Mapping[str, Any]
    in_paper: bool = True


@dataclass(frozen=True, slots=True)
class CellTable:
    """Kinds of networks that are shown together: one of the paper's tables, or those with numbers.

    Attributes
    ----------
    number : int, optional
        Its number in the paper; None when it is not there.
    title : str
        What varies in it.
    cells : tuple of str
        Names of its cells, top to bottom.
    """

    number: int | None
    title: str
    cells: tuple[str, ...]

    @property
    def name(self) -> str:
        """What it is called beside figures."""
        return "networks with numbers" if self.number is None else f"Table {self.number}"


def _of_paper(label_causality: float, multiple_boundaries: float) -> Cell:
    """Make a kind of network of the paper: p_c and p_m."""
    return Cell(
        f"{label_causality:g}/{multiple_boundaries:g}",
        f"p_c {label_causality:g}, p_m {multiple_boundaries:g}",
        f"{label_causality:.0%} of the labels have a direct relation to another label, "
        f"{multiple_boundaries:.0%} have several Markov boundaries.",
        {"label_causality": label_causality, "multiple_boundaries": multiple_boundaries},
    )


def _with_numbers(name: str, title: str, what: str, **simulation: Any) -> Cell:
    """Make a kind of network with numbers: a random graph, which has no regard to labels."""
    random = {"graph": "random", "multiple_boundaries": 0.0, "strength": 0.7}
    return Cell(name, title, f"{what} Labels have two levels.", random | simulation, in_paper=False)


_LINEAR = {"variables": "numbers", "relations": "linear"}
_CELLS = (
    *(_of_paper(*shares) for shares in ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0), (0.0, 0.5), (1.0, 0.5))),
    _with_numbers("numbers/linear", "numbers, linear", "Features are Gaussian numbers.", **_LINEAR),
    _with_numbers(
        "numbers/smooth",
        "numbers, smooth",
        "Features are numbers that depend on their causes along curves.",
        variables="numbers",
        relations="smooth",
    ),
    _with_numbers(
        "numbers/heavy-tailed",
        "numbers, heavy-tailed",
        "Features are numbers with heavy tails or skew.",
        noise="heavy-tailed",
        **_LINEAR,
    ),
    _with_numbers(
        "mixed/linear",
        "numbers and categories",
        "Two features in three are Gaussian numbers, the others have levels.",
        variables="mixed",
    ),
)

PAPER_CELLS = tuple(each.name for each in _CELLS if each.in_paper)

PAPER_TABLES = (
    CellTable(2, "by the share of labels with several Markov boundaries", ("0.5/0", "0.5/0.5", "0.5/1")),
    CellTable(3, "by the share of labels with a direct relation to another", ("0/0.5", "0.5/0.5", "1/0.5")),
)
_NUMBERS = CellTable(
    None, "by how numbers depend on each other", tuple(each.name for each in _CELLS if not each.in_paper)
)


def cells() -> dict[str, Cell]:
    """Give every cell by name, in the order in which they are shown.

    Examples
    --------
    >>> list(cells())[:6]
    ['0.5/0', '0.5/0.5', '0.5/1', '0/0.5', '1/0.5', 'numbers/linear']
    """
    return {each.name: each for each in _CELLS}


def tables_with(chosen: Collection[str]) -> tuple[CellTable, ...]:
    """Give the tables that hold any of some cells.

    Examples
    --------
    >>> [table.name for table in tables_with(["1/0.5", "mixed/linear"])]
    ['Table 3', 'networks with numbers']
    """
    return tuple(table for table in (*PAPER_TABLES, _NUMBERS) if set(table.cells) & set(chosen))


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to set tests and level, the same for all methods.

    Attributes
    ----------
    name : str
        What it is called in the terminal and in files.
    title : str
        What it is called in words.
    help : str
        One sentence that says what is set.
    settings : DiscoverySettings
        The settings; each method puts its own algorithm in place.
    """

    name: str
    title: str
    help: str
    settings: DiscoverySettings


@cache
def variants() -> Mapping[str, Variant]:
    """Give every variant by name, in the order in which they are shown.

    Examples
    --------
    >>> variants()["as-published"].settings.alpha
    0.05
    """
    default = DiscoverySettings()
    published = DiscoverySettings(
        algorithm="hiton-mb",
        test="g2",
        alpha=0.05,
        false_discovery="none",
        procedure=AS_PUBLISHED,
        max_conditioning=3,
        max_equivalence=1,
    )
    found = (
        Variant(
            "default",
            "Default settings",
            "What the program does when nothing is changed, for every method alike.",
            default,
        ),
        Variant(
            "as-published",
            "As published",
            "G² at the plain level of 0.05 with conditioning sets of up to 3, and CLCD on HITON-MB.",
            published,
        ),
    )
    return MappingProxyType({each.name: each for each in found})
