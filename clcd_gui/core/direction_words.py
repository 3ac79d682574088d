"""What the direction of a relation means, in the words of a tooltip."""

from __future__ import annotations

from clcd_gui.core.findings import Finding
from clcd_gui.core.rule_words import reasons_tooltip
from engine.discovery.orientation.direction import CommonDirection, Direction

_MEANINGS: dict[str, str] = {
    Direction.CAUSE: "The data tell that it is a cause of the label.",
    Direction.EFFECT: "The data tell that it is an effect of the label.",
    Direction.SPOUSE: "It is another cause of an effect that it shares with the label.",
    Direction.UNDECIDED: "The data do not tell whether it is a cause or an effect.",
    CommonDirection.COMMON_CAUSE: "The data tell that it is a cause of each of these labels.",
    CommonDirection.COMMON_EFFECT: "The data tell that it is an effect of each of these labels.",
    CommonDirection.MIXED: "It is one thing to one label and another to the next.",
}
_OF_ALL_UNDECIDED = "Of at least one label the data do not tell whether it is a cause or an effect."


def direction_tooltip(finding: Finding) -> str:
    """Say what the direction of a finding means, and for a common one what it is to each label."""
    if not finding.is_common:
        return _MEANINGS.get(finding.direction, "")
    undecided = finding.direction == CommonDirection.UNDECIDED
    meaning = _OF_ALL_UNDECIDED if undecided else _MEANINGS.get(finding.direction, "")
    return f"{meaning}\n{reasons_tooltip(finding)}"
