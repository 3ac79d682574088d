"""Fills the conditional probability table of one node, and refuses what is no such table."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.errors import InvalidData
from engine.wording.choices import choose_one

_ROUNDING = 0.02
_MOST_CELLS = 1 << 26


class ConditionalTable:
    """The table of one node while it is being read.

    Parameters
    ----------
    node : str
        Name of the node.
    levels : sequence of str
        Its levels.
    parents : sequence of str
        Names of its parents.
    parent_levels : sequence of sequence of str
        Levels of each parent.
    """

    def __init__(
        self,
        node: str,
        levels: Sequence[str],
        parents: Sequence[str],
        parent_levels: Sequence[Sequence[str]],
    ) -> None:
        self._node = node
        self._levels = levels
        self._parents = parents
        self._places = [{level: position for position, level in enumerate(each)} for each in parent_levels]
        shape = (*(len(each) for each in parent_levels), len(levels))
        if math.prod(shape) > _MOST_CELLS:
            raise InvalidData(
                f"its probability table would have {math.prod(shape):.3g} cells.",
                place=self.place,
                remedy="Use a network whose nodes have fewer parents.",
            )
        self._values = np.full(shape, np.nan)

    @property
    def place(self) -> str:
        """The node as error messages name it."""
        return f"node '{self._node}'"

    def set_row(self, configuration: Sequence[str], probabilities: Sequence[float]) -> None:
        """Set the distribution of the node for one configuration of its parents.

        Raises
        ------
        InvalidData
            When the configuration does not exist or is set already, or the numbers are no distribution.
        """
        if len(configuration) != len(self._parents):
            raise self._wrong(
                f"a row names {len(configuration)} levels for its {len(self._parents)} parents.",
                "Name one level of each parent.",
            )
        row = []
        for parent, positions, level in zip(self._parents, self._places, configuration, strict=True):
            if level not in positions:
                raise self._wrong(f"its parent '{parent}' has no level '{level}'.", choose_one(positions))
            row.append(positions[level])
        if not np.isnan(self._values[(*row, 0)]):
            raise self._wrong(f"its row for {_named(configuration)} is given twice.", "Remove one of them.")
        self._values[tuple(row)] = self._distribution(probabilities, configuration)

    def set_others(self, probabilities: Sequence[float]) -> None:
        """Set the distribution for every configuration that has none yet."""
        self._values[np.isnan(self._values[..., 0])] = self._distribution(probabilities, ("default",))

    def set_all(self, probabilities: Sequence[float]) -> None:
        """Set the whole table from one list; in it the node changes slowest, its last parent fastest."""
        shape = self._values.shape
        if len(probabilities) != self._values.size:
            raise self._wrong(
                f"its table has {len(probabilities)} numbers; {self._values.size} are needed.",
                "Give one number for each level and each combination of levels of its parents.",
            )
        listed = np.moveaxis(np.array(probabilities).reshape(shape[-1], *shape[:-1]), 0, -1)
        for position in np.ndindex(shape[:-1]):
            levels = tuple(list(known)[spot] for known, spot in zip(self._places, position, strict=True))
            self.set_row(levels, listed[position].tolist())

    def finish(self) -> np.ndarray:
        """Return the table, shape (levels of each parent …, levels of the node).

        Raises
        ------
        InvalidData
            When a row is missing.
        """
        missing = np.argwhere(np.isnan(self._values[..., 0]))
        if len(missing):
            levels = [list(known)[spot] for known, spot in zip(self._places, missing[0], strict=True)]
            raise self._wrong(
                f"{len(missing)} rows of its table are missing, the first for {_named(levels)}.", "Add them."
            )
        return self._values

    def _distribution(self, probabilities: Sequence[float], configuration: Sequence[str]) -> np.ndarray:
        row = f"its row for {_named(configuration)}"
        if len(probabilities) != len(self._levels):
            raise self._wrong(
                f"{row} has {len(probabilities)} probabilities for {len(self._levels)} levels.",
                "Give one probability a level.",
            )
        values = np.array(probabilities, dtype=np.float64)
        if not np.isfinite(values).all() or (values < 0).any():
            raise self._wrong(f"{row} holds a probability that is negative or no number.", "Correct it.")
        total = float(values.sum())
        if abs(total - 1) > _ROUNDING:
            raise self._wrong(f"{row} sums to {total:.6g} and not to 1.", "Correct its probabilities.")
        scaled: np.ndarray = values / total
        return scaled

    def _wrong(self, problem: str, remedy: str) -> InvalidData:
        return InvalidData(problem, place=self.place, remedy=remedy)


def _named(configuration: Sequence[str]) -> str:
    return f"({', '.join(configuration)})"
