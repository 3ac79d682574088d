"""A table with ten faults at once, made from a seed, and what it holds where it is read as it was meant."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas

LABELS = ("pain", "cough")
_PERSONS, _VISITS = 60, 4
_ANSWERS = ("itch", "rash", "thirst")


@dataclass(frozen=True)
class TenFaults:
    """Two files that belong together, and the table that they mean.

    Attributes
    ----------
    data, labels : Path
        The label table has its rows in another order.
    right : DataFrame
        What is analysed, one row a record: no identifiers, no total, nothing made from labels.
    persons : ndarray of int, shape (rows,)
        Whose row each is.
    """

    data: Path
    labels: Path
    right: pandas.DataFrame
    persons: np.ndarray


def write_ten_faults(folder: Path, seed: int) -> TenFaults:
    """Write visits of persons, and their outcomes in a second table, with ten faults.

    Rows of the second table are shuffled; an identifier repeats; the last row holds totals; -9 and 99 are
    missing in one column each; labels are coded 1 and 2; a column counts them; occupations are codes; ticks
    stand beside empty cells, and several answers in one cell.
    """
    random = np.random.default_rng(seed)
    rows = _PERSONS * _VISITS
    records = np.array([f"R{place:04d}" for place in range(1, rows + 1)])
    persons = np.repeat(random.permutation(np.arange(2000, 2000 + _PERSONS)), _VISITS)
    stress = random.normal(5, 2, rows).round(1)
    right = pandas.DataFrame(
        {
            "stress": stress,
            "age": random.integers(18, 80, rows).astype(float),
            "trust": random.integers(0, 11, rows).astype(float),
            "weight": random.normal(85, 14, rows).round(),
            "occupation": random.choice(np.arange(1, 10), rows, p=_SHARES),
            "smoker": random.random(rows) < 0.4,
        }
    )
    gave = {answer: random.random(rows) < 0.45 for answer in _ANSWERS}
    for label in LABELS:
        right[label] = 1 + (random.random(rows) < 1 / (1 + np.exp(1.5 * (5 - stress)))).astype(int)
    for name, share in (("age", 0.06), ("trust", 0.09)):
        right.loc[random.random(rows) < share, name] = np.nan
    written = pandas.DataFrame({"record": records, "patient_id": persons})
    for name in right.columns.drop(list(LABELS)):
        written[name] = right[name]
    written["age"] = right["age"].fillna(-9).astype(int)
    written["trust"] = right["trust"].fillna(99).astype(int)
    written["weight"] = right["weight"].astype(int)
    written["smoker"] = np.where(right["smoker"], "x", "")
    written["symptoms"] = [
        "; ".join(answer for answer in _ANSWERS if gave[answer][row]) or "none" for row in range(rows)
    ]
    written["complaints"] = (right[list(LABELS)] == 2).sum(axis=1)
    sums = written.drop(columns=["patient_id"]).sum(numeric_only=True).round(1)
    total = {name: str(sums[name]).removesuffix(".0") if name in sums else "" for name in written}
    total["record"] = "Total"
    data, labels = folder / "visits.csv", folder / "outcomes.csv"
    pandas.concat([written.astype(str), pandas.DataFrame([total])]).to_csv(data, index=False)
    outcomes = pandas.DataFrame({"record": records, **{label: right[label] for label in LABELS}})
    outcomes.iloc[random.permutation(rows)].to_csv(labels, index=False)
    for answer, is_so in gave.items():
        right[f"symptoms: {answer}"] = is_so
    return TenFaults(data, labels, right, persons)


_SHARES = np.array([4, 22, 3, 17, 25, 2, 15, 1, 11]) / 100
