"""What a search found is handed to the next test that searches the same, where none is about searching.

Many tests of pages begin with the same run of the same example. The first one makes it, and whatever comes
after is the window's own work: the run is started, ends and is shown as ever. What tests ask the engine
themselves, to compare with, is not remembered.
"""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Any

import pytest

import engine
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.effects.size_table import Effects
from engine.discovery.result import DiscoveryResult
from engine.discovery.row_split import RowSplit
from engine.discovery.session import DiscoverySession
from engine.knowledge.knowledge import Knowledge
from engine.progress import Progress, SharedProgress
from engine.table.dataset import Dataset


class SearchMemory:
    """Keeps results, and their sizes, by the content of the table and all that was asked."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._results: dict[Hashable, DiscoveryResult] = {}
        # With the result, so that no other one is at its place in the computer's memory.
        self._sizes: dict[Hashable, tuple[DiscoveryResult, Effects]] = {}

    def activate(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let what the window searches and measures be asked for here first."""
        search, measure = DiscoverySession.discover, engine.effects

        def searched(
            session: DiscoverySession,
            settings: DiscoverySettings | None = None,
            progress: Progress | None = None,
            knowledge: Knowledge | None = None,
            split: RowSplit | None = None,
        ) -> DiscoveryResult:
            knowledge_and_split = knowledge, split
            if settings is None or not isinstance(progress, SharedProgress):
                return search(session, settings, progress, *knowledge_and_split)
            key = (content(session.dataset), settings.decisive(), *knowledge_and_split)
            if key in self._results and session.remembered(settings, *knowledge_and_split) is None:
                session._results.put((settings.decisive(), *knowledge_and_split), self._results[key])
            result = search(session, settings, progress, *knowledge_and_split)
            if not result.is_partial:
                with self._lock:
                    self._results.setdefault(key, result)
            return result

        def measured(dataset: Dataset, result: DiscoveryResult, **others: Any) -> Effects:
            if not isinstance(others.get("progress"), SharedProgress):
                return measure(dataset, result, **others)
            # How sure it is, and what a person prefers, leave its boundaries as they are.
            key = (content(dataset), id(result.boundaries), tuple(others["estimands"]))
            if key not in self._sizes:
                effects = measure(dataset, result, **others)
                with self._lock:
                    self._sizes[key] = result, effects
            return self._sizes[key][1]

        monkeypatch.setattr(DiscoverySession, "discover", searched)
        monkeypatch.setattr(engine, "effects", measured)


def content(dataset: Dataset) -> Hashable:
    """Tell what a table holds, what was noted about it, and of which events directions speak."""
    events = tuple((variable.name, variable.event, variable.event_from) for variable in dataset.variables)
    return dataset.content_hash, dataset.name, dataset.notes, dataset.imputed, events
