"""Tables of which every cause is known: six kinds of variables and one more, five shapes, and troubles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas

from tests.engine.ancestral_graph import HiddenGraph

VARIABLES, LABELS = 30, 5
KINDS = ("straight", "curved", "heavy-tailed", "ordinal", "categories", "mixed")
# Further causes are products of two; directions are not measured on it.
INTERACTIONS = "interactions"
SHAPES = ("sparse", "dense", "chains", "site", "hubs")
TROUBLES = ("none", "hidden causes", "hidden site", "selected rows", "hidden pairs")
_HIDDEN_SHARE = 0.5
_SITES = 4
_PAIRS = 4
_ROOM = 4
_CUT_LABELS = 0.7

Generator = np.random.Generator
Causes = list[list[int]]
# Makes a variable of what its causes add up to.
Mechanism = Callable[[Generator, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Drawn:
    """A table, its labels, and which variable is a cause of which.

    Attributes
    ----------
    frame : DataFrame
    labels : list of str
    truth : HiddenGraph
    edges : set of (str, str)
        Arrows from direct cause to effect, hidden variables among them.
    """

    frame: pandas.DataFrame
    labels: list[str]
    truth: HiddenGraph
    edges: set[tuple[str, str]]


def _random_causes(generator: Generator, order: np.ndarray, most: int, mean: float) -> Causes:
    causes: Causes = [[] for _ in order]
    for place in range(1, len(order)):
        count = min(place, generator.binomial(most, mean / most))
        causes[order[place]] = generator.choice(order[:place], count, replace=False).tolist()
    return causes


def _chained_causes(generator: Generator, order: np.ndarray) -> Causes:
    """Make chains of six, with some arrows from one chain to the next."""
    causes: Causes = [[] for _ in order]
    for place in range(1, len(order)):
        if place % 6:
            causes[order[place]].append(int(order[place - 1]))
        if place > 6 and generator.random() < 0.3:
            causes[order[place]].append(int(order[place - 6]))
    return causes


def _hub_causes(generator: Generator, order: np.ndarray) -> Causes:
    """Let three variables have many effects, and three many causes."""
    causes = _random_causes(generator, order, 2, 0.7)
    for hub in order[[2, 5, 8]]:
        for effect in generator.choice(order[9:-3], 6, replace=False):
            causes[effect] = sorted({*causes[effect], int(hub)})
    for sink in order[-3:]:
        causes[sink] = generator.choice(order[3:-3], 5, replace=False).tolist()
    return causes


def _paired_causes(generator: Generator, order: np.ndarray) -> Causes:
    """Let each of the first four be a cause of two variables that have further causes."""
    causes: Causes = [[] for _ in order]
    pool, paired = order[_PAIRS : -2 * _PAIRS - 6], order[-2 * _PAIRS - 6 : -6]
    for place in range(1, len(pool)):
        if generator.random() < 0.3:
            causes[pool[place]] = [int(generator.choice(pool[:place]))]
    for place, effect in enumerate(paired.tolist()):
        own = generator.choice(pool, generator.integers(2, 4), replace=False)
        causes[effect] = [int(order[place // 2]), *own.tolist()]
    for effect in order[-6:].tolist():
        causes[effect] = generator.choice(order[_PAIRS:-6], 2, replace=False).tolist()
    return causes


def _graph(shape: str, generator: Generator) -> tuple[np.ndarray, Causes]:
    order = generator.permutation(VARIABLES)
    if shape == "pairs":
        return order, _paired_causes(generator, order)
    if shape == "dense":
        return order, _random_causes(generator, order, 5, 2.5)
    if shape == "chains":
        return order, _chained_causes(generator, order)
    if shape == "hubs":
        return order, _hub_causes(generator, order)
    causes = _random_causes(generator, order, 3, 1.5)
    if shape == "site":
        for effect in generator.choice(order[1:], VARIABLES // 2, replace=False):
            causes[effect] = sorted({*causes[effect], int(order[0])})
    return order, causes


def _curve(generator: Generator, x: np.ndarray) -> np.ndarray:
    bends: tuple[Callable[[np.ndarray], np.ndarray], ...] = (
        lambda v: np.tanh(2.0 * v),
        lambda v: (v + 0.7) ** 2,
        lambda v: np.exp(0.7 * np.clip(v, -4.0, 3.0)),
        lambda v: np.maximum(v, 0.0),
        lambda v: np.sin(1.5 * v) + 0.5 * v,
    )
    return bends[generator.integers(len(bends))](x)


def _scaled(x: np.ndarray) -> np.ndarray:
    spread = x.std()
    scaled: np.ndarray = (x - x.mean()) / (spread if spread > 0.0 else 1.0)
    return scaled


def _graded(generator: Generator, score: np.ndarray) -> np.ndarray:
    shares = np.sort(generator.uniform(0.08, 0.92, 4))
    grades: np.ndarray = np.digitize(score, np.quantile(score, shares)).astype(float) + 1.0
    return grades


def _levels(generator: Generator, count: int, causes: list[np.ndarray], rows: int) -> np.ndarray:
    """Draw levels whose log odds are shifted by every level of every cause."""
    logits = np.tile(generator.normal(0.0, 0.4, count), (rows, 1))
    for values in causes:
        size = generator.uniform(0.4, 1.6)
        codes = values if values.dtype.kind == "i" else np.digitize(_scaled(values), (-0.7, 0.7))
        if values.dtype.kind == "i":
            logits += size * generator.normal(size=(int(codes.max(initial=0)) + 1, count))[codes]
        else:
            logits += size * _scaled(values)[:, None] * np.linspace(-1.0, 1.0, count)
    levels: np.ndarray = np.argmax(logits + generator.gumbel(size=logits.shape), axis=1)
    return levels


def _sizes(generator: Generator, values: np.ndarray) -> np.ndarray:
    """Give a cause as a number; the levels of a category each get one."""
    if values.dtype.kind == "i":
        return _scaled(generator.normal(size=int(values.max(initial=0)) + 1)[values])
    return _scaled(values)


def _noise(kind: str, generator: Generator, rows: int) -> np.ndarray:
    if kind == "heavy-tailed":
        draws = (
            generator.standard_t(3, rows),
            generator.exponential(1.0, rows),
            generator.lognormal(0, 0.8, rows),
        )
        return _scaled(draws[generator.integers(3)])
    return generator.normal(size=rows)


def _made(
    kind: str,
    generator: Generator,
    order: np.ndarray,
    causes: Causes,
    site: int | None,
    labels: set[int],
    rows: int,
) -> list[np.ndarray]:
    """Draw every variable; categories are whole numbers. Most labels that are numbers are cut in two."""
    values: list[np.ndarray] = [np.zeros(rows)] * VARIABLES
    for variable in order.tolist():
        before = [values[cause] for cause in causes[variable]]
        if variable == site:
            values[variable] = generator.integers(0, _SITES, rows)
            continue
        if kind == "categories" or (kind == "mixed" and generator.random() < 1 / 3):
            values[variable] = _levels(generator, int(generator.integers(2, 5)), before, rows)
            continue
        score = np.zeros(rows)
        for cause in before:
            part = _sizes(generator, cause)
            if kind == "curved" and cause.dtype.kind != "i":
                part = _scaled(_curve(generator, part))
            score += generator.choice((-1.0, 1.0)) * generator.uniform(0.2, 1.1) * part
        if kind == INTERACTIONS:
            score += sum(
                generator.choice((-1.0, 1.0))
                * generator.uniform(0.2, 0.8)
                * _sizes(generator, first)
                * _sizes(generator, second)
                for first, second in pairwise(before)
            )
        score += generator.uniform(0.6, 1.0) * _noise(kind, generator, rows)
        is_graded = kind == "ordinal" or (kind == "mixed" and generator.random() < 0.3)
        values[variable] = _graded(generator, score) if is_graded else score
        if variable in labels and generator.random() < _CUT_LABELS:
            cut = np.quantile(score, generator.uniform(0.35, 0.65))
            values[variable] = (score > cut).astype(np.int64)
    return values


def drawn(kind: str, shape: str, seed: int, rows: int, trouble: str = "none") -> Drawn:
    """Draw a table.

    Parameters
    ----------
    kind : str
        One of `KINDS`, or interactions.
    shape : str
        One of `SHAPES`.
    seed, rows : int
    trouble : str
        One of `TROUBLES`: half of the variables with several effects are not in the table; a site that
        shifts half of the columns is not; rows with higher values of two variables are likelier to be in; or
        hidden variables are each a cause of two that have further causes, whatever the shape.
    """
    numbers = (*KINDS, INTERACTIONS).index(kind), SHAPES.index(shape), TROUBLES.index(trouble), seed
    generator = np.random.default_rng(numbers)
    made_as = {"hidden site": "site", "hidden pairs": "pairs"}.get(trouble, shape)
    order, causes = _graph(made_as, generator)
    effects = [sum(number in before for before in causes) for number in range(VARIABLES)]
    site = int(order[0]) if "site" in (shape, trouble.removeprefix("hidden ")) else None
    hidden: set[int] = set()
    if trouble == "hidden site":
        hidden = {int(order[0])}
    elif trouble == "hidden pairs":
        hidden = set(order[:_PAIRS].tolist())
    elif trouble == "hidden causes":
        several = [number for number in range(VARIABLES) if effects[number] > 1]
        hidden = set(generator.choice(several, int(_HIDDEN_SHARE * len(several)), replace=False).tolist())
    seen = [number for number in range(VARIABLES) if number not in hidden]
    linked = [number for number in seen if number != site and (effects[number] or causes[number])]
    if trouble == "hidden pairs":
        linked = order[-2 * _PAIRS - 6 : -6].tolist()
    labels = set(generator.choice(linked, LABELS, replace=False).tolist())
    is_selected = trouble == "selected rows"
    values = _made(kind, generator, order, causes, site, labels, rows * (_ROOM if is_selected else 1))
    if is_selected:
        values = _selected(generator, values, rows)
    frame = pandas.DataFrame({f"v{number}": _column(values[number]) for number in seen})
    edges = {(f"v{cause}", f"v{effect}") for effect in range(VARIABLES) for cause in causes[effect]}
    names = [f"v{number}" for number in seen]
    return Drawn(frame, [f"v{label}" for label in sorted(labels)], HiddenGraph(edges, names), edges)


def _column(values: np.ndarray) -> np.ndarray:
    column: np.ndarray = np.array(list("abcdefgh"))[values] if values.dtype.kind == "i" else values
    return column


def _selected(generator: Generator, values: list[np.ndarray], rows: int) -> list[np.ndarray]:
    chosen = generator.choice(VARIABLES, 2, replace=False)
    first, second = (_scaled(np.asarray(values[number], dtype=float)) for number in chosen)
    score = first + second
    kept = np.argsort(-(score + generator.logistic(0.0, 0.5, len(score))), kind="stable")[:rows]
    kept.sort()
    return [column[kept] for column in values]
