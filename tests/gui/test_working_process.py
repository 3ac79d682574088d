"""Work in a process of its own: what it says meanwhile, its end by itself, by Stop and with whoever asked."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clcd_gui.run.comparing import CompareSelectors, RunBenchmark
from clcd_gui.run.searcher import MeasurementFolder
from engine.comparison.networks.benchmark_settings import BenchmarkSettings
from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings
from engine.errors import Cancelled, InvalidData, WorkersLost
from engine.execution.helper_process import HelperKind, HelperProcess
from engine.progress import ProgressEvent, SharedProgress
from tests.deadline import Deadline
from tests.engine.comparison.selectors.test_selection_comparison import is_running
from tests.gui.asked_for import (
    be_killed,
    lost,
    number_of_the_process,
    refuse,
    report_for_ever,
    say_and_wait,
)
from tests.gui.leftovers import ends_all_that_it_begins

TINY = BenchmarkSettings(
    labels=3, features=15, rows=200, seeds=1, cells=("0.5/0.5",), methods=("hiton-mb",), workers=1
)
WITHOUT_END = BenchmarkSettings(
    labels=3, features=15, rows=200, seeds=400, cells=("0.5/0.5",), methods=("hiton-mb",), workers=1
)


@pytest.fixture
def process() -> Iterator[HelperProcess]:
    helper = HelperProcess(HelperKind(), lost)
    yield helper
    helper.end()


def test_it_is_another_process_and_stays(process: HelperProcess) -> None:
    first = process.ask(number_of_the_process)
    assert first not in (os.getpid(), None)
    assert process.ask(number_of_the_process) == first


def test_what_it_says_meanwhile_is_heard_before_its_end(process: HelperProcess, tmp_path: Path) -> None:
    progress, go_on = SharedProgress(), tmp_path / "go on"
    answers: list[str] = []
    asking = threading.Thread(target=lambda: answers.append(process.follow(progress, say_and_wait, go_on)))
    asking.start()
    deadline = Deadline(10.0)
    while (progress.early is None or progress.latest is None) and not deadline.has_passed():
        time.sleep(0.01)
    assert (progress.early, progress.latest) == ("half", ProgressEvent("Waiting", 1, 2))
    assert not answers
    go_on.mkdir()
    asking.join()
    assert answers == ["whole"]


def test_an_error_arrives_as_it_was_raised_and_the_process_stays(process: HelperProcess) -> None:
    first = process.ask(number_of_the_process)
    with pytest.raises(InvalidData) as raised:
        process.follow(SharedProgress(), refuse)
    assert (raised.value.problem, raised.value.place) == ("it cannot be done.", "here")
    assert process.ask(number_of_the_process) == first


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed by a signal there")
def test_a_process_that_is_killed_is_told_and_another_takes_its_place(process: HelperProcess) -> None:
    with pytest.raises(WorkersLost, match="gone"):
        process.follow(SharedProgress(), be_killed)
    assert process.ask(number_of_the_process) != os.getpid()


def test_a_stop_ends_it_while_it_says_much(process: HelperProcess, tmp_path: Path) -> None:
    progress, mark = SharedProgress(), tmp_path / "begun"
    stopping = threading.Timer(0.0, lambda: (_wait_for(mark), progress.ask_to_stop()))
    with ends_all_that_it_begins():
        stopping.start()
        with pytest.raises(Cancelled):
            process.follow(progress, report_for_ever, mark)
        stopping.join()
    assert not is_running(int(mark.read_text()))


def test_long_work_ends_with_whoever_asked_for_it(tmp_path: Path) -> None:
    mark = tmp_path / "begun"
    code = (
        "import sys; from pathlib import Path\n"
        "from engine.progress import SharedProgress\n"
        "from engine.execution.helper_process import HelperKind, HelperProcess\n"
        "from tests.gui import asked_for\n"
        "if __name__ == '__main__':\n"
        "    asked = asked_for.report_for_ever, Path(sys.argv[1])\n"
        "    HelperProcess(HelperKind(), asked_for.lost).follow(SharedProgress(), *asked)\n"
    )
    script = tmp_path / "asks.py"
    script.write_text(code)
    root = Path(__file__).parents[2]
    asking = subprocess.Popen(
        [sys.executable, str(script), str(mark)], env={**os.environ, "PYTHONPATH": str(root)}
    )
    try:
        _wait_for(mark)
    finally:
        asking.kill()
        asking.wait()
    deadline = Deadline(10.0)
    while is_running(int(mark.read_text())) and not deadline.has_passed():
        time.sleep(0.02)
    assert not is_running(int(mark.read_text()))


def test_a_benchmark_leaves_no_process_and_gives_what_the_engine_gives() -> None:
    import engine

    progress, measurements = SharedProgress(), MeasurementFolder()
    try:
        with ends_all_that_it_begins():
            result = RunBenchmark(TINY, measurements)(progress)
    finally:
        measurements.clear()
    here = engine.benchmark(TINY)
    assert [outcome.scores for outcome in result.outcomes] == [outcome.scores for outcome in here.outcomes]
    assert not result.is_partial


def test_a_benchmark_that_is_stopped_gives_what_is_finished() -> None:
    progress, measurements = SharedProgress(), MeasurementFolder()

    def stop_after_the_first() -> None:
        while progress.early is None:
            time.sleep(0.01)
        progress.ask_to_stop()

    stopping = threading.Thread(target=stop_after_the_first)
    stopping.start()
    try:
        with ends_all_that_it_begins():
            result = RunBenchmark(WITHOUT_END, measurements)(progress)
            stopping.join()
    finally:
        measurements.clear()
    assert result.is_partial and result.outcomes


COMPARED = """
import sys, engine
from clcd_gui.run.comparing import CompareSelectors
from engine.progress import SharedProgress
from clcd_gui.run.searcher import MeasurementFolder
from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings
if __name__ == "__main__":
    table = engine.simulate(labels=3, features=12, rows=200, seed=1).dataset
    settings = SelectionComparisonSettings(
        splits=6, percentages=(25,), methods=("clcd-fs", "random"), tuning="none", workers=2
    )
    progress, measurements = SharedProgress(), MeasurementFolder()
    found = CompareSelectors(table, engine.PreparationSettings(), settings, measurements)(progress)
    measurements.clear()
    print(len(found.rows), bool(progress.early.rows), bool(found.verdicts))
    print(*sorted(sys.modules.keys() & {"iterstrat", "scipy.stats", "sklearn"}))
"""


@pytest.mark.long
def test_what_judges_a_comparison_is_not_loaded_by_the_window(tmp_path: Path) -> None:
    script = tmp_path / "compares.py"
    script.write_text(COMPARED, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["2", "True", "True"]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed by a signal there")
def test_a_comparison_whose_judge_is_killed_says_so_and_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import engine

    monkeypatch.setattr("clcd_gui.run.comparing.comparison_findings", be_killed)
    table = engine.simulate(labels=3, features=12, rows=200, seed=1).dataset
    settings = SelectionComparisonSettings(splits=2, percentages=(25,), methods=("random",), workers=2)
    measurements = MeasurementFolder()
    try:
        with ends_all_that_it_begins(), pytest.raises(WorkersLost, match="computes the results"):
            CompareSelectors(table, engine.PreparationSettings(), settings, measurements)(SharedProgress())
    finally:
        measurements.clear()


def _wait_for(path: Path) -> None:
    deadline = Deadline(20.0)
    while not (path.exists() and path.read_text()) and not deadline.has_passed():
        time.sleep(0.01)
