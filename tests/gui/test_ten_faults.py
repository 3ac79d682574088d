"""Ten faults at once are mended in the window by at most twelve clicks; what belongs to that."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from clcd_gui.data.columns_model import Field
from clcd_gui.document.checks import Check, group_check
from clcd_gui.shell.main_window import MainWindow
from engine.preparation import prepare
from engine.table.dataset import Dataset
from engine.table.numbered_within import grouped_by_identifier
from engine.table.variable import Kind, Role
from tests import misread_identifiers
from tests.gui.conftest import AnsweringDialogs, open_as_found
from tests.ten_faults import LABELS, TenFaults, write_ten_faults

_MOST_CLICKS = 12


class Mouse:
    """Clicks on buttons, and counts how often."""

    def __init__(self, window: MainWindow, qtbot) -> None:
        self.window, self.qtbot, self.clicks = window, qtbot, 0

    def click(self, parent: QWidget, text: str) -> None:
        button = next(button for button in parent.findChildren(QPushButton) if button.text() == text)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        self.clicks += 1

    def settle(self, text: str) -> None:
        """Click on a card of the import page, and wait until the file was looked at again."""
        with self.qtbot.waitSignal(self.window.session.opening.previewed):
            self.click(self.window.import_page.doubts, text)

    def read_as_missing(self, codes: dict[str, str]) -> None:
        """Read a code of each column as missing, and leave as it is what else is asked about with them."""
        if len(self.offers_of_missing()) == len(codes) + 1:
            self.settle("Read these as missing in both")
            return
        for name, code in codes.items():
            start = f"Read {code} as missing in “{name}”"
            self.settle(next(offer for offer in self.offers_of_missing() if offer.startswith(start)))

    def offers_of_missing(self) -> list[str]:
        doubts = self.window.session.opening.preview.doubts
        about_missing = (doubt for doubt in doubts if doubt.title.startswith("Perhaps missing"))
        return [change.title for doubt in about_missing for change in doubt.changes]

    def open(self) -> None:
        with self.qtbot.waitSignal(self.window.session.opening.opened):
            self.click(self.window.import_page, "Open")

    def take_labels(self, signal: str = "opened") -> None:
        with self.qtbot.waitSignal(getattr(self.window.session.opening, signal)):
            self.click(self.window.page("data"), "Labels from another table…")


@pytest.fixture
def mouse(window: MainWindow, qtbot) -> Mouse:
    return Mouse(window, qtbot)


def checked(window: MainWindow, qtbot, kind: str) -> None:
    qtbot.waitUntil(lambda: any(check.kind == kind for check in window.session.checking.checks))


# In the second table 9 is asked about among occupations, too, as no row has 8.
@pytest.mark.parametrize("seed", [1, 9703])
def test_ten_faults_are_mended_in_twelve_clicks(
    seed: int, window: MainWindow, qtbot, mouse: Mouse, dialogs: AnsweringDialogs, tmp_path: Path
) -> None:
    files = write_ten_faults(tmp_path, seed)
    window.resize(1024, 700)
    with qtbot.waitSignal(window.session.opening.previewed):
        window.open_path(files.data)
    mouse.read_as_missing({"age": "-9", "trust": "99"})
    mouse.settle("Read “occupation” as categories")
    mouse.settle("Read empty as no in “smoker”")
    mouse.settle("Split “symptoms” by answer")
    left = [doubt.title for doubt in window.session.opening.preview.doubts if doubt.is_serious]
    assert left == ([] if seed == 1 else ["Perhaps missing"])
    assert mouse.offers_of_missing() == ["Read 9 as missing in “occupation”"][: len(left)]
    mouse.open()
    data, session = window.page("data"), window.session
    assert "Rows grouped by “patient_id”." in data.check_notice.text
    dialogs.labels = files.labels
    mouse.take_labels()
    said = "2 labels added from “outcomes.csv”. The tables were joined by “record”: 240 of 240 rows."
    assert data.notice.text == said
    checked(window, qtbot, "made-from-labels")
    mouse.click(data, "Look")
    mouse.click(data.checks, "2")
    assert mouse.clicks <= _MOST_CLICKS
    assert not [check for check in session.checking.checks if check.choices and not check.is_settled]
    roles = {
        data.columns_model.index(row, Field.NAME).data(): data.columns_model.index(row, Field.ROLE)
        for row in range(data.columns_model.rowCount())
    }
    assert {name for name, index in roles.items() if index.data() == "Left out"} == {"record", "complaints"}
    assert "counts how many" in roles["complaints"].data(Qt.ItemDataRole.ToolTipRole)
    analysis = session.document.analysis
    assert_is_right(prepare(analysis.dataset, analysis.preparation), files)


def assert_is_right(dataset: Dataset, files: TenFaults) -> None:
    """Compare a table that is ready for a search with what the files mean."""
    assert dataset.groups == "patient_id"
    assert np.array_equal(dataset.column("patient_id"), files.persons)
    assert dataset.labels == LABELS
    assert {*dataset.features, *LABELS} == set(files.right)
    for name in files.right:
        assert _texts(dataset, name) == [_text(value) for value in files.right[name]], name
    assert [dataset.variable(name).event for name in LABELS] == ["2", "2"]
    assert dataset.variable("occupation").kind is Kind.NOMINAL


def _texts(dataset: Dataset, name: str) -> list[str]:
    variable = dataset.variable(name)
    if variable.kind is Kind.CONTINUOUS:
        return [_text(value) for value in dataset.column(name)]
    levels = [_MEANINGS.get(level, level) for level in variable.levels]
    return [levels[code] for code in dataset.column(name)]


_MEANINGS = {"x": "yes"}


def _text(value: object) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    return f"{value:g}"


def test_open_doubts_can_be_settled_beside_the_open_table(
    window: MainWindow, qtbot, mouse: Mouse, tmp_path: Path
) -> None:
    open_as_found(window, qtbot, write_ten_faults(tmp_path, seed=5).data)
    session, data = window.session, window.page("data")
    document = session.document

    def card(option: str) -> Check:
        return next(check for check in data.checks.checks if check.kind == f"reading-{option}")

    def settle(parent: QWidget, text: str) -> None:
        with qtbot.waitSignal(session.opening.opened):
            mouse.click(parent, text)

    assert [offer.title for offer in card("other_rows").offers] == ["Keep these rows"]
    assert not card("also_missing").is_settled
    document.set_labels(["smoker"])
    with qtbot.waitSignal(session.running.failed):
        session.running.start()
    settle(data.notice, "Empty means no in “smoker”")
    assert not data.notice.text and document.analysis.dataset.labels == ("smoker",)
    assert document.analysis.dataset.variable("smoker").levels == ("no", "x")
    assert card("empty_means_no").is_settled and "“smoker”" in card("empty_means_no").text
    data.show_checks()
    bar = data.checks.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(place := bar.maximum() // 2)
    settle(data.checks, card("also_missing").offers[0].title)
    assert data.tabs.currentWidget() is data.checks and bar.value() == place
    assert document.analysis.dataset.missing_count("trust") > 0
    turned = card("also_missing")
    assert turned.is_settled and "99 in “trust”" in turned.text
    told = " ".join(label.text() for label in data.reading.findChildren(QLabel))
    assert "99 in “trust”" in told and "An empty cell means “no” in “smoker”" in told
    settle(data.checks, "Undo it in “trust” only")
    assert document.analysis.dataset.missing_count("trust") == 0
    assert document.analysis.dataset.labels == ("smoker",)


def test_missing_values_of_a_label_table_are_asked_about(
    window: MainWindow, qtbot, mouse: Mouse, dialogs: AnsweringDialogs, tmp_path: Path
) -> None:
    files = write_ten_faults(tmp_path, seed=2)
    outcomes = pandas.read_csv(files.labels)
    outcomes.loc[outcomes.index % 8 == 0, "pain"] = -9
    codes = outcomes.index % 9
    outcomes.loc[codes < 2, "cough"] = codes[codes < 2] + 8
    outcomes.to_csv(files.labels, index=False)
    open_as_found(window, qtbot, files.data)
    dialogs.labels = files.labels
    mouse.take_labels("previewed")
    titles = [doubt.title for doubt in window.session.opening.preview.doubts if doubt.is_serious]
    assert "Read as missing" in titles
    mouse.settle("Read 8 and 9 as missing in “cough” only")
    mouse.open()
    dataset = window.session.document.analysis.dataset
    assert dataset.labels == LABELS
    assert [dataset.variable(name).levels for name in LABELS] == [("1", "2"), ("1", "2")]
    assert [dataset.missing_count(name) for name in LABELS] == [30, 54]
    with qtbot.waitSignal(window.session.opening.previewed):
        window.session.opening.look_again()
    mouse.open()
    assert window.session.document.analysis.dataset.labels == LABELS


def test_a_label_table_that_does_not_fit_is_refused_beside_the_open_table(
    window: MainWindow, qtbot, mouse: Mouse, dialogs: AnsweringDialogs, tmp_path: Path
) -> None:
    files = write_ten_faults(tmp_path, seed=3)
    open_as_found(window, qtbot, files.data)
    table = window.session.document.analysis.dataset
    dialogs.labels = tmp_path / "others.csv"
    outcomes = pandas.read_csv(files.labels)
    outcomes.assign(record=[f"Q{row}" for row in range(len(outcomes))]).to_csv(dialogs.labels, index=False)
    mouse.take_labels("failed")
    assert window.pages.currentWidget() is window.page("data")
    assert "share too few values of “record”" in window.page("data").notice.text
    assert window.session.document.analysis.dataset is table


def test_rows_that_were_grouped_can_be_taken_as_independent_and_grouped_again(
    window: MainWindow, qtbot, mouse: Mouse, tmp_path: Path
) -> None:
    files = write_ten_faults(tmp_path, seed=4)
    open_as_found(window, qtbot, files.data)
    data, document = window.page("data"), window.session.document
    assert not any("grouped" in label.text() for label in data.reading.findChildren(QLabel))
    for text, role, is_searched in (
        ("Analyse “patient_id” as a feature", Role.FEATURE, True),
        ("Do not group the rows", Role.IGNORED, False),
    ):
        mouse.click(data.checks, text)
        assert document.analysis.dataset.variable("patient_id").role is role
        qtbot.waitUntil(lambda: not window.session.controller.checking.is_busy)
        analysis = document.analysis
        prepared = prepare(analysis.dataset.with_labels(["occupation"]), analysis.preparation)
        assert ("patient_id" in prepared.features) is is_searched
        card, *others = data.checks.checks
        assert card.title == "Rows not grouped by “patient_id”" and card.is_settled
        assert data.tabs.tabText(data.tabs.indexOf(data.checks)) == f"To check ({len(others)})"
        assert "grouped" not in data.subtitle.text() and not data.check_notice.text
        mouse.click(data.checks, "Group the rows by “patient_id”")
        assert document.analysis.dataset.groups == "patient_id"
        assert document.analysis.preparation.keep is None
        assert data.checks.checks[0].title == "Rows grouped by “patient_id”"
        document.undo_stack.undo()
        document.undo_stack.undo()
        assert document.analysis.dataset.groups == "patient_id" and not document.undo_stack.canUndo()


def test_a_person_is_asked_about_identifiers_that_each_site_numbers_anew() -> None:
    frame, name = misread_identifiers.numbered_in_sites(9001)
    read = grouped_by_identifier(Dataset.from_frame(frame))
    check = group_check(read, read)
    assert check is not None and check.title == f"Rows not grouped by “{name}”"
    assert "do not seem more alike than others" in check.text and not check.is_settled
    grouped = group_check(read.with_roles({name: Role.GROUPS}), read)
    assert grouped is not None and grouped.is_settled and "treated as one group" in grouped.text
