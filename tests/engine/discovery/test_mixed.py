"""Searches on tables of numbers and categories, whose causes are known, with nothing cut into bins."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

import engine

ROWS = 3000


def _survey(seed: int) -> engine.Dataset:
    """Draw from a network of linear and logistic relations.

    age → pressure → stroke → weight ← diet, and pain → drugs → fall ← stroke; region and noise stand alone.
    """
    generator = np.random.default_rng(seed)
    age = generator.normal(size=ROWS)
    pressure = 2.0 * age + generator.normal(size=ROWS)
    stroke = 1.5 * pressure + generator.logistic(size=ROWS) > 1.0
    diet = generator.integers(0, 3, ROWS)
    weight = 1.5 * stroke + np.array([0.0, 0.8, -0.6])[diet] + generator.normal(size=ROWS)
    pain = generator.normal(size=ROWS)
    scores = np.outer(pain, [-1.2, 0.0, 1.2]) + generator.gumbel(size=(ROWS, 3))
    drugs = scores.argmax(axis=1)
    fall = 3.0 * stroke + np.array([0.0, 2.0, 4.0])[drugs] + generator.logistic(size=ROWS) > 4.0
    frame = pandas.DataFrame(
        {
            "age": age,
            "pressure": pressure,
            "diet": np.array(["meat", "fish", "plants"])[diet],
            "weight": weight,
            "pain": pain,
            "drugs": np.array(["none", "one", "many"])[drugs],
            "region": np.array(["north", "east", "south", "west"])[generator.integers(0, 4, ROWS)],
            "noise": generator.normal(size=ROWS),
            "stroke": stroke,
            "fall": fall,
        }
    )
    return engine.Dataset.from_frame(frame, labels=["stroke", "fall"])


BOUNDARIES = {
    "stroke": {"pressure", "weight", "diet", "fall", "drugs"},
    "fall": {"stroke", "drugs"},
}


def _boundaries(result: engine.DiscoveryResult) -> dict[str, set[str]]:
    return {
        label: set(boundary.parents_children) | set(boundary.spouses)
        for label, boundary in result.boundaries.items()
    }


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_true_boundaries_are_found_where_bins_leave_false_members(seed: int) -> None:
    survey = _survey(seed)
    result = engine.discover(survey, engine.DiscoverySettings(test="mixed", alpha=0.001))
    assert _boundaries(result) == BOUNDARIES
    # Pressure that is only known as high or low does not explain away what age tells of a stroke.
    cut = engine.discover(engine.prepare(survey), engine.DiscoverySettings(test="g2", alpha=0.001))
    assert "age" in _boundaries(cut)["stroke"]


@pytest.mark.parametrize(
    "algorithm",
    [
        algorithm.name
        for algorithm in engine.algorithms().values()
        if not algorithm.finds_several and not algorithm.needs_rows
    ],
)
def test_every_algorithm_finds_them(algorithm: str) -> None:
    settings = engine.DiscoverySettings(test="mixed", alpha=0.001)
    boundary = engine.markov_boundary(_survey(1), "stroke", settings, algorithm=algorithm)
    assert set(boundary.members) == BOUNDARIES["stroke"]


def test_workers_and_column_order_do_not_change_the_result() -> None:
    survey = _survey(4)
    settings = engine.DiscoverySettings(test="mixed", workers=1)
    alone = engine.discover(survey, settings)
    together = engine.discover(survey, engine.DiscoverySettings(test="mixed", workers=3))
    assert alone.evidence == together.evidence
    turned = engine.discover(survey.select_variables(survey.names[::-1]), settings)
    assert _boundaries(turned) == _boundaries(alone)


def test_a_number_stands_in_for_a_category_and_shows_its_tests() -> None:
    survey = _survey(5)
    stroke = survey.column("stroke")
    marker = np.where(stroke == 1, 5.0, 0.0) + np.random.default_rng(5).normal(size=ROWS)
    frame = survey.frame.assign(marker=marker, pulse=marker * 2.0 + 30.0)
    result = engine.discover(
        engine.Dataset.from_frame(frame, labels=["stroke", "fall"]), engine.DiscoverySettings(test="mixed")
    )
    pairs = {(row.target, *row.in_boundary, *row.equivalent) for row in result.equivalences.itertuples()}
    assert ("stroke", "marker", "pulse") in pairs or ("stroke", "pulse", "marker") in pairs
    for reasons in result.evidence.values():
        for record in (test for reason in reasons for test in reason.tests):
            assert 0.0 <= record.effect <= 1.0
            assert record.dof == int(record.dof)
