"""How fast searches are: beside the yardstick, beside other programs, and beside what the machine allows.

Run by hand, from the project's folder, on a machine that does nothing else::

    python -m tests.benchmarks.speed --peers PEERS/bin/python --write

It prints the tables of the section "Speed" of ``tests/benchmarks/README.md``, and with ``--write`` it puts
them there. ``--parts`` measures some of them only. How to make an interpreter with the peers is told in
``tests/benchmarks/peers.py``; without it their table is left out.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.benchmarks.analyses import NAMES, analysis_table
from tests.benchmarks.limits import machine
from tests.benchmarks.peers import peer_table
from tests.benchmarks.readme_parts import MEASURED, write_part
from tests.benchmarks.speed_tables import cost_table, goal_table, limit_lines, make_subject, time_tables

Part = Callable[[argparse.Namespace], Iterator[str]]
PARTS: Mapping[str, Part] = {
    "whole": lambda arguments: goal_table(make_subject(), arguments.repeats),
    "tests": lambda arguments: cost_table(arguments.repeats),
    "peers": lambda arguments: peer_table(arguments.peers),
    "time": lambda arguments: time_tables(make_subject()),
    "limits": lambda arguments: limit_lines(make_subject()),
    "analyses": lambda arguments: analysis_table(arguments.tables, arguments.data),
}


def measured(part: str, arguments: argparse.Namespace) -> Iterator[str]:
    """Give the lines of one part: its tables, and on what machine they were measured."""
    load = (
        f"; {os.getloadavg()[0]:.1f} processes at work in the minute before"
        if hasattr(os, "getloadavg")
        else ""
    )
    yield from PARTS[part](arguments)
    yield ""
    yield f"({machine()}{load}.)"


def main() -> None:
    """Print the tables, or write them."""
    parser = argparse.ArgumentParser(description="How fast searches are.")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--repeats", type=int, default=7, help="rounds, of which medians are given")
    parser.add_argument("--peers", help="an interpreter with the peers", default=None)
    parser.add_argument("--tables", nargs="+", choices=NAMES, default=NAMES, help="of the analyses")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="public tables")
    parser.add_argument("--write", action="store_true", help="put the tables into the README")
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part == "peers" and arguments.peers is None:
            continue
        lines = []
        for line in measured(part, arguments):
            print(line, flush=True)
            lines.append(line)
        print(flush=True)
        if arguments.write:
            write_part(MEASURED, part, "\n".join(lines).strip())


if __name__ == "__main__":
    main()
