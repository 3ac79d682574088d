"""Algorithm 1 of the paper, line by line: plain, slow, and from the paper alone.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and
Label-specific Causal Variables. Each numbered comment quotes the line that follows. Nothing of the program is
used here: the algorithm 𝔸 of line 3 and the test of independence are given, as they are to the program.

Where the paper leaves something open, this file decides it as the list in :mod:`engine.discovery.clcd` does;
the marks (a) to (i) point to that list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations

import numpy as np
from scipy.special import gammaln
from scipy.stats import chi2

Set = frozenset[str]
# ``(X, Y, S)`` to the logarithm of the p-value of X and the set Y given the set S.
LogP = Callable[[str, Sequence[str], Sequence[str]], float]
# X to its direct causes and effects, and to its spouses with the effects that connect each with X.
Algorithm = Callable[[str], tuple[Sequence[str], Mapping[str, Set]]]


@dataclass(frozen=True)
class Outcome:
    """What Algorithm 1 ends with.

    Attributes
    ----------
    pc : mapping of str to frozenset of str
        Direct causes and effects of each label, after Phase 2.
    sp : mapping of str to mapping of str to frozenset of str
        Spouses of each label with the effects that connect them.
    ei : mapping of str to set of (S, Z)
        Sets that hold equivalent information about each label, and about each connecting effect.
    ccv : mapping of frozenset of str to frozenset of str
        Common causal variables of each set of two and more labels.
    tcv : mapping of str to frozenset of str
        Label-specific causal variables of each label.
    causal : mapping of str to frozenset of str
        Labels for which each variable of U counts, by Definition 4.
    """

    pc: dict[str, Set]
    sp: dict[str, dict[str, Set]]
    ei: dict[str, set[tuple[Set, Set]]]
    ccv: dict[Set, Set]
    tcv: dict[str, Set]
    causal: dict[str, Set]


def algorithm_1(
    labels: Sequence[str],
    others: Sequence[str],
    mine: Algorithm,
    log_p: LogP,
    alpha: float,
    most_given: int,
    largest: int,
) -> Outcome:
    """Run Algorithm 1.

    Parameters
    ----------
    labels, others : sequence of str
        T and U, in column order.
    mine : callable
        The algorithm 𝔸 of line 3.
    log_p : callable
        The test.
    alpha : float
        Significance level: two variables are independent when p is above it.
    most_given : int
        Members of the largest sets S of line 8.
    largest : int
        Members of the largest sets S and Z of lines 13 and 14.
    """

    def independent(x: str, y: Sequence[str], given: Sequence[str] = ()) -> bool:
        return log_p(x, y, given) > math.log(alpha)

    def dependent(x: str, y: Sequence[str], given: Sequence[str] = ()) -> bool:
        return not independent(x, y, given)

    pc: dict[str, list[str]] = {}
    sp: dict[str, dict[str, Set]] = {}
    c: dict[str, Set] = {}
    ei: dict[str, set[tuple[Set, Set]]] = {}

    # {Phase 1: Search an MB for each label.}
    # 2  for each T ∈ T do
    for t in labels:
        # 3  PC_T, SP_T, C_T ← Mine the local causal structure of T from T ∪ U − {T} using 𝔸
        direct, spouses = mine(t)
        pc[t], sp[t] = list(direct), dict(spouses)
        c[t] = frozenset(chain.from_iterable(spouses.values()))

    # {Phase 2: Retrieve the ignored variables.}
    # 5  for each T_i, T_j ∈ T do
    for j in labels:
        for i in labels:
            # 6  if T_i ∈ PC_j do
            if i not in pc[j]:
                continue
            # 7  for each Z satisfying Z ⊥̸ T_i, Z ⊥̸ T_j, Z ⊥ T_i | T_j and Z ⊥ T_j | T_i do
            # (a) Z is one variable of U outside PC_j; (b) the strongest association with T_j first, of equal
            # ones the first column.
            satisfying = [
                member
                for member in others
                if member not in pc[j]
                and dependent(i, [member])
                and dependent(j, [member])
                and independent(i, [member], [j])
                and independent(j, [member], [i])
            ]
            strength = {candidate: float(f"{log_p(j, [candidate], []):.9g}") for candidate in satisfying}
            for candidate in sorted(satisfying, key=strength.__getitem__):
                # 8  PC_Tj ← PC_Tj ∪ Z if ∀S ⊂ PC_j − {T_i}, Z ⊥̸ T_j | S
                # (c) what joined before is in PC_j; (d) S holds so many at most.
                pool = [member for member in pc[j] if member != i]
                if all(dependent(j, [candidate], s) for s in subsets(pool, most_given)):
                    pc[j].append(candidate)

    # {Phase 3: Distinguish process.}
    # 12  for X ∈ T ∪ ⋃ C_T do
    for x in dict.fromkeys([*labels, *chain.from_iterable(c[t] for t in labels)]):
        # (e) PC_X of an effect that is no label is what 𝔸 finds around it.
        pc_x = pc[x] if x in pc else list(mine(x)[0])
        ei[x] = set()
        # 13  for each Z ⊂ U − PC_X and Z ⊥̸ X do
        # (f) every variable of Z depends on X.
        outside = [z for z in others if z not in pc_x and z != x and dependent(x, [z])]
        for s in subsets(pc_x, largest, smallest=1):
            for z in subsets(outside, largest, smallest=1):
                # 14  if ∃S ⊂ PC_X s.t. X ⊥ Z | S and X ⊥ S | Z then
                # (g) neither set larger than needed.
                if is_minimal(s, z, ei[x]) and independent(x, z, s) and independent(x, s, z):
                    # 15  EI_X = EI_X ∪ {<S, Z>}
                    ei[x].add((frozenset(s), frozenset(z)))

    # Equation 9
    def theta(z: Set, t: str) -> bool:
        spouses = sp[t]
        theta_1 = z <= {*pc[t], *spouses}
        theta_2 = any(equivalent == z for _, equivalent in ei[t])
        theta_3 = any(
            equivalent == z and all(effect in spouses.get(member, ()) for member in s)
            for effect in c[t]
            for s, equivalent in ei[effect]
        )
        return theta_1 or theta_2 or theta_3

    # 19  Common causal variables for any label (sub)sets T_S ⊂ T: CCV ← {X | X ∈ Z where Θ(Z) = 1}, and
    # label-specific causal variables for each label T ∈ T: TCV = {X | X ∈ MB_T and X ∉ CCV for ∀T_S
    # including T}. (h) MB_T is any Markov boundary of T, as in Definition 4, and T_S has two labels or more.
    sets = [frozenset(z) for z in subsets(others, largest, smallest=1)]
    counts = {z: frozenset(t for t in labels if theta(z, t)) for z in sets}
    ccv = {
        frozenset(t_s): frozenset(chain.from_iterable(z for z in sets if counts[z].issuperset(t_s)))
        for t_s in subsets(labels, len(labels), smallest=2)
    }
    causal = {x: frozenset(chain.from_iterable(counts[z] for z in sets if x in z)) for x in others}
    tcv = {
        t: frozenset(
            x
            for x in others
            if t in causal[x] and not any(x in common for t_s, common in ccv.items() if t in t_s)
        )
        for t in labels
    }
    return Outcome({t: frozenset(pc[t]) for t in labels}, sp, ei, ccv, tcv, causal)


def subsets(pool: Sequence[str], largest: int, smallest: int = 0) -> Iterator[tuple[str, ...]]:
    """Give the subsets of a pool, the smaller ones first."""
    for size in range(smallest, min(largest, len(pool)) + 1):
        yield from combinations(pool, size)


def is_minimal(s: Sequence[str], z: Sequence[str], listed: set[tuple[Set, Set]]) -> bool:
    """Tell whether no pair of subsets is listed."""
    return not any(smaller_s <= set(s) and smaller_z <= set(z) for smaller_s, smaller_z in listed)


def g2_log_p(columns: Mapping[str, np.ndarray], levels: Mapping[str, int], weights: np.ndarray) -> LogP:
    """Give the G² test of some columns of codes, whose rows count as the weights say.

    A set of variables is one variable with a level for each combination; all levels count.
    """

    def joined(names: Sequence[str]) -> tuple[np.ndarray, int]:
        code, count = np.zeros(len(weights), dtype=np.int64), 1
        for name in names:
            code, count = code * levels[name] + columns[name], count * levels[name]
        return code, count

    @cache
    def log_p(x: str, y: tuple[str, ...], given: tuple[str, ...]) -> float:
        (a, a_count), (b, b_count), (s, s_count) = joined([x]), joined(y), joined(given)
        table = np.zeros((s_count, a_count, b_count))
        np.add.at(table, (s, a, b), weights)
        statistic = 0.0
        for stratum in table:
            if stratum.sum() > 0:
                expected = np.outer(stratum.sum(axis=1), stratum.sum(axis=0)) / stratum.sum()
                full = stratum > 0
                statistic += 2.0 * float((stratum[full] * np.log(stratum[full] / expected[full])).sum())
        return log_tail(statistic, (a_count - 1) * (b_count - 1) * s_count)

    return lambda x, y, given: log_p(x, tuple(y), tuple(given))


def log_tail(statistic: float, dof: int) -> float:
    """Give the logarithm of the probability that chi-squared exceeds a statistic, by series where tiny."""
    p = float(chi2.sf(statistic, dof))
    if p > 1e-200:
        return math.log(p)
    shape, half = dof / 2.0, statistic / 2.0
    return (shape - 1.0) * math.log(half) - half - float(gammaln(shape)) + math.log1p((shape - 1.0) / half)
