"""The curves of growth as a chart: time above, memory below, on logarithmic scales."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.reporting.figures.chart import Axis, Chart, Curve, CurvePanel, FigurePoint, Series, powers_of_ten

_TITLE = "Processor time and peak memory of a search by rows, features and labels, on logarithmic axes"
_SEARCH, _CODED = Series("search", "default"), Series("coded data", "as-published")

Points = Sequence[Mapping[str, float]]


def growth_chart(curves: Sequence[tuple[str, Points]]) -> Chart:
    """Return processor time and memory of each series.

    Parameters
    ----------
    curves : sequence of (str, points)
        What grows, and the figures of each size as ``growth_point`` gives them.
    """
    everything = [point for _, points in curves for point in points]
    time = powers_of_ten([point["cpu_seconds"] for point in everything])
    memory = powers_of_ten(
        [point[name] / 1e6 for point in everything for name in ("peak_bytes", "coded_bytes")]
    )
    above, below = [], []
    for grows, points in curves:
        sizes = powers_of_ten([point[grows] for point in points], grows)
        seconds = _curve(_SEARCH, points, grows, "cpu_seconds", 1.0, "s")
        peak = _curve(_SEARCH, points, grows, "peak_bytes", 1e6, "MB")
        coded = _curve(_CODED, points, grows, "coded_bytes", 1e6, "MB")
        above.append(_panel("CPU seconds", sizes, time, seconds))
        below.append(_panel("peak MB", sizes, memory, peak, coded))
    return Chart(_TITLE, (tuple(above), tuple(below)), legend=(_SEARCH, _CODED))


def _panel(title: str, x: Axis, y: Axis, *curves: Curve) -> CurvePanel:
    return CurvePanel(title, x, y, curves)


def _curve(series: Series, points: Points, grows: str, name: str, unit: float, unit_text: str) -> Curve:
    marks = []
    for point in points:
        size, value = point[grows], point[name] / unit
        marks.append(FigurePoint(size, value, f"{series.name}, {size:,} {grows}: {value:,.2f} {unit_text}"))
    return Curve(series, tuple(marks))
