"""Vim with ALE, the real ones, with `editors/vim` on the runtime path, as a user sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import editors.workspace as made
import pytest
from editors.programs import cache, program
from editors.terminal import Terminal
from editors.workspace import wait_until

from handoff_lsp.contracts.registry import builtin

PLUGIN = made.ROOT / "editors" / "vim"
DRIVER = Path(__file__).with_name("drive.vim")
PLACES = [place for entry in builtin() for place in entry.contract.locations]


def ale() -> Path:
    """The folder of ALE: in the cache, else Debian's. Without one the test is skipped."""
    for folder in (cache() / "vim-ale", Path("/usr/share/vim-ale")):
        if (folder / "plugin" / "ale.vim").exists():
            return folder
    pytest.skip("no ALE here: `bash .ci/editors vim` installs it")


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All that was seen in one session."""
    vim = program("vim")
    workspace = made.make(tmp_path_factory.mktemp("vim"))
    out = workspace.root.parent / "out.json"
    files = {key: str(getattr(workspace, key)) for key in ("handoff", "ordinary", "status", "started")}
    files["log"] = str(workspace.status.with_name("activity.log"))
    asked = json.dumps({**files, "places": PLACES, "ale": str(ale()), "plugin": str(PLUGIN), "out": str(out)})
    command = [vim, "-n", "-i", "NONE", "-u", str(DRIVER)]
    # Vim waits where it has no terminal.
    with Terminal("vim", command, workspace.root, {**workspace.environment, "HANDOFF_TEST": asked}) as terminal:
        assert wait_until(out.exists, 120), terminal.screen()
        assert terminal.ended()
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert "error" not in found, (found["error"], found["messages"])
    return {**found, "workspace": workspace}


def places(problems: list[dict[str, Any]], words: str) -> list[tuple[int, int, int]]:
    """Line, first and last column of the problems with these words in their messages."""
    return [(each["line"], each["column"], each["end"]) for each in problems if words in each["text"]]


def test_problems_are_on_their_lines_and_columns(seen: dict[str, Any]) -> None:
    title = made.HANDOFF.partition("\n")[0]
    before, wrong = "verdict: 🚀", made.WRONG
    assert places(seen["problems"], "Missing status `Status`") == [(1, 3, units(title))]
    assert places(seen["problems"], "verdict") == [(made.VERDICT_LINE, units(before) + 1, units(before + wrong))]
    assert {"missing-status", "invalid-value"} <= {each["code"] for each in seen["problems"]}


def units(text: str) -> int:
    """The length as ALE counts, which takes the server's UTF-16 units for columns."""
    return len(text.encode("utf-16-le")) // 2


def test_what_is_corrected_is_complained_about_no_more(seen: dict[str, Any]) -> None:
    assert len(seen["after_typing"]) == len(seen["problems"]) - 1


def test_hover(seen: dict[str, Any]) -> None:
    assert "verdict" in seen["hover"]


def test_the_quick_fix_inserts_the_status_block(seen: dict[str, Any]) -> None:
    before, after = seen["fixed"].split("## Status\n")
    assert before.startswith("# Board title 🚀") and "\nverdict: n/a\n" in after


def test_json_and_logs(seen: dict[str, Any]) -> None:
    assert places(seen["json_problems"], "railing comma") == [(9, 39, 39)]
    assert seen["log_filetype"] == "log"


def test_files_that_contracts_place_count_as_handoffs(seen: dict[str, Any]) -> None:
    assert seen["places"] == PLACES
    assert seen["comments"] == [1, 0]


def test_ordinary_markdown_starts_nothing(seen: dict[str, Any]) -> None:
    assert (seen["filetype"], seen["started_by_note"]) == ("markdown", 0)


def test_nothing_is_left_running(seen: dict[str, Any]) -> None:
    assert seen["workspace"].servers()
    assert seen["workspace"].ended()
