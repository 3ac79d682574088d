"""Fixtures that every part of the test suite shares."""

from __future__ import annotations

import gc
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests import kept_kernels, own_fonts
from tests.examples import register_profiles

if TYPE_CHECKING:
    from tests.shared_work import ByFile

kept_kernels.activate()
own_fonts.activate()

PROJECT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let long checks be asked for."""
    parser.addoption("--long", action="store_true", help="make the checks that are marked as long, too")


def pytest_configure(config: pytest.Config) -> None:
    """Set how many examples are tried, before the first test is imported."""
    register_profiles()
    settings.load_profile("long" if config.getoption("--long") else "short")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Let the garbage collector wait while tests are listed, and pass over what is there then: it stays.

    Looking through all that was imported again and again took a third of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        # Tests of the engine make a great many small objects that are all let go at once.
        gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for no examples in the texts of tests: there are none, and every process would read them all."""
    collected = yield
    return [collector for collector in collected if type(collector) is pytest.Module]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    """Share the tests by file, in the order in which they are collected."""
    from tests.shared_work import ByFile

    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out long checks, of which a short form is made, unless they are asked for; order shared work."""
    if hasattr(config, "workerinput"):
        from tests.shared_work import rank

        items.sort(key=lambda item: rank(item.nodeid))
    if config.getoption("--long"):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


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
