"""Tables with another shape than one row a case, made at random: genes in rows, visits, lists, code books."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.engine.readers.misread_tables import DIALECTS, Plain, Rows


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
        [f"TCGA-{chr(65 + place % 26)}{place % 7}-{_code(rng)}{place:02d}" for place in range(samples)],
        [f"LFQ intensity {_code(rng)}" for place in range(samples)],
    ][int(rng.integers(6))]
    values = rng.normal(8, 2, (samples, features)).round(2)
    columns: dict[str, list[object]] = {name: values[:, at].tolist() for at, name in enumerate(names)}
    header = [first, *called]
    rows: Rows = [[name, *(f"{value:.2f}" for value in values[:, at])] for at, name in enumerate(names)]
    has_labels = bool(rng.random() < 0.3)
    separator, decimal = DIALECTS[rng.integers(len(DIALECTS))]
    for label in ("group", "relapse")[: int(rng.integers(1, 3)) if has_labels else 0]:
        groups = [str(group) for group in rng.choice(["tumour", "normal"], samples)]
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


_SYMBOLS = (
    *("BRCA1", "TP53", "EGFR", "MYC", "KRAS", "PTEN", "AKT1", "RB1", "VEGFA", "IL6", "TNF", "CD4", "CD8A"),
    *("FOXP3", "GATA3", "ESR1", "ERBB2", "CDH1", "ZNF12", "KRT5", "SLC2A1", "MMP9", "HLA-B", "CXCL8"),
    *("STAT3", "JAK2", "NOTCH1", "SMAD4", "MLH1", "APC", "PIK3CA", "FGFR3", "COL1A1", "TGFB1", "ACTB"),
)
_METABOLITES = (
    "Alanine",
    "Glucose",
    "Lactate",
    "Citrate",
    "Choline",
    "Creatine",
    "Valine",
    "Urea",
    "Taurine",
)


def nameless_features(rng: np.random.Generator, folder: Path) -> Misshapen:
    """Write genes below a name that says nothing, as R and pandas do, or masses below a row of groups."""
    samples, features = int(rng.integers(8, 50)), int(rng.integers(8, 30))
    form = str(rng.choice(["genes", "masses", "metabolites"]))
    masses = [f"{rng.uniform(80, 900):.4f}@{rng.uniform(0.5, 20):.2f}" for _ in range(features)]
    ids = {"genes": list(_SYMBOLS), "masses": masses, "metabolites": list(_METABOLITES)}[form]
    names = [str(name) for name in rng.permutation(ids)[:features]]
    first = str(rng.choice(["", "Name", "ID", "Unnamed: 0", "X"] if form == "genes" else ["Sample", "Probe"]))
    groups = [str(group) for group in rng.choice(["QC", "case", "control"], samples)]
    called = [
        [f"GSM{81000 + place}" for place in range(samples)],
        [f"pt{place}" for place in range(samples)],
        [f"{group}_{place}" for place, group in enumerate(groups)],
        [f"X{place + 1}.mzML" for place in range(samples)],
    ][int(rng.integers(4))]
    values = rng.normal(8, 2, (samples, len(names))).round(2)
    columns: dict[str, list[object]] = {name: values[:, at].tolist() for at, name in enumerate(names)}
    rows: Rows = [[name, *(f"{value:.2f}" for value in values[:, at])] for at, name in enumerate(names)]
    if form == "metabolites" or rng.random() < 0.3:
        label = str(rng.choice(["Label", "Class", "Gruppe", "group"]))
        rows.insert(0, [label, *groups])
        columns = {label: list(groups), **columns}
    separator, decimal = DIALECTS[rng.integers(len(DIALECTS))]
    written = Plain("en", [], rows, [], separator, decimal)
    path = written.write([[first, *called], *rows], folder / "table.csv")
    return Misshapen(
        path,
        {"shape": "turned"},
        ("sample", *columns),
        {"sample": list(called), **columns},
        f"{form} {first!r}",
    )


def _with_descriptions(rng: np.random.Generator, header: list[str], rows: Rows) -> tuple[list[str], Rows]:
    """Put columns that describe genes beside their names, or behind the samples."""
    draw: dict[str, Callable[[], str]] = {
        "Beschreibung": lambda: f"protein {rng.integers(900)}",
        "Chr": lambda: f"chr{rng.integers(1, 23)}",
        "Entrez_Gene_Id": lambda: str(rng.integers(9000)),
        "Length": lambda: str(rng.integers(500, 9000)),
        "Strand": lambda: str(rng.choice(["+", "-"])),
    }
    names = [str(name) for name in rng.permutation(list(draw))][: int(rng.integers(1, 4))]
    at = 1 if rng.random() < 0.6 else len(header)
    header = [*header[:at], *names, *header[at:]]
    return header, [[*row[:at], *(draw[name]() for name in names), *row[at:]] for row in rows]


def _code(rng: np.random.Generator) -> str:
    return "".join(rng.choice(list("ABCDEFGHKLMNPRSTUVWXZ"), 4))


_BEFORE_AND_AFTER = [
    *(["pre", "post"], ["before", "after"], ["vorher", "nachher"], ["avant", "après"], ["przed", "po"]),
    *(["prä", "post"], ["prae", "post"], ["vor", "nach"], ["basal", "final"], ["inicial", "final"]),
    *(["antes", "después"], ["antes", "depois"], ["pré", "pós"], ["prima", "dopo"], ["voor", "na"]),
    *(["před", "po"], ["före", "efter"], ["før", "etter"], ["önce", "sonra"], ["до", "после"]),
    *(["baseline", "endpoint"], ["Eintritt", "Austritt"], ["术前", "术后"], ["介入前", "介入後"]),
]


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
        _BEFORE_AND_AFTER[int(rng.integers(len(_BEFORE_AND_AFTER)))],
        [["Aufnahme", "Entlassung"], ["admission", "discharge"], ["ingreso", "alta"], ["治疗前", "治疗后"]][
            int(rng.integers(4))
        ],
        ["基线", *(f"{3 * place}月" for place in range(1, count))],
        [str(2015 + place) for place in range(count)],
        [str(place + 1) for place in range(max(count, 3))],
        [f"week_{4 * place}" for place in range(count)],
        list("abcd"[: max(count, 3)]),
        [f"r{place + 1}" for place in range(count)],
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
    if times[0] in ("a", "r1"):
        # Panels write waves in front.
        is_before, mark = True, str(rng.choice(["", "_"]))
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
    columns: dict[str, list[object]] = {"age": [float(age_in_years) for age_in_years in age]}
    columns |= {name: [books[name][code] for code in codes[name].tolist()] for name in chosen}
    return Misshapen(
        folder / "table.xlsx", {"code_book": sheet.title}, tuple(columns), columns, f"form {form}"
    )
