"""Sessions with a real server over stdio, as each editor declares itself: nothing that a client sends can be trusted.

Random requests at any positions, edits, cancellations, nonsense and messages in pieces. Every request gets one answer,
valid by the protocol and in a text that the client had; the server logs only what it could not read; at the end its
texts are the client's.
"""

from __future__ import annotations

import copy
import random
import re
import shutil
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlparse

from server.client import AT_ONCE, TIMEOUT, LspClient, Message, encode
from server.profiles import PROFILES
from server.test_across_files import AGREE, OWN
from server.test_profiles import AT_PLACES, OF_ALL
from server.valid import Lines, problems, structure_problems, token_problems, workspace_edit_problems

from fuzz.mutations import mutation
from fuzz.run import Breach, Document

_STEPS = 60
_BURST = 6  # messages of a step, at most
_MOST_CHARACTERS = 6_000
_LARGEST = 2**31 - 1

_NO_FOLDER, _CONFIG, _CONTRACT = "untitled:Untitled-1", ".handoff-lsp.toml", "formats/left.yaml"
_CONFIGS = ('contract-files = ["formats/*.yaml"]\n', '[rules]\ninvalid-value = "hint"\n', "not toml [")
_JUNK: tuple[Any, ...] = (None, -1, 1e300, 2**40, True, "", "x" * 300, "\ud800", [], [[]], {}, {"line": -1}, "file://%")

# Errors that a request may get: it cannot be read, is unknown, refused, cancelled, or its document has changed.
_REFUSED = {-32602, -32601, -32803, -32800, -32801, -32600}
_LOGGED = re.compile(r"cannot be read: |which is not open, was ignored|A message |The client refused a request: ")
_LINE_OF_LOG = re.compile(r"^\d{4}-\d\d-\d\d [\d:,]+ (\w+) ")

_MORE = {
    "renameProvider": ("textDocument/rename", "textDocument/prepareRename"),
    "codeActionProvider": ("textDocument/codeAction",),
    "documentOnTypeFormattingProvider": ("textDocument/onTypeFormatting",),
    "documentRangeFormattingProvider": ("textDocument/rangeFormatting",),
    "semanticTokensProvider": ("textDocument/semanticTokens/range", "textDocument/semanticTokens/full/delta"),
    "workspaceSymbolProvider": ("workspace/symbol",),
    "diagnosticProvider": ("textDocument/diagnostic", "workspace/diagnostic"),
    "executeCommandProvider": ("workspace/executeCommand",),
}


class Wire:
    """Random sessions, one after another; all from one seed."""

    def __init__(self, cases: list[list[Document]], seed: int) -> None:
        self._cases = cases
        self._texts = [document.text for case in cases for document in case]
        self._chance = random.Random(seed)
        self.requests = self.answers = 0

    def session(self, profile: str | None = None) -> Iterator[Breach]:
        """One server with the client of a profile, for some steps."""
        name = profile or self._chance.choice(list(PROFILES))
        folder = Path(tempfile.mkdtemp(prefix="handoff-lsp-fuzz-")).resolve()
        walk = _Walk(name, folder, random.Random(self._chance.random()), self._texts)
        try:
            walk.begin(self._chance.sample(self._cases, 4))
            for _ in range(_STEPS):
                walk.step()
            walk.leave()
        except Exception:
            walk.wrong.append(f"{traceback.format_exc()}\n{walk.client.stderr.decode(errors='replace')[-2000:]}")
        finally:
            walk.client.kill()
            shutil.rmtree(folder, ignore_errors=True)
        self.requests += walk.requests
        self.answers += walk.answers
        for law in walk.wrong[:3]:
            yield Breach(f"{name}: {law}", "wire", "")


class _Asked(NamedTuple):
    """A request that was sent, and how many texts its document had had by then."""

    number: int
    method: str
    params: Any
    uri: str
    seen: int
    sound: bool  # not made unreadable on purpose


class _Client(LspClient):
    """A client that notes answers to messages without an id, and refuses some of the server's requests."""

    chance = random.Random(0)
    unreadable = 0

    def _check(self, message: Message) -> None:
        if "method" not in message and message.get("id") is None:
            self.unreadable += 1
        else:
            super()._check(message)

    def reply(self, request: Message, result: Any) -> None:
        answered = ("workspace/configuration", "client/unregisterCapability")
        if request["method"] not in answered and self.chance.random() < 0.2:
            if request["method"] == "client/registerCapability":
                self.declared.refused(request["params"])
            refused = {"id": request["id"], "error": {"code": -32603, "message": "Not now"}}
            self.write(encode(refused))
        else:
            super().reply(request, result)


class _Walk:
    """One session. ``wrong`` are the laws that it broke."""

    def __init__(self, name: str, folder: Path, chance: random.Random, texts: list[str]) -> None:
        profile = PROFILES[name]
        self.wrong: list[str] = []
        self.requests = self.answers = 0
        self._folder, self._chance, self._texts, self._profile = folder, chance, texts, profile
        (folder / ".git").mkdir()
        self.client = _Client(profile.capabilities, **profile.folder(folder))
        self.client.chance = chance
        self.client.replies["workspace/configuration"] = lambda asked: [AT_ONCE for _ in asked["items"]]
        self.client.replies["workspace/applyEdit"] = {"applied": False}
        self.client.replies["window/showDocument"] = {"success": True}
        self._had: dict[str, list[Lines]] = {}  # by URI: the texts that a document had, the last one now
        self._at: dict[tuple[str, int], Lines] = {}  # by URI and version
        self._open: dict[str, int] = {}  # versions
        self._closed: dict[str, int] = {}  # the last versions of documents that are not open
        self._tokens: dict[str, tuple[str, list[int]]] = {}
        self._asked: list[_Asked] = []
        self._found: list[tuple[str, Message]] = []  # what may be resolved, with the method

    # the session

    def begin(self, cases: list[list[Document]]) -> None:
        """Write the files, and open some."""
        contents = {path: text for case in cases for path, text in case}
        contents |= {_CONFIG: _CONFIGS[0], _CONTRACT: OWN % (("left",) * 3) + AGREE}
        for path, text in contents.items():
            (self._folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self._folder / path).write_bytes(text.encode("utf-8", "surrogatepass"))
        self._uris = [*((self._folder / path).as_uri() for path in contents), _NO_FOLDER]
        for uri in self._uris:
            self._had[uri] = [
                Lines(contents.get(self._path(uri), "# Notes\n")[:_MOST_CHARACTERS], self._profile.encoding)
            ]
        self.client.write(*(self._opening(uri) for uri in self._chance.sample(self._uris, 4)))

    def step(self) -> None:
        """Send a burst of messages, and read what they cause."""
        chance = self._chance
        kinds = (*[self._ask] * 6, self._change, self._change, self._open_or_close, self._nonsense)
        kinds += (self._disk, self._resolve)
        sent = [message for _ in range(chance.randint(1, _BURST)) for message in chance.choice(kinds)()]
        for asked in self._asked:
            if chance.random() < 0.15:
                sent.append(encode({"method": "$/cancelRequest", "params": {"id": asked.number}}))
        self._send(sent)
        self._read()

    def leave(self) -> None:
        """Compare the texts, and end the server."""
        for uri in list(self._open):
            known = self._diagnostics(uri)
            self.client.write(self._closing(uri), self._opening(uri))
            if (new := self._diagnostics(uri)) != known:
                apart = [each for each in (*known, *new) if (each in known) != (each in new)]
                self.wrong.append(f"the text of {uri} is not the client's: {apart[:2]} of {self._had[uri][-1].text!r}")
        assert self.client.request("shutdown", None) is None
        self.client.notify("exit", None)
        assert self.client.process.wait(TIMEOUT) == 0
        for line in self.client.stderr.decode(errors="replace").splitlines():
            if not _LINE_OF_LOG.match(line) or not _LOGGED.search(line):
                self.wrong.append(f"logged: {line}")
        self._look_at(self.client.take_unread())

    def _send(self, messages: list[bytes]) -> None:
        chance = self._chance
        data = b"".join(messages)
        if chance.random() < 0.6:
            self.client.write(data)
            return
        while data:  # in pieces, which end anywhere
            size = chance.choice((1, 7, 40, 700, 5_000))
            self.client.write(data[:size])
            data = data[size:]
            if chance.random() < 0.05:
                time.sleep(0.002)

    def _read(self) -> None:
        """Read the answers to all requests."""
        asked, self._asked = self._asked, []
        for each in asked:
            message = self.client._drain(
                lambda found, number=each.number: found.get("id") == number and "method" not in found
            )
            self.requests += 1
            error = message.get("error")
            if error is None:
                self._judge(each, message["result"])
            elif error["code"] not in _REFUSED or (each.sound and error["code"] == -32602):
                self.wrong.append(f"{each.method} {each.params}: {error}")
        self._look_at(self.client.take_unread())

    def _look_at(self, messages: list[Message]) -> None:
        """Look at what the server sent by itself."""
        for message in messages:
            params = message.get("params")
            if message.get("method") == "textDocument/publishDiagnostics":
                lines = self._at.get((params["uri"], params.get("version")))
                if lines is not None:
                    found = list(problems("", {}, params["diagnostics"], lines, params["uri"]))
                    self.wrong += [f"published: {each}" for each in found[:1]]
            elif message.get("method") == "window/logMessage" and not _LOGGED.search(params["message"]):
                self.wrong.append(f"logged: {params['message']}")
            elif message.get("method") == "workspace/applyEdit":
                for uri, had in self._had.items():
                    tries = [list(workspace_edit_problems(params["edit"], lines, uri)) for lines in had[-8:]]
                    if all(tries):
                        self.wrong.append(f"an edit of {uri}: {tries[-1]}")

    def _judge(self, asked: _Asked, result: Any) -> None:
        """Check an answer, with each text that its document had since the request."""
        self.answers += bool(result)
        self.wrong += [f"{asked.method}: {each}" for each in list(structure_problems(asked.method, result))[:2]]
        if asked.uri not in self._open or not asked.sound:
            return
        found = []
        for lines in self._had[asked.uri][asked.seen - 1 :]:
            found = [*problems(asked.method, asked.params, result, lines, asked.uri)]
            found += self._further(asked, result, lines)
            if not found:
                break
        if found:
            text = self._had[asked.uri][-1].text
            self.wrong.append(f"{asked.method} {asked.params}: {found[:3]} in {text!r}")
        for item in (result if isinstance(result, list) else (result or {}).get("items", ()))[:3]:
            self._found.append((asked.method, item))

    def _further(self, asked: _Asked, result: Any, lines: Lines) -> Iterator[str]:
        """What is wrong with edits of actions and renames, and with changes of tokens."""
        if result and asked.method == "textDocument/rename":
            yield from workspace_edit_problems(result, lines, asked.uri)
        if result and asked.method == "textDocument/codeAction":
            for action in result:
                yield from workspace_edit_problems(action.get("edit") or {}, lines, asked.uri)
        if result and asked.method.startswith("textDocument/semanticTokens/full"):
            known, data = self._tokens.get(asked.uri), result.get("data")
            if data is None:
                assert known is not None and known[0] == asked.params["previousResultId"]
                data = list(known[1])
                for edit in reversed(result["edits"]):
                    start = edit["start"]
                    data[start : start + edit["deleteCount"]] = edit.get("data") or []
            wrong = list(token_problems(data, lines))
            yield from wrong
            if result.get("resultId") and not wrong:
                self._tokens[asked.uri] = result["resultId"], data

    def _diagnostics(self, uri: str) -> list[str]:
        """The diagnostics of a document as it is now."""
        if self._profile.pull:
            return sorted(map(repr, self.client.pull(uri=uri)["items"]))
        self._open[uri] += 1_000
        self._at[uri, self._open[uri]] = self._had[uri][-1]
        self.client.change(self._open[uri], uri=uri)
        while (params := self.client.published(uri)).get("version") != self._open[uri]:
            pass
        return sorted(map(repr, params["diagnostics"]))

    # the messages

    def _opening(self, uri: str) -> bytes:
        self._open[uri] = self._open.get(uri, 0) + 1
        self._at[uri, self._open[uri]] = self._had[uri][-1]
        language = self._chance.choice(("markdown", "json", "yaml", "toml", "plaintext", ""))
        text = self._had[uri][-1].text
        item = {"uri": uri, "languageId": language, "version": self._open[uri], "text": text}
        return encode({"method": "textDocument/didOpen", "params": {"textDocument": item}})

    def _closing(self, uri: str) -> bytes:
        return encode({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})

    def _open_or_close(self) -> Iterator[bytes]:
        uri = self._chance.choice(self._uris)
        if uri in self._open and self._chance.random() < 0.8:
            yield self._closing(uri)
            # Its version goes on, so that late diagnostics of the earlier ones are known.
            self._closed[uri] = self._open.pop(uri)
            self._tokens.pop(uri, None)
        elif uri not in self._open:
            self._open[uri] = self._closed.get(uri, 0)
            yield self._opening(uri)

    def _change(self) -> Iterator[bytes]:
        if not self._open:
            return
        chance, uri = self._chance, self._chance.choice(list(self._open))
        changes: list[Message] = []
        text = self._had[uri][-1].text
        for _ in range(chance.choice((1, 1, 1, 2, 3, 0))):
            lines = Lines(text, self._profile.encoding)
            if chance.random() < 0.1 or len(text) > _MOST_CHARACTERS:
                text = chance.choice(self._texts)[:_MOST_CHARACTERS]
                if self._path(uri) in (_CONFIG, _CONTRACT) and chance.random() < 0.7:
                    text = chance.choice(_CONFIGS)
                changes.append({"text": text})
            elif chance.random() < 0.3:  # at any position
                start, end = self._position(lines), self._position(lines)
                places = [lines.offset(start), lines.offset(end)]
                change = {"range": {"start": start, "end": end}, "text": chance.choice(("", "x", "🙂\r\n"))}
                if None in places:  # inside a character: the client says at once what it meant
                    changes += [change, {"text": text}]
                    continue
                first, last = sorted(place for place in places if place is not None)
                text = text[:first] + str(change["text"]) + text[last:]
                changes.append(change)
            else:
                made = mutation(text, self._texts, chance)
                start, end = (lines.position(offset) for offset in made.span)
                first, last = lines.offset(start), lines.offset(end)
                assert first is not None and last is not None
                changes.append({"range": {"start": start, "end": end}, "text": made.text})
                text = text[:first] + made.text + text[last:]
        text = text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")
        self._had[uri].append(Lines(text, self._profile.encoding))
        self._open[uri] += 1
        self._at[uri, self._open[uri]] = self._had[uri][-1]
        document = {"uri": uri, "version": self._open[uri]}
        params = {"textDocument": document, "contentChanges": changes}
        yield encode({"method": "textDocument/didChange", "params": params})

    def _ask(self) -> Iterator[bytes]:
        offered = self.client.capabilities
        methods = [method for name, method in {**AT_PLACES, **OF_ALL}.items() if name in offered]
        methods += [method for name, found in _MORE.items() if name in offered for method in found]
        if not methods:
            return
        method = self._chance.choice(methods)
        if method.endswith("full/delta") and self._offers_no_delta():
            return
        options = offered.get("renameProvider")
        if method.endswith("prepareRename") and not isinstance(options, dict):
            return
        uri = self._chance.choice(list(self._open) if self._open and self._chance.random() < 0.9 else self._uris)
        params, sound = self._params(method, uri), method != "workspace/executeCommand"
        if self._chance.random() < 0.1:
            params, sound = self._broken(params), False
        yield self._request(method, params, uri, sound)

    def _request(self, method: str, params: Any, uri: str, sound: bool) -> bytes:
        number, data = self.client.prepare(method, params if isinstance(params, dict) else {})
        self._asked.append(_Asked(number, method, params, uri, len(self._had.get(uri, ())), sound))
        return data if isinstance(params, dict) else encode({"id": number, "method": method, "params": params})

    def _params(self, method: str, uri: str) -> Message:
        """The parameters of a request, at any places."""
        chance, lines = self._chance, self._had[uri][-1]
        place, other = self._position(lines), self._position(lines)
        options = {"tabSize": chance.choice((0, 2, 8)), "insertSpaces": chance.random() < 0.5}
        params: Message = {"textDocument": {"uri": uri}, "position": place, "options": options}
        params |= {"range": {"start": place, "end": other}, "positions": [place, other], "ch": chance.choice("\n:|x ")}
        params |= {"newName": chance.choice(("a7654321", "", "a b", "🙂", "x" * 500, "reviewer"))}
        params |= {"context": {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1}, "query": "a"}
        if method == "textDocument/semanticTokens/full/delta":
            params["previousResultId"] = (self._tokens.get(uri) or ("none",))[0]
        if method == "workspace/diagnostic":
            params = {"previousResultIds": chance.choice(([], [{"uri": uri, "value": "none"}]))}
        if method == "workspace/executeCommand":
            command = chance.choice(self.client.capabilities["executeCommandProvider"]["commands"])
            arguments = chance.choice(([], [uri], [{}], [{"uri": uri}], [uri, place], [5], [None, None], ["\ud800"]))
            params = {"command": command, "arguments": arguments}  # most are refused
        return params

    def _offers_no_delta(self) -> bool:
        full = self.client.capabilities["semanticTokensProvider"].get("full")
        return not (isinstance(full, dict) and full.get("delta"))

    def _resolve(self) -> Iterator[bytes]:
        """Resolve something that was answered before, which its document may no longer have."""
        ways = {
            "textDocument/completion": ("completionProvider", "completionItem/resolve"),
            "textDocument/codeAction": ("codeActionProvider", "codeAction/resolve"),
            "textDocument/codeLens": ("codeLensProvider", "codeLens/resolve"),
            "textDocument/documentLink": ("documentLinkProvider", "documentLink/resolve"),
            "textDocument/inlayHint": ("inlayHintProvider", "inlayHint/resolve"),
        }
        if not self._found:
            return
        method, item = self._chance.choice(self._found)
        provider, way = ways.get(method, ("", ""))
        options = self.client.capabilities.get(provider)
        if isinstance(options, dict) and options.get("resolveProvider") and isinstance(item, dict):
            broken = {**item, "data": self._chance.choice(_JUNK)}
            yield self._request(way, broken if self._chance.random() < 0.2 else item, "", False)

    def _nonsense(self) -> Iterator[bytes]:
        chance = self._chance
        kind = chance.randrange(8)
        if kind == 0:
            yield self._request("textDocument/nonsense", chance.choice(_JUNK), "", False)
        elif kind == 1:
            yield encode(
                {"method": chance.choice(("$/nonsense", "workspace/didNonsense")), "params": chance.choice(_JUNK)}
            )
        elif kind == 2:
            number = chance.choice((1, 10**9, "x", "1"))
            yield encode({"method": "$/cancelRequest", "params": {"id": number}})
        elif kind == 3:  # an answer to nothing
            yield encode({"id": chance.choice((10**9, "x")), "result": chance.choice(_JUNK)})
        elif kind == 4:
            body = chance.choice((b"{", b"[]", b"5", b"", b"\xff", b'{"jsonrpc": "2.0", "method": 5}'))
            yield b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        elif kind == 5:  # notifications that cannot be read
            method = chance.choice(("didOpen", "didChange", "didClose", "didSave"))
            yield encode({"method": f"textDocument/{method}", "params": {"textDocument": chance.choice((5, [], None))}})
        elif kind == 6:  # a document that is not open
            document = {"uri": "file:///nowhere/none.md", "version": 1}
            params = {"textDocument": document, "contentChanges": [{"text": "x"}]}
            yield encode({"method": "textDocument/didChange", "params": params})
        else:
            yield encode({"method": "initialized", "params": {}})

    def _disk(self) -> Iterator[bytes]:
        """Something else changes, or a client says so."""
        chance, uri = self._chance, self._chance.choice(self._uris)
        kind = chance.randrange(5)
        if kind == 0:
            (self._folder / _CONFIG).write_text(chance.choice(_CONFIGS))
        elif kind == 1 and uri != _NO_FOLDER:
            (self._folder / self._path(uri)).unlink(missing_ok=True)
        if kind < 3:
            changes = [{"uri": chance.choice((uri, "untitled:x", "file:///%00")), "type": chance.choice((1, 2, 3))}]
            yield encode({"method": "workspace/didChangeWatchedFiles", "params": {"changes": changes}})
        elif kind == 3:
            settings = chance.choice(({"handoff-lsp": AT_ONCE}, {"handoff-lsp": AT_ONCE, "other": 5}))
            yield encode({"method": "workspace/didChangeConfiguration", "params": {"settings": settings}})
        else:
            yield encode({"method": "textDocument/didSave", "params": {"textDocument": {"uri": uri}}})

    def _position(self, lines: Lines) -> Message:
        """A position: most are in the text, some beyond, some in the middle of a character."""
        chance = self._chance
        if chance.random() < 0.6:
            return lines.position(chance.randint(0, len(lines.text)))
        line = chance.choice((0, chance.randrange(len(lines.starts) + 2), _LARGEST))
        return {"line": line, "character": chance.choice((0, chance.randrange(60), _LARGEST))}

    def _broken(self, params: Message) -> Any:
        """Parameters with something else somewhere."""
        chance = self._chance
        if chance.random() < 0.1:
            return chance.choice(_JUNK)
        broken = copy.deepcopy(params)
        holder: Any = broken
        while True:
            key = chance.choice(list(holder)) if isinstance(holder, dict) else chance.randrange(len(holder))
            if isinstance(holder[key], (dict, list)) and holder[key] and chance.random() < 0.7:
                holder = holder[key]
            else:
                break
        if isinstance(holder, dict) and chance.random() < 0.3:
            del holder[key]
        else:
            holder[key] = chance.choice(_JUNK)
        return broken

    def _path(self, uri: str) -> str:
        return unquote(urlparse(uri).path).removeprefix(f"{self._folder}/")
