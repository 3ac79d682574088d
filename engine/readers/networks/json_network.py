"""A JSON description of a network: ``states`` of each variable, and ``cpt``, its conditional tables.

Each entry of ``cpt`` has ``parent`` (a name, or null) or ``parents`` (a list of names), and ``table``. With
no parent the table has one key, the empty text; with one it has a key a state of the parent; with several,
the tables of the next parent lie inside. Innermost stands the probability of each state; a state that is left
out is impossible. States may be texts or numbers::

    {"states": {"rain": [0, 1], "wet": ["no", "yes"]},
     "cpt": {"rain": {"parent": null, "table": {"": {"0": 0.8, "1": 0.2}}},
             "wet": {"parent": "rain", "table": {"0": {"no": 1.0}, "1": {"no": 0.2, "yes": 0.8}}}}}
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.errors import InvalidData
from engine.simulation.bayesian_network import BayesianNetwork, ConditionalTable
from engine.wording.sentences import CORRECT_LINE, CORRECT_NAME, REMOVE_ONE_OF_TWO, TOO_DEEP

_TOO_LARGE = 1e300

_REMEDY = "Describe the network by 'states' and 'cpt'."


def parse_json(text: str) -> BayesianNetwork:
    """Read a network from its JSON description.

    >>> network = parse_json('{"states": {"a": [0, 1]}, "cpt": {"a": {"table": {"": {"0": 0.3, "1": 0.7}}}}}')
    >>> network.levels["a"], network.tables["a"]
    (('0', '1'), array([0.3, 0.7]))
    """
    description = _load(text)
    levels = {name: _levels(name, states) for name, states in _object(description, "states", "").items()}
    entries = _object(description, "cpt", "")
    for name in levels.keys() ^ entries.keys():
        missing = "cpt" if name in levels else "states"
        raise InvalidData(f"it is not in '{missing}'.", place=f"node '{name}'", remedy=_REMEDY)
    parents = {name: _parents(name, entries[name], levels) for name in levels}
    tables = {}
    for name, own in levels.items():
        table = ConditionalTable(name, own, parents[name], [levels[parent] for parent in parents[name]])
        for configuration, probabilities in _rows(name, entries[name], len(parents[name])):
            table.set_row(configuration, _in_order(name, probabilities, own))
        tables[name] = table.finish()
    return BayesianNetwork(list(levels), parents, tables, levels)


def _load(text: str) -> dict[str, Any]:
    try:
        loaded = json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise InvalidData(
            "this is not JSON.",
            place=f"line {error.lineno}",
            remedy=CORRECT_LINE,
        ) from error
    except ValueError as error:
        raise InvalidData("a number has thousands of digits.", remedy=_REMEDY) from error
    except RecursionError:
        raise InvalidData(TOO_DEEP, remedy=_REMEDY) from None
    if not isinstance(loaded, dict):
        raise InvalidData("this is no description of a network.", remedy=_REMEDY)
    return loaded


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise InvalidData(f"'{twice}' stands twice in the same object.", remedy=REMOVE_ONE_OF_TWO)
    return found


def _object(holder: Any, key: str, place: str) -> dict[str, Any]:
    found = holder.get(key) if isinstance(holder, dict) else None
    if not isinstance(found, dict) or not found:
        raise InvalidData(f"'{key}' is missing or is no object.", place=place, remedy=_REMEDY)
    return found


def _levels(name: str, states: Any) -> tuple[str, ...]:
    usable = isinstance(states, list) and all(isinstance(state, str | int | float) for state in states)
    if not usable or not states or len(set(map(str, states))) < len(states):
        raise InvalidData(
            "its states are no list of different names.",
            place=f"node '{name}'",
            remedy="Name each state once.",
        )
    return tuple(map(str, states))


def _parents(name: str, entry: Any, levels: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    _object(entry, "table", f"node '{name}'")
    given = entry.get("parents", entry.get("parent"))
    listed = [] if given is None else given if isinstance(given, list) else [given]
    for parent in listed:
        if not isinstance(parent, str) or parent not in levels:
            raise InvalidData(
                f"its parent {parent!r} is no variable.", place=f"node '{name}'", remedy=CORRECT_NAME
            )
    return tuple(listed)


def _rows(name: str, entry: Any, depth: int) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Return each configuration of the parents with the probabilities that lie innermost."""
    table = entry["table"]
    waiting: list[tuple[tuple[str, ...], Any]] = [((), table if depth else table.get(""))]
    while waiting:
        configuration, inner = waiting.pop()
        if len(configuration) == depth:
            yield configuration, _object({"probabilities": inner}, "probabilities", f"node '{name}'")
            continue
        for state in _object({"table": inner}, "table", f"node '{name}'"):
            waiting.append(((*configuration, state), inner[state]))


def _in_order(name: str, probabilities: dict[str, Any], levels: tuple[str, ...]) -> list[float]:
    for state, value in probabilities.items():
        if state not in levels:
            raise InvalidData(
                f"it has no state '{state}'.", place=f"node '{name}'", remedy=f"Its states are {levels}."
            )
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        # A whole number of hundreds of digits is one that the machine cannot hold.
        if not is_number or not abs(value) < _TOO_LARGE:
            raise InvalidData(
                f"the probability of its state '{state}' is no number.",
                place=f"node '{name}'",
                remedy="Correct it.",
            )
    return [float(probabilities.get(level, 0.0)) for level in levels]
