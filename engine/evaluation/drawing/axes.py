"""A box with a scale along either side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.evaluation.drawing.chart import LETTER_SIZE, Drawing, Line

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Axes:
    """Where figures stand in a box.

    Attributes
    ----------
    left, top, width, height : float
        Where the box is.
    left_figure, right_figure, low, high : float
        Figures at its edges.
    """

    left: float
    top: float
    width: float
    height: float
    left_figure: float
    right_figure: float
    low: float
    high: float

    def x(self, figure: float) -> float:
        """Give the place of a figure from left to right."""
        return self.left + self.width * (figure - self.left_figure) / (self.right_figure - self.left_figure)

    def y(self, figure: float) -> float:
        """Give the place of a figure from bottom to top."""
        return self.top + self.height * (self.high - figure) / (self.high - self.low)

    def draw_frame(self, drawing: Drawing, across: Sequence[float], upwards: Sequence[float]) -> None:
        """Draw a line at every tick, with its figure beside."""
        bottom, right = self.top + self.height, self.left + self.width
        for figure in upwards:
            y = self.y(figure)
            drawing.lines.append(Line(self.left, y, right, y, "grid"))
            drawing.text(self.left - 6.0, y, f"{figure:g}", "end", "quiet")
        for figure in across:
            x = self.x(figure)
            drawing.lines.append(Line(x, self.top, x, bottom, "grid"))
            drawing.text(x, bottom + LETTER_SIZE, f"{figure:g}", "middle", "quiet")


def ticks(low: float, high: float, about: int = 5) -> tuple[float, ...]:
    """Choose round figures that span a range.

    Parameters
    ----------
    low, high : float
    about : int
        How many there should be.

    Returns
    -------
    tuple of float
        The first at most `low`, the last at least `high`.

    Examples
    --------
    >>> ticks(0.12, 0.47)
    (0.1, 0.2, 0.3, 0.4, 0.5)
    """
    span = high - low if high > low else max(abs(high), 1e-6)
    power = 10.0 ** math.floor(math.log10(span / about))
    step = next(power * each for each in _STEPS if power * each * about >= span * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return tuple(round(step * place, 10) for place in range(first, max(last, first + 1) + 1))
