"""Whole numbers that may be codes of kinds, such as countries 1 to 12: asked about, never decided."""

from __future__ import annotations

import re

import numpy as np

from engine.table.column_kinds import counts_something
from engine.table.variable import Kind, Variable
from engine.wording.notes import Note

NOMINAL_CODES = "nominal-codes"
"""Topic of the notes about numbers that may be codes of kinds."""

_FEWEST, _MOST = 5, 60
_LARGEST_GAP_SEARCHED = 60
_ROWS_PER_CODE = 3
_FIRST_ROWS = 100
# With so many rows on both sides, a value that never occurs is no chance.
_ROWS_BESIDE_GAP = 15
_FEWEST_INSIDE = 6
_ROUGH = 3.5

# English, German, French, Spanish, Italian, Portuguese, Dutch, Polish.
_NAMES = """
isco isic nace icd soc naics ward occupation job profession industry sector country nation nationality
state province county district municipality city town region religion denomination language ethnicity
ethnic race department dept faculty school university hospital clinic center centre site provider
physician surgeon interviewer marital maritalstatus employer brand product variety cultivar strain
species genus breed party haplotype genotype blood bloodtype zip zipcode postcode beruf berufsgruppe
branche land staat bundesland kreis gemeinde stadt konfession sprache abteilung station klinik
krankenhaus schule familienstand partei sorte nationalität staatsangehörigkeit blutgruppe métier emploi
pays nationalité département commune ville langue service hôpital école ocupación profesión país
nacionalidad provincia municipio ciudad idioma servicio escuela religión professione lavoro paese
nazione nazionalità comune città lingua reparto ospedale scuola religione ocupação profissão
nacionalidade município cidade língua serviço escola religião estado beroep provincie gemeente stad taal
afdeling ziekenhuis godsdienst nationaliteit zawód kraj województwo powiat gmina miasto język oddział
szpital szkoła wyznanie narodowość
"""
_KINDS = frozenset(_NAMES.split())
# What is learned, earned and measured is more or less, whatever its numbers look like.
_QUANTITIES = """
education edu ed schooling experience exper exp tenure grade gpa score points income wage wages salary
earnings price cost mpg mileage speed distance dist weight wt height ht population pop rate index temp
temperature age rank rating bildungsjahre schuljahre alter einkommen gehalt gewicht größe preis note punkte
revenu salaire poids taille âge prix scolarité edad ingresos salario peso altura precio escolaridad età
reddito stipendio prezzo istruzione idade renda preço leeftijd inkomen gewicht lengte prijs opleiding wiek
dochód waga wzrost cena wykształcenie
"""
_MEASURES = frozenset(_QUANTITIES.split())
_YEARS_OF_EDUCATION = "educ"
_IN_EAST_ASIA = re.compile(
    "职业|職業|国家|国籍|国名|省份|城市|民族|宗教|语言|言語|科室|病棟|病院|医院|都道府県|地域|地区|学校|婚姻|配偶|品种|品種|血液型"
)
_WORD = re.compile(r"[A-ZÄÖÜÉÈÀŁŚŻ]?[^\W\d_A-Z]+|[A-Z]+")


def named_as_kinds(name: str) -> bool:
    """Tell whether a name says that numbers are codes of kinds, in one of ten languages.

    Examples
    --------
    >>> [named_as_kinds(name) for name in ("ISCO", "birthCountry", "Beruf_2", "職業", "age", "countryside")]
    [True, True, True, True, False, False]
    """
    words = [word.casefold() for word in _WORD.findall(name)]
    return any(word in _KINDS for word in words) or bool(_IN_EAST_ASIA.search(name))


def _measures(name: str) -> bool:
    """Tell whether a name says that numbers measure something, wherever or of whom that is."""
    words = [word.casefold() for word in _WORD.findall(name)]
    return any(word in _MEASURES or word.startswith(_YEARS_OF_EDUCATION) for word in words)


def note_on_nominal_codes(variable: Variable, values: np.ndarray) -> Note | None:
    """Say that numbers may be codes of kinds; None where nothing speaks for it.

    Their name, numbers that are left out between frequent ones, and counts without any order speak for it.
    """
    if variable.kind is not Kind.CONTINUOUS:
        return None
    beginning = values[:_FIRST_ROWS].tolist()
    if any(value % 1 != 0 for value in beginning if value == value) or len(set(beginning)) > _MOST:
        return None
    present = values[~np.isnan(values)]
    distinct, counts = np.unique(present, return_counts=True)
    if not _FEWEST <= len(distinct) <= _MOST or len(present) < _ROWS_PER_CODE * len(distinct):
        return None
    if (distinct % 1 != 0).any() or distinct[0] < 0 or counts_something(variable.name):
        return None
    if _measures(variable.name):
        return None
    # None is what most people have of what can be counted.
    is_counted = distinct[0] == 0 and counts.argmax() == 0
    if named_as_kinds(variable.name):
        why = _BY_NAME
    elif is_counted:
        return None
    elif distinct[-1] <= _LARGEST_GAP_SEARCHED and _leaves_out(distinct, counts):
        why = _BY_GAP
    elif _are_without_order(distinct, counts):
        why = _BY_COUNTS
    else:
        return None
    message = _MAY_BE_CODES.format(
        name=variable.name,
        count=len(distinct),
        low=f"{distinct[0]:.0f}",
        high=f"{distinct[-1]:.0f}",
        why=why,
    )
    return Note(NOMINAL_CODES, message, variable.name)


def _leaves_out(distinct: np.ndarray, counts: np.ndarray) -> bool:
    """Tell whether a few whole numbers are left out here and there between frequent ones.

    Where the last numbers of a quantity become rare, one may be missing by chance.
    """
    steps = np.diff(distinct)
    if np.gcd.reduce(steps.astype(np.int64)) > 1 or 3 * len(distinct) < 2 * (distinct[-1] - distinct[0] + 1):
        return False
    gaps = np.flatnonzero(steps > 1)
    least = max(_ROWS_BESIDE_GAP, np.median(counts) / 2)
    return any(min(counts[gap], counts[gap + 1]) >= least for gap in gaps.tolist())


def _are_without_order(distinct: np.ndarray, counts: np.ndarray) -> bool:
    """Tell whether counts jump from nearly each number to the next, as those of no quantity do."""
    if distinct[-1] - distinct[0] != len(distinct) - 1 or len(distinct) < _FEWEST_INSIDE + 2:
        return False
    between = (counts[:-2] + counts[2:]) / 2
    jumps = np.abs(counts[1:-1] - between) / np.sqrt(counts[1:-1] + between / 2 + 1)
    return bool(np.median(jumps) >= _ROUGH)


_BY_NAME = "as its name suggests"
_BY_GAP = "as some numbers between frequent ones never occur"
_BY_COUNTS = "as their counts follow no order"
_MAY_BE_CODES = (
    "'{name}' holds {count} whole numbers from {low} to {high} and stays a number. "
    "They may be codes of kinds, {why}. If so, read it as categories."
)
