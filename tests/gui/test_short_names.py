"""Names that differ stay different when they are shortened."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QApplication

from clcd_gui.style.short_names import ELLIPSIS, ShortNames
from tests.gui.results_factory import LONG_NAME

_WORDS = st.text("abcd 123_", max_size=14)


def shown(names: list[str], room: float) -> list[str]:
    short = ShortNames(names)
    return [short.shown(name, room) for name in names]


def test_numbers_at_the_end_are_kept_whole() -> None:
    assert shown(["gene_1", "gene_10", "gene_100"], 6) == ["gene_1", "gen…10", "ge…100"]


def test_a_name_that_fits_is_whole() -> None:
    names = ["pressure", "pressure before", "pressure after"]
    assert shown(names, 15) == names


def test_without_rivals_both_ends_are_kept() -> None:
    assert shown(["Mean_Acc1298_Std_MFCC_1"], 12) == ["Mean_A…FCC_1"]


def test_what_differs_in_the_middle_is_kept() -> None:
    names = [f"How often did you feel {word} in the last four weeks?" for word in ("tired", "happy")]
    tired, happy = shown(names, 20)
    assert "tired" in tired
    assert "happy" in happy


def test_letters_of_the_screen_tell_apart_as_well(qapp: QApplication) -> None:
    width = QFontMetricsF(QFont()).horizontalAdvance
    names = [LONG_NAME.format(place) for place in range(200)]
    short = ShortNames(names, width)
    texts = [short.shown(name, 130.0) for name in names]
    assert len(set(texts)) == len(names)
    assert all(width(text) <= 130.0 for text in texts)


@given(_WORDS, st.sets(st.text("abc12", max_size=6), min_size=2, max_size=8), _WORDS, st.integers(8, 24))
def test_names_of_one_kind_look_different_wherever_there_is_room(
    before: str, cores: set[str], behind: str, room: int
) -> None:
    names = sorted({f"{before}:{core}:{behind}" for core in cores})
    texts = shown(names, room)
    assert all(len(text) <= room for text in texts)
    assert len(set(texts)) == len(names)


@given(st.sets(_WORDS.filter(bool), min_size=2, max_size=12), st.integers(3, 24))
def test_what_is_shown_is_made_of_the_name(names: set[str], room: int) -> None:
    for name, text in zip(sorted(names), shown(sorted(names), room), strict=True):
        assert len(text) <= max(room, 2)
        rest = name
        for part in text.split(ELLIPSIS):
            assert part in rest
            rest = rest[rest.index(part) + len(part) :]
