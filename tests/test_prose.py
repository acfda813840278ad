"""No habit of ``habits.yaml`` is in our prose: pages, contracts, messages, docstrings, comments, titles of cases."""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import tokenize
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent

# What quotes other people's words: documents of tests, pages written from other sources, and the list of habits itself.
NOT_OURS = re.compile(
    r"CHANGELOG\.md|docs/style\.md|docs/(?:rules|contracts)/.+\.md|docs/(?:rules|seeds|contract-language)\.md"
    r"|tests/(?:habits\.yaml|fuzz/regressions/.+|conformance/.+\.yaml|words/.+|editors/vscode/workspace/.+)"
    r"|schemas/.+\.json|examples/.+"
)

# Words that a format writes.
QUOTED = ("Absent / unrecognised",)  # a heading in the orchestrator's command of ai-standards

# A place of a file and its prose.
Piece = tuple[int, str]


@cache
def habits() -> list[tuple[re.Pattern[str], str]]:
    rows: list[dict[str, str]] = yaml.safe_load((ROOT / "tests" / "habits.yaml").read_text(encoding="utf-8"))
    return [(re.compile(row["habit"], re.IGNORECASE), row["instead"]) for row in rows]


def plain(text: str) -> str:
    """The text without code, addresses, comments and quoted words."""
    text = re.sub(r"(`+)(?!`)(?:(?!\1).)+\1(?!`)", "X", text, flags=re.DOTALL)
    text = re.sub(r"\]\([^)\n]*\)|<!--.*?-->|https?://\S+", "]", text, flags=re.DOTALL)
    return " ".join(text.split())


def paragraphs(text: str, first: int = 1) -> Iterator[Piece]:
    """The paragraphs, headings and rows of a Markdown text, outside of fences and indented code."""
    fence, collected, start = "", list[str](), first
    for number, line in enumerate([*text.split("\n"), ""], first):
        opening = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if fence:
            fence = "" if opening and line.strip() == opening[1] and opening[1].startswith(fence) else fence
            continue
        if line.startswith("routes "):  # a decision of a case, in a contract's words
            line = ""
        code = not collected and re.match(r" {4}|\t", line)
        if opening or code or not line.strip() or re.match(r"\s*(?:#|\||[-*] |\d+\. )", line):
            if collected:
                yield start, plain(" ".join(collected))
            collected, start = [], number
        if opening:
            fence = opening[1]
        elif line.strip() and not code:
            collected.append(line)


def of_markdown(text: str, _: Path) -> Iterator[Piece]:
    yield from paragraphs(text)


def of_yaml(text: str, _: Path) -> Iterator[Piece]:
    """The comments and the values with several words."""
    for number, line in enumerate(text.split("\n"), 1):
        if comment := re.match(r"\s*# (.+)", line):
            yield number, plain(comment[1])

    def walk(node: yaml.Node) -> Iterator[Piece]:
        if isinstance(node, yaml.ScalarNode):
            if " " in node.value and not re.search(r"\(\?|\\[bdsw]", node.value):
                yield from paragraphs(node.value, node.start_mark.line + 1)
        elif isinstance(node, yaml.SequenceNode):
            for item in node.value:
                yield from walk(item)
        elif isinstance(node, yaml.MappingNode):
            for _, value in node.value:
                yield from walk(value)

    if (root := yaml.compose(text)) is not None:
        yield from walk(root)


def of_json(text: str, _: Path) -> Iterator[Piece]:
    for number, line in enumerate(text.split("\n"), 1):
        for found in re.findall(r'"(?:[^"\\]|\\.)*"', line):
            if " " in found:
                yield number, plain(json.loads(found))


def of_python(text: str, path: Path) -> Iterator[Piece]:
    """Docstrings, comments and strings with several words. In tests, names in place of strings, which are documents."""
    test = path.parts[0] in ("tests", "benchmarks")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], plain(token.string.lstrip("# "))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and test and node.name.startswith("test_"):
            yield node.lineno, node.name.replace("_", " ")
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from paragraphs(node.value.value, node.lineno)
        elif isinstance(node, ast.JoinedStr) and not test:
            parts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
            yield node.lineno, plain("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value and not test:
            yield node.lineno, plain(node.value)


def of_script(text: str, _: Path) -> Iterator[Piece]:
    """Comments and strings of TypeScript, Lua, Vim script and Emacs Lisp."""
    for number, line in enumerate(text.split("\n"), 1):
        if comment := re.search(r'(?:^|\s)(?://|/?\*+|--+|;;+)\s+(.+)|^\s*"\s+(.+)', line):
            yield number, plain(comment[1] or comment[2])
        for found in re.findall(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`", line):
            if " " in found:
                yield number, plain(found[1:-1])


READERS: dict[str, Callable[[str, Path], Iterator[Piece]]] = {
    ".md": of_markdown,
    ".txt": of_markdown,
    ".yaml": of_yaml,
    ".json": of_json,
    ".py": of_python,
    ".ts": of_script,
    ".lua": of_script,
    ".vim": of_script,
    ".el": of_script,
}


def files() -> list[str]:
    """The files of the repository that may have prose."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if Path(name).suffix in READERS and not NOT_OURS.fullmatch(name)]


def slips(name: str, text: str) -> list[str]:
    found = set[tuple[int, str]]()
    for line, piece in READERS[Path(name).suffix](text, Path(name)):
        for quoted in QUOTED:
            piece = piece.replace(quoted, "X")
        for habit, instead in habits():
            for hit in habit.finditer(piece):
                around = piece[max(hit.start() - 30, 0) : hit.end() + 30]
                found.add((line, f"{name}:{line}: {hit[0]!r} in {around!r}; write {instead}"))
    return [text for _, text in sorted(found)]


@pytest.mark.parametrize("name", sorted({str(Path(name).parent) for name in files()}))
def test_no_habit_is_left(name: str) -> None:
    here = [each for each in files() if str(Path(each).parent) == name]
    assert [slip for each in here for slip in slips(each, (ROOT / each).read_text(encoding="utf-8"))] == []


def _reader_cases() -> list[Any]:
    return [
        ("a.md", "It is told.\n\n```\nIt is told.\n```\n\n    is told\n\nIt `is told` so.\n", [1]),
        ("a.md", "The file,\nas it is\ntold.\n", [1]),
        ("a.yaml", "a: It is told\nb: [x, {c: 'It bears fruit'}]\n# no\nd: x\n", [1, 2]),
        ("a.yaml", "# The agent whom we ask\na: 1\n", [1]),
        ("a.json", '{\n  "a": "The colour"\n}\n', [2]),
        ("handoff_lsp/a.py", '"""It is told."""\n# whom\nA = f"{B} stands here"\nC = "colour red"\n', [1, 2, 3, 4]),
        ("tests/a.py", 'def test_what_is_told() -> None:\n    "A colour."\n    a = "it stands"\n', [1, 2]),
        ("a.ts", "// whom it is\nconst a = 'it stands here';\nconst b = c;\n", [1, 2]),
        ("a.lua", "-- the colour\n", [1]),
    ]


@pytest.mark.parametrize(("name", "text", "lines"), _reader_cases())
def test_a_habit_is_found_in_prose_and_not_in_code(name: str, text: str, lines: list[int]) -> None:
    assert sorted({int(slip.split(":")[1]) for slip in slips(name, text)}) == lines
