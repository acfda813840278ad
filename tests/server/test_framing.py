"""Input that is not a message, or comes at the wrong time: a real process, and bytes."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import pytest
from server.client import SERVER, TIMEOUT, URI, LspClient, ResponseError, encode, environment
from server.documents import SOUND, WITHOUT_STATUS

Message = dict[str, Any]

START = {"processId": None, "rootUri": None, "capabilities": {}}
INITIALIZE = encode({"id": 1, "method": "initialize", "params": START})
SHUTDOWN = encode({"id": 9, "method": "shutdown"})
EXIT = encode({"method": "exit"})
END = SHUTDOWN + EXIT
OPENED = {"textDocument": {"uri": URI, "languageId": "markdown", "version": 1, "text": WITHOUT_STATUS}}
HOVER = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 1}}

NO_FILES = [
    "file:///%00.md",
    "file:///a%00/b-developer-handoff.md",
    "file:///\ud800.md",
    "file://[/a.md",
    "file:///%ED%A0%80.md",
]

PARSE_ERROR, INVALID_REQUEST, NOT_INITIALIZED = -32700, -32600, -32002


def body(data: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


def serve(data: bytes) -> tuple[int, list[Message], str]:
    """The result of a client's bytes: the server's exit code, its messages, and its text on stderr."""
    done = subprocess.run(SERVER, input=data, capture_output=True, timeout=TIMEOUT, env=environment(), check=False)
    bodies = re.split(rb"Content-Length: \d+\r\nContent-Type: [^\r]*\r\n\r\n", done.stdout)[1:]
    return done.returncode, [json.loads(each) for each in bodies], done.stderr.decode()


def errors(messages: list[Message]) -> list[tuple[Any, int]]:
    """The ids and codes of the errors among the answers."""
    return [(message["id"], message["error"]["code"]) for message in messages if "error" in message]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"hello\r\n\r\n", "no header of a message: 'hello'"),
        (b"GET / HTTP/1.1\r\n\r\n", "no header of a message: 'GET / HTTP/1.1'"),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "initialize"}\n\n', "a message without a header `Content-Length`"),
        (b"Content-Type: x\r\n\r\n{}", "a message without a header `Content-Length`"),
        (b"Content-Length: x\r\n\r\n{}", "`Content-Length` is not a number: 'x'"),
        (b"Content-Length: -5\r\n\r\n{}", "`Content-Length` is not a number: '-5'"),
        (b"Content-Length:\r\n\r\n{}", "`Content-Length` is not a number: ''"),
        (b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n{}", "`Content-Length` is not a number: '99999"),
        (b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", "`Content-Length` is not a number: '3'"),
        (b"Content-Length: 99999999999\r\n\r\n{}", "a message of 99,999,999,999 bytes; the limit is 512,000,000"),
        (b"X: " + b"y" * 100_000 + b"\r\n\r\n", "a header line of more than 64 KB"),
        (b"z" * 100_000, "a header line of more than 64 KB"),
        (b"X: y\r\n" * 100, "no header of a message: 'X: y'"),
    ],
)
def test_what_breaks_the_framing_ends_the_server_with_the_reason(data: bytes, reason: str) -> None:
    before = INITIALIZE if b"x" in data else b""  # at once, or later
    code, messages, told = serve(before + data + END)
    assert code == 2
    assert len(messages) == bool(before)
    assert told.startswith(f"handoff-lsp: error: {reason}")
    assert told.endswith("; this is a language server, which editors start\n") and told.count("\n") == 1


def test_headers_are_read_as_those_of_http() -> None:
    headers = [
        b"content-length: %d\r\n\r\n",
        b"CONTENT-LENGTH:%d\r\n\r\n",
        b"Content-Length :  %d \r\n\r\n",
        b"Content-Length: %d\n\n",
        b"\r\nContent-Length: %d\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\nX-Other: 1\r\n\r\n",
    ]
    asked = [encode({"id": number, "method": "textDocument/nonsense", "params": {}}) for number in range(20, 26)]
    bodies = [message.split(b"\r\n\r\n", 1)[1] for message in asked]
    data = b"".join(header % len(each) + each for header, each in zip(headers, bodies, strict=True))
    code, messages, told = serve(INITIALIZE + data + END)
    assert (code, told, sorted(message["id"] for message in messages)) == (0, "", [1, 9, *range(20, 26)])


NO_MESSAGES = [
    (b"[]", None, INVALID_REQUEST),
    (b'[{"jsonrpc": "2.0", "id": 3, "method": "shutdown"}]', None, INVALID_REQUEST),
    (b"5", None, INVALID_REQUEST),
    (b"null", None, INVALID_REQUEST),
    (b'"text"', None, INVALID_REQUEST),
    (b"{}", None, INVALID_REQUEST),
    (b'{"jsonrpc": "2.0"}', None, INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": 3}', 3, INVALID_REQUEST),
    (b'{"jsonrpc": "1.0", "id": 4, "method": "textDocument/hover"}', 4, INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": [], "method": "textDocument/hover"}', None, INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": null, "method": "textDocument/hover"}', None, INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": "x", "method": 7}', "x", INVALID_REQUEST),
    (b"{", None, PARSE_ERROR),
    (b"", None, PARSE_ERROR),
    (b"\xff\xfe{}", None, PARSE_ERROR),
    (b"[" * 200_000, None, PARSE_ERROR),
    (b'{"id": ' + b"9" * 5_000 + b"}", None, PARSE_ERROR),
]


@pytest.mark.parametrize("early", [True, False])
def test_a_body_that_is_no_message_is_answered(early: bool) -> None:
    data = b"".join(body(each) for each, _, _ in NO_MESSAGES)
    code, messages, told = serve(data + INITIALIZE + END if early else INITIALIZE + data + END)
    assert errors(messages) == [(number, expected) for _, number, expected in NO_MESSAGES]
    assert code == 0, "the server goes on"
    assert {message.get("id") for message in messages} >= {1, 9}
    # Messages without a known request are logged, too, in a line each.
    assert told.count("\n") == sum(number is None for _, number, _ in NO_MESSAGES)


def test_before_initialize_nothing_is_done() -> None:
    with LspClient(initialize=False) as client:
        client.notify("textDocument/didOpen", OPENED)
        client.write(encode({"id": 8, "result": None}))
        with pytest.raises(ResponseError) as error:
            client.request("textDocument/hover", HOVER)
        assert (error.value.code, str(error.value)) == (NOT_INITIALIZED, "textDocument/hover came before initialize")
        client.request("initialize", START)
        client.notify("initialized", {})
        # A document opened too early is not open: it has no hover, and no published diagnostics.
        assert client.request("textDocument/hover", HOVER) is None


def test_exit_before_initialize_ends_the_process() -> None:
    assert serve(EXIT + INITIALIZE) == (1, [], "")


def test_initialize_comes_once() -> None:
    with LspClient() as client:
        with pytest.raises(ResponseError) as error:
            client.request("initialize", START)
        assert (error.value.code, str(error.value)) == (INVALID_REQUEST, "The server is initialized already")
        client.open(WITHOUT_STATUS)
        assert "missing-status" in client.codes(1)
    code, messages, told = serve(INITIALIZE + INITIALIZE + END)
    assert [sorted(message["error"]) for message in messages if "error" in message] == [["code", "message"]]
    assert (code, told) == (0, "")


def test_an_initialize_that_cannot_be_read_may_be_sent_again() -> None:
    code, messages, _ = serve(encode({"id": 1, "method": "initialize", "params": 5}) + INITIALIZE + END)
    assert errors(messages) == [(1, -32602)]
    assert [message["id"] for message in messages if "result" in message] == [1, 9]
    assert code == 0


def test_after_shutdown_nothing_is_done() -> None:
    late = encode({"id": 10, "method": "textDocument/hover", "params": HOVER})
    code, messages, _ = serve(INITIALIZE + SHUTDOWN + late + EXIT)
    assert errors(messages) == [(10, INVALID_REQUEST)]
    assert code == 0


def test_a_uri_that_names_no_file() -> None:
    with LspClient() as client:
        for number, uri in enumerate(NO_FILES):
            client.open(WITHOUT_STATUS, uri)
            assert "missing-status" in client.codes(1, uri)
            client.change(2, {"text": SOUND}, uri=uri)
            assert client.codes(2, uri) == []
            where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
            for method in ("hover", "codeLens", "documentLink", "completion", "definition", "documentSymbol"):
                client.request(f"textDocument/{method}", where)
            client.close(uri)
            assert client.published(uri)["diagnostics"] == [], number


def test_a_change_without_changes_is_a_new_version() -> None:
    with LspClient() as client:
        client.open(WITHOUT_STATUS)
        assert "missing-status" in client.codes(1)
        client.change(2)
        assert "missing-status" in client.codes(2)
