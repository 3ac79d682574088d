"""Multiple imputation: what is drawn, pooled tests and sizes, and what these are worth."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from scipy.stats import chi2, chi2_contingency, f

import engine
from engine.discovery.discover import suited_table
from engine.discovery.effects.all_effects import adjusted_association
from engine.discovery.effects.size_words import size_sentences
from engine.discovery.effects.standardisation import Standardised, pooled
from engine.errors import Cancelled, InvalidData
from engine.preparation import imputation
from engine.progress import SilentProgress
from engine.reporting.sentences.method import caveats, references
from engine.table.dataset import Imputed
from engine.table.variable import Kind, Role
from engine.wording.phrases import plain
from tests.benchmarks.missing import d2, table


def imputed(kind: str, seed: int = 0, draws: int = 5, rows: int = 500) -> engine.Dataset:
    return engine.prepare(table(kind, seed, rows)[1], missing="imputed", imputations=draws)


def test_d2_of_the_benchmark_is_that_of_published_examples():
    # Allison's macro COMBCHI, whose documentation has this example.
    assert d2(np.array([5.8, 7.2, 6.1, 8.5]), 3.0) == pytest.approx(0.1060954, abs=1e-7)


def test_draws_are_the_same_for_any_number_of_workers(monkeypatch: pytest.MonkeyPatch):
    by_threads = imputed("mixed", rows=150).imputed
    monkeypatch.setattr(
        imputation,
        "run_all",
        lambda work, items, **_: list(enumerate([work(work_unit) for work_unit in reversed(items)][::-1])),
    )
    one_by_one = imputed("mixed", rows=150).imputed
    for name, drawn in by_threads.values.items():
        np.testing.assert_array_equal(drawn, one_by_one.values[name])


def test_what_is_known_of_a_row_is_made_up_for():
    complete, gappy = table("numbers", 1, 2000)
    drawn = engine.prepare(gappy, missing="imputed", imputations=5)
    truth = complete.column("x0").mean()
    seen = np.nanmean(gappy.column("x0"))
    filled = np.mean([drawn.completed(draw).column("x0").mean() for draw in range(5)])
    assert abs(seen - truth) > 0.25
    assert abs(filled - truth) < 0.08
    assert not drawn.completed(0).has_missing
    assert drawn.has_missing


def test_draws_look_as_the_column_does():
    random = np.random.default_rng(0)
    age, visits = random.integers(18, 90, 300).astype(float), random.poisson(1.0, 300).astype(float)
    dose = np.round(random.lognormal(1.0, 1.5, 300), 1)
    columns = {
        "age": age,
        "visits": visits,
        "dose": dose,
        "sex": random.choice(["f", "m"], 300).astype(object),
    }
    for values in columns.values():
        values[random.random(300) < 0.3] = None if values.dtype == object else np.nan
    frame = pandas.DataFrame(columns | {"ill": random.choice(["no", "yes"], 300)})
    gappy = engine.Dataset.from_frame(frame, labels=["ill"])
    drawn = engine.prepare(gappy, missing="imputed", imputations=4).imputed.values
    # Whole years, and those that nobody seen has; counts and levels that occur; a tenth, and none below 0.
    assert (drawn["age"] == np.round(drawn["age"])).all() and not np.isin(drawn["age"], age).all()
    assert np.isin(drawn["visits"], visits).all()
    assert set(np.unique(drawn["sex"])) == {0, 1}
    assert np.allclose(drawn["dose"], np.round(drawn["dose"], 1)) and drawn["dose"].min() >= 0.0
    assert drawn["dose"].max() < 3.0 * np.nanmax(dose)


def test_draws_follow_their_rows():
    drawn = imputed("categories", rows=150)
    rows = np.arange(149, -1, -3)
    np.testing.assert_array_equal(
        drawn.select_rows(rows).completed(2).column("x1"), drawn.completed(2).column("x1")[rows]
    )
    mask = np.arange(150) % 2 == 0
    np.testing.assert_array_equal(
        drawn.select_rows(mask).completed(1).column("y1"), drawn.completed(1).column("y1")[mask]
    )


def g_squared(tables: list[np.ndarray]) -> float:
    return sum(
        chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic for table in tables
    )


def by_hand(mean: float, stacked: float, dof: float, draws: int) -> tuple[float, float]:
    """Chan and Meng (2022), equations 2.13 and 3.3, with the law of Meng and Rubin (1992)."""
    relative = max(0.0, (draws + 1) / (dof * (draws - 1)) * (mean - stacked))
    freedom = 4 + (dof * (draws - 1) - 4) * (1 + (1 - 2 / (dof * (draws - 1))) / relative) ** 2
    return f.sf(stacked / dof / (1 + relative), dof, freedom), relative


def test_pooled_g_squared_is_the_likelihood_ratio_of_the_mean_counts():
    drawn = imputed("categories", draws=6)
    counts = np.zeros((6, 3, 3, 2))
    for draw in range(6):
        done = drawn.completed(draw)
        np.add.at(counts[draw], tuple(done.column(name) for name in ("z2", "x2", "y2")), 1)
    mean = float(np.mean([g_squared(list(count)) for count in counts]))
    stacked = g_squared(list(counts.mean(axis=0)))
    expected, relative = by_hand(mean, stacked, 6.0, 6)
    record = engine.ci_test("g2", drawn, "x2", "y2", ["z2"], dof="adjusted")
    assert record.dof == 6.0
    assert record.p_value == pytest.approx(expected, rel=0.02)
    assert record.p_value == pytest.approx(chi2.sf(record.statistic, 6.0), rel=1e-9)
    assert record.between_share == pytest.approx(relative / (1 + relative), rel=1e-9)
    assert record.effect == pytest.approx(np.sqrt(1 - np.exp(-stacked / 500)), rel=1e-9)
    assert record.rows == 500


@pytest.mark.parametrize(("kind", "test"), [("categories", "g2"), ("numbers", "basis"), ("mixed", "basis")])
def test_draws_that_agree_are_one_table(kind: str, test: str):
    drawn = imputed(kind, 2, draws=2)
    same = {name: draws[[1, 1, 1]] for name, draws in drawn.imputed.values.items()}
    question = ("x2", "y2", ["z2", "a0"])
    result = engine.ci_test(test, drawn.with_imputed(Imputed(3, 0, same)), *question)
    alone = engine.ci_test(test, drawn.completed(1), *question)
    assert result.between_share == pytest.approx(0.0, abs=1e-9)
    assert result.statistic == pytest.approx(alone.statistic, rel=1e-9)


def test_variables_without_gaps_are_tested_as_ever():
    complete, gappy = table("numbers", 3)
    drawn = engine.prepare(gappy, missing="imputed", imputations=2)
    result, alone = (engine.ci_test("basis", dataset, "a0", "a1", ["a2"]) for dataset in (drawn, complete))
    assert result.statistic == pytest.approx(alone.statistic, rel=1e-9)
    assert result.between_share == 0.0


def test_sizes_are_pooled_as_statsmodels_does():
    from statsmodels.imputation.bayes_mi import MI
    from statsmodels.regression.linear_model import OLS

    random = np.random.default_rng(0)
    sets = [(random.normal(size=40), random.normal(size=(40, 2))) for _ in range(4)]

    class Given:
        def __init__(self) -> None:
            self.waiting = list(sets)

        def update(self) -> None:
            self.data = self.waiting.pop(0)

    combined = MI(
        Given(),
        OLS,
        model_args_fn=lambda model_args: model_args,
        nrep=4,
        skip=0,
        burn=0,
        model_kwds_fn=lambda _: {},
    ).fit()
    fits = [OLS(*response_and_columns).fit() for response_and_columns in sets]
    pooled_fit = pooled(
        [
            Standardised(
                fit.params[:, np.newaxis],
                fit.cov_params()[:, np.newaxis, :, np.newaxis],
                38.0,
                np.zeros((2, 1)),
            )
            for fit in fits
        ]
    )
    np.testing.assert_allclose(pooled_fit.means[:, 0], combined.params)
    np.testing.assert_allclose(pooled_fit.covariance[:, 0, :, 0], combined.cov_params())
    share = [pooled_fit.between_share(direction) for direction in np.eye(2)]
    np.testing.assert_allclose(share, combined.fmi)


def test_sizes_rest_on_all_rows_and_are_wider():
    complete, gappy = table("categories", 4)
    drawn = engine.prepare(gappy, missing="imputed", imputations=10)
    width = np.zeros(3)
    for part in range(3):
        question = (f"x{part}", f"y{part}", [f"z{part}"])
        sizes = [adjusted_association(dataset, *question) for dataset in (complete, gappy, drawn)]
        width += [size.leading.high - size.leading.low for size in sizes]
        assert (sizes[2].rows, sizes[2].rows_lost) == (500, 0)
        assert 0.1 < sizes[2].between_share < 0.9
        assert sizes[0].between_share == sizes[1].between_share == 0.0
    assert width[0] < width[2] < width[1]


@pytest.mark.parametrize(
    ("seeds", "most", "least"), [(4, 4, 6), pytest.param(8, 7, 11, marks=pytest.mark.long)]
)
def test_level_holds_where_rows_are_chosen_by_an_effect(seeds: int, most: int, least: int):
    """At .07, more than 4 of 16 independent pairs, or 7 of 32, seem dependent in 4, or 1, of 1000 tests."""
    rejections: dict[str, list[bool]] = {"imputed": [], "linked": []}
    for seed in range(seeds):
        for kind, test in (("categories", "g2"), ("numbers", "basis")):
            drawn = imputed(kind, 1000 + seed, draws=5, rows=400)
            for part in range(3):
                p = engine.ci_test(test, drawn, f"x{part}", f"y{part}", [f"z{part}"]).p_value
                rejections["linked" if part == 2 else "imputed"].append(p < 0.05)
    assert sum(rejections["imputed"]) <= most
    assert sum(rejections["linked"]) >= least


def test_a_search_pools_every_test():
    drawn, complete = imputed("mixed", 6, draws=3, rows=1000), table("mixed", 6, 1000)[0]
    result, again, from_complete = (
        engine.discover(dataset, engine.DiscoverySettings(workers=workers))
        for dataset, workers in ((drawn, 1), (drawn, 2), (complete, 1))
    )
    for label, boundary in from_complete.boundaries.items():
        assert set(result.boundaries[label].parents_children) == set(boundary.parents_children)
    assert result.boundaries == again.boundaries
    assert result.dataset.imputed is not None
    sizes = engine.effects(drawn, result, estimands=["association"])
    assert (sizes.table()["between_share"] > 0.0).any()
    measured = sizes.of("z2", "y2")
    assert any(
        "comes from imputed values" in plain(sentence) for sentence in size_sentences(measured.values())
    )
    assert "imputed values" in str(sizes.flags["z2", "y2"])
    heading = "Missing values were imputed."
    assert heading in dict(caveats(result)) and any(
        "Chan, Meng" in reference for reference in references(result)
    )


def test_numbers_that_a_test_cuts_are_cut_in_every_draw():
    drawn = imputed("numbers", 6, draws=2, rows=200)
    done = suited_table(drawn, "g2").completed(1)
    above = drawn.completed(1).column("x0") > np.nanmedian(drawn.column("x0"))
    assert done.variable("x0").kind is Kind.NOMINAL
    np.testing.assert_array_equal(done.column("x0") == 1, above)


def test_what_cannot_be_imputed_or_pooled_says_so():
    gappy = table("numbers", 7, 100)[1]
    for role in (Role.WEIGHT, Role.GROUPS):
        with pytest.raises(InvalidData, match="a0"):
            engine.prepare(
                gappy.with_column(gappy.variable("a0"), np.arange(100.0) // 2 + 1).with_roles({"a0": role}),
                missing="imputed",
            )
    drawn = engine.prepare(gappy, missing="imputed", imputations=2)
    with pytest.raises(InvalidData, match="pool") as refused:
        engine.ci_test("fisher-z", drawn, "x0", "y0")
    assert "G²" in refused.value.remedy
    complete = table("numbers", 7, 100)[0]
    assert engine.prepare(complete, missing="imputed").imputed is None


def test_it_stops_when_asked():
    class Impatient(SilentProgress):
        times_asked = 0

        def should_stop(self) -> bool:
            self.times_asked += 1
            return self.times_asked > 3

    with pytest.raises(Cancelled):
        engine.prepare(table("mixed", 8)[1], missing="imputed", progress=Impatient())


def test_what_was_done_is_told():
    note = imputed("mixed", rows=150).notes[-1]
    assert note.topic == imputation.TOPIC
    assert "5 values were imputed" in note.message
    assert "missing at random" in note.message
