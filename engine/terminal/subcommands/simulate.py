"""``clcd simulate``: a table whose causal variables are known exactly, to try methods on."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from engine.atomic import check_folder
from engine.exporting.numbers import counted
from engine.exporting.sentences import listing
from engine.exporting.simulated_files import check_simulation_path, write_simulation
from engine.simulation import SimulationSettings, simulate
from engine.terminal.console import Console
from engine.terminal.parser import Parser
from engine.terminal.settings_arguments import add_settings, given_settings
from engine.terminal.status import DONE


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``clcd simulate``."""
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        required=True,
        help="The table: NAME.arff, which keeps the types, or NAME.csv. NAME.xml with its labels and "
        "NAME.truth.json with the answer are put beside it.",
    )
    add_settings(parser, SimulationSettings, "the network")


def run(arguments: Namespace, console: Console) -> int:
    """Do ``clcd simulate``."""
    settings = given_settings(arguments, SimulationSettings)
    check_folder(check_simulation_path(arguments.out).parent)
    network = simulate(**asdict(settings))
    paths = write_simulation(network, arguments.out)
    truth = network.truth
    console.say(
        f"{counted(network.dataset.row_count, 'row')} of {counted(len(truth.features), 'feature')} and "
        f"{counted(len(truth.labels), 'label')}; {counted(len(truth.common), 'feature')} common, "
        f"{len(truth.label_specific):,} label-specific."
    )
    console.say(f"Written to {paths[0].parent}: {listing([path.name for path in paths])}.")
    return DONE
