"""Do claims contradict each other? Random results, as overview, tables, panel, report and files tell them.

Run from the project's folder, with the first seed and how many results::

    python -m tests.benchmarks.claims 1000 300

A claim is read from the rendered text: which way a link runs, its sign, its p-value with the conditioning
set, its kind, what is said of background knowledge, what links a spouse, what must be read with care, and
what tells a direction (:mod:`tests.claims`). Results differ in what their columns hold, items of a
questionnaire among it, in the number of rows, in background knowledge, in equivalents, and in whether the
search was repeated. Each is read as it is shown with links through other labels, and without them.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter

import numpy as np
import pandas

import engine
from engine.discovery.result import DiscoveryResult
from tests.claims import KINDS, claims_of, contradictions
from tests.rendered import render

ENOUGH_RESULTS = 50
"""Each kind of claim has to occur in so many of 300 results, so that it was looked at at all."""


def random_result(seed: int) -> DiscoveryResult:
    """Return what is found in a random table, with random background knowledge in half of them."""
    generator = np.random.default_rng(seed)
    if seed % 12 == 7:
        return _of_items(generator)
    variables = ("categories", "numbers", "mixed")[seed % 3]
    labels, features = int(generator.integers(1, 5)), int(generator.integers(6, 14))
    rows = int(generator.choice([60, 150, 400, 1000]))
    table = engine.simulate(
        labels=labels,
        features=features,
        rows=rows,
        label_causality=0.5 if labels > 1 else 0.0,
        multiple_boundaries=0.5,
        seed=seed,
        variables=variables,
    ).dataset
    alpha = float(generator.choice([0.01, 0.05]))
    settings = engine.DiscoverySettings(alpha=alpha, workers=1)
    result = engine.discover(table, settings, knowledge=_random_knowledge(table, generator))
    if result.evidence:
        result = result.with_effects(engine.effects(table, result))
    if seed % 10 == 0:
        result = result.with_stability(engine.stability(table, settings, resamples=4))
    return result


def _of_items(generator: np.random.Generator) -> DiscoveryResult:
    """Return what is found in items of a questionnaire that reflect one thing, and in causes beside it."""
    rows = int(generator.choice([400, 1000]))
    mood, *causes = generator.normal(size=(4, rows))
    columns = {f"F{place}": np.round(2 * (mood + generator.normal(size=rows))) for place in range(1, 6)}
    columns |= {f"F{place}": cause for place, cause in enumerate(causes, 6)}
    for place in (1, 2):
        risk = mood + causes[place - 1] + causes[2] + generator.normal(size=rows)
        columns[f"L{place}"] = (risk > generator.choice([0.5, 3.0])).astype(float)
    table = engine.Dataset.from_frame(pandas.DataFrame(columns), labels=["L1", "L2"])
    result = engine.discover(table, engine.DiscoverySettings(workers=1))
    return result.with_effects(engine.effects(table, result))


def _random_knowledge(table: engine.Dataset, generator: np.random.Generator) -> engine.Knowledge | None:
    """Return tiers, a forbidden or a required edge, or a mixture of these; nothing in half of the tables."""
    kind = generator.integers(6)
    names = [str(name) for name in generator.permutation(table.names)]
    if kind > 2:
        return None
    tiers = [] if kind == 1 else [names[: len(names) // 2], names[len(names) // 2 :]]
    edge = (names[0], names[-1])
    return engine.Knowledge(
        tiers=tiers,
        forbidden=[(names[1], names[-2])] if kind == 1 else [],
        required=[edge] if kind else [],
    )


def main(first: int = 0, count: int = 300) -> int:
    """Print how many results hold each kind of claim, and every contradiction; return how many there are."""
    started = time.process_time()
    results: Counter[str] = Counter()
    told: Counter[str] = Counter()
    count_of_conflicts = 0
    for seed in range(first, first + count):
        result = random_result(seed)
        claims = claims_of(render(result))
        told.update(claim.kind for claim in claims)
        results.update({claim.kind for claim in claims if claim.kind != "knowledge" or claim.said is True})
        direct = claims_of(render(result.with_links_through_labels(False)))
        for kind, what in (*contradictions(claims), *contradictions(direct)):
            count_of_conflicts += 1
            print(f"seed {seed}, {kind}: {what}", flush=True)
    for kind in KINDS:
        print(f"{kind}: {told[kind]} claims in {results[kind]} of {count} results")
    print(f"{count_of_conflicts} contradictions; {time.process_time() - started:.0f} s")
    return count_of_conflicts


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
