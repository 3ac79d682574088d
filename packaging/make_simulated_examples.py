"""Make three of the bundled examples from the simulator of the engine: tables whose causes are known.

Run it from the project's folder; it writes the same files every time::

    python packaging/make_simulated_examples.py resources/examples

Each example is a network: who causes whom, and how much. The rows are drawn from it, and what is true of each
label is derived from the network, never from the rows; it is written at the end of the example's description.
No real person, patient or bird is in these data.
"""

from __future__ import annotations

import csv
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from engine.simulation import BayesianNetwork, StructuralNetwork, Truth, answer_of_graph, true_answer
from engine.simulation.structural_network import (
    CategoryEquation,
    InfluenceShape,
    InfluenceTerm,
    LevelScores,
    NumberCurve,
    NumberEquation,
)

YES_NO = ("no", "yes")
TRUTH_HEADING = "## The known truth"


@dataclass(frozen=True)
class Number:
    """How a standardised number is written: its mean, its deviation, and digits after the point."""

    mean: float
    deviation: float
    digits: int = 0
    least: float = -np.inf

    def written(self, values: np.ndarray) -> list[str]:
        """Write each value in the unit of its column."""
        scaled = np.maximum(self.mean + self.deviation * values, self.least)
        return [f"{value:.{self.digits}f}" for value in scaled]


@dataclass(frozen=True)
class Example:
    """One bundled table: its network, its labels, and how its values are written."""

    name: str
    network: BayesianNetwork | StructuralNetwork
    labels: tuple[str, ...]
    rows: int
    seed: int
    numbers: Mapping[str, Number]
    levels: Mapping[str, Sequence[str]]

    def truth(self) -> Truth:
        """Derive the answer from the network alone."""
        if isinstance(self.network, BayesianNetwork):
            return true_answer(self.network, self.labels)
        return answer_of_graph(self.network, self.labels)

    def columns(self) -> dict[str, list[str]]:
        """Draw the rows, and write them as a person would; features come before labels."""
        drawn = self.network.sample(self.rows, np.random.default_rng(self.seed))
        features = [name for name in self.network.nodes if name not in self.labels]
        return {name: self._written(name, drawn[name]) for name in (*features, *self.labels)}

    def _written(self, name: str, values: np.ndarray) -> list[str]:
        if name in self.numbers:
            return self.numbers[name].written(values)
        levels = self.levels.get(name, YES_NO)
        return [levels[code] for code in values]


def chance(share: float) -> np.ndarray:
    """Distribution of a "yes" that nothing causes."""
    return np.array([1 - share, share])


def noisy_or(powers: Sequence[float], leak: float) -> np.ndarray:
    """Probability table of an effect that each of its causes, "no" or "yes", can bring about alone."""
    absent = np.full((2,) * len(powers), 1 - leak)
    for axis, power in enumerate(powers):
        shape = [1] * len(powers)
        shape[axis] = 2
        absent = absent * np.array([1.0, 1 - power]).reshape(shape)
    return np.stack([absent, 1 - absent], axis=-1)


def cold_and_covid() -> Example:
    """Figure 1 of the paper, with a stand-in for one label only, as in its weather example."""
    # The variants A1 and A2 bind the receptor strongly: COVID-19 needs no more, the cold does.
    cold = np.empty((2, 2, 3, 2))
    for variant, power in enumerate((0.0, 0.35, 0.75)):
        cold[:, :, variant, 0] = (1 - power) * noisy_or((0.55, 0.6), 0.06)[..., 0]
    cold[..., 1] = 1 - cold[..., 0]
    covid = np.stack([noisy_or((0.65,), leak) for leak in (0.06, 0.65, 0.65)], axis=1)
    tables: dict[str, np.ndarray] = {
        "Frigid weather": chance(0.35),
        "Heating on": np.eye(2),
        "Rhinovirus gene": chance(0.3),
        "Shared gene": np.array([0.55, 0.2, 0.25]),
        "Receptor binding": np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]),
        "Coronavirus gene": chance(0.25),
        "Pollen": chance(0.4),
        "Common cold": cold,
        "COVID-19": covid,
        "Coughing": noisy_or((0.7, 0.65), 0.08),
        "Fatigue": noisy_or((0.7,), 0.12),
        "Allergy": noisy_or((0.5, 0.65), 0.06),
        "Respiratory distress": noisy_or((0.65,), 0.05),
    }
    parents = {
        "Heating on": ["Frigid weather"],
        "Receptor binding": ["Shared gene"],
        "Common cold": ["Frigid weather", "Rhinovirus gene", "Shared gene"],
        "COVID-19": ["Coronavirus gene", "Shared gene"],
        "Coughing": ["Common cold", "COVID-19"],
        "Fatigue": ["Common cold"],
        "Allergy": ["Common cold", "Pollen"],
        "Respiratory distress": ["COVID-19"],
    }
    for name, share in (
        ("Owns a bicycle", 0.5),
        ("Left-handed", 0.12),
        ("Wears glasses", 0.4),
        ("Pet", 0.45),
    ):
        tables[name] = chance(share)
    levels = {"Shared gene": ("none", "A1", "A2"), "Receptor binding": ("weak", "strong")}
    network = BayesianNetwork(list(tables), parents, tables)
    return Example("cold-and-covid", network, ("Common cold", "COVID-19"), 2000, 1, {}, levels)


def _line(cause: str, sign: int = 1) -> InfluenceTerm:
    return InfluenceTerm((NumberCurve(cause, InfluenceShape.LINE, sign),))


def _bowl(cause: str) -> InfluenceTerm:
    """Both ends act alike: the square of a number, standardised."""
    return InfluenceTerm((NumberCurve(cause, InfluenceShape.CLIPPED_LINE),) * 2, centre=1.0, scale=1.4)


def _levels(cause: str, *by_level: float) -> InfluenceTerm:
    return InfluenceTerm((LevelScores(cause, by_level),))


def _number(strength: float, *terms: InfluenceTerm, weights: Sequence[float] = ()) -> NumberEquation:
    return NumberEquation(terms, tuple(weights) or (1.0,) * len(terms), strength if terms else 0.0)


def _complaint(intercept: float, *terms: InfluenceTerm, strength: float = 0.8) -> CategoryEquation:
    return CategoryEquation(terms, ((1.0,) * len(terms),), (intercept,), strength)


def _drawn(*shares: float) -> CategoryEquation:
    """Return a category that nothing causes."""
    odds = tuple(float(np.log(share / shares[0])) for share in shares[1:])
    return CategoryEquation((), ((),) * len(odds), odds)


def diabetes_clinic() -> Example:
    """Numbers and categories; one number acts at both of its ends."""
    equations: dict[str, NumberEquation | CategoryEquation] = {
        "Age": _number(0.0),
        "Sex": _drawn(0.5, 0.5),
        "Clinic": _drawn(0.4, 0.35, 0.25),
        "Smoking": _drawn(0.5, 0.3, 0.2),
        "Steps a day": _number(0.45, _line("Age", -1)),
        "Sleep": _number(0.0),
        "Years with diabetes": _number(0.5, _line("Age")),
        "Weight": _number(0.45, _line("Steps a day", -1)),
        "HbA1c": _number(0.5, _line("Weight")),
        "Systolic pressure": _number(0.5, _line("Age")),
        "Cholesterol": _number(0.4, _line("Weight")),
        "Coffee": _drawn(0.3, 0.45, 0.25),
        "Eye damage": _complaint(-0.9, _line("HbA1c"), _line("Years with diabetes"), strength=0.7),
        "Kidney damage": _complaint(-1.0, _line("HbA1c"), _line("Systolic pressure"), strength=0.7),
        "Foot ulcer": _complaint(
            -1.4, _line("Years with diabetes"), _levels("Smoking", -0.7, 0.2, 1.3), strength=0.75
        ),
        "Low mood": _complaint(-0.7, _bowl("Sleep"), _line("Steps a day", -1), strength=0.75),
        "Creatinine": _number(0.65, _levels("Kidney damage", -0.65, 1.5)),
        "Reading distance": _number(0.6, _levels("Eye damage", 0.7, -1.3)),
    }
    numbers = {
        "Age": Number(61, 9),
        "Steps a day": Number(5200, 1700, least=300),
        "Sleep": Number(7.0, 1.2, 1, least=2.5),
        "Years with diabetes": Number(12, 4.5, 1, least=0),
        "Weight": Number(86, 13, 1),
        "HbA1c": Number(7.4, 1.0, 1, least=4.5),
        "Systolic pressure": Number(138, 14),
        "Cholesterol": Number(5.1, 0.9, 1),
        "Creatinine": Number(92, 20),
        "Reading distance": Number(38, 7),
    }
    levels = {
        "Sex": ("female", "male"),
        "Clinic": ("North", "South", "West"),
        "Smoking": ("never", "former", "daily"),
        "Coffee": ("none", "some", "much"),
    }
    network = StructuralNetwork(equations)
    labels = ("Eye damage", "Kidney damage", "Foot ulcer", "Low mood")
    return Example("diabetes-clinic", network, labels, 1200, 1, numbers, levels)


def bird_atlas() -> Example:
    """Forty labels: which of forty birds were seen on which squares of a map."""
    plan = tomllib.loads(Path(__file__).with_name("bird_atlas.toml").read_text(encoding="utf-8"))
    tables = {name: chance(share) for name, share in plan["ground"].items()}
    parents = {**plan["species"], **plan["signs"]}
    for name, causes in plan["species"].items():
        tables[name] = noisy_or((0.72, 0.62)[: len(causes)], 0.04)
    for name, causes in plan["signs"].items():
        tables[name] = noisy_or([0.75] * len(causes), 0.04)
    network = BayesianNetwork(list(tables), parents, tables)
    levels = dict.fromkeys(network.nodes, ("0", "1"))
    return Example("bird-atlas", network, tuple(plan["species"]), 800, 1, {}, levels)


def truth_in_words(example: Example) -> str:
    """Write the table of what is true, the features with most labels first."""
    found = example.truth().label_sets
    order = sorted(found, key=lambda name: (-len(found[name]), list(example.network.nodes).index(name)))
    lines = [
        f"| {name} | {', '.join(label for label in example.labels if label in found[name])} |"
        for name in order
    ]
    rest = [name for name in example.network.nodes if name not in found and name not in example.labels]
    others = f"In no boundary of any label: {', '.join(rest)}."
    return "\n".join(
        [TRUTH_HEADING, "", "| variable | in a boundary of |", "| --- | --- |", *lines, "", others]
    )


def write_example(example: Example, folder: Path) -> None:
    """Write the table and its label file, and the truth at the end of its description."""
    columns = example.columns()
    with (folder / f"{example.name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    head = '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">'
    lines = [f"  <label name={quoteattr(name)}></label>" for name in example.labels]
    names = "\n".join([head, *lines, "</labels>", ""])
    (folder / f"{example.name}.xml").write_text(names, encoding="utf-8")
    description = folder / f"{example.name}.md"
    lesson = description.read_text(encoding="utf-8") if description.exists() else f"# {example.name}\n"
    lesson = lesson.partition(TRUTH_HEADING)[0].rstrip()
    description.write_text(f"{lesson}\n\n{truth_in_words(example)}\n", encoding="utf-8")


def examples() -> tuple[Example, ...]:
    """List what is made."""
    return cold_and_covid(), diabetes_clinic(), bird_atlas()


def main(folder: str | Path) -> None:
    """Write all of them into a folder."""
    for example in examples():
        write_example(example, Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
