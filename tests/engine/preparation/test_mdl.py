"""Fayyad and Irani's method against a slow program straight from the paper, and published cut points."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.preparation.discretisation_methods import frequent_combinations, label_combinations, mdl_cuts
from tests.examples import examples
from tests.with_each import with_each


def entropy(classes: list[int]) -> float:
    return -sum(c / len(classes) * math.log2(c / len(classes)) for c in Counter(classes).values())


def cuts_by_the_paper(values: list[float], classes: list[int]) -> list[float]:
    """Definitions 1 and 2 and the criterion of section 3, one candidate at a time."""
    pairs = sorted(zip(values, classes, strict=True))
    candidates = []
    for (low, _), (high, _) in pairwise(pairs):
        if low < high:
            cut = (low + high) / 2
            left = [c for v, c in pairs if v <= cut]
            right = [c for v, c in pairs if v > cut]
            share = len(left) / len(pairs)
            candidates.append((share * entropy(left) + (1 - share) * entropy(right), cut, left, right))
    if not candidates:
        return []
    least = min(candidate[0] for candidate in candidates)
    after, cut, left, right = next(c for c in candidates if c[0] <= least + 1e-9)
    everything = left + right
    n, k, k1, k2 = len(everything), len(set(everything)), len(set(left)), len(set(right))
    gain = entropy(everything) - after
    delta = math.log2(3**k - 2) - (k * entropy(everything) - k1 * entropy(left) - k2 * entropy(right))
    if not gain > math.log2(n - 1) / n + delta / n:
        return []
    lower = [(v, c) for v, c in pairs if v <= cut]
    upper = [(v, c) for v, c in pairs if v > cut]
    parts = [cuts_by_the_paper([v for v, _ in part], [c for _, c in part]) for part in (lower, upper)]
    return sorted([cut, *parts[0], *parts[1]])


def cuts_by_the_program(values: np.ndarray, classes: np.ndarray) -> list[float]:
    order = np.argsort(values, kind="stable")
    return mdl_cuts(values[order], classes[order]).tolist()


@with_each("seed", range(30))
def test_equals_the_paper_on_noisy_steps(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows = int(generator.integers(10, 150))
    levels = int(generator.integers(2, 6))
    values = generator.integers(0, generator.integers(3, 80), rows).astype(float)
    step = (values * levels / (values.max() + 1)).astype(int)
    classes = np.where(generator.random(rows) < 0.2, generator.integers(0, levels, rows), step)
    assert cuts_by_the_program(values, classes) == pytest.approx(
        cuts_by_the_paper(values.tolist(), classes.tolist()), abs=1e-12
    )


@examples(150)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), min_size=2, max_size=60))
def test_equals_the_paper_on_anything(pairs: list[tuple[int, int]]) -> None:
    values = np.array([v for v, _ in pairs], dtype=float)
    classes = np.array([c for _, c in pairs])
    assert cuts_by_the_program(values, classes) == cuts_by_the_paper(values.tolist(), classes.tolist())


def test_iris_has_its_published_cuts() -> None:
    """The cut points that the R package discretization documents for mdlp(iris)."""
    sklearn_datasets = pytest.importorskip("sklearn.datasets")
    iris = sklearn_datasets.load_iris()
    published = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.80, 1.75]]
    cuts_of_columns = [cuts_by_the_program(iris.data[:, place], iris.target) for place in range(4)]
    for cuts, expected in zip(cuts_of_columns, published, strict=True):
        assert cuts == pytest.approx(expected, abs=1e-9)


def test_one_class_and_noise_have_no_cut() -> None:
    generator = np.random.default_rng(7)
    values = np.sort(generator.normal(size=500))
    assert len(mdl_cuts(values, np.zeros(500, dtype=int))) == 0
    assert len(mdl_cuts(values, generator.integers(0, 2, 500))) == 0


def test_gaps_in_the_class_codes_do_not_matter() -> None:
    values = np.arange(40.0)
    classes = np.repeat([0, 1], 20)
    assert mdl_cuts(values, classes * 5 + 2).tolist() == mdl_cuts(values, classes).tolist() == [19.5]


def test_many_classes_do_not_overflow() -> None:
    classes = np.repeat(np.arange(2000), 3)
    assert np.isfinite(mdl_cuts(np.arange(6000.0), classes)).all()


def test_a_cut_between_neighbouring_floats_parts_them() -> None:
    low = 1.0
    high = float(np.nextafter(low, 2))
    values = np.repeat([low, high], 20)
    (cut,) = mdl_cuts(values, np.repeat([0, 1], 20)).tolist()
    assert low <= cut < high


def test_combinations_are_told_apart_without_overflow() -> None:
    generator = np.random.default_rng(0)
    labels = tuple(generator.integers(0, 3, 400) for _ in range(90))
    labels = tuple(np.concatenate([label, label]) for label in labels)
    combinations = label_combinations(labels)
    assert len(np.unique(combinations)) == len(np.unique(np.stack(labels), axis=1).T)
    assert (combinations[:400] == combinations[400:]).all()


def test_combinations_that_hardly_recur_do_not_invite_cuts() -> None:
    """With a class of its own for each row any cut would seem perfect."""
    generator = np.random.default_rng(0)
    values = np.sort(generator.normal(size=1000))
    assert len(mdl_cuts(values, np.arange(1000))) > 100
    assert len(mdl_cuts(values, frequent_combinations(np.arange(1000)))) == 0
