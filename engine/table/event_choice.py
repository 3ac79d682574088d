"""Events that a person chooses, and what to say where nobody did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.errors import InvalidParameter
from engine.table.column_kinds import level_name
from engine.table.variable import EventFrom, Kind, Variable, default_event
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed
from engine.wording.numbers import counted
from engine.wording.phrases import either
from engine.wording.sentences import choose_one
from engine.wording.setting_names import the_setting

UNDECIDED_EVENT, EARLIER_EVENT = "undecided-event", "earlier-event"
"""Topics of the notes about events."""

_MOST_NAMED = 10


def with_event(variable: Variable, column: np.ndarray, level: str | None) -> Variable:
    """Return a variable, whose codes are `column`, with the event that a person gave, or without it."""
    if level is None:
        return replace(variable, event=None, event_from=None)
    problem, remedy = None, ""
    if variable.kind is not Kind.NOMINAL:
        problem, remedy = (
            _("{name!r} holds numbers, which have no event.", name=variable.name),
            _("Leave it out."),
        )
    elif not variable.levels:
        problem, remedy = (
            _("{name!r} holds no value, so it has no event.", name=variable.name),
            _("Leave it out."),
        )
    elif (name := level_name(level)) not in variable.levels:
        problem, remedy = (
            _("{name!r} has no level {level!r}.", name=variable.name, level=name),
            choose_one(variable.levels),
        )
    elif len(np.unique(column[column >= 0])) > 2:
        problem = _(
            "{name!r} has {count} levels, and an event is one of two.",
            name=variable.name,
            count=variable.level_count,
        )
        remedy = _("Recode it to two levels first, or leave it out.")
    if problem is not None:
        raise InvalidParameter(problem, place=the_setting("events"), remedy=remedy)
    return replace(variable, event=name, event_from=EventFrom.GIVEN)


def saved_event(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return the event of a variable that a file describes; of an earlier version's, the last level."""
    if "event" in described:
        return {"event": described["event"], "event_from": described["event_from"]}
    levels = tuple(map(str, described["levels"]))
    if len(levels) != 2 or default_event(levels, ordered=bool(described["ordered"])) == levels[-1]:
        return {"event": None, "event_from": None}
    return {"event": levels[-1], "event_from": EventFrom.EARLIER}


def notes_about_events(variables: Sequence[Variable]) -> tuple[Note, ...]:
    """Say of labels and features where no event is decided, and where an earlier version chose."""
    taking_part = [variable for variable in variables if variable.role.takes_part]
    undecided = [variable for variable in taking_part if variable.lacks_event]
    earlier = [variable for variable in taking_part if variable.event_from is EventFrom.EARLIER]
    return tuple(
        _note(topic, some) for topic, some in ((UNDECIDED_EVENT, undecided), (EARLIER_EVENT, earlier)) if some
    )


def _note(topic: str, variables: Sequence[Variable]) -> Note:
    first = variables[0]
    message = for_count(len(variables), *_SENTENCES[topic]).format(
        name=first.name,
        levels=either(first.levels),
        event=first.event,
        columns=counted(len(variables), "column"),
        names=listed([variable.name for variable in variables], _MOST_NAMED),
    )
    return Note(topic, message, first.name if len(variables) == 1 else "")


_SENTENCES = {
    UNDECIDED_EVENT: (
        N_(
            "The event of '{name}' ({levels}) is not known, so each direction names the level. "
            "Choose the event."
        ),
        N_(
            "The event of {columns} with two levels is not known, so each direction names the level. "
            "Choose the event of {names}."
        ),
    ),
    EARLIER_EVENT: (
        N_(
            "Directions of '{name}' refer to '{event}', the level that an earlier version of CLCD "
            "used. Check the event."
        ),
        N_(
            "Directions of {columns} refer to the last level, which an earlier version of CLCD "
            "used. Check the event of {names}."
        ),
    ),
}
