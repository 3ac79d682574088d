"""Words of ten languages that say that nothing is known, such as "don't know" and "keine Angabe"."""

from __future__ import annotations

import re
from collections.abc import Sequence

# English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Chinese, Japanese; some of others.
_WORDS = """
unknown | unk | unkn | unknw | n/k | dk | d/k | dk/na | dk/ref | dk/refused | not known | refuses |
declined | declined to answer | decline to answer | no reply | don't know | dont know | do not know |
no answer | not answered | no response | refused | refusal | refuse to answer | prefer not to say |
prefer not to answer | not available | not applicable | not asked | not stated | not recorded |
not reported | missing | no data | no information | undetermined | not determined | unspecified |
not specified | unbekannt | unbek. | o.a. | ohne angabe | ohne angaben | nicht angegeben | weiß nicht |
weiss nicht | weiß ich nicht | keine angabe | keine angaben | k.a. | keine antwort | nicht bekannt |
nicht erhoben | nicht zutreffend | verweigert | antwort verweigert | fehlend | nicht verfügbar |
nicht gefragt | inconnu | inconnue | refus de répondre | refuse de répondre | refus | refusé | nsp/nrp |
ne souhaite pas répondre | non connu | ne sait pas | ne sais pas | nsp | je ne sais pas | sans réponse |
pas de réponse | non réponse | non répondu | non renseigné | non renseignée | non disponible |
non applicable | sans objet | manquant | manquante | non précisé | desconocido | desconocida |
se niega | rehúsa | rechaza contestar | no quiere contestar | no sabe | no sé | no lo sé | ns/nc |
no contesta | sin respuesta | no responde | no aplica | no disponible | sin datos | sin dato | se negó |
faltante | no consta | sin información | prefiero no responder | sconosciuto | sconosciuta |
rifiuta di rispondere | non dichiarato | non so | non lo so | non sa | nessuna risposta | non risponde |
non disponibile | non applicabile | rifiuto | mancante | non noto | non nota | dato mancante | ignoto |
preferisco non rispondere | desconhecido | desconhecida | ns/nr | recusou responder | recusa responder |
não sabe | não sei | sem resposta | não respondeu | não disponível | não se aplica | não aplicável |
recusou | recusa | ignorado | ignorada | sem informação | não informado | prefiro não responder |
onbekend | onb. | wil niet antwoorden | weet niet | weet ik niet | geen antwoord | geen opgave |
niet van toepassing | n.v.t. | niet beschikbaar | geweigerd | weigert | ontbreekt | ontbrekend |
geen gegevens | niet gevraagd | wil niet zeggen | nieznany | nieznana | odmówił odpowiedzi | b.d. |
nieznane | nie wiem | nie wie | brak odpowiedzi | brak danych | nie dotyczy | odmowa |
odmowa odpowiedzi | niedostępne | brak informacji | odmawiam odpowiedzi | nie podano | 未知 | 不知道 |
不详 | 不清楚 | 未回答 | 无回答 | 拒绝回答 | 拒绝 | 缺失 | 不适用 | 不明 | 未填写 | 无数据 | 说不清 |
不知 | わからない | 分からない | わかりません | 無回答 | 回答なし | 回答拒否 | 不詳 | 該当なし | 欠測 |
欠損 | 非該当 | 答えたくない | no call | n.d. | n.a. | entfällt | entf. | nicht anwendbar |
nicht beurteilbar | not evaluable | not assessed | not ascertained |
can't choose | cannot choose | can't say | inapplicable |
no aplicable | sin especificar | non spécifié | non specificato | não especificado | niet gespecificeerd |
undisclosed | not disclosed | not tested | missing value | 拒答 | не знаю | затрудняюсь ответить |
нет данных | нет ответа | отказ от ответа | не указано | неизвестно | vet ej | vet inte | ej svar |
inget svar | uppgift saknas | vet ikke | ved ikke | ikke besvart | ikke besvaret | uoplyst | ei tietoa |
en osaa sanoa | ei vastausta | bilmiyorum | bilinmiyor | cevap yok
"""
# Between two of them: "no sabe / no contesta". From the first of many blanks alone, or work is squared.
_BETWEEN_WORDS = re.compile(r"(?<!\s)\s*[/|;,]\s*|(?<!\s)\s+(?:or|and|oder|und|ou|et|o|y|of|en|lub|i)\s+")
_TWO_IN_ONE = re.compile(r"(?<=[a-z])(?=[A-Z])")
# As labels of statistics programs are written: "9 - Refused", "(9) Refused".
_CODE_BEFORE = re.compile(r"[(\[]?[+-]?\d{1,4}\s?[-–=:.)\]]\s*(?=[^\W\d])")
_PUNCTUATION = re.compile(r"[\s()\[\]<>*_.,;:!?/\\-]+")


def means_missing(word: str) -> bool:
    """Tell whether a word says that nothing is known, in one of ten languages; a code may stand before it.

    >>> [means_missing(word) for word in ("Don't know", "keine_Angabe", "9 - Refused", "no", "none")]
    [True, True, True, False, False]
    """
    word = word[code.end() :] if (code := _CODE_BEFORE.match(word)) else word
    if _plain(word) in _PLAIN_WORDS or _plain(_TWO_IN_ONE.sub(" ", word)) in _PLAIN_WORDS:
        return True
    parts = _BETWEEN_WORDS.split(word)
    return len(parts) > 1 and all(_plain(part) in _PLAIN_WORDS for part in parts)


def places_that_mean_missing(words: Sequence[str]) -> list[int]:
    """Return which of many words say that nothing is known.

    Those that are written as one are made plain at once, which is faster.

    >>> places_that_mean_missing(["yes", "Don't know", "no", "Unknown."])
    [1, 3]
    """
    text = _BETWEEN.join(words)
    plain = _plain(text).split(_BETWEEN)
    has_more = _BETWEEN_WORDS.search(text) or _TWO_IN_ONE.search(text) or _CODE_BEFORE.search(text)
    if (len(words) <= _FEW and has_more) or len(plain) != len(words):
        return [place for place, word in enumerate(words) if means_missing(word)]
    return [place for place, word in enumerate(plain) if word.strip() in _PLAIN_WORDS]


_BETWEEN = "\0"
# Words of answers; identifiers are more.
_FEW = 60


def _plain(word: str) -> str:
    return _PUNCTUATION.sub(" ", word.casefold().replace("\u2019", "'")).strip()


_PLAIN_WORDS = frozenset(map(_plain, " ".join(_WORDS.split()).split(" | ")))
