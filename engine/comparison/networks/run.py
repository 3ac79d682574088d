"""The comparison itself: simulate, search within a budget, compare with the truth, keep what was found."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.comparison.networks.benchmark_settings import (
    BenchmarkSettings,
    NetworkKind,
    Variant,
    cells,
    variants,
)
from engine.comparison.networks.methods import Method, methods
from engine.comparison.networks.result import BenchmarkResult, NetworkOutcome
from engine.comparison.page import StoredValues, code_fingerprint
from engine.discovery.discover import suited_table
from engine.errors import Cancelled
from engine.execution.workers import worker_count
from engine.parameters import require_type, watched
from engine.progress import Progress, ProgressEvent, SilentProgress
from engine.simulation.truth import score
from engine.translation import _

if TYPE_CHECKING:
    from engine.boundaries.discovery_settings import DiscoverySettings
    from engine.simulation.simulated import SimulatedNetwork
    from engine.simulation.simulation_settings import SimulationSettings
    from engine.table.dataset import Dataset


class Deadline:
    """Progress that asks to stop on request or when the budget of processor seconds (all cores) is used."""

    def __init__(
        self,
        seconds: float,
        progress: Progress,
        report: Callable[[ProgressEvent], None],
        clock: Callable[[], float] = time.process_time,
    ) -> None:
        self._progress = progress
        self._report = report
        self._clock = clock
        self._end = clock() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the budget is used up."""
        return self._clock() > self._end

    def report(self, event: ProgressEvent) -> None:
        """Hand on how far the work is."""
        self._report(event)

    def should_stop(self) -> bool:
        """Tell whether the time is over or the person wants to stop."""
        return self.is_over or self._progress.should_stop()


# What decides which figures come out.
_DECISIVE = ("boundaries", "compiled", "discovery", "independence", "simulation", "table")


def outcome_key(
    simulation: SimulationSettings,
    variant: str,
    settings: DiscoverySettings,
    method: Method,
) -> dict[str, Any]:
    """Name everything that decides an outcome, times included, but for the machine and the budget."""
    from engine.version import __version__

    return {
        "version": __version__,
        "code": code_fingerprint(_DECISIVE),
        "simulation": asdict(simulation),
        "variant": variant,
        "settings": settings.as_dict(),
        "method": method.name,
        "options": method.options,
    }


def _file_start(key: dict[str, Any]) -> str:
    simulation = key["simulation"]
    cell = f"{simulation['label_causality']:g}-{simulation['multiple_boundaries']:g}"
    if simulation["variables"] != "categories":
        cell = f"{simulation['variables']}-{simulation['relations']}-{simulation['noise']}"
    return f"{cell}-{simulation['seed']}-{key['variant']}-{key['method']}"


RUNS_FOLDER = "runs"
# Finer steps than whole runs, so that a bar moves while one method works.
_STEPS = 100


def benchmark(
    settings: BenchmarkSettings | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    on_result: Callable[[BenchmarkResult], None] | None = None,
    cell_folder: str | os.PathLike[str] | None = None,
) -> BenchmarkResult:
    """Compare CLCD with the baselines of the paper on simulated networks, as in its Tables 2 and 3.

    Besides the networks of the paper, the settings offer networks of numbers, and of numbers and categories.

    Parameters
    ----------
    settings : BenchmarkSettings, optional
        Sizes, seeds, kinds of networks and methods. Default: those of the paper.
    out : str or path, optional
        Folder for the tables and pictures.
    progress : Progress, optional
        Receives the progress, and can stop the comparison.
    on_result : callable, optional
        Receives all results so far when a method has finished a network.
    cell_folder : str or path, optional
        Folder that keeps every finished search. Searches that an earlier run with the same settings and
        version finished are read from it. Default: ``runs`` in `out`.

    Returns
    -------
    BenchmarkResult
        The same for the same settings, except for times. After a stop, it holds what was finished.

    Raises
    ------
    UnwritableFile, UnreadableFile
        If the folder cannot be written to, or holds a damaged file.

    Notes
    -----
    Baselines search the Markov boundary of every label among labels and features, and intersect the
    boundaries. A feature in the boundaries of two or more labels is common, and a feature in one boundary is
    label-specific. Precision and recall are averaged over these two types of (feature, label) pairs. Times
    exclude simulation and compilation.

    References
    ----------
    .. [1] Wu, Jiang, Zhong, Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and
       Label-specific Causal Variables, section 5.1.

    Examples
    --------
    >>> from engine.comparison.networks import BenchmarkSettings
    >>> settings = BenchmarkSettings(
    ...     labels=3, features=20, rows=500, seeds=1, cells=("0.5/0",), methods=("clcd", "hiton-mb")
    ... )
    >>> result = benchmark(settings)
    >>> [(each.method, each.is_cut) for each in result.outcomes if each.variant == "default"]
    [('hiton-mb', False), ('clcd', False)]
    """
    from engine.atomic import check_folder
    from engine.comparison.networks.report import NETWORK_FILES

    settings = BenchmarkSettings() if settings is None else settings
    require_type(settings, BenchmarkSettings, "settings")
    if out is not None:
        check_folder(out)
        cell_folder = cell_folder or Path(out) / RUNS_FOLDER
    store = None if cell_folder is None else StoredValues(cell_folder)
    run = _NetworkComparison(settings, store, watched(progress), on_result)
    run.work()
    if out is not None and run.outcomes:
        NETWORK_FILES.write(run.result(), out)
    return run.result()


@dataclass(frozen=True, slots=True)
class _Task:
    """One method, under one variant, on one network."""

    cell: NetworkKind
    seed: int
    variant: Variant
    method: Method
    settings: DiscoverySettings

    @property
    def words(self) -> str:
        return _("{title}, network {seed}", title=self.cell.title, seed=self.seed + 1)


class _NetworkComparison:
    """One comparison: what is to be done, and what is done."""

    def __init__(
        self,
        settings: BenchmarkSettings,
        store: StoredValues | None,
        progress: Progress,
        on_result: Callable[[BenchmarkResult], None] | None,
    ) -> None:
        self._settings = settings
        self._store = store
        self._progress = progress
        self._on_result = on_result
        self._workers = worker_count(settings.workers)
        self._warm: set[tuple[str, str, bool]] = set()
        self.outcomes: list[NetworkOutcome] = []

    def result(self) -> BenchmarkResult:
        """Return everything found so far."""
        return BenchmarkResult(self._settings, tuple(self.outcomes), self._workers)

    def work(self) -> None:
        """Do everything that is not done, seed after seed, so that early figures cover all kinds."""
        settings = self._settings
        for seed in range(settings.seeds):
            for name in settings.cells:
                if not self._network(cells()[name], seed):
                    return

    def _network(self, cell: NetworkKind, seed: int) -> bool:
        """Compare on one network; tell whether to go on."""
        network: SimulatedNetwork | None = None
        for task in self._tasks(cell, seed):
            outcome = self._known(task)
            if outcome is None:
                self._say(task, "Simulating" if network is None else task.method.title)
                network = network or self._simulated(cell, seed)
                if network is None:
                    return False
                outcome = self._measured(task, network)
                if outcome is None:
                    return False
                if self._store is not None:
                    self._store.put(*self._place(task), outcome)
            self.outcomes.append(outcome)
            if self._on_result is not None:
                self._on_result(self.result())
        return True

    def _tasks(self, cell: NetworkKind, seed: int) -> list[_Task]:
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

    def _place(self, task: _Task) -> tuple[str, dict[str, Any]]:
        simulation = self._settings.simulation(task.cell, task.seed)
        key = outcome_key(simulation, task.variant.name, task.settings, task.method)
        return _file_start(key), key

    def _known(self, task: _Task) -> NetworkOutcome | None:
        """Return the outcome of an earlier run; None when there is none that holds for the budget."""
        if self._store is None:
            return None
        outcome = self._store.get(*self._place(task), NetworkOutcome)
        return outcome if outcome is not None and outcome.holds_for(self._settings.budget) else None

    def _simulated(self, cell: NetworkKind, seed: int) -> SimulatedNetwork | None:
        """Draw a network; None when the person wants to stop."""
        from engine.simulation.simulated import simulated_network

        with suppress(Cancelled):
            return simulated_network(self._settings.simulation(cell, seed), self._progress)
        return None

    def _measured(self, task: _Task, network: SimulatedNetwork) -> NetworkOutcome | None:
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
            features = task.method.find(table, task.settings, deadline)
        except Cancelled:
            features = None
        seconds, processor_seconds = time.perf_counter() - started, time.process_time() - processor
        is_in_time = features is not None and processor_seconds <= self._settings.budget
        if features is None and not deadline.is_over:
            return None
        return NetworkOutcome(
            cell=task.cell.name,
            seed=task.seed,
            variant=task.variant.name,
            method=task.method.name,
            scores=score(features, network.truth) if features is not None and is_in_time else None,
            seconds=seconds,
            processor_seconds=processor_seconds,
            budget=self._settings.budget,
        )

    def _warm_up(self, task: _Task) -> None:
        """Run a method once on a tiny network, so that its time does not contain compiling."""
        has_numbers = not task.cell.in_paper
        kind = (task.method.name, task.variant.name, has_numbers)
        if kind not in self._warm:
            self._say(task, _("Compiling {title}", title=task.method.title))
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


def warm_up(method: Method, settings: DiscoverySettings, has_numbers: bool = False) -> None:
    """Run a method on a tiny network, with numbers or without, so that what it needs is compiled."""
    method.find(suited_table(_tiny_table(has_numbers), settings.test), settings, SilentProgress())


@functools.cache
def _tiny_table(has_numbers: bool) -> Dataset:
    from engine.simulation.simulated import simulate

    variables = "mixed" if has_numbers else "categories"
    return simulate(
        labels=4, features=30, rows=300, multiple_boundaries=1.0, seed=0, variables=variables
    ).dataset
