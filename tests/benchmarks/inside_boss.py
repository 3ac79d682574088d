"""Searches tables by BOSS; run by ``spouses.py`` in an interpreter that has causal-learn."""

from __future__ import annotations

import sys
from contextlib import redirect_stderr
from io import StringIO

import numpy as np
from causallearn.search.PermutationBased.BOSS import boss


def main() -> None:
    """Read tables of numbers from one file and write the marks of their graphs to another."""
    with np.load(sys.argv[1]) as tables:
        rows = [tables[name] for name in tables.files]
    with redirect_stderr(StringIO()):
        graphs = [boss(each, verbose=False).graph for each in rows]
    np.savez(sys.argv[2], *graphs)


if __name__ == "__main__":
    main()
