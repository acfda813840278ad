"""Reading ``tests/cases/*.md``: documents with what is expected written beside the line.

A case is a level 2 heading with a ``document`` fence (of tildes) under it. In it, a line of carets speaks of the line
above: the carets stand under the code points that the finding covers, then come the rule and, if it matters, the
severity and words of the message in quotes::

    compleet
    ^^^^^^^^ invalid-value error "must be one of"

``^`` at the end of a line of its own with a ``+`` before the rule (``+ missing-status``) means a finding with an empty
range at the line's first column. Every finding must be expected and every expectation found. The fence's info line
gives the document's path and options (``profile=…``, ``examples``, any other ``key=value`` a setting). A fence
``fixed RULE`` after it is the document once the first fix of that rule's first finding is applied.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source

CASES = Path(__file__).parent / "cases"
_FENCE = re.compile(r"^~~~~(?P<kind>document|fixed)(?P<info>[^\n]*)\n(?P<body>.*?)^~~~~$", re.M | re.S)
_MARK = re.compile(
    r"^(?P<blank>\s*)(?P<carets>\^+|\+) (?P<rule>[a-z-]+)"
    r"(?: (?P<severity>error|warning|information|hint))?(?: \"(?P<words>[^\"]*)\")?$"
)


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
    """One case of a case file."""

    name: str
    path: str
    text: str
    expected: tuple[Expected, ...]
    options: Options
    fixed: tuple[tuple[str, str], ...] = field(default=())

    def analyze(self, text: str | None = None) -> Analysis:
        """What handoff-lsp knows of the document."""
        return analyze(Source(self.text if text is None else text), self.path, builtin(), self.options)


def read_cases() -> list[Case]:
    """All cases of all files, in order."""
    return [case for path in sorted(CASES.glob("*.md")) for case in _cases_of(path)]


def _cases_of(path: Path) -> list[Case]:
    cases = []
    for title, part in _parts(path.read_text(encoding="utf-8")):
        document: re.Match[str] | None = None
        fixed: list[tuple[str, str]] = []
        for fence in _FENCE.finditer(part):
            if fence["kind"] == "document":
                assert document is None, f"{path.name}: two documents in {title}"
                document = fence
            else:
                fixed.append((fence["info"].strip(), fence["body"]))
        if document is None:
            continue
        text, expected = _split(document["body"])
        name, options = _options(document["info"].split())
        cases.append(Case(f"{path.stem}: {title}", name, text, tuple(expected), options, tuple(fixed)))
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
