"""Codes that could be numbers stay as they are written: 1E50, 007, sixteen digits, 1.1 beside 1.10."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from clcd_gui.document.doubts import doubts_of
from engine.errors import InvalidData
from engine.readers import ReadingOptions, read_table
from engine.readers.remedies import remedies
from engine.table.variable import Kind
from tests.engine.readers.misread_tables import code_columns
from tests.engine.readers.written_tables import messages_of, read_text, topics_of, values_of
from tests.examples import fifty


def test_codes_of_fifty_tables_are_read_as_written(tmp_path: Path) -> None:
    wrong, asked_about = [], 0
    for seed in fifty():
        folder = tmp_path / str(seed)
        folder.mkdir()
        case = code_columns(np.random.default_rng(seed), folder)
        reading = read_table(case.path)
        asked_about += any(doubt.is_serious for doubt in doubts_of(reading, ReadingOptions()))
        if values_of(reading, case.column) != case.values:
            wrong.append(f"{seed}: {case.what}")
    assert len(wrong) <= 0.04 * len(fifty()), wrong
    assert asked_about <= 0.24 * len(fifty())


@pytest.mark.parametrize(
    ("file", "column", "levels"),
    [("icd11.csv", "icd11", ("1E50", "1E51")), ("versions.csv", "version", ("1.1", "1.10", "1.2"))],
)
def test_codes_of_the_shared_tables(
    file: str, column: str, levels: tuple[str, ...], shared_data: Path
) -> None:
    assert read_table(shared_data / "door" / file).dataset.variable(column).levels == levels


def test_hexadecimal_identifiers_are_not_infinite(shared_data: Path) -> None:
    levels = read_table(shared_data / "door" / "hex_ids.csv").dataset.variable("uid").levels
    assert len(levels) == 120
    assert "5790E860" in levels


WRITTEN = ["1.1", "1.10", "1.2", *(f"{row}.{row % 9 + 1}" for row in range(2, 30))]


def versions(name: str) -> str:
    return f"{name},n\n" + "".join(f"{text},{row}\n" for row, text in enumerate(WRITTEN))


def test_a_number_written_in_two_ways_is_a_doubt_with_a_way_back(tmp_path: Path) -> None:
    reading = read_text(tmp_path, versions("dose"))
    assert values_of(reading, "dose")[:3] == [1.1, 1.1, 1.2]
    doubt = next(
        doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.title == "Numbers or versions"
    )
    (change,) = doubt.changes
    assert remedies(reading.issues) == [("categories", "dose")]
    again = read_text(tmp_path, versions("dose"), **{change.name: change.value})
    assert values_of(again, "dose") == WRITTEN


def test_levels_in_two_writings_are_not_merged(tmp_path: Path) -> None:
    written = ["2.5", "2.50", "2.5", "2.51"] * 20
    text = "form,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(written))
    reading = read_text(tmp_path, text)
    assert values_of(reading, "form") == written
    assert remedies(reading.issues) == [("numbers", "form")]
    doubt = next(
        doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.title == "Numbers or versions"
    )
    (change,) = doubt.changes
    again = read_text(tmp_path, text, **{change.name: change.value})
    assert again.dataset.variable("form").kind is Kind.CONTINUOUS and not remedies(again.issues)


def test_a_name_that_says_version_keeps_the_writing(tmp_path: Path) -> None:
    reading = read_text(tmp_path, versions("App version"))
    assert values_of(reading, "App version") == WRITTEN
    assert "versions" in topics_of(reading)


def test_codes_may_be_read_as_numbers(tmp_path: Path) -> None:
    text = "code,n\n" + "".join(f"{row % 9 + 1}E{row % 7 + 10},{row}\n" for row in range(40))
    reading = read_text(tmp_path, text)
    doubt = next(doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.title == "Codes of digits")
    (change,) = doubt.changes
    again = read_text(tmp_path, text, **{change.name: change.value})
    assert again.dataset.variable("code").kind is Kind.CONTINUOUS


@pytest.mark.parametrize(
    "codes", [("12E4", "1E2", "3E7", "9E1"), ("12E3", "10E5", "4E4", "9E7"), ("3e5", "4e2", "7e1")]
)
def test_plots_named_by_digits_around_an_e_may_be_read_as_numbers(
    codes: tuple[str, ...], tmp_path: Path
) -> None:
    text = "plot,n\n" + "".join(f"{code},{place}\n" for place, code in enumerate(codes * 20))
    reading = read_text(tmp_path, text)
    assert values_of(reading, "plot") == [*codes] * 20
    doubt = next(doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.title == "Codes of digits")
    (change,) = doubt.changes
    again = read_text(tmp_path, text, **{change.name: change.value})
    assert values_of(again, "plot") == [*map(float, codes)] * 20


@pytest.mark.parametrize(
    "powers", [("1e5", "3e6", "2e7"), ("1e1", "1e2", "1e3", "1e4"), ("25E4", "31E5", "5E6")]
)
def test_powers_of_ten_as_people_write_them_are_numbers(powers: tuple[str, ...], tmp_path: Path) -> None:
    text = "cfu,n\n" + "".join(f"{power},{place}\n" for place, power in enumerate(powers * 20))
    assert "digit-codes" not in topics_of(read_text(tmp_path, text))


def test_codes_with_an_e_are_known_by_any_row(tmp_path: Path) -> None:
    codes = [*(str(10_115_000 + row) for row in range(1500)), *(f"4217E{row}" for row in range(100, 800))]
    reading = read_text(tmp_path, "id,n\n" + "".join(f"{code},{row}\n" for row, code in enumerate(codes)))
    assert values_of(reading, "id") == codes
    assert list(messages_of(reading, "digit-codes")) == ["id"]


def test_an_infinite_number_is_refused_still(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match="infinite"):
        read_text(tmp_path, "v,n\n1,1\n2,2\n1e999,2\n")


def test_sixteen_digits_are_a_code_and_fifteen_a_number(tmp_path: Path) -> None:
    rows = "".join(f"{10**15 + row},{10**14 + row},{row}\n" for row in range(30))
    reading = read_text(tmp_path, f"long,short,n\n{rows}")
    assert values_of(reading, "long")[0] == "1000000000000000"
    assert values_of(reading, "short")[1] == 10**14 + 1


@pytest.mark.parametrize(
    "codes",
    [("007", "013", "101", "1101"), ("01", "02", "13", "75", "971"), ("001", "1000"), ("0", "1", "02")],
)
def test_zeros_in_front_stay_where_some_codes_are_longer(codes: tuple[str, ...], tmp_path: Path) -> None:
    rows = "".join(f"{code},{place}\n" for place, code in enumerate(codes * 30))
    assert values_of(read_text(tmp_path, f"code,n\n{rows}"), "code") == [*codes] * 30


def test_departments_are_no_count(tmp_path: Path) -> None:
    codes = [f"{number:02}" for number in [*range(1, 96), *range(971, 977)]]
    reading = read_text(tmp_path, "place,n\n" + "".join(f"{code},{code}.5\n" for code in codes * 2))
    assert values_of(reading, "place") == codes * 2


def test_what_is_said_of_a_column_ends_where_a_person_changes_it(tmp_path: Path) -> None:
    cells = [
        f"{place % 9 + 1:02d},{('1.1', '1.10')[place % 2]},{place % 7} mg,{place}" for place in range(60)
    ]
    text = "kod,version,dose,age\n" + "\n".join(cells) + "\n"
    assert topics_of(read_text(tmp_path, text)) == ["digit-codes", "versions", "marks-on-numbers"]
    changed = read_text(tmp_path, text, numbers=["kod", "version"])
    assert topics_of(changed) == ["marks-on-numbers"]


def test_addresses_are_no_versions_and_inf_beside_codes_means_nothing_missing(tmp_path: Path) -> None:
    tags = ("12E3", "00E1", "INF", "NAN1")
    for count in (3, 4):
        cells = [f"10.0.{row}.{row % 5 + 7},{tags[row % count]},{row}" for row in range(60)]
        reading = read_text(tmp_path, "from,tag,age\n" + "\n".join(cells) + "\n")
        assert "internet addresses such as '10.0.0.7'" in messages_of(reading, "digit-codes")["from"]
        assert set(values_of(reading, "tag")) == set(tags[:count])
        assert "text-among-numbers" not in topics_of(reading)
