"""The start: the first answer from an earlier start, and classes made when they are used, change only the time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from server.client import TIMEOUT, URI, Message, encode, environment
from server.documents import WITHOUT_STATUS
from server.profiles import PROFILES

from handoff_lsp.server.wire.first_answer import FirstAnswer
from handoff_lsp.server.wire.kept import Kept
from handoff_lsp.server.wire.pipes import Stdout

# The server with a file of its own to keep things in.
SCRIPT = (
    "import sys, handoff_lsp.server.start as s; s.kept_path = lambda: sys.argv[1]; raise SystemExit(s.serve_stdio())"
)
# The same with lsprotocol's classes made as ever.
AT_ONCE = f"import lsprotocol.converters as c; c.get_converter(); {SCRIPT}"

OPENED = {"textDocument": {"uri": URI, "languageId": "markdown", "version": 1, "text": WITHOUT_STATUS}}
PLACE = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 1}}
SESSION = b"".join(
    [
        encode({"method": "textDocument/didOpen", "params": OPENED}),
        encode({"id": 2, "method": "textDocument/hover", "params": PLACE}),
        encode({"id": 3, "method": "textDocument/completion", "params": PLACE}),
        encode({"id": 4, "method": "textDocument/documentSymbol", "params": PLACE}),
        encode({"id": 8, "method": "shutdown"}),
        encode({"method": "exit"}),
    ]
)
STARTED: Message = {"processId": None, "rootUri": None, "capabilities": {}}


def initialize(params: Message, number: Any = 1) -> bytes:
    return encode({"id": number, "method": "initialize", "params": params})


def serve(kept: Path, data: bytes, script: str = SCRIPT, **variables: str) -> tuple[int, list[bytes], str]:
    """The result of a client's bytes: the exit code, the messages with their headers, and the text on stderr."""
    own = {**environment(), "PYTHONDONTWRITEBYTECODE": "", **variables}
    command = [sys.executable, "-c", script, str(kept)]
    done = subprocess.run(command, input=data, capture_output=True, timeout=2 * TIMEOUT, env=own, check=False)
    return done.returncode, re.split(rb"(?=Content-Length: )", done.stdout)[1:], done.stderr.decode()


def answered(kept: Path, tmp_path: Path, *chunks: bytes) -> bytes:
    """What is answered to the beginning of an input, before anything is loaded."""
    out = tmp_path / "out"
    with open(out, "wb") as file:
        first, held = FirstAnswer(Kept(str(kept)), Stdout(file.fileno())), bytearray()
        for chunk in chunks:
            held += chunk
            first.look(held)
    return out.read_bytes()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a server that has answered a client without capabilities."""
    path = tmp_path_factory.mktemp("kept") / "kept"
    assert serve(path, initialize(STARTED) + SESSION)[0] == 0
    return path


@pytest.mark.parametrize("name", PROFILES)
def test_the_first_answer_is_the_servers_own(name: str, tmp_path: Path) -> None:
    kept, profile = tmp_path / "kept", PROFILES[name]
    asked = {**STARTED, "capabilities": profile.capabilities, **profile.folder(tmp_path)}
    slow = serve(kept, initialize(asked) + SESSION)
    assert slow[0] == 0 and slow[2] == ""
    assert answered(kept, tmp_path, initialize(asked)) == slow[1][0]
    if name in ("vscode", "bare"):  # each kind of message, with lsprotocol's classes made at once
        for script in (SCRIPT, AT_ONCE):
            fast = serve(kept, initialize(asked) + SESSION, script)
            assert (fast[0], sorted(fast[1]), fast[2]) == (0, sorted(slow[1]), "")
            assert fast[1][0] == slow[1][0], "the answer comes first"


def test_it_depends_on_no_id_and_no_folder(kept: Path, tmp_path: Path) -> None:
    elsewhere = {**STARTED, "processId": os.getpid(), "rootUri": tmp_path.as_uri(), "workspaceFolders": None}
    for number in ("a-1", 77):
        early = answered(kept, tmp_path, initialize(elsewhere, number))
        assert early == serve(tmp_path / "other", initialize(elsewhere, number))[1][0]
        assert json.loads(early.split(b"\r\n\r\n")[1])["id"] == number


def test_however_the_message_arrives_it_is_answered_once(kept: Path, tmp_path: Path) -> None:
    data = initialize(STARTED)
    whole = answered(kept, tmp_path, data + SESSION)
    assert whole.startswith(b"Content-Length: ")
    assert answered(kept, tmp_path, *(data[at : at + 1] for at in range(len(data))), SESSION) == whole


BODY = initialize(STARTED).split(b"\r\n\r\n")[1]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Content-Le",
        initialize(STARTED)[:-1],
        b"GET / HTTP/1.1\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n{}",
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
        b"Content-Length: 3\r\n\r\n{{{",
        b"Content-Length: 5000\r\n\r\n" + b"[" * 5000,
        b"content-length: %d\r\n\r\n%s" % (len(BODY), BODY),
        encode({"id": 1, "method": "shutdown"}) + initialize(STARTED),
        encode({"method": "initialize", "params": STARTED}),
        encode({"id": 1, "method": "initialize"}),
        initialize(STARTED, None),
        initialize(STARTED, True),
        initialize(STARTED, [1]),
        initialize({**STARTED, "processId": "7"}),
        initialize({**STARTED, "processId": True}),
        initialize({**STARTED, "rootUri": 5}),
        initialize({**STARTED, "rootUri": "file://[/a"}),
        initialize({**STARTED, "rootPath": "\ud800"}),
        initialize({**STARTED, "workspaceFolders": [{"uri": "file:///a"}]}),
        initialize({**STARTED, "workspaceFolders": {}}),
        initialize({**STARTED, "workDoneToken": None}),
        initialize({**STARTED, "locale": "de"}),
        initialize({**STARTED, "capabilities": 5}),
        initialize({**STARTED, "capabilities": {"window": {"workDoneProgress": True}}}),
    ],
)
def test_any_other_message_is_left_to_the_server(data: bytes, kept: Path, tmp_path: Path) -> None:
    assert answered(kept, tmp_path, data) == b""


@pytest.mark.parametrize("data", [b"", b"Content-Le", initialize(STARTED)[:-1]])
def test_the_end_of_the_input_before_the_first_message(data: bytes, kept: Path) -> None:
    assert serve(kept, data)[:2] == (0, [])


def test_the_end_of_the_input_after_the_first_message(kept: Path) -> None:
    code, messages, errors = serve(kept, initialize(STARTED))
    assert (code, len(messages), errors) == (0, 1, "")


def test_a_second_initialize_is_refused_as_ever(kept: Path) -> None:
    _, messages, _ = serve(kept, initialize(STARTED) + initialize(STARTED, 2) + SESSION)
    assert [json.loads(each.split(b"\r\n\r\n")[1]).get("id") for each in messages][:2] == [1, 2]
    assert b"The server is initialized already" in messages[1]


@pytest.mark.parametrize("damage", ["empty", "short", "flipped", "text", "folder", "other Python"])
def test_a_file_that_cannot_be_used_is_replaced(damage: str, kept: Path, tmp_path: Path) -> None:
    path, data = tmp_path / "kept", kept.read_bytes()
    if damage == "folder":
        path.mkdir()
    else:
        path.write_bytes(
            {
                "empty": b"",
                "short": data[: len(data) // 2],
                "flipped": data[:-100] + bytes([data[-100] ^ 1]) + data[-99:],
                "text": b"handoff-lsp keeps 2, 00000000\n" + b"x" * 1000,
                "other Python": data.replace(sys.version.encode()[:6], b"9.99.9", 1),
            }[damage]
        )
    code, messages, errors = serve(path, initialize(STARTED) + SESSION)
    assert (code, errors) == (0, "")
    assert messages[0] == answered(kept, tmp_path, initialize(STARTED))
    if damage == "folder":
        assert [each.name for each in tmp_path.iterdir() if each.name != "out"] == ["kept"], "no other file is left"
    else:
        assert answered(path, tmp_path, initialize(STARTED)) == messages[0]
        assert Kept(str(path)).answers


def test_nothing_is_kept_where_python_keeps_nothing(tmp_path: Path) -> None:
    assert serve(tmp_path / "kept", initialize(STARTED) + SESSION, PYTHONDONTWRITEBYTECODE="1")[0] == 0
    assert serve(tmp_path / "no folder" / "kept", initialize(STARTED) + SESSION)[::2] == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_an_answer_that_is_no_longer_right_is_reported_and_replaced(kept: Path, tmp_path: Path) -> None:
    right, path = answered(kept, tmp_path, initialize(STARTED)), tmp_path / "kept"
    path.write_bytes(kept.read_bytes())
    old = Kept(str(path))
    for key, text in list(old.answers.items()):
        old.answer(key, text.replace('"hoverProvider": true', '"hoverProvider": false'))
    old_setting, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        old.write()
    finally:
        sys.dont_write_bytecode = old_setting
    code, messages, errors = serve(path, initialize(STARTED) + SESSION)
    assert code == 0 and messages[0] != right, "only one answer"
    assert "an earlier server" in errors and errors.count("\n") == 1
    assert serve(path, initialize(STARTED) + SESSION)[1][0] == right


def test_only_the_latest_answers_are_kept() -> None:
    kept = Kept(None)
    for number in range(40):
        kept.answer(f"client {number}", "{}")
    assert list(kept.answers) == [f"client {number}" for number in range(24, 40)]


def test_a_class_made_at_its_first_use_is_the_one_made_at_once() -> None:
    """Each of lsprotocol's classes, after a converter was made: its fields with their types, and its methods."""
    script = """
import sys
if sys.argv[1:]:
    from handoff_lsp.server.wire.lazy_types import load_types
    load_types()
import attrs
from lsprotocol import converters, types
converter = converters.get_converter()
classes = [each for each in types.ALL_TYPES_MAP.values() if isinstance(each, type)]
later = sum(type(vars(each).get("__init__")).__name__ == "Later" for each in classes)
for each in filter(attrs.has, classes):
    own = {name: str(value) for name, value in vars(each).items() if name.startswith("__") and not callable(value)}
    methods = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__lt__")
    made = [name for name in methods if name in vars(each)]
    print(each, own["__attrs_attrs__"], own["__match_args__"], made, each.__init__.__annotations__)
place = converter.structure({"line": 3, "character": 4}, types.Position)
print(place, place == types.Position(3, 4), place < types.Position(4, 0), converter.unstructure(place))
print(attrs.define.__module__)
assert not sys.argv[1:] or len(place.__init__.__globals__) < 100, "the names of the module are copied for each class"
print(later)
"""
    told = [
        subprocess.run(
            [sys.executable, "-c", script, *arguments],
            capture_output=True,
            env=environment(),
            check=True,
            text=True,
            timeout=TIMEOUT,
        ).stdout.splitlines()
        for arguments in ([], ["later"])
    ]
    at_once, later = ([re.sub(" at 0x[0-9a-f]+", "", line) for line in lines[:-1]] for lines in told)
    assert later == at_once and len(later) > 500
    assert told[0][-1] == "0" and int(told[1][-1]) > 500


def test_openssl_is_not_loaded_and_can_be() -> None:
    script = """
import sys
from handoff_lsp.server.wire.lean_asyncio import load_asyncio
load_asyncio()
from handoff_lsp.server import main
main.create_server()
print(sorted({"ssl", "_ssl", "hashlib", "_hashlib"} & set(sys.modules)))
import asyncio, ssl
print(asyncio.run(asyncio.sleep(0, "runs")), ssl.create_default_context().verify_mode.name)
"""
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment(), check=True, text=True, timeout=TIMEOUT
    )
    assert told.stdout.splitlines() == ["[]", "runs CERT_REQUIRED"]


def test_the_same_session_again_keeps_nothing_new(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    serve(path, initialize(STARTED) + SESSION, PYTHONHASHSEED="1")
    before = path.read_bytes()
    serve(path, initialize(STARTED) + SESSION, PYTHONHASHSEED="2")
    assert path.read_bytes() == before
