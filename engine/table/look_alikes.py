"""Texts that look alike: what is said of categories that may be meant as one."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence

from engine.table.column_kinds import MOST_CATEGORIES
from engine.table.variable import Kind, Variable
from engine.translation import N_, _
from engine.wording.notes import Note, listed, notes_about

SIMILAR_CATEGORIES = "similar-categories"
"""Topic of the notes about categories that look alike."""

_MOST_GROUPS = 3
_CATEGORIES = N_(
    "Categories of column '{name}' differ only in case, in blanks or in how letters are encoded: {groups}. "
    "If they mean the same, merge them by the step 'recode' (Categories in the window)."
)
_CATEGORIES_OF_SEVERAL = N_(
    "{count} columns have categories that differ only in case, in blanks or in how letters are encoded: "
    "{names}. Where they mean the same, merge them by the step 'recode' (Categories in the window)."
)


def notes_about_similar_categories(variables: Sequence[Variable]) -> list[Note]:
    """Point out categories that may be meant as one."""
    sentences = {}
    for variable in variables:
        if variable.kind is not Kind.NOMINAL or not 1 < len(variable.levels) <= MOST_CATEGORIES:
            continue
        groups = alike_texts(variable.levels, _without_case_and_blanks)
        if groups:
            shown = [listed(group) for group in groups[:_MOST_GROUPS]]
            shown += ["…"] if len(groups) > _MOST_GROUPS else []
            sentences[variable.name] = _(_CATEGORIES, name=variable.name, groups="; ".join(shown))
    return notes_about(SIMILAR_CATEGORIES, sentences, _CATEGORIES_OF_SEVERAL)


def _without_case_and_blanks(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def alike_texts(texts: Iterable[str], key: Callable[[str], str]) -> list[list[str]]:
    """Return the texts that have their key in common with others, by key."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(key(text), []).append(text)
    return [group for group in groups.values() if len(group) > 1]
