"""Reading ``tests/cases/*.md``: documents with the expected findings beside the lines.

A case is a level 2 heading with a ``document`` fence (of tildes) under it. In it, a line of carets is about the line
above: the carets are under the code points that the finding covers, then come the rule and, if it matters, the
severity and words of the message in quotes::

    compleet
    ^^^^^^^^ invalid-value error "must be one of"

``^`` at the end of a line of its own with a ``+`` before the rule (``+ missing-status``) means a finding with an empty
range at the line's first column. Every finding must be expected and every expectation found. The fence's info line
gives the document's path and options (``profile=…``, ``examples``, any other ``key=value`` a setting). A fence
``fixed RULE`` after it is the document once the first fix of that rule's first finding is applied. A fence
``beside PATH`` is another document of the workspace, for findings across files.

A line ``routes ACTION "words"`` outside the fences states the decision on a handoff of the document, and words of its
reason: as many such lines as the document has handoffs with routes, in order. ``routes none`` in their place: nothing
is decided.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoff_lsp.binding.handoff import Handoff, Nowhere
from handoff_lsp.contracts.patterns import find_all
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source
from handoff_lsp.workspace.disk.globs import Glob

CASES = Path(__file__).parent / "cases"
_FENCE = re.compile(r"^~~~~(?P<kind>document|fixed|beside)(?P<info>[^\n]*)\n(?P<body>.*?)^~~~~$", re.M | re.S)
_MARK = re.compile(
    r"^(?P<blank>\s*)(?P<carets>\^+|\+) (?P<rule>[a-z-]+)"
    r"(?: (?P<severity>error|warning|information|hint))?(?: \"(?P<words>[^\"]*)\")?$"
)


_ROUTES = re.compile(r"^routes (?P<action>advance|continue|retry|ask|stop|none)(?: \"(?P<words>[^\"]*)\")?$", re.M)


@dataclass(frozen=True)
class Expected:
    """A finding that a case expects: zero-based line, code point columns."""

    line: int
    start: int
    end: int
    rule: str
    severity: str | None
    words: str


@dataclass(frozen=True)
class Case:
    """One case of a case file. ``routes``: actions and words of their reasons, one for each handoff with routes."""

    name: str
    path: str
    text: str
    expected: tuple[Expected, ...]
    options: Options
    fixed: tuple[tuple[str, str], ...] = field(default=())
    beside: tuple[tuple[str, str], ...] = field(default=())
    routes: tuple[tuple[str, str], ...] = field(default=())

    def analyze(self, text: str | None = None) -> Analysis:
        """The analysis of the document."""
        source = Source(self.text if text is None else text)
        return analyze(source, self.path, builtin(), self.options, around=Beside(self.path, dict(self.beside)))


class Beside(Nowhere):
    """The documents of a case around the one that is checked, by their paths."""

    def __init__(self, path: str, documents: Mapping[str, str]) -> None:
        self._folder = posixpath.dirname(path)
        self._documents = documents

    def handoff(self, path: str, contract: str) -> Handoff | None:
        """The first handoff of a contract in the document at a path from the folder of the checked one."""
        name = posixpath.normpath(posixpath.join(self._folder, path))
        if name not in self._documents:
            return None
        handoffs = analyze(Source(self._documents[name]), name, builtin(), Options()).handoffs
        return next((handoff for handoff in handoffs if handoff.spec.name == contract), None)

    def exists(self, path: str) -> bool | None:
        """Whether a document, or a folder of one, is at a path; None for a case without other documents."""
        path = posixpath.normpath(path)
        if not self._documents or path.startswith(("/", "..")):
            return None
        return any(name == path or name.startswith(f"{path}/") for name in self._documents)

    def exists_beside(self, path: str) -> bool | None:
        """The same for a path from the folder of the checked document."""
        return self.exists(posixpath.join(self._folder, path))

    def defined(self, globs: Sequence[str]) -> frozenset[str]:
        """The names of the documents that match globs."""
        matching = [name for name in self._documents if any(Glob(pattern).matches(name) for pattern in globs)]
        return frozenset(posixpath.splitext(posixpath.basename(name))[0] for name in matching)

    def count(self, globs: Sequence[str], pattern: str) -> int | None:
        """The number of matches of a pattern in the documents of the first glob with any; None without one."""
        for glob in globs:
            matching = [
                text
                for name, text in self._documents.items()
                if Glob(glob).matches(posixpath.relpath(name, self._folder))
            ]
            if matching:
                return sum(1 for text in matching for _ in find_all(pattern, text))
        return None

    def name_of(self, handoff: Handoff) -> str:
        """The path of a handoff's document from the folder of the checked one."""
        return posixpath.relpath(handoff.path, self._folder or ".")


def read_cases() -> list[Case]:
    """All cases of all files, in order."""
    return [case for path in sorted(CASES.glob("*.md")) for case in _cases_of(path)]


def _cases_of(path: Path) -> list[Case]:
    cases = []
    for title, part in _parts(path.read_text(encoding="utf-8")):
        document: re.Match[str] | None = None
        fixed: list[tuple[str, str]] = []
        beside: list[tuple[str, str]] = []
        for fence in _FENCE.finditer(part):
            if fence["kind"] == "document":
                assert document is None, f"{path.name}: two documents in {title}"
                document = fence
            elif fence["kind"] == "beside":
                beside.append((fence["info"].strip(), fence["body"]))
            else:
                fixed.append((fence["info"].strip(), fence["body"]))
        if document is None:
            continue
        text, expected = _split(document["body"])
        name, options = _options(document["info"].split())
        full = f"{path.stem}: {title}"
        routes = tuple((found["action"], found["words"] or "") for found in _ROUTES.finditer(_FENCE.sub("", part)))
        cases.append(Case(full, name, text, tuple(expected), options, tuple(fixed), tuple(beside), routes))
    return cases


def _parts(text: str) -> list[tuple[str, str]]:
    """The level 2 headings outside fences, each with the text under it."""
    parts: list[tuple[str, list[str]]] = []
    inside = False
    for line in text.split("\n"):
        inside = inside != line.startswith("~~~~")
        if line.startswith("## ") and not inside:
            parts.append((line[3:], []))
        elif parts:
            parts[-1][1].append(line)
    return [(title, "\n".join(lines) + "\n") for title, lines in parts]


def _split(body: str) -> tuple[str, list[Expected]]:
    lines: list[str] = []
    expected = []
    for line in body.split("\n"):
        mark = _MARK.match(line)
        if mark is None:
            lines.append(line)
            continue
        start = len(mark["blank"])
        end = start + (len(mark["carets"]) if mark["carets"] != "+" else 0)
        expected.append(Expected(len(lines) - 1, start, end, mark["rule"], mark["severity"], mark["words"] or ""))
    return "\n".join(lines), expected


def _options(words: list[str]) -> tuple[str, Options]:
    path = words.pop(0) if words and "=" not in words[0] and words[0] != "examples" else ""
    given: dict[str, Any] = dict(word.split("=", 1) for word in words if "=" in word)
    name = given.pop("contract", "agent-contract")
    profile = given.pop("profile", None)
    rules = {key.removeprefix("rule:"): given.pop(key) for key in list(given) if key.startswith("rule:")}
    values = {key: value == "true" if value in {"true", "false"} else value.split(",") for key, value in given.items()}
    options = Options(
        severities=rules,
        profiles={name: profile} if profile else {},
        settings={name: values} if values else {},
        examples="examples" in words,
    )
    return path, options


def found(analysis: Analysis) -> list[tuple[int, int, int, str]]:
    """The findings as cases write them: line, columns on that line, rule."""
    return [(*_place(analysis, finding), finding.code) for finding in analysis.findings]


def _place(analysis: Analysis, finding: Finding) -> tuple[int, int, int]:
    lines = analysis.source.lines
    line, start = lines.position(finding.span.start)
    last, end = lines.position(finding.span.end)
    return line, start, end if last == line else len(lines.line_text(line))
