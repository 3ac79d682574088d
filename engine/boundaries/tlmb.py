"""TLMB: takes in what lowers the trace of the conditional covariance operator most. A reconstruction.

Wu, Jiang, Zhong and Chen (2020), Tolerant Markov boundary discovery for feature selection, CIKM 2020,
2261-2264. Strict conditions of independence miss relevant variables in real tables. TLMB instead maps
features and target into a reproducing kernel Hilbert space and minimises the trace of the conditional
covariance operator, which measures what stays open of the target once the features are known.

The paper is known to us by its abstract alone. Assumed here:

- The search grows and then shrinks one set. The variable that lowers the trace most comes in.
- A decrease counts if it is larger than shuffling gives. The target is shuffled among the rows that agree in
  all members, which leaves everything as it is except what is asked: whether the others tell more of the
  target than the members do. Under independence given the members, table and shuffled copies are exchangeable
  whatever the kernel (Good 2005, Permutation, Parametric and Bootstrap Tests of Hypotheses). The
  largest decrease over all variables and copies is the bar, so that looking at many variables does not let
  one in by chance (Westfall and Young 1993, Resampling-Based Multiple Testing): with 199 copies, noise passes
  about once in 200 rounds.
- Decreases are compared in standard deviations of their own copies, since a variable of many levels lowers
  the trace more by chance. Of those beyond the bar, the one comes in whose decrease exceeds the mean of its
  copies most.
- Where no single variable passes, pairs are tried: the trace speaks of sets, and two causes can tell of
  the target only together.
- The kernels are those named below.

All members are held fixed at once, so a large boundary needs rows in plenty. Tests and their level play
no part; association in the table only says which variables are tried where not all are.

The variables are mapped into a reproducing kernel Hilbert space, and so is the target. The conditional
covariance operator is what remains of the covariance of the target once its best prediction from the
variables is taken off: Fukumizu, Bach and Jordan (2004), Dimensionality reduction for supervised learning
with reproducing kernel Hilbert spaces, JMLR 5:73-99, and (2009), Kernel dimension reduction in regression,
Annals of Statistics 37:1871-1905. Its trace is estimated by ``e Tr[G_Y (G_X + n e I)^-1]`` with centred Gram
matrices over the n rows and a small number e; as a measure for choosing features: Chen, Stern, Wainwright
and Jordan (2017), Kernel feature selection via conditional covariance minimization, NIPS 30:6946-6955.

Kernels: of the target, 1 for equal levels and 0 for others. Of a set of variables, the product of
``1 + [equal levels]`` over its variables, which up to a factor is a Gaussian kernel on indicators of levels.
It is strictly positive definite, so that in an endless sample, with a vanishing e, the trace is least
exactly where the target depends on no further variable given the set. And a further variable only adds a
positive semidefinite matrix to the Gram matrix, so that the estimate never rises.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from engine.boundaries.options import TlmbOptions
from engine.boundaries.search import SearchTask, UndividedSearch
from engine.errors import InvalidParameter
from engine.translation import _
from engine.wording.setting_names import the_setting


def configurations(codes: np.ndarray) -> np.ndarray:
    """Return the number of the configuration of some variables, 0, 1, … without omissions, of each row.

    >>> configurations(np.array([[0, 1, 1, 0], [2, 0, 0, 0]])).tolist()
    [1, 2, 2, 0]
    """
    numbers = np.zeros(codes.shape[1], dtype=np.int64)
    for column in codes:
        combined = numbers * (int(column.max()) + 1) + column
        numbers = np.unique(combined, return_inverse=True)[1]
    return numbers


def traces(codes: np.ndarray, targets: np.ndarray, levels: int, regularisation: float) -> np.ndarray:
    """Estimate the trace of the conditional covariance operator of targets given the same variables.

    Rows that share a configuration share their row of the Gram matrix. An orthogonal change of basis
    therefore splits it into a matrix as small as the number of configurations, and zeros: the result is that
    of the matrices over all rows. It lies between 0 and the chance that two rows drawn at random differ in
    the target, which it is where there are no variables. `regularisation` is the number e.
    """
    rows = codes.shape[1]
    numbers = configurations(codes)
    sizes = np.bincount(numbers).astype(np.float64)
    groups = len(sizes)
    counts = np.stack([_counts(numbers, target, groups, levels) for target in targets])
    root = np.sqrt(sizes)
    mean_direction = root / np.sqrt(rows)
    # Sums over configurations in an orthonormal basis, centred; shape (configurations, targets * levels).
    sums = counts.transpose(1, 0, 2).reshape(groups, -1) / root[:, None]
    sums -= np.outer(mean_direction, mean_direction @ sums)
    overall = rows - (counts.sum(axis=1) ** 2).sum(axis=1) / rows
    within = overall - (sums**2).reshape(groups, len(targets), levels).sum(axis=(0, 2))
    gram = _centred(_kernel(codes, numbers) * np.outer(root, root), mean_direction)
    penalty = rows * regularisation
    gram[np.diag_indices(groups)] += penalty
    factor = cholesky(gram, lower=True, overwrite_a=True, check_finite=False)
    solved = solve_triangular(factor, sums, lower=True, check_finite=False)
    between = (solved**2).reshape(groups, len(targets), levels).sum(axis=(0, 2))
    values: np.ndarray = (np.maximum(within, 0.0) + penalty * between) / rows
    return values


def _counts(numbers: np.ndarray, target: np.ndarray, groups: int, levels: int) -> np.ndarray:
    """Count the rows of each configuration and level."""
    counted = np.bincount(numbers * levels + target, minlength=groups * levels)
    return counted.reshape(groups, levels).astype(np.float64)


def _kernel(codes: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Kernel of every two configurations."""
    first = np.unique(numbers, return_index=True)[1]
    kernel = np.ones((len(first), len(first)))
    for column in codes[:, first]:
        kernel *= 1.0 + (column[:, None] == column[None, :])
    return kernel


def _centred(matrix: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Take a direction of length 1 out of a symmetric matrix on both sides."""
    image = matrix @ direction
    both = np.outer(direction, image)
    centred: np.ndarray = matrix - both - both.T + (direction @ image) * np.outer(direction, direction)
    return centred


Variables = tuple[int, ...]

# Copies that differ by less than this differ by rounding alone; the trace is at most 1.
_ROUNDING = 1e-12
_FIRST_COPIES = 19


def tlmb(task: SearchTask) -> UndividedSearch:
    """Find a Markov boundary."""
    options = task.options or TlmbOptions()
    boundary = _TracedBoundary(task, options)
    while joining := boundary.best_addition():
        boundary.members.extend(joining)
    boundary.shrink()
    return UndividedSearch(tuple(boundary.members), boundary.comparisons)


class _TracedBoundary:
    """The members of a boundary in the making."""

    def __init__(self, task: SearchTask, options: TlmbOptions) -> None:
        self._task = task
        self._options = options
        # The target belongs to the seed, so that searches of several targets draw independently.
        self._source = np.random.default_rng((options.seed, task.target))
        self._codes = self._drawn_rows(_complete_codes(task))
        self._levels = int(self._codes[task.target].max(initial=0)) + 1
        self.members: list[int] = []
        self.comparisons = 0

    def best_addition(self) -> Variables | None:
        """Return the variable, or else the pair, that tells most beyond the members; None where none does."""
        others = [int(candidate) for candidate in self._task.everyone if candidate not in self.members]
        single = self._best([(candidate,) for candidate in others[: self._options.among]], self.members)
        if single is not None:
            return single
        return self._best(list(combinations(others[: self._options.paired], 2)), self.members)

    def shrink(self) -> None:
        """Take out, one after another, each member that tells nothing beyond the others."""
        for member in tuple(self.members):
            rest = [kept for kept in self.members if kept != member]
            joining = self._best([(member,)], rest)
            if self._task.stop[0]:
                return
            if joining is None:
                self.members = rest

    def _best(self, additions: Sequence[Variables], given: Sequence[int]) -> Variables | None:
        """Return the addition to a set that lowers the trace most, if any does so more than the copies."""
        if not additions or self._task.stop[0]:
            return None
        self.comparisons += len(additions)
        targets = self._target_and_copies(given)
        # What does not pass a few of the copies is spared the others, which lets nothing else in.
        if self._best_against(additions, given, targets[: _FIRST_COPIES + 1]) is None:
            return None
        return self._best_against(additions, given, targets)

    def _best_against(
        self, additions: Sequence[Variables], given: Sequence[int], targets: np.ndarray
    ) -> Variables | None:
        """Compare the target, which comes first, with its copies."""
        deviations = np.zeros((len(additions), len(targets)))
        excess = np.zeros(len(additions))
        for position, addition in enumerate(additions):
            if self._task.stop[0]:
                return None
            copy_traces = self._traces((*given, *addition), targets)
            # Without the addition, the trace of every copy is that of the table: it cancels out.
            decreases = copy_traces[1:].mean() - copy_traces
            spread = float(copy_traces[1:].std())
            excess[position] = decreases[0]
            if spread > _ROUNDING:
                deviations[position] = decreases / spread
        beyond = deviations[:, 0] > deviations[:, 1:].max()
        if not beyond.any():
            return None
        return additions[int(np.where(beyond, excess, -np.inf).argmax())]

    def _traces(self, variables: Variables, targets: np.ndarray) -> np.ndarray:
        return traces(self._codes[list(variables)], targets, self._levels, self._options.regularisation)

    def _target_and_copies(self, given: Sequence[int]) -> np.ndarray:
        """Return the target, then copies that are shuffled among the rows that agree in a set."""
        target = self._codes[self._task.target]
        # Of the narrowest integers, as only short ones are put in order by counting.
        numbers = configurations(self._codes[list(given)])
        strata = numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))
        positions = np.argsort(strata, kind="stable")
        copies = np.empty((self._options.shuffles + 1, len(target)), dtype=np.int64)
        copies[0] = target
        for copy in copies[1:]:
            if self._task.stop[0]:
                break
            shuffled = np.argsort(self._source.random(len(target)))
            copy[positions] = target[shuffled[np.argsort(strata[shuffled], kind="stable")]]
        return copies

    def _drawn_rows(self, codes: np.ndarray) -> np.ndarray:
        """Draw the rows to work on where there are more than the options allow."""
        limit = self._options.rows
        if limit is None or codes.shape[1] <= limit:
            return codes
        drawn = self._source.choice(codes.shape[1], limit, replace=False)
        return codes[:, np.sort(drawn)]


def _complete_codes(task: SearchTask) -> np.ndarray:
    """Return the codes of all variables; raise where the table has others."""
    codes = task.data.complete_codes
    if codes is None:
        raise InvalidParameter(
            _("TLMB reads categories, complete in every row and of equal weight."),
            place=the_setting("algorithm"),
            remedy=_(
                "Choose the test 'g2' or 'x2', fill in missing values, and use no row weights; "
                "or choose another algorithm."
            ),
        )
    return codes.astype(np.int64)
