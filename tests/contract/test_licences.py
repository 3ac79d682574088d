"""Licences of all that is installed with the program: each must suit a program under the MIT licence."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

LOCK = Path(__file__).resolve().parents[2] / "requirements.lock"
SUITABLE = re.compile(
    r"MIT|BSD|Apache|PSF|Python Software Foundation|ISC|zlib|MPL|Mozilla|HPND|Unlicense|0BSD|CC0|BlueOak",
    re.IGNORECASE,
)
# Qt is linked as a library that anybody may replace, as the LGPL asks; PyInstaller's exception covers what
# it packs, and is not part of what is shipped.
BY_NAME = {
    "pyside6-essentials": "LGPL",
    "shiboken6": "LGPL",
    "pyinstaller": "GPL",
    "pyinstaller-hooks-contrib": "Apache|GPL",
}


def names() -> list[str]:
    lines = LOCK.read_text("utf-8").splitlines()
    return [line.split("==")[0] for line in lines if "==" in line and not line.startswith((" ", "#"))]


def licence_of(name: str) -> str:
    fields = metadata.metadata(name)
    licences = [fields.get("License-Expression") or "", (fields.get("License") or "")[:400]]
    licences += [
        classifier for classifier in fields.get_all("Classifier") or () if classifier.startswith("License")
    ]
    return " | ".join(licence for licence in licences if licence)


@pytest.mark.parametrize("name", names())
def test_its_licence_suits(name: str) -> None:
    try:
        licence = licence_of(name)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{name} is not installed here")
    wanted = re.compile(BY_NAME[name], re.IGNORECASE) if name in BY_NAME else SUITABLE
    assert wanted.search(licence), f"{name}: {licence}"
    if name not in BY_NAME:
        assert not re.search(r"\b(A?GPL|General Public)", licence) or SUITABLE.search(licence)
