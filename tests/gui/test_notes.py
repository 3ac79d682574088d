"""Notes in Markdown: written by keys, shown in Why?, undone, saved; nothing in them is run or fetched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QMessageBox, QStyle

import engine
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import ask_about_note
from clcd_gui.widgets.note_editor import NoteEditor, NoteText
from tests.gui.conftest import AnsweringDialogs

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def test_no_note_reaches_beyond_itself(qtbot, tmp_path: Path) -> None:
    fetched: list[str] = []

    class Watched(NoteText):
        def loadResource(self, kind: int, address: object) -> object:
            fetched.append(str(address))
            return super().loadResource(kind, address)

    picture = tmp_path / "picture.png"
    picture.write_bytes(b"no picture")
    text = Watched("Note")
    qtbot.addWidget(text)
    text.show_note(
        f"**bold** <b>raw</b> <script>x</script>\n\n![seen]({picture.as_uri()})\n\n[link](file:///x)"
    )
    text.resize(300, 200)
    text.show()
    plain = text.toPlainText()
    assert "<b>raw</b>" in plain and "<script>" in plain and "**" not in plain
    assert "script" not in text.toHtml().replace("&lt;script&gt;", "").replace("&lt;/script&gt;", "")
    assert not text.openLinks() and not text.openExternalLinks()
    assert all(NoteText.loadResource(text, 2, address) is None for address in fetched)


@pytest.fixture
def analysed(opened: Callable[[Path], MainWindow], qtbot, tmp_path: Path) -> MainWindow:
    path = tmp_path / "network.csv"
    engine.simulate(labels=2, features=10, rows=400, seed=6).dataset.frame.to_csv(path, index=False)
    window = opened(path)
    window.session.document.set_labels(["L1", "L2"])
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.keyClick(window, Qt.Key.Key_R, CONTROL)
    qtbot.waitUntil(lambda: window.page("results").is_filled)
    return window


def test_an_editor_is_left_by_keys_and_asks_before_anything_is_lost(qtbot) -> None:
    written: list[str] = []

    def opened() -> NoteEditor:
        editor = NoteEditor("age", "as before", written.append, None)
        with qtbot.waitActive(editor):
            editor.open()
        editor.edit.setFocus()
        return editor

    buttons = QMessageBox.StandardButton
    editor = opened()
    QTest.keyClick(editor.edit, Qt.Key.Key_Tab)
    assert not editor.edit.hasFocus() and editor.edit.toPlainText() == "as before"
    QTest.keyClick(editor.focusWidget(), Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert editor.edit.hasFocus() and editor.edit.toPlainText() == "as before"
    assert "&" in editor.buttons.button(QDialogButtonBox.StandardButton.Save).text()
    # Unchanged, it is left at once.
    QTest.keyClick(editor.edit, Qt.Key.Key_Escape)
    assert editor.question is None and not editor.isVisible() and not written

    editor = opened()
    QTest.keyClicks(editor.edit, "not ")
    QTest.keyClick(editor.edit, Qt.Key.Key_Escape)
    QTest.mouseClick(editor.question.button(buttons.Cancel), LEFT)
    assert editor.isVisible() and editor.edit.toPlainText() == "not as before"
    editor.close()
    QTest.mouseClick(editor.question.button(buttons.Discard), LEFT)
    assert not editor.isVisible() and not written

    editor = opened()
    QTest.keyClicks(editor.edit, "still ")
    QTest.keyClick(editor.edit, Qt.Key.Key_Escape)
    QTest.mouseClick(editor.question.button(buttons.Save), LEFT)
    assert not editor.isVisible() and written == ["still as before"]

    editor = opened()
    QTest.keyClicks(editor.edit, "never ")
    QTest.keyClick(editor.edit, Qt.Key.Key_Return, CONTROL)
    assert not editor.isVisible() and written[1:] == ["never as before"]


@pytest.mark.parametrize("where", ["run", "analysis", "finding"])
def test_a_note_is_not_written_into_another_table_that_is_opened_meanwhile(
    where: str, analysed: MainWindow, opened: Callable[[Path], MainWindow], small_table: Path
) -> None:
    document = analysed.session.document
    if where == "run":
        analysed.go("runs")
        page = analysed.page("runs")
        page.actions_by_name["note"].trigger()
        editor = page.note_editor
    elif where == "analysis":
        analysed.commands.actions.analysis_note.trigger()
        editor = analysed.commands.notes.editor
    else:
        finding = document.result.findings.all[0]
        analysed.highlight.select(finding.feature, finding.labels[0])
        analysed.why.note.open_editor()
        editor = analysed.why.note.editor
    QTest.keyClicks(editor.edit, "two hours of thought")
    opened(small_table)
    assert editor.isVisible() and "Copy the text" in editor.notice.text
    save = editor.buttons.button(QDialogButtonBox.StandardButton.Save)
    assert not save.isEnabled()
    QTest.keyClick(editor.edit, Qt.Key.Key_Return, CONTROL)
    assert editor.isVisible() and editor.edit.toPlainText() == "two hours of thought"
    assert document.notes.saved_part == () and not document.is_modified
    # It was said that nothing is saved: it is not asked again.
    QTest.keyClick(editor.edit, Qt.Key.Key_Escape)
    assert editor.question is None and not editor.isVisible()


def test_an_editor_in_which_nothing_was_written_goes_with_the_table(analysed: MainWindow) -> None:
    analysed.commands.actions.analysis_note.trigger()
    editor = analysed.commands.notes.editor
    analysed.session.document.close()
    assert not editor.isVisible()


def test_a_run_that_came_by_itself_stays_while_a_note_on_it_is_written(analysed: MainWindow) -> None:
    document = analysed.session.document
    document.change_discovery("alpha", 0.02)
    document.set_result(document.result, document.analysis, follows=True)
    passing = document.history.shown
    assert passing.is_passing
    analysed.go("runs")
    analysed.page("runs").actions_by_name["note"].trigger()
    assert not document.history.run(passing.number).is_passing
    write(analysed.page("runs").note_editor, "the level of the paper")
    assert document.history.run(passing.number).note == "the level of the paper"


def write(editor: NoteEditor, text: str) -> None:
    editor.edit.selectAll()
    QTest.keyClicks(editor.edit, text)
    QTest.mouseClick(editor.buttons.button(QDialogButtonBox.StandardButton.Save), LEFT)


def test_notes_are_written_shown_undone_and_saved(
    analysed: MainWindow,
    opened: Callable[[Path], MainWindow],
    dialogs: AnsweringDialogs,
    qtbot,
    tmp_path: Path,
) -> None:
    window, document, strip = analysed, analysed.session.document, analysed.why.note
    finding = document.result.findings.all[0]
    feature, label = finding.feature, finding.labels[0]
    window.highlight.select(feature, label)
    assert strip.button.isVisible() and not strip.shown.isVisible()
    QTest.mouseClick(strip.button, LEFT)
    strip.editor.edit.setPlainText("*seen*")
    assert strip.editor.preview.toPlainText() == "seen"
    write(strip.editor, "known since **1978**")
    assert strip.shown.isVisible() and strip.shown.toPlainText() == "known since 1978"
    # The key writes about what is selected; Esc leaves it as it was.
    window.highlight.select(feature)
    assert not strip.shown.isVisible()
    QTest.keyClick(window, Qt.Key.Key_M, CONTROL)
    write(window.commands.notes.editor, "as the ward measures it")
    assert document.notes.on_variables == {feature: "as the ward measures it"}
    QTest.keyClick(window, Qt.Key.Key_M, CONTROL)
    editor = window.commands.notes.editor
    QTest.keyClicks(editor.edit, "no")
    QTest.keyClick(editor.edit, Qt.Key.Key_Escape)
    QTest.mouseClick(editor.question.button(QMessageBox.StandardButton.Discard), LEFT)
    assert document.notes.on_variables == {feature: "as the ward measures it"}
    # The sign beside the name, in every table; "Why?" of the finding tells of the variable too.
    results = window.page("results")
    panel = results.common if finding.is_common else results.label_specific
    results.tabs.setCurrentWidget(panel)
    row = panel.model.row_of(feature)
    for model, place in ((panel.model, row), (window.page("data").columns_model, None)):
        index = model.index(model.row_of(feature) if place is None else place, 0)
        assert "with a note" in index.data(Qt.ItemDataRole.AccessibleTextRole)
        tooltip = index.data(Qt.ItemDataRole.ToolTipRole)
        assert "as the ward measures it" in tooltip and "known since" in tooltip
    drawn = panel.table.visualRect(panel.model.index(row, 0))
    marked = panel.table.grab(drawn.translated(panel.table.viewport().pos())).toImage()
    panel.model.set_notes({})
    assert panel.table.grab(drawn.translated(panel.table.viewport().pos())).toImage() != marked
    panel.model.set_notes(document.notes.beside_names)
    other_name = next(name for name in document.result.dataset.names if name != feature)
    unmarked = window.page("data").columns_model
    assert unmarked.index(unmarked.row_of(other_name), 0).data(Qt.ItemDataRole.AccessibleTextRole) is None
    window.highlight.select(feature, label)
    assert strip.shown.toPlainText() == "known since 1978"
    assert strip.other.toPlainText() == "as the ward measures it"
    assert strip.other_title.text() == f"On “{feature}”"
    window.highlight.select(feature)
    assert strip.shown.toPlainText() == "as the ward measures it" and not strip.other.isVisible()
    window.commands.actions.analysis_note.trigger()
    write(window.commands.notes.editor, "The first look")
    document.undo_stack.undo()
    assert document.notes.text(()) == ""
    document.undo_stack.redo()
    # A note on a run is seen in the list.
    window.go("runs")
    page = window.page("runs")
    page.actions_by_name["note"].trigger()
    write(page.note_editor, "the strict one")
    index = page.model.index(0, 0)
    assert "the strict one" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert "with a note" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    dialogs.project = tmp_path / "study.clcd"
    with qtbot.waitSignal(window.session.saving.saved):
        QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    window.commands.actions.close.trigger()
    assert document.notes.saved_part == ()
    opened(tmp_path / "study.clcd")
    assert document.notes.text(()) == "The first look" and document.history.runs[0].note == "the strict one"
    window.highlight.select(feature, label)
    assert strip.shown.toPlainText() == "known since 1978"
    assert not document.is_modified


def test_questions_have_icons_of_the_line_set_and_buttons_none(window: MainWindow, qtbot) -> None:
    """The icons that the system's style has for buttons clash with those of the window."""
    box = ask_about_note(window, "age")
    qtbot.waitUntil(box.isVisible)
    assert box.icon() is QMessageBox.Icon.NoIcon and not box.iconPixmap().isNull()
    buttons = box.findChild(QDialogButtonBox)
    hint = QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
    assert buttons.style().styleHint(hint, None, buttons) == 0
    assert [button.text() for button in box.buttons() if not button.icon().isNull()] == []
    box.reject()
