"""Labels that stand in a second table: which of its rows belongs to which row of the data.

Rows belong together that have the same identifier, wherever both tables have one. Capitals, blanks,
punctuation and leading zeros do not count, unless they tell two identifiers of one table apart. Only where a
table has no identifier are rows put side by side in their order.

Numbers from 1 on are in every table whose rows somebody numbered, so that two such columns match whatever the
rows are. They join only where no other identifiers put the rows together otherwise, and where they leave no
more rows without a partner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np
import pandas

from engine.errors import InvalidData
from engine.readers.reading import SAME_CASES, Table, numbered_names
from engine.readers.typed_files import text_of
from engine.table.dataset import Dataset
from engine.table.identifiers import (
    ABOUT_NAMELESS,
    JOINED,
    OTHER_WRITINGS,
    are_codes,
    are_codes_that_repeat,
    are_whole_numbers,
    count_from_one_on,
    in_letters_and_digits,
    is_identifier,
    is_identifier_name,
    is_nameless,
    is_rank_name,
    is_repeating_identifier,
    may_be_identifier_name,
    number_rows,
)
from engine.table.variable import MISSING_CODE, Kind, Variable, missing_mask
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed
from engine.wording.numbers import count_text, counted

# Identifiers match if at least this share of those in the smaller table is in the other one.
_SHARE_MATCHED = 0.5
# Columns of other names are compared if they hold at least so many different values.
_FEWEST_COMPARED = 3
# What no cell holds.
_BETWEEN_PARTS = "\x1f"
# In fewer rows than this, codes may all differ by chance.
_FEWEST_CODES = 8
# Numbers that differ are sparse where they fill at most half of their range.
_SPARSE = 2
# Columns whose names say nothing are of the same persons if so many of their numbers agree.
_SHARE_AGREEING = 0.9


def join_label_table(dataset: Dataset, table: Table, place: str, *, complete: bool = True) -> Dataset:
    """Append the columns of a second table as labels, by the identifier that both tables have.

    It is one or several columns of the same names, row names, or columns of equal values; without one, rows
    are taken in order. Notes count rows without a partner. Labels without names are called L1, L2, …
    """
    match = _best_match(dataset, table)
    if match is None:
        return _joined_by_order(dataset, table, place, complete)
    _require_match(match, place, complete)
    in_data, in_labels = match.rows
    rest = [position for position in range(len(table.variables)) if position not in match.in_labels.positions]
    if not rest:
        raise InvalidData(
            _("beside {name} it holds no column.", name=match.in_labels.title),
            place=place,
            remedy=_("Choose the table that holds the labels."),
        )
    table, named = _without_identifiers(table, rest)
    table = replace(
        table,
        columns=tuple(column[in_labels] for column in table.columns),
        issues=tuple(note for note in table.issues if note.topic not in ABOUT_NAMELESS),
    )
    if len(in_data) < dataset.row_count or not (in_data == np.arange(len(in_data))).all():
        dataset = replace(dataset.select_rows(in_data), coded=None)
    table, repeated = _without_repeated(dataset, table)
    is_repeated = len(match.in_data.variables) == 1 and len(np.unique(in_data)) < len(in_data)
    identifier = match.in_data.variables[0].name if is_repeated else ""
    note = Note(JOINED, " ".join((*match.sentences(complete), *named, *repeated)), identifier)
    return _appended(dataset, table, place).with_notes((note,))


def note_about_same_cases(table: Table, sheet: str, rows: Sequence[Sequence[object]]) -> Note | None:
    """Say that a sheet holds the same cases as a table; None where it does not."""
    header = [(text_of(cell) or "").strip() for cell in rows[0]] if rows else []
    for place, variable in enumerate(table.variables):
        name = variable.name
        if name not in header or not is_identifier_name(name):
            continue
        key = _key(table.variables, table.columns, [place])
        match = _Match(key, _key_in_sheet(rows, header.index(name), name))
        if match.in_labels.repeats or match.coverage < _SHARE_MATCHED:
            continue
        rivals = (
            _Match(key, _key_in_sheet(rows, at, title))
            for at, title in enumerate(header)
            if title != name and _may_refer(title, name)
        )
        if not match.counts_lines or all(rival.coverage < match.coverage for rival in rivals):
            message = _(_SAME_CASES, sheet=sheet, name=name, columns=counted(len(header) - 1, "column"))
            return Note(SAME_CASES, message, name, (sheet,))
    return None


def _key_in_sheet(rows: Sequence[Sequence[object]], at: int, name: str) -> _Key:
    """Take a column of a sheet below its header."""
    texts = [text_of(row[at]) if at < len(row) else None for row in rows[1:]]
    written = Variable(name, Kind.NOMINAL, levels=tuple(dict.fromkeys(filter(None, texts))))
    position = {text: code for code, text in enumerate(written.levels)}
    codes = np.array([position.get(text or "", MISSING_CODE) for text in texts], dtype=np.int32)
    return _Key((written,), (codes,), (at,))


_SAME_CASES = N_("Sheet '{sheet}' holds the same cases, and {columns} more. It can be joined by '{name}'.")


@dataclass(frozen=True)
class _Key:
    """What may name the rows of a table: one column, or several together."""

    variables: tuple[Variable, ...]
    columns: tuple[np.ndarray, ...]
    positions: tuple[int, ...]  # of the columns in their table
    # gives the text that is compared for one that stands in the table
    writing: Callable[[str], str] = str.strip

    @property
    def title(self) -> str:
        """What sentences call it."""
        return listed([variable.name for variable in self.variables], len(self.variables))

    @cached_property
    def values(self) -> pandas.Series:
        """What stands in each row, as text; missing where any part is."""
        pairs = zip(self.variables, self.columns, strict=True)
        parts = [_texts(variable, column, self.writing) for variable, column in pairs]
        values = parts[0]
        for part in parts[1:]:
            values = values.str.cat(part, sep=_BETWEEN_PARTS)
        return values

    @cached_property
    def present(self) -> pandas.Series:
        """The values that are not missing."""
        return self.values.dropna()

    @cached_property
    def different(self) -> int:
        """How many different values there are."""
        return int(self.present.nunique())

    @property
    def repeats(self) -> bool:
        """Whether a value stands in several rows."""
        return self.different < len(self.present)

    @cached_property
    def counts(self) -> bool:
        """Whether a part of it holds most numbers from 0 or 1 on, and nothing else."""
        return any(
            count_from_one_on(_texts(variable, column, self.writing).dropna().unique())
            for variable, column in zip(self.variables, self.columns, strict=True)
        )

    @cached_property
    def lines(self) -> np.ndarray | None:
        """Whole numbers that rise from row to row and hold most from 0 or 1 on; None for another key."""
        if len(self.variables) > 1 or not self.counts or len(self.present) < _FEWEST_COMPARED:
            return None
        numbers = self.present.astype(np.int64).to_numpy()
        return numbers if (np.diff(numbers) > 0).all() else None


@dataclass(frozen=True)
class _Match:
    """An identifier of both tables."""

    in_data: _Key
    in_labels: _Key

    @cached_property
    def shared(self) -> int:
        """How many different identifiers are in both tables."""
        return len(pandas.Index(self.in_data.present.unique()).intersection(self.in_labels.present.unique()))

    @property
    def share(self) -> float:
        """Which share of the identifiers of the smaller table is in the other."""
        return self.shared / max(min(self.in_data.different, self.in_labels.different), 1)

    @property
    def counts(self) -> bool:
        """Whether it matches in any two tables whose rows are numbered."""
        return self.in_data.counts or self.in_labels.counts

    @property
    def counts_lines(self) -> bool:
        """Whether it only numbers the rows of both tables in their order."""
        return self.in_data.lines is not None and self.in_labels.lines is not None

    @cached_property
    def coverage(self) -> float:
        """Which share of the rows has a partner, in the table in which fewer have one."""
        keys = (self.in_data, self.in_labels)
        shared = pandas.Index(keys[0].present.unique()).intersection(keys[1].present.unique())
        return min(float(key.values.isin(shared).mean()) for key in keys)

    @property
    def repeats_in_both(self) -> bool:
        """Whether rows would have several partners on both sides."""
        return self.in_data.repeats and self.in_labels.repeats

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the data and of the labels that belong together, in the order of the data."""
        data = pandas.DataFrame({"value": self.in_data.values, "data": np.arange(len(self.in_data.values))})
        labels = pandas.DataFrame(
            {"value": self.in_labels.values, "labels": np.arange(len(self.in_labels.values))}
        )
        pairs = data.dropna().merge(labels.dropna(), on="value", how="inner")
        pairs = pairs.sort_values(["data", "labels"])
        return pairs["data"].to_numpy(), pairs["labels"].to_numpy()

    def contradicts(self, other: _Match) -> bool:
        """Tell whether most rows that it puts together belong to other rows by another identifier."""
        pairs, others = (set(zip(*match.rows, strict=True)) for match in (self, other))
        return 2 * len(pairs & others) < len(pairs)

    def sentences(self, complete: bool) -> Iterator[str]:
        """Tell by what rows were joined, and how many have no partner."""
        rows, labels = self.rows
        joined, total = len(np.unique(rows)), len(self.in_data.values)
        yield _(
            _JOINED_BY if self.in_data.title == self.in_labels.title else _JOINED_BY_TWO,
            in_data=self.in_data.title,
            in_labels=self.in_labels.title,
            joined=count_text(joined),
            rows=counted(total, "row"),
        )
        if self.in_data.writing is not str.strip:
            yield _("Capitals, blanks, punctuation and leading zeros were not compared.")
        several = np.unique(rows, return_counts=True)[1] > 1
        if several.any():
            yield for_count(
                int(several.sum()),
                "{count} row of the data has several rows in the second table and is repeated for each.",
                "{count} rows of the data have several rows in the second table and are repeated for each.",
            ).format(count=count_text(int(several.sum())))
        without = total - joined
        if without:
            yield for_count(
                without,
                "{count} row of the data has no partner in the second table and was left out.",
                "{count} rows of the data have no partner in the second table and were left out.",
            ).format(count=count_text(without))
        without = len(self.in_labels.values) - len(np.unique(labels))
        if without and complete:
            yield for_count(
                without,
                "{count} row of the second table has no partner in the data and was left out.",
                "{count} rows of the second table have no partner in the data and were left out.",
            ).format(count=count_text(without))


_JOINED_BY = N_("The tables were joined by {in_data}: {joined} of {rows}.")
_JOINED_BY_TWO = N_(
    "The tables were joined by {in_data} of the data and {in_labels} of the second table: {joined} of {rows}."
)


def _texts(
    variable: Variable, column: np.ndarray, writing: Callable[[str], str] = str.strip
) -> pandas.Series:
    """Write the values of a column, whole numbers without a point."""
    missing = missing_mask(variable, column)
    if variable.kind is Kind.NOMINAL:
        levels = np.array([*map(writing, variable.levels), ""], dtype=object)
        texts = levels[column]
    elif are_whole_numbers(column[~missing]) and np.abs(column[~missing]).max(initial=0.0) < 2.0**63:
        texts = np.where(missing, 0.0, column).astype(np.int64).astype(str).astype(object)
    else:
        texts = column.astype(str).astype(object)
    return pandas.Series(np.where(missing, None, texts), dtype="str")


def _best_match(dataset: Dataset, table: Table) -> _Match | None:
    """Return the identifier of both tables that serves best; None where one of them has none."""
    given = [_written_alike(match) for match in _named_alike(dataset, table)]
    usable = [match for match in given if not match.repeats_in_both and match.share >= _SHARE_MATCHED]
    others: list[_Match] = []
    if all(match.counts for match in usable):
        others = [_written_alike(match) for match in _of_same_values(dataset, table)]
        usable += [match for match in others if match.share >= _SHARE_MATCHED]
    if usable:
        best = max(usable, key=_worth)
        if best.counts:
            persons = [match for match in usable if not match.counts and _says_more_than_numbers(match)]
            best = max((match for match in persons if match.contradicts(best)), key=_worth, default=best)
        return _unless_lines_are_counted(best, usable, dataset, table)
    refused = [match for match in given if _names_rows(match)]
    if refused:
        return refused[0]
    refused = [match for match in others if _are_identifiers(match)]
    refused += [match for match in (*given, *others) if _share_numbers_of_rows(match)]
    refused += _that_repeat_in_both(dataset, table)
    return max(refused, key=lambda match: match.shared, default=None)


def _unless_lines_are_counted(
    best: _Match, usable: Sequence[_Match], dataset: Dataset, table: Table
) -> _Match:
    """Take a key that is called one and leaves no more rows alone, where the best one counts lines."""
    if not best.counts_lines:
        return best
    (data_place,), (label_place,) = best.in_data.positions, best.in_labels.positions
    names = best.in_data.variables[0].name, best.in_labels.variables[0].name
    pairs = [
        (data_place, place)
        for place, variable in enumerate(table.variables)
        if place != label_place and _may_refer(variable.name, names[0])
    ]
    pairs += [
        (place, label_place)
        for place, variable in enumerate(dataset.variables)
        if place != data_place and _may_refer(variable.name, names[1])
    ]
    referring = [_match(dataset, table, [pair]) for pair in pairs]
    named_alike = [match for match in usable if len(match.in_data.variables) == 1 and _names_rows(match)]
    others = [
        match
        for match in (*named_alike, *referring)
        if not match.repeats_in_both
        and not match.counts_lines
        and match.coverage >= max(best.coverage, _SHARE_MATCHED)
        and match.contradicts(best)
    ]
    return max(others, key=lambda match: match.coverage, default=best)


def _may_refer(name: str, key: str) -> bool:
    """Tell whether a column may hold a key of the other table: it is called one, as _parent_index is."""
    if is_rank_name(name) or name == key:
        return False
    ends_so = name.casefold().endswith(key.casefold().strip("_ ")) and len(name) > len(key)
    return ends_so or is_identifier_name(name) or may_be_identifier_name(name)


def _worth(match: _Match) -> tuple[bool, int]:
    """Order identifiers: all different on both sides goes first, then what matches more."""
    return _is_one_to_one(match), match.shared


def _says_more_than_numbers(match: _Match) -> bool:
    """Tell whether so many values agree, all different or called identifiers, that chance did not do it."""
    return match.shared >= _FEWEST_CODES and (_is_one_to_one(match) or _names_rows(match))


def _written_alike(match: _Match) -> _Match:
    """Return the match without regard to capitals and the like, if it is better and merges no identifiers."""
    if match.share == 1.0 or not _may_match_better(match):
        return match
    best = match
    for writing in OTHER_WRITINGS:
        rewritten = _Match(replace(match.in_data, writing=writing), replace(match.in_labels, writing=writing))
        is_clear = (rewritten.in_data.different, rewritten.in_labels.different) == (
            match.in_data.different,
            match.in_labels.different,
        )
        if is_clear and rewritten.shared > best.shared:
            best = rewritten
    return best


def _may_match_better(match: _Match) -> bool:
    """Tell whether identifiers without a partner have one if little of how they are written counts."""
    keys = (match.in_data, match.in_labels)
    if not any(variable.kind is Kind.NOMINAL for key in keys for variable in key.variables):
        return False
    data, labels = (pandas.Index(key.present.unique()) for key in keys)
    alone = (data.difference(labels, sort=False), labels.difference(data, sort=False))
    fewer, more = sorted(alone, key=len)
    written = set(map(_parts_in_letters_and_digits, fewer))
    return any(_parts_in_letters_and_digits(text) in written for text in more)


def _parts_in_letters_and_digits(text: str) -> tuple[str, ...]:
    return tuple(map(in_letters_and_digits, text.split(_BETWEEN_PARTS)))


def _is_one_to_one(match: _Match) -> bool:
    return not (match.in_data.repeats or match.in_labels.repeats)


def _names_rows(match: _Match) -> bool:
    """Tell whether columns of one name are meant as identifiers, though they do not match."""
    return any(is_identifier_name(variable.name) for variable in match.in_data.variables)


def _named_alike(dataset: Dataset, table: Table) -> Iterator[_Match]:
    """Give the columns of one name in both tables that may be identifiers: each, then all together."""
    by_name = {variable.name.strip().casefold(): place for place, variable in enumerate(dataset.variables)}
    places = [
        (by_name[name], place)
        for place, variable in enumerate(table.variables)
        if (name := variable.name.strip().casefold()) in by_name and not _is_numbered(variable.name)
    ]
    singles = [_match(dataset, table, [pair]) for pair in places]
    yield from (match for match in singles if _may_name_rows(match))
    if len(places) > 1:
        together = _match(dataset, table, places)
        if _may_name_rows(together):
            yield together
    if is_nameless(dataset.variables[0], dataset.notes) and is_nameless(table.variables[0], table.issues):
        yield _match(dataset, table, [(0, 0)])


def _are_identifiers(match: _Match) -> bool:
    """Tell whether columns that match too little are identifiers of the rows of both tables."""
    keys = (match.in_data, match.in_labels)
    return all(_is_identifier(key.variables[0], key.columns[0]) for key in keys)


def _share_numbers_of_rows(match: _Match) -> bool:
    """Tell whether numbers of rows, other than 1, 2, 3 …, are in both tables, though too few of them."""
    if not match.shared or match.counts or len(match.in_data.variables) > 1:
        return False
    keys = (match.in_data, match.in_labels)
    return all(_are_numbers_of_rows(key.variables[0], key.columns[0]) for key in keys)


def _are_numbers_of_rows(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether whole numbers name the rows by how they follow one another, and do not rank them."""
    if variable.kind is Kind.NOMINAL or is_rank_name(variable.name):
        return False
    present = column[~missing_mask(variable, column)]
    return len(present) >= _FEWEST_CODES and are_whole_numbers(present) and number_rows(present)


def _that_repeat_in_both(dataset: Dataset, table: Table) -> Iterator[_Match]:
    """Give columns of the same identifiers that repeat in both tables, unless they agree row by row."""
    in_data, in_labels = (
        [
            place
            for place, (variable, column) in enumerate(zip(variables, columns, strict=True))
            if _repeats_as_identifiers(variable, column)
        ]
        for variables, columns in ((dataset.variables, dataset.columns), (table.variables, table.columns))
    )
    for pair in product(in_data, in_labels):
        match = _written_alike(_match(dataset, table, [pair]))
        # Numbers from 1 on are in both tables, whatever they count.
        are_the_same = match.shared == max(match.in_data.different, match.in_labels.different)
        if match.share < _SHARE_MATCHED or (match.counts and not are_the_same):
            continue
        if not match.in_data.values.equals(match.in_labels.values):
            yield match


def _repeats_as_identifiers(variable: Variable, column: np.ndarray) -> bool:
    return is_repeating_identifier(variable, column) or are_codes_that_repeat(variable, column)


def _is_identifier(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column names rows: it is called so, or holds codes that all differ."""
    present = column[~missing_mask(variable, column)]
    if variable.kind is Kind.NOMINAL:
        is_named = is_identifier_name(variable.name) or may_be_identifier_name(variable.name)
        return len(present) >= _FEWEST_CODES and (is_named or are_codes(variable.levels))
    # The number of a row is its place in the table, as the order of the rows is.
    is_named = are_whole_numbers(present) and is_identifier(variable.name, present)
    return is_named and not _counts_rows(present)


def _names_persons(key: _Key) -> bool:
    """Tell whether a key names persons: it repeats as identifiers do, or all its values differ."""
    variable, column = key.variables[0], key.columns[0]
    if key.repeats:
        return _repeats_as_identifiers(variable, column)
    is_named = is_identifier_name(variable.name) or may_be_identifier_name(variable.name)
    return is_named or _is_identifier(variable, column)


def _counts_rows(present: np.ndarray) -> bool:
    return bool((np.diff(present) == 1.0).all()) and present[0] in (0.0, 1.0)


def _may_name_rows(match: _Match) -> bool:
    """Tell whether values are those of an identifier: all different in a table, or so called."""
    if _names_rows(match):
        return True
    keys = (match.in_data, match.in_labels)
    return not match.repeats_in_both and all(_is_discrete(key) for key in keys)


def _same_name(match: _Match) -> bool:
    return match.in_data.title.casefold() == match.in_labels.title.casefold()


def _is_discrete(key: _Key) -> bool:
    """Tell whether a key is made of texts and whole numbers."""
    pairs = zip(key.variables, key.columns, strict=True)
    return all(
        variable.kind is Kind.NOMINAL or are_whole_numbers(column[~missing_mask(variable, column)])
        for variable, column in pairs
    )


def _of_same_values(dataset: Dataset, table: Table) -> Iterator[_Match]:
    """Yield pairs of columns of other names with equal values, all different unless known as identifiers."""
    in_labels = list(_compared(table.variables, table.columns))
    if not in_labels:
        return
    for place, by_numbers in _compared(dataset.variables, dataset.columns):
        for label_place, by_numbers_too in in_labels:
            if (by_numbers or by_numbers_too) and not _agree(
                dataset.columns[place], table.columns[label_place]
            ):
                continue
            match = _match(dataset, table, [(place, label_place)])
            may_repeat = not match.repeats_in_both and all(
                map(_names_persons, (match.in_data, match.in_labels))
            )
            if match.in_data.different >= _FEWEST_COMPARED and (_is_one_to_one(match) or may_repeat):
                yield match


def _compared(variables: Sequence[Variable], columns: Sequence[np.ndarray]) -> Iterator[tuple[int, bool]]:
    """Give the columns that may name rows, and whether numbers alone speak for it."""
    for place, (variable, column) in enumerate(zip(variables, columns, strict=True)):
        if _may_be_compared(variable, column, place):
            yield place, False
        elif variable.kind is Kind.CONTINUOUS and not is_rank_name(variable.name) and _all_differ(column):
            yield place, True


def _all_differ(column: np.ndarray) -> bool:
    """Tell whether a column holds whole numbers that all differ, as those that count or measure hardly do."""
    present = column[~np.isnan(column)]
    if len(present) < _FEWEST_CODES or not are_whole_numbers(present):
        return False
    return len(np.unique(present)) == len(present)


def _agree(left: np.ndarray, right: np.ndarray) -> bool:
    """Tell whether two columns hold the same numbers; where these have many gaps, nearly all is enough."""
    if left.dtype.kind != "f" or right.dtype.kind != "f":
        return False
    shorter, longer = sorted((left[~np.isnan(left)], right[~np.isnan(right)]), key=len)
    if not len(shorter):
        return False
    if any(ids.max() < ids.min() + _SPARSE * len(ids) for ids in (shorter, longer)):
        return np.array_equal(np.sort(shorter), np.sort(longer))
    return bool(np.isin(shorter, longer).mean() >= _SHARE_AGREEING)


def _may_be_compared(variable: Variable, column: np.ndarray, place: int) -> bool:
    """Tell whether a column may name rows: texts, or whole numbers that stand first or are called so."""
    if _repeats_as_identifiers(variable, column):
        return True
    if variable.kind is Kind.NOMINAL:
        return variable.level_count >= _FEWEST_COMPARED and 2 * variable.level_count > len(column)
    present = column[~missing_mask(variable, column)]
    if not are_whole_numbers(present) or len(np.unique(present)) < len(present):
        return False
    return not place or is_identifier(variable.name, present)


def _match(dataset: Dataset, table: Table, places: Sequence[tuple[int, int]]) -> _Match:
    return _Match(
        _key(dataset.variables, dataset.columns, [place for place, _ in places]),
        _key(table.variables, table.columns, [place for _, place in places]),
    )


def _key(variables: Sequence[Variable], columns: Sequence[np.ndarray], places: Sequence[int]) -> _Key:
    return _Key(
        tuple(variables[place] for place in places), tuple(columns[place] for place in places), tuple(places)
    )


def _is_numbered(name: str) -> bool:
    """Tell whether a name was given to a column that has none."""
    return name[:1] == "V" and name[1:].isdecimal()


def _require_match(match: _Match, place: str, complete: bool) -> None:
    """Refuse identifiers that cannot say which rows belong together."""
    in_data, in_labels = match.in_data.title, match.in_labels.title
    if match.repeats_in_both:
        remedy = _(
            "Leave one row per case in one of the tables. Or add a column to both that "
            "distinguishes the rows of a case, such as the visit."
        )
        if _same_name(match):
            problem = _(
                "{name} repeats in both tables, so it does not say which rows belong together.",
                name=in_labels,
            )
        else:
            problem = _(
                "{in_data} of the data and {in_labels} of the labels hold the same identifiers, but "
                "these repeat in both tables. So they do not say which rows belong together.",
                in_data=in_data,
                in_labels=in_labels,
            )
            remedy = f"{remedy} {_('Then give both columns the same names in the two tables.')}"
        raise InvalidData(problem, place=place, remedy=remedy)
    if match.share < _SHARE_MATCHED and complete:
        fewer = count_text(min(match.in_data.different, match.in_labels.different))
        shared = (
            _("{shared} of {all}", shared=count_text(match.shared), all=fewer) if match.shared else _("none")
        )
        remedy = _("Choose the label table that belongs to these data, or write the identifiers alike.")
        if _same_name(match):
            problem = _("the tables share too few values of {name}: {shared}.", name=in_labels, shared=shared)
        else:
            problem = _(
                "the tables share too few identifiers, {in_data} of the data and {in_labels} of the labels: "
                "{shared}.",
                in_data=in_data,
                in_labels=in_labels,
                shared=shared,
            )
            same_order = _("If the rows are in the same order, leave one of these columns out of its table.")
            remedy = f"{remedy} {same_order}"
        raise InvalidData(problem, place=place, remedy=remedy)
    if complete and match.counts_lines and match.coverage < _SHARE_MATCHED:
        title = match.in_labels.title
        raise InvalidData(
            _("{title} only numbers the rows of each table, and too few numbers match.", title=title),
            place=place,
            remedy=_(
                "Choose the label table that belongs to these data, or give both tables a column that names "
                "the cases under the same name."
            ),
        )
    joined, rows = len(np.unique(match.rows[0])), len(match.in_data.values)
    if complete and joined < _SHARE_MATCHED * rows:
        problem = _(_FEW_ROWS, name=in_labels, joined=count_text(joined), rows=counted(rows, "row"))
        raise InvalidData(problem, place=place, remedy=_(_ADD_THE_OTHERS))


_FEW_ROWS = N_("by {name}, this table covers only {joined} of {rows} of the data.")
_ADD_THE_OTHERS = N_(
    "Choose the label table that belongs to these data, or add the other cases to it, with empty labels."
)


def _without_identifiers(table: Table, places: Sequence[int]) -> tuple[Table, tuple[str, ...]]:
    """Leave out label columns that name or number the rows, unless nothing else is there, and say so."""
    rest = [
        place
        for place in places
        if not _is_no_label(table.variables[place], table.columns[place])
        and not (place == 0 and _are_row_names(table))
    ] or places
    names = [table.variables[place].name for place in places if place not in rest]
    sentence = for_count(
        len(names),
        "{names} of the second table names its rows and was left out.",
        "{names} of the second table name its rows and were left out.",
    ).format(names=listed(names))
    return _with_columns(table, rest), (sentence,) if names else ()


def _are_row_names(table: Table) -> bool:
    column = table.columns[0]
    return is_nameless(table.variables[0], table.issues) and len(np.unique(column)) == len(column)


def _with_columns(table: Table, places: Sequence[int]) -> Table:
    return replace(
        table,
        variables=tuple(table.variables[place] for place in places),
        columns=tuple(table.columns[place] for place in places),
    )


def _is_no_label(variable: Variable, column: np.ndarray) -> bool:
    if _repeats_as_identifiers(variable, column):
        return True
    present = column[~missing_mask(variable, column)]
    if len(present) < _FEWEST_CODES or len(np.unique(present)) < len(present):
        return False
    if variable.kind is Kind.NOMINAL:
        is_named = is_identifier_name(variable.name) or may_be_identifier_name(variable.name)
        have_letters = all(any(map(str.isalpha, level)) for level in variable.levels)
        return is_named or (have_letters and are_codes(variable.levels))
    if not are_whole_numbers(present):
        return False
    # Shuffled numbers from 1 on may be ranks.
    numbers_rows = present.max() > _SPARSE * len(present) and _are_numbers_of_rows(variable, column)
    return is_identifier(variable.name, present) or _counts_rows(present) or numbers_rows


def _without_repeated(dataset: Dataset, table: Table) -> tuple[Table, tuple[str, ...]]:
    """Leave out columns of the second table that the data hold with the same values, and say so."""
    repeated = [
        position
        for position, (variable, column) in enumerate(zip(table.variables, table.columns, strict=True))
        if variable.name in dataset.names
        and _texts(variable, column).equals(
            _texts(dataset.variable(variable.name), dataset.column(variable.name))
        )
    ]
    if not repeated or len(repeated) == len(table.variables):
        return table, ()
    names = listed([table.variables[position].name for position in repeated])
    rest = [position for position in range(len(table.variables)) if position not in repeated]
    sentence = for_count(
        len(repeated),
        "{names} is the same in both tables and is taken from the data.",
        "{names} are the same in both tables and are taken from the data.",
    ).format(names=names)
    return _with_columns(table, rest), (sentence,)


def _joined_by_order(dataset: Dataset, table: Table, place: str, complete: bool) -> Dataset:
    """Put the rows of two tables without an identifier side by side."""
    table = _without_row_names(table)
    rows = len(table.columns[0])
    if not complete and rows > dataset.row_count:
        table = replace(table, columns=tuple(column[: dataset.row_count] for column in table.columns))
        rows = dataset.row_count
    if rows != dataset.row_count:
        raise InvalidData(
            _(
                "it holds {rows} of labels, but the data have {data_rows}, and no identifier says which "
                "rows belong together.",
                rows=counted(rows, "row"),
                data_rows=counted(dataset.row_count, "row"),
            ),
            place=place,
            remedy=_(
                "Choose the label table that belongs to these data, or give both tables a column that"
                " names the cases. Blank lines at its beginning and end are not counted: write NA "
                "where a value is missing."
            ),
        )
    table, repeated = _without_repeated(dataset, table)
    table, named = _without_identifiers(table, range(len(table.variables)))
    message = _(
        "The tables were joined by the order of the rows, as no identifier says which belong together."
    )
    sentences = (message, *named, *repeated)
    remedy = _(
        "If its values name the cases, leave one row a case in one of the tables. Otherwise rename it in one "
        "of them: then the rows are joined by their order."
    )
    return _appended(dataset, table, place, remedy).with_notes((Note(JOINED, " ".join(sentences)),))


def _appended(
    dataset: Dataset, table: Table, place: str, remedy: str = N_("Rename it in one of them.")
) -> Dataset:
    """Append columns that belong to the rows as labels; `remedy` is for a name that both tables have."""
    names = tuple(variable.name for variable in table.variables)
    if names == numbered_names(len(names)):
        names = tuple(f"L{position}" for position in range(1, len(names) + 1))
    shared = set(names) & set(dataset.names)
    if shared:
        raise InvalidData(
            _("both tables have a column named '{name}'.", name=min(shared)), place=place, remedy=remedy
        )
    variables = tuple(
        replace(variable, name=name) for variable, name in zip(table.variables, names, strict=True)
    )
    joined = replace(
        dataset, variables=(*dataset.variables, *variables), columns=(*dataset.columns, *table.columns)
    )
    return joined.with_labels(names).with_notes(table.issues)


def _without_row_names(table: Table) -> Table:
    """Leave out a first column without a name whose values all differ, as no label's do."""
    column = table.columns[0]
    if (
        not is_nameless(table.variables[0], table.issues)
        or len(table.variables) == 1
        or len(np.unique(column)) < len(column)
    ):
        return table
    about = [note for note in table.issues if note.topic in ABOUT_NAMELESS]
    message = _(
        "The first column of the table of labels has no name and differs in every row; it is left out."
    )
    issues = (*(note for note in table.issues if note not in about), Note("row-names", message))
    return replace(table, variables=table.variables[1:], columns=table.columns[1:], issues=issues)
