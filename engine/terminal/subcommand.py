"""One word of the command line, described without importing what it does."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from engine.terminal.console import Console
from engine.terminal.parser import Parser


class SubcommandModule(Protocol):
    """What the module of a subcommand holds."""

    def add_arguments(self, parser: Parser) -> None:
        """Add its arguments."""

    def run(self, arguments: Namespace, console: Console) -> int:
        """Do it, and give the exit status."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A word of the command line.

    Attributes
    ----------
    name : str
        The word.
    help : str
        One sentence on what it does.
    usage : str
        Its usual arguments, for the overview.
    module : str
        Where it is done; imported when it is used, so that ``clcd --help`` is there at once.
    """

    name: str
    help: str
    usage: str
    module: str

    def load(self) -> SubcommandModule:
        """Import the module that does it."""
        return cast(SubcommandModule, import_module(self.module))
