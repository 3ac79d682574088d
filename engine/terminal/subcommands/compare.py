"""``clcd compare``: two runs side by side, from their files."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.atomic import atomic_path, check_folder
from engine.discovery.run_comparison import Change, FeatureChange, RunComparison, compare_runs
from engine.errors import InvalidParameter
from engine.project.project import EXTENSION
from engine.reporting.tables import NamedRun, ResultContext
from engine.terminal.arguments import add_output, add_quiet
from engine.terminal.command_line import DONE, Parser
from engine.terminal.console import Console, text_table, written_lines
from engine.translation import N_, _
from engine.wording.phrases import visible

if TYPE_CHECKING:
    from engine.project.project import Run

_RESULT, _PAGE = "result.json", "comparison.html"
_BEFORE_NAME = "#"
_MOST_ROWS = 20
_CHANGES = {
    Change.CAME: N_("appeared"),
    Change.WENT: N_("disappeared"),
    Change.TYPE: N_("type"),
    Change.LABELS: N_("labels"),
    Change.KIND: N_("kind"),
    Change.SIGN: N_("sign"),
    Change.GRADE: N_("grade"),
    Change.NOT_COMPARED: N_("not compared"),
    Change.SAME: N_("same"),
}


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``clcd compare``."""
    parser.add_argument(
        "first",
        metavar="FIRST",
        help=_(
            "A {file}, the folder that holds it, or a run of a project as in 'study{extension}#α "
            "0.05' (the last one where no name is given).",
            file=_RESULT,
            extension=EXTENSION,
        ),
    )
    parser.add_argument("second", metavar="SECOND", help=_("The other run, likewise."))
    add_quiet(add_output(parser))


def run(arguments: Namespace, console: Console) -> int:
    """Run ``clcd compare``."""
    from engine.reporting.run_comparison import comparison_lines, write_comparison

    check_folder(arguments.out)
    if arguments.first == arguments.second:
        raise InvalidParameter(
            _("this is the same run twice."),
            place=f"'{arguments.first}'",
            remedy=_("Name another run to compare with."),
        )
    left, right = _side(arguments.first), _side(arguments.second)
    names = (left.name, right.name)
    if names[0] == names[1]:
        names = (arguments.first, arguments.second)
    comparison = compare_runs(left.result, right.result, names, (left.preparation, right.preparation))
    first, second = replace(left, name=names[0]), replace(right, name=names[1])
    paths = write_comparison(comparison, arguments.out)
    paths = (*paths, _write_page(first, second, Path(arguments.out)))
    if not arguments.quiet:
        for line in (*comparison_lines(comparison), *_rows(comparison), "", *written_lines(paths)):
            console.say(visible(line))
    return DONE


def _write_page(first: NamedRun, second: NamedRun, folder: Path) -> Path:
    """Write what a report says of two runs as a page of its own."""
    from engine.reporting.report import make_report
    from engine.reporting.report.report_files import write_html

    analysis = ResultContext(
        second.result, second.preparation, report_parts=("comparison",), compared=(first, second)
    )
    with atomic_path(folder / _PAGE) as draft:
        write_html(make_report(analysis), draft)
    return folder / _PAGE


def _side(words: str) -> NamedRun:
    """Read what a word of the command line names."""
    from engine.reporting.result_file import read_analysis

    # The names of folders may hold the mark too, so that only one behind the ending counts.
    ending = words.lower().find(f"{EXTENSION}{_BEFORE_NAME}")
    if ending >= 0 or words.lower().endswith(EXTENSION):
        end = len(words) if ending < 0 else ending + len(EXTENSION)
        name = None if ending < 0 else words[end + len(_BEFORE_NAME) :]
        run_of_name = _run_of_project(Path(words[:end]), name)
        return NamedRun(run_of_name.name, run_of_name.result, run_of_name.preparation)
    path = Path(words)
    if path.is_dir():
        path = path / _RESULT
    called = path.parent.name if path.name == _RESULT and path.parent.name else path.stem
    read = read_analysis(path)
    return NamedRun(called, read.result, read.preparation)


def _run_of_project(path: Path, name: str | None) -> Run:
    from engine.project.project_files import open_project

    project = open_project(path)
    if name is not None:
        return project.run(name)
    if not project.runs:
        raise InvalidParameter(
            _("the project holds no run."), place=f"'{path}'", remedy=_("Run it first, or name another file.")
        )
    return project.runs[-1]


def _rows(comparison: RunComparison) -> Iterator[str]:
    """Yield a table of what differs; what is the same is counted in the sentences."""
    changed = [
        feature_change
        for feature_change in comparison.feature_changes
        if feature_change.changes != (Change.SAME,)
    ]
    if not changed:
        return
    yield ""
    yield from text_table(
        [_("variable"), _("what differs"), *comparison.names], list(map(_row, changed[:_MOST_ROWS]))
    )
    if len(changed) > _MOST_ROWS:
        yield _("… and {count:,} more in variables.csv.", count=len(changed) - _MOST_ROWS)


def _row(change: FeatureChange) -> list[str]:
    return [
        change.feature,
        ", ".join(_(_CHANGES[difference]) for difference in change.changes),
        ", ".join(change.labels_first) or "–",
        ", ".join(change.labels_second) or "–",
    ]
