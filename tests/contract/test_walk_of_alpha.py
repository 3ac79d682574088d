"""The significance level takes the way that architecture.md draws, and nothing only hands it on."""

from __future__ import annotations

import ast
import functools
import re
import sys
import threading
from types import FrameType
from typing import Any

import engine
from tests.contract.project_files import PROJECT, nodes_of, project_files

_DRAWN = re.compile(r"(?:engine|clcd_gui)(?:\.\w+)+")
# Settings hold the level and check it; they are the request itself.
_REQUEST = ("engine.parameters.", "engine.boundaries.discovery_settings.DiscoverySettings")
# The selector holds settings too; rankers have weights of this name.
_OTHERS = ("engine.selection.",)


def _walk() -> list[str]:
    """Return the names that the drawing has, in its order."""
    text = (PROJECT / "resources/help/architecture.md").read_text(encoding="utf-8")
    drawing = text.split("### The significance level α")[1].split("```")[1]
    return _DRAWN.findall(drawing)


def _reached(alpha: float) -> set[str]:
    """Return the functions and classes of the engine that are given the level in a search."""
    reached = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code, module = frame.f_code, str(frame.f_globals.get("__name__", ""))
        if event != "call" or not module.startswith("engine."):
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if any(frame.f_locals.get(name) is alpha for name in names):
            class_name = type(frame.f_locals["self"]).__qualname__ if code.co_name == "__init__" else ""
            reached.add(f"{module}.{class_name or code.co_qualname}")

    table = engine.simulate(labels=3, features=10, rows=300, seed=3, variables="numbers").dataset
    settings = engine.DiscoverySettings(alpha=alpha, test="fisher-z", workers=1)
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        engine.DiscoverySession(table).discover(settings)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return {name for name in reached if not name.startswith(_REQUEST)}


@functools.cache
def _functions(package: str) -> dict[str, ast.FunctionDef]:
    """Return the functions of a package by their full names."""
    functions = {}
    for path in project_files():
        if path.suffix != ".py" or not path.as_posix().startswith(f"{package}/"):
            continue
        module = ".".join(path.with_suffix("").parts)
        for node in nodes_of(path):
            prefix = f"{module}.{node.name}" if isinstance(node, ast.ClassDef) else module
            if isinstance(node, (ast.Module, ast.ClassDef)):
                for part in node.body:
                    if isinstance(part, ast.FunctionDef):
                        functions[f"{prefix}.{part.name}"] = part
    return functions


def _reads_level(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr == "alpha" for node in ast.walk(function))


def _takes_level(function: ast.FunctionDef) -> bool:
    return any(argument.arg == "alpha" for argument in (*function.args.args, *function.args.kwonlyargs))


def test_a_search_gives_the_level_to_nothing_that_is_not_drawn() -> None:
    # A number of its own, so that no other is taken for it.
    reached = _reached(float("0.02"))
    assert "engine.independence.data.TestData.at_level" in reached
    assert reached <= set(_walk())


def test_what_takes_the_level_is_drawn_and_what_is_drawn_takes_or_reads_it() -> None:
    drawn, functions = _walk(), _functions("engine")
    taking = [name for name, function in functions.items() if _takes_level(function)]
    assert {name for name in taking if not name.startswith(_OTHERS)} <= {*drawn, *map(_constructor, drawn)}
    for name in drawn:
        function = functions.get(name)
        assert function is None or _takes_level(function) or _reads_level(function), name


def _constructor(name: str) -> str:
    return f"{name}.__init__"


def test_what_writes_the_level_into_a_report_is_drawn() -> None:
    drawn = _walk()
    writing = [name for name, function in _functions("engine/reporting").items() if _reads_level(function)]
    assert writing
    for name in writing:
        assert name in drawn or name.rpartition(".")[0] in drawn, name


def test_no_function_of_the_walk_only_hands_the_level_on() -> None:
    functions = _functions("engine") | _functions("clcd_gui")
    drawn = _walk()
    short = {name.rpartition(".")[2] for name in drawn}
    followed = [functions[name] for name in drawn if name in functions]
    assert len(followed) > 10
    for function in followed:
        if _takes_level(function):
            assert not _only_hands_on(function, short), function.name


def _only_hands_on(function: ast.FunctionDef, walk: set[str]) -> bool:
    """Tell whether all that a function does with the level is to give it to one other of the walk."""
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == "alpha"]
    handed = [
        argument
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and _name(call.func) in walk
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        if argument in uses
    ]
    return len(uses) == len(handed) < 2


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
