"""Blocks of columns that reflect one thing, such as the items of a questionnaire.

Items that reflect one thing have one unmeasured cause in common, and none of them is a cause of another one.
So changing one item changes nothing else. What the data say of such a block (Spearman 1904, American Journal
of Psychology 15:201-292; Silva, Scheines, Glymour and Spirtes 2006, Learning the structure of linear latent
variable models, JMLR 7:191-246; Kummerfeld and Ramsey 2016, Causal clustering for 1-factor measurement
models, KDD, 1655-1664):

- **One factor fits.** The correlation of two members is the product of their loadings, so tetrads vanish.
  Real items do this only nearly (those of the Big Five miss by a seventh), so a share of misfit is allowed.
- **No member separates others.** In a chain, and around a measured common cause, correlations multiply along
  a tree of the variables themselves. The best such tree (Chow and Liu 1968, IEEE Transactions on Information
  Theory 14:462-467) costs as many parameters as one factor, and has to fit worse.
- **No other column separates them.** Given the columns that tell most of the factor, members stay correlated.
- **Links to an outcome run through the factor.** Given the factor score, no single member tells more. Causes
  that merely share an unmeasured cause fit one factor just as well, but each has a link of its own.
  So a regression on the score has to explain the outcome better, parameter for parameter, than one on
  the best few members (Schwarz 1978, Annals of Statistics 6:461-464; with the choice of members paid for as
  by Chen and Chen 2008, Biometrika 95:759-771).

Three columns always fit one factor, so a block of features has at least four. Of outcomes three suffice
(:data:`OF_OUTCOMES`), where no outcome and no measured variable explains why the others go together.
Correlations are those of normal scores of ranks, so units, monotone changes of a scale and names make no
difference.

Items with links of their own to an outcome are not told from causes, except in a long questionnaire. There
the same few answers to many columns, which fall into several blocks, say what they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from engine.independence.normal_scores import (
    NormalScores,
    in_order,
    normal_scores,
    scores_of_levels,
    some_rows,
    with_an_order,
)
from engine.table.dataset import Dataset
from engine.table.variable import Kind

# Columns that are less correlated than this on average are not put together.
LEAST_CORRELATION = 0.15
# The root mean square of what one factor leaves of the correlations, as a share of theirs. The five scales of
# the Big Five have .09 to .15, a chain of weak links .33.
_MOST_MISFIT, MOST_MISFIT_OF_NUMBERS = 0.22, 0.16
LEAST_LOADING, _MOST_LOADING = 0.3, 0.97
# What chance may make of a loading or of misfit in the rows of a first look.
_ROOM = 0.1
_MUCH_MISFIT = 0.35
_MOST_ROUNDS, _NO_CHANGE, _FULL = 200, 1e-5, 0.995
NOTHING_LEFT = 1e-6


def among_columns(correlations: np.ndarray, places: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return the correlations of some columns with one another."""
    chosen = np.asarray(places, dtype=np.int64)
    return np.asarray(correlations[np.ix_(chosen, chosen)])


def may_fit(correlations: np.ndarray) -> bool:
    """Tell at little cost whether one factor may fit: by loadings from sums (Thurstone's centroids)."""
    sizes = np.abs(correlations)
    np.fill_diagonal(sizes, 0.0)
    sums = sizes.sum(axis=0)
    count = len(sums)
    loadings = sums / math.sqrt(sums.sum() * (count - 1) / count)
    left = sizes - np.outer(loadings, loadings)
    np.fill_diagonal(left, 0.0)
    return float((left**2).sum()) <= _MUCH_MISFIT**2 * float((sizes**2).sum())


def loadings_of(correlations: np.ndarray) -> np.ndarray:
    """Return one factor's loadings, of positive sum, by least squares (Comrey 1962, Psychol Rep 11:15-28)."""
    others = correlations - np.diag(np.diag(correlations))
    values, vectors = np.linalg.eigh(correlations)
    loadings = vectors[:, -1] * math.sqrt(max(values[-1], 0.0))
    for _ in range(_MOST_ROUNDS):
        squares = loadings**2
        best = others @ loadings / np.maximum(squares.sum() - squares, 1e-9)
        # Half of the way, or they may swing around what they seek.
        change = 0.5 * (np.minimum(np.maximum(best, -_FULL), _FULL) - loadings)
        loadings = loadings + change
        if np.abs(change).max() < _NO_CHANGE:
            break
    return np.asarray(loadings if loadings.sum() >= 0.0 else -loadings)


def score_weights(loadings: np.ndarray) -> np.ndarray:
    """Return the weights of the best score of the factor (Thomson 1935; Bartlett 1937: in proportion)."""
    return np.asarray(loadings / (1.0 - loadings**2))


def one_factor_fits(
    correlations: np.ndarray, loadings: np.ndarray, observations: float, least_gain: float
) -> bool:
    """Tell whether one factor fits nearly, and better than any tree of the columns themselves.

    Twice the log likelihood ratio has to exceed `least_gain`; with 0 observations, whether more rows could
    show it.
    """
    if not _fits_nearly(correlations, loadings, observations):
        return False
    gain = _log_likelihood(correlations, loadings) - _tree_log_likelihood(correlations)
    return gain > 0.0 if observations == 0.0 else 2.0 * observations * gain > least_gain


def fits_beyond_tree(
    correlations: np.ndarray, loadings: np.ndarray, observations: float, level: float
) -> bool:
    """Tell whether one factor fits nearly, and a test shows that the best tree does not fit."""
    from scipy.special import chdtrc

    sign, determinant = np.linalg.slogdet(correlations)
    if sign <= 0.0 or not _fits_nearly(correlations, loadings, observations):
        return False
    count = len(loadings)
    gain = -0.5 * (determinant + count) - _tree_log_likelihood(correlations)
    return bool(chdtrc((count - 1) * (count - 2) / 2, max(2.0 * observations * gain, 0.0)) < level)


def _fits_nearly(correlations: np.ndarray, loadings: np.ndarray, observations: float) -> bool:
    is_look = observations == 0.0
    sizes = np.abs(loadings)
    if sizes.min() < LEAST_LOADING - _ROOM * is_look or sizes.max() > _MOST_LOADING:
        return False
    return misfit_of(correlations, loadings, observations) <= _MOST_MISFIT + _ROOM * is_look


def reliability_of_sum(loadings: np.ndarray) -> float:
    """Return the factor's share of the variance of a sum: McDonald's omega (1999, Test Theory, p. 89)."""
    sizes = np.abs(loadings)
    own = float((1.0 - sizes**2).sum())
    return float(sizes.sum() ** 2 / (sizes.sum() ** 2 + own))


def misfit_of(correlations: np.ndarray, loadings: np.ndarray, observations: float) -> float:
    """Return what one factor leaves of correlations beyond chance, as a share (root mean squares)."""
    count = len(loadings)
    beside = ~np.eye(count, dtype=bool)
    left = (correlations - np.outer(loadings, loadings))[beside]
    square = float((correlations[beside] ** 2).mean())
    # What chance leaves, as pairs outnumber loadings.
    free = max(count - 3, 0) / (count - 1)
    by_chance = (1.0 - square) ** 2 * free / observations if observations else 0.0
    return math.sqrt(max(float((left**2).mean()) - by_chance, 0.0) / square)


def _log_likelihood(correlations: np.ndarray, loadings: np.ndarray) -> float:
    """Return that of one factor, a row, without the constant."""
    own = 1.0 - loadings**2
    weights = loadings / own
    told = 1.0 + float(loadings @ weights)
    determinant = float(np.log(own).sum()) + math.log(told)
    trace = float((1.0 / own).sum()) - float(weights @ correlations @ weights) / told
    return -0.5 * (determinant + trace)


def _tree_log_likelihood(correlations: np.ndarray) -> float:
    """Return that of the best tree of the columns, a row, without the constant."""
    worth = -np.log(1.0 - np.minimum(correlations**2, 1.0 - 1e-9))
    count = len(worth)
    outside = np.ones(count, dtype=bool)
    outside[0] = False
    best = worth[0].copy()
    total = 0.0
    for _ in range(count - 1):
        nearest = int(np.where(outside, best, -1.0).argmax())
        total += float(best[nearest])
        outside[nearest] = False
        best = np.maximum(best, worth[nearest])
    return 0.5 * (total - count)


def chosen_forward(among: np.ndarray, links: np.ndarray, most: int) -> tuple[list[int], np.ndarray]:
    """Choose up to `most` columns forward by correlations; also return the variance shares they explain."""
    left, toward = among.copy(), links.copy()
    order: list[int] = []
    gains: list[float] = []
    for _ in range(min(most, len(links))):
        own = np.diag(left)
        adds = np.where(own > NOTHING_LEFT, toward**2 / np.maximum(own, NOTHING_LEFT), 0.0)
        adds[order] = -1.0
        best = int(adds.argmax())
        order.append(best)
        gains.append(float(adds[best]))
        slope = left[best] / max(left[best, best], NOTHING_LEFT)
        toward = toward - slope * toward[best]
        left = left - np.outer(slope, left[best])
    return order, np.cumsum(gains)


class Cluster(NamedTuple):
    """Columns that average linkage puts together, and the two parts that it made them of."""

    members: list[int]
    first: int
    parts: tuple[Cluster, ...]


def clusters_of(near: np.ndarray) -> list[Cluster]:
    """Cluster correlated columns by average linkage (Sokal and Michener 1958)."""
    near = near.copy()
    np.fill_diagonal(near, -1.0)
    clusters = {place: Cluster([place], 1, ()) for place in range(len(near))}
    while len(clusters) > 1:
        first, second = divmod(int(near.argmax()), len(near))
        if near[first, second] < LEAST_CORRELATION:
            break
        one, two = clusters[first], clusters.pop(second)
        sizes = len(one.members), len(two.members)
        joined = (sizes[0] * near[first] + sizes[1] * near[second]) / sum(sizes)
        near[second] = near[:, second] = -1.0
        joined[[first, second]] = -1.0
        # Places that are gone stay so.
        joined[near[first] < 0.0] = -1.0
        near[first] = near[:, first] = joined
        clusters[first] = Cluster(one.members + two.members, sizes[0], (one, two))
    return list(clusters.values())


_MOST_MEMBERS = 60
# Of more rows than these some are looked at, evenly spread: all that is asked here is decided by then.
_MOST_ROWS = 20_000
# Of more columns than the first number those are looked for that go with what a block must hold, in fewer
# rows; at most so many as the second.
_FEW_COLUMNS, _MOST_COLUMNS = 100, 500
_ROWS_FOR_SCREEN = 1_000
_LEAST_NEARNESS = 0.2
# Two parts of so many columns may be two blocks. They are one where correlations between them are this share
# of those within.
_SMALLEST_PART, _ONE_BLOCK = 3, 0.8
# A column joins a block whose factor it is correlated with, and clearly less with that of another block.
_TIMES_NEARER = 1.15
# Other columns that together separate the members leave this share of the factor at least.
_LEAST_LEFT = 0.1
# A column that members determine to this share is made of them, as a sum score is, and separates nothing.
# Sums of six items have shares of 0.985 and more; a common cause with 60 measured effects has 0.95.
_MADE_OF_MEMBERS = 0.98
_MOST_OWN_LINKS = 6
# In nats, over all outcomes and of each one. The second bound is for members with the same few answers, the
# last for what may be a block.
_LEAST_EVIDENCE, _LEAST_EVIDENCE_OF_ANSWERS = 6.0, 4.0
_LEAST_EVIDENCE_OF_EACH, _LEAST_POSSIBLE = -1.0, -3.0
_FEWEST_ANSWERS, _MOST_ANSWERS = 3, 11
# So many blocks and items on one scale of answers make a long questionnaire.
_LONG_IN_BLOCKS, _LONG_IN_ITEMS = 4, 20


@dataclass(frozen=True, slots=True)
class BlockBounds:
    """What it takes to call columns a block."""

    members: int  # at least
    gain: float  # twice the log of how many times likelier one factor makes the rows than the best tree
    standard_errors: float  # of the mean correlation of members above 0 given a member or others
    correlation: float  # likewise
    separators: int  # so many other columns may together separate the members
    told: float  # share of the factor that each further separator tells, at least
    pays_for_choice: bool = False  # a part of the columns that go together has to show more: there are many
    # Where the sum of members is so reliable, one factor need not fit better than the best tree: it suffices
    # that a test at this level shows that the tree does not fit.
    reliability: float = math.inf
    level: float = 0.0

    def of_some(self, count: int, among: int) -> BlockBounds:
        """Return what it takes of so many columns among those that go together (Chen and Chen 2008)."""
        if not self.pays_for_choice or count >= among:
            return self
        choices = math.comb(among, count)
        price = 2.0 * math.log(choices)
        return replace(
            self,
            gain=self.gain + price,
            standard_errors=math.sqrt(self.standard_errors**2 + price),
            level=self.level / choices,
        )

    def are_met(self, correlations: np.ndarray, loadings: np.ndarray, observations: float) -> bool:
        """Tell whether one factor fits the correlations as it must."""
        if one_factor_fits(correlations, loadings, observations, self.gain):
            return True
        if reliability_of_sum(loadings) < self.reliability:
            return False
        return fits_beyond_tree(correlations, loadings, observations, self.level)


OF_FEATURES = BlockBounds(4, 6.0, 4.0, 0.0, 5, 0.02)
"""Many columns are looked at, and few of them are known to matter."""
OF_OUTCOMES = BlockBounds(3, 4.5, 2.5, 0.04, 30, 0.0, pays_for_choice=True, reliability=0.85, level=0.05)
"""Few columns are looked at, beside features of which each is known to be linked to one of them."""


@dataclass(frozen=True, slots=True)
class ReflectiveBlock:
    """Columns that reflect one thing."""

    members: tuple[str, ...]  # in column order
    loadings: tuple[float, ...]  # correlation of each with what they reflect; negative for reversed items
    # False where the rows do not tell whether an outcome is linked to the members as a whole: they may be
    # causes that share an unmeasured cause.
    is_shown: bool = True

    @property
    def signs(self) -> tuple[int, ...]:
        """1 of each member, and -1 of reversed ones."""
        return tuple(1 if loading > 0.0 else -1 for loading in self.loadings)

    @property
    def reversed(self) -> tuple[str, ...]:
        """Members that go the other way than most."""
        return tuple(name for name, sign in zip(self.members, self.signs, strict=True) if sign < 0)

    @property
    def reliability(self) -> float:
        """Share of the variance of the sum of members, reversed ones turned, that the factor has: omega."""
        return reliability_of_sum(np.array(self.loadings))


def reflective_blocks(
    dataset: Dataset,
    columns: Sequence[str] | None = None,
    *,
    outcomes: Sequence[str] = (),
    others: Sequence[str] = (),
    holding: Sequence[str] | None = None,
    only_shown: bool = True,
    bounds: BlockBounds = OF_FEATURES,
) -> tuple[ReflectiveBlock, ...]:
    """Find the blocks of columns that reflect one thing: by first member, in column order, no column in two.

    Only numbers, two-valued columns and ordered levels among `columns` (the features when left out) can be
    members; missing values are left out pair by pair. Causes may have links of their own to `outcomes`:
    without any, causes that share an unmeasured cause are not told from items. `others`, of whatever kind,
    and all columns with an order may separate members. With `holding`, only blocks that hold one of these are
    looked for, which is quicker in wide tables. `only_shown` leaves out what may be a block, when too few
    rows tell how outcomes are linked to it. Order of rows and columns, units and names make no difference. Of
    more than 20,000 rows every second, third … is used.

    >>> import numpy, pandas
    >>> drawn = numpy.random.default_rng(0)
    >>> mood = drawn.normal(size=500)
    >>> items = {f"item {i}": (-1) ** i * mood + drawn.normal(size=500) for i in range(1, 6)}
    >>> table = Dataset.from_frame(pandas.DataFrame({**items, "age": drawn.normal(size=500)}))
    >>> [block] = reflective_blocks(table)
    >>> block.members
    ('item 1', 'item 2', 'item 3', 'item 4', 'item 5')
    >>> block.reversed
    ('item 2', 'item 4')
    """
    wanted = set(dataset.features if columns is None else columns)
    members = with_an_order(dataset, wanted)
    if holding is not None and len(members) > _FEW_COLUMNS:
        members = _near(dataset, members, holding, bounds)
    if len(members) < bounds.members:
        return ()
    rows = some_rows(dataset, _MOST_ROWS)
    beside = with_an_order(dataset, (set(others) | set(outcomes)) - wanted)
    names = [*members, *beside]
    scores = normal_scores(dataset, names, rows)
    for name in in_order(dataset, set(others) - wanted - set(outcomes) - set(beside)):
        scores = scores.and_columns(scores_of_levels(dataset, name, rows))
    correlations = scores.correlations(scores)
    np.fill_diagonal(correlations, 1.0)
    inside = correlations[: len(members), : len(members)]
    fitting = _fitting(inside, scores.observations, bounds)
    together = len(_going_together(inside, bounds))
    held = set(members if holding is None else holding)
    holding_blocks = [block for block in fitting if any(members[place] in held for place in block)]
    if not holding_blocks:
        return ()
    answers: dict[int, int] = {}
    links = [
        correlations[: len(members), [names.index(name)]]
        if name in beside
        else scores.of(range(len(members))).correlations(scores_of_levels(dataset, name, rows))
        for name in in_order(dataset, set(outcomes) - wanted)
    ]

    def standing(blocks: list[list[int]]) -> list[tuple[list[int], bool | None]]:
        """Return the blocks that stand the tests of other columns, each with whether it is shown."""
        for place in {place for block in (*fitting, *blocks) for place in block}.difference(answers):
            answers[place] = _answers(dataset, members[place], rows)
        runs = [
            _runs_through_factor(correlations, scores.observations, block, links, answers, fitting)
            for block in blocks
        ]
        return [
            (block, is_shown)
            for block, is_shown in zip(blocks, runs, strict=True)
            if is_shown or (is_shown is None and not only_shown)
            if not _is_separated(correlations, scores, block, bounds.of_some(len(block), together))
        ]

    standing_blocks = standing(holding_blocks)
    narrow = [block for block, _ in standing_blocks]
    wide = _with_strays(inside, scores.observations, narrow, bounds)
    if wide != narrow:
        # What is a block without a column stays one: the column may have a link of its own.
        stand = {tuple(block): (block, is_shown) for block, is_shown in standing(wide)}
        standing_blocks = [
            stand.get(tuple(block), pair) for pair, block in zip(standing_blocks, wide, strict=True)
        ]
    blocks = [_block(correlations, block, members, is_shown is True) for block, is_shown in standing_blocks]
    return tuple(sorted(blocks, key=lambda block: dataset.index(block.members[0])))


def _near(dataset: Dataset, columns: Sequence[str], holding: Sequence[str], bounds: BlockBounds) -> list[str]:
    """List the columns that may be in one block with some of `holding`, by clusters."""
    few = set(holding)
    scores = normal_scores(dataset, columns, some_rows(dataset, _ROWS_FOR_SCREEN))
    correlations = scores.correlations(scores)
    np.fill_diagonal(correlations, 1.0)
    near = np.abs(correlations)
    held = [place for place, name in enumerate(columns) if name in few]
    nearness = near[held].max(axis=0, initial=0.0)
    some = np.sort(np.argsort(-nearness, kind="stable")[:_MOST_COLUMNS])
    some = some[nearness[some] >= _LEAST_NEARNESS]
    likely: set[int] = set()
    waiting = clusters_of(np.round(near[np.ix_(some, some)], 9))
    while waiting:
        cluster = waiting.pop()
        members = some[cluster.members]
        if len(members) < bounds.members or few.isdisjoint(columns[place] for place in members.tolist()):
            continue
        within = among_columns(correlations, members)
        if (
            len(members) <= _MOST_MEMBERS
            and may_fit(within)
            and one_factor_fits(within, loadings_of(within), 0.0, bounds.gain)
        ):
            likely.update(members.tolist())
        else:
            waiting += cluster.parts
    if not likely:
        return []
    close = (near[sorted(likely)] >= _LEAST_NEARNESS).any(axis=0)
    return [columns[place] for place in np.flatnonzero(close).tolist()]


def _fitting(correlations: np.ndarray, observations: float, bounds: BlockBounds) -> list[list[int]]:
    """List the largest sets of columns that one factor fits and no member of which separates others."""
    near = np.abs(correlations)
    some = _going_together(correlations, bounds)
    if len(some) < bounds.members:
        return []
    blocks: list[list[int]] = []
    # Rounded, so that sums in another order make no ties and break none.
    waiting = clusters_of(np.round(near[np.ix_(some, some)], 9))
    while waiting:
        cluster = waiting.pop()
        count = len(cluster.members)
        if count < bounds.members:
            continue
        members = some[cluster.members]
        within = among_columns(correlations, members)
        if count <= _MOST_MEMBERS and _is_one_block(
            within, observations, cluster.first, bounds.of_some(count, len(some))
        ):
            blocks.append(sorted(members.tolist()))
        else:
            waiting += cluster.parts
    return sorted(blocks)


def _going_together(correlations: np.ndarray, bounds: BlockBounds) -> np.ndarray:
    """Return the columns that are correlated with enough others to be in a block with them."""
    return np.flatnonzero((np.abs(correlations) >= LEAST_CORRELATION).sum(axis=1) >= bounds.members)


def _is_one_block(correlations: np.ndarray, observations: float, first: int, bounds: BlockBounds) -> bool:
    """Tell whether one factor fits, and is that of the `first` columns and that of the others."""
    if not may_fit(correlations):
        return False
    loadings = loadings_of(correlations)
    if not bounds.are_met(correlations, loadings, observations):
        return False
    second = len(loadings) - first
    if min(first, second) < _SMALLEST_PART:
        return True
    turned = correlations * np.outer(np.sign(loadings), np.sign(loadings))
    within = [
        (part.sum() - len(part)) / (len(part) * (len(part) - 1))
        for part in (turned[:first, :first], turned[first:, first:])
    ]
    between = float(turned[:first, first:].mean())
    return between >= _ONE_BLOCK * math.sqrt(max(within[0] * within[1], 0.0))


def _with_strays(
    correlations: np.ndarray, observations: float, blocks: list[list[int]], bounds: BlockBounds
) -> list[list[int]]:
    """Let columns join that are in no block, each the one whose factor it tells most of."""
    if not blocks:
        return blocks
    nearness = np.array([_factor_correlations(correlations, block) for block in blocks])
    taken = {place for block in blocks for place in block}
    joined = [list(block) for block in blocks]
    # The nearest first, as each that has joined has a say about the next.
    for place in sorted(
        set(range(len(correlations))) - taken, key=lambda column: -float(nearness[:, column].max())
    ):
        order = np.argsort(-nearness[:, place], kind="stable")
        best = nearness[order[0], place]
        if best < LEAST_LOADING or (len(order) > 1 and best < _TIMES_NEARER * nearness[order[1], place]):
            continue
        wider = [*joined[order[0]], place]
        within = among_columns(correlations, wider)
        if bounds.are_met(within, loadings_of(within), observations):
            joined[order[0]] = wider
    return [sorted(block) for block in joined]


def _factor_correlations(correlations: np.ndarray, block: Sequence[int]) -> np.ndarray:
    """Return how strongly each column is correlated with the factor of a block, without a sign."""
    loadings = loadings_of(among_columns(correlations, block))
    weights = score_weights(loadings)
    return np.asarray(np.abs(weights @ correlations[block]) / (weights @ loadings))


def _is_separated(
    correlations: np.ndarray, scores: NormalScores, block: Sequence[int], bounds: BlockBounds
) -> bool:
    """Tell whether one member, or a few other columns, explain why the members are correlated."""
    loadings = loadings_of(among_columns(correlations, block))
    leading = int(np.abs(loadings).argmax())
    others = [place for number, place in enumerate(block) if number != leading]
    if not _stay_correlated(scores, others, [block[leading]], np.delete(loadings, leading), bounds):
        return True
    rest = np.setdiff1d(np.arange(len(correlations)), block)
    if not len(rest):
        return False
    within, across = among_columns(correlations, block), correlations[np.ix_(np.array(block), rest)]
    weights = score_weights(loadings)
    told = np.linalg.lstsq(within, across, rcond=None)[0]
    is_made = np.sum(across * told, axis=0) >= _MADE_OF_MEMBERS
    nearness = np.where(is_made, 0.0, weights @ across / (weights @ loadings))
    first = np.argsort(-np.abs(nearness), kind="stable")[:_MOST_LOOKED_AT]
    nearest, nearness = rest[first], nearness[first]
    order, shares = chosen_forward(among_columns(correlations, nearest), nearness, bounds.separators)
    gains = np.diff(shares, prepend=0.0)
    size = len(gains) if (gains >= bounds.told).all() else int((gains < bounds.told).argmax())
    if not size:
        return False
    chosen = nearest[order[:size]].tolist()
    return shares[size - 1] > 1.0 - _LEAST_LEFT or not _stay_correlated(
        scores, block, chosen, loadings, bounds
    )


def _stay_correlated(
    scores: NormalScores,
    members: Sequence[int],
    given: Sequence[int],
    loadings: np.ndarray,
    bounds: BlockBounds,
) -> bool:
    """Tell whether members, each turned as it loads, are correlated given other columns."""
    inside, fixed = scores.of(members), scores.of(given)
    values = fixed.values
    curves = np.concatenate([values, values**2 - 1.0, values**3 - 3.0 * values])
    present = None
    if fixed.present is not None:
        present = np.tile(fixed.present, (3, 1))
        curves *= present
    further = NormalScores(curves, present, scores.weights, scores.observations)
    within, crossing, among = (
        first.correlations(second)
        for first, second in ((inside, inside), (inside, further), (further, further))
    )
    lengths = np.sqrt(np.maximum(np.diag(among), NOTHING_LEFT))
    crossing, among = crossing / lengths, among / np.outer(lengths, lengths)
    left = within - crossing @ np.linalg.lstsq(among, crossing.T, rcond=NOTHING_LEFT)[0]
    spread = np.sqrt(np.maximum(np.diag(left), 1e-9)) * np.sign(loadings)
    partial = (left / np.outer(spread, spread))[np.triu_indices(len(members), 1)]
    least = bounds.standard_errors / math.sqrt(scores.observations * len(partial))
    return float(partial.mean()) >= max(least, bounds.correlation)


_MOST_LOOKED_AT = 50


def _answers(dataset: Dataset, name: str, rows: slice) -> int:
    """Count the distinct values of a column that has few; 0 of one that has many, or two."""
    variable = dataset.variable(name)
    count = variable.level_count
    if variable.kind is Kind.CONTINUOUS:
        some = dataset.column(name)[rows]
        count = len(np.unique(some[~np.isnan(some)]))
    return count if _FEWEST_ANSWERS <= count <= _MOST_ANSWERS else 0


def _runs_through_factor(
    correlations: np.ndarray,
    observations: float,
    block: Sequence[int],
    links: Sequence[np.ndarray],
    answers: Mapping[int, int],
    fitting: Sequence[Sequence[int]],
) -> bool | None:
    """Tell whether outcomes are linked to a block as a whole, not to members; None where rows do not tell.

    `links` has the correlations of all columns with each outcome (or each unordered level).
    """
    if not links:
        return True
    scale = _common_answers(answers, block)
    if scale:
        alike = [fitted_block for fitted_block in fitting if _common_answers(answers, fitted_block) == scale]
        if len(alike) >= _LONG_IN_BLOCKS and sum(map(len, alike)) >= _LONG_IN_ITEMS:
            return True
    within = among_columns(correlations, block)
    loadings = loadings_of(within)
    if not scale and misfit_of(within, loadings, observations) > MOST_MISFIT_OF_NUMBERS:
        return False
    weights = score_weights(loadings)
    # Of more outcomes one is more likely to be against it by chance.
    by_chance = math.log(len(links))
    evidence = []
    for link in links:
        of_levels = [_evidence(within, weights, column, observations) for column in link[block].T]
        # Levels add up to one, so the last says nothing new.
        evidence.append(sum(of_levels) * (max(len(of_levels) - 1, 1) / len(of_levels)))
        if evidence[-1] < _LEAST_POSSIBLE - by_chance:
            return False
    least = _LEAST_EVIDENCE_OF_ANSWERS if scale else _LEAST_EVIDENCE
    if sum(evidence) >= least and min(evidence) >= _LEAST_EVIDENCE_OF_EACH - by_chance:
        return True
    return None if sum(evidence) >= _LEAST_POSSIBLE else False


def _common_answers(answers: Mapping[int, int], block: Sequence[int]) -> int:
    """Return the number of answers of all members, though some may lack a rare one; 0 where they differ."""
    counts = [answers[place] for place in block]
    return max(counts) if min(counts) > 0 and max(counts) - min(counts) <= 1 else 0


def _evidence(within: np.ndarray, weights: np.ndarray, across: np.ndarray, observations: float) -> float:
    """Return the BIC advantage in nats of a regression on the score over the best on a few members."""
    by_score = float(weights @ across) ** 2 / float(weights @ within @ weights)
    through = _criterion(by_score, 1, observations)
    _, shares = chosen_forward(within, across, _MOST_OWN_LINKS)
    own = [
        _criterion(share, count, observations) + math.log(math.comb(len(weights), count))
        for count, share in enumerate(shares.tolist(), start=1)
    ]
    return min(own) - through


def _criterion(share: float, parameters: int, observations: float) -> float:
    left = math.log(max(1.0 - share, 1e-9))
    return 0.5 * observations * left + 0.5 * parameters * math.log(max(observations, 2.0))


def _block(
    correlations: np.ndarray, places: Sequence[int], names: Sequence[str], is_shown: bool
) -> ReflectiveBlock:
    """Return a block by name, most members of which go the same way."""
    loadings = loadings_of(among_columns(correlations, places))
    upward = int((loadings > 0.0).sum())
    # Of as many that go either way, the one that tells most goes upward.
    leading = loadings[np.abs(loadings).argmax()]
    if 2 * upward < len(loadings) or (2 * upward == len(loadings) and leading < 0.0):
        loadings = -loadings
    return ReflectiveBlock(tuple(names[place] for place in places), tuple(map(float, loadings)), is_shown)
