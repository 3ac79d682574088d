"""Reads charts back: what stands in an SVG, and whether texts of a picture are cut or cover each other."""

from __future__ import annotations

from typing import Any

from engine.reporting.figures.chart import Chart

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: Any) -> list[str]:
    """Every text of an SVG."""
    return ["".join(element.itertext()) for element in picture.iter(f"{SVG}text")]


def mark_texts(picture: Any) -> list[str]:
    """What the marks of an SVG say."""
    return [element.find(f"{SVG}title").text for element in picture.iter(f"{SVG}use") if len(element)]


def places(picture: Any) -> dict[str, tuple[float, float]]:
    """Where each mark of an SVG is, by what it says."""
    return {
        element.find(f"{SVG}title").text: (float(element.get("x")), float(element.get("y")))
        for element in picture.iter(f"{SVG}use")
        if len(element)
    }


def unreadable(chart: Chart) -> list[str]:
    """Texts of a chart that are cut, or that cover another."""
    from matplotlib.text import Text

    from engine.reporting.figures.figure_files import drawn

    with drawn(chart) as sheet:
        canvas: Any = sheet.figure.canvas
        renderer = canvas.get_renderer()
        canvas.draw()
        scales = [(axes, axis) for axes in sheet.figure.axes for axis in (axes.xaxis, axes.yaxis)]
        hidden = {text for axes, axis in scales if not axes.axison for text in axis.findobj(Text)}
        for _, axis in scales:
            # Ticks beyond the ends are kept but not drawn.
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not low <= tick.get_loc() <= high:
                    hidden |= set(tick.findobj(Text))
        boxes = [
            (text.get_text(), text.get_window_extent(renderer))
            for text in sheet.figure.findobj(Text)
            if text.get_text().strip() and text.get_visible() and text not in hidden
        ]
        width, height = sheet.figure.get_size_inches() * sheet.figure.dpi
        faults = []
        for place, (text, box) in enumerate(boxes):
            if box.x0 < 0 or box.y0 < 0 or box.x1 > width or box.y1 > height:
                faults.append(f"cut: {text}")
            for other_text, beside in boxes[place + 1 :]:
                across = min(box.x1, beside.x1) - max(box.x0, beside.x0)
                down = min(box.y1, beside.y1) - max(box.y0, beside.y0)
                # Boxes hold room above and beneath most letters.
                if across > 1.0 and down > 2.5:
                    faults.append(f"{text} covers {other_text}")
    return faults
