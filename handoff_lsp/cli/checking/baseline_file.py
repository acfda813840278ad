"""The file of a baseline: known findings, counted, one entry on a line."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from handoff_lsp.reports.report import Finding
from handoff_lsp.text.digest import sha256_of
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text

NAME = ".handoff-lsp-baseline.json"
VERSION = 1
# Of the file (bytes).
MAX_BYTES = 50_000_000
# The most characters of a line that an entry quotes.
_LONGEST = 160

_KEYS = ("path", "rule", "check", "field", "text", "count")
_INDEX = lazy_pattern(r"\[\d+\]")
# The marks of quotes and of list items at the beginning of a line, with a number or a box.
_MARKS = lazy_pattern(r"(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?)?")


class BaselineEntry(NamedTuple):
    """What a finding is recognized by. ``path`` is relative to the folder of the baseline, with ``/``.

    ``check`` and ``field`` may be empty; ``text`` is the line without its marks and spare blanks.
    """

    path: str
    rule: str
    check: str
    field: str
    text: str


class BaselineError(Exception):
    """A baseline that cannot be read. ``line`` is 1-based, or None."""

    def __init__(self, path: Path, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.message = message
        self.line = line


def entry_of(path: str, finding: Finding, line: str) -> BaselineEntry:
    """The entry for a finding; ``line``: its first line."""
    return BaselineEntry(path, finding.rule, finding.check or "", _INDEX.sub("[]", finding.field or ""), normal(line))


def normal(line: str) -> str:
    """A line without what may change around a defect: its indent, marks, number in a list, and spare blanks."""
    text = " ".join(_MARKS.sub("", line.removeprefix("\ufeff").strip(), count=1).split())
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}… {sha256_of(text)[:12]}"


def text_of(entries: Counter[BaselineEntry]) -> str:
    """The text of a baseline: sorted, so that a change of a finding is a change of a line."""
    lines = [
        json.dumps(
            {**{key: text for key, text in entry._asdict().items() if text}, "count": number}, ensure_ascii=False
        )
        for entry, number in sorted(entries.items())
        if number > 0
    ]
    listed = "[\n  " + ",\n  ".join(lines) + "\n ]" if lines else "[]"
    return f'{{\n "version": {VERSION},\n "findings": {listed}\n}}\n'


def read_baseline(path: Path) -> tuple[str, Counter[BaselineEntry]]:
    """The text and the entries of a baseline. Raises BaselineError."""
    try:
        text = read_text(path, limit=MAX_BYTES)
    except UnreadableFile as error:
        raise BaselineError(path, error.reason, error.line) from error
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise BaselineError(path, f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}", error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise BaselineError(path, "not JSON that can be read") from error
    if not isinstance(data, dict) or "version" not in data:
        raise BaselineError(path, "not a baseline: it has no `version`", 1)
    if data["version"] != VERSION or isinstance(data["version"], bool):
        told = f"version {json.dumps(data['version'])[:40]}, but this handoff-lsp reads version {VERSION}"
        raise BaselineError(path, told, _line(text, ("version",)))
    findings = data.get("findings")
    if not isinstance(findings, list):
        raise BaselineError(path, "`findings` must be a list", _line(text, ("findings",)))
    entries: Counter[BaselineEntry] = Counter()
    for index, item in enumerate(findings):
        problem = _problem(item)
        if problem:
            raise BaselineError(path, problem, _line(text, ("findings", index)))
        entries[BaselineEntry(*(item.get(key, "") for key in _KEYS[:-1]))] += item["count"]
    return text, entries


def _problem(item: Any) -> str:
    """The defect of an entry; empty without one."""
    if not isinstance(item, dict):
        return "an entry must be an object"
    unknown = next((key for key in item if key not in _KEYS), None)
    if unknown is not None:
        return f"unknown key `{unknown[:40]}`; an entry has {', '.join(_KEYS)}"
    for key in _KEYS[:-1]:
        if not isinstance(item.get(key, ""), str):
            return f"`{key}` must be a string"
    if not item.get("path") or not item.get("rule"):
        return "an entry needs `path` and `rule`"
    number = item.get("count")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        return "`count` must be a number above 0"
    return ""


def _line(text: str, where: tuple[str | int, ...]) -> int | None:
    """The line of a value, from 1."""
    from handoff_lsp.syntax.json.parse import parse_json  # only for an error

    node = parse_json(text).root
    for step in where:
        if node is None:
            return None
        node = node.get(step) if isinstance(step, str) else node.items[step] if step < len(node.items) else None
    return text.count("\n", 0, node.start) + 1 if node is not None else None
