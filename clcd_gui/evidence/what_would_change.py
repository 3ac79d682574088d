"""What would change a finding: the level at which it comes or goes, as far as tests and searches tell."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from clcd_gui.wording.text import NUMBERS
from engine.boundaries.settings import DiscoverySettings
from engine.discovery.evidence import DecidedBy, Equivalence, Evidence, Rule
from engine.discovery.result import DiscoveryResult
from engine.parameters import parameter_of
from engine.wording.numbers import written_out
from engine.wording.phrases import Name, Phrase, for_count, listing, phrase

_STEPS = parameter_of(DiscoverySettings, "alpha").steps
_MOST_NAMES = 3

_STANDS = (
    "By the tests above it stands down to about level {level}, {which}. What else is tried at another level, "
    "only a search there tells."
)
_FAR_FROM_BORDER = (
    "The tests above are far from the border: the weakest has {value}, and the level is {alpha}."
)
_DIFFERENCE_SEEN = (
    "At a level above {level} the test given {given} would show a difference, and it would no longer count "
    "as interchangeable with {partner}."
)
_MARGIN = (
    "That each misses at most {limit} of what the other tells is shown; with “Interchangeable up to” "
    "below about that they would not count as interchangeable."
)
_DEPARTED = "The last pass took it out: given {others}, all the members that were left, it has {p}."
_ONLY_A_SEARCH = "At which level it would be found, only a search there tells: move Level α above."
_AT_EVERY = "All {searches} at other levels, from {low} to {high}, find it too."
_AT_NONE = "None of {searches} at other levels, from {low} to {high}, finds it."
_AT_ONE_MORE = "A search at level {low} finds it too."
_NOR_AT_ONE = "A search at level {low} does not find it either."
_COMES = (
    "Searches at level {absent} do not find it, and those from {present} on do.",
    "Searches at level {absent} and below do not find it, and those from {present} on do.",
)
_GOES = (
    "Searches up to level {present} find it, and those at {absent} do not.",
    "Searches up to level {present} find it, and those at {absent} and above do not.",
)
_BY_TURNS = (
    "Of {searches} at other levels {count} finds it, at {present}; it is not found at {absent}.",
    "Of {searches} at other levels {count} find it, at {present}; it is not found at {absent}.",
)


def what_would_change(
    result: DiscoveryResult, at_levels: Mapping[float, DiscoveryResult], feature: str, label: str
) -> tuple[Phrase, ...]:
    """Say at which level a finding goes, or a variable that was not found appears.

    Parameters
    ----------
    at_levels : mapping of float to DiscoveryResult
        Searches of the same table at other levels and with all other settings alike, by level.

    Returns
    -------
    tuple of Phrase
        No sentence says more than the tests of the finding, or these searches, tell.
    """
    reasons = result.reasons(feature, label)
    sentences = [each for reason in reasons for each in _by_tests(result, reason)]
    if not reasons:
        sentences += _departure(result, feature, label)
    searched = tuple(_by_searches(result, at_levels, feature, label))
    if not reasons and not searched and not result.findings.is_label(feature):
        searched = ((_ONLY_A_SEARCH,),)
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
    which: Phrase = ("the p of its association",)
    if test.given:
        given = listing([_name(result, each) for each in test.given], _MOST_NAMES)
        which = phrase("the p of its test given {given}", given=given)
    borders = [(test.log_p, NUMBERS.p_statement(test.p_value, test.log_p), which)]
    is_screened = reason.rule is Rule.NEIGHBOUR and reason.decided_by is DecidedBy.TESTS
    if is_screened and result.settings.false_discovery == "bh":
        log_q = result.log_q_values.get(reason.pair)
        if log_q is None:
            return
        # Let in by its q-value, that is, by its p-value among those of all other variables.
        statement = NUMBERS.p_statement(math.exp(log_q), log_q).replace("p", "q", 1)
        borders.append((log_q, statement, ("the q of its association",)))
    log_level, value, which = max(borders, key=lambda each: each[0])
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
                given=listing([_name(result, each) for each in nearest.given]),
                partner=listing([_name(result, each) for each in reason.partner]),
            )
    record = next((each for each in result.equivalence_records if _is_behind(each, reason)), None)
    missed = () if record is None else (record.missed_by_boundary, record.missed_by_equivalent)
    limits = [each.limit for each in missed if each is not None]
    if limits:
        yield phrase(_MARGIN, limit=NUMBERS.share(max(limits)))


def _is_behind(record: Equivalence, reason: Evidence) -> bool:
    return (
        record.in_boundary == reason.partner
        and set(record.equivalent) == {reason.feature, *reason.together_with}
        and record.target in (reason.label, *reason.children)
    )


def _departure(result: DiscoveryResult, feature: str, label: str) -> Iterator[Phrase]:
    for test in result.departures:
        if test.x == label and test.others == (feature,) and test.given:
            others = listing([_name(result, each) for each in test.given], _MOST_NAMES)
            yield phrase(_DEPARTED, others=others, p=NUMBERS.p_statement(test.p_value, test.log_p))


def _by_searches(
    result: DiscoveryResult, at_levels: Mapping[float, DiscoveryResult], feature: str, label: str
) -> Iterator[Phrase]:
    """Say which searches at other levels find it."""
    known = {level: is_found(found, feature, label) for level, found in at_levels.items()}
    known.pop(result.settings.alpha, None)
    if not known:
        return
    searches, ends = NUMBERS.counted(len(known), "search", "searches"), (min(known), max(known))
    known[result.settings.alpha] = is_found(result, feature, label)
    present = sorted(level for level, found in known.items() if found)
    absent = sorted(level for level, found in known.items() if not found)
    if not absent or not present:
        one, many = (_NOR_AT_ONE, _AT_NONE) if absent else (_AT_ONE_MORE, _AT_EVERY)
        template = one if len(known) == 2 else many
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
