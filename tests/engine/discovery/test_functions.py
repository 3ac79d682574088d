"""Labels that other columns determine: only these stay, and the result says so."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.discovery_settings import arranged
from engine.boundaries.functions import coarser_forms
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.reporting.result_file import read_result, write_result
from engine.reporting.sentences.overview import run_sentences
from engine.reporting.tables import ResultContext


def _noisy(generator: np.random.Generator, source: np.ndarray, share: float = 0.2) -> np.ndarray:
    return np.where(generator.random(len(source)) < share, 1 - source, source)


def _table(rows: int, seed: int, error: float = 0.0) -> pandas.DataFrame:
    """T is "A or B"; E and F are effects of T, and G of E and S."""
    generator = np.random.default_rng(seed)
    first, second, spouse = (generator.random((3, rows)) < [[0.4], [0.4], [0.5]]).astype(int)
    label = _noisy(generator, first | second, error)
    effect = (generator.random(rows) < np.array([0.05, 0.4, 0.7, 0.95])[2 * label + spouse]).astype(int)
    columns = {"A": first, "B": second, "T": label, "E": effect, "S": spouse, "F": _noisy(generator, label)}
    return pandas.DataFrame({**columns, "G": _noisy(generator, effect & spouse)}).astype(str)


def _rare_gates(rows: int, seed: int) -> pandas.DataFrame:
    """T is "A or B or C", all rare; U is "T or D or E", so that T, D and E explain each other away."""
    generator = np.random.default_rng(seed)
    causes = (generator.random((5, rows)) < [[0.02], [0.02], [0.004], [0.03], [0.03]]).astype(int)
    columns = dict(zip("ABCDE", causes, strict=True))
    label = columns["A"] | columns["B"] | columns["C"]
    return pandas.DataFrame({**columns, "T": label, "U": label | columns["D"] | columns["E"]}).astype(str)


def _found(frame: pandas.DataFrame) -> engine.DiscoveryResult:
    return engine.discover(engine.Dataset.from_frame(frame, labels=["T"]), directions=False)


def _features(result: engine.DiscoveryResult) -> set[str]:
    return {feature for feature, served in result.label_sets.items() if "T" in served}


@pytest.mark.parametrize("rows", [1000, 10_000])
@pytest.mark.parametrize("seed", [0, 1])
def test_beside_what_determines_a_label_nothing_else_is_found(rows: int, seed: int) -> None:
    result = _found(_table(rows, seed))
    assert _features(result) == {"A", "B"}
    assert result.determined_labels == ("T",)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_an_effect_and_its_other_causes_do_not_stand_in_for_rare_causes(seed: int) -> None:
    """In few rows two rare causes meet nowhere, and U, D and E seem to determine T as well."""
    assert _features(_found(_rare_gates(10_000, seed))) == {"A", "B", "C"}


@pytest.mark.parametrize("seed", [0, 1])
def test_of_a_label_that_is_nearly_determined_effects_stay(seed: int) -> None:
    result = _found(_table(10_000, seed, error=0.02))
    assert {"A", "B", "E", "F", "S"} <= _features(result)
    assert not result.determined_labels


@pytest.mark.parametrize("seed", [0, 1])
def test_few_rows_show_no_function(seed: int) -> None:
    """Of 60 rows with many combinations no two contradict each other, whatever the label is."""
    generator = np.random.default_rng(seed)
    frame = pandas.DataFrame(generator.integers(0, 4, (60, 6)), columns=list("ABCDEF"))
    frame["T"] = np.where(generator.random(60) < 0.8, frame["A"] > 1, generator.random(60) < 0.5)
    result = _found(frame.astype(str))
    assert "A" in _features(result)
    assert not result.determined_labels


@pytest.mark.parametrize("seed", [0, 1])
def test_further_sets_that_determine_a_label_are_interchangeable_with_the_first(seed: int) -> None:
    """C is "D and E", so that A and these two determine T as A and C do."""
    generator = np.random.default_rng(seed)
    frame = pandas.DataFrame((generator.random((5000, 3)) < 0.5).astype(int), columns=list("ADE"))
    frame["C"] = frame["D"] & frame["E"]
    frame["T"] = frame["A"] | frame["C"]
    frame["F"] = _noisy(generator, frame["T"].to_numpy())
    result = _found(frame.astype(str))
    assert set(result.boundaries["T"].members) == {"A", "C"}
    (record,) = [equivalence for equivalence in result.equivalence_records if equivalence.target == "T"]
    assert (record.in_boundary, record.equivalent) == (("C",), ("D", "E"))
    assert record.boundary_given_equivalent.dof == 0.0


def _coarser(frame: pandas.DataFrame) -> dict[str, str]:
    dataset = engine.Dataset.from_frame(frame, labels=["T"])
    settings = engine.DiscoverySettings()
    search = Neighbourhoods(arranged(dataset, settings), settings, np.zeros(1, dtype=np.uint8))
    names = search.data.names
    positions = range(len(names))
    return {names[one]: names[finer] for one, finer in coarser_forms(search, positions, positions).items()}


def test_a_function_of_one_finer_column_is_a_coarser_form_of_the_finest() -> None:
    generator = np.random.default_rng(0)
    fine = generator.integers(0, 6, 2000)
    frame = pandas.DataFrame({"T": generator.integers(0, 2, 2000), "fine": fine, "middle": fine // 2})
    frame["coarse"] = (fine > 3).astype(int)
    frame["copy"] = 5 - fine
    frame["nearly"] = np.where(np.arange(2000) == 7, 1 - frame["coarse"], frame["coarse"])
    frame["constant"] = 0
    assert _coarser(frame.astype(str)) == {"middle": "fine", "coarse": "fine"}


def test_too_few_rows_show_no_coarser_form() -> None:
    """Of a column with about as many levels as rows every other one seems to be a function."""
    generator = np.random.default_rng(0)
    frame = pandas.DataFrame({"fine": generator.integers(0, 500, 100), "T": generator.integers(0, 2, 100)})
    assert not _coarser(frame.astype(str))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_beside_a_member_its_coarser_form_is_not_found(seed: int) -> None:
    """Sixty wards in regions of ten: too many for a test of the region given the ward."""
    generator = np.random.default_rng(seed)
    ward = generator.integers(0, 60, 2000)
    of_region, of_ward = generator.uniform(0.2, 0.8, 6), generator.uniform(-0.2, 0.2, 60)
    share = np.clip(np.repeat(of_region, 10) + of_ward, 0.02, 0.98)
    label = (generator.random(2000) < share[ward]).astype(int)
    effect = _noisy(generator, label)
    columns = {"ward": ward, "region": ward // 10, "T": label, "E": effect}
    assert _features(_found(pandas.DataFrame(columns).astype(str))) == {"ward", "E"}


def test_the_order_of_columns_does_not_matter() -> None:
    frame = _rare_gates(4000, 3)
    turned = frame[frame.columns[::-1]]
    assert _features(_found(frame)) == _features(_found(turned))


def test_the_result_says_which_labels_are_determined_and_so_does_its_file(tmp_path: Path) -> None:
    frame = _table(1000, 0)
    result = _found(frame)
    (sentence,) = [sentence for sentence in run_sentences(result) if "determine" in sentence]
    assert sentence.startswith("The members found determine T: no two of the 1,000 rows")
    assert max(len(re.findall(r"\S+", part)) for part in sentence.split(". ")) <= 25
    assert frame.groupby(list(result.boundaries["T"].members))["T"].nunique().max() == 1
    write_result(ResultContext(result), tmp_path / "result.json")
    assert read_result(tmp_path / "result.json", result.dataset).determined_labels == ("T",)
