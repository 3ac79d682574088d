"""The words of the command line: options, messages, tables of text, Ctrl+C."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas
import pytest
import scipy.stats

import engine
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.parameters import parameters_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.progress import ProgressEvent
from engine.readers.options import ReadingOptions
from engine.terminal import main
from engine.terminal.arguments import add_settings, given_settings
from engine.terminal.command_line import Parser, subcommands
from engine.terminal.console import TerminalProgress, display_width, shortened, text_table
from engine.terminal.interruption import stop_on_request
from engine.wording.setting_names import option_of


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table in which x bears on both labels and z on one, with awkward names."""
    generator = np.random.default_rng(7)
    x, z, noise = generator.integers(0, 2, (3, 600))
    calm = np.where(generator.random(600) < 0.85, x, 1 - x)
    sad = np.where(generator.random(600) < 0.8, x & z, 1 - (x & z))
    lines = ['x,z,noise,weight,"calm, quiet",悲しい']
    for row in zip(x, z, noise, generator.normal(70, 10, 600).round(2), calm, sad, strict=True):
        lines.append(",".join(map(str, row)))
    path = tmp_path / "mood.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


LABELS = ["--label", "calm, quiet", "--label", "悲しい"]


def test_discover_writes_and_says_what_was_found(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "out"
    assert main(["discover", str(table), *LABELS, "--out", str(out), "--also", "tables"]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.startswith("1 of 4 variables is linked to two or more labels: x (to ")
    assert "tables.xlsx" in output.out
    value = json.loads((out / "result.json").read_text("utf-8"))
    assert value["common"][0]["feature"] == "x"
    assert value["common"][0]["labels"] == ["calm, quiet", "悲しい"]
    assert value["settings"]["preparation"]["discretise"] == "none"
    assert (out / "tables.xlsx").is_file()


def test_settings_reach_the_run(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["--alpha", "0.2", "--test", "x2", "--max-conditioning", "1", "--false-discovery", "none"]
    words += ["--symmetry", "--discretise", "width", "--bins", "3", "--workers", "1", "--no-set-aside"]
    assert main(["discover", str(table), *LABELS, "--out", str(out), "--quiet", *words]) == 0
    value = json.loads((out / "result.json").read_text("utf-8"))
    search = value["settings"]["discovery"]
    assert (search["alpha"], search["test"], search["max_conditioning"]) == (0.2, "x2", 1)
    assert (search["false_discovery"], search["symmetry"]) == ("none", True)
    prepared = value["settings"]["preparation"]
    assert (prepared["discretise"], prepared["bins"], prepared["set_aside"]) == ("width", 3, False)
    assert value["run"]["workers"] == 1


def test_stability_is_counted_after_the_search(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["discover", str(table), *LABELS, "--out", str(tmp_path / "out"), "--stability", "4"]
    assert main([*words, "--stability-seed", "3"]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    value = json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))
    assert value["stability"]["finished"] == 4
    assert value["stability"]["settings"] == {"resamples": 4, "share": 0.5, "seed": 3}
    assert "4 random halves of the rows" in output.out
    assert "found again" in output.out and "4 of 4" in output.out
    # What a later run says nothing of is not left beside what it found.
    (tmp_path / "out" / "mine.csv").write_text("mine")
    assert (tmp_path / "out" / "stability.csv").exists()
    assert main(words[:-2]) == 0
    assert not (tmp_path / "out" / "stability.csv").exists() and (tmp_path / "out" / "mine.csv").exists()


def test_impossible_stability_names_the_option(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["discover", str(table), *LABELS, "--out", str(tmp_path / "out")]
    assert main([*words, "--stability", "1"]) == 2
    assert "--stability: 1 is not a possible value" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--split-share", "0.2"], "--split-share: it has no meaning without --split. Add --split"),
        (["--stability-seed", "7"], "--stability-seed: it has no meaning without --stability. Add --stab"),
        (["--cells", "B2:C5", "--sheet", "foo"], "Leave out --sheet and --cells."),
        (
            ["--cells", "foo"],
            "--cells: it has no meaning for the format Text table (CSV, TSV). Leave it out.",
        ),
        (
            ["--skip-lines", "999"],
            "--skip-lines: after 999 lines are skipped, nothing of file 'mood.csv'",
        ),
        (["--ignore", "magic"], "--ignore: no column is named 'magic'. The columns of the table are"),
        (["--groups", "magic"], "--groups: no column is named 'magic'. The columns of the table are"),
        (["--ignore", "悲しい"], "--ignore: '悲しい' is a label. Give the column one purpose."),
        (["--keep", "magic"], "--keep: no column is named 'magic'. The columns of the table are"),
        (["--keep", "悲しい"], "--keep: '悲しい' is a label. Leave it out: labels are never set aside."),
        (["--time-blocks", "悲しい"], "--time-blocks: '悲しい' is a label. Give the column one purpose."),
        (["--missing-codes", "悲しい="], "--missing-codes: '悲しい=' names no value."),
        (
            ["--categories", "x", "--numbers", "x"],
            "--categories: 'x' is to be categories and numbers at once.",
        ),
        (["--also", "magic"], "--also: 'magic' is not an export format."),
        (["--report-parts", "overview,magic"], "--report-parts: a report has no part 'magic'."),
        (["--stability", "x"], "--stability: 'x' is not a whole number"),
        (["--missing-codes", "悲しい=1"], "set --constant-labels to set-aside"),
    ],
)
def test_no_option_is_passed_over(
    words: list[str], message: str, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["discover", str(table), *LABELS, *words, "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err


def test_a_remedy_names_the_option_that_says_no(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "names.csv"
    path.write_text("age,sex,ill\n")
    assert main(["inspect", str(path), "--header"]) == 2
    assert "set --no-header if the first row does not hold names." in capsys.readouterr().err


def test_a_remedy_for_the_table_names_options_and_no_columns_that_are_called_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "all_ill.csv"
    path.write_text("row_weights,sex,ill\n" + "1.5,f,yes\n2.5,m,yes\n" * 30)
    words = ["discover", str(path), "--out", str(tmp_path / "out")]
    assert main([*words, "--labels", "ill,sex"]) == 2
    assert "or set --constant-labels to set-aside to go on" in capsys.readouterr().err
    assert main([*words, "--labels", "row_weight"]) == 2
    assert "Did you mean 'row_weights'?" in capsys.readouterr().err


def test_parts_of_a_report_may_stand_apart(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["discover", str(table), *LABELS, "--report-parts", "overview, references", "--quiet"]
    assert main([*words, "--out", str(out)]) == 0
    assert "<h2" in (out / "report.html").read_text("utf-8")


def test_some_labels_of_a_pattern_can_be_ignored(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(table), "--labels", "weight..悲しい", "--ignore", "weight"]) == 0
    assert "3 features, 2 labels" in capsys.readouterr().out


def test_quiet_is_quiet(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["discover", str(table), *LABELS, "--out", str(tmp_path / "out"), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_ignored_columns_take_no_part(table: Path, tmp_path: Path) -> None:
    words = ["discover", str(table), "--labels", "悲しい", "--ignore", "x", "--ignore", "noise", "--quiet"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    value = json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))
    assert value["data"]["ignored"] == ["x", "noise"]


@pytest.mark.parametrize("test", ["fisher-z", "mixed"])
def test_tests_for_numbers_leave_them_as_they_are(test: str, tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    cause = generator.normal(size=200)
    rows = np.column_stack([cause, generator.normal(size=200), cause + generator.normal(size=200)])
    path = tmp_path / "numbers.csv"
    path.write_text("a,b,y\n" + "\n".join(",".join(map(repr, row)) for row in rows.tolist()) + "\n")
    words = ["discover", str(path), "--labels", "y", "--test", test, "--quiet"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    value = json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))
    assert value["settings"]["preparation"]["discretise"] == "none"
    assert [feature["feature"] for feature in value["label_specific"]] == ["a"]


def test_inspect_lines_up(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(table), *LABELS]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "mood.csv (delimited): 600 rows, 4 features, 2 labels"
    header = next(place for place, line in enumerate(lines) if line.startswith("column"))
    place = display_width(lines[header].split("type")[0])
    for line in lines[header + 1 :]:
        kind = "continuous" if line.startswith("weight") else "nominal"
        assert display_width(line.split(kind)[0]) == place


def test_inspect_tells_which_features_a_search_sets_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{9000 - 37 * row},{row % 7},{row % 2}" for row in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["MRN,dose,ill", *rows]), "utf-8")
    assert main(["inspect", str(tmp_path / "t.csv"), "--labels", "ill"]) == 0
    text = capsys.readouterr().out
    roles = {line.split()[0]: line.split("  ")[1:] for line in text.splitlines() if "continuous" in line}
    assert "'MRN' numbers the rows" in text
    assert "feature, set aside" in [word.strip() for word in roles["MRN"]]
    assert main(["inspect", str(tmp_path / "t.csv"), "--labels", "ill", "--json"]) == 0
    issues = json.loads(capsys.readouterr().out)["issues"]
    assert ("identifier", "MRN") in [(issue["topic"], issue["variable"]) for issue in issues]


def test_inspect_for_programs(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(table), *LABELS, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    dataset = engine.read_dataset(table, labels=["calm, quiet", "悲しい"])
    assert value["content_hash"] == dataset.content_hash
    columns = {column["name"]: column for column in value["columns"]}
    assert sum(columns["x"]["levels"].values()) == 600
    assert columns["weight"]["minimum"] == float(dataset.column("weight").min())
    assert columns["weight"]["skewness"] == pytest.approx(scipy.stats.skew(dataset.column("weight")))
    assert columns["weight"]["zero_share"] == 0.0 and columns["x"]["skewness"] is None
    assert columns["悲しい"]["role"] == "label"
    assert {guess["name"] for guess in value["guesses"]} >= {"delimiter", "encoding"}


def test_simulate_then_discover(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--labels", "3", "--features", "30", "--rows", "400", "--seed", "2"]
    for ending in ("arff", "csv"):
        assert main(["simulate", "--out", str(tmp_path / "new" / f"s.{ending}"), *words]) == 0
    assert "s.arff, s.xml and s.truth.json" in capsys.readouterr().out
    network = engine.simulate(labels=3, features=30, rows=400, seed=2)
    back = engine.read_dataset(tmp_path / "new" / "s.arff", labels=tmp_path / "new" / "s.xml")
    assert back.content_hash == network.dataset.content_hash
    truth = json.loads((tmp_path / "new" / "s.truth.json").read_text("utf-8"))
    assert {feature["feature"] for feature in truth["common"]} == network.truth.common
    assert {feature["feature"] for feature in truth["label_specific"]} == network.truth.label_specific
    assert [tuple(edge) for edge in truth["edges"]] == list(network.truth.edges)


NETWORK = """
variable rain { type discrete [ 2 ] { no, yes }; }
variable "hose, garden" { type discrete [ 2 ] { off, on }; }
variable wet { type discrete [ 2 ] { no, yes }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( "hose, garden" ) { table 0.7, 0.3; }
probability ( wet | rain, "hose, garden" ) {
  (no, off) 0.9, 0.1; (no, on) 0.2, 0.8; (yes, off) 0.3, 0.7; (yes, on) 0.1, 0.9;
}
"""


def test_simulate_from_a_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "garden.bif"
    path.write_text(NETWORK, "utf-8")
    words = ["--network", str(path), "--labels", "rain", "--label", "hose, garden", "--rows", "300"]
    assert main(["simulate", *words, "--seed", "3", "--out", str(tmp_path / "g.csv")]) == 0
    assert "300 rows of 1 feature and 2 labels; 1 feature common" in capsys.readouterr().out
    simulated = engine.simulate_network(engine.read_network(path), ["rain", "hose, garden"], 300, seed=3)
    back = engine.read_dataset(tmp_path / "g.csv", labels=tmp_path / "g.xml")
    assert back.labels == simulated.dataset.labels == ("rain", "hose, garden")
    pandas.testing.assert_frame_equal(back.frame, simulated.dataset.frame, check_dtype=False)
    truth = json.loads((tmp_path / "g.truth.json").read_text("utf-8"))
    assert truth["settings"] == {"labels": ["rain", "hose, garden"], "rows": 300, "seed": 3}
    assert [tuple(edge) for edge in truth["edges"]] == [("rain", "wet"), ("hose, garden", "wet")]
    assert all(boundary["is_exact"] for boundary in truth["boundaries"])


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--network", "NET"], "no label is named"),
        (["--network", "NET", "--labels", "snow"], "no variable 'snow'"),
        (["--network", "NET", "--labels", "rain", "--rows", "0"], "--rows: 0 is not"),
        (["--network", "NET", "--labels", "rain", "--strength", "0.5"], "--strength: it describes"),
        (["--network", "missing.bif", "--labels", "rain"], "no such file"),
        (["--labels", "rain"], "'rain' is not a whole number"),
        (["--labels", "0"], "--labels: 0 is not"),
        (["--label", "rain"], "--label: labels are named only in a given network"),
    ],
)
def test_simulate_refuses_what_does_not_fit(
    words: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "garden.bif"
    path.write_text(NETWORK, "utf-8")
    given = [str(path) if word == "NET" else word for word in words]
    assert main(["simulate", *given, "--out", str(tmp_path / "g.csv")]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == [path]


def test_simulate_refuses_other_endings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--out", str(tmp_path / "a.sav")]) == 2
    assert "Name it 'a.sav.arff'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_methods_lists_every_registry(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods"]) == 0
    output = capsys.readouterr().out
    for name in [*engine.algorithms(), *engine.ci_tests(), "mdl-joint", "graph.graphml", "delimited"]:
        assert name.split(".")[0] in output or name == "delimited"


@pytest.mark.parametrize("name", subcommands())
def test_every_subcommand_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([name, "--help"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: clcd {name}")


@pytest.mark.parametrize("columns", ["60", "80", "100"])
def test_help_breaks_no_name_and_writes_no_power_of_ten(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit):
        main(["discover", "--help"])
    text = capsys.readouterr().out
    words = {word.strip(".,;") for word in text.split()}
    assert {"hiton-mb", "fisher-z-rank", "x2-permutation", "report-pdf", "features-excel"} <= words
    assert "e+0" not in text and "300.0" not in text


@pytest.mark.parametrize("settings", [DiscoverySettings, PreparationSettings, ReadingOptions])
def test_every_setting_is_an_option(settings: type, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["discover", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for parameter in parameters_of(settings):
        assert option_of(parameter.name) in text


def test_no_option_means_the_defaults() -> None:
    parser = Parser(prog="clcd")
    for settings in (DiscoverySettings, PreparationSettings, ReadingOptions):
        add_settings(parser, settings, "some")
    arguments = parser.parse_args([])
    assert given_settings(arguments, DiscoverySettings) == DiscoverySettings()
    assert given_settings(arguments, PreparationSettings) == PreparationSettings()
    assert given_settings(arguments, ReadingOptions) == ReadingOptions()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name a subcommand"),
        (["discovr"], "Did you mean 'discover'?"),
        (["--frobnicate"], "there is no option '--frobnicate'. See 'clcd --help'."),
        (["discover"], "the following arguments are required: DATA"),
        (["discover", "x.csv"], "required: --out"),
        (["discover", "x.csv", "--out", "o", "--alpha", "7"], "--alpha: 7.0 is not a possible value"),
        (["discover", "x.csv", "--out", "o", "--alpha", "x"], "--alpha: 'x' is not a number"),
        (["discover", "x.csv", "--out", "o", "--bins", "2.5"], "--bins: '2.5' is not a whole number"),
        (["discover", "x.csv", "--out", "o", "--test", "g3"], "Choose one of: auto, g2, x2, fisher-z"),
        (["discover", "x.csv", "--out", "o", "--alph", "0.1"], "'--alph'. Did you mean '--alpha'?"),
        (["discover", "x.csv", "--out", "o", "--alph=0.1"], "'--alph'. Did you mean '--alpha'?"),
        (["inspect", "x.csv", "y.csv"], "'y.csv' is one word too many."),
        (["discover", "x.csv", "--out", "o", "--also", "grap"], "Did you mean 'graph'?"),
        (["discover", "x.csv", "--out", ""], "--out: the name is empty."),
        (["inspect", ""], "DATA: the name is empty."),
        (["inspect", "x.csv", "--labels-file", ""], "--labels-file: the name is empty."),
        (["discover", "x.csv", "--out", "o", "--labels", ","], "--labels: no label is named"),
        (["inspect", "x.csv"], "there is no such file"),
    ],
)
def test_a_wrong_word_is_one_line(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("clcd: ") and output.err.count("\n") == 1
    assert message in output.err
    assert list(tmp_path.iterdir()) == []


def test_a_name_cannot_break_the_line_or_colour_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.arff"
    attributes = "@attribute 'red\\u001b[31m\\ntwo' numeric\n@attribute ill {0,1}\n"
    path.write_text(f"@relation a\n{attributes}@data\n1,0\n2,1\n3,0\n4,1\n")
    assert main(["inspect", str(path)]) == 0
    output = capsys.readouterr().out
    assert "\x1b" not in output and "red␛[31m␊two" in output
    assert main(["inspect", str(path), "--label", "absent\x1b\nname"]) == 2
    message = capsys.readouterr().err
    assert "\x1b" not in message and message.count("\n") == 1


_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@pytest.fixture
def heeded() -> Iterator[None]:
    """Signals as a terminal has them: tests started in the background inherit an ignored Ctrl+C."""
    before = {signal_number: signal.signal(signal_number, signal.SIG_DFL) for signal_number in _SIGNALS}
    yield
    for signal_number, handler in before.items():
        signal.signal(signal_number, handler)


@pytest.mark.usefixtures("heeded")
def test_ctrl_c_asks_to_stop_and_the_next_one_is_deadly() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with stop_on_request() as interruption:
        assert not interruption.is_requested()
        signal.raise_signal(signal.SIGINT)
        assert interruption.is_requested()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    assert interruption.exit_status == 130
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


@pytest.mark.usefixtures("heeded")
def test_a_signal_to_the_process_and_to_its_group_is_one_request() -> None:
    again = threading.Timer(0.03, os.kill, (os.getpid(), signal.SIGTERM))
    with stop_on_request() as interruption:
        again.start()
        signal.raise_signal(signal.SIGTERM)
        again.join()
        assert interruption.is_requested()


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("request_to_stop", _SIGNALS[1:])
def test_a_request_to_terminate_and_a_closed_terminal_stop_too(request_to_stop: signal.Signals) -> None:
    with stop_on_request() as interruption:
        signal.raise_signal(request_to_stop)
        assert interruption.is_requested()
    assert interruption.exit_status == 128 + request_to_stop


_SEARCHING = """
import fcntl, signal, sys, termios, time
from engine.progress import ProgressEvent
from engine.terminal.console import Console
from engine.terminal.interruption import stop_on_request
from engine.terminal.console import TerminalProgress

# Tests that are started by nohup would hand on that it is ignored.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
with stop_on_request() as interruption:
    progress = TerminalProgress(True, interruption.is_requested)
    while not progress.should_stop():
        progress.report(ProgressEvent("Searching", 0, 9))
        time.sleep(0.01)
    progress.close()
with open(sys.argv[1], "w") as kept:
    kept.write("kept")
Console().say("done")
Console().finish()
sys.exit(interruption.exit_status)
"""


def test_a_closed_terminal_leaves_what_is_finished(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty", reason="there is no terminal that can be taken away")
    terminal, its_end = pty.openpty()
    words = [sys.executable, "-c", _SEARCHING, str(tmp_path / "kept")]
    process = subprocess.Popen(words, stdin=its_end, stdout=its_end, stderr=its_end, start_new_session=True)
    os.close(its_end)
    drawn = b""
    while b"Searching" not in drawn:
        drawn += os.read(terminal, 1 << 12)
    os.close(terminal)
    assert process.wait() == 128 + signal.SIGHUP
    assert (tmp_path / "kept").read_text() == "kept"


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stop_on_request() as interruption:
            signal.raise_signal(signal.SIGINT)
            assert not interruption.is_requested()
    finally:
        signal.signal(signal.SIGINT, before)


def test_progress_is_drawn_for_a_person_only(capsys: pytest.CaptureFixture[str]) -> None:
    for is_drawn in (True, False):
        progress = TerminalProgress(is_drawn, lambda: False)
        progress.report(ProgressEvent("Looking", 0, 4, detail="Größe\n1"))
        progress.report(ProgressEvent("Looking", 3, 4))
        progress.report(ProgressEvent("Cutting", 1, 2))
        progress.close()
        output = capsys.readouterr()
        assert output.out == ""
        assert ("Looking: Größe 1" in output.err) is is_drawn
    assert output.err == ""


def test_text_tables_know_wide_letters() -> None:
    lines = text_table(["name", "rows"], [["高血压", "5"], ["a", "1,200"]], right=["rows"])
    assert [display_width(line) for line in lines] == [13, 13, 13]
    assert shortened("高" * 40) == "高" * 29 + "…"
    assert shortened("short") == "short"


def test_many_columns_of_one_kind_take_one_line_and_their_options_can_be_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"tick {place}" for place in range(40)]
    rows = [",".join("x" if (row + place) % 3 else "" for place in range(40)) for row in range(60)]
    path = tmp_path / "ticks.csv"
    path.write_text("\n".join([",".join(names), *rows]) + "\n", encoding="utf-8")
    assert main(["inspect", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    (line,) = (line for line in lines if "holds only 'x'" in line)
    assert line.endswith("The same holds for 39 more columns: 'tick 1', 'tick 2', 'tick 3' and 36 more.")
    (options,) = (line for line in lines if line.strip().startswith("--empty-means-no"))
    assert main(["inspect", str(path), *shlex.split(options)]) == 0
    assert "holds only" not in capsys.readouterr().out
