"""What is asked and changed in real tables that are as they should be: hardly anything, and nothing.

Run by hand, from the project's folder, with folders of CSV files beside the tables of scikit-learn and
statsmodels, and with the number of files that are drawn from these by a seed::

    python -m tests.benchmarks.harmless
    python -m tests.benchmarks.harmless FOLDER --files 200 --seed 3

It prints each table in which a person is asked something before it is opened, and each whose values are not
those that pandas reads. The folders may hold what packages bring of Rdatasets, such as pydataset. Whether a
question is needless is for a person to say: codes of sectors, or 999 years, are asked about rightly.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import random
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas

from clcd_gui.document.doubts import doubts_of
from engine.errors import EngineError
from engine.readers import Reading, read_table
from engine.readers.options import ReadingOptions
from engine.table.variable import Kind

_SMALLEST, _LARGEST = 1500, 400_000


@dataclass(frozen=True)
class Verdict:
    """What came of reading a table.

    Attributes
    ----------
    name : str
    questions : tuple of str
        Titles of the cards with a question, before or beside the open table.
    changed : tuple of str
        Columns whose values are others than those that pandas reads, and what else differs.
    """

    name: str
    questions: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def write_tables(folder: Path) -> list[Path]:
    """Write the tables that scikit-learn and statsmodels bring along as CSV files."""
    paths = []
    for name, frame in (*_of_scikit_learn(), *_of_statsmodels()):
        paths.append(folder / f"{name}.csv")
        frame.to_csv(paths[-1], index=not isinstance(frame.index, pandas.RangeIndex))
    return paths


def _of_scikit_learn() -> Iterator[tuple[str, pandas.DataFrame]]:
    from sklearn import datasets

    for name in ("iris", "wine", "breast_cancer", "diabetes", "digits", "linnerud"):
        yield name, getattr(datasets, f"load_{name}")(as_frame=True).frame


def _of_statsmodels() -> Iterator[tuple[str, pandas.DataFrame]]:
    from statsmodels import datasets

    for module in pkgutil.iter_modules(datasets.__path__):
        if module.ispkg and module.name != "tests":
            loaded = importlib.import_module(f"{datasets.__name__}.{module.name}")
            yield module.name, loaded.load_pandas().data


def judge(path: Path) -> Verdict:
    """Read a table as a person opens it, and compare it with what pandas reads."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = pandas.read_csv(path)
    try:
        reading = read_table(path)
    except EngineError as error:
        return Verdict(path.name, changed=(str(error),))
    doubts = doubts_of(reading, ReadingOptions())
    questions = tuple(doubt.title for doubt in doubts if doubt.is_serious or doubt.is_to_check)
    return Verdict(path.name, questions, tuple(_differences(reading, frame)))


def _differences(reading: Reading, frame: pandas.DataFrame) -> Iterator[str]:
    dataset = reading.dataset
    if dataset.row_count != len(frame):
        yield f"{dataset.row_count} rows and not {len(frame)}"
        return
    filled = [name for name in frame.columns if frame[name].notna().any()]
    if len(dataset.names) < len(filled):
        yield f"{len(dataset.names)} columns and not {len(filled)}"
        return
    names = dict(zip(frame.columns, dataset.names, strict=False))
    for name in filled:
        variable, column = dataset.variable(names[name]), dataset.column(names[name])
        if variable.kind is Kind.CONTINUOUS:
            values: np.ndarray = column
        else:
            values = np.array([*variable.levels, None], dtype=object)[column]
        if not _are_equal(values, frame[name]):
            yield names[name]


def _are_equal(values: np.ndarray, series: pandas.Series) -> bool:
    """Compare numbers as numbers and texts as texts; what is missing must be missing in both."""
    if not np.array_equal(pandas.isna(values), series.isna().to_numpy()):
        return False
    present = series.notna().to_numpy()
    if pandas.api.types.is_numeric_dtype(series) and not pandas.api.types.is_bool_dtype(series):
        return np.array_equal(values[present].astype(float), series[present].to_numpy(dtype=float))
    texts = [str(value).strip() for value in values[present]]
    return [text.casefold() for text in texts] == [str(value).strip().casefold() for value in series[present]]


def drawn(folders: Sequence[Path], count: int, seed: int) -> list[Path]:
    """Draw files of folders that are neither tiny nor large."""
    paths = sorted(path for folder in folders for path in folder.rglob("*.csv") if path.name[0] != ".")
    fitting = [path for path in paths if _SMALLEST < path.stat().st_size < _LARGEST]
    random.Random(seed).shuffle(fitting)
    return fitting[:count]


def main() -> None:
    """Judge the tables, and say what was asked and changed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = [*write_tables(Path(folder)), *drawn(arguments.folders, arguments.files, arguments.seed)]
        verdicts = [judge(path) for path in paths]
    for verdict in verdicts:
        for what, titles in (("asked", verdict.questions), ("changed", verdict.changed)):
            if titles:
                sys.stdout.write(f"{verdict.name}: {what}: {'; '.join(titles)}\n")
    questioned = sum(bool(verdict.questions) for verdict in verdicts)
    changed = sum(bool(verdict.changed) for verdict in verdicts)
    sys.stdout.write(f"{len(verdicts)} tables: asked in {questioned}, changed in {changed}.\n")


if __name__ == "__main__":
    main()
