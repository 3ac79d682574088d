"""Lists the files that belong to the project, with git where there is git and without where there is none."""

from __future__ import annotations

import ast
import functools
import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

_MADE_BY_TOOLS = ("__pycache__", ".venv", "build", "dist", "out", ".git", ".hypothesis")
_DATA = {".csv", ".clcd", ".png", ".ico", ".icns", ".qm", ".gz", ".xlsx", ".arff", ".nbi", ".nbc"}


@functools.cache
def project_files() -> tuple[Path, ...]:
    """Every file of the project, relative to its folder."""
    if shutil.which("git") and (PROJECT / ".git").exists():
        command = ["git", "-C", str(PROJECT), "ls-files", "-z"]
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        paths = (Path(name) for name in listed.split("\0") if name)
        return tuple(sorted(path for path in paths if (PROJECT / path).is_file()))
    paths = (path.relative_to(PROJECT) for path in PROJECT.rglob("*") if path.is_file())
    return tuple(sorted(path for path in paths if not _made_by_tools(path)))


def text_files() -> tuple[Path, ...]:
    """The files that people write and read."""
    return tuple(path for path in project_files() if path.suffix not in _DATA)


def read(path: Path) -> str:
    """Text of a file of the project."""
    return (PROJECT / path).read_text(encoding="utf-8")


@functools.cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a source of the project; to walk through every one anew takes seconds."""
    return tuple(ast.walk(ast.parse(read(path))))


def _made_by_tools(path: Path) -> bool:
    return any(part in _MADE_BY_TOOLS or part.endswith((".egg-info", "_cache")) for part in path.parts)
