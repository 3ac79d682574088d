"""Selections of any shape for the views: as the engine makes them, or made by hand where that takes long."""

from __future__ import annotations

from engine.discovery.result import DiscoveryResult
from engine.selection.clcd_fs import FeatureBoundary
from engine.selection.result import Reason, Selection


def selection_by_hand(result: DiscoveryResult) -> Selection:
    """Select every feature that was found, by the rule under which it was found."""
    reasons = {}
    for feature, labels in result.label_sets.items():
        reasons_of_feature = []
        for label in result.dataset.labels:
            if label in labels:
                record = result.evidence[feature, label][0]
                reasons_of_feature.append(
                    Reason(
                        feature,
                        label,
                        record.rule,
                        record.partner,
                        record.together_with,
                        record.children,
                        strength=record.strength,
                        log_p=record.tests[0].log_p,
                    )
                )
        reasons[feature] = tuple(reasons_of_feature)
    boundaries = {
        label: FeatureBoundary(label, boundary.parents_children, boundary.spouses)
        for label, boundary in result.boundaries.items()
    }
    order = sorted(reasons, key=lambda feature: -len(reasons[feature]))
    return Selection(tuple(order), reasons, boundaries, result)
