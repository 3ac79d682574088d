"""The procedure "as published" is Algorithm 1: it equals a transcription made from the paper alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from traceback import walk_stack

import numpy as np
import pytest

import engine
from engine.discovery.clcd import Algorithm1
from engine.discovery.label_findings import LabelFindings, Procedure
from engine.discovery.refinement.controlled import ControlledSearch
from tests.benchmarks.as_published import KINDS, case_of, compared, differences
from tests.engine.algorithm_1 import algorithm_1
from tests.examples import first_of


@pytest.mark.parametrize("kind", KINDS)
def test_as_published_equals_the_transcription(kind: str) -> None:
    total = Counter[str]()
    for seed in first_of(range(3000, 3200), 25):
        case = case_of(kind, seed)
        assert differences(case) == [], seed
        total += compared(case)
    assert total["members"] and total["spouses"]
    if kind != "graph":
        assert total["ignored"] and total["equivalents"]


def test_the_transcription_retrieves_what_two_labels_hide() -> None:
    """Theorem 6 (2) by hand: Z depends on both labels, and each of them makes the other superfluous."""
    independent = {("T1", "Z", "T2"), ("T2", "Z", "T1")}

    def log_p(x: str, y: Sequence[str], given: Sequence[str]) -> float:
        return 0.0 if (x, "".join(y), "".join(given)) in independent else -np.inf

    neighbours = {"T1": ["T2"], "T2": ["T1"]}
    outcome = algorithm_1(["T1", "T2"], ["Z"], lambda x: (neighbours[x], {}), log_p, 0.05, 3, 1)
    assert outcome.ccv == {frozenset({"T1", "T2"}): frozenset({"Z"})}


def in_engine(module: str) -> bool:
    return module.startswith("engine.") and not module.startswith("engine.execution.")


class InThisThread(ThreadPoolExecutor):
    """Does at once what it is given, so that the whole way to it is on one stack."""

    def submit(self, work: Callable[..., object], *given: object) -> Future:
        done: Future = Future()
        done.set_result(work(*given))
        return done


@pytest.mark.parametrize(
    ("procedure", "search"), [("as published", Algorithm1), ("controlled", ControlledSearch)]
)
def test_at_most_three_functions_lie_between_discover_and_its_first_line(
    procedure: str, search: type[Procedure], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that share the work among threads are not counted."""
    network = engine.simulate(labels=2, features=6, rows=300, seed=0)
    names: list[str] = []
    find = search.find

    def noted(self: Procedure, label: int) -> LabelFindings:
        # From the caller of the procedure outwards.
        frames = ((frame.f_globals["__name__"], frame.f_code.co_name) for frame, _ in walk_stack(None))
        names[:] = [name for module, name in frames if in_engine(module)]
        return find(self, label)

    monkeypatch.setattr(search, "find", noted)
    settings = engine.DiscoverySettings(procedure=procedure)
    engine.discover(network.dataset, settings, executor=InThisThread())
    assert names[-1] == "discover"
    assert len(names[:-1]) <= 3
    assert not [name for name in names if name.startswith("<")], "no lambda hides one"
