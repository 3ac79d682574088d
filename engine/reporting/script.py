"""The same analysis as a program in Python and as a command, whose tables are the same to the byte."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from pprint import pformat
from typing import TYPE_CHECKING, Any

from engine.errors import InvalidParameter
from engine.knowledge.knowledge_files import knowledge_object
from engine.parameters import parameters_of
from engine.reporting.tables import ResultContext, TableOrigin
from engine.table.identifiers import repeating_identifier
from engine.wording.setting_names import option_of

if TYPE_CHECKING:
    from engine.preparation.preparation_settings import PreparationSettings

_WIDTH = 100
_FOLDER = "again"


def write_script(analysis: ResultContext, path: Path) -> None:
    """Write a program in Python that makes the analysis again."""
    path.write_text(script_text(analysis), encoding="utf-8", newline="\n")


def write_command(analysis: ResultContext, path: Path) -> None:
    """Write a script for a shell that makes the analysis again with the command of this program."""
    path.write_text(command_text(analysis), encoding="utf-8", newline="\n")


def script_text(analysis: ResultContext) -> str:
    """Return a program in Python that makes the analysis again.

    Every setting stands in it, so that a later version with other defaults computes the same.
    """
    from engine.version import __version__

    origin, preparation = _known(analysis)
    lines = [
        f'"""Makes an analysis again as CLCD {__version__} made it; the tables are the same to the byte."""',
        "",
        "import engine",
        *([_MEASURING] if analysis.result.effects is not None else []),
        "",
        *_reading_lines(analysis, origin),
        "",
        *_call("preparation", "engine.PreparationSettings", preparation.as_dict()),
        "prepared = engine.prepare(table, preparation)",
        "",
        *_search_lines(analysis),
        "",
        *_call(
            "engine.export",
            "",
            {"also": ("tables",), "report_parts": analysis.report_parts},
            first=(
                "result",
                repr(_FOLDER),
                "preparation=preparation",
                "source=table",
                f"options=engine.{analysis.options!r}",
            ),
        ),
    ]
    return "\n".join(lines) + "\n"


def _known(analysis: ResultContext) -> tuple[TableOrigin, PreparationSettings]:
    if analysis.origin is None:
        raise InvalidParameter(
            "it is not known where the table came from.",
            place="script",
            remedy="Open the table from its file, and run again.",
        )
    if analysis.preparation is None:
        raise InvalidParameter(
            "it is not known how the table was prepared.", place="script", remedy="Run the analysis again."
        )
    return analysis.origin, analysis.preparation


_MEASURING = "from engine.preparation.prepare import prepared_for_measuring"


def _reading_lines(analysis: ResultContext, origin: TableOrigin) -> Iterator[str]:
    table = analysis.table
    row_roles = {"weights": table.weight} if table.weight is not None else {}
    row_roles |= {"groups": table.groups} if table.groups is not None else {}
    steps = {"recipe": [dict(step) for step in origin.recipe]} if origin.recipe else {}
    labels = list(table.labels)
    given: dict[str, Any] = {"labels": labels, **row_roles}
    if origin.labels_path is not None:
        given = {"labels": origin.labels_path}
    given |= steps | _options(origin)
    yield from _call("table", "engine.read_dataset", given, first=(repr(origin.path),))
    if origin.labels_path is not None:
        # Of the columns of the second table some may be labels no more.
        yield from _call("table", "table.with_labels", {"labels": labels})
        if row_roles:
            yield from _call("table", "table.with_row_roles", row_roles)
    if table.ignored:
        ignored = pformat(list(table.ignored), width=_WIDTH)
        yield f"table = table.with_roles(dict.fromkeys({ignored}, engine.Role.IGNORED))"
    if table.chosen_events:
        chosen = pformat(table.chosen_events, width=_WIDTH, sort_dicts=False)
        yield f"table = table.with_events({chosen})"


def _options(origin: TableOrigin) -> dict[str, Any]:
    """Return the options of reading that a person gave."""
    if origin.options is None:
        return {}
    return {name: value for name, value in origin.options.as_dict().items() if value is not None}


def _search_settings(analysis: ResultContext) -> dict[str, Any]:
    """Return what decides the result of a search; who does the work is left to the machine."""
    settings = analysis.result.settings
    return {
        parameter.name: getattr(settings, parameter.name)
        for parameter in parameters_of(type(settings))
        if parameter.changes_result
    }


_SEARCHED = "result = engine.discover({arguments})"


def _search_lines(analysis: ResultContext) -> Iterator[str]:
    result = analysis.result
    given = ["prepared", "settings"]
    yield from _call("settings", "engine.DiscoverySettings", _search_settings(analysis))
    if result.knowledge is not None:
        yield from _call("knowledge", "engine.Knowledge", asdict(result.knowledge))
        given.append("knowledge=knowledge")
    if result.split is not None:
        yield f"split = engine.RowSplit(**{result.split.as_dict()!r})"
        given.append("split=split")
    yield _SEARCHED.format(arguments=", ".join(given))
    if result.stability is not None:
        repeated = result.stability.settings.as_dict()
        knowledge_argument = ", knowledge=result.knowledge"
        yield f"again = engine.stability(result.dataset, result.settings, **{repeated!r}{knowledge_argument})"
        yield "result = result.with_stability(again)"
    if result.effects is not None:
        yield "measured = prepared_for_measuring(table, prepared, preparation)"
        yield "result = result.with_effects(engine.effects(measured, result))"
    if result.preferred:
        yield f"result = result.with_preferred({list(result.preferred)!r})"
    if not result.counts_through_labels:
        yield "result = result.with_links_through_labels(False)"


def _call(target: str, function: str, given: Mapping[str, Any], first: Sequence[str] = ()) -> Iterator[str]:
    """Write a call with an argument a line; without a function, `target` itself is called."""
    yield f"{target} = {function}(" if function else f"{target}("
    for argument in first:
        yield f"    {argument},"
    for name, value in given.items():
        text = pformat(value, width=_WIDTH, sort_dicts=False).replace("\n", "\n    ")
        yield f"    {name}={text},"
    yield ")"


def command_text(analysis: ResultContext) -> str:
    """Return a script for a shell that makes the analysis again with the command of this program."""
    from engine.version import __version__

    origin, preparation = _known(analysis)
    arguments = [*_table_arguments(analysis, origin)]
    arguments += _setting_arguments(preparation.as_dict())
    arguments += _setting_arguments(_search_settings(analysis))
    arguments += _result_arguments(analysis)
    files = dict(_files(analysis, origin))
    lines = ["#!/bin/sh", f"# Makes an analysis again as CLCD {__version__} made it."]
    for name, content in files.items():
        lines += [f"cat > {name} <<'END OF {name}'", content, f"END OF {name}"]
    arguments += _setting_arguments(asdict(analysis.options))
    arguments += [f"--out={_FOLDER}", "--also=tables"]
    command = " \\\n    ".join(map(shlex.quote, arguments))
    lines.append(f"clcd discover {shlex.quote(origin.path)} \\\n    {command}")
    return "\n".join(lines) + "\n"


_RECIPE_FILE, _KNOWLEDGE_FILE = "recipe.json", "knowledge.json"


def _files(analysis: ResultContext, origin: TableOrigin) -> Iterator[tuple[str, str]]:
    """Name what the command reads from files, with its content."""
    if origin.recipe:
        yield _RECIPE_FILE, json.dumps([dict(step) for step in origin.recipe], ensure_ascii=False, indent=1)
    if analysis.result.knowledge is not None:
        knowledge = knowledge_object(analysis.result.knowledge)
        yield _KNOWLEDGE_FILE, json.dumps(knowledge, ensure_ascii=False, indent=1)


def _table_arguments(analysis: ResultContext, origin: TableOrigin) -> Iterator[str]:
    table = analysis.table
    if origin.labels_path is not None:
        yield f"--labels-file={origin.labels_path}"
    yield from (f"--label={name}" for name in table.labels)
    yield from (f"--ignore={name}" for name in table.ignored)
    yield from (f"--event={name}={level}" for name, level in table.chosen_events.items())
    if table.weight is not None:
        yield f"--weight-column={table.weight}"
    if table.groups is not None:
        yield f"--groups={table.groups}"
    elif repeating_identifier(table) is not None:
        yield "--no-groups"
    options = _options(origin)
    yield from _setting_arguments(options)
    if options.get("missing_codes") == ():
        yield f"{option_of('missing_codes')}="
    if origin.recipe:
        yield f"--recipe={_RECIPE_FILE}"


def _result_arguments(analysis: ResultContext) -> Iterator[str]:
    result = analysis.result
    if result.knowledge is not None:
        yield f"--knowledge={_KNOWLEDGE_FILE}"
    if result.split is not None:
        yield "--split"
        yield from _setting_arguments(result.split.as_dict(), "split-")
    if result.stability is not None:
        repeated = result.stability.settings.as_dict()
        yield f"--stability={repeated.pop('resamples')}"
        yield from _setting_arguments(repeated, "stability-")
    yield from (f"--prefer={name}" for name in result.preferred)
    if not result.counts_through_labels:
        yield "--no-links-through-labels"
    if analysis.report_parts:
        parts = ",".join(analysis.report_parts)
        yield f"--report-parts={parts}"


def _setting_arguments(values: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Write settings as options of the command; what is None is left to the program."""
    for name, value in values.items():
        option = f"{prefix}{option_of(name).removeprefix('--')}"
        if isinstance(value, bool):
            yield f"--{option}" if value else f"--no-{option}"
        elif isinstance(value, (tuple, list)):
            yield from (f"--{option}={entry}" for entry in value)
        elif value is not None:
            yield f"--{option}={value}"
