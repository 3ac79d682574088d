"""The values at which a slider stops."""

from __future__ import annotations

from collections.abc import Sequence


def nearest_step(steps: Sequence[float], value: float) -> int:
    """Return the place of the step that is nearest to a value, as ratios count.

    >>> nearest_step((0.001, 0.01, 0.1), 0.02)
    1
    """
    return min(range(len(steps)), key=lambda number: max(steps[number] / value, value / steps[number]))


def nearest_first(steps: Sequence[float], value: float) -> tuple[float, ...]:
    """List the steps beside a value, those nearest to it first; the value itself is left out.

    >>> nearest_first((0.001, 0.01, 0.02, 0.1), 0.02)
    (0.01, 0.1, 0.001)
    """
    others = [step for step in steps if step != value]
    return tuple(sorted(others, key=lambda step: max(step / value, value / step)))
