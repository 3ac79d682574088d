"""What is compared, on which networks, by every setting, and what the paper reports of them.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and
Label-specific Causal Variables, Tables 2 and 3.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from engine.boundaries.discovery_settings import AS_PUBLISHED, DiscoverySettings
from engine.comparison.networks.methods import methods
from engine.errors import InvalidParameter
from engine.parameters import (
    Settings,
    check_parameters,
    described,
    impossible_value,
    parameter,
    repeated_parameter,
    workers_parameter,
)
from engine.simulation.simulation_settings import SimulationSettings
from engine.translation import N_, _
from engine.wording.sentences import choose_among
from engine.wording.setting_names import the_setting


@dataclass(frozen=True, slots=True)
class NetworkKind:
    """One kind of network."""

    name: str
    title: str
    help: str
    simulation: Mapping[str, Any]
    in_paper: bool = True


@dataclass(frozen=True, slots=True)
class CellTable:
    """Kinds of networks that are shown together: one of the paper's tables, or those with numbers."""

    number: int | None
    title: str
    cells: tuple[str, ...]

    @property
    def name(self) -> str:
        """What it is called beside figures."""
        return _("networks with numbers") if self.number is None else _("Table {number}", number=self.number)


def _of_paper(label_causality: float, multiple_boundaries: float) -> NetworkKind:
    """Make a kind of network of the paper: p_c and p_m."""
    return NetworkKind(
        f"{label_causality:g}/{multiple_boundaries:g}",
        f"p_c {label_causality:g}, p_m {multiple_boundaries:g}",
        _(
            "{label_causality:.0%} of the labels have a direct relation to another label, "
            "{multiple_boundaries:.0%} have several Markov boundaries.",
            label_causality=label_causality,
            multiple_boundaries=multiple_boundaries,
        ),
        {"label_causality": label_causality, "multiple_boundaries": multiple_boundaries},
    )


def _with_numbers(name: str, title: str, what: str, **simulation: Any) -> NetworkKind:
    """Make a kind of network with numbers: a random graph, which has no regard to labels."""
    random = {"graph": "random", "multiple_boundaries": 0.0, "strength": 0.7}
    return NetworkKind(name, title, what, random | simulation, in_paper=False)


_LINEAR = {"variables": "numbers", "relations": "linear"}
_CELLS = (
    *(_of_paper(*shares) for shares in ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0), (0.0, 0.5), (1.0, 0.5))),
    _with_numbers(
        "numbers/linear",
        N_("numbers, linear"),
        N_("Features are Gaussian numbers. Labels have two levels."),
        **_LINEAR,
    ),
    _with_numbers(
        "numbers/smooth",
        N_("numbers, smooth"),
        N_("Features are numbers that depend on their causes along curves. Labels have two levels."),
        variables="numbers",
        relations="smooth",
    ),
    _with_numbers(
        "numbers/heavy-tailed",
        N_("numbers, heavy-tailed"),
        N_("Features are numbers with heavy tails or skew. Labels have two levels."),
        noise="heavy-tailed",
        **_LINEAR,
    ),
    _with_numbers(
        "mixed/linear",
        N_("numbers and categories"),
        N_("Two features in three are Gaussian numbers, the others have levels. Labels have two levels."),
        variables="mixed",
    ),
)

PAPER_CELLS = tuple(cell.name for cell in _CELLS if cell.in_paper)

PAPER_TABLES = (
    CellTable(2, N_("by the share of labels with several Markov boundaries"), ("0.5/0", "0.5/0.5", "0.5/1")),
    CellTable(
        3, N_("by the share of labels with a direct relation to another"), ("0/0.5", "0.5/0.5", "1/0.5")
    ),
)
_NUMBERS = CellTable(
    None, N_("by how numbers depend on each other"), tuple(cell.name for cell in _CELLS if not cell.in_paper)
)


def cells() -> dict[str, NetworkKind]:
    """Return every cell by name, in the order in which they are shown."""
    return {cell.name: cell for cell in _CELLS}


def tables_with(chosen: Collection[str]) -> tuple[CellTable, ...]:
    """Return the tables that hold any of some cells.

    >>> [table.name for table in tables_with(["1/0.5", "mixed/linear"])]
    ['Table 3', 'networks with numbers']
    """
    return tuple(table for table in (*PAPER_TABLES, _NUMBERS) if set(table.cells) & set(chosen))


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to set tests and level, the same for all methods."""

    name: str
    title: str
    help: str
    settings: DiscoverySettings


@cache
def variants() -> Mapping[str, Variant]:
    """Return every variant by name, in the order in which they are shown."""
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
    all_variants = (
        Variant(
            "default",
            N_("Default settings"),
            N_("The defaults of CLCD, for all methods."),
            default,
        ),
        Variant(
            "as-published",
            N_("As published"),
            N_(
                "G² at α = 0.05 without correction, conditioning sets of up to 3 variables, and CLCD "
                "with HITON-MB."
            ),
            published,
        ),
    )
    return MappingProxyType({variant.name: variant for variant in all_variants})


_METHODS = ("iamb", "hiton-mb", "ccmb", "kiamb", "tie-star", "clcd")

_PRECISION = {
    "0.5/0": (0.745, 0.919, 0.792, 0.415, 0.746, 0.915),
    "0.5/0.5": (0.413, 0.579, 0.567, 0.612, 0.759, 0.909),
    "0.5/1": (0.192, 0.315, 0.287, 0.697, 0.787, 0.906),
    "0/0.5": (0.452, 0.583, 0.581, 0.672, 0.771, 0.915),
    "1/0.5": (0.394, 0.560, 0.551, 0.654, 0.715, 0.910),
}
_RECALL = {
    "0.5/0": (0.659, 0.958, 0.979, 0.625, 0.912, 0.979),
    "0.5/0.5": (0.216, 0.305, 0.312, 0.679, 0.915, 0.973),
    "0.5/1": (0.113, 0.152, 0.198, 0.713, 0.903, 0.981),
    "0/0.5": (0.237, 0.325, 0.346, 0.631, 0.923, 0.970),
    "1/0.5": (0.191, 0.286, 0.307, 0.677, 0.877, 0.965),
}
_LOG_SECONDS = {
    2: (0.473, 2.295, 2.874, 1.629, 5.672, 2.871),
    3: (0.462, 2.131, 2.559, 1.503, 5.379, 2.812),
}


@dataclass(frozen=True, slots=True)
class PaperFigures:
    """Precision and recall of one method on one kind of network, as the paper reports them."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of the two, which the paper does not give."""
        return harmonic_mean(self.precision, self.recall)


def harmonic_mean(precision: float, recall: float) -> float:
    """Return the F1 of a precision and a recall; 0 when both are.

    >>> harmonic_mean(1.0, 0.5)
    0.6666666666666666
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def paper_figures(cell: str, method: str) -> PaperFigures | None:
    """Return what the paper reports for a method on a kind of network; None where it has no such networks."""
    if cell not in _PRECISION:
        return None
    position = _METHODS.index(method)
    return PaperFigures(_PRECISION[cell][position], _RECALL[cell][position])


def paper_log_seconds(table: int | None, method: str) -> float | None:
    """Return the decimal logarithm of the paper's processor time, averaged over a table, if it has one."""
    return None if table is None else _LOG_SECONDS[table][_METHODS.index(method)]


# A look that takes a few minutes.
SMALL: dict[str, Any] = {"labels": 10, "features": 200, "rows": 2000, "seeds": 2, "budget": 5.0}


@described
@dataclass(frozen=True, slots=True)
class BenchmarkSettings(Settings):
    """Settings of :func:`engine.benchmark`. The defaults are the sizes and networks of the paper.

    Parameters
    ----------
    cells, methods, variants : tuple of str
        Names of the kinds of networks, the methods and the settings to compare; see
        ``engine.comparison.networks``.

    Raises
    ------
    InvalidParameter
        If a value is impossible, or a name does not exist.

    Examples
    --------
    >>> BenchmarkSettings(seeds=1, methods=("clcd", "iamb")).methods
    ('iamb', 'clcd')
    """

    labels: int = repeated_parameter(SimulationSettings, "labels", minimum=2)
    features: int = repeated_parameter(SimulationSettings, "features")
    rows: int = repeated_parameter(SimulationSettings, "rows", help=N_("Number of rows of every network."))
    seeds: int = parameter(
        5,
        N_("Networks"),
        N_("Number of networks of each kind. More networks give more precise means."),
        minimum=1,
        maximum=1000,
    )
    budget: float = parameter(
        120.0,
        N_("Budget in seconds"),
        N_("A method that needs more processor time for one network is stopped, and shown as cut."),
        minimum=0.1,
        maximum=1_000_000.0,
    )
    margin: float = repeated_parameter(SimulationSettings, "margin", advanced=False)
    workers: int | None = workers_parameter(
        N_("Number of searches at the same time. If empty, all cores are used. It changes only the times.")
    )
    cells: tuple[str, ...] = PAPER_CELLS
    methods: tuple[str, ...] = tuple(methods())
    variants: tuple[str, ...] = tuple(variants())

    def __post_init__(self) -> None:
        check_parameters(self)
        for name, values in (("cells", cells()), ("methods", methods()), ("variants", variants())):
            object.__setattr__(self, name, _in_order(name, getattr(self, name), values))

    def simulation(self, cell: NetworkKind, seed: int) -> SimulationSettings:
        """Return the settings of one network."""
        return SimulationSettings(
            labels=self.labels,
            features=self.features,
            rows=self.rows,
            margin=self.margin,
            seed=seed,
            **cell.simulation,
        )


def _in_order(name: str, given: Collection[str], values: Collection[str]) -> tuple[str, ...]:
    """Check names, and put them into the order in which they are shown."""
    for named in given:
        if named not in values:
            raise impossible_value(named, the_setting(name), choose_among(values))
    if not given:
        raise InvalidParameter(
            _("no kind or method is chosen."), place=the_setting(name), remedy=choose_among(values)
        )
    return tuple(named for named in values if named in given)
