"""The one interface of all conditional-independence tests, as the compiled searches see it.

A test is a named tuple of arrays (its table) with functions: one allocates working memory, one tests x
and y given a set, one gives the p-value, one counts nominal degrees of freedom. A search is written once
against :func:`conditional_test` and compiled for each kind of table. The outcome of a test is
``(statistic, dof, ratio, reliable)`` where ``ratio`` is the statistic over its critical value: above 1 means
dependent.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from engine.compiled.decorators import (
    MERGED_OPTIONS,
    PART_OPTIONS,
    counting_kernel,
    inlined_part,
    merged_part,
)


class _Functions(NamedTuple):
    new_workspace: Callable[..., Any]
    test: Callable[..., Any]
    log_p_value: Callable[..., Any]
    nominal_dof: Callable[..., Any]


_REGISTERED: dict[type, _Functions] = {}


def one_dof(data: Any, x: int, y: int, given: np.ndarray, size: int) -> float:
    """Count one nominal degree of freedom, whatever is tested: for tests without strata."""
    return 1.0


def dof_of_levels(data: Any, x: int, y: int, given: np.ndarray, size: int) -> float:
    """Count nominal degrees of freedom as if every combination of levels occurred.

    The table has the number of levels of each variable in its field ``levels``.
    """
    dof: float = (data.levels[x] - 1.0) * (data.levels[y] - 1.0)
    for position in range(size):
        dof *= data.levels[given[position]]
    return dof


def register_test(
    data_class: type,
    new_workspace: Callable[..., Any],
    test: Callable[..., Any],
    log_p_value: Callable[..., Any],
    nominal_dof: Callable[..., Any] = one_dof,
) -> None:
    """Make a kind of table known to :func:`conditional_test`.

    Parameters
    ----------
    data_class : type
        Named tuple of arrays and numbers.
    new_workspace : callable
        ``(data, max_conditioning) -> workspace``.
    test : kernel
        ``(data, workspace, x, y, given, size) -> (statistic, dof, ratio, reliable)``.
    log_p_value : kernel
        ``(data, statistic, dof) -> log p``.
    nominal_dof : function
        ``(data, x, y, given, size) -> degrees of freedom``, in Python that the compiler understands: what a
        search bounds before it makes a test with three or more variables held fixed.
    """
    _REGISTERED[data_class] = _Functions(new_workspace, test, log_p_value, nominal_dof)


def _functions_of(data_type: Any) -> _Functions | None:
    """Find the functions for the type under which the compiler knows some test data."""
    return _REGISTERED.get(getattr(data_type, "instance_class", object))


def new_workspace(data: Any, max_conditioning: int) -> Any:
    """Allocate the working memory of one thread.

    Parameters
    ----------
    data : registered test data
    max_conditioning : int
        Size of the largest conditioning set.
    """
    return _REGISTERED[type(data)].new_workspace(data, max_conditioning)


class Workspaces(threading.local):
    """Working memory for the tests of one table: each thread has its own, and keeps it from call to call.

    To allocate it takes longer than a test, and some of it remembers what earlier tests have counted. Copies
    and what is sent to another process begin with nothing.
    """

    _widest = -1
    _workspace: Any = None

    def __reduce__(self) -> tuple[type[Workspaces], tuple[()]]:
        return Workspaces, ()

    def of(self, data: Any, max_conditioning: int, stop: np.ndarray) -> Any:
        """Return the working memory of the thread that asks.

        Parameters
        ----------
        data : registered test data
            The same each time.
        max_conditioning : int
            Size of the largest conditioning set.
        stop : ndarray of uint8, shape (1,)
            Not 0 asks to stop. Whoever makes the tests looks at it between two of them; a test that may take
            seconds by itself has a field of this name in its working memory, and looks at it in between.
        """
        if max_conditioning > self._widest:
            self._widest, self._workspace = max_conditioning, new_workspace(data, max_conditioning)
        workspace = self._workspace
        return workspace._replace(stop=stop) if "stop" in getattr(workspace, "_fields", ()) else workspace


def conditional_test(data: Any, workspace: Any, x: int, y: int, given: np.ndarray, size: int) -> Any:
    """Test variables `x` and `y` given the first `size` entries of `given`."""
    return _REGISTERED[type(data)].test(data, workspace, x, y, given, size)


def log_p_value(data: Any, statistic: float, dof: float) -> float:
    """Natural logarithm of the p-value of a statistic."""
    return _REGISTERED[type(data)].log_p_value(data, statistic, dof)  # type: ignore[no-any-return]


def nominal_dof(data: Any, x: int, y: int, given: np.ndarray, size: int) -> float:
    """Count nominal degrees of freedom of a test of `x` and `y` given the first `size` of `given`."""
    return _REGISTERED[type(data)].nominal_dof(data, x, y, given, size)  # type: ignore[no-any-return]


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


@overload(conditional_test, strict=False, jit_options=MERGED_OPTIONS)
def _compiled_counting_test(
    data: Any, workspace: Any, x: Any, y: Any, given: Any, size: Any
) -> Callable[..., Any] | None:
    return _test_of(data, makes_arrays=False)


@overload(conditional_test, strict=False, jit_options=PART_OPTIONS)
def _compiled_conditional_test(
    data: Any, workspace: Any, x: Any, y: Any, given: Any, size: Any
) -> Callable[..., Any] | None:
    return _test_of(data, makes_arrays=True)


def _test_of(data_type: Any, makes_arrays: bool) -> Callable[..., Any] | None:
    functions = _functions_of(data_type)
    if functions is None or functions.test.targetoptions["_nrt"] != makes_arrays:  # type: ignore[attr-defined]
        return None
    test = functions.test if makes_arrays else _merged(functions.test)

    # Called and not handed over: numba would translate it anew for each kind of function that asks for it.
    def call(data: Any, workspace: Any, x: int, y: int, given: np.ndarray, size: int) -> Any:
        return test(data, workspace, x, y, given, size)

    return call


@functools.cache
def _merged(test: Callable[..., Any]) -> Callable[..., Any]:
    return merged_part(test.py_func)  # type: ignore[attr-defined, no-any-return]


@overload(nominal_dof, strict=False, jit_options=PART_OPTIONS)
def _compiled_nominal_dof(data: Any, x: Any, y: Any, given: Any, size: Any) -> Callable[..., Any] | None:
    functions = _functions_of(data)
    return None if functions is None else functions.nominal_dof


@overload(log_p_value, strict=False, jit_options=PART_OPTIONS)
def _compiled_log_p_value(data: Any, statistic: Any, dof: Any) -> Callable[..., Any] | None:
    functions = _functions_of(data)
    if functions is None:
        return None
    return functions.log_p_value.py_func  # type: ignore[attr-defined, no-any-return]


def run_tests(
    data: Any,
    workspace: Any,
    x: np.ndarray,
    y: np.ndarray,
    given: np.ndarray,
    sizes: np.ndarray,
    stop: np.ndarray,
) -> Any:
    """Make many tests in one call.

    Parameters
    ----------
    data : registered test data
    workspace
        Its working memory, for sets as wide as `given`.
    x, y : ndarray of int64, shape (tests,)
        Positions of the tested variables.
    given : ndarray of int64, shape (tests, width)
        Conditioning sets; row i uses its first ``sizes[i]`` entries.
    sizes : ndarray of int64, shape (tests,)
        Sizes of the conditioning sets.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the arrays are then unfinished and must not be used.

    Returns
    -------
    statistic, dof, ratio : ndarray of float64, shape (tests,)
    reliable : ndarray of bool, shape (tests,)
    """
    count = x.shape[0]
    statistic, dof, ratio = np.empty(count), np.empty(count), np.empty(count)
    reliable = np.empty(count, np.bool_)
    _run_tests(data, workspace, x, y, given, sizes, False, stop, statistic, dof, ratio, reliable)
    return statistic, dof, ratio, reliable


def run_until_independent(
    data: Any,
    workspace: Any,
    x: np.ndarray,
    y: np.ndarray,
    given: np.ndarray,
    sizes: np.ndarray,
    stop: np.ndarray,
) -> Any:
    """Make tests in one call, up to the first that is evidence of independence.

    The parameters are those of :func:`run_tests`.

    Returns
    -------
    statistic, dof, ratio : ndarray of float64, shape (tests made,)
    reliable : ndarray of bool, shape (tests made,)
    """
    count = x.shape[0]
    statistic, dof, ratio = np.empty(count), np.empty(count), np.empty(count)
    reliable = np.empty(count, np.bool_)
    made = _run_tests(data, workspace, x, y, given, sizes, True, stop, statistic, dof, ratio, reliable)
    return statistic[:made], dof[:made], ratio[:made], reliable[:made]


@counting_kernel
def _run_tests(
    data: Any,
    workspace: Any,
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
    made: int = np.int64(0)  # type: ignore[assignment]
    while made < x.shape[0] and not stop[0]:
        outcome = conditional_test(data, workspace, x[made], y[made], given[made], sizes[made])
        statistic[made], dof[made], ratio[made], reliable[made] = outcome
        made += 1
        if until_independent and outcome[3] and outcome[2] <= 1.0:
            break
    return made
