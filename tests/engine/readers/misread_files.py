"""Files that are easily misread, made at random: workbooks, surveys of SPSS and Stata, REDCap, old encodings.

Each maker gives the file, and tells whether what is read of it is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.errors import UnreadableFile
from engine.readers import Reading, ReadingOptions, read_table
from engine.readers.reading import REPEATS, SAME_CASES
from engine.readers.sheet_cells import HIDDEN_ROWS, SEEN_ROWS
from tests.engine.readers.misread_tables import Rows, are_equal, plain_table
from tests.engine.readers.written_tables import values_of
from tests.fuzzing.handmade import ods_around, ods_cell, ods_of, xls_of, xlsb_of


@dataclass(frozen=True, slots=True)
class Case:
    """A file, and whether it is read right.

    Attributes
    ----------
    path : Path
    judge : callable
        Tells it of what is read of the file.
    what : str
    """

    path: Path
    judge: Callable[[Reading], bool]
    what: str

    @property
    def is_right(self) -> bool:
        """Whether what is read is right, with what the cards offer."""
        return self.judge(read_table(self.path))


Maker = Callable[[np.random.Generator, Path], Case]


def wrong_of(maker: Maker, folder: Path, seeds: Sequence[int]) -> list[str]:
    """Return what is read wrongly of a variant a seed."""
    wrong = []
    for seed in seeds:
        place = folder / str(seed)
        place.mkdir()
        case = maker(np.random.default_rng(seed), place)
        if not case.is_right:
            wrong.append(f"{seed}: {case.what}, {case.path}")
    return wrong


def _size(rng: np.random.Generator) -> int:
    """Draw a number of rows from 40 to 2000; small ones are as frequent as large ones."""
    return int(40 * 50 ** rng.random())


def _in_cells(rows: Rows) -> list[list[float | str | None]]:
    return [
        [float(cell) if place and re.fullmatch(r"-?\d+(\.\d+)?", cell) else cell or None for cell in row]
        for place, row in enumerate(rows)
    ]


_SHEETS = (
    "Sheet1",
    "Daten",
    "données",
    "Hoja1",
    "Foglio1",
    "Planilha1",
    "Blad1",
    "Arkusz1",
    "工作表1",
    "データ",
)
_TITLES = ("Study of May", "Station 3", "Étude pilote", "調査")


_WAYS, _KINDS = ("filter", "by hand"), ("", " in .ods", " in .xls", " in .xlsb")


def filtered_rows(rng: np.random.Generator, folder: Path) -> Case:
    """Hide rows of a sheet, by a filter of the sheet or of a table in it, or by hand."""
    table = plain_table(rng, fewest=40, most=_size(rng) + 1)
    count = len(table.rows)
    drawn = rng.random(count) < rng.uniform(0.05, 0.8)
    start = int(rng.integers(count - 5))
    run = (np.arange(count) >= start) & (np.arange(count) < start + int(rng.integers(1, count // 2)))
    values = [row[int(rng.integers(len(table.names)))] for row in table.rows]
    is_hidden = [drawn, run, np.array(values) > sorted(values)[count // 2]][int(rng.integers(3))]
    if is_hidden.sum() in (0, count):
        is_hidden = np.arange(count) % 3 == 0
    form = str(rng.choice(["filter of a table", *(f"{way}{kind}" for way in _WAYS for kind in _KINDS)]))
    title = [str(rng.choice(_TITLES))] if rng.random() < 0.2 and form != "filter of a table" else []
    above = [list(title), [None]] if title else []
    rows = [*above, *_in_cells([table.names, *table.rows])]
    hidden = [len(above) + 1 + int(place) for place in np.flatnonzero(is_hidden)]
    kind = form.rpartition(".")[2] if "." in form else "xlsx"
    path = folder / f"table.{kind}"
    if kind == "ods":
        path.write_bytes(ods_of(rows, hidden, "filter" if "filter" in form else "collapse"))
    elif kind != "xlsx":
        write = xls_of if kind == "xls" else xlsb_of
        path.write_bytes(write(rows, hidden, filters="filter" in form))
    else:
        _write_hidden(path, rows, hidden, form, str(rng.choice(_SHEETS)), len(above))
    table.separator, table.decimal = ";", "."
    seen = [row for row, is_away in zip(table.rows, is_hidden, strict=True) if not is_away]
    whole = table.write([table.names, *table.rows], folder / "whole.csv")
    part = table.write([table.names, *seen], folder / "part.csv")
    by_hand = "by hand" in form

    def is_right(reading: Reading) -> bool:
        told = [
            note.message for note in reading.issues if note.topic == (SEEN_ROWS if by_hand else HIDDEN_ROWS)
        ]
        otherwise = read_table(path, options=ReadingOptions(hidden_rows="drop" if by_hand else "keep"))
        files = (whole, part) if by_hand else (part, whole)
        return (
            len(told) == 1
            and f"{len(hidden)} row" in told[0]
            and are_equal(reading, read_table(files[0]))
            and are_equal(otherwise, read_table(files[1], options=ReadingOptions(other_rows="keep")))
        )

    return Case(path, is_right, f"{form}, {len(hidden)} of {count}")


def _write_hidden(
    path: Path, rows: list[list[float | str | None]], hidden: list[int], form: str, name: str, above: int
) -> None:
    import openpyxl
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.filters import AutoFilter, FilterColumn, Filters
    from openpyxl.worksheet.table import Table

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = name
    for row in rows:
        sheet.append(row)
    for place in hidden:
        sheet.row_dimensions[place + 1].hidden = True
    span = f"A{above + 1}:{get_column_letter(len(rows[-1]))}{len(rows)}"
    if form == "filter":
        sheet.auto_filter.ref = span
        sheet.auto_filter.add_filter_column(0, ["P001"])
    elif form == "filter of a table":
        excel_table = Table(displayName="Table1", ref=span)
        chosen = FilterColumn(colId=0, filters=Filters(filter=["P001"]))
        excel_table.autoFilter = AutoFilter(ref=span, filterColumn=[chosen])
        sheet.add_table(excel_table)
    book.save(path)


_STRAY = ("x", "1", "0", "Anna", ".", "-", "末")


def far_cells(rng: np.random.Generator, folder: Path) -> Case:
    """Put a cell far from the table: in the last row or column of a sheet, or a few screens away."""
    import openpyxl
    from openpyxl.utils import get_column_letter

    table = plain_table(rng, fewest=40, most=_size(rng) + 1)
    rows = _in_cells([table.names, *table.rows])
    width, height = len(rows[0]), len(rows)
    column = int(rng.choice([1, width, width + 2, width + 60, 703, 5000, 16_384]))
    row = int(rng.choice([1, height // 2, height + 30, height + 5000, 65_536, 1_048_576]))
    if row <= height and column <= width:
        row, column = 1_048_576, 16_384
    stray = str(rng.choice(_STRAY))
    value = float(stray) if stray.isdecimal() else stray
    if rng.random() < 0.3:
        path = folder / "table.ods"
        path.write_bytes(_ods_with(rows, row, column, value))
    else:
        path = folder / "table.xlsx"
        book = openpyxl.Workbook()
        for cells in rows:
            book.active.append(cells)
        book.active.cell(row, column, value)
        book.save(path)
    table.separator, table.decimal = ";", "."
    plain = read_table(table.write([table.names, *table.rows], folder / "plain.csv"))

    def is_right(reading: Reading) -> bool:
        dataset = reading.dataset
        return dataset.row_count == plain.dataset.row_count and all(
            name in dataset.names
            and dataset.variable(name) == plain.dataset.variable(name)
            and values_of(reading, name) == values_of(plain, name)
            for name in plain.dataset.names
        )

    return FarCell(path, is_right, f"{value!r} in {get_column_letter(column)}{row}, {height} × {width}")


class FarCell(Case):
    """A workbook with a far cell, which may be refused with the way to put it right."""

    __slots__ = ()

    @property
    def is_right(self) -> bool:
        """Whether the table alone is read, or the cell is named."""
        try:
            return self.judge(read_table(self.path))
        except UnreadableFile as error:
            return "far from the table" in str(error)


def _ods_with(rows: list[list[float | str | None]], row: int, column: int, value: float | str) -> bytes:
    """Return a workbook of LibreOffice in which empty rows and cells before the far one are counted."""
    lines = []
    for number, cells in enumerate(rows, start=1):
        far = _after(column - len(cells) - 1, value) if number == row else ""
        lines.append(f"<table:table-row>{''.join(map(ods_cell, cells))}{far}</table:table-row>")
    if row > len(rows):
        between = row - len(rows) - 1
        lines.append(f'<table:table-row table:number-rows-repeated="{between}"/>' * (between > 0))
        lines.append(f"<table:table-row>{_after(column - 1, value)}</table:table-row>")
    return ods_around("".join(lines))


def _after(gap: int, value: float | str) -> str:
    return f'<table:table-cell table:number-columns-repeated="{gap}"/>' * (gap > 0) + ods_cell(value)


_NO_ANSWERS = (
    ("don't know", "no answer", "refused"),
    ("Weiß nicht", "Keine Angabe", "Verweigert"),
    ("ne sait pas", "sans réponse", "refus"),
    ("No sabe", "No contesta", "Se negó"),
    ("non sa", "non risponde", "rifiuto"),
    ("não sabe", "não respondeu", "recusou"),
    ("weet niet", "geen antwoord", "geweigerd"),
    ("nie wiem", "brak odpowiedzi", "odmowa"),
    ("不知道", "未回答", "拒绝回答"),
    ("わからない", "無回答", "回答拒否"),
)
_ENDS = (
    ("not at all", "extremely"),
    ("gar nicht", "äußerst"),
    ("pas du tout", "extrêmement"),
    ("nada", "muchísimo"),
    ("per niente", "moltissimo"),
    ("nada", "extremamente"),
    ("helemaal niet", "zeer veel"),
    ("wcale", "bardzo"),
    ("完全不", "非常"),
    ("全くない", "非常に"),
)
_ALL_NAMED = (
    ("single", "married", "widowed"),
    ("ledig", "verheiratet", "verwitwet"),
    ("célibataire", "marié", "veuf"),
    ("soltero", "casado", "viudo"),
    ("celibe", "sposato", "vedovo"),
    ("solteiro", "casado", "viúvo"),
    ("ongehuwd", "gehuwd", "verweduwd"),
    ("panna", "mężatka", "wdowa"),
    ("未婚", "已婚", "丧偶"),
    ("未婚", "既婚", "死別"),
)
_FILTERS = ("not employed", "nicht erwerbstätig", "sans emploi", "no trabaja", "无业")


def partly_named_codes(rng: np.random.Generator, folder: Path) -> Case:
    """Write a survey of SPSS or Stata of whose codes some have a name and others not."""
    import pandas
    import pyreadstat

    rows, language = _size(rng), int(rng.integers(len(_NO_ANSWERS)))
    answers, ends = _NO_ANSWERS[language], _ENDS[language]
    drawn = {
        "amount": (
            rng.normal(2000, 700, rows).round().clip(0),
            [(-9, -8), (-9,), (-1, -2), (99_998, 99_999)],
        ),
        "hours": (rng.integers(0, 60, rows), [(97, 98), (-9,), (997, 998, 999)]),
        "scale": (rng.integers(0, 11, rows), [(77, 88, 99), (99,), (-9, -8), (11, 12)]),
        "agree": (rng.integers(1, 6, rows), [(8, 9), (9,), (-1,), (6,)]),
        "ends": (rng.integers(0, 11, rows), [()]),
        "most": (rng.integers(0, 11, rows), [()]),
        "filter": (rng.integers(1, 11, rows), [(96,), (-1,)]),
        "kind": (rng.integers(1, 4, rows), [(9,), (-9, -8)]),
    }
    chosen = [str(name) for name in rng.permutation(list(drawn))][: int(rng.integers(2, len(drawn)))]
    columns: dict[str, np.ndarray] = {}
    names: dict[str, dict[float, str]] = {}
    missing: dict[str, dict[float, str]] = {}
    for place, kind in enumerate(chosen):
        values, codes = drawn[kind]
        column = f"v{place + 1}_{kind}"
        meant = codes[int(rng.integers(len(codes)))]
        words = [_FILTERS[language % len(_FILTERS)]] if kind == "filter" else [*answers]
        missing[column] = dict(zip(map(float, meant), words, strict=False))
        names[column] = dict(missing[column])
        if kind == "ends" or (kind == "scale" and rng.random() < 0.7):
            names[column] |= {0.0: ends[0], 10.0: ends[1]}
        if kind == "most":
            names[column] = {10.0: "10 +"} if rng.random() < 0.5 else {0.0: ends[0]}
        if kind == "kind":
            names[column] |= dict(zip((1.0, 2.0, 3.0), _ALL_NAMED[language], strict=True))
        columns[column] = values.astype(float)
        for code in meant:
            columns[column][rng.random(rows) < 0.08] = code
            columns[column][int(rng.integers(rows))] = code
    frame = pandas.DataFrame(columns | {"ill": rng.integers(0, 2, rows).astype(float)})
    form = str(rng.choice([".sav", ".zsav", ".dta"]))
    path = folder / f"survey{form}"
    given = {"variable_value_labels": names}
    if form == ".dta":
        pyreadstat.write_dta(frame, str(path), **given)
    else:
        pyreadstat.write_sav(frame, str(path), compress=form == ".zsav", **given)
    expected = {}
    for name, codes_of in missing.items():
        present = {code for code in codes_of if (columns[name] == code).any()}
        if present:
            by_name = name.endswith("kind")
            expected[name] = {codes_of[code] if by_name else f"{code:.0f}" for code in present}

    def is_right(reading: Reading) -> bool:
        told = {
            note.variable: set(note.examples) for note in reading.issues if note.topic == "suspected-missing"
        }
        also = tuple(f"{name}={code}" for name, codes in expected.items() for code in codes)
        after = read_table(path, options=ReadingOptions(also_missing=also or None))
        return told == expected and all(
            np.array_equal(
                values_of(after, name) == np.array(None), np.isin(columns[name], list(missing[name]))
            )
            for name in columns
        )

    return Case(path, is_right, f"{expected}")


_RECORDS = ("record_id", "study_id", "patient_id", "subject_id", "screening_nr", "id", "participant_id")
_INSTRUMENTS = ("labs", "falls", "adverse_events", "medikamente", "visites", "包括的評価", "concomitant_meds")


def repeating_instruments(rng: np.random.Generator, folder: Path) -> Case:
    """Write an export of REDCap with one to three repeating instruments below its records."""
    records = _size(rng) // 4 + 15
    is_labelled = bool(rng.random() < 0.4)
    separator = str(rng.choice([",", ";", "\t"]))
    record = str(rng.choice(_RECORDS))
    by_instrument = ("Repeat Instrument", "Repeat Instance")
    if not is_labelled:
        by_instrument = ("redcap_repeat_instrument", "redcap_repeat_instance")
    instruments = [str(name) for name in rng.permutation(_INSTRUMENTS)][: int(rng.integers(1, 4))]
    first = int(rng.choice([1, 101, 2001]))
    ids = [f"{first + place}" for place in range(records)]
    if rng.random() < 0.4:
        ids = [f"S-{name}" for name in ids]
    once: dict[str, list[str]] = {
        "age": [str(integer) for integer in rng.integers(20, 90, records)],
        "stress": [f"{number:.1f}" for number in rng.normal(5, 2, records)],
        "sym___1": [str(integer) for integer in rng.integers(0, 2, records)],
        "sym___2": [str(integer) for integer in rng.integers(0, 2, records)],
    }
    measured = {name: f"{name}_value" for name in instruments}
    header = [record, *by_instrument, *once, *measured.values()]
    lines: Rows = []
    repeated: Rows = []
    most = dict.fromkeys(instruments, 0)
    values: dict[tuple[int, str, int], str] = {}
    for place in range(records):
        lines.append(
            [ids[place], "", "", *(column[place] for column in once.values()), *[""] * len(measured)]
        )
        for name in instruments:
            for instance in range(1, int(rng.integers(0, 4)) + (place == 0) + 1):
                cell = f"{rng.normal(40, 9):.1f}"
                values[place, name, instance] = cell
                most[name] = max(most[name], instance)
                cells = [cell if instrument == name else "" for instrument in instruments]
                repeated.append([ids[place], name, str(instance), *[""] * len(once), *cells])
                lines.append(repeated[-1])
    if rng.random() < 0.3:
        # As some exports write them: all records, then instrument by instrument.
        repeated.sort(key=lambda row: instruments.index(row[1]))
        lines = [row for row in lines if not row[1]] + repeated
    path = folder / "table.csv"
    text = "".join(separator.join(line) + "\n" for line in [header, *lines])
    path.write_text(text, encoding="utf-8-sig" if rng.random() < 0.5 else "utf-8")

    def holds(reading: Reading, name: str, cells: list[str | None]) -> bool:
        shown = ["" if value_shown is None else value_shown for value_shown in values_of(reading, name)]
        wanted = [cell or "" for cell in cells]
        return [_as_text(value_text) for value_text in shown] == [
            _as_text(value_text) for value_text in wanted
        ]

    def is_right(reading: Reading) -> bool:
        told = [note for note in reading.issues if note.topic == REPEATS]
        wide = read_table(path, options=ReadingOptions(shape="wide"))
        long = read_table(path, options=ReadingOptions(shape="long"))
        places = [ids.index(row[0]) for row in lines if row[1]]
        return (
            len(told) == 1
            and reading.dataset.row_count == wide.dataset.row_count == records
            and long.dataset.row_count == len(repeated)
            and all(holds(reading, name, cells) and holds(wide, name, cells) for name, cells in once.items())
            and all(holds(long, name, [cells[at] for at in places]) for name, cells in once.items())
            and all(
                holds(
                    wide,
                    f"{measured[name]}_{name}{instance}",
                    [values.get((place, name, instance)) for place in range(records)],
                )
                for name in instruments
                for instance in range(1, most[name] + 1)
            )
        )

    return Case(path, is_right, f"{record}, {instruments}, {records} records")


def _as_text(value: object) -> str:
    text = str(value)
    return f"{float(text):.6g}" if re.fullmatch(r"-?\d+(\.\d+)?", text) else text


_OLD_ENCODINGS = {
    ("東京", "大阪", "名古屋", "年齢", "患者", "体重", "性別", "男性", "女性", "所見あり"): (
        "euc_jp",
        "shift_jis",
    ),
    ("北京", "上海", "广州", "年龄", "病人", "体重", "性别", "男性", "女性"): ("gb18030",),
    ("臺北", "高雄", "臺中", "年齡", "病患", "體重", "性別"): ("big5",),
    ("서울", "부산", "대구", "나이", "환자", "체중", "성별"): ("euc-kr",),
    ("Москва", "Казань", "Омск", "возраст", "больной", "вес", "мужской", "женский", "улучшение"): (
        *("koi8-r", "cp866", "cp1251", "iso-8859-5"),
    ),
    ("Київ", "Львів", "Одеса", "вік", "пацієнт", "вага", "чоловік", "жінка", "їжа"): ("koi8-u", "cp1251"),
    ("Łódź", "Kraków", "Gdańsk", "płeć", "kobieta", "mężczyzna", "wiek", "masa ciała", "poprawa"): (
        *("cp1250", "iso-8859-2", "cp852"),
    ),
    ("Plzeň", "Brno", "žena", "muž", "věk", "hmotnost", "zlepšení", "léčba"): ("cp1250", "iso-8859-2"),
    ("Αθήνα", "Πάτρα", "Βόλος", "ηλικία", "βάρος", "άνδρας", "γυναίκα"): ("cp1253",),
    ("İzmir", "Muğla", "Eskişehir", "yaş", "ağırlık", "kadın", "erkek", "iyileşme"): ("cp1254",),
    ("ירושלים", "חיפה", "אשדוד", "גיל", "משקל", "זכר", "נקבה"): ("cp1255",),
    ("القاهرة", "دمشق", "بغداد", "العمر", "الوزن", "ذكر", "أنثى"): ("cp1256",),
    ("Šiauliai", "Rīga", "Tallinn", "lytis", "moteris", "vyras", "amžius", "svoris", "įtaka"): ("cp1257",),
    ("Köln", "München", "Größe", "männlich", "weiblich", "Übelkeit", "Gewicht"): (
        "cp1252",
        "cp850",
        "mac-roman",
    ),
    ("Besançon", "Orléans", "âge", "féminin", "masculin", "fièvre", "nausée"): (
        "cp1252",
        "cp850",
        "mac-roman",
    ),
    ("กรุงเทพ", "เชียงใหม่", "อายุ", "น้ำหนัก", "ชาย", "หญิง"): ("cp874",),
}


def old_encodings(rng: np.random.Generator, folder: Path) -> Case:
    """Write words of a language in an encoding from before Unicode: few or many, in the header or below."""
    languages = list(_OLD_ENCODINGS)
    words = languages[int(rng.integers(len(languages)))]
    encoding = str(rng.choice(_OLD_ENCODINGS[words]))
    rows = _size(rng)
    drawn = [str(word) for word in rng.permutation(words)]
    count = int(rng.integers(2, 5))
    in_header, in_cells = [(True, True), (True, False), (False, True)][int(rng.integers(3))]
    names = [drawn[place] if in_header else f"name{place}" for place in range(3)]
    levels = drawn[3 : 3 + count] if in_cells else ["a", "b"]
    separator = str(rng.choice([",", ";", "\t"]))
    town = [str(level) for level in rng.choice(levels, rows)]
    numbers = rng.integers(20, 90, (rows, 2))
    table = [names, *([town[place], *map(str, numbers[place])] for place in range(rows))]
    text = "".join(separator.join(line) + "\n" for line in table)
    path = folder / "table.csv"
    path.write_bytes(text.encode(encoding))

    def is_right(reading: Reading) -> bool:
        guess = reading.guess("encoding")
        is_doubt = guess is not None and not guess.certain
        told = read_table(path, options=ReadingOptions(encoding=encoding))
        are_as_meant = told.dataset.names == tuple(names) and values_of(told, names[0]) == town
        is_as_meant = reading.dataset.names == tuple(names) and values_of(reading, names[0]) == town
        return are_as_meant and (is_doubt or is_as_meant)

    return Case(path, is_right, f"{encoding}, {names}, {levels}")


def marks_in_sheets(rng: np.random.Generator, folder: Path) -> Case:
    """Write numbers as texts into a sheet, whose mark may be a decimal one or stand between thousands."""
    import openpyxl

    mark = str(rng.choice([".", ","]))
    rows = _size(rng)
    cells = [f"{rng.integers(1, 90)}{mark}{rng.integers(0, 1000):03d}" for _ in range(rows)]
    share_below = float(rng.choice([0.0, 0.3]))
    cells = [str(rng.integers(100, 1000)) if rng.random() < share_below else cell for cell in cells]
    book = openpyxl.Workbook()
    book.active.title = str(rng.choice(_SHEETS))
    table: list[list[object]] = [["cells", *cells], ["ill", *rng.integers(0, 2, rows).tolist()]]
    other_mark = "," if mark == "." else "."
    tells = bool(rng.random() < 0.5)
    if tells:
        # The mark of another column says what this one means.
        values = rng.exponential(5, rows).round(int(rng.integers(1, 3)))
        table.append(["crp", *(str(value).replace(".", other_mark) for value in values.tolist())])
        if rng.random() < 0.4:
            table[-1][1:4] = [f"<0{other_mark}5"] * 3
    for row in zip(*(table[place] for place in rng.permutation(len(table))), strict=True):
        book.active.append(row)
    path = folder / "table.xlsx"
    book.save(path)

    def is_right(reading: Reading) -> bool:
        guess = reading.guess("decimal")
        is_doubt = guess is not None and not guess.certain
        if not is_doubt and not (tells and mark == ","):
            return False
        point, comma = (
            read_table(path, options=ReadingOptions(decimal=decimal)) for decimal in ("point", "comma")
        )
        parts, whole = (comma, point) if mark == "," else (point, comma)
        as_fractions = [float(cell.replace(mark, ".")) for cell in cells]
        as_thousands = [float(cell.replace(mark, "")) for cell in cells]
        if tells and values_of(reading, "cells") != as_thousands:
            return False
        return values_of(parts, "cells") == as_fractions and values_of(whole, "cells") == as_thousands

    return Case(path, is_right, f"{cells[:2]} {table[-1][:3]}")


_R_NAMES = (
    "Content",
    "Item",
    "Frage",
    "énoncé",
    "pregunta",
    "domanda",
    "pergunta",
    "vraag",
    "pytanie",
    "設問",
    "条目",
)


def texts_with_row_names(rng: np.random.Generator, folder: Path) -> Case:
    """Write a table of texts alone as R does: with names of rows, and no name above these."""
    rows, stem = _size(rng), str(rng.choice(["V", "item", "q", "", "A_"]))
    names = [str(name) for name in rng.permutation(_R_NAMES)[: int(rng.integers(1, 4))]]
    words = [f"I often feel {word}" for word in ("well", "tired", "sad, or low", "angry", "at ease")]
    columns = [[f"{rng.choice(words)} ({place})" for place in range(rows)] for _ in names]
    if len(names) > 1:
        columns[0] = [str(level) for level in rng.choice(["agreeable", "open", "extraverted"], rows)]
    mark = str(rng.choice([",", ";", "\t"]))
    quoted = [[f'"{cell}"' for cell in row] for row in zip(*columns, strict=True)]
    lines = [['""', *(f'"{name}"' for name in names)]]
    lines += [[f'"{stem}{place}"', *row] for place, row in enumerate(quoted, start=1)]
    path = folder / "table.csv"
    path.write_text("".join(mark.join(line) + "\n" for line in lines), encoding="utf-8")

    def is_right(reading: Reading) -> bool:
        header = reading.guess("header")
        return (
            reading.dataset.names[1:] == tuple(names)
            and (header is None or header.certain)
            and all(values_of(reading, name) == cells for name, cells in zip(names, columns, strict=True))
        )

    return Case(path, is_right, f"{stem}, {names}")


_PATIENTS = (
    "PatNr",
    "patient_id",
    "MRN",
    "SUBJID",
    "Fallnummer",
    "id_paciente",
    "nr_pacjenta",
    "患者番号",
    "受试者编号",
)
_OUTCOMES = ("Delir", "relapse", "décès", "caída", "ricovero", "óbito", "valincident", "zgon", "死亡", "再発")


def sheets_of_cases(rng: np.random.Generator, folder: Path) -> Case:
    """Write measurements and outcomes of the same patients on two sheets, in other orders of the rows."""
    import openpyxl

    count = min(_size(rng), 600)
    patient, outcome = str(rng.choice(_PATIENTS)), str(rng.choice(_OUTCOMES))
    form = str(rng.choice(["{}", "P{}", "K-{}/24"]))
    numbers = rng.choice(np.arange(1000, 99_999), count, replace=False)
    ids = [int(number) if form == "{}" else form.format(number) for number in numbers]
    dose, ill = rng.normal(5, 2, count).round(1).tolist(), rng.integers(0, 2, count).tolist()
    order = [int(place) for place in rng.permutation(count)[: int(count * rng.choice([0.7, 1.0]))]]
    book = openpyxl.Workbook()
    first, second = (str(name) for name in rng.permutation(_SHEETS)[:2])
    book.active.title = first
    for row in [[patient, "dose"], *zip(ids, dose, strict=True)]:
        book.active.append(list(row))
    sheet = book.create_sheet(second)
    for row in [[outcome, patient], *([ill[place], ids[place]] for place in order)]:
        sheet.append(row)
    path = folder / "table.xlsx"
    book.save(path)

    def is_right(reading: Reading) -> bool:
        if [note.examples for note in reading.issues if note.topic == SAME_CASES] != [(second,)]:
            return False
        joined = read_table(path, options=ReadingOptions(second_sheet=second))
        kept = sorted(order)
        return values_of(joined, "dose") == [dose[place] for place in kept] and [
            _as_text(value_text) for value_text in values_of(joined, outcome)
        ] == [str(ill[place]) for place in kept]

    return Case(path, is_right, f"{patient}, {form}, {len(order)} of {count}")
