"""What the README and the user guide tell people to type does what they say."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.contract.project_files import PROJECT, read

README = read(Path("README.md"))
GUIDE = Path("resources", "help", "guide")
PYTHON, TERMINAL = read(GUIDE / "for-programmers.md"), read(GUIDE / "terminal.md")


def blocks(language: str, page: str = README) -> list[str]:
    """The fenced blocks of a language on a page, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)


def commands(page: str = README) -> list[str]:
    """Every line of a page that a person is told to type into a terminal."""
    return [line for block in blocks("sh", page) for line in block.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that looks like the project's to somebody who types the commands."""
    (tmp_path / "resources").symlink_to(PROJECT / "resources")
    return tmp_path


def run(command: list[str], folder: Path) -> str:
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=240
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_commands_set_up_one_opens_one_tests() -> None:
    assert [len(block.splitlines()) for block in blocks("sh")[:2]] == [2, 1]
    assert commands()[0].startswith("apt-get update && apt-get install ")
    assert commands()[2] == ".venv/bin/clcd-gui"
    assert ".venv/bin/python -m pytest" in commands()


def test_the_commands_name_what_the_project_installs() -> None:
    project = tomllib.loads(read(Path("pyproject.toml")))["project"]
    scripts = {*project["scripts"], *project["gui-scripts"], "pip", "python"}
    assert set(re.findall(r"\.venv/bin/([\w-]+)", README)) <= scripts
    extras = {extra for listed in re.findall(r"\.\[([\w,]+)\]", README) for extra in listed.split(",")}
    assert extras <= set(project["optional-dependencies"])


def test_the_python_example_prints_what_is_shown(folder: Path) -> None:
    example = blocks("python", PYTHON)[0]
    (shown,) = blocks("text", PYTHON)
    assert run([sys.executable, "-X", "utf8", "-c", example], folder) == shown


def test_the_terminal_examples_work(folder: Path) -> None:
    lines = commands(TERMINAL)
    assert len(lines) == 3 and all(line.startswith("clcd ") for line in lines)
    # One after the other in one process, to import everything once; a command ends with its status.
    given = [shlex.split(line)[1:] for line in lines]
    program = f"from engine.terminal import main\nfor words in {given!r}:\n    assert main(words) == 0, words"
    run([sys.executable, "-c", program], folder)
    promised = (
        "report.html",
        "result.json",
        "common.csv",
        "label_specific.csv",
        "links.csv",
        "equivalences.csv",
        "label_relations.csv",
        "directions.csv",
        "effects.csv",
        "graph.graphml",
    )
    assert {path.name for path in (folder / "out").iterdir()} == set(promised)
    for name in promised:
        assert f"`{name}`" in TERMINAL
        assert (folder / "out" / name).stat().st_size > 0


def test_the_scripts_named_exist() -> None:
    named = re.findall(r"packaging/\w+\.py|\.ci/run", README)
    assert named
    assert all((PROJECT / name).is_file() for name in named)
