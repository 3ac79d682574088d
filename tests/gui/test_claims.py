"""Window, report and files never contradict each other; `tests.benchmarks.claims` asks of 300 results."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable

import pytest

from tests.benchmarks.claims import random_result
from tests.claims import KINDS, claims_of, contradictions
from tests.examples import first_of
from tests.rendered import Rendered, render

# The first four hold every kind of claim, and all that is planted below.
SEEDS = (5, 8, 13, 28, 2, 7, 10, 17)


@pytest.fixture(scope="module")
def rendered() -> list[Rendered]:
    return [render(random_result(seed)) for seed in first_of(SEEDS, 4)]


def test_no_two_claims_contradict_each_other(rendered: list[Rendered]) -> None:
    for page in rendered:
        assert contradictions(claims_of(page)) == []


def test_every_kind_of_claim_is_found_in_every_place(rendered: list[Rendered]) -> None:
    kinds = {(claim.kind, claim.where.split(" of ")[0]) for page in rendered for claim in claims_of(page)}
    for kind in KINDS:
        assert (kind, "panel") in kinds
        assert (kind, "report") in kinds or kind == "spouse"
    for kind in ("direction", "p", "kind"):
        assert {(kind, place) for place in ("overview", "table in the window", "evidence.csv")} <= kinds
    assert {
        ("sign", "label_specific.csv"),
        ("sign", "table in the window"),
        ("knowledge", "overview"),
        ("spouse", "table"),
        ("spouse", "evidence.csv"),
        ("care", "overview, by label"),
        ("care", "table in the window"),
    } <= kinds


def one_direct_cause(page: Rendered) -> None:
    row = next(row for row in page.window["label-specific"] if "effect" in row["Direction"])
    pair = row["Variable"], row["Linked to"]
    page.panel[pair] += f"\n{pair[0]} is a direct cause of {pair[1]}."


def one_sign_turned(page: Rendered) -> None:
    row = next(row for row in page.window["label-specific"] if row["Sign"][0] in "↗↘")
    turned = {"↗": "↘", "↘": "↗"}
    row["Sign"] = turned[row["Sign"][0]] + row["Sign"][1:]


def one_marginal_p(page: Rendered) -> None:
    row = next(row for row in page.window["label-specific"] if row["Given"])
    row["p"], row["Given"] = row["Marginal p"], ""


def another_strength(page: Rendered) -> None:
    row = next(row for row in page.window["label-specific"] if row["Given"])
    row["Strength"] = f"{float(row['Strength']) + 0.02:.2f}"


def another_set(page: Rendered) -> None:
    row = next(row for row in page.files["evidence.csv"] if row["given"])
    row["given"] = "L1" if row["given"] != "L1" else "F1"


def one_spouse(page: Rendered) -> None:
    row = next(row for row in page.window["label-specific"] if row["As"] == "direct neighbour")
    row["As"] = "spouse through F1"


def one_common_more(page: Rendered) -> None:
    page.window["common"].append(copy.deepcopy(page.window["label-specific"][0]))


def known_before(page: Rendered) -> None:
    page.overview += "\nThis was said before the data were looked at."


def knowledge_that_nobody_gave(page: Rendered) -> None:
    pair = next(iter(page.panel))
    page.panel[pair] += f"\n{pair[1]} is a cause of {pair[0]}: background knowledge given with this run."


LINKED = re.compile(r"among rows alike in (.*?) the two are associated, as two causes of one effect are\.")


def causes_beside_an_untold_direction(page: Rendered) -> None:
    pair = next(pair for pair, text in page.panel.items() if LINKED.search(text))
    page.panel[pair] = LINKED.sub(
        r"if no common cause is unmeasured, both are causes of \1, their shared effect.", page.panel[pair]
    )


def a_child_that_is_a_cause(page: Rendered) -> None:
    sentence = next(
        (phrase for text in page.panel.values() for phrase in re.findall(SHARED, text)),
        None,
    )
    if sentence is None:
        raise StopIteration
    _, label, child = sentence
    page.overview += f"\nIf no common cause is unmeasured, {child} is a cause of {label}."


SHARED = r"([FL]\d+) is a spouse of ([FL]\d+): if no common cause is unmeasured, both are causes of ([FL]\d+)"


def another_direction_of_a_spouse(page: Rendered) -> None:
    row = next(row for row in page.files["evidence.csv"] if row["rule"] == "spouse")
    row["statement"] = "undecided" if row["statement"] == "spouse" else "spouse"


def one_mark_less(page: Rendered) -> None:
    label = next(label for label, text in page.listings.items() if "with care" in text)
    page.listings[label] = page.listings[label].replace("with care", "", 1)


def no_mark_by_label(page: Rendered) -> None:
    match = next(re.finditer(r"(\n[FL]\d+\s[\d.]+) with care\n", page.overview))
    page.overview = page.overview.replace(match[0], f"{match[1]}\n", 1)


def one_more_with_care(page: Rendered) -> None:
    count = next(re.finditer(r"(\d+) of \d+ findings? must be read with care", page.overview))
    page.overview = page.overview.replace(count[0], count[0].replace(count[1], f"{int(count[1]) + 1}", 1))


INDEPENDENT = re.compile(r"([FL]\d+) and [FL]\d+ are independent(?: given [^,]*)?, and become")


def a_name_on_both_sides(page: Rendered) -> None:
    pair, match = next(
        (pair, phrase_match)
        for pair, text in page.panel.items()
        for phrase_match in [INDEPENDENT.search(text)]
        if phrase_match
    )
    garbled = match[0].split(" given ")[0].removesuffix(", and become")
    page.panel[pair] = page.panel[pair].replace(match[0], f"{garbled} given {match[1]}, and become", 1)


def another_label_explains(page: Rendered) -> None:
    pair, phrase = next(
        (pair, link_phrase)
        for pair, text in page.panel.items()
        for link_phrase in re.findall(r"is linked to [FL]\d+ through (?:[FL]\d+)", text)
    )
    page.panel[pair] = page.panel[pair].replace(phrase, f"{phrase.rpartition(' ')[0]} L99")


def one_common_less_in_the_lead(page: Rendered) -> None:
    lead = r"(\d+)( of \d+ variables (?:is|are) linked to two or more labels)"
    match = next(re.finditer(lead, page.overview))
    page.overview = page.overview.replace(match[0], f"{int(match[1]) - 1}{match[2]}", 1)


@pytest.mark.parametrize(
    ("kind", "plant"),
    [
        ("link", another_label_explains),
        ("kind", one_common_less_in_the_lead),
        ("direction", one_direct_cause),
        ("sign", one_sign_turned),
        ("p", one_marginal_p),
        ("p", another_strength),
        ("p", another_set),
        ("kind", one_spouse),
        ("kind", one_common_more),
        ("knowledge", known_before),
        ("knowledge", knowledge_that_nobody_gave),
        ("spouse", causes_beside_an_untold_direction),
        ("spouse", a_child_that_is_a_cause),
        ("spouse", another_direction_of_a_spouse),
        ("care", one_mark_less),
        ("care", no_mark_by_label),
        ("care", one_more_with_care),
        ("reason", a_name_on_both_sides),
    ],
)
def test_one_planted_contradiction_is_found(
    rendered: list[Rendered], kind: str, plant: Callable[[Rendered], None]
) -> None:
    planted = 0
    for page in map(copy.deepcopy, rendered):
        try:
            plant(page)
        except StopIteration:
            continue
        planted += 1
        assert kind in {contradicted for contradicted, _ in contradictions(claims_of(page))}
    assert planted


def test_marks_and_figures_are_of_one_kind_in_every_place(rendered: list[Rendered]) -> None:
    for page in rendered:
        cells = [
            text
            for rows in (*page.window.values(), *page.report_tables)
            for row in rows
            for text in row.values()
        ]
        texts = [page.overview, page.report_text, *page.panel.values(), *page.listings.values(), *cells]
        for text in texts:
            assert not re.search(r"'[FL]\d+'|[-−+]0(?:\.0+)?(?![\d.])|hidden in common", text)
            assert not re.search(r"\bheld fixed\b|holding [FL]\d+ fixed", text)
