"""Tables with another shape than one row a case: features in rows, and visits beside each other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import InvalidData
from engine.readers.reading import BESIDE, LEAVE_SHAPE, RESHAPED, TURNABLE, Table, free_name
from engine.readers.registry import ReadingOptions
from engine.readers.repeated_cases import (
    is_of_instruments,
    note_on_repeated_cases,
    one_row_a_case,
    one_row_a_repetition,
)
from engine.readers.typed_files import GivenColumn, check_size, table_of, text_of
from engine.table.dataset import Dataset
from engine.table.identifiers import is_identifier_name
from engine.table.variable import MISSING_CODE, Kind, Variable, code_dtype
from engine.wording.notes import Note, listed
from engine.wording.numbers import counted

_FEWEST_SAMPLES, _FEWEST_FEATURES = 6, 5
_FEATURE_WORDS = frozenset(
    """
    gene genes geneid symbol genesymbol probe probes probeset probeid idref transcript transcripts
    ensembl entrez protein proteins peptide metabolite metabolites compound analyte otu otus asv
    taxon taxa mirna cpg snp snps marker markers feature features variable variables gen gène gènes
    genname merkmal merkmale protéine proteína proteina gén 基因 遺伝子 探针
    """.split()  # noqa: SIM905
)
_DATABASE_ID = re.compile(
    r"ENS[A-Z]*[GTP]\d{6,}(?:\.\d+)?|rs\d+|cg\d{6,}|\d+(?:_[a-z])?_at|ILMN_\d+|N[MR]_\d+|hsa-(?:mi[rR]|let)-.+"
)
_WORDS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_SHARE_OF_NUMBERS = 0.6
_COLUMNS_TRIED = 20


def with_shape(dataset: Dataset, options: ReadingOptions, decimal: str, place: str) -> Dataset:
    """Give a table the shape that a person says, or note which other one it may have.

    Parameters
    ----------
    dataset : Dataset
        As its format gives it.
    options : ReadingOptions
    decimal : str
        Mark of decimals in the file.
    place : str
        The file, for messages.

    Raises
    ------
    InvalidData
        When a table cannot have that shape.
    UnreadableFile
        When it would have too many columns.
    """
    if dataset.coded is not None:
        return dataset
    options = replace(options, decimal=decimal)
    if options.shape == "turned":
        return _turned(dataset, options, place)
    if options.shape == "long":
        if is_of_instruments(dataset):
            return one_row_a_repetition(dataset, place)
        return _visits_below(dataset, options, place)
    if options.shape == "wide":
        return one_row_a_case(dataset, place)
    note = _note(dataset)
    if note is None:
        return dataset
    if note.topic == TURNABLE:
        # A row of groups is no text among the numbers of each case.
        kept = tuple(each for each in dataset.notes if each.topic != "text-among-numbers")
        dataset = replace(dataset, notes=kept)
    return dataset.with_notes((note,))


def _note(dataset: Dataset) -> Note | None:
    if has_features_in_rows(dataset):
        first = dataset.variables[0].name
        others = counted(len(dataset.variables) - 1, "column")
        return Note(
            TURNABLE,
            f"'{first}' seems to name features, and each of {others} of numbers seems to be a case. If so, "
            "turn rows and columns.",
            first,
        )
    visits = visits_of(dataset.names) if len(dataset.names) <= _MOST_NAMES else None
    if visits is None:
        return note_on_repeated_cases(dataset)
    return Note(
        BESIDE,
        f"{listed(list(visits.stems))} stand in {counted(len(visits.times), 'column')} each, for "
        f"{listed(list(visits.times), 4)}. If these are visits, each can be a row of its own.",
        columns=tuple(name for names in visits.columns.values() for name in names.values()),
    )


def has_features_in_rows(dataset: Dataset) -> bool:
    """Tell whether the rows of a table are genes or other features, and its columns are cases.

    The first column is called so, or holds names from a data base; the others hold numbers and are called
    alike.

    Examples
    --------
    >>> import pandas
    >>> genes = pandas.DataFrame({"gene": ["TP53", "KRAS", "MYC", "EGFR", "BRCA1"]})
    >>> has_features_in_rows(Dataset.from_frame(genes.assign(**{f"GSM{place}": 1.5 for place in range(8)})))
    True
    """
    first, samples = dataset.variables[0], dataset.names[1:]
    if (
        len(samples) < _FEWEST_SAMPLES
        or dataset.row_count < _FEWEST_FEATURES
        or first.kind is not Kind.NOMINAL
    ):
        return False
    codes = dataset.columns[0]
    if len(np.unique(codes)) < len(codes) or (codes == MISSING_CODE).any():
        return False
    words = {word.casefold() for word in _WORDS.findall(first.name)}
    words.add("".join(_WORDS.findall(first.name)).casefold())
    is_called_so = not words.isdisjoint(_FEATURE_WORDS)
    tried = first.levels[:_COLUMNS_TRIED]
    if not is_called_so and sum(_DATABASE_ID.fullmatch(text) is not None for text in tried) < len(tried) / 2:
        return False
    stems = {_DIGITS.sub("0", name) for name in samples}
    if len(stems) > max(3, len(samples) // 5) and len(set(map(len, samples))) > 1:
        return False
    return all(_mostly_numbers(variable) for variable in dataset.variables[1 : _COLUMNS_TRIED + 1])


def _mostly_numbers(variable: Variable) -> bool:
    if variable.kind is Kind.CONTINUOUS:
        return True
    numbers = sum(_is_number(level) for level in variable.levels)
    return numbers >= _SHARE_OF_NUMBERS * variable.level_count


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _turned(dataset: Dataset, options: ReadingOptions, place: str) -> Dataset:
    """Make rows of the columns, and columns of the rows, which the first column names."""
    if len(dataset.variables) == 1:
        raise InvalidData("a table of one column cannot be turned.", place=place, remedy=LEAVE_SHAPE)
    check_size(len(dataset.variables), dataset.row_count, place)
    cells = [_cells(*pair) for pair in zip(dataset.variables, dataset.columns, strict=True)]
    names = [text_of(cell) or "" for cell in cells[0]]
    columns = [GivenColumn(free_name("sample", set(names)), dataset.names[1:])]
    columns += [GivenColumn(name, row) for name, row in zip(names, zip(*cells[1:], strict=True), strict=True)]
    table = _typed(columns, options, place)
    made = f"Rows and columns are swapped: each of {counted(len(cells) - 1, 'column')} is a row."
    notes = (*_about_the_table(dataset), Note(RESHAPED, made), *table.issues)
    return Dataset(table.variables, table.columns, dataset.name, notes)


def _cells(variable: Variable, column: np.ndarray) -> list[object]:
    """Return what stands in a column; None where nothing does."""
    if variable.kind is Kind.NOMINAL:
        levels: list[object] = [*variable.levels, None]
        return [levels[code] for code in column]
    return [None if np.isnan(value) else value for value in column.tolist()]


def _typed(columns: Sequence[GivenColumn], options: ReadingOptions, place: str) -> Table:
    told = ReadingOptions(
        decimal=options.decimal,
        missing_codes=options.missing_codes,
        also_missing=options.also_missing,
        not_missing=options.not_missing,
        categories=options.categories,
    )
    return table_of(columns, told, place, are_cases=True)


def _about_the_table(dataset: Dataset) -> Iterator[Note]:
    return (note for note in dataset.notes if not note.variable and not note.columns)


_UNIT = (
    r"v|visit|vis|t|time|tp|w|wk|week|m|mo|month|d|day|y|yr|year|wave|welle|fu|besuch|visite|woche|monat|tag|"
    r"jahr|zeitpunkt|semaine|sem|mois|jour|visita|semana|mes|día|dia|año|settimana|mese|giorno|wizyta|tydzień|"
    r"miesiąc|访视|回|時点"
)
_TIME = re.compile(rf"(?:{_UNIT})\d{{1,3}}|baseline|bl|screening|pre|post|follow-?up", re.IGNORECASE)
_PARTS = re.compile(r"[\s_.]+")
_FIRST_TIMES = ("screening", "baseline", "bl", "pre")
_LAST_TIMES = ("post", "followup", "follow-up")
_FEWEST_COLUMNS = 6
# Of tables with more columns, the names are not looked through.
_MOST_NAMES = 5000


@dataclass(frozen=True, slots=True)
class Visits:
    """Columns of which several are one thing at several times.

    Attributes
    ----------
    times : tuple of str
        As they are written, in their order.
    columns : dict of str to dict of str to str
        Name of the column by what it holds and when.
    """

    times: tuple[str, ...]
    columns: dict[str, dict[str, str]]

    @property
    def stems(self) -> tuple[str, ...]:
        """What is measured at these times."""
        return tuple(self.columns)


def visits_of(names: Sequence[str]) -> Visits | None:
    """Find columns that hold the same at several times, as their names say; None where there are none.

    Examples
    --------
    >>> found = visits_of(["id", "pain_v1", "crp_v1", "pain_v2", "crp_v2", "pain_v3", "crp_v3"])
    >>> found.stems, found.times
    (('pain', 'crp'), ('v1', 'v2', 'v3'))
    >>> visits_of(["q1_1", "q1_2", "q2_1", "q2_2", "q3_1", "q3_2"]) is None
    True
    """
    columns: dict[str, dict[str, str]] = defaultdict(dict)
    for name in names:
        parts = [part for part in _PARTS.split(name) if part]
        for at in (len(parts) - 1, 0) if len(parts) > 1 else ():
            if _TIME.fullmatch(parts[at]):
                stem = "_".join(part for place, part in enumerate(parts) if place != at)
                columns[stem].setdefault(parts[at], name)
                break
    times_of = {stem: frozenset(times) for stem, times in columns.items()}
    most = max(times_of.values(), key=lambda times: (len(times), sorted(times)), default=frozenset())
    # What was measured at some of these visits alone belongs to them too.
    kept = {stem: columns[stem] for stem, times in times_of.items() if len(times) > 1 and times <= most}
    whole = [stem for stem in kept if times_of[stem] == most]
    if len(most) < 2 or len(whole) < 2 or len(whole) * len(most) < _FEWEST_COLUMNS:
        return None
    return Visits(tuple(sorted(most, key=_when)), kept)


def _when(time: str) -> tuple[int, int, str]:
    plain = time.casefold()
    if plain in _FIRST_TIMES:
        return -1, _FIRST_TIMES.index(plain), ""
    if plain in _LAST_TIMES:
        return 1, _LAST_TIMES.index(plain), ""
    number = _DIGITS.search(plain)
    return 0, int(number[0]) if number else 0, plain


def _visits_below(dataset: Dataset, options: ReadingOptions, place: str) -> Dataset:
    """Make a row of each visit, with what does not change in every row of a case."""
    visits = visits_of(dataset.names)
    if visits is None:
        raise InvalidData("no columns hold the same at several visits.", place=place, remedy=LEAVE_SHAPE)
    pairs = dict(zip(dataset.names, zip(dataset.variables, dataset.columns, strict=True), strict=True))
    empty: list[object] = [None] * dataset.row_count
    measured = {
        stem: [_cells(*pairs[names[time]]) if time in names else empty for time in visits.times]
        for stem, names in visits.columns.items()
    }
    rows = [
        (case, visit)
        for case in range(dataset.row_count)
        for visit in range(len(visits.times))
        if any(times[visit][case] is not None for times in measured.values())
    ]
    if not rows:
        raise InvalidData("all visits are empty.", place=place, remedy=LEAVE_SHAPE)
    case_of, visit_of = np.array(rows).T
    beside = {name for names in visits.columns.values() for name in names.values()}
    steady = [(variable, column) for name, (variable, column) in pairs.items() if name not in beside]
    taken = {*(variable.name for variable, _ in steady), *measured}
    if not any(_names_cases(*pair) for pair in steady):
        cases = tuple(f"case {case}" for case in range(1, dataset.row_count + 1))
        numbered = Variable(free_name("case id", taken), Kind.NOMINAL, levels=cases)
        steady.insert(0, (numbered, np.arange(dataset.row_count, dtype=code_dtype(dataset.row_count))))
    visit = Variable(free_name("visit", taken), Kind.NOMINAL, levels=visits.times, ordered=True)
    given = [
        GivenColumn(stem, [times[visit][case] for case, visit in rows]) for stem, times in measured.items()
    ]
    table = _typed(given, options, place)
    made = f"Each visit is a row: {counted(len(rows), 'row')} of {counted(dataset.row_count, 'case')}."
    kept = {variable.name for variable, _ in steady}
    about = (note for note in dataset.notes if note.variable in kept)
    return Dataset(
        (*(variable for variable, _ in steady), visit, *table.variables),
        (
            *(column[case_of] for _, column in steady),
            visit_of.astype(code_dtype(len(visits.times))),
            *table.columns,
        ),
        dataset.name,
        (*_about_the_table(dataset), Note(RESHAPED, made), *about, *table.issues),
    )


def _names_cases(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column is an identifier that differs in every row."""
    return is_identifier_name(variable.name) and len(np.unique(column)) == len(column)
