"""Options made from settings classes, which table is read, and errors of one line."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from engine.boundaries.discovery_settings import DiscoverySettings, check_time_order
from engine.discovery.leaders import check_preferred
from engine.discovery.row_split import SPLIT, RowSplit
from engine.discovery.stability.result import StabilitySettings
from engine.errors import InvalidParameter
from engine.knowledge.knowledge import Knowledge
from engine.knowledge.knowledge_files import read_knowledge
from engine.parameters import Parameter, parameter_of, parameters_of
from engine.preparation.dependence import chosen_blocks, dependent_rows
from engine.readers import Reading, find_label_file, read_table
from engine.readers.labels import choose_labels, is_list_of_labels
from engine.readers.options import ReadingOptions
from engine.readers.source import Source
from engine.recipe import Recipe, read_recipe
from engine.recipe.table_steps import RowBlocks
from engine.table.dataset import Dataset, unknown_variable
from engine.table.numbered_within import grouped_by_identifier
from engine.table.row_weights import SURVEY_WEIGHTS
from engine.table.variable import Role
from engine.terminal.command_line import Parser, given_path, naming_options
from engine.translation import N_, _
from engine.wording.sentences import A_NUMBER, NAME_A_COLUMN, NO_LABEL_NAMED, ONE_PURPOSE
from engine.wording.setting_names import option_of

Settings = TypeVar("Settings")


def add_settings(parser: Parser, settings_class: type, title: str, without: Container[str] = ()) -> None:
    """Add an option for every setting of a class."""
    group = parser.add_argument_group(title)
    for parameter in parameters_of(settings_class):
        if parameter.name not in without:
            _add_option(group, parameter)


def given_settings(arguments: Namespace, settings_class: type[Settings], **fallbacks: Any) -> Settings:
    """Make settings of the options that were given; all others keep their defaults."""
    names = [parameter.name for parameter in parameters_of(settings_class)]
    given = {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}
    if given.get("also_missing") == [""]:
        # Nothing that is added says that nothing means missing.
        del given["also_missing"]
        given["missing_codes"] = []
    return settings_class(**(fallbacks | given))


def _add_option(group: Any, parameter: Parameter) -> None:
    option = option_of(parameter.name)
    shared: dict[str, Any] = {"dest": parameter.name, "default": argparse.SUPPRESS, "help": _help(parameter)}
    if parameter.kind == "flag":
        group.add_argument(option, action=argparse.BooleanOptionalAction, **shared)
    elif parameter.kind == "texts":
        group.add_argument(option, metavar="TEXT", action="append", **shared)
    else:
        converter = _CONVERTERS.get(parameter.kind, str)
        group.add_argument(option, metavar=_METAVARS[parameter.kind], type=converter, **shared)


def _help(parameter: Parameter) -> str:
    sentences = [_(parameter.help)]
    if parameter.choices:
        values = ", ".join(choice.value for choice in parameter.choices)
        sentences.append(_("One of: {values}.", values=values))
    elif parameter.kind in ("integer", "number"):
        sentences.append(_(A_NUMBER, range_in_words=parameter.range_in_words()))
    elif parameter.kind == "texts":
        sentences.append(_("May be repeated."))
    if parameter.kind == "address":
        sentences.append(_("For example: tcp://192.168.1.5:8786."))
    elif parameter.default is None:
        sentences.append(_("By default, CLCD decides."))
    elif parameter.kind == "flag":
        sentences.append(_("Default: yes.") if parameter.default else _("Default: no."))
    else:
        usual = f"{parameter.default:g}" if isinstance(parameter.default, float) else parameter.default
        sentences.append(_("Default: {value}.", value=usual))
    return " ".join(sentences).replace("%", "%%")


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(_("{text!r} is not a whole number", text=text)) from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(_("{text!r} is not a number, such as 0.05", text=text)) from None


_METAVARS = {"choice": "NAME", "integer": "N", "number": "X", "text": "TEXT", "address": "ADDRESS"}
_CONVERTERS: dict[str, Callable[[str], Any]] = {"integer": _integer, "number": _number}


def add_repeated(group: argparse._ActionsContainer, option: str, metavar: str, help_text: str) -> None:
    """Add an option that may be given several times; its values are a list."""
    group.add_argument(option, metavar=metavar, action="append", default=[], help=help_text)


def add_file(group: argparse._ActionsContainer, option: str, help_text: str) -> None:
    """Add an option that names a file."""
    group.add_argument(option, metavar="FILE", type=given_path, help=help_text)


def add_folder(group: argparse._ActionsContainer, help_text: str) -> None:
    """Add the folder for the files of a subcommand."""
    group.add_argument("--out", metavar="DIR", type=given_path, required=True, help=help_text)


def add_knowledge(parser: Parser, use: str) -> None:
    """Add the option for background knowledge; `use` says what it does without a time order."""
    add_file(
        parser.add_argument_group(_("background knowledge")),
        "--knowledge",
        _(
            "A file of background knowledge: tiers in time, forbidden or required edges, and so on, "
            "as JSON or the text of Tetrad. {use} With --time-order its tiers steer the search, too.",
            use=use,
        ),
    )


def given_knowledge(arguments: Namespace, settings: DiscoverySettings, dataset: Dataset) -> Knowledge | None:
    """Read the background knowledge that was given; None where none was."""
    knowledge = None
    if arguments.knowledge is not None:
        knowledge = read_knowledge(arguments.knowledge, dataset.names)
    check_time_order(settings, knowledge)
    return knowledge


# Settings that say which rows are drawn, of a repeated search as of a search in a part of the rows.
_DRAWING = ("share", "seed")


def add_stability(parser: Parser) -> None:
    """Add the options of a repeated search."""
    group = parser.add_argument_group(_("stability of the findings"))
    group.add_argument(
        "--stability",
        metavar="N",
        type=_integer,
        help=_(
            "Search N random halves of the rows again (50 is usual) and report how often each "
            "finding returns. This takes about N/2 times as long as the search. Not done by "
            "default."
        ),
    )
    _add_drawing(group, StabilitySettings, "stability")


def given_stability(arguments: Namespace) -> StabilitySettings | None:
    """Return how the search is to be repeated; None when that was not asked for."""
    if arguments.stability is None:
        _require_no_drawing(arguments, "stability")
        return None
    with naming_options({"resamples": "--stability", **_drawing_options("stability")}):
        drawing = _given_drawing(arguments, "stability")
        return StabilitySettings(resamples=arguments.stability, **drawing)


def add_split(parser: Parser) -> None:
    """Add the options of a search in a part of the rows."""
    group = parser.add_argument_group(_("estimates"))
    group.add_argument("--split", action="store_true", help=_(SPLIT.help))
    _add_drawing(group, RowSplit, "split")


def given_split(arguments: Namespace) -> RowSplit | None:
    """Return how rows are to be split; None when that was not asked for."""
    if not arguments.split:
        _require_no_drawing(arguments, "split")
        return None
    with naming_options(_drawing_options("split")):
        return RowSplit(**_given_drawing(arguments, "split"))


def _add_drawing(group: Any, settings_class: type, prefix: str) -> None:
    """Add the options that say which rows are drawn."""
    for name in _DRAWING:
        _add_option(group, replace(parameter_of(settings_class, name), name=f"{prefix}_{name}"))


def _given_drawing(arguments: Namespace, prefix: str) -> dict[str, Any]:
    """Return which of these options were given, by setting."""
    names = {name: f"{prefix}_{name}" for name in _DRAWING}
    return {
        name: getattr(arguments, attribute)
        for name, attribute in names.items()
        if hasattr(arguments, attribute)
    }


def _require_no_drawing(arguments: Namespace, prefix: str) -> None:
    """Refuse options that say which rows are drawn where none are."""
    for name in _given_drawing(arguments, prefix):
        raise InvalidParameter(
            _("it has no meaning without {option}.", option=option_of(prefix)),
            place=option_of(f"{prefix}_{name}"),
            remedy=_("Add {option}, or leave it out.", option=option_of(prefix)),
        )


def _drawing_options(prefix: str) -> dict[str, str]:
    return {name: option_of(f"{prefix}_{name}") for name in _DRAWING}


def add_output(parser: Parser) -> argparse._ArgumentGroup:
    """Add the folder for the files; return the group in which further output is described."""
    group = parser.add_argument_group(_("output"))
    add_folder(group, _("Folder for the files. It is created if it does not exist."))
    return group


def add_quiet(parser: argparse._ActionsContainer) -> None:
    """Add the choice to print nothing but errors."""
    parser.add_argument("--quiet", action="store_true", help=_("Print nothing if there is no error."))


def add_preferred(parser: Parser) -> None:
    """Add the choice among interchangeable variables."""
    add_repeated(
        parser.add_argument_group(_("interchangeable variables")),
        "--prefer",
        "NAME",
        _(
            "Name of a feature to prefer to variables interchangeable with it, because it is "
            "cheaper or safer to measure. May be repeated, the most preferred first."
        ),
    )


def given_preferred(arguments: Namespace, dataset: Dataset) -> tuple[str, ...]:
    """Return the features that are preferred."""
    with naming_options({"preferred": "--prefer"}):
        check_preferred(arguments.prefer, dataset)
    return tuple(arguments.prefer)


def add_table_arguments(parser: Parser) -> None:
    """Add the table, its labels, and how it is read."""
    parser.add_argument(
        "data", metavar="DATA", type=given_path, help=_("The table, e.g. a CSV or ARFF file.")
    )
    roles = parser.add_argument_group(_("labels"))
    roles.add_argument("--labels", metavar="A,B", help=_("Names of the label columns, separated by commas."))
    one_label = _("Name of one label column, which may hold commas. May be repeated.")
    add_repeated(roles, "--label", "NAME", one_label)
    add_file(
        roles,
        "--labels-file",
        _(
            "A Mulan XML file that names the labels, or a second table that holds them; then --labels and "
            "--label choose among its columns."
        ),
    )
    add_repeated(
        roles,
        "--event",
        "LABEL=LEVEL",
        _(
            "Which of its two levels is the event of a label or feature, such as COPD=yes. "
            "Directions and estimates refer to it. May be repeated. By default, the names of the "
            "levels decide."
        ),
    )
    add_repeated(roles, "--ignore", "NAME", _("Name of a column that takes no part. May be repeated."))
    roles.add_argument(
        "--weight-column",
        metavar="NAME",
        help=_("Name of the column that says how many cases each row stands for."),
    )
    grouping = roles.add_mutually_exclusive_group()
    grouping.add_argument(
        "--groups",
        metavar="NAME",
        help=_(
            "Name of the column that says which rows belong together, such as several rows of one person. "
            "Left out, rows are grouped by an identifier that repeats."
        ),
    )
    grouping.add_argument(
        "--no-groups",
        action="store_true",
        help=_("Treat rows as independent, although an identifier repeats."),
    )
    _add_row_blocks(parser)
    add_settings(parser, ReadingOptions, _("reading the table"))
    add_file(
        parser.add_argument_group(_("steps in the table")),
        "--recipe",
        _(
            "A JSON file of steps that change the table after it is read: columns recoded, cut, "
            "computed or renamed, dates turned into numbers, rows filtered. Labels and other "
            "columns have the names that they have after the last step."
        ),
    )


def _add_row_blocks(parser: Parser) -> None:
    """Add the options that group rows which follow each other."""
    blocks = parser.add_argument_group(_("rows that resemble their neighbours"))
    blocks.add_argument(
        "--time-blocks",
        metavar="NAME",
        help=_(
            "Group rows in blocks along this column of dates or numbers, so that tests treat each "
            "block, not each row, as one case."
        ),
    )
    blocks.add_argument("--row-blocks", action="store_true", help=_("The same, in the order of the rows."))
    series = _("Name of a column that separates series; a block holds rows of one. May be repeated.")
    add_repeated(blocks, "--block-series", "NAME", series)
    blocks.add_argument(
        "--block-rows",
        metavar="N",
        type=_integer,
        help=_(
            "Rows of a block; 0 makes a block of each series. The program decides when it is not given: "
            "blocks are long enough to be nearly independent."
        ),
    )


def given_row_blocks(arguments: Namespace, dataset: Dataset) -> RowBlocks | None:
    """Return the step that groups rows in blocks; None when that was not asked for."""
    wanted = [("--row-blocks", arguments.row_blocks), ("--time-blocks", arguments.time_blocks is not None)]
    named = [option for option, is_given in wanted if is_given]
    further = (("--block-series", arguments.block_series or None), ("--block-rows", arguments.block_rows))
    for option, value in further:
        if value is not None and not named:
            raise InvalidParameter(
                _("it has no meaning without --time-blocks or --row-blocks."),
                place=option,
                remedy=_("Add one of them, or leave it out."),
            )
    if not named:
        return None
    if len(named) > 1 or arguments.groups is not None:
        raise InvalidParameter(
            _("rows can be grouped in one way only."),
            place=named[0],
            remedy=_("Leave out the other options."),
        )
    series = [("--block-series", name) for name in arguments.block_series]
    for option, name in (("--time-blocks", arguments.time_blocks), *series):
        _require_column(option, name, dataset)
        if name in dataset.labels:
            raise InvalidParameter(_("{name!r} is a label.", name=name), place=option, remedy=_(ONE_PURPOSE))
    if arguments.block_rows is not None and arguments.block_rows < 0:
        raise InvalidParameter(
            _("it is below 0."), place="--block-rows", remedy=_("0 makes a block of each series.")
        )
    if arguments.block_rows is None and not (dataset.labels and dataset.features):
        raise InvalidParameter(
            _("the length of blocks can be computed only if there are labels and features."),
            place=named[0],
            remedy=_("Add --labels, or give --block-rows."),
        )
    return chosen_blocks(dataset, arguments.time_blocks or "", arguments.block_series, arguments.block_rows)


def read_given_table(arguments: Namespace) -> Reading:
    """Read the table that the arguments name, with labels, ignored columns, row weights and groups marked."""
    named, file = label_names(arguments), arguments.labels_file
    if named and file is not None and is_list_of_labels(Source(file)):
        raise InvalidParameter(
            _("labels are named twice."),
            place="--labels-file",
            remedy=_("Give the file or the names, not both."),
        )
    recipe = None if arguments.recipe is None else read_recipe(arguments.recipe)
    options = given_settings(arguments, ReadingOptions)
    with naming_options({"weights": "--weight-column", "events": "--event"}):
        reading = read_table(arguments.data, named or None if file is None else file, options, recipe)
        dataset = reading.dataset if file is None or not named else choose_labels(reading.dataset, named)
        _require_columns(arguments, dataset)
        _require_one_purpose(arguments, dataset, named)
        dataset = dataset.with_row_roles(arguments.weight_column, arguments.groups)
        dataset = dataset.with_events(_given_events(arguments, dataset))
    if arguments.ignore:
        dataset = dataset.with_roles(dict.fromkeys(arguments.ignore, Role.IGNORED))
    if not (arguments.no_groups or arguments.row_blocks or arguments.time_blocks):
        grouped = grouped_by_identifier(dataset)
        said_first = grouped.notes[: len(grouped.notes) - len(dataset.notes)]
        reading, dataset = replace(reading, issues=(*said_first, *reading.issues)), grouped
    # What the options chose is a step as any other, so that a script makes the same blocks.
    arguments.blocks = given_row_blocks(arguments, dataset)
    if arguments.blocks is not None:
        dataset = Recipe([arguments.blocks]).apply(dataset)
    # What weighs the rows, or is ignored, is no feature that may do so.
    issues = tuple(
        note
        for note in reading.issues
        if note.topic != SURVEY_WEIGHTS or dataset.variable(note.variable).role is Role.FEATURE
    )
    return replace(reading, dataset=dataset, issues=issues)


def _given_events(arguments: Namespace, dataset: Dataset) -> dict[str, str]:
    """Return the level that is the event by column; a name or a level may hold equals signs itself."""
    events: dict[str, str] = {}
    for text in arguments.event:
        parts = text.split("=")
        pairs = [("=".join(parts[:cut]), "=".join(parts[cut:])) for cut in range(1, len(parts))]
        if not pairs:
            remedy = _("Write the column, an equals sign and the level, such as COPD=yes.")
            raise InvalidParameter(_("{text!r} names no level.", text=text), place="--event", remedy=remedy)
        named = [pair for pair in pairs if pair[0] in dataset.names]
        if not named:
            _require_column("--event", pairs[0][0], dataset)
        whole = (pair for pair in named if pair[1] in dataset.variable(pair[0]).levels)
        name, level = next(whole, named[0])
        if events.setdefault(name, level) != level:
            raise InvalidParameter(
                _(
                    "{name!r} is given two events, {first!r} and {second!r}.",
                    name=name,
                    first=events[name],
                    second=level,
                ),
                place="--event",
                remedy=_("Leave one of them out."),
            )
    return events


def _require_column(option: str, name: str | None, dataset: Dataset) -> None:
    """Refuse an option that names no column; the error says which option it was."""
    if name is not None and name not in dataset.names:
        error = unknown_variable(name, dataset.names)
        error.place = option
        raise error


def _require_columns(arguments: Namespace, dataset: Dataset) -> None:
    """Refuse what names no column, and a label that is to be kept."""
    named = [("--ignore", column) for column in arguments.ignore]
    kept = [("--keep", column) for column in getattr(arguments, "keep", None) or ()]
    named += [("--weight-column", arguments.weight_column), ("--groups", arguments.groups), *kept]
    for option, name in named:
        _require_column(option, name, dataset)
    for option, name in kept:
        if name in dataset.labels:
            remedy = _("Leave it out: labels are never set aside.")
            raise InvalidParameter(_("{name!r} is a label.", name=name), place=option, remedy=remedy)


def _require_one_purpose(arguments: Namespace, dataset: Dataset, named: Sequence[str]) -> None:
    # Of labels that a pattern, a range or a file names, some may be ignored.
    for name in {column.strip() for column in named}.intersection(arguments.ignore):
        raise InvalidParameter(_("{name!r} is a label.", name=name), place="--ignore", remedy=_(ONE_PURPOSE))
    taken = dict.fromkeys((*arguments.ignore, *dataset.labels), N_("{name!r} is a label or ignored."))
    for option, name in (("--weight-column", arguments.weight_column), ("--groups", arguments.groups)):
        if name is None:
            continue
        if name in taken:
            raise InvalidParameter(_(taken[name], name=name), place=option, remedy=_(ONE_PURPOSE))
        taken[name] = N_("{name!r} is the weight column.")


def offer_lines(dataset: Dataset) -> Iterator[str]:
    """Say which options take care of rows that are not independent."""
    for dependence in dependent_rows(dataset):
        yield from (f"{offer.title}: {offer.option}" for offer in dependence.offers)


def require_labels(arguments: Namespace, reading: Reading) -> None:
    """Raise unless the table has labels, and say how to name them."""
    if reading.dataset.labels:
        return
    beside = find_label_file(arguments.data)
    remedy = (
        _("Perhaps --labels-file '{beside}'?", beside=beside)
        if beside is not None
        else _("Name them with --labels a,b; 'clcd inspect {data}' lists the columns.", data=arguments.data)
    )
    raise InvalidParameter(_("no column is a label."), place=f"'{arguments.data}'", remedy=remedy)


def label_names(arguments: Namespace) -> list[str]:
    """Return the labels that ``--labels`` and ``--label`` name, none when neither is there."""
    names = list(arguments.label)
    if arguments.labels is not None:
        names = [name for name in arguments.labels.split(",") if name.strip()] + names
        if not names:
            raise InvalidParameter(_(NO_LABEL_NAMED), place="--labels", remedy=_(NAME_A_COLUMN))
    return names
