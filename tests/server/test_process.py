"""The process: its start, cancelled requests, and its end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time

import pytest
from server.client import SERVER, TIMEOUT, URI, LspClient, ResponseError, encode, environment
from server.documents import SOUND, WITHOUT_STATUS


def test_a_cancelled_request_is_not_answered_with_work() -> None:
    with LspClient() as client:
        client.open(SOUND)
        client.diagnostics(1)
        asked = {"textDocument": {"uri": URI}, "position": {"line": 2, "character": 4}}
        number, request = client.prepare("textDocument/hover", asked)
        client.write(request, encode({"method": "$/cancelRequest", "params": {"id": number}}))
        with pytest.raises(ResponseError) as error:
            client.answer(number)
        assert error.value.code == -32800


def test_a_request_sees_the_change_that_came_after_it_in_the_same_write() -> None:
    pull = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    with LspClient(pull) as client:
        client.open(SOUND)
        number, request = client.prepare("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": WITHOUT_STATUS}]}
        client.write(request, encode({"method": "textDocument/didChange", "params": change}))
        assert client.answer(number)["items"]


def test_unknown_and_unreadable_requests_are_answered() -> None:
    with LspClient() as client:
        with pytest.raises(ResponseError) as error:
            client.request("textDocument/nonsense", {})
        assert error.value.code == -32601
        with pytest.raises(ResponseError) as error:
            client.request("textDocument/hover", {"textDocument": 5})
        assert error.value.code == -32602
        assert "textDocument/hover cannot be read" in str(error.value)
        assert "required field missing @ $.params.position" in str(error.value)
        assert client.expect("window/logMessage")["message"].endswith(str(error.value))
        client.noise = str(error.value).encode()
    assert client.stderr.count(b"\n") == 1, "one line, no traceback"


def test_the_end_of_stdin_ends_the_process() -> None:
    client = LspClient()
    try:
        client.open(WITHOUT_STATUS)
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(TIMEOUT) == 0
        # Requests received before are still answered.
        assert "missing-status" in client.codes(1)
    finally:
        client.kill()


@pytest.mark.parametrize("data", [b"", b"\r\n\n", b"Content-Length: 100\r\n\r\n{", b"Content-Le"])
def test_the_end_of_stdin_before_anything_was_said(data: bytes) -> None:
    done = subprocess.run(SERVER, input=data, capture_output=True, timeout=TIMEOUT, env=environment(), check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_exit_without_shutdown_is_an_error() -> None:
    client = LspClient()
    try:
        client.notify("exit", None)
        assert client.process.wait(TIMEOUT) == 1
    finally:
        client.kill()


def test_a_client_that_no_longer_reads_ends_the_process() -> None:
    client = LspClient(initialize=False)
    try:
        read, write = os.pipe()
        server = subprocess.Popen(
            SERVER, stdin=subprocess.PIPE, stdout=write, stderr=subprocess.PIPE, env=environment()
        )
        os.close(write)
        os.close(read)
        asked = {"processId": None, "rootUri": None, "capabilities": {}}
        assert server.stdin is not None
        server.stdin.write(encode({"id": 1, "method": "initialize", "params": asked}))
        server.stdin.flush()
        assert server.wait(TIMEOUT) == 0
        server.communicate()
    finally:
        client.kill()


@pytest.mark.skipif(os.name == "nt", reason="on Windows the end of stdin has to do")
def test_the_death_of_the_process_named_in_process_id_ends_it() -> None:
    # Not the server's parent, and stdin stays open: nothing but the watch can notice.
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    client = LspClient(processId=other.pid)
    try:
        time.sleep(0.5)
        assert client.process.poll() is None
        other.kill()
        other.communicate()
        assert client.process.wait(TIMEOUT) == 0
    finally:
        client.kill()


def test_stray_prints_do_not_reach_the_protocol() -> None:
    script = "; ".join(
        [
            "import os, sys",
            "from handoff_lsp.server.wire.pipes import claim_stdout",
            "fd = claim_stdout()",
            "print('stray')",
            "os.write(1, b'stray')",
            "sys.__stdout__.write('stray')",
            "os.write(fd, b'protocol')",
        ]
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment(), check=True)
    assert done.stdout == b"protocol"
    assert done.stderr.count(b"stray") == 3


def test_tcp() -> None:
    command = [
        sys.executable,
        "-c",
        "from handoff_lsp.server.main import serve_tcp; raise SystemExit(serve_tcp('127.0.0.1', 0))",
    ]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, env=environment())
    try:
        assert server.stderr is not None
        port = int(server.stderr.readline().rsplit(b":", 1)[1])
        with socket.create_connection(("127.0.0.1", port), TIMEOUT) as connection:
            asked = {"processId": None, "rootUri": None, "capabilities": {}}
            connection.sendall(encode({"id": 1, "method": "initialize", "params": asked}))
            connection.settimeout(TIMEOUT)
            assert connection.recv(65536).startswith(b"Content-Length")
            connection.sendall(encode({"id": 2, "method": "shutdown"}) + encode({"method": "exit"}))
            assert server.wait(TIMEOUT) == 0
    finally:
        server.kill()
        server.communicate()
