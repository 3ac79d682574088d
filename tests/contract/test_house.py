"""The house is in order: where files lie, how long they are, what they may name."""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.contract.product_modules import (
    PRODUCT,
    fragments,
    import_circles,
    imports,
    names_of_several_classes,
)
from tests.contract.project_files import PROJECT, nodes_of, project_files, read, text_files

TOP_LEVEL = {
    "LICENSE",
    "README.md",
    "clcd_gui",
    "engine",
    "packaging",
    "pyproject.toml",
    "requirements.lock",
    "resources",
    "tests",
}

# Beyond it, look for a second concept; files are not split for their length.
LONGEST_FILE = 800
WRITTEN_BY_TOOLS = {
    Path("requirements.lock"),
    Path("tests/benchmarks/growth.svg"),
    Path("tests/benchmarks/levels.json"),
    Path("tests/benchmarks/levels.svg"),
    Path("tests/benchmarks/selection_ranks.svg"),
}

# Addresses that a reader follows or a file format asks for; anything else is somebody's machine.
KNOWN_HOSTS = {
    "doi.org",
    "graphml.graphdrawing.org",
    "mulan.sourceforge.net",
    "www.apple.com",
    "www.freedesktop.org",
    "www.w3.org",
}
ADDRESS = re.compile(r"\b(?:https?|ftp)://([\w-]+\.[\w.-]+)")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(?:home|root|opt|work|Users)/[\w.]")
MARKDOWN_LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)")

# A variable is called what the thing is: `feature`, `label`, `result`.
SAYS_NOTHING = {"each", "found", "known", "other", "made", "asked"}
NAMES_THAT_STAY = {
    "engine/discovery/stability/result.py: found",  # a key of result files
    "engine/project/project.py: found",  # a public method, `Origin.found`
}


def test_nothing_unexpected_lies_at_the_top() -> None:
    top = {path.parts[0] for path in project_files()}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


def test_no_file_is_too_long_to_read() -> None:
    lengths = {path: len(read(path).splitlines()) for path in text_files() if path not in WRITTEN_BY_TOOLS}
    assert {str(path): length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert import_circles() == []


# Few people compare methods. What does it is reached by these alone, so that the rest can be read without it.
COMPARISON = ("engine.comparison", "engine.selection.rankers", "clcd_gui.comparison")
DOORS_TO_COMPARISON = ("engine.terminal", "clcd_gui.run.comparing", "clcd_gui.shell.comparison")


def is_below(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def test_the_comparison_of_methods_is_behind_its_doors() -> None:
    outside = [
        (module, imported)
        for module, imported in imports().edges
        if is_below(imported, COMPARISON) and not is_below(module, (*COMPARISON, *DOORS_TO_COMPARISON))
    ]
    assert outside == []


def test_every_file_is_a_concept() -> None:
    """A few lines that one module alone imports are read sooner in that module."""
    assert fragments() == []


def test_no_two_classes_have_one_name() -> None:
    assert names_of_several_classes() == {}


def test_files_say_their_subject() -> None:
    product = [path for path in project_files() if path.parts[0] in ("engine", "clcd_gui")]
    assert [path for path in product if path.stem in ("settings", "registry", "files")] == []


def test_files_name_no_stranger_and_no_machine() -> None:
    leaks = []
    for path in text_files():
        text = read(path)
        leaks += [f"{path}: {host}" for host in ADDRESS.findall(text) if host not in KNOWN_HOSTS]
        leaks += [f"{path}: {machine}" for machine in MACHINE_PATH.findall(text)]
    assert leaks == []


def test_the_lock_holds_versions_and_no_addresses() -> None:
    lock = read(Path("requirements.lock"))
    assert "://" not in lock
    assert "--" not in re.sub(r"^#.*$", "", lock, flags=re.MULTILINE)
    assert "file:" not in lock


def test_the_lock_covers_every_dependency() -> None:
    project = tomllib.loads(read(Path("pyproject.toml")))["project"]
    requirements = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        requirements += extra
    names = {_normal(re.split(r"[\[<>=!~ ;]", requirement, maxsplit=1)[0]) for requirement in requirements}
    lines = read(Path("requirements.lock")).splitlines()
    locked = {_normal(line.split("==")[0]) for line in lines if "==" in line}
    assert names - {"clcd"} <= locked


def test_links_in_documents_lead_somewhere() -> None:
    broken = []
    for path in (path for path in project_files() if path.suffix == ".md"):
        for link in MARKDOWN_LINK.findall(read(path)):
            if "://" not in link and not (PROJECT / path.parent / link).exists():
                broken.append(f"{path}: {link}")
    assert broken == []


def test_nothing_that_can_run_code_is_loaded_from_files() -> None:
    unsafe = re.compile(
        r"^\s*(?:(?:import|from)\s+(?:pickle|shelve|marshal|dill)\b"
        r"|import\s+xml\.|from\s+xml\.etree.*\b(?:parse|iterparse|fromstring|XML|XMLParser)\b)",
        re.MULTILINE,
    )
    sources = [
        path for path in text_files() if path.suffix == ".py" and path.parts[0] in ("engine", "clcd_gui")
    ]
    # It reads what another process of this program says, and opens no file.
    (between_processes,) = (path for path in sources if path.name == "helper_process.py")
    assert not re.search(
        r"\bopen\(|\bread_(?:bytes|text)\(", read(between_processes).replace("os.fdopen(", "")
    )
    unsafe_sources = [path for path in sources if unsafe.search(read(path))]
    assert unsafe_sources == [between_processes]


def test_only_the_threads_of_the_window_start_long_work() -> None:
    """Import contracts do not see ``engine.discover``, which is looked up when it is first used."""
    long_work = re.compile(
        r"\bengine\.(?:discover|stability|prepare|benchmark|compare_selections|read_dataset|markov_boundary|simulate|ci_test)\("
    )
    window = [path for path in text_files() if path.parts[0] == "clcd_gui" and path.suffix == ".py"]
    elsewhere = [path for path in window if path.parts[1] not in ("run", "self_test.py")]
    assert [str(path) for path in elsewhere if long_work.search(read(path))] == []


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def names_that_say_nothing(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield such names that are bound; `other` beside `self` is one of the same kind, as in `__eq__`."""
    pairs = [node.args.args for node in nodes if isinstance(node, ast.FunctionDef)]
    beside_self = {id(pair[1]) for pair in pairs if [argument.arg for argument in pair] == ["self", "other"]}
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                pass
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.ExceptHandler(name=name):
                pass
            case ast.MatchAs(name=name) | ast.MatchStar(name=name) | ast.alias(asname=name):
                pass
            case _:
                continue
        if name in SAYS_NOTHING and id(node) not in beside_self:
            yield name


def test_variables_are_called_what_they_are() -> None:
    bound = {
        f"{path.as_posix()}: {name}"
        for path in project_files()
        if path.suffix == ".py" and path.parts[0] in (*PRODUCT, "tests")
        for name in names_that_say_nothing(nodes_of(path))
    }
    assert bound == NAMES_THAT_STAY


def test_names_that_say_nothing_are_seen() -> None:
    code = """
        import numpy as known
        class Pair:
            made: int
            def is_like(self, other): return self.made == other.made
            def joined(self, first, other): return first + other
        def found(pairs): return [each for each in pairs]
        asked = lambda other: other
    """
    names = names_that_say_nothing(list(ast.walk(ast.parse(textwrap.dedent(code)))))
    assert sorted(names) == ["asked", "each", "found", "known", "made", "other", "other"]
