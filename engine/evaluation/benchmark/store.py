"""Outcomes kept in a folder, each with all that decides it."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engine.evaluation.benchmark.outcome import Outcome
from engine.evaluation.kept_values import KeptValues, code_fingerprint

if TYPE_CHECKING:
    from engine.boundaries.settings import DiscoverySettings
    from engine.evaluation.benchmark.methods import Method
    from engine.simulation.settings import SimulationSettings

# What decides which figures come out.
_DECISIVE = ("boundaries", "discovery", "independence", "simulation")


class OutcomeStore:
    """A folder with one file an outcome.

    Parameters
    ----------
    folder : path
        Made with the first outcome.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._kept = KeptValues(folder)

    def get(self, key: dict[str, Any], budget: float) -> Outcome | None:
        """Give the outcome of an earlier run; None when there is none, or none that holds for a budget.

        Raises
        ------
        UnreadableFile
            When the file was damaged.
        """
        outcome = self._kept.get(_file_start(key), key, Outcome.from_dict)
        return outcome if outcome is not None and outcome.holds_for(budget) else None

    def put(self, key: dict[str, Any], outcome: Outcome) -> None:
        """Keep an outcome.

        Raises
        ------
        UnwritableFile
            When the file cannot be written.
        """
        self._kept.put(_file_start(key), key, outcome.as_dict())


def outcome_key(
    simulation: SimulationSettings,
    variant: str,
    settings: DiscoverySettings,
    method: Method,
) -> dict[str, Any]:
    """Name everything that decides an outcome, times included, but for the machine and the budget."""
    from engine.version import __version__

    return {
        "version": __version__,
        "code": code_fingerprint(_DECISIVE),
        "simulation": asdict(simulation),
        "variant": variant,
        "settings": settings.as_dict(),
        "method": method.name,
        "options": method.options,
    }


def _file_start(key: dict[str, Any]) -> str:
    simulation = key["simulation"]
    cell = f"{simulation['label_causality']:g}-{simulation['multiple_boundaries']:g}"
    if simulation["variables"] != "categories":
        cell = f"{simulation['variables']}-{simulation['relations']}-{simulation['noise']}"
    return f"{cell}-{simulation['seed']}-{key['variant']}-{key['method']}"
