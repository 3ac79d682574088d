"""Results kept in a folder, so that a comparison that was interrupted goes on where it was."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from engine.atomic import write_text
from engine.errors import UnreadableFile

Kept = TypeVar("Kept")

_ENGINE = Path(__file__).resolve().parents[1]
_FINGERPRINT_DIGITS = 12


class KeptValues:
    """A folder with one file a result, named by all that decides it.

    Parameters
    ----------
    folder : path
        Made with the first result.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)

    def get(self, start: str, key: dict[str, Any], decode: Callable[[dict[str, Any]], Kept]) -> Kept | None:
        """Return the result of an earlier run; None when there is none.

        Parameters
        ----------
        start : str
            How its file name begins.
        key : dict
            Everything that decides it, as plain values.
        decode : callable
            Makes the result of plain values.

        Raises
        ------
        UnreadableFile
            When the file was damaged.
        """
        path = self._path(start, key)
        try:
            return decode(json.loads(path.read_text("utf-8"))["outcome"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UnreadableFile(
                "it cannot be read as an outcome of a benchmark.",
                place=f"'{path}'",
                remedy="Delete it, or choose another folder.",
            ) from error

    def put(self, start: str, key: dict[str, Any], values: dict[str, Any]) -> None:
        """Keep a result as plain values, all of it or nothing.

        Raises
        ------
        UnwritableFile
            When the file cannot be written.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        content = {"key": key, "outcome": values}
        write_text(self._path(start, key), json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    def _path(self, start: str, key: dict[str, Any]) -> Path:
        text = json.dumps(key, sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:_FINGERPRINT_DIGITS]
        return self._folder / f"{start}-{digest}.json"


@functools.cache
def code_fingerprint(sources: tuple[str, ...]) -> str:
    """Return a SHA-256 over sources that decide results; empty where there are no sources.

    Parameters
    ----------
    sources : tuple of str
        Folders and modules below ``engine``, such as ``"boundaries"`` and ``"selection/select.py"``.

    Raises
    ------
    FileNotFoundError
        When the program has its sources, and one of these is not among them.

    Examples
    --------
    >>> len(code_fingerprint(("boundaries",)))
    12
    """
    paths = sorted({path for source in sources for path in _files(_ENGINE / source)})
    if not paths:
        return ""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"\0{path.relative_to(_ENGINE).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:_FINGERPRINT_DIGITS]


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        return list(place.rglob("*.py"))
    if place.exists():
        return [place]
    if (_ENGINE / "__init__.py").exists():
        raise FileNotFoundError(f"{place} is named as a source that decides results, and is not there.")
    return []
