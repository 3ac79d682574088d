"""Tables with identifiers that programs misread, and with what is none: made by chance from a seed."""

from __future__ import annotations

import numpy as np
import pandas

_SITES = (
    *("centre", "site", "country", "plate", "ward", "Klinik", "Land", "Zentrum", "école", "hôpital", "pays"),
    *("hospital", "provincia", "ospedale", "paese", "cidade", "escola", "ziekenhuis", "szpital", "школа"),
    *("施設", "医院", "hastane", "sjukhus", "batch", "clinic"),
)
_WITHIN = (
    "condition",
    "Bedingung",
    "arm",
    "pre_post",
    "k",
    "essai",
    "tarea",
    "braccio",
    "fase",
    "taak",
    "条件",
)
_TIMES = ("visit", "wave", "Besuch", "suivi", "semana", "mese", "mês", "ronde", "wizyta", "时间", "時点")
_NUMBERED = (
    *("patient", "PatNr", "idno", "sample_id", "subject", "participant", "Fallnummer", "Proband", "sujet"),
    *("id_paciente", "codice_paziente", "uczestnik", "deelnemer", "受试者编号", "患者番号", "pid"),
)


def _forms(seed: int, numbers: np.ndarray) -> np.ndarray:
    """Write numbers of persons: as such, as codes, or from some number on."""
    if seed % 3 == 1:
        return np.array([f"P{number:03d}" for number in numbers])
    return numbers + 100 * (seed % 3)


def numbered_in_sites(seed: int) -> tuple[pandas.DataFrame, str]:
    """Make a table of different persons whom each site numbers anew: the table, the identifier."""
    random = np.random.default_rng(seed)
    sites, most = int(random.integers(2, 9)), int(random.integers(30, 90))
    sizes = np.full(sites, most) if seed % 2 else random.integers(most // 2, most, sites)
    site = np.repeat(np.arange(sites), sizes)
    numbers = np.concatenate([np.arange(1, size + 1) for size in sizes])
    if seed % 5 == 0:
        numbers = np.concatenate([np.sort(random.choice(2 * most, size, replace=False)) for size in sizes])
    rows = len(site)
    severe = random.normal(size=rows) + random.normal(size=sites)[site]
    name, site_name = _NUMBERED[seed % len(_NUMBERED)], _SITES[seed % len(_SITES)]
    table = {
        site_name: np.array([f"{site_name[:2]}{number}" for number in site]) if seed % 4 == 1 else site + 1,
        name: _forms(seed, numbers),
        "age": random.integers(18, 90, rows),
        "sex": random.choice(["f", "m"], rows),
        "crp": np.exp(severe).round(2),
        "ill": (severe + random.normal(size=rows) > 0).astype(int),
    }
    if seed % 4 == 2:
        # Each site numbers its persons as they come.
        table["year"] = 2010 + (numbers + random.normal(size=rows)).astype(int) // 9
    frame = pandas.DataFrame(table)
    return (frame.sample(frac=1.0, random_state=seed) if seed % 3 == 2 else frame).reset_index(
        drop=True
    ), name


def persons_at_times(seed: int) -> tuple[pandas.DataFrame, str]:
    """Make a table with several rows per person, at several times or under several conditions."""
    random = np.random.default_rng(seed)
    persons, times = int(random.integers(25, 90)), int(random.integers(2, 6))
    person, time = np.repeat(np.arange(persons), times), np.tile(np.arange(times), persons)
    stays = random.random(len(person)) < (1.0 if seed % 2 else 0.85)
    person, time = person[stays], time[stays]
    rows = len(person)
    is_named = seed % 2 == 0
    name, time_name = _NUMBERED[seed % len(_NUMBERED)], (_TIMES if is_named else _WITHIN)[seed % 11]
    # Where the column is called as visits are, the rows of a person need not be alike.
    trait = random.normal(size=persons)[person] * (0.0 if is_named and seed % 4 == 0 else 1.0)
    value = trait + random.normal(size=rows)
    table = {
        name: _forms(seed, person + 1),
        time_name: time + 1 if seed % 3 else np.array([f"t{moment}" for moment in time]),
        "reaction": (400 + 40 * value).round(1),
        "errors": random.poisson(np.exp(1 + 0.4 * trait)),
        "ill": (trait + random.normal(size=rows) > 0).astype(int),
    }
    if seed % 3 == 0:
        table["age"] = random.integers(18, 90, persons)[person]
    return pandas.DataFrame(table).sample(frac=1.0, random_state=seed).reset_index(drop=True), name


_BINDING = (
    *(
        "mouse",
        "village",
        "tree_tag",
        "ear_tag",
        "plot",
        "FAMID",
        "matched_set",
        "donor",
        "cow",
        "farm",
        "herd",
    ),
    *(
        "Maus",
        "Dorf",
        "Baum-Nr",
        "Parzelle",
        "Ohrmarke",
        "souris",
        "parcelle",
        "élevage_id",
        "ferme",
        "aldea",
    ),
    *("parcela", "árbol", "topo", "villaggio", "albero", "aldeia", "fazenda", "árvore", "muis", "boerderij"),
    *("boom", "mysz", "działka", "drzewo", "köy", "деревня", "村", "小鼠", "マウス", "样地"),
)
# Of which nothing says what they are; their values do.
_UNNAMED = (
    "IPAddress",
    "x7",
    "token",
    "who",
    "Kürzel",
    "qui",
    "quien",
    "chi",
    "quem",
    "wie",
    "kto",
    "谁",
    "誰",
)
_TEXTS = ("D{}", "10.0.{}.7", "{:06d}", "{:x}-41", "tok{:x}f", "MA{:02d}KL", "{}-B")


def with_binding_column(seed: int) -> tuple[pandas.DataFrame, str]:
    """Make a table whose rows a column binds together by few: animals, villages, codes of whatever name."""
    random = np.random.default_rng(seed)
    count, visits = int(random.integers(25, 90)), int(random.integers(2, 7))
    person = np.repeat(np.arange(count), visits)
    if seed % 3:
        person = random.permutation(person)
    trait = random.normal(size=count)[person]
    rows = len(person)
    names = _UNNAMED if seed % 4 == 3 else _BINDING
    name = names[seed % len(names)]
    values = person + (1, 201, 8001)[seed % 3]
    if names is _UNNAMED:
        values = np.array([_TEXTS[seed % len(_TEXTS)].format(number) for number in values])
    table = {
        "dose": random.normal(size=rows).round(2),
        name: values,
        "weight": (30 + 4 * trait + random.normal(size=rows)).round(1),
        "ill": (trait + random.normal(size=rows) > 0).astype(int),
    }
    return pandas.DataFrame({column: table[column] for column in random.permutation(list(table))}), name


_RANKED = (
    *("rank_in_class", "Rang", "finish_position", "ranking", "Platz", "Platzierung", "classement", "rango"),
    *(
        "posición",
        "puesto",
        "posizione",
        "classifica",
        "posição",
        "colocação",
        "rangorde",
        "plaats",
        "miejsce",
    ),
    *("pozycja", "место", "順位", "排名", "名次", "sıra", "world rank"),
)
_COUNTED = (
    *("n_pazienti", "n_patients", "num_soggetti", "n_pacientes", "liczba_pacjentów", "aantal_patiënten"),
    *("CAGE", "ID_index", "barcode_errors", "family_income", "mouse_weight", "plot_cover", "tree_height"),
    *("village_income", "farm_size", "Mäusegewicht", "n_Probanden", "nb_sujets", "ID_total", "pair_distance"),
)
_MEASURED_OF_ALL = (
    *("identification_ms", "barcode_reads", "SSN_density", "ID_peak", "id_card_age", "eid_duration"),
    *(
        "mouse_weight_mg",
        "barcode_depth",
        "uid_latency",
        "identity_score",
        "passport_days",
        "specimen_volume",
    ),
    *("pid_gain", "identification_time", "ident_ms", "accession_length"),
)


def with_what_is_no_identifier(seed: int) -> tuple[pandas.DataFrame, str]:
    """Make a table with ranks, counts or measurements that are called nearly as identifiers are."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(60, 300))
    names, values = (
        (_RANKED, random.permutation(rows) + 1),
        (_COUNTED, random.integers(0, 60, rows)),
        (_MEASURED_OF_ALL, random.choice(np.arange(100, 3000), rows, replace=False)),
    )[seed % 3]
    name = names[seed // 3 % len(names)]
    if seed % 6 == 0:
        values = np.sort(values)
    table = {"dose": random.normal(size=rows).round(2), name: values, "ill": random.integers(0, 2, rows)}
    return pandas.DataFrame({column: table[column] for column in random.permutation(list(table))}), name


_CLUSTERS_IN_WORDS = (
    *("школа", "gmina", "enseignant", "teacher", "GP practice", "Lehrkraft", "Praxis", "maestra", "barrio"),
    *("insegnante", "escola", "leerkracht", "nauczyciel", "учитель", "教室", "先生", "öğretmen", "lärare"),
    *("obec", "kunta", "skole", "surgeon", "Betrieb", "x3", "who"),
)
_SYLLABLES = ("ba", "ko", "re", "mi", "lu", "sta", "ver", "Жи", "ло", "då", "né", "张", "田", "un")


def with_clusters_in_words(seed: int, likeness: float = 0.8) -> tuple[pandas.DataFrame, str]:
    """Make a table whose rows are alike within texts that no digit tells to be codes: the table, the texts.

    The texts are in few rows each, not evenly. The standard deviation of what rows of one text have in
    common is `likeness`, and that of what they have not is 1.
    """
    random = np.random.default_rng(seed)
    count = int(random.integers(25, 80))
    rows = count * int(random.integers(4, 9))
    cluster = random.integers(0, count, rows)
    words = [
        "".join(random.choice(_SYLLABLES, 4)) + chr(97 + number % 26) * (number // 26)
        for number in range(count)
    ]
    name = _CLUSTERS_IN_WORDS[seed % len(_CLUSTERS_IN_WORDS)]
    common = likeness * random.normal(size=(2, count))[:, cluster]
    level = common[0] + random.normal(size=rows)
    table = {
        name: np.array(
            [f"{words[number]} {number % 26}" if seed % 5 == 0 else words[number] for number in cluster]
        ),
        "age": random.integers(18, 90, rows),
        "score": (50 + 9 * level).round(1),
        "hours": random.poisson(np.exp(2 + 0.4 * common[1])),
        "sex": random.choice(["f", "m"], rows),
        "ill": (level + random.normal(size=rows) > 0).astype(int),
    }
    return pandas.DataFrame({column: table[column] for column in random.permutation(list(table))}), name
