"""Shared by all tests: the corpus beside the clone, and the switch that turns a skip into a failure."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """In CI nothing may be absent: a skip is a failure there."""
    outcome: Any = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("HANDOFF_LSP_NO_SKIPS") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but HANDOFF_LSP_NO_SKIPS is set: {report.longrepr}"


def pytest_collection_finish() -> None:
    """What is collected stays: as in the server, no collection of garbage has to look at it again."""
    gc.collect()
    gc.freeze()
    # Each check makes thousands of objects; by default that is several collections in each.
    gc.set_threshold(5_000, 5, 10)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each test goes to the next process that is free, those of VS Code all to one: they share what is built."""
    from xdist.scheduler import LoadScopeScheduling

    class OneForVSCode(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "vscode" if "editors/vscode/" in nodeid else nodeid

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            super().mark_test_complete(node, item_index, duration)
            # What is done is counted again after each test, unless it is dropped.
            scope, given = self._split_scope(self.registered_collections[node][item_index]), self.assigned_work[node]
            if all(given[scope].values()):
                del given[scope]

    return OneForVSCode(config, log)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Real files from public repositories; they stay where they are and tests only read them."""
    folder = SHARED / "corpus"
    if not folder.is_dir():
        pytest.skip("no corpus: ../shared/corpus is not beside this clone")
    return folder
