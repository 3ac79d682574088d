"""Contingency tables counted by sets of rows, by conjunctions of levels or by one pass over the rows.

All give the same integers, and add up strata in the same order, so that the choice never shows. Sets of rows
serve tables with missing values, where no level is what the others leave of all rows.

A conjunction is a set of rows that have certain levels of certain variables. Level 0 is never counted: it is
what the other levels leave of all rows. So the strata of {a, b, c} need the conjunctions of its subsets too,
of {a, b} for one, and these are the same in every test of two variables whose conditioning set has a and b in
it. They are remembered, and a further test of binary variables counts a single new conjunction. Leaving out
one level and sharing what is counted are ideas of Moore and Lee (1998), Cached sufficient statistics for
efficient machine learning with large datasets, JAIR 8:67-91. Of larger sets than three, the first variables
divide the rows level by level, and the last three are counted within each part.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.decorators import counting_part, inlined_part, int64, kernel_part, merged_part
from engine.independence.discrete.conditional_law import (
    g_squared_moments,
    has_exact_law,
    pearson_moments,
    two_by_two_law,
    two_by_two_log_p,
)
from engine.independence.discrete.table import (
    EXACT,
    G_SQUARED,
    MOST_CELLS,
    PEARSON,
    REMEMBERED_BITS,
    SPREAD,
    STRATA,
    DiscreteTable,
    DiscreteWorkspace,
    count_all_three,
    count_both,
    intersect,
    population_count,
)
from engine.independence.interface import Hypothesis

# Of numpy's type, so that the compiler makes one version of what is called and none for a literal.
_NOTHING = int64(0)
# Where in the workspace the moments of a statistic begin, and those of G² beside Pearson's.
_LAW = int64(0)
_LAW_OF_G_SQUARED = int64(3)


@counting_part
def add_strata(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    cells: np.ndarray,
    strata: int,
    rows: int,
    columns: int,
    statistic: float,
    dof: float,
) -> Any:
    """Add statistics and dof of consecutive strata; three and four levels are named to unroll loops."""
    if rows == 3 and columns == 3:
        return _add_strata_of_shape(data, workspace, cells, strata, 3, 3, statistic, dof)
    if rows == 4 and columns == 4:
        return _add_strata_of_shape(data, workspace, cells, strata, 4, 4, statistic, dof)
    return _add_strata_of_shape(data, workspace, cells, strata, rows, columns, statistic, dof)


@merged_part
def _add_strata_of_shape(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    cells: np.ndarray,
    strata: int,
    rows: int,
    columns: int,
    statistic: float,
    dof: float,
) -> Any:
    block = rows * columns
    for stratum in range(strata):
        counts = cells[stratum * block : (stratum + 1) * block]
        terms = stratum_terms(data, workspace, counts, rows, columns)
        statistic += terms[0]
        dof += terms[1]
    return statistic, dof


@merged_part
def stratum_terms(
    data: DiscreteTable, workspace: DiscreteWorkspace, counts: np.ndarray, rows: int, columns: int
) -> Any:
    """Statistic and adjusted degrees of freedom of a stratum that has these counts.

    Where degrees of freedom are effective, moments of the statistic are added to ``workspace.law`` (of X²
    also G² and its own).
    """
    row_sums, column_sums = workspace.row_sums, workspace.column_sums
    total, rows_seen, columns_seen = _NOTHING, _NOTHING, _NOTHING
    for column in range(columns):
        column_sums[column] = 0
    for row in range(rows):
        row_sum = 0
        for column in range(columns):
            count = counts[row * columns + column]
            row_sum += count
            column_sums[column] += count
        row_sums[row] = row_sum
        total += row_sum
        rows_seen += row_sum > 0
    for column in range(columns):
        columns_seen += column_sums[column] > 0
    if rows_seen < 2 or columns_seen < 2:
        return 0.0, 0.0
    dof = (rows_seen - 1.0) * (columns_seen - 1.0)
    # What takes longer than to count is compiled once, and not again for each shape that is named.
    height, width = int64(rows), int64(columns)
    is_pearson = data.statistic == PEARSON
    statistic, g_squared, law_of_g_squared = 0.0, 0.0, _LAW
    if is_pearson:
        statistic = _pearson(workspace, counts, total, height, width)
    if not is_pearson or data.effective:
        g_squared = _g_squared(data, workspace, counts, total, rows, columns)
    if is_pearson and data.effective:
        law, law_of_g_squared = workspace.law, _LAW_OF_G_SQUARED
        mean, variance = pearson_moments(data, workspace, total, height, width, rows_seen, columns_seen)
        law[0] += mean
        law[1] += variance
        law[2] += g_squared
    if data.effective:
        _add_law(
            data,
            workspace,
            counts,
            total,
            height,
            width,
            rows_seen,
            columns_seen,
            g_squared,
            law_of_g_squared,
        )
    return (statistic if is_pearson else g_squared), dof


@merged_part
def _add_law(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    counts: np.ndarray,
    total: int,
    rows: int,
    columns: int,
    rows_seen: int,
    columns_seen: int,
    g_squared: float,
    position: int,
) -> None:
    """Add the moments of a stratum's G² to the law, from `position` on."""
    law = workspace.law
    mean, variance = g_squared_moments(data, workspace, total, rows, columns, rows_seen, columns_seen)
    law[position] += mean
    law[position + 1] += variance
    # Of use only where no other stratum varies.
    if rows == 2 and columns == 2 and law[STRATA] == 0.0:
        in_x, in_y = workspace.row_sums[1], workspace.column_sums[1]
        fewest_x, fewest_y = min(in_x, total - in_x), min(in_y, total - in_y)
        if has_exact_law(g_squared, fewest_x * fewest_y / total):
            law[EXACT] = two_by_two_log_p(total, in_x, in_y, counts[3])
    law[STRATA] += 1.0


@merged_part
def _g_squared(
    data: DiscreteTable, workspace: DiscreteWorkspace, counts: np.ndarray, total: int, rows: int, columns: int
) -> float:
    if data.entropy_terms.shape[0] > 0:
        return _g_squared_from_terms(data, workspace, counts, total, rows, columns)
    return _g_squared_by_definition(workspace, counts, total, int64(rows), int64(columns))


@merged_part
def _g_squared_from_terms(
    data: DiscreteTable, workspace: DiscreteWorkspace, counts: np.ndarray, total: int, rows: int, columns: int
) -> float:
    """G² as a difference of sums of k log k, read from a table."""
    terms = data.entropy_terms
    sum_of_terms: float = terms[total]
    for row in range(rows):
        sum_of_terms -= terms[workspace.row_sums[row]]
        for column in range(columns):
            sum_of_terms += terms[counts[row * columns + column]]
    for column in range(columns):
        sum_of_terms -= terms[workspace.column_sums[column]]
    return 2.0 * sum_of_terms


@merged_part
def two_by_two_g_squared(terms: np.ndarray, total: int, in_x: int, in_y: int, in_both: int) -> float:
    """G² of two binary variables from how often level 1 occurs, added up in the general order."""
    sum_of_terms: float = terms[total]
    sum_of_terms -= terms[total - in_x]
    sum_of_terms += terms[total - in_x - in_y + in_both]
    sum_of_terms += terms[in_y - in_both]
    sum_of_terms -= terms[in_x]
    sum_of_terms += terms[in_x - in_both]
    sum_of_terms += terms[in_both]
    sum_of_terms -= terms[total - in_y]
    sum_of_terms -= terms[in_y]
    return 2.0 * sum_of_terms


@merged_part
def _g_squared_by_definition(
    workspace: DiscreteWorkspace, counts: np.ndarray, total: int, rows: int, columns: int
) -> float:
    """G² by its definition."""
    statistic = 0.0
    for row in range(rows):
        for column in range(columns):
            count = counts[row * columns + column]
            if count > 0:
                expected = workspace.row_sums[row] * (workspace.column_sums[column] / total)
                statistic += count * math.log(count / expected)
    return 2.0 * statistic


@merged_part
def _pearson(workspace: DiscreteWorkspace, counts: np.ndarray, total: int, rows: int, columns: int) -> float:
    """Pearson's X² by its definition."""
    statistic = 0.0
    for row in range(rows):
        for column in range(columns):
            expected = workspace.row_sums[row] * (workspace.column_sums[column] / total)
            if expected > 0.0:
                difference = counts[row * columns + column] - expected
                statistic += difference * difference / expected
    return statistic


# Above so many strata only those that occur are numbered.
DIRECT_STRATA = 1 << 10


@kernel_part
def from_bits(data: DiscreteTable, workspace: DiscreteWorkspace, hypothesis: Hypothesis) -> Any:
    """Walk through the strata depth first, narrowing a set of rows by one variable at each depth."""
    x, y, given, size = hypothesis
    statistic, dof = 0.0, 0.0
    position = workspace.position
    depth = 0
    position[0] = 0
    while depth >= 0:
        if size == 0:
            _count_without_stratum(data, workspace, x, y)
            depth -= 1
        else:
            variable = given[depth]
            if position[depth] == data.levels[variable]:
                depth -= 1
                continue
            level_set = data.sets[data.offsets[variable] + position[depth]]
            position[depth] += 1
            if depth == 0:
                intersect(level_set, level_set, workspace.strata[0])
            else:
                intersect(workspace.strata[depth - 1], level_set, workspace.strata[depth])
            if depth + 1 < size:
                depth += 1
                position[depth] = 0
                continue
            _count_stratum(data, workspace, x, y, workspace.strata[depth])
        terms = stratum_terms(data, workspace, workspace.counts, data.levels[x], data.levels[y])
        statistic += terms[0]
        dof += terms[1]
    return statistic, dof


@inlined_part
def _count_without_stratum(data: DiscreteTable, workspace: DiscreteWorkspace, x: int, y: int) -> None:
    columns = data.levels[y]
    for row in range(data.levels[x]):
        row_set = data.sets[data.offsets[x] + row]
        for column in range(columns):
            column_set = data.sets[data.offsets[y] + column]
            workspace.counts[row * columns + column] = count_both(row_set, column_set)


@inlined_part
def _count_stratum(
    data: DiscreteTable, workspace: DiscreteWorkspace, x: int, y: int, stratum: np.ndarray
) -> None:
    columns = data.levels[y]
    for row in range(data.levels[x]):
        row_set = data.sets[data.offsets[x] + row]
        for column in range(columns):
            column_set = data.sets[data.offsets[y] + column]
            workspace.counts[row * columns + column] = count_all_three(row_set, column_set, stratum)


@kernel_part
def from_rows(data: DiscreteTable, workspace: DiscreteWorkspace, hypothesis: Hypothesis) -> Any:
    """Count all strata in one pass over the rows."""
    x, y, given, size = hypothesis
    strata = number_strata(data.codes, data.levels, workspace.stratum_of_row, given, size)
    rows, columns = data.levels[x], data.levels[y]
    block = rows * columns
    counts = np.zeros(strata * block, np.int64)
    codes_x, codes_y = data.codes[x], data.codes[y]
    for row in range(codes_x.shape[0]):
        counts[workspace.stratum_of_row[row] * block + codes_x[row] * columns + codes_y[row]] += 1
    return add_strata(data, workspace, counts, strata, rows, columns, 0.0, 0.0)


@inlined_part
def number_strata(
    codes: np.ndarray, levels: np.ndarray, stratum_of_row: np.ndarray, given: np.ndarray, size: int
) -> int:
    """Give each row the number of its stratum; when the product of levels is large, only those that occur.

    Numbers keep the order of the mixed-radix code, so that both ways of counting add up in one order.
    """
    for row in range(stratum_of_row.shape[0]):
        stratum_of_row[row] = 0
    strata = int64(1)
    for position in range(size):
        level_count = levels[given[position]]
        column = codes[given[position]]
        for row in range(column.shape[0]):
            stratum_of_row[row] = stratum_of_row[row] * level_count + column[row]
        strata *= level_count
        if strata > DIRECT_STRATA:
            seen = np.zeros(strata, np.int32)
            for row in range(column.shape[0]):
                seen[stratum_of_row[row]] = 1
            strata = 0
            for stratum in range(seen.shape[0]):
                if seen[stratum]:
                    seen[stratum] = strata
                    strata += 1
            for row in range(column.shape[0]):
                stratum_of_row[row] = seen[stratum_of_row[row]]
    return strata


# So many variables make conjunctions. A key holds three numbers of sets of rows, each one more than its place
# so that 0 says "none".
_MOST_COMBINED = 3
_BITS_OF_SET = np.uint64(21)
_NO_SET = int64(-1)
_SET_MASK = np.uint64((1 << 21) - 1)
_MOST_SETS = (1 << 21) - 1
_HASH_SHIFT = np.uint64(64 - REMEMBERED_BITS)

# Relative costs, in nanoseconds: of a word of a conjunction with its four counts, a conjunction, a cell.
_WORD_COST = 0.35
_CONJUNCTION_COST = 10.0
_CELL_COST = 2.5


@merged_part
def conjunction_cost(data: DiscreteTable, hypothesis: Hypothesis) -> float:
    """Estimate the time of :func:`from_conjunctions`; infinite where it has no room for it."""
    x, y, given, size = hypothesis
    parts, combined, counted = 1.0, 1.0, 1.0
    for position in range(size):
        levels = data.levels[given[position]]
        if position < size - _MOST_COMBINED:
            parts *= levels
        else:
            combined *= levels
            counted *= levels - 1
    block = data.levels[x] * data.levels[y]
    if combined * block > MOST_CELLS or data.sets.shape[0] >= _MOST_SETS:
        return np.inf
    # Of all conjunctions those are new that no smaller set has, if the others were counted for this pair: a
    # matter of luck, but where the rows are divided nothing is remembered.
    expected = (counted + combined) / 2.0 if size <= _MOST_COMBINED else combined
    passes = expected * (data.levels[x] - 1) * (data.levels[y] - 1)
    cost: float = (
        passes * (data.sets.shape[1] * _WORD_COST + _CONJUNCTION_COST) + combined * block * _CELL_COST
    )
    return parts * cost


@inlined_part
def from_conjunctions(data: DiscreteTable, workspace: DiscreteWorkspace, hypothesis: Hypothesis) -> Any:
    """Return the statistic and its degrees of freedom, stratum by stratum in the order of their levels."""
    given, size = hypothesis.given, hypothesis.size
    statistic, dof = 0.0, 0.0
    divided = max(size - _MOST_COMBINED, 0)
    position, parts = workspace.position, workspace.parts
    depth = 0
    position[0] = 0
    while depth >= 0:
        if depth == divided:
            statistic, dof = _with_strata(data, workspace, hypothesis, divided, statistic, dof)
            depth -= 1
        elif position[depth] == data.levels[given[depth]]:
            depth -= 1
        else:
            level_set = data.offsets[given[depth]] + position[depth]
            for word in range(parts.shape[1]):
                parts[depth + 1, word] = parts[depth, word] & data.sets[level_set, word]
            position[depth] += 1
            depth += 1
            position[depth] = 0
    return statistic, dof


@inlined_part
def _with_strata(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    hypothesis: Hypothesis,
    depth: int,
    statistic: float,
    dof: float,
) -> Any:
    """Add to a statistic the strata of the variables from `depth` on within one part of the rows."""
    x, y, given, size = hypothesis
    cells = workspace.cells
    rows, columns = data.levels[x], data.levels[y]
    block = rows * columns
    strata = _list_conjunctions(data, workspace, given, depth, size)
    around = _NO_SET if depth == 0 else data.offsets[given[depth - 1]] + workspace.position[depth - 1] - 1
    if size == 0:
        # No other test of a screen is about the same pair, so that nothing need be remembered.
        _count_all_rows(data, cells, x, y)
    else:
        for stratum in range(strata):
            _recall_or_count(data, workspace, x, y, depth, around, workspace.keys[stratum], stratum * block)
    inner = strata * block
    for position in range(depth, size):
        inner //= data.levels[given[position]]
        _subtract_levels(cells, strata * block, data.levels[given[position]], inner)
    if block == 4 and data.statistic == G_SQUARED and data.entropy_terms.shape[0] > 0:
        seen = 0
        for start in range(0, strata * block, block):
            in_all, in_y, in_x, in_both = cells[start], cells[start + 1], cells[start + 2], cells[start + 3]
            if 0 < in_x < in_all and 0 < in_y < in_all:
                statistic += two_by_two_g_squared(data.entropy_terms, in_all, in_x, in_y, in_both)
                seen += 1
        dof += seen
        if data.effective:
            two_by_two_law(data.entropy_terms, workspace, cells, strata, statistic)
        return statistic, dof
    _subtract_levels(cells, strata * block, rows, columns)
    _subtract_levels(cells, strata * block, columns, 1)
    return add_strata(data, workspace, cells, strata, rows, columns, statistic, dof)


@merged_part
def _list_conjunctions(
    data: DiscreteTable, workspace: DiscreteWorkspace, given: np.ndarray, first: int, size: int
) -> int:
    """Write the key of each stratum's conjunction, where level 0 stands for any level; count the strata."""
    keys = workspace.keys
    keys[0] = 0
    count = int64(1)
    for position in range(size - 1, first - 1, -1):
        variable = given[position]
        for level in range(1, data.levels[variable]):
            number = np.uint64(data.offsets[variable] + level + 1)
            for stratum in range(count):
                keys[level * count + stratum] = (keys[stratum] << _BITS_OF_SET) | number
        count *= data.levels[variable]
    return count


@merged_part
def _recall_or_count(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    x: int,
    y: int,
    depth: int,
    around: int,
    key: Any,
    start: int,
) -> None:
    """Write counts of x and y in one conjunction, from `start`; `around` contains the rows at `depth`."""
    cells, memory, memory_keys = workspace.cells, workspace.memory, workspace.memory_keys
    block = data.levels[x] * data.levels[y]
    # Counted from 1, as 0 is what stands where nothing is remembered.
    pair = np.uint64(x) * np.uint64(data.levels.shape[0]) + np.uint64(y + 1)
    position = ((key ^ (pair * SPREAD)) * SPREAD) >> _HASH_SHIFT
    # Conjunctions of three do not come again: no set of four is made of them.
    is_kept = depth == 0 and (key >> (_BITS_OF_SET + _BITS_OF_SET)) == 0 and block <= memory.shape[1]
    if is_kept and memory_keys[position, 0] == key and memory_keys[position, 1] == pair:
        for cell in range(block):
            cells[start + cell] = memory[position, cell]
        return
    if depth == 0 and key == 0:
        _count_all_rows(data, workspace.cells, x, y)
    else:
        _count_conjunction(data, workspace, x, y, depth, around, key, start)
    if is_kept:
        memory_keys[position, 0], memory_keys[position, 1] = key, pair
        for cell in range(block):
            memory[position, cell] = cells[start + cell]


@merged_part
def _count_all_rows(data: DiscreteTable, cells: np.ndarray, x: int, y: int) -> None:
    """Count x and y in all rows, where level 0 stands for any."""
    columns = data.levels[y]
    sets, first_x, first_y = data.sets, data.offsets[x], data.offsets[y]
    cells[0] = data.codes.shape[1]
    for column in range(1, columns):
        cells[column] = data.set_sizes[first_y + column]
    for row in range(1, data.levels[x]):
        cells[row * columns] = data.set_sizes[first_x + row]
        for column in range(1, columns):
            both = np.uint64(0)
            for word in range(sets.shape[1]):
                both += population_count(sets[first_x + row, word] & sets[first_y + column, word])
            cells[row * columns + column] = np.int64(both)


@merged_part
def _count_conjunction(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    x: int,
    y: int,
    depth: int,
    around: int,
    key: Any,
    start: int,
) -> None:
    """Count x and y in the conjunction of a part of the rows and up to three sets; level 0 stands for any."""
    columns = data.levels[y]
    sets, parts, cells = data.sets, workspace.parts, workspace.cells
    first = np.int64(key & _SET_MASK) - 1
    second = np.int64((key >> _BITS_OF_SET) & _SET_MASK) - 1
    third = np.int64(key >> (_BITS_OF_SET + _BITS_OF_SET)) - 1
    # Instead of a set that is not there, one that takes nothing away.
    first = np.int64(first if first >= 0 else around)
    second = second if second >= 0 else first
    third = third if third >= 0 else first
    for row in range(1, data.levels[x]):
        set_x = data.offsets[x] + row
        for column in range(1, columns):
            set_y = data.offsets[y] + column
            in_all, in_x, in_y, in_both = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
            for word in range(sets.shape[1]):
                members = parts[depth, word] & sets[first, word] & sets[second, word] & sets[third, word]
                with_x = members & sets[set_x, word]
                in_all += population_count(members)
                in_x += population_count(with_x)
                in_y += population_count(members & sets[set_y, word])
                in_both += population_count(with_x & sets[set_y, word])
            cells[start] = np.int64(in_all)
            cells[start + column] = np.int64(in_y)
            cells[start + row * columns] = np.int64(in_x)
            cells[start + row * columns + column] = np.int64(in_both)


@merged_part
def _subtract_levels(cells: np.ndarray, count: int, levels: int, inner: int) -> None:
    """Turn the entries for any level along one axis of the table into those of level 0."""
    for start in range(0, count, levels * inner):
        for level in range(1, levels):
            for cell in range(start, start + inner):
                cells[cell] -= cells[cell + level * inner]
