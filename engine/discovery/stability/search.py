"""Stability selection: search parts of the rows again and count how often each finding comes back.

Meinshausen and Bühlmann (2010), Stability selection, JRSSB 72:417-473; in pairs of parts without a common row
as in Shah and Samworth (2013), Variable selection with error control: another look at stability selection,
JRSSB 75:55-80.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings, arranged
from engine.discovery.discover import PREPARING, SearchRequest, check_searchable, search_table
from engine.discovery.evidence import Pair, Rule
from engine.discovery.orientation.direction import Grade
from engine.discovery.row_split import Subsamples
from engine.discovery.stability.result import PairCount, StabilityResult, StabilitySettings, TypeCount
from engine.errors import Cancelled, InvalidData
from engine.parameters import require_type, watched
from engine.progress import Progress, ProgressEvent
from engine.table.dataset import Dataset
from engine.table.row_weights import COUNTS
from engine.translation import N_, _
from engine.wording.sentences import MAKE_A_DATASET

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.knowledge.knowledge import Knowledge


STAGE = N_("Searching parts of the rows again")
STEPS_EACH = 100


class SharedCount:
    """Adds up how far all repetitions are, in hundredths of each, and tells it in the words of a person."""

    def __init__(self, repetitions: int, progress: Progress) -> None:
        self._repetitions = repetitions
        self._progress = progress
        self._steps = [0] * repetitions
        self._tests = [0] * repetitions
        self._finished = 0
        self._lock = Lock()

    def advance(self, number: int, share: float, tests: int) -> None:
        """Take note of how far one repetition is, as a share below 1."""
        with self._lock:
            self._steps[number] = max(self._steps[number], min(int(share * STEPS_EACH), STEPS_EACH - 1))
            self._tests[number] = max(self._tests[number], tests)
            self._report()

    def finish(self, number: int) -> None:
        """Take note that one repetition is finished."""
        with self._lock:
            self._steps[number] = STEPS_EACH
            self._finished += 1
            self._report()

    def should_stop(self) -> bool:
        """Tell whether the person asked to stop."""
        return self._progress.should_stop()

    def _report(self) -> None:
        """Tell it while the count is held, so that nobody hears of less after more."""
        self._progress.report(
            ProgressEvent(
                _(STAGE),
                sum(self._steps),
                self._repetitions * STEPS_EACH,
                sum(self._tests),
                _(
                    "{finished:,} of {repetitions:,} done",
                    finished=self._finished,
                    repetitions=self._repetitions,
                ),
            )
        )


class PartProgress:
    """Progress of one repetition, which stops when the whole run does."""

    def __init__(self, number: int, count: SharedCount, stop: np.ndarray) -> None:
        self._number = number
        self._count = count
        self._stop = stop

    def report(self, event: ProgressEvent) -> None:
        """Pass on how far this repetition is."""
        self._count.advance(self._number, event.done / max(event.total, 1), event.tests)

    def should_stop(self) -> bool:
        """Tell whether the whole run is to stop."""
        # Asked of the person too: the run itself asks now and then only, and a short part would be over.
        return bool(self._stop[0]) or self._count.should_stop()

    def finish(self) -> None:
        """Take note that this repetition is finished."""
        self._count.finish(self._number)


_FEWEST_ROWS = 10

Found = dict[Pair, frozenset[Rule]]


@dataclass(frozen=True)
class _Repetition:
    """What one repetition found: rules of each pair, settled grades, pairs linked through labels alone."""

    rules: Found
    grades: Mapping[Pair, Grade]
    through_labels: frozenset[Pair] = frozenset()


def stability(
    dataset: Dataset,
    settings: DiscoverySettings | None = None,
    *,
    resamples: int = 50,
    share: float = 0.5,
    seed: int = 0,
    progress: Progress | None = None,
    knowledge: Knowledge | None = None,
    directions: bool = True,
) -> StabilityResult:
    """Count how often each finding returns when random parts of the rows are searched again.

    Each part is drawn without replacement (:func:`engine.discovery.row_split.subsample_rows`) and searched
    with the same settings. The preparation is not repeated: numbers keep the cuts of the whole table, and the
    treatment of heavy tails. A column with a single value in a part is left out of its search. Rows keep
    their weights. Frequency weights are drawn as if each of the equal rows stood alone.

    Parameters
    ----------
    dataset : Dataset
        A prepared table (see :func:`engine.prepare`), as for :func:`engine.discover`.
    settings : DiscoverySettings, optional
        Settings of the search. Default: ``DiscoverySettings()``.
    resamples : int
        Number of parts, at least 2. An even number makes complete pairs.
    share : float
        Share of the rows in each part, between 0 and 1. Up to 0.5, parts come in pairs without common rows.
    seed : int
        The same seed draws the same parts.
    progress : Progress, optional
        Receives the progress, and can stop the run.
    knowledge : Knowledge, optional
        Background knowledge of causes and effects, as for :func:`engine.discover`.
    directions : bool
        Whether to count also how often each grade of a causal direction returns.

    Returns
    -------
    StabilityResult
        The same for any number of workers. After a stop, it holds the repetitions that were finished.

    Raises
    ------
    InvalidData
        If there is no label or no feature, a column does not suit the test, or a part would have fewer than
        10 rows.
    InvalidParameter
        If `resamples`, `share` or `seed` is impossible, `knowledge` names variables that are not in the
        table, or an argument has another type.
    Cancelled
        If the run was stopped before one repetition was finished.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> result = engine.discover(network.dataset)
    >>> result = result.with_stability(engine.stability(network.dataset, resamples=4))
    >>> "found_again" in result.label_specific
    True
    """
    scheme = StabilitySettings(resamples=resamples, share=share, seed=seed)
    require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
    request = SearchRequest(settings or DiscoverySettings(), knowledge, directions=directions, is_part=True)
    settings = request.settings
    from engine.boundaries.warm_up import compile_searches
    from engine.execution.workers import run_all

    progress = watched(progress)
    started = time.perf_counter()
    check_searchable(dataset)
    if knowledge is not None:
        knowledge.check_names(dataset.names)
    parts = Subsamples(dataset, scheme, settings.row_weights == COUNTS)
    if parts.size < _FEWEST_ROWS:
        raise InvalidData(
            _(
                "a share of {share:g} of {rows} is too small for a search.",
                share=scheme.share,
                rows=parts.units_in_words,
            ),
            remedy=_("Use a table of which a part has at least {fewest_rows}.", fewest_rows=_FEWEST_ROWS),
        )
    progress.report(ProgressEvent(_(PREPARING), 0, 1))
    # Once, before threads would wait for one another; a table that cannot be tested is refused.
    compile_searches(arranged(dataset, settings), settings)
    # Several at once, each on one thread.
    request = replace(request, settings=replace(settings, workers=1, cluster=None))
    stop = np.zeros(1, dtype=np.uint8)
    count = SharedCount(resamples, progress)

    def repetition(number: int) -> _Repetition:
        part_progress = PartProgress(number, count, stop)
        outcome = _search_part(parts.part(number), request, part_progress)
        part_progress.finish()
        return outcome

    done = run_all(repetition, range(resamples), workers=settings.workers, progress=progress, stop=stop)
    # After a stop, those that were finished.
    outcomes = [outcome for _, outcome in done]
    if not outcomes:
        raise Cancelled(_("the run was stopped before a repetition was finished."))
    of_features = [_among(outcome.rules, dataset.features) for outcome in outcomes]
    total = [(*rules, *outcome.through_labels) for rules, outcome in zip(of_features, outcomes, strict=True)]
    return StabilityResult(
        settings=scheme,
        discovery=settings,
        content_hash=dataset.content_hash,
        finished=len(outcomes),
        pairs=_counted(dataset, of_features),
        types=_types(dataset, of_features),
        relations=_counted(dataset, [_among(outcome.rules, dataset.labels) for outcome in outcomes]),
        grades=_graded(dataset, outcomes),
        through_labels=_times_through_labels(dataset, outcomes),
        total_types=_types(dataset, total),
        seconds=time.perf_counter() - started,
    )


def _search_part(part: Dataset, request: SearchRequest, progress: Progress) -> _Repetition:
    if not (part.labels and part.features):
        return _Repetition({}, {})
    result = search_table(part, request.for_columns(part.names), progress)
    if result.is_partial:
        raise Cancelled()
    return _Repetition(_findings(result), _grades(result), frozenset(result.links_through_labels))


def _findings(result: DiscoveryResult) -> Found:
    """Return the rules of every feature, and of every related label, by (variable, label)."""
    rules_of = {
        pair: frozenset(reason.rule for reason in reasons) for pair, reasons in result.evidence.items()
    }
    for pair, relation in result.label_evidence.items():
        rules_of[pair] = frozenset((relation.rule,))
    return rules_of


def _grades(result: DiscoveryResult) -> dict[Pair, Grade]:
    """Return the grade of each direction that says anything."""
    return {
        pair: record.grade
        for pair, record in result.orientation_records.items()
        if record.grade is not Grade.UNDECIDED
    }


def _graded(dataset: Dataset, outcomes: list[_Repetition]) -> dict[Pair, dict[Grade, int]]:
    """Count the grades of each pair, by label and variable in column order."""
    times = Counter((pair, grade) for outcome in outcomes for pair, grade in outcome.grades.items())
    return {
        pair: {grade: times[pair, grade] for grade in Grade if times[pair, grade]}
        for pair in _in_column_order({pair for pair, _ in times}, dataset)
    }


def _in_column_order(pairs: Iterable[Pair], dataset: Dataset) -> list[Pair]:
    """Sort pairs by label, and then by the other variable, as the table has its columns."""
    position = {name: number for number, name in enumerate(dataset.names)}
    return sorted(pairs, key=lambda pair: (position[pair[1]], position[pair[0]]))


def _among(rules_of: Found, variables: Iterable[str]) -> Found:
    wanted = frozenset(variables)
    return {pair: rules for pair, rules in rules_of.items() if pair[0] in wanted}


def _counted(dataset: Dataset, outcomes: list[Found]) -> dict[Pair, PairCount]:
    """Count pairs over repetitions, by label and variable in column order."""
    any_rule = Counter(pair for outcome in outcomes for pair in outcome)
    each_rule = Counter(
        (pair, rule) for outcome in outcomes for pair, rules in outcome.items() for rule in rules
    )
    return {
        pair: PairCount(*pair, any_rule[pair], {rule: each_rule[pair, rule] for rule in Rule})
        for pair in _in_column_order(any_rule, dataset)
    }


def _times_through_labels(dataset: Dataset, outcomes: list[_Repetition]) -> dict[Pair, int]:
    """Count links through other labels alone, by label and feature in column order."""
    times = Counter(pair for outcome in outcomes for pair in outcome.through_labels)
    return {pair: times[pair] for pair in _in_column_order(times, dataset)}


def _types(dataset: Dataset, outcomes: Iterable[Iterable[Pair]]) -> dict[str, TypeCount]:
    """Count in how many repetitions each feature was common, and label-specific."""
    common: Counter[str] = Counter()
    specific: Counter[str] = Counter()
    for outcome in outcomes:
        served = Counter(variable for variable, _ in outcome)
        for variable, labels in served.items():
            (common if labels > 1 else specific)[variable] += 1
    return {
        name: TypeCount(name, common[name], specific[name])
        for name in dataset.features
        if common[name] or specific[name]
    }
