"""A clinician, a sociologist and a biologist do twelve tasks each, by clicks and keys alone.

One person in a small window is the short form. By hand, all on a real screen, with the pictures of a person's
tasks on one sheet in FOLDER::

    PICTURES=FOLDER QT_QPA_PLATFORM=xcb xvfb-run -a -s '-screen 0 1600x1000x24' \\
        bash -c 'openbox & python -m pytest --long tests/gui/test_three_people.py; kill $!'
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas
import pyreadstat
import pytest
from pypdf import PdfReader
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from clcd_gui.run.running import SelectingState
from clcd_gui.shell.main_window import MainWindow
from engine.discovery.result import DiscoveryResult
from tests.gui.conftest import AnsweringDialogs
from tests.gui.test_journey import click
from tests.gui.test_journeys import (
    CONTROL,
    LEFT,
    activate,
    find,
    give_report,
    go,
    run,
    show_tab,
    write_over,
)
from tests.gui.test_knowledge import type_into
from tests.gui.test_preferred import prefer
from tests.gui.test_selection_export import ask, write
from tests.gui.test_window import nothing_is_clipped

pytestmark = pytest.mark.searches_anew

_PICTURES = os.environ.get("PICTURES")


@dataclass(frozen=True)
class Person:
    """Who works with what, and what is true of it.

    Attributes
    ----------
    write : callable
        Writes the person's file into a folder.
    labels : tuple of str
        Columns that become labels.
    repair : str
        What stands on the button that puts a wrong guess right.
    repaired : tuple of str and int
        A column, and how many values it misses then.
    event : tuple of str and str, optional
        A label whose event only the person knows, and that event.
    earliest : str
        Variables of the first tier, as typed.
    copies : tuple of str and str
        Two columns that tell the same: a cause of the first two labels.
    """

    write: Callable[[Path], Path]
    labels: tuple[str, ...]
    repair: str
    repaired: tuple[str, int]
    event: tuple[str, str] | None
    earliest: str
    copies: tuple[str, str]


def _yes_no(generator: np.random.Generator, score: np.ndarray) -> np.ndarray:
    return generator.random(len(score)) < 1 / (1 + np.exp(-score))


def _patients(folder: Path) -> Path:
    """Write a file of SPSS as a registry gives it: 1 = yes and 2 = no, -9 for what was not measured."""
    generator = np.random.default_rng(11)
    rows = 418
    age, bilirubin = generator.normal(51, 10, rows).round(), generator.lognormal(0.6, 0.9, rows)
    stage = np.clip(np.round(2.5 + 0.8 * np.log(bilirubin) / 2 + generator.normal(size=rows) * 0.8), 1, 4)
    albumin = 3.5 - 0.25 * (stage - 2.5) + 0.3 * generator.normal(size=rows)
    ascites = _yes_no(generator, -3.0 + 1.8 * np.log(bilirubin) - 2.0 * (albumin - 3.5))
    death = _yes_no(generator, -1.5 + 1.4 * np.log(bilirubin) + 0.07 * (age - 51))
    cholesterol = generator.normal(340, 60, rows).round()
    cholesterol[generator.choice(rows, 31, replace=False)] = -9
    frame = pandas.DataFrame(
        {
            "patnr": np.arange(1, rows + 1),
            "age": age,
            "sex": generator.choice([1, 2], rows, p=[0.12, 0.88]),
            "trt": generator.choice([1, 2], rows),
            "bili": bilirubin.round(1),
            "bili_umol": (bilirubin.round(1) * 17.1).round(2),
            "albumin": albumin.round(2),
            "chol": cholesterol,
            "stage": stage,
            "ascites": np.where(ascites, 1, 2),
            "death": np.where(death, 1, 2),
        }
    )
    words = {
        "sex": {1: "male", 2: "female"},
        "trt": {1: "D-penicillamine", 2: "placebo"},
        "death": {1: "yes", 2: "no"},
    }
    titles = {
        "patnr": "Patient number",
        "age": "Age (years)",
        "bili": "Bilirubin (mg/dl)",
        "bili_umol": "Bilirubin (µmol/l)",
        "chol": "Cholesterol (mg/dl)",
        "ascites": "Ascites at entry",
        "death": "Death during follow-up",
    }
    path = folder / "liver.sav"
    pyreadstat.write_sav(
        frame, str(path), variable_value_labels=words, column_labels=[titles.get(name) for name in frame]
    )
    return path


def _survey(folder: Path) -> Path:
    """Write a survey in German: 150 columns, decimal commas, 99 for no answer, and a weight."""
    generator = np.random.default_rng(12)
    rows = 2000
    general = generator.normal(size=(rows, 12))
    columns: dict[str, np.ndarray] = {"Gewicht": generator.lognormal(0, 0.3, rows).round(3)}
    columns["Alter"] = generator.integers(18, 90, rows)
    columns["Bildungsjahre"] = np.clip(np.round(12 + 2.5 * generator.normal(size=rows)), 8, 20)
    income = np.exp(7.4 + 0.06 * (columns["Bildungsjahre"] - 12) + 0.4 * generator.normal(size=rows))
    columns["Einkommen"], columns["Einkommen_TEUR"] = income.round(), (income.round() / 1000).round(3)
    words = np.array(
        ["stimme gar nicht zu", "stimme eher nicht zu", "teils/teils", "stimme eher zu", "stimme zu"]
    )
    for number in range(142):
        answer = 0.6 * general[:, number % 12] + generator.normal(size=rows)
        columns[f"F{number + 1:03}"] = words[np.digitize(answer, [-1.2, -0.4, 0.4, 1.2])]
    age = (columns["Alter"] - 54) / 20
    hours = np.clip(np.round(38 + 6 * generator.normal(size=rows)), 5, 70)
    hours[generator.choice(rows, 140, replace=False)] = 99
    columns["Stunden"] = hours
    lived = 0.9 * (np.log(income) - 7.4) / 0.4
    columns["Vertrauen"] = np.where(_yes_no(generator, lived + 0.6 * age), "ja", "nein")
    columns["Wahl"] = np.where(_yes_no(generator, lived - 0.8 * general[:, 0]), "ja", "nein")
    path = folder / "umfrage.csv"
    pandas.DataFrame(columns).to_csv(path, sep=";", decimal=",", index=False, encoding="cp1252")
    return path


def _genes(folder: Path) -> Path:
    """Write a table of expression: 90 samples, 8000 genes, and four phenotypes."""
    generator = np.random.default_rng(13)
    rows = 90
    genes = generator.normal(8, 1.5, size=(rows, 8000))
    genes[:, 1] = genes[:, 0] + 1.0
    score = (genes[:, 0] - 8) / 1.5
    phenotypes = {
        name: np.where(_yes_no(generator, 3.0 * score + generator.normal(size=rows) * 0.3), "yes", "no")
        for name in ("relapse", "metastasis")
    }
    phenotypes["grade3"] = np.where(_yes_no(generator, 2.6 * (genes[:, 5] - 8) / 1.5), "yes", "no")
    phenotypes["er_positive"] = np.where(_yes_no(generator, 2.6 * (genes[:, 9] - 8) / 1.5), "yes", "no")
    frame = pandas.DataFrame(genes.round(4), columns=[f"G{number:04}" for number in range(8000)])
    frame.insert(0, "sample", [f"S{number:03}" for number in range(rows)])
    path = folder / "expression.tsv"
    frame.assign(**phenotypes).to_csv(path, sep="\t", index=False)
    return path


CLINICIAN = Person(
    _patients,
    labels=("ascites", "death"),
    repair="Read -9 as missing in “chol”",
    repaired=("chol", 31),
    event=("ascites", "1"),
    earliest="age, sex",
    copies=("bili", "bili_umol"),
)
SOCIOLOGIST = Person(
    _survey,
    labels=("Vertrauen", "Wahl"),
    repair="Read 99 as missing in “Stunden”",
    repaired=("Stunden", 140),
    event=None,
    earliest="Alter, Bildungsjahre",
    copies=("Einkommen", "Einkommen_TEUR"),
)
BIOLOGIST = Person(
    _genes,
    labels=("relapse", "metastasis", "grade3", "er_positive"),
    repair="",
    repaired=("G0000", 0),
    event=None,
    earliest="G0*",
    copies=("G0000", "G0001"),
)


class Sitting:
    """A person at the window: does one task after the other, and takes a picture after each."""

    def __init__(
        self, person: Person, window: MainWindow, dialogs: AnsweringDialogs, folder: Path, qtbot
    ) -> None:
        self.person, self.window, self.dialogs = person, window, dialogs
        self.folder, self.qtbot = folder, qtbot
        self.document = window.session.document
        self.data, self.results = window.page("data"), window.page("results")
        self.pictures: list[QImage] = []

    def look(self) -> None:
        """See that nothing is cut, and take a picture."""
        task = TASKS[len(self.pictures)].__name__
        self.qtbot.waitUntil(lambda: nothing_is_clipped(self.window, task) is None)
        self.pictures.append(self.window.grab().toImage())

    def press(self, parent: QWidget, text: str) -> None:
        """Press the button of a text, once it is there."""

        def buttons() -> list[QPushButton]:
            shown = filter(QPushButton.isVisible, parent.findChildren(QPushButton))
            return [button for button in shown if button.text() == text]

        self.qtbot.waitUntil(lambda: bool(buttons()), timeout=20_000)
        QTest.mouseClick(buttons()[0], LEFT)

    def open(self) -> None:
        self.dialogs.table = self.person.write(self.folder)
        opening = self.window.session.opening
        shown = opening.previewed if self.person.repair else opening.opened
        with self.qtbot.waitSignal(shown, timeout=120_000):
            click(self.window.start_page.primary)

    def repair(self) -> None:
        if self.person.repair:
            page, opening = self.window.import_page, self.window.session.opening
            with self.qtbot.waitSignal(opening.previewed, timeout=60_000):
                self.press(page, self.person.repair)
            with self.qtbot.waitSignal(opening.opened, timeout=120_000):
                click(page.primary)
        column, missing = self.person.repaired
        assert self.document.analysis.dataset.missing_count(column) == missing

    def labels_and_events(self) -> None:
        for name in self.person.labels:
            QTest.keyClick(find(self.window, name), Qt.Key.Key_L)
        assert set(self.document.analysis.dataset.labels) == set(self.person.labels)
        if self.person.event is not None:
            label, event = self.person.event
            QTest.mouseClick(self.data.check_notice.findChild(QPushButton), LEFT)
            self.press(self.data.checks, event)
            assert self.document.analysis.dataset.variable(label).event == event

    def run(self) -> None:
        run(self.window, self.qtbot)
        linked = self.document.result.total_label_sets
        served = {label for copy in self.person.copies for label in linked.get(copy, ())}
        assert served == set(self.person.labels[:2])

    def run_again(self, is_wanted: Callable[[DiscoveryResult], bool]) -> None:
        """Run with other settings; where results follow each change, they may be there before."""
        QTest.keyClick(self.window, Qt.Key.Key_R, CONTROL)

        def is_there() -> bool:
            result = self.document.result
            return result is not None and is_wanted(result) and self.document.stale_reason is None

        self.qtbot.waitUntil(is_there, timeout=300_000)
        go(self.window, "results")
        self.qtbot.waitUntil(lambda: self.results.is_filled, timeout=60_000)

    def read(self) -> None:
        show_tab(self.results.tabs, self.results.common)
        self.qtbot.waitUntil(lambda: self.results.is_filled)
        table = self.results.common.table
        place = table.visualRect(table.model().index(0, 0)).center()
        QTest.mouseClick(table.viewport(), LEFT, pos=place)
        self.qtbot.waitUntil(self.window.why.isVisible)

    def change_alpha(self) -> None:
        go(self.window, "method")
        line = self.window.page("method").search.editor("alpha")
        write_over(line, "0.05")
        QTest.keyClick(line, Qt.Key.Key_Return)
        self.run_again(lambda result: result.settings.alpha == 0.05)

    def knowledge(self) -> None:
        go(self.window, "data")
        show_tab(self.data.tabs, self.data.knowledge)
        type_into(self.data.knowledge.patterns[1], self.person.earliest)
        type_into(self.data.knowledge.patterns[2], ", ".join(self.person.labels))
        self.run_again(lambda result: result.knowledge is not None)

    def compare_runs(self) -> None:
        go(self.window, "runs")
        view = self.window.page("runs").comparison
        self.qtbot.waitUntil(lambda: view.is_filled)
        assert len(self.document.history.runs) > 1

    def choose_equivalent(self) -> None:
        go(self.window, "results")
        show_tab(self.results.tabs, self.results.common)
        self.qtbot.waitUntil(lambda: self.results.is_filled)
        boundaries = self.document.result.boundaries.values()
        (inside,) = {name for boundary in boundaries for name in boundary.members} & set(self.person.copies)
        (outside,) = set(self.person.copies) - {inside}
        prefer(self.results.common.table, inside, outside)

    def select(self) -> None:
        go(self.window, "selection")
        selecting = self.window.session.selecting
        self.qtbot.waitUntil(lambda: selecting.state is SelectingState.DONE, timeout=300_000)
        assert write(self.window, self.qtbot, ask(self.window, self.folder / "selected"))
        activate(self.window, self.qtbot)

    def report(self) -> None:
        (pdf,) = give_report(self.window, self.qtbot, self.folder / "report", {"report-pdf"})
        text = " ".join(page.extract_text() for page in PdfReader(pdf).pages)
        assert self.person.labels[0] in text
        activate(self.window, self.qtbot)

    def project(self) -> None:
        before = self.document.result.total_label_sets
        self.dialogs.project = self.dialogs.table = self.folder / "study.clcd"
        with self.qtbot.waitSignal(self.window.session.saving.saved, timeout=120_000):
            QTest.keyClick(self.window, Qt.Key.Key_S, CONTROL)
        QTest.keyClick(self.window, Qt.Key.Key_W, CONTROL)
        with self.qtbot.waitSignal(self.window.session.opening.opened, timeout=120_000):
            click(self.window.start_page.primary)
        self.qtbot.waitUntil(lambda: self.results.is_filled, timeout=60_000)
        assert self.document.result.total_label_sets == before


TASKS = (
    Sitting.open,
    Sitting.repair,
    Sitting.labels_and_events,
    Sitting.run,
    Sitting.read,
    Sitting.change_alpha,
    Sitting.knowledge,
    Sitting.compare_runs,
    Sitting.choose_equivalent,
    Sitting.select,
    Sitting.report,
    Sitting.project,
)


def _sheet(pictures: list[QImage]) -> QImage:
    """Lay pictures side by side, three in a row."""
    width, height = pictures[0].width(), pictures[0].height()
    sheet = QImage(3 * width, -(-len(pictures) // 3) * height, QImage.Format.Format_RGB32)
    sheet.fill(QColor("gray"))
    painter = QPainter(sheet)
    for number, picture in enumerate(pictures):
        painter.drawImage(QPoint(number % 3 * width, number // 3 * height), picture)
    painter.end()
    return sheet


@pytest.fixture(
    params=[("Light", 1024, 700), pytest.param(("Dark", 1440, 900), marks=pytest.mark.long)],
    ids=["light", "dark"],
)
def looks(request: pytest.FixtureRequest, window: MainWindow) -> str:
    """Choose colours in the menu, and a size of the window."""
    scheme, width, height = request.param
    window.resize(width, height)
    actions = window.commands.actions.schemes.actions()
    next(action for action in actions if action.text() == scheme).trigger()
    return f"{scheme}-{width}"


@pytest.mark.parametrize(
    "person",
    [
        pytest.param(CLINICIAN, id="clinician"),
        pytest.param(SOCIOLOGIST, id="sociologist", marks=pytest.mark.long),
        pytest.param(BIOLOGIST, id="biologist", marks=pytest.mark.long),
    ],
)
def test_twelve_tasks(
    person: Person, looks: str, window: MainWindow, dialogs: AnsweringDialogs, qtbot, tmp_path: Path
) -> None:
    sitting = Sitting(person, window, dialogs, tmp_path, qtbot)
    try:
        for task in TASKS:
            task(sitting)
            sitting.look()
    finally:
        if _PICTURES and sitting.pictures:
            name = f"{person.write.__name__.strip('_')}-{looks}.png"
            assert _sheet(sitting.pictures).save(str(Path(_PICTURES) / name))
