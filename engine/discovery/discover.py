"""CLCD: from a prepared table to common and label-specific causal variables.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and
Label-specific Causal Variables, Algorithm 1.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from engine.boundaries.arranged import arranged
from engine.discovery.result import DiscoveryResult
from engine.discovery.settings import DiscoverySettings
from engine.errors import InvalidData
from engine.progress import Progress, ProgressEvent, SilentProgress

if TYPE_CHECKING:
    from engine.boundaries.marginals import Marginals
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.dataset import Dataset
    from engine.discovery.assemble import LabelReport
    from engine.discovery.evidence import Evidence
    from engine.discovery.label_search import LabelFindings
    from engine.discovery.orientation.direction import Orientation
    from engine.independence.data import TestData

PREPARING = "Preparing"
ORIENTING = "Telling causes from effects"


def discover(
    dataset: Dataset,
    settings: DiscoverySettings | None = None,
    progress: Progress | None = None,
) -> DiscoveryResult:
    """Find the common and the label-specific causal variables of a table.

    Parameters
    ----------
    dataset : Dataset
        A prepared table (see :func:`engine.prepare`) with at least one label and one feature. Where values
        are missing, each test leaves out the rows that miss one of its own variables.
    settings : DiscoverySettings, optional
        How to search; the defaults when left out.
    progress : Progress, optional
        Told how far the run is, and asked whether to stop.

    Returns
    -------
    DiscoveryResult
        The same for any number of workers. After a stop it holds the labels that were finished.

    Raises
    ------
    InvalidData
        When there is no label or no feature, or a column does not suit the test.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> result = engine.discover(network.dataset, engine.DiscoverySettings(alpha=0.05))
    >>> result.unfinished_labels
    ()
    """
    settings = settings or DiscoverySettings()
    progress = progress or SilentProgress()
    check_searchable(dataset)
    progress.report(ProgressEvent(PREPARING, 0, 1))
    data = arranged(dataset, settings)
    return discover_in(data, dataset, settings, progress)


def discover_in(
    data: TestData,
    dataset: Dataset,
    settings: DiscoverySettings,
    progress: Progress,
    marginals: Marginals | None = None,
) -> DiscoveryResult:
    """Find causal variables by any kind of test data, whose names are the variables of `dataset`.

    Marginal tests of the same data, that another run may have made, are taken from `marginals`.
    """
    started = time.perf_counter()
    run = _Run(data, settings, [data.positions[label] for label in dataset.labels], progress, marginals)
    reports = run.reports()
    finished = [reports[place] for place in sorted(reports)]
    orientations, orienting_tests = run.orientations()
    tests, unreliable = run.search.tests_made
    labels = set(dataset.labels)
    return DiscoveryResult(
        dataset=dataset,
        settings=settings,
        boundaries={report.boundary.target: report.boundary for report in finished},
        equivalence_records=tuple(dict.fromkeys(each for report in finished for each in report.equivalences)),
        evidence=_by_pair(finished, labels),
        label_evidence=_between_labels(finished, labels),
        unfinished_labels=tuple(label for place, label in enumerate(dataset.labels) if place not in reports),
        orientation_records=orientations,
        tests_made=tests + orienting_tests + sum(report.tests for report in finished),
        unreliable_tests=unreliable,
        seconds=time.perf_counter() - started,
    )


def check_searchable(dataset: Dataset) -> None:
    """Refuse a table without labels, features or rows.

    Raises
    ------
    InvalidData
        When one of them is missing.
    """
    if not dataset.labels:
        raise InvalidData("no label is chosen.", remedy="Choose at least one column as a label.")
    if not dataset.features:
        raise InvalidData("no feature is left.", remedy="Make at least one column a feature.")
    if dataset.row_count == 0:
        raise InvalidData("the table has no rows.", remedy="Open a table with data.")


def _by_pair(reports: list[LabelReport], labels: set[str]) -> dict[str, tuple[Evidence, ...]]:
    reasons: dict[str, list[Evidence]] = {}
    for report in reports:
        for each in report.evidence:
            if each.feature not in labels:
                reasons.setdefault(each.key, []).append(each)
    return {key: tuple(found) for key, found in reasons.items()}


def _between_labels(reports: list[LabelReport], labels: set[str]) -> dict[str, Evidence]:
    reasons: dict[str, Evidence] = {}
    for report in reports:
        for each in report.evidence:
            if each.feature in labels:
                reasons.setdefault(each.key, each)
    return reasons


class _Run:
    """One run: searches around each label in parallel, with progress."""

    def __init__(
        self,
        data: TestData,
        settings: DiscoverySettings,
        labels: list[int],
        progress: Progress,
        marginals: Marginals | None,
    ) -> None:
        from engine.boundaries.neighbourhoods import Neighbourhoods
        from engine.discovery.label_search import LabelSearch

        self._stop = np.zeros(1, dtype=np.uint8)
        self.search: Neighbourhoods = Neighbourhoods(data, settings, self._stop, marginals)
        self._settings = settings
        self._labels = labels
        self._progress = progress
        self._label_search = LabelSearch(self.search, labels, self._announce)
        self._steps_done = 0
        self._steps = len(labels) * LabelSearch.STEPS + 1
        self._lock = Lock()
        self._findings: dict[int, LabelFindings] = {}

    def reports(self) -> dict[int, LabelReport]:
        """Search around every label; after a stop, only around those that were finished."""
        from engine.boundaries.warm_up import compile_searches
        from engine.workers import run_all

        compile_searches(self.search.data, self._settings)
        found: dict[int, LabelReport] = {}
        for place, report in run_all(
            self._report,
            self._labels,
            workers=self._settings.workers,
            progress=self._progress,
            stop=self._stop,
        ):
            found[place] = report
        return found

    def _report(self, label: int) -> LabelReport:
        from engine.discovery.assemble import report_label

        findings = self._label_search.find(label)
        report = report_label(findings, self.search.data, self._settings, self._stop)
        # Wanted for the directions; most algorithms have made these searches already.
        for member in findings.neighbourhood.members:
            self.search.neighbours(member)
        self._findings[label] = findings
        return report

    def orientations(self) -> tuple[dict[str, Orientation], int]:
        """Tell causes from effects, and say how many tests that took; a stopped run does not come to it."""
        from engine.discovery.orientation.orient import orient
        from engine.workers import run_all

        if len(self._findings) < len(self._labels):
            return {}, 0
        self._announce(ORIENTING)
        in_order = {label: self._findings[label] for label in self._labels}
        done = run_all(
            lambda findings: orient(self.search, findings),
            [in_order],
            workers=1,
            progress=self._progress,
            stop=self._stop,
        )
        return next((found for _, found in done), ({}, 0))

    def _announce(self, stage: str, label: int | None = None) -> None:
        with self._lock:
            done = self._steps_done
            self._steps_done += 1
        detail = "" if label is None else self.search.data.names[label]
        self._progress.report(ProgressEvent(stage, done, self._steps, self.search.tests_made[0], detail))
