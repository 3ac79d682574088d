"""Charts of findings: how a label goes with one variable, a forest plot of many, and which labels share.

Lex, Gehlenborg, Strobelt, Vuillemot and Pfister (2014), UpSet: visualization of intersecting sets, IEEE
Transactions on Visualization and Computer Graphics 20:1983-1992.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from engine.discovery.effects import estimates
from engine.discovery.effects.estimates import Contrast, Estimand, Measure, Size
from engine.discovery.effects.size_words import (
    ESTIMAND_WORDS,
    compared_text,
    event_text,
    interval_text,
    place_text,
)
from engine.discovery.findings import Finding, Findings
from engine.reporting.figures.chart import (
    Axis,
    Chart,
    Curve,
    CurvePanel,
    FigurePoint,
    Panel,
    RowMark,
    RowPanel,
    Series,
    SetColumn,
    SetPanel,
    around,
    in_rows,
)
from engine.reporting.figures.figure_files import CHART_WRITERS, png_bytes
from engine.reporting.figures.graph import (
    GraphContent,
    GraphFigure,
    graph_content,
    hidden_words,
    node_sizes,
    with_shown_names,
)
from engine.reporting.figures.graph_layout import lay_out, route_edges
from engine.reporting.figures.looks import series_look
from engine.reporting.sentences.links import counting_sentence
from engine.reporting.tables import DrawnFile, ExportOptions, ResultContext
from engine.translation import N_, _
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import names_listing
from engine.wording.shown_names import names_shown, shown_name, whole_name

SizeAndLeading = tuple[Size, Contrast]

MOST_FOREST_ROWS, MOST_FOREST_PANELS = 40, 12
MOST_GRAPH_FEATURES, MOST_GRAPH_LABELS = 40, 14
_PLACES = {estimand: place for place, estimand in enumerate(Estimand)}


def _series_of(estimand: Estimand) -> Series:
    place = _PLACES[estimand]
    return Series(_(ESTIMAND_WORDS[estimand]), series_look(place), is_strong=place == 0)


# Of the points of a curve, so many are enough to see its shape.
_EVERY = 2
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
_MOST_TICKS = 6

_PAIR_TITLE = N_("Association of {label} with {feature}")
_PAIR_NOTE = N_("Marks are estimates; lines and bands are 95% confidence intervals.")
_FOREST_TITLE = N_("Estimates of all findings")
_FOREST_NOTE = N_(
    "Differences in probability or mean between the levels or values that are named, with 95% confidence "
    "intervals. Each panel names the event."
)
_SCALE_TITLES = {
    Measure.RATE_DIFFERENCE: N_("difference in percentage points"),
    Measure.MEAN_DIFFERENCE: N_("difference of means"),
}
_NO_SIZES = N_("No estimates were computed.")
_FOREST_CUT = N_("{more} others are not shown.")
_MEAN_TITLE = N_("{label}, on average")
_MARK = N_("{estimand}: {name} {figure} ({low} to {high})")
_FOREST_ROW = "{feature} ({compared})"
_FOREST_MARK = "{feature}, {compared}: {target} {figure}, {estimand}"


def graph_chart(findings: Findings, places: Mapping[str, tuple[float, float]] | None = None) -> Chart:
    """Describe variables and labels as a graph: those that can be read on a page, common ones first.

    A whole graph with `places` is drawn as it is; else nodes without a place are put beside the others,
    always alike.
    """
    fixed = dict(places or {})
    content = _arranged_content(findings, fixed) or graph_content(
        findings, MOST_GRAPH_FEATURES, MOST_GRAPH_LABELS
    )
    content = with_shown_names(content)
    fixed = {shown_name(name): place for name, place in fixed.items()}
    sizes = node_sizes(content.nodes)
    positions = lay_out(content, sizes, fixed, _GRAPH_SHAPE)
    ways = route_edges(content, positions, sizes)
    panel = GraphFigure("", content, tuple(positions[node.name] for node in content.nodes), ways)
    hidden = hidden_words(content)
    return Chart(
        _(_GRAPH_TITLE),
        ((panel,),),
        legend=tuple(Series(_(name), look) for look, name in _GRAPH_LEGEND.items()),
        note=_(_GRAPH_CUT, hidden=hidden) if hidden else _(_GRAPH_NOTE),
    )


def _arranged_content(findings: Findings, places: Mapping[str, tuple[float, float]]) -> GraphContent | None:
    """Return the graph of the very variables and labels that have places; None where there is none.

    A variable may have been chosen of which none of the labels is shown, and so have no place.
    """
    labels = set(findings.labels) & places.keys()
    features = {finding.feature for finding in findings.all} & places.keys()
    if not labels or not features:
        return None
    for most in range(len(features), len(findings.all) + 1):
        content = graph_content(findings, most, len(labels))
        names = {node.name for node in content.nodes}
        if names == labels | features:
            return content
        if not names <= places.keys():
            break
    return None


_GRAPH_TITLE, _GRAPH_CUT, _GRAPH_SHAPE = (
    N_("Variables and labels as a graph"),
    N_(
        "Arrows lead from cause to effect. With a ring, an unmeasured common cause is possible "
        "instead. Arrows with an empty head hold only if no common cause is unmeasured. {hidden} "
        "not shown."
    ),
    0.7,
)
_GRAPH_NOTE = N_(
    "Arrows lead from cause to effect. With a ring, an unmeasured common cause is possible instead. "
    "Arrows with an empty head hold only if no common cause is unmeasured."
)
_GRAPH_LEGEND = {
    "label": N_("label"),
    "common": N_("common"),
    "label-specific": N_("label-specific"),
    "neighbour": N_("direct neighbour (wider is stronger)"),
    "spouse": N_("spouse"),
    "interchangeable": N_("interchangeable"),
    "label relation": N_("label to label"),
    "through labels": N_("through other labels"),
}


def pair_chart(sizes: Sequence[Size], numbers: NumberWriter = ENGLISH) -> Chart:
    """Describe how a label goes with a variable: rates or means, by level or along a curve.

    One panel stands below the other, as the chart is shown in a narrow place.
    """
    shown = [size for size in sizes if size.points]
    first = sizes[0]
    levels = list(dict.fromkeys(point.label_level for size in shown for point in size.points))
    make = _curve_panel if first.is_curve else _level_panel
    panels = [make(shown, level, numbers) for level in levels]
    return Chart(
        _(_PAIR_TITLE, label=shown_name(first.label), feature=shown_name(first.feature)),
        in_rows(panels, 1),
        legend=tuple(_series_of(size.estimand) for size in shown),
        note=_(_PAIR_NOTE),
    )


def _level_panel(sizes: Sequence[Size], level: str | None, numbers: NumberWriter) -> Panel:
    names = list(dict.fromkeys(str(point.at) for size in sizes for point in size.points))
    marks = [
        RowMark(
            _series_of(size.estimand),
            names.index(str(point.at)),
            point.estimate,
            _mark_words(size.estimand, point, numbers),
            point.low,
            point.high,
            lane,
        )
        for lane, size in enumerate(sizes)
        for point in size.points
        if point.label_level == level
    ]
    axis = _scale_of(sizes, level, numbers)
    return RowPanel(_panel_title(sizes[0].label, level), tuple(names), axis, tuple(marks), lanes=len(sizes))


def _curve_panel(sizes: Sequence[Size], level: str | None, numbers: NumberWriter) -> Panel:
    curves = []
    for size in sizes:
        points = [point for point in size.points if point.label_level == level][::_EVERY]
        places = tuple(
            FigurePoint(
                float(point.at),
                point.estimate,
                _mark_words(size.estimand, point, numbers),
                point.low,
                point.high,
            )
            for point in points
        )
        curves.append(Curve(_series_of(size.estimand), places, has_band=True))
    across = [point.x for curve in curves for point in curve.points]
    x = Axis(*around(across), title=shown_name(sizes[0].feature))
    # What matters most lies on top.
    return CurvePanel(
        _panel_title(sizes[0].label, level), x, _scale_of(sizes, level, numbers), tuple(reversed(curves))
    )


def _panel_title(label: str, level: str | None) -> str:
    return _(_MEAN_TITLE, label=shown_name(label)) if level is None else event_text(label, level)


def _mark_words(estimand: Estimand, point: estimates.Point, numbers: NumberWriter) -> str:
    def figure(value: float) -> str:
        return place_text(value, numbers) if point.label_level is None else numbers.share(value)

    return _(
        _MARK,
        estimand=_(ESTIMAND_WORDS[estimand]),
        name=place_text(point.at, numbers),
        figure=figure(point.estimate),
        low=figure(point.low),
        high=figure(point.high),
    )


def _scale_of(sizes: Sequence[Size], level: str | None, numbers: NumberWriter) -> Axis:
    """Return the scale of rates from nothing upwards, or of means around what is shown."""
    points = [point for size in sizes for point in size.points if point.label_level == level]
    ends = [end for point in points for end in (point.low, point.high)]
    if level is None:
        return Axis(*around(ends))
    high = max(ends)
    step = next((candidate for candidate in _STEPS if high / candidate < _MOST_TICKS), _STEPS[-1])
    top = min(step * math.ceil(high / step), 1.0)
    ticks = tuple((place * step, numbers.share(place * step)) for place in range(round(top / step) + 1))
    return Axis(0.0, top, ticks=ticks)


def forest_chart(sizes: Iterable[Size], numbers: NumberWriter = ENGLISH) -> Chart:
    """Describe a forest plot: the leading difference of each finding, by estimand, the largest first.

    Each label has a panel of its own, and all that tell rates have one scale; of very many labels those with
    most findings are shown, and the note says so.
    """
    by_panel: dict[tuple[str, Measure], dict[str, list[SizeAndLeading]]] = {}
    for size in sizes:
        leading = size.leading
        if leading is not None:
            of_panel = by_panel.setdefault((size.label, leading.measure), {})
            of_panel.setdefault(size.feature, []).append((size, leading))
    with_most = sorted(by_panel, key=lambda key: -len(by_panel[key]))[:MOST_FOREST_PANELS]
    shown = {key: _largest(by_feature.values()) for key, by_feature in by_panel.items() if key in with_most}
    cut = sum(map(len, by_panel.values())) - sum(map(len, shown.values()))
    scales = {measure: _difference_scale(measure, shown, numbers) for _, measure in shown}
    panels = [
        _forest_panel(label, rows, scales[measure], numbers) for (label, measure), rows in shown.items()
    ]
    if not shown:
        return Chart(_(_FOREST_TITLE), (), note=_(_NO_SIZES))
    there = {size.estimand for rows in shown.values() for of_feature in rows for size, _ in of_feature}
    return Chart(
        _(_FOREST_TITLE),
        in_rows(panels, 1),
        legend=tuple(_series_of(estimand) for estimand in Estimand if estimand in there),
        note=" ".join([_(_FOREST_NOTE), *([_(_FOREST_CUT, more=numbers.count(cut))] if cut else [])]),
    )


def _largest(of_feature: Iterable[list[SizeAndLeading]]) -> list[list[SizeAndLeading]]:
    return sorted(of_feature, key=lambda sizes_of_feature: -abs(sizes_of_feature[0][1].estimate))[
        :MOST_FOREST_ROWS
    ]


def _difference_scale(
    measure: Measure,
    shown: Mapping[tuple[str, Measure], Sequence[Sequence[SizeAndLeading]]],
    numbers: NumberWriter,
) -> Axis:
    """Return the one scale of all panels of a measure, with no difference on it."""
    pairs = [
        pair
        for (_, measure_of_panel), rows in shown.items()
        if measure_of_panel is measure
        for row in rows
        for pair in row
    ]
    low, high = around([0.0, *(end for _, leading in pairs for end in (leading.low, leading.high))])
    ticks: tuple[tuple[float, str], ...] = ()
    if measure is Measure.RATE_DIFFERENCE:
        step = next(
            (candidate for candidate in (*_STEPS, 0.5) if (high - low) / candidate < _MOST_TICKS), 1.0
        )
        places = range(math.ceil(low / step), math.floor(high / step) + 1)
        ticks = tuple((place * step, _points(place * step, numbers)) for place in places)
    return Axis(low, high, _(_SCALE_TITLES[measure]), ticks=ticks)


def _points(difference: float, numbers: NumberWriter) -> str:
    text = numbers.count(round(100.0 * abs(difference)))
    return f"+{text}" if difference > 0.0 else f"−{text}" if difference < 0.0 else text


def _forest_panel(
    label: str, ordered: Sequence[Sequence[SizeAndLeading]], scale: Axis, numbers: NumberWriter
) -> Panel:
    marks = [
        RowMark(
            _series_of(size.estimand),
            row,
            leading.estimate,
            _FOREST_MARK.format(
                feature=whole_name(size.feature),
                compared=compared_text(leading, numbers),
                target=event_text(label, leading.label_level),
                figure=interval_text(leading, numbers),
                estimand=_(ESTIMAND_WORDS[size.estimand]),
            ),
            leading.low,
            leading.high,
            lane,
        )
        for row, sizes_of_row in enumerate(ordered)
        for lane, (size, leading) in enumerate(sizes_of_row)
    ]
    names = tuple(
        _FOREST_ROW.format(
            feature=shown_name(sizes_of_row[0][0].feature),
            compared=compared_text(sizes_of_row[0][1], numbers),
        )
        for sizes_of_row in ordered
    )
    title, lanes = _panel_title(label, ordered[0][0][1].label_level), max(map(len, ordered))
    return RowPanel(title, names, scale, tuple(marks), lanes=lanes, bounds=(0.0,))


MOST_SETS = 30
_MOST_NAMES = 6

_TITLE = N_("Which labels share variables")
_NOTE = N_("Above each set of labels: the number of variables linked to exactly these.")
_CUT = N_("{more} smaller sets are not shown.")
_COLUMN = "{labels}: {counted} ({names})"


def label_set_chart(findings: Findings, numbers: NumberWriter = ENGLISH) -> Chart:
    """Describe an UpSet plot of the sets of labels that variables are linked to, the largest set first."""
    of_set: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings.all:
        of_set.setdefault(finding.labels, []).append(finding)
    ordered = sorted(of_set.items(), key=lambda entry: (-len(entry[1]), -len(entry[0])))
    shown, more = ordered[:MOST_SETS], max(len(ordered) - MOST_SETS, 0)
    used = {label for labels, _ in shown for label in labels}
    rows = tuple(label for label in findings.labels if label in used)
    columns = tuple(
        SetColumn(
            tuple(rows.index(label) for label in labels),
            len(members),
            _COLUMN.format(
                labels=names_listing(labels),
                counted=numbers.counted(len(members), "variable"),
                names=names_listing([member.feature for member in members], most=_MOST_NAMES),
            ),
        )
        for labels, members in shown
    )
    series = Series(_("variables"), series_look(0))
    panels = ((SetPanel("", tuple(map(shown_name, rows)), columns, series),),) if columns else ()
    cut = [_(_CUT, more=numbers.count(more))] if more else []
    return Chart(_(_TITLE), panels, note=" ".join([_(_NOTE), *cut]))


# Without sizes the forest plot says that there are none.
_CHARTS: Mapping[str, Callable[[Findings], Chart]] = {
    "forest-plot": lambda findings: forest_chart(findings.counted_sizes),
    "label-sets": label_set_chart,
}


def drawn_figure(name: str, ending: str) -> DrawnFile:
    """Return how a figure ("forest-plot" or "label-sets") is made as an SVG, PDF or PNG file."""

    def content(analysis: ResultContext) -> tuple[Chart, ExportOptions]:
        with names_shown(analysis.shown_names):
            chart = _CHARTS[name](analysis.result.counted_findings)
        note = f"{chart.note} {counting_sentence(analysis.result)}".strip()
        return replace(chart, note=note), analysis.options

    return DrawnFile(content, partial(_draw_figure, ending))


def _draw_figure(ending: str, content: tuple[Chart, ExportOptions], path: Path) -> None:
    chart, options = content
    if ending == ".png":
        path.write_bytes(png_bytes(chart, options.dots_per_inch, options.figure_width))
    else:
        CHART_WRITERS[ending][1](chart, path)
