"""What people see of a variable: its name, the label that its file gives it, or both.

Statistics programs call a variable ``v106`` and keep its meaning beside the name, as its label. Names stay
the keys of everything; only texts and pictures for people ask :func:`shown_name`. What it answers holds for a
context, such as the thread of the window or the writing of one report. Files for programs have names alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import NamedTuple, Protocol

from engine.translation import N_, _


class Naming(StrEnum):
    """How variables that have a label are shown."""

    NAME = "name"
    LABEL_AND_NAME = "label-and-name"
    NAME_AND_LABEL = "name-and-label"


USUAL_NAMING = Naming.LABEL_AND_NAME
"""As SPSS and Stata show variables; where no file has labels, all names are as they are."""

NAMING_WORDS = {
    Naming.NAME: N_("Name"),
    Naming.LABEL_AND_NAME: N_("Label (name)"),
    Naming.NAME_AND_LABEL: N_("Name (label)"),
}

_TEMPLATES = {
    Naming.NAME: "{name}",
    Naming.LABEL_AND_NAME: N_("{label} ({name})"),
    Naming.NAME_AND_LABEL: N_("{name} ({label})"),
}
_MOST_LETTERS = 64
_ELLIPSIS = " … "
_NOT_LETTERS = re.compile(r"[\W_]+")


class Described(Protocol):
    """What is asked of a variable."""

    @property
    def name(self) -> str:
        """Its name in the table."""

    @property
    def description(self) -> str:
        """Its label, or whatever else says what it holds."""


class ShownName(NamedTuple):
    """What is shown of a variable, and both names with the whole label: for tooltips and for search."""

    text: str
    whole: str


ShownNames = Mapping[str, ShownName]


def shown_names(variables: Iterable[Described], naming: Naming = USUAL_NAMING) -> dict[str, ShownName]:
    """Return what is shown of the variables that have a label which is not their name.

    A long label loses its middle, because questions of one block often begin alike.

    >>> from types import SimpleNamespace as Column
    >>> columns = [Column(name="v106", description="Age in years"), Column(name="age", description="Age")]
    >>> [(name, shown.text) for name, shown in shown_names(columns).items()]
    [('v106', 'Age in years (v106)')]
    >>> shown_names(columns, Naming.NAME_AND_LABEL)["v106"].text
    'v106 (Age in years)'
    """
    template = _(_TEMPLATES[naming])
    of_whole = _(_TEMPLATES[Naming.NAME_AND_LABEL if naming is Naming.NAME else naming])
    shown = {}
    for variable in variables:
        label = " ".join(variable.description.split()) if variable.description else ""
        if label and _letters(label) != _letters(variable.name):
            shown[variable.name] = ShownName(
                template.format(name=variable.name, label=_shortened(label)),
                of_whole.format(name=variable.name, label=label),
            )
    return shown


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()


def _shortened(label: str) -> str:
    """Leave out the middle of a long label, between words.

    >>> _shortened("How often do you feel each of these in the course of a usual working week? - Being tired")
    'How often do you feel each of … working week? - Being tired'
    """
    if len(label) <= _MOST_LETTERS:
        return label
    half = (_MOST_LETTERS - len(_ELLIPSIS)) // 2
    head, tail = label[:half], label[-half:]
    # A script without spaces, or one long word, is cut within it.
    head, tail = head.rpartition(" ")[0] or head, tail.partition(" ")[2] or tail
    return f"{head}{_ELLIPSIS}{tail}"


_SHOWN: ContextVar[ShownNames] = ContextVar("shown_names", default={})  # noqa: B039 - never changed


def shown_name(name: str) -> str:
    """Return what a person sees of a variable."""
    shown = _SHOWN.get().get(name)
    return name if shown is None else shown.text


def whole_name(name: str) -> str:
    """Return it with the whole label, also where names are shown alone."""
    shown = _SHOWN.get().get(name)
    return name if shown is None else shown.whole


def name_of(text: str) -> str:
    """Return the name of the variable that is shown by a text, or else the text, which may be a name.

    >>> with names_shown({"v106": ShownName("Age (v106)", "Age in years (v106)")}):
    ...     name_of("Age (v106)"), name_of("v107")
    ('v106', 'v107')
    """
    return next((name for name, shown in _SHOWN.get().items() if text in shown), text)


def show_names(names: ShownNames) -> bool:
    """Show variables so from now on in this thread, and tell whether that is another way than before."""
    differs = names != _SHOWN.get()
    _SHOWN.set(names)
    return differs


@contextmanager
def names_shown(names: ShownNames) -> Iterator[None]:
    """Show variables so until the block ends.

    >>> with names_shown({"v106": ShownName("Age (v106)", "Age in years (v106)")}):
    ...     shown_name("v106"), shown_name("v107")
    ('Age (v106)', 'v107')
    >>> shown_name("v106")
    'v106'
    """
    token = _SHOWN.set(names)
    try:
        yield
    finally:
        _SHOWN.reset(token)
