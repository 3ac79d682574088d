"""Columns that name rows or persons, such as numbers of patients: known by their names and by their values.

The words are those of ten languages. A name alone decides nothing: a column that measures may be called so.
An identifier that repeats says which rows are of one person.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from functools import lru_cache

import numpy as np

from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable, missing_mask
from engine.wording.notes import Note
from engine.wording.numbers import count_text, counted

# Whole names and parts of names that say by themselves that something is named.
_SAY_SO = frozenset(
    """
    id ids idx uid uuid guid pid eid iid fid sid mrn ssn nhs cpf nif dni nie pesel bsn emr ehr identifier
    identification identity identifikation identifikator identifikationsnummer kennung kennnummer
    kennziffer ident identifiant matricule identificador identificacion identificativo identificacao
    identyfikator identificatie idno idnr idnum subjid usubjid patid ptid caseid rowid recordid uniqueid
    barcode accession seqn pidp matrikelnummer aktenzeichen fallnummer patientennummer probandennummer
    personennummer versichertennummer persoonsnummer patientnummer dossiernummer rownames rowname
    """.split()  # noqa: SIM905
)
# Whole names that do, unless they stand beside other words.
_PERSON = frozenset(
    """
    participant participants respondent subject subj patient person proband respondentnr teilnehmer
    teilnehmerin patientin versuchsperson vp pat participante sujeto paciente encuestado soggetto paziente
    partecipante rispondente repondant sujet sujeito inquirido deelnemer proefpersoon respondente uczestnik
    pacjent respondenci badany osoba
    """.split()  # noqa: SIM905
)
# Likewise of rows, where all values differ.
_ROW = frozenset(
    """
    index row rows no nr number num record key rownr rowno case caseno fall cas caso nummer numero lfd lp
    """.split()  # noqa: SIM905
)
# Words for a number that is one of somebody or something.
_NUMBER = frozenset("no nr num number nummer numero numer n code codice key nro serial".split())  # noqa: SIM905
# Where somebody can be reached.
_CONTACT = frozenset(
    "phone telephone telefon telefono telefone telefoon handy mobile email mail courriel".split()  # noqa: SIM905
)
# How many there are, and not which one.
_COUNTED = frozenset("of von der".split())  # noqa: SIM905
_OF_WHOM = frozenset(
    """
    unique patient pat pt subject subj sub sbj participant part person case respondent resp record rec row
    study sample specimen hospital admission medical chart file member client customer student pupil child
    animal mouse household hh family survey interview questionnaire form response sequence serial account
    passport insurance phone proband fall teilnehmer versuchsperson vp personen patienten probanden
    schueler kind fragebogen studien proben haushalt akten versicherten laufende lfd sujet dossier malade
    enquete menage eleve ordre sujeto paciente caso expediente encuesta historia hogar muestra orden
    soggetto paziente cartella cartelle questionario campione ordine sujeito processo prontuario inquerito
    amostra ordem deelnemer proefpersoon respondent huishouden monster volg uczestnik uczestnika pacjent
    pacjenta badanego osoby ankiety probki
    """.split()  # noqa: SIM905
)
_OF_EAST_ASIA = re.compile(
    "番号|編号|编号|編號|識別|识别|病历号|病歷號|住院号|门诊号|身份证|证件号|电话|電話|手机号|学号|工号|序号|卡号|"
    "受試者|受试者|被験者|氏名|姓名|社員|个案号|ID"
)
_ACCENTS = re.compile("[\u0300-\u036f]")
_NOT_WORDS = re.compile(r"[\W_]+")
_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])")
_NUMBER_GLUED = re.compile(r"^(.+?)s?(?:id|ids|nr|no|num|number|nummer|numero|code)$")

REPEATING_IDENTIFIER = "repeating-identifier"
"""Topic of the note that says by which identifier rows were grouped."""

# Fewer persons are a category of a few levels, or too few groups to tell anything.
_FEWEST_PERSONS = 10
# On average there are as many rows of a person; of a ward or a town there are more.
_FEWEST_ROWS, _MOST_ROWS = 1.1, 50.0
# Kolmogorov's statistic of numbers that were drawn evenly from a range is above this in one of 50 columns.
_MOST_UNEVEN = 1.52
# Half of their range lies between their quartiles; of what is measured it is less.
_LEAST_BETWEEN_QUARTILES = 0.4
_FEWEST_TO_BE_EVEN = 20
# Most numbers of persons follow one another, save for those who dropped out.
_SHARE_OF_NEXT = 0.8
# Numbers that were drawn, as those of records, have that many digits and fill the range that these allow.
_FEWEST_DIGITS = 5
_SHARE_OF_RANGE = 0.8
# Most numbers are seen in so many rows not to be whole.
_FIRST_ROWS = 100
# The largest number up to which all whole numbers are told apart.
_MOST = 2.0**53


@lru_cache(maxsize=4096)
def is_identifier_name(name: str) -> bool:
    """Tell whether a column's name says that its values name rows, persons or records.

    Parameters
    ----------
    name : str

    Examples
    --------
    >>> [is_identifier_name(name) for name in ("patient_id", "MRN", "PatNr", "caseid", "受试者编号")]
    [True, True, True, True, True]
    >>> [is_identifier_name(name) for name in ("covid", "valid", "number of children", "patient age")]
    [False, False, False, False]
    """
    if _OF_EAST_ASIA.search(name):
        return True
    words = _words(name)
    if not words:
        return False
    if not _SAY_SO.isdisjoint(words) or "".join(words) in _SAY_SO | _PERSON | _ROW:
        return True
    if not _COUNTED.isdisjoint(words):
        return False
    if words[-1] in _CONTACT or (words[0] in _CONTACT and words[-1] in _NUMBER):
        return True
    if len(words) > 1 and not _NUMBER.isdisjoint((words[0], words[-1])):
        others = {word.removesuffix("s") for word in words} - _NUMBER
        return len(words) <= _MOST_WORDS and not others.isdisjoint(_OF_WHOM)
    glued = _NUMBER_GLUED.match(words[-1])
    return glued is not None and glued[1] in _OF_WHOM | _PERSON


_MOST_WORDS = 3


def _words(name: str) -> list[str]:
    """Take a name apart into words of small letters without accents."""
    text = _BETWEEN_WORDS.sub(" ", name.strip()).casefold()
    text = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
    return [word for word in _NOT_WORDS.split(text) if word]


def repeating_identifier(dataset: Dataset) -> str | None:
    """Return the feature that names persons of whom there are several rows; None where there is none.

    It is called as identifiers are, holds texts or whole numbers, and most of its values stand in a few rows.

    Parameters
    ----------
    dataset : Dataset

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"patient_id": [4711 + row // 3 for row in range(60)], "age": range(60)})
    >>> repeating_identifier(Dataset.from_frame(frame))
    'patient_id'
    """
    pairs = zip(dataset.variables, dataset.columns, strict=True)
    return next((each.name for each, column in pairs if is_repeating_identifier(each, column)), None)


def is_repeating_identifier(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column is a feature that names persons of whom there are several rows."""
    if variable.role is not Role.FEATURE or not is_identifier_name(variable.name):
        return False
    if "".join(_words(variable.name)) in _ROW or missing_mask(variable, column).any():
        return False
    if variable.kind is Kind.CONTINUOUS and not are_whole_numbers(column):
        return False
    different = len(np.unique(column))
    return different >= _FEWEST_PERSONS and _FEWEST_ROWS <= len(column) / different <= _MOST_ROWS


def grouped_by_identifier(dataset: Dataset) -> Dataset:
    """Group the rows that have one value of an identifier, and say so first.

    Parameters
    ----------
    dataset : Dataset
        As it was read, before a person said what the columns are for.

    Returns
    -------
    Dataset
        As given where groups are chosen, or no identifier repeats.
    """
    name = None if dataset.groups is not None else repeating_identifier(dataset)
    if name is None:
        return dataset
    different = len(np.unique(dataset.column(name)))
    note = Note(
        REPEATING_IDENTIFIER,
        f"'{name}' is no feature: it has {count_text(different)} different values in "
        f"{counted(dataset.row_count, 'row')}, as an identifier. Rows with one value are grouped, as several "
        "rows of one person are not independent.",
        name,
    )
    grouped = dataset.with_roles({name: Role.GROUPS})
    return replace(grouped, notes=(note, *grouped.notes))


def are_whole_numbers(present: np.ndarray) -> bool:
    """Tell whether numbers, none of them missing, are all whole."""
    return all(bool((some == np.floor(some)).all()) for some in (present[:_FIRST_ROWS], present))


def number_rows(present: np.ndarray) -> bool:
    """Tell whether whole numbers that all differ number rows or records, by how they follow one another.

    What is measured is spread otherwise: many near the middle and few far from it, with gaps.

    Parameters
    ----------
    present : ndarray of shape (rows,)
        None of them missing, in the order of the rows.

    Examples
    --------
    >>> number_rows(np.array([12.0, 11, 13, 15, 14, 16, 18, 17, 19, 10]))
    True
    >>> number_rows(np.array([212.0, 180, 341, 255, 248, 199, 230, 301, 265, 224]))
    False
    """
    ascending = np.sort(present)
    gaps = np.diff(ascending)
    if not len(gaps) or gaps[0] == 0 or (gaps == 0).any() or ascending[-1] - ascending[0] > _MOST:
        return False
    follow = float((gaps == 1).mean())
    are_in_order = is_in_order(present)
    if follow >= _SHARE_OF_NEXT or (are_in_order and bool((gaps == gaps[0]).all())):
        return True
    if len(present) < _FEWEST_TO_BE_EVEN or not _is_even(ascending):
        return False
    digits = np.floor(np.log10(ascending[[0, -1]])) if ascending[0] > 0 else np.array([0.0, 1.0])
    are_drawn = (
        digits[0] == digits[1] >= _FEWEST_DIGITS - 1
        and ascending[-1] - ascending[0] >= _SHARE_OF_RANGE * 9.0 * 10.0 ** digits[0]
    )
    return are_in_order or bool(are_drawn)


def is_in_order(present: np.ndarray) -> bool:
    """Tell whether numbers rise, or fall, from each row to the next."""
    steps = np.diff(present)
    return bool((steps > 0).all() or (steps < 0).all())


def _is_even(ascending: np.ndarray) -> bool:
    """Tell whether numbers are spread evenly over their range."""
    lower, upper = np.quantile(ascending, (0.25, 0.75))
    if upper - lower < _LEAST_BETWEEN_QUARTILES * (ascending[-1] - ascending[0]):
        return False
    count = len(ascending)
    shares = (ascending - ascending[0]) / (ascending[-1] - ascending[0])
    distance = np.abs(shares - np.arange(count) / (count - 1)).max()
    return bool(distance * np.sqrt(count) <= _MOST_UNEVEN)
