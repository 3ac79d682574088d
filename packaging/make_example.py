"""Make the bundled example: a simulated survey of the staff of a hospital that does not exist.

Run it from the project's folder; it writes the same files every time::

    python packaging/make_example.py resources/examples

Every answer is drawn from a model that is written down below, so it is known which variables bear on
which complaints. ``hospital-survey.md`` says the same in words. No real person is in these data.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random
from xml.sax.saxutils import quoteattr

ROWS = 800
SEED = 20240607
NAME = "hospital-survey"

LABELS = ("Trouble sleeping", "Exhaustion", "Headache", "Back pain", "Low mood")

# Share of answers left empty, as in a real survey.
UNANSWERED = {"Monthly income": 0.015, "Commute (minutes)": 0.01, "Weekly exercise (hours)": 0.01}

NIGHT_SHARE = {"Ward": 0.62, "Surgery": 0.55, "Laboratory": 0.35, "Office": 0.12, "Kitchen": 0.2}
LIFTING = {"Ward": 16.0, "Surgery": 9.0, "Laboratory": 6.0, "Office": 3.0, "Kitchen": 14.0}
SCREEN = {"Ward": 2.6, "Surgery": 2.4, "Laboratory": 4.2, "Office": 6.0, "Kitchen": 1.2}
INCOME = {"Ward": 2600, "Surgery": 3900, "Laboratory": 2900, "Office": 2800, "Kitchen": 2100}

Row = dict[str, str | int | float]


def person(random: Random) -> Row:
    """Draw one member of staff: causes first, then complaints, then what follows from complaints."""
    row: Row = {}
    _draw_background(row, random)
    _draw_work(row, random)
    _draw_life(row, random)
    _draw_complaints(row, random)
    _draw_consequences(row, random)
    return row


def _draw_background(row: Row, random: Random) -> None:
    row["Age (years)"] = random.randint(20, 64)
    row["Sex"] = "female" if _chance(random, 0.6) else "male"
    height = random.gauss(167 if row["Sex"] == "female" else 179, 6.5)
    row["Height (cm)"] = round(height)
    row["Left-handed"] = _yes(random, 0.11)
    row["Blood group"] = _pick(random, {"O": 0.41, "A": 0.43, "B": 0.11, "AB": 0.05})
    row["Siblings"] = _pick(random, {"none": 0.2, "one": 0.42, "two": 0.25, "more": 0.13})


def _draw_work(row: Row, random: Random) -> None:
    shares = {"Ward": 0.36, "Surgery": 0.16, "Laboratory": 0.16, "Office": 0.2, "Kitchen": 0.12}
    department = _pick(random, shares)
    row["Department"] = department
    years_since_training = float(row["Age (years)"]) - 19
    row["Years in this job"] = round(years_since_training * random.random() ** 1.3, 1)
    row["Night shifts"] = _yes(random, NIGHT_SHARE[department])
    # Paid to those who work at night, but for a few slips of the pen: tells the same as the shifts.
    paid = row["Night shifts"] == "yes"
    row["Shift allowance"] = "paid" if paid != _chance(random, 0.006) else "none"
    row["Lifting a day (loads)"] = _at_least(0, round(random.gauss(LIFTING[department], 5.5)))
    row["Screen time a day (hours)"] = _at_least(0.0, round(random.gauss(SCREEN[department], 1.8), 1))
    row["Patients per nurse"] = _at_least(1.0, round(random.gauss(9.0, 2.2), 1))
    pressure = 5 + 0.75 * (float(row["Patients per nurse"]) - 9) + random.gauss(0, 1.4)
    row["Work pressure (0-10)"] = _between(0.0, 10.0, round(pressure, 1))
    row["Support by colleagues (0-10)"] = _between(0.0, 10.0, round(random.gauss(6, 2.1), 1))
    income = INCOME[department] + 24 * float(row["Years in this job"]) + random.gauss(0, 320)
    row["Monthly income"] = 10 * round(income / 10)
    row["Commute (minutes)"] = round(8 + random.expovariate(1 / 22))


def _draw_life(row: Row, random: Random) -> None:
    row["Weekly exercise (hours)"] = round(random.expovariate(1 / 3.0), 1)
    row["Coffee after 4 pm"] = _yes(random, 0.42)
    row["Street noise at night"] = _pick(random, {"quiet": 0.5, "some": 0.3, "loud": 0.2})
    row["Children at home"] = _pick(random, {"none": 0.45, "one": 0.22, "two": 0.24, "more": 0.09})
    row["Pet"] = _pick(random, {"none": 0.55, "cat": 0.22, "dog": 0.17, "other": 0.06})
    row["Vegetarian"] = _yes(random, 0.14)


def _draw_complaints(row: Row, random: Random) -> None:
    nights = row["Night shifts"] == "yes"
    coffee = row["Coffee after 4 pm"] == "yes"
    pressure = (float(row["Work pressure (0-10)"]) - 5) / 2.1
    exercise = float(row["Weekly exercise (hours)"]) > 2.1
    lifting = (float(row["Lifting a day (loads)"]) - 10) / 7
    screen = (float(row["Screen time a day (hours)"]) - 3.2) / 2.3
    support = (float(row["Support by colleagues (0-10)"]) - 6) / 2.1

    sleepless = _logistic(-2.9 + 2.9 * nights + 2.2 * coffee)
    row["Trouble sleeping"] = _yes(random, sleepless)
    tired = -3.0 + 1.8 * nights + 2.3 * pressure + 2.8 * (row["Trouble sleeping"] == "yes")
    row["Exhaustion"] = _yes(random, _logistic(tired))
    row["Headache"] = _yes(random, _logistic(-0.9 + 1.5 * pressure + 1.7 * screen))
    row["Back pain"] = _yes(random, _logistic(0.3 + 1.8 * lifting - 2.3 * exercise))
    row["Low mood"] = _yes(random, _logistic(-0.1 - 2.1 * exercise - 1.7 * support))


def _draw_consequences(row: Row, random: Random) -> None:
    painful = 2.0 + 7.0 * (row["Headache"] == "yes") + 5.0 * (row["Back pain"] == "yes")
    row["Painkillers a month"] = _at_least(0, round(random.gauss(painful, 2.4)))
    naps = 0.8 + 1.5 * (row["Trouble sleeping"] == "yes")
    row["Naps a week"] = _at_least(0, round(random.gauss(naps, 1.1)))
    row["Sick days last year"] = _at_least(0, round(random.gauss(3 + 6 * (row["Exhaustion"] == "yes"), 2.6)))


def _chance(random: Random, share: float) -> bool:
    return random.random() < share


def _yes(random: Random, share: float) -> str:
    return "yes" if _chance(random, share) else "no"


def _pick(random: Random, shares: dict[str, float]) -> str:
    place = random.random()
    for value, share in shares.items():
        place -= share
        if place < 0:
            return value
    return next(reversed(shares))


def _logistic(score: float) -> float:
    return 1 / (1 + math.exp(-score))


def _at_least(least: float, value: float) -> float:
    return max(least, value)


def _between(least: float, most: float, value: float) -> float:
    return min(most, max(least, value))


def survey() -> list[Row]:
    """Draw the whole survey, with the unanswered questions empty."""
    random = Random(SEED)
    rows = [person(random) for _ in range(ROWS)]
    for row in rows:
        for name, share in UNANSWERED.items():
            if _chance(random, share):
                row[name] = ""
    return rows


def column_order(row: Row) -> list[str]:
    """Features as they were drawn, then the labels."""
    return [name for name in row if name not in LABELS] + list(LABELS)


def write_table(path: Path, rows: Iterable[Row]) -> None:
    """Write the rows as comma-separated values with a header."""
    rows = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, column_order(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_labels(path: Path) -> None:
    """Write the names of the labels in the format of Mulan."""
    lines = [f"  <label name={quoteattr(name)}></label>" for name in LABELS]
    head = '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">'
    path.write_text("\n".join([head, *lines, "</labels>", ""]), encoding="utf-8")


def main(folder: str) -> None:
    """Write table and labels into a folder."""
    write_table(Path(folder, f"{NAME}.csv"), survey())
    write_labels(Path(folder, f"{NAME}.xml"))


if __name__ == "__main__":
    main(*sys.argv[1:])
