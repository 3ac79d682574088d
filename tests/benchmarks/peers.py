"""Other programs for the same task, timed beside this one on the same table.

Run by hand, from the project's folder, with an interpreter that has them::

    uv venv --python 3.11 PEERS
    uv pip install --python PEERS/bin/python pyCausalFS==0.23 causal-learn pgmpy
    python -m tests.benchmarks.peers PEERS/bin/python

Their searches differ: pyCausalFS has HITON-MB; the other two learn a network as a whole, by PC, and are given
the labels alone. This program then searches the boundaries of all labels among the labels.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from engine.boundaries.discovery_settings import arranged
from tests.benchmarks.cost_of_tests import SIZES, microseconds, one_by_one, random_questions
from tests.benchmarks.label_boundaries import PUBLISHED, label_boundaries
from tests.benchmarks.protocol import paper_table
from tests.benchmarks.side_by_side import time_in_turn

PEERS = {
    "pyCausalFS": "HITON-MB around the first label, 1050 variables",
    "causal-learn": "PC on the 50 labels",
    "pgmpy": "PC on the 50 labels",
}
MOST_SECONDS = 1800.0
_QUESTIONS = 2000
_REPEATS = 5


@dataclass
class PeerTimes:
    """What was measured of one peer; what it did not reach in time is left out.

    Attributes
    ----------
    version : str
        Its version.
    tests : dict of int to float
        Microseconds a test, by size of the conditioning set.
    seconds : float, optional
        Processor's time of its search.
    """

    version: str = "not installed"
    tests: dict[int, float] = field(default_factory=dict)
    seconds: float | None = None


def time_peer(python: str, peer: str, file: Path, most_seconds: float) -> PeerTimes:
    """Run a peer in its own interpreter, and read what it measured before the time was up."""
    script = Path(__file__).with_name("inside_peers.py")
    command = [python, str(script), peer, str(file)]
    times = PeerTimes()
    with tempfile.TemporaryFile("w+") as output:
        # A search that takes too long is reported as such.
        try:
            subprocess.run(command, stdout=output, timeout=most_seconds, check=True)
        except subprocess.TimeoutExpired:
            times.seconds = None
        output.seek(0)
        for line in output:
            measured = json.loads(line)
            times.version = measured.get("version", times.version)
            times.seconds = measured.get("seconds", times.seconds)
            if "size" in measured:
                times.tests[measured["size"]] = measured["microseconds"]
    return times


def peer_table(python: str, most_seconds: float = MOST_SECONDS) -> Iterator[str]:
    """Give the rows of the table of peers, with the ratio to this program in each cell."""
    dataset = paper_table()
    data = arranged(dataset, PUBLISHED)
    questions = {size: random_questions(len(data.names), size, _QUESTIONS) for size in SIZES}
    our_tests = {size: microseconds(one_by_one(data, questions[size]), _REPEATS) for size in SIZES}
    among_labels = arranged(dataset.select_variables(dataset.labels), PUBLISHED)
    searches = time_in_turn(
        {
            "one": lambda: label_boundaries(data, dataset.labels[:1], workers=1),
            "labels": lambda: label_boundaries(among_labels, dataset.labels, workers=1),
        },
        _REPEATS,
    )
    yield "| | µs a test: nothing held fixed | 1 | 2 | 3 | search | CPU s | ours, CPU s |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    yield f"| this program | {' | '.join(f'{our_tests[size]:.2f}' for size in SIZES)} | | | |"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.npz")
        np.savez(
            file,
            table=np.array([dataset.column(name) for name in data.names], dtype=np.int64).T,
            labels=np.array([data.positions[label] for label in dataset.labels]),
            **{f"questions{size}": questions[size] for size in SIZES},
        )
        for peer, search in PEERS.items():
            times = time_peer(python, peer, file, most_seconds)
            ours = searches["one" if peer == "pyCausalFS" else "labels"].median_processor
            cells = [_with_ratio(times.tests.get(size), our_tests[size], "") for size in SIZES]
            whole = _with_ratio(times.seconds, ours, f"more than {most_seconds:.0f}")
            yield f"| {peer} {times.version} | {' | '.join(cells)} | {search} | {whole} | {ours:.4f} |"


def _with_ratio(theirs: float | None, ours: float, otherwise: str) -> str:
    """Write a time of a peer and how many times as long as this program it takes."""
    if theirs is None:
        return otherwise
    return (
        f"{theirs:.3g} ({theirs / ours:,.0f} ×)"
        if theirs < 100
        else f"{theirs:,.0f} ({theirs / ours:,.0f} ×)"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Times of other programs beside this one.")
    parser.add_argument("python", help="an interpreter with pyCausalFS, causal-learn and pgmpy")
    parser.add_argument("--most-seconds", type=float, default=MOST_SECONDS, help="for each of them")
    arguments = parser.parse_args()
    for line in peer_table(arguments.python, arguments.most_seconds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
