"""What is compared, on which networks: every setting, written once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from engine.comparison.networks.cells import PAPER_CELLS, Cell, cells, variants
from engine.comparison.networks.methods import methods
from engine.errors import InvalidParameter
from engine.parameters import check_parameters, impossible_value, parameter, parameters_of
from engine.simulation.settings import SimulationSettings
from engine.wording.choices import choose_among

# A look that takes a few minutes.
SMALL: dict[str, Any] = {"labels": 10, "features": 200, "rows": 2000, "seeds": 2, "budget": 5.0}

_OF_SIMULATION = {each.name: each for each in parameters_of(SimulationSettings)}


def _as_simulated(name: str, **changes: Any) -> Any:
    """Make a field that says of itself what the setting of the simulation says."""
    each = _OF_SIMULATION[name]
    details: dict[str, Any] = {
        "title": each.title,
        "help": each.help,
        "kind": each.kind,
        "minimum": each.minimum,
        "maximum": each.maximum,
        "advanced": each.advanced,
    }
    return parameter(each.default, **(details | changes))


@dataclass(frozen=True, slots=True)
class BenchmarkSettings:
    """Settings of :func:`engine.benchmark`; the defaults are the sizes and the networks of the paper.

    Attributes
    ----------
    cells, methods, variants : tuple of str
        Kinds of networks, methods, and settings to compare, by name; see ``engine.comparison.networks``.

    Raises
    ------
    InvalidParameter
        When a value is impossible or a name unknown.

    Examples
    --------
    >>> BenchmarkSettings(seeds=1, methods=("clcd", "iamb")).methods
    ('iamb', 'clcd')
    """

    labels: int = _as_simulated("labels", minimum=2)
    features: int = _as_simulated("features")
    rows: int = _as_simulated("rows", help="Number of rows of every network.")
    seeds: int = parameter(
        5,
        title="Networks",
        help="Networks of every kind, each from a seed of its own; more give surer means.",
        kind="integer",
        minimum=1,
        maximum=1000,
    )
    budget: float = parameter(
        120.0,
        title="Budget in seconds",
        help="A method that needs more processor time for one network is cut, and shown as cut.",
        kind="number",
        minimum=0.1,
        maximum=1_000_000.0,
    )
    margin: float = _as_simulated("margin", advanced=False)
    workers: int | None = parameter(
        None,
        title="Parallel workers",
        help="Number of searches at once; empty uses every core. It changes times and nothing else.",
        kind="integer",
        minimum=1,
        maximum=256,
        optional=True,
    )
    cells: tuple[str, ...] = PAPER_CELLS
    methods: tuple[str, ...] = tuple(methods())
    variants: tuple[str, ...] = tuple(variants())

    def __post_init__(self) -> None:
        check_parameters(self)
        for name, known in (("cells", cells()), ("methods", methods()), ("variants", variants())):
            object.__setattr__(self, name, _in_order(name, getattr(self, name), known))

    @property
    def kinds(self) -> frozenset[bool]:
        """Whether the networks have numbers: of either kind, where some have and some have none."""
        return frozenset(not cells()[name].in_paper for name in self.cells)

    def simulation(self, cell: Cell, seed: int) -> SimulationSettings:
        """Return the settings of one network."""
        return SimulationSettings(
            labels=self.labels,
            features=self.features,
            rows=self.rows,
            margin=self.margin,
            seed=seed,
            **cell.simulation,
        )


def _in_order(name: str, given: Collection[str], known: Collection[str]) -> tuple[str, ...]:
    """Check names, and put them into the order in which they are shown."""
    for each in given:
        if each not in known:
            raise impossible_value(each, f"setting '{name}'", choose_among(known))
    if not given:
        raise InvalidParameter("nothing is chosen.", place=f"setting '{name}'", remedy=choose_among(known))
    return tuple(each for each in known if each in given)
