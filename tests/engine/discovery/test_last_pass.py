"""The last pass: what it takes out, what it leaves in, and that nothing upsets it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest
from scipy import stats

import engine
from engine.boundaries.discovery_settings import arranged
from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.boundaries.search import SpouseLink
from engine.discovery.boundary_model import ModelColumns
from engine.discovery.last_pass import Confirmation, confirmed
from engine.reporting.result_file import read_result, write_result
from engine.reporting.sentences.overview import run_sentences
from engine.reporting.tables import ResultContext
from tests.benchmarks.grouped_confirmation import Shape, shares
from tests.benchmarks.odd_tables import drawn

ROWS = 2000


def _pass_over(
    frame: pandas.DataFrame,
    members: list[str],
    spouses: dict[str, str] | None = None,
    test: str = "auto",
    alpha: float = 0.01,
) -> tuple[Confirmation, set[str]]:
    """Run the pass over a boundary of T that is given; give what it says, and the names that are left."""
    settings = engine.DiscoverySettings(test=test, alpha=alpha)
    data = arranged(engine.Dataset.from_frame(frame, labels=["T"]), settings)
    search = Neighbourhoods(data, settings, np.zeros(1, np.uint8))
    at = data.positions
    neighbourhood = Neighbourhood(at["T"], tuple(at[member] for member in members), {}, {}, 0, 0)
    links = [SpouseLink(at[member], at[child], (at[child],)) for member, child in (spouses or {}).items()]
    confirmation = confirmed(search, neighbourhood, links)
    left = {*confirmation.neighbourhood.members, *(link.spouse for link in confirmation.links)}
    return confirmation, {data.names[member] for member in left}


def _binary(generator: np.random.Generator, scores: np.ndarray) -> np.ndarray:
    return np.where(generator.logistic(size=len(scores)) < scores, "yes", "no")


def _six_parents(seed: int, rows: int = ROWS) -> pandas.DataFrame:
    """T has six causes, and Z follows from all six: three of them do not explain Z."""
    generator = np.random.default_rng(seed)
    causes = generator.normal(size=(6, rows))
    return pandas.DataFrame(
        {
            **{f"C{place}": cause for place, cause in enumerate(causes)},
            "T": _binary(generator, 0.8 * causes.sum(axis=0)),
            "Z": causes.sum(axis=0) + generator.normal(size=rows),
        }
    )


@pytest.mark.parametrize("seed", range(100, 105))
def test_what_all_others_explain_leaves(seed: int) -> None:
    frame = _six_parents(seed)
    confirmation, left = _pass_over(frame, ["Z", *(f"C{place}" for place in range(6))])
    assert left == {f"C{place}" for place in range(6)}
    (departure,) = confirmation.departures
    assert len(departure.given) == 6
    assert departure.log_p > np.log(0.01)
    # By all columns of a number or by its first, the better of the two at twice its p.
    twice = np.log(2.0) + stats.chi2.logsf(departure.statistic, departure.dof)
    assert departure.log_p == pytest.approx(min(0.0, twice))


@pytest.mark.parametrize("outcome", ["levels", "numbers"])
def test_labels_of_other_kinds_have_regressions_of_their_own(outcome: str) -> None:
    generator = np.random.default_rng(0)
    frame = _six_parents(7)
    scores = 0.8 * frame[[f"C{place}" for place in range(6)]].sum(axis=1) + generator.logistic(size=ROWS)
    frame["T"] = scores if outcome == "numbers" else np.array(["a", "b", "c"])[np.digitize(scores, [-1, 1])]
    _, left = _pass_over(frame, ["Z", *(f"C{place}" for place in range(6))])
    assert left == {f"C{place}" for place in range(6)}


@pytest.mark.parametrize("kind", ["numbers", "categories"])
@pytest.mark.parametrize("seed", [100, 101, 102])
def test_a_spouse_that_acts_only_together_with_its_child_stays(kind: str, seed: int) -> None:
    """The child shows the label, turned round by the spouse: alone the spouse tells nothing."""
    generator = np.random.default_rng(seed)
    label = generator.integers(0, 2, ROWS)
    if kind == "numbers":
        spouse = generator.normal(size=ROWS)
        child = (2 * label - 1) * (spouse + 0.3) + generator.normal(size=ROWS)
    else:
        spouse = generator.integers(0, 2, ROWS)
        child = np.where(generator.random(ROWS) < 0.25, generator.integers(0, 2, ROWS), label ^ spouse)
        child = np.where(generator.random(ROWS) < 0.2, label, child)
    frame = pandas.DataFrame({"T": label, "S": spouse, "C": child, "noise": generator.normal(size=ROWS)})
    _, left = _pass_over(frame, ["C", "noise"], {"S": "C"}, test="basis")
    assert left == {"C", "S"}


@pytest.mark.parametrize("seed", [100, 101, 102])
def test_causes_that_act_only_together_stay(seed: int) -> None:
    generator = np.random.default_rng(seed)
    first, second, third = generator.normal(size=(3, ROWS))
    label = _binary(generator, 1.5 * first * second + third)
    frame = pandas.DataFrame(
        {"T": label, "A": first, "B": second, "C": third, "noise": generator.normal(size=ROWS)}
    )
    _, left = _pass_over(frame, ["A", "B", "C", "noise"])
    assert left == {"A", "B", "C"}


@pytest.mark.parametrize("seed", [100, 101, 102])
def test_what_is_related_to_a_cause_that_acts_together_with_another_leaves(seed: int) -> None:
    generator = np.random.default_rng(seed)
    first, second = generator.normal(size=(2, ROWS))
    columns = {"A": first, "B": second, "D": second + 0.7 * generator.normal(size=ROWS)}
    frame = pandas.DataFrame({**columns, "T": _binary(generator, 2.0 * first * second + first + second)})
    # D's products with A go with T as well, but not beside those of B.
    _, left = _pass_over(frame, ["A", "B", "D"])
    assert left == {"A", "B"}


def _decided_and_rare(seed: int, rows: int) -> pandas.DataFrame:
    """T is rare, and its effects show it in every row; what follows from these bends with it."""
    generator = np.random.default_rng(seed)
    label = (generator.random(rows) < 0.05).astype(float)
    cause = generator.normal(size=rows)
    effects = [4.0 * label + cause + 0.7 * generator.normal(size=rows)]
    effects += [5.0 * label + 0.7 * generator.normal(size=rows) for _ in range(2)]
    return pandas.DataFrame(
        {
            **{f"E{place}": effect for place, effect in enumerate(effects)},
            "S": cause,
            "Z0": effects[0] + effects[1] + generator.normal(size=rows),
            "Z1": effects[2] - cause + generator.normal(size=rows),
            "T": np.where(label > 0.0, "yes", "no"),
        }
    )


# With the fewer rows a logistic regression bears numbers by their first columns alone.
@pytest.mark.parametrize("rows", [3000, 10_000])
@pytest.mark.parametrize("seed", range(100, 104))
def test_what_follows_from_effects_that_decide_a_rare_label_leaves(seed: int, rows: int) -> None:
    frame = _decided_and_rare(seed, rows)
    _, left = _pass_over(frame, ["E0", "E1", "E2", "Z0", "Z1"], {"S": "E0"})
    assert left == {"E0", "E1", "E2", "S"}


@pytest.mark.parametrize("is_simple", [False, True])
def test_levels_that_share_a_column_are_written_in_it(is_simple: bool) -> None:
    frame = pandas.DataFrame({"T": ["yes", "no"] * 50, "G": list("aabbc" * 18) + list("aaaaabdddd")})
    settings = engine.DiscoverySettings(test="basis")
    data = arranged(engine.Dataset.from_frame(frame, labels=["T"]), settings)
    columns = ModelColumns(data, np.ones(100, dtype=bool), is_simple)
    at = data.positions["G"]
    assert columns.itself_in(at, lambda _: 1.0).tolist() == np.eye(len(columns.of(at))).tolist()


def test_with_many_rows_the_level_falls() -> None:
    generator = np.random.default_rng(0)
    left = {}
    for rows in (ROWS, 10 * ROWS):
        junk = generator.normal(size=(16, rows))
        frame = pandas.DataFrame({f"J{place}": column for place, column in enumerate(junk)})
        frame["T"] = _binary(generator, np.zeros(rows))
        left[rows] = len(_pass_over(frame, list(frame.columns[:-1]), alpha=0.3)[1])
    # Of 16 superfluous ones about 5 stay at .3, and a tenth of them with ten times the rows.
    assert left[ROWS] >= 2
    assert left[10 * ROWS] <= 2


def test_of_two_copies_one_stays() -> None:
    frame = _six_parents(3)
    frame["copy"] = frame["C0"] + 1e-9 * np.random.default_rng(0).normal(size=ROWS)
    confirmation, left = _pass_over(frame, ["copy", *(f"C{place}" for place in range(6))])
    assert len(left & {"copy", "C0"}) == 1
    assert len(confirmation.departures) == 1


@pytest.mark.parametrize("rows", [8, 30, 200])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_label_that_is_decided_upsets_nothing(rows: int, seed: int) -> None:
    frame = _six_parents(seed, rows)
    frame["T"] = np.where(frame["C0"] > frame["C0"].median(), "yes", "no")
    frame["levels"] = frame["T"].str.cat(np.where(np.arange(rows) % 3 == 0, "a", "b"))
    _, left = _pass_over(frame, ["levels", "C0", "Z", "C1"])
    assert left & {"levels", "C0"}


@pytest.mark.parametrize("levels", [2, 3])
@pytest.mark.parametrize("seed", [100, 101, 102])
def test_causes_stay_where_the_others_decide_the_label(levels: int, seed: int) -> None:
    # Ten effects with little noise decide T in every row, and the causes tell of it all the same.
    generator = np.random.default_rng(seed)
    causes = generator.normal(size=(3, ROWS))
    codes = np.digitize(causes.sum(axis=0) + generator.normal(size=ROWS), np.linspace(-1, 1, levels - 1))
    effects = codes + 0.5 * generator.normal(size=(10, ROWS))
    columns = {
        **dict(zip(["C0", "C1", "C2"], causes, strict=True)),
        **{f"E{i}": e for i, e in enumerate(effects)},
    }
    frame = pandas.DataFrame(
        {**columns, "junk": generator.normal(size=ROWS), "T": np.array(list("abc"))[codes]}
    )
    _, left = _pass_over(frame, [*columns, "junk"])
    assert left == set(columns)


@pytest.mark.parametrize("test", ["g2", "basis"])
def test_what_a_label_hides_is_not_taken_out_by_it_as_a_child_with_a_spouse(test: str) -> None:
    """The cause acts on the label alone, and the label all but decides its twin, with little from another."""
    generator = np.random.default_rng(3)
    cause, spouse = generator.integers(0, 2, (2, 20_000))
    label = np.where(generator.random(20_000) < 0.45, 1 - cause, cause)
    twin = np.where((spouse == 1) & (generator.random(20_000) < 0.05), 1, label)
    columns = {"label": label, "twin": twin, "cause": cause, "spouse": spouse, "other": cause[::-1]}
    dataset = engine.Dataset.from_frame(pandas.DataFrame(columns).astype(str), labels=["label", "twin"])
    result = engine.discover(dataset, engine.DiscoverySettings(test=test), directions=False)
    assert set(result.boundaries["label"].parents_children) == {"cause", "twin"}
    assert result.boundaries["label"].spouses == {"spouse": {"twin"}}
    (reason,) = result.reasons("cause", "label")
    assert reason.recovered


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("test", ["g2", "basis"])
def test_what_a_spouse_and_its_child_shield_connects_nothing(test: str, seed: int) -> None:
    """The shielded one is an effect of the child, of the spouse and of a third cause, which is no spouse."""
    generator = np.random.default_rng(seed)
    label, spouse, third = generator.integers(0, 2, (3, 2000))
    child = (generator.random(2000) < np.array([0.05, 0.6, 0.95])[label + spouse]).astype(int)
    shielded = generator.random(2000) < np.array([0.03, 0.35, 0.65, 0.97])[child + spouse + third]
    columns = {"label": label, "spouse": spouse, "third": third, "child": child, "shielded": shielded * 1}
    dataset = engine.Dataset.from_frame(pandas.DataFrame(columns).astype(str), labels=["label"])
    result = engine.discover(dataset, engine.DiscoverySettings(test=test), directions=False)
    assert result.boundaries["label"].parents_children == ("child",)
    assert result.boundaries["label"].spouses == {"spouse": {"child"}}


def test_few_rows_leave_the_boundary_as_it_was() -> None:
    frame = _six_parents(0, 30)
    confirmation, left = _pass_over(frame, ["Z", *(f"C{place}" for place in range(6))])
    assert not confirmation.is_made
    assert len(left) == 7


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_of_members_that_are_too_many_those_stay_that_tell_something_beside_the_strongest(seed: int) -> None:
    """A rare level bears few coefficients, and with many rows what goes along with a cause passes tests."""
    rng = np.random.default_rng(seed)
    rows, relatives = 12_000, 15
    causes = rng.normal(size=(3, rows))
    pull = causes.sum(axis=0) + rng.logistic(size=rows)
    frame = pandas.DataFrame(dict(zip("abc", causes, strict=True)))
    for number in range(relatives):
        frame[f"r{number}"] = causes[number % 3] + rng.normal(size=rows)
    frame["T"] = np.select([pull > 5.5, pull > 0.0], ["rare", "often"], "never")
    members = ["a", "b", "c", *(f"r{number}" for number in range(relatives))]
    confirmation, left = _pass_over(frame, members)
    assert confirmation.is_made
    assert {"a", "b", "c"} <= left
    assert len(left) <= 4
    assert len(confirmation.departures) == len(members) - len(left)
    # With fewer rows they are mostly true.
    few, left = _pass_over(frame[:3000], members)
    assert not few.is_made
    assert left == set(members)


def test_the_order_of_columns_does_not_matter() -> None:
    frame = _six_parents(11)
    members = ["Z", *(f"C{place}" for place in range(6))]
    first, left = _pass_over(frame, members)
    second, left_again = _pass_over(frame[frame.columns[::-1]], members[::-1])
    assert left == left_again
    assert first.departures[0].statistic == pytest.approx(second.departures[0].statistic, rel=1e-9)


def test_the_pass_belongs_to_the_controlled_procedure() -> None:
    frame = _six_parents(100, 5000)
    frame["Z"] += np.random.default_rng(1).normal(scale=3.0, size=5000)
    dataset = engine.Dataset.from_frame(frame, labels=["T"])
    by_procedure = {
        procedure: engine.discover(dataset, engine.DiscoverySettings(procedure=procedure))
        for procedure in ("controlled", "as published")
    }
    assert "Z" in by_procedure["as published"].boundaries["T"].members
    assert not by_procedure["as published"].departures
    controlled = by_procedure["controlled"]
    assert "Z" not in controlled.boundaries["T"].members
    (departure,) = [departure for departure in controlled.departures if departure.y == "Z"]
    assert (departure.x, departure.given) == ("T", tuple(f"C{place}" for place in range(6)))
    assert not controlled.unconfirmed_labels


def test_the_result_says_where_rows_did_not_allow_the_pass() -> None:
    frame = _six_parents(100, 18)
    frame["T"] = np.where(frame["C0"] > frame["C0"].median(), "yes", "no")
    result = engine.discover(engine.Dataset.from_frame(frame, labels=["T"]))
    assert result.unconfirmed_labels == ("T",)
    assert any(
        "not confirmed by a regression: there are too few rows." in sentence
        for sentence in run_sentences(result)
    )


def test_departures_are_kept_in_files(tmp_path: Path) -> None:
    frame = _six_parents(100, 5000)
    frame["Z"] += np.random.default_rng(1).normal(scale=3.0, size=5000)
    dataset = engine.Dataset.from_frame(frame, labels=["T"])
    result = engine.discover(dataset)
    write_result(ResultContext(result), tmp_path / "result.json")
    assert read_result(tmp_path / "result.json", dataset).departures == result.departures


def test_rows_with_gaps_in_members_are_left_out() -> None:
    frame = _six_parents(100)
    names = ["Z", *(f"C{place}" for place in range(6))]
    gaps = np.random.default_rng(0).random((ROWS, len(names))) < 0.05
    with_gaps = frame.assign(**{name: frame[name].mask(gaps[:, place]) for place, name in enumerate(names)})
    confirmation, left = _pass_over(with_gaps, names)
    whole, _ = _pass_over(frame[~gaps.any(axis=1)], names)
    assert left == set(names) - {"Z"}
    assert confirmation.departures[0].statistic == pytest.approx(whole.departures[0].statistic, rel=0.3)


def test_rows_that_are_counted_are_judged_as_if_they_were_written_out() -> None:
    # Of 8000 rows p is .005: below the level, and not below a quarter of it.
    counted = pandas.DataFrame(
        {"A": ["a", "a", "b", "b"], "T": ["no", "yes", "no", "yes"], "w": [2063, 1937, 1937, 2063]}
    )
    written_out = counted.loc[counted.index.repeat(counted["w"]), ["A", "T"]].reset_index(drop=True)
    departures = []
    for frame, weights in ((counted, "w"), (written_out, None)):
        settings = engine.DiscoverySettings(test="basis", row_weights="counts", alpha=0.01)
        data = arranged(engine.Dataset.from_frame(frame, labels=["T"], weights=weights), settings)
        search = Neighbourhoods(data, settings, np.zeros(1, np.uint8))
        neighbourhood = Neighbourhood(data.positions["T"], (data.positions["A"],), {}, {}, 0, 0)
        (departure,) = confirmed(search, neighbourhood, []).departures
        departures.append(departure)
    assert departures[0].log_p == pytest.approx(departures[1].log_p)
    assert np.exp(departures[0].log_p) == pytest.approx(0.005, abs=0.001)


@pytest.mark.parametrize("kind", ["counts", "sampling"])
def test_weights_are_heeded(kind: str) -> None:
    frame = _six_parents(100)
    frame["w"] = np.random.default_rng(0).integers(1, 3, ROWS)
    settings = engine.DiscoverySettings(row_weights=kind)
    data = arranged(engine.Dataset.from_frame(frame, labels=["T"], weights="w"), settings)
    search = Neighbourhoods(data, settings, np.zeros(1, np.uint8))
    at = data.positions
    causes = [f"C{place}" for place in range(6)]
    neighbourhood = Neighbourhood(at["T"], tuple(at[member] for member in ["Z", *causes]), {}, {}, 0, 0)
    confirmation = confirmed(search, neighbourhood, [])
    assert confirmation.is_made
    assert {data.names[member] for member in confirmation.neighbourhood.members} == set(causes)


def test_few_groups_are_named_as_the_reason_why_nothing_was_confirmed() -> None:
    frame = _six_parents(100, 800)
    frame["clinic"] = np.arange(800) // 120
    result = engine.discover(engine.Dataset.from_frame(frame, labels=["T"], groups="clinic"))
    assert result.unconfirmed_labels == ("T",)
    (sentence,) = [sentence for sentence in run_sentences(result) if "not confirmed" in sentence]
    assert "too few rows or groups of rows" in sentence


def test_members_are_confirmed_where_rows_come_in_groups() -> None:
    frame = _six_parents(100)
    frame["person"] = np.arange(ROWS) // 4
    result = engine.discover(engine.Dataset.from_frame(frame, labels=["T"], groups="person"))
    assert not result.unconfirmed_labels
    assert not [sentence for sentence in run_sentences(result) if "not confirmed" in sentence]
    assert "Z" in {departure.y for departure in result.departures}


@pytest.mark.parametrize("outcome", ["numbers", "levels"])
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_that_are_alike_within_groups_let_no_more_false_members_through(
    outcome: str, weighted: bool
) -> None:
    """Causes stay about as often as with independent rows that tell as much."""
    shape, seeds = Shape(100, 10, 0.6), range(25)
    confirmed_share, causes, noise, _ = shares(shape, outcome, seeds, weighted=weighted, alpha=0.1)
    _, of_independent, _, _ = shares(shape, outcome, seeds, grouped=False, alpha=0.1)
    assert confirmed_share == 1.0
    # About 5 of 50 at a level of .1; the standard deviation is 2.1. As independent rows they would be 15.
    assert noise <= 0.22
    assert causes >= of_independent - (0.3 if weighted else 0.15)


@pytest.mark.parametrize("outcome", ["levels", "numbers"])
def test_weights_of_noise_let_no_more_false_members_through(outcome: str) -> None:
    """Superfluous members are significant as often as they are without weights: at the level."""
    significant = {True: 0, False: 0}
    for seed in range(20):
        generator = np.random.default_rng(seed)
        frame = pandas.DataFrame(generator.normal(size=(600, 8)), columns=[f"J{place}" for place in range(8)])
        scores = frame["J0"].to_numpy()
        noise = generator.normal(size=600)
        frame["T"] = scores + noise if outcome == "numbers" else _binary(generator, scores)
        weights = generator.exponential(size=600)
        frame["w"] = weights / weights.mean()
        for is_weighted in (True, False):
            settings = engine.DiscoverySettings(row_weights="sampling", alpha=0.1)
            table = frame if is_weighted else frame.drop(columns="w")
            dataset = engine.Dataset.from_frame(table, labels=["T"], weights="w" if is_weighted else None)
            data = arranged(dataset, settings)
            search = Neighbourhoods(data, settings, np.zeros(1, np.uint8))
            members = tuple(data.positions[f"J{place}"] for place in range(8))
            confirmation = confirmed(search, Neighbourhood(data.positions["T"], members, {}, {}, 0, 0), [])
            assert confirmation.is_made
            assert members[0] in confirmation.neighbourhood.members
            significant[is_weighted] += len(confirmation.neighbourhood.members) - 1
    # About 14 of 140 at a level of .1; the standard deviation is 3.5.
    assert significant[True] <= 26
    assert abs(significant[True] - significant[False]) <= 16


def _cancelling_causes(seed: int) -> pandas.DataFrame:
    """A and B are opposite, so that neither alone tells much of T, of which C tells nearly everything."""
    generator = np.random.default_rng(seed)
    noise = generator.normal(size=(10, ROWS))
    first, second = 0.93 * noise[0] + 0.37 * noise[1], -0.93 * noise[0] + 0.37 * noise[2]
    is_so = 2.0 * first + 2.0 * second + noise[3] > 0.0
    columns = {"A": first, "B": second, "H": noise[0], "C": 2.0 * is_so + 0.5 * noise[4]}
    columns |= {f"N{place}": column for place, column in enumerate(noise[5:])}
    return pandas.DataFrame({**columns, "T": np.where(is_so, "yes", "no")})


def test_a_neighbour_that_single_tests_separated_comes_back_given_the_others() -> None:
    boundaries = []
    for seed in range(100, 110):
        result = engine.discover(engine.Dataset.from_frame(_cancelling_causes(seed), labels=["T"]))
        boundary = result.boundaries["T"]
        boundaries.append({*boundary.parents_children, *boundary.spouses})
        for feature in boundaries[-1] - {"C"}:
            (shown,) = result.evidence[f"{feature} → T"]
            assert all(test.p_value < 0.01 for test in shown.tests)
    # Where tests see neither of the two, nothing brings the other one to light.
    seen = [members for members in boundaries if members != {"C"}]
    assert len(seen) >= 5
    # Single tests saw at most one of them, and H stood in for the other in all of these tables.
    assert sum({"A", "B"} <= members for members in seen) >= len(seen) - 1
    assert sum("H" in members for members in seen) <= 2


def test_what_is_the_same_as_a_neighbour_that_came_back_is_told() -> None:
    is_told = []
    for seed in range(100, 110):
        frame = _cancelling_causes(seed)
        result = engine.discover(engine.Dataset.from_frame(frame.assign(Z=frame["A"]), labels=["T"]))
        members = set(result.boundaries["T"].parents_children) & {"A", "Z"}
        if members:
            pairs = zip(result.equivalences["in_boundary"], result.equivalences["equivalent"], strict=True)
            is_told.append(len(members) == 1 and {"A", "Z"} in [{*first, *second} for first, second in pairs])
    assert len(is_told) >= 5
    assert all(is_told)


def test_in_a_wide_table_what_is_related_to_the_label_comes_back_too() -> None:
    frame = _cancelling_causes(101)
    noise = np.random.default_rng(101).normal(size=(ROWS, 250))
    wide = frame.join(pandas.DataFrame(noise, columns=[f"W{place}" for place in range(250)]))
    result = engine.discover(engine.Dataset.from_frame(wide, labels=["T"]))
    assert {"A", "B", "C"} == {*result.boundaries["T"].parents_children, *result.boundaries["T"].spouses}
    data = arranged(engine.Dataset.from_frame(wide, labels=["T"]), engine.DiscoverySettings())
    screen = Neighbourhoods(data, engine.DiscoverySettings(), np.zeros(1, np.uint8)).screen(
        data.positions["T"]
    )
    assert screen.related.tolist() == [
        variable for variable in range(len(data.names)) if screen.is_related(variable)
    ]
    assert 0 < len(screen.related) < len(data.names)


@pytest.mark.parametrize(
    ("seed", "rows", "label", "spouses"),
    [(1005, 500, "L5", {"F10", "F19", "F31"}), (1002, 500, "L64", {"F43"}), (1002, 2000, "L64", {"F43"})],
)
def test_spouses_of_a_neighbour_that_came_back_are_found(
    seed: int, rows: int, label: str, spouses: set[str]
) -> None:
    frame, truth = drawn("straight lines", seed, rows)
    result = engine.discover(engine.Dataset.from_frame(frame, labels=list(truth)))
    boundary = result.boundaries[label]
    members = {*boundary.parents_children, *boundary.spouses}
    assert spouses <= members <= truth[label]
    left = {test.y for test in result.departures if test.x == label}
    assert not left & members


@pytest.mark.parametrize("seed", range(100, 105))
def test_what_follows_from_a_product_or_from_steps_leaves(seed: int) -> None:
    """T hangs on a product and on a step, and Z on the same two: no sum of bends explains Z."""
    generator = np.random.default_rng(seed)
    causes = generator.normal(size=(3, 20_000))
    parts = np.array([causes[0] * causes[1], 2.0 * (causes[2] > 0.0)])
    noise = generator.normal(size=(2, parts.shape[1]))
    columns = {f"C{place}": cause for place, cause in enumerate(causes)}
    columns |= {f"Z{place}": part for place, part in enumerate(parts + noise)}
    frame = pandas.DataFrame({**columns, "T": _binary(generator, causes[0] + causes[1] + parts.sum(axis=0))})
    _, left = _pass_over(frame, list(columns))
    assert left == {"C0", "C1", "C2"}


@pytest.mark.parametrize("kind", ["counts", "uneven"])
@pytest.mark.parametrize("seed", range(100, 105))
def test_what_goes_along_with_the_causes_of_a_number_leaves(kind: str, seed: int) -> None:
    """T grows by factors, or scatters the more the larger it is; Z goes along with its causes alone."""
    generator = np.random.default_rng(seed)
    causes = generator.normal(size=(2, 10_000))
    total = causes.sum(axis=0)
    noise = generator.normal(size=total.shape)
    if kind == "counts":
        label = generator.poisson(np.exp(0.6 * total + 0.5))
    else:
        label = total + noise * np.exp(0.5 * total)
    columns = {
        "C0": causes[0],
        "C1": causes[1],
        "Z": total + 0.5 * generator.normal(size=len(total)),
    }
    frame = pandas.DataFrame({**columns, "T": label.astype(float)})
    _, left = _pass_over(frame, list(columns))
    assert left == {"C0", "C1"}
