"""Discovery results made by hand, so that the views are tried on any shape: tiny, huge, empty, partial."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.markov_boundary import MarkovBoundary
from engine.discovery.evidence import Equivalence, Evidence, MissedShare, Pair, Rule, TestRecord, Verdict
from engine.discovery.result import DiscoveryResult
from engine.discovery.stability.result import PairCount, StabilityResult, StabilitySettings, TypeCount
from engine.table.dataset import Dataset, Note
from engine.table.variable import Kind, Role, Variable

MUSIC_LABELS = (
    "amazed-suprised",
    "happy-pleased",
    "relaxing-calm",
    "quiet-still",
    "sad-lonely",
    "angry-aggresive",
)
CHINESE_LABELS = ("高血压", "糖尿病", "冠状动脉粥样硬化性心脏病", "慢性肾脏病")
LONG_NAME = "Mean of the standard deviations of the mel-frequency cepstral coefficient no. {} ÷"


def make_test(
    x: str,
    y: str,
    given: tuple[str, ...] = (),
    *,
    log_p: float = -7.118,
    effect: float = 0.3,
    rows: int = 593,
) -> TestRecord:
    statistic = round(max(0.01, -1.7 * log_p), 3)
    p_value = math.exp(log_p) if log_p > -700 else 0.0
    return TestRecord(x, (y,), given, statistic, 2.0 ** len(given), p_value, log_p, effect, rows)


def make_dataset(
    labels: tuple[str, ...], features: tuple[str, ...], rows: int = 60, notes: tuple[Note, ...] = ()
) -> Dataset:
    generator = np.random.default_rng(0)
    columns = generator.integers(0, 2, size=(len(labels) + len(features), rows), dtype=np.int8)
    variables = [Variable(name, Kind.NOMINAL, Role.FEATURE, ("no", "yes")) for name in features]
    variables += [Variable(name, Kind.NOMINAL, Role.LABEL, ("no", "yes")) for name in labels]
    return Dataset(tuple(variables), tuple(columns), "made by hand", notes)


class _Builder:
    """Gives features to labels at random, but always the same ones."""

    def __init__(self, labels: tuple[str, ...], features: tuple[str, ...], seed: int) -> None:
        self.labels = labels
        self.features = features
        self.generator = np.random.default_rng(seed)
        self.neighbours: dict[str, list[str]] = {label: [] for label in labels}
        self.spouses: dict[str, dict[str, frozenset[str]]] = {label: {} for label in labels}
        self.evidence: dict[Pair, list[Evidence]] = {}
        self.equivalences: list[Equivalence] = []
        self.open_questions: list[Equivalence] = []
        self.label_evidence: dict[Pair, Evidence] = {}

    def effect(self) -> float:
        return float(np.round(0.08 + 0.85 * self.generator.beta(1.4, 3.0), 4))

    def log_p(self) -> float:
        return -float(self.generator.gamma(1.5, 30.0)) - 4.7

    def add(self, feature: str, label: str) -> None:
        draw = self.generator.random()
        members = self.neighbours[label]
        if members and draw > 0.82:
            self._stand_in(feature, label, members[int(self.generator.integers(len(members)))])
        elif members and draw > 0.62:
            self._spouse(feature, label, members[int(self.generator.integers(len(members)))])
        else:
            self._neighbour(feature, label)

    def _file(self, record: Evidence) -> None:
        self.evidence.setdefault(record.pair, []).append(record)

    def _neighbour(self, feature: str, label: str) -> None:
        log_p, effect = self.log_p(), self.effect()
        given = tuple(self.neighbours[label][:2])
        tests = [make_test(label, feature, log_p=2 * log_p, effect=effect)]
        if given:
            tests.append(make_test(label, feature, given, log_p=log_p, effect=0.7 * effect))
        self.neighbours[label].append(feature)
        self._file(Evidence(feature, label, Rule.NEIGHBOUR, tests=tuple(tests), marginal=tests[0]))

    def _spouse(self, feature: str, label: str, child: str) -> None:
        self.spouses[label][feature] = frozenset({child})
        test = make_test(label, feature, (child,), log_p=self.log_p(), effect=self.effect())
        self._file(Evidence(feature, label, Rule.SPOUSE, children=(child,), tests=(test,)))

    def _stand_in(self, feature: str, label: str, member: str) -> None:
        effect = self.effect()
        tests = (
            make_test(label, feature, log_p=self.log_p(), effect=effect),
            make_test(label, member, log_p=self.log_p(), effect=effect),
            make_test(label, feature, (member,), log_p=math.log(0.41), effect=0.03),
            make_test(label, member, (feature,), log_p=math.log(0.23), effect=0.04),
        )
        self._file(
            Evidence(
                feature, label, Rule.NEIGHBOUR_EQUIVALENT, partner=(member,), tests=tests, marginal=tests[0]
            )
        )
        order = (tests[1], tests[0], tests[2], tests[3])
        self.equivalences.append(
            Equivalence(
                label,
                (member,),
                (feature,),
                *order,
                missed_by_boundary=MissedShare(0.0, 0.03),
                missed_by_equivalent=MissedShare(0.01, 0.06),
            )
        )

    def leave_open(self, feature: str, label: str) -> None:
        """Let the rows not tell a feature apart from the first neighbour of a label."""
        members = [name for name in self.neighbours[label] if (name, label) in self.evidence]
        if not members or (feature, label) in self.evidence:
            return
        tests = (
            make_test(label, members[0], log_p=self.log_p(), effect=0.3),
            make_test(label, feature, log_p=self.log_p(), effect=0.2),
            make_test(label, feature, (members[0],), log_p=math.log(0.3), effect=0.05),
            make_test(label, members[0], (feature,), log_p=math.log(0.02), effect=0.1),
        )
        missed = MissedShare(0.05, 0.31), MissedShare(0.2, 1.4)
        self.open_questions.append(
            Equivalence(label, (members[0],), (feature,), *tests, Verdict.NOT_TOLD_APART, *missed)
        )

    def relate(self, first: str, second: str) -> None:
        for label, other_label in ((first, second), (second, first)):
            self.neighbours[label].append(other_label)
            test = make_test(label, other_label, log_p=self.log_p(), effect=self.effect())
            self.label_evidence[other_label, label] = Evidence(
                other_label, label, Rule.NEIGHBOUR, tests=(test,), marginal=test
            )


def make_result(
    *,
    labels: tuple[str, ...] | int = MUSIC_LABELS,
    features: tuple[str, ...] | int = 72,
    common: int = 5,
    specific: int = 9,
    related: int = 2,
    unfinished: int = 0,
    seed: int = 4,
    notes: tuple[Note, ...] = (),
    unreliable: int = 0,
) -> DiscoveryResult:
    """Make a result in which `common` features serve several labels and `specific` ones serve one."""
    if isinstance(labels, int):
        labels = tuple(f"label {number}" for number in range(1, labels + 1))
    if isinstance(features, int):
        features = tuple(f"feature {number}" for number in range(1, features + 1))
    finished = labels[: len(labels) - unfinished]
    builder = _Builder(finished, features, seed)
    for place in range(min(related, len(finished) - 1)):
        builder.relate(finished[place], finished[place + 1])
    for number, feature in enumerate(features[: common + specific]):
        count = 1
        if number < common:
            largest = min(len(finished), 6)
            count = min(2 + int(builder.generator.geometric(0.5)) - 1, largest)
        for place in sorted(builder.generator.choice(len(finished), size=count, replace=False)):
            builder.add(feature, finished[int(place)])
    for feature, label in zip(features[1 : common + specific : 3], finished, strict=False):
        builder.leave_open(feature, label)
    return DiscoveryResult(
        dataset=make_dataset(labels, features, notes=notes),
        settings=DiscoverySettings(workers=1),
        boundaries={
            label: MarkovBoundary(label, tuple(builder.neighbours[label]), builder.spouses[label], 100)
            for label in finished
        },
        equivalence_records=tuple(builder.equivalences),
        undistinguished_records=tuple(builder.open_questions),
        evidence={key: tuple(reasons) for key, reasons in builder.evidence.items()},
        label_evidence=builder.label_evidence,
        unfinished_labels=labels[len(finished) :],
        tests_made=48213,
        unreliable_tests=unreliable,
        seconds=3.2,
    )


def music_names(count: int = 72) -> tuple[str, ...]:
    """Names as the Emotions table has them."""
    kinds = ("Mean_Acc1298_Mean_Mem40_MFCC_{}", "Std_MFCC_{}", "BH_LowPeakAmp_{}", "Mean_Centroid_{}")
    return tuple(kinds[place % 4].format(place // 4) for place in range(count))


_MAKERS = {
    "usual": lambda: make_result(features=music_names()),
    "one label": lambda: make_result(labels=("ill",), common=0, specific=7, related=0),
    "no findings": lambda: make_result(common=0, specific=0, related=0),
    "partial": lambda: make_result(unfinished=2, unreliable=312),
    "long names": lambda: make_result(
        labels=tuple(LONG_NAME.format(place) for place in range(5)),
        features=tuple(LONG_NAME.format(place) for place in range(100, 160)),
    ),
    "chinese": lambda: make_result(
        labels=CHINESE_LABELS, features=tuple(f"第{place}项血液检查指标" for place in range(1, 41))
    ),
    "many labels": lambda: make_result(labels=174, features=500, common=180, specific=160, related=40),
    "large": lambda: make_result(labels=174, features=5000, common=2400, specific=2600, related=60),
}
# Nothing changes a result, so that every test of a shape can look at the same one.
SHAPES = {shape: cache(make) for shape, make in _MAKERS.items()}


def with_repetitions(result: DiscoveryResult, resamples: int = 50, finished: int = 50) -> DiscoveryResult:
    """Attach frequencies: the strongest finding always found again, the weakest hardly, and a near miss."""
    generator = np.random.default_rng(1)
    never = dict.fromkeys(Rule, 0)
    pairs, types = {}, {}
    for key, reasons in result.evidence.items():
        reason = reasons[0]
        times = int(generator.binomial(finished, min(0.3 + reason.strength, 1.0)))
        pairs[key] = PairCount(reason.feature, reason.label, times, never | {reason.rule: times})
    for feature, labels in result.label_sets.items():
        times = min(pairs[feature, label].found for label in labels)
        types[feature] = TypeCount(feature, times if len(labels) > 1 else 0, times if len(labels) == 1 else 0)
    missed, label = result.dataset.features[-1], result.dataset.labels[0]
    near = PairCount(missed, label, finished // 2 + 1, never | {Rule.SPOUSE: finished // 2 + 1})
    return result.with_stability(
        StabilityResult(
            settings=StabilitySettings(resamples=resamples),
            discovery=result.settings,
            content_hash=result.dataset.content_hash,
            finished=finished,
            pairs=pairs | {(missed, label): near},
            types=types,
            relations={
                key: PairCount(
                    pair_evidence.feature,
                    pair_evidence.label,
                    finished,
                    never | {pair_evidence.rule: finished},
                )
                for key, pair_evidence in result.label_evidence.items()
            },
        )
    )
