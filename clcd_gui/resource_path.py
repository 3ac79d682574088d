"""Where the files live that come with the program: icons, example data, help pages."""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent / "resources"


def resource_path(*parts: str) -> Path:
    """Return the path of a bundled file; the same in a checkout, an installation and a frozen program."""
    return _ROOT.joinpath(*parts)
