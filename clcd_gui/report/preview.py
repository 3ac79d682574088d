"""The report as it will read, on white paper in either theme."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QImage,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QTextFragment,
    QTextOption,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from clcd_gui.document.templates import filled
from clcd_gui.run.reporting import Preview
from clcd_gui.style.pictures import in_width
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import laid_out_once
from clcd_gui.style.tokens import LIGHT, SPACE_LARGE
from engine.reporting.report.blocks import TONE_COLOURS, Tone

DOTS_PER_INCH = 192
_USUAL_DOTS_PER_INCH = 96

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


class ReportPreview(QTextBrowser):
    """Shows a report while it is being put together."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pictures: dict[str, QImage] = {}
        self.setAccessibleName("Preview of the report")
        self.setOpenLinks(False)
        set_look(self, "paper")
        self.document().setDefaultStyleSheet(_STYLE)
        self.document().setDocumentMargin(SPACE_LARGE)

    def show_preview(self, preview: Preview) -> None:
        """Show another state of the report at the place that is looked at."""
        place = self.verticalScrollBar().value()
        html = filled(
            "report_preview.html",
            report=preview.report,
            pictures=preview.pictures,
        )
        document = self.document()
        document.clear()
        self._pictures = {f"figure:{name}": QImage.fromData(each) for name, each in preview.pictures.items()}
        for name, image in self._pictures.items():
            document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
        self.setHtml(html)
        self._fit()
        self.verticalScrollBar().setValue(place)

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
        """Break words only where a table would else be wider than the paper."""
        with laid_out_once(self.document()):
            self._fit_pictures()
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        if self.document().size().width() > self.viewport().width():
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def _fit_pictures(self) -> None:
        """Show every figure in its own size, or as wide as there is room."""
        room = self.viewport().width() - 2 * self.document().documentMargin()
        block = self.document().begin()
        while block.isValid():
            inside = block.begin()
            while not inside.atEnd():
                self._fit_picture(inside.fragment(), room)
                inside += 1
            block = block.next()

    def _fit_picture(self, fragment: QTextFragment, room: float) -> None:
        if not fragment.charFormat().isImageFormat():
            return
        shown = fragment.charFormat().toImageFormat()
        image = self._pictures[shown.name()]
        width = max(min(image.width() * _USUAL_DOTS_PER_INCH / DOTS_PER_INCH, room), 1.0)
        if shown.width() != width:
            smaller = in_width(image, width, self.devicePixelRatioF())
            self.document().addResource(
                QTextDocument.ResourceType.ImageResource.value, QUrl(shown.name()), smaller
            )
            shown.setWidth(width)
            shown.setHeight(width * image.height() / image.width())
            cursor = QTextCursor(self.document())
            cursor.setPosition(fragment.position())
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(shown)
