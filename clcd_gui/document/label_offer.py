"""Labels that some file names, ready to be taken over in one step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clcd_gui.wording.text import count_text, counted


@dataclass(frozen=True, slots=True)
class LabelOffer:
    """Names of labels, and where they come from."""

    names: tuple[str, ...]
    source: str

    @property
    def title(self) -> str:
        """Say the offer in a few words.

        Examples
        --------
        >>> LabelOffer(("sad", "calm"), "emotions.xml").title
        '2 labels from emotions.xml'
        """
        return f"{counted(len(self.names), 'label')} from {self.source}"


def named_few(names: Sequence[str], most: int = 6) -> str:
    """List some names and say how many more there are.

    Examples
    --------
    >>> named_few(("a", "b", "c"), most=2)
    'a, b and 1 more'
    """
    shown = ", ".join(names[:most])
    return f"{shown} and {count_text(len(names) - most)} more" if len(names) > most else shown
