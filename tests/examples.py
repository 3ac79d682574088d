"""How many examples a test tries, made up or listed: a few of them, unless long checks are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import settings

_WHOLE = 100
Value = TypeVar("Value")


def register_profiles() -> None:
    """Say how many there are in the two forms; none is late, as the first call of a kernel compiles."""
    settings.register_profile("short", deadline=None, max_examples=_WHOLE // 3)
    settings.register_profile("long", deadline=None, max_examples=_WHOLE)


def examples(count: int, **others: Any) -> settings:
    """Return settings of a test that tries so many examples in its long form.

    Parameters
    ----------
    count : int
    **others
        Further settings of Hypothesis.
    """
    return settings(max_examples=max(count * settings.default.max_examples // _WHOLE, 10), **others)


def first_of(values: Sequence[Value], count: int) -> Sequence[Value]:
    """Return the first values, for a test that tries all of them in its long form.

    Parameters
    ----------
    values : sequence
        For :func:`tests.with_each.with_each`, such as seeds.
    count : int
        How many are tried in the short form.
    """
    return values if settings.default.max_examples == _WHOLE else values[:count]


def fifty() -> Sequence[int]:
    """Return the seeds of fifty tables, of which the short form makes the first half."""
    return first_of(range(50), 25)
