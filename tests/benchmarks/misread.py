"""How many variants of each kind of misread table are read right, or asked about with what puts them right.

Run by hand, from the project's folder::

    python -m tests.benchmarks.misread --first-seed 5000

The tests look at the first fifty seeds; report on others.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas

import engine
from clcd_gui.document.doubts import doubts_of
from engine.errors import EngineError
from engine.preparation.made_from_labels import columns_made_from_labels
from engine.readers import Reading, read_table
from engine.readers.options import ReadingOptions, make_options
from engine.table.numbered_within import grouped_by_identifier
from engine.table.variable import Kind
from tests import misread_columns as columns
from tests import misread_identifiers
from tests.engine.readers import joinable_tables, misread_files, misread_values, misshapen_tables
from tests.engine.readers import misread_tables as tables
from tests.engine.readers.written_tables import values_of

_TABLES = (
    tables.summary_rows,
    tables.counts_and_remarks,
    tables.repeated_headers,
    tables.subtotals,
    tables.rows_of_groups,
    tables.section_headings,
    tables.rows_of_units,
    tables.titles_and_offsets,
    tables.marked_lines,
    tables.merged_headings,
    tables.blanks_and_decimal_commas,
)
_JOINS = (
    joinable_tables.numbered_label_tables,
    joinable_tables.persons_with_rows,
    joinable_tables.numbers_in_any_place,
    joinable_tables.lines_beside_a_key,
)
_FILES = (
    misread_files.filtered_rows,
    misread_files.far_cells,
    misread_files.partly_named_codes,
    misread_files.repeating_instruments,
    misread_files.old_encodings,
    misread_files.marks_in_sheets,
    misread_files.texts_with_row_names,
    misread_files.sheets_of_cases,
    misread_values.na_as_value,
    misread_values.limits,
    misread_values.codes_beside_usual,
    misread_values.gaps_elsewhere,
)
_SHAPES = (
    misshapen_tables.genes_in_rows,
    misshapen_tables.nameless_features,
    misshapen_tables.wide_visits,
    misshapen_tables.visits_below,
    misshapen_tables.lists_of_measurements,
    misshapen_tables.code_books,
)


def main() -> None:
    """Print a line a kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first-seed", type=int, default=5000)
    parser.add_argument("--variants", type=int, default=50)
    parser.add_argument("--kinds", nargs="*", default=(), help="as they are printed; all, if none is given")
    given = parser.parse_args()
    seeds = range(given.first_seed, given.first_seed + given.variants)
    chosen = [maker for maker in _TABLES if not given.kinds or maker.__name__ in given.kinds]
    for maker in chosen:
        with tempfile.TemporaryDirectory() as folder:
            score = tables.score_of(maker, Path(folder), seeds)
            print(
                f"{maker.__name__}: {score.right} right, {score.asked_about} asked about",
                *score.wrong,
                flush=True,
            )
    shapes = ((maker.__name__, _shape_judge(maker)) for maker in _SHAPES)
    joins = ((maker.__name__, _join_judge(maker)) for maker in _JOINS)
    files = ((maker.__name__, _file_judge(maker)) for maker in _FILES)
    judges = (*_COLUMNS.items(), *shapes, *joins, *files)
    for name, judge in [
        name_and_judge for name_and_judge in judges if not given.kinds or name_and_judge[0] in given.kinds
    ]:
        wrong = wrong_seeds(judge, seeds)
        print(f"{name}: {len(seeds) - len(wrong)} right, wrong: {wrong}", flush=True)


def wrong_seeds(judge: Callable[[int, Path], bool], seeds: Sequence[int]) -> list[int | str]:
    """Return the seeds of variants that are not read right, with what was said of those that were refused."""
    wrong: list[int | str] = []
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            try:
                if not judge(seed, Path(folder)):
                    wrong.append(seed)
            except EngineError as error:
                wrong.append(f"{seed}: {error}")
    return wrong


def _read(frame: pandas.DataFrame, folder: Path) -> Reading:
    frame.to_csv(folder / "table.csv", index=False)
    return read_table(folder / "table.csv")


def _offers(reading: Reading, name: str) -> tuple[str, ...]:
    """Return what the first card about an option of reading would set it to."""
    changes = [change for doubt in doubts_of(reading, ReadingOptions()) for change in doubt.changes]
    return next((change.value for change in changes if change.name == name), ())


def _made_from_labels(seed: int, _folder: Path) -> bool:
    table = columns.made_from_labels(seed)
    prepared = engine.prepare(engine.Dataset.from_frame(table.frame, table.labels))
    return set(table.frame) - {*prepared.features, *prepared.labels} == {table.feature}


def _composites_of_labels(seed: int, _folder: Path) -> bool:
    table = columns.composites_of_labels(seed)
    sums = columns_made_from_labels(engine.Dataset.from_frame(table.frame, table.labels))
    return {made_column.name for made_column in sums} == set(table.sums)


def _follow_up(seed: int, _folder: Path) -> bool:
    frame, label, time = columns.with_follow_up(seed)
    prepared = engine.prepare(engine.Dataset.from_frame(frame, [label]))
    return set(frame) - {*prepared.features, label} == {time}


def _time_of_event(seed: int, _folder: Path) -> bool:
    frame, label, time = columns.with_time_of_event(seed)
    prepared = engine.prepare(engine.Dataset.from_frame(frame, [label]))
    return set(frame) - {*prepared.features, label} == {time}


def _date_of_event(seed: int, _folder: Path) -> bool:
    frame, label, name = columns.with_date_of_event(seed)
    prepared = engine.prepare(engine.Dataset.from_frame(frame, [label]))
    return set(frame) - {*prepared.features, label} == {name}


def _missing_codes(seed: int, folder: Path) -> bool:
    table = columns.with_missing_codes(seed)
    (folder / "table.csv").write_text(table.text, encoding="utf-8")
    reading = read_table(folder / "table.csv")
    topics = ("suspected-missing", "missing-code", "text-among-numbers")
    notes = [note for note in reading.issues if note.topic in topics]
    told = {(note.variable or note.columns[0], code) for note in notes for code in note.examples}
    return told == {(table.column, code) for code in table.codes}


def _ticks(seed: int, folder: Path) -> bool:
    frame, names, _ = columns.with_ticks(seed)
    return set(_offers(_read(frame, folder), "empty_means_no")) == set(names)


def _groups_named_once(seed: int, folder: Path) -> bool:
    frame, in_each_row = columns.with_groups_named_once(seed)
    offered = _offers(_read(frame, folder), "filled_down")
    read = read_table(folder / "table.csv", options=ReadingOptions(filled_down=offered or None)).dataset
    return set(offered) == set(in_each_row) and all(
        [f"{value:g}" if isinstance(value, float) else value for value in _values(read, name)] == values
        for name, values in in_each_row.items()
    )


def _nominal_codes(seed: int, folder: Path) -> bool:
    frame, name = columns.with_nominal_codes(seed)
    reading = _read(frame, folder)
    variables = reading.dataset.variables
    are_kinds = {variable.name for variable in variables if variable.level_count > 2 and not variable.ordered}
    return are_kinds | set(_offers(reading, "categories")) == ({name} if name else set())


def _several_answers(seed: int, folder: Path) -> bool:
    frame, name, gave = columns.with_several_answers(seed)
    if _offers(_read(frame, folder), "several_answers") != (name,):
        return False
    dataset = engine.read_dataset(folder / "table.csv", several_answers=[name])
    new_columns = {column for column in dataset.names if column.startswith(f"{name}: ")}
    return new_columns == {f"{name}: {answer}" for answer in gave} and all(
        (dataset.column(f"{name}: {answer}") == is_so).all() for answer, is_so in gave.items()
    )


def _order(seed: int, folder: Path) -> bool:
    frame, order = columns.with_order(seed)
    if _offers(_read(frame, folder), "ordered") != ("answer",):
        return False
    variable = engine.read_dataset(folder / "table.csv", ordered=["answer"]).variable("answer")
    return variable.ordered and variable.levels == order


def _shape_judge(
    maker: Callable[[np.random.Generator, Path], misshapen_tables.Misshapen],
) -> Callable[[int, Path], bool]:
    def is_right(seed: int, folder: Path) -> bool:
        case = maker(np.random.default_rng(seed), folder)
        name, value = next(iter(case.option.items()))
        if _offers(read_table(case.path), name) != value:
            return False
        dataset = read_table(case.path, options=make_options({name: value})).dataset
        return dataset.names == case.names and all(
            _values(dataset, column) == case.columns[column] for column in case.names
        )

    return is_right


def _file_judge(maker: misread_files.Maker) -> Callable[[int, Path], bool]:
    return lambda seed, folder: maker(np.random.default_rng(seed), folder).is_right


def _join_judge(
    maker: Callable[[np.random.Generator, Path], joinable_tables.Joinable],
) -> Callable[[int, Path], bool]:
    return lambda seed, folder: maker(np.random.default_rng(seed), folder).is_right


def _values(dataset: engine.Dataset, name: str) -> list[object]:
    variable, column = dataset.variable(name), dataset.column(name)
    if variable.kind is Kind.CONTINUOUS:
        return [None if value != value else value for value in column.tolist()]
    return [variable.levels[code] if code >= 0 else None for code in column]


def _written_codes(seed: int, folder: Path) -> bool:
    case = tables.code_columns(np.random.default_rng(seed), folder)
    return values_of(read_table(case.path), case.column) == case.values


def _marks_in_threes(seed: int, folder: Path) -> bool:
    case = tables.marks_in_threes(np.random.default_rng(seed), folder)
    guess = read_table(case.path).guess("decimal")
    return guess is not None and not guess.certain


def _scale_headers(seed: int, folder: Path) -> bool:
    case = tables.scale_headers(np.random.default_rng(seed), folder)
    reading = read_table(case.path)
    header, plain = reading.guess("header"), read_table(case.plain).dataset
    names = tuple(name.removeprefix("nm ") for name in plain.names)
    return header is not None and header.certain and reading.dataset.names == names


def _orange_headers(seed: int, folder: Path) -> bool:
    case = tables.orange_headers(np.random.default_rng(seed), folder)
    noticed, plain = read_table(case.path).dataset, read_table(case.plain).dataset
    are_same = noticed.names == plain.names and noticed.row_count == plain.row_count
    return are_same and noticed.labels == plain.names[-2:]


def _numbered_in_sites(seed: int, folder: Path) -> bool:
    frame, name = misread_identifiers.numbered_in_sites(seed)
    dataset = grouped_by_identifier(_read(frame, folder).dataset)
    is_asked = "numbers its own, do not group" in dataset.notes[0].message
    return is_asked or (dataset.groups is None and name in dataset.ignored)


def _persons_at_times(seed: int, folder: Path) -> bool:
    frame, name = misread_identifiers.persons_at_times(seed)
    return grouped_by_identifier(_read(frame, folder).dataset).groups == name


def _binding_column(seed: int, folder: Path) -> bool:
    frame, name = misread_identifiers.with_binding_column(seed)
    return grouped_by_identifier(_read(frame, folder).dataset).groups == name


def _clusters_in_words(seed: int, folder: Path) -> bool:
    frame, name = misread_identifiers.with_clusters_in_words(seed)
    return grouped_by_identifier(_read(frame, folder).dataset).groups == name


def _no_identifier(seed: int, folder: Path) -> bool:
    frame, name = misread_identifiers.with_what_is_no_identifier(seed)
    dataset = grouped_by_identifier(_read(frame, folder).dataset.with_labels(["ill"]))
    return dataset.groups is None and name in engine.prepare(dataset).features


_COLUMNS: dict[str, Callable[[int, Path], bool]] = {
    "made from labels": _made_from_labels,
    "composites of labels": _composites_of_labels,
    "follow-up": _follow_up,
    "time of event": _time_of_event,
    "date of event": _date_of_event,
    "missing codes": _missing_codes,
    "ticks": _ticks,
    "groups named once": _groups_named_once,
    "nominal codes": _nominal_codes,
    "several answers": _several_answers,
    "order": _order,
    "written codes": _written_codes,
    "marks in threes": _marks_in_threes,
    "scale headers": _scale_headers,
    "Orange's headers": _orange_headers,
    "numbered in sites": _numbered_in_sites,
    "persons at times": _persons_at_times,
    "binding column": _binding_column,
    "clusters in words": _clusters_in_words,
    "no identifier": _no_identifier,
}


if __name__ == "__main__":
    main()
