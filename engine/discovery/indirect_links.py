"""Indirect links: what is linked to a label by way of other labels that it is linked to.

Where a label is left out, all that is in its Markov boundary meets: a feature that is linked to it is linked
to every label that it is linked to, in the moral graph of what is left (Lauritzen 1996, Graphical Models,
section 3.2). Such a link is as weak as the product of its parts, so that a search among the features alone
misses many at usual numbers of rows. Its parts are found more easily, each by its own tests. To ask for the
parts is the joint significance test of mediation, which has more power than any test of the whole (MacKinnon,
Lockwood, Hoffman, West and Sheets 2002, A comparison of methods to test mediation and other intervening
variable effects, Psychological Methods 7:83-104).

Here found parts are joined. A part between spouses is open only given the effect that they share. The effect
may be a label, which is left out: then an effect of that label opens it. A link is stated only where the
feature and the label are significantly associated, too, given the shared effects on the way and nothing else.
That leaves out what a label does not pass on because the feature and the other label are both causes of it.
Without a shared effect it is stated only where a set with labels separates the two: otherwise labels share
more than is measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from engine.boundaries.neighbourhoods import Indices, Neighbourhoods
from engine.discovery.evidence import Evidence, Rule
from engine.discovery.label_findings import LabelFindings
from engine.discovery.label_outcome import LabelOutcome, explained_links, log_q_values_of
from engine.independence.batch import JointQuestion, Question, ask
from engine.independence.false_discovery import discoveries
from engine.independence.record import make_records

# Of the ways from one label to another so many, the shortest first.
_MOST_WAYS = 4
# Of the effects of a label so many.
_MOST_EFFECTS = 3


class _Way(NamedTuple):
    """A way over labels: where it ends, the label before that, and the effects given which it is open."""

    end: int
    before: int
    given: Indices

    def is_blocked_before(self, further: int, around_before: Mapping[int, Indices]) -> bool:
        """Tell whether a way goes no further to a variable that is linked to the label before, too.

        Either it is next to that label, or the two share the label at the end as an effect, which does not
        pass on what comes from its causes.
        """
        children = around_before.get(further)
        return self.end != self.before and children is not None and (not children or self.end in children)


class IndirectLinks:
    """Joins the links that were found around labels.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    outcomes : mapping of int to LabelOutcome
        What came of the search around each label, by position of the label.
    """

    def __init__(self, search: Neighbourhoods, outcomes: Mapping[int, LabelOutcome]) -> None:
        self._search = search
        self._outcomes = outcomes
        self._most_effects = search.settings.max_conditioning - 1
        self._related = self._related_labels()
        self._features = {label: self._features_of(label) for label in outcomes}

    def completed(self, label: int) -> LabelOutcome:
        """Return the outcome of a label with its indirect links."""
        outcome, search = self._outcomes[label], self._search
        questions = self._questions(label)
        if not questions:
            return outcome
        answers = ask(search.data, questions, search.stop)
        search.check_stop()
        significant = answers.dependent & answers.reliable
        if search.settings.false_discovery != "none":
            significant &= discoveries(answers.log_p, search.settings.alpha, search.settings.false_discovery)
        names = search.data.names
        # The fewest effects, then the smallest p-value.
        best: dict[int, tuple[int, float, tuple[str, ...]]] = {}
        for position in np.flatnonzero(significant).tolist():
            _, feature, given = questions[position]
            shown = (len(given), float(answers.log_p[position]), tuple(names[each] for each in given))
            best[feature] = min(shown, best.get(feature, shown))
        if not best:
            return self._with_tests(outcome, len(questions))
        effects = {
            names[feature]: tuple(search.data.positions[name] for name in given)
            for feature, (_, _, given) in sorted(best.items())
        }
        reasons = self._reasons(label, effects)
        search = search.seen_from(label)
        links, tests = explained_links(
            search, tuple(self._outcomes), outcome.findings, reasons, effects, fewest_labels=1
        )
        log_p = search.marginal(label).log_p
        log_q = log_q_values_of(search, label, log_p, (link.pair[0] for link in links))
        outcome = self._with_tests(outcome, len(questions) + 2 * len(effects) + tests)
        in_order = sorted(
            (*outcome.through_labels, *links), key=lambda link: search.data.positions[link.pair[0]]
        )
        return replace(
            outcome,
            report=replace(outcome.report, log_q_values={**log_q, **outcome.report.log_q_values}),
            through_labels=tuple(in_order),
        )

    @staticmethod
    def _with_tests(outcome: LabelOutcome, tests: int) -> LabelOutcome:
        return replace(outcome, report=replace(outcome.report, tests=outcome.report.tests + tests))

    def _related_labels(self) -> dict[int, dict[int, Indices]]:
        """List the labels in the boundary of each label, or in whose boundary it is, with shared effects."""
        related: dict[int, dict[int, Indices]] = {label: {} for label in self._outcomes}
        for label, outcome in self._outcomes.items():
            members = dict.fromkeys(outcome.findings.neighbourhood.members, ())
            related[label] = {
                other: effects
                for other, effects in (_spouses(outcome.findings) | members).items()
                if other in related
            }
        for label, others in list(related.items()):
            for other, effects in list(others.items()):
                if not self._search.is_later(label, other):
                    related[other].setdefault(label, effects)
        # In the order of names, which the order of columns does not change.
        names = self._search.data.names
        return {
            label: dict(sorted(others.items(), key=lambda each: names[each[0]]))
            for label, others in related.items()
        }

    def _questions(self, label: int) -> list[Question]:
        """Ask of every feature that may be linked indirectly, given the effects on each way to it."""
        positions = self._search.data.positions
        outcome = self._outcomes[label]
        linked = {positions[each.feature] for each in outcome.report.evidence}
        linked |= {positions[each.pair[0]] for each in outcome.through_labels}
        asked: dict[Question, None] = {}
        for way in self._ways_from(label):
            for feature, children in self._features[way.end].items():
                if feature in linked or way.is_blocked_before(feature, self._features[way.before]):
                    continue
                for effects in self._opened_by(children, way.end):
                    given = _joined(way.given, effects)
                    if feature not in given and len(given) <= self._most_effects:
                        asked[label, feature, given] = None
        return list(asked)

    def _ways_from(self, label: int) -> list[_Way]:
        """List the ways from a label to those that others join with it, the shortest first."""
        ways = [_Way(label, label, ())]
        known = set(ways)
        count = dict.fromkeys(self._outcomes, 0)
        for way in ways:
            for other, children in self._related[way.end].items():
                if other == label or way.is_blocked_before(other, self._related[way.before]):
                    continue
                for effects in self._opened_by(children, way.end):
                    longer = _Way(other, way.end, _joined(way.given, effects))
                    is_new = longer not in known and len(longer.given) <= self._most_effects
                    if is_new and count[other] < _MOST_WAYS:
                        count[other] += 1
                        known.add(longer)
                        ways.append(longer)
        return ways[1:]

    def _opened_by(self, children: Indices, cause: int) -> list[Indices]:
        """List what opens the part from a label that children connect: any of them, or effects of labels."""
        if not children:
            return [()]
        effects = (
            self._effects_of(child, cause) if child in self._outcomes else (child,) for child in children
        )
        names = self._search.data.names
        return [(effect,) for effect in sorted({*chain.from_iterable(effects)}, key=names.__getitem__)]

    def _effects_of(self, label: int, cause: int) -> Indices:
        """List features that are effects of a label, given one of its causes.

        Such are those that connect it with spouses, and its neighbours that tell nothing of the cause beside
        it: another cause would be a spouse.
        """
        children = [link.child for link in self._outcomes[label].findings.links]
        effects = [child for child in children if child not in self._outcomes]
        effects += [
            feature
            for feature, shared in self._features[label].items()
            if not shared and feature not in self._features[cause]
        ]
        return tuple(dict.fromkeys(effects))[:_MOST_EFFECTS]

    def _features_of(self, label: int) -> dict[int, Indices]:
        """List the features that count for a label, strongest first, with the effects shared with it."""
        positions = self._search.data.positions
        # The first reason is that of the strongest rule.
        reasons: dict[int, Evidence] = {}
        for each in self._outcomes[label].report.evidence:
            if positions[each.feature] not in self._outcomes:
                reasons.setdefault(positions[each.feature], each)
        strongest_first = sorted(reasons.items(), key=lambda found: (-found[1].strength, found[1].feature))
        return {
            feature: tuple(positions[child] for child in reason.children)
            for feature, reason in strongest_first
        }

    def _reasons(self, label: int, effects: Mapping[str, Indices]) -> dict[str, list[Evidence]]:
        """Make the tests that show each link once more, in full."""
        data = self._search.data
        asked: dict[str, JointQuestion] = {
            feature: (label, (data.positions[feature],), given) for feature, given in effects.items()
        }
        alone: list[JointQuestion] = [(label, features, ()) for _, features, _ in asked.values()]
        records = make_records(data, [*asked.values(), *alone], self._search.stop)
        self._search.check_stop()
        return {
            feature: [
                Evidence(
                    feature=feature,
                    label=data.names[label],
                    rule=Rule.SPOUSE if given else Rule.NEIGHBOUR,
                    children=tuple(data.names[each] for each in given),
                    tests=(shown,),
                    marginal=marginal,
                )
            ]
            for (feature, given), shown, marginal in zip(
                effects.items(), records[: len(asked)], records[len(asked) :], strict=True
            )
        }


def _spouses(findings: LabelFindings) -> dict[int, Indices]:
    """List the spouses of a label, with their children."""
    found: dict[int, Indices] = {}
    for link in findings.links:
        found[link.spouse] = (*found.get(link.spouse, ()), link.child)
    return found


def _joined(first: Indices, second: Indices) -> Indices:
    return tuple(sorted({*first, *second}))
