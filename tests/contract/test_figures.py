"""Figures in documents come from commands: each stands in a part that one writes, or a test compares it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import engine
from engine.discovery.effects.all_effects import association
from tests.benchmarks import cluster_on_paper, growth, level_tables
from tests.benchmarks.readme_parts import COMMAND, parts
from tests.contract.project_files import PROJECT, project_files, read

BENCHMARKS = Path("tests", "benchmarks")
GUIDE = Path("resources", "help", "guide")
PAGES = tuple(path for path in project_files() if path.parent == BENCHMARKS and path.suffix == ".md")
# Measured are shares of three digits, counts of a whole, and times.
_MEASURED = re.compile(r"(?<![\w.])0?\.\d{3,}|\b[\d,]+ of \d[\d,]*\b|\b[\d.,]+ (?:CPU s|µs|ms)\b")
_THRESHOLDS = {"0.001", ".001", "0.005", "9 of 10"}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_measured_figures_stand_in_parts_that_commands_write(page: Path) -> None:
    text = read(page)
    for part, table in parts(text).items():
        text = text.replace(f"<!-- {part}: begin -->\n\n{table}\n\n<!-- {part}: end -->", "")
    outside = re.sub(r"^ {4}.*|`[^`]+`|\]\([^)]*\)", "", text, flags=re.MULTILINE)
    assert [line for line in outside.splitlines() if line.startswith("|") and re.search(r"\d", line)] == []
    assert set(_MEASURED.findall(outside)) - _THRESHOLDS == set()


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_part_is_named_after_a_command_or_written_by_one(page: Path) -> None:
    sources = {path: read(path) for path in project_files() if path.is_relative_to(BENCHMARKS)}
    programs = "".join(source for path, source in sources.items() if path.suffix == ".py")
    for part in parts(read(page)):
        if not part.startswith(COMMAND):
            assert f'"{part}"' in programs or f'"{part.removeprefix("levels of ")}"' in programs
            continue
        module, *options = part.removeprefix(COMMAND).split()
        named = "".join(
            source
            for path, source in sources.items()
            if path.suffix == ".py" and path.relative_to(BENCHMARKS).with_suffix("").parts[0] == module
        )
        assert named
        for option in options:
            is_known = f'"{option}"' in named or "parse_known_args" in named
            assert is_known or not option.startswith("--"), part


def test_tables_of_kept_counts_are_what_their_commands_print(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["cluster_on_paper"])
    cluster_on_paper.main()
    command = f"{COMMAND}cluster_on_paper"
    assert parts(read(BENCHMARKS / "CLUSTER.md"))[command] == capsys.readouterr().out.strip()

    kept = json.loads(growth.FIGURES.read_text("utf-8"))
    lines = [
        line
        for series in growth.SERIES
        for line in growth.lines(series, growth.figures_of(series, kept, short=False))
    ]
    assert parts(read(BENCHMARKS / "README.md"))[f"{COMMAND}growth"] == "\n".join(lines).strip()

    kept = json.loads((PROJECT / BENCHMARKS / "levels.json").read_text("utf-8"))
    written = parts(read(BENCHMARKS / "LEVELS.md"))
    for kind in level_tables.PARTS:
        assert written[f"levels of {kind}"] == "\n".join(level_tables.level_lines(kept, kind))
    assert written["findings"] == "\n".join(level_tables.finding_lines(kept))
    assert written["degrees of freedom"] == "\n".join(level_tables.dof_lines(kept))


def test_figures_of_the_readme_stand_on_the_pages_that_it_names() -> None:
    readme = read(Path("README.md")).splitlines()
    rows = [line for line in readme if "](tests/benchmarks/" in line and line.startswith("|")]
    absent = []
    for row in rows:
        pages = " ".join(read(Path(page)) for page in re.findall(r"\]\((tests/benchmarks/\w+\.md)", row))
        figures = _figures(row.rsplit("|", 2)[-2])
        absent += [f"{figure}: {row}" for figure in figures if not _is_in(figure, pages)]
    assert len(rows) > 5 and absent == []


def test_figures_of_the_claims_stand_on_pages_of_benchmarks() -> None:
    pages = " ".join(read(page) for page in PAGES)
    figures = _figures(read(GUIDE / "claims.md"))
    assert len(figures) > 20
    assert [figure for figure in figures if not _is_in(figure, pages)] == []


def test_the_guide_reads_the_finding_that_the_example_gives() -> None:
    place = PROJECT / "resources" / "examples"
    survey = engine.read_dataset(place / "hospital-survey.csv", labels=place / "hospital-survey.xml")
    difference = association(engine.prepare(survey), "Work pressure (0-10)", "Headache").contrasts[0]
    shares = difference.estimate, difference.low, difference.high
    points, low, high = (round(100 * share) for share in shares)
    text = " ".join(read(GUIDE / "read-one-finding.md").split())
    assert f"{points} percentage points" in text and f"(95% CI {low} to {high})" in text
    assert f"({difference.at:g})" in text and f"({difference.reference:g})" in text
    assert f"{points} percentage points" in read(GUIDE / "write-the-report.md").replace("\n", " ")


def _figures(text: str) -> list[str]:
    return re.findall(r"\d\.\d+|\d+ of \d+|\d+%", text)


def _is_in(figure: str, pages: str) -> bool:
    return any(re.search(form, pages) for form in _forms(figure))


def _forms(figure: str) -> list[str]:
    """The forms in which a page may hold a figure: with or without a zero, as a percentage or a share."""
    if not figure.endswith("%"):
        return [rf"(?<![\d.]){re.escape(figure)}", rf"(?<![\d.]){re.escape(figure.removeprefix('0'))}"]
    percent = figure.removesuffix("%")
    return [
        rf"(?<![\d.]){percent}(?:\.\d)? ?%",
        rf"(?<!\d)0?\.{percent}\d?(?!\d)",
        rf"(?<![\d.]){percent}\.\d",
    ]
