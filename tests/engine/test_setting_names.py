"""Sentences that name settings: text for a program, and known parts for every front end."""

from __future__ import annotations

import pickle

import pytest

from engine.errors import InvalidData
from engine.wording.setting_names import (
    SettingName,
    SettingText,
    named_by,
    naming_settings,
    settings_in,
    the_setting,
)

FILL = SettingName("missing", "per-test", "own-level")
REMEDY = naming_settings("Ask {column}, or set {fill}.", column="'{missing}'", fill=FILL)


def test_words_that_look_like_a_setting_are_words() -> None:
    assert REMEDY == "Ask '{missing}', or set 'missing' to 'per-test' or 'own-level'."
    assert REMEDY.named_by(lambda setting: "it") == "Ask '{missing}', or set it."
    assert named_by("set 'missing' to 'per-test'", lambda setting: "it") == "set 'missing' to 'per-test'"
    assert settings_in("set 'missing' to 'per-test'") == ()


def test_settings_are_known_where_texts_are_put_together() -> None:
    both = SettingText(REMEDY, " Or raise ", SettingName("max_levels"), ".")
    assert settings_in(both) == (FILL, SettingName("max_levels"))
    assert settings_in(the_setting("alpha")) == (SettingName("alpha"),)


def test_what_a_front_end_has_no_name_for_can_still_be_named() -> None:
    once = REMEDY.named_by(lambda setting: setting)
    assert once == REMEDY and settings_in(once) == (FILL,)


@pytest.mark.parametrize("text", [REMEDY, the_setting("alpha"), SettingText(), "plain", ""])
def test_texts_go_from_process_to_process(text: str) -> None:
    error = pickle.loads(pickle.dumps(InvalidData("it failed.", place=text, remedy=text)))
    for arrived in (error.place, error.remedy):
        assert arrived == text and settings_in(arrived) == settings_in(text)
