"""The comparison itself: simulate, search, compare with the truth, one network after another."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.discovery.suited_table import suited_table
from engine.errors import Cancelled
from engine.evaluation.benchmark.cells import Cell, cells
from engine.evaluation.benchmark.deadline import Deadline
from engine.evaluation.benchmark.methods import Method, methods
from engine.evaluation.benchmark.outcome import Outcome
from engine.evaluation.benchmark.result import BenchmarkResult
from engine.evaluation.benchmark.settings import BenchmarkSettings
from engine.evaluation.benchmark.store import OutcomeStore, outcome_key
from engine.evaluation.benchmark.variants import Variant, variants
from engine.execution.workers import worker_count
from engine.progress import Progress, ProgressEvent, SilentProgress
from engine.simulation.scores import score

if TYPE_CHECKING:
    from engine.boundaries.settings import DiscoverySettings
    from engine.simulation.simulated import SimulatedNetwork

RUNS_FOLDER = "runs"
# Finer steps than whole runs, so that a bar moves while one method works.
_STEPS = 100


def benchmark(
    settings: BenchmarkSettings | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    on_result: Callable[[BenchmarkResult], None] | None = None,
) -> BenchmarkResult:
    """Compare CLCD with the paper's baselines on simulated networks, as in its Tables 2 and 3.

    Networks of numbers, and of numbers and categories, can be asked for beside those of the paper.

    Parameters
    ----------
    settings : BenchmarkSettings, optional
        Sizes, seeds, kinds of networks, methods; the defaults are the paper's sizes.
    out : str or path, optional
        Folder for the tables and pictures. Every finished network is kept there at once, and what an
        earlier run with the same settings and the same version finished is taken from there.
    progress : Progress, optional
        Told how far the comparison is, and asked whether to stop.
    on_result : callable, optional
        Receives everything found so far whenever a method has finished a network.

    Returns
    -------
    BenchmarkResult
        The same for the same settings, apart from times. After a stop it holds what was finished.

    Raises
    ------
    UnwritableFile, UnreadableFile
        When the folder cannot be written to, or holds a damaged file.

    Notes
    -----
    Baselines search the Markov boundary of every label, labels and features alike, and intersect: a
    feature in the boundaries of two or more labels is common to them, one in a single boundary
    label-specific. Precision and recall are averaged over these two types of (feature, label) pairs.
    Times do not include simulation and compiling.

    References
    ----------
    .. [1] Wu, Jiang, Zhong, Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables
       and Label-specific Causal Variables, section 5.1.

    Examples
    --------
    >>> from engine.evaluation.benchmark import BenchmarkSettings
    >>> settings = BenchmarkSettings(
    ...     labels=3, features=20, rows=500, seeds=1, cells=("0.5/0",), methods=("clcd", "hiton-mb")
    ... )
    >>> result = benchmark(settings)
    >>> [(each.method, each.is_cut) for each in result.outcomes if each.variant == "default"]
    [('hiton-mb', False), ('clcd', False)]
    """
    from engine.atomic import check_folder
    from engine.evaluation.benchmark.files import write_files

    settings = settings or BenchmarkSettings()
    if out is not None:
        check_folder(out)
    run = _Run(settings, out, progress or SilentProgress(), on_result)
    run.work()
    if out is not None and run.outcomes:
        write_files(run.result(), out)
    return run.result()


@dataclass(frozen=True, slots=True)
class _Task:
    """One method, under one variant, on one network."""

    cell: Cell
    seed: int
    variant: Variant
    method: Method
    settings: DiscoverySettings

    @property
    def words(self) -> str:
        return f"{self.cell.title}, network {self.seed + 1}"


class _Run:
    """One comparison: what is to be done, and what is done."""

    def __init__(
        self,
        settings: BenchmarkSettings,
        out: str | os.PathLike[str] | None,
        progress: Progress,
        on_result: Callable[[BenchmarkResult], None] | None,
    ) -> None:
        self._settings = settings
        self._store = None if out is None else OutcomeStore(Path(out) / RUNS_FOLDER)
        self._progress = progress
        self._on_result = on_result
        self._workers = worker_count(settings.workers)
        self._warm: set[tuple[str, str, bool]] = set()
        self.outcomes: list[Outcome] = []

    def result(self) -> BenchmarkResult:
        """Give everything found so far."""
        return BenchmarkResult(self._settings, tuple(self.outcomes), self._workers)

    def work(self) -> None:
        """Do everything that is not done, seed after seed, so that early figures cover all kinds."""
        settings = self._settings
        for seed in range(settings.seeds):
            for name in settings.cells:
                if not self._network(cells()[name], seed):
                    return

    def _network(self, cell: Cell, seed: int) -> bool:
        """Compare on one network; tell whether to go on."""
        network: SimulatedNetwork | None = None
        for task in self._tasks(cell, seed):
            outcome = self._known(task)
            if outcome is None:
                self._say(task, "Simulating" if network is None else task.method.title)
                if network is None:
                    network = self._simulated(cell, seed)
                outcome = self._measured(task, network)
                if outcome is None:
                    return False
                if self._store is not None:
                    self._store.put(self._key(task), outcome)
            self.outcomes.append(outcome)
            if self._on_result is not None:
                self._on_result(self.result())
        return True

    def _tasks(self, cell: Cell, seed: int) -> list[_Task]:
        settings = self._settings
        return [
            _Task(
                cell,
                seed,
                variants()[variant],
                methods()[method],
                replace(variants()[variant].settings, workers=self._workers),
            )
            for variant in settings.variants
            for method in settings.methods
        ]

    def _key(self, task: _Task) -> dict[str, Any]:
        simulation = self._settings.simulation(task.cell, task.seed)
        return outcome_key(simulation, task.variant.name, task.settings, task.method)

    def _known(self, task: _Task) -> Outcome | None:
        if self._store is None:
            return None
        return self._store.get(self._key(task), self._settings.budget)

    def _simulated(self, cell: Cell, seed: int) -> SimulatedNetwork:
        from engine.simulation.simulated import simulate

        return simulate(**asdict(self._settings.simulation(cell, seed)))

    def _measured(self, task: _Task, network: SimulatedNetwork) -> Outcome | None:
        """Run a method; None when the person wants to stop."""
        self._warm_up(task)
        if self._progress.should_stop():
            return None
        started, processor = time.perf_counter(), time.process_time()
        deadline = Deadline(
            self._settings.budget, self._progress, lambda event: self._say(task, task.method.title, event)
        )
        try:
            # Numbers are cut where the settings name a test of categories, for all methods alike.
            table = suited_table(network.dataset, task.settings.test)
            found = task.method.find(table, task.settings, deadline)
        except Cancelled:
            found = None
        seconds, processor_seconds = time.perf_counter() - started, time.process_time() - processor
        is_in_time = found is not None and processor_seconds <= self._settings.budget
        if found is None and not deadline.is_over:
            return None
        return Outcome(
            cell=task.cell.name,
            seed=task.seed,
            variant=task.variant.name,
            method=task.method.name,
            scores=score(found, network.truth) if found is not None and is_in_time else None,
            seconds=seconds,
            processor_seconds=processor_seconds,
            budget=self._settings.budget,
        )

    def _warm_up(self, task: _Task) -> None:
        """Run a method once on a tiny network, so that its time does not contain compiling."""
        from engine.evaluation.benchmark.warm_up import warm_up

        has_numbers = not task.cell.in_paper
        kind = (task.method.name, task.variant.name, has_numbers)
        if kind not in self._warm:
            self._say(task, f"Compiling {task.method.title}")
            warm_up(task.method, task.settings, has_numbers)
            self._warm.add(kind)

    def _say(self, task: _Task, stage: str, event: ProgressEvent | None = None) -> None:
        """Report how far the comparison is, with the share of the method that works now."""
        inside = 0 if event is None else _STEPS * event.done // max(event.total, 1)
        self._progress.report(
            ProgressEvent(
                stage,
                done=_STEPS * len(self.outcomes) + min(inside, _STEPS),
                total=_STEPS * self.result().planned,
                tests=0 if event is None else event.tests,
                detail=task.words,
            )
        )
