"""Times and dates of follow-up beside an event that is a label: known by their names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.table.variable import Kind, Variable

FOLLOW_UP = "follow-up"
"""Topic of the note about times and dates that are set aside beside an event."""

# How long somebody was followed, or until when nothing happened: by itself, in ten languages.
_FOLLOWED = frozenset(
    """
    followup fup futime fudays fumonths lenfol survtime survivaltime survival overallsurvival tte timetoevent
    daystoevent monthstoevent timetodeath daystodeath eventtime censortime uberleben uberlebenszeit
    nachbeobachtung nachbeobachtungszeit beobachtungszeit survie suivi supervivencia seguimiento
    sopravvivenza sobrevida acompanhamento overleving opvolging przezycie obserwacja
    """.split()  # noqa: SIM905
)
_TIMES = frozenset(
    """
    time times day days week weeks month months year years yr yrs duration period zeit tage wochen monate
    jahre dauer temps jours semaines mois annees duree tiempo dias semanas meses anos duracion tempo giorni
    settimane mesi anni durata duracao czas dni tygodnie miesiace lata tijd dagen weken maanden jaren duur
    """.split()  # noqa: SIM905
)
_EVENTS = frozenset(
    """
    death dead died deceased mortality alive vital event events relapse relapsed recur recurrence recurred
    progression progressed failure fail censor censored censoring cens status stat fustat fstat os pfs dfs
    efs rfs tod gestorben verstorben ereignis rezidiv ruckfall deces mort decede rechute evenement muerte
    fallecido fallecimiento evento recaida progresion morte decesso recidiva obito recaida overleden
    overlijden gebeurtenis zgon zmarl zdarzenie nawrot
    """.split()  # noqa: SIM905
)
_BETWEEN = frozenset(
    "to until in of at since from last contact end exit obs observed on the bis de la fu".split()  # noqa: SIM905
)
# One of these alone is when a case began.
_CALENDAR = [[word] for word in ("day", "week", "month", "year", "yr")]
_MOST_OUTCOMES = 6
_DATES = frozenset("date dates datum fecha data dat dt".split())  # noqa: SIM905
_SHORT_DATES = frozenset("dod dold dolc dolfu".split())  # noqa: SIM905
_LAST = frozenset(
    """
    last letzter letztes letzte derniere dernier ultimo ultima laatste ostatni contact kontakt
    """.split()  # noqa: SIM905
)
_GLUED_TIME = re.compile(r"[a-z]{0,3}time|t")
_GLUED_STATUS = re.compile(r"[a-z]{0,3}stat(?:us)?")
_EVENTS_OF_EAST_ASIA = re.compile("死亡|复发|再発|イベント|结局|事件|転帰")
_TIMES_OF_EAST_ASIA = re.compile("生存|随访|隨訪|追跡|観察期間|时间|時間|天数|日数|期間")
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
    """
    if not (events.first or events.named) or variable.kind is not Kind.CONTINUOUS:
        return ""
    words = _words(variable.name)
    if _says_followed(words):
        return events.named or events.first
    if not events.named:
        return ""
    is_time = words not in _CALENDAR and (
        _TIMES_OF_EAST_ASIA.search(variable.name) is not None
        or (len(words) == 1 and _GLUED_TIME.fullmatch(words[0]) is not None)
        or (not _TIMES.isdisjoint(words) and set(words) <= _TIMES | _EVENTS | _BETWEEN)
    )
    is_date = not _SHORT_DATES.isdisjoint(words) or (
        not _DATES.isdisjoint(words) and not (_EVENTS | _LAST).isdisjoint(words)
    )
    return events.named if is_time or is_date else ""


def _says_followed(words: list[str]) -> bool:
    pairs = {"".join(pair) for pair in pairwise(words)}
    return not _FOLLOWED.isdisjoint({*words, "".join(words), *pairs})


def _is_event(name: str) -> bool:
    words = _words(name)
    return (
        not _EVENTS.isdisjoint(words)
        or any(_GLUED_STATUS.fullmatch(word) for word in words)
        or _EVENTS_OF_EAST_ASIA.search(name) is not None
    )


def _words(name: str) -> list[str]:
    text = _ACCENTS.sub("", unicodedata.normalize("NFD", _CAPITAL.sub(" ", name).casefold()))
    return _WORD.findall(text.replace("ł", "l"))
