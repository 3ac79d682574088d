"""How several processes share the tests: by file, so that what a file has in common is made once.

What takes long is begun first, so that no process is left alone with it at the end. The window's tests follow
those of the engine, when the kernels that they need are compiled.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

# Files whose tests search by a test of their own, d-separation in a known graph: where kernels for it are not
# kept from an earlier run, one process compiles them for all.
_BY_SEPARATION = (
    "tests/engine/boundaries/test_oracle.py",
    "tests/engine/discovery/test_oracle.py",
    "tests/engine/discovery/test_orientation.py",
    "tests/engine/independence/test_separation.py",
    "tests/engine/selection/test_boundaries.py",
)
# Files that parse every source of the program: as it is, and for the messages of the pseudo-language.
_OF_SOURCES = (
    "tests/contract/test_house.py",
    "tests/contract/test_sentences.py",
    "tests/contract/test_walk_of_alpha.py",
)
_IN_PSEUDO_LANGUAGE = (
    "tests/engine/comparison/selectors/test_selection_pictures.py",
    "tests/engine/comparison/test_benchmark_files.py",
    "tests/engine/reporting/test_another_language.py",
    "tests/engine/test_terminal_in_another_language.py",
    "tests/gui/test_pseudo_language.py",
)
_TOGETHER = {file: files[0] for files in (_BY_SEPARATION, _OF_SOURCES, _IN_PSEUDO_LANGUAGE) for file in files}
# Those that take ten seconds, or eight of the window's: the latter come last, and decide who is left alone.
_LONGEST = (
    _BY_SEPARATION[0],
    _IN_PSEUDO_LANGUAGE[0],
    "tests/engine/independence/test_calibration.py",
    "tests/engine/test_kernel_cache.py",
    "tests/engine/discovery/test_direction_tables.py",
    "tests/engine/discovery/test_cluster.py",
    "tests/engine/reporting/test_script.py",
    "tests/engine/independence/test_basis_levels.py",
    "tests/contract/test_command_line.py",
    "tests/engine/comparison/selectors/test_selection_comparison.py",
    "tests/engine/reporting/test_figures.py",
    "tests/engine/independence/test_random_fourier.py",
    "tests/engine/discovery/test_row_weights.py",
    "tests/engine/discovery/test_last_pass.py",
    "tests/engine/readers/test_joining.py",
    "tests/engine/independence/test_discrete.py",
    "tests/engine/boundaries/test_second_opinion.py",
    "tests/engine/discovery/test_discover.py",
    "tests/engine/comparison/test_benchmark.py",
    "tests/engine/discovery/test_session.py",
    "tests/gui/test_working_process.py",
    "tests/gui/test_comparison.py",
    "tests/gui/test_comparing_windows.py",
    "tests/gui/test_misread_tables.py",
    "tests/gui/test_export_actions.py",
    "tests/gui/test_themes.py",
    "tests/gui/test_while_working.py",
    "tests/gui/test_three_people.py",
    "tests/gui/test_import_page.py",
    "tests/gui/test_benchmark_window.py",
    "tests/gui/test_report_page.py",
    "tests/gui/test_help.py",
    "tests/gui/test_live.py",
    "tests/gui/test_settling.py",
    "tests/gui/test_leaving.py",
    "tests/gui/test_monkey.py",
    "tests/gui/test_result_graph.py",
    "tests/gui/test_results_page.py",
    "tests/gui/test_reading_process.py",
    "tests/gui/test_runs_page.py",
    "tests/gui/test_selection_export.py",
    "tests/gui/test_pages.py",
    "tests/gui/test_selection_page.py",
    "tests/gui/test_first_rows.py",
    "tests/gui/test_chart_view.py",
    "tests/gui/test_projects.py",
    "tests/gui/test_how_sure.py",
    "tests/gui/test_window.py",
    "tests/gui/test_next_table.py",
    "tests/gui/test_closed_table.py",
    "tests/gui/test_emotions_journey.py",
    "tests/gui/test_preparing.py",
    "tests/gui/test_column_page.py",
    "tests/gui/test_row_split.py",
    "tests/gui/test_claims.py",
    "tests/gui/test_event_variants.py",
    "tests/gui/test_running.py",
    "tests/gui/test_killed_exports.py",
)
_WINDOW = "tests/gui/"


class ByFile(LoadScopeScheduling):
    """Gives a process all tests of a file, or of files that compile the same, in the order of collection."""

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)


def scope_of(nodeid: str) -> str:
    """Return the file, or the first of those that go with it, that is not divided between processes."""
    file = nodeid.partition("::")[0]
    return _TOGETHER.get(file, file)


def rank(nodeid: str) -> tuple[bool, int]:
    """Return what tests are ordered by: those of the engine first, and of these the longest."""
    scope = scope_of(nodeid)
    return nodeid.startswith(_WINDOW), _LONGEST.index(scope) if scope in _LONGEST else len(_LONGEST)
