"""What a person reads is a message that is collected for translators, and no text that is put together."""

from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest
from babel.messages.catalog import Catalog

from tests.contract.product_modules import PRODUCT
from tests.contract.project_files import PROJECT, nodes_of, project_files
from tests.contract.test_pages import BANNED

# A word beside a word or a place; a name of a file, a key or a tag has none.
_WORDS = re.compile(r"[A-Za-z]{2,}[,:]? (?:[A-Za-z]{2,}|\{\})|\{\} [A-Za-z]{2,}")

_PROGRAM = "an error of the program, which no input of a person brings about"
_SHOWN_BY_PYTHON = "what Python's prompt shows of an object"
_IN_FILES = "written into a file, the same in every language"
_IN_DATA = "a name in data, the same in every language"
_DOCSTRING = "a part of a docstring"
_RECOGNISED = "recognised in data or files"
_TYPED = "typed into a terminal"
_NAMES = "names and versions"
_STYLE = "a style sheet or a tag"
# What is put together and is no message, by how it begins; the list may only become shorter.
NO_MESSAGES = {
    "clcd-gui {}": _NAMES,
    "clcd-gui: {}\n": _NAMES,
    "CLCD {}": _NAMES,
    "CLCD {}, Python {}, PySide6 {}": _NAMES,
    "{} {}, Python {}": _NAMES,
    "clcd {}": _NAMES,
    "clcd: {}\n": _NAMES,
    "  clcd {} {}": _NAMES,
    "\nh1 { font-size: x-large; font-weight: 6": _STYLE,
    "{} { font-size: {}pt; }\n{} { font-size: ": _STYLE,
    '<qt style="white-space: pre-wrap">{}</qt': _STYLE,
    "(?:<=?|=<|≤|⩽|(?<![^\\W\\d_])(?:under|belo": _RECOGNISED,
    "(?:>=?|=>|≥|⩾|(?<![^\\W\\d_])(?:over|above": _RECOGNISED,
    "(?P<authors>{}(?:(?:, | and ){}| and oth": _RECOGNISED,
    "dataset settings seconds {} {} {} {}": _IN_FILES,
    "@relation {}\n\n": _IN_FILES,
    "@attribute {} {}\n": _IN_FILES,
    "<label name={}></label>": _IN_FILES,
    '<?xml version="1.0" encoding="UTF-8"?>\n{': _IN_FILES,
    ">{\\{}\\arraybackslash}p{\\dimexpr {}\\linew": _IN_FILES,
    '"""Makes an analysis again as CLCD {} ma': _IN_FILES,
    "# Makes an analysis again as CLCD {} mad": _IN_FILES,
    "clcd discover {} \\\n    {}": _IN_FILES,
    "again = engine.stability(result.dataset,": _IN_FILES,
    "cat > {} <<'END OF {}'": _IN_FILES,
    "END OF {}": _IN_FILES,
    'define void @"{}"() { unreachable }': _IN_FILES,
    "feature {}": _IN_DATA,
    "label {}": _IN_DATA,
    "case {}": _IN_DATA,
    "{} of {}": _IN_DATA,
    "groups of {}": _IN_DATA,
    "Score of {} and {}": _IN_DATA,
    "{} more": _IN_DATA,
    "--groups {}": _TYPED,
    "--time-blocks {}": _TYPED,
    "--block-series {}": _TYPED,
    "{}, default {}": _DOCSTRING,
    "{} One of {}.": _DOCSTRING,
    "{} A value {}.": _DOCSTRING,
    "<Dataset {}: {}, {}, {}>": _SHOWN_BY_PYTHON,
    "<Effects: {} of {}>": _SHOWN_BY_PYTHON,
    "<DiscoveryResult of {}: {} common, {} la": _SHOWN_BY_PYTHON,
    "<StabilityResult: {} of {} of the rows s": _SHOWN_BY_PYTHON,
    "<Selection of {}: {} of {} for {}>": _SHOWN_BY_PYTHON,
    "<BayesianNetwork: {} nodes, {} edges>": _SHOWN_BY_PYTHON,
    "<StructuralNetwork: {} nodes, {} edges>": _SHOWN_BY_PYTHON,
    "No answer within {} seconds.": "an outcome of the self-test, which a build reads",
    "an editor of {} must show values": _PROGRAM,
    "{} is named as a source that decides res": _PROGRAM,
    "{} gives {} and not {}.": _PROGRAM,
    "nothing is loaded: {}": _PROGRAM,
    "{} requires y to be passed, but the targ": "words that scikit-learn asks for",
    "{} needs a label with at least two class": "words that scikit-learn asks for",
}
_BEGINNING = 40
# Where `for_count` is given what its caller was given.
_HANDED_ON = {
    "engine/terminal/command_line.py: for_count(count, one, several)",
    "engine/translation.py: for_count(text.number, text.template, text.several)",
    "engine/wording/pages.py: for_count(count, one, several)",
    "engine/wording/numbers.py: for_count(count, *counted_messages(singular, plural))",
}


def test_no_text_that_is_put_together_is_a_message() -> None:
    put_together = {text for path in _sources() for node in nodes_of(path) for text in _put_together(node)}
    assert put_together == set(NO_MESSAGES)


@pytest.mark.parametrize(
    "code",
    ["f'{rows} rows left'", "f'Open {name}'", "'%d rows left' % rows", "'{} rows left'.format(rows)"],
)
def test_texts_that_are_put_together_are_seen(code: str) -> None:
    assert [text for node in ast.walk(ast.parse(code)) for text in _put_together(node)]


def test_every_choice_by_a_number_is_collected() -> None:
    collected = {
        place for message in _collected() if isinstance(message.id, tuple) for place in message.locations
    }
    unseen = {
        f"{path.as_posix()}: {ast.unparse(node)}"
        for path in _sources()
        for node in nodes_of(path)
        if _is_choice(node) and (path.as_posix(), node.lineno) not in collected
    }
    assert unseen == _HANDED_ON


def _is_choice(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "for_count"


def _sources() -> Iterator[Path]:
    return (path for path in project_files() if path.parts[0] in PRODUCT and path.suffix == ".py")


@cache
def _collected() -> Catalog:
    catalog: Catalog = runpy.run_path(str(PROJECT / "packaging" / "messages.py"))["messages"]()
    return catalog


def _put_together(node: ast.AST) -> Iterator[str]:
    """Yield texts with words that are made by an f-string, `%` or `format` of what is no message."""
    if isinstance(node, ast.JoinedStr):
        text = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
        text = re.sub(r"%(?:\(\w+\))?[\d.]*[sdrfg]", "{}", str(node.left.value))
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "format"
        and isinstance(node.func.value, ast.Constant)
    ):
        text = re.sub(r"\{[^{}]*\}", "{}", str(node.func.value.value))
    else:
        return
    if _WORDS.search(text):
        yield text[:_BEGINNING]


# So many words has a sentence at most where the window alone says it, and elsewhere.
_LONGEST_IN_WINDOW, _LONGEST = 20, 25
_WRITTEN_BY_ARGPARSE = "argparse.py"
_SOURCES = re.compile(r"\([^()]*\b\d{4},[^()]*\)")
_NOT_SAID = re.compile(r"`[^`]*`|“[^”]*”|<[^>]*>|\{[^{}]*\}")
# By how they begin; a cell that is empty is an answer in some tables, and not always a missing value.
LONG = {
    "of all graphs of the two together with {": "what two scores say, as a part of one sentence",
    "{others} are causes of {effect} and neig": "why a direction holds, as a part of one sentence",
    "For a link through other labels it is th": "the note below a table of tests",
    "Name of a column to read as numbers: few": "a list",
    "The best method that selects is bold. ▲ ": "a legend",
    "You can use + - * / ^, and, or, not, is ": "a list of signs and functions",
    "Exit status: 0 done; 2 bad arguments or ": "a list of numbers",
}
NAMED_OTHERWISE = {
    "cause, nothing hidden": "a value in files",
    "effect, nothing hidden": "a value in files",
    "cause, if nothing is hidden": "a value in files",
    "effect, if nothing is hidden": "a value in files",
}


def test_sentences_of_messages_are_short() -> None:
    long = {
        sentence[:40]
        for place, text in _messages()
        for sentence in re.split(r"(?<=[.!?])[\"”)]?\s+(?=[\"“(A-Z0-9{])", _SOURCES.sub("", text))
        if len(sentence.split()) > (_LONGEST_IN_WINDOW if place.startswith("clcd_gui") else _LONGEST)
    }
    assert long == set(LONG)


def test_messages_use_the_terms_of_the_field() -> None:
    phrases = [phrase for phrase in BANNED if "empty cells" not in phrase] + [
        r"\bgaps?\b|\bwhat is missing\b"
    ]
    banned = {
        text
        for _place, text in _messages()
        if any(re.search(phrase, _NOT_SAID.sub("", text), re.IGNORECASE) for phrase in phrases)
    }
    assert banned == set(NAMED_OTHERWISE)


def test_exceptions_are_few() -> None:
    assert len(LONG) + len(NAMED_OTHERWISE) <= 30


@cache
def _messages() -> tuple[tuple[str, str], ...]:
    """Every form of every message, with the file that says it first."""
    return tuple(
        (message.locations[0][0], text)
        for message in _collected()
        if message.id and message.locations[0][0] != _WRITTEN_BY_ARGPARSE
        for text in ([message.id] if isinstance(message.id, str) else message.id)
    )
