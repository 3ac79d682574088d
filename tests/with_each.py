"""Tests over many values as one item: each item costs every process of a run time to collect.

For seeds, graphs and numbers, of which each takes little. ``pytest.mark.parametrize`` is better where a value
takes seconds, or deserves a line of its own in the report, such as an algorithm or a file format.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def with_each(names: str | tuple[str, ...], values: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test with each of some values, and name all those with which it fails.

    Parameters
    ----------
    names : str or tuple of str
        Parameter of the test, or several of them.
    values : iterable
        A value, or as many as there are names, for each time that the test is run. At least one.
    """
    parameter_names = (names,) if isinstance(names, str) else names
    cases = [(case,) if isinstance(names, str) else tuple(case) for case in values]
    assert cases, f"no value for {', '.join(parameter_names)}"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failures: list[tuple[str, Exception]] = []
            for case in cases:
                chosen = dict(zip(parameter_names, case, strict=True))
                try:
                    test(**fixtures, **chosen)
                except Exception as error:  # noqa: BLE001
                    described = ", ".join(f"{name}={value!r}" for name, value in chosen.items())
                    failures.append((described, error))
            if failures:
                cause = failures[0][1]
                named = "; ".join(described for described, _ in failures)
                cause.add_note(f"Fails with {len(failures)} of {len(cases)}, and this is the first: {named}")
                raise cause

        signature = inspect.signature(test)
        left = [parameter for name, parameter in signature.parameters.items() if name not in parameter_names]
        # What is left is filled in by pytest.
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return decorate
