"""What CLCD found, with the evidence for each finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.markov_boundary import MarkovBoundary
from engine.discovery import tables
from engine.discovery.effects.size_table import Effects
from engine.discovery.evidence import (
    ByPair,
    Equivalence,
    Evidence,
    LinkThroughLabels,
    Lookup,
    Pair,
    Rule,
)
from engine.discovery.findings import Findings
from engine.discovery.flags import Flag, Flags
from engine.discovery.label_groups import LabelGroup
from engine.discovery.leaders import check_preferred
from engine.discovery.orientation.direction import Direction, Grade, LocalEdge, Objection, Orientation
from engine.discovery.row_split import RowSplit
from engine.discovery.stability.result import (
    NEAR_MISS_SHARE,
    STABILITY_COLUMNS,
    PairCount,
    StabilityResult,
    stability_row,
)
from engine.errors import InvalidParameter
from engine.independence.ci_tests import CITestDescription, chosen_test
from engine.independence.record import TestRecord
from engine.independence.reflective import ReflectiveBlock
from engine.knowledge.knowledge import Knowledge
from engine.table.dataset import Dataset
from engine.translation import N_, _
from engine.wording.numbers import counted

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class DiscoveryResult:
    """Common and label-specific causal variables, with boundaries, equivalences and evidence.

    Attributes
    ----------
    dataset : Dataset
        The prepared table that was analysed.
    settings : DiscoverySettings
        Settings of the search.
    boundaries : mapping of str to MarkovBoundary
        The boundary of each finished label.
    equivalence_records : tuple of Equivalence
        All equivalences shown for a label or a connecting child.
    evidence : mapping of (str, str) to tuple of Evidence
        By feature and label, every reason, the strongest rule (θ1, θ2, θ3) first. The tables have the same
        keys.
    label_evidence : mapping of (str, str) to Evidence
        By other label and label, why the first is in the boundary of the second.
    unfinished_labels : tuple of str
        Labels that a stopped run did not finish. Empty if the run is complete.
    tests_made : int
        Number of conditional-independence tests in the whole run.
    unreliable_tests : int
        Number of tests in the search for direct neighbours that the reliability rule did not count.
    seconds : float
        Wall-clock duration of the search in seconds, after the table was arranged for the test.
    stability : StabilityResult, optional
        How often each finding returned in random parts of the rows. None if it was not requested.
    undistinguished_records : tuple of Equivalence
        Pairs that these rows neither distinguish nor show to be interchangeable. They make no variable common
        or label-specific.
    orientation_records : mapping of (str, str) to Orientation
        By feature (or other label) and label, the causal direction between a label and each neighbour. Empty
        after a stop.
    directions_finished : bool
        False if a stop came before causes were distinguished from effects. True also if directions were not
        requested.
    bounded_labels : tuple of str
        Labels that have too many neighbours or possible spouses to condition on every set of two or more, or
        that have such a neighbour. The tests used sets of the nearest only (see
        :mod:`engine.boundaries.parents_children`).
    departures : tuple of TestRecord
        The tests that removed members of boundaries in the confirmation (backward elimination, see
        :mod:`engine.discovery.last_pass`): label ``x`` and removed member ``y``, given all other members.
    knowledge : Knowledge, optional
        Background knowledge, which the directions follow.
    local_edges : tuple of LocalEdge
        Every edge of the labels and of their neighbours, in column order, with its marks.
    objections : tuple of Objection
        What the data say against the background knowledge.
    unconfirmed_labels : tuple of str
        Labels whose members a regression could have confirmed, but did not, because rows or groups of rows
        are too few.
    determined_labels : tuple of str
        Labels that the members of their boundary determine: no two rows agree in the members and differ in
        the label. So the boundary has no other member (see :mod:`engine.boundaries.functions`). Empty in
        results of earlier versions.
    log_q_values : mapping of (str, str) to float
        By feature (or other label) and label, the natural logarithm of the q-value of their marginal test
        (Benjamini and Hochberg 1995). The q-value covers all marginal tests of the label. Absent in results
        of earlier versions.
    effects : Effects, optional
        Estimates of the findings. None if they were not computed (see :func:`engine.effects`).
    split : RowSplit, optional
        Which rows of a larger table were searched, so that the others can give estimates. None if all were
        searched.
    blocks : tuple of ReflectiveBlock
        Columns that measure one thing, such as items of one questionnaire, if one of them was found. No
        single one is called a cause or an effect. Empty in results of earlier versions.
    links_through_labels : mapping of (str, str) to LinkThroughLabels
        By feature and label, the links through other labels (see :mod:`engine.discovery.label_outcome`).
        Empty with one label, with the published procedure, and in results of earlier versions.
    preferred : tuple of str
        Features that a person prefers among interchangeable ones, the most preferred first. Tables name them
        first, and selections take them (see :mod:`engine.discovery.leaders`).
    searched_through_labels : bool
        Whether links through other labels were searched. False with one label, with the published procedure,
        and in results of earlier versions.
    label_groups : tuple of LabelGroup
        Labels that vary together as if they measured one thing, with the features linked to their score (see
        :mod:`engine.discovery.label_groups`). Empty with the published procedure, and in results of earlier
        versions.
    groups_finished : bool
        False if a stop came before links through other labels were joined, or groups of labels were searched.
    counts_through_labels : bool
        Whether window, report and terminal count links through other labels (:attr:`counted_findings`).
        :attr:`findings`, :attr:`label_sets`, :attr:`common`, :attr:`label_specific` and their files always
        hold direct links only.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=4, features=20, rows=2000, seed=1)
    >>> result = engine.discover(network.dataset)
    >>> sorted(result.boundaries) == sorted(network.dataset.labels)
    True
    """

    dataset: Dataset
    settings: DiscoverySettings
    boundaries: Mapping[str, MarkovBoundary]
    equivalence_records: tuple[Equivalence, ...]
    evidence: Mapping[Pair, tuple[Evidence, ...]]
    label_evidence: Mapping[Pair, Evidence]
    unfinished_labels: tuple[str, ...] = ()
    tests_made: int = 0
    unreliable_tests: int = 0
    seconds: float = 0.0
    stability: StabilityResult | None = None
    orientation_records: Mapping[Pair, Orientation] = field(default_factory=dict)
    directions_finished: bool = True
    undistinguished_records: tuple[Equivalence, ...] = ()
    bounded_labels: tuple[str, ...] = ()
    departures: tuple[TestRecord, ...] = ()
    unconfirmed_labels: tuple[str, ...] = ()
    determined_labels: tuple[str, ...] = ()
    split: RowSplit | None = None
    effects: Effects | None = None
    knowledge: Knowledge | None = None
    local_edges: tuple[LocalEdge, ...] = ()
    objections: tuple[Objection, ...] = ()
    log_q_values: Mapping[Pair, float] = field(default_factory=dict)
    preferred: tuple[str, ...] = ()
    links_through_labels: Mapping[Pair, LinkThroughLabels] = field(default_factory=dict)
    blocks: tuple[ReflectiveBlock, ...] = ()
    searched_through_labels: bool = True
    counts_through_labels: bool = True
    label_groups: tuple[LabelGroup, ...] = ()
    groups_finished: bool = True

    def __post_init__(self) -> None:
        """Let what is known of a pair be looked up by the keys of the tables too."""
        for name in ("evidence", "label_evidence", "orientation_records"):
            object.__setattr__(self, name, ByPair(getattr(self, name)))

    def __getstate__(self) -> dict[str, object]:
        """Leave out what is made of the fields when it is first asked for."""
        return {result_field.name: getattr(self, result_field.name) for result_field in fields(self)}

    def with_stability(self, stability: StabilityResult | None) -> DiscoveryResult:
        """Attach how often each finding came back, or take it away.

        Parameters
        ----------
        stability : StabilityResult or None
            Of the same table, searched with the same settings; see :func:`engine.stability`.

        Returns
        -------
        DiscoveryResult

        Raises
        ------
        InvalidParameter
            When it belongs to another table or to other settings.
        """
        if stability is not None:
            self._check_belongs(stability)
        return self._refined(replace(self, stability=stability))

    def with_effects(self, effects: Effects | None) -> DiscoveryResult:
        """Attach how large each finding is, or take it away.

        Parameters
        ----------
        effects : Effects or None
            Of the same findings; see :func:`engine.effects`.

        Returns
        -------
        DiscoveryResult
        """
        return self._refined(replace(self, effects=effects))

    def _refined(self, refined: DiscoveryResult) -> DiscoveryResult:
        """Hand over what was counted in the table, which both have."""
        vars(refined)["_flags"] = self._flags
        return refined

    @cached_property
    def _flags(self) -> Flags:
        return Flags(self.dataset, self.settings.row_weights, self.blocks)

    def with_preferred(self, preferred: Sequence[str]) -> DiscoveryResult:
        """Let some features lead what is interchangeable with them.

        Parameters
        ----------
        preferred : sequence of str
            Names of features, the most wanted first, or one name alone: a variable that is cheaper to
            measure, or safer. They replace those that were preferred before.

        Returns
        -------
        DiscoveryResult
            With the same findings. A preferred feature that nothing is interchangeable with changes nothing.

        Raises
        ------
        InvalidParameter
            When a name is not that of a feature.

        Examples
        --------
        >>> import engine
        >>> network = engine.simulate(labels=4, features=20, rows=2000, multiple_boundaries=0.9, seed=1)
        >>> result = engine.discover(network.dataset)
        >>> led = result.findings.by_feature[result.equivalences["equivalent"][0][0]]
        >>> changed = result.with_preferred([led.feature]).findings
        >>> led.led_by is not None, changed.by_feature[led.feature].led_by is None
        (True, True)
        """
        names = (preferred,) if isinstance(preferred, str) else tuple(dict.fromkeys(preferred))
        check_preferred(names, self.dataset)
        return replace(self, preferred=names)

    def with_links_through_labels(self, counted: bool) -> DiscoveryResult:
        """Count links through other labels where findings are shown, or leave them out.

        Parameters
        ----------
        counted : bool
            False shows the causal variables of the paper alone.

        Returns
        -------
        DiscoveryResult
            With the same findings; :attr:`counted_findings` are others.

        Examples
        --------
        >>> import engine
        >>> network = engine.simulate(labels=4, features=20, rows=2000, seed=1)
        >>> result = engine.discover(network.dataset).with_links_through_labels(False)
        >>> result.counted_findings is result.findings
        True
        """
        return self._refined(replace(self, counts_through_labels=bool(counted)))

    def _check_belongs(self, stability: StabilityResult) -> None:
        if stability.discovery.decisive() != self.settings.decisive():
            problem = N_("the repetitions are searched with other settings.")
        elif stability.content_hash != self.dataset.content_hash:
            problem = N_(
                "the repetitions are of another table, or of the same table prepared in another way."
            )
        else:
            return
        raise InvalidParameter(
            _(problem),
            place="stability",
            remedy=_("Repeat the search with the settings and the table of this result."),
        )

    def __repr__(self) -> str:
        common, specific = len(self.findings.common), len(self.findings.label_specific)
        return (
            f"<DiscoveryResult of {self.dataset.name or 'unnamed'}: {common:,} common, "
            f"{specific:,} label-specific, {counted(len(self.boundaries), 'label')} searched>"
        )

    @property
    def is_partial(self) -> bool:
        """Whether the run was stopped before labels, directions or groups of labels were finished."""
        return bool(self.unfinished_labels) or not (self.directions_finished and self.groups_finished)

    @cached_property
    def test(self) -> CITestDescription:
        """The independence test that was used, also where the settings left the choice to the table."""
        return chosen_test(self.settings.test, self.dataset)

    @property
    def settings_used(self) -> DiscoverySettings:
        """The settings, with the name of the test in place of ``"auto"``: what a reader must know."""
        return replace(self.settings, test=self.test.name)

    @cached_property
    def findings(self) -> Findings:
        """What was found, arranged once: tables, files and views read it."""
        # It holds what it is made of, but not the result itself, which would then outlive its last user.
        return Findings(
            columns=self.dataset.names,
            labels=self.dataset.labels,
            finished_labels=tuple(
                label for label in self.dataset.labels if label not in self.unfinished_labels
            ),
            boundaries=self.boundaries,
            evidence=self.evidence,
            label_evidence=self.label_evidence,
            equivalence_records=self.equivalence_records,
            undistinguished_records=self.undistinguished_records,
            orientation_records=self.orientation_records,
            stability=self.stability,
            log_q_values=self.log_q_values,
            flags=self._flags,
            effects=self.effects,
            preferred=self.preferred,
            local_edges=self.local_edges,
            not_counted=frozenset(self.links_through_labels),
        )

    @cached_property
    def total_findings(self) -> Findings:
        """The same, counting links through other labels too."""
        if not self.links_through_labels and not self.label_groups:
            return self.findings
        through = {pair: link.reasons for pair, link in self.links_through_labels.items()}
        return replace(
            self.findings,
            evidence={**self.evidence, **through},
            links_through_labels=self.links_through_labels,
            not_counted=frozenset(),
            label_groups=self.label_groups,
        )

    @property
    def counted_findings(self) -> Findings:
        """What window, report and terminal show: links through other labels among it where they count."""
        return self.total_findings if self.counts_through_labels else self.findings

    @property
    def holds_direct_links_alone(self) -> bool:
        """Whether what is shown leaves links through other labels out, or nobody looked for them."""
        if len(self.dataset.labels) > 1 and not self.searched_through_labels:
            return True
        return bool(self.links_through_labels) and not self.counts_through_labels

    @cached_property
    def total_label_sets(self) -> Mapping[str, frozenset[str]]:
        """Labels that each feature is linked to, directly or through other labels, by feature."""
        return _label_sets(self.total_findings)

    @cached_property
    def total_common(self) -> pandas.DataFrame:
        """Features that are linked to two or more labels, directly or through other labels.

        Columns as of :attr:`common`; :attr:`links` says of each label of which kind the link is.
        """
        return tables.COMMON.frame(self.total_findings)

    @cached_property
    def links(self) -> pandas.DataFrame:
        """Every link of a feature with a label, direct or through other labels, in column order.

        Columns: ``feature``, ``label``, ``kind`` (``"direct"`` or ``"through labels"``), ``through`` (tuple
        of str: the labels that explain the link; empty of a direct one, and where no set that was tried
        separates the two), ``rule``, ``p_value`` of the deciding test and the set that it conditions on
        (``given``), with its other figures, ``strength``, ``separated_p_value`` and ``separated_given`` of
        the test that separates the two, ``evidence`` (key).
        """
        return tables.LINKS.frame(self.total_findings)

    @cached_property
    def label_sets(self) -> Mapping[str, frozenset[str]]:
        """Labels that each causal feature counts for, by feature in column order."""
        return _label_sets(self.findings)

    def reasons(self, feature: str, label: str) -> tuple[Evidence, ...]:
        """Return every reason why a feature counts for a label; empty when it does not."""
        return self.findings.reasons(feature, label)

    def flags(self, feature: str, label: str) -> tuple[Flag, ...]:
        """Return what must be known before a finding is believed; empty where all is well."""
        return self.findings.flags.of(feature, label)

    def orientation(self, feature: str, label: str) -> Orientation | None:
        """Return what is known of the direction between a label and a neighbour; None when never examined.

        The neighbour may be another label, and is then looked up from either side.
        """
        return self.findings.orientation(feature, label)

    def direction(self, feature: str, label: str) -> Direction:
        """Say what a variable, or another label, is to a label: cause, effect, spouse, or undecided.

        A spouse is a cause of an effect that it shares with the label; undecided where the directions of the
        two to that effect are not told. What stands in for a neighbour or a spouse is undecided, and so is
        what was never examined.
        """
        return self.findings.direction(feature, label)

    def grade(self, feature: str, label: str) -> Grade:
        """Say what is known of a variable, or another label, as to a label, even if something is hidden."""
        return self.findings.grade(feature, label)

    @cached_property
    def common(self) -> pandas.DataFrame:
        """Common causal variables, most labels first.

        Columns: ``feature``, ``labels`` (tuple of str, column order), ``rules`` (tuple of str, one a
        label), ``strength`` (strongest over its labels, 0 to 1), ``evidence`` (tuple of keys),
        ``direction`` (``"common cause"``, ``"common effect"``, ``"spouse"``, ``"mixed"`` or
        ``"undecided"``), which holds if nothing is hidden, and ``grade`` (``"cause of all"``, ``"effect of
        all"``, ``"effect of none"``, ``"cause of none"``, ``"mixed"`` or ``"open"``), which holds even if
        something is. With :attr:`stability` also ``found_again``: the share of the repetitions that
        found the feature for its label, of the label for which fewest did. Columns that are added later
        follow; :data:`engine.discovery.tables.COMMON` declares them all.
        """
        return tables.COMMON.frame(self.findings)

    @cached_property
    def label_specific(self) -> pandas.DataFrame:
        """Label-specific causal variables, by label and then strength.

        Columns: ``feature``, ``label``, ``rule``, ``strength``, ``evidence`` (key), ``direction``
        (``"cause"``, ``"effect"``, ``"spouse"`` or ``"undecided"``), which holds if nothing is hidden, and
        ``grade`` (see :class:`~engine.discovery.orientation.direction.Grade`). With :attr:`stability` also
        ``found_again``: the share of the repetitions that found the pair, whether or not they found the
        feature for other labels too. :data:`engine.discovery.tables.LABEL_SPECIFIC` declares them all.
        """
        return tables.LABEL_SPECIFIC.frame(self.findings)

    @cached_property
    def equivalences(self) -> pandas.DataFrame:
        """Sets of variables that count as telling the same about a label or a connecting child.

        Columns: ``target``, ``in_boundary``, ``equivalent`` (tuples of str); the p-values of the four tests:
        ``p_target_in_boundary``, ``p_target_equivalent``, ``p_equivalent_given_boundary``,
        ``p_boundary_given_equivalent``; ``verdict``; what share of what the other tells each misses, and its
        upper confidence limit: ``missed_by_boundary``, ``missed_by_boundary_limit``,
        ``missed_by_equivalent``, ``missed_by_equivalent_limit`` (NaN under the published procedure, and in
        results of earlier versions). With :attr:`stability` also ``found_again``: the share of
        the repetitions that found every variable of both sets for the label, which is NaN where the target is
        no label.
        """
        return tables.EQUIVALENCES.frame(self.findings)

    @cached_property
    def undistinguished(self) -> pandas.DataFrame:
        """Sets of variables that these rows do not tell apart: they may be interchangeable, or not.

        Columns as of :attr:`equivalences`. They make no variable common or label-specific.
        """
        return tables.UNDISTINGUISHED.frame(self.findings)

    @cached_property
    def label_relations(self) -> pandas.DataFrame:
        """Labels in the boundary of another label.

        Columns: ``label``, ``related_label``, ``relation``, ``children``, ``strength``, ``direction`` (what
        the related label is to the label if nothing is hidden), ``grade`` (what is known of it even if
        something is).
        """
        return tables.LABEL_RELATIONS.frame(self.findings)

    @cached_property
    def found_again(self) -> pandas.DataFrame:
        """Every finding, and near misses, with how often it came back; no row without :attr:`stability`.

        Near misses are pairs that half of the repetitions found, or more, and the whole table did not.
        Columns: those of :attr:`StabilityResult.table`, and ``in_result``, which is False for a near miss.
        Findings come by label, most often found first, each label's near misses last.
        """
        import pandas

        columns = [*STABILITY_COLUMNS, "in_result"]
        stability = self.stability
        if stability is None:
            return pandas.DataFrame([], columns=columns)
        by_label: dict[str, list[PairCount]] = {label: [] for label in self.boundaries}
        for pair in self.evidence:
            never = PairCount(*pair, 0, dict.fromkeys(Rule, 0))
            by_label[pair[1]].append(stability.pairs.get(pair, never))
        for near_miss in near_misses(self):
            by_label[near_miss.label].append(near_miss)
        rows = []
        for counts in by_label.values():
            in_results = [(count.variable, count.label) in self.evidence for count in counts]
            ranked = sorted(
                zip(counts, in_results, strict=True), key=lambda pair: (not pair[1], -pair[0].found)
            )
            rows += [(*stability_row(stability, count), in_result) for count, in_result in ranked]
        return pandas.DataFrame(rows, columns=columns)

    @cached_property
    def orientations(self) -> pandas.DataFrame:
        """Every neighbour of every label, labels among them: is it a cause or an effect?

        Columns: ``feature``, ``label``, ``direction`` (what the feature is to the label if nothing is
        hidden), ``grade`` (what is known of it even if something is hidden), with :attr:`stability`
        ``grade_found_again`` (the share of the repetitions that said all that the grade says), ``because``
        (what tells the direction; empty when undecided), ``others`` (tuple of str, the variables that tell
        it), ``evidence`` (key).
        """
        return tables.DIRECTIONS.frame(self.findings)


def near_misses(result: DiscoveryResult) -> list[PairCount]:
    """List pairs that at least half of the repetitions found and the finished labels of the table did not."""
    stability = result.stability
    if stability is None:
        return []
    return [
        count
        for pair, count in stability.pairs.items()
        if pair not in result.evidence
        and count.label in result.boundaries
        and stability.share(count.found) >= NEAR_MISS_SHARE
    ]


def _label_sets(findings: Findings) -> Mapping[str, frozenset[str]]:
    """Return the labels of each feature in a mapping that cannot be altered."""
    return Lookup({name: frozenset(finding.labels) for name, finding in findings.by_feature.items()})
