"""Two runs side by side: in sentences that say what differs and what that can rest on, and as files.

``comparison.json`` has these members:

``format``, ``schema_version``
    ``"clcd-run-comparison"`` and 1. Members may be added without a new number.
``runs``
    First and second: each with ``name``, ``table`` (its name), ``content_hash``, ``rows`` and ``partial``.
``same_rows``
    Whether both searched the same rows; null where that is not known.
``settings``
    The settings that differ: ``setting``, ``first``, ``second``.
``roles``
    The columns of which the role differs: ``variable``, ``first``, ``second``, empty where one is not there.
``sentences``
    What differs, as a person reads it.
``variables``, ``links``
    The columns of :data:`engine.discovery.run_comparison.FEATURES` and of its ``LINKS``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.atomic import atomic_folder
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.markov_boundary import LinkKind
from engine.discovery.effects.size_words import association_words
from engine.discovery.run_comparison import FEATURES, LINKS, Absence, Change
from engine.parameters import parameters_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.reporting.result_file import write_json_lines
from engine.reporting.sentences.method import value_in_words
from engine.reporting.table_files import write_table
from engine.reporting.tables import file_table, records
from engine.table.variable import EventFrom, Kind, Role
from engine.translation import N_, _, for_count
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, listing, names_listing, phrase, plain, plain_listing
from engine.wording.shown_names import shown_name

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.run_comparison import FeatureChange, Link, LinkChange, RunComparison

FORMAT, SCHEMA_VERSION = "clcd-run-comparison", 1

CHANGE_HELP = {
    Change.CAME: N_("Linked to a label in the second run, and to none in the first."),
    Change.WENT: N_("Linked to a label in the first run, and to none in the second."),
    Change.TYPE: N_("Common in one run, and label-specific in the other."),
    Change.LABELS: N_("Linked to other labels."),
    Change.KIND: N_(
        "Linked to a label in another way: directly or through other labels, or through different labels."
    ),
    Change.SIGN: N_("The direction of association with a label is reversed."),
    Change.GRADE: N_("The statement about its causal direction differs."),
    Change.NOT_COMPARED: N_(
        "One of the tables lacks the variable or its label, or its label was not finished."
    ),
    Change.SAME: N_("The two runs agree."),
}
"""What each change means."""

_MOST_NAMES = 4
_SENTENCES = {
    Change.CAME: (
        N_("{count} appeared: it is linked to a label in “{second}” only: {names}."),
        N_("{count} appeared: they are linked to a label in “{second}” only: {names}."),
    ),
    Change.WENT: (
        N_("{count} disappeared: it is linked to a label in “{first}” only: {names}."),
        N_("{count} disappeared: they are linked to a label in “{first}” only: {names}."),
    ),
    Change.TYPE: (
        N_("{count} is common in one run and label-specific in the other: {names}."),
        N_("{count} are common in one run and label-specific in the other: {names}."),
    ),
    Change.LABELS: (
        N_("{count} is linked to other labels: {names}."),
        N_("{count} are linked to other labels: {names}."),
    ),
    Change.KIND: (
        N_("{count} is linked in another way (directly, or through which labels): {names}."),
        N_("{count} are linked in another way (directly, or through which labels): {names}."),
    ),
    Change.SIGN: (
        N_("For {count} of them the direction of association is reversed in the other run: {names}."),
        N_("For {count} of them the directions of association are reversed in the other run: {names}."),
    ),
    Change.GRADE: (
        N_("The statement about the causal direction of {count} differs: {names}."),
        N_("The statements about the causal directions of {count} differ: {names}."),
    ),
    Change.NOT_COMPARED: (
        N_("{count} is not compared, because one run could not find it: {names}."),
        N_("{count} are not compared, because one run could not find them: {names}."),
    ),
}
_CONTRARY = (
    N_("Not both runs can be right about the direction of {count}: {names}."),
    N_("Not both runs can be right about the directions of {count}: {names}."),
)
_INSTEAD = (
    N_(
        "In the place of {count} the other run has one that is interchangeable with it, or not "
        "distinguishable from it: {names}."
    ),
    N_(
        "In the place of {count} the other run has some that are interchangeable with them, or not "
        "distinguishable from them: {names}."
    ),
)
_CHANCE = N_(
    "A link found in one run only does not show a difference between the runs. The difference "
    "between significant and not significant need not itself be significant (Gelman and Stern 2006, "
    "The American Statistician 60:328-331)."
)


def change_phrases(comparison: RunComparison, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say what differs between two runs, the most telling first."""
    changes = comparison.feature_changes
    if not changes:
        return (phrase("Neither run found a variable that is linked to a label."),)
    in_both = sum(bool(change.labels_first and change.labels_second) for change in changes)
    sentences = [
        phrase(
            for_count(
                in_both,
                "{both} of {all} that a run found is linked to a label in both.",
                "{both} of {all} that a run found are linked to a label in both.",
            ),
            both=numbers.count(in_both),
            all=numbers.counted(len(changes), "variable"),
        )
    ]
    if comparison.count(Change.SAME) == len(changes):
        return (*sentences, phrase("The two runs agree on each of them."))
    for change in _SENTENCES:
        changed = [feature_change for feature_change in changes if change in feature_change.changes]
        sentences += _of(for_count(len(changed), *_SENTENCES[change]), changed, comparison, numbers)
    contrary = [change for change in changes if any(link.is_contrary for link in change.links)]
    sentences += _of(for_count(len(contrary), *_CONTRARY), contrary, comparison, numbers)
    sentences += _instead(changes, numbers)
    return tuple(sentences)


def circumstance_phrases(comparison: RunComparison, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say in what two runs differ before anything is found, and what can be concluded."""
    return (
        *_settings(comparison, numbers),
        *_rows(comparison, numbers),
        *_split(comparison, numbers),
        *_roles(comparison, numbers),
        *_groups_and_weights(comparison),
        *_columns(comparison),
        *_imputed(comparison),
        *_events(comparison),
        *_knowledge(comparison),
        *_through_labels(comparison),
        *_unfinished(comparison),
        *_unmeasured(comparison),
        *_chance(comparison),
    )


def lost_by_grouping(
    before: DiscoveryResult, after: DiscoveryResult, run: str, numbers: NumberWriter = ENGLISH
) -> Phrase:
    """Say how many links of a run, if any, are lost in one that groups its rows, all else being the same.

    >>> import engine
    >>> from engine.recipe.table_steps import RowBlocks
    >>> from engine.wording.phrases import plain
    >>> table = engine.simulate(labels=3, features=12, rows=400, seed=0).dataset
    >>> runs = [engine.discover(each) for each in (table, RowBlocks(80).apply(table).dataset)]
    >>> plain(lost_by_grouping(*runs, "rows")).split(". ")[0]
    'Rows are grouped by block of rows into 5 groups'
    """
    dataset, counts_through = after.dataset, after.counts_through_labels
    links, left = (
        {
            (finding.feature, label)
            for finding in (result.total_findings if counts_through else result.findings).all
            for label in finding.labels
            if finding.feature != dataset.groups and label not in after.unfinished_labels
        }
        for result in (before, after)
    )
    if dataset.row_groups is None or links <= left:
        return ()
    return phrase(
        _LOST_BY_GROUPING,
        column=Name(dataset.groups or ""),
        groups=numbers.counted(int(dataset.row_groups.max(initial=-1)) + 1, "group"),
        links=numbers.counted(len(links), "link"),
        run=run,
        lost=numbers.count(len(links - left)),
    )


_LOST_BY_GROUPING = N_(
    "Rows are grouped by {column} into {groups}. Of {links} in the run “{run}”, {lost} are not "
    "found here. Each group counts as one case, so tests find fewer links."
)


def change_text(change: FeatureChange) -> str:
    """Write in a cell what differs of a feature."""
    texts = [_TEXTS[kind](change) for kind in change.changes]
    if change.in_its_place:
        texts.append(_("in its place {names}", names=names_listing(change.in_its_place, _MOST_NAMES)))
    return "; ".join(texts)


def link_text(change: LinkChange) -> str:
    """Write in a few words what differs of a link."""
    if change.first is not None and change.second is not None:
        texts = []
        if Change.KIND in change.changes:
            texts.append(_(_NOW_AND_BEFORE, now=_kind_words(change.second), before=_kind_words(change.first)))
        if Change.SIGN in change.changes:
            before, now = (
                "" if sign is None else association_words(sign)
                for sign in (change.first.association, change.second.association)
            )
            texts.append(_(_NOW_AND_BEFORE, now=now, before=before))
        if Change.GRADE in change.changes:
            texts.append(_(_NOW_AND_BEFORE, now=change.second.statement, before=change.first.statement))
        return "; ".join(texts) or _("the same in both runs")
    if change.absence is not None and not change.is_compared:
        return _(_NOT_COMPARED, reasons=_(_ABSENCE_WORDS[change.absence]))
    return _("appeared") if change.first is None else _("disappeared")


_NOW_AND_BEFORE, _NOT_COMPARED = N_("{now}, was {before}"), N_("not compared: {reasons}")
_ABSENCE_WORDS = {
    Absence.NOT_FOUND: N_("not found"),
    Absence.NO_VARIABLE: N_("variable takes no part"),
    Absence.IS_LABEL: N_("variable is a label"),
    Absence.NO_LABEL: N_("label takes no part"),
    Absence.UNFINISHED: N_("label not finished"),
}


def _kind_words(link: Link) -> str:
    if link.kind is LinkKind.DIRECT:
        return _("direct")
    if not link.through:
        return _("through other labels")
    return _("through {labels}", labels=names_listing(link.through, _MOST_NAMES))


def _labels_text(change: FeatureChange) -> str:
    came, went = change.labels_with(Change.CAME), change.labels_with(Change.WENT)
    signs = (("+", came), ("−", went))
    return ", ".join(f"{sign} {shown_name(label)}" for sign, labels in signs for label in labels)


def _kind_text(change: FeatureChange) -> str:
    changed = [
        _(
            "{label}: {now}, was {before}",
            label=shown_name(link.label),
            now=_kind_words(link.second),
            before=_kind_words(link.first),
        )
        for link in change.links
        if Change.KIND in link.changes and link.first is not None and link.second is not None
    ]
    return "; ".join(changed[:_MOST_NAMES])


def _grade_text(change: FeatureChange) -> str:
    changed = [link for link in change.links if Change.GRADE in link.changes]
    if len(changed) > 1:
        return _(
            "direction for {labels}", labels=names_listing([link.label for link in changed], _MOST_NAMES)
        )
    return link_text(changed[0])


def _not_compared_text(change: FeatureChange) -> str:
    absences = dict.fromkeys(link.absence for link in change.links if link.absence is not None)
    reasons = [_(_ABSENCE_WORDS[absence]) for absence in absences]
    return _(_NOT_COMPARED, reasons=plain_listing(reasons))


def _type_text(change: FeatureChange) -> str:
    before, now = map(_, change.compared_types)
    return _(_NOW_AND_BEFORE, now=now, before=before)


_TEXTS: dict[Change, Callable[[FeatureChange], str]] = {
    Change.CAME: lambda _change: _("appeared"),
    Change.WENT: lambda _change: _("disappeared"),
    Change.TYPE: _type_text,
    Change.LABELS: _labels_text,
    Change.KIND: _kind_text,
    Change.SIGN: lambda change: _(
        "other direction of association with {labels}",
        labels=names_listing(change.labels_with(Change.SIGN), _MOST_NAMES),
    ),
    Change.GRADE: _grade_text,
    Change.NOT_COMPARED: _not_compared_text,
    Change.SAME: lambda _change: _("same"),
}


def comparison_lines(comparison: RunComparison) -> tuple[str, ...]:
    """Say in plain lines in what two runs differ, and what differs between what they found."""
    return tuple(map(plain, (*circumstance_phrases(comparison), *change_phrases(comparison))))


def _of(
    sentence: str,
    changes: Sequence[FeatureChange],
    comparison: RunComparison,
    numbers: NumberWriter,
) -> Iterator[Phrase]:
    if changes:
        yield phrase(
            sentence,
            count=numbers.count(len(changes)),
            names=_names(change.feature for change in changes),
            **_run_names(comparison),
        )


def _names(texts: Iterable[str]) -> Phrase:
    return listing([Name(text) for text in texts], _MOST_NAMES)


def _run_names(comparison: RunComparison) -> dict[str, str]:
    """Return what the two runs are called, for the places of a sentence."""
    return dict(zip(("first", "second"), comparison.names, strict=True))


def _instead(changes: Sequence[FeatureChange], numbers: NumberWriter) -> Iterator[Phrase]:
    replaced = [change for change in changes if change.in_its_place]
    if replaced:
        pairs = [
            phrase("{feature} ({others})", feature=Name(change.feature), others=_names(change.in_its_place))
            for change in replaced
        ]
        yield phrase(
            for_count(len(replaced), *_INSTEAD),
            count=numbers.count(len(replaced)),
            names=listing(pairs, _MOST_NAMES),
        )


def _settings(comparison: RunComparison, numbers: NumberWriter) -> Iterator[Phrase]:
    parameters = {
        parameter.name: parameter
        for parameter in (*parameters_of(DiscoverySettings), *parameters_of(PreparationSettings))
    }
    for name, (before, after) in comparison.setting_values.items():
        yield phrase(
            "{title} is {before} in “{first}” and {after} in “{second}”.",
            title=_(parameters[name].title),
            before=value_in_words(parameters[name], before, numbers),
            after=value_in_words(parameters[name], after, numbers),
            **_run_names(comparison),
        )


def _rows(comparison: RunComparison, numbers: NumberWriter) -> Iterator[Phrase]:
    if comparison.is_same_rows is None:
        yield phrase("CLCD does not know whether the runs searched the same rows.")
    if comparison.is_same_rows is not False:
        return
    first, second = comparison.rows
    if first == second:
        yield phrase("The runs searched different rows, {rows} each.", rows=numbers.counted(first, "row"))
        return
    fewer = 0 if first < second else 1
    yield phrase(
        "“{fewer}” searched {few}, and “{more}” {many}. With fewer rows, fewer links are found. "
        "Links in “{more}” only may be missing in “{fewer}” for lack of rows.",
        fewer=comparison.names[fewer],
        more=comparison.names[1 - fewer],
        few=numbers.counted(min(first, second), "row"),
        many=numbers.count(max(first, second)),
    )


def _roles(comparison: RunComparison, numbers: NumberWriter) -> Iterator[Phrase]:
    takes_part = {str(Role.LABEL), str(Role.FEATURE)}
    for number, name in enumerate(comparison.names):
        alone = [
            variable
            for variable, roles in comparison.roles.items()
            if roles[number] in takes_part and roles[1 - number] not in takes_part
        ]
        if alone:
            yield phrase(
                for_count(
                    len(alone),
                    "{count} variable takes part in “{name}” only: {names}.",
                    "{count} variables take part in “{name}” only: {names}.",
                ),
                count=numbers.count(len(alone)),
                name=name,
                names=_names(alone),
            )
    turned = [name for name, roles in comparison.roles.items() if set(roles) == takes_part]
    if turned:
        yield phrase(
            for_count(
                len(turned),
                "{count} variable is a label in one run and a feature in the other: {names}.",
                "{count} variables are labels in one run and features in the other: {names}.",
            ),
            count=numbers.count(len(turned)),
            names=_names(turned),
        )


def _split(comparison: RunComparison, numbers: NumberWriter) -> Iterator[Phrase]:
    if comparison.first.split == comparison.second.split:
        return
    for name, run in comparison.by_name:
        if run.split is not None:
            yield phrase(
                "“{name}” searched only a part of its rows: {share}, drawn with the seed {seed}.",
                name=name,
                share=numbers.share(run.split.share),
                seed=f"{run.split.seed}",
            )


def _groups_and_weights(comparison: RunComparison) -> Iterator[Phrase]:
    """Say where the runs group rows by another column, or weight them by another."""
    tables = comparison.first.dataset, comparison.second.dataset
    for (one, both), (before, after) in (
        (_GROUPED, [table.groups for table in tables]),
        (_WEIGHTED, [table.weight for table in tables]),
    ):
        if before is not None and after is not None and before != after:
            yield phrase(both, before=Name(before), after=Name(after), **_run_names(comparison))
        elif before != after:
            run = comparison.names[0 if after is None else 1]
            yield phrase(one, column=Name(before or after or ""), run=run)


_GROUPED = (
    N_("Rows are grouped by {column} in “{run}” only."),
    N_("Rows are grouped by {before} in “{first}” and by {after} in “{second}”."),
)
_WEIGHTED = (
    N_("Rows are weighted by {column} in “{run}” only."),
    N_("Rows are weighted by {before} in “{first}” and by {after} in “{second}”."),
)
_KINDS = {
    (Kind.NOMINAL, Kind.CONTINUOUS): N_(
        "Read as categories in “{first}” and as numbers in “{second}”: {names}."
    ),
    (Kind.CONTINUOUS, Kind.NOMINAL): N_(
        "Read as numbers in “{first}” and as categories in “{second}”: {names}."
    ),
}


def _columns(comparison: RunComparison) -> Iterator[Phrase]:
    """Say which columns are read or coded in another way, or hold other values."""
    for kinds, template in _KINDS.items():
        names = [name for name, both in comparison.kinds.items() if both == kinds]
        if names:
            yield phrase(template, names=_names(names), **_run_names(comparison))
    for recoded, template in (
        (comparison.recoded, N_("The runs use different categories, or another order of them, for {names}.")),
        (comparison.changed_values, N_("The runs use different values of {names}.")),
    ):
        if recoded:
            yield phrase(template, names=_names(recoded))


def _imputed(comparison: RunComparison) -> Iterator[Phrase]:
    """Say where missing values were imputed in one run alone, or otherwise; settings may not be known."""
    imputed = {name: run.dataset.imputed for name, run in comparison.by_name}
    drawn = {name: (values.draws, values.seed) for name, values in imputed.items() if values is not None}
    if len(drawn) == 1:
        yield phrase("Missing values are imputed in “{name}” only.", name=next(iter(drawn)))
    elif len(set(drawn.values())) == 2:
        yield phrase("The runs use different imputed values.")


def _events(comparison: RunComparison) -> Iterator[Phrase]:
    """Name columns of which the runs tell another event, and runs whose events an earlier version chose."""
    events = [
        {variable.name: variable for variable in run.dataset.variables} for _, run in comparison.by_name
    ]
    differing = [
        name
        for name, variable in events[0].items()
        if name in events[1]
        and variable.role.takes_part
        and len(variable.levels) == len(events[1][name].levels) == 2
        and variable.event != events[1][name].event
    ]
    if differing:
        told = [
            phrase(
                "{column} ({before}, then {after})",
                column=Name(name),
                before=events[0][name].event or _("not known"),
                after=events[1][name].event or _("not known"),
            )
            for name in differing
        ]
        yield phrase(
            "Directions in the two runs refer to different events of {columns}.",
            columns=listing(told, _MOST_NAMES),
        )
    for name, variables in zip(comparison.names, events, strict=True):
        earlier = [
            variable.name for variable in variables.values() if variable.event_from is EventFrom.EARLIER
        ]
        if earlier:
            yield phrase(
                "Directions of {columns} in “{name}” refer to the level that an earlier version of "
                "CLCD used.",
                name=name,
                columns=_names(earlier),
            )


def _knowledge(comparison: RunComparison) -> Iterator[Phrase]:
    first, second = (
        None if run.knowledge is None or run.knowledge.is_empty else run.knowledge
        for _, run in comparison.by_name
    )
    if first != second:
        yield phrase("The two runs were given different background knowledge.")


def _through_labels(comparison: RunComparison) -> Iterator[Phrase]:
    """Say whether links through other labels are left out of the comparison."""
    runs = comparison.first, comparison.second
    counted = [run.counts_through_labels for run in runs]
    searched = [run.searched_through_labels for run in runs]
    has_links = any(run.links_through_labels for run in runs)
    if counted[0] != counted[1]:
        yield phrase(
            "Links through other labels are counted in “{name}” only, and are not compared.",
            name=comparison.names[counted.index(True)],
        )
    elif has_links and searched[0] != searched[1]:
        yield phrase(
            "Links through other labels were searched in “{name}” only, and are not compared.",
            name=comparison.names[searched.index(True)],
        )
    elif has_links and not comparison.counts_through_labels:
        yield phrase("Links through other labels are not counted, and are not compared.")


def _unfinished(comparison: RunComparison) -> Iterator[Phrase]:
    for name, run in comparison.by_name:
        if run.is_partial:
            yield phrase("“{name}” was stopped before it was finished.", name=name)


def _unmeasured(comparison: RunComparison) -> Iterator[Phrase]:
    if comparison.first.effects is None or comparison.second.effects is None:
        yield phrase("Directions of association are not compared, as they were not measured in both runs.")


def _chance(comparison: RunComparison) -> Iterator[Phrase]:
    """Warn where the runs saw other rows; in the same rows settings alone make the difference."""
    if comparison.is_same_rows is False:
        yield phrase(_CHANCE)


def write_comparison(comparison: RunComparison, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write a comparison into a folder: all files, or none when one cannot be written."""
    names = ("comparison.json", "variables.csv", "links.csv")
    with atomic_folder(folder) as drafts:
        write_json_lines(comparison_object(comparison), drafts / names[0])
        write_table(file_table(FEATURES, comparison), drafts / names[1])
        write_table(file_table(LINKS, comparison), drafts / names[2])
    return tuple(Path(folder) / name for name in names)


def comparison_object(comparison: RunComparison) -> dict[str, Any]:
    """Return a comparison as plain dictionaries, lists, texts and numbers."""
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "runs": [
            {
                "name": name,
                "table": run.dataset.name,
                "content_hash": run.dataset.content_hash,
                "rows": run.dataset.row_count,
                "partial": run.is_partial,
            }
            for name, run in comparison.by_name
        ],
        "same_rows": comparison.is_same_rows,
        "settings": [
            {"setting": name, "first": before, "second": after}
            for name, (before, after) in comparison.setting_values.items()
        ],
        "roles": [
            {"variable": name, "first": roles[0], "second": roles[1]}
            for name, roles in comparison.roles.items()
        ],
        "sentences": list(comparison_lines(comparison)),
        "variables": records(FEATURES, comparison),
        "links": records(LINKS, comparison),
    }
