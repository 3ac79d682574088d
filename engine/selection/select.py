"""CLCD-FS on a prepared table, or on what CLCD found in it.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and
Label-specific Causal Variables, Algorithm 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.evidence import Rule
from engine.discovery.leaders import check_preferred
from engine.errors import Cancelled
from engine.independence.record import TestRecord, make_records
from engine.parameters import require_type, watched
from engine.progress import Progress, ProgressEvent
from engine.selection.clcd_fs import (
    Alternatives,
    ChosenSet,
    FeatureBoundary,
    Names,
    Service,
    choose,
    interchangeable_about,
    without_labels,
)
from engine.selection.result import Reason, Selection
from engine.table.dataset import Dataset
from engine.translation import N_, _
from engine.wording.sentences import MAKE_A_DATASET, MAKE_A_RESULT, NO_LABEL_FINISHED

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from engine.discovery.result import DiscoveryResult
    from engine.independence.batch import JointQuestion
    from engine.knowledge.knowledge import Knowledge


class Associations:
    """Marginal tests of every label with every feature that may be chosen."""

    def __init__(
        self,
        search: Neighbourhoods,
        boundaries: Sequence[FeatureBoundary],
        interchangeable: Mapping[str, Sequence[tuple[Names, Names]]],
    ) -> None:
        self._search = search
        features = dict.fromkeys(name for boundary in boundaries for name in boundary.members)
        features |= dict.fromkeys(
            name for pairs in interchangeable.values() for _, outside in pairs for name in outside
        )
        position = search.data.positions
        positions = np.array([position[feature] for feature in features], dtype=np.int64)
        self._log_p: dict[str, dict[str, float]] = {}
        for boundary in boundaries:
            answers = search.data.ask_marginal(position[boundary.label], positions, search.stop)
            search.check_stop()
            self._log_p[boundary.label] = dict(zip(features, answers.log_p.tolist(), strict=True))

    def log_p(self, feature: str, label: str) -> float:
        """Return the natural logarithm of the p-value."""
        return self._log_p[label][feature]

    def records(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], TestRecord]:
        """Make the tests of some pairs of feature and label in full."""
        wanted, search = list(dict.fromkeys(pairs)), self._search
        position = search.data.positions
        questions: list[JointQuestion] = [
            (position[label], (position[feature],), ()) for feature, label in wanted
        ]
        test_records = make_records(search.data, questions, search.stop)
        search.check_stop()
        return dict(zip(wanted, test_records, strict=True))


REPLACING = N_("Looking for features in the place of labels")
CHOOSING = N_("Choosing features")


def select_features(
    dataset: Dataset,
    settings: DiscoverySettings | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    preferred: Sequence[str] = (),
    knowledge: Knowledge | None = None,
) -> Selection:
    """Select features that together carry information about every label, with the labels that each serves.

    The data determine the number of features.

    Parameters
    ----------
    dataset : Dataset
        A prepared table (see :func:`engine.prepare`) with at least one label and one feature.
    settings : DiscoverySettings, optional
        Settings of the search. Default: ``DiscoverySettings()``.
    progress : Progress, optional
        Receives the progress, and can stop the run.
    executor : concurrent.futures.Executor, optional
        As for :func:`engine.discover`.
    preferred : sequence of str
        Features to prefer among interchangeable ones, the most preferred first, if this does not make the
        selection longer.
    knowledge : Knowledge, optional
        Background knowledge. It changes the selection only if the settings follow the time order of its tiers
        (`time_order`).

    Returns
    -------
    Selection
        The same for any number of workers. After a stop during the search for boundaries, it covers the
        labels that were finished. Its `discovery` does not distinguish causes from effects.

    Raises
    ------
    InvalidData
        If there is no label or no feature, or a column does not suit the test.
    InvalidParameter
        If `preferred` names no feature, an argument has another type, or the settings need a time order and
        `knowledge` has no tiers.
    Cancelled
        If the run was stopped before a label was finished, or while features were selected.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=4, features=20, rows=2000, seed=1)
    >>> selection = engine.select_features(network.dataset, engine.DiscoverySettings(alpha=0.01))
    >>> first = selection.features[0]
    >>> len(selection.labels_of(first)) >= len(selection.labels_of(selection.features[-1]))
    True
    """
    from engine.discovery.discover import discover

    require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
    check_preferred(preferred, dataset)
    result = discover(dataset, settings, progress, executor, knowledge=knowledge, directions=False)
    if not result.boundaries:
        raise Cancelled(_(NO_LABEL_FINISHED))
    # Whoever stopped the search still wants what was selected from the labels that were finished.
    chosen = result.with_preferred(preferred)
    return selection_of(chosen, None if result.is_partial else progress)


def selection_of(result: DiscoveryResult, progress: Progress | None = None) -> Selection:
    """Select features from a discovery result, without a new search for boundaries.

    Parameters
    ----------
    result : DiscoveryResult
        A result with a boundary of at least one label. Unfinished labels are left out. Of interchangeable
        features that serve the same number of labels, those that the result prefers are selected.
    progress : Progress, optional
        Receives the progress, and can stop the run.

    Returns
    -------
    Selection
        The same as that of :func:`engine.select_features` for the same table and settings.

    Raises
    ------
    InvalidParameter
        If `result` or `progress` has another type.
    Cancelled
        If the run was stopped.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=4, features=20, rows=2000, seed=1)
    >>> result = engine.discover(network.dataset)
    >>> engine.selection_of(result).features == engine.select_features(network.dataset).features
    True
    """
    from engine.boundaries.discovery_settings import arranged, in_time_order
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.discovery.result import DiscoveryResult

    require_type(result, DiscoveryResult, "result", _(MAKE_A_RESULT))
    progress = watched(progress)
    data = in_time_order(arranged(result.dataset, result.settings), result.settings, result.knowledge)
    search = Neighbourhoods(data, result.settings, np.zeros(1, dtype=np.uint8))
    boundaries = _feature_boundaries(result, search, progress)
    progress.report(ProgressEvent(_(CHOOSING), 0, 1, search.tests_made[0]))
    alternatives = interchangeable_about(result, boundaries, search)
    pairs = alternatives.pairs
    associations = Associations(search, boundaries, pairs)
    order = {name: position for position, name in enumerate(result.dataset.names)}
    common, specific = choose(boundaries, pairs, associations.log_p, order, result.preferred)
    by_label = {boundary.label: boundary for boundary in boundaries}
    reasons = _reasons([*common, *specific], by_label, alternatives, associations, result.dataset.labels)
    progress.report(ProgressEvent(_(CHOOSING), 1, 1))
    return Selection(tuple(reasons), reasons, by_label, result)


def _feature_boundaries(
    result: DiscoveryResult, search: Neighbourhoods, progress: Progress
) -> list[FeatureBoundary]:
    """Replace labels in the boundary of every finished label, in label order."""
    from engine.boundaries.warm_up import compile_searches
    from engine.execution.workers import run_all
    from engine.selection.clcd_fs import CandidateTests

    labels = frozenset(result.dataset.labels)
    neighbours = {label: boundary.parents_children for label, boundary in result.boundaries.items()}
    finished = [label for label in result.dataset.labels if label in result.boundaries]
    separation = CandidateTests(search)

    positions = search.data.positions

    def replace_labels(label: str) -> FeatureBoundary:
        # In time order, what is later than a label takes no place in its boundary.
        offered = {
            other_label: [name for name in names if not search.is_later(positions[name], positions[label])]
            for other_label, names in neighbours.items()
        }
        return without_labels(result.boundaries[label], offered, labels, separation.inseparable)

    if any(labels.intersection(neighbours_of_label) for neighbours_of_label in neighbours.values()):
        compile_searches(search.data, search.settings)
    finished_boundaries: dict[int, FeatureBoundary] = {}
    progress.report(ProgressEvent(_(REPLACING), 0, len(finished)))
    for position, boundary in run_all(
        replace_labels, finished, workers=result.settings.workers, progress=progress, stop=search.stop
    ):
        finished_boundaries[position] = boundary
        progress.report(
            ProgressEvent(_(REPLACING), len(finished_boundaries), len(finished), detail=boundary.label)
        )
    search.check_stop()
    return [finished_boundaries[position] for position in range(len(finished))]


def _reasons(
    choices: Sequence[ChosenSet],
    boundaries: dict[str, FeatureBoundary],
    alternatives: Alternatives,
    associations: Associations,
    labels: Names,
) -> dict[str, tuple[Reason, ...]]:
    """Say of every chosen feature which labels it serves; features in the order in which they were chosen."""
    position = {label: number for number, label in enumerate(labels)}
    tests = associations.records(
        (feature, service.label)
        for choice in choices
        for service in choice.services
        for feature in choice.features
    )
    reasons: dict[str, list[Reason]] = {}
    for choice in choices:
        for feature in choice.features:
            reasons.setdefault(feature, []).extend(
                Reason(
                    feature,
                    service.label,
                    service.rule,
                    service.stands_for,
                    tuple(partner for partner in choice.features if partner != feature)
                    if service.rule.is_equivalent
                    else (),
                    service.children,
                    boundaries[service.label].in_place_of.get(feature, ()),
                    _other_choices(feature, service, boundaries[service.label], alternatives.pairs),
                    tests[feature, service.label].effect,
                    tests[feature, service.label].log_p,
                    _is_assumed(choice, service, alternatives),
                )
                for service in choice.services
            )
    return {
        feature: tuple(sorted(dict.fromkeys(reasons_of_feature), key=lambda reason: position[reason.label]))
        for feature, reasons_of_feature in reasons.items()
    }


def _is_assumed(choice: ChosenSet, service: Service, alternatives: Alternatives) -> bool:
    """Tell whether a choice stands in for what the rows do not tell apart from it."""
    targets = service.children or (service.label,)
    return any((target, service.stands_for, choice.features) in alternatives.assumed for target in targets)


def _other_choices(
    feature: str,
    service: Service,
    boundary: FeatureBoundary,
    pairs: Mapping[str, Sequence[tuple[Names, Names]]],
) -> Names:
    """Return the features that tell the same as a member of a boundary, or as the one it stands for."""
    inside = service.stands_for or (feature,)
    is_spouse = service.rule in (Rule.SPOUSE, Rule.SPOUSE_EQUIVALENT)
    targets = service.children if is_spouse else (service.label,)
    equivalents = [
        outside[0]
        for target in targets
        for position, outside in pairs.get(target, ())
        if position == inside and len(outside) == 1
    ]
    return tuple(
        name for name in dict.fromkeys(equivalents) if name != feature and name not in boundary.members
    )
