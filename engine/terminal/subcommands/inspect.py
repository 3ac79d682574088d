"""``clcd inspect``: how a table is understood, before anything is made of it."""

from __future__ import annotations

import json
import shlex
from argparse import Namespace
from collections.abc import Container, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.preparation.dependence import dependent_rows
from engine.preparation.made_from_labels import notes_on_columns_made_from_labels
from engine.preparation.preparation_settings import PreparationSettings
from engine.preparation.useless import notes_on_useless, useless_features
from engine.readers.remedies import OPTION_OF, remedies
from engine.table.column_kinds import NumberShape, shape_of
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role
from engine.terminal.arguments import add_table_arguments, offer_lines, read_given_table
from engine.terminal.command_line import DONE, Parser
from engine.terminal.console import Console, text_table
from engine.translation import N_, _
from engine.wording.notes import Note, told
from engine.wording.numbers import counted
from engine.wording.phrases import visible
from engine.wording.setting_names import option_of

if TYPE_CHECKING:
    from engine.readers import Reading


_MOST_LEVELS_SHOWN = 4


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What is known of a column."""

    name: str
    role: str
    kind: str
    missing: int  # rows without a value
    missing_share: float  # of all rows, 0 to 1
    distinct: int  # different values that occur
    levels: dict[str, int]  # rows with each level of a nominal column, in level order; empty when continuous
    minimum: float | None = None  # as the next ones, of a continuous column with values; else None
    median: float | None = None
    maximum: float | None = None
    mean: float | None = None
    skewness: float | None = None  # positive with a long tail to the right, 0 for an even spread
    zero_share: float | None = None  # of the values, 0 to 1
    # the one of two levels of which directions and estimates speak; None where it is not known
    event: str | None = None

    def values_in_words(self) -> str:
        """Say what values occur, in the space of a table cell."""
        if self.kind == Kind.CONTINUOUS:
            if self.minimum is None:
                return _("no values")
            shape = NumberShape(self.skewness or 0.0, self.zero_share or 0.0)
            figures = _(
                "{minimum:g} to {maximum:g}, median {median:g}",
                minimum=self.minimum,
                maximum=self.maximum,
                median=self.median,
            )
            return ", ".join([figures, *shape.words])
        if len(self.levels) > _MOST_LEVELS_SHOWN:
            first = ", ".join(list(self.levels)[: _MOST_LEVELS_SHOWN - 1])
            return _("{count:,} categories: {levels}, …", count=len(self.levels), levels=first)
        counts = ", ".join(f"{level} ({count:,})" for level, count in self.levels.items())
        if self.event is not None:
            return _("{levels}; event: {event}", levels=counts, event=self.event)
        return counts or _("no values")

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return asdict(self)


def column_facts(dataset: Dataset, name: str) -> ColumnFacts:
    """Count and measure a column."""
    variable, column = dataset.variable(name), dataset.column(name)
    missing = dataset.missing_count(name)
    share = missing / dataset.row_count if dataset.row_count else 0.0
    start = (name, str(variable.role), str(variable.kind), missing, share)
    if variable.kind is Kind.NOMINAL:
        counts = np.bincount(column[column >= 0], minlength=variable.level_count).tolist()
        levels = dict(zip(variable.levels, counts, strict=True))
        distinct = sum(count > 0 for count in counts)
        return ColumnFacts(*start, distinct=distinct, levels=levels, event=variable.event)
    present = column[~np.isnan(column)]
    if not present.size:
        return ColumnFacts(*start, distinct=0, levels={})
    shape = shape_of(present)
    return ColumnFacts(
        *start,
        distinct=int(np.unique(present).size),
        levels={},
        minimum=float(present.min()),
        median=float(np.median(present)),
        maximum=float(present.max()),
        mean=float(present.mean()),
        skewness=shape.skewness,
        zero_share=shape.zeros,
    )


_HEADER = (N_("column"), N_("role"), N_("type"), N_("missing"), N_("values"))
# Of roles and kinds as the table shows them; in JSON they stay what they are called in a program.
_WORDS: dict[str, str] = {
    Role.LABEL: N_("label"),
    Role.FEATURE: N_("feature"),
    Role.IGNORED: N_("ignored"),
    Role.WEIGHT: N_("weight"),
    Role.GROUPS: N_("groups"),
    Kind.NOMINAL: N_("nominal"),
    Kind.CONTINUOUS: N_("continuous"),
}


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``clcd inspect``."""
    add_table_arguments(parser)
    parser.add_argument("--json", action="store_true", help=_("Print JSON for programs instead of a table."))


def run(arguments: Namespace, console: Console) -> int:
    """Run ``clcd inspect``."""
    reading = read_given_table(arguments)
    lines = [_json_text(reading)] if arguments.json else _lines(reading)
    for line in lines:
        console.say(line)
    return DONE


def _lines(reading: Reading) -> Iterator[str]:
    dataset = reading.dataset
    parts = [
        counted(dataset.row_count, "row"),
        counted(len(dataset.features), "feature"),
        counted(len(dataset.labels), "label"),
    ]
    if dataset.ignored:
        parts.append(_("{count:,} ignored", count=len(dataset.ignored)))
    yield f"{visible(dataset.name)} ({reading.format}): {', '.join(parts)}"
    if reading.guesses:
        yield ""
        yield _("Guessed:")
        for guess in reading.guesses:
            line = f"  {guess.name} = {visible(guess.value)}: {visible(guess.reason)}"
            yield line if guess.certain else _("{guess}  (not certain)", guess=line)
    useless = useless_features(dataset, PreparationSettings())
    noticed = (*_issues(reading, useless), *dependent_rows(dataset).notes)
    if noticed:
        yield ""
        yield _("Noticed:")
        yield from (f"  {visible(line)}" for line in told(noticed))
        yield from (f"  {visible(line)}" for line in offer_lines(dataset))
    yield from _remedy_lines(reading)
    yield ""
    facts = [column_facts(dataset, name) for name in dataset.names]
    set_aside = {name for sentences in useless.values() for name in sentences}
    header = [_(title) for title in _HEADER]
    yield from text_table(header, [_row(fact, set_aside) for fact in facts], right=[_("missing")])


def _remedy_lines(reading: Reading) -> Iterator[str]:
    """Say with which options what is remarked on is read otherwise, one line a choice."""
    values: dict[tuple[str, str], list[str]] = {}
    for name, value in remedies(reading.issues, reading.guesses):
        # Several values of one column after another are one choice; of shapes there can be only one.
        is_added = name in OPTION_OF.values()
        values.setdefault((name, "" if is_added else value), []).append(value)
    if values:
        yield ""
        yield _("Options to read it differently:")
    for (name, _one_value), given in values.items():
        option = option_of(name)
        # Whole, so that it can be copied.
        yield visible("  " + " ".join(f"{option} {shlex.quote(value)}" for value in given))


def _issues(reading: Reading, useless: dict[str, dict[str, str]]) -> tuple[Note, ...]:
    """Return what a person should know of the table, of its identifiers and of what belongs to labels."""
    dataset = reading.dataset
    notes_on_made = notes_on_columns_made_from_labels(dataset)
    return (*reading.issues, *dataset.event_notes, *notes_on_useless(useless), *notes_on_made)


def _row(facts: ColumnFacts, set_aside: Container[str]) -> list[str]:
    share = facts.missing_share
    missing = (
        "" if not facts.missing else f"{facts.missing:,} ({'<1' if share < 0.01 else f'{share:.0%}'[:-1]} %)"
    )
    role = _(_WORDS[facts.role])
    if facts.name in set_aside:
        role = _("{role}, set aside", role=role)
    return [facts.name, role, _(_WORDS[facts.kind]), missing, facts.values_in_words()]


def _json_text(reading: Reading) -> str:
    dataset = reading.dataset
    content = {
        "format": reading.format,
        "name": dataset.name,
        "content_hash": dataset.content_hash,
        "rows": dataset.row_count,
        "labels": list(dataset.labels),
        "features": list(dataset.features),
        "ignored": list(dataset.ignored),
        "guesses": [
            {"name": guess.name, "value": guess.value, "reason": guess.reason, "certain": guess.certain}
            for guess in reading.guesses
        ],
        "issues": [
            {"topic": issue.topic, "message": issue.message, "variable": issue.variable}
            for issue in _issues(reading, useless_features(dataset, PreparationSettings()))
        ],
        "remedies": [[option_of(name), value] for name, value in remedies(reading.issues, reading.guesses)],
        "dependent_rows": [
            {
                "kind": str(dependent_row.kind),
                "columns": list(dependent_row.columns),
                "figure": dependent_row.figure,
                "inflation": dependent_row.inflation,
                "message": dependent_row.sentence,
                "options": [offer.option for offer in dependent_row.offers],
            }
            for dependent_row in dependent_rows(dataset)
        ],
        "columns": [column_facts(dataset, name).as_dict() for name in dataset.names],
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)
