"""The greedy choice of CLCD-FS: small cases worked by hand, and the procedure as it is written."""

from __future__ import annotations

import itertools
import random

from engine.discovery.evidence import Rule
from engine.selection.clcd_fs import ChosenSet, FeatureBoundary, choose
from tests.examples import first_of
from tests.with_each import with_each

Names = tuple[str, ...]
Pairs = dict[str, list[tuple[Names, Names]]]
ALPHABET = {letter: place for place, letter in enumerate("ABCDEFGHIJ")}


def equally_strong(feature: str, label: str) -> float:
    return -1.0


def boundary(label: str, neighbours: str, spouses: dict[str, str] | None = None) -> FeatureBoundary:
    return FeatureBoundary(
        label,
        tuple(neighbours),
        {name: frozenset(children.split()) for name, children in (spouses or {}).items()},
    )


def summary(choices: list[ChosenSet]) -> list[tuple[str, tuple[str, ...]]]:
    return [("".join(choice.features), choice.labels) for choice in choices]


def test_intersection_of_boundaries_without_equivalents() -> None:
    """Figure 2 of the paper: {A, B, E} and {A, B, F}."""
    common, specific = choose([boundary("T1", "ABE"), boundary("T2", "ABF")], {}, equally_strong, ALPHABET)
    assert summary(common) == [("A", ("T1", "T2")), ("B", ("T1", "T2"))]
    assert summary(specific) == [("E", ("T1",)), ("F", ("T2",))]


def test_a_pair_stands_for_a_pair_of_each_label() -> None:
    """Figure 3 of the paper: {A, B} tells what {C, D} tells about T1, and what {G, H} tells about T2."""
    pairs: Pairs = {"T1": [(("C", "D"), ("A", "B"))], "T2": [(("G", "H"), ("A", "B"))]}
    common, specific = choose([boundary("T1", "CDE"), boundary("T2", "FGH")], pairs, equally_strong, ALPHABET)
    assert summary(common) == [("AB", ("T1", "T2"))]
    assert [service.stands_for for service in common[0].services] == [("C", "D"), ("G", "H")]
    assert {service.rule for service in common[0].services} == {Rule.NEIGHBOUR_EQUIVALENT}
    assert summary(specific) == [("E", ("T1",)), ("F", ("T2",))]


def test_pressure_at_the_sea_serves_tornado_and_rain() -> None:
    """The example of the introduction: any of A, B, C tells of the tornado, only A of the rain."""
    pairs: Pairs = {"tornado": [(("B",), ("A",)), (("B",), ("C",))]}
    common, specific = choose(
        [boundary("tornado", "B"), boundary("rain", "A")], pairs, equally_strong, ALPHABET
    )
    assert summary(common) == [("A", ("tornado", "rain"))]
    tornado, rain = common[0].services
    assert (tornado.rule, tornado.stands_for) == (Rule.NEIGHBOUR_EQUIVALENT, ("B",))
    assert (rain.rule, rain.stands_for) == (Rule.NEIGHBOUR, ())
    assert specific == []


def test_a_stand_in_for_a_spouse_counts_through_its_child() -> None:
    first = boundary("T1", "C", {"B": "C"})
    pairs: Pairs = {"C": [(("B",), ("A",))]}
    common, specific = choose([first, boundary("T2", "A")], pairs, equally_strong, ALPHABET)
    assert summary(common) == [("A", ("T1", "T2"))]
    assert common[0].services[0].rule is Rule.SPOUSE_EQUIVALENT
    assert common[0].services[0].children == ("C",)
    assert summary(specific) == [("C", ("T1",))]


def test_what_tells_the_same_about_another_child_is_no_stand_in() -> None:
    first = boundary("T1", "CD", {"B": "C"})
    pairs: Pairs = {"D": [(("B",), ("A",))]}
    common, _ = choose([first, boundary("T2", "A")], pairs, equally_strong, ALPHABET)
    assert common == []


def test_a_member_stands_for_itself_alone() -> None:
    """A spouse that is also interchangeable with a neighbour takes nobody's place."""
    pairs: Pairs = {"T1": [(("B",), ("A",))]}
    first = boundary("T1", "BC", {"A": "C"})
    common, specific = choose([first, boundary("T2", "A")], pairs, equally_strong, ALPHABET)
    assert common[0].services[0].rule is Rule.SPOUSE
    assert summary(specific) == [("B", ("T1",)), ("C", ("T1",))]


def test_one_stand_in_takes_every_place_that_it_can() -> None:
    pairs: Pairs = {"T1": [(("B",), ("A",)), (("C",), ("A",))]}
    common, specific = choose([boundary("T1", "BC"), boundary("T2", "A")], pairs, equally_strong, ALPHABET)
    assert [service.stands_for for service in common[0].services] == [("B",), ("C",), ()]
    assert specific == []


def test_most_labels_come_first_then_members_then_strength_then_column() -> None:
    three = [boundary("T1", "BC"), boundary("T2", "BCD"), boundary("T3", "DC")]
    assert summary(choose(three, {}, equally_strong, ALPHABET)[0])[0] == ("C", ("T1", "T2", "T3"))
    pairs: Pairs = {"T2": [(("B",), ("A",))]}
    member_first = [boundary("T1", "AB"), boundary("T2", "B")]
    assert summary(choose(member_first, pairs, equally_strong, ALPHABET)[0])[0][0] == "B"
    two = [boundary("T1", "AB"), boundary("T2", "AB")]
    stronger = choose(two, {}, lambda feature, label: -5.0 if feature == "B" else -1.0, ALPHABET)[0]
    assert summary(stronger)[0][0] == "B"
    assert summary(choose(two, {}, equally_strong, ALPHABET)[0])[0][0] == "A"


def test_what_is_left_comes_strongest_first() -> None:
    strengths = {"A": -1.0, "B": -9.0, "C": -4.0}
    _, specific = choose(
        [boundary("T1", "AC"), boundary("T2", "B")], {}, lambda feature, _: strengths[feature], ALPHABET
    )
    assert [choice.features[0] for choice in specific] == ["B", "C", "A"]


def as_written(
    boundaries: list[FeatureBoundary], pairs: Pairs, strengths: dict[tuple[str, str], float]
) -> tuple[list[tuple[Names, frozenset[str]]], dict[str, set[str]]]:
    """Follow lines 10 to 14 word by word, with sets and every subset of at most two features."""
    pc = {boundary.label: set(boundary.neighbours) for boundary in boundaries}
    sp = {
        boundary.label: {name: set(spouse) for name, spouse in boundary.spouses.items()}
        for boundary in boundaries
    }
    subsets = [
        set(some) for size in (1, 2) for some in itertools.combinations(ALPHABET, size)
    ]  # fmt: skip

    def taken_by(z: set[str], label: str) -> tuple[bool, list[set[str]]]:
        if z <= pc[label] | set(sp[label]):
            return True, [z]
        sets = [set(inside) for inside, outside in pairs.get(label, []) if set(outside) == z]
        inside_sets = [inside for inside in sets if inside <= pc[label]]
        for child in ALPHABET:
            connected = {name for name, children in sp[label].items() if child in children}
            sets = [set(inside) for inside, outside in pairs.get(child, []) if set(outside) == z]
            inside_sets += [inside for inside in sets if inside <= connected]
        return False, inside_sets

    common = []
    while True:
        best = None
        for z in subsets:
            served = {label: taken_by(z, label) for label in pc}
            served = {label: sets_served for label, sets_served in served.items() if sets_served[1]}
            if len(served) < 2 or any(set(chosen) == z for chosen, _ in common):
                continue
            inside = sum(within for within, _ in served.values())
            total = sum(strengths[name, label] for name in z for label in served)
            key = (-len(served), -inside, len(z), round(total, 9), sorted(z))
            if best is None or key < best[0]:
                best = (key, z, served)
        if best is None:
            return common, {label: pc[label] | set(sp[label]) for label in pc}
        _, z, served = best
        common.append((tuple(sorted(z)), frozenset(served)))
        for label, (_, gone) in served.items():
            for inside in gone:
                pc[label] -= inside
                for name in inside:
                    sp[label].pop(name, None)


@with_each("seed", first_of(range(60), 20))
def test_random_cases_agree_with_the_procedure_as_it_is_written(seed: int) -> None:
    draw = random.Random(seed)
    labels = ["T1", "T2", "T3", "T4"]
    boundaries, pairs = [], {}
    for label in labels:
        neighbours = draw.sample(list(ALPHABET), draw.randint(1, 4))
        others = [name for name in ALPHABET if name not in neighbours]
        spouses = {name: " ".join(draw.sample(neighbours, 1)) for name in draw.sample(others, 2)}
        boundaries.append(boundary(label, "".join(neighbours), spouses))
        for target, inside in [(label, neighbours), (neighbours[0], list(spouses))]:
            for _ in range(draw.randint(0, 4)):
                size = draw.randint(1, min(2, len(inside)))
                left = [name for name in ALPHABET if name not in inside]
                pair = (tuple(draw.sample(inside, size)), tuple(draw.sample(left, draw.randint(1, 2))))
                pairs.setdefault(target, []).append(pair)
    strengths = {(name, label): -draw.random() for name in ALPHABET for label in labels}
    common, specific = choose(boundaries, pairs, lambda *pair: strengths[pair], ALPHABET)
    expected, left = as_written(boundaries, pairs, strengths)
    assert [(choice.features, frozenset(choice.labels)) for choice in common] == expected
    features_by_label: dict[str, set[str]] = {label: set() for label in labels}
    for choice in specific:
        features_by_label[choice.labels[0]].add(choice.features[0])
    assert features_by_label == left
