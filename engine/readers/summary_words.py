"""Words beside totals, means, tests and the like, in many languages."""

from __future__ import annotations

import re

# English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Czech, Nordic languages, Hungarian,
# Turkish, Greek; Russian, Ukrainian, Arabic, Hebrew, Chinese, Japanese, Korean.
_SUMMARY_WORDS = frozenset(
    """
total totals subtotal sum mean means average avg sd std stdev variance var se sem median
count overall cv q1 q3 iqr
ø summe gesamt gesamtsumme insgesamt zwischensumme mittelwert mittel durchschnitt durchschn schnitt
standardabweichung stabw varianz anzahl mw
somme moyenne moy écart médiane ensemble effectif suma media promedio desviación mediana recuento
soma média desvio contagem somma totale totali subtotale deviazione conteggio
totaal subtotaal som gemiddeld gemiddelde standaarddeviatie standaardafwijking mediaan aantal
razem ogółem łącznie średnia odchylenie celkem součet průměr směrodatná
summa totalt medelvärde standardavvikelse ialt gennemsnit yhteensä keskiarvo összesen átlag
toplam ortalama σύνολο μέσος ort
итого всего сумма среднее средняя ско медиана разом усього المجموع الإجمالي المتوسط ממוצע
合计 总计 小计 總計 合計 小計 总和 總和 平均 平均值 均值 标准差 標準差 標準偏差 中位数 中央値 総計
합계 총계 소계 평균 표준편차 중앙값
""".split()  # noqa: SIM905
)
# They may also stand where a case has no number.
_ALSO_VALUES = frozenset(
    """
all max maximum min minimum range
valid missing gültig gültige fehlend fehlende valides manquants manquantes válidos perdidos faltantes
validi mancanti ontbrekend geldig ważne braki 有効 欠損 有效 缺失 유효 결측
""".split()  # noqa: SIM905
)
_SUMMARY_PHRASES = frozenset(
    {
        "grand total",
        "sub total",
        "standard deviation",
        "std dev",
        "i alt",
        "genel toplam",
        "standart sapma",
        'סה"כ',
        "стандартное отклонение",
        "geometric mean",
        "x̄",
        "sous total",
        "25 %",
        "50 %",
        "75 %",
        "25%",
        "50%",
        "75%",
        "%",
        "percent",
        "percentage",
        "prozent",
        "pourcentage",
        "porcentaje",
        "percentuale",
        "procent",
        "p",
        "p value",
        "pvalue",
        "p wert",
        "valeur p",
        "valor p",
        "p valor",
        "valore p",
        "p waarde",
        "wartość p",
        "p 值",
        "p值",
        "p 値",
        "p値",
    }
)
# Beside cases of a few groups, they name a row of test statistics, whatever its numbers are.
_TESTS = re.compile(
    r"(?:t|f|z|u|χ²|χ2|chi²|chi2|chi square|welch|student|levene|wilcoxon|mann whitney|kruskal wallis|fisher"
    r"|logrank|log rank)(?:'s|s)?(?: u| exact| exakter)?"
    r"[ -]?(?:tests?|toets|teste|testi|value|wert|valeur|valor|valore|statistic|statistik|检验|検定|검정)"
    r"|(?:test|prueba|teste) (?:t|f|z|u|de student)|anova|chi²|chi2|χ²|χ2|t тест|mann whitney(?: u)?|wilcoxon"
    r"|kruskal wallis"
)  # fmt: skip
_WORD_ENDS = ("total", "subtotal", "合计", "小计", "合計", "小計", "합계", "소계")
_LONGEST_WORDS = 60
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def names_summary(text: str) -> bool:
    """Tell whether a text is what people write beside a total, a mean or the like.

    >>> names_summary("Total:"), names_summary("Moyenne"), names_summary("合計"), names_summary("summit")
    (True, True, True, False)
    """
    if len(text) > _LONGEST_WORDS:
        return False
    plain = _plain_words(text)
    first = _FIRST_WORD.search(plain)
    return (
        plain in _SUMMARY_PHRASES
        or _TESTS.fullmatch(plain) is not None
        or plain.endswith(_WORD_ENDS)
        or (first is not None and first.start() == 0 and first[0] in _SUMMARY_WORDS | _ALSO_VALUES)
    )


def _plain_words(text: str) -> str:
    return " ".join(text.casefold().replace("-", " ").replace(".", "").split()).strip("*:= ")


def names_test(text: str) -> bool:
    """Tell whether a text names a statistical test, or what it gives.

    >>> names_test("t-test"), names_test("Mann-Whitney U"), names_test("testosterone")
    (True, True, False)
    """
    return _TESTS.fullmatch(_plain_words(text)) is not None


def may_be_value(text: str) -> bool:
    """Tell whether a word for a summary may also stand where a case has no number, as Max does."""
    first = _FIRST_WORD.match(text.casefold())
    return first is not None and first[0] in _ALSO_VALUES
