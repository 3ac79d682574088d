"""Times and dates of follow-up beside an event that is a label: known by their names and what they hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from engine.table.number_names import measures_something, plain_text, words_of
from engine.table.variable import Kind, Variable

FOLLOW_UP = "follow-up"
"""Topic of the note about times and dates that are set aside beside an event."""

_UNITS = "zeit|dauer|tage|wochen|monate|jahre|tijd|duur|dagen|weken|maanden|jaren"
# Words of Chinese and Japanese follow one another without blanks.
_FOLLOWED_OF_EAST_ASIA = "추적|생존|경과관찰|生存|存活|随访|隨訪|追跡|フォローアップ"


def _known(words: str) -> frozenset[str]:
    """Return words as those of names are compared, without accents."""
    return frozenset(map(plain_text, words.replace("ı", "i").split()))


# How long somebody was followed, or until when nothing happened: by itself, in ten languages.
_FOLLOWED = re.compile(
    rf"""
    follow(?:ed)?up | (?:days|weeks|months|years)?followed | (?:last|l)?fup? | lenfol | surv
    | l?fu(?:time|days|months|years)
    | surviv(?:al|ed) | surv(?:time|days|weeks|months|years|yrs) | (?:overall)?survival(?:time)? | tte
    | (?:time|days|months|tt?)(?:to)?(?:event|death) | (?:event|cens(?:or)?|death|rec)time
    | survival(?:days|weeks|months|years) | (?:days|weeks|months|years)(?:alive|lived|survived)
    | durationofresponse | obs(?:erv(?:ation)?)?(?:time|days|weeks|months|years)
    | p(?:erson)?y(?:ea)?rs | person(?:time|en(?:zeit|jahre)|jahre|jaren)
    | (?:gesamt)?uberl(?:eben(?:s?(?:{_UNITS}))?)? | nachbeobachtung(?:s?(?:{_UNITS}))?
    | nach(?:verfolgung|sorge)(?:s?(?:{_UNITS}))? | (?:ereignis|zensierungs|verlaufs)(?:zeit|dauer)
    | beobachtungs(?:{_UNITS}|zeitraum|spanne)
    | survie | suivi | recul | supervivencia | seguimi?ento | sopravvivenz[ae] | sobrevi(?:da|vencia)
    | acompanhamento
    | overleving(?:s?(?:{_UNITS}))? | (?:volg|observatie)(?:tijd|duur)
    | overlev(?:nad|else)(?:s?(?:tid|dager|dage|dagar))? | opvolg(?:ing)?(?:s?(?:{_UNITS}))?
    | przezyci[ae] | tst(?:art|op)
    | sledovani | prezit[ie] | seuranta(?:a?ika)? | elossaolo(?:aika)? | uppfoljning(?:stid)?
    | op(?:p?følging|følgning)(?:stid)? | takip(?:suresi)? | sagkalim | yasamsuresi
    | наблюдени[ея] | времяжизни | (?:без\w+)?выживаемост[ьи]
    | {_FOLLOWED_OF_EAST_ASIA}
    """,
    re.VERBOSE,
)
# Of a time only beside other words.
_LENGTHS = _known("interval intervall intervalle intervallo intervalo interwał délka długość longueur lengte")
_TIMES = _LENGTHS | _known(
    """
    t time times day days week weeks wk wks month months mos mths year years yr yrs duration period
    zeit tage wochen monate jahre dauer temps jours semaines mois annees duree delai tiempo dias semanas
    meses anos duracion tempo giorni settimane mesi anni durata duracao czas czasu dni tygodnie tygodni
    miesiace miesiecy mies lata tijd dagen weken maanden mnd jaren duur plazo prazo
    dny dnu mesice mesicu roky doba vrk kk kuukautta vuotta aika dagar manader måneder tid dager dage sure
    gun ay
    дни дней месяцы месяцев время срок 기간 개월
    hours stunden heures horas ore uren godziny godzin
    小时 时间 時間 期间 期間 天数 日数 月数 年数 周数 週数 天 日 月 年
    okres okresu yıl hafta süre süresi jahren monaten tagen wochen
    čas длительность период продолжительность 시간 时长
    """
)
# Of what a number is, behind a name; alone they may say something else, as Mon. does.
_SHORT_UNITS = _known(
    "d w m mo mon mos y j mth mies měs mes ans an jr jrs lat let år мес дн лет ay yıl gün hafta"
    " 个月 ヶ月 か月"
)
_EVENTS = _known(
    """
    death dead died deceased mortality alive vital event events relapse relapsed recur recurrence recurred
    progression progressed failure fail censor censored censoring cens status stat fustat fstat os pfs dfs
    efs rfs tod todes sterbe gestorben verstorben ereignis rezidiv ruckfall deces decede mort rechute
    evenement censure muerte fallecido fallecimiento exitus evento recaida progresion censura morte morto
    decesso deceduto recidiva obito recaida overleden overlijden sterfte gebeurtenis zgon zgonu zmarl smierc
    smierci zdarzenie zdarzenia nawrot nawrotu 死亡 复发 再発 イベント 结局 事件 転帰
    readmission readmitted readmit rehospitalisation rehospitalization wiederaufnahme rehospitalisierung
    heropname readmisión reingreso riammissione reinternação rehospitalización rehospitalizacja 再入院
    récidive morir mourir sterben umrti smrt smrti ölüm ölüme ölümü смерть смерти evt evnt
    событие события рецидив рецидива прогрессирование прогрессирования olay olaya bcr lived
    gelebt gelebte vécu vécus vividos vissuti geleefd przeżyte przeżytych død döden döds dødsfall
    händelse hendelse hændelse kuolema kuolemaan kuoleman recidief recidivo recaídas nüks nükse 사망 재발 사건
    progressione progressão progressie progresji progresja progrese progrediering
    """
)
_AGES = _known("age alter âge edad età idade leeftijd wiek věk yaş возраст 年齢 年龄 年齡")
# With a time, these say that somebody was watched.
_WATCHED = _known(
    """
    observation observed obs beobachtung osservazione observacion observacao observatie obserwacja
    obserwacji 観察 观察 관찰
    """
)
# Only behind a time: a time on study is no time of studying.
_IN_STUDY = re.compile(
    r"(?:in|on)(?:study|trial|protocol)|indiestudie|inderstudie|instudi[eo]|enestudio|aletude|dansletude"
    r"|noestudo|wbadaniu|vestudii|at?risk|a?risque|unterrisiko|enriesgo|arischio|emrisco"
)
_LAST = _known(
    """
    last letzter letztes letzte derniere dernier dernieres ultimo ultima laatste ostatni ostatniego ostatnia
    ostatniej poslední sista siste seneste son последний последнего последняя 末次 最終 最后
    """
)
_CONTACTS = _known(
    """
    contact contacto contatto contato kontakt kontaktu nouvelles visit visita visite besuch bezoek wizyta
    vorstellung lebenszeichen nachricht
    wizyty seen gesehen vu visto visite known consultation consulta consult controle control controllo kontrol
    kontrola návštěva besök görüşme контакт контакта визит визита 受診 来院 就诊 联系 連絡
    """
)
_BETWEEN = (
    _LAST
    | _SHORT_UNITS
    | _known(
        """
    contact contacto contatto contato kontakt kontaktu nouvelles
    to until in of at since from length end exit on the before bis zum vor de la du des avant hasta el al di
    all dell del van a l al til till fram kadar geçen до с 까지 까지의 의
    progress da do ate tot od jusqu unter under chwili w momento moment ile 期 总 総 距 到 至 时 時 まで の
    """
    )
)
# Together they say how long somebody was well; free time alone is spent otherwise.
_FREE = _known("free frei vrij sans libre libera livre wolny wolna wolne volné bez")
_DISEASES = _known("disease krankheit maladie enfermedad malattia doença ziekte choroby nemoci")
# From when on, and of what; beside a word for follow-up or for an event only.
_FROM = (
    _FREE
    | _DISEASES
    | _known(
        """
    after for onset first total overall specific cancer surgery operation op diagnosis treatment
    randomisation randomization inclusion entry baseline start enrolment seit nach gesamt diagnose depuis au
    globale diagnostic desde global dalla dal alla fino sinds totaal calkowite
    hastalıksız celkové genel toplam общая общий общее max maximum overleving 전체 무병 무진행
    nb number nombre numero bei bij no na ao o a os przy при ved vid 全 无 無 病 进展 増悪 发生 発症 術後 术后
    """
    )
)
# They add nothing to the name of an event.
_STATUS = frozenset("event events status stat".split())  # noqa: SIM905
_BESIDE_EVENTS = _TIMES | _WATCHED | _BETWEEN | _STATUS
_OF_TIME = _TIMES | _EVENTS | _WATCHED | _BETWEEN
_OF_EVENTS = _OF_TIME | _FROM
# One of these alone is when a case began, or how long something takes each week.
_NO_TIME_ALONE = _LENGTHS | frozenset(
    "day week month year yr ay yıl gün hafta 年 月 日 hours stunden heures horas ore uren godziny".split()  # noqa: SIM905
)
_MOST_OUTCOMES = 6
_MOST_DATES = 2000
_DATES_LOOKED_AT = 50
_DATES = frozenset("date dates datum fecha data dat dt tag dzien 日期 日付".split())  # noqa: SIM905
_SHORT_DATES = frozenset("dod dold dolc dolfu".split())  # noqa: SIM905
_AGE_AT_EVENT = re.compile(r"(?:sterbe|todes|overlijdens|rezidiv)(?:alter|leeftijd)|exitage|agee?xit")
_EXIT = "exit"
# Between them a row was at risk.
_BOUNDS = (["start"], ["stop"])
# Free of an event or of a disease, in one word.
_GLUED_FREE = re.compile(
    r"(?:rezidiv|progressions|krankheits|ereignis|metastasen|tumor|event|recidief|progressie|ziekte)"
    r"(?:frei|vrij)e?[nrs]?"
)
_GLUED_LAST = re.compile(r"(?:last|letzter?)(?:visit|contact|seen|fup?|kontakt|besuch|visite)")
_LONG_DATES = re.compile(
    r"(?:tod(?:es)?|sterbe|sterf(?:te)?|ereignis|rezidiv|ruckfall|zensierungs|overlijdens)"
    r"(?:datum|tag|dag|monat|maand|jahr|jaar)"
)
# Survival free of something (pfs) and time to something (ttp), by the first letters of what it is.
_SURVIVALS = re.compile(
    "os|oas|ulz|lebensdauer|lifetime|lifespan|i?r?pfs|i?dfs|[er]fs|d[dm]fs|lrr?fs|bcrfs|grfs"
    "|tt(?:[edpf]|n(?:[sl])?t|[cp]r|pd|sre)"
)
# These are scores and genes, too, unless a time stands beside them.
_SHORT_SURVIVALS = re.compile(
    "[a-z]{1,5}fs|[dc]ss|(?:dr?|bc|dm|lr|[pr])fi|f?ffp|fftf|tfr|nrm|dor|tdm|pfu|s[gl][dp]?|ss[pr]|tt[mrh]"
)
_GLUED_SURVIVAL = re.compile(
    "(?:[a-z]{1,5}fs|os|[dc]ss|[dpr]fi|tt[edpfr])(?:time|days|months|years)|t(?:os|[a-z]{1,3}fs)"
)
# As in rPFS and DoR, whose letters are taken for words.
_SMALL_LETTER_BEFORE = re.compile(r"^(ir?|r|do) (?=(?:[pd]fs|r)\b)")
_SECOND = re.compile(r"(?<=pfs)2(?!\d)")
# Survival free of any disease, or until death from it.
_SURVIVAL_OF = re.compile(
    r"(?:\w+ ){1,3}(?:free|specific) (?=(?:survival|surv|interval)\b)|(?<=\bsurvie )sans \w+"
    r"|(?<=\b(?:supervivencia|sopravvivenza) )liber?[ae] (?:de|da) \w+"
)
# A word for a time before or behind the event, in one word.
_GLUED_TO_EVENT = re.compile(
    r"(?:(?:time|days|weeks|months|years)(?:to|till|until)?|tt)(?P<behind>.{4,})"
    r"|(?P<before>.{4,})(?:time|days|weeks|months|years)"
)
# When within a day or a year.
_OF_CALENDAR = re.compile(
    r"(?:time|hour|day|week|month) of (?:the )?(?:day|week|month|year)|heure du jour|jour de la semaine"
    r"|hora del dia|dia de la semana|ora del giorno|giorno della settimana|hora do dia|dia da semana"
    r"|tijd van de dag|dag van de week"
)
_GLUED_TIME = re.compile(r"(?!op|on)[a-z]{0,2}time|t")
_GLUED_TO_TIME = re.compile(
    rf"(?P<before>.{{3,}})(?:time|days|weeks|months|years|{_UNITS})|t(?:ime)?(?:to)?(?P<behind>.{{3,}})"
)
_GLUED_STATUS = re.compile(r"[a-z]{0,3}stat(?:us)?")
_STATUS_OF_STATA = "_d"
_MONTH = re.compile(r"(?:19|20)\d\d(?:[-/.](?:0?[1-9]|1[0-2]))?|(?:0?[1-9]|1[0-2])[-/.](?:19|20)\d\d")
_ALIVE = frozenset(
    """
    alive living lives lebt lebend lebendig vivant vivante vivo viva vivente levend leeft zyje 存活 生存 健在
    censored zensiert
    """.split()  # noqa: SIM905
) | {"am leben", "still alive", "en vie", "in vita", "in leven"}
_DIGIT = re.compile(r"\d")
_TWO_FOR_TO = re.compile(r"(?<=[^\W\d_])2(?=[^\W\d_])")
_LETTER_OF_EAST_ASIA = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_WORDS_OF_EAST_ASIA = {
    *(word for word in _OF_EVENTS | _DATES | _AGES | _CONTACTS if _LETTER_OF_EAST_ASIA.match(word)),
    *_FOLLOWED_OF_EAST_ASIA.split("|"),
}
_LONGEST_FIRST = sorted(_WORDS_OF_EAST_ASIA, key=lambda word: (-len(word), word))
_EAST_ASIAN = re.compile(f"({'|'.join(['[A-Za-zß-ɏ]+', *_LONGEST_FIRST])})")


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """The labels of a table to which a time may belong."""

    first: str = ""  # the first label of two values; empty where there is none
    named: str = ""  # the first that is called like an event, such as death; empty where there is none
    # by label: words of its name that tell it from other events
    own_words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    codes: Mapping[str, np.ndarray] = field(default_factory=dict)  # columns of labels of two values

    @classmethod
    def of(cls, labels: Sequence[Variable], columns: Sequence[np.ndarray]) -> Events:
        """Find them among labels, each with its column."""
        nominal = [pair for pair in zip(labels, columns, strict=True) if pair[0].kind is Kind.NOMINAL]
        codes = {label.name: column for label, column in nominal if label.level_count == 2}
        named = [
            label.name
            for label, _ in nominal
            if label.level_count <= _MOST_OUTCOMES and _is_event(label.name)
        ]
        own_words = {name: frozenset(_words(name)) - _BESIDE_EVENTS for name in (*codes, *named)}
        return cls(next(iter(codes), ""), next(iter(named), ""), own_words, codes)


def event_of_time(variable: Variable, values: np.ndarray, events: Events) -> str:
    """Return the label beside which a feature is a time or date of follow-up; empty for none.

    The name decides where it says that somebody was followed, or names the label. A name that says time
    alone decides beside a label that is called like an event; beside another, the values decide. They do
    whatever the name is where most rows without an event reach one greatest number, as at the end of a study.

    >>> events = Events("death", "death")
    >>> names = ("futime", "days_to_death", "time", "date_of_last_contact", "age_in_years", "手术时间")
    >>> [event_of_time(Variable(name, Kind.CONTINUOUS), np.ones(9), events) != "" for name in names]
    [True, True, True, True, False, False]
    """
    if not (events.first or events.named):
        return ""
    if variable.kind is not Kind.CONTINUOUS:
        return _event_of_dates(variable, events)
    words = _words_of_time(variable.name)
    if not words or _OF_CALENDAR.fullmatch(" ".join(words)):
        return ""
    is_followed, rest = _without_followed(words)
    own = _label_named(variable.name, words, events)
    if own:
        return own
    is_last = any(map(_GLUED_LAST.fullmatch, words)) or not (
        _LAST.isdisjoint(words) or _CONTACTS.isdisjoint(words)
    )
    if is_last:
        rest = {word for word in rest if word not in _CONTACTS and not _GLUED_LAST.fullmatch(word)}
    is_free = any(map(_GLUED_FREE.fullmatch, words))
    if is_free:
        rest = {word for word in rest if not _GLUED_FREE.fullmatch(word)}
    is_free = is_free or not (_FREE.isdisjoint(words) or _DISEASES.isdisjoint(words))
    says_what = is_followed or is_last or is_free or not _EVENTS.isdisjoint(words)
    if _is_age_at_event(words, rest, says_what=says_what):
        return events.named
    is_about_time = rest <= (_OF_EVENTS if says_what else _OF_TIME)
    if is_followed and is_about_time:
        return events.named or _label_that_censors(values, events) or events.first
    is_time = (
        (len(words) == 1 and _is_glued(words[0], events.named))
        or _is_survival(variable.name, words)
        or (is_about_time and (is_last or _has_time(words)))
    ) and not _NO_TIME_ALONE.issuperset(words)
    # A number beside a time tells occasions, or hormones, apart, as in relapse at week 12.
    has_number = _DIGIT.search(_SECOND.sub("", _TWO_FOR_TO.sub("", variable.name.casefold()))) is not None
    is_time = is_time and (is_followed or is_last or is_free or not has_number)
    is_bound = words in _BOUNDS
    if events.named and (is_time or is_bound or _is_called_date(words, needs_word=True)):
        return events.named
    if is_time:
        return _label_that_censors(values, events)
    if measures_something(variable.name):
        return ""
    return next((name for name, codes in events.codes.items() if have_one_end(values, codes)), "")


def _words_of_time(name: str) -> list[str]:
    """Return the words of a name, tt as time to, and no disease that a survival is free of."""
    words = _words(name)
    if words[:1] == ["tt"] and len(words) > 1 and words[1] not in _TIMES:
        words[:1] = ["time", "to"]
    return _SURVIVAL_OF.sub("", _SMALL_LETTER_BEFORE.sub(r"\1", " ".join(words))).split()


def _is_glued(word: str, label: str) -> bool:
    """Tell whether one word is a time, to an event or to what the label is called, or a survival."""
    if _GLUED_TIME.fullmatch(word) or _GLUED_SURVIVAL.fullmatch(word):
        return True
    glued = _GLUED_TO_EVENT.fullmatch(word)
    if glued is not None:
        return (glued["behind"] or glued["before"]) in _EVENTS - _STATUS
    # TTR is a time to recurrence; elsewhere it is a protein, or a share of time.
    return word == f"tt{label[:1].casefold()}" or (word == "ttr" and _STATUS.issuperset(_words(label)))


def _is_survival(name: str, words: list[str]) -> bool:
    """Tell whether a name is short for a survival, with a unit at most; OS30d is whether one survived."""
    if _DIGIT.search(_SECOND.sub("", name.casefold())) is not None:
        return False
    beside = [
        word
        for place, word in enumerate(words)
        if word not in _TIMES and (place == 0 or word not in _SHORT_UNITS)
    ]
    if len(beside) != 1:
        return False
    is_timed = len(words) > 1 and _SHORT_SURVIVALS.fullmatch(beside[0]) is not None
    return is_timed or _SURVIVALS.fullmatch(beside[0]) is not None


def _has_time(words: list[str]) -> bool:
    """Tell whether a word says time, or its first letter before "to" does, as in d_to_death."""
    return not _TIMES.isdisjoint(words) or (words[1:2] == ["to"] and words[0] in _SHORT_UNITS)


def _is_age_at_event(words: list[str], rest: set[str], *, says_what: bool) -> bool:
    """Tell whether a name says how old somebody was at an event or when last seen."""
    is_glued = len(words) == 1 and _AGE_AT_EVENT.fullmatch(words[0]) is not None
    is_age = (says_what or _EXIT in words) and not _AGES.isdisjoint(words) and rest <= _AGES | _OF_EVENTS
    return is_glued or is_age


def _label_that_censors(times: np.ndarray, events: Events) -> str:
    """Return the first label of two values beside which a number ends as times do; empty for none."""
    return next((name for name, codes in events.codes.items() if ends_as_censored(times, codes)), "")


def _label_named(name: str, words: list[str], events: Events) -> str:
    """Return the label whose name, and beside it a time, is what a column is called; empty for none."""
    glued = _GLUED_TO_TIME.fullmatch(words[0]) if len(words) == 1 else None
    if glued is None and _TIMES.isdisjoint(words):
        return ""
    stem = (glued["before"] or glued["behind"]) if glued is not None else ""
    is_followed, rest = _without_followed(words)
    for label, own in events.own_words.items():
        forms = {word: of for word in rest for of in own if _is_form(word, of)}
        beside = rest - forms.keys()
        is_named = bool(forms) and (is_followed or set(forms.values()) == own)
        is_timed = is_named and beside <= _OF_EVENTS | _DATES and not _TIMES.isdisjoint(beside)
        is_glued = len(own) == 1 and _is_form(stem, *own)
        if (is_timed or is_glued) and not _is_occasion(name, label):
            return label
    return ""


def _is_form(word: str, of: str) -> bool:
    """Tell whether a word is another, or its plural or genitive."""
    if word == of or (len(word) >= _SHORTEST_ABBREVIATION and of.startswith(word)):
        return True
    stem = max(_SHORTEST_STEM, len(of) - _LONGEST_ENDING)
    return word[:stem] == of[:stem] and len(of) >= stem and abs(len(word) - len(of)) <= _LONGEST_ENDING


_SHORTEST_STEM, _LONGEST_ENDING, _SHORTEST_ABBREVIATION = 4, 2, 5


def _is_occasion(name: str, label: str) -> bool:
    """Tell whether a number beside a time says when a label was measured, as in pain at week 12."""
    return _DIGIT.search(_TWO_FOR_TO.sub("", name.casefold().replace(label.casefold(), "x"))) is not None


def ends_as_censored(times: np.ndarray, codes: np.ndarray) -> bool:
    """Tell whether a number ends beside a label of two levels as times do that end with a study.

    Near its end events are rarer than by chance (1 in 1000 tables). Also, many rows share the end, or nearly
    all short times have an event.
    """
    from scipy.special import bdtr

    present = ~np.isnan(times) & (codes >= 0)
    times, codes = times[present], codes[present]
    if len(np.unique(times)) < _FEWEST_TIMES:
        return False
    order = np.argsort(times, kind="stable")
    times, codes = times[order], codes[order]
    fifth = len(times) // 5
    for level in (0, 1):
        has_event = codes != level
        share, ended = has_event.mean(), times[~has_event]
        if not 0 < share < 1:
            return False
        width = ended[-1] - times[0]
        is_bounded = ended[-1] - np.quantile(ended, 1 - _LAST_ROWS) <= _LONGEST_END * width
        ends = [(has_event[times >= ended[-1] - part * width], _RARE) for part in _ENDS] if is_bounded else []
        if has_event[:fifth].mean() >= _NEARLY_ALL > share:
            ends.append((has_event[-fifth:], _LESS_FREQUENT))
        if any(
            end.mean() <= most * share and bdtr(int(end.sum()), len(end), share) < _CHANCE
            for end, most in ends
        ):
            return True
    return False


def have_one_end(times: np.ndarray, codes: np.ndarray) -> bool:
    """Tell whether most rows of one level share the greatest number, as times that end with a study do."""
    present = ~np.isnan(times) & (codes >= 0)
    times, codes = times[present], codes[present]
    is_last = times == times.max(initial=0.0)
    if len(times) < 2 * _FEWEST_TIMES or np.count_nonzero(is_last) < _FEWEST_AT_END:
        return False
    for level in (0, 1):
        ended, before = codes == level, times[codes != level]
        different, counts = np.unique(before, return_counts=True)
        if (
            np.count_nonzero(is_last & ended) >= ended.sum() / 2
            and np.count_nonzero(is_last & ~ended) <= _MOST_AT_END * is_last.sum()
            and len(different) >= _FEWEST_TIMES
            and 4 * counts.max() <= is_last.sum()
        ):
            return True
    return False


_FEWEST_AT_END, _MOST_AT_END = 15, 0.02
_FEWEST_TIMES = 20
_CHANCE = 0.001
# The end is the last time, which many may share, or so much of the range.
_ENDS = (0.0, 0.2)
# So frequent are events there at most, compared with all rows; and where nearly all short times have one.
_RARE, _LESS_FREQUENT, _NEARLY_ALL = 0.3, 0.5, 0.9
# The last tenth of even numbers takes a tenth of their range, of normal ones a fourth, of skewed ones half.
_LAST_ROWS, _LONGEST_END = 0.1, 0.15


def _without_followed(words: list[str]) -> tuple[bool, set[str]]:
    """Tell whether a word, two together or all say that somebody was followed, and return the others."""
    if _FOLLOWED.fullmatch("".join(words)):
        return True, set()
    rest = set(words)
    has_time = not _TIMES.isdisjoint(words)
    for pair in pairwise(words):
        both = "".join(pair)
        if _FOLLOWED.fullmatch(both) or (has_time and _IN_STUDY.fullmatch(both)):
            rest -= set(pair)
    alone = {word for word in rest if _FOLLOWED.fullmatch(word)}
    return rest != set(words) or bool(alone), rest - alone


def _event_of_dates(variable: Variable, events: Events) -> str:
    """Return the event whose dates a column holds, by its name or by a level for people alive."""
    from engine.recipe.table_steps import are_dates

    levels = variable.levels
    if len(levels) < 2 or not any(character.isdigit() for character in levels[0] + levels[-1]):
        return ""
    few = levels if len(levels) <= _MOST_DATES else ()
    alive = {level for level in few if plain_text(level).strip() in _ALIVE} if events.named else set()
    words = _words(variable.name)
    event = events.named if alive or _is_called_date(words, needs_word=False) else ""
    if not event and not _DATES.isdisjoint(words):
        event = _label_dated(set(words), events)
    times = [level for level in levels if level not in alive]
    if not event or not times:
        return ""
    are_months = len(times) > 1 and all(_MONTH.fullmatch(level.strip()) for level in times)
    return event if are_months or are_dates(times, _DATES_LOOKED_AT) else ""


def _label_dated(words: set[str], events: Events) -> str:
    """Return the label whose name stands beside a word for a date; empty for none."""
    beside = _DATES | _OF_EVENTS
    named = (label for label, own in events.own_words.items() if own and own <= words <= own | beside)
    return next(named, "")


def _is_called_date(words: list[str], *, needs_word: bool) -> bool:
    """Tell whether words say date of an event or of a last contact; the word date itself may be spared."""
    if not _SHORT_DATES.isdisjoint(words) or any(_LONG_DATES.fullmatch(word) for word in words):
        return True
    if needs_word and _DATES.isdisjoint(words):
        return False
    return not (_EVENTS | _LAST).isdisjoint(words) or (not needs_word and _without_followed(words)[0])


def _is_event(name: str) -> bool:
    words = _words(name)
    return (
        not _EVENTS.isdisjoint(words)
        or any(_GLUED_STATUS.fullmatch(word) for word in words)
        or name == _STATUS_OF_STATA
    )


_MARKS = re.compile("[\u0300-\u036f]")
_E_FOR_DOTS = re.compile("(?<=[aou])e")


def _without_e(word: str) -> str:
    """Write a word with umlauts as others are compared, where these were written as ae, oe and ue."""
    plain = _E_FOR_DOTS.sub("", word)
    is_known = plain != word and word not in _OF_EVENTS and not _FOLLOWED.fullmatch(word)
    return plain if is_known and (plain in _OF_EVENTS or _FOLLOWED.fullmatch(plain)) else word


def _words(name: str) -> list[str]:
    without_marks = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", name)))
    words = [_without_e(word) for word in words_of(without_marks.replace("ı", "i"))]
    if name.isascii():
        return words
    return [part for word in words for part in _EAST_ASIAN.split(word) if part]
