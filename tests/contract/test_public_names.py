"""What people are offered is described: public names by docstrings and examples, choices by sentences."""

from __future__ import annotations

import inspect
import re
from enum import Enum
from itertools import pairwise

import engine
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.parameters import parameters_of
from engine.preparation.preparation_settings import PreparationSettings
from tests.with_each import with_each

PUBLIC = [name for name in engine.__all__ if not name.startswith("_")]
WITHOUT_EXAMPLE = {
    "Kind",
    "Role",
    "EngineError",
    "InvalidData",
    "InvalidParameter",
    "Cancelled",
    "DataWarning",
}
SETTINGS = [*parameters_of(DiscoverySettings), *parameters_of(PreparationSettings)]


def is_enumeration_or_error(public: object) -> bool:
    return inspect.isclass(public) and issubclass(public, Enum | Exception)


def documented_names(documentation: str) -> set[str]:
    """Return what the sections of parameters and attributes describe: ``name, other : type`` in numpydoc."""
    sections = re.split(r"^([A-Z]\w*)\n-+$", documentation, flags=re.MULTILINE)
    described = [text for heading, text in pairwise(sections) if heading in ("Parameters", "Attributes")]
    heads = re.findall(r"^(\S.*?)(?: :.*)?$", "\n".join(described), flags=re.MULTILINE)
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


@with_each("name", PUBLIC)
def test_every_public_name_says_what_it_is(name: str) -> None:
    documentation = inspect.getdoc(getattr(engine, name)) or ""
    first = documentation.splitlines()[0]
    assert first.endswith(".") and len(first.split()) >= 3


@with_each("name", sorted(set(PUBLIC) - WITHOUT_EXAMPLE))
def test_every_public_verb_shows_an_example(name: str) -> None:
    documentation = inspect.getdoc(getattr(engine, name)) or ""
    assert "Examples\n--------" in documentation
    assert ">>> " in documentation


@with_each("name", [name for name in PUBLIC if not is_enumeration_or_error(getattr(engine, name))])
def test_every_parameter_of_a_public_name_is_documented(name: str) -> None:
    documented = documented_names(inspect.getdoc(getattr(engine, name)) or "")
    assert set(inspect.signature(getattr(engine, name)).parameters) <= documented


@with_each("parameter", SETTINGS)
def test_every_setting_has_a_title_a_sentence_and_a_possible_default(parameter: object) -> None:
    assert parameter.title
    assert parameter.help.endswith(".")
    parameter.check(parameter.default)
    for choice in parameter.choices:
        assert choice.title


@with_each("description", engine.algorithms().values())
def test_every_algorithm_is_described_and_sourced(description: object) -> None:
    assert description.title and description.help.endswith(".")
    assert any(character.isdigit() for character in description.source), "a source has a year"


@with_each("description", engine.ci_tests().values())
def test_every_test_is_described_and_sourced(description: object) -> None:
    assert description.title and description.help.endswith(".")
    assert any(character.isdigit() for character in description.source), "a source has a year"


def test_registries_know_their_entries_by_their_own_names() -> None:
    for registry in (engine.algorithms(), engine.ci_tests()):
        assert all(name == description.name for name, description in registry.items())
