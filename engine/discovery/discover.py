"""CLCD: from a prepared table to common and label-specific causal variables.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and
Label-specific Causal Variables, Algorithm 1. What is asked of a search is one value for window, terminal,
Python and workers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from engine.boundaries.discovery_settings import (
    DiscoverySettings,
    arranged,
    check_time_order,
    in_time_order,
)
from engine.collecting import collecting_seldom
from engine.discovery.label_groups import label_groups_in
from engine.discovery.orientation.direction import (
    OPEN_EDGE,
    Because,
    Claim,
    ClaimKind,
    Direction,
    Directions,
    EdgeMarks,
    EndMark,
    LocalEdge,
    Orientation,
)
from engine.discovery.result import DiscoveryResult
from engine.discovery.row_split import RowSplit
from engine.errors import Cancelled, EngineError, InvalidData, InvalidParameter
from engine.independence.ci_tests import CITestDescription, chosen_test
from engine.independence.reflective import ReflectiveBlock, reflective_blocks
from engine.knowledge.knowledge import Knowledge
from engine.parameters import require_type, watched
from engine.preparation.dependence import with_notes_on_dependent_rows
from engine.preparation.discretise import discretise
from engine.preparation.made_from_labels import notes_on_found
from engine.progress import Progress, ProgressEvent, Steps, UnreportedProgress
from engine.table.dataset import Dataset
from engine.table.variable import Role
from engine.translation import N_, _
from engine.wording.notes import Note
from engine.wording.sentences import MAKE_A_DATASET, NO_ROWS, OPEN_TABLE_WITH_DATA
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from engine.boundaries.neighbourhoods import Marginals, Neighbourhoods
    from engine.discovery.evidence import Evidence, Pair
    from engine.discovery.label_groups import LabelGroup
    from engine.discovery.label_outcome import LabelOutcome, SharedRun
    from engine.discovery.remote.remote_run import RemoteRun
    from engine.independence.data import TestData


@dataclass(frozen=True)
class SearchRequest:
    """What is searched for, in any table; where it is searched and who is told of it stand beside it."""

    settings: DiscoverySettings = field(default_factory=DiscoverySettings)
    knowledge: Knowledge | None = None
    split: RowSplit | None = None  # which part of the rows is searched, if not all
    directions: bool = True  # tell causes from effects too
    is_part: bool = False  # of another table, in which columns that reflect one thing were looked for

    def __post_init__(self) -> None:
        """Check what is asked before any table is touched."""
        require_type(self.settings, DiscoverySettings, "settings")
        if self.knowledge is not None:
            require_type(self.knowledge, Knowledge, "knowledge")
        if self.split is not None:
            require_type(self.split, RowSplit, "split")
        check_time_order(self.settings, self.knowledge)

    def searched_rows(self, dataset: Dataset) -> Dataset:
        """Return the rows of a table in which findings are sought."""
        return dataset if self.split is None else self.split.searched(dataset, self.settings.row_weights)

    def for_columns(self, names: Iterable[str]) -> SearchRequest:
        """Return the request with what is known of some columns alone."""
        restricted = None if self.knowledge is None else self.knowledge.restricted_to(names)
        return replace(self, knowledge=restricted)

    def for_table(self, dataset: Dataset) -> SearchRequest:
        """Return the request with the significance level that a table gets, where it is automatic."""
        return replace(self, settings=self.settings.for_table(dataset))


Value = TypeVar("Value")


def blocks_among(dataset: Dataset, features: Iterable[str]) -> tuple[ReflectiveBlock, ...]:
    """Return the blocks of features that hold a feature which was found, and what may be one."""
    holding = [name for name in dict.fromkeys(features) if name in set(dataset.features)]
    if not holding:
        return ()
    return reflective_blocks(dataset, outcomes=dataset.labels, holding=holding, only_shown=False)


def without_single_items(directions: Directions, blocks: Sequence[ReflectiveBlock]) -> Directions:
    """Take back what is said of single members of blocks, but for what a person said.

    That an item is a cause of a label, or an effect of it, would be true of what all items reflect at most.

    >>> marks = EdgeMarks(EndMark.CIRCLE, EndMark.ARROWHEAD)
    >>> found = Orientation("item", "ill", Direction.CAUSE, marks=marks)
    >>> block = ReflectiveBlock(("item", "b", "c", "d"), (0.6, 0.6, 0.6, 0.6))
    >>> changed = without_single_items(Directions({found.pair: found}), [block])
    >>> print(changed.orientations["item", "ill"].grade)
    undecided
    """
    items = {name for block in blocks for name in block.members}
    if not items:
        return directions
    orientations = {
        pair: _as_said(orientation) if items.intersection(pair) else orientation
        for pair, orientation in directions.orientations.items()
    }

    def edge_of(edge: LocalEdge) -> LocalEdge:
        pair = edge.first, edge.second
        if not items.intersection(pair):
            return edge
        if pair in orientations:
            return replace(edge, marks=orientations[pair].marks)
        turned = orientations.get(pair[::-1])
        return replace(edge, marks=OPEN_EDGE if turned is None else turned.marks.turned())

    return replace(
        directions, orientations=orientations, local_edges=tuple(map(edge_of, directions.local_edges))
    )


def _as_said(orientation: Orientation) -> Orientation:
    """Return what a person said of a direction, and nothing of what tests tell."""
    said = tuple(claim for claim in orientation.claims if claim.uses_knowledge and not claim.tests)
    pair = orientation.pair
    marks = EdgeMarks(
        _mark_of_cause(said, *pair),
        _mark_of_cause(said, *pair[::-1]),
        any(claim.kind is ClaimKind.NOTHING_HIDDEN for claim in said),
    )
    direction = Direction.UNDECIDED
    if EndMark.TAIL in (marks.at_feature, marks.at_label):
        direction = Direction.CAUSE if marks.at_feature is EndMark.TAIL else Direction.EFFECT
    is_settled = direction is not Direction.UNDECIDED
    return Orientation(
        *pair,
        direction,
        because=Because.KNOWLEDGE if is_settled else None,
        marks=marks,
        claims=said,
        confirmed=is_settled,
    )


def _mark_of_cause(said: Sequence[Claim], first: str, second: str) -> EndMark:
    """Return the mark at `first` of two: whether it was said to be a cause of `second`, or to be none."""
    for claim in said:
        if claim.kind is ClaimKind.CAUSE and (claim.cause, claim.effect) == (first, second):
            return EndMark.TAIL
        opposite = claim.kind is ClaimKind.CAUSE and (claim.cause, claim.effect) == (second, first)
        if opposite or (claim.kind is ClaimKind.NO_CAUSE and (claim.cause, claim.effect) == (first, second)):
            return EndMark.ARROWHEAD
    return EndMark.CIRCLE


CUT_FOR_TEST = "cut-for-test"
# A name of ``discretisation_methods()``.
_HALVES = "median"


def suited_table(dataset: Dataset, test: str) -> Dataset:
    """Return the table that a test works on: where it takes no numbers, these are cut in two, with a note."""
    description = chosen_test(test, dataset)
    if description.takes_numbers or not dataset.has_numbers:
        return dataset
    cut = discretise(dataset, _HALVES, bins=2, missing_level=False)
    return cut.with_notes([Note(CUT_FOR_TEST, _cost(description))])


def _cost(description: CITestDescription) -> str:
    return _(
        "{title} works on categories, so numbers were cut at their medians for it. A half of a "
        "number tells less than the number. A test that is conditioned on the half leaves the "
        "rest of what the number explains. The more rows there are, the more of that looks like a"
        " direct link. A test for numbers has no such cost.",
        title=description.title,
    )


PREPARING = N_("Preparing")
CONNECTING = N_("Connecting to the cluster")
ORIENTING = N_("Distinguishing causes and effects")
GROUPING = N_("Looking for groups of labels")
_FEWEST_LABELS_OF_GROUP = 3


def discover(
    dataset: Dataset,
    settings: DiscoverySettings | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    *,
    knowledge: Knowledge | None = None,
    directions: bool = True,
    split: RowSplit | None = None,
) -> DiscoveryResult:
    """Find the common and the label-specific causal variables of a table.

    Parameters
    ----------
    dataset : Dataset
        A prepared table (see :func:`engine.prepare`) with at least one label and one feature. Each test
        leaves out the rows that miss a value of its own variables. If the chosen test needs categories,
        numbers are cut into halves, and a note in the table of the result states the cost. Other notes name
        dependent rows (:func:`engine.dependent_rows`), and features that were found but are computed from
        labels, such as their sum.
    settings : DiscoverySettings, optional
        Settings of the search. Default: ``DiscoverySettings()``.
    progress : Progress, optional
        Receives the progress, and can stop the run.
    executor : concurrent.futures.Executor, optional
        Executor of the search, in place of threads and of the cluster in the settings. It can be a pool of
        threads or processes, that of a cluster (``distributed.Client(address).get_executor()``), or any
        other. It is not shut down. Spawn processes; do not fork them.
    knowledge : Knowledge, optional
        Background knowledge of causes and effects. It changes directions. It changes boundaries only if the
        settings follow the time order of its tiers (`time_order`).
    directions : bool
        Whether to distinguish causes from effects. It changes nothing else. It takes most of the time if a
        label has dozens of neighbours.
    split : RowSplit, optional
        Search one part of the rows, and keep the others for estimates (:func:`engine.effects`), so that the
        selection does not bias them. Default: all rows are searched.

    Returns
    -------
    DiscoveryResult
        The same for any executor and any number of workers. After a stop, it holds the labels that were
        finished.

    Raises
    ------
    InvalidData
        If there is no label or no feature, or a column does not suit the test.
    InvalidParameter
        If `knowledge` names unknown variables, or has no tiers although the settings need a time order, or an
        argument has another type.
    ClusterUnavailable
        If the cluster of the settings cannot be used.
    WorkersLost
        If all processes or machines of the executor end before the work is done.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> result = engine.discover(network.dataset, engine.DiscoverySettings(alpha=0.05))
    >>> result.unfinished_labels
    ()
    """
    require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
    request = SearchRequest(settings or DiscoverySettings(), knowledge, split, directions)
    progress = watched(progress)
    if executor is not None and not hasattr(executor, "submit"):
        raise InvalidParameter(
            _("it is of the type {kind}, which is not an executor.", kind=type(executor).__name__),
            place=the_setting("executor"),
            remedy=_(
                "Give an executor of concurrent.futures. `workers` in the settings says how many "
                "search at the same time."
            ),
        )
    rows = request.searched_rows(with_notes_on_dependent_rows(dataset))
    request = request.for_table(rows)
    data, table = arranged_table(rows, request, progress)
    return with_notes_on_made(search_data(data, table, request, progress, executor), dataset)


def with_notes_on_made(result: DiscoveryResult, given: Dataset) -> DiscoveryResult:
    """Note what was found in a table and is made from labels, unless a preparation looked for it."""
    linked_features = {feature for feature, _ in (*result.evidence, *result.links_through_labels)}
    notes = notes_on_found(given, linked_features) if linked_features else ()
    return replace(result, dataset=result.dataset.with_notes(notes)) if notes else result


def search_table(dataset: Dataset, request: SearchRequest, progress: Progress) -> DiscoveryResult:
    """Search a table, or a part of one, on this machine; its rows are not split."""
    data, table = arranged_table(dataset, request, progress)
    return search_data(data, table, request, progress)


def arranged_table(dataset: Dataset, request: SearchRequest, progress: Progress) -> tuple[TestData, Dataset]:
    """Arrange the rows that are searched for the test; also return them as that test takes them."""
    check_searchable(dataset)
    if request.knowledge is not None:
        request.knowledge.check_names(dataset.names)
    progress.report(ProgressEvent(_(PREPARING), 0, 1))
    dataset = suited_table(dataset, request.settings.test)
    return arranged(dataset, request.settings, is_part=request.is_part), dataset


def search_data(
    data: TestData,
    dataset: Dataset,
    request: SearchRequest,
    progress: Progress,
    executor: Executor | None = None,
    marginals: Marginals | None = None,
    search: Neighbourhoods | None = None,
) -> DiscoveryResult:
    """Find causal variables by any test data; `marginals` and `search` hold results of the same data."""
    settings = request.settings
    labels = [data.positions[label] for label in dataset.labels]
    data = in_time_order(data, settings, request.knowledge)
    from engine.discovery.label_outcome import STEPS_PER_LABEL

    with ExitStack() as stack:
        # What a search makes stays until its end, and is no garbage that holds itself.
        stack.enter_context(collecting_seldom())
        if executor is None and settings.cluster is not None:
            executor = stack.enter_context(_cluster(settings.cluster, progress))
        run: SharedRun | RemoteRun
        if executor is None or isinstance(executor, ThreadPoolExecutor):
            from engine.discovery.label_outcome import SharedRun

            run = SharedRun(data, settings, labels, progress, marginals, executor, search)
        else:
            from engine.discovery.remote.remote_run import RemoteRun

            run = RemoteRun(data, settings, labels, progress, executor)
        started = time.perf_counter()
        grouped = not request.is_part and len(labels) >= _FEWEST_LABELS_OF_GROUP and settings.is_controlled
        planned = len(labels) * STEPS_PER_LABEL + int(request.directions) + int(grouped)
        steps = Steps(progress, planned, lambda: run.tests_made[0])
        outcomes_by_position = run.outcomes(steps)
        # In label order, whichever was finished first.
        outcomes = {
            label: outcomes_by_position[position]
            for position, label in enumerate(dataset.labels)
            if position in outcomes_by_position
        }
        result = _result_of(run, outcomes, dataset, request, steps, progress)
        if grouped and not result.unfinished_labels:
            steps.begin(_(GROUPING))
            result = _with_label_groups(result, progress)
        tests, unreliable = run.tests_made
        return replace(
            result,
            tests_made=tests + result.tests_made + sum(group.tests for group in result.label_groups),
            unreliable_tests=unreliable,
            seconds=time.perf_counter() - started,
        )


@contextmanager
def _cluster(address: str, progress: Progress) -> Iterator[Executor]:
    """Connect to the cluster at an address, and leave it at the end."""
    from engine.discovery.remote.cluster import wait_for_scheduler
    from engine.execution.cluster import cluster_executor

    progress.report(ProgressEvent(_(CONNECTING), 0, 1, detail=address))
    wait_for_scheduler(address, progress)
    with cluster_executor(address) as machines:
        yield machines


def _result_of(
    run: SharedRun | RemoteRun,
    outcomes: Mapping[str, LabelOutcome],
    dataset: Dataset,
    request: SearchRequest,
    steps: Steps,
    progress: Progress,
) -> DiscoveryResult:
    """Add what needs all labels: links by way of others, directions, columns that reflect one thing."""
    all_labels = len(outcomes) == len(dataset.labels)
    completed = outcomes
    if len(outcomes) > 1 and all_labels and request.settings.is_controlled:
        completed = _with_indirect_links(run.search, outcomes, progress)
    directions = None
    if request.directions and all_labels:
        cut = _cut_columns(run.search, dataset)
        around = list(outcomes.values())
        directions = _directions(run.search, around, cut, request.knowledge, steps, progress)
    result = _put_together(completed or outcomes, directions or Directions({}), dataset, request)
    result = replace(
        result,
        groups_finished=bool(completed) or not outcomes,
        directions_finished=directions is not None or not request.directions,
    )
    return result if request.is_part else _with_blocks(result, directions)


def _with_indirect_links(
    search: Neighbourhoods, outcomes: Mapping[str, LabelOutcome], progress: Progress
) -> dict[str, LabelOutcome]:
    """Add what is linked to labels by way of others; nothing is returned after a stop."""
    from engine.discovery.indirect_links import IndirectLinks

    positions = {label: search.data.positions[label] for label in outcomes}
    links = IndirectLinks(search, {positions[label]: outcome for label, outcome in outcomes.items()})
    completed = _unless_stopped(
        lambda: {label: links.completed(position) for label, position in positions.items()}, search, progress
    )
    return completed or {}


def _unless_stopped(work: Callable[[], Value], search: Neighbourhoods, progress: Progress) -> Value | None:
    """Return what a piece of work gives; None after a stop."""
    from engine.execution.workers import run_all

    done = run_all(lambda run: run(), [work], workers=1, progress=progress, stop=search.stop)
    return next((value for _, value in done), None)


def _with_blocks(result: DiscoveryResult, directions: Directions | None) -> DiscoveryResult:
    """Look for columns that reflect one thing, and take back what directions say of single ones."""
    blocks = blocks_among(result.dataset, (feature for feature, _ in result.evidence))
    if not blocks:
        return result
    told = without_single_items(directions or Directions({}), blocks)
    return replace(result, blocks=blocks, orientation_records=told.orientations, local_edges=told.local_edges)


def _with_label_groups(result: DiscoveryResult, progress: Progress) -> DiscoveryResult:
    """Look for labels that go together, and search the score of each group as a label of its own."""
    linked = dict.fromkeys(feature for feature, _ in (*result.evidence, *result.links_through_labels))
    groups: list[LabelGroup] = []
    # A table that is read in place takes no further column.
    for group in () if result.dataset.coded is not None else label_groups_in(result.dataset, linked):
        try:
            groups.append(_searched_group(result, group, progress))
        except Cancelled:
            return replace(result, groups_finished=False)
        except EngineError:
            # The test takes these labels, and no score of them.
            continue
    return replace(result, label_groups=tuple(groups))


def _searched_group(result: DiscoveryResult, group: LabelGroup, progress: Progress) -> LabelGroup:
    """Search the score of a group among the features alone."""
    table = group.as_one_outcome(result.dataset)
    left_out = dict.fromkeys((name for name in table.labels if name != group.name), Role.IGNORED)
    # Directions are not asked for, so that of what is known only the order in time matters.
    tiers = () if result.knowledge is None else group.tiers_with_score(result.knowledge.tiers)
    request = SearchRequest(
        replace(result.settings, cluster=None), Knowledge(tiers=tiers), directions=False, is_part=True
    )
    result_without = search_table(table.with_roles(left_out), request, UnreportedProgress(progress))
    if result_without.is_partial:
        raise Cancelled
    entries = result_without.findings.by_feature.values()
    return replace(
        group, reasons=tuple(entry.reasons[0] for entry in entries), tests=result_without.tests_made
    )


def _cut_columns(search: Neighbourhoods, dataset: Dataset) -> frozenset[int]:
    """Return the positions of the variables that were numbers before they were cut into bins."""
    positions = search.data.positions
    return frozenset(
        positions[variable.name]
        for variable in dataset.variables
        if variable.is_cut and variable.name in positions
    )


def _put_together(
    outcomes: Mapping[str, LabelOutcome],
    directions: Directions,
    dataset: Dataset,
    request: SearchRequest,
) -> DiscoveryResult:
    """Make a result of what was found around each finished label; tests of the search are not counted yet."""
    reports = [outcome.report for outcome in outcomes.values()]
    labels = set(dataset.labels)
    evidence: dict[Pair, list[Evidence]] = {}
    label_evidence: dict[Pair, Evidence] = {}
    for reason in chain.from_iterable(report.evidence for report in reports):
        if reason.feature in labels:
            label_evidence.setdefault(reason.pair, reason)
        else:
            evidence.setdefault(reason.pair, []).append(reason)
    return DiscoveryResult(
        dataset=dataset,
        settings=request.settings,
        split=request.split,
        boundaries={report.boundary.target: report.boundary for report in reports},
        equivalence_records=tuple(
            dict.fromkeys(equivalence for report in reports for equivalence in report.equivalences)
        ),
        undistinguished_records=tuple(
            dict.fromkeys(record for report in reports for record in report.not_told_apart)
        ),
        evidence={pair: tuple(reasons) for pair, reasons in evidence.items()},
        links_through_labels={
            through_label.pair: through_label
            for outcome in outcomes.values()
            for through_label in outcome.through_labels
        },
        searched_through_labels=len(dataset.labels) > 1 and request.settings.is_controlled,
        label_evidence=label_evidence,
        unfinished_labels=tuple(label for label in dataset.labels if label not in outcomes),
        orientation_records=directions.orientations,
        knowledge=request.knowledge,
        local_edges=directions.local_edges,
        objections=directions.objections,
        bounded_labels=tuple(label for label, outcome in outcomes.items() if _is_bounded(outcome)),
        departures=tuple(departure for report in reports for departure in report.departures),
        unconfirmed_labels=tuple(report.boundary.target for report in reports if not report.is_confirmed),
        determined_labels=tuple(report.boundary.target for report in reports if report.is_determined),
        log_q_values={
            (name, report.boundary.target): value
            for report in reports
            for name, value in report.log_q_values.items()
        },
        tests_made=directions.tests + sum(report.tests for report in reports),
    )


def _is_bounded(outcome: LabelOutcome) -> bool:
    """Tell whether the search around a label, or around a neighbour, could not try all sets."""
    return any(
        neighbourhood.is_bounded
        for neighbourhood in (outcome.findings.neighbourhood, *outcome.around.values())
    )


def _directions(
    search: Neighbourhoods,
    outcomes: list[LabelOutcome],
    cut: frozenset[int],
    knowledge: Knowledge | None,
    steps: Steps,
    progress: Progress,
) -> Directions | None:
    """Tell causes from effects; None after a stop."""
    from engine.discovery.orientation.orient import orient

    steps.begin(_(ORIENTING))
    findings = {outcome.findings.neighbourhood.target: outcome.findings for outcome in outcomes}
    neighbourhoods = {
        member: neighbourhood for outcome in outcomes for member, neighbourhood in outcome.around.items()
    }
    return _unless_stopped(lambda: orient(search, findings, neighbourhoods, cut, knowledge), search, progress)


def check_searchable(dataset: Dataset) -> None:
    """Refuse a table without labels, features or rows."""
    if not dataset.labels:
        raise InvalidData(_("no label is chosen."), remedy=_("Choose at least one column as a label."))
    if not dataset.features:
        raise InvalidData(_("no feature is left."), remedy=_("Make at least one column a feature."))
    if dataset.row_count == 0:
        raise InvalidData(_(NO_ROWS), remedy=_(OPEN_TABLE_WITH_DATA))
