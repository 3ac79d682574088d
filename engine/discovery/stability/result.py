"""How often each finding came back when parts of the rows were searched again, and the tables of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.evidence import Pair, Rule
from engine.discovery.orientation.direction import Grade
from engine.parameters import Settings, described, parameter, seed_parameter
from engine.translation import N_
from engine.wording.numbers import counted


@described
@dataclass(frozen=True, slots=True)
class StabilitySettings(Settings):
    """How a search is repeated to see what is found again."""

    resamples: int = parameter(
        50,
        N_("Repetitions"),
        N_("Number of repeated searches. With 50, you can distinguish 90% from 80%."),
        minimum=2,
        maximum=10_000,
    )
    share: float = parameter(
        0.5,
        N_("Share of rows"),
        N_("Size of each part of the rows. Complementary halves are recommended."),
        minimum=0.0,
        maximum=1.0,
        open_interval=True,
        advanced=True,
    )
    seed: int = seed_parameter(
        N_("Seed of the random draw. The same seed gives the same parts."),
        advanced=True,
    )

    @property
    def are_paired(self) -> bool:
        """Whether parts come in pairs without a common row, which needs parts of at most one half."""
        return self.share <= 0.5


if TYPE_CHECKING:
    import pandas


_NEVER = dict.fromkeys(Rule, 0)


@dataclass(frozen=True, slots=True)
class FoundAgain:
    """In how many repetitions of the search a feature was found again."""

    times: tuple[int, ...]  # for each of its labels, in the order of these
    finished: int

    @property
    def share(self) -> float:
        """The fewest times as a share, between 0 and 1."""
        return min(self.times) / self.finished


@dataclass(frozen=True, slots=True)
class PairCount:
    """How many repetitions found one variable, a feature or another label, for one label."""

    variable: str
    label: str
    found: int  # by any rule
    by_rule: Mapping[Rule, int]  # one that found it by several rules counts for each of them


@dataclass(frozen=True, slots=True)
class TypeCount:
    """How many repetitions found one feature for several labels, and for exactly one."""

    feature: str
    common: int
    label_specific: int


@dataclass(frozen=True)
class StabilityResult:
    """Selection frequency of every finding in repeated searches of random parts of the rows.

    A frequency is not the probability that a finding is true. A part has fewer rows than the table, so a
    search finds weak effects less often. A true finding with a frequency of 40% is not unusual. A frequency
    shows how much a finding depends on the choice of rows. For networks with known causes,
    ``tests/benchmarks/README.md`` gives the share of true findings at each frequency.

    Interchangeable variables may alternate as the member of a boundary. The other one is then reported as
    interchangeable with it (rules θ2 and θ3). So both have a high frequency by any rule, but the frequencies
    of the single rules are divided between them.

    Attributes
    ----------
    settings : StabilitySettings
        How the parts were drawn.
    discovery : DiscoverySettings
        How each part was searched.
    content_hash : str
        Hash of the table from which the rows were drawn.
    finished : int
        Number of finished repetitions: all of them, unless the run was stopped.
    pairs : mapping of (str, str) to PairCount
        Number of repetitions that found each pair of feature and label, in column order by label, then
        feature.
    types : mapping of str to TypeCount
        By feature, number of repetitions in which it was common or label-specific.
    relations : mapping of (str, str) to PairCount
        By other label and label, number of repetitions in which the first was in the boundary of the second.
    grades : mapping of (str, str) to mapping of Grade to int
        By feature (or other label) and label, number of repetitions that gave each grade to the causal
        direction. Repetitions without a grade are not counted. Empty if directions were not requested.
    seconds : float
        Wall-clock duration in seconds.
    through_labels : mapping of (str, str) to int
        By feature and label, number of repetitions with a link through other labels only. Empty in results of
        earlier versions.
    total_types : mapping of str to TypeCount
        By feature, number of repetitions in which it was linked, directly or through other labels, to several
        labels or to one.

    References
    ----------
    Meinshausen and Bühlmann (2010), Stability selection, JRSSB 72:417-473.
    Shah and Samworth (2013), Variable selection with error control: another look at stability selection,
    JRSSB 75:55-80.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> found = engine.stability(network.dataset, resamples=4)
    >>> found.finished, found.is_partial
    (4, False)
    >>> bool((found.table["found_again"] <= 1).all())
    True
    """

    settings: StabilitySettings
    discovery: DiscoverySettings
    content_hash: str
    finished: int
    pairs: Mapping[Pair, PairCount]
    types: Mapping[str, TypeCount]
    relations: Mapping[Pair, PairCount]
    seconds: float = 0.0
    grades: Mapping[Pair, Mapping[Grade, int]] = field(default_factory=dict)
    through_labels: Mapping[Pair, int] = field(default_factory=dict)
    total_types: Mapping[str, TypeCount] = field(default_factory=dict)

    def __repr__(self) -> str:
        total = counted(self.settings.resamples, "part")
        return f"<StabilityResult: {self.finished:,} of {total} of the rows searched>"

    @property
    def is_partial(self) -> bool:
        """Whether the run was stopped before every repetition was finished."""
        return self.finished < self.settings.resamples

    def times_found(self, feature: str, label: str) -> int:
        """Return the number of repetitions that found a feature for a label, by any rule."""
        return _found(self.pairs, feature, label)

    def times_linked(self, feature: str, label: str) -> int:
        """Return the number of repetitions that linked the two, directly or through other labels."""
        return self.times_found(feature, label) + self.through_labels.get((feature, label), 0)

    def times_by_rule(self, feature: str, label: str) -> Mapping[Rule, int]:
        """Return the number of repetitions that found a feature for a label, by each rule."""
        count = self.pairs.get((feature, label))
        return _NEVER if count is None else count.by_rule

    def times_related(self, other_label: str, label: str) -> int:
        """Return the number of repetitions in which one label was in the boundary of another."""
        return _found(self.relations, other_label, label)

    def times_common(self, feature: str) -> int:
        """Return the number of repetitions that found a feature for two or more labels."""
        count = self.types.get(feature)
        return 0 if count is None else count.common

    def times_common_in_total(self, feature: str) -> int:
        """Return the number of repetitions that linked a feature to two or more labels, by either kind."""
        count = self.total_types.get(feature)
        return 0 if count is None else count.common

    def times_label_specific(self, feature: str) -> int:
        """Return the number of repetitions that found a feature for exactly one label, whichever it was."""
        count = self.types.get(feature)
        return 0 if count is None else count.label_specific

    def times_graded(self, feature: str, label: str, grade: Grade) -> int:
        """Return the number of repetitions that said all that a grade says of a variable as to a label."""
        counted = self.grades.get((feature, label), {})
        return sum(times for counted_grade, times in counted.items() if counted_grade.implies(grade))

    def share(self, times: int) -> float:
        """Turn a number of repetitions into a frequency between 0 and 1."""
        return times / self.finished

    def chance_bound(self, frequency: float, candidate_pairs: int) -> float:
        """Bound how many pairs reach a frequency although they belong to those rarely found.

        With q pairs found by a repetition on average and p candidate pairs, the expected number of pairs that
        a part finds with probability at most q / p, and that yet reach the frequency τ, is at most
        q² / ((2τ - 1) p) (Shah and Samworth 2013, Theorem 1, with q estimated).

        Parameters
        ----------
        frequency : float
            τ, above 0.5 and at most 1.
        candidate_pairs : int
            p, the number of features times the number of labels.

        Returns
        -------
        float
            NaN where the theorem says nothing: parts of more than half the rows, a run that was stopped, an
            odd number of repetitions, or a frequency of at most one half.
        """
        has_whole_pairs = self.settings.are_paired and not self.is_partial and self.finished % 2 == 0
        if not has_whole_pairs or frequency <= 0.5:
            return math.nan
        found_each_time = sum(pair.found for pair in self.pairs.values()) / self.finished
        return found_each_time**2 / ((2 * frequency - 1) * candidate_pairs)

    @cached_property
    def table(self) -> pandas.DataFrame:
        """Every pair that some repetition found, by label, most often found first.

        Columns: ``feature``, ``label``; frequencies, 0 to 1, of the pair: ``found_again`` (any rule),
        ``neighbour``, ``spouse`` (θ1), ``neighbour_equivalent`` (θ2), ``spouse_equivalent`` (θ3); frequencies
        of the feature, for whichever labels: ``common``, ``label_specific``; ``times`` and ``finished``, of
        which ``found_again`` is the quotient.
        """
        import pandas

        rows = [stability_row(self, count) for count in _most_often_first(self.pairs.values())]
        return pandas.DataFrame(rows, columns=list(STABILITY_COLUMNS))

    @cached_property
    def relation_table(self) -> pandas.DataFrame:
        """Every label that some repetition found in the boundary of another label.

        Columns: ``label``, ``related_label``, the frequencies ``found_again``, ``neighbour`` and ``spouse``,
        ``times`` and ``finished``.
        """
        import pandas

        rows = [
            (
                count.label,
                count.variable,
                *map(self.share, (count.found, *(count.by_rule[rule] for rule in RELATION_RULES))),
                count.found,
                self.finished,
            )
            for count in _most_often_first(self.relations.values())
        ]
        return pandas.DataFrame(rows, columns=list(STABILITY_RELATION_COLUMNS))


def _found(counts: Mapping[Pair, PairCount], variable: str, label: str) -> int:
    count = counts.get((variable, label))
    return 0 if count is None else count.found


NEAR_MISS_SHARE = 0.5

_RULE_COLUMNS = {rule: str(rule).replace("-", "_") for rule in Rule}
STABILITY_COLUMNS = (
    "feature",
    "label",
    "found_again",
    *_RULE_COLUMNS.values(),
    "common",
    "label_specific",
    "times",
    "finished",
)
RELATION_RULES = (Rule.NEIGHBOUR, Rule.SPOUSE)
STABILITY_RELATION_COLUMNS = (
    "label",
    "related_label",
    "found_again",
    *(_RULE_COLUMNS[rule] for rule in RELATION_RULES),
    "times",
    "finished",
)


def stability_row(stability: StabilityResult, count: PairCount) -> tuple[str | float, ...]:
    """Write a row of :data:`STABILITY_COLUMNS`."""
    share = stability.share
    return (
        count.variable,
        count.label,
        share(count.found),
        *(share(count.by_rule[rule]) for rule in Rule),
        share(stability.times_common(count.variable)),
        share(stability.times_label_specific(count.variable)),
        count.found,
        stability.finished,
    )


def _most_often_first(counts: Iterable[PairCount]) -> list[PairCount]:
    """Sort within each label; labels stay in column order, and so do features that tie."""
    listed = list(counts)
    labels = {
        label: position for position, label in enumerate(dict.fromkeys(count.label for count in listed))
    }
    return sorted(listed, key=lambda count: (labels[count.label], -count.found))
