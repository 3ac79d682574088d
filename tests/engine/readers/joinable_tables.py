"""Two tables that belong together, made at random, whose rows stand in different orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.readers import read_table


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
    second_form = "p{:06d}" if form == "P{}" and rng.random() < 0.5 else form
    return [form.format(number) for number in numbers], [second_form.format(number) for number in numbers]


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


_PARENTS_AND_ROWS = (
    ("id", "household_id", "id"),
    ("_index", "_parent_index", "_index"),
    ("ID", "patient_ID", "ID"),
    ("id", "patient", "id"),
    ("Nr", "Haushalt-Nr", "Nr"),
    ("index", "parent_index", "row"),
    ("ID", "SubjectID", "ID"),
    ("id", "id_paciente", "no"),
)


def lines_beside_a_key(rng: np.random.Generator, folder: Path) -> Joinable:
    """Write persons or households numbered from 1 on, and a table whose own lines are numbered, too.

    It refers to the former by a further column, has one row or several of each, and stands on either side.
    """
    number, refers, own = _PARENTS_AND_ROWS[int(rng.integers(len(_PARENTS_AND_ROWS)))]
    cases = int(rng.integers(40, 120))
    sizes = rng.integers(1, 6, cases) if rng.random() < 0.7 else np.ones(cases, dtype=int)
    case_of = np.repeat(np.arange(cases), sizes)
    if sizes.max() == 1 or rng.random() < 0.5:
        case_of = rng.permutation(case_of)
    ill_cases, ill_rows = rng.integers(0, 2, cases), rng.integers(0, 2, len(case_of))
    parents: dict[str, Sequence[object]] = {number: list(range(1, cases + 1))}
    rows: dict[str, Sequence[object]] = {
        own: list(range(1, len(case_of) + 1)),
        refers: (case_of + 1).tolist(),
    }
    if rng.random() < 0.5:
        rows = {refers: rows[refers], own: rows[own]}
    parents["dose"] = rng.normal(size=cases).round(2).tolist()
    rows["bmi"] = rng.normal(25, 3, len(case_of)).round(1).tolist()
    labels = rows if rng.random() < 0.5 else parents
    data = parents if labels is rows else rows
    outcomes = ill_rows if labels is rows else ill_cases
    labels["ill"] = outcomes.tolist()
    labels["cough"] = rng.integers(0, 2, len(outcomes)).tolist()
    del labels["bmi" if labels is rows else "dose"]
    if labels is rows:
        expected = [int(ill_rows[row]) for case in range(cases) for row in np.flatnonzero(case_of == case)]
    else:
        expected = ill_cases[case_of].tolist()
    return Joinable(*_write_both(folder, data, labels), expected)


def numbers_in_any_place(rng: np.random.Generator, folder: Path) -> Joinable:
    """Write two tables whose rows are named by the same numbers without gaps, under names without a word."""
    rows, first = int(rng.integers(30, 160)), int(rng.choice([1, 1, 101, 2001]))
    numbers = rng.permutation(np.arange(first, first + rows))
    names = list(map(str, rng.choice(_SAYING_NOTHING, 2, replace=False)))
    ill = rng.integers(0, 2, rows)
    order = rng.permutation(rows) if rng.random() < 0.5 else np.argsort(numbers)
    data: dict[str, Sequence[object]] = {
        "dose": rng.normal(size=rows).round(2).tolist(),
        "age": rng.integers(20, 80, rows).tolist(),
        names[0]: numbers.tolist(),
    }
    labels: dict[str, Sequence[object]] = {
        "ill": ill[order].tolist(),
        names[1]: numbers[order].tolist(),
        "cough": rng.integers(0, 2, rows).tolist(),
    }
    return Joinable(*_write_both(folder, data, labels), ill.tolist())


_SAYING_NOTHING = ("x1", "kod", "who", "qui", "chi", "kto", "谁", "código", "nimi", "jméno", "tunnus")
