"""Parts of a report that say what was found: in sentences, tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.discovery.effects.estimates import Estimand
from engine.discovery.effects.size_words import (
    ESTIMAND_HELP,
    association_text,
    cautions,
    contrast_text,
    interval_text,
)
from engine.discovery.evidence import Rule
from engine.discovery.finding_words import statement
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
from engine.reporting.report.links import p_in_one_line
from engine.reporting.run_comparison import change_phrases, change_text, circumstance_phrases
from engine.reporting.sentences.directions import (
    direction_sentences,
    missed_text,
    why_phrases,
)
from engine.reporting.sentences.grades import grade_sentences
from engine.reporting.sentences.links import group_sentences, through_sentences
from engine.reporting.sentences.method import asks_for_margin
from engine.reporting.sentences.overview import relation_sentences, run_sentences, summary_sentences
from engine.reporting.sentences.stability import stability_sentences
from engine.reporting.tables import ResultContext
from engine.wording.numbers import ENGLISH, NO_NUMBER
from engine.wording.phrases import plain, plain_listing
from engine.wording.sentences import NO_PROOF

if TYPE_CHECKING:
    from engine.discovery.effects.size_table import Effects
    from engine.discovery.evidence import Equivalence, MissedShare
    from engine.discovery.findings import Findings
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.run_changes import FeatureChange
    from engine.table.variable import Variable

MOST_GRID_ROWS, MOST_GRID_COLUMNS = 60, 30

_SYMBOLS = {
    Rule.NEIGHBOUR: ("●", "direct neighbour"),
    Rule.SPOUSE: ("▲", "spouse"),
    Rule.NEIGHBOUR_EQUIVALENT: ("◇", "interchangeable"),
    Rule.SPOUSE_EQUIVALENT: ("◇", "interchangeable"),
}
_THROUGH_LABELS = "▷", "linked through other labels"


def overview(analysis: ResultContext) -> tuple[Block, ...]:
    """Say in sentences what was found."""
    result = analysis.result
    tone = Tone.WARNING if result.is_partial else Tone.LEAD
    return (
        *(Paragraph(sentence, tone) for sentence in summary_sentences(result)),
        Paragraph(" ".join((*run_sentences(result), NO_PROOF)), Tone.QUIET),
    )


def stability(analysis: ResultContext) -> tuple[Block, ...]:
    """Say how often findings came back; nothing where the search was not repeated."""
    sentences = stability_sentences(analysis.result)
    if not sentences:
        return ()
    return (*map(Paragraph, sentences), Paragraph(_PARTS_OF_ROWS, Tone.QUIET))


_PARTS_OF_ROWS = (
    "Each part was searched in the same way. A finding that comes back whichever rows are drawn does not "
    "hang on a few of them. A part has fewer rows than the table, so weak effects are missed there more "
    "often: a low number is a reason for doubt, not proof of an error."
)


def grid(analysis: ResultContext) -> tuple[Block, ...]:
    """Cross variables with labels; nothing where there are too many labels for a page."""
    result = analysis.result
    labels = result.dataset.labels
    if len(labels) > MOST_GRID_COLUMNS or not result.counted_findings.all:
        return ()
    found = first_of(result.counted_findings.all, MOST_GRID_ROWS)
    rows = tuple(
        (
            Cell(each.feature, Tone.COMMON if each.is_common else Tone.SPECIFIC),
            tuple(_grid_cell(result, each.feature, label) for label in labels),
        )
        for each in found.items
    )
    through = (" ".join(_THROUGH_LABELS),) if result.counted_findings.links_through_labels else ()
    return (
        GridBlock("Variable", labels, rows, (*_GRID_LEGEND[:-1], *through, _GRID_LEGEND[-1])),
        *found.cut("The first {shown} of {total} variables are shown."),
    )


_GRID_LEGEND = (
    "Names: ● common, ○ label-specific.",
    "Cells: ● direct neighbour",
    "▲ spouse",
    "◇ interchangeable",
    "darker is stronger",
)


_GRID_TIP = "{feature}, {label}: {word}, strength {strength}"


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
        tip=_GRID_TIP.format(feature=feature, label=label, word=word, strength=ENGLISH.strength(strength)),
    )


def graph(analysis: ResultContext) -> tuple[Block, ...]:
    """Draw the findings as a graph; nothing where there are none."""
    found = analysis.result.counted_findings
    return (FigureBlock("graph", graph_chart(found, analysis.graph_places)),) if found.all else ()


def comparison(analysis: ResultContext) -> tuple[Block, ...]:
    """Say what differs between two runs; nothing where none were chosen."""
    if analysis.compared is None:
        return ()
    before, after = analysis.compared
    first, second = before.name, after.name
    preparations = (before.preparation, after.preparation)
    compared = compare_runs(before.result, after.result, (first, second), preparations)
    found = first_of(compared.feature_changes, MOST_ROWS)
    columns = (
        TableColumn("Variable"),
        TableColumn("What differs", width=2.6),
        TableColumn(f"In “{first}”"),
        TableColumn(f"In “{second}”"),
    )
    rows = tuple((_change_row(each),) for each in found.items)
    return (
        Paragraph(_COMPARED.format(first=first, second=second), Tone.LEAD),
        ReportList(tuple(map(plain, change_phrases(compared)))),
        Heading("In what the runs differ"),
        ReportList(tuple(map(plain, circumstance_phrases(compared)))),
        *found.cut("The first {shown} of {total} are shown."),
        *((TableBlock(columns, rows),) if rows else ()),
    )


_COMPARED = "The run “{second}” against the run “{first}”."


def _change_row(change: FeatureChange) -> tuple[Cell, ...]:
    tone = Tone.COMMON if change.is_common else Tone.SPECIFIC
    sets = (Cell(plain_listing(each) or NO_NUMBER) for each in (change.labels_first, change.labels_second))
    return Cell(change.feature, tone), Cell(change_text(change)), *sets


def labels(analysis: ResultContext) -> tuple[Block, ...]:
    """Count the variables of each label, name the labels related to it, and draw which share variables."""
    result = analysis.result
    found = result.counted_findings
    chart = (FigureBlock("sets", label_set_chart(found)),) if found.common else ()
    rows = tuple((_label_row(result, label),) for label in result.dataset.labels)
    return (TableBlock(_LABEL_COLUMNS, rows), *chart)


_LABEL_COLUMNS = (
    TableColumn("Label"),
    TableColumn("Event", width=1.5),
    TableColumn("Common", is_number=True, width=1.5),
    TableColumn("Label-specific", is_number=True, width=1.7),
    TableColumn("Related labels", width=4.0),
)


def _label_row(result: DiscoveryResult, label: str) -> tuple[Cell, ...]:
    name, event = Cell(label, Tone.LABEL), Cell(_event(result.dataset.variable(label)))
    if label in result.unfinished_labels:
        return name, event, Cell(NO_NUMBER), Cell(NO_NUMBER), Cell("not finished", Tone.QUIET)
    own = result.counted_findings.of_label(label)
    common = sum(finding.is_common for finding in own)
    related = [each.feature for each in result.label_evidence.values() if each.label == label]
    counts = Cell(f"{common:,}"), Cell(f"{len(own) - common:,}")
    return name, event, *counts, Cell(plain_listing(related) or NO_NUMBER)


def _event(variable: Variable) -> str:
    """Write the event of a label; a dash where it has none."""
    return "not known" if variable.lacks_event else variable.event or NO_NUMBER


def directions(analysis: ResultContext) -> tuple[Block, ...]:
    """Say which neighbours are known to be causes or effects, and what tells it."""
    result = analysis.result
    sentences = (*direction_sentences(result), *grade_sentences(result))
    if not sentences:
        return ()
    told = [(each, why_phrases(each, result.dataset.labels)) for each in result.orientation_records.values()]
    found = first_of([(each, why) for each, why in told if why], MOST_ROWS)
    rows = tuple(
        (
            (
                Cell(each.feature, Tone.NAME),
                Cell(each.label, Tone.LABEL),
                Cell(statement(direction_of(each), each.grade)),
                Cell(" ".join(map(plain, why))),
            ),
        )
        for each, why in found.items
    )
    columns = (
        TableColumn("Variable"),
        TableColumn("Label"),
        TableColumn("Direction", width=1.4),
        TableColumn("Because", width=5.0),
    )
    table = (TableBlock(columns, rows),) if rows else ()
    return (
        *map(Paragraph, sentences),
        Paragraph(_WHEN_A_DIRECTION_IS_SAID, Tone.QUIET),
        *found.cut("The first {shown} of {total} are shown; directions.csv holds all."),
        *table,
    )


_WHEN_A_DIRECTION_IS_SAID = (
    "The column Direction holds what is told even if something is hidden, or else what is told if nothing "
    "is. A direction is told where tests tell it and none contradicts it, or where the best graph with it is "
    "clearly likelier than the best one without. All others are undecided."
)


def sizes(analysis: ResultContext) -> tuple[Block, ...]:
    """Say how large findings are; nothing where sizes were not measured."""
    effects = analysis.result.effects
    if effects is None or not effects.sizes:
        return ()
    findings = analysis.result.counted_findings
    sizes = findings.counted_sizes
    pairs = list(dict.fromkeys((size.feature, size.label) for size in sizes))
    found = first_of(pairs, MOST_ROWS)
    columns = (
        TableColumn("Variable"),
        TableColumn("Label"),
        TableColumn("Sign", width=1.8),
        TableColumn("Compared", width=1.8),
        *(TableColumn(str(each).capitalize(), is_number=True, width=2.4) for each in Estimand),
    )
    return (
        Definitions(tuple(Definition(str(each).capitalize(), ESTIMAND_HELP[each]) for each in Estimand)),
        FigureBlock("sizes", forest_chart(sizes)),
        *found.cut("The first {shown} of {total} are shown; effects.csv holds all."),
        TableBlock(columns, tuple((_size_row(findings, effects, *pair),) for pair in found.items)),
        *_size_cautions(effects, found.items),
    )


def _size_cautions(effects: Effects, pairs: Sequence[tuple[str, str]]) -> tuple[Block, ...]:
    """List which estimates rest on few rows, and beside which stated cause no effect is possible, and why."""
    lines = [
        f"{feature}, {label}: {plain(caution)}"
        for feature, label in pairs
        for caution in cautions(effects.of(feature, label).values())
    ]
    return (Heading("To be read with these figures"), ReportList(tuple(lines))) if lines else ()


def _size_row(findings: Findings, effects: Effects, feature: str, label: str) -> tuple[Cell, ...]:
    leading = {estimand: size.leading for estimand, size in effects.of(feature, label).items()}
    of_any = next((each for each in leading.values() if each is not None), None)
    sign = findings.association_sign(feature, label)
    figures = (leading.get(estimand) for estimand in Estimand)
    return (
        Cell(feature, Tone.NAME),
        Cell(label, Tone.LABEL),
        Cell("" if sign is None else association_text(sign)),
        Cell("" if of_any is None else contrast_text(label, of_any)),
        *(Cell(NO_NUMBER if each is None else interval_text(each)) for each in figures),
    )


def interchangeable(analysis: ResultContext) -> tuple[Block, ...]:
    """List interchangeable variables with the p-values of their four tests and what each misses at most."""
    result = analysis.result
    if not result.equivalence_records:
        return ()
    margin = ENGLISH.share(result.settings.equivalence_margin)
    text = _INTERCHANGEABLE.format(margin=margin) if asks_for_margin(result) else _NO_DIFFERENCE
    return (
        Paragraph(text, Tone.QUIET),
        *_alike(result, result.equivalence_records, "Interchangeable with it"),
    )


_INTERCHANGEABLE = (
    "Either variable of a pair tells the same about the target (information-equivalent): each is associated "
    "with it, and it is shown that each misses at most {margin} of what the other tells. The target is a "
    "label, or a variable that links a label to its spouse."
)
_NO_DIFFERENCE = (
    "Each variable of a pair is associated with the target. Given either of them, the test finds no "
    "association of the target with the other, which is all that the published procedure asks. How much "
    "each may miss is not measured. The target is a label, or a variable that links a label to its spouse."
)
_NOT_TOLD_APART = (
    "The tests find no difference in what the two tell about the target, and there are too few rows to show "
    "that there is none. With more rows they may turn out to be interchangeable, or not. The second makes "
    "no variable common or label-specific here."
)


def not_told_apart(analysis: ResultContext) -> tuple[Block, ...]:
    """List likewise the variables that these rows do not tell apart."""
    result = analysis.result
    if not result.undistinguished_records:
        return ()
    return (
        Paragraph(_NOT_TOLD_APART, Tone.QUIET),
        *_alike(result, result.undistinguished_records, "Not told apart from it"),
    )


_P_ASSOCIATED, _P_GIVEN, _MISSES = "p, associated", "p, given the other", "misses at most"


def _alike(result: DiscoveryResult, records: Sequence[Equivalence], second: str) -> tuple[Block, ...]:
    found = first_of(records, MOST_ROWS)
    figures = (
        (_P_ASSOCIATED, "first"),
        (_P_ASSOCIATED, "second"),
        (_P_GIVEN, "second"),
        (_P_GIVEN, "first"),
        (_MISSES, "first"),
        (_MISSES, "second"),
    )
    again = () if result.stability is None else (TableColumn("Found again", is_number=True, width=1.2),)
    columns = (
        *(TableColumn(title, width=2.2) for title in ("Target", "In its boundary")),
        # The longest word of its heading is wider than most names.
        TableColumn(second, width=3.2),
        # A small p-value has more digits than a share, and cannot be read in two lines.
        *(
            TableColumn(title, is_number=True, above=above, width=1.3 if above == _MISSES else 1.8)
            for above, title in figures
        ),
        *again,
    )
    rows = tuple((_alike_row(result, record),) for record in found.items)
    return (
        *found.cut("The first {shown} of {total} are shown; equivalences.csv holds all."),
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
        Cell(record.target),
        Cell(plain_listing(record.in_boundary)),
        Cell(plain_listing(record.equivalent), Tone.NAME),
        *(Cell(p_in_one_line(test)) for test in tests),
        Cell(_missed(record.missed_by_boundary)),
        Cell(_missed(record.missed_by_equivalent)),
        *again,
    )


def _missed(found: MissedShare | None) -> str:
    return NO_NUMBER if found is None else missed_text(found.limit)


def _equivalence_again(result: DiscoveryResult, record: Equivalence) -> str:
    share = result.findings.share_found_again(record)
    return NO_NUMBER if share is None else ENGLISH.share(share)


def through_labels(analysis: ResultContext) -> tuple[Block, ...]:
    """Say which labels explain links with other labels; of too many, the first."""
    found = first_of(through_sentences(analysis.result), MOST_ROWS)
    if not found.total or not analysis.result.counts_through_labels:
        return ()
    return (
        Paragraph(
            "These variables are linked to a label without the other labels, and not beside them.",
            Tone.QUIET,
        ),
        *found.cut("The first {shown} of {total} are shown; the table of links (links.csv) holds all."),
        ReportList(tuple(found.items)),
    )


def label_relations(analysis: ResultContext) -> tuple[Block, ...]:
    """Say which labels stand next to each other, and what is linked to those that go together."""
    sentences = relation_sentences(analysis.result)
    groups = first_of(group_sentences(analysis.result), MOST_ROWS)
    together: tuple[Block, ...] = (
        Paragraph(_LINKED_TO_GROUPS, Tone.QUIET),
        *groups.cut("The first {shown} of {total} are shown; label_groups.csv holds all."),
        ReportList(tuple(groups.items)),
    )
    if not sentences:
        return together if groups.total else ()
    return (
        *(together if groups.total else ()),
        Paragraph(
            "Labels that are in the boundary of another label. They are not counted as causal variables.",
            Tone.QUIET,
        ),
        ReportList(tuple(sentences)),
    )


_LINKED_TO_GROUPS = (
    "Labels that go together as if they reflected one thing are searched as one outcome, too: the mean of "
    "their standardised values. The other labels are not used there."
)
