"""Compiling the searches before they are needed: in this process, or in one of its own beside it.

The first run on a machine compiles for some seconds. A second process does it on another core, and where
the first one has a window, without holding it up. What it compiled is found in the kernels' folder.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.compiled.cache import cache_folder, compile_sooner
from engine.execution.helper_process import HelperKind, HelperProcess
from engine.independence.ci_tests import CITestDescription, ci_tests, test_named
from engine.independence.options import USUAL_TRAITS, TableTraits
from engine.table.row_weights import SAMPLING

if TYPE_CHECKING:
    from engine.independence.data import TestData


def compile_searches(data: TestData, settings: DiscoverySettings) -> None:
    """Compile what a run under some settings needs: everything is called with the stop mark set."""
    compile_tests(data.tables)
    # Wide tables of numbers are screened in a way of their own.
    data.ask_marginal(0, np.arange(1, min(len(data.names), 2)), _stopped())
    # After the tests, which take longest: another process may have stored it by then.
    compile_search(settings)
    _compile_single(data.traits)
    _compile_closure()
    marker = _marker(settings, data.traits)
    # Without its folder, which a person may have emptied, there is nothing to mark.
    if marker is not None and marker.parent.is_dir():
        marker.touch()


def is_compiled(settings: DiscoverySettings, traits: TableTraits) -> bool:
    """Tell whether an earlier run compiled what these settings need for a table with these traits."""
    marker = _marker(settings, traits)
    return marker is not None and marker.exists()


def compile_tests(tables: Iterable[Any]) -> None:
    """Compile the tests on some tables."""
    from engine.independence.interface import placed_test

    for table in tables:
        placed_test(table, 1)


def _compile_single(traits: TableTraits) -> None:
    """Compile what a run needs beside its searches and tests."""
    from engine.independence.chi_squared import log_chi2_sf, log_chi2_sf_values
    from engine.independence.interface import NO_TEST, run_tests

    log_chi2_sf(1.0, 1.0)
    log_chi2_sf_values(np.ones(1), np.ones(1))
    nobody = np.empty(0, dtype=np.int64)
    run_tests(NO_TEST, nobody, nobody, np.empty((0, 1), dtype=np.int64), nobody, _stopped())
    if traits.numbers:
        _compile_models()


def _compile_models() -> None:
    """Compile what regressions on many columns, as numbers have, and scores of numbers need."""
    from engine.boundaries.exact_search import weigh_arrows
    from engine.boundaries.score_search import Price
    from engine.independence.linear_systems import products_at, solved, weighted_products
    from engine.independence.logistic_regression import fill_probabilities
    from engine.independence.set_fits import gaussian_fits

    fill_probabilities(np.ones(1), np.ones(1), np.ones(1))
    weighted_products(np.ones((1, 1)), np.ones(1))
    products_at(np.ones((1, 1)), np.zeros(1, dtype=np.int64))
    solved(np.ones((1, 1)), np.ones(1))
    weigh_arrows(gaussian_fits(np.eye(2), [1, 1], 1.0), Price(1.0, 1.0, 2), [1])


def _compile_closure() -> None:
    """Compile what concludes from causes to causes."""
    from engine.knowledge.closure import closure_of, conclude, grown, statements_of, suppose, take, take_back

    closure = grown(closure_of([[(0, 1, True)]], 2))
    none = np.empty(0, dtype=np.int64)
    take(closure, 0)
    take_back(closure, 0)
    suppose(closure, none, -1, 1, np.empty((0, 2), dtype=np.int32), np.empty((2, 0), dtype=np.int64), 0, 0)
    conclude(closure, int(statements_of(closure, *np.array([[0], [1], [1]]))[0]), -1)


def compile_search(settings: DiscoverySettings) -> None:
    """Compile the neighbour search of the chosen algorithm, which is the same for all tests."""
    from engine.boundaries.search import SearchTask
    from engine.boundaries.single_algorithms import single_algorithms
    from engine.independence.data import Untested

    one = np.zeros(1, dtype=np.int64)
    single_algorithms()[settings.algorithm].load()(
        SearchTask(
            data=Untested(),
            target=0,
            candidates=one,
            log_p=np.zeros(1),
            list_everyone=lambda: one,
            alpha=settings.alpha,
            false_discovery=settings.false_discovery,
            max_conditioning=1,
            most_dof=np.inf,
            stop=_stopped(),
        )
    )


def _stopped() -> np.ndarray:
    return np.ones(1, dtype=np.uint8)


def _marker(settings: DiscoverySettings, traits: TableTraits) -> Path | None:
    """Name the empty file that says, beside the kernels, that they are all there."""
    folder = cache_folder()
    if folder is None:
        return None
    test = test_named(settings.test, has_numbers=traits.numbers, is_grouped=traits.grouped)
    weights = [settings.row_weights] if traits.weighted else []
    return folder / ".".join([settings.algorithm, test.name, *traits.words, *weights, "compiled"])


_TINY_ROWS = 8


def start_compiling(
    settings: DiscoverySettings | None = None,
    traits: TableTraits = USUAL_TRAITS,
    *,
    only_search: bool = False,
    calmly: bool = False,
) -> HelperProcess | None:
    """Start compiling what a run under some settings needs, unless it is compiled already.

    With `only_search`, the boundary search, and of several kinds of tests all but the last; the rest is left
    to :func:`compile_single_tests` in this process, so that two cores share the work. With `calmly`, at a low
    priority, so that a window stays lively on one core too. The process ends by itself. None when nothing
    needs to be compiled, and in a frozen program, which brings its kernels along.
    """
    settings = settings or DiscoverySettings()
    if getattr(sys, "frozen", False) or _is_refused(settings, traits) or is_compiled(settings, traits):
        return None
    helper = HelperProcess(HelperKind(is_calm=calmly, idle_seconds=0.0))
    tested = replace(settings, test=_test_for(settings, traits).name)
    helper.begin(compile_beside, tested, traits, only_search)
    return helper


def compile_beside(settings: DiscoverySettings, traits: TableTraits, only_search: bool) -> None:
    """Compile what :func:`start_compiling` leaves to its process; the settings name a test."""
    compile_sooner()
    if only_search:
        compile_search(settings)
        compile_tests(_tiny_data(settings.test, traits, settings.row_weights).tables[:-1])
    else:
        compile_all(settings, traits)


def compile_single_tests(settings: DiscoverySettings, traits: TableTraits = USUAL_TRAITS) -> None:
    """Compile, in this process, what :func:`start_compiling` leaves for a table with these traits."""
    if not _is_refused(settings, traits):
        data = _tiny_data(_test_for(settings, traits).name, traits, settings.row_weights)
        compile_tests(data.tables[-1:])
        _compile_single(traits)


def compile_all(settings: DiscoverySettings, traits: TableTraits = USUAL_TRAITS) -> bool:
    """Compile, in this process, what a run needs on such tables; False when the test does not take them."""
    if _is_refused(settings, traits):
        return False
    compile_searches(_tiny_data(_test_for(settings, traits).name, traits, settings.row_weights), settings)
    return True


def _is_refused(settings: DiscoverySettings, traits: TableTraits) -> bool:
    """Tell whether the test does not take such tables, so that a run ends before it needs kernels."""
    test = _test_for(settings, traits)
    return (
        (traits.incomplete and not test.takes_missing)
        or (traits.weighted and not test.takes_weights)
        or (traits.grouped and not test.takes_groups)
        or (traits.imputed and not test.pools)
    )


def _test_for(settings: DiscoverySettings, traits: TableTraits) -> CITestDescription:
    return test_named(settings.test, has_numbers=traits.numbers, is_grouped=traits.grouped)


def _tiny_data(test: str, traits: TableTraits, row_weights: str = SAMPLING) -> TestData:
    """Make test data of the usual types for a table with these traits, and weights that say this."""
    import numpy as np

    from engine.independence.arranging import make_test_data
    from engine.table.dataset import Dataset, Imputed
    from engine.table.variable import MISSING_CODE, Kind, Role, Variable

    # Numbers are cut for a test that takes none.
    are_numbers = traits.numbers and ci_tests()[test].takes_numbers
    variables, columns = [], []
    for name in ("x", "y"):
        values: np.ndarray = np.arange(_TINY_ROWS) % 2
        if are_numbers:
            variables.append(Variable(name, Kind.CONTINUOUS))
            values = values.astype(np.float64)
        else:
            variables.append(Variable(name, Kind.NOMINAL, levels=("a", "b")))
        if traits.incomplete:
            values[0] = np.nan if are_numbers else MISSING_CODE
        columns.append(values)
    if traits.weighted:
        variables.append(Variable("weight", Kind.CONTINUOUS, Role.WEIGHT))
        columns.append(1.0 + np.arange(_TINY_ROWS) % 2)
    if traits.grouped:
        variables.append(Variable("group", Kind.CONTINUOUS, Role.GROUPS))
        columns.append(np.arange(_TINY_ROWS, dtype=np.float64))
    dataset = Dataset(tuple(variables), tuple(columns))
    if traits.imputed:
        drawn = {name: np.arange(2, dtype=columns[0].dtype)[:, np.newaxis] for name in ("x", "y")}
        dataset = dataset.with_imputed(Imputed(2, 0, drawn))
    return make_test_data(dataset, test, row_weights=row_weights)
