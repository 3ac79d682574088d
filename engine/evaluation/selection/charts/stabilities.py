"""How stable selections are over splits, a panel a table."""

from __future__ import annotations

from engine.evaluation.drawing.chart import Chart, Drawing, Line, Mark, Panel
from engine.evaluation.selection.charts.legend import draw_name, look_of, names_width
from engine.evaluation.selection.methods import selection_methods
from engine.evaluation.selection.result import SelectionComparison
from engine.evaluation.selection.standings import ranked_methods, stability_of

_WIDTH, _GAP = 130.0, 26.0
_ROW_HEIGHT, _HEAD, _FOOT = 20.0, 24.0, 30.0
_PANELS_A_ROW = 4
_TICKS = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))


def stability_chart(result: SelectionComparison) -> Chart:
    """Draw the stability of Nogueira, Sechidis and Brown (2018): 1 is always the same features, 0 chance."""
    drawing = Drawing()
    methods = ranked_methods(result)
    height, names = _ROW_HEIGHT * len(methods), names_width(methods)
    for place, table in enumerate(result.tables):
        left = names + (place % _PANELS_A_ROW) * (_WIDTH + _GAP)
        top = _HEAD + (place // _PANELS_A_ROW) * (_HEAD + height + _FOOT)
        panel = Panel(left, top, _WIDTH, height, 0.0, 1.0)
        drawing.text(left, top - 10.0, table.name, look="strong")
        panel.draw_frame(drawing, _TICKS, len(methods))
        for row, method in enumerate(methods):
            y = top + (row + 0.5) * _ROW_HEIGHT
            if place % _PANELS_A_ROW == 0:
                draw_name(drawing, left, y, method)
            stability = stability_of(result, table.name, method)
            if stability is not None:
                words = f"{selection_methods()[method].title}, {table.name}: {stability:.3f}"
                drawing.lines.append(Line(left, y, panel.x(stability), y, look_of(method)))
                drawing.marks.append(Mark(panel.x(stability), y, look_of(method), words))
    columns = min(len(result.tables), _PANELS_A_ROW)
    rows = -(-len(result.tables) // _PANELS_A_ROW)
    width = names + columns * (_WIDTH + _GAP)
    return drawing.chart("Stability of selections over splits", width, rows * (_HEAD + height + _FOOT))
