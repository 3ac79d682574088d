"""What a text claims about directions of association, read back: which level of a label is more likely when.

A claim is what a person reads. Nothing here asks the program which level is the event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

Levels = Mapping[str, tuple[str, str]]


class EventClaim(NamedTuple):
    """One level of a label is more or less likely at a level, or at higher values, of a feature.

    Attributes
    ----------
    feature, label : str
        Names of the columns.
    level : str
        Level of the label that is named.
    at : str
        Level of the feature that is named; empty for a number, and where none is named.
    is_more : bool
        Whether the level of the label is more likely there, or at higher values of a number.
    text : str
        The line.
    """

    feature: str
    label: str
    level: str
    at: str
    is_more: bool
    text: str


class ClaimReader:
    """Reads claims from the lines of a text.

    Parameters
    ----------
    labels, features : mapping of str to (str, str)
        Levels of each label, and of each feature that has two; of a number, two empty texts.
    """

    def __init__(self, labels: Levels, features: Levels) -> None:
        # One label may be linked to another one.
        self._labels, self._features = labels, {**features, **labels}
        names = _one_of([*labels, *features])
        self._name = re.compile(rf"(?<!\w){names}(?!\w)")
        self._patterns = {
            (feature, label): _Patterns(feature, label, self._features[feature], labels[label])
            for feature in self._features
            for label in labels
            if feature != label
        }

    def claims(self, text: str) -> list[EventClaim]:
        """Return the claims of a text whose lines name both columns, or follow lines that name them."""
        feature = label = ""
        claims = []
        for line in filter(None, map(str.strip, text.splitlines())):
            names = self._name.findall(line)
            first, *others = dict.fromkeys(names) or ("",)
            labels = [name for name in others if name in self._labels]
            if labels or (first in self._features and first not in self._labels):
                feature = first
            elif first:
                labels = [first]
            labels = labels or [label]
            label = labels[-1]
            claims += [claim for label_named in labels for claim in self.about(feature, label_named, line)]
        return claims

    def about(self, feature: str, label: str, line: str) -> Iterator[EventClaim]:
        """Yield the claims of one line about two columns."""
        patterns = self._patterns.get((feature, label))
        return iter(()) if patterns is None else patterns.claims(line)

    @staticmethod
    def is_a_claim(line: str) -> bool:
        """Whether a line tells a direction, whatever it is about."""
        line = line.replace("unclear when adjusted", "")
        return bool(_A_CLAIM.search(_BOTH_WAYS.sub("", line))) and "unclear" not in line


_A_CLAIM = re.compile(r"(?<!or )(?<!event )(?:more|less) likely|[↗↘]|[+−][\d.]+ (?:percentage )?points")
_BOTH_WAYS = re.compile(r"−[\d.]+ to \+[\d.]+")
# Of a range, all of which is on one side.
_SIGNED = r"(?:0 to )?(?:(?P<plus>\+)|(?P<minus>−)(?![\d.]+ to \+))[\d.]"
_WAY = r"(?P<way>more|less) likely"
# What is said of the adjusted direction beside the unadjusted one, which is the claim.
_ADJUSTED = r"(?:†| \([^)]*when adjusted\))?"


class _Patterns:
    """The ways in which a direction of two columns is written."""

    def __init__(self, feature: str, label: str, of_feature: Sequence[str], of_label: Sequence[str]) -> None:
        self._feature, self._label = feature, label
        self._levels_of_feature = tuple(filter(None, of_feature))
        target = rf"{re.escape(label)} = (?P<level>{_one_of(of_label)})"
        short = rf"(?P<level>{_one_of(of_label)})"
        at = _one_of(self._levels_of_feature) if self._levels_of_feature else r"[−\d.,]+"
        pair = rf"(?P<at>{at}) against (?P<reference>{at})"
        named = re.escape(feature)
        self._all = [
            re.compile(pattern)
            for pattern in (
                # Sentences and cells with both names.
                rf"{target}(?: is|:) (?:[\d.]+ percentage points )?{_WAY}"
                rf"(?: (?:with|at) {named} = (?P<at>{at})(?: than (?:with|at)(?: {named} =)? "
                rf"(?P<reference>{at}))?)?",
                rf"changed from (?P<reference>{at}) to (?P<at>{at}), "
                rf"the probability of {target} would change by {_SIGNED}",
                # Cells beside what is compared, and marks of the forest plot.
                rf"{target}, {pair}(?::| \|) {_SIGNED}",
                rf"{named}, {pair}: {target} {_SIGNED}",
                # Cells beside both names; an asterisk is a mark of the size.
                rf"(?P<symbol>[↗↘]) {short}(?:: {_WAY})?(?: if (?P<at>{at}))?"
                rf"{_ADJUSTED}(?:, (?:\* )?{_SIGNED}[^|]*)?\)?(?:$| \|)",
            )
        ]

    def claims(self, line: str) -> Iterator[EventClaim]:
        for pattern in self._all:
            for match in pattern.finditer(line):
                said = match.groupdict()
                at, is_higher = self._compared(said.get("at"), said.get("reference"))
                ways = {
                    said[name] in ("more", "+", "↗")
                    for name in ("way", "plus", "minus", "symbol")
                    if said.get(name)
                }
                # A symbol beside the opposite word is two claims.
                for way in ways:
                    yield EventClaim(self._feature, self._label, said["level"], at, way is is_higher, line)

    def _compared(self, at: str | None, reference: str | None) -> tuple[str, bool]:
        """Return the level that is named, and whether a number is compared at its higher value."""
        if self._levels_of_feature:
            return at or "", True
        if not at or not reference:
            return "", True
        return "", _number(at) > _number(reference)


def _one_of(texts: Sequence[str]) -> str:
    longest_first = sorted(texts, key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "").rstrip("."))
