"""Write the parts of the user guide that are made: the glossary of the words of the program.

Run it from the project's folder::

    python packaging/make_guide.py resources/help/guide
"""

from __future__ import annotations

import sys
from pathlib import Path

from clcd_gui.shell.help_pages import glossary_page


def main(folder: str | Path) -> None:
    """Write them into a folder."""
    Path(folder, "glossary.md").write_text(glossary_page(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
