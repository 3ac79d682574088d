"""The report is put together, looked at and written by clicks and keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from docx import Document
from pypdf import PdfReader
from PySide6.QtCore import QBuffer, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPalette, QTextDocument, QTextOption
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem, QWidget

from clcd_gui.report.report_page import PartsList, ReportPage, ReportPreview
from clcd_gui.run.reporting import Preview, preview_of
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.text import scaled
from clcd_gui.style.themes import Scheme, follow_theme
from clcd_gui.style.tokens import DARK, LIGHT
from clcd_gui.turns import Turn
from clcd_gui.widgets.dialogs import ExportDialogs
from clcd_gui.wording.text import BREAK, NO_BREAK
from engine.errors import Cancelled
from engine.project.project_files import open_project
from engine.reporting.figures.figure_files import png_bytes
from engine.reporting.report import make_report, report_parts, standard_parts
from engine.reporting.report.blocks import Cell, GridBlock, Tone
from engine.reporting.tables import ResultContext
from tests.engine.reporting.test_figures import contrast
from tests.gui.results_factory import SHAPES
from tests.gui.test_journey import click
from tests.gui.workspaces import make_workspace, show_result

ALT = Qt.KeyboardModifier.AltModifier


class Answers(ExportDialogs):
    def __init__(self, folder: Path) -> None:
        self.folder, self.replaces = folder, True
        self.asked_about: list[str] = []

    def choose_folder(self, parent: QWidget | None, title: str, start: Path) -> Path | None:
        return self.folder

    def may_replace(self, parent: QWidget | None, paths: Sequence[Path]) -> bool:
        self.asked_about = [path.name for path in paths]
        return self.replaces


def read(page: ReportPage) -> str:
    return page.preview.toPlainText().replace(BREAK, "").replace(NO_BREAK, " ")


def wait_for_preview(page: ReportPage, qtbot) -> None:
    lane = page._controller.preview
    qtbot.waitUntil(lambda: not lane.is_busy, timeout=60_000)
    qtbot.waitUntil(lambda: not page.preview._turn.is_waiting)


def show(preview: ReportPreview, shown: Preview, qtbot) -> None:
    preview.show_preview(shown)
    qtbot.waitUntil(lambda: not preview._turn.is_waiting)


def export(page: ReportPage, folder: Path, names: set[str], qtbot) -> tuple[Path, ...]:
    page.dialogs = Answers(folder)
    click(page.primary)
    dialog = page.dialog
    dialog.choose.click()
    for entry in dialog.files.entries:
        box = dialog.files.box(entry.name)
        if box.isChecked() is not (entry.name in names):
            QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(10, box.height() // 2))
    with qtbot.waitSignal(page._controller.report.succeeded, timeout=120_000) as signal:
        click(dialog.write_button)
    return signal.args[0]


@pytest.mark.parametrize("scheme", list(Scheme))
def test_the_preview_is_dark_ink_on_white_paper(scheme: Scheme, window: MainWindow, qtbot) -> None:
    window.theme.set_scheme(scheme)
    qtbot.waitUntil(window.updatesEnabled)
    preview = ReportPreview(window)
    follow_theme(preview)
    preview.resize(300, 200)
    preview.setHtml("<p>Summary</p>")
    preview.show()
    picture = preview.viewport().grab().toImage()
    shades = {picture.pixelColor(x, y).lightness() for x in range(200) for y in range(60)}
    assert picture.pixelColor(2, 2).name() == "#ffffff" and min(shades) < 100 and max(shades) == 255
    window.theme.set_scheme(Scheme.SYSTEM)


def test_a_figure_that_is_shown_already_is_not_fitted_again(monkeypatch: pytest.MonkeyPatch, qtbot) -> None:
    fitted: list[float] = []

    def fit(picture: QImage, width: float, _ratio: float) -> QImage:
        fitted.append(width)
        return picture

    monkeypatch.setattr("clcd_gui.style.icons.in_width", fit)
    png = QBuffer()
    QImage(40, 40, QImage.Format.Format_RGB32).save(png, "PNG")
    names = ("first", "second")
    blocks = [SimpleNamespace(kind="figure", name=name, chart=SimpleNamespace(title=name)) for name in names]
    report = SimpleNamespace(
        title="T", facts=[], sections=[SimpleNamespace(name="s", title="", blocks=blocks)]
    )
    preview = ReportPreview()
    qtbot.addWidget(preview)
    preview.resize(500, 300)
    for drawn_names in (names[:1], names, names):
        show(preview, preview_of(report, {name: bytes(png.data()) for name in drawn_names}), qtbot)
    assert len(fitted) == 2
    assert "being drawn" not in preview.toPlainText()


def test_of_a_long_text_only_pictures_are_looked_at(monkeypatch: pytest.MonkeyPatch, qtbot) -> None:
    preview = ReportPreview()
    qtbot.addWidget(preview)
    preview.show()
    png, looked_at = QBuffer(), []
    QImage(40, 40, QImage.Format.Format_RGB32).save(png, "PNG")
    words = "<p>Words.</p>" * 500
    pictures = {"figure": bytes(png.data())}
    monkeypatch.setattr(preview, "_fit_picture", lambda *piece: looked_at.append(piece))
    html = f"{words}<img src='figure:figure'>{words}"
    show(preview, Preview(SimpleNamespace(), pictures, html), qtbot)
    assert len(looked_at) == 1


def test_a_report_is_read_and_laid_out_in_turns(monkeypatch: pytest.MonkeyPatch, qtbot) -> None:
    preview = ReportPreview()
    qtbot.addWidget(preview)
    preview.resize(500, 300)
    preview.show()
    done: list[str] = []
    for name in ("_new_document", "_replace_document"):
        usual = getattr(preview, name)
        monkeypatch.setattr(
            preview, name, lambda *given, name=name, usual=usual: (done.append(name), usual(*given))[1]
        )
    page = "".join(f"<p>Line {number}.</p>" for number in range(200))
    show(preview, Preview(SimpleNamespace(), {}, page), qtbot)
    preview.verticalScrollBar().setValue(300)
    done.clear()
    in_turns = []
    preview.show_preview(Preview(SimpleNamespace(), {}, page.replace("Line", "Other line")))
    while preview._turn.is_waiting:
        assert preview.toPlainText().startswith("Line 0.")
        Turn.take_next()
        in_turns.append(tuple(done))
        done.clear()
    assert [turn for turn in in_turns if turn] == [
        ("_new_document",),
        ("_replace_document",),
    ]
    assert preview.toPlainText().startswith("Other line 0.")
    assert preview.verticalScrollBar().value() == 300


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_a_report_that_is_given_up_is_never_shown(turns: int, qtbot) -> None:
    preview = ReportPreview()
    qtbot.addWidget(preview)
    preview.show()
    preview.show_preview(Preview(SimpleNamespace(), {}, "<p>Earlier.</p>"))
    for _ in range(turns):
        Turn.take_next()
    show(preview, Preview(SimpleNamespace(), {}, "<p>Later.</p>"), qtbot)
    assert preview.toPlainText() == "Later."
    preview.show_preview(Preview(SimpleNamespace(), {}, "<p>Of a table that is closed.</p>"))
    for _ in range(turns):
        Turn.take_next()
    preview.clear_preview()
    qtbot.wait(50)
    assert not preview._turn.is_waiting and not preview.toPlainText()
    assert len([child for child in preview.children() if isinstance(child, QTextDocument)]) == 1


def test_names_of_labels_stay_whole_in_a_narrow_preview(qtbot) -> None:
    labels = ("amazed-suprised", "relaxing-calm", "Chestnut-backed Chickadee", "Pacific-slope Flycatcher")
    block = GridBlock("Variable", labels, ((Cell("dose", Tone.COMMON), (Cell(""),) * len(labels)),), ())
    report = SimpleNamespace(
        title="T", facts=[], sections=[SimpleNamespace(name="s", title="", blocks=[block])]
    )
    preview = ReportPreview()
    qtbot.addWidget(preview)
    preview.setFont(scaled(preview.font(), 1.5))
    preview.resize(330, 300)
    preview.show()
    show(preview, preview_of(report, {}), qtbot)
    assert "Chickadee" in preview.toPlainText()
    assert preview.wordWrapMode() is QTextOption.WrapMode.WordWrap
    assert preview.horizontalScrollBar().maximum() > 0


def test_no_table_scrolls_sideways_beside_the_parts_in_a_small_window(qtbot) -> None:
    preview = ReportPreview()
    qtbot.addWidget(preview)
    # What a window of 1024 × 700 leaves beside the list of parts.
    preview.resize(560, 500)
    preview.show()
    show(preview, preview_of(make_report(ResultContext(SHAPES["usual"]())), {}), qtbot)
    assert "Marginal strength" in preview.toPlainText()
    qtbot.waitUntil(lambda: preview.horizontalScrollBar().maximum() == 0)


def test_titles_of_parts_and_their_ticks_are_whole_in_any_width(qtbot) -> None:
    parts = PartsList()
    qtbot.addWidget(parts)
    follow_theme(parts)
    parts.set_filled(())
    parts.show()
    listing, cut = parts.list, []
    for width in range(200, 400, 7):
        parts.resize(width, 700)
        QApplication.processEvents()
        for row in range(listing.count()):
            item, option = listing.item(row), QStyleOptionViewItem()
            listing.initViewItemOption(option)
            listing.itemDelegate().initStyleOption(option, listing.indexFromItem(item))
            option.rect = listing.visualItemRect(item)
            room = listing.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, listing)
            around = listing.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, listing) + 1
            lines = listing.fontMetrics().boundingRect(
                QRect(0, 0, room.width() - 2 * around, 0), Qt.TextFlag.TextWordWrap, item.text()
            )
            tick = listing.style().subElementRect(
                QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, listing
            )
            if lines.height() > room.height() or tick.height() > option.rect.height():
                cut.append((width, item.text()))
    assert cut == [] and listing.wordWrap()


def test_a_figure_that_is_made_smaller_loses_no_line(qtbot) -> None:
    stripes = QImage(400, 40, QImage.Format.Format_RGB32)
    stripes.fill(Qt.GlobalColor.white)
    for x in range(0, 400, 2):
        for y in range(40):
            stripes.setPixelColor(x, y, QColor("black"))
    png = QBuffer()
    stripes.save(png, "PNG")
    block = SimpleNamespace(kind="figure", name="stripes", chart=SimpleNamespace(title="Stripes"))
    section = SimpleNamespace(name="s", title="", blocks=[block])
    report = SimpleNamespace(title="T", facts=[], sections=[section])
    preview = ReportPreview()
    qtbot.addWidget(preview)
    preview.resize(500, 300)
    preview.show()
    show(preview, preview_of(report, {"stripes": bytes(png.data())}), qtbot)
    picture = preview.viewport().grab().toImage()
    shades = Counter(
        picture.pixelColor(x, y).lightness() for x in range(20, 200) for y in range(picture.height())
    )
    # Half of it is black: shown in half its size, all of it is grey.
    assert sum(count for shade, count in shades.items() if 100 < shade < 155) > 2000


# The clinician of test_three_people.py writes pages in the short form.
@pytest.mark.long
def test_a_survey_becomes_pages_and_a_document_by_clicks(
    opened: Callable[[Path], MainWindow], small_survey: Path, dialogs, qtbot, tmp_path: Path
) -> None:
    window = opened(small_survey)
    document = window.session.document
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(window.session.running.finished, timeout=180_000):
        click(window.page("data").primary)
    page = window.page("report")
    QTest.mouseClick(window.rail.button("report"), Qt.MouseButton.LeftButton)
    wait_for_preview(page, qtbot)
    assert "variables are linked to two or more labels" in read(page)
    # Every table has room as it is, so that no word is broken in its middle.
    assert page.preview.wordWrapMode() is QTextOption.WrapMode.WordWrap

    # Only a mouse can drag within a list; that Qt asks the list then is seen without one.
    assert page.parts.list.viewport().acceptDrops()
    # The references go before the limits, and the words go.
    page.parts.list.setCurrentItem(page.parts.item("words"))
    QTest.keyClick(page.parts.list, Qt.Key.Key_Space)
    page.parts.list.setCurrentItem(page.parts.item("references"))
    while page.parts.chosen.index("references") > page.parts.chosen.index("limits"):
        QTest.keyClick(page.parts.list, Qt.Key.Key_Up, ALT)
    wait_for_preview(page, qtbot)
    text = read(page)
    assert text.index(report_parts()["references"].title) < text.index(report_parts()["limits"].title)
    assert report_parts()["words"].title not in text.splitlines()

    pdf, word = export(page, tmp_path / "out", {"report-pdf", "report-word"}, qtbot)
    assert "2 files written" in page.notice.text
    pages = PdfReader(pdf)
    titles = [heading.title for heading in pages.outline[1] if not isinstance(heading, list)]
    assert titles.index(report_parts()["references"].title) < titles.index(report_parts()["limits"].title)
    assert report_parts()["words"].title not in titles
    # To take text out of a page with figures takes a second.
    pdf_text = " ".join(pages.pages[0].extract_text().split())
    assert "800 rows · 5 features · 3 labels" in pdf_text
    headings = [
        paragraph.text for paragraph in Document(str(word)).paragraphs if paragraph.style.name == "Heading 1"
    ]
    assert headings == titles
    assert Document(str(word)).inline_shapes

    # What was chosen is saved with the project, and undone step by step.
    dialogs.project = tmp_path / "study.clcd"
    with qtbot.waitSignal(window.session.saving.saved, timeout=60_000):
        window.commands.actions.save.trigger()
    assert tuple(open_project(tmp_path / "study.clcd").report["parts"]) == page.parts.chosen
    while document.presentation.report:
        document.undo_stack.undo()
    assert page.parts.chosen == standard_parts()
    wait_for_preview(page, qtbot)
    assert report_parts()["words"].title in read(page).splitlines()


@pytest.fixture
def page(qtbot) -> ReportPage:
    workspace = make_workspace()
    report_page = ReportPage(workspace)
    qtbot.addWidget(report_page)
    report_page.resize(900, 600)
    report_page.show()
    report_page.workspace = workspace
    return report_page


def test_before_a_run_it_says_what_it_will_hold(page: ReportPage) -> None:
    assert page.empty.isVisible() and "as PDF" in page.empty._text.text()
    assert not page.primary.isVisible() and not page.can_export


def test_files_that_are_there_are_asked_about(page: ReportPage, qtbot, tmp_path: Path) -> None:
    show_result(page.workspace, SHAPES["usual"]())
    wait_for_preview(page, qtbot)
    (tmp_path / "report.pdf").write_text("a person's own")
    page.dialogs = Answers(tmp_path)
    page.dialogs.replaces = False
    click(page.primary)
    dialog = page.dialog
    dialog.choose.click()
    click(dialog.write_button)
    assert page.dialogs.asked_about == ["report.pdf"]
    assert dialog.isVisible(), "the person can choose another folder"
    click(dialog.cancel)
    assert (tmp_path / "report.pdf").read_text() == "a person's own"


def test_parts_without_content_say_so(page: ReportPage, qtbot) -> None:
    show_result(page.workspace, SHAPES["usual"]())
    wait_for_preview(page, qtbot)
    assert page.parts.item("stability").text().endswith("(empty so far)")
    assert page.parts.item("common").text() == report_parts()["common"].title


@pytest.mark.parametrize("scheme", [Scheme.DARK, Scheme.LIGHT])
def test_parts_can_be_read_when_the_colours_change_beside_them(
    scheme: Scheme, opened: Callable[[Path], MainWindow], small_table: Path, qtbot
) -> None:
    window = opened(small_table)
    window.theme.set_scheme(Scheme.LIGHT if scheme is Scheme.DARK else Scheme.DARK)
    show_result(window.workspace, SHAPES["usual"]())
    window.go("report")
    page = window.page("report")
    qtbot.waitUntil(lambda: page.parts.item("stability").text().endswith("(empty so far)"), timeout=60_000)
    window.theme.set_scheme(scheme)
    qtbot.waitUntil(window.updatesEnabled)
    chosen = DARK if scheme is Scheme.DARK else LIGHT
    for name in ("stability", "common", "words"):
        index = page.parts.list.indexFromItem(page.parts.item(name))
        option = QStyleOptionViewItem()
        page.parts.list.initViewItemOption(option)
        page.parts.list.itemDelegate().initStyleOption(option, index)
        ink = option.palette.color(QPalette.ColorGroup.Active, QPalette.ColorRole.Text)
        assert contrast(ink.name(), chosen.base) >= 4.5, name
    window.theme.set_scheme(Scheme.SYSTEM)


def test_a_process_that_draws_is_stopped_at_once_and_begun_again(page: ReportPage, qtbot) -> None:
    from clcd_gui.run.reporting import DrawingProcess
    from engine.progress import SharedProgress
    from engine.reporting.finding_charts import label_set_chart

    process, progress = DrawingProcess(), SharedProgress()
    progress.ask_to_stop()
    chart = label_set_chart(SHAPES["usual"]().findings)
    try:
        with pytest.raises(Cancelled):
            process.ask(png_bytes, chart, progress=progress)
        assert process.ask(png_bytes, chart).startswith(b"\x89PNG")
        with pytest.raises(AttributeError):
            process.ask(png_bytes, None)
    finally:
        process.end()
