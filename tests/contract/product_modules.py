"""How the product hangs together: import circles, names of several classes, files too small to be a concept.

Imports inside functions and those for type checking alone count like any other, and so do the modules that a
registry, or a command that starts a process, names in a text. What a package imports as it is itself imported
is counted at the package, not at each of its modules. To see what is found::

    python -m tests.contract.product_modules
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import grimp
import networkx

from tests.contract.project_files import PROJECT, nodes_of, read

PRODUCT = ("engine", "clcd_gui")
SMALLEST_FILE = 60
_IN_QUOTES = re.compile(rf"""["'](?:{"|".join(PRODUCT)})[.:"']""")


@functools.cache
def imports() -> networkx.DiGraph:
    """The graph of imports of the product: from the module that imports to the one that it imports."""
    built = grimp.build_graph(*PRODUCT, cache_dir=None)
    graph = networkx.DiGraph()
    graph.add_nodes_from(built.modules)
    for module in built.modules:
        graph.add_edges_from(
            (module, imported) for imported in built.find_modules_directly_imported_by(module)
        )
    graph.add_edges_from(_named_in_texts(built.modules), in_text=True)
    return graph


def import_circles() -> list[list[str]]:
    """Groups of modules of which each comes to import itself by way of the others."""
    groups = networkx.strongly_connected_components(imports())
    return sorted(sorted(group) for group in groups if len(group) > 1)


def fragments() -> list[str]:
    """Modules of few lines that one other module imports, so that they could stand in it, or none does."""
    graph = imports()
    return [
        module
        for module in sorted(graph)
        if graph.in_degree(module) <= 1
        and not any(in_text for _, _, in_text in graph.in_edges(module, data="in_text"))
        and (path := _file_of(module)).name not in ("__init__.py", "__main__.py")
        and len(path.read_text(encoding="utf-8").splitlines()) < SMALLEST_FILE
    ]


def names_of_several_classes() -> dict[str, list[str]]:
    """Names that several classes have, and their modules; a leading underscore does not count."""
    modules: dict[str, list[str]] = {}
    for module in sorted(imports()):
        for node in nodes_of(_file_of(module).relative_to(PROJECT)):
            if isinstance(node, ast.ClassDef):
                modules.setdefault(node.name.lstrip("_"), []).append(module)
    return {name: places for name, places in modules.items() if len(places) > 1}


def _named_in_texts(modules: Collection[str]) -> Iterator[tuple[str, str]]:
    """Pairs of a module, and one that it names in a text."""
    for module in modules:
        path = _file_of(module).relative_to(PROJECT)
        if not _IN_QUOTES.search(read(path)):
            continue
        constants = (node.value for node in nodes_of(path) if isinstance(node, ast.Constant))
        names = {constant.partition(":")[0] for constant in constants if isinstance(constant, str)}
        yield from ((module, name) for name in names.intersection(modules) - {module})


def _file_of(module: str) -> Path:
    inside = PROJECT.joinpath(*module.split("."))
    return inside / "__init__.py" if inside.is_dir() else inside.with_suffix(".py")


def main() -> None:
    """Print what is found."""
    for circle in import_circles():
        print("imports in a circle:", ", ".join(circle))
    for name, places in names_of_several_classes().items():
        print(f"several classes are named {name}: {', '.join(places)}")
    for module in fragments():
        importers = ", ".join(imports().predecessors(module)) or "none"
        print(f"under {SMALLEST_FILE} lines with no other importer than {importers}: {module}")


if __name__ == "__main__":
    main()
