"""What the list of columns says about each of them, in a few words."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLocale

from clcd_gui.document.column_summary import ColumnSummary
from clcd_gui.wording.text import count_text, counted, share_text
from engine.table.identifiers import is_identifier_name
from engine.table.variable import EventFrom, Kind, Role, Variable
from engine.translation import N_, _
from engine.wording.numbers import with_minus


@dataclass(frozen=True, slots=True)
class LabelOffer:
    """Names of labels, and where they come from."""

    names: tuple[str, ...]
    source: str

    @property
    def title(self) -> str:
        """Say the offer in a few words.

        >>> LabelOffer(("sad", "calm"), "emotions.xml").title
        '2 labels from emotions.xml'
        """
        return _("{labels} from {source}", labels=counted(len(self.names), "label"), source=self.source)


def named_few(names: Sequence[str], most: int = 6) -> str:
    """List some names and say how many more there are.

    >>> named_few(("a", "b", "c"), most=2)
    'a, b and 1 more'
    """
    shown = ", ".join(names[:most])
    return (
        _("{shown} and {count} more", shown=shown, count=count_text(len(names) - most))
        if len(names) > most
        else shown
    )


_FEWEST_GROUPED = 10_000

_ROLES = {
    Role.LABEL: N_("Label"),
    Role.FEATURE: N_("Feature"),
    Role.IGNORED: N_("Ignored"),
    Role.WEIGHT: N_("Weight"),
    Role.GROUPS: N_("Groups"),
}
LEFT_OUT = N_("Left out")
"""Role of a feature that a search leaves out."""

_KINDS = {Kind.NOMINAL: N_("Categories"), Kind.CONTINUOUS: N_("Numbers")}
_MOST_LEVELS_IN_TOOLTIP = 20
_EVENT_FROM = {
    EventFrom.GIVEN: N_("“{event}” was chosen."),
    EventFrom.GUESSED: N_("“{event}” is the event by the names of the levels."),
    EventFrom.EARLIER: N_("“{event}” is the level that an earlier version of CLCD used. Check it."),
}


def feature_figures(features: Sequence[str], left_out: Collection[str]) -> tuple[str, ...]:
    """Count the features that a search uses, and those that it leaves out.

    >>> feature_figures(["dose", "age", "rownames"], {"rownames"})
    ('2 features', '1 left out')
    """
    count = sum(name in left_out for name in features)
    used = counted(len(features) - count, "feature")
    return (used, _("{count} left out", count=count_text(count))) if count else (used,)


def role_text(role: Role) -> str:
    """Name a role."""
    return _(_ROLES[role])


def kind_text(kind: Kind) -> str:
    """Name a kind."""
    return _(_KINDS[kind])


def event_tooltip(variable: Variable) -> str:
    """Say how the event was decided; nothing of a column that has none."""
    if variable.lacks_event:
        return _("The event is not known. Choose it on the page of the column.")
    if variable.event_from is None:
        return ""
    return _(_EVENT_FROM[variable.event_from], event=variable.event)


def event_heading(variable: Variable) -> str:
    """Name the event of a column below its name; or that none is chosen."""
    if variable.lacks_event:
        return _("event not chosen")
    return "" if variable.event is None else _("event {event}", event=variable.event)


def missing_text(summary: ColumnSummary) -> str:
    """Say the share of missing values; nothing when none is missing, so that the others stand out."""
    return share_text(summary.missing_share) if summary.missing else "–"


def values_text(variable: Variable, summary: ColumnSummary) -> str:
    """Say which values a column takes."""
    if variable.kind is Kind.NOMINAL:
        if not variable.levels:
            return _("none")
        if len(variable.levels) == 2:
            return _with_event(variable)
        levels = ", ".join(variable.levels[:12])
        return f"{count_text(variable.level_count)}: {levels}"
    if math.isnan(summary.smallest):
        return _("none")
    low, high = value_text(variable, summary.smallest), value_text(variable, summary.largest)
    return _("{low} to {high}", low=low, high=high)


def _with_event(variable: Variable) -> str:
    """Write two levels, the event first and marked; or that none is chosen."""
    if variable.event is None:
        first, second = variable.levels
        return _("event not chosen: {first}, {second}", first=first, second=second)
    (other_level,) = (level for level in variable.levels if level != variable.event)
    return _("event {event}, {other_level}", event=variable.event, other_level=other_level)


def values_tooltip(variable: Variable, summary: ColumnSummary) -> str:
    """Say the values at more length."""
    if variable.kind is Kind.CONTINUOUS:
        figures = [
            values_text(variable, summary),
            _("{distinct} different values", distinct=count_text(summary.distinct)),
        ]
        return "; ".join([*figures, *summary.shape.words])
    levels = named_few(variable.levels, _MOST_LEVELS_IN_TOOLTIP)
    event = event_tooltip(variable)
    return f"{levels}\n{event}" if event else levels


def value_text(variable: Variable, value: float) -> str:
    """Write a number of a column; one that names a row or a person has no marks between its digits.

    >>> value_text(Variable("patient_id", Kind.CONTINUOUS), 48024.0)
    '48024'
    """
    is_name = variable.role is Role.GROUPS or is_identifier_name(variable.name)
    return f"{value:.0f}" if is_name and value.is_integer() else number_text(value)


def number_text(value: float) -> str:
    """Write a value of the table with at most six digits that mean something.

    >>> number_text(0.1), number_text(-12.0), number_text(0.123456789), number_text(1958.0)
    ('0.1', '−12', '0.123457', '1958')
    """
    return with_minus(_digits(value))


def _digits(value: float) -> str:
    if value.is_integer() and abs(value) < 1e15:
        locale = QLocale()
        if abs(value) < _FEWEST_GROUPED:
            # Most whole numbers of four figures are years.
            locale.setNumberOptions(locale.numberOptions() | QLocale.NumberOption.OmitGroupSeparator)
        return locale.toString(int(value))
    if 1e5 <= abs(value) < 1e15:
        return QLocale().toString(round(value))
    return QLocale().toString(float(f"{value:.6g}") + 0.0, "g", 6)
