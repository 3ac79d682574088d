"""The report as it will read, on white paper in either theme."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import (
    QImage,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from clcd_gui.run.reporting import Preview
from clcd_gui.style.pictures import FittedPicture
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import laid_out_once
from clcd_gui.style.tokens import LIGHT, SPACE_LARGE
from clcd_gui.turns import Turn
from engine.reporting.report.blocks import TONE_COLOURS, Tone

DOTS_PER_INCH = 192
_USUAL_DOTS_PER_INCH = 96
_WIDEST_IN_PAPERS = 10
# The letter that stands in a text where a picture is.
_PICTURE_IN_TEXT = "\N{OBJECT REPLACEMENT CHARACTER}"

_STYLE = f"""
h1 {{ font-size: x-large; font-weight: 600; margin-bottom: 2px; }}
h2 {{ font-size: large; font-weight: 600; margin-top: 22px; margin-bottom: 4px; }}
h3 {{ font-weight: 600; margin-top: 12px; margin-bottom: 2px; }}
p {{ margin-top: 4px; margin-bottom: 4px; }}
.lead {{ font-size: large; }}
.warning {{ background-color: {LIGHT.warning_ground}; }}
.quiet {{ color: {TONE_COLOURS[Tone.QUIET]}; }}
.note {{ color: {LIGHT.muted}; font-size: small; }}
.wide {{ font-size: small; }}
.name {{ font-weight: 600; }}
.common {{ color: {TONE_COLOURS[Tone.COMMON]}; font-weight: 600; }}
.specific {{ color: {TONE_COLOURS[Tone.SPECIFIC]}; font-weight: 600; }}
.label {{ color: {TONE_COLOURS[Tone.LABEL]}; }}
th {{ color: {LIGHT.muted}; font-weight: 600; }}
.head {{ border-bottom: 1px solid {LIGHT.text}; }}
.last {{ border-bottom: 1px solid {LIGHT.border}; }}
"""


class _Picture(FittedPicture):
    """A figure of the report."""

    def __init__(self, source: bytes) -> None:
        super().__init__(QImage.fromData(source))
        self.source = source


class ReportPreview(QTextBrowser):
    """Shows a report while it is being put together.

    A report of many labels takes a tenth of a second to be read and another one to be laid out: each of these
    is done in a turn of its own, while the state before is still seen.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pictures: dict[str, _Picture] = {}
        self._steps: Iterator[None] = iter(())
        self._turn = Turn(self, repeats=True)
        self._turn.due.connect(self._take_step)
        self.setAccessibleName("Preview of the report")
        self.setOpenLinks(False)
        set_look(self, "paper")
        self.setDocument(self._new_document())

    @property
    def is_up_to_date(self) -> bool:
        """Whether what was asked for last is shown."""
        return not self._turn.is_waiting

    def show_preview(self, preview: Preview) -> None:
        """Show another state of the report at the place that is looked at, in a moment."""
        self._steps = self._showing(preview)
        self._turn.start()

    def clear_preview(self) -> None:
        """Show nothing, and hold no picture."""
        self._turn.stop()
        self._steps = iter(())
        self._pictures = {}
        self._replace_document(self._new_document())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    @Slot()
    def _take_step(self) -> None:
        try:
            next(self._steps)
        except StopIteration:
            self._turn.stop()

    def _showing(self, preview: Preview) -> Iterator[None]:
        pictures = self._read(preview.pictures)
        yield
        document = self._new_document()
        document.setHtml(preview.html)
        yield
        place = self.verticalScrollBar().value()
        # A report is longer than its paper: a bar that came for it would have it laid out a second time.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._pictures = pictures
        self._fit_pictures(document)
        # Qt lays it out anew wherever it was shown or measured before.
        self._replace_document(document)
        self._fit_words()
        self.verticalScrollBar().setValue(place)

    def _replace_document(self, document: QTextDocument) -> None:
        before = self.document()
        document.setParent(self)
        self.setDocument(document)
        before.deleteLater()

    def _new_document(self) -> QTextDocument:
        # Without a parent till it is shown: one that is given up half done goes by itself.
        document = QTextDocument()
        document.setDefaultFont(self.font())
        document.setDefaultStyleSheet(_STYLE)
        document.setDocumentMargin(SPACE_LARGE)
        option = document.defaultTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        document.setDefaultTextOption(option)
        return document

    def _read(self, pictures: Mapping[str, bytes]) -> dict[str, _Picture]:
        """Read the figures that are new; to read and to fit one takes a moment."""
        known, read = self._pictures, {}
        for name, source in pictures.items():
            address = f"figure:{name}"
            had = known.get(address)
            read[address] = had if had is not None and had.source == source else _Picture(source)
        return read

    def show_part(self, name: str) -> None:
        """Bring a part into view."""
        self.scrollToAnchor(name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let figures be no wider than the paper."""
        super().resizeEvent(event)
        # A bar that comes below while words are fitted changes the height alone; to fit again would take it
        # away, and so on without an end.
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        """Show figures and words in the width of the paper."""
        with laid_out_once(self.document()):
            self._fit_pictures(self.document())
        self._fit_words()

    def _fit_words(self) -> None:
        """Have a wide table scrolled, as words in pieces cannot be read; break them where it has no end."""
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        if self.document().size().width() > _WIDEST_IN_PAPERS * self.viewport().width():
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def _fit_pictures(self, document: QTextDocument) -> None:
        """Show every figure in its own size, or as wide as there is room."""
        room = self.viewport().width() - 2 * document.documentMargin()
        # Tables alone are thousands of pieces of text, of which few are pictures.
        found = document.find(_PICTURE_IN_TEXT)
        while not found.isNull():
            self._fit_picture(document, found, room)
            found = document.find(_PICTURE_IN_TEXT, found)

    def _fit_picture(self, document: QTextDocument, cursor: QTextCursor, room: float) -> None:
        if not cursor.charFormat().isImageFormat():
            return
        shown = cursor.charFormat().toImageFormat()
        picture = self._pictures[shown.name()]
        image = picture.image
        width = max(min(image.width() * _USUAL_DOTS_PER_INCH / DOTS_PER_INCH, room), 1.0)
        if shown.width() != width:
            smaller = picture.in_width(width, self.devicePixelRatioF())
            document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(shown.name()), smaller)
            shown.setWidth(width)
            shown.setHeight(width * image.height() / image.width())
            cursor.setCharFormat(shown)
