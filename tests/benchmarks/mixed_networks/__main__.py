"""Precision, recall and directions on networks with numbers, beside other tests and programs.

Run by hand, from the project's folder::

    python -m tests.benchmarks.mixed_networks --out mixed.jsonl --seeds 0 40
    python -m tests.benchmarks.mixed_networks --out mixed.jsonl --seeds 0 10 --methods fisher-z "two bins, G²"
    git worktree add --detach BEFORE 20fcb64
    python -m tests.benchmarks.mixed_networks --out mixed.jsonl --seeds 0 10 --before BEFORE
    uv venv --python 3.11 PEERS
    uv pip install --python PEERS/bin/python causal-learn pgmpy
    python -m tests.benchmarks.mixed_networks --out mixed.jsonl --seeds 0 5 --peers PEERS/bin/python

What is in the file is not measured again; without ``--seeds`` only the tables are printed. Settings were
chosen on seeds from 100 on, and are reported on seeds 0 to 39. With ``--peers`` the Gaussian networks of that
interpreter's pgmpy are searched too, besides the simulated ones, and causal-learn and pgmpy run on all.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.simulation import SimulatedNetwork
from tests.benchmarks.mixed_networks.methods import BEFORE, OWN, PEERS, Method, before, peer
from tests.benchmarks.mixed_networks.networks import (
    PUBLISHED,
    SIMULATED,
    example_models,
    published,
    simulated,
    with_hidden_causes,
)
from tests.benchmarks.mixed_networks.outcomes import Counts, Key, OutcomeFile, compared
from tests.benchmarks.mixed_networks.tables import tables
from tests.benchmarks.mixed_networks.told import FORMS, told_recall

ROWS = (500, 2000, 20_000)

Draw = Callable[[int, int], SimulatedNetwork]


def main() -> None:
    """Measure what is asked for, and print the tables."""
    arguments = _arguments()
    outcomes = OutcomeFile(arguments.out)
    for key, measure in _tasks(arguments):
        if key not in outcomes.known:
            outcomes.add(key, measure())
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for line in tables(outcomes.known):
        print(line)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, required=True, help="file of outcomes")
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 0), metavar=("FIRST", "END"))
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--networks", nargs="+", default=list(SIMULATED), help="; ".join(SIMULATED))
    parser.add_argument("--variables", choices=("numbers", "mixed"), default="numbers")
    parser.add_argument(
        "--hidden",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="of features with several effects: taken out",
    )
    parser.add_argument("--methods", nargs="*", default=["defaults", "told"], help="; ".join((*OWN, "told")))
    parser.add_argument("--before", metavar="FOLDER", help="where commit 20fcb64 is checked out")
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter with causal-learn and pgmpy")
    parser.add_argument("--peer-methods", nargs="*", default=PEERS, choices=PEERS)
    parser.add_argument("--most-seconds", type=float, default=600.0, help="for a peer and a table")
    return parser.parse_args()


def _tasks(arguments: argparse.Namespace) -> Iterator[tuple[Key, Callable[[], Counts | None]]]:
    """Give everything that is to be measured; a table is drawn when the first method asks for it."""
    own: dict[str, Method] = {name: OWN[name] for name in arguments.methods if name != "told"}
    names = arguments.peer_methods if arguments.peers else ()
    others = {name: peer(name, arguments.peers, arguments.most_seconds) for name in names}
    if arguments.before:
        others[BEFORE] = before(arguments.before)
    for seed in range(*arguments.seeds):
        for network, draw in _networks(arguments).items():
            for rows in arguments.rows:
                table = _Once(draw, rows, seed)
                for name, method in (own | others).items():
                    yield Key(network, rows, seed, name), _measuring(method, table)
                if "told" in arguments.methods:
                    for form in FORMS:
                        yield Key(network, rows, seed, f"told, {form}"), _telling(form, table)


def _networks(arguments: argparse.Namespace) -> dict[str, Draw]:
    draws: dict[str, Draw] = {}
    for kind in arguments.networks:
        if kind in SIMULATED:
            title = kind if arguments.variables == "numbers" else f"{kind}, mixed"
            if arguments.hidden:
                title += f", {arguments.hidden:.0%} hidden"
            draws[title] = _drawing(kind, arguments.variables, arguments.hidden)
    if arguments.peers:
        folder = example_models(arguments.peers)
        for name in PUBLISHED:
            draws[name] = _publishing(folder / f"{name}.json")
    return draws


def _drawing(kind: str, variables: str, hidden: float) -> Draw:
    return lambda rows, seed: with_hidden_causes(simulated(kind, variables, rows, seed), hidden)


def _publishing(file: Path) -> Draw:
    return lambda rows, seed: published(file, rows, seed)


class _Once:
    """A table that is drawn when it is first asked for."""

    def __init__(self, draw: Draw, rows: int, seed: int) -> None:
        self._draw, self._rows, self._seed = draw, rows, seed
        self._drawn: SimulatedNetwork | None = None

    def get(self) -> SimulatedNetwork:
        if self._drawn is None:
            self._drawn = self._draw(self._rows, self._seed)
        return self._drawn


def _measuring(method: Method, table: _Once) -> Callable[[], Counts | None]:
    def measure() -> Counts | None:
        findings = method(table.get().dataset)
        return None if findings is None else compared(findings, table.get())

    return measure


def _telling(form: str, table: _Once) -> Callable[[], Counts]:
    def measure() -> Counts:
        true, discovered = told_recall(table.get(), form)
        return Counts(found_true=discovered, missed=true - discovered)

    return measure


if __name__ == "__main__":
    main()
