"""Modules and files that documents and docstrings name are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from tests.contract.project_files import PROJECT, project_files, read

# A path of a file, such as engine/table/dataset.py; and a dotted name, such as engine.table.dataset.Dataset.
_PATH = re.compile(r"(?<![\w/.])((?:engine|clcd_gui|resources|tests|packaging)/[\w/.-]*[\w/])")
# The name of a file alone, such as clcd.py.
_FILE = re.compile(r"(?<![\w/.])([a-z]\w*\.py)\b")
_DOTTED = re.compile(r"(?<![\w/.])((?:engine|clcd_gui)(?:\.[a-zA-Z_]\w*)+)")
# What a page puts in backquotes as one word of the sources, such as task.stop or iamb.py.
_IN_BACKQUOTES = re.compile(r"`([A-Za-z_][\w.]*)`")
# Names that a person fills in, and what freezing the program makes.
_NOT_HERE = ("NAME", "engine/shipped_kernels")


def missing(text: str) -> Iterator[str]:
    """List the paths and dotted names in a text that lead nowhere."""
    for path in _PATH.findall(text):
        if not any(fragment in path for fragment in _NOT_HERE) and not (PROJECT / path).exists():
            yield path
    for name in _DOTTED.findall(text):
        if not _is_there(name):
            yield name


def missing_files(text: str) -> Iterator[str]:
    """List the names of files, without a folder, that no file of the project has."""
    file_names = {path.name for path in project_files()}
    yield from (name for name in _FILE.findall(text) if name not in file_names)


def _is_there(name: str) -> bool:
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        module = ".".join(parts[:count])
        if _is_module(module):
            break
    if count == len(parts):
        return True
    # A package gives its public names itself; a module says them in its text.
    if module == "engine":
        return hasattr(import_module("engine"), parts[1])
    path = PROJECT.joinpath(*parts[:count])
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return re.search(rf"\b{parts[count]}\b", source.read_text(encoding="utf-8")) is not None


def _is_module(name: str) -> bool:
    path = PROJECT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_what_the_documents_name_is_there() -> None:
    documents = [path for path in project_files() if path.suffix == ".md"]
    assert Path("resources/help/architecture.md") in documents
    wrong_names = {
        str(path): sorted({*missing(read(path)), *missing_files(read(path))}) for path in documents
    }
    assert {path: wrong for path, wrong in wrong_names.items() if wrong} == {}


def test_what_the_sources_name_is_there() -> None:
    sources = [path for path in project_files() if path.suffix == ".py" and path.parts[0] != "tests"]
    wrong_paths = {str(path): wrong for path in sources if (wrong := sorted(set(missing(read(path)))))}
    assert not wrong_paths


def test_what_pages_for_contributors_name_is_in_the_sources() -> None:
    sources = [path for path in project_files() if path.suffix == ".py"]
    words = {path.name for path in sources}.union(*(re.findall(r"\w+", read(path)) for path in sources))
    pages = (Path(".github/CONTRIBUTING.md"), Path("resources/help/architecture.md"))
    named = {name for page in pages for name in _IN_BACKQUOTES.findall(read(page))}
    assert {"_TESTS", "task.stop", "for_count"} <= named
    # Of task.stop the name behind the dot; the name of a file is whole.
    assert {name for name in named if re.sub(r".*\.(?!py$)", "", name) not in words} == set()


def test_a_name_that_leads_nowhere_is_found() -> None:
    text = (
        "`engine/exporting/tables.py`, engine.views.nothing, engine.discover, `engine.table.dataset.Dataset`"
    )
    assert list(missing(text)) == ["engine/exporting/tables.py", "engine.views.nothing"]
    assert list(missing_files("coded.py, clcd.py")) == ["coded.py"]
