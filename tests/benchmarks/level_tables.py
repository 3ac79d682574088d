"""The levels of the tests as tables: written into ``LEVELS.md`` from what was counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine import ci_tests
from tests.benchmarks.level_cases import BOTH, CASES, CATEGORIES, NUMBERS, TABLES
from tests.benchmarks.readme_parts import write_part

Figures = Mapping[str, Any]
LEVELS = Path(__file__).with_name("LEVELS.md")
PARTS = (CATEGORIES, NUMBERS, BOTH)
# A level at .05 that is above or below these is told.
LEAST, MOST = 0.03, 0.07
_REASONS = {
    "rows of a group are not": "groups",
    "cannot use row weights": "weights",
    "values are missing": "gaps",
    "correlations would be found": "tails",
    "works on numbers": "categories",
}


def write_tables(figures: Figures) -> None:
    """Put all tables into their parts of the page."""
    for part in PARTS:
        write_part(LEVELS, f"levels of {part}", "\n".join(level_lines(figures, part)))
    write_part(LEVELS, "degrees of freedom", "\n".join(dof_lines(figures)))
    write_part(LEVELS, "findings", "\n".join(finding_lines(figures)))


def tests_of(figures: Figures, part: str) -> list[str]:
    """Name the tests that have figures in a part, in the order in which they are kept."""
    names = {case.name for case in CASES if case.part == part}
    return [test for test in ci_tests() if names & figures["levels"].get(test, {}).keys()]


def level_lines(figures: Figures, part: str) -> Iterator[str]:
    """Give a table: cases by tests, each cell the shares of p ≤ .05 and ≤ .001, and the power."""
    tests = tests_of(figures, part)
    yield from _lines(figures, part, tests, [case.name for case in CASES if case.part == part])


def dof_lines(figures: Figures) -> Iterator[str]:
    """Give the table of tests with other degrees of freedom beside those with the default."""
    others = [name for name in figures["levels"] if "," in name]
    tests = [name for variation in others for name in (variation.split(",")[0], variation)]
    names = [
        case.name
        for case in CASES
        if not case.weights
        and not case.groups
        and any(case.name in figures["levels"][variation] for variation in others)
    ]
    yield from _lines(figures, "degrees of freedom", tests, names)


def _lines(figures: Figures, title: str, tests: list[str], cases: list[str]) -> Iterator[str]:
    yield f"| {title} | {' | '.join(tests)} |"
    yield "| --- |" + " ---: |" * len(tests)
    for case in cases:
        cells = [_level_cell(figures["levels"][test].get(case)) for test in tests]
        yield f"| {case} | {' | '.join(cells)} |"


def share(counted: Figures, at: str) -> float | None:
    """Give the share of p-values of at most a level; None where nothing was tested."""
    pairs: int = counted.get("pairs", 0)
    return counted.get(f"at {at}", 0) / pairs if pairs else None


def refusal_of(counted: Figures) -> str:
    """Name in a word what a test refuses a table for."""
    return next((word for part, word in _REASONS.items() if part in counted["refusal"]), counted["refusal"])


def _level_cell(figures: Figures | None) -> str:
    if figures is None:
        return ""
    null, power = figures["null"], figures["power"]
    level, detected = share(null, ".05"), share(power, ".05")
    if level is None:
        return f"refused: {refusal_of(null)}" if "refused" in null else "cannot be tested"
    words = _digits(level, 3)
    if not LEAST <= level <= MOST:
        words = f"**{words}**"
    words += f" {_digits(share(null, '.001') or 0.0, 4)} / " + (
        "–" if detected is None else _digits(detected, 2)
    )
    refused, untested = null.get("refused", 0), null.get("untested", 0)
    questions = null["pairs"] + untested + refused
    if refused:
        words += f" ({refused / questions:.0%} refused: {refusal_of(null)})"
    if untested:
        words += f" ({untested / questions:.0%} cannot be tested)"
    return words


def _digits(number: float, digits: int) -> str:
    """Write a share without its leading 0."""
    return f"{number:.{digits}f}".removeprefix("0")


def finding_lines(figures: Figures) -> Iterator[str]:
    """Give the table of findings in whole tables of independent columns."""
    yield f"| test | tables | {' | '.join(TABLES)} |"
    yield "| --- | ---: |" + " ---: |" * len(TABLES)
    for test in ci_tests():
        laws = figures["findings"].get(test)
        if laws is None:
            continue
        tables = {len(laws[law]["found"]) + laws[law]["refused"] for law in laws}
        cells = [_finding_cell(laws.get(law)) for law in TABLES]
        many = " to ".join(map(str, sorted({min(tables), max(tables)})))
        yield f"| {test} | {many} | {' | '.join(cells)} |"


def _finding_cell(figures: Figures | None) -> str:
    if figures is None:
        return ""
    counts = figures["found"]
    if not counts:
        return f"refused: {refusal_of(figures)}"
    words = f"{sum(counts) / len(counts):.2f}"
    if sum(counts) > len(counts):
        words = f"**{words}**"
    return words + (f" ({figures['refused']} refused: {refusal_of(figures)})" if figures["refused"] else "")
