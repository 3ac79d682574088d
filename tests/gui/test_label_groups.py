"""Labels that go together are said, and searched as one outcome by one click that can be undone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
from PySide6.QtCore import QUrl

from clcd_gui.document.navigation import SelectedPair, group_anchor
from clcd_gui.shell.main_window import MainWindow
from engine.table.variable import Role
from tests.gui.conftest import open_as_found

PAIN = ("pain 1", "pain 2", "pain 3", "pain 4")


def write_pain(path: Path) -> Path:
    drawn = np.random.default_rng(3)
    treatment = drawn.integers(0, 2, 400)
    severity = drawn.normal(size=400) - 1.2 * treatment
    columns = {name: np.round(severity + drawn.normal(size=400), 3) for name in PAIN}
    arm = np.where(treatment == 1, "drug", "placebo")
    pandas.DataFrame({"arm": arm, "age": drawn.normal(size=400), **columns}).to_csv(path, index=False)
    return path


def test_labels_that_go_together_are_searched_as_one_outcome(window: MainWindow, qtbot, tmp_path) -> None:
    open_as_found(window, qtbot, write_pain(tmp_path / "pain.csv"))
    session, document = window.session, window.session.document
    document.set_labels(list(PAIN))
    with qtbot.waitSignal(session.running.finished, timeout=250_000):
        session.running.start()
    page = window.page("results")
    window.workspace.navigation.go("results")
    qtbot.waitUntil(lambda: page.is_filled and document.result.effects is not None, timeout=250_000)
    (group,) = document.result.label_groups
    text = page.overview.toPlainText()
    assert "4 labels vary together as if they reflected one thing: pain 1, pain 2, pain 3 and pain 4" in text
    assert "arm is linked to the group of these 4 labels: strength" in text
    assert "Search them as one outcome" in text
    page.show_pair(SelectedPair("arm", "pain 2"))
    assert "arm is linked to the group of these 4 labels: strength" in window.why.browser.toPlainText()

    page.overview.anchorClicked.emit(QUrl(group_anchor(group.name)))
    analysis = document.analysis
    assert analysis.dataset.labels == (group.name,)
    assert all(analysis.dataset.variable(name).role is Role.IGNORED for name in PAIN)
    assert analysis.recipe.active[-1].sentence.startswith(f"“{group.name}” is the mean of the standardised")
    window.workspace.navigation.go("data")
    steps = window.page("data").steps
    steps.list.setCurrentRow(0)
    steps.list.edit_wanted.emit()
    assert not steps.edit.isEnabled(), "a step without a form is not edited"
    assert group.name in steps.list.item(0).text()
    with qtbot.waitSignal(session.running.finished, timeout=250_000):
        session.running.start()
    reason = document.result.reasons("arm", group.name)[0]
    assert reason.deciding == group.reasons[0].deciding

    document.undo_stack.undo()
    assert document.analysis.dataset.labels == PAIN
