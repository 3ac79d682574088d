"""Project files, ``.clcd``: a zip of JSON and plain arrays.

Its entries:

``project.json``
    ``format`` (``"clcd-project"``), ``schema_version``, ``program_version``, ``table`` (the number of the
    table that was read, in ``tables.json``), ``origin`` (``path`` and ``sha256`` of its file, or null),
    ``recipe``, ``knowledge``, ``notes``, ``variable_notes`` (pairs of a column and what was written about
    it), ``finding_notes`` (feature, label, and what was written), ``choices`` (pairs of a preferred feature
    and the reason), ``shown`` (the name of the run that was looked at last), and ``runs``: each with
    ``name``, ``note``, ``pinned``, ``started``, the numbers of the ``table`` that was searched and of the
    ``source`` that was made ready (or null), ``preparation``, and the entry that holds its ``result``.
``tables.json``, ``arrays/…``
    The tables, as :mod:`engine.table.archived` says; a column that several hold is there once.
``runs/N/result.json``
    What a run found, as :mod:`engine.reporting.result_file` says.

``schema_version`` is 1. It rises when a part is removed or changes its meaning; parts may be added without.
What is open for reading is never taken out onto the disk, and nothing in it can run code.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.atomic import atomic_path
from engine.errors import EngineError, InvalidParameter, UnreadableFile
from engine.knowledge.files import knowledge_from_object, knowledge_object
from engine.knowledge.knowledge import Knowledge
from engine.preparation.settings import PreparationSettings
from engine.project.project import Origin, Project, Run
from engine.reporting.result_decoding import decode_result
from engine.reporting.result_file import result_object
from engine.reporting.tables import Analysis
from engine.table.archived import read_json, read_tables, write_json, write_tables
from engine.table.dataset import Dataset
from engine.version import __version__
from engine.wording.sentences import NO_PROJECT, NOT_THERE, OPEN_EARLIER_COPY

FORMAT = "clcd-project"
SCHEMA_VERSION = 1
CONTENT = "project.json"

_REMEDY = OPEN_EARLIER_COPY
_FASTEST = 1


def save_project(path: str | os.PathLike[str], project: Project) -> None:
    """Write a whole analysis into one file, at once: until it is whole, what was there before stays.

    Parameters
    ----------
    path : path-like
        The file, usually with the extension ``.clcd``.
    project : Project

    Raises
    ------
    UnwritableFile
        When the file cannot be written; what was there before is as it was.
    InvalidParameter
        When the recipe holds what JSON cannot.

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
    tables: dict[str, Dataset] = {}
    sources = [run.source for run in project.runs if run.source is not None]
    for table in (project.dataset, *sources, *(run.result.dataset for run in project.runs)):
        tables.setdefault(_key(table), table)
    number_of = {key: number for number, key in enumerate(tables)}
    content = {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "program_version": __version__,
        "table": number_of[_key(project.dataset)],
        "origin": None if project.origin is None else vars(project.origin),
        "recipe": [dict(step) for step in project.recipe],
        "knowledge": None if project.knowledge is None else knowledge_object(project.knowledge),
        "notes": project.notes,
        "variable_notes": list(project.variable_notes.items()),
        "finding_notes": [[*pair, note] for pair, note in project.finding_notes.items()],
        "choices": list(project.choices.items()),
        "shown": project.shown,
        "runs": [
            {
                "name": run.name,
                "note": run.note,
                "pinned": run.is_pinned,
                "started": run.started,
                "table": number_of[_key(run.result.dataset)],
                "source": None if run.source is None else number_of[_key(run.source)],
                "preparation": None if run.preparation is None else run.preparation.as_dict(),
                "result": f"runs/{number}/result.json",
            }
            for number, run in enumerate(project.runs, start=1)
        ],
    }
    with (
        atomic_path(path) as draft,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=_FASTEST) as archive,
    ):
        try:
            write_json(archive, CONTENT, content)
        except (TypeError, ValueError) as error:
            raise InvalidParameter(
                f"a step cannot be written ({error}).",
                place="setting 'recipe'",
                remedy="Use texts, numbers, lists and mappings only.",
            ) from error
        for number, run in enumerate(project.runs, start=1):
            analysis = Analysis(run.result, run.preparation)
            write_json(archive, f"runs/{number}/result.json", result_object(analysis))
        write_tables(archive, list(tables.values()))


def open_project(path: str | os.PathLike[str]) -> Project:
    """Read a whole analysis from the file that :func:`save_project` wrote.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    Project
        The same as was saved; how large findings are is measured again when it is asked for.

    Raises
    ------
    UnreadableFile
        When the file is absent, damaged, no project, or of a newer program.

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
    place = f"'{Path(path)}'"
    with opened_archive(path, place) as archive:
        content = read_json(archive, CONTENT, place)
        _check_version(content, place)
        tables = read_tables(archive, place)
        try:
            return _project(content, tables, lambda name: read_json(archive, name, place), place)
        except UnreadableFile:
            raise
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, EngineError) as error:
            raise UnreadableFile(
                f"the project is damaged ({type(error).__name__}: {error}).", place=place, remedy=_REMEDY
            ) from error


def opened_archive(path: str | os.PathLike[str], place: str) -> zipfile.ZipFile:
    """Open the zip file of a project.

    Raises
    ------
    UnreadableFile
        When it is absent or none.
    """
    try:
        return zipfile.ZipFile(path)
    except FileNotFoundError as error:
        raise UnreadableFile(NOT_THERE, place=place, remedy="Check the path.") from error
    except OSError as error:
        raise UnreadableFile(f"it could not be read ({error.strerror}).", place=place) from error
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise UnreadableFile(NO_PROJECT, place=place, remedy=_REMEDY) from error


def _key(table: Dataset) -> str:
    return f"{table.name}\n{table.content_hash}\n{len(table.notes)}"


def _check_version(content: Any, place: str) -> None:
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise UnreadableFile("this is no project of CLCD.", place=place)
    version = content.get("schema_version")
    if not isinstance(version, int) or version < 1:
        raise UnreadableFile("the project does not say its version.", place=place, remedy=_REMEDY)
    if version > SCHEMA_VERSION:
        raise UnreadableFile(
            f"a newer version of the program saved it ({content.get('program_version')}).",
            place=place,
            remedy="Open it with that version, or a later one.",
        )


def _project(
    content: Mapping[str, Any], tables: Sequence[Dataset], entry: Callable[[str], Any], place: str
) -> Project:
    known, origin = content["knowledge"], content["origin"]
    return Project(
        dataset=tables[_number(content["table"])],
        recipe=tuple(dict(step) for step in content["recipe"]),
        knowledge=None if known is None else _knowledge(known, place),
        runs=tuple(_run(each, tables, entry, place) for each in content["runs"]),
        notes=_text(content["notes"]),
        choices={_text(name): _text(reason) for name, reason in content["choices"]},
        origin=None if origin is None else Origin(_text(origin["path"]), _text(origin["sha256"])),
        # Parts that the first projects did not have.
        shown=_text(content.get("shown", "")),
        variable_notes={_text(name): _text(note) for name, note in content.get("variable_notes", ())},
        finding_notes={
            (_text(feature), _text(label)): _text(note)
            for feature, label, note in content.get("finding_notes", ())
        },
    )


def _knowledge(value: Any, place: str) -> Knowledge:
    try:
        return knowledge_from_object(value)
    except EngineError as error:
        raise UnreadableFile(
            f"what it says of causes and effects is damaged ({error.problem})", place=place, remedy=_REMEDY
        ) from error


def _run(
    content: Mapping[str, Any], tables: Sequence[Dataset], entry: Callable[[str], Any], place: str
) -> Run:
    result = decode_result(entry(_text(content["result"])), tables[_number(content["table"])], place)
    preparation = content["preparation"]
    return Run(
        name=_text(content["name"]),
        settings=result.settings,
        result=result,
        preparation=None if preparation is None else PreparationSettings(**preparation),
        note=_text(content["note"]),
        is_pinned=content["pinned"] is True,
        source=None if content["source"] is None else tables[_number(content["source"])],
        started=_text(content["started"]),
    )


def _number(value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError("a number of a table is none")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is none")
    return value
