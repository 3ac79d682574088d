"""Searches a table with an earlier version of this program; started by ``methods.py`` in its folder.

Reads a table from a file, prints label sets and stated directions as one JSON object.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np

import engine
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable


def main(file: str) -> None:
    """Prepare and search at that version's defaults, and print what is found."""
    with np.load(file) as content:
        described = json.loads(str(content["variables"]))
        columns = tuple(content[f"column{place}"] for place in range(len(described)))
    variables = tuple(
        Variable(name, Kind(kind), Role(role), tuple(levels)) for name, kind, role, levels in described
    )
    started = time.process_time()
    result = engine.discover(engine.prepare(Dataset(variables, columns)))
    directions = [
        (orientation.feature, orientation.label, str(orientation.direction))
        for orientation in result.orientation_records.values()
        if orientation.because is not None
    ]
    output = {
        "label_sets": {name: sorted(labels) for name, labels in result.label_sets.items()},
        "told": directions,
        "seconds": time.process_time() - started,
    }
    sys.stdout.write(json.dumps(output) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
