"""What a person should know about a table, with counts and lists of names as a person would write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# More sentences of one kind than this are drawn together into one.
_SENTENCES_OF_ONE_KIND = 3


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was done to the data and that a person should know.

    Attributes
    ----------
    topic : str
        Machine-readable kind, e.g. ``"identifier"``, ``"constant"``, ``"rows-dropped"``.
    message : str
        The sentence that a person reads.
    variable : str
        Column it speaks of; empty when it speaks of the table.
    """

    topic: str
    message: str
    variable: str = ""


def listed(names: Sequence[str], limit: int = 3) -> str:
    """Write names in quotes, the first few of them when there are many.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ("'a'", "'a' and 'b'", "'a', 'b', 'c' and 2 more")
    """
    quoted = [f"'{name}'" for name in names]
    if len(quoted) > limit + 1:
        quoted = [*quoted[:limit], f"{len(names) - limit:,} more"]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def notes_about(topic: str, sentences: Mapping[str, str], together: str) -> list[Note]:
    """Make one note a column, or one for all of them when there are many.

    Parameters
    ----------
    topic : str
        Machine-readable kind of the notes.
    sentences : dict of str to str
        Sentence by column name.
    together : str
        Beginning of the sentence about all of them, after their number: ``"columns are empty"``.

    Returns
    -------
    list of Note

    Examples
    --------
    >>> notes_about("x", {"a": "'a' is empty."}, "columns are empty")[0].message
    "'a' is empty."
    >>> notes_about("x", dict.fromkeys("abcde", ""), "columns are empty")[0].message
    "5 columns are empty: 'a', 'b', 'c' and 2 more."
    """
    if len(sentences) <= _SENTENCES_OF_ONE_KIND:
        return [Note(topic, sentence, name) for name, sentence in sentences.items()]
    return [Note(topic, f"{len(sentences):,} {together}: {listed(list(sentences))}.")]
