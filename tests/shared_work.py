"""How several processes share the tests: by file, so that what a file has in common is made once.

What takes long is begun first, so that no process is left alone with it at the end. The window's tests follow
those of the engine, when the kernels that they need are compiled.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

# Files whose tests search by a test of their own, d-separation in a known graph: kernels for it are in no
# cache, so that one process compiles them for all.
_BY_SEPARATION = "tests that search by separation"
_SEARCHING_BY_SEPARATION = frozenset(
    f"tests/engine/{name}.py"
    for name in (
        "boundaries/test_oracle",
        "discovery/test_oracle",
        "discovery/test_orientation",
        "independence/test_separation",
        "selection/test_boundaries",
    )
)
_LONGEST = (
    _BY_SEPARATION,
    "tests/engine/independence/test_calibration.py",
    "tests/contract/test_command_line.py",
    "tests/engine/independence/test_random_fourier.py",
    "tests/engine/test_kernel_cache.py",
    "tests/engine/selection/rankers/test_minima.py",
)
_WINDOW = "tests/gui/"


class ByFile(LoadScopeScheduling):
    """Gives a process all tests of a file, or of files that compile the same, in the order of collection."""

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)


def scope_of(nodeid: str) -> str:
    """Return what is not divided between processes, of which a test is part."""
    file = nodeid.partition("::")[0]
    return _BY_SEPARATION if file in _SEARCHING_BY_SEPARATION else file


def rank(nodeid: str) -> tuple[bool, int]:
    """Return what tests are ordered by: those of the engine first, and of these the longest."""
    scope = scope_of(nodeid)
    return nodeid.startswith(_WINDOW), _LONGEST.index(scope) if scope in _LONGEST else len(_LONGEST)
