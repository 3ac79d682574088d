"""Messages keep what they are made of: through pickles, projects and results, and never more than that."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.errors import InvalidData
from engine.reporting.report import make_report
from engine.reporting.report.report_files import report_html
from engine.reporting.tables import ResultContext
from engine.translation import Message, _, for_count, language, message_of, message_values, translated
from engine.wording.notes import Note

IN_GERMAN = {
    "{count} rows": "{count} Zeilen",
    "{count} row": "{count} Zeile",
    "Left out: {rows} of {name}.": "Aus {name} weggelassen: {rows}.",
}


class German:
    """A catalogue of three messages."""

    def gettext(self, message: str) -> str:
        return IN_GERMAN.get(message, message)

    def ngettext(self, one: str, several: str, count: int) -> str:
        return self.gettext(one if count == 1 else several)

    def info(self) -> dict[str, str]:
        return {"language": "de_AT"}


def left_out() -> str:
    return _("Left out: {rows} of {name}.", rows=_("{count} rows", count=np.int64(1200)), name="Gruppe")


def test_a_message_is_said_again_in_another_language() -> None:
    message = left_out()
    assert message == "Left out: 1200 rows of Gruppe."
    with language(German()):
        assert translated(message) == "Aus Gruppe weggelassen: 1200 Zeilen."
        assert translated(pickle.loads(pickle.dumps(message))) == "Aus Gruppe weggelassen: 1200 Zeilen."
        assert for_count(1, "{count} row", "{count} rows").format(count=1) == "1 Zeile"
        in_german = left_out()
    assert translated(in_german) == _(in_german) == "Left out: 1200 rows of Gruppe."


@pytest.mark.parametrize(("count", "in_german"), [(1, "1 Zeile"), (2, "2 Zeilen")])
def test_what_a_number_decides_is_said_again_in_another_language(count: int, in_german: str) -> None:
    rows = for_count(count, "{count} row", "{count} rows").format(count=count)
    written = json.loads(json.dumps(message_values(rows)))
    with language(German()):
        for same in (rows, pickle.loads(pickle.dumps(rows)), message_of(written)):
            assert translated(same) == in_german


def test_pages_name_the_language_that_they_are_in() -> None:
    dataset = engine.simulate(labels=2, features=4, rows=200, seed=1).dataset
    report = make_report(ResultContext(engine.discover(dataset), report_parts=("overview",)))
    assert '<html lang="en">' in report_html(report)
    with language(German()):
        assert '<html lang="de-AT">' in report_html(report)


def test_an_error_of_another_process_is_said_in_the_language_of_the_person() -> None:
    made_there = InvalidData(left_out(), place=_("{count} rows", count=2))
    error = pickle.loads(pickle.dumps(made_there))
    assert str(error) == "2 rows: Left out: 1200 rows of Gruppe."
    with language(German()):
        assert str(error) == "2 Zeilen: Aus Gruppe weggelassen: 1200 Zeilen."


def test_a_name_that_is_written_as_a_message_is_not_translated() -> None:
    message = _("Left out: {rows} of {name}.", rows=_("{count} rows", count=2), name="{count} rows")
    with language(German()):
        assert translated(message) == "Aus {count} rows weggelassen: 2 Zeilen."


def test_a_message_survives_json() -> None:
    written = json.loads(json.dumps(message_values(left_out())))
    with language(German()):
        assert translated(message_of(written)) == "Aus Gruppe weggelassen: 1200 Zeilen."
    assert message_of("plain") == "plain"


@pytest.mark.parametrize(
    "template",
    [
        "{name.__class__.__mro__}",
        "{name[0]}",
        "{name:>9999999999}",
        "{name!s:>99999999}",
        "{absent}",
        "{name:.9f}",
        "{",
        "{}",
        "{0}",
        "{name:{name}}",
    ],
)
def test_a_template_of_a_hostile_file_is_not_filled(template: str) -> None:
    read = message_of({"text": "as it was", "template": template, "values": {"name": "x"}})
    assert not isinstance(read, Message)
    assert read == translated(read) == "as it was"


def test_notes_of_projects_and_results_are_said_in_the_language_of_whoever_opens_them(tmp_path: Path) -> None:
    dataset = engine.simulate(labels=2, features=4, rows=200, seed=1).dataset
    dataset = dataset.with_notes([Note("left-out", left_out())])
    path = tmp_path / "study.clcd"
    engine.save_project(
        path,
        engine.Project(
            dataset=dataset, runs=[engine.Run("first", engine.DiscoverySettings(), engine.discover(dataset))]
        ),
    )
    project = engine.open_project(path)
    for opened in (project.dataset, project.runs[0].result.dataset):
        assert opened.notes[-1].message == "Left out: 1200 rows of Gruppe."
        with language(German()):
            assert opened.notes[-1].text == "Aus Gruppe weggelassen: 1200 Zeilen."
