"""The command as scripts meet it: real processes, files, exit statuses, one line when something is wrong."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import networkx
import numpy as np
import pandas
import pytest

from engine.terminal import main
from tests.deadline import Deadline

PROJECT = Path(__file__).resolve().parent.parent.parent
OUTPUTS = {
    "result.json",
    "common.csv",
    "label_specific.csv",
    "links.csv",
    "equivalences.csv",
    "label_relations.csv",
    "directions.csv",
    "effects.csv",
    "graph.graphml",
    "report.html",
}
XML = '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="ill"></label></labels>'
# As a person would start it at a prompt: a test runner in the background may have Ctrl+C ignored.
START = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from engine.terminal import main; sys.exit(main())"
)


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PROJECT), **changes}


def clcd(*words: str | Path, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *map(str, words)],
        capture_output=True,
        encoding="utf-8",
        env=environment(**changes),
        timeout=120,
        check=False,
    )


@dataclass(frozen=True)
class Answer:
    """What a command said, as ``subprocess.run`` gives it."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def at_once(capfd: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run the command within this process, where starting one says nothing more than some tests here do."""

    def run(*words: str | Path) -> Answer:
        capfd.readouterr()
        try:
            status = main([str(word) for word in words])
        except SystemExit as ended:
            status = ended.code
        return Answer(status, *capfd.readouterr())

    return run


def arff(rows: int = 60) -> str:
    generator = np.random.default_rng(0)
    lines = ["@relation r", "@attribute a numeric", "@attribute b {x,y}", "@attribute ill {0,1}", "@data"]
    for _ in range(rows):
        lines.append(f"{generator.normal():.4f},{generator.choice(['x', 'y'])},{generator.integers(2)}")
    return "\n".join(lines) + "\n"


def csv_table(ill: str = "01", rows: int = 60) -> str:
    generator = np.random.default_rng(0)
    lines = [
        f"{generator.normal():.4f},{generator.choice(['x', 'y', 'z'])},{generator.choice(list(ill))}"
        for _ in range(rows)
    ]
    return "\n".join(["a,b,ill", *lines]) + "\n"


def truncated_gzip() -> bytes:
    return gzip.compress(arff(2000).encode())[:3000]


MALFORMED: dict[str, tuple[str, Callable[[], str | bytes], list[str], str]] = {
    "truncated in a row": ("t.arff", lambda: arff()[:-9], [], "line 65: the row has 1 value, expected 3"),
    "truncated in the header": ("t.arff", lambda: arff()[:30], [], "t.arff"),
    "truncated gzip": ("t.arff.gz", truncated_gzip, [], "damaged or cut off"),
    "wrong encoding": (
        "t.csv",
        lambda: csv_table().replace("a,b", "größe,b").encode("cp1252"),
        ["--encoding", "utf-8"],
        "cannot be read as utf-8. Choose another encoding, such as cp1252",
    ),
    "half a letter": (
        "t.csv",
        lambda: csv_table().encode("utf-16")[:-1],
        [],
        "cannot be read as utf-16-le",
    ),
    "ragged rows": ("t.csv", lambda: csv_table() + "1,x\n", [], "line 62: the row has 2 cells, expected 3"),
    "a label with one value": (
        "t.csv",
        lambda: csv_table(ill="1"),
        [],
        "label 'ill': it has only the value '1'",
    ),
    "no features": ("t.csv", lambda: "ill\n" + "0\n1\n" * 20, [], "no feature is left"),
    "no useful features": (
        "t.csv",
        lambda: "c,ill\n" + "1,0\n1,1\n" * 20,
        [],
        "no feature is left in which anything could be found",
    ),
    "an empty file": ("t.csv", lambda: "", [], "the file is empty"),
    "a header alone": ("t.csv", lambda: "a,b,ill\n", [], "holds no rows"),
    "a picture": ("t.csv", lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0", [], "not a text table"),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_table_is_named_and_nothing_is_written(
    kind: str, tmp_path: Path, at_once: Callable[..., Answer]
) -> None:
    name, content, words, message = MALFORMED[kind]
    path = tmp_path / name
    written = content()
    path.write_bytes(written if isinstance(written, bytes) else written.encode())
    assert_refused(at_once("discover", path, "--labels", "ill", *words, "--out", tmp_path / "out"), message)
    assert [path.name for path in tmp_path.iterdir()] == [name]


# One shows that a process says what is tried above within this one.
@pytest.mark.parametrize(
    "kind",
    [
        "a label with one value",
        *(pytest.param(kind, marks=pytest.mark.long) for kind in ("truncated gzip", "wrong encoding")),
    ],
)
def test_a_process_answers_a_malformed_table_in_the_same_way(
    kind: str, tmp_path: Path, at_once: Callable[..., Answer]
) -> None:
    name, content, words, _ = MALFORMED[kind]
    path = tmp_path / name
    written = content()
    path.write_bytes(written if isinstance(written, bytes) else written.encode())
    command = ("discover", path, "--labels", "ill", *words, "--out", tmp_path / "out")
    process = clcd(*command)
    assert Answer(process.returncode, process.stdout, process.stderr) == at_once(*command)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{folder}", "--labels", "ill"], "this is a directory, not a file"),
        (["{folder}/absent.csv", "--labels", "ill"], "there is no such file"),
        (
            ["{folder}/good.csv", "--labels", "il"],
            "the label 'il' is not a column of the table. Did you mean 'ill'?",
        ),
        (["{folder}/good.csv"], "no column is a label. Name them with --labels"),
        (["{folder}/good.csv", "--labels-file", "{folder}/broken.xml"], "not well-formed"),
        (["{folder}/good.csv", "--labels-file", "{folder}/other.xml"], "the label 'well' is not a column"),
        (["{folder}/good.csv", "--labels", "ill", "--alpha", "2"], "--alpha: 2.0 is not a possible value"),
        (["{folder}/good.csv", "--labels", "ill", "--test", "fisher-z"], "column 'b'"),
        (["{folder}/good.csv", "--labels", "ill", "--out", "{folder}/good.csv"], "a file has the name"),
    ],
)
def test_bad_arguments_are_named_and_nothing_is_written(
    words: list[str], message: str, tmp_path: Path, at_once: Callable[..., Answer]
) -> None:
    (tmp_path / "good.csv").write_text(csv_table())
    (tmp_path / "broken.xml").write_text(XML[:-20])
    (tmp_path / "other.xml").write_text(XML.replace("ill", "well"))
    before = sorted(tmp_path.iterdir())
    filled = [word.format(folder=tmp_path) for word in words]
    assert_refused(at_once("discover", "--out", tmp_path / "out", *filled), message)
    assert sorted(tmp_path.iterdir()) == before


def assert_refused(answer: Answer, message: str) -> None:
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.startswith("clcd: ")
    assert answer.stderr.count("\n") == 1, answer.stderr
    assert "Traceback" not in answer.stderr
    assert message in answer.stderr


def test_discover_writes_every_output(tmp_path: Path, at_once: Callable[..., Answer]) -> None:
    simulated = at_once(
        "simulate", "--out", tmp_path / "s.arff", "--labels", "3", "--features", "12", "--rows", "400"
    )
    assert (simulated.returncode, simulated.stderr) == (0, "")
    process = clcd(
        "discover", tmp_path / "s.arff", "--labels-file", tmp_path / "s.xml", "--out", tmp_path / "out"
    )
    assert (process.returncode, process.stderr) == (0, "")
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == OUTPUTS
    result = json.loads((out / "result.json").read_text("utf-8"))
    common = pandas.read_csv(out / "common.csv")
    assert common["feature"].tolist() == [finding["feature"] for finding in result["common"]]
    assert len(networkx.read_graphml(out / "graph.graphml")) >= len(common)
    # Links through other labels count where a person reads, and in the tables of the paper they do not.
    linked = pandas.read_csv(out / "links.csv")["feature"].value_counts()
    total = f"{sum(linked > 1) or 'None'} of 12 variables"
    assert total in process.stdout
    assert total in (out / "report.html").read_text("utf-8")


def test_labels_are_named_with_commas_or_one_by_one(tmp_path: Path, at_once: Callable[..., Answer]) -> None:
    (tmp_path / "t.csv").write_text(csv_table())
    for number, words in enumerate(
        (["--labels", "ill"], ["--label", "ill"], ["--label", "b", "--labels", "ill"])
    ):
        out = tmp_path / f"out{number}"
        assert at_once("discover", tmp_path / "t.csv", *words, "--out", out, "--quiet").returncode == 0
        assert "ill" in json.loads((out / "result.json").read_text())["data"]["labels"]


def test_version_and_help() -> None:
    import engine

    assert clcd("--version").stdout == f"clcd {engine.__version__}\n"
    assert "discover" in clcd("--help").stdout


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom engine.terminal import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'pandas', 'numba', 'scipy', 'networkx', 'jinja2'} & set(sys.modules)))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert process.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    columns = [f"column{number}" for number in range(5000)]
    lines = [",".join(columns), *(",".join(str(row % 2) for _ in columns) for row in range(4))]
    (tmp_path / "wide.csv").write_text("\n".join(lines) + "\n")
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "inspect", str(tmp_path / "wide.csv")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith(b"wide.csv")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_terminal_that_knows_few_letters(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(csv_table().replace("a,b,ill", "größe,b,悲しい"), "utf-8")
    # Both in one process, by words that the system hands over as it does at a prompt.
    words = ["inspect", str(table), "then"]
    words += ["discover", str(table), "--labels", "悲しい", "--out", str(tmp_path / "out")]
    code = (
        "import sys\nfrom engine.terminal import main\nwords = sys.argv[1:]\nat = words.index('then')\n"
        "sys.exit(main(words[:at]) or main(words[at + 1 :]))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        encoding="utf-8",
        env=environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0"),
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")
    assert "gr??e" in process.stdout
    assert (tmp_path / "out" / "result.json").exists()


@pytest.mark.parametrize(
    "module",
    [
        "engine.terminal.command_line",
        "engine.terminal.console",
        "numpy",
        "numpy._core.multiarray",
        "numpy.linalg._umath_linalg",
    ],
)
def test_ctrl_c_while_modules_are_loaded_ends_as_it_does_later(tmp_path: Path, module: str) -> None:
    (tmp_path / "t.csv").write_text(csv_table())
    code = (
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Watch:\n    def find_spec(self, name, path, target=None):\n"
        f"        if name == {module!r}:\n            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Watch())\n"
        "from engine.terminal import main\nsys.exit(main())"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, "inspect", str(tmp_path / "t.csv")],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert (process.returncode, process.stdout) == (130, "")
    assert process.stderr == "clcd: stopped; nothing was written.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_output_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(csv_table())
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "engine", "inspect", str(tmp_path / "t.csv")],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            check=False,
        )
    assert process.returncode == 2
    assert process.stderr.startswith("clcd: standard output: cannot be written")
    assert process.stderr.count("\n") == 1


def test_a_fault_of_the_program_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(csv_table())
    code = (
        "import engine.terminal.subcommands.inspect as module, sys\n"
        "module.read_given_table = lambda arguments: {}['x']\n"
        "from engine.terminal import main\nsys.exit(main())"
    )
    for shown in ("", "1"):
        process = subprocess.run(
            [sys.executable, "-c", code, "inspect", str(tmp_path / "t.csv")],
            capture_output=True,
            text=True,
            env=environment(CLCD_TRACEBACK=shown),
            check=False,
        )
        assert process.returncode == 1
        assert "KeyError: 'x'" in process.stderr
        assert ("Traceback" in process.stderr) is bool(shown)
        assert "Please report" in process.stderr or shown


@pytest.fixture
def long_work(tmp_path: Path) -> Path:
    """A table whose search takes several seconds: many noisy copies of each of many hidden causes."""
    generator = np.random.default_rng(0)
    rows, causes, copies = 2000, 60, 20
    hidden = generator.integers(0, 2, (causes, rows))
    columns = [
        np.where(generator.random(rows) < 0.8, hidden[number % causes], generator.integers(0, 2, rows))
        for number in range(causes * copies)
    ]
    names = [f"label{number}" if number < causes else f"feature{number}" for number in range(len(columns))]
    path = tmp_path / "long.csv"
    pandas.DataFrame(np.column_stack(columns), columns=names).to_csv(path, index=False)
    return path


@pytest.mark.skipif(os.name != "posix", reason="needs pseudo-terminals")
def test_ctrl_c_keeps_and_marks_what_is_finished(long_work: Path, tmp_path: Path) -> None:
    import pty

    labels = ",".join(f"label{number}" for number in range(60))
    words = ["discover", str(long_work), "--labels", labels, "--workers", "1", "--out", str(tmp_path / "out")]
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", START, *words], stdout=subprocess.PIPE, stderr=theirs, env=environment()
    ) as process:
        os.close(theirs)
        shown = read_until(ours, lambda text: max_percent(text) >= 3)
        process.send_signal(signal.SIGINT)
        soon = Deadline(20)
        assert process.stdout is not None
        output = process.stdout.read().decode()
        status = process.wait(timeout=240)
        is_late = soon.has_passed()
    os.close(ours)
    assert "Looking for" in shown, "a person at a terminal sees progress"
    assert status == 130
    assert not is_late, "what remains after Ctrl+C is to write the files"
    assert output.startswith("The run was stopped: ")
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert result["summary"]["partial"] is True
    finished = {boundary["target"] for boundary in result["boundaries"]}
    assert finished and not finished & set(result["summary"]["unfinished_labels"])
    assert {path.name for path in (tmp_path / "out").iterdir()} == OUTPUTS - {"effects.csv"}
    assert "The run was stopped" in (tmp_path / "out" / "report.html").read_text("utf-8")


def max_percent(text: str) -> int:
    return max((int(number) for number in re.findall(r"(\d+) % \|", text)), default=0)


def read_until(terminal: int, is_enough: Callable[[str], bool]) -> str:
    text = ""
    deadline = time.monotonic() + 240
    while not is_enough(text):
        assert time.monotonic() < deadline, text[-500:]
        text += os.read(terminal, 4096).decode(errors="replace")
    return text
