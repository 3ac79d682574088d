"""Labels that a MEKA file declares in the name of its relation.

MEKA (Read, Reutemann, Pfahringer, Holmes 2016, JMLR 17(21):1-5) keeps options behind a colon in the
relation's name: ``-C 6`` says that the first six attributes are the labels, ``-C -6`` the last six.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.notes import Note
from engine.readers.reading import Guess

_CLASS_OPTION = re.compile(r":.*?(?:^|\s)-[Cc]\s+(-?\d+)(?!\S)")


def meka_label_count(relation: str) -> int:
    """Give the number behind ``-C`` in a relation's name, 0 where there is none.

    Examples
    --------
    >>> meka_label_count("Music: -C 6"), meka_label_count("flags_ml")
    (6, 0)
    """
    match = _CLASS_OPTION.search(relation)
    return int(match.group(1)) if match else 0


def declared_labels(
    relation: str, names: Sequence[str]
) -> tuple[tuple[str, ...], tuple[Guess, ...], tuple[Note, ...]]:
    """Find the labels that a MEKA header declares.

    Parameters
    ----------
    relation : str
        Name of the relation.
    names : sequence of str
        All column names in order.

    Returns
    -------
    labels : tuple of str
        Empty where nothing (sensible) is declared.
    guesses : tuple of Guess
    issues : tuple of Note
    """
    count = meka_label_count(relation)
    if count == 0:
        return (), (), ()
    if abs(count) >= len(names):
        message = f"The header says '-C {count}', but there are only {len(names)} columns; it is ignored."
        return (), (), (Note("stale-header", message),)
    end = "first" if count > 0 else "last"
    labels = tuple(names[:count] if count > 0 else names[count:])
    reason = f"The header says '-C {count}': the {end} {abs(count)} columns are the labels."
    filtered = "weka.filters" in relation
    if filtered:
        reason += " The columns were changed after that was written, so it may no longer hold."
    guess = Guess("labels", ", ".join(labels), reason, certain=not filtered)
    return labels, (guess,), ()
