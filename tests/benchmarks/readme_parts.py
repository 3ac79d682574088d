"""Parts of the pages that programs write, each between two marks.

Many parts have the name of the command that prints them. This runs it, and puts its table into the page::

    python -m tests.benchmarks.readme_parts tests/benchmarks/FEW_ROWS.md
    python -m tests.benchmarks.readme_parts tests/benchmarks/FEW_ROWS.md --only "few_rows .* --wide"
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

MEASURED = Path(__file__).with_name("README.md")
SELECTION = Path(__file__).with_name("SELECTION.md")
COMMAND = "python -m tests.benchmarks."


def write_part(readme: Path, part: str, text: str) -> None:
    """Put text between the marks of a part.

    Raises
    ------
    ValueError
        When the marks are not there.
    """
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    before, found_begin, rest = readme.read_text(encoding="utf-8").partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found_begin and found_end):
        raise ValueError(f"{readme} has no part {part!r}")
    readme.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def parts(text: str) -> dict[str, str]:
    """Return what a page holds between marks, by the name of the part."""
    return dict(re.findall(r"<!-- (.+): begin -->\n\n(.*?)\n\n<!-- \1: end -->", text, flags=re.DOTALL))


def main() -> None:
    """Run the commands that parts of a page are named after, and write what they print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--only", default="", help="a regular expression that the command holds")
    arguments = parser.parse_args()
    for part in parts(arguments.page.read_text(encoding="utf-8")):
        if part.startswith(COMMAND) and re.search(arguments.only, part):
            command = [sys.executable, *shlex.split(part)[1:]]
            printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
            write_part(arguments.page, part, printed.strip())


if __name__ == "__main__":
    main()
