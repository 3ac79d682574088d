"""Options that say which table is read, and which of its columns are labels."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from engine.errors import InvalidParameter
from engine.readers import Reading, find_label_file, read_table
from engine.readers.registry import ReadingOptions
from engine.table.dataset import Dataset
from engine.table.variable import Role
from engine.terminal.arguments import Parser, add_settings, given_settings


def add_table_arguments(parser: Parser) -> None:
    """Add the table, its labels, and how it is read."""
    parser.add_argument("data", metavar="DATA", type=Path, help="The table, e.g. a CSV or ARFF file.")
    roles = parser.add_argument_group("labels")
    roles.add_argument("--labels", metavar="A,B", help="Names of the label columns, separated by commas.")
    roles.add_argument(
        "--label",
        metavar="NAME",
        action="append",
        default=[],
        help="Name of one label column, which may hold commas. May be repeated.",
    )
    roles.add_argument(
        "--labels-file",
        metavar="FILE",
        type=Path,
        help="A Mulan XML file that names the labels, or a second table that holds them.",
    )
    roles.add_argument(
        "--ignore",
        metavar="NAME",
        action="append",
        default=[],
        help="Name of a column that takes no part. May be repeated.",
    )
    roles.add_argument(
        "--weight-column",
        metavar="NAME",
        help="Name of the column that says how much each row stands for.",
    )
    roles.add_argument(
        "--groups",
        metavar="NAME",
        help="Name of the column that says which rows belong together, such as several rows of one person.",
    )
    add_settings(parser, ReadingOptions, "reading the table")


def read_given_table(arguments: Namespace) -> Reading:
    """Read the table that the arguments name, with labels, ignored columns, row weights and groups marked.

    Raises
    ------
    EngineError
        When the table cannot be read, a column does not exist, or the weights or groups are none.
    """
    named = label_names(arguments)
    if named and arguments.labels_file is not None:
        raise InvalidParameter(
            "labels are named twice.", place="--labels-file", remedy="Give the file or the names, not both."
        )
    labels = arguments.labels_file if arguments.labels_file is not None else named or None
    reading = read_table(arguments.data, labels, given_settings(arguments, ReadingOptions))
    _require_one_purpose(arguments, reading.dataset)
    dataset = reading.dataset.with_row_roles(arguments.weight_column, arguments.groups)
    if arguments.ignore:
        dataset = dataset.with_roles(dict.fromkeys(arguments.ignore, Role.IGNORED))
    return reading if dataset is reading.dataset else replace(reading, dataset=dataset)


def _require_one_purpose(arguments: Namespace, dataset: Dataset) -> None:
    taken = dict.fromkeys((*arguments.ignore, *dataset.labels), "a label or ignored")
    for option, name in (("--weight-column", arguments.weight_column), ("--groups", arguments.groups)):
        if name is None:
            continue
        if name in taken:
            raise InvalidParameter(
                f"{name!r} is {taken[name]}.", place=option, remedy="Give the column one purpose."
            )
        taken[name] = "the weight column"


def require_labels(arguments: Namespace, reading: Reading) -> None:
    """Raise unless the table has labels, and say how to name them.

    Raises
    ------
    InvalidParameter
        When no column is a label.
    """
    if reading.dataset.labels:
        return
    beside = find_label_file(arguments.data)
    remedy = (
        f"Perhaps --labels-file '{beside}'?"
        if beside is not None
        else f"Name them with --labels a,b; 'clcd inspect {arguments.data}' lists the columns."
    )
    raise InvalidParameter("no column is a label.", place=f"'{arguments.data}'", remedy=remedy)


def label_names(arguments: Namespace) -> list[str]:
    """Give the labels that ``--labels`` and ``--label`` name, none when neither is there.

    Raises
    ------
    InvalidParameter
        When ``--labels`` names nothing.
    """
    names = list(arguments.label)
    if arguments.labels is not None:
        names = [name for name in arguments.labels.split(",") if name.strip()] + names
        if not names:
            raise InvalidParameter("no label is named.", place="--labels", remedy="Name at least one column.")
    return names
