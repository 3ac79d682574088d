"""The first thing that is seen: open a table, drop one, try an example, and the three words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QToolButton, QWidget

from clcd_gui.document.examples import examples
from clcd_gui.plots.marks import draw_feature_mark, draw_label_mark
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.file_watch import RecentFile
from clcd_gui.style import icons, themes
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, plain, set_tooltip, title
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import COMMON, LABEL, LABEL_SPECIFIC, SPACE, SPACE_LARGE, SPACE_SMALL, Meaning
from clcd_gui.turns import WhenSeen
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import column, delete_widgets, row
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.page import Page
from clcd_gui.widgets.window_page import Workspace
from engine.readers.formats import formats
from engine.readers.source import PACKED
from engine.translation import N_, _

Draw = Callable[..., None]
_MARK = 20


class WordsCard(QFrame):
    """Label, common and label-specific side by side."""

    def __init__(self) -> None:
        super().__init__()
        set_look(self, "card")
        words = (
            _word(LABEL, draw_label_mark),
            _word(COMMON, partial(draw_feature_mark, is_common=True)),
            _word(LABEL_SPECIFIC, partial(draw_feature_mark, is_common=False)),
        )
        row(*((word, 1) for word in words), on=self, margins=SPACE_LARGE, spacing=2 * SPACE_LARGE)


class _DrawnMark(QWidget):
    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self._draw = draw
        self.setFixedSize(QSize(_MARK, _MARK))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        self._draw(painter, box, chosen=themes.colours(self.palette()))
        painter.end()


def _word(meaning: Meaning, draw: Draw) -> QHBoxLayout:
    word = _(meaning.title)
    heading = title(word[:1].upper() + word[1:])
    words = column(heading, muted(_(meaning.help)), 1, spacing=0)
    return row(column(_DrawnMark(draw), 1), (words, 1))


_ICON_SIZE = 22
_LARGEST_PICTURE = 1000
_PICTURE_WIDTH = 72


class FileRow(FollowsLook, QPushButton):
    """A button over the whole row."""

    def __init__(self, icon: str, name: str, about: str, key: str) -> None:
        super().__init__()
        self.key = key
        self._icon_name = icon
        self._picture: QPixmap | None = None
        self._mark_width = _ICON_SIZE
        self.setProperty("look", "step")
        self.setAccessibleName(name)
        self.setAccessibleDescription(about)
        set_tooltip(self, key)
        self._mark = plain()
        self._about = muted(about) if icon == "example" else ElidedLabel(about)
        self._about.setProperty("look", "muted")
        caption = ElidedLabel(name)
        caption.setProperty("look", "title")
        words = column(caption, self._about, 1, spacing=0)
        mark = self._mark, 0, Qt.AlignmentFlag.AlignTop
        self._lines = row(mark, (words, 1), on=self, margins=SPACE)
        for child in (self._mark, caption, self._about):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._follow_colours()

    def set_description(self, about: str, icon: str) -> None:
        """Say something else in the second line, with another icon."""
        self._about.setText(about)
        self.setAccessibleDescription(about)
        self._icon_name = icon
        self._follow_colours()

    def show_picture(self, png: bytes) -> None:
        """Show a small picture in the place of the icon; nothing where it is none."""
        picture = QPixmap()
        is_one = picture.loadFromData(png, "PNG")  # type: ignore[call-overload]
        if is_one and picture.width() <= _LARGEST_PICTURE:
            picture.setDevicePixelRatio(max(1.0, picture.width() / _PICTURE_WIDTH))
            self._picture = picture
            self._follow_colours()

    def sizeHint(self) -> QSize:
        """Ask for the room that the lines need."""
        return self._lines.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Never be lower than its lines."""
        return QSize(SPACE * 10, self._lines.minimumSize().height())

    def hasHeightForWidth(self) -> bool:
        """Lines wrap, so the height depends on the width."""
        return self._lines.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """Return the height that the wrapped lines need."""
        return self._lines.heightForWidth(width)

    def _follow_colours(self) -> None:
        if self._picture is not None:
            self._mark.setPixmap(self._picture)
            self._mark.setFixedSize(
                QSize(self._mark_width, self._picture.deviceIndependentSize().toSize().height())
            )
            return
        colour = themes.colours(self.palette()).muted
        self._mark.setPixmap(icons.pixmap(self._icon_name, colour, _ICON_SIZE, self.devicePixelRatioF()))
        self._mark.setFixedSize(QSize(self._mark_width, _ICON_SIZE + SPACE_SMALL))


_DROP_MARK = 36
_GREATEST_WIDTH = 1000


class RecentRow(FileRow):
    """A file that was open before: its picture, where it is, and a button that takes it off the list."""

    def __init__(self, path: Path) -> None:
        super().__init__("recent", path.name, str(path.parent), str(path))
        self.path = path
        self.remove = QToolButton()
        self.remove.setAccessibleName(_("Remove {name} from the list", name=path.name))
        set_tooltip(self.remove, _("Remove it from the list; the file is not deleted"))
        icons.assign(self.remove, "close", themes.colours(), "muted")
        self._lines.addWidget(self.remove)
        # Names stand below one another, with a picture and without.
        self._mark_width = _PICTURE_WIDTH
        self._mark.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._follow_colours()

    def show_found(self, recent_file: RecentFile) -> None:
        """Show what became of it."""
        if not recent_file.is_there:
            self.set_description(_(_GONE, folder=self.path.parent), "warning")
        elif recent_file.picture:
            self.show_picture(recent_file.picture)


_GONE = N_("The file is no longer there: {folder}")
_TOUR = N_("New here? A tour of two minutes shows the way from a table to a result, with an example.")


class StartPage(FollowsLook, Page):
    """Offers the ways in; no dialog stands before it."""

    tour_requested = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(
            _("Which variables are linked to several outcomes, and which to one only?"), parent, wraps=True
        )
        self.subtitle.setText(
            _(
                "Open a table with one row per case and one column per variable. Say which columns "
                "are outcomes. CLCD finds their common and label-specific causal variables, and "
                "shows the tests behind them."
            )
        )
        self.set_primary(_("Open…"), True)
        icons.assign(self.primary, "open", themes.colours(), "accent_text")
        self._session, self._settings = workspace.session, workspace.settings
        self._files = workspace.files
        self.primary.clicked.connect(self._ask_for_table)
        self.notice = Notice()
        self.tour_notice = Notice()
        self.tour_notice.closed.connect(self.forget_tour)
        self.drop = self._drop_area()
        self.words = WordsCard()
        self._recent, self._examples = column(spacing=0), column(spacing=0)
        self.body.addWidget(self.notice)
        self.body.addWidget(self.tour_notice)
        self.body.addWidget(self._middle(), 1)
        if not self._settings.knows_tour:
            self.tour_notice.show_text(_(_TOUR))
            self.tour_notice.add_action(_("Take the tour"), self.tour_requested.emit)
        for example in examples():
            row = FileRow("example", _(example.title), _(example.summary), str(example.path))
            row.clicked.connect(self._choose)
            self._examples.addWidget(row)
        self._session.opening.opened.connect(self.notice.hide_text)
        self._session.opening.failed.connect(self._on_failed)
        # Each table that is opened comes onto the list, which is not seen then.
        self._list_when_seen = WhenSeen(self)
        self._list_when_seen.due.connect(self._list_recent)
        self._settings.recent_files_changed.connect(self._list_when_seen.request)
        self._session.files.recent_seen.connect(self._show_recent)
        self._list_recent()

    def forget_tour(self) -> None:
        """Offer the tour no more; the menu keeps it."""
        self._settings.knows_tour = True
        self.tour_notice.hide_text()

    def _list_recent(self) -> None:
        """List the files that were open, the latest first."""
        paths = self._settings.recent_files
        delete_widgets(self._recent)
        if not paths:
            self._recent.addWidget(muted(_("Tables and projects that you open will be listed here.")))
        for path in paths:
            row = RecentRow(path)
            row.clicked.connect(self._choose)
            row.remove.clicked.connect(self._remove)
            self._recent.addWidget(row)
        if paths:
            self._session.files.look_at_recent(paths)

    @property
    def recent_rows(self) -> list[RecentRow]:
        """The files that were open, the latest first."""
        items = (self._recent.itemAt(index) for index in range(self._recent.count()))
        widgets = (None if item is None else item.widget() for item in items)
        return [widget for widget in widgets if isinstance(widget, RecentRow)]

    def _show_recent(self, recent_files: tuple[RecentFile, ...]) -> None:
        seen = {recent_file.path: recent_file for recent_file in recent_files}
        for shown in self.recent_rows:
            if shown.path in seen:
                shown.show_found(seen[shown.path])

    def _remove(self) -> None:
        button = self.sender()
        row = button.parent() if button is not None else None
        if isinstance(row, RecentRow):
            self._settings.forget_recent_file(row.path)

    def show_failure(self, failure: RunFailure) -> None:
        """Say what went wrong."""
        self.notice.show_failure(failure)

    def _on_failed(self, failure: RunFailure) -> None:
        if self._session.document.analysis is None:
            self.show_failure(failure)

    def _ask_for_table(self) -> None:
        self._files.ask_for_table(self.window())

    def _choose(self) -> None:
        row = self.sender()
        if isinstance(row, FileRow):
            self._files.open(Path(row.key))

    def _drop_area(self) -> QFrame:
        area = QFrame()
        set_look(area, "drop")
        mark = plain()
        mark.setPixmap(icons.pixmap("drop", themes.colours().muted, _DROP_MARK))
        caption = title(_("Drop a table anywhere in this window"))
        kinds = ", ".join(_(table_format.title) for table_format in formats().values())
        packed = ", ".join(PACKED)
        about = muted(_("{kinds}; all of them also compressed ({packed})", kinds=kinds, packed=packed))
        for line in (mark, caption, about):
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column(mark, caption, about, on=area, margins=SPACE_LARGE)
        self._drop_mark = mark
        return area

    def _middle(self) -> QScrollArea:
        """Lay out what scrolls where the window is low, and stays together where it is wide."""
        bundled = column(title(_("Try an example")), self._examples, 1)
        recent = column(title(_("Recent analyses")), self._recent, 1)
        lists = row((bundled, 1), (recent, 1), spacing=2 * SPACE_LARGE)
        inner = QWidget()
        column(self.drop, lists, self.words, 1, on=inner, margins=(0, SPACE, 0, 0), spacing=2 * SPACE_LARGE)
        inner.setMaximumWidth(_GREATEST_WIDTH)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        area.setWidget(inner)
        return area

    def _follow_colours(self) -> None:
        colour = themes.colours(self.palette()).muted
        self._drop_mark.setPixmap(icons.pixmap("drop", colour, _DROP_MARK, self.devicePixelRatioF()))
