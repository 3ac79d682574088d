"""Objects as values that JSON can hold, and back: the type hints of a class say both.

A frozen dataclass is an object with its fields as members, a tuple a list, an enumeration the text of its
value. :func:`describe` says where a file differs from the class. Reading refuses what is not of the type that
a hint names.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any, get_args, get_origin

from cattrs import BaseValidationError, Converter, transform_error
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from engine.errors import EngineError
from engine.parameters import Settings
from engine.translation import N_, _

DAMAGE = (
    BaseValidationError,
    KeyError,
    TypeError,
    ValueError,
    OverflowError,
    AttributeError,
    IndexError,
    EngineError,
)
"""What reading the values of a damaged file raises."""

_IS_NOT = {
    str: N_("{value} is not a text"),
    int: N_("{value} is not a whole number"),
    bool: N_("{value} is not true or false"),
    list: N_("{value} is not a list"),
}
_ODD_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def number(value: float) -> float | str:
    """Return a number as JSON can hold it.

    >>> number(0.5), number(math.inf), number(-math.inf), number(math.nan)
    (0.5, 'Infinity', '-Infinity', 'NaN')
    """
    if math.isfinite(value):
        return float(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def read_number(value: Any, _type: Any = None) -> float:
    """Read what :func:`number` wrote."""
    if type(value) is float:
        return value
    if isinstance(value, str) and value in _ODD_NUMBERS:
        return _ODD_NUMBERS[value]
    if type(value) is not int:
        raise TypeError(_("{value} is not a number", value=reprlib.repr(value)))
    return float(value)


def exact(value: Any, kind: Any) -> Any:
    """Return a value of a type as JSON holds it; refuse all else, which a conversion would let through."""
    if type(value) is not kind:
        raise TypeError(_(_IS_NOT[kind], value=reprlib.repr(value)))
    return value


def _read_text(value: Any, kind: Any) -> Any:
    if type(value) is kind:
        return value
    # An enumeration of texts is a kind of text to the converter.
    return exact(value, str) if kind is str else kind(value)


# A level of a variable is a text, and a value of a number stands under "value": so a level "NaN" stays one.
def write_place(at: str | float) -> Any:
    """Return a level or a value as JSON can hold it."""
    return at if isinstance(at, str) else {"value": number(at)}


def read_place(at: Any, _: Any = None) -> str | float:
    """Read what :func:`write_place` wrote."""
    return at if isinstance(at, str) else read_number(at["value"])


def new_converter() -> Converter:
    """Return what writes and reads objects by their type hints alone.

    >>> from engine.discovery.effects.estimates import EValue
    >>> converter = new_converter()
    >>> converter.unstructure(EValue(2.5, math.inf))
    {'estimate': 2.5, 'limit': 'Infinity'}
    >>> converter.structure({"estimate": 2.5, "limit": "Infinity"}, EValue)
    EValue(estimate=2.5, limit=inf)
    """
    converter = Converter(unstruct_collection_overrides={tuple: list})
    for kind in (int, bool):
        converter.register_structure_hook(kind, exact)
    converter.register_structure_hook(str, _read_text)
    converter.register_structure_hook(float, read_number)
    converter.register_unstructure_hook(float, number)
    # What may be anything is as JSON has it already, or cannot be written.
    converter.register_unstructure_hook_func(partial(_is, Any), lambda value: value)
    converter.register_unstructure_hook_func(partial(_is, str | float), write_place)
    converter.register_structure_hook_func(partial(_is, str | float), read_place)
    converter.register_unstructure_hook_func(_is_settings, lambda settings: settings.as_dict())
    converter.register_structure_hook_func(_is_settings, lambda values, kind: kind.from_dict(values))
    converter.register_structure_hook_factory(_is_sequence)(_sequence_reader)
    return converter


def _is(kind: Any, hint: Any) -> bool:
    return bool(hint == kind)


def _is_settings(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Settings)


def _is_sequence(hint: Any) -> bool:
    return get_origin(hint) in (tuple, Sequence)


def _sequence_reader(hint: Any, converter: Converter) -> Callable[[Any, Any], tuple[Any, ...]]:
    kinds = get_args(hint)
    if kinds[1:] not in ((), (Ellipsis,)):
        reads = [converter.get_structure_hook(kind) for kind in kinds]
        return lambda values, _: tuple(
            [read(value, kind) for read, value, kind in zip(reads, exact(values, list), kinds, strict=True)]
        )
    members = list[kinds[0]]  # type: ignore[valid-type]
    read = converter.get_structure_hook(members)
    return lambda values, _: tuple(read(exact(values, list), members))


def describe(
    converter: Converter,
    kind: type,
    keys: str,
    *,
    shown: Mapping[str, str] | None = None,
    inside: Mapping[str, str] | None = None,
    **changed: Any,
) -> None:
    """Describe the file form of a class: `keys` in order, with fields under these names.

    `shown` members are only written; `inside` members belong to an attribute; `changed` have another name or
    converter.
    """
    order, inside = keys.split(), inside or {}
    getters = {key: attrgetter(path) for key, path in {**(shown or {}), **inside}.items()}
    parts = {path.partition(".")[0] for path in inside.values()}
    names = {field.name: field.name for field in fields(kind)}
    names |= {name: change.rename for name, change in changed.items() if change.rename}
    omitted: dict[str, Any] = {name: override(omit=True) for name, key in names.items() if key not in order}
    write: Callable[[Any], dict[str, Any]] = make_dict_unstructure_fn(kind, converter, **changed, **omitted)
    for part in parts:
        del omitted[part]
    read: Callable[[Any, Any], Any] = make_dict_structure_fn(kind, converter, **changed, **omitted)

    def write_in_order(value: Any) -> dict[str, Any]:
        plain = write(value)
        for key, get in getters.items():
            plain[key] = converter.unstructure(get(value))
        return {key: plain[key] for key in order if key in plain}

    def read_parts(value: Any, _: Any) -> Any:
        gathered: dict[str, Any] = {part: {} for part in parts}
        for key, path in inside.items():
            part, _, name = path.partition(".")
            if key in value:
                gathered[part][name] = value[key]
        return read({**value, **gathered}, kind)

    is_in_order = list(names.values()) == order
    converter.register_unstructure_hook(kind, write if is_in_order else write_in_order)
    converter.register_structure_hook(kind, read_parts if parts else read)


def keyed(converter: Converter, kind: type, key: str, rename: str | None = None) -> Any:
    """Describe a mapping as the list of its values, which hold their key: an attribute, or several."""
    members, key_of = list[kind], attrgetter(*key.split())  # type: ignore[valid-type]
    write, read = converter.get_unstructure_hook(members), converter.get_structure_hook(members)
    return override(
        rename=rename,
        unstruct_hook=lambda values: write(list(values.values())),
        struct_hook=lambda values, _: {key_of(entry): entry for entry in read(exact(values, list), members)},
    )


def grouped(converter: Converter, kind: type, key: str) -> Any:
    """Describe a mapping of key to several values, which hold their key, as the list of all."""
    members, key_of = list[kind], attrgetter(key)  # type: ignore[valid-type]

    def read(values: Any, _: Any) -> dict[Any, tuple[Any, ...]]:
        by_key: dict[Any, list[Any]] = {}
        for entry in converter.structure(exact(values, list), members):
            by_key.setdefault(key_of(entry), []).append(entry)
        return {key: tuple(entries) for key, entries in by_key.items()}

    return override(
        unstruct_hook=lambda values: converter.unstructure(list(chain(*values.values())), members),
        struct_hook=read,
    )


def by_pair(converter: Converter, kind: Any, member: str, rename: str | None = None) -> Any:
    """Describe a mapping of pairs as a list of objects with a feature, a label, and `member`."""
    write, read = converter.get_unstructure_hook(kind), converter.get_structure_hook(kind)
    return override(
        rename=rename,
        unstruct_hook=lambda values: [
            {"feature": feature, "label": label, member: write(value)}
            for (feature, label), value in values.items()
        ],
        struct_hook=lambda values, _: {
            (exact(record["feature"], str), exact(record["label"], str)): read(record[member], kind)
            for record in values
        },
    )


def damage(error: Exception) -> str:
    """Say what is wrong in the values of a file, and where it is first met."""
    if isinstance(error, BaseValidationError):
        return transform_error(error, path="", format_exception=_problem)[0].replace("@ .", "in ")
    return _problem(error)


def _problem(error: BaseException, _type: Any = None) -> str:
    return _("{name} is absent", name=error) if isinstance(error, KeyError) else str(error)
