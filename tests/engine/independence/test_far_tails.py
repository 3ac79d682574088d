"""Far tails of numbers and categories beside the law over permutations; k statistics beside SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from engine.independence.basis.arranging import basis_table
from engine.independence.basis.blocks import Block, category_block, number_block
from engine.independence.basis.data import marginal_tests
from engine.independence.basis.far_tails import cumulants_of
from engine.independence.chi_squared import NO_LEVEL, log_chi2_sf_values

PERMUTED, LEVEL = 600, 1e-4
LAWS = {
    "without ties": lambda generator, rows: generator.normal(size=rows),
    "counts": lambda generator, rows: generator.poisson(2.0, rows).astype(np.float64),
    "zeros": lambda generator, rows: (generator.random(rows) < 0.3) * generator.exponential(size=rows),
    "heavy": lambda generator, rows: generator.standard_t(2, rows),
    "grades": lambda generator, rows: generator.permutation(np.arange(rows) % 10 // 2),
    "five levels": lambda generator, rows: generator.permutation(
        np.searchsorted((4, 6, 8, 9), np.arange(rows) % 10, side="right")
    ),
}


def block_of(values: np.ndarray) -> Block:
    """Return the columns of a number, or of a category where values are whole numbers."""
    if values.dtype.kind == "i":
        return category_block(values, int(values.max()) + 1)
    return number_block(values, 3)


def permuted(block: Block, generator: np.random.Generator) -> list[Block]:
    """Put the rows of a variable in many orders."""
    rows = block.columns.shape[1]
    return [block._replace(columns=block.columns[:, generator.permutation(rows)]) for _ in range(PERMUTED)]


@pytest.mark.parametrize(
    ("rows", "first", "second"),
    [
        (60, "without ties", "counts"),
        (60, "zeros", "without ties"),
        (60, "zeros", "zeros"),
        (40, "zeros", "counts"),
        (39, "heavy", "heavy"),
        (50, "without ties", "five levels"),
        (60, "zeros", "grades"),
    ],
)
def test_far_tails_are_those_over_permutations(rows: int, first: str, second: str) -> None:
    # Without the correction 2 to 30 times as many permutations had so small a p-value.
    generator = np.random.default_rng(rows)
    blocks = [block_of(LAWS[name](generator, rows)) for name in (first, second)]
    every = [block_permuted for block in blocks for block_permuted in permuted(block, generator)]
    room = [(block.tested, len(block.columns) - block.tested) for block in every]
    table = basis_table(every, room, with_products=False)
    others, stop = np.arange(PERMUTED, 2 * PERMUTED), np.zeros(1, np.uint8)
    count = 0
    for x in range(PERMUTED):
        statistic, dof, *_ = marginal_tests(table, NO_LEVEL, x, others, stop)
        count += np.count_nonzero(log_chi2_sf_values(statistic, dof) <= np.log(LEVEL))
    expected = LEVEL * PERMUTED**2
    assert count <= 1.5 * expected, count / expected


def test_cumulants_of_a_column_are_those_of_k_statistics() -> None:
    values = np.random.default_rng(1).exponential(size=30)
    k2, k3, k4 = (stats.kstat(values, order) for order in (2, 3, 4))
    centred = values - values.mean()
    (sums,) = cumulants_of(centred[np.newaxis] / np.linalg.norm(centred), 30)
    np.testing.assert_allclose(sums[:3], k4 / k2**2)
    np.testing.assert_allclose(sums[3:], (k3 / k2**1.5) ** 2)


def test_sums_of_cumulants_do_not_heed_how_other_columns_are_turned() -> None:
    generator = np.random.default_rng(2)
    values = np.vstack((np.ones(50), generator.exponential(size=(3, 50))))
    columns = np.linalg.qr(values.T)[0].T[1:]
    turned = columns.copy()
    turned[1:] = np.array(((0.6, 0.8), (-0.8, 0.6))) @ columns[1:]
    np.testing.assert_allclose(cumulants_of(columns, 50)[2], cumulants_of(turned, 50)[2], rtol=1e-9)
    # Of a category all columns stand for the variable, and may be turned.
    turned = turned[[2, 0, 1]]
    of_category = [cumulants_of(columns_of_block, 50, leading=3)[2] for columns_of_block in (columns, turned)]
    np.testing.assert_allclose(*of_category, rtol=1e-9)
    # Those that stand for it are then all there are.
    np.testing.assert_allclose(of_category[0][:3], of_category[0][0])
    np.testing.assert_allclose(of_category[0][3:9], of_category[0][3])
    np.testing.assert_allclose(of_category[0][9:], of_category[0][12])
    # A row that occurred twice counts twice.
    often = np.repeat(np.arange(25), 2)
    once = np.linalg.qr(np.vstack((np.ones(25), generator.exponential(size=(2, 25)))).T)[0].T[1:] / np.sqrt(2)
    np.testing.assert_allclose(
        cumulants_of(once, 50, np.full(25, 2.0)), cumulants_of(once[:, often], 50), rtol=1e-9
    )
