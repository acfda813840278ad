"""Emacs with Eglot, the real ones, with `editors/emacs/handoff-lsp.el` loaded, as a user sees them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import editors.workspace as made
import pytest
from editors.programs import program

from handoff_lsp.contracts.registry import builtin

PACKAGE = made.ROOT / "editors" / "emacs"
DRIVER = Path(__file__).with_name("drive.el")
EMACS = "emacs"


def emacs(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Emacs without a screen and without a user's configuration."""
    command = [program(EMACS), "--batch", "-Q", "-L", str(PACKAGE), *arguments]
    reading = {"encoding": "utf-8", "errors": "replace", "timeout": 120}
    return subprocess.run(command, capture_output=True, check=False, **reading, **options)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The results of one session."""
    workspace = made.make(tmp_path_factory.mktemp("emacs"))
    out = workspace.root.parent / "out.json"
    new = workspace.root / "handoffs" / "board" / "new-dev-handoff.md"
    files = {key: str(getattr(workspace, key)) for key in ("handoff", "ordinary", "status")}
    asked = json.dumps({**files, "new": str(new), "fix": made.STATUS_FIX, "out": str(out)})
    done = emacs("-l", str(DRIVER), env={**workspace.environment, "HANDOFF_TEST": asked})
    assert out.exists(), done.stderr
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert "error" not in found, (found["error"], found["messages"])
    return {**found, "workspace": workspace}


def marked(problems: list[dict[str, Any]], words: str) -> list[tuple[int, int, str]]:
    """Line, column and marked text of the problems with these words in their messages."""
    return [(each["line"], each["column"], each["marked"]) for each in problems if words in each["text"]]


def test_the_squiggle_is_on_the_right_characters(seen: dict[str, Any]) -> None:
    assert seen["encoding"] == "utf-32"
    assert marked(seen["problems"], "verdict") == [(made.VERDICT_LINE, 10, made.WRONG)]
    title = made.HANDOFF.partition("\n")[0].removeprefix("# ")
    assert marked(seen["problems"], "Missing status `Status`") == [(1, 2, title)]


def test_what_is_corrected_is_complained_about_no_more(seen: dict[str, Any]) -> None:
    assert len(seen["after_typing"]) == len(seen["problems"]) - 1
    assert not marked(seen["after_typing"], "verdict")


def test_the_quick_fix_inserts_the_status_block(seen: dict[str, Any]) -> None:
    assert made.STATUS_FIX in seen["fixes"]
    before, after = seen["fixed"].split("## Status\n")
    assert before.startswith("# Board title 🚀") and "\nverdict: n/a\n" in after


def test_completion_and_hover(seen: dict[str, Any]) -> None:
    assert "n/a" in seen["completion"]
    assert "verdict" in seen["hover"]


def test_json_has_the_same_server(seen: dict[str, Any]) -> None:
    assert seen["same_server"]
    assert marked(seen["json_problems"], "railing comma") == [(9, 38, ",")]


def test_ordinary_markdown_is_left_alone(seen: dict[str, Any]) -> None:
    assert not seen["note_alone"] and not seen["note_later"]


def test_commands(seen: dict[str, Any]) -> None:
    assert seen["checked"] and seen["routing"]
    assert "## Status" in seen["new"]
    assert "missing-status" in seen["explained"]
    assert "utf-32" in seen["doctor"] and "board-dev-handoff.md" in seen["doctor"]


def test_commands_where_no_server_is_at_work(seen: dict[str, Any]) -> None:
    assert "## Status" in seen["new_anywhere"]
    assert "utf-32" in seen["doctor_anywhere"]
    assert seen["routing_anywhere"] == "This buffer visits no file"


def test_where_markdown_has_no_mode_that_is_reported(seen: dict[str, Any]) -> None:
    assert seen["no_mode"]


def test_nothing_is_left_running(seen: dict[str, Any]) -> None:
    assert len(seen["workspace"].servers()) == 1  # one for all files and languages
    assert seen["workspace"].ended()


@pytest.mark.parametrize("name", ["handoff-lsp.el", "lsp-handoff.el"])
def test_documentation_is_as_emacs_wants_it(name: str) -> None:
    checked = emacs("--eval", f'(checkdoc-file "{PACKAGE / name}")')
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_files_that_contracts_place_count_as_handoffs() -> None:
    places = [f"/work/{place}" for entry in builtin() for place in entry.contract.locations]
    others = ["/work/README.md", "/work/docs/design.md", "/work/package.json", "/work/build.log"]
    asked = " ".join(json.dumps(path) for path in [*places, *others])
    judged = "(lambda (path) (let ((buffer-file-name path)) (if (handoff-lsp--handoff-p) 1 0)))"
    lisp = f"(princ (mapcar {judged} '({asked})))"
    told = emacs("-l", "handoff-lsp", "--eval", lisp)
    assert places and told.stdout == f"({' '.join(['1'] * len(places) + ['0'] * len(others))})"


def test_lsp_mode_gets_an_add_on_for_handoffs(tmp_path: Path) -> None:
    """With stand-ins for the definitions of lsp-mode, which cannot be installed everywhere."""
    (tmp_path / "lsp-mode.el").write_text(
        "(defvar lsp-language-id-configuration nil) (defvar client nil)"
        "(defun make-lsp-client (&rest said) said) (defun lsp-stdio-connection (command) (funcall command))"
        "(defun lsp-register-client (said) (setq client said)) (provide 'lsp-mode)"
    )
    active = "(lambda (path) (and (funcall (plist-get client :activation-fn) path 'markdown-mode) t))"
    asked = f'(mapcar {active} (list "/work/handoffs/a.md" "/work/notes.md"))'
    lisp = f"(princ (list (plist-get client :new-connection) (plist-get client :add-on?) {asked}))"
    told = emacs("-L", str(tmp_path), "-l", "lsp-handoff", "--eval", lisp)
    assert told.stdout == "((handoff-lsp server) t (t nil))", told.stderr


def test_it_compiles_without_a_warning(tmp_path: Path) -> None:
    source = tmp_path / "handoff-lsp.el"
    source.write_text((PACKAGE / source.name).read_text())
    done = emacs("--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile", str(source))
    assert (done.returncode, done.stderr) == (0, "")
