"""Features that are made from labels, such as their sum or their text: found before a search and set aside.

Such a feature would be linked to its labels by how it was made, and would hide what they really depend on.
So would a number from which a label is computed, such as a score if the label says whether it is 10 or more.
Candidates are found by steps that reject quickly and never reject what is made from labels alone: equal rows
of labels need equal values of the feature, and an exact sum leaves no residual. A match is confirmed value by
value, and told only where chance would give it in less than 1 % of tables of this size.
"""

from __future__ import annotations

import math
import re
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from engine.preparation.exact_sums import AnyOrAll, Condition, ExactSum, any_or_all, exact_sums
from engine.preparation.preparation_settings import PreparationSettings
from engine.preparation.useless import set_aside_useless
from engine.table.dataset import Dataset
from engine.table.identifiers import are_whole_numbers
from engine.table.variable import MISSING_CODE, Kind, Role, Variable
from engine.translation import N_, _
from engine.wording.notes import Note, listed, notes_about

MADE_FROM_LABELS = "made-from-labels"
"""Topic of the notes about features that are made from labels."""

NEARLY_A_LABEL = "nearly-a-label"
"""Topic of the notes about features that are equal to a label in nearly every row."""

_LOG_RARE = math.log(100)
_FEWEST_ROWS = 8
_SAMPLED_ROWS = 128
# With more values than this, a column is a number and no set of categories.
_MOST_VALUES = 20
_MOST_TOGETHER = 40
_ROUNDING = 1e-9
_NEARLY = 0.98
_LEAST_KAPPA = 0.9
_RARER_MAY_DIFFER = 0.15
_BETWEEN_WORDS = re.compile(r"\s*[,;|/+&]\s*|\s+|_(?=\D)")
_MOST_TEXTS = 4000
# Of codes so many as one in four cells repeat another.
_FEWEST_REPEATING = 4
_CHUNK = 1024
# A number that is cut has at least so many values. Groups that differ by nature lie further apart than this
# many times the usual step between the values of either group, or both are thin towards the other: a quarter
# of each is further from the edge than this share of its median's distance, which is half of it where values
# are evenly spread. With fewer rows, a strong cause may separate the groups by chance.
_FEWEST_CUT = 4
_WIDEST_STEP = 5.0
_THIN_AT_EDGE = 0.58
_FEWEST_ROWS_CUT = 100
# Columns in which everything is looked at after a search.
_FEW_COLUMNS = 100


@dataclass(frozen=True, slots=True)
class MadeColumn:
    """A feature that is made from labels, or from which a label is computed."""

    name: str
    sources: tuple[str, ...]  # at least one is a label, or is itself made from one
    how: str  # a key of `_SENTENCES` or `_OF_SEVERAL`
    share: float = 1.0  # of the rows in which it is so; below 1 only for "nearly"
    figure: str = ""  # by what a sum or mean is multiplied, by how much it differs, or what is counted

    @property
    def is_exact(self) -> bool:
        """Whether it is so in every row, and not by chance."""
        return self.how not in ("nearly", "separates")

    @property
    def sentence(self) -> str:
        """What it is made from, as a sentence."""
        sentence = _(_SENTENCES[self.how]) if len(self.sources) == 1 else _(_OF_SEVERAL[self.how])
        return sentence.format(
            name=self.name, sources=listed(self.sources), share=100 * self.share, figure=self.figure
        )


_SENTENCES = {
    "same": N_("'{name}' holds the same information as the label {sources}."),
    "follows": N_("'{name}' follows from the label {sources} in every row."),
    "text": N_("'{name}' lists the label {sources} among its words."),
    "cut": N_("'{name}' determines the label {sources} in every row, by ranges of its values."),
    "separates": N_("'{name}' separates the levels of the label {sources}, but rows are few."),
    "nearly": N_("'{name}' agrees with the label {sources} in {share:.1f} % of the rows."),
}
_OF_SEVERAL = {
    "follows": N_("'{name}' follows from {sources} in every row."),
    "sum": N_("'{name}' is the sum of {sources} in every row."),
    "more than sum": N_("'{name}' is {figure} more than the sum of {sources} in every row."),
    "less than sum": N_("'{name}' is {figure} less than the sum of {sources} in every row."),
    "times sum": N_("'{name}' is {figure} times the sum of {sources} in every row."),
    "count": N_("'{name}' counts how many of {sources} are present."),
    "count level": N_("'{name}' counts how many of {sources} are '{figure}'."),
    "mean": N_("'{name}' is the mean of {sources} in every row."),
    "times mean": N_("'{name}' is {figure} times the mean of {sources} in every row."),
    "per cent": N_("'{name}' is the mean of {sources} in per cent in every row."),
    "linear": N_("'{name}' is a linear function of the sum of {sources} in every row."),
    "number and always": N_(
        "'{name}' counts how many columns are {figure}: {sources} and some that always are."
    ),
    "number": N_("'{name}' counts how many of {sources} are {figure}."),
    "any": N_("'{name}' tells whether any of {sources} is {figure}."),
    "all": N_("'{name}' tells whether all of {sources} are {figure}."),
    "text": N_("'{name}' lists {sources} among its words."),
}


def set_aside_made_from_labels(dataset: Dataset, settings: PreparationSettings) -> Dataset:
    """Ignore the features that are made from labels unless they are kept by name, and say what they are."""
    made_columns = columns_made_from_labels(dataset)
    leaves = {
        column.name for column in made_columns if column.is_exact and settings.set_aside
    } - settings.kept
    set_aside = {
        column.name: _(
            "{sentence} It was set aside. To analyse it, add it to the features to keep.",
            sentence=column.sentence,
        )
        for column in made_columns
        if column.name in leaves
    }
    notes = [*notes_about(MADE_FROM_LABELS, set_aside, _SET_ASIDE), *_notes_on_kept(made_columns, leaves)]
    return dataset.with_roles(dict.fromkeys(leaves, Role.IGNORED)).with_notes(notes)


def remember_looked_at(dataset: Dataset) -> Dataset:
    """Remember that features made from labels were looked for in a table and noted, and return the table."""
    _LOOKED_AT.add(dataset)
    return dataset


# A search does not look again into a table that was prepared.
_LOOKED_AT: weakref.WeakSet[Dataset] = weakref.WeakSet()


def notes_on_found(dataset: Dataset, features: Collection[str]) -> tuple[Note, ...]:
    """Return notes on found features that are made from labels, unless a preparation looked.

    In a wide table only these are searched: what is made from a label and a feature not found is missed.
    """
    if dataset in _LOOKED_AT:
        return ()
    is_wide = len(dataset.features) > _FEW_COLUMNS
    made_columns = columns_made_from_labels(dataset, features if is_wide else None)
    named_before = {
        name
        for note in dataset.notes
        if note.topic in (MADE_FROM_LABELS, NEARLY_A_LABEL)
        for name in ((note.variable,) if note.variable else note.columns)
    }
    return _notes_on_kept([column for column in made_columns if column.name in features], named_before)


def _notes_on_kept(made_columns: Iterable[MadeColumn], without: Collection[str]) -> tuple[Note, ...]:
    """Say of features that stay what they are made from; `without` these features."""
    exact, near = dict[str, str](), dict[str, str]()
    for column in made_columns:
        if column.name not in without and column.is_exact:
            exact[column.name] = _(
                "{sentence} So their link may show only how one is computed from the other.",
                sentence=column.sentence,
            )
        elif column.name not in without:
            near[column.name] = _("{sentence} It stays a feature.", sentence=column.sentence)
    return (
        *_naming_all(notes_about(MADE_FROM_LABELS, exact, _KEPT), exact),
        *_naming_all(notes_about(NEARLY_A_LABEL, near, _NEAR), near),
    )


def _naming_all(notes: Iterable[Note], sentences: Mapping[str, str]) -> list[Note]:
    """Let a note about many features name each of them."""
    return [note if note.variable else replace(note, columns=tuple(sentences)) for note in notes]


_SET_ASIDE = N_(
    "{count} features determine labels, or labels determine them. They were set aside: {names}. To "
    "analyse one, add it to the features to keep."
)
_KEPT = N_(
    "{count} features determine labels, or labels determine them: {names}. So these links may show "
    "only how columns are computed."
)
_NEAR = N_("{count} features determine a label in nearly every row and stay features: {names}.")


def notes_on_columns_made_from_labels(dataset: Dataset) -> tuple[Note, ...]:
    """Say of each feature that is made from labels what it is, before anything is set aside."""
    return tuple(
        Note(
            MADE_FROM_LABELS if column.is_exact else NEARLY_A_LABEL,
            f"{column.sentence} {_(_LEFT_OUT) if column.is_exact else _(_IS_KEPT)}",
            column.name,
            columns=column.sources,
        )
        for column in columns_a_search_meets(dataset)
    )


def columns_a_search_meets(dataset: Dataset) -> tuple[MadeColumn, ...]:
    """Find the features that are made from labels, among those that are not set aside for another reason."""
    return columns_made_from_labels(set_aside_useless(dataset, PreparationSettings()))


_LEFT_OUT = N_("A search leaves it out unless it is among the features to keep.")
_IS_KEPT = N_("A search keeps it.")


def columns_made_from_labels(
    dataset: Dataset, among: Collection[str] | None = None
) -> tuple[MadeColumn, ...]:
    """Find the features that are made from labels, among these and sums of them if any are named.

    >>> import pandas
    >>> pain, cough = [0, 1, 0, 1, 1, 0] * 9, [0, 0, 1] * 18
    >>> frame = pandas.DataFrame({"pain": pain, "cough": cough, "age": range(30, 84)})
    >>> frame["complaints"] = frame["pain"] + frame["cough"]
    >>> [each.sentence for each in columns_made_from_labels(Dataset.from_frame(frame, ["pain", "cough"]))]
    ["'complaints' counts how many of 'pain' and 'cough' are present."]
    """
    if dataset.row_count < _FEWEST_ROWS or not dataset.labels or not dataset.features:
        return ()
    count = len(dataset.features)
    if among is not None:
        left_out = (name for name in dataset.features if name not in among)
        dataset = dataset.with_roles(dict.fromkeys(left_out, Role.IGNORED))
    return _Search(dataset, math.log(count)).run() if dataset.features else ()


@dataclass(frozen=True)
class _Values:
    """A column by its values, as numbers or codes; NaN for missing."""

    variable: Variable
    values: np.ndarray

    @cached_property
    def codes(self) -> np.ndarray:
        """Position of each value among the different ones, -1 for missing."""
        distinct = np.unique(self.values[~np.isnan(self.values)])
        codes = np.searchsorted(distinct, self.values)
        codes[np.isnan(self.values)] = MISSING_CODE
        return codes

    @cached_property
    def is_complete(self) -> bool:
        """Whether no value is missing."""
        return not np.isnan(self.values).any()

    @cached_property
    def counts(self) -> np.ndarray:
        """How often each value occurs."""
        return np.bincount(self.codes[self.codes >= 0])


@dataclass
class _Search:
    """Looks at one table."""

    dataset: Dataset
    log_features: float  # logarithm of the number of features that chance could have made a match
    made_columns: dict[str, MadeColumn] = field(default_factory=dict)

    def run(self) -> tuple[MadeColumn, ...]:
        dataset = self.dataset
        self.labels = {name: self._values(name) for name in dataset.labels}
        self.few = {name: label for name, label in self.labels.items() if len(label.counts) <= _MOST_VALUES}
        for name, labels in self._like_one_label().items():
            self._compare_with_each(name, labels)
        for label in self.few:
            for name in self._maybe_cut_into(label):
                if name not in self.made_columns and self._is_cut_into(name, label):
                    how = "cut" if dataset.row_count >= _FEWEST_ROWS_CUT else "separates"
                    self.made_columns[name] = MadeColumn(name, (label,), how)
        for total in exact_sums(dataset, frozenset(self.made_columns)):
            if not set(total.members) <= set(dataset.labels) and 2 <= len(self.few) <= _MOST_TOGETHER:
                # What follows from labels alone is not told with the help of features.
                self._compare_with_several(total.name)
            if self._is_rare(self._values(total.name), total.log_models):
                self.made_columns.setdefault(total.name, _made_by_adding(total))
        for name in self._like_all_labels():
            if name not in self.made_columns:
                self._compare_with_several(name)
        for combination in any_or_all(dataset, frozenset(self.made_columns)):
            if self._is_rare(self._values(combination.name), combination.log_models):
                self.made_columns.setdefault(combination.name, _made_by_any_or_all(combination))
        for name in dataset.features:
            if name not in self.made_columns and dataset.variable(name).kind is Kind.NOMINAL:
                self._look_into_texts(name)
        for name in self._like_codes():
            if name not in self.made_columns:
                self._compare_with_parts(name)
        return tuple(self.made_columns[name] for name in dataset.features if name in self.made_columns)

    def _values(self, name: str) -> _Values:
        variable, column = self.dataset.variable(name), self.dataset.column(name)
        if variable.kind is Kind.CONTINUOUS:
            return _Values(variable, column)
        return _Values(variable, np.where(column == MISSING_CODE, np.nan, column.astype(np.float64)))

    def _is_rare(self, feature: _Values, log_models: float, rows: np.ndarray | None = None) -> bool:
        """Tell whether chance gives a match in less than 1 % of tables, given the number of models."""
        codes = feature.codes if rows is None else feature.codes[rows]
        counts = np.bincount(codes[codes >= 0])
        log_orders = math.lgamma(counts.sum() + 1) - sum(math.lgamma(count + 1) for count in counts.tolist())
        return bool(log_orders - log_models - self.log_features > _LOG_RARE)

    @cached_property
    def _sample(self) -> np.ndarray:
        """Some rows by which features are rejected quickly."""
        rows = self.dataset.row_count
        return np.sort(np.random.default_rng(0).permutation(rows)[:_SAMPLED_ROWS])

    @cached_property
    def _sampled(self) -> np.ndarray:
        """Values of the features in these rows, NaN for missing, shape (rows, features)."""
        sampled = np.empty((len(self.dataset.features), len(self._sample)), dtype=np.float32)
        place = 0
        for variable, column in zip(self.dataset.variables, self.dataset.columns, strict=True):
            if variable.role is not Role.FEATURE:
                continue
            values = column[self._sample]
            # What does not fit is not rejected here.
            with np.errstate(over="ignore", under="ignore"):
                sampled[place] = values
            if variable.kind is Kind.NOMINAL:
                sampled[place][values == MISSING_CODE] = np.nan
            place += 1
        return np.ascontiguousarray(sampled.T)

    def _like_one_label(self) -> dict[str, list[str]]:
        """Return the features that may follow from one label, or nearly, each with these labels."""
        likely: dict[str, list[str]] = {}
        rarer = self._rarer_counts
        for name, label in self.labels.items():
            order, is_same = _in_order([label.values[self._sample]])
            if name in self.few:
                earlier, later = self._sampled[order[:-1][is_same]], self._sampled[order[1:][is_same]]
                # Each row that is otherwise makes two pairs of rows differ; 2 % of rows may be.
                candidates = _differ(earlier, later).sum(axis=0) <= 0.1 * max(is_same.sum(), 1)
                if len(label.counts) == 2 and label.is_complete:
                    count = label.counts.min()
                    # Columns of two values that agree so well have as many rows of the rarer value.
                    candidates &= ~(np.abs(rarer - count) > _RARER_MAY_DIFFER * (rarer + count))
            else:
                with np.errstate(invalid="ignore"):
                    steps = np.diff(self._sampled[order], axis=0)
                rising, falling = (steps > 0).sum(axis=0), (steps < 0).sum(axis=0)
                candidates = np.minimum(rising, falling) <= 0.1 * len(order)
                candidates |= rising + falling < _MOST_VALUES
            for feature in self._named(candidates):
                likely.setdefault(feature, []).append(name)
        return likely

    @cached_property
    def _rarer_counts(self) -> np.ndarray:
        """Rows of the rarer value of each feature of two; NaN where values are missing, or more differ."""
        counts = np.full(len(self.dataset.features), np.nan)
        for place, name in enumerate(self.dataset.features):
            variable = self.dataset.variable(name)
            if variable.level_count == 2 and not self.dataset.missing_count(name):
                second = int(np.count_nonzero(self.dataset.column(name)))
                counts[place] = min(second, self.dataset.row_count - second)
        return counts

    def _named(self, chosen: np.ndarray) -> list[str]:
        return [self.dataset.features[place] for place in np.flatnonzero(chosen).tolist()]

    def _compare_with_each(self, name: str, labels: Sequence[str]) -> None:
        feature = self._values(name)
        near: list[tuple[float, str]] = []
        for label in labels:
            values = self.labels[label]
            both = ~np.isnan(feature.values) & ~np.isnan(values.values)
            if 2 * both.sum() < len(both) - np.isnan(feature.values).sum() or both.sum() < _FEWEST_ROWS:
                continue
            if label in self.few:
                how, share = self._by_value(feature, values, both)
            else:
                how, share = self._by_order(feature, values, both)
            if how in ("same", "follows"):
                self.made_columns[name] = MadeColumn(name, (label,), how)
                if how == "same":
                    return
            elif how == "nearly":
                near.append((share, label))
        if near and name not in self.made_columns:
            share, label = max(near)
            self.made_columns[name] = MadeColumn(name, (label,), "nearly", share)

    def _by_value(self, feature: _Values, label: _Values, both: np.ndarray) -> tuple[str, float]:
        """Compare a feature with a label of few values."""
        levels = len(feature.counts)
        if not 2 <= levels <= _MOST_VALUES or len(label.counts) < 2:
            return "", 0.0
        cells = label.codes[both] * levels + feature.codes[both]
        table = np.bincount(cells, minlength=len(label.counts) * levels).reshape(-1, levels)
        log_models = len(label.counts) * math.log(levels) + math.log(len(self.labels))
        if (np.count_nonzero(table, axis=1) <= 1).all():
            if not self._is_rare(feature, log_models, both):
                return "", 0.0
            is_same = (np.count_nonzero(table, axis=0) <= 1).all()
            return ("same" if is_same else "follows"), 1.0
        if levels != len(label.counts):
            return "", 0.0
        # One value of the feature for each of the label.
        best = table.argmax(axis=1)
        total = table.sum()
        share = table[np.arange(len(best)), best].sum() / total
        by_chance = (table.sum(axis=1) * table.sum(axis=0)[best]).sum() / total**2
        kappa = (share - by_chance) / (1 - by_chance) if by_chance < 1 else 0.0
        errors = round((1 - share) * total)
        log_models += math.log(math.comb(int(total), errors)) + errors * math.log(levels)
        is_near = len(set(best.tolist())) == len(best) and share >= _NEARLY and kappa >= _LEAST_KAPPA
        return ("nearly", float(share)) if is_near and self._is_rare(feature, log_models, both) else ("", 0.0)

    def _by_order(self, feature: _Values, label: _Values, both: np.ndarray) -> tuple[str, float]:
        """Compare a feature with a label of numbers: the same order, or cut at points of the label."""
        levels = len(feature.counts)
        order = np.argsort(label.values[both], kind="stable")
        target, values = label.values[both][order], feature.values[both][order]
        with np.errstate(over="ignore"):
            tied, steps = target[1:] == target[:-1], np.diff(values)
        if (steps[tied] == 0).all():
            rises = (steps[~tied] > 0).all() or (steps[~tied] < 0).all()
            if rises and self._is_rare(feature, math.log(2 * len(self.labels)), both):
                return "same", 1.0
            cuts = int(np.count_nonzero(steps))
            if 2 <= levels <= _MOST_VALUES and cuts == levels - 1:
                log_models = (
                    cuts * math.log(len(target)) + math.lgamma(levels + 1) + math.log(len(self.labels))
                )
                if self._is_rare(feature, log_models, both):
                    return "follows", 1.0
        share = float(np.mean(target == values))
        # So many numbers agree by no chance.
        if feature.variable.kind is Kind.CONTINUOUS and share >= _NEARLY and len(target) >= _MOST_VALUES:
            return "nearly", share
        return "", 0.0

    def _maybe_cut_into(self, label: str) -> list[str]:
        """Return the numbers that may be cut into a label: its levels do not overlap in the sampled rows."""
        codes, features = self.labels[label].codes[self._sample], len(self.dataset.features)
        lowest, highest = np.full((2, len(self.labels[label].counts), features), np.nan, dtype=np.float32)
        for level in np.unique(codes[codes >= 0]).tolist():
            values = self._sampled[codes == level]
            lowest[level], highest[level] = np.fmin.reduce(values), np.fmax.reduce(values)
        order = np.argsort(lowest, axis=0)
        overlaps = (
            np.take_along_axis(highest, order, axis=0)[:-1] > np.take_along_axis(lowest, order, axis=0)[1:]
        )
        names = self._named(np.asarray(~overlaps.any(axis=0)))
        return [name for name in names if self.dataset.variable(name).kind is not Kind.NOMINAL]

    def _is_cut_into(self, name: str, label: str) -> bool:
        """Tell whether the levels of a label are adjacent ranges of a feature, and not by chance."""
        feature, target = self._values(name), self.labels[label]
        both = (feature.codes >= 0) & (target.codes >= 0)
        values, first = np.unique(feature.values[both], return_index=True)
        levels = len(np.unique(target.codes[both]))
        if 2 * both.sum() < feature.counts.sum() or levels < 2 or len(values) < max(_FEWEST_CUT, levels + 1):
            return False
        level_of_value = target.codes[both][first]
        cuts = np.flatnonzero(np.diff(level_of_value))
        if len(cuts) != levels - 1 or not _follows(target, [feature]):
            return False
        steps = np.diff(values)
        within = [part[1:] if number else part for number, part in enumerate(np.split(steps, cuts))]
        of_all = np.median(np.concatenate(within))
        usual = [np.median(part) if len(part) else of_all for part in within]
        if (steps[cuts] > _WIDEST_STEP * np.maximum(usual[:-1], usual[1:])).any():
            return False
        middles = (values[cuts] + values[cuts + 1]) / 2
        in_order = np.sort(feature.values[both])
        ranges = np.split(in_order, np.searchsorted(in_order, middles))
        if any(
            min(_thinness(below, edge), _thinness(above, edge)) > _THIN_AT_EDGE
            for below, above, edge in zip(ranges[:-1], ranges[1:], middles.tolist(), strict=True)
        ):
            return False
        log_models = (levels - 1) * math.log(len(values)) + math.lgamma(levels + 1)
        return self._is_rare(target, log_models + math.log(len(self.labels)), both)

    def _like_all_labels(self) -> list[str]:
        """Return the features that may follow from all labels of few values together."""
        if not 2 <= len(self.few) <= _MOST_TOGETHER:
            return []
        order, is_same = _in_order([label.values[self._sample] for label in self.few.values()])
        differ = _differ(self._sampled[order[:-1][is_same]], self._sampled[order[1:][is_same]])
        return self._named(np.asarray(~differ.any(axis=0)))

    def _compare_with_several(self, name: str) -> None:
        feature = self._values(name)
        if len(feature.counts) < 2 or len(feature.counts) > _MOST_TEXTS:
            return
        if not are_whole_numbers(feature.values[~np.isnan(feature.values)]):
            # Codes of combinations are whole numbers; a sum or a mean is looked for by itself.
            return
        if _follows(feature, self.few.values()):
            self._follows_from_fewest(feature, self.few, len(self.few))

    def _follows_from_fewest(self, feature: _Values, sources: Mapping[str, _Values], among: int) -> None:
        """Say from which of some columns a feature follows, if chance of `among` columns is no reason."""
        # By name, so that the order of columns makes no difference; features go first.
        for name in sorted(sources, key=lambda name: (name not in self.labels, name), reverse=True):
            fewer = {source: values for source, values in sources.items() if source != name}
            if fewer and _follows(feature, fewer.values()):
                sources = fewer
        cells = len(np.unique(np.column_stack([values.codes for values in sources.values()]), axis=0))
        log_models = cells * math.log(len(feature.counts)) + math.log(math.comb(among, len(sources)))
        if self._is_rare(feature, log_models):
            named = tuple(name for name in (*self.dataset.labels, *self.dataset.features) if name in sources)
            self.made_columns[feature.variable.name] = MadeColumn(feature.variable.name, named, "follows")

    def _like_codes(self) -> list[str]:
        """Return the features of which each value that repeats seems to have one value of a label."""
        columns, likely = self._sampled.T, np.zeros(len(self.dataset.features), dtype=bool)
        sampled_labels = [label.values[self._sample].astype(np.float32) for label in self.few.values()]
        for start in range(0, len(columns), _CHUNK):
            order = np.argsort(columns[start : start + _CHUNK], axis=1)
            ordered = np.take_along_axis(columns[start : start + _CHUNK], order, axis=1)
            is_same = ordered[:, 1:] == ordered[:, :-1]
            # Too few that repeat are no sign.
            repeats = _FEWEST_REPEATING * is_same.sum(axis=1) >= len(self._sample)
            for label in sampled_labels:
                differs = _differ(label[order[:, :-1]], label[order[:, 1:]]) & is_same
                likely[start : start + _CHUNK] |= repeats & ~differs.any(axis=1)
        return self._named(likely)

    def _compare_with_parts(self, name: str) -> None:
        """Look whether a feature is codes side by side, such as 1-0-1, and follows from its parts."""
        feature = self._values(name)
        if not 3 <= len(feature.counts) <= _MOST_TEXTS:
            return
        labels = {label: values for label, values in self.few.items() if self._is_part(values, feature)}
        if not labels:
            return
        order, is_same = _in_order([feature.values[self._sample]])
        differ = _differ(self._sampled[order[:-1][is_same]], self._sampled[order[1:][is_same]])
        features = {
            candidate: values
            for candidate in self._named(np.asarray(~differ.any(axis=0)))
            if candidate != name
            and candidate not in self.made_columns
            and self._is_part(values := self._values(candidate), feature)
        }
        # What follows from labels alone was looked for; what follows without them is not made of them.
        sources = labels | features
        if features and _follows(feature, sources.values()) and not _follows(feature, features.values()):
            self._follows_from_fewest(feature, sources, len(self.few) + len(self.dataset.features))

    def _is_part(self, part: _Values, feature: _Values) -> bool:
        """Tell whether a column follows from a feature, and not by chance."""
        if len(part.counts) < 2 or not _follows(part, [feature]):
            return False
        log_models = len(feature.counts) * math.log(len(part.counts))
        return self._is_rare(part, log_models, feature.codes >= 0)

    def _look_into_texts(self, name: str) -> None:
        """Look whether words in the texts of a feature are labels, as where several answers are in a cell."""
        variable = self.dataset.variable(name)
        if not 3 <= variable.level_count <= _MOST_TEXTS:
            return
        words = [frozenset(filter(None, _BETWEEN_WORDS.split(level))) for level in variable.levels]
        if sum(len(words_of_value) > 1 for words_of_value in words) == 0:
            return
        codes = self.dataset.column(name)
        present = codes != MISSING_CODE
        different = sorted(set().union(*words))
        log_models = math.log(len(self.few) + 1) + math.log(len(different) + 1)
        sources = set()
        for word in different[:_MOST_TEXTS]:
            holds = np.array([word in words_of_value for words_of_value in words])[codes] & present
            for label, values in self.few.items():
                both = present & (values.codes >= 0)
                if len(values.counts) != 2 or 2 * both.sum() < present.sum():
                    continue
                is_second = values.codes == 1
                equal = holds[both] == is_second[both]
                if equal.all() or not equal.any():
                    indicator = _Values(variable, np.where(both, holds.astype(np.float64), np.nan))
                    if len(indicator.counts) == 2 and self._is_rare(indicator, log_models):
                        sources.add(label)
        if sources:
            named = tuple(label for label in self.dataset.labels if label in sources)
            self.made_columns[name] = MadeColumn(name, named, "text")


def _thinness(values: np.ndarray, edge: float) -> float:
    """Return how far a quarter of the values lies from an edge, as a share of their median's distance."""
    quarter, half = np.quantile(np.abs(values - edge), (0.25, 0.5))
    return float(quarter / half) if half else 0.0


def _follows(feature: _Values, sources: Collection[_Values]) -> bool:
    """Tell whether equal values of the sources have one value of the feature, in half of its rows or more."""
    present = ~np.isnan(feature.values)
    for source in sources:
        present &= source.codes >= 0
    if 2 * present.sum() < feature.counts.sum():
        return False
    combined = _combined(sources, present)
    order = np.argsort(combined)
    combined, ordered = combined[order], feature.values[present][order]
    is_same = combined[1:] == combined[:-1]
    return bool((ordered[1:][is_same] == ordered[:-1][is_same]).all())


def _differ(earlier: np.ndarray, later: np.ndarray) -> np.ndarray:
    """Tell where two values are present and differ; a comparison with NaN is false."""
    differ: np.ndarray = (earlier < later) | (earlier > later)
    return differ


def _combined(columns: Collection[_Values], rows: np.ndarray) -> np.ndarray:
    """Return a number for each combination in complete rows, which is sorted far sooner than columns."""
    combined, most = np.zeros(np.count_nonzero(rows), dtype=np.int64), 1
    for column in columns:
        levels = len(column.counts)
        if most * levels > np.iinfo(np.int64).max:
            different, combined = np.unique(combined, return_inverse=True)
            most = len(different)
        combined = combined * levels + column.codes[rows]
        most *= levels
    return combined


def _in_order(columns: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Sort rows by columns: their order, and which are the same as the row before in every column."""
    order = np.lexsort(columns)
    is_same = np.ones(max(len(order) - 1, 0), dtype=bool)
    for column in columns:
        ordered = column[order]
        is_same &= ordered[1:] == ordered[:-1]
    return order, is_same


def _made_by_adding(total: ExactSum) -> MadeColumn:
    """Say how a sum is made: as itself, a count, a mean, or a multiple of these."""
    factor, constant, mean_factor = total.factor, total.constant, total.factor * len(total.members)
    figure = ""
    if total.condition is not None and _is_of_texts(total.condition, total.of_numbers):
        how = "follows"
    elif total.condition is not None:
        how, figure = "number and always" if constant else "number", _condition_text(total.condition)
    elif total.counted is not None:
        how, figure = ("count level" if total.counted else "count"), total.counted
    elif not total.of_numbers:
        how = "follows"
    elif constant and factor == 1:
        how, figure = ("more than sum" if constant > 0 else "less than sum"), f"{abs(constant):g}"
    elif constant:
        how = "linear"
    elif factor == 1:
        how = "sum"
    elif abs(mean_factor - 1) < _ROUNDING:
        how = "mean"
    elif total.of_shares and abs(mean_factor - 100) < 100 * _ROUNDING:
        how = "per cent"
    elif _is_short(factor):
        how, figure = "times sum", f"{factor:g}"
    elif _is_short(mean_factor):
        how, figure = "times mean", f"{mean_factor:g}"
    else:
        how = "linear"
    return MadeColumn(total.name, total.members, how, figure=figure)


def _made_by_any_or_all(combination: AnyOrAll) -> MadeColumn:
    """Say that a feature tells whether a condition holds in any or all columns."""
    figure, is_of_flags = _condition_text(combination.condition), combination.counted is not None
    if combination.is_any is not None and combination.condition.kind == "above zero" and is_of_flags:
        figure = f"'{combination.counted}'" if combination.counted else _("present")
    elif combination.is_any is None or _is_of_texts(combination.condition, combination.of_numbers):
        return MadeColumn(combination.name, combination.members, "follows")
    return MadeColumn(
        combination.name, combination.members, "any" if combination.is_any else "all", figure=figure
    )


def _is_of_texts(condition: Condition, of_numbers: bool) -> bool:
    """Tell whether a condition compares texts, by what stands for them, with a number."""
    return condition.kind != "missing" and not of_numbers


def _condition_text(condition: Condition) -> str:
    """Say what has to hold."""
    if condition.kind == "above zero":
        return _("above 0")
    if condition.kind == "missing":
        return _("missing")
    if condition.kind == "at least":
        return _("at least {number:g}", number=condition.value)
    return _("equal to {number:g}", number=condition.value)


def _is_short(number: float) -> bool:
    """Tell whether a number has few figures."""
    return abs(number - float(f"{number:.3g}")) <= _ROUNDING * abs(number)
