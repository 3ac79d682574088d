"""The rules by which a feature counts for a label, in words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.discovery.evidence import Evidence, Rule
from engine.exporting.phrases import listing, plain

RULE_WORDS = {
    Rule.NEIGHBOUR: "direct neighbour",
    Rule.SPOUSE: "spouse",
    Rule.NEIGHBOUR_EQUIVALENT: "interchangeable with a direct neighbour",
    Rule.SPOUSE_EQUIVALENT: "interchangeable with a spouse",
}
RULE_HELP = {
    Rule.NEIGHBOUR: "A direct cause (parent) or a direct effect (child) of the label.",
    Rule.SPOUSE: "Another cause of an effect that it shares with the label.",
    Rule.NEIGHBOUR_EQUIVALENT: "Tells the same about the label as a direct neighbour "
    "(information-equivalent), as is shown up to a margin: the data cannot tell which of the two it is.",
    Rule.SPOUSE_EQUIVALENT: "Tells the same about the shared effect as a spouse "
    "(information-equivalent), as is shown up to a margin: the data cannot tell which of the two it is.",
}


def reason_text(reason: Evidence) -> str:
    """Say by which rule a feature counts, with the partner or the shared effect.

    Examples
    --------
    >>> reason_text(Evidence("dose", "ill", Rule.SPOUSE, children=("fever",)))
    'spouse through fever'
    """
    through = f" through {_names(reason.children)}" if reason.children else ""
    if not reason.rule.is_equivalent:
        return f"{RULE_WORDS[reason.rule]}{through}"
    kind = "direct neighbour" if reason.rule is Rule.NEIGHBOUR_EQUIVALENT else "spouse"
    partner = _names(reason.partner) or "another variable"
    joint = f"together with {_names(reason.together_with)} " if reason.together_with else ""
    what = f"{kind}s" if len(reason.partner) > 1 else f"a {kind}"
    return f"{joint}interchangeable with {partner}, {what}{through}"


def _names(names: Sequence[str]) -> str:
    return plain(listing(names))
