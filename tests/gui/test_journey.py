"""From a file to an answer by real clicks and keys on real widgets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from clcd_gui.document.examples import examples
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.start.start_page import FileRow

EMOTIONS_LABELS = {
    "amazed-suprised",
    "happy-pleased",
    "relaxing-calm",
    "quiet-still",
    "sad-lonely",
    "angry-aggresive",
}


def click(button: QPushButton) -> None:
    assert button.isVisible()
    assert button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_emotions_in_four_clicks(window: MainWindow, dialogs, qtbot, shared_data: Path) -> None:
    dialogs.table = shared_data / "emotions" / "emotions.arff"
    with qtbot.waitSignal(window.session.opening.opened):
        click(window.start_page.primary)
    assert window.page("data").isVisible()
    assert "emotions.xml" in window.page("data").offer_notice.text
    click(window.page("data").primary)
    dataset = window.session.document.analysis.dataset
    assert set(dataset.labels) == EMOTIONS_LABELS
    assert len(dataset.features) == 72
    assert dataset.row_count == 593
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        click(window.page("data").primary)
    assert window.page("results").isVisible()
    result = window.session.document.result
    assert set(result.boundaries) == EMOTIONS_LABELS
    assert not result.is_partial
    assert window.rail.button("results").isChecked()
    assert window.why.isVisible()


def test_bundled_example_by_keys_alone(window: MainWindow, qtbot) -> None:
    row = next(row for row in window.start_page.findChildren(FileRow) if row.key == str(examples()[0].path))
    row.setFocus()
    assert row.hasFocus()
    with qtbot.waitSignal(window.session.opening.opened):
        QTest.keyClick(row, Qt.Key.Key_Space)
    # By hand: look for the columns, select them all, make them labels.
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.page("data").tools.filter.hasFocus()
    for word in ("Headache", "Back pain"):
        QTest.keyClick(window.page("data").tools.filter, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(window.page("data").tools.filter, word)
        assert window.page("data").columns_model.rowCount() == 1
        QTest.keyClick(window.page("data").tools.filter, Qt.Key.Key_Down)
        assert window.page("data").columns.hasFocus()
        QTest.keyClick(window.page("data").columns, Qt.Key.Key_L)
        QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.session.document.analysis.dataset.labels == ("Headache", "Back pain")
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert window.page("results").isVisible()
    # What the data are made from: painkillers follow from both complaints.
    assert window.session.document.result.label_sets["Painkillers a month"] == {"Headache", "Back pain"}


def test_steps_by_key_and_stale_results(opened: Callable[[Path], MainWindow], qtbot) -> None:
    window = opened(examples()[0].path)
    document = window.session.document
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        click(window.page("data").primary)
    for key, page in (
        (Qt.Key.Key_1, window.page("data")),
        (Qt.Key.Key_2, window.page("method")),
        (Qt.Key.Key_3, window.page("results")),
    ):
        QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        assert page.isVisible()
    window.session.live.set_wanted(False)
    document.change_discovery("alpha", 0.05)
    assert window.page("results").stale_notice.isVisible()
    assert "0.01" in window.page("results").stale_notice.text
    document.undo_stack.undo()
    assert not window.page("results").stale_notice.isVisible()


def test_opening_another_table_forgets_the_result(
    opened: Callable[[Path], MainWindow], qtbot, small_table: Path
) -> None:
    window = opened(examples()[0].path)
    window.session.document.set_labels(window.session.document.offer.names)
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    opened(small_table)
    assert window.session.document.result is None
    assert window.page("data").isVisible()
    assert window.page("data").heading.text() == "small.csv"
    assert not window.commands.actions.run.isEnabled()
    assert window.page("data").reason.text() == "Choose at least one label"


def test_every_letter_has_a_picture(window: MainWindow) -> None:
    """Without a font every letter is the same box, and nothing else fails."""
    from PySide6.QtGui import QFontInfo, QFontMetrics, QRawFont

    font = QApplication.font()
    raw = QRawFont.fromFont(font)
    text = "Ag0αχθ²–→·“"
    assert QFontInfo(font).family()
    assert all(raw.supportsCharacter(ord(letter)) or _is_drawn(letter) for letter in text)
    metrics = QFontMetrics(font)
    assert metrics.horizontalAdvance("i") < metrics.horizontalAdvance("W")


def _is_drawn(letter: str) -> bool:
    from PySide6.QtGui import QImage, QPainter

    pictures = []
    for text in (letter, "\ufffe"):
        image = QImage(40, 40, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        painter.drawText(5, 30, text)
        painter.end()
        pictures.append(image)
    return pictures[0] != pictures[1]
