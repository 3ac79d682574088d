"""The curves of growth as a picture: time above, memory below, on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.evaluation.drawing.chart import Drawing, Line, Mark
from engine.evaluation.drawing.svg import svg_text

_WIDTH, _HEIGHT = 230.0, 190.0
_LEFT, _TOP, _GAP = 60.0, 50.0, 70.0
_TITLE = "Processor time and peak memory of a search by rows, features and labels, on logarithmic axes"

Points = Sequence[Mapping[str, float]]


@dataclass(frozen=True)
class _Axis:
    """From the powers of ten that hold some values to pixels."""

    low: int
    high: int
    start: float
    length: float

    def at(self, value: float) -> float:
        """Give the place of a value."""
        return self.start + self.length * (math.log10(value) - self.low) / (self.high - self.low)

    @property
    def powers(self) -> range:
        """Exponents of the powers of ten from end to end."""
        return range(self.low, self.high + 1)


def growth_chart(curves: Sequence[tuple[str, Points]]) -> str:
    """Draw processor time and memory of each series, and the slope 1 for comparison.

    Parameters
    ----------
    curves : sequence of (str, points)
        What grows, and the figures of each size as ``growth_point`` gives them.

    Returns
    -------
    str
        SVG.
    """
    drawing = Drawing()
    everything = [point for _, points in curves for point in points]
    memory = [point[name] / 1e6 for point in everything for name in ("peak_bytes", "coded_bytes")]
    seconds = [point["cpu_seconds"] for point in everything]
    for place, (grows, points) in enumerate(curves):
        left = _LEFT + place * (_WIDTH + _GAP)
        x = _axis([point[grows] for point in points], left, _WIDTH)
        lower = _TOP + _HEIGHT + _GAP
        time = _axis(seconds, _TOP + _HEIGHT, -_HEIGHT)
        bytes_axis = _axis(memory, lower + _HEIGHT, -_HEIGHT)
        _frame(drawing, x, time, "CPU seconds", grows)
        _frame(drawing, x, bytes_axis, "peak MB", grows)
        sizes = [point[grows] for point in points]
        seconds_here = [point["cpu_seconds"] for point in points]
        _curve(drawing, x, time, sizes, seconds_here, "default", "s")
        for name, look in (("peak_bytes", "default"), ("coded_bytes", "as-published")):
            megabytes = [point[name] / 1e6 for point in points]
            _curve(drawing, x, bytes_axis, sizes, megabytes, look, "MB")
    drawing.text(_LEFT, 16, "●  search   ○  coded data", look="strong")
    width = _LEFT + len(curves) * (_WIDTH + _GAP)
    return svg_text(drawing.chart(_TITLE, width, _TOP + 2 * (_HEIGHT + _GAP)))


def _axis(values: Sequence[float], start: float, length: float) -> _Axis:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return _Axis(low, max(high, low + 1), start, length)


def _frame(drawing: Drawing, x: _Axis, y: _Axis, title: str, grows: str) -> None:
    left, right, bottom, top = x.start, x.start + x.length, y.start, y.start + y.length
    for power in x.powers:
        place = x.at(10.0**power)
        drawing.lines.append(Line(place, top, place, bottom, "grid"))
        drawing.text(place, bottom + 12, _power(power), "middle", "quiet")
    for power in y.powers:
        place = y.at(10.0**power)
        drawing.lines.append(Line(left, place, right, place, "grid"))
        drawing.text(left - 6, place, _power(power), "end", "quiet")
    drawing.text(left, top - 12, title)
    drawing.text((left + right) / 2, bottom + 30, grows, "middle")


def _curve(
    drawing: Drawing,
    x: _Axis,
    y: _Axis,
    sizes: Sequence[float],
    values: Sequence[float],
    look: str,
    unit: str,
) -> None:
    places = [(x.at(size), y.at(value)) for size, value in zip(sizes, values, strict=True)]
    for (x1, y1), (x2, y2) in pairwise(places):
        drawing.lines.append(Line(x1, y1, x2, y2, look))
    for (at_x, at_y), size, value in zip(places, sizes, values, strict=True):
        drawing.marks.append(Mark(at_x, at_y, look, f"{size:,}: {value:,.2f} {unit}"))


def _power(exponent: int) -> str:
    return f"{10**exponent:,}" if exponent >= 0 else f"{10.0**exponent:g}"
