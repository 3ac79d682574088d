"""``clcd inspect``: how a table is understood, before anything is made of it."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.exporting.numbers import counted
from engine.printable import visible
from engine.terminal.column_facts import ColumnFacts, column_facts
from engine.terminal.console import Console
from engine.terminal.parser import Parser
from engine.terminal.status import DONE
from engine.terminal.table_arguments import add_table_arguments, read_given_table
from engine.terminal.text_table import text_table

if TYPE_CHECKING:
    from engine.readers import Reading

_HEADER = ("column", "role", "type", "missing", "values")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``clcd inspect``."""
    add_table_arguments(parser)
    parser.add_argument("--json", action="store_true", help="Print JSON for programs instead of a table.")


def run(arguments: Namespace, console: Console) -> int:
    """Do ``clcd inspect``."""
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
        parts.append(f"{len(dataset.ignored):,} ignored")
    yield f"{visible(dataset.name)} ({reading.format}): {', '.join(parts)}"
    if reading.guesses:
        yield ""
        yield "Guessed:"
        for guess in reading.guesses:
            doubt = "" if guess.certain else "  (not certain)"
            yield f"  {guess.name} = {visible(guess.value)}: {visible(guess.reason)}{doubt}"
    if reading.issues:
        yield ""
        yield "Noticed:"
        yield from (f"  {visible(issue.message)}" for issue in reading.issues)
    yield ""
    facts = [column_facts(dataset, name) for name in dataset.names]
    yield from text_table(_HEADER, [_row(each) for each in facts], right=["missing"])


def _row(facts: ColumnFacts) -> list[str]:
    share = facts.missing_share
    missing = (
        "" if not facts.missing else f"{facts.missing:,} ({'<1' if share < 0.01 else f'{share:.0%}'[:-1]} %)"
    )
    return [facts.name, facts.role, facts.kind, missing, facts.values_in_words()]


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
            {"name": each.name, "value": each.value, "reason": each.reason, "certain": each.certain}
            for each in reading.guesses
        ],
        "issues": [
            {"topic": each.topic, "message": each.message, "variable": each.variable}
            for each in reading.issues
        ],
        "columns": [column_facts(dataset, name).as_dict() for name in dataset.names],
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)
