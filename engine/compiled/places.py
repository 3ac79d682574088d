"""Tables that a kernel finds by their address, and kernels that others call by theirs.

A kernel that is handed a table is compiled for tables of this kind, together with all that it calls. A search
would thus be compiled once for each kind of table, and each test once for each kind of search. Here a search
is given two addresses alone: where the table is described, and where the test for its kind begins. It is
compiled once, and so is each test.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, register_model
from numba.np.arrayobj import get_itemsize, populate_array

_WORD = ir.IntType(64)
_ADDRESS = types.int64


class PlaceType(types.Type):
    """How a kernel knows the address of what :func:`described` tells of an array, number or named tuple."""

    def __init__(self, content: Any) -> None:
        self.content = content
        super().__init__(name=f"Place({content})")

    @property
    def types(self) -> tuple[Any]:
        """What it is made of."""
        return (self.content,)

    @property
    def instance_class(self) -> type | None:
        """Class of the named tuple; None for a plain one."""
        return getattr(self.content, "instance_class", None)


@register_model(PlaceType)
class _PlaceModel(models.PrimitiveModel):
    """An address is a whole number, as those who call by address hand it over."""

    def __init__(self, manager: Any, place: PlaceType) -> None:
        super().__init__(manager, place, _WORD)  # type: ignore[no-untyped-call]


def described(value: Any) -> np.ndarray:
    """Return addresses, shapes and numbers of a value for a kernel; the value has to stay in memory."""
    words: list[int] = []
    _describe(value, words)
    return np.array(words, dtype=np.int64)


def _describe(value: Any, words: list[int]) -> None:
    if isinstance(value, tuple):
        for part in value:
            _describe(part, words)
    elif isinstance(value, np.ndarray):
        words += (value.__array_interface__["data"][0], *value.shape, *value.strides)
    elif isinstance(value, float):
        words += struct.unpack("q", struct.pack("d", value))
    else:
        words.append(int(value))


def kind_of(value: Any) -> Any:
    """Return what values have in common that the same kernel serves; quicker than asking the compiler."""
    if isinstance(value, tuple):
        return type(value), *map(kind_of, value)
    if isinstance(value, np.ndarray):
        flags = value.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return value.dtype, value.ndim, layout, flags.aligned
    return type(value)


def place_of(value: Any) -> PlaceType:
    """Return the type of the address of a value; whether arrays may be written makes no difference."""
    return PlaceType(_type_of(value))


def _type_of(value: Any) -> Any:
    if isinstance(value, tuple):
        return types.BaseTuple.from_types(  # type: ignore[no-untyped-call]
            tuple(map(_type_of, value)), type(value)
        )
    of_value = numba.typeof(value)  # type: ignore[no-untyped-call]
    return of_value.copy(readonly=False) if isinstance(of_value, types.Array) else of_value


def address_of(kernel: Any, argument_types: tuple[Any, ...], result_type: Any) -> int:
    """Compile a kernel, unless that was done before, and return where it begins."""
    kernel.compile(argument_types)
    compiled = kernel.overloads[argument_types]
    if compiled.signature.return_type != result_type:
        raise TypeError(f"{kernel.__name__} gives {compiled.signature.return_type} and not {result_type}.")
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def caller(argument_types: tuple[Any, ...], result_type: Any) -> Callable[..., Any]:
    """Return what a kernel calls others with: it takes their address, and then their arguments."""

    @intrinsic
    def call(_: Any, address: Any, arguments: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            convention = context.call_conv
            function = convention.get_function_type(result_type, argument_types)
            begin = builder.inttoptr(values[0], function.as_pointer())
            unpacked = [
                context.cast(builder, builder.extract_value(values[1], position), given, wanted)
                for position, (given, wanted) in enumerate(zip(arguments, argument_types, strict=True))
            ]
            status, result = convention.call_function(builder, begin, result_type, argument_types, unpacked)
            with builder.if_then(status.is_error, likely=False):
                convention.return_status_propagate(builder, status)
            return result

        return result_type(_ADDRESS, arguments), generate

    return call


@intrinsic
def _parts_of(_: Any, place: Any) -> Any:
    """Return the parts of the named tuple that is described at a place."""
    kinds = [_known_as(part) for part in place.content]

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        parts = [_part(context, builder, values[0], place, position) for position in range(len(kinds))]
        return context.make_tuple(builder, signature.return_type, parts)

    return types.Tuple(kinds)(place), generate  # type: ignore[no-untyped-call]


parts_of: Any = _parts_of


@infer_getattr
class _Attributes(AttributeTemplate):
    """A place has the attributes of the named tuple that is described there."""

    key = PlaceType

    def generic_resolve(self, place: PlaceType, name: str) -> Any:  # type: ignore[override]
        fields = getattr(place.content, "fields", ())
        return _known_as(place.content[fields.index(name)]) if name in fields else None


@lower_getattr_generic(PlaceType)  # type: ignore[no-untyped-call,untyped-decorator]
def _attribute(context: Any, builder: Any, place: PlaceType, value: Any, name: str) -> Any:
    return _part(context, builder, value, place, place.content.fields.index(name))


def _known_as(content: Any) -> Any:
    """Return the type by which a kernel knows a part: a named tuple stays where it is described."""
    return PlaceType(content) if isinstance(content, types.BaseTuple) else content


def _contents(content: Any) -> list[Any]:
    """List the types of the parts of a named tuple."""
    return list(content)


def _length(content: Any) -> int:
    """Count the words that describe a value of a type."""
    if isinstance(content, types.BaseTuple):
        return sum(map(_length, _contents(content)))
    return 1 + 2 * content.ndim if isinstance(content, types.Array) else 1


def _part(context: Any, builder: Any, address: Any, place: PlaceType, position: int) -> Any:
    """Load a part of what is described."""
    contents = _contents(place.content)
    content, start = contents[position], sum(map(_length, contents[:position]))
    if isinstance(content, types.BaseTuple):
        return builder.add(address, _WORD(8 * start))
    words = builder.inttoptr(address, _WORD.as_pointer())
    if isinstance(content, types.Array):
        data, *lengths = (_word(builder, words, start + offset) for offset in range(_length(content)))
        array = context.make_array(content)(context, builder)
        populate_array(  # type: ignore[no-untyped-call]
            array,
            data=builder.inttoptr(data, array.data.type),
            shape=lengths[: content.ndim],
            strides=lengths[content.ndim :],
            itemsize=context.get_constant(types.intp, get_itemsize(context, content)),  # type: ignore[no-untyped-call]
            # It belongs to Python, which keeps it.
            meminfo=None,
        )
        return array._getvalue()
    word = _word(builder, words, start)
    if content == types.float64:
        return builder.bitcast(word, ir.DoubleType())
    if content == types.boolean:
        return builder.icmp_unsigned("!=", word, _WORD(0))
    return context.cast(builder, word, types.int64, content)


def _word(builder: Any, words: Any, position: int) -> Any:
    """Load a word, which stays the same as long as the kernel runs."""
    word = builder.load(builder.gep(words, [_WORD(position)]))
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word
