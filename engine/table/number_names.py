"""What the name of a column says of its numbers: that they count, measure, have an order, or are kinds."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum
from functools import lru_cache


class NumberMeaning(Enum):
    """What numbers are by a word of their name: of kinds by its head, else by the last word that says it."""

    UNORDERED_CODES = re.compile(
        "arm|category|cat|center|centre|class|code|cluster|diagnosis|ethnicity|gender|group|grp|kind|race"
        "|region|sex|site|species|status|treatment|trt|type"
    )
    ORDERED_CODES = re.compile("asa|ecog|grade|nyha|phase|severity|stage|tier")
    COUNTS = re.compile(
        "ages?|amount|children|cnt|counts?|days?|dose|freq|frequency|hours?|how|length|minutes|months?|nr"
        "|num|number|siblings|size|sum|times|total|visits|weeks?|years?|yrs?"
    )


# What is learned, earned and measured is more or less, whatever its numbers look like.
_QUANTITIES = """
education edu ed schooling experience exper exp tenure grade gpa score points income wage wages salary
earnings price cost costs mpg mileage speed distance dist weight wt height ht population pop rate index temp
temperature age rank rating health satisfaction beds density gdp bildungsjahre schuljahre alter einkommen
gehalt gewicht größe preis note punkte zufriedenheit gesundheit entfernung revenu salaire poids taille âge
prix scolarité santé bmi risk edad
ingresos salario peso altura precio escolaridad salud età reddito stipendio prezzo
istruzione salute idade renda preço saúde leeftijd inkomen gewicht lengte prijs opleiding wiek dochód waga
wzrost cena wykształcenie zdrowie
"""
_YEARS_OF_EDUCATION = "educ"
# Behind another word for kinds, these are what the name is about: a score of moods of some kind.
_SCALES = re.compile("scores?|points|rating|index|scale|rate")
# Of what is measured or counted, these are bands, which have an order.
_BANDS = re.compile("cat|category|class|group|grp")
# These are bands of nothing.
_GROUPS_OF_PEOPLE = frozenset({"population", "pop"})

# English, German, Dutch: the last word says what it is, as in birth country.
_KINDS_LAST = """
isco isic nace icd soc naics ward occupation occ job profession industry sector country nation nationality
state province county district municipality city town region religion denomination confession language
ethnicity ethnic race citizenship department dept faculty school university hospital clinic center centre site
provider physician doctor surgeon interviewer examiner marital maritalstatus employer employment insurance
insurer brand manufacturer product variety cultivar strain species genus breed party haplotype genotype blood
bloodtype bloodgroup tissue organ zip zipcode postcode colour color eyecolour eyecolor haircolour haircolor
batch drg reason cause mode method source location birthplace csp uf plz postleitzahl
rhesus blodgrupp blodgruppe blodtype vércsoport veriryhmä
beruf berufsgruppe branche land staat bundesland kreis landkreis gemeinde stadt bezirk standort
konfession sprache muttersprache abteilung station klinik krankenhaus schule familienstand partei sorte
nationalität staatsangehörigkeit staatsbürgerschaft blutgruppe krankenkasse krankenversicherung versicherung
arbeitgeber arzt gewebe augenfarbe haarfarbe farbe marke hersteller herkunft erwerbsstatus tätigkeit
grund ursache wohnort geburtsort unfallort verkehrsmittel reden oorzaak
beschäftigung beroep provincie gemeente stad taal afdeling ziekenhuis godsdienst nationaliteit regio geloof
werkgever verzekering zorgverzekeraar huisarts bloedgroep weefsel kleur merk
marstat civstat civilstatus civilstand zivilstand siviilisääty civil civile cywilny сословие
geschlecht geslacht sexe sexo sesso płeć пол pohlaví kön køn kjønn sukupuoli cinsiyet
lot lote lotto lotnr partij partia partita šarže серия rasse ras plemeno rotu ethnizität etniciteit etnicita
etnicidad etnicidade etniczność etnicitet stadtteil ortsteil stadsdeel wijk arrondissement osiedle kommun
kommune kunta kaupunginosa obec ilçe mahalle strain stamm szczep souche cepa ceppo
woj voivodeship prowincja bölge kanton prefecture präfektur insee fips psu raca
einrichtung einrichtungen institution institut instelling instytucja zakład placówka facility cnes kurum
studienzentrum prüfzentrum zentrum centrum ośrodek merkez strata stratum schicht warstwa klumpen tabaka
cluster gminy powiatu herkomst afkomst menşe
"""
# A bed or room has a number; without a word for it, the name may count or measure, as of a house or a car.
_NUMBERED = """
bed bett lit cama letto leito łóżko łóżka lůžko lůžka seng säng yatak койка койки кровать
room zimmer kamer pokój pokoju pokoj rum chambre habitación stanza quarto
"""
# Alone, or beside a word for countries or peoples.
_ORIGINS = """
origin origine origen origem herkunft pochodzenie původ происхождение ursprung ursprungsland pochodzenia
"""
# Alone these are kinds, too; with an age or the like beside them they are bands, which have an order.
_GROUPS_ALONE = """
gruppe groupe grupo gruppo groep grupa группа skupina ryhmä grupp csoport subgroup untergruppe subgrupo
sottogruppo subgroep podgrupa ugrupowanie studiengruppe versuchsgruppe behandlungsgruppe behandlungsarm
studienarm bras braccio brazo braço rameau grup grubu
"""
# Beside a word for a group or a type these are kinds: by blood, ethnic, of a profession.
_GROUPED_BY = """
blood sanguin sanguine sanguigno sanguigna sanguíneo sanguínea krwi крови kan krevní blod veri
ethnic ethnique etnico étnico etnica étnica etniczna etnik etnická этническая professionnel professionnelle
profesional professionale profissional zawodowa профессиональная occupational
"""
_TYPES = "type typ tipo tip тип"
_COMPOUNDS = """
abteilung beruf krankenkasse versicherung blutgruppe klinik sland angehörigkeit sprache farbe konfession
gewebe verzekering nationaliteit afdeling ziekenhuis ursache grund
"""
# French, Spanish, Italian, Portuguese: the first word does, alone, before an adjective or a preposition.
_KINDS_FIRST = """
métier emploi profession pays nationalité département commune ville région langue service hôpital école
religion confession employeur assurance mutuelle médecin tissu couleur marque ethnie espèce variété quartier
canton secteur clinique motif raison cause mode moyen méthode source ocupación profesión país nacionalidad
provincia municipio ciudad región idioma lengua servicio hospital escuela religión empleo empleador seguro
aseguradora médico zona barrio comuna etnia raza tejido color marca especie variedad clínica departamento
distrito entidad alcaldía motivo razón causa modo método fuente
professione lavoro occupazione paese nazione nazionalità comune
città lingua reparto ospedale scuola religione regione assicurazione medico tessuto colore razza specie
varietà quartiere clinica settore ragione fonte mezzo ocupação profissão nacionalidade município cidade língua
serviço escola religião estado comunidad convênio convenio região emprego empregador tecido cor raça espécie
bairro setor freguesia razão centro institución instituto istituto instituição établissement estabelecimento
etablissement établissements strate estrato strato oblast oddział servizio
"""
_ADJECTIVE = re.compile(
    r"\w+(?:al|ale|aux|el|elle|ique|ic[oa]|ari[oa]|aire|iv[oa]|ive|if|ile|il|ienne|ien|ad[oa]|at[oa]|ee|ense|ese|ant|ante|ier|iere)"
)
_OF_ORIGIN = """
naissance origine résidence domicile nacimiento origen residencia domicilio nascita residenza nascimento
origem residência urodzenia zamieszkania mère père madre padre mãe pai
"""
# Polish, Russian: the first word does, and what follows may be a noun in the genitive.
_KINDS_FIRST_OF_SLAVS = """
zawód kraj województwo powiat gmina miasto język oddział szpital szkoła wyznanie narodowość religia
pracodawca ubezpieczenie lekarz tkanka kolor rasa gatunek odmiana zatrudnienie dzielnica przyczyna powód
sposób źródło профессия должность страна гражданство национальность область регион район город язык отделение
больница клиника школа религия работодатель врач ткань цвет порода причина способ источник
"""
_EAST_ASIAN_KIND = re.compile(
    "(?:性别|性別|성별|亚组|亞組|分组|組別|组别|批次|职业|職業|職種|国家|国籍|国名|省份|城市|民族|宗教|语言|言語|科室|診療科|病棟|病院|医院|医生|医師|都道府県"
    "|地域|地区|区域|学校|婚姻|婚姻状况|配偶|品种|品種|血液型|血型|颜色|瞳の色|髪の色|雇主|勤務先|保険|保险|保險"
    "|床号|ベッド番号|施設|医疗机构|卫生院|機関|籍贯|出身地|出身国|人種|种族|種族|分层|層|层|省|県|組織|组织|行业|業種|原因|死因|理由|方式|来源|手段)(?:代码|编码|编号|コード|番号|区分|类别|种类|種類)?[\\W\\d_]*$"
)
# They add nothing to what a word before them says.
_BESIDE_KINDS = """
code codes coded cd id ids no nr nummer number key recode recoded cat category group grp class type kind new
old area baseline current present first last main primary previous other birth origin residence father mother
parent parents partner spouse home admission discharge vater mutter eltern cod codigo kod kód kodu numéro
numero número numer číslo nro nº num
"""
_NUMBER_WORDS = "nr nummer no number num numéro numero número numer číslo id code nº kod cod #"
_GLUED_NUMBER = re.compile(r"(?P<stem>\w{3,}?)s?(?:nr|nummer|nummern|code|kod)")
_PREPOSITION = re.compile(
    "of|de|du|des|di|del|della|da|do|dos|von|der|für|van|voor|op|in|on|at|to|per|since|from|until|for|by|por"
)
_WORD = re.compile(r"[^\W\d_a-z]?[^\W\d_A-Z]+|[A-Z]+|#")


_ACCENTS = re.compile("[\u0300-\u036f]")


def plain_text(text: str) -> str:
    """Write a text in small letters without accents, which are often left out in names of columns."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l"))
    return unicodedata.normalize("NFC", _ACCENTS.sub("", parts))


def _words(text: str) -> frozenset[str]:
    return frozenset(plain_text(text).split())


_MEASURES, _LAST, _FIRST, _FIRST_OF_SLAVS = map(
    _words, (_QUANTITIES, _KINDS_LAST, _KINDS_FIRST, _KINDS_FIRST_OF_SLAVS)
)
_NEUTRAL, _ORIGIN = map(_words, (_BESIDE_KINDS, _OF_ORIGIN))
_ALONE, _BY, _TYPE = map(_words, (_GROUPS_ALONE, _GROUPED_BY, _TYPES))
_BEDS, _NUMBERS, _ALL_ORIGINS = map(_words, (_NUMBERED, _NUMBER_WORDS, _ORIGINS))
_OF_KINDS = _ALONE | _LAST | _FIRST | _FIRST_OF_SLAVS
_ENDS = tuple(plain_text(_COMPOUNDS).split())


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name, without digits and accents.

    >>> words_of("birthCountry_2"), words_of("Métier actuel")
    (('birth', 'country'), ('metier', 'actuel'))
    """
    if name.isascii():
        return tuple(map(str.lower, _WORD.findall(name)))
    return tuple(map(plain_text, _WORD.findall(unicodedata.normalize("NFC", name))))


# When something was measured, before what it is: 4 hours after surgery, on day 7.
_WHEN = re.compile(
    r"(?:\d+[\W_]*(?:hour|hr|minute|min|day|week|month|year)s?|(?:hour|day|week|month|year)[\W_]*\d+)"
    r"(?=[\W_]*[^\W\d_]{2})",
    re.IGNORECASE,
)


def meaning_of(name: str) -> NumberMeaning | None:
    """Find out what a name says of its numbers: by its head whether they are kinds, else by its last word.

    When something was measured says nothing of what it is.

    >>> meaning_of("vital_status"), meaning_of("n_wards"), meaning_of("status_anxiety")
    (<NumberMeaning.UNORDERED_CODES: ...>, <NumberMeaning.COUNTS: ...>, None)
    >>> meaning_of("postOp4hour_cough"), meaning_of("falls_12_months")
    (None, <NumberMeaning.COUNTS: ...>)
    """
    return _meaning_of(words_of(_WHEN.sub(" ", name)))


@lru_cache(maxsize=4096)
def _meaning_of(words: tuple[str, ...]) -> NumberMeaning | None:
    head = next((word for word in reversed(_naming(words)) if not _adds_nothing(word)), "")
    if NumberMeaning.UNORDERED_CODES.value.fullmatch(head) and not _SCALES.fullmatch(words[-1]):
        is_band = _BANDS.fullmatch(head) and any(map(_is_in_order, words))
        return NumberMeaning.ORDERED_CODES if is_band else NumberMeaning.UNORDERED_CODES
    for word in reversed(words):
        for meaning in (NumberMeaning.ORDERED_CODES, NumberMeaning.COUNTS):
            if meaning.value.fullmatch(word):
                return meaning
    return NumberMeaning.COUNTS if words and words[0] in ("n", "#") else None


def _naming(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name before the first preposition, behind which stands what belongs to it."""
    place = next((at for at, word in enumerate(words) if at and _PREPOSITION.fullmatch(word)), None)
    return words[:place]


def _adds_nothing(word: str) -> bool:
    """Tell whether a word behind the head is a letter, a participle or another that leaves it what it is."""
    is_code = NumberMeaning.UNORDERED_CODES.value.fullmatch(word) is not None
    return len(word) == 1 or (word in _NEUTRAL and not is_code) or _is_participle(word)


def _is_participle(word: str) -> bool:
    return len(word) >= _SHORTEST_PARTICIPLE and word.endswith("ed") and not word.endswith("eed")


_SHORTEST_PARTICIPLE = 5


def _is_in_order(word: str) -> bool:
    """Tell whether a word says what is measured, counted or ordered, so that bands of it have an order."""
    says_order = NumberMeaning.ORDERED_CODES.value.fullmatch(word) or NumberMeaning.COUNTS.value.fullmatch(
        word
    )
    return says_order is not None or (_measure((word,)) and word not in _GROUPS_OF_PEOPLE)


def counts_something(name: str) -> bool:
    """Tell whether a name says that its numbers count or measure something: "number of jobs", not "job"."""
    return meaning_of(name) is NumberMeaning.COUNTS


def measures_something(name: str) -> bool:
    """Tell whether a name says that numbers measure something, wherever: "MPG.city", not "city"."""
    return _measure(words_of(name))


@lru_cache(maxsize=4096)
def _measure(words: tuple[str, ...]) -> bool:
    return any(word in _MEASURES or word.startswith(_YEARS_OF_EDUCATION) for word in words)


def named_as_kinds(name: str) -> bool:
    """Tell whether a name says that numbers are codes of kinds, by the word that says what it names.

    >>> [named_as_kinds(name) for name in ("ISCO", "birthCountry", "Beruf_2", "職業", "país de origen")]
    [True, True, True, True, True]
    >>> [named_as_kinds(name) for name in ("age", "country_gdp", "ward_beds", "time_on_ward", "ville_bruit")]
    [False, False, False, False, False]
    """
    if not name.isascii() and _EAST_ASIAN_KIND.search(name):
        return True
    return _name_kinds(words_of(name))


def numbers_kinds(name: str) -> bool:
    """Tell whether a name says which number a bed, a ward or the like has, and not how many there are.

    >>> numbers_kinds("ward_nr"), numbers_kinds("nr łóżka"), numbers_kinds("number of wards")
    (True, True, False)
    """
    words = words_of(name)
    is_number = len(words) > 1 and not _NUMBERS.isdisjoint((words[0], words[-1]))
    return is_number and not any(map(_PREPOSITION.fullmatch, words)) and _name_kinds(words)


_BESIDE_FIRST = _ORIGIN | _FIRST


def _without_number(word: str) -> str:
    """Return a word for kinds, or for a bed, without a word for a number at its end, as in zimmernr."""
    glued = _GLUED_NUMBER.fullmatch(word)
    if glued is None:
        return word
    return "bednr" if glued["stem"] in _BEDS else glued["stem"] if glued["stem"] in _OF_KINDS else word


def _names_numbered_bed(words: tuple[str, ...]) -> bool:
    """Tell whether a name says the number of a bed, and nothing else but a preposition."""
    if words == ("bednr",):
        return True
    beside = [word for word in words if not _PREPOSITION.fullmatch(word)]
    beds = [word for word in beside if word in _BEDS]
    return len(beds) == 1 and len(beside) > 1 and _NUMBERS.issuperset(set(beside) - {beds[0]})


_OF_AGES = _words("etario etaria étario edades âges ages anni ålder věku wieku")


_TWO = 2


@lru_cache(maxsize=4096)
def _name_kinds(words: tuple[str, ...]) -> bool:
    words = tuple(_without_number(word) for word in words)
    if (
        len(words) <= _TWO
        and not _BY.isdisjoint(words)
        and not (_ALONE | _TYPE | _ALL_ORIGINS).isdisjoint(words)
    ):
        return True
    if words and (_ALL_ORIGINS.issuperset(words) or _names_numbered_bed(words)):
        return True
    if _OF_KINDS.isdisjoint(words) and not any(word.endswith(_ENDS) for word in words):
        return False
    naming = [word for word in _naming(words) if word not in _NEUTRAL and not _is_participle(word)]
    if not naming or _measure(_naming(words)):
        return False
    if _ALONE.intersection(naming):
        return len(naming) == 1 and not _measure(words) and words[-1] not in _OF_AGES
    first, *others = naming
    # In the languages of these, a single letter is a preposition before a vowel, as in pays d'origine.
    others = others[: next((at for at, word in enumerate(others) if len(word) == 1), None)]
    return (
        naming[-1] in _LAST
        or naming[-1].endswith(_ENDS)
        or first in _FIRST_OF_SLAVS
        or (first in _FIRST and all(word in _BESIDE_FIRST or _ADJECTIVE.fullmatch(word) for word in others))
    )
