"""Charts as files: read back by readers that know nothing of this program."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring

from engine.errors import UnwritableFile
from engine.evaluation.drawing import pdf
from engine.evaluation.drawing.chart import Chart, Drawing, Line, Mark, text_width
from engine.evaluation.drawing.looks import INKS, looks
from engine.evaluation.drawing.page import page_text
from engine.evaluation.drawing.pdf import write_pdf
from engine.evaluation.drawing.pictures import picture_writers, write_pictures
from engine.evaluation.drawing.svg import svg_text
from engine.terminal.written import written_lines

CSS_PIXELS_PER_POINT = 96 / 72


@pytest.fixture
def chart() -> Chart:
    """Every look as a line and a mark, and texts with every anchor."""
    drawing = Drawing()
    for row, look in enumerate(looks()):
        drawing.lines.append(Line(10.0, 30.0 + 10 * row, 200.0, 30.0 + 10 * row, look))
        drawing.marks.append(Mark(100.0, 30.0 + 10 * row, look, f"mark of {look}"))
    for row, ink in enumerate(INKS):
        drawing.lines.append(Line(10.0, 300.0 + 10 * row, 200.0, 300.0 + 10 * row, ink))
    drawing.text(10.0, 10.0, "Größe ± 3 → 10⁴")
    drawing.text(150.0, 10.0, "strong & <odd>", "middle", "strong")
    drawing.text(390.0, 10.0, "at the end", "end", "quiet")
    return drawing.chart("Every look", 400.0, 400.0)


def test_a_page_of_its_own_size_with_text_that_can_be_found(chart: Chart, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed here")
    pytest.importorskip("fpdf", reason="fpdf2 is not installed here")
    if pdf._found_faces() is None:
        pytest.skip("none of the known fonts is on this machine")
    write_pdf(chart, tmp_path / "chart.pdf")
    reader = pypdf.PdfReader(tmp_path / "chart.pdf")
    assert len(reader.pages) == 1 and reader.metadata.title == "Every look"
    page = reader.pages[0]
    assert float(page.mediabox.width) * CSS_PIXELS_PER_POINT == pytest.approx(416.0)
    assert float(page.mediabox.height) * CSS_PIXELS_PER_POINT == pytest.approx(416.0)
    text = page.extract_text()
    assert all(each.text in text for each in chart.texts)
    for font in page["/Resources"]["/Font"].values():
        # Embedded, so that it looks the same everywhere.
        descendant = font.get_object()["/DescendantFonts"][0].get_object()
        assert "/FontFile2" in descendant["/FontDescriptor"].get_object()


def test_without_a_font_western_letters_stay_and_others_become_marks(
    chart: Chart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed here")
    pytest.importorskip("fpdf", reason="fpdf2 is not installed here")
    monkeypatch.setattr(pdf, "_found_faces", lambda: None)
    write_pdf(chart, tmp_path / "chart.pdf")
    text = pypdf.PdfReader(tmp_path / "chart.pdf").pages[0].extract_text()
    assert "Größe ± 3 ? 10?" in text and "at the end" in text


def test_a_missing_package_is_told_with_its_remedy(
    chart: Chart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fpdf", None)
    with pytest.raises(UnwritableFile, match=r"fpdf2") as caught:
        write_pdf(chart, tmp_path / "chart.pdf")
    assert "clcd[pdf]" in caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_pictures_are_written_in_every_kind_and_named_once(
    chart: Chart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writers = picture_writers()
    write_pictures(chart, tmp_path, "picture", writers)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == sorted(writers)
    names = [tmp_path / f"picture{ending}" for ending in (".svg", ".pdf")]
    assert next(written_lines(names)).endswith("picture.svg/.pdf.")
    monkeypatch.setattr("engine.evaluation.drawing.pictures.find_spec", lambda name: None)
    assert list(picture_writers()) == [".svg"]
    assert "clcd[pdf]" in list(written_lines(names))[-1]


def test_a_file_has_its_colours_and_a_page_defines_them(chart: Chart) -> None:
    whole = svg_text(chart)
    assert "var(" not in whole and whole.count("<path") == len(chart.marks)
    assert fromstring(whole).tag.endswith("svg")
    content: dict[str, Any] = dict.fromkeys(("facts", "verdicts", "cautions"), ())
    content |= {"title": "A page", "is_partial": False}
    page = page_text("drawing/templates/page.html", content)
    used = set(re.findall(r"var\((--[\w-]+)\)", svg_text(chart, is_file=False) + page))
    assert "--chart-own" in used and "--ink" in used
    light, dark = page.split("prefers-color-scheme: dark")
    for name in used:
        assert f"{name}:" in light and f"{name}:" in dark


@pytest.mark.parametrize(
    "text", ["Mutual information by nearest values", "MB-MCF (reconstruction)", "标签 一"]
)
def test_the_room_for_a_text_is_enough_in_a_wide_font(text: str) -> None:
    fpdf = pytest.importorskip("fpdf", reason="fpdf2 is not installed here")
    faces = pdf._found_faces()
    if faces is None or not text.isascii():
        assert text_width(text) >= 12 * 3
        return
    document = fpdf.FPDF(unit="pt")
    document.add_font("text", "", faces[0])
    document.set_font("text", "", 12)
    width = document.get_string_width(text)
    document.fonts["text"].ttfont.close()
    assert width <= text_width(text) <= 1.25 * width
