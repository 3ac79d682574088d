r"""The language of computed columns and filters: a text becomes a tree, and nothing is ever executed.

In decreasing strength::

    ( … )   function( … , … )   number   "text"   column   `any column`   “any column”
    ^                                          power
    -                                          sign
    *  /      then      +  -
    =  ≠  <  ≤  >  ≥  (also ==, !=, <>, <=, >=), in a row: 18 <= age < 65
    is missing, is not missing, is in [ … ], is not in [ … ] (also in, not in)
    not       then      and       then      or

Words of the language may be written in capitals. A column whose name is no plain word stands between
backticks or “…”; a mark within a text or a name is written twice. The
parser is one method a strength; :mod:`engine.recipe.evaluation` says what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.errors import InvalidExpression
from engine.translation import N_, _
from engine.wording.numbers import counted
from engine.wording.phrases import plain_listing
from engine.wording.sentences import TOO_DEEP

MOST_CHARACTERS = 10_000
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Number:
    """A number, and where it stands."""

    value: float
    at: int


@dataclass(frozen=True, slots=True)
class QuotedText:
    """A text between quotation marks."""

    value: str
    at: int


@dataclass(frozen=True, slots=True)
class ColumnValue:
    """The value of a column in each row."""

    name: str
    at: int


@dataclass(frozen=True, slots=True)
class Operation:
    """What is made of other values."""

    name: str  # a function, arithmetic, negative, comparison, missing, among, not, and, or
    operands: tuple[Expression, ...]  # of among, the value and then those of the list
    at: int
    # between operands: arithmetic goes from the left, without precedence; comparisons all hold
    signs: tuple[str, ...] = ()


Expression = Number | QuotedText | ColumnValue | Operation


def parse(text: str) -> Expression:
    """Read an expression.

    >>> parse("- age").operands
    (ColumnValue(name='age', at=2),)
    >>> parse("age >=")
    Traceback (most recent call last):
    engine.errors.InvalidExpression: position 7: the expression ends here. Add a number, a "text" or a column.
    """
    if len(text) > MOST_CHARACTERS:
        raise InvalidExpression(
            _(
                "the expression is longer than {most:,} characters.",
                most=MOST_CHARACTERS,
            ),
            MOST_CHARACTERS,
            remedy=_("Divide it among several computed columns."),
        )
    return _ExpressionParser(text).whole()


def columns_of(expression: Expression) -> tuple[str, ...]:
    """Return the columns that an expression uses, each once, in the order in which they stand in it."""
    return tuple(dict.fromkeys(leaf.name for leaf in _leaves(expression) if isinstance(leaf, ColumnValue)))


def quoted(name: str) -> str:
    """Write the name of a column as an expression has it.

    >>> quoted("age"), quoted("Age at visit"), quoted("or")
    ('age', '`Age at visit`', '`or`')
    """
    is_word = _WORD.fullmatch(name) is not None
    if is_word and name.lower() not in _KEYWORDS and name.lower() not in FUNCTIONS:
        return name
    return "`{}`".format(name.replace("`", "``"))


def literal(value: str) -> str:
    """Write a text as an expression has it.

    >>> print(literal("yes"), literal('5" pipe'))
    "yes" "5"" pipe"
    """
    return '"{}"'.format(value.replace('"', '""'))


FUNCTIONS: dict[str, tuple[int, int | None]] = {
    "log": (1, 1),
    "log2": (1, 1),
    "log10": (1, 1),
    "exp": (1, 1),
    "sqrt": (1, 1),
    "abs": (1, 1),
    "round": (1, 1),
    "min": (2, None),
    "max": (2, None),
    "count": (1, None),
    "if": (3, 3),
}
"""How many values each function takes, at least and at most."""

_ONE_VALUE = N_("It takes one value.")
_TWO_VALUES = N_("It takes two values or more.")
_HOW_MANY = dict.fromkeys(FUNCTIONS, _ONE_VALUE) | {
    "min": _TWO_VALUES,
    "max": _TWO_VALUES,
    "count": N_("It takes one condition or more."),
    "if": N_("It takes a condition, the value where it is true, and the value where it is not."),
}

_KEYWORDS = frozenset({"and", "or", "not", "is", "in", "missing"})
_WORD = re.compile(r"[^\W\d][\w.]*")
_SKIP = re.compile(r"\s+")
_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<word>[^\W\d][\w.]*)"
    r"|(?P<column>`(?:[^`]|``)*`|“[^”]*”)"
    r"|(?P<text>\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*')"
    r"|(?P<sign>\*\*|<=|>=|<>|!=|==|[-+*/^()<>=≤≥≠,\[\]])"
)
_SAME_SIGNS = {"**": "^", "<=": "≤", ">=": "≥", "<>": "≠", "!=": "≠", "==": "="}
_COMPARISONS = ("=", "≠", "<", "≤", ">", "≥")
_OPENING = {"`": "`", "“": "”", '"': '"', "'": "'"}


@dataclass(frozen=True, slots=True)
class _ExpressionToken:
    kind: str
    text: str
    at: int


def _tokens(text: str) -> Iterator[_ExpressionToken]:
    position = 0
    while position < len(text):
        blank = _SKIP.match(text, position)
        if blank is not None:
            position = blank.end()
            continue
        match = _TOKEN.match(text, position)
        if match is None:
            raise _strange(text, position)
        kind = str(match.lastgroup)
        token = match[kind]
        if kind in ("column", "text"):
            token = token[1:-1].replace(2 * token[0], token[0])
        if kind == "word" and token.lower() in _KEYWORDS:
            kind, token = "keyword", token.lower()
        yield _ExpressionToken(kind, _SAME_SIGNS.get(token, token) if kind == "sign" else token, position)
        position = match.end()
    yield _ExpressionToken("end", "", len(text))


def _strange(text: str, position: int) -> InvalidExpression:
    character = text[position]
    if character in _OPENING:
        return InvalidExpression(
            _("what begins with {character} does not end.", character=character),
            position,
            remedy=_("Add {character} behind it.", character=_OPENING[character]),
        )
    return InvalidExpression(
        _("the character {character!r} means nothing here.", character=character),
        position,
        remedy=_('Put names with such characters between `…`, and texts between "…".'),
    )


def _leaves(expression: Expression) -> Iterator[Number | QuotedText | ColumnValue]:
    """Yield what is no operation, from left to right."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Operation):
            waiting.extend(reversed(node.operands))
        else:
            yield node


def _not(condition: Expression, at: int) -> Operation:
    return Operation("not", (condition,), at)


class _ExpressionParser:
    """One method a strength of binding, the weakest first."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._next = 0
        self._depth = 0

    def whole(self) -> Expression:
        expression = self._either()
        if self._token.kind != "end":
            remedy = _("Join two parts by and, or, or a sign such as + or =.")
            raise self._wrong(_("'{text}' is not expected here.", text=self._token.text), remedy)
        return expression

    def _wrong(self, problem: str, remedy: str) -> InvalidExpression:
        """Make the error about the token that is not yet taken."""
        return InvalidExpression(problem, self._token.at, remedy=remedy)

    @property
    def _token(self) -> _ExpressionToken:
        return self._tokens[self._next]

    def _take(self, kind: str, *texts: str) -> _ExpressionToken | None:
        token = self._token
        if token.kind != kind or (texts and token.text not in texts):
            return None
        self._next += 1
        return token

    def _require(self, sign: str, remedy: str) -> None:
        if self._take("sign", sign) is None:
            raise self._wrong(_("{sign!r} is missing here.", sign=sign), remedy)

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._wrong(_(TOO_DEEP), _("Divide it among several computed columns, one for each part."))

    def _either(self) -> Expression:
        self._deeper()
        expression = self._joined("or", self._both)
        self._depth -= 1
        return expression

    def _both(self) -> Expression:
        return self._joined("and", self._negated)

    def _joined(self, word: str, part: Callable[[], Expression]) -> Expression:
        at = self._token.at
        operands = [part()]
        while self._take("keyword", word) is not None:
            operands.append(part())
        return operands[0] if len(operands) == 1 else Operation(word, tuple(operands), at)

    def _negated(self) -> Expression:
        first, negations = self._token.at, 0
        while self._take("keyword", "not") is not None:
            negations += 1
        expression = self._compared()
        return _not(expression, first) if negations % 2 else expression

    def _compared(self) -> Expression:
        at = self._token.at
        first = self._sum()
        if self._take("keyword", "is") is not None:
            return self._stated(first, at)
        if self._take("keyword", "in") is not None:
            return Operation("among", (first, *self._listed()), at)
        if self._take("keyword", "not") is not None:
            if self._take("keyword", "in") is None:
                remedy = _("Put 'not' before the condition, or write 'not in [ … ]'.")
                raise self._wrong(_("'not' is followed by no 'in'."), remedy)
            return _not(Operation("among", (first, *self._listed()), at), at)
        operands, signs = [first], []
        while (sign := self._take("sign", *_COMPARISONS)) is not None:
            operands.append(self._sum())
            signs.append(sign.text)
        return Operation("comparison", tuple(operands), at, tuple(signs)) if signs else first

    def _stated(self, operand: Expression, at: int) -> Expression:
        is_not = self._take("keyword", "not") is not None
        if self._take("keyword", "missing") is not None:
            expression = Operation("missing", (operand,), at)
        elif self._take("keyword", "in") is not None:
            expression = Operation("among", (operand, *self._listed()), at)
        else:
            remedy = _('Compare by =, as in sex = "female".')
            raise self._wrong(_("'is' is followed by neither 'missing' nor 'in'."), remedy)
        return _not(expression, at) if is_not else expression

    def _listed(self) -> tuple[Number | QuotedText, ...]:
        self._require("[", _("A list of values stands between [ and ], as in [1, 2]."))
        values: list[Number | QuotedText] = []
        while True:
            at = self._token.at
            sign = self._take("sign", "-", "+")
            number = self._take("number")
            text = self._take("text") if sign is None else None
            if number is not None:
                value = float(number.text)
                values.append(Number(-value if sign is not None and sign.text == "-" else value, at))
            elif text is not None:
                values.append(QuotedText(text.text, at))
            else:
                raise InvalidExpression(
                    _("a list holds numbers and texts only."), at, remedy=_('Write texts between "…".')
                )
            if self._take("sign", ",") is None:
                break
        self._require("]", _("Close the list by ]."))
        return tuple(values)

    def _sum(self) -> Expression:
        return self._arithmetic(("+", "-"), self._product)

    def _product(self) -> Expression:
        return self._arithmetic(("*", "/"), self._signed)

    def _arithmetic(self, signs: tuple[str, ...], part: Callable[[], Expression]) -> Expression:
        at = self._token.at
        operands, between = [part()], []
        while (sign := self._take("sign", *signs)) is not None:
            operands.append(part())
            between.append(sign.text)
        return Operation("arithmetic", tuple(operands), at, tuple(between)) if between else operands[0]

    def _signed(self) -> Expression:
        at, minus = self._token.at, 0
        while (sign := self._take("sign", "-", "+")) is not None:
            minus += sign.text == "-"
        expression = self._power()
        return Operation("negative", (expression,), at) if minus % 2 else expression

    def _power(self) -> Expression:
        at = self._token.at
        base = self._value()
        if self._take("sign", "^") is None:
            return base
        self._deeper()
        exponent = self._signed()
        self._depth -= 1
        return Operation("arithmetic", (base, exponent), at, ("^",))

    def _value(self) -> Expression:
        token = self._token
        if self._take("number") is not None:
            value = float(token.text)
            if value == float("inf"):
                raise InvalidExpression(
                    _("the number is too large."), token.at, remedy=_("Use a smaller one.")
                )
            return Number(value, token.at)
        if self._take("text") is not None:
            return QuotedText(token.text, token.at)
        if self._take("column") is not None:
            return ColumnValue(token.text, token.at)
        if self._take("word") is not None:
            return self._call(token) if self._token.text == "(" else ColumnValue(token.text, token.at)
        if self._take("sign", "(") is not None:
            expression = self._either()
            self._require(")", _("Close what ( opens."))
            return expression
        remedy = _('Add a number, a "text" or a column.')
        if token.kind == "end":
            raise self._wrong(_("the expression ends here."), remedy)
        raise self._wrong(_("a value is expected here, not '{text}'.", text=token.text), remedy)

    def _call(self, name: _ExpressionToken) -> Expression:
        function = name.text.lower()
        if function not in FUNCTIONS:
            raise InvalidExpression(
                _("there is no function {name!r}.", name=name.text),
                name.at,
                remedy=_("There are {functions}.", functions=plain_listing(list(FUNCTIONS))),
            )
        self._require("(", _("Open the values of the function by (."))
        arguments = [self._either()]
        while self._take("sign", ",") is not None:
            arguments.append(self._either())
        self._require(")", _("Close the values of the function by )."))
        least, most = FUNCTIONS[function]
        if len(arguments) < least or (most is not None and len(arguments) > most):
            raise InvalidExpression(
                _(
                    "'{function}' has {values} here.",
                    function=function,
                    values=counted(len(arguments), "value"),
                ),
                name.at,
                remedy=_(_HOW_MANY[function]),
            )
        return Operation(function, tuple(arguments), name.at)
