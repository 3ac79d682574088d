"""How stable selections are over splits, a panel a table."""

from __future__ import annotations

from engine.evaluation.drawing.chart import Chart, Drawing, Line, Mark, Panel
from engine.evaluation.selection.charts.legend import look_of
from engine.evaluation.selection.methods import CLCD_FS, selection_methods
from engine.evaluation.selection.result import SelectionComparison
from engine.evaluation.selection.standings import ranked_methods, stability_of

_NAMES, _WIDTH, _GAP = 160.0, 130.0, 26.0
_ROW_HEIGHT, _HEAD, _FOOT = 20.0, 24.0, 30.0
_PANELS_A_ROW = 4
_TICKS = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))


def stability_chart(result: SelectionComparison) -> Chart:
    """Draw the stability of Nogueira, Sechidis and Brown (2018): 1 is always the same features, 0 chance."""
    drawing = Drawing()
    methods = ranked_methods(result)
    height = _ROW_HEIGHT * len(methods)
    for place, table in enumerate(result.tables):
        left = _NAMES + (place % _PANELS_A_ROW) * (_WIDTH + _GAP)
        top = _HEAD + (place // _PANELS_A_ROW) * (_HEAD + height + _FOOT)
        panel = Panel(left, top, _WIDTH, height, 0.0, 1.0)
        drawing.text(left, top - 10.0, table.name, look="strong")
        panel.draw_frame(drawing, _TICKS, len(methods))
        for row, method in enumerate(methods):
            y = top + (row + 0.5) * _ROW_HEIGHT
            title = selection_methods()[method].title
            if place % _PANELS_A_ROW == 0:
                drawing.text(left - 8.0, y, title, "end", "strong" if method == CLCD_FS else "ink")
            stability = stability_of(result, table.name, method)
            if stability is not None:
                words = f"{title}, {table.name}: {stability:.3f}"
                drawing.lines.append(Line(left, y, panel.x(stability), y, look_of(method)))
                drawing.marks.append(Mark(panel.x(stability), y, look_of(method), words))
    columns = min(len(result.tables), _PANELS_A_ROW)
    rows = -(-len(result.tables) // _PANELS_A_ROW)
    width = _NAMES + columns * (_WIDTH + _GAP)
    return drawing.chart("Stability of selections over splits", width, rows * (_HEAD + height + _FOOT))
