"""The window tells directions of association of events; `tests.benchmarks.event_window` reads all."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from clcd_gui.shell.main_window import MainWindow
from tests.benchmarks.event_variants import VARIANTS
from tests.benchmarks.event_window import (
    VIEWS_WITH_DIRECTIONS,
    VIEWS_WITH_EVENTS,
    Drawn,
    Seen,
    drawn,
    judged,
    seen_in,
)
from tests.gui.patient_bot import PatientBot

pytestmark = pytest.mark.one_window

SOME = [("ja", "nein"), ("是", "否"), ("1", "-1"), ("2", "1")]
OPPOSITE = {"more": "less", "less": "more", "↗": "↘", "↘": "↗", "+": "−", "−": "+"}
DIRECTION = re.compile("|".join([r"more(?= likely)", r"less(?= likely)", "[↗↘]", r"[+−](?=[\d.])"]))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    of_csv = {variant.told: variant for variant in VARIANTS if variant.file == "csv"}
    return drawn([of_csv[told] for told in SOME], 7, tmp_path_factory.mktemp("variants"))


@pytest.fixture(scope="module")
def seen(module_window: MainWindow, module_bot: PatientBot, table: Drawn) -> Seen:
    return seen_in(module_window, table, module_bot.waitUntil)


def test_every_direction_in_the_window_is_that_of_the_event(seen: Seen, table: Drawn) -> None:
    verdict = judged(seen, table)
    assert verdict.wrong == []
    assert set(VIEWS_WITH_DIRECTIONS) <= set(verdict.claims)
    assert {view for view, _ in seen.events} == set(VIEWS_WITH_EVENTS)
    assert verdict.asked_about == {"outcome3"}


@pytest.mark.parametrize("view", VIEWS_WITH_DIRECTIONS)
def test_one_direction_turned_round_is_noticed(seen: Seen, table: Drawn, view: str) -> None:
    lines = [replace(line) for line in seen.lines]
    place = next(
        place
        for place, line in enumerate(lines)
        if line.view == view and DIRECTION.search(line.text)
        if view == "overview" or "outcome0" in (line.pair or line.text)
    )
    turned = DIRECTION.sub(lambda match: OPPOSITE[match[0]], lines[place].text)
    lines[place] = replace(lines[place], text=turned)
    wrong = judged(Seen(lines, seen.events), table).wrong
    assert any(
        "the opposite of the data" in contradiction and view in contradiction for contradiction in wrong
    )


@pytest.mark.parametrize("view", VIEWS_WITH_DIRECTIONS)
def test_a_direction_of_the_other_level_is_noticed(seen: Seen, table: Drawn, view: str) -> None:
    lines = [
        replace(line, text=line.text.replace("ja", "nein").replace("= nein than", "= ja than"))
        if line.view == view
        else line
        for line in seen.lines
    ]
    wrong = judged(Seen(lines, seen.events), table).wrong
    assert any(
        "not of the label's event" in contradiction and view in contradiction for contradiction in wrong
    )


@pytest.mark.parametrize("view", VIEWS_WITH_EVENTS)
def test_another_event_than_the_table_has_is_noticed(seen: Seen, table: Drawn, view: str) -> None:
    wrong = judged(Seen(seen.lines, {**seen.events, (view, "outcome0"): "nein"}), table).wrong
    assert any("the event of outcome0 is ja, not nein" in contradiction for contradiction in wrong)
