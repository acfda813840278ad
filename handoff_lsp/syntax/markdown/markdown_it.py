"""The parts of markdown-it-py in use, most of them internal: its block rules, their state, its tokens.

Nothing else imports markdown-it. ``tests/syntax/test_markdown_it_rules.py`` lists the parts new versions must keep.
"""

from __future__ import annotations

from collections.abc import Callable

from markdown_it import helpers
from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import (
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
from markdown_it.rules_block import fence as _fence
from markdown_it.token import Token

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
