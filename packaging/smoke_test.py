"""Try the frozen program where there is no screen: ``.venv/bin/python packaging/smoke_test.py``.

The window opens the bundled example, runs the analysis, exports everything and ends; the terminal command
does the same. Both must agree, once with a fresh home and once with a home that cannot be written, and
neither may need to compile anything. With the fresh home every format is read, every test and every search is
made, every file is written and every subcommand tried: what is left out of the libraries (``contents.py``) is
missed by none of them.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from distributed import LocalCluster
from formats import write_formats

import engine

PROJECT = Path(__file__).resolve().parents[1]
ROWS = 800
TWO = 2
SUFFIX = ".exe" if platform.system() == "Windows" else ""
EXPORTS = (
    "result.json",
    "common.csv",
    "label_specific.csv",
    "equivalences.csv",
    "label_relations.csv",
    "directions.csv",
    "graph.graphml",
    "report.html",
)
LONGEST_SECONDS = 240


class SmokeTestError(Exception):
    """The frozen program does not do what it must."""


def run(command: list[str | Path], home_folder: Path, folder: Path) -> str:
    """Run a frozen program with nothing of this environment but the system's own, and return what it says."""
    environment = {
        "HOME": str(home_folder),
        "XDG_CACHE_HOME": str(home_folder / "cache"),
        "XDG_CONFIG_HOME": str(home_folder / "config"),
        "XDG_DATA_HOME": str(home_folder / "data"),
        "TMPDIR": str(folder),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "QT_QPA_PLATFORM": "offscreen",
    }
    inherited = {
        name: os.environ[name] for name in ("SYSTEMROOT", "LOCALAPPDATA", "TEMP") if name in os.environ
    }
    started, used = time.monotonic(), processor_seconds()
    done = subprocess.run(
        command,
        cwd=folder,
        env=inherited | environment,
        timeout=LONGEST_SECONDS,
        capture_output=True,
        text=True,
    )
    took, used = time.monotonic() - started, processor_seconds() - used
    words = " ".join(Path(each).name for each in command[:3])
    print(f"{words}: exit {done.returncode}, {took:.1f} s, of the processors {used:.1f} s", flush=True)
    if done.returncode or "Traceback" in done.stderr:
        raise SmokeTestError(f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def processor_seconds() -> float:
    """Return what all children that have ended used of the processors; 0 where the system does not say."""
    times = os.times()
    return times.children_user + times.children_system


def check_exports(out: Path) -> dict[str, object]:
    """Make sure that everything was written, and give what was found."""
    for name in EXPORTS:
        if not (out / name).is_file() or not (out / name).stat().st_size:
            raise SmokeTestError(f"{out / name} was not written.")
    return json.loads((out / "result.json").read_text(encoding="utf-8"))


def findings(result: dict[str, object]) -> object:
    """Give the part of a result that must not depend on how it was made."""
    return result["common"], result["label_specific"]


def compiled_kernels(folder: Path) -> set[str]:
    """Name the compiled kernels in a folder."""
    return {path.name for path in folder.rglob("*.nbc")}


def try_home(frozen: Path, home_folder: Path, folder: Path) -> None:
    """Let window and terminal analyse the example with a given home folder."""
    window_out, terminal_out = folder / "window", folder / "terminal"
    started = time.time()
    run([frozen / f"clcd-gui{SUFFIX}", "--smoke-test", window_out], home_folder, folder)
    print(times_in_words(json.loads((window_out / "times.json").read_text(encoding="utf-8")), started))
    run([frozen / f"clcd{SUFFIX}", "discover", *example(frozen), "--out", terminal_out], home_folder, folder)
    if findings(check_exports(window_out)) != findings(check_exports(terminal_out)):
        raise SmokeTestError("Window and terminal disagree.")


def times_in_words(times: dict[str, float], started: float) -> str:
    """Say how long a person would have waited for the window, and for the first result."""
    waited = times["opening_seconds"] + times["running_seconds"]
    return (
        f"window usable after {times['usable_at'] - started:.1f} s "
        f"(of the processors {times['processor_seconds_until_usable']:.1f} s), "
        f"first result {waited:.1f} s after a click on the example in the same moment "
        f"(of the processors {times['processor_seconds_from_the_click']:.1f} s)"
    )


def example(frozen: Path) -> list[str | Path]:
    """Return the words by which the terminal command is given the bundled example."""
    table = next(frozen.rglob("hospital-survey.csv"))
    return [table, "--labels-file", table.with_suffix(".xml")]


def try_everything(frozen: Path, home_folder: Path, folder: Path) -> None:
    """Read every format, make every test and every search, write every file, and try each subcommand."""
    command, words = frozen / f"clcd{SUFFIX}", example(frozen)
    table, labels = words[0], words[2]
    for path in write_formats(table, labels, folder):
        if f"{ROWS} rows" not in run([command, "inspect", path], home_folder, folder):
            raise SmokeTestError(f"{path.name} was not read.")
    discover = [command, "discover", *words]
    helped = " ".join(run([command, "discover", "--help"], home_folder, folder).split())
    for name in listed(helped, r"A further file: (.+?)\."):
        before = {*folder.glob("also/*")}
        run([*discover, "--also", name, "--out", folder / "also"], home_folder, folder)
        if len({*folder.glob("also/*")}) == len(before):
            raise SmokeTestError(f"--also {name} wrote nothing.")
    for test in listed(helped, r"--test NAME .*?One of: (.+?)\."):
        fitting = words_for_test(test, engine.read_dataset(table, labels=labels))
        run([*discover, "--test", test, *fitting, "--out", folder / "tests"], home_folder, folder)
    for algorithm in listed(helped, r"--algorithm NAME .*?One of: (.+?)\."):
        run([*discover, "--algorithm", algorithm, "--out", folder / "algorithms"], home_folder, folder)


def words_for_test(test: str, dataset: engine.Dataset) -> list[str]:
    """Return the words that make a table fit a test: numbers are cut, columns of many categories left out."""
    if test == "auto":
        return []
    takes = engine.ci_tests()[test]
    words = [] if takes.takes_missing else ["--missing", "drop-rows"]
    if not takes.takes_numbers:
        return [*words, "--discretise", "quantile"]
    several = [each.name for each in dataset.variables if len(each.levels) > TWO]
    ignored = [] if takes.takes_categories else [word for name in several for word in ("--ignore", name)]
    return [*words, *ignored]


def listed(text: str, pattern: str) -> list[str]:
    """Return the words of a list in a help text."""
    found = re.search(pattern, text)
    if found is None:
        raise SmokeTestError(f"The help has no {pattern}.")
    # A word that is longer than the rest of its line is parted behind a hyphen.
    return found[1].replace("- ", "-").split(", ")


def try_subcommands(frozen: Path, home_folder: Path, folder: Path) -> None:
    """Try what else the terminal command does, on a cluster too."""
    command, words = frozen / f"clcd{SUFFIX}", example(frozen)
    run([command, "select", *words, "--out", folder / "selected"], home_folder, folder)
    runs = [folder / "tests" / "result.json", folder / "algorithms" / "result.json"]
    run([command, "compare", *runs, "--out", folder / "compared"], home_folder, folder)
    sizes, simulated = ["--labels", "4", "--features", "30", "--rows", "500"], folder / "simulated.arff"
    run([command, "simulate", *sizes, "--out", simulated], home_folder, folder)
    run([command, "inspect", simulated], home_folder, folder)
    run(
        [command, "benchmark", "--small", *sizes, "--seeds", "1", "--out", folder / "networks"],
        home_folder,
        folder,
    )
    few = ["--splits", "2", "--percentages", "20", "--classifier", "logistic"]
    selectors = [command, "benchmark", "--selection", simulated, *few]
    run([*selectors, "--out", folder / "selectors"], home_folder, folder)
    repeated = [*words, "--stability", "4", "--missing", "imputed", "--split"]
    run([command, "discover", *repeated, "--out", folder / "repeated"], home_folder, folder)
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        there = ["--cluster", cluster.scheduler_address, "--out", folder / "cluster"]
        run([command, "discover", *words, *there], home_folder, folder)


def check_kernels(frozen: Path, *folders: Path) -> None:
    """Make sure that nothing had to be compiled."""
    shipped = compiled_kernels(next(frozen.rglob("shipped_kernels")))
    more = set().union(*map(compiled_kernels, folders))
    if not shipped or more - shipped:
        raise SmokeTestError(f"Kernels had to be compiled: {sorted(more - shipped)}")


def main(place: str = str(PROJECT / "dist" / "clcd")) -> None:
    """Try the frozen program with a home that cannot be written, and everything with a fresh one."""
    frozen = Path(place).resolve()
    for home_name in ("home-is-a-file", "home"):
        folder = Path(tempfile.mkdtemp(prefix="clcd-smoke-"))
        try:
            home_folder = folder / home_name
            if home_name == "home":
                home_folder.mkdir()
            else:
                home_folder.write_text("Nothing can be written below a file, not even by root.\n")
            try_home(frozen, home_folder, folder)
            if home_folder.is_dir():
                try_everything(frozen, home_folder, folder)
                try_subcommands(frozen, home_folder, folder)
            check_kernels(frozen, home_folder if home_folder.is_dir() else folder, folder)
        finally:
            shutil.rmtree(folder)
    print("The frozen program works.")


if __name__ == "__main__":
    main(*sys.argv[1:])
