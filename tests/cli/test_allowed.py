"""Values on which prompts may disagree, by the config."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.cli.main import main
from handoff_lsp.contracts.options import Allowed
from handoff_lsp.workspace.config.resolver import Resolver

AUTHOR = """\
# Author

If there is nothing to do, return `STATUS: skipped`. End with an `AGENT_RESULT` block, see `rules/protocol.md`.
"""
PROTOCOL = """\
# Protocol

Each agent ends with an `AGENT_RESULT` block: `STATUS: success | error | blocked`.
"""
ENTRY = """\
[[prompts.allow]]
field = "STATUS"
value = "skipped"
because = "doc-flow reads it"
"""


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path, text in {"agents/author.md": AUTHOR, "rules/protocol.md": PROTOCOL, "agents/other.md": AUTHOR}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(capsys: pytest.CaptureFixture[str]) -> list[str]:
    main(["check", "--no-cache", "--output-format", "concise", "."])
    return [line.split(": ")[0] for line in capsys.readouterr().out.splitlines() if "prompts-disagree" in line]


def test_without_an_entry_both_are_reported(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(capsys) == ["agents/author.md:3:44", "agents/other.md:3:44"]


@pytest.mark.parametrize(
    ("entry", "left"),
    [
        (ENTRY, []),
        (ENTRY.replace("skipped", "Skipped"), []),
        (ENTRY + 'agent = "author"\n', ["agents/other.md:3:44"]),
        (ENTRY.replace("STATUS", "NEXT"), ["agents/author.md:3:44", "agents/other.md:3:44"]),
        (ENTRY.replace("skipped", "error"), ["agents/author.md:3:44", "agents/other.md:3:44"]),
        ('[[prompts.allow]]\nagent = "other-agent"\nbecause = "it is a draft"\n', ["agents/author.md:3:44"]),
    ],
)
def test_an_entry_allows_what_it_names(
    pack: Path, capsys: pytest.CaptureFixture[str], entry: str, left: list[str]
) -> None:
    (pack / ".handoff-lsp.toml").write_text(entry, encoding="utf-8")
    assert found(capsys) == left


def test_an_unknown_value_and_an_unknown_agent_may_be_allowed(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "agents" / "author.md").write_text(
        "# Author\n\nEnd with an `AGENT_RESULT` block: `STATUS: postponed`, `NEXT: quarry-surveyor`.\n",
        encoding="utf-8",
    )
    rules = ["--select", "unknown-value-in-prompt", "--select", "unknown-agent"]
    assert main(["check", "--no-cache", *rules, "agents/author.md"]) == 1
    out = capsys.readouterr().out
    assert "has no `STATUS` `postponed`" in out and "No agent `quarry-surveyor` is defined" in out
    allowed = "".join(
        f'[[prompts.allow]]\nvalue = "{one}"\nbecause = "x"\n' for one in ("postponed", "quarry-surveyor")
    )
    (pack / ".handoff-lsp.toml").write_text(allowed, encoding="utf-8")
    assert main(["check", "--no-cache", *rules, "agents/author.md"]) == 0


def test_entries_of_an_extended_config_count_too(pack: Path) -> None:
    (pack / "shared.toml").write_text(ENTRY, encoding="utf-8")
    own = 'extend = "shared.toml"\n' + ENTRY.replace("skipped", "late")
    (pack / ".handoff-lsp.toml").write_text(own, encoding="utf-8")
    assert Resolver().options(pack / "agents" / "author.md").allowed == (
        Allowed("STATUS", "skipped", "", "doc-flow reads it"),
        Allowed("STATUS", "late", "", "doc-flow reads it"),
    )


def test_config_show_has_each_list_with_its_line(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / ".handoff-lsp.toml").write_text(ENTRY, encoding="utf-8")
    assert main(["config", "show", "agents/author.md"]) == 0
    assert "prompts.allow" in capsys.readouterr().out
