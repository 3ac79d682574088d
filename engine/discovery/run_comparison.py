"""Two runs side by side: what came, what went, and what is found in both and said otherwise.

What is compared are links: a feature and a label that it counts for. A link that one run cannot have found,
as its table lacks the feature or the label, is not compared: it neither came nor went.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.boundaries.markov_boundary import LinkKind
from engine.discovery.columns import ContentKind, FindingColumn, Output, ResultTable, given_of, test_column
from engine.discovery.effects.estimates import AssociationSign, Sign
from engine.discovery.effects.size_words import association_words
from engine.discovery.evidence import Pair, Relation, Rule, relation_of
from engine.discovery.finding_words import grade_text
from engine.discovery.findings import COMMON, LABEL_SPECIFIC
from engine.discovery.orientation.direction import Direction, Grade
from engine.errors import InvalidParameter
from engine.independence.record import TestRecord
from engine.parameters import require_type
from engine.table.variable import Kind as VariableKind
from engine.table.variable import Role, Variable
from engine.translation import _
from engine.wording.sentences import MAKE_A_RESULT, NAME_OF_ITS_OWN

if TYPE_CHECKING:
    import pandas

    from engine.discovery.result import DiscoveryResult
    from engine.preparation.preparation_settings import PreparationSettings
    from engine.table.dataset import Dataset


class Change(StrEnum):
    """What differs of a feature, or of a link, between two runs; the most telling first."""

    CAME = "came"
    WENT = "went"
    TYPE = "type"
    LABELS = "labels"
    KIND = "kind"
    SIGN = "sign"
    GRADE = "grade"
    NOT_COMPARED = "not compared"
    SAME = "same"


class Absence(StrEnum):
    """Why a run does not have a link."""

    NOT_FOUND = "not found"
    NO_VARIABLE = "variable takes no part"
    IS_LABEL = "variable is a label"
    NO_LABEL = "label takes no part"
    UNFINISHED = "label not finished"


_OPPOSITE = {Sign.MORE: Sign.LESS, Sign.LESS: Sign.MORE}


@dataclass(frozen=True, slots=True)
class Link:
    """A feature that counts for a label, as one run found it."""

    rule: Rule
    strength: float  # how much it tells about the label in the deciding test, between 0 and 1
    direction: Direction  # to the label if nothing is hidden
    grade: Grade  # even if something is hidden
    association: AssociationSign | None = None  # None where it was not measured
    deciding: TestRecord | None = None
    # the other level of the label and of the feature, of two
    levels_beside: tuple[str | None, str | None] = (None, None)
    kind: LinkKind = LinkKind.DIRECT
    through: tuple[str, ...] = ()  # labels that explain a link through other labels

    @property
    def relation(self) -> Relation:
        """How the feature stands to the label."""
        return relation_of(self.rule) if self.kind is LinkKind.DIRECT else Relation.THROUGH_LABELS

    @property
    def sign(self) -> Sign | None:
        """Which way the label goes with it, of the levels that :attr:`association` names."""
        return None if self.association is None else self.association.sign

    def sign_as_of(self, other: Link) -> Sign | None:
        """Return the sign that it would have if it spoke of the levels that another run spoke of."""
        mine, its = self.association, other.association
        if mine is None or its is None:
            return self.sign
        pairs = ((mine.event, its.event), (mine.feature_level, its.feature_level))
        turns = sum(
            one != the_other and the_other is not None and the_other == beside
            for (one, the_other), beside in zip(pairs, self.levels_beside, strict=True)
        )
        return _OPPOSITE.get(mine.sign, mine.sign) if turns % 2 else mine.sign

    @property
    def statement(self) -> str:
        """What is said of the direction, in words."""
        return grade_text(self.direction, self.grade)

    def differs_in(self, other: Link) -> tuple[Change, ...]:
        """Return what is said otherwise of the same link, of the same event; an unclear sign says nothing."""
        signs = {self.sign_as_of(other), other.sign}
        is_turned = len(signs) == 2 and not signs & {None, Sign.UNCLEAR}
        is_other_kind = (self.kind, frozenset(self.through)) != (other.kind, frozenset(other.through))
        changed = {
            Change.KIND: is_other_kind,
            Change.SIGN: is_turned,
            # Of a link through other labels no direction is told.
            Change.GRADE: not is_other_kind and self.statement != other.statement,
        }
        return tuple(change for change, is_so in changed.items() if is_so)

    def contradicts(self, other: Link) -> bool:
        """Tell whether not both can be true of the direction of the same link."""
        opposite = {self.direction, other.direction} == {Direction.CAUSE, Direction.EFFECT}
        return opposite or self.grade.contradicts(other.grade)


@dataclass(frozen=True, slots=True)
class LinkChange:
    """A link that one run found, or both."""

    feature: str
    label: str
    first: Link | None  # None where the run did not find it
    second: Link | None
    absence: Absence | None  # why one of them does not have it
    changes: tuple[Change, ...]  # the most telling first; one at least
    # features linked to it in the run that lacks it, which a run holds to be equivalent
    in_its_place: tuple[str, ...] = ()

    @property
    def is_compared(self) -> bool:
        """Whether both runs could have found it."""
        return self.absence in (None, Absence.NOT_FOUND)

    @property
    def is_contrary(self) -> bool:
        """Whether both runs have it, and not both can be right about its direction."""
        return self.first is not None and self.second is not None and self.first.contradicts(self.second)

    @property
    def latest(self) -> Link:
        """The link as the second run found it, or else the first."""
        link = self.second or self.first
        assert link is not None
        return link

    @property
    def strength(self) -> float:
        """The greater of its strengths."""
        return max(link.strength for link in (self.first, self.second) if link is not None)


@dataclass(frozen=True, slots=True)
class FeatureChange:
    """A feature that counts for a label in one run, or in both."""

    feature: str
    links: tuple[LinkChange, ...]
    changes: tuple[Change, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that it counts for in either run, in column order."""
        return tuple(link.label for link in self.links)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """How it stands to each of them: in the second run, or else in the first."""
        return tuple(link.latest.relation for link in self.links)

    @property
    def strengths(self) -> tuple[float, ...]:
        """How much it tells about each of them, in the run where that is more."""
        return tuple(link.strength for link in self.links)

    @property
    def is_common(self) -> bool:
        """Whether it counts for two or more labels: in the second run, or else in the first."""
        return len(self.labels_second or self.labels_first) > 1

    @property
    def led_by(self) -> str | None:
        """None: whatever differs is shown in its own right."""
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which it is looked for."""
        return (self.feature, *self.labels)

    @property
    def labels_first(self) -> tuple[str, ...]:
        """Labels that it counts for in the first run, in column order."""
        return tuple(link.label for link in self.links if link.first is not None)

    @property
    def labels_second(self) -> tuple[str, ...]:
        """Labels that it counts for in the second run, in column order."""
        return tuple(link.label for link in self.links if link.second is not None)

    @property
    def types(self) -> tuple[str, str]:
        """``"common"``, ``"label-specific"`` or nothing, in each run."""
        return type_of(self.labels_first), type_of(self.labels_second)

    @property
    def compared_types(self) -> tuple[str, str]:
        """The same over the labels for which both runs could have found it."""
        compared = [link for link in self.links if link.is_compared]
        return type_of(link.first for link in compared if link.first), type_of(
            link.second for link in compared if link.second
        )

    @property
    def strength(self) -> float:
        """The greatest strength of its links."""
        return max(link.strength for link in self.links)

    @property
    def in_its_place(self) -> tuple[str, ...]:
        """What stands in its place for any of its labels, each once."""
        return tuple(dict.fromkeys(name for link in self.links for name in link.in_its_place))

    def labels_with(self, change: Change) -> tuple[str, ...]:
        """Return the labels of which the link differs in a way."""
        return tuple(link.label for link in self.links if change in link.changes)


def type_of(labels: Iterable[object]) -> str:
    """Return what a feature is that counts for so many labels: common, label-specific, or nothing."""
    count = len(tuple(labels))
    if not count:
        return ""
    return COMMON if count > 1 else LABEL_SPECIFIC


FIRST, SECOND = "first run", "second run"


@dataclass(frozen=True, eq=False)
class RunComparison:
    """Two runs and their differences. Each table is computed when it is first used.

    Attributes
    ----------
    first, second : DiscoveryResult
        The results of the two runs.
    names : tuple of str
        Names of the two runs.
    preparations : tuple of PreparationSettings
        How each table was prepared. None if it is unknown.

    Examples
    --------
    >>> import engine
    >>> table = engine.simulate(labels=3, features=12, rows=500, seed=0).dataset
    >>> strict, lenient = (engine.discover(table, engine.DiscoverySettings(alpha=a)) for a in (0.001, 0.2))
    >>> comparison = engine.compare_runs(strict, lenient)
    >>> list(comparison.features.columns[:3])
    ['feature', 'changes', 'type_first']
    """

    first: DiscoveryResult
    second: DiscoveryResult
    names: tuple[str, str] = (FIRST, SECOND)
    preparations: tuple[PreparationSettings | None, PreparationSettings | None] = (None, None)

    @property
    def by_name(self) -> tuple[tuple[str, DiscoveryResult], tuple[str, DiscoveryResult]]:
        """Either run with its name."""
        return (self.names[0], self.first), (self.names[1], self.second)

    @property
    def counts_through_labels(self) -> bool:
        """Whether links through other labels are compared: both runs looked for them, and count them."""
        return all(
            result.counts_through_labels and result.searched_through_labels
            for result in (self.first, self.second)
        )

    @cached_property
    def link_changes(self) -> tuple[LinkChange, ...]:
        """Every link that one run found, or both: by feature and label, in column order."""
        first, second = (_RunSide(result, self.counts_through_labels) for result in (self.first, self.second))
        order = {name: number for number, name in enumerate(self.columns)}
        pairs = sorted({*first.links, *second.links}, key=lambda pair: (order[pair[0]], order[pair[1]]))
        return tuple(_link_change(pair, first, second) for pair in pairs)

    @cached_property
    def feature_changes(self) -> tuple[FeatureChange, ...]:
        """Every feature that counts for a label in one run, or in both: what changed most first.

        Features of which the same changed come in the order of their strength.
        """
        links: dict[str, list[LinkChange]] = {}
        for link_change in self.link_changes:
            links.setdefault(link_change.feature, []).append(link_change)
        changes = [FeatureChange(name, tuple(own), _feature_changes(own)) for name, own in links.items()]
        rank = {change: number for number, change in enumerate(Change)}
        return tuple(sorted(changes, key=lambda change: (rank[change.changes[0]], -change.strength)))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Every variable of either table, in the order of the first one and then of the second."""
        return tuple(dict.fromkeys((*self.first.dataset.names, *self.second.dataset.names)))

    def count(self, change: Change) -> int:
        """Count the features of which something changed."""
        return sum(change in feature_change.changes for feature_change in self.feature_changes)

    @cached_property
    def features(self) -> pandas.DataFrame:
        """What differs, a row a feature.

        Columns: ``feature``, ``changes`` (tuple of str: ``"came"``, ``"went"``, ``"type"``, ``"labels"``,
        ``"kind"``, ``"sign"``, ``"grade"``, ``"not compared"`` or ``"same"``), ``type_first``,
        ``type_second``, ``labels_first``, ``labels_second`` (tuple of str), ``strength_first``,
        ``strength_second`` and ``in_its_place`` (tuple of str).
        """
        return FEATURES.frame(self)

    @cached_property
    def links(self) -> pandas.DataFrame:
        """What differs, a row a feature and label.

        Columns: ``feature``, ``label``, ``changes`` (as of :attr:`features`, without type and labels),
        ``absence`` (why one run does not have it), and of each run, with ``_first`` and ``_second`` behind:
        ``rule``, ``strength``, ``direction``, ``grade``, ``sign``, ``association`` (the sign in words, with
        the event that it speaks of), and of the deciding test ``p_value`` and ``given`` (tuple of str);
        ``in_its_place`` (tuple of str); ``kind`` (``"direct"`` or ``"through labels"``) comes last.
        """
        return LINKS.frame(self)

    @cached_property
    def settings(self) -> pandas.DataFrame:
        """The settings of search and preparation that differ: ``setting``, ``first``, ``second``."""
        import pandas

        rows = [(name, *values) for name, values in self.setting_values.items()]
        return pandas.DataFrame(rows, columns=["setting", "first", "second"], dtype=object)

    @cached_property
    def setting_values(self) -> dict[str, tuple[Any, Any]]:
        """Both values of every setting that differs and decides what is found; none of those not known."""
        # Of an automatic level the one that was used.
        before, after = (
            run.settings_used.decisive().as_dict() | {"alpha": run.settings.alpha}
            for run in (self.first, self.second)
        )
        preparation, made_after = self.preparations
        if preparation is not None and made_after is not None:
            before, after = preparation.as_dict() | before, made_after.as_dict() | after
        return {name: (before[name], after[name]) for name in before if before[name] != after[name]}

    @cached_property
    def variables(self) -> pandas.DataFrame:
        """The columns of either table whose part differs.

        Columns: ``variable``, ``first`` and ``second`` (the role in each table, empty where it is not there).
        """
        import pandas

        rows = [(name, *roles) for name, roles in self.roles.items()]
        return pandas.DataFrame(rows, columns=["variable", "first", "second"], dtype=object)

    @cached_property
    def roles(self) -> dict[str, tuple[str, str]]:
        """Both roles of every column that takes another part; empty where a table does not have it."""
        first, second = _roles(self.first.dataset), _roles(self.second.dataset)
        both = {name: (first.get(name, ""), second.get(name, "")) for name in self.columns}
        return {name: roles for name, roles in both.items() if roles[0] != roles[1]}

    @cached_property
    def kinds(self) -> dict[str, tuple[VariableKind, VariableKind]]:
        """Both kinds of every column that takes part in both runs and is read in another way."""
        return {
            name: (first.kind, second.kind)
            for name, (first, second) in self._shared.items()
            if first.kind is not second.kind
        }

    @cached_property
    def recoded(self) -> tuple[str, ...]:
        """Columns that take part in both runs, of one kind, and have other categories or another order."""
        return tuple(
            name
            for name, (first, second) in self._shared.items()
            if name not in self.kinds and replace(first, role=second.role) != second
        )

    @cached_property
    def changed_values(self) -> tuple[str, ...]:
        """Columns that take part in both runs, coded alike, and hold other values in the same rows."""
        first, second = self.first.dataset, self.second.dataset
        if not self.is_same_rows or first.content_hash == second.content_hash:
            return ()
        alike = [name for name in self._shared if name not in self.kinds and name not in self.recoded]
        return tuple(name for name in alike if not _holds_same(first, second, name))

    @cached_property
    def _shared(self) -> dict[str, tuple[Variable, Variable]]:
        """Columns that decide something in both runs: labels, features, weights and groups of rows."""
        first, second = (
            {
                variable.name: variable
                for variable in run.dataset.variables
                if variable.role is not Role.IGNORED
            }
            for run in (self.first, self.second)
        )
        return {
            name: (first[name], second[name]) for name in self.columns if name in first and name in second
        }

    @property
    def rows(self) -> tuple[int, int]:
        """How many rows each run searched."""
        return self.first.dataset.row_count, self.second.dataset.row_count

    @cached_property
    def is_same_rows(self) -> bool | None:
        """Whether both searched the same rows; None where that is not known.

        Rows have no names: they are taken for the same where there are as many, and every label that both
        tables have holds the same values in them.
        """
        first, second = self.first.dataset, self.second.dataset
        if first.row_count != second.row_count:
            return False
        if first.content_hash == second.content_hash:
            return True
        shared = [name for name in first.labels if name in second.labels]
        if not shared or not all(_has_values(table) for table in (first, second)):
            return None
        return all(_holds_same(first, second, name) for name in shared)


def compare_runs(
    first: DiscoveryResult,
    second: DiscoveryResult,
    names: tuple[str, str] = (FIRST, SECOND),
    preparations: tuple[PreparationSettings | None, PreparationSettings | None] = (None, None),
) -> RunComparison:
    """Compare two runs on one table, or on tables with columns in common.

    Parameters
    ----------
    first, second : DiscoveryResult
        The results. A link that appeared is in the second only.
    names : tuple of str
        Names of the two runs in sentences.
    preparations : tuple of PreparationSettings
        How each table was prepared, to compare this, too.

    Returns
    -------
    RunComparison
        The differences, with the tables :attr:`~RunComparison.features` and :attr:`~RunComparison.links`.

    Raises
    ------
    InvalidParameter
        If both runs have the same name, the tables have no column in common, or an argument is not a result.

    Notes
    -----
    If a link is found in one run only, it need not be stronger there. The difference between significant and
    not significant need not be significant itself (Gelman and Stern 2006, The American Statistician
    60:328-331).

    Examples
    --------
    >>> import engine
    >>> table = engine.simulate(labels=3, features=12, rows=500, seed=0).dataset
    >>> whole, part = engine.discover(table), engine.discover(table.select_rows(range(0, 500, 2)))
    >>> comparison = engine.compare_runs(whole, part, names=("all", "every second row"))
    >>> comparison.rows, comparison.is_same_rows
    ((500, 250), False)
    """
    from engine.discovery.result import DiscoveryResult

    for setting, result in (("first", first), ("second", second)):
        require_type(result, DiscoveryResult, setting, _(MAKE_A_RESULT))
    if names[0] == names[1]:
        raise InvalidParameter(
            _("both runs are called {name!r}.", name=names[0]), place="names", remedy=_(NAME_OF_ITS_OWN)
        )
    if not set(first.dataset.names) & set(second.dataset.names):
        raise InvalidParameter(
            _("the tables of the two runs have no column in common."),
            place=_("runs"),
            remedy=_("Compare runs on one table, or on tables with the same columns."),
        )
    return RunComparison(first, second, names, preparations)


class _RunSide:
    """One run, as the other asks for what it has."""

    def __init__(self, result: DiscoveryResult, counts_through_labels: bool) -> None:
        self._result = result
        self._findings = result.total_findings if counts_through_labels else result.findings
        self._roles = _roles(result.dataset)
        self._unfinished = frozenset(result.unfinished_labels)
        self.links = {pair: self._link(pair) for pair in self._findings.evidence}
        self._alike = _alike(result)

    def absence(self, pair: Pair) -> Absence:
        """Say why the run does not have a link."""
        feature, label = pair
        if self._roles.get(label) != Role.LABEL:
            return Absence.NO_LABEL
        if label in self._unfinished:
            return Absence.UNFINISHED
        role = self._roles.get(feature)
        if role == Role.FEATURE:
            return Absence.NOT_FOUND
        return Absence.IS_LABEL if role == Role.LABEL else Absence.NO_VARIABLE

    def alike(self, feature: str) -> set[str]:
        """Return what the run says to be interchangeable with a feature, or not told apart from it."""
        return self._alike.get(feature, set())

    def linked_to(self, label: str) -> list[str]:
        """Return the features that count for a label."""
        return [feature for feature, its in self.links if its == label]

    def _link(self, pair: Pair) -> Link:
        findings, effects = self._findings, self._result.effects
        reason, through = findings.evidence[pair][0], findings.links_through_labels.get(pair)
        sign = None
        if effects is not None:
            is_direct = through is None
            sign = effects.association_sign(*pair) if is_direct else findings.association_sign(*pair)
        return Link(
            reason.rule,
            reason.strength,
            findings.direction(*pair),
            findings.grade(*pair),
            sign,
            reason.deciding,
            (None, None) if sign is None else self._levels_beside(sign),
            LinkKind.DIRECT if through is None else LinkKind.THROUGH_LABELS,
            () if through is None else findings.passed_through(through),
        )

    def _levels_beside(self, sign: AssociationSign) -> tuple[str | None, str | None]:
        """Return the other one of two levels of the label and of the feature."""
        told = ((sign.label, sign.event), (sign.feature, sign.feature_level))
        label, feature = (
            None
            if level is None
            else next(
                (
                    other_level
                    for other_level in self._result.dataset.variable(name).levels
                    if other_level != level
                ),
                None,
            )
            for name, level in told
        )
        return label, feature


def _alike(result: DiscoveryResult) -> dict[str, set[str]]:
    alike: dict[str, set[str]] = {}
    for record in (*result.equivalence_records, *result.undistinguished_records):
        if len(record.in_boundary) == len(record.equivalent) == 1:
            left, right = record.in_boundary[0], record.equivalent[0]
            alike.setdefault(left, set()).add(right)
            alike.setdefault(right, set()).add(left)
    return alike


def _link_change(pair: Pair, first: _RunSide, second: _RunSide) -> LinkChange:
    earlier, later = first.links.get(pair), second.links.get(pair)
    if earlier is not None and later is not None:
        return LinkChange(*pair, earlier, later, None, earlier.differs_in(later) or (Change.SAME,))
    lacking = second if later is None else first
    absence = lacking.absence(pair)
    if absence is not Absence.NOT_FOUND:
        return LinkChange(*pair, earlier, later, absence, (Change.NOT_COMPARED,))
    feature, label = pair
    alike = first.alike(feature) | second.alike(feature)
    instead = tuple(name for name in lacking.linked_to(label) if name in alike)
    change = Change.WENT if later is None else Change.CAME
    return LinkChange(*pair, earlier, later, absence, (change,), instead)


def _feature_changes(links: Iterable[LinkChange]) -> tuple[Change, ...]:
    """Sum up what changed of a feature: over the labels that both runs could have found it for."""
    compared = [link for link in links if link.is_compared]
    if not compared:
        return (Change.NOT_COMPARED,)
    first = {link.label for link in compared if link.first is not None}
    second = {link.label for link in compared if link.second is not None}
    if not first or not second:
        return (Change.WENT,) if first else (Change.CAME,)
    changed = {change for link in compared for change in link.changes}
    is_other_type = type_of(first) != type_of(second)
    of_whole = {
        Change.TYPE: is_other_type,
        Change.LABELS: first != second and not is_other_type,
        Change.KIND: Change.KIND in changed,
        Change.SIGN: Change.SIGN in changed,
        Change.GRADE: Change.GRADE in changed,
    }
    return tuple(change for change, is_so in of_whole.items() if is_so) or (Change.SAME,)


def _roles(dataset: Dataset) -> Mapping[str, str]:
    return {variable.name: str(variable.role) for variable in dataset.variables}


def _has_values(dataset: Dataset) -> bool:
    """Tell whether a table has its values, and is not merely described."""
    return all(len(column) == dataset.row_count for column in dataset.columns[:1])


def _holds_same(first: Dataset, second: Dataset, name: str) -> bool:
    """Tell whether a column holds the same values in two tables of as many rows."""
    mine, its = first.variable(name), second.variable(name)
    if mine.kind is not its.kind or mine.levels != its.levels:
        # Coded in another way: that tells nothing of the rows.
        return True
    is_number = first.column(name).dtype.kind == "f"
    return bool(np.array_equal(first.column(name), second.column(name), equal_nan=is_number))


def _strongest(change: FeatureChange, which: str) -> float | None:
    links = (getattr(link, which) for link in change.links)
    return max((link.strength for link in links if link is not None), default=None)


def _of_link(key: str, which: str) -> FindingColumn[LinkChange]:
    def value(change: LinkChange) -> Any:
        link = getattr(change, which)
        if link is None:
            return None
        part = getattr(link, key)
        if isinstance(part, AssociationSign):
            return association_words(part)
        return part if key == "strength" or part is None else str(part)

    return FindingColumn(
        f"{key}_{which}", value, ContentKind.SHARE if key == "strength" else ContentKind.TEXT
    )


def _of_deciding_test(which: str) -> tuple[FindingColumn[LinkChange], FindingColumn[LinkChange]]:
    def test_of(change: LinkChange) -> TestRecord | None:
        link = getattr(change, which)
        return None if link is None else link.deciding

    return (
        test_column(f"p_value_{which}", ContentKind.P_VALUE, test_of, outputs=Output.EVERYWHERE),
        test_column(
            f"given_{which}", ContentKind.NAMES, test_of, given_of, outputs=Output.EVERYWHERE, without=()
        ),
    )


FEATURES: ResultTable[RunComparison, FeatureChange] = ResultTable(
    "Variables compared",
    lambda comparison: comparison.feature_changes,
    (
        FindingColumn("feature", lambda change: change.feature),
        FindingColumn("changes", lambda change: tuple(map(str, change.changes)), ContentKind.NAMES),
        FindingColumn("type_first", lambda change: change.types[0]),
        FindingColumn("type_second", lambda change: change.types[1]),
        FindingColumn("labels_first", lambda change: change.labels_first, ContentKind.NAMES),
        FindingColumn("labels_second", lambda change: change.labels_second, ContentKind.NAMES),
        FindingColumn("strength_first", lambda change: _strongest(change, "first"), ContentKind.SHARE),
        FindingColumn("strength_second", lambda change: _strongest(change, "second"), ContentKind.SHARE),
        FindingColumn("in_its_place", lambda change: change.in_its_place, ContentKind.NAMES),
    ),
)
"""One row for each feature that either run found, what changed most first."""

LINKS: ResultTable[RunComparison, LinkChange] = ResultTable(
    "Links compared",
    lambda comparison: comparison.link_changes,
    (
        FindingColumn("feature", lambda change: change.feature),
        FindingColumn("label", lambda change: change.label),
        FindingColumn("changes", lambda change: tuple(map(str, change.changes)), ContentKind.NAMES),
        FindingColumn("absence", lambda change: None if change.absence is None else str(change.absence)),
        *(
            _of_link(key, which)
            for key in ("rule", "strength", "direction", "grade", "sign", "association")
            for which in ("first", "second")
        ),
        FindingColumn("in_its_place", lambda change: change.in_its_place, ContentKind.NAMES),
        *(column for which in ("first", "second") for column in _of_deciding_test(which)),
        *(_of_link("kind", which) for which in ("first", "second")),
    ),
)
"""One row for each feature and label that either run found, in column order."""
