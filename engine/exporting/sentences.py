"""The findings in a few plain sentences, for the report, the terminal and the spreadsheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.discovery.evidence import Evidence, Rule
from engine.exporting.numbers import counted, duration_text

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult

RULE_WORDS = {
    Rule.NEIGHBOUR: "direct neighbour",
    Rule.SPOUSE: "spouse",
    Rule.NEIGHBOUR_EQUIVALENT: "interchangeable with a direct neighbour",
    Rule.SPOUSE_EQUIVALENT: "interchangeable with a spouse",
}
_MOST_NAMES = 3


def listing(names: Sequence[str], most: int = 0) -> str:
    """List names as a person does.

    Parameters
    ----------
    names : sequence of str
    most : int
        How many are written out; the rest is counted. 0 writes all.

    Examples
    --------
    >>> listing(["a", "b", "c"]), listing(["a", "b", "c", "d"], most=2)
    ('a, b and c', 'a, b and 2 more')
    """
    if most and len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def summary_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Say what was found: how many features bear on several labels, which on most, how many on one."""
    sentences = [partial_sentence(result)]
    labels = tuple(result.boundaries)
    if not result.label_sets:
        sentences.append(_nothing_found(result, labels))
    elif len(labels) == 1:
        sentences.append(_one_label(result, labels[0]))
    else:
        sentences += [_common_sentence(result), _specific_sentence(result), _empty_labels(result, labels)]
    return tuple(sentence for sentence in sentences if sentence)


def partial_sentence(result: DiscoveryResult) -> str:
    """Say what a stopped run did not finish; empty when it finished everything."""
    if not result.is_partial:
        return ""
    total = counted(len(result.dataset.labels), "label")
    finished = len(result.boundaries)
    return (
        f"The run was stopped: {finished} of {total} {'is' if finished == 1 else 'are'} finished. "
        f"Not finished: {listing(result.unfinished_labels, 5)}. What follows holds for the finished labels; "
        "a variable that looks label-specific may still turn out to be common."
    )


def run_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Say on what the findings rest: rows, tests, how many tests had too few rows."""
    sentences = [
        f"{counted(result.tests_made, 'test')} on {counted(result.dataset.row_count, 'row')} "
        f"in {duration_text(result.seconds)}."
    ]
    if result.unreliable_tests:
        sentences.append(
            f"{result.unreliable_tests:,} of them had too few rows to count as evidence of independence; no "
            "variable was dropped because of one."
        )
    return tuple(sentences)


def reason_text(reason: Evidence) -> str:
    """Say by which rule a feature counts, with the partner or the shared effect.

    Examples
    --------
    >>> reason_text(Evidence("dose", "ill", Rule.SPOUSE, children=("fever",)))
    'spouse through fever'
    """
    through = f" through {listing(reason.children)}" if reason.children else ""
    if not reason.rule.is_equivalent:
        return f"{RULE_WORDS[reason.rule]}{through}"
    kind = "direct neighbour" if reason.rule is Rule.NEIGHBOUR_EQUIVALENT else "spouse"
    partner = listing(reason.partner) or "another variable"
    joint = f"together with {listing(reason.together_with)} " if reason.together_with else ""
    return f"{joint}interchangeable with {partner}, a {kind}{through}"


def relation_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Say which labels are in the boundary of one another, one sentence a pair, the strongest first."""
    pairs: dict[frozenset[str], list[Evidence]] = {}
    for reason in result.label_evidence.values():
        pairs.setdefault(frozenset((reason.feature, reason.label)), []).append(reason)
    ordered = sorted(pairs.values(), key=lambda found: -max(reason.strength for reason in found))
    return tuple(_pair_sentence(found) for found in ordered)


def _pair_sentence(found: list[Evidence]) -> str:
    reason = found[0]
    strength = f"strength {reason.strength:.2f}"
    if reason.rule is Rule.NEIGHBOUR:
        if len(found) == 2:
            return f"{reason.feature} and {reason.label} are direct neighbours ({strength})."
        return f"{reason.feature} is a direct neighbour of {reason.label} ({strength})."
    if reason.rule is Rule.SPOUSE:
        through = listing(reason.children, _MOST_NAMES) or "a shared effect"
        return f"{reason.feature} and {reason.label} both bear on {through} ({strength})."
    return (
        f"{reason.feature} is interchangeable with {listing(reason.partner, _MOST_NAMES)} "
        f"for {reason.label} ({strength})."
    )


def _nothing_found(result: DiscoveryResult, labels: tuple[str, ...]) -> str:
    total = counted(len(result.dataset.features), "variable")
    about = labels[0] if len(labels) == 1 else f"any of {counted(len(labels), 'label')}"
    return f"None of {total} bears on {about}." if labels else ""


def _one_label(result: DiscoveryResult, label: str) -> str:
    count = len(result.label_sets)
    total = counted(len(result.dataset.features), "variable")
    return f"{count:,} of {total} {_bear(count)} on {label}."


def _common_sentence(result: DiscoveryResult) -> str:
    total = counted(len(result.dataset.features), "variable")
    sets = dict(zip(result.common["feature"], result.common["labels"], strict=True))
    if not sets:
        return f"None of {total} bears on two or more labels."
    start = f"{len(sets):,} of {total} {_bear(len(sets))} on two or more labels"
    most = max(map(len, sets.values()))
    top = [feature for feature, labels in sets.items() if len(labels) == most]
    names = listing(top, _MOST_NAMES)
    if len(sets) == 1:
        return f"{start}: {names} (on {listing(sets[top[0]], _MOST_NAMES)})."
    if len(top) == len(sets):
        return f"{start}, each of them on {most}: {names}."
    return f"{start}; {names} {_bear(len(top))} on most ({most}{' each' if len(top) > 1 else ''})."


def _specific_sentence(result: DiscoveryResult) -> str:
    count = len(result.label_specific)
    if not count:
        return "None bears on one label only."
    per_label = Counter(result.label_specific["label"])
    (label, most), *others = per_label.most_common(2)
    start = f"{count:,} {_bear(count)} on one label only"
    if not others or others[0][1] == most:
        return f"{start}."
    return f"{start}, most often on {label} ({most})."


def _empty_labels(result: DiscoveryResult, labels: tuple[str, ...]) -> str:
    served = {label for label_set in result.label_sets.values() for label in label_set}
    empty = [label for label in labels if label not in served]
    return f"Nothing was found for {listing(empty, _MOST_NAMES)}." if empty else ""


def _bear(count: int) -> str:
    return "bears" if count == 1 else "bear"
