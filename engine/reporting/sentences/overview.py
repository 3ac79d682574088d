"""The findings in a few sentences: plain text, or phrases that know their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine.boundaries.search import MOST_MEMBERS, MOST_NEAR
from engine.discovery.evidence import Equivalence, Evidence, Rule
from engine.discovery.flags import FlagKind
from engine.discovery.orientation.direction import Direction
from engine.reporting.sentences.directions import grade_phrase
from engine.reporting.sentences.links import counted_phrase, group_summary, shared_effects_phrase, spouse_pair
from engine.table.row_weights import COUNTS
from engine.translation import N_, _, for_count
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, listing, phrase, plain
from engine.wording.sentences import NOTHING_FOUND_FOR

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult


_CLOSEST_FIRST = tuple(Rule)
# Tests that see a variable which tells something only together with another one.
_FINDS_WHAT_ACTS_TOGETHER = ("rcot",)
_ONLY_TOGETHER = N_(
    "Variables that carry information only in combination were not searched. The test RCoT finds "
    "more of them among numbers, but is slower."
)
_DOUBTS = {
    FlagKind.MADE_FROM_LABELS: N_("variables are linked exactly to labels"),
    FlagKind.RARE_LABEL: N_("few rows differ from the most frequent value of a label"),
    FlagKind.RARE_VARIABLE: N_("few rows differ from the most frequent value of a variable"),
    FlagKind.DEPENDENT_ROWS: N_("rows resemble each other"),
    FlagKind.REPEATED_ROWS: N_("rows are copies of others"),
    FlagKind.FEW_GROUPS: N_("rows come in few groups"),
    FlagKind.ROWS_LOST: N_("many rows are left out because a value is missing"),
    FlagKind.ITEM: N_("variables are, or may be, items that reflect one thing"),
}
_IF_NOTHING_HIDDEN = {
    Direction.CAUSE: N_("if no common cause is unmeasured, {a} is a cause of {b}"),
    Direction.EFFECT: N_("if no common cause is unmeasured, {a} is an effect of {b}"),
}
# By whether a direction is stated, and whether it must be read with care.
_RELATIONS = {
    (False, False): "{relation}.",
    (True, False): "{relation}; {stated}.",
    (False, True): N_("{relation}. Read with care."),
    (True, True): N_("{relation}; {stated}. Read with care."),
}
_MOST_NAMES = 3
_MOST_UNFINISHED = 5


_NONE_COMMON = N_("None of {total} is linked to two or more labels, as far as these data show.")
_ONE_COMMON = N_("{count} of {total} is linked to two or more labels: {names} (to {labels}).")
_COMMON_TO_AS_MANY = N_(
    "{count} of {total} are linked to two or more labels, each of them to {most}: {names}."
)
_ONE_TO_MOST = N_("{count} of {total} are linked to two or more labels; {names} is linked to most ({most}).")
_SEVERAL_TO_MOST = N_(
    "{count} of {total} are linked to two or more labels; {names} are linked to most ({most} each)."
)
_NO_COMMON_DIRECTLY = N_(
    "None of {total} is linked directly to two or more labels, as far as these data show."
)
_SPECIFIC = (N_("{count} is linked to one label only."), N_("{count} are linked to one label only."))
_SPECIFIC_MOSTLY = (
    N_("{count} is linked to one label only, most often to {label} ({most})."),
    N_("{count} are linked to one label only, most often to {label} ({most})."),
)
_NO_DIRECT_LINK = N_("None of {total} is linked directly to any label, as far as these data show.")
_NO_DIRECT_LINK_FOR = N_("No direct link was found for {labels}.")
_NO_SPECIFIC = N_("None is linked to one label only.")
_NO_SPECIFIC_DIRECTLY = N_("None is linked directly to one label only.")
_SPECIFIC_DIRECTLY = (
    N_("{count} is linked directly to one label only."),
    N_("{count} are linked directly to one label only."),
)
_SPECIFIC_DIRECTLY_MOSTLY = (
    N_("{count} is linked directly to one label only, most often to {label} ({most})."),
    N_("{count} are linked directly to one label only, most often to {label} ({most})."),
)
_INTERCHANGEABLE = (
    N_("{count} pair of variables is interchangeable."),
    N_("{count} pairs of variables are interchangeable."),
)
_UNDISTINGUISHED = (
    N_(
        "{count} pair is not distinguishable with these data: the second may be linked to the label "
        "in the place of the first."
    ),
    N_(
        "{count} pairs are not distinguishable with these data: the second of each may be linked to "
        "the label in the place of the first."
    ),
)
_FURTHER_UNDISTINGUISHED = (
    N_(
        "{count} further pair is not distinguishable with these data: the second may be linked to the"
        " label in the place of the first."
    ),
    N_(
        "{count} further pairs are not distinguishable with these data: the second of each may be "
        "linked to the label in the place of the first."
    ),
)


_TESTS_ON_ROWS = N_("{tests} on {rows} in {seconds}.")
_TESTS_ON_COUNTED_ROWS = N_("{tests} on {rows}, each counted as often as “{weight}” says, in {seconds}.")
_SPLIT_ROWS = N_(
    "Only a part of the rows ({share}) was searched. Estimates come from the others, which had no part in "
    "the selection."
)
_SPLIT_GROUPS = N_(
    "Only a part of the groups of rows ({share}) was searched. Estimates come from the others, which had no "
    "part in the selection."
)


class Overview:
    """Puts one result into sentences."""

    def __init__(self, result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> None:
        self._result = result
        self._numbers = numbers
        self._label_names = frozenset(result.dataset.labels)
        self._findings = result.counted_findings
        self._label_sets = {name: finding.labels for name, finding in self._findings.by_feature.items()}
        self._are_left_out = result.holds_direct_links_alone

    def summary(self) -> tuple[Phrase, ...]:
        """Say what was found: how many features are linked to several labels, to one, and which to most."""
        finished = tuple(self._result.boundaries)
        if not self._label_sets:
            sentences = [self._nothing_found(finished)]
        elif len(finished) == 1:
            sentences = [self._one_label(finished[0])]
        else:
            sentences = [self._common(), self._specific(), self._empty_labels(finished)]
        sentences += [
            counted_phrase(self._result, self._numbers),
            shared_effects_phrase(self._result, self._numbers),
            *group_summary(self._result, self._numbers),
            self._led(),
            self._preferred(),
            self._preferred_untested(),
            self._doubtful(),
            self._alike(),
        ]
        return tuple(sentence for sentence in sentences if sentence)

    def partial(self) -> Phrase:
        """Say what a stopped run did not finish; empty when it finished everything."""
        result = self._result
        if not result.is_partial:
            return ()
        if not result.unfinished_labels and result.directions_finished:
            return phrase(
                "The run was stopped: every label is finished, but groups of labels were not "
                "searched as one outcome."
            )
        if not result.unfinished_labels:
            return phrase(
                "The run was stopped: every label is finished, but directions were not, so causes "
                "and effects are not distinguished."
            )
        finished = len(result.boundaries)
        stopped = for_count(
            finished,
            "The run was stopped: {done} of {total} is finished.",
            "The run was stopped: {done} of {total} are finished.",
        )
        return phrase(
            "{stopped} Not finished: {missing}. The results below hold for the finished labels. A "
            "variable that looks label-specific may still prove to be common.",
            stopped=stopped.format(
                done=self._numbers.count(finished),
                total=self._numbers.counted(len(result.dataset.labels), "label"),
            ),
            missing=self._listed(result.unfinished_labels, _MOST_UNFINISHED),
        )

    def run(self) -> Iterator[Phrase]:
        """Say on what the findings rest: rows, tests, how many tests had too few rows."""
        result, write = self._result, self._numbers
        weight = result.dataset.weight
        is_counted = weight is not None and result.settings.row_weights == COUNTS
        yield phrase(
            _TESTS_ON_COUNTED_ROWS if is_counted else _TESTS_ON_ROWS,
            tests=write.counted(result.tests_made, "test"),
            rows=write.counted(result.dataset.row_count, "row"),
            weight=Name(weight or ""),
            seconds=write.duration(result.seconds),
        )
        if result.test.name not in _FINDS_WHAT_ACTS_TOGETHER:
            yield phrase(_ONLY_TOGETHER)
        if result.unreliable_tests:
            yield phrase(
                "{count} of those that look for direct neighbours ({share} of all) had too few rows to count "
                "as evidence.",
                count=write.count(result.unreliable_tests),
                share=write.share(result.unreliable_tests / max(result.tests_made, 1)),
            )
        has_groups = result.dataset.groups is not None
        if result.split is not None:
            searched = _SPLIT_GROUPS if has_groups else _SPLIT_ROWS
            yield phrase(searched, share=write.share(result.split.share))
        if result.bounded_labels:
            yield phrase(
                "Near {labels}, a label or a neighbour of it has more than {most} direct neighbours "
                "or possible spouses. There, sets of two and more variables were tested only among "
                "the {near} that come nearest to explaining a link. Links and directions there are "
                "less reliable.",
                labels=self._listed(result.bounded_labels, _MOST_UNFINISHED),
                most=write.count(MOST_MEMBERS),
                near=write.count(MOST_NEAR),
            )
        if result.unconfirmed_labels:
            yield phrase(
                N_(
                    "The members found for {labels} were not confirmed by a regression: there are "
                    "too few rows or groups of rows."
                )
                if has_groups
                else N_(
                    "The members found for {labels} were not confirmed by a regression: there are "
                    "too few rows."
                ),
                labels=self._listed(result.unconfirmed_labels, _MOST_UNFINISHED),
            )
        if result.determined_labels:
            yield phrase(
                "The members found determine {labels}: no two of the {rows} rows agree in all "
                "members and differ in the label. Given these members, no other variable adds "
                "information.",
                labels=self._listed(result.determined_labels, _MOST_UNFINISHED),
                rows=write.count(result.dataset.row_count),
            )

    def label_relations(self) -> tuple[Phrase, ...]:
        """Say which labels are in the boundary of one another, one sentence a pair, the strongest first."""
        pairs = [label_pair.reasons for label_pair in self._findings.label_pairs]
        ordered = sorted(pairs, key=lambda reasons: -max(reason.strength for reason in reasons))
        return tuple(map(self._pair, ordered))

    def _pair(self, reasons: tuple[Evidence, ...]) -> Phrase:
        # Of a pair that is known from either side, the closer relation tells more.
        reason = min(reasons, key=lambda evidence: _CLOSEST_FIRST.index(evidence.rule))
        stated = self._stated(reason)
        if reason.rule is Rule.SPOUSE:
            template = "{spouses} ({figures})"
        elif (
            reason.rule is Rule.NEIGHBOUR
            and sum(evidence.rule is Rule.NEIGHBOUR for evidence in reasons) == 2
        ):
            template = N_("{a} and {b} are direct neighbours ({figures})")
        elif reason.rule is Rule.NEIGHBOUR:
            template = N_("{a} is a direct neighbour of {b} ({figures})")
        else:
            template = N_("{a} is interchangeable with {partner} for {b} ({figures})")
        is_doubtful = bool(self._result.flags(*reason.pair))
        return phrase(
            _RELATIONS[bool(stated), is_doubtful],
            relation=phrase(
                template,
                a=self._name(reason.feature),
                b=self._name(reason.label),
                spouses=spouse_pair(self._result, reason),
                partner=self._listed(reason.partner, _MOST_NAMES) or (_("another variable"),),
                figures=self._figures(reason),
            ),
            stated=stated,
        )

    def _stated(self, reason: Evidence) -> Phrase:
        """Say of two labels which is a cause of which: what the grade says, or else the direction."""
        orientation = self._result.orientation(*reason.pair)
        grade = () if orientation is None else grade_phrase(orientation, self._result.dataset.labels)
        if grade:
            return phrase("even if a common cause is unmeasured, {known}", known=grade)
        template = _IF_NOTHING_HIDDEN.get(self._result.direction(*reason.pair))
        if template is None:
            return ()
        return phrase(template, a=self._name(reason.feature), b=self._name(reason.label))

    def _figures(self, reason: Evidence) -> Phrase:
        """Write strength and p of the deciding test, and what it conditions on."""
        strength, test = self._numbers.strength(reason.strength), reason.deciding
        if test is None:
            return phrase("strength {strength}", strength=strength)
        return phrase(
            N_("strength {strength}, {p} given {given}") if test.given else N_("strength {strength}, {p}"),
            strength=strength,
            p=self._numbers.p_statement(test.p_value, test.log_p),
            given=self._listed(test.given),
        )

    def _nothing_found(self, finished: tuple[str, ...]) -> Phrase:
        if not finished:
            return ()
        if self._are_left_out:
            return phrase(_NO_DIRECT_LINK, total=self._total)
        return phrase(
            for_count(
                len(finished),
                "None of {total} is linked to {label}, as far as these data show.",
                "None of {total} is linked to any of {labels}, as far as these data show.",
            ),
            total=self._total,
            label=self._name(finished[0]),
            labels=self._numbers.counted(len(finished), "label"),
        )

    def _one_label(self, label: str) -> Phrase:
        count = len(self._label_sets)
        return phrase(
            for_count(
                count, "{count} of {total} is linked to {label}.", "{count} of {total} are linked to {label}."
            ),
            count=self._numbers.count(count),
            total=self._total,
            label=self._name(label),
        )

    def _common(self) -> Phrase:
        sets = {name: labels for name, labels in self._label_sets.items() if len(labels) > 1}
        if not sets:
            return phrase(_NO_COMMON_DIRECTLY if self._are_left_out else _NONE_COMMON, total=self._total)
        sound = {name: len(self._findings.by_feature[name].sound_labels) for name in sets}
        # What rests on a few rows does not lead, unless all do.
        counts = sound if any(sound.values()) else {name: len(labels) for name, labels in sets.items()}
        most = max(counts.values())
        findings = self._findings.by_feature
        top = sorted(
            (name for name in sets if counts[name] == most), key=lambda name: -findings[name].strength
        )
        # Of interchangeable ones the leader is named, unless it has fewer labels that can be believed.
        leading = [name for name in top if findings[name].led_by not in top]
        labels = [label for label in self._result.dataset.labels if label in sets[top[0]]]
        if len(sets) == 1:
            template = _ONE_COMMON
        elif len(top) == len(sets):
            template = _COMMON_TO_AS_MANY
        else:
            template = for_count(len(leading), _ONE_TO_MOST, _SEVERAL_TO_MOST)
        return phrase(
            template,
            count=self._numbers.count(len(sets)),
            total=self._total,
            names=self._listed(leading, _MOST_NAMES),
            labels=self._listed(labels, _MOST_NAMES),
            most=f"{most}",
        )

    def _specific(self) -> Phrase:
        specific = self._findings.label_specific
        count = len(specific)
        if not count:
            return phrase(_NO_SPECIFIC_DIRECTLY if self._are_left_out else _NO_SPECIFIC)
        sound = [finding for finding in specific if finding.sound_labels] or specific
        per_label = Counter(finding.labels[0] for finding in sound)
        (label, most), *others = per_label.most_common(2)
        if not others or others[0][1] == most:
            sentence = for_count(count, *(_SPECIFIC_DIRECTLY if self._are_left_out else _SPECIFIC))
            return phrase(sentence, count=self._numbers.count(count))
        return phrase(
            for_count(count, *(_SPECIFIC_DIRECTLY_MOSTLY if self._are_left_out else _SPECIFIC_MOSTLY)),
            count=self._numbers.count(count),
            label=self._name(label),
            most=f"{most}",
        )

    def _doubtful(self) -> Phrase:
        """Say how many findings must not be taken at face value, and why."""
        findings = self._findings.all
        doubtful = sum(len(finding.doubtful_labels) for finding in findings)
        if not doubtful:
            return ()
        kinds = dict.fromkeys(flag.kind for finding in findings for flags in finding.flags for flag in flags)
        return phrase(
            "{count} of {total} must be read with care: {why}.",
            count=self._numbers.count(doubtful),
            total=self._numbers.counted(sum(len(finding.labels) for finding in findings), "finding"),
            why="; ".join(_(_DOUBTS[kind]) for kind in kinds),
        )

    def _led(self) -> Phrase:
        """Say how many of the variables are shown under one that is interchangeable with them."""
        led = [finding for finding in self._findings.all if finding.led_by is not None]
        if not led:
            return ()
        if len(led) == 1:
            return phrase(
                "1 of these variables is interchangeable with another of them and shown under it: {feature} "
                "under {leader}.",
                feature=self._name(led[0].feature),
                leader=self._name(str(led[0].led_by)),
            )
        return phrase(
            "{count} of these variables are interchangeable with others of them and shown under these.",
            count=self._numbers.count(len(led)),
        )

    def _preferred(self) -> Phrase:
        """Say which variables lead because a person wanted it."""
        findings = self._findings.by_feature
        names = [
            name for name in self._result.preferred if name in findings and findings[name].interchangeable
        ]
        sentence = for_count(
            len(names),
            "You preferred it to variables interchangeable with it: {names}.",
            "You preferred them to variables interchangeable with them: {names}.",
        )
        return phrase(sentence, names=self._listed(names)) if names else ()

    def _preferred_untested(self) -> Phrase:
        """Say which variables are to be selected though they are not shown to be interchangeable."""
        unknown = {
            name
            for undistinguished_record in self._result.undistinguished_records
            for name in undistinguished_record.equivalent
        }
        shown = self._findings.by_feature
        names = [name for name in self._result.preferred if name in unknown and name not in shown]
        sentence = for_count(
            len(names),
            "You preferred it for the selection, although these rows do not show that it carries "
            "the same information as the variable it replaces: {names}.",
            "You preferred them for the selection, although these rows do not show that they carry "
            "the same information as the variables they replace: {names}.",
        )
        return phrase(sentence, names=self._listed(names)) if names else ()

    def _alike(self) -> Phrase:
        """Say how many pairs are interchangeable, and how many are merely not told apart."""
        # The same two may stand for each other with several labels.
        pairs_shown = _pairs_of(self._result.equivalence_records)
        shown = len(pairs_shown)
        unknown = len(_pairs_of(self._result.undistinguished_records) - pairs_shown)
        sentences = []
        if shown:
            sentences.append(for_count(shown, *_INTERCHANGEABLE).format(count=self._numbers.count(shown)))
        if unknown:
            alike = for_count(unknown, *(_FURTHER_UNDISTINGUISHED if shown else _UNDISTINGUISHED))
            sentences.append(alike.format(count=self._numbers.count(unknown)))
        return (" ".join(sentences),) if sentences else ()

    def _empty_labels(self, finished: tuple[str, ...]) -> Phrase:
        served: set[str] = set().union(*self._label_sets.values())
        empty = [label for label in finished if label not in served]
        template = _NO_DIRECT_LINK_FOR if self._are_left_out else NOTHING_FOUND_FOR
        return phrase(template, labels=self._listed(empty, _MOST_NAMES)) if empty else ()

    @property
    def _total(self) -> str:
        return self._numbers.counted(len(self._result.dataset.features), "variable")

    def _name(self, text: str) -> Name:
        return Name(text, text in self._label_names)

    def _listed(self, texts: Iterable[str], most: int = 0) -> Phrase:
        return listing(list(map(self._name, texts)), most)


def _pairs_of(records: Iterable[Equivalence]) -> set[frozenset[tuple[str, ...]]]:
    return {frozenset((record.in_boundary, record.equivalent)) for record in records}


def summary_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Say what was found, after what a stopped run did not finish."""
    overview = Overview(result)
    sentences = (overview.partial(), *overview.summary())
    return tuple(plain(sentence) for sentence in sentences if sentence)


def run_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Say on what the findings rest: rows, tests, how many tests had too few rows."""
    return tuple(map(plain, Overview(result).run()))


def relation_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Say which labels are in the boundary of one another, one sentence a pair, the strongest first."""
    return tuple(map(plain, Overview(result).label_relations()))
