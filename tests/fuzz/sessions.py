"""Sessions of whole editors over a folder that changes: what they show is what they would show of a fresh server."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol import types
from server.test_across_files import AGREE, LOG, OWN, STATUS
from workspace.test_checked import TURN

from fuzz.client import Client
from fuzz.editor import Editor, Kind, LateClock, Message, hurried
from fuzz.mutations import mutation
from fuzz.run import Breach, Document
from handoff_lsp.text import ENCODINGS

CONFIG = ".handoff-lsp.toml"
_CONTRACTS = ("formats/left.yaml", "formats/right.yaml")
_FORMATS = 'contract-files = ["formats/*.yaml"]\n'
_BROKEN = "not toml ["
# None: there is no file.
CONFIGS = (
    None,
    _FORMATS,
    _FORMATS,
    _FORMATS + '[rules]\nfile-disagreement = "hint"\n',
    _FORMATS + '[rules]\nplaceholder-left = "off"\n[editor]\nworkspace-diagnostics = false\n',
    _FORMATS + 'exclude = ["docs", "turns"]\n',
    _FORMATS + '[[files]]\npattern = "**/notes*"\ncontract = "agent-status"\n',
    '[rules]\ninvalid-value = "off"\n',
    _FORMATS + '[rules]\nvalue-nobody-handles = "hint"\n',
    _FORMATS + 'disable = ["agent-result"]\n',
    "examples = true\n",
    _BROKEN,
)
_SETTINGS: tuple[Message, ...] = ({}, {"rules": {"file-disagreement": "warning"}}, {"examples": True}, {"disable": []})
_LEFT, _RIGHT = (OWN % (("left",) * 3) + AGREE, OWN % (("right",) * 3))
_AGREES = _LEFT.replace("This says", "Here it is")
_AGENT = """# Worker

End with an `AGENT_RESULT` block, as in `.claude/rules/protocol.md`:

```
AGENT_RESULT: developer
STATUS: success | %s
NEXT: reviewer
```
"""
_REACTIONS = """# Protocol

Read the `AGENT_RESULT` block.

| `STATUS` | Reaction |
| --- | --- |
| `success` | go on |
| `%s` | stop |
"""
_STATUSES = ("error", "blocked", "blokced")
# By the beginning of a path: what may be written there.
_TEXTS: dict[str, tuple[str, ...]] = {
    ".agent/status.json": tuple(STATUS.replace("running", each) for each in ("running", "failed", "walking")),
    ".agent/activity.log": tuple(LOG.replace("completed", each) for each in ("completed", "running", "failed")),
    "turns/": tuple(TURN % each for each in ("COMPLETE", "IN_PROGRESS", "BLOCKED", "?")),
    "left/left.json": ('{"state": "a"}\n', '{"state": "b"}\n', '{"stat": "b"}\n'),
    "right/right.json": ('{"state": "a"}\n', '{"state": "b"}\n'),
    "agents/": tuple(_AGENT % each for each in _STATUSES),
    ".claude/rules/protocol.md": tuple(_REACTIONS % each for each in _STATUSES),
    "commands/orchestrator.md": tuple(_REACTIONS % each for each in _STATUSES),
    "formats/left.yaml": (_LEFT, _LEFT, _AGREES),
    "formats/right.yaml": (_RIGHT, _RIGHT.replace("One of two papers", "The other paper")),
}
AGENTS = ("agents/developer.md", "agents/reviewer.md")
FILES = (
    *(f"turns/turn-{number}.md" for number in (1, 2, 3, 10)),
    *AGENTS,
    *(path for path in _TEXTS if path[-1] != "/"),
)
_STEPS = 16
_LOOK_EVERY = 4


class _Difference(NamedTuple):
    path: str
    law: str


class Sessions:
    """Random sessions, one after another; all from one seed."""

    def __init__(self, cases: list[list[Document]], seed: int) -> None:
        self._cases = [case for case in cases if len(case) > 1]
        self._texts = [document.text for case in cases for document in case[:1]]
        self._chance = random.Random(seed)
        self.steps = self.compared = 0

    def session(self) -> Iterator[Breach]:
        """One folder and one editor, for a few steps."""
        folder = Path(tempfile.mkdtemp(prefix="handoff-lsp-fuzz-")).resolve()
        chance = self._chance
        watch = chance.random() < 0.7
        parts = watch and chance.random() < 0.5  # a pull that stays open hears of the disk only by the editor
        kind = Kind(chance.random() < 0.5, watch, parts, chance.choice(ENCODINGS))
        try:
            time = LateClock()
            with hurried(time):
                found = asyncio.run(_Session(self, folder, kind, time, chance).run())
            for difference in found:
                yield Breach(f"{kind}: {difference.law}", difference.path, "")
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def documents(self) -> dict[str, str]:
        """The documents that a folder begins with."""
        found = {path: self.text(path) for path in FILES if self._chance.random() < 0.8}
        found |= {path: text for case in self._chance.sample(self._cases, 2) for path, text in case}
        return found

    def text(self, path: str) -> str:
        """What may be written at a path."""
        own = [texts for start, texts in _TEXTS.items() if path.startswith(start)]
        return self._chance.choice(
            own[0] if own and (path in _CONTRACTS or self._chance.random() < 0.9) else self._texts
        )

    @property
    def texts(self) -> list[str]:
        """The texts of all cases."""
        return self._texts


class _Session:
    """One folder, one editor, and what the disk and the buffers hold."""

    def __init__(self, owner: Sessions, folder: Path, kind: Kind, time: LateClock, chance: random.Random) -> None:
        self._owner = owner
        self._folder = folder
        self._kind = kind
        self._time = time
        self._chance = chance
        self._editor = Editor(kind, [folder])
        self._folders = [folder]
        self._buffers: dict[str, Client] = {}
        self._paths: list[str] = []
        self._settings: Message = {}
        self._stamp = 1_700_000_000
        self._good: str | None = None  # the last config that was not broken
        self._is_calm = chance.random() < 0.4
        self._done: list[str] = []

    async def run(self) -> list[_Difference]:
        """The differences that are found, with the steps that led there."""
        try:
            return await self._run()
        except Exception:
            return [_Difference("session", f"{self._done}\n{traceback.format_exc()}")]
        finally:
            self._editor.end()

    async def _run(self) -> list[_Difference]:
        chance = self._chance
        (self._folder / ".git").mkdir()
        for path, text in self._owner.documents().items():
            self._paths.append(path)
            self._put(path, text)
        self._put(CONFIG, _FORMATS)
        self._good = _FORMATS
        self._paths += [path for path in _CONTRACTS if path not in self._paths]
        await self._editor.start()
        for path in chance.sample(self._paths, min(len(self._paths), 6)):
            self._open(path)
        await self._editor.settle()
        if chance.random() < 0.85:
            await self._editor.watch_workspace()
            await self._editor.settle()
        for number in range(_STEPS):
            self._owner.steps += 1
            await self._step()
            if (number + 1) % _LOOK_EVERY == 0:
                found = await self._look()
                if found:
                    return [
                        _Difference(each.path, f"{each.law}\n  after {'; '.join(self._done)}") for each in found[:3]
                    ]
        return []

    # the steps

    async def _step(self) -> None:
        chance = self._chance
        steps = {
            self._edit: 8,
            self._open_or_close: 3,
            self._write: 4,
            self._delete: 1,
            self._rename: 1,
            self._configure: 2,
            self._set: 1,
            self._refolder: 1,
            self._ask: 3,
        }
        if self._is_calm:  # nothing but edits: what they reach is found without a look at the disk
            steps = {self._edit: 12, self._open_or_close: 2, self._ask: 2}
        elif self._is_broken:  # what else changes the config then is another question: what the last good one is
            del steps[self._set], steps[self._refolder]
        (step,) = chance.choices(list(steps), list(steps.values()))
        self._done.append(step.__name__)
        await step()
        if chance.random() < 0.5:
            await self._editor.settle()
        if chance.random() < 0.1:
            self._time.ahead += chance.choice((0.3, 1, 5))

    async def _edit(self) -> None:
        """Somebody types, or replaces a text."""
        chance = self._chance
        if not self._buffers:
            return
        linked = [path for path in self._buffers if path in FILES and path not in _CONTRACTS]
        path = chance.choice(linked if linked and chance.random() < 0.6 else list(self._buffers))
        client = self._buffers[path]
        self._done[-1] += f" {path}"
        if path in _CONTRACTS or chance.random() < 0.5:
            text = self._owner.text(path)
            client.text = text
            change: types.TextDocumentContentChangeEvent = types.TextDocumentContentChangeWholeDocument(text)
        else:
            made = mutation(client.text, self._owner.texts, chance)
            change = client.change(made, whole=chance.random() < 0.1)
        self._editor.change(self._uri(path), _plain(change))
        if chance.random() < 0.2 and not self._is_calm:
            await self._save(path)

    async def _save(self, path: str) -> None:
        text = self._buffers[path].text
        self._done[-1] += " saved"
        await self._changed(path, text)
        self._editor.notify("textDocument/didSave", {"textDocument": {"uri": self._uri(path)}})
        if path in _CONTRACTS:
            await self._editor.settle()

    async def _open_or_close(self) -> None:
        path = self._chance.choice(self._paths)
        self._done[-1] += f" {path}"
        if path in self._buffers:
            del self._buffers[path]
            self._editor.close(self._uri(path))
        else:
            self._open(path)

    async def _write(self) -> None:
        """Another program writes a file."""
        path = self._chance.choice(self._paths)
        self._done[-1] += f" {path}"
        await self._changed(path, self._owner.text(path))

    async def _delete(self) -> None:
        # A contract that another one names stays. Without it the last good state of the other one is in force, which no
        # fresh server can know.
        path = self._chance.choice([path for path in self._paths if path != "formats/right.yaml"])
        self._done[-1] += f" {path}"
        await self._changed(path, None)

    async def _rename(self) -> None:
        """The editor gives a file another name."""
        chance = self._chance
        path = chance.choice(self._paths)
        old, text = self._folder / path, self._read(path)
        if text is None or path in _CONTRACTS:
            return
        name = f"{Path(path).parent.as_posix()}/{chance.choice(('new-', 'turn-5-', 'a'))}{old.name}".removeprefix("./")
        if name in self._paths:
            return
        self._done[-1] += f" {path} {name}"
        buffer = self._buffers.pop(path, None)
        if buffer is not None:
            self._editor.close(self._uri(path))
        self._put(path, None)
        self._put(name, text)
        self._paths.append(name)
        if buffer is not None:
            self._buffers[name] = buffer
            self._editor.open(self._uri(name), buffer.text)
        self._tell((path, 3), (name, 1))
        files = {"files": [{"oldUri": self._uri(path), "newUri": self._uri(name)}]}
        self._editor.notify("workspace/didRenameFiles", files)

    async def _configure(self) -> None:
        """Somebody writes the config."""
        text = self._chance.choice(CONFIGS)
        self._good = text if text != _BROKEN else self._good
        self._done[-1] += f" {text!r}"
        await self._changed(CONFIG, text)

    async def _set(self) -> None:
        """Somebody changes the settings of the editor."""
        self._settings = self._chance.choice(_SETTINGS)
        self._done[-1] += f" {self._settings}"
        self._push_settings(self._editor)

    async def _refolder(self) -> None:
        """Somebody opens other folders."""
        inner = [self._folder / name for name in ("turns", "left")]
        self._folders = self._chance.choice(([self._folder], [self._folder], inner, inner[:1], []))
        self._done[-1] += f" {len(self._folders)}"
        self._editor.set_folders(self._folders)

    async def _ask(self) -> None:
        """Somebody asks something, which reads other documents."""
        if self._chance.random() < 0.3:
            await self._editor.request("workspace/symbol", {"query": ""})
        elif self._buffers:
            where = {"line": self._chance.randrange(12), "character": self._chance.randrange(12)}
            path = self._chance.choice(list(self._buffers))
            method = self._chance.choice(("hover", "completion", "documentHighlight", "codeLens", "diagnostic"))
            if method != "diagnostic" or self._kind.pull:
                params = {"textDocument": {"uri": self._uri(path)}, "position": where}
                await self._editor.request(f"textDocument/{method}", params)

    # the comparison

    async def _look(self) -> list[_Difference]:
        if not self._kind.watch:  # changes on disk show when something is next asked
            self._time.ahead += 5
            for _ in range(2):
                for path in self._buffers:
                    params = {"textDocument": {"uri": self._uri(path)}, "position": {"line": 0, "character": 0}}
                    await self._editor.request("textDocument/hover", params)
                await self._editor.settle()
            await self._editor.pull_anew()
        await self._editor.settle()
        symbols = await self._editor.request("workspace/symbol", {"query": ""})
        broken = self._is_broken and self._good is not None
        if broken:  # the last good one counts, which a fresh server must find
            self._put(CONFIG, self._good)
        new = Editor(self._kind, self._folders)
        try:
            await new.start()
            self._push_settings(new)
            for path, client in self._buffers.items():  # in the order in which they were opened
                new.open(self._uri(path), client.text)
            await new.settle()
            if self._editor.rows is not None:
                await new.watch_workspace()
                await new.settle()
            fresh_symbols = await new.request("workspace/symbol", {"query": ""})
        finally:
            if broken:
                self._put(CONFIG, _BROKEN)
        self._owner.compared += 1
        found = list(self._differences("shown", self._editor.shown, new.shown, broken))
        # Of an open document the editor shows what it pulls of it alone.
        closed = [
            {uri: items for uri, items in each.workspace.items() if uri not in each.versions}
            for each in (self._editor, new)
        ]
        found += self._differences("of the workspace", closed[0], closed[1], broken)
        if self._editor.rows != new.rows:
            found += _rows(self._editor.rows or [], new.rows or [])
        if _sorted(symbols) != _sorted(fresh_symbols):
            found.append(_Difference("symbols", _apart(_sorted(symbols), _sorted(fresh_symbols))))
        await new.settle()
        return found

    def _differences(
        self, what: str, known: dict[str, list[Message]], new: dict[str, list[Message]], broken: bool
    ) -> Iterator[_Difference]:
        for uri in sorted(known.keys() | new.keys()):
            path = uri.removeprefix(self._folder.as_uri()).lstrip("/")
            if broken and path == CONFIG:
                continue
            one, other = known.get(uri, []), new.get(uri, [])
            if one != other:
                yield _Difference(path, f"{what}: {_apart(one, other)}")

    # the disk

    def _open(self, path: str) -> None:
        text = self._read(path) or ""
        self._buffers[path] = Client(text, self._kind.encoding)
        self._editor.open(self._uri(path), text)

    async def _changed(self, path: str, text: str | None) -> None:
        """Write or delete a file; an editor that watches hears of it. Configs are seen before they change again."""
        if path in _CONTRACTS and self._is_broken:
            return
        was = (self._folder / path).exists()
        if path == CONFIG or path in _CONTRACTS:
            await self._see()
        self._put(path, text)
        self._tell((path, 3 if text is None else 2 if was else 1))
        if path == CONFIG or path in _CONTRACTS:
            await self._see()

    async def _see(self) -> None:
        """Have the server look at its configs."""
        self._editor.notify("workspace/didCreateFiles", {"files": []})
        await self._editor.settle()
        await self._editor.request("workspace/symbol", {"query": ""})
        await self._editor.settle()

    @property
    def _is_broken(self) -> bool:
        return self._read(CONFIG) == _BROKEN

    def _tell(self, *changes: tuple[str, int]) -> None:
        if self._kind.watch:
            told = [{"uri": self._uri(path), "type": kind} for path, kind in changes]
            self._editor.notify("workspace/didChangeWatchedFiles", {"changes": told})

    def _put(self, path: str, text: str | None) -> None:
        """Write or delete a file, with a time that no state of it had before."""
        file = self._folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            file.unlink(missing_ok=True)
        else:
            file.write_bytes(text.encode("utf-8", "surrogatepass"))
        for each in (file, file.parent):
            self._stamp += 1
            if each.exists():
                os.utime(each, (self._stamp, self._stamp))

    def _read(self, path: str) -> str | None:
        file = self._folder / path
        return file.read_bytes().decode("utf-8", "surrogatepass") if file.is_file() else None

    def _uri(self, path: str) -> str:
        return (self._folder / path).as_uri()

    def _push_settings(self, editor: Editor) -> None:
        editor.notify("workspace/didChangeConfiguration", {"settings": {"handoff-lsp": self._settings}})


def _plain(change: types.TextDocumentContentChangeEvent) -> Message:
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return {"text": change.text}
    ends = (change.range.start, change.range.end)
    start, end = ({"line": each.line, "character": each.character} for each in ends)
    return {"range": {"start": start, "end": end}, "text": change.text}


def _sorted(items: Any) -> list[str]:
    return sorted(map(repr, items or ()))


def _rows(known: list[Message], new: list[Message]) -> Iterator[_Difference]:
    yield _Difference("list", _apart(known, new))


def _apart(known: list[Any], new: list[Any]) -> str:
    one = [f"  only after the steps: {item}" for item in known if item not in new]
    other = [f"  only from a fresh server: {item}" for item in new if item not in known]
    return "\n" + "\n".join([*one[:3], *other[:3]] or ["  another order or number"])
