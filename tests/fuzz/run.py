"""Sessions of an editor over random documents, with the laws checked after their edits."""

from __future__ import annotations

import random
import shutil
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from case_files import read_cases
from lsprotocol import types

from fuzz.client import Client
from fuzz.laws import Open, crashes, differences, fix_laws, fresh
from fuzz.mutations import mutation
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.server.wire.convert import to_span
from handoff_lsp.text import ENCODINGS, Encoding, Source
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.store import OpenDocument, TextChange, Workspace

REGRESSIONS = Path(__file__).parent / "regressions"
_BROKEN = "not toml ["
# None: there is no file.
_CONFIGS = (
    None,
    "",
    '[rules]\ninvalid-value = "off"\n',
    '[rules]\nplaceholder-left = "hint"\n',
    '[contracts.status-block]\nprofile = "reviewer"\n',
    'exclude = ["docs"]\n',
    _BROKEN,
)
# The edits of one session, and how often the laws are checked.
_EDITS = 24
_LOOKS = 6


class Document(NamedTuple):
    """A document of a case: its path in the workspace, and its text."""

    path: str
    text: str


class Breach(NamedTuple):
    """A broken law, with the document."""

    law: str
    path: str
    text: str


def documents() -> list[list[Document]]:
    """The documents of each case, the checked one first."""
    return [
        [Document(case.path or "report.md", case.text), *(Document(path, text) for path, text in case.beside)]
        for case in read_cases()
    ]


def regressions() -> Iterator[Breach]:
    """The laws that documents still break that once did. Each is at its path below a folder of its own."""
    for file in sorted(path for path in REGRESSIONS.rglob("*") if path.is_file()):
        path = file.relative_to(REGRESSIONS).as_posix().partition("/")[2]
        text = file.read_bytes().decode("utf-8", "surrogatepass")
        yield from (breach._replace(law=f"{file.name}: {breach.law}") for breach in alone(path, text))


def alone(path: str, text: str) -> Iterator[Breach]:
    """The laws that a document breaks by itself."""

    def make(changed: str) -> Analysis:
        return analyze(Source(changed), path, builtin(), Options())

    try:
        analysis = make(text)
        laws = [*crashes(analysis), *fix_laws(analysis, make)]
    except Exception:
        laws = [traceback.format_exc()]
    yield from (Breach(law, path, text) for law in laws)


class Fuzz:
    """Random sessions, one after another; all from one seed."""

    def __init__(self, cases: list[list[Document]], seed: int) -> None:
        self._cases = cases
        self._texts = [case[0].text for case in cases]
        self._chance = random.Random(seed)
        self.edits = self.compared = self.fixes = 0

    def session(self) -> Iterator[Breach]:
        """One folder with the documents of two cases, which are edited in turn while the disk and the config change."""
        folder = Path(tempfile.mkdtemp(prefix="handoff-lsp-fuzz-"))
        try:
            yield from self._session(_Session(folder.resolve(), self._chance.choice(ENCODINGS)))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _session(self, session: _Session) -> Iterator[Breach]:
        chance = self._chance
        found = dict(document for case in chance.sample(self._cases, 2) for document in reversed(case))
        for path, text in found.items():
            _write(session.folder / path, text)
        for path in [path for path in found if chance.random() < 0.8] or list(found):
            session.open(path, found[path])
        for number in range(_EDITS):
            self._edit(session)
            if chance.random() < 0.1:
                self._change_disk(session, list(found))
            if chance.random() < 0.05:
                self._open_or_close(session, list(found))
            if (number + 1) % (_EDITS // _LOOKS) == 0:
                yield from self._look(session)
        path = chance.choice(list(session.clients))
        self.fixes += 1
        yield from alone(path, session.clients[path].text)

    def _edit(self, session: _Session) -> None:
        """The editor changes a document once or twice, and notifies the server in its encoding."""
        chance = self._chance
        path = chance.choice(list(session.clients))
        client, document = session.clients[path], session.document(path)
        for _ in range(chance.choice((1, 1, 1, 2))):
            sent = client.change(mutation(client.text, self._texts, chance), whole=chance.random() < 0.05)
            span = None
            if isinstance(sent, types.TextDocumentContentChangePartial):
                span = to_span(document.source, sent.range, session.encoding)
            document.change((document.version or 0) + 1, [TextChange(span, sent.text)])
            self.edits += 1
        if chance.random() < 0.3:
            session.workspace.analysis(document.uri)

    def _change_disk(self, session: _Session, paths: list[str]) -> None:
        """Another program writes or deletes a file, or the user edits the config; the editor gets the event."""
        chance = self._chance
        if chance.random() < 0.4:
            session.configure(chance.choice(_CONFIGS))
            return
        file = session.folder / chance.choice(paths)
        if chance.random() < 0.3:
            file.unlink(missing_ok=True)
        else:
            _write(file, chance.choice(self._texts))
        session.workspace.disk_changed()

    def _open_or_close(self, session: _Session, paths: list[str]) -> None:
        path = self._chance.choice(paths)
        if path not in session.clients:
            file = session.folder / path
            session.open(path, file.read_bytes().decode("utf-8", "surrogatepass") if file.is_file() else "")
        elif len(session.clients) > 1:
            session.close(path)

    def _look(self, session: _Session) -> Iterator[Breach]:
        folder = session.folder
        opened = [Open(folder / path, client.text) for path, client in session.clients.items()]
        with session.last_good_config():
            new_ones = fresh(folder, opened)
        for one, new in zip(opened, new_ones, strict=True):
            path = one.path.relative_to(folder).as_posix()
            try:
                known = session.workspace.analysis(one.path.as_uri())
            except Exception:
                yield Breach(traceback.format_exc(), path, one.text)
                continue
            self.compared += 1
            assert known is not None and new is not None
            laws = [*crashes(known), *differences(known, new)]
            if laws:
                yield Breach("\n".join(laws), path, one.text)


class _Session:
    """A folder, a server's workspace and the editor beside it."""

    def __init__(self, folder: Path, encoding: Encoding) -> None:
        self.folder = folder
        self.encoding = encoding
        self.workspace = Workspace(Resolver())
        self.workspace.set_folders([folder])
        self.clients: dict[str, Client] = {}
        self._config: str | None = None
        self._good: str | None = None

    def open(self, path: str, text: str) -> None:
        self.clients[path] = Client(text, self.encoding)
        self.workspace.open((self.folder / path).as_uri(), self.folder / path, 1, text)

    def close(self, path: str) -> None:
        """The editor closes a document without saving it: its text on disk counts again."""
        del self.clients[path]
        self.workspace.close((self.folder / path).as_uri())

    def document(self, path: str) -> OpenDocument:
        document = self.workspace.get((self.folder / path).as_uri())
        assert document is not None
        return document

    def configure(self, text: str | None) -> None:
        """The user writes or deletes the config, and the server publishes all documents again."""
        self._put(text)
        self._config = text
        self._good = text if text != _BROKEN else self._good
        self.workspace.disk_changed()
        for path in self.clients:
            self.workspace.analysis((self.folder / path).as_uri())

    @contextmanager
    def last_good_config(self) -> Iterator[None]:
        """While a config is broken the last good one counts: a new server must find that."""
        self._put(self._good)
        yield
        self._put(self._config)

    def _put(self, config: str | None) -> None:
        file = self.folder / ".handoff-lsp.toml"
        if config is None:
            file.unlink(missing_ok=True)
        elif not file.is_file() or file.read_text() != config:
            _write(file, config)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
