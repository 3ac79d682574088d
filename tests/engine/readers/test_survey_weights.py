"""Survey weights: told by name and values, offered as the row weight; a body's weight is not asked about."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from clcd_gui.document.checks import weight_check
from engine.readers import Reading, read_table
from engine.readers.remedies import remedies
from engine.table.variable import Role
from engine.terminal import main
from tests.engine.readers.written_tables import topics_of


def _read(folder: Path, name: str, values: np.ndarray) -> Reading:
    random = np.random.default_rng(5)
    count = len(values)
    frame = pandas.DataFrame(
        {"age": random.integers(20, 80, count), name: values, "trust": random.integers(0, 2, count)}
    )
    frame.to_csv(folder / "table.csv", index=False)
    return read_table(folder / "table.csv")


def _scaled(seed: int, count: int = 300) -> np.ndarray:
    """Post-stratification weights: population shares over sample shares, with a mean of 1."""
    random = np.random.default_rng(seed)
    stratum = random.integers(0, 12, count)
    population = random.dirichlet(np.full(12, 8.0))
    weights = population[stratum] / (np.bincount(stratum, minlength=12)[stratum] / count)
    return np.round(weights / weights.mean(), 4)


@pytest.mark.parametrize(
    "name",
    ["weight", "wt", "WEIGHT", "gewicht", "Poids", "peso", "waga", "pweight", "pspwght", "dweight", "svy_wt",
     "Gewichtungsfaktor", "sampling weight", "pondération", "权重", "final_weight_2019"],
)  # fmt: skip
def test_scaled_weights_are_told_and_offered(name: str, tmp_path: Path) -> None:
    reading = _read(tmp_path, name, _scaled(len(name)))
    (note,) = [note for note in reading.issues if note.topic == "survey-weights"]
    assert note.variable == name and "mean is 1" in note.message
    assert remedies([note]) == [("weights", name)]
    # That a person is asked is no matter of how the file is read: the open table's card asks.
    check = weight_check(reading.dataset, reading.dataset)
    assert check is not None and check.is_pressing
    offer = check.offers[0]
    weighted = reading.dataset.with_roles({offer.column: offer.role})
    assert weighted.weight == name
    assert "survey-weights" not in {note.topic for note in weighted.notes}
    settled = weight_check(weighted, reading.dataset)
    assert settled is not None and settled.is_settled and not settled.is_pressing
    assert [offer.role for offer in settled.offers] == [Role.IGNORED, Role.FEATURE]


@pytest.mark.parametrize("name", ["fnlwgt", "WTMEC2YR", "perwt", "fexp", "Hochrechnungsfaktor"])
def test_weights_that_count_the_population_are_known_by_their_names(name: str, tmp_path: Path) -> None:
    reading = _read(tmp_path, name, np.random.default_rng(3).integers(12_000, 400_000, 200).astype(float))
    assert "survey-weights" in topics_of(reading)


def _bodies() -> list[tuple[str, np.ndarray]]:
    random = np.random.default_rng(8)
    kilograms = np.round(random.normal(74.3, 12.0, 300), 1)
    return [
        *((name, kilograms) for name in ("weight", "wt", "gewicht", "poids", "peso", "weight_kg", "waga")),
        ("weight", np.round(2.2046 * kilograms, 1)),
        ("weight", np.round(random.normal(3.4, 0.5, 300), 2)),
        ("weight", np.round(random.normal(0.024, 0.003, 300), 4)),
        ("birth weight", np.round(random.normal(1.02, 0.2, 300), 2)),
        ("body_weight", np.round(random.normal(1.0, 0.2, 300), 2)),
        ("weight loss", np.round(random.normal(1.0, 0.2, 300), 2)),
        ("weight", random.integers(0, 3, 300).astype(float)),
        ("income", _scaled(4)),
        ("weight", _scaled(4) - 1.0),
    ]


@pytest.mark.parametrize(("name", "values"), _bodies())
def test_what_a_body_weighs_is_not_asked_about(name: str, values: np.ndarray, tmp_path: Path) -> None:
    reading = _read(tmp_path, name, values)
    assert "survey-weights" not in topics_of(reading)
    assert weight_check(reading.dataset, reading.dataset) is None


def test_of_several_columns_of_weights_one_is_used_and_the_others_are_left_out(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"dweight": _scaled(1), "pspwght": _scaled(2), "ill": np.arange(300) % 2})
    frame.to_csv(tmp_path / "table.csv", index=False)
    read = read_table(tmp_path / "table.csv").dataset
    weighted = read.with_roles({"pspwght": Role.WEIGHT})
    check = weight_check(weighted, read)
    assert check is not None and check.is_pressing
    assert [(offer.column, offer.role) for offer in check.offers] == [
        ("dweight", Role.IGNORED),
        ("dweight", Role.FEATURE),
    ]
    kept = weight_check(weighted, read, frozenset(["dweight"]))
    assert kept is not None and kept.is_settled


def test_python_and_terminal_name_what_makes_them_the_row_weight(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _read(tmp_path, "pspwght", _scaled(7))
    table = tmp_path / "table.csv"
    said = [note.message for note in engine.read_dataset(table).notes if note.topic == "survey-weights"]
    assert said[0].endswith("In Python: weights='pspwght'.")
    weighted = engine.read_dataset(table, weights="pspwght")
    assert "survey-weights" not in {note.topic for note in weighted.notes}
    assert main(["inspect", str(table)]) == 0
    assert "--weight-column pspwght" in capsys.readouterr().out
    assert main(["inspect", str(table), "--weight-column", "pspwght"]) == 0
    assert "survey weights" not in capsys.readouterr().out
