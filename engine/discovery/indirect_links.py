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
feature and the label are associated, too, given the shared effects on the way and nothing else: at the level
of the search or, as each of its parts was found, at a level of .05. Categories are then tested in the
direction that the parts imply (:mod:`engine.independence.implied_association`).
That leaves out what a label does not pass on because the feature and the other label are both causes of it.
Without a shared effect it is stated only where a set with labels separates the two: otherwise labels share
more than is measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri

from engine.boundaries.neighbourhoods import Indices, Neighbourhoods
from engine.discovery.evidence import LEVEL_OF_WHOLE, DecidedBy, Evidence, Rule
from engine.discovery.label_findings import LabelFindings
from engine.discovery.label_outcome import LabelOutcome, explained_links, log_q_values_of
from engine.independence.batch import JointQuestion, Question, ask
from engine.independence.false_discovery import discoveries
from engine.independence.implied_association import implied_log_p
from engine.independence.record import TestRecord, make_records

# Of the ways from one label to another so many, the shortest first.
_MOST_WAYS = 4
# Of the effects of a label so many.
_MOST_EFFECTS = 3


class _Way(NamedTuple):
    """A way over labels, and the effects given which it is open."""

    labels: Indices
    given: Indices

    @property
    def end(self) -> int:
        """The label at which it ends."""
        return self.labels[-1]

    @property
    def before(self) -> int:
        """The label before that."""
        return self.labels[-2]

    def is_blocked_before(self, further: int, around_before: Mapping[int, Indices]) -> bool:
        """Tell whether a variable is next to the label before, or shares the end with it as an effect."""
        children = around_before.get(further)
        return self.end != self.before and children is not None and (not children or self.end in children)


class _Whole(NamedTuple):
    """Evidence that the ends of a link are associated given effects, by steps if not as a whole."""

    is_by_steps: bool
    effect_count: int
    log_p: float
    given: tuple[str, ...]
    steps: tuple[str, ...]  # the labels on the way from the feature, where it is by steps


class IndirectLinks:
    """Joins the links that were found around labels, whose positions are the keys of `outcomes`."""

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
        best = self._wholes(questions)
        if not best:
            return self._with_tests(outcome, len(questions))
        wholes = {search.data.names[feature]: whole for feature, whole in sorted(best.items())}
        effects = {
            feature: tuple(search.data.positions[name] for name in whole.given)
            for feature, whole in wholes.items()
        }
        reasons = self._reasons(label, wholes, effects)
        search = search.seen_from(label)
        explained, tests = explained_links(
            search, tuple(self._outcomes), outcome.findings, reasons, effects, fewest_labels=1
        )
        links = [replace(link, steps=wholes[link.pair[0]].steps) for link in explained]
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

    def _wholes(self, paths: Mapping[Question, Indices]) -> dict[int, _Whole]:
        """Ask whether the ends of paths are associated, and return what shows it, by feature."""
        search, questions = self._search, list(paths)
        answers = ask(search.data, questions, search.stop)
        search.check_stop()
        significant = answers.dependent & answers.reliable
        if search.settings.false_discovery != "none":
            significant &= discoveries(answers.log_p, search.settings.alpha, search.settings.false_discovery)
        level = math.log(max(LEVEL_OF_WHOLE, search.settings.alpha))
        best: dict[int, _Whole] = {}
        for position in np.flatnonzero(answers.reliable).tolist():
            question, log_p = questions[position], float(answers.log_p[position])
            _, feature, given = question
            is_by_steps = not significant[position]
            if is_by_steps:
                log_p = self._log_p_by_steps(paths[question], given, log_p)
            if not is_by_steps or log_p <= level:
                names = tuple(search.data.names[held] for held in given)
                between = paths[question][1:-1] if is_by_steps else ()
                steps = tuple(search.data.names[passed] for passed in between)
                whole = _Whole(is_by_steps, len(given), log_p, names, steps)
                best[feature] = min(whole, best.get(feature, whole))
        return best

    @staticmethod
    def _with_tests(outcome: LabelOutcome, tests: int) -> LabelOutcome:
        return replace(outcome, report=replace(outcome.report, tests=outcome.report.tests + tests))

    def _related_labels(self) -> dict[int, dict[int, Indices]]:
        """List the labels in the boundary of each label, or in whose boundary it is, with shared effects."""
        related: dict[int, dict[int, Indices]] = {label: {} for label in self._outcomes}
        for label, outcome in self._outcomes.items():
            members = dict.fromkeys(outcome.findings.neighbourhood.members, ())
            related[label] = {
                related_label: effects
                for related_label, effects in (_spouses(outcome.findings) | members).items()
                if related_label in related
            }
        for label, others in list(related.items()):
            for related_label, effects in list(others.items()):
                if not self._search.is_later(label, related_label):
                    related[related_label].setdefault(label, effects)
        # In the order of names, which the order of columns does not change.
        names = self._search.data.names
        return {
            label: dict(sorted(others.items(), key=lambda entry: names[entry[0]]))
            for label, others in related.items()
        }

    def _questions(self, label: int) -> dict[Question, Indices]:
        """Return tests of features given the effects on each way, with the shortest way to the label."""
        positions = self._search.data.positions
        outcome = self._outcomes[label]
        linked = {positions[evidence.feature] for evidence in outcome.report.evidence}
        linked |= {positions[through_label.pair[0]] for through_label in outcome.through_labels}
        questions: dict[Question, Indices] = {}
        for way in self._ways_from(label):
            for feature, children in self._features[way.end].items():
                if feature in linked or way.is_blocked_before(feature, self._features[way.before]):
                    continue
                for effects in self._opened_by(children, way.end):
                    given = _joined(way.given, effects)
                    if feature not in given and len(given) <= self._most_effects:
                        questions.setdefault((label, feature, given), (feature, *reversed(way.labels[1:])))
        return questions

    def _log_p_by_steps(self, path: Indices, given: Indices, log_p: float) -> float:
        """Test the two ends of a path in the direction that its steps imply, where all are categories."""
        counted = self._search.data.counted_codes((*path, *given))
        return float(log_p) if counted is None else implied_log_p(*counted, len(path))

    def _ways_from(self, label: int) -> list[_Way]:
        """List the ways from a label to those that others join with it, the shortest first."""
        ways = [_Way((label, label), ())]
        steps_seen = set()
        count = dict.fromkeys(self._outcomes, 0)
        for way in ways:
            for next_label, children in self._related[way.end].items():
                if next_label == label or way.is_blocked_before(next_label, self._related[way.before]):
                    continue
                for effects in self._opened_by(children, way.end):
                    longer = _Way((*way.labels, next_label), _joined(way.given, effects))
                    step = way.end, next_label, longer.given
                    is_new = step not in steps_seen and len(longer.given) <= self._most_effects
                    if is_new and count[next_label] < _MOST_WAYS:
                        count[next_label] += 1
                        steps_seen.add(step)
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

        Children that connect spouses, and neighbours independent of the cause beside the label: another cause
        would be a spouse.
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
        for evidence in self._outcomes[label].report.evidence:
            if positions[evidence.feature] not in self._outcomes:
                reasons.setdefault(positions[evidence.feature], evidence)
        strongest_first = sorted(reasons.items(), key=lambda reason: (-reason[1].strength, reason[1].feature))
        return {
            feature: tuple(positions[child] for child in reason.children)
            for feature, reason in strongest_first
        }

    def _reasons(
        self, label: int, wholes: Mapping[str, _Whole], effects: Mapping[str, Indices]
    ) -> dict[str, list[Evidence]]:
        """Make the tests that show each link once more, in full."""
        data = self._search.data
        questions: dict[str, JointQuestion] = {
            feature: (label, (data.positions[feature],), given) for feature, given in effects.items()
        }
        alone: list[JointQuestion] = [(label, features, ()) for _, features, _ in questions.values()]
        records = make_records(data, [*questions.values(), *alone], self._search.stop)
        self._search.check_stop()
        return {
            feature: [
                Evidence(
                    feature=feature,
                    label=data.names[label],
                    rule=Rule.SPOUSE if given else Rule.NEIGHBOUR,
                    children=tuple(data.names[position] for position in given),
                    tests=(_in_direction(shown, wholes[feature]) if wholes[feature].is_by_steps else shown,),
                    marginal=marginal,
                    decided_by=DecidedBy.STEPS if wholes[feature].is_by_steps else DecidedBy.TESTS,
                )
            ]
            for (feature, given), shown, marginal in zip(
                effects.items(), records[: len(questions)], records[len(questions) :], strict=True
            )
        }


def _in_direction(record: TestRecord, whole: _Whole) -> TestRecord:
    """Return the record of a test with the p-value of that of one degree of freedom and one side."""
    if whole.log_p == record.log_p:
        return record
    p_value = math.exp(whole.log_p)
    return replace(record, statistic=float(chdtri(1, p_value)), dof=1.0, p_value=p_value, log_p=whole.log_p)


def _spouses(findings: LabelFindings) -> dict[int, Indices]:
    """List the spouses of a label, with their children."""
    children_of: dict[int, Indices] = {}
    for link in findings.links:
        children_of[link.spouse] = (*children_of.get(link.spouse, ()), link.child)
    return children_of


def _joined(first: Indices, second: Indices) -> Indices:
    return tuple(sorted({*first, *second}))
