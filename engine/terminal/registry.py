"""Every subcommand; a further one is a module and an entry here."""

from __future__ import annotations

from engine.terminal.subcommand import Subcommand

_HOME = "engine.terminal.subcommands"

_SUBCOMMANDS = (
    Subcommand(
        "discover",
        "Find common and label-specific causal variables in a table.",
        "DATA --labels a,b --out DIR",
        f"{_HOME}.discover",
    ),
    Subcommand(
        "select",
        "Select few features that together tell about every label, and cut the table down to them.",
        "DATA --labels a,b --out DIR",
        f"{_HOME}.select",
    ),
    Subcommand(
        "inspect",
        "Show how a table is understood: columns, types, labels, missing values.",
        "DATA",
        f"{_HOME}.inspect",
    ),
    Subcommand(
        "simulate",
        "Make a table whose causal variables are known exactly.",
        "--out FILE.arff",
        f"{_HOME}.simulate",
    ),
    Subcommand(
        "benchmark",
        "Compare CLCD, or CLCD-FS, with other methods, as the paper does.",
        "--small --out DIR",
        f"{_HOME}.benchmark",
    ),
    Subcommand(
        "methods",
        "List algorithms, tests, ways to cut numbers into bins, and file formats.",
        "",
        f"{_HOME}.methods",
    ),
)


def subcommands() -> dict[str, Subcommand]:
    """Give every subcommand by its word, in the order in which help lists them.

    Examples
    --------
    >>> list(subcommands())[:2]
    ['discover', 'select']
    """
    return {each.name: each for each in _SUBCOMMANDS}
