"""Tables that are easily misread, made at random: names, languages, places, separators.

Each maker gives the file and a plain one that means the same, so that both are read alike where the first is
understood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from engine.errors import EngineError
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
SECTIONS = {
    "en": ("Ward A", "Ward B", "Outpatients", "Controls"),
    "de": ("Männer", "Frauen", "Station 4", "Station 5 (Chirurgie)"),
    "fr": ("Groupe témoin", "Groupe traité", "Hors protocole", "Perdus de vue"),
    "es": ("Hombres", "Mujeres", "Niños", "Sin clasificar"),
    "it": ("Reparto 1", "Reparto 2", "Ambulatorio", "Controlli"),
    "pl": ("Oddział A", "Oddział B", "Kobiety", "Mężczyźni"),
    "ru": ("Мужчины", "Женщины", "Отделение 3", "Контроль"),
    "ja": ("男性", "女性", "対照群", "外来"),
    "zh": ("男", "女", "对照组", "门诊"),
    "tr": ("Erkekler", "Kadınlar", "Kontrol grubu", "Servis 2"),
}
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


def plain_table(
    rng: np.random.Generator, *, fewest: int = 15, most: int = 200, has_id: bool | None = None
) -> Plain:
    """Draw a table of numbers, labels and perhaps identifiers and categories."""
    language = str(rng.choice(list(NAMES)))
    separator, decimal = DIALECTS[rng.integers(len(DIALECTS))]
    count = int(rng.integers(fewest, most))
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
    added = [rows[number] for number in chosen]
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
    both = [f"{left} ± {right}".replace(".", table.decimal) for left, right in zip(mean, spread, strict=True)]
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


_FEWEST_WITH_MEDIAN = 6


def rows_of_groups(rng: np.random.Generator, folder: Path) -> Misread:
    """Put the mean, the median or mean and SD of each group among the cases, named in one of many ways."""
    table = plain_table(rng, fewest=36)
    language, texts = table.language, [str(text) for text in rng.permutation(SECTIONS[table.language])]
    texts = texts if rng.random() < 0.7 else ["1", "2", "3"]
    groups = texts[: int(rng.integers(2, 4))]
    _, mean, spread = TOTALS[language]
    kinds: dict[str, Callable[[np.ndarray], float]] = {
        mean: np.nanmean,
        "median": np.nanmedian,
        spread: lambda values: np.nanstd(values, ddof=1),
    }
    words = [[mean], [mean], ["median"], [mean, spread]][int(rng.integers(4))]
    forms = ["{group} ({word})", "{group} {word}", "{word} {group}", "{word}: {group}", "Ø {group}", "{word}"]
    # A median or a spread without a word is known by several columns alone, as what a case holds is near.
    forms += ["", "{group}"] if words == [mean] else []
    forms += [""] if words == ["median"] and len(table.numbers) >= _FEWEST_WITH_MEDIAN else []
    form = str(rng.choice(forms))
    where = str(rng.choice(["behind", "before", "at the end"] if form != "{word}" else ["behind"]))
    group_of = np.sort(rng.integers(0, len(groups), len(table.rows)))
    if where == "at the end" and form and rng.random() < 0.5:
        group_of = rng.permutation(group_of)
    place = int(rng.integers(0, len(table.names) + 1))
    body, rows, ends = [], [], []
    for group in range(len(groups)) if where != "at the end" or form == "" else [None]:
        own = [row for row, of in zip(table.rows, group_of, strict=True) if group is None or of == group]
        of_rows = [int(of) for of in group_of if group is None or of == group]
        cases = [[*row[:place], groups[of], *row[place:]] for row, of in zip(own, of_rows, strict=True)]
        rows += cases
        of_group = []
        for of in range(len(groups)) if group is None else [group]:
            part = [row for row, code in zip(table.rows, group_of, strict=True) if code == of]
            values = Plain(language, table.names, part, table.numbers)
            for word in words:
                row = _summary(values, "", kinds[word], 2)
                of_group.append([*row[:place], form.format(group=groups[of], word=word), *row[place:]])
        ends += of_group
        body += (
            [*of_group, *cases]
            if where == "before"
            else cases
            if where == "at the end"
            else [*cases, *of_group]
        )
    body += ends if where == "at the end" else []
    names = [*table.names[:place], str(rng.choice(["ward", "Arm", "groupe", "分组"])), *table.names[place:]]
    plain = table.write([names, *rows], folder / "plain.csv")
    return Misread(table.write([names, *body], folder / "table.csv"), plain, f"{form!r} {words} {where}")


def section_headings(rng: np.random.Generator, folder: Path) -> Misread:
    """Put headings above parts of the table, where cases have a name or a number or in their own column."""
    table = plain_table(rng, fewest=20)
    names, rows = table.names, table.rows
    what = "beside identifiers" if table.texts and table.texts[0] == 0 else "beside numbers"
    if rng.random() < 0.3:
        names, rows, what = ["part", *names], [["", *row] for row in rows], "in a column of their own"
    sections = [str(section) for section in rng.permutation(SECTIONS[table.language])[: rng.integers(2, 5)]]
    starts = [0, *np.sort(rng.choice(np.arange(3, len(rows) - 2), len(sections) - 1, replace=False)).tolist()]
    body: Rows = list(rows)
    for start, section in reversed(list(zip(starts, sections, strict=True))):
        body.insert(start, [section, *[""] * (len(names) - 1)])
    plain = table.write([names, *rows], folder / "plain.csv")
    return Misread(table.write([names, *body], folder / "table.csv"), plain, f"{sections} {what}")


def is_read_alike(case: Misread, **options: object) -> bool:
    """Tell whether both files give the same table."""
    return are_equal(read_table(case.path, options=ReadingOptions(**options)), read_table(case.plain))


def are_equal(left: Reading, right: Reading) -> bool:
    """Tell whether two readings hold the same variables and values."""
    return left.dataset.variables == right.dataset.variables and all(
        np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        for a, b in zip(left.dataset.columns, right.dataset.columns, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Score:
    """How variants of a kind were read."""

    right: int
    asked_about: int
    wrong: tuple[str, ...]


def score_of(maker: Maker, folder: Path, seeds: Sequence[int]) -> Score:
    """Read a variant a seed; one that is in doubt counts as asked about, whether it is right or not."""
    from clcd_gui.document.doubts import doubts_of

    right = asked_about = 0
    wrong = []
    for seed in seeds:
        place = folder / str(seed)
        place.mkdir()
        case = maker(np.random.default_rng(seed), place)
        plain = read_table(case.plain)
        try:
            reading = read_table(case.path)
        except EngineError as error:
            wrong.append(f"{seed}: {case.what}, {error}")
            continue
        settled = {doubt.title for doubt in doubts_of(plain, ReadingOptions()) if doubt.is_serious}
        serious = {
            doubt.title for doubt in doubts_of(reading, ReadingOptions()) if doubt.is_serious
        } - settled
        if serious:
            asked_about += 1
        if are_equal(reading, plain):
            right += 1
        elif not serious:
            wrong.append(f"{seed}: {case.what}, {case.path}")
    return Score(right, asked_about, tuple(wrong))


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


def merged_headings(rng: np.random.Generator, folder: Path) -> Misread:
    """Put headings above the names, each over several columns; a name beside them may stand in their row.

    In a workbook titles may stand above them, and all columns of numbers may hold a few texts.
    """
    import openpyxl

    table = plain_table(rng, fewest=20, has_id=True)
    has_titles, has_texts = rng.random(2) < 0.5
    if has_texts:
        for place in table.numbers:
            text = str(rng.choice(["k.A.", "unclear", "<0.5", "ca. 60"]))
            for row in table.rows:
                # A workbook writes no zeros at the end, which stay in columns of texts.
                row[place] = f"{float(row[place]):g}" if row[place] else ""
            for line in rng.choice(len(table.rows), max(1, len(table.rows) // 20), replace=False):
                table.rows[line][place] = text
    above, below = [""] * len(table.names), list(table.names)
    starts = sorted({1, *map(int, rng.choice(np.arange(1, len(above) - 1), 2))})
    for start, word in zip(starts, ("Baseline", "Labor", "結果"), strict=False):
        above[start] = word
    if starts[-1] == len(above) - 1 or rng.random() < 0.5:
        above[0], below[0] = below[0], ""
    rows = [above, below, *table.rows]
    plain = Plain("en", [], table.rows, []).write([table.names, *table.rows], folder / "plain.csv")
    if rng.random() < 0.5:
        table.separator, table.decimal = ",", "."
        return Misread(table.write(rows, folder / "table.csv"), plain, f"{above}")
    book = openpyxl.Workbook()
    titles = [["Klinik am See, 2023"], ["Stand: 12.03.2024, Dr. Weber"], [None]] if has_titles else []
    for row in titles:
        book.active.append(row)
    for place, row in enumerate(rows):
        book.active.append([float(cell) if place > 1 and _is_number(cell) else cell or None for cell in row])
    line = len(titles) + 1
    for start, end in zip(starts, [*starts[1:], len(above)], strict=True):
        book.active.merge_cells(start_row=line, end_row=line, start_column=start + 1, end_column=end)
    book.save(folder / "table.xlsx")
    return Misread(folder / "table.xlsx", plain, f"{above} in a workbook, {has_titles=}, {has_texts=}")


def marked_lines(rng: np.random.Generator, folder: Path) -> Misread:
    """Put lines that begin with # or ! above the names, as data bases of genes do, as wide as the table."""
    table = plain_table(rng, fewest=20)
    plain = table.write([table.names, *table.rows], folder / "plain.csv")
    width = len(table.names)
    described = [f"{name} of case" for name in table.names]
    types = ["STRING" if place in table.texts else "NUMBER" for place in range(width)]
    lines: Rows = [described, [f"Measured: {name}" for name in table.names], types, ["1"] * width]
    mark = "#" if rng.random() < 0.6 else "!"
    marked = [[mark + line[0], *line[1:]] for line in lines[: int(rng.integers(1, 5))]]
    below: Rows = []
    if mark == "!":
        marked = [["!Series_title", "A study"], ["!Series_date", "May 2021"], *marked, ["!table_begin"]]
        below = [["!table_end"]] if rng.random() < 0.7 and width > 2 else []
    rows = [*marked, table.names, *table.rows, *below]
    return Misread(table.write(rows, folder / "table.csv"), plain, f"{len(marked)} lines with {mark}")


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
