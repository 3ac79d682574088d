"""Names of the labels of a table, as Mulan keeps them in an XML file beside an ARFF file.

Tsoumakas, Spyromitros-Xioufis, Vilcek and Vlahavas 2011, Mulan: a Java library for multi-label learning,
JMLR 12:2411-2414.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr


def write_label_file(labels: Sequence[str], path: Path) -> None:
    """Write the names of the labels of a table."""
    lines = [f"<label name={quoteattr(label)}></label>" for label in labels]
    start = '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">'
    path.write_text("\n".join([start, *lines, "</labels>\n"]), "utf-8")
