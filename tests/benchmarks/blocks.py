"""Whether columns that reflect one thing are told from causes that are merely correlated.

Run by hand, from the project's folder::

    python -m tests.benchmarks.blocks --rows 500 2000 20000 --seeds 1000 1200
    python -m tests.benchmarks.blocks --rows 500 --seeds 1000 1050 --searches
    python -m tests.benchmarks.blocks --scales ../shared/data/scales

The first counts scales of simulated questionnaires that are recognised, and tables of correlated real causes
in which anything is called a block. With ``--searches`` it counts what is stated of single items. The third
looks at the items of the Big Five, with names shuffled. Bounds were settled on seeds 0 to 499.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas

import engine
from engine.discovery.orientation.direction import Direction, Grade
from engine.independence.reflective import reflective_blocks
from engine.table.dataset import Dataset

HOW = ("chain", "fork", "unmeasured", "several parents")


@dataclass(frozen=True)
class Drawn:
    """A simulated table, with the names of the items of each of its scales."""

    dataset: Dataset
    scales: tuple[frozenset[str], ...] = ()

    @property
    def items(self) -> frozenset[str]:
        """All items."""
        return frozenset().union(*self.scales)


def questionnaire(seed: int, rows: int) -> Drawn:
    """Draw one to five scales of four to eight items, other columns, and two labels that depend on both.

    Items are answers (of four to seven), numbers or yes/no, with loadings of .5 to .85; a third is reversed.
    What scales measure is correlated up to .4.
    """
    drawn = np.random.default_rng(seed)
    kind = drawn.choice(["answers", "numbers", "yes/no"], p=[0.6, 0.25, 0.15])
    levels = {"answers": int(drawn.integers(4, 8)), "numbers": 0, "yes/no": 2}[str(kind)]
    count, shared = int(drawn.integers(1, 6)), drawn.uniform(0.0, 0.4)
    common = drawn.normal(size=rows)
    factors = [np.sqrt(shared) * common + np.sqrt(1 - shared) * drawn.normal(size=rows) for _ in range(count)]
    items: list[np.ndarray] = []
    scales = []
    for factor in factors:
        scale = []
        for _ in range(drawn.integers(4, 9)):
            loading = drawn.uniform(0.5, 0.85) * drawn.choice([1, 1, -1])
            scale.append(f"F{len(items)}")
            items.append(_seen(drawn, _mixed(drawn, loading, factor), levels))
        scales.append(frozenset(scale))
    others = [drawn.normal(size=rows) for _ in range(drawn.integers(3, 9))]
    labels = []
    for _ in range(2):
        acting = [factors[0], *(factor for factor in factors[1:] if drawn.random() < 0.5)]
        told = sum(drawn.uniform(0.3, 1) * drawn.choice([-1, 1]) * cause for cause in acting)
        told = told + sum(drawn.uniform(0.3, 1) * cause for cause in others[:2])
        labels.append(_label(drawn, np.asarray(told)))
    return Drawn(_table([*items, *others], labels), tuple(scales))


def correlated_causes(seed: int, rows: int, how: str | None = None) -> Drawn:
    """Draw one to three groups of four to eight correlated columns, of which some are causes of two labels.

    Columns are correlated (.3 to .7) along a chain, by a measured common cause, by an unmeasured one, or as
    each has one or two others as causes. Each label depends on one to three columns of each group.
    """
    drawn = np.random.default_rng(seed)
    how = str(drawn.choice(HOW)) if how is None else how
    kind = str(drawn.choice(["answers", "numbers", "yes/no", "mixed"], p=[0.25, 0.4, 0.1, 0.25]))
    answers = int(drawn.integers(4, 8))

    def seen(values: np.ndarray) -> np.ndarray:
        mixed = int(drawn.choice([0, 0, 2, 5]))
        levels = {"answers": answers, "numbers": 0, "yes/no": 2, "mixed": mixed}[kind]
        return _standard(_seen(drawn, values, levels))

    groups = []
    for _ in range(drawn.integers(1, 4)):
        size, correlation = int(drawn.integers(4, 8)), drawn.uniform(0.3, 0.7)
        near = np.clip(correlation + drawn.uniform(-0.1, 0.1, size=size), 0.25, 0.75)
        if how in ("fork", "unmeasured"):
            hub = seen(drawn.normal(size=rows)) if how == "fork" else drawn.normal(size=rows)
            group = [seen(_mixed(drawn, np.sqrt(loading), hub)) for loading in near]
            group = [hub, *group] if how == "fork" else group
        else:
            group = [seen(drawn.normal(size=rows))]
            for place in range(1, size):
                parents = np.array([place - 1])
                if how == "several parents":
                    parents = drawn.choice(place, size=min(place, int(drawn.integers(1, 3))), replace=False)
                told = _standard(
                    np.sum([drawn.uniform(0.3, 0.8) * group[parent] for parent in parents], axis=0)
                )
                weight = near[place] if how == "chain" else np.sqrt(near[place])
                group.append(seen(_mixed(drawn, weight, told)))
        groups.append(group)
    labels = []
    for _ in range(2):
        told = np.zeros(rows)
        for group in groups:
            for place in drawn.choice(len(group), size=int(drawn.integers(1, 4)), replace=False):
                told += drawn.uniform(0.3, 1) * drawn.choice([-1, 1]) * group[place]
        labels.append(_label(drawn, told))
    return Drawn(_table([column for group in groups for column in group], labels))


def _mixed(drawn: np.random.Generator, weight: float, told: np.ndarray) -> np.ndarray:
    return np.asarray(weight * told + np.sqrt(1.0 - weight**2) * drawn.normal(size=len(told)))


def _standard(values: np.ndarray) -> np.ndarray:
    return np.asarray((values - values.mean()) / values.std())


def _seen(drawn: np.random.Generator, values: np.ndarray, levels: int) -> np.ndarray:
    """Cut values into levels of different frequencies; 0 leaves them as they are."""
    if not levels:
        return values
    shares = [drawn.uniform(0.3, 0.7)] if levels == 2 else np.sort(drawn.uniform(0.05, 0.95, levels - 1))
    return np.searchsorted(np.quantile(values, shares), values).astype(float)


def _label(drawn: np.random.Generator, told: np.ndarray) -> np.ndarray:
    """Draw a yes/no label or a number, of which a tenth to a half is told."""
    values = _mixed(drawn, np.sqrt(drawn.uniform(0.1, 0.5)), _standard(told))
    return _seen(drawn, values, 2) if drawn.random() < 0.5 else values


def _table(features: list[np.ndarray], labels: list[np.ndarray]) -> Dataset:
    columns = {f"F{place}": column for place, column in enumerate(features)}
    columns |= {f"L{place}": column for place, column in enumerate(labels)}
    return Dataset.from_frame(pandas.DataFrame(columns), labels=[f"L{place}" for place in range(len(labels))])


def scales_found(rows: int, seeds: range) -> tuple[int, int]:
    """Count the scales of questionnaires that are found without regard to labels, and all scales."""
    right = total = 0
    for seed in seeds:
        drawn = questionnaire(seed, rows)
        blocks = {frozenset(block.members) for block in reflective_blocks(drawn.dataset)}
        right, total = right + len(blocks.intersection(drawn.scales)), total + len(drawn.scales)
    return right, total


def tables_with_block(rows: int, seeds: range, how: str | None = None) -> tuple[list[int], list[int]]:
    """List the seeds of tables of correlated causes in which anything is called a block, or may be one."""
    called, perhaps = [], []
    for seed in seeds:
        table = correlated_causes(seed, rows, how).dataset
        blocks = reflective_blocks(table, outcomes=table.labels, only_shown=False)
        if any(block.is_shown for block in blocks):
            called.append(seed)
        elif blocks:
            perhaps.append(seed)
    return called, perhaps


@dataclass
class Stated:
    """What searches in questionnaires state of single items."""

    items_found: int = 0
    items_flagged: int = 0
    grades: int = 0
    directions: int = 0
    effects: int = 0
    effects_beside_zero: int = 0


def stated_of_items(rows: int, seeds: range) -> Stated:
    """Search simulated questionnaires, and count what is stated of single items; all effects are 0."""
    counts = Stated()
    for seed in seeds:
        drawn = questionnaire(seed, rows)
        result = engine.discover(engine.prepare(drawn.dataset))
        effects = engine.effects(result.dataset, result, estimands=["effect of changing it"]).table()
        blocks = {name for block in result.blocks for name in block.members}
        for feature, label in result.evidence:
            if feature in drawn.items:
                counts.items_found += 1
                counts.items_flagged += feature in blocks
                counts.grades += result.grade(feature, label) is not Grade.UNDECIDED
                counts.directions += result.direction(feature, label) in (Direction.CAUSE, Direction.EFFECT)
        of_items = effects[effects["feature"].isin(drawn.items)].groupby(["feature", "label"]).last()
        counts.effects += len(of_items)
        counts.effects_beside_zero += int(((of_items["low"] > 0) | (of_items["high"] < 0)).sum())
    return counts


def big_five(folder: Path, seed: int) -> tuple[int, int]:
    """Count items of the Big Five in the block of their scale, and those turned as their key says.

    Names are shuffled, and rows and columns with them.
    """
    drawn = np.random.default_rng(seed)
    frame = pandas.read_csv(folder / "bfi.csv.gz").drop(columns="rownames").sample(frac=1, random_state=seed)
    keys = pandas.read_csv(folder / "bfi.keys.csv").drop(columns="rownames")
    scales = {column: [item.lstrip("-") for item in keys[column]] for column in keys}
    turned = {item[1:] for column in keys for item in keys[column] if item.startswith("-")}
    names = list(drawn.permutation(frame.columns))
    secret = {name: f"V{place}" for place, name in enumerate(names)}
    frame = frame[names].rename(columns=secret)
    labels = [secret[name] for name in ("gender", "education", "age")]
    shown = {hidden: name for name, hidden in secret.items()}
    right = signs = 0
    for block in reflective_blocks(Dataset.from_frame(frame, labels=labels), outcomes=labels):
        members = [shown[name] for name in block.members]
        scale = max(scales.values(), key=lambda items: len(set(items).intersection(members)))
        right += len(set(scale).intersection(members))
        signed = zip(members, block.signs, strict=True)
        direction = {name: sign * (-1 if name in turned else 1) for name, sign in signed}
        most = 1 if sum(direction.values()) >= 0 else -1
        signs += sum(direction[name] == most for name in members if name in scale)
    return right, signs


def _lines(rows: list[int], seeds: range, searches: bool) -> Iterator[str]:
    for count in rows:
        if searches:
            yield f"{count} rows: {stated_of_items(count, seeds)}"
            continue
        right, total = scales_found(count, seeds)
        yield f"{count} rows: {right} of {total} scales found whole and alone"
        for how in (*HOW, None):
            called, perhaps = tables_with_block(count, seeds, how)
            yield (
                f"{count} rows, {how or 'one of these'}: a block in {len(called)} of {len(seeds)} tables "
                f"{called}, perhaps one in {len(perhaps)}"
            )


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[500])
    parser.add_argument("--seeds", type=int, nargs=2, default=[1000, 1200])
    parser.add_argument("--searches", action="store_true")
    parser.add_argument("--scales", type=Path)
    arguments = parser.parse_args()
    if arguments.scales is not None:
        for seed in range(*arguments.seeds):
            right, signs = big_five(arguments.scales, seed)
            print(f"seed {seed}: {right} of 25 items in the right scale, {signs} turned as they should be")
        return
    for line in _lines(arguments.rows, range(*arguments.seeds), arguments.searches):
        print(line, flush=True)


if __name__ == "__main__":
    main()
