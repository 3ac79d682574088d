"""What a person should know about a table, with counts and lists of names as a person would write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.translation import N_, _, for_count, translated
from engine.wording.phrases import plain_listing

# More sentences of one kind than this are drawn together into one.
_SENTENCES_OF_ONE_KIND = 3


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was done to the data and that a person should know."""

    topic: str
    message: str
    variable: str = ""
    examples: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What it says, in the language of the person."""
        return translated(self.message)


def listed(names: Sequence[str], limit: int = 3) -> str:
    """Write names in quotes, the first few of them when there are many.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ("'a'", "'a' and 'b'", "'a', 'b', 'c' and 2 more")
    """
    return plain_listing([f"'{name}'" for name in names], limit)


def told(notes: Iterable[Note]) -> list[str]:
    """Return what notes say, each sentence once, and of many columns of one kind the first and the names.

    >>> many = [Note("ticks", f"'{name}' holds only 'x'.", name) for name in "abcdefg"]
    >>> told(many)
    ["'a' holds only 'x'. The same holds for 6 more columns: 'b', 'c', 'd' and 3 more."]
    """
    by_kind: dict[tuple[str, ...], list[Note]] = {}
    for note in dict.fromkeys(notes):
        # What speaks of the table as a whole stands for itself.
        said = _NAME_OR_FIGURE.sub("", note.text) if note.variable else note.text
        by_kind.setdefault((note.topic, said, *note.examples), []).append(note)
    lines: list[str] = []
    for alike in by_kind.values():
        if len(alike) <= _SENTENCES_OF_ONE_KIND:
            lines += [note.text for note in alike]
            continue
        names = list(dict.fromkeys(note.variable for note in alike[1:]))
        more = for_count(len(names), _ONE_MORE, _MANY_MORE).format(
            count=f"{len(names):,}", names=listed(names)
        )
        lines.append(f"{alike[0].text} {more}")
    return list(dict.fromkeys(lines))


_NAME_OR_FIGURE = re.compile(r"'[^']*'|\d[\d,.]*")
_ONE_MORE = N_("The same holds for one more column: {names}.")
_MANY_MORE = N_("The same holds for {count} more columns: {names}.")
_NO_COLUMN = N_("The table has no columns.")
_MOST_COLUMNS = 5
_ONLY_COLUMN = N_("The only column of the table is {names}.")
_COLUMNS = N_("The columns of the table are {names}.")


def columns_there_are(names: Sequence[str]) -> str:
    """Say which columns a table has, of many the first.

    >>> columns_there_are(["age;ill"]), columns_there_are(["age", "ill"])
    ("The only column of the table is 'age;ill'.", "The columns of the table are 'age' and 'ill'.")
    """
    if not names:
        return _(_NO_COLUMN)
    sentence = for_count(len(names), _ONLY_COLUMN, _COLUMNS)
    return sentence.format(names=listed(names, _MOST_COLUMNS))


def notes_about(topic: str, sentences: Mapping[str, str], together: str, most_named: int = 3) -> list[Note]:
    """Make one note a column, or one for all of them when there are many, from `together`.

    >>> together = "{count} columns are empty: {names}."
    >>> notes_about("x", {"a": "'a' is empty."}, together)[0].message
    "'a' is empty."
    >>> notes_about("x", dict.fromkeys("abcde", ""), together)[0].message
    "5 columns are empty: 'a', 'b', 'c' and 2 more."
    """
    if len(sentences) <= _SENTENCES_OF_ONE_KIND:
        return [Note(topic, sentence, name) for name, sentence in sentences.items()]
    names = listed(list(sentences), most_named)
    return [Note(topic, _(together, count=f"{len(sentences):,}", names=names))]
