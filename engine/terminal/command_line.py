"""From the words of a command line to an exit status: every subcommand is a module and an entry here.

Errors of its parser are those of the engine and name the options of the terminal.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from engine.collecting import collect_seldom
from engine.compiled.cache import compile_sooner
from engine.errors import Cancelled, EngineError, InvalidParameter
from engine.terminal.console import Console
from engine.terminal.interruption import INTERRUPTED, STOPPED_EARLY, Interruption
from engine.translation import N_, _, for_count
from engine.wording.phrases import either
from engine.wording.sentences import nearest_or
from engine.wording.setting_names import SettingName, named_by


def _one_or_several(one: str, several: str, count: int) -> str:
    return for_count(count, one, several)


# The words of argparse itself, as "usage:" and "expected one argument": it takes both functions from gettext
# by these names when it is loaded. Here they ask the catalogue in use, in which a tool that collects messages
# puts those of argparse's own file, too.
vars(argparse).update(_=_, ngettext=_one_or_several)


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Breaks no line within a name, such as ``hiton-mb``: it can be searched for and copied."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """Parser that raises InvalidParameter instead of printing how it is used and ending the program."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            allow_abbrev=False,
            formatter_class=HelpFormatter,
            **options,
        )

    @property
    def options(self) -> dict[str, str]:
        """The option that sets each argument, by the name of the argument."""
        return {action.dest: action.option_strings[0] for action in self._actions if action.option_strings}

    def parse_args(self, words: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Return the arguments that words give."""
        arguments, unknown = self.parse_known_args(words, namespace)
        if unknown:
            word, see = unknown[0].partition("=")[0], _("See '{prog} --help'.", prog=self.prog)
            if not word.startswith("-"):
                raise InvalidParameter(_("'{word}' is one word too many.", word=unknown[0]), remedy=see)
            options = [option_string for action in self._actions for option_string in action.option_strings]
            raise InvalidParameter(
                _("there is no option '{word}'.", word=word), remedy=nearest_or(word, options, see)
            )
        return arguments

    def error(self, message: str) -> NoReturn:
        """Raise the error that `message` describes."""
        # What argparse puts before the name of an option, "argument" in English.
        prefix = _("argument %(argument_name)s: %(message)s").partition("%")[0]
        sentence = message.removeprefix(prefix).rstrip(".")
        raise InvalidParameter(f"{sentence}.", remedy=_("See '{prog} --help'.", prog=self.prog))


def given_path(text: str) -> Path:
    """Return the file or folder that a word names."""
    if not text:
        raise argparse.ArgumentTypeError(_("the name is empty"))
    return Path(text)


@contextmanager
def naming_options(options: Mapping[str, str]) -> Iterator[None]:
    """Let an error name the options that set what it speaks of."""

    def called(setting: SettingName) -> str | SettingName:
        option = options.get(setting.name)
        return setting if option is None else _option_with(option, setting.values)

    try:
        yield
    except EngineError as error:
        error.problem, error.place, error.remedy = (
            named_by(text, called) for text in (error.problem, error.place, error.remedy)
        )
        raise


def _option_with(option: str, values: tuple[str, ...]) -> str:
    """Return an option with the values that are advised; a flag has its value in its name."""
    if values == ("no",):
        return f"--no-{option.removeprefix('--')}"
    return _("{option} to {values}", option=option, values=either(values)) if values else option


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A word of the command line, with a module of its name that adds its arguments and carries it out."""

    name: str
    help: str  # one sentence on what it does
    usage: str  # its usual arguments, for the overview

    def load(self) -> Any:
        """Import the module when it is used, so that ``clcd --help`` is there at once."""
        return import_module(f"engine.terminal.subcommands.{self.name}")


_SUBCOMMANDS = (
    Subcommand(
        "discover",
        N_("Find common and label-specific causal variables in a table."),
        "DATA --labels a,b --out DIR",
    ),
    Subcommand(
        "select",
        N_(
            "Select a small set of features that together carry information about every label, and "
            "write the table with these features only."
        ),
        "DATA --labels a,b --out DIR",
    ),
    Subcommand(
        "compare",
        N_("Compare two runs: what appeared, what disappeared, and what changed."),
        "FIRST/result.json SECOND/result.json --out DIR",
    ),
    Subcommand(
        "inspect",
        N_("Show how CLCD reads a table: columns, types, labels, missing values."),
        "DATA",
    ),
    Subcommand(
        "simulate",
        N_("Make a table whose causal variables are known."),
        "--out FILE.arff",
    ),
    Subcommand(
        "benchmark",
        N_("Compare CLCD, or CLCD-FS, with other methods, as the paper does."),
        "--small --out DIR",
    ),
    Subcommand(
        "methods",
        N_("List algorithms, tests, ways to cut numbers into bins, and file formats."),
        "",
    ),
)


def subcommands() -> dict[str, Subcommand]:
    """Return every subcommand by its word, in the order in which help lists them."""
    return {subcommand.name: subcommand for subcommand in _SUBCOMMANDS}


DONE = 0
INTERNAL_ERROR = 1
BAD_INPUT = 2

_SHOW_TRACEBACK = "CLCD_TRACEBACK"

_DESCRIPTION = N_("""\
Find which variables of a table are linked to several outcomes (common causal
variables), and which to one outcome only (label-specific ones).
""")

_EPILOG = N_("""\
'clcd SUBCOMMAND --help' lists the options of each.
Exit status: 0 done; 2 bad arguments or input; 130 interrupted, what was
finished is kept and marked as partial; 1 a fault of the program.
""")


def finished(
    arguments: argparse.Namespace, console: Console, interruption: Interruption, summary: Iterable[str]
) -> int:
    """Print a summary, unless asked to be quiet, and return the exit status."""
    if not arguments.quiet:
        for line in summary:
            console.say(line)
    return interruption.exit_status if interruption.is_requested() else DONE


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out the words of a command line, and turn what may happen into an exit status."""
    if argv is None:
        argv = sys.argv[1:]
        sys.excepthook = _report_fault
        # What libraries make as they are loaded stays: looking through it for garbage is a tenth of a run.
        collect_seldom()
        compile_sooner()
    console = Console()
    try:
        status = _run(list(argv), console)
        console.finish()
        return status
    except Cancelled:
        console.message(_("stopped before anything was finished; nothing was written."))
        return INTERRUPTED
    except EngineError as error:
        console.message(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        console.message(_(STOPPED_EARLY))
        return INTERRUPTED
    except MemoryError:
        console.message(
            _("there is not enough memory for this table; close other programs or use fewer columns.")
        )
        return INTERNAL_ERROR


def _run(words: list[str], console: Console) -> int:
    commands = subcommands()
    if words and not words[0].startswith("-"):
        name = words[0]
        if name not in commands:
            remedy = nearest_or(name, commands, _("See 'clcd --help'."))
            raise InvalidParameter(_("there is no subcommand {name!r}.", name=name), remedy=remedy)
        parser = subcommand_parser(commands[name])
        arguments = parser.parse_args(words[1:])
        with naming_options(parser.options):
            status: int = commands[name].load().run(arguments, console)
            return status
    overview_parser().parse_args(words)
    raise InvalidParameter(
        _("name a subcommand, e.g. 'clcd inspect table.csv'."), remedy=_("'clcd --help' lists everything.")
    )


def subcommand_parser(subcommand: Subcommand) -> Parser:
    """Return the parser of a subcommand, which holds all that its help and its manual page say."""
    name = f"clcd {subcommand.name}"
    usage = " ".join(word for word in (name, subcommand.usage, "[OPTIONS]") if word)
    parser = Parser(prog=name, usage=usage, description=_(subcommand.help))
    subcommand.load().add_arguments(parser)
    return parser


def overview_parser() -> Parser:
    """Return the parser of the command without a subcommand."""
    from engine.version import __version__

    width = max(len(name) for name in subcommands()) + 2
    lines = [f"  {subcommand.name:<{width}}{_(subcommand.help)}" for subcommand in subcommands().values()]
    examples = [
        f"  clcd {subcommand.name} {subcommand.usage}".rstrip() for subcommand in subcommands().values()
    ]
    description = "\n".join([_(_DESCRIPTION), _("subcommands:"), *lines, "", _("examples:"), *examples])
    parser = Parser(prog="clcd", usage="clcd SUBCOMMAND …", description=description, epilog=_(_EPILOG))
    parser.add_argument(
        "--version",
        action="version",
        version=f"clcd {__version__}",
        help=_("show program's version number and exit"),
    )
    return parser


def _report_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say in one line that the program is at fault, and how to report it."""
    if os.environ.get(_SHOW_TRACEBACK):
        traceback.print_exception(kind, error, trace)
        return
    frames = traceback.extract_tb(trace)
    problem = f"{kind.__name__}: {error}"
    if frames:
        problem = _(
            "{problem} ({file}, line {line})",
            problem=problem,
            file=Path(frames[-1].filename).name,
            line=frames[-1].lineno,
        )
    Console().message(
        _(
            "internal error: {problem}. This is a fault of CLCD, not of your data. Please report "
            "this line, the command, and what it prints with {variable}=1 set.",
            problem=problem,
            variable=_SHOW_TRACEBACK,
        )
    )
