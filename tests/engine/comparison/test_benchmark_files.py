"""Tables, charts and report say what was measured, beside what the paper reports."""

from __future__ import annotations

import datetime
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean, stdev

import pandas
import pytest
from defusedxml.ElementTree import fromstring

from engine.comparison.networks import BenchmarkResult, BenchmarkSettings
from engine.comparison.networks.benchmark_settings import cells, paper_figures, paper_log_seconds, variants
from engine.comparison.networks.methods import methods
from engine.comparison.networks.report import (
    NETWORK_FILES,
    accuracy_chart,
    caution_sentences,
    report_html,
    time_chart,
    verdict_sentences,
)
from engine.comparison.networks.result import NetworkOutcome, summarise
from engine.comparison.page import StoredValues, machine_text
from engine.reporting.figures.chart import RowPanel
from engine.reporting.figures.looks import PAPER
from engine.simulation.truth import PairScore, Scores
from engine.translation import _, language
from tests.engine.reporting.reading import mark_texts, places, texts, unreadable
from tests.pseudo_language import pseudo_language
from tests.rendered import text_of
from tests.untranslated import english_in


def outcome(
    cell: str, seed: int, variant: str, method: str, hits: int | None, seconds: float
) -> NetworkOutcome:
    """Make an outcome with `hits` of 10 true pairs and 2 false ones, in both types."""
    pairs = None if hits is None else PairScore(hits, 2, 10 - hits)
    scores = None if pairs is None else Scores(pairs, pairs, pairs)
    return NetworkOutcome(cell, seed, variant, method, scores, seconds, 2 * seconds, 60.0)


@pytest.fixture(scope="module")
def result() -> BenchmarkResult:
    """Two networks of each kind; CLCD finds most; KIAMB is cut on the first, under both variants."""
    settings = BenchmarkSettings(seeds=2, cells=tuple(cells()))
    outcomes = []
    for seed in range(2):
        for cell in cells():
            for variant in variants():
                for place, method in enumerate(methods()):
                    hits = 9 if method == "clcd" else 2 + place + seed
                    if method == "kiamb" and seed == 0:
                        outcomes.append(outcome(cell, seed, variant, method, None, 60.0))
                    else:
                        outcomes.append(outcome(cell, seed, variant, method, hits, 1.0 + place))
    return BenchmarkResult(settings, tuple(outcomes), workers=2)


@pytest.fixture(scope="module")
def written(result: BenchmarkResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file of the result, whose pictures take long to draw."""
    folder = tmp_path_factory.mktemp("benchmark") / "out"
    assert NETWORK_FILES.write(result, folder) == NETWORK_FILES.paths(result, folder)
    return folder


OPEN_ENDED = {"meta", "br"}


class Page(HTMLParser):
    """Collects what a page says, and checks that its tags match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.text = ""

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """Elements of pictures that end at once."""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in OPEN_ENDED:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in OPEN_ENDED:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data if "small" not in self.open else f" [{data}]"


def test_precision_recall_and_f1_by_hand() -> None:
    common, specific = PairScore(6, 2, 4), PairScore(1, 3, 1)
    one = NetworkOutcome("0.5/0", 0, "default", "clcd", Scores(common, specific, common), 1.0, 1.0, 60.0)
    # Precision 6/8 and 1/4, recall 6/10 and 1/2.
    assert one.scores is not None
    assert one.scores.precision == pytest.approx(0.5)
    assert one.scores.recall == pytest.approx(0.55)
    assert one.f1 == pytest.approx(2 * 0.5 * 0.55 / (0.5 + 0.55))


def test_outcomes_survive_being_written(result: BenchmarkResult, tmp_path: Path) -> None:
    store = StoredValues(tmp_path)
    for number, measured in enumerate(result.outcomes):
        store.put("run", {"number": number}, measured)
        assert store.get("run", {"number": number}, NetworkOutcome) == measured


def test_tables_are_read_back_as_they_were(result: BenchmarkResult, written: Path) -> None:
    assert all(path.stat().st_size for path in NETWORK_FILES.paths(result, written))
    summary = pandas.read_csv(written / "benchmark.csv")
    assert len(summary) == len(cells()) * len(variants()) * len(methods())
    for row in summary.itertuples():
        cell = row.kind
        assert not cells()[cell].in_paper or cell == f"{row.p_c:g}/{row.p_m:g}"
        measured = result.of(cell, row.variant, row.method)
        finished = [network_outcome for network_outcome in measured if network_outcome.scores is not None]
        assert (row.networks, row.cut) == (2, 2 - len(finished))
        precisions = [
            network_outcome.scores.precision
            for network_outcome in finished
            if network_outcome.scores is not None
        ]
        assert row.precision_mean == fmean(precisions)
        if len(precisions) > 1:
            assert row.precision_sd == stdev(precisions)
        else:
            assert pandas.isna(row.precision_sd)
        assert (row.recall_min, row.recall_max) == (
            min(network_outcome.scores.recall for network_outcome in finished),
            max(network_outcome.scores.recall for network_outcome in finished),
        )
        assert row.seconds_mean == fmean(network_outcome.seconds for network_outcome in measured)
        reported = paper_figures(cell, row.method)
        if reported is None:
            assert pandas.isna(row.paper_precision) and pandas.isna(row.paper_f1)
        else:
            assert (row.paper_precision, row.paper_recall) == (reported.precision, reported.recall)
    networks = pandas.read_csv(written / "networks.csv")
    assert len(networks) == len(result.outcomes)
    for row, network_outcome in zip(networks.itertuples(), result.outcomes, strict=True):
        assert (row.method, row.seed, row.variant) == (
            network_outcome.method,
            network_outcome.seed,
            network_outcome.variant,
        )
        assert (row.cut == "cut") == network_outcome.is_cut
        if network_outcome.scores is not None:
            assert (row.precision, row.recall, row.f1) == (
                network_outcome.scores.precision,
                network_outcome.scores.recall,
                network_outcome.f1,
            )
            assert row.common_true_positives == network_outcome.scores.common.true_positives
    times = pandas.read_csv(written / "times.csv")
    kiamb = times[times["method"] == "kiamb"]
    assert set(kiamb["bound"]) == {"at least"}
    assert kiamb["seconds"].tolist() == pytest.approx([(60.0 + 4.0) / 2] * 6)
    assert times[times["method"] != "kiamb"]["bound"].isna().all()


def test_the_report_holds_every_figure_of_both_tables(written: Path) -> None:
    page = Page()
    page.feed((written / "benchmark.html").read_text("utf-8"))
    assert page.open == []
    for cell in cells().values():
        assert cell.title in page.text
    for method in methods().values():
        assert method.title in page.text
    heads = [row for row in page.rows if row[0] == "Metric"]
    assert len(heads) == 3 * len(variants())
    assert heads[0][2:] == [method.title for method in methods().values()]
    # Three metrics on three kinds of networks in each table of the paper, on four with numbers; and times.
    assert len(page.rows) == len(variants()) * (2 * (1 + 3 * 3 + 2) + (1 + 3 * 4 + 2))
    clcd = [row[-1] for row in page.rows if row[1] == "p_c 0.5, p_m 1"]
    assert clcd[0].split() == ["0.818", "±", "0.000", "[paper", "0.906]"]
    assert clcd[1].split() == ["0.900", "±", "0.000", "[paper", "0.981]"]
    kiamb = [row[2 + list(methods()).index("kiamb")] for row in page.rows if row[1] == "p_c 0.5, p_m 0"]
    assert all("1 of 2 cut" in text for text in kiamb)
    clock, processor = (
        [row for row in page.rows if row[1] == title] for title in ("Clock, lg s", "Processor, lg s")
    )
    assert clock[0][2 + list(methods()).index("kiamb")] == "> 1.505 (32 s)"
    assert processor[0][2 + list(methods()).index("kiamb")].startswith("> 1.806 (1 min 4 s)")
    assert f"paper {paper_log_seconds(2, 'clcd'):.3f}" in processor[0][-1]
    assert f"paper {paper_log_seconds(3, 'clcd'):.3f}" in processor[1][-1]
    for words in ("Faithfulness margin", "0.01", "were used to develop CLCD", "not counted"):
        assert words in page.text


def test_a_method_that_never_finished_is_shown_as_cut(tmp_path: Path) -> None:
    settings = BenchmarkSettings(
        seeds=1, cells=("0.5/0",), methods=("iamb", "clcd"), variants=("default",), budget=5.0
    )
    outcomes = (
        outcome("0.5/0", 0, "default", "iamb", None, 5.0),
        outcome("0.5/0", 0, "default", "clcd", 9, 1.0),
    )
    NETWORK_FILES.write(BenchmarkResult(settings, outcomes, 1), tmp_path)
    page = Page()
    page.feed((tmp_path / "benchmark.html").read_text("utf-8"))
    precision = next(row for row in page.rows if row[0] == "Precision")
    assert precision[2].split() == ["cut", "[paper", "0.745]"]
    assert "1 search needed more than 5.0 s of processor time" in page.text
    assert "cut" in texts(fromstring((tmp_path / "accuracy.svg").read_bytes()))
    assert any(text.startswith("→ some") for text in texts(fromstring((tmp_path / "time.svg").read_bytes())))
    assert pandas.read_csv(tmp_path / "benchmark.csv")["precision_mean"].isna().tolist() == [True, False]


@pytest.mark.parametrize("name", ["accuracy", "time"])
def test_charts_name_every_method_and_say_every_figure(
    result: BenchmarkResult, written: Path, name: str
) -> None:
    chart = accuracy_chart(result) if name == "accuracy" else time_chart(result)
    picture = fromstring((written / f"{name}.svg").read_bytes())
    assert {method.title for method in methods().values()} <= set(texts(picture))
    assert sorted(mark_texts(picture)) == sorted(chart.words())
    assert unreadable(chart) == []
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    assert all(0 <= x <= width and 0 <= y <= height for x, y in places(picture).values())


def test_charts_hold_the_figures_of_the_tables(result: BenchmarkResult) -> None:
    names = {method.title: name for name, method in methods().items()}
    kinds = {cell.title: name for name, cell in cells().items()}
    chart = accuracy_chart(result)
    seen = set()
    for panels, heading in zip(chart.rows, chart.headings, strict=True):
        for panel in panels:
            assert isinstance(panel, RowPanel)
            for mark in panel.marks:
                cell, method = kinds[panel.title], names[panel.rows[mark.row]]
                seen.add((heading, cell, mark.series.look, method))
                if mark.series.look == PAPER:
                    assert mark.value == getattr(paper_figures(cell, method), heading.lower())
                    continue
                spread = summarise(result, cell, mark.series.look, method).accuracy(heading.lower())
                assert spread is not None
                assert (mark.value, mark.low, mark.high) == (spread.mean, spread.lowest, spread.highest)
    # Three metrics: both variants of six methods on nine kinds, and the paper on its five.
    assert len(seen) == 3 * (2 * 6 * 9 + 6 * 5)
    (first, second), (third,) = time_chart(result).rows
    assert [panel.title for panel in (first, second, third)] == [
        "Table 2",
        "Table 3",
        "Networks with numbers",
    ]
    assert isinstance(first, RowPanel)
    by_place = {(mark.row, mark.series.look): mark for mark in first.marks}
    kiamb = by_place[list(methods()).index("kiamb"), "default"]
    assert kiamb.is_bound and kiamb.value == pytest.approx(2 * (60.0 + 4.0) / 2)
    assert kiamb.words == "∩KIAMB, default settings: more than 64 s"
    clcd = by_place[list(methods()).index("clcd"), PAPER]
    assert clcd.value == pytest.approx(10 ** (paper_log_seconds(2, "clcd") or 0.0)) and not clcd.is_bound


def test_marks_stand_where_their_figures_are(written: Path) -> None:
    at = places(fromstring((written / "accuracy.svg").read_bytes()))
    own = at["CLCD, default settings, p_c 0.5, p_m 0: 0.818"][0]
    assert own == at["CLCD, as published, p_c 0.5, p_m 0: 0.818"][0]
    # In one panel, as far apart as the figures are.
    paper = at["CLCD, in the paper, p_c 0.5, p_m 0: 0.915"][0]
    in_paper = at["∩KIAMB, in the paper, p_c 0.5, p_m 0: 0.415"][0]
    assert (paper - own) / (paper - in_paper) == pytest.approx((0.915 - 9 / 11) / 0.5, abs=1e-3)


def test_verdicts_say_who_is_ahead(result: BenchmarkResult) -> None:
    first, second = verdict_sentences(result)
    assert first == "Default settings: CLCD has the highest F1 on all 9 kinds of networks."
    assert second.startswith("As published:")
    behind = tuple(
        outcome(run.cell, run.seed, run.variant, run.method, 10, 1.0)
        if (run.cell, run.method) == ("0/0.5", "ccmb")
        else run
        for run in result.outcomes
    )
    first, _ = verdict_sentences(BenchmarkResult(result.settings, behind, 2))
    assert first.endswith("on 8 of 9 kinds of networks; ∩CCMB is ahead (p_c 0, p_m 0.5).")
    level = tuple(
        outcome(run.cell, run.seed, run.variant, run.method, 9, 1.0)
        if run.method == "hiton-mb" and run.cell in ("0.5/0", "0/0.5")
        else run
        for run in result.outcomes
    )
    first, _ = verdict_sentences(BenchmarkResult(result.settings, level, 2))
    assert first.endswith("on 7 of 9 kinds of networks; ∩HITON-MB is equal (p_c 0.5, p_m 0; p_c 0, p_m 0.5).")


def test_who_is_ahead_is_told_from_networks_that_both_finished(result: BenchmarkResult) -> None:
    def altered(run: NetworkOutcome) -> NetworkOutcome:
        if run.cell != "0/0.5" or run.method not in ("clcd", "kiamb"):
            return run
        # KIAMB finishes the easy network only, on which CLCD is better; CLCD's mean over both is lower.
        hits = {("clcd", 0): 3, ("clcd", 1): 9, ("kiamb", 1): 8}.get((run.method, run.seed))
        return outcome(run.cell, run.seed, run.variant, run.method, hits, 1.0)

    outcomes = tuple(altered(outcome) for outcome in result.outcomes if outcome.method in ("clcd", "kiamb"))
    settings = replace(result.settings, methods=("clcd", "kiamb"))
    partly_cut = BenchmarkResult(settings, outcomes, 2)
    first, _ = verdict_sentences(partly_cut)
    assert first == "Default settings: CLCD has the highest F1 on all 9 kinds of networks."
    assert "which may be the easier ones" in caution_sentences(partly_cut)[-1]


@pytest.mark.usefixtures("pictures_not_drawn")
def test_the_page_holds_no_english_in_another_language(result: BenchmarkResult) -> None:
    with language(pseudo_language()):
        page = text_of(report_html(result, datetime.date(2026, 1, 2)))
        page = page.partition(_("Source"))[0]
    assert page.count("~") > 500
    assert not english_in(
        page.split("\n"), {*(method.title for method in methods().values()), machine_text()}
    )
