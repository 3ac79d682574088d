"""The selected features as tables to be written: one row a feature, and one row a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.exporting.cells import Table

if TYPE_CHECKING:
    from engine.selection.result import Selection

COMMON, LABEL_SPECIFIC = "common", "label-specific"


def selected_table(selection: Selection) -> Table:
    """Make one row for each selected feature, in the order in which they were chosen.

    ``rules`` has one entry for each entry of ``labels``; ``stands_for`` names the variables whose place the
    feature takes for some label, ``replaces`` those among them that were not selected for another label, and
    ``alternatives`` features that could have been selected instead for some label.
    """
    rows = []
    for number, feature in enumerate(selection.features, start=1):
        reasons = {each.label: each for each in reversed(selection.reasons[feature])}
        labels = selection.labels_of(feature)
        stands_for = selection.stands_for(feature)
        rows.append(
            (
                number,
                feature,
                COMMON if len(labels) > 1 else LABEL_SPECIFIC,
                labels,
                tuple(str(reasons[label].rule) for label in labels),
                stands_for,
                tuple(name for name in stands_for if name not in selection.label_sets),
                selection.alternatives_to(feature),
                max(each.strength for each in selection.reasons[feature]),
            )
        )
    columns = (
        "order",
        "feature",
        "type",
        "labels",
        "rules",
        "stands_for",
        "replaces",
        "alternatives",
        "strength",
    )
    return Table("Selected features", columns, tuple(rows))


def reason_table(selection: Selection) -> Table:
    """Make one row for each reason why a feature serves a label."""
    rows = tuple(
        (
            each.feature,
            each.label,
            str(each.rule),
            each.rule.symbol,
            each.stands_for,
            each.together_with,
            each.children,
            each.in_place_of,
            each.alternatives,
            each.strength,
            each.log_p,
        )
        for feature in selection.features
        for each in selection.reasons[feature]
    )
    columns = (
        "feature",
        "label",
        "rule",
        "symbol",
        "stands_for",
        "together_with",
        "children",
        "in_place_of",
        "alternatives",
        "strength",
        "log_p",
    )
    return Table("Reasons", columns, rows)
