"""Directions of two-valued labels, read back from what CLCD writes, in sixty ways to write the labels.

Run by hand, from the project's folder::

    python -m tests.benchmarks.event_variants --seeds 0 1 2

A number and a two-valued feature make the event of each label more likely. Labels are written in ten
languages and as numbers, into CSV, Excel, SPSS and Stata files. Each claim about a label and a feature is
read from the text of the tables, the report, the forest plot and the sentences of the evidence panel. It is
right if it says that the event is more likely, or the other level less likely.
"""

from __future__ import annotations

import argparse
import html
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas

import engine
from engine.discovery.effects.size_words import size_sentences
from engine.discovery.result import DiscoveryResult
from engine.reporting.figures.chart import RowPanel
from engine.reporting.finding_charts import forest_chart
from engine.wording.phrases import plain

NUMBER, EXPOSURE, NOISE, LABEL = "cigarettes", "asbestos", "height", "outcome"
HABIT = "habit"
MOST_LABELS = 10


@dataclass(frozen=True)
class Variant:
    """A way to write a label.

    Attributes
    ----------
    event, opposite : str or int or bool
        As they stand in the table.
    file : str
        Ending of the file: csv, xlsx, sav or dta.
    names : mapping of int to str
        Value labels of SPSS and Stata.
    may_be_asked : bool
        Nothing in the table tells which level is the event.
    """

    event: str | int | bool
    opposite: str | int | bool
    file: str = "csv"
    names: Mapping[int, str] = field(default_factory=dict)
    may_be_asked: bool = False

    @property
    def told(self) -> tuple[str, str]:
        """Event and other level, as CLCD calls them."""
        first, second = (
            str(self.names.get(level, level)) if not isinstance(level, bool) else str(level).upper()
            for level in (self.event, self.opposite)
        )
        return first, second


def _texts(pairs: str, file: str = "csv", **more: bool) -> list[Variant]:
    return [Variant(*(word.strip() for word in pair.split("|")), file, **more) for pair in pairs.split(";")]


VARIANTS = (
    *_texts("yes|no; ja|nein; oui|non; sí|no; sì|no; sim|não"),
    *_texts("ja|nee; tak|nie; 是|否; はい|いいえ; YES|NO; Ja, täglich|Nein, nie; y|n; J|N"),
    *_texts("diseased|healthy; died|survived; verstorben|am leben; rechute|pas de rechute; fallecido|vivo"),
    *_texts(
        "positivo|negativo; doente|saudável; overleden|in leven; chory|zdrowy; 死亡|存活; 再発あり|再発なし"
    ),
    *_texts("auffällig|unauffällig; nicht gesund|gesund; case|control; treated|placebo; failure|success"),
    *_texts("diabetes|no diabetes; HIV positive|HIV negative; nawrót|bez nawrotu; malignant|benign"),
    *_texts("présent|absent; aanwezig|afwezig; ricaduta|nessuna ricaduta; exposto|não exposto"),
    *_texts("喫煙者|非喫煙者; 阳性|阴性; WAHR|FALSCH; VRAI|FAUX; 1|0; 1|-1; TRUE|FALSE"),
    *_texts("yes|no; geimpft|ungeimpft; anormal|normal", "xlsx"),
    Variant(True, False, "xlsx"),
    Variant(1, 0, "xlsx"),
    Variant(1, -1, "xlsx"),
    Variant(1, 2, "sav", {1: "Yes", 2: "No"}),
    Variant(1, 2, "sav", {1: "ja", 2: "nein"}),
    Variant(2, 1, "sav", {1: "alive", 2: "dead"}),
    Variant(1, 0, "sav"),
    Variant(1, 2, "dta", {1: "sí", 2: "no"}),
    Variant(1, 2, "dta", {1: "Rückfall", 2: "kein Rückfall"}),
    Variant(0, 1, "dta", {0: "malato", 1: "sano"}),
    Variant(1, 0, "dta"),
    *_texts("1|2; 2|1; A|B; female|male; M|F", may_be_asked=True),
    Variant(1, 2, "sav", may_be_asked=True),
    Variant(2, 1, "dta", may_be_asked=True),
)


@dataclass
class Outcome:
    """What was read about the variants.

    Attributes
    ----------
    claims : dict of str to int
        Claims by where they stand.
    wrong : list of str
        Claims that say the opposite of the data, and labels of which a place says nothing.
    asked_about : list of Variant
        Variants whose event CLCD asks for.
    """

    claims: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    asked_about: list[Variant] = field(default_factory=list)


def measured(variants: Sequence[Variant], seed: int, rows: int = 600) -> Outcome:
    """Write the variants into files, analyse these, and read back what is claimed."""
    outcome = Outcome()
    for file in dict.fromkeys(variant.file for variant in variants):
        of_file = [variant for variant in variants if variant.file == file]
        for start in range(0, len(of_file), MOST_LABELS):
            _measure(of_file[start : start + MOST_LABELS], file, seed + start, rows, outcome)
    return outcome


def table_of(
    variants: Sequence[Variant], seed: int, rows: int, has_habits: bool = False
) -> tuple[pandas.DataFrame, dict[str, Variant]]:
    """Draw a table: two features that make each event more likely, one of noise, and a label a variant.

    With habits, each label has a feature of its own besides, which is written as the label is.
    """
    generator = np.random.default_rng(seed)
    number, exposed = generator.normal(20.0, 5.0, rows).round(2), generator.random(rows) < 0.5
    frame = pandas.DataFrame(
        {
            NUMBER: number,
            EXPOSURE: np.where(exposed, "exposed", "unexposed"),
            NOISE: generator.normal(170.0, 9.0, rows).round(1),
        }
    )
    labels = {}
    for place, variant in enumerate(variants):
        odds = np.exp(0.25 * (number - 20.0) + 1.8 * (exposed - 0.5))
        if has_habits:
            has_habit = generator.random(rows) < 0.5
            odds *= np.exp(1.8 * (has_habit - 0.5))
            frame[f"{HABIT}{place}"] = _in_words(has_habit, variant)
        happens = generator.random(rows) < odds / (1.0 + odds)
        name = f"{LABEL}{place}"
        frame[name] = _in_words(happens, variant)
        labels[name] = variant
    return frame, labels


def _in_words(happens: np.ndarray, variant: Variant) -> pandas.Series:
    values = [variant.event if is_event else variant.opposite for is_event in happens]
    return pandas.Series(values, dtype=object if isinstance(values[0], str) else None)


def written(frame: pandas.DataFrame, labels: Mapping[str, Variant], folder: Path, file: str) -> Path:
    """Write a table into a file of some kind."""
    path = folder / f"table.{file}"
    names = {name: dict(variant.names) for name, variant in labels.items() if variant.names}
    if file == "csv":
        frame.to_csv(path, index=False)
    elif file == "xlsx":
        frame.to_excel(path, index=False)
    elif file == "sav":
        import pyreadstat

        pyreadstat.write_sav(frame, path, variable_value_labels=names)
    else:
        frame.to_stata(path, write_index=False, value_labels=names, version=118)
    return path


def _measure(variants: Sequence[Variant], file: str, seed: int, rows: int, outcome: Outcome) -> None:
    frame, labels = table_of(variants, seed, rows)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dataset = engine.read_dataset(written(frame, labels, folder, file), labels=list(labels))
        prepared = engine.prepare(dataset)
        result = engine.discover(prepared)
        result = result.with_effects(engine.effects(prepared, result))
        engine.export(result, folder / "out", source=dataset)
        texts = dict(texts_of(result, folder / "out"))
    outcome.asked_about += [labels[label] for label in dataset.undecided_events if label in labels]
    for place, text in texts.items():
        for label, variant in labels.items():
            _judge(place, text, label, variant, outcome)


def texts_of(result: DiscoveryResult, folder: Path) -> Iterator[tuple[str, str]]:
    """Return what is written, by where it stands."""
    for file in ("common.csv", "label_specific.csv", "effects.csv"):
        yield file, (folder / file).read_text(encoding="utf-8-sig")
    report = (folder / "report.html").read_text(encoding="utf-8")
    rows = re.split(r"</(?:tr|p|li|dd|text|title|desc|h\d)>", html.unescape(report.replace("\n", " ")))
    yield "report", "\n".join(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", row)) for row in rows)
    assert result.effects is not None
    sentences = (
        size_sentences(result.effects.of(feature, label).values())
        for feature, label in result.evidence
        if feature in (NUMBER, EXPOSURE)
    )
    yield "panel", "\n".join(plain(phrase) for of_pair in sentences for phrase in of_pair)
    lines = []
    for panel in forest_chart(result.effects.sizes).panels:
        assert isinstance(panel, RowPanel)
        lines += [f"{panel.title}: {mark.words}" for mark in panel.marks]
    yield "forest plot", "\n".join(lines)


# Of a label and a level: "more likely", or a difference with its sign.
_CLAIM = (
    r"{label} = (?P<level>{levels})"
    r"(?:: | is (?:[\d.]+ percentage points )?| [^\n]*?(?=[+−]))"
    r"(?P<way>more likely|less likely|[+−])"
)
_EXPECTED_IN = {"label_specific.csv": 0}


def claims_in(text: str, label: str, levels: Sequence[str]) -> list[tuple[str, bool]]:
    """Return each level of a label of which a text says that it is more or less likely, and which."""
    pattern = _CLAIM.format(
        label=re.escape(label), levels="|".join(map(re.escape, sorted(levels, key=len)[::-1]))
    )
    matches = re.finditer(pattern, text)
    return [(match["level"], match["way"] in ("more likely", "+")) for match in matches]


def _judge(place: str, text: str, label: str, variant: Variant, outcome: Outcome) -> None:
    event, other_level = variant.told
    # What is said of the noise or of two labels, or is not clear, says nothing of the event.
    lines = [
        line
        for line in text.splitlines()
        if (NUMBER in line or EXPOSURE in line) and NOISE not in line and "unclear" not in line
    ]
    if place in ("effects.csv", "report"):
        # A label may be linked to another one by chance.
        lines = [line for line in lines if not line.strip().startswith(LABEL)]
    claims = claims_in("\n".join(lines), label, (event, other_level))
    outcome.claims[place] = outcome.claims.get(place, 0) + len(claims)
    if not claims and place not in _EXPECTED_IN:
        outcome.wrong.append(f"{place}: nothing is said of {label} ({event}, {other_level}; {variant.file})")
    for level, is_more in claims:
        if is_more is not (level == event):
            outcome.wrong.append(
                f"{place}: {level} is {'more' if is_more else 'less'} likely ({event}, {other_level})"
            )
        if level == other_level and not variant.may_be_asked:
            outcome.wrong.append(f"{place}: {other_level} is told as the event, not {event}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all variants and print what is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    failed = False
    for seed in parser.parse_args(arguments).seeds:
        outcome = measured(VARIANTS, seed)
        needless = [variant.told for variant in outcome.asked_about if not variant.may_be_asked]
        print(f"seed {seed}: {len(VARIANTS)} variants, {outcome.claims}")
        print(
            f"  wrong: {len(outcome.wrong)}; asked about: {len(outcome.asked_about)}, needlessly: {needless}"
        )
        print(*(f"  {fault}" for fault in outcome.wrong[:40]), sep="\n")
        failed |= bool(outcome.wrong or needless or len(outcome.asked_about) > 12)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
