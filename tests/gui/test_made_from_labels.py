"""A feature that is made from labels is a card before the search, with the way to keep it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from clcd_gui.data.columns_model import Field
from clcd_gui.widgets.settings_form import editor_for
from engine.parameters import parameter_of
from engine.preparation import PreparationSettings
from tests.gui.conftest import open_as_found
from tests.misread_columns import with_follow_up


def test_a_sum_of_labels_is_a_card_and_can_be_kept(window, qtbot, tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    pain, cough = random.integers(0, 2, (2, 200))
    frame = pandas.DataFrame({"pain": pain, "cough": cough, "age": random.integers(20, 90, 200)})
    frame["n complaints"] = pain + cough
    frame.insert(0, "rownames", range(1, 201))
    path = tmp_path / "complaints.csv"
    frame.to_csv(path, index=False)
    open_as_found(window, qtbot, path)
    session, data = window.session, window.page("data")
    # What numbers the rows is no feature before labels are chosen, either.
    role = data.columns_model.index(data.columns_model.row_of("rownames"), Field.ROLE)
    qtbot.waitUntil(lambda: role.data() == "Left out")
    assert data.subtitle.text() == "200 rows · 0 labels · 4 features · 1 left out"
    assert window.run_bar.figures.text() == "200 rows · 4 features · 1 left out · 0 labels"
    assert "Choose labels first" in " ".join(label.text() for label in data.checks.findChildren(QLabel))
    session.document.set_labels(["pain", "cough"])
    qtbot.waitUntil(lambda: any(check.kind == "made-from-labels" for check in session.checking.checks))
    card = next(check for check in data.checks.checks if check.kind == "made-from-labels")
    assert card.text == "“n complaints” counts how many of “pain” and “cough” are present. It is left out."
    # It is not counted among the features, on no page.
    assert data.subtitle.text() == "200 rows · 2 labels · 1 feature · 2 left out"
    assert window.run_bar.figures.text() == "200 rows · 1 feature · 2 left out · 2 labels"
    assert "1 feature linked exactly to labels." in window.page("method").check_notice.text
    keep = next(
        button for button in data.checks.findChildren(QPushButton) if button.text() == "Keep “n complaints”"
    )
    keep.click()
    assert session.document.analysis.preparation.keep == ("n complaints",)
    card = next(check for check in data.checks.checks if check.kind == "made-from-labels")
    assert card.text.endswith("It stays a feature.") and not card.is_pressing
    session.document.undo_stack.undo()
    assert session.document.analysis.preparation.keep is None


def test_names_with_blanks_can_be_typed_among_features_to_keep(qtbot) -> None:
    editor = editor_for(parameter_of(PreparationSettings, "keep"))
    qtbot.addWidget(editor.widget)
    given: list[object] = []
    editor.edited.connect(given.append)
    editor.widget.setText('age "n complaints"')
    editor.widget.editingFinished.emit()
    assert given == [("age", "n complaints")]
    editor.set_value(("n complaints",))
    assert editor.widget.text() == '"n complaints"'


def test_a_time_beside_an_event_is_a_card_and_can_be_kept(window, qtbot, tmp_path: Path) -> None:
    frame, label, time = with_follow_up(0)
    frame.to_csv(tmp_path / "died.csv", index=False)
    open_as_found(window, qtbot, tmp_path / "died.csv")
    session, data = window.session, window.page("data")
    session.document.set_labels([label])
    qtbot.waitUntil(lambda: any(check.kind == "follow-up" for check in session.checking.checks))
    model = data.columns_model
    role = model.index(model.row_of(time), Field.ROLE)
    assert role.data() == "Left out"
    next(
        button for button in data.checks.findChildren(QPushButton) if button.text() == f"Keep “{time}”"
    ).click()
    assert session.document.analysis.preparation.keep == (time,)
    qtbot.waitUntil(lambda: role.data() == "Feature")
    card = next(check for check in session.checking.checks if check.kind == "follow-up")
    assert card.is_settled and [offer.title for offer in card.offers] == [f"Leave out “{time}”"]


def test_a_card_that_is_left_as_it_is_stays_away_in_the_project(window, qtbot, tmp_path: Path) -> None:
    frame, label, time = with_follow_up(0)
    frame.insert(0, "patient_id", np.arange(len(frame)) // 4 + 4711)
    frame.to_csv(tmp_path / "died.csv", index=False)
    open_as_found(window, qtbot, tmp_path / "died.csv")
    session, data = window.session, window.page("data")
    session.document.set_labels([label])
    session.document.set_events([label], session.document.dataset.variable(label).levels[-1])
    qtbot.waitUntil(lambda: any(check.kind == "follow-up" for check in session.checking.checks))
    while data.checks.checks:
        count = len(data.checks.checks)
        button_of(data.checks, "Leave as it is").click()
        assert len(data.checks.checks) == count - 1
    tab = data.tabs.indexOf(data.checks)
    assert data.tabs.tabText(tab) == "To check" and session.checking.left_out[time]
    assert not window.page("method").check_notice.text
    project = tmp_path / "study.clcd"
    with qtbot.waitSignal(session.saving.saved):
        session.saving.save(project)
    session.document.close()
    with qtbot.waitSignal(session.opening.opened):
        session.opening.open(project)
    qtbot.waitUntil(lambda: any(check.kind == "follow-up" for check in session.checking.confirmed))
    assert not data.checks.checks
    button_of(data.checks, "Show again").click()
    assert {"grouped", "follow-up"} <= {check.kind for check in data.checks.checks}
    session.document.undo_stack.undo()
    assert not data.checks.checks
    # What says something else is told again.
    session.document.change(session.document.analysis.keeping(time, True), "keep")
    assert [check.kind for check in data.checks.checks] == ["follow-up"]


def button_of(widget: QWidget, text: str) -> QPushButton:
    return next(button for button in widget.findChildren(QPushButton) if button.text() == text)
