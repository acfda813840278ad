"""While a line is being typed, findings that may only be about its being unfinished wait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from server.client import URI, LspClient, Message, changed, edit
from server.documents import SOUND
from server.test_diagnostics import PULL

STATUS_LINE = SOUND.split("\n").index("complete")
DEFAULT: Message = {"initializationOptions": None}


@pytest.fixture
def client() -> Iterator[LspClient]:
    """A client with default settings and a clean document."""
    with LspClient(**DEFAULT) as client:
        client.open(SOUND)
        assert client.codes(1) == []
        yield client


def test_nothing_is_reported_about_a_value_that_is_being_typed(client: LspClient) -> None:
    line = STATUS_LINE
    client.change(2, edit((line, 0), (line, 8), ""))
    assert client.codes(2) == []
    for at, letter in enumerate("blocke"):
        client.change(3 + at, edit((line, at), (line, at), letter))
        assert client.codes(3 + at) == []
    # A moment later it is.
    assert "invalid-value" in client.codes(8)
    client.quiet()


def test_what_was_there_before_stays(client: LspClient) -> None:
    line = STATUS_LINE
    client.change(2, {"text": SOUND.replace("complete", "completee")})
    assert client.codes(2) == ["invalid-value"]  # the whole text at once is no typing
    client.change(3, edit((line, 9), (line, 9), "e"))
    assert client.codes(3) == ["invalid-value"]
    client.change(4, edit((line, 8), (line, 10), ""))
    assert client.codes(4) == []
    client.quiet(1.5)


@pytest.mark.parametrize("how", ["another line", "save", "a paste", "enter"])
def test_leaving_the_line(client: LspClient, how: str) -> None:
    line = STATUS_LINE
    client.change(2, edit((line, 8), (line, 8), "x"))
    assert client.codes(2) == []
    if how == "save":
        client.save()
        assert client.codes(2) == ["invalid-value"]
        return
    changes = {
        "another line": edit((0, 2), (0, 2), "x"),
        "a paste": edit((line, 0), (line, 0), "x" * 200),
        "enter": edit((line, 9), (line, 9), "\n"),
    }
    client.change(3, changes[how])
    assert "invalid-value" in client.codes(3)


def test_what_another_line_says_because_this_one_is_half_typed(client: LspClient) -> None:
    """A heading that is being retyped makes its section missing, which is reported elsewhere."""
    line = SOUND.split("\n").index("## DoD coverage")
    client.change(2, edit((line, 3), (line, 15), ""))
    assert client.codes(2) == []
    client.change(3, edit((line, 3), (line, 3), "D"))
    assert client.codes(3) == []
    assert client.codes(3) == ["missing-section"]


def test_a_section_that_is_typed_from_its_heading_on(client: LspClient) -> None:
    """The finding that it is empty waits after Enter, too: the user is about to write its first line."""
    line = STATUS_LINE - 1
    client.change(2, {"text": SOUND.replace("## Status\ncomplete\n", "")})
    assert client.codes(2) == ["missing-status"]  # the whole text at once is no typing
    version = 3
    for at, typed in [((line, 0), "## Status"), ((line, 9), "\n"), ((line + 1, 0), "\n"), ((line + 2, 0), "complete")]:
        client.change(version, edit(at, at, typed))
        assert client.codes(version) == []
        version += 1
    client.quiet(1.5)


def test_a_block_of_json_is_not_closed_yet() -> None:
    text = '# Report\n\n```agent_contract_handoff\n{\n  "agent_status": {\n    "plan_status": "IN_PROGRESS",\n'
    text += '    "agent_id": "a0123456",\n    "pending_steps": [],\n    "next_action": "go on"\n  },\n'
    text += '  "evidence_report": null\n}\n```\n'
    with LspClient(**DEFAULT) as client:
        client.open(text)
        before = client.codes(1)
        client.change(2, edit((5, 19), (5, 32), ""))
        assert client.codes(2) == []  # findings in the unreadable part are gone at once; those about the defect wait
        client.change(3, edit((5, 19), (5, 19), ' "'))
        assert client.codes(3) == []
        client.change(4, edit((5, 21), (5, 21), "IN_PROGRESS"))
        assert "invalid-json" not in client.codes(4)
        client.change(5, edit((5, 32), (5, 32), '"'))
        assert client.codes(5) == before
        client.quiet(1.5)


def test_the_setting_turns_it_off() -> None:
    options: Message = {"editor": {"wait-while-typing": False}}
    with LspClient(initializationOptions=options) as client:
        client.open(SOUND)
        client.codes(1)
        client.change(2, edit((STATUS_LINE, 8), (STATUS_LINE, 8), "x"))
        assert client.codes(2) == ["invalid-value"]


def test_a_client_that_pulls_is_asked_to_only_where_something_waited() -> None:
    capabilities: dict[str, Any] = PULL
    with LspClient(capabilities, **DEFAULT) as client:
        client.open(SOUND)
        first = client.pull()
        client.change(2, edit((0, 2), (0, 2), "x"))
        assert client.pull(first["resultId"])["items"] == []
        client.quiet(1.5)
        client.change(3, edit((STATUS_LINE, 8), (STATUS_LINE, 8), "x"))
        second = client.pull(first["resultId"])
        assert second["items"] == []
        assert client.expect("workspace/diagnostic/refresh") is None
        assert [item["code"] for item in client.pull(second["resultId"])["items"]] == ["invalid-value"]
        client.quiet(1.5)


def test_a_burst_is_one_check_and_closing_forgets(client: LspClient) -> None:
    line = STATUS_LINE
    client.write(*(changed(URI, 2 + n, edit((line, 8 + n), (line, 8 + n), "x")) for n in range(5)))
    assert client.codes(6) == []
    client.close()
    assert client.published()["diagnostics"] == []
    client.quiet(1.5)
