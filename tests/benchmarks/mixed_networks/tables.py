"""The tables of ``tests/benchmarks/README.md`` on networks with numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tests.benchmarks.mixed_networks.methods import BEFORE, OWN, PEERS
from tests.benchmarks.mixed_networks.outcomes import Counts, Key, difference_interval, total
from tests.benchmarks.mixed_networks.told import FORMS

Outcomes = Mapping[Key, Counts | None]
Cell = Callable[[Counts], str]


def tables(outcomes: Outcomes) -> Iterator[str]:
    """Give the lines of every table."""
    yield from _findings(outcomes)
    yield ""
    yield from _more_rows(outcomes)
    yield ""
    yield from _beside(
        outcomes, "precision / recall", lambda all_: f"{all_.precision:.2f} / {all_.recall:.2f}"
    )
    yield ""
    yield from _beside(
        outcomes,
        "directions right / settled ones stated",
        lambda all_: f"{_two(all_.right_share)} / {_two(all_.settled_share)}",
    )
    yield ""
    yield from _beside(outcomes, "CPU s a table", lambda all_: "", seconds=True)


def _findings(outcomes: Outcomes) -> Iterator[str]:
    """Give what comes out at the defaults, beside what tests find that are told all other members."""
    yield (
        "| network | rows | tables | precision | recall | told all other members | recall beside it "
        "| directions right | other way round | settled ones stated |"
    )
    yield "| --- |" + " --- |" * 9
    for network, rows in _places(outcomes):
        defaults = _of(outcomes, network, rows, "defaults")
        if not defaults:
            continue
        references = [_of(outcomes, network, rows, f"told, {form}") for form in FORMS]
        same = [
            [of_reference[seed] for seed in defaults if seed in of_reference] for of_reference in references
        ]
        best = max((total(shared).recall for shared in same if shared), default=float("nan"))
        all_ = total(defaults.values())
        yield (
            f"| {network} | {rows} | {len(defaults)} | {all_.precision:.3f} | {all_.recall:.3f} | {best:.3f} "
            f"| {all_.recall / best:.3f} | {_two(all_.right_share)} ({all_.right} of {all_.stated}) "
            f"| {_two(all_.reversed_share)} "
            f"| {_two(all_.settled_share)} ({all_.settled_stated} of {all_.settled}) |"
        )


def _more_rows(outcomes: Outcomes) -> Iterator[str]:
    """Give the change from each number of rows to the next, at the defaults."""
    yield "| network | rows | change of precision (95 %) | change of recall (95 %) |"
    yield "| --- | --- | --- | --- |"
    places = _places(outcomes)
    for network, rows in places:
        fewer = [smaller for name, smaller in places if name == network and smaller < rows]
        if not fewer:
            continue
        before = _of(outcomes, network, fewer[-1], "defaults")
        after = _of(outcomes, network, rows, "defaults")
        seeds = sorted(set(before) & set(after))
        if seeds:
            cells = [
                "{:+.3f} ({:+.3f} to {:+.3f})".format(
                    *difference_interval([before[at] for at in seeds], [after[at] for at in seeds], share)
                )
                for share in (_precision, _recall)
            ]
            yield f"| {network} | {fewer[-1]} to {rows} | {' | '.join(cells)} |"


def _beside(outcomes: Outcomes, what: str, cell: Cell, seconds: bool = False) -> Iterator[str]:
    """Give one table of all methods; those not run on as many seeds as the first say on how many."""
    methods_measured = {key.method for key in outcomes}
    methods = [name for name in (*OWN, BEFORE, *PEERS) if name in methods_measured]
    yield f"| {what} | rows | " + " | ".join(methods) + " |"
    yield "| --- |" + " --- |" * (len(methods) + 1)
    for network, rows in _places(outcomes):
        cells = []
        for method in methods:
            by_seed = _of(outcomes, network, rows, method)
            if not by_seed:
                cells.append("")
            elif seconds:
                cells.append(f"{total(by_seed.values()).seconds / len(by_seed):.2f}")
            else:
                cells.append(f"{cell(total(by_seed.values()))} ({len(by_seed)})")
        yield f"| {network} | {rows} | " + " | ".join(cells) + " |"


def _places(outcomes: Outcomes) -> list[tuple[str, int]]:
    networks = list(dict.fromkeys(key.network for key in outcomes))
    return sorted(
        {(key.network, key.rows) for key in outcomes}, key=lambda at: (networks.index(at[0]), at[1])
    )


def _of(outcomes: Outcomes, network: str, rows: int, method: str) -> dict[int, Counts]:
    """Give the counts of a method by seed."""
    return {
        key.seed: counts
        for key, counts in outcomes.items()
        if (key.network, key.rows, key.method) == (network, rows, method) and counts is not None
    }


def _precision(counts: Counts) -> float:
    return counts.precision


def _recall(counts: Counts) -> float:
    return counts.recall


def _two(share: float) -> str:
    return "–" if share != share else f"{share:.2f}"
