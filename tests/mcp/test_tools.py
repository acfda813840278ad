"""Each tool, called by a client of the SDK over a real connection."""

from __future__ import annotations

import hashlib
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import handoff_lsp
from handoff_lsp.cli.main import main
from handoff_lsp.reports.data import from_data
from handoff_lsp.reports.report import Fix

from .conftest import BAD, GOOD, Connect, Session

RETURN = "**Status**: success\n**Summary**: Done.\n**Artifacts**: a.md\n**Next**: sdd-verify\n**Risks**: None\n"


@pytest.fixture
def printed(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The output of the command in the workspace."""

    def run(*arguments: str) -> str:
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
        monkeypatch.chdir(workspace)
        monkeypatch.setattr(sys, "stdout", out)
        main(arguments)
        out.flush()
        return out.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]

    return run


def test_the_tools_describe_themselves(session: Session) -> None:
    tools = {tool.name: tool for tool in session.tools()}
    assert list(tools) == ["check", "parse", "new", "explain", "owed"]
    for tool in tools.values():
        assert tool.title and tool.description and tool.annotations is not None
        assert len(tool.description) < 400, "it is in the context of every turn"
        hints = tool.annotations
        assert hints.title == tool.title
        assert (hints.read_only_hint, hints.destructive_hint) == (True, False)
        assert (hints.idempotent_hint, hints.open_world_hint) == (True, False)
        for schema in (tool.input_schema, tool.output_schema):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
        # Not all clients know unions.
        assert "anyOf" not in json.dumps(tool.input_schema)
        assert all(
            value["type"] == "string" and value["description"] for value in tool.input_schema["properties"].values()
        )


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_both_forms_of_the_protocol(mode: str, connect: Connect, workspace: Path) -> None:
    """`initialize`, as the agents of today have it, and the protocol without a handshake."""
    session = connect(workspace, mode=mode)
    assert len(session.tools()) == 5
    assert session.call("check", path="board/good-handoff.md")[0]["verdict"]["state"] == "clean"


def test_a_correct_handoff_is_clean(session: Session, workspace: Path) -> None:
    found, text = session.call("check", path="board/good-handoff.md")
    digest = hashlib.sha256((workspace / "board" / "good-handoff.md").read_bytes()).hexdigest()
    assert found["verdict"] == {
        "state": "clean",
        "reason": "",
        "sha256": digest,
        "version": handoff_lsp.__version__,
    }
    (handoff,) = found["handoffs"]
    assert (handoff["contract"], handoff["profile"], handoff["action"]) == ("status-block", "developer", "advance")
    assert "findings" not in found
    assert text.startswith(f"board/good-handoff.md: clean (sha256 {digest[:12]}, ")
    assert "decision now: advance" in text


def test_a_finding_has_what_its_author_needs(session: Session) -> None:
    found, text = session.call("check", path="board/bad-handoff.md")
    assert found["verdict"]["state"] == "findings"
    (finding,) = found["findings"]
    assert (finding["line"], finding["column"], finding["severity"]) == (4, 1, "error")
    assert finding["rule"] == "invalid-value"
    assert '"compleet", but must be one of `complete`' in finding["message"]
    assert finding["received"] == "compleet"
    (fix,) = finding["fixes"]
    corrected = from_data(Fix, fix).apply(BAD)
    assert corrected == GOOD
    assert session.call("check", text=corrected, path="board/bad-handoff.md")[0]["verdict"]["state"] == "clean"
    # The text alone is enough, too: some clients show a model nothing else.
    for part in ("board/bad-handoff.md: findings", "board/bad-handoff.md:4:1 [invalid-value]", "Replace line 4:"):
        assert part in text
    assert "next step is stop" in text


def test_a_text_is_checked_without_a_file_or_as_one(session: Session) -> None:
    assert session.call("check", text=BAD)[0]["findings"][0]["line"] == 4
    assert "path" not in session.call("check", text=BAD)[0]
    assert session.call("check", text=BAD, path="new/a-handoff.md")[0]["path"] == "new/a-handoff.md"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("NOTES.md", "no handoff found"),
        ("missing.md", "no such file or folder"),
        ("board", "a folder, not a file"),
        ("binary.md", "binary (a NUL byte at offset 0)"),
        ("utf16.md", "UTF-16, but handoffs are UTF-8"),
        ("huge.md", "too large (5,000,001 bytes; the limit is 5,000,000)"),
    ],
)
def test_what_cannot_be_checked_is_never_clean(path: str, reason: str, session: Session) -> None:
    found, text = session.call("check", path=path)
    assert (found["verdict"]["state"], found["verdict"]["reason"]) == ("not checked", reason)
    assert text.startswith(f"{path}: not checked: {reason}")


@pytest.mark.parametrize(
    ("given", "reason"),
    [("a\0b", "binary (a NUL byte at offset 1)"), ("x" * 5_000_001, "too large"), ("", "no handoff")],
)
def test_a_text_that_is_no_text_is_not_checked(given: str, reason: str, session: Session) -> None:
    assert session.call("check", text=given)[0]["verdict"]["reason"].startswith(reason)


def test_a_named_contract_must_be_there(session: Session) -> None:
    found, text = session.call("check", text="All done.", contract="status-block")
    assert found["findings"][0]["rule"] == "missing-status"
    assert "received" not in found["findings"][0]
    assert "## Status" in text
    found, _ = session.call("check", text=GOOD, profile="developer")
    assert found["handoffs"][0]["profile"] == "developer"


def test_an_agent_that_returns_nothing_it_owes(session: Session) -> None:
    found, text = session.call("check", text="All done, it works!", agent="sdd-apply")
    assert [finding["rule"] for finding in found["findings"]] == ["missing-handoff"]
    assert "`sdd-apply` owes is missing" in text
    (fix,) = found["findings"][0]["fixes"]  # the block to emit
    assert "**Status**: <" in fix["edits"][0]["text"] and "**Status**: <" in text
    assert "findings" not in session.call("check", text="All done, it works!", agent="my-helper")[0]


def test_the_block_that_is_owed_pays(session: Session) -> None:
    """As printed, with its placeholders filled in."""
    found, text = session.call("owed", agent="sdd-apply")
    (debt,) = found["owes"]
    assert (debt["contract"], debt["where"]) == ("result-envelope", "message")
    assert debt["known_from"] == "the contract `result-envelope`"
    assert debt["block"].rstrip("\n") in text
    assert f"Known from {debt['known_from']}" in text
    values = {"success | partial | blocked": "success", "what should come next, by name": "sdd-verify"}
    filled = re.sub("<([^>]+)>", lambda match: values.get(match[1], match[1].partition(" | ")[0]), debt["block"])
    checked, _ = session.call("check", text=f"Done.\n\n{filled}", agent="sdd-apply")
    assert "missing-handoff" not in [finding["rule"] for finding in checked.get("findings", [])]
    assert checked["handoffs"][0]["contract"] == "result-envelope"


def test_an_agent_of_which_nothing_is_known_owes_nothing(session: Session) -> None:
    found, text = session.call("owed", agent="my-helper")
    assert found == {"agent": "my-helper", "owes": []}
    assert "[agents.my-helper] returns = CONTRACT" in text
    assert '[agents."gpt-5.4-reviewer"] returns = CONTRACT' in session.call("owed", agent="gpt-5.4-reviewer")[1]


def test_parse_has_the_handoffs_of_the_command(session: Session, printed: Any) -> None:
    for path in ("board/bad-handoff.md", "board/good-handoff.md"):
        lines = printed("parse", "--output-format", "json", path).splitlines()
        found, text = session.call("parse", path=path)
        assert found["handoffs"] == [json.loads(line) for line in lines]
        assert f"Line 1: status-block@developer (handoff), decision now: {found['handoffs'][0]['decision']}" in text
    assert session.call("parse", path="NOTES.md")[0]["verdict"]["reason"] == "no handoff found"
    assert session.call("parse", path="binary.md")[0]["handoffs"] == []


def test_new_has_the_texts_of_the_command(session: Session, printed: Any) -> None:
    for form, command in {
        "skeleton": ("new", "status-block", "--profile", "developer"),
        "example": ("export", "status-block@developer", "--as", "example"),
        "prompt": ("export", "status-block@developer", "--as", "prompt"),
    }.items():
        found, text = session.call("new", contract="status-block", profile="developer", form=form)
        assert found["text"] == printed(*command)
        assert text == found["text"]
    assert session.call("new", contract="status-block")[0]["form"] == "skeleton"
    assert session.call("new", contract="status-block", profile=None, form=None)[0]["form"] == "skeleton"


def test_explain_has_the_pages_of_the_command(session: Session, printed: Any) -> None:
    for name in ("missing-status", "status-block", "status-block@developer", "status-block.status=blocked"):
        found, text = session.call("explain", name=name)
        assert f"{text}\n" == printed("explain", "--output-format", "markdown", name)
        assert (found["name"], found["markdown"]) == (name, text)
    listed = session.call("explain")[1]
    assert f"{listed}\n" == printed("explain", "--list", "--output-format", "markdown")


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("check", {}, "give the `text` or the `path` of a handoff"),
        ("check", {"path": 3}, "the argument `path` must be a string"),
        ("check", {"txt": "x"}, "unknown argument `txt`; did you mean `text`?"),
        (
            "check",
            {"text": "x", "contract": "status-blok"},
            "unknown contract `status-blok`; did you mean `status-block`?",
        ),
        ("check", {"text": "x", "contract": "status-block", "profile": "dev"}, "unknown profile `dev`; known are "),
        (
            "check",
            {"path": "NOTES.md", "agent": "sdd-apply"},
            "`agent` needs its final message as `text`, without a `path`",
        ),
        ("parse", {"path": "../x.md"}, "`../x.md` is outside the workspace "),
        ("owed", {"agent": "a" * 201}, "the argument `agent`: String should have at most 200 characters"),
        ("parse", {"path": "a" * 5_000}, "the `path` has 5,000 characters; send a text as `text`"),
        ("parse", {"path": "a\0b.md"}, "`a␀b.md` is not a path: it has a NUL character"),
        ("new", {}, "the argument `contract` is missing"),
        ("parse", {"path": "file:///tmp/x.md"}, "`file:///tmp/x.md` is a URI; give the path"),
        ("new", {"contract": "status-block", "form": "exampl"}, "unknown form `exampl`; did you mean `example`?"),
        ("new", {"contract": "status-block", "form": "letter"}, "unknown form `letter`; known are `skeleton`, "),
        ("new", {"contract": "status-block", "form": 3}, "unknown form `3`; known are "),
        (
            "new",
            {"contract": "status-block", "profile": "devloper"},
            "unknown profile `devloper`; did you mean `developer`?",
        ),
        (
            "explain",
            {"name": "missing-statuss"},
            "unknown rule or contract `missing-statuss`; did you mean `missing-status`?",
        ),
        ("explain", {"name": "qqqq"}, "unknown rule or contract `qqqq`; see `explain` without a name"),
        ("owed", {"agent": " "}, "give the name of an `agent`"),
        ("chek", {}, "unknown tool `chek`; did you mean `check`?"),
    ],
)
def test_an_error_says_what_to_do(tool: str, arguments: dict[str, Any], message: str, session: Session) -> None:
    assert session.refused(tool, **arguments).startswith(message)


def test_empty_arguments_count_as_absent(session: Session) -> None:
    """Models that must fill in all arguments leave them empty, or null."""
    given = {"text": GOOD, "path": "", "contract": "", "profile": None, "agent": ""}
    assert session.call("check", **given)[0]["verdict"]["state"] == "clean"


def test_an_empty_text_beside_a_path_counts_as_absent(session: Session) -> None:
    path = "board/good-handoff.md"
    assert session.call("check", text="", path=path) == session.call("check", path=path)
    assert session.call("parse", text="", path=path) == session.call("parse", path=path)


@pytest.mark.parametrize("path", ["", None])
def test_an_empty_text_alone_is_a_text(path: str | None, session: Session) -> None:
    """The final message of an agent that returned nothing."""
    assert session.call("check", text="", path=path)[0]["verdict"]["reason"].startswith("no handoff")


def test_the_config_of_the_workspace_counts(connect: Connect, tmp_path: Path) -> None:
    config = tmp_path / ".handoff-lsp.toml"
    (tmp_path / "a-handoff.md").write_text(BAD, encoding="utf-8")
    config.write_text('[rules]\ninvalid-value = "off"\nmissing-status = "off"\n', encoding="utf-8")
    session = connect(tmp_path)
    assert "findings" not in session.call("check", path="a-handoff.md")[0]
    config.write_text('[agents.reviewer]\nreturns = "status-block"\nprofile = "developer"\n', encoding="utf-8")
    assert len(session.call("check", path="a-handoff.md")[0]["findings"]) == 1, "it is read anew for each call"
    (debt,) = session.call("owed", agent="reviewer")[0]["owes"]
    assert (debt["contract"], debt["profiles"], debt["known_from"]) == (
        "status-block",
        ["developer"],
        "the config (`.handoff-lsp.toml`)",
    )
    config.write_text("rules = 3\n", encoding="utf-8")
    found, _ = session.call("check", path="a-handoff.md")
    assert found["verdict"]["state"] == "not checked"
    assert found["verdict"]["reason"].startswith("the config is broken: .handoff-lsp.toml")
    assert session.refused("owed", agent="reviewer").startswith("the config is broken: ")
    assert session.refused("explain", name="status-block").startswith("the config is broken: ")


def test_a_broken_contract_file_leaves_the_others_in_force(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["own.yaml"]\n', encoding="utf-8")
    (tmp_path / "own.yaml").write_text("name: [\n", encoding="utf-8")
    found, text = connect(tmp_path).call("check", text=BAD)
    assert found["findings"][0]["rule"] == "invalid-value"
    assert found["problems"][0].startswith("own.yaml:")
    assert f"Problem: {found['problems'][0]}" in text


def test_a_large_result_is_cut_and_says_so(session: Session) -> None:
    many = "\n\n".join(GOOD.replace("complete", f"compleet{number}", 1) for number in range(300))
    found, text = session.call("check", text=many, contract="status-block")
    assert len(json.dumps(found)) < 100_000
    assert len(text) < 12_000
    blocks = "\n\n".join(f"## Part {number}\n\n{RETURN}" for number in range(400))
    found, text = session.call("parse", text=blocks)
    assert found["left_out"] > 100
    assert len(found["handoffs"]) + found["left_out"] == 400
    assert text.endswith(f"and {found['left_out']} more handoffs")
