"""What goes wrong around a server: its client dies, reads slowly or sends too much; the disk fails; clocks jump.

The faults of `check` and `--fix` are in `tests/cli/test_cache.py` and `tests/cli/test_fix.py`, those of hooks in
`tests/cli/hooks`.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fuzz.editor import Editor, Kind, LateClock, hurried
from server.client import SERVER, TIMEOUT, URI, LspClient, Message, encode, environment
from server.documents import SOUND, WITHOUT_STATUS

PULL: Message = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
WATCH: Message = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
HERE: Message = {"textDocument": {"uri": URI}, "position": {"line": 2, "character": 4}}

# An editor that starts the server, hands its own stdin on, and says the ids of both.
PARENT = """
import json, subprocess, sys, time
start = {"processId": __import__("os").getpid(), "rootUri": None, "capabilities": {}}
body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start}).encode()
server = subprocess.Popen([sys.executable, "-m", "handoff_lsp", "server"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
server.stdin.write(b"Content-Length: %d\\r\\n\\r\\n%s" % (len(body), body))
server.stdin.flush()
server.stdout.readline()
print(server.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_editor_that_is_killed_takes_its_server_along() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, env=environment())
    assert parent.stdout is not None
    number = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    until = time.monotonic() + TIMEOUT
    while _runs(number) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _runs(number)


def _runs(number: int) -> bool:
    """Whether a process runs. One that nobody waits for is over, too."""
    try:
        return "(zombie)" not in Path(f"/proc/{number}/status").read_text()
    except FileNotFoundError:
        return False


def test_a_client_that_reads_slowly_gets_every_answer() -> None:
    """The pipe is full long before the client reads: the server waits, and goes on reading."""
    server = subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
    assert server.stdin is not None and server.stdout is not None
    start = {"processId": None, "rootUri": None, "capabilities": {}}
    opened = {"textDocument": {"uri": URI, "languageId": "markdown", "version": 1, "text": SOUND}}
    asked = {"textDocument": {"uri": URI}}
    messages = [
        encode({"id": 0, "method": "initialize", "params": start}),
        encode({"method": "textDocument/didOpen", "params": opened}),
        *(encode({"id": number, "method": "textDocument/documentSymbol", "params": asked}) for number in range(1, 801)),
    ]
    size, waiting = 0, set(range(801))
    try:
        server.stdin.write(b"".join(messages))  # more than a pipe holds: this returns only if the server reads on
        server.stdin.flush()
        while waiting:
            length = 0
            while line := server.stdout.readline().strip():
                length = int(line.split(b":")[1]) if line.startswith(b"Content-Length") else length
            message = json.loads(server.stdout.read(length))
            size += length
            if "id" in message:
                waiting.remove(message["id"])
        server.stdin.write(encode({"id": 801, "method": "shutdown"}) + encode({"method": "exit"}))
        server.stdin.flush()
        assert server.wait(TIMEOUT) == 0
    finally:
        server.kill()
        server.communicate()
    assert size > 5 * 65_536 and len(b"".join(messages)) > 65_536


def test_messages_in_pieces_are_read_as_one() -> None:
    with LspClient(PULL) as client:
        number, data = client.prepare("textDocument/hover", HERE)
        opened = {"textDocument": {"uri": URI, "languageId": "markdown", "version": 1, "text": f"🙂{SOUND}"}}
        data = encode({"method": "textDocument/didOpen", "params": opened}) + data
        for each in range(0, len(data), 3):
            client.write(data[each : each + 3])
        client.answer(number)
        assert client.pull()["kind"] == "full"


def test_a_message_of_100_megabytes() -> None:
    with LspClient() as client:
        client.open("x" * 50_000_000 + "\n" + "é" * 25_000_000)
        assert client.codes(1) == ["too-large"]
        assert client.request("textDocument/hover", HERE) is None
        client.change(2, {"text": WITHOUT_STATUS})
        assert "missing-status" in client.codes(2)


def test_requests_are_answered_in_any_order_and_cancelled_ones_too() -> None:
    with LspClient() as client:
        client.open(SOUND)
        client.diagnostics(1)
        asked = [client.prepare("textDocument/hover", HERE) for _ in range(20)]
        cancelled = [encode({"method": "$/cancelRequest", "params": {"id": number}}) for number, _ in asked[::2]]
        client.write(*(data for _, data in reversed(asked)), *cancelled, *cancelled)
        for number, _ in asked[1::2]:
            assert client.answer(number)
        codes = {client._drain(lambda found, n=n: found.get("id") == n)["error"]["code"] for n, _ in asked[::2]}
        assert codes == {-32800}


def test_initialized_counts_once() -> None:
    settings = {"workspace": {"didChangeConfiguration": {"dynamicRegistration": True}}}
    with LspClient(settings) as client:
        client.expect("client/registerCapability")
        client.notify("initialized", {})
        client.open(SOUND)
        client.diagnostics(1)


def test_a_client_that_refuses_to_watch_files(tmp_path: Path) -> None:
    """It is asked again for other files, and not to end a watch that it does not have."""
    (tmp_path / ".git").mkdir()
    with LspClient(WATCH, initialize=False) as client:
        client.held.add("client/registerCapability")
        client.request("initialize", {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": WATCH})
        client.notify("initialized", {})
        client.expect("client/registerCapability")
        refused = client.asked[-1]
        client.declared.refused(refused["params"])
        client.write(encode({"id": refused["id"], "error": {"code": -32603, "message": "Not now"}}))
        assert "refused" in client.expect("window/logMessage")["message"]
        client.held.clear()
        (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["forms/*.yaml"]\n')
        client.open(SOUND, (tmp_path / "a-developer-handoff.md").as_uri())
        changes = [{"uri": (tmp_path / ".handoff-lsp.toml").as_uri(), "type": 1}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        watchers = client.expect("client/registerCapability")["registrations"][0]["registerOptions"]["watchers"]
        assert any("forms" in each["globPattern"] for each in watchers)
        client.close_quietly()
        client.noise = b"The client refused a request: Not now"


# The disk

HANDOFF = "handoffs/login-developer-handoff.md"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with some handoffs."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "handoffs").mkdir()
    for number in range(4):
        (tmp_path / f"handoffs/login-{number}-developer-handoff.md").write_text(WITHOUT_STATUS, encoding="utf-8")
    return tmp_path


def opened(client: LspClient, root: Path) -> list[str]:
    """The rules that the open handoff and the files on disk break, by a pull of the whole workspace."""
    items = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    return [each["code"] for item in items for each in item.get("items", ()) if item["uri"].startswith(root.as_uri())]


@contextmanager
def start(root: Path) -> Iterator[LspClient]:
    """A client that pulls, with a folder. It may ignore requests to pull again."""
    client = LspClient(PULL, rootUri=root.as_uri())
    try:
        yield client
        assert client.request("shutdown", None) is None
        client.notify("exit", None)
        assert client.process.wait(TIMEOUT) == 0
        assert client.stderr == b"", client.stderr
    finally:
        client.kill()


def test_files_that_vanish_or_cannot_be_read(workspace: Path) -> None:
    with start(workspace) as client:
        assert opened(client, workspace).count("missing-status") == 4
        first, second, third, fourth = sorted((workspace / "handoffs").iterdir())
        first.unlink()
        second.write_bytes(b"\xff\xfe\0")
        third.unlink()
        third.mkdir()
        fourth.unlink()
        fourth.symlink_to(fourth)  # a link to itself cannot be read, even by root
        client.notify(
            "workspace/didChangeWatchedFiles",
            {"changes": [{"uri": each.as_uri(), "type": 2} for each in (first, second, third, fourth)]},
        )
        assert "missing-status" not in opened(client, workspace)
        for path in (third, fourth):
            path.rmdir() if path.is_dir() else path.unlink()
            path.write_text(WITHOUT_STATUS, encoding="utf-8")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": third.as_uri(), "type": 2}]})
        assert opened(client, workspace).count("missing-status") == 2


def test_a_workspace_that_vanishes_while_it_is_read(workspace: Path) -> None:
    """Another program deletes and writes all the time."""
    over = threading.Event()
    paths = sorted((workspace / "handoffs").iterdir())

    def work() -> None:
        while not over.is_set():
            for path in paths:
                path.unlink(missing_ok=True)
            for path in paths:
                path.write_text(WITHOUT_STATUS, encoding="utf-8")

    thread = threading.Thread(target=work)
    with start(workspace) as client:
        thread.start()
        try:
            for _ in range(20):
                client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": paths[0].as_uri(), "type": 2}]})
                opened(client, workspace)
        finally:
            over.set()
            thread.join()
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": paths[0].as_uri(), "type": 2}]})
        assert opened(client, workspace).count("missing-status") == 4


def test_a_server_writes_nothing(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """So a read-only workspace and a read-only home are as good as others, and so is a full disk."""
    home = tmp_path_factory.mktemp("home")
    names = {"HOME": home, "XDG_CACHE_HOME": home / "c", "TMPDIR": home / "t", "HANDOFF_LSP_CACHE_DIR": home / "h"}
    before = sorted(workspace.rglob("*"))

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # not a byte can be written to a file

    start_ = {"processId": None, "rootUri": workspace.as_uri(), "capabilities": PULL}
    document = {"uri": (workspace / HANDOFF).as_uri(), "languageId": "markdown", "version": 1, "text": WITHOUT_STATUS}
    messages = [
        encode({"id": 1, "method": "initialize", "params": start_}),
        encode({"method": "initialized", "params": {}}),
        encode({"method": "textDocument/didOpen", "params": {"textDocument": document}}),
        encode({"id": 2, "method": "textDocument/diagnostic", "params": {"textDocument": {"uri": document["uri"]}}}),
        encode({"id": 3, "method": "workspace/diagnostic", "params": {"previousResultIds": []}}),
        encode({"method": "textDocument/didSave", "params": {"textDocument": {"uri": document["uri"]}}}),
        encode({"id": 4, "method": "workspace/symbol", "params": {"query": ""}}),
    ]
    environment_ = {
        **environment(),
        **{name: str(path) for name, path in names.items()},
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    server = subprocess.Popen(SERVER, **pipes, env=environment_, preexec_fn=no_room)  # type: ignore[call-overload]
    out, err = server.communicate(b"".join(messages), timeout=TIMEOUT * 2)
    assert (server.returncode, err) == (0, b"")
    assert out.count(b"missing-status") >= 5
    assert (sorted(workspace.rglob("*")), list(home.iterdir())) == (before, [])


def test_two_servers_on_one_workspace(workspace: Path) -> None:
    with start(workspace) as one, start(workspace) as other:
        for _ in range(3):
            for client in (one, other):
                assert opened(client, workspace).count("missing-status") == 4
        (workspace / "handoffs/login-0-developer-handoff.md").write_text(SOUND, encoding="utf-8")
        uri = (workspace / "handoffs/login-0-developer-handoff.md").as_uri()
        for client in (one, other):
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
            assert opened(client, workspace).count("missing-status") == 3


@pytest.mark.parametrize("jump", [86_400.0, -86_400.0])
def test_the_clock_jumps(workspace: Path, jump: float) -> None:
    """A machine that slept, or was set back: a change on disk is found all the same."""

    async def session() -> tuple[int, int]:
        clock = LateClock()
        path = workspace / "handoffs/login-0-developer-handoff.md"
        with hurried(clock):
            editor = Editor(Kind(pull=True, watch=True, parts=False, encoding="utf-16"), [workspace])
            await editor.start()
            await editor.watch_workspace()
            before = sum(map(len, editor.workspace.values()))
            clock.ahead += jump
            path.write_text(SOUND, encoding="utf-8")
            os.utime(path, (0, 0) if jump < 0 else (4e9, 4e9))
            editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})
            await editor.pull_anew()
            await editor.settle()
            after = sum(map(len, editor.workspace.values()))
            editor.end()
        return before, after

    before, after = asyncio.run(session())
    assert before > after > 0
