"""Writing findings to files: a whole folder, or one file."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.atomic import atomic_folder, atomic_path
from engine.errors import InvalidParameter
from engine.exporting.analysis import Analysis
from engine.exporting.registry import ExportFormat, export_formats

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.preparation.settings import PreparationSettings
    from engine.table.dataset import Dataset


def export(
    result: DiscoveryResult,
    folder: str | os.PathLike[str],
    *,
    preparation: PreparationSettings | None = None,
    source: Dataset | None = None,
    also: Iterable[str] = (),
) -> tuple[Path, ...]:
    """Write findings into a folder: all files, or none when one cannot be written.

    Parameters
    ----------
    result : DiscoveryResult
        What was found.
    folder : str or path
        Where to; made when it does not exist. Files of the same names are replaced, others stay.
    preparation : PreparationSettings, optional
        How the table was made ready, so that the files say so.
    source : Dataset, optional
        The table as it was read, whose values go into data files instead of those of the prepared one.
    also : iterable of str
        Names of further formats besides the standard ones (keys of ``export_formats()``).

    Returns
    -------
    tuple of Path
        The files, in the order of the registry.

    Raises
    ------
    InvalidParameter
        When a format is not known.
    UnwritableFile
        When a file cannot be written; none is then.

    Examples
    --------
    >>> import engine, tempfile
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in engine.export(engine.discover(network.dataset), folder)][:3]
    ['result.json', 'common.csv', 'label_specific.csv']
    """
    asked = {find_format(name).name for name in also}
    chosen = [
        each
        for each in export_formats().values()
        if (each.standard and each.has_content(result)) or each.name in asked
    ]
    analysis = Analysis(result, preparation, source)
    with atomic_folder(folder) as drafts:
        for each in chosen:
            each.write(analysis, drafts / each.file_name)
    return tuple(Path(folder) / each.file_name for each in chosen)


def export_file(
    result: DiscoveryResult,
    path: str | os.PathLike[str],
    format_name: str,
    *,
    preparation: PreparationSettings | None = None,
    source: Dataset | None = None,
) -> Path:
    """Write findings to one file of one format.

    Parameters
    ----------
    result, preparation, source
        As for :func:`export`.
    path : str or path
        The file; its folder must exist.
    format_name : str
        A key of ``export_formats()``.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InvalidParameter
        When the format is not known.
    UnwritableFile
        When the file cannot be written.
    """
    chosen = find_format(format_name)
    with atomic_path(path) as draft:
        chosen.write(Analysis(result, preparation, source), draft)
    return Path(path)


def find_format(name: str) -> ExportFormat:
    """Give the format of a name.

    Raises
    ------
    InvalidParameter
        When it is not known; the message names those that are.
    """
    known = export_formats()
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    remedy = f"Did you mean '{near[0]}'?" if near else f"Formats are: {', '.join(known)}."
    raise InvalidParameter(f"{name!r} is no export format.", place="formats", remedy=remedy)
