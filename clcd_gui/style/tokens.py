"""The measures and colours that everything drawn is made of; no Qt in here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.translation import N_
from engine.wording.glossary import term

SPACE_SMALL = 4
SPACE = 8
SPACE_LARGE = 16
RADIUS = 6
FOCUS_WIDTH = 2
CONTROL_HEIGHT = 32
ROW_HEIGHT = 30
MOTION_MILLISECONDS = 150

# Text sizes are shares of the system font's size, so that a person's own setting is respected.
TEXT_SMALL = 0.9
TEXT_HEADING = 1.55


class Line(StrEnum):
    """How a kind of relation is drawn, apart from its colour."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    DOUBLE = "double"
    DOT_AND_DASH = "dot and dash"


@dataclass(frozen=True, slots=True)
class Meaning:
    """How one notion looks everywhere: in tables, in the grid and in the graph."""

    name: str  # of its colour in :class:`Colours`
    title: str  # in the legend
    help: str  # its definition, for tooltips
    line: Line | None = None  # for a relation


def _meaning(name: str, key: str, line: Line | None = None) -> Meaning:
    word = term(key)
    return Meaning(name, word.title, word.definition, line)


LABEL = _meaning("label", "label")
COMMON = _meaning("common", "common")
LABEL_SPECIFIC = _meaning("label_specific", "label-specific")
NEIGHBOUR = _meaning("neighbour", "neighbour", Line.SOLID)
SPOUSE = _meaning("spouse", "spouse", Line.DOTTED)
INTERCHANGEABLE = _meaning("interchangeable", "interchangeable", Line.DASHED)
LABEL_RELATION = _meaning("label_relation", "label-relation", Line.DOUBLE)
THROUGH_LABELS = _meaning("neighbour", "through-labels", Line.DOT_AND_DASH)

MEANINGS = (
    LABEL,
    COMMON,
    LABEL_SPECIFIC,
    NEIGHBOUR,
    SPOUSE,
    INTERCHANGEABLE,
    LABEL_RELATION,
    THROUGH_LABELS,
)

CAME = Meaning("came", N_("appeared"), N_("Linked in the second run, and not in the first."), line=Line.SOLID)
WENT = Meaning(
    "went", N_("disappeared"), N_("Linked in the first run, and not in the second."), line=Line.DASHED
)
SAID_OTHERWISE = Meaning(
    "neighbour",
    N_("differs"),
    N_("Linked in both runs, with another kind of link, direction of association or causal direction."),
    line=Line.DOT_AND_DASH,
)
SAME = Meaning(
    "interchangeable", N_("same"), N_("Linked in both runs, without a difference."), line=Line.DOUBLE
)
NOT_COMPARED = Meaning(
    "interchangeable",
    N_("not compared"),
    N_("One of the runs could not find it, because its table lacks the variable or the label."),
    line=Line.DOTTED,
)

CHANGES = (CAME, WENT, SAID_OTHERWISE, SAME, NOT_COMPARED)
"""What two runs that stand side by side say of a link."""


@dataclass(frozen=True, slots=True)
class Colours:
    """Every colour of one theme, as ``#rrggbb``.

    The colours of meanings are those of Okabe and Ito (2008), "Color Universal Design", which people with
    any form of colour vision tell apart; in the dark theme blue is replaced by its lighter companion.
    """

    dark: bool
    # Grounds, from the outermost inwards.
    window: str
    base: str
    sunken: str
    hover: str
    # Text on any of the grounds.
    text: str
    muted: str
    border: str
    # What can be acted on.
    accent: str
    accent_fill: str
    accent_fill_hover: str
    accent_text: str
    selection: str
    selection_text: str
    # Notices.
    error: str
    error_ground: str
    warning: str
    warning_ground: str
    info: str
    info_ground: str
    # Meanings.
    label: str
    common: str
    label_specific: str
    interchangeable: str
    neighbour: str
    spouse: str
    label_relation: str
    # What two runs say of a link.
    came: str
    went: str

    def of(self, meaning: Meaning) -> str:
        """Return the colour of a meaning."""
        return str(getattr(self, meaning.name))


LIGHT = Colours(
    dark=False,
    window="#f5f6f8",
    base="#ffffff",
    sunken="#ebedf1",
    hover="#e4e7ee",
    text="#1b1f24",
    muted="#59616b",
    border="#cfd4dc",
    accent="#3f4db8",
    accent_fill="#4453c4",
    accent_fill_hover="#3745a8",
    accent_text="#ffffff",
    selection="#dfe3fb",
    selection_text="#1b1f24",
    error="#b3261e",
    error_ground="#fdeceb",
    warning="#7a4f00",
    warning_ground="#fff4d9",
    info="#3f4db8",
    info_ground="#ebeefc",
    label="#d55e00",
    common="#0072b2",
    label_specific="#009e73",
    interchangeable="#767676",
    neighbour="#3c434c",
    spouse="#3c434c",
    label_relation="#d55e00",
    came="#7b3294",
    went="#8c510a",
)

DARK = Colours(
    dark=True,
    window="#1b1d21",
    base="#23262b",
    sunken="#16181b",
    hover="#2d3138",
    text="#e7e9ec",
    muted="#a6aeb8",
    border="#3f454e",
    accent="#aab3ff",
    accent_fill="#5361d3",
    accent_fill_hover="#5866d8",
    accent_text="#ffffff",
    selection="#3a4270",
    selection_text="#ffffff",
    error="#ff9b93",
    error_ground="#3d2423",
    warning="#f2c266",
    warning_ground="#3a3120",
    info="#aab3ff",
    info_ground="#282c45",
    label="#e8772e",
    common="#56b4e9",
    label_specific="#1fb88b",
    interchangeable="#a0a0a0",
    neighbour="#c5cad1",
    spouse="#c5cad1",
    label_relation="#e8772e",
    came="#d6a6e6",
    went="#dfb071",
)
