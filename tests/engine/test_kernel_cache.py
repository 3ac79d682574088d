"""Compiled kernels are found again by the next process, wherever it starts, and never when out of date.

Each test runs real processes on a copy of the engine, with kernels of its own added to the copy.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parents[2] / "engine"

HELPER = """
from engine.compiled.decorators import shared_kernel
from engine.independence.probe_constant import CONSTANT


@shared_kernel
def helper(value):
    return value * 2 + CONSTANT
"""

CALLER = """
from engine.boundaries.probe_helper import helper
from engine.compiled.decorators import kernel


@kernel
def caller(value):
    return helper(value)
"""

QUESTION = """
import os
from engine.independence.probe_caller import caller
asked = os.environ.get("ASKED")
print(caller(float(asked) if asked else 20))
print(sum(caller.stats.cache_hits.values()), sum(caller.stats.cache_misses.values()))
print(caller.stats.cache_path)
"""

# The folder is made ready where kernels are declared, before one is compiled.
WHERE = "from engine.independence.probe_caller import caller; print(caller.stats.cache_path)"

DECLARED_TO_COMPILE = "numba.typed.dictimpl"
WHAT_IS_DECLARED = f"""
import sys
from engine.independence.probe_caller import caller
print(caller(20), {DECLARED_TO_COMPILE!r} in sys.modules)
print(caller(20.5), {DECLARED_TO_COMPILE!r} in sys.modules)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the engine of a test's own."""
    return copy_of_the_engine(tmp_path)


def copy_of_the_engine(folder: Path) -> Path:
    """Copy the engine into a folder, with a kernel that calls one of another file, which uses a constant."""
    copy = folder / "project"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ENGINE, copy / "engine", ignore=ignored)
    (copy / "engine/boundaries/probe_helper.py").write_text(HELPER)
    (copy / "engine/independence/probe_caller.py").write_text(CALLER)
    (copy / "engine/independence/probe_constant.py").write_text("CONSTANT = 0\n")
    return copy


def ask(project: Path, folder: Path, **environment: str) -> tuple[int, int, int, Path]:
    """Call the kernel in a new process: its value, cache hits, cache misses, and the folder of its cache."""
    value, counts, cache = answered(QUESTION, project, folder, environment)
    hits, misses = map(int, counts.split())
    return int(float(value)), hits, misses, Path(cache)


def answered(question: str, project: Path, folder: Path, environment: Mapping[str, str]) -> list[str]:
    """Have a new process answer, and return its lines."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    everything = inherited | {"PYTHONPATH": str(project), "PYTHONDONTWRITEBYTECODE": "1"} | environment
    done = subprocess.run(
        [sys.executable, "-c", question],
        cwd=folder,
        env=everything,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kernels that a first process has compiled; neither depends on where the project lies."""
    folder = tmp_path_factory.mktemp("first")
    kernels = folder / "kernels"
    value, hits, misses, cache = ask(copy_of_the_engine(folder), folder, NUMBA_CACHE_DIR=str(kernels))
    assert (value, hits, misses) == (40, 0, 1)
    assert cache.is_relative_to(kernels)
    return kernels


@pytest.fixture(scope="module")
def for_any_processor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of kernels that were compiled to come with the program."""
    folder = tmp_path_factory.mktemp("building")
    building = {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(folder / "build"),
    }
    return ask(copy_of_the_engine(folder), folder, **building)[3].parent


def test_the_next_process_compiles_nothing_even_in_another_folder(project: Path, compiled: Path) -> None:
    value, hits, misses, cache = ask(project, Path("/"), NUMBA_CACHE_DIR=str(compiled))
    assert (value, hits, misses) == (40, 1, 0)
    assert cache.is_relative_to(compiled)


def test_what_could_be_compiled_is_declared_only_where_something_is(project: Path, compiled: Path) -> None:
    kernels = shutil.copytree(compiled, project / "kernels")
    lines = answered(WHAT_IS_DECLARED, project, project, {"NUMBA_CACHE_DIR": str(kernels)})
    assert lines == ["40 False", "41.0 True"]


def test_where_compiling_is_switched_off_it_is_said_at_the_start() -> None:
    code = (
        "import engine\ntry:\n    engine.discover\nexcept engine.InvalidParameter as error:\n    print(error)"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    said = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert "NUMBA_DISABLE_JIT" in said and "Remove the variable" in said


def test_the_command_compiles_whatever_is_switched_off_for_other_functions() -> None:
    code = "import os, sys; from engine.terminal import main\n"
    code += "sys.argv = ['clcd', 'inspect', '--help']\n"
    code += "try:\n    main()\nexcept SystemExit:\n    print(os.environ.get('NUMBA_DISABLE_JIT'))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    said = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert said.splitlines()[-1] == "None"


@pytest.mark.long
def test_settings_of_numba_beside_a_persons_tables_are_not_read(project: Path, tmp_path: Path) -> None:
    # They say from where compiled code is loaded, and could load somebody else's.
    folder = tmp_path / "study"
    folder.mkdir()
    settings = folder / ".numba_config.yaml"
    settings.write_text(f"cache_dir: {folder / 'theirs'}\ndisable_jit: 1\n")
    read_by_numba = [sys.executable, "-c", "import numba; print(numba.config.DISABLE_JIT)"]
    assert subprocess.run(read_by_numba, cwd=folder, capture_output=True, text=True).stdout == "1\n"
    value, hits, misses, cache = ask(project, folder, XDG_CACHE_HOME=str(tmp_path / "ours"))
    assert (value, hits, misses) == (40, 0, 1)
    assert cache.is_relative_to(tmp_path / "ours")
    assert list(folder.iterdir()) == [settings]


@pytest.mark.parametrize(
    ("changed", "before", "after", "expected"),
    [
        ("boundaries/probe_helper.py", "value * 2", "value * 3", 60),
        ("independence/probe_constant.py", "CONSTANT = 0", "CONSTANT = 1", 41),
    ],
)
def test_a_change_in_what_a_kernel_uses_compiles_it_again(
    project: Path, compiled: Path, tmp_path: Path, changed: str, before: str, after: str, expected: int
) -> None:
    kernels = str(shutil.copytree(compiled, tmp_path / "kernels"))
    source = project / "engine" / changed
    source.write_text(source.read_text().replace(before, after))
    assert ask(project, tmp_path, NUMBA_CACHE_DIR=kernels)[:3] == (expected, 0, 1)


@pytest.mark.skipif(
    sys.platform != "linux", reason="the user's cache folder is told by XDG_CACHE_HOME on Linux"
)
class TestFolders:
    """Which folder is used."""

    def test_the_users_cache_folder_is_the_usual_place(self, project: Path, tmp_path: Path) -> None:
        cache_home = tmp_path / "cache"
        (cache,) = answered(WHERE, project, tmp_path, {"XDG_CACHE_HOME": str(cache_home)})
        assert Path(cache).is_relative_to(cache_home / "clcd" / "kernels")

    def test_a_home_that_cannot_be_written_leaves_a_private_temporary_folder(
        self, project: Path, tmp_path: Path
    ) -> None:
        places = {"XDG_CACHE_HOME": "/proc/none", "TMPDIR": str(tmp_path)}
        value, hits, misses, cache = ask(project, tmp_path, **places)
        assert (value, hits, misses) == (40, 0, 1)
        private = tmp_path / f"clcd-kernels-{os.getuid()}"
        assert cache.is_relative_to(private)
        assert private.stat().st_mode & 0o077 == 0
        assert ask(project, tmp_path, **places) == (40, 1, 0, cache)

    def test_a_temporary_folder_that_others_can_write_is_not_trusted(
        self, project: Path, tmp_path: Path
    ) -> None:
        laid_by_others = tmp_path / f"clcd-kernels-{os.getuid()}"
        laid_by_others.mkdir()
        laid_by_others.chmod(0o777)
        places = {"XDG_CACHE_HOME": "/proc/none", "TMPDIR": str(tmp_path)}
        value, _, misses, cache = ask(project, tmp_path, **places)
        assert (value, misses) == (40, 1)
        assert not cache.is_relative_to(laid_by_others)
        assert not cache.exists(), "the folder of one process goes with it"
        assert list(laid_by_others.iterdir()) == []

    def test_folders_of_long_gone_versions_are_removed(self, project: Path, tmp_path: Path) -> None:
        parent = tmp_path / "kernels" / "clcd-kernels"
        for number in range(20):
            old = parent / f"old-{number:02}"
            old.mkdir(parents=True)
            os.utime(old, (number, number))
        answered(WHERE, project, tmp_path, {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")})
        left = sorted(path.name for path in parent.iterdir())
        assert len(left) == 8
        assert [name for name in left if name.startswith("old")] == [f"old-{n}" for n in range(13, 20)]


def test_processes_that_compile_at_once_never_take_each_others_code(project: Path, tmp_path: Path) -> None:
    """Replays the unlucky order: both see an empty index, one for floats, one for integers."""
    kernels = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    cache = ask(project, tmp_path, **kernels, ASKED="20.5")[3]
    (index,) = cache.glob("*.nbi")
    written_by_the_first = index.read_bytes()
    index.unlink()
    ask(project, tmp_path, **kernels)
    index.write_bytes(written_by_the_first)
    assert ask(project, tmp_path, **kernels, ASKED="20.5")[:3] == (41, 1, 0)
    assert ask(project, tmp_path, **kernels)[:3] == (40, 0, 1)


def test_kernels_that_came_with_the_program_are_used(
    project: Path, for_any_processor: Path, tmp_path: Path
) -> None:
    """Kernels compiled for a named processor are found by a program that starts for the first time."""
    shipped = for_any_processor.name.replace("-host", "-generic")
    shutil.copytree(for_any_processor, project / "engine" / "shipped_kernels" / shipped)
    first_start = ask(project, tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "user"))
    assert first_start[:3] == (40, 1, 0)
    assert first_start[3].is_relative_to(tmp_path / "user" / "clcd-kernels" / shipped)


@pytest.mark.long
def test_kernels_that_find_no_room_leave_nothing_half_copied(
    project: Path, for_any_processor: Path, tmp_path: Path
) -> None:
    name = for_any_processor.name.replace("-host", "-generic")
    shipped = shutil.copytree(for_any_processor, project / "engine" / "shipped_kernels" / name)
    # A link that leads nowhere is copied as little as what finds no room.
    (shipped / "engine.independence.probe_caller" / "zero").symlink_to("nowhere")
    user = tmp_path / "user"
    assert ask(project, tmp_path, NUMBA_CACHE_DIR=str(user), TMPDIR=str(tmp_path))[0] == 40
    assert not [path for path in user.rglob("*") if path.name.startswith(".") or shipped.name in path.name]


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a draft is only known as abandoned after a day")
def test_what_killed_processes_left_among_kernels_is_removed(
    project: Path, compiled: Path, tmp_path: Path
) -> None:
    places = {"NUMBA_CACHE_DIR": str(shutil.copytree(compiled, tmp_path / "kernels"))}
    (kernel_file,) = (tmp_path / "kernels").rglob("*probe_caller*.nbc")
    half = kernel_file.with_name(f"{kernel_file.name}.tmp.0123456789abcdef")
    being_written = kernel_file.with_name(f"{kernel_file.name}.tmp.fedcba9876543210")
    for path in (half, being_written):
        path.write_bytes(b"half")
    os.utime(half, (0, 0))
    # What is compiled next is stored beside it.
    assert ask(project, tmp_path, **places, ASKED="20.5")[:3] == (41, 0, 1)
    assert not half.exists() and being_written.exists()
    # Killed while it copied kernels that came with the program.
    folder = kernel_file.parent.parent
    draft = folder.with_name(f".{folder.name}-0123456789abcdef")
    shutil.copytree(folder, draft)
    shutil.rmtree(folder)
    os.utime(draft, (0, 0))
    ask(project, tmp_path, **places)
    assert list(folder.parent.iterdir()) == [folder]


def test_no_kernel_calls_one_that_is_kept_as_machine_code_alone() -> None:
    """What is kept of those that Python alone calls holds nothing that a caller could take in."""
    sources = (path.read_text(encoding="utf-8") for path in ENGINE.rglob("*.py"))
    functions = [
        (function, {decorator.id for decorator in function.decorator_list if isinstance(decorator, ast.Name)})
        for source in sources
        if re.search(r"@\w*(?:kernel|_part)", source)
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.FunctionDef)
    ]
    called_by_python = {
        function_name.name for function_name, by in functions if by & {"kernel", "counting_kernel"}
    }
    compiled = [
        function_name
        for function_name, by in functions
        if any(re.search(r"kernel|_part$", name) for name in by)
    ]
    assert len(called_by_python) > 4 and len(compiled) > 100
    for function in compiled:
        named = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        assert not named & called_by_python, function.name


TABLES = """
from typing import NamedTuple

from engine.compiled.decorators import kernel

class EnginesTable(NamedTuple):
    value: float

@kernel
def value_of(table):
    return table.value
"""

SOMEBODYS_TABLE = """
from typing import NamedTuple

class SomebodysTable(NamedTuple):
    value: float
"""

BOTH_TABLES = """
from engine.independence.probe_table import EnginesTable, value_of
from somebodys_module import SomebodysTable

print(value_of(SomebodysTable(3.0)), value_of(EnginesTable(4.0)))
"""

ENGINES_TABLE = """
from engine.independence.probe_table import EnginesTable, value_of

print(value_of(EnginesTable(5.0)), sum(value_of.stats.cache_hits.values()))
"""


@pytest.mark.long
def test_types_from_outside_the_engine_leave_nothing_behind(project: Path, tmp_path: Path) -> None:
    """What was compiled for a type that a later process does not know must not be in its way."""
    (project / "engine/independence/probe_table.py").write_text(TABLES)
    (project / "somebodys_module.py").write_text(SOMEBODYS_TABLE)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    places = {
        "PYTHONPATH": str(project),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(tmp_path / "kernels"),
    }
    outputs = []
    for program in (BOTH_TABLES, ENGINES_TABLE):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env=inherited | places,
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
        )
        outputs.append(done.stdout or done.stderr)
        (project / "somebodys_module.py").unlink(missing_ok=True)
    assert outputs == ["3.0 4.0\n", "5.0 1\n"]


def test_kernels_of_other_packages_stay_where_they_were(project: Path, tmp_path: Path) -> None:
    (project / "elsewhere.py").write_text(
        "import numba\n\n@numba.njit(cache=True)\ndef f(x):\n    return x\n"
    )
    probe = "import engine.independence.probe_caller, elsewhere; print(elsewhere.f.stats.cache_path)"
    done = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(project), "XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""},
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert Path(done.stdout.strip()) == project / "__pycache__"


def test_kernels_of_long_unused_versions_are_removed_and_those_in_use_are_kept(
    project: Path, tmp_path: Path
) -> None:
    kernels = tmp_path / "kernels" / "clcd-kernels"
    for number in range(10):
        (kernels / f"unused-{number}").mkdir(parents=True)
        os.utime(kernels / f"unused-{number}", (number, number))
        (kernels / f"used-{number}").mkdir()
    answered(WHERE, project, tmp_path, {"NUMBA_CACHE_DIR": str(kernels.parent)})
    left = {path.name for path in kernels.iterdir()}
    assert {f"used-{number}" for number in range(10)} < left
    assert not {name for name in left if name.startswith("unused")}


SUMS = """
import numpy as np
from engine.independence.logistic_regression import fill_probabilities
generator = np.random.default_rng(0)
for rows in range(2, 300, 2):
    scores, is_second = generator.normal(size=rows), 1.0 * (generator.random(rows) < 0.5)
    for apart in (rows, rows + 1, rows + 2, 2 * rows, 5000):
        room = np.empty(2 * apart + rows)
        first, second, third = room[:rows], room[apart : apart + rows], room[2 * apart :]
        first[:], second[:] = scores, is_second
        print(fill_probabilities(first, second, third).hex())
"""


@pytest.mark.long
def test_sums_are_the_same_from_a_new_kernel_and_a_stored_one_wherever_columns_lie(tmp_path: Path) -> None:
    """They were added up in another order, so that a first run and a second one had other last digits."""
    environment = {"PYTHONPATH": str(ENGINE.parent), "NUMBA_CACHE_DIR": str(tmp_path)}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    new, stored = (
        subprocess.run(
            [sys.executable, "-c", SUMS],
            env=inherited | environment,
            check=True,
            capture_output=True,
            text=True,
            timeout=120,
        ).stdout.split()
        for _ in range(2)
    )
    assert new == stored
    places = 5
    assert all(len(set(new[begin : begin + places])) == 1 for begin in range(0, len(new), places))
