"""The findings in a few plain sentences."""

from __future__ import annotations

from collections import Counter

from clcd_gui.core.findings import Finding, Findings, Relation, relation_of
from clcd_gui.core.number_format import count_text, counted, duration_text, share_text, strength_text
from clcd_gui.core.phrases import Name, Phrase, listing, phrase
from engine.discovery.evidence import Evidence

_MOST_NAMES = 3


def summary(findings: Findings) -> tuple[Phrase, ...]:
    """Say what was found: how many features bear on several labels, which on most, how many on one."""
    result = findings.result
    if not findings.all:
        return (_nothing_found(findings),)
    sentences = [_common_sentence(findings), _specific_sentence(findings)]
    if len(result.boundaries) > 1:
        served = {label for finding in findings.all for label in finding.labels}
        empty = [label for label in findings.labels if label in result.boundaries and label not in served]
        if empty:
            sentences.append(
                phrase(
                    "Nothing was found for {labels}.",
                    labels=listing([Name(label, True) for label in empty], most=_MOST_NAMES),
                )
            )
    return tuple(sentence for sentence in sentences if sentence)


def _nothing_found(findings: Findings) -> Phrase:
    labels = findings.labels
    count = counted(len(findings.result.dataset.features), "variable")
    if len(labels) == 1:
        return phrase("None of {count} bears on {label}.", count=count, label=Name(labels[0], True))
    return phrase(
        "None of {count} bears on any of {labels}.", count=count, labels=counted(len(labels), "label")
    )


def _common_sentence(findings: Findings) -> Phrase:
    total = counted(len(findings.result.dataset.features), "variable")
    if len(findings.labels) < 2:
        return ()
    if not findings.common:
        return phrase("None of {total} bears on two or more labels.", total=total)
    count = len(findings.common)
    start = phrase(
        "{count} of {total} {verb} on two or more labels",
        count=count_text(count),
        total=total,
        verb="bears" if count == 1 else "bear",
    )
    most = len(findings.common[0].labels)
    top = [finding for finding in findings.common if len(finding.labels) == most]
    if count == 1:
        return phrase(
            "{start}: {name} ({most}).", start=start, name=Name(top[0].feature), most=_labels(top[0])
        )
    names = listing([Name(finding.feature) for finding in top], most=_MOST_NAMES)
    if len(top) == count:
        return phrase("{start}, each of them on {most}: {names}.", start=start, most=f"{most}", names=names)
    if len(top) == 1:
        return phrase("{start}; {names} bears on most ({most}).", start=start, names=names, most=f"{most}")
    return phrase("{start}; {names} bear on most ({most} each).", start=start, names=names, most=f"{most}")


def _labels(finding: Finding) -> Phrase:
    return listing([Name(label, True) for label in finding.labels], most=_MOST_NAMES)


def _specific_sentence(findings: Findings) -> Phrase:
    count = len(findings.label_specific)
    if len(findings.labels) == 1:
        verb = "bears" if count == 1 else "bear"
        return phrase(
            "{count} of {total} {verb} on {label}.",
            count=count_text(count),
            total=counted(len(findings.result.dataset.features), "variable"),
            verb=verb,
            label=Name(findings.labels[0], True),
        )
    if not count:
        return phrase("None bears on one label only.")
    per_label = Counter(finding.labels[0] for finding in findings.label_specific)
    label, most = max(per_label.items(), key=lambda item: item[1])
    start = f"{count_text(count)} {'bears' if count == 1 else 'bear'} on one label only"
    if count > 1 and 2 * most > count:
        return phrase(
            "{start}, most of them ({most}) on {label}.", start=start, most=f"{most}", label=Name(label, True)
        )
    return phrase("{start}.", start=start)


def label_relation_sentences(findings: Findings) -> tuple[Phrase, ...]:
    """Say which labels are in the boundary of one another, one sentence a pair, the strongest first."""
    pairs = sorted(findings.label_pairs, key=lambda pair: -max(record.strength for record in pair[2]))
    return tuple(_label_pair_sentence(records[0], len(records) == 2) for _, _, records in pairs)


def _label_pair_sentence(record: Evidence, mutual: bool) -> Phrase:
    a, b = Name(record.feature, True), Name(record.label, True)
    strength = strength_text(record.strength)
    if relation_of(record.rule) is Relation.NEIGHBOUR:
        template = "{a} and {b} are direct neighbours" if mutual else "{a} is a direct neighbour of {b}"
        return phrase(template + " (strength {strength}).", a=a, b=b, strength=strength)
    if relation_of(record.rule) is Relation.INTERCHANGEABLE:
        return phrase(
            "{a} is interchangeable with a member of the boundary of {b} (strength {strength}).",
            a=a,
            b=b,
            strength=strength,
        )
    children = listing([Name(child) for child in record.children], most=_MOST_NAMES) or ("a shared effect",)
    return phrase(
        "{a} and {b} both bear on {children} (strength {strength}).",
        a=a,
        b=b,
        children=children,
        strength=strength,
    )


def run_sentences(findings: Findings) -> tuple[Phrase, ...]:
    """Say on what the findings rest: rows, tests, how many tests had too few rows."""
    result = findings.result
    sentences = [
        phrase(
            "{tests} on {rows} in {seconds}.",
            tests=counted(result.tests_made, "test"),
            rows=counted(result.dataset.row_count, "row"),
            seconds=duration_text(result.seconds),
        )
    ]
    if result.unreliable_tests:
        share = result.unreliable_tests / max(result.tests_made, 1)
        sentences.append(
            phrase(
                "{count} of them ({share}) had too few rows to count as evidence of independence; a variable "
                "was never dropped because of one.",
                count=count_text(result.unreliable_tests),
                share=share_text(share),
            )
        )
    return tuple(sentences)


def partial_sentence(findings: Findings) -> Phrase:
    """Say what a stopped run did not finish; empty when it finished everything."""
    result = findings.result
    if not result.is_partial:
        return ()
    missing = result.unfinished_labels
    return phrase(
        "The run was stopped: {done} of {total} are finished. Not finished: {missing}. What is shown below "
        "holds for the finished labels; a variable that looks label-specific may yet turn out to be common.",
        done=count_text(len(findings.labels) - len(missing)),
        total=counted(len(findings.labels), "label"),
        missing=listing([Name(label, True) for label in missing], most=5),
    )
