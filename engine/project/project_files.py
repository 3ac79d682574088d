"""Project files, ``.clcd``: a zip of JSON and plain arrays.

Its entries:

``project.json``
    ``format`` (``"clcd-project"``), ``schema_version``, ``program_version``, ``table`` (the number of the
    table that is analysed, in ``tables.json``), ``source`` (that of the table as it was read, before the
    steps of columns and rows, or null), ``arrays`` (the name of the file beside it that holds the values
    of all tables, or null where they are in here), ``origin`` (``path`` and ``sha256`` of the file that the
    table was read from, or null), ``recipe``, ``knowledge``, ``notes``, ``variable_notes`` (pairs of a column
    and what was written about it), ``finding_notes`` (feature, label, and what was written), ``choices``
    (pairs of a preferred feature and the reason), ``view`` (how the window shows it), ``report`` (what its
    report says and shows), ``shown`` (the name of the run that was looked at last), and ``runs``: each with
    ``name``, ``note``, ``pinned``, ``started``, the numbers of the ``table`` that was searched and of the
    ``source`` that was made ready (or null), the ``recipe`` that led there, ``preparation``, and the entry
    that holds its ``result``.
``tables.json``, ``arrays/…``
    The tables, as :mod:`engine.table.archived` says; a column that several hold is there once.
``runs/N/result.json``
    What a run found, as :mod:`engine.reporting.result_file` says.
``picture.png``
    A small picture of what was found; may be absent.

Where ``arrays`` names a file, that is a zip of the entries ``arrays/…``; its name has a fingerprint of what
it holds, and it is never changed. ``schema_version`` is 2. It rises when a part is removed or changes its
meaning; parts may be added without. Version 1 had neither ``arrays`` nor ``view`` and ``report``, and its
results no ``effects``: a file of it is brought to the present version when it is read. What is open for
reading is never taken out onto the disk, and nothing in it can run code.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from cattrs import Converter
from cattrs.gen import override

from engine.atomic import atomic_path, one_at_a_time, opening, real_path
from engine.codec import DAMAGE, damage, describe, exact, new_converter
from engine.discovery.result import DiscoveryResult
from engine.errors import EngineError, InvalidParameter, UnreadableFile
from engine.knowledge.knowledge import Knowledge
from engine.knowledge.knowledge_files import knowledge_from_object, knowledge_object
from engine.parameters import require_type, required_path
from engine.preparation.preparation_settings import PreparationSettings
from engine.project.project import Project, Run
from engine.reporting.result_file import json_lines, result_object
from engine.reporting.result_layout import decode_result
from engine.reporting.tables import ResultContext
from engine.table.archived import (
    ARRAYS_EXTENSION,
    PICTURE,
    PROJECT,
    TABLES,
    Digests,
    DistinctColumns,
    is_arrays_name,
    read_json,
    read_picture,
    read_tables,
    write_arrays,
    write_json,
    write_pieces,
)
from engine.table.dataset import Dataset
from engine.table.zip_damage import DAMAGED_ZIP
from engine.translation import _
from engine.version import __version__
from engine.wording.sentences import (
    CHOOSE_ANOTHER_FILE,
    NO_PROJECT,
    OPEN_EARLIER_COPY,
)
from engine.wording.setting_names import the_setting

FORMAT = "clcd-project"
SCHEMA_VERSION = 2

_REMEDY = OPEN_EARLIER_COPY
_RESULT = "runs/{number}/result.json"
_FASTEST = 1
_MOST_ATTEMPTS = 5
_ZIP = b"PK"


class Encoded:
    """What was encoded for the last save, so that saving again costs what changed; no results are kept."""

    def __init__(self) -> None:
        self.digests: Digests = {}
        self._results: WeakKeyDictionary[DiscoveryResult, tuple[PreparationSettings | None, str]]
        self._results = WeakKeyDictionary()

    def result(self, run: Run) -> str:
        """Return what is written of the result of a run."""
        saved = self._results.get(run.result)
        if saved is None or saved[0] != run.preparation:
            saved = run.preparation, "".join(_result_lines(run))
            self._results[run.result] = saved
        return saved[1]


def save_project(path: str | os.PathLike[str], project: Project, encoded: Encoded | None = None) -> None:
    """Write a whole analysis into one file.

    The previous file stays until the new one is complete.

    Parameters
    ----------
    path : path-like
        The file, usually with the extension ``.clcd``.
    project : Project
        The analysis.
    encoded : Encoded, optional
        What was encoded for the last save, so that the next save is faster.

    Raises
    ------
    UnwritableFile
        If the file cannot be written. The previous file is then unchanged.
    InvalidParameter
        If `project` is not a project, or its recipe, view or report holds values that JSON cannot hold.

    Examples
    --------
    >>> import engine, tempfile
    >>> network = engine.simulate(labels=3, features=12, rows=500, seed=0)
    >>> project = engine.Project(dataset=network.dataset, notes="Nothing done yet.")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     engine.save_project(Path(folder) / "study.clcd", project)
    ...     engine.open_project(Path(folder) / "study.clcd").notes
    'Nothing done yet.'
    """
    require_type(project, Project, "project")
    target = real_path(path)
    tables = _distinct_tables(project)
    columns = DistinctColumns(list(tables.values()), None if encoded is None else encoded.digests)
    beside = _beside_name(target, columns) if project.is_data_beside else None
    converter = _converter(tables.values(), beside)
    if beside is not None:
        _write_beside(target.with_name(beside), columns, is_packed=encoded is None)
    try:
        with ExitStack() as until_saved:
            with atomic_path(path) as draft:
                with _new_archive(draft) as archive:
                    _write_project(archive, project, encoded, columns, converter, beside)
                # Two windows that save at once would else find the same earlier values, and leave their own.
                until_saved.enter_context(one_at_a_time(target.parent))
                earlier = _arrays_of(target)
            if beside is not None:
                # Another program may have removed it meanwhile, as nothing named it yet.
                _write_beside(target.with_name(beside), columns, is_packed=encoded is None)
            if earlier is not None and earlier != beside:
                _remove_unused(target.with_name(earlier))
    except BaseException:
        if beside is not None:
            # Another window may be about to name the same values.
            with one_at_a_time(target.parent):
                _remove_unused(target.with_name(beside))
        raise


def _write_project(
    archive: zipfile.ZipFile,
    project: Project,
    encoded: Encoded | None,
    columns: DistinctColumns,
    converter: Converter,
    beside: str | None,
) -> None:
    try:
        write_json(archive, PROJECT, _content(project, converter))
    except (TypeError, ValueError) as error:
        raise InvalidParameter(
            _("a step, the view or the report cannot be written ({error}).", error=error),
            place=the_setting("recipe"),
            remedy=_("Use texts, numbers, lists and mappings only."),
        ) from error
    for number, run in enumerate(project.runs, start=1):
        pieces = _result_lines(run) if encoded is None else [encoded.result(run)]
        write_pieces(archive, _RESULT.format(number=number), pieces)
    write_json(archive, TABLES, columns.described)
    if beside is None:
        write_arrays(archive, columns)
    if project.picture:
        archive.writestr(PICTURE, project.picture, zipfile.ZIP_STORED)


def _new_archive(draft: Path, is_packed: bool = True) -> zipfile.ZipFile:
    kind = zipfile.ZIP_DEFLATED if is_packed else zipfile.ZIP_STORED
    return zipfile.ZipFile(draft, "w", kind, compresslevel=_FASTEST)


def _write_beside(arrays: Path, columns: DistinctColumns, is_packed: bool) -> None:
    """Write the file with the values, unless it is there; as they are for whoever saves again and again."""
    if not arrays.exists():
        with atomic_path(arrays) as draft, _new_archive(draft, is_packed) as archive:
            write_arrays(archive, columns)


def _distinct_tables(project: Project) -> dict[str, Dataset]:
    tables: dict[str, Dataset] = {}
    sources = [run.source for run in project.runs]
    held_tables = (project.dataset, project.source, *sources, *(run.result.dataset for run in project.runs))
    for table in (candidate for candidate in held_tables if candidate is not None):
        tables.setdefault(_key(table), table)
    return tables


def _key(table: Dataset) -> str:
    described = [
        (variable.unit, variable.description, variable.event, variable.event_from)
        for variable in table.variables
    ]
    return f"{table.name}\n{table.content_hash}\n{len(table.notes)}\n{hash(tuple(described))}"


def _converter(tables: Iterable[Dataset], beside: str | None = None) -> Converter:
    """Return what writes and reads ``project.json``: tables are numbers; values may lie `beside`."""
    numbered = list(tables)
    number_of = {_key(table): number for number, table in enumerate(numbered)}
    converter = new_converter()
    converter.register_unstructure_hook(Dataset, lambda table: number_of[_key(table)])
    converter.register_structure_hook(Dataset, lambda number, _: numbered[_number(number)])
    converter.register_unstructure_hook(Knowledge, knowledge_object)
    converter.register_structure_hook(Knowledge, lambda value, _: _knowledge(value))
    # What a run found is in a file of its own.
    converter.register_structure_hook(DiscoveryResult, lambda result, _: result)
    pairs = override(
        unstruct_hook=lambda values: [list(pair) for pair in values.items()],
        struct_hook=lambda rows, _: dict(converter.structure(rows, tuple[tuple[str, str], ...])),
    )
    describe(
        converter,
        Run,
        "name note pinned started table source recipe preparation result settings",
        shown={"table": "result.dataset"},
        is_pinned=override(rename="pinned"),
        settings=override(unstruct_hook=lambda _: None, struct_hook=lambda settings, _: settings),
        result=override(unstruct_hook=lambda _: None),
    )
    describe(
        converter,
        Project,
        "table arrays origin source recipe knowledge notes variable_notes finding_notes choices shown view "
        "report runs",
        dataset=override(rename="table"),
        is_data_beside=override(
            rename="arrays", unstruct_hook=lambda _: beside, struct_hook=lambda name, _: name is not None
        ),
        variable_notes=pairs,
        finding_notes=override(
            unstruct_hook=lambda notes: [[*pair, note] for pair, note in notes.items()],
            struct_hook=lambda rows, _: {
                (feature, label): note
                for feature, label, note in converter.structure(rows, tuple[tuple[str, str, str], ...])
            },
        ),
        choices=pairs,
    )
    return converter


def _content(project: Project, converter: Converter) -> dict[str, Any]:
    """Return what ``project.json`` says."""
    encoded = converter.unstructure(project)
    for number, run in enumerate(encoded["runs"], start=1):
        del run["settings"]
        run["result"] = _RESULT.format(number=number)
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "program_version": __version__,
        **encoded,
    }


def _result_lines(run: Run) -> Iterable[str]:
    return json_lines(result_object(ResultContext(run.result, run.preparation)))


def _beside_name(target: Path, columns: DistinctColumns) -> str:
    return f"{target.stem}-{columns.fingerprint[:16]}{ARRAYS_EXTENSION}"


def _arrays_of(path: Path) -> str | None:
    """Return the name of the file with the values of a project that is there; None where it has none."""
    try:
        with zipfile.ZipFile(path) as archive:
            name = read_json(archive, PROJECT, "").get("arrays")
    except (*DAMAGED_ZIP, OSError, AttributeError, UnreadableFile):
        return None
    return name if isinstance(name, str) and is_arrays_name(name) else None


def _remove_unused(arrays: Path) -> None:
    """Remove a file with values unless a project beside it, whatever its name, or a copy of one, needs it."""
    # Else it is merely left: the project itself is whole.
    with suppress(OSError):
        if not any(_arrays_of(zip_file) == arrays.name for zip_file in _zip_files(arrays.parent)):
            arrays.unlink()


def _zip_files(folder: Path) -> Iterator[Path]:
    """Give the files that begin as zip files do: a backup may be called ``study.clcd.bak``."""
    with os.scandir(folder) as entries:
        for entry in entries:
            # One that cannot be opened, or has gone meanwhile, says nothing.
            with suppress(OSError):
                if entry.is_file() and _begins_as_zip(path := Path(entry.path)):
                    yield path


def _begins_as_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_ZIP)) == _ZIP


def open_project(path: str | os.PathLike[str]) -> Project:
    """Read a whole analysis from a project file, as :func:`save_project` writes it.

    Parameters
    ----------
    path : path-like
        The project file.

    Returns
    -------
    Project
        The same as was saved. Files of version 1 hold no estimates. These are computed when they are needed.

    Raises
    ------
    UnreadableFile
        If the file does not exist, is damaged, is not a project, or comes from a later version of CLCD.

    Examples
    --------
    >>> import engine, tempfile
    >>> network = engine.simulate(labels=3, features=12, rows=500, seed=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "study.clcd"
    ...     engine.save_project(path, engine.Project(dataset=network.dataset))
    ...     engine.open_project(path).dataset.labels == network.dataset.labels
    True
    """
    file = required_path(path)
    for _attempt in range(_MOST_ATTEMPTS):
        before = _moment(file)
        try:
            return _opened(file)
        except UnreadableFile:
            # Another window may have saved it meanwhile, and taken away the values that it named before.
            if _moment(file) == before:
                raise
    return _opened(file)


def _moment(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_ino, status.st_mtime_ns


def _opened(path: Path) -> Project:
    place = f"'{path}'"
    with opened_archive(path, place) as archive:
        content = read_json(archive, PROJECT, place)
        _check_version(content, place)
        tables = read_tables(archive, content, path, place)
        try:
            project = _project(content, tables, lambda name: read_json(archive, name, place), place)
            return replace(project, picture=read_picture(path))
        except UnreadableFile as error:
            error.place = error.place or place
            raise
        except DAMAGE as error:
            raise UnreadableFile(
                _("the project is damaged ({damage}).", damage=damage(error)), place=place, remedy=_(_REMEDY)
            ) from error


def opened_archive(path: str | os.PathLike[str], place: str) -> zipfile.ZipFile:
    """Open the zip file of a project."""
    try:
        with opening(path, place, _("Check the path."), _(CHOOSE_ANOTHER_FILE)):
            return zipfile.ZipFile(path)
    except DAMAGED_ZIP as error:
        raise UnreadableFile(_(NO_PROJECT), place=place, remedy=_(_REMEDY)) from error


def _check_version(content: Any, place: str) -> None:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise UnreadableFile(_("this is not a project of CLCD."), place=place, remedy=_("Choose a project."))
    version = content.get("schema_version")
    if not isinstance(version, int) or version < 1:
        raise UnreadableFile(_("the project does not say its version."), place=place, remedy=_(_REMEDY))
    if version > SCHEMA_VERSION:
        raise UnreadableFile(
            _("a newer version of the program saved it ({version}).", version=content.get("program_version")),
            place=place,
            remedy=_("Open it with that version, or a later one."),
        )


def _project(
    content: dict[str, Any], tables: Sequence[Dataset], entry: Callable[[str], Any], place: str
) -> Project:
    runs = []
    for run in content["runs"]:
        result = decode_result(entry(exact(run["result"], str)), tables[_number(run["table"])], place)
        runs.append({**run, "result": result, "settings": result.settings})
    # Version 1 had no values beside.
    return _converter(tables).structure({"arrays": None, **content, "runs": runs}, Project)


def _knowledge(value: Any) -> Knowledge:
    try:
        return knowledge_from_object(value)
    except EngineError as error:
        raise UnreadableFile(
            _("its causes and effects are damaged ({problem})", problem=error.problem),
            remedy=_(_REMEDY),
        ) from error


def _number(value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(_("a number in a table is damaged"))
    return value
