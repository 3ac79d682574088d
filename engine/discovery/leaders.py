"""Which of several interchangeable features leads the others: that of the data, unless a person prefers one.

What the data cannot tell apart need not be shown as if it were several findings, and of variables that tell
the same a person may want the one that is cheaper or safer to measure.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.discovery.evidence import Evidence, Pair
from engine.errors import InvalidParameter
from engine.table.dataset import Dataset
from engine.translation import _
from engine.wording.phrases import plain_listing
from engine.wording.setting_names import the_setting

# Strengths that differ further on are equal: sums in another order do.
_DIGITS = 9


def check_preferred(preferred: Collection[str], dataset: Dataset) -> None:
    """Make sure that every preferred variable is a feature of a table."""
    features = frozenset(dataset.features)
    wrong = [name for name in preferred if name not in features]
    if wrong:
        raise InvalidParameter(
            _("the preferred variable is not a feature of the table: {wrong}.", wrong=plain_listing(wrong)),
            place=the_setting("preferred"),
            remedy=_("Name features only, each as in the heading of its column."),
        )


def leaders(
    labels: Mapping[str, Sequence[str]],
    evidence: Mapping[Pair, Sequence[Evidence]],
    alternatives: Mapping[Pair, frozenset[str]],
    preferred: Sequence[str] = (),
) -> dict[str, str]:
    """Return the leader, led by none, of each feature that need not be shown beside another one.

    A feature is led by one interchangeable with it for all its labels: preferred, then more labels, more
    boundaries, stronger, column order.
    """
    wanted = {name: number for number, name in enumerate(preferred)}
    column = {name: number for number, name in enumerate(labels)}

    def rank(feature: str) -> tuple[int, int, int, float, int]:
        first = [evidence[feature, label][0] for label in labels[feature]]
        memberships = sum(not reason.rule.is_equivalent for reason in first)
        # Marginal, as the deciding tests of a member and of what stands in for it condition on other sets.
        tests = ((reason.marginal or reason.deciding) for reason in first)
        strength = max((test.effect for test in tests if test is not None), default=0.0)
        return (
            wanted.get(feature, len(wanted)),
            -len(first),
            -memberships,
            -round(strength, _DIGITS),
            column[feature],
        )

    leader_of = {}
    for feature, own in labels.items():
        for_all = frozenset.intersection(*(alternatives.get((feature, label), frozenset()) for label in own))
        # Whoever is ranked first here is ranked first among its own alternatives too: they are fewer.
        leader = min((feature, *for_all), key=rank)
        if leader != feature:
            leader_of[feature] = leader
    return leader_of


def interchangeable_for(evidence: Mapping[Pair, Sequence[Evidence]]) -> dict[Pair, frozenset[str]]:
    """Return the features interchangeable one by one, by pair; taken as transitive for a label."""
    groups: dict[Pair, set[str]] = {}
    for reasons in evidence.values():
        for reason in reasons:
            is_one_for_one = len(reason.partner) == 1 and not reason.together_with
            # Of a label in a boundary nothing is said that a table of features could show.
            if is_one_for_one and (reason.partner[0], reason.label) in evidence:
                joined = {reason.feature, reason.partner[0]}
                for name in tuple(joined):
                    joined |= groups.get((name, reason.label), set())
                groups |= dict.fromkeys(((name, reason.label) for name in joined), joined)
    return {(name, label): frozenset(group - {name}) for (name, label), group in groups.items()}
