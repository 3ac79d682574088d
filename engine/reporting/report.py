"""The report: one HTML page that stands alone, without scripts, to be read, printed and passed on."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from engine.discovery.effects.estimates import Estimand
from engine.discovery.effects.size_words import ESTIMAND_HELP, compared_text, interval_text, sign_text
from engine.discovery.evidence import Evidence, Rule
from engine.discovery.finding_words import times_text
from engine.reporting.figures.files import colour_variables, svg_text
from engine.reporting.finding_charts import forest_chart, label_set_chart
from engine.reporting.sentences.directions import because, direction_sentences, missed_text, relation_text
from engine.reporting.sentences.grades import grade_sentences
from engine.reporting.sentences.method import caveats, data_rows, preparation_rows, references, setting_rows
from engine.reporting.sentences.overview import relation_sentences, run_sentences, summary_sentences
from engine.reporting.sentences.stability import stability_sentences
from engine.reporting.tables import Analysis
from engine.wording.numbers import ENGLISH, NO_NUMBER, counted, degrees_text, p_text, statistic_text
from engine.wording.phrases import plain, plain_listing, visible

if TYPE_CHECKING:
    from markupsafe import Markup

    from engine.discovery.effects.size_table import Effects
    from engine.discovery.evidence import Equivalence, MissedShare
    from engine.discovery.result import DiscoveryResult


MOST_ROWS = 200
MOST_GRID_ROWS, MOST_GRID_COLUMNS = 60, 30

_SYMBOLS = {
    Rule.NEIGHBOUR: ("●", "direct neighbour"),
    Rule.SPOUSE: ("▲", "spouse"),
    Rule.NEIGHBOUR_EQUIVALENT: ("◇", "interchangeable"),
    Rule.SPOUSE_EQUIVALENT: ("◇", "interchangeable"),
}

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Section(Generic[Item]):
    """Rows of a table, at most as many as a person reads.

    Attributes
    ----------
    rows : tuple
        What is shown.
    shown, total : int
        How many findings are shown, and how many there are.
    """

    rows: tuple[Item, ...]
    shown: int
    total: int

    @property
    def is_cut(self) -> bool:
        """Whether some findings are not shown."""
        return self.shown < self.total


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """One feature and label with the strongest reason and its figures."""

    feature: str
    label: str
    relation: str
    others: int
    statistic: str
    degrees: str
    p: str
    strength: float
    recovered: bool
    again: str
    flags: str
    led_by: str


@dataclass(frozen=True, slots=True)
class CommonRow:
    """A common variable with its reasons, one a label, and the interchangeable one that leads it, if any."""

    feature: str
    led_by: str
    reasons: tuple[ReasonRow, ...]


@dataclass(frozen=True, slots=True)
class LabelGroup:
    """A label with the variables that count for it alone."""

    label: str
    reasons: tuple[ReasonRow, ...]


@dataclass(frozen=True, slots=True)
class LabelRow:
    """How much was found for a label."""

    label: str
    common: int
    specific: int
    related: str
    finished: bool


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of the variable × label grid; `symbol` is empty when the variable does not count."""

    symbol: str
    word: str
    strength: float


@dataclass(frozen=True, slots=True)
class GridRow:
    """A variable in the grid."""

    feature: str
    type: str
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True)
class EquivalenceRow:
    """Variables that are interchangeable about a target, or not told apart."""

    target: str
    in_boundary: str
    equivalent: str
    p_values: tuple[str, ...]
    missed: tuple[str, str]
    found_again: str


@dataclass(frozen=True, slots=True)
class DirectionRow:
    """A neighbour of a label that is known to be a cause or an effect, with what tells it."""

    feature: str
    label: str
    direction: str
    because: str


@dataclass(frozen=True, slots=True)
class SizeRow:
    """How large a finding is: its sign, what is compared, and a figure of each estimand."""

    feature: str
    label: str
    sign: str
    compared: str
    figures: tuple[str, ...]


def reason_row(result: DiscoveryResult, feature: str, label: str) -> ReasonRow:
    """Return the strongest reason for a pair; how many others there are is counted."""
    reason, *others = result.reasons(feature, label)
    test = reason.tests[0] if reason.tests else None
    return ReasonRow(
        feature=feature,
        label=label,
        relation=relation_text(result, reason),
        others=len(others),
        statistic=statistic_text(test.statistic) if test else "–",
        degrees=degrees_text(test.dof) if test else "–",
        p=p_text(test.p_value, test.log_p) if test else "–",
        strength=reason.strength,
        recovered=reason.recovered,
        again=_again(result, feature, label),
        flags=", ".join(str(each.kind) for each in result.flags(feature, label)),
        led_by=result.findings.by_feature[feature].led_by or "",
    )


def _again(result: DiscoveryResult, feature: str, label: str) -> str:
    """Say how often a pair was found again; empty where the search was not repeated."""
    stability = result.stability
    return "" if stability is None else times_text(stability.times_found(feature, label), stability.finished)


def common_section(result: DiscoveryResult) -> Section[CommonRow]:
    """List common variables, most labels first."""
    found = result.findings.common
    rows = tuple(
        CommonRow(
            each.feature,
            each.led_by or "",
            tuple(reason_row(result, each.feature, label) for label in each.labels),
        )
        for each in found[:MOST_ROWS]
    )
    return Section(rows, len(rows), len(found))


def label_specific_section(result: DiscoveryResult) -> Section[LabelGroup]:
    """List label-specific variables by label; of too many, each label keeps its strongest."""
    found = [(each.feature, each.labels[0]) for each in result.findings.label_specific]
    shown = _evenly(found, MOST_ROWS)
    groups: dict[str, list[ReasonRow]] = {}
    for feature, label in shown:
        groups.setdefault(label, []).append(reason_row(result, feature, label))
    rows = tuple(LabelGroup(label, tuple(reasons)) for label, reasons in groups.items())
    return Section(rows, len(shown), len(found))


def label_section(result: DiscoveryResult) -> tuple[LabelRow, ...]:
    """Count the variables of each label, and name the labels related to it."""
    rows = []
    for label in result.dataset.labels:
        own = result.findings.of_label(label)
        common = sum(finding.is_common for finding in own)
        related = [each.feature for each in result.label_evidence.values() if each.label == label]
        finished = label not in result.unfinished_labels
        rows.append(LabelRow(label, common, len(own) - common, plain_listing(related), finished))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Grid:
    """The variable × label grid."""

    labels: tuple[str, ...]
    section: Section[GridRow]


def grid_section(result: DiscoveryResult) -> Grid | None:
    """Cross variables with labels; None when there are too many labels for a page."""
    labels = result.dataset.labels
    found = result.findings.all
    if len(labels) > MOST_GRID_COLUMNS or not found:
        return None
    rows = tuple(
        GridRow(
            each.feature, each.type, tuple(_cell(result.reasons(each.feature, label)) for label in labels)
        )
        for each in found[:MOST_GRID_ROWS]
    )
    return Grid(labels, Section(rows, len(rows), len(found)))


def equivalence_section(result: DiscoveryResult) -> Section[EquivalenceRow]:
    """List interchangeable variables with the p-values of their four tests and what each misses at most."""
    return _equivalences(result, result.equivalence_records)


def undistinguished_section(result: DiscoveryResult) -> Section[EquivalenceRow]:
    """List likewise the variables that these rows do not tell apart."""
    return _equivalences(result, result.undistinguished_records)


def _equivalences(result: DiscoveryResult, records: Sequence[Equivalence]) -> Section[EquivalenceRow]:
    rows = tuple(
        EquivalenceRow(
            record.target,
            plain_listing(record.in_boundary),
            plain_listing(record.equivalent),
            tuple(
                p_text(test.p_value, test.log_p)
                for test in (
                    record.target_in_boundary,
                    record.target_equivalent,
                    record.equivalent_given_boundary,
                    record.boundary_given_equivalent,
                )
            ),
            (_missed(record.missed_by_boundary), _missed(record.missed_by_equivalent)),
            _equivalence_again(result, record),
        )
        for record in records[:MOST_ROWS]
    )
    return Section(rows, len(rows), len(records))


def _missed(found: MissedShare | None) -> str:
    return NO_NUMBER if found is None else missed_text(found.limit)


def _equivalence_again(result: DiscoveryResult, record: Equivalence) -> str:
    if result.stability is None:
        return ""
    share = result.findings.share_found_again(record)
    return NO_NUMBER if share is None else ENGLISH.share(share)


def direction_section(result: DiscoveryResult) -> Section[DirectionRow]:
    """List the neighbours that are known to be causes or effects, by label, with what tells it."""
    labels = result.dataset.labels
    directed = [each for each in result.orientation_records.values() if each.because is not None]
    rows = tuple(
        DirectionRow(each.feature, each.label, str(each.direction), plain(because(each, labels)))
        for each in directed[:MOST_ROWS]
    )
    return Section(rows, len(rows), len(directed))


def size_section(effects: Effects | None) -> Section[SizeRow]:
    """List how large findings are; nothing where sizes were not measured."""
    pairs = list(dict.fromkeys((size.feature, size.label) for size in effects.sizes)) if effects else []
    rows = tuple(_size_row(effects, *pair) for pair in pairs[:MOST_ROWS] if effects)
    return Section(rows, len(rows), len(pairs))


def _size_row(effects: Effects, feature: str, label: str) -> SizeRow:
    leading = {estimand: size.leading for estimand, size in effects.of(feature, label).items()}
    of_any = next((each for each in leading.values() if each is not None), None)
    figures = (leading.get(estimand) for estimand in Estimand)
    return SizeRow(
        feature,
        label,
        sign_text(effects.sign(feature, label)),
        "" if of_any is None else compared_text(of_any),
        tuple(NO_NUMBER if each is None else interval_text(each) for each in figures),
    )


def _figures(analysis: Analysis) -> dict[str, Markup]:
    """Draw the charts of the page: which labels share variables, and a forest plot where sizes are known."""
    from markupsafe import Markup

    findings, effects = analysis.result.findings, analysis.result.effects
    charts = {}
    if findings.common:
        charts["sets"] = label_set_chart(findings)
    if effects is not None and effects.sizes:
        charts["sizes"] = forest_chart(effects.sizes)
    return {name: Markup(svg_text(chart, name)) for name, chart in charts.items()}


def _cell(reasons: tuple[Evidence, ...]) -> GridCell:
    if not reasons:
        return GridCell("", "", 0.0)
    symbol, word = _SYMBOLS[reasons[0].rule]
    return GridCell(symbol, word, reasons[0].strength)


def _evenly(found: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """Keep at most `most` pairs, the first of every label before the second of any."""
    if len(found) <= most:
        return list(found)
    seen: dict[str, int] = {}
    ranked = []
    for position, (_, label) in enumerate(found):
        seen[label] = seen.get(label, 0) + 1
        ranked.append((seen[label], position))
    return [found[position] for position in sorted(position for _, position in sorted(ranked)[:most])]


_BREAK_AFTER = re.compile(r"[_./](?=\w)")


def write_report(analysis: Analysis, path: Path) -> None:
    """Write the report as HTML."""
    text = report_html(analysis, datetime.date.today())
    path.write_bytes(text.encode("utf-8", errors="xmlcharrefreplace"))


def report_html(analysis: Analysis, day: datetime.date) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    analysis : Analysis
        What it speaks of.
    day : datetime.date
        Date that it bears.

    Returns
    -------
    str
        A whole page. Every name in it is escaped, and nothing in it is loaded from elsewhere.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["breakable"] = _breakable
    template = resources.files("engine.reporting").joinpath("templates", "report.html")
    return environment.from_string(template.read_text("utf-8")).render(_content(analysis, day))


def _content(analysis: Analysis, day: datetime.date) -> dict[str, Any]:
    from engine.version import __version__

    result = analysis.result
    dataset = result.dataset
    return {
        "title": analysis.title,
        "facts": (
            counted(dataset.row_count, "row"),
            counted(len(dataset.features), "feature"),
            counted(len(dataset.labels), "label"),
            f"{day.day} {day:%B} {day.year}",
        ),
        "is_partial": result.is_partial,
        "summary": summary_sentences(result),
        "run": run_sentences(result),
        "again": stability_sentences(result),
        "labels": label_section(result),
        "grid": grid_section(result),
        "common": common_section(result),
        "specific": label_specific_section(result),
        "equivalences": equivalence_section(result),
        "undistinguished": undistinguished_section(result),
        "margin": ENGLISH.share(result.settings.equivalence_margin),
        "relations": relation_sentences(result),
        "directions": direction_section(result),
        "sizes": size_section(result.effects),
        "estimands": tuple((str(each), ESTIMAND_HELP[each]) for each in Estimand),
        "figures": _figures(analysis),
        "chart_colours": colour_variables(is_dark=False),
        "told": (*direction_sentences(result), *grade_sentences(result)),
        "data": data_rows(analysis),
        "settings": setting_rows(result.settings_used),
        "preparation": preparation_rows(analysis.preparation),
        "notes": tuple(note.message for note in dataset.notes),
        "caveats": caveats(result),
        "references": references(result),
        "symbol": result.test.statistic,
        "version": __version__,
    }


def _shown(value: Any) -> Any:
    """Make every text printable; what is already markup stays."""
    return visible(value) if type(value) is str else value


def _breakable(text: str) -> Markup:
    """Let long names break after an underscore, a dot or a slash; what is copied stays the same."""
    from markupsafe import Markup, escape

    return Markup(_BREAK_AFTER.sub(r"\g<0><wbr>", str(escape(visible(text)))))
