"""Options that ask how sure the findings are: a search of parts of the rows, repeated."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import fields

from engine.discovery.stability.settings import StabilitySettings
from engine.errors import InvalidParameter
from engine.terminal.parser import Parser

_OPTIONS = {"resamples": "--stability", "share": "--stability-share", "seed": "--stability-seed"}


def add_stability(parser: Parser) -> None:
    """Add the options of a repeated search."""
    defaults = StabilitySettings()
    group = parser.add_argument_group("how sure the findings are")
    group.add_argument(
        _OPTIONS["resamples"],
        dest="resamples",
        metavar="N",
        type=int,
        help="Search N random halves of the rows again (50 is usual) and tell how often each finding comes "
        "back. Takes about N times half as long as the search. Not done when not given.",
    )
    group.add_argument(
        _OPTIONS["share"],
        dest="share",
        metavar="X",
        type=float,
        default=defaults.share,
        help=f"Share of the rows in each part, instead of a half. Default: {defaults.share}.",
    )
    group.add_argument(
        _OPTIONS["seed"],
        dest="seed",
        metavar="N",
        type=int,
        default=defaults.seed,
        help=f"Number from which the parts are drawn. Default: {defaults.seed}.",
    )


def given_stability(arguments: Namespace) -> StabilitySettings | None:
    """Give how the search is to be repeated; None when that was not asked for.

    Raises
    ------
    InvalidParameter
        When a value is impossible; the message names the option.
    """
    if arguments.resamples is None:
        return None
    values = {field.name: getattr(arguments, field.name) for field in fields(StabilitySettings)}
    try:
        return StabilitySettings(**values)
    except InvalidParameter as error:
        place = error.place
        for name, option in _OPTIONS.items():
            place = place.replace(f"setting '{name}'", option)
        raise InvalidParameter(error.problem, place=place, remedy=error.remedy) from error
