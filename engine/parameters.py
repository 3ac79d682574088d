"""Settings written once: each field carries its title, help and range for window, terminal and docs."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import numbers
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from engine.errors import InvalidParameter
from engine.progress import Progress, SilentProgress
from engine.translation import N_, _
from engine.wording.sentences import NO_PATH, choose_one
from engine.wording.setting_names import the_setting

_ADDRESS = re.compile(r"[a-z]+://\S+:\d{1,5}")

_PARAMETERS = "\n\nParameters\n----------"
_SECTION = re.compile(r"\n\n\w+\n-+\n")
_LINE_LENGTH = 96

# Which type the value of each kind of setting has, as docstrings say it.
_TYPES = {
    "choice": "str",
    "integer": "int",
    "number": "float",
    "flag": "bool",
    "text": "str",
    "texts": "tuple of str",
    "address": "str",
}
# Which kind of setting a field is, by its annotation.
_KINDS = {"int": "integer", "float": "number", "bool": "flag", "str": "text", "tuple[str, ...]": "texts"}
_OR_NONE = " | None"
# How a number of any library is made one of Python's own, and a list one that cannot change.
_PLAIN: dict[str, Callable[[Any], Any]] = {"integer": int, "number": float, "texts": tuple}


_GROUPED_FROM = 10_000


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that a setting may take, and what it means."""

    value: str
    title: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """Everything that a window, a terminal or a manual needs to offer one setting."""

    name: str  # of the field in the settings class
    title: str
    help: str  # one sentence that says what it does and when to change it
    default: Any
    # "choice", "integer", "number", "flag", "text", "texts" (a tuple of str) or "address" (of a service)
    kind: str
    choices: tuple[Choice, ...] = ()
    minimum: float = -math.inf  # inclusive range of a number, unless `open_interval`
    maximum: float = math.inf
    open_interval: bool = False
    optional: bool = False  # None is allowed and means "decide for me"
    advanced: bool = False  # shown folded away
    # values at which a slider stops, rising; empty where a slider would not help
    steps: tuple[float, ...] = ()
    # another value can lead to another result; else it decides only who does the work
    changes_result: bool = True

    def check(self, value: Any) -> None:
        """Raise InvalidParameter unless `value` can be taken."""
        if value is None and self.optional:
            return
        if self.kind == "choice":
            self._check_choice(value)
        elif self.kind == "flag":
            if not isinstance(value, bool):
                raise self._error(value, _("Use True or False."))
        elif self.kind == "address":
            if not isinstance(value, str) or not _ADDRESS.fullmatch(value):
                raise self._error(value, _("Use an address such as tcp://192.168.1.5:8786."))
        elif self.kind == "text":
            if not isinstance(value, str) or not value:
                raise self._error(value, _("Use a text."))
        elif self.kind == "texts":
            if not isinstance(value, tuple) or not all(isinstance(text, str) for text in value):
                raise self._error(value, _("Use a list of texts."))
        else:
            self._check_number(value)

    def _check_choice(self, value: Any) -> None:
        allowed = [choice.value for choice in self.choices]
        if value not in allowed:
            raise self._error(value, choose_one(allowed))

    def _check_number(self, value: Any) -> None:
        number_type = numbers.Integral if self.kind == "integer" else numbers.Real
        if isinstance(value, bool) or not isinstance(value, number_type):
            raise self._error(
                value, _("Use a whole number.") if self.kind == "integer" else _("Use a number.")
            )
        number: Any = value
        inside = self.minimum <= number <= self.maximum
        if self.open_interval:
            inside = self.minimum < number < self.maximum
        if not inside:
            raise self._error(value, _("Use a value {span}.", span=self.range_in_words()))

    def range_in_words(self) -> str:
        """Say the allowed range, e.g. ``"between 0 and 1 (ends excluded)"``."""
        low, high = _plain(self.minimum), _plain(self.maximum)
        if math.isinf(self.minimum):
            return _("below {high}", high=high) if self.open_interval else _("of at most {high}", high=high)
        if math.isinf(self.maximum):
            return _("above {low}", low=low) if self.open_interval else _("of at least {low}", low=low)
        if self.open_interval:
            return _("between {low} and {high} (ends excluded)", low=low, high=high)
        return _("between {low} and {high}", low=low, high=high)

    def _error(self, value: Any, remedy: str) -> InvalidParameter:
        return impossible_value(value, the_setting(self.name), remedy)


def _plain(limit: float) -> str:
    """Write the end of a range, a large one in groups of three digits and never by a power of ten."""
    return f"{limit:,.0f}" if _GROUPED_FROM <= abs(limit) < math.inf else f"{limit:g}"


def parameter(default: Any, title: str, help: str, **details: Any) -> Any:
    """Make a dataclass field that knows how it is offered to a person.

    `details` are other fields of :class:`Parameter`. The type of the field says of which kind it is, and
    whether it may be left empty.

    >>> @dataclass(frozen=True, slots=True)
    ... class Binning(Settings):
    ...     bins: int = parameter(2, "Bins", "Number of bins.", minimum=2)
    >>> Binning(bins=5)
    Binning(bins=5)
    >>> parameters_of(Binning)[0].range_in_words()
    'of at least 2'
    """
    return dataclasses.field(
        default=default, metadata={"parameter": {"title": title, "help": help, **details}}
    )


def seed_parameter(help: str, title: str = N_("Seed"), maximum: int = 2**31 - 1, **details: Any) -> Any:
    """Make the field of a number from which random draws follow."""
    return parameter(0, title, help, minimum=0, maximum=maximum, **details)


def workers_parameter(help: str, **details: Any) -> Any:
    """Make the field of how much is done at once."""
    return parameter(None, N_("Parallel workers"), help, minimum=1, maximum=256, **details)


def repeated_parameter(settings_class: type[Settings], name: str, **changes: Any) -> Any:
    """Make a field that is offered as one of another class is, but for `changes`."""
    field = settings_class.__dataclass_fields__[name]
    return parameter(**({"default": field.default} | field.metadata["parameter"] | changes))


def parameters_of(settings_class: type) -> tuple[Parameter, ...]:
    """List the parameters of a settings class, in the order in which they are offered."""
    return tuple(
        _with_choices(_parameter_of_field(field), field.metadata["parameter"].get("choices"))
        for field in dataclasses.fields(settings_class)
        if "parameter" in field.metadata
    )


def parameter_of(settings_class: type, name: str) -> Parameter:
    """Return one parameter of a settings class."""
    return next(setting for setting in parameters_of(settings_class) if setting.name == name)


@dataclass(frozen=True, slots=True)
class Settings:
    """Base of settings, frozen dataclasses of :func:`parameter` fields: their values are checked."""

    def __post_init__(self) -> None:
        check_parameters(self)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, in field order."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], **more: Any) -> Self:
        """Return settings by name; those that a newer program added are unknown here and left out."""
        names = {field.name for field in dataclasses.fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in names}, **more)


_SettingsClass = TypeVar("_SettingsClass", bound=type[Settings])


def described(settings_class: _SettingsClass) -> _SettingsClass:
    r"""Say in the docstring of a class of settings what each of them is, as window and terminal say it.

    >>> @described
    ... @dataclass(frozen=True, slots=True)
    ... class Binning(Settings):
    ...     '''How numbers are cut.'''
    ...     bins: int = parameter(2, "Bins", "Number of bins.", minimum=2)
    >>> print(*Binning.__doc__.splitlines()[-2:], sep="\n")
    bins : int, default 2
        Number of bins. A value of at least 2.
    """
    text = inspect.cleandoc(settings_class.__doc__ or "")
    before, heading, others = text.partition(_PARAMETERS)
    if not heading:
        first_section = _SECTION.search(text)
        end = len(text) if first_section is None else first_section.start()
        before, others = text[:end], text[end:]
    fields = "".join(f"\n{_numpydoc(setting)}" for setting in parameters_of(settings_class))
    settings_class.__doc__ = f"{before}{_PARAMETERS}{fields}{others}"
    return settings_class


def _numpydoc(setting: Parameter) -> str:
    kind = _TYPES[setting.kind]
    if setting.optional:
        kind = f"{kind}, optional"
    if setting.default is not None:
        kind = f"{kind}, default {setting.default!r}"
    description = setting.help
    if setting.choices:
        allowed = ", ".join(repr(choice.value) for choice in setting.choices)
        description = f"{description} One of {allowed}."
    elif math.isfinite(setting.minimum) or math.isfinite(setting.maximum):
        description = f"{description} A value {setting.range_in_words()}."
    lines = textwrap.wrap(description, _LINE_LENGTH, break_on_hyphens=False)
    return "\n    ".join([f"{setting.name} : {kind}", *lines])


def check_parameters(settings: Settings) -> None:
    """Check every field of `settings`, and make numbers Python's own, which any file can hold."""
    for description in parameters_of(type(settings)):
        value = getattr(settings, description.name)
        if description.kind == "texts" and isinstance(value, list):
            value = tuple(value)
        description.check(value)
        if value is not None and description.kind in _PLAIN:
            object.__setattr__(settings, description.name, _PLAIN[description.kind](value))


def require_type(value: object, expected: type, name: str, remedy: str = "") -> None:
    """Refuse what is of another type than a function works on; `remedy` says how such a thing is made.

    >>> require_type({"alpha": 0.05}, Choice, "a")
    Traceback (most recent call last):
    engine.errors.InvalidParameter: setting 'a': it is of the type dict, not Choice. Make it with `Choice`.
    """
    if not isinstance(value, expected):
        raise InvalidParameter(
            _(
                "it is of the type {kind}, not {expected}.",
                kind=type(value).__name__,
                expected=expected.__name__,
            ),
            place=the_setting(name),
            remedy=remedy or _("Make it with `{kind}`.", kind=expected.__name__),
        )


def required_path(path: str | os.PathLike[str]) -> Path:
    """Return where a file is, and refuse what is no path, as a table in memory.

    >>> required_path(3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    engine.errors.InvalidParameter: setting 'path': it is of the type int, not a path. Give ...
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidParameter(
            _(NO_PATH, kind=type(path).__name__),
            place=the_setting("path"),
            remedy=_("Give the name of a file. A table in memory becomes a dataset by `Dataset.from_frame`."),
        )
    return Path(path)


def listed_labels(labels: Iterable[str]) -> list[str]:
    """Return names of labels as a list."""
    if not isinstance(labels, Iterable):
        raise impossible_value(labels, the_setting("labels"), _("Use a list of names, such as ['ill']."))
    return list(labels)


def watched(progress: Progress | None) -> Progress:
    """Return what long work is to call: what was given, or what nobody watches."""
    if progress is None:
        return SilentProgress()
    if not (hasattr(progress, "report") and hasattr(progress, "should_stop")):
        raise InvalidParameter(
            _(
                "it is of the type {kind}, which cannot report progress.",
                kind=type(progress).__name__,
            ),
            place=the_setting("progress"),
            remedy=_("Give an object with the methods report(event) and should_stop()."),
        )
    return progress


@functools.cache
def _parameter_of_field(field: dataclasses.Field[Any]) -> Parameter:
    details = field.metadata["parameter"]
    # As text, since modules with settings postpone their annotations.
    plain = str(field.type).removesuffix(_OR_NONE)
    kind = "choice" if "choices" in details else _KINDS[plain]
    told = {"kind": kind, "optional": str(field.type) != plain, **details}
    return Parameter(name=field.name, default=field.default, **told)


def _with_choices(described: Parameter, choices: Any) -> Parameter:
    """Choices may be given as a function, so that a registry is read when it is complete."""
    return dataclasses.replace(described, choices=tuple(choices())) if callable(choices) else described


def impossible_value(value: object, place: str, remedy: str) -> InvalidParameter:
    """Return the error for a value that a setting cannot take."""
    return InvalidParameter(_("{value!r} is not a possible value.", value=value), place=place, remedy=remedy)
