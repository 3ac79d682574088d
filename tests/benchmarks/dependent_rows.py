"""Rows that are not independent: whether they are noticed, and what the offered groups do about it.

Run by hand, from the project's folder::

    python -m tests.benchmarks.dependent_rows flags --first-seed 1000 --tables 20
    python -m tests.benchmarks.dependent_rows independent --first-seed 1000
    python -m tests.benchmarks.dependent_rows arranged --first-seed 1000 --tables 30
    python -m tests.benchmarks.dependent_rows offers --first-seed 1000 --tables 5
    python -m tests.benchmarks.dependent_rows offers --further --first-seed 1000 --tables 5
    python -m tests.benchmarks.dependent_rows power --first-seed 1000 --tables 10
    python -m tests.benchmarks.dependent_rows shared ../shared/data

``flags`` and ``offers`` draw tables without any link whose rows depend on each other; ``independent`` draws
300 tables of independent rows, most of them sorted, in blocks or with a cause of many levels; ``arranged``
draws more that somebody arranged by their columns, ``left-out`` by what is not in them; ``shared`` lists
what is noticed in real tables. Nothing here is shared with the code that looks for dependence.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas

import engine
from engine.preparation.dependence import dependent_rows

LABELS, FEATURES = 3, 10
Generator = np.random.Generator


@dataclass(frozen=True)
class Case:
    """A kind of table: its name, and what draws one."""

    name: str
    draw: Callable[[Generator], pandas.DataFrame]


def as_measured(values: np.ndarray, generator: Generator) -> pandas.DataFrame:
    """Make numbers, yes or no, categories and ratings of columns of normal values; the first are labels."""
    columns: dict[str, object] = {}
    for number, column in enumerate(values.T):
        is_label = number < LABELS
        kind = ("yes or no", "number")[int(number == LABELS - 1)] if is_label else generator.choice(KINDS)
        name = f"y{number}" if is_label else f"x{number}"
        columns[name] = _measured(column, str(kind), generator)
    return pandas.DataFrame(columns)


KINDS = ("number", "yes or no", "three levels", "rating", "count")


def _measured(column: np.ndarray, kind: str, generator: Generator) -> object:
    if kind == "number":
        return column
    if kind == "count":
        return np.floor(np.exp(1.5 + 0.6 * column / column.std()))
    shares = {"yes or no": [generator.uniform(0.3, 0.7)], "three levels": [0.35, 0.7]}
    cuts = np.quantile(column, shares.get(kind, [0.1, 0.3, 0.6, 0.85]))
    codes = np.searchsorted(cuts, column)
    if kind == "rating":
        return codes + 1
    return np.array([["no", "yes"], ["red", "green", "blue"]][kind != "yes or no"])[codes]


def persons(
    icc: float, rows: int, *, count: int = 100, unequal: bool = False, id_kind: str = "number"
) -> Callable[[Generator], pandas.DataFrame]:
    """Several rows a person: every column is alike within persons, and none has to do with another."""

    def draw(generator: Generator) -> pandas.DataFrame:
        sizes = generator.integers(1, 61, count) if unequal else np.full(count, rows)
        person = np.repeat(np.arange(count), sizes)
        width = LABELS + FEATURES
        own = generator.normal(size=(count, width))[person]
        values = np.sqrt(icc) * own + np.sqrt(1 - icc) * generator.normal(size=(len(person), width))
        frame = as_measured(values, generator)
        frame.insert(0, "who", _ids(person, count, id_kind, generator))
        if generator.random() < 0.5:
            frame = frame.sample(frac=1.0, random_state=int(generator.integers(2**31)))
        return frame.reset_index(drop=True)

    return draw


def _ids(person: np.ndarray, count: int, kind: str, generator: Generator) -> np.ndarray:
    numbers = generator.permutation(count * 7)[:count] + 1000
    days = np.datetime64("2015-01-01") + generator.permutation(count * 3)[:count]
    texts = np.array([f"P{number:05d}" for number in numbers])
    ids: np.ndarray = {"number": numbers, "text": texts, "date": days.astype(str)}[kind][person]
    return ids


def walks(persistence: float, rows: int, width: int, generator: Generator) -> np.ndarray:
    """Draw stationary autoregressive series of order one."""
    noise = generator.normal(size=(rows, width))
    values = np.empty((rows, width))
    values[0] = noise[0]
    for row in range(1, rows):
        values[row] = persistence * values[row - 1] + np.sqrt(1 - persistence**2) * noise[row]
    return values


def series(
    persistence: float, rows: int = 1000, *, date: str = "", stacked: int = 1, beside: str = ""
) -> Callable[[Generator], pandas.DataFrame]:
    """Series of autoregressive columns, none of which has to do with another."""

    def draw(generator: Generator) -> pandas.DataFrame:
        width, rows_each = LABELS + FEATURES, rows // stacked
        values = np.vstack([walks(persistence, rows_each, width, generator) for _ in range(stacked)])
        time = np.tile(np.arange(rows_each), stacked)
        if beside == "season":
            phases = generator.uniform(0, 2 * np.pi, width)
            values += np.sin(2 * np.pi * time[:, np.newaxis] / 50.0 + phases)
        elif beside == "trend":
            values += time[:, np.newaxis] / rows_each * generator.normal(size=width)
        elif beside == "drift":
            drift = np.cumsum(generator.normal(size=values.shape), axis=0)
            values = drift / drift.std(axis=0) + generator.normal(size=values.shape)
        frame = as_measured(values, generator)
        if stacked > 1:
            frame.insert(0, "site", np.repeat([f"site {number}" for number in range(stacked)], rows_each))
        if date:
            gaps = (
                generator.integers(1, 4, rows_each) if "gaps" in date else np.ones(rows_each, dtype=np.int64)
            )
            days = np.datetime64("2010-03-01") + np.cumsum(gaps)
            texts = days.astype(str) if "number" not in date else np.cumsum(gaps)
            frame.insert(0, "day", texts[time])
        if "shuffled" in date:
            frame = frame.sample(frac=1.0, random_state=int(generator.integers(2**31)))
        return frame.reset_index(drop=True)

    return draw


DEPENDENT = (
    *(
        Case(f"{rows} rows a person, ICC {icc}", persons(icc, rows))
        for rows in (5, 20)
        for icc in (0.2, 0.5, 0.8)
    ),
    Case("20 rows a person, ICC 0.5, id text", persons(0.5, 20, id_kind="text")),
    Case("5 rows a day, ICC 0.5, days as texts", persons(0.5, 5, id_kind="date")),
    Case("1 to 60 rows a person, ICC 0.3", persons(0.3, 0, unequal=True)),
    Case("30 persons, 20 rows each, ICC 0.5", persons(0.5, 20, count=30, id_kind="text")),
    Case("twins, ICC 0.6", persons(0.6, 2, count=200)),
    *(Case(f"in order, AR {phi}", series(phi)) for phi in (0.5, 0.7, 0.9, 0.97)),
    *(
        Case(f"shuffled, with a date, AR {phi}", series(phi, date="shuffled"))
        for phi in (0.5, 0.7, 0.9, 0.97)
    ),
    Case("AR 0.9, dates with gaps, in order", series(0.9, date="gaps")),
    Case("AR 0.9, day numbers, shuffled", series(0.9, date="number shuffled")),
    Case("AR 0.9, 5 series stacked", series(0.9, stacked=5, date="gaps")),
    Case("AR 0.9, 5 series shuffled", series(0.9, stacked=5, date="gaps shuffled")),
    Case("AR 0.7 and seasons, with a date", series(0.7, date="gaps", beside="season")),
    Case("AR 0.7 and a trend, with a date", series(0.7, date="gaps", beside="trend")),
    Case("slow drift, with a date", series(0.5, date="gaps", beside="drift")),
    Case("AR 0.97, 300 rows", series(0.97, 300)),
)


def clinics(icc: float, count: int) -> Callable[[Generator], pandas.DataFrame]:
    """A few clinics of 50 rows: every column is alike within clinics, and none has to do with another."""

    def draw(generator: Generator) -> pandas.DataFrame:
        frame = persons(icc, 50, count=count, id_kind="text")(generator)
        return frame.rename(columns={"who": "clinic"})

    return draw


def visits(generator: Generator) -> pandas.DataFrame:
    """Four visits a person, weeks to years apart: the nearer in time, the more alike."""
    count, rows_each, width = 150, 4, LABELS + FEATURES
    months = np.cumsum(generator.exponential(8.0, (count, rows_each)) + 1.0, axis=1)
    values = np.empty((count, rows_each, width))
    values[:, 0] = generator.normal(size=(count, width))
    for visit in range(1, rows_each):
        kept = 0.93 ** (months[:, visit] - months[:, visit - 1])[:, np.newaxis]
        values[:, visit] = kept * values[:, visit - 1]
        values[:, visit] += np.sqrt(1.0 - kept**2) * generator.normal(size=(count, width))
    frame = as_measured(values.reshape(-1, width), generator)
    days = np.datetime64("2012-01-01") + (months.ravel() * 30.4).astype(np.int64)
    frame.insert(0, "visit", days.astype(str))
    frame.insert(0, "who", np.repeat(generator.permutation(count * 7)[:count] + 1000, rows_each))
    return frame


def with_missing_dates(date: str) -> Callable[[Generator], pandas.DataFrame]:
    """A series of which one date in ten is missing."""

    def draw(generator: Generator) -> pandas.DataFrame:
        frame = series(0.9, date=date)(generator)
        frame["day"] = frame["day"].astype(object).mask(generator.random(len(frame)) < 0.1)
        return frame

    return draw


def crossed(patients: int, raters: int) -> Callable[[Generator], pandas.DataFrame]:
    """Each patient is seen by some raters: columns are alike within patients and within raters."""

    def draw(generator: Generator) -> pandas.DataFrame:
        width = LABELS + FEATURES
        patient, rater = np.divmod(np.arange(patients * raters), raters)
        some = generator.random(len(patient)) < min(1.0, 800 / len(patient))
        patient, rater = patient[some], rater[some]
        values = np.sqrt(0.4) * generator.normal(size=(patients, width))[patient]
        values += np.sqrt(0.2) * generator.normal(size=(raters, width))[rater]
        values += np.sqrt(0.4) * generator.normal(size=values.shape)
        frame = as_measured(values, generator)
        frame.insert(0, "rater", np.array([f"r{number}" for number in range(raters)])[rater])
        frame.insert(0, "patient", np.array([f"p{number}" for number in range(patients)])[patient])
        return frame

    return draw


def yearly_season(generator: Generator, rows: int = 1000, persistence: float = 0.7) -> pandas.DataFrame:
    """Rows along dates of some years: every column has a season, and none has to do with another."""
    width = LABELS + FEATURES
    days = np.cumsum(generator.integers(1, 4, rows))
    values = walks(persistence, rows, width, generator)
    values += np.sin(2 * np.pi * days[:, np.newaxis] / 365.25 + generator.uniform(0, 2 * np.pi, width))
    frame = as_measured(values, generator)
    frame.insert(0, "day", (np.datetime64("2010-03-01") + days).astype(str))
    return frame


# Kinds that were added when the others were settled.
FURTHER_DEPENDENT = (
    Case("1 to 60 rows a person, ICC 0.5", persons(0.5, 0, unequal=True, id_kind="text")),
    *(
        Case(f"{count} clinics, ICC {icc}", clinics(icc, count))
        for count in (5, 10)
        for icc in (0.05, 0.2, 0.5)
    ),
    Case("4 visits a person, with wide gaps", visits),
    Case("AR 0.7 and a season of a year", yearly_season),
    Case("AR 0.7 and a trend, dates with gaps", series(0.7, date="gaps", beside="trend")),
    Case("AR 0.9, in order, dates missing", with_missing_dates("gaps")),
    Case("AR 0.9, shuffled, dates missing", with_missing_dates("gaps shuffled")),
    Case("60 patients crossed with 20 raters", crossed(60, 20)),
    Case("150 patients crossed with 6 raters", crossed(150, 6)),
)


def linked(rows: int, generator: Generator, extra: np.ndarray | None = None) -> np.ndarray:
    """Draw independent rows of linked columns: labels of features, features of each other."""
    width = LABELS + FEATURES
    values = generator.normal(size=(rows, width))
    for column in range(LABELS + 1, width):
        if generator.random() < 0.4:
            cause = int(generator.integers(LABELS, column))
            values[:, column] += generator.uniform(0.4, 1.2) * values[:, cause]
    if extra is not None:
        for column in range(LABELS, width):
            if generator.random() < 0.3:
                values[:, column] += generator.uniform(0.5, 1.5) * extra
    for label in range(LABELS):
        causes = generator.choice(np.arange(LABELS, width), 3, replace=False)
        values[:, label] += values[:, causes] @ generator.uniform(0.3, 0.9, 3)
        if extra is not None and (label == 0 or generator.random() < 0.5):
            values[:, label] += generator.uniform(0.5, 1.5) * extra
    return values


def _curved(values: np.ndarray, generator: Generator) -> np.ndarray:
    """Bend a number as ages bend what hangs on them: a line, a bow, a step, or a rise that ends."""
    scaled = (values - values.mean()) / values.std()
    bends = (scaled, scaled**2 - 1.0, np.sign(scaled - 0.5), np.tanh(2.0 * scaled))
    bent: np.ndarray = bends[int(generator.integers(len(bends)))]
    return bent


def independent_table(kind: str, generator: Generator) -> pandas.DataFrame:
    """Draw a table of independent rows."""
    rows = int(generator.integers(300, 2000))
    if kind == "ward":
        count = int(generator.integers(20, 61))
        ward = generator.choice(count, rows, p=generator.dirichlet(np.full(count, 3.0)))
        frame = as_measured(linked(rows, generator, generator.normal(size=count)[ward]), generator)
        numbers = generator.permutation(900)[:count] + 100
        names = numbers if generator.random() < 0.5 else np.array([f"ward {number}" for number in numbers])
        frame.insert(int(generator.integers(3)), "ward", names[ward])
        return _sorted(frame, "ward") if generator.random() < 0.5 else frame
    if kind in ("age", "whole age"):
        age = generator.uniform(18, 90, rows)
        age = np.floor(age) if kind == "whole age" else age
        frame = as_measured(linked(rows, generator, _curved(age, generator)), generator)
        frame["age"] = age
        return _sorted(frame, "age")
    if kind == "group":
        group = generator.integers(0, int(generator.integers(2, 10)), rows)
        frame = as_measured(linked(rows, generator, generator.normal(size=10)[group]), generator)
        frame["arm"] = np.array([*"abcdefghij"])[group]
        return _sorted(frame, "arm")
    if kind in ("ward and age", "ward and label"):
        frame = independent_table("ward", generator)
        if kind == "ward and label":
            return frame.sort_values(["ward", "y0"], kind="stable").reset_index(drop=True)
        frame["age"] = np.floor(generator.uniform(18, 90, len(frame)))
        return frame.sort_values(["ward", "age"], kind="stable").reset_index(drop=True)
    if kind in ("admission", "admission and label"):
        frame = as_measured(linked(rows, generator), generator)
        days = np.sort(generator.integers(0, int(generator.integers(100, 3 * rows)), rows))
        frame.insert(0, "admitted", (np.datetime64("2015-01-01") + days).astype(str))
        if kind == "admission and label":
            return frame.sort_values(["y0", "admitted"], kind="stable").reset_index(drop=True)
        return frame
    if kind == "group and age":
        frame = independent_table("group", generator)
        frame["age"] = np.floor(generator.uniform(18, 90, len(frame)))
        return frame.sort_values(["arm", "age"], kind="stable").reset_index(drop=True)
    frame = as_measured(linked(rows, generator), generator)
    if kind == "two columns":
        by = [
            f"x{place}" for place in generator.choice(np.arange(LABELS, LABELS + FEATURES), 2, replace=False)
        ]
        return frame.sort_values(by, kind="stable").reset_index(drop=True)
    if kind == "label":
        return _sorted(frame, str(generator.choice(["y0", "y1", "y2"])))
    if kind == "label and another":
        by = [str(generator.choice(["y0", "y1"])), f"x{generator.integers(LABELS, LABELS + FEATURES)}"]
        return frame.sort_values(by, kind="stable").reset_index(drop=True)
    if kind == "case-control blocks":
        frame = _sorted(frame, "y0")
        size = int(generator.integers(10, 100))
        block = frame.groupby("y0").cumcount() // size
        frame = frame.iloc[np.lexsort((frame["y0"], block))]
        return frame.reset_index(drop=True)
    return frame


def _sorted(frame: pandas.DataFrame, by: str) -> pandas.DataFrame:
    return frame.sort_values(by, kind="stable").reset_index(drop=True)


INDEPENDENT = {
    "label": 30,
    "label and another": 10,
    "group": 30,
    "age": 15,
    "whole age": 15,
    "case-control blocks": 50,
    "ward": 50,
    "plain": 100,
}

FURTHER_INDEPENDENT = {
    "two columns": 30,
    "group and age": 30,
    "ward and age": 30,
    "ward and label": 30,
    "admission": 30,
    "admission and label": 30,
}


def _in_files(rows: int, generator: Generator) -> np.ndarray:
    """Say of which of three to eight files that were joined each row is."""
    return np.sort(generator.integers(0, int(generator.integers(3, 9)), rows))


def arranged_table(kind: str, generator: Generator) -> pandas.DataFrame:
    """Draw a table of independent rows that somebody arranged, wholly or in part, by what is in it."""
    rows = int(generator.integers(200, 1500))
    arm, sex = generator.integers(0, 2, rows), generator.integers(0, 2, rows)
    age = generator.uniform(18, 90, rows)
    values = linked(rows, generator, _curved(age, generator) + 0.7 * arm)
    frame = as_measured(values, generator)
    frame["arm"], frame["sex"] = np.array(["active", "placebo"])[arm], np.array(["f", "m"])[sex]
    frame["age"] = age if generator.random() < 0.5 else np.floor(age)
    if kind == "arm and sex":
        by: list[np.ndarray] = [sex, arm]
    elif kind == "age descending":
        by = [-age]
    elif kind == "age groups":
        by = [np.floor(age / generator.choice([5, 10, 20]))]
    elif kind == "nearly by age":
        by = [age + generator.normal(size=rows) * generator.choice([1.0, 4.0])]
    elif kind == "arm, with rows added":
        by = [np.where(np.arange(rows) < 0.9 * rows, arm, 2)]
    elif kind == "joined files":
        by = [sex, arm, _in_files(rows, generator)]
    elif kind == "label and sex in blocks":
        codes = _places(frame["y0"])
        by = [sex, codes, np.argsort(np.argsort(generator.random(rows))) // int(generator.integers(40, 120))]
    elif kind == "sites by name":
        site = generator.integers(0, int(generator.integers(3, 13)), rows)
        frame["y2"] += generator.normal(size=13)[site] * frame["y2"].std()
        frame["site"] = [f"{'ZYXABCDGHKLMN'[number]} hospital" for number in site]
        by = [arm, frame["site"].to_numpy()]
    else:
        # By the sum of a few answers, rounded, within arms, as by "any pain" in a trial.
        answers = [_places(frame[name]) / rows for name in ("y2", "x3", "x4")]
        by = [sex, np.round(2.0 * np.sum(answers, axis=0)), arm]
    return frame.iloc[np.lexsort(by)].reset_index(drop=True)


ARRANGED = (
    "arm and sex",
    "age descending",
    "age groups",
    "nearly by age",
    "arm, with rows added",
    "joined files",
    "label and sex in blocks",
    "sites by name",
    "sum within arms",
)


def _places(column: pandas.Series) -> np.ndarray:
    return np.asarray(pandas.factorize(column, sort=True)[0])


def left_out(kind: str) -> Callable[[Generator], pandas.DataFrame]:
    """Rows sorted by what is not in the table, to which columns are linked."""

    def draw(generator: Generator) -> pandas.DataFrame:
        if kind == "age":
            frame = independent_table("age", generator).drop(columns="age")
        elif kind == "ward":
            frame = _sorted(independent_table("ward", generator), "ward").drop(columns="ward")
        else:
            frame = as_measured(linked(800, generator), generator)
            score = np.sum([_places(frame[name]) for name in ("x3", "x4", "x5", "y2")], axis=0)
            frame = frame.iloc[np.argsort(score, kind="stable")].reset_index(drop=True)
        return frame

    return draw


# Nobody can know whether rows belong together in these; the sentence says so.
LEFT_OUT = tuple(Case(f"sorted by {kind} left out", left_out(kind)) for kind in ("age", "ward", "score"))


def dataset_of(frame: pandas.DataFrame) -> engine.Dataset:
    """Take a drawn table as a person would."""
    return engine.Dataset.from_frame(frame, labels=[f"y{number}" for number in range(LABELS)])


def flag_rates(cases: Sequence[Case], seeds: range) -> Iterator[str]:
    """Tell of each kind of dependent tables how many are noticed."""
    for case in cases:
        kinds = []
        for seed in seeds:
            frame = case.draw(np.random.default_rng([seed, len(case.name)]))
            kinds.append(
                [
                    f"{dependence.kind} {'+'.join(dependence.columns)}"
                    for dependence in dependent_rows(dataset_of(frame))
                ]
            )
        share = np.mean([bool(kinds_of_table) for kinds_of_table in kinds])
        how = pandas.Series([" & ".join(kinds_of_table) for kinds_of_table in kinds]).value_counts().to_dict()
        yield f"| {case.name} | {share:.2f} | {how} |"


def independent_rates(
    first_seed: int,
    kinds: Mapping[str, int],
    draw: Callable[[str, Generator], pandas.DataFrame] = independent_table,
) -> Iterator[str]:
    """Tell of each kind of independent tables how many are flagged."""
    flagged = 0
    for kind, count in kinds.items():
        flags = []
        for seed in range(first_seed, first_seed + count):
            frame = draw(kind, np.random.default_rng([seed, len(kind)]))
            dependence = dependent_rows(dataset_of(frame))
            flags += [
                f"{seed}: {flag.kind} {'+'.join(flag.columns)} {flag.figure:.2f}" for flag in dependence
            ]
            flagged += bool(dependence)
        yield f"| {kind} | {count} | {flags} |"
    yield f"| together | {sum(kinds.values())} | {flagged} |"


def findings_in(dataset: engine.Dataset) -> set[tuple[str, str]]:
    """Search a table; return the pairs of a drawn feature and a label that are found.

    What names the groups, or the time, is linked to whatever differs between them, and no false finding.
    """
    result = engine.discover(engine.prepare(dataset), directions=False)
    return {
        (finding.feature, label)
        for finding in result.findings.all
        for label in finding.labels
        if finding.feature.startswith("x")
    }


def offered(dataset: engine.Dataset, most: int = 1) -> engine.Dataset:
    """Take the first offers, if there are any."""
    offers = [offer for dependence in dependent_rows(dataset) for offer in dependence.offers]
    for offer in offers[:most]:
        dataset = offer.apply(dataset)
    return dataset


def offer_rates(cases: Sequence[Case], seeds: range) -> Iterator[str]:
    """Tell how many false findings a table has without, with the first and with all offers."""
    for case in cases:
        before, after, after_all, flagged = [], [], [], []
        for seed in seeds:
            dataset = dataset_of(case.draw(np.random.default_rng([seed, len(case.name)])))
            before.append(len(findings_in(dataset)))
            after.append(len(findings_in(offered(dataset))))
            after_all.append(len(findings_in(offered(dataset, most=3))))
            if before[-1]:
                flagged.append(bool(dependent_rows(dataset)))
        share = f"{np.mean(flagged):.2f} of {len(flagged)}" if flagged else "none"
        figures = " | ".join(f"{np.mean(counts):.2f}" for counts in (before, after, after_all))
        yield f"| {case.name} | {figures} | {share} |"


def with_links(frame: pandas.DataFrame, strength: float) -> tuple[pandas.DataFrame, set[tuple[str, str]]]:
    """Let the numeric label follow three features; return the pairs that are true."""
    causes = [name for name in frame if str(name).startswith("x")][:3]
    linked_frame = frame.copy()
    for name in causes:
        is_number = pandas.api.types.is_numeric_dtype(frame[name])
        codes = frame[name].to_numpy() if is_number else pandas.factorize(frame[name], sort=True)[0]
        values = codes.astype(np.float64)
        linked_frame["y2"] += strength * (values - values.mean()) / values.std()
    return linked_frame, {(str(name), "y2") for name in causes}


def power_rates(seeds: range) -> Iterator[str]:
    """Tell how many links are found with the offer, and by a search that was told the groups."""
    told_blocks = {0.5: 10, 0.9: 50, 0.97: 160}
    cases = [
        *((f"20 rows a person, ICC {icc}", persons(icc, 20), "who") for icc in (0.2, 0.5, 0.8)),
        *((f"AR {phi}, 2,000 rows", series(phi, 2000), told_blocks[phi]) for phi in told_blocks),
    ]
    for name, draw, told in cases:
        ours, theirs = [], []
        for seed in seeds:
            frame, true = with_links(draw(np.random.default_rng([seed, len(name)])), 0.35)
            dataset = dataset_of(frame)
            step = {"step": "row-blocks", "rows": told}
            by_told = (
                dataset.with_row_roles(groups=told)
                if isinstance(told, str)
                else engine.Recipe([step]).apply(dataset)
            )
            ours.append(len(findings_in(offered(dataset)) & true) / len(true))
            theirs.append(len(findings_in(by_told) & true) / len(true))
        yield f"| {name} | {np.mean(ours):.2f} | {np.mean(theirs):.2f} |"


def shared_rates(folder: Path) -> Iterator[str]:
    """List what is noticed in real tables, with each column that may be one as the label."""
    for path in sorted(
        table_path
        for part in ("panel", "trials", "survival", "scales")
        for table_path in (folder / part).glob("*")
    ):
        try:
            dataset = engine.read_dataset(path)
        except engine.EngineError:
            continue
        noticed: dict[str, int] = {}
        names = [name for name in dataset.names if dataset.variable(name).level_count <= 20]
        for name in names:
            for dependence in dependent_rows(dataset.with_labels([name])):
                what = f"{dependence.kind} {' and '.join(dependence.columns)}".strip()
                noticed[what] = noticed.get(what, 0) + 1
        yield f"| {path.name} | {dataset.row_count} | {noticed} of {len(names)} labels |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Rows that are not independent.")
    parser.add_argument(
        "what", choices=("flags", "independent", "arranged", "left-out", "offers", "power", "shared")
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path("../shared/data"))
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--further", action="store_true", help="the kinds that were added later")
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.tables)
    cases, kinds = (FURTHER_DEPENDENT, FURTHER_INDEPENDENT) if arguments.further else (DEPENDENT, INDEPENDENT)
    lines = {
        "flags": lambda: flag_rates(cases, seeds),
        "independent": lambda: independent_rates(arguments.first_seed, kinds),
        "arranged": lambda: independent_rates(
            arguments.first_seed, dict.fromkeys(ARRANGED, arguments.tables), arranged_table
        ),
        "left-out": lambda: flag_rates(LEFT_OUT, seeds),
        "offers": lambda: offer_rates(cases, seeds),
        "power": lambda: power_rates(seeds),
        "shared": lambda: shared_rates(arguments.folder),
    }[arguments.what]()
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
