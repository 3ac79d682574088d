"""Critical-difference diagrams after Demšar (2006): average ranks, and which of them do not differ."""

from __future__ import annotations

from engine.evaluation.drawing.chart import Chart, Drawing, Line, Mark, text_width
from engine.evaluation.selection.charts.legend import look_of, names_width
from engine.evaluation.selection.methods import CLCD_FS, selection_methods
from engine.evaluation.selection.metrics import PAPER_METRICS, metrics
from engine.evaluation.selection.result import SelectionComparison
from engine.evaluation.selection.standings import Ranks, ranked_methods, ranks

_WIDTH, _LEAD = 360.0, 18.0
_ROW_HEIGHT, _GROUP_HEIGHT = 20.0, 8.0
_HEAD, _SCALE, _FOOT = 30.0, 40.0, 26.0


def rank_chart(result: SelectionComparison) -> Chart:
    """Draw a scale of ranks a metric; a bar joins methods that lie within the critical difference."""
    drawing = Drawing()
    margin = names_width(ranked_methods(result)) + text_width(" 10.00") + _LEAD
    top = 0.0
    for name in PAPER_METRICS:
        found = ranks(result, name)
        if found is not None:
            drawing.text(0.0, top + _HEAD / 2, metrics()[name].title, look="strong")
            top = _draw_scale(drawing, found, margin, top + _HEAD)
    if not top:
        drawing.text(
            0.0, 12.0, "Ranks need at least three methods and two tables that are done.", look="quiet"
        )
        top = 30.0
    return drawing.chart("Average ranks and critical difference", _WIDTH + 2 * margin, top)


def _draw_scale(drawing: Drawing, found: Ranks, margin: float, top: float) -> float:
    """Draw one diagram; give where it ends."""
    test, last = found.test, len(found.methods)
    step = _WIDTH / (last - 1)

    def x(rank: float) -> float:
        return margin + (rank - 1) * step

    _draw_critical_difference(drawing, x(1), min(test.critical_difference * step, _WIDTH), found, top)
    axis = top + _SCALE
    drawing.lines.append(Line(x(1), axis, x(last), axis, "ink"))
    for rank in range(1, last + 1):
        drawing.lines.append(Line(x(rank), axis - 5.0, x(rank), axis, "ink"))
        drawing.text(x(rank), axis - 13.0, f"{rank}", "middle", "quiet")
    y = axis + 4.0
    for group in test.groups():
        y += _GROUP_HEIGHT
        ends = [test.average_ranks[place] for place in (group[0], group[-1])]
        drawing.lines.append(Line(x(ends[0]) - 3.0, y, x(ends[1]) + 3.0, y, "strong"))
    return _draw_methods(drawing, found, x(1), step, axis, y + 6.0)


def _draw_critical_difference(drawing: Drawing, left: float, width: float, found: Ranks, top: float) -> None:
    drawing.lines.append(Line(left, top + 6.0, left + width, top + 6.0, "strong"))
    for end in (left, left + width):
        drawing.lines.append(Line(end, top + 2.0, end, top + 10.0, "strong"))
    test = found.test
    words = f"critical difference {test.critical_difference:.2f}; Friedman p = {test.p_value:.3g}"
    drawing.text(left, top - _HEAD / 2, f"{words}; {test.tables} tables", look="quiet")


def _draw_methods(
    drawing: Drawing, found: Ranks, left: float, step: float, axis: float, first_row: float
) -> float:
    """Lead a line from each rank to a name: the better half on the left, the others on the right."""
    order = sorted(range(len(found.methods)), key=lambda place: found.test.average_ranks[place])
    half = (len(order) + 1) // 2
    for position, place in enumerate(order):
        is_left = position < half
        row = position if is_left else len(order) - 1 - position
        y = first_row + (row + 0.5) * _ROW_HEIGHT
        rank, method = found.test.average_ranks[place], found.methods[place]
        x = left + (rank - 1) * step
        end = left - 12.0 if is_left else left + _WIDTH + 12.0
        words = f"{selection_methods()[method].title} {rank:.2f}"
        drawing.lines.append(Line(x, axis, x, y, "grid"))
        drawing.lines.append(Line(x, y, end, y, "grid"))
        drawing.marks.append(Mark(x, axis, look_of(method), words))
        anchor = "end" if is_left else "start"
        look = "strong" if method == CLCD_FS else "ink"
        drawing.text(end + (-6.0 if is_left else 6.0), y, words, anchor, look)
    return first_row + half * _ROW_HEIGHT + _FOOT
