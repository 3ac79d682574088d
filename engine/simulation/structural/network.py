"""A network of structural equations: a directed acyclic graph of numbers and categories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.simulation.graph import DirectedGraph
from engine.simulation.structural.equations import Equation, causes_of


@dataclass(frozen=True, eq=False)
class StructuralNetwork(DirectedGraph):
    """Nodes and the equations by which they follow from their causes.

    Parameters
    ----------
    equations : mapping of str to Equation
        By node, in the order of the columns.

    Raises
    ------
    InvalidData
        When a cause is no node, or the arrows run in a circle.

    Examples
    --------
    >>> from engine.simulation.structural import NumberCurve, NumberEquation, Term
    >>> network = StructuralNetwork(
    ...     {
    ...         "dose": NumberEquation(),
    ...         "response": NumberEquation((Term((NumberCurve("dose"),)),), (1.0,), strength=0.8),
    ...     }
    ... )
    >>> network.edges, sorted(network.sample(3, np.random.default_rng(0)))
    ((('dose', 'response'),), ['dose', 'response'])
    """

    nodes: tuple[str, ...]
    parents: Mapping[str, tuple[str, ...]]
    equations: Mapping[str, Equation]

    def __init__(self, equations: Mapping[str, Equation]) -> None:
        causes = {name: causes_of(equation) for name, equation in equations.items()}
        for name, of_name in causes.items():
            for cause in of_name:
                if cause not in equations:
                    raise InvalidData(f"its cause {cause!r} has no equation.", place=f"node '{name}'")
        object.__setattr__(self, "nodes", tuple(equations))
        object.__setattr__(self, "parents", causes)
        object.__setattr__(self, "equations", dict(equations))
        self.order  # noqa: B018 (raises when there is a cycle)

    @cached_property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """Names of the levels of every node: "0", "1", …; none for a number."""
        return {
            name: tuple(map(str, range(equation.level_count))) for name, equation in self.equations.items()
        }

    def sample(self, rows: int, generator: np.random.Generator) -> dict[str, np.ndarray]:
        """Draw rows, causes before effects.

        Parameters
        ----------
        rows : int
            Number of rows, at least 1.
        generator : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        dict of str to ndarray, each of shape (rows,)
            Numbers as float64, categories as codes of int8 or wider, in node order.

        Raises
        ------
        InvalidParameter
            When less than one row is asked for.
        """
        if rows < 1:
            raise InvalidParameter(f"{rows} rows cannot be drawn.", remedy="Ask for at least 1 row.")
        drawn: dict[str, np.ndarray] = {}
        for name in self.order:
            drawn[name] = self.equations[name].draw(drawn, rows, generator)
        return {name: drawn[name] for name in self.nodes}

    def __repr__(self) -> str:
        return f"<StructuralNetwork: {len(self.nodes)} nodes, {len(self.edges)} edges>"
