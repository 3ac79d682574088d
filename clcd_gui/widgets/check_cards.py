"""Cards of what to check before a search: one for each kind, with the choice inside."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QWidget

from clcd_gui.document.checks import Check, EventChoice, Offer
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, caption, muted, set_tooltip, title
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.controls import card_button
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import Part, column, replace_content, row, scroll_only_down
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.window_page import Workspace
from clcd_gui.wording.text import count_text
from engine.translation import N_, _, for_count

TO_CHECK = N_("To check")
_BEFORE = N_("{concerns} Check this before you run.")


class CheckNotice(Notice):
    """Names what is to be checked, until it is settled or the person puts it away."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._checking, self._navigation = workspace.session.checking, workspace.navigation
        self._put_off: tuple[str, ...] = ()
        self.closed.connect(self._on_put_off)
        self._checking.changed.connect(self._show)
        workspace.session.document.replaced.connect(self._on_replaced)
        self._show()

    def _show(self) -> None:
        pressing = [check for check in self._checking.checks if check.is_pressing]
        if {check.title for check in pressing} <= set(self._put_off):
            self.hide_text()
            return
        concerns = dict.fromkeys(check.concern or f"{check.title}." for check in pressing)
        self.show_text(_(_BEFORE, concerns=" ".join(concerns)), "warning")
        self.add_action(_("Look"), self._navigation.look_at_checks)

    def _on_put_off(self) -> None:
        self._put_off = tuple(check.title for check in self._checking.checks)

    def _on_replaced(self) -> None:
        self._put_off = ()


NOTHING_TO_CHECK = N_("Nothing needs to be checked.")
NOT_LOOKED_YET = N_("Choose labels first. CLCD then checks rows and columns.")
_LEVEL_LETTERS = 24
_NOT_DECIDED = N_("Not chosen")
_LEAVE = N_("Leave as it is")
_LEAVE_MEANS = N_("Hide this card. It comes back if its content changes.")
_ONE_LEFT = N_("You left {count} card as it is.")
_SEVERAL_LEFT = N_("You left {count} cards as they are.")


class CheckCards(QScrollArea):
    """Lists cards one below the other."""

    # Names of columns, and the level that is their event; empty for none any more.
    event_chosen = Signal(list, str)
    offer_taken = Signal(object)  # about rows, a feature or a column of groups
    left = Signal(object)  # the check of a card that is left as it is
    wanted_back = Signal()  # all that were left as they are

    def __init__(self) -> None:
        super().__init__()
        scroll_only_down(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.checks: tuple[Check, ...] | None = None
        self.cards: list[QFrame] = []
        self._nothing, self._left = "", 0
        self.set_checks(())

    def set_checks(self, checks: Sequence[Check], nothing: str = NOTHING_TO_CHECK, left: int = 0) -> None:
        """Show other cards, or where there is none why; `left` counts those that were left as they are."""
        if (self.checks, self._left) == (tuple(checks), left) and (checks or self._nothing == nothing):
            return
        self.checks, self._nothing, self._left = tuple(checks), nothing, left
        self.cards = [self._card(check) for check in checks]
        inner = QWidget()
        parts: list[Part] = [*(self.cards or [muted(nothing)])]
        if left:
            back = card_button(_("Show again"), self.wanted_back, _("Show again what you left as it is"))
            told = for_count(left, _ONE_LEFT, _SEVERAL_LEFT).format(count=count_text(left))
            parts.append(row((muted(told), 1), back, spacing=SPACE_SMALL))
        column(*parts, 1, on=inner, margins=(0, SPACE, SPACE, 0))
        replace_content(self, inner)

    def _card(self, check: Check) -> QFrame:
        card = QFrame()
        set_look(card, "notice", tone="plain" if check.is_settled else "warning")
        card.setAccessibleName(check.title)
        heading = title(check.title)
        heading.setWordWrap(True)
        top: list[Part] = [(heading, 1)]
        if check.can_be_left:
            leave = card_button(_(_LEAVE), partial(self._on_left, check), _(_LEAVE_MEANS))
            leave.setAccessibleName(f"{_(_LEAVE)}: {check.title}")
            set_look(leave, "quiet")
            top.append((leave, 0, Qt.AlignmentFlag.AlignTop))
        parts: list[Part] = [row(*top), body(check.text), *map(self._choice, check.choices)]
        if check.offers:
            # Names of columns may be long: one below the other they need no more than the card has.
            buttons = [(self._offer(offer), 0, Qt.AlignmentFlag.AlignLeft) for offer in check.offers]
            parts.append(column(*buttons, spacing=SPACE_SMALL))
        column(*parts, on=card, margins=(SPACE_LARGE, SPACE, SPACE_LARGE, SPACE))
        return card

    def _choice(self, choice: EventChoice) -> QHBoxLayout:
        names = ElidedLabel(choice.text)
        set_tooltip(names, "\n".join(choice.columns[:_MOST_IN_TOOLTIP]))
        line = row((names, 1), spacing=SPACE_SMALL)
        for level in choice.levels:
            if level == choice.chosen:
                continue
            short = level if len(level) <= _LEVEL_LETTERS else f"{level[: _LEVEL_LETTERS - 1]}…"
            count, choose = (
                _("Count “{level}” as the event", level=level),
                partial(self._on_level, choice.columns, level),
            )
            button = card_button(caption(short), choose, count)
            button.setAccessibleName(_("{count} of {columns}", count=count, columns=choice.text))
            line.addWidget(button)
        if choice.chosen:
            forget = partial(self._on_level, choice.columns, "")
            back = card_button(_(_NOT_DECIDED), forget, _("Let the names of the levels decide"))
            back.setAccessibleName(f"{_(_NOT_DECIDED)}: {choice.text}")
            line.addWidget(back)
        return line

    def _on_level(self, columns: tuple[str, ...], level: str, _checked: bool = False) -> None:
        self.event_chosen.emit(list(columns), level)

    def _on_left(self, check: Check, _checked: bool = False) -> None:
        self.left.emit(check)

    def _offer(self, offer: Offer) -> QPushButton:
        return card_button(caption(_(offer.title)), lambda: self.offer_taken.emit(offer), _(offer.sentence))


_MOST_IN_TOOLTIP = 20
