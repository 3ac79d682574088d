"""Reading tables: one module a format, and the sniffing of everything that a file does not say."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.errors import InvalidParameter
from engine.parameters import required_path
from engine.readers.formats import Format, format_of, formats
from engine.readers.labels import Labels, choose_labels
from engine.readers.options import ReadingOptions, make_options
from engine.readers.reading import Beginning, Guess, Reading, with_guesses
from engine.readers.source import Source
from engine.recipe import Recipe, as_recipe
from engine.recipe.step import PlainStep
from engine.table.dataset import Dataset, warn_of_repeats
from engine.translation import _
from engine.wording.setting_names import the_setting

__all__ = [
    "Beginning",
    "Format",
    "Guess",
    "Reading",
    "ReadingOptions",
    "find_label_file",
    "formats",
    "read_beginning",
    "read_dataset",
    "read_preview",
    "read_table",
]


def read_dataset(
    path: str | os.PathLike[str],
    labels: Labels = None,
    *,
    weights: str | None = None,
    groups: str | None = None,
    events: Mapping[str, str | None] | None = None,
    recipe: Recipe | Iterable[PlainStep] | str | os.PathLike[str] | None = None,
    **options: Any,
) -> Dataset:
    r"""Read a table from a file.

    Parameters
    ----------
    path : path-like
        A file in one of :func:`formats`, possibly gzipped.
    labels : path-like or iterable of str, optional
        A Mulan XML file that names the labels, or a second table that holds them, or the names of the label
        columns. A second table is joined by the identifier that both have. Default: the labels that the file
        declares itself (in a MEKA header). If it declares none, every column is a feature.
    weights : str, optional
        Name of the column that says how many rows each row stands for.
    groups : str, optional
        Name of the column that says which rows belong together, such as several rows of one person. These are
        not independent of each other.
    events : mapping of str to str, optional
        By column with two levels, the level that is its event, to which directions and estimates refer.
        Default: the names of the levels decide.
    recipe : Recipe, iterable of mapping, or path-like, optional
        Steps to apply to the table: a :class:`engine.Recipe`, its plain values, or a file of them. Names of
        labels, weights, groups and events are those after the last step.
    **options
        Fields of :class:`ReadingOptions`. What is not given is inferred from the content.

    Returns
    -------
    Dataset
        Rows and columns in the order of the file. Its notes say what was left out, looks unusual or was
        guessed, and name the options to read it otherwise.

    Raises
    ------
    UnreadableFile
        If a file does not exist, is damaged, or has an unknown format.
    InvalidData
        If the rows of the table differ in length, the table cannot be used, or the columns of weights or
        groups are not valid.
    InvalidParameter
        If a label is not a column, an event is not one of two levels, or an option is impossible.

    Warns
    -----
    DataWarning
        If a feature seems to say which rows belong together, and `groups` is left out.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "patients.csv"
    >>> _ = path.write_text("age,smoker,ill\n31,no,no\n64,yes,yes\n58,no,yes\n")
    >>> dataset = read_dataset(path, labels=["ill"])
    >>> dataset.features, dataset.labels, dataset.row_count
    (('age', 'smoker'), ('ill',), 3)
    >>> steps = [{"step": "cut", "column": "age", "points": [60], "into": "old"}]
    >>> read_dataset(path, labels=["old"], recipe=steps).variable("old").levels
    ('≤ 60', '> 60')
    >>> folder.cleanup()
    """
    from engine.readers.remedies import named_in_python

    reading = read_table(path, labels, make_options(options), as_recipe(recipe))
    dataset = with_guesses(reading)
    notes = tuple(map(named_in_python, dataset.notes))
    if notes != dataset.notes:
        dataset = replace(dataset, notes=notes)
    dataset = dataset.with_row_roles(weights, groups).with_events(events or {})
    warn_of_repeats(dataset)
    return dataset


def read_table(
    path: str | os.PathLike[str],
    labels: Labels = None,
    options: ReadingOptions | None = None,
    recipe: Recipe | None = None,
) -> Reading:
    """Read a table and report guesses and oddities; named labels are columns after the last recipe step."""
    from engine.readers.reading_steps import read_file

    file, options = required_path(path), options or ReadingOptions()
    if recipe is None or not recipe.active:
        return read_file(file, labels, options, None)
    if labels is None or isinstance(labels, (str, os.PathLike)):
        reading = read_file(file, labels, options, None)
        dataset = recipe.apply(reading.dataset)
    else:
        reading = read_file(file, None, options, None)
        dataset = choose_labels(recipe.apply(reading.dataset), list(labels))
        # The labels are those that were named, whatever the file says.
        reading = replace(
            reading, guesses=tuple(guess for guess in reading.guesses if guess.name != "labels")
        )
    return replace(reading, dataset=dataset, issues=dataset.notes)


def read_preview(
    path: str | os.PathLike[str],
    labels: Labels = None,
    options: ReadingOptions | None = None,
    rows: int = 1000,
) -> Reading:
    """Read the first rows of a table, to show them at once; types may change with the whole file."""
    from engine.readers.reading_steps import read_file

    if rows < 1:
        raise InvalidParameter(
            _("a preview of {rows} rows shows nothing.", rows=rows),
            place=the_setting("rows"),
            remedy=_("Use at least 1."),
        )
    return read_file(required_path(path), labels, options or ReadingOptions(), rows)


def read_beginning(path: str | os.PathLike[str], options: ReadingOptions | None = None) -> Beginning | None:
    """Read the first rows as they are written; None for a format that must be understood first."""
    source, chosen = Source(required_path(path)), options or ReadingOptions()
    return format_of(source, chosen).first_rows(source, chosen)


def find_label_file(path: str | os.PathLike[str]) -> Path | None:
    """Find the Mulan XML file that lies beside a data file and names its labels."""
    from engine.readers.labels import beside

    return beside(required_path(path))
