"""Try the frozen program where there is no screen: ``.venv/bin/python packaging/smoke_test.py``.

The window opens the bundled example, runs the analysis, exports everything and ends; the terminal command
does the same. Both must agree, once with a fresh home and once with a home that cannot be written, and
neither may need to compile anything.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
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
LONGEST_SECONDS = 120


class SmokeTestError(Exception):
    """The frozen program does not do what it must."""


def run(command: list[str | Path], home: Path, folder: Path) -> None:
    """Run a frozen program with nothing of this environment but the system's own."""
    environment = {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "TMPDIR": str(folder),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "QT_QPA_PLATFORM": "offscreen",
    }
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "LOCALAPPDATA", "TEMP") if name in os.environ}
    started = time.monotonic()
    done = subprocess.run(
        command, cwd=folder, env=kept | environment, timeout=LONGEST_SECONDS, capture_output=True, text=True
    )
    print(f"{Path(command[0]).name} {command[1]}: exit {done.returncode}, {time.monotonic() - started:.1f} s")
    if done.returncode or "Traceback" in done.stderr:
        raise SmokeTestError(f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")


def check_exports(out: Path) -> dict[str, object]:
    """Make sure that everything was written, and give what was found."""
    for name in EXPORTS:
        if not (out / name).is_file() or not (out / name).stat().st_size:
            raise SmokeTestError(f"{out / name} was not written.")
    return json.loads((out / "result.json").read_text(encoding="utf-8"))


def findings(result: dict[str, object]) -> object:
    """Give the part of a result that must not depend on how it was made."""
    return result["common"], result["label_specific"]


def other_formats(table: Path, folder: Path) -> list[Path]:
    """Write a table in the formats that libraries of their own read."""
    import h5py
    import pandas

    frame = pandas.read_csv(table)
    paths = [folder / f"table.{ending}" for ending in ("parquet", "feather", "xlsx", "dta", "mat")]
    frame.to_parquet(paths[0])
    frame.to_feather(paths[1])
    frame.to_excel(paths[2], index=False)
    frame.rename(columns={name: f"v{number}" for number, name in enumerate(frame)}).to_stata(paths[3])
    with h5py.File(paths[4], "w", userblock_size=512) as file:
        file["x"] = frame.select_dtypes("number").to_numpy().T
        file["x"].attrs["MATLAB_class"] = "double"
    return paths


def compiled_kernels(folder: Path) -> set[str]:
    """Name the compiled kernels in a folder."""
    return {path.name for path in folder.rglob("*.nbc")}


def try_home(frozen: Path, home: Path, folder: Path) -> None:
    """Let window and terminal analyse the example with a given home folder."""
    examples = next(frozen.rglob("hospital-survey.csv")).parent
    window_out, terminal_out = folder / "window", folder / "terminal"
    run([frozen / f"clcd-gui{SUFFIX}", "--smoke-test", window_out], home, folder)
    times = json.loads((window_out / "times.json").read_text(encoding="utf-8"))
    print(f"first result {sum(times.values()):.1f} s after the click on the example")
    table, labels = examples / "hospital-survey.csv", examples / "hospital-survey.xml"
    command = frozen / f"clcd{SUFFIX}"
    reports = ["--also", "report-pdf", "--also", "report-word"]
    words = [table, "--labels-file", labels, "--out", terminal_out, *reports]
    run([command, "discover", *words], home, folder)
    for name in ("report.pdf", "report.docx"):
        if not (terminal_out / name).stat().st_size:
            raise SmokeTestError(f"{name} is empty.")
    for path in other_formats(table, folder):
        run([command, "inspect", path], home, folder)
    if findings(check_exports(window_out)) != findings(check_exports(terminal_out)):
        raise SmokeTestError("Window and terminal disagree.")
    shipped = compiled_kernels(next(frozen.rglob("shipped_kernels")))
    more = compiled_kernels(home) | compiled_kernels(folder)
    if not shipped or more - shipped:
        raise SmokeTestError(f"Kernels had to be compiled: {sorted(more - shipped)}")


def main(frozen: str = str(PROJECT / "dist" / "clcd")) -> None:
    """Try the frozen program with a fresh home and with one that cannot be written."""
    for home_name in ("home", "home-is-a-file"):
        folder = Path(tempfile.mkdtemp(prefix="clcd-smoke-"))
        try:
            home = folder / home_name
            if home_name == "home":
                home.mkdir()
            else:
                home.write_text("Nothing can be written below a file, not even by root.\n")
            try_home(Path(frozen).resolve(), home, folder)
        finally:
            shutil.rmtree(folder)
    print("The frozen program works.")


if __name__ == "__main__":
    main(*sys.argv[1:])
