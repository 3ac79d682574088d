"""A chart as a list of lines, marks and texts, to be drawn into a file or a window alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

LETTER_SIZE = 12.0
_BASELINE = 0.35
# Mean width of a letter over its size in the widest of the usual fonts; wide signs are squares.
_LETTER_WIDTH, _WIDE = 0.56, ("W", "F")


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line; `look` names what it stands for."""

    x1: float
    y1: float
    x2: float
    y2: float
    look: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A point; `look` names what it stands for, and so its shape and colour."""

    x: float
    y: float
    look: str
    words: str


@dataclass(frozen=True, slots=True)
class Text:
    """A word or two; `anchor` is the end of it that stands at `x`: start, middle or end."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    look: str = "ink"


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that is drawn, in pixels from the top left.

    Attributes
    ----------
    title : str
        What it shows, also for people who cannot see it.
    width, height : float
        Size of the whole.
    """

    title: str
    width: float
    height: float
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    texts: tuple[Text, ...]


@dataclass(slots=True)
class Drawing:
    """A chart in the making."""

    lines: list[Line] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def text(self, x: float, middle: float, text: str, anchor: str = "start", look: str = "ink") -> None:
        """Write a text whose letters stand around a height."""
        self.texts.append(Text(x, middle + _BASELINE * LETTER_SIZE, text, anchor, look))

    def chart(self, title: str, width: float, height: float) -> Chart:
        """Finish it."""
        return Chart(title, width, height, tuple(self.lines), tuple(self.marks), tuple(self.texts))


def text_width(text: str) -> float:
    """Estimate how wide a text is, rather too wide than too narrow: its font is not known before it is seen.

    Examples
    --------
    >>> round(text_width("CLCD-FS")), round(text_width("标签"))
    (47, 24)
    """
    widths = (1.0 if unicodedata.east_asian_width(sign) in _WIDE else _LETTER_WIDTH for sign in text)
    return LETTER_SIZE * sum(widths)


@dataclass(frozen=True, slots=True)
class Panel:
    """A box in which figures of several rows stand along one axis.

    Attributes
    ----------
    left, top, width, height : float
        Where it is.
    low, high : float
        Figures at the left and the right edge.
    """

    left: float
    top: float
    width: float
    height: float
    low: float
    high: float

    def x(self, figure: float) -> float:
        """Give the place of a figure; one beyond the axis stands at its end."""
        inside = min(max(figure, self.low), self.high)
        return self.left + self.width * (inside - self.low) / (self.high - self.low)

    def draw_frame(self, drawing: Drawing, ticks: Sequence[tuple[float, str]], rows: int) -> None:
        """Draw lines between the rows, and at the ticks, with their figures beneath."""
        bottom = self.top + self.height
        for row in range(rows + 1):
            y = self.top + self.height * row / rows
            drawing.lines.append(Line(self.left, y, self.left + self.width, y, "grid"))
        for figure, text in ticks:
            x = self.x(figure)
            drawing.lines.append(Line(x, self.top, x, bottom, "grid"))
            drawing.text(x, bottom + LETTER_SIZE, text, "middle", "quiet")
