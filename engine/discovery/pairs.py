"""Pairs of a feature and a label: how what is known of them is looked up, and how tables write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeVar

Pair = tuple[str, str]

Known = TypeVar("Known")

_ARROW_IN_NAME = re.compile(r"(\\*)→")
_ESCAPED_ARROW = re.compile(r"(\\*)\\→")
_BETWEEN = " → "


def evidence_key(feature: str, label: str) -> str:
    r"""Write a pair as one text, as the tables of a result hold it.

    An arrow within a name is written ``\→``, after twice the backslashes that stand before it, so that no two
    pairs have the same text.

    Examples
    --------
    >>> evidence_key("sleep", "pain")
    'sleep → pain'
    >>> print(evidence_key("a → b", "c"))
    a \→ b → c
    """
    return _BETWEEN.join(_ARROW_IN_NAME.sub(r"\1\1\\→", name) for name in (feature, label))


def pair_of(key: str) -> Pair | None:
    r"""Read what :func:`evidence_key` wrote; None where that is no such text.

    Examples
    --------
    >>> pair_of(evidence_key("a → b", "c"))
    ('a → b', 'c')
    """
    # Within a name a backslash stands before each arrow, and a space before the one between the names.
    names = key.split(_BETWEEN)
    if len(names) != 2:
        return None
    feature, label = (_ESCAPED_ARROW.sub(_without_escape, name) for name in names)
    return feature, label


def _without_escape(found: re.Match[str]) -> str:
    return "\\" * (len(found[1]) // 2) + "→"


class ByPair(Mapping[Pair, Known]):
    """What is known of each pair: by (feature, label), and also by the key that tables hold.

    Parameters
    ----------
    known : mapping of (str, str) to object
        By feature and label; it is not changed.

    Examples
    --------
    >>> found = ByPair({("sleep", "pain"): 0.3})
    >>> found["sleep", "pain"], found["sleep → pain"], list(found)
    (0.3, 0.3, [('sleep', 'pain')])
    """

    def __init__(self, known: Mapping[Pair, Known]) -> None:
        self._known = dict(known)

    def __getitem__(self, key: Pair | str) -> Known:
        pair = pair_of(key) if isinstance(key, str) else key
        if pair is None:
            raise KeyError(key)
        return self._known[pair]

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._known!r})"
