"""Fixtures that every part of the test suite shares."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a kernel compiles; how long an example takes says nothing.
settings.register_profile("project", deadline=None)
settings.load_profile("project")

PROJECT = Path(__file__).resolve().parent.parent


def _shared(folder: str) -> Path:
    path = PROJECT.parent / "shared" / folder
    if not path.is_dir():
        pytest.skip(f"the folder shared/{folder} is not beside the project")
    return path


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder with public data sets."""
    return _shared("data")


@pytest.fixture(scope="session")
def shared_reference() -> Path:
    """Folder with reference values of other programs."""
    return _shared("reference")
