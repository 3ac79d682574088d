"""The selected features as tables, in the order in which they were chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, fields
from typing import TYPE_CHECKING

import pandas

from engine.selection.selection import Reason

if TYPE_CHECKING:
    from engine.selection.selection import Selection

COMMON_COLUMNS = ("feature", "labels", "rules", "stands_for", "strength")
LABEL_SPECIFIC_COLUMNS = ("feature", "label", "rule", "stands_for", "strength")
REASON_COLUMNS = tuple(each.name for each in fields(Reason))


def common_table(selection: Selection) -> pandas.DataFrame:
    """Make one row for each feature that serves two or more labels."""
    rows = []
    for feature in selection.features:
        labels = selection.labels_of(feature)
        if len(labels) > 1:
            rules = tuple(rule for _, rule in _first_rules(selection, feature))
            rows.append(
                (feature, labels, rules, selection.stands_for(feature), _strength(selection, feature))
            )
    return pandas.DataFrame(rows, columns=list(COMMON_COLUMNS))


def label_specific_table(selection: Selection) -> pandas.DataFrame:
    """Make one row for each feature that serves exactly one label."""
    rows = []
    for feature in selection.features:
        served = list(_first_rules(selection, feature))
        if len(served) == 1:
            rows.append((feature, *served[0], selection.stands_for(feature), _strength(selection, feature)))
    return pandas.DataFrame(rows, columns=list(LABEL_SPECIFIC_COLUMNS))


def reason_table(selection: Selection) -> pandas.DataFrame:
    """Make one row for each reason."""
    rows = [
        (reason.feature, reason.label, str(reason.rule), *astuple(reason)[3:])
        for feature in selection.features
        for reason in selection.reasons[feature]
    ]
    return pandas.DataFrame(rows, columns=list(REASON_COLUMNS))


def _first_rules(selection: Selection, feature: str) -> Iterator[tuple[str, str]]:
    """Give each label that a feature serves with the first rule by which it does."""
    seen = set()
    for reason in selection.reasons[feature]:
        if reason.label not in seen:
            seen.add(reason.label)
            yield reason.label, str(reason.rule)


def _strength(selection: Selection, feature: str) -> float:
    return max(reason.strength for reason in selection.reasons[feature])
