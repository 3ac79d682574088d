"""Outcomes kept in a folder, so that a comparison that was interrupted goes on where it was."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.atomic import write_text
from engine.errors import UnreadableFile
from engine.evaluation.benchmark.outcome import Outcome

if TYPE_CHECKING:
    from engine.discovery.settings import DiscoverySettings
    from engine.evaluation.benchmark.methods import Method
    from engine.simulation.settings import SimulationSettings

_ENGINE = Path(__file__).resolve().parents[2]
# What decides which figures come out.
_DECISIVE = ("boundaries", "discovery", "independence", "simulation")
_FINGERPRINT_DIGITS = 12


class OutcomeStore:
    """A folder with one file an outcome, named by all that decides it.

    Parameters
    ----------
    folder : path
        Made with the first outcome.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)

    def get(self, key: dict[str, Any], budget: float) -> Outcome | None:
        """Give the outcome of an earlier run; None when there is none, or none that holds for a budget.

        Raises
        ------
        UnreadableFile
            When the file was damaged.
        """
        path = self._path(key)
        try:
            values = json.loads(path.read_text("utf-8"))
            outcome = Outcome.from_dict(values["outcome"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UnreadableFile(
                "it cannot be read as an outcome of a benchmark.",
                place=f"'{path}'",
                remedy="Delete it, or choose another folder.",
            ) from error
        return outcome if outcome.holds_for(budget) else None

    def put(self, key: dict[str, Any], outcome: Outcome) -> None:
        """Keep an outcome.

        Raises
        ------
        UnwritableFile
            When the file cannot be written.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        content = {"key": key, "outcome": outcome.as_dict()}
        write_text(self._path(key), json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    def _path(self, key: dict[str, Any]) -> Path:
        text = json.dumps(key, sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:_FINGERPRINT_DIGITS]
        simulation = key["simulation"]
        cell = f"{simulation['label_causality']:g}-{simulation['multiple_boundaries']:g}"
        return self._folder / f"{cell}-{simulation['seed']}-{key['variant']}-{key['method']}-{digest}.json"


def outcome_key(
    simulation: SimulationSettings,
    variant: str,
    settings: DiscoverySettings,
    method: Method,
) -> dict[str, Any]:
    """Name everything that decides an outcome, times included, but for the machine and the budget."""
    import engine

    return {
        "version": engine.__version__,
        "code": code_fingerprint(),
        "simulation": asdict(simulation),
        "variant": variant,
        "settings": settings.as_dict(),
        "method": method.name,
        "options": method.options,
    }


@functools.cache
def code_fingerprint() -> str:
    """Give a SHA-256 over the sources that decide figures; empty where there are no sources."""
    paths = sorted(path for folder in _DECISIVE for path in (_ENGINE / folder).rglob("*.py"))
    if not paths:
        return ""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"\0{path.relative_to(_ENGINE).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:_FINGERPRINT_DIGITS]
