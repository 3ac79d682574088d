"""What a person should check in a table before a search: one entry for each kind, with the choice inside."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from clcd_gui.document.columns import named_few
from clcd_gui.document.doubts import Doubt
from clcd_gui.document.events import given_events
from clcd_gui.wording.setting_values import SettingChange
from clcd_gui.wording.text import count_text, in_curved_marks
from engine.independence.reflective import ReflectiveBlock
from engine.preparation.dependence import DependenceKind, RowDependence, RowOffer
from engine.preparation.follow_up import FOLLOW_UP
from engine.preparation.made_from_labels import MadeColumn
from engine.table.dataset import Dataset
from engine.table.identifiers import REPEATING_IDENTIFIER
from engine.table.row_weights import SURVEY_WEIGHTS
from engine.table.survey_columns import SURVEY_PROGRAM
from engine.table.variable import Role
from engine.translation import N_, _, for_count, translated
from engine.wording.phrases import ended

_MOST_NAMED = 4
_MOST_CHOICES = 12


@dataclass(frozen=True, slots=True)
class EventChoice:
    """Labels, or features, with the same two levels, of which one is to be the event."""

    levels: tuple[str, ...]
    columns: tuple[str, ...]
    text: str
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class KeepOffer:
    """A feature that is made from labels, to be analysed all the same, or to be left out again."""

    title: str
    sentence: str
    feature: str
    keeps: bool


@dataclass(frozen=True, slots=True)
class RoleOffer:
    """Another role for a column."""

    title: str
    sentence: str
    column: str
    role: Role


@dataclass(frozen=True, slots=True)
class ReadingOffer:
    """Another way to read the open file."""

    title: str
    sentence: str
    change: SettingChange | None


Offer = RowOffer | KeepOffer | RoleOffer | ReadingOffer


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of thing to check."""

    kind: str
    title: str  # a noun phrase
    text: str  # whole sentences
    choices: tuple[EventChoice, ...] = ()  # events that are to be chosen
    offers: tuple[Offer, ...] = ()  # what can be done about it
    is_pressing: bool = True  # it is said on every page that runs an analysis
    concern: str = ""  # what is said there, a sentence
    is_settled: bool = False  # a person decided it; the offers are the ways back
    about: tuple[object, ...] = ()  # names and values of which it speaks

    @property
    def key(self) -> str:
        """What it is known by, in every language, once a person left it as it is."""
        return json.dumps([self.kind, self.is_settled, *self.about], ensure_ascii=False)

    @property
    def can_be_left(self) -> bool:
        """Whether a person may put it away without a choice."""
        return self.is_settled or not (self.choices and self.is_pressing)


def event_check(dataset: Dataset) -> Check | None:
    """Return what is to be decided of events; None where each is known."""
    undecided = [
        variable for variable in dataset.variables if variable.role.takes_part and variable.lacks_event
    ]
    if not undecided:
        return None
    # The same two codes may mean one thing in outcomes and another in what a person has, such as the sex.
    by_levels: dict[tuple[Role, tuple[str, ...]], list[str]] = {}
    for variable in sorted(undecided, key=lambda variable: variable.role is not Role.LABEL):
        by_levels.setdefault((variable.role, variable.levels), []).append(variable.name)
    choices = tuple(
        EventChoice(levels, tuple(names), named_few(names, _MOST_NAMED))
        for (_, levels), names in by_levels.items()
    )
    count = len(undecided)
    is_pressing = any(variable.role is Role.LABEL for variable in undecided)
    which = _(_WHICH) if is_pressing else _(_WHICH_OF_FEATURES)
    text = which if len(choices) <= _MOST_CHOICES else f"{which} {_(_MORE)}"
    return Check(
        "events",
        _counted(count, for_count(count, "Event of {count} column", "Event of {count} columns")),
        text,
        choices[:_MOST_CHOICES],
        is_pressing=is_pressing,
        concern=_counted(count, for_count(count, _ONE_NOT_KNOWN, _NOT_KNOWN)),
        about=tuple(variable.name for variable in undecided),
    )


def chosen_event_check(dataset: Dataset, read: Dataset) -> Check | None:
    """Return which events a person chose and `read` does not have, with the way back; None where none is."""
    before = given_events(read)
    by_event: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for name, event in given_events(dataset).items():
        variable = dataset.variable(name)
        if variable.role.takes_part and before.get(name) != event:
            by_event.setdefault((variable.levels, event), []).append(name)
    if not by_event:
        return None
    choices = tuple(
        EventChoice(levels, tuple(names), f"{event}: {named_few(names, _MOST_NAMED)}", event)
        for (levels, event), names in list(by_event.items())[:_MOST_CHOICES]
    )
    count = sum(map(len, by_event.values()))
    title = _counted(
        count, for_count(count, "Event of {count} column, chosen", "Event of {count} columns, chosen")
    )
    return Check(
        "events-chosen",
        title,
        _(_SPEAK_OF_IT),
        choices,
        is_pressing=False,
        is_settled=True,
        about=tuple((event, *names) for (_levels, event), names in by_event.items()),
    )


def group_check(dataset: Dataset, read: Dataset, kept: frozenset[str] = frozenset()) -> Check | None:
    """Return by what the rows are grouped, or by which identifier in `read` they no longer are; else None.

    >>> import pandas
    >>> from engine.table.numbered_within import grouped_by_identifier
    >>> table = Dataset.from_frame(pandas.DataFrame({"patient_id": [4711 + row // 3 for row in range(60)]}))
    >>> read = grouped_by_identifier(table)
    >>> check = group_check(read, read)
    >>> check.title, [offer.title for offer in check.offers]
    ('Rows grouped by “patient_id”', ['Do not group the rows', 'Analyse “patient_id” as a feature'])
    >>> group_check(table, read).title
    'Rows not grouped by “patient_id”'
    """
    note = next((remark for remark in read.notes if remark.topic == REPEATING_IDENTIFIER), None)
    name = dataset.groups or (note.variable if note is not None else "")
    if name not in dataset.names or dataset.variable(name).role not in _WITHOUT_GROUPS:
        return None
    role = dataset.variable(name).role
    if role is Role.FEATURE and name not in kept:
        # A search leaves an identifier out.
        role = Role.IGNORED
    is_grouped = role is Role.GROUPS
    is_as_read = note is not None and note.variable == name and read.variable(name).role is role
    title = (
        _("Rows grouped by “{name}”", name=name)
        if is_grouped
        else _("Rows not grouped by “{name}”", name=name)
    )
    text = _(_WITHOUT_GROUPS[role], name=name)
    if is_as_read and note is not None:
        text = in_curved_marks(note.text)
    offers = (
        RoleOffer(_("Group the rows by “{name}”", name=name), _(_GROUP_MEANS), name, Role.GROUPS),
        RoleOffer(_("Do not group the rows"), _(_NOT_GROUPED_MEANS, name=name), name, Role.IGNORED),
        RoleOffer(_("Analyse “{name}” as a feature", name=name), _(_A_FEATURE_MEANS), name, Role.FEATURE),
    )
    return Check(
        "grouped",
        title,
        text,
        offers=tuple(offer for offer in offers if offer.role is not role),
        is_pressing=is_as_read,
        concern=f"{title}.",
        is_settled=not is_as_read,
        about=(name, role.value),
    )


def weight_check(dataset: Dataset, read: Dataset, kept: frozenset[str] = frozenset()) -> Check | None:
    """Return which features may be survey weights, as noted in `read`, or what was decided; else None."""
    notes = [note for note in read.notes if note.topic == SURVEY_WEIGHTS and note.variable in dataset.names]
    roles = {note.variable: dataset.variable(note.variable).role for note in notes}
    shown = [note for note in notes if roles[note.variable] in _ROLES_OF_WEIGHTS][:_MOST_MADE]
    if not shown:
        return None
    names = [note.variable for note in shown]
    undecided = [name for name in names if roles[name] is Role.FEATURE and name not in kept]
    told = [
        note.text
        if note.variable in undecided
        else _(_ROLES_OF_WEIGHTS[roles[note.variable]], name=note.variable)
        for note in shown
    ]
    offers = []
    for name in undecided or names:
        for role, (title, means) in _OFFERS_OF_WEIGHTS.items():
            is_now = role is roles[name] and not (role is Role.FEATURE and name in undecided)
            is_taken = role is Role.WEIGHT and dataset.weight is not None
            if not (is_now or is_taken):
                offers.append(RoleOffer(_(title, name=name), _(means), name, role))
    return Check(
        "survey-weights",
        _("Survey weights"),
        in_curved_marks(" ".join(told)),
        offers=tuple(offers),
        is_pressing=bool(undecided),
        concern=_counted(len(undecided), for_count(len(undecided), _ONE_MAY_WEIGH, _SEVERAL_MAY_WEIGH)),
        is_settled=not undecided,
        about=tuple((name, roles[name].value) for name in names),
    )


def block_check(blocks: Sequence[ReflectiveBlock]) -> Check | None:
    """Return what is to be known of columns that reflect one thing; None where none do."""
    if not blocks:
        return None
    listed = "; ".join(named_few(block.members, _MOST_MEMBERS) for block in blocks[:_MOST_BLOCKS])
    if len(blocks) == 1:
        title = _("{count} columns that reflect one thing", count=count_text(len(blocks[0].members)))
        text = ended(_(_ONE_BLOCK_TEXT, blocks=listed))
    else:
        title = _(
            "{count} blocks of columns, each of which reflects one thing", count=count_text(len(blocks))
        )
        text = ended(_(_BLOCKS_TEXT, blocks=listed))
    if len(blocks) > _MOST_BLOCKS:
        text = _(
            "{text} {count} more blocks are not shown.",
            text=text,
            count=count_text(len(blocks) - _MOST_BLOCKS),
        )
    return Check(
        "blocks",
        title,
        f"{text} {_(_WHAT_BLOCKS_MEAN)}",
        is_pressing=False,
        about=tuple(block.members for block in blocks),
    )


def made_check(made_columns: Sequence[MadeColumn], kept: frozenset[str]) -> Check | None:
    """Return what is to be known of features that are made from labels; None where none is.

    >>> check = made_check([MadeColumn("total", ("pain", "cough"), "sum")], frozenset())
    >>> check.title
    '1 feature linked exactly to labels'
    >>> check.text
    '“total” is the sum of “pain” and “cough” in every row. It is left out.'
    >>> [offer.title for offer in check.offers]
    ['Keep “total”']
    """
    if not made_columns:
        return None
    exact = [column for column in made_columns if column.is_exact]
    count = len(exact) or len(made_columns)
    title = _counted(count, for_count(count, *(_MADE if exact else _NEAR)))
    is_left_out = {column.name: column.is_exact and column.name not in kept for column in made_columns}
    fates = {True: _("It is left out."), False: _("It stays a feature.")}
    shown = [
        f"{translated(column.sentence)} {fates[is_left_out[column.name]]}"
        for column in made_columns[:_MOST_MADE]
    ]
    if len(made_columns) > _MOST_MADE:
        shown.append(_("{count} more are not shown.", count=count_text(len(made_columns) - _MOST_MADE)))
    offers = tuple(
        _keep_offer(column.name, column.name not in kept, _(_KEEP_MEANS)) for column in exact[:_MOST_MADE]
    )
    return Check(
        "made-from-labels",
        title,
        in_curved_marks(" ".join(shown)),
        offers=offers,
        is_pressing=any(is_left_out.values()),
        concern=f"{title}.",
        is_settled=bool(exact) and not any(is_left_out.values()),
        about=tuple(
            (column.name, column.how, is_left_out[column.name], *column.sources) for column in made_columns
        ),
    )


def set_aside_check(topic: str, names: Sequence[str], kept: frozenset[str] = frozenset()) -> Check | None:
    """Return which features are left out for one reason, or kept; None where none is.

    >>> check = set_aside_check(FOLLOW_UP, ["futime"])
    >>> check.title, [offer.title for offer in check.offers]
    ('1 time or date of follow-up', ['Keep “futime”'])
    >>> [offer.title for offer in set_aside_check(FOLLOW_UP, ["futime"], frozenset(["futime"])).offers]
    ['Leave out “futime”']
    """
    if not names:
        return None
    title = _counted(len(names), for_count(len(names), *_TITLES_OF_SET_ASIDE[topic]))
    parted = {sentence: [name for name in names if (name in kept) is keeps] for keeps, sentence in _FATES}
    text = " ".join(
        _(sentence, names=named_few([f"“{name}”" for name in some], _MOST_MADE))
        for sentence, some in parted.items()
        if some
    )
    offers = tuple(_keep_offer(name, name not in kept, _(_KEEP_TIME_MEANS)) for name in names[:_MOST_MADE])
    is_settled = kept.issuperset(names)
    return Check(
        topic,
        title,
        f"{text} {_(SET_ASIDE[topic])}",
        offers=offers,
        is_pressing=topic == FOLLOW_UP and not is_settled,
        concern=f"{title}.",
        is_settled=is_settled,
        about=tuple((name, name in kept) for name in names),
    )


def _counted(count: int, message: str) -> str:
    return message.format(count=count_text(count))


def _keep_offer(feature: str, keeps: bool, means: str) -> KeepOffer:
    if keeps:
        return KeepOffer(_("Keep “{feature}”", feature=feature), means, feature, keeps)
    return KeepOffer(
        _("Leave out “{feature}”", feature=feature), _("Leave it out of the search again."), feature, keeps
    )


def row_checks(dependences: Sequence[RowDependence]) -> tuple[Check, ...]:
    """Return what is to be checked of rows that depend on each other; copies are told by a note already."""
    return tuple(
        Check(
            f"rows-{dependence.kind}",
            _(dependence.title),
            in_curved_marks(translated(dependence.sentence)),
            offers=dependence.offers,
            concern=f"{_(dependence.title)}.",
            about=(*dependence.columns, round(dependence.figure, 2)),
        )
        for dependence in dependences
        if dependence.kind is not DependenceKind.COPIES
    )


def reading_checks(doubts: Sequence[Doubt]) -> tuple[Check, ...]:
    """Return what is in doubt about how the open file was read, or was decided, with the same remedies.

    >>> from engine.readers.formats import ReadingOptions
    >>> change = SettingChange(ReadingOptions, "other_rows", "keep", "Keep these rows")
    >>> doubt = Doubt("Rows that are no cases", "Left out: row 7.", "other_rows", None, (change,), False)
    >>> [offer.title for check in reading_checks([doubt]) for offer in check.offers]
    ['Keep these rows']
    """
    return tuple(
        Check(
            f"reading-{doubt.option}",
            doubt.title,
            doubt.text,
            offers=tuple(ReadingOffer(change.title, _(_READ_AGAIN), change) for change in doubt.changes)
            or (ReadingOffer(_(_CHANGE), _(_CHANGE_MEANS), None),),
            is_pressing=False,
            is_settled=doubt.is_settled,
            about=doubt.about,
        )
        for doubt in doubts
        if doubt.is_to_check
    )


_READ_AGAIN = N_("Read the file again in this way. Roles, steps and settings stay.")
_CHANGE = N_("Change how it is read…")
_CHANGE_MEANS = N_("Look at the first rows as they are written, and at every guess.")
_WITHOUT_GROUPS = {
    Role.GROUPS: N_("Rows with the same value are treated as one group."),
    Role.IGNORED: N_("“{name}” is left out of the search. All rows are treated as independent."),
    Role.FEATURE: N_("“{name}” is a feature. All rows are treated as independent."),
}
_GROUP_MEANS = N_("Treat rows with the same value as one group.")
_NOT_GROUPED_MEANS = N_("Leave “{name}” out, and treat all rows as independent.")
_A_FEATURE_MEANS = N_("Treat all rows as independent, and search for links of this column too.")
_ROLES_OF_WEIGHTS = {
    Role.WEIGHT: N_("“{name}” is the row weight."),
    Role.IGNORED: N_("“{name}” is left out of the search."),
    Role.FEATURE: N_("“{name}” is a feature."),
}
_OFFERS_OF_WEIGHTS = {
    Role.WEIGHT: (N_("Use “{name}” as the row weight"), N_("Use its values as the weights of the rows.")),
    Role.IGNORED: (
        N_("Leave out “{name}”"),
        N_("Leave it out of the search, and do not weight the rows by it."),
    ),
    Role.FEATURE: (N_("Analyse “{name}” as a feature"), N_("Search for links of this column too.")),
}
_ONE_MAY_WEIGH = N_("{count} feature may be survey weights.")
_SEVERAL_MAY_WEIGH = N_("{count} features may be survey weights.")
_MOST_MADE = 6
_MADE = (
    N_("{count} feature linked exactly to labels"),
    N_("{count} features linked exactly to labels"),
)
_NEAR = (N_("{count} feature nearly decides a label"), N_("{count} features nearly decide a label"))
_FATES = ((False, N_("Left out of the search: {names}.")), (True, N_("Kept as features: {names}.")))
# By topic: titles of a card for one and for several columns.
_TITLES_OF_SET_ASIDE = {
    FOLLOW_UP: (N_("{count} time or date of follow-up"), N_("{count} times or dates of follow-up")),
    SURVEY_PROGRAM: (
        N_("{count} column written by the survey program"),
        N_("{count} columns written by the survey program"),
    ),
}
# Why they are set aside.
SET_ASIDE = {
    FOLLOW_UP: N_("Such a column seems to hold the time of an event, or the length of follow-up."),
    SURVEY_PROGRAM: N_("Survey programs add columns with such names to the answers."),
}
_KEEP_TIME_MEANS = N_("Analyse it as a feature.")
_KEEP_MEANS = N_(
    "Analyse it as a feature. Its link to the label may show only how one is computed from the other."
)
_MOST_MEMBERS, _MOST_BLOCKS = 6, 6
_ONE_BLOCK_TEXT = N_("These columns seem to reflect one thing, as items of a questionnaire do: {blocks}.")
_BLOCKS_TEXT = N_("Each block seems to reflect one thing, as items of a questionnaire do: {blocks}.")
_WHAT_BLOCKS_MEAN = N_(
    "Changing one item alone does not change what all of them reflect. So results state which labels an item "
    "is linked to. They state no causal direction and no effect of changing an item."
)
_SPEAK_OF_IT = N_("Directions and estimates refer to this level.")
_ONE_NOT_KNOWN = N_("The event of {count} column is not known.")
_NOT_KNOWN = N_("The event of {count} columns is not known.")
_WHICH = N_(
    "Choose the level that counts as the event, such as the illness. Directions and estimates refer "
    "to it. Until then, each of them names its level."
)
_WHICH_OF_FEATURES = N_(
    "Directions and estimates of a feature with two levels refer to one of them. Choose which one. "
    "Until then, each of them names its level."
)
_MORE = N_("Choose the others on the page of each column.")
