"""Sessions of an editor over random documents, and the laws asked after their edits."""

from __future__ import annotations

import random
import shutil
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from case_files import read_cases

from fuzz.laws import Open, crashes, differences, fix_laws, fresh
from fuzz.mutations import mutation
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.text import Source
from handoff_lsp.workspace.resolver import Resolver
from handoff_lsp.workspace.store import Change, Workspace

REGRESSIONS = Path(__file__).parent / "regressions"
_CONFIGS = (
    "",
    '[rules]\ninvalid-value = "off"\n',
    '[rules]\nplaceholder-left = "hint"\n',
    '[contracts.status-block]\nprofile = "reviewer"\n',
    'exclude = ["docs"]\n',
    "not toml [",
)
# The edits of one session, and how often they are looked at.
_EDITS = 24
_LOOKS = 6


class Document(NamedTuple):
    """A document of a case: its path in the workspace, and its text."""

    path: str
    text: str


class Breach(NamedTuple):
    """What broke a law, and the document."""

    law: str
    path: str
    text: str


def documents() -> list[list[Document]]:
    """The documents of each case, the one that is judged first."""
    return [
        [Document(case.path or "report.md", case.text), *(Document(path, text) for path, text in case.beside)]
        for case in read_cases()
    ]


def regressions() -> Iterator[Breach]:
    """What still breaks a law of the documents that once did. Each lies at its path below a folder of its own."""
    for file in sorted(path for path in REGRESSIONS.rglob("*") if path.is_file()):
        path = file.relative_to(REGRESSIONS).as_posix().partition("/")[2]
        text = file.read_bytes().decode("utf-8", "surrogatepass")
        yield from (breach._replace(law=f"{file.name}: {breach.law}") for breach in alone(path, text))


def alone(path: str, text: str) -> Iterator[Breach]:
    """What breaks a law of a document by itself."""

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
            yield from self._session(folder.resolve())
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _session(self, folder: Path) -> Iterator[Breach]:
        chance = self._chance
        found = dict(document for case in chance.sample(self._cases, 2) for document in reversed(case))
        workspace = Workspace(Resolver())
        workspace.set_folders([folder])
        for path, text in found.items():
            _write(folder / path, text)
        paths = [path for path in found if chance.random() < 0.8] or list(found)
        for path in paths:
            workspace.open((folder / path).as_uri(), folder / path, 1, found[path])
        for number in range(_EDITS):
            self._edit(workspace, folder, paths)
            if chance.random() < 0.1:
                self._change_disk(workspace, folder, list(found))
            if (number + 1) % (_EDITS // _LOOKS) == 0:
                yield from self._look(workspace, folder, paths)
        path = chance.choice(paths)
        document = workspace.get((folder / path).as_uri())
        assert document is not None
        self.fixes += 1
        yield from alone(path, document.source.text)

    def _edit(self, workspace: Workspace, folder: Path, paths: list[str]) -> None:
        document = workspace.get((folder / self._chance.choice(paths)).as_uri())
        assert document is not None
        changes, text = [], document.source.text
        for _ in range(self._chance.choice((1, 1, 1, 2))):
            made = mutation(text, self._texts, self._chance)
            text = text[: made.span.start] + made.text + text[made.span.end :]
            changes.append(Change(made.span if self._chance.random() < 0.95 else None, made.text))
            if changes[-1].span is None:
                changes[-1] = Change(None, text)
        document.change((document.version or 0) + 1, changes)
        self.edits += len(changes)
        if self._chance.random() < 0.3:
            workspace.analysis(document.uri)

    def _change_disk(self, workspace: Workspace, folder: Path, paths: list[str]) -> None:
        """Another program writes or deletes a file, or somebody edits the config; the editor hears of it."""
        chance = self._chance
        if chance.random() < 0.4:
            _write(folder / ".handoff-lsp.toml", chance.choice(_CONFIGS))
        else:
            file = folder / chance.choice(paths)
            if chance.random() < 0.3:
                file.unlink(missing_ok=True)
            else:
                _write(file, chance.choice(self._texts))
        workspace.refresh()

    def _look(self, workspace: Workspace, folder: Path, paths: list[str]) -> Iterator[Breach]:
        opened = []
        for path in paths:
            document = workspace.get((folder / path).as_uri())
            assert document is not None
            opened.append(Open(folder / path, document.source.text))
        for one, new in zip(opened, fresh(folder, opened), strict=True):
            path = one.path.relative_to(folder).as_posix()
            try:
                known = workspace.analysis(one.path.as_uri())
            except Exception:
                yield Breach(traceback.format_exc(), path, one.text)
                continue
            self.compared += 1
            assert known is not None and new is not None
            for law in (*crashes(known), *differences(known, new)):
                yield Breach(law, path, one.text)
                break


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
