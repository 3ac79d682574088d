"""Writes a table in every format that the program reads, for the trial of the frozen program."""

from __future__ import annotations

import gzip
import sys
import zipfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

import engine  # noqa: E402

_ENDINGS = (
    *("xlsx", "sav", "zsav", "por", "dta", "xpt", "parquet", "feather", "json", "jsonl"),
    *("rds", "mat", "old.mat", "svm", "csv.gz", "csv.zip", "clcd", "coded"),
)


def write_formats(table: Path, labels: Path, folder: Path) -> list[Path]:
    """Write a table in each format and return the paths.

    Parameters
    ----------
    table, labels : Path
        A table as text, and the names of its labels.
    folder : Path
        Receives the files.

    Returns
    -------
    list of Path
        Libraries know how to write these; workbooks of LibreOffice and old ones of Excel are read by the
        library that reads new ones.
    """
    written = [folder / f"table.{ending}" for ending in _ENDINGS]
    paths = dict(zip(_ENDINGS, written, strict=True))
    _write_by_pandas(table, paths)
    _write_by_their_own(table, paths)
    dataset = engine.read_dataset(table, labels=labels)
    engine.save_project(paths["clcd"], engine.Project(dataset=dataset))
    categories = engine.prepare(dataset, discretise="quantile", missing="most-frequent")
    engine.write_coded(categories, paths["coded"])
    return written


def _write_by_pandas(table: Path, paths: dict[str, Path]) -> None:
    import pandas

    frame = pandas.read_csv(table)
    frame.to_excel(paths["xlsx"], index=False)
    frame.to_parquet(paths["parquet"])
    frame.to_feather(paths["feather"])
    frame.to_json(paths["json"], orient="records")
    frame.to_json(paths["jsonl"], orient="records", lines=True)
    with gzip.open(paths["csv.gz"], "wb") as packed:
        packed.write(table.read_bytes())
    with zipfile.ZipFile(paths["csv.zip"], "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(table, "table.csv")


def _write_by_their_own(table: Path, paths: dict[str, Path]) -> None:
    import h5py
    import pandas
    import pyreadstat
    import rdata
    from scipy.io import savemat
    from sklearn.datasets import dump_svmlight_file

    frame = pandas.read_csv(table)
    short = frame.rename(columns={name: f"v{number}" for number, name in enumerate(frame)})
    pyreadstat.write_sav(short, paths["sav"])
    pyreadstat.write_sav(short, paths["zsav"], compress=True)
    pyreadstat.write_por(short, paths["por"])
    pyreadstat.write_dta(short, paths["dta"])
    pyreadstat.write_xport(short, paths["xpt"])
    words = dict.fromkeys(short.select_dtypes(exclude="number"), object)
    rdata.write_rds(paths["rds"], short.astype(words))
    numbers = frame.select_dtypes("number").fillna(0).to_numpy(dtype=float)
    savemat(paths["old.mat"], {"x": numbers})
    dump_svmlight_file(numbers[:, 1:], numbers[:, 0] > numbers[:, 0].mean(), str(paths["svm"]))
    with h5py.File(paths["mat"], "w", userblock_size=512) as file:
        file["x"] = numbers.T
        file["x"].attrs["MATLAB_class"] = "double"
