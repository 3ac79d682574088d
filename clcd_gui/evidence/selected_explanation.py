"""Why a feature was selected for a label, as sentences and tests, from the selection and its result alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.evidence.explanation import Explainer, ShownReason
from clcd_gui.wording.text import NUMBERS
from engine.discovery.evidence import Evidence, Relation
from engine.discovery.finding_words import RULE_HELP, RULE_WORDS
from engine.wording.phrases import Phrase, for_count, phrase

if TYPE_CHECKING:
    from engine.selection.result import Reason


# Below this the exponential is 0 in double precision.
_SMALLEST_LOG = -700.0
_IN_PLACE = "in the place of another label"
_IN_PLACE_HELP = (
    "Tells about a label that is next to this one, and about this one when that label is not known."
)
_PREFERRED = "preferred by hand"
_PREFERRED_HELP = (
    "A person preferred it to what it stands for. These rows do not tell them apart, and do not show that "
    "they tell the same."
)

_SOUGHT_AMONG_ITS = (
    "{others} is next to {label}, but a label is not known when another is to be predicted. What it told is "
    "sought among its own neighbours: {x} is one of them, and no set of the features next to {label} "
    "explains its association with {label} away."
)
_SOUGHT_AMONG_THEIR = (
    "{others} are next to {label}, but a label is not known when another is to be predicted. What they told "
    "is sought among their own neighbours: {x} is one of them, and no set of the features next to {label} "
    "explains its association with {label} away."
)
_NO_FEATURE_CAME_IN = (
    "{labels} belongs to its boundary, but a label is not known when another is to be predicted. No feature "
    "had to come in instead.",
    "{labels} belong to its boundary, but a label is not known when another is to be predicted. No feature "
    "had to come in instead.",
)
_FEATURES_CAME_IN = (
    "{labels} belongs to its boundary, but a label is not known when another is to be predicted, so features "
    "came in its place.",
    "{labels} belong to its boundary, but a label is not known when another is to be predicted, so features "
    "came in their place.",
)
_EXCHANGE = "{names} could have been taken instead: {pronoun} the same about {about}."
_EXCHANGE_FOR_OTHERS = "{names} could have been taken instead: {pronoun} the same about {about} as {members}."


class SelectionExplainer:
    """Puts the reasons of one selection into words."""

    def __init__(self, selected: SelectedFeatures) -> None:
        self._selected = selected
        self.explainer = Explainer(selected.result)

    def grounds(self, feature: str, label: str) -> tuple[ShownReason, ...]:
        """Return every reason why a feature serves a label; none when it does not."""
        entry = self._selected.selected(feature)
        reasons = entry.reasons if entry is not None else ()
        return tuple(self._ground(reason) for reason in reasons if reason.label == label)

    def left_labels(self, label: str) -> Phrase:
        """Say which labels left the boundary of a label and what came in their place; empty if none did."""
        boundary = self._selected.selection.boundaries.get(label)
        if boundary is None or not boundary.removed_labels:
            return ()
        removed = boundary.removed_labels
        sentences = _FEATURES_CAME_IN if boundary.in_place_of else _NO_FEATURE_CAME_IN
        return phrase(for_count(len(removed), *sentences), labels=self.explainer.names(removed))

    def taken_instead(self, feature: str, is_assumed: bool) -> tuple[str, ...]:
        """Return what was selected instead of a feature: preferred by a person, or shown to tell the same."""
        return tuple(
            each.feature
            for each in self._selected.all
            if any(
                reason.is_assumed is is_assumed and feature in (*reason.stands_for, *reason.alternatives)
                for reason in each.reasons
            )
        )

    def _ground(self, reason: Reason) -> ShownReason:
        record = self._record(reason)
        found = self.explainer.reason(record) if record is not None else None
        symbol = reason.rule.symbol
        if reason.is_assumed:
            title, meaning, symbol = _PREFERRED, _PREFERRED_HELP, ""
            sentences = [self._preferred(reason)]
        elif reason.relation is Relation.IN_PLACE:
            title, meaning, sentences = _IN_PLACE, _IN_PLACE_HELP, [self._in_place(reason)]
        else:
            title, meaning = RULE_WORDS[reason.rule], RULE_HELP[reason.rule]
            sentences = list(found.sentences) if found is not None else [self._stands_for(reason)]
        sentences += [self._exchange(reason), self._association(reason)]
        tests = found.tests if found is not None else ()
        return ShownReason(title, meaning, symbol, tuple(filter(None, sentences)), tests)

    def _record(self, reason: Reason) -> Evidence | None:
        """Return the evidence of the search that a reason rests on; None where features replaced labels."""
        for record in self._selected.result.reasons(reason.feature, reason.label):
            if record.rule is reason.rule and record.partner == reason.stands_for:
                return record
        return None

    def _in_place(self, reason: Reason) -> Phrase:
        others = reason.in_place_of
        return phrase(
            for_count(len(others), _SOUGHT_AMONG_ITS, _SOUGHT_AMONG_THEIR),
            others=self.explainer.names(others),
            x=self.explainer.name(reason.feature),
            label=self.explainer.name(reason.label),
        )

    def _preferred(self, reason: Reason) -> Phrase:
        sentence = phrase("{x} is {why}.", x=self.explainer.name(reason.feature), why=reason.text)
        return (*sentence, *self._origin(reason))

    def _stands_for(self, reason: Reason) -> Phrase:
        """Say whose place a feature takes where the search itself did not look for it."""
        x, label = self.explainer.name(reason.feature), self.explainer.name(reason.label)
        if not reason.rule.is_equivalent:
            return phrase("{x} belongs to the boundary of {label}.", x=x, label=label)
        who: Phrase = (x,)
        if reason.together_with:
            others = self.explainer.names(reason.together_with)
            who = phrase("{x}, together with {others},", x=x, others=others)
        about = self.explainer.names(reason.children) if reason.children else (label,)
        sentence = phrase(
            "{who} takes the place of {members}: they tell the same about {about}.",
            who=who,
            members=self.explainer.names(reason.stands_for),
            about=about,
        )
        return (*sentence, *self._origin(reason))

    def _origin(self, reason: Reason) -> Phrase:
        """Say of the variables whose place is taken which labels they had come in for."""
        came = self._selected.selection.boundaries[reason.label].in_place_of
        left = tuple(dict.fromkeys(other for name in reason.stands_for for other in came.get(name, ())))
        if not left:
            return ()
        members, labels = self.explainer.names(reason.stands_for), self.explainer.names(left)
        return phrase(" {members} had come in the place of {labels}.", members=members, labels=labels)

    def _exchange(self, reason: Reason) -> Phrase:
        if not reason.alternatives:
            return ()
        about = reason.children if reason.children else (reason.label,)
        one = len(reason.alternatives) == 1
        return phrase(
            _EXCHANGE_FOR_OTHERS if reason.is_assumed else _EXCHANGE,
            names=self.explainer.names(reason.alternatives),
            pronoun="it tells" if one else "they tell",
            about=self.explainer.names(about),
            members=self.explainer.names(reason.stands_for),
        )

    def _association(self, reason: Reason) -> Phrase:
        p_value = math.exp(reason.log_p) if reason.log_p > _SMALLEST_LOG else 0.0
        strength, p = NUMBERS.strength(reason.strength), NUMBERS.p_statement(p_value, reason.log_p)
        template = "Taken alone, the two are associated with strength {strength}, {p}."
        return phrase(template, strength=strength, p=p)
