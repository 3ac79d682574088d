"""Charts as files, read back by readers that know nothing of this program, against their descriptions."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from defusedxml.ElementTree import fromstring

import engine
from engine.comparison.page import inline, page_text
from engine.errors import UnwritableFile
from engine.reporting.figures import chart as kinds
from engine.reporting.figures import graph
from engine.reporting.figures.chart import (
    Axis,
    Chart,
    Curve,
    CurvePanel,
    FigurePoint,
    Panel,
    Ranked,
    RankPanel,
    RowMark,
    RowNote,
    RowPanel,
    Series,
    SetColumn,
    SetPanel,
    Share,
    SharePanel,
    Thread,
    WebPanel,
    around,
    in_rows,
    powers_of_ten,
)
from engine.reporting.figures.figure_files import (
    CHART_WRITERS,
    svg_for_pages,
    svg_text,
    write_pdf,
    write_pictures,
    write_png,
)
from engine.reporting.figures.graph import (
    Edge,
    EdgeKind,
    GraphContent,
    GraphFigure,
    Node,
    NodeKind,
    node_sizes,
)
from engine.reporting.figures.looks import INKS, Look, colours, looks, series_look
from engine.reporting.figures.plots import PLOTS
from engine.reporting.finding_charts import graph_chart
from engine.terminal.console import written_lines
from tests.contract.project_files import PROJECT
from tests.engine.reporting.reading import SVG, mark_texts, places, texts, unreadable

CSS_PIXELS_PER_POINT = 96 / 72
OWN, OTHER = Series("CLCD <own>", "own", is_strong=True), Series("Größe ± 3 → 10⁴, $x_1$", "series-7")


def curve_panel() -> CurvePanel:
    points = tuple(FigurePoint(x, x / 100, f"other, {x}: {x / 100:.2f}") for x in (5.0, 10.0, 30.0))
    point = FigurePoint(17.0, 0.2, "own, 17: 0.20", 0.15, 0.25)
    level = FigurePoint(100.0, 0.28, "all: 0.28")
    curves = (Curve(OTHER, points), Curve(OWN, (point,)), Curve(OTHER, (level,), is_level=True))
    return CurvePanel("Curves & co", Axis(0.0, 32.0, "share, %"), Axis(0.0, 0.3), curves)


def row_panel() -> RowPanel:
    marks = (
        RowMark(OTHER, 0, 30.0, "first: 30", 3.0, 300.0),
        RowMark(OWN, 1, 5000.0, "second: 5000", is_bound=True),
        RowMark(OTHER, 2, 1e9, "beyond: 1e9"),
    )
    rows, axis = ("first", "second", "third"), powers_of_ten([3.0, 5000.0], "seconds")
    return RowPanel("Rows", rows, axis, marks, (RowNote(OWN, 2, "cut", 1),), 2, (1,), (100.0,))


def rank_panel() -> RankPanel:
    ranks = (1.5, 2.0, 2.5, 4.0)
    methods = tuple(
        Ranked(Series(name, series_look(place)), ranks[place], f"{name} {ranks[place]:.2f}")
        for place, name in enumerate(("alpha", "beta", "gamma", "delta"))
    )
    return RankPanel("Ranks", "critical difference 1.20", methods, ((1.5, 2.5),), 1.2)


def web_panel() -> WebPanel:
    threads = tuple(
        Thread(series, values, tuple(f"{series.look} {value}" for value in values))
        for series, values in ((OWN, (0.5, 0.4, 0.3, 0.2)), (OTHER, (0.1, 0.2, 0.3, 0.4)))
    )
    return WebPanel("Web", ("north", "east", "south", "west"), (0.25, 0.5), threads)


def share_panel() -> SharePanel:
    shares = (Share(0, 0, 0.2, "a, 1: 1 of 5"), Share(1, 2, 1.0, "b, 3: 5 of 5"))
    return SharePanel("Shares", ("a", "b"), ("1", "2", "3"), shares)


def band_panel() -> CurvePanel:
    points = tuple(
        FigurePoint(x, x / 50, f"band {x}", x / 50 - 0.05, x / 50 + 0.1) for x in (5.0, 15.0, 30.0)
    )
    return CurvePanel("Band", Axis(0.0, 32.0), Axis(0.0, 1.0), (Curve(OWN, points, has_band=True),))


def set_panel() -> SetPanel:
    sets = (
        SetColumn((0, 2), 5, "ache and cough: 5"),
        SetColumn((1,), 2, "both: 2"),
        SetColumn((0, 1, 2), 1, "all: 1"),
    )
    return SetPanel("Sets", ("ache", "blush", "cough"), sets, OTHER)


def graph_panel() -> GraphFigure:
    """Two labels, what serves both, and what serves one; the way to it is bent."""
    nodes = (
        Node("left label", NodeKind.LABEL),
        Node("right", NodeKind.LABEL),
        Node("shared", NodeKind.COMMON, 0.5, ("left label", "right")),
        Node("a name of more than one line", NodeKind.LABEL_SPECIFIC, 0.9, ("right",)),
    )
    edges = (
        Edge(EdgeKind.NEIGHBOUR, "shared", "left label", 0.5, effect="left label"),
        Edge(EdgeKind.SPOUSE, "shared", "right", 0.2),
        Edge(EdgeKind.NEIGHBOUR, nodes[3].name, "right", 0.9, effect=nodes[3].name),
        Edge(EdgeKind.LABEL_RELATION, "left label", "right", 1.0),
    )
    places = ((0.0, 0.0), (300.0, 0.0), (150.0, 90.0), (300.0, 200.0))
    ways = (
        ((places[2], places[0]),),
        ((places[2], (200.0, 20.0), places[1]),),
        ((places[3], places[1]),),
        ((places[0], places[1]),),
    )
    return GraphFigure("Graph", GraphContent(nodes, edges), places, ways)


PANELS = (curve_panel, row_panel, rank_panel, web_panel, share_panel, band_panel, set_panel)
# The window has its own graph, whose nodes can be moved.
OF_FILES = (*PANELS, graph_panel)


def whole_chart(panels: Sequence[Callable[[], Panel]] = OF_FILES) -> Chart:
    """Every kind of panel, and everything around them."""
    panels_made = [make() for make in panels]
    return Chart(
        "Everything",
        in_rows(panels_made, 2),
        ("Above", "Middle", "Below", "Last"),
        (OWN, OTHER),
        "How to read it.",
    )


@pytest.fixture(scope="module")
def picture_text() -> str:
    """The SVG of everything, which takes long to draw."""
    return svg_text(whole_chart())


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pictures of everything."""
    folder = tmp_path_factory.mktemp("pictures")
    write_pictures(whole_chart(), folder, "picture")
    return folder


@pytest.fixture(scope="module")
def png(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of everything in points."""
    path = tmp_path_factory.mktemp("points") / "picture.png"
    write_png(whole_chart(), path)
    return path


def all_panels() -> set[type[Panel]]:
    """Every kind of panel that is described."""
    described = {**vars(kinds), **vars(graph)}.values()
    return {
        described_type
        for described_type in described
        if isinstance(described_type, type) and issubclass(described_type, Panel)
    } - {Panel}


def test_every_kind_that_is_described_is_drawn() -> None:
    assert set(PLOTS) == all_panels() == {type(make()) for make in OF_FILES}


def test_the_picture_holds_every_text_and_every_mark_of_the_description(picture_text: str) -> None:
    chart = whole_chart()
    picture = fromstring(picture_text)
    texts_shown = texts(picture)
    for text in (
        *(panel.title for panel in chart.panels),
        *chart.headings,
        *(series.name for series in chart.legend),
        chart.note,
        *("share, %", "seconds", "10", "100", "1000", "10⁴", "first", "second", "third", "cut"),
        *("alpha 1.50", "delta 4.00", "critical difference 1.20", "north", "east", "south", "west"),
        *("a", "b", "1", "2", "3"),
        *("ache", "blush", "cough", "5"),
        *("left label", "right", "shared", "a name of more than", "one line"),
    ):
        assert text in texts_shown, text
    # A web is closed: its first mark is drawn once more where its line ends.
    web = Counter(words for thread in web_panel().threads for words in thread.words[:1])
    assert Counter(mark_texts(picture)) == Counter(chart.words()) + web
    assert picture.find(f"{SVG}title").text == "Everything" == picture.get("aria-label")


def test_marks_stand_where_their_figures_are() -> None:
    at = places(fromstring(svg_text(Chart("", ((curve_panel(),),)))))
    first, second, third = (at[f"other, {x}: {x / 100:.2f}"] for x in (5.0, 10.0, 30.0))
    for axis in (0, 1):
        # 25 percentage points and hundredths from first to third, 5 of them from first to second.
        assert (second[axis] - first[axis]) / (third[axis] - first[axis]) == pytest.approx(0.2, abs=1e-3)
    assert third[1] < first[1], "upwards is more"
    assert at["all: 0.28"][0] > third[0], "a level is marked at the end of the scale"
    rows = places(fromstring(svg_text(Chart("", ((row_panel(),),)))))
    assert rows["beyond: 1e9"][0] > rows["second: 5000"][0] > rows["first: 30"][0]
    assert rows["first: 30"][1] < rows["second: 5000"][1] < rows["beyond: 1e9"][1]
    ranks = places(fromstring(svg_text(Chart("", ((rank_panel(),),)))))
    step = ranks["gamma 2.50"][0] - ranks["beta 2.00"][0]
    assert ranks["delta 4.00"][0] - ranks["alpha 1.50"][0] == pytest.approx(5 * step, abs=0.02)


def test_arrows_of_a_graph_end_where_the_effect_begins() -> None:
    panel = graph_panel()
    cause, spouse, effect, labels = panel.lines()
    sizes = node_sizes(panel.content.nodes)
    ((tip, *_),), (width, height) = cause.heads, sizes["left label"]
    # The tip is on the border of the box, straight from the cause, and the line stops at its head.
    assert max(abs(tip[0]) / (width / 2), abs(tip[1]) / (height / 2)) == pytest.approx(1.0, abs=1e-6)
    assert tip[1] / tip[0] == pytest.approx(90 / 150)
    assert math.dist(cause.paths[0][-1], (0, 0)) > math.dist(tip, (0, 0))
    # A ring is reached at its edge from above, where no name is.
    assert effect.heads[0][0] == pytest.approx((300.0, 190.0))
    assert not spouse.heads and len(labels.paths) == 2
    upper, lower = labels.paths
    assert upper[0][1] == -lower[0][1] != 0
    left, top, right, bottom = panel.bounds
    for (x, y), node in zip(panel.places, panel.content.nodes, strict=True):
        across, down = sizes[node.name]
        assert left <= x - across / 2 and x + across / 2 <= right
        assert top <= y - down / 2 and y + down / 2 <= bottom


def test_series_have_their_own_marks_and_dashes() -> None:
    drawing = fromstring(svg_text(Chart("", ((web_panel(),),))))
    outlines = {use.get("{http://www.w3.org/1999/xlink}href") for use in drawing.iter(f"{SVG}use")}
    assert len(outlines) == 2
    styles = {path.get("style") for path in drawing.iter(f"{SVG}path")}
    own, other_look = looks()["own"], looks()["series-7"]
    assert any(own.colour in style and "dasharray" not in style for style in styles if style)
    assert any(other_look.colour in style and "dasharray" in style for style in styles if style)


def test_no_text_is_cut_and_none_covers_another() -> None:
    assert unreadable(whole_chart()) == []


def test_the_same_chart_gives_the_same_bytes(written: Path, png: Path, tmp_path: Path) -> None:
    # The other kinds are drawn once more by another process, below.
    write_png(whole_chart(), tmp_path / "again.png")
    assert (tmp_path / "again.png").read_bytes() == png.read_bytes()
    pictures = {png.suffix: png} | {path.suffix: path for path in written.iterdir()}
    assert pictures.keys() == CHART_WRITERS.keys()
    for name, path in pictures.items():
        assert not re.search(rb"20[2-9]\d-\d\d-\d\d|D:20[2-9]\d|[Mm]atplotlib v\d", path.read_bytes()), name


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Pictures that another process has drawn, and what it says of what it has loaded: before, and after."""
    folder = tmp_path_factory.mktemp("elsewhere")
    code = (
        "import sys; import engine.comparison.selectors.report, engine.comparison.networks.report;"
        "print('matplotlib' in sys.modules);"
        "from pathlib import Path;"
        "from tests.engine.reporting.test_figures import CHART_WRITERS as writers, whole_chart;"
        f"[writers[end][1](whole_chart(), Path({str(folder)!r}, 'there' + end)) for end in ('.svg', '.pdf')];"
        "print(*[name for name in ('PySide6', 'tkinter', 'matplotlib.pyplot') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, check=True, capture_output=True, text=True
    )
    assert done.stderr == ""
    return folder, done.stdout.splitlines()


def test_another_process_gives_the_same_bytes(written: Path, elsewhere: tuple[Path, list[str]]) -> None:
    for ending in (".svg", ".pdf"):
        there = elsewhere[0] / f"there{ending}"
        assert (written / f"picture{ending}").read_bytes() == there.read_bytes()


def test_settings_of_the_program_around_neither_matter_nor_change(picture_text: str) -> None:
    with matplotlib.rc_context({"font.size": 30.0, "svg.fonttype": "path", "lines.linewidth": 9.0}):
        assert svg_text(whole_chart()) == picture_text
        assert matplotlib.rcParams["font.size"] == 30.0


@pytest.mark.parametrize("content", [b"\xff\xfe broken", b"font.size: 30\naxes.facecolor: red\n"])
def test_settings_of_matplotlib_beside_a_persons_tables_are_not_read(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_bytes(content)
    code = (
        "from engine.reporting.figures.chart import Axis, Chart, in_rows, Series;"
        "from engine.reporting.figures.chart import RowMark, RowPanel;"
        "from engine.reporting.figures.figure_files import svg_text;"
        "mark = RowMark(Series('CLCD', 'own'), 0, 0.9, 'CLCD: 0.900');"
        "panel = RowPanel('F1', ('CLCD',), Axis(0.0, 1.0), (mark,));"
        "print(len(svg_text(Chart('How accurate', in_rows([panel], columns=1)))) > 100);"
        "import matplotlib, os; print(matplotlib.rcParams['axes.facecolor'], os.path.exists('matplotlibrc'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
    )
    assert (done.stdout.split(), done.stderr) == (["True", "white", "True"], "")


def test_several_threads_draw_at_once(picture_text: str) -> None:
    pictures: list[str] = []
    threads = [threading.Thread(target=lambda: pictures.append(svg_text(whole_chart()))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pictures == [picture_text] * 2


def test_no_window_toolkit_is_loaded_and_none_of_the_drawing_before_it_is_needed(
    elsewhere: tuple[Path, list[str]],
) -> None:
    assert elsewhere[1] == ["False", ""]


def test_a_page_of_its_own_size_with_text_that_can_be_found(written: Path, picture_text: str) -> None:
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed here")
    reader = pypdf.PdfReader(written / "picture.pdf")
    assert len(reader.pages) == 1 and reader.metadata.title == "Everything"
    page, picture = reader.pages[0], fromstring(picture_text)
    for side in ("width", "height"):
        wanted = float(picture.get(side)) / CSS_PIXELS_PER_POINT
        assert float(getattr(page.mediabox, side)) == pytest.approx(wanted, abs=1.0)
    text = page.extract_text()
    for sample_text in ("Größe ± 3 → 10⁴, $x_1$", "CLCD <own>", "alpha 1.50", "How to read it."):
        assert sample_text in text
    for font in page["/Resources"]["/Font"].values():
        # Embedded as outlines that can be selected, so that it looks the same everywhere.
        descendant = font.get_object()["/DescendantFonts"][0].get_object()
        assert "/FontFile2" in descendant["/FontDescriptor"].get_object()


def test_a_png_prints_well(png: Path, picture_text: str) -> None:
    content = png.read_bytes()
    assert content.startswith(b"\x89PNG")
    wide = float(fromstring(picture_text).get("width"))
    assert int.from_bytes(content[16:20], "big") == pytest.approx(3 * wide, abs=4)


def test_letters_that_no_font_has_stop_nothing(tmp_path: Path) -> None:
    odd = RowMark(OTHER, 0, 30.0, "first \ufffe\x0b: 30")
    panel = replace(row_panel(), rows=("标签 一", "\U0001f600", "\u0378"), marks=(odd,))
    chart = Chart("标签\x0b", ((panel,),))
    assert "标签 一" in texts(fromstring(svg_text(chart)))
    write_pdf(chart, tmp_path / "chart.pdf")
    assert (tmp_path / "chart.pdf").read_bytes().startswith(b"%PDF")


LONG = "How often did you, in the last four weeks, feel so tired that you stayed at home?"


@pytest.mark.parametrize("make", [row_panel, set_panel])
def test_long_names_are_whole_and_leave_the_figure_its_width(make: Callable[[], Panel]) -> None:
    panel = make()
    count = len(panel.rows)
    usual = Chart("", ((replace(panel, rows=("a",) * count, title=""),),))
    chart = Chart("", ((replace(panel, rows=(LONG,) * count, title=""),),))
    assert unreadable(chart) == [] == unreadable(Chart("", ((replace(panel, title=LONG),),)))
    picture, narrow = (fromstring(svg_text(drawn_chart)) for drawn_chart in (chart, usual))
    assert float(picture.get("width")) < float(narrow.get("width")) + 3.5 * 96
    # A name takes lines, each a text of its own.
    written = " ".join(texts(picture))
    assert written.count("How often did you") == written.count("at home?") == count


def test_letters_from_the_right_are_outlines_where_letters_are_set_one_by_one(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed here")
    row = "عمر (1 against 0)"
    chart = Chart("", ((replace(row_panel(), rows=("plain", row, "b"), title="צום is 1"),),))
    from_the_right = re.compile("[\u0590-\u08ff]")
    of_a_file, of_a_page = (" ".join(texts(fromstring(make(chart)))) for make in (svg_text, svg_for_pages))
    assert len(from_the_right.findall(of_a_file)) == 6 and not from_the_right.search(of_a_page)
    write_pdf(chart, tmp_path / "chart.pdf")
    text = pypdf.PdfReader(tmp_path / "chart.pdf").pages[0].extract_text()
    assert "plain" in of_a_page and "plain" in text and not from_the_right.search(text)


def test_what_is_said_of_a_name_from_the_right_stands_behind_it() -> None:
    row = "ضغط الدم (زئبق) (1 against 0)"
    chart = Chart("", ((replace(row_panel(), rows=(row, "a", "b"), title="صداع is 1"),),))
    shown = texts(fromstring(svg_text(chart)))
    # Unicode's isolates: what is between them runs from the right, and all around it from the left.
    assert "\u2068صداع\u2069 is 1" in shown and "\u2068ضغط الدم (زئبق)\u2069 (1 against 0)" in shown


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    chart = Chart("", ((row_panel(),),))
    for _, write in CHART_WRITERS.values():
        with pytest.raises(UnwritableFile):
            write(chart, tmp_path / "none" / "chart")
    assert list(tmp_path.iterdir()) == []


def test_pictures_are_written_in_every_kind_and_named_once(written: Path) -> None:
    names = [written / f"picture{ending}" for ending in (".svg", ".pdf")]
    assert sorted(written.iterdir()) == sorted(names)
    assert list(written_lines(names)) == [f"Written to {written}: picture.svg/.pdf."]


def test_a_file_has_its_colours_and_a_page_defines_them(picture_text: str) -> None:
    assert "var(" not in picture_text
    content: dict[str, Any] = dict.fromkeys(("facts", "verdicts", "cautions"), ())
    content |= {"title": "A page", "is_partial": False}
    inside = [str(inline(whole_chart(), name)) for name in ("one", "two")]
    page = page_text("templates/page.html", content)
    used = set(re.findall(r"var\((--[\w-]+)\)", inside[0] + page))
    assert "--chart-c43c00" in used and "--ink" in used
    # No colour is left that the page cannot darken.
    assert not re.findall(r"(?:fill|stroke): #[0-9a-f]{6}", inside[0])
    light, dark = page.split("prefers-color-scheme: dark")
    for name in used:
        assert f"{name}:" in light and f"{name}:" in dark
    names = [set(re.findall(r'id="([^"]+)"', inner_picture)) for inner_picture in inside]
    assert not names[0] & names[1]
    for inner_picture, own in zip(inside, names, strict=True):
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', inner_picture)) <= own


def contrast(first: str, second: str) -> float:
    """Contrast ratio of the Web Content Accessibility Guidelines 2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_no_two_series_differ_by_colour_alone() -> None:
    series = [look for name, look in looks().items() if name.startswith("series-") or name == "own"]
    assert len({(look.marker, look.is_filled) for look in series}) == len(series) == 13
    assert len({look.dash for look in series}) >= len(series) - 2
    ground = INKS["ground"]
    for look in looks().values():
        assert isinstance(look, Look)
        assert contrast(look.colour, ground.colour) >= 3.0
        assert contrast(look.colour_on_dark, ground.colour_on_dark) >= 3.0
    assert len(set(colours())) == len(colours())


@pytest.mark.parametrize("figures", [[0.18, 0.26], [0.5, 0.5], [0.0, 0.0], [-3.0, 2.0]])
def test_scales_hold_their_figures_with_room(figures: list[float]) -> None:
    low, high = around(figures)
    assert low < min(figures) and high > max(figures)


@pytest.mark.parametrize("figures", [[0.3], [1.0, 1.0], [1e-9, 1e9], [1000.0]])
def test_powers_of_ten_hold_their_figures(figures: list[float]) -> None:
    axis = powers_of_ten(figures)
    assert axis.low <= min(figures) and max(figures) <= axis.high and axis.low < axis.high
    assert axis.ticks[0][0] == axis.low and axis.ticks[-1][0] == axis.high


def test_a_graph_that_was_arranged_is_drawn_as_it_is() -> None:
    findings = engine.discover(engine.simulate(labels=6, features=30, rows=1000, seed=4).dataset).findings
    whole = graph_chart(findings).panels[0]
    assert isinstance(whole, GraphFigure)
    shown = graph.graph_content(findings, 4, 2).nodes
    assert 2 < len(shown) < len(whole.content.nodes)
    places = {node.name: (200.0 * number, 40.0 * (number % 2)) for number, node in enumerate(shown)}
    arranged = graph_chart(findings, places).panels[0]
    assert isinstance(arranged, GraphFigure)
    drawn = zip((node.name for node in arranged.content.nodes), arranged.places, strict=True)
    assert dict(drawn) == {name: pytest.approx(place) for name, place in places.items()}
    # Where one alone was moved, all others stand around it.
    moved = graph_chart(findings, {shown[-1].name: (900.0, 900.0)}).panels[0]
    assert isinstance(moved, GraphFigure)
    assert moved.content == whole.content
    assert moved.places[moved.content.nodes.index(shown[-1])] == (900.0, 900.0)
