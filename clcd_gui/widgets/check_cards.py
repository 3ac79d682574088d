"""Cards of what to check before a search: one for each kind, with the choice inside."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from clcd_gui.document.checks import Check, EventChoice, Offer
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, caption, muted, set_tooltip, title
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import replace_content
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.window_page import Workspace

TO_CHECK = "To check"
_BEFORE = "{concerns} Check this before you run."


class CheckNotice(Notice):
    """Names what is to be checked, until it is settled or the person puts it away."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._checking, self._navigation = workspace.session.checking, workspace.navigation
        self._put_off: tuple[str, ...] = ()
        self.closed.connect(self._on_put_off)
        self._checking.changed.connect(self._show)
        workspace.session.document.replaced.connect(self._on_replaced)
        self._show()

    def _show(self) -> None:
        pressing = [each for each in self._checking.checks if each.is_pressing]
        if {each.title for each in pressing} <= set(self._put_off):
            self.hide_text()
            return
        concerns = dict.fromkeys(each.concern or f"{each.title}." for each in pressing)
        self.show_text(_BEFORE.format(concerns=" ".join(concerns)), "warning")
        self.add_action("Look", self._look)

    def _look(self) -> None:
        self._navigation.look_at_checks()

    def _on_put_off(self) -> None:
        self._put_off = tuple(each.title for each in self._checking.checks)

    def _on_replaced(self) -> None:
        self._put_off = ()


NOTHING_TO_CHECK = "Nothing needs to be checked."
NOT_LOOKED_YET = "Choose labels first: rows and columns are checked with regard to them."
_LEVEL_LETTERS = 24
_NOT_DECIDED = "Not decided"


class CheckCards(QScrollArea):
    """Lists cards one below the other.

    Signals
    -------
    event_chosen
        With the names of columns, and the level that is their event; empty where none is chosen any more.
    offer_taken
        With the offer about rows, a feature or a column of groups.
    """

    event_chosen = Signal(list, str)
    offer_taken = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.checks: tuple[Check, ...] | None = None
        self.cards: list[QFrame] = []
        self._nothing = ""
        self.set_checks(())

    def set_checks(self, checks: Sequence[Check], nothing: str = NOTHING_TO_CHECK) -> None:
        """Show other cards, or where there is none why."""
        if self.checks == tuple(checks) and (checks or self._nothing == nothing):
            return
        self.checks, self._nothing = tuple(checks), nothing
        self.cards = [self._card(each) for each in checks]
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, SPACE, SPACE, 0)
        column.setSpacing(SPACE)
        if not checks:
            column.addWidget(muted(nothing))
        for card in self.cards:
            column.addWidget(card)
        column.addStretch(1)
        replace_content(self, inner)

    def _card(self, check: Check) -> QFrame:
        card = QFrame()
        set_look(card, "notice", tone="plain" if check.is_settled else "warning")
        card.setAccessibleName(check.title)
        column = QVBoxLayout(card)
        column.setContentsMargins(SPACE_LARGE, SPACE, SPACE_LARGE, SPACE)
        column.setSpacing(SPACE)
        heading = title(check.title)
        heading.setWordWrap(True)
        column.addWidget(heading)
        column.addWidget(body(check.text))
        for choice in check.choices:
            column.addLayout(self._choice(choice))
        if check.offers:
            column.addLayout(self._offers(check.offers))
        return card

    def _choice(self, choice: EventChoice) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE_SMALL)
        names = ElidedLabel(choice.text)
        set_tooltip(names, "\n".join(choice.columns[:_MOST_IN_TOOLTIP]))
        row.addWidget(names, 1)
        for level in choice.levels:
            if level == choice.chosen:
                continue
            short = level if len(level) <= _LEVEL_LETTERS else f"{level[: _LEVEL_LETTERS - 1]}…"
            button = QPushButton(caption(short))
            set_tooltip(button, f"Count “{level}” as the event")
            button.setAccessibleName(f"Count “{level}” as the event of {choice.text}")
            button.clicked.connect(partial(self._on_level, choice.columns, level))
            row.addWidget(button)
        if choice.chosen:
            back = QPushButton(_NOT_DECIDED)
            back.setAccessibleName(f"{_NOT_DECIDED}: {choice.text}")
            set_tooltip(back, "Let the names of the levels decide")
            back.clicked.connect(partial(self._on_level, choice.columns, ""))
            row.addWidget(back)
        return row

    def _on_level(self, columns: tuple[str, ...], level: str, _checked: bool = False) -> None:
        self.event_chosen.emit(list(columns), level)

    def _offers(self, offers: Sequence[Offer]) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(SPACE_SMALL)
        for offer in offers:
            button = QPushButton(caption(offer.title))
            set_tooltip(button, offer.sentence)
            button.clicked.connect(partial(self._on_offer, offer))
            # Names of columns may be long: one below the other they need no more than the card has.
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return column

    def _on_offer(self, offer: Offer, _checked: bool = False) -> None:
        self.offer_taken.emit(offer)


_MOST_IN_TOOLTIP = 20
