"""What a search makes is freed with it: no reference cycle holds an arranged table of perhaps gigabytes."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import engine
from engine.discovery.flags import Flags
from engine.independence import arranging


@pytest.fixture
def _without_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def arranged(monkeypatch: pytest.MonkeyPatch) -> list[weakref.ref[Any]]:
    """Every table that is arranged for tests, without keeping it."""
    tables: list[weakref.ref[Any]] = []
    arrange = arranging.make_test_data

    def observed(*arguments: Any, **options: Any) -> Any:
        data = arrange(*arguments, **options)
        tables.append(weakref.ref(data))
        return data

    monkeypatch.setattr(arranging, "make_test_data", observed)
    return tables


@pytest.mark.usefixtures("_without_collector")
@pytest.mark.parametrize("variables", ["categories", "numbers"])
@pytest.mark.parametrize("search", [engine.discover, engine.select_features])
def test_an_arranged_table_goes_when_its_search_ends(
    variables: str, search: Callable[..., Any], arranged: list[weakref.ref[Any]]
) -> None:
    dataset = engine.simulate(labels=3, features=12, rows=300, variables=variables, seed=0).dataset
    result = search(engine.prepare(dataset))
    assert result.label_sets
    assert arranged
    assert [table() for table in arranged] == [None] * len(arranged)


@pytest.mark.usefixtures("_without_collector")
def test_a_table_goes_with_the_doubts_about_it() -> None:
    dataset = engine.simulate(labels=2, features=6, rows=30, seed=0).dataset
    flags = Flags(dataset)
    flags.of(dataset.features[0], dataset.labels[0])
    reference = weakref.ref(flags)
    del flags
    assert reference() is None
