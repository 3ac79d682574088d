"""Collect the messages that translators translate: ``.venv/bin/python packaging/messages.py FOLDER``.

Babel writes them to ``FOLDER/clcd.pot``: literals in `_`, `N_`, `phrase` and, of two forms, `for_count` and
`counted`, in the code and in the templates of pages; titles of examples and of groups of the help; and what
argparse says.
"""

from __future__ import annotations

import argparse
import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from jinja2.ext import babel_extract

from engine.version import __version__
from engine.wording.numbers import counted_messages

PROJECT = Path(__file__).resolve().parent.parent
_WHOLE = frozenset({"_", "N_", "phrase"})
Texts = str | tuple[str, str]


def messages() -> Catalog:
    """Collect every message of engine and window, with the places where it is said."""
    catalog = Catalog(project="CLCD", version=__version__, charset="utf-8")
    for path in sorted([*PROJECT.glob("engine/**/*.py"), *PROJECT.glob("clcd_gui/**/*.py")]):
        for line, texts in messages_of(ast.parse(path.read_text("utf-8"))):
            catalog.add(texts, locations=[(path.relative_to(PROJECT).as_posix(), line)])
    # Help and errors of the terminal hold words of argparse.
    for line, texts in messages_of(ast.parse(Path(argparse.__file__).read_text("utf-8"))):
        catalog.add(texts, locations=[("argparse.py", line)])
    for path in sorted(
        [*PROJECT.glob("engine/**/templates/*.html"), *PROJECT.glob("clcd_gui/templates/*.html")]
    ):
        with path.open("rb") as file:
            for line, _function, arguments, _comments in babel_extract(file, ("_", "for_count"), (), {}):
                # Besides the message, or both forms, None for whatever is no literal.
                texts = (arguments,) if isinstance(arguments, str) else tuple(filter(None, arguments or ()))
                if texts:
                    location = (path.relative_to(PROJECT).as_posix(), line)
                    catalog.add(texts if len(texts) > 1 else texts[0], locations=[location])
    for path in sorted(PROJECT.glob("resources/*/index.toml")):
        for entries in tomllib.loads(path.read_text("utf-8")).values():
            for text in (entry[key] for entry in entries for key in ("title", "summary") if key in entry):
                catalog.add(text, locations=[(path.relative_to(PROJECT).as_posix(), 1)])
    return catalog


def messages_of(module: ast.Module) -> Iterator[tuple[int, Texts]]:
    """Yield the messages of a module with their lines; of what a number decides both forms."""
    constants = {
        target.id: statement.value
        for statement in module.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _WHOLE and node.args:
            yield from ((node.lineno, text) for text in _literals(node.args[0]))
        elif name == "for_count":
            yield from ((node.lineno, pair) for pair in _pairs(node.args[1:], constants))
        elif name == "ngettext":
            yield from ((node.lineno, pair) for pair in _pairs(node.args[:2], constants))
        elif name == "counted" and len(node.args) > 1:
            plural = _literals(node.args[2]) if len(node.args) > 2 else [""]
            for noun in _literals(node.args[1]):
                yield node.lineno, counted_messages(noun, *plural)


def _literals(node: ast.expr) -> list[str]:
    """List the texts that an argument can be."""
    if isinstance(node, ast.IfExp):
        return [*_literals(node.body), *_literals(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _pairs(arguments: list[ast.expr], constants: dict[str, ast.expr]) -> Iterator[tuple[str, str]]:
    """Yield both forms where they are literals, constants, or a constant tuple of two."""
    if len(arguments) == 2:
        arguments = [constants.get(getattr(form, "id", ""), form) for form in arguments]
        one, several = map(_marked, arguments)
        if one and several:
            yield one, several
        return
    for part in arguments:
        for name in {node.id for node in ast.walk(part) if isinstance(node, ast.Name)} & constants.keys():
            for node in ast.walk(constants[name]):
                forms = [_marked(form) for form in node.elts] if isinstance(node, ast.Tuple) else []
                if len(forms) == 2 and all(forms):
                    yield forms[0], forms[1]


def _marked(node: ast.expr) -> str:
    """Return the text of a literal, or of one in `N_`; empty for all else."""
    inner = node.args[0] if isinstance(node, ast.Call) and node.args else node
    return "".join(_literals(inner))


def main() -> None:
    """Write the template of all catalogues."""
    parser = argparse.ArgumentParser(description="Collect the messages that are translated.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "clcd.pot").open("wb") as file:
        write_po(file, messages(), width=110, sort_by_file=True)


if __name__ == "__main__":
    main()
