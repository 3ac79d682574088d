"""Background knowledge of causes and effects: given once, checked, and never changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any

from engine.errors import InvalidParameter
from engine.translation import _, for_count
from engine.wording.notes import listed
from engine.wording.sentences import REMOVE_ONE_OF_TWO, nearest_or

Pair = tuple[str, str]

PLACE = "knowledge"
STAR = "*"
_PARTS_OF_PAIRS = ("forbidden", "required", "unconfounded")
# So many unknown names are written out in a message.
_MOST_NAMES = 5


@dataclass(frozen=True)
class Knowledge:
    """Background knowledge of causes and effects for a run.

    It settles directions. It changes the members of Markov boundaries only if the search follows the time
    order (`time_order` of :class:`engine.DiscoverySettings`). Then the boundary of a label holds no variable
    that is later than the label. Otherwise a later variable can belong to the boundary, because it can carry
    information about an earlier one.

    Parameters
    ----------
    tiers : sequence of sequence of str
        The order in time. No variable of a later tier is a cause, directly or through other variables, of one
        in an earlier tier. A variable stands in one tier at most. A variable without a tier is not
        restricted. Tiers may be empty.
    forbidden : sequence of (str, str)
        Direct edges that do not exist: in (from, to), the first variable is not a direct cause of the second.
        It may be a cause through other variables of the table.
    required : sequence of (str, str)
        Direct edges that exist: the first variable is a direct cause of the second. The two may also have an
        unmeasured common cause.
    not_effects : sequence of str
        Variables that no other variable of the table causes, such as age.
    unconfounded : sequence of (str, str)
        Pairs without an unmeasured common cause. The order within a pair has no meaning.

    Raises
    ------
    InvalidParameter
        If a name stands in two tiers, a pair names one variable twice, required edges form a cycle, or
        statements contradict each other.

    Examples
    --------
    >>> knowledge = Knowledge(tiers=[["age", "sex"], ["smoking"], ["cough"]], forbidden=[("age", "cough")])
    >>> knowledge.is_later("cough", "age"), knowledge.excludes("cough", "age")
    (True, True)
    >>> Knowledge(required=[("a", "b"), ("b", "a")])
    Traceback (most recent call last):
    engine.errors.InvalidParameter: knowledge: the required edges form a circle: a → b → a. Remove one.
    """

    tiers: Sequence[Sequence[str]] = ()
    forbidden: Sequence[Pair] = ()
    required: Sequence[Pair] = ()
    not_effects: Sequence[str] = ()
    unconfounded: Sequence[Pair] = ()

    def __post_init__(self) -> None:
        tiers = tuple(
            _names(tier, _("tier {position}", position=position))
            for position, tier in enumerate(_listed(self.tiers, "tiers"), 1)
        )
        object.__setattr__(self, "tiers", tiers)
        for part in _PARTS_OF_PAIRS:
            object.__setattr__(self, part, _pairs(getattr(self, part), part))
        object.__setattr__(self, "not_effects", _unique(_names(self.not_effects, "not_effects")))
        _check_tiers(tiers)
        _check_required(self)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said at all."""
        return not (self.names or self.required)

    @property
    def has_order(self) -> bool:
        """Whether variables stand in two tiers or more."""
        return sum(bool(tier) for tier in self.tiers) > 1

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every variable that is spoken of, each once."""
        pairs = (*self.forbidden, *self.required, *self.unconfounded)
        tiers = (name for tier in self.tiers for name in tier)
        return _unique((*tiers, *(name for pair in pairs for name in pair), *self.not_effects))

    @cached_property
    def _tier_of(self) -> dict[str, int]:
        return {name: position for position, tier in enumerate(self.tiers) for name in tier}

    @cached_property
    def _cannot_be_effects(self) -> frozenset[str]:
        return frozenset(self.not_effects)

    @cached_property
    def _asserted(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset(pair) for pair in self.unconfounded)

    def is_later(self, first: str, second: str) -> bool:
        """Tell whether the first stands in a later tier than the second."""
        tier = self._tier_of
        return first in tier and second in tier and tier[first] > tier[second]

    def excludes(self, cause: str, effect: str) -> bool:
        """Tell whether the tiers, or `not_effects`, say that one variable is no cause of another at all."""
        return effect in self._cannot_be_effects or self.is_later(cause, effect)

    def nothing_hidden(self, first: str, second: str) -> bool:
        """Tell whether a person asserts that nothing hidden is in common to two variables."""
        return frozenset((first, second)) in self._asserted

    def check_names(self, names: Iterable[str]) -> None:
        """Refuse names that are no variables.

        Parameters
        ----------
        names : iterable of str
            The variables there are, for example ``dataset.names``.

        Raises
        ------
        InvalidParameter
            When it speaks of a variable that is not among them; the message names it, and what is like it.
        """
        there = list(names)
        available = frozenset(there)
        unknown = [name for name in self.names if name not in available]
        if not unknown:
            return
        problem = for_count(
            len(unknown), "{names} is not a variable of the table.", "{names} are not variables of the table."
        )
        remedy = nearest_or(unknown[0], there, _("Correct the names, or remove them."))
        raise InvalidParameter(problem.format(names=listed(unknown, _MOST_NAMES)), place=PLACE, remedy=remedy)

    def restricted_to(self, names: Iterable[str]) -> Knowledge:
        """Leave out what speaks of other variables than these.

        Parameters
        ----------
        names : iterable of str
            For example those of a table of which columns were set aside.

        Returns
        -------
        Knowledge

        Examples
        --------
        >>> known = Knowledge(tiers=[["age"], ["cough", "sleep"]], not_effects=["sex"])
        >>> known.restricted_to(["age", "sleep"]).tiers
        (('age',), ('sleep',))
        """
        available = frozenset(names)
        pairs = {part: list(filter(available.issuperset, getattr(self, part))) for part in _PARTS_OF_PAIRS}
        return Knowledge(
            tiers=[[name for name in tier if name in available] for tier in self.tiers],
            not_effects=[name for name in self.not_effects if name in available],
            **pairs,
        )

    def renamed(self, names: Mapping[str, str]) -> Knowledge:
        """Speak of variables by other names.

        Parameters
        ----------
        names : mapping of str to str
            New name by old; others stay.

        Examples
        --------
        >>> Knowledge(tiers=[["age"], ["cough"]]).renamed({"age": "Age at visit"}).tiers
        (('Age at visit',), ('cough',))
        """
        pairs = {
            part: [
                (names.get(first, first), names.get(second, second)) for first, second in getattr(self, part)
            ]
            for part in _PARTS_OF_PAIRS
        }
        return Knowledge(
            tiers=[[names.get(name, name) for name in tier] for tier in self.tiers],
            not_effects=[names.get(name, name) for name in self.not_effects],
            **pairs,
        )


def names_like(pattern: str, names: Iterable[str]) -> tuple[str, ...]:
    """List the names that a pattern stands for.

    A name stands for itself where there is such a one. Otherwise these are one or more patterns with commas
    between them, in which ``*`` stands for any letters, or none.

    >>> names_like("visit1_*", ["age", "visit1_pain", "visit2_pain"])
    ('visit1_pain',)
    >>> names_like("a*, b", ["aa", "b", "c"])
    ('aa', 'b')
    """
    there = list(names)
    if pattern in there:
        return (pattern,)
    parts = [part.strip() for part in pattern.split(",") if part.strip()]
    # Brackets and question marks are letters like any other here.
    shapes = [re.compile(translate(part.replace("[", "[[]").replace("?", "[?]"))) for part in parts]
    return tuple(name for name in there if any(shape.match(name) for shape in shapes))


def _listed(value: Any, part: str) -> Sequence[Any]:
    """Refuse what is no list; a text is none, though it has members."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise InvalidParameter(_("'{part}' is not a list.", part=part), place=PLACE, remedy=_("Give a list."))
    return value


def _names(value: Any, part: str) -> tuple[str, ...]:
    names = tuple(_listed(value, part))
    for name in names:
        if not isinstance(name, str) or not name:
            raise InvalidParameter(
                _("{shown} in '{part}' is not the name of a variable.", shown=_shown(name), part=part),
                place=PLACE,
                remedy=_("Give names as texts."),
            )
    return names


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _pairs(value: Any, part: str) -> tuple[Pair, ...]:
    pairs = []
    for pair in _listed(value, part):
        names = _names(pair, part)
        if len(names) != 2:
            raise InvalidParameter(
                _("{shown} in '{part}' is not a pair.", shown=_shown(list(names)), part=part),
                place=PLACE,
                remedy=_("Give two names: the first leads to the second."),
            )
        if names[0] == names[1]:
            raise InvalidParameter(
                _("'{name}' is paired with itself in '{part}'.", name=names[0], part=part),
                place=PLACE,
                remedy=_("Remove the pair."),
            )
        pairs.append((names[0], names[1]))
    return tuple(dict.fromkeys(pairs))


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _check_tiers(tiers: Sequence[Sequence[str]]) -> None:
    where: dict[str, int] = {}
    for number, tier in enumerate(tiers, 1):
        for name in tier:
            if name in where:
                problem = (
                    _("'{name}' stands in tier {number} twice.", name=name, number=number)
                    if where[name] == number
                    else _(
                        "'{name}' stands in tiers {where} and {number}.",
                        name=name,
                        where=where[name],
                        number=number,
                    )
                )
                raise InvalidParameter(problem, place=PLACE, remedy=_("Leave it in one place."))
            where[name] = number


def _check_required(knowledge: Knowledge) -> None:
    """Refuse required edges that form a circle, or that another part rules out."""
    effects: dict[str, list[str]] = {}
    for cause, effect in knowledge.required:
        effects.setdefault(cause, []).append(effect)
    try:
        TopologicalSorter(effects).prepare()
    except CycleError as error:
        # It goes from each effect to its cause, and ends where it begins.
        circle = " → ".join(reversed(error.args[1]))
        raise InvalidParameter(
            _("the required edges form a circle: {circle}.", circle=circle),
            place=PLACE,
            remedy=_("Remove one."),
        ) from None
    forbidden = frozenset(knowledge.forbidden)
    for cause, effect in knowledge.required:
        if (cause, effect) in forbidden:
            raise _contradiction(
                _("the edge {cause} → {effect} is both required and forbidden.", cause=cause, effect=effect),
                (cause, effect),
            )
    # What is required edge by edge is a cause through several, too.
    for path in _paths(effects, knowledge.excludes):
        cause, effect = path[0], path[-1]
        required = " → ".join(path)
        problem = (
            _("{required} is required, but '{effect}' cannot be an effect.", required=required, effect=effect)
            if effect in knowledge.not_effects
            else _(
                "{required} is required, but '{cause}' stands in a later tier than '{effect}'.",
                required=required,
                cause=cause,
                effect=effect,
            )
        )
        raise _contradiction(problem, path)


def _contradiction(problem: str, path: Sequence[str]) -> InvalidParameter:
    remedy = _(REMOVE_ONE_OF_TWO) if len(path) == 2 else _("Remove one of the edges, or what rules them out.")
    return InvalidParameter(problem, place=PLACE, remedy=remedy)


def _paths(effects: dict[str, list[str]], is_excluded: Callable[[str, str], bool]) -> Iterator[list[str]]:
    """Return a shortest path of required edges for each pair of ends that is ruled out."""
    for start in effects:
        before: dict[str, str] = {}
        waiting = [start]
        for name in waiting:
            for effect in effects.get(name, ()):
                if effect in before:
                    continue
                before[effect] = name
                waiting.append(effect)
                if is_excluded(start, effect):
                    path = [effect]
                    while path[-1] != start:
                        path.append(before[path[-1]])
                    yield path[::-1]
