"""Labels of variables stand beside their names wherever these are shown, by one setting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import pyreadstat
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from clcd_gui.data.columns_model import Field
from clcd_gui.data.knowledge_panel import STATEMENT_KINDS
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.evidence.answers import EvidenceText
from clcd_gui.plots.grid_data import describe, grid_data
from clcd_gui.results.graph_panel import GraphPanel
from clcd_gui.results.results_page import overview_html
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.finding_table_model import window_model
from engine.discovery import tables
from engine.discovery.result import DiscoveryResult
from engine.knowledge.knowledge import Knowledge
from engine.table.variable import Role
from engine.wording.shown_names import Naming, names_shown, shown_names
from tests.gui.conftest import AnsweringDialogs
from tests.gui.results_factory import make_result

pytestmark = pytest.mark.one_window

Open = Callable[[Path], MainWindow]

LABELS = {"v1": "Sleeps little", "v2": "Feels tired", "v3": "Has headaches"}


@pytest.fixture
def labelled(opened: Open, tmp_path: Path) -> MainWindow:
    generator = np.random.default_rng(0)
    sleep = generator.normal(7, 1, 400)
    tired = (sleep + generator.normal(0, 1, 400) < 7).astype(float)
    head = (tired + generator.normal(0, 0.6, 400) > 0.5).astype(float)
    little, unrelated = (sleep < 7).astype(float), (generator.normal(0, 1, 400) < 0).astype(float)
    frame = pandas.DataFrame({"v1": little, "v2": tired, "v3": head, "v4": unrelated})
    words = {1.0: "yes", 0.0: "no"}
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(frame, path, column_labels=LABELS, variable_value_labels=dict.fromkeys(frame, words))
    return opened(path)


def shown_columns(window: MainWindow) -> list[str]:
    model = window.page("data").columns_model
    return [model.index(row, Field.NAME).data() for row in range(model.rowCount())]


def choose(window: MainWindow, naming: Naming) -> None:
    actions = window.commands.actions.namings.actions()
    next(action for action in actions if action.data() == naming).trigger()


def test_the_menu_says_how_variables_are_shown(labelled: MainWindow) -> None:
    assert shown_columns(labelled)[0] == "Sleeps little (v1)" and shown_columns(labelled)[3] == "v4"
    choose(labelled, Naming.NAME_AND_LABEL)
    assert shown_columns(labelled)[0] == "v1 (Sleeps little)"
    choose(labelled, Naming.NAME)
    assert shown_columns(labelled)[0] == "v1"
    assert labelled.settings.naming is Naming.NAME
    choose(labelled, Naming.LABEL_AND_NAME)
    checked = [action.data() for action in labelled.commands.actions.namings.actions() if action.isChecked()]
    assert checked == [Naming.LABEL_AND_NAME]


@pytest.mark.parametrize("text", ["little", "v1"])
def test_a_column_is_found_by_name_and_label(labelled: MainWindow, text: str) -> None:
    page = labelled.page("data")
    QTest.keyClicks(page.tools.filter, text)
    assert page.columns_model.names(range(page.columns_model.rowCount())) == ["v1"]


def test_knowledge_shows_labels_and_keeps_names(labelled: MainWindow) -> None:
    panel, document = labelled.page("data").knowledge, labelled.session.document
    panel.put_into_tier(["v1"], 1)
    assert panel.tiers[1].item(0).text() == "Sleeps little (v1)" and panel.tiers[1].names == ["v1"]
    panel.add_statement(STATEMENT_KINDS[2], "Feels tired (v2)", "v1")
    assert panel.statements.item(0).text() == "Feels tired (v2) is not a direct cause of Sleeps little (v1)"
    assert document.analysis.knowledge == Knowledge(tiers=[["v1"]], forbidden=[("v2", "v1")])
    choose(labelled, Naming.NAME)
    assert panel.tiers[1].item(0).text() == "v1"
    choose(labelled, Naming.LABEL_AND_NAME)


def test_results_follow_the_setting_at_once(labelled: MainWindow, qtbot) -> None:
    document = labelled.session.document
    document.set_roles(["v2", "v3"], Role.LABEL)
    labelled.workspace.navigation.go("results")
    labelled.session.running.start()
    qtbot.waitUntil(lambda: document.result is not None, timeout=60_000)
    page = labelled.page("results")
    qtbot.waitUntil(lambda: page.is_filled)
    assert "Sleeps little (v1)" in page.overview.toPlainText()
    labelled.workspace.highlight.select("v1", "v2")
    assert "Feels tired (v2)" in labelled.why.browser.toPlainText()
    choose(labelled, Naming.NAME)
    qtbot.waitUntil(lambda: page.is_filled)
    assert "Sleeps little" not in page.overview.toPlainText()
    assert document.reported.options.variable_names == "name"
    choose(labelled, Naming.LABEL_AND_NAME)


@pytest.fixture
def result() -> DiscoveryResult:
    result = make_result()
    columns = [
        replace(column, description=f"Meaning of {column.name}") for column in result.dataset.variables
    ]
    return replace(result, dataset=replace(result.dataset, variables=tuple(columns)))


def test_tables_grid_and_evidence_show_labels(result: DiscoveryResult) -> None:
    findings = result.findings
    finding = findings.common[0]
    feature, label = finding.feature, finding.labels[0]
    model = window_model(tables.COMMON)
    with names_shown(shown_names(result.dataset.variables)):
        model.set_findings(findings.common)
        assert model.index(0, 0).data() == f"Meaning of {feature} ({feature})"
        row = model.index(0, 1)
        assert f"Meaning of {label} ({label})" in row.data(Qt.ItemDataRole.ToolTipRole)
        model.set_filter(f"meaning of {feature}")
        assert model.rowCount() and model.finding_at(0).feature == feature
        grid = grid_data(findings, words="meaning")
        assert len(grid.findings) == len(findings.all)
        assert describe(grid, 0, -1).startswith("Meaning of ")
        assert f"Meaning of {label} ({label})" in overview_html(result).replace("\u200b", "")
        written = EvidenceText(result).write(SelectedPair(feature, label)).replace("\u200b", "")
    assert f"Meaning of {feature} ({feature})" in written and f"Meaning of {label} ({label})" in written


def test_the_graph_finds_a_variable_by_its_label(result: DiscoveryResult, window: MainWindow, qtbot) -> None:
    with names_shown(shown_names(result.dataset.variables)):
        panel = GraphPanel(window.workspace.highlight)
        qtbot.addWidget(panel)
        panel.resize(800, 600)
        panel.set_findings(result.findings)
        with qtbot.waitExposed(panel):
            panel.show()
        qtbot.waitUntil(lambda: bool(panel.view.graph.nodes))
        node = next(iter(panel.view.graph.nodes.values()))
        assert node.toolTip().startswith("Meaning of ")
        feature = result.findings.common[0].feature
        panel.find_box.setText(f"meaning of {feature}")
        panel.find_box.returnPressed.emit()
        assert panel._highlight.feature == feature
        panel.hide()


def test_a_data_dictionary_is_added_as_columns_are(
    opened: Open, dialogs: AnsweringDialogs, tmp_path: Path, qtbot
) -> None:
    data, dictionary = tmp_path / "data.csv", tmp_path / "dictionary.csv"
    data.write_text("age,ward\n" + "".join(f"{20 + row},{row % 2 + 1}\n" for row in range(40)), "utf-8")
    dictionary.write_text(
        "Variable / Field Name,Form Name,Field Label\nage,visit,Age at admission\nward,visit,Ward\n", "utf-8"
    )
    window = opened(data)
    dialogs.labels = dictionary
    window.commands.actions.add_columns.trigger()
    qtbot.waitUntil(lambda: shown_columns(window)[0] == "Age at admission (age)")
    assert "data dictionary “dictionary.csv”" in window.page("data").notice.text
