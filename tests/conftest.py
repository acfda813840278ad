"""Shared by all tests: the corpus beside the clone, and the switch that turns a skip into a failure."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.environment import AGENTS, FORMAT, PLACES

# A shell ignores Ctrl-C in what it starts in the background, and processes inherit that: the tests press Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

# The tests that `make quick` leaves out, by prefixes of node ids. They drive real editors, repeat cases in another
# encoding or line ending, take every beginning, every place or hostile sizes, or start a server of their own for each
# test: the server's answers to requests are in tests/editing, where all cases share one.
HEAVY = (
    "tests/cli/hooks/test_any_input.py",
    "tests/cli/test_fix_everywhere.py",
    "tests/cli/test_report_in_chromium.py",
    "tests/cli/test_action.py::test_the_action_installs_itself",
    "tests/cli/test_pre_commit.py::test_the_hooks_run",
    "tests/cli/hooks/test_bounds.py",
    "tests/cli/hooks/test_corrections.py",
    "tests/contracts/test_detect_evidence.py::test_only_of_a_handoff",
    "tests/contracts/test_mutants.py",
    "tests/editing/test_editing.py::test_case[utf-32-",
    "tests/editing/test_editing.py::test_case[utf-8-",
    "tests/editing/test_survival.py",
    "tests/editors/",
    "tests/features/schemas/test_fields_schema.py::test_generated_models",
    "tests/features/schemas/test_output_schemas.py",
    "tests/features/test_actions_properties.py",
    "tests/features/test_completion_json.py::test_nothing_that_is_taken_breaks_more",
    "tests/features/test_data_files.py::test_every_feature_works_at_every_place",
    "tests/features/test_decisions.py::test_every_view_of_a_case",
    "tests/features/test_decisions.py::test_no_decision_goes_on_over_a_finding_of_a_real_file",
    "tests/features/test_first_fixes.py",
    "tests/features/test_fix_laws.py",
    "tests/features/test_fixes.py::test_each_fix",
    "tests/features/test_fixes_decide_nothing.py",
    "tests/features/test_formatting_properties.py",
    "tests/features/test_robustness.py",
    "tests/features/test_set_status.py",
    "tests/features/test_silencing.py",
    "tests/features/test_skeletons.py",
    "tests/features/test_structure.py::test_every_beginning",
    "tests/features/test_structure.py::test_handoffs_of_all_formats",
    "tests/fuzz/",
    "tests/mcp/test_hostile.py",
    "tests/mcp/test_roots.py",
    "tests/mcp/test_same_findings.py",
    "tests/prompts/test_agreeing_packs.py::test_hardly",
    "tests/prompts/test_agreeing_packs.py::test_nearly",
    "tests/server/test_across_files.py",
    "tests/server/test_clients.py",
    "tests/server/test_code_actions.py",
    "tests/server/test_command_doctor.py",
    "tests/server/test_command_list.py",
    "tests/server/test_commands.py",
    "tests/server/test_faults.py",
    "tests/server/test_fence.py",
    "tests/server/test_formatting.py",
    "tests/server/test_forms.py",
    "tests/server/test_framing.py",
    "tests/server/test_graph.py",
    "tests/server/test_process.py",
    "tests/server/test_profiles.py",
    "tests/server/test_scheduling.py",
    "tests/server/test_settings.py",
    "tests/server/test_start.py",
    "tests/server/test_soak.py",
    "tests/server/test_structure.py",
    "tests/server/test_sync.py",
    "tests/server/test_typing.py",
    "tests/server/test_watching.py",
    "tests/server/test_workspace_check.py",
    "tests/server/test_workspace_diagnostics.py",
    "tests/site/test_site.py",
    "tests/syntax/test_json.py::test_agrees_on_any_text",
    "tests/syntax/test_json.py::test_depth",
    "tests/syntax/test_json.py::test_hostile_texts",
    "tests/syntax/test_json.py::test_known_damage_is_repaired",
    "tests/syntax/test_markdown.py::test_any",
    "tests/syntax/test_markdown.py::test_many_lines_take_linear_time",
    "tests/syntax/test_markdown.py::test_reading_again_after",
    "tests/syntax/test_outline.py::test_every_prefix",
    "tests/syntax/test_outline.py::test_time_grows_with_the_text",
    "tests/test_bounds.py",
    "tests/test_growth.py",
    "tests/test_cases.py::test_findings_are_those_written_beside_the_lines[CRLF-",
    "tests/test_conformance.py",
    "tests/test_prefixes.py",
    "tests/test_promises.py",
    "tests/test_trust.py",
    "tests/test_verdicts.py",
    "tests/test_wild.py",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `make quick` leaves out."""
    for item in items:
        if item.nodeid.startswith(HEAVY):
            item.add_marker(pytest.mark.heavy)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """In CI nothing may be absent: a skip is a failure there. Real files are, where $HANDOFF_LSP_NO_SHARED says so."""
    outcome: Any = yield
    report = outcome.get_result()
    if os.environ.get("HANDOFF_LSP_NO_SHARED") and "is not beside this clone" in str(report.longrepr):
        return
    if report.skipped and os.environ.get("HANDOFF_LSP_NO_SKIPS") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but HANDOFF_LSP_NO_SKIPS is set: {report.longrepr}"


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads or writes the cache of the user who runs it."""
    os.environ["HANDOFF_LSP_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True, scope="session")
def no_agent() -> None:
    """The output of the command is that for people, even if an AI agent runs the tests."""
    for name in (*AGENTS, *PLACES, FORMAT):
        os.environ.pop(name, None)


def pytest_collection_finish() -> None:
    """The collected tests stay, so, as in the server, the garbage collector can skip them."""
    gc.collect()
    gc.freeze()
    # Each check makes thousands of objects; by default that is several collections in each.
    gc.set_threshold(5_000, 5, 10)


# Folders whose tests share something that takes long to build.
_SHARING = ("tests/editors/vscode/", "tests/site/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each test goes to the next free process; those that share a build all go to one."""
    from xdist.scheduler import LoadScopeScheduling

    class OneForEachBuild(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((room for room in _SHARING if room in nodeid), nodeid)

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            super().mark_test_complete(node, item_index, duration)
            # Finished work is counted again after each test, unless it is dropped.
            scope, given = self._split_scope(self.registered_collections[node][item_index]), self.assigned_work[node]
            if all(given[scope].values()):
                del given[scope]

    return OneForEachBuild(config, log)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Real files from public repositories; they stay where they are and tests only read them."""
    folder = SHARED / "corpus"
    if not folder.is_dir():
        pytest.skip("no corpus: ../shared/corpus is not beside this clone")
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """For a module and not for the session: while Playwright runs, no other test can run an event loop."""
    from editors.programs import FLAGS, program  # not before it is needed

    executable = program("chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: requirements/editors.txt has it")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()
