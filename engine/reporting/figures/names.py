"""Names of variables as they stand in a figure: whole, in lines, and each in the order of its script."""

from __future__ import annotations

import re

from engine.wording.phrases import visible
from engine.wording.scripts import in_order

IN_A_GRAPH = 22
"""Letters of a line of a name in a graph."""

_BESIDE_A_SCALE, _ABOVE_A_PANEL = 44, 62
_WORD_PART = re.compile(r"\S+?(?:(?<=[_\-/.,;:])|(?= |$))|\S+| +")


def name_lines(name: str, most: int = IN_A_GRAPH) -> tuple[str, ...]:
    """Write a name in lines that end where a word does, all of it.

    >>> name_lines("Support by colleagues (0-10)")
    ('Support by colleagues', '(0-10)')
    """
    lines = [""]
    for part in _WORD_PART.findall(visible(name)):
        while len(part) > most:
            lines, part = [*lines, part[:most]], part[most:]
        if len(lines[-1]) + len(part.rstrip()) > most:
            lines.append("")
        lines[-1] += part
    return tuple(line.strip() for line in lines if line.strip()) or (name,)


def row_name(name: str) -> str:
    r"""Write the name of a row for the room at the side of a panel.

    >>> row_name("How often did you feel so tired that you stayed at home?")
    'How often did you feel so tired that you\nstayed at home?'
    """
    return "\n".join(map(in_order, name_lines(name, _BESIDE_A_SCALE)))


def panel_title(title: str) -> str:
    """Write what a panel shows for the room above it."""
    return "\n".join(map(in_order, name_lines(title, _ABOVE_A_PANEL)))
