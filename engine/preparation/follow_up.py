"""Times and dates of follow-up beside an event that is a label: known by their names and what they hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.table.variable import Kind, Variable

FOLLOW_UP = "follow-up"
"""Topic of the note about times and dates that are set aside beside an event."""

_UNITS = "zeit|dauer|tage|wochen|monate|jahre|tijd|duur|dagen|weken|maanden|jaren"
# How long somebody was followed, or until when nothing happened: by itself, in ten languages.
_FOLLOWED = re.compile(
    rf"""
    follow(?:ed)?up | followed | fup? | fu(?:time|days|months|years) | lenfol | surv | surviv(?:al|ed)
    | survtime | (?:overall)?survival(?:time)? | tte | (?:time|days|months)to(?:event|death)
    | (?:event|censor)time
    | uberleben(?:s?(?:{_UNITS}))? | nachbeobachtung(?:s?(?:{_UNITS}))? | beobachtungs(?:{_UNITS})
    | survie | suivi | supervivencia | seguimi?ento | sopravvivenz[ae] | sobrevi(?:da|vencia) | acompanhamento
    | overleving(?:s?(?:{_UNITS}))? | opvolg(?:ing)?(?:s?(?:{_UNITS}))? | przezyci[ae] | tst(?:art|op)
    """,
    re.VERBOSE,
)
_TIMES = frozenset(
    """
    time times day days week weeks month months year years yr yrs duration period zeit tage wochen monate
    jahre dauer temps jours semaines mois annees duree delai tiempo dias semanas meses anos duracion tempo
    giorni settimane mesi anni durata duracao czas czasu dni tygodnie tygodni miesiace miesiecy lata tijd
    dagen weken maanden jaren duur plazo prazo
    """.split()  # noqa: SIM905
)
_EVENTS = frozenset(
    """
    death dead died deceased mortality alive vital event events relapse relapsed recur recurrence recurred
    progression progressed failure fail censor censored censoring cens status stat fustat fstat os pfs dfs
    efs rfs tod todes sterbe gestorben verstorben ereignis rezidiv ruckfall deces decede mort rechute
    evenement censure muerte fallecido fallecimiento exitus evento recaida progresion censura morte morto
    decesso deceduto recidiva obito recaida overleden overlijden sterfte gebeurtenis zgon zgonu zmarl smierc
    smierci zdarzenie zdarzenia nawrot nawrotu
    """.split()  # noqa: SIM905
)
# With a time, these say that somebody was watched.
_WATCHED = frozenset(
    """
    observation observed obs beobachtung osservazione observacion observacao observatie obserwacja
    obserwacji
    """.split()  # noqa: SIM905
)
_BETWEEN = frozenset(
    """
    to until in of at since from last contact end exit on the bis zum de la du des hasta el al di da do tot
    od d m mo y w wk t
    """.split()  # noqa: SIM905
)
# From when on, and of what; beside a word for follow-up or for an event only.
_FROM = frozenset(
    """
    after for first total overall specific free disease cancer surgery operation op diagnosis treatment
    randomisation randomization inclusion entry baseline start enrolment seit nach gesamt diagnose depuis au
    sans globale diagnostic desde global libre dalla dal alla fino livre sinds totaal calkowite
    """.split()  # noqa: SIM905
)
_OF_TIME = _TIMES | _EVENTS | _WATCHED | _BETWEEN
_OF_EVENTS = _OF_TIME | _FROM
# One of these alone is when a case began.
_CALENDAR = [[word] for word in ("day", "week", "month", "year", "yr")]
_MOST_OUTCOMES = 6
_MOST_DATES = 2000
_DATES_LOOKED_AT = 50
_DATES = frozenset("date dates datum fecha data dat dt tag dzien".split())  # noqa: SIM905
_SHORT_DATES = frozenset("dod dold dolc dolfu".split())  # noqa: SIM905
_LONG_DATES = re.compile(
    r"(?:tod(?:es)?|sterbe|sterf(?:te)?|ereignis|rezidiv|ruckfall|zensierungs|overlijdens)"
    r"(?:datum|tag|dag|monat|maand|jahr|jaar)"
)
_SURVIVALS = frozenset({"os", "pfs", "dfs", "efs", "rfs"})
_LAST = frozenset(
    """
    last letzter letztes letzte derniere dernier dernieres nouvelles ultimo ultima laatste ostatni
    ostatniego contact contacto contatto contato kontakt kontaktu
    """.split()  # noqa: SIM905
)
_GLUED_TIME = re.compile(r"[a-z]{0,3}time|t")
_GLUED_STATUS = re.compile(r"[a-z]{0,3}stat(?:us)?")
_EVENTS_OF_EAST_ASIA = re.compile("死亡|复发|再発|イベント|结局|事件|転帰")
_TIMES_OF_EAST_ASIA = re.compile("生存|随访|隨訪|追跡|観察期間|观察期|时间|時間|天数|日数|期間")
_LAST_OF_EAST_ASIA = re.compile("死亡|末次|最終|最后|再発|复发")
_MONTH = re.compile(r"(?:19|20)\d\d(?:[-/.](?:0?[1-9]|1[0-2]))?|(?:0?[1-9]|1[0-2])[-/.](?:19|20)\d\d")
_ALIVE = frozenset(
    """
    alive living lives lebt lebend lebendig vivant vivante vivo viva vivente levend leeft zyje 存活 生存 健在
    censored zensiert
    """.split()  # noqa: SIM905
) | {"am leben", "still alive", "en vie", "in vita", "in leven"}
_ACCENTS = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[^\W\d_]+")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Events:
    """The labels of a table to which a time may belong.

    Attributes
    ----------
    first : str
        The first label of two values; empty where there is none.
    named : str
        The first of few values that is called like an event, such as death; empty where there is none.
    """

    first: str = ""
    named: str = ""

    @classmethod
    def of(cls, labels: Sequence[Variable]) -> Events:
        """Find them among labels."""
        nominal = [label for label in labels if label.kind is Kind.NOMINAL]
        first = (label.name for label in nominal if label.level_count == 2)
        named = (
            label.name for label in nominal if label.level_count <= _MOST_OUTCOMES and _is_event(label.name)
        )
        return cls(next(first, ""), next(named, ""))


def event_of_time(variable: Variable, events: Events) -> str:
    """Return the label beside which a feature is a time or date of follow-up; empty for none.

    Examples
    --------
    >>> events = Events("death", "death")
    >>> names = ("futime", "days_to_death", "time", "date_of_last_contact", "age_in_years", "sleep duration")
    >>> [event_of_time(Variable(name, Kind.CONTINUOUS), events) != "" for name in names]
    [True, True, True, True, False, False]
    >>> event_of_time(Variable("month", Kind.NOMINAL, levels=("2021-07", "2021-08", "alive")), events)
    'death'
    """
    if not (events.first or events.named):
        return ""
    if variable.kind is not Kind.CONTINUOUS:
        return events.named if events.named and _is_date_of_event(variable) else ""
    words = _words(variable.name)
    is_followed, rest = _without_followed(words)
    says_what = is_followed or not _EVENTS.isdisjoint(words)
    is_about_time = rest <= (_OF_EVENTS if says_what else _OF_TIME)
    if is_followed and is_about_time:
        return events.named or events.first
    if not events.named:
        return ""
    is_time = words not in _CALENDAR and (
        _TIMES_OF_EAST_ASIA.search(variable.name) is not None
        or (len(words) == 1 and (_GLUED_TIME.fullmatch(words[0]) is not None or words[0] in _SURVIVALS))
        or (is_about_time and not _TIMES.isdisjoint(words))
    )
    return events.named if is_time or _is_called_date(variable.name, needs_word=True) else ""


def _without_followed(words: list[str]) -> tuple[bool, set[str]]:
    """Tell whether a word, two together or all say that somebody was followed, and return the others."""
    if _FOLLOWED.fullmatch("".join(words)):
        return True, set()
    rest = set(words)
    for pair in pairwise(words):
        if _FOLLOWED.fullmatch("".join(pair)):
            rest -= set(pair)
    alone = {word for word in rest if _FOLLOWED.fullmatch(word)}
    return rest != set(words) or bool(alone), rest - alone


def _is_date_of_event(variable: Variable) -> bool:
    """Tell whether levels are dates of an event, by the name or a word for those who live."""
    levels = variable.levels
    if len(levels) < 2 or not any(character.isdigit() for character in levels[0] + levels[-1]):
        return False
    few = levels if len(levels) <= _MOST_DATES else ()
    alive = {level for level in few if _plain(level).strip() in _ALIVE}
    if not alive and not _is_called_date(variable.name, needs_word=False):
        return False
    times = [level for level in levels if level not in alive]
    are_months = len(times) > 1 and all(_MONTH.fullmatch(level.strip()) for level in times)
    return are_months or _are_dates(times)


def _are_dates(levels: list[str]) -> bool:
    from engine.recipe.table_steps import dates_of

    some = tuple(levels[:: max(1, len(levels) // _DATES_LOOKED_AT)])
    return len(some) > 1 and not np.isnat(dates_of(some).days).any()


def _is_called_date(name: str, *, needs_word: bool) -> bool:
    """Tell whether a name says date of an event or of a last contact; the word date itself may be spared."""
    words = _words(name)
    if not _SHORT_DATES.isdisjoint(words) or any(_LONG_DATES.fullmatch(word) for word in words):
        return True
    if needs_word and _DATES.isdisjoint(words):
        return False
    return not (_EVENTS | _LAST).isdisjoint(words) or (
        not needs_word and (_without_followed(words)[0] or _LAST_OF_EAST_ASIA.search(name) is not None)
    )


def _is_event(name: str) -> bool:
    words = _words(name)
    return (
        not _EVENTS.isdisjoint(words)
        or any(_GLUED_STATUS.fullmatch(word) for word in words)
        or _EVENTS_OF_EAST_ASIA.search(name) is not None
    )


def _words(name: str) -> list[str]:
    return _WORD.findall(_plain(_CAPITAL.sub(" ", name)))


def _plain(text: str) -> str:
    return _ACCENTS.sub("", unicodedata.normalize("NFD", text.casefold())).replace("ł", "l")
