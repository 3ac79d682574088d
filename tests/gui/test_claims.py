"""Window, report and files never contradict each other; `tests.benchmarks.claims` asks of 300 results."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from tests.benchmarks.claims import random_result
from tests.claims import KINDS, claims_of, contradictions
from tests.rendered import Rendered, render

SEEDS = (2, 5, 8, 10, 13, 17)


@pytest.fixture(scope="module")
def rendered() -> list[Rendered]:
    return [render(random_result(seed)) for seed in SEEDS]


def test_no_two_claims_contradict_each_other(rendered: list[Rendered]) -> None:
    for each in rendered:
        assert contradictions(claims_of(each)) == []


def test_every_kind_of_claim_is_found_in_every_place(rendered: list[Rendered]) -> None:
    found = {(claim.kind, claim.where.split(" of ")[0]) for each in rendered for claim in claims_of(each)}
    for kind in KINDS:
        assert {(kind, "panel"), (kind, "report")} <= found
    for kind in ("direction", "p", "kind"):
        assert {(kind, place) for place in ("overview", "table in the window", "evidence.csv")} <= found
    assert {
        ("sign", "label_specific.csv"),
        ("sign", "table in the window"),
        ("knowledge", "overview"),
    } <= found


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


@pytest.mark.parametrize(
    ("kind", "plant"),
    [
        ("direction", one_direct_cause),
        ("sign", one_sign_turned),
        ("p", one_marginal_p),
        ("p", another_strength),
        ("p", another_set),
        ("kind", one_spouse),
        ("kind", one_common_more),
        ("knowledge", known_before),
        ("knowledge", knowledge_that_nobody_gave),
    ],
)
def test_one_planted_contradiction_is_found(
    rendered: list[Rendered], kind: str, plant: Callable[[Rendered], None]
) -> None:
    planted = 0
    for each in map(copy.deepcopy, rendered):
        try:
            plant(each)
        except StopIteration:
            continue
        planted += 1
        assert kind in {found for found, _ in contradictions(claims_of(each))}
    assert planted
