"""``handoff-lsp explain``: pages about rules, contracts and fields, for a terminal or as Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.cli.explain import as_text
from handoff_lsp.cli.main import main
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.features.pages.contract_pages import all_fields
from handoff_lsp.features.pages.topics import page
from handoff_lsp.rules.registry import all_rules


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["explain", *arguments])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, "missing-status")
    assert (code, err) == (0, "")
    assert out.startswith("`missing-status` · missing content · error · ")
    assert "\nHOW TO FIX\n" in out
    assert "**" not in out


def test_a_contract_shows_how_it_is_recognized_and_names_its_fields(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "agent-contract")
    assert "Recognized as\n\n- A fence that is tagged `agent_contract_handoff` and holds JSON" in out
    assert "- `agent_status.plan_status` (required) — " in out
    _, out, _ = told(capsys, "agent-contract@gaia-5.4")
    assert "FIELDS IN PROFILE `GAIA-5.4`" in out.upper()
    assert "`agent_status.agent_state`" in out


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("status-block.abstract.verdict", "profile `handoff`"),
        ("status-block@reviewer.abstract.verdict", "profile `reviewer`"),
        ("agent-contract@gaia-5.4.agent_status.agent_state", "profile `gaia-5.4`"),
        # A field that only another profile has, and one by its title.
        ("agent-contract.agent_status.agent_state", "profile `gaia-5.4`"),
        ("status-block.Status reason", "`Status reason`"),
    ],
)
def test_a_field(name: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, name)
    assert code == 0
    assert words in out
    assert "Required" in out


def test_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "agent-contract@gaia-5.4.agent_status.agent_state=complete")
    assert code == 0
    assert out.startswith("`COMPLETE` · value of ")
    assert "\nThen: Goes on to the next step." in out


def test_markdown_is_the_page_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "count-mismatch", "--output-format", "markdown")
    assert "## How to fix" in out


def test_the_list_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "--list")
    assert code == 0
    for name in [*all_rules(), *builtin().names]:
        assert f"- `{name}` — " in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mising-status"], "did you mean `missing-status`?"),
        (["status-blok"], "did you mean `status-block`?"),
        (["xyzzy"], "see `handoff-lsp explain --list`"),
        (["status-block.abstract.verdit"], "did you mean `abstract.verdict`?"),
        (["status-block@reviewr.status"], "did you mean `reviewer`?"),
        (["status-block.xyzzy"], "see `handoff-lsp explain status-block@handoff`"),
        (["status-block.status=blokced"], "did you mean `blocked`?"),
        (["status-block.status=xyzzy"], "its values are complete, blocked, failed, incomplete"),
        ([], "--list"),
        (["status-block", "--list"], "`--list` takes no name"),
    ],
)
def test_every_error_says_what_to_do(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.endswith("See `handoff-lsp explain --help`.\n")


@pytest.mark.parametrize("name", builtin().names)
def test_every_field_of_every_profile_has_a_page(name: str) -> None:
    entry = builtin()[name]
    for profile in entry.contract.profiles:
        for path, _ in all_fields(entry.spec(profile)):
            text = as_text(page(f"{name}@{profile}.{path}", builtin()).markdown, 80)
            assert f"profile `{profile}`" in " ".join(text.split())


def test_text_is_wrapped_and_code_kept() -> None:
    markdown = (
        "**Bold** and \\*stars\\* and `**code**` "
        + "word " * 20
        + "\n\n```yaml\n  a: 1   # as it is\n```\n- one\n  two"
    )
    text = as_text(markdown, 40)
    assert text.startswith("Bold and *stars* and `**code**` word\n")
    assert "\n      a: 1   # as it is\n" in text
    assert text.endswith("- one two")
    assert max(len(line) for line in text.split("\n")) <= 40


def test_a_workspaces_own_contract_is_explained_too(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "own.yaml").write_text(
        "contract: own\ntitle: Own\nabout: Ours.\nstatus: state\nunread: nothing happens\ndefault_profile: one\n"
        "profiles: {one: {about: The only one}}\nfence: {tags: {own: own}}\n"
        "fields: {state: {type: line, required: true, about: How it went., because: It decides.}}\n",
        encoding="utf-8",
    )
    (here / ".handoff-lsp.toml").write_text('contract-files = ["own.yaml"]\n', encoding="utf-8")
    code, out, _ = told(capsys, "own.state")
    assert code == 0
    assert "How it went." in out
