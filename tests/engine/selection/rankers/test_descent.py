"""No iteration of any method raises what the method minimises."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import engine
from tests.examples import first_of
from tests.with_each import with_each

from .planted import planted

ITERATIVE = ("sfus", "csfs", "mifs", "mcls", "cmfs")
SETTINGS = {
    "sfus": [{"alpha": a, "beta": b} for a in (1e-3, 1.0, 1e3) for b in (1e-3, 1.0, 1e3)],
    "csfs": [{"mu": mu} for mu in (1e-3, 1.0, 1e3)],
    "mifs": [
        {"alpha": a, "beta": b, "gamma": c} for a in (0.01, 1.0) for b in (0.01, 1.0) for c in (0.01, 1.0)
    ],
    "mcls": [{"neighbours": p} for p in (1, 5, 500)],
    "cmfs": [
        {"alpha": a, "beta": b, "gamma": c} for a in (0.01, 1.0) for b in (0.01, 1.0) for c in (0.01, 1.0)
    ],
}
CASES = [(name, options) for name in ITERATIVE for options in SETTINGS[name]]


def assert_never_rises(objective: np.ndarray) -> None:
    assert np.isfinite(objective).all()
    assert len(objective) > 1
    assert (np.diff(objective) <= 1e-9 * np.abs(objective[:-1])).all()


@pytest.mark.parametrize(("name", "options"), CASES)
@with_each(("rows", "features"), [(60, 15), (20, 50)])
def test_random_tables(name, options, rows, features):
    for seed in first_of(range(3), 1):
        values, labels = planted(rows=rows, features=features, labels=4, seed=seed)
        ranking = engine.feature_rankers()[name].load()(
            values, labels, max_iterations=60, tolerance=0.0, **options
        )
        assert_never_rises(ranking.objective)


@pytest.mark.parametrize("name", ITERATIVE)
def test_copied_features_rows_and_labels(name):
    """Everything that makes matrices singular at once."""
    values, labels = planted(rows=30, features=6)
    values, labels = np.tile(np.round(values), (2, 3)), np.tile(labels, (2, 2))
    ranking = engine.feature_rankers()[name].load()(values, labels, max_iterations=60, tolerance=0.0)
    assert np.isfinite(ranking.scores).all()
    assert_never_rises(ranking.objective)


def test_unlabelled_rows():
    values, labels = planted(rows=60)
    hidden = np.arange(60) % 3 == 0
    ranker = engine.feature_rankers()["csfs"].load()
    assert_never_rises(ranker(values, labels, unlabelled=hidden, max_iterations=60, tolerance=0.0).objective)


@pytest.mark.parametrize("name", ITERATIVE)
def test_emotions(name, shared_data: Path):
    folder = shared_data / "emotions"
    dataset = engine.read_dataset(folder / "emotions-train.arff", labels=folder / "emotions.xml")
    values = dataset.frame[list(dataset.features)].to_numpy(dtype=np.float64)
    labels = dataset.frame[list(dataset.labels)].astype(float).to_numpy() > 0
    assert values.shape == (391, 72)
    ranking = engine.feature_rankers()[name].load()(values, labels)
    assert ranking.converged
    assert_never_rises(ranking.objective)
