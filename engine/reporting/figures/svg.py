"""Finishes the SVG that matplotlib writes: what marks say, a title for screen readers, colours of a page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.reporting.figures.looks import colours

_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_PIXELS_PER_POINT = 96 / 72
_FONTS = "system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_FONT = re.compile(r"'DejaVu Sans'(?:, [^;\"]+)?")


def finished(source: bytes, title: str, words: Mapping[str, Sequence[str]], name: str = "") -> str:
    """Return SVG that stands in a file of its own, or inside a page.

    Parameters
    ----------
    source : bytes
        As matplotlib writes it.
    title : str
        What it shows.
    words : mapping of str to sequence of str
        What the marks of each group say, in their order.
    name : str
        What it is called inside a page; empty for a file of its own.
    """
    from xml.etree.ElementTree import register_namespace, tostring

    from defusedxml.ElementTree import fromstring

    register_namespace("", _SVG.strip("{}"))
    register_namespace("xlink", _XLINK.strip("{}"))
    root = fromstring(source)
    for each in root.findall(f"{_SVG}metadata"):
        root.remove(each)
    for group, said in words.items():
        _say(root, group, said)
    _head(root, title)
    for each in root.iter():
        _name_fonts(each)
        if name:
            _fit_into_page(each, name)
    text: str = tostring(root, encoding="unicode")
    return text + "\n"


def colour_variables(is_dark: bool) -> str:
    """Return the definitions by which a page gives the charts inside it their colours.

    Examples
    --------
    >>> colour_variables(is_dark=True).split(";")[0]
    '--chart-ffffff: #1b1e22'
    """
    pairs = colours().items()
    return " ".join(f"{_variable(light)}: {dark if is_dark else light};" for light, dark in pairs)


def _variable(colour: str) -> str:
    return f"--chart-{colour.removeprefix('#')}"


def _say(root: Any, group: str, said: Sequence[str]) -> None:
    """Give each mark of a group what it says."""
    from xml.etree.ElementTree import SubElement

    found = root.find(f".//{_SVG}g[@id='{group}']")
    marks = [] if found is None else found.findall(f".//{_SVG}use")
    for mark, words in zip(marks, said, strict=True):
        SubElement(mark, f"{_SVG}title").text = words


def _head(root: Any, title: str) -> None:
    """Give the whole its size in pixels, its role and title, and the style that matplotlib gives a page."""
    from xml.etree.ElementTree import Element

    for definitions in root.findall(f"{_SVG}defs"):
        for style in definitions.findall(f"{_SVG}style"):
            definitions.remove(style)
    root.set("stroke-linejoin", "round")

    for side in ("width", "height"):
        root.set(side, f"{float(root.get(side).removesuffix('pt')) * _PIXELS_PER_POINT:.0f}")
    root.set("role", "img")
    root.set("aria-label", title)
    first = Element(f"{_SVG}title")
    first.text = title
    root.insert(0, first)


def _name_fonts(element: Any) -> None:
    """Name the fonts of the reader's system before the wide one that everything was measured in."""
    style = element.get("style")
    if style and "DejaVu Sans" in style:
        element.set("style", _FONT.sub(_FONTS, style))


def _fit_into_page(element: Any, name: str) -> None:
    """Take the colours of the page, and names that no other chart has."""
    for key, value in element.attrib.items():
        if key == "id":
            element.set(key, f"{name}-{value}")
        elif key == f"{_XLINK}href":
            element.set(key, value.replace("#", f"#{name}-", 1))
        elif key in ("style", "clip-path"):
            found = value.replace("url(#", f"url(#{name}-")
            element.set(key, _COLOUR.sub(_of_page, found))


def _of_page(found: re.Match[str]) -> str:
    return f"var({_variable(found[0])})" if found[0] in colours() else found[0]
