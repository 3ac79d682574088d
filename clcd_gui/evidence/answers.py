"""What the panel answers: why something was found, and why it was selected, as pages of the templates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from clcd_gui.document.navigation import SelectedPair
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.document.templates import filled
from clcd_gui.evidence.explanation import Explainer, ListingRow, Mark, SelectionExplainer, mark_of
from clcd_gui.wording.text import NUMBERS, in_curved_marks
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.effects.estimates import Estimand, Size
from engine.discovery.effects.size_words import association_text, place_text, size_sentences
from engine.discovery.evidence import DecidedBy, Equivalence, Evidence, Relation, Rule
from engine.discovery.finding_words import pair_words, reason_text, statement
from engine.discovery.findings import Finding
from engine.discovery.orientation.direction import Direction, Grade
from engine.discovery.result import DiscoveryResult
from engine.parameters import parameter_of
from engine.reporting.sentences.links import group_links, group_summary, through_phrase
from engine.reporting.sentences.stability import common_again_sentence, pair_again_sentence
from engine.selection.result import SelectedFeature
from engine.translation import N_, _, for_count
from engine.wording.numbers import written_out
from engine.wording.phrases import Name, Phrase, listing, phrase
from engine.wording.shown_names import shown_name

_STEPS = parameter_of(DiscoverySettings, "alpha").steps
_MOST_NAMES = 3

_STANDS = N_(
    "By the tests above, it remains down to a significance level of about {level}, {which}. A "
    "search at another level may make other tests."
)
_FAR_FROM_BORDER = N_(
    "The tests above are far from the limit: the weakest has {value}, and the significance level is {alpha}."
)
_DIFFERENCE_SEEN = N_(
    "At a significance level above {level}, the test given {given} would show a difference. The "
    "variable would then no longer be interchangeable with {partner}."
)
_MARGIN = N_(
    "The tests show that each misses at most {limit} of the information of the other. With "
    "“Interchangeable up to” below about that value, the two would not be interchangeable."
)
_DEPARTED = N_(
    "Confirmation (backward elimination) removed it: given all remaining members ({others}), it has {p}."
)
_ONLY_A_SEARCH = N_("To see at which significance level it is found, move the slider of α.")
_AT_EVERY = N_("All {searches} at other levels, from {low} to {high}, find it too.")
_AT_NONE = N_("None of {searches} at other levels, from {low} to {high}, finds it.")
_AT_ONE_MORE = N_("A search at α = {low} finds it too.")
_NOR_AT_ONE = N_("A search at α = {low} does not find it either.")
_COMES = (
    N_("Searches at α = {absent} do not find it, and those from {present} on do."),
    N_("Searches at α = {absent} and below do not find it, and those from {present} on do."),
)
_GOES = (
    N_("Searches up to α = {present} find it, and those at {absent} do not."),
    N_("Searches up to α = {present} find it, and those at {absent} and above do not."),
)
_BY_TURNS = (
    N_("Of {searches} at other levels {count} finds it, at {present}; it is not found at {absent}."),
    N_("Of {searches} at other levels {count} find it, at {present}; it is not found at {absent}."),
)


def what_would_change(
    result: DiscoveryResult, at_levels: Mapping[float, DiscoveryResult], feature: str, label: str
) -> tuple[Phrase, ...]:
    """Say at which level a finding goes, or a variable that was not found appears.

    It says no more than the tests of the finding, or searches at other levels with all else alike, tell.
    """
    reasons = result.reasons(feature, label)
    sentences = [sentence for reason in reasons for sentence in _by_tests(result, reason)]
    departures = result.departures if not reasons else ()
    for test in departures:
        if test.x == label and test.others == (feature,) and test.given:
            others = listing([_name(result, member) for member in test.given], _MOST_NAMES)
            figures = NUMBERS.p_statement(test.p_value, test.log_p)
            sentences.append(phrase(_DEPARTED, others=others, p=figures))
    searched = tuple(_by_searches(result, at_levels, feature, label))
    if not reasons and not searched and not result.findings.is_label(feature):
        searched = ((_(_ONLY_A_SEARCH),),)
    return (*sentences, *searched)


def _by_tests(result: DiscoveryResult, reason: Evidence) -> Iterator[Phrase]:
    if reason.rule.is_equivalent:
        yield from _of_equivalent(result, reason)
    elif not reason.recovered and reason.tests:
        yield from _of_member(result, reason)


def _of_member(result: DiscoveryResult, reason: Evidence) -> Iterator[Phrase]:
    """Say down to which level the deciding test is significant, and the marginal one of a neighbour."""
    alpha, test = result.settings.alpha, reason.deciding
    assert test is not None
    which: Phrase = (_("the p of its association"),)
    if test.given:
        given = listing([_name(result, name) for name in test.given], _MOST_NAMES)
        which = phrase("the p of its test given {given}", given=given)
    borders = [(test.log_p, NUMBERS.p_statement(test.p_value, test.log_p), which)]
    is_screened = reason.rule is Rule.NEIGHBOUR and reason.decided_by is DecidedBy.TESTS
    if is_screened and result.settings.false_discovery == "bh":
        log_q = result.log_q_values.get(reason.pair)
        if log_q is None:
            return
        # Let in by its q-value, that is, by its p-value among those of all other variables.
        statement = NUMBERS.p_statement(math.exp(log_q), log_q).replace("p", "q", 1)
        borders.append((log_q, statement, (_("the q of its association"),)))
    log_level, value, which = max(borders, key=lambda border: border[0])
    if log_level > math.log(alpha):
        # It stands by something else than these tests, such as the score of a graph.
        return
    if log_level < math.log(_STEPS[0]):
        yield phrase(_FAR_FROM_BORDER, value=value, alpha=written_out(alpha))
    else:
        yield phrase(_STANDS, level=NUMBERS.p(math.exp(log_level), log_level), which=which)


def _of_equivalent(result: DiscoveryResult, reason: Evidence) -> Iterator[Phrase]:
    """Say at which level, and for which margin, two sets would no longer be interchangeable."""
    superfluous = [test for test in reason.tests if test.given]
    if superfluous:
        nearest = min(superfluous, key=lambda test: test.log_p)
        if math.log(result.settings.alpha) < nearest.log_p <= math.log(_STEPS[-1]):
            yield phrase(
                _DIFFERENCE_SEEN,
                level=NUMBERS.p(nearest.p_value, nearest.log_p),
                given=listing([_name(result, name) for name in nearest.given]),
                partner=listing([_name(result, name) for name in reason.partner]),
            )
    records = result.equivalence_records
    record = next((equivalence for equivalence in records if _is_behind(equivalence, reason)), None)
    missed = () if record is None else (record.missed_by_boundary, record.missed_by_equivalent)
    limits = [strength.limit for strength in missed if strength is not None]
    if limits:
        yield phrase(_MARGIN, limit=NUMBERS.share(max(limits)))


def _is_behind(record: Equivalence, reason: Evidence) -> bool:
    return (
        record.in_boundary == reason.partner
        and set(record.equivalent) == {reason.feature, *reason.together_with}
        and record.target in (reason.label, *reason.children)
    )


def _by_searches(
    result: DiscoveryResult, at_levels: Mapping[float, DiscoveryResult], feature: str, label: str
) -> Iterator[Phrase]:
    """Say which searches at other levels find it."""
    found_at = {
        level: is_found(result_at_level, feature, label) for level, result_at_level in at_levels.items()
    }
    found_at.pop(result.settings.alpha, None)
    if not found_at:
        return
    searches, ends = NUMBERS.counted(len(found_at), "search", "searches"), (min(found_at), max(found_at))
    found_at[result.settings.alpha] = is_found(result, feature, label)
    present = sorted(level for level, is_present in found_at.items() if is_present)
    absent = sorted(level for level, is_present in found_at.items() if not is_present)
    if not absent or not present:
        one, many = (_NOR_AT_ONE, _AT_NONE) if absent else (_AT_ONE_MORE, _AT_EVERY)
        template = one if len(found_at) == 2 else many
        yield phrase(template, searches=searches, low=written_out(ends[0]), high=written_out(ends[1]))
    elif absent[-1] < present[0]:
        template = for_count(len(absent), *_COMES)
        yield phrase(template, absent=written_out(absent[-1]), present=written_out(present[0]))
    elif present[-1] < absent[0]:
        template = for_count(len(absent), *_GOES)
        yield phrase(template, absent=written_out(absent[0]), present=written_out(present[-1]))
    else:
        others = [level for level in present if level != result.settings.alpha]
        yield phrase(
            for_count(len(others), *_BY_TURNS),
            searches=searches,
            count=NUMBERS.count(len(others)),
            present=", ".join(map(written_out, others)),
            absent=", ".join(map(written_out, absent)),
        )


def is_found(result: DiscoveryResult, feature: str, label: str) -> bool:
    """Tell whether a feature, or another label, was found for a label."""
    return (
        (feature, label) in result.evidence
        or (feature, label) in result.label_evidence
        or (result.findings.is_label(feature) and (label, feature) in result.label_evidence)
    )


def _name(result: DiscoveryResult, text: str) -> Name:
    return Name(text, result.findings.is_label(text))


_UNTOLD = Direction.UNDECIDED, Grade.UNDECIDED
_GROUPS = {
    Relation.NEIGHBOUR: N_("Direct neighbours"),
    Relation.SPOUSE: N_("Spouses"),
    Relation.INTERCHANGEABLE: N_("Interchangeable with one of these"),
    Relation.THROUGH_LABELS: N_("Linked through other labels"),
}
_OTHER_LABELS = N_("Other labels in its boundary")


_SAME_ROWS = N_(
    "Estimated from the same {rows} as the search, so estimates may be too large and intervals too narrow."
)
_OTHER_ROWS = N_("Estimated from {rows} that were not searched.")
_HEADLINE = {
    True: N_(
        "The first figure is the unadjusted estimate, from a curve fitted to the rows. It does not decide "
        "the link."
    ),
    False: N_(
        "The first figure is the unadjusted estimate, from the rows with each level. It does not decide "
        "the link."
    ),
}
_LINK_STANDS_GIVEN = N_(
    "This interval includes no difference. The link stands because the two are associated given {given}: "
    "{figures}."
)
_LINK_STANDS = N_(
    "This interval includes no difference. The link stands because a test of all values finds an "
    "association: {figures}."
)

AtLevels = Callable[[], Mapping[float, DiscoveryResult]]


class EvidenceText:
    """Writes the answer to "why?" for any selection."""

    def __init__(
        self,
        result: DiscoveryResult,
        at_levels: AtLevels = dict,
        among: Callable[[str], Sequence[str]] = lambda feature: (),
    ) -> None:
        self._result = result
        self._at_levels, self._among = at_levels, among
        self._findings = result.counted_findings
        self._explainer = Explainer(result)

    def write(self, pair: SelectedPair) -> str:
        """Write the HTML for a pair, a variable alone, or a label alone."""
        findings = self._findings
        if pair.feature is not None and not findings.is_known(pair.feature):
            return filled("why_unknown.html", name=pair.feature, is_label=False)
        if pair.label is not None and not findings.is_label(pair.label):
            return filled("why_unknown.html", name=pair.label, is_label=True)
        if pair.feature is not None and pair.label is not None and pair.feature != pair.label:
            return self._pair(pair.feature, pair.label)
        if pair.feature is not None and not findings.is_label(pair.feature):
            return self._variable(pair.feature)
        label = pair.label if pair.label is not None else pair.feature
        return self._label(label) if label is not None else ""

    def _pair(self, feature: str, label: str) -> str:
        result = self._result
        reasons = self._explainer.reasons(feature, label)
        through = self._explainer.through_labels(feature, label)
        effects = self._findings.effects
        sizes = {} if effects is None else effects.of(feature, label)
        association = sizes.get(Estimand.ASSOCIATION)
        flags = result.flags(feature, label) if reasons or through else ()
        measured_in = ""
        if association is not None:
            where = _SAME_ROWS if result.split is None else _OTHER_ROWS
            measured_in = _(where, rows=NUMBERS.counted(association.rows, "row"))
        further = [size for size in sizes.values() if size.estimand is not Estimand.ASSOCIATION]
        sign = self._result.total_findings.association_sign(feature, label)
        return filled(
            "why_pair.html",
            mark=self._mark(feature),
            feature=feature,
            description=self._description(feature),
            label=label,
            label_description=self._description(label),
            is_unfinished=not reasons and label in result.unfinished_labels,
            reasons=reasons,
            letter=self._explainer.symbol,
            through=through,
            is_counted=result.counts_through_labels,
            direction=self._explainer.direction(feature, label),
            alike=self._explainer.alike(feature, label),
            preferences=self._preferences(feature),
            # What is said there is about the direct link.
            changes=() if through else what_would_change(result, self._at_levels(), feature, label),
            sign="" if sign is None else association_text(sign),
            headline="" if association is None else _(_HEADLINE[association.is_curve]),
            size=size_sentences([association], NUMBERS) if association is not None else (),
            stands=self._stands(feature, label, association),
            has_picture=any(size.points for size in sizes.values()),
            counted=self._counted(association),
            measured_in=measured_in,
            further=size_sentences(further, NUMBERS),
            doubts=[in_curved_marks(flag.sentence) for flag in flags],
            again=pair_again_sentence(result, feature, label, NUMBERS),
            elsewhere=self._label_rows(self._findings.finding(feature), besides=label),
            together=group_links(result, NUMBERS, feature, label),
        )

    def _stands(self, feature: str, label: str, size: Size | None) -> Phrase:
        """Say which test of the two a finding rests on whose interval includes no difference; else empty.

        A score may have compared other variables, and interchangeable ones rest on more than one test.
        """
        reasons = self._result.reasons(feature, label)
        rests_on_test = (
            reasons and reasons[0].decided_by is DecidedBy.TESTS and not reasons[0].rule.is_equivalent
        )
        deciding = reasons[0].deciding if rests_on_test else None
        leading = None if size is None else size.leading
        if (
            leading is None
            or deciding is None
            or not leading.low <= leading.measure.without_link <= leading.high
        ):
            return ()
        figures = self._explainer.figures(deciding)
        if not deciding.given:
            return phrase(_LINK_STANDS, figures=figures)
        return phrase(_LINK_STANDS_GIVEN, given=self._explainer.names(deciding.given), figures=figures)

    def _counted(self, size: Size | None) -> tuple[tuple[str, ...], list[tuple[str, str, list[str]]]]:
        """Count by level of a variable how many rows have which level of the label; empty of a number.

        Returns the names of the label's levels; and each level of the variable with its rows and, for each
        level of the label, how many of these have it (under weights, their share), or of a number its mean.
        """
        points = () if size is None or size.is_curve else size.points
        if not points or any(point.rows is None for point in points):
            return (), []
        is_weighted = self._result.dataset.weight is not None
        of_level = N_("share of {level}") if is_weighted else N_("of these {level}")
        titles = tuple(
            dict.fromkeys(
                _("mean") if point.label_level is None else _(of_level, level=point.label_level)
                for point in points
            )
        )
        figures: dict[str, list[str]] = {}
        rows: dict[str, int] = {}
        for point in points:
            rows[str(point.at)] = point.rows or 0
            if point.label_level is None:
                figure = place_text(point.estimate, NUMBERS)
            elif is_weighted:
                figure = NUMBERS.share(point.estimate)
            else:
                figure = NUMBERS.count(round(point.estimate * rows[str(point.at)]))
            figures.setdefault(str(point.at), []).append(figure)
        return titles, [(level, NUMBERS.count(rows[level]), cells) for level, cells in figures.items()]

    def _preferences(self, feature: str) -> tuple[tuple[str, bool], ...]:
        """List the variables that may be preferred, and tell which one leads the others by choice."""
        names = self._among(feature)
        preferred = self._result.preferred
        chosen = next((name for name in preferred if name in names), "")
        return tuple((name, name == chosen) for name in (*names, "")) if names else ()

    def _variable(self, feature: str) -> str:
        finding = self._findings.finding(feature)
        others = finding.interchangeable if finding is not None else ()
        return filled(
            "why_variable.html",
            mark=self._mark(feature),
            feature=feature,
            description=self._description(feature),
            labels=self._label_rows(finding),
            through=self._through(feature),
            together=group_links(self._result, NUMBERS, feature),
            are_left_out=self._are_left_out(feature),
            again="" if finding is None else common_again_sentence(self._result, finding, NUMBERS),
            interchangeable=self._explainer.names(others),
            preferences=self._preferences(feature),
            not_told_apart=self._explainer.names(self._findings.not_told_apart_from(feature)),
        )

    def _through(self, name: str) -> tuple[Phrase, ...]:
        """Say of each link of a variable or a label through other labels which of them explain it."""
        pairs = (pair for pair in self._findings.links_through_labels if name in pair)
        return tuple(dict.fromkeys(through_phrase(self._result, *pair, NUMBERS) for pair in pairs))

    def _are_left_out(self, name: str) -> bool:
        """Tell whether a variable or a label has links through other labels that are not counted."""
        result = self._result
        return not result.counts_through_labels and any(name in pair for pair in result.links_through_labels)

    def _label(self, label: str) -> str:
        findings = self._findings
        features = findings.of_label(label)
        return filled(
            "why_label.html",
            label=label,
            description=self._description(label),
            is_unfinished=label in self._result.unfinished_labels,
            groups=self._groups(label, features),
            through=self._through(label),
            together=group_summary(self._result, NUMBERS, label),
            are_left_out=self._are_left_out(label),
            count=len(features),
            alone=sum(1 for finding in features if not finding.is_common),
            several_labels=len(findings.labels) > 1,
        )

    def _groups(self, label: str, features: Sequence[Finding]) -> dict[str, list[ListingRow]]:
        """Sort what is linked to a label by the relation, and list the other labels last."""
        groups: dict[str, list[ListingRow]] = {title: [] for title in (*_GROUPS.values(), _OTHER_LABELS)}
        for finding in features:
            place = finding.labels.index(label)
            reason = finding.reasons[place]
            groups[_GROUPS[finding.relations[place]]].append(self._row(finding.feature, reason))
        for reason in self._findings.related_labels(label):
            groups[_OTHER_LABELS].append(self._row(reason.feature, reason))
        return {_(title): rows for title, rows in groups.items() if rows}

    def _label_rows(self, finding: Finding | None, besides: str | None = None) -> list[ListingRow]:
        if finding is None:
            return []
        return [
            self._row(label, reason)
            for label, reason in zip(finding.labels, finding.reasons, strict=True)
            if label != besides
        ]

    def _row(self, name: str, reason: Evidence) -> ListingRow:
        """Make the line that names one of the two of which a reason speaks."""
        if reason.pair in self._findings.links_through_labels:
            detail = pair_words(self._findings.by_feature[reason.feature], reason.label)
        elif reason.rule is Rule.NEIGHBOUR:
            told = self._findings.direction(*reason.pair), self._findings.grade(*reason.pair)
            detail = "" if told == _UNTOLD else _(statement(*told))
        else:
            detail = reason_text(reason)
        is_doubtful = bool(self._result.flags(*reason.pair))
        pair = SelectedPair(reason.feature, reason.label)
        return ListingRow(self._mark(name), pair, name, detail, reason.strength, is_doubtful)

    def _description(self, name: str) -> str:
        """Return what the file or a person says of a column; empty where nothing is said beyond its name."""
        return "" if shown_name(name) != name else self._result.dataset.variable(name).description

    def _mark(self, name: str) -> Mark:
        if self._findings.is_label(name):
            return Mark.LABEL
        finding = self._findings.finding(name)
        return Mark.NONE if finding is None else mark_of(finding)


class SelectedText:
    """Writes the answer to "why was it selected?" for anything that is highlighted."""

    def __init__(self, selected: SelectedFeatures) -> None:
        self._selected = selected
        self._explainer = SelectionExplainer(selected)

    def write(self, pair: SelectedPair) -> str:
        """Write the HTML for a pair, a feature alone, or a label alone."""
        feature, label = pair.feature, pair.label
        if feature is None or self._selected.is_label(feature):
            name = label if label is not None else feature
            return self._label(name) if name is not None else ""
        entry = self._selected.selected(feature)
        if entry is None:
            return self._not_selected(feature)
        if label is None:
            return self._feature(entry)
        return self._pair(entry, label)

    def _pair(self, entry: SelectedFeature, label: str) -> str:
        return filled(
            "selected_pair.html",
            mark=mark_of(entry),
            feature=entry.feature,
            label=label,
            grounds=self._explainer.grounds(entry.feature, label),
            letter=self._explainer.explainer.symbol,
            direction=self._explainer.explainer.direction(entry.feature, label),
            is_unfinished=label in self._selected.selection.unfinished_labels,
            is_served=label in self._selected.served_labels,
            elsewhere=_label_rows(entry, besides=label),
        )

    def _feature(self, entry: SelectedFeature) -> str:
        names = self._explainer.explainer.names
        return filled(
            "selected_feature.html",
            mark=mark_of(entry),
            feature=entry.feature,
            labels=_label_rows(entry),
            place=self._selected.all.index(entry) + 1,
            total=len(self._selected.all),
            is_common=entry.is_common,
            stands_for=names(entry.stands_for),
            alternatives=names(entry.alternatives),
            through=self._through(entry.feature),
        )

    def _through(self, feature: str) -> tuple[Phrase, ...]:
        """Say which labels a feature is linked to through others; the selection follows direct links."""
        result = self._selected.result
        pairs = (pair for pair in result.counted_findings.links_through_labels if pair[0] == feature)
        return tuple(dict.fromkeys(through_phrase(result, *pair, NUMBERS) for pair in pairs))

    def _not_selected(self, feature: str) -> str:
        stand_ins = self._explainer.taken_instead(feature, is_assumed=False)
        preferred = self._explainer.taken_instead(feature, is_assumed=True)
        names = self._explainer.explainer.names
        return filled(
            "selected_not.html",
            feature=feature,
            stand_ins=names(stand_ins),
            is_one=len(stand_ins) == 1,
            preferred=names(preferred),
            is_one_preferred=len(preferred) == 1,
        )

    def _label(self, label: str) -> str:
        rows = []
        for entry in self._selected.of_label(label):
            reason = next(reason for reason in entry.first_reasons if reason.label == label)
            pair = SelectedPair(entry.feature, label)
            rows.append(ListingRow(mark_of(entry), pair, entry.feature, reason.text, reason.strength))
        return filled(
            "selected_label.html",
            label=label,
            is_unfinished=label in self._selected.selection.unfinished_labels,
            features=rows,
            left_labels=self._explainer.left_labels(label),
        )


def _label_rows(entry: SelectedFeature, besides: str | None = None) -> list[ListingRow]:
    return [
        ListingRow(
            Mark.LABEL,
            SelectedPair(entry.feature, reason.label),
            reason.label,
            reason.text,
            reason.strength,
        )
        for reason in entry.first_reasons
        if reason.label != besides
    ]
