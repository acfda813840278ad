"""Reading ``tests/editing/cases/*.md``: documents with the expected views of an editor.

A case is a level 2 heading with fences of four tildes under it::

    ~~~~document handoffs/login-developer-handoff.md
    The document that is open, as it is on disk. `‸` is the cursor; `«` and `»` are around a selection.
    ~~~~
    ~~~~beside agents/reviewer-agent.md
    Another file of the workspace.
    ~~~~
    ~~~~open .agent/status.json
    Another file of the workspace that is open, too.
    ~~~~
    ~~~~folding
    The server's answers in the view of that name (``tests/editing/views/folding.py``).
    ~~~~

Fences ``beside`` above the first heading are other files of every case in the file, such as a contract of its own.

The words after a view's name are passed to it. Each case runs in a folder of its own that is the editor's workspace,
once in each position encoding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"
CURSOR, OPEN, CLOSE = "‸«»"
_FENCE = re.compile(r"^~~~~(?P<name>[\w-]+)(?P<info>[^\n]*)\n(?P<body>.*?)^~~~~$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class View:
    """The expected text of one view."""

    name: str
    words: str
    expected: str


@dataclass(frozen=True)
class Case:
    """One case: ``files`` are the texts of the workspace's files by path, ``marked`` the open one with its marks."""

    name: str
    path: str
    marked: str
    files: tuple[tuple[str, str], ...]
    opened: tuple[str, ...]
    views: tuple[View, ...]

    @property
    def text(self) -> str:
        """The open document without marks."""
        return re.sub(f"[{CURSOR}{OPEN}{CLOSE}]", "", self.marked)

    @property
    def selection(self) -> tuple[int, int]:
        """The cursor or the selection in code points of the text; all of the text if nothing is marked."""
        marks = [match.start() for match in re.finditer(f"[{CURSOR}{OPEN}{CLOSE}]", self.marked)]
        offsets = [mark - index for index, mark in enumerate(marks)]
        return (offsets[0], offsets[-1]) if offsets else (0, len(self.text))


def read_cases() -> list[Case]:
    """All cases of all files, in order."""
    return [case for path in sorted(CASES.glob("*.md")) for case in _cases_of(path)]


def _cases_of(path: Path) -> list[Case]:
    found = []
    whole = path.read_text(encoding="utf-8")
    shared = [(fence["info"].strip(), fence["body"]) for fence in _FENCE.finditer(whole[: _first_heading(whole)])]
    for title, part in _parts(whole):
        document: tuple[str, str] | None = None
        files, opened, views = [*shared], [], []
        for fence in _FENCE.finditer(part):
            name, info, body = fence["name"], fence["info"].strip(), fence["body"]
            if name == "document":
                assert document is None, f"{path.name}: {title}: two documents"
                document = (info, body)
            elif name in {"beside", "open"}:
                files.append((info, body))
                opened += [info] if name == "open" else []
            else:
                views.append(View(name, info, body))
        if not views:
            continue
        assert document is not None, f"{path.name}: {title}: no document"
        found.append(Case(f"{path.stem}: {title}", *document, tuple(files), tuple(opened), tuple(views)))
    return found


def _first_heading(text: str) -> int:
    """The offset of the first heading of a case file; its length without one."""
    fences = [fence.span() for fence in _FENCE.finditer(text)]
    headings = (match.start() for match in re.finditer(r"^## ", text, re.MULTILINE))
    return next((at for at in headings if not any(start <= at < end for start, end in fences)), len(text))


def _parts(text: str) -> list[tuple[str, str]]:
    """The parts of a case file by their headings; a line in a fence is never a heading."""
    fences = [fence.span() for fence in _FENCE.finditer(text)]
    headings = [
        match
        for match in re.finditer(r"^## (.*)$", text, re.MULTILINE)
        if not any(start <= match.start() < end for start, end in fences)
    ]
    ends = [*(match.start() for match in headings[1:]), len(text)]
    return [(match[1].strip(), text[match.end() : end]) for match, end in zip(headings, ends, strict=True)]
