"""Names and categories that are different texts but may be meant as one, or were decoded wrongly before."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence

from engine.table.column_kinds import MOST_CATEGORIES
from engine.table.variable import Kind, Variable
from engine.wording.notes import Note, listed, notes_about
from engine.wording.numbers import count_text

_MOST_GROUPS = 3

_NAMES = (
    "The columns {names} look alike but are different: their letters are encoded in two ways. If they are "
    "one, correct the file; else rename one of them."
)
_CATEGORIES = (
    "Categories of column '{name}' differ only in case, in blanks or in how letters are encoded: {groups}. "
    "If they mean the same, merge them by the step 'recode' (Categories in the window)."
)
_CATEGORIES_OF_SEVERAL = (
    "{count} columns have categories that differ only in case, in blanks or in how letters are encoded: "
    "{names}. Where they mean the same, merge them by the step 'recode' (Categories in the window)."
)


def notes_about_look_alikes(variables: Sequence[Variable]) -> list[Note]:
    """Point out what may be meant as one; nothing is merged.

    Examples
    --------
    >>> ill = Variable("ill", Kind.NOMINAL, levels=("Yes", "no", "yes"))
    >>> notes_about_look_alikes([ill])[0].message[:80]
    "Categories of column 'ill' differ only in case, in blanks or in how letters are "
    """
    names = [variable.name for variable in variables]
    notes = [
        Note("similar-names", _NAMES.format(names=listed(group)), group[0])
        for group in _alike(names, _with_one_encoding)
    ]
    sentences = {}
    for variable in variables:
        if variable.kind is not Kind.NOMINAL or not 1 < len(variable.levels) <= MOST_CATEGORIES:
            continue
        groups = _alike(variable.levels, _without_case_and_blanks)
        if groups:
            shown = [listed(group) for group in groups[:_MOST_GROUPS]]
            shown += ["…"] if len(groups) > _MOST_GROUPS else []
            sentences[variable.name] = _CATEGORIES.format(name=variable.name, groups="; ".join(shown))
    return notes + notes_about("similar-categories", sentences, _CATEGORIES_OF_SEVERAL)


def notes_about_garbled_letters(variables: Iterable[Variable]) -> list[Note]:
    """Say that letters were decoded wrongly before the file was written, as "MÃ¼digkeit" was.

    Examples
    --------
    >>> notes_about_garbled_letters([Variable("GrÃ¶ÃŸe", Kind.CONTINUOUS)])[0].message[:61]
    "Names or categories look garbled, such as 'GrÃ¶ÃŸe' for 'Größ"
    """
    garbled = {
        text: mended
        for variable in variables
        for text in (variable.name, *variable.levels[:MOST_CATEGORIES])
        if not text.isascii() and (mended := _decoded_again(text)) is not None
    }
    if not garbled:
        return []
    text, mended = next(iter(garbled.items()))
    message = _GARBLED.format(count=count_text(len(garbled)), text=text, mended=mended)
    return [Note("garbled", message, examples=tuple(garbled)[:_MOST_GROUPS])]


def _decoded_again(text: str) -> str | None:
    """Return what UTF-8 says that was read as Windows or ISO Latin; None where it was not."""
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return None


_GARBLED = (
    "Names or categories look garbled, such as '{text}' for '{mended}' (all: {count}). "
    "The file was read in a wrong encoding before it was written. Export it from its source again, as UTF-8."
)


def _with_one_encoding(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _without_case_and_blanks(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _alike(texts: Iterable[str], key: Callable[[str], str]) -> list[list[str]]:
    """Return the texts that have their key in common with others, by key."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(key(text), []).append(text)
    return [group for group in groups.values() if len(group) > 1]
