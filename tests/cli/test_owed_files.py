"""Files that an agent must write, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.cli.main import main

CONFIG = """\
[agents.reporter]
returns = "status-block"
profile = "developer"
where = "file"
files = ["handoffs/*.md"]
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace whose config says who writes the files in `handoffs`."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "handoffs").mkdir()
    (tmp_path / ".handoff-lsp.toml").write_text(CONFIG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that `check` prints, up to the summary."""
    main(["check", *arguments, "--output-format", "concise", "--no-cache"])
    return capsys.readouterr().out.splitlines()


def test_the_folder_is_checked(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {"01.md": "", "02.md": "All is done.\n", "README.md": "", "a-template.md": "# <title>\n"}.items():
        (workspace / "handoffs" / name).write_text(text, encoding="utf-8")
    empty, missing, *_ = check(capsys, ".")
    assert empty.startswith("handoffs/01.md:1:1: error[empty-return] `")
    assert missing.startswith("handoffs/02.md:1:1: error[missing-handoff]")
    assert not any("README" in line or "template" in line for line in check(capsys, "."))


def test_an_unsafe_fix_inserts_the_block(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = workspace / "handoffs" / "01.md"
    file.write_text("Notes.\n", encoding="utf-8")
    check(capsys, ".", "--fix")
    assert file.read_text(encoding="utf-8") == "Notes.\n"
    check(capsys, ".", "--fix", "--unsafe-fixes")
    written = file.read_text(encoding="utf-8")
    assert written.startswith("Notes.\n\n# <feature name…> — Handoff from Developer\n")
    # What is to be filled in is still no return.
    assert main(["check", ".", "--no-cache"]) == 1


def test_a_config_that_changes_counts_for_the_cache(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(12):
        (workspace / "handoffs" / f"{number}.md").write_text("Notes.\n", encoding="utf-8")
    cache = ["--cache-dir", str(workspace / "cache")]
    for _ in range(2):
        assert main(["check", ".", *cache]) == 1
    (workspace / ".handoff-lsp.toml").write_text("[agents.reporter]\nreturns = false\n", encoding="utf-8")
    assert main(["check", ".", *cache]) == 0
    (workspace / ".handoff-lsp.toml").write_text(CONFIG, encoding="utf-8")
    assert main(["check", ".", *cache]) == 1


def test_a_definition_that_changes_counts_for_the_cache(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    definition = workspace / ".claude" / "agents" / "delivery-flow.md"
    definition.parent.mkdir(parents=True)
    (workspace / "docs").mkdir()
    for name in ["DELIVERY_RESULT.md", *(f"{number}.md" for number in range(12))]:
        (workspace / "docs" / name).write_text("", encoding="utf-8")
    cache = ["--cache-dir", str(workspace / "cache")]
    for text, code in (("Write it.\n", 0), ("Write DELIVERY_RESULT.\n", 1), ("Write it again.\n", 0)):
        definition.write_text(text, encoding="utf-8")
        for _ in range(2):
            assert main(["check", "docs", *cache]) == code


def test_an_agent_of_which_nothing_is_known(run: object, workspace: Path) -> None:
    """A misspelled name is named, so that nobody takes its silence for a clean return."""
    unknown = run("check", "-", "--agent", "sdd-aply", stdin=b"Done.\n")  # type: ignore[operator]
    assert unknown.returncode == 0
    assert b"warning: nothing says what `sdd-aply` owes" in unknown.stderr
    (workspace / ".handoff-lsp.toml").write_text("[agents.sdd-aply]\nreturns = false\n", encoding="utf-8")
    assert run("check", "-", "--agent", "sdd-aply", stdin=b"Done.\n").stderr == b""  # type: ignore[operator]
