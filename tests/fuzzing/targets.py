"""Everything that reads a file which somebody else may have written, with small files that are whole."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import math
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas

import engine
from engine.readers import read_beginning, read_preview, read_table
from engine.readers.formats import formats
from engine.readers.labels import read_mulan_labels
from engine.readers.options import ReadingOptions
from engine.readers.source import Source
from engine.table.dataset import Dataset
from tests.fuzzing.handmade import ods_of, xls_of, xlsb_of, zipped

_PROJECTS = Path(__file__).parents[1] / "engine" / "projects"
_EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
_SHARED = Path(__file__).parents[3] / "shared" / "data"
_LARGEST_SEED = 12_000
_ROWS_OF_EXAMPLE, _COLUMNS_OF_EXAMPLE = 12, 7
_LARGEST_LABEL_FILE = 600
_LARGEST_OF_SAS = 1 << 17
_NAMES = ("age", "dose", "smoker", "ill", "tired")


@dataclass(frozen=True)
class Target:
    """What reads one kind of file.

    Attributes
    ----------
    ending : str
        Of the name of its files.
    seeds : callable
        Returns files that are whole.
    read : callable
        Reads a file, in the way that a number chooses where there are several; and uses what it holds.
    is_ours : bool
        No library parses it.
    format : str
        Which of :func:`engine.readers.formats` it tries; empty where it is none of tables.
    """

    ending: str
    seeds: Callable[[], list[bytes]]
    read: Callable[[Path, int], object]
    is_ours: bool = True
    format: str = ""


_SHAPES = {5: "turned", 9: "long", 13: "wide"}
"""Asked for in so many of sixteen ways; a table of another shape is refused."""


def _table(path: Path, way: int) -> None:
    if way % 4 == 0:
        _check(read_preview(path, rows=10).dataset)
        read_beginning(path)
    else:
        _check(read_table(path, options=ReadingOptions(shape=_shape(way))).dataset)


def _shape(way: int) -> str:
    return _SHAPES.get(way % 16, "as-written")


def _as(name: str) -> Callable[[Path, int], None]:
    """Read a file as of this format, whatever its beginning says."""

    def read(path: Path, way: int) -> None:
        ways = ("error", "drop") if "ragged" in formats()[name].options else ("error",)
        options = ReadingOptions(format=name, ragged=ways[way % len(ways)], shape=_shape(way))
        if way % 4 == 0:
            _check(read_preview(path, options=options, rows=10).dataset)
        else:
            _check(read_table(path, options=options).dataset)

    return read


def _check(table: Dataset) -> None:
    """Look at a table as whoever uses it does."""
    assert len(set(table.names)) == len(table.names)
    assert table.content_hash
    for variable, column in zip(table.variables, table.columns, strict=True):
        assert len(column) == table.row_count
        if variable.levels:
            assert int(column.max(initial=-1)) < len(variable.levels) and int(column.min(initial=0)) >= -1
    for note in table.notes:
        assert note.message


def _labels(path: Path, way: int) -> None:
    table = path.with_name("table.csv")
    if not table.exists():
        named = {name for example in _label_examples() for name in read_mulan_labels(Source(example))}
        others = sorted(named - set(_NAMES))
        rows = (",".join(str((row + place) % 3) for place in range(len(others))) for row in range(3))
        header = ",".join((*_NAMES, *others))
        ends = ("1,2,a,0,1", "2,1,b,1,0", "3,3,a,1,1")
        table.write_text("\n".join([header, *(f"{end},{row}" for end, row in zip(ends, rows, strict=True))]))
    _check(read_table(table, labels=path).dataset)


def _joined(path: Path, way: int) -> None:
    """Read a table whose labels stand in a damaged second one, or in a whole one beside a damaged table."""
    beside = path.with_name("beside.csv")
    if not beside.exists():
        beside.write_text("id;fever;cough\n" + "".join(f"p{row};{row % 2};{row % 3}\n" for row in range(9)))
    pair = (beside, path) if way % 2 else (path, beside)
    if way % 4 < 2:
        _check(read_preview(pair[0], pair[1], rows=5).dataset)
    _check(read_table(*pair).dataset)


def _network(path: Path, way: int) -> None:
    from engine.readers.networks import read_network

    network = read_network(path)
    assert all(name.encode() and levels for name, levels in network.levels.items())


def _result(path: Path, way: int) -> None:
    from engine.reporting.result_file import read_result

    result = read_result(path)
    assert result.findings is not None and len(result.common) >= 0 and len(result.label_specific) >= 0


def _project(path: Path, way: int) -> None:
    if way % 8 == 0:
        _check(read_table(path).dataset)
        return
    project = engine.open_project(path)
    _check(project.dataset)
    for run in project.runs:
        assert len(run.result.common) >= 0


def _knowledge(path: Path, way: int) -> None:
    from engine.knowledge.knowledge_files import read_knowledge

    read_knowledge(path, (None, _NAMES)[way % 2])


def _recipe(path: Path, way: int) -> None:
    from engine.recipe import read_recipe

    recipe = read_recipe(path)
    assert all(recipe.sentences())
    _check(recipe.apply(_small_table()))


def _settings(path: Path, way: int) -> None:
    from PySide6.QtCore import QSettings

    from clcd_gui.document.app_settings import AppSettings

    settings = AppSettings(QSettings(str(path), QSettings.Format.IniFormat))
    assert isinstance(settings.scheme, str) and math.isfinite(settings.zoom)
    assert all(str(recent_file) for recent_file in settings.recent_files) and settings.folder is not None
    for name in ("geometry", "shows_why", "knows_tour", "live", "known_readings"):
        getattr(settings, name)
    settings.add_recent_file(Path("table.csv"))


def _outcome(path: Path, way: int) -> None:
    """Read what a comparison kept of an earlier run."""
    from engine.comparison.networks.result import NetworkOutcome
    from engine.comparison.page import StoredValues
    from engine.comparison.selectors.result import SelectionOutcome

    folder = path.with_name("kept")
    stored, key = StoredValues(folder), {"of": 1}
    if not folder.exists():
        stored.put("run", key, {})
    next(folder.iterdir()).write_bytes(path.read_bytes())
    kinds: tuple[type, ...] = (NetworkOutcome, SelectionOutcome)
    stored.get("run", key, kinds[way % 2])


def _recovery(path: Path, way: int) -> None:
    from clcd_gui.document.recovery import CONTENT, RecoveryStore

    folder = path.parent / "kept" / "one"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CONTENT).touch()
    (folder / "about.json").write_bytes(path.read_bytes())
    store = RecoveryStore(folder.parent)
    (recovery,) = store.left_behind()
    store.abandon()
    assert recovery.project is None or recovery.project.name is not None


def _small_table() -> Dataset:
    frame = pandas.DataFrame(
        {
            "age": [31.0, 64.0, 58.0, 40.5, np.nan, 77.0],
            "dose": [1.0, 2.0, 2.5, 0.0, 3.0, 1.0],
            "smoker": ["no", "yes", "no", "yes", "no", "no"],
            "ill": ["no", "yes", "yes", "no", "no", "yes"],
            "tired": [0, 1, 1, 0, 1, 0],
            "visit": ["2024-01-31", "2024-02-01", "2023-12-24", "2024-05-05", "2024-02-29", "2022-07-01"],
        }
    )
    return Dataset.from_frame(frame, labels=["ill", "tired"])


def _given(*patterns: str, largest: int = _LARGEST_SEED) -> list[bytes]:
    """Return small public files beside the project, where they are there."""
    paths = [path for pattern in patterns for path in sorted(_SHARED.glob(pattern))]
    return [path.read_bytes() for path in paths if path.stat().st_size <= largest]


def _beginning(path: Path) -> bytes:
    """Return the first rows and columns of a text table: a few cells try as much as many, and sooner."""
    lines = path.read_bytes().splitlines(keepends=True)[:_ROWS_OF_EXAMPLE]
    return b"".join(b",".join(line.split(b",")[:_COLUMNS_OF_EXAMPLE]).rstrip() + b"\n" for line in lines)


def _text_tables() -> list[bytes]:
    german = "Datum;CO(GT);C6H6;;\n10/03/2004;2,6;-200;;\n11/03/2004;1.000,5;9,4;;\n12/03/2004;;9,0;;\n"
    named = 'Report of May\n\n"a ""b""",c d,e\n1,"x, y",?\n2,"x\ny",NA\n3,z,-999\n4,z,1e5\n'
    return [
        *(_beginning(path) for path in sorted(_EXAMPLES.glob("*.csv"))),
        german.encode("cp1252"),
        named.encode(),
        "\ufefföl\tmaß\n1\t2024-01-02\n2\t2024-02-03 10:00\n".encode("utf-16"),
        b"1 2 3\n4 5 6\n7 8 9\n",
        *_other_shapes(),
        *_given("messy/*.csv", "messy/*.txt"),
    ]


def _other_shapes() -> list[bytes]:
    """Return genes in rows, visits beside and below each other, and repeating instruments of REDCap."""
    samples = "".join(f",S{place}" for place in range(6))
    genes = f"gene{samples}\n" + "".join(
        f"G{row}" + "".join(f",{row * place / 4}" for place in range(6)) + "\n" for row in range(6)
    )
    wide = "id,pain_v1,crp_v1,pain_v2,crp_v2,pain_v3,crp_v3\n"
    wide += "".join(f"p{row},{row},.5,{row % 3},1.5,,2\n" for row in range(5))
    long = "patient_id,visit,sex,pain\n"
    long += "".join(f"p{row // 2},{row % 2 + 1},f,{row % 5}\n" for row in range(24))
    records = "record_id,redcap_repeat_instrument,redcap_repeat_instance,age,crp\n"
    records += "".join(f"{row},,,{40 + row},\n{row},labs,1,,{row}\n{row},labs,2,,3\n" for row in range(11))
    return [table.encode() for table in (genes, wide, long, records)]


def _arff() -> list[bytes]:
    head = "@relation 'r: -C 2'\n% note\n@attribute 'a\\'s' {x,'y z',\"q\"}\n@attribute n numeric\n"
    rest = "@attribute s string\n@attribute d date 'yyyy'\n@data\n"
    rows = "x,1.5,'a b',2001\n'y z',?,\"c\\\"d\",?\nq,-2e3,e,2003,{2}\n"
    meka = "@relation 'r: -C -2'\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute c real\n@data\n"
    sparse = "@relation s\n@attribute a {0,1}\n@attribute b numeric\n@attribute c string\n@data\n"
    return [
        (head + rest + rows).encode(),
        (meka + "0,1,2\n1,0,3.5\n1,1,?\n" * 3).encode(),
        (sparse + "{0 1, 1 2.5}\n{}\n{2 'a b'}\n{1 ?,2 c}\n").encode(),
        (meka + "{0 1,2 4}\n{1 1}\n{}\n" * 3).encode(),
        *_given("mulan-edge-cases/*.arff"),
    ]


def _label_examples() -> list[Path]:
    return [path for path in sorted(_EXAMPLES.glob("*.xml")) if path.stat().st_size < _LARGEST_LABEL_FILE]


def _label_files() -> list[bytes]:
    nested = "".join(f'<label name="{name}">' for name in _NAMES) + "</label>" * len(_NAMES)
    flat = '<label name="ill"></label>\n<label name="tired"/>\n'
    space = 'xmlns="http://mulan.sourceforge.net/labels"'
    return [
        *(path.read_bytes() for path in _label_examples()),
        f'<?xml version="1.0" encoding="utf-8"?>\n<labels {space}>\n{flat}</labels>\n'.encode(),
        f"<labels>{nested}</labels>".encode("utf-16"),
    ]


def _networks() -> list[bytes]:
    variables = "variable a { type discrete [ 2 ] { no, yes }; property x = (1,2) ; }\n"
    variables += "variable b {\n type discrete [3] { l, m, h };\n}\n// remark\n"
    tables = "probability ( a ) { table 0.8, 0.2; }\n"
    tables += "probability ( b | a ) {\n (no) .1, .2, .7;\n default .3 .3 .4;\n}\n"
    content: dict[str, Any] = {
        "states": {"rain": [0, 1], "wet": ["no", "yes"], "late": ["n", "y"]},
        "cpt": {
            "rain": {"parent": None, "table": {"": {"0": 0.8, "1": 0.2}}},
            "wet": {"parent": "rain", "table": {"0": {"no": 1.0}, "1": {"no": 0.2, "yes": 0.8}}},
            "late": {
                "parents": ["rain", "wet"],
                "table": {state: {"no": {"n": 1}, "yes": {"y": 0.5, "n": 0.5}} for state in ("0", "1")},
            },
        },
    }
    return [
        f"network n {{ }}\n{variables}{tables}".encode(),
        json.dumps(content).encode(),
        *(gzip.decompress(packed) for packed in _given("networks/*.bif.gz") if len(packed) < 1500),
    ]


def _members(pattern: str) -> list[bytes]:
    """Return what lies in projects that earlier versions saved."""
    contents = []
    for path in sorted(_PROJECTS.glob("*.clcd")):
        with zipfile.ZipFile(path) as archive:
            contents += [archive.read(name) for name in archive.namelist() if name.endswith(pattern)]
    return contents


def _projects() -> list[bytes]:
    return [path.read_bytes() for path in sorted(_PROJECTS.glob("*.clcd"))]


def _coded() -> list[bytes]:
    from engine.table.coded_files import write_coded

    frame = pandas.DataFrame({"a": ["x", "y", "z"] * 4, "b": ["n", "y"] * 6})
    table = Dataset.from_frame(frame, labels=["b"])
    return [_written(lambda path: write_coded(table, path), "t.coded")]


def _known(ending: str) -> list[bytes]:
    from engine.knowledge.knowledge import Knowledge
    from engine.knowledge.knowledge_files import write_knowledge

    knowledge = Knowledge(
        tiers=[["age"], ["smoker", "dose"], ["ill"]],
        forbidden=[("tired", "dose")],
        required=[("smoker", "ill")],
        not_effects=["age"],
    )
    plain = Knowledge(tiers=[["age"], ["smoker"]], forbidden=[("tired", "dose")], required=[("dose", "ill")])
    files = [_written(lambda path: write_knowledge(plain, path), f"k{ending}")]
    if ending == ".json":
        return [*files, _written(lambda path: write_knowledge(knowledge, path), "k.json")]
    return [
        *files,
        b"/knowledge\naddtemporal\n\n1 age sm*\n2* ill\n\nforbiddirect\ntired dose\n",
    ]


def _recipes() -> list[bytes]:
    steps = [
        {"step": "filter", "expression": "age >= 40 and smoker in ['yes', 'no'] or not tired = '1'"},
        {"step": "compute", "column": "twice", "expression": "2 * (age - dose) ^ 2 / log(1 + dose)"},
        {"step": "recode", "column": "smoker", "levels": {"no": "never"}},
        {"step": "cut", "column": "age", "points": [40, 65], "into": "old"},
        {"step": "order", "column": "ill", "levels": ["no", "yes"]},
        {"step": "scale", "column": "dose", "scale": "log1p", "into": "log dose"},
        {"step": "score", "column": "sum", "columns": ["age", "dose"], "reversed": ["dose"]},
        {"step": "read-as", "columns": ["tired"], "values": "numbers"},
        {"step": "describe", "column": "age", "unit": "years"},
        {"step": "rename", "column": "ill", "name": "sick"},
        {"step": "date", "column": "visit", "part": "year", "since": "2020-01-01"},
        {"step": "row-blocks", "rows": 2, "along": "age"},
    ]
    return [json.dumps(steps[:4]).encode(), *(json.dumps([step]).encode() for step in steps)]


def _habits() -> list[bytes]:
    readings = {"a1": {"options": {"delimiter": "semicolon", "skip_lines": 2}, "roles": {"ill": "label"}}}
    text = json.dumps(readings).replace('"', '\\"')
    return [
        "[appearance]\nscheme=dark\nzoom=1.25\n\n[files]\nfolder=data\nrecent=a.csv\\nb.csv\n"
        f'readings="{text}"\n\n[run]\nlive=false\n\n[window]\ngeometry=@ByteArray(\\x1\\xd9)\ntour=true\nwhy=false\n'.encode()
    ]


def _many_rows(rows: int = 40) -> pandas.DataFrame:
    """Make a table that is long enough for most damage to meet its values."""
    drawn = np.random.default_rng(5)
    frame = pandas.DataFrame(
        {
            "age": drawn.integers(18, 90, rows).astype(float),
            "dose": drawn.normal(2, 1, rows).round(2),
            "smoker": np.where(drawn.random(rows) < 0.3, "yes", "no").astype(object),
            "ill": drawn.integers(0, 2, rows).astype(float),
        }
    )
    frame.loc[3, "dose"] = np.nan
    return frame


def _rows_of(frame: pandas.DataFrame) -> list[list[float | str | None]]:
    body = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    return [list(frame.columns), *body]


def _workbooks() -> list[bytes]:
    return [_written(partial(_many_rows(rows).to_excel, index=False), "t.xlsx") for rows in (6, 40)]


def _parquet() -> list[bytes]:
    frame = _many_rows()
    dated = frame.assign(day=pandas.date_range("2024-01-01", periods=len(frame)))
    dated["smoker"] = dated["smoker"].astype("category")
    return [
        _written(lambda path: frame.to_parquet(path, compression=None), "t.parquet"),
        _written(lambda path: dated.to_parquet(path, compression="snappy"), "t.parquet"),
    ]


def _feather() -> list[bytes]:
    frame = _many_rows()
    ways: tuple[Any, ...] = ("uncompressed", "lz4")
    return [_written(partial(frame.to_feather, compression=way), "t.feather") for way in ways]


def _spss(ending: str) -> list[bytes]:
    import pyreadstat

    names: dict[str, dict[int | float, str]] = {"ill": {0.0: "no", 1.0: "yes"}}
    titles: dict[str, str | None] = {"age": "Age in years", "ill": "Ill at the visit"}

    def write(path: Path) -> None:
        pyreadstat.write_sav(
            _many_rows(),
            path,
            column_labels=titles,
            variable_value_labels=names,
            compress=ending == ".zsav",
            missing_ranges={"age": [99.0]},
            variable_measure={"ill": "ordinal"},
        )

    return [_written(write, f"t{ending}")]


def _portable() -> list[bytes]:
    import pyreadstat

    frame = _many_rows().rename(columns=str.upper)
    return [_written(lambda path: pyreadstat.write_por(frame, path), "t.por")]


def _stata() -> list[bytes]:
    import pyreadstat

    names: dict[str, dict[int | float, str]] = {"ill": {0: "no", 1: "yes"}}
    frame = _many_rows().astype({"ill": int})

    def write(path: Path, version: int) -> None:
        pyreadstat.write_dta(frame, path, version=version, variable_value_labels=names)

    return [_written(partial(write, version=version), "t.dta") for version in (10, 15)]


def _sas() -> list[bytes]:
    return _given("messy/*.sas7bdat", largest=_LARGEST_OF_SAS)


def _transport() -> list[bytes]:
    import pyreadstat

    def write(path: Path, version: int) -> None:
        pyreadstat.write_xport(_many_rows(), path, table_name="T", file_format_version=version)

    return [_written(partial(write, version=version), "t.xpt") for version in (5, 8)]


def _matlab() -> list[bytes]:
    from scipy.io import savemat
    from scipy.sparse import csc_array

    data = {"data": _matrix(), "target": _signs(), "s": csc_array(np.eye(40)[:, :3])}
    ways: list[dict[str, Any]] = [{}, {"do_compression": True}, {"format": "4"}]
    return [_written(partial(savemat, mdict=data, **way), "t.mat") for way in ways]


def _matrix() -> np.ndarray:
    return np.arange(120.0).reshape(40, 3)


def _signs() -> np.ndarray:
    return np.where(np.arange(80) % 3, 1, -1).reshape(2, 40)


def _new_matlab() -> list[bytes]:
    import h5py

    def write(path: Path, packing: str | None) -> None:
        with h5py.File(path, "w", userblock_size=512) as file:
            file.create_dataset("data", data=_matrix().T, chunks=(3, 10), compression=packing)
            file["target"] = _signs().T
            sparse = file.create_group("s")
            sparse.attrs["MATLAB_sparse"] = 40
            sparse["data"], sparse["ir"], sparse["jc"] = np.ones(3), np.arange(3), np.arange(4)

    return [_written(partial(write, packing=way), "t.mat") for way in (None, "gzip")]


def _r() -> list[bytes]:
    import rdata

    frame = _many_rows().astype({"smoker": object})
    plain = _written(lambda path: rdata.write_rds(path, frame, compression=None), "t.rds")
    coded = frame.astype({"smoker": "category"})
    factors = _written(lambda path: rdata.write_rds(path, coded, compression=None), "t.rds")
    return [plain, factors, gzip.compress(plain), bz2.compress(plain), lzma.compress(factors)]


def _r_workspaces() -> list[bytes]:
    import rdata

    frame = _many_rows().astype({"smoker": object})
    tables = {"visits": frame, "few": frame.head(3)}
    return [_written(lambda path: rdata.write_rda(path, tables, compression=None), "t.rda")]


def _written(write: Callable[[Path], object], name: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write(path)
        return path.read_bytes()


def _json_tables() -> list[bytes]:
    records = [
        {"age": 31 + row, "blood": {"iron": row / 3}, "ill": row % 2 == 0, "x": None} for row in range(6)
    ]
    columns = {"age": [1, 2, 3], "ill": ["a", "b", "a"]}
    lines = "\n".join(json.dumps(record) for record in records)
    return [json.dumps(records).encode(), json.dumps(columns).encode(), lines.encode()]


def _sparse_lines() -> list[bytes]:
    return [b"1 1:0.5 3:2\n-1 2:1\n1 1:1 2:2 3:3 # note\n", b"1,2 1:1\n 2:5\n2 1:3 4:4\n" * 4]


def _of_library(ending: str, seeds: Callable[[], list[bytes]], format_name: str) -> Target:
    return Target(ending, seeds, _as(format_name), is_ours=False, format=format_name)


def _old_workbooks() -> list[bytes]:
    return [xls_of(_rows_of(_many_rows(100))), *_given("messy/*.xls")]


def _packed() -> list[bytes]:
    """Return packed text tables; the reader knows them by how they begin."""
    text = _many_rows().to_csv(index=False).encode()
    return [gzip.compress(text), bz2.compress(text), lzma.compress(text)]


def _in_a_zip() -> list[bytes]:
    return [zipped({"t.csv": _many_rows().to_csv(index=False)})]


def _label_tables() -> list[bytes]:
    return [
        b"id,ill,tired\n" + b"".join(b"p%d,%d,%d\n" % (row, row % 2, row % 3 == 0) for row in range(9)),
        b"no,ill\n" + b"".join(b"%d,%d\n" % (row, row % 2) for row in range(9)),
    ]


def _outcomes() -> list[bytes]:
    from engine.comparison.networks.result import NetworkOutcome
    from engine.comparison.selectors.prediction import PredictionFigures
    from engine.comparison.selectors.result import SelectionOutcome
    from engine.simulation.truth import PairScore, Scores

    scores = Scores(*[PairScore(3, 1, 2)] * len(fields(Scores)))
    figures = {2: PredictionFigures(*[0.5] * len(fields(PredictionFigures)))}
    served = ((3, 0), (1, 1))
    outcomes = (
        NetworkOutcome("10/5", 1, "sparse", "joint", scores, 0.5, 0.5, 60.0),
        SelectionOutcome("birds", 0, "joint", (3, 1), True, {"most": 2.0}, served, 1.0, 1.0, figures),
    )
    return [json.dumps({"key": {"of": 1}, "outcome": asdict(outcome)}).encode() for outcome in outcomes]


TARGETS: dict[str, Target] = {
    "text-table": Target(".csv", _text_tables, _table, format="delimited"),
    "packed": Target(".csv", _packed, _table),
    "in-a-zip": Target(".zip", _in_a_zip, _table),
    "joined": Target(".csv", _label_tables, _joined),
    "arff": Target(".arff", _arff, _table, format="arff"),
    "labels": Target(".xml", _label_files, _labels),
    "sparse-lines": Target(".svm", _sparse_lines, _as("sparse-lines"), format="sparse-lines"),
    "json-table": Target(".json", _json_tables, _as("json"), format="json"),
    "network": Target(".bif", _networks, _network),
    "result": Target(".json", lambda: _members("result.json"), _result),
    "project": Target(".clcd", _projects, _project, format="project"),
    "coded": Target(".coded", _coded, _table, format="coded"),
    "knowledge": Target(".json", lambda: _known(".json"), _knowledge),
    "knowledge-text": Target(".txt", lambda: _known(".txt"), _knowledge),
    "recipe": Target(".json", _recipes, _recipe),
    "outcome": Target(".json", _outcomes, _outcome),
    "settings": Target(".ini", _habits, _settings),
    "recovery": Target(".json", lambda: [b'{"name": "visits.csv", "project": "a/b.clcd"}'], _recovery),
    "matlab": Target(".mat", _matlab, _as("matlab"), format="matlab"),
    "xlsx": _of_library(".xlsx", _workbooks, "spreadsheet"),
    "ods": _of_library(".ods", lambda: [ods_of(_rows_of(_many_rows(12)))], "spreadsheet"),
    "xls": _of_library(".xls", _old_workbooks, "spreadsheet"),
    "xlsb": _of_library(".xlsb", lambda: [xlsb_of(_rows_of(_many_rows(12)))], "spreadsheet"),
    "sav": _of_library(".sav", lambda: [*_spss(".sav"), *_given("messy/*.sav")], "statistics"),
    "zsav": _of_library(".zsav", lambda: _spss(".zsav"), "statistics"),
    "por": _of_library(".por", _portable, "statistics"),
    "dta": _of_library(".dta", lambda: [*_stata(), *_given("messy/*.dta")], "statistics"),
    "xpt": _of_library(".xpt", _transport, "statistics"),
    "sas7bdat": _of_library(".sas7bdat", _sas, "statistics"),
    "parquet": _of_library(".parquet", _parquet, "columnar"),
    "feather": _of_library(".feather", _feather, "columnar"),
    "matlab-7.3": _of_library(".mat", _new_matlab, "matlab"),
    "rds": _of_library(".rds", _r, "r"),
    "rda": _of_library(".rda", _r_workspaces, "r"),
}
"""By the name of the reader; one without seeds needs ``../shared``."""
