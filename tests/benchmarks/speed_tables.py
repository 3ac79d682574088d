"""The tables of ``speed.py``: each function measures something and gives the rows of its table."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import engine
from engine.boundaries.discovery_settings import arranged
from engine.independence.data import TestData
from tests.benchmarks.cost_of_tests import (
    SIZES,
    independent_columns,
    microseconds,
    microseconds_in_searches,
    one_by_one,
    random_questions,
)
from tests.benchmarks.label_boundaries import PUBLISHED, LabelBoundaries, label_boundaries
from tests.benchmarks.limits import Limits, measure_limits
from tests.benchmarks.music import music_table
from tests.benchmarks.protocol import paper_table
from tests.benchmarks.row_scanning import row_scanning_data
from tests.benchmarks.side_by_side import Times, time_in_turn
from tests.benchmarks.where_time_goes import Spent, where_time_goes

_LEVELS = (2, 3, 4)
_QUESTIONS = 4000
_PARTS_SHOWN = 8
_LEAST_SHARE = 0.005
# Reported in the paper, measured by its authors elsewhere.
_PAPER_SECONDS = {"protocol": 10**2.87, "CAL500": 10**4.88}


@dataclass(frozen=True)
class Subject:
    """The table of the paper's protocol, arranged for this program and for the yardstick."""

    quick: TestData
    plain: TestData
    labels: tuple[str, ...]

    def search(self, data: TestData, workers: int = 1) -> LabelBoundaries:
        """Search around all labels."""
        return label_boundaries(data, self.labels, workers)

    @property
    def words(self) -> int:
        """Words of one set of rows."""
        return (self.quick.rows + 63) // 64


@functools.cache
def make_subject() -> Subject:
    """Arrange the table, and make sure that both ways find the same by the same tests.

    Raises
    ------
    RuntimeError
        When they do not.
    """
    dataset = paper_table()
    subject = Subject(arranged(dataset, PUBLISHED), row_scanning_data(dataset, PUBLISHED), dataset.labels)
    if subject.search(subject.quick) != subject.search(subject.plain):
        raise RuntimeError("the search and the yardstick disagree; run tests/engine/test_speed.py.")
    return subject


def goal_table(subject: Subject, repeats: int) -> Iterator[str]:
    """Give the rows of the table of whole searches."""
    dataset = paper_table()
    music = music_table()

    def discover(table: engine.Dataset, workers: int) -> Callable[[], Any]:
        return lambda: engine.discover(engine.prepare(table), engine.DiscoverySettings(workers=workers))

    def discover_as_published() -> Any:
        cut = engine.prepare(music, engine.PreparationSettings(discretise="quantile"))
        return engine.discover(cut, engine.DiscoverySettings(workers=1, procedure="as published"))

    times = time_in_turn(
        {
            "search 1": lambda: subject.search(arranged(dataset, PUBLISHED)),
            "search 2": lambda: subject.search(arranged(dataset, PUBLISHED), workers=2),
            "plain": lambda: subject.search(subject.plain),
            "clcd 1": discover(dataset, 1),
            "clcd 2": discover(dataset, 2),
            "music 1": discover(music, 1),
            "music 2": discover(music, 2),
            "music as published": discover_as_published,
        },
        repeats,
    )
    tests = subject.search(subject.quick).tests
    yield "| | wanted | by the clock, s | of the processor, s | |"
    yield "| --- | --- | --- | --- | --- |"
    yield _row("HITON-MB for 50 targets, 1 worker", "", times["search 1"], _each(times["search 1"], tests))
    yield _row("HITON-MB for 50 targets, 2 workers", "0.4 s", times["search 2"], _gain(times, "search"))
    yield _row("the same by row scanning, 1 worker", "", times["plain"], _each(times["plain"], tests))
    ratio = times["plain"].median_processor / times["search 1"].median_processor
    yield f"| row scanning against ours, of the processor | 8 × | | | **{ratio:.1f} ×** |"
    yield _row("CLCD on the paper's protocol, 1 worker", "", times["clcd 1"], "")
    yield _row("CLCD on the paper's protocol, 2 workers", "1 s", times["clcd 2"], _gain(times, "clcd"))
    yield _row("CLCD on the music table, 1 worker", "", times["music 1"], "")
    yield _row("CLCD on the music table, 2 workers", "10 s", times["music 2"], _gain(times, "music"))
    yield _row("its numbers cut in two, as published, 1 worker", "", times["music as published"], "")
    yield ""
    yield _beside_the_paper(tests, times)


def _beside_the_paper(tests: int, times: Mapping[str, Times]) -> str:
    protocol, cal500 = _PAPER_SECONDS["protocol"], _PAPER_SECONDS["CAL500"]
    longer = protocol / times["clcd 2"].median_wall, cal500 / times["music 2"].median_wall
    return (
        f"The search makes {tests:,} tests, the same in both ways and with the same outcome. The paper "
        f"reports {protocol:,.0f} s for one table of its protocol and {cal500:,.0f} s for CAL500, on another "
        f"machine: {longer[0]:,.0f} and {longer[1]:,.0f} times as long."
    )


def _row(name: str, wanted: str, times: Times, remark: str) -> str:
    return f"| {name} | {wanted} | {times.median_wall:.3f} | {times.median_processor:.3f} | {remark} |"


def _each(times: Times, tests: int) -> str:
    return f"{1e6 * times.median_processor / tests:.2f} µs a test"


def _gain(times: Mapping[str, Times], name: str) -> str:
    gain = times[f"{name} 1"].median_wall / times[f"{name} 2"].median_wall
    return f"{gain:.2f} × as fast as 1 worker; wanted 1.8 ×"


def cost_table(repeats: int) -> Iterator[str]:
    """Give the rows of the table of single tests."""
    yield "| levels | µs of the processor | nothing held fixed | 1 | 2 | 3 |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for levels in _LEVELS:
        dataset = independent_columns(levels)
        quick, plain = arranged(dataset, PUBLISHED), row_scanning_data(dataset, PUBLISHED)
        questions = [random_questions(len(quick.names), size, _QUESTIONS) for size in SIZES]
        ours = [microseconds(one_by_one(quick, question), repeats) for question in questions]
        theirs = [microseconds(one_by_one(plain, question), 1) for question in questions]
        inside = microseconds_in_searches(dataset, repeats)
        yield f"| {levels} | inside a search | {_numbers([inside.get(size) for size in SIZES])} |"
        yield f"| {levels} | one by one, at random | {_numbers(ours)} |"
        yield f"| {levels} | one by one, by row scanning | {_numbers(theirs)} |"


def _numbers(values: Sequence[float | None]) -> str:
    return " | ".join("" if value is None else f"{value:.2f}" for value in values)


def time_tables(subject: Subject) -> Iterator[str]:
    """Give the rows of two tables: where the time of a search goes, and of CLCD as a whole."""
    dataset = paper_table()
    works = {
        "HITON-MB for 50 targets": lambda: subject.search(arranged(dataset, PUBLISHED)),
        "CLCD on the paper's protocol": lambda: engine.discover(dataset, engine.DiscoverySettings(workers=1)),
    }
    for name, work in works.items():
        work()
        spent = where_time_goes(work)
        yield f"| {name}, 1 worker | ms of the processor | share | calls |"
        yield "| --- | --- | --- | --- |"
        yield _part("compiled code", spent.in_kernels, spent)
        for kernel, seconds in _largest(spent.kernels, spent.whole):
            yield _part(f"– `{kernel}`", seconds, spent, str(spent.calls[kernel]))
        yield _part("Python", spent.whole - spent.in_kernels, spent)
        for file, seconds in _largest(spent.python, spent.whole):
            yield _part(f"– {file}", seconds, spent)
        yield ""


def _part(name: str, seconds: float, spent: Spent, calls: str = "") -> str:
    return f"| {name} | {1000 * seconds:.0f} | {seconds / spent.whole:.0%} | {calls} |"


def _largest(parts: Mapping[str, float], whole: float) -> list[tuple[str, float]]:
    """Return the largest parts, without those that are next to nothing."""
    shown = [part for part in parts.items() if part[1] >= _LEAST_SHARE * whole]
    return sorted(shown, key=lambda part: -part[1])[:_PARTS_SHOWN]


def limit_lines(subject: Subject) -> Iterator[str]:
    """Say how little the tests of the search could take on this machine."""
    table = subject.plain.table
    table.tests_by_size[:] = 0
    table.cells_by_size[:] = 0
    subject.search(subject.plain)
    sets = int(table.levels.sum())
    limits = measure_limits(sets, subject.words)
    yield "| variables held fixed | tests | free cells a test | words | ms, first cache | ms, whole table |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for size, (tests, cells) in enumerate(zip(table.tests_by_size, table.cells_by_size, strict=True)):
        if tests:
            yield f"| {size} | {tests:,} | {cells / tests:.1f} | {_bound(int(cells) * subject.words, limits)}"
    words = int(table.cells_by_size.sum()) * subject.words
    yield f"| all | {table.tests_by_size.sum():,} | | {_bound(words, limits)}"
    yield ""
    near, far, read = limits.words_near / 1e9, limits.words_far / 1e9, limits.bytes_from_memory / 1e9
    megabytes = sets * subject.words * 8 / 1e6
    used = where_time_goes(lambda: subject.search(subject.quick)).in_kernels
    yield (
        f"One core ANDs and counts {near:.1f} · 10⁹ words a second from the first cache and {far:.1f} · 10⁹ "
        f"from the sets of the whole table ({megabytes:.1f} MB), and reads {read:.0f} GB/s "
        f"from memory. The compiled code of the search takes {1000 * used:.0f} ms, "
        f"{used * limits.words_far / words:.1f} times as long as counting alone from the whole table."
    )


def _bound(words: int, limits: Limits) -> str:
    near, far = 1000 * words / limits.words_near, 1000 * words / limits.words_far
    return f"{words / 1e6:,.0f} · 10⁶ | {near:.1f} | {far:.1f} |"
