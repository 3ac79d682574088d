"""Times one peer from PyPI; run by ``peers.py`` in an interpreter that has the peer and not this program.

Reads a table of codes and questions from a file, prints one JSON object a line.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

import numpy as np

Test = Callable[[int, int, list[int]], Any]
Search = Callable[[], int | None]

ALPHA = 0.05
_LARGEST = 3
_SECONDS_A_SIZE = 3.0


def causal_learn(table: np.ndarray, labels: np.ndarray) -> tuple[Test, Search]:
    """The G² test of causal-learn, and PC with it on the labels."""
    from causallearn.search.ConstraintBased.PC import pc
    from causallearn.utils.cit import CIT

    def search() -> None:
        pc(table[:, labels], ALPHA, "gsq", show_progress=False, max_k=_LARGEST)

    return CIT(table, "gsq"), search


def pgmpy(table: np.ndarray, labels: np.ndarray) -> tuple[Test, Search]:
    """The G² test of pgmpy, and PC with it on the labels."""
    import pandas
    from pgmpy.causal_discovery import PC
    from pgmpy.ci_tests import GSq

    logging.disable(logging.WARNING)
    frame = pandas.DataFrame(table).rename(columns=str)
    test = GSq(frame)

    def search() -> None:
        algorithm = PC(
            ci_test="g_sq",
            significance_level=ALPHA,
            max_cond_vars=_LARGEST,
            show_progress=False,
            n_jobs=1,
        )
        algorithm.fit(frame.iloc[:, labels])

    return lambda x, y, given: test.run_test(str(x), str(y), [str(z) for z in given]), search


def pycausalfs(table: np.ndarray, labels: np.ndarray) -> tuple[Test, Search]:
    """The G² test of pyCausalFS, and HITON-MB with it around the first label in the whole table."""
    import pandas
    from pyCausalFS.CBD.MBs.common.condition_independence_test import cond_indep_test
    from pyCausalFS.CBD.MBs.HITON.HITON_MB import HITON_MB

    frame = pandas.DataFrame(table)

    def search() -> int:
        _, tests = HITON_MB(frame, int(labels[0]), ALPHA)
        return int(tests)

    return lambda x, y, given: cond_indep_test(frame, x, y, given), search


PEERS = {"causal-learn": causal_learn, "pgmpy": pgmpy, "pyCausalFS": pycausalfs}


def measured(peer: str, file: str) -> Iterator[dict[str, Any]]:
    """Give what is known of a peer, as soon as it is known."""
    warnings.simplefilter("ignore")
    with np.load(file) as arrays:
        content = {name: arrays[name] for name in arrays.files}
    yield {"version": version(peer)}
    test, search = PEERS[peer](content["table"], content["labels"])
    for size in range(_LARGEST + 1):
        yield {"size": size, "microseconds": _microseconds(test, content[f"questions{size}"])}
    started = time.process_time()
    tests = search()
    yield {"seconds": time.process_time() - started, "tests": tests}


def _microseconds(test: Test, questions: np.ndarray) -> float:
    """Time as many tests as fit into a few seconds."""
    arguments = [(x, y, list(given)) for x, y, *given in questions.tolist()]
    test(*arguments[0])
    until, timed, started = time.perf_counter() + _SECONDS_A_SIZE, 0, time.process_time()
    while timed + 1 < len(arguments) and (timed == 0 or time.perf_counter() < until):
        timed += 1
        test(*arguments[timed])
    return 1e6 * (time.process_time() - started) / timed


if __name__ == "__main__":
    for line in measured(*sys.argv[1:]):
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
