"""Tables with a column that programs misread, and what each column is: made by chance from a seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas

_TOTALS = ("total", "Summe", "score", "somme", "puntuación", "totale", "som", "suma", "合計", "总分", "x17")
_LABELS = (
    ("pain", "cough", "fever", "nausea", "fatigue"),
    ("Schmerz", "Husten", "Fieber", "Übelkeit", "Müdigkeit"),
    ("douleur", "toux", "fièvre", "nausée", "fatigue"),
    ("dolor", "tos", "fiebre", "náusea", "cansancio"),
    ("痛み", "咳", "発熱", "吐き気", "疲労"),
    ("sp1", "sp2", "sp3", "sp4", "sp5"),
)


@dataclass(frozen=True)
class MadeTable:
    """A table in which one feature is made from labels.

    Attributes
    ----------
    frame : DataFrame
    labels : list of str
    feature : str
        The feature that is made from labels.
    how : str
    """

    frame: pandas.DataFrame
    labels: list[str]
    feature: str
    how: str


def made_from_labels(seed: int) -> MadeTable:
    """Make a table whose labels depend on a feature, with one more that is made from these labels."""
    random = np.random.default_rng(seed)
    rows, count = int(random.integers(80, 400)), int(random.integers(2, 6))
    names = _LABELS[seed % len(_LABELS)][:count]
    stress = np.round(random.normal(5, 2, rows), 1)
    columns = {
        "stress": stress,
        "age": random.integers(18, 90, rows),
        "bmi": random.normal(27, 4, rows).round(1),
    }
    counts = {name: random.poisson(np.exp(0.1 * stress)) for name in names}
    ticks = {name: (random.random(rows) < 1 / (1 + np.exp(5 - stress))).astype(int) for name in names}
    others = {f"other{place}": random.poisson(random.uniform(1, 5), rows) for place in range(4)}
    how = tuple(_MAKERS)[seed % len(_MAKERS)]
    labels, made_column = _MAKERS[how](ticks, counts, others, random)
    name = str(random.choice(_TOTALS))
    table = columns | others | labels | {name: made_column}
    frame = pandas.DataFrame({column: table[column] for column in random.permutation(list(table))})
    return MadeTable(frame, list(labels), name, how)


_Columns = dict[str, np.ndarray]
_Maker = Callable[[_Columns, _Columns, _Columns, np.random.Generator], tuple[_Columns, np.ndarray]]


def _added(columns: _Columns) -> np.ndarray:
    return np.asarray(sum(columns.values()))


def _recoded(ticks: _Columns, random: np.random.Generator) -> np.ndarray:
    first = next(iter(ticks.values()))
    low, high = [("no", "yes"), ("0", "9"), ("B", "A"), ("いいえ", "はい")][int(random.integers(4))]
    return np.where(first == 1, high, low)


def _joined(ticks: _Columns, random: np.random.Generator) -> np.ndarray:
    mark = str(random.choice([" ", ", ", ";", "|", "+"]))
    rows = zip(*ticks.values(), strict=True)
    texts = [
        mark.join(name for name, is_so in zip(ticks, row, strict=True) if is_so) or "none" for row in rows
    ]
    return np.array(texts)


def _beside(labels: _Columns, others: _Columns) -> np.ndarray:
    """Put the first label beside all other columns."""
    return np.array([next(iter(labels.values())), *others.values()])


def _with_missing(
    counts: _Columns, others: _Columns, random: np.random.Generator
) -> tuple[_Columns, np.ndarray]:
    """Lose some values of the labels and of the first other column, and count how many."""
    gone = [np.where(random.random(len(column)) < 0.15, np.nan, column) for column in counts.values()]
    first = next(iter(others))
    others[first] = np.where(random.random(len(gone[0])) < 0.15, np.nan, others[first])
    return dict(zip(counts, gone, strict=True)), np.isnan([*gone, others[first]]).sum(axis=0)


def _codes_beside(
    ticks: _Columns, others: _Columns, random: np.random.Generator
) -> tuple[_Columns, list[np.ndarray]]:
    """Keep one or two ticks as labels, and add features that stand beside them in a code."""
    labels = dict(list(ticks.items())[: int(random.integers(1, 3))])
    features = {"her2": random.integers(0, 2, len(others["other0"]))}
    if random.random() < 0.4:
        features["sex"] = random.integers(0, 2, len(others["other0"]))
    others |= features
    parts = [*labels.values(), *features.values()]
    return labels, [parts[place] for place in random.permutation(len(parts))]


_CODE_MARKS = ("01", "+-", "YN", "PN", ("ja", "nein"), ("yes", "no"), "12", ("有", "無"))


def _concatenated(
    ticks: _Columns, others: _Columns, random: np.random.Generator
) -> tuple[_Columns, np.ndarray]:
    labels, parts = _codes_beside(ticks, others, random)
    marks = _CODE_MARKS[int(random.integers(len(_CODE_MARKS)))]
    between = str(random.choice(["", "-", "_", "/", " "]))
    return labels, np.array([between.join(marks[code] for code in row) for row in zip(*parts, strict=True)])


def _binary_code(
    ticks: _Columns, others: _Columns, random: np.random.Generator
) -> tuple[_Columns, np.ndarray]:
    labels, parts = _codes_beside(ticks, others, random)
    base = int(random.choice([2, 10]))
    return labels, _added({str(place): part * base**place for place, part in enumerate(parts)})


def _at_least(ticks: _Columns, others: _Columns, random: np.random.Generator) -> tuple[_Columns, np.ndarray]:
    """Tell whether two or more of a label and of three to five features are ticked."""
    first = next(iter(ticks))
    features = {f"mark{place}": random.integers(0, 2, len(ticks[first])) for place in range(4)}
    others |= features
    is_so = ticks[first] + _added(features) >= int(random.integers(2, 5))
    return {first: ticks[first]}, np.where(is_so, *random.choice([["yes", "no"], ["1", "0"], ["0", "1"]]))


_MAKERS: dict[str, _Maker] = {
    "count": lambda ticks, counts, others, random: (ticks, _added(ticks)),
    "sum": lambda ticks, counts, others, random: (counts, _added(counts)),
    "sum with features": lambda ticks, counts, others, random: (counts, _added(counts) + _added(others)),
    "mean": lambda ticks, counts, others, random: (counts, (_added(counts) / len(counts)).round(2)),
    "number above 0": lambda ticks, counts, others, random: (
        counts,
        _added({name: column > 0 for name, column in counts.items()})
        + _added({name: column > 0 for name, column in others.items()}),
    ),
    "number of zeros": lambda ticks, counts, others, random: (
        counts,
        (_beside(counts, others) == 0).sum(axis=0),
    ),
    "number at least 2": lambda ticks, counts, others, random: (
        counts,
        (_beside(counts, others) >= 2).sum(axis=0),
    ),
    "any is zero": lambda ticks, counts, others, random: (counts, (_beside(counts, others) == 0).any(axis=0)),
    "all above 0": lambda ticks, counts, others, random: (ticks, (_beside(ticks, others) > 0).all(axis=0)),
    "number missing": lambda ticks, counts, others, random: _with_missing(counts, others, random),
    "concatenated": lambda ticks, counts, others, random: _concatenated(ticks, others, random),
    "binary code": lambda ticks, counts, others, random: _binary_code(ticks, others, random),
    "at least k": lambda ticks, counts, others, random: _at_least(ticks, others, random),
    "recoded": lambda ticks, counts, others, random: (ticks, _recoded(ticks, random)),
    "joined": lambda ticks, counts, others, random: (ticks, _joined(ticks, random)),
    "any": lambda ticks, counts, others, random: (ticks, np.where(_added(ticks) > 0, "yes", "no")),
    "logarithm": lambda ticks, counts, others, random: (
        {name: column + np.arange(len(column)) / 1000 for name, column in counts.items()},
        np.log1p(next(iter(counts.values())) + np.arange(len(next(iter(counts.values())))) / 1000),
    ),
}


@dataclass(frozen=True)
class Composites:
    """A table with several sums and means, some of them made from a label.

    Attributes
    ----------
    frame : DataFrame
    labels : list of str
    sums : dict of str to ndarray
        By the name of each feature that is made from labels: the columns that it was added up from.
    """

    frame: pandas.DataFrame
    labels: list[str]
    sums: dict[str, frozenset[str]]


_ITEMS = ("item{}", "Frage {}", "q{:02d}", "preg_{}", "domanda {}", "問{}", "PHQ9_{}", "v{}")
_COMPOSITES = ("Summe", "mean_all", "sub A", "subB", "percent", "z", "总分", "moyenne", "T-Wert", "overall")


def composites_of_labels(seed: int) -> Composites:
    """Make a table of items with two to five sums and means of them and of each other, some of labels."""
    random = np.random.default_rng(seed)
    rows, count = int(random.integers(90, 350)), int(random.integers(5, 11))
    form = _ITEMS[seed % len(_ITEMS)]
    items: dict[str, np.ndarray] = {
        form.format(place + 1): (
            random.integers(0, 4, rows) if seed % 3 else random.normal(20, 4, rows).round(1)
        )
        for place in range(count)
    }
    ticks = {name: random.integers(0, 2, rows) for name in _LABELS[seed % len(_LABELS)][:2]}
    names = list(items)
    labels = [*ticks, names[0]] if seed % 2 else list(ticks)
    columns: dict[str, np.ndarray] = items | ticks
    parts = {name: frozenset([name]) for name in columns}
    bases = [
        names,
        names[: count // 2],
        names[count // 2 :],
        [*names, *ticks],
        [*names[1:], next(iter(ticks))],
        list(ticks),
        [*names[: count // 2], *ticks],
    ]
    sums = {}
    chosen = random.permutation(len(bases))[: int(random.integers(2, 6))]
    for name, base in zip(random.permutation(_COMPOSITES), chosen.tolist(), strict=False):
        members = bases[base]
        total = np.asarray(sum(columns[member] for member in members)).round(6)
        kind = int(random.integers(6))
        columns[str(name)] = [
            total,
            total / len(members),
            (total / len(members)).round(2),
            50 * total,
            total + 3,
            (total - total.mean()) / total.std(),
        ][kind]
        parts[str(name)] = frozenset(members)
        sums[str(name)] = parts[str(name)]
    if len(sums) > 1 and random.random() < 0.4:
        first = next(iter(sums))
        columns["both"] = columns[first] + columns[names[-1]]
        parts["both"] = sums["both"] = sums[first] | {names[-1]}
    columns["age"] = random.integers(18, 90, rows)
    frame = pandas.DataFrame({name: columns[name] for name in random.permutation(list(columns))})
    of_labels = {name: members for name, members in sums.items() if not members.isdisjoint(labels)}
    return Composites(frame, labels, of_labels)


@dataclass(frozen=True)
class CodedTable:
    """A table in one column of which some cells mean missing without being empty.

    Attributes
    ----------
    text : str
        The file.
    column : str
    codes : frozenset of str
        What means missing in this column.
    """

    text: str
    column: str
    codes: frozenset[str]


_UNKNOWN = (
    ("Unknown",),
    ("don't know", "no answer"),
    ("Prefer not to say",),
    ("keine Angabe", "weiß nicht"),
    ("Unbekannt",),
    ("ne sait pas", "sans réponse"),
    ("No sabe", "No contesta"),
    ("Desconocido",),
    ("non so", "nessuna risposta"),
    ("não sabe", "não respondeu"),
    ("weet niet", "geen antwoord"),
    ("nie wiem", "brak odpowiedzi"),
    ("不知道", "拒绝回答"),
    ("わからない", "無回答"),
    ("MISSING",),
    ("no sabe / no contesta",),
    ("NoCall",),
    ("entfällt",),
    ("weiß nicht/keine Angabe",),
    ("-",),
)
_ANSWERS = (("Y", "N"), ("J", "N"), ("yes", "no"), ("S", "N"), ("ja", "nein"), ("F", "M"), ("O", "N"))
_LEVELS = (("yes", "no"), ("low", "medium", "high"), ("A", "B", "C"), ("positiv", "negativ"), ("是", "否"))


def with_missing_codes(seed: int) -> CodedTable:
    """Make a file in which numbers or words mean missing in one column, and in no other."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(150, 400))
    kind, share = seed % 11, 0.08
    codes: tuple[object, ...]
    if kind < 2:
        values, codes = random.normal(2000, 700, rows).round().clip(0), [(-8, -9), (-1, -2, -8, -9)][kind]
    elif kind == 2:
        values, codes = random.integers(0, 2, rows), [(-9,), (9, 8), (-9, -8)][seed % 3]
    elif kind == 3:
        values, codes = random.integers(1, 6, rows), [(9,), (8, 9), (99,), (-9,)][seed % 4]
    elif kind == 4:
        values, codes = random.integers(0, 50, rows), [(97, 98, 99), (997, 998, 999), (-7, -8)][seed % 3]
    elif kind == 5:
        values, codes = random.integers(0, 11, rows), [(99,), (77, 88, 99), (998, 999)][seed % 3]
    elif kind == 7:
        values = [
            random.integers(18, 91, rows),
            random.normal(26, 4, rows).round(1),
            random.normal(3.4, 0.4, rows).round(2),
            random.integers(800, 90_000, rows),
            random.exponential(5, rows).round(1) + 0.3,
        ][seed // 11 % 5]
        codes = [(-1,), (88.8, 99.9), (9.99,), (99_998, 99_999), (-1,)][seed // 11 % 5]
    elif kind == 8:
        values, codes = random.poisson(2, rows), [(77, 99), (97, 98), (999,)][seed % 3]
    elif kind == 9:
        values = random.integers([1, 0][seed % 2], [31, 11][seed % 2], rows)
        codes = [(77, 99, 88), (99, 88), (777, 999, 888), (999, 777)][seed // 11 % 4]
        share = 0.03
    elif kind == 10:
        values = random.choice(_ANSWERS[seed // 11 % len(_ANSWERS)], rows)
        codes = [("U",), ("9",), ("8", "9"), ("99",), ("U", "9"), ("-9",)][seed // 11 % 6]
    else:
        values = random.choice(_LEVELS[int(random.integers(len(_LEVELS)))], rows)
        codes = _UNKNOWN[int(random.integers(len(_UNKNOWN)))]
    cells = values.astype(object)
    if kind < 6 or kind == 9:
        cells = np.array([int(value) for value in values], dtype=object)
    for code in codes:
        cells[random.random(rows) < share] = code
    if kind == 9:
        cells[random.random(rows) < random.uniform(0.2, 0.5)] = codes[-1]
    name = str(random.choice(["trust", "income", "Einkommen", "réponse", "信頼", "q7", "weight_kg"]))
    table = {
        "age": random.integers(18, 80, rows),
        "glucose": random.normal(95, 9, rows).round().astype(int),
        "change": random.integers(-3, 4, rows),
        name: cells,
        "pain": random.integers(0, 2, rows),
    }
    frame = pandas.DataFrame({column: table[column] for column in random.permutation(list(table))})
    separator = str(random.choice([",", ";", "\t"]))
    return CodedTable(frame.to_csv(index=False, sep=separator), name, frozenset(map(str, codes)))


_TICKS = ("x", "X", "✓", "✔", "1", "yes", "ja", "TRUE", "●", "checked")


def with_ticks(seed: int) -> tuple[pandas.DataFrame, list[str], str]:
    """Make a table with columns of one mark or nothing: the table, these columns, the mark."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(60, 300))
    mark = _TICKS[seed % len(_TICKS)]
    names = list(_LABELS[seed % len(_LABELS)][: int(random.integers(1, 5))])
    dose = random.normal(size=rows).round(2)
    ticks = {name: np.where(random.random(rows) < 1 / (1 + np.exp(-2 * dose)), mark, None) for name in names}
    others = {"dose": dose, "age": random.integers(18, 90, rows), "sex": random.choice(["f", "m"], rows)}
    table = others | ticks
    return pandas.DataFrame({name: table[name] for name in random.permutation(list(table))}), names, mark


_GROUPS = (
    ("ward", ("Ward A", "Ward B", "Ward C", "Ward D", "Ward E", "Ward F")),
    ("Gruppe", ("Kontrolle", "Dosis 1", "Dosis 2", "Dosis 3", "Dosis 4", "Dosis 5")),
    ("centre", ("Lyon", "Nantes", "Metz", "Brest", "Lille", "Dijon")),
    ("brazo", ("placebo", "fármaco", "dieta", "ambos", "cirugía", "nada")),
    ("Patient", ("1", "2", "3", "4", "5", "6")),
    ("ośrodek", ("101", "102", "105", "210", "211", "340")),
    ("施設", ("東京", "大阪", "京都", "神戸", "札幌", "仙台")),
)


def with_groups_named_once(seed: int) -> tuple[pandas.DataFrame, dict[str, list[str]]]:
    """Make a table whose groups are named in their first row alone: the table, and their names in each row.

    A second column may name parts of groups likewise. A column of remarks has gaps by chance.
    """
    random = np.random.default_rng(seed)
    rows = int(random.integers(40, 250))
    name, groups = _GROUPS[seed % len(_GROUPS)]
    starts = np.sort(random.permutation(np.arange(4, rows - 3, 4))[: int(random.integers(2, 6))])
    in_each_row = {name: np.array(groups)[np.searchsorted(starts, np.arange(rows), side="right")].tolist()}
    if random.random() < 0.3:
        halves = ["pre", "post"] * (len(starts) + 1)
        cuts = np.sort([*starts, *(starts - 2), rows - 2])
        in_each_row["phase"] = np.array(halves)[np.searchsorted(cuts, np.arange(rows), side="right")].tolist()
    columns: dict[str, Sequence[object]] = {}
    if random.random() < 0.4:
        columns["no"] = range(1, rows + 1)
    for group, values in in_each_row.items():
        columns[group] = [
            value if not row or value != values[row - 1] else None for row, value in enumerate(values)
        ]
    columns |= {"age": random.integers(18, 90, rows), "crp": random.lognormal(1, 1, rows).round(1)}
    columns["remark"] = np.where(random.random(rows) < random.uniform(0.03, 0.2), "see file", None)
    columns["sick days"] = np.where(random.random(rows) < 0.1, random.integers(1, 30, rows), np.nan)
    return pandas.DataFrame(columns).assign(ill=random.integers(0, 2, rows)), in_each_row


_KINDS = ("ISCO", "country", "ward", "Beruf", "pays", "profesión", "provincia", "cidade", "beroep", "zawód")
_MORE_KINDS = (
    *("职业", "都道府県", "nationality_code", "hospitalID2", "Bundesland", "Muttersprache", "manufacturer"),
    *(
        "Zusatzversicherung",
        "employeur",
        "barrio",
        "regione di nascita",
        "tecido",
        "huisarts",
        "lekarz",
        "врач",
        *("drg", "q12_reason", "mode_of_transport", "cause of death", "motif d'admission", "Aufnahmegrund"),
        *("marstat", "lote", "Rasse", "Stadtteil", "亚组", "Gruppe", "geschlecht", "sexo", "Zivilstand"),
        *("płeć", "stato civile", "etnicidad", "kommun", "groupe", "behandlungsarm", "ugrupowanie", "性别"),
        *("motivo de consulta", "ville natale", "medico_curante", "przyczyna zgonu", "来院手段", "住院原因"),
    ),
)
_QUANTITIES = (
    "stress",
    "Punkte",
    "nb_visits",
    "score_total",
    "edad",
    "x3",
    "疼痛得分",
    "pain 0-10",
    "dzieci",
    "city_traffic",
    "walk to school",
    *("sex_drive", "class_participation", "type_a_score", "status_anxiety", "group_cohesion", "code_errors"),
    *(
        "religion_importance",
        "ville_bruit",
        "langue_niveau",
        "hospital_visitas",
        "zona_ruido",
        "estado_animo",
    ),
    *("Altersgruppe", "groupe d'âge", "grupo de edad", "Gruppengröße", "lot_size", "sexual_health"),
    *("hospital_stay", "Gruppenklima", "région_fierté", "tipo_puntaje", "source_trust", "职业满意度"),
)


def with_nominal_codes(seed: int) -> tuple[pandas.DataFrame, str | None]:
    """Make a table in which a column holds codes of kinds, by name, gaps or counts; none for odd seeds."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(400, 900))
    most = int(random.integers(8, 20))
    score = np.clip(random.normal(most / 2, most / 5, rows).round(), 0, most)
    columns: dict[str, np.ndarray] = {
        "age": random.integers(18, 90, rows),
        "visits": random.poisson(3, rows),
        str(random.choice(_QUANTITIES)): score,
    }
    name = None
    if seed % 2 == 0:
        kind = seed // 2 % 3
        codes = np.arange(1, most + 1)
        name = str(random.choice(_KINDS + _MORE_KINDS)) if kind == 0 else "q12"
        if kind == 1:
            blocks = np.array([11, 12, 13, 21, 22, 31, 41, 42, 51, 53])
            codes = blocks if seed % 4 else np.delete(codes, [3, 5])
        weights = random.choice([1, 9, 4, 16], len(codes)) if kind == 2 else np.ones(len(codes))
        if kind == 2:
            weights = np.where(np.arange(len(codes)) % 2, weights + 12, 1 + random.random(len(codes)))
        columns[name] = random.choice(codes, rows, p=weights / weights.sum())
    frame = pandas.DataFrame({column: columns[column] for column in random.permutation(list(columns))})
    return frame.assign(ill=random.integers(0, 2, rows)), name


_BETWEEN_ANSWERS = (
    *("; ", ";", ", ", ",", "|", " | ", "/", " + ", " ", "\n", "、", "，", "；", "#", " und "),
    *(" y ", " - ", "-", "', '", " and "),
)


def with_several_answers(seed: int) -> tuple[pandas.DataFrame, str, dict[str, np.ndarray]]:
    """Make a table with several answers in the cells of a column: the table, the column, who gave which."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(80, 400))
    answers = list(_LABELS[seed % len(_LABELS)][: int(random.integers(2, 6))])
    mark = _BETWEEN_ANSWERS[seed % len(_BETWEEN_ANSWERS)]
    if mark == " und ":
        answers = list(_LABELS[seed % len(_LABELS)])
    if mark == ", " and seed % 2:
        # As Google Forms writes options that hold a comma.
        answers[0] = f"{answers[0]}, {answers[0].upper()}"
    if seed % 3 == 1 or mark == "-":
        # As Kobo, SPSS and LimeSurvey write them.
        answers = list(map(str, range(1, 9)))[: int(random.integers(4, 9))]
    if seed % 24 == 7:
        answers = [str(code) for code in (1, 2, 3, 4, 98)]
    if seed % 11 == 5:
        mark, answers = "", list("ABCDE")[: int(random.integers(3, 6))]
    gave = {answer: random.random(rows) < random.uniform(0.3, 0.6) for answer in answers}
    rows_of = zip(*gave.values(), strict=True)
    cells = [
        mark.join(a for a, is_so in zip(answers, row, strict=True) if is_so) or "none" for row in rows_of
    ]
    frame = pandas.DataFrame({"age": random.integers(18, 90, rows), "symptoms": cells})
    frame["city"] = random.choice(["New York", "London", "San Francisco", "Paris"], rows)
    frame["name"] = [f"Smith, {first_name}" for first_name in random.choice(["Anna", "Tom", "Eve"], rows)]
    return frame, "symptoms", gave


_ORDERS = (
    ("never", "rarely", "sometimes", "often", "always"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("Trifft nicht zu", "Trifft eher nicht zu", "Trifft eher zu", "Trifft zu"),
    ("nie", "selten", "manchmal", "oft", "immer"),
    ("jamais", "rarement", "parfois", "souvent", "toujours"),
    ("nunca", "a veces", "siempre"),
    ("mai", "raramente", "qualche volta", "spesso", "sempre"),
    ("nunca", "raramente", "às vezes", "frequentemente", "sempre"),
    ("nooit", "zelden", "soms", "vaak", "altijd"),
    ("nigdy", "rzadko", "czasami", "często", "zawsze"),
    ("从不", "很少", "有时", "经常", "总是"),
    ("めったにない", "時々", "いつも"),
    ("18-29", "30-44", "45-59", "60+"),
    ("under 30", "30 to 49", "50 to 69", "70 and over"),
    ("< 10", "10–19", "20–29", "≥ 30"),
    ("Stage I", "Stage II", "Stage III", "Stage IV"),
    ("Killip I", "Killip II", "Killip III"),
    ("Grad I", "Grad IIa", "Grad IIb", "Grad III"),
    ("<2.5", "2.5-4.9", "5-9.9", ">=10"),
    ("<=3", "4-6", "7-9", "=>10"),
    ("under 20k", "20k-40k", "40k-60k", "over 60k"),
    ("primary", "secondary", "tertiary"),
    ("никогда", "редко", "часто", "всегда"),
    ("G1", "G2", "G3"),
    ("pT1a", "pT1b", "pT2", "pT3"),
    ("N0", "N1", "N2a", "N2b"),
    ("grade 1", "grade 2", "grade 3"),
    ("none", "mild", "moderate", "severe"),
    ("keine", "leicht", "mittel", "schwer"),
    ("low", "medium", "high"),
    ("not at all", "several days", "more than half the days", "nearly every day"),
    ("Überhaupt nicht", "An einzelnen Tagen", "An mehr als der Hälfte der Tage", "Beinahe jeden Tag"),
    ("not at all", "a little", "a lot"),
    ("0", "1-5", "6-10", ">10"),
    ("0", "1", "2", "3 or more"),
    ("Child-Pugh A", "Child-Pugh B", "Child-Pugh C"),
    ("ECOG 0", "ECOG 1", "ECOG 2"),
    ("-", "+", "++", "+++"),
    ("XS", "S", "M", "L", "XL"),
    ("1st", "2nd", "3rd"),
    ("zero", "one", "two", "three or more"),
    ("no", "maybe", "yes"),
    ("less than high school", "high school", "some college", "graduate degree"),
    ("Hauptschule", "Realschule", "Abitur", "Universität"),
    ("no pain", "mild pain", "moderate pain", "severe pain"),
    ("1 - not at all", "2", "3", "4", "5 - very much"),
    ("Strongly disagree", "2", "3", "4", "Strongly agree"),
    ("0 (never)", "1", "2", "3", "10 (always)"),
    ("1 - poor", "2 - fair", "3 - good", "4 - very good", "5 - excellent"),
    ("zdecydowanie nie", "raczej nie", "raczej tak", "zdecydowanie tak"),
    ("zdecydowanie się nie zgadzam", "ani tak, ani nie", "zdecydowanie się zgadzam"),
    ("nein", "eher nein", "eher ja", "ja"),
    ("non", "plutôt non", "plutôt oui", "oui"),
    ("нет", "скорее нет", "скорее да", "да"),
    ("mild", "moderate", "severe", "life-threatening"),
    ("leicht", "mittel", "schwer", "lebensbedrohlich"),
    ("leve", "moderado", "grave", "mortal"),
    ("全くない", "たまに", "時々", "よく", "いつも"),
    ("从不", "偶尔", "有时", "经常"),
    ("전혀", "가끔", "자주", "항상"),
    ("ei koskaan", "harvoin", "joskus", "usein", "aina"),
    ("instämmer inte alls", "instämmer delvis", "instämmer helt"),
    ("nikdy", "občas", "často", "vždy"),
)


def with_order(seed: int) -> tuple[pandas.DataFrame, tuple[str, ...]]:
    """Make a table in which the column "answer" has categories with an order: the table, the order."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(60, 300))
    order = _ORDERS[seed % len(_ORDERS)]
    written = [level.upper() if seed % 3 == 1 else level for level in order]
    return pandas.DataFrame(
        {
            "answer": random.choice(written, rows),
            "colour": random.choice(["red", "green", "blue"], rows),
            "city": random.choice(["Bonn", "Rome", "Oslo", "Prague"], rows),
            "arm": random.choice(["A", "B", "C"], rows),
        }
    ), tuple(written)


_DIED = (
    "death",
    "died",
    "status",
    "vital_status",
    "relapse",
    "event",
    "verstorben",
    "décès",
    "fallecido",
    "死亡",
)
_FOLLOWED = (
    "futime", "time", "days_to_death", "survival_time", "followup_months", "OS_months", "dtime",
    "lenfol", "Überlebenszeit", "Nachbeobachtung (Tage)", "temps de suivi", "tiempo",
    "date_of_last_contact", "生存时间", "OS", "tstop", "tempo_osservazione", "opvolgduur", "overlevingstijd",
    "czas obserwacji", "czas_przezycia", "tempo_seguimento", "délai_décès", "Beobachtungsdauer", "fu_12m",
    "survival_time_since_surgery", "length_of_followup", "t_death", "person_years", "letzter_Kontakt_Tage",
    "tempo_até_óbito", "overleving_mnd", "przeżycie_mies", "obserwacja_mies", "t2event", "hours_to_death",
    "nb_jours_suivi", "観察期間",
    "無再発生存期間", "随访月数",
    "rezidivfreies Überleben", "время до смерти", "disease-free interval", "délka sledování", "DSS.time",
    "tempo all'evento", "Nachsorge_Monate", "tid til død", "genel sağkalım", "사망까지의 기간", "age at exit",
    "Dny sledování", "seurantaika_vrk", "uppföljningstid", "takip süresi", "дни наблюдения", "추적기간",
)  # fmt: skip
_MEASURED = (
    "age_in_years", "sleep duration", "years of education", "disease duration", "reaction time",
    "waiting days", "dose", "days per week of sport", "prothrombin time", "Dauer der Schmerzen",
    "date of birth", "followup_sbp", "survival_score", "operation_time", "Nachbeobachtung Puls",
    "suivi_score", "sbp at follow-up", "death anxiety", "last weight", "hours",
    "手术时间", "住院天数", "等待时间",
    "睡眠時間", "在院日数", "プロトロンビン時間", "罹病期間", "生存质量", "length", "T4",
    "protime", "bedtime", "free time", "tiempo libre", "QT interval", "length of stay", "weight at exit",
    "CSS",
)  # fmt: skip


_DATED = (
    "death_date", "Todesdatum", "DOD", "Sterbemonat", "date_décès", "fecha_muerte", "last_contact_date",
    "Letzter Kontakt", "data zgonu", "overlijdensdatum", "死亡日期", "outcome", "censor date",
)  # fmt: skip
_LIVES = ("", "alive", "lebt", "vivant", "vivo", "żyje", "存活")


def with_date_of_event(seed: int) -> tuple[pandas.DataFrame, str, str]:
    """Make a table with an event and when it happened, few dates or many: the table, the event, the dates."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(80, 300))
    label, name = _DIED[seed % len(_DIED)], _DATED[seed % len(_DATED)]
    event = random.integers(0, 2, rows)
    months = random.integers(1, 13, rows)
    days = random.integers(1, 29, rows) if seed % 3 else np.ones(rows, dtype=int)
    form = ("2021-{0:02d}-{1:02d}", "{1:02d}.{0:02d}.2021", "2021-{0:02d}", "{1:02d}/{0:02d}/2021")[seed % 4]
    lives = _LIVES[seed % len(_LIVES)] or None if name != "outcome" else _LIVES[1 + seed % 6]
    dates = [form.format(month, day) for month, day in zip(months, days, strict=True)]
    table = {
        "age": random.integers(20, 90, rows),
        "visit date": [f"2020-{month:02d}-01" for month in random.integers(1, 13, rows)],
        name: np.where(event == 1, np.array(dates, dtype=object), lives),
        label: event,
    }
    return (
        pandas.DataFrame({column: table[column] for column in random.permutation(list(table))}),
        label,
        name,
    )


def with_follow_up(seed: int) -> tuple[pandas.DataFrame, str, str]:
    """Make a table with an event and the time until then: the table, the event, the time."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(80, 300))
    label, time = _DIED[seed % len(_DIED)], _FOLLOWED[seed % len(_FOLLOWED)]
    stress = random.normal(5, 2, rows).round(1)
    until = random.exponential(np.exp(8 - 0.3 * stress)).round()
    end = random.uniform(100, 2000)
    names = random.permutation(_MEASURED)[:3]
    table = {
        "stress": stress,
        time: np.minimum(until, end).round(),
        label: (until <= end).astype(int),
        **{str(name): random.normal(40, 9, rows).round(1) for name in names},
    }
    return pandas.DataFrame({name: table[name] for name in random.permutation(list(table))}), label, time


_TIMED = (
    ("stroke", "time_to_stroke"), ("stroke_event", "stroke_days"), ("MACE", "MACE_months"),
    ("dialysis", "tdialysis"), ("graft_loss", "graft_survival_months"), ("Schlaganfall", "Schlaganfallzeit"),
    ("Herzinfarkt", "Zeit bis Herzinfarkt (Tage)"), ("AVC", "délai_AVC"), ("infarto", "días_hasta_infarto"),
    ("fracture", "jours_avant_fracture"), ("ictus", "giorni_ictus"), ("fratura", "tempo até fratura"),
    ("beroerte", "dagen_tot_beroerte"), ("udar", "czas_do_udaru"), ("脑卒中", "距脑卒中天数"),
    ("脳梗塞", "脳梗塞までの日数"), ("readmission", "t2readmission"),
    ("hip_fracture", "days_to_hip_fracture"),
)  # fmt: skip
_PLAIN_TIMES = (
    "time",
    "t",
    "days",
    "Zeit",
    "temps",
    "tiempo",
    "tempo",
    "tijd",
    "czas",
    "时间",
    "months",
    "time (d)",
)
_NAMES_UNKNOWN = ("x9", "délka", "mért", "kesto", "lengd", "ilgis", "διάρκεια", "מעקב")
_BESIDE_TIMED = ("{}_score", "{}_t1", "{} week 12", "{}_risk", "family_{}")


def with_time_of_event(seed: int) -> tuple[pandas.DataFrame, str, str]:
    """Make a table with an event of any name and its time, called after the event or just time.

    In tables of even seeds the name says it; in the others a study end, common or staggered, does.
    """
    random = np.random.default_rng(seed)
    rows = int(random.integers(150, 400))
    label, time = _TIMED[seed // 2 % len(_TIMED)]
    if seed % 2:
        # Under a name that says nothing an end that all share is needed.
        names = _PLAIN_TIMES if seed % 4 == 1 else _PLAIN_TIMES + _NAMES_UNKNOWN
        time = names[seed // 2 % len(names)]
    risk = random.normal(5, 2, rows).round(1)
    until = random.exponential(3000 / np.exp(0.2 * (risk - 5)))
    end = random.uniform(400, 900) + random.uniform(0, 1500) * (random.random(rows) if seed % 4 == 1 else 1)
    names = [str(form).format(label) for form in random.permutation(_BESIDE_TIMED)[:2]]
    table = {
        "risk": risk,
        time: np.minimum(until, end).round(),
        label: (until <= end).astype(int),
        "sleep time": random.normal(40, 9, rows).round(1),
        **{name: random.normal(40, 9, rows).round(1) for name in names},
    }
    return pandas.DataFrame({name: table[name] for name in random.permutation(list(table))}), label, time
