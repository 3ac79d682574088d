"""Every run on the open table: kept, shown, renamed, pinned and deleted, in steps that can be undone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoStack

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.events import told_of_events
from clcd_gui.document.replacement import Replacement
from clcd_gui.wording.setting_values import lower_first, setting_text
from clcd_gui.wording.text import NUMBERS, counted, spaced_once
from engine.discovery.result import DiscoveryResult
from engine.errors import InvalidParameter
from engine.knowledge.knowledge import Knowledge
from engine.parameters import parameter_of, parameters_of
from engine.recipe.column_steps import Describe, ReadAs, Rename
from engine.recipe.table_steps import Filter, RowBlocks
from engine.reporting.tables import NamedRun
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role
from engine.translation import N_, _
from engine.wording.numbers import written_out

_MOST_PARTS = 4
_NAMED_COLUMNS = 2
# What these do is told by the condition or the type, or makes no difference.
_TOLD_OTHERWISE = (Filter, ReadAs, Describe, Rename, RowBlocks)


def run_name(searched: Analysis, first: Analysis | None, is_partial: bool = False) -> str:
    """Return a name for a run: its rows and level for the first, else what differs from the first."""
    parts = _conditions(searched) if first is None else list(_differences(first, searched))
    if first is None or not parts:
        parts = [*parts, _level(searched)]
    if len(parts) > _MOST_PARTS:
        parts = [*parts[: _MOST_PARTS - 1], "…"]
    if is_partial:
        parts.append(_("stopped early"))
    return ", ".join(parts)


def unlike(name: str, taken: Collection[str]) -> str:
    """Return a name that is not among others: the same one, or with a number behind it.

    >>> unlike("α 0.05", ["α 0.01"]), unlike("α 0.05", ["α 0.05", "α 0.05 (2)"])
    ('α 0.05', 'α 0.05 (3)')
    """
    free_name, number = name, 1
    while free_name in taken:
        number += 1
        free_name = f"{name} ({number})"
    return free_name


def _differences(first: Analysis, searched: Analysis) -> Iterator[str]:
    """Yield what sets a run apart from the first one, a few words each, what matters most first."""
    yield from _rows(first, searched)
    yield from _roles(first.dataset, searched.dataset)
    mine, its = first.discovery.decisive(), searched.discovery.decisive()
    yield from _settings(mine, its)
    yield from _settings(first.preparation, searched.preparation)
    yield from _knowledge(first.knowledge, searched.knowledge)


def _conditions(searched: Analysis) -> list[str]:
    return [step.expression.strip() for step in searched.recipe.active if isinstance(step, Filter)]


def _rows(first: Analysis, searched: Analysis) -> Iterator[str]:
    before = first.recipe.active
    conditions = [step for step in searched.recipe.active if isinstance(step, Filter) and step not in before]
    for condition in conditions:
        yield condition.expression.strip()
    if not conditions and first.dataset.row_count != searched.dataset.row_count:
        yield counted(searched.dataset.row_count, "row")
    new = [step for step in searched.recipe.active if step not in before]
    new += [step for step in before if step not in searched.recipe.active]
    others = [step for step in new if not isinstance(step, _TOLD_OTHERWISE)]
    if others:
        changed = list(dict.fromkeys(name for step in others for name in step.uses))
        yield _("{columns} changed", columns=_few(changed))
    blocks = [
        [step for step in steps if isinstance(step, RowBlocks)] for steps in (before, searched.recipe.active)
    ]
    if all(blocks) and blocks[0] != blocks[1]:
        yield _("other blocks of rows")
    if first.split != searched.split:
        if searched.split is None:
            yield _("all rows")
        else:
            share = NUMBERS.share(searched.split.share)
            yield (
                _("{share} of the rows", share=share)
                if searched.split.seed == 0
                else _("{share} of the rows, drawn anew", share=share)
            )


def _roles(first: Dataset, second: Dataset) -> Iterator[str]:
    before = {variable.name: variable for variable in first.variables}
    after = {variable.name: variable for variable in second.variables}
    in_both = [name for name in after if name in before]

    def taking(role: Role, where: dict[str, Any]) -> set[str]:
        return {name for name in in_both if where[name].role is role}

    labels = taking(Role.LABEL, after) - taking(Role.LABEL, before)
    no_labels = taking(Role.LABEL, before) - taking(Role.LABEL, after)
    features, no_features = (
        taking(Role.FEATURE, after) - taking(Role.FEATURE, before) - no_labels,
        taking(Role.FEATURE, before) - taking(Role.FEATURE, after) - labels,
    )
    for role, given, taken in (
        (Role.GROUPS, N_("grouped by {names}"), N_("rows not grouped")),
        (Role.WEIGHT, N_("weighted by {names}"), N_("rows not weighted")),
    ):
        columns = [
            [variable.name for variable in table.variables if variable.role is role]
            for table in (first, second)
        ]
        if columns[0] != columns[1]:
            yield _(given, names=_few(columns[1])) if columns[1] else _(taken)
            features -= set(columns[0])
            no_features -= set(columns[1])
    for names, text in (
        (labels, N_("{names} as label")),
        (no_labels, N_("not {names} as label")),
        (features, N_("with {names}")),
        (no_features, N_("without {names}")),
    ):
        if names:
            yield _(text, names=_few([name for name in in_both if name in names]))
    for kind, text in (
        (Kind.NOMINAL, N_("{names} as categories")),
        (Kind.CONTINUOUS, N_("{names} as numbers")),
    ):
        changed = [name for name in in_both if after[name].kind is kind is not before[name].kind]
        if changed:
            yield _(text, names=_few(changed))


def _settings(before: Any, after: Any) -> Iterator[str]:
    for parameter in parameters_of(type(after)):
        value = getattr(after, parameter.name)
        if value == getattr(before, parameter.name):
            continue
        if parameter.name == "alpha":
            if not getattr(after, "automatic_alpha", False):
                yield f"α {written_out(value)}"
        elif parameter.name == "automatic_alpha" and not value:
            # The level is named, which may be the one that is set anyhow.
            if after.alpha == before.alpha:
                yield f"α {written_out(after.alpha)}"
        elif parameter.kind == "flag":
            title = lower_first(_(parameter.title))
            yield title if value else _("{title}: off", title=title)
        else:
            yield setting_text(parameter, value)


def _level(searched: Analysis) -> str:
    if searched.discovery.automatic_alpha:
        return lower_first(_(parameter_of(type(searched.discovery), "automatic_alpha").title))
    return f"α {written_out(searched.discovery.alpha)}"


# The parts of background knowledge that are about pairs, and how one of them is said.
_EDGES = (
    ("required", N_("{first} → {second}")),
    ("forbidden", N_("no {first} → {second}")),
    ("unconfounded", N_("no unmeasured common cause of {first} and {second}")),
)


def _knowledge(first: Knowledge, searched: Knowledge) -> Iterator[str]:
    """Yield which tiers and edges only one of two runs was told of: a run, or the first one."""
    if searched.is_empty and not first.is_empty:
        yield _("nothing known")
        return
    before, after = map(_tier_of, (first, searched))
    for position, tier in enumerate(searched.tiers, 1):
        moved = [name for name in tier if before.get(name) != position]
        if moved:
            yield _("tier {position}: {names}", position=position, names=_few(moved))
    free = [name for name in before if name not in after]
    if free:
        yield _("in no tier: {names}", names=_few(free))
    had, has = map(_statements, (first, searched))
    yield from (statement for statement in has if statement not in had)
    for statement in had:
        if statement not in has:
            yield _("without “{statement}”", statement=statement)


def _tier_of(knowledge: Knowledge) -> dict[str, int]:
    return {name: position for position, tier in enumerate(knowledge.tiers, 1) for name in tier}


def _statements(knowledge: Knowledge) -> list[str]:
    """List what is known besides the order in time."""
    pairs = [
        _(words, first=first, second=second)
        for part, words in _EDGES
        for first, second in getattr(knowledge, part)
    ]
    return [*pairs, *(_("no cause of {name}", name=name) for name in knowledge.not_effects)]


def _few(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= _NAMED_COLUMNS else counted(len(names), "column")


MOST_FOLLOWING = 30
"""So many runs that a person did not ask for are kept: results that followed changes of the settings."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptRun:
    """One run of the open table."""

    number: int  # tells it from all others while the table is open; later runs have greater ones
    name: str  # no other run has it
    result: DiscoveryResult  # what it found, with what more is known of that by now
    searched: Analysis  # what it was computed from
    started: str = ""  # as ``2026-11-23T14:05:00+00:00``; empty where that is not known
    note: str = ""  # what a person wrote about it, in Markdown
    is_pinned: bool = False
    # The step on the undo stack that it followed by itself; None where a person asked for it.
    step: int | None = None
    is_deleted: bool = False  # which can be undone

    @property
    def is_passing(self) -> bool:
        """Whether it came by itself and nobody did anything with it, so that a later one may replace it."""
        return self.step is not None and not (self.is_pinned or self.note or self.is_deleted)


class RunHistory(QObject):
    """Holds every run, and which of them is shown.

    To run changes nothing that could be undone, and a run stays when what was done before it is taken back. A
    result that followed a change by itself is a run too, one for each step that can be undone: while a slider
    is moved, each takes the place of the one before.
    """

    changed = Signal()
    """There are other runs, or one has another name or note."""

    shown_changed = Signal()
    """Another run is shown, or none, or what was found is found again."""

    refined = Signal(int)
    """More is known of the findings of a run; with its number."""

    retold = Signal()
    """Runs speak of other events, and are to be measured anew."""

    def __init__(self, undo_stack: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._undo_stack = undo_stack
        self._all: dict[int, KeptRun] = {}
        self._shown: int | None = None
        self._left_by_deletion: set[int] = set()
        self._next_number = 1
        self._place = undo_stack.index()
        self._step = 0
        undo_stack.indexChanged.connect(self._on_index)

    @property
    def runs(self) -> tuple[KeptRun, ...]:
        """Every run that is not deleted, in the order in which they were made."""
        return tuple(run for run in self._all.values() if not run.is_deleted)

    @property
    def shown(self) -> KeptRun | None:
        """The run whose result is looked at; None where there is none."""
        return None if self._shown is None else self._all[self._shown]

    @property
    def saved_part(self) -> tuple[object, ...]:
        """What of all this is saved: equal where nothing would be saved otherwise."""
        return tuple(
            (run.number, run.name, run.note, run.is_pinned, run.result.stability, run.result.is_partial)
            for run in self.runs
        )

    def run(self, number: int) -> KeptRun:
        """Return a run, deleted or not."""
        return self._all[number]

    def named(self, numbers: tuple[int, int] | None) -> tuple[NamedRun, NamedRun] | None:
        """Return two runs as a report compares them; None where one of them is not there any more."""
        runs = [self._all[number] for number in numbers or () if number in self._all]
        if len(runs) < 2 or any(run.is_deleted for run in runs):
            return None
        first, second = (NamedRun(run.name, run.result, run.searched.preparation) for run in runs)
        return first, second

    @property
    def earlier_runs(self) -> int | None:
        """How many runs came before the shown one without its background knowledge, deleted ones too."""
        shown = self.shown
        if shown is None:
            return None
        knowledge = shown.result.knowledge
        before = (run for run in self._all.values() if run.number < shown.number)
        return sum(run.result.knowledge != knowledge for run in before)

    @property
    def before_grouping(self) -> KeptRun | None:
        """The last run that differs from the shown one in that its rows are not grouped, and in no more."""
        shown = self.shown
        if shown is None or shown.searched.dataset.groups is None:
            return None
        before = (run for run in reversed(self.runs) if run.number < shown.number)
        return next((run for run in before if shown.searched.adds_only_groups_to(run.searched)), None)

    def of(self, analysis: Analysis) -> KeptRun | None:
        """Return the run that was computed from the same; None where there is none."""
        for run in reversed(self.runs):
            if run.searched.is_same_as(analysis):
                return run
        return None

    def add(self, result: DiscoveryResult, searched: Analysis, follows: bool = False) -> None:
        """Keep and show what was found; what was found before from the same is the same run."""
        kept = self.of(searched)
        if kept is None:
            self._add_another(result, searched, follows)
        elif not follows or kept.result.is_partial:
            if result.stability is None and kept.result.stability is not None:
                result = result.with_stability(kept.result.stability)
            step = kept.step if follows else None
            self._all[kept.number] = replace(kept, result=result, searched=searched, step=step)
            self._shown = kept.number
        else:
            self._shown = kept.number
        self.changed.emit()
        self.shown_changed.emit()

    def show(self, number: int) -> None:
        """Look at another run."""
        if number != self._shown:
            self._shown = number
            self.changed.emit()
            self.shown_changed.emit()

    def refine(self, number: int, result: DiscoveryResult) -> None:
        """Replace the result of a run by the same with more known of it."""
        self._all[number] = replace(self._all[number], result=result)
        self.refined.emit(number)

    def arrange(self, result: DiscoveryResult) -> None:
        """Replace the result that is shown by the same under other leaders; tells nobody."""
        shown = self.shown
        if shown is not None:
            self._all[shown.number] = replace(shown, result=result)

    def count_links_through_labels(self, counted: bool) -> None:
        """Let every run count links through other labels, or none, so that runs can be compared."""
        others = {
            number: replace(run, result=run.result.with_links_through_labels(counted))
            for number, run in self._all.items()
            if run.result.counts_through_labels is not counted
        }
        self._all |= others
        if others:
            self.changed.emit()

    def tell_events(self, dataset: Dataset) -> None:
        """Let every run speak of the events in a table; tells of each that speaks of another now."""
        changed = []
        for run in list(self._all.values()):
            told = replace(
                run,
                result=told_of_events(run.result, dataset),
                searched=run.searched.told_of_events(dataset),
            )
            if told.result is not run.result or told.searched is not run.searched:
                self._all[run.number] = told
                changed.append(run.number)
        for number in changed:
            self.refined.emit(number)
        if changed:
            self.retold.emit()

    def rename(self, number: int, name: str) -> None:
        """Give a run another name, as one step that can be undone."""
        name = spaced_once(name)
        if not name:
            raise InvalidParameter(_("the run has no name."), place="run", remedy=_("Enter a name."))
        if any(run.name == name for run in self._all.values() if run.number != number):
            raise InvalidParameter(
                _("another run is called “{name}”.", name=name),
                place="run",
                remedy=_("Give each run a name of its own."),
            )
        self._change(number, _("call a run “{name}”", name=name), name=name, step=None)

    def pin(self, number: int, pinned: bool) -> None:
        """Pin a run or let it go, as one step that can be undone."""
        name = self._all[number].name
        text = _("pin “{name}”", name=name) if pinned else _("unpin “{name}”", name=name)
        self._change(number, text, is_pinned=pinned)

    def keep(self, number: int) -> None:
        """Keep a run even if it came by itself: a person is about to do something with it."""
        self._all[number] = replace(self._all[number], step=None)

    def set_note(self, number: int, note: str) -> None:
        """Write something about a run, as one step that can be undone."""
        self._change(number, _("write a note on “{name}”", name=self._all[number].name), note=note.strip())

    def delete(self, number: int) -> None:
        """Take a run away, as one step that can be undone."""
        if not self._all[number].is_deleted:
            text = _("delete the run “{name}”", name=self._all[number].name)
            self._undo_stack.push(Replacement(partial(self._set_deleted, number), False, True, text))

    def take(self, runs: Sequence[KeptRun], shown: str) -> None:
        """Take over the runs of a project, and show that of a name, or else the last one."""
        self._all = {run.number: run for run in runs}
        self._next_number = max(self._all, default=0) + 1
        numbers = {run.name: run.number for run in runs}
        self._shown = numbers.get(shown, max(self._all, default=None))
        self.changed.emit()
        self.shown_changed.emit()

    def clear(self) -> None:
        """Forget every run; tells nobody."""
        self._all, self._shown, self._left_by_deletion, self._next_number = {}, None, set(), 1

    def _add_another(self, result: DiscoveryResult, searched: Analysis, follows: bool) -> None:
        step = self._step if follows else None
        for run in list(self._all.values()):
            if run.is_passing and run.step == step:
                del self._all[run.number]
        passing = [run.number for run in self._all.values() if run.is_passing]
        for number in passing[: max(0, len(passing) - MOST_FOLLOWING + 1)]:
            del self._all[number]
        first = next(iter(self.runs), None)
        wanted = run_name(searched, None if first is None else first.searched, result.is_partial)
        name = unlike(wanted, [run.name for run in self._all.values()])
        began = datetime.now(UTC) - timedelta(seconds=result.seconds)
        started = began.isoformat(timespec="seconds")
        self._shown = self._next_number
        self._all[self._shown] = KeptRun(self._shown, name, result, searched, started, step=step)
        self._next_number += 1

    def _change(self, number: int, text: str, **after: Any) -> None:
        run = self._all[number]
        before = {name: getattr(run, name) for name in after}
        if before != after:
            self._undo_stack.push(Replacement(partial(self._apply, number), before, after, text))

    def _apply(self, number: int, values: dict[str, Any]) -> None:
        """Take over values; only the commands on the undo stack do this."""
        self._all[number] = replace(self._all[number], **values)
        self.changed.emit()

    def _set_deleted(self, number: int, is_deleted: bool) -> None:
        """Take a run away, or bring it back and show it if it was shown; for commands that undo alone."""
        before = self._shown
        self._all[number] = replace(self._all[number], is_deleted=is_deleted)
        if is_deleted and self._shown == number:
            self._left_by_deletion.add(number)
            others = [run.number for run in self.runs]
            earlier = [earlier_number for earlier_number in others if earlier_number < number]
            self._shown = max(earlier or others, default=None)
        elif number in self._left_by_deletion:
            self._left_by_deletion.remove(number)
            self._shown = number
        self.changed.emit()
        if self._shown != before:
            self.shown_changed.emit()

    @Slot(int)
    def _on_index(self, place: int) -> None:
        """Count the steps; a change that is merged into the one before is none."""
        if place != self._place:
            self._place = place
            self._step += 1
