"""Tables with another shape than one row a case: features in rows, and visits beside each other."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import InvalidData
from engine.readers.options import ReadingOptions
from engine.readers.reading import BESIDE, LEAVE_SHAPE, RESHAPED, TURNABLE
from engine.readers.repeated_cases import (
    cells_of,
    is_of_instruments,
    note_on_repeated_cases,
    one_row_a_case,
    one_row_a_repetition,
    typed_again,
)
from engine.readers.typed_files import GivenColumn, check_size, text_of
from engine.table.dataset import Dataset
from engine.table.identifiers import ABOUT_NAMELESS, is_identifier_name
from engine.table.variable import MISSING_CODE, Kind, Variable, code_dtype, free_name
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed
from engine.wording.numbers import counted

_FEWEST_SAMPLES, _FEWEST_FEATURES = 6, 5
_FEATURE_WORDS = frozenset(
    """
    gene genes geneid symbol genesymbol probe probes probeset probeid idref transcript transcripts
    ensembl entrez protein proteins peptide metabolite metabolites compound analyte otu otus asv
    taxon taxa mirna lncrna cpg snp snps marker markers feature features variable variables gen gène gènes
    genname merkmal merkmale protéine proteína proteina gén 基因 遺伝子 探针
    """.split()  # noqa: SIM905
)
_DATABASE_ID = re.compile(
    r"ENS[A-Z]*[GTP]\d{6,}(?:\.\d+)?|rs\d+|cg\d{6,}|\d+(?:_[a-z])?_at|ILMN_\d+|N[MR]_\d+|[a-z]{3}-(?:mi[rR]|let)-.+|MIMAT\d+"
    r"|AT[1-5CM]G\d{5}(?:\.\d+)?|UniRef\w+|K\d{5}|HMDB\d{5,}|[OPQ]\d[A-Z\d]{3}\d(?:-\d+)?"
    # Of a mass spectrometer: mass and time of retention.
    r"|(?:mz|m/z|M)?_?\d{2,4}\.?\d*(?:[@_/]|T|_RT)_?\d{1,4}(?:\.\d+)?"
)
_SYMBOL = re.compile(r"[A-Z][A-Z0-9]{1,9}(?:[-.][A-Z0-9]{1,4})?|[A-Z][a-z]{2,7}\d{1,3}[a-z]?\d?")
_STEM = re.compile(r"[A-Za-z]+")
_MOSTLY_SYMBOLS, _WITH_DIGITS, _FEWEST_STEMS = 0.8, 0.3, 4
_SAYS_NOTHING = frozenset(("name", "names", "id", "ids", "unnamed: 0", "index", "x", "rowname", "rownames"))
_WORDS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_SHARE_OF_NUMBERS = 0.6
_COLUMNS_TRIED = 20
_COLUMNS_OF_NAMES = 3
"""So many first columns may name the features."""
_MOST_DESCRIPTIONS, _MOST_ROWS_OF_WORDS = 10, 5


def with_shape(dataset: Dataset, options: ReadingOptions, decimal: str, place: str) -> Dataset:
    """Give a table the shape that a person says, or note which other one it may have."""
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
        return one_row_a_case(dataset, options, place)
    note = _note(dataset)
    if note is None:
        return dataset
    if note.topic == TURNABLE:
        # A row of groups is no text among the numbers of each case.
        kept = tuple(kept_note for kept_note in dataset.notes if kept_note.topic != "text-among-numbers")
        dataset = replace(dataset, notes=kept)
    return dataset.with_notes((note,))


def _note(dataset: Dataset) -> Note | None:
    features = features_in_rows(dataset)
    if features is not None:
        first = dataset.names[features.names]
        message = _(_FEATURES_IN_ROWS, first=first, samples=counted(len(features.samples), "column"))
        if features.beside:
            describe = for_count(len(features.beside), _DESCRIBES, _DESCRIBE)
            message = f"{message} {describe.format(columns=listed(features.beside, _MOST_NAMED))}"
        return Note(TURNABLE, message, first)
    visits = visits_of(dataset.names) if len(dataset.names) <= _MOST_NAMES else None
    if visits is None:
        return note_on_repeated_cases(dataset)
    return Note(
        BESIDE,
        _(
            "{stems} stand in {columns} each, for {times}. If these are visits, each can be a row of "
            "its own.",
            stems=listed(list(visits.stems)),
            columns=counted(len(visits.times), "column"),
            times=listed(list(visits.times), 4),
        ),
        columns=tuple(name for names in visits.columns.values() for name in names.values()),
    )


@dataclass(frozen=True, slots=True)
class FeaturesInRows:
    """Which columns of a table are cases, where its rows are features."""

    names: int
    samples: tuple[int, ...]
    beside: tuple[str, ...] = ()


def features_in_rows(dataset: Dataset) -> FeaturesInRows | None:
    """Find out whether the rows of a table are genes or other features, and which columns are cases.

    A column is called so, or holds names from a data base; or some rows hold words in all columns of cases,
    as labels do.
    """
    if len(dataset.names) <= _FEWEST_SAMPLES:
        return None
    candidates = [place for place in range(_COLUMNS_OF_NAMES) if _are_different_names(dataset, place)]
    if not candidates:
        return None
    nameless = {note.variable for note in dataset.notes if note.topic in ABOUT_NAMELESS}
    named = next((place for place in candidates if _names_features(dataset.variables[place], nameless)), None)
    middle = len(dataset.names) // 2
    if named is None and not _are_words_among_numbers(dataset.variables[middle], dataset.columns[middle]):
        return None
    samples = _samples(dataset, candidates[0] if named is None else named, may_have_words=named is not None)
    if samples is None or (named is None and not _have_rows_of_words(dataset, samples)):
        return None
    if dataset.row_count < _FEWEST_FEATURES and (named is None or 2 * dataset.row_count > len(samples)):
        return None
    place = candidates[0] if named is None else named
    beside = (name for at, name in enumerate(dataset.names) if at != place and at not in set(samples))
    return FeaturesInRows(place, samples, tuple(beside))


def _are_different_names(dataset: Dataset, place: int) -> bool:
    """Tell whether a column holds texts that all differ."""
    if dataset.variables[place].kind is not Kind.NOMINAL:
        return False
    codes = dataset.columns[place]
    return len(np.unique(codes)) == len(codes) and not (codes == MISSING_CODE).any()


def _names_features(variable: Variable, nameless: Collection[str]) -> bool:
    """Tell whether a column is called as features are, or holds names of a data base or of genes."""
    words = {word.casefold() for word in _WORDS.findall(variable.name)}
    words.add("".join(_WORDS.findall(variable.name)).casefold())
    if not words.isdisjoint(_FEATURE_WORDS):
        return True
    says_nothing = variable.name in nameless or variable.name.casefold() in _SAYS_NOTHING
    if says_nothing and _are_symbols(variable.levels):
        return True
    tried = variable.levels[:_COLUMNS_TRIED]
    return 2 * sum(_DATABASE_ID.fullmatch(text) is not None for text in tried) >= len(tried)


def _are_symbols(texts: Sequence[str]) -> bool:
    """Tell whether texts look like symbols of genes: capitals and digits behind several beginnings.

    Numbers of cases have one beginning, or a few, and countries have no digits.
    """
    symbols = [text for text in texts if _SYMBOL.fullmatch(text)]
    stems = Counter(match[0] for text in symbols if (match := _STEM.match(text)))
    with_digits = sum(any(map(str.isdigit, text)) for text in symbols)
    return (
        len(symbols) >= _MOSTLY_SYMBOLS * len(texts)
        and with_digits >= _WITH_DIGITS * len(symbols)
        and len(stems) >= max(_FEWEST_STEMS, len(symbols) // 20)
    )


def _samples(dataset: Dataset, names: int, *, may_have_words: bool) -> tuple[int, ...] | None:
    """Return the columns of numbers with similar names behind a column of names, if there are enough."""
    tried = (_alike_columns(dataset.names, names, form) for form in _FORMS_OF_NAMES)
    samples = next(filter(None, tried), None)
    if samples is None:
        return None
    tried_columns = [*samples[:_COLUMNS_TRIED], samples[-1]]
    most_words = _MOST_ROWS_OF_WORDS if may_have_words else 0
    is_numeric = all(_mostly_numbers(dataset.variables[place], most_words) for place in tried_columns)
    return samples if is_numeric else None


_LETTERS_AND_DIGITS = re.compile(r"[^\W_]")
_LAST_PART = re.compile(r"(?<=[^\W_]{3})[ ._-]+[^ ._-]+$")
_LETTERS = re.compile(r"[^\W\d_]+")
# Words with a number, as case_1 and control_2; numbered alike, as S1 and S2; written alike, as
# TCGA-3C-GJG3 is; or the same but for the last part.
_FORMS_OF_NAMES: tuple[Callable[[str], str], ...] = (
    lambda name: _LETTERS.sub("a", _DIGITS.sub("0", name)) if _DIGITS.search(name) else name,
    lambda name: _DIGITS.sub("0", name),
    lambda name: _LETTERS_AND_DIGITS.sub("x", name) if _DIGITS.search(name) else name,
    lambda name: _LAST_PART.sub("", name),
)


def _alike_columns(names_of: Sequence[str], names: int, form: Callable[[str], str]) -> tuple[int, ...] | None:
    """Return the columns behind one of names that are called alike in some form, if there are enough."""
    behind = range(names + 1, len(names_of))
    stems = {place: form(names_of[place]) for place in behind}
    counts = Counter(stems.values())
    alike = [place for place in behind if counts[stems[place]] > 1]
    are_beside = len(behind) - len(alike) <= _MOST_DESCRIPTIONS and bool(alike)
    if are_beside and alike[-1] - alike[0] == len(alike) - 1 > 0:
        samples = tuple(alike)
    elif len({len(names_of[place]) for place in behind}) == 1:
        samples = tuple(behind)
    else:
        return None
    kinds = len({stems[place] for place in samples})
    if kinds > max(3, len(samples) // 5) and len(samples) < len(behind):
        return None
    return samples if len(samples) >= _FEWEST_SAMPLES else None


def _have_rows_of_words(dataset: Dataset, samples: Sequence[int]) -> bool:
    """Tell whether the same rows hold words in all cases, and few different ones, as labels do."""
    rows: np.ndarray | None = None
    for place in (*samples[:_COLUMNS_TRIED], samples[-1]):
        variable, column = dataset.variables[place], dataset.columns[place]
        if not _are_words_among_numbers(variable, column):
            return False
        are_words = np.array([*(not _is_number(level) for level in variable.levels), False])
        places = np.flatnonzero(are_words[column])
        if rows is not None and not np.array_equal(rows, places):
            return False
        rows = places
    if rows is None or not 0 < len(rows) <= _MOST_ROWS_OF_WORDS:
        return False
    for row in rows.tolist():
        words = {dataset.variables[place].levels[dataset.columns[place][row]] for place in samples}
        if 3 * len(words) > len(samples):
            return False
    return True


def _are_words_among_numbers(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column is text by a few words among many numbers."""
    if variable.kind is not Kind.NOMINAL or 2 * variable.level_count < len(column):
        return False
    words = sum(not _is_number(level) for level in variable.levels)
    return 0 < words <= _MOST_ROWS_OF_WORDS


def _mostly_numbers(variable: Variable, most_words: int) -> bool:
    if variable.kind is Kind.CONTINUOUS:
        return True
    numbers = sum(_is_number(level) for level in variable.levels)
    return numbers >= _SHARE_OF_NUMBERS * variable.level_count or 0 < variable.level_count - numbers <= (
        most_words if numbers > 1 else 0
    )


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


_FEATURES_IN_ROWS = N_(
    "'{first}' seems to name features, and each of {samples} of numbers seems to be a case. If so, turn rows "
    "and columns."
)
_DESCRIBES = N_("{columns} describes the features, and is left out then.")
_DESCRIBE = N_("{columns} describe the features, and are left out then.")
_LEFT_OUT = N_("Left out: {columns}, which describes the features.")
_LEFT_OUT_SEVERAL = N_("Left out: {columns}, which describe the features.")
_MOST_NAMED = 4


def _turned(dataset: Dataset, options: ReadingOptions, place: str) -> Dataset:
    """Make rows of the columns, and columns of the rows, which the first column names."""
    if len(dataset.variables) == 1:
        raise InvalidData(_("a table of one column cannot be turned."), place=place, remedy=_(LEAVE_SHAPE))
    features = features_in_rows(dataset) or FeaturesInRows(0, tuple(range(1, len(dataset.names))))
    check_size(len(features.samples), dataset.row_count, place)
    names = [text_of(cell) or "" for cell in _cells_at(dataset, features.names)]
    samples = [_cells_at(dataset, at) for at in features.samples]
    called = [dataset.names[at] for at in features.samples]
    columns = [GivenColumn(free_name("sample", set(names)), called)]
    columns += [GivenColumn(name, row) for name, row in zip(names, zip(*samples, strict=True), strict=True)]
    table = typed_again(columns, options, place)
    message = _(
        "Rows and columns are swapped: each of {columns} is a row.", columns=counted(len(samples), "column")
    )
    if features.beside:
        left_out = for_count(len(features.beside), _LEFT_OUT, _LEFT_OUT_SEVERAL)
        message = f"{message} {left_out.format(columns=listed(features.beside, _MOST_NAMED))}"
    notes = (*_about_the_table(dataset), Note(RESHAPED, message), *table.issues)
    return Dataset(table.variables, table.columns, dataset.name, notes)


def _cells_at(dataset: Dataset, place: int) -> list[object]:
    return cells_of(dataset.variables[place], dataset.columns[place])


def _about_the_table(dataset: Dataset) -> Iterator[Note]:
    return (note for note in dataset.notes if not note.variable and not note.columns)


_LENGTHS = {
    "h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur 小时 時間": 1 / 24,
    "d day days j jour jours tag tage giorno giorni día días dia dias dag dagen dzień dni 天 日 日目": 1.0,
    "w wk week weeks woche wochen sem semaine semaines semana semanas settimana settimane tydzień tyg "
    "周 週 週間": 7.0,
    "m mo mon mth month months monat monate mois mes meses mese mesi maand miesiąc mies "
    "月 个月 ヶ月 か月": 30.5,
    "y yr yrs year years jahr jahre an ans año años ano anos anno anni jaar rok 年": 365.25,
}
_DAYS = {unit: days for units, days in _LENGTHS.items() for unit in units.split()}
_NUMBERED = (
    "v|visit|visite|visita|vis|t|time|tp|timepoint|wave|welle|vague|ola|onda|fu|besuch|termin|zeitpunkt|"
    "wizyta|pomiar|meting|round|session|messung|访视|回|時点"
)
_FIRST_TIMES = (
    "screening", "baseline", "bl", "basal", "basale", "pre", "pretest", "before", "vor", "vorher", "avant",
    "antes", "prima", "przed", "voor", "до", "前", "治疗前", "治療前", "基线", "基線", "ベースライン",
    "入院", "入院时", "入院時",
    "prä", "prae", "pré", "före", "før", "ennen", "před", "pred", "önce", "öncesi", "initial", "inicial",
    "iniziale", "术前", "術前", "介入前", "eintritt", "entree",
    "admission", "aufnahme", "entrée", "admisión", "ingreso", "admissão", "ricovero", "opname", "przyjęcie",
)  # fmt: skip
_LAST_TIMES = (
    "post", "posttest", "after", "nach", "nachher", "après", "apres", "después", "despues", "depois", "dopo",
    "po", "na", "после", "后", "後", "治疗后", "治療後", "followup", "follow-up",
    "出院", "出院时", "退院", "退院時",
    "pós", "pos", "efter", "etter", "jälkeen", "sonra", "sonrası", "final", "finale", "endpoint",
    "术后", "術後", "介入后", "介入後", "austritt",
    "discharge", "entlassung", "sortie", "alta", "dimissione", "ontslag", "wypis",
)  # fmt: skip
_UNITS = "|".join(_DAYS)
_TIME = re.compile(
    rf"(?:{_NUMBERED}|{_UNITS})\d{{1,3}}|\d{{1,3}}(?:{_UNITS})|{'|'.join(_FIRST_TIMES + _LAST_TIMES)}",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NUMBER = re.compile(r"\d{1,3}")
# Also between a small letter and a time with a capital, as in painWeek4, before a year, and in preBDI.
_PARTS = re.compile(
    r"[\s_.()\[\]]+|(?<=[a-z])(?=[A-Z][a-z]*\d{1,3}$)|(?<=[^\W\d])(?=(?:19|20)\d\d$)"
    r"|(?<=^pre)(?=[A-Z])|(?<=^post)(?=[A-Z])|(?<=[A-Z]{2})(?=(?:pre|post)$)"
)
_FEWEST_NUMBERED = 3
# A letter for each wave, or the letter of waves, rounds, visits or times with a number.
_WAVE = re.compile(r"(?P<wave>[a-z]|[rtvw]\d{1,2})_?(?P<stem>[^\W\d_]{2}\w*)")
# By chance two words differ in their first letter.
_FEWEST_OF_WAVES = 4
# What is shorter is the letter of a group, as in D.D1.
_SHORTEST_WORD = 2
# Of tables with more columns, the names are not looked through.
_MOST_NAMES = 5000


@dataclass(frozen=True, slots=True)
class Visits:
    """Columns of which several are one thing at several times."""

    times: tuple[str, ...]
    columns: dict[str, dict[str, str]]

    @property
    def stems(self) -> tuple[str, ...]:
        """What is measured at these times."""
        return tuple(self.columns)


def visits_of(names: Sequence[str], *, is_told: bool = False) -> Visits | None:
    """Find columns that hold the same at several times, as their names say; None where there are none.

    Where a person says that there are some (`is_told`), one thing with any two times or numbers is enough.

    >>> found = visits_of(["id", "pain_v1", "crp_v1", "pain_v2", "crp_v2", "pain_v3", "crp_v3"])
    >>> found.stems, found.times
    (('pain', 'crp'), ('v1', 'v2', 'v3'))
    """
    parts_of = [(name, [part for part in _PARTS.split(name) if part]) for name in names]
    by_time, by_year, by_number = (_by_stem(parts_of, pattern) for pattern in (_TIME, _YEAR, _NUMBER))
    visits = _common(by_time) or _of_one_thing(by_time)
    if visits is None and by_time:
        # A word says that the numbers beside it are visits, as in pain_baseline, pain_6 and pain_12.
        visits = _common(_merged(by_number, by_time))
        visits = visits if visits and not all(map(str.isdecimal, visits.times)) else None
    if visits is None:
        visits = _common(by_year)
    if visits is None:
        by_wave = _by_wave(names)
        waves = _common(by_wave) or _of_one_thing(by_wave)
        visits = waves if waves is not None and _are_waves(waves, names) else None
    if visits is None:
        numbered = _common(by_number)
        visits = numbered if numbered is not None and (is_told or _are_visits(numbered, names)) else None
    if visits is None and is_told:
        visits = next(filter(None, map(_all_several, (by_time, by_year, by_number))), None)
    return visits


_ByStem = dict[str, dict[str, str]]


def _by_stem(parts_of: Sequence[tuple[str, list[str]]], pattern: re.Pattern[str]) -> _ByStem:
    """Return the names of columns by what is measured and when; a time is written last, or first."""
    columns: _ByStem = defaultdict(dict)
    for name, parts in parts_of:
        for length in (2, 1) if pattern is _TIME else (1,):
            if len(parts) <= length:
                continue
            ends = ((parts[:-length], parts[-length:]), (parts[length:], parts[:length]))
            split = next((end for end in ends if pattern.fullmatch("".join(end[1]))), None)
            if split is not None:
                columns["_".join(split[0])].setdefault("_".join(split[1]), name)
                break
    return columns


def _by_wave(names: Sequence[str]) -> _ByStem:
    """Return the names of columns that begin with the letter or number of a wave, as panels have them."""
    columns: _ByStem = defaultdict(dict)
    for name in names:
        if match := _WAVE.fullmatch(name):
            columns[match["stem"]].setdefault(match["wave"], name)
    return columns


def _are_waves(waves: Visits, names: Sequence[str]) -> bool:
    """Tell whether waves are counted from a or 1 on, and each has the same columns in the same order."""
    numbers = [int(wave[1:]) if wave[1:] else ord(wave) - ord("a") + 1 for wave in waves.times]
    whole = [stem for stem, columns in waves.columns.items() if len(columns) == len(numbers)]
    if numbers != list(range(1, len(numbers) + 1)) or len(numbers) + len(whole) < _FEWEST_OF_WAVES:
        return False
    if len({wave[0] for wave in waves.times}) != (1 if waves.times[0][1:] else len(numbers)):
        return False
    place_of = {name: place for place, name in enumerate(names)}
    orders = {
        tuple(sorted(whole, key=lambda stem: place_of[waves.columns[stem][wave]])) for wave in waves.times
    }
    return len(orders) == 1


def _merged(left: _ByStem, right: _ByStem) -> _ByStem:
    return {stem: left.get(stem, {}) | right.get(stem, {}) for stem in dict.fromkeys((*right, *left))}


def _common(columns: _ByStem) -> Visits | None:
    """Return what several columns have at the same times; None where no two do."""
    times_of = {stem: frozenset(times) for stem, times in columns.items()}
    counts = Counter(times for times in times_of.values() if len(times) > 1)
    shared = (times for times, count in counts.items() if count > 1)
    most = max(shared, key=lambda times: (len(times), sorted(times)), default=None)
    if most is None:
        return None
    # What was measured at some of these visits alone belongs to them too.
    kept = {stem: columns[stem] for stem, times in times_of.items() if len(times) > 1 and times <= most}
    return Visits(tuple(sorted(most, key=_when)), kept)


def _all_several(columns: _ByStem) -> Visits | None:
    """Return all that stands in several columns, and all of its times."""
    several = {stem: times for stem, times in columns.items() if len(times) > 1}
    times = {time for names in several.values() for time in names}
    return Visits(tuple(sorted(times, key=_when)), several) if several else None


def _of_one_thing(columns: _ByStem) -> Visits | None:
    """Return the times of the only thing that is measured several times, where words say that these are."""
    visits = _all_several(columns)
    if visits is None or len(visits.stems) > 1 or len(visits.stems[0]) < _SHORTEST_WORD:
        return None
    is_clear = len(visits.times) >= _FEWEST_NUMBERED or _when(visits.times[0])[0] < 0
    return visits if is_clear else None


def _are_visits(numbered: Visits, names: Sequence[str]) -> bool:
    """Tell whether numbers at the end of names count visits, and not items or readings of one visit."""
    numbers = sorted(map(int, numbered.times))
    if len(numbers) < _FEWEST_NUMBERED or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return False
    words = {_DIGITS.sub("", stem) for stem in numbered.stems}
    if numbers[0] > 1 or len(words) < len(numbered.stems) or max(map(len, words)) < 2:
        return False
    place_of = {name: place for place, name in enumerate(names)}
    order = sorted(
        (place_of[name], int(time)) for column in numbered.columns.values() for time, name in column.items()
    )
    visits = [visit for _, visit in order]
    return visits == sorted(visits)


def _when(time: str) -> tuple[int, float, str]:
    """Order visits by when they are: what comes before all others, lengths of time, what comes last."""
    plain = time.casefold().replace("_", "")
    if plain in _FIRST_TIMES:
        return -1, _FIRST_TIMES.index(plain), ""
    if plain in _LAST_TIMES:
        return 1, _LAST_TIMES.index(plain), ""
    number = _DIGITS.search(plain)
    days = _DAYS.get(_DIGITS.sub("", plain), 1.0)
    return 0, days * int(number[0]) if number else 0, plain


def _visits_below(dataset: Dataset, options: ReadingOptions, place: str) -> Dataset:
    """Make a row of each visit, with what does not change in every row of a case."""
    visits = visits_of(dataset.names, is_told=True)
    if visits is None:
        raise InvalidData(
            _("no columns hold the same at several visits."), place=place, remedy=_(LEAVE_SHAPE)
        )
    pairs = dict(zip(dataset.names, zip(dataset.variables, dataset.columns, strict=True), strict=True))
    empty: list[object] = [None] * dataset.row_count
    measured = {
        stem: [cells_of(*pairs[names[time]]) if time in names else empty for time in visits.times]
        for stem, names in visits.columns.items()
    }
    rows = [
        (case, visit)
        for case in range(dataset.row_count)
        for visit in range(len(visits.times))
        if any(times[visit][case] is not None for times in measured.values())
    ]
    if not rows:
        raise InvalidData(_("all visits are empty."), place=place, remedy=_(LEAVE_SHAPE))
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
    table = typed_again(given, options, place)
    message = _(
        "Each visit is a row: {rows} of {cases}.",
        rows=counted(len(rows), "row"),
        cases=counted(dataset.row_count, "case"),
    )
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
        (*_about_the_table(dataset), Note(RESHAPED, message), *about, *table.issues),
    )


def _names_cases(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column is an identifier that differs in every row."""
    return is_identifier_name(variable.name) and len(np.unique(column)) == len(column)
