"""What the table of a comparison says of its figures, from outcomes made by hand."""

from __future__ import annotations

from PySide6.QtCore import Qt

from clcd_gui.comparison.panel import comparison_headings, comparison_rows
from clcd_gui.run.comparing import comparison_findings
from clcd_gui.widgets.figure_table import FigureModel
from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings
from engine.comparison.selectors.prediction import PredictionFigures
from engine.comparison.selectors.result import SelectionComparison, SelectionOutcome, TableFacts

METHODS = ("sfus", "cmfs", "all", "clcd-fs")
TABLE = TableFacts("songs", 100, tuple(f"f{place}" for place in range(10)), ("calm", "sad"), 1.0)
# Macro-F1: CMFS is always behind CLCD-FS, SFUS now behind it and now ahead.
GOODNESS = {"sfus": 0.6, "cmfs": 0.5, "all": 0.7, "clcd-fs": 0.6}
MACRO = 4


def outcome(method: str, split: int) -> SelectionOutcome:
    waver = 0.01 * (-1) ** split if method == "sfus" else 0.0
    goodness = GOODNESS[method] + 0.001 * split + waver
    has_own = method in ("all", "clcd-fs")
    order = tuple(range(10)) if method != "clcd-fs" else (0, 1)
    figures = PredictionFigures(1 - goodness, 1 - goodness, goodness, goodness, goodness)
    size = len(order) if has_own else 2
    return SelectionOutcome("songs", split, method, order, has_own, {}, (), 0.1, 0.1, {size: figures})


def model_of(splits: int, done: int) -> FigureModel:
    settings = SelectionComparisonSettings(splits=splits, percentages=(20,), methods=METHODS)
    outcomes = tuple(
        outcome(method, split) for method in METHODS for split in range(done if method == "cmfs" else splits)
    )
    model = FigureModel()
    findings = comparison_findings(SelectionComparison(settings, (TABLE,), METHODS, outcomes))
    model.set_figures(comparison_headings(), comparison_rows(findings))
    return model


def cells(model: FigureModel, row: int) -> list[str]:
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_significance_is_said_in_words_once_it_can_be_known() -> None:
    model = model_of(splits=10, done=10)
    names = [cells(model, row)[0].splitlines()[0] for row in range(4)]
    assert names[0] == "CLCD-FS", "the others are compared with it"
    by_name = {name: cells(model, row) for row, name in enumerate(names)}
    assert by_name["CMFS"][0] == "CMFS\n(reconstruction)"
    assert by_name["CMFS"][MACRO].endswith("\nclearly worse")
    assert by_name["SFUS"][MACRO].endswith("\nundecided")
    assert by_name["All features"][MACRO].endswith("\nclearly better")
    assert by_name["CLCD-FS"][MACRO].endswith("rank 1")
    tip = model.index(names.index("CMFS"), MACRO).data(Qt.ItemDataRole.ToolTipRole)
    assert "mean of 10 splits" in tip and "Wilcoxon" in tip and "rank 3" in tip


def test_few_splits_give_ranks_and_unfinished_methods_say_so() -> None:
    model = model_of(splits=3, done=1)
    rows = {cells(model, row)[0]: cells(model, row) for row in range(4)}
    assert rows["SFUS"][MACRO].endswith("rank 1") or rows["SFUS"][MACRO].endswith("rank 2")
    assert rows["CMFS (reconstruction)\n1 of 3 splits"][MACRO] == "0.500\nrank 3"
    assert rows["All features"][MACRO].endswith("for comparison")
    assert model.as_text([0]).splitlines()[0].startswith("Method\tFeatures\tHamming loss")
