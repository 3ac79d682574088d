"""What whole analyses cost: a search and the sizes of its findings, on tables such as people have.

Files are those of ``../shared/data``; tables whose file is absent are left out. The survey has items, numbers
and categories that share traits; with weights, these go along with one of the traits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas

import engine
from engine.table.dataset import Dataset
from tests.benchmarks.hubs import hub_network
from tests.benchmarks.protocol import paper_table

_TRAITS, _LABELS = 6, 4
_NEIGHBOURS, _CAUSES = 60, 8


def survey(rows: int, columns: int, *, weighted: bool, seed: int = 5) -> Dataset:
    """Draw a survey with four labels, one of them a number."""
    generator = np.random.default_rng(seed)
    traits = generator.normal(size=(_TRAITS, rows))
    values: dict[str, np.ndarray] = {}
    for place in range(columns - _LABELS):
        loadings = generator.normal(size=_TRAITS) * (generator.random(_TRAITS) < 0.25)
        score = loadings @ traits + generator.normal(size=rows)
        answers = np.digitize(score, np.quantile(score, (0.15, 0.35, 0.65, 0.85)))
        values[f"v{place}"] = (
            score,
            answers + 1.0,
            answers + 1.0,
            np.where(score > 0.4, "yes", "no"),
            np.array(("north", "south", "east"))[answers // 2],
        )[place % 5]
    standardised = [
        pandas.Series(pandas.factorize(column)[0] if column.dtype.kind == "U" else column)
        for column in values.values()
    ]
    for place in range(_LABELS):
        causes = generator.choice(len(standardised), 5, replace=False)
        parts = [0.6 * (standardised[cause] - standardised[cause].mean()) for cause in causes]
        score = sum(part / part.std() for part in parts) + generator.normal(size=rows)
        values[f"label {place}"] = (
            np.asarray(score) if place == 0 else np.where(score > place - 2.0, "yes", "no")
        )
    if weighted:
        values["weight"] = np.exp(0.5 * generator.normal(size=rows) + 0.3 * traits[0])
    labels = [f"label {place}" for place in range(_LABELS)]
    return Dataset.from_frame(pandas.DataFrame(values), labels=labels, weights="weight" if weighted else None)


def hub_of_numbers(rows: int, seed: int = 1) -> Dataset:
    """Draw a label with sixty neighbours, all of them numbers, beside as many that are unrelated."""
    generator = np.random.default_rng(seed)
    causes = generator.normal(size=(_CAUSES, rows))
    label = 0.4 * causes.sum(axis=0) + generator.normal(size=rows)
    effects = 0.5 * label + generator.normal(size=(_NEIGHBOURS - _CAUSES, rows))
    others = generator.normal(size=(_NEIGHBOURS, rows))
    frame = pandas.DataFrame(np.vstack((causes, effects, others)).T).add_prefix("v")
    return Dataset.from_frame(frame.assign(label=label), labels=["label"])


# Folder, file of rows, file of labels.
_FILES = {
    "emotions": ("emotions", "emotions.arff", "emotions.xml"),
    "yeast": ("yeast", "yeast.arff.gz", "yeast.xml"),
    "scene": ("scene", "scene.orig.arff.gz", "scene.xml"),
    "enron": ("enron", "enron.arff.gz", "enron.xml"),
    "tmc2007-500": ("tmc2007-500", "tmc2007-500-train.arff.gz", "tmc2007-500.xml"),
    "mediamill": ("mediamill", "mediamill-train.arff.gz", "mediamill.xml"),
}
_DRAWN: Mapping[str, Callable[[], Dataset]] = {
    "paper": paper_table,
    "survey": lambda: survey(2000, 150, weighted=False),
    "survey-weighted": lambda: survey(2000, 150, weighted=True),
    "hub": lambda: hub_network(5000, 3)[0],
    "hub-of-numbers": lambda: hub_of_numbers(3000),
}
NAMES = (*_FILES, *_DRAWN)


def analysis_table(names: Iterable[str], data: Path) -> Iterator[str]:
    """Give the rows of the table: one worker, directions included, nothing left to compile."""
    _analysed(survey(300, 20, weighted=False))
    _analysed(survey(300, 20, weighted=True))
    yield "| table | preparing, CPU s | search | effects | findings |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name in names:
        if name in _DRAWN:
            table = _DRAWN[name]()
        else:
            folder, rows, labels = _FILES[name]
            if not (data / folder).is_dir():
                continue
            table = engine.read_dataset(str(data / folder / rows), labels=str(data / folder / labels))
        yield f"| {name} | {' | '.join(_analysed(table))} |"


def _analysed(table: Dataset) -> tuple[str, ...]:
    """Search a table and measure what was found; return the seconds of each, and how many findings."""
    begun = time.process_time()
    prepared = engine.prepare(table)
    ready = time.process_time()
    result = engine.discover(prepared, engine.DiscoverySettings(workers=1))
    searched = time.process_time()
    engine.effects(prepared, result)
    seconds = ready - begun, searched - ready, time.process_time() - searched
    return *(f"{taken:.1f}" for taken in seconds), str(len(result.evidence))
