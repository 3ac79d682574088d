"""The terminal in a language that nobody speaks: what is left in English cannot be translated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.comparison.networks.benchmark_settings import BenchmarkSettings, cells, variants
from engine.comparison.networks.methods import methods
from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings
from engine.independence.ci_tests import ci_tests
from engine.parameters import parameters_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.readers.options import ReadingOptions
from engine.reporting.export_formats import export_formats
from engine.reporting.report import report_parts
from engine.reporting.selection_formats import TableLayout
from engine.reporting.tables import ExportOptions
from engine.selection.presets import SelectionPurpose
from engine.simulation import SimulationSettings
from engine.terminal import main
from engine.terminal.command_line import subcommands
from engine.translation import language
from tests.pseudo_language import pseudo_language
from tests.untranslated import english_in

Said = Callable[..., list[str]]

SETTINGS = (
    ReadingOptions,
    PreparationSettings,
    DiscoverySettings,
    SelectionPurpose,
    TableLayout,
    ExportOptions,
    SimulationSettings,
    BenchmarkSettings,
    SelectionComparisonSettings,
)
USAGES = [f"clcd {name} {subcommand.usage}".strip() for name, subcommand in subcommands().items()]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Said]:
    """Run a command in the pseudo-language, and return the lines that it writes."""
    # Help that is not broken into lines leaves lists of names whole.
    monkeypatch.setenv("COLUMNS", "10000")

    def run(*words: str | Path) -> list[str]:
        with suppress(SystemExit):  # by which help ends
            main(list(map(str, words)))
        written = capsys.readouterr()
        return [*written.out.splitlines(), *written.err.splitlines()]

    with language(pseudo_language()):
        yield run


def names_in_help() -> Iterator[str]:
    """Yield what help names as it is in every language: lists of choices, defaults, and how to call."""
    yield from (*USAGES, "clcd SUBCOMMAND", *(f"  {name} " for name in subcommands()))
    for settings in SETTINGS:
        for parameter in parameters_of(settings):
            yield ", ".join(choice.value for choice in parameter.choices)
            if isinstance(parameter.default, str):
                yield f"{parameter.default}."
    for lists in (cells(), methods(), variants()):
        yield from (", ".join(lists), ",".join(lists))
    yield from (",".join(getattr(BenchmarkSettings(), name)) for name in ("cells", "methods", "variants"))
    yield ", ".join(report_parts())
    yield ", ".join(name for name, export_format in export_formats().items() if not export_format.standard)


@pytest.mark.parametrize("name", ["", *subcommands()])
def test_help_is_translated(name: str, said: Said) -> None:
    lines = said(*filter(None, [name]), "--help")
    assert len(lines) > 3
    assert english_in(lines, [*names_in_help(), *METAVARS]) == []


METAVARS = (
    *("DATA", "DIR", "FILE", "NAME", "TEXT", "LIST", "ADDRESS", "LABEL=LEVEL", "FORMAT", "PARTS", "FIRST"),
    *("SECOND", "OPTIONS"),
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table in which qx bears on both labels and qz on one."""
    generator = np.random.default_rng(7)
    x, z, noise = generator.integers(0, 2, (3, 600))
    first = np.where(generator.random(600) < 0.85, x, 1 - x)
    second = np.where(generator.random(600) < 0.8, x & z, 1 - (x & z))
    weights = generator.normal(70, 10, 600).round(2)
    rows = zip(x, z, noise, weights, first, second, strict=True)
    path = tmp_path / "q.csv"
    path.write_text("\n".join(["qx,qz,qn,qw,qa,qb", *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


LABELS = ("--labels", "qa,qb")
# A guess is named as the option that says otherwise.
GUESSES = ("(delimited)", "encoding = utf-8", "delimiter = comma", "decimal = point", "header = yes")


def test_what_a_search_says_is_translated(table: Path, said: Said, tmp_path: Path) -> None:
    # Tests have one name in every language.
    names = (*GUESSES, str(tmp_path), *(test.title for test in ci_tests().values()))
    first, second = tmp_path / "first", tmp_path / "second"
    lines = said("inspect", table, *LABELS)
    assert english_in(lines, names) == []
    lines = said("discover", table, *LABELS, "--out", first, "--test", "g2")
    lines += said("discover", table, *LABELS, "--out", second, "--test", "x2", "--stability", "2")
    lines += said("select", table, *LABELS, "--out", tmp_path / "selection", "--test", "g2")
    lines += said("compare", first, second, "--out", tmp_path / "comparison")
    assert (tmp_path / "comparison" / "variables.csv").exists()
    assert english_in(lines, (*names, "“first”", "“second”")) == []


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    """A table that readers say much about; its words are WORDS, all else is short."""
    generator = np.random.default_rng(3)
    rows = 120

    def drawn(*values: str) -> list[str]:
        return [values[place] for place in generator.integers(0, len(values), rows)]

    columns = {
        "qa": drawn("1", "0"),
        "nr": [str(number) for number in range(1, rows + 1)],
        "q1": ["<0.5" if row % 9 == 0 else f"{row % 83}.{row % 7}" for row in range(rows)],
        "q2": [f"{row % 37} mg" for row in range(rows)],
        "q3": ["3-4" if row % 30 == 7 else str(row % 89) for row in range(rows)],
        "q4": [
            "-99" if row % 20 == 3 else f"{number:.1f}"
            for row, number in enumerate(generator.normal(70, 9, rows))
        ],
        "q5": drawn("never", "rarely", "often", "always"),
        "q6": drawn("m", "f", "F "),
        "q7": drawn("aa, bb", "aa", "bb, cc", "cc"),
        "q8": drawn("x", ""),
        "q9": [f"{row % 12 + 1:02d}.{row % 11 + 1:02d}.19{row % 59 + 40}" for row in range(rows)],
        "z": [f"{row * 71 % 9999:05d}" for row in range(rows)],
        "c": ["unknown" if row % 11 == 5 else "AB"[row % 2] for row in range(rows)],
        "v": [f"{row * 731 % 90000 + 1000:,}" for row in range(rows)],
        "e": [""] * rows,
        "s": ["1"] * rows,
        "": [f"{number:.3f}" for number in generator.normal(0, 1, rows)],
        "q2 ": drawn("1", "2", "3", "4", "5"),
    }
    columns |= {"k": list(columns["qa"]), "q1.1": drawn("1", "2")}
    lines = [";".join(cells) for cells in zip(*columns.values(), strict=True)]
    header = ";".join(columns)
    total = ";".join(["Total", *["7"] * (len(columns) - 1)])
    path = tmp_path / "m.csv"
    path.write_text(
        "\n".join(["A 7", "", header, *lines[:60], "", header, *lines[60:], total, "", "A: b"]) + "\n"
    )
    return path


WORDS = ("never", "rarely", "often", "always", "unknown")


def test_what_readers_say_is_translated(messy: Path, said: Said) -> None:
    lines = said("inspect", messy, "--labels", "qa")
    guesses = ("delimiter = semicolon", "quote = double", "--decimal comma", "--other-rows keep")
    assert len(lines) > 60
    assert english_in(lines, (*GUESSES, *guesses, *WORDS, "city=")) == []


def test_what_a_simulation_says_is_translated(said: Said, tmp_path: Path) -> None:
    path = tmp_path / "simulated.arff"
    lines = said("simulate", "--out", path, "--labels", "3", "--features", "12", "--rows", "200")
    assert path.exists()
    assert english_in(lines, [str(tmp_path)]) == []


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["selekt"],
        ["discover", "q.csv"],
        ["discover", "q.csv", "--labels"],
        ["discover", "q.csv", "--out", "o", "--bins", "7x"],
        ["discover", "q.csv", "--out", "o", "--bins", "1"],
        ["discover", "q.csv", "--out", "o", "--groups", "qx", "--no-groups"],
        ["discover", "q.csv", "--out", "o", "--event"],
        ["inspect", "absent.csv"],
        ["inspect", "q.csv", "--labels", "qc"],
        ["inspect", "q.csv", "q.csv"],
        ["inspect", "q.csv", "--labelz", "qa"],
        ["inspect", "q.csv", "--separator", "comma"],
        ["inspect", "q.csv", "--labels", "qa", "--weight-column", "qa"],
        ["inspect", "q.csv", "--decimal", "7x"],
        ["inspect", "q.csv", "--sheet", "7x"],
        ["simulate", "--out", "7x"],
        ["simulate", "--out", "q.arff", "--labels", "7x"],
    ],
)
def test_errors_are_translated(
    words: list[str], table: Path, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    lines = said(*words)
    assert len(lines) == 1 and lines[0].startswith("clcd: ")
    commands = ("clcd", "clcd discover", "clcd inspect", "clcd simulate")
    assert english_in(lines, (*commands, "'selekt'", "'select'", "point, comma")) == []
