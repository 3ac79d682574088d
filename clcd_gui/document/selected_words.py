"""Selected features in plain words: what was selected in a sentence or two, and why each serves a label."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from clcd_gui.wording.text import count_text, counted
from engine.wording.phrases import Name, Phrase, for_count, listing, phrase
from engine.wording.sentences import AS_FAR_AS_SHOWN, NOTHING_FOUND_FOR

if TYPE_CHECKING:
    from clcd_gui.document.selected_features import SelectedFeatures


_MOST_NAMES = 3
_MOST_PAIRS = 3


def summary(selected: SelectedFeatures) -> tuple[Phrase, ...]:
    """Say how many features tell about which labels, which serves most, and how many serve one only."""
    if not selected.all:
        return (_nothing(selected),)
    sentences = [_how_many(selected)]
    if len(selected.finished_labels) > 1:
        sentences += [_most(selected), _one_only(selected), _left_out(selected)]
    return tuple(sentence for sentence in sentences if sentence)


def stopped(selected: SelectedFeatures) -> Phrase:
    """Say for which labels nothing could be selected, because their search was stopped; empty if none."""
    missing = selected.selection.unfinished_labels
    if not missing:
        return ()
    return phrase(
        "The run was stopped, so features were selected for {done} of {total}; not for {missing}.",
        done=count_text(len(selected.finished_labels)),
        total=counted(len(selected.labels), "label"),
        missing=listing([Name(label, is_label=True) for label in missing], _MOST_NAMES),
    )


def shared(selected: SelectedFeatures) -> Phrase:
    """Say which pairs of labels have most of their features in common; empty when none share one."""
    alone = Counter(label for each in selected.all for label in each.labels)
    both = Counter(pair for each in selected.all for pair in combinations(each.labels, 2))
    if not both:
        return ()
    either = {pair: alone[pair[0]] + alone[pair[1]] - count for pair, count in both.items()}
    first, *others = sorted(both, key=lambda pair: (-both[pair], either[pair]))[:_MOST_PAIRS]
    then = [
        phrase("{pair} ({shares})", pair=_pair(pair), shares=f"{both[pair]} of {either[pair]}")
        for pair in others
    ]
    return phrase(
        for_count(either[first], *(_SHARE_MOST_THEN if then else _SHARE_MOST)),
        pair=_pair(first),
        both=count_text(both[first]),
        either=count_text(either[first]),
        others=listing(then),
    )


_SHARE_MOST = (
    "{pair} share most: {both} of {either} feature that serves either of them.",
    "{pair} share most: {both} of {either} features that serve either of them.",
)
_SHARE_MOST_THEN = (
    "{pair} share most: {both} of {either} feature that serves either of them; then {others}.",
    "{pair} share most: {both} of {either} features that serve either of them; then {others}.",
)


def _how_many(selected: SelectedFeatures) -> Phrase:
    finished = selected.finished_labels
    return phrase(
        for_count(
            len(selected.all),
            "{count} of {total} tells about {labels}.",
            "{count} of {total} together tell about {labels}.",
        ),
        count=count_text(len(selected.all)),
        total=counted(len(selected.result.dataset.features), "feature"),
        labels=_served(selected.served_labels, finished),
    )


def _served(served: tuple[str, ...], finished: tuple[str, ...]) -> Phrase:
    if len(finished) == 1:
        return (Name(finished[0], is_label=True),)
    if len(served) < len(finished):
        return (f"{count_text(len(served))} of {counted(len(finished), 'label')}",)
    return ("both labels" if len(finished) == 2 else f"all {counted(len(finished), 'label')}",)


def _most(selected: SelectedFeatures) -> Phrase:
    most = max(len(each.labels) for each in selected.all)
    if most == 1:
        return ("None of them serves two or more labels.",)
    top = [Name(each.feature) for each in selected.all if len(each.labels) == most]
    if len(top) == 1:
        return phrase("{name} serves most ({most}).", name=top[0], most=count_text(most))
    return phrase("{names} serve most ({most} each).", names=listing(top, _MOST_NAMES), most=count_text(most))


def _one_only(selected: SelectedFeatures) -> Phrase:
    single = sum(1 for each in selected.all if not each.is_common)
    if not single or single == len(selected.all):
        return ()
    return phrase(
        for_count(single, "{count} serves one label only.", "{count} serve one label only."),
        count=count_text(single),
    )


def _left_out(selected: SelectedFeatures) -> Phrase:
    served = set(selected.served_labels)
    missing = [Name(label, is_label=True) for label in selected.finished_labels if label not in served]
    if not missing:
        return ()
    return phrase(NOTHING_FOUND_FOR, labels=listing(missing, _MOST_NAMES))


def _nothing(selected: SelectedFeatures) -> Phrase:
    finished = selected.finished_labels
    about: Phrase = (f"any of {counted(len(finished), 'label')}",)
    if len(finished) == 1:
        about = (Name(finished[0], is_label=True),)
    return phrase(
        f"None of {{total}} tells about {{labels}}, {AS_FAR_AS_SHOWN}, so none was selected.",
        total=counted(len(selected.result.dataset.features), "feature"),
        labels=about,
    )


def _pair(labels: tuple[str, str]) -> Phrase:
    return listing([Name(label, is_label=True) for label in labels])
