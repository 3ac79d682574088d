"""The one interface of all conditional-independence tests, as the compiled searches see it.

A test is a named tuple of arrays (its data) with two functions: one allocates working memory, the
other tests x and y given a set. A search is written once against :func:`conditional_test` and compiled
for each kind of data. The outcome of a test is ``(statistic, dof, ratio, reliable)`` where ``ratio``
is the statistic over its critical value: above 1 means dependent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload

from engine.independence.compiled import kernel

_Functions = tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]
_REGISTERED: dict[type, _Functions] = {}


def register_test(
    data_class: type,
    new_workspace: Callable[..., Any],
    test: Callable[..., Any],
    log_p_value: Callable[..., Any],
) -> None:
    """Make a kind of test data known to :func:`conditional_test`.

    Parameters
    ----------
    data_class : type
        Named tuple of arrays and numbers.
    new_workspace : kernel
        ``(data, max_conditioning) -> workspace``.
    test : kernel
        ``(data, workspace, x, y, given, size) -> (statistic, dof, ratio, reliable)``.
    log_p_value : kernel
        ``(data, statistic, dof) -> log p``.
    """
    _REGISTERED[data_class] = (new_workspace, test, log_p_value)


def _function(data: Any, position: int) -> Callable[..., Any] | None:
    functions = _REGISTERED.get(getattr(data, "instance_class", object))
    return None if functions is None else functions[position]


def new_workspace(data: Any, max_conditioning: int) -> Any:
    """Allocate the working memory of one thread."""
    return _REGISTERED[type(data)][0](data, max_conditioning)


def conditional_test(data: Any, workspace: Any, x: int, y: int, given: np.ndarray, size: int) -> Any:
    """Test variables `x` and `y` given the first `size` entries of `given`."""
    return _REGISTERED[type(data)][1](data, workspace, x, y, given, size)


def log_p_value(data: Any, statistic: float, dof: float) -> float:
    """Natural logarithm of the p-value of a statistic."""
    return _REGISTERED[type(data)][2](data, statistic, dof)  # type: ignore[no-any-return]


@overload(new_workspace, strict=False)
def _new_workspace(data: Any, max_conditioning: Any) -> Any:
    function = _function(data, 0)
    if function is None:
        return None
    return lambda data, max_conditioning: function(data, max_conditioning)


@overload(conditional_test, strict=False)
def _conditional_test(data: Any, workspace: Any, x: Any, y: Any, given: Any, size: Any) -> Any:
    function = _function(data, 1)
    if function is None:
        return None
    return lambda data, workspace, x, y, given, size: function(data, workspace, x, y, given, size)


@overload(log_p_value, strict=False)
def _log_p_value(data: Any, statistic: Any, dof: Any) -> Any:
    function = _function(data, 2)
    if function is None:
        return None
    return lambda data, statistic, dof: function(data, statistic, dof)


@kernel
def test_against_all(data: Any, target: int, stop: np.ndarray) -> Any:
    """Test one variable against every other one, without conditioning.

    Parameters
    ----------
    data : registered test data
    target : int
        Position of the variable.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; what is not tested then has log p 0.

    Returns
    -------
    statistic, dof, log_p : ndarray of float64, shape (variables,)
        The entry of the target itself has log p 0.
    """
    variables = data.variable_count
    statistic, dof, log_p = np.zeros(variables), np.zeros(variables), np.zeros(variables)
    workspace = new_workspace(data, 0)
    nothing = np.zeros(1, np.int64)
    for other in range(variables):
        if stop[0]:
            break
        if other != target:
            outcome = conditional_test(data, workspace, target, other, nothing, 0)
            statistic[other], dof[other] = outcome[0], outcome[1]
            log_p[other] = log_p_value(data, outcome[0], outcome[1])
    return statistic, dof, log_p


test_against_all.__test__ = False  # type: ignore[attr-defined]


@kernel
def run_tests(
    data: Any, x: np.ndarray, y: np.ndarray, given: np.ndarray, sizes: np.ndarray, stop: np.ndarray
) -> Any:
    """Make many tests in one call.

    Parameters
    ----------
    data : registered test data
    x, y : ndarray of int64, shape (tests,)
        Positions of the tested variables.
    given : ndarray of int64, shape (tests, width)
        Conditioning sets; row i uses its first ``sizes[i]`` entries.
    sizes : ndarray of int64, shape (tests,)
        Sizes of the conditioning sets.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; what is not tested then has log p 0 and is not reliable.

    Returns
    -------
    statistic, dof, log_p, ratio : ndarray of float64, shape (tests,)
    reliable : ndarray of bool, shape (tests,)
    """
    count = x.shape[0]
    statistic, dof, log_p, ratio = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(count)
    reliable = np.zeros(count, np.bool_)
    workspace = new_workspace(data, given.shape[1])
    for place in range(count):
        if stop[0]:
            break
        outcome = conditional_test(
            data, workspace, x[place], y[place], given[place], sizes[place]
        )
        statistic[place], dof[place], ratio[place], reliable[place] = outcome
        log_p[place] = log_p_value(data, outcome[0], outcome[1])
    return statistic, dof, log_p, ratio, reliable
