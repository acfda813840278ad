"""The parts of markdown-it-py in use, most of them internal: its block rules, their state, its tokens.

Nothing else imports markdown-it. ``tests/syntax/test_markdown_it_rules.py`` lists the parts new versions must keep.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from handoff_lsp.syntax.markdown.only_blocks import defer_main

defer_main()

from markdown_it.common.utils import mdTrim  # noqa: E402
from markdown_it.rules_block import (  # noqa: E402
    StateBlock,
    blockquote,
    code,
    heading,
    html_block,
    lheading,
    list_block,
    paragraph,
    reference,
)
from markdown_it.rules_block import fence as _fence  # noqa: E402
from markdown_it.token import Token  # noqa: E402

__all__ = [
    "StateBlock",
    "Token",
    "blockquote",
    "code",
    "fence",
    "heading",
    "helpers",
    "html_block",
    "lheading",
    "list_block",
    "mdTrim",
    "paragraph",
    "reference",
]

# markdown-it declares no type for this one.
fence: Callable[[StateBlock, int, int, bool], bool] = _fence


def helpers() -> ModuleType:
    """The functions that read a reference definition. They import the inline rules, which most texts do not need."""
    return import_module("markdown_it.helpers")
