"""A simulated table with its labels and its true answer, as three files that belong together.

``NAME.arff`` or ``NAME.csv`` is the table, ``NAME.xml`` names its labels as Mulan does, and
``NAME.truth.json`` holds the answer that is known from the network: ``settings``; ``labels``; ``common`` and
``label_specific``, each with ``feature`` and ``labels``; ``label_relations``; ``boundaries``, where every
Markov boundary of a label takes exactly one set of each of its ``choices`` (others may exist where
``is_exact`` is false); and ``edges``, each from cause to effect.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.atomic import atomic_folder
from engine.errors import InvalidParameter
from engine.reporting.data_files import write_arff, write_csv, write_label_file

if TYPE_CHECKING:
    from engine.simulation import SimulatedNetwork
    from engine.simulation.truth import TrueBoundary, Truth
    from engine.table.dataset import Dataset


TRUTH_FORMAT = "clcd-truth"
SCHEMA_VERSION = 1

_TABLE_WRITERS: dict[str, Callable[[Dataset, Path], None]] = {".arff": write_arff, ".csv": write_csv}


def check_simulation_path(path: str | os.PathLike[str]) -> Path:
    """Raise InvalidParameter unless `path` ends in ``.arff`` or ``.csv``; give it as a Path."""
    checked = Path(path)
    if checked.suffix.lower() not in _TABLE_WRITERS:
        raise InvalidParameter(
            "a simulated table is written as ARFF or CSV.",
            place=f"'{path}'",
            remedy=f"Name it '{checked.name}.arff' or '{checked.name}.csv'.",
        )
    return checked


def write_simulation(network: SimulatedNetwork, path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write a simulated table, the names of its labels, and the truth: all three, or none.

    Parameters
    ----------
    network : SimulatedNetwork
        What :func:`engine.simulate` or :func:`engine.simulate_network` made.
    path : str or path
        The table, ending in ``.arff`` (which keeps the types) or ``.csv``; the others lie beside it. Its
        folder is made when absent.

    Returns
    -------
    tuple of Path
        The table, the label file and the truth.

    Raises
    ------
    InvalidParameter
        When `path` has another ending.
    UnwritableFile
        When a file cannot be written.
    """
    table = check_simulation_path(path)
    names = (table.name, f"{table.stem}.xml", f"{table.stem}.truth.json")
    with atomic_folder(table.parent) as drafts:
        _TABLE_WRITERS[table.suffix.lower()](network.dataset, drafts / names[0])
        write_label_file(network.dataset.labels, drafts / names[1])
        (drafts / names[2]).write_text(_truth_text(network), "utf-8")
    return tuple(table.parent / name for name in names)


def _truth_text(network: SimulatedNetwork) -> str:
    truth = network.truth
    members: dict[str, Any] = {
        "format": TRUTH_FORMAT,
        "schema_version": SCHEMA_VERSION,
        "settings": asdict(network.settings),
        "labels": list(truth.labels),
        "common": _features(truth, truth.common),
        "label_specific": _features(truth, truth.label_specific),
        "label_relations": {
            label: _in_order(truth.labels, related) for label, related in truth.label_relations.items()
        },
        "boundaries": [_boundary(each) for each in truth.boundaries.values()],
        "edges": [list(edge) for edge in truth.edges],
    }
    return json.dumps(members, ensure_ascii=False, indent=1) + "\n"


def _features(truth: Truth, chosen: frozenset[str]) -> list[dict[str, Any]]:
    return [
        {"feature": feature, "labels": _in_order(truth.labels, labels)}
        for feature, labels in truth.label_sets.items()
        if feature in chosen
    ]


def _in_order(order: tuple[str, ...], chosen: frozenset[str]) -> list[str]:
    return [name for name in order if name in chosen]


def _boundary(boundary: TrueBoundary) -> dict[str, Any]:
    return {
        "label": boundary.target,
        "parents": list(boundary.parents),
        "children": list(boundary.children),
        "spouses": [
            {"spouse": spouse, "children": sorted(children)} for spouse, children in boundary.spouses.items()
        ],
        "is_exact": boundary.is_exact,
        "boundary_count": boundary.boundary_count,
        "choices": [[sorted(picked) for picked in choice] for choice in boundary.choices],
    }
