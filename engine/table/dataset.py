"""The table that is analysed: typed columns that never change, checked once, with a content hash."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import DataWarning, InvalidData, InvalidParameter
from engine.parameters import listed_labels, require_type
from engine.table.code_blocks import CodedBlock, frozen_columns, selected_rows
from engine.table.column_kinds import ABOUT_KIND, as_categories, as_numbers, notes_about_kinds
from engine.table.event_choice import notes_about_events, with_event
from engine.table.row_weights import (
    SURVEY_WEIGHTS,
    check_single_roles,
    groups_of,
    require_several_groups,
    weights_of,
)
from engine.table.variable import (
    EventFrom,
    Kind,
    Role,
    Variable,
    canonical,
    checked_column,
    known_kind,
    missing_mask,
    stored_dtype,
)
from engine.translation import N_, _
from engine.wording.notes import Note, columns_there_are
from engine.wording.numbers import counted
from engine.wording.sentences import NO_SUCH_COLUMN, ONE_PURPOSE, RENAME_ONE, any_near_or
from engine.wording.setting_names import the_setting


@dataclass(frozen=True, eq=False)
class Imputed:
    """Values drawn for the empty cells of some columns: what multiple imputation leaves beside a table.

    The cells themselves stay empty, so that whatever counts gaps still finds them. Whoever can combine
    several completed tables asks for these (:meth:`Dataset.completed`); all others see the gaps (Rubin 1987,
    Multiple Imputation for Nonresponse in Surveys, Wiley).
    """

    draws: int  # how many values each empty cell has
    seed: int  # number from which they were drawn
    values: Mapping[str, np.ndarray]  # by column, shape (draws, empty cells), cells in the order of the rows

    def completed(self, variable: Variable, column: np.ndarray, draw: int) -> np.ndarray:
        """Return a column with one of the values in each empty cell; as it is where it has none."""
        own = self.values.get(variable.name)
        if own is None:
            return column
        filled = column.copy()
        filled[missing_mask(variable, column)] = own[draw]
        return filled

    def of_rows(
        self, variables: tuple[Variable, ...], columns: tuple[np.ndarray, ...], rows: np.ndarray
    ) -> Imputed:
        """Return the values for some rows of a table, given as a mask or as positions."""
        values = dict(self.values)
        for variable, column in zip(variables, columns, strict=True):
            own = values.get(variable.name)
            if own is None:
                continue
            cells = np.cumsum(missing_mask(variable, column)) - 1
            chosen = missing_mask(variable, column[rows])
            values[variable.name] = own[:, cells[rows][chosen]]
        return replace(self, values=values)


if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Dataset:
    """Table of typed columns with roles. It cannot be changed.

    Parameters
    ----------
    variables : sequence of Variable
        Description of each column, in column order.
    columns : sequence of ndarray
        One array of shape (rows,) per variable. Nominal columns hold integer codes ``0 … levels - 1``, and
        ``-1`` for a missing value. Continuous columns hold float64, and NaN for a missing value.
    name : str
        Name of the table, usually the name of its file.
    notes : tuple of Note
        What CLCD guessed, set aside or changed so far.
    coded : CodedBlock, optional
        A block whose rows are some of the columns, with sets of rows that a search can use again.
    imputed : Imputed, optional
        Imputed values of the missing values. The columns still have the missing values.

    Raises
    ------
    InvalidData
        If names repeat, lengths differ, codes do not fit the levels, or two columns are weights or groups.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"dose": [0.1, 0.7, 0.4], "ill": ["no", "yes", "no"]})
    >>> dataset = Dataset.from_frame(frame, labels=["ill"])
    >>> dataset.features, dataset.labels, dataset.row_count
    (('dose',), ('ill',), 3)
    """

    variables: tuple[Variable, ...]
    columns: tuple[np.ndarray, ...]
    name: str = ""
    notes: tuple[Note, ...] = ()
    coded: CodedBlock | None = None
    imputed: Imputed | None = None

    def __post_init__(self) -> None:
        variables, columns = tuple(self.variables), tuple(self.columns)
        if len(variables) != len(columns):
            raise InvalidData(
                _(
                    "{variables} variables but {columns} columns were given.",
                    variables=len(variables),
                    columns=len(columns),
                )
            )
        _check_names(variables)
        check_single_roles(variables)
        rows = columns[0].shape[0] if columns else 0
        checked = tuple(
            checked_column(variable, column, rows)
            for variable, column in zip(variables, columns, strict=True)
        )
        object.__setattr__(self, "variables", variables)
        object.__setattr__(
            self, "columns", frozen_columns(checked, [stored_dtype(variable) for variable in variables])
        )

    @classmethod
    def from_frame(
        cls,
        frame: pandas.DataFrame,
        labels: Sequence[str] = (),
        name: str = "",
        *,
        weights: str | None = None,
        groups: str | None = None,
        events: Mapping[str, str | None] | None = None,
    ) -> Dataset:
        """Make a dataset from a pandas DataFrame.

        Numeric columns are continuous unless they hold at most two different values, look like codes, as
        :func:`engine.table.column_kinds.typed_numbers` says, or are whole numbers beyond 2**53;
        booleans, texts and categories are nominal. Notes tell where this is in doubt; :meth:`with_kind`
        decides otherwise, and so does a column of the type category.

        Parameters
        ----------
        frame : pandas.DataFrame
            One column a variable, one row an observation.
        labels : sequence of str
            Names of the columns that are labels.
        name : str
            What the table is called.
        weights : str, optional
            Name of the column that says how many rows each row stands for.
        groups : str, optional
            Name of the column that says which rows belong together, as several rows of one person.
        events : mapping of str to str, optional
            Which level of a two-valued column is its event, as for :meth:`with_events`.

        Returns
        -------
        Dataset

        Raises
        ------
        InvalidData
            When column names repeat or a column cannot be understood.
        InvalidParameter
            When a label is not a column, an event is none of two levels, or this is no DataFrame.

        Warns
        -----
        DataWarning
            When a feature seems to say which rows belong together, and `groups` is left out.
        """
        from engine.table.frames import columns_from_frame

        typed = columns_from_frame(frame)
        variables, columns = (
            tuple(getattr(typed_column, part) for typed_column in typed) for part in ("variable", "column")
        )
        dataset = cls(variables, columns, name, notes_about_kinds(typed))
        dataset = dataset.with_labels(labels).with_row_roles(weights, groups).with_events(events or {})
        warn_of_repeats(dataset)
        return dataset

    @property
    def row_count(self) -> int:
        """Number of rows."""
        return int(self.columns[0].shape[0]) if self.columns else 0

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all variables, in column order."""
        return tuple(variable.name for variable in self.variables)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the labels."""
        return self._by_role[Role.LABEL]

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""
        return self._by_role[Role.FEATURE]

    @property
    def ignored(self) -> tuple[str, ...]:
        """Names of the variables that take no part."""
        return self._by_role[Role.IGNORED]

    @property
    def weight(self) -> str | None:
        """Name of the column that says how many rows each row stands for; None when there is none."""
        return next(iter(self._by_role[Role.WEIGHT]), None)

    @cached_property
    def row_weights(self) -> np.ndarray | None:
        """How many rows each row stands for, float64 of shape (rows,); None without a weight column.

        Raises
        ------
        InvalidData
            When a weight is missing, negative or no number, or all are 0.
        """
        name = self.weight
        return None if name is None else weights_of(self.variable(name), self.column(name))

    @property
    def groups(self) -> str | None:
        """Name of the column that says which rows belong together; None when rows are independent."""
        return next(iter(self._by_role[Role.GROUPS]), None)

    @cached_property
    def row_groups(self) -> np.ndarray | None:
        """Group of each row, int64 of shape (rows,), ``0 … groups - 1``; None without a groups column.

        Raises
        ------
        InvalidData
            When the group of a row is missing.
        """
        name = self.groups
        return None if name is None else groups_of(self.variable(name), self.column(name))

    @cached_property
    def frame(self) -> pandas.DataFrame:
        """The table as a pandas DataFrame: categories for nominal, floats for continuous columns."""
        from engine.table.frames import frame_from_columns

        return frame_from_columns(self.variables, self.columns)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over names, kinds, roles, levels and values, as 64 hexadecimal digits.

        The name of the table, its notes and what was drawn for empty cells do not count.
        """
        digest = hashlib.sha256()
        for variable, column in zip(self.variables, self.columns, strict=True):
            description = [variable.name, variable.kind, variable.role, variable.ordered, variable.levels]
            digest.update(json.dumps([*description, len(column)]).encode())
            digest.update(canonical(variable, column).data)
        return digest.hexdigest()

    def look_up(self) -> Dataset:
        """Find names, roles, positions and gaps at once, so that nobody waits for those of many columns."""
        _ = self.names, self._by_role, self._positions
        # A table larger than memory has no gaps, and would be read from end to end.
        _ = self.coded is None and self._missing_counts
        return self

    @cached_property
    def _by_role(self) -> dict[Role, tuple[str, ...]]:
        return {
            role: tuple(variable.name for variable in self.variables if variable.role is role)
            for role in Role
        }

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {variable.name: position for position, variable in enumerate(self.variables)}

    def index(self, name: str) -> int:
        """Return the column position of a variable.

        Raises
        ------
        InvalidParameter
            When no column has this name.
        """
        try:
            return self._positions[name]
        except (KeyError, TypeError):
            raise unknown_variable(name, self.names) from None

    def variable(self, name: str) -> Variable:
        """Return the description of a variable."""
        return self.variables[self.index(name)]

    def column(self, name: str) -> np.ndarray:
        """Return the read-only values of a variable, shape (rows,)."""
        return self.columns[self.index(name)]

    def missing_count(self, name: str) -> int:
        """Count the missing values of a variable."""
        return self._missing_counts[self.index(name)]

    @cached_property
    def _missing_counts(self) -> tuple[int, ...]:
        return tuple(int(np.count_nonzero(mask)) for mask in map(missing_mask, self.variables, self.columns))

    @cached_property
    def has_missing(self) -> bool:
        """Whether any label or feature has a missing value."""
        counts = zip(self.variables, self._missing_counts, strict=True)
        return any(count > 0 and variable.role.takes_part for variable, count in counts)

    @cached_property
    def has_numbers(self) -> bool:
        """Whether any label or feature is continuous."""
        return any(
            variable.role.takes_part and variable.kind is Kind.CONTINUOUS for variable in self.variables
        )

    def with_labels(self, labels: Iterable[str]) -> Dataset:
        """Make exactly these variables the labels, which must be columns; former labels become features."""
        wanted = [labels] if isinstance(labels, str) else listed_labels(labels)
        roles = dict.fromkeys(self.labels, Role.FEATURE)
        for name in wanted:
            self.index(name)
            roles[name] = Role.LABEL
        return self.with_roles(roles)

    def with_row_roles(self, weights: str | None = None, groups: str | None = None) -> Dataset:
        """Say which column weighs the rows, and which says what rows belong together.

        Parameters
        ----------
        weights : str, optional
            Name of the column that says how many rows each row stands for; None leaves the roles as they are.
        groups : str, optional
            Name of the column that has the same value in rows that belong together, as several rows of one
            person, which are not independent of each other; None likewise.

        Returns
        -------
        Dataset
            As given when neither is named.

        Raises
        ------
        InvalidParameter
            When no column has the name, it is a label, or both names are the same.
        InvalidData
            When a weight or group is missing, a weight is negative or no number, or all rows have weight 0
            or the same group.
        """
        if weights is None and groups is None:
            return self
        taken = dict.fromkeys(self.labels, N_("{name!r} is a label already."))
        roles: dict[str, Role] = {}
        for setting, name, role in (("weights", weights, Role.WEIGHT), ("groups", groups, Role.GROUPS)):
            if name is None:
                continue
            self.index(name)
            if name in taken:
                problem = _(taken[name], name=name)
                remedy = _(ONE_PURPOSE)
                raise InvalidParameter(problem, place=the_setting(setting), remedy=remedy)
            roles[name], taken[name] = role, N_("{name!r} is the column of weights already.")
        dataset = self.with_roles(roles)
        if weights is not None:
            weights_of(dataset.variable(weights), dataset.column(weights))
        if groups is not None:
            variable = dataset.variable(groups)
            require_several_groups(variable, groups_of(variable, dataset.column(groups)))
        return dataset

    def with_events(self, events: Mapping[str, str | None]) -> Dataset:
        """Say which level of two-valued columns directions and estimates speak of.

        It makes no difference to what a search finds.

        Parameters
        ----------
        events : mapping of str to str or None
            Level by column name. None takes back what was said, so that the names of the levels decide.

        Returns
        -------
        Dataset
            Shares its columns with this one.

        Raises
        ------
        InvalidParameter
            When this is no mapping, no column has a name, a column does not hold two levels, or has no such
            level.

        Examples
        --------
        >>> import pandas
        >>> dataset = Dataset.from_frame(pandas.DataFrame({"COPD": [1, 2, 2, 1]}))
        >>> dataset.variable("COPD").event, dataset.with_events({"COPD": "1"}).variable("COPD").event
        (None, '1')
        """
        require_type(events, Mapping, "events", _('Give a level by column, such as {"COPD": "yes"}.'))
        changed = list(self.variables)
        for name, level in events.items():
            position = self.index(name)
            changed[position] = with_event(changed[position], self.columns[position], level)
        return self._with_checked(variables=tuple(changed)) if events else self

    @property
    def chosen_events(self) -> dict[str, str]:
        """Event by column, where the names of its levels did not decide it."""
        chosen = (
            variable for variable in self.variables if variable.event_from not in (None, EventFrom.GUESSED)
        )
        return {variable.name: str(variable.event) for variable in chosen}

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The notes, and those on events as they are now."""
        return (*self.notes, *self.event_notes)

    @property
    def undecided_events(self) -> tuple[str, ...]:
        """Names of the labels and features with two levels of which neither is known to be the event."""
        return tuple(
            variable.name for variable in self.variables if variable.role.takes_part and variable.lacks_event
        )

    @property
    def event_notes(self) -> tuple[Note, ...]:
        """Where no event is decided, and where an earlier version chose it."""
        return notes_about_events(self.variables)

    def with_roles(self, roles: Mapping[str, Role]) -> Dataset:
        """Change the roles of some variables.

        Parameters
        ----------
        roles : mapping of str to Role
            New role by variable name.

        Returns
        -------
        Dataset
            Shares its columns with this one.

        Raises
        ------
        InvalidParameter
            When no column has a name, or there is no such role.
        InvalidData
            When two columns would be weights, or groups.
        """
        changed = list(self.variables)
        for name, role in roles.items():
            position = self.index(name)
            changed[position] = replace(changed[position], role=role)
        check_single_roles(changed)
        # That a column groups the rows, or is a feature, is no longer so where it has another role.
        said_of = {"repeating-identifier": Role.GROUPS, SURVEY_WEIGHTS: Role.FEATURE}
        return self._with_checked(variables=tuple(changed))._without_those(
            lambda note: (
                note.topic in said_of
                and note.variable in roles
                and roles[note.variable] is not said_of[note.topic]
            )
        )

    def with_column(self, variable: Variable, column: np.ndarray) -> Dataset:
        """Replace the column that has the name of `variable`."""
        return self.with_columns({variable.name: (variable, column)})

    def with_columns(
        self,
        replaced: Mapping[str, tuple[Variable, np.ndarray]],
        added: Sequence[tuple[Variable, np.ndarray]] = (),
    ) -> Dataset:
        """Replace some columns, which may get other names, and add others at the end.

        Raises
        ------
        InvalidParameter
            When no column has a name that is replaced.
        InvalidData
            When names repeat, or a column does not fit the table or its description.
        """
        variables, columns = list(self.variables), list(self.columns)
        for name, (variable, column) in replaced.items():
            position = self.index(name)
            variables[position], columns[position] = variable, _stored(variable, column, self.row_count)
        variables += [variable for variable, _ in added]
        columns += [_stored(variable, column, self.row_count) for variable, column in added]
        _check_names(tuple(variables))
        check_single_roles(variables)
        return self._with_checked(variables=tuple(variables), columns=tuple(columns), imputed=None)

    def with_imputed(self, imputed: Imputed | None) -> Dataset:
        """Put values for the empty cells beside the table, or take them away."""
        return self._with_checked(imputed=imputed)

    def completed(self, draw: int) -> Dataset:
        """Return the table with one of the values that were drawn in each empty cell."""
        if self.imputed is None:
            return self
        pairs = zip(self.variables, self.columns, strict=True)
        columns = tuple(self.imputed.completed(*pair, draw) for pair in pairs)
        return self._with_checked(columns=columns, coded=None, imputed=None)

    def with_kind(self, name: str, kind: Kind) -> Dataset:
        """Read a column of numbers as categories, or categories that are numbers as numbers.

        Parameters
        ----------
        name : str
        kind : Kind
            Nothing happens when the variable is of that kind already; its text does as well.

        Returns
        -------
        Dataset
            Without the notes that doubted the kind of this column.

        Raises
        ------
        InvalidParameter
            When no column has this name, or there is no such kind.
        InvalidData
            When a category is no number, or there are too many different numbers to be categories.

        Examples
        --------
        >>> import pandas
        >>> dataset = Dataset.from_frame(pandas.DataFrame({"grade": [5, 6, 8, 6]}))
        >>> dataset.with_kind("grade", Kind.NOMINAL).variable("grade").levels
        ('5', '6', '8')
        """
        variable, column, kind = self.variable(name), self.column(name), known_kind(kind, name)
        settled = self.without_notes_on_kind(name)
        if variable.kind is kind:
            return settled
        change = as_categories if kind is Kind.NOMINAL else as_numbers
        return settled.with_column(*change(variable, column))

    def with_notes(self, notes: Iterable[Note]) -> Dataset:
        """Append notes."""
        return self._with_checked(notes=self.notes + tuple(notes))

    def without_notes_on_kind(self, name: str) -> Dataset:
        """Take away the notes that say as what a column is read, which no longer hold."""
        return self._without_those(lambda note: note.topic in ABOUT_KIND and note.variable == name)

    def without_notes(self, topic: str, *variables: str) -> Dataset:
        """Take away the notes of one topic, or of those only the notes about some variables."""
        about = frozenset(variables)
        return self._without_those(lambda note: note.topic == topic and (not about or note.variable in about))

    def _without_those(self, goes: Callable[[Note], bool]) -> Dataset:
        left = tuple(note for note in self.notes if not goes(note))
        return self if len(left) == len(self.notes) else self._with_checked(notes=left)

    def select_rows(self, rows: np.ndarray) -> Dataset:
        """Keep the rows that a boolean mask or an array of positions names."""
        imputed = self.imputed and self.imputed.of_rows(self.variables, self.columns, rows)
        return self._with_checked(columns=selected_rows(self.columns, rows), imputed=imputed)

    def select_variables(self, names: Iterable[str]) -> Dataset:
        """Keep some variables, in the given order."""
        positions = [self.index(name) for name in names]
        return replace(
            self,
            variables=tuple(self.variables[position] for position in positions),
            columns=tuple(self.columns[position] for position in positions),
        )

    def _with_checked(self, **changes: object) -> Dataset:
        """Change a part without looking at every value again: the values were checked before."""
        changed = object.__new__(Dataset)
        for name in ("variables", "columns", "name", "notes", "coded", "imputed"):
            object.__setattr__(changed, name, changes.get(name, getattr(self, name)))
        if changed.columns is self.columns and "_missing_counts" in vars(self):
            vars(changed)["_missing_counts"] = self._missing_counts
        return changed

    def __repr__(self) -> str:
        return (
            f"<Dataset {self.name or 'unnamed'}: {counted(self.row_count, 'row')}, "
            f"{counted(len(self.features), 'feature')}, {counted(len(self.labels), 'label')}>"
        )


def unknown_variable(name: str, names: Sequence[str]) -> InvalidParameter:
    """Make the error for a name that is no column, with the nearest names as remedy."""
    remedy = any_near_or(str(name), names, columns_there_are(names))
    return InvalidParameter(_(NO_SUCH_COLUMN, name=name), remedy=remedy)


def warn_of_repeats(dataset: Dataset) -> None:
    """Warn where no groups are chosen and a feature seems to say which rows belong together."""
    from engine.table.identifiers import repeating_identifier

    name = None if dataset.groups is not None else repeating_identifier(dataset)
    if name is None:
        return
    different = len(np.unique(dataset.column(name)))
    message = _(
        "'{name}' has {different:,} different values in {rows}, as an identifier, and is a "
        "feature. If rows with one value belong together, set groups={name!r}. Otherwise, leave "
        "the column out.",
        name=name,
        different=different,
        rows=counted(dataset.row_count, "row"),
    )
    warnings.warn(message, DataWarning, stacklevel=3)


def _check_names(variables: tuple[Variable, ...]) -> None:
    seen: set[str] = set()
    for position, variable in enumerate(variables, start=1):
        if not variable.name:
            raise InvalidData(_("the column has no name."), place=_("column {position}", position=position))
        if variable.name in seen:
            raise InvalidData(
                _("two columns have this name."),
                place=_("column '{name}'", name=variable.name),
                remedy=_(RENAME_ONE),
            )
        seen.add(variable.name)


def _stored(variable: Variable, column: np.ndarray, rows: int) -> np.ndarray:
    return frozen_columns([checked_column(variable, column, rows)], [stored_dtype(variable)])[0]
