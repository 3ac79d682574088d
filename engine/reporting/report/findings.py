"""Parts of a report that say what was found: in sentences, tables and figures, with the tests that decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.discovery.effects.estimates import Estimand
from engine.discovery.effects.size_words import (
    ESTIMAND_HELP,
    ESTIMAND_WORDS,
    association_text,
    cautions,
    contrast_text,
    interval_text,
)
from engine.discovery.evidence import Evidence, Rule
from engine.discovery.finding_words import statement, times_text
from engine.discovery.flags import FLAG_WORDS
from engine.discovery.orientation.direction import direction_of
from engine.discovery.run_comparison import compare_runs
from engine.reporting.finding_charts import forest_chart, graph_chart, label_set_chart
from engine.reporting.report.blocks import (
    MOST_ROWS,
    Block,
    Cell,
    Definition,
    Definitions,
    FigureBlock,
    GridBlock,
    Heading,
    Paragraph,
    ReportList,
    TableBlock,
    TableColumn,
    Tone,
    first_of,
)
from engine.reporting.run_comparison import change_phrases, change_text, circumstance_phrases
from engine.reporting.sentences.directions import (
    direction_sentences,
    grade_sentences,
    missed_text,
    relation_text,
    why_phrases,
)
from engine.reporting.sentences.links import group_sentences, through_sentences
from engine.reporting.sentences.method import asks_for_margin
from engine.reporting.sentences.overview import relation_sentences, run_sentences, summary_sentences
from engine.reporting.sentences.stability import stability_sentences
from engine.reporting.tables import ResultContext
from engine.translation import N_, _, for_count
from engine.wording.numbers import ENGLISH, NO_NUMBER, degrees_text, p_text, statistic_text
from engine.wording.phrases import names_listing, plain, sentence_case
from engine.wording.sentences import NO_PROOF
from engine.wording.shown_names import shown_name, whole_name

if TYPE_CHECKING:
    from engine.discovery.effects.size_table import Effects
    from engine.discovery.evidence import Equivalence, MissedShare
    from engine.discovery.findings import Findings
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.run_comparison import FeatureChange
    from engine.independence.record import TestRecord
    from engine.table.variable import Variable

_VARIABLE, _LABEL = N_("Variable"), N_("Label")
_NONE_COMMON = N_("No variable is linked to two or more labels.")
_NONE_DIRECTLY = N_("No variable is linked directly to two or more labels.")
_COMMON = N_("Variables that are linked to two or more labels, those with most labels first.")
_COMMON_DIRECTLY = N_(
    "Variables that are linked directly to two or more labels, those with most labels first. Links through "
    "other labels are not counted."
)
_NONE_SPECIFIC = N_("No variable is linked to one label only.")
_NONE_SPECIFIC_DIRECTLY = N_("No variable is linked directly to one label only.")
_SPECIFIC = N_("Variables that are linked to one label only, the strongest first.")
_SPECIFIC_DIRECTLY = N_(
    "Variables that are linked directly to one label only, the strongest first. Links through other "
    "labels are not counted."
)
_CUT = N_("The first {shown} of {total} are shown; the table of common variables (common.csv) holds all.")
_SPECIFIC_CUT = N_(
    "{shown} of {total} are shown, the strongest of each label; the table of label-specific variables "
    "(label_specific.csv) holds all."
)
_LINKS_CUT = N_("The first {shown} of {total} are shown; the table of links (links.csv) holds all.")
_SPECIFIC_LINKS_CUT = N_(
    "{shown} of {total} are shown, the strongest of each label; the table of links (links.csv) holds all."
)
_LED_BY = N_("interchangeable with {name}")
_MORE_REASONS = (N_("and {count} more reason"), N_("and {count} more reasons"))


def _reason_columns(result: DiscoveryResult, *names: str) -> tuple[TableColumn, ...]:
    # Few columns, so that names have room: degrees of freedom stand below the statistic.
    figures = [(result.test.statistic, 1.3), ("p", 1.4), (_("Strength"), 1.6)]
    marginal = [(_("Marginal strength"), 1.6)]
    marginal += [(_("Found again"), 1.2)] if result.stability is not None else []
    return (
        *(TableColumn(_(name), width=2.2) for name in names),
        TableColumn(_("Relation"), width=2.5),
        *(TableColumn(name, is_number=True, width=width) for name, width in figures),
        TableColumn(_("Given"), width=2.2),
        *(TableColumn(name, is_number=True, width=width) for name, width in marginal),
    )


def _reason_cells(result: DiscoveryResult, feature: str, label: str) -> tuple[Cell, ...]:
    """Return relation and figures of the first reason for a pair; the others are counted."""
    reason, *others = result.counted_findings.reasons(feature, label)
    deciding, marginal = reason.deciding, reason.marginal
    figures = (
        (
            Cell(statistic_text(deciding.statistic), note=f"df\u00a0=\u00a0{degrees_text(deciding.dof)}"),
            Cell(p_in_one_line(deciding)),
        )
        if deciding
        else (Cell(NO_NUMBER),) * 2
    )
    given = names_listing(deciding.given) if deciding else ""
    unconditional = (
        Cell(ENGLISH.strength(marginal.effect), note=_p_statement_in_one_line(marginal))
        if marginal
        else Cell(NO_NUMBER)
    )
    stability = result.stability
    again = (
        ()
        if stability is None
        else (times_text(result.counted_findings.times_found(feature, label), stability.finished),)
    )
    return (
        Cell(relation_text(result, reason), note=_reason_note(result, reason, len(others))),
        *figures,
        Cell(ENGLISH.strength(reason.strength), strength=reason.strength),
        Cell(given or NO_NUMBER),
        unconditional,
        *map(Cell, again),
    )


def p_in_one_line(test: TestRecord) -> str:
    """Write the p-value of a test so that it stays in one line."""
    return p_text(test.p_value, test.log_p).replace(" ", "\u00a0")


def _p_statement_in_one_line(test: TestRecord) -> str:
    return ENGLISH.p_statement(test.p_value, test.log_p).replace(" ", "\u00a0")


def _reason_note(result: DiscoveryResult, reason: Evidence, others: int) -> str:
    notes = [_("second pass")] if reason.recovered else []
    notes += [for_count(others, *_MORE_REASONS).format(count=others)] if others else []
    notes += [f"⚑ {_(FLAG_WORDS[flag.kind])}" for flag in result.flags(reason.feature, reason.label)]
    return " · ".join(notes)


def _about(result: DiscoveryResult, feature: str) -> str:
    """Say what a variable holds, where that is known, and which one leads it."""
    leader = result.counted_findings.by_feature[feature].led_by
    led_by = _(_LED_BY, name=shown_name(leader)) if leader else ""
    return "; ".join(filter(None, (_description(result, feature), led_by)))


def _description(result: DiscoveryResult, name: str) -> str:
    """Return what a column holds; empty where its name says it."""
    return "" if shown_name(name) != name else result.dataset.variable(name).description


def common(analysis: ResultContext) -> tuple[Block, ...]:
    """List common variables, those with most labels first."""
    result = analysis.result
    rows_shown = first_of(result.counted_findings.common, MOST_ROWS)
    if not rows_shown.total:
        return (Paragraph(_(_NONE_DIRECTLY if result.holds_direct_links_alone else _NONE_COMMON)),)
    groups = []
    for finding in rows_shown.items:
        name = Cell(
            shown_name(finding.feature),
            Tone.COMMON,
            _about(result, finding.feature),
            rows=len(finding.labels),
        )
        rows = [
            (Cell(shown_name(label), Tone.LABEL), *_reason_cells(result, finding.feature, label))
            for label in finding.labels
        ]
        groups.append(((name, *rows[0]), *rows[1:]))
    return (
        Paragraph(_(_COMMON_DIRECTLY if result.holds_direct_links_alone else _COMMON), Tone.QUIET),
        *rows_shown.cut(_LINKS_CUT if result.counted_findings.links_through_labels else _CUT),
        TableBlock(_reason_columns(result, _VARIABLE, _LABEL), tuple(groups)),
    )


def label_specific(analysis: ResultContext) -> tuple[Block, ...]:
    """List label-specific variables by label; of too many, each label keeps its strongest."""
    result = analysis.result
    pairs = [(finding.feature, finding.labels[0]) for finding in result.counted_findings.label_specific]
    if not pairs:
        return (Paragraph(_(_NONE_SPECIFIC_DIRECTLY if result.holds_direct_links_alone else _NONE_SPECIFIC)),)
    rows_shown = first_of(_strongest_of_each_first(pairs), MOST_ROWS)
    of_label: dict[str, list[str]] = {}
    shown = set(rows_shown.items)
    for feature, label in pairs:
        if (feature, label) in shown:
            of_label.setdefault(label, []).append(feature)
    groups = []
    for label, features in of_label.items():
        rows = [
            (
                Cell(shown_name(feature), Tone.SPECIFIC, _about(result, feature)),
                *_reason_cells(result, feature, label),
            )
            for feature in features
        ]
        groups.append(((Cell(shown_name(label), Tone.LABEL, rows=len(rows)), *rows[0]), *rows[1:]))
    return (
        Paragraph(_(_SPECIFIC_DIRECTLY if result.holds_direct_links_alone else _SPECIFIC), Tone.QUIET),
        *rows_shown.cut(
            _SPECIFIC_LINKS_CUT if result.counted_findings.links_through_labels else _SPECIFIC_CUT
        ),
        TableBlock(_reason_columns(result, _LABEL, _VARIABLE), tuple(groups)),
    )


def _strongest_of_each_first(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Order pairs so that the first of every label comes before the second of any."""
    seen: dict[str, int] = {}
    ranked = []
    for position, (_feature, label) in enumerate(pairs):
        seen[label] = seen.get(label, 0) + 1
        ranked.append((seen[label], position))
    return [pairs[position] for _, position in sorted(ranked)]


MOST_GRID_ROWS, MOST_GRID_COLUMNS = 60, 30

_SYMBOLS = {
    Rule.NEIGHBOUR: ("●", N_("direct neighbour")),
    Rule.SPOUSE: ("▲", N_("spouse")),
    Rule.NEIGHBOUR_EQUIVALENT: ("◇", N_("interchangeable")),
    Rule.SPOUSE_EQUIVALENT: ("◇", N_("interchangeable")),
}
_THROUGH_LABELS = "▷", N_("linked through other labels")


def overview(analysis: ResultContext) -> tuple[Block, ...]:
    """Say in sentences what was found."""
    result = analysis.result
    tone = Tone.WARNING if result.is_partial else Tone.LEAD
    return (
        *(Paragraph(sentence, tone) for sentence in summary_sentences(result)),
        Paragraph(" ".join((*run_sentences(result), _(NO_PROOF))), Tone.QUIET),
    )


def stability(analysis: ResultContext) -> tuple[Block, ...]:
    """Say how often findings came back; nothing where the search was not repeated."""
    sentences = stability_sentences(analysis.result)
    if not sentences:
        return ()
    return (*map(Paragraph, sentences), Paragraph(_(_PARTS_OF_ROWS), Tone.QUIET))


_PARTS_OF_ROWS = N_(
    "Each part was searched in the same way. A finding that returns in most parts does not depend "
    "on a few rows. A part has fewer rows than the table, so weak links are missed more often. A "
    "low number is a reason to check the finding. It does not prove an error."
)


def grid(analysis: ResultContext) -> tuple[Block, ...]:
    """Cross variables with labels; nothing where there are too many labels for a page."""
    result = analysis.result
    labels = result.dataset.labels
    if len(labels) > MOST_GRID_COLUMNS or not result.counted_findings.all:
        return ()
    rows_shown = first_of(result.counted_findings.all, MOST_GRID_ROWS)
    rows = tuple(
        (
            Cell(shown_name(finding.feature), Tone.COMMON if finding.is_common else Tone.SPECIFIC),
            tuple(_grid_cell(result, finding.feature, label) for label in labels),
        )
        for finding in rows_shown.items
    )
    symbol, words = _THROUGH_LABELS
    through = (f"{symbol} {_(words)}",) if result.counted_findings.links_through_labels else ()
    *of_symbols, of_shades = map(_, _GRID_LEGEND)
    return (
        GridBlock(_(_VARIABLE), tuple(map(shown_name, labels)), rows, (*of_symbols, *through, of_shades)),
        *rows_shown.cut(N_("The first {shown} of {total} variables are shown.")),
    )


_GRID_LEGEND = (
    N_("Names: ● common, ○ label-specific."),
    N_("Cells: ● direct neighbour,"),
    N_("▲ spouse,"),
    N_("◇ interchangeable."),
    N_("Darker is stronger."),
)


_GRID_TIP = N_("{feature}, {label}: {word}, strength {strength}")


def _grid_cell(result: DiscoveryResult, feature: str, label: str) -> Cell:
    reasons = result.counted_findings.reasons(feature, label)
    if not reasons:
        return Cell("")
    is_direct = (feature, label) not in result.links_through_labels
    symbol, word = _SYMBOLS[reasons[0].rule] if is_direct else _THROUGH_LABELS
    strength = reasons[0].strength
    return Cell(
        symbol,
        strength=strength,
        tip=_(
            _GRID_TIP,
            feature=whole_name(feature),
            label=whole_name(label),
            word=_(word),
            strength=ENGLISH.strength(strength),
        ),
    )


def graph(analysis: ResultContext) -> tuple[Block, ...]:
    """Draw the findings as a graph; nothing where there are none."""
    findings = analysis.result.counted_findings
    return (FigureBlock("graph", graph_chart(findings, analysis.graph_places)),) if findings.all else ()


def comparison(analysis: ResultContext) -> tuple[Block, ...]:
    """Say what differs between two runs; nothing where none were chosen."""
    if analysis.compared is None:
        return ()
    before, after = analysis.compared
    first, second = before.name, after.name
    preparations = (before.preparation, after.preparation)
    compared = compare_runs(before.result, after.result, (first, second), preparations)
    rows_shown = first_of(compared.feature_changes, MOST_ROWS)
    columns = (
        TableColumn(_(_VARIABLE)),
        TableColumn(_("What differs"), width=2.6),
        TableColumn(_("In “{run}”", run=first)),
        TableColumn(_("In “{run}”", run=second)),
    )
    rows = tuple((_change_row(change),) for change in rows_shown.items)
    return (
        Paragraph(_(_COMPARED, first=first, second=second), Tone.LEAD),
        ReportList(tuple(map(plain, change_phrases(compared)))),
        Heading(_("Differences between the runs")),
        ReportList(tuple(map(plain, circumstance_phrases(compared)))),
        *rows_shown.cut(N_("The first {shown} of {total} are shown.")),
        *((TableBlock(columns, rows),) if rows else ()),
    )


_COMPARED = N_("The run “{second}” against the run “{first}”.")


def _change_row(change: FeatureChange) -> tuple[Cell, ...]:
    tone = Tone.COMMON if change.is_common else Tone.SPECIFIC
    sets = (
        Cell(names_listing(listed) or NO_NUMBER) for listed in (change.labels_first, change.labels_second)
    )
    return Cell(shown_name(change.feature), tone), Cell(change_text(change)), *sets


def labels(analysis: ResultContext) -> tuple[Block, ...]:
    """Count the variables of each label, name the labels related to it, and draw which share variables."""
    result = analysis.result
    findings = result.counted_findings
    chart = (FigureBlock("sets", label_set_chart(findings)),) if findings.common else ()
    rows = tuple((_label_row(result, label),) for label in result.dataset.labels)
    columns = (
        TableColumn(_(_LABEL)),
        TableColumn(_("Event"), width=1.5),
        TableColumn(_("Common"), is_number=True, width=1.5),
        TableColumn(_("Label-specific"), is_number=True, width=1.7),
        TableColumn(_("Related labels"), width=4.0),
    )
    return (TableBlock(columns, rows), *chart)


def _label_row(result: DiscoveryResult, label: str) -> tuple[Cell, ...]:
    variable = result.dataset.variable(label)
    name = Cell(shown_name(label), Tone.LABEL, _description(result, label))
    event = Cell(_event(variable))
    if label in result.unfinished_labels:
        return name, event, Cell(NO_NUMBER), Cell(NO_NUMBER), Cell(_("not finished"), Tone.QUIET)
    own = result.counted_findings.of_label(label)
    common = sum(finding.is_common for finding in own)
    related = [evidence.feature for evidence in result.label_evidence.values() if evidence.label == label]
    counts = Cell(f"{common:,}"), Cell(f"{len(own) - common:,}")
    return name, event, *counts, Cell(names_listing(related) or NO_NUMBER)


def _event(variable: Variable) -> str:
    """Write the event of a label; a dash where it has none."""
    return _("not known") if variable.lacks_event else variable.event or NO_NUMBER


def directions(analysis: ResultContext) -> tuple[Block, ...]:
    """Say which neighbours are known to be causes or effects, and what tells it."""
    result = analysis.result
    sentences = (*direction_sentences(result), *grade_sentences(result))
    if not sentences:
        return ()
    told = [
        (orientation_record, why_phrases(orientation_record, result.dataset.labels))
        for orientation_record in result.orientation_records.values()
    ]
    rows_shown = first_of([(record, why) for record, why in told if why], MOST_ROWS)
    rows = tuple(
        (
            (
                Cell(shown_name(record.feature), Tone.NAME),
                Cell(shown_name(record.label), Tone.LABEL),
                Cell(_(statement(direction_of(record), record.grade))),
                Cell(" ".join(map(plain, why))),
            ),
        )
        for record, why in rows_shown.items
    )
    columns = (
        TableColumn(_(_VARIABLE)),
        TableColumn(_(_LABEL)),
        TableColumn(_("Direction"), width=1.4),
        TableColumn(_("Because"), width=5.0),
    )
    table = (TableBlock(columns, rows),) if rows else ()
    return (
        *map(Paragraph, sentences),
        Paragraph(_(_WHEN_A_DIRECTION_IS_SAID), Tone.QUIET),
        *rows_shown.cut(N_("The first {shown} of {total} are shown; directions.csv holds all.")),
        *table,
    )


_WHEN_A_DIRECTION_IS_SAID = N_(
    "The column Direction shows what holds even if a common cause is unmeasured, or otherwise what "
    "holds if none is. A direction is stated if tests show it and none contradicts it. Otherwise, "
    "the best graph with it must fit clearly better than the best without it. All others are undecided."
)


def sizes(analysis: ResultContext) -> tuple[Block, ...]:
    """Say how large findings are; nothing where sizes were not measured."""
    effects = analysis.result.effects
    if effects is None or not effects.sizes:
        return ()
    findings = analysis.result.counted_findings
    sizes = findings.counted_sizes
    pairs = list(dict.fromkeys((size.feature, size.label) for size in sizes))
    rows_shown = first_of(pairs, MOST_ROWS)
    titles = {estimand: sentence_case(_(ESTIMAND_WORDS[estimand])) for estimand in Estimand}
    columns = (
        TableColumn(_(_VARIABLE)),
        TableColumn(_(_LABEL)),
        TableColumn(_("Direction of association"), width=1.8),
        TableColumn(_("Compared"), width=1.8),
        *(TableColumn(title, is_number=True, width=2.4) for title in titles.values()),
    )
    return (
        Definitions(
            tuple(Definition(title, _(ESTIMAND_HELP[estimand])) for estimand, title in titles.items())
        ),
        FigureBlock("sizes", forest_chart(sizes)),
        *rows_shown.cut(N_("The first {shown} of {total} are shown; effects.csv holds all.")),
        TableBlock(columns, tuple((_size_row(findings, effects, *pair),) for pair in rows_shown.items)),
        *_size_cautions(effects, rows_shown.items),
    )


def _size_cautions(effects: Effects, pairs: Sequence[tuple[str, str]]) -> tuple[Block, ...]:
    """List which estimates rest on few rows, and beside which stated cause no effect is possible, and why."""
    lines = [
        f"{shown_name(feature)}, {shown_name(label)}: {plain(caution)}"
        for feature, label in pairs
        for caution in cautions(effects.of(feature, label).values())
    ]
    return (Heading(_("Notes on these figures")), ReportList(tuple(lines))) if lines else ()


def _size_row(findings: Findings, effects: Effects, feature: str, label: str) -> tuple[Cell, ...]:
    leading = {estimand: size.leading for estimand, size in effects.of(feature, label).items()}
    of_any = next((size for size in leading.values() if size is not None), None)
    sign = findings.association_sign(feature, label)
    figures = (leading.get(estimand) for estimand in Estimand)
    return (
        Cell(shown_name(feature), Tone.NAME),
        Cell(shown_name(label), Tone.LABEL),
        Cell("" if sign is None else association_text(sign)),
        Cell("" if of_any is None else contrast_text(label, of_any)),
        *(Cell(NO_NUMBER if figure is None else interval_text(figure)) for figure in figures),
    )


def interchangeable(analysis: ResultContext) -> tuple[Block, ...]:
    """List interchangeable variables with the p-values of their four tests and what each misses at most."""
    result = analysis.result
    if not result.equivalence_records:
        return ()
    margin = ENGLISH.share(result.settings.equivalence_margin)
    text = _(_INTERCHANGEABLE, margin=margin) if asks_for_margin(result) else _(_NO_DIFFERENCE)
    return (
        Paragraph(text, Tone.QUIET),
        *_alike(result, result.equivalence_records, _("Interchangeable with it")),
    )


_INTERCHANGEABLE = N_(
    "Both variables of a pair carry the same information about the target (information-equivalent). "
    "Each is associated with the target, and misses at most {margin} of the information of the "
    "other. The target is a label, or a variable that links a label to its spouse."
)
_NO_DIFFERENCE = N_(
    "Each variable of a pair is associated with the target. Given either of them, the test finds no "
    "association of the target with the other. The published procedure requires no more, and does "
    "not measure how much each may miss. The target is a label, or a variable that links a label to "
    "its spouse."
)
_NOT_TOLD_APART = N_(
    "The tests find no difference between the two in their information about the target, but there "
    "are too few rows to rule a difference out. With more rows, they may prove to be "
    "interchangeable, or not. The second variable is not counted here."
)


def not_told_apart(analysis: ResultContext) -> tuple[Block, ...]:
    """List likewise the variables that these data do not distinguish."""
    result = analysis.result
    if not result.undistinguished_records:
        return ()
    return (
        Paragraph(_(_NOT_TOLD_APART), Tone.QUIET),
        *_alike(result, result.undistinguished_records, _("Not distinguishable from it")),
    )


_P_ASSOCIATED, _P_GIVEN, _MISSES = N_("p, associated"), N_("p, given the other"), N_("misses at most")


def _alike(result: DiscoveryResult, records: Sequence[Equivalence], second: str) -> tuple[Block, ...]:
    rows_shown = first_of(records, MOST_ROWS)
    first, the_second = _("first"), _("second")
    figures = (
        (_P_ASSOCIATED, first),
        (_P_ASSOCIATED, the_second),
        (_P_GIVEN, the_second),
        (_P_GIVEN, first),
        (_MISSES, first),
        (_MISSES, the_second),
    )
    again = () if result.stability is None else (TableColumn(_("Found again"), is_number=True, width=1.2),)
    columns = (
        *(TableColumn(title, width=2.2) for title in (_("Target"), _("In its boundary"))),
        # The longest word of its heading is wider than most names.
        TableColumn(second, width=3.2),
        # A small p-value has more digits than a share, and cannot be read in two lines.
        *(
            TableColumn(title, is_number=True, above=_(above), width=1.3 if above == _MISSES else 1.8)
            for above, title in figures
        ),
        *again,
    )
    rows = tuple((_alike_row(result, record),) for record in rows_shown.items)
    return (
        *rows_shown.cut(N_("The first {shown} of {total} are shown; equivalences.csv holds all.")),
        TableBlock(columns, rows),
    )


def _alike_row(result: DiscoveryResult, record: Equivalence) -> tuple[Cell, ...]:
    tests = (
        record.target_in_boundary,
        record.target_equivalent,
        record.equivalent_given_boundary,
        record.boundary_given_equivalent,
    )
    again = () if result.stability is None else (Cell(_equivalence_again(result, record)),)
    return (
        Cell(shown_name(record.target)),
        Cell(names_listing(record.in_boundary)),
        Cell(names_listing(record.equivalent), Tone.NAME),
        *(Cell(p_in_one_line(test)) for test in tests),
        Cell(_missed(record.missed_by_boundary)),
        Cell(_missed(record.missed_by_equivalent)),
        *again,
    )


def _missed(share: MissedShare | None) -> str:
    return NO_NUMBER if share is None else missed_text(share.limit)


def _equivalence_again(result: DiscoveryResult, record: Equivalence) -> str:
    share = result.findings.share_found_again(record)
    return NO_NUMBER if share is None else ENGLISH.share(share)


def through_labels(analysis: ResultContext) -> tuple[Block, ...]:
    """Say which labels explain links with other labels; of too many, the first."""
    rows_shown = first_of(through_sentences(analysis.result), MOST_ROWS)
    if not rows_shown.total or not analysis.result.counts_through_labels:
        return ()
    return (
        Paragraph(
            _(
                "These variables are linked to a label if the other labels are left out of the search, "
                "and not otherwise."
            ),
            Tone.QUIET,
        ),
        *rows_shown.cut(_LINKS_CUT),
        ReportList(tuple(rows_shown.items)),
    )


def label_relations(analysis: ResultContext) -> tuple[Block, ...]:
    """Say which labels stand next to each other, and what is linked to those that go together."""
    sentences = relation_sentences(analysis.result)
    groups = first_of(group_sentences(analysis.result), MOST_ROWS)
    together: tuple[Block, ...] = (
        Paragraph(_(_LINKED_TO_GROUPS), Tone.QUIET),
        *groups.cut(N_("The first {shown} of {total} are shown; label_groups.csv holds all.")),
        ReportList(tuple(groups.items)),
    )
    if not sentences:
        return together if groups.total else ()
    return (
        *(together if groups.total else ()),
        Paragraph(
            _(
                "Labels that are in the Markov boundary of another label. They are not counted among "
                "the linked variables."
            ),
            Tone.QUIET,
        ),
        ReportList(tuple(sentences)),
    )


_LINKED_TO_GROUPS = N_(
    "Labels that vary together as if they reflected one thing are also searched as one outcome: the "
    "mean of their standardised values. This search does not use the other labels."
)
