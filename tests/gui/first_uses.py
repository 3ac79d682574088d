"""What takes memory once, when it is first used: kernels, libraries, pages, panels, windows.

Of a program in use for long it is a constant, but whoever uses it at random comes to some of it late, and
takes it for growth. So it is all used before growth is measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.gui.stall_watch import ROOT

_EXAMPLE = ROOT / "resources" / "examples" / "hospital-survey.csv"
_LABELS = ("Trouble sleeping", "Exhaustion", "Headache", "Back pain", "Low mood")
_ANOTHER_LEVEL = 0.037
_NO_CLUSTER = "tcp://127.0.0.1:9"
_SECONDS_TO_CONNECT = 0.5
_TINY_NETWORKS = {"labels": 3, "features": 20, "rows": 400, "seeds": 1}
_STEPS = ("data", "method", "results", "selection", "report", "runs")


def load_kernels() -> None:
    """Load what is compiled for every test and algorithm, on tables of every kind."""
    import engine
    from engine.boundaries.warm_up import compile_all
    from engine.independence.options import TableTraits

    algorithms = [algorithm.name for algorithm in engine.algorithms().values() if algorithm.separates_spouses]
    for test, traits, algorithm in product(engine.ci_tests(), TableTraits.all_kinds(), algorithms):
        compile_all(engine.DiscoverySettings(test=test, algorithm=algorithm), traits)


def load_libraries() -> None:
    """Load what single choices need: the order of the grid by blocks."""
    import scipy.cluster.hierarchy  # noqa: F401


def first_uses(window: Any) -> Iterator[None]:
    """Search an example and networks, and look at every view of every page and window; a pause after each."""
    yield from _search_an_example(window)
    yield from _look_at_every_page(window)
    yield from _search_on_a_cluster(window)
    yield from _compare_on_networks(window)
    yield from _look_at_other_windows(window)


def _search_an_example(window: Any) -> Iterator[None]:
    window.open_path(_EXAMPLE)
    yield
    window.session.document.set_labels(_LABELS)
    yield
    window.session.running.start()
    yield


def _look_at_every_page(window: Any) -> Iterator[None]:
    for step in _STEPS:
        window.go(step)
        yield
        yield from _look_at_every_view(window.page(step))
    window.page("data").open_column(window.session.document.analysis.dataset.names[0])
    yield


def _search_on_a_cluster(window: Any) -> Iterator[None]:
    """Ask for a cluster: what speaks with one is loaded before it is seen that none is there."""
    from engine.execution import cluster

    # Nobody answers there, however long it is waited for.
    cluster._SECONDS_TO_CONNECT = _SECONDS_TO_CONNECT
    document = window.session.document
    document.change_discovery("cluster", _NO_CLUSTER)
    document.change_discovery("alpha", _ANOTHER_LEVEL)
    window.session.running.start()
    yield
    document.change_discovery("cluster", None)


def _compare_on_networks(window: Any) -> Iterator[None]:
    window.commands.actions.benchmark.trigger()
    yield
    benchmark = window.commands.windows.benchmark
    for name, value in _TINY_NETWORKS.items():
        benchmark.settings.form.editor(name).setValue(value)
    for boxes in (benchmark.settings.methods, benchmark.settings.cells):
        for name in boxes.chosen[1:]:
            boxes.box(name).setChecked(False)
    benchmark.run()
    yield


def _look_at_other_windows(window: Any) -> Iterator[None]:
    window.commands.actions.help.trigger()
    yield
    for tool_window in window.commands.windows.windows:
        yield from _look_at_every_view(tool_window)
        tool_window.close()


def _look_at_every_view(part: Any) -> Iterator[None]:
    from PySide6.QtWidgets import QTabWidget

    from clcd_gui.widgets.page import ViewSwitch

    for tabs in part.findChildren(QTabWidget):
        for place in range(tabs.count()):
            tabs.setCurrentIndex(place)
            yield
    for views in part.findChildren(ViewSwitch):
        for button in views.buttons.values():
            button.click()
            yield
