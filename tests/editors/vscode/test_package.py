"""The packed extension."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path


def test_it_is_small_and_holds_no_sources(vsix: Path) -> None:
    assert vsix.stat().st_size < 1_600_000  # the whole server, 0.1 MB of it the Japanese texts
    with zipfile.ZipFile(vsix) as packed:
        names = packed.namelist()
    assert "extension/package.json" in names
    assert {"extension/LICENSE.txt", "extension/dist/ThirdPartyNotices.txt"} < set(names)
    assert [name for name in names if name.startswith("extension/server/handoff_lsp-") and name.endswith(".whl")]
    assert not [name for name in names if name.endswith((".ts", ".map")) or "node_modules" in name]


def test_its_own_tests_pass(npm: Callable[..., None]) -> None:
    npm("run", "--silent", "test")
