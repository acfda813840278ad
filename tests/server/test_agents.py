"""Hovers on the definitions of agents: what they owe."""

from __future__ import annotations

from pathlib import Path

import pytest
from server.client import LspClient
from server.contract_file_client import asked, marked, place

DEFINITION = """\
---
name: builder
description: Builds.
---

# The builder

## Output

Emit an `AGENT_RESULT` block.
"""


@pytest.mark.parametrize(("token", "range_"), [("name: builder", "name: builder"), ("The builder", "The builder")])
def test_the_name_and_the_title_of_a_definition_say_what_the_agent_owes(
    tmp_path: Path, token: str, range_: str
) -> None:
    file = tmp_path / ".claude" / "agents" / "b.md"
    file.parent.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    file.write_text(DEFINITION)
    with LspClient() as client:
        client.open(DEFINITION, file.as_uri())
        page = asked(client, "hover", file.as_uri(), place(DEFINITION, token, by=2))
        assert "owes agent-result in its final message. Known from its definition" in str(page["contents"]).replace(
            "`", ""
        )
        assert marked(DEFINITION, page["range"]) == range_
        assert asked(client, "hover", file.as_uri(), place(DEFINITION, "description")) is None
        client.take_unread()


def test_any_other_document_with_a_name_has_no_such_hover(tmp_path: Path) -> None:
    file = tmp_path / "docs" / "b.md"
    file.parent.mkdir()
    (tmp_path / ".git").mkdir()
    file.write_text(DEFINITION)
    with LspClient() as client:
        client.open(DEFINITION, file.as_uri())
        assert asked(client, "hover", file.as_uri(), place(DEFINITION, "name")) is None
        client.take_unread()
