"""The one interface of all conditional-independence tests, as the compiled searches see it.

A test is a named tuple of arrays (its table) with functions: one allocates working memory, one tests x
and y given a set, one counts nominal degrees of freedom. A search is written once against
:func:`conditional_test` and compiled once, whatever is tested: it calls the test by its address. The outcome
of a test is ``(statistic, dof, ratio, reliable)`` where ``ratio`` is the statistic over its critical value:
above 1 means dependent. A table serves all significance levels: critical values are given to the test beside
it.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from engine.compiled.decorators import (
    MERGED_OPTIONS,
    PART_OPTIONS,
    addressed_kernel,
    counting_kernel,
    inlined_part,
    merged_part,
)
from engine.compiled.places import address_of, caller, described, kind_of, parts_of, place_of
from engine.independence.chi_squared import NO_LEVEL, CriticalValues


class _Functions(NamedTuple):
    new_workspace: Callable[..., Any]
    test: Callable[..., Any]
    nominal_dof: Callable[..., Any]


_REGISTERED: dict[type, _Functions] = {}

_COLUMN = types.int64
_SET = types.Array(types.int64, 1, "C")
_OUTCOME = types.Tuple(  # type: ignore[no-untyped-call]
    (types.float64, types.float64, types.float64, types.boolean)
)
_QUESTION = (types.boolean, _COLUMN, _COLUMN, _SET, types.int64)
_call = caller((types.int64, *_QUESTION), _OUTCOME)


class Hypothesis(NamedTuple):
    """Variables `x` and `y` are independent given the first `size` entries of `given`."""

    x: int
    y: int
    given: np.ndarray
    size: int


class Addresses(NamedTuple):
    """Where a kernel finds a test."""

    begin: int
    place: int


class PlacedTest:
    """A test of one table with one thread's working memory: kernels call it by `at` while this is kept."""

    def __init__(self, data: Any, workspace: Any, critical: CriticalValues) -> None:
        self.workspace = workspace
        self._kept = data, critical
        self._description = described((data, workspace, critical))
        self.at = Addresses(_begin_of(data, workspace, critical), self._description.ctypes.data)


class _NoTest(PlacedTest):
    """A test that begins nowhere: kernels that are stopped at once, to be compiled, make none."""

    def __init__(self) -> None:
        self.at = Addresses(0, 0)


NO_TEST = _NoTest()

_BEGINS: dict[Any, int] = {}


def _begin_of(data: Any, workspace: Any, critical: CriticalValues) -> int:
    """Return the address of the test for such tables, which is compiled if need be."""
    kind = kind_of((data, workspace, critical))
    if kind not in _BEGINS:
        _BEGINS[kind] = address_of(_answer, (place_of((data, workspace, critical)), *_QUESTION), _OUTCOME)
    return _BEGINS[kind]


def one_dof(data: Any, hypothesis: Hypothesis) -> float:
    """Count one nominal degree of freedom, whatever is tested: for tests without strata."""
    return 1.0


def dof_of_levels(data: Any, hypothesis: Hypothesis) -> float:
    """Count nominal degrees of freedom as if every combination of the table's ``levels`` occurred."""
    x, y, given, size = hypothesis
    dof: float = (data.levels[x] - 1.0) * (data.levels[y] - 1.0)
    for position in range(size):
        dof *= data.levels[given[position]]
    return dof


def register_test(
    data_class: type,
    new_workspace: Callable[..., Any],
    test: Callable[..., Any],
    nominal_dof: Callable[..., Any] = one_dof,
) -> None:
    """Make a kind of table, a named tuple of arrays and numbers, known to :func:`conditional_test`.

    ``new_workspace(data, max_conditioning)`` allocates an array, or a named tuple of arrays and numbers. The
    kernel ``test(data, workspace, critical, hypothesis)`` returns ``(statistic, dof, ratio, reliable)``.
    ``nominal_dof(data, hypothesis)``, in Python that the compiler understands, is what a search bounds before
    it makes a test with three or more variables held fixed.
    """
    # By its name, pytest would take it for one of its own wherever it is imported.
    test.__test__ = False  # type: ignore[attr-defined]
    _REGISTERED[data_class] = _Functions(new_workspace, test, nominal_dof)


def _functions_of(data_type: Any) -> _Functions | None:
    """Find the functions for the type under which the compiler knows some test data."""
    return _REGISTERED.get(getattr(data_type, "instance_class", object))


def placed_test(data: Any, max_conditioning: int, critical: CriticalValues = NO_LEVEL) -> PlacedTest:
    """Allocate the working memory of one thread, and make the test known to kernels."""
    return PlacedTest(data, _REGISTERED[type(data)].new_workspace(data, max_conditioning), critical)


def nominal_dof_of(data: Any, x: int, y: int, given: np.ndarray, size: int) -> float:
    """Count nominal degrees of freedom of a test of `x` and `y` given the first `size` of `given`."""
    hypothesis = Hypothesis(x, y, given, size)
    return _REGISTERED[type(data)].nominal_dof(data, hypothesis)  # type: ignore[no-any-return]


class PlacedTests(threading.local):
    """The test of one table, with working memory kept by thread; copies begin with none."""

    _widest = -1
    _placed: Any = None

    def __reduce__(self) -> tuple[type[PlacedTests], tuple[()]]:
        return PlacedTests, ()

    def of(self, data: Any, critical: CriticalValues, max_conditioning: int, stop: np.ndarray) -> PlacedTest:
        """Return the test with this thread's working memory; slow tests look at `stop` there themselves."""
        if max_conditioning > self._widest:
            self._widest, self._placed = max_conditioning, placed_test(data, max_conditioning, critical)
        workspace = self._placed.workspace
        if getattr(workspace, "stop", stop) is not stop:
            self._placed = PlacedTest(data, workspace._replace(stop=stop), critical)
        return self._placed  # type: ignore[no-any-return]


@merged_part
def conditional_test(test: Addresses, x: int, y: int, given: np.ndarray, size: int) -> Any:
    """Test variables `x` and `y` given the first `size` entries of `given`."""
    return _call(test.begin, (test.place, False, x, y, given, size))


@merged_part
def nominal_dof(test: Addresses, x: int, y: int, given: np.ndarray, size: int) -> float:
    """Count nominal degrees of freedom of a test of `x` and `y` given the first `size` of `given`."""
    return _call(test.begin, (test.place, True, x, y, given, size))[1]  # type: ignore[no-any-return]


@addressed_kernel
def _answer(place: Any, only_dof: bool, x: int, y: int, given: np.ndarray, size: int) -> Any:
    """Make a test, or count its nominal degrees of freedom alone."""
    data, workspace, critical = parts_of(place)
    hypothesis = Hypothesis(x, y, given, size)
    if only_dof:
        return 0.0, float(_nominal_dof(data, hypothesis)), 0.0, True
    statistic, dof, ratio, reliable = _tested(data, workspace, critical, hypothesis)
    return float(statistic), float(dof), float(ratio), bool(reliable)


def _tested(data: Any, workspace: Any, critical: Any, hypothesis: Hypothesis) -> Any:
    """Stand for the test of a kind of table, where this is known to the compiler alone."""


def _nominal_dof(data: Any, hypothesis: Hypothesis) -> Any:
    """Stand for its nominal degrees of freedom in the same way."""


@inlined_part
def sort_set(members: np.ndarray, given: np.ndarray, size: int) -> None:
    """Write a conditioning set in column order, so that a test does not depend on how the set is written."""
    for end in range(size):
        variable = given[end]
        position = end
        while position > 0 and members[position - 1] > variable:
            members[position] = members[position - 1]
            position -= 1
        members[position] = variable


@overload(_tested, strict=False, jit_options=MERGED_OPTIONS)
def _compiled_counting_test(
    data: Any, workspace: Any, critical: Any, hypothesis: Any
) -> Callable[..., Any] | None:
    return _test_of(data, makes_arrays=False)


@overload(_tested, strict=False, jit_options=PART_OPTIONS)
def _compiled_test(data: Any, workspace: Any, critical: Any, hypothesis: Any) -> Callable[..., Any] | None:
    return _test_of(data, makes_arrays=True)


def _test_of(data_type: Any, makes_arrays: bool) -> Callable[..., Any] | None:
    functions = _functions_of(data_type)
    if functions is None or functions.test.targetoptions["_nrt"] != makes_arrays:  # type: ignore[attr-defined]
        return None
    test = functions.test if makes_arrays else _merged(functions.test)

    # Called and not handed over: numba would translate it anew for each kind of function that asks for it.
    def call(data: Any, workspace: Any, critical: Any, hypothesis: Hypothesis) -> Any:
        return test(data, workspace, critical, hypothesis)

    return call


@functools.cache
def _merged(test: Callable[..., Any]) -> Callable[..., Any]:
    return merged_part(test.py_func)  # type: ignore[attr-defined, no-any-return]


@overload(_nominal_dof, strict=False, jit_options=PART_OPTIONS)
def _compiled_nominal_dof(data: Any, hypothesis: Any) -> Callable[..., Any] | None:
    functions = _functions_of(data)
    return None if functions is None else functions.nominal_dof


def run_tests(
    test: PlacedTest,
    x: np.ndarray,
    y: np.ndarray,
    given: np.ndarray,
    sizes: np.ndarray,
    stop: np.ndarray,
    *,
    until_independent: bool = False,
) -> tuple[np.ndarray, ...]:
    """Make tests as of `TestData.ask_rows`; `until_independent` ends after the first independence."""
    count = len(x)
    outcomes = np.empty(count), np.empty(count), np.empty(count), np.empty(count, np.bool_)
    # For arrays that lie otherwise it would be compiled again.
    x, y, given, sizes = map(np.ascontiguousarray, (x, y, given, sizes))
    answered = _run_tests(test.at, x, y, given, sizes, until_independent, stop, *outcomes)
    return tuple(outcome[:answered] for outcome in outcomes) if until_independent else outcomes


@counting_kernel
def _run_tests(
    test: Addresses,
    x: np.ndarray,
    y: np.ndarray,
    given: np.ndarray,
    sizes: np.ndarray,
    until_independent: bool,
    stop: np.ndarray,
    statistic: np.ndarray,
    dof: np.ndarray,
    ratio: np.ndarray,
    reliable: np.ndarray,
) -> int:
    """Fill the last four arrays; give the number of tests made."""
    answered = 0
    while answered < x.shape[0] and not stop[0]:
        outcome = conditional_test(test, x[answered], y[answered], given[answered], sizes[answered])
        statistic[answered], dof[answered], ratio[answered], reliable[answered] = outcome
        answered += 1
        if until_independent and outcome[3] and outcome[2] <= 1.0:
            break
    return answered
