"""What people know: contradictions are refused with the names, and files say the same when read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.errors import InvalidParameter, UnreadableFile
from engine.knowledge.knowledge import Knowledge, names_like
from engine.knowledge.knowledge_files import read_knowledge, read_tetrad, tetrad_text, write_knowledge
from tests.benchmarks.side_by_side import time_in_turn
from tests.effort import relative_effort
from tests.with_each import with_each

# Each with what the message must name.
CONTRADICTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({"tiers": [["age", "sex"], ["age"]]}, ["'age'", "tiers 1 and 2"]),
    ({"tiers": [["age", "age"]]}, ["'age'", "tier 1 twice"]),
    ({"tiers": "age"}, ["'tiers'", "not a list"]),
    ({"tiers": ["age"]}, ["'tier 1'", "not a list"]),
    ({"tiers": [[1]]}, ["1", "'tier 1'", "not the name"]),
    ({"tiers": [[""]]}, ["not the name"]),
    ({"forbidden": [("a",)]}, ["'a'", "'forbidden'", "not a pair"]),
    ({"required": [("a", "b", "c")]}, ["'required'", "not a pair"]),
    ({"required": ["ab"]}, ["'required'", "not a list"]),
    ({"unconfounded": [("a", "a")]}, ["'a'", "itself"]),
    ({"required": [("a", "b"), ("b", "c"), ("c", "a"), ("x", "y")]}, ["a → b → c → a"]),
    ({"required": [("a", "b")], "forbidden": [("a", "b")]}, ["a → b", "both"]),
    ({"required": [("a", "b")], "not_effects": ["b"]}, ["a → b", "'b' cannot be an effect"]),
    ({"required": [("a", "b")], "tiers": [["b"], ["a"]]}, ["a → b", "'a' stands in a later tier than 'b'"]),
    ({"required": [("a", "m"), ("m", "b")], "tiers": [["b"], ["a"]]}, ["a → m → b", "later tier"]),
]


@with_each("case", CONTRADICTIONS)
def test_a_contradiction_is_refused_by_name(case: tuple[dict[str, Any], list[str]]) -> None:
    parts, culprits = case
    with pytest.raises(InvalidParameter) as caught:
        Knowledge(**parts)
    for culprit in culprits:
        assert culprit in caught.value.problem
    assert caught.value.remedy


def test_what_does_not_contradict_itself_is_taken() -> None:
    knowledge = Knowledge(
        tiers=[["a"], [], ["b", "c"]],
        required=[("a", "b"), ("b", "c"), ("a", "b")],
        forbidden=[("c", "b")],
        not_effects=["a"],
        unconfounded=[("c", "b")],
    )
    assert knowledge.required == (("a", "b"), ("b", "c"))
    assert knowledge.excludes("c", "a") and knowledge.excludes("u", "a")
    assert not knowledge.excludes("a", "c") and not knowledge.excludes("b", "c")
    assert knowledge.nothing_hidden("b", "c") and not knowledge.nothing_hidden("a", "b")
    assert hash(knowledge) == hash(Knowledge(**{part: getattr(knowledge, part) for part in PARTS}))
    assert Knowledge().is_empty and not knowledge.is_empty


PARTS = ("tiers", "forbidden", "required", "not_effects", "unconfounded")


def test_unknown_names_are_told_with_what_is_like_them() -> None:
    with pytest.raises(
        InvalidParameter, match=r"'smokng' is not a variable of the table. Did you mean 'smoking'"
    ):
        Knowledge(tiers=[["smokng"]]).check_names(["smoking", "age"])
    with pytest.raises(InvalidParameter, match=r"'q0', 'q1', 'q2', 'q3', 'q4' and 2 more are"):
        Knowledge(not_effects=[f"q{place}" for place in range(7)]).check_names(["smoking"])
    Knowledge(tiers=[["age"]], forbidden=[("age", "smoking")]).check_names(["smoking", "age"])


# What Tetrad's own tests hold, shortened.
AVATAR = """/knowledge
addtemporal
1 Age DVT
2 Gender Race

forbiddirect
Weight DVT
CYP2C9 Race

requiredirect
Age Smoker
Smoker Race
"""


def test_tetrads_own_file_is_read() -> None:
    knowledge = read_tetrad(AVATAR)
    assert knowledge.tiers == (("Age", "DVT"), ("Gender", "Race"))
    assert knowledge.forbidden == (("Weight", "DVT"), ("CYP2C9", "Race"))
    assert knowledge.required == (("Age", "Smoker"), ("Smoker", "Race"))


def test_a_closed_tier_of_one_variable_forbids_nothing() -> None:
    knowledge = read_tetrad("/knowledge\naddtemporal\n1 age\n2* ill\n")
    assert (knowledge.tiers, knowledge.forbidden) == ((("age",), ("ill",)), ())


def test_patterns_groups_stars_and_quotes_of_tetrad() -> None:
    first, second = "visit1 pain", "visit1.sleep"
    text = (
        "// order of visits\n/knowledge\nAddTemporal\n\n1 age\n2*- visit1*\n4 visit2.pain\n7\tdose\n"
        'requiredgroup\nage "visit1 pain"\nvisit2*\n'
        "forbiddengroup\nage dose\nage dose\n"
        "forbiddirect\nvisit1.pain age\n"
    )
    knowledge = read_tetrad(text, ["age", first, second, "visit2.pain", "dose"])
    assert knowledge.tiers == (("age",), (first, second), ("visit2.pain",), ("dose",))
    assert knowledge.required == (("age", "visit2.pain"), (first, "visit2.pain"))
    within = {(first, second), (second, first)}
    only_next = {(first, "dose"), (second, "dose")}
    assert set(knowledge.forbidden) == {("age", "dose"), ("dose", "age"), (first, "age"), *within, *only_next}


@pytest.mark.parametrize(
    ("pattern", "names", "matching"),
    [
        ("a[1]*", ["a[1]", "a[1] b", "a1"], ["a[1]", "a[1] b"]),
        ("a?*", ["a?", "ab", "a?c"], ["a?", "a?c"]),
        ("[!a]*", ["[!a] b", "b"], ["[!a] b"]),
        ("**a**", ["a", "xay", "y"], ["a", "xay"]),
        ("*.b", ["a.b", "a+b", "first\nsecond.b"], ["a.b", "first\nsecond.b"]),
    ],
)
def test_only_stars_stand_for_other_letters(pattern: str, names: list[str], matching: list[str]) -> None:
    assert names_like(pattern, names) == tuple(matching)


@pytest.mark.parametrize("pattern", ["{stars}q", "{stars}q*", "a*{stars}b", "{again}q"])
def test_work_grows_with_stars_and_names(pattern: str) -> None:

    def looking(size: int) -> Callable[[], object]:
        written = pattern.format(stars="*" * size, again="*a" * size)
        return lambda: names_like(written, ["a" * 20 * size])

    # Each further star multiplied it before.
    assert relative_effort(looking(8), looking(4)) < 20
    assert time_in_turn({"many": looking(1000)}, repeats=1)["many"].best_processor < 1.0


def test_both_formats_say_the_same_when_read_again(tmp_path: Path) -> None:
    knowledge = Knowledge(
        tiers=[["age", "forbiddirect"], ["work load", "悲しい", "//"]],
        forbidden=[("work load", "悲しい"), ("悲しい", "work load"), ("age", "//")],
        required=[("age", "work load"), ("requiredirect", "work load")],
    )
    names = [*knowledge.names, "other"]
    for name in ("order.txt", "order.json"):
        write_knowledge(knowledge, tmp_path / name)
        assert read_knowledge(tmp_path / name, names) == knowledge
    closed = Knowledge(tiers=[["a", "b"]], forbidden=[("b", "a"), ("a", "b"), ("a", "c")])
    assert "0* a b" in tetrad_text(closed)
    assert set(read_tetrad(tetrad_text(closed)).forbidden) == set(closed.forbidden)
    whole = Knowledge(not_effects=["age"], unconfounded=[("a", "b")])
    write_knowledge(whole, tmp_path / "whole.json")
    assert read_knowledge(tmp_path / "whole.json") == whole


@with_each(
    "knowledge",
    [
        Knowledge(not_effects=["a"]),
        Knowledge(unconfounded=[("a", "b")]),
        Knowledge(tiers=[['a"b']]),
        Knowledge(tiers=[["a*"]]),
        Knowledge(tiers=[["a\nb"]]),
    ],
)
def test_what_tetrad_cannot_hold_is_not_written(knowledge: Knowledge, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match=r"Write a file that ends in \.json"):
        write_knowledge(knowledge, tmp_path / "order.txt")
    assert not list(tmp_path.iterdir())
    with pytest.raises(InvalidParameter, match="not clear how"):
        write_knowledge(knowledge, tmp_path / "order.csv")


def _json(members: str) -> bytes:
    return f'{{"format": "clcd-knowledge", "schema_version": 1{members}}}'.encode()


# Contents that are no knowledge about columns "age" and "cough", each with a part of the message.
MALFORMED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "blank": (b" \n\n", "empty"),
    "binary": (bytes(range(256)), "UTF-8"),
    "latin": ("/knowledge\naddtemporal\n0 größe\n".encode("latin-1"), "UTF-8"),
    "utf-16": ("/knowledge\naddtemporal\n0 age\n".encode("utf-16"), "UTF-8"),
    "a table": (b"age,cough\n1,2\n", "not a file of background knowledge"),
    "half": (_json(', "tiers": [["age"]')[:-1], "not JSON"),
    "list": (b"[1, 2]", "not a file of background knowledge"),
    "other format": (b'{"format": "clcd-result"}', "not a file of background knowledge"),
    "no version": (b'{"format": "clcd-knowledge"}', "schema_version"),
    "later version": (_json("").replace(b"1", b"2"), "schema_version"),
    "true version": (_json("").replace(b"1", b"true"), "schema_version"),
    "unknown member": (_json(', "teirs": []'), "'teirs'"),
    "twice": (_json(', "tiers": [], "tiers": []'), "'tiers' stands twice"),
    "null": (_json(', "tiers": null'), "'tiers'"),
    "object": (_json(', "tiers": {"age": 1}'), "'tiers'"),
    "text": (_json(', "forbidden": "age"'), "'forbidden'"),
    "number": (_json(', "not_effects": [7]'), "not the name"),
    "huge number": (_json(', "not_effects": [1' + "0" * 5000 + "]"), "too long"),
    "large number": (_json(', "not_effects": [1e999]'), "not the name"),
    "NaN": (_json(', "not_effects": [NaN]'), "NaN"),
    "nested name": (_json(', "tiers": [[["age"]]]'), "not the name"),
    "deep": (b"[" * 100_000, "too deep"),
    "triple": (_json(', "required": [["age", "cough", "age"]]'), "not a pair"),
    "self": (_json(', "required": [["age", "age"]]'), "itself"),
    "circle": (_json(', "required": [["age", "cough"], ["cough", "age"]]'), "circle"),
    "unknown name": (_json(', "tiers": [["agge"]]'), "Did you mean 'age'"),
    "surrogate": (_json(r', "tiers": [["\ud800"]]'), "not a variable"),
    "two tiers": (_json(', "tiers": [["age"], ["age"]]'), "'age' stands in tiers 1 and 2"),
    "unknown section": (b"/knowledge\naddtemporal\n0 age\nforbidden\nage cough\n", "'forbidden'"),
    "no section": (b"/knowledge\n0 age\n", "no section"),
    "header alone": (b"/knowledge\n", "holds no background knowledge"),
    "no number": (b"/knowledge\naddtemporal\nage cough\n", "'age'"),
    "negative tier": (b"/knowledge\naddtemporal\n-1 age\n", "'-1'"),
    "long tier": (b"/knowledge\naddtemporal\n" + b"9" * 5000 + b" age\n", "neither the number"),
    "one name": (b"/knowledge\nforbiddirect\nage\n", "1 names in place of two"),
    "three names": (b"/knowledge\nrequiredirect\nage cough age\n", "3 names in place of two"),
    "half a group": (b"/knowledge\nforbiddengroup\nage\nrequiredirect\nage cough\n", "no second line"),
    "group at the end": (b"/knowledge\nrequiredgroup\nage\n", "no second line"),
    "empty pattern": (b"/knowledge\naddtemporal\n0 x*\n", "no variable is like 'x*'"),
    "tetrad name": (b"/knowledge\naddtemporal\n0 agge\n", "Did you mean 'age'"),
    "tetrad tiers": (b"/knowledge\naddtemporal\n0 age\n1 a* cough\n", "'age' stands in tiers 1 and 2"),
    "tetrad circle": (b"/knowledge\nrequiredirect\nage cough\ncough age\n", "circle"),
    "tetrad self": (b"/knowledge\nforbiddirect\nage age\n", "itself"),
}


@with_each("name", list(MALFORMED))
def test_a_malformed_file_is_refused_with_its_name(name: str, tmp_path: Path) -> None:
    content, message = MALFORMED[name]
    path = tmp_path / "known.txt"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile) as caught:
        read_knowledge(path, ["age", "cough"])
    assert message in str(caught.value)
    assert "known.txt" in caught.value.place
    assert len(str(caught.value)) < 400


def test_places_that_hold_no_file_are_told(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere.json", tmp_path / "no\0name"):
        with pytest.raises(UnreadableFile):
            read_knowledge(path)
    large = tmp_path / "large.json"
    large.write_bytes(b" " * (16 << 20) + b"{}")
    with pytest.raises(UnreadableFile, match="too large"):
        read_knowledge(large)
