"""Looks in the background for what a person should check before a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.checks import (
    SET_ASIDE,
    Check,
    KeepOffer,
    Offer,
    ReadingOffer,
    RoleOffer,
    block_check,
    chosen_event_check,
    event_check,
    group_check,
    made_check,
    reading_checks,
    row_checks,
    set_aside_check,
    weight_check,
)
from clcd_gui.document.document import Document
from clcd_gui.document.doubts import doubts_of
from clcd_gui.run.lane import Lane
from clcd_gui.run.opening import Opening
from clcd_gui.run.table_steps import TableSteps
from clcd_gui.turns import single_shot
from clcd_gui.wording.setting_values import lower_first
from engine.errors import EngineError
from engine.independence.reflective import ReflectiveBlock, reflective_blocks
from engine.preparation.dependence import DependentRows, dependent_rows
from engine.preparation.made_from_labels import MadeColumn, columns_a_search_meets
from engine.preparation.preparation_settings import PreparationSettings
from engine.preparation.useless import ALWAYS_SET_ASIDE, useless_features
from engine.progress import SharedProgress
from engine.table.dataset import Dataset
from engine.table.variable import Role
from engine.translation import _

_REST_MILLISECONDS = 200
# Of more features only those that were found are looked at, by the search: all of them would take long.
_MOST_FEATURES = 500


@dataclass(frozen=True, slots=True)
class TableChecks:
    """What was seen in a table."""

    dataset: Dataset
    rows: DependentRows = field(default_factory=DependentRows)
    blocks: tuple[ReflectiveBlock, ...] = ()
    made_columns: tuple[MadeColumn, ...] = ()  # features that are made from labels
    # Features that a search leaves out unless kept by name, each with the reason, by topic.
    useless: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def left_out(self, preparation: PreparationSettings) -> dict[str, str]:
        """Return the features that a search leaves out, each with the reason."""
        from_labels = {
            column.name: column.sentence
            for column in self.made_columns
            if column.is_exact and preparation.set_aside and column.name not in preparation.kept
        }
        useless = {
            name: reason
            for topic, reasons in self.useless.items()
            for name, reason in reasons.items()
            if topic in ALWAYS_SET_ASIDE or name not in preparation.kept
        }
        return {**useless, **from_labels}

    def checks(self, kept: frozenset[str]) -> tuple[Check, ...]:
        """Return what a person should check, where some features are kept by name."""
        others = (
            made_check(self.made_columns, kept),
            *(set_aside_check(topic, list(self.useless.get(topic, {})), kept) for topic in SET_ASIDE),
            block_check(self.blocks),
        )
        return (*row_checks(self.rows.dependences), *(check for check in others if check is not None))


def checks_of(dataset: Dataset, preparation: PreparationSettings, _progress: SharedProgress) -> TableChecks:
    """Look whether rows depend on each other, columns reflect one thing, or features are made from labels."""
    try:
        useless = useless_features(dataset, replace(preparation, keep=None))
        if not dataset.labels:
            # An identifier or a constant is one whatever the labels are; all else depends on them.
            return TableChecks(dataset, useless=useless)
        is_narrow = len(dataset.features) <= _MOST_FEATURES
        blocks = reflective_blocks(dataset, outcomes=dataset.labels) if is_narrow else ()
        made_columns = columns_a_search_meets(dataset)
        return TableChecks(dataset, dependent_rows(dataset), blocks, made_columns, useless)
    except EngineError:
        # A search says what is wrong with such a table.
        return TableChecks(dataset)


class Checking(QObject):
    """Holds what is to be checked in the table that a run would use."""

    changed = Signal()

    def __init__(
        self,
        document: Document,
        steps: TableSteps,
        opening: Opening,
        lane: Lane,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._steps, self._opening, self._lane = document, steps, opening, lane
        self._of_reading: tuple[Check, ...] = ()
        self.checks: tuple[Check, ...] = ()
        self.confirmed: tuple[Check, ...] = ()  # what a person left as it is
        self.left_out: Mapping[str, str] = {}
        self._seen: TableChecks | None = None
        self._looked_at: tuple[object, ...] = ()
        self._preparation: PreparationSettings | None = None
        self._rest = single_shot(self, _REST_MILLISECONDS, self._look)
        document.opened.connect(self._on_opened)
        document.analysis_changed.connect(self._on_analysis)
        document.closed.connect(self._on_closed)
        lane.succeeded.connect(self._on_looked)

    def take(self, offer: Offer) -> None:
        """Do what an offer says, as one step that can be undone."""
        analysis = self._document.analysis
        if analysis is None:
            return
        if isinstance(offer, KeepOffer):
            self._document.change(analysis.keeping(offer.feature, offer.keeps), lower_first(_(offer.title)))
        elif isinstance(offer, RoleOffer):
            # An identifier is analysed only where it is kept by name.
            kept = analysis.keeping(offer.column, offer.role is Role.FEATURE)
            self._document.change(kept.with_roles([offer.column], offer.role), lower_first(_(offer.title)))
        elif isinstance(offer, ReadingOffer):
            if offer.change is None:
                self._opening.look_again()
            else:
                options = replace(self._document.options, **{offer.change.name: offer.change.value})
                self._opening.read_again(options)
        elif offer.step is None:
            self._document.set_roles([offer.groups], Role.GROUPS)
        else:
            self._steps.change(analysis.recipe.with_step(offer.step), _(offer.title))

    def confirm(self, check: Check) -> None:
        """Leave as it is what a card says, as one step that can be undone; the card goes."""
        analysis = self._document.analysis
        if analysis is not None:
            after = replace(analysis, confirmed=(*analysis.confirmed, check.key))
            self._document.change(after, _("leave “{title}” as it is", title=check.title))

    def bring_back(self) -> None:
        """Show again all cards that were left as they are, as one step that can be undone."""
        analysis = self._document.analysis
        if analysis is not None:
            self._document.change(replace(analysis, confirmed=()), _("show the cards again"))

    @Slot()
    def _on_opened(self) -> None:
        reading = self._document.reading
        # What a project holds was read once; its file is no table.
        is_table = reading is not None and reading.format != "project"
        doubts = doubts_of(reading, self._document.options) if reading is not None and is_table else ()
        self._of_reading = reading_checks(doubts)

    @Slot()
    def _on_analysis(self) -> None:
        analysis = self._document.analysis
        if analysis is None:
            return
        dataset = analysis.dataset
        # Only values, kinds and roles say whether rows depend on each other and columns reflect one thing.
        if self._looked_at != _about(dataset):
            self._lane.abandon()
            self._seen, self._looked_at = None, ()
            self._rest.start()
        elif self._preparation != analysis.preparation:
            # What was seen stays until it is known what these settings leave out.
            self._rest.start()
        self._tell(analysis)

    @Slot()
    def _look(self) -> None:
        analysis = self._document.analysis
        if analysis is not None and not self._lane.is_shut_down:
            self._preparation = analysis.preparation
            self._lane.start(partial(checks_of, analysis.dataset, analysis.preparation))

    @Slot(object)
    def _on_looked(self, seen: TableChecks) -> None:
        analysis = self._document.analysis
        if analysis is not None and _about(seen.dataset) == _about(analysis.dataset):
            self._looked_at, self._seen = _about(seen.dataset), seen
            self._tell(analysis)

    @Slot()
    def _on_closed(self) -> None:
        self._rest.stop()
        self._lane.abandon()
        self.checks, self.left_out, self._seen, self._looked_at = (), {}, None, ()
        self.confirmed = ()
        self._of_reading = ()
        self.changed.emit()

    def _tell(self, analysis: Analysis) -> None:
        # Before there is a label, which columns matter is not known.
        events = event_check(analysis.dataset) if analysis.dataset.labels else None
        seen = () if self._seen is None else self._seen.checks(analysis.preparation.kept)
        reading = self._document.reading
        read = analysis.dataset if reading is None else reading.dataset
        kept = analysis.preparation.kept
        groups, weights = (check(analysis.dataset, read, kept) for check in (group_check, weight_check))
        chosen = chosen_event_check(analysis.dataset, read)
        of_roles = [check for check in (groups, weights, *seen, events, chosen) if check is not None]
        told = (*of_roles, *self._of_reading)
        confirmed = tuple(check for check in told if check.key in analysis.confirmed and check.can_be_left)
        checks = tuple(check for check in told if check not in confirmed)
        left_out = {} if self._seen is None else self._seen.left_out(analysis.preparation)
        if (checks, confirmed, left_out) != (self.checks, self.confirmed, self.left_out):
            self.checks, self.confirmed, self.left_out = checks, confirmed, left_out
            self.changed.emit()


def _about(dataset: Dataset) -> tuple[object, ...]:
    return dataset.variables, tuple(map(id, dataset.columns))
