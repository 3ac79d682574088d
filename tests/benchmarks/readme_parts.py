"""Parts of the benchmark pages that programs write, each between two marks."""

from __future__ import annotations

from pathlib import Path

MEASURED = Path(__file__).with_name("README.md")
SELECTION = Path(__file__).with_name("SELECTION.md")


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
