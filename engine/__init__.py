"""The science of CLCD: tables in, common and label-specific causal variables with evidence out.

The paper is Wu, Jiang, Zhong and Chen, "Multi-label Causal Variable Discovery: Learning Common Causal
Variables and Label-specific Causal Variables". Names are imported when they are first used, so
``import engine`` costs nothing.

Examples
--------
>>> import engine
>>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
>>> engine.discover(network.dataset).is_partial
False
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.version import __version__ as __version__

_HOMES = {
    "Dataset": "engine.table.dataset",
    "Variable": "engine.table.variable",
    "Kind": "engine.table.variable",
    "Role": "engine.table.variable",
    "EngineError": "engine.errors",
    "InvalidData": "engine.errors",
    "InvalidParameter": "engine.errors",
    "Cancelled": "engine.errors",
    "ProgressEvent": "engine.progress",
    "read_dataset": "engine.readers",
    "read_network": "engine.readers.networks",
    "CodedTableWriter": "engine.table.coded_files",
    "write_coded": "engine.table.coded_files",
    "prepare": "engine.preparation",
    "PreparationSettings": "engine.preparation",
    "DiscoverySettings": "engine.boundaries.settings",
    "DiscoveryResult": "engine.discovery.result",
    "discover": "engine.discovery.discover",
    "DiscoverySession": "engine.discovery.session",
    "StabilityResult": "engine.discovery.stability.result",
    "stability": "engine.discovery.stability.search",
    "select_features": "engine.selection.select",
    "selection_of": "engine.selection.select",
    "Selection": "engine.selection.result",
    "CLCDSelector": "engine.selection.estimators",
    "LabelwiseClassifier": "engine.selection.labelwise",
    "algorithms": "engine.boundaries.registry",
    "ci_tests": "engine.independence.registry",
    "ci_test": "engine.independence.single",
    "markov_boundary": "engine.boundaries.markov_boundary",
    "markov_boundaries": "engine.boundaries.several",
    "MarkovBoundaries": "engine.boundaries.markov_boundary",
    "simulate": "engine.simulation",
    "simulate_network": "engine.simulation",
    "feature_rankers": "engine.selection.rankers.registry",
    "benchmark": "engine.comparison.networks",
    "BenchmarkSettings": "engine.comparison.networks",
    "compare_selections": "engine.comparison.selectors",
    "SelectionComparison": "engine.comparison.selectors",
    "SelectionComparisonSettings": "engine.comparison.selectors",
    "export": "engine.reporting.registry",
    "export_selection": "engine.reporting.selection_formats",
}

__all__ = ["__version__", *_HOMES]

if TYPE_CHECKING:
    from engine.boundaries.markov_boundary import MarkovBoundaries as MarkovBoundaries
    from engine.boundaries.markov_boundary import markov_boundary as markov_boundary
    from engine.boundaries.registry import algorithms as algorithms
    from engine.boundaries.settings import DiscoverySettings as DiscoverySettings
    from engine.boundaries.several import markov_boundaries as markov_boundaries
    from engine.comparison.networks import BenchmarkSettings as BenchmarkSettings
    from engine.comparison.networks import benchmark as benchmark
    from engine.comparison.selectors import SelectionComparison as SelectionComparison
    from engine.comparison.selectors import SelectionComparisonSettings as SelectionComparisonSettings
    from engine.comparison.selectors import compare_selections as compare_selections
    from engine.discovery.discover import discover as discover
    from engine.discovery.result import DiscoveryResult as DiscoveryResult
    from engine.discovery.session import DiscoverySession as DiscoverySession
    from engine.discovery.stability.result import StabilityResult as StabilityResult
    from engine.discovery.stability.search import stability as stability
    from engine.errors import Cancelled as Cancelled
    from engine.errors import EngineError as EngineError
    from engine.errors import InvalidData as InvalidData
    from engine.errors import InvalidParameter as InvalidParameter
    from engine.independence.registry import ci_tests as ci_tests
    from engine.independence.single import ci_test as ci_test
    from engine.preparation import PreparationSettings as PreparationSettings
    from engine.preparation import prepare as prepare
    from engine.progress import ProgressEvent as ProgressEvent
    from engine.readers import read_dataset as read_dataset
    from engine.readers.networks import read_network as read_network
    from engine.reporting.registry import export as export
    from engine.reporting.selection_formats import export_selection as export_selection
    from engine.selection.estimators import CLCDSelector as CLCDSelector
    from engine.selection.labelwise import LabelwiseClassifier as LabelwiseClassifier
    from engine.selection.rankers.registry import feature_rankers as feature_rankers
    from engine.selection.result import Selection as Selection
    from engine.selection.select import select_features as select_features
    from engine.selection.select import selection_of as selection_of
    from engine.simulation import simulate as simulate
    from engine.simulation import simulate_network as simulate_network
    from engine.table.coded_files import CodedTableWriter as CodedTableWriter
    from engine.table.coded_files import write_coded as write_coded
    from engine.table.dataset import Dataset as Dataset
    from engine.table.variable import Kind as Kind
    from engine.table.variable import Role as Role
    from engine.table.variable import Variable as Variable


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
