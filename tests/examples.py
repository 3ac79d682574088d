"""How many examples a test tries that makes up its input: a third, unless long checks are asked for."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

_WHOLE = 100


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
