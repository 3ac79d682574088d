"""What is compared: this program, its other tests on the same rows, and other programs."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import engine
from engine.discovery.orientation.direction import Direction
from engine.discovery.result import DiscoveryResult
from engine.errors import EngineError
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable

LabelSets = Mapping[str, frozenset[str]]
Edge = tuple[str, str]


@dataclass(frozen=True)
class Found:
    """What a method says of one table.

    Attributes
    ----------
    label_sets : mapping of str to frozenset of str
        Labels of each feature that it takes for a member of their boundaries.
    stated : set of (str, str)
        Arrows that it states between a label and another variable, from cause to effect.
    seconds : float
        Processor's time.
    """

    label_sets: LabelSets
    stated: set[Edge]
    seconds: float


Method = Callable[[Dataset], Found | None]


def searched(dataset: Dataset, **settings: Any) -> Found | None:
    """Search by settings; None where the program refuses, since the test does not suit the table."""
    started = time.process_time()
    try:
        result = engine.discover(dataset, engine.DiscoverySettings(workers=1, **settings))
    except EngineError:
        return None
    return Found(result.label_sets, _stated(result), time.process_time() - started)


def _stated(result: DiscoveryResult) -> set[Edge]:
    return _arrows(
        (orientation.feature, orientation.label, orientation.direction)
        for orientation in result.orientation_records.values()
        if orientation.because is not None
    )


def _arrows(directions: Iterable[tuple[str, str, str]]) -> set[Edge]:
    """Turn features, labels and directions into arrows."""
    stated = set()
    for feature, label, direction in directions:
        if direction == Direction.CAUSE:
            stated.add((feature, label))
        elif direction == Direction.EFFECT:
            stated.add((label, feature))
    return stated


def _defaults(dataset: Dataset) -> Found | None:
    """Do what a person does who changes nothing."""
    return searched(engine.prepare(dataset))


def _fisher_z(dataset: Dataset) -> Found | None:
    """Take every level for a number; not done where a category has more than two."""
    if any(variable.level_count > 2 for variable in dataset.variables):
        return None
    numbers = Dataset(
        tuple(Variable(variable.name, Kind.CONTINUOUS, variable.role) for variable in dataset.variables),
        tuple(column.astype(np.float64) for column in dataset.columns),
    )
    return searched(numbers, test="fisher-z")


def _cut(discretise: str, bins: int) -> Method:
    def find(dataset: Dataset) -> Found | None:
        return searched(engine.prepare(dataset, discretise=discretise, bins=bins), test="g2")

    return find


OWN: Mapping[str, Method] = {
    "defaults": _defaults,
    "fisher-z": _fisher_z,
    "two bins, G²": _cut("quantile", 2),
    "four bins, G²": _cut("quantile", 4),
    "MDL bins, G²": _cut("mdl", 2),
}
BEFORE = "20fcb64"
PEERS = ("causal-learn PC", "pgmpy PC", "pgmpy HillClimb")


def before(folder: str) -> Method:
    """Make a method of the defaults of an earlier version, checked out in a folder."""

    def find(dataset: Dataset) -> Found:
        described = [
            (variable.name, variable.kind, variable.role, variable.levels) for variable in dataset.variables
        ]
        columns = {f"column{place}": column for place, column in enumerate(dataset.columns)}
        with tempfile.TemporaryDirectory() as place:
            file = Path(place, "table.npz")
            np.savez(file, variables=json.dumps(described), **columns)
            script = Path(__file__).with_name("inside_before.py").read_text("utf-8")
            command = [sys.executable, "-c", script, str(file)]
            done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE)
        output = json.loads(done.stdout.splitlines()[-1])
        label_sets = {name: frozenset(labels) for name, labels in output["label_sets"].items()}
        return Found(label_sets, _arrows(output["told"]), output["seconds"])

    return find


def peer(name: str, python: str, most_seconds: float) -> Method:
    """Make a method of another program, which learns the whole network from numbers (levels by their codes).

    Parameters
    ----------
    name : str
        One of `PEERS`.
    python : str
        An interpreter that has the program.
    most_seconds : float
        It is stopped after so long, and has found nothing then.
    """

    def find(dataset: Dataset) -> Found | None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "table.npz")
            np.savez(file, table=np.column_stack([column.astype(np.float64) for column in dataset.columns]))
            script = Path(__file__).with_name("inside_peers.py")
            try:
                done = subprocess.run(
                    [python, str(script), name, str(file)],
                    timeout=most_seconds,
                    check=True,
                    stdout=subprocess.PIPE,
                )
            except subprocess.TimeoutExpired:
                return None
        output = json.loads(done.stdout.splitlines()[-1])
        names = dataset.names
        arrows = {(names[cause], names[effect]) for cause, effect in output["arrows"]}
        lines = {(names[start], names[end]) for start, end in output["lines"]}
        return _around_labels(dataset, arrows, lines, output["seconds"])

    return find


def _around_labels(dataset: Dataset, arrows: set[Edge], lines: set[Edge], seconds: float) -> Found:
    """Read boundaries off a graph: neighbours, and other causes of effects."""
    label_sets: dict[str, set[str]] = {}
    for label in dataset.labels:
        effects = {effect for cause, effect in arrows if cause == label}
        members = {cause for cause, effect in arrows if effect in effects or effect == label} | effects
        members |= {one for pair in lines if label in pair for one in pair}
        for member in members - {label}:
            if dataset.variable(member).role is Role.FEATURE:
                label_sets.setdefault(member, set()).add(label)
    stated = {edge for edge in arrows if set(edge) & set(dataset.labels)}
    return Found({name: frozenset(labels) for name, labels in label_sets.items()}, stated, seconds)
