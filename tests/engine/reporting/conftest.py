"""A result made by hand, and one that was found."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import engine
from engine.discovery.result import DiscoveryResult


def _load(name: str) -> ModuleType:
    """Import a helper that lies beside the tests, whichever way these were collected."""
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"exporting_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def hand_made() -> ModuleType:
    """Names and makers of the results made by hand."""
    return _load("hand_made")


@pytest.fixture(scope="session")
def discovered() -> DiscoveryResult:
    """A result with interchangeable variables, spouses and related labels, found in simulated rows."""
    network = engine.simulate(labels=6, features=60, rows=3000, seed=3)
    return engine.discover(network.dataset, engine.DiscoverySettings(alpha=0.05))


@pytest.fixture(scope="session")
def repeated(discovered: DiscoveryResult) -> DiscoveryResult:
    """The same result with how often its findings came back."""
    return discovered.with_stability(engine.stability(discovered.dataset, discovered.settings, resamples=2))
