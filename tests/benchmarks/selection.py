"""How CLCD-FS compares with other feature selectors: the tables of a finished comparison, as Markdown.

Run by hand, from the project's folder; the first command takes hours, and goes on where it was interrupted::

    clcd benchmark --selection DATA/{flags,emotions,birds,yeast,scene,medical,enron,mediamill} --out OUT
    python -m tests.benchmarks.selection OUT --write

The second one reads ``summary.csv``, ``ranks.csv`` and ``tests.csv`` of the first and prints the tables of
``tests/benchmarks/SELECTION.md``; with ``--write`` it puts them there and copies the picture of the ranks.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from pathlib import Path

import pandas

from engine.comparison.selectors.methods import ALL_FEATURES, CLCD_FS, selection_methods
from engine.comparison.selectors.prediction import PAPER_METRICS, metrics
from tests.benchmarks.readme_parts import SELECTION, write_part

PICTURE = "ranks.svg"
ALL_TABLES = "all"


def markdown_row(cells: list[str]) -> str:
    """Give one row of a table."""
    return f"| {' | '.join(cells)} |"


def heading(titles: list[str]) -> Iterator[str]:
    """Give the head of a table whose first column is words, the others numbers."""
    yield markdown_row(titles)
    yield markdown_row(["---", *["---:"] * (len(titles) - 1)])


def title(method: str) -> str:
    """Give what a person calls a method."""
    return selection_methods()[method].title


def marked(values: pandas.Series, metric: str, digits: int) -> dict[str, str]:
    """Write figures by method, the best one that selects in bold."""
    selecting = values.drop(ALL_FEATURES, errors="ignore")
    best = metrics()[metric].signed(selecting).idxmax()
    return {
        name: f"**{value:.{digits}f}**" if name == best else f"{value:.{digits}f}"
        for name, value in values.items()
    }


def mean_table(summary: pandas.DataFrame, ranks: pandas.DataFrame) -> Iterator[str]:
    """Give means over tables and average ranks by method."""
    methods = list(dict.fromkeys(summary["method"]))
    columns: dict[str, dict[str, str]] = {}
    for metric in PAPER_METRICS:
        means = summary.groupby("method")[f"{metric}_mean"].mean()
        average_ranks = ranks[ranks["metric"] == metric].set_index("method")["average_rank"].to_dict()
        columns[f"{metrics()[metric].title} (rank)"] = {
            name: f"{text} ({average_ranks[name]:.1f})" if name in average_ranks else text
            for name, text in marked(means, metric, 3).items()
        }
    seconds = summary.groupby("method")["processor_seconds_mean"].mean()
    columns["CPU s"] = {name: f"{value:.2f}" for name, value in seconds.items()}
    yield from heading(["method", *columns])
    for method in [CLCD_FS, *[name for name in methods if name != CLCD_FS]]:
        yield markdown_row([title(method), *[cells.get(method, "") for cells in columns.values()]])


def table_by_table(summary: pandas.DataFrame, metric: str) -> Iterator[str]:
    """Give one metric by method and data set, and how many features there were."""
    wide = summary.pivot(index="method", columns="data_set", values=f"{metric}_mean")
    names = list(dict.fromkeys(summary["data_set"]))
    columns = {name: marked(wide[name], metric, 3) for name in names}
    sizes = summary.pivot(index="method", columns="data_set", values="features_mean").loc[CLCD_FS]
    yield from heading([metrics()[metric].title, *names])
    for method in [CLCD_FS, *[name for name in wide.index if name != CLCD_FS]]:
        yield markdown_row([title(method), *[columns[name][method] for name in names]])
    yield markdown_row(["*features of CLCD-FS*", *[f"{sizes[name]:.0f}" for name in names]])


def duel_table(tests: pandas.DataFrame) -> Iterator[str]:
    """Give by rival how often CLCD-FS is better or worse over splits, and p over tables."""
    yield from heading(["rival", *[metrics()[metric].title for metric in PAPER_METRICS]])
    for rival in dict.fromkeys(tests["rival"]):
        cells = []
        for metric in PAPER_METRICS:
            rows_of_rival = tests[(tests["rival"] == rival) & (tests["metric"] == metric)]
            is_whole = rows_of_rival["data_set"] == ALL_TABLES
            standing = rows_of_rival[~is_whole]["clcd_fs_is"].value_counts()
            p_value = rows_of_rival[is_whole]["wilcoxon_p"].iloc[0]
            cells.append(f"{standing.get('better', 0)} : {standing.get('worse', 0)}, p {p_value:.3f}")
        yield markdown_row([title(rival), *cells])


def parts(folder: Path) -> dict[str, str]:
    """Give every part that is written, by name."""
    summary, ranks, tests = (
        pandas.read_csv(folder / f"{name}.csv") for name in ("summary", "ranks", "tests")
    )
    tables = {
        "selection means": mean_table(summary, ranks),
        "selection micro-f1": table_by_table(summary, "micro_f1"),
        "selection hamming": table_by_table(summary, "hamming_loss"),
        "selection duels": duel_table(tests),
    }
    return {name: "\n".join(lines) for name, lines in tables.items()}


def main() -> None:
    """Print the tables, or write them."""
    parser = argparse.ArgumentParser(description="How CLCD-FS stands beside other feature selectors.")
    parser.add_argument("folder", type=Path, help="what `clcd benchmark --selection` wrote")
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    arguments = parser.parse_args()
    for name, text in parts(arguments.folder).items():
        print(f"{text}\n")
        if arguments.write:
            write_part(SELECTION, name, text)
    if arguments.write:
        shutil.copy(arguments.folder / PICTURE, SELECTION.with_name("selection_ranks.svg"))


if __name__ == "__main__":
    main()
