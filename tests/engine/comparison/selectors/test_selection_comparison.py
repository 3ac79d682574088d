"""Comparing selectors: what they see, what is kept, and that who does the work changes nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.comparison.selectors import run
from engine.comparison.selectors.data_sets import LabelledTable
from engine.comparison.selectors.methods import SelectorOutput, TrainingRows, selection_methods
from engine.comparison.selectors.result import SelectionOutcome
from engine.comparison.selectors.run import MethodOnSplit, measure, split_rows
from engine.errors import InvalidParameter
from engine.progress import SilentProgress

SETTINGS = engine.SelectionComparisonSettings(
    splits=2,
    percentages=(10, 40),
    methods=("mutual-information", "clcd-fs"),
    most_candidates=2,
    tune_clcd=False,
    workers=1,
)


@pytest.fixture(scope="module")
def table() -> engine.Dataset:
    return engine.simulate(labels=3, features=12, rows=300, seed=0).dataset


@pytest.fixture(scope="module")
def comparison(table: engine.Dataset) -> engine.SelectionComparison:
    return engine.compare_selections([table], SETTINGS)


def timeless(result: engine.SelectionComparison) -> list[dict[str, object]]:
    return without_times([asdict(outcome) for outcome in result.outcomes])


def without_times(outcomes: list[dict[str, object]]) -> list[dict[str, object]]:
    return [outcome | {"seconds": 0, "processor_seconds": 0} for outcome in outcomes]


def test_splits_keep_the_share_of_every_label() -> None:
    labels = np.random.default_rng(0).random((200, 4)) < [0.5, 0.2, 0.1, 0.05]
    split = split_rows(labels, 0.3, (0, 1))
    assert sorted([*split.training, *split.testing]) == list(range(200))
    assert abs(len(split.testing) - 60) <= 2
    np.testing.assert_allclose(labels[split.testing].mean(axis=0), labels.mean(axis=0), atol=0.03)
    assert (split_rows(labels, 0.3, (0, 1)).testing == split.testing).all()
    assert not np.array_equal(split_rows(labels, 0.3, (0, 2)).testing, split.testing)


def test_splits_keep_groups_of_rows_together_and_the_share_of_every_label() -> None:
    generator = np.random.default_rng(0)
    groups = generator.permutation(np.repeat(np.arange(100), 3))
    labels = (generator.random((100, 2)) < [0.5, 0.2])[groups]
    split = split_rows(labels, 0.3, (0, 1), groups)
    assert sorted([*split.training, *split.testing]) == list(range(300))
    assert not set(groups[split.training]) & set(groups[split.testing])
    assert abs(len(split.testing) - 90) <= 6
    np.testing.assert_allclose(labels[split.testing].mean(axis=0), labels.mean(axis=0), atol=0.04)


def test_rivals_are_judged_at_the_number_that_clcd_fs_chose(comparison: engine.SelectionComparison) -> None:
    (name,) = [table.name for table in comparison.tables]
    for rival in comparison.of(name, "mutual-information"):
        equal = comparison.equal_size(name, rival.split)
        assert set(rival.figures) == {1, 5, equal}
        assert len(rival.order) == 12
    for own in comparison.of(name, "clcd-fs"):
        assert list(own.figures) == [len(own.order)] and own.served
    assert comparison.figures(name, "mutual-information", "macro_f1").keys() == {0, 1}


def test_nothing_is_learnt_from_test_rows(table: engine.Dataset) -> None:
    labelled = LabelledTable(table)
    split = split_rows(labelled.labels, 0.3, (0, 0))
    stop = np.zeros(1, np.uint8)
    # The test rows become noise; what is selected, and with which options, must not change.
    generator = np.random.default_rng(1)
    columns = []
    for column in table.columns:
        changed = np.array(column)
        changed[split.testing] = generator.permutation(changed[split.testing])
        columns.append(changed)
    noisy = LabelledTable(replace(table, columns=tuple(columns), coded=None))
    for name in ("sfus", "clcd-fs"):
        first_run, again = (
            measure(MethodOnSplit(values_of_table, split, 0, name, SETTINGS, None), stop)
            for values_of_table in (labelled, noisy)
        )
        assert (first_run.order, first_run.options) == (again.order, again.options)
        assert first_run.figures != again.figures


def test_tuning_on_test_rows_is_never_worse_there(table: engine.Dataset) -> None:
    labelled = LabelledTable(table)
    split = split_rows(labelled.labels, 0.3, (0, 0))
    figures = {}
    for tuning in ("none", "test"):
        settings = replace(SETTINGS, tuning=tuning, percentages=(30,), most_candidates=8)
        outcome = measure(MethodOnSplit(labelled, split, 0, "sfus", settings, None), np.zeros(1, np.uint8))
        figures[tuning] = outcome.figures[4].micro_f1
    assert figures["test"] >= figures["none"]


def test_large_grids_are_sampled_with_the_defaults_first() -> None:
    sfus = selection_methods()["sfus"]
    drawn = sfus.candidates(5, seed=0)
    assert len(drawn) == 5 and drawn[0] == dict(sfus.defaults)
    assert drawn == sfus.candidates(5, seed=0) != sfus.candidates(5, seed=1)
    assert len({tuple(candidate.items()) for candidate in sfus.candidates(10_000, seed=0)}) == 7 * 7
    assert selection_methods()["clcd-fs"].candidates(5, seed=0)[0] == {
        "alpha": 0.01,
        "bins": 2,
        "share": 1,
    }


def test_clcd_fs_is_tuned_only_when_asked(
    table: engine.Dataset, comparison: engine.SelectionComparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = selection_methods()["clcd-fs"]
    assert all(
        outcome.options == method.defaults for outcome in comparison.outcomes if outcome.method == "clcd-fs"
    )
    tried: list[dict[str, float]] = []

    def remember(rows: object, seed: int, options: dict[str, float], stop: object) -> SelectorOutput:
        tried.append(dict(options))
        return SelectorOutput((0, 1), has_own_number=True)

    spied = {"clcd-fs": replace(method, select=remember)}
    monkeypatch.setattr("engine.comparison.selectors.run.selection_methods", lambda: spied)
    labelled = LabelledTable(table)
    split = split_rows(labelled.labels, 0.3, (0, 0))
    for most, expected in ((3, 9), (4, 2 * 3 * 2)):
        tried.clear()
        settings = replace(SETTINGS, tune_clcd=True, most_candidates=most)
        measure(MethodOnSplit(labelled, split, 0, "clcd-fs", settings, None), np.zeros(1, np.uint8))
        assert len({tuple(options.items()) for options in tried}) == expected


@pytest.mark.usefixtures("pictures_not_drawn")
def test_rivals_keep_what_they_selected_when_clcd_fs_selects_otherwise(
    table: engine.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = replace(SETTINGS, methods=("mutual-information",), splits=1)
    engine.compare_selections([table], alone, tmp_path)
    both = replace(alone, methods=SETTINGS.methods)
    methods_run: list[str] = []
    selected = run._selected

    def remember(cell: MethodOnSplit, stop: np.ndarray) -> SelectionOutcome:
        methods_run.append(cell.method)
        return selected(cell, stop)

    with monkeypatch.context() as patched:
        patched.setattr(run, "_selected", remember)
        resumed = engine.compare_selections([table], both, tmp_path)
    assert methods_run == ["clcd-fs"]
    fresh = engine.compare_selections([table], both)
    assert timeless(resumed) == timeless(fresh)
    # What is finished can be kept without a report.
    cell_folder = tmp_path / "kept"
    assert timeless(engine.compare_selections([table], alone, cell_folder=cell_folder)) == timeless(
        engine.compare_selections([table], alone, cell_folder=cell_folder)
    )
    assert [path.suffix for path in cell_folder.iterdir()] == [".json"]
    # Nor do the further figures that were kept appear where nobody asks for them.
    assert timeless(engine.compare_selections([table], alone, tmp_path)) == timeless(
        engine.compare_selections([table], alone)
    )


def test_a_share_keeps_the_features_that_were_chosen_first(table: engine.Dataset) -> None:
    labelled = LabelledTable(table)
    rows = TrainingRows(labelled.dataset, labelled.values, labelled.labels)
    select = selection_methods()["clcd-fs"].select
    options = {"alpha": 0.05, "bins": 2.0}
    by_share = {
        share: select(rows, 0, {**options, "share": share}, np.zeros(1, np.uint8)) for share in (0.5, 1.0)
    }
    count = len(by_share[1.0].order)
    assert count > 1
    assert by_share[0.5].order == by_share[1.0].order[: -(-count // 2)]
    assert {feature for feature, _ in by_share[0.5].served} == set(by_share[0.5].order)


THREADS = """
import numpy, threadpoolctl
import engine
from engine.comparison.selectors import run
from engine.comparison.selectors.data_sets import LabelledTable
from engine.comparison.selectors.run import Split
table = LabelledTable(engine.simulate(labels=3, features=12, rows=300, seed=0).dataset)
judged = run._judged
def remember(*arguments):
    figures = judged(*arguments)
    print(*(pool["num_threads"] for pool in threadpoolctl.threadpool_info()))
    return figures
run._judged = remember
settings = engine.SelectionComparisonSettings(percentages=(30,), tuning="none")
cell = run.MethodOnSplit(table, Split(numpy.arange(200), numpy.arange(200, 300)), 0, "sfus", settings, None)
run.measure(cell, numpy.zeros(1, numpy.uint8))
"""


@pytest.mark.long
def test_a_cell_is_measured_by_one_thread_in_a_fresh_process() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(engine.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", THREADS], env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == {"1"}


KILLED = """
import os, signal, engine
from dataclasses import replace
if __name__ == "__main__":
    def kill(result):
        from tests.gui.leftovers import children_of
        print(*children_of(os.getpid()), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    table = engine.simulate(labels=3, features=12, rows=300, seed=0).dataset
    settings = engine.SelectionComparisonSettings(splits=4, methods=("random",), workers=2)
    engine.compare_selections([table], settings, on_result=kill)
"""


LIGHT = """
import json, sys, engine
from dataclasses import asdict
from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings
if __name__ == "__main__":
    table = engine.simulate(labels=3, features=12, rows=300, seed=0).dataset
    settings = SelectionComparisonSettings(
        splits=2,
        percentages=(10, 40),
        methods=("sfus", "random"),
        most_candidates=2,
        tune_clcd=False,
        workers=2,
    )
    outcomes = [asdict(each) for each in engine.compare_selections([table], settings).outcomes]
    loaded = {name.partition(".")[0] for name in sys.modules} & {"iterstrat", "scipy", "sklearn"}
    print(json.dumps({"loaded": sorted(loaded), "outcomes": outcomes}))
"""


def test_workers_change_nothing_and_what_waits_for_them_loads_nothing_that_splits_or_judges(
    table: engine.Dataset, tmp_path: Path
) -> None:
    script = tmp_path / "light.py"
    script.write_text(LIGHT, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(engine.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert printed["loaded"] == []
    alone = engine.compare_selections([table], replace(SETTINGS, methods=("sfus", "random")))
    assert without_times(printed["outcomes"]) == json.loads(json.dumps(timeless(alone)))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system lists no processes in files")
def test_no_process_outlives_the_one_that_waits(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(engine.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, str(script)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=240,
    )
    children = [int(number) for number in done.stdout.split()]
    assert done.returncode == -signal.SIGKILL and len(children) == 2
    ends = time.monotonic() + 30
    while any(is_running(child) for child in children) and time.monotonic() < ends:
        time.sleep(0.1)
    assert not any(is_running(child) for child in children)


def is_running(process: int) -> bool:
    """Tell whether a process is there, and not merely waiting to be buried."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


class StopAfter(SilentProgress):
    """Asks to stop once so many outcomes are there."""

    def __init__(self, outcomes: int) -> None:
        self.outcomes = outcomes
        self.done = 0

    def report(self, event: engine.ProgressEvent) -> None:
        self.done = event.done

    def should_stop(self) -> bool:
        return self.done >= self.outcomes


@pytest.mark.usefixtures("pictures_not_drawn")
def test_a_stopped_comparison_goes_on_where_it_was(
    table: engine.Dataset,
    comparison: engine.SelectionComparison,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stopped = engine.compare_selections([table], SETTINGS, tmp_path, StopAfter(1))
    stored = list((tmp_path / "runs").iterdir())
    assert stopped.is_partial and 1 <= len(stopped.outcomes) == len(stored)
    whole = engine.compare_selections([table], SETTINGS, tmp_path)
    assert timeless(whole) == timeless(comparison)

    def refuse(*_: object) -> None:
        raise AssertionError("everything is known")

    monkeypatch.setattr("engine.comparison.selectors.run.measure", refuse)
    again = engine.compare_selections([table], SETTINGS, tmp_path)
    assert [asdict(outcome) for outcome in again.outcomes] == [asdict(outcome) for outcome in whole.outcomes]


def test_results_are_told_as_they_come(table: engine.Dataset, tmp_path: Path) -> None:
    counts: list[int] = []
    engine.compare_selections(
        [table],
        replace(SETTINGS, methods=("anova-f", "random")),
        on_result=lambda result: counts.append(len(result.outcomes)),
    )
    assert counts == [1, 2, 3, 4]


def test_files_hold_every_figure(comparison: engine.SelectionComparison, tmp_path: Path) -> None:
    from engine.comparison.selectors.report import SELECTOR_FILES

    assert all(path.stat().st_size for path in SELECTOR_FILES.write(comparison, tmp_path))
    figures = pandas.read_csv(tmp_path / "figures.csv")
    assert len(figures) == sum(len(outcome.figures) for outcome in comparison.outcomes)
    summary = pandas.read_csv(tmp_path / "summary.csv").set_index("method")
    equal = figures[(figures["method"] == "mutual-information") & (figures["equal_size"] == "yes")]
    assert summary.loc["mutual-information", "macro_f1_mean"] == pytest.approx(equal["macro_f1"].mean())
    assert summary.loc["mutual-information", "macro_f1_sd"] == pytest.approx(equal["macro_f1"].std())


def test_what_cannot_be_compared_is_refused(table: engine.Dataset) -> None:
    with pytest.raises(InvalidParameter, match="'magic'"):
        engine.compare_selections([table], replace(SETTINGS, methods=("magic",)))
    with pytest.raises(InvalidParameter, match="two tables"):
        engine.compare_selections([table, table], SETTINGS)
    with pytest.raises(InvalidParameter, match="no table"):
        engine.compare_selections([], SETTINGS)
    with pytest.raises(InvalidParameter, match="at most 100"):
        replace(SETTINGS, percentages=(120,))
