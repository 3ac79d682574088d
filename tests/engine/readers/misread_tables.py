"""Tables that are easily misread, made at random: names, languages, places, separators.

Each maker gives the file and a plain one that means the same, so that both are read alike where the first is
understood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from engine.readers import Reading, ReadingOptions, read_table

Rows = list[list[str]]

NAMES = {
    "en": ("age", "weight", "dose", "height", "income", "glucose", "hours", "score"),
    "de": ("Alter", "Gewicht", "Dosis", "Größe", "Einkommen", "Zucker", "Stunden", "Punkte"),
    "fr": ("âge", "poids", "dose", "taille", "revenu", "glycémie", "heures", "note"),
    "es": ("edad", "peso", "dosis", "altura", "ingresos", "glucosa", "horas", "puntos"),
    "it": ("età", "peso", "dose", "altezza", "reddito", "glicemia", "ore", "punti"),
    "pl": ("wiek", "masa", "dawka", "wzrost", "dochód", "glukoza", "godziny", "punkty"),
    "ru": ("возраст", "вес", "доза", "рост", "доход", "глюкоза", "часы", "баллы"),
    "ja": ("年齢", "体重", "用量", "身長", "収入", "血糖", "時間", "得点"),
    "zh": ("年龄", "体重", "剂量", "身高", "收入", "血糖", "小时", "得分"),
    "tr": ("yaş", "ağırlık", "doz", "boy", "gelir", "glikoz", "saat", "puan"),
}
TOTALS = {
    "en": ("Total", "Mean", "SD"),
    "de": ("Summe", "Mittelwert", "Standardabweichung"),
    "fr": ("Total général", "Moyenne", "Écart-type"),
    "es": ("Suma", "Promedio", "Desviación estándar"),
    "it": ("Totale", "Media", "Deviazione standard"),
    "pl": ("Razem", "Średnia", "Odchylenie standardowe"),
    "ru": ("Итого", "Среднее", "СКО"),
    "ja": ("合計", "平均", "標準偏差"),
    "zh": ("总计", "平均值", "标准差"),
    "tr": ("Toplam", "Ortalama", "Standart sapma"),
}
COUNTS = ("n", "N", "Gültig", "valid n", "número", "有效", "obs", "k =")
REMARKS = ("Source: ward 3", "Quelle: KIS{0} Stand 1.3.", "* corrected values", "Fonte registro{0} maggio")
DIALECTS = ((",", "."), (";", ","), (";", "."), ("\t", "."), ("\t", ","), ("|", "."))


@dataclass(slots=True)
class Plain:
    """A table that is not misread.

    Attributes
    ----------
    language : str
    names : list of str
    rows : list of list of str
    numbers : list of int
        Positions of the columns of numbers.
    separator, decimal : str
    """

    language: str
    names: list[str]
    rows: Rows
    numbers: list[int]
    separator: str = ","
    decimal: str = "."
    texts: list[int] = field(default_factory=list)

    def write(self, rows: Sequence[Sequence[str]], path: Path) -> Path:
        """Write rows as they are, with the decimal mark of the table."""
        written = [
            [cell.replace(".", self.decimal) if _is_number(cell) else cell for cell in row] for row in rows
        ]
        text = "\n".join(self.separator.join(row) for row in written) + "\n"
        path.write_text(text, encoding="utf-8")
        return path

    def values(self, position: int) -> np.ndarray:
        """Return a column of numbers."""
        return np.array([float(row[position] or "nan") for row in self.rows])


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def plain_table(rng: np.random.Generator, *, fewest: int = 15, has_id: bool | None = None) -> Plain:
    """Draw a table of numbers, labels and perhaps identifiers and categories."""
    language = str(rng.choice(list(NAMES)))
    separator, decimal = DIALECTS[rng.integers(len(DIALECTS))]
    count = int(rng.integers(fewest, 200))
    names: list[str] = []
    columns: list[list[str]] = []
    numbers: list[int] = []
    texts: list[int] = []
    if has_id or (has_id is None and rng.random() < 0.7):
        names.append(str(rng.choice(["id", "Nr", "code", "participant"])))
        columns.append([f"P{place:03d}" for place in range(count)])
        texts.append(0)
    for name in rng.permutation(NAMES[language])[: rng.integers(2, 6)]:
        places = int(rng.integers(0, 3))
        values = rng.normal(rng.uniform(20, 200), rng.uniform(5, 15), count)
        cells = [f"{abs(value):.{places}f}" for value in values]
        if rng.random() < 0.3:
            cells = ["" if rng.random() < 0.05 else cell for cell in cells]
        numbers.append(len(names))
        names.append(str(name))
        columns.append(cells)
    if rng.random() < 0.4:
        texts.append(len(names))
        names.append("sex")
        columns.append(list(rng.choice(["m", "f"], count)))
    for label in ("pain", "cough"):
        numbers.append(len(names))
        names.append(label)
        columns.append([str(value) for value in rng.integers(0, 2, count)])
    rows = [list(row) for row in zip(*columns, strict=True)]
    return Plain(language, names, rows, numbers, separator, decimal, texts)


@dataclass(frozen=True, slots=True)
class Misread:
    """A file and a plain one that means the same."""

    path: Path
    plain: Path
    what: str


Maker = Callable[[np.random.Generator, Path], Misread]


def _summary(table: Plain, word: str, statistic: Callable[[np.ndarray], float], places: int) -> list[str]:
    row = [""] * len(table.names)
    if table.texts and table.texts[0] == 0:
        row[0] = word
    for position in table.numbers:
        value = statistic(table.values(position))
        row[position] = f"{value:.{places}f}"
    return row


def summary_rows(rng: np.random.Generator, folder: Path) -> Misread:
    """Put a total, a mean or several below the cases, above them, or below a gap; with a word or without."""
    table = plain_table(rng)
    total, mean, spread = TOTALS[table.language]
    whole = all("." not in row[place] for row in table.rows for place in table.numbers)
    rows = {
        "total": _summary(table, total, np.nansum, 0 if whole else 2),
        "mean": _summary(table, mean, np.nanmean, int(rng.integers(1, 3))),
        "spread": _summary(table, spread, lambda values: np.nanstd(values, ddof=1), 2),
    }
    kinds = (("total",), ("mean",), ("total", "mean"), ("mean", "spread"), ("total", "mean", "spread"))
    chosen = kinds[rng.integers(len(kinds))]
    added = [rows[each] for each in chosen]
    where = str(rng.choice(["below", "below a gap", "above"]))
    if rng.random() < 0.3 and chosen != ("mean", "spread"):
        added = [["", *row[1:]] if table.texts and table.texts[0] == 0 else row for row in added]
        where += ", without a word"
    gap = [[""] * len(table.names)] if "gap" in where else []
    body = [*added, *table.rows] if "above" in where else [*table.rows, *gap, *added]
    plain = table.write([table.names, *table.rows], folder / "plain.csv")
    return Misread(table.write([table.names, *body], folder / "table.csv"), plain, f"{chosen} {where}")


def counts_and_remarks(rng: np.random.Generator, folder: Path) -> Misread:
    """Put numbers of values, means with spreads or percentages below the cases, and a remark below these."""
    table = plain_table(rng, fewest=20, has_id=True)
    count = _summary(table, str(rng.choice(COUNTS)), lambda values: np.sum(~np.isnan(values)), 0)
    missing = _summary(table, "Fehlend", lambda values: np.sum(np.isnan(values)), 0)
    mean = _summary(table, TOTALS[table.language][1], np.nanmean, 1)
    spread = _summary(table, "SD", lambda values: np.nanstd(values, ddof=1), 1)
    both = [f"{one} ± {other}".replace(".", table.decimal) for one, other in zip(mean, spread, strict=True)]
    both = [cell if place in table.numbers else mean[place] for place, cell in enumerate(both)]
    share = ["%", *[""] * (len(table.names) - 1)]
    sign = str(rng.choice(["%", ""]))
    for place in table.numbers[-2:]:
        share[place] = f"{100 * table.values(place).mean():.1f}{sign}".replace(".", table.decimal)
    p_values = [str(rng.choice(["p", "p-value", "p-Wert", "valeur p"])), *[""] * (len(table.names) - 1)]
    for place in table.numbers[:-1]:
        p_values[place] = f"{rng.uniform():.3f}".replace(".", table.decimal)
    header = ["statistic", *table.names[1:]]
    blocks: list[Rows] = [
        [count],
        [count, missing],
        [count, share],
        [share],
        [p_values],
        [both],
        [mean, count],
        [[""] * len(table.names), header, mean, missing],
        [],
    ]
    rows: Rows = [*table.rows, *blocks[int(rng.integers(len(blocks)))]]
    if len(rows) == len(table.rows) or rng.random() < 0.1:
        remark = str(rng.choice(REMARKS)).format(table.separator)
        is_filled_up = rng.random() < 0.6 or table.separator not in remark
        rows.append([remark, *[""] * (len(table.names) - 1) * int(is_filled_up)])
    body: Rows = [table.names, *rows]
    if rng.random() < 0.2:
        body.insert(1, ["-" * len(name) for name in table.names])
    plain = table.write([table.names, *table.rows], folder / "plain.csv")
    return Misread(table.write(body, folder / "table.csv"), plain, f"{rows[-2:]}")


def repeated_headers(rng: np.random.Generator, folder: Path) -> Misread:
    """Repeat the header among the rows, once or several times, as where files were put behind each other."""
    table = plain_table(rng)
    body: Rows = list(table.rows)
    for place in sorted(rng.integers(1, len(body), rng.integers(1, 5)).tolist(), reverse=True):
        body.insert(place, list(table.names))
    if rng.random() < 0.2:
        body.append(list(table.names))
    plain = table.write([table.names, *table.rows], folder / "plain.csv")
    return Misread(table.write([table.names, *body], folder / "table.csv"), plain, "repeated header")


def subtotals(rng: np.random.Generator, folder: Path) -> Misread:
    """Put a total below each part of the table, and perhaps one below all."""
    table = plain_table(rng, fewest=24, has_id=True)
    word = TOTALS[table.language][0]
    cuts = np.sort(rng.choice(np.arange(4, len(table.rows) - 4), rng.integers(1, 4), replace=False)).tolist()
    body: Rows = []
    for start, end in zip([0, *cuts], [*cuts, len(table.rows)], strict=True):
        part = Plain(table.language, table.names, table.rows[start:end], table.numbers, texts=table.texts)
        body += [*part.rows, _summary(part, word, np.nansum, 2)]
    if rng.random() < 0.5:
        body.append(_summary(table, word, np.nansum, 2))
    plain = table.write([table.names, *table.rows], folder / "plain.csv")
    return Misread(table.write([table.names, *body], folder / "table.csv"), plain, f"{len(cuts)} subtotals")


def is_read_alike(case: Misread, **options: object) -> bool:
    """Tell whether both files give the same table."""
    return are_equal(read_table(case.path, options=ReadingOptions(**options)), read_table(case.plain))


def are_equal(one: Reading, other: Reading) -> bool:
    """Tell whether two readings hold the same variables and values."""
    return one.dataset.variables == other.dataset.variables and all(
        np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        for a, b in zip(one.dataset.columns, other.dataset.columns, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Score:
    """How variants of a kind were read."""

    right: int
    asked: int
    wrong: tuple[str, ...]


def score_of(maker: Maker, folder: Path, seeds: Sequence[int]) -> Score:
    """Read a variant a seed; one that is in doubt counts as asked about, whether it is right or not."""
    from clcd_gui.document.doubts import doubts_of

    right = asked = 0
    wrong = []
    for seed in seeds:
        place = folder / str(seed)
        place.mkdir()
        case = maker(np.random.default_rng(seed), place)
        reading = read_table(case.path)
        plain = read_table(case.plain)
        settled = {doubt.title for doubt in doubts_of(plain, ReadingOptions()) if doubt.is_serious}
        serious = {
            doubt.title for doubt in doubts_of(reading, ReadingOptions()) if doubt.is_serious
        } - settled
        if serious:
            asked += 1
        if are_equal(reading, plain):
            right += 1
        elif not serious:
            wrong.append(f"{seed}: {case.what}, {case.path}")
    return Score(right, asked, tuple(wrong))


@dataclass(frozen=True, slots=True)
class Coded:
    """A file with a column of codes, and what that holds: texts, or numbers where it is none."""

    path: Path
    column: str
    values: list[str] | list[float]
    what: str


def _icd(rng: np.random.Generator) -> str:
    return f"{rng.integers(1, 10)}E{rng.integers(10, 100)}"


def _hexadecimal(rng: np.random.Generator) -> str:
    letter = int(rng.integers(2, 7))
    digits = "".join(map(str, rng.integers(1, 10, 8)))
    return digits if rng.random() < 0.3 else f"{digits[:letter]}E{digits[letter + 1 :]}"


_CODES: dict[str, tuple[Sequence[str], Callable[[np.random.Generator], str]]] = {
    "diagnosis": (("icd11", "Diagnose", "код", "診断"), _icd),
    "hexadecimal": (("uid", "hash", "Kennung"), _hexadecimal),
    "lower case": (("uid", "token"), lambda rng: _hexadecimal(rng).lower()),
    "well": (("well", "Platte"), lambda rng: f"{rng.integers(1, 9)}E{rng.integers(1, 9)}"),
    "agent": (("agent", "Schlüssel"), lambda rng: str(rng.choice(["007", "12", "0042", "5", "113"]))),
    "postcode": (("PLZ", "zip", "code postal"), lambda rng: f"{rng.integers(100, 99999):05d}"),
    "long": (("account", "Konto"), lambda rng: f"4{rng.integers(10**14, 10**15)}"),
    "version": (
        ("version", "App-Version", "firmware", "версия", "バージョン", "Kapitel"),
        lambda rng: str(rng.choice(["1.1", "1.2", "1.10", "2.0"])),
    ),
    "three parts": (("release", "build"), lambda rng: str(rng.choice(["1.1", "1.10", "1.10.2", "2.0.1"]))),
}
_NUMBERS: dict[str, tuple[Sequence[str], Callable[[np.random.Generator], str]]] = {
    "fixed decimals": (("price", "Preis"), lambda rng: f"{rng.uniform(1, 9):.2f}"),
    "powers": (("cfu", "Keimzahl"), lambda rng: str(rng.choice(["1e5", "2e6", "0", "5e4"]))),
    "computed": (("p", "x"), lambda rng: repr(float(10 ** rng.uniform(-9, 18)))),
    "whole powers": (("virus", "UFC"), lambda rng: f"{rng.integers(11, 90)}E{rng.integers(2, 9)}"),
    "counts": (("visit", "Nr"), lambda rng: f"{rng.integers(1, 200):02d}"),
}


def code_columns(rng: np.random.Generator, folder: Path) -> Coded:
    """Write a table with a column that is easily taken for numbers, or with one that holds numbers."""
    table = plain_table(rng, fewest=40)
    what = str(rng.choice([*_CODES, *_NUMBERS]))
    names, draw = (_CODES | _NUMBERS)[what]
    column = str(rng.choice(list(names)))
    cells = [draw(rng) for _ in table.rows]
    place = int(rng.integers(0, len(table.names) + 1))
    rows = [[*row[:place], cell, *row[place:]] for row, cell in zip(table.rows, cells, strict=True)]
    table.separator, table.decimal = (str(rng.choice([",", ";", "\t", "|"])), ".")
    header = [*table.names[:place], column, *table.names[place:]]
    path = table.write([header, *rows], folder / "table.csv")
    return Coded(path, column, cells if what in _CODES else [float(cell) for cell in cells], what)


def blanks_and_decimal_commas(rng: np.random.Generator, folder: Path) -> Misread:
    """Write a table as R does with a decimal comma, with quotation marks or without, perhaps aligned."""
    table = plain_table(rng, has_id=False)
    while not any("." in row[place] for row in table.rows for place in table.numbers):
        table = plain_table(rng, has_id=False)
    table.separator, table.decimal = " ", ","
    mark = '"' if rng.random() < 0.7 else ""
    gap = " " * int(rng.choice([1, 1, 2]))

    def written(rows: Rows, first: str = "") -> Rows:
        filled = [[cell or "NA" for cell in row] for row in rows]
        numbers = [[str(place + 1) for place in range(len(rows))] if first else [""] * len(rows)][0]
        marked = [
            [f"{mark}{cell}{mark}" if not _is_number(cell) and cell != "NA" else cell for cell in row]
            for row in filled
        ]
        return [
            [f"{mark}{number}{mark}", *row] if first else row
            for number, row in zip(numbers, marked, strict=True)
        ]

    has_row_names = bool(rng.random() < 0.6)
    lines = [*written([table.names]), *written(table.rows, "1" if has_row_names else "")]
    text = [[cell.replace(".", ",") if _is_number(cell) else cell for cell in row] for row in lines]
    path = folder / "table.txt"
    path.write_text("\n".join(gap.join(row) for row in text) + "\n", encoding="utf-8")
    numbered = [["row names", *table.names], *([str(n), *row] for n, row in enumerate(table.rows, start=1))]
    table.separator, table.decimal = ";", "."
    plain = table.write(numbered if has_row_names else [table.names, *table.rows], folder / "plain.csv")
    return Misread(path, plain, "blanks" + (" and row names" if has_row_names else ""))


def marks_in_threes(rng: np.random.Generator, folder: Path) -> Misread:
    """Write numbers of which nobody can tell whether their mark stands between thousands."""
    table = plain_table(rng, fewest=40)
    column = [f"{rng.integers(1, 90)}{{}}{rng.integers(0, 1000):03d}" for _ in table.rows]
    mark = str(rng.choice([".", ","]))
    separator = str(rng.choice(["\t", ";"] if mark == "." else ["\t", "|"]))
    has_fractions = mark == "." and bool(rng.random() < 0.5)
    if has_fractions:
        separator = str(rng.choice(["\t", ",", "|"]))
    cells = [cell.format(mark) if rng.random() < 0.8 else str(rng.integers(1, 1000)) for cell in column]
    whole = [[cell if has_fractions else cell.split(".")[0] for cell in row] for row in table.rows]
    rows = [[*row, cell] for row, cell in zip(whole, cells, strict=True)]
    text = "\n".join(separator.join(row) for row in [[*table.names, "cells"], *rows]) + "\n"
    path = folder / "table.tsv"
    path.write_text(text, encoding="utf-8")
    return Misread(path, path, f"{separator!r} {mark}")


def scale_headers(rng: np.random.Generator, folder: Path) -> Misread:
    """Name columns by wavelengths, wave numbers, years, doses or times, beside labels with words."""
    count, width = int(rng.integers(12, 150)), int(rng.integers(9, 40))
    kind = str(rng.choice(["regular", "falling", "rounded", "irregular", "years", "minutes"]))
    places = int(rng.integers(0, 3))
    start, step = (
        round(float(rng.uniform(200, 4000)), places),
        round(float(rng.uniform(1, 12)), places) or 1.0,
    )
    if kind == "irregular":
        scale = [f"{value:.0f}" for value in start + np.cumsum(rng.integers(5, 40, width))]
    elif kind == "rounded":
        scale = [f"{start + place * (step + 1 / 3):.1f}" for place in range(width)]
    elif kind == "years":
        scale = [str(1950 + 5 * place) for place in range(min(width, 16))]
    elif kind == "minutes":
        scale = [str(15 * place) for place in range(width)]
    else:
        sign = -1 if kind == "falling" else 1
        scale = [f"{start + sign * place * step:.{places}f}" for place in range(width)]
    signal = 0.4 + 0.1 * np.sin(np.arange(len(scale)) / 3) + rng.normal(0, 0.02, (count, len(scale)))
    cells = [[f"{value:.4f}" for value in row] for row in signal]
    labels = [[str(value) for value in row] for row in rng.integers(0, 2, (count, 2))]
    names = [str(rng.choice(["ripe", "reif", "mûr", "熟"])), "mould"]
    is_first = bool(rng.random() < 0.3)
    rows = [[*label, *row] if is_first else [*row, *label] for row, label in zip(cells, labels, strict=True)]
    header = [*names, *scale] if is_first else [*scale, *names]
    separator, decimal = DIALECTS[rng.integers(len(DIALECTS))]
    table = Plain("en", header, rows, [], separator, decimal)
    path = table.write([header, *rows], folder / "table.csv")
    words = [f"nm {name.replace('.', decimal)}" if _is_number(name) else name for name in header]
    plain = table.write([words, *rows], folder / "plain.csv")
    return Misread(path, plain, kind)


def rows_of_units(rng: np.random.Generator, folder: Path) -> Misread:
    """Put a row of units below the names."""
    table = plain_table(rng)
    units = [
        "mg/dl",
        "kg",
        "years",
        "%",
        "mmol/L",
        "[cm]",
        "(h)",
        "kg/m²",
        "歳",
        "Jahre",
        "лет",
        "mm Hg",
        "°C",
    ]
    row = [str(rng.choice(units)) if place in table.numbers else "" for place in range(len(table.names))]
    for place in table.numbers[-2:]:
        row[place] = str(rng.choice(["", "-", "0/1"]))
    if table.texts and rng.random() < 0.3:
        row[table.texts[0]] = str(rng.choice(["-", "Unit", "Einheit"]))
    names = [
        name if unit in ("", "-") or place in table.texts else f"{name} {unit}"
        for place, (name, unit) in enumerate(zip(table.names, row, strict=True))
    ]
    path = table.write([table.names, row, *table.rows], folder / "table.csv")
    return Misread(path, table.write([names, *table.rows], folder / "plain.csv"), "units")


def titles_and_offsets(rng: np.random.Generator, folder: Path) -> Misread:
    """Put a title into a sheet, and the table further right and below; some tables hold texts alone."""
    import openpyxl

    table = plain_table(rng, fewest=20)
    rows: Rows = [table.names, *table.rows]
    if rng.random() < 0.6:
        words = {"0": ["no", "nein", "non"], "1": ["yes", "ja", "oui"]}
        language = int(rng.integers(3))
        texts = [[words[cell][language] for cell in row[-2:]] for row in table.rows]
        towns = [str(rng.choice(["T0", "T1", "T2"])) for _ in texts]
        rows = [["town", *table.names[-2:]], *([town, *row] for town, row in zip(towns, texts, strict=True))]
    book = openpyxl.Workbook()
    sheet = book.active
    right, down = int(rng.integers(0, 4)), int(rng.integers(1, 5))
    sheet.cell(1, 1 + (right if rng.random() < 0.4 else 0), "Study of May")
    if down > 2 and rng.random() < 0.5:
        sheet.cell(2, 1, "Source: ward 3")
    for place, row in enumerate(rows):
        for column, cell in enumerate(row):
            value = float(cell) if place and _is_number(cell) else cell or None
            sheet.cell(1 + down + place, 1 + right + column, value)
    book.save(folder / "table.xlsx")
    plain = Plain("en", [], rows, []).write(rows, folder / "plain.csv")
    return Misread(folder / "table.xlsx", plain, f"right {right}, down {down}, width {len(rows[0])}")


def orange_headers(rng: np.random.Generator, folder: Path) -> Misread:
    """Write types and roles below the names, or in front of them, as Orange does."""
    table = plain_table(rng, has_id=False)
    long = bool(rng.random() < 0.6)
    types = {True: ("continuous", "discrete", "class"), False: ("c", "d", "class")}[long]
    labels = set(table.numbers[-2:])
    kinds = [
        types[1] if place in labels or place in table.texts else types[0] for place in range(len(table.names))
    ]
    if rng.random() < 0.3:
        kinds[-1] = "0 1"
    roles = [types[2] if place in labels else "" for place in range(len(table.names))]
    table.separator, table.decimal = str(rng.choice(["\t", ","])), "."
    header: Rows = [table.names, kinds, roles]
    if rng.random() < 0.4:
        marks = [
            ("c" if place in labels else "") + ("D" if place in labels or place in table.texts else "C")
            for place in range(len(table.names))
        ]
        header = [[f"{mark}#{name}" for mark, name in zip(marks, table.names, strict=True)]]
    path = table.write([*header, *table.rows], folder / "table.tab")
    return Misread(path, table.write([table.names, *table.rows], folder / "plain.csv"), "Orange")


@dataclass(frozen=True, slots=True)
class Misshapen:
    """A file with another shape than one row a case, the option that mends it, and what it means then."""

    path: Path
    option: dict[str, str]
    names: tuple[str, ...]
    columns: dict[str, list[object]]
    what: str


_GENES = ("TP53", "KRAS", "MYC", "EGFR", "BRCA1", "PTEN", "RB1", "ALK", "MET", "CDK4", "IDH1", "VHL")


def genes_in_rows(rng: np.random.Generator, folder: Path) -> Misshapen:
    """Write genes, proteins or taxa in rows and samples in columns, perhaps with a row of groups."""
    first = str(
        rng.choice(["gene", "Gene Symbol", "probe_id", "Protein", "OTU ID", "Merkmal", "gène", "ID_REF"])
    )
    samples, features = int(rng.integers(8, 60)), int(rng.integers(6, 12))
    kind = int(rng.integers(4))
    ids = [
        list(_GENES),
        [f"ENSG{number:011d}" for number in range(4200, 4212)],
        [f"{number}_at" for number in range(1007, 1019)],
        [f"rs{number}" for number in range(88100, 88112)],
    ][kind]
    names = [str(name) for name in rng.permutation(ids)[:features]]
    called = [
        [f"GSM{4000 + place}" for place in range(samples)],
        [f"S{place + 1}" for place in range(samples)],
        [f"{'ctrl' if place % 2 else 'case'}_{place + 1}" for place in range(samples)],
        [f"TCGA-{place:04d}-01" for place in range(samples)],
    ][int(rng.integers(4))]
    values = rng.normal(8, 2, (samples, features)).round(2)
    columns: dict[str, list[object]] = {name: values[:, at].tolist() for at, name in enumerate(names)}
    header = [first, *called]
    rows: Rows = [[name, *(f"{value:.2f}" for value in values[:, at])] for at, name in enumerate(names)]
    has_labels = bool(rng.random() < 0.3)
    separator, decimal = DIALECTS[rng.integers(len(DIALECTS))]
    for label in ("group", "relapse")[: int(rng.integers(1, 3)) if has_labels else 0]:
        groups = [str(each) for each in rng.choice(["tumour", "normal"], samples)]
        is_above = bool(rng.random() < 0.7)
        columns = {label: list(groups), **columns} if is_above else {**columns, label: list(groups)}
        rows.insert(0 if is_above else len(rows), [label, *groups])
    if has_labels and rng.random() < 0.5:
        first = header[0] = str(rng.choice(["name", "Zeile", "ID"]))
    if rng.random() < 0.5:
        header, rows = _with_descriptions(rng, header, rows)
    rows = [header, *rows]
    path = Plain("en", [], rows, [], separator, decimal).write(rows, folder / "table.csv")
    return Misshapen(
        path, {"shape": "turned"}, ("sample", *columns), {"sample": list(called), **columns}, first
    )


def _with_descriptions(rng: np.random.Generator, header: list[str], rows: Rows) -> tuple[list[str], Rows]:
    """Put columns that describe genes beside their names, or behind the samples."""
    draw: dict[str, Callable[[], str]] = {
        "Beschreibung": lambda: f"protein {rng.integers(900)}",
        "Chr": lambda: f"chr{rng.integers(1, 23)}",
        "Length": lambda: str(rng.integers(500, 9000)),
        "Strand": lambda: str(rng.choice(["+", "-"])),
    }
    names = [str(name) for name in rng.permutation(list(draw))][: int(rng.integers(1, 4))]
    at = 1 if rng.random() < 0.6 else len(header)
    header = [*header[:at], *names, *header[at:]]
    return header, [[*row[:at], *(draw[name]() for name in names), *row[at:]] for row in rows]


def wide_visits(rng: np.random.Generator, folder: Path) -> Misshapen:
    """Write visits beside each other, as sheets of trials have them; some of them are missing."""
    cases, count = int(rng.integers(20, 120)), int(rng.integers(2, 5))
    kinds = [
        [f"v{place + 1}" for place in range(count)],
        ["baseline", *(f"m{6 * place}" for place in range(1, count))],
        [f"T{place}" for place in range(count)],
        [f"Woche{4 * place}" for place in range(count)],
        [f"visit{place + 1}" for place in range(count)],
        [f"J{10 * place}" for place in range(count)],
        ["basal", *(f"mes{3 * place}" for place in range(1, count))],
        [f"0{rng.choice(['mo', 'w', 'mois', 'h'])}", *(f"{place}y" for place in range(1, count))],
        ["baseline", *(str(12 * place) for place in range(1, count))],
        [["pre", "post"], ["before", "after"], ["vorher", "nachher"], ["avant", "après"], ["przed", "po"]][
            int(rng.integers(5))
        ],
        [["Aufnahme", "Entlassung"], ["admission", "discharge"], ["ingreso", "alta"], ["治疗前", "治疗后"]][
            int(rng.integers(4))
        ],
        ["基线", *(f"{3 * place}月" for place in range(1, count))],
        [str(2015 + place) for place in range(count)],
        [str(place + 1) for place in range(max(count, 3))],
        [f"week_{4 * place}" for place in range(count)],
    ]
    times = kinds[int(rng.integers(len(kinds)))]
    # What is measured alone must have three times, or a first one, and words that say so.
    is_clear = not times[-1].isdecimal() and (len(times) > 2 or times[0] in ("pre", "before", "Aufnahme"))
    stems = [str(stem) for stem in rng.permutation(["pain", "crp", "score", "Gewicht", "sleep quality"])][
        : int(rng.integers(1 if is_clear else 2, 5))
    ]
    is_before, mark = bool(rng.random() < 0.3), str(rng.choice(["_", ".", " "]))
    is_glued = (times[0][0].isupper() and times[0][-1].isdecimal()) or times[0] == "2015"
    if is_glued and times[0].isascii() and not is_before and rng.random() < 0.5:
        mark = ""
    has_id = bool(rng.random() < 0.7)
    ids = [f"P{place:03d}" for place in range(cases)]
    age = rng.integers(20, 80, cases)
    values = {(stem, time): rng.normal(20, 6, cases).round(1) for time in times for stem in stems}
    seen = {time: rng.random(cases) < (1 if at == 0 else 0.9) for at, time in enumerate(times)}
    named = {
        pair: mark.join(
            (pair[1], pair[0].replace(" ", mark or "_"))
            if is_before
            else (pair[0].replace(" ", mark or "_"), pair[1])
        )
        for pair in values
    }
    header = [*(["subject_id"] if has_id else []), "age", *named.values()]
    rows = [
        [
            *([ids[case]] if has_id else []),
            str(age[case]),
            *(f"{column[case]:.1f}" if seen[time][case] else "" for (_, time), column in values.items()),
        ]
        for case in range(cases)
    ]
    path = Plain("en", [], [], [], ";", ".").write([header, *rows], folder / "table.csv")
    kept = [(case, time) for case in range(cases) for time in times if seen[time][case]]
    first = "subject_id" if has_id else "case id"
    columns: dict[str, list[object]] = {
        first: [ids[case] if has_id else f"case {case + 1}" for case, _ in kept],
        "age": [float(age[case]) for case, _ in kept],
        "visit": [time for _, time in kept],
    }
    for stem in stems:
        columns[stem.replace(" ", "_")] = [float(values[stem, time][case]) for case, time in kept]
    return Misshapen(path, {"shape": "long"}, tuple(columns), columns, f"{times} {is_before} {mark!r}")


def visits_below(rng: np.random.Generator, folder: Path) -> Misshapen:
    """Write a row a visit, as tables of trials and of REDCap's events have them; some visits are missing."""
    cases, count = int(rng.integers(15, 80)), int(rng.integers(2, 6))
    written, called = [
        ([str(place + 1) for place in range(count)], "{name}{time}"),
        ([str(6 * place) for place in range(count)], "{name}{time}"),
        (["baseline", *(f"m{6 * place}" for place in range(1, count))], "{time}"),
        ([f"T{place}" for place in range(count)], "{time}"),
        ([f"visit_{place + 1}_arm_1" for place in range(count)], "{time}"),
    ][(form := int(rng.integers(5)))]
    names = ("visit", "week", "Besuch", "temps", "wizyta", "访视", "study_month")
    visit = "redcap_event_name" if form == 4 else str(rng.choice(names))
    case = str(rng.choice(["subject_id", "PatNr", "identifiant", "MRN", "record_id", "受试者编号"]))
    stems = [str(stem) for stem in rng.permutation(["pain", "crp", "Gewicht"])][: int(rng.integers(1, 4))]
    ids = [f"P{place:03d}" for place in range(cases)]
    once = {"age": rng.integers(20, 80, cases), "sex": rng.choice(["f", "m"], cases)}
    values = {(stem, time): rng.normal(20, 6, cases).round(1) for stem in stems for time in written}
    rows = [
        (row, time) for row in range(cases) for at, time in enumerate(written) if at < 2 or rng.random() < 0.8
    ]
    if rng.random() < 0.4:
        rows = [rows[place] for place in rng.permutation(len(rows))]
    header = [case, visit, *once, *stems]
    lines = [
        [
            ids[row],
            time,
            *(str(once[name][row]) for name in once),
            *(f"{values[stem, time][row]:.1f}" for stem in stems),
        ]
        for row, time in rows
    ]
    path = Plain("en", [], [], [], ";", ".").write([header, *lines], folder / "table.csv")
    order = list(dict.fromkeys(row for row, _ in rows))
    seen = set(rows)
    columns: dict[str, list[object]] = {
        case: [ids[row] for row in order],
        "age": [float(once["age"][row]) for row in order],
        "sex": [str(once["sex"][row]) for row in order],
    }
    for stem in stems:
        for time in written:
            name = f"{stem}_{called.format(name=visit, time=time)}"
            columns[name] = [float(values[stem, time][row]) if (row, time) in seen else None for row in order]
    return Misshapen(path, {"shape": "wide"}, tuple(columns), columns, f"{written} {visit} {case}")


def lists_of_measurements(rng: np.random.Generator, folder: Path) -> Misshapen:
    """Write a row a value, as laboratories do, with its name and perhaps its unit beside it."""
    cases = int(rng.integers(15, 90))
    what, value, unit = [
        ("Parameter", "Wert", "Einheit"),
        ("variable", "value", "unit"),
        ("analyte", "result", "units"),
        ("paramètre", "valeur", "unité"),
        ("项目", "结果", "单位"),
    ][int(rng.integers(5))]
    case = str(rng.choice(["subject_id", "PatNr", "pid", "MRN", "record_id"]))
    names = [str(name) for name in rng.permutation(["crp", "ldl", "HbA1c", "Na"])][: int(rng.integers(2, 5))]
    ids = [f"P{place:03d}" for place in range(cases)]
    drawn = {name: rng.normal(40, 9, cases).round(2) for name in names}
    cells = {name: [f"{number:.2f}" for number in numbers] for name, numbers in drawn.items()}
    if rng.random() < 0.4:
        cells["smoker"] = [str(word) for word in rng.choice(["yes", "no"], cases)]
    seen = {
        (row, name) for row in range(cases) for at, name in enumerate(cells) if at < 2 or rng.random() < 0.8
    }
    rows = sorted(seen, key=lambda pair: (pair[0], list(cells).index(pair[1])))
    if rng.random() < 0.4:
        rows = [rows[place] for place in rng.permutation(len(rows))]
    has_units = bool(rng.random() < 0.5)
    lines = [
        [ids[row], name, cells[name][row], *([f"unit of {name}"] if has_units else [])] for row, name in rows
    ]
    header = [case, what, value, *([unit] if has_units else [])]
    path = Plain("en", [], [], [], ";", ".").write([header, *lines], folder / "table.csv")
    order = list(dict.fromkeys(row for row, _ in rows))
    columns: dict[str, list[object]] = {case: [ids[row] for row in order]}
    for name in sorted(cells):
        written = [cells[name][row] if (row, name) in seen else None for row in order]
        columns[name] = [cell if cell is None or name == "smoker" else float(cell) for cell in written]
    return Misshapen(path, {"shape": "wide"}, tuple(columns), columns, f"{case} {what} {list(cells)}")


def code_books(rng: np.random.Generator, folder: Path) -> Misshapen:
    """Write a workbook of codes, with their meanings on another sheet: a row a code, or all in one cell."""
    import openpyxl

    count = int(rng.integers(30, 150))
    books = {
        "sex": {1: "male", 2: "female"},
        "ward": {1: "surgery", 2: "medicine", 3: "intensive care"},
        "Raucher": {0: "nein", 1: "ja", 2: "früher"},
        "douleur": {1: "aucune", 2: "légère", 3: "forte"},
    }
    chosen = [str(name) for name in rng.permutation(list(books))][: int(rng.integers(1, 5))]
    codes = {name: rng.choice(list(books[name]), count) for name in chosen}
    age = rng.integers(20, 80, count)
    book = openpyxl.Workbook()
    book.active.append(["age", *chosen])
    for row in range(count):
        book.active.append([int(age[row]), *(int(codes[name][row]) for name in chosen)])
    sheet = book.create_sheet(str(rng.choice(["Codes", "codebook", "Legende", "Sheet2", "Dictionnaire"])))
    form = int(rng.integers(3))
    has_header = bool(rng.random() < 0.7)
    if has_header:
        sheet.append(["variable", "description", "values"] if form == 2 else ["variable", "code", "meaning"])
    for name in chosen:
        if form == 2:
            mark = str(rng.choice(["; ", ", ", "\n"]))
            sheet.append(
                [name, "see form", mark.join(f"{code} = {text}" for code, text in books[name].items())]
            )
            continue
        for at, (code, text) in enumerate(books[name].items()):
            sheet.append([name if form == 0 or at == 0 else None, code, text])
    if has_header and form == 2:
        sheet.append(["age", "years", None])
    book.save(folder / "table.xlsx")
    columns: dict[str, list[object]] = {"age": [float(each) for each in age]}
    columns |= {name: [books[name][code] for code in codes[name].tolist()] for name in chosen}
    return Misshapen(
        folder / "table.xlsx", {"code_book": sheet.title}, tuple(columns), columns, f"form {form}"
    )


@dataclass(frozen=True, slots=True)
class Joinable:
    """A table, another with its labels in another order, and what belongs to the rows of the former.

    Attributes
    ----------
    data, labels : Path
    outcomes : list of int
        The label `ill` of each row of the data that has one.
    names : tuple of str
        What may be a label: identifiers of the table of labels may not.
    """

    data: Path
    labels: Path
    outcomes: list[int]
    names: tuple[str, ...] = ("ill", "cough")

    @property
    def is_right(self) -> bool:
        """Whether each row has its label when the two are read."""
        dataset = read_table(self.data, self.labels).dataset
        return dataset.labels == self.names and dataset.column("ill").astype(int).tolist() == self.outcomes


# What numbers the rows; nothing where pandas or R wrote the numbers.
_NUMBERINGS = (
    *("", "X", "nr", "lfdnr", "id", "row", "Zeile", "index", "Nr.", "no", "ligne", "fila", "riga", "linha"),
    *("rij", "wiersz", "строка", "行", "序号", "sıra", "lp", "rank_in_file"),
)
_OF_PERSONS = (
    *(
        "pid",
        "patient",
        "PatNr",
        "subject_code",
        "case",
        "MRN",
        "Proband",
        "dossier",
        "id_paciente",
        "codice",
    ),
    *(
        "id_do_utente",
        "bolnr",
        "nr_pacjenta",
        "код",
        "患者番号",
        "受试者",
        "hasta_no",
        "kennung",
        "x7",
        "tube",
    ),
)
_FORMS = ("{}", "P{}", "K-{}", "{}/24", "S{:07d}")


def _of_persons(rng: np.random.Generator, count: int) -> tuple[list[str], list[str]]:
    """Draw identifiers, and how another table writes them."""
    numbers = rng.choice(np.arange(1000, 99_999), count, replace=False)
    form = str(rng.choice(_FORMS))
    other = "p{:06d}" if form == "P{}" and rng.random() < 0.5 else form
    return [form.format(number) for number in numbers], [other.format(number) for number in numbers]


def _write_both(
    folder: Path, data: dict[str, Sequence[object]], labels: dict[str, Sequence[object]]
) -> tuple[Path, Path]:
    paths = folder / "data.csv", folder / "labels.csv"
    for path, columns in zip(paths, (data, labels), strict=True):
        lines = [list(columns), *zip(*columns.values(), strict=True)]
        path.write_text("".join(",".join(map(str, line)) + "\n" for line in lines), encoding="utf-8")
    return paths


def numbered_label_tables(rng: np.random.Generator, folder: Path) -> Joinable:
    """Write a table and its labels, both with a column that numbers their rows beside a true identifier."""
    rows, matched = int(rng.integers(40, 160)), 1.0 if rng.random() < 0.6 else 0.7
    persons, otherwise = _of_persons(rng, rows)
    ill = rng.integers(0, 2, rows)
    names = list(map(str, rng.choice(_OF_PERSONS, 2, replace=rng.random() < 0.3)))
    numbers = list(map(str, rng.choice(_NUMBERINGS, 2)))
    if rng.random() < 0.5:
        numbers[1] = numbers[0]
    order = rng.permutation(rows)[: int(matched * rows)]
    first = int(rng.integers(0, 2))
    data: dict[str, Sequence[object]] = {
        numbers[0]: list(range(first, rows + first)),
        names[0]: persons,
        "dose": rng.normal(size=rows).round(2).tolist(),
    }
    labels: dict[str, Sequence[object]] = {
        numbers[1]: list(range(first, len(order) + first)),
        names[1]: [otherwise[place] for place in order],
        "ill": ill[order].tolist(),
        "cough": rng.integers(0, 2, len(order)).tolist(),
    }
    if rng.random() < 0.3:
        labels = {name: labels[name] for name in ("ill", *numbers[1:], "cough", *names[1:])}
        if not numbers[1]:
            labels = {"": labels[""]} | labels
    kept = set(order.tolist())
    outcomes = [int(ill[place]) for place in range(rows) if place in kept]
    return Joinable(*_write_both(folder, data, labels), outcomes)


def persons_with_rows(rng: np.random.Generator, folder: Path) -> Joinable:
    """Write a table with several rows a person and one with a row a person, which name persons otherwise."""
    persons, visits = int(rng.integers(20, 80)), int(rng.integers(2, 7))
    written, otherwise = _of_persons(rng, persons)
    if rng.random() < 0.2:
        written = otherwise = list(map(str, range(1, persons + 1)))
    ill = rng.integers(0, 2, persons)
    named = [name for name in _OF_PERSONS if name not in ("x7", "tube", "codice", "код", "case")]
    names = list(map(str, rng.choice(named, 2, replace=False)))
    rows = np.repeat(np.arange(persons), visits)
    if rng.random() < 0.5:
        rows = rng.permutation(rows)
    order = rng.permutation(persons)
    data: dict[str, Sequence[object]] = {
        "dose": rng.normal(size=len(rows)).round(2).tolist(),
        names[0]: [written[place] for place in rows],
        "visit": list(np.tile(np.arange(visits), persons)),
    }
    labels: dict[str, Sequence[object]] = {
        names[1]: [otherwise[place] for place in order],
        "ill": ill[order].tolist(),
        "cough": rng.integers(0, 2, persons).tolist(),
    }
    return Joinable(*_write_both(folder, data, labels), ill[rows].tolist())
