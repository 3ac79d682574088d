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
_TINY_NETWORKS = {"labels": 3, "features": 20, "rows": 400, "seeds": 1}
_STEPS = ("data", "method", "results", "selection", "report", "runs")


def load_kernels() -> None:
    """Load what is compiled for every test and algorithm, on tables of every kind."""
    import engine
    from engine.boundaries.warm_up import compile_all
    from engine.independence.options import TableTraits

    algorithms = [each.name for each in engine.algorithms().values() if each.separates_spouses]
    kinds = [TableTraits(*has) for has in product((False, True), repeat=5) if has[0] or not has[-1]]
    for test, traits, algorithm in product(engine.ci_tests(), kinds, algorithms):
        compile_all(engine.DiscoverySettings(test=test, algorithm=algorithm), traits)


def first_uses(window: Any) -> Iterator[None]:
    """Search an example and networks, and look at every view of every page and window; a pause after each."""
    from PySide6.QtWidgets import QTabWidget

    from clcd_gui.widgets.page import ViewSwitch

    def every_view(of: Any) -> Iterator[None]:
        for tabs in of.findChildren(QTabWidget):
            for place in range(tabs.count()):
                tabs.setCurrentIndex(place)
                yield
        for views in of.findChildren(ViewSwitch):
            for button in views.buttons.values():
                button.click()
                yield

    document = window.session.document
    window.open_path(_EXAMPLE)
    yield
    document.set_labels(_LABELS)
    yield
    window.session.running.start()
    yield
    for step in _STEPS:
        window.go(step)
        yield
        yield from every_view(window.page(step))
    window.page("data").open_column(document.analysis.dataset.names[0])
    yield
    # What speaks with clusters is loaded before it is seen that none is there.
    document.change_discovery("cluster", _NO_CLUSTER)
    document.change_discovery("alpha", _ANOTHER_LEVEL)
    window.session.running.start()
    yield
    document.change_discovery("cluster", None)
    window.commands.actions.help.trigger()
    yield
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
    for side in window.commands.windows.windows:
        yield from every_view(side)
        side.close()
