"""Write the manual pages from the help of the programs themselves, so that every word stands in one place.

``python packaging/linux/manual.py FOLDER`` writes ``clcd.1``, a page for each subcommand, and ``clcd-gui.1``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from clcd_gui.__main__ import argument_parser  # noqa: E402
from engine.terminal.command_line import overview_parser, subcommand_parser, subcommands  # noqa: E402
from engine.version import __version__  # noqa: E402

SECTION = "1"


def pages() -> dict[str, str]:
    """Return the text of every page by its file name."""
    parsers = {each.name: subcommand_parser(each) for each in subcommands().values()}
    others = [f"clcd-{name}" for name in parsers]
    made = {
        "clcd": page("clcd", overview_parser(), [*others, "clcd-gui"]),
        "clcd-gui": page("clcd-gui", argument_parser(), ["clcd"]),
    }
    for name, parser in parsers.items():
        made[f"clcd-{name}"] = page(f"clcd-{name}", parser, ["clcd"])
    return {f"{name}.{SECTION}": text for name, text in made.items()}


def page(name: str, parser: argparse.ArgumentParser, others: list[str]) -> str:
    """Return a manual page.

    Parameters
    ----------
    name : str
        Of the page.
    parser : argparse.ArgumentParser
        Of the program.
    others : list of str
        Pages that are named at the end.
    """
    summary, _, details = (parser.description or "").partition("\n\n")
    usage = (parser.usage or "").split()
    command = f"{usage[0]} {usage[1]}" if name != usage[0] and name != "clcd" else usage[0]
    lines = [
        f'.TH "{name.upper()}" "{SECTION}" "" "CLCD {__version__}" "User Commands"',
        ".SH NAME",
        f"{escaped(name)} \\- {escaped(_sentence(summary))}",
        ".SH SYNOPSIS",
        f".B {escaped(command)}",
        escaped(" ".join(usage[len(command.split()) :])),
    ]
    if details:
        lines += [".SH DESCRIPTION", ".nf", *map(escaped, details.splitlines()), ".fi"]
    for group in parser._action_groups:
        shown = [action for action in group._group_actions if action.help is not argparse.SUPPRESS]
        if shown:
            lines.append(f".SH {escaped((group.title or 'options').upper())}")
            lines += [escaped(group.description)] if group.description else []
            lines += [line for action in shown for line in _entry(action, parser)]
    if parser.epilog:
        lines += [".SH NOTES", ".nf", *map(escaped, parser.epilog.strip().splitlines()), ".fi"]
    *first, last = others
    lines.append(".SH SEE ALSO")
    lines += [f".BR {escaped(each)} ({SECTION})," for each in first]
    lines.append(f".BR {escaped(last)} ({SECTION})")
    return "\n".join(lines) + "\n"


def _entry(action: argparse.Action, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Give the lines on one argument."""
    formatter = parser._get_formatter()
    yield ".TP"
    yield f".B {escaped(formatter._format_action_invocation(action))}"
    yield escaped(formatter._expand_help(action) if action.help else "")


def _sentence(text: str) -> str:
    """Return a sentence as the names of pages have it: in one line, without its full stop."""
    return " ".join(text.split()).rstrip(".")


def escaped(text: str) -> str:
    r"""Return text in which the formatter of pages sees no signs of its own.

    Examples
    --------
    >>> escaped("--out DIR")
    '\\-\\-out DIR'
    """
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


def main(folder: str) -> None:
    """Write all pages into a folder."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        Path(folder, name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
