"""Tables in which cells are easily misread, made at random: NA that is a value, limits, codes beside NA.

Each maker gives the file, and tells whether what is read of it is right.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas

import engine
from engine.readers import Reading, ReadingOptions, read_table
from tests.engine.readers.misread_files import Case
from tests.engine.readers.written_tables import values_of

_CONTINENTS = ("AF", "AN", "AS", "EU", "OC", "SA")
_COUNTRIES = ("DE", "FR", "ZA", "BW", "AO", "ZM", "IT", "ES", "PL", "NL", "JP", "CN", "BR", "IN")
_RATERS = ("KM", "TS", "JB", "LW", "PO", "AH", "MR")
_MARKETS = ("EMEA", "APAC", "LATAM", "EU", "MENA", "ANZ")
_ELEMENTS = ("K", "CL", "CA", "MG", "GLU", "CREA", "P")
_PLACES = (
    *("region", "country", "Land", "pays", "país", "paese", "regio", "kraj", "国家", "地域", "continent"),
    *(
        "sales_region",
        "Kontinent",
        "région",
        "región",
        "regione",
        "região",
        "land_code",
        "market",
        "birth country",
    ),
)
_RATER_NAMES = (
    "rater",
    "initials",
    "Untersucher",
    "évaluateur",
    "evaluador",
    "medico",
    "beoordelaar",
    "lekarz",
)
_ELEMENT_NAMES = ("ion", "element", "Elektrolyt", "élément", "elemento", "analyte", "元素", "pierwiastek")
_NOT_KNOWN = (("M", "F"), ("A", "B", "AB", "O"), ("yes", "no"), ("I", "II", "III"), ("Y", "N"), ("+", "-"))
_SEPARATORS = (",", ";", "\t", "|")


def _write(rng: np.random.Generator, folder: Path, columns: dict[str, np.ndarray]) -> Path:
    """Write columns in any order, beside a number and a label, in any dialect."""
    rows = len(next(iter(columns.values())))
    beside = {"age": rng.integers(18, 90, rows), "ill": rng.integers(0, 2, rows)}
    names = [str(name) for name in rng.permutation([*columns, *beside])]
    frame = pandas.DataFrame({name: (columns | beside)[name] for name in names})
    path = folder / "table.csv"
    frame.to_csv(path, index=False, sep=str(rng.choice(_SEPARATORS)))
    return path


def _size(rng: np.random.Generator) -> int:
    return int(40 * 50 ** rng.random())


def na_as_value(rng: np.random.Generator, folder: Path) -> Case:
    """Write NA where it is a country, a market, sodium or a person, beside a column where it is missing."""
    rows = _size(rng)
    names, levels = [
        (_PLACES, _CONTINENTS),
        (_PLACES, _COUNTRIES),
        (_RATER_NAMES, _RATERS),
        (_PLACES, _MARKETS),
        (_ELEMENT_NAMES, _ELEMENTS),
    ][int(rng.integers(5))]
    name = str(rng.choice(names))
    count = int(rng.integers(3, len(levels) + 1))
    # Potassium and chloride are measured wherever sodium is.
    fixed = 2 if levels is _ELEMENTS else 0
    chosen = [
        "NA",
        *levels[:fixed],
        *(str(level) for level in rng.permutation(levels[fixed:])[: count - fixed]),
    ]
    cells = rng.choice(chosen, rows)
    cells[:2] = ["NA", chosen[1]]
    others = _NOT_KNOWN[int(rng.integers(len(_NOT_KNOWN)))]
    beside = np.where(rng.random(rows) < 0.1, "NA", rng.choice(others, rows))
    numbers = np.where(rng.random(rows) < 0.1, "NA", rng.integers(10, 60, rows).astype(str))
    path = _write(rng, folder, {name: cells, "answer": beside, "dose": numbers})
    times = int((cells == "NA").sum())

    def is_right(reading: Reading) -> bool:
        notes = [note for note in reading.issues if note.topic == "na-as-value"]
        kept = read_table(path, options=ReadingOptions(not_missing=(f"{name}=NA",)))
        stands = "once" if times == 1 else f"{times:,} times"
        return (
            [note.variable for note in notes] == [name]
            and f"NA stands {stands} in the {rows:,} rows" in notes[0].message
            and values_of(kept, name) == cells.tolist()
            and all(
                kept.dataset.missing_count(other_name) == (column == "NA").sum()
                for other_name, column in (("answer", beside), ("dose", numbers))
            )
        )

    return Case(path, is_right, f"{name}: {chosen}, beside {others}")


_BELOW = (
    *(
        "<{}",
        "< {}",
        "≤{}",
        "<={}",
        "＜{}",
        "below {}",
        "unter {}",
        "moins de {}",
        "menos de {}",
        "meno di {}",
    ),
    *("abaixo de {}", "minder dan {}", "poniżej {}", "{}未満", "低于{}", "{}以下"),
)
_UNSTATED = (
    *("<LOD", "<LLOQ", "BDL", "n.n.", "undetectable", "nicht nachweisbar", "indétectable", "no detectable"),
    *("non rilevabile", "não detectável", "niet detecteerbaar", "niewykrywalne", "未检出", "検出限界未満"),
)
_ABOVE = (
    *(">{}", "> {}", "≥{}", ">={}", "＞{}", "above {}", "über {}", "plus de {}", "más de {}", "più di {}"),
    *("acima de {}", "meer dan {}", "powyżej {}", "{}以上", "高于{}", "{}+"),
)
_MEASURED = ("crp", "Troponin", "ferritine", "viral_load", "PSA", "D-Dimer", "鉄", "铅", "glicemia", "ołów")


def limits(rng: np.random.Generator, folder: Path) -> Case:
    """Write numbers of which some are known by a limit alone, in signs and words of ten languages."""
    rows = _size(rng)
    places = int(rng.integers(0, 3))
    values = rng.lognormal(2.5, 1.0, rows).round(places) + (1 if places == 0 else 0.5)
    low, high = np.quantile(values, rng.uniform(0.02, 0.3)), np.quantile(values, rng.uniform(0.8, 0.98))
    low, high = round(float(low), places), round(float(high), places)
    form = str(rng.choice(["below", "above", "both", "unstated"]))
    is_comma = bool(rng.random() < 0.3)
    cells = np.array([f"{value:.{places}f}" for value in values], dtype=object)
    expected = values.copy()
    language = int(rng.integers(len(_BELOW)))
    if form in ("below", "both"):
        cells[values < low] = _BELOW[language].format(f"{low:.{places}f}")
        expected[values < low] = low / 2
    if form in ("above", "both"):
        cells[values > high] = _ABOVE[language].format(f"{high:.{places}f}")
        expected[values > high] = high
    if form == "unstated":
        cells[values < low] = _UNSTATED[int(rng.integers(len(_UNSTATED)))]
        expected[values < low] = values[values >= low].min() / 2
    if is_comma:
        cells = np.array([re.sub(r"(?<=\d)\.(?=\d)", ",", cell) for cell in cells], dtype=object)
    cells[rng.random(rows) < 0.05] = ""
    is_empty = cells == ""
    name = str(rng.choice(_MEASURED))
    beside = rng.normal(4, 1, rows).round(2)
    frame = pandas.DataFrame(
        {"age": rng.integers(18, 90, rows), name: cells, "ill": rng.integers(0, 2, rows)}
    )
    frame.insert(0, "other", [f"{number:.2f}".replace(".", "," if is_comma else ".") for number in beside])
    path = folder / "table.csv"
    frame.to_csv(path, index=False, sep=";" if is_comma else str(rng.choice(_SEPARATORS)))

    def is_right(reading: Reading) -> bool:
        if [note.variable for note in reading.issues if note.topic == "limits"] != [name]:
            return False
        after = read_table(path, options=ReadingOptions(limits=(name,))).dataset
        stated = read_table(
            path, options=ReadingOptions(limits=(f"{name}=0{',' if is_comma else '.'}25",))
        ).dataset
        column_read = after.column(name)
        below = (values < low) & (form != "above") & ~is_empty
        return bool(
            np.array_equal(np.isnan(column_read), is_empty)
            and np.allclose(column_read[~is_empty], expected[~is_empty])
            and (stated.column(name)[below] == 0.25).all()
        )

    return Case(path, is_right, f"{form} {sorted({cell for cell in cells if not cell[:1].isdecimal()})[:3]}")


_USUAL = ("NA", "", "-", ".", "n/a", "N/A", "#N/A", "NaN", "null", "NULL", "--")


def codes_beside_usual(rng: np.random.Generator, folder: Path) -> Case:
    """Write a code that means missing in one column, beside NA, - and the like in the others and in it."""
    rows = _size(rng)
    code = str(rng.choice(["999", "-9", "99.9", "8888", "-77"]))
    usual = [str(level) for level in rng.choice(_USUAL, 3)]
    values = {
        "glucose": rng.integers(60, 200, rows).astype(str).astype(object),
        "bmi": np.array([f"{number:.1f}" for number in rng.normal(26, 4, rows)], dtype=object),
        "length": rng.integers(150, 999, rows).astype(str).astype(object),
    }
    missing = {}
    for (name, cells), word in zip(values.items(), usual, strict=True):
        is_gone = rng.random(rows) < 0.1
        cells[is_gone] = word
        missing[name] = is_gone
    coded = rng.random(rows) < 0.1
    values["glucose"][coded] = code
    path = _write(rng, folder, values)

    def is_right(reading: Reading) -> bool:
        after = read_table(path, options=ReadingOptions(also_missing=(f"glucose={code}",)))
        expected = missing | {"glucose": missing["glucose"] | coded}
        return all(
            after.dataset.variable(name).kind is engine.Kind.CONTINUOUS
            and np.array_equal(np.isnan(after.dataset.column(name)), gone)
            for name, gone in expected.items()
        )

    return Case(path, is_right, f"{code} beside {usual}")


def gaps_elsewhere(rng: np.random.Generator, folder: Path) -> Case:
    """Write a feature that only rows with a label have, and one that nearly only the other rows have."""
    rows = _size(rng) + 100
    has_label = rng.random(rows) < rng.uniform(0.15, 0.6)
    has_label[:30], has_label[30:40] = True, False
    label = str(
        rng.choice(["relapse", "Rückfall", "rechute", "recaída", "recidiva", "nawrót", "复发", "再発"])
    )
    inside, outside = rng.normal(50, 9, rows).round(1), rng.normal(50, 9, rows).round(1)
    few = has_label & (rng.random(rows) < 0.9)
    columns = {
        label: np.where(has_label, rng.integers(0, 2, rows).astype(float), np.nan),
        "crp": np.where(few, inside, np.nan),
        "ldl": np.where(has_label & (np.arange(rows) > 3), np.nan, outside),
        "bmi": rng.normal(26, 4, rows).round(1),
    }
    frame = pandas.DataFrame({str(name): columns[str(name)] for name in rng.permutation(list(columns))})
    path = folder / "table.csv"
    frame.to_csv(path, index=False, sep=str(rng.choice(_SEPARATORS)))

    def is_right(reading: Reading) -> bool:
        prepared = engine.prepare(reading.dataset.with_labels([label]))
        return {"crp", "bmi"} == set(prepared.features)

    return Case(path, is_right, f"{label} in {has_label.sum()} of {rows}")
