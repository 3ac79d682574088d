"""Names shortened to the room that there is, so that names that differ look different.

``gene_1``, ``gene_10`` and ``gene_100``, or long names that differ in one word of their middle, become the
same text when each is cut by itself. Here a name is cut with an eye to the others that are shown with it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

ELLIPSIS = "…"
_LAST_CHARACTER = chr(0x10FFFF)
_DIGITS = "0123456789"
_MOST_REMEMBERED = 4096
# So many names are compared as they are shown; of more, each with those that share its ends.
_MOST_COMPARED = 300
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class _ShortenedName:
    """What stays of a name: its head, a window that ends before the common tail, and its tail."""

    head: int
    window_start: int
    after_window: int
    tail: int

    def of(self, name: str) -> str:
        """Cut a name that has these parts."""
        window_end, tail_start = len(name) - self.after_window, len(name) - self.tail
        head, window, tail = name[: self.head], name[self.window_start : window_end], name[tail_start:]
        before = "" if self.head >= self.window_start else ELLIPSIS
        behind = "" if window_end >= tail_start else ELLIPSIS
        if not window and before:
            behind = ""
        return f"{head}{before}{window}{behind}{tail}"

    def with_head(self) -> _ShortenedName:
        """Keep one letter more at the beginning, where something is left out behind it."""
        return replace(self, head=min(self.head + 1, self.window_start))

    def with_letter_before(self) -> _ShortenedName:
        """Keep one letter more before the window."""
        return replace(self, window_start=max(self.window_start - 1, self.head))

    def with_letter_behind(self) -> _ShortenedName:
        """Keep one letter more behind the window."""
        return replace(self, after_window=max(self.after_window - 1, self.tail))

    def with_tail(self) -> _ShortenedName:
        """Keep one letter more at the end."""
        return replace(self, tail=min(self.tail + 1, self.after_window))


class ShortNames:
    """Names that are shown together, each as short as its room asks for, by the width of letters or ``len``.

    A name that is too long loses its middle. Where others would then look the same, what tells them apart is
    kept instead, whole numbers whole, with as much before and behind it as there is room for.

    >>> names = ShortNames([f"Mean_of_{place}_in_the_morning" for place in ("knee", "back")])
    >>> names.shown("Mean_of_knee_in_the_morning", 14), names.shown("Mean_of_back_in_the_morning", 14)
    ('Me…f_knee_i…ng', 'Me…f_back_i…ng')
    """

    def __init__(self, names: Iterable[str], width: Callable[[str], float] = len) -> None:
        self._names = sorted(set(names))
        self._width = width
        self._shown: dict[tuple[str, float], str] = {}
        self._cuts: dict[tuple[tuple[str, ...], float], tuple[_ShortenedName, ShortNames | None]] = {}

    def shown(self, name: str, room: float) -> str:
        """Return a name as it is shown in a room; wider only where not one letter and an ellipsis fit."""
        key = (name, room)
        if key not in self._shown:
            if len(self._shown) >= _MOST_REMEMBERED:
                self._shown.clear()
                self._cuts.clear()
            if len(self._names) <= _MOST_COMPARED and self._width(name) > room:
                self._shown.update(
                    {(full_name, room): text for full_name, text in self._compared(room).items()}
                )
            self._shown.setdefault(key, self._shorten(name, room))
        return self._shown[key]

    def _compared(self, room: float) -> dict[str, str]:
        """Shorten all names; those that still look the same are told apart among themselves."""
        shown = {name: self._shorten(name, room) for name in self._names}
        for _ in range(_ROUNDS):
            alike: dict[str, list[str]] = {}
            for name, text in shown.items():
                alike.setdefault(text, []).append(name)
            clashes = [rivals for rivals in alike.values() if len(rivals) > 1]
            if not clashes:
                break
            for rivals in clashes:
                shown |= {name: self._told_apart(name, rivals, room) for name in rivals}
        return shown

    def _shorten(self, name: str, room: float) -> str:
        if self._width(name) <= room:
            return name
        head, tail = self._ends_that_fit(name, room)
        rivals = self._alike(head, tail)
        if len(rivals) < 2 or name not in rivals:
            return f"{head}{ELLIPSIS}{tail}"
        return self._told_apart(name, rivals, room)

    def _ends_that_fit(self, name: str, room: float) -> tuple[str, str]:
        """Return as much of the beginning and the end, in equal parts, as fits around an ellipsis."""
        fits, too_many = 1, len(name)
        while too_many - fits > 1:
            letters = (fits + too_many) // 2
            if self._width(_halves(name, letters, ELLIPSIS)) <= room:
                fits = letters
            else:
                too_many = letters
        head, tail = fits - fits // 2, len(name) - fits // 2
        number = len(name[:tail].rstrip(_DIGITS)) if name[tail : tail + 1].isdecimal() else tail
        whole_head = head
        while whole_head and self._width(f"{name[:whole_head]}{ELLIPSIS}{name[number:]}") > room:
            whole_head -= 1
        # A number of which only the last figures are seen would be another number.
        return (name[:whole_head], name[number:]) if whole_head else (name[:head], name[tail:])

    def _alike(self, head: str, tail: str) -> list[str]:
        """List the names that begin and end so, and hold more than that."""
        first = bisect_left(self._names, head)
        last = bisect_right(self._names, head + _LAST_CHARACTER)
        least = len(head) + len(tail)
        return [name for name in self._names[first:last] if name.endswith(tail) and len(name) > least]

    def _told_apart(self, name: str, rivals: list[str], room: float) -> str:
        """Keep what tells a name from its rivals, which are cut at the same places."""
        key = (tuple(rivals), room)
        before, behind = _in_common(rivals)
        if key not in self._cuts:
            cores = [rival[before : len(rival) - behind] for rival in rivals]
            widths = [self._width(core) for core in cores]
            fitting = [width for width in widths if width <= room - 2 * self._width(ELLIPSIS)]
            cut = _ShortenedName(0, before, behind, 0)
            if fitting:
                cut = self._widened(cut, rivals[widths.index(max(fitting))], room)
            inner = ShortNames(cores, self._width) if len(fitting) < len(cores) else None
            self._cuts[key] = (cut, inner)
        cut, inner = self._cuts[key]
        if inner is None or self._width(cut.of(name)) <= room:
            return self._widened(cut, name, room).of(name)
        if before + behind > 0:
            # What tells them apart is itself too long: it is cut with an eye to the others in turn.
            inner_room = room - (bool(before) + bool(behind)) * self._width(ELLIPSIS)
            core = inner.shown(name[before : len(name) - behind], inner_room)
            text = f"{ELLIPSIS if before else ''}{core}{ELLIPSIS if behind else ''}"
            if self._width(text) <= room:
                return text
        return ELLIPSIS.join(self._ends_that_fit(name, room))

    def _widened(self, cut: _ShortenedName, name: str, room: float) -> _ShortenedName:
        """Let head, window and tail grow in turn while they fit."""
        grows = True
        while grows:
            grows = False
            for larger in (
                _ShortenedName.with_head,
                _ShortenedName.with_letter_before,
                _ShortenedName.with_letter_behind,
                _ShortenedName.with_tail,
            ):
                wanted = larger(cut)
                if wanted != cut and self._width(wanted.of(name)) <= room:
                    cut, grows = wanted, True
        return cut


def _halves(name: str, letters: int, between: str) -> str:
    behind = letters // 2
    return f"{name[: letters - behind]}{between}{name[len(name) - behind :]}"


def _in_common(names: list[str]) -> tuple[int, int]:
    """Count the letters that names share at their beginning and behind; numbers are not taken apart."""
    before = len(_common_beginning(names).rstrip(_DIGITS))
    end = _common_beginning([name[before:][::-1] for name in names])[::-1]
    return before, len(end.lstrip(_DIGITS))


def _common_beginning(texts: list[str]) -> str:
    # Whatever the first and the last in order share is shared by all between them.
    first, last = min(texts), max(texts)
    for position, letter in enumerate(first):
        if letter != last[position : position + 1]:
            return first[:position]
    return first
