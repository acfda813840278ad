"""A message that should be a handoff of a named contract: also of one whose handoffs are files, or JSON."""

from __future__ import annotations

import json

import pytest

from handoff_lsp import check_text, parse_text
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.samples.example import example_text
from handoff_lsp.writing.skeleton_document import form_of

ALL = [(entry.name, profile) for entry in builtin() for profile in entry.contract.profiles]
FILES = [(entry.name, entry.contract.default_profile) for entry in builtin().having("file")]
STATUS = example_text(builtin(), builtin()["agent-status"], "worker")
ENVELOPE = example_text(builtin(), builtin()["result-envelope"], "json").partition("json\n")[2].removesuffix("```\n")
CONTRACT = example_text(builtin(), builtin()["agent-contract"], "gaia-5.4").partition("\n")[2].removesuffix("```\n")
LOG = example_text(builtin(), builtin()["activity-log"], "worker")


def fenced(text: str, tag: str = "") -> str:
    """A message that is a text in a fence."""
    return f"```{tag}\n{text.rstrip()}\n```\n"


@pytest.mark.parametrize(("contract", "profile"), ALL)
def test_what_the_feedback_asks_for_is_found(contract: str, profile: str) -> None:
    entry = builtin()[contract]
    text, form = example_text(builtin(), entry, profile), form_of(entry.spec(profile))
    sent = [text]
    if form not in ("document", "file"):
        sent.append(f"All is done.\n\n{text}")
    if form == "file":
        sent += [fenced(text), fenced(text, "json"), f"\ufeff{text}", f"\n{text}".replace("\n", "\r\n")]
    for message in sent:
        found = parse_text(message, contract=contract, profile=profile)
        assert contract in {one.contract for one in found}, message


@pytest.mark.parametrize(("contract", "profile"), FILES)
def test_a_named_file_in_a_message_is_sound(contract: str, profile: str) -> None:
    text = example_text(builtin(), builtin()[contract], profile)
    for message in (text, fenced(text)):
        report = check_text(message, contract=contract)
        assert (report.findings, report.ok, report.feedback()) == ((), True, "")
    in_a_file = check_text(text, "x.json", contract=contract)
    assert in_a_file.handoffs[0].fields == check_text(text, contract=contract).handoffs[0].fields


DOCUMENTS = [(name, profile) for name, profile in ALL if form_of(builtin()[name].spec(profile)) == "document"]


@pytest.mark.parametrize(("contract", "profile"), DOCUMENTS)
def test_a_document_in_a_fence_of_markdown_is_that_document(contract: str, profile: str) -> None:
    text = example_text(builtin(), builtin()[contract], profile)
    whole, message = (
        check_text(text, contract=contract),
        check_text(f"````markdown\n{text.rstrip()}\n````\n", contract=contract),
    )
    assert [one.fields for one in message.handoffs] == [one.fields for one in whole.handoffs]
    assert [one.line for one in message.findings] == [one.line + 1 for one in whole.findings]


def test_a_fence_of_markdown_without_a_status_is_no_document() -> None:
    report = check_text(fenced("# Notes\n\nNothing to say.", "markdown"), contract="status-block")
    assert report.errors[0].rule == "missing-status"


def test_broken_json_is_judged_where_it_is_written() -> None:
    for message in (STATUS[:120], fenced(STATUS.replace("{", "{ ,"), "json"), fenced(STATUS).removesuffix("}\n```\n")):
        report = check_text(message, contract="agent-status")
        assert report.errors[0].rule == "invalid-json"
        assert [one.routing.action for one in report.handoffs if one.routing] == ["stop"]
    finding = check_text(fenced(STATUS.replace("completed", "done")), contract="agent-status").errors[0]
    assert finding.fix is not None
    assert finding.fix.apply(fenced(STATUS.replace("completed", "done"))) == fenced(STATUS)


def test_a_log_in_a_fence_has_its_places_in_the_message() -> None:
    finding = check_text(fenced(LOG + "2026-02-08T11:00:00 [STATUS] completed"), contract="activity-log").findings[0]
    assert (finding.rule, finding.line) == ("invalid-log-line", 4)


@pytest.mark.parametrize("contract", ["agent-status", "activity-log", "agent-input"])
def test_other_messages_hold_no_such_file(contract: str) -> None:
    other = json.dumps({"name": "board", "version": "1"})
    quoted = "".join(f"> {line}\n" for line in fenced(STATUS).splitlines() + fenced(LOG).splitlines())
    for message in ("All is done.", f"Done: {other}", quoted, "- a\n- b\n"):
        assert parse_text(message, contract=contract) == ()


@pytest.mark.parametrize("text", [STATUS, LOG])
def test_with_prose_around_it_a_file_may_be_an_example(text: str) -> None:
    contract = "agent-status" if text is STATUS else "activity-log"
    failed = text.replace("completed", "failed")
    for message in (
        f"For example:\n\n{fenced(text)}\nI did not write one.\n",
        f"For example:\n\n{text}",
        f"Done.\n\n{fenced(text)}",
        f"Before:\n\n{fenced(text)}\nNow:\n\n{failed}",
        f"{fenced(text)}\n{fenced(failed)}",
    ):
        report = check_text(message, contract=contract)
        assert (report.handoffs, report.ok) == ((), False), message
        assert "as this document:" in report.feedback()


def test_without_the_name_it_is_only_shown() -> None:
    modeline = f"<!-- handoff: agent-status -->\n{fenced(STATUS)}"
    for message in (STATUS, LOG, fenced(STATUS, "json"), fenced(LOG), modeline):
        assert parse_text(message) == ()
        assert parse_text(message, contract="agent-contract") == ()
        assert parse_text(message, "notes.md", contract="agent-status") == ()


def test_the_json_of_a_model_is_judged_without_a_fence_if_any_fence_will_do() -> None:
    report = check_text(ENVELOPE, contract="result-envelope")
    assert (report.findings, report.ok, report.handoffs[0].profile) == ((), True, "json")
    in_a_fence = check_text(fenced(ENVELOPE, "json"), contract="result-envelope")
    assert in_a_fence.handoffs[0].fields == report.handoffs[0].fields
    for broken in (ENVELOPE[:-3], ENVELOPE.replace("}", "")):
        assert "invalid-json" in {one.rule for one in check_text(broken, contract="result-envelope").errors}
    for other in (f"Done: {ENVELOPE}", f"Done.\n\n{ENVELOPE}", "[1]", "{}", STATUS):
        assert parse_text(other, contract="result-envelope") == ()


def test_it_still_needs_the_fence_that_its_reader_requires() -> None:
    report = check_text(CONTRACT, contract="agent-contract")
    assert [one.rule for one in report.errors] == ["wrong-fence"]
    assert "must be in one tagged `agent_contract_handoff`" in report.feedback()
    assert [one.routing.action for one in report.handoffs if one.routing] == ["retry"]
    assert check_text(fenced(CONTRACT, "agent_contract_handoff"), contract="agent-contract").ok


def test_json_without_a_name_or_with_a_path_is_as_before() -> None:
    for text in (ENVELOPE, CONTRACT):
        assert parse_text(text) == ()
        assert parse_text(text, "x.json", contract="result-envelope") == ()
        assert parse_text(text, contract="status-block")[0].contract == "status-block"
