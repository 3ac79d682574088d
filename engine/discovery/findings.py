"""What a search found, arranged once: an entry a causal feature, with its labels, relations and directions.

:attr:`engine.discovery.result.DiscoveryResult.findings` makes it. Tables (:mod:`engine.discovery.tables`),
files, the report and the window read it, so that what is common, in which order findings come and what is
interchangeable with what is decided here alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat

from engine.boundaries.markov_boundary import LinkKind, MarkovBoundary
from engine.discovery.effects.estimates import AssociationSign, Estimand, Sign, Size
from engine.discovery.effects.size_table import Effects, association_sign, beside_adjusted, sign_of
from engine.discovery.evidence import (
    Equivalence,
    Evidence,
    LinkThroughLabels,
    Pair,
    Relation,
    Rule,
    relation_of,
)
from engine.discovery.flags import Flag, Flags
from engine.discovery.label_groups import LabelGroup
from engine.discovery.leaders import interchangeable_for, leaders
from engine.discovery.orientation.direction import (
    Direction,
    Grade,
    LocalEdge,
    Orientation,
    direction_of,
    joint_direction,
    joint_grade,
    leading_to,
)
from engine.discovery.stability.result import FoundAgain, StabilityResult

COMMON, LABEL_SPECIFIC = "common", "label-specific"
_NO_CAUSE = (Grade.NOT_CAUSE, Grade.EFFECT, Grade.EFFECT_NOTHING_HIDDEN, Grade.HIDDEN_IN_COMMON)


@dataclass(frozen=True, slots=True)
class Finding:
    """One causal feature."""

    feature: str
    labels: tuple[str, ...]  # in column order; one at least, and the fields below have one entry for each
    reasons: tuple[Evidence, ...]  # the strongest for each label
    orientations: tuple[Orientation | None, ...]  # None where the direction was not examined
    directions: tuple[Direction, ...]
    interchangeable: tuple[str, ...] = ()  # variables that tell the same as it, in column order
    # variables that the rows do not distinguish from it, in column order
    not_told_apart: tuple[str, ...] = ()
    found_again: FoundAgain | None = None  # None where the search was not repeated
    flags: tuple[tuple[Flag, ...], ...] = ()  # what must be known before it is believed
    log_q_values: tuple[float | None, ...] = ()  # natural logarithms, of its marginal tests
    sizes: tuple[Mapping[Estimand, Size], ...] = ()  # empty where they were not measured
    led_by: str | None = None  # the interchangeable feature under which it is shown, if any
    leads: tuple[str, ...] = ()  # the features that are shown under it, in column order
    # None of a direct link; empty where links through labels are not counted
    through_labels: tuple[LinkThroughLabels | None, ...] = ()
    # labels that it is linked to through others, as :meth:`Findings.runs_through` says
    runs_through: frozenset[str] = frozenset()
    # labels of which no more is shown than what a group shares, as :meth:`Findings.is_shared` says
    shared: frozenset[str] = frozenset()
    # groups of labels to whose score it is linked; empty where such links are not counted
    groups: tuple[LabelGroup, ...] = ()
    # of links through labels; their sign stays unadjusted: adjusted, those labels are held
    adjusted_signs: Mapping[str, Sign] = field(default_factory=dict)

    @property
    def kinds(self) -> tuple[LinkKind, ...]:
        """Whether it is linked to each of its labels directly or through other labels."""
        through = self.through_labels or (None,) * len(self.labels)
        return tuple(LinkKind.DIRECT if link is None else LinkKind.THROUGH_LABELS for link in through)

    @property
    def association_signs(self) -> tuple[AssociationSign, ...]:
        """Which way each label goes with the feature, and of which levels; empty without estimates."""
        return tuple(
            beside_adjusted(
                association_sign(sizes) or AssociationSign(Sign.UNCLEAR, label, self.feature),
                self.adjusted_signs.get(label),
            )
            for label, sizes in zip(self.labels, self.sizes, strict=False)
        )

    @property
    def signs(self) -> tuple[Sign, ...]:
        """Which way each of its labels goes with it; empty where that was not measured."""
        return tuple(map(sign_of, self.sizes))

    @property
    def sound_labels(self) -> tuple[str, ...]:
        """Labels for which nothing speaks against believing the link."""
        flags = self.flags or ((),) * len(self.labels)
        return tuple(
            label
            for label, doubts in zip(self.labels, flags, strict=True)
            if not any(doubt.questions_link for doubt in doubts)
        )

    @property
    def doubtful_labels(self) -> tuple[str, ...]:
        """Labels for which it must be read with care, for whatever reason."""
        return tuple(label for label, doubts in zip(self.labels, self.flags, strict=False) if doubts)

    @property
    def flag_kinds(self) -> tuple[str, ...]:
        """Kinds of doubt about it, each once."""
        return tuple(dict.fromkeys(str(flag.kind) for flags in self.flags for flag in flags))

    @property
    def is_common(self) -> bool:
        """Whether it counts for two or more labels."""
        return len(self.labels) > 1

    @property
    def type(self) -> str:
        """``"common"`` or ``"label-specific"``."""
        return COMMON if self.is_common else LABEL_SPECIFIC

    @property
    def rules(self) -> tuple[str, ...]:
        """By which rule it counts for each of its labels."""
        return tuple(str(reason.rule) for reason in self.reasons)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """How it stands to each of its labels."""
        return tuple(
            relation_of(reason.rule) if kind is LinkKind.DIRECT else Relation.THROUGH_LABELS
            for reason, kind in zip(self.reasons, self.kinds, strict=True)
        )

    @property
    def strengths(self) -> tuple[float, ...]:
        """How much it tells about each of its labels, between 0 and 1."""
        return tuple(reason.strength for reason in self.reasons)

    @property
    def strength(self) -> float:
        """Greatest strength over its labels, between 0 and 1."""
        return max(self.strengths)

    @property
    def marginal_strength(self) -> float | None:
        """Greatest strength of its marginal tests over its labels; None where none is known."""
        marginal = (reason.marginal for reason in self.reasons)
        return max((test.effect for test in marginal if test is not None), default=None)

    @property
    def direction(self) -> str:
        """What it is to its labels taken together."""
        return str(joint_direction(self.directions) if self.is_common else self.directions[0])

    @property
    def grades(self) -> tuple[Grade, ...]:
        """What is known of it as to each of its labels, even if something is hidden."""
        return tuple(
            Grade.UNDECIDED if orientation is None else orientation.grade for orientation in self.orientations
        )

    @property
    def grade(self) -> str:
        """What is known of it as to its labels taken together, even if something is hidden."""
        return str(joint_grade(self.grades) if self.is_common else self.grades[0])

    @property
    def partners(self) -> tuple[str, ...]:
        """Members of boundaries that it stands in for, each once."""
        return tuple(dict.fromkeys(name for reason in self.reasons for name in reason.partner))

    @property
    def children(self) -> tuple[str, ...]:
        """Variables through which it is linked to labels as their spouse, each once."""
        return tuple(dict.fromkeys(name for reason in self.reasons for name in reason.children))

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which it is looked for."""
        return (self.feature, *self.labels, *self.interchangeable)


def after_leaders(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Put findings that another one of them leads directly after that one; the order stays otherwise."""
    listed = {finding.feature for finding in findings}
    led: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.led_by in listed:
            led.setdefault(str(finding.led_by), []).append(finding)
    return tuple(
        finding
        for leader in findings
        if leader.led_by not in listed
        for finding in (leader, *led.get(leader.feature, ()))
    )


@dataclass(frozen=True, slots=True)
class LabelPair:
    """Two labels, in column order, of which one at least is in the boundary of the other."""

    first: str
    second: str
    reasons: tuple[Evidence, ...]  # one or both ways
    direction: Direction  # what the first is to the second if nothing is hidden
    grade: Grade  # what is known of the first as to the second, even if something is hidden


@dataclass(frozen=True, eq=False)
class Findings:
    """A discovery result as tables, files and views read it; each part is made once, when first asked for."""

    columns: tuple[str, ...]  # every variable of the analysed table, in column order
    labels: tuple[str, ...]
    finished_labels: tuple[str, ...]  # those whose search was finished
    boundaries: Mapping[str, MarkovBoundary]
    evidence: Mapping[Pair, tuple[Evidence, ...]]
    label_evidence: Mapping[Pair, Evidence]
    equivalence_records: tuple[Equivalence, ...]
    undistinguished_records: tuple[Equivalence, ...]
    orientation_records: Mapping[Pair, Orientation]
    stability: StabilityResult | None
    log_q_values: Mapping[Pair, float]
    flags: Flags  # doubts about pairs of the analysed table
    effects: Effects | None = None
    preferred: tuple[str, ...] = ()
    local_edges: tuple[LocalEdge, ...] = ()
    links_through_labels: Mapping[Pair, LinkThroughLabels] = field(default_factory=dict)
    # features and labels linked through other labels, where such links are not counted
    not_counted: frozenset[Pair] = frozenset()
    label_groups: tuple[LabelGroup, ...] = ()

    @cached_property
    def by_feature(self) -> dict[str, Finding]:
        """The entry of each causal feature, in column order."""
        strongest = self._strongest_reasons
        return {feature: self._entry(feature, reasons) for feature, reasons in strongest.items()}

    @cached_property
    def common(self) -> tuple[Finding, ...]:
        """Features that count for two or more labels: most labels first, doubtful ones last."""
        common = [finding for finding in self.by_feature.values() if finding.is_common]
        common.sort(key=lambda finding: (-len(finding.sound_labels), -len(finding.labels), -finding.strength))
        return after_leaders(common)

    @cached_property
    def label_specific(self) -> tuple[Finding, ...]:
        """Features that count for one label: by label, the strongest first, doubtful ones last."""
        specific = [finding for finding in self.by_feature.values() if not finding.is_common]
        order = self._label_order
        specific.sort(
            key=lambda finding: (order[finding.labels[0]], not finding.sound_labels, -finding.strength)
        )
        return after_leaders(specific)

    @property
    def all(self) -> tuple[Finding, ...]:
        """Common features first, then label-specific ones."""
        return self.common + self.label_specific

    def finding(self, feature: str) -> Finding | None:
        """Return the entry of a feature, or None when it counts for no label."""
        return self.by_feature.get(feature)

    def of_label(self, label: str) -> tuple[Finding, ...]:
        """Return the features that count for one label, the strongest for it first."""
        return self._by_label.get(label, ())

    def is_label(self, name: str) -> bool:
        """Tell whether a name is that of a label."""
        return name in self._label_order

    def is_known(self, name: str) -> bool:
        """Tell whether a name is that of any variable of the analysed table."""
        return name in self._column_order

    def in_column_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Sort names of variables as the columns of the table are."""
        order = self._column_order
        return tuple(sorted(names, key=lambda name: order.get(name, len(order))))

    def reasons(self, feature: str, label: str) -> tuple[Evidence, ...]:
        """Return every reason why a feature counts for a label; empty when it does not."""
        return self.evidence.get((feature, label), ())

    def orientation(self, feature: str, label: str) -> Orientation | None:
        """Return what is known of the direction between a label and a neighbour; None when never examined."""
        record = self.orientation_records.get((feature, label))
        if record is not None:
            return record
        reverse = self.orientation_records.get((label, feature))
        return None if reverse is None else reverse.turned()

    def grade(self, feature: str, label: str) -> Grade:
        """Return what is known of a variable, or a label, as to a label, even if something is hidden."""
        orientation = self.orientation(feature, label)
        return Grade.UNDECIDED if orientation is None else orientation.grade

    def grade_found_again(self, orientation: Orientation) -> float | None:
        """Return the share of the repetitions that said all that a grade says, if any."""
        stability = self.stability
        if stability is None or not stability.grades or orientation.grade is Grade.UNDECIDED:
            return None
        times = stability.times_graded(orientation.feature, orientation.label, orientation.grade)
        return stability.share(times)

    def direction(self, feature: str, label: str) -> Direction:
        """Return what a variable, or another label, is to a label: cause, effect, spouse, or undecided."""
        reason = self.label_evidence.get((feature, label)) or next(iter(self.reasons(feature, label)), None)
        return self._direction(feature, label, reason)

    def _direction(self, feature: str, label: str, reason: Evidence | None) -> Direction:
        orientation = self.orientation(feature, label)
        is_direct = (feature, label) not in self.links_through_labels
        if orientation is None and reason is not None and is_direct and self.shared_effects(reason):
            return Direction.SPOUSE
        return direction_of(orientation)

    def shared_effects(self, spouse: Evidence) -> tuple[str, ...]:
        """Name the variables between a spouse and its label that are told to be effects of both."""
        if spouse.rule is not Rule.SPOUSE:
            return ()
        return tuple(
            child
            for child in spouse.children
            if all(self.leading(end, child) is Direction.CAUSE for end in spouse.pair)
        )

    def are_causes_denied(self, spouse: Evidence) -> bool:
        """Tell whether a spouse or its label is told to be no cause of a variable between them."""
        return any(
            self.leading(end, child) is Direction.EFFECT
            or self._edge_grade(end, child).contradicts(Grade.CAUSE)
            for child in spouse.children
            for end in spouse.pair
        )

    def leading(self, first: str, second: str) -> Direction:
        """Return the causal direction between two adjacent variables, if nothing is hidden."""
        return leading_to(direction_of(self.orientation(first, second)), self._edge_grade(first, second))

    def _edge_grade(self, first: str, second: str) -> Grade:
        orientation = self.orientation(first, second)
        return (
            self._edge_grades.get((first, second), Grade.UNDECIDED)
            if orientation is None
            else orientation.grade
        )

    @cached_property
    def _edge_grades(self) -> dict[Pair, Grade]:
        grades: dict[Pair, Grade] = {}
        for edge in self.local_edges:
            grades[edge.first, edge.second] = edge.marks.grade
            grades[edge.second, edge.first] = edge.marks.turned().grade
        return grades

    @cached_property
    def label_pairs(self) -> tuple[LabelPair, ...]:
        """Pairs of labels of which one is in the boundary of the other, with the evidence of both ways."""
        pairs: dict[Pair, list[Evidence]] = {}
        order = self._label_order
        for record in self.label_evidence.values():
            first, second = sorted((record.feature, record.label), key=order.__getitem__)
            pairs.setdefault((first, second), []).append(record)
        return tuple(
            LabelPair(*pair, tuple(records), self.direction(*pair), self.grade(*pair))
            for pair, records in pairs.items()
        )

    def related_labels(self, label: str) -> tuple[Evidence, ...]:
        """Return the evidence for the labels that are in the boundary of a label, strongest first."""
        records = [record for record in self.label_evidence.values() if record.label == label]
        return tuple(sorted(records, key=lambda record: -record.strength))

    def runs_through(self, link: LinkThroughLabels) -> bool:
        """Tell whether it may be said that a link runs through the labels that explain it.

        Not where one of them is no cause of the label or not linked, nor where labels explain each other's
        links, nor where label and explaining labels share what they tell.
        """
        feature, label = link.pair
        return (
            link.separated is not None
            and not self.is_shared(link)
            and all((feature, through_label) in self.evidence for through_label in link.through)
            and not self._is_in_circle(link)
            and not any(self._is_no_cause(through_label, label) for through_label in link.through)
        )

    def passed_through(self, link: LinkThroughLabels) -> tuple[str, ...]:
        """Name the labels that a link may be said to run through, in column order."""
        return link.through if self.runs_through(link) else ()

    def is_shared(self, link: LinkThroughLabels) -> bool:
        """Tell whether a label and those that explain its link are of one group, so that none carries it.

        So is a link with a label of a group that no set of labels explains, but by shared effects.
        """
        if link.separated is None and link.effects:
            return False
        together = {link.pair[1], *link.through}
        return any(together.issubset(group.members) for group in self.label_groups)

    def explained_by_each_other(self, link: LinkThroughLabels) -> LinkThroughLabels | None:
        """Return the link with a label that helps to explain this link, if this label helps to explain that.

        Of several such labels the first in column order, if this label is its first, too.
        """
        mirrored = self._first_mirrored(link)
        back = None if mirrored is None else self._first_mirrored(mirrored)
        return mirrored if back is not None and back.pair == link.pair else None

    def _first_mirrored(self, link: LinkThroughLabels) -> LinkThroughLabels | None:
        feature, label = link.pair
        others = (self.links_through_labels.get((feature, name)) for name in link.through)
        return next(
            (
                candidate
                for candidate in others
                if candidate is not None
                and label in candidate.through
                and not any(either.effects or self.is_shared(either) for either in (link, candidate))
            ),
            None,
        )

    def _is_in_circle(self, link: LinkThroughLabels) -> bool:
        """Tell whether a label helps to explain its own link, by way of the labels that explain it."""
        feature, label = link.pair
        reached: set[str] = set()
        ahead = list(link.through)
        while ahead:
            name = ahead.pop()
            link_to_name = self.links_through_labels.get((feature, name))
            if name not in reached and link_to_name is not None:
                ahead += link_to_name.through
            reached.add(name)
        return label in reached

    def _is_no_cause(self, related: str, label: str) -> bool:
        return self.direction(related, label) is Direction.EFFECT or self.grade(related, label) in _NO_CAUSE

    def pairs_about(self, name: str, label: str) -> tuple[Equivalence, ...]:
        """Return what is interchangeable or not distinguished about a label, or an effect that it shares."""
        return tuple(
            record
            for record in self._equivalences_of.get(name, ())
            if record.target == label or self._is_about_effect(record, label)
        )

    def not_told_apart_from(self, name: str) -> tuple[str, ...]:
        """Name the variables that the rows do not tell apart from one, in column order."""
        others: set[str] = set()
        for record in self._equivalences_of.get(name, ()):
            if not record.is_shown:
                others.update(record.equivalent if name in record.in_boundary else record.in_boundary)
        return self.in_column_order(others)

    def share_found_again(self, record: Equivalence) -> float | None:
        """Return the share of repetitions that found all of an equivalence, by any rule; None without."""
        stability = self.stability
        if stability is None or record.target not in self._label_order:
            return None
        return stability.share(
            min(
                stability.times_related(name, record.target)
                if name in self._label_order
                else stability.times_found(name, record.target)
                for name in (*record.in_boundary, *record.equivalent)
            )
        )

    @cached_property
    def _strongest_reasons(self) -> dict[str, tuple[Evidence, ...]]:
        """By feature, in column order: the strongest reason for each of its labels, in column order."""
        strongest: dict[str, list[Evidence]] = {}
        for reasons in self.evidence.values():
            strongest.setdefault(reasons[0].feature, []).append(reasons[0])
        order = self._label_order
        return {
            feature: tuple(sorted(strongest[feature], key=lambda reason: order[reason.label]))
            for feature in self.in_column_order(strongest)
        }

    def alternatives(self, feature: str) -> tuple[str, ...]:
        """Return the features one by one interchangeable with a feature for some label, in column order."""
        finding = self.by_feature.get(feature)
        if finding is None:
            return ()
        groups = (self._interchangeable_for.get((feature, label), ()) for label in finding.labels)
        return self.in_column_order({name for group in groups for name in group})

    def not_told_apart_one_for_one(self, feature: str) -> tuple[str, ...]:
        """Return the features that these rows do not tell apart from one of a boundary, in column order."""
        return self.in_column_order(
            {
                record.equivalent[0]
                for record in self._equivalences_of.get(feature, ())
                if not record.is_shown and record.in_boundary == (feature,) and len(record.equivalent) == 1
            }
        )

    @cached_property
    def _interchangeable_for(self) -> dict[Pair, frozenset[str]]:
        return interchangeable_for(self.evidence)

    @cached_property
    def _leaders(self) -> dict[str, str]:
        labels = {
            feature: tuple(reason.label for reason in reasons)
            for feature, reasons in self._strongest_reasons.items()
        }
        return leaders(labels, self.evidence, self._interchangeable_for, self.preferred)

    @cached_property
    def _led(self) -> dict[str, tuple[str, ...]]:
        led: dict[str, list[str]] = {}
        for feature, leader in self._leaders.items():
            led.setdefault(leader, []).append(feature)
        return {leader: tuple(features) for leader, features in led.items()}

    def _entry(self, feature: str, reasons: tuple[Evidence, ...]) -> Finding:
        labels = tuple(reason.label for reason in reasons)
        return Finding(
            feature,
            labels,
            reasons,
            tuple(self.orientation(feature, label) for label in labels),
            tuple(map(self._direction, repeat(feature), labels, reasons)),
            self.in_column_order(self._interchangeable.get(feature, ())),
            self.not_told_apart_from(feature),
            self._found_again(feature, labels),
            tuple(self.flags.of(feature, label) for label in labels),
            tuple(self.log_q_values.get((feature, label)) for label in labels),
            tuple(self.sizes(feature, label) for label in labels) if self.effects else (),
            self._leaders.get(feature),
            self._led.get(feature, ()),
            *self._links_through(feature, labels),
            tuple(group for group in self.label_groups if feature in group.features),
            {label: sign for label in labels if (sign := self._adjusted_sign(feature, label)) is not None},
        )

    def _links_through(
        self, feature: str, labels: tuple[str, ...]
    ) -> tuple[tuple[LinkThroughLabels | None, ...], frozenset[str], frozenset[str]]:
        if not self.links_through_labels:
            return (), frozenset(), frozenset()
        links = tuple(self.links_through_labels.get((feature, label)) for label in labels)
        through_labels = [link for link in links if link is not None]
        return (
            links,
            frozenset(link.pair[1] for link in through_labels if self.runs_through(link)),
            frozenset(link.pair[1] for link in through_labels if self.is_shared(link)),
        )

    @property
    def counted_sizes(self) -> tuple[Size, ...]:
        """Every size that was measured, but of links that are not counted."""
        sizes = () if self.effects is None else self.effects.sizes
        return tuple(size for size in sizes if (size.feature, size.label) not in self.not_counted)

    def association_sign(self, feature: str, label: str) -> AssociationSign | None:
        """Tell which way a label goes with a feature, and what that is when adjusted; None where unknown."""
        sign = association_sign(self.sizes(feature, label))
        return None if sign is None else beside_adjusted(sign, self._adjusted_sign(feature, label))

    def _adjusted_sign(self, feature: str, label: str) -> Sign | None:
        """Return the adjusted direction of a link through other labels; None of any other."""
        if self.effects is None or (feature, label) not in self.links_through_labels:
            return None
        size = self.effects.of(feature, label).get(Estimand.ADJUSTED)
        return None if size is None else size.sign

    def sizes(self, feature: str, label: str) -> Mapping[Estimand, Size]:
        """Return the estimates of a finding, if any; of a link through labels, associations alone."""
        sizes = {} if self.effects is None else self.effects.of(feature, label)
        if (feature, label) in self.links_through_labels:
            return {estimand: size for estimand, size in sizes.items() if estimand is Estimand.ASSOCIATION}
        return sizes

    def _found_again(self, feature: str, labels: tuple[str, ...]) -> FoundAgain | None:
        stability = self.stability
        if stability is None:
            return None
        return FoundAgain(tuple(self.times_found(feature, label) for label in labels), stability.finished)

    def times_found(self, feature: str, label: str) -> int:
        """Return how many repetitions found a feature for a label, by links of the kinds that count."""
        stability = self.stability
        if stability is None:
            return 0
        if self.links_through_labels:
            return stability.times_linked(feature, label)
        return stability.times_found(feature, label)

    @cached_property
    def _label_order(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self.labels)}

    @cached_property
    def _column_order(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.columns)}

    @cached_property
    def _by_label(self) -> dict[str, tuple[Finding, ...]]:
        findings_by_label: dict[str, list[tuple[float, Finding]]] = {}
        for finding in self.by_feature.values():
            for label, strength in zip(finding.labels, finding.strengths, strict=True):
                findings_by_label.setdefault(label, []).append((strength, finding))
        return {
            label: tuple(finding for _, finding in sorted(entries, key=lambda entry: -entry[0]))
            for label, entries in findings_by_label.items()
        }

    @cached_property
    def _interchangeable(self) -> dict[str, set[str]]:
        partners: dict[str, set[str]] = {}
        for reasons in self.evidence.values():
            for reason in reasons:
                for member in reason.partner:
                    partners.setdefault(reason.feature, set()).add(member)
                    partners.setdefault(member, set()).add(reason.feature)
        return partners

    @cached_property
    def _equivalences_of(self) -> dict[str, list[Equivalence]]:
        by_name: dict[str, list[Equivalence]] = {}
        for record in (*self.equivalence_records, *self.undistinguished_records):
            for name in (*record.in_boundary, *record.equivalent):
                by_name.setdefault(name, []).append(record)
        return by_name

    def _is_about_effect(self, record: Equivalence, label: str) -> bool:
        """Tell whether an equivalence is about an effect that a label shares with its spouse."""
        boundary = self.boundaries.get(label)
        return boundary is not None and any(
            record.target in boundary.spouses.get(name, ()) for name in record.in_boundary
        )
