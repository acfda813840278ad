"""The internals of markdown-it-py that we need: for a version that lacks one, a test here names it."""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path
from typing import Any

import pytest

import handoff_lsp
from handoff_lsp.syntax.markdown import build as markdown_build
from handoff_lsp.syntax.markdown import markdown_it as markdown_it_rules
from handoff_lsp.syntax.markdown.incremental import parse_markdown

RULES = ("blockquote", "code", "fence", "heading", "html_block", "lheading", "list_block", "paragraph", "reference")

# The attributes of the state that markdown-it's rules read, and those that they change. Our state has these only.
ASKED = {
    "bMarks", "blkIndent", "bsCount", "eMarks", "env", "getLines", "is_code_block", "isEmpty", "level", "line",
    "lineMax", "listIndent", "md", "parentType", "push", "sCount", "skipCharsStr", "skipCharsStrBack", "skipSpaces",
    "skipSpacesBack", "src", "tight", "tokens", "tShift",
}  # fmt: skip

TEXT = """\
# Heading

    code

Setext
===

```text
fence
```

<div>
html
</div>

[label]: <where> "title"
[other]: where
  'title
  on'

> quote
lazy
> > deeper

- item
  - inner

    more
1. one
2) two

paragraph
"""


def test_one_module_imports_it() -> None:
    package = Path(handoff_lsp.__file__).parent
    found = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if any(name.split(".")[0] == "markdown_it" for name in names):
                found.add(path.relative_to(package).as_posix())
    assert found == {"syntax/markdown/markdown_it.py"}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_called_with_a_state_two_lines_and_whether_to_look_only(rule: str) -> None:
    parameters = inspect.signature(getattr(markdown_it_rules, rule)).parameters
    assert [name.lstrip("_") for name in parameters] == ["state", "startLine", "endLine", "silent"]


def test_what_rules_ask_of_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = set()

    class Told(markdown_build._State):
        def __getattribute__(self, name: str) -> Any:
            caller = sys._getframe(1).f_globals["__name__"]
            if caller.startswith("markdown_it.rules_block.") and not caller.endswith(".state_block"):
                asked.add(name)
            return super().__getattribute__(name)

    monkeypatch.setattr(markdown_build, "_State", Told)
    kinds = {node.kind for node in parse_markdown(markdown_build.Source(TEXT)).walk()}
    assert {"heading", "code", "fence", "html", "quote", "list", "item", "paragraph"} <= kinds
    assert asked == ASKED


def test_tokens_and_helpers() -> None:
    token = markdown_it_rules.Token("fence_open", "code", 1)
    assert {"type", "tag", "nesting", "map", "content", "info", "markup", "hidden", "attrs"} <= set(token.as_dict())
    found = markdown_it_rules.helpers().parseLinkDestination("<a b>", 0, 5)
    assert (found.ok, found.pos, found.str) == (True, 5, "a b")
    assert markdown_it_rules.helpers().parseLinkTitle('"t"', 0, 3).ok
    assert markdown_it_rules.mdTrim(" \t a \n") == "a"
