"""Selected features, arranged for looking at: one entry a feature, with the labels that it serves and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from clcd_gui.wording.text import count_text, counted
from engine.translation import N_, _, for_count
from engine.wording.phrases import Name, Phrase, listing, phrase
from engine.wording.sentences import NOTHING_FOUND_FOR

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.selection.result import SelectedFeature, Selection


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
    alone = Counter(label for feature in selected.all for label in feature.labels)
    both = Counter(pair for feature in selected.all for pair in combinations(feature.labels, 2))
    if not both:
        return ()
    either = {pair: alone[pair[0]] + alone[pair[1]] - count for pair, count in both.items()}
    first, *others = sorted(both, key=lambda pair: (-both[pair], either[pair]))[:_MOST_PAIRS]
    then = [
        phrase("{pair} ({shares})", pair=_pair(pair), shares=_out_of(both[pair], either[pair]))
        for pair in others
    ]
    return phrase(
        for_count(either[first], *(_SHARE_MOST_THEN if then else _SHARE_MOST)),
        pair=_pair(first),
        both=count_text(both[first]),
        either=count_text(either[first]),
        others=listing(then),
    )


def _out_of(count: int, total: int) -> str:
    return _("{count} of {total}", count=count, total=total)


_SHARE_MOST = (
    N_("{pair} share most: {both} of {either} feature that serves either of them."),
    N_("{pair} share most: {both} of {either} features that serve either of them."),
)
_SHARE_MOST_THEN = (
    N_("{pair} share most: {both} of {either} feature that serves either of them; then {others}."),
    N_("{pair} share most: {both} of {either} features that serve either of them; then {others}."),
)


def _how_many(selected: SelectedFeatures) -> Phrase:
    finished = selected.finished_labels
    return phrase(
        for_count(
            len(selected.all),
            "{count} of {total} carries information about {labels}.",
            "{count} of {total} together carry information about {labels}.",
        ),
        count=count_text(len(selected.all)),
        total=counted(len(selected.result.dataset.features), "feature"),
        labels=_served(selected.served_labels, finished),
    )


def _served(served: tuple[str, ...], finished: tuple[str, ...]) -> Phrase:
    if len(finished) == 1:
        return (Name(finished[0], is_label=True),)
    if len(served) < len(finished):
        return (
            _("{count} of {labels}", count=count_text(len(served)), labels=counted(len(finished), "label")),
        )
    return (
        _("both labels") if len(finished) == 2 else _("all {labels}", labels=counted(len(finished), "label")),
    )


def _most(selected: SelectedFeatures) -> Phrase:
    most = max(len(feature.labels) for feature in selected.all)
    if most == 1:
        return (_("None of them serves two or more labels."),)
    top = [Name(feature.feature) for feature in selected.all if len(feature.labels) == most]
    if len(top) == 1:
        return phrase("{name} serves most ({most}).", name=top[0], most=count_text(most))
    return phrase("{names} serve most ({most} each).", names=listing(top, _MOST_NAMES), most=count_text(most))


def _one_only(selected: SelectedFeatures) -> Phrase:
    single = sum(1 for feature in selected.all if not feature.is_common)
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
    about: Phrase = (_("any of {labels}", labels=counted(len(finished), "label")),)
    if len(finished) == 1:
        about = (Name(finished[0], is_label=True),)
    return phrase(
        "None of {total} carries information about {labels}, as far as these data show, so none was "
        "selected.",
        total=counted(len(selected.result.dataset.features), "feature"),
        labels=about,
    )


def _pair(labels: tuple[str, str]) -> Phrase:
    return listing([Name(label, is_label=True) for label in labels])


class SelectedFeatures:
    """A selection as the views read it."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection

    @property
    def result(self) -> DiscoveryResult:
        """What the selection rests on."""
        return self.selection.discovery

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label of the analysis, in column order."""
        return self.result.dataset.labels

    @property
    def finished_labels(self) -> tuple[str, ...]:
        """Labels that features were selected for, in column order."""
        return tuple(label for label in self.labels if label in self.selection.boundaries)

    @property
    def all(self) -> tuple[SelectedFeature, ...]:
        """Every selected feature, in the order in which they were chosen."""
        return self.selection.selected

    @cached_property
    def served_labels(self) -> tuple[str, ...]:
        """Labels that at least one selected feature serves, in column order."""
        served = {label for feature in self.all for label in feature.labels}
        return tuple(label for label in self.labels if label in served)

    def selected(self, feature: str) -> SelectedFeature | None:
        """Return the entry of a feature, or None when it was not selected."""
        return self._by_feature.get(feature)

    def of_label(self, label: str) -> tuple[SelectedFeature, ...]:
        """Return the features that serve one label, in the order in which they were chosen."""
        return tuple(feature for feature in self.all if label in feature.labels)

    def in_column_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Sort names of variables as the columns of the table are."""
        order = self._column_order
        return tuple(sorted(names, key=lambda name: order.get(name, len(order))))

    def is_label(self, name: str) -> bool:
        """Tell whether a name is that of a label."""
        return name in self._label_names

    def is_known(self, name: str) -> bool:
        """Tell whether a name is that of any variable of the analysed table."""
        return name in self._column_order

    @cached_property
    def _by_feature(self) -> dict[str, SelectedFeature]:
        return {feature.feature: feature for feature in self.all}

    @cached_property
    def _label_names(self) -> frozenset[str]:
        return frozenset(self.labels)

    @cached_property
    def _column_order(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.result.dataset.names)}
