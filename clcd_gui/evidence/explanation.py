"""Why a feature counts for a label or was selected, as sentences and rows of tests, from the evidence."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from clcd_gui.document.listing import Listed
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.wording.text import NUMBERS
from engine.discovery.evidence import (
    LEVEL_OF_WHOLE,
    DecidedBy,
    Equivalence,
    Evidence,
    Relation,
    Rule,
    TestRecord,
)
from engine.discovery.finding_words import RULE_HELP, RULE_WORDS
from engine.discovery.flags import FlagKind
from engine.discovery.orientation.direction import Direction, Grade, direction_of
from engine.discovery.result import DiscoveryResult
from engine.reporting.sentences.directions import equivalence_sentences, why_phrases
from engine.reporting.sentences.links import spouse_claim, through_phrase
from engine.translation import N_, _, for_count
from engine.wording.phrases import Name, Phrase, listing, phrase

if TYPE_CHECKING:
    from engine.selection.result import Reason

_SIGNIFICANT, _NOT_SIGNIFICANT, _NO_DIFFERENCE = (
    N_("significant"),
    N_("not significant"),
    N_("no difference found"),
)
_SIGNIFICANT_AT = N_("significant at {level:g}")
# Below this the exponential is 0 in double precision.
_SMALLEST_LOG = -700.0
_IN_PLACE = N_("in the place of another label")
_IN_PLACE_HELP = N_(
    "It carries information about a neighbouring label, and about this label if the neighbouring "
    "label is unknown."
)
_PREFERRED = N_("preferred by you")
_PREFERRED_HELP = N_(
    "You preferred it to the variable that it replaces. These data do not distinguish the two, and "
    "do not show that they are interchangeable."
)

_SOUGHT_AMONG_ITS = N_(
    "{others} is a neighbour of {label}, but labels are unknown when you predict. CLCD therefore "
    "looks among the neighbours of {others}, such as {x}. No set of the features next to {label} "
    "explains the association of {x} with {label}."
)
_SOUGHT_AMONG_THEIR = N_(
    "{others} are neighbours of {label}, but labels are unknown when you predict. CLCD therefore "
    "looks among their neighbours, such as {x}. No set of the features next to {label} explains the "
    "association of {x} with {label}."
)
_NO_FEATURE_CAME_IN = (
    N_(
        "{labels} belongs to its boundary, but labels are unknown when you predict. No feature was "
        "needed instead."
    ),
    N_(
        "{labels} belong to its boundary, but labels are unknown when you predict. No feature was "
        "needed instead."
    ),
)
_FEATURES_CAME_IN = (
    N_("{labels} belongs to its boundary, but labels are unknown when you predict, so features replace it."),
    N_("{labels} belong to its boundary, but labels are unknown when you predict, so features replace them."),
)
_EXCHANGE = (
    N_("{names} could have been selected instead: it carries the same information about {about}."),
    N_("{names} could have been selected instead: they carry the same information about {about}."),
)
_EXCHANGE_FOR_OTHERS = (
    N_(
        "{names} could have been selected instead: it carries the same information about {about} as "
        "{members}."
    ),
    N_(
        "{names} could have been selected instead: they carry the same information about {about} as "
        "{members}."
    ),
)


class Mark(StrEnum):
    """What stands before a name, so that its kind is seen."""

    NONE = ""
    LABEL = "label"
    COMMON = "common"
    LABEL_SPECIFIC = "label-specific"


def mark_of(feature: Listed) -> Mark:
    """Return the mark of a feature that was found or selected."""
    return Mark.COMMON if feature.is_common else Mark.LABEL_SPECIFIC


@dataclass(frozen=True, slots=True)
class ListingRow:
    """One line of a listing of variables or labels, ready to be shown."""

    mark: Mark
    pair: SelectedPair
    text: str
    detail: str
    strength: float
    is_doubtful: bool = False


_ADDED_BY = {
    (DecidedBy.REGRESSION, True): N_(
        "A regression of {label} on its other members added it: given {given}, {x} carries "
        "information about the label ({figures})."
    ),
    (DecidedBy.REGRESSION, False): N_("A regression of {label} added it ({figures})."),
    (DecidedBy.SCORE, True): N_(
        "It was added because it is a neighbour in the graph with the best score. There, given "
        "{given}, it carries information about {label} ({figures})."
    ),
    (DecidedBy.SCORE, False): N_(
        "It was added because it is a neighbour in the graph with the best score ({figures})."
    ),
}
_RECOVERED = N_(
    "It was found in the second pass, which looks for variables that two labels hid from each other."
)
_NEIGHBOUR = N_("{who} is a direct neighbour of {label}.")
_SPOUSE_BY_SCORE = N_(
    "It was added because it is a parent of {child} in the graph with the best score. There, given "
    "{given}, {x} carries information about {child} ({figures})."
)
_WITH_NEIGHBOUR = (
    N_("{who} is interchangeable with {partner}, a direct neighbour of {label}."),
    N_("{who} is interchangeable with {partner}, direct neighbours of {label}."),
)
_WITH_SPOUSE = (
    N_("{who} is interchangeable with {partner}, a spouse of {label}."),
    N_("{who} is interchangeable with {partner}, spouses of {label}."),
)
_WITH_SPOUSE_THROUGH = (
    N_("{who} is interchangeable with {partner}, a spouse of {label} through {children}."),
    N_("{who} is interchangeable with {partner}, spouses of {label} through {children}."),
)
_TELL_THE_SAME = N_(
    "Both carry the same information about {target}: each is associated with it, and given one, the "
    "other adds nothing."
)
_BETWEEN_DRAWS = N_("missing values reduce its information by {share}")


@dataclass(frozen=True, slots=True)
class TestRow:
    """One test, ready to be shown."""

    __test__ = False

    subject: Phrase
    verdict: str
    statistic: str
    degrees: str
    p: str
    strength: str
    rows: str
    caution: str = ""


@dataclass(frozen=True, slots=True)
class ShownReason:
    """One reason why a variable counts or was selected for a label, ready to be shown."""

    title: str  # the rule in words
    help: str
    symbol: str  # the rule in the paper: θ1, θ2 or θ3; empty where a person's preference is the reason
    sentences: tuple[Phrase, ...]
    tests: tuple[TestRow, ...]  # on which it rests; none where the search did not test this very pair


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of two variables besides the reasons, ready to be shown."""

    sentences: tuple[Phrase, ...]  # causal direction; what is interchangeable; or which labels explain a link
    tests: tuple[TestRow, ...]  # on which it rests; none where a reason shows them already


class Explainer:
    """Puts the evidence of one result into words."""

    def __init__(self, result: DiscoveryResult) -> None:
        self._result = result
        self._findings = result.findings
        self.symbol = result.test.statistic
        self._largest_set = result.settings.max_conditioning

    def reasons(self, feature: str, label: str) -> tuple[ShownReason, ...]:
        """Return every reason why a feature (or another label) counts for a label; may be empty."""
        if self._findings.is_label(feature):
            # What is known of two labels may be filed under either of them.
            evidence = self._result.label_evidence
            record = evidence.get((feature, label)) or evidence.get((label, feature))
            return (self.reason(record),) if record else ()
        return tuple(self.reason(record) for record in self._result.reasons(feature, label))

    def reason(self, record: Evidence) -> ShownReason:
        """Put one piece of evidence into words."""
        support = {Rule.NEIGHBOUR: self._neighbour_support, Rule.SPOUSE: self._spouse_support}
        sentences = [self._claim(record), *support.get(record.rule, self._equivalent_support)(record)]
        if record.recovered:
            sentences.append(phrase(_RECOVERED))
        is_equivalent = record.rule.is_equivalent
        rows = tuple(
            self._test_row(test, _NOT_SIGNIFICANT if is_equivalent and test.given else _SIGNIFICANT)
            for test in record.tests
        )
        rule = record.rule
        return ShownReason(_(RULE_WORDS[rule]), _(RULE_HELP[rule]), rule.symbol, tuple(sentences), rows)

    def through_labels(self, feature: str, label: str) -> Told | None:
        """Say which labels explain the link of a feature with a label; None where none does."""
        link = self._result.links_through_labels.get((feature, label))
        if link is None:
            return None
        reason = link.reasons[0]
        tests = dict.fromkeys(test for test in (reason.marginal, reason.deciding) if test is not None)
        if reason.decided_by is DecidedBy.STEPS and reason.deciding is not None:
            tests.pop(reason.deciding)
            level = max(LEVEL_OF_WHOLE, self._result.settings.alpha)
            verdict = _(_SIGNIFICANT_AT, level=level)
            rows = (*self._judged(tests), self._test_row(reason.deciding, verdict))
        else:
            rows = self._judged(tests)
        if link.separated is not None:
            rows += (self._test_row(link.separated, _NOT_SIGNIFICANT),)
        return Told((through_phrase(self._result, feature, label, NUMBERS),), rows)

    def alike(self, feature: str, label: str) -> tuple[Told, ...]:
        """Name variables that are interchangeable with one, or not distinguished, and what each may miss."""
        shown = {test for reason in self._result.reasons(feature, label) for test in reason.tests}
        return tuple(
            Told(tuple(equivalence_sentences(record, self._result, NUMBERS)), self._four_tests(record, shown))
            for record in self._findings.pairs_about(feature, label)
        )

    def _four_tests(self, record: Equivalence, shown: set[TestRecord]) -> tuple[TestRow, ...]:
        marginal = (record.target_in_boundary, record.target_equivalent)
        given = (record.equivalent_given_boundary, record.boundary_given_equivalent)
        if shown.issuperset((*marginal, *given)):
            return ()
        verdict = _NOT_SIGNIFICANT if record.is_shown else _NO_DIFFERENCE
        return (
            *(self._test_row(test, _SIGNIFICANT) for test in marginal),
            *(self._test_row(test, verdict) for test in given),
        )

    def direction(self, feature: str, label: str) -> Told | None:
        """Say whether a feature, or another label, is a cause or an effect of a label; None if undecided."""
        result = self._result
        orientation = result.orientation(feature, label)
        labels = self._findings.labels
        if orientation is None or (orientation.because is None and orientation.grade is Grade.UNDECIDED):
            return None
        sentences = why_phrases(orientation, labels, NUMBERS)
        return Told(sentences, self._judged(orientation.tests))

    def name(self, text: str) -> Name:
        """Mark a name as that of a label or of another variable."""
        return Name(text, self._findings.is_label(text))

    def names(self, texts: tuple[str, ...]) -> Phrase:
        """List names."""
        return listing([self.name(text) for text in texts])

    def _claim(self, record: Evidence) -> Phrase:
        x, label = self.name(record.feature), self.name(record.label)
        who: Phrase = (x,)
        if record.together_with:
            who = phrase("{x}, together with {others},", x=x, others=self.names(record.together_with))
        if record.rule is Rule.NEIGHBOUR:
            return phrase(self._neighbour_claim(record), who=who, label=label)
        if record.rule is Rule.SPOUSE:
            return spouse_claim(self._result, record, who)
        return self._equivalent_claim(record, who, label)

    def _neighbour_claim(self, record: Evidence) -> str:
        if any(flag.kind is FlagKind.ITEM for flag in self._result.flags(*record.pair)):
            return _NEIGHBOUR
        orientation = self._result.orientation(record.feature, record.label)
        if orientation is None:
            return N_(
                "{who} is a direct neighbour of {label}: its cause or its effect, if no common "
                "cause is unmeasured."
            )
        if direction_of(orientation) is Direction.UNDECIDED and orientation.grade is Grade.UNDECIDED:
            return N_(
                "{who} is a direct neighbour of {label}: its cause or its effect, if no common "
                "cause is unmeasured. The data do not show which."
            )
        return _NEIGHBOUR

    def _equivalent_claim(self, record: Evidence, who: Phrase, label: Name) -> Phrase:
        partner = self.names(record.partner) if record.partner else (_("another variable"),)
        count = max(len(record.partner), 1)
        if record.rule is Rule.NEIGHBOUR_EQUIVALENT:
            sentence = for_count(count, *_WITH_NEIGHBOUR)
        else:
            sentence = for_count(count, *(_WITH_SPOUSE_THROUGH if record.children else _WITH_SPOUSE))
        return phrase(
            sentence,
            who=who,
            partner=partner,
            label=label,
            children=self.names(record.children),
        )

    def _neighbour_support(self, record: Evidence) -> list[Phrase]:
        deciding = record.deciding
        if deciding is None:
            return []
        names = {"x": self.name(record.feature), "label": self.name(record.label)}
        figures = self.figures(deciding)
        if record.decided_by is not DecidedBy.TESTS:
            template = _ADDED_BY[record.decided_by, bool(deciding.given)]
            return [phrase(template, given=self.names(deciding.given), figures=figures, **names)]
        if not any(test.given for test in record.tests):
            return [phrase("{x} and {label} are associated ({figures}).", figures=figures, **names)]
        largest = NUMBERS.counted(self._largest_set, "other neighbour")
        return [
            phrase(
                "The association remains given each set tested (up to {largest}). Weakest result: given "
                "{given} ({figures})."
                if deciding.given
                else "The association remains given each set tested (up to {largest}). Weakest result: with "
                "nothing conditioned on ({figures}).",
                largest=largest,
                given=self.names(deciding.given),
                figures=figures,
            )
        ]

    def _spouse_support(self, record: Evidence) -> list[Phrase]:
        test = record.deciding
        if test is None:
            return []
        if not test.given:
            return [phrase("The two are associated: {figures}.", figures=self.figures(test))]
        template = N_("Given {given}, {x} and {label} are associated: {figures}.")
        return [
            phrase(
                template if test.x == record.label else _SPOUSE_BY_SCORE,
                x=self.name(record.feature),
                label=self.name(record.label),
                child=self.name(test.x),
                given=self.names(test.given),
                figures=self.figures(test),
            )
        ]

    def _equivalent_support(self, record: Evidence) -> list[Phrase]:
        about_child = record.rule is Rule.SPOUSE_EQUIVALENT and bool(record.children)
        target = self.name(record.children[0] if about_child else record.label)
        pieces = [phrase(_TELL_THE_SAME, target=target)]
        marginal = record.deciding
        if marginal is not None:
            who, figures = self.names(marginal.others), self.figures(marginal)
            associated = N_("{who} and {target} are associated: {figures}.")
            pieces.append(phrase(associated, who=who, target=target, figures=figures))
        superfluous = [test for test in record.tests if test.given]
        if superfluous:
            weakest = min(superfluous, key=lambda test: test.log_p)
            given, figures = self.names(weakest.given), self.figures(weakest)
            nearest = N_("The test nearest to a difference was given {given}: {figures}.")
            pieces.append(phrase(nearest, given=given, figures=figures))
        return pieces

    def figures(self, test: TestRecord) -> str:
        """Say statistic, degrees of freedom and p of a test inside a sentence."""
        parts = [f"{self.symbol} = {NUMBERS.statistic(test.statistic)}"]
        if test.dof:
            if float(test.dof).is_integer():
                degrees = for_count(
                    int(test.dof), "{degrees} degree of freedom", "{degrees} degrees of freedom"
                )
            else:
                # No count of levels: what the test has after what the rows cannot tell is taken off.
                degrees = _("{degrees} effective degrees of freedom")
            parts.append(degrees.format(degrees=NUMBERS.degrees(test.dof)))
        parts.append(NUMBERS.p_statement(test.p_value, test.log_p))
        return ", ".join(parts)

    def _judged(self, tests: Iterable[TestRecord]) -> tuple[TestRow, ...]:
        """Show tests with what they say at the level of the search."""
        level = math.log(self._result.settings.alpha)
        verdicts = ((test, _NOT_SIGNIFICANT if test.log_p > level else _SIGNIFICANT) for test in tests)
        return tuple(self._test_row(test, verdict) for test, verdict in verdicts)

    def _test_row(self, test: TestRecord, verdict: str) -> TestRow:
        subject = phrase(
            "{x} and {y} given {given}" if test.given else "{x} and {y}",
            x=self.names((test.x,)),
            y=self.names(test.others),
            given=self.names(test.given),
        )
        caution = "" if test.reliable else _("too few rows to count as evidence")
        if test.reliable and test.between_share:
            caution = _(_BETWEEN_DRAWS, share=NUMBERS.share(test.between_share))
        return TestRow(
            subject,
            _(verdict),
            NUMBERS.statistic(test.statistic),
            NUMBERS.degrees(test.dof),
            NUMBERS.p(test.p_value, test.log_p),
            NUMBERS.strength(test.effect),
            NUMBERS.counted(test.rows, "row"),
            caution,
        )


class SelectionExplainer:
    """Puts the reasons of one selection into words."""

    def __init__(self, selected: SelectedFeatures) -> None:
        self._selected = selected
        self.explainer = Explainer(selected.result)

    def grounds(self, feature: str, label: str) -> tuple[ShownReason, ...]:
        """Return every reason why a feature serves a label; none when it does not."""
        entry = self._selected.selected(feature)
        reasons = entry.reasons if entry is not None else ()
        return tuple(self._ground(reason) for reason in reasons if reason.label == label)

    def left_labels(self, label: str) -> Phrase:
        """Say which labels left the boundary of a label and what came in their place; empty if none did."""
        boundary = self._selected.selection.boundaries.get(label)
        if boundary is None or not boundary.removed_labels:
            return ()
        removed = boundary.removed_labels
        sentence = for_count(
            len(removed), *(_FEATURES_CAME_IN if boundary.in_place_of else _NO_FEATURE_CAME_IN)
        )
        return phrase(sentence, labels=self.explainer.names(removed))

    def taken_instead(self, feature: str, is_assumed: bool) -> tuple[str, ...]:
        """Return what was selected instead of a feature: preferred by a person, or shown to tell the same."""
        return tuple(
            entry.feature
            for entry in self._selected.all
            if any(
                reason.is_assumed is is_assumed and feature in (*reason.stands_for, *reason.alternatives)
                for reason in entry.reasons
            )
        )

    def _ground(self, reason: Reason) -> ShownReason:
        record = self._record(reason)
        shown = self.explainer.reason(record) if record is not None else None
        symbol = reason.rule.symbol
        if reason.is_assumed:
            title, meaning, symbol = _(_PREFERRED), _(_PREFERRED_HELP), ""
            sentences = [self._preferred(reason)]
        elif reason.relation is Relation.IN_PLACE:
            title, meaning, sentences = _(_IN_PLACE), _(_IN_PLACE_HELP), [self._in_place(reason)]
        else:
            title, meaning = _(RULE_WORDS[reason.rule]), _(RULE_HELP[reason.rule])
            sentences = list(shown.sentences) if shown is not None else [self._stands_for(reason)]
        sentences += [self._exchange(reason), self._association(reason)]
        tests = shown.tests if shown is not None else ()
        return ShownReason(title, meaning, symbol, tuple(filter(None, sentences)), tests)

    def _record(self, reason: Reason) -> Evidence | None:
        """Return the evidence of the search that a reason rests on; None where features replaced labels."""
        for record in self._selected.result.reasons(reason.feature, reason.label):
            if record.rule is reason.rule and record.partner == reason.stands_for:
                return record
        return None

    def _in_place(self, reason: Reason) -> Phrase:
        others = reason.in_place_of
        return phrase(
            for_count(len(others), _SOUGHT_AMONG_ITS, _SOUGHT_AMONG_THEIR),
            others=self.explainer.names(others),
            x=self.explainer.name(reason.feature),
            label=self.explainer.name(reason.label),
        )

    def _preferred(self, reason: Reason) -> Phrase:
        sentence = phrase("{x} is {why}.", x=self.explainer.name(reason.feature), why=reason.text)
        return (*sentence, *self._origin(reason))

    def _stands_for(self, reason: Reason) -> Phrase:
        """Say whose place a feature takes where the search itself did not look for it."""
        x, label = self.explainer.name(reason.feature), self.explainer.name(reason.label)
        if not reason.rule.is_equivalent:
            return phrase("{x} belongs to the boundary of {label}.", x=x, label=label)
        who: Phrase = (x,)
        if reason.together_with:
            others = self.explainer.names(reason.together_with)
            who = phrase("{x}, together with {others},", x=x, others=others)
        about = self.explainer.names(reason.children) if reason.children else (label,)
        sentence = phrase(
            "{who} replaces {members}: they carry the same information about {about}.",
            who=who,
            members=self.explainer.names(reason.stands_for),
            about=about,
        )
        return (*sentence, *self._origin(reason))

    def _origin(self, reason: Reason) -> Phrase:
        """Say of the variables whose place is taken which labels they had come in for."""
        came = self._selected.selection.boundaries[reason.label].in_place_of
        left = tuple(dict.fromkeys(label for name in reason.stands_for for label in came.get(name, ())))
        if not left:
            return ()
        members, labels = self.explainer.names(reason.stands_for), self.explainer.names(left)
        return phrase(" {members} had replaced {labels}.", members=members, labels=labels)

    def _exchange(self, reason: Reason) -> Phrase:
        if not reason.alternatives:
            return ()
        about = reason.children if reason.children else (reason.label,)
        count = len(reason.alternatives)
        return phrase(
            for_count(count, *(_EXCHANGE_FOR_OTHERS if reason.is_assumed else _EXCHANGE)),
            names=self.explainer.names(reason.alternatives),
            about=self.explainer.names(about),
            members=self.explainer.names(reason.stands_for),
        )

    def _association(self, reason: Reason) -> Phrase:
        p_value = math.exp(reason.log_p) if reason.log_p > _SMALLEST_LOG else 0.0
        strength, p = NUMBERS.strength(reason.strength), NUMBERS.p_statement(p_value, reason.log_p)
        return phrase(
            "Without conditioning, the two are associated with strength {strength}, {p}.",
            strength=strength,
            p=p,
        )
