"""What a comparison says of the files that it wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path


def written_lines(paths: Sequence[Path]) -> Iterator[str]:
    """Name the files, a picture in several formats once."""
    endings: dict[str, list[str]] = {}
    for path in paths:
        endings.setdefault(path.stem, []).append(path.suffix)
    names = [f"{stem}{'/'.join(found)}" for stem, found in endings.items()]
    yield f"Written to {paths[0].parent}: {', '.join(names)}."
