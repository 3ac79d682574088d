"""An UpSet plot of findings: which sets of labels share how many variables.

Lex, Gehlenborg, Strobelt, Vuillemot and Pfister (2014), UpSet: visualization of intersecting sets, IEEE
Transactions on Visualization and Computer Graphics 20:1983-1992.
"""

from __future__ import annotations

from pathlib import Path

from engine.discovery.findings import Finding, Findings
from engine.reporting.analysis import Analysis
from engine.reporting.figures.chart import Chart, Series
from engine.reporting.figures.files import write_svg
from engine.reporting.figures.looks import series_look
from engine.reporting.figures.panels import SetColumn, SetPanel
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import plain_listing

MOST_SETS = 30
_MOST_NAMES = 6

_TITLE = "Which labels share variables"
_NOTE = "Above each set of labels: how many variables are linked to exactly these."
_CUT = " {more} smaller sets are not shown."
_COLUMN = "{labels}: {counted} ({names})"


def label_set_chart(findings: Findings, numbers: NumberWriter = ENGLISH) -> Chart:
    """Describe an UpSet plot of the sets of labels that variables are linked to.

    Parameters
    ----------
    findings : Findings
        Of a result.
    numbers : NumberWriter

    Returns
    -------
    Chart
        One column for each set, the largest first; labels without any variable have no row.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> label_set_chart(engine.discover(network.dataset).findings).title
    'Which labels share variables'
    """
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
                labels=plain_listing(labels),
                counted=numbers.counted(len(members), "variable"),
                names=plain_listing([each.feature for each in members], most=_MOST_NAMES),
            ),
        )
        for labels, members in shown
    )
    series = Series("variables", series_look(0))
    panels = ((SetPanel("", rows, columns, series),),) if columns else ()
    return Chart(_TITLE, panels, note=_NOTE + (_CUT.format(more=numbers.count(more)) if more else ""))


def write_label_sets(analysis: Analysis, path: Path) -> None:
    """Write the chart as an SVG file."""
    write_svg(label_set_chart(analysis.result.findings), path)
