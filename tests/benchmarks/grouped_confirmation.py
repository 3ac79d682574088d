"""The confirmation of members where rows come in groups: who stays and who leaves, beside independent rows.

Run by hand, from the project's folder::

    python -m tests.benchmarks.grouped_confirmation --first-seed 1000 --tables 200

A label T has causes C0 to C3. They and the rest of it are alike within persons, as all columns are. Four more
members are false: two have to do with nothing, and two follow from two causes each. A cause tells so much
that about three of four should stay. *Independent* has as many independent rows as the rows of the groups are
worth for a column that is as much alike within persons as the label.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas

import engine
from engine.boundaries.discovery_settings import arranged
from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.discovery.last_pass import confirmed

CAUSES, NOISE = 4, 4
# Standard errors that a cause is worth: at a level of .01 about .77 of them are significant.
_STANDARD_ERRORS = 3.3


class Shape(NamedTuple):
    """How rows come in groups."""

    persons: int
    rows: int
    icc: float

    @property
    def worth(self) -> int:
        """How many independent rows tell as much."""
        return round(self.persons * self.rows / (1.0 + (self.rows - 1.0) * self.icc**2))


SHAPES = tuple(Shape(2000 // rows, rows, icc) for rows in (5, 20) for icc in (0.2, 0.5, 0.8))


def drawn(
    shape: Shape, outcome: str, generator: np.random.Generator, grouped: bool, weighted: bool = False
) -> pandas.DataFrame:
    """Draw a table, of independent rows that tell as much where it is not grouped."""
    worth = shape.worth
    persons, rows, icc = (shape.persons, shape.rows, shape.icc) if grouped else (worth, 1, 0.0)

    def alike(count: int) -> np.ndarray:
        own = generator.normal(size=(count, persons)).repeat(rows, axis=1)
        values: np.ndarray = np.sqrt(icc) * own
        values += np.sqrt(1.0 - icc) * generator.normal(size=values.shape)
        return values

    causes, noise = alike(CAUSES), alike(NOISE)
    # What a label of two levels tells of the normal one behind it, at even odds, is 2 / pi.
    lost = np.sqrt(np.pi / 2.0) if outcome == "levels" else 1.0
    effect = _STANDARD_ERRORS * lost / np.sqrt(worth)
    strength = effect * causes.sum(axis=0) + alike(1)[0]
    columns = {f"C{place}": cause for place, cause in enumerate(causes)}
    columns |= {f"N{place}": noise_column for place, noise_column in enumerate(noise[:2])}
    columns |= {
        f"F{place}": causes[2 * place] + causes[2 * place + 1] + noise_column
        for place, noise_column in enumerate(noise[2:])
    }
    frame = pandas.DataFrame(columns)
    frame["T"] = strength if outcome == "numbers" else np.where(strength > 0.0, "yes", "no")
    frame["who"] = np.arange(persons).repeat(rows)
    if weighted:
        frame["w"] = generator.exponential(size=len(frame)) + 0.5
    return frame


class Kept(NamedTuple):
    """How many of each kind stayed."""

    confirmations: int
    causes: int
    noise: int
    following: int


def kept(frame: pandas.DataFrame, grouped: bool, alpha: float) -> Kept:
    """Confirm a boundary of all columns."""
    names = [str(name) for name in frame if name not in ("T", "who", "w")]
    weights = "w" if "w" in frame else None
    table = frame if grouped else frame.drop(columns="who")
    dataset = engine.Dataset.from_frame(
        table, labels=["T"], groups="who" if grouped else None, weights=weights
    )
    settings = engine.DiscoverySettings(
        row_weights="sampling" if weights else "counts", alpha=alpha, test="basis"
    )
    data = arranged(dataset, settings)
    search = Neighbourhoods(data, settings, np.zeros(1, np.uint8))
    members = tuple(data.positions[name] for name in names)
    confirmation = confirmed(search, Neighbourhood(data.positions["T"], members, {}, {}, 0, 0), [])
    stayed = [data.names[member] for member in confirmation.neighbourhood.members]
    counts = (sum(name[0] == kind for name in stayed) for kind in "CNF")
    return Kept(int(confirmation.is_made), *counts)


def shares(
    shape: Shape,
    outcome: str,
    seeds: range,
    *,
    grouped: bool = True,
    weighted: bool = False,
    alpha: float = 0.01,
) -> tuple[float, ...]:
    """Return the share of tables that were confirmed, and of causes, noise and followers that stayed."""
    counts = np.array(
        [
            kept(
                drawn(shape, outcome, np.random.default_rng([seed, *shape[:2]]), grouped, weighted),
                grouped,
                alpha,
            )
            for seed in seeds
        ]
    )
    return tuple(np.mean(counts, axis=0) / (1, CAUSES, 2, NOISE - 2))


def lines(seeds: range, alpha: float) -> Iterator[str]:
    """Print a row for each shape and outcome."""
    yield "| outcome | persons × rows | ICC | rows | made | causes | noise | followers |"
    yield "| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |"
    for outcome in ("numbers", "levels"):
        for shape in SHAPES:
            for kind in ("grouped", "grouped and weighted", "independent"):
                kept_shares = shares(
                    shape,
                    outcome,
                    seeds,
                    grouped=kind != "independent",
                    weighted="weighted" in kind,
                    alpha=alpha,
                )
                figures = " | ".join(f"{share:.3f}" for share in kept_shares)
                yield f"| {outcome} | {shape.persons} × {shape.rows} | {shape.icc} | {kind} | {figures} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Confirmation where rows come in groups.")
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--alpha", type=float, default=0.01)
    arguments = parser.parse_args()
    for line in lines(range(arguments.first_seed, arguments.first_seed + arguments.tables), arguments.alpha):
        print(line, flush=True)


if __name__ == "__main__":
    main()
