"""``clcd simulate``: a table whose causal variables are known exactly, to try methods on."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from engine.atomic import check_folder
from engine.boundaries.markov_boundary import LinkKind
from engine.errors import InvalidParameter
from engine.parameters import parameters_of
from engine.readers.networks import read_network
from engine.reporting.data_files import check_simulation_path, write_simulation
from engine.simulation import (
    SamplingSettings,
    SimulatedNetwork,
    SimulationSettings,
    simulate,
    simulate_network,
)
from engine.terminal.arguments import add_file, add_repeated, add_settings, given_settings, label_names
from engine.terminal.command_line import DONE, Parser, given_path
from engine.terminal.console import Console
from engine.translation import _
from engine.wording.numbers import counted
from engine.wording.phrases import plain_listing
from engine.wording.sentences import WRITTEN_TO
from engine.wording.setting_names import option_of


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``clcd simulate``."""
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=given_path,
        required=True,
        help=_(
            "The table: NAME.arff, which keeps the types, or NAME.csv. NAME.xml with its labels and "
            "NAME.truth.json with the answer are put beside it."
        ),
    )
    add_file(
        parser,
        "--network",
        _(
            "A Bayesian network to draw rows from, in BIF or JSON, possibly gzipped; without it one is "
            "drawn at random."
        ),
    )
    parser.add_argument(
        "--labels",
        metavar="N|A,B",
        help=_(
            "Number of labels; with --network the names of the variables that are labels, separated "
            "by commas. Default: {labels}.",
            labels=SimulationSettings().labels,
        ),
    )
    one_label = _("With --network: name of one label, which may hold commas. May be repeated.")
    add_repeated(parser, "--label", "NAME", one_label)
    add_settings(parser, SimulationSettings, _("rows, and a network drawn at random"), without=("labels",))


def run(arguments: Namespace, console: Console) -> int:
    """Run ``clcd simulate``."""
    check_folder(check_simulation_path(arguments.out).parent)
    simulated = _random(arguments) if arguments.network is None else _sampled(arguments)
    paths = write_simulation(simulated, arguments.out)
    truth = simulated.truth
    console.say(
        _(
            "{rows} of {features} and {labels}; {common} common, {label_specific:,} label-specific.",
            rows=counted(simulated.dataset.row_count, "row"),
            features=counted(len(truth.features), "feature"),
            labels=counted(len(truth.labels), "label"),
            common=counted(len(truth.common), "feature"),
            label_specific=len(truth.label_specific),
        )
    )
    through = sum(kind is LinkKind.THROUGH_LABELS for kind in truth.links.values())
    if through:
        console.say(
            _(
                "Links through other labels alone: {links:,}. Common features if these links count:"
                " {common:,}.",
                links=through,
                common=len(truth.total_common),
            )
        )
    unsettled = [
        label
        for label, boundary in truth.boundaries.items()
        if not (boundary.is_exact and truth.among_features[label].is_exact)
    ]
    if unsettled:
        console.say(
            _(
                "For {labels}, there may be other Markov boundaries than that of the graph. "
                "Impossible events tie too many variables together to list them.",
                labels=plain_listing(unsettled),
            )
        )
    console.say(
        _(
            WRITTEN_TO,
            folder=paths[0].parent,
            files=plain_listing([path.name for path in paths]),
        )
    )
    return DONE


def _random(arguments: Namespace) -> SimulatedNetwork:
    if arguments.label:
        raise InvalidParameter(
            _("labels are named only in a given network."),
            place="--label",
            remedy=_("Add --network FILE, or give their number with --labels."),
        )
    values = Namespace(**vars(arguments))
    if arguments.labels is None:
        del values.labels
    elif arguments.labels.isdecimal():
        values.labels = int(arguments.labels)
    else:
        raise InvalidParameter(
            _("{text!r} is not a whole number.", text=arguments.labels),
            place="--labels",
            remedy=_("Give the number of labels, or add --network FILE to give names."),
        )
    return simulate(**asdict(given_settings(values, SimulationSettings)))


def _sampled(arguments: Namespace) -> SimulatedNetwork:
    of_rows = {parameter.name for parameter in parameters_of(SamplingSettings)}
    for parameter in parameters_of(SimulationSettings):
        if parameter.name not in of_rows and hasattr(arguments, parameter.name):
            raise InvalidParameter(
                _("it describes a network drawn at random."),
                place=option_of(parameter.name),
                remedy=_("Leave it out, or leave out --network."),
            )
    settings = given_settings(
        Namespace(**{**vars(arguments), "labels": tuple(label_names(arguments))}), SamplingSettings
    )
    return simulate_network(read_network(arguments.network), settings.labels, settings.rows, settings.seed)
