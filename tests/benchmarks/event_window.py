"""Directions of two-valued labels and features, read from the window, in sixty ways to write them.

Run by hand, from the project's folder, without a screen::

    QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.event_window --seeds 0 1

The files are those of `tests.benchmarks.event_variants`; besides, each label has a feature of its own, which
is written as the label is. A window opens each file and searches it. Then every view is read as a person or a
screen reader does: cells, tooltips, copied rows, marks of charts, pages. Each line that tells a direction of
association must be understood, be true in the table, and name the event.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication, QTextDocument, QTextTable
from PySide6.QtWidgets import QApplication, QWidget

from clcd_gui.app import make_application, make_window
from clcd_gui.data.columns_model import Field
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.evidence.panel import PLACE
from clcd_gui.plots.graph_items import EdgeItem, NodeItem
from clcd_gui.run.table_reading import TablePreview
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import Dialogs, Unsaved
from clcd_gui.widgets.findings_panel import FindingsPanel
from clcd_gui.wording.text import BREAK, NO_BREAK
from tests.benchmarks.event_variants import (
    EXPOSURE,
    HABIT,
    LABEL,
    MOST_LABELS,
    NOISE,
    NUMBER,
    VARIANTS,
    Variant,
    table_of,
    written,
)
from tests.event_claims import ClaimReader, EventClaim

Wait = Callable[[Callable[[], bool]], None]
Pair = tuple[str, str]
MOST_ASKED = 12
ROWS = 600

VIEWS_WITH_DIRECTIONS = (
    "overview",
    "common table",
    "tooltips of the common table",
    "copied rows",
    "label-specific table",
    "panel",
    "picture in the panel",
    "forest plot",
    "report",
)
VIEWS_WITH_EVENTS = ("import page", "list of columns", "page of a column", "report: labels")


@dataclass(frozen=True)
class Line:
    """A line of a view.

    Attributes
    ----------
    view : str
        Where it stands.
    text : str
        What it says.
    pair : (str, str), optional
        Feature and label that the view says it is about, where it does not stand in the line.
    """

    view: str
    text: str
    pair: Pair | None = None


@dataclass
class Seen:
    """What is seen in a window.

    Attributes
    ----------
    lines : list of Line
        All that may tell a direction of association.
    events : dict of (str, str) to str
        Which level is shown as the event, by view and column; empty where it is asked for.
    """

    lines: list[Line] = field(default_factory=list)
    events: dict[tuple[str, str], str] = field(default_factory=dict)


@dataclass
class Verdict:
    """What was read about some variants.

    Attributes
    ----------
    claims : Counter of str
        Directions by view.
    wrong : list of str
        Directions and events that are not those of the table, views that say nothing of a label, and lines
        that were not understood.
    asked_about : set of str
        Labels whose event the window asks for.
    """

    claims: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    asked_about: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Drawn:
    """A table with what is true in it.

    Attributes
    ----------
    path : Path
        Its file.
    labels : dict of str to Variant
        How each label is written; its habit is written likewise.
    """

    path: Path
    labels: Mapping[str, Variant]

    @property
    def variants(self) -> dict[str, Variant]:
        """How each column is written."""
        habits = {habit_of(label): variant for label, variant in self.labels.items()}
        return {EXPOSURE: Variant("exposed", "unexposed"), **habits, **self.labels}

    @property
    def reader(self) -> ClaimReader:
        """Reads claims about its columns."""
        of_labels = {label: variant.told for label, variant in self.labels.items()}
        others = {name: variant.told for name, variant in self.variants.items() if name not in of_labels}
        return ClaimReader(of_labels, {NUMBER: ("", ""), NOISE: ("", ""), **others})


def habit_of(label: str) -> str:
    """Return the feature that is linked to one label alone."""
    return label.replace(LABEL, HABIT)


def drawn(variants: Sequence[Variant], seed: int, folder: Path) -> Drawn:
    """Write a table into a file."""
    frame, labels = table_of(variants, seed, ROWS, has_habits=True)
    ways = {**labels, **{habit_of(label): variant for label, variant in labels.items()}}
    return Drawn(written(frame, ways, folder, variants[0].file), labels)


def batches(variants: Sequence[Variant]) -> Iterator[list[Variant]]:
    """Yield variants that go into one table."""
    for file in dict.fromkeys(variant.file for variant in variants):
        of_file = [variant for variant in variants if variant.file == file]
        for start in range(0, len(of_file), MOST_LABELS):
            yield of_file[start : start + MOST_LABELS]


def seen_in(window: MainWindow, table: Drawn, wait: Wait) -> Seen:
    """Open a table in a window, search it and read all views."""
    seen = Seen()
    _open(window, table, wait)
    _read_import_page(window, table, wait, seen)
    document, controller = window.session.document, window.session.controller
    document.set_labels(list(table.labels))
    _read_data_page(window, table, wait, seen)
    finished: list[bool] = []
    window.session.running.finished.connect(lambda *_: finished.append(True))
    window.page("data").primary.click()
    page = window.page("results")
    wait(lambda: bool(finished) and page.is_filled)
    wait(lambda: document.result.effects is not None and not controller.sizes.is_busy)
    _read_results(window, wait, seen)
    _read_report(window, table, wait, seen)
    return seen


def _open(window: MainWindow, table: Drawn, wait: Wait) -> None:
    opening = window.session.opening
    opened: list[bool] = []
    previewed: list[TablePreview] = []
    opening.opened.connect(lambda *_: opened.append(True))
    opening.previewed.connect(previewed.append)
    window.open_path(table.path)
    wait(lambda: bool(opened or previewed))
    if not opened:
        window.import_page.primary.click()
        wait(lambda: bool(opened))


def _read_import_page(window: MainWindow, table: Drawn, wait: Wait, seen: Seen) -> None:
    """Look at how the open file was read."""
    page = window.import_page
    window.page("data").reading.change.click()
    wait(lambda: window.session.opening.preview is not None and window.pages.currentWidget() is page)
    for name, variant in table.variants.items():
        heading = page.model.headerData(page.model.column_of(name), Qt.Orientation.Horizontal)
        told = heading.partition("event ")[2]
        seen.events["import page", name] = told if told in variant.told else ""
    page.cancel.click()
    wait(lambda: window.session.opening.preview is None)
    window.go("data")


def _read_data_page(window: MainWindow, table: Drawn, wait: Wait, seen: Seen) -> None:
    data = window.page("data")
    model = data.columns_model
    for row in range(model.rowCount()):
        name, values = (str(model.index(row, column).data()) for column in (Field.NAME, Field.VALUES))
        if name not in table.variants:
            continue
        told = table.variants[name].told
        event = next((level for level in told if values.startswith(f"event {level}, ")), "")
        seen.events["list of columns", name] = event
        data.open_column(name)
        wait(lambda name=name: data.column.name == name and data.column.event_row.isVisible())
        text = data.column.event_row.box.currentText()
        seen.events["page of a column", name] = text if text in told else ""
    data.tabs.setCurrentIndex(0)


def _read_results(window: MainWindow, wait: Wait, seen: Seen) -> None:
    page, result = window.page("results"), window.session.document.result
    seen.lines += [Line("overview", line) for line in page.overview.toPlainText().splitlines()]
    for panel, name in ((page.common, "common table"), (page.label_specific, "label-specific table")):
        page.tabs.setCurrentWidget(panel)
        _read_table(panel, name, seen)
    page.tabs.setCurrentWidget(page.grid)
    grid = page.grid.grid
    spoken = [grid.spoken_name(index) for index in range(grid.spoken_count())]
    tips = [
        grid.describe(row, column)
        for row in range(-1, grid.grid.row_count)
        for column in range(-1, grid.grid.column_count)
    ]
    seen.lines += [Line("grid", text.replace("\n", " | ")) for text in (*spoken, *tips)]
    page.tabs.setCurrentWidget(page.graph)
    wait(lambda: bool(page.graph.view.graph.nodes))
    items = [
        graphics_item
        for graphics_item in page.graph.view.scene().items()
        if isinstance(graphics_item, NodeItem | EdgeItem)
    ]
    seen.lines += [Line("graph", graphics_item.toolTip().replace("\n", " | ")) for graphics_item in items]
    page.tabs.setCurrentWidget(page.charts)
    forest = page.charts.forest.view
    wait(lambda: forest.is_drawn)
    seen.lines += [Line("forest plot", spot.words) for spot in forest.canvas.spots()]
    for panel in forest.chart.panels:
        seen.lines += [
            Line("forest plot", f"{mark.words.split(': ')[0]}: {panel.title} {mark.value:+.9f} as drawn")
            for mark in panel.marks
            # Of a range, no change is drawn where one end is that.
            if mark.value != 0.0
        ]
    browser = window.why.browser
    for pair in result.evidence:
        page.show_pair(SelectedPair(*pair))
        wait(lambda pair=pair: pair[1] in browser.toPlainText() and pair[0] in browser.toPlainText())
        seen.lines += [Line("panel", line, pair) for line in browser.toPlainText().splitlines()]
        seen.lines += [Line("panel", share, pair) for share in _shares(_rows_of(browser.document()), pair)]
        if not browser.chart.isHidden():
            wait(lambda: browser.chart.is_drawn)
            panels = zip(browser.chart.chart.panels, browser.chart.canvas.plots, strict=True)
            seen.lines += [
                Line("picture in the panel", end, pair)
                for panel, painter in panels
                for end in _ends_of(panel.title, painter.words, pair[0])
            ]


def _read_table(panel: FindingsPanel, name: str, seen: Seen) -> None:
    model, table = panel.table.model(), panel.table
    heads = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    for row in range(model.rowCount()):
        cells = dict(
            zip(heads, (model.index(row, column) for column in range(model.columnCount())), strict=True)
        )
        feature = str(cells["Variable"].data())
        labels = str(cells["Linked to"].data()).split(", ")
        _read_cells(name, feature, labels, str(cells["Sign"].data()), str(cells["Estimate"].data()), seen)
        for cell in cells.values():
            tip = str(cell.data(Qt.ItemDataRole.ToolTipRole) or "")
            seen.lines += [
                Line(f"tooltips of the {name}", f"{feature} | {line}") for line in tip.splitlines()
            ]
    table.selectAll()
    table.copy()
    for line in QGuiApplication.clipboard().text().splitlines()[1:]:
        cells = dict(zip(heads, line.split("\t"), strict=True))
        labels = cells["Linked to"].split(", ")
        _read_cells("copied rows", cells["Variable"], labels, cells["Sign"], cells["Estimate"], seen)


def _read_cells(view: str, feature: str, labels: Sequence[str], signs: str, sizes: str, seen: Seen) -> None:
    """Read the cells of one row that hold what is told of each label."""
    of_labels = signs.split("; ")
    if len(of_labels) == 1:
        of_labels *= len(labels)
    amounts = [sizes] if len(labels) == 1 else sizes.split("; ")
    for label, sign, amount in zip(labels, of_labels, amounts, strict=True):
        seen.lines.append(Line(view, sign, (feature, label)))
        # In brackets or in words, it shows only when adjusted, and the size is not.
        if not sign.startswith("(") and not sign.endswith("(only when adjusted)"):
            seen.lines.append(Line(view, f"{sign}, {amount}", (feature, label)))


def _rows_of(document: QTextDocument) -> Iterator[list[str]]:
    """Yield the rows of the tables of a page."""
    for frame in document.rootFrame().childFrames():
        if not isinstance(frame, QTextTable):
            continue
        for row in range(frame.rows()):
            cells = [frame.cellAt(row, column) for column in range(frame.columns())]
            yield [
                " ".join(
                    block.text()
                    for block in _blocks(document, cell.firstPosition(), cell.lastPosition())
                    if block.text()
                )
                for cell in cells
            ]


def _blocks(document: QTextDocument, first: int, last: int) -> Iterator:
    block = document.findBlock(first)
    while block.isValid() and block.position() <= last:
        yield block
        block = block.next()


def _shares(rows: Iterator[list[str]], pair: Pair) -> Iterator[str]:
    """Compare how often a level of the label occurs at each of two levels of the feature."""
    counted: list[tuple[str, float]] = []
    level = ""
    for row in rows:
        if len(row) == 3 and row[2].startswith("of these "):
            level = row[2].removeprefix("of these ")
        elif level and len(row) == 3 and row[1].isdigit() and row[2].isdigit():
            counted.append((row[0], int(row[2]) / int(row[1])))
    if level and len(counted) == 2:
        (first, share), (second, other_share) = counted
        way = "more" if other_share > share else "less"
        yield f"{pair[1]} = {level} is {way} likely with {pair[0]} = {second} than with {pair[0]} = {first}"


def _ends_of(title: str, words: Sequence[str], feature: str) -> Iterator[str]:
    """Compare the first and the last mark of each series of a picture."""
    series: dict[str, list[tuple[str, float]]] = {}
    for match in filter(None, map(_MARK.match, words)):
        series.setdefault(match["series"], []).append((match["at"], float(match["share"])))
    for marks in series.values():
        if all(_is_number(at) for at, _ in marks):
            marks.sort(key=lambda place_and_share: float(place_and_share[0]))
        (first, share), *_, (last, other_share) = marks
        way = "more" if other_share > share else "less"
        yield f"{title} is {way} likely at {feature} = {last} than at {first}"


_MARK = re.compile(r"(?P<series>[a-z ]+): (?P<at>.+) (?P<share>[\d.]+) %")


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?[\d.]+", text) is not None


def _read_report(window: MainWindow, table: Drawn, wait: Wait, seen: Seen) -> None:
    window.go("report")
    report = window.page("report")
    wait(lambda: not window.session.controller.preview.is_busy and not report.preview._turn.is_waiting)
    document = report.preview.document()
    feature, heads, in_cells = "", [], set()
    for row in _rows_of(document):
        in_cells.update(row)
        heads = heads if row[0] in table.labels else row
        if heads[:2] == ["Label", "Event"] and heads is not row:
            seen.events["report: labels", row[0]] = "" if row[1] == "not known" else row[1]
        feature = row[0] or feature
        seen.lines.append(Line("report", " | ".join([feature, *row[1:]])))
    text = report.preview.toPlainText().splitlines()
    seen.lines += [Line("report", line) for line in text if line not in in_cells]


def judged(seen: Seen, table: Drawn) -> Verdict:
    """Compare what is seen with what is true in the table."""
    verdict, reader = Verdict(), table.reader
    told: set[tuple[str, Pair]] = set()
    texts: dict[str, list[str]] = {}
    for line in seen.lines:
        text = line.text.replace(BREAK, "").replace(NO_BREAK, " ").replace(PLACE, "")
        if line.pair is None:
            texts.setdefault(line.view, []).append(text)
            continue
        claims = list(reader.about(*line.pair, text))
        if not claims and ClaimReader.is_a_claim(text) and _is_known(line.pair, table):
            verdict.wrong.append(f"{line.view}: not understood: {line.pair} {text}")
        _judge(line.view, claims, table, verdict, told)
    for view, lines in texts.items():
        claims = reader.claims("\n".join(lines))
        _judge(view, claims, table, verdict, told)
        understood = {claim.text for claim in claims}
        verdict.wrong += [
            f"{view}: not understood: {line}"
            for line in map(str.strip, lines)
            if ClaimReader.is_a_claim(line) and NOISE not in line and line not in understood
        ]
    verdict.wrong += [
        f"{view}: nothing is said of {label} {variant.told}"
        for view in VIEWS_WITH_DIRECTIONS
        for label, variant in table.labels.items()
        if not any(place == view and pair[1] == label for place, pair in told)
        # By chance, a habit may be linked to another label as well.
        if view != "label-specific table" or ("common table", (habit_of(label), label)) not in told
    ]
    _judge_events(seen, table, verdict)
    return verdict


def _is_known(pair: Pair, table: Drawn) -> bool:
    """Whether the direction of a pair is known: a habit raises its own label alone."""
    feature, label = pair
    return label in table.labels and feature in (NUMBER, EXPOSURE, habit_of(label))


def _judge(
    view: str, claims: Sequence[EventClaim], table: Drawn, verdict: Verdict, told: set[tuple[str, Pair]]
) -> None:
    for claim in claims:
        if not _is_known((claim.feature, claim.label), table):
            continue
        verdict.claims[view] += 1
        told.add((view, (claim.feature, claim.label)))
        of_label, of_feature = table.labels[claim.label], table.variants.get(claim.feature)
        is_event = claim.level == of_label.told[0]
        is_at_event = not claim.at or of_feature is None or claim.at == of_feature.told[0]
        where = f"{view}: {of_label.told} {claim}"
        if claim.is_more is not (is_event is is_at_event):
            verdict.wrong.append(f"the opposite of the data, {where}")
        if not is_event and not of_label.may_be_asked:
            verdict.wrong.append(f"not of the label's event, {where}")
        if not is_at_event and of_feature is not None and not of_feature.may_be_asked:
            verdict.wrong.append(f"not of the feature's event, {where}")


def _judge_events(seen: Seen, table: Drawn, verdict: Verdict) -> None:
    for (view, column), event in seen.events.items():
        variant = table.variants[column]
        if event and event != variant.told[0] and not variant.may_be_asked:
            verdict.wrong.append(f"{view}: the event of {column} is {variant.told[0]}, not {event}")
        if not event and not variant.may_be_asked:
            verdict.wrong.append(f"{view}: asks for the event of {column} {variant.told}")
        if not event and column in table.labels:
            verdict.asked_about.add(column)
        if event != seen.events["list of columns", column]:
            verdict.wrong.append(f"{view}: another event of {column} than in the list of columns: {event}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read all variants in a window and print what is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    seeds = parser.parse_args(arguments).seeds
    application = make_application(sys.argv[:1])
    failed = False
    for seed in seeds:
        verdicts = [
            _verdict_of_a_window(application, variants, seed + place)
            for place, variants in enumerate(batches(VARIANTS))
        ]
        claims = sum((verdict.claims for verdict in verdicts), Counter())
        wrong = [text for verdict in verdicts for text in verdict.wrong]
        asked_about = sum(len(verdict.asked_about) for verdict in verdicts)
        print(f"seed {seed}: {len(VARIANTS)} variants, {dict(claims)}")
        print(f"  wrong: {len(wrong)}; asked about: {asked_about}")
        print(*(f"  {fault}" for fault in wrong[:40]), sep="\n", flush=True)
        failed |= bool(wrong) or asked_about > MOST_ASKED
    return int(failed)


class _DiscardingDialogs(Dialogs):
    def ask_about_unsaved(self, parent: QWidget | None, name: str) -> Unsaved:
        return Unsaved.DISCARD


def _verdict_of_a_window(application: QApplication, variants: Sequence[Variant], seed: int) -> Verdict:
    def wait(is_so: Callable[[], bool]) -> None:
        ends = time.monotonic() + 240.0
        while not is_so():
            application.processEvents()
            time.sleep(0.005)
            if time.monotonic() > ends:
                raise TimeoutError

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        habits = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        window = make_window(application, habits, _DiscardingDialogs())
        window.resize(1440, 900)
        window.show()
        table = drawn(variants, seed, folder)
        verdict = judged(seen_in(window, table, wait), table)
        window.close()
        window.deleteLater()
        application.processEvents()
    return verdict


if __name__ == "__main__":
    sys.exit(main())
