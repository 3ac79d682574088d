"""Settings written once: what is accepted, and what is said of the rest."""

from __future__ import annotations

import dataclasses
import io
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.errors import InvalidParameter
from engine.parameters import Choice, Parameter, check_parameters, parameter, parameters_of
from engine.preparation import PreparationSettings
from engine.simulation.simulation_settings import SimulationSettings

SETTINGS = [DiscoverySettings, PreparationSettings, SimulationSettings]


@dataclass(frozen=True, slots=True)
class Example:
    """One field of each kind."""

    way: str = parameter("a", "Way", "H.", choices=(Choice("a", "A"), Choice("b", "B")))
    later: str = parameter("x", "Later", "H.", choices=lambda: [Choice("x", "X")])
    count: int = parameter(3, "Count", "H.", minimum=1, maximum=9)
    share: float = parameter(0.5, "Share", "H.", minimum=0, maximum=1, open_interval=True)
    on: bool = parameter(True, "On", "H.")
    workers: int | None = parameter(None, "Workers", "H.", minimum=1, optional=True)
    words: tuple[str, ...] = parameter((), "Words", "H.")
    plain: int = 7

    def __post_init__(self) -> None:
        check_parameters(self)


def test_fields_are_described_in_order() -> None:
    described = parameters_of(Example)
    assert [described_parameter.name for described_parameter in described] == [
        "way",
        "later",
        "count",
        "share",
        "on",
        "workers",
        "words",
    ]
    assert [described_parameter.default for described_parameter in described] == [
        "a",
        "x",
        3,
        0.5,
        True,
        None,
        (),
    ]
    assert described[1].choices == (Choice("x", "X"),)


@pytest.mark.parametrize(
    "values",
    [
        {"way": "b"},
        {"count": 1},
        {"count": 9},
        {"share": 1e-9},
        {"on": False},
        {"workers": 4},
        {"workers": None},
        {"words": ("NA", "")},
    ],
)
def test_possible_values_are_taken(values: dict[str, Any]) -> None:
    settings = Example(**values)
    assert all(getattr(settings, name) == value for name, value in values.items())


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("way", "c", "Choose one of: a, b."),
        ("way", None, "Choose one of: a, b."),
        ("way", ["a"], "Choose one of: a, b."),
        ("later", "a", "Choose one of: x."),
        ("count", 0, "Use a value between 1 and 9."),
        ("count", 10**400, "Use a value between 1 and 9."),
        ("count", 2.0, "Use a whole number."),
        ("count", "3", "Use a whole number."),
        ("count", True, "Use a whole number."),
        ("count", None, "Use a whole number."),
        ("share", 0, "Use a value between 0 and 1 (ends excluded)."),
        ("share", 1.0, "Use a value between 0 and 1 (ends excluded)."),
        ("share", math.nan, "Use a value between 0 and 1 (ends excluded)."),
        ("share", math.inf, "Use a value between 0 and 1 (ends excluded)."),
        ("share", 1 + 0j, "Use a number."),
        ("on", 1, "Use True or False."),
        ("on", "yes", "Use True or False."),
        ("workers", 0, "Use a value of at least 1."),
        ("words", "NA", "Use a list of texts."),
        ("words", (1,), "Use a list of texts."),
    ],
)
def test_impossible_values_are_named_with_what_is_possible(name: str, value: Any, remedy: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        Example(**{name: value})
    assert caught.value.place == f"setting '{name}'"
    assert caught.value.remedy == remedy
    assert caught.value.problem == f"{value!r} is not a possible value."


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"minimum": 2, "maximum": 20}, "between 2 and 20"),
        ({"minimum": 0, "maximum": 1, "open_interval": True}, "between 0 and 1 (ends excluded)"),
        ({"minimum": 0, "maximum": 2**31 - 1}, "between 0 and 2,147,483,647"),
        ({"minimum": 1, "maximum": 1e6}, "between 1 and 1,000,000"),
        ({"minimum": 0}, "of at least 0"),
        ({"minimum": 0, "open_interval": True}, "above 0"),
        ({"maximum": 0.5}, "of at most 0.5"),
        ({"maximum": 0.5, "open_interval": True}, "below 0.5"),
    ],
)
def test_ranges_in_words(limits: dict[str, Any], words: str) -> None:
    assert Parameter("x", "X", "", 0, "number", **limits).range_in_words() == words


@given(st.floats(), st.floats(allow_nan=False), st.floats(allow_nan=False), st.booleans())
def test_a_number_is_taken_exactly_when_inside(value: float, low: float, high: float, is_open: bool) -> None:
    described = Parameter("x", "X", "", 0.0, "number", minimum=low, maximum=high, open_interval=is_open)
    inside = low < value < high if is_open else low <= value <= high
    try:
        described.check(value)
    except InvalidParameter:
        assert not inside
    else:
        assert inside


@pytest.mark.parametrize("number", [np.int8(4), np.int64(4), np.uint16(4)])
def test_numbers_of_numpy_become_plain(number: Any) -> None:
    settings = Example(count=number, share=np.float32(0.25), workers=number)
    assert type(settings.count) is type(settings.workers) is int
    assert type(settings.share) is float
    assert json.loads(json.dumps(dataclasses.asdict(settings)))["count"] == 4
    assert settings == Example(count=4, share=0.25, workers=4)
    assert hash(settings) == hash(Example(count=4, share=0.25, workers=4))


@pytest.mark.parametrize("settings_class", SETTINGS)
def test_every_setting_says_what_it_is(settings_class: type) -> None:
    described = parameters_of(settings_class)
    assert [described_parameter.name for described_parameter in described] == [
        field.name for field in dataclasses.fields(settings_class)
    ]
    for described_parameter in described:
        assert described_parameter.title and described_parameter.title[0].isupper(), described_parameter.name
        assert described_parameter.help.endswith("."), described_parameter.name
        assert described_parameter.kind in {"choice", "integer", "number", "flag", "texts", "address"}
        assert (described_parameter.kind == "choice") == bool(described_parameter.choices)
        described_parameter.check(described_parameter.default)
        names = [choice.value for choice in described_parameter.choices]
        assert len(names) == len(set(names))
    assert json.dumps(dataclasses.asdict(settings_class()))


@pytest.mark.parametrize("settings_class", SETTINGS)
def test_settings_never_change(settings_class: type) -> None:
    settings = settings_class()
    first = parameters_of(settings_class)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(settings, first, None)


# --- what is given in Python ------------------------------------------------------------------------------

FRAME = pandas.DataFrame({"x": [0.1, 0.4, 0.2, 0.9], "ill": list("nyny")})
# Whoever writes a program without a checker of types is told no less.
untyped: Any = engine
TABLE: Any = engine.Dataset.from_frame(FRAME, labels=["ill"])
TABLE_OF_SOME_ROWS: Any = engine.Dataset.from_frame(pandas.concat([FRAME] * 10), labels=["ill"])
STEP = {"step": "cut", "column": "x", "points": [0.3]}
SLIPS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a code that is no text": (
        lambda path: untyped.read_dataset(path, missing_codes=-99),
        "Use a list of texts",
    ),
    "one column of categories": (
        lambda path: untyped.read_dataset(path, categories=5),
        "Use a list of texts",
    ),
    "a label by its number": (
        lambda path: untyped.read_dataset(path, labels=[2]),
        "2 is not the name of a column",
    ),
    "one step": (lambda path: untyped.read_dataset(path, recipe=STEP), "Give a list of steps"),
    "a number for steps": (lambda path: untyped.Recipe(5), "Give a list of steps"),
    "a number as a step": (lambda path: untyped.read_dataset(path, recipe=[5]), "step 1: 5 is not a step"),
    "names that are numbers": (
        lambda path: untyped.Dataset.from_frame(pandas.DataFrame({1: [1.5, 2.5], 2: [3.5, 1.5]}), labels=[2]),
        "no column is named 2. Did you mean '2'?",
    ),
    "labels by a number": (lambda path: untyped.read_dataset(path, labels=2), "Use a list of names"),
    "a list of weights": (lambda path: untyped.read_dataset(path, weights=["x"]), "no column is named ['x']"),
    "weights by number": (lambda path: untyped.read_dataset(path, weights=5), "no column is named 5"),
    "a target by number": (lambda path: untyped.markov_boundary(TABLE, 3), "no column is named 3"),
    "a variable by number": (lambda path: TABLE.variable(3), "no column is named 3"),
    "a list for a name": (lambda path: TABLE.variable(["x"]), "no column is named ['x']"),
    "a frame prepared": (lambda path: untyped.prepare(FRAME), "Make it with `Dataset.from_frame`"),
    "a frame searched": (lambda path: untyped.discover(FRAME), "Make it with `Dataset.from_frame`"),
    "a frame selected in": (lambda path: untyped.select_features(FRAME), "Make it with `Dataset.from_frame`"),
    "a frame around a target": (lambda path: untyped.markov_boundary(FRAME, "x"), "`Dataset.from_frame`"),
    "settings of a search": (
        lambda path: untyped.discover(TABLE, {"alpha": 0.05}),
        "setting 'settings': it is of the type dict, not DiscoverySettings. Make it with `Disc",
    ),
    "settings of preparation": (lambda path: untyped.prepare(TABLE, {"bins": 2}), "`PreparationSettings`"),
    "a function for progress": (
        lambda path: untyped.discover(TABLE, progress=print),
        "Give an object with the methods report(event) and should_stop().",
    ),
    "a number of workers": (lambda path: untyped.discover(TABLE, executor=4), "`workers` in the settings"),
    "a share to search in": (lambda path: untyped.discover(TABLE, split=0.5), "Make it with `RowSplit`."),
    "a frame tested in": (lambda path: untyped.ci_test("g2", FRAME, "x", "ill"), "`Dataset.from_frame`"),
    "a frame searched again": (lambda path: untyped.stability(FRAME), "`Dataset.from_frame`"),
    "a frame in a session": (lambda path: untyped.DiscoverySession(FRAME), "`Dataset.from_frame`"),
    "a result before its table": (lambda path: untyped.effects(None, TABLE), "`Dataset.from_frame`"),
    "a table for a result": (lambda path: untyped.effects(TABLE, TABLE), "Make it with `discover`."),
    "percent of confidence": (
        lambda path: untyped.effects(TABLE, untyped.discover(TABLE_OF_SOME_ROWS), confidence=95),
        "setting 'confidence': 95 is not a possible value. Use a value between 0 and 1 (ends excluded).",
    ),
    "an unknown size": (
        lambda path: untyped.effects(TABLE, untyped.discover(TABLE_OF_SOME_ROWS), estimands=["odds"]),
        "setting 'estimands': 'odds' is not a possible value. Choose one of: association, ",
    ),
    "one pair": (
        lambda path: untyped.effects(TABLE, untyped.discover(TABLE_OF_SOME_ROWS), pairs=("x", "ill")),
        "setting 'pairs': 'x' is not a possible value. Give pairs of a feature and a label",
    ),
    "a pair without a label": (
        lambda path: untyped.effects(TABLE, untyped.discover(TABLE_OF_SOME_ROWS), pairs=[("ill", "x")]),
        "'x' is not a label that was searched. Choose one of: ill.",
    ),
    "a selection of a table": (lambda path: untyped.selection_of(TABLE), "Make it with `discover`."),
    "a table exported": (lambda path: untyped.export(TABLE, path.parent / "out"), "Make it with `discover`."),
    "a table for a selection": (
        lambda path: untyped.export_selection(TABLE, path.parent / "out"),
        "Make it with `select_features`",
    ),
    "tables compared": (lambda path: untyped.compare_runs(TABLE, TABLE), "Make it with `discover`."),
    "a project and its path": (
        lambda path: untyped.save_project(untyped.Project(dataset=TABLE), path),
        "Make it with `Project`.",
    ),
    "a project of no table": (lambda path: untyped.Project(dataset=FRAME), "`Dataset.from_frame`"),
    "a project of results": (
        lambda path: untyped.Project(dataset=TABLE, runs=[untyped.discover(TABLE_OF_SOME_ROWS)]),
        "setting 'runs': it is of the type DiscoveryResult, not Run. Make it with `Run`.",
    ),
    "knowledge and its path": (
        lambda path: untyped.write_knowledge(str(path), untyped.Knowledge()),
        "Make it with `Knowledge`.",
    ),
    "a recipe and its path": (lambda path: untyped.write_recipe(untyped.Recipe([STEP]), path), "`Recipe`"),
    "a coded table and its path": (lambda path: untyped.write_coded(path, TABLE), "`Dataset.from_frame`"),
    "the name of a network": (lambda path: untyped.simulate_network("asia.bif", "x"), "`read_network`"),
    "settings of a benchmark": (lambda path: untyped.benchmark({"rows": 9}), "`BenchmarkSettings`"),
    "one percentage": (
        lambda path: untyped.SelectionComparisonSettings(percentages=5),
        "setting 'percentages': 5 is not a possible value. Use for example 3, 6, 9.",
    ),
    "a table read": (lambda path: untyped.read_dataset(FRAME), "becomes a dataset by `Dataset.from_frame`"),
    "an open file": (
        lambda path: untyped.read_dataset(io.BytesIO(path.read_bytes())),
        "Give the name of a file",
    ),
    "a project opened": (
        lambda path: untyped.open_project(TABLE),
        "setting 'path': it is of the type Dataset",
    ),
    "a project saved": (
        lambda path: untyped.save_project(3, untyped.Project(dataset=TABLE)),
        "setting 'path': it is of the type int",
    ),
    "knowledge read": (lambda path: untyped.read_knowledge({"tiers": []}), "Give the name of a file"),
    "knowledge written": (
        lambda path: untyped.write_knowledge(untyped.Knowledge(), None),
        "setting 'path': it is of the type NoneType",
    ),
    "a recipe read": (lambda path: untyped.read_recipe([STEP]), "Give the name of a file"),
    "a network read": (lambda path: untyped.read_network(TABLE), "Give the name of a file"),
    "what is known": (lambda path: untyped.discover(TABLE, knowledge={"tiers": []}), "with `Knowledge`"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_natural_slips_are_answered_with_what_to_do(slip: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    FRAME.to_csv(path, index=False)
    make, message = SLIPS[slip]
    with pytest.raises(InvalidParameter) as caught:
        make(path)
    assert message in str(caught.value)
    assert caught.value.remedy
