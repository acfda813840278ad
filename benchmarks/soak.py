"""An hour of work in some minutes, over the real server: its memory stays flat, and its answers take no longer.

    python -m benchmarks.soak [--edits 30000] [--seed 20] [--push] [--keep]

A seed decides what happens: an editor types, replaces and pastes, asks what editors ask, opens, closes and renames;
config, settings, folders and a contract change; another program writes and deletes files. After each hundredth of the
work a row has the server's memory, and the time from an edit to its diagnostics as a ratio to a bare pygls server that
gets the same edits in the same seconds. ``--keep`` writes the rows to `benchmarks/soak.json` and draws
`docs/images/soak.svg`. Ctrl-C ends the work early.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.server_process import BARE, OURS, ROOT, ServerProcess
from benchmarks.soak_picture import picture
from benchmarks.workspace import fill
from handoff_lsp.cases.reader import read_case_file
from handoff_lsp.text import Source

ROWS, PICTURE = ROOT / "benchmarks" / "soak.json", ROOT / "docs" / "images" / "soak.svg"
GALLERY = ROOT / "docs" / "gallery"

# The limits: the growth of memory after the first tenth, and that of the ratio.
GROWTH, DRIFT = 1.05, 1.25

_ROWS = 100  # of a run
_OPEN = 10  # documents at a time
_FRESH = 40  # edits of a document before its first text comes back, so that no document grows
_BARE = 5  # every fifth edit is measured with the bare server, too
_CONFIG = 'contract-files = ["formats/*.yaml"]\n[[files]]\npattern = "**/*.md"\nmode = "handoff"\n'
_CONFIGS = (
    _CONFIG,
    _CONFIG + '[rules]\ninvalid-value = "hint"\n',
    'exclude = ["turns"]\n' + _CONFIG,
    _CONFIG + "[contracts.status-block]\nprofile = 'reviewer'\n",
)
_SETTINGS: tuple[dict[str, Any], ...] = ({}, {"rules": {"missing-section": "warning"}}, {"examples": True})
_PIECES = ("x", " ", "complete", "blocked", "- ", "\n", "## Status\n", '"', "{", "}", "```\n", "🙂", "| a |\n", ": ")
_AT_PLACE = ("hover", "completion", "definition", "documentHighlight", "references")
_OF_ALL = ("documentSymbol", "foldingRange", "codeLens", "documentLink", "semanticTokens/full")


class Row(NamedTuple):
    """The server after some edits: its memory (MB), and from an edit to its diagnostics the ratio and CPU time (ms)."""

    edits: int
    megabytes: float
    ratio: float
    milliseconds: float


class Editor(ServerProcess):
    """A client of one server. ``logged`` are the messages that the server has logged."""

    def __init__(self, command: list[str], stderr: Any, pull: bool, **params: Any) -> None:
        super().__init__(command, stderr)
        self.logged: list[str] = []
        self.pull = pull
        document = {"publishDiagnostics": {"relatedInformation": True}} | ({"diagnostic": {}} if pull else {})
        workspace: dict[str, Any] = {"workspaceFolders": True, "didChangeWatchedFiles": {"dynamicRegistration": True}}
        if pull:
            workspace["diagnostics"] = {"refreshSupport": True}
        general = {"positionEncodings": ["utf-32"]}
        capabilities = {"general": general, "workspace": workspace, "textDocument": document}
        at_once = {"editor": {"wait-while-typing": False}}  # the check is measured, not the wait
        self.initialize(capabilities=capabilities, initializationOptions=at_once, **params)

    def read(self) -> dict[str, Any]:
        """Read one message."""
        message = super().read()
        if message.get("method") == "window/logMessage":
            self.logged.append(message["params"]["message"])
        return message

    def answer(self, method: str, params: Any) -> Any:
        """Send a request and wait for its answer."""
        number = self.request(method, params)
        while (message := self.read()).get("id") != number or "method" in message:
            pass
        if "error" in message and message["error"]["code"] != -32803:  # a request may be refused, as some renames are
            self.logged.append(f"{method}: {message['error']['message']}")
        return message.get("result")

    def diagnostics(self, uri: str, version: int) -> None:
        """Wait for the diagnostics of a version."""
        if self.pull:
            self.answer("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            return
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if (params["uri"], params.get("version")) == (uri, version):
                    return


class Work:
    """The work of one seed in a folder."""

    def __init__(self, folder: Path, seed: int, stderr: Any, *, pull: bool = True, files: int = 200) -> None:
        self._folder, self._chance = folder, random.Random(seed)
        fill(folder, files)
        cases = read_case_file((GALLERY / "plan.cases.md").read_text(encoding="utf-8"), "plan", "plan")[0]
        for number, case in enumerate(cases):
            self._write(f"plans/plan-{number}.md", case.text)
        self._plan = (GALLERY / "plan.yaml").read_text(encoding="utf-8")
        self._write("formats/plan.yaml", self._plan)
        self._write(".handoff-lsp.toml", _CONFIG)
        names = (
            path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in (".md", ".json", ".log")
        )
        self._first = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in names}
        self._open: dict[str, tuple[str, int, int]] = {}  # by path: text, version, edits since it was fresh
        folders = [{"uri": folder.as_uri(), "name": "soak"}]
        self.ours = Editor(OURS, stderr, pull, workspaceFolders=folders)
        self.bare = Editor(BARE, stderr, False)
        self.edits = 0
        self._times: list[tuple[float, float]] = []

    def end(self) -> None:
        """End both servers."""
        for editor in (self.ours, self.bare):
            editor.process.kill()
            editor.process.communicate()

    def row(self, edits: int) -> Row:
        """Do so many edits, and what else happens meanwhile."""
        others: tuple[tuple[Callable[[], object], int], ...] = (
            (self._open_or_close, edits // 20),
            (self._ask, edits // 4),
            (self._write_by_others, edits // 50),
            (self._rename, max(edits // 150, 1)),
            (self._configure, max(edits // 300, 1)),
            (self._change_contract, max(edits // 300, 1)),
            (self._set, max(edits // 300, 1)),
            (self._refolder, max(edits // 300, 1)),
            (self._ask_about_all, max(edits // 300, 1)),
        )
        steps = [self._edit] * edits + [step for step, times in others for _ in range(times)]
        self._chance.shuffle(steps)
        self._times.clear()
        self._spent = 0.0
        for step in steps:
            while len(self._open) < 3:
                self._open_or_close()
            step()
        ratio = median(ours for ours, _ in self._times) / median(bare for _, bare in self._times)
        return Row(self.edits, self.ours.megabytes, ratio, self._spent / edits * 1e3)

    # the editor

    def _edit(self) -> None:
        self.edits += 1
        path = self._chance.choice(list(self._open))
        text, version, edits = self._open[path]
        source, chance = Source(text), self._chance
        start = end = chance.randint(0, len(text))
        if edits >= _FRESH:
            change, edits, text = {"text": self._first[path]}, 0, self._first[path]
        else:
            if chance.random() < 0.4:
                end = min(len(text), start + chance.choice((1, 1, 1, 12)))
            piece = chance.choice(_PIECES) if end == start or chance.random() < 0.2 else ""
            change = {"range": _range(source, start, end), "text": piece}
            text = text[:start] + piece + text[end:]
        self._open[path] = text, version + 1, edits + 1
        params = {"textDocument": {"uri": self._uri(path), "version": version + 1}, "contentChanges": [change]}
        compared = self.edits % _BARE == 0
        before = self.ours.cpu
        ours = self._timed(self.ours, params)
        self._spent += self.ours.cpu - before
        if compared:
            self._times.append((ours, self._timed(self.bare, params)))
        elif path in self._open:
            self.bare.notify("textDocument/didChange", params)

    def _timed(self, editor: Editor, params: dict[str, Any]) -> float:
        began = perf_counter()
        editor.notify("textDocument/didChange", params)
        editor.diagnostics(params["textDocument"]["uri"], params["textDocument"]["version"])
        return perf_counter() - began

    def _open_or_close(self) -> None:
        if len(self._open) >= _OPEN:
            self._close(self._chance.choice(list(self._open)))
        else:
            self._show(self._chance.choice([path for path in self._first if path not in self._open]))

    def _show(self, path: str) -> None:
        text = self._read(path)
        self._open[path] = text, 1, 0
        item = {"uri": self._uri(path), "languageId": "markdown", "version": 1, "text": text}
        for editor in (self.ours, self.bare):
            editor.notify("textDocument/didOpen", {"textDocument": item})
            editor.diagnostics(item["uri"], 1)

    def _close(self, path: str) -> None:
        del self._open[path]
        for editor in (self.ours, self.bare):
            editor.notify("textDocument/didClose", {"textDocument": {"uri": self._uri(path)}})

    def _ask(self) -> None:
        chance = self._chance
        path = chance.choice(list(self._open))
        source, document = Source(self._open[path][0]), {"textDocument": {"uri": self._uri(path)}}
        start, end = sorted(chance.randint(0, len(source.text)) for _ in range(2))
        where = _range(source, start, end)
        if chance.random() < 0.2:
            params = {**document, "range": where, "context": {"diagnostics": []}}
            self.ours.answer("textDocument/codeAction", params)
        elif chance.random() < 0.6:
            context = {"includeDeclaration": True, "triggerKind": 1}
            params = {**document, "position": where["start"], "context": context}
            self.ours.answer(f"textDocument/{chance.choice(_AT_PLACE)}", params)
        else:
            self.ours.answer(f"textDocument/{chance.choice(_OF_ALL)}", document)

    def _ask_about_all(self) -> None:
        self.ours.answer("workspace/symbol", {"query": self._chance.choice(("", "a", "complete"))})
        if self.ours.pull:
            self.ours.answer("workspace/diagnostic", {"previousResultIds": []})

    def _rename(self) -> None:
        path = self._chance.choice([path for path in self._first if path not in self._open])
        folder, _, name = path.rpartition("/")
        stem = name.removeprefix("renamed-")
        to = f"{folder}/{stem if stem != name else f'renamed-{name}'}"
        self._write(path, self._read(path))
        (self._folder / path).replace(self._folder / to)
        self._first[to] = self._first.pop(path)
        files = [{"oldUri": self._uri(path), "newUri": self._uri(to)}]
        self.ours.notify("workspace/didRenameFiles", {"files": files})
        self._notify((path, 3), (to, 1))

    def _set(self) -> None:
        settings = {"settings": {"handoff-lsp": self._chance.choice(_SETTINGS)}}
        self.ours.notify("workspace/didChangeConfiguration", settings)

    def _refolder(self) -> None:
        added = {"uri": (self._folder / "turns").as_uri(), "name": "turns"}
        for event in ({"added": [added], "removed": []}, {"added": [], "removed": [added]}):
            self.ours.notify("workspace/didChangeWorkspaceFolders", {"event": event})

    # the disk

    def _write_by_others(self) -> None:
        path = self._chance.choice(list(self._first))
        if (self._folder / path).exists() and self._chance.random() < 0.3:
            (self._folder / path).unlink()
            kind = 3
        else:
            lines = self._first[path].splitlines(keepends=True)  # never more, so that the folder stays as large
            del lines[self._chance.randrange(len(lines) + 1) : self._chance.randrange(len(lines) + 1)]
            self._write(path, "".join(lines))
            kind = 2
        if self._chance.random() < 0.7:  # sometimes the editor notices nothing
            self._notify((path, kind))

    def _configure(self) -> None:
        self._write(".handoff-lsp.toml", self._chance.choice(_CONFIGS))
        self._notify((".handoff-lsp.toml", 2))

    def _change_contract(self) -> None:
        text = self._plan.replace("about: The tasks", f"about: Number {self._chance.randrange(10**6)}. The tasks", 1)
        assert text != self._plan
        self._write("formats/plan.yaml", text)
        self._notify(("formats/plan.yaml", 2))

    def _notify(self, *changes: tuple[str, int]) -> None:
        params = {"changes": [{"uri": self._uri(path), "type": kind} for path, kind in changes]}
        self.ours.notify("workspace/didChangeWatchedFiles", params)

    def _write(self, path: str, text: str) -> None:
        (self._folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self._folder / path).write_text(text, encoding="utf-8")

    def _read(self, path: str) -> str:
        file = self._folder / path
        return file.read_text(encoding="utf-8") if file.exists() else self._first[path]

    def _uri(self, path: str) -> str:
        return (self._folder / path).as_uri()


def _range(source: Source, start: int, end: int) -> dict[str, Any]:
    places = (source.encode(offset, "utf-32") for offset in (start, end))
    first, last = ({"line": line, "character": column} for line, column in places)
    return {"start": first, "end": last}


def main() -> int:
    """Print the rows. Returns 1 if memory grows, answers slow down or something is logged, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=30_000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=20, help="of what happens (default: %(default)s)")
    parser.add_argument("--push", action="store_true", help="an editor to which diagnostics are pushed")
    parser.add_argument("--keep", action="store_true", help=f"write {ROWS.name} and {PICTURE.name}")
    arguments = parser.parse_args()
    print("  edits      MB   ratio  CPU ms", flush=True)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile() as stderr:
        work = Work(Path(name).resolve(), arguments.seed, stderr, pull=not arguments.push)
        try:
            for _ in range(_ROWS):
                rows.append(work.row(max(arguments.edits // _ROWS, 1)))
                print("{:>7}{:>8.1f}{:>8.2f}{:>8.2f}".format(*rows[-1]), flush=True)
        except KeyboardInterrupt:
            print(f"ended after {work.edits:,} edits")
        finally:
            work.end()
        stderr.seek(0)
        logged = [*work.ours.logged, *stderr.read().decode(errors="replace").splitlines()]
    growth, drift = grown([row.megabytes for row in rows]), grown([row.ratio for row in rows])
    print(f"after the first tenth: memory x {growth:.3f}, ratio x {drift:.2f}, {len(logged)} lines logged")
    print(*logged[:10], sep="\n")
    if arguments.keep:
        machine = f"{platform.system()}, Python {platform.python_version()}, {os.cpu_count()} cores"
        kept = {"machine": machine, "seed": arguments.seed, "growth": growth, "drift": drift, "logged": len(logged)}
        ROWS.write_text(json.dumps({**kept, "rows": [[round(x, 2) for x in row] for row in rows]}) + "\n", "utf-8")
        PICTURE.write_text(picture(json.loads(ROWS.read_text("utf-8"))["rows"]), "utf-8")
    return int(growth > GROWTH or drift > DRIFT or bool(logged))


def grown(values: list[float]) -> float:
    """The last tenth of some values as a ratio to the second tenth."""
    tenth = max(len(values) // 10, 1)
    return median(values[-tenth:]) / median(values[tenth : 2 * tenth])


if __name__ == "__main__":
    sys.exit(main())
