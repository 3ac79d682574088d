"""The comparison on tiny networks: what it finds, what it keeps, what it cuts, where it goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine.boundaries.several import RepeatedKiambOptions, TieStarOptions
from engine.comparison.networks import BenchmarkResult, BenchmarkSettings, benchmark
from engine.comparison.networks import run as run_module
from engine.comparison.networks.benchmark_settings import variants
from engine.comparison.networks.methods import Method, intersected, methods
from engine.comparison.networks.run import Deadline
from engine.errors import InvalidParameter, UnreadableFile
from engine.progress import ProgressEvent, SilentProgress
from engine.simulation import score

pytestmark = pytest.mark.usefixtures("pictures_not_drawn")

TINY = BenchmarkSettings(
    labels=4,
    features=30,
    rows=600,
    seeds=2,
    budget=60.0,
    cells=("0.5/0", "0.5/0.5"),
    methods=("clcd", "hiton-mb"),
    variants=("default",),
)
# For what is counted or only compared with itself, and not looked at.
TINIEST = replace(TINY, features=10, rows=200)


class StopAfter(SilentProgress):
    """Asks to stop once some outcomes are there."""

    def __init__(self, outcomes: int) -> None:
        self._left = outcomes

    def count(self, result: BenchmarkResult) -> None:
        self._left -= 1

    def should_stop(self) -> bool:
        return self._left <= 0


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the methods that are really run, warm-up aside."""
    ran: list[str] = []
    for name, method in methods().items():

        def find(dataset, settings, progress, name=name, method=method):
            ran.append(name)
            return method.find(dataset, settings, progress)

        methods_with_fake = {**run_module.methods(), name: replace(method, find=find)}
        monkeypatch.setattr(run_module, "methods", lambda replaced=methods_with_fake: replaced)
    monkeypatch.setattr("engine.comparison.networks.run.warm_up", lambda method, settings, has_numbers: None)
    return ran


def without_times(result: BenchmarkResult) -> list[object]:
    return [replace(outcome, seconds=0.0, processor_seconds=0.0) for outcome in result.outcomes]


def test_intersections_by_hand() -> None:
    boundaries = {
        "l1": ["a", "b", "l2"],
        "l2": {"b", "c"},
        "l3": frozenset({"b", "d", "e"}),
        "l4": [],
    }
    assert intersected(boundaries, ["a", "b", "c", "d", "z"]) == {
        "a": frozenset({"l1"}),
        "b": frozenset({"l1", "l2", "l3"}),
        "c": frozenset({"l2"}),
        "d": frozenset({"l3"}),
    }


def test_a_baseline_is_its_algorithm_asked_label_by_label() -> None:
    network = engine.simulate(labels=4, features=40, rows=800, seed=3)
    settings = engine.DiscoverySettings(alpha=0.05, workers=2)
    for algorithm in ("iamb", "hiton-mb", "ccmb"):
        expected: dict[str, set[str]] = {}
        for label in network.dataset.labels:
            boundary = engine.markov_boundary(network.dataset, label, settings, algorithm=algorithm)
            for member in set(boundary.members) & set(network.dataset.features):
                expected.setdefault(member, set()).add(label)
        label_sets = methods()[algorithm].find(network.dataset, settings, SilentProgress())
        assert label_sets == expected


@pytest.mark.parametrize(
    ("name", "algorithm", "options"),
    [
        ("kiamb", "kiamb-repeated", RepeatedKiambOptions(repeats=10)),
        ("tie-star", "tie-star", TieStarOptions()),
    ],
)
def test_of_several_boundaries_the_union_counts(name: str, algorithm: str, options: object) -> None:
    network = engine.simulate(labels=2, features=20, rows=800, multiple_boundaries=1.0, seed=1)
    settings = engine.DiscoverySettings(workers=1)
    expected: dict[str, set[str]] = {}
    for label in network.dataset.labels:
        boundaries = engine.markov_boundaries(
            network.dataset, label, settings, algorithm=algorithm, options=options
        )
        assert name == "kiamb" or len(boundaries.boundaries) > 1
        for boundary in boundaries.boundaries:
            for member in set(boundary.members) & set(network.dataset.features):
                expected.setdefault(member, set()).add(label)
    assert methods()[name].find(network.dataset, settings, SilentProgress()) == expected


def test_outcomes_are_those_of_the_public_functions() -> None:
    result = benchmark(TINY)
    assert not result.is_partial
    assert len(result.outcomes) == 2 * 2 * 2
    for outcome in result.of("0.5/0.5", "default", "clcd"):
        network = engine.simulate(
            labels=4, features=30, rows=600, label_causality=0.5, multiple_boundaries=0.5, seed=outcome.seed
        )
        label_sets = engine.discover(network.dataset, variants()["default"].settings).label_sets
        assert outcome.scores == score(label_sets, network.truth)


def test_networks_with_numbers_are_compared_too() -> None:
    """Numbers stay numbers at the defaults; where a test counts categories, all methods get them cut."""
    kinds = ("numbers/smooth", "mixed/linear")
    settings = replace(TINY, cells=kinds, seeds=1, variants=("default", "as-published"))
    result = benchmark(settings)
    assert len(result.outcomes) == 8
    network = engine.simulate(
        labels=4, features=30, rows=600, variables="numbers", relations="smooth", graph="random", strength=0.7
    )
    halves = engine.prepare(network.dataset, discretise="median")
    for variant, dataset in (("default", network.dataset), ("as-published", halves)):
        result_of_variant = engine.discover(dataset, variants()[variant].settings)
        (outcome,) = result.of("numbers/smooth", variant, "clcd")
        assert outcome.scores == score(result_of_variant.label_sets, network.truth)


def test_the_harder_networks_are_simulated_without_a_margin() -> None:
    settings = replace(TINY, margin=0.0, seeds=1, cells=("0.5/0.5",), methods=("hiton-mb",))
    (outcome,) = benchmark(settings).outcomes
    network = engine.simulate(
        labels=4, features=30, rows=600, label_causality=0.5, multiple_boundaries=0.5, seed=0, margin=0.0
    )
    label_sets = methods()["hiton-mb"].find(network.dataset, engine.DiscoverySettings(), SilentProgress())
    assert outcome.scores == score(label_sets, network.truth)


def test_the_same_for_any_number_of_workers() -> None:
    settings = replace(TINIEST, methods=tuple(methods()), seeds=1, cells=TINY.cells[1:])
    one, two = (benchmark(replace(settings, workers=workers)) for workers in (1, 2))
    assert without_times(one) == without_times(two)


def test_a_finished_comparison_is_not_repeated(tmp_path: Path, searches: list[str]) -> None:
    first = benchmark(TINIEST, tmp_path)
    assert len(searches) == len(first.outcomes)
    searches.clear()
    again = benchmark(TINIEST, tmp_path)
    assert searches == []
    assert again == first


def test_an_interrupted_comparison_goes_on(tmp_path: Path, searches: list[str]) -> None:
    progress = StopAfter(3)
    begun = benchmark(TINIEST, tmp_path, progress, progress.count)
    assert begun.is_partial
    assert len(begun.outcomes) == 3
    assert "was stopped: 3 of 8" in (tmp_path / "benchmark.html").read_text("utf-8")
    searches.clear()
    whole = benchmark(TINIEST, tmp_path)
    assert len(searches) == 5
    assert whole.outcomes[:3] == begun.outcomes
    assert without_times(whole) == without_times(benchmark(TINIEST))


def test_other_settings_are_measured_anew(tmp_path: Path, searches: list[str]) -> None:
    benchmark(replace(TINIEST, seeds=1), tmp_path)
    for changed in ({"rows": 150}, {"margin": 0.0}, {"labels": 3}, {"variants": ("as-published",)}):
        searches.clear()
        benchmark(replace(TINIEST, seeds=1, **changed), tmp_path)
        assert len(searches) == 4, changed
    searches.clear()
    benchmark(TINIEST, tmp_path)
    assert len(searches) == 4, "only the second network is new"


def test_nothing_is_written_when_stopped_at_once(tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = benchmark(TINY, out, StopAfter(0))
    assert result.outcomes == ()
    assert not out.exists()


def test_a_damaged_outcome_is_named(tmp_path: Path) -> None:
    settings = replace(TINY, seeds=1, cells=("0.5/0",), methods=("hiton-mb",))
    benchmark(settings, tmp_path)
    (outcome_file,) = (tmp_path / "runs").iterdir()
    outcome_file.write_text("{", "utf-8")
    with pytest.raises(UnreadableFile, match=outcome_file.name):
        benchmark(settings, tmp_path)


def test_a_method_over_its_budget_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first baseline never ends by itself; only the budget ends it."""
    calls: list[int] = []

    def endless(dataset, settings, progress):
        if dataset.row_count != 600:
            return {}
        while not progress.should_stop():
            calls.append(1)
        return None

    methods_with_fake = {**methods(), "hiton-mb": Method("hiton-mb", "∩HITON-MB", "Never ends.", endless)}
    monkeypatch.setattr(run_module, "methods", lambda: methods_with_fake)
    settings = replace(TINY, seeds=1, cells=("0.5/0",), budget=0.2)
    result = benchmark(replace(settings, methods=("hiton-mb",)), tmp_path)
    (outcome,) = result.outcomes
    assert calls
    assert outcome.is_cut
    assert outcome.scores is None and outcome.f1 is None
    assert outcome.processor_seconds >= 0.2
    calls.clear()
    assert benchmark(replace(settings, methods=("hiton-mb",), budget=0.1), tmp_path) == replace(
        result, settings=replace(settings, methods=("hiton-mb",), budget=0.1)
    )
    assert not calls, "what 0.2 s did not suffice for, 0.1 s does not either"
    benchmark(replace(settings, methods=("hiton-mb",), budget=0.3), tmp_path)
    assert calls, "a larger budget is a new chance"


def test_real_searches_heed_the_budget() -> None:
    network = engine.simulate(labels=4, features=60, rows=2000, seed=0)
    for method in methods().values():
        deadline = Deadline(0.0, SilentProgress(), lambda event: None)
        assert method.find(network.dataset, engine.DiscoverySettings(), deadline) is None, method.name


def test_a_deadline_listens_to_time_and_person() -> None:
    now = [0.0]
    heard: list[ProgressEvent] = []
    deadline = Deadline(2.0, SilentProgress(), heard.append, clock=lambda: now[0])
    deadline.report(ProgressEvent("Searching", 1, 2))
    assert [event.done for event in heard] == [1]
    assert not deadline.should_stop()
    now[0] = 2.5
    assert deadline.should_stop() and deadline.is_over
    person = Deadline(2.0, StopAfter(0), heard.append, clock=lambda: 0.0)
    assert person.should_stop() and not person.is_over


def test_it_stops_while_a_network_is_simulated(tmp_path: Path) -> None:
    class Stopped(SilentProgress):
        simulates = False

        def report(self, event: ProgressEvent) -> None:
            self.simulates = self.simulates or event.stage == "Simulating"

        def should_stop(self) -> bool:
            return self.simulates

    progress = Stopped()
    # To the end, it would take half a minute.
    result = benchmark(replace(TINY, features=50_000, cells=("0.5/0",)), tmp_path, progress)
    assert progress.simulates and result.outcomes == () and not list(tmp_path.rglob("*.json"))


def test_kept_outcomes_name_all_their_settings(tmp_path: Path) -> None:
    benchmark(replace(TINY, seeds=1, cells=("0.5/0",), methods=("clcd",)), tmp_path)
    (outcome_file,) = (tmp_path / "runs").iterdir()
    key = json.loads(outcome_file.read_text("utf-8"))["key"]
    assert key["version"] == engine.__version__
    assert key["simulation"]["rows"] == 600
    assert key["settings"]["alpha"] == engine.DiscoverySettings().alpha
    assert key["method"] == "clcd"


@pytest.mark.parametrize("name", ["cells", "methods", "variants"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(InvalidParameter, match=name):
        BenchmarkSettings(**{name: ("nonsense",)})
    with pytest.raises(InvalidParameter, match=name):
        BenchmarkSettings(**{name: ()})


def test_names_are_put_into_order() -> None:
    assert BenchmarkSettings(methods=("clcd", "iamb")).methods == ("iamb", "clcd")
