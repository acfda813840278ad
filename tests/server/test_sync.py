"""The server's text equals the client's after any edits."""

from __future__ import annotations

import gc
import random
import re
import weakref
from collections.abc import Iterator

import pytest
from lsprotocol import types
from server.client import URI, LspClient, Message, changed, edit
from server.documents import CONTRACT, SOUND, WITHOUT_STATUS

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.main import create_server
from handoff_lsp.server.notifications import sync
from handoff_lsp.server.notifications.sync import MOST_LEFT
from handoff_lsp.server.publishing import diagnostics
from handoff_lsp.syntax.json.tree import JsonNode

TERMINATOR = re.compile(r"\r\n|\n|\r")


def position(text: str, offset: int) -> tuple[int, int]:
    """A position in UTF-16, made the slow and simple way; inside a \\r\\n it is the end of the line."""
    ends = [match.end() for match in TERMINATOR.finditer(text) if match.end() <= offset]
    start = ends[-1] if ends else 0
    if text[offset - 1 : offset + 1] == "\r\n" and offset == start:  # the match of \r\n ends after the offset
        offset -= 1
    return len(ends), len(text[start:offset].encode("utf-16-le", "surrogatepass")) // 2


def replace(text: str, start: int, end: int, new: str) -> tuple[str, Message]:
    """A text with a piece replaced, and the change to send."""
    return text[:start] + new + text[end:], edit(position(text, start), position(text, end), new)


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
def test_odd_characters_and_line_endings(eol: str) -> None:
    with LspClient() as client:
        client.open("")
        client.diagnostics(1)
        version = 1
        for odd in ("\u2028", "\x0c", "\x0b", "\x85", "\U0001f600\u0301"):
            whole = CONTRACT.replace("# Report", f"# Re{odd}port{odd}").replace("\n", eol)
            # An edit below the odd character lands where the client put it.
            at = whole.index('"NOPE"')
            text, change = replace(whole, at + 1, at + 5, f"NO{odd}PE")
            version += 1
            client.change(version, {"text": whole}, change)
            found = client.diagnostics(version)
            assert "invalid-value" in [item["code"] for item in found]
            assert found == fresh(client, text)
            # At the very end of the text, which has no newline: twice, since the second builds on the first.
            text = text.rstrip("\r\n")
            first, one = replace(text, len(text), len(text), f"{eol}{odd}")
            second, two = replace(first, len(first), len(first), f"a{eol}b")
            version += 1
            client.change(version, {"text": text}, one, two)
            assert client.diagnostics(version) == fresh(client, second)


def fresh(client: LspClient, text: str) -> list[Message]:
    """The diagnostics of a text that is opened as a whole."""
    other = URI.replace("login", "other")
    client.open(text, other)
    found = client.diagnostics(1, other)
    client.close(other)
    assert client.published(other)["diagnostics"] == []
    return found


def test_a_whole_text_and_an_edit_of_it_in_one_message() -> None:
    with LspClient() as client:
        client.open(CONTRACT)
        client.diagnostics(1)
        at = WITHOUT_STATUS.index("## Status reason")
        _, change = replace(WITHOUT_STATUS, at, at, "## Status\ncomplete\n\n")
        client.change(2, {"text": WITHOUT_STATUS}, change)
        assert client.diagnostics(2) == []


def test_positions_outside_the_text_mean_the_nearest() -> None:
    with LspClient() as client:
        client.open("")
        client.diagnostics(1)
        client.change(2, edit((5, 5), (9, 9), WITHOUT_STATUS))
        assert "missing-status" in client.codes(2)
        client.change(3, edit((0, 0), (999, 0), SOUND))
        assert client.diagnostics(3) == []


@pytest.mark.parametrize("seed", range(3))
def test_random_edits(seed: int) -> None:
    chance = random.Random(seed)
    pieces = [
        "x",
        "\n",
        "\r\n",
        "\r",
        "\u2028",
        "\x0c",
        "\U0001f600",
        "e\u0301",
        "## Status\n",
        "complete",
        "```",
        "- ",
        '"',
        "}",
        "",
    ]
    text = chance.choice([SOUND, CONTRACT]).replace("\n", chance.choice(["\n", "\r\n", "\r"]))
    with LspClient() as client:
        client.open(text)
        client.diagnostics(1)
        for version in range(2, 62):
            changes = []
            for _ in range(chance.randint(1, 3)):
                # Not between \r and \n: a client has no position there.
                places = [at for at in range(len(text) + 1) if text[at - 1 : at + 1] != "\r\n" or at == 0]
                start, end = sorted((chance.choice(places), chance.choice(places)))
                if chance.random() < 0.9:
                    end = min((at for at in places if at >= min(end, start + 12)), default=start)
                text, change = replace(text, start, end, "".join(chance.choices(pieces, k=chance.randint(0, 4))))
                changes.append(change)
            client.change(version, *changes)
            if version % 6 == 0:
                assert client.diagnostics(version) == fresh(client, text)
        client.diagnostics(61)


@pytest.mark.parametrize("text", [SOUND, CONTRACT], ids=["status-block", "agent-contract"])
def test_every_prefix_is_survived(text: str) -> None:
    with LspClient() as client:
        client.open("")
        client.diagnostics(1)
        for length in range(1, len(text) + 1):
            client.write(changed(URI, length + 1, {"text": text[:length]}))
            if length % 10 == 0:
                client.diagnostics(length + 1)
        assert client.diagnostics(len(text) + 1) == fresh(client, text)


def test_what_is_not_open_gets_empty_answers() -> None:
    here = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    with LspClient(
        {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}
    ) as client:
        assert client.request("textDocument/hover", here) is None
        assert client.request("textDocument/completion", here) is None
        where = {"start": here["position"], "end": here["position"]}
        asked = {"textDocument": {"uri": URI}, "range": where, "context": {"diagnostics": []}}
        assert client.request("textDocument/codeAction", asked) == []
        client.change(2, {"text": "x"})
        assert "not open" in client.expect("window/logMessage")["message"]
        client.noise = b"which is not open, was ignored"


def test_untitled_documents() -> None:
    with LspClient() as client:
        client.open("<!-- handoff: status-block -->\n" + WITHOUT_STATUS, "untitled:Untitled-1")
        assert "missing-status" in client.codes(1, "untitled:Untitled-1")


def test_what_was_computed_from_a_long_text_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostics, "plan", lambda *_: None)
    server = create_server()
    body = "".join(f"A line {number} of prose.\n\n## Part {number}\n\n" for number in range(10_000))
    text = f"# Report\n\n{CONTRACT}\n{body}"
    server.documents.open(URI, None, 1, text)
    most = MOST_LEFT // len(text) + 2
    seen: list[weakref.ref[Handoff]] = []
    for _ in typed(server, 0, 6 * most):
        analysis = server.documents.analysis(URI)
        assert analysis is not None
        seen += map(weakref.ref, analysis.handoffs)
        del analysis
    assert len(seen) == 6 * most
    assert sum(one() is not None for one in seen) <= most


def test_nothing_is_left_of_the_earlier_states_of_a_fence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its block is there when they are collected, and what was made of it grows old."""
    monkeypatch.setattr(diagnostics, "plan", lambda *_: None)
    monkeypatch.setattr(sync, "MOST_LEFT", 3 * len(CONTRACT))
    server = create_server()
    server.documents.open(URI, None, 1, CONTRACT)
    counts = []
    for _ in typed(server, 3, 400):
        server.documents.analysis(URI)
        counts.append(sum(type(one) is JsonNode for one in gc.get_objects()))
    assert counts[0] > 10
    assert max(counts[200:]) <= max(counts[:200])


def typed(server: HandoffServer, line: int, count: int) -> Iterator[None]:
    """Type letters behind the first two characters of a line, while Python collects nothing by itself."""
    gc.collect()
    gc.disable()
    try:
        for version in range(2, count + 2):
            yield
            at = types.Position(line, 2)
            change = types.TextDocumentContentChangePartial(types.Range(at, at), "x")
            identifier = types.VersionedTextDocumentIdentifier(version, URI)
            sync.did_change(server, types.DidChangeTextDocumentParams(identifier, [change]))
    finally:
        gc.enable()
