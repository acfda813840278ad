"""``handoff-lsp new``: where it writes, and its errors. ``tests/contracts`` tests the written text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.main import main


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["new", *arguments])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_to_standard_output(run: Any) -> None:
    done = run("new", "status-block", "--profile", "reviewer", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode("utf-8")
    assert text.startswith("# <feature name…> — Handoff from Reviewer\n\n## Status\n\n<complete | ")
    assert text.endswith("## Open Questions\n")


def test_to_a_file_and_never_over_another(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "agent-contract", "-o", "turn.md") == (0, "", "")
    text = (here / "turn.md").read_text(encoding="utf-8")
    assert text.startswith("```agent_contract_handoff\n{\n")
    (here / "turn.md").write_text("mine\n", encoding="utf-8")
    code, _, err = told(capsys, "agent-contract", "-o", "turn.md")
    assert code == 2
    assert "turn.md already exists; `--force` overwrites it" in err
    assert (here / "turn.md").read_text(encoding="utf-8") == "mine\n"
    assert told(capsys, "agent-contract", "-o", "turn.md", "--force") == (0, "", "")
    assert (here / "turn.md").read_text(encoding="utf-8") == text


def test_placeholders_of_a_new_handoff_are_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "status-block", "--profile", "tester", "-o", "tester-handoff.md")[0] == 0
    assert main(["check", "tester-handoff.md"]) == 1
    assert "placeholder-left" in capsys.readouterr().out
    assert main(["parse", "--output-format", "json", "tester-handoff.md"]) == 1
    assert '"profile": "tester", "mode": "handoff"' in capsys.readouterr().out


def test_a_template(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "status-block", "--mode", "template", "-o", "t.md")[0] == 0
    assert main(["check", "t.md"]) == 0
    assert (here / "t.md").read_text(encoding="utf-8").startswith("# {feature name} — Handoff from {agent role}\n")


def test_the_profile_of_the_config_is_used(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".handoff-lsp.toml").write_text('[contracts.agent-contract]\nprofile = "gaia-5.4"\n', encoding="utf-8")
    assert '"agent_state"' in told(capsys, "agent-contract")[1]
    assert '"plan_status"' in told(capsys, "agent-contract", "--profile", "gaia-5.0")[1]


def test_the_path_decides_contract_and_profile(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "handoffs").mkdir()
    (here / ".agent").mkdir()
    assert told(capsys, "-o", "handoffs/backend-reviewer-handoff.md") == (0, "", "")
    text = (here / "handoffs/backend-reviewer-handoff.md").read_text(encoding="utf-8")
    assert text.startswith("# <feature name…> — Handoff from Reviewer\n")
    assert told(capsys, "status-block", "-o", "handoffs/dev-handoff.md") == (0, "", "")
    assert "Handoff from Developer" in (here / "handoffs/dev-handoff.md").read_text(encoding="utf-8")
    assert told(capsys, "-o", ".agent/activity.log") == (0, "", "")
    assert "[START]" in (here / ".agent/activity.log").read_text(encoding="utf-8")


def test_a_path_at_which_it_is_not_recognized_is_noted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = told(capsys, "activity-log", "-o", "my.log")
    assert code == 0
    assert err == "handoff-lsp: note: it counts as activity-log only at `.agent/activity.log`\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["status-blok"], "unknown contract `status-blok`; did you mean `status-block`?"),
        (["xyzzy"], "unknown contract `xyzzy`; known are activity-log, "),
        (["status-block", "--profile", "revewer"], "has no profile `revewer`; did you mean `reviewer`?"),
        (["agent-contract", "--profile", "x"], "has no profile `x`; it has gaia-5.0, gaia-5.4"),
        (["status-block", "--mode", "example"], "unknown value `example`"),
        (["status-block", "-o", "."], "is a folder: name a file in it"),
        (["status-block", "-o", "/dev/null/where.md"], "cannot create the folder /dev/null: "),
        (["status-block", "--config", "no.toml"], "no.toml"),
        ([], "name a CONTRACT, or a file with --output whose path decides it"),
        (["-o", "x.json"], "the path x.json does not decide the contract; it can be agent-input, agent-status"),
    ],
)
def test_every_error_says_what_to_do(
    here: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = told(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.endswith("See `handoff-lsp new --help`.\n")
    assert list(here.iterdir()) == []


def test_the_folder_of_a_new_handoff_is_created(here: Path) -> None:
    assert main(["new", "-o", "handoffs/board/backend-dev-handoff.md"]) == 0
    assert (here / "handoffs" / "board" / "backend-dev-handoff.md").read_text(encoding="utf-8").startswith("# ")
