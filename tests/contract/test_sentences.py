"""Sentences are whole, with named places, and each is written once: none is glued from pieces.

What is found here cannot be translated, since other languages put words in another order, have more than two
numbers, and bend words by what stands beside them.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.contract.product_modules import PRODUCT
from tests.contract.project_files import nodes_of, project_files

_WORD = re.compile(r"[A-Za-z]{2,}")
_NUMBERED = {"is", "are", "was", "were", "has", "have", "does", "do", "it", "they", "them", "its", "their"}
# So many words, and a full stop at the end, make a sentence.
_SENTENCE_WORDS = 4


def test_no_sentence_is_added_up() -> None:
    assert list(_found(_sums)) == []


def test_no_part_of_a_sentence_is_chosen_or_joined_inside_it() -> None:
    assert list(_found(_choices_inside)) == []


def test_numbers_choose_between_whole_sentences() -> None:
    assert list(_found(_fragments)) == []


@pytest.mark.parametrize(
    ("check", "code"),
    [
        ("sums", "'no row' + more"),
        ("sums", "message += f' in {place}'"),
        ("choices", 'f\'{count} row{" was" if count == 1 else " were"} left out\''),
        ("choices", "f'choose among {\", \".join(names)}'"),
        ("fragments", "verb = 'is' if count == 1 else 'are'"),
        ("fragments", "rest = f' and {count} more' if count else ''"),
    ],
)
def test_glue_is_seen(check: str, code: str) -> None:
    checks = {"sums": _sums, "choices": _choices_inside, "fragments": _fragments}
    assert [fault for node in ast.walk(ast.parse(code)) for fault in checks[check](node)]


def test_no_sentence_is_written_twice() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for file, nodes in _nodes():
        prose = _docstrings(nodes)
        for node in nodes:
            if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in prose:
                text = _text(node)
                if text.rstrip().endswith(".") and len(_WORD.findall(text)) >= _SENTENCE_WORDS:
                    places[text].append(f"{file}:{node.lineno}")
    twice = {text: where for text, where in places.items() if len(where) > 1}
    assert not twice, "a sentence is written once; one that two modules say stands in engine/wording"


def _sums(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield what adds a text with words to another one."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        if any(_has_words(side) for side in (node.left, node.right)):
            yield node
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and _has_words(node.value):
        yield node


def _choices_inside(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield texts with words in which a part depends on something, or is joined."""
    if not isinstance(node, ast.JoinedStr) or not _has_words(node):
        return
    for part in node.values:
        if isinstance(part, ast.FormattedValue) and (_is_choice(part.value) or _is_join(part.value)):
            yield node


def _fragments(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield choices between words that go with a number, or of something that others are glued to."""
    if not isinstance(node, ast.IfExp):
        return
    texts = [_text(branch) for branch in (node.body, node.orelse) if _is_text(branch)]
    if any(text in _NUMBERED or _is_glued_on(text) for text in texts):
        yield node


def _found(check: Callable[[ast.AST], Iterator[ast.expr | ast.stmt]]) -> Iterator[str]:
    for file, nodes in _nodes():
        for node in nodes:
            for faulty in check(node):
                yield f"{file}:{faulty.lineno}: {ast.unparse(faulty)[:100]}"


@cache
def _nodes() -> tuple[tuple[Path, tuple[ast.AST, ...]], ...]:
    """Of each source of the product, whatever a text is made by."""
    kinds = (ast.AugAssign, ast.BinOp, ast.Constant, ast.Expr, ast.IfExp, ast.JoinedStr)
    return tuple(
        (path, tuple(node for node in nodes_of(path) if isinstance(node, kinds)))
        for path in project_files()
        if path.parts[0] in PRODUCT and path.suffix == ".py"
    )


def _docstrings(nodes: Iterable[ast.AST]) -> set[int]:
    """Return the texts that no person reads in the program, and the parts of other texts."""
    unread: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Expr):
            unread.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            unread.update(map(id, node.values))
    return unread


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _has_words(node: ast.AST) -> bool:
    return _is_text(node) and bool(_WORD.search(_text(node).replace("{}", "")))


def _is_glued_on(text: str) -> bool:
    """Tell whether words begin or end as only what stands within a sentence does."""
    return bool(_WORD.search(text)) and text != text.strip(" ,;")


def _is_choice(node: ast.AST) -> bool:
    return isinstance(node, ast.IfExp) and any(_has_words(branch) for branch in (node.body, node.orelse))


def _is_join(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join"
