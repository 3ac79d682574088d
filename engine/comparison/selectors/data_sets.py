"""The tables that selection is compared on: files, or folders with the parts of a public data set."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from engine.errors import InvalidData, UnreadableFile
from engine.preparation.preparation_settings import PreparationSettings
from engine.preparation.prepare import prepare
from engine.progress import Progress
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Variable, missing_mask
from engine.translation import _
from engine.wording.numbers import counted
from engine.wording.setting_names import SettingName, naming_settings

# One column says all of a feature with two values.
_TWO = 2
# How a public data set may lie in its folder, the whole before its parts.
_ENDINGS = ("arff", "arff.gz")
_WHOLE = ("{name}.{ending}", "{name}.orig.{ending}")
_PARTS = ("{name}-train.{ending}", "{name}-test.{ending}")


@dataclass(frozen=True, eq=False)
class LabelledTable:
    """A table with numbers for features and truth values for labels."""

    dataset: Dataset

    def __post_init__(self) -> None:
        dataset = self.dataset
        if len(dataset.labels) < _TWO:
            raise InvalidData(
                _(
                    "it has {labels}; a comparison needs at least two.",
                    labels=counted(len(dataset.labels), "label"),
                ),
                place=f"'{dataset.name}'",
                remedy=_("Put a Mulan XML file that names the labels beside it, or use a MEKA file."),
            )
        for name in (*dataset.features, *dataset.labels):
            if missing_mask(dataset.variable(name), dataset.column(name)).any():
                raise InvalidData(
                    _("it has missing values, which classifiers cannot use."),
                    place=_("'{table}', column '{column}'", table=dataset.name, column=name),
                    remedy=naming_settings(
                        _("Set {setting} to fill them, or leave the column out."),
                        setting=SettingName("missing", "imputed"),
                    ),
                )
        for name in dataset.labels:
            if _level_count(dataset, name) > _TWO:
                raise InvalidData(
                    _("it has more than two values."),
                    place=_("'{table}', label '{label}'", table=dataset.name, label=name),
                    remedy=_("Make one label of each of its values."),
                )

    @property
    def name(self) -> str:
        """What the data set is called."""
        return self.dataset.name

    @cached_property
    def values(self) -> np.ndarray:
        """One number a feature, float64 of shape (rows, features); categories of words by their position."""
        columns = [_numbers(self.dataset, name) for name in self.dataset.features]
        return np.column_stack(columns) if columns else np.empty((self.dataset.row_count, 0))

    @cached_property
    def labels(self) -> np.ndarray:
        """Bool of shape (rows, labels); the higher of two values, or the later of two words, is true."""
        return np.column_stack([_truth(self.dataset, name) for name in self.dataset.labels])

    def design(self, features: Sequence[int]) -> np.ndarray:
        """Return what a classifier learns from: a column a feature, or one a category of three or more."""
        if not len(features):
            return np.empty((self.dataset.row_count, 0))
        return np.column_stack([self._columns(position) for position in features])

    def _columns(self, position: int) -> np.ndarray:
        name = self.dataset.features[position]
        levels = self.dataset.variable(name).level_count
        if self.dataset.variable(name).kind is Kind.CONTINUOUS or levels <= _TWO:
            return self.values[:, position]
        indicators: np.ndarray = (self.dataset.column(name)[:, None] == np.arange(levels)).astype(np.float64)
        return indicators


def as_it_is(dataset: Dataset) -> Dataset:
    """Return a table."""
    return dataset


def without_gaps(
    dataset: Dataset, preparation: PreparationSettings, progress: Progress | None = None
) -> Dataset:
    """Return a table without empty cells, the first of several draws; as it is if tests leave cells out."""
    if preparation.missing == "per-test" or not dataset.has_missing:
        return dataset
    few = PreparationSettings(
        missing=preparation.missing,
        imputations=2,
        imputation_seed=preparation.imputation_seed,
        set_aside=False,
        max_levels=preparation.max_levels,
        rows_per_level=preparation.rows_per_level,
    )
    return prepare(dataset, few, progress=progress).completed(0)


def read_labelled_tables(
    path: str | os.PathLike[str], completed: Callable[[Dataset], Dataset] = as_it_is
) -> tuple[LabelledTable, ...]:
    """Read the tables of a path: a file with labels, the folder of a data set, or a folder of such folders.

    A data set is ``name.arff``, or ``name-train.arff`` and ``name-test.arff`` (possibly gzipped), in a folder
    ``name``.
    """
    place = Path(path)
    if place.is_file():
        return (read_parts([place], completed),)
    files = _files_of(place)
    if files:
        return (read_parts(files, completed),)
    inside = sorted(folder for folder in place.iterdir() if folder.is_dir()) if place.is_dir() else []
    files_of_folders = [
        files
        for folder in inside
        if (folder / f"{folder.name}.xml").exists() and (files := _files_of(folder))
    ]
    if not files_of_folders:
        raise UnreadableFile(
            _("there is no data set."),
            place=f"'{place}'",
            remedy=_("Give a file, or a folder 'name' that holds 'name.arff' and 'name.xml'."),
        )
    return tuple(read_parts(files, completed) for files in files_of_folders)


def read_parts(paths: Sequence[Path], completed: Callable[[Dataset], Dataset] = as_it_is) -> LabelledTable:
    """Read a table that may lie in several files with the same columns, and put the rows together."""
    from engine.readers import find_label_file, read_dataset

    parts = [read_dataset(path, labels=find_label_file(path)) for path in paths]
    name = paths[0].parent.name if len(paths) > 1 else paths[0].name.partition(".")[0]
    return LabelledTable(completed(replace(_joined(parts, name), name=name)))


def _files_of(folder: Path) -> list[Path]:
    names = [form.format(name=folder.name, ending=ending) for form in _WHOLE for ending in _ENDINGS]
    whole = _existing(folder, names)
    if whole is not None:
        return [whole]
    paths = [
        _existing(folder, [form.format(name=folder.name, ending=ending) for ending in _ENDINGS])
        for form in _PARTS
    ]
    parts = [path for path in paths if path is not None]
    return parts if len(parts) == len(_PARTS) else []


def _existing(folder: Path, names: Sequence[str]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _joined(parts: Sequence[Dataset], name: str) -> Dataset:
    first = parts[0]
    if any(part.names != first.names or part.labels != first.labels for part in parts):
        raise InvalidData(_("its parts have different columns."), place=f"'{name}'")
    if len(parts) == 1:
        return first
    variables, columns = [], []
    for column_name in first.names:
        versions = [part.variable(column_name) for part in parts]
        if all(version == versions[0] for version in versions):
            variables.append(versions[0])
            columns.append(np.concatenate([part.column(column_name) for part in parts]))
        else:
            # A number with two values in one part and more in another is read as categories there.
            variables.append(Variable(column_name, Kind.CONTINUOUS, versions[0].role))
            columns.append(np.concatenate([_numbers(part, column_name) for part in parts]))
    return Dataset(tuple(variables), tuple(columns), first.name)


def _numbers(dataset: Dataset, name: str) -> np.ndarray:
    """Give a column as numbers: its own, those that its categories spell, or the places of its categories."""
    variable, column = dataset.variable(name), dataset.column(name)
    if variable.kind is Kind.CONTINUOUS:
        return column
    try:
        spelt = np.array([float(level) for level in variable.levels])
    except ValueError:
        return column.astype(np.float64)
    numbers: np.ndarray = spelt[column]
    return numbers


def _level_count(dataset: Dataset, name: str) -> int:
    variable, column = dataset.variable(name), dataset.column(name)
    return len(np.unique(column)) if variable.kind is Kind.CONTINUOUS else variable.level_count


def _truth(dataset: Dataset, name: str) -> np.ndarray:
    """Tell where a label is true: at its later category, or at the higher of two numbers."""
    numbers = _numbers(dataset, name)
    variable = dataset.variable(name)
    if variable.kind is Kind.NOMINAL and variable.level_count == _TWO:
        truth: np.ndarray = dataset.column(name) == 1
    else:
        # The only value that it has is true unless it is 0.
        truth = numbers > (float(numbers.min()) if len(np.unique(numbers)) > 1 else 0.0)
    return truth
