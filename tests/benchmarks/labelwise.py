"""Whether each label is predicted better from its own variables than from all that were selected.

Run by hand, from the project's folder, with data sets as ``clcd benchmark --selection`` takes them; it takes
some minutes::

    python -m tests.benchmarks.labelwise DATA/emotions DATA/birds DATA/yeast --write

One selection a split, of CLCD-FS at its defaults, serves both: a classifier a label on every selected
feature, and :class:`engine.LabelwiseClassifier`, a classifier a label on those that serve it. Features are
numbers here, categories of words by their position.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import engine
from engine.comparison.selectors.data_sets import LabelledTable, read_labelled_tables
from engine.comparison.selectors.prediction import PredictionFigures, agreement
from engine.comparison.selectors.run import split_rows
from engine.comparison.selectors.standings import signed_rank_p
from tests.benchmarks.readme_parts import SELECTION, write_part
from tests.benchmarks.selection import markdown_row

SPLITS = 10
TEST_SHARE = 0.3
FIGURES = {"Hamming loss": "hamming_loss", "Macro-F1": "macro_f1", "Micro-F1": "micro_f1"}


class FoundBefore:
    """A selector that was fitted already, and serves every label with its own variables or with all."""

    def __init__(self, label_support: np.ndarray) -> None:
        self.label_support = label_support

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Give what it was made of, for copies."""
        return {"label_support": self.label_support}

    def fit(self, values: np.ndarray, labels: np.ndarray) -> FoundBefore:
        """Give back what was found."""
        self.label_support_ = self.label_support
        return self


class Judged(NamedTuple):
    """One split: figures from all selected features and from those of each label, and their numbers."""

    from_all: PredictionFigures
    from_own: PredictionFigures
    selected: int
    own: float


def judged(table: LabelledTable, number: int) -> Judged:
    """Select, learn and predict in one split."""
    split = split_rows(table.labels, TEST_SHARE, (0, number))
    training, testing = table.values[split.training], table.values[split.testing]
    training_labels = table.labels[split.training].astype(np.int64)
    selector = engine.CLCDSelector(workers=1).fit(training, training_labels)
    every = np.broadcast_to(selector.support_, selector.label_support_.shape)
    classifier = make_pipeline(StandardScaler(), SVC(gamma="auto"))
    figures = []
    for support in (every, selector.label_support_):
        model = engine.LabelwiseClassifier(classifier, FoundBefore(support)).fit(training, training_labels)
        truth, predicted = table.labels[split.testing], model.predict(testing).astype(bool)
        figures.append(agreement(truth, predicted, model.decision_function(testing), skip_unrankable=False))
    sizes = selector.label_support_.sum(axis=1)
    return Judged(*figures, selected=int(selector.support_.sum()), own=float(sizes.mean()))


def rows(paths: list[str]) -> Iterator[str]:
    """Give the table, one row a data set."""
    titles = [f"{name}: all / own (p)" for name in FIGURES]
    yield markdown_row(["data set", "selected", "of a label", *titles])
    yield markdown_row(["---", *["---:"] * (2 + len(FIGURES))])
    for path in paths:
        for table in read_labelled_tables(path):
            judgements = [judged(table, number) for number in range(SPLITS)]
            cells = []
            for name in FIGURES.values():
                every = [getattr(judgement.from_all, name) for judgement in judgements]
                own = [getattr(judgement.from_own, name) for judgement in judgements]
                p_value = signed_rank_p(own, every)
                cells.append(f"{np.mean(every):.3f} / {np.mean(own):.3f} ({p_value:.3f})")
            sizes = [
                f"{np.mean([getattr(judgement, name) for judgement in judgements]):.1f}"
                for name in ("selected", "own")
            ]
            yield markdown_row([table.name, *sizes, *cells])


def main() -> None:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description="Own variables of each label against all.")
    parser.add_argument("data", nargs="+", help="files or folders of data sets")
    parser.add_argument("--write", action="store_true", help="put the table into the README")
    arguments = parser.parse_args()
    lines = []
    for line in rows(arguments.data):
        print(line, flush=True)
        lines.append(line)
    if arguments.write:
        write_part(SELECTION, "selection labelwise", "\n".join(lines))


if __name__ == "__main__":
    main()
